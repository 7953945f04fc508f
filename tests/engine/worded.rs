//! Stories in the words of a wording say what happens, and nothing else: from the text alone, the events come out.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use storysim::adherence::{Judge, Row};
use storysim::compile::compile_family;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::form::{ActKind, PhraseKind, ReaderRule, SentenceKind};
use storysim::prose::{Reader, misread};
use storysim::select::{Family, admit};
use storysim::storyboard::{BUILT_IN, NamedFile, Storyboard, Style, parse};

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

/// A pack that words everything as it is worded plainly, but for where people start.
fn plainly() -> String {
    let mut pack = "storysim_pack: 1\nkind: wording\nname: plainly\nsentences:\n".to_owned();
    let mut entry = |key: &str, words: &str| {
        writeln!(pack, "  {key}: {}", serde_json::to_string(words).unwrap()).unwrap();
    };
    entry("chat", SentenceKind::Deed(ActKind::Chat).plain());
    for (section, is_question) in [("opening", false), ("questions", true)] {
        writeln!(pack, "{section}:").unwrap();
        let kinds = PhraseKind::ALL.iter().map(|kind| kind.form());
        for form in kinds.filter(|form| form.is_question == is_question) {
            // Where people start goes on in plain words, and these two start alike in each.
            let is_start = [PhraseKind::Together, PhraseKind::Apart].map(|kind| kind.form().key);
            let plain = match is_start.contains(&form.key) {
                true => continue,
                false => form.plain,
            };
            writeln!(pack, "  {}: {}", form.key, serde_json::to_string(plain).unwrap()).unwrap();
        }
    }
    pack + "rules:\n"
        + &ReaderRule::ALL.iter().fold(String::new(), |mut rules, rule| {
            writeln!(rules, "  {}: {}", rule.key(), serde_json::to_string(rule.plain()).unwrap()).unwrap();
            rules
        })
}

/// The plain phrases of the forms say what plain stories say: told by a pack of them, all contexts and questions are the same.
#[test]
fn plain_phrases_are_those_of_plain_stories() {
    let pack = NamedFile { name: "plainly.yaml".into(), path: "plainly.yaml".into(), text: Ok(plainly()) };
    let mut asked = BTreeSet::new();
    for known in BUILT_IN {
        let board = Storyboard { balance: None, ..parse(known.source()).unwrap() };
        if board.style != Style::Report {
            continue;
        }
        let mut worded = board.clone().reworded("plainly.yaml");
        worded.files.push(pack.clone());
        let families = [family(&board), family(&worded)];
        let mut makers =
            families.each_ref().map(|family| RowMaker::new(family, 3, &[], RowOptions::WITH_EVENTS));
        for index in 0..times(20) {
            let [plain, worded] = makers.each_mut().map(|maker| {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect::<Vec<serde_json::Value>>()
            });
            for (mut plain, mut worded) in plain.into_iter().zip(worded) {
                worded.as_object_mut().unwrap().remove("wording");
                plain.as_object_mut().unwrap().remove("wording");
                let context = plain["context"].as_str().unwrap();
                // A rule of its own, where a pack words rules.
                let told = context.replacen(
                    ", and everyone knows that, and knows that everyone does. ",
                    ". Everyone knows all of this, and knows that everyone does. ",
                    1,
                );
                let is_of_walks = told != context;
                if is_of_walks && plain["kind"] != "world_things" {
                    plain["context"] = told.into();
                }
                asked.insert(plain["kind"].to_string());
                assert_eq!(plain, worded);
            }
        }
    }
    assert!(asked.len() > 10, "{asked:?}");
}

/// In whatever words a story is introduced, the same people, things and facts are read from it.
#[test]
fn openings_are_read_back() {
    let mut contexts = BTreeSet::new();
    let deeds = parse(Source { name: "deeds.yaml".into(), text: DEEDS.into() }).unwrap();
    let built_in = BUILT_IN.iter().map(|known| parse(known.source()).unwrap());
    for board in
        built_in.chain([deeds]).filter(|board| board.style == Style::Report && board.prospects.is_empty())
    {
        let board = Storyboard { balance: None, ..board };
        let reworded = worded(board.clone());
        let families = [family(&board), family(&reworded)];
        let readers = [Reader::new(&board, Vec::new()), Reader::new(&reworded, Vec::new())];
        let mut makers =
            families.each_ref().map(|family| RowMaker::new(family, 5, &[], RowOptions::default()));
        for index in 0..times(12) {
            let [plain, other] = makers.each_mut().map(|maker| {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect::<Vec<serde_json::Value>>()
            });
            for (plain, other) in
                plain.iter().zip(&other).filter(|(plain, _)| plain["kind"] != "world_things")
            {
                let read = |at: usize, row: &serde_json::Value| {
                    let mut opening = readers[at].introduction(row["context"].as_str().unwrap());
                    // People of one place may be named together.
                    opening.people.sort_unstable();
                    format!("{opening:?}")
                };
                assert_eq!(read(0, plain), read(1, other), "{}", other["context"]);
                assert_ne!(read(0, plain), format!("{:?}", storysim::prose::Opening::default()));
                contexts.insert(other["context"].to_string());
            }
        }
    }
    assert!(contexts.len() > 250, "{}", contexts.len());
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
                let [plain_story, story] = [&mut plain, &mut worded].map(|row| {
                    for told in ["context", "question"] {
                        row[told].take();
                    }
                    row["story"].take()
                });
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
        ["9f3330a358bd7d2f", "a3e85eeb9490d9d3", "9b08103a687e4364", "25397bd08ca02210", "fe233c22837dd142"];
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
