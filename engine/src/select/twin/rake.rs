//! Finds the factors by which stories are chosen together with their twins, on pilot stories.
//!
//! A pilot keeps a list of twins, of pairs one, of triplets two; a story makes a group with any twin of each list. What a twin's
//! groups count for together is its own product, times that of the story, times the sums of the other lists; so a round takes as
//! long as there are twins, not groups.
//!
//! Rounds use *generalised iterative scaling* (Darroch and Ratcliff, 1972): all stories of a group contribute to each share, so a
//! factor may change by no more than a root of what it would if there were only one: by the square root for two, and by the third
//! root for three. In place of the third stands the fourth, which is made of square roots: these are the same everywhere.

use super::pairs::Pilot;
use crate::plan::Balance;
use crate::select::balance::{CLIPPED_MAX, Limited, MISFIT_MAX, Weights, cap, corrections, even};

/// How often factors and limits are found in turn.
const SETTLINGS: usize = 4;

/// Factors are found once no share is off by more than this.
const ERROR_MAX: f64 = 2e-3;

/// The search for factors ends after this many rounds.
const ROUNDS_MAX: usize = 400;

/// The search for factors ends early if, after this many rounds, a share is off by more than this.
const HOPELESS: (usize, f64) = (60, 0.1);

/// Looking for a story's twins takes about as long as drawing so many stories that are kept by their own shares.
const SEARCH_COST: f64 = 3.0;

/// The bars that are compared: the smallest is this part of the mean weight, and there are so many.
const BARS: (f64, usize) = (0.125, 24);

/// Finds the factors of pairs or triplets. Costs O(twins · margins) per round.
pub fn fit<const KINDS: usize>(balance: &Balance, pilots: &[[Pilot; KINDS]]) -> Weights {
    fit_from(even(balance), balance, pilots, 0.0)
}

/// The same, starting from factors that are nearly right; stories that weigh less than `bar` are looked at more rarely.
pub fn fit_from<const KINDS: usize>(
    weights: Weights,
    balance: &Balance,
    pilots: &[[Pilot; KINDS]],
    bar: f64,
) -> Weights {
    let rake = Rake::new(balance, pilots, Weights { largest: even(balance).largest, ..weights }, bar);
    if rake.stories.iter().all(|story| story.weight(0.0) == 0.0) {
        return Weights { pilots: pilots.len(), ..even(balance) };
    }
    rake.settle(pilots.len())
}

/// The bar under which stories are looked at more rarely such that groups take the least time (see [`Pilot::count`]).
pub fn bar<const KINDS: usize>(weights: &Weights, balance: &Balance, pilots: &[[Pilot; KINDS]]) -> f64 {
    let rake = Rake::new(balance, pilots, weights.clone(), 0.0);
    let all: f64 = rake.stories.iter().map(|story| story.count).sum();
    let mean = rake.stories.iter().map(|story| story.count * story.product).sum::<f64>() / all;
    let bars = (0..BARS.1).scan(BARS.0 * mean, |next, _| {
        *next *= std::f64::consts::SQRT_2;
        Some(*next)
    });
    let costs = bars.map(|bar| (rake.cost(bar), bar));
    costs.fold((rake.cost(0.0), 0.0), |best, next| if next.0 < best.0 { next } else { best }).1
}

/// Factors that are being fitted.
struct Rake<'a, const KINDS: usize> {
    balance: &'a Balance,
    weights: Weights,
    stories: Vec<Counted<'a, KINDS>>,
    bar: f64,
}

/// A story with its twins.
struct Counted<'a, const KINDS: usize> {
    /// The level of each margin.
    levels: &'a [u16],
    /// The product of the factors, times what the story weighs at a second look.
    product: f64,
    /// How many stories it stands for.
    count: f64,
    /// The twins of each kind.
    twins: [CountedTwins<'a>; KINDS],
}

/// The twins of one kind of a story.
struct CountedTwins<'a> {
    /// The level of each margin, one twin after another.
    levels: &'a [u16],
    /// For each twin, the product of the factors, times what it weighs at a second look, divided by the number of tries.
    products: Vec<f64>,
}

impl CountedTwins<'_> {
    /// What all of them count for together.
    fn sum(&self) -> f64 {
        // The sum of nothing is -0.0 otherwise.
        self.products.iter().fold(0.0, |sum, product| sum + product)
    }
}

impl<const KINDS: usize> Counted<'_, KINDS> {
    /// The sums of the lists of twins, but for the list of one kind.
    fn sums_but(&self, kind: usize) -> f64 {
        let others = self.twins.iter().enumerate().filter(|(other, _)| *other != kind);
        others.map(|(_, twins)| twins.sum()).product()
    }

    /// What all groups of the story weigh together, without limit, if it is looked at.
    fn weight(&self, bar: f64) -> f64 {
        self.product.max(bar) * self.sums_but(KINDS)
    }

    /// The same, with how many stories that are looked at it stands for.
    fn limited(&self, bar: f64) -> Limited {
        let looked_at = if self.product < bar { self.product / bar } else { 1.0 };
        Limited { rank: 0, bound: 1.0, weight: self.weight(bar), count: self.count * looked_at }
    }

    /// Changes the factors of the values of a margin, which is one of so many.
    fn change(&mut self, (at, margins): (usize, usize), changes: &[f64]) {
        self.product *= changes[usize::from(self.levels[at])];
        for CountedTwins { levels, products } in &mut self.twins {
            let levels = levels.iter().skip(at).step_by(margins);
            levels.zip(products).for_each(|(&level, product)| *product *= changes[usize::from(level)]);
        }
    }
}

impl<'a, const KINDS: usize> Rake<'a, KINDS> {
    fn new(balance: &'a Balance, pilots: &'a [[Pilot; KINDS]], weights: Weights, bar: f64) -> Self {
        let margins = balance.margins.len().max(1);
        let twins = |Pilot { twins, looks, tried, .. }: &'a Pilot| CountedTwins {
            levels: twins,
            products: looks.iter().map(|look| look / *tried as f64).collect(),
        };
        let story = |of: &'a [Pilot; KINDS]| {
            let Pilot { levels, look, count, .. } = &of[0];
            Counted { levels, product: *look, count: *count, twins: of.each_ref().map(twins) }
        };
        let mut stories: Vec<_> = pilots.iter().filter(|of| !of[0].levels.is_empty()).map(story).collect();
        for (at, factors) in weights.factors.iter().enumerate() {
            stories.iter_mut().for_each(|story| story.change((at, margins), factors));
        }
        Self { balance, weights, stories, bar }
    }

    /// Finds the factors. Returns them, with how many of this number of pilot stories would be kept.
    fn settle(mut self, pilots: usize) -> Weights {
        for _ in 0..SETTLINGS {
            self.until_right();
            if self.weights.error > MISFIT_MAX {
                break;
            }
            // The weight of stories is limited so that little is lost.
            self.weights.largest = cap(self.limited(self.bar), CLIPPED_MAX);
        }
        self.until_right();
        let kept = kept(&self.limited(self.bar), self.weights.largest);
        Weights { kept: kept / pilots.max(1) as f64, pilots, ..self.weights }
    }

    /// Repeats rounds until the shares are right or clearly cannot be. Records the worst share's error and its margin.
    fn until_right(&mut self) {
        for round in 0..ROUNDS_MAX {
            let (error, worst) = self.round();
            (self.weights.error, self.weights.worst) = (error, worst);
            let is_hopeless = round >= HOPELESS.0 && error > HOPELESS.1;
            if error <= ERROR_MAX || is_hopeless {
                break;
            }
        }
    }

    /// Adjusts one margin after another. Returns how far the worst share was off, and which margin it belongs to.
    fn round(&mut self) -> (f64, usize) {
        let margins = self.balance.margins.len();
        let largest = self.weights.largest;
        let within = |story: &Counted<'_, KINDS>| (largest / story.weight(self.bar)).min(1.0);
        let within: Vec<f64> = self.stories.iter().map(within).collect();
        let mut worst = (0.0, 0);
        for (at, margin) in self.balance.margins.iter().enumerate() {
            let Some((mut changes, error)) = corrections(margin, &self.sums(at, &within)) else { continue };
            if error > worst.0 {
                worst = (error, at);
            }
            (0..KINDS).for_each(|_| changes.iter_mut().for_each(|change| *change = change.sqrt()));
            self.weights.factors[at].iter_mut().zip(&changes).for_each(|(factor, change)| *factor *= change);
            self.stories.iter_mut().for_each(|story| story.change((at, margins), &changes));
        }
        worst
    }

    /// For each level of a margin, what all stories and twins with it count for. `within` says for each story how much of its
    /// groups is left by the limit.
    fn sums(&self, at: usize, within: &[f64]) -> Vec<f64> {
        let margins = self.balance.margins.len();
        let mut sums = vec![0.0; self.balance.margins[at].shares.len() + 1];
        for (story, within) in self.stories.iter().zip(within) {
            let product = within * story.count * story.product;
            sums[usize::from(story.levels[at])] += product * story.sums_but(KINDS);
            for (kind, twins) in story.twins.iter().enumerate() {
                let product = product * story.sums_but(kind);
                let levels = twins.levels.iter().skip(at).step_by(margins);
                levels
                    .zip(&twins.products)
                    .for_each(|(&level, own)| sums[usize::from(level)] += product * own);
            }
        }
        sums
    }

    /// What stories with their twins count for, without limit, if those that weigh less than `bar` are looked at more rarely.
    fn limited(&self, bar: f64) -> Vec<Limited> {
        self.stories.iter().map(|story| story.limited(bar)).collect()
    }

    /// How long a group takes, in stories that are drawn.
    fn cost(&self, bar: f64) -> f64 {
        let stories = self.limited(bar);
        let drawn: f64 = self.stories.iter().map(|story| story.count).sum();
        let looked_at: f64 = stories.iter().map(|story| story.count).sum();
        (drawn + SEARCH_COST * looked_at) / kept(&stories, cap(stories.clone(), CLIPPED_MAX))
    }
}

/// How many stories are kept under this limit.
fn kept(stories: &[Limited], largest: f64) -> f64 {
    stories.iter().map(|story| story.count * (story.weight / largest).min(1.0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Level, Margin, Property};

    /// Beliefs that are false in half of the stories and twins.
    fn balance() -> Balance {
        let shares = vec![(Level::Number(1), 0.5), (Level::Number(0), 0.5)];
        let margin = Margin { property: Property::FalseBelief, shares, free: None };
        Balance { question: 0, margins: vec![margin], learned: Vec::new(), pilots: None }
    }

    /// Stories of which every third weighs ten times as much as others at a second look, each with two twins of each kind.
    fn pilots<const KINDS: usize>() -> Vec<[Pilot; KINDS]> {
        let story = |at: usize| {
            let twins = Pilot {
                levels: vec![at.is_multiple_of(4).into()],
                count: 1.0,
                twins: vec![1, at.is_multiple_of(5).into()],
                look: if at.is_multiple_of(3) { 2.0 } else { 0.2 },
                looks: vec![1.0, 0.5],
                tried: 4,
                has_twin: true,
            };
            [(); KINDS].map(|()| twins.clone())
        };
        (0..600).map(story).collect()
    }

    /// What all stories and twins with each value count for, under the limit.
    fn sums<const KINDS: usize>(weights: &Weights, pilots: &[[Pilot; KINDS]], bar: f64) -> Vec<f64> {
        let balance = balance();
        let rake = Rake::new(&balance, pilots, weights.clone(), bar);
        let within = rake.stories.iter().map(|story| (weights.largest / story.weight(bar)).min(1.0));
        rake.sums(0, &within.collect::<Vec<f64>>())
    }

    fn shares_hold<const KINDS: usize>() {
        let (pilots, balance) = (pilots::<KINDS>(), balance());
        let found = fit(&balance, &pilots);
        let bar = bar(&found, &balance, &pilots);
        let under_bar = fit_from(found.clone(), &balance, &pilots, bar);
        assert!(bar > 0.0, "{found:?}");
        for (weights, bar) in [(&found, 0.0), (&under_bar, bar)] {
            let sums = sums(weights, &pilots, bar);
            assert!((sums[0] / (sums[0] + sums[1]) - 0.5).abs() <= ERROR_MAX, "{sums:?}");
        }
    }

    #[test]
    fn shares_hold_over_pairs_and_over_triplets_with_a_bar_and_without() {
        shares_hold::<1>();
        shares_hold::<2>();
    }

    #[test]
    fn a_bar_changes_neither_what_stories_count_for_nor_how_often_groups_come() {
        let (pilots, balance) = (pilots::<1>(), balance());
        let rake = Rake::new(&balance, &pilots, even(&balance), 0.0);
        let count_for = |bar: f64| -> Vec<f64> {
            rake.limited(bar).iter().map(|story| story.weight * story.count).collect()
        };
        for bar in [0.1, 1.0, 7.0] {
            let pairs = count_for(bar).into_iter().zip(count_for(0.0));
            assert!({ pairs }.all(|(with, without)| (with / without - 1.0).abs() < 1e-12));
        }
        let best = bar(&even(&balance), &balance, &pilots);
        assert!(rake.cost(best) < rake.cost(0.0) && rake.cost(best) <= rake.cost(100.0));
    }
}
