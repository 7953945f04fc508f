//! `storysim replay`: the answers of logs made elsewhere.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use comfy_table::{CellAlignment, ColumnConstraint};

use super::output::{Output, Place};
use super::report::{header, table};
use super::rows::unreadable;
use super::{Failure, ReplayArguments, look, say};
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::files::{Format, Shape, open_text};
use crate::log::{Problems, Row, Switches, replay as replay_line};
use crate::render::{Line, Look, render_line};

/// The largest size of a line, in bytes.
const LINE_BYTES_MAX: usize = 64 << 20;

/// The largest number of problems of a file that are shown. The others are only counted.
const DRAWN_MAX: usize = 20;

pub fn replay(arguments: &ReplayArguments) -> Result<(), Failure> {
    let (place, format) = arguments.out.resolve(None)?;
    if matches!(place, Place::Folder(_)) || format == Format::Parquet {
        let message = format!("--out {place}: name a file that ends in .jsonl, .jsonl.gz or .jsonl.zst");
        return Err(Failure::Usage(message));
    }
    let mut output = Output::open(&place, format, &Shape::default(), 1)?;
    let mut tallies = Tallies::default();
    let mut is_refused = false;
    for name in &arguments.logs {
        let mut file = Reading::open(name, arguments.lenient)?;
        while let Some(line) = file.next_line()? {
            let switches =
                Switches { departures: arguments.departures, containers_are_open: arguments.containers };
            let rows = file.answer(&line, switches);
            is_refused |= file.is_refused;
            if is_refused {
                continue; // what is still wrong is told, but nothing more is answered
            }
            let mut text = String::new();
            for row in rows {
                tallies.add(&row);
                text.push_str(&serde_json::to_string(&row).expect("a row is JSON"));
                text.push('\n');
            }
            output.write(&text)?;
        }
        file.finish();
    }
    if is_refused {
        return Err(Failure::Input);
    }
    output.finish()?;
    say(&tallies.to_string(look(&io::stderr())));
    Ok(())
}

/// A log that is being read.
pub struct Reading {
    /// The name of the log in messages.
    pub name: String,
    reader: Box<dyn BufRead>,
    /// The number of the last line read.
    pub number: usize,
    is_lenient: bool,
    is_refused: bool,
    drawn: usize,
    further: usize,
}

/// A line of a log, or the reason why it cannot be read.
pub enum Input {
    /// A readable line.
    Text(String),
    /// As much of an unreadable line as can be shown, and what is wrong with it.
    Wrong(String, Box<Diagnostic>),
}

impl Reading {
    /// Opens a log, or stdin.
    pub fn open(name: &str, is_lenient: bool) -> Result<Self, Failure> {
        let (name, reader): (_, Box<dyn BufRead>) = if name == "-" {
            ("stdin".to_owned(), Box::new(BufReader::new(io::stdin())))
        } else {
            let text = open_text(Path::new(name)).map_err(Failure::environment(format!("opening {name}")))?;
            (name.to_owned(), text)
        };
        Ok(Self { name, reader, number: 0, is_lenient, is_refused: false, drawn: 0, further: 0 })
    }

    /// The next line that is not blank.
    pub fn next_line(&mut self) -> Result<Option<Input>, Failure> {
        loop {
            let mut bytes = Vec::new();
            let failed = || |error| unreadable(&self.name, error);
            let limit = LINE_BYTES_MAX as u64 + 1;
            if (&mut self.reader).take(limit).read_until(b'\n', &mut bytes).map_err(failed())? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if bytes.last() == Some(&b'\n') {
                bytes.pop();
            } else if bytes.len() > LINE_BYTES_MAX {
                self.reader.skip_until(b'\n').map_err(failed())?;
                let text = String::from_utf8_lossy(&bytes[..100]).into_owned();
                let problem =
                    Diagnostic::error("this line is too long", Span::new(0, text.len()), "it begins here")
                        .help(format!("a line may have at most {} MB", LINE_BYTES_MAX >> 20));
                return Ok(Some(Input::Wrong(text, Box::new(problem))));
            }
            if self.number == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
                bytes.drain(..3);
            }
            match String::from_utf8(bytes) {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => return Ok(Some(Input::Text(text))),
                Err(error) => {
                    let at = error.utf8_error().valid_up_to();
                    let text = String::from_utf8_lossy(&error.as_bytes()[..at]).into_owned();
                    let problem = Diagnostic::error("this is not UTF-8", Span::new(at, at), "from here on");
                    return Ok(Some(Input::Wrong(text, Box::new(problem))));
                }
            }
        }
    }

    /// Answers the questions in a line, and reports what is wrong with it.
    fn answer(&mut self, line: &Input, switches: Switches) -> Vec<Row> {
        let (text, rows, problems) = match line {
            Input::Text(text) => {
                let replayed = replay_line(text, switches);
                (text, replayed.rows, replayed.problems)
            }
            Input::Wrong(text, problem) => {
                let mut problems = Problems::default();
                problems.push((**problem).clone());
                (text, Vec::new(), problems)
            }
        };
        self.is_refused |= problems.has_error && !self.is_lenient;
        let look = look(&io::stderr());
        let line = Line { name: &self.name, number: self.number, text };
        let mut kept = problems.kept;
        kept.sort_by_key(|problem| problem.labels.first().map(|(span, _)| span.start));
        for mut problem in kept {
            if self.drawn == DRAWN_MAX {
                self.further += 1;
                continue;
            }
            if self.is_lenient {
                problem.severity = Severity::Warning;
            }
            self.drawn += 1;
            say(&render_line(&problem, line, look));
        }
        self.further += problems.further;
        rows
    }

    /// Reports how many problems were not shown.
    fn finish(&self) {
        if self.further > 0 {
            say(&format!("{}: … and {} more\n", self.name, self.further));
        }
        if self.is_refused {
            say("help: with --lenient, impossible events and unreadable questions and lines are skipped\n");
        }
    }
}

/// For each kind and order of question, how many there were and what became of them.
#[derive(Default)]
struct Tallies(BTreeMap<(String, usize), Tally>);

#[derive(Default)]
struct Tally {
    questions: usize,
    answered: usize,
    agree: usize,
    differ: usize,
}

impl Tallies {
    fn add(&mut self, row: &Row) {
        let tally = self.0.entry((row.kind.clone(), row.chain.len())).or_default();
        tally.questions += 1;
        tally.answered += usize::from(row.answer.is_some());
        match row.agrees() {
            Some(true) => tally.agree += 1,
            Some(false) => tally.differ += 1,
            None => {}
        }
    }

    fn to_string(&self, look: Look) -> String {
        let mut table = table(look);
        let titles = ["kind", "order", "questions", "answered", "open", "agree", "differ"];
        table.set_header(header(&titles, look));
        for ((kind, order), tally) in &self.0 {
            let Tally { questions, answered, agree, differ } = tally;
            let numbers = [*order, *questions, *answered, questions - answered, *agree, *differ];
            table.add_row(std::iter::once(kind.clone()).chain(numbers.map(|number| number.to_string())));
        }
        for (at, column) in table.column_iter_mut().enumerate() {
            column.set_constraint(ColumnConstraint::ContentWidth);
            column.set_cell_alignment(if at == 0 { CellAlignment::Left } else { CellAlignment::Right });
        }
        format!("{table}\n")
    }
}
