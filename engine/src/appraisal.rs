//! What news does to people: from what somebody holds of a prospect over time to what she feels, wants and does.
//!
//! # The definition
//!
//! Somebody's *mood* about a prospect is a pair: what she thinks, a [`Case`] or nothing; and the side that she expected, or
//! none. On coming to think another case than the one she holds: if what she held was likely, its side becomes expected; then
//! she thinks the new case. Coming to think what she thinks already changes nothing, nor does hearing nothing. (Emotions keep
//! their momentum: Frijda 1988, *The laws of emotion*, American Psychologist 43.)
//!
//! What she feels follows from the mood and from the side that she wants, by the first line of `feels` that fits; what she
//! wants, by the first line of `wants`; and what she does, by the first line of `does`, which depends on whether the person
//! at whom her intention is directed is with her.
//!
//! This module knows neither words nor YAML: [`Rules`] are tables of numbers. The lines that they come from are
//! [`RuleWords`].

use crate::form::{Addressee, Author, Expected, Outcome, Situation, Thought, Toward};
use crate::id::CharacterId;
use crate::pack::RuleWords;
use crate::world::{Case, How, Side};

/// What somebody thinks of a prospect, and what she expected before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mood {
    /// What she thinks; `None` if she has heard nothing.
    pub thinks: Option<Case>,
    /// The side that she last thought likely before.
    pub expected: Option<Side>,
}

impl Mood {
    /// The mood of somebody in this mood who comes to think this.
    ///
    /// ```
    /// use storysim::{appraisal::Mood, world::{Case, How, Side}};
    /// let likely = Case::new(Side::First, How::Likely, false);
    /// let settled = Case::new(Side::Second, How::ByNobody, true);
    /// let mood = Mood::default().on(likely).on(settled).on(settled);
    /// assert_eq!(mood, Mood { thinks: Some(settled), expected: Some(Side::First) });
    /// ```
    #[must_use]
    pub fn on(self, case: Case) -> Self {
        match self.thinks {
            Some(held) if held == case => self,
            Some(held) if held.how() == How::Likely => {
                Self { thinks: Some(case), expected: Some(held.side()) }
            }
            _ => Self { thinks: Some(case), ..self },
        }
    }

    /// What rules see of the mood of somebody who wants this side.
    pub fn situation(self, who: CharacterId, wanted: Side) -> Situation {
        let outcome = |side| if side == wanted { Outcome::Wanted } else { Outcome::Unwanted };
        let Some(case) = self.thinks else {
            return Situation { thinks: None, expected: Expected::Nothing };
        };
        let author = match case.how() {
            How::Likely => None,
            How::ByNobody => Some(Author::Nobody),
            How::By(agent) if agent == who => Some(Author::Herself),
            How::By(_) => Some(Author::Other),
        };
        let expected = match self.expected.map(outcome) {
            None => Expected::Nothing,
            Some(Outcome::Wanted) => Expected::Wanted,
            Some(Outcome::Unwanted) => Expected::Unwanted,
        };
        let thinks = Some(Thought { outcome: outcome(case.side()), author, is_final: case.is_final() });
        Situation { thinks, expected }
    }
}

/// What somebody feels and wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Felt {
    /// The number of the feeling.
    pub feels: u8,
    /// The number of the want.
    pub wants: u8,
    /// Whom the want is directed at.
    pub toward: Toward,
}

/// Rules as tables: what every situation leads to.
///
/// ```
/// use storysim::{appraisal::Rules, form::Situation, pack};
/// let words = pack::built_in("occ").unwrap().rules().unwrap();
/// let rules = Rules::new(words);
/// for situation in Situation::all() {
///     let line = words.feeling_line(situation).unwrap();
///     assert_eq!(usize::from(rules.felt(situation).feels), words.feels[line].result);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// For each situation, in the order of [`number`], what is felt and wanted.
    felt: Vec<Felt>,
    /// For each want and addressee, the number of the line of `does`.
    does: Vec<[u8; Addressee::ALL.len()]>,
}

impl Rules {
    /// The tables of a pack, of which it is known that something fits everything.
    ///
    /// # Panics
    /// If the rules do not come from a pack that could be read.
    pub fn new(words: &RuleWords) -> Self {
        let small = |number: usize| u8::try_from(number).expect("a pack has few lines");
        let mut felt = vec![None; SITUATIONS];
        for situation in Situation::all() {
            let line = words.feeling_line(situation).expect("a line fits every situation");
            let feels = words.feels[line].result;
            let line = words.want_line(situation, feels).expect("a line fits every feeling");
            let line = &words.wants[line];
            felt[number(situation)] =
                Some(Felt { feels: small(feels), wants: small(line.result), toward: line.toward });
        }
        let nothing = felt[0].expect("a situation of its own");
        let does = (0..words.intentions.len()).map(|wants| {
            let line = |&addressee: &Addressee| words.doing_line(wants, addressee).map_or(0, small);
            let lines: Vec<u8> = Addressee::ALL.iter().map(line).collect();
            lines.try_into().expect("as many")
        });
        Self { felt: felt.into_iter().map(|felt| felt.unwrap_or(nothing)).collect(), does: does.collect() }
    }

    /// What somebody feels and wants in a situation.
    #[inline]
    pub fn felt(&self, situation: Situation) -> Felt {
        self.felt[number(situation)]
    }

    /// The number of the line of `does` that says what somebody does who wants this.
    #[inline]
    pub fn does(&self, wants: u8, addressee: Addressee) -> u8 {
        self.does[usize::from(wants)][addressee as usize]
    }
}

/// The number of situations, with room for some that cannot arise.
const SITUATIONS: usize = 1 + 16 * Expected::ALL.len();

/// The number of a situation: 0 if nothing is thought.
fn number(situation: Situation) -> usize {
    let Some(Thought { outcome, author, is_final }) = situation.thinks else { return 0 };
    let author = author.map_or(0, |author| 1 + author as usize);
    let thought = (outcome as usize * 4 + author) * 2 + usize::from(is_final);
    1 + thought * Expected::ALL.len() + situation.expected as usize
}
