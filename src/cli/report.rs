//! `storysim check` and `storysim list`: tables about storyboards.

use std::time::Instant;

use comfy_table::{Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};

use super::boards::{compile_aloud, load, variants};
use super::{CheckArguments, Failure, ReportFormat, look, print};
use crate::diagnostic::Look;
use crate::experiment::EXPERIMENTS;
use crate::storyboard::{BUILT_IN, Number, parse};
use crate::survey::{Coincidence, Redrawn, Survey, Tables, survey};

/// So many places are listed as answers to a question.
const ANSWERS_SHOWN: usize = 12;

pub fn check(arguments: &CheckArguments) -> Result<(), Failure> {
    let boards = load(&arguments.boards, arguments.format)?;
    let variants = variants(&boards, &arguments.settings)?;
    let look = look(&std::io::stdout());
    let mut said = Vec::new();
    let mut outcome = Ok(());
    let mut surveys = Vec::new();
    for variant in &variants {
        let started = Instant::now();
        match compile_aloud(variant, &mut said, arguments.format, arguments.format != ReportFormat::Text) {
            Ok((plans, acceptance)) => {
                let seconds = started.elapsed().as_secs_f64();
                let survey = survey(variant.board, &plans[..], acceptance.as_ref());
                if arguments.format == ReportFormat::Json {
                    let mut json = serde_json::to_value(&survey).expect("a survey is JSON");
                    json["compile_seconds"] = seconds.into();
                    print(&format!("{json}\n"))?;
                }
                surveys.push((variant.name(), survey, seconds));
            }
            Err(failure) => outcome = Err(failure),
        }
    }
    if arguments.format == ReportFormat::Text && !surveys.is_empty() {
        print(&overview(&surveys, look))?;
        if let [(_, survey, seconds)] = &surveys[..] {
            print(&details(survey, *seconds, look))?;
        }
    }
    outcome
}

/// Where there is one number only, that.
fn range(least: usize, most: usize) -> String {
    if least == most { most.to_string() } else { format!("{least}-{most}") }
}

/// A line for every storyboard.
fn overview(surveys: &[(String, Survey, f64)], look: Look) -> String {
    let mut table = table(look);
    let titles = ["storyboard", "steps", "people", "places", "casts", "log10 P", "bits"];
    table.set_header(header(&titles, look));
    for (name, survey, _) in surveys {
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
        "{table}\n\ncasts: ways to bind places and draw numbers that can meet the demands, of all.\n\
         P: the probability that free play meets all demands.\n\
         bits: it takes so many to tell who plays a story, where, and what happens.\n"
    )
}

/// What there is to say of one storyboard beyond its line.
fn details(survey: &Survey, seconds: f64, look: Look) -> String {
    let mut text = String::from("\n");
    if !survey.drawn.is_empty() {
        let drawn = survey.drawn.iter().map(|(name, [least, most])| format!("{name} from {least} to {most}"));
        text.push_str(&format!("Drawn for each story: {}.\n", drawn.collect::<Vec<_>>().join(", ")));
    }
    if let Some(Redrawn { accepted, attempts }) = survey.redrawn {
        text.push_str(&format!(
            "{:.2} % of the stories meet what the tables cannot see to; {attempts:.1} are drawn for one that\n\
             is kept (estimated).\n",
            accepted * 100.0
        ));
    }
    for Coincidence { stories, log10_at_most } in &survey.coincidences {
        let probability = match log10_at_most {
            0.0 => "any probability".to_owned(),
            log10 => format!("a probability below 10^{:.0}", log10.ceil()),
        };
        text.push_str(&format!(
            "Of 10^{:.0} stories two are the same with {probability}.\n",
            stories.log10()
        ));
    }
    let Tables { count, entries } = survey.tables;
    text.push_str(&format!(
        "They are drawn from {count} tables with {entries} numbers in all, compiled in {:.1} ms.\n",
        seconds * 1e3
    ));
    if survey.questions.is_empty() {
        return text;
    }
    let mut table = table(look);
    table.set_header(header(&["question", "none", "false", "answers"], look));
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
    for column in 0..3 {
        let column = table.column_mut(column).expect("there are four");
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    for column in 1..3 {
        table.column_mut(column).expect("there are four").set_cell_alignment(CellAlignment::Right);
    }
    text + &format!(
        "\n{table}\n\nnone: has no answer and is not written. false: the answer is a false belief.\n\
         Shares are those of {} stories.\n",
        survey.stories
    )
}

pub fn list() -> Result<(), Failure> {
    let look = look(&std::io::stdout());
    let mut table = table(look);
    table.set_header(header(&["storyboard", "parameters", "about"], look));
    for built_in in BUILT_IN {
        let board = parse(built_in.source()).expect("built-in storyboards are tested");
        let parameters = board.parameters.iter().map(|(name, value)| format!("{}={value}", name.value));
        let text = |number: &Number| built_in.source().text[number.span.range()].to_owned();
        let draws = board
            .draws
            .iter()
            .map(|drawn| format!("{}={} to {}", drawn.name.value, text(&drawn.least), text(&drawn.most)));
        let parameters: Vec<String> = parameters.chain(draws).collect();
        table.add_row([built_in.name.to_owned(), parameters.join("\n"), board.about.unwrap_or_default()]);
    }
    unbroken_names(&mut table);
    print(&format!("{table}\n\n{}\n", experiments(look)))
}

/// What `generate --experiment` takes.
fn experiments(look: Look) -> Table {
    let mut table = table(look);
    table.set_header(header(&["experiment", "boards × values", "about"], look));
    for experiment in EXPERIMENTS {
        table.add_row([experiment.name, &experiment.cells().to_string(), experiment.about]);
    }
    unbroken_names(&mut table);
    table
}

/// What stands in the first column is copied, and read by scripts: however narrow the terminal, no name goes over two lines.
fn unbroken_names(table: &mut Table) {
    if let Some(names) = table.column_mut(0) {
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
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
