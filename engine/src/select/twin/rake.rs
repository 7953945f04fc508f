//! Finds the factors by which stories are chosen together with their twins, round by round.

use crate::select::balance::{CLIPPED_MAX, Limited, MISFIT_MAX, Weights, cap};

/// How often factors and limits are found in turn.
const SETTLINGS: usize = 4;

/// Factors are found once no share is off by more than this.
const ERROR_MAX: f64 = 2e-3;

/// The search for factors ends after this many rounds.
const ROUNDS_MAX: usize = 400;

/// The search for factors ends early if, after this many rounds, a share is off by more than this.
const HOPELESS: (usize, f64) = (60, 0.1);

/// Factors that are being fitted on pilot stories and their twins.
pub trait Rake {
    /// The factors.
    fn weights(&mut self) -> &mut Weights;

    /// The weight of each story with its twins, without limits.
    fn totals(&self) -> Vec<f64>;

    /// Adjusts one margin after another. Returns how far the worst share was off, and which margin it belongs to.
    fn round(&mut self) -> (f64, usize);

    /// Finds the factors. Returns them, with how many of this number of pilot stories would be kept.
    fn settle(mut self, pilots: usize) -> Weights
    where
        Self: Sized,
    {
        for _ in 0..SETTLINGS {
            self.until_right();
            if self.weights().error > MISFIT_MAX {
                break;
            }
            // The weight of stories is limited so that little is lost.
            let limited = |total| Limited { rank: 0, bound: 1.0, weight: total, count: 1.0 };
            self.weights().largest = cap(self.totals().into_iter().map(limited).collect(), CLIPPED_MAX);
        }
        self.until_right();
        let largest = self.weights().largest;
        let kept = self.totals().into_iter().map(|total| (total / largest).min(1.0)).sum::<f64>();
        Weights { kept: kept / pilots.max(1) as f64, pilots, ..self.weights().clone() }
    }

    /// Repeats rounds until the shares are right or clearly cannot be. Records the worst share's error and its margin.
    fn until_right(&mut self) {
        for round in 0..ROUNDS_MAX {
            let (error, worst) = self.round();
            let weights = self.weights();
            (weights.error, weights.worst) = (error, worst);
            let is_hopeless = round >= HOPELESS.0 && error > HOPELESS.1;
            if error <= ERROR_MAX || is_hopeless {
                break;
            }
        }
    }
}
