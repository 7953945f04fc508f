//! Pairs of stories that differ in one event: held, by what their rows say, against all that is promised of them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rayon::prelude::*;
use serde_json::{Value, json};
use storysim::adherence::{Account, Judge, Row};
use storysim::audit::{Audit, Case, Measured, Options, Report, Subject, page};
use storysim::belief::nested::Mind;
use storysim::belief::{Chain, Held};
use storysim::check::{Claim, check};
use storysim::dataset::{Fields, RowMaker, RowOptions, StoredRow};
use storysim::id::{CharacterId, PlaceId};
use storysim::plan::{Plan, Target};
use storysim::select::Family;
use storysim::spelling::shown;
use storysim::storyboard::Storyboard;
use storysim::trace::Trace;
use storysim::verify::Inspector;
use storysim::world::{Event, Item, Scene};

use crate::effort::times;
use crate::program::{run, stderr};
use crate::storyboards::{board, family_with_twins};

pub const SEED: u64 = 7;

/// People who walk on a map without structure.
pub const WALK: &str = "storysim: 1\nname: walk\ncharacters: {pool: people, count: 6}\nroles: [S1, S2, S3, T]\n\
                    places: {complete: [room_1, room_2, room_3, room_4, room_5, room_6]}\nstart: room_1\nhorizon: 40\n";

/// They walk on a map with some structure, and there are conditions.
pub const BOUND: &str = "storysim: 1\nname: bound\ncharacters: {pool: people, count: 5}\nroles: [S1, S2, T]\n\
                     places: {hall: [a, b], a: [hall, b], b: [hall, c], c: [a, b]}\nstart: {S1: c, else: hall}\n\
                     bind: {first: {}, second: {next_to: first}}\nparameters: {late: 20}\nhorizon: late + 8\nverb: [enters, goes to]\n\
                     events:\n  - {at: 8, meet: {who: [S1, T], in: first}}\n  - {from: 9, for: 4, idle: S2}\n  \
                     - {from: 2, until: 7, avoid: {who: T, place: second}}\n  - {at: 12, note: \"{S1} hums in {first}.\"}\n";

/// There are more places than are offered.
pub const LARGE: &str = "storysim: 1\nname: large\ncharacters: {pool: people, count: 3}\nroles: [S1, T]\nstart: p1\nhorizon: 60\n\
                     places: {complete: [p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16]}\n";

/// A marble, moved and carried about.
pub const MARBLE: &str = "storysim: 1\nname: marble\ncharacters: {pool: people, count: 4}\nroles: [S1, S2]\n\
                      places: {complete: [nursery, garden, hall]}\nstart: nursery\n\
                      containers: {basket: nursery, box: garden, drawer: {in: nursery, is: closed}}\n\
                      objects: {marble: {in: [basket, drawer]}, ball: hall}\n\
                      play: {move: 4, move_object: 2, carry: 1, take: 1, put: 1, throw: 1, open: 1, close: 1}\nhorizon: 18\n";

/// People tell each other what they believe, and do not always listen.
pub const TALK: &str = "storysim: 1\nname: talk\ncharacters: {pool: people, count: 5}\nroles: [P1, P2, P3]\n\
                    places: {complete: [barn, orchard, mill]}\nstart: barn\nattitudes: [cake]\n\
                    propositions: {party: {says: \"there will be a party\", known: [P1]}}\n\
                    play: {move: 3, tell: 1, whisper: 2, phone: 1, lie: 1, react: 1}\nhorizon: 20\n\
                    events: [{from: 5, for: 6, distracted: {who: P2, noticed: false}}, {from: 8, for: 4, peek: P3}]\n";

/// All storyboards, each with a number that says how many pairs it has for every one that others have.
fn boards() -> Vec<String> {
    let with = |board: &str, rest: &str| format!("{board}{rest}\n");
    let named = |board: &str, name: &str| board.replacen("name: ", &format!("name: {name}-"), 1);
    vec![
        with(&named(WALK, "one"), "questions: [{belief: [S1, T]}, {reality: T}]"),
        with(&named(WALK, "two"), "questions: [{belief: [S1, S2, T]}, {belief: [S1, T]}]"),
        with(&named(WALK, "three"), "questions: [{reality: T}, {belief: [S1, S2, S3, T]}]"),
        with(&named(WALK, "loop"), "questions: [{belief: [S1, S2, S1]}]"),
        with(
            &named(WALK, "balanced"),
            "questions: [{reality: T}, {belief: [S1, T]}]\nbalance: {question: 1, answer: uniform}",
        ),
        with(
            &named(WALK, "goal"),
            "ensure: [{false_belief: [S1, S2, T]}]\nquestions: [{belief: [S1, S2, T]}]",
        ),
        with(BOUND, "questions: [{belief: [S1, T]}, {belief: [S2, T], before: late}, {belief: [S2, S1, T]}]"),
        with(&named(BOUND, "things"), "questions: [{belief: [S2, S1, T]}, {world_things: [S1, T]}]"),
        with(LARGE, "questions: [{belief: [S1, T]}]"),
        with(MARBLE, "questions: [{belief: [S1, marble]}, {knows: [S2, marble]}, {belief: [S1, ball]}]"),
        with(&named(MARBLE, "deep"), "questions: [{belief: [S2, S1, marble]}]"),
        with(
            &named(MARBLE, "balanced"),
            "questions: [{belief: [S1, marble]}]\nbalance: {answer: uniform, false_belief: 3/4}",
        ),
        with(&named(MARBLE, "people"), "questions: [{belief: [S1, S2]}]"),
        with(
            &named(MARBLE, "goal"),
            "ensure: [{false_belief: [S1, marble]}]\nquestions: [{belief: [S1, marble]}]",
        ),
        with(TALK, "questions: [{belief: [P3, party]}, {who_knows: party}, {who_likes: [P1, cake]}]"),
        with(&named(TALK, "deep"), "questions: [{belief: [P2, P3, party]}]"),
        with(&named(TALK, "third"), "questions: [{belief: [P1, P2, P3, party]}]"),
    ]
}

/// The same, and what their pairs are drawn from. It takes a while to balance some.
static ADMITTED: LazyLock<Vec<(Storyboard, Family)>> = LazyLock::new(|| {
    let admitted = |source: &String| {
        let board = board(source);
        let family = family_with_twins(&board);
        (board, family)
    };
    boards().par_iter().map(admitted).collect()
});

fn maker<'a>(board: &'a Storyboard, family: &'a Family) -> RowMaker<'a> {
    RowMaker::new(family, SEED, &[], RowOptions::WITH_EVENTS).with_twins(board)
}

/// How many pairs of each storyboard are looked at.
pub fn pairs() -> u64 {
    times(8)
}

pub fn text<'r>(row: &'r Value, name: &str) -> &'r str {
    row[name].as_str().unwrap()
}

/// The events of a row, those of each step together.
pub fn steps(row: &Value) -> BTreeMap<u64, Vec<&[Value]>> {
    let mut steps: BTreeMap<u64, Vec<&[Value]>> = BTreeMap::new();
    for event in row["events"].as_array().unwrap() {
        let event = event.as_array().unwrap();
        steps.entry(event[0].as_u64().unwrap()).or_default().push(&event[1..]);
    }
    steps
}

/// One pair, and what there is to know of it.
pub struct Pair<'a> {
    pub board: &'a Storyboard,
    pub plan: &'a Plan,
    /// The number of the question that counts.
    pub question: usize,
    pub index: u64,
    pub rows: [Vec<Value>; 2],
    pub traces: [&'a Trace; 2],
    pub step: usize,
}

impl Pair<'_> {
    /// The two rows of the question that counts.
    pub fn asked(&self) -> [&Value; 2] {
        let ends = format!("/{}", self.question);
        [0, 1].map(|which| self.rows[which].iter().find(|row| text(row, "id").ends_with(&ends)).unwrap())
    }

    /// Rows of both name each other, and where they differ; all that is drawn for a story is the same.
    fn is_paired(&self) {
        let [own, twins] =
            ["", "-twin"].map(|mark| format!("{}/{SEED}/{}{mark}/", self.plan.name, self.index));
        for (rows, [own, other]) in self.rows.iter().zip([[&own, &twins], [&twins, &own]]) {
            for row in rows {
                let number = text(row, "id").strip_prefix(own.as_str()).unwrap();
                assert_eq!(text(row, "twin"), format!("{other}{number}"));
                assert_eq!((&row["differs_at"], &row["index"]), (&json!(self.step), &json!(self.index)));
            }
        }
        let [one, other] = self.asked();
        for same in [
            "board", "seed", "params", "cast", "start", "context", "question", "kind", "chain", "about",
            "truth",
        ] {
            assert_eq!(one[same], other[same], "{same}");
        }
        for foil in ["last_place", "second_last_place"] {
            assert_eq!(one["foils"][foil], other["foils"][foil], "{foil}");
        }
        assert_ne!(one["answer"], other["answer"]);
        assert_ne!(one["label"], other["label"]);
        let [first, second] = [one, other].map(|row| row["choices"].as_array().unwrap());
        // Were one choice exchanged in one of them, it would be the answer.
        assert_eq!(first, second, "{}", one["id"]);
        assert!(first.contains(&one["answer"]) && first.contains(&other["answer"]));
    }

    /// Exactly one event differs, in exactly one thing; and so do the sentences.
    pub fn differs_in_one_event(&self) {
        let [one, other] = self.asked().map(steps);
        let differing: Vec<u64> = one.keys().copied().filter(|step| one[step] != other[step]).collect();
        assert_eq!(differing, [self.step as u64]);
        let [one, other] = [one, other].map(|steps| steps[&(self.step as u64)][0].to_vec());
        assert_eq!(one.len(), other.len());
        let apart = one.iter().zip(&other).filter(|(one, other)| one != other).count();
        assert_eq!(apart, 1, "{one:?} {other:?}");
        let [own, twins] = self.asked().map(|row| text(row, "story").split(". ").collect::<Vec<_>>());
        let first = own.iter().zip(&twins).position(|(one, other)| one != other).unwrap();
        let last = own.iter().rev().zip(twins.iter().rev()).position(|(one, other)| one != other).unwrap();
        // Who peeks and who is distracted stands in sentences after it.
        let most = if self.plan.name.contains("talk") { 3 } else { 1 };
        assert!(own.len() - last - first <= most, "{own:?} {twins:?}");
    }

    /// By the text of its rows, and its events, each of the two is a story of the storyboard.
    pub fn satisfies_the_storyboard(&self) {
        for row in self.asked() {
            let read = Row::new(row).unwrap();
            let judge = Judge::new(self.board, &read.parameters);
            let account: Account<'_> = read.account(self.board, judge.reader()).unwrap();
            let verdict = judge.judge(&account, &read.cast).unwrap();
            assert!(verdict.violations.is_empty(), "{} {:?}", row["id"], verdict.violations);
        }
    }

    /// The target is in the same place after every step, and the event that differs is none of its own.
    pub fn leaves_the_target_alone(&self) {
        let Target::Item(target) = self.plan.questions[self.question].target else { panic!("a belief") };
        let [one, other] = self.traces.map(|trace| {
            let mut scene = Scene::new(&trace.start, &trace.stage);
            let room = |scene: &Scene| match target {
                Item::Object(object) => Some(scene.room(object)),
                _ => None,
            };
            let states = trace.unfold().map(|happened| {
                let before = (scene.value(target), room(&scene));
                scene.apply(happened.event, &happened.deed.act);
                let after = (scene.value(target), room(&scene));
                assert!(
                    happened.step != self.step || before == after && happened.event.who != target_of(target),
                    "the target's own event differs"
                );
                after
            });
            states.collect::<Vec<_>>()
        });
        assert_eq!(one, other);
    }

    /// Both answers are those of the definition written out, and so is all else that rows say of them.
    pub fn answers_by_the_definition(&self) {
        let question = &self.plan.questions[self.question];
        let Target::Item(target) = question.target else { panic!("a belief") };
        for (row, trace) in self.asked().into_iter().zip(self.traces) {
            let chain = Chain::new(&question.others, target);
            let mut reality = Mind::of_chain(trace, &chain);
            trace.unfold().for_each(|happened| reality.happen(&happened));
            let held_of = |item| reality.held(chain.minds(), item);
            let place = |place: PlaceId| shown(&self.plan.place_names[place.index()]).into_owned();
            let staging = self.plan.staging.as_ref();
            let name = |held: Held| match held {
                Held::Known(storysim::world::Value::Place(at), _) => place(at),
                Held::Known(storysim::world::Value::Container(at), _) => {
                    shown(&staging.unwrap().containers[at.index()].name).into_owned()
                }
                Held::Known(storysim::world::Value::Hands(who), _) => match held_of(Item::Character(who)) {
                    Some(Held::Known(storysim::world::Value::Place(at), _)) => place(at),
                    unclear => panic!("{unclear:?}"),
                },
                Held::Known(storysim::world::Value::Truth(is_true), _) => {
                    if is_true { "yes" } else { "no" }.to_owned()
                }
                Held::Known(storysim::world::Value::Case(_) | storysim::world::Value::NoCase, _) => {
                    panic!("there are no prospects")
                }
                Held::Nothing => "unknown".to_owned(),
                Held::Unclear => panic!("a question without an answer is not written"),
            };
            assert_eq!(text(row, "answer"), name(held_of(target).unwrap()), "{}", row["id"]);
        }
    }
}

/// The character, if it is one; else nobody.
fn target_of(target: Item) -> CharacterId {
    target.character().unwrap_or(CharacterId::new(1000))
}

/// Who went where by a row of people who walk, with no help from what made it.
fn trace_of(row: &Value, plan: &Plan, names: &[&str]) -> Trace {
    let place = |name: &str| PlaceId::new(plan.place_names.iter().position(|place| place == name).unwrap());
    let starts = |who: &&str| place(row["start"].as_str().unwrap_or_else(|| text(&row["start"], who)));
    let start: Vec<PlaceId> = names.iter().map(starts).collect();
    let mut places = start.clone();
    let events = steps(row).into_values().map(|events| {
        let who = names.iter().position(|name| *name == events[0][0]).unwrap();
        let to = place(events[0][2].as_str().unwrap());
        let from = std::mem::replace(&mut places[who], to);
        Event { who: CharacterId::new(who), from, to }
    });
    let events = events.collect();
    Trace::of_moves(start, events)
}

/// Of every storyboard: one event apart, both legal, the target's moves the same, the answers not, and both right.
#[test]
fn twins_are_what_they_should_be() {
    ADMITTED.par_iter().for_each(|(board, family)| {
        let plan = &family.plans()[0];
        let question = plan.balance.as_ref().map_or_else(
            || plan.questions.iter().position(|asked| asked.kind.key() == "belief").unwrap(),
            |balance| balance.question,
        );
        let mut maker = maker(board, family);
        let inspector = Inspector::new(plan, SEED, &[]);
        let (mut text, mut is_of_both) = (String::new(), [0; 2]);
        for index in 0..pairs() {
            text.clear();
            let count = maker.rows(index, &mut text);
            assert_eq!(count, text.lines().count());
            let (own, twins): (Vec<&str>, Vec<&str>) = text
                .lines()
                .partition(|row| row.contains(&format!("\"id\":\"{}/{SEED}/{index}/", plan.name)));
            assert!(text.starts_with(&own.join("\n")), "the story comes first");
            let marks = format!("\",\"differs_at\":{},\"events\":[[0,", maker.twin().unwrap().step);
            assert!(text.lines().all(|row| row.contains("},\"twin\":\"") && row.contains(&marks)), "{text}");
            let twin = maker.twin().unwrap();
            let lines = |rows: &[&str]| {
                rows.join("\n").replace(
                    &format!("\"id\":\"{}/{SEED}/{index}-twin/", plan.name),
                    &format!("\"id\":\"{}/{SEED}/{index}/", plan.name),
                )
            };
            assert_eq!(inspector.inspect(maker.story(), &lines(&own)), []);
            assert_eq!(inspector.inspect(&twin.story, &lines(&twins)), []);
            let parsed =
                |rows: Vec<&str>| rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
            let pair = Pair {
                board,
                plan,
                question,
                index,
                rows: [parsed(own), parsed(twins)],
                traces: [&maker.story().trace, &twin.story.trace],
                step: twin.step,
            };
            pair.is_paired();
            pair.differs_in_one_event();
            pair.satisfies_the_storyboard();
            pair.leaves_the_target_alone();
            pair.answers_by_the_definition();
            if plan.things().is_none() {
                let names: Vec<&str> =
                    maker.story().names.iter().map(|&name| plan.pool[name].as_str()).collect();
                for (row, trace) in pair.asked().into_iter().zip(pair.traces) {
                    assert_eq!(
                        trace_of(row, plan, &names),
                        Trace::of_moves(trace.start.clone(), trace.events.clone())
                    );
                }
            }
            let [one, other] = pair.traces.map(|trace| trace.events[pair.step].who);
            is_of_both[usize::from(one != other)] += 1;
        }
        assert!(pairs() < 20 || is_of_both.iter().all(|&count| count > 0), "{}: {is_of_both:?}", plan.name);
    });
}

/// A story with a twin at the first attempt is the one that is made without twins; a row needs no other row.
#[test]
fn a_pair_follows_from_its_index() {
    let source = format!("{WALK}questions: [{{belief: [S1, T]}}]\n");
    let board = board(&source);
    let family = family_with_twins(&board);
    let (mut all, mut alone, mut same) =
        (maker(&board, &family), RowMaker::new(&family, SEED, &[], RowOptions::default()), 0);
    for index in 0..60 {
        let (mut rows, mut again) = (String::new(), String::new());
        all.rows(index, &mut rows);
        maker(&board, &family).rows(index, &mut again);
        assert_eq!(rows, again);
        assert!(alone.draw(index));
        same += usize::from(alone.story() == all.story());
    }
    assert!((30..=60).contains(&same), "{same}");
}

/// Value stability: these bytes may never change without a heading in CHANGELOG.md.
#[test]
fn bytes_are_a_promise() {
    let mut hashes = Vec::new();
    for (board, family) in ADMITTED.iter() {
        let mut rows = String::new();
        let mut maker = maker(board, family);
        for index in 0..20 {
            maker.rows(index, &mut rows);
        }
        let hash = &blake3::hash(rows.as_bytes()).to_hex()[..16];
        hashes.push(format!("{}: {} rows, {hash}", family.name(), rows.lines().count()));
    }
    insta::assert_debug_snapshot!("bytes", hashes);
}

/// Where a story cannot have a twin, nothing is written, and what to do is said.
#[test]
fn storyboards_without_twins_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.yaml");
    let refused = |board: &str| {
        let output = run(&["generate", board, "--count", "3", "--twins"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        stderr(&output).to_owned()
    };
    let forced = refused("first-order-mislead");
    assert!(forced.contains("stories has a twin where"), "{forced}");
    assert!(forced.contains("allow free play"), "{forced}");
    std::fs::write(&path, format!("{WALK}questions: [{{reality: T}}, {{belief: [S1, T], before: 9}}]\n"))
        .unwrap();
    let unasked = refused(path.to_str().unwrap());
    assert!(unasked.contains("but no question asks for"), "{unasked}");
    let of_group =
        format!("{WALK}groups: {{some: [S2, S3]}}\nquestions: [{{reality: T}}, {{belief: [some, T]}}]\n");
    std::fs::write(&path, of_group).unwrap();
    let open = refused(path.to_str().unwrap());
    assert!(open.contains("but this one leaves open") && open.contains("belief: [some, T]"), "{open}");
    assert!(!open.contains("no question asks"), "{open}");
}

/// The question to which a story has no twin is shown, and not another, where one before it stands for several.
#[test]
fn the_question_without_twins_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.yaml");
    let forced = "events: [{from: 0, for: 40, idle: [S1, T]}]\ngroups: {some: [S2, S3]}\n";
    let asked = "questions:\n  - belief: [some, T]\n  - belief: [S1, T]\n  - reality: T\n";
    std::fs::write(&path, format!("{WALK}{forced}{asked}")).unwrap();
    for twins in ["--twins", "--twins=triplets"] {
        let output = run(&["generate", path.to_str().unwrap(), "--count", "3", twins]);
        let said = stderr(&output);
        assert!(said.contains("board.yaml:12:"), "{said}");
    }
}

/// A folder knows whether it has twins; pairs are in one split, and can be made again.
#[test]
fn folders_keep_pairs_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (board, out) = (path("board.yaml"), path("out"));
    std::fs::write(&board, format!("{WALK}questions: [{{belief: [S1, T]}}, {{belief: [S2, S1, T]}}]\n"))
        .unwrap();
    let formats = if cfg!(feature = "parquet") { &["jsonl", "parquet"][..] } else { &["jsonl"] };
    for format in formats {
        let out = format!("{out}-{format}");
        let make = [
            "generate",
            &board,
            "--count",
            "60",
            "--split",
            "train=0.7,test=0.3",
            "--format",
            format,
            "--shard-size",
            "20",
            "--out",
            &out,
        ];
        let made = run(&[&make[..], &["--twins", "--check"]].concat());
        assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
        assert!(stderr(&made).contains("60 stories and their twins"), "{}", stderr(&made));
        let verified = run(&["verify", "--deep", &out]);
        assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
        let mixed = run(&make);
        assert_eq!(mixed.status.code(), Some(2));
        assert!(stderr(&mixed).contains("twins: true there, false now"), "{}", stderr(&mixed));
        let card = std::fs::read_to_string(format!("{out}/README.md")).unwrap();
        assert!(card.contains("| `twin` |") && card.contains(" --twins"), "{card}");
        let audited = run(&["audit", &out, "--format", "json", "--sample", "50"]);
        assert_eq!(audited.status.code(), Some(0), "{}", stderr(&audited));
    }
    let mut splits = BTreeMap::new();
    for file in std::fs::read_dir(format!("{out}-jsonl/data")).unwrap() {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        for row in std::fs::read_to_string(file.path()).unwrap().lines() {
            let row: Value = serde_json::from_str(row).unwrap();
            splits.insert(text(&row, "id").to_owned(), (name.clone(), text(&row, "twin").to_owned()));
        }
    }
    let pairs =
        splits.values().filter(|(name, twin)| splits.get(twin).is_some_and(|(other, _)| other == name));
    assert!(splits.values().any(|(name, _)| name.starts_with("test")));
    let apart =
        splits.values().filter(|(name, twin)| splits.get(twin).is_some_and(|(other, _)| other != name));
    assert_eq!(apart.count(), 0);
    assert!(pairs.count() > 110);
}

/// Whatever the threads and shards, the rows are the same; without the option, no row knows of twins.
#[test]
fn jobs_and_shards_give_the_same_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.yaml");
    std::fs::write(&path, format!("{WALK}questions: [{{belief: [S1, T]}}]\n")).unwrap();
    let made = |more: &[&str]| {
        let output = run(&[&["generate", path.to_str().unwrap(), "--count", "120"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = made(&["--twins", "--jobs", "1"]);
    assert_eq!(whole.lines().count(), 240);
    assert_eq!(whole, made(&["--twins", "--jobs", "3"]));
    assert_eq!(whole, made(&["--twins", "--shard", "0/2"]) + &made(&["--twins", "--shard", "1/2"]));
    assert!(!made(&[]).contains("twin"));
}

/// Where a drawn number decides whether people do more than walk, nothing is left of the pair before.
#[test]
fn pairs_of_walks_follow_on_pairs_with_deeds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.yaml");
    let peeked = "draw: {until: [8, 10]}\nevents: [{from: 8, until: until, peek: S1}]\n";
    std::fs::write(&path, format!("{WALK}{peeked}questions: [{{belief: [S1, T]}}]\n")).unwrap();
    let made = |more: &[&str]| {
        let output = run(&[
            &["generate", path.to_str().unwrap(), "--count", "200", "--twins", "--check", "--with-events"],
            more,
        ]
        .concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let rows = made(&["--jobs", "1"]);
    let (walks, deeds): (Vec<&str>, Vec<&str>) = rows.lines().partition(|row| row.contains("{\"until\":8}"));
    assert!(walks.len() > 80 && deeds.len() > 160, "{} and {}", walks.len(), deeds.len());
    let watches = |row: &&str| row.contains("watches");
    assert!(!walks.iter().any(watches) && deeds.iter().all(watches));
    assert_eq!(rows, made(&["--jobs", "3"]));
}

/// The audit of some rows.
pub fn audit_of<'r>(rows: impl IntoIterator<Item = &'r str>) -> Report {
    let mut audit = Audit::new(Options { sample: 100, ..Options::default() });
    for row in rows {
        let fields = Fields::of(&StoredRow::Line(row.to_owned())).unwrap();
        audit.add(Measured::of(Case::of_row(fields).unwrap()));
    }
    audit.report()
}

fn both(report: &Report, group: usize, key: &str) -> f64 {
    let twins = report.groups[group].twins.as_ref().unwrap();
    twins.shortcuts.iter().find(|finding| finding.key == key).unwrap().both
}

/// Of how many pairs a shortcut gets both right is counted once more, from the rows' own foils; those that look at
/// the target alone get none.
#[test]
fn audit_counts_pairs() {
    let source = format!("{WALK}questions: [{{belief: [S1, S2, T]}}, {{belief: [S1, T]}}]\n");
    let board = board(&source);
    let family = family_with_twins(&board);
    let (mut maker, mut rows) = (maker(&board, &family), String::new());
    for index in 0..300 {
        maker.rows(index, &mut rows);
    }
    let parsed: BTreeMap<String, Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .map(|row: Value| (text(&row, "id").to_owned(), row))
        .collect();
    let report = audit_of(rows.lines());
    for group in [0, 1] {
        let is_of_group =
            |(id, _): &(&String, &Value)| id.ends_with(&format!("/{group}")) && !id.contains("twin");
        let pairs = parsed.iter().filter(is_of_group);
        let pairs: Vec<[&Value; 2]> =
            pairs.filter_map(|(_, row)| Some([row, parsed.get(text(row, "twin"))?])).collect();
        let differ: Vec<&[&Value; 2]> =
            pairs.iter().filter(|[one, other]| one["answer"] != other["answer"]).collect();
        let twins = report.groups[group].twins.as_ref().unwrap();
        assert_eq!((twins.pairs, twins.alike), (differ.len() as u64, (pairs.len() - differ.len()) as u64));
        assert!(group == 1 || twins.alike == 0 && twins.pairs == 300);
        for foil in ["last_common_place", "lower_order", "own_place", "last_place", "second_last_place"] {
            let is_right = |row: &Value| row["foils"][foil] == row["answer"];
            let right = differ.iter().filter(|pair| pair.iter().all(|row| is_right(row))).count();
            let share = right as f64 / differ.len() as f64;
            assert!((both(&report, group, foil) - share).abs() < 1e-12, "{group} {foil}");
        }
        for finding in twins.shortcuts.iter().filter(|finding| finding.of_target_alone) {
            assert_eq!(finding.both, 0.0, "{}", finding.key);
        }
        assert!(both(&report, group, "last_common_place") > 0.0);
        // What is the same in both cannot be right twice.
        assert_eq!([both(&report, group, "constant"), both(&report, group, "position")], [0.0; 2]);
        assert!((1..=100).contains(&twins.tried), "{}", twins.tried);
    }
    let missing = report.alone.unwrap();
    assert_eq!(missing, parsed.values().filter(|row| !parsed.contains_key(text(row, "twin"))).count() as u64);
    let half = audit_of(rows.lines().filter(|row| !row.contains("-twin/0\",\"board")));
    assert_eq!(half.alone, Some(missing + 300));
    assert_eq!(half.groups[0].twins, None);
    let mut without = String::new();
    RowMaker::new(&family, SEED, &[], RowOptions::default()).rows(0, &mut without);
    assert_eq!(audit_of(without.lines()).alone, None);
    assert!(!serde_json::to_string(&audit_of(without.lines())).unwrap().contains("twins"));
}

/// If a shortcut that looks at the target alone gets both right, the two are no twins.
#[test]
fn audit_marks_pairs_that_are_none() {
    let row = |id: &str, twin: &str, place: &str| {
        json!({"id": id, "twin": twin, "board": "b", "story": "", "question": "Where?", "answer": place,
            "choices": ["hall", "attic"], "label": usize::from(place == "attic"), "kind": "belief", "order": 1,
            "about": "T", "foils": {"last_place": place}})
        .to_string()
    };
    let [one, other] = [row("b/0/0/0", "b/0/0-twin/0", "hall"), row("b/0/0-twin/0", "b/0/0/0", "attic")];
    let report = audit_of([one.as_str(), &other]);
    let twins = report.groups[0].twins.as_ref().unwrap();
    let wrong: Vec<&str> = twins
        .shortcuts
        .iter()
        .filter(|finding| finding.is_impossible())
        .map(|finding| finding.key.as_str())
        .collect();
    assert_eq!(wrong, ["last_place"]);
    let html = page(&report, Subject { dataset: "rows.jsonl", ..Subject::default() }).html();
    assert!(html.contains("these are not twins"), "{html}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    std::fs::write(&path, format!("{one}\n{other}\n")).unwrap();
    let said = run(&["audit", path.to_str().unwrap()]);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("Twins: 1 pair with different answers, 0 with equal answers"), "{said}");
    assert!(
        said.contains("last_place looks at the target alone, yet is right in both stories of a pair"),
        "{said}"
    );
}

/// In free play alone, too: a change that lets somebody say what she does not believe makes no twin.
#[test]
fn twins_of_those_who_talk_freely_are_stories_of_the_storyboard() {
    let (talk, _) = TALK.split_once("events:").unwrap();
    let board = board(&format!("{talk}questions: [{{belief: [P2, P3, party]}}]\n"));
    let family = family_with_twins(&board);
    let (mut maker, mut rows) = (maker(&board, &family), String::new());
    for index in 0..10 * pairs() {
        assert_eq!(maker.rows(index, &mut rows) % 2, 0);
        for story in [maker.story(), &maker.twin().unwrap().story] {
            check(&board, &Claim::of(maker.plan(), story))
                .unwrap_or_else(|why| panic!("story {index}: {why}"));
        }
    }
}
