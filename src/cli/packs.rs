//! Packs for people and programs: what `check` says of them, and the list of the built-in ones.

use std::sync::Arc;

use comfy_table::{CellAlignment, ColumnConstraint};
use serde_json::{Value, json};

use super::ReportFormat;
use super::report::{header, table};
use crate::pack::{BUILT_IN, KINDS, Pack, Turn, WhiteLie, built_in};
use crate::render::Look;

/// What `check` says of valid packs. Of a single one it tells more.
pub fn packs_text(packs: &[Pack], format: ReportFormat, look: Look) -> String {
    match (format, packs) {
        (_, []) => String::new(),
        (ReportFormat::Json, _) => packs.iter().map(|pack| format!("{}\n", for_programs(pack))).collect(),
        (ReportFormat::Text, [pack]) => overview(packs, look) + &details(pack, look),
        (ReportFormat::Text, _) => overview(packs, look),
    }
}

/// The built-in packs.
pub fn packs_listed(format: ReportFormat, look: Look) -> String {
    let packs = || BUILT_IN.iter().filter_map(|pack| built_in(pack.name));
    if format == ReportFormat::Json {
        return packs().map(|pack| format!("{}\n", for_programs(pack))).collect();
    }
    let mut text = String::from("Built-in packs, from which words of stories come\n");
    for kind in KINDS {
        let of_kind: Vec<&Pack> =
            packs().filter(|pack| pack.kind().key == kind.key).map(Arc::as_ref).collect();
        if !of_kind.is_empty() {
            text.push_str(&format!("\n{}\n\n{}\n", kind.heading, listed(&of_kind, look)));
        }
    }
    text + "\n`storysim check NAME` says what a pack holds, and `storysim list --show NAME`\nprints its text.\n"
}

/// Packs of one kind, one a line. Where they have no class and no matters, there are no columns for that.
fn listed(packs: &[&Pack], look: Look) -> String {
    let has_class = packs.iter().any(|pack| pack.white_lie().is_some());
    let titles: &[&str] = if has_class { &["name", "class", "matters", "about"] } else { &["name", "about"] };
    let mut table = table(look);
    table.set_header(header(titles, look));
    for pack in packs {
        let about = pack.about.clone().unwrap_or_default();
        let mut row = vec![pack.name.value.clone()];
        if has_class {
            row.extend([class(pack), count(pack, "matters")]);
        }
        row.push(about);
        table.add_row(row);
    }
    // What a pack is about wraps where a terminal is narrow.
    for (at, title) in titles.iter().enumerate().filter(|(_, title)| **title != "about") {
        let column = table.column_mut(at).expect("there is one for each title");
        column.set_constraint(ColumnConstraint::ContentWidth);
        if *title == "matters" {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string()
}

/// A pack on a line of JSON.
fn for_programs(pack: &Pack) -> Value {
    let counts: serde_json::Map<String, Value> =
        pack.counts().into_iter().map(|(key, count)| (key.to_owned(), count.into())).collect();
    let words = pack.white_lie();
    json!({
        "pack": pack.name.value,
        "kind": pack.kind().key,
        "about": pack.about,
        "class": words.map(|words| words.class.key()),
        "type": words.map(|words| words.class.lie_type().key()),
        "entries": counts,
        "ways": words.map(WhiteLie::ways),
        "blake3": pack.hash(),
    })
}

fn class(pack: &Pack) -> String {
    pack.white_lie().map_or("-", |words| words.class.key()).to_owned()
}

/// How many entries a list has, if the pack has such a list.
fn count(pack: &Pack, key: &str) -> String {
    let found = pack.counts().into_iter().find(|(known, _)| *known == key);
    found.map_or_else(|| "-".to_owned(), |(_, count)| count.to_string())
}

/// An overview with one line for every pack.
fn overview(packs: &[Pack], look: Look) -> String {
    let mut table = table(look);
    let titles = ["pack", "kind", "class", "matters", "reasons", "texts", "ways"];
    table.set_header(header(&titles, look));
    for pack in packs {
        let reasons = match pack.white_lie() {
            Some(words) => format!("{} + {}", words.reasons.pretend.len(), words.reasons.plain.len()),
            None => "-".to_owned(),
        };
        let texts: usize = pack
            .counts()
            .into_iter()
            .filter(|(key, _)| !["matters", "pretend", "plain"].contains(key))
            .map(|(_, count)| count)
            .sum();
        table.add_row(vec![
            pack.name.value.clone(),
            pack.kind().key.to_owned(),
            class(pack),
            count(pack, "matters"),
            reasons,
            texts.to_string(),
            pack.white_lie().map_or_else(|| "-".to_owned(), |words| words.ways().to_string()),
        ]);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        column.set_cell_alignment(if at < 3 { CellAlignment::Left } else { CellAlignment::Right });
    }
    let mut text = format!("{table}\n");
    if packs.iter().any(|pack| pack.white_lie().is_some()) {
        text.push_str(
            "\nreasons: why somebody pretends, and why she says what is so.\n\
             texts: the entries of all other lists.\n\
             ways: in how many ways one matter can be told.\n",
        );
    }
    text
}

/// The lists whose entries are texts of a matter.
const OF_MATTERS: [&str; 5] = ["reason", "truth", "hint", "ask", "claim"];

/// How much there is of everything in one pack.
fn details(pack: &Pack, look: Look) -> String {
    let counts = |is_wanted: fn(&str) -> bool| {
        let counts = pack.counts().into_iter().filter(|(key, _)| is_wanted(key));
        counts.map(|(key, count)| format!("{key} {count}")).collect::<Vec<_>>().join(", ")
    };
    let turns = counts(|key| Turn::ALL.iter().any(|turn| turn.key() == key));
    let mut table = table(look);
    if let Some(words) = pack.white_lie() {
        let names: Vec<&str> = words.matters.iter().map(|matter| matter.name.value.as_str()).collect();
        table.add_row(vec!["matters", &names.join(", ")]);
        table.add_row(vec!["texts", &counts(|key| OF_MATTERS.contains(&key))]);
        table.add_row(vec!["turns", if turns.is_empty() { "the common ones" } else { &turns }]);
        table.add_row(vec!["type", words.class.lie_type().key()]);
    } else if pack.acts().is_some() {
        table.add_row(vec!["turns", &turns]);
    } else {
        table.add_row(vec!["entries", &counts(|_| true)]);
    }
    table.column_mut(0).expect("there are two").set_constraint(ColumnConstraint::ContentWidth);
    format!("\n{table}\n")
}
