//! The program from the outside: bytes, exit codes, and input that nobody prepared.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::program::{PROGRAM, run, stderr, stdout};

/// What a wrong storyboard may cost: seconds of processor time, and kilobytes of address space.
const SECONDS_MAX: u32 = 2;
const KILOBYTES_MAX: u32 = 200_000;

/// Runs the program with the limits above enforced by the kernel.
fn run_within_limits(arguments: &[&str]) -> Output {
    let script = format!("ulimit -t {SECONDS_MAX}; ulimit -v {KILOBYTES_MAX}; exec \"$0\" \"$@\"");
    Command::new("sh").args(["-c", &script, PROGRAM]).args(arguments).env("NO_COLOR", "1").output().unwrap()
}

fn generated(arguments: &[&str]) -> String {
    let output = run(&[&["generate"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output).to_owned()
}

#[test]
fn jobs_and_shards_give_the_same_rows() {
    let common = ["second-order-mislead", "five-events", "--count", "500", "--seed", "7", "--check"];
    let whole = generated(&common);
    assert_eq!(whole, generated(&[&common[..], &["--jobs", "1"]].concat()));
    assert_eq!(whole, generated(&[&common[..], &["--jobs", "2"]].concat()));
    assert_eq!(whole, generated(&[&common[..], &["--jobs", "7"]].concat()));
    let one_board = &["five-events", "--count", "501", "--seed", "7"][..];
    let shards =
        ["0/4", "1/4", "2/4", "3/4"].map(|shard| generated(&[one_board, &["--shard", shard]].concat()));
    assert!(shards.iter().all(|shard| shard.lines().count() > 100));
    assert_eq!(shards.concat(), generated(one_board));
    // Several boards: the shards hold the same rows, each board's in its part.
    let shards =
        ["0/4", "1/4", "2/4", "3/4"].map(|shard| generated(&[&common[..], &["--shard", shard]].concat()));
    let rows = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    assert_eq!(rows(&shards.concat()), rows(&whole));
    assert_eq!(shards.concat().len(), whole.len());
}

#[test]
fn three_seeds_share_no_story() {
    let mut stories = BTreeSet::new();
    for seed in ["1", "2", "3"] {
        for row in generated(&["first-order-mislead", "--count", "1000", "--seed", seed]).lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            if row["kind"] == "belief" {
                assert!(stories.insert(row["story"].as_str().unwrap().to_owned()), "{} again", row["id"]);
            }
        }
    }
    assert_eq!(stories.len(), 3000);
}

#[test]
fn sweeps_cover_all_values_in_order() {
    let rows = generated(&[
        "first-order-mislead",
        "--count",
        "2",
        "--seed",
        "7",
        "--set",
        "mislead_distance=5..80..25",
    ]);
    let ids: Vec<String> = rows
        .lines()
        .map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap()["id"].as_str().unwrap().to_owned())
        .collect();
    let mut wanted = Vec::new();
    for distance in [5, 30, 55, 80] {
        for index in 0..2 {
            for question in 0..2 {
                wanted.push(format!("first-order-mislead,mislead_distance={distance}/7/{index}/{question}"));
            }
        }
    }
    assert_eq!(ids, wanted);
}

#[test]
fn files_are_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let output =
        run(&["generate", "world-model", "--count", "300", "--seed", "7", "--out", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
    assert!(stderr(&output).contains("300 stories, 900 rows"), "{}", stderr(&output));
    let written = std::fs::read_to_string(&path).unwrap();
    assert_eq!(written, generated(&["world-model", "--count", "300", "--seed", "7"]));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    // Ended half way, here by a limit on the size of files.
    let script = "ulimit -f 1000; exec \"$0\" generate five-events --count 100000 --out half.jsonl";
    let output =
        Command::new("sh").args(["-c", script, PROGRAM]).current_dir(folder.path()).output().unwrap();
    assert!(!output.status.success());
    assert!(!folder.path().join("half.jsonl").exists(), "a file with its final name is whole");
}

#[test]
fn events_are_added_when_asked_for() {
    let without = generated(&["five-events", "--count", "3"]);
    let with = generated(&["five-events", "--count", "3", "--with-events"]);
    for (without, with) in without.lines().zip(with.lines()) {
        let parsed: serde_json::Value = serde_json::from_str(with).unwrap();
        assert_eq!(parsed["events"].as_array().unwrap().len(), 5);
        assert!(with.starts_with(without.trim_end_matches('}')) && !without.contains("\"events\""));
    }
}

#[test]
fn a_pipe_is_written_directly() {
    let output = run(&["generate", "five-events", "--count", "10", "--out", "/dev/stdout"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), generated(&["five-events", "--count", "10"]));
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let script = format!(
        "{PROGRAM} generate first-order-mislead --count 100000 2>err | head -n 1 >/dev/null; cat err"
    );
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    assert_eq!(stdout(&output), "");
}

#[test]
fn the_environment_fails_with_3() {
    for (path, cause) in [
        ("/proc/no-such-folder/rows.jsonl", "No such file or directory"),
        ("/dev/full", "No space left on device"),
    ] {
        let output = run(&["generate", "five-events", "--count", "10", "--out", path]);
        assert_eq!(output.status.code(), Some(3), "{path}");
        assert!(stderr(&output).contains(path) && stderr(&output).contains(cause), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
    let output = run(&["generate", "./no-such-board.yaml", "--count", "1"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("./no-such-board.yaml: No such file"), "{}", stderr(&output));
}

#[test]
fn wrong_usage_ends_with_2() {
    for arguments in [
        &["generate", "five-events"][..],
        &["generate", "--count", "1"],
        &["generate", "first-order-mislead", "--count", "1", "--set", "distance=3"],
        &["generate", "first-order-mislead", "--count", "1", "--set", "mislead_distance=3..1..1"],
        &[
            "generate",
            "first-order-mislead",
            "--count",
            "1",
            "--set",
            "mislead_distance=1",
            "--set",
            "mislead_distance=2",
        ],
        &["generate", "five-events", "--count", "1", "--shard", "4/4"],
        &["generate", "five-events", "--count", "-1"],
        &["generate", "five-events", "--count", "1", "--jobs", "0"],
        &["show", "first-order-mislead", "--set", "mislead_distance=1..3..1"],
        &["show", "five-events", "--count", "0"],
        &["show", "five-events", "--count", "1001"],
        &["show", "five-events", "--index", "18446744073709551615"],
        &["generate", "five-events", "five-events", "--count", "1"],
        &["dance"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

/// Every storyboard of `tests/errors` is refused, with the message that stands beside it. To accept
/// other messages, run with `STORYSIM_GOLDEN=write` in the environment, and read them.
#[test]
fn wrong_storyboards_are_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let write = std::env::var_os("STORYSIM_GOLDEN").is_some_and(|value| value == "write");
    let mut boards: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    boards.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    boards.sort();
    assert!(boards.len() >= 50);
    for board in boards {
        let name = board.file_name().unwrap().to_str().unwrap();
        let script = format!("ulimit -t {SECONDS_MAX}; ulimit -v {KILOBYTES_MAX}; exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .args(["-c", &script, PROGRAM, "generate", name, "--count", "1"])
            .current_dir(&folder)
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{name}");
        let golden = board.with_extension("txt");
        if write {
            std::fs::write(&golden, stderr(&output)).unwrap();
        }
        let wanted = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(stderr(&output), wanted, "{name}");
        assert!(wanted.contains(&format!("{name}:")), "{name}: no place in the file\n{wanted}");
    }
}

#[test]
fn monsters_are_refused_within_limits() {
    let folder = tempfile::tempdir().unwrap();
    let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (letter, previous) in ('b'..='z').zip('a'..='y') {
        bomb.push_str(&format!("{letter}: &{letter} [{}]\n", vec![format!("*{previous}"); 9].join(",")));
    }
    let board = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("storyboards/first-order-mislead.yaml"),
    );
    let board = board.unwrap();
    let crowd: Vec<String> = (0..10_001).map(|at| format!("p{at}")).collect();
    let monsters = [
        ("brackets", format!("a: {}{}", "[".repeat(100_000), "]".repeat(100_000))),
        ("braces", "{a: ".repeat(100_000)),
        ("dashes", "- ".repeat(400_000)),
        ("bomb", bomb),
        ("fifty-megabytes", "a".repeat(50_000_000)),
        ("long-comment", format!("{board}#{}\n", "x".repeat(50_000_000))),
        ("one-line", format!("storysim: 1\nname: {}\n", "x".repeat(900_000))),
        ("sum", board.replace("at: 10", &format!("at: {}1", "1+".repeat(400_000)))),
        ("parentheses", board.replace("at: 10", &format!("at: \"{}1\"", "(".repeat(400_000)))),
        ("horizon", board.replace("max(100, 23 + mislead_distance)", "4611686018427387904")),
        (
            "crowd",
            format!(
                "storysim: 1\nname: crowd\ncharacters: {{pool: people}}\nhorizon: 9\nstart: p0\nplaces: {{complete: [{}]}}\n",
                crowd.join(", ")
            ),
        ),
        ("nulls", "\0".repeat(100_000)),
        ("keys", (0..100_000).map(|at| format!("k{at}: 1\n")).collect()),
        ("anchors", (0..100_000).map(|at| format!("k{at}: &a{at} 1\n")).collect()),
    ];
    for (name, text) in monsters {
        let path = folder.path().join(format!("{name}.yaml"));
        std::fs::write(&path, text).unwrap();
        let output = run_within_limits(&["generate", path.to_str().unwrap(), "--count", "1"]);
        assert_eq!(output.status.code(), Some(1), "{name}: {:.2000}", stderr(&output));
        assert!(output.stdout.is_empty(), "{name}");
        assert!(stderr(&output).contains("error"), "{name}");
        assert!(output.stderr.len() < 100_000, "{name}: {} bytes of explanation", output.stderr.len());
    }
    let binary = folder.path().join("binary.yaml");
    std::fs::write(&binary, [0xff, 0xfe, 0x00]).unwrap();
    assert_eq!(run_within_limits(&["check", binary.to_str().unwrap()]).status.code(), Some(1));
    assert_eq!(run_within_limits(&["generate", "fist-order-mislead", "--count", "1"]).status.code(), Some(2));
}

/// Memory does not grow with the number of stories.
#[test]
fn generate_streams() {
    let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", 1_000_000);
    let output = Command::new("sh")
        .args(["-c", &script, PROGRAM, "generate", "first-order-mislead", "--count", "150000", "--jobs", "2"])
        .args(["--out", "/dev/null"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("300000 rows"), "over 1.5 GB of rows in under 1 GB of address space");
}

#[test]
fn reports_fit_80_columns() {
    for arguments in [
        &["list"][..],
        &["check", "first-order-mislead-complete", "many-characters", "fourth-order-mislead"],
        &["show", "second-order-mislead", "--seed", "7"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).lines().all(|line| line.chars().count() <= 80), "{arguments:?}");
        assert!(!stdout(&output).contains('\u{1b}'), "no colour without a terminal");
    }
    assert!(stdout(&run(&["show", "world-model", "--seed", "7"])).contains("retold with"));
}

/// Conversations of 80 columns, with the reasons why some questions are not written; and their questions as the storyboard writes
/// them, where `m.truth` stands for one thing or another.
#[test]
fn conversations_are_shown_in_80_columns_and_in_the_words_of_their_storyboard() {
    let shown = run(&["show", "white-lies-calibrated", "--seed", "7", "--count", "5"]);
    let checked = run(&["check", "white-lies"]);
    assert!(stdout(&shown).contains("not written: no matters have answers"), "{}", stdout(&shown));
    for output in [&shown, &checked] {
        assert_eq!((output.status.code(), stderr(output)), (Some(0), ""));
        assert!(stdout(output).lines().all(|line| line.chars().count() <= 80), "{}", stdout(output));
    }
    let checked = stdout(&checked);
    for part in ["present: m.reason ", "present: m.truth ", "stands: O, A, m.truth ", "who_knows: m.truth "] {
        assert!(checked.contains(part), "{part}: {checked}");
    }
    assert!(!checked.contains("hint"), "{checked}");
}

/// Stories in scenarios: headings where they begin, and what becomes of those who are asked about.
#[test]
fn scenarios_are_shown_in_80_columns() {
    let of_lives =
        ["What matters is ", "\nScenario 1.\n", "The row “as it is”", " as it is ", " life 5 ", "nobody"];
    let of_others = [
        "\nScenario 1.\n",
        "“like ",
        " like ",
        " drawn ",
        ", as seen by ",
        "unclear",
        " tells: side ",
        "(not so)",
        "expected",
    ];
    for (board, count, parts) in
        [("dynamic-minds", "2", &of_lives[..]), ("dynamic-minds-rumour", "1", &of_others)]
    {
        let shown = run(&["show", board, "--set", &format!("n={count}"), "--seed", "3", "--count", "12"]);
        assert_eq!((shown.status.code(), stderr(&shown)), (Some(0), ""));
        let text = stdout(&shown);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(!text.contains("\n    truth     unknown"), "only what somebody thinks can be true");
        for part in parts {
            assert!(text.contains(part), "{board}: {part}: {text}");
        }
        // Once before the events, and once as a title of its table.
        assert_eq!(text.matches("       Scenario 1.\n").count(), 12, "{board}");
        assert_eq!(text.matches("\nScenario 1.\n").count(), 12, "{board}");
    }
}

#[test]
fn several_stories_are_shown_one_after_another() {
    let shown = |index: &str, count: &str| {
        let output = run(&["show", "sally-anne", "--seed", "7", "--index", index, "--count", count]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output).to_owned()
    };
    assert_eq!(shown("4", "3"), shown("4", "1") + &shown("5", "1") + &shown("6", "1"));
    assert_eq!(stdout(&run(&["show", "sally-anne", "--seed", "7", "--index", "4"])), shown("4", "1"));
}

/// The page has every question of the stories, as their rows have it. `tests/pages` opens it in a browser.
#[test]
fn a_page_of_stories_has_the_questions_of_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let board = path("it's mine.yaml");
    let built_in = |name| stdout(&run(&["list", "--show", name])).to_owned();
    std::fs::write(&board, built_in("white-lies")).unwrap();
    for (name, more) in [
        (board.as_str(), &[][..]),
        ("free-play", &[]),
        ("world-model", &[]),
        ("first-order-mislead", &["--set", "mislead_distance=7"]),
        ("dynamic-minds", &["--set", "n=2"]),
        ("dynamic-minds-rumour", &["--set", "n=1"]),
    ] {
        let page = path("page.html");
        let common = [&[name, "--count", "5", "--seed", "3"], more].concat();
        let shown = run(&[&["show"], &common[..], &["--html", &page]].concat());
        assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
        let rows = run(&[&["generate"], &common[..], &["--quiet"]].concat());
        let rows: Vec<serde_json::Value> =
            stdout(&rows).lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        let told = format!("5 stories with {} questions, written to {page}\n", rows.len());
        assert_eq!(stdout(&shown), told);
        let html = std::fs::read_to_string(&page).unwrap();
        let escaped = |text: &str| text.replace('&', "&amp;").replace('"', "&quot;");
        assert_eq!(html.matches("<fieldset ").count(), rows.len());
        // Of what is drawn beside its text, every name belongs to one drawing.
        let has_drawings = name.starts_with("dynamic-minds");
        let drawings = if has_drawings { 5 } else { 0 };
        for (part, count) in
            [("<details class=\"drawing\">", 1), ("<svg role=\"img\"", 1), (" id=\"drawing-", 2)]
        {
            assert_eq!(html.matches(part).count(), count * drawings, "{name}: {part}");
        }
        if name == "dynamic-minds" {
            // Four announcements in each of two scenarios, before four people.
            assert_eq!(html.matches("<polygon ").count(), 5 * (8 + 1), "with the legend");
            assert!(html.contains("drawing.addEventListener(\"toggle\""), "whoever unfolds it has seen all");
        }
        let mut rest = html.as_str();
        let things = |row: &serde_json::Value| row["kind"] == "world_things";
        let mut in_order: Vec<_> = rows.iter().collect();
        in_order.sort_by_key(|row| (row["index"].as_u64(), things(row)));
        for row in in_order {
            let of = |key: &str| escaped(row[key].as_str().unwrap());
            let label = &row["label"];
            for wanted in [format!("data-label=\"{label}\""), format!(". {}</legend>", of("question"))] {
                rest = &rest[rest.find(&wanted).unwrap_or_else(|| panic!("{wanted} of {name}"))..];
            }
            for choice in row["choices"].as_array().unwrap() {
                let value = escaped(choice.as_str().unwrap());
                let wanted = format!("name=\"{}\" value=\"{value}\">", of("id"));
                rest = &rest[rest.find(&wanted).unwrap_or_else(|| panic!("{wanted} of {name}"))..];
            }
        }
        let settings = more.iter().map(|word| format!(" {word}")).collect::<String>();
        let name = name.replace('\'', "'\\''");
        let named = if name.contains(' ') { format!("'{name}'") } else { name };
        let command = format!("storysim generate {named} --count 5 --seed 3{settings} --out rows.jsonl");
        assert!(html.contains(&command), "{command}");
    }
    let over = run(&["show", &board, "--html", &board]);
    assert_eq!(over.status.code(), Some(2), "{}", stderr(&over));
    let nowhere = run(&["show", "five-events", "--html", &path("no/page.html")]);
    assert_eq!(nowhere.status.code(), Some(3), "{}", stderr(&nowhere));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else was written");
}

/// What cannot become a page is refused before any story is made, and nothing is written.
#[test]
fn pages_that_cannot_be_written_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("here")).unwrap();
    std::fs::write(folder.path().join("board.yaml"), stdout(&run(&["list", "--show", "five-events"])))
        .unwrap();
    let cases: &[(&[&str], i32, &str)] = &[
        (
            &["--html", "here"],
            3,
            "error: --html here: this is a folder; name a file in it, such as here/page.html\n",
        ),
        (&["--html", "no/page.html"], 3, "error: --html no/page.html: there is no folder no\n"),
        (
            &["--html", "-"],
            2,
            "error: --html -: a page is written to a file, not to stdout; name one, such as page.html\n\n\
             For more information, try '--help'.\n",
        ),
        (
            &["--html", "board.yaml"],
            2,
            "error: board.yaml is an input file: write to another file\n\nFor more information, try '--help'.\n",
        ),
        (
            &["--html", "page.html", "--count", "0"],
            2,
            "error: invalid value '0' for '--count <N>': 0 is not in 1..=1000\n\nFor more information, try '--help'.\n",
        ),
        (
            &["--html", "page.html", "--count", "1001"],
            2,
            "error: invalid value '1001' for '--count <N>': 1001 is not in 1..=1000\n\n\
             For more information, try '--help'.\n",
        ),
    ];
    for (arguments, code, wanted) in cases {
        let output = Command::new(PROGRAM)
            .args(["show", "board.yaml"])
            .args(*arguments)
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        assert_eq!((output.status.code(), stderr(&output)), (Some(*code), *wanted), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing was written");
}

#[test]
fn names_in_the_list_are_whole() {
    for columns in ["40", "80", "200"] {
        let output = Command::new(PROGRAM).arg("list").env("COLUMNS", columns).output().unwrap();
        let listed: Vec<String> = stdout(&output)
            .lines()
            .filter(|line| line.starts_with(' ') && !line.starts_with("  "))
            .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
            .collect();
        let mut boards: Vec<_> = storysim::storyboard::BUILT_IN.iter().collect();
        boards.sort_by_key(|board| board.purpose); // stable
        let boards = boards.into_iter().map(|board| board.name);
        let experiments = storysim::experiment::EXPERIMENTS.iter().map(|experiment| experiment.name);
        let names: Vec<&str> = boards.chain(experiments).collect();
        assert_eq!(listed, names, "in {columns} columns");
    }
}

#[test]
fn schema_is_json() {
    let output = run(&["schema"]);
    assert!(serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok());
}

#[test]
fn check_tells_programs_in_json() {
    let output = run(&["check", "first-order-mislead", "second-order-goal", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let surveys: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(surveys.len(), 2);
    let [script, goal] = &surveys[..] else { unreachable!() };
    assert_eq!((&script["satisfiable"], &script["casts"]["feasible"]), (&true.into(), &40.into()));
    assert!(script["redrawn"].is_null() && script["log10_probability"].as_f64().unwrap() < -4.0);
    assert!(script["coincidences"][0]["log10_at_most"].as_f64().unwrap() < -90.0);
    assert!(script["entropy_bits"]["mean"].as_f64().unwrap() > 300.0);
    assert!(script["tables"]["entries"].as_u64().unwrap() > 100 && script["compile_seconds"].is_number());
    let accepted = goal["redrawn"]["accepted"].as_f64().unwrap();
    assert!((0.02..0.08).contains(&accepted), "{accepted}");
    for question in
        script["questions"].as_array().unwrap().iter().chain(goal["questions"].as_array().unwrap())
    {
        let answers = question["answers"].as_array().unwrap();
        let sum: f64 = answers.iter().map(|answer| answer[1].as_f64().unwrap()).sum();
        assert!((sum + question["unanswered"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{question}");
    }
    // What is wrong is said in the same form, and on stdout alone.
    let board = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors/three-that-conflict.yaml");
    let output = run(&["check", board.to_str().unwrap(), "--format", "json"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(1), ""));
    let found: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(found["satisfiable"], false);
    let labels = found["problems"][0]["labels"].as_array().unwrap();
    let lines: Vec<u64> = labels.iter().map(|label| label["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [16, 14, 15]);
}

/// A story of a million events, half of them before a meeting, takes no more than its text.
#[test]
fn a_million_events_stream() {
    let folder = tempfile::tempdir().unwrap();
    let board = Path::new(env!("CARGO_MANIFEST_DIR")).join("storyboards/first-order-mislead.yaml");
    let board = std::fs::read_to_string(board).unwrap();
    let board = board.replace("at: 10,", "at: 500000,").replace("at: 11,", "at: 500001,");
    let board = board.replace("from: 12,", "from: 500002,").replace("at: 12 +", "at: 500002 +");
    let board = board.replace("from: 13 +", "from: 500003 +");
    let board = board.replace("max(100, 23 + mislead_distance)", "1000000");
    std::fs::write(folder.path().join("long.yaml"), board).unwrap();
    // Two rows of 22 MB in the making, two being written, their story: with room to grow some 250 MB of
    // address space. The rest does not grow with the story.
    let script = "ulimit -v 400000; exec \"$0\" generate long.yaml --count 3 --jobs 1 --out rows.jsonl";
    let output =
        Command::new("sh").args(["-c", script, PROGRAM]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("3 stories, 6 rows"));
    assert!(std::fs::metadata(folder.path().join("rows.jsonl")).unwrap().len() > 120_000_000);
}

#[test]
fn verify_holds_rows_against_the_definition() {
    let output =
        run(&["verify", "--oracle", "sally-anne", "many-characters", "--rows", "300", "--seed", "5"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("disagreements: 0 of 30"), "{}", stdout(&output));
    for board in ["sally-anne", "many-characters", "all"] {
        assert!(stdout(&output).lines().any(|line| line.trim_start().starts_with(board)), "{board}");
    }
    // How many stories it takes does not depend on the threads.
    let counted = |jobs| {
        let output = run(&["verify", "--oracle", "five-events", "--rows", "1000", "--jobs", jobs]);
        let counts: Vec<String> = stdout(&output).split_whitespace().map(str::to_owned).collect();
        counts.into_iter().filter(|word| word.parse::<u64>().is_ok()).take(4).collect::<Vec<String>>()
    };
    assert_eq!(counted("1"), counted("3"));
    assert_eq!(run(&["verify", "five-events"]).status.code(), Some(2), "nothing to hold rows against");
    assert_eq!(run(&["verify", "--oracle", "no-such-board"]).status.code(), Some(2));
}

#[test]
fn verify_refuses_what_would_take_too_long() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crowd.yaml");
    let crowd = "storysim: 1\nname: crowd\ncharacters: {pool: people, count: 100}\nroles: [A, B, C, D]\n\
                 places: {complete: [a, b]}\nstart: a\nparameters: {steps: 1000000}\nhorizon: steps\n\
                 questions: [{belief: [A, B, A, B]}, {belief: [B, A, B, A]}, {belief: [C, D, C, D]}, {belief: [D, C, D, C]}]\n";
    std::fs::write(&path, crowd).unwrap();
    let path = path.to_str().unwrap();
    let output = run(&["verify", "--oracle", path, "--rows", "10"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("the minds of one story hold 4100000000 values"), "{}", stderr(&output));
    assert!(stdout(&output).is_empty());
    let output = run(&["verify", "--oracle", path, "--rows", "10", "--set", "steps=100"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn where_nothing_is_asked_for_that_is_said() {
    let output = run(&["generate", "five-events", "--count", "0"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), "stdout: no rows, since --count is 0\n"));
    let output = run(&["generate", "five-events", "--count", "1", "--shard", "0/2"]);
    assert_eq!(stderr(&output), "stdout: no rows, since this part has no stories\n");
}

/// Of one thing nothing is said in the plural.
#[test]
fn one_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let board = "storysim: 1\nname: one\ncharacters: {pool: [Ann, Bob, Cas]}\nroles: [S1, T]\nplaces: {complete: [a, b, c]}\n\
                 start: a\nhorizon: 12\nquestions: [{belief: [S1, T]}]\n";
    std::fs::write(at("one.yaml"), board).unwrap();
    let (one, rows, set) = (at("one.yaml"), at("rows.jsonl"), at("set"));
    let mut said = String::new();
    let mut told = |arguments: &[&str]| {
        let output = run(arguments);
        assert!(output.status.code().is_some_and(|code| code < 2), "{arguments:?}: {}", stderr(&output));
        said.push_str(&format!("{arguments:?}\n{}{}", stderr(&output), stdout(&output)));
    };
    told(&["generate", &one, "--count", "1", "--out", &rows]);
    told(&["generate", &one, "--count", "1", "--twins", "--out", &at("twins.jsonl")]);
    told(&["generate", &one, "--count", "1", "--out", &set]);
    told(&["generate", &one, "--count", "1", "--out", &set]);
    told(&["generate", &one, "--count", "1", "--shard", "0/1", "--out", &at("part")]);
    told(&["verify", "--deep", &set]);
    told(&["verify", "--oracle", &one, "--rows", "1"]);
    told(&["check-story", &one, &rows]);
    told(&["audit", &rows]);
    told(&["audit", &at("twins.jsonl")]);
    told(&["audit", &rows, "--html", &at("audit.html")]);
    told(&["respond", &rows, "--as", "perfect", "--out", &at("perfect.jsonl")]);
    told(&["score", &rows, &at("perfect.jsonl"), "--html", &at("score.html")]);
    told(&["check", &one]);
    for page in [at("audit.html"), at("score.html"), at("set/README.md")] {
        said.push_str(&std::fs::read_to_string(page).unwrap());
    }
    let nouns = [
        "stories",
        "rows",
        "pairs",
        "files",
        "questions",
        "parts",
        "tables",
        "entries",
        "ways",
        "places",
        "moves",
        "steps",
        "events",
        "characters",
        "responses",
        "problems",
        "shortcuts",
        "disagreements",
        "bytes",
    ];
    let words: Vec<&str> = said.split_whitespace().collect();
    for pair in words.windows(2) {
        let number = pair[0].trim_start_matches(['(', '>']);
        let noun = pair[1].trim_end_matches(|c: char| !c.is_alphabetic());
        assert!(number != "1" || !nouns.contains(&noun), "\"{} {}\" in {said}", pair[0], pair[1]);
    }
    assert!(said.contains("1 of 1 story satisfies one") && said.contains("1 story, 1 row"), "{said}");
}
