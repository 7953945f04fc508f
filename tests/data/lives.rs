//! Theorem 2: in stories by lives, the main character's walk alone says nothing of which announcement she hears last, nor does the
//! teller's. Tiny boards are written out, with every way in which they can be drawn; and in stories that are drawn, neither walk
//! depends on what is heard last.

use std::collections::BTreeMap;

use statrs::distribution::{ChiSquared, ContinuousCDF};
use storysim::compile::compile;
use storysim::plan::Plan;
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::BUILT_IN;
use storysim::world::Act;

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

/// The built-in board, for one scenario with so many turns and places.
fn plan(turns: usize, places: usize) -> Plan {
    let text = BUILT_IN.iter().find(|board| board.name == "dynamic-minds").unwrap().text();
    let text = text.replace("\"n\": 5", "\"n\": 1").replace("turns: 4", &format!("turns: {turns}"));
    compile(&board(&text.replace("complete: 3", &format!("complete: {places}"))), &[]).unwrap().plan
}

/// Where somebody is at each announcement, and the steps at which she goes.
type Walk = (Vec<usize>, Vec<usize>);

/// What is seen of a story: which announcement is heard last, where somebody is at each, and at which steps she goes.
fn seen(plan: &Plan, story: &Story) -> (usize, [Walk; 2]) {
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
    assert!(enough.len() > 1, "{} columns", enough.len());
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
