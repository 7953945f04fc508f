//! What the context of a row does not say, nobody can use: a reader who knows nothing but context, story and question derives
//! every answer of every built-in storyboard.

use serde_json::Value as Json;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::storyboard::{BUILT_IN, BuiltIn, Style, parse};

use crate::effort::times;
use crate::json::{text, texts};
use crate::reader::{Stumble, answer, rules};
use crate::storyboards::{built_in, family};

/// The rows of the first stories of a built-in storyboard.
fn rows(name: &str, stories: u64) -> Vec<Json> {
    let family = family(&built_in(name));
    let mut maker = RowMaker::new(&family, 11, &[], RowOptions::default());
    let mut rows = String::new();
    for index in 0..stories {
        maker.rows(index, &mut rows);
    }
    rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
}

fn read(row: &Json, context: &str) -> Result<String, Stumble> {
    let choices: Vec<String> = texts(&row["choices"]).into_iter().map(str::to_owned).collect();
    answer(context, text(&row["story"]), text(&row["question"]), &choices)
}

/// Conversations, and stories about prospects, have readers of their own.
fn is_report(board: &BuiltIn) -> bool {
    let board = parse(board.source()).unwrap();
    board.style == Style::Report && board.prospects.is_empty()
}

/// Of a number of stories of each storyboard.
#[test]
fn every_answer_follows_from_what_the_row_says() {
    let stories = times(12);
    let mut count = 0;
    for board in BUILT_IN.iter().filter(|board| is_report(board)) {
        for row in rows(board.name, stories) {
            let wanted = Ok(text(&row["answer"]).to_owned());
            assert_eq!(read(&row, text(&row["context"])), wanted, "{}", row["id"]);
            count += 1;
        }
    }
    println!("{count} rows");
    assert!(count > 30 * stories);
}

/// Sentences that rule out what hardly any row turns on: few stories need them.
const RARELY_NEEDED: [&str; 8] = [
    "People know what they have in hand",
    "Nobody looks round like this",
    "If they did not before, they suppose",
    "If someone moved unseen, and so did a thing",
    "Someone who is told that a person",
    "Someone who cannot tell what a person thinks",
    "But nobody lets others tell them where",
    "But nobody lets others tell them what",
];

/// Without one of its sentences, a context may leave an answer open, but never gives another one. And no sentence is idle.
#[test]
fn no_sentence_of_a_context_is_read_into_another() {
    let mut needed = vec![false; rules::SENTENCES.len()];
    let mut used = needed.clone();
    for board in BUILT_IN.iter().filter(|board| is_report(board)) {
        for row in rows(board.name, 6) {
            let context = text(&row["context"]);
            for (at, (sentence, _)) in rules::SENTENCES.iter().enumerate() {
                if !context.contains(sentence) {
                    continue;
                }
                used[at] = true;
                let without = context.replace(sentence, "").replace("  ", " ");
                match read(&row, without.trim()) {
                    Ok(answer) => {
                        assert_eq!(answer, text(&row["answer"]), "{} without {sentence}", row["id"])
                    }
                    Err(_) => needed[at] = true,
                }
            }
        }
    }
    for ((sentence, _), (used, needed)) in rules::SENTENCES.iter().zip(used.into_iter().zip(needed)) {
        assert!(used, "no storyboard says: {sentence}");
        let is_rare = RARELY_NEEDED.iter().any(|rare| sentence.starts_with(rare));
        assert!(needed || is_rare, "no row needs: {sentence}");
    }
}
