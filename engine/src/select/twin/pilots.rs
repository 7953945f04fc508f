//! Pilot stories with their twins: always the same ones, whatever the seed.

use std::ops::Range;

use super::pairs::{Known, Pilot};
use super::same::Same;
use super::{Twin, Twins, cost};
use crate::select::balance::{MISFIT_MAX, Weights};
use crate::select::cores::in_chunks;
use crate::select::family::{Family, PILOT};
use crate::select::selector::Selector;
use crate::simulate::Story;
use crate::storyboard::Storyboard;

/// The largest number of stories that are looked at first.
const PILOTS_MAX: usize = 12_000;

/// The smallest number of stories that are looked at first.
const PILOTS_MIN: usize = 2_000;

/// Roughly the most that the first stories may cost: a unit for every event that is followed, and for what has to be followed then.
const PILOT_COST_MAX: f64 = (1_u64 << 28) as f64;

/// If the first stories give fewer kept pairs than this, as many more are looked at as should be needed. The more pairs,
/// the closer the shares come to what they should be.
const KEPT_ENOUGH: f64 = 800.0;

/// The largest number of stories that are looked at in all, as a multiple of the first ones.
const MORE_PILOTS: f64 = 6.0;

/// The cost of an attempt at a story that is not kept, as a fraction of the cost of following a story.
const ATTEMPT_COST: f64 = 0.125;

/// The number of stories that one thread looks at in a row.
const CHUNK: u64 = 64;

/// How many stories are looked at first, given for how many changes of each it is tried whether they make a twin.
pub fn number_of(family: &Family, of_stories: &Weights, tries: usize) -> u64 {
    let cost = family.plans().iter().map(cost).max().expect("there is one") as f64;
    let attempts = 1.0 / of_stories.kept.max(f64::MIN_POSITIVE);
    let cost_of_story = cost * (tries as f64 + attempts * ATTEMPT_COST);
    ((PILOT_COST_MAX / cost_of_story) as usize).clamp(PILOTS_MIN, PILOTS_MAX) as u64
}

/// Finds the factors by which stories are kept with their twins, on so many pilot stories to begin with.
pub fn fitted<P>(
    first: u64,
    pilots: impl Fn(Range<u64>) -> Vec<P>,
    fit: impl Fn(&[P]) -> Weights,
) -> Weights {
    let mut found = pilots(0..first);
    let weights = fit(&found);
    // A tenth more, since it is not known exactly.
    let wanted = (1.1 * KEPT_ENOUGH / weights.kept).min(MORE_PILOTS * first as f64) as u64;
    if weights.error > MISFIT_MAX || wanted <= first || weights.kept * first as f64 >= KEPT_ENOUGH {
        return weights;
    }
    found.extend(pilots(first..wanted));
    fit(&found)
}

/// Pilot stories with these numbers, and the twins in which the target does the same.
pub fn pilots(
    storyboard: &Storyboard,
    family: &Family,
    numbers: Range<u64>,
    known: Known<'_>,
) -> Vec<[Pilot; 1]> {
    looked_at(family, numbers, || {
        let twins = Twins::known_by(storyboard, family, 0, (Same::Target, known));
        let (mut twins, mut twin) = (twins.expect("a question asks for a belief"), Twin::default());
        move |plan, story: &Story, number| {
            let finder = twins.finder(plan);
            [finder.and_then(|finder| finder.pilot(story, number, &mut twin)).unwrap_or_default()]
        }
    })
}

/// What is seen in pilot stories with these numbers, on all cores. `looker` makes what looks at the stories of one thread: it is
/// given the number of the plan, the story, and its number.
pub fn looked_at<P: Send, L: FnMut(usize, &Story, u64) -> P>(
    family: &Family,
    numbers: Range<u64>,
    looker: impl Fn() -> L + Sync,
) -> Vec<P> {
    let chunks = in_chunks(numbers, CHUNK, || {
        let (mut selector, mut look, mut story) = (Selector::of_trials(family), looker(), Story::default());
        move |numbers: Range<u64>| {
            let see = |number| {
                selector.draw_trial(0, 0, PILOT + number, &mut story);
                look(selector.plan_number(), &story, number)
            };
            numbers.map(see).collect::<Vec<_>>()
        }
    });
    chunks.into_iter().flatten().collect()
}
