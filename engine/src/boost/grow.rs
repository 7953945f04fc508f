//! One tree: which splits lower the loss most.
//!
//! What is summed over choices are integers, so sums have no order, and what one child has is exactly what its parent has
//! without the other child.

use std::mem;

use super::bins::{BINS, Binned};
use super::ranker::{NO_CUT, Ranker};
use super::settings::Settings;

/// Gradient and hessian, of a choice or summed over some, in units of [`Growth::unit`].
pub type Slope = [i64; 2];

/// For each feature and bin, the slopes of the choices in it.
type Histogram = Vec<[Slope; BINS]>;

/// A split: values up to the edge of a bin go one way, all others the other.
struct Split {
    gain: f64,
    /// The number of the feature among those with bins.
    feature: usize,
    bin: u8,
    below: Slope,
}

/// Grows trees on some choices.
pub struct Growth<'a> {
    pub binned: &'a Binned,
    pub settings: &'a Settings,
    /// What 1 is in slopes.
    pub unit: f64,
    /// The slopes of all choices.
    pub slopes: Vec<Slope>,
    /// The choices that are learned from; those of a node are next to each other.
    pub choices: Vec<u32>,
    /// Choices on their way to the second child.
    aside: Vec<u32>,
    /// Histograms that are not in use.
    spare: Vec<Histogram>,
}

impl<'a> Growth<'a> {
    pub fn new(
        binned: &'a Binned,
        settings: &'a Settings,
        unit: f64,
        choices: Vec<u32>,
        choice_count: usize,
    ) -> Self {
        let slopes = vec![[0; 2]; choice_count];
        Self { binned, settings, unit, slopes, choices, aside: Vec::new(), spare: Vec::new() }
    }

    /// Grows a tree that follows the slopes, adds it to the ranker, and adds what it says to the scores of choices.
    pub fn tree(&mut self, ranker: &mut Ranker, scores: &mut [f64]) {
        let inner = (1 << ranker.depth) - 1;
        ranker.features.resize(ranker.features.len() + inner, 0);
        ranker.cuts.resize(ranker.cuts.len() + inner, NO_CUT);
        ranker.leaves.resize(ranker.leaves.len() + inner + 1, 0.0);
        let (histogram, total) = (self.histogram(0, self.choices.len()), self.sum());
        self.node(&mut Tree { ranker, scores }, 0, (0, self.choices.len()), histogram, total);
    }

    fn sum(&self) -> Slope {
        self.choices.iter().fold([0; 2], |sum, &choice| plus(sum, self.slopes[choice as usize]))
    }

    /// Splits the node, or makes it a leaf. The node has the choices from `first` to before `end`.
    fn node(
        &mut self,
        tree: &mut Tree<'_>,
        node: usize,
        (first, end): (usize, usize),
        histogram: Option<Histogram>,
        total: Slope,
    ) {
        let split = histogram.as_ref().and_then(|histogram| self.best(histogram, total));
        let Some(split) = split else {
            self.spare.extend(histogram);
            return self.leaf(tree, node, (first, end), total);
        };
        let (feature, cuts) = &self.binned.features[split.feature];
        let at = tree.ranker.cuts.len() - ((1 << tree.ranker.depth) - 1) + node;
        (tree.ranker.features[at], tree.ranker.cuts[at]) = (*feature, cuts[usize::from(split.bin)]);
        tree.ranker.gains[usize::from(*feature)] += split.gain;
        let middle = self.divide(first, end, &split);
        let above = minus(total, split.below);
        let has_grandchildren = 2 * node + 2 < (1 << tree.ranker.depth) - 1;
        let (mut one, mut other) = (None, None);
        if has_grandchildren {
            // Only the smaller child is counted; the other has what remains.
            let (is_first_smaller, mut rest) = (middle - first <= end - middle, histogram);
            let (from, to) = if is_first_smaller { (first, middle) } else { (middle, end) };
            let counted = self.histogram(from, to);
            if let (Some(rest), Some(counted)) = (&mut rest, &counted) {
                take_away(rest, counted);
            }
            (one, other) = if is_first_smaller { (counted, rest) } else { (rest, counted) };
        } else {
            self.spare.extend(histogram);
        }
        self.node(tree, 2 * node + 1, (first, middle), one, split.below);
        self.node(tree, 2 * node + 2, (middle, end), other, above);
    }

    /// Every way down from the node ends in the same score. It makes the loss least, as far as slopes can tell.
    fn leaf(&mut self, tree: &mut Tree<'_>, node: usize, (first, end): (usize, usize), total: Slope) {
        let [gradient, hessian] = total.map(|sum| sum as f64 / self.unit);
        let step = -self.settings.shrinkage * gradient / (hessian + self.settings.leaf_penalty);
        let value = step as f32;
        let ranker = &mut *tree.ranker;
        let (mut from, mut to) = (node, node);
        let inner = (1 << ranker.depth) - 1;
        while from < inner {
            (from, to) = (2 * from + 1, 2 * to + 2);
        }
        let leaves = ranker.leaves.len() - (inner + 1);
        ranker.leaves[leaves + from - inner..=leaves + to - inner].fill(value);
        for &choice in &self.choices[first..end] {
            tree.scores[choice as usize] += f64::from(value);
        }
    }

    /// The split that lowers the loss most; of equal ones that of the first feature with the lowest cut.
    fn best(&self, histogram: &Histogram, total: Slope) -> Option<Split> {
        let mut best: Option<Split> = None;
        let before = self.merit(total);
        let hessian_min = (self.settings.leaf_hessian_min * self.unit) as i64;
        for (feature, (bins, (_, cuts))) in histogram.iter().zip(&self.binned.features).enumerate() {
            let mut below = [0; 2];
            for (bin, slope) in bins[..cuts.len()].iter().enumerate() {
                below = plus(below, *slope);
                let above = minus(total, below);
                if below[1] < hessian_min || above[1] < hessian_min || below[1] == 0 || above[1] == 0 {
                    continue;
                }
                let gain = self.merit(below) + self.merit(above) - before;
                if gain > best.as_ref().map_or(0.0, |best| best.gain) {
                    best = Some(Split { gain, feature, bin: bin as u8, below });
                }
            }
        }
        best
    }

    /// By how much the best score lowers the loss of choices with this slope.
    fn merit(&self, slope: Slope) -> f64 {
        let [gradient, hessian] = slope.map(|sum| sum as f64 / self.unit);
        0.5 * (gradient * gradient / (hessian + self.settings.leaf_penalty))
    }

    /// Puts the choices below the split first, both sides in their old order, and returns where the second begin.
    fn divide(&mut self, first: usize, end: usize, split: &Split) -> usize {
        let mut aside = mem::take(&mut self.aside);
        aside.clear();
        let mut middle = first;
        for at in first..end {
            let choice = self.choices[at];
            if self.binned.of(choice)[split.feature] <= split.bin {
                self.choices[middle] = choice;
                middle += 1;
            } else {
                aside.push(choice);
            }
        }
        self.choices[middle..end].copy_from_slice(&aside);
        self.aside = aside;
        middle
    }

    /// The histogram of the choices from `first` to before `end`.
    fn histogram(&mut self, first: usize, end: usize) -> Option<Histogram> {
        let mut histogram = self.spare.pop().unwrap_or_default();
        histogram.clear();
        histogram.resize(self.binned.features.len(), [[0; 2]; BINS]);
        for &choice in &self.choices[first..end] {
            let slope = self.slopes[choice as usize];
            for (bins, &bin) in histogram.iter_mut().zip(self.binned.of(choice)) {
                let sum = &mut bins[usize::from(bin) % BINS];
                *sum = plus(*sum, slope);
            }
        }
        Some(histogram)
    }
}

/// The tree that grows, the last of its ranker, and the scores that it changes.
struct Tree<'a> {
    ranker: &'a mut Ranker,
    scores: &'a mut [f64],
}

#[inline]
fn plus(one: Slope, other: Slope) -> Slope {
    [one[0] + other[0], one[1] + other[1]]
}

#[inline]
fn minus(one: Slope, other: Slope) -> Slope {
    [one[0] - other[0], one[1] - other[1]]
}

fn take_away(from: &mut Histogram, what: &Histogram) {
    for (bins, others) in from.iter_mut().zip(what) {
        for (bin, other) in bins.iter_mut().zip(others) {
            *bin = minus(*bin, *other);
        }
    }
}
