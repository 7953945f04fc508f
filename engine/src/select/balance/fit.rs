//! Finds what stories are to be kept by, on pilot stories.

use super::uniform;
use super::weigher::Weigher;
use super::weights::Weights;
use crate::plan::{Balance, Margin, Stage};
use crate::rng::{Purpose, StreamKey};
use crate::select::cores::in_chunks;

/// The number of pilots that are drawn first. If they are too few, it is doubled until they are enough.
const PILOTS_FIRST: u64 = 1 << 13;

/// The first pilots are enough if this many would be kept by the factors found on them.
const KEPT_ROUGHLY: f64 = 150.0;

/// How many likely pilots are looked at, first and later. The more, the closer the shares come to what they should be.
pub const LOOKS: [usize; 2] = [2_000, 16_000];

/// How many likely pilots are looked at where people do more than walk. There a look takes some 50 times as long.
pub const LOOKS_AT_DEEDS: [usize; 2] = [1_000, 12_000];

/// The largest number of pilots that are drawn to find the likely ones, first and later, as a multiple of the first pilots.
const MORE_PILOTS: [u64; 2] = [4, 16];

/// How many times as often as it would be kept a pilot is looked at, if it would not always be kept.
const LOOKS_PER_KEPT: f64 = 4.0;

/// The largest part of the total weight that may be lost by limiting the weight of single stories. Those of the rarest
/// kinds weigh most, and for their sake all others would have to be drawn again very often.
pub const CLIPPED_MAX: f64 = 0.05;

/// The largest part of the weight of one rank's stories that may be lost by limiting it by what is known at a stage.
const CAPPED_MAX: f64 = 0.01;

/// A first fit ends once no share is off by more than this.
const ROUGHLY: f64 = 1e-2;

/// The last fit ends once no share is off by more than this.
const ERROR_MAX: f64 = 2e-3;

/// The largest number of rounds of the first fit and of the last.
const ROUNDS_MAX: [usize; 2] = [60, 400];

/// A fit ends early if, after this many rounds, a share is off by more than this.
const HOPELESS: (usize, f64) = (24, 0.1);

/// The part of a story whose draws decide whether a pilot is looked at.
const PILOT_PART: u64 = u64::MAX;

/// The number of pilots that one thread draws in a row.
const CHUNK: u64 = 512;

/// Finds the factors on pilot stories. If the stories belong to several plans, these share one balance.
///
/// `pilots` makes what draws them: given a number, a weigher and a bar, it draws the story with that number, says whether
/// it weighs more than the bar, and if so what levels its values have. It is called on several threads, which does not
/// change the result.
///
/// The factors are first found roughly on few pilots, and then on ever more of them. Only those are looked at that would
/// probably be kept by the factors found so far (*importance sampling*). `first_max` limits the number of first pilots,
/// and `looks` is [`LOOKS`] or its like. Costs drawing the pilots, and O(pilots looked at · margins) per round.
pub fn fit<P>(
    balance: &Balance,
    first_max: usize,
    looks: [usize; 2],
    fingerprint: &str,
    pilots: impl Fn() -> P + Sync,
) -> Weights
where
    P: FnMut(u64, &Weigher, f64, &mut Vec<u16>) -> bool,
{
    let key = StreamKey::derive(0, fingerprint, Purpose::Balance);
    let first_max = first_max as u64;
    let mut rake = Rake::new(balance);

    // Of every kind, as they come.
    let weigher = Weigher::new(balance, &rake.weights);
    let mut pilots = Pilots { new: pilots, drawn: 0, looked_at: Sample::default() };
    while pilots.drawn < first_max && (pilots.drawn == 0 || rake.kept() < KEPT_ROUGHLY) {
        let until = (pilots.drawn * 2).max(PILOTS_FIRST).min(first_max);
        pilots.draw(until, &|_| 0.0, &weigher);
        rake.look_at(&pilots.looked_at, |_| 1.0);
        rake.settle(ROUGHLY, ROUNDS_MAX[0]);
    }

    // What is looked at stands for all that are like it.
    let mut weights = Weights { kept: rake.kept() / pilots.drawn as f64, ..rake.weights.clone() };
    let mut missing = rake.missing();
    for (at, (looks, more)) in looks.into_iter().zip(MORE_PILOTS).enumerate() {
        if pilots.looked_at.count() == 0 || weights.error > HOPELESS.1 && at > 0 {
            break;
        }
        let weigher = Weigher::new(balance, &rake.weights);
        let always = weigher.weight_max / LOOKS_PER_KEPT;
        let bar = |number| uniform(&key, number, PILOT_PART) * always;
        let begun = pilots.drawn;
        pilots.looked_at = Sample::default();
        while pilots.looked_at.count() < looks && pilots.drawn < begun + first_max * more {
            let (drawn, found) = (pilots.drawn - begun, pilots.looked_at.count() as u64);
            // As many more as it takes if it goes on like that, but for the last few, in which it would not matter.
            let missing = (looks as u64 - found) * drawn / found.max(1);
            let next = missing.clamp(PILOTS_FIRST, (3 * drawn).max(PILOTS_FIRST));
            pilots.draw((pilots.drawn + next).min(begun + first_max * more), &bar, &weigher);
        }
        if pilots.looked_at.count() == 0 {
            break;
        }
        rake.look_at(&pilots.looked_at, |levels| (weigher.weigh(levels) / always).min(1.0));
        let not_here = rake.missing();
        missing.retain(|value| not_here.contains(value));
        rake.settle([ROUGHLY, ERROR_MAX][at], ROUNDS_MAX[at]);
        weights = Weights { kept: rake.kept() / (pilots.drawn - begun) as f64, ..rake.weights.clone() };
    }
    Weights { pilots: pilots.drawn as usize, missing, ..weights }
}

/// The levels of the stories that were looked at, story by story: for each story the levels of all margins.
#[derive(Debug, Default)]
struct Sample {
    levels: Vec<u16>,
    margins: usize,
}

impl Sample {
    fn count(&self) -> usize {
        self.levels.len() / self.margins.max(1)
    }

    fn stories(&self) -> impl Iterator<Item = &[u16]> {
        self.levels.chunks_exact(self.margins.max(1))
    }
}

/// Pilot stories, drawn one after another.
struct Pilots<N> {
    /// Makes what draws the stories.
    new: N,
    drawn: u64,
    looked_at: Sample,
}

impl<N, P> Pilots<N>
where
    N: Fn() -> P + Sync,
    P: FnMut(u64, &Weigher, f64, &mut Vec<u16>) -> bool,
{
    /// Draws the stories up to a number and looks at those that weigh more than their bars. They are in order, whatever
    /// threads have drawn them.
    fn draw(&mut self, until: u64, bar: &(impl Fn(u64) -> f64 + Sync), weigher: &Weigher) {
        let chunks = in_chunks(self.drawn..until, CHUNK, || {
            let (mut pilot, mut levels) = ((self.new)(), Vec::new());
            move |numbers| {
                let mut found = Vec::new();
                for number in numbers {
                    if pilot(number, weigher, bar(number), &mut levels) {
                        found.extend_from_slice(&levels);
                    }
                }
                found
            }
        });
        self.looked_at.margins = weigher.all().len();
        self.looked_at.levels.extend(chunks.into_iter().flatten());
        self.drawn = until;
    }
}

/// Factors that make no difference.
pub fn even(balance: &Balance) -> Weights {
    // The last one, of rows that are neither, stays as it is.
    let factors = balance.margins.iter().map(|margin| vec![1.0; margin.shares.len() + 1]);
    Weights {
        factors: factors.collect(),
        largest: f64::MAX,
        caps: Vec::new(),
        kept: 0.0,
        error: f64::INFINITY,
        worst: 0,
        pilots: 0,
        missing: Vec::new(),
    }
}

/// Factors that are being fitted.
struct Rake<'a> {
    balance: &'a Balance,
    weights: Weights,
    /// For each margin, the level of every story.
    levels: Vec<Vec<u16>>,
    /// How many stories each story that was looked at stands for.
    counts: Vec<f64>,
}

impl<'a> Rake<'a> {
    fn new(balance: &'a Balance) -> Self {
        let weights = even(balance);
        Self { balance, weights, levels: vec![Vec::new(); balance.margins.len()], counts: Vec::new() }
    }

    /// Switches to other stories; `share` is the probability with which each was looked at.
    fn look_at(&mut self, sample: &Sample, share: impl Fn(&[u16]) -> f64) {
        for (margin, levels) in self.levels.iter_mut().enumerate() {
            levels.clear();
            levels.extend(sample.stories().map(|story| story[margin]));
        }
        self.counts.clear();
        self.counts.extend(sample.stories().map(|story| 1.0 / share(story)));
    }

    /// The values with a share that no story has.
    fn missing(&self) -> Vec<(usize, usize)> {
        let margins = self.balance.margins.iter().zip(&self.levels).enumerate();
        let of_margin = margins.flat_map(|(at, (margin, levels))| {
            let mut is_met = vec![false; margin.shares.len() + 1];
            levels.iter().for_each(|&level| is_met[usize::from(level)] = true);
            let shares = margin.shares.iter().zip(is_met).enumerate();
            shares
                .filter(|(_, ((_, share), is_met))| *share > 0.0 && !is_met)
                .map(move |(value, _)| (at, value))
        });
        of_margin.collect()
    }

    /// Finds factors, then limits, and then factors that go with these limits.
    fn settle(&mut self, error_max: f64, rounds_max: usize) {
        (self.weights.largest, self.weights.caps) = (f64::MAX, Vec::new());
        self.until(ROUGHLY, ROUNDS_MAX[0]);
        self.limit();
        self.until(error_max, rounds_max);
    }

    /// The number of stories that are kept.
    fn kept(&self) -> f64 {
        let bounds = self.bounds();
        let weights = (0..self.counts.len()).map(|story| self.weigh(&bounds, story) * self.counts[story]);
        weights.sum::<f64>() / self.weights.largest
    }

    /// Repeats rounds until no share is off by more than `error_max`, `rounds_max` is reached, or there is clearly no
    /// solution. Records how far the worst share is off, and which margin it belongs to.
    fn until(&mut self, error_max: f64, rounds_max: usize) {
        let mut bounds = self.bounds();
        for round in 0..rounds_max {
            (self.weights.error, self.weights.worst) = self.round(&mut bounds);
            let is_hopeless = round >= HOPELESS.0 && self.weights.error > HOPELESS.1;
            if self.weights.error <= error_max || is_hopeless {
                break;
            }
        }
    }

    /// For each stage, the product of each story's factors up to it.
    fn products(&self) -> [Vec<f64>; Stage::ALL.len()] {
        let weigher = Weigher::new(self.balance, &self.weights);
        let mut products = vec![1.0; self.counts.len()];
        Stage::ALL.map(|stage| {
            for margin in weigher.of_stage(stage) {
                let factors = &self.weights.factors[margin.number];
                for (product, &level) in products.iter_mut().zip(&self.levels[margin.number]) {
                    *product *= factors[usize::from(level)];
                }
            }
            products.clone()
        })
    }

    /// For each stage, the most that each story can weigh given what is known at that stage.
    fn bounds(&self) -> [Vec<f64>; Stage::ALL.len()] {
        let mut bounds = self.products();
        for (stage, bounds) in bounds.iter_mut().enumerate() {
            let caps = self.weights.caps.get(stage);
            for (story, bound) in bounds.iter_mut().enumerate() {
                *bound *= match caps {
                    Some(caps) => caps[self.rank(story)],
                    None if stage + 1 < Stage::ALL.len() => f64::INFINITY,
                    None => 1.0,
                };
            }
        }
        bounds
    }

    fn weigh(&self, bounds: &[Vec<f64>; Stage::ALL.len()], story: usize) -> f64 {
        bounds.iter().fold(self.weights.largest, |least, bounds| least.min(bounds[story]))
    }

    /// The index of the story among the caps of a stage.
    fn rank(&self, story: usize) -> usize {
        let of_rank = self.balance.ranks();
        of_rank.map_or(0, |margin| usize::from(self.levels[margin][story]))
    }

    /// Adjusts one margin after another. Returns how far the worst share was off, and which margin it belongs to.
    fn round(&mut self, bounds: &mut [Vec<f64>; Stage::ALL.len()]) -> (f64, usize) {
        let Self { balance, weights, levels, counts } = self;
        let mut worst = (0.0, 0);
        for (at, margin) in balance.margins.iter().enumerate() {
            let (levels, shares) = (&levels[at], &margin.shares);
            // Of every fourth story, so that a sum need not wait for the one before it.
            let mut quarters = vec![[0.0; 4]; shares.len() + 1];
            let [path, company, all] = &*bounds;
            let known = path.iter().zip(company).zip(all).zip(levels.iter().zip(&*counts));
            for (story, (((path, company), all), (&level, count))) in known.enumerate() {
                let weight = weights.largest.min(*path).min(*company).min(*all);
                quarters[usize::from(level)][story % 4] += weight * count;
            }
            let sums: Vec<f64> = quarters.into_iter().map(|sums| sums.into_iter().sum()).collect();
            let Some((changes, error)) = corrections(margin, &sums) else { continue };
            if error > worst.0 {
                worst = (error, at);
            }
            weights.factors[at].iter_mut().zip(&changes).for_each(|(factor, change)| *factor *= change);
            for bounds in &mut bounds[margin.property.stage() as usize..] {
                for (bound, &level) in bounds.iter_mut().zip(levels) {
                    *bound *= changes[usize::from(level)];
                }
            }
        }
        worst
    }

    /// Limits the weight of stories so that little is lost: overall, and for each rank by what is known at a stage.
    fn limit(&mut self) {
        let [path, company, products] = self.products();
        let stories = |bounds: &dyn Fn(usize) -> f64, largest: f64| -> Vec<Limited> {
            let limited = |story: usize| Limited {
                rank: self.rank(story),
                bound: bounds(story),
                weight: products[story].min(largest),
                count: self.counts[story],
            };
            (0..products.len()).map(limited).collect()
        };
        let largest = cap(stories(&|_| 1.0, f64::MAX), CLIPPED_MAX);
        let ranks = self.balance.ranks().map_or(1, |margin| self.balance.margins[margin].shares.len());
        let caps = [path, company].into_iter().map(|bounds| {
            let stories = stories(&|story| bounds[story], largest);
            let of_rank = |rank| stories.iter().filter(|story| story.rank == rank).cloned().collect();
            (0..ranks).map(|rank| cap(of_rank(rank), CAPPED_MAX)).collect()
        });
        self.weights.caps = caps.collect();
        self.weights.largest = largest;
    }
}

/// The changes of a margin's factors that make its shares right, given the total weight of the stories of each level; and
/// how far the worst share is off: infinity if there are no stories. `None` if no story has a level with a share.
pub fn corrections(margin: &Margin, sums: &[f64]) -> Option<(Vec<f64>, f64)> {
    let (listed, others) = sums.split_at(margin.shares.len());
    let total: f64 = listed.iter().sum();
    if total == 0.0 && others[0] > 0.0 {
        return None;
    }
    let (mut changes, mut worst) = (vec![1.0; sums.len()], 0.0); // what is neither stays
    for ((change, &(_, share)), &sum) in changes.iter_mut().zip(&margin.shares).zip(listed) {
        let error = (share - sum / total).abs();
        if error.is_nan() || error > worst {
            worst = if error.is_nan() { f64::INFINITY } else { error };
        }
        if sum > 0.0 {
            *change = share * total / sum;
        }
    }
    Some((changes, worst))
}

/// A story whose weight is to be limited to a multiple of a bound.
#[derive(Clone, Debug)]
pub struct Limited {
    /// The number of the rank's value.
    pub rank: usize,
    /// The bound whose multiple limits the weight.
    pub bound: f64,
    /// The weight so far.
    pub weight: f64,
    /// How many stories this one stands for.
    pub count: f64,
}

/// The smallest multiple of the bounds that limits the weights and loses at most `lost_max` of their total; of no stories,
/// the largest number.
pub fn cap(mut stories: Vec<Limited>, lost_max: f64) -> f64 {
    stories.sort_by(|one, other| (other.weight / other.bound).total_cmp(&(one.weight / one.bound)));
    let total: f64 = stories.iter().map(|story| story.weight * story.count).sum();
    let (mut weights, mut bounds, mut cap) = (0.0, 0.0, f64::MAX);
    for Limited { bound, weight, count, .. } in stories {
        // What would be lost if these were no more than this one.
        if weights - weight / bound * bounds > lost_max * total {
            break;
        }
        cap = weight / bound;
        weights += weight * count;
        bounds += bound * count;
    }
    cap
}
