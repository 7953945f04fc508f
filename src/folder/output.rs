//! Where rows go.

use std::fmt::{self, Display, Formatter};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Failure;
use crate::files::{Encoder, Format, Shape};

/// A target whose kind is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Stdout.
    Stdout,
    /// A pipe or a device, which is written to directly.
    Device(PathBuf),
    /// A file, which gets its name only when it is complete.
    File(PathBuf),
    /// A dataset folder.
    Folder(PathBuf),
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdout => f.write_str("stdout"),
            Self::Device(path) | Self::File(path) | Self::Folder(path) => path.display().fmt(f),
        }
    }
}

/// An open file or stream.
///
/// A file is written under a temporary name beside its final one and renamed when it is complete, so a file with its
/// final name never lacks rows.
pub struct Output {
    encoder: Encoder<Hashed>,
    /// The name of the output in messages.
    name: String,
    /// For a file, the temporary name and the final name.
    names: Option<(Temporary, PathBuf)>,
}

/// What has been written to an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number of bytes.
    pub bytes: u64,
    /// The BLAKE3 hash of a file in a folder. Other files have none: nobody needs it, and it takes as long as the rows.
    pub blake3: Option<String>,
}

/// A file that is removed again unless it is kept, since what a failure leaves behind is of no use.
struct Temporary(Option<PathBuf>);

impl Temporary {
    /// A temporary file beside this path.
    fn beside(path: &Path) -> Self {
        let mut name = path.to_owned().into_os_string();
        name.push(".partial");
        Self(Some(name.into()))
    }

    fn path(&self) -> &Path {
        self.0.as_deref().expect("not kept yet")
    }

    /// Gives the file its final name.
    fn keep(&mut self, path: &Path) -> Result<(), Failure> {
        let renamed = fs::rename(self.path(), path);
        renamed.map_err(Failure::environment(format!("renaming to {}", path.display())))?;
        self.0 = None;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = fs::remove_file(path); // the failure itself has been told
        }
    }
}

/// Counts the bytes that pass through, and hashes them if that is needed.
struct Hashed {
    to: Box<dyn Sink>,
    bytes: u64,
    hasher: Option<blake3::Hasher>,
}

/// Something that can be written and flushed to the disk.
trait Sink: Write + Send {
    fn sync(&mut self) -> io::Result<()>;
}

impl Sink for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// A stream, for which there is nothing to wait for once it is flushed.
struct Stream<W>(W);

impl<W: Write> Write for Stream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write + Send> Sink for Stream<W> {
    fn sync(&mut self) -> io::Result<()> {
        self.flush()
    }
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.to.write(bytes)?;
        if let Some(hasher) = &mut self.hasher {
            hasher.update(&bytes[..count]);
        }
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Output {
    /// Opens stdout, a device, or a file.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If the place is a folder.
    pub fn open(place: &Place, format: Format, shape: &Shape, threads: u32) -> Result<Self, Failure> {
        let (to, name): (Box<dyn Sink>, _) = match place {
            Place::Stdout => (Box::new(Stream(io::stdout())), place.to_string()),
            Place::Device(path) => {
                let file = File::options().write(true).open(path);
                let file = file.map_err(Failure::environment(format!("opening {}", path.display())))?;
                (Box::new(Stream(file)), place.to_string())
            }
            Place::File(path) => {
                return Self::create(path, Temporary::beside(path), None, format, shape, threads);
            }
            Place::Folder(_) => unreachable!("a folder's files are opened one by one"),
        };
        Self::new(Hashed { to, bytes: 0, hasher: None }, name, None, format, shape, threads)
    }

    /// Opens a file that has another name, in another folder on the same disk, until it is complete.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn of_folder(
        path: &Path,
        unfinished: PathBuf,
        format: Format,
        shape: &Shape,
        threads: u32,
    ) -> Result<Self, Failure> {
        let hasher = Some(blake3::Hasher::new());
        Self::create(path, Temporary(Some(unfinished)), hasher, format, shape, threads)
    }

    fn create(
        path: &Path,
        temporary: Temporary,
        hasher: Option<blake3::Hasher>,
        format: Format,
        shape: &Shape,
        threads: u32,
    ) -> Result<Self, Failure> {
        let file = File::create(temporary.path());
        let file = file.map_err(Failure::environment(format!("creating {}", path.display())))?;
        let name = temporary.path().display().to_string();
        let hashed = Hashed { to: Box::new(file), bytes: 0, hasher };
        Self::new(hashed, name, Some((temporary, path.to_owned())), format, shape, threads)
    }

    fn new(
        hashed: Hashed,
        name: String,
        names: Option<(Temporary, PathBuf)>,
        format: Format,
        shape: &Shape,
        threads: u32,
    ) -> Result<Self, Failure> {
        let encoder = Encoder::new(format, shape, threads, hashed);
        let encoder = encoder.map_err(Failure::environment(format!("writing to {name}")))?;
        Ok(Self { encoder, name, names })
    }

    /// Writes whole rows.
    ///
    /// # Errors
    /// If, for example, the disk is full or the reader has left.
    pub fn write(&mut self, rows: &str) -> Result<(), Failure> {
        self.encoder.write(rows).map_err(Failure::environment(format!("writing to {}", self.name)))
    }

    /// Writes everything that is left, gives a file its final name, and returns what was written.
    ///
    /// # Errors
    /// Like [`Self::write`].
    pub fn finish(self) -> Result<Written, Failure> {
        let writing = || Failure::environment(format!("writing to {}", self.name));
        let mut hashed = self.encoder.finish().map_err(writing())?;
        hashed.to.sync().map_err(writing())?;
        if let Some((mut temporary, path)) = self.names {
            temporary.keep(&path)?;
        }
        let blake3 = hashed.hasher.map(|hasher| hasher.finalize().to_hex().to_string());
        Ok(Written { bytes: hashed.bytes, blake3 })
    }
}

/// Writes a small file, completely or not at all. Until it is complete, it has another name, in another folder on the
/// same disk.
///
/// # Errors
/// If it cannot be written.
pub fn write_file(path: &Path, unfinished: PathBuf, text: &str) -> Result<(), Failure> {
    let mut temporary = Temporary(Some(unfinished));
    let written = File::create(temporary.path()).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(Failure::environment(format!("writing to {}", temporary.path().display())))?;
    temporary.keep(path)
}

/// Flushes the file names in a folder to the disk.
///
/// # Errors
/// If they cannot be flushed.
pub fn sync_folder(path: &Path) -> Result<(), Failure> {
    let synced = File::open(path).and_then(|folder| folder.sync_all());
    synced.map_err(Failure::environment(format!("writing to the folder {}", path.display())))
}
