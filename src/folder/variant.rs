//! Storyboards with values for their parameters.

use std::str::FromStr;

use super::Failure;
use crate::compile::compile_family;
use crate::diagnostic::did_you_mean;
use crate::experiment::Experiment;
use crate::select::{Family, FamilyWeights};
use crate::storyboard::Storyboard;

/// The largest number of combinations of values in a sweep.
const VALUES_MAX: usize = 100_000;

/// A parameter and its values, as in `NAME=V` or `NAME=A..B..STEP`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name of the parameter.
    pub name: String,
    /// The values of the parameter.
    pub values: Vec<i64>,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, values) = text.split_once('=').ok_or("`=` is missing: write NAME=V or NAME=A..B..STEP")?;
        let number =
            |text: &str| text.trim().parse::<i64>().map_err(|_| format!("`{text}` is not a 64-bit integer"));
        let parts: Vec<&str> = values.split("..").collect();
        let values = match parts[..] {
            [value] => vec![number(value)?],
            [first, last, step] => {
                let (first, last, step) = (number(first)?, number(last)?, number(step)?);
                if step < 1 || first > last {
                    return Err("a sweep has to go up: A..B..STEP with A ≤ B and STEP ≥ 1".into());
                }
                if last.abs_diff(first) / step.unsigned_abs() >= VALUES_MAX as u64 {
                    return Err(format!("a sweep has at most {VALUES_MAX} values"));
                }
                let next = |value: &i64| value.checked_add(step).filter(|&next| next <= last);
                std::iter::successors(Some(first), next).collect()
            }
            _ => return Err("write NAME=V, or NAME=A..B..STEP (both ends are included)".into()),
        };
        Ok(Self { name: name.trim().to_owned(), values })
    }
}

/// A storyboard with one value for each parameter that is set.
#[derive(Clone, Debug)]
pub struct Variant<'a> {
    /// The storyboard.
    pub board: &'a Storyboard,
    /// The parameters that are set, with their values.
    pub settings: Vec<(String, i64)>,
}

impl Variant<'_> {
    /// The names of the parameters that are set.
    pub fn set(&self) -> Vec<String> {
        self.settings.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The board's name, with the values that are set.
    pub fn name(&self) -> String {
        let settings = self.settings.iter().map(|(name, value)| format!(",{name}={value}"));
        self.board.name.value.clone() + &settings.collect::<String>()
    }

    /// Compiles the variant again, with the factors by which its stories are kept.
    ///
    /// # Panics
    /// If it did not compile before.
    pub fn compile(&self, weights: FamilyWeights) -> Family {
        let plans = compile_family(self.board, &self.settings).expect("it compiled before").plans;
        Family::with_weights(plans, weights)
    }
}

/// Refuses boards with the same name, since rows are told apart by it.
fn no_duplicate_names(boards: &[Storyboard]) -> Result<(), Failure> {
    for (at, board) in boards.iter().enumerate() {
        if let Some(other) = boards[..at].iter().find(|other| other.name.value == board.name.value) {
            return Err(Failure::Usage(format!(
                "{} and {} are both named `{}`, so their rows would have the same ids: rename one",
                other.source.name, board.source.name, board.name.value
            )));
        }
    }
    Ok(())
}

/// All boards with all combinations of values, in the order of boards and values.
///
/// # Errors
/// If a board does not have a parameter, or two boards have the same name.
pub fn variants<'a>(boards: &'a [Storyboard], settings: &[Setting]) -> Result<Vec<Variant<'a>>, Failure> {
    grid(boards, std::iter::repeat_n(settings, boards.len()))
}

/// The variants where every board has its own settings, given in the order of the boards.
///
/// # Errors
/// Like [`variants`].
pub fn grid<'a, 's>(
    boards: &'a [Storyboard],
    settings: impl IntoIterator<Item = &'s [Setting]>,
) -> Result<Vec<Variant<'a>>, Failure> {
    no_duplicate_names(boards)?;
    let mut variants = Vec::new();
    for (board, settings) in boards.iter().zip(settings) {
        check_settings(board, settings)?;
        let mut combinations: Vec<Vec<(String, i64)>> = vec![Vec::new()];
        for setting in settings {
            let extended = combinations.iter().flat_map(|combination| {
                setting.values.iter().map(|&value| {
                    let mut longer = combination.clone();
                    longer.push((setting.name.clone(), value));
                    longer
                })
            });
            combinations = extended.collect();
        }
        variants.extend(combinations.into_iter().map(|settings| Variant { board, settings }));
    }
    Ok(variants)
}

/// Refuses settings that a board does not allow.
fn check_settings(board: &Storyboard, settings: &[Setting]) -> Result<(), Failure> {
    for (at, setting) in settings.iter().enumerate() {
        if settings[..at].iter().any(|other| other.name == setting.name) {
            return Err(Failure::Usage(format!("the parameter {} is set twice", setting.name)));
        }
        let known: Vec<&str> = board.numbers().map(|name| name.value.as_str()).collect();
        if !known.contains(&setting.name.as_str()) {
            let help =
                did_you_mean(&setting.name, known.iter().copied()).unwrap_or_else(|| match known[..] {
                    [] => "it has no parameters".to_owned(),
                    _ => format!("its parameters are {}", known.join(", ")),
                });
            let message = format!("{} has no parameter {}: {help}", board.name.value, setting.name);
            return Err(Failure::Usage(message));
        }
    }
    let count = settings.iter().try_fold(1_usize, |count, setting| count.checked_mul(setting.values.len()));
    if count.is_none_or(|count| count > VALUES_MAX) {
        return Err(Failure::Usage(format!("the sweeps have more than {VALUES_MAX} combinations of values")));
    }
    Ok(())
}

/// The boards of an experiment by name, and the settings of each.
pub fn of_experiment(experiment: &Experiment) -> (Vec<String>, Vec<Vec<Setting>>) {
    let setting =
        |(name, values): &(&str, &[i64])| Setting { name: (*name).to_owned(), values: values.to_vec() };
    let told = experiment.boards.iter();
    told.map(|told| (told.board.to_owned(), told.set.iter().map(setting).collect())).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings() {
        let values = |text: &str| text.parse::<Setting>().map(|setting| setting.values);
        assert_eq!(values("d=5"), Ok(vec![5]));
        assert_eq!(values("d=-5"), Ok(vec![-5]));
        assert_eq!(values("d=5..20..5"), Ok(vec![5, 10, 15, 20]));
        assert_eq!(values("d=5..9..3"), Ok(vec![5, 8]));
        let full = format!("d={}..{}..{}", i64::MIN, i64::MAX, i64::MAX);
        assert_eq!(values(&full), Ok(vec![i64::MIN, -1, i64::MAX - 1]));
        for wrong in ["d", "d=", "d=x", "d=1..2", "d=2..1..1", "d=1..2..0", "d=1..2..3..4", "d=0..9999999..1"]
        {
            assert!(values(wrong).is_err(), "{wrong}");
        }
    }
}
