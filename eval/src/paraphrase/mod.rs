//! Stories retold by a language model, sentence by sentence, and taken only as far as the retelling says the same.
//!
//! A [`Script`] is a plain story cut into sentences. [`request`](Script::request) asks a model to word those again that tell an
//! event, or who sees or misses one; an [`Answer`] is what came back. A sentence is taken by a closed grammar, never because nothing
//! suspicious was found in it: it has to be, letter by letter, one of the sentences in which a lexicon (a pack of wordings) tells
//! this event of these people, places and things (`fit.rs`). Then [`crate::prose`], which does not know what the sentence should
//! say, has to read this event out of it, and nothing else. Last, the whole story is read back, event for event.
//!
//! What is not taken stays as it was. All sentences of a story are in one tense: in the past only where all of it is retold.

mod answer;
mod fit;
mod refusal;
mod retell;
mod row;
mod script;

pub use answer::{Answer, Unread};
pub use refusal::Refusal;
pub use retell::Retold;
pub use row::{is_of_things, retold_row};
pub use script::{Line, Script, Teller};
