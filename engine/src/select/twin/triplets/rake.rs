//! Finds the factors of triplets on pilot stories.
//!
//! A pilot story keeps two lists of twins, and any twin of one list makes a triplet with any of the other. What a twin's
//! triplets count for together is its own product, times that of the story, times the sum of the other list; so a round takes
//! as long as there are twins, not triplets.

use crate::plan::Balance;
use crate::select::balance::{Weights, corrections, even};
use crate::select::twin::pairs::Pilot;
use crate::select::twin::rake::Rake;

/// Finds the factors of triplets. Costs O(twins · margins) per round.
pub fn fit(balance: &Balance, pilots: &[[Pilot; 2]]) -> Weights {
    let rake = TripletRake::new(balance, pilots);
    if rake.stories.is_empty() {
        return Weights { pilots: pilots.len(), ..rake.weights };
    }
    rake.settle(pilots.len())
}

/// Factors of triplets that are being fitted.
struct TripletRake<'a> {
    balance: &'a Balance,
    weights: Weights,
    stories: Vec<Counted<'a>>,
}

/// A story with its twins.
struct Counted<'a> {
    /// The level of each margin.
    levels: &'a [u16],
    /// The product of the factors.
    product: f64,
    /// The twins of either kind.
    twins: [CountedTwins<'a>; 2],
}

/// The twins of one kind of a story.
struct CountedTwins<'a> {
    /// The level of each margin, one twin after another.
    levels: &'a [u16],
    /// For each twin, the product of the factors, divided by the number of tries.
    products: Vec<f64>,
}

impl<'a> CountedTwins<'a> {
    fn new(pilot: &'a Pilot, margins: usize) -> Self {
        let Pilot { twins, tried, .. } = pilot;
        Self { levels: twins, products: vec![1.0 / *tried as f64; twins.len() / margins] }
    }

    /// What all of them count for together.
    fn sum(&self) -> f64 {
        self.products.iter().sum()
    }
}

impl Counted<'_> {
    /// What all triplets of the story count for together.
    fn total(&self) -> f64 {
        self.product * self.twins[0].sum() * self.twins[1].sum()
    }
}

impl<'a> TripletRake<'a> {
    fn new(balance: &'a Balance, pilots: &'a [[Pilot; 2]]) -> Self {
        let margins = balance.margins.len().max(1);
        let stories = pilots.iter().filter(|both| both.iter().all(|pilot| !pilot.twins.is_empty()));
        let stories = stories.map(|[first, second]| Counted {
            levels: &first.levels,
            product: 1.0,
            twins: [first, second].map(|pilot| CountedTwins::new(pilot, margins)),
        });
        Self { balance, weights: even(balance), stories: stories.collect() }
    }

    /// For each level of a margin, what all stories and twins with it count for. `within` says for each story how much of its
    /// triplets is left by the limit.
    fn sums(&self, at: usize, within: &[f64]) -> Vec<f64> {
        let margins = self.balance.margins.len();
        let mut sums = vec![0.0; self.balance.margins[at].shares.len() + 1];
        for (story, within) in self.stories.iter().zip(within) {
            let [first, second] = [0, 1].map(|kind| story.twins[kind].sum());
            let product = within * story.product;
            sums[usize::from(story.levels[at])] += product * first * second;
            for (twins, others) in story.twins.iter().zip([second, first]) {
                let levels = twins.levels.iter().skip(at).step_by(margins);
                for (&level, own) in levels.zip(&twins.products) {
                    sums[usize::from(level)] += product * others * own;
                }
            }
        }
        sums
    }
}

impl Rake for TripletRake<'_> {
    fn weights(&mut self) -> &mut Weights {
        &mut self.weights
    }

    fn totals(&self) -> Vec<f64> {
        self.stories.iter().map(Counted::total).collect()
    }

    /// All three stories of a triplet contribute to each share, so that a factor may change by no more than the third root of
    /// what it would if there were only one (see the rounds of pairs). Its fourth root is made of square roots, which are the
    /// same everywhere.
    fn round(&mut self) -> (f64, usize) {
        let margins = self.balance.margins.len();
        let largest = self.weights.largest;
        let within: Vec<f64> = self.totals().into_iter().map(|total| (largest / total).min(1.0)).collect();
        let mut worst = (0.0, 0);
        for (at, margin) in self.balance.margins.iter().enumerate() {
            let Some((mut changes, error)) = corrections(margin, &self.sums(at, &within)) else { continue };
            if error > worst.0 {
                worst = (error, at);
            }
            changes.iter_mut().for_each(|change| *change = change.sqrt().sqrt());
            self.weights.factors[at].iter_mut().zip(&changes).for_each(|(factor, change)| *factor *= change);
            for story in &mut self.stories {
                story.product *= changes[usize::from(story.levels[at])];
                for CountedTwins { levels, products } in &mut story.twins {
                    let levels = levels.iter().skip(at).step_by(margins);
                    for (&level, product) in levels.zip(products) {
                        *product *= changes[usize::from(level)];
                    }
                }
            }
        }
        worst
    }
}
