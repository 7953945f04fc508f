//! Packs of acts: what people say as they come and go, in replies, to open a conversation, in small talk, and to confirm what
//! another has said.

use std::collections::HashMap;

use super::read::{PackReader, TextForm};
use super::text::{Slot, Text};
use crate::diagnostic::{Diagnostic, Span};
use crate::storyboard::Fields;

/// A kind of turn that says nothing of its own of any matter.
///
/// ```
/// use storysim::pack::Turn;
/// assert_eq!((Turn::Come.key(), Turn::Chat.least()), ("come", 32));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn {
    /// Somebody comes.
    Come,
    /// Somebody goes.
    Go,
    /// Somebody replies to what was said.
    Reply,
    /// The first turn of a conversation.
    Open,
    /// Small talk.
    Chat,
    /// Somebody confirms what another has just said to the person to whom the matter belongs, be it so or not.
    Confirm,
}

impl Turn {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Come, Self::Go, Self::Reply, Self::Open, Self::Chat, Self::Confirm];

    /// The key under which an author writes these turns.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Come => "come",
            Self::Go => "go",
            Self::Reply => "reply",
            Self::Open => "open",
            Self::Chat => "chat",
            Self::Confirm => "confirm",
        }
    }

    /// How many of them there have to be.
    pub const fn least(self) -> usize {
        match self {
            Self::Come | Self::Reply => 16,
            Self::Go => 24,
            Self::Open | Self::Confirm => 8,
            Self::Chat => 32,
        }
    }

    const fn form(self) -> TextForm {
        let phrase = match self {
            Self::Come => "a text of `come`",
            Self::Go => "a text of `go`",
            Self::Reply => "a text of `reply`",
            Self::Open => "a text of `open`",
            Self::Chat => "a text of `chat`",
            Self::Confirm => return CONFIRM,
        };
        TextForm::fixed(phrase)
    }
}

/// Who confirms a claim says of which matter, but not in the words of any.
const CONFIRM: TextForm = TextForm {
    slots: &[Slot::Liar, Slot::Target, Slot::Thing, Slot::Says],
    speaks_of_matter: true,
    ..TextForm::fixed("a text of `confirm`")
};

/// The words of turns that say nothing of their own of any matter.
///
/// ```
/// use storysim::pack::{Turn, built_in};
/// let acts = built_in("everyday").unwrap().acts().unwrap();
/// assert!(acts.of(Turn::Go).len() >= 24);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Acts {
    lists: [Vec<Text>; Turn::ALL.len()],
}

impl Acts {
    /// The texts for turns of one kind. There are none if a pack leaves them to the common ones.
    pub fn of(&self, turn: Turn) -> &[Text] {
        &self.lists[turn as usize]
    }

    /// All texts.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.lists.iter().flatten()
    }

    /// How many texts there are of each kind of which there are some.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&'static str, usize)> {
        Turn::ALL.into_iter().map(|turn| (turn.key(), self.of(turn).len())).filter(|(_, count)| *count > 0)
    }
}

/// The keys of a pack of acts, besides those that every pack has.
pub const KEYS: [&str; Turn::ALL.len()] = [
    Turn::Come.key(),
    Turn::Go.key(),
    Turn::Reply.key(),
    Turn::Open.key(),
    Turn::Chat.key(),
    Turn::Confirm.key(),
];

/// Reads a whole pack of acts.
pub fn read(reader: &mut PackReader<'_>, fields: &mut Fields) -> Acts {
    read_turns(reader, fields, &Turn::ALL)
}

/// Reads the acts in a pack of another kind. What it does not have comes from the common ones.
pub fn read_some(reader: &mut PackReader<'_>, fields: &mut Fields) -> Acts {
    let given: Vec<Turn> = Turn::ALL.into_iter().filter(|turn| fields.has(turn.key())).collect();
    read_turns(reader, fields, &given)
}

fn read_turns(reader: &mut PackReader<'_>, fields: &mut Fields, turns: &[Turn]) -> Acts {
    let mut acts = Acts::default();
    for turn in turns {
        acts.lists[*turn as usize] = reader.texts(fields, turn.key(), turn.least(), &turn.form()).list;
    }
    each_says_what_it_is(reader, &acts);
    acts
}

/// Refuses texts that stand in two lists: one could not tell who comes from who goes.
fn each_says_what_it_is(reader: &mut PackReader<'_>, acts: &Acts) {
    let mut seen: HashMap<String, (Turn, Span)> = HashMap::new();
    for turn in Turn::ALL {
        for text in acts.of(turn) {
            let written = text.to_string().to_lowercase();
            match seen.get(&written) {
                Some(&(other, first)) if other != turn => {
                    let message = format!("the same text stands in `{}` and `{}`", other.key(), turn.key());
                    let problem =
                        Diagnostic::error(message, text.span, "the second").label(first, "the first");
                    let help = "what somebody says has to tell whether she comes, goes or stays";
                    reader.problem(problem.help(help));
                }
                Some(_) => {}
                None => {
                    seen.insert(written, (turn, text.span));
                }
            }
        }
    }
}
