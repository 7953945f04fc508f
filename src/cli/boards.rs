//! From the arguments of a command to compiled storyboards.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::progress::meanwhile;
use super::{Failure, ReportFormat, look, print, say};
use crate::compile::{CompiledFamily, compile_family, problems};
use crate::diagnostic::{Diagnostic, Severity, Source, did_you_mean, render};
use crate::folder::Variant;
use crate::prose::misread;
use crate::select::{Admitted, Family, Twinning, admit};
use crate::storyboard::{BUILT_IN, SOURCE_BYTES_MAX, Storyboard, parse};

/// Reads all storyboards, and reports everything that is wrong with their form.
///
/// # Errors
/// If a storyboard cannot be read, or is wrong.
pub fn load(boards: &[String], format: ReportFormat) -> Result<Vec<Storyboard>, Failure> {
    let mut loaded = Vec::new();
    let mut is_wrong = false;
    for board in boards {
        let Some(source) = source(board)? else {
            is_wrong = true;
            continue;
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

/// The file in which `storysim fit` keeps what it finds for a storyboard.
pub fn path_of_weights(board: &str) -> PathBuf {
    Path::new(board).with_extension("weights.json")
}

/// What `storysim fit` has written beside a storyboard.
fn weights_beside(board: &str) -> Result<Option<String>, Failure> {
    let path = path_of_weights(board);
    if BUILT_IN.iter().any(|built_in| built_in.name == board) || !path.exists() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&path);
    text.map(Some).map_err(Failure::environment(format!("reading {}", path.display())))
}

fn source(board: &str) -> Result<Option<Source>, Failure> {
    if let Some(built_in) = BUILT_IN.iter().find(|built_in| built_in.name == board) {
        return Ok(Some(built_in.source()));
    }
    let looks_like_path = board.contains(['/', '\\', '.']) || std::path::Path::new(board).exists();
    if !looks_like_path {
        let help = did_you_mean(board, BUILT_IN.iter().map(|built_in| built_in.name))
            .unwrap_or_else(|| "`storysim list` shows the built-in ones".to_owned());
        return Err(Failure::Usage(format!("`{board}` is neither a file nor a built-in storyboard: {help}")));
    }
    // One byte more than allowed, so that a longer file is told from one that just fits.
    let mut bytes = Vec::new();
    std::fs::File::open(board)
        .and_then(|file| file.take(SOURCE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes))
        .map_err(Failure::environment(format!("reading {board}")))?;
    if bytes.len() > SOURCE_BYTES_MAX {
        say(&format!("error: {board} is longer than {SOURCE_BYTES_MAX} bytes, the limit for a storyboard\n"));
        return Ok(None);
    }
    let Ok(text) = String::from_utf8(bytes) else {
        say(&format!("error: {board} is not UTF-8 text\n"));
        return Ok(None);
    };
    Ok(Some(Source { name: board.to_owned(), text }))
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
    let balancing = || {
        let CompiledFamily { plans, mut warnings } = compile_family(variant.board, &variant.settings)?;
        match admit(variant.board, plans) {
            Ok(admitted) => Ok((admitted, warnings)),
            Err(problem) => {
                warnings.insert(0, problem);
                Err(warnings)
            }
        }
    };
    let what = format!("balancing stories of {}", variant.board.name.value);
    let compiled = meanwhile(variant.board.balance.is_some() && !is_quiet, what, balancing);
    let misread = misread(variant.board);
    let (admitted, further) = match compiled {
        Ok((admitted, warnings)) => (Some(admitted).filter(|_| misread.is_empty()), warnings),
        Err(problems) => (None, problems),
    };
    say_new(variant, misread.into_iter().chain(further).collect(), said, format)?;
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
