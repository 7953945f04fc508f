//! Drawing by legs is free play conditioned on the storyboard, exactly: against tables, against brute
//! force, and where tables would be too large.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use storysim::check::{Claim, check};
use storysim::compile::{coincidence, compile, compile_by_legs};
use storysim::form::{Act, Condition};
use storysim::id::{CharacterId, PlaceId};
use storysim::plan::{Draw, Plan, Weight};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{BUILT_IN, Number, Storyboard, Verb, When, parse};
use storysim::trace::Trace;
use storysim::world::Event;

use crate::effort::{part, times};
use crate::storyboards::board;

fn plan(text: &str) -> Plan {
    compile_by_legs(&board(text), &[]).unwrap_or_else(|problems| panic!("{problems:?}\n{text}")).plan
}

fn tiny(characters: usize, places: &str, horizon: usize, rest: &str) -> String {
    let pool = &["w", "x", "y", "z"][..characters];
    format!(
        "storysim: 1\nname: tiny\ncharacters: {{pool: [{}]}}\nplaces: {{{places}}}\nhorizon: {horizon}\n{rest}",
        pool.join(", ")
    )
}

/// Places of uneven degrees, with a way that leads one way only.
const UNEVEN: &str = "a: [b, c, d], b: [a, c], c: [a], d: [a, b]";
const LINE: &str = "a: [b], b: [a, c], c: [b]";
const TRIANGLE: &str = "a: [b, c], b: [c, a], c: [a]";

/// What can be asked of legs, in boards that brute force can still enumerate.
fn tinies() -> Vec<String> {
    vec![
        // Two meet, then one goes on, with binds; a bystander.
        tiny(
            3,
            TRIANGLE,
            6,
            "roles: [A, B]\nstart: {A: a, else: b}\nbind: {p: {}, q: {next_to: p}}\nevents:\n\
             - {at: 3, meet: {who: [A, B], in: p}}\n- {at: 4, move: {who: B, to: q}}\n\
             - {from: 5, until: 6, idle: [A]}\n",
        ),
        // Three meet, two of them again.
        tiny(
            3,
            TRIANGLE,
            7,
            "roles: [A, B, C]\nstart: a\nbind: {p: {}, q: {next_to: p}}\nevents:\n\
             - {at: 3, meet: {who: [A, B, C], in: p}}\n- {at: 6, meet: {who: [B, C], in: q}}\n",
        ),
        // Three meet in a crowd of four, and one of them has no room to move for a while.
        tiny(
            4,
            LINE,
            5,
            "roles: [A, B, C]\nstart: {A: a, B: c, else: b}\nevents:\n- {from: 1, for: 2, idle: [C]}\n\
             - {at: 4, meet: {who: [A, B, C], in: b}}\n",
        ),
        // A leg over the meeting of two others, and over its own idle window.
        tiny(
            3,
            LINE,
            7,
            "roles: [A, B, C]\nstart: b\nbind: {p: {}}\nevents:\n- {at: 2, meet: {who: [A, B], in: p}}\n\
             - {from: 3, for: 1, idle: [C]}\n- {at: 5, meet: {who: [B, C], in: b}}\n",
        ),
        // Idle all the way: the leg that ends has no moves but the last; whoever is there waits.
        tiny(
            4,
            UNEVEN,
            5,
            "roles: [A, B]\nstart: {A: d, B: b, else: a}\nevents:\n- {from: 0, for: 3, idle: [A]}\n\
             - {at: 3, meet: {who: [A, B], in: a}}\n- {at: 4, move: {who: A, to: c}}\n",
        ),
        // Nobody but legs: every step is someone's, and one who may not arrive.
        tiny(
            2,
            "a: [b], b: [a, c], c: [b, a]",
            6,
            "roles: [A, B]\nstart: {A: b, else: a}\nbind: {p: {next_to: a}}\nevents:\n\
             - {at: 4, meet: {who: [A, B], in: p}}\n- {from: 4, for: 1, idle: [B]}\n",
        ),
        // Two stretches, the second with two arrivals and a leg that begins in between.
        tiny(
            3,
            UNEVEN,
            6,
            "roles: [A, B]\nstart: a\nbind: {p: {}, q: {not: [p]}}\nevents:\n\
             - {at: 1, move: {who: A, to: p}}\n- {at: 3, move: {who: B, to: q}}\n\
             - {at: 5, meet: {who: [A, B], in: q}}\n",
        ),
        // Idle windows that overlap, so that three legs differ in the steps in which they may move.
        tiny(
            3,
            "a: [b, c], b: [a, c], c: [a, b]",
            6,
            "roles: [A, B, C]\nstart: a\nevents:\n- {from: 0, for: 2, idle: [A]}\n\
             - {from: 1, for: 2, idle: [B]}\n- {at: 5, meet: {who: [A, B, C], in: c}}\n",
        ),
        // Four characters, places in the start, an arrival at step 0.
        tiny(
            4,
            TRIANGLE,
            5,
            "roles: [A, B]\nbind: {p: {}}\nstart: {A: p, else: b}\nevents:\n\
             - {at: 0, move: {who: B, to: c}}\n- {at: 3, meet: {who: [A, B], in: a}}\n",
        ),
    ]
}

/// Who goes where, by number, step by step.
type Walk = Vec<(usize, usize)>;

/// The probability under free play of every walk that satisfies the storyboard under a cast, found
/// by trying all; `check` decides.
fn brute_force(board: &Storyboard, plan: &Plan, cast: usize) -> BTreeMap<Walk, f64> {
    let value = |number: &Number| {
        let lookup = |name: &str| (name == "end").then_some(plan.horizon as i64);
        number.value.evaluate(&lookup).unwrap() as usize
    };
    let mut idle = vec![Vec::new(); plan.horizon];
    for event in &board.events {
        let steps = match &event.when {
            When::At(at) => value(at)..value(at) + 1,
            When::Until(from, until) => value(from)..value(until),
            When::For(from, length) => value(from)..value(from) + value(length),
        };
        if let Verb::Hold(storysim::form::Condition::Idle { who }) = &event.verb {
            for role in who {
                let role = plan.role_names.iter().position(|known| *known == role.value).unwrap();
                idle[steps.clone()].iter_mut().for_each(|idle: &mut Vec<usize>| idle.push(role));
            }
        }
    }
    let start = &plan.casts[cast].start;
    let names: Vec<usize> = (0..plan.character_count).collect();
    let mut found = BTreeMap::new();
    let mut open = vec![(Vec::<Event>::new(), start.clone(), 1.0)];
    while let Some((events, places, probability)) = open.pop() {
        if events.len() == plan.horizon {
            let walk = events.iter().map(|event| (event.who.index(), event.to.index())).collect();
            let trace = Trace::of_moves(start.clone(), events);
            let story = Story { index: 0, cast, names: names.clone(), trace, ..Story::default() };
            if check(board, &Claim::of(plan, &story)).is_ok() {
                found.insert(walk, probability);
            }
            continue;
        }
        let idle = &idle[events.len()];
        let actors: Vec<usize> = names.iter().copied().filter(|who| !idle.contains(who)).collect();
        for &who in &actors {
            let from: PlaceId = places[who];
            let ways = plan.map.ways(from);
            for &to in ways {
                let (mut longer, mut places) = (events.clone(), places.clone());
                longer.push(Event { who: CharacterId::new(who), from, to });
                places[who] = to;
                open.push((longer, places, probability / (actors.len() * ways.len()) as f64));
            }
        }
    }
    found
}

/// The same board with nothing but the conditions that legs know.
fn without_others(mut board: Storyboard) -> Storyboard {
    board.goals.clear();
    board.balance = None;
    board.questions.clear();
    board.events.retain(|event| match &event.verb {
        Verb::Do(direction) => direction.act == Act::Go,
        Verb::Hold(Condition::Idle { .. }) => true,
        Verb::Hold(Condition::Meet { place, .. }) => place.is_some(),
        _ => false,
    });
    board
}

/// The probabilities are those that tables give, cast by cast.
fn agree(legs: &Plan, tables: &Plan) {
    let binds = |plan: &Plan| plan.casts.iter().map(|cast| cast.binds.clone()).collect::<Vec<_>>();
    assert_eq!(binds(legs), binds(tables));
    for (legs, tables) in legs.casts.iter().zip(&tables.casts) {
        let ratio = legs.probability.divided_by(tables.probability).share_of(Weight::ONE);
        assert!((ratio - 1.0).abs() < 1e-12, "{legs:?}, not {tables:?}");
    }
    let ratio = 10_f64.powf(legs.odds.log10_probability - tables.odds.log10_probability);
    assert!((ratio - 1.0).abs() < 1e-12, "{:?}, not {:?}", legs.odds, tables.odds);
}

#[test]
fn tiny_boards_have_the_probabilities_of_tables() {
    for text in tinies() {
        agree(&plan(&text), &compile(&board(&text), &[]).unwrap().plan);
    }
}

#[test]
fn built_in_boards_have_the_probabilities_of_tables() {
    for built_in in BUILT_IN {
        let board = parse(built_in.source()).unwrap();
        if compile(&board, &[]).unwrap().plan.things().is_some() {
            continue; // legs know no deeds
        }
        let board = without_others(board);
        let legs = compile_by_legs(&board, &[]).unwrap().plan;
        assert!(legs.tables.is_empty());
        let tables = compile(&board, &[]).unwrap().plan;
        assert!(tables.legs.of_casts.is_empty(), "where tables do, they are used");
        agree(&legs, &tables);
        let mut simulator = Simulator::new(&legs, 7);
        let mut story = Story::default();
        for index in 0..200 {
            simulator.draw(index, &mut story);
            check(&board, &Claim::of(&legs, &story)).unwrap();
        }
    }
}

/// Chi-square over all walks that brute force finds, and nothing else is drawn.
#[test]
fn draws_what_brute_force_finds() {
    // With fewer, hardly any walk is to be expected ten times.
    let rounds = times(5_000).max(5_000);
    for text in part(tinies(), 0, 2) {
        let board = board(&text);
        let plan = plan(&text);
        let mut wanted: BTreeMap<(usize, Walk), f64> = BTreeMap::new();
        let mut mean = 0.0;
        for cast in 0..plan.casts.len() {
            let found = brute_force(&board, &plan, cast);
            let total: f64 = found.values().sum();
            assert!(total > 0.0, "cast {cast} is not possible\n{text}");
            mean += total / plan.casts.len() as f64;
            assert!((plan.casts[cast].probability.log10() - total.log10()).abs() < 1e-12, "{text}");
            let casts = plan.casts.len() as f64;
            wanted.extend(found.into_iter().map(|(walk, one)| ((cast, walk), one / total / casts)));
        }
        let claimed = 10_f64.powf(plan.odds.log10_probability);
        assert!((claimed / mean - 1.0).abs() < 1e-12, "{claimed}, not {mean}\n{text}");

        let mut counts: BTreeMap<(usize, Walk), u32> = BTreeMap::new();
        let mut simulator = Simulator::new(&plan, 3);
        let mut story = Story::default();
        for index in 0..rounds {
            simulator.draw(index, &mut story);
            check(&board, &Claim::of(&plan, &story))
                .unwrap_or_else(|violation| panic!("{violation}\n{text}"));
            let walk = story.trace.events.iter().map(|event| (event.who.index(), event.to.index()));
            *counts.entry((story.cast, walk.collect())).or_default() += 1;
        }
        assert!(counts.keys().all(|walk| wanted.contains_key(walk)), "drawn, but not allowed\n{text}");
        // Walks of which fewer than ten are to be expected count as one.
        let (mut cells, mut rare) = (Vec::new(), (0.0, 0.0));
        for (walk, probability) in &wanted {
            let count = f64::from(counts.get(walk).copied().unwrap_or(0));
            let mean = probability * rounds as f64;
            if mean < 10.0 {
                rare = (rare.0 + count, rare.1 + mean);
            } else {
                cells.push((count, mean));
            }
        }
        if rare.1 >= 10.0 {
            cells.push(rare);
        }
        let square: f64 = cells.iter().map(|(count, mean)| (count - mean).powi(2) / mean).sum();
        // Wilson and Hilferty: the cube root of a chi-square is nearly normal.
        let spread = 2.0 / (9.0 * (cells.len() - 1) as f64);
        let deviation = ((square / (cells.len() - 1) as f64).cbrt() - (1.0 - spread)) / spread.sqrt();
        assert!(cells.len() > 10, "{} cells\n{text}", cells.len());
        assert!(deviation < 3.09, "{} cells, chi-square {square}: p < 0.001\n{text}", cells.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(120) as u32, ..ProptestConfig::default() })]

    /// Whatever the board, both engines find the same casts, with the same probabilities, or none.
    #[test]
    fn random_boards_agree_with_tables(text in crate::boards::boards(2..=6, 2..=5, 4..=14)) {
        let board = without_others(board(&text));
        match (compile_by_legs(&board, &[]), compile(&board, &[])) {
            (Ok(legs), Ok(tables)) => {
                agree(&legs.plan, &tables.plan);
                let mut simulator = Simulator::new(&legs.plan, 5);
                let mut story = Story::default();
                for index in 0..40 {
                    simulator.draw(index, &mut story);
                    let checked = check(&board, &Claim::of(&legs.plan, &story));
                    prop_assert!(checked.is_ok(), "index {}: {:?}\n{}", index, checked, text);
                }
            }
            (Err(legs), Err(tables)) => prop_assert_eq!(legs[0].message.clone(), tables[0].message.clone()),
            (legs, tables) => prop_assert!(false, "{:?}\n{:?}\n{}", legs.err(), tables.err(), text),
        }
    }
}

/// A grid of width × height, and the second-order board of the built-in ones half way through.
fn grid(width: usize, height: usize, characters: usize, horizon: usize) -> String {
    let half = horizon / 2;
    let mut text = format!(
        "storysim: 1\nname: grid\ncharacters: {{pool: people, count: {characters}}}\nroles: [S1, S2, T]\n\
         start: p0_0\nhorizon: {horizon}\n\
         bind: {{first: {{}}, second: {{next_to: first}}, third: {{next_to: second, not: [first]}}}}\nevents:\n\
         - {{at: {half}, meet: {{who: [S1, S2, T], in: first}}}}\n\
         - {{from: {half} + 1, for: 6, idle: [S1]}}\n\
         - {{at: {half} + 6, meet: {{who: [S2, T], in: second}}}}\n\
         - {{from: {half} + 7, for: 30, idle: [S1, S2, T]}}\n\
         - {{at: {half} + 37, move: {{who: T, to: third}}}}\n\
         - {{from: {half} + 38, until: end, idle: [S1, S2, T]}}\nplaces:\n"
    );
    for x in 0..width {
        for y in 0..height {
            let near = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            let near = near.iter().filter(|(x, y)| *x < width && *y < height);
            let near: Vec<String> = near.map(|(x, y)| format!("p{x}_{y}")).collect();
            writeln!(text, "  p{x}_{y}: [{}]", near.join(", ")).unwrap();
        }
    }
    text
}

/// A board whose tables would take 10^9 numbers a step; and the bytes of its stories are fixed.
#[test]
fn a_large_grid_is_drawn() {
    let board = board(&grid(40, 25, 100, 10_000));
    let plan = compile(&board, &[]).unwrap().plan;
    assert_eq!(plan.casts.len(), plan.odds.cast_count);
    assert!(coincidence(&board, &[], &plan, &[]) < -10_000.0);
    assert!(plan.tables.is_empty() && plan.legs.weight_count() > 100_000);
    let mut simulator = Simulator::new(&plan, 7);
    let mut story = Story::default();
    let mut hasher = blake3::Hasher::new();
    for index in 0..20 {
        simulator.draw(index, &mut story);
        check(&board, &Claim::of(&plan, &story)).unwrap();
        for event in &story.trace.events {
            hasher.update(&(event.who.index() as u32).to_le_bytes());
            hasher.update(&(event.to.index() as u32).to_le_bytes());
        }
    }
    assert_eq!(&hasher.finalize().to_hex()[..16], "5af905bf375c554d");
}

/// A small grid by both engines, with counts left out by the one.
#[test]
fn a_grid_has_the_probabilities_of_tables() {
    let text = grid(4, 3, 9, 300);
    agree(&plan(&text), &compile(&board(&text), &[]).unwrap().plan);
}

fn path(places: usize, horizon: usize, head: &str) -> String {
    let mut text = format!(
        "storysim: 1\nname: path\ncharacters: {{pool: people, count: 5}}\nhorizon: {horizon}\n{head}places:\n"
    );
    for place in 0..places {
        let next = [place.wrapping_sub(1), place + 1].into_iter().filter(|next| *next < places);
        let next: Vec<String> = next.map(|next| format!("p{next}")).collect();
        writeln!(text, "  p{place}: [{}]", next.join(", ")).unwrap();
    }
    text
}

/// Only one number of moves leads there, however unlikely it is.
#[test]
fn a_forced_march_is_drawn_all_the_same() {
    let text = path(400, 400, "roles: [A]\nstart: p0\nevents:\n- {at: 398, move: {who: A, to: p399}}\n");
    let board = board(&text);
    let plan = plan(&text);
    let tables = compile(&board, &[]).unwrap().plan;
    let difference = plan.odds.log10_probability - tables.odds.log10_probability;
    assert!(difference.abs() < 1e-10, "{:?}, not {:?}", plan.odds, tables.odds);
    assert!(plan.odds.log10_probability < -390.0);
    let (mut simulator, mut story) = (Simulator::new(&plan, 1), Story::default());
    for index in 0..20 {
        simulator.draw(index, &mut story);
        check(&board, &Claim::of(&plan, &story)).unwrap();
    }
}

/// Far beyond the usual number of moves: sizes grow until what they leave out does not matter.
#[test]
fn two_march_to_the_far_end() {
    let text = path(
        400,
        3000,
        "roles: [A, B]\nstart: p100\nbind: {far: {next_to: p398, not: [p397]}}\n\
         events:\n- {at: 2900, meet: {who: [A, B], in: far}}\n",
    );
    let board = board(&text);
    let plan = compile(&board, &[]).unwrap().plan;
    assert!(plan.tables.is_empty() && plan.casts.len() == 1);
    assert!(plan.odds.log10_probability < -20.0, "{:?}", plan.odds);
    let (mut simulator, mut story) = (Simulator::new(&plan, 1), Story::default());
    for index in 0..20 {
        simulator.draw(index, &mut story);
        check(&board, &Claim::of(&plan, &story)).unwrap();
    }
}

/// Where no cast is possible, the step at fault is found by legs, too.
#[test]
fn what_is_impossible_is_explained() {
    let text = grid(40, 25, 100, 10_000).replace(
        "- {from: 5000 + 7, for: 30, idle: [S1, S2, T]}",
        "- {at: 5000 + 9, meet: {who: [S1, S2, T], in: p39_24}}",
    );
    let text = text.replace("bind: {first: {},", "bind: {first: {next_to: p0_0},");
    let problems = compile(&board(&text), &[]).unwrap_err();
    assert!(problems[0].message.contains("conflict at step 5009"), "{problems:?}");
}

/// That everyone is idle in the midst of a stretch is found before anything is worked out.
#[test]
fn nobody_to_act_is_explained() {
    let text = path(
        400,
        3000,
        "roles: [A, B, C, D, E]\nstart: p100\nevents:\n- {at: 2900, meet: {who: [A, B], in: p100}}\n\
         - {from: 1400, for: 2, idle: [A, B, C, D, E]}\n",
    );
    let problems = compile(&board(&text), &[]).unwrap_err();
    assert!(problems[0].message.contains("step 1400"), "{problems:?}");
}

/// A stretch is one phase, and steps in which no leg can move are drawn freely.
#[test]
fn what_no_leg_needs_is_drawn_freely() {
    let plan = plan(&grid(4, 3, 9, 300));
    let draws: Vec<(usize, bool)> =
        plan.casts[0].phases.iter().map(|phase| (phase.until, matches!(phase.draw, Draw::Legs(_)))).collect();
    assert_eq!(draws, [(151, true), (157, true), (187, false), (188, true), (300, false)]);
}
