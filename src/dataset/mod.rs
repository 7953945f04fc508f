//! Rows, the files that hold them, and what a folder of such files says about itself.

mod encode;
mod event;
mod fields;
mod manifest;
#[cfg(feature = "parquet")]
mod parquet;
mod read;
mod row;
mod split;
mod waiting;

pub use encode::{Encoder, Format, Shape};
pub use fields::{Fields, files_at, rows_of};
pub use manifest::{BoardText, FILES_MAX, FileRecord, Manifest, PieceRecord, SetRecord};
pub use read::{RowReader, StoredRow};
pub use row::{RowMaker, RowOptions};
pub use split::{Split, Splits};
pub use waiting::Waiting;
