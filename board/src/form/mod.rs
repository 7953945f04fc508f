//! What an author can write, as data: every deed, condition, goal and kind of question has one entry here.
//!
//! An entry says by which key an author writes it, which parts it takes, and how it is told. Reading a storyboard, the
//! JSON Schema, the resolution of names, sentences and their reading back, the events of rows, and the stream keys
//! follow from the entries. What a deed *does* stands where it is checked independently: in `world`, in
//! `check` and in the oracles of `belief`. Those match on [`Act`] without a wildcard, so the compiler
//! names the places that a new deed has to visit.
//!
//! This room knows no names and no numbers. A [`Naming`] says what stands for a person, a place or a thing: the
//! author's words, indices, or what is still open.
//!
//! ```
//! use storysim::form::{ActKind, Sort};
//! let throw = ActKind::Throw.form();
//! assert_eq!((throw.key, throw.says), (Some("throw"), "{who} throws {object} to {to}"));
//! assert_eq!(throw.parts[1].sort, Sort::Place);
//! ```

/// The key of a part: its name in the entry, or another one where that name is reserved in Rust.
macro_rules! part_name {
    ($part:ident) => {
        stringify!($part)
    };
    ($part:ident $name:literal) => {
        $name
    };
}

mod act;
mod class;
mod condition;
mod feeling;
mod goal;
mod hardness;
mod part;
mod phrase;
mod play;
mod question;
mod reader_rule;
mod sentence;
mod wording;

pub use act::{Act, ActForm, ActIn, ActKind, DirectionIn, LIE, Rule};
pub use class::{Class, LieType};
pub use condition::{
    Condition, ConditionForm, ConditionKind, ConditionPart, ConditionPartForm, ConditionSort, Shape,
};
pub use feeling::{Addressee, Author, Certainty, Expected, Outcome, Situation, State, Thought, Toward, When};
pub use goal::{GoalForm, GoalTakes, GoalWord};
pub use hardness::Hardness;
pub use part::{Direction, Hearers, Naming, Part, PartForm, PartIn, Sort, Telling, TellingIn};
pub use phrase::{Bracket, PhraseForm, PhraseKind, PhrasePiece, PhraseSlot};
pub use play::{Audience, Play};
pub use question::{Answers, Others, QuestionForm, QuestionKind, Takes, TargetSort};
pub use reader_rule::ReaderRule;
pub use sentence::{Hole, JOINTS, JOINTS_OF_DEEDS, Piece};
pub use wording::{DOWN_IN, INTO, SentenceKind, Slot, WordedPiece};
