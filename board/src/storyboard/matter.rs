//! Matters: things of one person's, of which others speak to her, sincerely or not.

use super::facet::{Facet, OfMatter};
use super::{Name, NotePart, Number, Proposition};
use crate::diagnostic::Spanned;
use crate::form::Class;

/// One entry of `matters`, which may stand for several alike: `soup: {by: L, to: T}`, `m: {count: 4, by: L, to: T, lies: 2}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matters {
    /// The name of the matter; of several alike, each has a number after it, from 1.
    pub name: Name,
    /// `count`: how many matters the entry stands for, if it is given
    pub count: Option<usize>,
    /// `by`: who speaks of it to the target. The first of them knows all of it from the start.
    pub by: Vec<Name>,
    /// `to`: the target, to whom the matter belongs
    pub to: Name,
    /// `level`: how much of the truth comes out, from 1 to 3; if not given, 1
    pub level: Option<Number>,
    /// `is`: whether the claim is true
    pub is: Sincerity,
    /// `lies`: of how many of several alike the claim is false, if that is given
    pub lies: Option<Number>,
    /// `class`: what the lies may be told for; if not given, anything
    pub classes: Vec<Spanned<Class>>,
}

/// Whether what the target is told is so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sincerity {
    /// `is: lie`: it is not
    Lie,
    /// `is: sincere`: it is
    Sincere,
    /// `is: drawn`: either, both equally likely
    #[default]
    Drawn,
}

impl Sincerity {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Lie, Self::Sincere, Self::Drawn];

    /// The word by which an author writes it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Lie => "lie",
            Self::Sincere => "sincere",
            Self::Drawn => "drawn",
        }
    }
}

/// What follows the name of a matter for the truth about it: its claim at level 1, its hint at level 2.
pub const TRUTH: &str = "truth";

/// What stands for one of the matters in a question, drawn for it: `belief: [S1, matter.claim]`.
pub const ANY_MATTER: &str = "matter";

impl Matters {
    /// The names of the matters that the entry stands for.
    ///
    /// ```
    /// use storysim::{diagnostic::Source, storyboard::parse};
    /// let text = "storysim: 1\nname: x\ncharacters: {pool: [Ann, Bob]}\nroles: [L, T]\nplaces: {complete: [a, b]}\n\
    ///             start: a\nhorizon: 3\nstyle: conversation\nmatters: {m: {count: 2, by: L, to: T}}\nquestions: []\n";
    /// let board = parse(Source { name: "x.yaml".into(), text: text.into() }).unwrap();
    /// assert_eq!(board.matters[0].names(), ["m1", "m2"]);
    /// ```
    pub fn names(&self) -> Vec<String> {
        match self.count {
            None => vec![self.name.value.clone()],
            Some(count) => (1..=count).map(|number| format!("{}{number}", self.name.value)).collect(),
        }
    }

    /// Everything that can be so or known of the matters, as propositions; `first` is the number of the first of them, and
    /// `tells` are the roles that reveal the truth about one of this name.
    pub(super) fn propositions(&self, first: usize, tells: impl Fn(&str) -> Vec<Name>) -> Vec<Proposition> {
        let mut propositions = Vec::new();
        for (at, name) in self.names().into_iter().enumerate() {
            for facet in Facet::ALL {
                let known = match facet {
                    Facet::Claim | Facet::Reason => self.by.iter().take(1).cloned().collect(),
                    Facet::Hint => tells(&format!("{name}.{TRUTH}")),
                    Facet::ClaimTold | Facet::ReasonTold | Facet::TruthTold => Vec::new(),
                };
                let is_true = match (facet, self.is) {
                    (Facet::Claim, Sincerity::Lie) => Some(false),
                    (Facet::Claim, Sincerity::Drawn) => None,
                    _ => Some(true),
                };
                let written = format!("{name}.{}", facet.key());
                propositions.push(Proposition {
                    says: vec![NotePart::Text(written.clone())],
                    denies: vec![NotePart::Text(format!("not {written}"))],
                    name: Name { value: written, span: self.name.span },
                    is_true,
                    known: super::Known { by: Some(known), wrong: Vec::new() },
                    of: Some(OfMatter { matter: first + at, facet }),
                });
            }
        }
        propositions
    }
}
