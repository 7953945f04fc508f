//! Texts of packs, cut at their slots.

use std::fmt;

use crate::diagnostic::Span;

/// What is filled into a text, as in `{thing}`.
///
/// ```
/// use storysim::pack::Slot;
/// assert_eq!((Slot::OwnNot.key(), Slot::of_key("own_not")), ("own_not", Some(Slot::OwnNot)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// `{L}`: the name of who speaks of the matter to the person it belongs to
    Liar,
    /// `{T}`: the name of the person to whom the matter belongs
    Target,
    /// `{thing}`: what the matter is about
    Thing,
    /// `{reason}`: why the liar is going to speak as she does
    Reason,
    /// `{says}`: the claim
    Says,
    /// `{denies}`: the contrary of the claim
    Denies,
    /// `{own}`: the claim, as the liar says it of herself
    Own,
    /// `{own_not}`: the contrary of the claim, as the liar says it of herself
    OwnNot,
    /// `{people}`: the names of all who take part
    People,
    /// `{who}`: the name of who has brought a prospect about
    Who,
    /// `{a}`: the name of one of two people
    First,
    /// `{b}`: the name of the other one
    Second,
    /// `{act}`: what somebody does
    Act,
    /// `{decider}`: the name of who decides on a prospect
    Decider,
    /// `{agent}`: the name of who has brought a prospect about
    Agent,
}

impl Slot {
    /// All slots.
    pub const ALL: [Self; 15] = [
        Self::Liar,
        Self::Target,
        Self::Thing,
        Self::Reason,
        Self::Says,
        Self::Denies,
        Self::Own,
        Self::OwnNot,
        Self::People,
        Self::Who,
        Self::First,
        Self::Second,
        Self::Act,
        Self::Decider,
        Self::Agent,
    ];

    /// The slots whose words come from a matter. A text with one of them says of which matter it speaks.
    pub const OF_MATTERS: [Self; 5] = [Self::Thing, Self::Says, Self::Denies, Self::Own, Self::OwnNot];

    /// What an author writes between the braces.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Liar => "L",
            Self::Target => "T",
            Self::Thing => "thing",
            Self::Reason => "reason",
            Self::Says => "says",
            Self::Denies => "denies",
            Self::Own => "own",
            Self::OwnNot => "own_not",
            Self::People => "people",
            Self::Who => "who",
            Self::First => "a",
            Self::Second => "b",
            Self::Act => "act",
            Self::Decider => "decider",
            Self::Agent => "agent",
        }
    }

    /// The slot that an author writes in this way.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|slot| slot.key() == key)
    }

    /// How many characters the slot has as an author writes it.
    pub(super) const fn written_characters(self) -> usize {
        self.key().len() + 2
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.key())
    }
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Words as they are told.
    Words(String),
    /// A slot, where something is filled in.
    Slot(Slot),
}

/// A text of a pack, cut at its slots. It is displayed as its author wrote it.
///
/// ```
/// use storysim::pack::{Slot, built_in};
/// let words = built_in("dinner").unwrap().white_lie().unwrap();
/// let mut told = String::new();
/// words.setting.fill(&mut told, |slot, told| told.push_str(if slot == Slot::People { "Ann and Bob" } else { "Ann" }));
/// assert!(told.contains("Ann and Bob") && !told.contains('{'));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The pieces, in order.
    pub pieces: Vec<Piece>,
    /// The place where the text was written.
    pub span: Span,
    /// The byte at which the text begins, if it stands in the file letter by letter: neither with escapes nor folded.
    pub(super) start: Option<usize>,
}

impl Text {
    /// Appends the text, in which `fill` appends what a slot stands for.
    pub fn fill(&self, told: &mut String, mut fill: impl FnMut(Slot, &mut String)) {
        for piece in &self.pieces {
            match piece {
                Piece::Words(words) => told.push_str(words),
                Piece::Slot(slot) => fill(*slot, told),
            }
        }
    }

    /// The slots, in order.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Slot(slot) => Some(*slot),
            Piece::Words(_) => None,
        })
    }

    /// Whether something is filled in there.
    pub fn has(&self, slot: Slot) -> bool {
        self.slots().any(|found| found == slot)
    }

    /// How many characters the text has as its author wrote it, if a slot counts as many as `count` says.
    pub(super) fn characters(&self, count: impl Fn(Slot) -> usize) -> usize {
        let characters = |piece: &Piece| match piece {
            Piece::Words(words) => words.chars().count(),
            Piece::Slot(slot) => count(*slot),
        };
        self.pieces.iter().map(characters).sum()
    }

    /// Where these bytes of the text as written stand in the file.
    pub(super) fn place(&self, start: usize, end: usize) -> Span {
        self.start.map_or(self.span, |at| Span::new(at + start, at + end))
    }

    /// Where the slot stands for the first time.
    pub(super) fn place_of(&self, wanted: Slot) -> Span {
        let mut at = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Slot(slot) if *slot == wanted => {
                    return self.place(at, at + slot.written_characters());
                }
                Piece::Slot(slot) => at += slot.written_characters(),
                Piece::Words(words) => at += words.len(),
            }
        }
        self.span
    }

    /// Words that follow each other without a slot in between, in small letters, each with its place.
    pub(super) fn runs(&self) -> Vec<Vec<(String, Span)>> {
        let (mut runs, mut at) = (Vec::new(), 0);
        for piece in &self.pieces {
            match piece {
                Piece::Slot(slot) => at += slot.written_characters(),
                Piece::Words(words) => {
                    let placed = |(start, word): (usize, &str)| {
                        let start = at + start;
                        (word.to_lowercase(), self.place(start, start + word.len()))
                    };
                    runs.push(words_of(words, at > 0).map(placed).collect());
                    at += words.len();
                }
            }
        }
        runs
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Words(words) => f.write_str(words),
            Piece::Slot(slot) => slot.fmt(f),
        })
    }
}

/// The words of a text, each with the byte at which it begins. What is joined to a word by an apostrophe, such as `'s`, is
/// no word if it has one or two letters. `is_joined` says whether something stands before the text.
pub(super) fn words_of(text: &str, is_joined: bool) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find(char::is_alphanumeric)?;
            let end =
                text[start..].find(|c: char| !c.is_alphanumeric()).map_or(text.len(), |end| start + end);
            at = end;
            let before = text[..start].strip_suffix(['\'', '’']);
            let is_ending = before.is_some_and(|before| {
                before.chars().next_back().map_or(is_joined, char::is_alphanumeric)
                    && text[start..end].chars().count() <= 2
            });
            if !is_ending {
                return Some((start, &text[start..end]));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::words_of;

    #[test]
    fn words_are_found() {
        let words = |text, is_joined| words_of(text, is_joined).map(|(_, word)| word).collect::<Vec<_>>();
        assert_eq!(
            words("Ann's hard-won  cup, 'so' it’ll do…", false),
            ["Ann", "hard", "won", "cup", "so", "it", "do"]
        );
        assert_eq!(words("'s soup", true), ["soup"]);
        assert_eq!(words("'is soup", false), ["is", "soup"]);
        assert_eq!(words("Käse’s 'O'Brien'", false), ["Käse", "O", "Brien"]);
        assert_eq!(words(" - ", false), [""; 0]);
        assert_eq!(words_of("é b", false).last(), Some((3, "b")));
    }
}
