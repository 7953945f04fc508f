//! What a row says, as data, and the rows of whatever holds some.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{Format, Manifest, RowReader, StoredRow};

/// A row, taken apart. Its fields are those of `docs/rows.md`.
///
/// ```
/// use storysim::dataset::{Fields, StoredRow};
/// let row = r#"{"id":"b/0/0/0","board":"b","story":"Ann enters a.","question":"Where is Ann?","answer":"a","choices":["a","b"],"label":0,"kind":"reality","order":0,"chain":[],"about":"Ann"}"#;
/// let fields = Fields::of(&StoredRow::Line(row.into())).unwrap();
/// assert_eq!((fields.story_id(), fields.answer.as_str()), ("b/0/0", "a"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "they are described in docs/rows.md")]
pub struct Fields {
    pub id: String,
    pub board: String,
    pub seed: u64,
    pub index: u64,
    #[serde(deserialize_with = "without_nulls")]
    pub params: BTreeMap<String, Value>,
    #[serde(deserialize_with = "without_nulls")]
    pub cast: BTreeMap<String, Value>,
    pub start: Value,
    pub context: String,
    pub story: String,
    pub question: String,
    pub answer: String,
    pub choices: Vec<String>,
    pub label: usize,
    pub kind: String,
    pub order: usize,
    pub chain: Vec<String>,
    pub about: String,
    pub truth: Option<String>,
    pub false_belief: Option<bool>,
    pub mislead_distance: Option<u64>,
    pub evidence: Vec<usize>,
    pub foils: BTreeMap<String, Option<String>>,
    pub twin: Option<String>,
    pub differs_at: Option<usize>,
    #[serde(deserialize_with = "none_if_null")]
    pub events: Vec<Value>,
}

fn none_if_null<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Value>, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// In columns, what only other boards have is null.
fn without_nulls<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, Value>, D::Error> {
    let map = Option::<BTreeMap<String, Value>>::deserialize(from)?.unwrap_or_default();
    Ok(map.into_iter().filter(|(_, value)| !value.is_null()).collect())
}

impl Fields {
    /// Takes a row apart.
    ///
    /// # Errors
    /// If it is no JSON object, or a field is not what it should be. Fields may be missing.
    pub fn of(row: &StoredRow) -> Result<Self, serde_json::Error> {
        match row {
            StoredRow::Line(line) => {
                // Some editors put a mark before the first line.
                let line = line.strip_prefix('\u{feff}').unwrap_or(line);
                // A list of values would be taken for those of the fields, one after another.
                if !line.trim_start().starts_with('{') {
                    return Err(serde::de::Error::custom("it is no JSON object"));
                }
                serde_json::from_str(line)
            }
            StoredRow::Columns(value) => {
                let mut fields = Self::deserialize(value)?;
                // A column holds text; an object in it is written out.
                let object = fields.start.as_str().and_then(|text| serde_json::from_str(text).ok());
                if let Some(object) = object.filter(Value::is_object) {
                    fields.start = object;
                }
                Ok(fields)
            }
        }
    }

    /// Where someone starts, if the row says so.
    pub fn start_of(&self, name: &str) -> Option<&str> {
        match &self.start {
            Value::String(place) => Some(place),
            start => start.get(name)?.as_str(),
        }
    }

    /// What the rows of one story have in common: the id without the number of the question.
    pub fn story_id(&self) -> &str {
        self.id.rsplit_once('/').map_or(&self.id, |(story, _)| story)
    }

    /// A parameter, if it is a number.
    pub fn parameter(&self, name: &str) -> Option<i64> {
        self.params.get(name)?.as_i64()
    }
}

/// The files of rows at a path: of a dataset folder all that its manifest names, in that order; otherwise the file itself.
///
/// # Errors
/// If there is nothing, or a folder without a manifest that can be read, or if the file's name does not say what it holds.
pub fn files_at(path: &Path) -> io::Result<Vec<(PathBuf, Format)>> {
    let with_format = |path: PathBuf| match Format::of_name(&path) {
        Some(format) => Ok((path, format)),
        None => Err(io::Error::other("its name ends neither in .jsonl (.gz, .zst) nor in .parquet")),
    };
    if !fs::metadata(path)?.is_dir() {
        return Ok(vec![with_format(path.to_owned())?]);
    }
    Manifest::at(path)?.files.iter().map(|file| with_format(path.join(&file.path))).collect()
}

/// The rows of these files, one file after another, each with its number in its file, from 1.
///
/// A file that cannot be opened gives one error.
pub fn rows_of(
    files: Vec<(PathBuf, Format)>,
) -> impl Iterator<Item = (PathBuf, usize, io::Result<StoredRow>)> {
    files.into_iter().flat_map(|(path, format)| {
        let rows: Box<dyn Iterator<Item = io::Result<StoredRow>>> = match RowReader::open(&path, format) {
            Ok(rows) => Box::new(rows),
            Err(error) => Box::new(std::iter::once(Err(error))),
        };
        rows.enumerate().map(move |(at, row)| (path.clone(), at + 1, row))
    })
}
