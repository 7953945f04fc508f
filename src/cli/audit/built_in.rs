//! `storysim audit --built-in`: measures again what built-in storyboards give away.

use std::fs;
use std::path::Path;

use super::super::boards::{compile_aloud, load};
use super::super::list::shortcut_table;
use super::super::output::write_text;
use super::super::progress::bar;
use super::super::{Failure, ReportFormat, look, print, say};
use crate::diagnostic::did_you_mean;
use crate::folder::variants;
use crate::giveaway::{SEED, audited, of_report, stories};
use crate::storyboard::{BUILT_IN, BuiltIn, Giveaway, Giveaways};

/// Measures these storyboards, or all of them, and writes what is found to a file. After each of them the file is whole, so
/// nothing is lost if the command is stopped.
pub fn measure(names: &[String], out: &Path) -> Result<(), Failure> {
    let boards = match names {
        [] => BUILT_IN.iter().collect(),
        names => names.iter().map(|name| named(name)).collect::<Result<Vec<_>, _>>()?,
    };
    let mut known = known_in(out)?;
    let mut measured = Vec::new();
    for board in boards {
        let found = of_board(board)?;
        known.add(found.clone());
        write_text(out, &known.write())?;
        measured.push(found);
    }
    say(&format!("{} is written\n", out.display()));
    print(&shortcut_table(&measured, look(&std::io::stdout())))
}

/// What a file says already; nothing if there is none, or if it is a pipe or a device, which may have no end.
fn known_in(out: &Path) -> Result<Giveaways, Failure> {
    if !fs::metadata(out).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0) {
        return Ok(Giveaways::default());
    }
    let text = fs::read_to_string(out).map_err(Failure::environment(format!("reading {}", out.display())))?;
    Giveaways::read(&text).map_err(|problem| Failure::Wrong(format!("error: {}: {problem}\n", out.display())))
}

fn named(name: &str) -> Result<&'static BuiltIn, Failure> {
    BUILT_IN.iter().find(|board| board.name == name).ok_or_else(|| {
        let help = did_you_mean(name, BUILT_IN.iter().map(|board| board.name))
            .unwrap_or_else(|| "`storysim list` shows the built-in ones".to_owned());
        Failure::Usage(format!("`{name}` is not a built-in storyboard: {help}"))
    })
}

fn of_board(board: &BuiltIn) -> Result<Giveaway, Failure> {
    let boards = load(&[board.name.to_owned()], ReportFormat::Text)?;
    let variants = variants(&boards, &[])?;
    let family = compile_aloud(&variants[0], &mut Vec::new(), ReportFormat::Text, false)?.family;
    let stories = stories(board.purpose, &family);
    let bar = bar(stories, "stories").with_message(board.name);
    let report = audited(&family, SEED, stories, |count| bar.inc(count));
    bar.finish_and_clear();
    of_report(&family, &report, stories).ok_or_else(|| {
        Failure::Wrong(format!("error: {} has no question about minds that can be audited\n", board.name))
    })
}
