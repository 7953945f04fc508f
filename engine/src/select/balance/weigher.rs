//! What a story weighs: the product of the factors of its values, within limits.
//!
//! A *value* is what a story has of a property, as `Glance::value` spells it; its *level* is the
//! place of that value among those that the storyboard lists. For example, let two margins be balanced, with these factors:
//!
//! ```text
//! margin                   0 answer                  1 false_belief
//! level                    0 kitchen    1 garden     0 yes    1 no
//! factor                   0.5          2.0          1.5      1.0
//! ```
//!
//! A story that ends with a false belief in the garden has the levels `[1, 0]` and the product 2.0 · 1.5 = 3.0; if no story is to
//! weigh more than 2.5, it weighs 2.5 and is always kept. One with a true belief in the kitchen has the levels `[0, 1]`, weighs
//! 0.5 · 1.0 = 0.5, and is kept with a probability of 0.5 / 2.5.

use std::ops::Range;

use super::weights::Weights;
use crate::plan::{Balance, Level, Property, Stage};
use crate::world::Value;

/// Weighs stories by their values. The weight of a story is the product of its factors, but no more than its limits.
///
/// The limits are the largest weight and, for each stage, a multiple of the product up to that stage. So as soon as a
/// story has been read up to a stage, it is known how much it can weigh at most, which rules out most stories.
#[derive(Clone, Debug)]
pub struct Weigher {
    /// The factors of the margins, in the order of stages; within a stage, in the order of the storyboard.
    margins: Vec<MarginFactors>,
    /// For each stage, the index after its last margin.
    stage_ends: [usize; Stage::ALL.len()],
    caps: Vec<Vec<f64>>,
    /// The margin whose levels have different caps.
    rank_margin: Option<MarginFactors>,
    /// The largest weight of a story; stories with this weight are always kept.
    pub weight_max: f64,
}

/// The factors of one margin.
#[derive(Clone, Debug)]
pub struct MarginFactors {
    /// The property that is balanced.
    pub property: Property,
    /// The number of the margin.
    pub number: usize,
    /// The factor of each level.
    by_level: Vec<f64>,
    /// The level of each value; for values whose stories are never kept, a number larger than all levels.
    levels: Vec<u16>,
    /// The factor of each value; for values whose stories are never kept, 0.
    by_value: Vec<f64>,
    /// The largest factor of a value whose stories may be kept.
    pub largest: f64,
}

impl MarginFactors {
    fn new(balance: &Balance, weights: &Weights, number: usize) -> Self {
        let margin = &balance.margins[number];
        let by_level = weights.factors[number].clone();
        let free = margin.free.map(|free| (free, margin.shares.len()));
        let listed = margin.shares.iter().enumerate().filter(|(_, (_, share))| *share > 0.0);
        let listed = listed.map(|(at, &(level, _))| (level, at)).chain(free);
        let largest = listed.clone().map(|(_, at)| by_level[at]).fold(0.0, f64::max);
        let listed: Vec<(usize, usize)> =
            listed.flat_map(|(level, at)| values_of(level).map(move |value| (value, at))).collect();
        let count = listed.iter().map(|&(value, _)| value + 1).max().unwrap_or(0);
        let (mut levels, mut by_value) = (vec![by_level.len() as u16; count], vec![0.0; count]);
        for (value, at) in listed {
            levels[value] = at as u16;
            by_value[value] = by_level[at];
        }
        Self { property: margin.property, number, by_level, levels, by_value, largest }
    }

    /// The factor of a level.
    pub fn factor_at(&self, level: usize) -> f64 {
        self.by_level[level]
    }

    /// The factor of a value; 0 if such stories are never kept.
    #[inline]
    pub fn factor_of(&self, value: usize) -> f64 {
        self.by_value.get(value).copied().unwrap_or(0.0)
    }

    /// The level of a value; `None` if such stories are never kept.
    pub fn level_of(&self, value: usize) -> Option<u16> {
        self.levels.get(value).copied().filter(|&level| usize::from(level) < self.by_level.len())
    }
}

impl Weigher {
    /// A weigher for stories that are balanced in this way, with these factors.
    pub fn new(balance: &Balance, weights: &Weights) -> Self {
        let mut order: Vec<usize> = (0..balance.margins.len()).collect();
        order.sort_by_key(|&margin| balance.margins[margin].property.stage());
        let margins: Vec<MarginFactors> =
            order.into_iter().map(|number| MarginFactors::new(balance, weights, number)).collect();
        let stage_ends =
            Stage::ALL.map(|stage| margins.partition_point(|margin| margin.property.stage() <= stage));
        let rank_margin =
            balance.ranks().and_then(|ranks| margins.iter().find(|margin| margin.number == ranks)).cloned();
        Self { margins, stage_ends, caps: weights.caps.clone(), rank_margin, weight_max: weights.largest }
    }

    /// The margins of a stage.
    pub fn of_stage(&self, stage: Stage) -> &[MarginFactors] {
        let from = (stage as usize).checked_sub(1).map_or(0, |before| self.stage_ends[before]);
        &self.margins[from..self.stage_ends[stage as usize]]
    }

    /// All margins.
    pub fn all(&self) -> &[MarginFactors] {
        &self.margins
    }

    /// The most that a story can weigh by what is known at a stage, as a multiple of the product up to there; `rank` is the
    /// level of its rank, or 0 if ranks are not balanced.
    #[inline]
    pub fn cap(&self, stage: Stage, rank: usize) -> f64 {
        self.caps.get(stage as usize).map_or(1.0, |caps| caps[rank])
    }

    /// The margin whose levels have different caps, if there is one.
    pub fn rank_margin(&self) -> Option<&MarginFactors> {
        self.rank_margin.as_ref()
    }

    /// The product up to each stage, given the level of each margin.
    pub fn products(&self, levels: &[u16]) -> [f64; Stage::ALL.len()] {
        let mut product = 1.0;
        Stage::ALL.map(|stage| {
            for margin in self.of_stage(stage) {
                product *= margin.by_level[usize::from(levels[margin.number])];
            }
            product
        })
    }

    /// The product of all factors, without limits, given the level of each margin.
    pub fn product(&self, levels: &[u16]) -> f64 {
        self.margins
            .iter()
            .fold(1.0, |product, margin| product * margin.by_level[usize::from(levels[margin.number])])
    }

    /// The weight of a story, given the level of each margin.
    pub fn weigh(&self, levels: &[u16]) -> f64 {
        let rank = self.rank_margin().map_or(0, |margin| usize::from(levels[margin.number]));
        let limits = Stage::ALL.into_iter().zip(self.products(levels));
        limits.fold(self.weight_max, |least, (stage, product)| least.min(product * self.cap(stage, rank)))
    }
}

/// The values that a storyboard lists as one, in the form in which a glance gives them. There are none if no glance shows them:
/// only a [`super::gauge::Gauge`] can read such stories.
fn values_of(level: Level) -> Range<usize> {
    match level {
        Level::Answer(Some(Value::Place(place))) => place.index()..place.index() + 1,
        Level::Answer(_) => 0..0,
        Level::Number(_) | Level::Within(..) => {
            let [first, last] = level.numbers().expect("numbers").map(|number| number as usize);
            first..last + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PlaceId;
    use crate::plan::Margin;

    /// The example at the head of this file.
    #[test]
    fn a_story_weighs_the_product_of_its_factors() {
        let place = |at| Level::Answer(Some(Value::Place(PlaceId::new(at))));
        let margin =
            |property, shares: [(Level, f64); 2]| Margin { property, shares: shares.into(), free: None };
        let balance = Balance {
            question: 0,
            margins: vec![
                margin(Property::Answer, [(place(0), 0.5), (place(1), 0.5)]),
                margin(Property::FalseBelief, [(Level::Number(1), 0.75), (Level::Number(0), 0.25)]),
            ],
            learned: Vec::new(),
            pilots: None,
        };
        let weights = Weights {
            factors: vec![vec![0.5, 2.0, 1.0], vec![1.5, 1.0, 1.0]],
            largest: 2.5,
            caps: Vec::new(),
            kept: 0.0,
            error: 0.0,
            worst: 0,
            pilots: 0,
            missing: Vec::new(),
        };
        let weigher = Weigher::new(&balance, &weights);
        let [answer, belief] = weigher.all() else { panic!("two margins") };
        let levels = |place, is_false| [answer.level_of(place).unwrap(), belief.level_of(is_false).unwrap()];
        assert_eq!((levels(1, 1), levels(0, 0)), ([1, 0], [0, 1]));
        assert_eq!((weigher.product(&levels(1, 1)), weigher.weigh(&levels(1, 1))), (3.0, 2.5));
        assert_eq!(weigher.weigh(&levels(0, 0)), 0.5);
        assert_eq!((answer.level_of(2), answer.factor_of(2), belief.factor_of(2)), (None, 0.0, 0.0));
    }
}
