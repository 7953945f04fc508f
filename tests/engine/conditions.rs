//! Every verb and every goal, alone and in pairs, against brute force on tiny boards.
//!
//! All walks are tried, each with its probability under free play; `check`, which knows nothing of tables,
//! says which of them count. The probability of all that count is the plan's; stories are drawn in
//! proportion to it.

use std::collections::BTreeMap;

use proptest::prelude::*;
use storysim::check::{Claim, check};
use storysim::compile::{coincidence, compile};
use storysim::select::{Admitted, Selector, admit};
use storysim::simulate::Story;
use storysim::storyboard::{Storyboard, Verb, When};
use storysim::survey::{Estimate, Survey, survey};

use crate::effort::{part, times};
use crate::storyboards::board;

/// How many stories of each board are drawn.
fn draws() -> u64 {
    times(5_000)
}

/// Uneven degrees, a way that leads one way only.
const MAP: &str = "{a: [b, c], b: [a, c], c: [a]}";
const CHARACTERS: [&str; 3] = ["x", "y", "z"];
const HORIZON: usize = 5;

const VERBS: [&str; 9] = [
    "{at: 3, move: {who: B, to: p}}",
    "{at: 2, meet: {who: [A, B], in: p}}",
    "{at: 2, meet: {who: [A, B]}}",
    "{from: 0, until: 2, idle: [A]}",
    "{from: 1, until: 4, apart: [A, B]}",
    "{from: 2, until: 4, together: [A, B]}",
    "{from: 0, until: 4, unseen: {who: B, by: [A]}}",
    "{from: 1, until: 5, avoid: {who: A, place: p}}",
    "{from: 1, until: 4, follow: {who: A, whom: B}}",
];

const GOALS: [&str; 9] = [
    "{holds: [A, B], in: p}",
    "{false_belief: [A, B]}",
    "{true_belief: [B, A]}",
    "{differs: [[A, B], [C, B]]}",
    "{unknown: [A, B]}",
    "{mislead_distance: [A, B], is: 0}",
    "{mislead_distance: [C, B], within: [1, 3]}",
    "{false_belief: [A, C, B]}",
    "{differs: [[A, C, B], [C, B]]}",
];

fn board_of(events: &[&str], goals: &[&str]) -> Storyboard {
    let list = |key: &str, entries: &[&str]| match entries {
        [] => String::new(),
        _ => format!("{key}:\n{}", entries.iter().map(|entry| format!("- {entry}\n")).collect::<String>()),
    };
    board(&format!(
        "storysim: 1\nname: tiny\ncharacters: {{pool: [{}]}}\nroles: [A, B, C]\nplaces: {MAP}\n\
         start: {{A: a, else: b}}\nbind: {{p: {{not: a}}}}\nhorizon: {HORIZON}\n{}{}",
        CHARACTERS.join(", "),
        list("events", events),
        list("ensure", goals)
    ))
}

/// Who goes where, by name, step by step.
type Walk = Vec<(&'static str, &'static str, &'static str)>;

/// Every walk of the tiny map that satisfies a board under `p`, with its probability under free play.
/// Those who are idle in the board's steps 0 and 1 are given.
fn brute_force(board: &Storyboard, p: &'static str, is_idle: bool) -> BTreeMap<Walk, f64> {
    let ways = |place: &str| match place {
        "a" => &["b", "c"][..],
        "b" => &["a", "c"],
        _ => &["a"],
    };
    let start = [("x", "a"), ("y", "b"), ("z", "b")];
    let mut found = BTreeMap::new();
    let mut open: Vec<(Walk, f64)> = vec![(Vec::new(), 1.0)];
    while let Some((walk, probability)) = open.pop() {
        if walk.len() == HORIZON {
            let claim = Claim {
                parameters: std::collections::BTreeMap::new(),
                roles: [("A", "x"), ("B", "y"), ("C", "z")].into(),
                binds: [("p", p)].into(),
                start: start.to_vec(),
                events: walk.clone(),
                ..Claim::default()
            };
            if check(board, &claim).is_ok() {
                found.insert(walk, probability);
            }
            continue;
        }
        let mut places: BTreeMap<&str, &'static str> = start.into();
        walk.iter().for_each(|&(who, _, to)| {
            places.insert(who, to);
        });
        let actors = if is_idle && walk.len() < 2 { &CHARACTERS[1..] } else { &CHARACTERS };
        for &who in actors {
            let from = places[who];
            for &to in ways(from) {
                let mut longer = walk.clone();
                longer.push((who, from, to));
                open.push((longer, probability / (actors.len() * ways(from).len()) as f64));
            }
        }
    }
    found
}

/// Whether counts may come from these probabilities: Pearson's chi-square, outcomes of small expectation
/// taken together, at p = 0.00001 by Wilson and Hilferty's approximation: of some hundred boards none is to fail by chance.
fn fits(counts: &[(u64, f64)], total: u64) -> bool {
    let (mut statistic, mut degrees) = (0.0, -1.0);
    let (mut rest, mut rest_expected) = (0.0, 0.0);
    let mut add = |count: f64, expected: f64| {
        statistic += (count - expected) * (count - expected) / expected;
        degrees += 1.0;
    };
    for &(count, probability) in counts {
        let expected = probability * total as f64;
        if expected < 10.0 {
            rest += count as f64;
            rest_expected += expected;
        } else {
            add(count as f64, expected);
        }
    }
    if rest_expected > 0.0 {
        add(rest, rest_expected.max(1e-9));
    }
    let degrees: f64 = degrees;
    if degrees < 1.0 {
        return true; // there is but one outcome
    }
    let spread = 2.0 / (9.0 * degrees);
    statistic < degrees * (1.0 - spread + 4.265 * spread.sqrt()).powi(3)
}

/// Compares a board's plan with brute force. Returns whether there is one.
fn compare(events: &[&str], goals: &[&str]) -> bool {
    let board = board_of(events, goals);
    let is_idle = events.iter().any(|event| event.contains("idle"));
    let wanted: BTreeMap<&str, BTreeMap<Walk, f64>> =
        ["b", "c"].into_iter().map(|p| (p, brute_force(&board, p, is_idle))).collect();
    let possible: Vec<&str> = ["b", "c"].into_iter().filter(|p| !wanted[p].is_empty()).collect();
    let what = format!("{events:?} {goals:?}");
    let plan = match compile(&board, &[]) {
        Ok(compiled) => compiled.plan,
        Err(problems) => {
            assert!(problems[0].message.contains("nothing satisfies"), "{what}: {}", problems[0].message);
            assert!(possible.is_empty(), "{what} is refused, and is possible");
            return false;
        }
    };
    let Admitted { family, acceptance } = match admit(&board, vec![plan.clone()]) {
        Ok(admitted) => admitted,
        // What tables cannot see to may turn out to be impossible under a cast.
        Err(problem) => {
            let binds = plan.casts.iter().map(|cast| plan.place_names[cast.binds[0].index()].as_str());
            let is_impossible = binds.into_iter().any(|p| wanted[p].is_empty());
            assert!(is_impossible, "{what}: {}", problem.message);
            return false;
        }
    };
    let casts: Vec<&str> =
        plan.casts.iter().map(|cast| plan.place_names[cast.binds[0].index()].as_str()).collect();
    assert_eq!(casts, possible, "{what}");
    let total = |p: &str| wanted[p].values().sum::<f64>();
    let mean = possible.iter().map(|p| total(p)).sum::<f64>() / possible.len() as f64;
    let claimed = 10_f64.powf(plan.odds.log10_probability);
    match &acceptance {
        None => {
            assert!((claimed / mean - 1.0).abs() < 1e-12, "{what}: {claimed}, not {mean}");
            assert!(plan.goals.is_empty());
        }
        Some(acceptance) => {
            let share = acceptance.share(&family);
            assert!((claimed * share / mean - 1.0).abs() < 0.5, "{what}: {claimed} · {share}, not {mean}");
        }
    }
    type Numbers = Vec<(usize, usize)>;
    let mut counts: BTreeMap<(&str, Numbers), u64> = BTreeMap::new();
    let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
    for index in 0..draws() {
        selector.draw(index, &mut story);
        let walk = story.trace.events.iter().map(|event| (event.who.index(), event.to.index())).collect();
        *counts.entry((casts[story.cast], walk)).or_default() += 1;
    }
    let mut outcomes = Vec::new();
    for &p in &possible {
        for (walk, probability) in &wanted[p] {
            let number = |names: &[&str], name: &str| names.iter().position(|other| *other == name).unwrap();
            let walk: Numbers = walk
                .iter()
                .map(|&(who, _, to)| (number(&CHARACTERS, who), number(&["a", "b", "c"], to)))
                .collect();
            let count = counts.remove(&(p, walk)).unwrap_or(0);
            outcomes.push((count, probability / total(p) / possible.len() as f64));
        }
    }
    assert!(counts.is_empty(), "{what}: drawn, but not allowed: {counts:?}");
    assert!(fits(&outcomes, draws()), "{what}: chi-square finds another distribution");
    let survey = survey(&board, &family, acceptance.as_ref());
    compare_survey(&survey, &wanted, &possible, acceptance.is_none(), &what);
    true
}

/// The entropy of stories, and how likely two of them are the same.
fn compare_survey(
    survey: &Survey,
    wanted: &BTreeMap<&str, BTreeMap<Walk, f64>>,
    possible: &[&str],
    is_exact: bool,
    what: &str,
) {
    let mut entropy = 0.0;
    let mut texts: BTreeMap<Walk, f64> = BTreeMap::new();
    let namings = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        .map(|naming| naming.map(|at| CHARACTERS[at]));
    for p in possible {
        let total: f64 = wanted[p].values().sum();
        for (walk, probability) in &wanted[p] {
            let share = probability / total / (possible.len() * namings.len()) as f64;
            entropy -= share * namings.len() as f64 * share.log2();
            for naming in namings {
                let rename = |who| naming[CHARACTERS.iter().position(|other| *other == who).unwrap()];
                let text = walk.iter().map(|&(who, from, to)| (rename(who), from, to)).collect();
                *texts.entry(text).or_default() += share;
            }
        }
    }
    let same: f64 = texts.values().map(|share| share * share).sum();
    let Estimate { mean, standard_error } = survey.entropy_bits.expect("people only walk");
    let slack = if is_exact { 5.0 * standard_error + 1e-9 } else { 5.0 * standard_error + 0.6 };
    assert!((mean - entropy).abs() < slack, "{what}: {mean} ± {standard_error} bits, not {entropy}");
    if is_exact {
        // Of a million stories two are the same; of two, the bound says something.
        let pairs: f64 = 1e6 * (1e6 - 1.0) / 2.0;
        let bound = survey.coincidences[0];
        assert!(
            bound.stories == 1e6 && bound.log10_at_most >= (same * pairs).log10().min(0.0) - 1e-9,
            "{what}"
        );
    }
}

#[test]
fn coincidences_are_bounded_closely() {
    for (events, goals) in [
        (&[][..], &[][..]),
        (&[VERBS[0]], &[]),
        (&[VERBS[6]], &[]),
        (&[], &[GOALS[1]]),
        (&[VERBS[3]], &[GOALS[0]]),
    ] {
        let board = board_of(events, goals);
        let plan = compile(&board, &[]).unwrap().plan;
        let bound = 10_f64.powf(coincidence(&board, &[], &plan, &[]));
        let is_idle = events.iter().any(|event: &&str| event.contains("idle"));
        let mut walks = 0.0;
        for p in ["b", "c"] {
            let wanted = brute_force(&board, p, is_idle);
            let total: f64 = wanted.values().sum();
            walks += wanted.values().map(|share| (share / total).powi(2)).sum::<f64>() / 2.0;
        }
        assert!(bound >= walks * (1.0 - 1e-12), "{events:?} {goals:?}: {bound} is below {walks}");
        // What is left is that bystanders' ways are taken to be as few as anyone's.
        assert!(bound <= walks * 20.0, "{events:?} {goals:?}: {bound} is far above {walks}");
    }
}

#[test]
fn every_verb_and_goal_alone() {
    for verb in part(VERBS, 0, 1) {
        assert!(compare(&[verb], &[]), "{verb} alone is possible");
    }
    let found: Vec<bool> = part(GOALS, 0, 1).map(|goal| compare(&[], &[goal])).collect();
    assert!(found.iter().all(|&found| found), "{found:?}");
}

#[test]
fn pairs_of_verbs() {
    let mut possible = 0;
    for (at, one) in VERBS.iter().enumerate() {
        for other in &VERBS[at + 1..] {
            let are_forced = |verb: &str| verb.starts_with("{at: 2");
            if !(are_forced(one) && are_forced(other)) {
                possible += usize::from(compare(&[one, other], &[]));
            }
        }
    }
    assert!(possible >= 25, "{possible}");
}

#[test]
fn pairs_of_a_verb_and_a_goal() {
    let mut possible = 0;
    for (at, verb) in VERBS.iter().enumerate() {
        for goal in part(GOALS, at % 2, 2) {
            possible += usize::from(compare(&[verb], &[goal]));
        }
    }
    assert!(possible >= 12, "{possible}");
}

#[test]
fn pairs_of_goals() {
    let mut possible = 0;
    for (at, one) in GOALS.iter().enumerate() {
        for other in part(&GOALS[at + 1..], at % 2, 2) {
            possible += usize::from(compare(&[], &[one, other]));
        }
    }
    assert!(possible >= 3, "{possible}");
}

/// Whether any story satisfies a random tiny board, found by trying all.
fn is_possible(board: &Storyboard, map: &BTreeMap<String, Vec<String>>) -> bool {
    let horizon: usize =
        board.source.text.split("horizon: ").nth(1).unwrap().lines().next().unwrap().parse().unwrap();
    let count = board.source.text.matches('c').count();
    let characters: Vec<String> = (0..count)
        .map(|at| format!("c{at}"))
        .filter(|name| board.source.text.contains(name.as_str()))
        .collect();
    let roles: Vec<&str> = board.roles.iter().map(|role| role.value.as_str()).collect();
    let player = |role: &str| roles.iter().position(|other| *other == role).unwrap();
    let idle_at = |step: usize| -> Vec<usize> {
        let mut idle = Vec::new();
        for event in &board.events {
            if let (Verb::Hold(storysim::form::Condition::Idle { who }), When::Until(from, until)) =
                (&event.verb, &event.when)
            {
                let value = |number: &storysim::storyboard::Number| number.value.evaluate(&|_| None).unwrap();
                if (value(from)..value(until)).contains(&(step as i64)) {
                    idle.extend(who.iter().map(|role| player(&role.value)));
                }
            }
        }
        idle
    };
    let places: Vec<&str> = map.keys().map(String::as_str).collect();
    for near in &places {
        for far in &places {
            let start: Vec<(&str, &str)> = characters
                .iter()
                .enumerate()
                .map(|(at, name)| (name.as_str(), if at == 0 { "p1" } else { "p0" }))
                .collect();
            let mut open: Vec<Vec<(&str, &str, &str)>> = vec![Vec::new()];
            while let Some(walk) = open.pop() {
                if walk.len() == horizon {
                    let claim = Claim {
                        parameters: std::collections::BTreeMap::new(),
                        roles: roles
                            .iter()
                            .enumerate()
                            .map(|(at, role)| (*role, characters[at].as_str()))
                            .collect(),
                        binds: [("near", *near), ("far", *far)].into(),
                        start: start.clone(),
                        events: walk,
                        ..Claim::default()
                    };
                    if check(board, &claim).is_ok() {
                        return true;
                    }
                    continue;
                }
                let mut at: BTreeMap<&str, &str> = start.iter().copied().collect();
                walk.iter().for_each(|&(who, _, to)| {
                    at.insert(who, to);
                });
                let idle = idle_at(walk.len());
                for (number, who) in characters.iter().enumerate() {
                    if !idle.contains(&number) {
                        let from = at[who.as_str()];
                        for to in &map[from] {
                            let mut longer = walk.clone();
                            longer.push((who, from, to));
                            open.push(longer);
                        }
                    }
                }
            }
        }
    }
    false
}

/// The ways of a random board, from its text.
fn map_of(text: &str) -> BTreeMap<String, Vec<String>> {
    let lines = text.lines().filter(|line| line.starts_with("  p"));
    let way = |line: &str| {
        let (from, to) = line.trim().split_once(": ").unwrap();
        (from.to_owned(), to.trim_matches(['[', ']']).split(", ").map(str::to_owned).collect())
    };
    lines.map(way).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(60) as u32, ..ProptestConfig::default() })]

    /// A board is refused if and only if no story satisfies it; and of the demands that are then named,
    /// any one can be dropped to make the others possible, but not without dropping one.
    #[test]
    fn impossible_is_what_brute_force_does_not_find(text in crate::boards::boards(2..=3, 2..=3, 3..=4)) {
        let all = board(&text);
        let map = map_of(&text);
        match compile(&all, &[]) {
            Ok(_) => prop_assert!(is_possible(&all, &map), "nothing satisfies\n{}", text),
            Err(problems) => {
                let message = &problems[0].message;
                prop_assert!(message.contains("nothing satisfies"), "{}\n{}", message, text);
                let named: Vec<_> = problems[0].labels.iter().map(|(span, _)| *span).collect();
                let mut conflict = all.clone();
                conflict.events.retain(|event| named.contains(&event.span));
                conflict.goals.retain(|goal| named.contains(&goal.span));
                prop_assert_eq!(conflict.events.len() + conflict.goals.len(), named.len());
                prop_assert!(!is_possible(&conflict, &map), "possible: {}\n{}", message, text);
                for &span in &named {
                    let mut without = conflict.clone();
                    without.events.retain(|event| event.span != span);
                    without.goals.retain(|goal| goal.span != span);
                    prop_assert!(is_possible(&without, &map), "not smallest: {}\n{}", message, text);
                }
            }
        }
    }
}
