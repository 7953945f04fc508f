//! Finds what a second look at pairs takes: what a learner could tell of a story or of its twin, no matter which of them it sees.
//!
//! A pilot is a story with one twin, chosen as those of a run are, by what is known so far. So it stands for all twins of its story.
//! Both are learned from, each with its own answer ([`Look::learn`]), and a pair then counts for the product of what both weigh. At
//! last shares are put right again, over all twins of other pilots.

use std::ops::Range;

use super::pairs::{Chooser, Known, Pilot};
use super::pilots::{fitted, looked_at, pilots};
use super::same::Same;
use super::{Choice, Finder, Twin, Twins, rake};
use crate::plan::Sight;
use crate::rng::Stream;
use crate::select::balance::{Weights, unit};
use crate::select::family::Family;
use crate::select::look::{self, Look};
use crate::simulate::Story;
use crate::storyboard::Storyboard;

/// The number of the first pilot that is learned from. Shares are found on pilots with smaller numbers.
const FIRST: u64 = 1 << 28;

/// The number of pilots on which the bar is found.
const BAR_PILOTS: u64 = 2_000;

/// What stories weigh with their twins.
#[derive(Clone, Copy)]
struct Scale {
    /// On average, roughly.
    mean: f64,
    /// At most.
    largest: f64,
}

impl Scale {
    fn of(weights: &Weights, look: &Look) -> Self {
        let largest = weights.largest * look.mean();
        Self { mean: weights.kept * largest, largest }
    }

    /// What a story of this weight counts for, if it is not thinned out: those that weigh less than the mean are fewer instead.
    fn count(self, weight: f64, stream: &mut Stream) -> Option<f64> {
        let chance = (weight / self.mean).min(1.0);
        (unit(stream) < chance).then(|| weight.min(self.largest) / chance)
    }
}

/// Finds by what pairs are chosen where a second look is taken, too, given the factors by which they are chosen without it.
///
/// Costs two searches for twins for each pilot, and what [`Look::learn`] does.
pub fn fit(storyboard: &Storyboard, family: &Family, weights: &Weights) -> (Weights, Look) {
    let (balance, _) = family.balance().expect("shares are balanced");
    let look = learn(storyboard, family, &balance.learned, weights);
    let known = with_bar(storyboard, family, weights, &look);
    let bar = known.bar;
    let pilots = |numbers| pilots(storyboard, family, numbers, known);
    let fit = |pilots: &[[Pilot; 1]]| rake::fit_from(weights.clone(), balance, pilots, bar);
    (fitted(look::pilots_of(family), pilots, fit), look.with_bar(bar))
}

/// By what pairs are chosen when this is known, with the bar that is best then.
fn with_bar<'a>(storyboard: &Storyboard, family: &Family, weights: &'a Weights, look: &'a Look) -> Known<'a> {
    let (balance, _) = family.balance().expect("shares are balanced");
    let known = Known { weights: Some(weights), look: Some(look), bar: 0.0 };
    let pilots = pilots(storyboard, family, 0..BAR_PILOTS, known);
    Known { bar: rake::bar(weights, balance, &pilots), ..known }
}

/// Learns from pilots with twins, given the factors by which they are chosen without a second look.
fn learn(storyboard: &Storyboard, family: &Family, sights: &[Sight], weights: &Weights) -> Look {
    let draw = |numbers: Range<u64>, look: &Look| {
        let scale = Scale::of(weights, look);
        let known = with_bar(storyboard, family, weights, look);
        let numbers = FIRST + numbers.start..FIRST + numbers.end;
        let pilots = looked_at(family, numbers, || {
            let twins = Twins::known_by(storyboard, family, 0, (Same::Target, known));
            let (mut twins, mut twin) = (twins.expect("a question asks for a belief"), Twin::default());
            move |plan, story: &Story, number| twins.finder(plan)?.tell(story, number, scale, &mut twin)
        });
        pilots.into_iter().flatten().collect()
    };
    Look::learn(&family.plans()[0], sights, look::pilots_of(family), draw).without_factors()
}

impl Finder<'_> {
    /// A pilot story with one of its twins, if it has any and is not thinned out.
    fn tell(&mut self, story: &Story, number: u64, scale: Scale, twin: &mut Twin) -> Option<look::Pilot> {
        let Choice { mean, story: of_story, mut tries } = self.choose(story, number, twin)?;
        let chooser = self.chooser.as_mut()?;
        std::mem::swap(twin, &mut chooser.chosen);
        let count = scale.count(of_story * mean, &mut tries.stream)?;
        chooser.tell([story, &twin.story], count)
    }
}

impl Chooser<'_> {
    /// A pair, as it is learned from. `count` says what they count for as they are chosen now.
    fn tell(&mut self, pair: [&Story; 2], count: f64) -> Option<look::Pilot> {
        let told: Option<Vec<look::Told>> = pair.iter().map(|story| self.read_signs(story)).collect();
        let pilot = look::Pilot { stories: told?, count };
        let (look, _) = self.look.as_ref()?;
        // What they weigh at the second look has had its effect on how often they are chosen.
        Some(look::Pilot { count: count / pilot.weigh(look), ..pilot })
    }
}
