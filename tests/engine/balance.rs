//! Shares that a storyboard demands come out right, and nothing else is changed for their sake.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use storysim::compile::compile;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::select::{Family, Selector, admit};
use storysim::simulate::Story;
use storysim::storyboard::parse;

use crate::effort::{part, times};
use crate::storyboards::board;

const WALK: &str = "storysim: 1\nname: walk\ncharacters: {pool: people, count: 4}\nroles: [S1, S2, T]\n\
                    places: {complete: [a, b, c, d]}\nstart: a\nhorizon: 24\n";

fn family(text: &str) -> Family {
    crate::storyboards::family(&board(text))
}

/// The rows of the first question of so many stories, with their events.
fn rows(family: &Family, count: u64) -> Vec<Value> {
    let mut maker = RowMaker::new(family, 7, &[], RowOptions::WITH_EVENTS);
    let mut text = String::new();
    (0..count)
        .map(|index| {
            text.clear();
            assert!(maker.rows(index, &mut text) > 0);
            serde_json::from_str(text.lines().next().unwrap()).unwrap()
        })
        .collect()
}

fn text<'r>(row: &'r Value, name: &str) -> &'r str {
    row[name].as_str().unwrap()
}

/// Who went where, by name.
fn moves(row: &Value) -> Vec<(&str, &str)> {
    let events = row["events"].as_array().unwrap();
    events.iter().map(|event| (event[1].as_str().unwrap(), event[3].as_str().unwrap())).collect()
}

/// Where someone was, one place after another.
fn path<'r>(row: &'r Value, name: &str) -> Vec<&'r str> {
    let went = moves(row).into_iter().filter(|(who, _)| *who == name).map(|(_, place)| place);
    std::iter::once(text(row, "start")).chain(went).collect()
}

/// Where these came together, one after another.
fn meetings<'r>(row: &'r Value, names: &[&str]) -> Vec<&'r str> {
    let mut places: BTreeMap<&str, &str> = names.iter().map(|name| (*name, text(row, "start"))).collect();
    let mut found = Vec::new();
    for (who, to) in moves(row) {
        if let Some(place) = places.get_mut(who) {
            *place = to;
            if places.values().all(|place| *place == to) {
                found.push(to);
            }
        }
    }
    found
}

/// The place that stands there most often, if it is one.
fn most<'r>(places: &[&'r str]) -> Option<&'r str> {
    let count = |place: &&str| places.iter().filter(|other| *other == place).count();
    let largest = places.iter().map(count).max()?;
    let first = places.iter().find(|place| count(place) == largest)?;
    places.iter().all(|place| place == first || count(place) < largest).then_some(*first)
}

fn least<'r>(all: &[&'r str], places: &[&str]) -> Option<&'r str> {
    let count = |place: &&str| places.iter().filter(|other| *other == place).count();
    let smallest = all.iter().map(count).min()?;
    let mut found = all.iter().filter(|place| count(place) == smallest);
    found.next().copied().filter(|_| found.next().is_none())
}

/// What each shortcut answers, worked out from the row alone.
fn shortcuts(row: &Value) -> BTreeMap<&'static str, Option<&str>> {
    let chain: Vec<&str> =
        row["chain"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let (target, own) = (text(row, "about"), chain[0]);
    let (its, hers) = (path(row, target), path(row, own));
    let everyone: Vec<&str> = chain.iter().copied().chain([target]).collect();
    let nth_last = |places: &[&'static str], at: usize| -> Option<&'static str> {
        places.len().checked_sub(at + 1).map(|at| places[at])
    };
    // Rows outlive this function in the tests.
    let stay = |places: Vec<&str>| -> Vec<&'static str> {
        places
            .into_iter()
            .map(|place| ["a", "b", "c", "d"].into_iter().find(|known| *known == place).unwrap())
            .collect()
    };
    let (its, hers) = (stay(its), stay(hers));
    let common = stay(meetings(row, &everyone));
    let met = stay(meetings(row, &[own, target]));
    let inner = stay(meetings(row, &[chain[chain.len() - 1], target]));
    let named = stay(moves(row).into_iter().map(|(_, place)| place).collect());
    let of_question = moves(row).into_iter().filter(|(who, _)| everyone.contains(who));
    let of_question = stay(of_question.map(|(_, place)| place).collect());
    let everywhere: BTreeMap<&str, &str> = moves(row).into_iter().collect();
    // Four people; who never moved is still where all started.
    let ends = stay(everywhere.values().copied().chain(vec!["a"; 4 - everywhere.len()]).collect());
    // Where one is when the other has moved last.
    let then = |one: &str, other: &str| {
        let last = moves(row).iter().rposition(|(who, _)| *who == other)?;
        let before = moves(row)[..=last].iter().rev().find(|(who, _)| *who == one).map(|(_, place)| *place);
        Some(before.unwrap_or(text(row, "start")))
    };
    let all = ["a", "b", "c", "d"];
    BTreeMap::from([
        ("last_place", nth_last(&its, 0)),
        ("second_last_place", nth_last(&its, 1)),
        ("third_last_place", nth_last(&its, 2)),
        ("fourth_last_place", nth_last(&its, 3)),
        ("fifth_last_place", nth_last(&its, 4)),
        ("sixth_last_place", nth_last(&its, 5)),
        ("first_place", its.get(1).copied()),
        ("start_place", Some("a")),
        ("usual_place", most(&its)),
        ("least_usual_place", least(&all, &its)),
        ("first_common_place", common.first().copied()),
        ("last_common_place", common.last().copied()),
        ("second_last_common_place", nth_last(&common, 1)),
        ("last_common_or_start", common.last().copied().or(Some("a"))),
        ("first_meeting_place", met.first().copied()),
        ("last_meeting_place", met.last().copied()),
        ("second_last_meeting_place", nth_last(&met, 1)),
        ("last_inner_meeting_place", inner.last().copied()),
        ("own_place", nth_last(&hers, 0)),
        ("own_second_last_place", nth_last(&hers, 1)),
        ("own_first_place", hers.get(1).copied()),
        ("own_usual_place", most(&hers)),
        ("own_place_then", then(own, target).map(|place| stay(vec![place])[0])),
        ("place_at_own_last_move", then(target, own).map(|place| stay(vec![place])[0])),
        ("last_move_of_any", of_question.last().copied()),
        ("first_named", named.first().copied()),
        ("most_visited_place", most(&named)),
        ("least_visited_place", least(&all, &named)),
        ("crowd", most(&ends)),
        ("lower_order", row["foils"]["lower_order"].as_str().map(|place| stay(vec![place])[0])),
    ])
}

/// Holds a share among so many rows against the one that is wanted: within five standard errors, and a point for the pilots.
fn assert_share(what: &str, count: usize, all: usize, wanted: f64) {
    let share = count as f64 / all as f64;
    let error = (wanted * (1.0 - wanted) / all as f64).sqrt();
    assert!((share - wanted).abs() < 5.0 * error + 0.01, "{what}: {share:.4}, not {wanted:.4}");
}

#[test]
fn shares_are_as_demanded() {
    let balance = "balance: {answer: uniform, answer_rank: 0..3, false_belief: 3/4, order_gap: 0.5, votes: uniform, shortcuts: 1/4}\n";
    // Of these one is named apart.
    let balance = balance.replace("shortcuts", "own_place: 0.1, shortcuts");
    let family = family(&format!("{WALK}{balance}questions: [{{belief: [S1, S2, T]}}, {{reality: T}}]\n"));
    let rows = rows(&family, times(1_000));
    let share = |what: &str, wanted: f64, is_so: &dyn Fn(&Value) -> bool| {
        assert_share(what, rows.iter().filter(|row| is_so(row)).count(), rows.len(), wanted);
    };
    for place in ["a", "b", "c", "d"] {
        share(place, 0.25, &|row| row["answer"] == place);
    }
    for rank in 0..4 {
        share("rank", 0.25, &|row| {
            let its = path(row, text(row, "about"));
            its.iter().rev().position(|place| row["answer"] == *place) == Some(rank)
        });
    }
    share("false belief", 0.75, &|row| row["false_belief"] == true);
    let known: Vec<&Value> = rows.iter().filter(|row| !row["foils"]["lower_order"].is_null()).collect();
    let gaps = known.iter().filter(|row| row["foils"]["lower_order"] != row["answer"]).count();
    assert_share("order gap", gaps, known.len(), 0.5);
    let named: Vec<_> = rows.iter().map(shortcuts).collect();
    for name in named[0].keys().filter(|name| **name != "lower_order") {
        let wanted = if *name == "own_place" { 0.1 } else { 0.25 };
        let answers = || rows.iter().zip(&named).filter_map(|(row, named)| Some((row, named[name]?)));
        let answered = answers().count();
        assert!(answered > rows.len() / 4, "{name} answers {answered} times");
        let right = answers().filter(|(row, place)| row["answer"] == *place).count();
        assert_share(name, right, answered, wanted);
    }
    let mut standings = [0; 4];
    for (row, named) in rows.iter().zip(&named) {
        let index = row["index"].as_u64().unwrap() as usize;
        let standing_of = |place: usize| {
            let name = ["a", "b", "c", "d"][place];
            (named.values().filter(|named| **named == Some(name)).count(), (place + index % 4) % 4)
        };
        let own = (0..4).find(|&place| row["answer"] == ["a", "b", "c", "d"][place]).unwrap();
        standings[(0..4).filter(|&other| standing_of(other) > standing_of(own)).count()] += 1;
    }
    for count in standings {
        assert_share("votes", count, rows.len(), 0.25);
    }
}

/// By the places of the target alone, each is the answer as often.
#[test]
fn how_lately_the_target_was_there_says_nothing() {
    let balance = "balance: {answer: uniform, answer_recency: 0..3, order_gap: 3/4}";
    let family = family(&format!("{WALK}{balance}\nquestions: [{{belief: [S1, S2, T]}}]\n"));
    let rows = rows(&family, times(1_000));
    for recency in 0..4 {
        let is_so = |row: &&Value| {
            let its = path(row, text(row, "about"));
            let after = its.iter().rev().take_while(|place| row["answer"] != **place);
            after.collect::<BTreeSet<_>>().len() == recency
        };
        assert_share("recency", rows.iter().filter(is_so).count(), rows.len(), 0.25);
    }
}

#[test]
fn evidence_lies_where_it_is_to() {
    let balance = "balance: {evidence_position: {early: 0.2, middle: 0.3, late: 0.5}}";
    let family = family(&format!("{WALK}{balance}\nquestions: [belief: [S1, T]]\n"));
    let rows = rows(&family, 2_000);
    for (third, wanted) in [0.2, 0.3, 0.5].into_iter().enumerate() {
        let is_there = |row: &&Value| {
            let last = row["evidence"].as_array().unwrap().last().map_or(0, |step| step.as_u64().unwrap());
            (last * 3 / 24) as usize == third
        };
        assert_share("third", rows.iter().filter(is_there).count(), rows.len(), wanted);
    }
}

#[test]
fn a_story_follows_from_its_index() {
    let family = family(&format!(
        "{WALK}balance: {{answer: uniform, own_place: 1/2}}\nquestions: [belief: [S1, T]]\n"
    ));
    let again = family.clone();
    let (mut one, mut other) = (Selector::new(&family, 7), Selector::new(&again, 7));
    let (mut story, mut same) = (Story::default(), Story::default());
    let mut attempts = 0;
    for index in 0..300 {
        attempts += one.draw(index, &mut story);
        if index % 7 == 3 {
            other.draw(index, &mut same);
            assert_eq!(story, same);
        }
    }
    let kept = family.weights().stories.as_ref().unwrap().kept;
    let expected = 300.0 / kept;
    assert!((attempts as f64 / expected - 1.0).abs() < 0.25, "{attempts}, not {expected}");
}

/// Among stories that agree in what is balanced, each is as likely as in free play: here, all are.
#[test]
fn nothing_else_is_changed() {
    let text = "storysim: 1\nname: tiny\ncharacters: {pool: [Ann, Bob]}\nroles: [S, T]\nplaces: {complete: [a, b, c]}\n\
                start: a\nhorizon: 4\nbalance: {answer: {a: 0.5, b: 0.2, c: 0.3}, false_belief: 0.6}\nquestions: [belief: [S, T]]\n";
    let family = family(text);
    let mut selector = Selector::new(&family, 1);
    let mut asker = storysim::question::Asker::new(&family.plans()[0], 1);
    let mut story = Story::default();
    // Of each group, how often each of its stories was drawn.
    let mut groups: BTreeMap<_, BTreeMap<Vec<_>, u32>> = BTreeMap::new();
    let count = 60_000;
    for index in 0..count {
        selector.draw(index, &mut story);
        let answered = &asker.ask(&story)[0];
        let events = story.trace.events.iter().map(|event| (event.who, event.to)).collect();
        *groups.entry((answered.answer, answered.false_belief)).or_default().entry(events).or_default() += 1;
    }
    let stories: usize = groups.values().map(BTreeMap::len).sum();
    assert!((100..=256).contains(&stories), "{stories} of 256; unknown ones are not among them");
    let mut answers = BTreeMap::new();
    for ((answer, _), group) in &groups {
        let drawn: u32 = group.values().sum();
        *answers.entry(*answer).or_insert(0) += drawn;
        let expected = f64::from(drawn) / group.len() as f64;
        let chi_square: f64 =
            group.values().map(|&times| (f64::from(times) - expected).powi(2) / expected).sum();
        let freedom = (group.len() - 1) as f64;
        // Five standard deviations of chi-square.
        assert!(chi_square < freedom + 5.0 * (2.0 * freedom).sqrt() + 1.0, "{chi_square} of {freedom}");
    }
    for (drawn, wanted) in answers.values().zip([0.5, 0.2, 0.3]) {
        assert_share("answer", *drawn as usize, count as usize, wanted);
    }
}

#[test]
fn things_and_statements_are_balanced_too() {
    let things = "storysim: 1\nname: things\ncharacters: {pool: people, count: 3}\nroles: [A, B]\n\
                  places: {hall: [yard], yard: [hall]}\nstart: hall\ncontainers: {box: hall, bag: hall, jar: hall}\n\
                  objects: {plum: {in: [box, bag, jar]}}\nplay: {move: 2, move_object: 3}\nhorizon: 12\n\
                  balance: {answer: uniform, answer_rank: {0: 1/2, 1: 1/2}, own_place: 0, start_place: 1/3}\n\
                  questions: [belief: [A, plum]]\n";
    let family = family(things);
    let rows = rows(&family, 1_500);
    for container in ["box", "bag", "jar"] {
        let count = rows.iter().filter(|row| row["answer"] == container).count();
        assert_share(container, count, rows.len(), 1.0 / 3.0);
    }
    let at_rank = |row: &&Value| {
        let moved = row["events"].as_array().unwrap().iter().filter(|event| event[2] == "move_object");
        let after = moved.rev().position(|event| event[4] == row["answer"]);
        after == Some(0)
    };
    // Where it never was moved, the rank is 0 as well.
    let never =
        |row: &&Value| row["events"].as_array().unwrap().iter().all(|event| event[2] != "move_object");
    let last = rows.iter().filter(|row| at_rank(row) || never(row)).count();
    assert_share("rank 0", last, rows.len(), 0.5);
}

/// What sentences name last is read off the sentences here.
#[test]
fn what_is_said_last_is_balanced_too() {
    let places = ["kitchen", "garden", "attic", "cellar"];
    let talk = "storysim: 1\nname: talk\ncharacters: {pool: people, count: 3}\nroles: [A, B]\n\
                places: {complete: [kitchen, garden, attic, cellar]}\nstart: attic\nobjects: {violin: attic}\n\
                play: {move: 2, carry: 1, throw: 1, tell: 1, lie: 1}\nhorizon: 14\n\
                balance: {last_named_with_her: 1/4, last_named_with_target: 1/5, last_named_with_both: 0.3, last_named_with_inner: 0.28}\n\
                questions: [belief: [A, B, violin]]\n";
    let family = family(talk);
    let rows = rows(&family, 2_500);
    let named_with = |row: &Value, is_about: &dyn Fn(&str) -> bool| {
        let sentences = text(row, "story").split(". ").filter(|sentence| is_about(sentence));
        let named = sentences.filter_map(|sentence| {
            sentence.trim_end_matches('.').rsplit(' ').find(|word| places.contains(word)).map(str::to_owned)
        });
        named.last()
    };
    for (name, share) in [("her", 0.25), ("target", 0.2), ("both", 0.3), ("inner", 0.28)] {
        let named: Vec<(Option<String>, &Value)> = rows
            .iter()
            .map(|row| {
                let is_of = |role: &str, sentence: &str| {
                    sentence.starts_with(&format!("{} ", text(&row["cast"], role)))
                };
                let is_about = |sentence: &str| match name {
                    "her" => is_of("A", sentence),
                    "both" => is_of("A", sentence) && sentence.contains("the violin"),
                    "inner" => is_of("B", sentence) && sentence.contains("the violin"),
                    _ => sentence.contains("the violin"),
                };
                (named_with(row, &is_about), &row["answer"])
            })
            .filter(|(named, _)| named.is_some())
            .collect();
        let right = named.iter().filter(|(named, answer)| named.as_deref() == answer.as_str()).count();
        assert!(named.len() > 1_000, "{}", named.len());
        assert_share(name, right, named.len(), share);
    }
}

/// The bytes are a promise. If they change on purpose, say so in CHANGELOG.md.
#[test]
fn the_same_rows_for_ever() {
    let balance = "balance: {answer: uniform, answer_rank: 0..3, votes: uniform, own_place: 1/4}";
    let family = family(&format!("{WALK}{balance}\nquestions: [belief: [S1, T]]\n"));
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    let mut rows = String::new();
    for index in (0..20).chain([1_000_000]) {
        maker.rows(index, &mut rows);
    }
    assert_eq!(blake3::hash(rows.as_bytes()).to_hex()[..16], *"ae5d8286e7c589b3");
}

fn problems(text: &str) -> Vec<String> {
    let board = match parse(Source { name: "test".into(), text: text.into() }) {
        Ok(board) => board,
        Err(broken) => return broken.problems.into_iter().map(|problem| problem.message).collect(),
    };
    match compile(&board, &[]) {
        Ok(compiled) => {
            admit(&board, vec![compiled.plan]).err().into_iter().map(|problem| problem.message).collect()
        }
        Err(problems) => problems.into_iter().map(|problem| problem.message).collect(),
    }
}

/// A share of something that is not known is told once: without it the others do not sum up, which is no mistake of their own.
#[test]
fn one_mistake_is_told_once() {
    for balance in [
        "{answer: {a: 1/2, z: 1/2}}",
        "{answer_rank: {0: 1/2, x: 1/2}}",
        "{evidence_position: {soon: 1}}",
        "{answer: {a: 1/2, b: huh}}",
        "{answer: {a: 1/2, a: 1/2}}",
    ] {
        let said = problems(&format!("{WALK}balance: {balance}\nquestions: [{{belief: [S1, T]}}]\n"));
        assert_eq!(said.len(), 1, "{balance}: {said:?}");
    }
}

#[test]
fn what_cannot_be_had_is_said() {
    let with = |balance: &str, questions: &str| {
        problems(&format!("{WALK}balance: {balance}\nquestions: [{questions}]\n")).join(" | ")
    };
    let belief = "{belief: [S1, T]}";
    let second = "{belief: [S1, S2, T]}";
    for (balance, questions, expected) in [
        ("{answr: uniform}", belief, "`answr` cannot be balanced"),
        ("{answer: 1/6}", belief, "`answer` takes `uniform`, or a map"),
        ("{answer: {a: 1/2, b: 1/3}}", belief, "add up to 1"),
        ("{answer: {a: 1/2, z: 1/2}}", belief, "`z`"),
        ("{answer_rank: 5..2}", belief, "write a range as `0..5`"),
        ("{answer_rank: {x: 1}}", belief, "this has to be a number"),
        ("{answer: {a: 1/2, a: 1/2}}", belief, "the key `a` is given twice"),
        ("{answer_rank: {0..3: 1/2, 3..5: 1/2}}", belief, "two of these shares are of the same value"),
        ("{answer_rank: -1}", belief, "this is neither a share nor a number"),
        ("{answer_rank: [0, 1]}", belief, "shares are a single value or a map"),
        ("{own_place: }", belief, "shares are a single value or a map"),
        ("{own_place: 7/6}", belief, "this is neither a share nor a number"),
        ("{answer: {a: 7/6}}", belief, "this is not a share"),
        ("{own_place: uniform}", belief, "takes one share"),
        ("{evidence_position: {soon: 1}}", belief, "`early`, in the `middle` or `late`"),
        ("{order_gap: 1/2}", belief, "`order_gap` cannot be balanced here"),
        ("{question: 2, answer: uniform}", belief, "there is no question 2"),
        ("{answer: uniform}", "{reality: T}", "only a question `belief`"),
        ("{}", belief, "`balance` is empty"),
        ("{false_belief: 0, last_place: 0}", belief, "stories is one that `balance` allows"),
        ("{false_belief: 1/2, last_place: 0.9}", belief, "these shares cannot all be met together"),
        ("{answer_rank: {15: 1}}", second, "of "),
    ] {
        let said = with(balance, questions);
        assert!(said.contains(expected), "{balance}: {said}");
    }
    let long = format!(
        "{}balance: {{answer: uniform}}\nquestions: [{belief}]\n",
        WALK.replace("horizon: 24", "horizon: 5000")
    );
    assert!(problems(&long).join("").contains("may have 4194 steps, but these have 5000"));
}

/// What has a share, and is so in no story, is named: ranges of numbers, beside others.
#[test]
fn shares_of_what_no_story_has_are_named() {
    let refused = [
        ("{answer_rank: {0: 1/2, 150: 1/4, 170..300: 1/4}}", &[" has 150 or 170 to 300"][..]),
        ("{answer_rank: 0..1000}", &[" to 1000"]),
        ("{updates: {0..2: 1/2, 500..: 1/2}, false_belief: 1/2}", &[" has 500 to 1000"]),
        ("{updates: {0: 1/2, 500: 1/2}, answer_rank: {0: 1/2, 90: 1/2}}", &[" has 500", " has 90"]),
    ];
    for (balance, expected) in part(refused, 0, 2) {
        // Walks are short, since all pilots are drawn each time.
        let walk = WALK.replace("24", "10");
        let text = format!("{walk}balance: {balance}\nquestions: [{{belief: [S1, T]}}]\n");
        let board = parse(Source { name: "test".into(), text }).unwrap();
        let problem = admit(&board, vec![compile(&board, &[]).unwrap().plan]).unwrap_err();
        assert_eq!(problem.message, "these shares are of values that no story has", "{balance}");
        let labels: Vec<&str> = problem.labels.iter().map(|(_, label)| label.as_str()).collect();
        let is_said = labels.iter().zip(expected).all(|(label, part)| label.contains(part));
        assert!(labels.len() == expected.len() && is_said, "{balance}: {labels:?}");
    }
}
