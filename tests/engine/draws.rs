//! Draws whose bytes are a promise, of every kind, on boards that are small enough to take no time: free steps, tables,
//! memories, legs, and all that people do.
//! A change of `tests/snapshots` is a decision, written in CHANGELOG.md.

use storysim::compile::compile_by_legs;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::id::{CharacterId, PlaceId};
use storysim::plan::{Draw, Limits, Outcome, Plan, Table, TableCharacter, Values};
use storysim::rng::{chosen, limit};
use storysim::select::Family;
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{BUILT_IN, Storyboard};
use storysim::world::{Act, Map};

const STORIES: u64 = 64;

fn board(text: &str) -> Storyboard {
    let text = format!("storysim: 1\nname: small\nquestions: [{{reality: A}}]\n{text}");
    crate::storyboards::board(&text)
}

fn plan(text: &str) -> Plan {
    crate::storyboards::family(&board(text)).plans()[0].clone()
}

/// The beginning of a hash of the first stories of a plan, as they are told.
fn stories(plan: &Plan) -> String {
    let told = |plan: &Plan| {
        let family = Family::from(plan.clone());
        let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
        let mut rows = String::new();
        let count: usize = (0..STORIES).map(|index| maker.rows(index, &mut rows)).sum();
        assert_eq!(count as u64, STORIES, "the question always has an answer");
        rows
    };
    let rows = told(plan);
    // What can happen at every joint place need not be worked out beforehand.
    let mut slow = plan.clone();
    slow.tables.iter_mut().for_each(|table| table.rows = None);
    assert_eq!(told(&slow), rows);
    blake3::hash(rows.as_bytes()).to_hex()[..16].to_owned()
}

fn check(name: &str, draws: &[(&str, String)]) {
    insta::assert_debug_snapshot!(name, draws);
}

const TRIANGLE: &str = "places: {a: [b, c], b: [c, a], c: [a]}\n";

#[test]
fn walks() {
    let head = format!(
        "characters: {{pool: [v, w, x, y, z], count: 4}}\n{TRIANGLE}start: {{A: a, else: b}}\nhorizon: 9\n"
    );
    let of = |rest: &str| stories(&plan(&format!("{head}roles: [A, B, C]\n{rest}")));
    check(
        "walks",
        &[
            ("free play", of("")),
            (
                "meetings, moves and idle windows",
                of("bind: {p: {}, q: {next_to: p}}\nevents: [{at: 3, meet: {who: [A, B], in: p}}, \
                {at: 5, move: {who: B, to: q}}, {from: 6, for: 2, idle: [A]}]\n"),
            ),
            (
                "windows",
                of(
                    "events: [{from: 0, until: 4, follow: {who: A, whom: B}}, {from: 4, until: 7, apart: [A, C]}, \
                {from: 2, until: end, unseen: {who: C, by: [B]}}]\n",
                ),
            ),
            ("goals that remember", of("ensure: [{false_belief: [A, B]}, {holds: [C, B], in: a}]\n")),
        ],
    );
}

#[test]
fn legs() {
    let of = |count: usize, rest: &str| {
        let board = board(&format!(
            "characters: {{pool: [v, w, x, y, z], count: {count}}}\n{TRIANGLE}start: {{A: a, else: b}}\nhorizon: 12\n{rest}"
        ));
        let plan = compile_by_legs(&board, &[]).unwrap().plan;
        assert!(plan.casts[0].phases.iter().any(|phase| matches!(phase.draw, Draw::Legs(_))));
        stories(&plan)
    };
    check(
        "legs",
        &[
            (
                "beside others",
                of(
                    5,
                    "roles: [A, B, C]\nbind: {p: {}, q: {next_to: p}}\nevents: [{from: 1, for: 2, idle: [C]}, \
                 {at: 6, meet: {who: [A, B, C], in: p}}, {at: 9, meet: {who: [B, C], in: q}}, \
                 {at: 10, move: {who: A, to: q}}]\n",
                ),
            ),
            // Who has to act in each step of the window, and how often, is settled.
            (
                "alone",
                of(
                    2,
                    "roles: [A, B]\nevents: [{from: 3, for: 2, idle: [A]}, {at: 8, meet: {who: [A, B], in: c}}]\n",
                ),
            ),
        ],
    );
}

/// Four people, a table, boxes, things to do with them, things to tell of.
const STAGE: &str = "characters: {pool: [w, x, y, z]}
roles: [A, B, C, D]
start: {A: a, B: a, C: b, D: a}
containers: {box: a, chest: {in: a, is: closed}, trunk: b}
objects: {ball: [box, b], coin: [A, a], hat: trunk}
propositions: {gift: {says: it is a drum, known: [A, C], wrong: [B]}, news: {says: it rains, known: [A]}}
attitudes: [music, spinach]
";

#[test]
fn deeds_that_are_played() {
    let of = |rest: &str| stories(&plan(&format!("{STAGE}{TRIANGLE}horizon: 12\n{rest}")));
    check(
        "played",
        &[
            (
                "things",
                of(
                    "play: {move: 2, take: 2, put: 3, move_object: 2, throw: 2, carry: 2, open: 1, close: 1}\n",
                ),
            ),
            ("words", of("play: {move: 3, tell: 2, lie: 2, whisper: 2, phone: 2, react: 1}\n")),
            (
                "friends",
                of(
                    "play: {move: 1, whisper: 2, phone: 2, move_object: 1}\nfriends: {A: [B, C], B: [], C: [A, B, D]}\n\
                trust: always\n",
                ),
            ),
            (
                "beside a meeting and a move",
                of(
                    "play: {move: 2, take: 1, carry: 2, open: 1, tell: 1}\nevents: [{at: 4, meet: {who: [A, C], in: a}}, \
                {at: 7, move: {who: B, to: c}}, {from: 8, until: 10, idle: [A, D]}]\n",
                ),
            ),
            (
                "attention",
                of(
                    "play: {move: 1, take: 1, put: 1, tell: 1, whisper: 1}\nevents: [{from: 0, until: 6, peek: [C, D]}, \
                {from: 2, until: 5, distracted: A}, {from: 5, until: end, distracted: {who: [A, B], noticed: true}}, \
                {from: 6, until: 8, distracted: {who: B, noticed: true}}]\n",
                ),
            ),
            ("nothing but moves", of("play: {move: 1}\n")),
        ],
    );
}

#[test]
fn deeds_that_are_demanded() {
    let of = |events: &str| stories(&plan(&format!("{STAGE}{TRIANGLE}horizon: 8\nevents: [{events}]\n")));
    check(
        "demanded",
        &[
            (
                "things",
                of(
                    "{at: 0, take: {who: B}}, {at: 1, put: {who: B}}, {at: 2, move_object: {who: D}}, {at: 3, throw: {who: A}}, \
                {at: 5, carry: {who: C, to: c}}, {at: 6, open: {who: A, container: chest}}, {at: 7, close: {who: A}}",
                ),
            ),
            (
                "these things",
                of("{at: 0, put: {who: A, object: coin, in: box}}, {at: 1, take: {who: D, object: coin}}, \
                {at: 2, put: {who: D, object: coin}}, {at: 3, move_object: {who: D, object: coin, to: chest}}, \
                {at: 4, throw: {who: C, object: hat, to: c}}, {at: 6, carry: {who: D, object: coin, to: b}}"),
            ),
            (
                "words",
                of(
                    "{at: 0, tell: {who: A, to: present}}, {at: 1, tell: {who: A, to: [B], that: {coin: chest}}}, \
                {at: 2, tell: {who: A, to: {phone: C}, that: gift}}, {at: 3, lie: {who: B, to: present, that: hat}}, \
                {at: 4, lie: {who: A, to: present, that: {gift: true}}}, {at: 5, lie: {who: A, to: present, that: C}}, \
                {at: 6, react: {who: C}}, {at: 7, react: {who: D, to: spinach}}",
                ),
            ),
            (
                "together, watched and missed",
                of(
                    "{at: 0, open: {who: A, container: chest}}, {at: 0, distracted: B}, {at: 1, move: {who: [A, B], to: c}}, \
                {at: 1, peek: C}, {at: 3, react: {who: A}}, {at: 3, distracted: {who: B, noticed: true}}",
                ),
            ),
        ],
    );
}

/// Without containers, it is said of an object that it is in another place.
#[test]
fn lies_about_places() {
    let text = format!(
        "characters: {{pool: [x, y]}}\nroles: [A, B]\nstart: a\nobjects: {{ball: a}}\n{TRIANGLE}horizon: 4\n\
         play: {{move: 1, lie: 3, tell: 1}}\n"
    );
    check("lies", &[("lies", stories(&plan(&text)))]);
}

/// Some stories of deeds are none at the first attempt; of walks, all are.
#[test]
fn a_story_is_its_cast_and_the_first_attempt_at_its_walk() {
    let walks = format!("characters: {{pool: [x, y]}}\nroles: [A, B]\nstart: a\n{TRIANGLE}horizon: 4\n");
    let deeds = format!("{STAGE}{TRIANGLE}horizon: 4\nevents: [{{at: 3, take: {{who: C, object: ball}}}}]\n");
    for (text, is_always_one) in [(walks, true), (deeds, false)] {
        let plan = plan(&text);
        let (mut simulator, mut story, mut again) =
            (Simulator::new(&plan, 7), Story::default(), Story::default());
        let mut count = 0;
        for index in 0..STORIES {
            let is_one = simulator.draw(index, &mut story);
            count += u64::from(is_one);
            simulator.draw_cast(index, &mut again);
            assert_eq!(simulator.draw_walk(index, 0, &mut again), is_one, "{index}");
            assert_eq!(story, again, "{index}");
            assert_eq!(story.index, index);
        }
        assert_eq!(count == STORIES, is_always_one, "{count} stories");
        assert!(count > 0);
    }
}

/// What is worked out beforehand is what the weights say, of any draw, in no more room than there is.
#[test]
fn rows_say_what_the_weights_say() {
    let head = format!(
        "characters: {{pool: [x, y, z], count: 3}}\n{TRIANGLE}start: a\nhorizon: 9\nroles: [A, B, C]\n"
    );
    let of_all = "events: [{at: 7, meet: {who: [A, B, C], in: c}}, {at: 8, move: {who: A, to: a}}]\n";
    let of_two = "events: [{at: 8, meet: {who: [A, B], in: c}}, {from: 2, until: 5, apart: [A, B]}]\n";
    let company = "characters: {pool: [s, t, u, v, w, x, y, z], count: 8}\nplaces: {complete: [a, b, c, d]}\nstart: a\n\
                   horizon: 9\nroles: [A, B, C, D, E]\nevents: [{at: 8, meet: {who: [A, B, C, D], in: c}}]\n";
    let (mut without_bystanders, mut on_a_limit, mut wide) = (0, 0, 0);
    for plan in [plan(&format!("{head}{of_all}")), plan(&format!("{head}{of_two}")), plan(company)] {
        assert!(!plan.tables.is_empty());
        for table in &plan.tables {
            let storysim::plan::Values::Plain(values) = &table.values else { panic!("a small board") };
            let bystanders = plan.actor_sets[table.bystanders].len();
            without_bystanders += usize::from(bystanders == 0);
            let mut again = table.clone();
            let mut make = |room| {
                again.rows = None;
                (again.make_rows(&plan.map, plan.character_count, bystanders, room), again.rows.clone())
            };
            let (left, rows) = make(1_000_000);
            let rows = rows.unwrap();
            assert_eq!(rows.lines.len(), rows.width * values.len());
            assert_eq!(left, 1_000_000 - rows.lines.len());
            let (left, made) = make(rows.lines.len());
            assert!(left == 0 && made.is_some());
            let (left, made) = make(rows.lines.len() - 1);
            assert!(left == rows.lines.len() - 1 && made.is_none());
            wide += usize::from(rows.width > 1);

            let mut places = vec![PlaceId::new(0); plan.character_count];
            for joint_place in 0..values.len() {
                for character in &table.characters {
                    let place = joint_place / character.stride % usize::from(character.size);
                    places[character.who.index()] = PlaceId::new(place);
                }
                let (mut outcomes, mut cumulative, mut sum) = (Vec::new(), Vec::new(), 0.0);
                table.for_each_outcome(&places, &plan.map, bystanders, |outcome, next, weight| {
                    sum += weight;
                    outcomes.push((outcome, next));
                    cumulative.push(sum);
                });
                let Some(last) = cumulative.len().checked_sub(1) else { continue };
                let limits: Vec<u128> = (0..last).map(|item| limit(&cumulative, item)).collect();
                let around = limits.iter().flat_map(|limit| {
                    let near =
                        [-(1_i128 << 33), -1, 0, 1, 1 << 33].map(|by| (*limit as i128 + by).max(0) as u128);
                    near.map(|draw| draw.min(u128::from(u64::MAX)) as u64)
                });
                for draw in around.chain((0..64).map(|step| step << 58)).chain([u64::MAX]) {
                    let (outcome, next) = outcomes[chosen(draw, &cumulative)];
                    let is_on_a_limit = limits
                        .iter()
                        .any(|&limit| limit.min(u128::from(u64::MAX)) >> 32 == u128::from(draw >> 32));
                    match rows.find(joint_place, draw) {
                        Some(found) => {
                            assert_eq!(
                                (found.unpack(&places, &plan.map), found.next as usize),
                                (outcome, next)
                            );
                        }
                        None => {
                            on_a_limit += 1;
                            assert!(is_on_a_limit || draw >> 32 == u64::MAX >> 32, "{draw:x} {limits:x?}");
                        }
                    }
                }
            }
        }
    }
    assert!(without_bystanders > 0 && on_a_limit > 1_000 && wide > 0, "{on_a_limit} {wide}");
}

/// Those who go together are in one place, from where a way leads; nobody sees it who is not to, and whoever is to follow
/// somebody does.
#[test]
fn who_can_go_together() {
    let [a, b, c] = [0, 1, 2].map(PlaceId::new);
    let [ann, bob, dan, eve] = [0, 1, 2, 3].map(CharacterId::new);
    let map = Map::new(&[vec![b, c], vec![c, a], vec![a]]);
    let together = || Limits { together: Some((vec![ann, bob], c)), ..Limits::default() };
    let unseen = |mover, by| Limits { unseen: vec![(mover, by)], ..together() };
    let follow = |who, whom| Limits { follow: vec![(who, whom)], ..together() };
    // Where Ann, Bob, Dan and Eve are.
    let cases = [
        (together(), [a, a, a, a], true),
        (together(), [b, b, a, a], true),
        (together(), [a, b, a, a], false),
        (together(), [c, c, a, a], false),
        (Limits::default(), [a, a, a, a], false),
        (unseen(ann, dan), [a, a, b, a], true),
        (unseen(ann, dan), [a, a, a, a], false),
        (unseen(bob, dan), [a, a, c, a], false),
        (unseen(eve, dan), [a, a, a, a], true), // she stays
        (follow(ann, dan), [a, a, c, a], true),
        (follow(ann, dan), [a, a, b, a], false),
        (follow(ann, bob), [a, a, a, a], true), // they go together
        (follow(eve, dan), [a, a, b, a], true),
    ];
    for (at, (limits, places, expected)) in cases.into_iter().enumerate() {
        assert_eq!(limits.allows_together(&map, |who| places[who.index()]), expected, "case {at}");
    }
}

/// Where a step leads that says all: by the joint place afterwards.
#[test]
fn going_together_leads_to_one_joint_place() {
    let [a, b, c] = [0, 1, 2].map(PlaceId::new);
    let all = [0, 1, 2].map(CharacterId::new);
    let map = Map::new(&[vec![b, c], vec![c, a], vec![a]]);
    let character = |who, stride| TableCharacter { who, size: 3, may_act: true, stride };
    let table = |who: &[CharacterId], to| Table {
        characters: vec![character(all[0], 9), character(all[1], 3), character(all[2], 1)],
        bystanders: 0,
        limits: Box::new(Limits { together: Some((who.to_vec(), to)), ..Limits::default() }),
        memories: Box::default(),
        values: Values::Plain((1..=27).map(f64::from).collect()),
        rows: None,
    };
    let cases = [
        (&all[..2], b, [a, a, c], [b, b, c]),
        (&all[..2], c, [b, b, a], [c, c, a]),
        (&all[1..], c, [a, b, b], [a, c, c]),
        (&all[..], a, [c, c, c], [a, a, a]),
    ];
    for (who, to, before, after) in cases {
        let table = table(who, to);
        let mut found = Vec::new();
        table.for_each_outcome(&before, &map, 0, |outcome, _, weight| found.push((outcome, weight)));
        assert_eq!(found, [(Outcome::Together, (table.joint_place(&after) + 1) as f64)]);
    }
}

/// Someone can be told to say what she believes anyway.
#[test]
fn what_one_believes_can_be_said() {
    let text = format!(
        "characters: {{pool: [x, y, z]}}\n{TRIANGLE}start: a\nhorizon: 2\nroles: [A]\n\
         propositions: {{gift: {{says: the gift is a bicycle, is: true}}}}\n\
         events: [{{at: 0, tell: {{who: A, to: present, that: {{gift: true}}}}}}]\n"
    );
    let family = Family::from(plan(&text));
    let mut rows = String::new();
    RowMaker::new(&family, 7, &[], RowOptions::default()).rows(0, &mut rows);
    assert!(rows.contains("that the gift is a bicycle."), "{rows}");
}

/// The beginning of a hash of what happens in the first stories of the built-in board of lives, with words of its text replaced.
fn lived(words: &[(&str, &str)]) -> String {
    let text = BUILT_IN.iter().find(|board| board.name == "dynamic-minds").unwrap().text.to_owned();
    let text = words.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    let plan = crate::storyboards::family(&crate::storyboards::board(&text)).plans()[0].clone();
    let (mut simulator, mut story) = (Simulator::new(&plan, 7), Story::default());
    let mut happens = String::new();
    for index in 0..STORIES {
        assert!(simulator.draw(index, &mut story));
        let Story { trace, lives, .. } = &story;
        let wanted: Vec<_> = trace.stage.wishes.iter().map(|wish| (wish.who, wish.of, wish.side)).collect();
        happens.push_str(&format!("{wanted:?} {:?} {lives:?}\n", trace.start));
        for (event, deed) in trace.events.iter().zip(&trace.deeds) {
            let news = if let Act::Turn(news) = &deed.act { Some((news.item, &news.value)) } else { None };
            happens.push_str(&format!("{event:?} {news:?}\n"));
        }
    }
    blake3::hash(happens.as_bytes()).to_hex()[..16].to_owned()
}

/// Of one announcement a scenario, nobody can have expected anything by the second; so as many are drawn for that as may be.
#[test]
fn lives() {
    check(
        "lives",
        &[
            ("as built in", lived(&[])),
            ("one announcement", lived(&[("turns: 4", "turns: 1"), ("for: S1}", "for: S1, past: 100}")])),
            (
                "seven of them, in four places",
                lived(&[("turns: 4", "turns: 7"), ("complete: 3", "complete: 4")]),
            ),
            (
                "more people, who move more",
                lived(&[("count: 4", "count: 6"), ("for: S1}", "for: S1, between: 5}")]),
            ),
        ],
    );
}
