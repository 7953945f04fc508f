//! The answers of the published sets, if they are there.

use std::collections::BTreeMap;

use serde_json::Value;
use storysim::log::{Open, Row, Switches, replay};

use super::published;

/// Each question of a file with its row, in order; none, if the file is not there.
fn answered(file: &str) -> Option<Vec<(Value, Row)>> {
    let text = published(file)?;
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let replayed = replay(line, Switches::default());
        assert!(!replayed.problems.has_error, "{file}:{}: {:?}", number + 1, replayed.problems);
        let log: Value = serde_json::from_str(line).unwrap();
        let questions = log["questions"].as_array().unwrap();
        assert_eq!(questions.len(), replayed.rows.len(), "{file}:{}", number + 1);
        all.extend(questions.iter().cloned().zip(replayed.rows));
    }
    Some(all)
}

fn answer(row: &Row) -> Value {
    serde_json::to_value(&row.answer).unwrap()
}

#[test]
fn storysim_first_order() {
    let Some(all) = answered("storysim-first-order.jsonl") else { return };
    assert_eq!(all.len(), 300);
    for (question, row) in all {
        assert_eq!(answer(&row), question["answer"], "{row:?}");
    }
}

#[test]
fn tomi() {
    let Some(all) = answered("tomi.jsonl") else { return };
    let mut open = 0;
    let (mut first, mut second) = (0, 0);
    for (question, row) in all {
        if row.chain.len() < 2 {
            assert_eq!(answer(&row), question["answer"], "{row:?}");
            first += 1;
            continue;
        }
        second += 1;
        match row.reading {
            None => assert_eq!(answer(&row), question["pure"], "{row:?}"),
            Some(reading) => {
                assert_eq!(reading, Open::Unclear, "{row:?}");
                open += 1;
            }
        }
    }
    println!("of {second} second-order answers {open} are open");
    assert_eq!((first, second, open), (2_400, 1_200, 59));
}

#[test]
fn tactful() {
    let Some(all) = answered("tactful.jsonl") else { return };
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for (question, row) in all {
        let defect = question["source_defect"].as_str().unwrap_or_default();
        let is_authored = row.kind == "justification";
        let is_set_apart = defect.starts_with("question asks about another") || defect == "truth paraphrased";
        if !is_authored && !is_set_apart {
            assert_eq!(row.agrees(), Some(true), "{row:?}");
        }
        let what = if is_authored { "justification" } else { defect };
        let count = counts.entry(what.to_owned()).or_default();
        count[usize::from(row.answer.is_none()) + usize::from(row.agrees() == Some(false))] += 1;
        assert_ne!(row.reading, Some(Open::SeveralOptions), "{row:?}");
        assert_eq!(row.reading == Some(Open::NoOption), defect == "truth paraphrased", "{row:?}");
    }
    println!("agree, open or differ, by what is wrong with the question: {counts:?}");
    let right: usize =
        counts.iter().filter(|(what, _)| *what != "justification").map(|(_, count)| count[0]).sum();
    assert_eq!(right, 4_153);
}
