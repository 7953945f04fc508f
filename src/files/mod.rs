//! Files of rows, packed and read back, and what a folder of such files says about itself.

mod card;
mod encode;
mod manifest;
#[cfg(feature = "parquet")]
mod parquet;
mod read;
mod shape;

pub use encode::{Encoder, Format};
pub use manifest::{BoardText, FILES_MAX, FileRecord, Manifest, PackText, PieceRecord, SetRecord};
pub use read::{RowReader, files_at, open_text, rows_of};
pub use shape::Shape;
