//! The draw is free play conditioned on the storyboard, exactly: against brute force on tiny boards.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rand::Rng;
use storysim::check::{Claim, check};
use storysim::compile::{compile, compile_family};
use storysim::diagnostic::Source;
use storysim::plan::{Draw, Line, Outcome, PackedOutcome, Plan};
use storysim::rng::{Purpose, StreamKey};
use storysim::select::{Admitted, Selector, admit};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{BUILT_IN, Storyboard, parse};

use crate::effort::times;
use crate::storyboards::{board, built_in};

/// Who goes where, by number, step by step.
type Walk = Vec<(usize, usize)>;

/// The probability under free play of every walk that satisfies the storyboard under a cast, found
/// by trying all. Knows nothing of tables: names and `check` decide.
fn brute_force(board: &Storyboard, plan: &Plan, cast: usize) -> BTreeMap<Walk, f64> {
    let idle_at = |step: usize| -> Vec<usize> {
        let mut idle = Vec::new();
        for event in &board.events {
            if let storysim::storyboard::Verb::Hold(storysim::form::Condition::Idle { who }) = &event.verb {
                let (from, until) = window(plan, &event.when);
                if (from..until).contains(&(step as i64)) {
                    idle.extend(
                        who.iter()
                            .map(|name| plan.role_names.iter().position(|role| *role == name.value).unwrap()),
                    );
                }
            }
        }
        idle
    };
    let mut found = BTreeMap::new();
    let mut open: Vec<(Walk, f64)> = vec![(Vec::new(), 1.0)];
    let start: Vec<usize> = plan.casts[cast].start.iter().map(|place| place.index()).collect();
    while let Some((walk, probability)) = open.pop() {
        if walk.len() == plan.horizon {
            let name = |who: usize| plan.pool[who].as_str();
            let place = |place: usize| plan.place_names[place].as_str();
            let claim = Claim {
                parameters: plan.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
                roles: plan
                    .role_names
                    .iter()
                    .enumerate()
                    .map(|(at, role)| (role.as_str(), name(at)))
                    .collect(),
                binds: plan
                    .bind_names
                    .iter()
                    .zip(&plan.casts[cast].binds)
                    .map(|(bind, at)| (bind.as_str(), place(at.index())))
                    .collect(),
                start: start.iter().enumerate().map(|(who, &at)| (name(who), place(at))).collect(),
                events: {
                    let mut places = start.clone();
                    let mut with_origin = |&(who, to): &(usize, usize)| {
                        let from = std::mem::replace(&mut places[who], to);
                        (name(who), place(from), place(to))
                    };
                    walk.iter().map(&mut with_origin).collect()
                },
                ..Claim::default()
            };
            if check(board, &claim).is_ok() {
                found.insert(walk, probability);
            }
            continue;
        }
        let mut places = start.clone();
        walk.iter().for_each(|&(who, to)| places[who] = to);
        let idle = idle_at(walk.len());
        let actors: Vec<usize> = (0..plan.character_count).filter(|who| !idle.contains(who)).collect();
        for &who in &actors {
            let ways = plan.map.ways(storysim::id::PlaceId::new(places[who]));
            for to in ways {
                let mut longer = walk.clone();
                longer.push((who, to.index()));
                open.push((longer, probability / (actors.len() * ways.len()) as f64));
            }
        }
    }
    found
}

fn window(plan: &Plan, when: &storysim::storyboard::When) -> (i64, i64) {
    use storysim::storyboard::When;
    let value = |number: &storysim::storyboard::Number| {
        let lookup = |name: &str| match name {
            "end" => Some(plan.horizon as i64),
            _ => plan.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| *value),
        };
        number.value.evaluate(&lookup).unwrap()
    };
    match when {
        When::At(at) => (value(at), value(at) + 1),
        When::Until(from, until) => (value(from), value(until)),
        When::For(from, length) => (value(from), value(from) + value(length)),
    }
}

/// The probability with which the plan draws a walk.
fn drawn(plan: &Plan, cast: usize, walk: &Walk) -> f64 {
    let cast = &plan.casts[cast];
    let mut places = cast.start.clone();
    let mut probability = 1.0;
    let mut step = 0;
    for phase in &cast.phases {
        while step < phase.until {
            let (who, to) = walk[step];
            let from = places[who];
            let ways = plan.map.ways(from).len() as f64;
            let among = |actors: &[storysim::id::CharacterId]| {
                if actors.iter().any(|actor| actor.index() == who) { 1.0 / actors.len() as f64 } else { 0.0 }
            };
            probability *= match phase.draw {
                Draw::Free(actors) => among(&plan.actor_sets[actors]) / ways,
                Draw::Table(table) => {
                    let table = &plan.tables[table];
                    let bystanders = &plan.actor_sets[table.bystanders];
                    let (mut total, mut of_walk) = (0.0, 0.0);
                    table.for_each_outcome(&places, &plan.map, bystanders.len(), |outcome, _, weight| {
                        total += weight;
                        of_walk += match outcome {
                            Outcome::Bystander => weight * among(bystanders) / ways,
                            Outcome::Move(mover, place) if mover.index() == who && place.index() == to => {
                                weight
                            }
                            Outcome::Move(..) | Outcome::Deed(_) | Outcome::Together => 0.0,
                        };
                    });
                    of_walk / total
                }
                Draw::Legs(_) => unreachable!("tables do for tiny boards"),
            };
            places[who] = storysim::id::PlaceId::new(to);
            step += 1;
        }
    }
    probability
}

const TINY: &[&str] = &[
    // A meeting and a move, an idle window, a bystander.
    "storysim: 1\nname: tiny\ncharacters: {pool: [x, y, z]}\nroles: [A, B]\n\
     places: {a: [b, c], b: [c, a], c: [a]}\nstart: {A: a, else: b}\nbind: {p: {}, q: {next_to: p}}\nhorizon: 5\n\
     events:\n- {at: 2, meet: {who: [A, B], in: p}}\n- {at: 3, move: {who: B, to: q}}\n- {from: 4, until: 5, idle: [A]}\n",
    // Two meetings, of different company.
    "storysim: 1\nname: tiny\ncharacters: {pool: [x, y, z]}\nroles: [A, B, C]\n\
     places: {a: [b, c], b: [a, c], c: [a, b]}\nstart: a\nbind: {p: {}, q: {next_to: p}}\nhorizon: 5\n\
     events:\n- {at: 2, meet: {who: [A, B, C], in: p}}\n- {at: 4, meet: {who: [B, C], in: q}}\n",
    // Two bystanders, of whom one is idle for a while.
    "storysim: 1\nname: tiny\ncharacters: {pool: [v, x, y, z]}\nroles: [A, B, C]\n\
     places: {a: [b, c], b: [c], c: [a, b]}\nstart: a\nhorizon: 4\n\
     events:\n- {from: 0, for: 1, idle: [C]}\n- {at: 2, meet: {who: [A, B], in: b}}\n",
    // Idle and moving in one window, a line with dead-straight ways.
    "storysim: 1\nname: tiny\ncharacters: {pool: [x, y]}\nroles: [A, B]\n\
     places: {a: [b], b: [a, c], c: [b]}\nstart: b\nhorizon: 6\n\
     events:\n- {from: 1, for: 2, idle: [B]}\n- {at: 5, meet: {who: [A, B], in: c}}\n",
];

#[test]
fn draws_what_brute_force_finds() {
    for text in TINY {
        let board = board(text);
        let plan = compile(&board, &[]).unwrap().plan;
        let mut walks = 0;
        let mut mean = 0.0;
        for cast in 0..plan.casts.len() {
            let wanted = brute_force(&board, &plan, cast);
            let total: f64 = wanted.values().sum();
            let mut sum = 0.0;
            for (walk, probability) in &wanted {
                let probability = probability / total;
                let found = drawn(&plan, cast, walk);
                assert!(
                    (found - probability).abs() < 1e-12,
                    "cast {cast} {walk:?}: {found}, not {probability}"
                );
                sum += found;
            }
            assert!((sum - 1.0).abs() < 1e-12, "cast {cast}: something else is drawn, too: {sum}");
            walks += wanted.len();
            mean += total / plan.casts.len() as f64;
        }
        assert!(walks > 20, "{walks}");
        let claimed = 10_f64.powf(plan.odds.log10_probability);
        assert!((claimed / mean - 1.0).abs() < 1e-9, "{claimed}, not {mean}");
    }
}

/// Tables of numbers that `f64` cannot hold draw as those that it can.
#[test]
fn wide_tables_draw_as_plain_ones() {
    use storysim::plan::{Values, Weight};
    let mut compared = 0;
    for text in TINY {
        let board = board(text);
        let plan = compile(&board, &[]).unwrap().plan;
        let mut wide = plan.clone();
        for table in &mut wide.tables {
            if let Values::Plain(values) = &table.values {
                let tiny = (0..40).fold(Weight::new(1e-300), |weight, _| weight.times(Weight::new(1e-300)));
                let scaled =
                    |&value: &f64| if value > 0.0 { Weight::new(value).times(tiny) } else { Weight::ZERO };
                table.values = Values::Wide(values.iter().map(scaled).collect());
            }
        }
        for cast in 0..plan.casts.len() {
            for walk in brute_force(&board, &plan, cast).keys() {
                let (found, wanted) = (drawn(&wide, cast, walk), drawn(&plan, cast, walk));
                assert!((found - wanted).abs() < 1e-12, "cast {cast} {walk:?}: {found}, not {wanted}");
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

/// The hot loop draws with the probabilities of the tables: counts within 6 standard deviations.
#[test]
fn simulator_follows_the_tables() {
    let board = board(TINY[0]);
    let plan = compile(&board, &[]).unwrap().plan;
    let mut simulator = Simulator::new(&plan, 3);
    let rounds = 300_000;
    let mut counts: BTreeMap<(usize, Walk), u32> = BTreeMap::new();
    let mut story = Story::default();
    for index in 0..rounds {
        simulator.draw(index, &mut story);
        let walk = story.trace.events.iter().map(|event| (event.who.index(), event.to.index())).collect();
        *counts.entry((story.cast, walk)).or_default() += 1;
    }
    for cast in 0..plan.casts.len() {
        for walk in brute_force(&board, &plan, cast).keys() {
            let share = drawn(&plan, cast, walk) / plan.casts.len() as f64;
            let mean = share * rounds as f64;
            let count = counts.remove(&(cast, walk.clone())).unwrap_or(0);
            assert!(
                (f64::from(count) - mean).abs() < 6.0 * mean.sqrt().max(1.0),
                "{walk:?}: {count}, not {mean}"
            );
        }
    }
    assert_eq!(counts.len(), 0, "drawn, but not allowed");
}

/// A deadline that makes tables differ by more than `f64` holds.
#[test]
fn a_forced_march_is_drawn_all_the_same() {
    let mut text =
        "storysim: 1\nname: march\ncharacters: {pool: people}\nroles: [A]\nhorizon: 430\nstart: p0\n\
                    events:\n- {at: 419, move: {who: A, to: p400}}\nplaces:\n"
            .to_owned();
    for place in 0..=400 {
        let next = [place - 1, place + 1].into_iter().filter(|next| (0..=400).contains(next));
        let next: Vec<String> = next.map(|next| format!("p{next}")).collect();
        text.push_str(&format!("  p{place}: [{}]\n", next.join(", ")));
    }
    let board = board(&text);
    let plan = compile(&board, &[]).unwrap().plan;
    let is_wide = |table: &storysim::plan::Table| matches!(table.values, storysim::plan::Values::Wide(_));
    assert!(plan.tables.iter().any(is_wide), "the test wants tables that differ by more than f64 holds");
    assert!(plan.odds.log10_probability < -600.0, "{}", plan.odds.log10_probability);
    let mut simulator = Simulator::new(&plan, 1);
    let mut story = Story::default();
    for index in 0..200 {
        simulator.draw(index, &mut story);
        check(&board, &Claim::of(&plan, &story)).unwrap();
    }
}

#[test]
fn stories_of_built_in_boards_pass_check() {
    for built_in in BUILT_IN {
        let board = parse(built_in.source()).unwrap();
        for settings in
            [vec![], vec![("mislead_distance".to_owned(), 80)], vec![("mislead_distance".to_owned(), 0)]]
        {
            if settings.iter().any(|(name, _)| board.parameters.iter().all(|(known, _)| known.value != *name))
            {
                continue;
            }
            let plans = compile_family(&board, &settings).unwrap().plans;
            let count = if plans[0].goals.is_empty() { times(50) } else { times(5) };
            let family = match admit(&board, plans) {
                Ok(admitted) => admitted.family,
                Err(problem) => panic!("{} {settings:?}: {problem:?}", built_in.name),
            };
            let mut selector = Selector::new(&family, 7);
            let mut story = Story::default();
            for index in 0..count {
                selector.draw(index, &mut story);
                check(&board, &Claim::of(selector.plan(), &story)).unwrap_or_else(|violation| {
                    panic!("{} seed 7 index {index}: {violation}", built_in.name)
                });
            }
        }
    }
}

/// Whatever is worked out beforehand, and whatever is drawn together, is for speed: without any of it the same
/// stories are drawn.
#[test]
fn what_is_fast_changes_nothing() {
    let (mut with_rows, mut swift) = (0, 0);
    for built_in in BUILT_IN {
        let plan = compile(&parse(built_in.source()).unwrap(), &[]).unwrap().plan;
        let mut without_rows = plan.clone();
        for table in &mut without_rows.tables {
            with_rows += usize::from(table.rows.take().is_some());
        }
        swift += usize::from(Simulator::new(&plan, 7).is_swift());
        assert_same_stories(&plan, &without_rows, 300);
    }
    assert!(with_rows > 100 && swift > 5, "{with_rows} {swift}");
}

/// A story's memory is used again, also after that of another storyboard.
#[test]
fn nothing_is_left_of_another_story() {
    let plan_of = |name: &str| compile(&built_in(name), &[]).unwrap().plan;
    let [things, walks] = ["sally-anne", "first-order-mislead"].map(plan_of);
    let [mut things, mut walks, mut other] = [&things, &walks, &walks].map(|plan| Simulator::new(plan, 7));
    let (mut used, mut fresh) = (Story::default(), Story::default());
    for index in 0..20 {
        assert!(things.draw(index, &mut used) && !used.trace.deeds.is_empty());
        assert!(walks.draw(index, &mut used) && other.draw(index, &mut fresh));
        assert_eq!(used, fresh);
    }
}

/// As many steps share a draw as leave no bias: with more characters, or more ways, fewer.
#[test]
fn a_draw_serves_as_many_steps_as_it_can() {
    let source = BUILT_IN[0].source();
    let without_a_way = |text: &str| text.replace("room_4, room_2]", "room_4]");
    for (more, turns_a_draw) in [(34, 4), (94, 1)] {
        let pool = (0..more).map(|number| format!(", Other{number}")).collect::<String>();
        let text = source.text.replace("Hank]", &format!("Hank{pool}]"));
        for text in [without_a_way(&text), text] {
            let plan = compile(&board(&text), &[]).unwrap().plan;
            assert_eq!((plan.character_count, plan.turns_a_draw()), (more + 8, turns_a_draw));
            assert!(Simulator::new(&plan, 7).is_swift());
            assert_same_stories(&plan, &plan, 100);
        }
    }
}

/// Draws the same stories plainly, swiftly one after another, swiftly here and there, and without rows.
fn assert_same_stories(plan: &Plan, without_rows: &Plan, count: u64) {
    let mut plainly = Simulator::new(plan, 7).plainly();
    let mut others = [Simulator::new(plan, 7), Simulator::new(plan, 7), Simulator::new(without_rows, 7)];
    let mut stories = [(); 3].map(|()| Story::default());
    let mut wanted = Story::default();
    for index in 0..count {
        let is_one = plainly.draw(index, &mut wanted);
        for (at, (other, story)) in others.iter_mut().zip(&mut stories).enumerate() {
            if at == 1 && index % 3 == 1 {
                continue; // then the next one does not follow on the last
            }
            assert_eq!(other.draw(index, story), is_one);
            assert!(!is_one || *story == wanted, "{} {index} {at}", plan.name);
        }
    }
}

/// One draw in 2^29 falls on a limit of a row, and is looked up once more.
#[test]
fn a_draw_on_a_limit_takes_all_its_bits() {
    let board = parse(BUILT_IN[0].source()).unwrap();
    let plan = compile(&board, &[]).unwrap().plan;
    let key = StreamKey::derive(7, &plan.fingerprint, Purpose::Walk);
    let (mut story, mut wanted) = (Story::default(), Story::default());
    let mut plainly = Simulator::new(&plan, 7).plainly();
    for index in 0..200 {
        // The first draw says who would go freely, the second what happens.
        let mut stream = key.stream(index, 0);
        let [_, first] = [stream.next_u64(), stream.next_u64()];
        plainly.draw(index, &mut wanted);
        let phase = plan.casts[wanted.cast].phases[0];
        let Draw::Table(table) = phase.draw else { panic!("a condition is pending at the start") };
        assert_eq!(phase.until, 1);
        let mut on_a_limit = plan.clone();
        for line in &mut on_a_limit.tables[table].rows.as_mut().expect("a small table").lines {
            line.limits = [(first >> 32) as u32; Line::SIZE];
            line.outcomes = [PackedOutcome { who: 0, way: 0, next: 0 }; Line::SIZE];
        }
        Simulator::new(&on_a_limit, 7).draw(index, &mut story);
        assert_eq!(story, wanted, "{index}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(60) as u32, max_shrink_iters: 200, ..ProptestConfig::default() })]

    /// The same of random boards.
    #[test]
    fn what_is_fast_changes_nothing_on_any_board(text in crate::boards::boards(2..=6, 2..=5, 1..=14)) {
        let board = parse(Source { name: "random".into(), text }).unwrap();
        if let Ok(compiled) = compile(&board, &[]) {
            let mut without_rows = compiled.plan.clone();
            without_rows.tables.iter_mut().for_each(|table| table.rows = None);
            assert_same_stories(&compiled.plan, &without_rows, 40);
        }
    }
}

/// Casts are drawn uniformly from the feasible ones.
#[test]
fn casts_are_uniform() {
    let board = parse(BUILT_IN[0].source()).unwrap();
    let plan = compile(&board, &[]).unwrap().plan;
    let mut simulator = Simulator::new(&plan, 11);
    let mut story = Story::default();
    let mut casts = vec![0; plan.casts.len()];
    let mut players = vec![0; plan.pool.len() * plan.pool.len()];
    for index in 0..100_000 {
        simulator.draw(index, &mut story);
        casts[story.cast] += 1;
        players[story.names[0] * plan.pool.len() + story.names[1]] += 1;
    }
    players.retain(|&count| count > 0);
    assert_eq!(players.len(), plan.pool.len() * (plan.pool.len() - 1));
    for counts in [&casts, &players] {
        let mean = 100_000.0 / counts.len() as f64;
        assert!(
            counts.iter().all(|&count| (f64::from(count) - mean).abs() < 6.0 * f64::sqrt(mean)),
            "{counts:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(80) as u32, ..ProptestConfig::default() })]

    #[test]
    fn random_boards_give_stories_that_pass_check(text in crate::boards::boards(2..=6, 2..=5, 4..=14)) {
        let board = board(&text);
        if let Ok(compiled) = compile(&board, &[]) {
            // Goals that have no room in the tables are met by drawing again, unless next to no story meets them.
            let may_miss = compiled.plan.may_miss();
            let admitted = admit(&board, vec![compiled.plan]);
            prop_assert!(may_miss || admitted.is_ok(), "{}", text);
            if let Ok(Admitted { family, .. }) = admitted {
                let mut selector = Selector::new(&family, 5);
                let mut story = Story::default();
                for index in 0..40 {
                    selector.draw(index, &mut story);
                    let checked = check(&board, &Claim::of(selector.plan(), &story));
                    prop_assert!(checked.is_ok(), "index {}: {:?}\n{}", index, checked, text);
                }
            }
        }
    }

    #[test]
    fn removing_a_condition_never_makes_a_board_unsatisfiable(text in crate::boards::boards(2..=6, 2..=5, 4..=14)) {
        let board = board(&text);
        if compile(&board, &[]).is_ok() {
            for at in 0..board.events.len() {
                let mut without = board.clone();
                without.events.remove(at);
                prop_assert!(compile(&without, &[]).is_ok(), "event {} of\n{}", at, text);
            }
            for at in 0..board.goals.len() {
                let mut without = board.clone();
                without.goals.remove(at);
                prop_assert!(compile(&without, &[]).is_ok(), "goal {} of\n{}", at, text);
            }
        }
    }
}
