//! Stories of news in either tense: the same but for their verbs.

use std::collections::BTreeSet;

use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::select::{Family, admit};
use storysim::storyboard::{BUILT_IN, NamedFile, Storyboard, parse};

use crate::effort::times;

/// All boards that tell news, and with news that some cannot hear.
fn boards() -> Vec<Storyboard> {
    let boards = BUILT_IN.iter().map(|known| parse(known.source()).unwrap());
    let mut boards: Vec<Storyboard> = boards.filter(|board| !board.prospects.is_empty()).collect();
    assert!(boards.len() >= 3);
    let free = BUILT_IN.iter().find(|known| known.name == "dynamic-minds-free").unwrap().source();
    let text = free.text.replacen("questions:", "  - {from: 0, until: 12, distracted: S1}\nquestions:", 1);
    boards.push(parse(Source { name: "distracted.yaml".into(), text }).unwrap());
    boards
}

/// The stories of a board in the words of the pack `varied`, in one tense.
fn stories(board: &Storyboard, tense: &str, count: u64) -> Vec<String> {
    let varied = storysim::pack::BUILT_IN.iter().find(|pack| pack.name == "varied").unwrap().text;
    let text = varied.replacen("tense: [present, past]", &format!("tense: {tense}"), 1);
    assert_ne!(text, varied);
    let mut board = Storyboard { balance: None, ..board.clone() }.reworded("own.yaml");
    board.files.push(NamedFile { name: "own.yaml".into(), path: "own.yaml".into(), text: Ok(text) });
    let plans = storysim::compile::compile_family(&board, &[]).unwrap().plans;
    let family: Family = admit(&board, plans).unwrap().family;
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    let mut told = Vec::new();
    for index in 0..count {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let story = row["story"].as_str().unwrap().to_owned();
            if told.last() != Some(&story) {
                told.push(story);
            }
        }
    }
    told
}

/// The words of a text, each with whether it stands between quotation marks.
fn words(text: &str) -> Vec<(String, bool)> {
    let mut depth = 0_i32;
    let word = |word: &str| {
        depth += word.matches('“').count() as i32;
        let is_quoted = depth > 0;
        depth -= word.matches('”').count() as i32;
        (word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned(), is_quoted)
    };
    text.split_whitespace().map(word).collect()
}

/// Verbs are all that tells the tenses apart, and each stands in its own; what is quoted has none.
#[test]
fn tenses_differ_in_verbs_alone() {
    let mut pairs = BTreeSet::new();
    for board in boards() {
        let [present, past] = ["present", "past"].map(|tense| stories(&board, tense, times(12)));
        assert_eq!(present.len(), past.len());
        for (present, past) in present.iter().zip(&past) {
            let [present, past] = [present, past].map(|story| words(story));
            assert_eq!(present.len(), past.len());
            for ((present, is_quoted), (past, _)) in present.into_iter().zip(past) {
                if present != past {
                    assert!(!is_quoted, "{present} {past}");
                    pairs.insert((present, past));
                }
            }
        }
    }
    let known = |pair: &(&str, &str)| pairs.contains(&(pair.0.to_owned(), pair.1.to_owned()));
    let wanted = [
        ("says", "said"),
        ("announces", "announced"),
        ("lets", "let"),
        ("asks", "asked"),
        ("has", "had"),
        ("replies", "replied"),
        ("answers", "answered"),
        ("remarks", "remarked"),
        ("is", "was"),
        ("are", "were"),
        ("goes", "went"),
        ("tells", "told"),
    ];
    assert_eq!(wanted.iter().filter(|pair| !known(pair)).collect::<Vec<_>>(), [&("", ""); 0]);
    let verbs: BTreeSet<&str> = pairs.iter().map(|(present, _)| present.as_str()).collect();
    let all = "announces answers are asks comes does enters goes has is leaves lets misses moves notices remarks replies says tells walks";
    let unknown: Vec<_> = verbs.iter().filter(|verb| !all.split(' ').any(|known| known == **verb)).collect();
    assert_eq!(unknown, [&""; 0]);
}

/// Without openings in the past, no story is told in the past.
#[test]
fn openings_in_the_present_keep_stories_there() {
    let small_talk = storysim::pack::BUILT_IN.iter().find(|pack| pack.name == "small-talk").unwrap().text;
    let mut text = small_talk.to_owned();
    for (both, present) in [("[is|was]", "is"), ("[are|were]", "are"), ("[has|had]", "has")] {
        text = text.replace(both, present);
    }
    let known = BUILT_IN.iter().find(|known| known.name == "dynamic-minds").unwrap().source();
    let lives = known.text.replacen("scenarios: {", "scenarios: {small_talk: talk.yaml, ", 1);
    assert_ne!(lives, known.text);
    let mut board = parse(Source { name: "x.yaml".into(), text: lives }).unwrap();
    board.files.push(NamedFile { name: "talk.yaml".into(), path: "talk.yaml".into(), text: Ok(text) });
    assert_eq!(stories(&board, "past", 20), stories(&board, "present", 20));
    let built_in = parse(known).unwrap();
    assert_ne!(stories(&built_in, "past", 20), stories(&built_in, "present", 20));
}
