//! `storysim check` and `storysim list`: tables about storyboards.

use comfy_table::{Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};

use super::boards::{Variant, compile_aloud, load, variants};
use super::{CheckArguments, Failure, look, print};
use crate::diagnostic::Look;
use crate::plan::Plan;
use crate::storyboard::{BUILT_IN, parse};

pub fn check(arguments: &CheckArguments) -> Result<(), Failure> {
    let boards = load(&arguments.boards)?;
    let variants = variants(&boards, &arguments.settings)?;
    let look = look(&std::io::stdout());
    let mut said = Vec::new();
    let mut outcome = Ok(());
    let mut table = table(look);
    table.set_header(header(&["storyboard", "steps", "people", "places", "casts", "log10 P"], look));
    for variant in &variants {
        match compile_aloud(variant, &mut said) {
            Ok((plan, _)) => {
                table.add_row(row(variant, &plan));
            }
            Err(failure) => outcome = Err(failure),
        }
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        column.set_cell_alignment(if at == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    if table.row_count() > 0 {
        let legend = "\ncasts: ways to bind the places under which the conditions can hold, of all.\n\
                      P: the probability that free play meets all conditions.\n\
                      N: how many different stories there are at least, names aside.\n";
        print(&format!("{table}\n{legend}"))?;
    }
    outcome
}

fn row(variant: &Variant<'_>, plan: &Plan) -> Vec<String> {
    let settings: Vec<String> =
        variant.settings.iter().map(|(name, value)| format!(",{name}={value}")).collect();
    vec![
        format!("{}{}", plan.name, settings.concat()),
        plan.horizon.to_string(),
        plan.character_count.to_string(),
        plan.map.place_count().to_string(),
        format!("{}/{}", plan.casts.len(), plan.odds.cast_count),
        format!("{:.2}", plan.odds.log10_probability),
    ]
}

pub fn list() -> Result<(), Failure> {
    let look = look(&std::io::stdout());
    let mut table = table(look);
    table.set_header(header(&["storyboard", "parameters", "about"], look));
    for built_in in BUILT_IN {
        let board = parse(built_in.source()).expect("built-in storyboards are tested");
        let parameters = board.parameters.iter().map(|(name, value)| format!("{}={value}", name.value));
        let parameters: Vec<String> = parameters.collect();
        table.add_row([built_in.name.to_owned(), parameters.join("\n"), board.about.unwrap_or_default()]);
    }
    print(&format!("{table}\n"))
}

/// A table without borders that fits the terminal.
pub fn table(look: Look) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(look.width as u16).force_no_tty();
    if look.colour {
        table.enforce_styling();
    }
    table
}

/// A header in bold, where that can be.
pub fn header(titles: &[&str], look: Look) -> Vec<Cell> {
    let cell = |title: &&str| {
        let cell = Cell::new(title);
        if look.colour { cell.add_attribute(Attribute::Bold) } else { cell }
    };
    titles.iter().map(cell).collect()
}
