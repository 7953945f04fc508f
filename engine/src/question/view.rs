//! What a mind would answer about an item.

use super::answer::{Answer, Verdict};
use crate::belief::{DeedTracker, Held};
use crate::world::{Item, Scene, Value};

/// What a mind would answer, if it has an answer.
///
/// For an object in somebody's hands, it is what the mind would answer about the holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The mind has this answer.
    Clear(Answer),
    /// The owner of the mind has no idea, and whoever holds this mind knows that.
    Nothing,
    /// Whoever holds this mind cannot tell.
    Unclear,
}

impl View {
    /// What the mind of the first `depth` members of a chain would answer; for depth 0, reality.
    pub fn of(tracker: &DeedTracker, depth: usize, item: Item) -> Self {
        match tracker.held_at(depth, item) {
            Held::Known(Value::Hands(holder), _) => Self::of(tracker, depth, Item::Character(holder)),
            Held::Known(Value::Place(place), _) => Self::Clear(Answer::Place(place)),
            Held::Known(Value::Container(container), _) => Self::Clear(Answer::Container(container)),
            Held::Known(Value::Truth(is_true), _) => Self::Clear(Answer::Verdict(verdict(is_true))),
            Held::Known(Value::Case(_) | Value::NoCase, _) => {
                unreachable!("prospects are asked about by scenario")
            }
            Held::Nothing => Self::Nothing,
            Held::Unclear => Self::Unclear,
        }
    }

    /// The same, where it does not matter why a mind has no answer.
    pub const fn of_known(self) -> Self {
        match self {
            Self::Unclear => Self::Nothing,
            view => view,
        }
    }

    /// The answer, if there is one.
    pub const fn answer(self) -> Option<Answer> {
        match self {
            Self::Clear(answer) => Some(answer),
            Self::Nothing | Self::Unclear => None,
        }
    }
}

/// The real state of an item, in the form of an answer.
pub fn reality(scene: &Scene, item: Item) -> Answer {
    match scene.value(item) {
        Value::Place(place) => Answer::Place(place),
        Value::Container(container) => Answer::Container(container),
        Value::Hands(holder) => Answer::Place(scene.place(holder)),
        Value::Truth(is_true) => Answer::Verdict(verdict(is_true)),
        Value::Case(_) | Value::NoCase => unreachable!("prospects are asked about by scenario"),
    }
}

/// Yes if it is so, otherwise no.
pub const fn verdict(is_so: bool) -> Verdict {
    if is_so { Verdict::Yes } else { Verdict::No }
}
