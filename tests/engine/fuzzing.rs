//! The fuzz targets' properties, over random storyboards and over mutilated ones.

use std::sync::LazyLock;

use arbitrary::{Arbitrary, Unstructured};
use proptest::prelude::*;
use storysim::fuzzing::{log, pack, small_storyboard, storyboard};
use storysim::storyboard::BUILT_IN;

use crate::effort::times;

/// Pieces that mutilate: all the words of the format, and what breaks YAML.
const PIECES: &[&str] = &[
    "",
    "\n",
    " ",
    ":",
    "- ",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "#",
    "&a ",
    "*a",
    "!!int ",
    "|\n",
    "é",
    "\u{feff}",
    "\0",
    "0",
    "-1",
    "99999999999999999999",
    "end",
    "max(1, 2)",
    "T",
    "S1",
    "first",
    "room_1",
    "storysim: 1\n",
    "at: ",
    "from: ",
    "until: ",
    "for: ",
    "move: ",
    "meet: ",
    "idle: ",
    "note: ",
    "belief: ",
    "complete: ",
    "matters: ",
    "style: conversation",
    "m.reason",
    "m.truth",
    "level: ",
    "reveal: ",
    "chat: ",
    "with: ",
    "without: ",
    "stands: ",
    "honest: ",
    "else: ",
    "not: ",
    "next_to: ",
    "people",
    "null",
    "~",
    "true",
    "{S1}",
    "<<: ",
    "? ",
    "--- ",
    "...\n",
    "%YAML 1.2\n",
    "objects: {ball: box}\n",
    "containers: {box: {in: room_1, is: closed}}\n",
    "propositions: {gift: {says: it, is: drawn, known: [S1], wrong: [T]}}\n",
    "attitudes: [painting]\n",
    "trust: always\n",
    "play: {move: 2, tell: 1, lie: 1, take: 1, put: 1}\n",
    "friends: {S1: []}\n",
    "peek: ",
    "distracted: ",
    "tell: {who: S1, to: present}",
    "lie: ",
    "phone: ",
    "knows: ",
    "who_knows: ",
    "before: ",
    "without: ",
];

/// Pieces that mutilate packs.
const PIECES_OF_PACKS: &[&str] = &[
    "",
    "\n",
    " ",
    ":",
    "- ",
    "{",
    "}",
    "[",
    "\"",
    "&a ",
    "*a",
    "|\n",
    ">\n    ",
    "é",
    "\u{feff}",
    "\0",
    "\\n",
    "\\u00e9",
    "{L}",
    "{T}",
    "{thing}",
    "{reason}",
    "{says}",
    "{own_not}",
    "{people}",
    "the soup",
    "'s ",
    "kind: acts\n",
    "acts: {come: [Hello.]}\n",
    "matters:\n",
    "pretend: ",
    "plain: ",
    "why: ",
    "own: ",
    "thing: ",
    "hint: []\n",
    "<<: ",
    "--- ",
    "null",
];

/// One of these texts, some stretches of which are replaced by pieces.
fn mutilated(texts: Vec<&'static str>, pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    let cuts = prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, 0..pieces.len()), 1..6);
    (0..texts.len(), cuts).prop_map(move |(text, cuts)| {
        let mut text: Vec<char> = texts[text].chars().collect();
        for (at, length, piece) in cuts {
            let at = at.index(text.len());
            let end = (at + length).min(text.len());
            text.splice(at..end, pieces[piece].chars());
        }
        text.into_iter().collect()
    })
}

/// Without what is learned from stories: of another storyboard it has to be found out anew, which takes minutes.
fn mutilated_board() -> impl Strategy<Value = String> {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let is_kept =
            |line: &&str| !["learned:", "pilots:"].iter().any(|key| line.trim_start().starts_with(key));
        let kept = |text: &str| text.lines().filter(is_kept).map(|line| format!("{line}\n")).collect();
        BUILT_IN.iter().map(|board| kept(board.text())).collect()
    });
    mutilated(TEXTS.iter().map(String::as_str).collect(), PIECES)
}

fn mutilated_pack() -> impl Strategy<Value = String> {
    mutilated(storysim::pack::BUILT_IN.iter().map(|pack| pack.text).collect(), PIECES_OF_PACKS)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn sketches(bytes in prop::collection::vec(any::<u8>(), 20..500)) {
        let crate::deeds::sketch::Sketch(text) = Arbitrary::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        small_storyboard(&text);
    }

    #[test]
    fn random_boards_with_deeds(text in crate::deeds::boards(2..=6, 2..=5, 4..=14)) {
        storyboard(&text);
    }
}

proptest! {
    // Fewer: of what still compiles, some are balanced, which takes ten thousands of stories.
    #![proptest_config(ProptestConfig { cases: times(100) as u32, ..ProptestConfig::default() })]

    #[test]
    fn mutilated_boards(text in mutilated_board()) {
        storyboard(&text);
    }

    #[test]
    fn mutilated_packs(text in mutilated_pack()) {
        pack(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(300) as u32, ..ProptestConfig::default() })]

    #[test]
    fn random_boards(text in crate::boards::boards(2..=6, 2..=5, 4..=14)) {
        storyboard(&text);
    }

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        storyboard(&text);
        pack(&text);
    }
}

/// A property of any text.
type Property = fn(&str);

#[test]
fn the_corpus() {
    let targets: [(&str, Property, usize); 2] = [("storyboard", storyboard, 17), ("log", log, 5)];
    for (target, holds, least) in targets {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
        let mut count = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_string_lossy().starts_with("seed-") {
                holds(&std::fs::read_to_string(path).unwrap());
                count += 1;
            }
        }
        assert!(count >= least, "{target}");
    }
}

/// Pieces that mutilate logs.
const LOG_PIECES: &[&str] = &[
    "",
    "\"",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "null",
    "true",
    "0",
    "-1",
    "1e400",
    "99999999999999999999",
    "\\ud83d",
    "\\u001b[31m",
    "é",
    "\0",
    "\n",
    "\"Ann\"",
    "\"Bob\"",
    "\"Cat\"",
    "\"kitchen\"",
    "\"garden\"",
    "\"box\"",
    "\"apple\"",
    "\"enter\"",
    "\"leave\"",
    "\"state\"",
    "\"tell\"",
    "\"public\"",
    "\"joint\":[\"Bob\"],",
    "\"vanish\"",
    "\"closed\"",
    "\"parts\":[],",
    "\"lie\"",
    "\"H\"",
    "[\"U\",\"H\",\"lie\"]",
    "\"t\":0,",
    "\"who\":",
];

/// A log of `tests/logs`, some stretches of which are replaced by pieces.
fn mutilated_logs() -> impl Strategy<Value = String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let logs: Vec<String> = files
        .iter()
        .flat_map(|path| {
            std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    let cuts = prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, 0..LOG_PIECES.len()), 0..6);
    (prop::sample::select(logs), cuts).prop_map(|(log, cuts)| {
        let mut text: Vec<char> = log.chars().collect();
        for (at, length, piece) in cuts {
            let at = if text.is_empty() { 0 } else { at.index(text.len()) };
            let end = (at + length).min(text.len());
            text.splice(at..end, LOG_PIECES[piece].chars());
        }
        text.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(300) as u32, ..ProptestConfig::default() })]

    #[test]
    fn sketched_logs(bytes in prop::collection::vec(any::<u8>(), 20..300)) {
        let crate::logs::LogSketch(text) = Arbitrary::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        log(&text);
    }

    #[test]
    fn mutilated_logs_are_explained_or_answered(text in mutilated_logs()) {
        log(&text);
    }

    #[test]
    fn any_text_is_no_log(text in "\\PC{0,200}") {
        log(&text);
    }
}
