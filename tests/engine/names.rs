//! Names as readers see them: without underscores in all that is read, unchanged in all that refers to the storyboard,
//! and read back in either spelling.

use std::collections::BTreeMap;

use serde_json::Value;
use storysim::adherence::{Judge, Row};
use storysim::compile::compile;
use storysim::dataset::{Fields, RowMaker, RowOptions, StoredRow};
use storysim::select::Family;
use storysim::spelling::shown;
use storysim::storyboard::Storyboard;
use storysim::verify::Inspector;

use crate::json::{text, texts};
use crate::storyboards::board;

/// Underscores and articles wherever a name can have them.
const NAMES: &str = r#"
storysim: 1
name: names
characters: {pool: [the_cook, old_tom, Ann, "his brother", "Mary Ann"], count: 4}
roles: [S1, S2, T]
places: {complete: [the_hall, room_1, room_12, "room 2"]}
start: {T: room_1, else: the_hall}
bind: {first: {not: [the_hall]}}
containers: {tool_chest: room_1, my_tin: {in: the_hall, is: closed}}
objects:
  brass_key: {in: [tool_chest, S1], known: [S1, T]}
  marble: {in: [room_12, my_tin], known: none}
propositions:
  old_gift: {says: "the gift for {S1} is in {first}", denies: "the gift for {S1} is lost", known: [S2], wrong: [T]}
attitudes: [oil_painting]
play: {move: 6, take: 2, put: 2, carry: 1, open: 1, close: 1, tell: 2, whisper: 1, react: 1, move_object: 1}
horizon: 14
events:
  - {at: 2, note: "{S1} hums. {T} is not in {first}!"}
  - {at: 4, note: "{first} is dark."}
  - {at: 6, distracted: S2}
  - {from: 8, until: 10, peek: T}
questions:
  - belief: [S1, brass_key]
  - belief: [S2, S1, marble]
  - belief: [S1, T]
  - knows: [S1, S2, brass_key]
  - who_knows: brass_key
  - belief: [S1, old_gift]
  - who_likes: [S1, oil_painting]
  - {belief: [S2, T], before: 9}
"#;

/// The fields that readers read, and those that are compared with their answers.
const READ: [&str; 7] = ["context", "story", "question", "answer", "choices", "truth", "foils"];

fn rows(storyboard: &Storyboard, stories: u64) -> Vec<String> {
    let plan = compile(storyboard, &[]).unwrap().plan;
    let inspector = Inspector::new(&plan, 7, &[]);
    let family = Family::from(plan.clone());
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS);
    let mut rows = String::new();
    for index in 0..stories {
        let from = rows.len();
        maker.rows(index, &mut rows);
        assert_eq!(inspector.inspect(maker.story(), &rows[from..]), []);
    }
    rows.lines().map(str::to_owned).collect()
}

#[test]
fn what_is_read_is_shown_and_what_refers_is_written() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in rows(&board(NAMES), 60) {
        let row: Value = serde_json::from_str(&line).unwrap();
        for field in READ {
            assert!(!row[field].to_string().contains('_') || field == "foils", "{field} of {line}");
        }
        let foils = row["foils"].as_object().unwrap();
        assert!(foils.values().all(|foil| !foil.to_string().contains('_')), "{line}");
        // In every direction without a guess.
        let names = row["names"].as_array().unwrap();
        let pairs: BTreeMap<&str, &str> = names.iter().map(|name| (text(&name[0]), text(&name[1]))).collect();
        assert_eq!(pairs.len(), names.len());
        let wanted = [
            "the_hall",
            "room_1",
            "room_12",
            "tool_chest",
            "my_tin",
            "brass_key",
            "oil_painting",
            "the_cook",
            "old_tom",
        ];
        let mut written: Vec<&str> = pairs.values().copied().collect();
        written.sort_unstable();
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        assert_eq!(written, wanted);
        let is_written = |name: &str| !pairs.contains_key(name);
        assert!(row["cast"].as_object().unwrap().values().map(text).all(is_written), "{line}");
        assert!(row["start"].as_object().unwrap().values().map(text).all(is_written), "{line}");
        assert!(row["start"].as_object().unwrap().keys().map(String::as_str).all(is_written), "{line}");
        assert!(texts(&row["chain"]).into_iter().chain([text(&row["about"])]).all(is_written), "{line}");
        for event in row["events"].as_array().unwrap() {
            assert!(event.as_array().unwrap().iter().filter_map(Value::as_str).all(is_written), "{line}");
        }
        // Where a sentence begins, an article has a capital letter.
        let story = text(&row["story"]);
        for (what, phrase) in [
            ("people", ". The cook "),
            ("people with a possessive", ". His brother "),
            ("a place", "is not in room 2! Room"),
            ("others", ". old tom "),
            ("within", " and nobody notices the cook."),
        ] {
            *counts.entry(what).or_default() += usize::from(story.contains(phrase));
        }
        for wrong in [". the cook", "! the cook", ". his brother", "! the hall", " The hall "] {
            assert!(!story.contains(wrong), "{wrong:?} in {story}");
        }
    }
    assert!(
        counts["people"] > 20 && counts["people with a possessive"] > 20 && counts["others"] > 20,
        "{counts:?}"
    );
    assert!(counts["within"] > 0 && counts["a place"] == 0, "{counts:?}");
}

/// A row is read back as it is, with all names as shown, with all names as written, and in words alone.
#[test]
fn rows_are_read_back_in_either_spelling() {
    let board = board(NAMES);
    let parameters = [];
    for line in rows(&board, 40) {
        let row: Value = serde_json::from_str(&line).unwrap();
        let all_shown = {
            let fields = Fields::of(&StoredRow::Line(line.clone())).unwrap().as_shown();
            let mut all_shown = row.clone();
            all_shown["start"] = fields.start.clone();
            all_shown["cast"] = serde_json::to_value(&fields.cast).unwrap();
            all_shown["events"] = fields.events.clone().into();
            assert!(!all_shown["events"].to_string().contains("brass_key"));
            all_shown
        };
        let mut all_written = row.clone();
        for field in ["context", "story"] {
            let mut text = text(&row[field]).to_owned();
            let mut names: Vec<&Value> = row["names"].as_array().unwrap().iter().collect();
            names.sort_by_key(|pair| std::cmp::Reverse(text_of(pair, 0).len()));
            for pair in names {
                let (shown, written) = (text_of(pair, 0), text_of(pair, 1));
                text = text.replace(shown, written).replace(&capital(shown), written);
            }
            all_written[field] = text.into();
        }
        let judge = Judge::new(&board, &parameters);
        for row in [&row, &all_shown, &all_written] {
            for without in ["", "events", "story"] {
                let mut row = row.clone();
                row.as_object_mut().unwrap().remove(without);
                let read = Row::new(&row).unwrap();
                let account = read
                    .account(&board, judge.reader())
                    .unwrap_or_else(|problem| panic!("{problem:?}: {row}"));
                let cast = judge.as_written(&read.cast);
                let verdict = judge.judge(&account, &cast).unwrap();
                assert_eq!(verdict.violations, [], "without {without:?}: {row}");
            }
        }
    }
}

fn text_of(pair: &Value, at: usize) -> &str {
    text(&pair[at])
}

fn capital(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

/// The rule is that of the library; a row needs no rule.
#[test]
fn names_follow_the_rule() {
    for line in rows(&board(NAMES), 3) {
        let fields = Fields::of(&StoredRow::Line(line)).unwrap();
        assert!(fields.names.iter().all(|(seen, written)| *seen == shown(written)));
        assert_eq!(fields.shown("brass_key"), "brass key");
    }
}
