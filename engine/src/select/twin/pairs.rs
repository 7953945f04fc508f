//! Chooses stories and twins such that shares are balanced over both.
//!
//! `balance` keeps stories; what a change makes of one is another matter. Most changes let somebody see once more or once less
//! where the target is, and so its last place is the answer of far more twins than of stories. So a pair counts for the product
//! of the factors of both, and these are such that shares come out right over the stories and twins of pilot pairs taken
//! together. Then it is drawn which of the two is called the twin, and shares are right of each.
//!
//! Of the changes of a story that make a twin one is chosen in proportion to what its pair counts for, and the story is kept with
//! a probability in proportion to the mean over all changes that were tried: so every pair is as likely as its story and one of
//! these changes, times what it counts for, but for a limit; and far fewer stories are drawn again than if one change of each
//! were looked at.

use super::Twin;
use super::rake::Rake;
use crate::plan::{Balance, Plan};
use crate::rng::{Stream, below};
use crate::select::balance::{Reader, Weigher, Weights, corrections, even, unit};
use crate::select::ranking::Ranking;
use crate::simulate::Story;

/// The largest number of changes of a story that are tried. More take longer for each story, fewer keep fewer stories; of
/// 16 to 128, about this number takes the least time per pair on the calibrated storyboards.
pub const TRIES_MAX: usize = 48;

/// Chooses pairs of stories of one plan, so that shares hold over stories and twins.
#[derive(Clone, Debug)]
pub struct Chooser<'a> {
    reader: Reader<'a>,
    weigher: Weigher,
    /// The twin chosen so far.
    pub chosen: Twin,
}

impl<'a> Chooser<'a> {
    /// A chooser of pairs of a plan's stories, with the factors of pairs if known, given how difficult questions usually are if
    /// that is balanced; `None` if no shares are.
    pub fn new(plan: &'a Plan, weights: Option<&Weights>, ranking: Option<&'a Ranking>) -> Option<Self> {
        let balance = plan.balance.as_ref()?;
        let weigher =
            weights.map_or_else(|| Weigher::new(balance, &even(balance)), |of| Weigher::new(balance, of));
        Some(Self { reader: Reader::new(plan, ranking)?, weigher, chosen: Twin::default() })
    }

    /// The level of each margin for a story; `None` if it has a value that no story may have.
    pub fn read(&mut self, story: &Story) -> Option<&[u16]> {
        self.reader.read(story, &self.weigher)
    }

    /// The product of a story's factors; 0 if it has a value that no story may have.
    pub fn weigh(&mut self, story: &Story) -> f64 {
        let Self { reader, weigher, .. } = self;
        reader.read(story, weigher).map_or(0.0, |levels| weigher.product(levels))
    }

    /// Draws whether a story is kept, by the mean weight of its pairs, and if so whether it is called the twin.
    pub fn draw(&self, mean: f64, stream: &mut Stream) -> Option<bool> {
        self.keeps(mean, stream).then(|| below(stream, 2) == 1)
    }

    /// Draws whether a story is kept, by the mean weight of what it makes with its twins.
    pub fn keeps(&self, mean: f64, stream: &mut Stream) -> bool {
        unit(stream) * self.weigher.weight_max < mean
    }
}

/// A pilot story: its level of each margin, and those of its twins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pilot {
    /// The levels of the story.
    pub levels: Vec<u16>,
    /// The levels of its twins, one twin after another.
    pub twins: Vec<u16>,
    /// The number of changes that were tried.
    pub tried: usize,
    /// Whether it has a twin at all, whatever its values.
    pub has_twin: bool,
}

/// Finds the factors of pairs. Costs O(pairs · margins) per round.
///
/// Rounds use *generalised iterative scaling* (Darroch and Ratcliff, 1972): both stories of a pair contribute to each share,
/// so a factor changes by the square root of what it would if there were only one.
pub fn fit(balance: &Balance, pilots: &[Pilot]) -> Weights {
    let rake = PairRake::new(balance, pilots);
    if rake.pairs.is_empty() {
        return Weights { pilots: pilots.len(), ..rake.weights };
    }
    rake.settle(pilots.len())
}

/// Factors of pairs that are being fitted.
struct PairRake<'a> {
    balance: &'a Balance,
    weights: Weights,
    /// For each margin, the level of each pair's story and that of its twin.
    levels: Vec<Vec<[u16; 2]>>,
    /// For each pair, the number of its story, and 1 divided by the number of tries for that story.
    pairs: Vec<(usize, f64)>,
    stories: usize,
}

impl<'a> PairRake<'a> {
    fn new(balance: &'a Balance, pilots: &[Pilot]) -> Self {
        let margins = balance.margins.len();
        let (mut levels, mut pairs) = (vec![Vec::new(); margins], Vec::new());
        for (number, Pilot { levels: own, twins, tried, .. }) in pilots.iter().enumerate() {
            for twin in twins.chunks_exact(margins.max(1)) {
                pairs.push((number, 1.0 / *tried as f64));
                for (of, both) in levels.iter_mut().zip(own.iter().zip(twin)) {
                    of.push([*both.0, *both.1]);
                }
            }
        }
        Self { balance, weights: even(balance), levels, pairs, stories: pilots.len() }
    }

    /// The weight of each pair, without limits.
    fn products(&self) -> Vec<f64> {
        let mut products: Vec<f64> = self.pairs.iter().map(|&(_, share)| share).collect();
        for (factors, levels) in self.weights.factors.iter().zip(&self.levels) {
            for (product, &[story, twin]) in products.iter_mut().zip(levels) {
                *product *= factors[usize::from(story)] * factors[usize::from(twin)];
            }
        }
        products
    }
}

impl Rake for PairRake<'_> {
    fn weights(&mut self) -> &mut Weights {
        &mut self.weights
    }

    fn totals(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.stories];
        for (&(story, _), product) in self.pairs.iter().zip(self.products()) {
            totals[story] += product;
        }
        totals
    }

    fn round(&mut self) -> (f64, usize) {
        let (totals, mut products) = (self.totals(), self.products());
        for (product, &(story, _)) in products.iter_mut().zip(&self.pairs) {
            *product *= (self.weights.largest / totals[story]).min(1.0);
        }
        let mut worst = (0.0, 0);
        for (at, margin) in self.balance.margins.iter().enumerate() {
            let levels = &self.levels[at];
            let mut sums = vec![0.0; margin.shares.len() + 1];
            for (product, of_both) in products.iter().zip(levels) {
                of_both.iter().for_each(|&level| sums[usize::from(level)] += product);
            }
            let Some((mut changes, error)) = corrections(margin, &sums) else { continue };
            if error > worst.0 {
                worst = (error, at);
            }
            changes.iter_mut().for_each(|change| *change = change.sqrt());
            self.weights.factors[at].iter_mut().zip(&changes).for_each(|(factor, change)| *factor *= change);
            for (product, &[story, twin]) in products.iter_mut().zip(levels) {
                *product *= changes[usize::from(story)] * changes[usize::from(twin)];
            }
        }
        worst
    }
}
