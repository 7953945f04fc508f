//! Intervals of shares, and differences of paired shares.

use serde::Serialize;
use statrs::distribution::{Binomial, DiscreteCDF};
use statrs::function::erf::erfc;

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const Z: f64 = 1.959_963_984_540_054;

/// The largest number of discordant pairs for which the test is exact; beyond it, the difference is negligible.
const EXACT_MAX: u64 = 1000;

/// The 95 % interval of a share (Wilson, *Probable inference, the law of succession, and statistical inference*, 1927).
///
/// With no observations, the interval is everything from 0 to 1.
///
/// ```
/// let (low, high) = storysim::score::wilson(81, 263);
/// assert_eq!((format!("{low:.4}"), format!("{high:.4}")), ("0.2553".to_owned(), "0.3662".to_owned()));
/// assert_eq!(storysim::score::wilson(0, 0), (0.0, 1.0));
/// ```
pub fn wilson(right: u64, of: u64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let (share, of_rows) = (right as f64 / of as f64, of as f64);
    let (centre, square) = (share + Z * Z / (2.0 * of_rows), Z * Z / of_rows);
    let half = Z * (share * (1.0 - share) / of_rows + square / (4.0 * of_rows)).sqrt();
    // At the ends the formula gives 0 and 1 but for rounding.
    let low = if right == 0 { 0.0 } else { (centre - half) / (1.0 + square) };
    let high = if right == of { 1.0 } else { (centre + half) / (1.0 + square) };
    (low, high)
}

/// The way in which a probability was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// It comes from the binomial distribution.
    Exact,
    /// It comes from the chi-squared distribution, with Edwards' correction for continuity.
    ChiSquared,
}

/// The two-sided probability that two equally good models differ by at least this much on the same rows (McNemar, *Note
/// on the sampling error of the difference between correlated proportions or percentages*, 1947): each row that only
/// one of them gets right is as likely to be the first one's as the second one's.
///
/// ```
/// let (p, test) = storysim::score::mcnemar(6, 16);
/// assert_eq!((format!("{p:.4}"), test), ("0.0525".to_owned(), storysim::score::Test::Exact));
/// ```
///
/// # Panics
/// Never: the distribution exists for any count.
pub fn mcnemar(only_first: u64, only_second: u64) -> (f64, Test) {
    let of = only_first + only_second;
    if of <= EXACT_MAX {
        let fair = Binomial::new(0.5, of).expect("a half is a probability");
        return ((2.0 * fair.cdf(only_first.min(only_second))).min(1.0), Test::Exact);
    }
    let apart = (only_first.abs_diff(only_second) as f64 - 1.0).max(0.0);
    let chi_squared = apart * apart / of as f64;
    // With one degree of freedom, that is the square of a normal variable.
    (erfc((chi_squared / 2.0).sqrt()), Test::ChiSquared)
}

/// The 95 % interval of the difference between the shares of two independent samples, each given as `(right, of)`
/// (Newcombe, *Interval estimation for the difference between independent proportions*, 1998, method 10: from Wilson's
/// intervals of both).
///
/// ```
/// let (low, high) = storysim::score::newcombe((56, 70), (48, 80));
/// assert_eq!((format!("{low:.4}"), format!("{high:.4}")), ("0.0524".to_owned(), "0.3339".to_owned()));
/// assert_eq!(storysim::score::newcombe((0, 0), (0, 0)), (-1.0, 1.0));
/// ```
pub fn newcombe(one: (u64, u64), other: (u64, u64)) -> (f64, f64) {
    if one.1 == 0 || other.1 == 0 {
        return (-1.0, 1.0);
    }
    let share = |(right, of): (u64, u64)| right as f64 / of as f64;
    let (first, second) = (share(one), share(other));
    let [(low, high), (other_low, other_high)] = [one, other].map(|(right, of)| wilson(right, of));
    let both = |one: f64, other: f64| (one * one + other * other).sqrt();
    let difference = first - second;
    (difference - both(first - low, other_high - second), difference + both(high - first, second - other_low))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe, *Two-sided confidence intervals for the single proportion*, 1998, table I, method 3.
    #[test]
    fn intervals_are_those_published() {
        for (right, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let (found_low, found_high) = wilson(right, of);
            assert!((found_low - low).abs() < 5e-5 && (found_high - high).abs() < 5e-5, "{right} of {of}");
        }
        assert_eq!(wilson(20, 20).1, 1.0);
    }

    /// Newcombe, *Interval estimation for the difference between independent proportions*, 1998, table II, method 10.
    #[test]
    fn intervals_of_differences_are_those_published() {
        for (one, other, low, high) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((10, 10), (0, 20), 0.6791, 1.0),
            ((10, 10), (0, 10), 0.6075, 1.0),
        ] {
            let (found_low, found_high) = newcombe(one, other);
            assert!((found_low - low).abs() < 5e-5 && (found_high - high).abs() < 5e-5, "{one:?} {other:?}");
            let turned = newcombe(other, one);
            assert!((turned.0 + found_high).abs() < 1e-12 && (turned.1 + found_low).abs() < 1e-12);
        }
    }

    /// The interval holds those shares from which what was seen is less than Z deviations away.
    #[test]
    fn the_ends_of_an_interval_are_z_deviations_away() {
        for (right, of) in [(3, 10), (50, 100), (999, 1000), (1, 2)] {
            let (low, high) = wilson(right, of);
            for end in [low, high] {
                let deviation = (end * (1.0 - end) / of as f64).sqrt();
                let away = (right as f64 / of as f64 - end).abs() / deviation;
                assert!((away - Z).abs() < 1e-9, "{right} of {of}: {away}");
            }
        }
    }

    /// The probability of at most so many heads, added up.
    fn tail(heads: u64, of: u64) -> f64 {
        let mut term = 0.5_f64.powi(of as i32);
        let mut sum = 0.0;
        for k in 0..=heads {
            sum += term;
            term *= (of - k) as f64 / (k + 1) as f64;
        }
        sum
    }

    #[test]
    fn the_exact_test_adds_up() {
        for (first, second) in [(0, 0), (0, 1), (6, 16), (5, 5), (30, 12), (400, 450), (0, 40)] {
            let wanted = (2.0 * tail(first.min(second), first + second)).min(1.0);
            let (found, test) = mcnemar(first, second);
            assert!(
                (found - wanted).abs() < 1e-9 && test == Test::Exact,
                "{first} {second}: {found} {wanted}"
            );
            assert_eq!(mcnemar(second, first).0, found);
        }
    }

    #[test]
    fn beyond_it_the_approximation_goes_on() {
        let (exact, test) = mcnemar(470, 530);
        assert_eq!(test, Test::Exact);
        let (near, test) = mcnemar(470, 531);
        assert_eq!(test, Test::ChiSquared);
        assert!((exact - near).abs() < 0.01, "{exact} {near}");
        assert_eq!(mcnemar(1_000_000, 1_000_000).0, 1.0);
        assert!(mcnemar(1_000_000, 2_000_000).0 < 1e-12);
    }
}
