//! What the questions of one story give away about each other, from the outside: what the joint solver must find, and that it
//! finds nothing where there is nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::program::{PROGRAM, run, stderr, stdout};
use crate::written::{Draws, rows as stage};

const MAP: &str = "story-id=stage,kind=type,question=ask,choices=options,label=gold";

/// Few rows of each group are learned from, so that nothing takes long: boosted trees are not what is tested here.
const QUICK: [&str; 4] = ["--sample", "300", "--format", "json"];

fn written(folder: &Path, name: &str, rows: &[Value]) -> PathBuf {
    let path = folder.join(name);
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    path
}

/// The report as data, and the exit code.
fn audited(path: &Path, arguments: &[&str]) -> (Value, i32) {
    let output = run(&[&["audit", path.to_str().unwrap()], &QUICK[..], arguments].concat());
    let report = serde_json::from_slice(&output.stdout);
    (report.unwrap_or_else(|_| panic!("{}", stderr(&output))), output.status.code().unwrap())
}

fn number(finding: &Value, key: &str) -> f64 {
    finding[key].as_f64().unwrap_or_else(|| panic!("no {key}: {finding}"))
}

/// What the joint solver found about a kind of question.
fn solved<'a>(report: &'a Value, kind: &str) -> &'a Value {
    let groups = report["joint"]["groups"].as_array().unwrap();
    groups.iter().find(|group| group["kind"] == kind).unwrap_or_else(|| panic!("no {kind}"))
}

/// What a shortcut gets right at a kind of question.
fn accuracy(report: &Value, kind: &str, key: &str) -> f64 {
    let group = report["groups"].as_array().unwrap().iter().find(|group| group["kind"] == kind).unwrap();
    let shortcuts = group["shortcuts"].as_array().unwrap();
    number(shortcuts.iter().find(|shortcut| shortcut["key"] == key).unwrap(), "accuracy")
}

/// 71 questions a stage, of which 52 can be decided without reading it.
#[test]
fn written_stages_are_solved_from_their_choices() {
    let folder = tempfile::tempdir().unwrap();
    let stages_written = 230;
    let rows: Vec<Value> = (0..stages_written).flat_map(stage).collect();
    assert_eq!(rows.len() as u64, stages_written * 71);
    let path = written(folder.path(), "stages.jsonl", &rows);
    let (report, code) = audited(&path, &["--map", MAP, "--joint-over", "0.02"]);
    assert_eq!(code, 1);
    // Within the choices of one question.
    for key in ["chain_from_number", "chain_to_number"] {
        assert!((accuracy(&report, "transformation 1", key) - 1.0).abs() < 1e-9, "{key}");
    }
    assert!(accuracy(&report, "transformation 3", "one_swap_from_most") > 0.999);
    // Between questions: 20 + 16 + 4 and 12 of 15 are decided, and of the rest one of three and one of sixteen is right.
    for kind in ["understanding", "transformation 1", "transformation 3"] {
        let found = solved(&report, kind);
        assert_eq!(
            ["decided", "decided_right", "accuracy"].map(|key| number(found, key)),
            [1.0; 3],
            "{kind}"
        );
    }
    let how = solved(&report, "transformation 2 how");
    assert_eq!((number(how, "decided"), number(how, "decided_right")), (0.8, 1.0));
    assert!((number(how, "accuracy") - 13.0 / 15.0).abs() < 1e-9, "{how}");
    let why = solved(&report, "transformation 2 why");
    assert_eq!((number(why, "decided"), number(why, "left")), (0.0, 16.0));
    let all = &report["joint"]["all"];
    assert_eq!(number(&report["joint"], "questions"), 71.0);
    assert!((71.0 * number(all, "decided") - 52.0).abs() < 1e-9, "{all}");
    assert_eq!(number(all, "decided_right"), 1.0);
    assert!((71.0 * number(all, "accuracy") - 54.0).abs() < 1e-9, "{all}");
    assert_eq!(number(&report["joint"], "contradicted"), 0.0);
    let failing: Vec<&Value> =
        report["joint_failures"].as_array().unwrap().iter().map(|failure| &failure["kind"]).collect();
    assert!(failing.len() == 4 && !failing.contains(&&json!("transformation 2 why")), "{failing:?}");
}

/// The same in words, on the page, and with other limits.
#[test]
fn what_is_solved_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows: Vec<Value> = (0..60).flat_map(stage).collect();
    let few = written(folder.path(), "few.jsonl", &rows[..8 * 71]);
    let path = written(folder.path(), "stages.jsonl", &rows);
    let page = folder.path().join("page.html");
    let of = |path: &Path, arguments: &[&str]| {
        run(&[&["audit", path.to_str().unwrap(), "--map", MAP, "--sample", "50"], arguments].concat())
    };
    let output = of(&path, &["--html", page.to_str().unwrap(), "--joint-over", "0.02", "--show", "3"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("give each other away") && said.contains("decided"), "{said}");
    let text = stdout(&output);
    assert!(
        text.contains("Joint solver")
            && text.contains("71.0 questions each")
            && text.contains("… and 2 more")
    );
    assert!(text.lines().all(|line| line.trim_end().chars().count() <= 80), "{text}");
    let passes = |limits: &[&str]| of(&few, limits).status.success();
    assert!(passes(&["--joint-over", "1"]) && passes(&["--fail-over", "1"]));
    // Without a limit of its own, that of shortcuts counts.
    let output = of(&path, &["--format", "json", "--fail-over", "0.84"]);
    let said = stderr(&output);
    assert!(
        output.status.code() == Some(1)
            && said.contains("give each other away")
            && said.contains("transformation 3"),
        "{said}"
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("<h2>All questions of a story</h2>"));
    for group in report["joint"]["groups"].as_array().unwrap() {
        let cells = [
            format!("<td class=\"text\">{}</td>", group["kind"].as_str().unwrap()),
            format!("<td>{}</td>", group["rows"]),
            format!("<td>{:.1}%</td>", number(group, "chance") * 100.0),
            format!("<td>{:.2}</td>", number(group, "left")),
            format!("<td>{:.1}%</td>", number(group, "decided") * 100.0),
        ];
        assert!(html.contains(&cells.concat()), "{cells:?}");
    }
    // Neither the order of rows nor the number of threads changes anything; nor do names.
    Draws::of(7).shuffle(&mut rows);
    let shuffled = written(folder.path(), "shuffled.jsonl", &rows);
    let mut command = Command::new(PROGRAM);
    command
        .args(["audit", shuffled.to_str().unwrap(), "--map", MAP, "--fail-over", "0.84", "--joint-over", "1"])
        .args(QUICK)
        .env("RAYON_NUM_THREADS", "5");
    let output = command.output().unwrap();
    assert!(!stderr(&output).contains("give each other away"), "{}", stderr(&output));
    let other: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(other["joint"], report["joint"]);
    // Questions alone are no stories.
    let (report, _) = audited(&few, &["--map", MAP, "--only", "transformation 3"]);
    assert_eq!(report["joint"]["groups"].as_array().unwrap().len(), 1);
    let (report, _) = audited(&few, &["--map", &MAP.replace("story-id=stage,", "")]);
    assert_eq!(report["joint"], Value::Null);
}

fn stages(folder: &Path, count: &str) -> Vec<Value> {
    let path = folder.join("stages.jsonl");
    let out = path.to_str().unwrap();
    let board = ["dynamic-minds", "--set", "n=3", "--seed", "11", "--count", count];
    let output = run(&[&["generate", "--quiet", "--out", out], &board[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    std::fs::read_to_string(&path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Stages by lives: rules hold for all lives or for none, so no choice is ever taken away.
#[test]
fn nothing_is_taken_away_from_stages_by_lives() {
    let folder = tempfile::tempdir().unwrap();
    let rows = stages(folder.path(), "60");
    let (report, code) = audited(&written(folder.path(), "rows.jsonl", &rows), &["--joint-over", "0"]);
    let joint = &report["joint"];
    assert_eq!((code, &report["joint_failures"]), (0, &json!([])));
    assert_eq!((number(joint, "questions"), number(joint, "contradicted")), (41.0, 0.0));
    assert!(number(joint, "rules") > 80.0, "rules there are: {}", joint["rules"]);
    for group in joint["groups"].as_array().unwrap().iter().chain([&joint["all"]]) {
        assert_eq!((number(group, "left"), number(group, "decided")), (5.0, 0.0), "{group}");
        assert!(number(group, "over").abs() < 1e-9 && (number(group, "chance") - 0.2).abs() < 1e-9);
    }
}

/// Stages in which the choices of one question were made otherwise than those of the others.
#[test]
fn planted_leaks_between_questions_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let rows = stages(folder.path(), "80");
    let is = |row: &Value, kind: &str, state: &str| row["kind"] == kind && row["state"] == state;
    // Wrong courses name a state that no other question offers.
    let foreign = |row: &mut Value| {
        let label = row["label"].as_u64().unwrap() as usize;
        if is(row, "course", "emotion") {
            for (at, choice) in row["choices"].as_array_mut().unwrap().iter_mut().enumerate() {
                if at != label {
                    let told = choice.as_str().unwrap();
                    *choice = json!(format!("“elated”, then{}", told.split_once(", then").unwrap().1));
                }
            }
        }
    };
    // A question about one state offers the state that is right in another, among some that are offered nowhere.
    let foreign_emotions = |row: &mut Value| {
        let label = row["label"].as_u64().unwrap() as usize;
        if is(row, "emotion", "emotion") && row["scenario"] == 2 {
            let others = ["elated", "bored", "curious", "jealous", "lonely"];
            for (at, choice) in row["choices"].as_array_mut().unwrap().iter_mut().enumerate() {
                if at != label {
                    *choice = json!(others[at]);
                }
            }
        }
    };
    type Plant<'a> = &'a dyn Fn(&mut Value);
    let plants: [(&str, Plant<'_>, &[&str]); 2] = [
        ("courses", &foreign, &["course", "emotion", "changed"]),
        ("emotions", &foreign_emotions, &["course", "changed"]),
    ];
    for (name, plant, decided) in plants {
        let mut rows = rows.clone();
        rows.iter_mut().for_each(plant);
        let (report, code) =
            audited(&written(folder.path(), "planted.jsonl", &rows), &["--joint-over", "0.02"]);
        assert_eq!(code, 1, "{name}");
        for kind in decided {
            let kind = if *kind == "emotion" { "emotion".to_owned() } else { format!("{kind} emotion") };
            let found = solved(&report, &kind);
            assert_eq!(number(found, "decided_right"), 1.0, "{name} {found}");
            assert!(number(found, "over") > 0.2, "{name} {found}");
        }
    }
}
