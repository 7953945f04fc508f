//! How difficult rows are, from the outside: in every format, as a filter, and in what is reported.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use storysim::dataset::{DifficultyOfRow, FIFTHS, Fields, StoredRow};
use storysim::files::{files_at, rows_of};

use crate::effort::part;
use crate::program::{run, stderr, stdout};

fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output).to_owned()
}

fn generated(board: &str, count: &str, more: &[&str]) -> String {
    done(&[&["generate", board, "--count", count, "--seed", "3", "--quiet"], more].concat())
}

/// Is refused, having said this, and writes nothing.
fn refused(arguments: &[&str], code: i32, said: &[&str]) {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
    for said in said {
        assert!(stderr(&output).contains(said), "{said}\n{}", stderr(&output));
    }
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

fn fields(row: &str) -> Fields {
    Fields::of(&StoredRow::Line(row.to_owned())).unwrap()
}

/// The same filter twice, as it is written and as a reader would decide it by the row alone.
type Filter = (&'static str, fn(&Fields, &DifficultyOfRow) -> bool);

const FILTERS: [Filter; 4] = [
    ("updates >= 3 and shortcuts_right == 0", |_, d| d.updates >= Some(3) && d.shortcuts_right == Some(0)),
    ("quantile < 20 or quantile > 80", |_, d| d.quantile < Some(20) || d.quantile > Some(80)),
    ("not (order < 2) and mislead_distance > 4", |row, _| row.order >= 2 && row.mislead_distance > Some(4)),
    ("after > between or people == 4 and label != 0", |row, d| {
        d.after > d.between || d.people == Some(4) && row.label != 0
    }),
];

#[test]
fn kept_rows_are_the_very_rows() {
    let (mut sifted, mut tried) = (0, 0);
    for (at, board) in ["second-order-calibrated", "world-model"].into_iter().enumerate() {
        let all = generated(board, "60", &["--difficulty"]);
        let plain = generated(board, "60", &[]);
        for (filter, keeps) in part(FILTERS, at, 3) {
            tried += 1;
            let is_kept = |row: &str| {
                let row = fields(row);
                keeps(&row, &row.difficulty)
            };
            let wanted: Vec<&str> = all.lines().filter(|row| is_kept(row)).collect();
            if wanted.is_empty() {
                refused(
                    &["generate", board, "--count", "60", "--seed", "3", "--where", filter],
                    1,
                    &["no row of"],
                );
                continue;
            }
            sifted += usize::from(wanted.len() < all.lines().count());
            for jobs in ["1", "3"] {
                let kept = generated(board, "60", &["--difficulty", "--where", filter, "--jobs", jobs]);
                assert_eq!(kept.lines().collect::<Vec<_>>(), wanted, "{board} {filter}");
            }
            let without: Vec<&str> =
                plain.lines().zip(all.lines()).filter(|(_, all)| is_kept(all)).map(|(row, _)| row).collect();
            let kept = generated(board, "60", &["--where", filter]);
            assert_eq!(kept.lines().collect::<Vec<_>>(), without, "{board} {filter}");
            // Any part of it is found without the rest.
            let parts =
                ["0/2", "1/2"].map(|part| generated(board, "60", &["--where", filter, "--shard", part]));
            assert_eq!(parts.concat(), kept);
        }
    }
    assert!(sifted > tried / 2, "{sifted} of {tried} filters leave rows out");
}

#[test]
fn twins_go_with_their_story() {
    let more = ["--twins", "--difficulty"];
    let all = generated("free-play", "40", &more);
    let filter = "bearing == 1 and after > 3";
    let kept = generated("free-play", "40", &[&more[..], &["--where", filter]].concat());
    let is_kept = |row: &Fields| row.difficulty.bearing == Some(1) && row.difficulty.after > Some(3);
    let own: BTreeSet<String> = all.lines().map(fields).filter(is_kept).map(|row| row.id).collect();
    let wanted: Vec<&str> = all
        .lines()
        .filter(|row| {
            let row = fields(row);
            let story = if row.id.contains("-twin/") { row.twin.clone().unwrap() } else { row.id.clone() };
            own.contains(&story)
        })
        .collect();
    assert_eq!(kept.lines().collect::<Vec<_>>(), wanted);
    assert!(!wanted.is_empty() && wanted.len() < all.lines().count());
}

#[test]
fn folders_know_what_was_kept() {
    let temporary = tempfile::tempdir().unwrap();
    let path = |name: &str| temporary.path().join(name).to_str().unwrap().to_owned();
    let filter = "quantile >= 50";
    let lines = generated("second-order-mislead", "80", &["--difficulty", "--where", filter]);
    for format in ["jsonl", "parquet"] {
        let folder = path(format);
        let options =
            ["--difficulty", "--where", filter, "--format", format, "--shard-size", "30", "--out", &folder];
        generated("second-order-mislead", "80", &options);
        done(&["verify", "--deep", &folder]);
        let manifest: Value =
            serde_json::from_slice(&std::fs::read(Path::new(&folder).join("manifest.json")).unwrap())
                .unwrap();
        assert_eq!((&manifest["where"], &manifest["with_difficulty"]), (&filter.into(), &true.into()));
        assert_eq!(manifest["rows"], lines.lines().count());
        let card = std::fs::read_to_string(Path::new(&folder).join("README.md")).unwrap();
        assert!(
            card.contains("--difficulty --where 'quantile >= 50'") && card.contains("| `difficulty` |"),
            "{card}"
        );
        let stored = rows_of(files_at(Path::new(&folder)).unwrap());
        let stored: Vec<Fields> = stored.map(|(_, _, row)| Fields::of(&row.unwrap()).unwrap()).collect();
        let wanted: Vec<Fields> = lines.lines().map(fields).collect();
        assert_eq!(stored.len(), wanted.len());
        for (stored, wanted) in stored.iter().zip(&wanted) {
            assert_eq!((&stored.id, &stored.difficulty), (&wanted.id, &wanted.difficulty));
            assert!(stored.difficulty.quantile.is_some() && stored.difficulty.updates.is_some());
        }
        // The same folder with another filter is another one.
        let other =
            ["generate", "second-order-mislead", "--count", "80", "--seed", "3", "--difficulty", "--where"];
        let other = [&other[..], &["quantile >= 51"], &options[3..]].concat();
        refused(&other, 2, &["rows kept: quantile >= 50 there, quantile >= 51 now"]);
    }
}

#[test]
fn what_nothing_meets_is_said_before_anything_is_lost() {
    let temporary = tempfile::tempdir().unwrap();
    let file = temporary.path().join("rows.jsonl");
    std::fs::write(&file, "precious").unwrap();
    let out = file.to_str().unwrap();
    let with =
        |filter: &'static str| ["generate", "sally-anne", "--count", "20", "--where", filter, "--out", out];
    for (filter, said) in [
        (
            "updates > 900 and order >= 0",
            &[
                "no row of 20 stories of sally-anne is kept",
                "updates > 900",
                "met by none of",
                "`updates` is",
            ][..],
        ),
        ("scenario == 1", &["no row has `scenario`"]),
        ("updates = 3", &["expected one of `<`", "to be equal is written `==`"]),
        ("updtes > 3", &["rows have no number `updtes`", "did you mean `updates`?"]),
        ("", &["there is no expression"]),
        ("((((((((((((((((((((((((((((((((((((((((", &["nested 32 deep"]),
    ] {
        refused(&with(filter), 1, said);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
        refused(&["show", "sally-anne", "--where", filter], 1, &said[said.len() - 1..]);
    }
    let shown = done(&["show", "sally-anne", "--difficulty", "--where", "bearing == 1", "--count", "2"]);
    assert_eq!(shown.matches("sally-anne, seed 0, story ").count(), 2, "{shown}");
    assert!(shown.contains("bearing: 1, between: 0"), "{shown}");
}

#[test]
fn scores_are_grouped_by_difficulty() {
    let temporary = tempfile::tempdir().unwrap();
    let path = |name: &str| temporary.path().join(name).to_str().unwrap().to_owned();
    let (rows, responses) = (path("rows.jsonl"), path("responses.jsonl"));
    generated("second-order-calibrated", "200", &["--difficulty", "--out", &rows]);
    let answers = done(&["respond", &rows, "--as", "last-place"]);
    std::fs::write(&responses, answers).unwrap();
    let report: Value =
        serde_json::from_str(&done(&["score", &rows, &responses, "--format", "json"])).unwrap();
    let groups = report["models"][0]["groups"]["difficulty"].as_array().unwrap();
    let names: Vec<&str> = groups.iter().map(|group| group["value"].as_str().unwrap()).collect();
    assert_eq!(names, FIFTHS);
    let counts: u64 = groups.iter().map(|group| group["of"].as_u64().unwrap()).sum();
    assert_eq!(counts, 200, "{groups:?}");
    assert!(done(&["score", &rows, &responses]).contains("20–39"));
}

/// Trees that see who met whom fail where questions are difficult. Of one mind, they get all right, unless they see moves one by
/// one.
#[test]
fn readers_who_see_everything_fail_where_it_is_difficult() {
    let boards = [
        ("first-order-calibrated", "6000", "moves"),
        ("second-order-calibrated", "2500", "meetings"),
        ("third-order-calibrated", "2500", "meetings"),
    ];
    for (board, count, sight) in part(boards, 0, 3) {
        let temporary = tempfile::tempdir().unwrap();
        let rows = temporary.path().join("rows.jsonl");
        let rows = rows.to_str().unwrap();
        generated(board, count, &["--difficulty", "--out", rows]);
        let report: Value = serde_json::from_str(&done(&["audit", rows, "--format", "json"])).unwrap();
        let sights = report["groups"][0]["learning"]["sights"].as_array().unwrap();
        let seen = sights.iter().find(|seen| seen["key"] == sight).unwrap();
        let fifths = seen["by_difficulty"].as_array().unwrap();
        let names: Vec<&str> = fifths.iter().map(|fifth| fifth["quantiles"].as_str().unwrap()).collect();
        assert_eq!(names, FIFTHS);
        let counted: u64 = fifths.iter().map(|fifth| fifth["rows"].as_u64().unwrap()).sum();
        assert_eq!(counted, seen["rows"]);
        let easiest = fifths[0]["low"].as_f64().unwrap();
        let hardest = fifths[4]["high"].as_f64().unwrap();
        assert!(easiest > hardest, "{board}: {fifths:?}");
        let (few, page) = (temporary.path().join("few.jsonl"), temporary.path().join("page.html"));
        let all = std::fs::read_to_string(rows).unwrap();
        std::fs::write(&few, all.split_inclusive('\n').take(1_600).collect::<String>()).unwrap();
        let text = done(&["audit", few.to_str().unwrap(), "--html", page.to_str().unwrap()]);
        assert!(text.contains("The same by difficulty") && text.contains("80–100"), "{text}");
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.contains("quantile of difficulty") && page.contains("the easiest on the left"));
    }
}
