//! The rows of a dataset on the disk, and what is wrong with them.

use std::io;
use std::path::{Path, PathBuf};

use super::{Failure, say};
use crate::dataset::StoredRow;
use crate::files::{Format, files_at, rows_of};

/// The largest number of problems that are shown. The others are only counted.
const SHOWN_MAX: u64 = 20;

/// Reports problems at places in files: all are counted, some are shown.
#[derive(Debug, Default)]
pub struct Complaints(u64);

impl Complaints {
    /// Reports what is wrong in a line, or a row, of a file.
    pub fn tell(&mut self, file: &Path, number: usize, what: &str) {
        self.0 += 1;
        if self.0 <= SHOWN_MAX {
            say(&format!("error: {}:{number}: {what}\n", file.display()));
        }
    }

    /// Reports how many problems were not shown.
    ///
    /// # Errors
    /// If there were any problems.
    pub fn finish(&self) -> Result<(), Failure> {
        if self.0 > SHOWN_MAX {
            say(&format!("… and {} more\n", self.0 - SHOWN_MAX));
        }
        if self.0 > 0 { Err(Failure::Input) } else { Ok(()) }
    }
}

/// Whether the data that was read is wrong, rather than reading itself.
pub fn is_input(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Other
            | io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::UnexpectedEof
            | io::ErrorKind::NotFound // a file that a folder should have
    )
}

/// The failure of reading on in a file or a stream: its content is damaged, which is reported here, or it cannot be read.
pub fn unreadable(name: &str, error: io::Error) -> Failure {
    if is_input(&error) {
        say(&format!("error: {name}: damaged: {error}\n"));
        return Failure::Input;
    }
    Failure::environment(format!("reading {name}"))(error)
}

/// The files of rows in a folder, or the file itself, each with its format.
///
/// # Errors
/// If it cannot be read or is damaged; damage is reported.
pub fn files_of(path: &Path) -> Result<Vec<(PathBuf, Format)>, Failure> {
    files_at(path).map_err(|error| unread(path, error))
}

/// The failure of a folder or file that could not be used: it is damaged or no dataset, which is reported here, it has the
/// wrong name, or it cannot be read.
pub fn unread(path: &Path, error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::NotFound if path.is_dir() => {
            let path = path.display();
            say(&format!(
                "error: {path}: not a dataset folder that storysim made: manifest.json is missing\n"
            ));
            say("help: if it is unfinished, run `generate` again; if it holds parts, run `merge`\n");
            Failure::Input
        }
        io::ErrorKind::InvalidData => {
            say(&format!("error: {}: {error}\n", path.display()));
            Failure::Input
        }
        io::ErrorKind::Other => Failure::Usage(format!("{}: {error}", path.display())),
        _ => Failure::Environment(format!("reading {}", path.display()), error),
    }
}

/// Refuses to write to a file that is also read.
///
/// # Errors
/// If the written file is one of those read.
pub fn refuse_to_replace<'a>(
    read: impl IntoIterator<Item = &'a Path>,
    written: &Path,
) -> Result<(), Failure> {
    let Ok(written) = written.canonicalize() else { return Ok(()) }; // it is not there yet
    // Of a folder, all that its manifest names.
    let files = |path: &Path| {
        let rows = files_at(path).unwrap_or_default().into_iter().map(|(path, _)| path);
        rows.chain([path.to_owned(), path.join("manifest.json")]).collect::<Vec<PathBuf>>()
    };
    let is_same = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path == written);
    match read.into_iter().flat_map(files).find(is_same) {
        Some(path) => {
            Err(Failure::Usage(format!("{} is an input file: write to another file", path.display())))
        }
        None => Ok(()),
    }
}

/// The rows of a dataset, one after another.
pub struct Rows {
    rows: Box<dyn Iterator<Item = (PathBuf, usize, io::Result<StoredRow>)>>,
    /// The file and number of the last row.
    at: (PathBuf, usize),
    complaints: Complaints,
}

impl Rows {
    /// The rows of a folder or a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn at(path: &Path) -> Result<Self, Failure> {
        let files = files_of(path)?;
        Ok(Self { rows: Box::new(rows_of(files)), at: Default::default(), complaints: Complaints::default() })
    }

    /// The next row. Blank lines are skipped, and lines that are not rows are reported.
    ///
    /// # Errors
    /// If the file cannot be read on.
    pub fn next(&mut self) -> Result<Option<StoredRow>, Failure> {
        for (path, number, row) in self.rows.by_ref() {
            let row = match row {
                Ok(row) => row,
                Err(error) if is_input(&error) => {
                    self.complaints.tell(&path, number, &error.to_string());
                    continue;
                }
                Err(error) => {
                    let reading = format!("reading {}, row {number}", path.display());
                    return Err(Failure::Environment(reading, error));
                }
            };
            if matches!(&row, StoredRow::Line(line) if line.trim().is_empty()) {
                continue;
            }
            self.at = (path, number);
            return Ok(Some(row));
        }
        Ok(None)
    }

    /// The result of processing the last row; if it failed, the reason is reported.
    pub fn taken<T>(&mut self, made: Result<T, String>) -> Option<T> {
        made.map_err(|what| self.complaints.tell(&self.at.0, self.at.1, &what)).ok()
    }

    /// Reports how many problems were not shown.
    ///
    /// # Errors
    /// If there were any problems.
    pub fn finish(&self) -> Result<(), Failure> {
        self.complaints.finish()
    }
}
