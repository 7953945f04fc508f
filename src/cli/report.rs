//! What `storysim check` reports about storyboards: tables.

use comfy_table::{Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};

use super::shortcuts::known_shortcuts;
use crate::diagnostic::counted;
use crate::render::Look;
use crate::storyboard::Storyboard;
use crate::survey::{Coincidence, Redrawn, Survey, Tables};

/// The largest number of places that are listed as answers to a question.
const ANSWERS_SHOWN: usize = 12;

/// What `check` reports about one storyboard, as text. `name` is its name with the values that are set, `is_set` whether
/// there are any, and `seconds` is how long compiling took.
pub fn survey_text(
    storyboard: &Storyboard,
    (name, is_set): (String, bool),
    survey: Survey,
    seconds: f64,
    look: Look,
) -> String {
    let known = known_shortcuts(&storyboard.source.text, is_set);
    let surveys = [(name, survey, known, seconds)];
    let [(_, survey, known, seconds)] = &surveys;
    overview(&surveys, look) + &details(survey, known, *seconds, look)
}

/// A range of numbers in words; if both ends are equal, only one number.
fn range(least: usize, most: usize) -> String {
    if least == most { most.to_string() } else { format!("{least}-{most}") }
}

/// An overview with one line for every storyboard.
pub fn overview(surveys: &[(String, Survey, String, f64)], look: Look) -> String {
    let mut table = table(look);
    let titles = ["storyboard", "steps", "people", "places", "casts", "log10 P", "bits"];
    table.set_header(header(&titles, look));
    for (name, survey, ..) in surveys {
        table.add_row(vec![
            name.clone(),
            range(survey.least_steps, survey.steps),
            range(survey.least_characters, survey.characters),
            survey.places.to_string(),
            format!("{}/{}", survey.casts.feasible, survey.casts.all),
            format!("{:.2}", survey.log10_probability),
            survey.entropy_bits.map_or("-".to_owned(), |bits| format!("{:.0}", bits.mean)),
        ]);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        column.set_cell_alignment(if at == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    format!(
        "{table}\n\ncasts: feasible ways to bind the places and draw the numbers, out of all ways.\n\
         P: the probability that free play meets all conditions and goals.\n\
         bits: the entropy of a story (its cast and its events).\n"
    )
}

/// Details about one storyboard that do not fit on its line.
pub fn details(survey: &Survey, known: &str, seconds: f64, look: Look) -> String {
    let mut text = String::from("\n");
    if !survey.parameters.is_empty() {
        let parameters = survey.parameters.iter().map(|(name, value)| format!("{name} = {value}"));
        text.push_str(&format!("Parameters: {}\n", parameters.collect::<Vec<_>>().join(", ")));
    }
    if !survey.drawn.is_empty() {
        let drawn = survey.drawn.iter().map(|(name, [least, most])| format!("{name} from {least} to {most}"));
        text.push_str(&format!("Drawn for each story: {}\n", drawn.collect::<Vec<_>>().join(", ")));
    }
    if let Some(Redrawn { attempts, .. }) = survey.redrawn {
        let decimals = usize::from(attempts < 10.0);
        text.push_str(&format!("Accepted: 1 attempt in {attempts:.decimals$} (estimated)\n"));
    }
    for Coincidence { stories, log10_at_most } in &survey.coincidences {
        let probability = match log10_at_most {
            0.0 => "no bound on the probability".to_owned(),
            log10 => format!("probability below 10^{:.0}", log10.ceil()),
        };
        text.push_str(&format!("Two equal stories among 10^{:.0}: {probability}\n", stories.log10()));
    }
    let Tables { count, entries } = survey.tables;
    let tables = match count {
        0 => "no tables".to_owned(),
        _ => format!("{} with {}", counted(count, "table"), counted(entries, "entry")),
    };
    text.push_str(&format!("Sampling: {tables}, compiled in {seconds:.3} s\n"));
    text.push_str(known);
    if survey.questions.is_empty() {
        return text;
    }
    let mut table = table(look);
    table.set_header(header(&["question", "open", "false", "answers"], look));
    let percent = |share: f64| format!("{:.0}%", share * 100.0);
    for shares in &survey.questions {
        let answers = shares.answers.iter().map(|(place, share)| format!("{place} {}", percent(*share)));
        let answers: Vec<String> = answers.take(ANSWERS_SHOWN).collect();
        let more = shares.answers.len() - answers.len();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        table.add_row(vec![
            format!("{} {}: {}", shares.question, shares.kind, shares.roles.join(", ")),
            percent(shares.unanswered),
            if shares.kind == "belief" { percent(shares.false_belief) } else { String::new() },
            answers.join(", ") + &more,
        ]);
    }
    // In a narrow terminal, long questions leave room for the answers.
    let first_fixed = usize::from(look.width < 80);
    for column in first_fixed..3 {
        let column = table.column_mut(column).expect("there are four");
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    for column in 1..3 {
        table.column_mut(column).expect("there are four").set_cell_alignment(CellAlignment::Right);
    }
    text + &format!(
        "\n{table}\n\nopen: the question has no answer, or none of its choices, and is not written.\n\
         false: the answer is a false belief.\n\
         Shares are estimated from {}.\n",
        counted(survey.stories, "story")
    )
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

/// The cells of a header, in bold where that is possible.
pub fn header(titles: &[&str], look: Look) -> Vec<Cell> {
    let cell = |title: &&str| {
        let cell = Cell::new(title);
        if look.colour { cell.add_attribute(Attribute::Bold) } else { cell }
    };
    titles.iter().map(cell).collect()
}
