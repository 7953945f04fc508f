//! The audit, from the outside: what it must find, and what it must not.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use storysim::audit::{Case, Mentions, shortcuts};
use storysim::dataset::{Fields, RowMaker, RowOptions, StoredRow};

use crate::effort::{part, times};
use crate::program::{PROGRAM, run, stderr, stdout};
use crate::storyboards::compiled;

/// The report as data, whatever the verdict; and the exit code.
fn audited(arguments: &[&str]) -> (Value, i32) {
    let output = run(&[&["audit", "--format", "json"], arguments].concat());
    let report = serde_json::from_slice(&output.stdout);
    (report.unwrap_or_else(|_| panic!("{}", stderr(&output))), output.status.code().unwrap())
}

/// What was found of a shortcut in the only group of this kind and order.
fn found<'a>(report: &'a Value, kind: &str, order: u64, key: &str) -> &'a Value {
    let groups = report["groups"].as_array().unwrap();
    let mut groups = groups.iter().filter(|group| group["kind"] == kind && group["order"] == order);
    let group = groups.next().unwrap();
    assert!(groups.next().is_none(), "several groups of {kind} {order}");
    let shortcuts = group["shortcuts"].as_array().unwrap();
    shortcuts.iter().find(|shortcut| shortcut["key"] == key).unwrap_or_else(|| panic!("no {key}: {group}"))
}

fn accuracy(report: &Value, kind: &str, order: u64, key: &str) -> f64 {
    found(report, kind, order, key)["accuracy"].as_f64().unwrap()
}

fn rows_in(folder: &Path, name: &str, arguments: &[&str]) -> PathBuf {
    let path = folder.join(name);
    let out = path.to_str().unwrap();
    let output = run(&[&["generate", "--quiet", "--out", out], arguments].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    path
}

#[test]
fn the_classic_design_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path =
        rows_in(folder.path(), "rows.jsonl", &["first-order-mislead", "--count", "500", "--seed", "7"]);
    let (report, code) = audited(&[path.to_str().unwrap(), "--fail-over", "0.02"]);
    assert_eq!(code, 1);
    assert_eq!(report["rows"], 1000);
    assert_eq!(accuracy(&report, "belief", 1, "second_last_place"), 1.0);
    let sentence = found(&report, "belief", 1, "sentence_from_start");
    assert_eq!(sentence["which"], "11");
    // What is learned on each half of the stories has a sum of two shares.
    for learned in ["sentence_from_start", "tree"] {
        assert!((accuracy(&report, "belief", 1, learned) - 1.0).abs() < 1e-9, "{learned}");
    }
    // Where somebody really is, the last place says; that is no fault, unless one says so.
    assert_eq!(accuracy(&report, "reality", 0, "last_place"), 1.0);
    let kinds = |report: &Value| -> Vec<String> {
        let failures = report["failures"].as_array().unwrap().iter();
        failures.map(|failure| failure["kind"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!kinds(&report).is_empty() && kinds(&report).iter().all(|kind| kind == "belief"));
    let (report, _) = audited(&[path.to_str().unwrap(), "--fail-over", "0.02", "--every-kind"]);
    assert!(kinds(&report).iter().any(|kind| kind == "reality"));
    // The tree has a limit of its own.
    for (over, tree_over, failing) in
        [("0.84", "0.1", &["tree"][..]), ("0.84", "0.84", &[]), ("0.8", "0.84", &["second_last_place"])]
    {
        let (report, code) =
            audited(&[path.to_str().unwrap(), "--fail-over", over, "--tree-over", tree_over]);
        let failures = report["failures"].as_array().unwrap();
        let keys: Vec<&str> = failures.iter().map(|failure| failure["key"].as_str().unwrap()).collect();
        assert_eq!(code, i32::from(!failing.is_empty()), "{keys:?}");
        assert_eq!(keys.contains(&"tree"), failing.contains(&"tree"), "{keys:?}");
        assert!(failing.iter().all(|key| keys.contains(key)), "{keys:?}");
    }
    // The battery is at least so large, for every group.
    for group in report["groups"].as_array().unwrap() {
        assert!(group["shortcuts"].as_array().unwrap().len() >= 20);
        assert!(group["chance"].as_f64().unwrap() < 0.17);
    }
    // In words: the verdict on stderr, the tables on stdout, and nothing wider than a terminal.
    let output = run(&["audit", path.to_str().unwrap(), "--fail-over", "0.02", "--show", "100"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("second_last_place 100.0%"), "{}", stderr(&output));
    let wide = stdout(&output).lines().find(|line| line.trim_end().chars().count() > 80);
    assert_eq!(wide, None);
}

/// Of news: what compares two people's walks is marked, and held to no limit, nor does the tree see it. Elsewhere it is marked, and
/// held to the limits of all.
#[test]
fn to_follow_two_people_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let board = ["dynamic-minds", "--set", "n=3", "--count", "150", "--seed", "4", "--with-events"];
    let news = rows_in(folder.path(), "news.jsonl", &board);
    let news = news.to_str().unwrap();
    let limits = ["--only", "belief_in", "--fail-over", "0.1", "--tree-over", "0.1"];
    let (report, code) = audited(&[&[news], &limits[..]].concat());
    assert_eq!((code, &report["failures"]), (0, &json!([])));
    for key in ["announced_in_own_place", "announced_after_both_went"] {
        let found = found(&report, "belief_in", 1, key);
        assert!(found["follows_two"] == true && found["over"].as_f64().unwrap() > 0.1, "{found}");
    }
    // What she had expected before is her own.
    assert_eq!(found(&report, "belief_in", 1, "last_turn")["follows_two"], true);
    for key in ["last_announced", "first_announced", "all_heard"] {
        let found = found(&report, "belief_in", 1, key);
        assert!(found["follows_two"] == false && found["answered"].as_u64().unwrap() > 200, "{found}");
    }
    let output = run(&["audit", news, "--only", "belief_in", "--show", "2"]);
    let text = stdout(&output);
    assert!(
        text.contains("announced_in_own_place²") && text.contains("²: follows two people at once"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.trim_end().chars().count() <= 80), "{text}");
    let rows = rows_in(folder.path(), "walks.jsonl", &["false-belief-goal", "--count", "400"]);
    let rows = [rows.to_str().unwrap(), "--only", "belief", "--fail-over", "0.02", "--tree-over", "0.02"];
    let (report, code) = audited(&rows);
    let failures = report["failures"].as_array().unwrap();
    let marked = failures.iter().find(|failure| failure["key"] == "left_first_unvisited").unwrap();
    assert_eq!((code, &marked["follows_two"]), (1, &json!(true)));
}

/// The announcements of the scenario that is asked of are those of the row's events, and the one that she heard last is as the row
/// says: the news on which her belief rests.
#[test]
fn announcements_are_read_from_rows() {
    let folder = tempfile::tempdir().unwrap();
    let board = ["dynamic-minds", "--set", "n=3", "--count", "40", "--seed", "6", "--with-events"];
    let rows = std::fs::read_to_string(rows_in(folder.path(), "rows.jsonl", &board)).unwrap();
    let mut heard_last = 0;
    for line in rows.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let case = Case::of_row(Fields::of(&StoredRow::Line(line.to_owned())).unwrap()).unwrap();
        let steps: Vec<u64> = case.announced.iter().map(|news| news.step as u64).collect();
        let turns = row["events"].as_array().unwrap().iter().filter(|event| event[2] == "turn");
        let of_scenario = |step: &u64| step / 19 + 1 == row["scenario"].as_u64().unwrap();
        let turns: Vec<u64> = turns.map(|event| event[0].as_u64().unwrap()).filter(of_scenario).collect();
        assert_eq!((steps.len(), &steps), (4, &turns), "{}", row["id"]);
        assert!(case.announced.iter().all(|news| news.by == row["cast"]["O"].as_str().unwrap()));
        let heard = row["caused_by"].as_array().unwrap().last().and_then(Value::as_u64);
        if row["kind"] == "belief_in" && heard.is_some_and(|step| of_scenario(&step)) {
            let told = case.itinerary.as_ref().unwrap();
            let place = |name: &str, step: u64| {
                let who = told.who(name).unwrap();
                let stops = told.stops().iter().filter(|stop| stop.who == who && (stop.step as u64) < step);
                stops.map(|stop| stop.place).next_back().unwrap_or(told.start_of(who))
            };
            let together =
                |news: &&u64| place(&case.company[0], **news) == place(&case.announced[0].by, **news);
            assert_eq!(steps.iter().rfind(together).copied(), heard, "{}", row["id"]);
            heard_last += 1;
        }
    }
    assert!(heard_last > 60, "{heard_last}");
}

/// `storysim generate`, as a folder and as columns: the same report.
#[test]
fn all_forms_of_a_dataset_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let board = ["five-events", "--count", "300", "--seed", "3"];
    let report = |path: PathBuf, more: &[&str]| {
        let (mut report, code) = audited(&[&[path.to_str().unwrap()], more].concat());
        assert_eq!(code, 0);
        report["dataset"] = Value::Null;
        report
    };
    let wanted = report(rows_in(folder.path(), "rows.jsonl", &board), &[]);
    assert!(wanted == report(rows_in(folder.path(), "rows.jsonl.zst", &board), &[]), "rows.jsonl.zst");
    assert!(wanted == report(rows_in(folder.path(), "folder", &board), &[]), "folder");
    let with_events = [&board[..], &["--with-events"]].concat();
    assert!(wanted == report(rows_in(folder.path(), "events.jsonl", &with_events), &[]), "events.jsonl");
    if cfg!(feature = "parquet") {
        assert!(
            wanted == report(rows_in(folder.path(), "events.parquet", &with_events), &[]),
            "events.parquet"
        );
    }
    let only = report(folder.path().join("rows.jsonl"), &["--only", "belief", "--question", "0"]);
    assert!(wanted == only);
}

#[test]
fn threads_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = rows_in(folder.path(), "rows.jsonl", &["second-order-mislead", "--count", "400"]);
    let report = |threads: &str| {
        let mut command = Command::new(PROGRAM);
        command.args(["audit", path.to_str().unwrap(), "--format", "json", "--sample", "150"]);
        command.env("RAYON_NUM_THREADS", threads).output().unwrap().stdout
    };
    assert_eq!(report("1"), report("5"));
}

#[test]
fn what_is_learned_can_be_learned_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let one = rows_in(folder.path(), "1.jsonl", &["first-order-mislead", "--count", "200", "--seed", "1"]);
    let two = rows_in(folder.path(), "2.jsonl", &["first-order-mislead", "--count", "150", "--seed", "2"]);
    let (report, _) =
        audited(&[one.to_str().unwrap(), "--learn-on", two.to_str().unwrap(), "--only", "belief"]);
    assert_eq!(report["rows"], 200);
    let tree = found(&report, "belief", 1, "tree");
    assert_eq!((tree["rows"].as_u64(), tree["accuracy"].as_f64()), (Some(200), Some(1.0)));
    assert_eq!(found(&report, "belief", 1, "second_last_place")["rows"], 200);
    // Taught by another board, it has not learned these questions.
    let other = rows_in(folder.path(), "3.jsonl", &["five-events", "--count", "50"]);
    let (report, _) =
        audited(&[one.to_str().unwrap(), "--learn-on", other.to_str().unwrap(), "--only", "belief"]);
    let shortcuts = report["groups"][0]["shortcuts"].as_array().unwrap();
    assert!(shortcuts.iter().all(|shortcut| shortcut["is_learned"] == false));
    assert_eq!(report["groups"].as_array().unwrap().len(), 1, "what is only learned from is not audited");
}

/// The moves of a story: who goes where.
type Moves = [(usize, usize)];

/// A data set of somebody else: stories of twelve sentences. The answer follows from the moves and the target, or is drawn.
fn drawn(rows: usize, answer: fn(&Moves, usize) -> Option<usize>) -> String {
    let places = ["attic", "cellar", "garden", "hall", "kitchen", "porch"];
    let people = ["Ann", "Bob", "Cas", "Dora"];
    let mut csv = "text,ask,options,gold,mind,target,begin\n".to_owned();
    for row in 0..rows {
        let mut bits = blake3::Hasher::new().update(&row.to_le_bytes()).finalize_xof();
        let mut draw = |below: usize| {
            let mut bytes = [0; 8];
            bits.fill(&mut bytes);
            (u64::from_le_bytes(bytes) % below as u64) as usize
        };
        let mut at = [0; 4];
        let mut story = Vec::new();
        let mut moves = Vec::new();
        for _ in 0..12 {
            let (who, to) = (draw(4), draw(5));
            let to = if to >= at[who] { to + 1 } else { to };
            at[who] = to;
            moves.push((who, to));
            story.push(format!("{} enters {}.", people[who], places[to]));
        }
        let mut options = places;
        (1..6).rev().for_each(|last| options.swap(last, draw(last + 1)));
        let answer = places[answer(&moves, (row + 1) % 4).unwrap_or_else(|| draw(6))];
        let (mind, target) = (people[row % 4], people[(row + 1) % 4]);
        writeln!(
            csv,
            "{},\"Where does {mind} think, \"\"honestly\"\", {target} is?\",{},{answer},{mind},{target},attic",
            story.join(" "),
            options.join("|")
        )
        .unwrap();
    }
    csv
}

const MAP: &str = "story=text,question=ask,choices=options,answer=gold,chain=mind,about=target,start=begin";

#[test]
fn answers_by_chance_pass() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drawn.csv");
    std::fs::write(&path, drawn(16_000, |_, _| None)).unwrap();
    let limits = ["--fail-over", "0.02", "--learner-over", "0.02"];
    let (report, code) = audited(&[&[path.to_str().unwrap(), "--map", MAP], &limits[..]].concat());
    assert_eq!((code, &report["failures"]), (0, &Value::Array(Vec::new())));
    assert_eq!(report["learner_failures"], Value::Array(Vec::new()));
    let learning = &report["groups"][0]["learning"];
    assert_eq!(learning["learned_from"].as_u64().unwrap() + learning["tried_on"].as_u64().unwrap(), 16_000);
    assert_eq!(report["groups"][0]["labels"]["never_right"], Value::Array(Vec::new()));
    let group = &report["groups"][0];
    assert_eq!((group["rows"].as_u64(), group["unread"].as_u64()), (Some(16_000), Some(0)));
    assert_eq!(group["asks_for_minds"], true);
    let shortcuts = group["shortcuts"].as_array().unwrap();
    assert!(shortcuts.len() >= 40, "{}", shortcuts.len());
    for shortcut in shortcuts {
        let [low, high] = ["low", "high"].map(|key| shortcut[key].as_f64().unwrap());
        assert!(low - 0.02 < 1.0 / 6.0 && 1.0 / 6.0 < high + 0.02, "{shortcut}");
    }
    assert!(group["labels"]["answer_bits"].as_f64().unwrap() > 2.58);
    assert_eq!(group["graph"]["way_count"], 30);
}

#[test]
fn a_sentence_that_gives_it_away_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("told.csv");
    std::fs::write(&path, drawn(400, |moves, _| Some(moves[3].1))).unwrap();
    let (report, code) = audited(&[path.to_str().unwrap(), "--map", MAP, "--fail-over", "0.02"]);
    assert_eq!(code, 1);
    let [start, end] =
        ["sentence_from_start", "sentence_from_end"].map(|key| found(&report, "question", 1, key));
    assert_eq!((start["which"].as_str(), start["accuracy"].as_f64()), (Some("3"), Some(1.0)));
    assert_eq!((end["which"].as_str(), end["accuracy"].as_f64()), (Some("8"), Some(1.0)));
}

/// How far above chance a sight is at least, in points.
fn over_at_least(report: &Value, key: &str) -> f64 {
    let sights = report["groups"][0]["learning"]["sights"].as_array().unwrap();
    let seen =
        sights.iter().find(|seen| seen["key"] == key).unwrap_or_else(|| panic!("no {key}: {sights:?}"));
    (seen["low"].as_f64().unwrap() - seen["chance"].as_f64().unwrap()) * 100.0
}

/// The sights that pass their limits.
fn passing(report: &Value) -> Vec<&str> {
    let failures = report["learner_failures"].as_array().unwrap();
    failures.iter().map(|failure| failure["key"].as_str().unwrap()).collect()
}

/// Where the target is after each event.
fn path(moves: &Moves, target: usize) -> Vec<usize> {
    let mut at = 0;
    let mut path = vec![at];
    for &(who, to) in moves {
        at = if who == target { to } else { at };
        path.push(at);
    }
    path
}

/// Whether the answer of a story is given away: in every second one.
fn is_told(moves: &Moves) -> bool {
    (moves[0].0 + moves[1].1 + moves[2].1).is_multiple_of(2)
}

/// No rule of the battery knows these leaks, yet half of the answers follow from the clock, or from how long the target stayed.
#[test]
fn leaks_of_time_are_learned() {
    let folder = tempfile::tempdir().unwrap();
    let at_six = |moves: &Moves, target: usize| is_told(moves).then(|| path(moves, target)[6]);
    let shortest = |moves: &Moves, target: usize| {
        let path = path(moves, target);
        let mut times = [0; 6];
        path.iter().for_each(|&at| times[at] += 1);
        let been = (0..6).filter(|&at| times[at] > 0).min_by_key(|&at| (times[at], at));
        been.filter(|_| is_told(moves))
    };
    type Rule = fn(&Moves, usize) -> Option<usize>;
    let leaks: [(&str, Rule); 2] = [("time", at_six), ("dwell", shortest)];
    for (name, leak) in part(leaks, 0, 2) {
        let path = folder.path().join(format!("{name}.csv"));
        std::fs::write(&path, drawn(8_000, leak)).unwrap();
        let path = path.to_str().unwrap();
        let (report, code) = audited(&[path, "--map", MAP, "--learner-over", "0.03"]);
        assert_eq!(code, 1, "{name}");
        assert!(over_at_least(&report, "target") > 15.0, "{name}: {report}");
        // Where nobody goes early, the start is the usual answer, which the options tell; the rest is in the moves.
        let over = |key: &str| over_at_least(&report, key);
        assert!(
            over("target") > over("options") + 8.0 && over("target") > over("mind 1") + 15.0,
            "{name}: {report}"
        );
        let found = passing(&report);
        assert!(
            found.contains(&"target") && found.contains(&"both") && !found.contains(&"meetings"),
            "{found:?}"
        );
    }
    // Limits by sight: those that are not named have none.
    let path = folder.path().join("few.csv");
    std::fs::write(&path, drawn(2_000, leaks[0].1)).unwrap();
    let passing_over = |limits: &str| {
        let (report, code) = audited(&[path.to_str().unwrap(), "--map", MAP, "--learner-over", limits]);
        assert_eq!(code == 0, passing(&report).is_empty());
        passing(&report).contains(&"target")
    };
    assert!(passing_over("target=0.03") && !passing_over("options=0.6,minds=0.6"));
}

/// Of the ways on offer one continues the right one, so no story is needed; and one choice is never right.
#[test]
fn options_that_chain_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let places = ["attic", "red cellar", "garden", "hall", "kitchen", "old porch", "study"];
    let rows = |chain: bool| -> String {
        let mut rows = String::new();
        for row in 0..2_400_u64 {
            let mut bits = blake3::Hasher::new().update(&row.to_le_bytes()).finalize_xof();
            let mut draw = |below: usize| {
                let mut bytes = [0; 8];
                bits.fill(&mut bytes);
                (u64::from_le_bytes(bytes) % below as u64) as usize
            };
            let mut order: Vec<&str> = places.to_vec();
            (1..7).rev().for_each(|last| order.swap(last, draw(last + 1)));
            let way = |from: usize, to: usize| format!("from the {} to the {}", order[from], order[to]);
            let next = if chain { way(1, 2) } else { way(6, 2) };
            let answer = way(0, 1);
            let mut options = vec![answer.clone(), next, way(3, 4), way(5, 4), "nowhere".to_owned()];
            (1..5).rev().for_each(|last| options.swap(last, draw(last + 1)));
            writeln!(
                rows,
                "{}",
                json!({"ask": "Which way?", "options": options, "gold": answer, "row": row})
            )
            .unwrap();
        }
        rows
    };
    let report = |name: &str, chain: bool| {
        let path = folder.path().join(name);
        std::fs::write(&path, rows(chain)).unwrap();
        let map = "question=ask,choices=options,answer=gold";
        let (report, code) =
            audited(&[path.to_str().unwrap(), "--map", map, "--learner-over", "options=0.02"]);
        assert_eq!((code, passing(&report)), (1, vec!["options"]));
        report
    };
    let chained = report("chain.jsonl", true);
    assert!(over_at_least(&chained, "options") > 70.0, "{chained}");
    let never_right = &chained["groups"][0]["labels"]["never_right"];
    assert_eq!(
        (never_right[0][0].as_str(), never_right[0][1].as_f64().map(f64::round)),
        (Some("nowhere"), Some(480.0))
    );
    // Without the chain, what is never right still gives something away, as do the two ways that end alike.
    let loose = report("loose.jsonl", false);
    let over = over_at_least(&loose, "options");
    assert!((5.0..40.0).contains(&over), "{over}");
}

#[test]
fn learners_see_through_the_classic_design() {
    let folder = tempfile::tempdir().unwrap();
    let board = ["first-order-mislead", "--count", "1600", "--seed", "7"];
    let rows = rows_in(folder.path(), "rows.jsonl", &board);
    let rows = rows.to_str().unwrap();
    let page = folder.path().join("page.html");
    let arguments = [rows, "--only", "belief", "--learner-over", "0.02", "--html", page.to_str().unwrap()];
    let (report, code) = audited(&arguments);
    assert_eq!(code, 1);
    assert!(over_at_least(&report, "target") > 75.0);
    let html = std::fs::read_to_string(&page).unwrap();
    for seen in report["groups"][0]["learning"]["sights"].as_array().unwrap() {
        let over = seen["over"].as_f64().unwrap() * 100.0;
        let cells = [
            format!("<td class=\"text\">{}</td>", seen["key"].as_str().unwrap()),
            format!("<td class=\"text\">{}</td>", seen["about"].as_str().unwrap()),
            format!("<td class=\"text\">{}</td>", seen["which"].as_str().unwrap_or_default()),
            format!("<td>{:.1}%</td>", seen["accuracy"].as_f64().unwrap() * 100.0),
            format!("<td>{over:+.1}</td>"),
        ];
        assert!(html.contains(&cells.concat()), "{cells:?}");
    }
    let output = run(&["audit", rows, "--only", "belief", "--learner-over", "0.02,both=0.5"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("learners find more than"), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("following minds") && text.lines().all(|line| line.trim_end().chars().count() <= 80)
    );
    // From few rows nothing is learned, which is said; limits are then no reason to fail.
    let few = rows_in(folder.path(), "few.jsonl", &["first-order-mislead", "--count", "200"]);
    let output = run(&["audit", few.to_str().unwrap(), "--only", "belief", "--learner-over", "0.02"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("are too few") && stdout(&output).contains("are too few"));
}

#[test]
fn rows_of_somebody_else_are_mapped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.jsonl");
    let mut rows = String::new();
    for row in 0..200 {
        let options = if row % 3 == 0 { "[\"no\", \"yes\"]" } else { "[\"yes\", \"no\"]" };
        writeln!(
            rows,
            "{{\"q\": {{\"ask\": \"Is it so, number {row}?\", \"of\": {options}}}, \"gold\": \"no\"}}"
        )
        .unwrap();
    }
    rows += &rows.clone();
    std::fs::write(&path, rows).unwrap();
    let map = "question=q.ask,choices=q.of.0+q.of.1,answer=gold";
    let (report, _) = audited(&[path.to_str().unwrap(), "--map", map]);
    let constant = found(&report, "question", 0, "constant");
    assert_eq!((constant["which"].as_str(), constant["on_all_rows"].as_f64()), (Some("no"), Some(1.0)));
    assert_eq!(accuracy(&report, "question", 0, "choice_words"), 1.0);
    assert_eq!(accuracy(&report, "question", 0, "shortest_choice"), 1.0);
    assert_eq!(report["repeated"], serde_json::json!({"exact": 200, "shape": 200}));
    assert_eq!(report["groups"][0]["labels"]["answer_bits"], 0.0);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let row = r#"{"id":"b/0/0/0","answer":"a","choices":["a","b"],"label":1}"#;
    let rows =
        at("rows.jsonl", &format!("{row}\nnonsense\n{{\"label\":[]}}\n{}", format!("{row}\n").repeat(30)));
    let table = at("table.csv", "a,b,gold\nx,y,x\nx,y\nx,y,z\n");
    let quote = at("quote.csv", "a,b,gold\n\"x,y,x\nx,y\n");
    let empty = at("empty.jsonl", "");
    let log = at("log.jsonl", "{\"events\": []}\n[1, 2\n");
    let named = at("rows.txt", "");
    let map = ["--map", "choices=a+b,answer=gold"];
    let cases: [(&[&str], i32, &[&str]); 15] = [
        (
            &[&rows],
            1,
            &[
                "rows.jsonl:1: `answer` is a, but choice 1 is b",
                "rows.jsonl:2: this is not a row",
                "… and 13 more",
            ],
        ),
        (
            &[&table, map[0], map[1]],
            1,
            &["table.csv:3", "table.csv:4: its answer `z` is not among its choices"],
        ),
        (&[&table, "--map", "choices=a+c,answer=gold"], 1, &["it has no column `c`"]),
        (&[&quote, map[0], map[1]], 1, &["quote.csv"]),
        (&[&empty], 1, &["has no question to audit"]),
        (&[&rows, "--learn-on", &empty], 1, &["has no question to learn from"]),
        (&[&log, "--log"], 1, &["log.jsonl:2"]),
        (&[&table], 2, &["use --map to say"]),
        (&[&named], 2, &["its name ends neither in"]),
        (&[&rows, "--map", "storry=x"], 2, &["did you mean `story`?"]),
        (&[&rows, "--fail-over", "2"], 2, &["not between 0 and 1"]),
        (&[&rows, "--tree-over", "0.1"], 2, &["--fail-over"]),
        (&[&rows, "--joint-over", "1.5"], 2, &["not between 0 and 1"]),
        (&[&rows, "--learner-over", "targt=0.1"], 2, &["did you mean `target`?"]),
        (&["nowhere.jsonl"], 3, &["nowhere.jsonl"]),
    ];
    for (arguments, code, said) in cases {
        let output = run(&[&["audit"], arguments].concat());
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        for said in said {
            assert!(stderr.contains(said), "{arguments:?}: {stderr}");
        }
    }
    assert_eq!(run(&["audit", &rows, "--only", "nothing"]).status.code(), Some(1));
}

/// What cannot be read on is told once, and the audit ends.
#[test]
fn what_breaks_off_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let whole = rows_in(folder.path(), "whole.jsonl.gz", &["free-play", "--count", "100"]);
    let at = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let cut = at("cut.jsonl.gz", &std::fs::read(whole).unwrap()[..9000]);
    let empty = at("empty.jsonl.zst", b"");
    let latin = at("latin.csv", b"a,b,gold,\xe9t\xe9\nx,y,x,z\nx,y,y,z\n");
    let map = ["--map", "choices=a+b,answer=gold"];
    let cases: [(&[&str], &str); 4] = [
        (&[&cut], "cut.jsonl.gz:"),
        (&[&cut, "--map", "choices=choices,label=label"], "cut.jsonl.gz:"),
        (&[&empty], "empty.jsonl.zst:1: "),
        (&[&latin, map[0], map[1]], "latin.csv:1: "),
    ];
    for (arguments, said) in cases {
        let script = "ulimit -t 20; exec \"$0\" audit \"$@\"";
        let output = Command::new("sh").args(["-c", script, PROGRAM]).args(arguments).output().unwrap();
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
        let told = stderr.lines().filter(|line| line.starts_with("error: "));
        assert_eq!(told.count(), 1, "{arguments:?}: {stderr}");
        assert!(stderr.contains(said), "{arguments:?}: {stderr}");
    }
}

/// Rows of several kinds are no twins, though they say so.
#[test]
fn twins_are_asked_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let row = |id: &str, twin: &str, kind: &str, answer: &str| {
        json!({"id": id, "board": "b", "story": format!("{id} enters {answer}."), "question": "Where?", "answer": answer,
               "choices": ["hall", "attic"], "label": usize::from(answer == "attic"), "kind": kind, "twin": twin})
        .to_string()
    };
    let rows = [
        row("a", "", "belief", "hall").replace(",\"twin\":\"\"", ""),
        row("c", "d", "belief", "hall"),
        row("d", "c", "knows", "attic"),
        row("e", "f", "belief", "hall"),
        row("f", "e", "belief", "attic"),
    ];
    std::fs::write(&path, rows.join("\n")).unwrap();
    let path = path.to_str().unwrap();
    let (report, code) = audited(&[path, "--learn-on", path]);
    assert_eq!((code, &report["alone"]), (0, &json!(2)));
    let groups = report["groups"].as_array().unwrap();
    let pairs: Vec<&Value> = groups.iter().map(|group| &group["twins"]["pairs"]).collect();
    assert_eq!(pairs, [&json!(1), &Value::Null]);
}

/// Numbers that no step has, one choice, no sentence: nothing that somebody writes stops the audit.
#[test]
fn strange_rows_are_audited() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("strange.jsonl");
    let rows = [
        r#"{"answer":"a","choices":["a"],"evidence":[18446744073709551615,0],"kind":"belief"}"#,
        r#"{"answer":"","choices":["",""],"story":". . .","question":"?","events":[[18446744073709551615,"A","goes","b"]],"kind":"belief"}"#,
        r#"{"answer":"é","choices":["é","éé"],"story":"éé.é","events":null,"start":[],"about":"é","chain":["é","é"],"kind":"belief"}"#,
        r#"{"answer":"b","choices":["b","c"],"story":"Ann enters ","start":{"Ann":7},"chain":["Ann"],"kind":"belief"}"#,
    ];
    std::fs::write(&path, rows.join("\n")).unwrap();
    for more in [&[][..], &["--sample", "1"], &["--format", "json"], &["--learn-on", path.to_str().unwrap()]]
    {
        let output = run(&[&["audit", path.to_str().unwrap()], more].concat());
        assert_eq!(output.status.code(), Some(0), "{more:?}: {}", stderr(&output));
        assert!(!output.stdout.is_empty());
    }
}

/// What the audit reads from sentences or events is what the row says, which was measured on the trace.
#[test]
fn foils_are_found_again() {
    let mut compared = 0;
    let mut boards = 0;
    for family in compiled() {
        for with_events in [false, true] {
            let mut maker =
                RowMaker::new(family, 11, &[], RowOptions { with_events, ..RowOptions::default() });
            let mut rows = String::new();
            (0..times(3)).for_each(|index| {
                maker.rows(index, &mut rows);
            });
            let before = compared;
            for row in rows.lines() {
                let fields = Fields::of(&StoredRow::Line(row.to_owned())).unwrap();
                let is_walk =
                    fields.context.contains(", and everyone knows that, and knows that everyone does. ")
                        && fields.kind != "following";
                let foils = fields.foils.clone();
                let id = fields.id.clone();
                let case = Case::of_row(fields).unwrap();
                assert!(case.itinerary.is_some() || !is_walk, "{id}: nobody's walks could be read");
                if !is_walk {
                    continue;
                }
                // Without its own foils, it has to find them.
                let case = Case { foils: Default::default(), ..case };
                let mentions = Mentions::of(&case.story, &case.choices);
                for (shortcut, choice) in shortcuts(&case, &mentions) {
                    if let Some(foil) = foils.get(shortcut.key).filter(|_| shortcut.key != "lower_order") {
                        // Beyond 12 places, what a foil names may not be on offer.
                        let offered = foil.clone().filter(|foil| case.choices.contains(foil));
                        let named = choice.map(|choice| case.choices[choice].clone());
                        assert_eq!(named, offered, "{id}: {}", shortcut.key);
                        compared += 1;
                    }
                }
            }
            boards += usize::from(compared > before);
        }
    }
    assert!(compared > 500, "{compared}");
    assert!(boards >= 12, "{boards}");
}

/// Where people do more than walk, their walks are in the events; of an object, the row's own foils are taken.
#[test]
fn events_tell_what_sentences_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let board = ["sally-anne", "--count", "80", "--seed", "5"];
    let report = |name: &str, more: &[&str]| {
        let path = rows_in(folder.path(), name, &[&board[..], more].concat());
        audited(&[path.to_str().unwrap()]).0
    };
    let (without, with) = (report("without.jsonl", &[]), report("with.jsonl", &["--with-events"]));
    for (at, group) in with["groups"].as_array().unwrap().iter().enumerate() {
        let unread = |group: &Value| group["unread"].as_u64().unwrap();
        assert_eq!(unread(group), 0);
        assert!(unread(&without["groups"][at]) > 40, "{}", group["kind"]);
        let of = |group: &Value, key: &str| {
            let shortcuts = group["shortcuts"].as_array().unwrap().iter();
            shortcuts.filter(|shortcut| shortcut["key"] == key).map(|found| found["accuracy"].clone()).next()
        };
        for key in ["last_place", "second_last_place", "last_common_place", "own_place", "lower_order"] {
            assert_eq!(of(group, key), of(&without["groups"][at], key), "{key}: {}", group["kind"]);
        }
        // Nobody in the story starts in a container.
        assert_eq!(of(group, "start_place"), None);
    }
}

/// Who comes and goes in a conversation is read from its events, whatever is said in between.
#[test]
fn walks_of_conversations_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for board in ["white-lies", "white-lies-calibrated"] {
        let path = rows_in(folder.path(), "talk.jsonl", &[board, "--count", "40", "--with-events"]);
        let report = audited(&[path.to_str().unwrap()]).0;
        for group in report["groups"].as_array().unwrap() {
            assert_eq!(group["unread"], 0, "{board}: {group}");
        }
    }
}

/// The page has the report's numbers, shortcut by shortcut, and is the same every time.
#[test]
fn the_page_says_what_the_report_says() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    rows_in(folder.path(), "rows.jsonl", &["first-order-mislead", "sally-anne", "--count", "60"]);
    let rows = at("rows.jsonl");
    let page = |name: &str| {
        let (report, _) = audited(&[&rows, "--html", &at(name)]);
        (report, std::fs::read_to_string(at(name)).unwrap())
    };
    let (report, html) = page("one.html");
    assert_eq!(html, page("two.html").1);
    assert!(!folder.path().join("one.html.partial").exists());
    assert!(html.contains("<title>Audit of rows.jsonl</title>") && html.trim_end().ends_with("</html>"));
    assert!(!html.replace("http://www.w3.org/2000/svg", "").contains("http"), "nothing comes from elsewhere");
    let number = |value: &Value, scale: f64| format!("{:.1}", value.as_f64().unwrap() * scale);
    let mut after = html.as_str();
    let mut lines = 0;
    for group in report["groups"].as_array().unwrap() {
        let heading = format!("question {}, {}", group["question"], group["kind"].as_str().unwrap());
        after = &after[after.find(&format!("<h2>{} {heading}", group["board"].as_str().unwrap())).unwrap()..];
        for shortcut in group["shortcuts"].as_array().unwrap() {
            let star = if shortcut["is_learned"] == true { "*" } else { "" };
            let cells = [
                format!("<td class=\"text\">{}{star}</td>", shortcut["key"].as_str().unwrap()),
                format!("<td class=\"text\">{}</td>", shortcut["which"].as_str().unwrap_or_default()),
                format!("<td>{}</td>", shortcut["rows"]),
                format!("<td>{}%</td>", number(&shortcut["accuracy"], 100.0)),
                format!(
                    "<td>{}% – {}%</td>",
                    number(&shortcut["low"], 100.0),
                    number(&shortcut["high"], 100.0)
                ),
            ];
            let found = after.find(&cells.concat());
            after = &after[found.unwrap_or_else(|| panic!("not in this order: {cells:?}"))..];
            lines += 1;
        }
        let labels = &group["labels"];
        let bits = |name: &str| format!("{:.2}", labels[name].as_f64().unwrap());
        let said = format!("{} bits, of at most {}", bits("answer_bits"), bits("answer_bits_most"));
        assert!(after.contains(&said), "{said}");
        for share in group["evidence"].as_array().into_iter().flatten() {
            let share = format!("{}%\n</text>", number(share, 100.0));
            assert!(after.contains(&share), "{heading}: {share}");
        }
    }
    assert!(lines > 100, "{lines}");
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
}

/// Whatever words a data set is made of, they are words on the page.
#[test]
fn the_page_escapes_words() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, page) = (folder.path().join("<i>&.jsonl"), folder.path().join("page.html"));
    let row = serde_json::json!({
        "id": "<script>/0/0/0", "board": "<script>", "kind": "<b onload='x'>", "order": 1, "start": "\"<a>\"",
        "story": "<i>Ann</i> enters <s>. Bob enters &amp;.", "question": "<u>?", "chain": ["<i>Ann</i>"],
        "answer": "<s>", "choices": ["<s>", "&amp;"], "label": 0, "about": "<script>", "evidence": [0],
        "events": [[0, "<script>", "goes", "<s>"]]
    });
    std::fs::write(&rows, format!("{row}\n{row}\n")).unwrap();
    let output = run(&["audit", rows.to_str().unwrap(), "--html", page.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let html = std::fs::read_to_string(page).unwrap();
    for wild in ["<script", "<b ", "<i>", "<s>", "<u>", "<a>"] {
        assert!(!html.contains(wild), "{wild}");
    }
    assert!(html.contains("&lt;script&gt;") && html.contains("&lt;i&gt;&amp;.jsonl"));
    assert!(html.contains("&lt;s&gt;") && !html.contains("&amp;lt;"));
}

#[test]
fn no_page_replaces_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rows = rows_in(folder.path(), "rows.jsonl", &["sally-anne", "--count", "9"]);
    rows_in(folder.path(), "other.jsonl", &["sally-anne", "--count", "9", "--seed", "3"]);
    let whole = rows_in(folder.path(), "whole", &["sally-anne", "--count", "9", "--format", "jsonl"]);
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(whole.join("manifest.json")).unwrap()).unwrap();
    let part = whole.join(manifest["files"][0]["path"].as_str().unwrap());
    let (rows, whole, part) = (rows.to_str().unwrap(), whole.to_str().unwrap(), part.to_str().unwrap());
    let (other, linked) = (at("other.jsonl"), at("./rows.jsonl"));
    let cases: [&[&str]; 5] = [
        &[rows, "--html", rows],
        &[rows, "--html", &linked],
        &[rows, "--learn-on", &other, "--html", &other],
        &[whole, "--html", part],
        &[whole, "--html", &at("whole/manifest.json")],
    ];
    for arguments in cases {
        let written = Path::new(arguments.last().unwrap());
        let before = std::fs::read(written).unwrap();
        let output = run(&[&["audit"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("is an input file: write to another file"), "{arguments:?}");
        assert!(std::fs::read(written).unwrap() == before && output.stdout.is_empty(), "{arguments:?}");
    }
    let output = run(&["audit", rows, "--html", &at("no/where.html")]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("no/where.html"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_is_written_into_a_device_not_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows_in(folder.path(), "rows.jsonl", &["sally-anne", "--count", "9"]);
    let full = folder.path().join("full.html");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let output = run(&["audit", rows.to_str().unwrap(), "--html", full.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(full.symlink_metadata().unwrap().is_symlink());
}

fn shared(file: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/replay").join(file);
    if !path.exists() {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn published_storysim_gives_itself_away() {
    let Some(path) = shared("storysim-first-order.jsonl") else { return };
    let (report, code) = audited(&[path.to_str().unwrap(), "--log", "--fail-over", "0.02"]);
    assert_eq!(code, 1);
    assert_eq!(report["groups"][0]["rows"], 300);
    let sentence = found(&report, "belief", 1, "sentence_from_start");
    assert_eq!((sentence["which"].as_str(), sentence["on_all_rows"].as_f64()), (Some("11"), Some(1.0)));
    assert_eq!(accuracy(&report, "belief", 1, "second_last_place"), 1.0);
    let constant = found(&report, "belief", 1, "constant");
    assert_eq!(constant["which"], "the_hallway");
    let everywhere = constant["on_all_rows"].as_f64().unwrap();
    assert!((0.36..0.38).contains(&everywhere), "{everywhere}");
    assert_eq!(report["groups"][0]["labels"]["answers"].as_array().unwrap().len(), 4, "of 6 places");
}

#[test]
fn published_tomi_is_answered_by_the_last_place() {
    let Some(path) = shared("tomi.jsonl") else { return };
    let (report, _) = audited(&[path.to_str().unwrap(), "--log"]);
    // These 600 stories: 975 and 900 of 1,200 answers are where the object really is.
    assert_eq!(accuracy(&report, "belief", 1, "last_place"), 975.0 / 1200.0);
    assert_eq!(accuracy(&report, "belief", 2, "last_place"), 900.0 / 1200.0);
    assert_eq!(accuracy(&report, "reality", 0, "last_place"), 1.0);
    assert_eq!(accuracy(&report, "memory", 0, "start_place"), 1.0);
}

#[test]
fn published_tactful_says_no() {
    let Some(path) = shared("tactful.jsonl") else { return };
    let (report, _) = audited(&[path.to_str().unwrap(), "--log"]);
    let constant = found(&report, "comprehension", 0, "constant");
    assert_eq!((constant["which"].as_str(), constant["accuracy"].as_f64()), (Some("No"), Some(1.0)));
    assert_eq!(accuracy(&report, "lieability", 1, "choice_words"), 1.0);
}

/// One telling of a container that nobody has declared does not cost the whole log.
#[test]
fn what_is_wrong_with_a_log_can_be_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let log = |container: &str, at: usize| {
        let events = json!([
            {"t": 0, "type": "tell", "speaker": "Ann", "listeners": ["Bob"], "content": {"object": "ball", "container": container}},
            {"t": 1, "type": "move_object", "who": "Ann", "object": "ball", "to": "bag"},
        ]);
        let log = json!({
            "id": at, "characters": ["Ann", "Bob"], "locations": ["hall"], "start": {"Ann": "hall", "Bob": "hall"},
            "containers": {"box": "hall", "bag": "hall"}, "objects": {"ball": "box"}, "events": events,
            "questions": [{"kind": "belief", "chain": ["Bob"], "about": "ball", "answer": "bag"}],
        });
        format!("{log}\n")
    };
    let logs: String = (0..10).map(|at| log(if at == 3 { "chest" } else { "box" }, at)).collect();
    std::fs::write(&path, logs + "{\n").unwrap();
    let path = path.to_str().unwrap();
    let strict = run(&["audit", "--log", path]);
    assert_eq!((strict.status.code(), stdout(&strict)), (Some(1), ""));
    assert!(stderr(&strict).contains("log.jsonl:4:") && stderr(&strict).contains("help: with --lenient"));
    let lenient = run(&["audit", "--log", "--lenient", path, "--format", "json"]);
    assert_eq!(lenient.status.code(), Some(0), "{}", stderr(&lenient));
    assert!(stderr(&lenient).contains("warning:") && !stderr(&lenient).contains("error:"));
    let report: Value = serde_json::from_str(stdout(&lenient)).unwrap();
    assert_eq!(report["rows"], 10);
}

#[test]
fn rows_that_are_none_can_be_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = rows_in(folder.path(), "rows.jsonl", &["five-events", "--count", "20"]);
    let rows = std::fs::read_to_string(&path).unwrap();
    let count = rows.lines().count();
    std::fs::write(&path, format!("{rows}nonsense\n")).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(run(&["audit", path]).status.code(), Some(1));
    let (report, code) = audited(&["--lenient", path]);
    assert_eq!((&report["rows"], code), (&json!(count), 0));
}

/// Ten times the story takes some ten times as long: an audit of stories of a million events is a matter of reading them.
#[test]
fn time_grows_with_the_text_and_no_faster() {
    let case = |sentences: usize| {
        let (people, places) = (["Ann", "Bob", "Cas"], ["hall", "attic", "cellar"]);
        let sentence = |at: usize| format!("{} enters {}.", people[at * 7 % 3], places[(at / 3 + at) % 3]);
        let fields = Fields {
            story: (0..sentences).map(sentence).collect::<Vec<_>>().join(" "),
            question: "Where does Ann think Bob is?".into(),
            choices: places.map(str::to_owned).into(),
            answer: "attic".into(),
            label: 1,
            kind: "belief".into(),
            order: 1,
            chain: vec!["Ann".into()],
            about: "Bob".into(),
            start: "hall".into(),
            ..Fields::default()
        };
        let taken = || {
            let started = std::time::Instant::now();
            let measured = storysim::audit::Measured::of(Case::of_row(fields.clone()).unwrap());
            assert_eq!(measured.choice_count(), 3);
            started.elapsed()
        };
        // Others use the machine: the best of several counts.
        (0..5).map(|_| taken()).min().unwrap()
    };
    let (short, long) = (case(20_000), case(200_000));
    assert!(long < short * 30, "{short:?} for 20,000 events, {long:?} for 200,000");
}
