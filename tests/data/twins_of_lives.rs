//! Pairs and triplets of stories by lives: held, by what their rows say, against all that is promised of them. The reader of `verify`,
//! which shares no code with what answers questions, reads both stories of a pair.

use std::collections::BTreeMap;

use serde_json::Value;
use storysim::check::{Claim, check};
use storysim::dataset::{RowMaker, RowOptions};
use storysim::plan::Plan;
use storysim::select::Twinning;
use storysim::simulate::Story;
use storysim::storyboard::{BUILT_IN, Storyboard};
use storysim::verify::Inspector;
use storysim::world::Act;

use crate::effort::part;
use crate::program::{run, stderr};
use crate::storyboards::{board, family_with};
use crate::twins::{SEED, text};

/// The built-in board of such stories, with words of its text replaced.
fn replaced(words: &[(&str, &str)]) -> Storyboard {
    let built_in = BUILT_IN.iter().find(|board| board.name == "dynamic-minds").unwrap();
    let text = words.iter().fold(built_in.text().to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    board(&text)
}

/// The rows of one story, by the numbers of their questions.
type Rows = BTreeMap<String, Value>;

/// The rows of a story and of its twins, each as those of a story of its own.
fn by_story(text: &str, index: u64, marks: &[&str]) -> Vec<String> {
    let of = |mark: &&str| {
        let own = format!("/{SEED}/{index}{mark}/");
        let is_own = |row: &&str| row.split_once("\",").unwrap().0.contains(&own);
        let rows: Vec<String> =
            text.lines().filter(is_own).map(|row| row.replace(&own, &format!("/{SEED}/{index}/"))).collect();
        rows.join("\n")
    };
    marks.iter().map(of).collect()
}

fn read(rows: &str) -> Rows {
    let row = |row: &str| {
        let row: Value = serde_json::from_str(row).unwrap();
        (text(&row, "id").rsplit('/').next().unwrap().to_owned(), row)
    };
    rows.lines().map(row).collect()
}

/// The steps at which two stories have other events, with who acts there.
fn differing(one: &Story, other: &Story) -> Vec<usize> {
    let events = one.trace.events.iter().zip(&other.trace.events).enumerate();
    events
        .filter(|(_, (one, other))| (one.who, one.to) != (other.who, other.to))
        .map(|(step, _)| step)
        .collect()
}

/// One move of this character leads elsewhere; whoever announces something there does so where she now is. What is announced, who
/// starts where, and who is with whom at the end of each scenario is the same.
fn differs_in_one_move(plan: &Plan, [story, twin]: [&Story; 2], at: usize, who: usize) {
    let differing = differing(story, twin);
    assert_eq!(differing[0], at);
    for &step in &differing {
        let deeds = [story, twin].map(|story| &story.trace.deeds[step].act);
        assert_eq!(story.trace.events[step].who.index(), who);
        assert!(step == at || matches!(deeds[0], Act::Turn(_)), "step {step}");
    }
    assert_eq!(story.trace.deeds, twin.trace.deeds);
    assert_eq!((&story.trace.start, &story.trace.stage), (&twin.trace.start, &twin.trace.stage));
    let steps = plan.scenarios.unwrap().steps;
    let places = |story: &Story| {
        let mut places = story.trace.start.clone();
        let mut ends = Vec::new();
        for (step, event) in story.trace.events.iter().enumerate() {
            assert_eq!(places[event.who.index()], event.from, "step {step}");
            places[event.who.index()] = event.to;
            if (step + 1) % steps == 0 {
                ends.push(places.clone());
            }
        }
        ends
    };
    assert_eq!(places(story), places(twin));
}

/// Both are asked the same, in the same words, and offered the same; she thinks something else at the end of the scenario.
fn asks_the_same(plan: &Plan, [own, twin]: [&Rows; 2], (at, is_pair): (usize, bool)) -> [usize; 2] {
    assert_eq!(own.keys().collect::<Vec<_>>(), twin.keys().collect::<Vec<_>>());
    let scenario = at / plan.scenarios.unwrap().steps + 1;
    let (mut among, mut beliefs) = ([0, 0], 0);
    for (row, other) in own.values().zip(twin.values()) {
        let same = [
            "question", "kind", "chain", "about", "context", "choices", "cast", "start", "state", "scenario",
            "linked",
        ];
        for field in same {
            assert_eq!(row[field], other[field], "{field} of {}", row["id"]);
        }
        if row["kind"] == "belief_in" && row["scenario"] == scenario {
            assert_ne!(row["answer"], other["answer"], "{}", row["id"]);
            beliefs += 1;
        }
        among[usize::from(row["answer"] != other["answer"])] += 1;
    }
    // In a triplet, what she thinks in the other twin may be what no life of the story thinks.
    assert!(beliefs == 1 || !is_pair);
    among
}

#[test]
fn twins_by_lives_are_what_they_should_be() {
    let boards: [(&[(&str, &str)], u64); 8] = [
        (&[], 30),
        (&[("\"n\": 5", "\"n\": 1")], 60),
        (&[("\"n\": 5", "\"n\": 2"), ("told: 1", "told: 0")], 30),
        (&[("turns: 4", "turns: 1")], 30),
        (&[("turns: 4", "turns: 7")], 15),
        (&[("complete: 3", "complete: 4")], 20),
        (&[("decider: O", "decider: S2")], 20),
        (&[("count: 4", "count: 7"), ("for: S1}", "for: S1, between: 7}")], 15),
    ];
    for (words, stories) in part(boards, 0, 2) {
        let board = replaced(words);
        for twinning in Twinning::ALL {
            let family = family_with(&board, twinning);
            let plan = &family.plans()[0];
            let lives = plan.lives().unwrap();
            let inspector = Inspector::new(plan, SEED, &[]);
            let mut maker = RowMaker::new(&family, SEED, &[], RowOptions::default()).with(&board, twinning);
            let mut differing = [0, 0];
            for index in 0..stories {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                let told = [maker.story()].into_iter().chain(maker.twins().iter().map(|twin| &twin.story));
                let told: Vec<&Story> = told.collect();
                let rows = by_story(&rows, index, &["", "-twin", "-target"][..told.len()]);
                for (story, rows) in told.iter().zip(&rows) {
                    check(&board, &Claim::of(plan, story)).unwrap();
                    assert_eq!(inspector.inspect(story, rows), [], "{words:?}, {twinning:?}");
                }
                let rows: Vec<Rows> = rows.iter().map(|rows| read(rows)).collect();
                for (at, twin) in (1..).zip(maker.twins()) {
                    let who = [lives.whose, lives.by][at - 1].index();
                    differs_in_one_move(plan, [told[0], told[at]], twin.step, who);
                    let among =
                        asks_the_same(plan, [&rows[0], &rows[at]], (twin.step, twinning == Twinning::Pairs));
                    differing = [0, 1].map(|which| differing[which] + among[which]);
                }
            }
            println!("{words:?}, {twinning:?}: {differing:?} answers are the same, and differ");
            assert!(differing[1] > 0);
        }
    }
}

/// Where little is asked, every pair is asked it: a move that changes no answer makes no twin.
#[test]
fn every_pair_is_asked_something() {
    for question in ["{emotion: [S1, news], in: 3}", "{action: [S1, news], in: 2}"] {
        let board = replaced(&[("- dynamics: [S1, news]", &format!("- {question}"))]);
        let family = family_with(&board, Twinning::Pairs);
        let mut maker =
            RowMaker::new(&family, SEED, &[], RowOptions::default()).with(&board, Twinning::Pairs);
        for index in 0..40 {
            let mut rows = String::new();
            assert_eq!(maker.rows(index, &mut rows), 2, "{question}, story {index}");
        }
    }
}

/// Value stability: these bytes may never change without a heading in CHANGELOG.md.
#[test]
fn bytes_are_a_promise() {
    let board = replaced(&[("\"n\": 5", "\"n\": 2")]);
    let hashes = [Twinning::Pairs, Twinning::Triplets].map(|twinning| {
        let family = family_with(&board, twinning);
        let mut maker = RowMaker::new(&family, SEED, &[], RowOptions::WITH_EVENTS).with(&board, twinning);
        let mut rows = String::new();
        for index in 0..20 {
            maker.rows(index, &mut rows);
        }
        blake3::hash(rows.as_bytes()).to_hex()[..16].to_owned()
    });
    assert_eq!(hashes, ["c11d8d5a17ad0bb2", "54602b5e34e150d8"]);
}

/// Nearly every stage has a twin: 59 of 60 in the study after which these stories are made.
#[test]
fn most_stages_have_a_twin() {
    let board = replaced(&[]);
    let family = family_with(&board, Twinning::Pairs);
    let mut plain = RowMaker::new(&family, SEED, &[], RowOptions::default());
    let mut twinned = RowMaker::new(&family, SEED, &[], RowOptions::default()).with_twins(&board);
    let same = (0..400).filter(|&index| {
        plain.draw(index);
        twinned.draw(index);
        // A story without a twin is another one.
        plain.story().trace == twinned.story().trace
    });
    let same = same.count();
    println!("{same} of 400");
    assert!(same >= 380, "{same} of 400");
}

/// What is said where a storyboard has no such twins.
fn refused(words: [(&str, &str); 1], twins: &str, wanted: &str) {
    let text = BUILT_IN.iter().find(|board| board.name == "dynamic-minds").unwrap().text();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.yaml");
    assert!(text.contains(words[0].0));
    std::fs::write(&path, text.replace(words[0].0, words[0].1)).unwrap();
    let output = run(&["generate", path.to_str().unwrap(), "--count", "1", twins]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
    let said = stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(wanted), "{said}");
}

#[test]
fn stages_without_twins_are_refused() {
    let two = [("complete: 3", "complete: 2")];
    for twins in ["--twins", "--twins=triplets"] {
        refused(two, twins, "with two places, no move can lead anywhere else: have three places or more");
    }
    let other = [("  - dynamics: [S1, news]", "  - {emotion: [S2, S1, news], in: 3}")];
    refused(other, "--twins", "add one to `questions`, such as `dynamics: [S1, news]`");
}
