//! How long a text is, before it is known of which matter it speaks and who is who.

use super::Matter;
use crate::pack::text::{Slot, Text};

/// The slots that are filled with names.
pub const NAMES: [Slot; 2] = [Slot::Liar, Slot::Target];

/// The length of a text, or the difference of two: characters, and how often each slot of [`NAMES`] and of
/// [`Slot::OF_MATTERS`] stands there. A name counts as many characters as its slot.
#[derive(Clone, Copy, Default)]
pub struct Length {
    characters: i64,
    names: [i64; NAMES.len()],
    slots: [i64; Slot::OF_MATTERS.len()],
}

impl Length {
    pub fn of(text: &Text) -> Self {
        let count = |slot: Slot| text.slots().filter(|found| *found == slot).count() as i64;
        let of_matters = |slot: Slot| Slot::OF_MATTERS.contains(&slot);
        let characters = text.characters(|slot| if of_matters(slot) { 0 } else { slot.written_characters() });
        Self { characters: characters as i64, names: NAMES.map(count), slots: Slot::OF_MATTERS.map(count) }
    }

    /// This many characters.
    pub fn of_characters(characters: i64) -> Self {
        Self { characters, ..Self::default() }
    }

    /// Of a slot that stays as it is written.
    fn of_slot(slot: Slot) -> Self {
        Self::of_characters(slot.written_characters() as i64)
    }

    /// This and as many times another length.
    pub fn plus(self, times: i64, other: &Self) -> Self {
        Self {
            characters: self.characters + times * other.characters,
            names: std::array::from_fn(|at| self.names[at] + times * other.names[at]),
            slots: std::array::from_fn(|at| self.slots[at] + times * other.slots[at]),
        }
    }

    /// The length with the words of a matter in its slots.
    pub fn with(self, filled: &Filled<'_>) -> Self {
        let bare = Self { slots: Default::default(), ..self };
        self.slots.iter().zip(&filled.slots).fold(bare, |length, (&times, each)| length.plus(times, each))
    }

    /// The number of characters.
    pub const fn characters(&self) -> i64 {
        self.characters
    }

    /// How often one of [`NAMES`] stands there, by its index.
    pub const fn names(&self, at: usize) -> i64 {
        self.names[at]
    }

    /// Whether the length is another one for other matters.
    pub fn rests_on_matters(&self) -> bool {
        self.slots.iter().any(|times| *times != 0)
    }
}

/// What stands for each slot of [`Slot::OF_MATTERS`].
pub struct Filled<'a> {
    /// The matter from which the words come; there is none if the slots stay as they are written.
    pub matter: Option<&'a Matter>,
    slots: [Length; Slot::OF_MATTERS.len()],
}

impl<'a> Filled<'a> {
    /// The words of each matter; if there are no matters, the slots themselves.
    pub fn of_each(matters: &'a [Matter]) -> Vec<Self> {
        if matters.is_empty() {
            return vec![Self { matter: None, slots: Slot::OF_MATTERS.map(Length::of_slot) }];
        }
        let of = |matter: &'a Matter| {
            let length = |slot: Slot| matter.text_of(slot).map_or_else(|| Length::of_slot(slot), Length::of);
            Self { matter: Some(matter), slots: Slot::OF_MATTERS.map(length) }
        };
        matters.iter().map(of).collect()
    }
}
