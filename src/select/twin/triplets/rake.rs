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
    stories: Vec<Counted>,
}

/// A story or a twin, with its level of each margin.
struct Counted {
    levels: Vec<u16>,
    /// The product of the factors; of a twin, divided by the number of tries.
    product: f64,
    /// The twins of either kind; a twin has none.
    twins: [Vec<Counted>; 2],
}

impl Counted {
    /// What the twins of either kind count for together.
    fn sums(&self) -> [f64; 2] {
        [0, 1].map(|kind| self.twins[kind].iter().map(|twin| twin.product).sum())
    }

    /// What all triplets of the story count for together.
    fn total(&self) -> f64 {
        let [first, second] = self.sums();
        self.product * first * second
    }
}

impl<'a> TripletRake<'a> {
    fn new(balance: &'a Balance, pilots: &[[Pilot; 2]]) -> Self {
        let margins = balance.margins.len();
        let twins = |Pilot { twins, tried, .. }: &Pilot| -> Vec<Counted> {
            let of = |levels: &[u16]| Counted {
                levels: levels.to_vec(),
                product: 1.0 / *tried as f64,
                twins: Default::default(),
            };
            twins.chunks_exact(margins.max(1)).map(of).collect()
        };
        let stories = pilots.iter().filter(|both| both.iter().all(|pilot| !pilot.twins.is_empty()));
        let stories = stories.map(|[first, second]| Counted {
            levels: first.levels.clone(),
            product: 1.0,
            twins: [twins(first), twins(second)],
        });
        Self { balance, weights: even(balance), stories: stories.collect() }
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
        let largest = self.weights.largest;
        let within: Vec<f64> = self.totals().into_iter().map(|total| (largest / total).min(1.0)).collect();
        let mut worst = (0.0, 0);
        for (at, margin) in self.balance.margins.iter().enumerate() {
            let mut sums = vec![0.0; margin.shares.len() + 1];
            for (story, within) in self.stories.iter().zip(&within) {
                let [first, second] = story.sums();
                let product = within * story.product;
                sums[usize::from(story.levels[at])] += product * first * second;
                for (twins, others) in story.twins.iter().zip([second, first]) {
                    let each = product * others;
                    twins.iter().for_each(|twin| sums[usize::from(twin.levels[at])] += each * twin.product);
                }
            }
            let Some((mut changes, error)) = corrections(margin, &sums) else { continue };
            if error > worst.0 {
                worst = (error, at);
            }
            changes.iter_mut().for_each(|change| *change = change.sqrt().sqrt());
            self.weights.factors[at].iter_mut().zip(&changes).for_each(|(factor, change)| *factor *= change);
            for story in &mut self.stories {
                story.product *= changes[usize::from(story.levels[at])];
                for twin in story.twins.iter_mut().flatten() {
                    twin.product *= changes[usize::from(twin.levels[at])];
                }
            }
        }
        worst
    }
}
