//! How well a shortcut does, against chance.

use serde::Serialize;

use super::count::Count;

/// How well a shortcut does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The key of the shortcut.
    pub key: String,
    /// A description of what the shortcut does.
    pub about: String,
    /// The variant of the shortcut: the answer, the number of the sentence, what the tree asks for.
    pub which: Option<String>,
    /// Whether it was learned or chosen on other rows than those that it is tested on.
    pub is_learned: bool,
    /// Whether it follows two people at once, which is half of following a mind.
    pub follows_two: bool,
    /// The number of rows that it was tested on.
    pub rows: u64,
    /// The number of these rows in which it has an answer.
    pub answered: u64,
    /// The share of rows that it gets right; where it has no answer, it guesses.
    pub accuracy: f64,
    /// The share of rows that guessing gets right.
    pub chance: f64,
    /// How far the accuracy is above chance.
    pub over: f64,
    /// The lower end of the 95% interval of the accuracy (Wilson's interval).
    pub low: f64,
    /// The upper end of that interval.
    pub high: f64,
    /// The accuracy on all rows, including those on which it was chosen.
    pub on_all_rows: Option<f64>,
    /// The share of pairs in which it gets both right, if there are twins.
    #[serde(skip)]
    pub(super) both: Option<f64>,
    /// The shares of triplets in which it gets all three right, and in which it gets the story and its second twin right.
    #[serde(skip)]
    pub(super) of_triplets: Option<[f64; 2]>,
}

impl Finding {
    /// A finding from the counts of a shortcut, in the rows where it has an answer, and of guessing in all rows.
    pub fn of(key: &str, about: &str, count: Count, all: Count) -> Self {
        let rows = all.answered;
        let right = count.hits + all.chance - count.chance;
        let share = |part: f64| if rows == 0 { 0.0 } else { part / rows as f64 };
        let (low, high) = wilson(right, rows);
        // What is guessed in every row is what guessing gets, without a trace of rounding.
        let over = share(count.hits - count.chance);
        Self {
            key: key.to_owned(),
            about: about.to_owned(),
            which: None,
            is_learned: false,
            follows_two: false,
            rows,
            answered: count.answered,
            accuracy: share(right),
            chance: share(all.chance),
            over,
            low,
            high,
            on_all_rows: None,
            both: None,
            of_triplets: None,
        }
    }
}

/// Wilson's interval at the 95% level.
///
/// ```
/// let (low, high) = storysim::audit::wilson(81.0, 263); // a textbook's: 0.2553 to 0.3662
/// assert_eq!((format!("{low:.4}"), format!("{high:.4}")), ("0.2553".into(), "0.3662".into()));
/// ```
pub fn wilson(right: f64, rows: u64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    if rows == 0 {
        return (0.0, 1.0);
    }
    let n = rows as f64;
    let p = (right / n).clamp(0.0, 1.0);
    let middle = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let reach = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    ((middle - reach).max(0.0), (middle + reach).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_shortcut_guesses() {
        let mut all = Count::default();
        (0..10).for_each(|_| all.add(4, 0.0));
        let mut right_twice = Count::default();
        (0..2).for_each(|_| right_twice.add(4, 1.0));
        let finding = Finding::of("x", "", right_twice, all);
        assert_eq!((finding.accuracy, finding.chance, finding.over), (0.4, 0.25, 0.15));
        assert_eq!(Finding::of("x", "", Count::default(), all).over, 0.0);
    }
}
