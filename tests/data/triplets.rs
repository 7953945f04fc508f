//! Triplets: held, by what their rows say, against all that is promised of them. The number of triplets of every storyboard is
//! that of pairs.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rayon::prelude::*;
use serde_json::{Value, json};
use storysim::audit::{Subject, page};
use storysim::dataset::{RowMaker, RowOptions};
use storysim::plan::{Plan, Target};
use storysim::select::{Family, Twinning};
use storysim::simulate::Story;
use storysim::storyboard::Storyboard;
use storysim::verify::Inspector;
use storysim::world::{Item, Scene, Value as Held};

use crate::program::{run, stderr};
use crate::storyboards::{board, family_with};
use crate::twins::{BOUND, LARGE, MARBLE, Pair, SEED, TALK, WALK, audit_of, pairs, steps, text};

/// All storyboards that can have triplets.
fn boards() -> Vec<String> {
    let with = |board: &str, name: &str, rest: &str| {
        board.replacen("name: ", &format!("name: {name}-"), 1) + rest + "\n"
    };
    vec![
        with(WALK, "one", "questions: [{belief: [S1, T]}, {reality: T}]"),
        with(WALK, "two", "questions: [{belief: [S1, S2, T]}, {belief: [S1, T]}]"),
        with(WALK, "three", "questions: [{reality: T}, {belief: [S1, S2, S3, T]}]"),
        with(
            WALK,
            "balanced",
            "questions: [{reality: T}, {belief: [S1, T]}]\nbalance: {question: 1, answer: uniform, false_belief: 1/2}",
        ),
        with(WALK, "goal", "ensure: [{false_belief: [S1, S2, T]}]\nquestions: [{belief: [S1, S2, T]}]"),
        with(
            BOUND,
            "all",
            "questions: [{belief: [S1, T]}, {belief: [S2, T], before: late}, {belief: [S2, S1, T]}]",
        ),
        with(LARGE, "all", "questions: [{belief: [S1, T]}]"),
        with(
            MARBLE,
            "all",
            "questions: [{belief: [S1, marble]}, {knows: [S2, marble]}, {belief: [S1, ball]}]",
        ),
        with(MARBLE, "deep", "questions: [{belief: [S2, S1, marble]}]"),
        with(MARBLE, "balanced", "questions: [{belief: [S1, marble]}]\nbalance: {false_belief: 1/2}"),
        with(MARBLE, "people", "questions: [{belief: [S1, S2]}]"),
        with(MARBLE, "goal", "ensure: [{false_belief: [S1, marble]}]\nquestions: [{belief: [S1, marble]}]"),
        with(TALK, "person", "questions: [{belief: [P3, P1]}, {who_knows: party}]"),
        with(TALK, "deep", "questions: [{belief: [P2, P3, P1]}]"),
    ]
}

/// The same, and what their triplets are drawn from. It takes a while to balance some.
static ADMITTED: LazyLock<Vec<(Storyboard, Family)>> = LazyLock::new(|| {
    let admitted = |source: &String| {
        let board = board(source);
        let family = family_with(&board, Twinning::Triplets);
        (board, family)
    };
    boards().par_iter().map(admitted).collect()
});

fn maker<'a>(board: &'a Storyboard, family: &'a Family) -> RowMaker<'a> {
    RowMaker::new(family, SEED, &[], RowOptions::WITH_EVENTS).with(board, Twinning::Triplets)
}

/// The number of the question that counts.
fn asked(plan: &Plan) -> usize {
    plan.balance.as_ref().map_or_else(
        || plan.questions.iter().position(|asked| asked.kind.key() == "belief").unwrap(),
        |balance| balance.question,
    )
}

/// The ids of the three rows of a question.
fn ids(plan: &Plan, index: u64, question: usize) -> [String; 3] {
    ["", "-twin", "-target"].map(|mark| format!("{}/{SEED}/{index}{mark}/{question}", plan.name))
}

/// Rows name each other, and the three of the question that counts offer the same.
fn are_linked(rows: &BTreeMap<String, Value>, plan: &Plan, (index, question): (u64, usize), at: [usize; 2]) {
    for row in rows.values() {
        let number: usize = text(row, "id").rsplit_once('/').unwrap().1.parse().unwrap();
        let ids = ids(plan, index, number);
        assert_eq!(row["triplet"], json!(ids));
        let which = ids.iter().position(|id| *id == text(row, "id")).unwrap();
        assert_eq!(text(row, "twin"), ids[[1, 0, 0][which]]);
        assert_eq!(row["differs_at"], json!(at[[0, 0, 1][which]]));
    }
    let [story, others @ ..] = ids(plan, index, question).map(|id| &rows[&id]);
    for twin in others {
        for same in ["cast", "start", "context", "question", "chain", "about", "choices"] {
            assert_eq!(story[same], twin[same], "{same} of {}", twin["id"]);
        }
        assert_ne!(story["answer"], twin["answer"]);
    }
    for row in [story].into_iter().chain(others) {
        let right = &row["choices"][row["label"].as_u64().unwrap() as usize];
        assert_eq!(row["answer"], *right);
    }
}

/// The name of whoever holds the target before a step, if it is a thing that somebody holds.
fn holders(plan: &Plan, question: usize, story: &Story, step: usize) -> Vec<Value> {
    let Target::Item(target) = plan.questions[question].target else { panic!("a belief") };
    let mut scene = Scene::new(&story.trace.start, &story.trace.stage);
    let before = story.trace.unfold().take(step);
    before.for_each(|happened| scene.apply(happened.event, &happened.deed.act));
    match (target, scene.value(target)) {
        (Item::Object(_), Held::Hands(who)) => vec![json!(plan.pool[story.names[who.index()]])],
        _ => Vec::new(),
    }
}

/// Whether an event, or a part of one, names somebody.
fn names(event: &Value, who: &Value) -> bool {
    event == who || event.as_array().is_some_and(|parts| parts.iter().any(|part| names(part, who)))
}

/// By the events of the rows alone: those of every mind are the same, step by step, and in the one event that differs, the
/// target takes part, or whoever holds it then.
fn leaves_the_minds_alone([story, twin]: [&Value; 2], holders: &[Value]) {
    let [one, other] = [story, twin].map(steps);
    assert!(one.keys().eq(other.keys()));
    let minds = story["chain"].as_array().unwrap();
    let mut differing = Vec::new();
    for (step, events) in &one {
        let others = &other[step];
        let name = |events: &[&[Value]], who: &Value| {
            events.iter().flat_map(|event| event.iter()).any(|part| names(part, who))
        };
        for mind in minds {
            let of_mind = |events: &[&[Value]]| -> Vec<Vec<Value>> {
                let named = events.iter().filter(|event| event.iter().any(|part| names(part, mind)));
                named.map(|event| event.to_vec()).collect()
            };
            assert_eq!(of_mind(events), of_mind(others), "{mind} at {step} of {}", twin["id"]);
        }
        if events != others {
            differing.push(*step);
            let mut of_target = holders.iter().chain([&story["about"]]);
            assert!(of_target.any(|who| name(events, who) || name(others, who)), "{events:?} {others:?}");
        }
    }
    assert_eq!(json!(differing), json!([twin["differs_at"]]));
}

/// Of every storyboard: one event apart, all legal, the target's or the minds' events the same, the answers not, and all right.
#[test]
fn triplets_are_what_they_should_be() {
    ADMITTED.par_iter().for_each(|(board, family)| {
        let plan = &family.plans()[0];
        let question = asked(plan);
        let mut maker = maker(board, family);
        let inspector = Inspector::new(plan, SEED, &[]);
        for index in 0..pairs() {
            let mut told = String::new();
            assert_eq!(maker.rows(index, &mut told), told.lines().count());
            let rows: BTreeMap<String, Value> = told
                .lines()
                .map(|row| serde_json::from_str(row).unwrap())
                .map(|row: Value| (text(&row, "id").to_owned(), row))
                .collect();
            let [twin, other] = maker.twins() else { panic!("two twins") };
            for (mark, story) in [("", maker.story()), ("-twin", &twin.story), ("-target", &other.story)] {
                let id = |mark| format!("{{\"id\":\"{}/{SEED}/{index}{mark}/", plan.name);
                let own: Vec<&str> = told.lines().filter(|row| row.starts_with(&id(mark))).collect();
                assert_eq!(inspector.inspect(story, &own.join("\n").replace(&id(mark), &id(""))), []);
            }
            are_linked(&rows, plan, (index, question), [twin.step, other.step]);
            let [story, first, second] = ids(plan, index, question).map(|id| rows[&id].clone());
            leaves_the_minds_alone([&story, &second], &holders(plan, question, maker.story(), other.step));
            let pair = |row: Value, twin: &'_ storysim::select::Twin| {
                let pair = Pair {
                    board,
                    plan,
                    question,
                    index,
                    rows: [vec![story.clone()], vec![row]],
                    traces: [&maker.story().trace, &twin.story.trace],
                    step: twin.step,
                };
                pair.differs_in_one_event();
                pair.satisfies_the_storyboard();
                pair.answers_by_the_definition();
                if std::ptr::eq(twin, &maker.twins()[0]) {
                    pair.leaves_the_target_alone();
                }
            };
            pair(first, twin);
            pair(second, other);
        }
    });
}

/// Value stability: these bytes may never change without a heading in CHANGELOG.md.
#[test]
fn bytes_are_a_promise() {
    let mut hashes = Vec::new();
    for (board, family) in ADMITTED.iter() {
        let mut rows = String::new();
        let mut maker = maker(board, family);
        for index in (0..10).rev() {
            maker.rows(index, &mut rows);
        }
        let hash = &blake3::hash(rows.as_bytes()).to_hex()[..16];
        hashes.push(format!("{}: {} rows, {hash}", family.name(), rows.lines().count()));
    }
    insta::assert_debug_snapshot!("triplet_bytes", hashes);
}

/// Where there can be no triplets, nothing is written, and why is said.
#[test]
fn storyboards_without_triplets_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.yaml");
    let forced = "events: [{from: 0, for: 5, idle: T}, {at: 5, move: {who: T, to: room_2}}, {from: 6, for: 34, idle: T}]\n";
    for (board, expected) in [
        (format!("{WALK}questions: [{{belief: [S1, S2, S1]}}]\n"), "is one of its minds"),
        (format!("{TALK}questions: [{{belief: [P3, party]}}]\n"), "a proposition does nothing"),
        (format!("{WALK}questions: [{{reality: T}}]\n"), "but no question asks for"),
        (
            format!("{WALK}groups: {{some: [S1, S2]}}\nquestions: [{{belief: [some, T]}}]\n"),
            "but this one leaves open",
        ),
        (format!("{WALK}{forced}questions: [{{belief: [S1, T]}}]\n"), "stories has twins of both kinds"),
    ] {
        std::fs::write(&path, board).unwrap();
        let output = run(&["generate", path.to_str().unwrap(), "--count", "3", "--twins=triplets"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    let unknown = run(&["generate", "free-play", "--count", "3", "--twins=quartets"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("possible values: pairs, triplets"), "{}", stderr(&unknown));
}

/// A folder knows that it has triplets, in every format; whatever the threads, they are the same, and `verify` makes them again.
#[test]
fn folders_keep_triplets() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let board = path("board.yaml");
    std::fs::write(&board, format!("{WALK}questions: [{{belief: [S1, T]}}, {{belief: [S2, S1, T]}}]\n"))
        .unwrap();
    let done = |arguments: &[&str]| {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        (stderr(&output).to_owned(), String::from_utf8(output.stdout).unwrap())
    };
    let make = ["generate", &board, "--count", "40"];
    let formats = if cfg!(feature = "parquet") { &["jsonl.zst", "parquet"][..] } else { &["jsonl.zst"] };
    for format in formats {
        let out = path(format);
        let how = ["--format", format, "--split", "train=0.7,test=0.3", "--out", &out];
        let (said, _) = done(&[&make[..], &how, &["--twins=triplets", "--check"]].concat());
        assert!(said.contains("40 stories and their two twins each"), "{said}");
        done(&["verify", "--deep", &out]);
        let mixed = run(&[&make[..], &how, &["--twins"]].concat());
        assert!(stderr(&mixed).contains("twins: triplets there, true now"), "{}", stderr(&mixed));
        let card = std::fs::read_to_string(format!("{out}/README.md")).unwrap();
        assert!(card.contains("| `triplet` |") && card.contains(" --twins=triplets"), "{card}");
        let (_, audited) = done(&["audit", &out, "--format", "json", "--sample", "50"]);
        let report: Value = serde_json::from_str(&audited).unwrap();
        assert_eq!(report["groups"][0]["triplets"]["triplets"], json!(40), "{audited}");
    }
    let triplets = [&make[..], &["--twins=triplets"]].concat();
    let (_, whole) = done(&[&triplets[..], &["--jobs", "1"]].concat());
    assert_eq!(whole, done(&[&triplets[..], &["--jobs", "3"]].concat()).1);
    // The same pairs are made whichever way they are asked for, and know nothing of triplets.
    let (_, pairs) = done(&[&make[..], &["--twins"]].concat());
    assert_eq!(pairs, done(&[&make[..], &["--twins=pairs"]].concat()).1);
    assert!(!pairs.contains("target/") && !pairs.contains("\"triplet\""));
}

/// Of how many triplets a shortcut gets all three right is counted once more, from the rows' own foils; those that look at the
/// target or at the minds alone get none.
#[test]
fn audit_counts_triplets() {
    let source = format!("{WALK}questions: [{{belief: [S1, S2, T]}}]\n");
    let board = board(&source);
    let family = family_with(&board, Twinning::Triplets);
    let (mut maker, mut rows) = (maker(&board, &family), String::new());
    for index in 0..300 {
        maker.rows(index, &mut rows);
    }
    let parsed: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let report = audit_of(rows.lines());
    assert_eq!((report.alone, report.groups[0].twins.as_ref().unwrap().pairs), (Some(0), 300));
    let found = report.groups[0].triplets.as_ref().unwrap();
    assert_eq!((found.triplets, found.alike), (300, 0));
    let of = |key: &str| found.shortcuts.iter().find(|finding| finding.key == key).unwrap();
    for foil in ["last_common_place", "lower_order", "own_place", "last_place", "second_last_place"] {
        let right = |row: &Value| row["foils"][foil] == row["answer"];
        let share = |which: &[usize]| {
            let all = parsed.chunks(3).filter(|trio| which.iter().all(|&at| right(&trio[at]))).count();
            all as f64 / 300.0
        };
        assert!((of(foil).all - share(&[0, 1, 2])).abs() < 1e-12, "{foil}");
        assert!((of(foil).story_and_second - share(&[0, 2])).abs() < 1e-12, "{foil}");
    }
    assert_eq!(found.impossible(), None);
    for kind in ["target alone", "minds alone"] {
        let alone = found.shortcuts.iter().filter(|finding| finding.looks_at() == kind);
        assert!(alone.clone().count() >= 4 && alone.clone().all(|finding| finding.all == 0.0), "{kind}");
    }
    // Half of the first twins are gone: so are their triplets.
    let short = audit_of(rows.lines().filter(|row| !row.contains("0-twin/0\",\"board")));
    assert_eq!(short.alone, Some(60));
}

/// If a shortcut that looks at the minds alone gets a story and its second twin right, they are no triplet.
#[test]
fn audit_marks_triplets_that_are_none() {
    let ids = ["b/0/0/0", "b/0/0-twin/0", "b/0/0-target/0"];
    let row = |at: usize, place: &str| {
        json!({"id": ids[at], "twin": ids[usize::from(at == 0)], "triplet": ids, "board": "b", "story": "",
            "question": "Where?", "answer": place, "choices": ["hall", "attic"],
            "label": usize::from(place == "attic"), "kind": "belief", "order": 1, "about": "T",
            "chain": ["S"], "foils": {"own_place": place}})
        .to_string()
    };
    let rows = [row(0, "hall"), row(1, "attic"), row(2, "attic")];
    let report = audit_of(rows.iter().map(String::as_str));
    let found = report.groups[0].triplets.as_ref().unwrap();
    assert_eq!(found.impossible().unwrap().key, "own_place");
    let html = page(&report, Subject { dataset: "rows.jsonl", ..Subject::default() }).html();
    assert!(html.contains("minds alone: these are not triplets"), "{html}");
}
