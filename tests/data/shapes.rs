//! Rows of stories, and rows with prompts: in every format, and in everything that reads rows.

use std::path::Path;

use serde_json::Value;
use storysim::dataset::{FIELDS, Fields, StoredRow, gather, spread};
use storysim::files::{files_at, rows_of};
use storysim::score::{Given, Options, Response, ResponseLine, Rule, extract};

use crate::program::{run, stderr, stdout};
use crate::tree::lines;

const BOARDS: [&str; 6] =
    ["first-order-mislead", "sally-anne", "world-model", "phone-numbers", "many-characters", "white-lies"];

const ENDINGS: [&str; 4] = ["jsonl", "jsonl.gz", "jsonl.zst", "parquet"];

fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output).to_owned()
}

/// Rows of some stories, with further options.
fn generated(board: &str, more: &[&str]) -> String {
    done(&[&["generate", board, "--count", "12", "--seed", "3", "--quiet"], more].concat())
}

fn parsed(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn stories_hold_the_very_rows() {
    for board in BOARDS {
        for more in [&[][..], &["--with-events"], &["--twins"], &["--with-events", "--prompt", "shots:2"]] {
            let board = if more.contains(&"--twins") { "free-play" } else { board };
            let rows = generated(board, more);
            let stories = generated(board, &[more, &["--shape", "stories"]].concat());
            let spread: Vec<String> =
                stories.lines().flat_map(|story| spread(story).expect("a story").unwrap()).collect();
            let mut wanted: Vec<&str> = rows.lines().collect();
            // World questions about things are told in a story of their own.
            let by_telling = |row: &&str| (parsed(row)[0]["index"].as_u64(), row.contains("-twin/"));
            let is_of_things = |row: &&str| row.contains("\"kind\":\"world_things\"");
            wanted.sort_by_key(|row| (by_telling(row), is_of_things(row)));
            assert_eq!(spread, wanted, "{board} {more:?}");
            let has_several = wanted.len() >= 2 * stories.lines().count() && more.is_empty();
            assert!(!has_several || stories.len() < rows.len() * 3 / 4, "{board}");
        }
    }
}

#[test]
fn a_story_says_once_what_its_rows_have_in_common() {
    let stories = parsed(&generated("world-model", &["--shape", "stories", "--with-events"]));
    for story in &stories {
        let id = story["id"].as_str().unwrap();
        let questions = story["questions"].as_array().unwrap();
        assert!(!questions.is_empty());
        let whole = id.strip_suffix("/things").unwrap_or(id);
        for question in questions {
            let own = question["id"].as_str().unwrap();
            assert_eq!(own.rsplit_once('/').unwrap().0, whole);
            assert_eq!(id != whole, question["kind"] == "world_things");
            assert!(question.get("story").is_none() && question.get("events").is_none());
            assert!(story.get("answer").is_none() && question["answer"].is_string());
        }
    }
    let ids: std::collections::BTreeSet<_> = stories.iter().map(|story| story["id"].as_str()).collect();
    assert_eq!(ids.len(), stories.len(), "every story has an id of its own");
}

#[test]
fn stories_are_read_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    for board in BOARDS {
        let more = ["--with-events", "--prompt", "cot"];
        let wanted: Vec<Fields> = generated(board, &more)
            .lines()
            .map(|row| Fields::of(&StoredRow::Line(row.to_owned())).unwrap())
            .collect();
        for ending in ENDINGS {
            let path = folder.path().join(format!("{board}.{ending}"));
            let out = ["--shape", "stories", "--out", path.to_str().unwrap()];
            generated(board, &[&more[..], &out].concat());
            let mut found: Vec<Fields> = rows_of(files_at(&path).unwrap())
                .map(|(_, _, row)| Fields::of(&row.unwrap()).unwrap())
                .collect();
            assert_eq!(found.len(), wanted.len(), "{board} {ending}");
            found.sort_by_key(|row| (row.index, wanted.iter().position(|other| other.id == row.id)));
            for (found, wanted) in found.iter().zip(&wanted) {
                let plain = |row: &Fields| Fields { events: Vec::new(), messages: Vec::new(), ..row.clone() };
                assert_eq!(plain(found), plain(wanted), "{board} {ending}");
                assert_eq!(found.messages, wanted.messages, "{board} {ending}");
                assert_eq!(found.events.len(), wanted.events.len(), "{board} {ending}");
            }
        }
    }
}

fn report(command: &str, arguments: &[&str]) -> Value {
    let mut report: Value =
        serde_json::from_str(&done(&[&[command, "--format", "json"], arguments].concat())).unwrap();
    // The name of the file.
    report.as_object_mut().unwrap().remove("dataset");
    report
}

#[test]
fn score_and_audit_read_stories_as_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (rows, stories, answers) = (path("rows.jsonl"), path("stories.parquet"), path("answers.jsonl"));
    generated("second-order-mislead", &["--out", &rows]);
    generated("second-order-mislead", &["--shape", "stories", "--out", &stories]);
    done(&["respond", &stories, "--as", "last-place", "--out", &answers]);
    assert_eq!(lines(Path::new(&answers)).len(), lines(Path::new(&rows)).len());
    assert_eq!(report("score", &[&rows, &answers]), report("score", &[&stories, &answers]));
    assert_eq!(report("audit", &[&rows]), report("audit", &[&stories]));
}

#[test]
fn folders_of_stories_are_verified() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rows");
    let out = out.to_str().unwrap();
    for ending in ["jsonl", "parquet"] {
        let of = format!("{out}.{ending}.folder");
        let more = ["--shape", "stories", "--prompt", "shots:1", "--format", ending, "--shard-size", "5"];
        generated("world-model", &[&more[..], &["--out", &of]].concat());
        done(&["verify", "--deep", &of]);
        let manifest = std::fs::read_to_string(Path::new(&of).join("manifest.json")).unwrap();
        assert!(manifest.contains("\"shape\": \"stories\"") && manifest.contains("\"prompt\": \"shots:1\""));
        let card = std::fs::read_to_string(Path::new(&of).join("README.md")).unwrap();
        assert!(
            card.contains("| `questions` |") && card.contains("--prompt shots:1 --shape stories"),
            "{card}"
        );
        // It is continued only as what it is.
        let other = run(&["generate", "world-model", "--count", "12", "--seed", "3", "--out", &of]);
        assert_eq!(other.status.code(), Some(2));
        assert!(
            stderr(&other).contains("shape of the rows: stories there, questions now"),
            "{}",
            stderr(&other)
        );
    }
}

#[test]
fn a_prompt_has_all_that_a_reader_needs_and_says_how_to_answer() {
    for board in BOARDS {
        for (kind, shots) in [("plain", 0), ("cot", 0), ("shots:3", 3)] {
            for row in parsed(&generated(board, &["--prompt", kind])) {
                let messages = row["messages"].as_array().unwrap();
                assert_eq!(messages.len(), 2 * shots + 1, "{row}");
                let (asked, examples) = messages.split_last().unwrap();
                let content = |message: &Value| message["content"].as_str().unwrap().to_owned();
                for name in ["context", "story", "question"] {
                    assert!(content(asked).contains(row[name].as_str().unwrap()), "{row}");
                }
                for choice in row["choices"].as_array().unwrap() {
                    assert!(content(asked).contains(&format!("\n- {}\n", choice.as_str().unwrap())));
                }
                assert_eq!(content(asked).contains("step by step"), kind == "cot");
                let prompt = row["prompt"].as_str().unwrap();
                assert!(prompt.ends_with(&content(asked)));
                for pair in examples.chunks(2) {
                    assert_eq!([&pair[0]["role"], &pair[1]["role"]], ["user", "assistant"]);
                    assert!(!content(&pair[0]).contains(row["story"].as_str().unwrap()));
                    assert!(prompt.contains(&format!("{}\n\n{}", content(&pair[0]), content(&pair[1]))));
                }
            }
        }
    }
}

/// Answers in the form that a prompt asks for are read without doubt: every choice of every built-in storyboard.
#[test]
fn answers_as_prompts_ask_for_them_are_found() {
    for board in storysim::storyboard::BUILT_IN {
        if board.name.ends_with("calibrated") || board.name.ends_with("goal") {
            continue;
        }
        let rows = done(&["generate", board.name, "--count", "5", "--seed", "9", "--quiet"]);
        for row in rows.lines() {
            let fields = Fields::of(&StoredRow::Line(row.to_owned())).unwrap();
            for choice in &fields.choices {
                for reply in
                    [format!("Answer: {choice}"), format!("First this, then that.\nAnswer: {choice}\n")]
                {
                    let found = extract(&Response::new(&reply), &Options::of(&fields));
                    assert_eq!(found.given, Given::Named(choice.clone()), "{}: {reply}", fields.id);
                    assert_eq!(found.rule, Some(Rule::Cue));
                }
            }
        }
    }
}

#[test]
fn examples_are_spread_over_answers_and_are_not_the_story_asked_about() {
    let rows = parsed(&generated("first-order-mislead", &["--prompt", "shots:6"]));
    let mut of_first = std::collections::BTreeSet::new();
    for row in &rows {
        let messages = row["messages"].as_array().unwrap();
        let replies = messages.iter().filter(|message| message["role"] == "assistant");
        let replies: Vec<&str> = replies.map(|message| message["content"].as_str().unwrap()).collect();
        let different: std::collections::BTreeSet<&str> = replies.iter().copied().collect();
        // There are six places, and each was the answer of some story.
        assert_eq!(different.len(), 6, "{replies:?}");
        of_first.insert(replies[0]);
    }
    assert!(of_first.len() > 2, "their order differs from row to row");
    assert_eq!(rows, parsed(&generated("first-order-mislead", &["--prompt", "shots:6", "--jobs", "1"])));
}

#[test]
fn prompts_change_nothing_else() {
    let known: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
    let plain = parsed(&generated("sally-anne", &[]));
    for (plain, mut row) in plain.into_iter().zip(parsed(&generated("sally-anne", &["--prompt", "plain"]))) {
        assert!(row.as_object().unwrap().keys().all(|name| known.contains(&name.as_str())));
        let fields = row.as_object_mut().unwrap();
        assert!(fields.remove("prompt").is_some() && fields.remove("messages").is_some());
        assert_eq!(plain, row);
    }
}

#[test]
fn a_batch_asks_every_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (rows, shots, stories) = (path("rows.jsonl"), path("shots.jsonl"), path("stories.jsonl.zst"));
    generated("sally-anne", &["--out", &rows]);
    generated("sally-anne", &["--prompt", "shots:2", "--out", &shots]);
    generated("sally-anne", &["--shape", "stories", "--out", &stories]);
    let batch = |dataset: &str, more: &[&str]| {
        parsed(&done(&[&["batch", dataset, "--model", "tiny"], more].concat()))
    };
    let wanted = lines(Path::new(&rows));
    for (dataset, more, messages) in [
        (&rows, &[][..], 1),
        (&shots, &[], 5),
        (&shots, &["--prompt", "cot"], 1),
        (&stories, &["--body", "{\"temperature\":0.5}"], 1),
    ] {
        let requests = batch(dataset, more);
        assert_eq!(requests.len(), wanted.len());
        for (request, row) in requests.iter().zip(&wanted) {
            assert_eq!(request["custom_id"], row["id"]);
            assert_eq!(
                (&request["method"], &request["url"]),
                (&"POST".into(), &"/v1/chat/completions".into())
            );
            let body = &request["body"];
            assert_eq!(
                (&body["model"], body["messages"].as_array().unwrap().len()),
                (&"tiny".into(), messages)
            );
            assert_eq!(body["temperature"].is_number(), dataset == &stories);
            let last = body["messages"][messages - 1]["content"].as_str().unwrap();
            assert!(last.contains(row["story"].as_str().unwrap()));
            // What comes back names the row by the same id.
            let message = serde_json::json!({"choices": [{"message": {"content": "Answer: box"}}]});
            let reply = serde_json::json!({"custom_id": request["custom_id"], "response": {"status_code": 200, "body": message}});
            assert_eq!(ResponseLine::of(&reply.to_string()).unwrap().id, row["id"].as_str().unwrap());
        }
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rows = path("rows.jsonl");
    generated("sally-anne", &["--out", &rows]);
    let cases: [(&[&str], i32, &str); 7] = [
        (&["generate", "sally-anne", "--count", "1", "--prompt", "shots:0"], 2, "`shots:K` with 1 to 32"),
        (&["generate", "sally-anne", "--count", "1", "--prompt", "poem"], 2, "not `poem`"),
        (&["generate", "sally-anne", "--count", "1", "--shape", "novels"], 2, "stories"),
        (&["batch", &rows, "--model", "m", "--body", "[1]"], 2, "not a JSON object"),
        (&["batch", &rows, "--model", "m", "--body", "{\"model\":\"n\"}"], 2, "name other settings"),
        (&["batch", &rows, "--model", "m", "--prompt", "shots:2"], 1, "generate --prompt shots:2"),
        (&["batch", &rows, "--model", "m", "--out", &rows], 2, "is an input file"),
    ];
    for (arguments, code, why) in cases {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(why), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
}

/// Stories that somebody has edited, or that are none.
#[test]
fn a_broken_story_is_an_error_and_no_panic() {
    let rows = generated("sally-anne", &[]);
    let mut story = String::new();
    gather(rows.lines().next().unwrap(), &mut story);
    let story = story.trim_end();
    assert!(spread(rows.lines().next().unwrap()).is_none());
    for broken in ["{\"questions\":[", "{\"id\":\"a\",\"questions\":[1]}", &story[..story.len() - 3]] {
        assert!(matches!(spread(broken), Some(Err(_))), "{broken}");
    }
    assert_eq!(spread("{\"questions\":[]}").unwrap().unwrap(), Vec::<String>::new());
    assert_eq!(spread("{\"questions\":[{}]}").unwrap().unwrap(), ["{}"]);
}
