//! From the arguments of a command to compiled storyboards, and to packs.

use super::progress::meanwhile;
use super::{Failure, ReportFormat, Worded, look, print, say};
use crate::compile::problems;
use crate::diagnostic::{Diagnostic, Severity, Source, Span};
use crate::folder::Variant;
use crate::load::{self, admitted, pack_source, source, source_or_pack, weights_beside};
use crate::pack::{self, PACK_KEY, Pack, is_pack};
use crate::render::render;
use crate::select::{Admitted, Family, Twinning};
use crate::storyboard::{PLAIN, Storyboard, in_length, in_setting};

/// Reads all storyboards, and reports everything that is wrong with their form.
///
/// # Errors
/// If a storyboard cannot be read, or is wrong.
pub fn load(boards: &[String], format: ReportFormat) -> Result<Vec<Storyboard>, Failure> {
    load_worded(boards, &Worded::default(), format)
}

/// The same, with stories in a setting and in a wording instead of what the storyboards say.
///
/// # Errors
/// As [`load`], and if there is no such setting or wording.
pub fn load_worded(
    boards: &[String],
    worded: &Worded,
    format: ReportFormat,
) -> Result<Vec<Storyboard>, Failure> {
    let wording = worded.wording.as_deref();
    if let Some(wording) = wording.filter(|wording| *wording != PLAIN) {
        pack_of_kind("wording", "--wording", wording)?;
    }
    let setting = worded.setting.as_deref();
    let setting = setting.map(|setting| pack_of_kind("setting", "--setting", setting)).transpose()?;
    let placed = |name: &str| {
        let mut board = source(name)?;
        if is_pack(&board) {
            return Ok(board);
        }
        if let Some(setting) = &setting {
            board = told(&board, in_setting(&board, &setting.source))?;
        }
        if let Some(words) = worded.words {
            board = told(&board, in_length(&board, words, worded.at_depth))?;
        }
        Ok(board)
    };
    let mut loaded = Vec::new();
    read_each(boards, placed, |name, source| {
        if is_pack(&source) {
            say_all(&[no_storyboard(&source)], &source, &[], format)?;
            return Ok(false);
        }
        let board = read_board(name, source, wording, format)?;
        let is_right = board.is_some();
        loaded.extend(board);
        Ok(is_right)
    })?;
    Ok(loaded)
}

/// The text of a storyboard that is told in another way, or why it cannot be.
fn told(board: &Source, other: Result<Source, Diagnostic>) -> Result<Source, Failure> {
    other.map_err(|problem| Failure::Wrong(render(&[problem], board, look(&std::io::stderr()))))
}

/// The pack of a kind that an option names, or reports everything that is wrong with it.
///
/// # Errors
/// If there is none, or it is wrong.
pub fn pack_of_kind(kind: &str, option: &str, name: &str) -> Result<Pack, Failure> {
    let source = pack_source(name).map_err(|failure| match failure {
        Failure::Usage(message) => Failure::Usage(format!("{option}: {message}")),
        other => other,
    })?;
    match pack::parse(source.clone()) {
        Ok(pack) if pack.kind().key == kind => Ok(pack),
        Ok(pack) => Err(Failure::Usage(format!(
            "{option}: `{name}` is a pack of the kind `{}`, not `{kind}`; `storysim list --packs` shows the built-in ones",
            pack.kind().key
        ))),
        Err(problems) => {
            say_all(&problems, &source, &[], ReportFormat::Text)?;
            Err(Failure::Input)
        }
    }
}

/// Reads storyboards and packs, told apart by their keys, and reports everything that is wrong with their form.
///
/// # Errors
/// If one of them cannot be read, or is wrong.
pub fn load_all(names: &[String], format: ReportFormat) -> Result<(Vec<Storyboard>, Vec<Pack>), Failure> {
    let (mut boards, mut packs) = (Vec::new(), Vec::new());
    read_each(names, source_or_pack, |name, source| {
        if !is_pack(&source) {
            let board = read_board(name, source, None, format)?;
            let is_right = board.is_some();
            boards.extend(board);
            return Ok(is_right);
        }
        match pack::parse(source.clone()) {
            Ok(pack) => packs.push(pack),
            Err(problems) => {
                say_all(&problems, &source, &[], format)?;
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    Ok((boards, packs))
}

/// Goes through the texts of all names. `read` says whether one is right.
fn read_each(
    names: &[String],
    source: impl Fn(&str) -> Result<Source, Failure>,
    mut read: impl FnMut(&str, Source) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let mut is_wrong = false;
    for name in names {
        match source(name) {
            Ok(source) => is_wrong |= !read(name, source)?,
            Err(Failure::Wrong(what)) => {
                say(&what);
                is_wrong = true;
            }
            Err(failure) => return Err(failure),
        }
    }
    if is_wrong { Err(Failure::Input) } else { Ok(()) }
}

/// Reads a storyboard, or reports what is wrong with it.
fn read_board(
    name: &str,
    source: Source,
    wording: Option<&str>,
    format: ReportFormat,
) -> Result<Option<Storyboard>, Failure> {
    match load::read(source, wording)? {
        Ok(read) => Ok(Some(Storyboard { weights: weights_beside(name)?, ..read })),
        Err(broken) => {
            say_all(&problems(&broken), &broken.source, &[], format)?;
            Ok(None)
        }
    }
}

/// What is said of a pack in the place of a storyboard.
fn no_storyboard(source: &Source) -> Diagnostic {
    let at = source.text.find(PACK_KEY).unwrap_or(0);
    let span = Span::new(at, at + PACK_KEY.len());
    Diagnostic::error("this is a pack of words, and no storyboard", span, "the key of packs")
        .help("`storysim check` takes packs, too")
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
