//! Learning: one tree after another.

use super::bins::Binned;
use super::data::{Data, Row};
use super::exp::softmax;
use super::grow::Growth;
use super::ranker::{DEPTH_MAX, Ranker};
use super::settings::Settings;

/// Where learning stops early, one row of so many is held out.
const HELD_OUT: usize = 5;

impl Ranker {
    /// Learns which choices are right.
    ///
    /// The same data and settings give the same ranker, bit for bit, on every platform.
    ///
    /// # Panics
    /// If the depth is 0 or above [`DEPTH_MAX`], if a setting is negative or not finite, or the penalty on leaves 0.
    pub fn learn(data: &Data, settings: &Settings) -> Self {
        let Settings { depth, shrinkage, leaf_penalty, leaf_hessian_min, .. } = *settings;
        assert!((1..=DEPTH_MAX).contains(&depth), "trees of depth {depth}");
        assert!(shrinkage.is_finite() && shrinkage >= 0.0, "a shrinkage of {shrinkage}");
        assert!(leaf_hessian_min.is_finite() && leaf_hessian_min >= 0.0, "a hessian of {leaf_hessian_min}");
        assert!(leaf_penalty.is_finite() && leaf_penalty > 0.0, "a penalty of {leaf_penalty}");
        let mut ranker = Self::new(data.width(), depth);
        let rows: Vec<Row> = data.rows().collect();
        let is_held_out = |at: usize| settings.patience.is_some() && at % HELD_OUT == HELD_OUT - 1;
        let (held_out, rows): (Vec<_>, Vec<_>) =
            rows.iter().enumerate().partition(|(at, _)| is_held_out(*at));
        let [rows, held_out] =
            [rows, held_out].map(|rows| rows.into_iter().map(|(_, row)| *row).collect::<Vec<_>>());
        let weights = rows.iter().fold(0.0, |sum, row| sum + row.weight);
        if weights > 0.0 {
            let binned = Binned::new(data);
            let mut lesson = Lesson::new(data, &rows, weights, &binned, settings);
            match settings.patience {
                None => (0..settings.trees).for_each(|_| lesson.tree(&mut ranker)),
                Some(patience) => lesson.trees_until(patience, &held_out, data, &mut ranker),
            }
        }
        ranker
    }
}

/// Rows that are learned from, and how far that has come.
struct Lesson<'a> {
    rows: &'a [Row],
    /// What a row counts, for each unit of its weight.
    scale: f64,
    growth: Growth<'a>,
    /// The scores of all choices so far.
    scores: Vec<f64>,
    /// The scores, then the probabilities of one row.
    of_row: Vec<f64>,
}

impl<'a> Lesson<'a> {
    fn new(data: &Data, rows: &'a [Row], weights: f64, binned: &'a Binned, settings: &'a Settings) -> Self {
        let choices = rows.iter().flat_map(|row| row.first as u32..row.end as u32).collect();
        // Rows of average weight count 1, so slopes add up to at most twice the number of rows: less than 2^62 units.
        let unit = (1_u64 << (60 - rows.len().ilog2())) as f64;
        let growth = Growth::new(binned, settings, unit, choices, data.choice_count());
        let scale = rows.len() as f64 / weights * unit;
        Self { rows, scale, growth, scores: vec![0.0; data.choice_count()], of_row: Vec::new() }
    }

    /// The probabilities of a row's choices.
    fn probabilities(&mut self, row: &Row) -> &[f64] {
        self.of_row.clear();
        self.of_row.extend_from_slice(&self.scores[row.first..row.end]);
        softmax(&mut self.of_row);
        &self.of_row
    }

    /// Adds a tree: one step towards what is right.
    fn tree(&mut self, ranker: &mut Ranker) {
        for row in self.rows {
            let weight = row.weight * self.scale;
            self.probabilities(row);
            for (at, p) in self.of_row.iter().enumerate() {
                let is_right = if at == row.label { 1.0 } else { 0.0 };
                let slope = [weight * (p - is_right), weight * (p * (1.0 - p))];
                self.growth.slopes[row.first + at] = slope.map(|slope| slope as i64);
            }
        }
        self.growth.tree(ranker, &mut self.scores);
    }

    /// Adds trees until so many have not helped, and takes these back.
    fn trees_until(&mut self, patience: usize, held_out: &[Row], data: &Data, ranker: &mut Ranker) {
        let (mut best, mut least, mut gains) = (0, self.error(held_out), ranker.gains.clone());
        for tree in 0..self.growth.settings.trees {
            self.tree(ranker);
            for choice in held_out.iter().flat_map(|row| row.first..row.end) {
                self.scores[choice] += f64::from(ranker.leaf(tree, data.choice(choice)));
            }
            let error = self.error(held_out);
            if error < least {
                (best, least) = (tree + 1, error);
                gains.clone_from(&ranker.gains);
            } else if tree + 1 - best >= patience {
                break;
            }
        }
        ranker.shorten(best);
        ranker.gains = gains;
    }

    /// How far probabilities are from what is right: the Brier score, times the weight of the rows.
    fn error(&mut self, rows: &[Row]) -> f64 {
        let mut error = 0.0;
        for row in rows {
            for (at, p) in self.probabilities(row).iter().enumerate() {
                let distance = if at == row.label { 1.0 - p } else { *p };
                error += row.weight * (distance * distance);
            }
        }
        error
    }
}
