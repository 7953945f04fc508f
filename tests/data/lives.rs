//! Stories by lives are drawn as is promised: what is announced, who hears it, who goes where.
//!
//! Theorem 2: the main character's walk alone says nothing of which announcement she hears last, nor does the teller's. Tiny boards
//! are written out, with every way in which they can be drawn; and in stories that are drawn, neither walk depends on what is heard
//! last.

use std::collections::BTreeMap;

use statrs::distribution::{ChiSquared, ContinuousCDF};
use storysim::compile::compile;
use storysim::plan::Plan;
use storysim::question::{AtEnd, CoursePlan};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::BUILT_IN;
use storysim::world::{Act, Case, Value};

use crate::storyboards::board;

/// Calls something with each way in which a scenario can be drawn: which announcement is heard last, if any (else their number); where the
/// main character and the teller are at each; and how many of equally likely ways that is.
fn written_out(turns: usize, places: usize, mut each: impl FnMut(usize, &[usize], &[usize], u64)) {
    for last in 0..=turns {
        let earlier = if last < turns { last } else { 0 };
        for mask in 0..1_u32 << earlier {
            let hears = |turn: usize| last < turns && (turn == last || turn < last && mask >> turn & 1 == 1);
            // An earlier announcement is heard with chance 1/2: of 2^turns ways, as many as are left.
            let of_mask = 1_u64 << (turns - earlier);
            let mut walks = vec![(Vec::new(), Vec::new(), of_mask)];
            for turn in 0..turns {
                let mut longer = Vec::new();
                for (hers, tellers, ways) in &walks {
                    for teller in 0..places {
                        for her in 0..places {
                            // In the teller's place, or in one of the others.
                            let of_place = match (hears(turn), her == teller) {
                                (true, true) => places as u64 - 1,
                                (false, false) => 1,
                                _ => continue,
                            };
                            let (mut hers, mut tellers): (Vec<usize>, Vec<usize>) =
                                (hers.clone(), tellers.clone());
                            hers.push(her);
                            tellers.push(teller);
                            longer.push((hers, tellers, ways * of_place));
                        }
                    }
                }
                walks = longer;
            }
            walks.iter().for_each(|(hers, tellers, ways)| each(last, hers, tellers, *ways));
        }
    }
}

/// How many ways the best guess is right of what is heard last, for somebody who sees what these keys are made from, and how many
/// ways there are.
fn best_guess<K: Ord>(ways: BTreeMap<(K, usize), u64>) -> [u64; 2] {
    let all = ways.values().sum();
    let mut best: BTreeMap<K, u64> = BTreeMap::new();
    for ((key, _), ways) in ways {
        let best = best.entry(key).or_default();
        *best = ways.max(*best);
    }
    [best.into_values().sum(), all]
}

#[test]
fn either_walk_alone_says_nothing_and_both_say_all() {
    for (turns, places) in [1, 2, 3, 4].into_iter().flat_map(|turns| [2, 3].map(|places| (turns, places))) {
        let (mut hers, mut tellers, mut both) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        written_out(turns, places, |last, her, teller, ways| {
            *hers.entry((her.to_vec(), last)).or_default() += ways;
            *tellers.entry((teller.to_vec(), last)).or_default() += ways;
            *both.entry(([her.to_vec(), teller.to_vec()], last)).or_default() += ways;
        });
        let lives = turns as u64 + 1;
        for [right, all] in [best_guess(hers), best_guess(tellers)] {
            assert_eq!(right * lives, all, "{turns} turns, {places} places");
        }
        let [right, all] = best_guess(both);
        assert_eq!(right, all, "{turns} turns, {places} places");
    }
}

/// The built-in board, with words of its text replaced.
fn replaced(words: &[(&str, &str)]) -> Plan {
    let built_in = BUILT_IN.iter().find(|board| board.name == "dynamic-minds").unwrap();
    let text = words.iter().fold(built_in.text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    compile(&board(&text), &[]).unwrap().plan
}

/// The built-in board, for one scenario with so many turns and places.
fn plan(turns: usize, places: usize) -> Plan {
    let (turns, places) = (format!("turns: {turns}"), format!("complete: {places}"));
    replaced(&[("\"n\": 5", "\"n\": 1"), ("turns: 4", &turns), ("complete: 3", &places)])
}

/// What is seen of a story: which announcement is heard last, where somebody is at each, and at which steps she goes.
fn seen(plan: &Plan, story: &Story) -> (usize, [(Vec<usize>, Vec<usize>); 2]) {
    let lives = plan.lives().unwrap();
    let mut at = story.trace.start.clone();
    let mut last = lives.turns;
    let mut walks = [(); 2].map(|()| (Vec::new(), Vec::new()));
    let mut turn = 0;
    for (step, (event, deed)) in story.trace.events.iter().zip(&story.trace.deeds).enumerate() {
        let both = [lives.whose, lives.by];
        if matches!(deed.act, Act::Turn(_)) {
            for (walk, who) in walks.iter_mut().zip(both) {
                walk.0.push(at[who.index()].index());
            }
            if at[lives.whose.index()] == at[lives.by.index()] {
                last = turn;
            }
            turn += 1;
        } else {
            at[event.who.index()] = event.to;
            for (walk, _) in walks.iter_mut().zip(both).filter(|(_, who)| *who == event.who) {
                walk.1.push(step);
            }
        }
    }
    (last, walks)
}

/// How likely it is that rows are as unlike each other as these, if nothing depends on the row: χ² with the columns that have enough.
fn independence(counts: &BTreeMap<(usize, Vec<usize>), u64>, rows: usize) -> f64 {
    let (mut of_row, mut of_column) = (vec![0.0; rows], BTreeMap::<&Vec<usize>, f64>::new());
    for ((row, column), &count) in counts {
        of_row[*row] += count as f64;
        *of_column.entry(column).or_default() += count as f64;
    }
    let all: f64 = of_row.iter().sum();
    let enough: Vec<_> = of_column.into_iter().filter(|(_, count)| *count >= 10.0 * rows as f64).collect();
    let mut chi_squared = 0.0;
    for (column, of_column) in &enough {
        for (row, of_row) in of_row.iter().enumerate() {
            let count = counts.get(&(row, (*column).clone())).map_or(0.0, |count| *count as f64);
            let expected = of_row * of_column / all;
            chi_squared += (count - expected).powi(2) / expected;
        }
    }
    assert!(enough.len() >= 5, "{} columns", enough.len());
    ChiSquared::new(((rows - 1) * (enough.len() - 1)) as f64).unwrap().sf(chi_squared)
}

#[test]
fn walks_that_are_drawn_do_not_depend_on_what_is_heard_last() {
    for (turns, places) in [(1, 3), (2, 2), (2, 3), (3, 3), (4, 3)] {
        let plan = plan(turns, places);
        let mut simulator = Simulator::new(&plan, 5);
        let mut story = Story::default();
        let mut counts = [(); 4].map(|()| BTreeMap::new());
        let mut of_last = vec![0; turns + 1];
        for index in 0..40_000 {
            assert!(simulator.draw(index, &mut story));
            let (last, walks) = seen(&plan, &story);
            of_last[last] += 1;
            for (number, (places, steps)) in walks.into_iter().enumerate() {
                *counts[2 * number].entry((last, places)).or_default() += 1;
                *counts[2 * number + 1].entry((last, steps)).or_default() += 1;
            }
        }
        // Each announcement is the last that she hears as often as any other, and as none.
        let share = 40_000.0 / (turns + 1) as f64;
        let chi_squared: f64 = of_last.iter().map(|&count| (f64::from(count) - share).powi(2) / share).sum();
        assert!(ChiSquared::new(turns as f64).unwrap().sf(chi_squared) > 1e-4, "{of_last:?}");
        for (what, counts) in
            ["her places", "her steps", "the teller's places", "the teller's steps"].iter().zip(&counts)
        {
            let likely = independence(counts, turns + 1);
            println!("{turns} turns, {places} places, {what}: p = {likely:.3}");
            assert!(likely > 1e-4, "{turns} turns, {places} places, {what}: {likely}");
        }
    }
}

/// What is announced, in order.
fn announced(story: &Story) -> Vec<Case> {
    let case = |act: &Act| match act {
        Act::Turn(news) => match news.value {
            Value::Case(case) => Some(case),
            ref value => panic!("{value:?} is announced"),
        },
        _ => None,
    };
    story.trace.deeds.iter().filter_map(|deed| case(&deed.act)).collect()
}

/// The ends of a scenario in all lives, two by two.
fn pairs(lives: &[Vec<AtEnd>], scenario: usize) -> impl Iterator<Item = [AtEnd; 2]> {
    (0..lives.len())
        .flat_map(move |one| (0..one).map(move |other| [lives[one][scenario], lives[other][scenario]]))
}

/// Lives that are drawn think, feel and want something different each. Where it is asked for, two of them think the same side in the
/// same way, and feel otherwise, since they expected otherwise.
#[test]
fn lives_are_apart_and_the_past_matters_as_often_as_it_is_asked_for() {
    // In so many of a hundred scenarios after the first.
    let mut shares = Vec::new();
    for past in ["0", "50", "100"] {
        let plan = replaced(&[("for: S1}", &format!("for: S1, past: {past}}}"))]);
        let [courses] = &CoursePlan::all(&plan, 5)[..] else { panic!("one subject") };
        let (mut simulator, mut story) = (Simulator::new(&plan, 5), Story::default());
        let mut matters = [0; 2];
        for index in 0..200 {
            assert!(simulator.draw(index, &mut story));
            let lives = courses.courses(&story).lives;
            for scenario in 0..5 {
                let mut has_past = false;
                for [one, other] in pairs(&lives, scenario) {
                    assert_ne!(one.mood.thinks, other.mood.thinks, "story {index}, scenario {scenario}");
                    assert_ne!(one.felt.feels, other.felt.feels, "story {index}, scenario {scenario}");
                    assert_ne!(one.felt.wants, other.felt.wants, "story {index}, scenario {scenario}");
                    let both = [one, other].map(|end| end.mood.thinks.map(|case| (case.side(), case.how())));
                    has_past |= both[0].is_some() && both[0] == both[1];
                }
                matters[usize::from(scenario > 0)] += usize::from(has_past);
            }
        }
        println!("past: {past}: {matters:?} of 200 first scenarios and of 800 others");
        shares.push(matters);
    }
    let [never, half, always] = shares[..] else { panic!("three boards") };
    // After so many draws, a scenario is left as it is.
    assert!(always[1] >= 790, "{shares:?}");
    // The others are as they come.
    let expected = (never[1] + always[1]) / 2;
    assert!(never[1] < 200 && half[1].abs_diff(expected) < 60, "{shares:?}");
    // Of the first scenario, nothing is asked.
    assert!(always[0].abs_diff(never[0]) < 10 && half[0].abs_diff(never[0]) < 10, "{shares:?}");
}

/// Each life hears another announcement last, and one none; and each earlier one with chance 1/2.
#[test]
fn histories_are_those_of_all_lives() {
    for turns in [1, 4, 7] {
        let plan = replaced(&[("turns: 4", &format!("turns: {turns}"))]);
        let (mut simulator, mut story) = (Simulator::new(&plan, 5), Story::default());
        let (mut earlier, mut of) = (0, 0);
        let mut seen = std::collections::BTreeSet::new();
        for index in 0..100 {
            assert!(simulator.draw(index, &mut story));
            assert_eq!(story.lives.len(), 5 * (turns + 1));
            for scenario in story.lives.chunks(turns + 1) {
                let mut last: Vec<usize> =
                    scenario.iter().map(|life| 8 - life.leading_zeros() as usize).collect();
                earlier += scenario.iter().map(|life| life.count_ones().saturating_sub(1)).sum::<u32>();
                of += last.iter().map(|last| last.saturating_sub(1) as u32).sum::<u32>();
                last.sort_unstable();
                assert_eq!(last, (0..=turns).collect::<Vec<_>>());
                seen.insert(scenario.to_vec());
            }
        }
        println!("{turns} turns: {earlier} of {of} earlier ones are heard, {} histories", seen.len());
        assert!(turns == 1 || earlier.abs_diff(of / 2) < of / 20, "{earlier} of {of}");
        // Each scenario of each story has one of its own.
        assert!(seen.len() >= if turns == 1 { 2 } else { 450 }, "{} histories", seen.len());
    }
}

/// No announcement says what the one before said, and all that can be is announced. Those of whom something depends move where they
/// have to be, and no more; whoever else moves is somebody else. The first scenarios of a long story are those of a short one.
#[test]
fn what_is_announced_changes_and_the_others_move() {
    let plan = replaced(&[]);
    let short = replaced(&[("\"n\": 5", "\"n\": 2")]);
    let lives = *plan.lives().unwrap();
    let (mut simulator, mut of_short) = (Simulator::new(&plan, 5), Simulator::new(&short, 5));
    let (mut story, mut shorter) = (Story::default(), Story::default());
    let mut all = std::collections::BTreeSet::new();
    for index in 0..200 {
        assert!(simulator.draw(index, &mut story) && of_short.draw(index, &mut shorter));
        let cases = announced(&story);
        assert_eq!(cases.len(), 5 * lives.turns);
        assert!(cases.windows(2).all(|pair| pair[0] != pair[1]), "story {index}: {cases:?}");
        all.extend(cases);
        let mut at = story.trace.start.clone();
        let mut moved = Vec::new();
        for (step, (event, deed)) in story.trace.events.iter().zip(&story.trace.deeds).enumerate() {
            assert_eq!(at[event.who.index()], event.from, "story {index}, step {step}");
            at[event.who.index()] = event.to;
            let is_end = matches!(deed.act, Act::Turn(_));
            if is_end {
                assert_eq!((event.who, event.from), (lives.by, event.to), "story {index}, step {step}");
            } else {
                assert_ne!(event.from, event.to, "story {index}, step {step}");
                moved.push(event.who);
            }
            if is_end || (step + 1) % (5 * lives.between + lives.turns) == 0 {
                assert_eq!(moved.len(), lives.between, "story {index}, step {step}");
                for who in [lives.by, lives.whose] {
                    assert!(
                        moved.iter().filter(|mover| **mover == who).count() <= 1,
                        "story {index}, step {step}"
                    );
                }
                moved.clear();
            }
        }
        let steps = shorter.trace.events.len();
        assert_eq!(shorter.trace.events, story.trace.events[..steps], "story {index}");
        assert_eq!(shorter.trace.deeds, story.trace.deeds[..steps], "story {index}");
        assert_eq!(shorter.lives, story.lives[..shorter.lives.len()], "story {index}");
    }
    // Two sides: likely, or settled by nobody, by O or by S1; and final or not.
    assert_eq!(all.len(), 2 * 4 * 2);
}
