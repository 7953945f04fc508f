//! `storysim list`: what the built-in storyboards are for, and what is known of their shortcuts; their texts, and packs.

use comfy_table::{CellAlignment, ColumnConstraint};
use serde_json::json;

use super::packs::packs_listed;
use super::report::{header, table};
use super::shortcuts::shown;
use super::{Failure, ListArguments, ReportFormat, look, print};
use crate::diagnostic::did_you_mean;
use crate::experiment::EXPERIMENTS;
use crate::pack;
use crate::render::Look;
use crate::storyboard::{BUILT_IN, BuiltIn, Found, Giveaway, Giveaways, Learner, parse};

/// From how many columns on there is room for the names of shortcuts.
const WIDE: usize = 120;

pub fn list(arguments: &ListArguments) -> Result<(), Failure> {
    if let Some(name) = &arguments.show {
        return show(name, arguments.packs);
    }
    if arguments.packs {
        return print(&packs_listed(arguments.format, look(&std::io::stdout())));
    }
    // Stable: the order within each purpose is kept.
    let mut boards: Vec<&BuiltIn> = BUILT_IN.iter().collect();
    boards.sort_by_key(|board| board.purpose);
    match arguments.format {
        ReportFormat::Text => print(&text(&boards, look(&std::io::stdout()))),
        ReportFormat::Json => print(&for_programs(&boards)),
    }
}

/// Prints the text of a built-in storyboard or pack.
fn show(name: &str, is_pack: bool) -> Result<(), Failure> {
    let packs = pack::BUILT_IN.iter().map(|pack| (pack.name, pack.text));
    let boards = BUILT_IN.iter().filter(|_| !is_pack).map(|board| (board.name, board.text()));
    let all: Vec<(&str, &str)> = packs.chain(boards).collect();
    if let Some((_, text)) = all.iter().find(|(known, _)| *known == name) {
        return print(text);
    }
    let (kind, option) = if is_pack { ("pack", " --packs") } else { ("storyboard or pack", "") };
    let help = did_you_mean(name, all.iter().map(|(known, _)| *known))
        .unwrap_or_else(|| format!("`storysim list{option}` shows them"));
    Err(Failure::Usage(format!("no built-in {kind} is called `{name}`: {help}")))
}

fn about(board: &BuiltIn) -> String {
    parse(board.source()).expect("it is tested").about.unwrap_or_default()
}

fn text(boards: &[&BuiltIn], look: Look) -> String {
    let known = Giveaways::built_in();
    let mut text =
        String::from("Built-in storyboards, and how far above chance the best shortcut is, in points\n");
    for purpose in boards.chunk_by(|one, other| one.purpose == other.purpose) {
        text.push_str(&format!("\n{}:\n", purpose[0].purpose.heading()));
        let width = purpose.iter().map(|board| board.name.len()).max().unwrap_or(0);
        for board in purpose {
            let (name, found, about) = (board.name, known.of(board), about(board));
            let points = points(found);
            text.push_str(&match found {
                _ if look.width < 80 => format!(" {name}\n    {}\n    {about}\n", points.trim()),
                Some(found) if look.width >= WIDE => {
                    format!(" {name:width$} {points} {about:48}  {}\n", shown(found).0.told())
                }
                _ => format!(" {name:width$} {points} {about}\n"),
            });
        }
    }
    text.push_str(
        "\n*: this shortcut begins to follow a mind.\n\
         `storysim check BOARD` says which shortcut it is, and shows the parameters.\n",
    );
    text.push_str("\nExperiments, for `storysim generate --experiment NAME`\n\n");
    let width = EXPERIMENTS.iter().map(|experiment| experiment.name.len()).max().unwrap_or(0);
    for experiment in EXPERIMENTS {
        let about = format!("{:2} cells  {}", experiment.cells(), experiment.about);
        text.push_str(&entry(experiment.name, width, &about, look));
    }
    text.push_str("\n`storysim list --packs` lists the packs that words of stories come from.\n");
    text
}

/// The points of the best shortcut, with a star if it begins to follow a mind.
fn points(found: Option<&Giveaway>) -> String {
    let Some((found, begins_to_follow)) = found.map(shown) else { return format!("{:>6}", "? ") };
    format!("{:>5}{}", found.points(), if begins_to_follow { "*" } else { " " })
}

/// An entry of the list: a name, with its description beside it, or below it in a narrow terminal. Names begin in the
/// second column and nothing else does, so that scripts can find them.
fn entry(name: &str, width: usize, about: &str, look: Look) -> String {
    if look.width < 80 { format!(" {name}\n    {about}\n") } else { format!(" {name:width$}  {about}\n") }
}

/// The list as lines of JSON: storyboards, then experiments.
fn for_programs(boards: &[&BuiltIn]) -> String {
    let known = Giveaways::built_in();
    let boards = boards.iter().map(|board| {
        let (name, purpose, about) = (board.name, board.purpose.key(), about(board));
        json!({"storyboard": name, "purpose": purpose, "about": about, "shortcuts": known.of(board)})
    });
    let experiments = EXPERIMENTS.iter().map(|experiment| {
        json!({"experiment": experiment.name, "cells": experiment.cells(), "about": experiment.about})
    });
    boards.chain(experiments).map(|line| format!("{line}\n")).collect()
}

/// What was measured, a line for each storyboard.
pub fn shortcut_table(found: &[Giveaway], look: Look) -> String {
    let mut table = table(look);
    let titles = ["storyboard", "shortcut", "points", "surface", "target", "minds", "both"];
    table.set_header(header(&titles, look));
    for Giveaway { board, shortcut, learner, .. } in found {
        let learned = |of: fn(&Learner) -> Option<&Found>| {
            learner.as_ref().and_then(of).map_or_else(|| "-".to_owned(), Found::points)
        };
        table.add_row(vec![
            board.clone(),
            shortcut.told(),
            shortcut.points(),
            learned(|learner| Some(&learner.surface)),
            learned(|learner| Some(&learner.target)),
            learned(|learner| learner.minds.as_ref()),
            learned(|learner| Some(&learner.both)),
        ]);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        column.set_cell_alignment(if at < 2 { CellAlignment::Left } else { CellAlignment::Right });
    }
    format!(
        "{table}\n\npoints: how far the best shortcut is above chance, in percentage points.\n\
         surface, target, minds, both: the same for boosted trees that are shown these things.\n"
    )
}
