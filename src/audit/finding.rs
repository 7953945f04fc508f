//! How well a shortcut does, against chance.

use serde::Serialize;

use super::count::Count;

/// How well a shortcut does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The shortcut.
    pub key: String,
    /// What it does.
    pub about: String,
    /// Which one of several it is: the answer, the number of the sentence, what the tree asks for.
    pub which: Option<String>,
    /// Whether something was learned, or chosen, on other rows than those on which it is tried.
    pub is_learned: bool,
    /// On how many rows it was tried.
    pub rows: u64,
    /// In how many of them it has an answer.
    pub answered: u64,
    /// How much it gets right; where it has no answer, it guesses.
    pub accuracy: f64,
    /// What guessing gets right.
    pub chance: f64,
    /// How far it is above that.
    pub over: f64,
    /// From here …
    pub low: f64,
    /// … to here the accuracy is with 95% (Wilson's interval).
    pub high: f64,
    /// The accuracy on all rows, those included on which it was chosen.
    pub on_all_rows: Option<f64>,
    /// Of which share of the pairs it gets both right: told of twins.
    #[serde(skip)]
    pub(super) both: Option<f64>,
}

impl Finding {
    /// Of so many rows with an answer, what is right and what would be guessed; and the same of all rows.
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
            rows,
            answered: count.answered,
            accuracy: share(right),
            chance: share(all.chance),
            over,
            low,
            high,
            on_all_rows: None,
            both: None,
        }
    }
}

/// Wilson's interval at 95%.
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
