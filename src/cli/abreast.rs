//! Tables of what several models have, side by side.

use comfy_table::{Cell, CellAlignment, ColumnConstraint};

use super::report::{header, table};
use crate::render::Look;
use crate::score::{Accuracy, Group, side_by_side};

/// The largest number of models that are shown side by side in a table.
pub const MODELS_ABREAST: usize = 3;

/// A table whose first columns are text, followed by a blank line.
pub fn tabled<C: Into<Cell>>(titles: &[&str], text_columns: usize, rows: Vec<Vec<C>>, look: Look) -> String {
    let mut table = table(look);
    table.set_header(header(titles, look));
    rows.into_iter().for_each(|row| {
        table.add_row(row);
    });
    for (at, column) in table.column_iter_mut().enumerate() {
        let alignment = if at < text_columns { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(alignment);
        if at >= text_columns {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    format!("{table}\n\n")
}

/// Accuracies side by side, with a line for every value or bin of values.
pub fn beside(all: &[Vec<Group>], count_max: usize) -> Vec<Vec<String>> {
    let cell = |accuracy: &Option<Accuracy>| {
        accuracy.map_or_else(String::new, |accuracy| {
            format!("{} ({})", percent(accuracy.accuracy), interval(&accuracy))
        })
    };
    let lines = side_by_side(all, count_max).into_iter();
    lines.map(|line| std::iter::once(line.name).chain(line.accuracies.iter().map(cell)).collect()).collect()
}

/// A share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// The ends of an accuracy's 95 % interval, in percent.
pub fn interval(accuracy: &Accuracy) -> String {
    format!("{:.1}–{:.1}", accuracy.low * 100.0, accuracy.high * 100.0)
}
