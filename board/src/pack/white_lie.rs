//! Packs of white lies: one occasion, of which each person has things that others may not be frank about.
//!
//! A *matter* is such a thing. Its claim (`says`) is what the liar L tells the target T, whom the matter belongs to; in some
//! stories it is so, in others it is not, and nothing but the words of reasons and truths may tell the two apart.

mod alike;
mod given_away;
mod length;
mod matters;
mod read;

use super::acts::Acts;
use super::text::{Slot, Text};
pub use crate::form::{Class, LieType};
use crate::storyboard::Name;
pub use read::{KEYS, read};

/// The words of a pack of white lies.
///
/// ```
/// use storysim::pack::{Slot, built_in};
/// let words = built_in("dinner").unwrap().white_lie().unwrap();
/// assert!(words.matters.len() >= 8 && words.reasons.pretend.len() >= 8);
/// assert!(words.reason.iter().all(|pair| pair.pretend.has(Slot::Reason) && pair.plain.has(Slot::Reason)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhiteLie {
    /// `class`: what the lies are told for
    pub class: Class,
    /// `setting`: what the occasion is, with all who take part
    pub setting: Text,
    /// `place`: where people talk
    pub place: Text,
    /// `away`: where those are who hear nothing of it
    pub away: Text,
    /// `matters`, in the order of the file
    pub matters: Vec<Matter>,
    /// `reasons`
    pub reasons: Reasons,
    /// `reason`: what L says where T is not
    pub reason: Vec<ReasonTexts>,
    /// `truth`: what comes out about a matter and settles whether the claim is so
    pub truth: Vec<TruthTexts>,
    /// `hint`: what comes out about a matter and goes with the claim and with its contrary
    pub hint: Vec<Text>,
    /// `ask`: how T asks for the claim
    pub ask: Vec<Text>,
    /// `claim`: how L says it to T, be it so or not
    pub claim: Vec<Text>,
    /// `acts`: turns that replace the common ones, kind by kind
    pub acts: Acts,
}

/// One of the `matters`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matter {
    /// The name in the pack.
    pub name: Name,
    /// `thing`: what it is about, such as "the soup"
    pub thing: Text,
    /// `says`: the claim
    pub says: Text,
    /// `denies`: its contrary
    pub denies: Text,
    /// `own`: the claim, as L says it of herself
    pub own: Option<Text>,
    /// `own_not`: its contrary, as L says it of herself
    pub own_not: Option<Text>,
}

impl Matter {
    /// The words that stand for a slot, if they come from the matter and are there.
    pub fn text_of(&self, slot: Slot) -> Option<&Text> {
        match slot {
            Slot::Thing => Some(&self.thing),
            Slot::Says => Some(&self.says),
            Slot::Denies => Some(&self.denies),
            Slot::Own => self.own.as_ref(),
            Slot::OwnNot => self.own_not.as_ref(),
            Slot::Liar
            | Slot::Target
            | Slot::Reason
            | Slot::People
            | Slot::Who
            | Slot::First
            | Slot::Second
            | Slot::Act
            | Slot::Decider
            | Slot::Agent => None,
        }
    }

    /// All texts of the matter.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        Slot::OF_MATTERS.into_iter().filter_map(|slot| self.text_of(slot))
    }
}

/// The `reasons` by kind. Each fits every matter of the pack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons {
    /// `pretend`: why somebody says what is not so
    pub pretend: Vec<Reason>,
    /// `plain`: why somebody says what is so
    pub plain: Vec<Reason>,
}

/// One of the `reasons`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// `told`: the reason as L gives it
    pub told: Text,
    /// `why`: the reason in words of its own, which are the answer to a question
    pub why: Text,
}

/// One entry of `reason`: the same said for a lie and for sincere words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonTexts {
    /// `pretend`: where the claim is not so
    pub pretend: Text,
    /// `plain`: where it is so
    pub plain: Text,
}

/// One entry of `truth`: the same said of a lie and of sincere words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TruthTexts {
    /// `no`: where the claim is not so
    pub no: Text,
    /// `yes`: where it is so
    pub yes: Text,
}

impl WhiteLie {
    /// In how many ways one matter can be told: which it is, its reason, and the texts.
    ///
    /// ```
    /// let words = storysim::pack::built_in("dinner").unwrap().white_lie().unwrap();
    /// assert_eq!(words.ways(), 8 * (8 + 8) * 5 * (5 + 5) * 5 * 5);
    /// ```
    pub fn ways(&self) -> u64 {
        let many = |length: usize| length as u64;
        let reasons = many(self.reasons.pretend.len() + self.reasons.plain.len()) * many(self.reason.len());
        let said = many(self.ask.len()) * many(self.claim.len());
        // A truth is a text for either case, and comes with the reasons of that case; a hint comes with any.
        many(self.matters.len()) * reasons * many(self.truth.len() + self.hint.len()) * said
    }

    /// How many entries each list has, in the order of the file's description.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let lists = [
            ("matters", self.matters.len()),
            ("pretend", self.reasons.pretend.len()),
            ("plain", self.reasons.plain.len()),
            ("reason", self.reason.len()),
            ("truth", self.truth.len()),
            ("hint", self.hint.len()),
            ("ask", self.ask.len()),
            ("claim", self.claim.len()),
        ];
        lists.into_iter().chain(self.acts.counts())
    }

    /// All reasons, those for lies first.
    fn all_reasons(&self) -> impl Iterator<Item = &Reason> {
        self.reasons.pretend.iter().chain(&self.reasons.plain)
    }

    /// The texts that speak of any matter by slots, or of none.
    fn frames(&self) -> impl Iterator<Item = &Text> {
        let reasons = self.reason.iter().flat_map(|texts| [&texts.pretend, &texts.plain]);
        let truths = self.truth.iter().flat_map(|texts| [&texts.no, &texts.yes]);
        let lists = self.hint.iter().chain(&self.ask).chain(&self.claim);
        [&self.setting, &self.place, &self.away]
            .into_iter()
            .chain(reasons)
            .chain(truths)
            .chain(lists)
            .chain(self.acts.texts())
    }
}
