//! `respond --as last-words:N`: where evidence stands in a story, as its writer says; and what is answered, as a plain search in
//! the text says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;
use storysim::dataset::{Fields, RowMaker, RowOptions, StoredRow};
use storysim::form::QuestionKind;
use storysim::prose::RowReader;
use storysim::respond::reach;
use storysim::storyboard::{BUILT_IN, Storyboard, Style, parse};
use storysim::text::{Display, Lexicon, Words};
use tempfile::TempDir;

use crate::effort::{part, times};
use crate::program::{run, stderr, stdout};
use crate::storyboards::family;

/// For every step, how many of the last words begin with the sentence that tells its event, according to the writer's own parts.
fn written(maker: &RowMaker<'_>, seed: u64, display: Display) -> (String, Vec<usize>) {
    let lexicon = Lexicon::new(maker.plan(), seed, str::to_owned);
    let mut words = Words::default();
    lexicon.draw(maker.story(), &mut words);
    let parts = lexicon.parts(maker.story(), &words, display);
    let mut from = BTreeMap::new();
    let (mut told, mut begins, mut is_ended) = (0, 0, true);
    for part in &parts {
        // A part that does not end with a full stop goes on in the next one.
        if is_ended {
            begins = told;
        }
        is_ended = part.text.ends_with('.');
        if let Some(step) = part.step {
            from.entry(step).or_insert(begins);
        }
        told += part.text.split(' ').count();
    }
    let steps = from.keys().copied().collect::<Vec<usize>>();
    assert_eq!(steps, (0..steps.len()).collect::<Vec<usize>>());
    let text = parts.into_iter().map(|part| part.text).collect::<Vec<String>>().join(" ");
    (text, from.into_values().map(|begins| told - begins).collect())
}

/// Compares how far back evidence reaches in some stories. Returns how many rows there were, and how many sentences tell two steps.
fn compared(board: &Storyboard, stories: u64) -> (usize, usize) {
    let family = family(board);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS);
    let reader = RowReader::new(board);
    let (mut rows, mut joined) = (0, 0);
    for index in 0..stories {
        let mut lines = String::new();
        maker.rows(index, &mut lines);
        for line in lines.lines() {
            let with = Fields::of(&StoredRow::Line(line.to_owned())).unwrap();
            let plain = Fields { events: Vec::new(), ..with.clone() };
            let is_of_things = with.question_kind() == Some(QuestionKind::WorldThings);
            let (text, words) =
                written(&maker, 7, if is_of_things { Display::Things } else { Display::People });
            assert_eq!(text, with.story);
            let wanted = with.evidence.iter().map(|&step| words[step]).max();
            let wanted = wanted.unwrap_or_else(|| text.split(' ').count());
            for row in [&with, &plain] {
                assert_eq!(reach(&reader, row), Ok(wanted), "{}: {}", row.id, row.story);
            }
            joined += words.windows(2).filter(|pair| pair[0] == pair[1]).count();
            rows += 1;
        }
    }
    (rows, joined)
}

#[test]
fn evidence_is_found_where_the_writer_put_it() {
    let [mut rows, mut joined] = [[0; 2]; 2];
    for known in part(BUILT_IN, 0, 1) {
        let board = Storyboard { balance: None, ..parse(known.source()).unwrap() };
        if board.style != Style::Report || !board.prospects.is_empty() {
            continue;
        }
        for (at, board) in [board.clone(), board.reworded("varied")].iter().enumerate() {
            let found = compared(board, times(1));
            (rows[at], joined[at]) = (rows[at] + found.0, joined[at] + found.1);
        }
    }
    assert!(rows.iter().all(|rows| *rows > 20), "{rows:?}");
    assert!(joined[0] == 0 && joined[1] > 10, "{joined:?}");
}

/// A folder with rows in it, and what they are answered there.
struct Desk(TempDir);

impl Desk {
    fn with(arguments: &[&str]) -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        let made = run(&[&["generate", "--quiet", "--out", &desk.at("rows.jsonl")], arguments].concat());
        assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
        desk
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn rows(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.at("rows.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn write(&self, rows: &[Value]) {
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        fs::write(self.at("rows.jsonl"), text).unwrap();
    }

    /// For every row, what is answered, without what stands before it.
    fn answers(&self, who: &str) -> Vec<String> {
        let said = run(&["respond", &self.at("rows.jsonl"), "--as", who, "--seed", "5"]);
        assert_eq!(said.status.code(), Some(0), "{}", stderr(&said));
        let answer = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap();
            line["response"].as_str().unwrap().strip_prefix("Answer: ").unwrap().to_owned()
        };
        stdout(&said).lines().map(answer).collect()
    }

    fn refused(&self, more: &[&str], code: i32, why: &str) {
        let output = run(&[&["respond", &self.at("rows.jsonl")], more].concat());
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains(why), "{why}: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"));
    }
}

fn story(row: &Value) -> &str {
    row["story"].as_str().unwrap()
}

/// How many of the last words hold the evidence of a plain row about walks, where each sentence tells one step.
fn needed(row: &Value) -> usize {
    let sentences: Vec<&str> = story(row).split_inclusive(". ").collect();
    let from = row["evidence"].as_array().unwrap().iter().map(|step| step.as_u64().unwrap() as usize).min();
    sentences[from.unwrap_or(0)..].concat().split_whitespace().count()
}

/// Rows of stories of a hundred steps, with twins, are answered right where their evidence is within the window; otherwise as
/// `random` answers them, which is at chance.
#[test]
fn what_is_beyond_the_window_is_guessed() {
    let desk = Desk::with(&["first-order-mislead", "world-model", "--count", "300"]);
    let mut rows = desk.rows();
    rows.retain(|row| row["kind"] != "world_things");
    desk.write(&rows);
    let random = desk.answers("random");
    let mut guessed = Vec::new();
    for words in [0, 250, 350, 100_000] {
        let answers = desk.answers(&format!("last-words:{words}"));
        assert_eq!(answers.len(), rows.len());
        let mut inside = 0;
        for ((row, answer), random) in rows.iter().zip(&answers).zip(&random) {
            let is_inside = needed(row) <= words;
            let wanted = if is_inside { row["answer"].as_str().unwrap() } else { random };
            assert_eq!(answer, wanted, "{words}: {}", row["id"]);
            inside += usize::from(is_inside);
            if !is_inside && words == 0 {
                let chance = 1.0 / row["choices"].as_array().unwrap().len() as f64;
                guessed.push((row["answer"] == **answer, chance));
            }
        }
        match words {
            0 => assert_eq!(inside, 0),
            100_000 => assert_eq!(inside, rows.len()),
            _ => assert!(inside > 20 && inside < rows.len(), "{words}: {inside}"),
        }
    }
    let right = guessed.iter().filter(|(is_right, _)| *is_right).count() as f64;
    let chance: f64 = guessed.iter().map(|(_, chance)| chance).sum();
    let deviation = guessed.iter().map(|(_, chance)| chance * (1.0 - chance)).sum::<f64>().sqrt();
    assert!((right - chance).abs() < 4.0 * deviation, "{right} of {}, {chance} expected", guessed.len());
}

/// One word more or less decides; and twins, whose stories differ, are each answered by their own.
#[test]
fn the_window_is_exact() {
    let desk = Desk::with(&["first-order-calibrated", "--twins", "--count", "8"]);
    let rows: Vec<Value> = desk.rows().into_iter().filter(|row| row["kind"] == "belief").take(12).collect();
    let twins: BTreeSet<Option<&str>> = rows.iter().map(|row| row["twin"].as_str()).collect();
    assert!(rows.iter().any(|row| twins.contains(&row["id"].as_str())));
    // So many choices that no guess is right.
    let rows = rows.into_iter().map(|mut row| {
        let more = (0..1_000_000_usize).step_by(1000).map(|at| Value::from(format!("place {at}")));
        row["choices"].as_array_mut().unwrap().extend(more);
        row
    });
    for row in rows {
        let words = story(&row).split_whitespace().count();
        let mut bare = row.clone();
        bare["evidence"] = Value::Array(Vec::new());
        for (row, exact) in [(&row, needed(&row)), (&bare, words)] {
            desk.write(std::slice::from_ref(row));
            let is_right = |words: usize| desk.answers(&format!("last-words:{words}"))[0] == row["answer"];
            assert!(is_right(exact) && is_right(words) && !is_right(exact - 1), "{exact}: {}", row["id"]);
        }
    }
}

#[test]
fn what_cannot_be_read_is_said() {
    let desk = Desk::with(&["first-order-mislead", "--count", "2", "--with-events"]);
    let rows = desk.rows();
    let ask = ["--as", "last-words:100"];
    let changed = |field: &str, value: Value, why: &str| {
        let mut row = rows[1].clone();
        row[field] = value;
        desk.write(&[rows[0].clone(), row]);
        desk.refused(&ask, 1, &format!("rows.jsonl:2: {why}"));
    };
    let told = story(&rows[1]);
    changed("story", format!("{told} It rains.").into(), "the pool has no character with this name: ");
    changed(
        "story",
        told.split_inclusive(". ").skip(1).collect::<String>().into(),
        "`story` and `events` disagree",
    );
    changed("evidence", serde_json::json!([4000]), "its evidence has step 4000, but its story 1");
    changed("wording", "slang".into(), "its story is told in the words of \"slang\"");
    changed("wording", "occ".into(), "its story is told in the words of \"occ\"");
    changed("board", "mine".into(), "its storyboard, \"mine\", is not built in: give its file with --board");
    desk.write(&rows);
    for (name, why) in [
        (
            "oracle",
            "it is one of last-place, first-common, order-below, random, perfect, refuser, last-words:N",
        ),
        ("last-word:7", "last-words:N"),
        ("last-words", "takes a number of words, such as last-words:4000, 20k or 1M"),
        ("last-words:", "takes a number of words"),
        ("last-words:+7", "takes a number of words"),
        ("last-words:1.5k", "takes a number of words"),
        ("last-words:99999999999999999M", "takes a number of words"),
    ] {
        desk.refused(&["--as", name], 2, why);
    }
    desk.refused(&["--as", "perfect", "--board", "x.yaml"], 2, "--board is only for --as last-words:N");
    for board in ["white-lies", "dynamic-minds"] {
        let desk = Desk::with(&[board, "--count", "1"]);
        desk.refused(&ask, 1, "rows.jsonl:1: its story cannot be read back: ");
    }
    // A storyboard of one's own.
    let board = fs::read_to_string("storyboards/first-order-mislead.yaml").unwrap();
    fs::write(desk.at("mine.yaml"), board.replace("name: first-order-mislead", "name: mine")).unwrap();
    let mine = Desk::with(&[&desk.at("mine.yaml"), "--count", "2"]);
    let asked =
        ["respond", &mine.at("rows.jsonl"), "--as", "last-words:1M", "--board", &desk.at("mine.yaml")];
    let answered = run(&asked);
    assert_eq!((answered.status.code(), stdout(&answered).lines().count()), (Some(0), mine.rows().len()));
}
