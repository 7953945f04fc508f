//! The rules by which people feel, want and do: the first line that fits decides.
//!
//! They are read from sentences in [`super::rules_told`], or taken from the lines of a pack where no reader is told them.

use super::words::{Case, How, filled};
use crate::form;
use crate::pack::{Piece, RuleWords, Slot, Text};

/// What stands in an act for the person who brought a prospect about.
pub const THAT_PERSON: &str = "that person";

/// What stands for an act in how it is done.
pub const THE_ACT: &str = "do it";

/// Who has settled a prospect, for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    Nobody,
    Herself,
    Other,
}

/// Which side somebody expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Wanted,
    Unwanted,
    Neither,
}

/// Whom a want is directed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    Nobody,
    Person(usize),
    WhoeverDidIt,
    AnyOther,
}

/// Where the person is whom a want is directed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    Here,
    Away,
    Nobody,
}

/// What somebody thinks, and the side that she expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mood {
    pub thinks: Option<Case>,
    pub expected: Option<usize>,
}

/// What a rule asks of somebody's mood. What is empty asks nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    pub has_heard_nothing: bool,
    /// That she thinks something, whatever it is.
    pub thinks: bool,
    /// Whether the side that she thinks of is the one that she wants.
    pub wanted: Vec<bool>,
    pub likely: Vec<bool>,
    pub author: Vec<Author>,
    pub is_final: Vec<bool>,
    pub expected: Vec<Expected>,
}

/// A rule of what people want.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanting {
    /// Whoever feels one of these; if there is none, whatever she feels.
    pub feels: Vec<String>,
    pub when: Condition,
    pub wants: String,
    pub act: String,
    pub toward: Toward,
}

/// A rule of how an act is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doing {
    pub to: Vec<Where>,
    pub wants: Vec<String>,
    pub text: String,
}

/// All rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    pub feels: Vec<(Condition, String)>,
    pub wants: Vec<Wanting>,
    pub does: Vec<Doing>,
}

impl Mood {
    /// The mood of somebody who hears this.
    pub fn hearing(self, case: Case) -> Self {
        match self.thinks {
            Some(held) if held == case => self,
            Some(Case { side, how: How::Likely, .. }) => Self { thinks: Some(case), expected: Some(side) },
            Some(_) | None => Self { thinks: Some(case), ..self },
        }
    }
}

fn allows<T: PartialEq>(asked: &[T], is: &T) -> bool {
    asked.is_empty() || asked.contains(is)
}

impl Condition {
    /// Whether somebody in this mood, who wants this side, is meant.
    pub fn fits(&self, mood: Mood, who: usize, wanted: usize) -> bool {
        let of_side = |side: usize| if side == wanted { Expected::Wanted } else { Expected::Unwanted };
        let expected = mood.expected.map_or(Expected::Neither, of_side);
        let Some(Case { side, how, is_final }) = mood.thinks else {
            let asks = self.thinks
                || !(self.wanted.is_empty() && self.likely.is_empty())
                || !(self.author.is_empty() && self.is_final.is_empty());
            return !asks && allows(&self.expected, &Expected::Neither);
        };
        let author = match how {
            How::Likely => None,
            How::ByNobody => Some(Author::Nobody),
            How::By(agent) if agent == who => Some(Author::Herself),
            How::By(_) => Some(Author::Other),
        };
        !self.has_heard_nothing
            && allows(&self.wanted, &(side == wanted))
            && allows(&self.likely, &(how == How::Likely))
            && (self.author.is_empty() || author.is_some_and(|author| self.author.contains(&author)))
            && allows(&self.is_final, &is_final)
            && allows(&self.expected, &expected)
    }
}

impl Rules {
    /// What somebody feels.
    pub fn feels(&self, mood: Mood, who: usize, wanted: usize) -> Option<&str> {
        let line = self.feels.iter().find(|(when, _)| when.fits(mood, who, wanted))?;
        Some(&line.1)
    }

    /// What somebody wants who feels this.
    pub fn wants(&self, feels: &str, mood: Mood, who: usize, wanted: usize) -> Option<&Wanting> {
        let fits = |line: &&Wanting| {
            (line.feels.is_empty() || line.feels.iter().any(|known| known == feels))
                && line.when.fits(mood, who, wanted)
        };
        self.wants.iter().find(fits)
    }

    /// How an act is done by somebody who wants this.
    pub fn does(&self, wants: &str, to: Where) -> Option<&Doing> {
        let fits = |line: &&Doing| allows(&line.to, &to) && allows(&line.wants, &wants.to_owned());
        self.does.iter().find(fits)
    }

    /// The rules by the lines of a pack.
    pub fn of_pack(words: &RuleWords, decider: Option<(usize, &str)>) -> Self {
        let feeling = |at: usize| filled(&words.feelings[at].1, "");
        let want = |at: usize| filled(&words.intentions[at].wants, "");
        let wanting = |line: &crate::pack::Line| Wanting {
            feels: line.when.feels.iter().map(|&at| feeling(at)).collect(),
            when: condition(&line.when),
            wants: want(line.result),
            act: act(&words.intentions[line.result].act, decider.map_or("whoever decides", |(_, name)| name)),
            toward: match line.toward {
                form::Toward::Nobody => Toward::Nobody,
                form::Toward::Decider => decider.map_or(Toward::Nobody, |(who, _)| Toward::Person(who)),
                form::Toward::Agent => Toward::WhoeverDidIt,
                form::Toward::Company => Toward::AnyOther,
            },
        };
        let doing = |line: &crate::pack::Doing| Doing {
            to: line.when.addressee.iter().map(|to| place(*to)).collect(),
            wants: line.when.wants.iter().map(|&at| want(at)).collect(),
            text: filled(&line.text, THE_ACT),
        };
        Self {
            feels: words.feels.iter().map(|line| (condition(&line.when), feeling(line.result))).collect(),
            wants: words.wants.iter().map(wanting).collect(),
            does: words.does.iter().map(doing).collect(),
        }
    }
}

fn act(text: &Text, decider: &str) -> String {
    let word = |piece: &Piece| match piece {
        Piece::Words(words) => words.clone(),
        Piece::Slot(Slot::Decider) => decider.to_owned(),
        Piece::Slot(_) => THAT_PERSON.to_owned(),
    };
    text.pieces.iter().map(word).collect()
}

const fn place(to: form::Addressee) -> Where {
    match to {
        form::Addressee::Here => Where::Here,
        form::Addressee::Away => Where::Away,
        form::Addressee::Nobody => Where::Nobody,
    }
}

/// What a line of a pack asks.
fn condition(when: &form::When) -> Condition {
    let author = |author: &form::Author| match author {
        form::Author::Nobody => Author::Nobody,
        form::Author::Herself => Author::Herself,
        form::Author::Other => Author::Other,
    };
    let expected = |expected: &form::Expected| match expected {
        form::Expected::Wanted => Expected::Wanted,
        form::Expected::Unwanted => Expected::Unwanted,
        form::Expected::Nothing => Expected::Neither,
    };
    Condition {
        has_heard_nothing: when.thinks_nothing,
        thinks: false,
        wanted: when.outcome.iter().map(|outcome| *outcome == form::Outcome::Wanted).collect(),
        likely: when.certainty.iter().map(|certainty| *certainty == form::Certainty::Likely).collect(),
        author: when.author.iter().map(author).collect(),
        is_final: when.is_final.clone(),
        expected: when.expected.iter().map(expected).collect(),
    }
}
