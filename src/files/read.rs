//! Files of rows, read back.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::{Format, Manifest};
use crate::dataset::StoredRow;

/// The largest size of a row, in bytes. The story of a million events has about 25 MB.
const ROW_BYTES_MAX: u64 = 1 << 28;

/// Reads the rows of a file, one after another.
///
/// ```no_run
/// use storysim::files::{Format, RowReader};
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
    /// If the file cannot be read or is not of this format, or if this build lacks the format.
    pub fn open(path: &Path, format: Format) -> io::Result<Self> {
        let file = File::open(path)?;
        let lines = |file, packing| -> io::Result<Box<dyn Iterator<Item = io::Result<StoredRow>>>> {
            let text = unpacked(file, packing)?;
            Ok(Box::new(Lines { text, is_over: false }.map(|line| line.map(StoredRow::Line))))
        };
        Ok(Self(match format {
            Format::Jsonl => lines(file, Packing::None)?,
            Format::JsonlGz => lines(file, Packing::Gzip)?,
            Format::JsonlZst => lines(file, Packing::Zstandard)?,
            #[cfg(feature = "parquet")]
            Format::Parquet => Box::new(super::parquet::rows(file)?.map(|row| row.map(StoredRow::Columns))),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(io::Error::other("built without the feature `parquet`")),
        }))
    }
}

/// How a text is packed.
#[derive(Clone, Copy)]
enum Packing {
    None,
    Gzip,
    Zstandard,
}

fn unpacked(file: File, packing: Packing) -> io::Result<Box<dyn BufRead>> {
    const BUFFER_BYTES: usize = 1 << 17;
    Ok(match packing {
        Packing::None => Box::new(BufReader::with_capacity(BUFFER_BYTES, file)),
        Packing::Gzip => {
            let unpacked = flate2::read::MultiGzDecoder::new(BufReader::new(file));
            Box::new(BufReader::with_capacity(BUFFER_BYTES, unpacked))
        }
        Packing::Zstandard => Box::new(BufReader::with_capacity(BUFFER_BYTES, zstd::Decoder::new(file)?)),
    })
}

/// The text of a file, unpacked if its name ends in `.gz` or `.zst`.
///
/// # Errors
/// If the file cannot be opened. Where it is damaged, reading fails.
pub fn open_text(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let packing = match path.extension().and_then(|ending| ending.to_str()) {
        Some("gz") => Packing::Gzip,
        Some("zst") => Packing::Zstandard,
        _ => Packing::None,
    };
    unpacked(File::open(path)?, packing)
}

/// The lines of a text, limited in length. After an error there are no more lines, since reading would only fail again.
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

/// The files of rows at a path: for a dataset folder all files in its manifest, in that order; otherwise the file itself.
///
/// # Errors
/// If there is nothing at the path, a folder has no readable manifest, or the file's name does not show its format.
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

/// The rows of these files, file after file, one a question, each with its number in its file, from 1. All questions of a
/// row of a story have its number.
///
/// A file that cannot be opened yields one error.
pub fn rows_of(
    files: Vec<(PathBuf, Format)>,
) -> impl Iterator<Item = (PathBuf, usize, io::Result<StoredRow>)> {
    files.into_iter().flat_map(|(path, format)| {
        let rows: Box<dyn Iterator<Item = io::Result<StoredRow>>> = match RowReader::open(&path, format) {
            Ok(rows) => Box::new(rows),
            Err(error) => Box::new(std::iter::once(Err(error))),
        };
        rows.enumerate().flat_map(move |(at, row)| {
            let questions = match row.and_then(|row| row.spread().map_err(io::Error::other)) {
                Ok(questions) => questions.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            };
            let path = path.clone();
            questions.into_iter().map(move |row| (path.clone(), at + 1, row))
        })
    })
}
