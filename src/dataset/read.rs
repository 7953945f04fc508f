//! Files of rows, read back.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde_json::Value;

use super::Format;

/// No row is longer: the story of a million events has some 25 MB.
const ROW_BYTES_MAX: u64 = 1 << 28;

/// A row of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredRow {
    /// As text.
    Line(String),
    /// As typed columns; what other boards have is null, and what is of several forms is text.
    Columns(Value),
}

impl StoredRow {
    /// Its `id`; nothing, if it has none.
    pub fn id(&self) -> &str {
        match self {
            // Ids need no escapes, and come first.
            Self::Line(line) => {
                line.strip_prefix("{\"id\":\"").and_then(|rest| rest.split('"').next()).unwrap_or("")
            }
            Self::Columns(row) => row["id"].as_str().unwrap_or(""),
        }
    }

    /// Whether it says what this row as text says.
    pub fn says(&self, line: &str) -> bool {
        match self {
            Self::Line(own) => own == line,
            Self::Columns(own) => serde_json::from_str(line).is_ok_and(|row: Value| is_same_row(own, &row)),
        }
    }
}

/// Whether columns say what a row says.
fn is_same_row(columns: &Value, row: &Value) -> bool {
    let (Some(columns), Some(row)) = (columns.as_object(), row.as_object()) else { return false };
    let is_known = columns.keys().all(|name| row.contains_key(name));
    is_known
        && row.iter().all(|(name, value)| match (name.as_str(), columns.get(name)) {
            // No column where no board has parameters.
            ("params", None) => value.as_object().is_some_and(serde_json::Map::is_empty),
            (_, None) => false,
            ("cast" | "params", Some(column)) => is_same_object(column, value),
            ("start", Some(column)) if value.is_object() => {
                column.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()).as_ref()
                    == Some(value)
            }
            ("events", Some(column)) => {
                let (column, value) = (column.as_array(), value.as_array());
                column.zip(value).is_some_and(|(column, value)| {
                    column.len() == value.len()
                        && column.iter().zip(value).all(|(column, value)| is_same_event(column, value))
                })
            }
            (_, Some(column)) => column == value,
        })
}

/// Whether what is not null is the same.
fn is_same_object(column: &Value, value: &Value) -> bool {
    let (Some(column), Some(value)) = (column.as_object(), value.as_object()) else { return false };
    value.iter().all(|(name, value)| column.get(name) == Some(value))
        && column.iter().all(|(name, column)| column.is_null() || value.contains_key(name))
}

/// Whether an event in columns is one in a list.
fn is_same_event(column: &Value, value: &Value) -> bool {
    let (Some(column), Some(value)) = (column.as_object(), value.as_array()) else { return false };
    let names: &[&str] = if column.contains_key("place") {
        &["step", "who", "verb", "place"]
    } else {
        &["step", "who", "verb", "first", "second", "third"]
    };
    column.len() == names.len()
        && names.iter().enumerate().all(|(at, name)| match (&column[*name], value.get(at)) {
            (Value::Null, None) => true,
            (column, Some(value)) if column == value => true,
            (Value::String(text), Some(value)) if !value.is_string() => {
                serde_json::to_string(value).is_ok_and(|json| json == *text)
            }
            _ => false,
        })
}

/// Reads the rows of a file, one after another.
///
/// ```no_run
/// use storysim::dataset::{Format, RowReader};
/// let rows = RowReader::open("data/train-00000-of-00001.jsonl.zst".as_ref(), Format::JsonlZst)?;
/// for row in rows {
///     println!("{}", row?.id());
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct RowReader(Box<dyn Iterator<Item = io::Result<StoredRow>>>);

impl RowReader {
    /// Opens a file of rows.
    ///
    /// # Errors
    /// If it cannot be read, is none of that format, or this build lacks it.
    pub fn open(path: &Path, format: Format) -> io::Result<Self> {
        let file = File::open(path)?;
        let lines = |text: Box<dyn BufRead>| -> Box<dyn Iterator<Item = io::Result<StoredRow>>> {
            Box::new(Lines { text, is_over: false }.map(|line| line.map(StoredRow::Line)))
        };
        Ok(Self(match format {
            Format::Jsonl => lines(Box::new(BufReader::new(file))),
            Format::JsonlGz => {
                lines(Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(BufReader::new(file)))))
            }
            Format::JsonlZst => lines(Box::new(BufReader::new(zstd::Decoder::new(file)?))),
            #[cfg(feature = "parquet")]
            Format::Parquet => Box::new(super::parquet::rows(file)?.map(|row| row.map(StoredRow::Columns))),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(io::Error::other("built without the feature `parquet`")),
        }))
    }
}

/// Lines of a text, none of them monstrous. What cannot be read on is over: it would not be read the next time, either.
struct Lines {
    text: Box<dyn BufRead>,
    is_over: bool,
}

impl Iterator for Lines {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let mut line = Vec::new();
        let read = (&mut self.text).take(ROW_BYTES_MAX).read_until(b'\n', &mut line);
        match read {
            Err(error) => {
                self.is_over = true;
                return Some(Err(error));
            }
            Ok(0) => return None,
            Ok(_) if line.ends_with(b"\n") => line.truncate(line.len() - 1),
            Ok(length) if length as u64 == ROW_BYTES_MAX => {
                self.is_over = true;
                return Some(Err(io::Error::other("a line is longer than any row")));
            }
            Ok(_) => {}
        }
        Some(String::from_utf8(line).map_err(io::Error::other))
    }
}

impl Iterator for RowReader {
    type Item = io::Result<StoredRow>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}
