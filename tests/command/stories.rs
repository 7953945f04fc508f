//! The stories of `docs/stories.md` are those that the program makes. What is made can be written anew with
//! `STORYSIM_GOLDEN=write` in the environment; the reasons in the page are written by hand, and stay.

use std::process::Command;

use serde_json::Value;
use storysim::compile::compile;
use storysim::storyboard::{BUILT_IN, QuestionKind, parse};

use crate::program::PROGRAM;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/stories.md");

/// How the rules begin, after what is so in this story.
const RULES: [&str; 4] = [
    "The story tells",
    "Everyone knows all of this",
    "Everything else that is said here",
    "Each line is what",
];

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The rows of the last story that a command of the page makes.
fn rows(command: &str) -> Vec<Value> {
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    let output = Command::new(PROGRAM).args(arguments).output().unwrap();
    let made = String::from_utf8(output.stdout).unwrap();
    let mut rows: Vec<Value> = made.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let last = rows.last().unwrap_or_else(|| panic!("{command}"))["index"].clone();
    rows.retain(|row| row["index"] == last);
    rows
}

/// The storyboard of a heading, which may say what its story is an example of: `white-lies: comfort`.
fn board_of(heading: &str) -> &str {
    heading.split(": ").next().unwrap()
}

/// A section of the page, made again around the reasons that it gives.
fn section(section: &str) -> String {
    let heading = section.lines().next().unwrap();
    let board = board_of(heading);
    let command = section.split('`').nth(1).unwrap();
    assert!(command.starts_with(&format!("storysim generate {board} --seed 7 --count ")), "{command}");
    let introduction = section.lines().nth(2).unwrap();
    let reasons: Vec<&str> = section
        .lines()
        .filter(|line| line.starts_with("* "))
        .map(|line| line.split_once("** ").unwrap().1)
        .collect();
    let mut rows = rows(command);
    // Of a conversation, more is asked than anybody wants to read.
    if text(&rows[0]["context"]).contains(RULES[3]) {
        rows.retain(|row| section.contains(&format!("* {} **", text(&row["question"]))));
    }
    assert_eq!(reasons.len(), rows.len(), "{board}: a reason for every answer");
    assert!(reasons.iter().all(|reason| reason.ends_with('.')), "{board}: {reasons:?}");
    let context = text(&rows[0]["context"]);
    let (facts, rules) =
        context.split_at(RULES.iter().filter_map(|rules| context.find(rules)).min().unwrap());
    let story = text(&rows[0]["story"]);
    let lines = story.replace('\n', "  \n> ");
    let mut made = format!("{heading}\n\n{introduction}\n\n> {}\n>\n> {lines}\n\n", facts.trim_end());
    for (row, reason) in rows.iter().zip(reasons) {
        assert_eq!((text(&row["context"]), text(&row["story"])), (context, story));
        let answer = text(&row["answer"]).trim_end_matches('.');
        made.push_str(&format!("* {} **{answer}.** {reason}\n", text(&row["question"])));
    }
    made.push_str(&format!("\n<details><summary>The rules</summary>\n\n{rules}\n\n</details>\n"));
    made
}

#[test]
fn the_stories_are_what_the_program_makes() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let mut sections = page.split("\n## ");
    let mut made = sections.next().unwrap().to_owned();
    for old in sections.clone() {
        made.push_str("\n## ");
        made.push_str(&section(old));
    }
    if std::env::var_os("STORYSIM_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(PAGE, &made).unwrap();
    } else {
        assert_eq!(made, page);
    }
    let shown: Vec<&str> = sections.map(|section| board_of(section.lines().next().unwrap())).collect();
    for board in BUILT_IN {
        let plan = compile(&parse(board.source()).unwrap(), &[]).unwrap().plan;
        let is_following = plan.questions.iter().any(|question| question.kind == QuestionKind::Following);
        // Calibrated ones are like others, but long.
        let is_short = plan.balance.is_none() && plan.bundles.iter().all(|bundle| bundle.unlike.is_none());
        let is_more = plan.staging.is_some() || is_following;
        assert_eq!(is_more && is_short, shown.contains(&board.name), "{}", board.name);
    }
}
