//! Packs from the outside: what is refused and how it is explained, and what is said of packs that can be used.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use storysim::pack::{BUILT_IN, Turn};

use crate::program::{PROGRAM, run, stderr, stdout};

/// What a wrong pack may cost: seconds of processor time, and kilobytes of address space.
const SECONDS_MAX: u32 = 2;
const KILOBYTES_MAX: u32 = 200_000;

/// Replacements in the text of `tests/errors/packs/base.yaml`, of the first place where each stands.
type Edits = &'static [(&'static str, &'static str)];

/// What can be wrong with a pack.
const CASES: &[(&str, Edits)] = &[
    ("about-with-a-slot", &[("Small things at a dinner", "Small things at a dinner for {T}")]),
    (
        "acts-of-two-kinds",
        &[("hint:\n", "acts:\n  come: [COMES]\n  go: [GOES, \"so it comes 3.\"]\nhint:\n")],
    ),
    ("acts-too-few", &[("hint:\n", "acts: {chat: [\"Fine weather.\"], gone: [\"Bye.\"]}\nhint:\n")]),
    ("acts-with-slots", &[("hint:\n", "acts:\n  come: [COMES, \"Hello, {T}.\"]\nhint:\n")]),
    (
        "braces-that-do-not-match",
        &[("glanced over at me because of {thing}", "glanced over at {me because of {thing}")],
    ),
    ("claim-that-denies", &[("I liked {thing}, {T}.", "Well, {T}, {denies}.")]),
    ("class-misspelt", &[("class: mistake", "class: misteak")]),
    (
        "confirms-badly",
        &[(
            "hint:\n",
            "acts:\n  confirm:\n    - \"Right, {T}.\"\n    - \"{L} says that {denies}, {T}.\"\n    \
             - \"It is as {L} says about the soup, {T}: {says}.\"\nhint:\n",
        )],
    ),
    (
        "drawn-to-length",
        &[
            (
                "one sour remark can spoil a whole night",
                "one sour remark can spoil a whole night for all of us",
            ),
            (
                "we two sat at the same desk in our youth",
                "we two sat at the same old desk in our early youth",
            ),
        ],
    ),
    (
        "entry-is-no-map",
        &[(
            "- {told: \"a host lies awake over the smallest flaw\", why: \"sparing fretful insomnia\"}",
            "- a host lies awake",
        )],
    ),
    (
        "few-of-everything",
        &[
            (
                "  soup: {thing: the soup, says: \"{L} liked the soup\", denies: \"{L} did not like the soup\"}\n",
                "",
            ),
            (
                "    - {told: \"one sour remark can spoil a whole night\", why: \"preserving cheerful mood\"}\n",
                "",
            ),
            ("  - \"I liked {thing}, {T}.\"\n  - \"{T}, I liked {thing} very much.\"\n", ""),
        ],
    ),
    ("hint-that-says", &[("{L} glanced over at me because of {thing}.", "They say that {says}.")]),
    ("keys-missing", &[("place: the table\n", ""), ("class: mistake\n", ""), ("name: dinner\n", "")]),
    (
        "keys-misspelt",
        &[
            ("setting:", "seting:"),
            ("hint:", "hnt:"),
            ("denies: \"{L} did not like the music\"", "denyes: \"{L} did not like the music\""),
        ],
    ),
    ("kind-missing", &[("kind: white-lie\n", "")]),
    ("kind-unknown", &[("kind: white-lie", "kind: white-lies")]),
    (
        "matter-denies-what-it-says",
        &[("denies: \"{L} did not like the soup\"", "denies: \"{L} liked the soup\"")],
    ),
    (
        "matter-named",
        &[
            (
                "{L} glanced over at me because of {thing}.",
                "{L} glanced over at me because of {thing}, the soup's.",
            ),
            ("a host lies awake over the smallest flaw", "a host lies awake over a plum pudding too"),
            ("{L} liked the roast", "{L} liked the music and the roast"),
        ],
    ),
    ("matter-not-said", &[("- \"{L}, how did you like {thing}?\"", "- \"{L}, how did you like it?\"")]),
    (
        "matters-say-the-same",
        &[
            (
                "says: \"{L} liked the soup\", denies: \"{L} did not like the soup\"",
                "says: \"{L} liked it\", denies: \"{L} loathed it\"",
            ),
            (
                "says: \"{L} liked the music\", denies: \"{L} did not like the music\"",
                "says: \"{L} liked it\", denies: \"{L} loathed it\"",
            ),
        ],
    ),
    (
        "name-of-a-thing-too-long",
        &[(
            "thing: the soup",
            "thing: the soup that was made on a Sunday from whatever there was in the larder",
        )],
    ),
    ("name-with-capitals", &[("name: dinner", "name: Dinner")]),
    ("two-documents", &[("storysim_pack: 1\n", "- storysim_pack: 1\n  storysim_pack: 1\n...\n")]),
    ("not-yaml", &[("place: the table", "place: [the table")]),
    (
        "one-kind-of-reasons",
        &[("    - {told: \"I gave my word on that when I sat down\", why: \"promise upon arrival\"}\n", "")],
    ),
    (
        "own-words-missing",
        &[
            ("I liked {thing}, {T}.", "Well, {T}, {own}."),
            (
                "denies: \"{L} did not like the soup\"}",
                "denies: \"{L} did not like the soup\", own: I liked the soup}",
            ),
        ],
    ),
    (
        "pair-of-other-names",
        &[(
            "{no: \"{L} told me about {thing}: {L} did not like it.\"",
            "{no: \"{L} told me about {thing}: did not care for it.\"",
        )],
    ),
    ("texts-with-yes-and-no", &[("I did not like it at all, but", "I did not, no, like it, but")]),
    ("pair-that-differs", &[("I did not like it at all, but", "I did not like it, well, not at all, but")]),
    (
        "pair-that-differs-for-one-matter",
        &[
            (
                "I did not like {thing}. When {T} asks me, I will still say",
                "Of {thing}: {denies}. When {T} asks, I will say",
            ),
            (
                "I really liked {thing}. And when {T} asks me, I will say",
                "Of {thing} I say that {says}. When {T} asks, I will say",
            ),
            ("says: \"{L} liked the guessing game\"", "says: \"{L} very much liked the guessing game\""),
        ],
    ),
    ("pairs-that-differ-in-sum", &[("{L} did not like it.\"", "{L} did not like it...\"")]),
    ("places-alike", &[("away: the kitchen", "away: The table")]),
    (
        "reason-missing",
        &[
            (
                "but I will tell {T} that I did. After all, {reason}.",
                "but I will tell {T} that I did. After all, it is so.",
            ),
            ("I will say that I liked it, because {reason}.", "I will say so, because {reason}: {reason}."),
        ],
    ),
    (
        "reason-twice",
        &[
            ("a host lies awake over the smallest flaw", "One sour remark can spoil a whole night"),
            ("loyalty between schoolmates", "wishing repetition"),
        ],
    ),
    (
        "setting-without-people",
        &[("{people} are spending an evening at {T}'s.", "{L} and {T} are spending an evening.")],
    ),
    (
        "slots-unknown",
        &[("{L} glanced over at me because of {thing}.", "{Q} glanced over at me because of {thng}.")],
    ),
    ("text-twice", &[("{T}, I liked {thing} very much.", "I LIKED {thing}, {T}.")]),
    (
        "text-with-a-line-break",
        &[("- \"{L}, how did you like {thing}?\"", "- \"{L}, how did\\nyou like {thing}?\"")],
    ),
    (
        "texts-are-no-list",
        &[("ask:\n", "ask: \"{L}, how was {thing}?\"\nasked:\n"), ("place: the table", "place: [the table]")],
    ),
    ("things-of-one-name", &[("thing: the roast", "thing: a Soup"), ("thing: the punch", "thing: the plum")]),
    ("version-unknown", &[("storysim_pack: 1", "storysim_pack: 2")]),
    (
        "why-that-is-told",
        &[
            ("preserving cheerful mood", "a night without remark"),
            ("sparing fretful insomnia", "the very idea of pudding"),
            ("wishing repetition", "repetition in hope"),
        ],
    ),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors/packs")
}

fn base() -> String {
    std::fs::read_to_string(folder().join("base.yaml")).unwrap()
}

/// Packs that are wrong as they stand in the folder.
const WHOLE: [&str; 2] = ["setting", "wording-around"];

/// The base with some edits.
fn edited(name: &str, edits: Edits) -> String {
    let mut text = base();
    for (from, to) in edits {
        assert!(text.contains(from), "{name}: {from} is not in the pack");
        let texts = |turn: Turn| {
            let texts = (0..turn.least()).map(|at| format!("\"So it {}s {at}.\"", turn.key()));
            texts.collect::<Vec<String>>().join(", ")
        };
        let to = to.replace("COMES", &texts(Turn::Come)).replace("GOES", &texts(Turn::Go));
        text = text.replacen(from, &to, 1);
    }
    text
}

/// Runs the program in a folder, with the limits above enforced by the kernel.
fn check_within_limits(folder: &Path, file: &str) -> Output {
    let script = format!("ulimit -t {SECONDS_MAX}; ulimit -v {KILOBYTES_MAX}; exec \"$0\" check \"$1\"");
    Command::new("sh")
        .args(["-c", &script, PROGRAM, file])
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

/// Every case is refused, with the message in `tests/errors/packs`. To accept other messages, run with
/// `STORYSIM_GOLDEN=write` in the environment, and read them.
#[test]
fn wrong_packs_are_explained() {
    let write = std::env::var_os("STORYSIM_GOLDEN").is_some_and(|value| value == "write");
    let made = tempfile::tempdir().unwrap();
    let whole =
        WHOLE.map(|name| (name, std::fs::read_to_string(folder().join(format!("{name}.yaml"))).unwrap()));
    let edited = CASES.iter().map(|(name, edits)| (*name, edited(name, edits)));
    for (name, text) in edited.chain(whole) {
        let file = format!("{name}.yaml");
        std::fs::write(made.path().join(&file), text).unwrap();
        let output = check_within_limits(made.path(), &file);
        assert_eq!(output.status.code(), Some(1), "{name}: {}{}", stdout(&output), stderr(&output));
        assert!(output.stdout.is_empty(), "{name}");
        let golden = folder().join(format!("{name}.txt"));
        if write {
            std::fs::write(&golden, stderr(&output)).unwrap();
        }
        let wanted = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(stderr(&output), wanted, "{name}");
        assert!(wanted.contains(&format!("{file}:")), "{name}: no place in the file\n{wanted}");
    }
    let files = std::fs::read_dir(folder()).unwrap().count();
    assert_eq!(files, CASES.len() + 1 + 2 * WHOLE.len(), "a message for each case, and the packs");
}

#[test]
fn monstrous_packs_are_refused_within_limits() {
    let made = tempfile::tempdir().unwrap();
    let base = base();
    let mut bomb = "storysim_pack: 1\nkind: white-lie\na: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (letter, previous) in ('b'..='z').zip('a'..='y') {
        bomb.push_str(&format!("{letter}: &{letter} [{}]\n", vec![format!("*{previous}"); 9].join(",")));
    }
    // The base with this many entries more under a key.
    let with = |text: &str, key: &str, count: usize, entry: &dyn Fn(usize) -> String| {
        let entries: String = (0..count).map(entry).collect();
        text.replace(&format!("{key}:\n"), &format!("{key}:\n{entries}"))
    };
    let matters = |count: usize, thing: &dyn Fn(usize) -> String| {
        let matter = |at| format!("  m{at}: {{thing: {}, says: \"s{at}\", denies: \"d{at}\"}}\n", thing(at));
        with(&base, "matters", count, &matter)
    };
    let x_by_x = |times: usize| "x ".repeat(times);
    let hint = |text: &str, at: usize| format!("  - \"{text}{{thing}} {at}\"\n");
    let pair = |at: usize| {
        let slots = "{says}{denies}".repeat(20);
        format!("  - {{pretend: \"{slots}{at} {{reason}}\", plain: \"{{thing}} {{reason}} {at}\"}}\n")
    };
    let reason =
        |at: usize| format!("    - {{told: \"{}{at}\", why: \"soup {}w{at}\"}}\n", x_by_x(100), x_by_x(150));
    let alike = matters(900, &|at| format!("the {}{at}", x_by_x(28)));
    let monsters = [
        ("bomb", bomb),
        ("megabytes", format!("{base}#{}\n", "x".repeat(2_000_000))),
        ("one-text", base.replace("the table", &"x".repeat(900_000))),
        ("very-many-matters", with(&base, "matters", 30_000, &|at| format!("  m{at}: {{thing: x}}\n"))),
        ("things-alike", matters(900, &|_| "the soup".to_owned())),
        ("things-that-begin-alike", with(&alike, "hint", 900, &|at| hint(&x_by_x(170), at)) + "more: 1\n"),
        ("texts-that-are-too-long", with(&base, "hint", 990, &|at| hint(&x_by_x(250), at))),
        ("texts-too-many", with(&base, "hint", 9_990, &|at| hint("x", at))),
        ("slots", with(&base, "hint", 900, &|at| hint(&"{Q}".repeat(120), at))),
        ("pairs", with(&matters(900, &|at| format!("the thing{at}")), "reason", 900, &pair)),
        ("whys", with(&base, "  pretend", 990, &reason)),
        ("keys", base.clone() + &(0..100_000).map(|at| format!("k{at}: 1\n")).collect::<String>()),
        ("nulls", format!("storysim_pack: 1\n{}", "\0".repeat(100_000))),
        ("brackets", format!("storysim_pack: {}{}", "[".repeat(100_000), "]".repeat(100_000))),
    ];
    for (name, text) in monsters {
        let file = format!("{name}.yaml");
        std::fs::write(made.path().join(&file), text).unwrap();
        let output = check_within_limits(made.path(), &file);
        assert_eq!(output.status.code(), Some(1), "{name}: {:.2000}", stderr(&output));
        assert!(output.stdout.is_empty(), "{name}");
        assert!(stderr(&output).contains("error"), "{name}");
        assert!(output.stderr.len() < 300_000, "{name}: {} bytes of explanation", output.stderr.len());
    }
}

/// What a storyboard says of a pack that it names, as seen from where the command is run.
#[test]
fn packs_are_refused_where_the_storyboard_names_them() {
    let made = tempfile::tempdir().unwrap();
    let folder = made.path().join("boards");
    std::fs::create_dir(&folder).unwrap();
    let board = "storysim: 1\nname: own\ncharacters: {pool: people, count: 3}\nroles: [L, T]\n\
        places: {table: [away], away: [table]}\nstart: table\nstyle: conversation\nmatters: {m: {by: L, to: T}}\n\
        packs: [./long.yaml, ./binary.yaml, wrong.yaml, ./none.yaml]\nhorizon: 2\nquestions: []\n";
    std::fs::write(folder.join("own.yaml"), board).unwrap();
    std::fs::write(folder.join("long.yaml"), format!("{}#{}\n", base(), "x".repeat(2_000_000))).unwrap();
    std::fs::write(folder.join("binary.yaml"), [0xff, 0xfe, 0x00]).unwrap();
    std::fs::write(folder.join("wrong.yaml"), base().replace("class: mistake", "class: mischief")).unwrap();
    let output = check_within_limits(made.path(), "boards/own.yaml");
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""));
    let said = stderr(&output).replace('│', " ").split_whitespace().collect::<Vec<&str>>().join(" ");
    for part in [
        "the pack `./long.yaml` cannot be used: it is longer than 1048576 bytes",
        "the pack `./binary.yaml` cannot be used: it is not UTF-8 text",
        "the pack `wrong.yaml` cannot be used: `class` is one of",
        "help: `storysim check boards/wrong.yaml` says everything",
        "no pack or file is called `./none.yaml`",
        "the path of a file begins beside the storyboard",
        "boards/own.yaml:9:9",
    ] {
        assert!(said.contains(&part.split_whitespace().collect::<Vec<&str>>().join(" ")), "{part}: {said}");
    }
}

#[test]
fn all_built_in_packs_pass() {
    let names: Vec<&str> = BUILT_IN.iter().map(|pack| pack.name).collect();
    let output = run(&[&["check"], &names[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for name in &names {
        assert!(stdout(&output).lines().any(|line| line.trim_start().starts_with(name)), "{name}");
        let output = run(&["check", name]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{name}");
        assert!(stdout(&output).lines().all(|line| line.chars().count() <= 80), "{name}");
    }
}

#[test]
fn a_pack_of_ones_own_is_checked() {
    let made = tempfile::tempdir().unwrap();
    let path = made.path().join("mine.yaml");
    let path = path.to_str().unwrap();
    let copied = run(&["list", "--show", "dinner"]);
    assert_eq!(copied.status.code(), Some(0), "{}", stderr(&copied));
    std::fs::write(path, &copied.stdout).unwrap();
    let output = run(&["check", path, "--format", "json"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    let found: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(
        (&found["pack"], &found["class"], &found["type"]),
        (&"dinner".into(), &"mistake".into(), &"pareto".into())
    );
    assert_eq!((&found["entries"]["matters"], &found["ways"]), (&8.into(), &160_000.into()));
    // What is wrong is said in the same form as of storyboards, and on stdout alone; a byte order mark is no letter.
    let wrong = format!("\u{feff}{}", stdout(&copied).replace("class: mistake", "class: lapse"));
    std::fs::write(path, wrong).unwrap();
    let output = run(&["check", path, "--format", "json"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(1), ""));
    let found: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(found["file"], path);
    let label = &found["problems"][0]["labels"][0];
    assert_eq!((&label["line"], &label["column"], &label["length"]), (&4.into(), &8.into(), &5.into()));
}

#[test]
fn packs_and_storyboards_are_told_apart() {
    let output = run(&["check", "dinner", "five-events", "farm"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for word in ["dinner", "five-events", "farm"] {
        assert!(stdout(&output).contains(word), "{word}");
    }
    let pack = folder().join("base.yaml");
    let pack = pack.to_str().unwrap();
    for command in [&["show", pack][..], &["generate", pack, "--count", "1"]] {
        let output = run(command);
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""));
        assert!(
            stderr(&output).contains("this is a pack of words, and no storyboard"),
            "{}",
            stderr(&output)
        );
    }
    for command in [
        &["show", "dinner"][..],
        &["check", "diner"],
        &["check", "dinner", "--set", "x=1"],
        &["list", "--show", "diner"],
        &["list", "--packs", "--show", "sally-anne"],
        &["list", "--show", "dinner", "--format", "json"],
    ] {
        let output = run(command);
        assert_eq!(
            (output.status.code(), stdout(&output)),
            (Some(2), ""),
            "{command:?}: {}",
            stderr(&output)
        );
    }
    let boards = storysim::storyboard::BUILT_IN.iter().map(|board| board.name);
    assert!(
        boards.into_iter().all(|board| BUILT_IN.iter().all(|pack| pack.name != board)),
        "one name, one thing"
    );
}

#[test]
fn packs_are_listed() {
    for columns in ["40", "80", "200"] {
        let output =
            Command::new(PROGRAM).args(["list", "--packs"]).env("COLUMNS", columns).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let columns: usize = columns.parse().unwrap();
        let lines = || stdout(&output).lines().filter(|line| line.starts_with(' '));
        assert!(
            lines().all(|line| line.chars().count() <= columns),
            "in {columns} columns\n{}",
            stdout(&output)
        );
        for pack in BUILT_IN {
            assert!(lines().any(|line| line.starts_with(&format!(" {} ", pack.name))), "{}", pack.name);
        }
    }
    let output = run(&["list", "--packs", "--format", "json"]);
    let listed: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = listed.iter().map(|pack| pack["pack"].as_str().unwrap()).collect();
    assert_eq!(names, BUILT_IN.iter().map(|pack| pack.name).collect::<Vec<_>>());
    for (class, count) in [("evasion", 2), ("wonder", 2), ("comfort", 2), ("confidence", 2), ("mistake", 2)] {
        assert_eq!(listed.iter().filter(|pack| pack["class"] == class).count(), count, "{class}");
    }
    for pack in BUILT_IN {
        assert_eq!(stdout(&run(&["list", "--packs", "--show", pack.name])), pack.text);
    }
    let sally = run(&["list", "--show", "sally-anne"]);
    assert!(stdout(&sally).contains("name: sally-anne"));
}
