//! The stages of `docs/stages.md` are those that the program makes: their texts, what is announced and who hears it, the states that
//! follow, and all answers. What is made can be written anew with `STORYSIM_GOLDEN=write` in the environment; what the page says of
//! why an answer is right is written by hand, and stays.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::program::PROGRAM;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/stages.md");

/// How the rules begin, after what is so in this story.
const RULES: &str = "Everyone knows all of this";

/// The scenarios of a stage, and the questions that are asked of them.
const SCENARIOS: usize = 5;
const QUESTIONS: usize = 71;

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The rows that a command of the page makes, with their events.
fn rows(command: &str) -> Vec<Value> {
    let arguments = command.split(' ').skip(1).chain(["--with-events"]);
    let output = Command::new(PROGRAM).args(arguments).output().unwrap();
    let made = String::from_utf8(output.stdout).unwrap();
    made.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
}

/// The cells of a line of a table.
fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// The lines of the table that begins with this line.
fn table<'p>(section: &'p str, begins: &str) -> Vec<&'p str> {
    let lines = section.lines().skip_while(|line| !line.starts_with(begins));
    lines.take_while(|line| line.starts_with('|')).collect()
}

/// A story, one paragraph for each scenario.
fn paragraphs(story: &str) -> Vec<&str> {
    let begins = (1..=SCENARIOS).map(|number| {
        let heading = format!("Scenario {number}");
        let found = story
            .match_indices(&heading)
            .find(|(at, heading)| story[at + heading.len()..].starts_with([',', '.']));
        found.unwrap().0
    });
    let begins: Vec<usize> = begins.chain([story.len()]).collect();
    begins.windows(2).map(|pair| story[pair[0]..pair[1]].trim()).collect()
}

/// What is announced, where, and who hears it, in the words of the page but for the short names of the sides.
fn announcements(row: &Value) -> Vec<(u64, String)> {
    let [hers, his] = ["S1", "O"].map(|role| text(&row["cast"][role]));
    let names: BTreeMap<&str, &str> =
        row["names"].as_array().unwrap().iter().map(|pair| (text(&pair[1]), text(&pair[0]))).collect();
    let mut at: BTreeMap<&str, &str> = BTreeMap::new();
    let mut found = Vec::new();
    for event in row["events"].as_array().unwrap() {
        if text(&event[2]) != "turn" {
            at.insert(text(&event[1]), text(&event[3]));
            continue;
        }
        let place = |who: &str| at.get(who).copied().unwrap_or(text(&row["start"]));
        let case = &event[4];
        let how = match (text(&case["is"]), case["by"].as_str()) {
            ("likely", _) => "likely".to_owned(),
            (_, by) => format!("settled by {}", by.unwrap_or("nobody")),
        };
        let last = if case["final"] == true { "too late" } else { "still open" };
        let heard = if place(his) == place(hers) { "yes" } else { "no" };
        let line = format!("{how}, {last} | {} | {} | {heard} |", names[place(his)], names[place(hers)]);
        found.push((case["side"].as_u64().unwrap(), line));
    }
    found
}

/// A section of the page, made again around what is written by hand.
fn section(section: &str) -> String {
    let mut lines = section.lines();
    let (heading, introduction) = (lines.next().unwrap(), lines.nth(1).unwrap());
    let command = introduction.split('`').nth(1).unwrap();
    assert!(command.starts_with("storysim generate dynamic-minds --seed "), "{command}");
    let rows = rows(command);
    assert_eq!(rows.len(), QUESTIONS, "{command}");
    let (context, story) = (text(&rows[0]["context"]), text(&rows[0]["story"]));
    assert!(rows.iter().all(|row| (text(&row["context"]), text(&row["story"])) == (context, story)));
    let (facts, _) = context.split_once(RULES).unwrap();
    let mut made = format!("{heading}\n\n{introduction}\n\n> {}\n", facts.trim_end());
    paragraphs(story).iter().for_each(|scenario| made.push_str(&format!(">\n> {scenario}\n")));
    let announced = table(section, "| announcement |");
    made.push_str(&format!("\n{}\n{}\n", announced[0], announced[1]));
    let mut sides: BTreeMap<u64, &str> = BTreeMap::new();
    let all = announcements(&rows[0]);
    assert_eq!(announced.len(), 2 + all.len(), "{heading}");
    for (at, ((side, line), written)) in all.iter().zip(&announced[2..]).enumerate() {
        let short = cells(written)[1].split(", ").next().unwrap();
        assert_eq!(sides.entry(*side).or_insert(short), &short, "{heading}: {written}");
        made.push_str(&format!("| {}.{} | {short}, {line}\n", at / 4 + 1, at % 4 + 1));
    }
    let states = table(section, "| at the end of |");
    assert_eq!(states.len(), 2 + SCENARIOS, "{heading}");
    made.push_str(&format!("\n{}\n{}\n", states[0], states[1]));
    for (at, written) in states[2..].iter().enumerate() {
        let [_, thinks, since, expected, ..] = cells(written)[..] else { panic!("{written}") };
        let answer = |kind: &str| {
            let is_it = |row: &&Value| row["kind"] == kind && row["scenario"] == at + 1;
            text(&rows.iter().find(is_it).unwrap()["answer"])
        };
        // What she thinks is what was announced when she last heard something else.
        match since {
            "—" => assert!(thinks == "nothing" && answer("belief_in").starts_with("nothing")),
            since => assert!(
                announced.iter().any(|line| line.starts_with(&format!("| {since} | {thinks} | "))),
                "{written}"
            ),
        }
        let states = ["emotion", "intention", "action"].map(answer).join(" | ");
        made.push_str(&format!("| scenario {} | {thinks} | {since} | {expected} | {states} |\n", at + 1));
    }
    let questions = table(section, "| question |");
    assert_eq!(questions.len(), 2 + QUESTIONS, "{heading}: a reason for every answer");
    made.push_str(&format!("\n{}\n{}\n", questions[0], questions[1]));
    for (number, (row, written)) in rows.iter().zip(&questions[2..]).enumerate() {
        let reason = cells(written)[2];
        assert!(reason.ends_with('.') && reason.len() > 10, "{heading}, question {number}: {reason}");
        let state = match text(&row["kind"]) {
            "changed" | "cause" | "influence" | "course" => format!(", {}", text(&row["state"])),
            _ => String::new(),
        };
        let (kind, scenario, answer) = (text(&row["kind"]), &row["scenario"], text(&row["answer"]));
        made.push_str(&format!("| {number}: {kind}{state}, scenario {scenario} | {answer} | {reason} |\n"));
    }
    made
}

#[test]
fn the_stages_are_what_the_program_makes() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let mut sections = page.split("\n## ");
    let mut made = sections.next().unwrap().to_owned();
    let mut count = 0;
    for old in sections {
        made.push_str("\n## ");
        made.push_str(&section(old));
        count += 1;
    }
    assert_eq!(count, 3);
    if std::env::var_os("STORYSIM_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(PAGE, &made).unwrap();
    } else {
        assert_eq!(made, page);
    }
}
