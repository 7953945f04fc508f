//! From the arguments of a command to compiled storyboards.

use super::progress::meanwhile;
use super::{Failure, ReportFormat, look, print, say};
use crate::compile::problems;
use crate::diagnostic::{Diagnostic, Severity, Source, render};
use crate::folder::Variant;
use crate::load::{admitted, source, weights_beside};
use crate::select::{Admitted, Family, Twinning};
use crate::storyboard::{Storyboard, parse};

/// Reads all storyboards, and reports everything that is wrong with their form.
///
/// # Errors
/// If a storyboard cannot be read, or is wrong.
pub fn load(boards: &[String], format: ReportFormat) -> Result<Vec<Storyboard>, Failure> {
    let mut loaded = Vec::new();
    let mut is_wrong = false;
    for board in boards {
        let source = match source(board) {
            Ok(source) => source,
            Err(Failure::Wrong(what)) => {
                say(&what);
                is_wrong = true;
                continue;
            }
            Err(failure) => return Err(failure),
        };
        match parse(source) {
            Ok(read) => {
                let weights = weights_beside(board)?;
                loaded.push(Storyboard { weights, ..read });
            }
            Err(broken) => {
                say_all(&problems(&broken), &broken.source, &[], format)?;
                is_wrong = true;
            }
        }
    }
    if is_wrong { Err(Failure::Input) } else { Ok(loaded) }
}

/// Compiles a variant, tries out whether its goals are met often enough, and reports problems that are not yet in `said`.
///
/// # Errors
/// If it does not compile.
pub fn compile_aloud(
    variant: &Variant<'_>,
    said: &mut Vec<Diagnostic>,
    format: ReportFormat,
    is_quiet: bool,
) -> Result<Admitted, Failure> {
    let what = format!("balancing stories of {}", variant.board.name.value);
    let is_said = variant.board.balance.is_some() && !is_quiet;
    let (admitted, problems) = meanwhile(is_said, what, || admitted(variant));
    say_new(variant, problems, said, format)?;
    admitted.ok_or(Failure::Input)
}

/// Tries out whether the stories of a variant have these twins, and reports problems that are not yet in `said`. Returns the
/// family; where shares are balanced, with the factors by which pairs or triplets are kept.
///
/// # Errors
/// If too few stories have such twins.
pub fn admit_twins_aloud(
    variant: &Variant<'_>,
    (family, twins): (Family, Twinning),
    said: &mut Vec<Diagnostic>,
    is_quiet: bool,
) -> Result<Family, Failure> {
    let what = format!("looking for twins of stories of {}", variant.board.name.value);
    match meanwhile(!is_quiet, what, || twins.admit(variant.board, family)) {
        Ok(family) => Ok(family),
        Err(problem) => {
            say_new(variant, vec![problem], said, ReportFormat::Text)?;
            Err(Failure::Input)
        }
    }
}

/// Reports problems that are not yet in `said`.
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

/// Reports errors and warnings to people or to programs.
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
