//! From rows of text to the bytes of a file.

use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::Shape;

/// The format of a file of rows. Each format is named after its file name ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON object per line.
    Jsonl,
    /// One JSON object per line, compressed with gzip.
    JsonlGz,
    /// One JSON object per line, compressed with Zstandard.
    JsonlZst,
    /// Typed columns, compressed with Zstandard. Needs the feature `parquet`.
    Parquet,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Jsonl, Self::JsonlGz, Self::JsonlZst, Self::Parquet];

    /// The ending of the names of such files, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::JsonlGz => "jsonl.gz",
            Self::JsonlZst => "jsonl.zst",
            Self::Parquet => "parquet",
        }
    }

    /// The format that a file's name asks for.
    ///
    /// ```
    /// # use storysim::files::Format;
    /// assert_eq!(Format::of_name("out/rows.jsonl.gz".as_ref()), Some(Format::JsonlGz));
    /// assert_eq!(Format::of_name("out/rows".as_ref()), None);
    /// ```
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        Self::ALL.into_iter().find(|format| {
            name.strip_suffix(format.ending()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
        })
    }

    /// Whether this build can write the format.
    pub fn is_built_in(self) -> bool {
        self != Self::Parquet || cfg!(feature = "parquet")
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|format| format.ending() == text)
            .ok_or_else(|| format!("`{text}` is not a format of rows"))
    }
}

/// Turns rows into the bytes of one file.
///
/// The bytes depend on the rows alone, not on how they are divided into writes, nor on the threads. The bytes of
/// compressed formats hold for one version of storysim, since they depend on the libraries that compress.
///
/// ```
/// use storysim::files::{Encoder, Format, Shape};
/// let mut encoder = Encoder::new(Format::JsonlGz, &Shape::default(), 1, Vec::new()).unwrap();
/// encoder.write("{\"id\":\"a/0/0/0\"}\n").unwrap();
/// let bytes = encoder.finish().unwrap();
/// assert_eq!(bytes[..2], [0x1f, 0x8b]);
/// ```
pub struct Encoder<W: Write + Send>(Packer<W>);

enum Packer<W: Write + Send> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
    #[cfg(feature = "parquet")]
    Parquet(Box<super::parquet::ParquetWriter<W>>),
}

impl<W: Write + Send> Encoder<W> {
    /// An encoder that writes to `to` and may compress on `threads` additional threads.
    ///
    /// # Errors
    /// If `to` cannot be written, or this build lacks the format.
    pub fn new(format: Format, shape: &Shape, threads: u32, to: W) -> io::Result<Self> {
        #[cfg(not(feature = "parquet"))]
        let _ = shape;
        Ok(Self(match format {
            Format::Jsonl => Packer::Plain(to),
            Format::JsonlGz => Packer::Gzip(GzEncoder::new(to, Compression::default())),
            Format::JsonlZst => {
                let mut encoder = zstd::Encoder::new(to, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                // At least one, since the bytes of no worker at all differ from those of any number.
                encoder.multithread(threads.max(1))?;
                Packer::Zstd(encoder)
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => Packer::Parquet(Box::new(super::parquet::ParquetWriter::new(shape, to)?)),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(io::Error::other("built without the feature `parquet`")),
        }))
    }

    /// Adds whole rows, each ending with a line break.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    ///
    /// # Panics
    /// If the format has typed columns and these are not rows of the shape.
    pub fn write(&mut self, rows: &str) -> io::Result<()> {
        match &mut self.0 {
            Packer::Plain(to) => to.write_all(rows.as_bytes()),
            Packer::Gzip(to) => to.write_all(rows.as_bytes()),
            Packer::Zstd(to) => to.write_all(rows.as_bytes()),
            #[cfg(feature = "parquet")]
            Packer::Parquet(to) => to.write(rows),
        }
    }

    /// Writes what is still held back, and returns `to`.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    pub fn finish(self) -> io::Result<W> {
        let mut to = match self.0 {
            Packer::Plain(to) => to,
            Packer::Gzip(to) => to.finish()?,
            Packer::Zstd(to) => to.finish()?,
            #[cfg(feature = "parquet")]
            Packer::Parquet(to) => to.finish()?,
        };
        to.flush()?;
        Ok(to)
    }
}
