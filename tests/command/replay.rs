//! Logs of our own: what is answered, what is refused, and how that is explained.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use storysim::log::{Departures, Switches, replay};

use crate::program::{PROGRAM, stderr, stdout};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs")
}

/// Runs `storysim replay` in the folder of logs.
fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.arg("replay").args(arguments).env("NO_COLOR", "1").env("COLUMNS", "100").current_dir(folder());
    command.output().unwrap()
}

fn run_on(stdin: &[u8], arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.arg("replay").args(arguments).env("NO_COLOR", "1").env("COLUMNS", "100");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // If it refuses early, it does not read to the end.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

/// Every log of `tests/logs` gives the output that stands beside it: exit code, stdout and stderr, strictly and
/// leniently. To accept a change: `ACCEPT=1 cargo test --test command replay::`.
#[test]
fn logs_give_what_stands_beside_them() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".jsonl"))
        .collect();
    names.sort();
    assert!(names.len() >= 8);
    for name in names {
        let mut told = String::new();
        for arguments in [&[name.as_str()][..], &[&name, "--lenient"]] {
            let output = run(arguments);
            told.push_str(&format!(
                "$ storysim replay {}\n{}{}(exit code {})\n\n",
                arguments.join(" "),
                stdout(&output),
                stderr(&output),
                output.status.code().unwrap()
            ));
        }
        let path = folder().join(name.replace(".jsonl", ".txt"));
        if std::env::var_os("ACCEPT").is_some() {
            std::fs::write(&path, &told).unwrap();
        }
        let wanted = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(told, wanted, "{}", path.display());
    }
}

/// A log of three in two rooms, with a ball in the box, which stands in the hall beside the basket.
fn log(start: Value, events: Value) -> Value {
    json!({"id": "own", "characters": ["Ann", "Bob", "Cat"], "locations": ["hall", "attic"], "start": start,
        "objects": {"ball": "box"}, "containers": {"box": "hall", "basket": "hall"}, "events": events})
}

fn everyone(place: Value) -> Value {
    json!({"Ann": place, "Bob": place, "Cat": place})
}

/// The answers of `chain > about`, with `?` for what is open, and why.
fn answers(log: &Value, questions: &[&str], switches: Switches) -> Vec<String> {
    let mut log = log.clone();
    let question = |text: &&str| {
        let (chain, about) = text.rsplit_once(" > ").unwrap_or(("", text));
        let chain: Vec<&str> = chain.split(" > ").filter(|name| !name.is_empty()).collect();
        json!({"kind": if chain.is_empty() { "reality" } else { "belief" }, "chain": chain, "about": about})
    };
    log["questions"] = questions.iter().map(question).collect();
    let replayed = replay(&log.to_string(), switches);
    assert!(replayed.problems.kept.is_empty(), "{:?}", replayed.problems);
    let read = |row: &storysim::log::Row| {
        let row = serde_json::to_value(row).unwrap();
        match &row["answer"] {
            Value::String(answer) => answer.clone(),
            _ => format!("?{}", row["reading"].as_str().unwrap()),
        }
    };
    replayed.rows.iter().map(read).collect()
}

fn check(log: &Value, switches: Switches, wanted: &[(&str, &str)]) {
    let questions: Vec<&str> = wanted.iter().map(|(question, _)| *question).collect();
    for ((question, wanted), found) in wanted.iter().zip(answers(log, &questions, switches)) {
        assert_eq!(found, *wanted, "{question}");
    }
}

#[test]
fn departures_show_where_to_or_not() {
    let story =
        log(everyone(json!("hall")), json!([{"t": 0, "type": "enter", "who": "Ann", "place": "attic"}]));
    let vanish = Switches { departures: Some(Departures::Vanish), ..Switches::default() };
    check(
        &story,
        Switches::default(),
        &[("Bob > Ann", "attic"), ("Bob > Cat > Ann", "attic"), ("Ann > Bob", "hall")],
    );
    check(&story, vanish, &[("Bob > Ann", "?nowhere"), ("Ann", "attic"), ("Ann > Bob", "hall")]);
}

#[test]
fn who_comes_out_of_nowhere_was_expected_nowhere() {
    let events = json!([
        {"t": 0, "type": "enter", "who": "Ann", "place": "hall"},
        {"t": 1, "type": "leave", "who": "Ann", "place": "hall"},
        {"t": 2, "type": "enter", "who": "Bob", "place": "attic"},
    ]);
    let story = log(everyone(Value::Null), events);
    check(
        &story,
        Switches::default(),
        &[("Ann", "?nowhere"), ("Ann > Bob", "?nowhere"), ("Ann > ball", "box")],
    );
    check(&story, Switches::default(), &[("Bob > ball", "?no_idea"), ("Ann > Bob > ball", "?no_idea")]);
    check(&story, Switches::default(), &[("Bob > Ann > ball", "?no_idea")]); // he takes her to be nowhere yet
}

#[test]
fn joint_entries_are_one_event_however_they_are_written() {
    let enter = |t: u32, who: &str| json!({"t": t, "type": "enter", "who": who, "place": "hall"});
    let joint =
        |who: &str| json!({"t": 0, "type": "enter", "who": who, "place": "hall", "joint": ["Ann", "Bob"]});
    let then = json!({"t": 5, "type": "leave", "who": "Cat", "place": "hall"});
    let ways = [
        json!([enter(0, "Ann"), enter(0, "Bob"), then]),
        json!([joint("Ann"), then]),
        json!([joint("Ann"), joint("Bob"), then]),
    ];
    for start in [json!("attic"), Value::Null] {
        for events in &ways {
            let story = log(json!({"Ann": start, "Bob": start, "Cat": "hall"}), events.clone());
            check(
                &story,
                Switches::default(),
                &[
                    ("Ann > ball", "box"),
                    ("Bob > Ann > ball", "box"),
                    ("Cat > Ann > Bob", "hall"),
                    ("Bob > Cat", "?nowhere"),
                ],
            );
        }
    }
}

#[test]
fn those_who_leave_together_know_it() {
    let events = json!([
        {"t": 0, "type": "leave", "who": "Ann", "place": "hall"},
        {"t": 0, "type": "leave", "who": "Bob", "place": "hall"},
        {"t": 1, "type": "move_object", "who": "Cat", "object": "ball", "to": "basket"},
        {"t": 2, "type": "enter", "who": "Bob", "place": "hall"},
    ]);
    check(
        &log(everyone(json!("hall")), events),
        Switches::default(),
        &[
            ("Ann > Bob", "?nowhere"),
            ("Cat > Ann > Bob", "?unclear"), // since he came back without her
            ("Ann > Cat", "hall"),
            ("Ann > ball", "box"),
            ("Bob > ball", "basket"),
            ("Bob > Ann > ball", "box"), // he knows that she was not there
            ("Cat > Ann > ball", "box"),
        ],
    );
}

#[test]
fn what_is_in_containers_is_seen_if_they_are_open() {
    let events = json!([
        {"t": 0, "type": "enter", "who": "Ann", "place": "attic"},
        {"t": 1, "type": "state", "object": "ball", "container": "box", "room": "hall"},
        {"t": 2, "type": "move_object", "who": "Bob", "object": "ball", "to": "basket"},
        {"t": 3, "type": "enter", "who": "Ann", "place": "hall"},
    ]);
    let story = log(everyone(json!("hall")), events);
    let closed = Switches { containers_are_open: Some(false), ..Switches::default() };
    check(&story, Switches::default(), &[("Ann > ball", "basket"), ("Bob > Ann > ball", "basket")]);
    check(
        &story,
        closed,
        &[("Ann > ball", "?no_idea"), ("Cat > ball", "basket"), ("Cat > Ann > ball", "?no_idea")],
    );
}

#[test]
fn tellings_are_believed_by_those_who_are_named_or_who_do_not_know_better() {
    let tell = |listeners: Value, believers: Value| {
        json!([
            {"t": 0, "type": "leave", "who": "Cat", "place": "hall"},
            {"t": 1, "type": "tell", "speaker": "Ann", "listeners": listeners,
                "content": {"object": "ball", "container": "basket"}, "believers": believers},
        ])
    };
    let story = |listeners, believers| log(everyone(json!("hall")), tell(listeners, believers));
    // Bob sees that it is in the box.
    check(
        &story(json!("public"), Value::Null),
        Switches::default(),
        &[("Bob > ball", "box"), ("Cat > Bob > ball", "box")],
    );
    check(
        &story(json!("public"), json!(["Bob"])),
        Switches::default(),
        &[
            ("Bob > ball", "basket"),
            ("Bob > Ann > ball", "basket"),
            ("Ann > Bob > ball", "basket"),
            ("Ann > ball", "box"),
            ("Cat > Bob > ball", "box"),
        ],
    );
    check(
        &story(json!(["Ann", "Cat"]), json!(["Cat", "Ann"])),
        Switches::default(),
        &[("Cat > ball", "basket"), ("Bob > Cat > ball", "box")],
    );
}

/// One example of a conversation, with every type of question.
#[test]
fn conversations() {
    let said = |speaker: &str, what: &str| json!([{"speaker": speaker, "conveys": [what]}]);
    let question = |kind: &str, about: &str, chain: Value, options: Value| json!({"type": kind, "about": about, "asker_chain": chain, "options": options});
    let yes_or_no = json!(["no", "yes"]);
    let log = json!({"id": 3, "characters": {"host": "Mia", "guest": "Rob", "friend": "Sue"}, "parts": [
        {"part": 1, "present": ["H", "F"], "utterances": said("Mia", "real_reason")},
        {"part": 2, "present": ["H", "G"], "utterances": said("host", "lie")},
    ], "questions": [
        question("comprehension", "lie", json!([]), json!(["Yes", "No"])),
        question("fact_reason", "real_reason", json!([]), json!([["H"], ["F", "H"], ["F", "G"]])),
        question("answerability_list", "real_reason", json!([]), json!(["H", "G", "F"])),
        question("infoAccessibility_binary", "real_reason", json!(["G"]), yes_or_no.clone()),
        question("liedetectability_list", "lie", json!([]), json!(["H", "G", "F"])),
        question("liedetectability_binary", "lie", json!(["F"]), yes_or_no),
        question("belief", "real_reason", json!(["H"]), json!([
            ["B", "H", ["discussed", ["F"], "real_reason"]], ["B", "H", ["discussed", ["G"], "real_reason"]],
            ["U", "H", ["discussed", ["F"], "real_reason"]], null])),
        question("belief", "real_reason", json!(["G", "F"]), json!([
            ["U", "G", ["B", "F", "real_reason"]], ["B", "G", ["B", "F", "real_reason"]],
            ["U", "G", ["U", "F", "real_reason"]]])),
        question("belief", "lie", json!(["H", "G"]), json!([["B", "H", ["B", "G", "lie"]], ["B", "H", "lie"]])),
        question("lieability", "real_reason", json!(["H"]), json!([
            ["B", "H", ["U", "G", "real_reason"]], ["U", "H", ["U", "G", "real_reason"]]])),
        question("belief", "lie", json!(["F"]), json!([["B", "F", "lie"]])),
        question("belief", "lie", json!(["F"]), json!([["U", "G", "real_reason"], ["B", "G", "lie"]])),
        question("justification", "lie", json!([]), json!(["it is kind", "it is not"])),
    ]});
    let replayed = replay(&log.to_string(), Switches::default());
    assert!(replayed.problems.kept.is_empty(), "{:?}", replayed.problems);
    let found: Vec<Value> = replayed.rows.iter().map(|row| serde_json::to_value(row).unwrap()).collect();
    let found: Vec<Value> = found
        .iter()
        .map(|row| if row["answer"].is_null() { row["reading"].clone() } else { row["answer"].clone() })
        .collect();
    assert_eq!(
        found,
        [
            json!("No"),
            json!(["F", "H"]),
            json!(["F", "H"]),
            json!("no"),
            json!(["H"]),
            json!("no"),
            json!(["B", "H", ["discussed", ["F"], "real_reason"]]),
            json!(["U", "G", ["B", "F", "real_reason"]]),
            json!(["B", "H", ["B", "G", "lie"]]),
            json!(["B", "H", ["U", "G", "real_reason"]]),
            json!("no_option"),
            json!("several_options"),
            json!("not_derivable"),
        ]
    );
}

/// The examples of `docs/logs.md` are what the program prints.
#[test]
fn the_documentation_is_true() {
    let page = include_str!("../../docs/logs.md");
    let block = |language: &str| -> Vec<&str> {
        let fence = format!("```{language}\n");
        let starts: Vec<usize> = page.match_indices(&fence).map(|(at, _)| at + fence.len()).collect();
        starts.iter().map(|&start| page[start..].split("```").next().unwrap()).collect()
    };
    let jsons = block("json");
    let printed = |log: &str| {
        let output = run_on(log.replace('\n', "").as_bytes(), &["-"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output).to_owned()
    };
    assert_eq!(printed(jsons[0]), block("jsonl")[0]);
    assert!(printed(jsons[1]).contains(r#""answer":["F","H"]"#));
}

const GOOD: &str = r#"{"id":1,"characters":["Ann"],"locations":["hall"],"start":{"Ann":"hall"},"events":[],"questions":[{"kind":"reality","about":"Ann"}]}"#;

#[test]
fn answers_go_to_a_file_that_is_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("answers.jsonl");
    let path = out.to_str().unwrap();
    let bad = format!("{GOOD}\n{{\n");
    assert_eq!(run_on(bad.as_bytes(), &["-", "--out", path]).status.code(), Some(1));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let output = run_on(bad.as_bytes(), &["-", "--out", path, "--lenient"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), ""));
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().count(), 1);
    for out in ["folder", "answers.parquet"] {
        let output = run_on(GOOD.as_bytes(), &["-", "--out", folder.path().join(out).to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{out}: {}", stderr(&output));
    }
    let twice = run(&["the-apple.jsonl", "the-apple.jsonl"]);
    assert_eq!(stdout(&twice).lines().count(), 12);
    assert_eq!(run(&["there-is-no-such.jsonl"]).status.code(), Some(3));
    assert_eq!(run(&["."]).status.code(), Some(3));
    assert_eq!(run_on(b"", &["-", "--departures", "sideways"]).status.code(), Some(2));
}

#[test]
fn lines_are_read_whatever_bytes_they_hold() {
    let both = format!("\u{feff}{GOOD}\r\n\n  \n{GOOD}");
    let output = run_on(both.as_bytes(), &["-"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().count(), 2);
    let output = run_on(&[GOOD.as_bytes(), b"\n\"\xff\"\n"].concat(), &["-"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("stdin:2:2"), "{}", stderr(&output));
}

/// Monstrous lines end in an answer or an explanation, in little time and memory.
#[test]
fn monstrous_lines() {
    let depth = 2_000_000;
    let deep = format!("{{\"x\": {}{}, {}", "[".repeat(depth), "]".repeat(depth), &GOOD[1..]);
    let chain = vec!["\"Ann\",\"Bob\""; 400_000].join(",");
    let long_chain = format!(
        "{{\"id\":1,\"characters\":[\"Ann\",\"Bob\"],\"locations\":[\"hall\"],\"start\":{{\"Ann\":\"hall\",\"Bob\":\"hall\"}},\
         \"events\":[],\"questions\":[{{\"kind\":\"belief\",\"chain\":[{chain}],\"about\":\"Bob\"}}]}}"
    );
    let noise = vec![r#"{"t":0,"type":"nosie"}"#; 300_000].join(",");
    let wrong_events = GOOD.replace("\"events\":[]", &format!("\"events\":[{noise}]"));
    let question = |chain: usize| {
        format!(r#"{{"kind":"belief","chain":[{}],"about":"Ann"}}"#, vec!["\"Ann\",\"Bob\""; chain].join(","))
    };
    let question = question(10_000);
    let step = |at: usize| {
        format!(r#"{{"t":0,"type":"{}","who":"Ann","place":"hall"}}"#, ["leave", "enter"][at % 2])
    };
    let steps: Vec<String> = (0..200_000).map(step).collect();
    let slow = format!(
        "{{\"id\":1,\"characters\":[\"Ann\",\"Bob\"],\"locations\":[\"hall\"],\"start\":{{\"Ann\":\"hall\",\"Bob\":\"hall\"}},\
         \"events\":[{}],\"questions\":[{question}]}}",
        steps.join(",")
    );
    for (line, code, wanted) in [
        (deep, 0, "reality"),
        (long_chain, 1, "this chain of minds has to keep"),
        (wrong_events, 1, "… and 299980 more"),
        (slow, 1, "the questions of this log take too long to answer"),
        ("x".repeat((64 << 20) + 2) + "\n" + GOOD, 1, "this line is too long"),
    ] {
        let started = std::time::Instant::now();
        let output = run_on(line.as_bytes(), &["-"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{wanted}: {said}");
        assert!(said.contains(wanted), "{wanted}: {said}");
        assert!(said.len() < 20_000, "{wanted}: {} bytes", said.len());
        println!("{wanted}: {:?}", started.elapsed());
    }
}
