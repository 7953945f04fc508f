//! Files of responses, one for each model.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::Failure;
use super::rows::{Complaints, is_input};
use crate::dataset::StoredRow;
use crate::files::{Format, RowReader};
use crate::score::{Reply, Response, ResponseLine};

/// A model as given on the command line: `FILE`, or `NAME=FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The name of the model; by default that of its file without folder and ending.
    pub name: String,
    /// The file of responses.
    pub file: PathBuf,
}

impl FromStr for Model {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // What is a file, or has a `/` before its `=`, is no name.
        let named = text.split_once('=').filter(|(name, _)| !name.contains('/') && !Path::new(text).exists());
        let (name, file) = match named {
            Some((name, file)) => (name.to_owned(), PathBuf::from(file)),
            None => {
                let file = PathBuf::from(text);
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let ending =
                    [".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
                let stem =
                    [".jsonl", ".json"].iter().find_map(|stem| ending.strip_suffix(stem)).unwrap_or(ending);
                (stem.to_owned(), file)
            }
        };
        if name.is_empty() || file.as_os_str().is_empty() {
            return Err("write FILE or NAME=FILE".to_owned());
        }
        Ok(Self { name, file })
    }
}

/// The responses of a model, indexed by the row that they answer.
pub struct Responses {
    pub name: String,
    pub file: PathBuf,
    by_id: HashMap<Box<str>, Entry>,
}

struct Entry {
    /// The response; `None` if the request failed.
    response: Option<Response>,
    line: usize,
    /// Whether the dataset has this row.
    is_known: bool,
}

impl Responses {
    /// Reads a file of responses, each line with `read`, and reports what is wrong with it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(
        model: &Model,
        complaints: &mut Complaints,
        read: fn(&str) -> Result<ResponseLine, String>,
    ) -> Result<Self, Failure> {
        let failed = || Failure::environment(format!("reading {}", model.file.display()));
        let format = Format::of_name(&model.file).unwrap_or(Format::Jsonl);
        if format == Format::Parquet {
            let message =
                format!("{}: responses are JSON Lines (.jsonl, .jsonl.gz, .jsonl.zst)", model.file.display());
            return Err(Failure::Usage(message));
        }
        let mut by_id: HashMap<Box<str>, Entry> = HashMap::new();
        for (at, line) in RowReader::open(&model.file, format).map_err(failed())?.enumerate() {
            let number = at + 1;
            let text = match line {
                Ok(StoredRow::Line(text)) => text,
                Ok(StoredRow::Columns(_)) => unreachable!("only Parquet has columns"),
                Err(error) if is_text_error(&error) => {
                    complaints.tell(&model.file, number, "this is not UTF-8");
                    continue;
                }
                Err(error) if is_input(&error) => {
                    complaints.tell(&model.file, number, &format!("damaged: {error}"));
                    continue;
                }
                Err(error) => return Err(failed()(error)),
            };
            let text = if at == 0 { text.trim_start_matches('\u{feff}') } else { &text };
            if text.trim().is_empty() {
                continue;
            }
            let ResponseLine { id, response } = match read(text) {
                Ok(line) => line,
                Err(what) => {
                    complaints.tell(&model.file, number, &what);
                    continue;
                }
            };
            match by_id.get(id.as_str()) {
                // A harness writes a line for every filter of one response.
                Some(entry) if entry.response == response => {}
                Some(entry) => {
                    let what =
                        format!("a second response to {id:?}, different from the one in line {}", entry.line);
                    complaints.tell(&model.file, number, &what);
                }
                None => {
                    by_id.insert(id.into(), Entry { response, line: number, is_known: false });
                }
            }
        }
        Ok(Self { name: model.name.clone(), file: model.file.clone(), by_id })
    }

    /// Whether the file has no line for any row.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Whether there is a line for this row.
    pub fn has(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// Records that the dataset has this row.
    ///
    /// # Errors
    /// If the dataset had it before: then the row would count twice.
    pub fn meet(&mut self, id: &str) -> Result<(), String> {
        match self.by_id.get_mut(id) {
            Some(entry) if entry.is_known => Err(format!("the dataset has two rows with the id {id:?}")),
            Some(entry) => {
                entry.is_known = true;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// What the model did with a row.
    pub fn reply(&self, id: &str) -> Reply<'_> {
        match self.by_id.get(id).map(|entry| &entry.response) {
            None => Reply::Missing,
            Some(None) => Reply::Failed,
            Some(Some(response)) => Reply::Said(response),
        }
    }

    /// How many responses answer rows, or stories, that the dataset does not have: `what` it has. Reports them if `complaints` are
    /// given.
    pub fn strangers(&self, complaints: Option<&mut Complaints>, what: &str) -> usize {
        let strangers = self.by_id.iter().filter(|(_, entry)| !entry.is_known);
        let mut strangers: Vec<(usize, &str)> = strangers.map(|(id, entry)| (entry.line, &**id)).collect();
        strangers.sort_unstable();
        if let Some(complaints) = complaints {
            for (line, id) in &strangers {
                complaints.tell(&self.file, *line, &format!("the dataset has no {what} with the id {id:?}"));
            }
        }
        strangers.len()
    }
}

fn is_text_error(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<std::string::FromUtf8Error>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_have_names() {
        for (text, name, file) in [
            ("out/gpt.jsonl", "gpt", "out/gpt.jsonl"),
            ("samples_task.jsonl.gz", "samples_task", "samples_task.jsonl.gz"),
            ("small=out/gpt.jsonl", "small", "out/gpt.jsonl"),
            ("out/a=b.jsonl", "a=b", "out/a=b.jsonl"),
            ("responses", "responses", "responses"),
        ] {
            let model: Model = text.parse().unwrap();
            assert_eq!((model.name.as_str(), model.file.to_str().unwrap()), (name, file));
        }
        for wrong in ["", "=x", "x="] {
            assert!(wrong.parse::<Model>().is_err(), "{wrong}");
        }
    }
}
