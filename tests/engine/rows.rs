//! Rows, from the outside: everything that a row says is derived again from what a reader of the row
//! has, and the bytes are those of the golden files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::Value;
use storysim::belief::Chain;
use storysim::belief::nested::Mind;
use storysim::compile::{compile, compile_family};
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::id::{CharacterId, PlaceId};
use storysim::plan::{Question, Target};
use storysim::select::Family;
use storysim::storyboard::{BUILT_IN, QuestionKind, parse};
use storysim::trace::Trace;
use storysim::world::Event;

use crate::effort::times;
use crate::json::{KEYS, shown, text, texts};
use crate::reasons::Reasons;
use crate::storyboards::{built_in, compiled_as};

/// What no built-in board has: more than 12 places, different starts, several verbs, notes, a company
/// of two, two parameters, a role that is in no condition.
const EVERYTHING: &str = "
storysim: 1
name: everything
characters: {pool: [Ann, Bob, Cas, \"Dora \\\"D\\\"\", Émile], count: people}
roles: [S1, S2, T]
places:
  complete: [p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13]
start: {S1: p1, T: p2, else: p0}
bind: {here: {}, there: {next_to: here}}
parameters: {people: 4, later: 3}
horizon: 12 + later
verb: [goes to, runs to]
events:
  - {at: 6, meet: {who: [S1, S2, T], in: here}}
  - {at: 6, note: \"{S1} sees {T} in {here}, not in {there}.\"}
  - {at: 6 + later, move: {who: T, to: there}}
  - {at: 6 + later, note: \"It rains.\"}
questions:
  - belief: [S1, T]
  - belief: [S1, S2, T]
  - belief: [T, S1, T, S2]
  - world: [S1, S2, T]
  - world_things: [S1, S2, T]
  - world: [S1, T]
  - reality: T
  - start: T
";

/// Where people meet all the time, and stories end with them together.
const CROWDED: &str = "
storysim: 1
name: crowded
characters: {pool: [Ann, Bob, Cas]}
roles: [S1, S2, T]
places: {complete: [a, b, c]}
start: a
horizon: 9
questions:
  - belief: [S1, T]
  - belief: [S1, S2, T]
  - belief: [S1, S2, S1, T]
  - belief: [T, S1, S2]
  - world: [S1, T]
  - world: [S1, S2, T]
  - world_things: [S1, T]
  - reality: T
";

fn rows(name: &str, seed: u64, settings: &[(String, i64)], stories: u64, options: RowOptions) -> String {
    let own;
    let family = match compiled_as(name).filter(|_| settings.is_empty()) {
        Some(family) => family,
        None => {
            let source = match BUILT_IN.iter().find(|board| board.name == name) {
                Some(built_in) => built_in.source(),
                None if name == "crowded" => Source { name: name.into(), text: CROWDED.into() },
                None => Source { name: name.into(), text: EVERYTHING.into() },
            };
            own = Family::new(compile_family(&parse(source).unwrap(), settings).unwrap().plans);
            &own
        }
    };
    let set: Vec<String> = settings.iter().map(|(name, _)| name.clone()).collect();
    let mut maker = RowMaker::new(family, seed, &set, options);
    let mut rows = String::new();
    for index in 0..stories {
        maker.rows(index, &mut rows);
    }
    rows
}

/// A story as the row tells it, with nothing but the row.
struct Told {
    characters: Vec<String>,
    places: Vec<String>,
    start: Vec<PlaceId>,
    moves: Vec<(CharacterId, PlaceId)>,
}

impl Told {
    fn new(row: &Value) -> Self {
        let events: Vec<(&str, &str)> = row["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| (text(&event[1]), text(&event[3])))
            .collect();
        let mut characters: BTreeSet<&str> = events.iter().map(|(who, _)| *who).collect();
        characters.extend(texts(&row["chain"]));
        characters.insert(text(&row["about"]));
        characters.extend(
            row["cast"]
                .as_object()
                .unwrap()
                .iter()
                .filter(|(role, _)| is_role(role))
                .map(|(_, name)| text(name)),
        );
        let mut places: BTreeSet<&str> = events.iter().map(|(_, to)| *to).collect();
        match &row["start"] {
            Value::String(place) => {
                places.insert(place);
            }
            map => places.extend(map.as_object().unwrap().values().map(text)),
        }
        places.extend(texts(&row["choices"]));
        let characters: Vec<String> = characters.into_iter().map(str::to_owned).collect();
        let places: Vec<String> = places.into_iter().map(str::to_owned).collect();
        let place = |name: &str| PlaceId::new(places.iter().position(|known| known == name).unwrap());
        let who = |name: &str| CharacterId::new(characters.iter().position(|known| known == name).unwrap());
        let start = characters
            .iter()
            .map(|name| match &row["start"] {
                Value::String(everyone) => place(everyone),
                map => place(text(&map[name])),
            })
            .collect();
        let moves = events.iter().map(|(name, to)| (who(name), place(to))).collect();
        Self { start, moves, characters, places }
    }

    fn who(&self, name: &str) -> CharacterId {
        CharacterId::new(self.characters.iter().position(|known| known == name).unwrap())
    }

    fn name(&self, place: Option<PlaceId>) -> Value {
        place.map_or(Value::Null, |place| self.places[place.index()].clone().into())
    }

    fn trace(&self) -> Trace {
        let mut places = self.start.clone();
        let event = |&(who, to): &(CharacterId, PlaceId)| {
            let from = std::mem::replace(&mut places[who.index()], to);
            Event { who, from, to }
        };
        let events = self.moves.iter().map(event).collect();
        Trace::of_moves(self.start.clone(), events)
    }

    /// Where everyone is after each step.
    fn places_after(&self) -> Vec<Vec<PlaceId>> {
        let mut places = self.start.clone();
        let after = |&(who, to): &(CharacterId, PlaceId)| {
            places[who.index()] = to;
            places.clone()
        };
        self.moves.iter().map(after).collect()
    }
}

fn is_role(name: &str) -> bool {
    name == "T" || name.starts_with('S')
}

/// Where a chain of minds has someone at the end.
fn believed(trace: &Trace, minds: &[CharacterId], about: CharacterId) -> Option<PlaceId> {
    let chain = Chain::new(minds, about);
    Mind::after_along(trace, &chain).answer(chain.minds(), about)
}

/// The answer to a row's question after some moves, by the plainest means.
fn answer(told: &Told, row: &Value, trace: &Trace) -> Option<PlaceId> {
    let about = told.who(text(&row["about"]));
    match text(&row["kind"]) {
        "belief" | "reality" => {
            let chain: Vec<CharacterId> = texts(&row["chain"]).iter().map(|name| told.who(name)).collect();
            believed(trace, &chain, about)
        }
        "start" => Some(trace.start[about.index()]),
        _ => {
            let company = company(told, row);
            let mut places = trace.start.clone();
            let together =
                |places: &[PlaceId]| company.iter().all(|who| places[who.index()] == places[about.index()]);
            // The last moment at which all share a place: the start is moment 0.
            let mut last = together(&places).then_some(0);
            for (step, event) in trace.events.iter().enumerate() {
                places[event.who.index()] = event.to;
                if together(&places) {
                    last = Some(step + 1);
                }
            }
            for event in &trace.events[last?..] {
                if event.who == about {
                    return Some(event.to);
                }
                if company.contains(&event.who) {
                    return None;
                }
            }
            None
        }
    }
}

/// Those with whom a `world` question is about the target: its text names them.
fn company(told: &Told, row: &Value) -> Vec<CharacterId> {
    let question = text(&row["question"]);
    let names = question.strip_prefix("When ").unwrap().split(" last in the same place").next().unwrap();
    let names = names.trim_end_matches(" were").trim_end_matches(" was");
    names.split(", ").flat_map(|part| part.split(" and ")).map(|name| told.who(name)).collect()
}

fn check_row(row: &Value) {
    let row = &shown(row);
    let id = text(&row["id"]);
    let told = Told::new(row);
    let everything = told.trace();
    assert!(
        everything.events.iter().all(|event| event.from != event.to),
        "{id}: somebody moves to where she is"
    );
    let about = told.who(text(&row["about"]));
    let found = answer(&told, row, &everything);
    assert_eq!(told.name(found), row["answer"], "{id}: answer");

    // Choices and label.
    let choices = texts(&row["choices"]);
    assert_eq!(choices[row["label"].as_u64().unwrap() as usize], row["answer"], "{id}: label");
    assert_eq!(choices.iter().collect::<BTreeSet<_>>().len(), choices.len(), "{id}: choices");
    assert!(choices.len() <= 12 && choices.len() > 1);

    // Truth, falsity, distance.
    let after = told.places_after();
    let truth = after.last().map_or(told.start[about.index()], |places| places[about.index()]);
    assert_eq!(told.name(Some(truth)), row["truth"], "{id}: truth");
    let chain: Vec<CharacterId> = texts(&row["chain"]).iter().map(|name| told.who(name)).collect();
    assert_eq!(row["order"], chain.len());
    if row["kind"] == "belief" {
        let is_false = found != Some(truth);
        assert_eq!(row["false_belief"], is_false, "{id}: false_belief");
        let distance =
            if is_false { Value::from(distance(&told, &everything, &chain, about)) } else { Value::Null };
        assert_eq!(row["mislead_distance"], distance, "{id}: mislead_distance");
    } else {
        assert!(row["false_belief"].is_null() && row["mislead_distance"].is_null(), "{id}");
    }

    // Evidence: enough, and nothing to spare.
    let evidence: Vec<usize> =
        row["evidence"].as_array().unwrap().iter().map(|step| step.as_u64().unwrap() as usize).collect();
    assert!(evidence.is_sorted(), "{id}: evidence in order");
    let kind = QuestionKind::ALL.iter().copied().find(|kind| row["kind"] == kind.key()).unwrap();
    let others = if text(&row["kind"]).starts_with("world") { company(&told, row) } else { chain.clone() };
    let asked = Question::new(kind, others, Target::Item(about.into()));
    let fault = Reasons::new(&everything, &asked, vec![about.into()]).fault(&evidence);
    assert_eq!(fault, None, "{id}: evidence");
    check_foils(row, &told, &everything, &chain, about, &after);
    check_text(row);
}

fn distance(told: &Told, trace: &Trace, chain: &[CharacterId], about: CharacterId) -> usize {
    let chain = Chain::new(chain, about);
    let mut mind = Mind::of_chain(trace, &chain);
    let chain = chain.minds();
    let mut places = told.start.clone();
    // Steps count from 0, the start is step -1: everyone knows where everyone is.
    let (mut perceived, mut wrong) = (-1, Vec::new());
    for witnessed in trace.witnessed() {
        mind.happen(&witnessed);
        places[witnessed.event.who.index()] = witnessed.event.to;
        let near = places[chain[0].index()] == places[about.index()];
        if near || (witnessed.event.who == about && witnessed.witnesses.contains(&chain[0])) {
            perceived = witnessed.step as i64;
        }
        wrong.push(mind.answer(chain, about) != Some(places[about.index()]));
    }
    let run = wrong.iter().rposition(|wrong| !wrong).map_or(0, |right| right as i64 + 1);
    (perceived + 1..run).count()
}

fn check_foils(
    row: &Value,
    told: &Told,
    trace: &Trace,
    chain: &[CharacterId],
    about: CharacterId,
    after: &[Vec<PlaceId>],
) {
    let id = text(&row["id"]);
    let others = match text(&row["kind"]) {
        "world" | "world_things" => company(told, row),
        _ => chain.to_vec(),
    };
    let mut been = vec![told.start[about.index()]];
    been.extend(trace.events.iter().filter(|event| event.who == about).map(|event| event.to));
    let mut before = told.start.clone();
    let mut common = Vec::new();
    for places in after {
        let gather =
            |places: &[PlaceId]| others.iter().all(|who| places[who.index()] == places[about.index()]);
        if !others.is_empty() && gather(places) && !gather(&before) {
            common.push(places[about.index()]);
        }
        before.clone_from(places);
    }
    let lower = (!chain.is_empty()).then(|| believed(trace, &chain[1..], about));
    let wanted = [
        ("last_place", been.last().copied()),
        ("second_last_place", been.len().checked_sub(2).map(|at| been[at])),
        ("first_common_place", common.first().copied()),
        ("last_common_place", common.last().copied()),
        ("own_place", others.first().map(|who| before[who.index()])),
        ("lower_order", lower.flatten()),
    ];
    let foils = row["foils"].as_object().unwrap();
    assert_eq!(foils.len(), wanted.len());
    for (name, place) in wanted {
        assert_eq!(foils[name], told.name(place), "{id}: {name}");
    }
}

/// The sentences say what the events say; notes stand behind their steps.
fn check_text(row: &Value) {
    let mut sentences = Vec::new();
    for (at, event) in row["events"].as_array().unwrap().iter().enumerate() {
        assert_eq!(event[0], at);
        let who = text(&event[1]);
        // Of names, only those with an article have a capital letter at the start of a sentence.
        let who = who.strip_prefix("the ").map_or(who.to_owned(), |rest| format!("The {rest}"));
        sentences.push(format!("{who} {} {}.", text(&event[2]), text(&event[3])));
        if row["board"] == "everything" && row["kind"] != "world_things" {
            let cast = &row["cast"];
            if at == 6 {
                let [s1, t, here, there] = ["S1", "T", "here", "there"].map(|name| text(&cast[name]));
                sentences.push(format!("{s1} sees {t} in {here}, not in {there}."));
            }
            if at as u64 == 6 + row["params"]["later"].as_u64().unwrap() {
                sentences.push("It rains.".to_owned());
            }
        }
    }
    assert_eq!(sentences.join(" "), text(&row["story"]), "{}", row["id"]);
    check_context(row);
}

/// The context says who starts where, and names everyone in it.
fn check_context(row: &Value) {
    let context = text(&row["context"]).replacen("The ", "the ", 1);
    let first = context.split(". ").next().unwrap();
    match &row["start"] {
        Value::String(place) => {
            assert!(first.contains(&format!(" in {place}")), "{}: {first}", row["id"]);
            for event in row["events"].as_array().unwrap() {
                assert!(first.contains(text(&event[1])), "{}: {first}", row["id"]);
            }
        }
        map => {
            for (name, place) in map.as_object().unwrap() {
                assert!(first.contains(&format!("{name} is in {}", text(place))), "{}: {first}", row["id"]);
            }
        }
    }
    assert!(first.contains(text(&row["about"])), "{}: {first}", row["id"]);
}

/// Whether a row is of people who only go from place to place, and asks only for a place. That holds of a board's
/// rows of all stories or of none.
fn is_walk(row: &Value) -> bool {
    row["kind"] != "following"
        && (text(&row["context"]).contains(", and everyone knows that, and knows that everyone does. ")
            || row["kind"] == "world_things")
}

/// Every statement of every row of every built-in board where people only walk, derived again.
#[test]
fn rows_are_right() {
    let mut boards = 0;
    for built_in in BUILT_IN {
        let stories = match built_in.name {
            "fourth-order-mislead" | "free-play" => times(6),
            "third-order-mislead" | "many-characters-third-order" => times(10),
            _ => times(30),
        };
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        let first = rows(built_in.name, 7, &[], 1, RowOptions::default());
        if !first.lines().any(|row| is_walk(&serde_json::from_str(row).unwrap())) {
            continue; // for `rows_things`
        }
        for seed in [7, 8] {
            for row in rows(built_in.name, seed, &[], stories, RowOptions::WITH_EVENTS).lines() {
                let row: Value = serde_json::from_str(row).unwrap();
                if !is_walk(&row) {
                    continue; // for `rows_things`
                }
                check_row(&row);
                *kinds.entry(format!("{} {}", row["kind"], row["order"])).or_default() += 1;
            }
        }
        assert!(kinds.values().all(|&count| count > 1), "{}: {kinds:?}", built_in.name);
        boards += usize::from(!kinds.is_empty());
    }
    assert_eq!(boards, 22);
}

#[test]
fn rows_of_everything_are_right() {
    let made = rows("everything", 7, &[("later".into(), 2)], 400, RowOptions::WITH_EVENTS);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in made.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        check_row(&row);
        let id = text(&row["id"]);
        assert!(id.starts_with("everything,later=2/7/"), "{id}");
        assert_eq!(row["choices"].as_array().unwrap().len(), 12, "{id}");
        let mut count = |what: String| *counts.entry(what).or_default() += 1;
        count(format!("question {}", id.rsplit('/').next().unwrap()));
        count(format!("label {}", row["label"]));
        for event in row["events"].as_array().unwrap() {
            count(format!("verb {}", text(&event[2])));
        }
        if row["kind"] == "world_things" {
            assert!(text(&row["about"]).starts_with("the "), "{id}");
        }
    }
    assert!(counts.values().all(|&count| count > 30), "{counts:?}");
    assert_eq!(counts.keys().filter(|key| key.starts_with("label")).count(), 12, "{counts:?}");
    assert_eq!(counts.keys().filter(|key| key.starts_with("question")).count(), 8, "{counts:?}");
    assert_eq!(counts.keys().filter(|key| key.starts_with("verb")).count(), 3, "{counts:?}");
    let question = "When Ann, Bob";
    assert!(!made.contains(question), "two companions are joined by `and`");
}

#[test]
fn rows_of_a_crowd_are_right() {
    let made = rows("crowded", 7, &[], 1000, RowOptions::WITH_EVENTS);
    let mut questions = [0; 8];
    for line in made.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        check_row(&row);
        questions[text(&row["id"]).rsplit('/').next().unwrap().parse::<usize>().unwrap()] += 1;
    }
    // Some stories leave a question open, and most do not.
    assert!(questions[..7].iter().all(|count| (100..1000).contains(count)), "{questions:?}");
    assert_eq!(questions[7], 1000);
}

/// A question that has no row has no answer.
#[test]
fn what_is_left_out_is_unknown() {
    let made = rows("crowded", 7, &[], 200, RowOptions::WITH_EVENTS);
    let written: BTreeSet<String> =
        made.lines().map(|row| text(&serde_json::from_str::<Value>(row).unwrap()["id"]).to_owned()).collect();
    let mut left_out = 0;
    for row in made.lines() {
        let mut row: Value = serde_json::from_str(row).unwrap();
        if !text(&row["id"]).ends_with("/7") {
            continue;
        }
        let told = Told::new(&row);
        let everything = told.trace();
        let [s1, s2] = ["S1", "S2"].map(|role| row["cast"][role].clone());
        for (question, chain) in
            [vec![s1.clone()], vec![s1.clone(), s2.clone()], vec![s1.clone(), s2, s1]].into_iter().enumerate()
        {
            let id = format!("crowded/7/{}/{question}", row["index"]);
            row["kind"] = "belief".into();
            row["chain"] = chain.into();
            let is_known = answer(&told, &row, &everything).is_some();
            assert_eq!(is_known, written.contains(&id), "{id}");
            left_out += usize::from(!is_known);
        }
    }
    assert!(left_out > 20, "{left_out}");
}

/// What decides what happens is in the streams' keys, and nothing else is.
#[test]
fn words_and_questions_change_no_story() {
    let moves = |text: &str| {
        let board = parse(Source { name: "test".into(), text: text.into() }).unwrap();
        let plan = compile(&board, &[]).unwrap().plan;
        let mut story = storysim::simulate::Story::default();
        storysim::simulate::Simulator::new(&plan, 7).draw(0, &mut story);
        story.trace.events
    };
    let same = EVERYTHING
        .replace("goes to, runs to", "walks to")
        .replace("  - reality: T\n", "")
        .replace("It rains.", "It snows.")
        .replace("storysim: 1", "# a comment\nstorysim: 1\nabout: something");
    assert_eq!(moves(&same), moves(EVERYTHING));
    // Conditions after the last pending one change nothing but the streams.
    let other = EVERYTHING.replace("questions:", "  - {from: 0, until: 1, idle: []}\nquestions:");
    let with_idle = EVERYTHING.replace("questions:", "  - {from: 14, until: 15, idle: S1}\nquestions:");
    assert!(parse(Source { name: "test".into(), text: other }).is_err());
    assert_ne!(moves(&with_idle), moves(EVERYTHING));
}

#[test]
fn first_order_distance_is_the_parameter() {
    for distance in [0, 1, 5, 80] {
        let settings = [("mislead_distance".to_owned(), distance)];
        for row in rows("first-order-mislead", 3, &settings, 50, RowOptions::default()).lines() {
            let row: Value = serde_json::from_str(row).unwrap();
            assert_eq!(row["params"]["mislead_distance"], distance);
            if row["kind"] == "belief" {
                assert_eq!(row["mislead_distance"], distance, "{}", row["id"]);
                assert_eq!(row["false_belief"], true);
                assert_eq!(row["answer"], shown(&row)["cast"]["second"]);
            }
        }
    }
}

#[test]
fn the_keys_of_a_row_are_the_contract() {
    let first = rows("world-model", 7, &[], 1, RowOptions::default());
    assert!(first.lines().count() > 1);
    for row in first.lines() {
        let mut at = 0;
        for key in KEYS {
            let found = row[at..].find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("{key} in {row}"));
            at += found;
        }
        assert_eq!(serde_json::from_str::<Value>(row).unwrap().as_object().unwrap().len(), KEYS.len());
    }
    let swept = rows("first-order-mislead", 7, &[("mislead_distance".into(), 5)], 1, RowOptions::default());
    assert!(swept.starts_with("{\"id\":\"first-order-mislead,mislead_distance=5/7/0/0\""), "{swept}");
}

#[test]
fn seeds_and_indices_share_no_story() {
    let mut stories = BTreeSet::new();
    let mut count = 0;
    for seed in [0, 1, 2, 7, 8, u64::MAX] {
        for row in rows("first-order-mislead", seed, &[], 500, RowOptions::default()).lines() {
            let row: Value = serde_json::from_str(row).unwrap();
            if row["kind"] == "belief" {
                stories.insert(text(&row["story"]).to_owned());
                count += 1;
            }
        }
    }
    assert_eq!(stories.len(), count);
    assert_eq!(count, 3000);
}

/// A row needs no other row.
#[test]
fn a_row_follows_from_its_index_alone() {
    let family = Family::from(compile(&built_in("world-model"), &[]).unwrap().plan);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    let (mut forwards, mut backwards) = (Vec::new(), Vec::new());
    for (indices, made) in
        [((0..200).collect::<Vec<u64>>(), &mut forwards), ((0..200).rev().collect(), &mut backwards)]
    {
        for index in indices {
            let mut rows = String::new();
            maker.rows(index, &mut rows);
            made.push(rows);
        }
    }
    backwards.reverse();
    assert_eq!(forwards, backwards);
}

/// The bytes are a promise: a change is a decision, written in CHANGELOG.md. To make it, run the test
/// with `STORYSIM_GOLDEN=write` in the environment.
#[test]
fn golden_bytes() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let write = std::env::var_os("STORYSIM_GOLDEN").is_some_and(|value| value == "write");
    let mut differing = String::new();
    for built_in in BUILT_IN {
        let with_events = RowOptions { with_events: built_in.name == "sally-anne", ..RowOptions::default() };
        let made = rows(built_in.name, 7, &[], 2, with_events);
        let path = folder.join(format!("{}.jsonl", built_in.name));
        if write {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &made).unwrap();
        } else if std::fs::read_to_string(&path).ok().as_ref() != Some(&made) {
            writeln!(differing, "{}", path.display()).unwrap();
        }
    }
    assert!(differing.is_empty(), "these rows have changed:\n{differing}");
}
