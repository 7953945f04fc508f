//! Where rows and pages go.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::Failure;
use crate::files::Format;
use crate::folder::write_file;
pub use crate::folder::{Output, Place};
use crate::page::Page;

/// The target that `--out` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Stdout, written as `-`.
    Stdout,
    /// A file, a folder, a pipe or a device.
    Path(PathBuf),
}

impl FromStr for Target {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(if text == "-" { Self::Stdout } else { Self::Path(text.into()) })
    }
}

impl Target {
    /// The place to write to, and the format.
    ///
    /// # Errors
    /// If the target does not allow that format.
    pub fn resolve(&self, format: Option<Format>) -> Result<(Place, Format), Failure> {
        let (place, named) = match self {
            Self::Path(path) if path.as_os_str().is_empty() => {
                return Err(Failure::Usage("--out: the name is empty; is a variable unset?".to_owned()));
            }
            Self::Stdout => (Place::Stdout, None),
            Self::Path(path) => match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => (Place::Folder(path.clone()), None),
                Ok(metadata) if !metadata.is_file() => (Place::Device(path.clone()), Format::of_name(path)),
                found => match Format::of_name(path) {
                    Some(named) => (Place::File(path.clone()), Some(named)),
                    None if found.is_ok() => {
                        return Err(Failure::Usage(format!(
                            "--out {}: this file exists, but its name ends in none of {}",
                            path.display(),
                            endings()
                        )));
                    }
                    None => (Place::Folder(path.clone()), None),
                },
            },
        };
        let format = match (named, format) {
            (Some(named), Some(format)) if named != format => {
                return Err(Failure::Usage(format!(
                    "--format {} does not go with a name that ends in `.{}`",
                    format.ending(),
                    named.ending()
                )));
            }
            (named, format) => format.or(named).unwrap_or(Format::Jsonl),
        };
        if !format.is_built_in() {
            let message = "this storysim was built without Parquet; build it with `--features parquet`";
            return Err(Failure::Usage(message.to_owned()));
        }
        if place == Place::Stdout && format != Format::Jsonl && io::stdout().is_terminal() {
            let message =
                format!("--format {} cannot be shown in a terminal; name a file with --out", format.ending());
            return Err(Failure::Usage(message));
        }
        Ok((place, format))
    }
}

fn endings() -> String {
    Format::ALL.map(|format| format!("`.{}`", format.ending())).join(", ")
}

/// Refuses what no page can be written to, before any work is done.
///
/// # Errors
/// If the path is that of a folder, or of a file in a folder that is not there; or if it means stdout.
pub fn refuse_no_place_for_page(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        let message = "--html -: a page is written to a file, not to stdout; name one, such as page.html";
        return Err(Failure::Usage(message.to_owned()));
    }
    let why = match path.parent() {
        _ if path.is_dir() => {
            format!("this is a folder; name a file in it, such as {}", path.join("page.html").display())
        }
        Some(folder) if !folder.as_os_str().is_empty() && !folder.exists() => {
            format!("there is no folder {}", folder.display())
        }
        _ => return Ok(()),
    };
    Err(Failure::Environment(format!("--html {}", path.display()), io::Error::other(why)))
}

/// Writes a page to a file, completely or not at all; to something else, such as a pipe or a device, directly.
///
/// # Errors
/// If the page cannot be written.
pub fn write_page(path: &Path, page: &Page) -> Result<(), Failure> {
    write_text(path, &page.html())
}

/// Writes a text to a file, completely or not at all; to something else, such as a pipe or a device, directly.
///
/// # Errors
/// If the text cannot be written.
pub fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        let written = File::options().write(true).open(path).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.flush()
        });
        return written.map_err(Failure::environment(format!("writing to {}", path.display())));
    }
    let mut unfinished = path.to_owned().into_os_string();
    unfinished.push(".partial");
    write_file(path, PathBuf::from(unfinished), text)
}
