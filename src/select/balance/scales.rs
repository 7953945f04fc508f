//! What stories weigh.

use crate::plan::{Balance, Level, Property, Stage, Weights};
use crate::world::Value;

/// What a story weighs, by its values: the product of their factors, but no more than its limits.
///
/// The limits are the largest weight, and for each stage so many times the product up to there. So whoever has read a story
/// up to a stage knows how much it can weigh at most; and to most stories that says that they are not kept.
#[derive(Clone, Debug)]
pub struct Scales {
    /// The margins, in the order of stages; within a stage, in that of the storyboard.
    margins: Vec<Scale>,
    /// Of each stage, one past its last margin.
    until: [usize; Stage::ALL.len()],
    caps: Vec<Vec<f64>>,
    /// The margin by whose values caps differ.
    ranks: Option<Scale>,
    /// What is always kept weighs so much.
    pub largest: f64,
}

/// The factors of one margin.
#[derive(Clone, Debug)]
pub struct Scale {
    /// What is looked at.
    pub property: Property,
    /// The number of the margin.
    pub margin: usize,
    /// By the number of the value.
    factors: Vec<f64>,
    /// The numbers of values, by what they are (see [`crate::question::Glance::value`]); of those that are never kept, one
    /// past all.
    numbers: Vec<u16>,
    /// The same for factors. 0: such stories are never kept.
    of_value: Vec<f64>,
}

impl Scale {
    /// The factor of a value, by what it is.
    #[inline]
    pub fn factor(&self, value: usize) -> f64 {
        self.of_value.get(value).copied().unwrap_or(0.0)
    }

    /// The number of a value, by what it is. None if such stories are never kept.
    pub fn number(&self, value: usize) -> Option<u16> {
        self.numbers.get(value).copied().filter(|&number| usize::from(number) < self.factors.len())
    }
}

impl Scales {
    /// For what is balanced, with these weights.
    pub fn new(balance: &Balance, weights: &Weights) -> Self {
        let mut order: Vec<usize> = (0..balance.margins.len()).collect();
        order.sort_by_key(|&margin| balance.margins[margin].property.stage());
        let scale = |&number: &usize| {
            let margin = &balance.margins[number];
            let factors = weights.factors[number].clone();
            let free = margin.free.map(|free| (free, margin.shares.len()));
            let listed = margin.shares.iter().enumerate().filter(|(_, (_, share))| *share > 0.0);
            let listed = listed.map(|(at, &(level, _))| (level, at)).chain(free);
            let listed: Vec<(usize, usize)> =
                listed.filter_map(|(level, at)| Some((index(level)?, at))).collect();
            let count = listed.iter().map(|&(value, _)| value + 1).max().unwrap_or(0);
            let (mut numbers, mut of_value) = (vec![factors.len() as u16; count], vec![0.0; count]);
            for (value, at) in listed {
                numbers[value] = at as u16;
                of_value[value] = factors[at];
            }
            Scale { property: margin.property, margin: number, factors, numbers, of_value }
        };
        let margins: Vec<Scale> = order.iter().map(scale).collect();
        let until = Stage::ALL.map(|stage| margins.partition_point(|scale| scale.property.stage() <= stage));
        let ranks =
            balance.ranks().and_then(|ranks| margins.iter().find(|scale| scale.margin == ranks)).cloned();
        Self { margins, until, caps: weights.caps.clone(), ranks, largest: weights.largest }
    }

    /// The margins of a stage.
    pub fn of_stage(&self, stage: Stage) -> &[Scale] {
        let from = (stage as usize).checked_sub(1).map_or(0, |before| self.until[before]);
        &self.margins[from..self.until[stage as usize]]
    }

    /// All margins.
    pub fn all(&self) -> &[Scale] {
        &self.margins
    }

    /// By how much the product up to a stage has to be multiplied at most, for a story with this number of the value of its
    /// rank.
    #[inline]
    pub fn cap(&self, stage: Stage, rank: usize) -> f64 {
        self.caps.get(stage as usize).map_or(1.0, |caps| caps[rank])
    }

    /// The margin by whose values caps differ, if there is one.
    pub fn ranks(&self) -> Option<&Scale> {
        self.ranks.as_ref()
    }

    /// The products up to each stage, given the number of the value of each margin.
    pub fn products(&self, levels: &[u16]) -> [f64; Stage::ALL.len()] {
        let mut product = 1.0;
        Stage::ALL.map(|stage| {
            for scale in self.of_stage(stage) {
                product *= scale.factors[usize::from(levels[scale.margin])];
            }
            product
        })
    }

    /// The product of all, without limits, given the number of the value of each margin.
    pub fn product(&self, levels: &[u16]) -> f64 {
        self.margins
            .iter()
            .fold(1.0, |product, scale| product * scale.factors[usize::from(levels[scale.margin])])
    }

    /// What a story weighs, given the number of the value of each margin.
    pub fn weigh(&self, levels: &[u16]) -> f64 {
        let rank = self.ranks().map_or(0, |ranks| usize::from(levels[ranks.margin]));
        let limits = Stage::ALL.into_iter().zip(self.products(levels));
        limits.fold(self.largest, |least, (stage, product)| least.min(product * self.cap(stage, rank)))
    }
}

/// A number for a value, such that those of one property have different ones.
fn index(level: Level) -> Option<usize> {
    match level {
        Level::Number(number) => usize::try_from(number).ok(),
        Level::Answer(Some(Value::Place(place))) => Some(place.index()),
        Level::Answer(_) => None, // read off stories by a [`super::gauge::Gauge`] alone
    }
}
