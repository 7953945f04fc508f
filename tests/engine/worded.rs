//! Stories in the words of a wording say what happens, and nothing else: from the text alone, the events come out.

use std::collections::BTreeSet;

use storysim::adherence::{Judge, Row};
use storysim::compile::compile_family;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::prose::misread;
use storysim::select::{Family, admit};
use storysim::storyboard::{BUILT_IN, Storyboard, Style, parse};

use crate::effort::times;

/// Everything that people can do, watch and miss.
const DEEDS: &str = "
storysim: 1
name: deeds
characters: {pool: [Ann, Bob, Cas, Dora, the_cook]}
roles: [S1, S2, T]
places: {complete: [the_hall, kitchen, room_1]}
start: the_hall
horizon: 24
verb: [enters, walks into]
containers: {box: the_hall, my_chest: {in: kitchen, is: closed}, bag: room_1}
objects: {marble: box, old_key: kitchen, my_ring: S1}
attitudes: [cake, jazz]
propositions: {gift: {says: 'the gift for {T} is a bicycle', denies: 'the gift for {T} is no bicycle'}}
play: {move: 4, move_object: 2, carry: 2, take: 2, put: 2, throw: 2, give: 2, open: 1, close: 1, tell: 2, whisper: 2, phone: 2,
       react: 1, chat: 1}
events:
  - {at: 5, move: {who: [S1, S2], to: kitchen}}
  - {at: 8, reveal: {who: S1, that: gift}}
  - {from: 6, until: 12, peek: T}
  - {from: 6, until: 16, distracted: S2}
  - {from: 13, until: 20, distracted: {who: T, noticed: true}}
questions: [{belief: [S1, T]}, {reality: T}]
";

fn worded(board: Storyboard) -> Storyboard {
    // Fitting shares takes long, and words do not depend on them.
    Storyboard { balance: None, ..board }.reworded("varied")
}

fn family(board: &Storyboard) -> Family {
    let plans = compile_family(board, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).plans;
    admit(board, plans).unwrap_or_else(|problems| panic!("{problems:?}")).family
}

/// Reads the rows of some stories back. Returns how many stories there were.
fn read_back(board: &Storyboard, stories: u64) -> usize {
    let family = family(board);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS);
    let mut read = 0;
    for index in 0..stories {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        let mut seen = BTreeSet::new();
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            if !seen.insert(row["story"].to_string()) {
                continue;
            }
            let told = Row::new(&row).unwrap();
            let judge = Judge::new(board, &told.parameters);
            let account = told.account(board, judge.reader());
            let account = account.unwrap_or_else(|problem| panic!("{problem:?}: {}", row["story"]));
            let verdict = judge.judge(&account, &told.cast).unwrap();
            assert!(verdict.violations.is_empty(), "{:?}: {}", verdict.violations, row["story"]);
            read += 1;
        }
    }
    read
}

#[test]
fn built_in_boards_are_read_back_in_varied_words() {
    let mut read = 0;
    for known in BUILT_IN {
        let board = worded(parse(known.source()).unwrap());
        // Announcements are read by nobody yet, however they are worded.
        if board.style == Style::Report && board.prospects.is_empty() {
            assert_eq!(misread(&board), [], "{}", known.name);
            read += read_back(&board, times(10));
        }
    }
    assert!(read > 300, "{read}");
}

#[test]
fn all_deeds_are_read_back_in_varied_words() {
    let board = worded(parse(Source { name: "deeds.yaml".into(), text: DEEDS.into() }).unwrap());
    assert!(read_back(&board, times(1000)) >= 900);
}

/// Whatever a story is told in, the same happens in it, and the same is asked and answered.
#[test]
fn words_change_nothing_else() {
    let plain = Storyboard { balance: None, ..parse(built_in("sally-anne")).unwrap() };
    for board in
        [plain, parse(built_in("hitom-like")).unwrap(), parse(built_in("first-order-mislead")).unwrap()]
    {
        let mut texts = BTreeSet::new();
        let worded = worded(board.clone());
        let families = [family(&board), family(&worded)];
        let mut makers =
            families.each_ref().map(|family| RowMaker::new(family, 3, &[], RowOptions::WITH_EVENTS));
        for index in 0..times(100) {
            let [plain, worded] = makers.each_mut().map(|maker| {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect::<Vec<serde_json::Value>>()
            });
            assert_eq!(plain.len(), worded.len());
            for (mut plain, mut worded) in plain.into_iter().zip(worded) {
                assert_eq!(worded.as_object_mut().unwrap().remove("wording"), Some("varied".into()));
                let [plain_story, story] = [&mut plain, &mut worded].map(|row| row["story"].take());
                assert_ne!(plain_story, story);
                texts.insert(story.to_string());
                assert_eq!(plain, worded);
            }
        }
        assert!(texts.len() > 50, "{}", texts.len());
    }
}

fn built_in(name: &str) -> Source {
    BUILT_IN.iter().find(|board| board.name == name).unwrap().source()
}

/// The bytes are a promise, in other words, too.
#[test]
fn golden_words() {
    let sums = ["first-order-mislead", "sally-anne", "hitom-like", "rumour", "free-play"].map(|name| {
        let family = family(&worded(parse(built_in(name)).unwrap()));
        let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
        let mut rows = String::new();
        (0..50).for_each(|index| {
            maker.rows(index, &mut rows);
        });
        blake3::hash(rows.as_bytes()).to_hex()[..16].to_owned()
    });
    let wanted =
        ["efc8d737935c4324", "8ae1370d2050c879", "9771a2d9fdf57fb8", "6e2eea04d72cf25e", "cab2bab736c0c0de"];
    assert_eq!(sums, wanted);
}

/// A story in the past is in the past throughout, and one in the present in the present.
#[test]
fn a_story_has_one_tense() {
    let family = family(&worded(parse(built_in("first-order-mislead")).unwrap()));
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    let mut stories_in_the_past = 0;
    for index in 0..200 {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
        let words: BTreeSet<&str> = row["story"].as_str().unwrap().split(' ').collect();
        let has = |verbs: [&str; 5]| verbs.iter().any(|verb| words.contains(verb));
        let is_past = has(["went", "moved", "left", "came", "entered"]);
        assert!(is_past != has(["goes", "moves", "leaves", "comes", "enters"]), "{}", row["story"]);
        stories_in_the_past += u32::from(is_past);
    }
    assert!((60..140).contains(&stories_in_the_past), "{stories_in_the_past}");
}

/// A question that names a sentence by its number quotes the sentence with this number.
#[test]
fn questions_name_sentences_by_their_numbers() {
    let family = family(&worded(parse(built_in("hidden-ball")).unwrap()));
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    let (mut quoted, mut is_any_joined) = (0, false);
    for index in 0..times(100) {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let [story, question] = ["story", "question"].map(|field| row[field].as_str().unwrap());
            let Some((before, after)) = question.split_once(" (\"") else { continue };
            let number: usize =
                before.split("sentence ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
            let sentences: Vec<&str> = story.split_inclusive(". ").map(str::trim_end).collect();
            assert_eq!(sentences[number - 1], after.split_once("\")").unwrap().0, "{question} {story}");
            quoted += 1;
            is_any_joined |= sentences[..number].iter().any(|sentence| sentence.contains(" and then "));
        }
    }
    assert!(quoted > 200 && is_any_joined, "{quoted}");
}
