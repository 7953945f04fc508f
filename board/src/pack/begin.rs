//! How sentences begin, as far as a few letters show: so most ways to word one need not be tried on a text.

use crate::form::{Hole, Slot, WordedPiece};

/// The letters of a text after its first one, which may be a capital; at most eight bytes.
type Letters = u64;

/// How a text begins that may be a sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beginning {
    start: Option<Letters>,
    after_person: Option<Letters>,
    after_people: Option<Letters>,
}

impl Beginning {
    /// How a text begins, if it is known, and how it goes on after a person and after one person or more, if it begins with them.
    pub fn new(text: Option<&str>, after_person: Option<&str>, after_people: Option<&str>) -> Self {
        Self {
            start: text.map(letters),
            after_person: after_person.map(letters),
            after_people: after_people.map(letters),
        }
    }
}

/// What a way to word a sentence begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin {
    Words(First),
    /// A person, and these words.
    Person(First),
    /// One person or more, and these words.
    People(First),
    /// A place or a thing.
    Other,
}

/// The first word of some, but for its first letter; of a long one, eight bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct First {
    letters: Letters,
    /// The bits that count.
    mask: Letters,
}

impl Begin {
    pub fn of(pieces: &[WordedPiece]) -> Self {
        match pieces.split_first() {
            Some((WordedPiece::Words(words), _)) => Self::Words(First::of(words)),
            Some((WordedPiece::Slot(Slot::Hole(Hole::Who)), rest)) => Self::Person(First::of_piece(rest)),
            Some((WordedPiece::Slot(Slot::Hole(Hole::Everyone)), rest)) => {
                Self::People(First::of_piece(rest))
            }
            _ => Self::Other,
        }
    }

    /// Whether a text can begin so. It need not.
    pub fn is_of(self, beginning: &Beginning) -> bool {
        let (first, letters) = match self {
            Self::Words(first) => (first, beginning.start),
            Self::Person(first) => (first, beginning.after_person),
            Self::People(first) => (first, beginning.after_people),
            Self::Other => return true,
        };
        letters.is_some_and(|letters| letters & first.mask == first.letters)
    }
}

impl First {
    fn of_piece(pieces: &[WordedPiece]) -> Self {
        match pieces.first() {
            Some(WordedPiece::Words(words)) => Self::of(words),
            _ => Self::default(),
        }
    }

    fn of(words: &str) -> Self {
        let word = words.split_whitespace().next().unwrap_or_default();
        // The capital letter of some is two letters.
        if word.chars().next().is_none_or(|first| first.to_uppercase().count() != 1) {
            return Self::default();
        }
        let length = word.chars().skip(1).map(char::len_utf8).sum::<usize>().min(8);
        let mask = if length == 0 { 0 } else { Letters::MAX >> (64 - 8 * length) };
        Self { letters: letters(word) & mask, mask }
    }
}

/// The letters after the first one, and zeros where there are none.
fn letters(text: &str) -> Letters {
    let mut text = text.trim_start().chars();
    text.next();
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(text.as_str().bytes()).for_each(|(byte, letter)| *byte = letter);
    Letters::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(first: Option<Hole>, words: &str) -> Vec<WordedPiece> {
        let slot = first.map(|hole| WordedPiece::Slot(Slot::Hole(hole)));
        slot.into_iter().chain([WordedPiece::Words(words.into())]).collect()
    }

    #[test]
    fn a_way_is_tried_where_the_text_can_begin_so() {
        let ann = |rest: &'static str| Beginning::new(Some("Ann goes on"), Some(rest), None);
        for (first, words, text, can) in [
            (Some(Hole::Who), " goes to ", ann(" goes on"), true),
            (Some(Hole::Who), " goes to ", ann("  goes\nto"), true),
            (Some(Hole::Who), " goes to ", ann(" moves"), false),
            (Some(Hole::Who), " goes to ", ann(" go"), false),
            (Some(Hole::Who), ", then, ", ann(", then"), true),
            (Some(Hole::Who), " subsequently goes ", ann(" subsides"), false),
            (Some(Hole::Who), " subsequently goes ", ann(" subsequently"), true),
            (Some(Hole::Who), "", ann(" hums"), true),
            (Some(Hole::Everyone), " go to ", ann(" go to"), false),
            (Some(Hole::There), " is where ", ann(" goes"), true),
            (None, "into ", ann(""), false),
            (None, "into ", Beginning::new(Some("Into the hall"), None, None), true),
            (None, "ßen ", Beginning::new(Some("SSen"), None, None), true),
            (None, "übers ", Beginning::new(Some("Übers Feld"), None, None), true),
            (None, "übers ", Beginning::new(Some("Über"), None, None), false),
        ] {
            assert_eq!(Begin::of(&pieces(first, words)).is_of(&text), can, "{words} {text:?}");
        }
    }
}
