//! Where shares are balanced, they are right over stories and their twins, and nothing else is changed for their sake.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::id::PlaceId;
use storysim::plan::Level;
use storysim::question::{Answer, Asker};
use storysim::select::{Family, Selector, Twin, Twinning, Twins, admit_twins};
use storysim::simulate::Story;
use storysim::storyboard::Storyboard;
use storysim::world::{Event, Value as WorldValue};

use crate::effort::times;
use crate::storyboards::{board, family, family_with, family_with_twins};

/// The rows of the first question of so many stories, and those of their twins.
fn rows(board: &Storyboard, family: &Family, count: u64) -> [Vec<Value>; 2] {
    let mut maker = RowMaker::new(family, 7, &[], RowOptions::WITH_EVENTS).with_twins(board);
    let mut told = [Vec::new(), Vec::new()];
    let mut text = String::new();
    for index in 0..count {
        text.clear();
        maker.rows(index, &mut text);
        for (row, of) in text.lines().zip(&mut told) {
            of.push(serde_json::from_str(row).unwrap());
        }
    }
    told
}

/// In how many other places the target was since it was last in the answer's.
fn recency(row: &Value) -> usize {
    let moves = row["events"].as_array().unwrap().iter();
    let went = moves.filter(|event| event[1] == row["about"]).map(|event| &event[3]);
    let places: Vec<&Value> = std::iter::once(&row["start"]).chain(went).collect();
    let after = places.iter().rev().take_while(|place| ***place != row["answer"]);
    after.map(|place| place.as_str().unwrap()).collect::<BTreeSet<_>>().len()
}

/// Holds a share among rows against the one that is wanted: within five standard errors, and a point and a half for the pilots.
#[track_caller]
fn assert_share(rows: &[Value], wanted: f64, is_so: impl Fn(&Value) -> bool) {
    let share = rows.iter().filter(|row| is_so(row)).count() as f64 / rows.len() as f64;
    let error = (wanted * (1.0 - wanted) / rows.len() as f64).sqrt();
    assert!((share - wanted).abs() < 5.0 * error + 0.015, "{share:.4}, not {wanted:.4}");
}

#[test]
fn shares_are_right_of_stories_and_of_twins() {
    let board = board(
        "storysim: 1\nname: walk\ncharacters: {pool: people, count: people}\nroles: [S1, S2, T]\n\
         places: {complete: [a, b, c, d]}\nstart: a\ndraw: {people: [4, 5]}\nhorizon: 24\n\
         balance: {answer: uniform, answer_recency: {0: 0.4, 1: 0.3, 2: 0.3}, false_belief: 0.6, order_gap: 3/4, last_place: 0.4}\n\
         questions: [{belief: [S1, S2, T]}]\n",
    );
    let told = rows(&board, &family_with_twins(&board), 2_500);
    for rows in &told {
        for place in ["a", "b", "c", "d"] {
            assert_share(rows, 0.25, |row| row["answer"] == place);
        }
        for (at, wanted) in [0.4, 0.3, 0.3].into_iter().enumerate() {
            assert_share(rows, wanted, |row| recency(row) == at);
        }
        assert!(rows.iter().all(|row| recency(row) < 3), "what is not listed is never kept");
        assert_share(rows, 0.6, |row| row["false_belief"] == true);
        let known = rows.iter().filter(|row| !row["foils"]["lower_order"].is_null()).cloned();
        assert_share(&known.collect::<Vec<_>>(), 0.75, |row| row["foils"]["lower_order"] != row["answer"]);
    }
    let differ = |(one, other): (&Value, &Value)| one["answer"] != other["answer"];
    assert!(told[0].iter().zip(&told[1]).all(differ));
}

#[test]
fn shares_are_right_where_people_do_more_than_walk() {
    let board = board(
        "storysim: 1\nname: things\ncharacters: {pool: people, count: 3}\nroles: [A, B]\n\
         places: {complete: [hall, yard, attic, porch]}\nstart: hall\nobjects: {plum: hall}\n\
         play: {move: 3, carry: 1, throw: 1}\nhorizon: 16\n\
         balance: {answer: uniform, false_belief: 3/4}\nquestions: [belief: [A, plum]]\n",
    );
    for rows in rows(&board, &family_with_twins(&board), times(500)) {
        for place in ["hall", "yard", "attic", "porch"] {
            assert_share(&rows, 0.25, |row| row["answer"] == place);
        }
        assert_share(&rows, 0.75, |row| row["false_belief"] == true);
    }
}

#[test]
fn shares_are_right_over_all_three_of_a_triplet() {
    let board = board(
        "storysim: 1\nname: walk\ncharacters: {pool: people, count: 4}\nroles: [S1, S2, T]\nplaces: {complete: [a, b, c, d]}\n\
         start: a\nhorizon: 24\nquestions: [{belief: [S1, S2, T]}]\n\
         balance: {answer: uniform, answer_recency: {0: 0.4, 1: 0.3, 2: 0.3}, false_belief: 0.6, last_place: 0.4}\n",
    );
    let family = family_with(&board, Twinning::Triplets);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS).with(&board, Twinning::Triplets);
    let mut text = String::new();
    (0..2_500).for_each(|index| {
        maker.rows(index, &mut text);
    });
    let rows: Vec<Value> = text.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(rows.len(), 7_500);
    for place in ["a", "b", "c", "d"] {
        assert_share(&rows, 0.25, |row| row["answer"] == place);
    }
    for (at, wanted) in [0.4, 0.3, 0.3].into_iter().enumerate() {
        assert_share(&rows, wanted, |row| recency(row) == at);
    }
    assert_share(&rows, 0.6, |row| row["false_belief"] == true);
    assert_share(&rows, 0.6, |row| row["foils"]["last_place"] != row["answer"]);
    for trio in rows.chunks(3) {
        assert!(trio[1..].iter().all(|twin| twin["answer"] != trio[0]["answer"]));
    }
}

type Walk = Vec<(usize, usize)>;

/// Where someone is, after so many events.
fn place(walk: &[(usize, usize)], who: usize) -> usize {
    walk.iter().rev().find(|(other, _)| *other == who).map_or(0, |(_, to)| *to)
}

/// All walks of two people between four places, in four steps.
fn all_walks() -> Vec<Walk> {
    (0..4).fold(vec![Vec::new()], |walks, _| {
        let longer = |walk: &Walk| {
            let moves = (0..2).flat_map(|who| (0..4).map(move |to| (who, to)));
            let moves = moves.filter(|&(who, to)| place(walk, who) != to);
            moves.map(|step| [&walk[..], &[step]].concat()).collect::<Vec<Walk>>()
        };
        walks.iter().flat_map(longer).collect()
    })
}

/// The walks that differ from this one in where one move of the first character goes.
fn changes(walk: &Walk) -> Vec<Walk> {
    let mut changes = Vec::new();
    for (step, &(who, to)) in walk.iter().enumerate().filter(|(_, (who, _))| *who == 0) {
        let next = walk[step + 1..].iter().find(|(who, _)| *who == 0);
        let others = (0..4).filter(|&other| other != to && other != place(&walk[..step], who));
        for other in others.filter(|&other| next.is_none_or(|&(_, next)| next != other)) {
            let mut changed = walk.clone();
            changed[step].1 = other;
            changes.push(changed);
        }
    }
    changes
}

/// Every pair is as likely as its story, times what the two count for among all changes of the story, but for the limit. All
/// pairs are counted out here.
#[test]
fn pairs_are_as_likely_as_they_count_for() {
    let board = board(
        "storysim: 1\nname: tiny\ncharacters: {pool: [Ann, Bob]}\nroles: [S, T]\nplaces: {complete: [a, b, c, d]}\nstart: a\nhorizon: 4\n\
         balance: {answer: {a: 0.4, b: 0.2, c: 0.2, d: 0.2}, false_belief: 0.6, own_place: 0.3}\nquestions: [belief: [S, T]]\n",
    );
    let family = family_with_twins(&board);
    let plan = &family.plans()[0];
    let question = &plan.questions[0];
    let (asker, target) = (question.others[0], question.character());
    let walk_of = |story: &Story| -> Walk {
        let step = |event: &Event| (usize::from(event.who == target), event.to.index());
        story.trace.events.iter().map(step).collect()
    };
    assert_ne!(asker, target);

    // What there is to know of every walk: how often it is a story, and the numbers of what is balanced.
    let (mut selector, mut asking) = (Selector::new(&family, 1), Asker::new(plan, 1));
    let mut story = Story::default();
    let (mut drawn, mut answers) = (BTreeMap::<Walk, f64>::new(), BTreeMap::<Walk, Answer>::new());
    let margins = &plan.balance.as_ref().unwrap().margins;
    for index in 0..300_000 {
        selector.draw(index, &mut story);
        let walk = walk_of(&story);
        *drawn.entry(walk.clone()).or_default() += 1.0;
        answers.entry(walk).or_insert_with(|| asking.ask(&story)[0].answer.unwrap());
    }
    let levels = |walk: &Walk| {
        let answer = answers[walk];
        let is_at = |who| answer.value() == Some(WorldValue::Place(PlaceId::new(place(walk, who))));
        let number = |margin: usize, level: Level| {
            margins[margin].shares.iter().position(|(other, _)| *other == level).unwrap()
        };
        let numbers =
            [(1, !is_at(1)), (2, is_at(0))].map(|(at, is)| number(at, Level::Number(u64::from(is))));
        [number(0, Level::Answer(answer.value())), numbers[0], numbers[1]]
    };
    // Those that agree in that are as likely as each other.
    let mut groups: BTreeMap<[usize; 3], Vec<&Walk>> = BTreeMap::new();
    let known: Vec<Walk> = all_walks().into_iter().filter(|walk| answers.contains_key(walk)).collect();
    known.iter().for_each(|walk| groups.entry(levels(walk)).or_default().push(walk));
    let likely = |walk: &Walk| {
        let group = &groups[&levels(walk)];
        group.iter().map(|other| drawn[*other]).sum::<f64>() / group.len() as f64
    };

    let mut twins = Twins::new(&board, &family, 1).unwrap();
    let weights = family.weights().pairs.as_ref().unwrap();
    let counts_for = |walk: &Walk| -> f64 {
        levels(walk).iter().zip(&weights.factors).map(|(&level, factors)| factors[level]).product()
    };
    let mut expected: BTreeMap<[Walk; 2], f64> = BTreeMap::new();
    for walk in &known {
        let mut changes = changes(walk);
        let count = changes.len() as f64;
        changes.retain(|twin| answers.get(twin).is_some_and(|answer| *answer != answers[walk]));
        let parts: Vec<f64> =
            changes.iter().map(|twin| counts_for(walk) * counts_for(twin) / count).collect();
        let within = (weights.largest / parts.iter().sum::<f64>()).min(1.0);
        for (twin, part) in changes.into_iter().zip(parts) {
            // Either is called the twin.
            for pair in [[walk.clone(), twin.clone()], [twin, walk.clone()]] {
                *expected.entry(pair).or_default() += likely(walk) * part * within;
            }
        }
    }

    let count = 100_000;
    let (mut selector, mut twin) = (Selector::new(&family, 2), Twin::default());
    let mut seen: BTreeMap<[Walk; 2], f64> = BTreeMap::new();
    for index in 0..count {
        twins.draw(&mut selector, index, &mut story, &mut twin);
        *seen.entry([walk_of(&story), walk_of(&twin.story)]).or_default() += 1.0;
    }
    assert!(
        expected.len() > 100 && seen.keys().all(|pair| expected.contains_key(pair)),
        "{}",
        expected.len()
    );
    let all: f64 = expected.values().sum();
    let of_all = |part: &f64| part / all * f64::from(count as u32);
    let terms = expected.iter().map(|(pair, part)| {
        let wanted = of_all(part);
        (seen.get(pair).copied().unwrap_or(0.0) - wanted).powi(2) / wanted
    });
    let (chi_square, freedom) = (terms.sum::<f64>(), (expected.len() - 1) as f64);
    // How likely stories are is counted, too.
    assert!(chi_square < 1.4 * freedom + 5.0 * (2.0 * freedom).sqrt(), "{chi_square} of {freedom}");
}

#[test]
fn a_pair_follows_from_its_index() {
    let board = board(
        "storysim: 1\nname: walk\ncharacters: {pool: people, count: 4}\nroles: [S, T]\nplaces: {complete: [a, b, c]}\nstart: a\n\
         horizon: 20\nbalance: {answer: uniform, own_place: 1/3}\nquestions: [belief: [S, T]]\n",
    );
    let (family, again) = (family_with_twins(&board), family_with_twins(&board));
    let mut one = (Selector::new(&family, 7), Twins::new(&board, &family, 7).unwrap());
    let mut other = (Selector::new(&again, 7), Twins::new(&board, &again, 7).unwrap());
    let (mut pair, mut same) = <((Story, Twin), (Story, Twin))>::default();
    for index in 0..200 {
        one.1.draw(&mut one.0, index, &mut pair.0, &mut pair.1);
        if index % 7 == 3 {
            other.1.draw(&mut other.0, index, &mut same.0, &mut same.1);
            assert_eq!(pair, same);
        }
    }
}

/// The bytes are a promise. If they change on purpose, say so in CHANGELOG.md.
#[test]
fn the_same_pairs_for_ever() {
    let board = board(
        "storysim: 1\nname: walk\ncharacters: {pool: people, count: 4}\nroles: [S, T]\nplaces: {complete: [a, b, c, d]}\nstart: a\n\
         horizon: 24\nbalance: {answer: uniform, answer_recency: 0..3}\nquestions: [belief: [S, T]]\n",
    );
    let family = family_with_twins(&board);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default()).with_twins(&board);
    let mut rows = String::new();
    for index in (0..20).chain([1_000_000]) {
        maker.rows(index, &mut rows);
    }
    assert_eq!(blake3::hash(rows.as_bytes()).to_hex()[..16], *"e6dccbed4b2ec951");
}

#[test]
fn what_cannot_be_had_is_said() {
    for (balance, expected) in [
        // Where both know, both answer with where the target is.
        ("{false_belief: 0}", "stories has a twin that `balance` allows"),
        // Nor can either of two different answers be in more than a half.
        ("{answer: {a: 0.9, b: 0.1}}", "these shares cannot be met with twins: `answer` stays off by 0.4"),
        // Of two different answers one at most is that.
        ("{last_place: 3/4}", "these shares cannot be met with twins: `last_place` stays off by 0.2"),
    ] {
        let board = board(&format!(
            "storysim: 1\nname: walk\ncharacters: {{pool: people, count: 4}}\nroles: [S, T]\nplaces: {{complete: [a, b, c]}}\n\
             start: a\nhorizon: 20\nbalance: {balance}\nquestions: [belief: [S, T]]\n"
        ));
        let problem = admit_twins(&board, family(&board)).unwrap_err();
        assert!(problem.message.contains(expected), "{balance}: {}", problem.message);
    }
}
