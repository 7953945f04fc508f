//! Where questions come from: storysim's rows, columns of any table, logs.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::super::Failure;
use super::super::replay::{Input, Reading};
use super::super::rows::{files_of, is_input};
use crate::audit::{Case, Mapping, of_log};
use crate::dataset::{Fields, StoredRow};
use crate::diagnostic::{Diagnostic, Severity};
use crate::files::rows_of;
use crate::render::{Line, Look, render_line};

/// The largest size of a record in a file of comma-separated values, in bytes.
const RECORD_BYTES_MAX: u64 = 1 << 28;

/// The items of a data set, in order.
pub struct Items(Box<dyn Iterator<Item = Result<Item, Failure>>>);

/// A piece of input that contains one or more questions, and where it is.
pub struct Item {
    file: String,
    number: usize,
    what: What,
}

enum What {
    Row(StoredRow),
    Record(Value),
    Log(String),
    Unreadable(String, Box<Diagnostic>),
    Refused(String),
}

/// Makes cases from items, on any thread.
pub struct Reader {
    /// The name that logs have in the report.
    board: String,
    mapping: Option<Mapping>,
}

/// The content of an item besides its cases.
#[derive(Default)]
pub struct Held {
    /// The number of questions that have no answer among their choices.
    pub unanswered: u64,
    /// The problems with the item.
    pub wrong: Vec<Wrong>,
}

/// A problem with an item.
pub enum Wrong {
    /// A message that says where and what.
    Said(String),
    /// A problem in a line of a log: the file, the number of the line, the line itself, and what is wrong.
    Drawn(String, usize, Arc<str>, Box<Diagnostic>),
}

impl Wrong {
    /// The problem as a text for people: a warning if it is passed over.
    pub fn text(mut self, is_lenient: bool, look: Look) -> String {
        match &mut self {
            Self::Said(text) if is_lenient => format!("warning: {text}\n"),
            Self::Said(text) => format!("error: {text}\n"),
            Self::Drawn(name, number, text, problem) => {
                if is_lenient {
                    problem.severity = Severity::Warning;
                }
                render_line(problem, Line { name, number: *number, text }, look)
            }
        }
    }
}

/// Opens a data set: a log, columns if there is a mapping, or otherwise rows of storysim.
pub fn open(name: &str, is_log: bool, mapping: Option<Mapping>) -> Result<(Items, Reader), Failure> {
    let path = Path::new(name);
    let stem = path.file_name().unwrap_or_default().to_string_lossy();
    let board = stem.split('.').next().unwrap_or_default().to_owned();
    let separator = match path.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => Some(b','),
        Some("tsv") => Some(b'\t'),
        _ => None,
    };
    let items = match (is_log, &mapping, separator) {
        (true, ..) => lines_of_log(name)?,
        (_, Some(_), Some(separator)) => records(name, separator)?,
        (_, None, Some(_)) => {
            let message = format!("{name}: use --map to say which column holds what");
            return Err(Failure::Usage(message));
        }
        _ => rows(name, mapping.is_some())?,
    };
    Ok((Items(items), Reader { board, mapping }))
}

impl Items {
    /// The next `count_max` items, or fewer if they contain much text.
    pub fn batch(&mut self, count_max: usize, bytes_max: usize) -> Result<Vec<Item>, Failure> {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while batch.len() < count_max && bytes < bytes_max {
            let Some(item) = self.0.next() else { break };
            let item = item?;
            bytes += match &item.what {
                What::Row(StoredRow::Line(text)) | What::Log(text) => text.len(),
                _ => bytes_max / count_max,
            };
            batch.push(item);
        }
        Ok(batch)
    }
}

impl Reader {
    /// Reads an item, and passes its questions to `take` one by one.
    pub fn read(&self, item: Item, take: &mut dyn FnMut(Case)) -> Held {
        let Item { file, number, what } = item;
        let said = |what: String| Held {
            wrong: vec![Wrong::Said(format!("{file}:{number}: {what}"))],
            ..Held::default()
        };
        let mut one = |case: Result<Case, String>| match case {
            Ok(case) => {
                take(case);
                Held::default()
            }
            Err(reason) => said(reason),
        };
        match what {
            What::Row(row) => match Fields::of(&row) {
                Ok(fields) => one(Case::of_row(fields)),
                Err(error) => said(format!("this is not a row: {error}")),
            },
            What::Record(record) => match &self.mapping {
                Some(mapping) => one(mapping.case(&record)),
                None => Held::default(),
            },
            What::Log(text) => {
                let (left_out, problems) = of_log(&text, &self.board, take);
                let text: Arc<str> = text.into();
                let errors = problems.kept.into_iter().filter(|problem| problem.severity == Severity::Error);
                let drawn =
                    |problem| Wrong::Drawn(file.clone(), number, Arc::clone(&text), Box::new(problem));
                // One file's worth is told at most; there is no need to carry more.
                let wrong = errors.take(super::TOLD_MAX + 1).map(drawn).collect();
                Held { unanswered: left_out as u64, wrong }
            }
            What::Unreadable(text, problem) => {
                Held { wrong: vec![Wrong::Drawn(file, number, text.into(), problem)], ..Held::default() }
            }
            What::Refused(reason) => said(reason),
        }
    }
}

type Boxed = Box<dyn Iterator<Item = Result<Item, Failure>>>;

/// Reads rows of storysim, or objects of any other kind.
fn rows(name: &str, is_foreign: bool) -> Result<Boxed, Failure> {
    let files = files_of(Path::new(name))?;
    Ok(Box::new(rows_of(files).filter_map(move |(path, number, row)| {
        let file = path.display().to_string();
        let what = match row {
            Ok(StoredRow::Line(line)) if line.trim().is_empty() => return None,
            Ok(StoredRow::Line(line)) if is_foreign => match serde_json::from_str(&line) {
                Ok(record) => What::Record(record),
                Err(error) => What::Refused(format!("this is not JSON: {error}")),
            },
            Ok(StoredRow::Columns(record)) if is_foreign => What::Record(record),
            Ok(row) => What::Row(row),
            Err(error) if is_input(&error) => What::Refused(error.to_string()),
            Err(error) => return Some(Err(Failure::Environment(format!("reading {file}"), error))),
        };
        Some(Ok(Item { file, number, what }))
    })))
}

fn lines_of_log(name: &str) -> Result<Boxed, Failure> {
    let mut reading = Reading::open(name, false)?;
    let file = reading.name.clone();
    Ok(Box::new(std::iter::from_fn(move || {
        let what = match reading.next_line() {
            Ok(None) => return None,
            Err(failure) => return Some(Err(failure)),
            Ok(Some(Input::Text(text))) => What::Log(text),
            Ok(Some(Input::Wrong(text, problem))) => What::Unreadable(text, problem),
        };
        Some(Ok(Item { file: file.clone(), number: reading.number, what }))
    })))
}

/// The records of a file of comma- or tab-separated values, under the names in its first line.
fn records(name: &str, separator: u8) -> Result<Boxed, Failure> {
    let file = File::open(name).map_err(Failure::environment(format!("opening {name}")))?;
    let spent = Rc::new(Cell::new(0));
    let metered = Metered { file, spent: Rc::clone(&spent) };
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(metered);
    let mut header: Option<Vec<String>> = None;
    let mut is_over = false;
    let file = name.to_owned();
    Ok(Box::new(std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        spent.set(0);
        let mut record = csv::StringRecord::new();
        let read = match &header {
            Some(_) => reader.read_record(&mut record),
            None => reader.headers().cloned().and_then(|names| {
                header = Some(names.iter().map(str::to_owned).collect());
                reader.read_record(&mut record)
            }),
        };
        let what = match read {
            Ok(false) => return None,
            Ok(true) => {
                let names = header.iter().flatten().cloned();
                let cells = record.iter().map(|cell| Value::String(cell.to_owned()));
                What::Record(Value::Object(names.zip(cells).collect::<Map<_, _>>()))
            }
            Err(error) => {
                let reason = error.to_string();
                // Without names, no record says anything.
                is_over = header.is_none();
                match error.into_kind() {
                    csv::ErrorKind::Io(error) if is_input(&error) => {
                        is_over = true;
                        What::Refused(error.to_string())
                    }
                    csv::ErrorKind::Io(error) => {
                        return Some(Err(Failure::Environment(format!("reading {file}"), error)));
                    }
                    _ => What::Refused(reason),
                }
            }
        };
        let at = || if header.is_some() { reader.position().line() } else { 1 };
        let number = record.position().map_or_else(at, csv::Position::line) as usize;
        Some(Ok(Item { file: file.clone(), number, what }))
    })))
}

/// A file of which only so much is read for one record: with a stray quotation mark, all the rest would be one record.
struct Metered {
    file: File,
    spent: Rc<Cell<u64>>,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.spent.get() > RECORD_BYTES_MAX {
            let message = "this record has no end: is a quotation mark missing?";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let count = self.file.read(buffer)?;
        self.spent.set(self.spent.get() + count as u64);
        Ok(count)
    }
}
