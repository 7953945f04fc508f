//! Rows, the files that hold them, and what a folder of such files says about itself.

#[cfg(feature = "pack")]
mod card;
#[cfg(feature = "pack")]
mod encode;
mod event;
mod field;
mod fields;
mod json;
mod keep;
#[cfg(feature = "pack")]
mod manifest;
#[cfg(feature = "parquet")]
mod parquet;
mod prompt;
#[cfg(feature = "pack")]
mod read;
mod row;
#[cfg(feature = "pack")]
mod shape;
mod split;
mod stored;
mod story;
mod waiting;

#[cfg(feature = "pack")]
pub use encode::{Encoder, Format};
pub use event::events;
pub use field::{
    Column, DEED_COLUMNS, DIFFICULTY_COLUMNS, DifficultyOfRow, Extras, FIELDS, FIFTHS, Field, Fields,
    MATTER_COLUMNS, MESSAGE_COLUMNS, MOVE_COLUMNS, MatterOfRow, NAME_COLUMNS, Presence,
};
pub use json::escaped;
pub use keep::{KEEP_NAMES, Keep, Numbers, Search, numbers};
#[cfg(feature = "pack")]
pub use manifest::{BoardText, FILES_MAX, FileRecord, Manifest, PackText, PieceRecord, SetRecord};
pub use prompt::{ASSISTANT, Asked, Prompt, SHOTS_MAX, USER};
#[cfg(feature = "pack")]
pub use read::{RowReader, files_at, open_text, rows_of};
pub use row::{RowMaker, RowOptions, heads};
#[cfg(feature = "pack")]
pub use shape::Shape;
pub use split::{Split, Splits};
pub use stored::StoredRow;
pub use story::{QUESTIONS, Unit, gather, spread, with_values};
pub use waiting::{Trios, Waiting};
