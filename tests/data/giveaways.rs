//! What built-in storyboards give away: the figures that come with the program are those of these storyboards.

use std::collections::BTreeMap;

use storysim::audit::{BEGINS_TO_FOLLOW, GroupReport};
use storysim::compile::compile_family;
use storysim::giveaway::{SEED, audited, fingerprint, of_report, stories};
use storysim::select::{Family, admit};
use storysim::storyboard::{BUILT_IN, BuiltIn, Found, Giveaway, Giveaways, Purpose, parse};

use crate::effort::times;
use crate::program::{run, stderr, stdout};

/// Up to this share above chance a shortcut does not work.
const LIMIT: f64 = 0.02;

/// How far, in shares above chance, the shortcut that begins to follow a mind may get where storyboards are calibrated.
const LIMIT_OF_BEGINNING: f64 = 0.1;

fn family(board: &BuiltIn) -> Family {
    let read = parse(board.source()).unwrap();
    let plans = compile_family(&read, &[]).unwrap().plans;
    admit(&read, plans).unwrap().family
}

fn known(board: &BuiltIn) -> &'static Giveaway {
    Giveaways::built_in().of(board).unwrap_or_else(|| panic!("{}", again(board)))
}

fn again(board: &BuiltIn) -> String {
    format!("storysim audit --built-in {} --out storyboards/shortcuts.json", board.name)
}

/// Whoever changes a storyboard, or what is drawn for it, measures it again.
#[test]
fn every_storyboard_is_measured_as_it_is() {
    for board in BUILT_IN {
        let (known, family) = (known(board), family(board));
        let stories = stories(board.purpose, &family);
        assert_eq!((known.seed, known.stories), (SEED, stories), "{}", again(board));
        assert_eq!(fingerprint(&family), known.of, "{} is another one now: {}", board.name, again(board));
    }
}

/// The heading under which a storyboard is listed is true.
#[test]
fn storyboards_are_what_they_are_for() {
    for board in BUILT_IN {
        let Giveaway { shortcut, beginning, .. } = known(board);
        let (name, over) = (board.name, shortcut.over());
        match board.purpose {
            Purpose::Calibrated => {
                assert!(over <= LIMIT, "{name}: {} {over}", shortcut.told());
                let beginning = beginning.as_ref().map_or(0.0, Found::over);
                assert!(beginning <= LIMIT_OF_BEGINNING, "{name} {beginning}");
            }
            Purpose::Classic => assert!(over > LIMIT, "{name}: {over}"),
            Purpose::Demonstration => {}
        }
    }
}

/// How often a shortcut is right in these rows, and guessing, and in how many rows that was counted. It may have no answer in any
/// of them, and then it guesses.
fn measured(group: &GroupReport, key: &str) -> (f64, f64, u64) {
    let guesses = (group.chance, group.chance, group.rows);
    group.find(key).map_or(guesses, |finding| (finding.accuracy, finding.chance, finding.rows))
}

/// Other stories say the same, as far as so few can: where two samples are drawn from one urn, their shares differ by no more
/// than five times the deviation of the difference.
#[test]
fn other_stories_give_away_as_much() {
    for board in BUILT_IN.iter().filter(|board| board.purpose != Purpose::Calibrated) {
        let Giveaway { shortcut, beginning, .. } = known(board);
        // Of a stage there are many rows.
        let stories = if board.text().contains("\nscenarios:") { times(5) } else { times(25) };
        let report = audited(&family(board), SEED + 1, stories, |_| {});
        // Several that are measured together have a kind, and no number.
        let key = |question: Option<u64>, kind: &str| (question, question.is_none().then(|| kind.to_owned()));
        let groups: BTreeMap<(Option<u64>, Option<String>), &GroupReport> =
            report.groups.iter().map(|group| (key(group.group.question, &group.group.kind), group)).collect();
        for found in [Some(shortcut), beginning.as_ref()].into_iter().flatten() {
            let group = groups[&(found.question, found.kind.clone())];
            let (right, chance, rows) = measured(group, &found.name);
            let (one, other) = (found.rows as f64, rows as f64);
            let share = (found.right * one + right * other) / (one + other);
            let deviation = (share * (1.0 - share) * (1.0 / one + 1.0 / other)).sqrt();
            let within = 5.0 * deviation + 1.0 / other;
            let name = format!("{} {}", board.name, found.told());
            assert!((right - found.right).abs() <= within, "{name}: {right} of {rows}, not {}", found.right);
            assert!((chance - found.chance).abs() <= 0.05, "{name}: {chance}, not {}", found.chance);
        }
        assert!(beginning.as_ref().is_none_or(|found| found.name == BEGINS_TO_FOLLOW));
    }
}

/// Threads change nothing, and the command measures one storyboard without forgetting another.
#[test]
fn threads_change_nothing_in_what_is_measured() {
    let board = BUILT_IN.iter().find(|board| board.name == "five-events").unwrap();
    let family = family(board);
    let on = |threads: usize| {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        threads.install(|| of_report(&family, &audited(&family, SEED, 2_100, |_| {}), 2_100).unwrap())
    };
    let alone = on(1);
    assert_eq!(alone, on(3));
    assert!(alone.learner.is_some() && alone.shortcut.rows > 500);
}

#[test]
fn figures_are_shown_where_storyboards_are_met() {
    let listed = run(&["list", "--format", "json"]);
    let lines: Vec<serde_json::Value> =
        stdout(&listed).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let checked = run(&["check", "five-events"]);
    let text = run(&["list"]);
    for board in BUILT_IN {
        let found = known(board);
        let line = lines.iter().find(|line| line["storyboard"] == board.name).unwrap();
        assert_eq!(line["purpose"], board.purpose.key());
        assert_eq!(line["shortcuts"], serde_json::to_value(found).unwrap(), "{}", board.name);
        let shown = found.telling_beginning().unwrap_or(&found.shortcut).points();
        let name = format!(" {} ", board.name);
        assert!(stdout(&text).lines().any(|line| line.starts_with(&name) && line.contains(&shown)), "{name}");
        if board.name == "five-events" {
            let told =
                format!("Known shortcuts: {} {} points", found.shortcut.told(), found.shortcut.points());
            assert!(stdout(&checked).contains(&told), "{}", stdout(&checked));
        }
    }
    let set = run(&["check", "first-order-mislead", "--set", "mislead_distance=20"]);
    assert!(stdout(&set).contains("with the default values"), "{}", stdout(&set));
    let own = tempfile::tempdir().unwrap();
    let path = own.path().join("own.yaml");
    let board = BUILT_IN.iter().find(|board| board.name == "five-events").unwrap();
    std::fs::write(&path, board.text().replace("horizon: 5", "horizon: 6")).unwrap();
    let own = run(&["check", path.to_str().unwrap()]);
    assert!(stdout(&own).contains("none were looked for; `storysim audit`"), "{}", stdout(&own));
}

/// The command refuses what it cannot measure, and keeps its hands off a file that is something else.
#[test]
fn only_built_in_storyboards_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shortcuts.json");
    let out = path.to_str().unwrap();
    let refused = |arguments: &[&str], code: i32, why: &str| {
        let output = run(&[&["audit"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    };
    refused(&["--built-in", "five-event", "--out", out], 2, "five-events");
    refused(&["--built-in"], 2, "--out");
    refused(&["rows.jsonl", "--out", out], 2, "--out");
    refused(&["--built-in", "five-events", "--out", out, "--fail-over", "0.1"], 2, "--fail-over");
    std::fs::write(&path, "mine").unwrap();
    refused(&["--built-in", "five-events", "--out", out], 1, "not a file of shortcuts");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    refused(&["--built-in", "five-events", "--out", out], 3, "reading");
    assert_eq!(std::fs::read(&path).unwrap(), [0xff, 0xfe]);
    // It has no end, so nothing is read from it.
    refused(&["--built-in", "five-events", "--out", "/dev/full"], 3, "No space left");
}
