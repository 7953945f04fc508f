//! Where rows go.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::Failure;

/// What `--out` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `-`
    Stdout,
    /// A file, a pipe or a device.
    Path(PathBuf),
}

impl FromStr for Target {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(if text == "-" { Self::Stdout } else { Self::Path(text.into()) })
    }
}

/// An open target.
///
/// A file is written under a temporary name beside it and renamed when it is whole, so that a file
/// with its final name never lacks rows.
pub enum Output {
    /// Stdout, a pipe or a device.
    Stream(Box<dyn Write + Send>, String),
    /// A file in the making.
    File {
        /// The open temporary file.
        file: File,
        /// Its name.
        temporary: Temporary,
        /// The name to be.
        path: PathBuf,
    },
}

/// A file that is removed again unless it is kept: what a failure leaves is of no use.
pub struct Temporary(Option<PathBuf>);

impl Temporary {
    fn path(&self) -> &Path {
        self.0.as_deref().expect("not kept yet")
    }

    fn keep(&mut self) {
        self.0 = None;
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = fs::remove_file(path); // the failure itself has been told
        }
    }
}

impl Output {
    /// Opens a target.
    ///
    /// # Errors
    /// If it cannot be written, or is a form of output that this version does not have.
    pub fn open(target: &Target) -> Result<Self, Failure> {
        let path = match target {
            Target::Stdout => return Ok(Self::Stream(Box::new(io::stdout()), "stdout".to_owned())),
            Target::Path(path) => path,
        };
        let shown = path.display();
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => return Err(unsupported(path, "a folder")),
            Ok(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(path);
                let file = file.map_err(Failure::environment(format!("opening {shown}")))?;
                return Ok(Self::Stream(Box::new(file), shown.to_string()));
            }
            _ => {}
        }
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            return Err(unsupported(path, "a name of another form"));
        }
        let mut temporary = path.clone().into_os_string();
        temporary.push(".partial");
        let temporary = Temporary(Some(temporary.into()));
        let file = File::create(temporary.path());
        let file = file.map_err(Failure::environment(format!("creating {shown}")))?;
        Ok(Self::File { file, temporary, path: path.clone() })
    }

    /// Writes whole rows.
    ///
    /// # Errors
    /// If the disk is full, the reader has left, and the like.
    pub fn write(&mut self, rows: &str) -> Result<(), Failure> {
        match self {
            Self::Stream(stream, name) => {
                stream.write_all(rows.as_bytes()).map_err(Failure::environment(format!("writing to {name}")))
            }
            Self::File { file, temporary, .. } => file
                .write_all(rows.as_bytes())
                .map_err(Failure::environment(format!("writing to {}", temporary.path().display()))),
        }
    }

    /// Brings everything to its place, and tells where that is.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn finish(self) -> Result<String, Failure> {
        match self {
            Self::Stream(mut stream, name) => {
                stream.flush().map_err(Failure::environment(format!("writing to {name}")))?;
                Ok(name)
            }
            Self::File { file, mut temporary, path } => {
                file.sync_all()
                    .map_err(Failure::environment(format!("writing to {}", temporary.path().display())))?;
                let renamed = fs::rename(temporary.path(), &path);
                renamed.map_err(Failure::environment(format!("renaming to {}", path.display())))?;
                temporary.keep();
                Ok(path.display().to_string())
            }
        }
    }
}

fn unsupported(path: &Path, what: &str) -> Failure {
    Failure::Usage(format!(
        "--out {}: this is {what}; rows go to a file whose name ends in `.jsonl`, to a pipe or a device, or to stdout (`-`)",
        path.display()
    ))
}
