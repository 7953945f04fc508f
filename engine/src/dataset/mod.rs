//! Rows, assembled from stories; stored ones; which are kept, and how they are split.

mod event;
mod field;
mod fields;
mod json;
mod keep;
mod prompt;
mod row;
mod split;
mod stored;
mod story;
mod waiting;

pub use event::events;
pub use field::{
    Column, DEED_COLUMNS, DIFFICULTY_COLUMNS, DifficultyOfRow, Extras, FIELDS, FIFTHS, Field, Fields,
    MATTER_COLUMNS, MESSAGE_COLUMNS, MOVE_COLUMNS, MatterOfRow, NAME_COLUMNS, Presence,
};
pub use json::escaped;
pub use keep::{KEEP_NAMES, Keep, Numbers, Search, numbers};
pub use prompt::{ASSISTANT, Asked, Prompt, SHOTS_MAX, USER};
pub use row::{RowMaker, RowOptions, heads};
pub use split::{Split, Splits};
pub use stored::StoredRow;
pub use story::{QUESTIONS, Unit, gather, spread, with_values};
pub use waiting::{Trios, Waiting};
