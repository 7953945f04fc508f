//! What people read of stories that are wrong, and what hostile input costs.
//!
//! `tests/adherence/*.txt` hold a command, what stands on stdin, and what is said. `STORYSIM_GOLDEN=write` writes them.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::program::PROGRAM;

/// What input nobody would write may cost: seconds of processor time, kilobytes of address space.
const SECONDS_MAX: u32 = 4;
const KILOBYTES_MAX: u32 = 500_000;

/// A house, in which the story of `messages` goes on.
const HOUSE: &str = "storysim: 1
name: house
characters: {pool: [Ann, Bob, Cas, Dora], count: 3}
roles: [S1, T]
places: {hall: [attic, cellar], attic: [hall], cellar: [hall]}
start: hall
bind: {first: {not: [hall]}}
parameters: {pause: 1}
horizon: 4 + pause
events:
  - {at: 1, meet: {who: [S1, T], in: first}}
  - {at: 2, move: {who: T, to: hall}}
  - {from: 3, for: pause, idle: [S1, T]}
  - {at: 2, note: \"{T} hums.\"}
ensure:
  - {true_belief: [S1, T]}
";

/// A kitchen with things.
const KITCHEN: &str = "storysim: 1
name: kitchen
characters: {pool: [Ann, Bob, Cas]}
roles: [A, B]
places: {complete: [kitchen, garden]}
start: kitchen
containers: {box: kitchen, basket: {in: kitchen, is: closed}}
objects: {ball: {in: [box, basket]}}
propositions: {gift: {says: \"{A} has a gift\", denies: \"{A} has no gift\", is: true, known: [A]}}
play: {move: 2, move_object: 1, tell: 1}
horizon: 3
events:
  - {at: 0, tell: {who: A, to: present, that: gift}}
";

/// A manor, whose names are shown otherwise than written.
const MANOR: &str = "storysim: 1
name: manor
characters: {pool: [Ann, old_tom, the_cook]}
roles: [S1, T]
places: {complete: [the_great_hall, room_1, room_2]}
start: the_great_hall
bind: {first: {not: [the_great_hall]}}
containers: {tool_box: room_1}
objects: {brass_key: tool_box}
horizon: 3
events:
  - {at: 0, move: {who: T, to: first}}
  - {at: 0, note: \"{first} is dark.\"}
  - {at: 1, take: {who: T, object: brass_key}}
";

/// A table at which Ann is spared the truth.
const TABLE: &str = "storysim: 1
name: table
characters: {pool: [Ann, Lou, Kim]}
roles: [A, L, T]
places: {table: [away], away: [table]}
start: table
style: conversation
parameters: {level: 1}
matters: {cake: {by: L, to: T, level: level}}
horizon: 5
events:
  - {at: 0, move: {who: T, to: away}}
  - {at: 1, reveal: {who: L, that: cake.reason}, with: A, without: T}
  - {at: 2, reveal: {who: A, that: cake.truth}}
  - {at: 3, move: {who: T, to: table}}
  - {at: 4, tell: {who: L, to: present, that: {cake.claim: true}}, with: [A, T]}
";

/// The name of a case, the storyboard, what else stands on the command line, and the story.
const CASES: &[(&str, &str, &[&str], &str)] = &[
    (
        "satisfied",
        HOUSE,
        &[],
        "1. Ann enters attic.\n2. Bob enters attic.\n3. Bob enters hall. Bob hums.\n4. Cas enters cellar.\n5. Cas enters hall\n",
    ),
    ("unknown-name", HOUSE, &[], "Ann enters attic. Bbo enters attic. Zoe enters hall."),
    ("another-inflection", HOUSE, &[], "Ann enters attic.\nBob entered attic.\nBob enters hal."),
    (
        "sentence-of-another-kind",
        KITCHEN,
        &[],
        "Ann tells everyone in kitchen that Ann has a gift. Bob quickly moves the ball into the box. Cas moves the bell into the box.",
    ),
    (
        "jump",
        HOUSE,
        &[],
        "Ann enters attic. Bob enters attic. Bob enters cellar. Cas enters cellar. Cas enters hall.",
    ),
    (
        "where-she-is-already",
        HOUSE,
        &[],
        "Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Cas enters hall. Cas enters cellar.",
    ),
    (
        "idle-broken",
        HOUSE,
        &["--cast", "S1=Ann,T=Bob"],
        "Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Ann enters hall. Cas enters cellar.",
    ),
    (
        "meeting-missed",
        HOUSE,
        &[],
        "Ann enters attic. Bob enters cellar. Bob enters hall. Bob hums. Cas enters cellar. Cas enters hall.",
    ),
    (
        "too-short",
        HOUSE,
        &[],
        "Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Cas enters cellar.",
    ),
    (
        "too-long",
        HOUSE,
        &[],
        "Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Cas enters cellar. Cas enters hall. Cas enters attic.",
    ),
    (
        "too-many-people",
        HOUSE,
        &[],
        "Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Cas enters cellar. Dora enters cellar.",
    ),
    (
        "no-note",
        HOUSE,
        &[],
        "Ann enters attic. Bob enters attic. Bob enters hall. Cas enters cellar. Cas enters hall.",
    ),
    (
        "goal-not-met",
        HOUSE,
        &[],
        "Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Cas enters cellar. Bob enters cellar.",
    ),
    (
        "cast-of-nobody",
        HOUSE,
        &["--cast", "S1=Zoe"],
        "Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Cas enters cellar. Bob enters cellar.",
    ),
    ("cast-misspelt", HOUSE, &["--cast", "fist=attic"], "Ann enters attic."),
    ("cast-off-the-map", HOUSE, &["--cast", "first=atic"], "Ann enters attic."),
    ("no-such-parameter", HOUSE, &["--set", "pauze=2"], "Ann enters attic."),
    (
        "another-horizon",
        HOUSE,
        &["--set", "pause=2"],
        "Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Cas enters cellar. Bob enters cellar.",
    ),
    (
        "deed-impossible",
        KITCHEN,
        &[],
        "Ann tells everyone in kitchen that Ann has a gift. Bob enters garden. Bob moves the ball into the box.",
    ),
    (
        "said-without-knowing",
        KITCHEN,
        &["--cast", "A=Ann", "--cast", "B=Bob"],
        "Bob tells everyone in kitchen that Ann has a gift. Bob enters garden. Cas enters garden.",
    ),
    (
        "said-elsewhere",
        KITCHEN,
        &[],
        "Ann tells everyone in garden that Ann has a gift. Bob enters garden. Cas enters garden.",
    ),
    (
        "where-the-ball-was",
        KITCHEN,
        &[],
        "Ann tells everyone in kitchen that Ann has a gift. Bob moves the ball into the box. Cas enters garden.",
    ),
    (
        "names-as-shown",
        MANOR,
        &[],
        "The cook enters room 1. room 1 is dark. The cook takes the brass key. Ann enters room 2.",
    ),
    (
        "names-either-way",
        MANOR,
        &["--cast", "T=the cook,first=room_1"],
        "the_cook enters room_1. room 1 is dark. The cook takes the brass_key. old tom enters room_2.",
    ),
    ("name-of-several-words-misspelt", MANOR, &[], "The cook enters the grand hall. Old tim enters room 2."),
    ("empty", HOUSE, &[], " \n\n"),
    (
        "rows",
        HOUSE,
        &[],
        concat!(
            r#"{"id":"good","params":{"pause":1},"cast":{"S1":"Ann","T":"Bob","first":"attic"},"start":"hall","story":"Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Cas enters cellar. Cas enters hall."}"#,
            "\n",
            r#"{"id":"another cast","params":{"pause":1},"cast":{"S1":"Ann","T":"Cas"},"start":"hall","story":"Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Cas enters cellar. Cas enters hall."}"#,
            "\n",
            r#"{"id":"other events","start":"hall","story":"Ann enters attic. Bob enters attic.","events":[[0,"Ann","enters","attic"],[1,"Bob","enters","cellar"]]}"#,
            "\n",
            r#"{"id":"unread","start":"hall","story":"Ann enters attic. Bob leaves."}"#,
            "\n",
            r#"{"id":"misspelt","params":{"pauze":1},"story":"Ann enters attic."}"#,
            "\n",
            r#"{"id":"wrong start","start":{"Ann":"attic","Bob":"hall","Cas":"hall"},"story":"Bob enters attic."}"#,
            "\n",
            r#"{"id":"nothing"}"#,
            "\n",
            r#"{"id":"cut"#,
            "\n",
            r#"[1]"#,
            "\n",
            r#"{"id":"log","characters":["Ann","Bob","Cas"],"locations":["hall","attic","cellar"],"start":{"Ann":"hall","Bob":"hall","Cas":"hall"},"events":[{"t":0,"type":"enter","who":"Ann","place":"attic"},{"t":1,"type":"enter","who":"Bob","place":"attic"},{"t":2,"type":"enter","who":"Bob","place":"hall"},{"t":3,"type":"enter","who":"Cas","place":"cellar"},{"t":4,"type":"enter","who":"Cas","place":"hall"}]}"#,
            "\n",
            r#"{"id":"nowhere","characters":["Ann"],"locations":["hall"],"start":{"Ann":null},"events":[{"t":0,"type":"enter","who":"Ann","place":"hall"}]}"#,
            "\n",
        ),
    ),
    (
        "one-object-on-many-lines",
        HOUSE,
        &[],
        "{\n  \"id\": \"good\",\n  \"story\": \"Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Cas enters cellar. Cas enters hall.\"\n}\n",
    ),
    (
        "conversations",
        TABLE,
        &[],
        concat!(
            r#"{"id":"good","characters":["Ann","Lou","Kim"],"parts":[{"present":["Ann","Lou","Kim"],"utterances":[{"speaker":"Ann","conveys":[]}]},{"present":["Lou","Kim"],"utterances":[{"conveys":["real_reason"]},{"conveys":["truth"]}]},{"present":["Ann","Lou","Kim"],"utterances":[{"speaker":"Lou","conveys":["lie"]}]}]}"#,
            "\n",
            r#"{"id":"a hint","params":{"level":2},"characters":["Ann","Lou","Kim"],"parts":[{"present":["Ann","Lou","Kim"],"utterances":[]},{"present":["Lou","Kim"],"utterances":[{"speaker":"Lou","conveys":["real_reason"]},{"speaker":"Kim","conveys":["truth"]}]},{"present":["Ann","Lou","Kim"],"utterances":[{"speaker":"Lou","conveys":["lie"]}]}]}"#,
            "\n",
            r#"{"id":"told by another","characters":["Ann","Lou","Kim"],"parts":[{"present":["Ann","Lou","Kim"],"utterances":[]},{"present":["Lou","Kim"],"utterances":[{"speaker":"Lou","conveys":["real_reason"]},{"speaker":"Lou","conveys":["truth"]}]},{"present":["Ann","Lou","Kim"],"utterances":[{"conveys":["lie"]}]}]}"#,
            "\n",
            r#"{"id":"she hears it","characters":["Ann","Lou","Kim"],"parts":[{"present":["Ann","Lou","Kim"],"utterances":[{"conveys":["real_reason"]},{"conveys":["truth"]}]},{"present":["Ann","Lou","Kim"],"utterances":[{"conveys":["lie"]}]}]}"#,
            "\n",
            r#"{"id":"too open","characters":["Ann","Lou","Kim"],"parts":[{"present":["Ann","Lou","Kim"],"utterances":[{"conveys":["truth","truth","truth","truth","truth"]}]}]}"#,
            "\n",
            r#"{"id":"no number","params":{"level":"high"},"characters":["Ann"],"parts":[]}"#,
            "\n",
        ),
    ),
    (
        "conversation-about-nothing",
        HOUSE,
        &[],
        r#"{"id":"talk","characters":["Ann","Bob"],"parts":[{"present":["Ann","Bob"],"utterances":[{"conveys":["lie"]}]}]}"#,
    ),
];

fn run(board: &str, arguments: &[&str], story: &[u8], limits: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let name = board.lines().nth(1).unwrap().strip_prefix("name: ").unwrap().to_owned() + ".yaml";
    std::fs::write(folder.path().join(&name), board).unwrap();
    let script = format!("{limits} exec \"$0\" check-story \"$@\"");
    let mut program = Command::new("sh")
        .args(["-c", &script, PROGRAM, &name, "-"])
        .args(arguments)
        .current_dir(folder.path())
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = program.stdin.take().unwrap();
    let story = story.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&story))); // it may have seen enough
    let output = program.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

#[test]
fn messages() {
    let write = std::env::var_os("STORYSIM_GOLDEN").is_some_and(|value| value == "write");
    let mut wrong = Vec::new();
    for (name, board, arguments, story) in CASES {
        let output = run(board, arguments, story.as_bytes(), "");
        let (stdout, stderr) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        let code = output.status.code().unwrap();
        let board_name = board.lines().nth(1).unwrap();
        let said = format!(
            "{board_name} {}\n\n{story}\n--- stdout\n{stdout}--- stderr\n{stderr}--- exit code {code}\n",
            arguments.join(" ")
        );
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/adherence/{name}.txt"));
        if write {
            std::fs::write(path, said).unwrap();
        } else if std::fs::read_to_string(path).ok().as_deref() != Some(&said) {
            wrong.push(format!("{name}:\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}\nSTORYSIM_GOLDEN=write writes them", wrong.join("\n"));
}

#[test]
fn hostile_input_is_refused_quickly() {
    let limits = format!("ulimit -t {SECONDS_MAX}; ulimit -v {KILOBYTES_MAX};");
    let megabytes = |piece: &str, megabytes: usize| piece.repeat(megabytes * (1 << 20) / piece.len());
    for (what, story, wanted) in [
        ("a line of 50 MB", megabytes("a", 50).into_bytes(), "is longer than"),
        ("a word of 30 MB", megabytes("a", 30).into_bytes(), "the pool has no character with this name"),
        ("a story of 30 MB", megabytes("Ann enters attic. ", 30).into_bytes(), "the story should have ended"),
        (
            "many wrong sentences",
            megabytes("Zoe enters attic. ", 30).into_bytes(),
            "the pool has no character",
        ),
        ("a JSON line of 50 MB", (r#"{"story":""#.to_owned() + &megabytes("a", 50)).into_bytes(), "0 of 1"),
        ("deep nesting", (r#"{"a":"#.to_owned() + &"[".repeat(1_000_000)).into_bytes(), "0 of 1"),
        ("nothing", Vec::new(), "contains no story"),
        ("blanks", megabytes(" \n", 50).into_bytes(), "contains no story"),
        ("zero bytes", vec![0; 1 << 20], "is not text"),
        ("bytes", (0..=255).cycle().take(1 << 20).collect(), "is not UTF-8"),
        ("a broken character", b"Ann enters attic. \xff".to_vec(), "is not UTF-8"),
        ("a row that is not UTF-8", b"{\"story\":\"\xff\"}\n".to_vec(), "0 of 1"),
        ("many empty objects", megabytes("{}\n", 1).into_bytes(), "0 of 349525"),
    ] {
        let output = run(HOUSE, &[], &story, &limits);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{what}: {said}");
        assert!(said.contains(wanted), "{what}: {said}");
    }
}

/// Forty people, a hundred places, three roles and three binds: found at once, whether the story is good or not.
#[test]
fn large_boards_take_no_time() {
    let ways: String = (0..100)
        .map(|at: usize| {
            format!("  p{at}: [p{}, p{}, p{}]\n", (at + 1) % 100, (at + 99) % 100, (at + 7) % 100)
        })
        .collect();
    let names: Vec<String> = (0..40).map(|at| format!("c{at}")).collect();
    let board = format!(
        "storysim: 1\nname: large\ncharacters: {{pool: [{}]}}\nroles: [A, B, C]\nplaces:\n{ways}start: p0\n\
         bind: {{x: {{}}, y: {{next_to: x}}, z: {{next_to: y, not: [x]}}}}\nhorizon: 400\n\
         events:\n  - {{at: 300, meet: {{who: [A, B, C], in: x}}}}\n  - {{at: 301, move: {{who: C, to: y}}}}\n\
         - {{from: 302, for: 50, idle: [A, B, C]}}\n  - {{at: 352, move: {{who: C, to: z}}}}\n\
         - {{from: 353, until: end, apart: [A, C]}}\nquestions: [{{belief: [A, C]}}]\n",
        names.join(", ")
    )
    .replace("\n- {from", "\n  - {from");
    let parsed = storysim::storyboard::parse(storysim::diagnostic::Source {
        name: "large".into(),
        text: board.clone(),
    });
    let parsed = parsed.unwrap_or_else(|broken| panic!("{:?}", broken.problems));
    let free = board.split("events:").next().unwrap().to_owned() + "questions: [{reality: A}]\n";
    let free = storysim::storyboard::parse(storysim::diagnostic::Source { name: "free".into(), text: free })
        .unwrap();
    let family = storysim::select::Family::from(storysim::compile::compile(&free, &[]).unwrap().plan);
    let mut row = String::new();
    storysim::dataset::RowMaker::new(&family, 7, &[], Default::default()).rows(0, &mut row);
    let row: serde_json::Value = serde_json::from_str(row.lines().next().unwrap()).unwrap();
    assert_eq!(parsed.roles.len(), 3);
    let limits = format!("ulimit -t {SECONDS_MAX}; ulimit -v {KILOBYTES_MAX};");
    let output = run(&board, &[], row["story"].as_str().unwrap().as_bytes(), &limits);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("not satisfied: step "));
}

/// Of a story that was not read nothing is said: it may well satisfy the storyboard.
#[test]
fn what_is_too_long_is_not_judged() {
    let good = r#""story":"Ann enters attic. Bob enters attic. Bob enters hall. Bob hums. Cas enters cellar. Cas enters hall.""#;
    let blanks = " ".repeat(33 << 20);
    for long in
        [format!("{{\"id\":\"long\",{blanks}{good}}}"), format!("{{\n\"id\":\"long\",{blanks}{good}}}")]
    {
        let is_one_line = !long.contains('\n');
        let story = format!("{{\"id\":\"good\",{good}}}\n{long}\n{{\"id\":\"next\",{good}}}\n");
        let story = if is_one_line { story } else { long };
        let output = run(HOUSE, &[], story.as_bytes(), "");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        let verdicts: Vec<serde_json::Value> =
            said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let satisfied: Vec<Option<bool>> =
            verdicts.iter().map(|verdict| verdict["satisfied"].as_bool()).collect();
        let wanted: &[_] = if is_one_line { &[Some(true), None, Some(true)] } else { &[None] };
        assert_eq!(satisfied, wanted);
        assert!(said.contains("is longer than 33554432 bytes, the limit for a story"), "{said}");
        let summary = String::from_utf8_lossy(&output.stderr);
        let wanted = if is_one_line { "2 of 3 stories satisfy house" } else { "0 of 1 story satisfy house" };
        assert!(summary.contains(&format!("{wanted}; for 1 it is not known")), "{summary}");
    }
}

/// A misspelt name is told before a story is looked for.
#[test]
fn the_cast_is_checked_first() {
    for (cast, said) in
        [("T1=Ann", "has no role, bind, object or proposition called T1"), ("S1=Zoe", "S1 cannot be Zoe")]
    {
        let output =
            crate::program::run(&["check-story", "first-order-mislead", "no-such-story.txt", "--cast", cast]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(said));
        // Neither is it a matter of each row.
        let rows = br#"{"id":"row","story":"Ann enters attic."}"#;
        let output = run(HOUSE, &["--cast", cast], rows, "");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    }
}

/// Rows of woven stories are judged, each board's part on its own; what is wrong is said of the board that it is in.
#[test]
fn woven_rows_are_judged() {
    let board =
        "storysim: 1\nname: two\nweave: [{board: sally-anne, rename: {S1: Sally, S2: Anne}}, rumour]\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.yaml");
    std::fs::write(&path, board).unwrap();
    let made = crate::program::run(&["generate", path.to_str().unwrap(), "--count", "20", "--with-events"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let judged = |rows: &str| {
        let output = run(board, &[], rows.as_bytes(), "");
        let said = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), said(output.stdout), said(output.stderr))
    };
    let rows = String::from_utf8(made.stdout).unwrap();
    let (code, _, said) = judged(&rows);
    let count = rows.lines().count();
    assert!(code == 0 && said.contains(&format!("{count} of {count} stories satisfy two")), "{said}");

    // The one who should be away when the marble is moved comes back before.
    let first = rows.lines().next().unwrap();
    let row: serde_json::Value = serde_json::from_str(first).unwrap();
    let mut wrong = row.clone();
    let names = ["Sally", "Anne"].map(|role| row["cast"][role].clone());
    (wrong["cast"]["Sally"], wrong["cast"]["Anne"]) = (names[1].clone(), names[0].clone());
    let (code, verdict, _) = judged(&wrong.to_string());
    assert!(code == 1 && verdict.contains("in `sally-anne`: "), "{verdict}");

    // Who plays whom has to be said.
    let mut open = row;
    open["cast"].as_object_mut().unwrap().remove("Anne");
    let (code, verdict, _) = judged(&open.to_string());
    assert!(
        code == 1
            && verdict.contains(
                "set some names with --cast NAME=VALUE. Still open, with the number of candidates: Anne ("
            ),
        "{verdict}"
    );
    let (code, _, said) = judged("Sally enters the garden.");
    assert!(code == 2 && said.contains("words alone do not say who belongs to which"), "{said}");
}

/// A row says in which words its story is told.
#[test]
fn rows_are_read_in_their_own_words() {
    let make = ["generate", "sally-anne", "--count", "30", "--with-events", "--wording", "varied"];
    let made = crate::program::run(&make);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let rows = String::from_utf8(made.stdout).unwrap();
    let judged = |rows: &str| {
        std::fs::write(&path, rows).unwrap();
        let output = crate::program::run(&["check-story", "sally-anne", path.to_str().unwrap()]);
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    assert!(rows.contains("\"wording\":\"varied\""));
    let (code, verdicts) = judged(&rows);
    assert_eq!((code, verdicts.lines().count()), (0, rows.lines().count()), "{verdicts}");
    let (code, verdicts) = judged(&rows.replace("\"wording\":\"varied\"", "\"wording\":\"mine\""));
    assert!(
        code == 1 && verdicts.contains("which is no built-in wording nor that of its storyboard"),
        "{verdicts}"
    );
    let (code, _) = judged(&rows.replace("\"wording\":\"varied\",", ""));
    assert_eq!(code, 1);
}
