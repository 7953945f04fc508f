//! The definition written out, as `storysim verify` uses it: with no minds but those along the chains that are asked
//! for, and against the text of rows.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use storysim::belief::nested::Mind;
use storysim::belief::{Chain, Held};
use storysim::compile::compile;
use storysim::dataset::{Fields, RowMaker, RowOptions, StoredRow};
use storysim::diagnostic::Source;
use storysim::fuzzing::story_with_deeds;
use storysim::id::{CharacterId, PlaceId, PropositionId};
use storysim::plan::Target;
use storysim::select::Family;
use storysim::spelling::shown;
use storysim::storyboard::{BUILT_IN, parse};
use storysim::trace::Trace;
use storysim::verify::{Disagreement, Inspector};
use storysim::world::{Event, Item};

use crate::effort::times;
use crate::fixed::fixed;
use crate::storyboards::{built_in, compiled};

/// Rows of all built-in storyboards together.
fn rows_wanted() -> usize {
    times(1_500) as usize
}

const ORDER_MAX: usize = 4;

/// Stories of people who go from place to place, of the same bytes as stories with deeds.
fn walk(bytes: &[u8]) -> Trace {
    let (characters, places) = (2 + bytes.len() % 3, 2 + bytes.len() % 4);
    let mut at = vec![PlaceId::new(0); characters];
    let start = at.clone();
    let events = bytes.iter().map(|&byte| {
        let who = CharacterId::new(usize::from(byte) % characters);
        let from = at[who.index()];
        let to = PlaceId::new((from.index() + 1 + usize::from(byte / 16) % (places - 1)) % places);
        at[who.index()] = to;
        Event { who, from, to }
    });
    let events = events.collect();
    Trace::of_moves(start, events)
}

/// What the minds along a chain hold after every event, and what they hold among all minds.
fn along_and_among_all(trace: &Trace, chain: &Chain) -> Vec<[Held; 2]> {
    let item = chain.target();
    let (mut along, mut full) = (Mind::of_chain(trace, chain), Mind::begin(trace, ORDER_MAX));
    let mut held = vec![];
    for witnessed in trace.witnessed() {
        along.happen(&witnessed);
        full.happen(&witnessed);
        held.push([&along, &full].map(|reality| reality.held(chain.minds(), item).unwrap()));
    }
    held
}

/// That what the minds along a chain hold, they hold among all minds too, after every event. Either may know less: among
/// all minds the order of what happens to everyone is reckoned with; and along a chain nobody sees a stranger come, which
/// may rule out a case.
fn minds_along_are_as_among_all(trace: &Trace, picked: &prop::sample::Index) -> Result<(), TestCaseError> {
    let characters: Vec<CharacterId> = crate::stage::characters(trace).collect();
    let all = crate::minds::chains(&characters, ORDER_MAX);
    let minds = picked.get(&all);
    for item in crate::stage::items(trace) {
        let chain = Chain::new(minds, item);
        for [along, among_all] in along_and_among_all(trace, &chain) {
            let is_as_well = along == among_all || [along, among_all].contains(&Held::Unclear);
            prop_assert!(is_as_well, "{chain:?}: {along:?}, {among_all:?} in {trace:?}");
        }
        // The minds about one proposition are those about any.
        if let Item::Proposition(_) = item {
            let first = Chain::new(minds, Item::Proposition(PropositionId::new(0)));
            prop_assert_eq!(Mind::after_along(trace, &chain), Mind::after_along(trace, &first));
        }
    }
    Ok(())
}

/// That strangers rule out cases is rare: minds along a chain seldom know less than they do among all.
#[test]
fn minds_along_chains_seldom_know_less() {
    let (mut less, mut total) = (0, 0);
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    for length in (20..80).cycle().take(120) {
        let bytes: Vec<u8> = (0..length).map(|_| random.random()).collect();
        let trace = walk(&bytes);
        let characters: Vec<CharacterId> = crate::stage::characters(&trace).collect();
        let all = crate::minds::chains(&characters, ORDER_MAX);
        let target = characters[random.random_range(0..characters.len())];
        let chain = Chain::new(&all[random.random_range(0..all.len())], target);
        for [along, among_all] in along_and_among_all(&trace, &chain) {
            less += usize::from(along == Held::Unclear && among_all != Held::Unclear);
            total += 1;
        }
    }
    println!("{less} of {total} know less");
    assert!(total > 5_000 && less * 1_000 < total, "{less} of {total}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(15) as u32, ..ProptestConfig::default() })]

    #[test]
    fn minds_along_chains_need_no_others(
        bytes in prop::collection::vec(any::<u8>(), 1..160),
        picked in any::<prop::sample::Index>(),
    ) {
        minds_along_are_as_among_all(&story_with_deeds(&bytes), &picked)?;
        minds_along_are_as_among_all(&walk(&bytes), &picked)?;
    }
}

#[test]
fn rows_of_all_boards_say_what_the_definition_says() {
    let mut total = 0;
    for (board, family) in fixed() {
        let inspector = Inspector::new(&family.plans()[0], 3, &[]);
        let mut maker = RowMaker::new(family, 3, &[], RowOptions::default());
        let (mut rows, mut text) = (0, String::new());
        for index in 0.. {
            if rows >= rows_wanted() / BUILT_IN.len() {
                break;
            }
            text.clear();
            rows += maker.rows(index, &mut text);
            assert_eq!(inspector.inspect(maker.story(), &text), [], "{}", board.name.value);
        }
        total += rows;
    }
    println!("{total} rows");
}

/// A row says where its target started if that is a character, and of nothing else.
#[test]
fn rows_say_where_their_target_started() {
    let mut known = [0; 2];
    for family in compiled() {
        let mut maker = RowMaker::new(family, 7, &[], RowOptions::default());
        for index in 0..20 {
            let mut text = String::new();
            maker.rows(index, &mut text);
            for line in text.lines() {
                let fields = Fields::of(&StoredRow::Line(line.to_owned())).unwrap();
                let number: usize = fields.id.rsplit('/').next().unwrap().parse().unwrap();
                let wanted = match maker.plan().questions[number].target {
                    Target::Item(Item::Character(who)) => {
                        let place = maker.story().trace.start[who.index()];
                        Some(shown(&maker.plan().place_names[place.index()]))
                    }
                    _ => None,
                };
                assert_eq!(fields.start_of_target(), wanted.as_deref(), "{line}");
                known[usize::from(wanted.is_some())] += 1;
            }
        }
    }
    assert!(known.iter().all(|&count| count > 100), "{known:?}");
}

fn inspected(board: &str, forge: impl Fn(&str) -> String) -> Vec<Disagreement> {
    let plan = compile(&built_in(board), &[]).unwrap().plan;
    let family = Family::from(plan.clone());
    let (mut maker, mut text) = (RowMaker::new(&family, 7, &[], RowOptions::default()), String::new());
    maker.rows(42, &mut text);
    Inspector::new(&plan, 7, &[]).inspect(maker.story(), &forge(&text))
}

/// What is written otherwise is found, in the row and the field where it is.
#[test]
fn forged_rows_are_found() {
    let row: serde_json::Value = {
        let family = Family::from(compile(&parse(BUILT_IN[0].source()).unwrap(), &[]).unwrap().plan);
        let mut text = String::new();
        RowMaker::new(&family, 7, &[], RowOptions::default()).rows(42, &mut text);
        serde_json::from_str(text.lines().next().unwrap()).unwrap()
    };
    let written = |field: &str| format!(",\"{field}\":{}", row[field]);
    let cases = [
        ("answer", written("answer"), format!(",\"answer\":{}", row["truth"])),
        ("truth", written("truth"), format!(",\"truth\":{}", row["answer"])),
        ("false_belief", written("false_belief"), ",\"false_belief\":null".to_owned()),
        ("mislead_distance", written("mislead_distance"), ",\"mislead_distance\":29".to_owned()),
        ("order", written("order"), ",\"order\":2".to_owned()),
        ("chain", written("chain"), ",\"chain\":[\"Nobody\"]".to_owned()),
        ("about", written("about"), format!(",\"about\":{}", row["chain"][0])),
        ("kind", written("kind"), ",\"kind\":\"reality\"".to_owned()),
        ("the labelled choice", written("label"), ",\"label\":99".to_owned()),
        ("lower_order", "\"lower_order\":\"".to_owned(), "\"lower_order\":\"not ".to_owned()),
        ("seed", written("seed"), ",\"seed\":8".to_owned()),
        ("index", written("index"), ",\"index\":43".to_owned()),
        ("board", written("board"), ",\"board\":\"another\"".to_owned()),
        ("id", "mislead/7/42/0".to_owned(), "mislead/7/42/9".to_owned()),
        ("the row", "\"answer\":".to_owned(), "\"result\":".to_owned()),
        ("the row", "}\n".to_owned(), "\n".to_owned()),
    ];
    assert_eq!(inspected("first-order-mislead", str::to_owned), []);
    for (field, from, to) in cases {
        let found = inspected("first-order-mislead", |text| {
            assert!(text.contains(&from), "{from}");
            text.replacen(&from, &to, 1)
        });
        let differences = found.iter().flat_map(|disagreement| &disagreement.differences);
        let fields: Vec<&str> = differences.map(|difference| difference.field).collect();
        assert_eq!((found[0].index, found[0].question), (42, 0), "{field}");
        assert_eq!(fields[0], field, "{found:?}");
    }
}

/// The same of what rows say of matters.
#[test]
fn forged_matters_are_found() {
    let mut text = String::new();
    let plan = compile(&built_in("white-lies"), &[]).unwrap().plan;
    let family = Family::from(plan.clone());
    RowMaker::new(&family, 7, &[], RowOptions::default()).rows(42, &mut text);
    let row: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let [is_lie, to, why, pack, thing] =
        ["lie", "to", "why", "pack", "thing"].map(|key| row["matters"]["m"][key].to_string());
    let other_pack = if pack == "\"hike\"" { "club" } else { "hike" };
    let written = |from: &str, to: &str| {
        let begin = text.find(&format!(",\"{from}\":")).unwrap();
        let length = text[begin..].find(&format!(",\"{to}\":")).unwrap();
        text[begin..begin + length].to_owned()
    };
    let cases = [
        ("matters", format!("\"lie\":{is_lie}"), format!("\"lie\":{}", is_lie == "false")),
        ("matters", "\"level\":1,\"lie\"".to_owned(), "\"level\":2,\"lie\"".to_owned()),
        ("matters", format!("\"to\":{to}"), "\"to\":\"Nobody\"".to_owned()),
        ("matters", "\"by\":[".to_owned(), format!("\"by\":[{to},")),
        ("matters", format!("\"why\":{why}"), "\"why\":\"no reason\"".to_owned()),
        ("matters", format!("\"pack\":{pack}"), format!("\"pack\":\"{other_pack}\"")),
        ("matters", format!("\"thing\":{thing}"), "\"thing\":\"the moon\"".to_owned()),
        ("matters", "{\"m\":".to_owned(), "{\"n\":".to_owned()),
        ("matters", written("matters", "question"), String::new()),
        ("matter", ",\"matter\":\"m\"".to_owned(), ",\"matter\":null".to_owned()),
        ("matter", ",\"matter\":\"m\"".to_owned(), String::new()),
        ("roles", ":\"target\"".to_owned(), ":\"liar\"".to_owned()),
        ("roles", ":\"accomplice\"".to_owned(), ":\"observer\"".to_owned()),
        ("roles", ":\"observer\"".to_owned(), ":\"outsider\"".to_owned()),
        ("roles", written("roles", "truth"), ",\"roles\":null".to_owned()),
    ];
    assert_eq!(inspected("white-lies", str::to_owned), []);
    for (field, from, to) in cases {
        let found = inspected("white-lies", |text| {
            assert!(text.contains(&from), "{from}");
            text.replacen(&from, &to, 1)
        });
        let differences = found.iter().flat_map(|disagreement| &disagreement.differences);
        let fields: Vec<&str> = differences.map(|difference| difference.field).collect();
        assert_eq!(fields, [field], "{from}: {found:?}");
    }
}

/// Questions that leave open whom they name, where people only walk.
const OPEN: &str = "storysim: 1\nname: open\ncharacters: {pool: people, count: 5}\nroles: [S1, P1, P2, T]\n\
                    groups: {guests: [P1, P2], pair: [P1, T]}\nplaces: {complete: [hall, attic, cellar]}\nstart: hall\nhorizon: 12\n\
                    questions:\n  - {world: [guests, T]}\n  - {world: [guests, guests, T]}\n  - {world: [S1, guests]}\n  \
                    - {world_things: [guests, T]}\n  - {world_things: [S1, guests]}\n  - {belief: [guests, S1, guests]}\n  \
                    - {who_knows: T, of: [S1, guests]}\n  - {who_knows: guests, of: [S1, T]}\n  - {who_knows: S1, of: [P1, guests]}\n  - {who_knows: S1, of: [guests, pair]}\n";

/// A list of some people alone, where nothing is left open.
const LISTED: &str = "storysim: 1\nname: listed\ncharacters: {pool: people, count: 4}\nroles: [S1, S2, T]\n\
                      places: {complete: [hall, attic, cellar]}\nstart: hall\nhorizon: 12\n\
                      questions: [{who_knows: T, of: [S2, S1]}, {world: [S1, T]}, {belief: [S1, T]}]\n";

/// The rows of a story of a board of one's own, changed, and what is found in them.
fn inspected_of(board: &str, index: u64, forge: impl Fn(&str) -> String) -> (String, Vec<Disagreement>) {
    let source = Source { name: "board".into(), text: board.into() };
    let plan = compile(&parse(source).unwrap(), &[]).unwrap().plan;
    let family = Family::from(plan.clone());
    let (mut maker, mut text) = (RowMaker::new(&family, 7, &[], RowOptions::default()), String::new());
    maker.rows(index, &mut text);
    let found = Inspector::new(&plan, 7, &[]).inspect(maker.story(), &forge(&text));
    (text, found)
}

/// Rows say whom a question names that leaves it open, or asks about some alone, whatever people do in the stories.
#[test]
fn rows_say_whom_a_question_names() {
    let mut named: BTreeMap<(String, usize), usize> = BTreeMap::new();
    for (board, index) in [OPEN, LISTED].iter().flat_map(|board| (0..200).map(move |index| (board, index))) {
        let (text, found) = inspected_of(board, index, str::to_owned);
        assert_eq!(found, [], "{index}");
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let of = row.as_object().unwrap()["of"].as_array().map_or(0, Vec::len);
            let asked =
                format!("{} {}", row["board"], row["id"].as_str().unwrap().rsplit('/').next().unwrap());
            *named.entry((asked, of)).or_default() += 1;
        }
    }
    let of_open = [1, 2, 1, 1, 1, 0, 2, 2, 2, 2].into_iter().enumerate();
    let of_listed = [2, 1, 0].into_iter().enumerate();
    let wanted = of_open.map(|(number, of)| (format!("\"open\" {number}"), of));
    let wanted = wanted.chain(of_listed.map(|(number, of)| (format!("\"listed\" {number}"), of)));
    let mut wanted: Vec<(String, usize)> = wanted.collect();
    wanted.sort();
    assert!(named.keys().eq(&wanted) && named.values().all(|&count| count > 10), "{named:?}");
}

/// People whom a row names falsely are found.
const IN_SETTINGS: &str = "storysim: 1\nname: settings\ncharacters: {pool: people, count: 4}\nroles: [S1, T]\n\
                           places: {complete: 4, pool: settings}\nstart: drawn\nhorizon: 20\n\
                           questions: [{belief: [S1, T]}, {reality: T}, {start: T}, {who_knows: T}, {world: [S1, T]}, {world_things: [S1, T]}]\n";

/// Where the names of places are drawn for each story, rows say which is which, and are read so.
#[test]
fn drawn_names_of_places_are_those_of_the_story() {
    let mut found_out = 0;
    for (index, wording) in
        (0..60).map(|index| (index, if index % 2 == 0 { "" } else { "wording: varied\n" }))
    {
        let board = format!("{IN_SETTINGS}{wording}");
        let (text, found) = inspected_of(&board, index, str::to_owned);
        assert_eq!(found, [], "{text}");
        let row: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let drawn = |written: &str| {
            let names = row["names"].as_array().unwrap().iter();
            names.clone().find(|pair| pair[1] == written).unwrap()[0].as_str().unwrap().to_owned()
        };
        let [first, second] = ["place_1", "place_2"].map(drawn);
        let exchange = |text: &str| {
            let pair = |name: &str, written: &str| format!("[\"{name}\",\"{written}\"]");
            let text = text.replace(&pair(&first, "place_1"), &pair(&first, "place_2"));
            text.replace(&pair(&second, "place_2"), &pair(&second, "place_1"))
        };
        assert_ne!(exchange(&text), text);
        let (_, found) = inspected_of(&board, index, exchange);
        found_out += usize::from(!found.is_empty());
    }
    assert_eq!(found_out, 60);
}

#[test]
fn forged_people_are_found() {
    let forged = |text: &str| text.replace("\"of\":[\"", "\"of\":[\"Nobody\",\"");
    let (text, found) = inspected_of(LISTED, 3, forged);
    assert!(text.contains("\"kind\":\"who_knows\"") && text.contains("\"of\":["), "{text}");
    assert!(found.iter().all(|found| found.differences[0].field == "of") && !found.is_empty(), "{found:?}");
    // Of a question that leaves it open, whom it names is how a row is known.
    let (_, found) = inspected_of(OPEN, 3, forged);
    assert!(found.iter().any(|found| found.differences[0].field == "id"), "{found:?}");
}

/// Rows that are missing, too many, or in another order.
#[test]
fn missing_rows_are_found() {
    let lines = |text: &str, order: &[usize]| {
        let lines: Vec<&str> = text.lines().collect();
        order.iter().map(|&at| lines[at].to_owned() + "\n").collect::<String>()
    };
    for (order, questions) in
        [(&[0, 1][..], &[][..]), (&[0], &[1]), (&[], &[0, 1]), (&[0, 1, 1], &[2]), (&[1, 0], &[0, 1])]
    {
        let found = inspected("first-order-mislead", |text| lines(text, order));
        let found: Vec<usize> = found.iter().map(|disagreement| disagreement.question).collect();
        assert_eq!(found, questions, "{order:?}");
    }
}
