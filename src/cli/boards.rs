//! From what stands on the command line to compiled storyboards.

use std::io::Read;
use std::str::FromStr;

use super::progress::meanwhile;
use super::{Failure, ReportFormat, look, print, say};
use crate::compile::{CompiledFamily, compile_family, problems};
use crate::diagnostic::{Diagnostic, Severity, Source, did_you_mean, render};
use crate::experiment::Experiment;
use crate::plan::Plan;
use crate::select::{Acceptance, admit, admit_twins};
use crate::storyboard::{BUILT_IN, SOURCE_BYTES_MAX, Storyboard, parse};

/// A sweep may have this many values, of all parameters together.
const VALUES_MAX: usize = 100_000;

/// `NAME=V`, or `NAME=A..B..STEP`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The parameter.
    pub name: String,
    /// Its values.
    pub values: Vec<i64>,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, values) =
            text.split_once('=').ok_or("there is no `=`: write NAME=V or NAME=A..B..STEP")?;
        let number = |text: &str| {
            text.trim().parse::<i64>().map_err(|_| format!("`{text}` is not an integer of 64 bits"))
        };
        let parts: Vec<&str> = values.split("..").collect();
        let values = match parts[..] {
            [value] => vec![number(value)?],
            [first, last, step] => {
                let (first, last, step) = (number(first)?, number(last)?, number(step)?);
                if step < 1 || first > last {
                    return Err("a sweep goes up: A..B..STEP with A ≤ B and STEP ≥ 1".into());
                }
                if last.abs_diff(first) / step.unsigned_abs() >= VALUES_MAX as u64 {
                    return Err(format!("a sweep has at most {VALUES_MAX} values"));
                }
                let next = |value: &i64| value.checked_add(step).filter(|&next| next <= last);
                std::iter::successors(Some(first), next).collect()
            }
            _ => return Err("write NAME=V, or NAME=A..B..STEP with both ends included".into()),
        };
        Ok(Self { name: name.trim().to_owned(), values })
    }
}

/// A storyboard with one value for each parameter that was set.
#[derive(Clone, Debug)]
pub struct Variant<'a> {
    /// The storyboard.
    pub board: &'a Storyboard,
    /// Parameters and values.
    pub settings: Vec<(String, i64)>,
}

impl Variant<'_> {
    /// The names of the parameters that were set.
    pub fn set(&self) -> Vec<String> {
        self.settings.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The board's name, with what was set.
    pub fn name(&self) -> String {
        let settings = self.settings.iter().map(|(name, value)| format!(",{name}={value}"));
        self.board.name.value.clone() + &settings.collect::<String>()
    }

    /// Compiles it again.
    ///
    /// # Panics
    /// If it did not compile before.
    pub fn compile(&self) -> Vec<Plan> {
        compile_family(self.board, &self.settings).expect("it compiled before").plans
    }
}

/// Reads all storyboards, and says all that is wrong with their form.
///
/// # Errors
/// If one cannot be read, or is wrong.
pub fn load(boards: &[String], format: ReportFormat) -> Result<Vec<Storyboard>, Failure> {
    let mut loaded = Vec::new();
    let mut is_wrong = false;
    for board in boards {
        let Some(source) = source(board)? else {
            is_wrong = true;
            continue;
        };
        match parse(source) {
            Ok(board) => loaded.push(board),
            Err(broken) => {
                say_all(&problems(&broken), &broken.source, &[], format)?;
                is_wrong = true;
            }
        }
    }
    if is_wrong { Err(Failure::Input) } else { Ok(loaded) }
}

fn source(board: &str) -> Result<Option<Source>, Failure> {
    if let Some(built_in) = BUILT_IN.iter().find(|built_in| built_in.name == board) {
        return Ok(Some(built_in.source()));
    }
    let looks_like_path = board.contains(['/', '\\', '.']) || std::path::Path::new(board).exists();
    if !looks_like_path {
        let help = did_you_mean(board, BUILT_IN.iter().map(|built_in| built_in.name))
            .unwrap_or_else(|| "`storysim list` shows them".to_owned());
        say(&format!("error: `{board}` is neither a file nor a built-in storyboard: {help}\n"));
        return Ok(None);
    }
    // One byte more than allowed, so that a longer file is told from one that just fits.
    let mut bytes = Vec::new();
    std::fs::File::open(board)
        .and_then(|file| file.take(SOURCE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes))
        .map_err(Failure::environment(format!("reading {board}")))?;
    if bytes.len() > SOURCE_BYTES_MAX {
        say(&format!(
            "error: {board} is longer than {SOURCE_BYTES_MAX} bytes, the most that a storyboard can have\n"
        ));
        return Ok(None);
    }
    let Ok(text) = String::from_utf8(bytes) else {
        say(&format!("error: {board} is not UTF-8 text\n"));
        return Ok(None);
    };
    Ok(Some(Source { name: board.to_owned(), text }))
}

/// Rows are told apart by their storyboard's name.
fn no_duplicate_names(boards: &[Storyboard]) -> Result<(), Failure> {
    for (at, board) in boards.iter().enumerate() {
        if let Some(other) = boards[..at].iter().find(|other| other.name.value == board.name.value) {
            return Err(Failure::Usage(format!(
                "{} and {} are both named `{}`: their rows would have the same ids",
                other.source.name, board.source.name, board.name.value
            )));
        }
    }
    Ok(())
}

/// Every board with every combination of values, in the order of boards and values.
///
/// # Errors
/// If a board has no such parameter, or two boards have one name.
pub fn variants<'a>(boards: &'a [Storyboard], settings: &[Setting]) -> Result<Vec<Variant<'a>>, Failure> {
    grid(boards, std::iter::repeat_n(settings, boards.len()))
}

/// The same, where every board has settings of its own, in the order of the boards.
///
/// # Errors
/// As [`variants`].
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

/// Refuses what cannot be set on a board.
fn check_settings(board: &Storyboard, settings: &[Setting]) -> Result<(), Failure> {
    for (at, setting) in settings.iter().enumerate() {
        if settings[..at].iter().any(|other| other.name == setting.name) {
            return Err(Failure::Usage(format!("--set {} is given twice", setting.name)));
        }
        let known: Vec<&str> = board.numbers().map(|name| name.value.as_str()).collect();
        if !known.contains(&setting.name.as_str()) {
            let help =
                did_you_mean(&setting.name, known.iter().copied()).unwrap_or_else(|| match known[..] {
                    [] => "it has none".to_owned(),
                    _ => format!("it has {}", known.join(", ")),
                });
            let message =
                format!("--set {}: {} has no such parameter: {help}", setting.name, board.name.value);
            return Err(Failure::Usage(message));
        }
    }
    let count = settings.iter().try_fold(1_usize, |count, setting| count.checked_mul(setting.values.len()));
    if count.is_none_or(|count| count > VALUES_MAX) {
        return Err(Failure::Usage(format!("all --set together have more than {VALUES_MAX} values")));
    }
    Ok(())
}

/// What an experiment tells: the names of its boards, and what is set on each.
pub fn of_experiment(experiment: &Experiment) -> (Vec<String>, Vec<Vec<Setting>>) {
    let setting =
        |(name, values): &(&str, &[i64])| Setting { name: (*name).to_owned(), values: values.to_vec() };
    let told = experiment.boards.iter();
    told.map(|told| (told.board.to_owned(), told.set.iter().map(setting).collect())).unzip()
}

/// Compiles a variant, tries out whether its goals are met often enough, and says what there is to say about it, but not what has been `said` before.
///
/// # Errors
/// If it does not compile.
pub fn compile_aloud(
    variant: &Variant<'_>,
    said: &mut Vec<Diagnostic>,
    format: ReportFormat,
    is_quiet: bool,
) -> Result<(Vec<Plan>, Option<Acceptance>), Failure> {
    let balancing = || {
        let compiled = compile_family(variant.board, &variant.settings);
        compiled.and_then(|CompiledFamily { plans, mut warnings }| match admit(variant.board, &plans[..]) {
            Ok(acceptance) => Ok(((plans, acceptance), warnings)),
            Err(problem) => {
                warnings.insert(0, problem);
                Err(warnings)
            }
        })
    };
    let what = format!("balancing stories of {}", variant.board.name.value);
    let compiled = meanwhile(variant.board.balance.is_some() && !is_quiet, what, balancing);
    let (plans, problems) = match compiled {
        Ok((plans, warnings)) => (Some(plans), warnings),
        Err(problems) => (None, problems),
    };
    say_new(variant, problems, said, format)?;
    plans.ok_or(Failure::Input)
}

/// Tries out whether the stories of a variant have twins, and says if they do not, but not what has been `said` before.
///
/// # Errors
/// If too few have one.
pub fn admit_twins_aloud(
    variant: &Variant<'_>,
    plans: &[Plan],
    said: &mut Vec<Diagnostic>,
    is_quiet: bool,
) -> Result<(), Failure> {
    let what = format!("looking for twins of stories of {}", variant.board.name.value);
    let admitted = meanwhile(!is_quiet, what, || admit_twins(variant.board, plans));
    let Err(problem) = admitted else { return Ok(()) };
    say_new(variant, vec![problem], said, ReportFormat::Text)?;
    Err(Failure::Input)
}

/// Says what has not been `said` before.
fn say_new(
    variant: &Variant<'_>,
    problems: Vec<Diagnostic>,
    said: &mut Vec<Diagnostic>,
    format: ReportFormat,
) -> Result<(), Failure> {
    let new: Vec<Diagnostic> = problems.into_iter().filter(|problem| !said.contains(problem)).collect();
    if !new.is_empty() {
        let is_wrong = new.iter().any(|problem| problem.severity == Severity::Error);
        if is_wrong && !variant.settings.is_empty() && format == ReportFormat::Text {
            let settings: Vec<String> =
                variant.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
            say(&format!("with {}:\n", settings.join(", ")));
        }
        say_all(&new, &variant.board.source, &variant.settings, format)?;
        said.extend(new);
    }
    Ok(())
}

/// Tells people, or programs, what is wrong or worth a warning.
fn say_all(
    problems: &[Diagnostic],
    source: &Source,
    settings: &[(String, i64)],
    format: ReportFormat,
) -> Result<(), Failure> {
    if format == ReportFormat::Text {
        say(&render(problems, source, look(&std::io::stderr())));
        return Ok(());
    }
    let problem = |problem: &Diagnostic| {
        let labels = problem.labels.iter().map(|(span, remark)| {
            let (line, column) = source.line_and_column(span.start);
            serde_json::json!({"line": line, "column": column, "length": span.end - span.start, "remark": remark})
        });
        serde_json::json!({
            "severity": if problem.severity == Severity::Error { "error" } else { "warning" },
            "message": problem.message,
            "labels": labels.collect::<Vec<_>>(),
            "help": problem.help,
        })
    };
    let set: serde_json::Map<String, serde_json::Value> =
        settings.iter().map(|(name, value)| (name.clone(), (*value).into())).collect();
    let is_wrong = problems.iter().any(|problem| problem.severity == Severity::Error);
    let object = serde_json::json!({
        "file": source.name,
        "set": set,
        "satisfiable": if is_wrong { Some(false) } else { None },
        "problems": problems.iter().map(problem).collect::<Vec<_>>(),
    });
    print(&format!("{object}\n"))
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
