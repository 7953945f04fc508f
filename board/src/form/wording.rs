//! Other words for what happens: the sentences that a wording can have, and what each has to name.

use super::{ActForm, ActKind, Audience, Hole, Sort};

/// A kind of sentence that can be worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SentenceKind {
    /// A deed other than speech.
    Deed(ActKind),
    /// What somebody says, and to whom.
    Told(Audience),
    /// Somebody else hears what is whispered or said on the phone.
    Overheard,
    /// Somebody elsewhere sees what is done.
    Watched,
    /// Somebody there misses what is done; the flag says whether the others notice.
    Missed(bool),
}

/// A hole in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// What the plain sentence of the deed names there.
    Hole(Hole),
    /// Those to whom something is said.
    Hearers,
    /// What is said, and by whom it is believed if that is not left to the board. It ends the sentence.
    Said,
}

/// A piece of a sentence as it is written in a wording.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WordedPiece {
    /// Literal text.
    Words(String),
    /// A hole where something is named.
    Slot(Slot),
}

/// With what it can be said into which container something is put.
pub const INTO: [&str; 3] = [" in ", " into ", " inside "];

/// With what it is said in which place something is put down.
pub const DOWN_IN: &str = " down in ";

/// The deeds that have no other words: an announcement has those of its prospect, a telling has a sentence for each audience.
const WORDED_ELSEWHERE: [ActKind; 2] = [ActKind::Turn, ActKind::Tell];

impl SentenceKind {
    /// All kinds, in the order of the deeds.
    ///
    /// ```
    /// use storysim::form::SentenceKind;
    /// let keys: Vec<&str> = SentenceKind::all().map(SentenceKind::key).collect();
    /// assert_eq!(keys[..3], ["move", "move_together", "carry"]);
    /// assert!(keys.contains(&"whisper") && !keys.contains(&"turn"));
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        let deeds = ActKind::ALL.iter().filter(|kind| !WORDED_ELSEWHERE.contains(kind));
        let told = [Audience::Present, Audience::Beside, Audience::Afar].map(Self::Told);
        let asides = [Self::Overheard, Self::Watched, Self::Missed(true), Self::Missed(false)];
        deeds.map(|&kind| Self::Deed(kind)).chain(told).chain(asides)
    }

    /// The key under which a wording has the sentence.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Deed(kind) => kind.form().event,
            Self::Told(Audience::Present) => "tell",
            Self::Told(Audience::Beside) => "whisper",
            Self::Told(Audience::Afar) => "phone",
            Self::Overheard => "overhear",
            Self::Watched => "watch",
            Self::Missed(true) => "miss_noticed",
            Self::Missed(false) => "miss",
        }
    }

    /// The plain sentence, as a wording would write it.
    pub const fn plain(self) -> &'static str {
        match self {
            Self::Deed(kind) => kind.form().says,
            Self::Told(Audience::Present) => "{who} tells everyone in {here} that {that}",
            Self::Told(Audience::Beside) => "{who} whispers to {to} that {that}",
            Self::Told(Audience::Afar) => "{who} phones {to} and says that {that}",
            Self::Overheard => "{who} overhears this, and nobody notices that",
            Self::Watched => "{who} watches this from elsewhere, and nobody notices {who}",
            Self::Missed(true) => "{who} is distracted and misses this, and the others notice that",
            Self::Missed(false) => "{who} is distracted and misses this, and nobody notices that",
        }
    }

    /// The holes that the sentence has to have, each once, with their names.
    ///
    /// ```
    /// use storysim::form::{ActKind, SentenceKind};
    /// let throw = SentenceKind::Deed(ActKind::Throw);
    /// assert_eq!(throw.needs().map(|(name, _)| name).collect::<Vec<_>>(), ["who", "object", "to"]);
    /// ```
    pub fn needs(self) -> impl Iterator<Item = (&'static str, Slot)> {
        let who = ("who", Slot::Hole(Hole::Who));
        let needs: Vec<(&'static str, Slot)> = match self {
            Self::Deed(kind) => of_deed(kind.form()),
            Self::Told(Audience::Present) => vec![who, ("that", Slot::Said)],
            Self::Told(Audience::Beside | Audience::Afar) => {
                vec![who, ("to", Slot::Hearers), ("that", Slot::Said)]
            }
            Self::Overheard | Self::Watched | Self::Missed(_) => vec![who],
        };
        needs.into_iter()
    }

    /// The holes that the sentence may have besides, with their names.
    pub fn allows(self) -> impl Iterator<Item = (&'static str, Slot)> {
        const VERB: (&str, Slot) = ("verb", Slot::Hole(Hole::Verb));
        const HERE: (&str, Slot) = ("here", Slot::Hole(Hole::Here));
        let allowed: &'static [(&'static str, Slot)] = match self {
            Self::Deed(ActKind::Go) => &[VERB, HERE],
            Self::Deed(_) | Self::Told(_) => &[HERE],
            Self::Overheard | Self::Watched | Self::Missed(_) => &[],
        };
        allowed.iter().copied()
    }

    /// The hole that has to end the sentence, if there is one: a statement goes on for as long as it likes.
    pub fn last(self) -> Option<Slot> {
        match self {
            Self::Told(_) => Some(Slot::Said),
            Self::Deed(kind) => {
                let is_statement = |sort| matches!(sort, Sort::Liking | Sort::Fact);
                let at = kind.form().parts.iter().position(|part| is_statement(part.sort));
                at.map(|at| Slot::Hole(Hole::Part(at)))
            }
            Self::Overheard | Self::Watched | Self::Missed(_) => None,
        }
    }

    /// Whether the sentence tells an event, rather than who watches or misses one.
    pub const fn is_event(self) -> bool {
        matches!(self, Self::Deed(_) | Self::Told(_))
    }

    /// Whether another sentence about the same person can be joined to one of this kind: not to a statement, where it would
    /// seem to be part of it, nor where several people act.
    pub fn can_go_on(self) -> bool {
        self.is_event() && self.last().is_none() && self != Self::Deed(ActKind::GoTogether)
    }

    /// Whether a sentence of this kind names nobody but the one person who acts, so that a pronoun right after it can only mean
    /// her.
    ///
    /// ```
    /// use storysim::form::{ActKind, Audience, SentenceKind};
    /// let deed = SentenceKind::Deed;
    /// assert!(deed(ActKind::Go).names_one_person() && deed(ActKind::Put).names_one_person());
    /// assert!(!deed(ActKind::Give).names_one_person() && !deed(ActKind::GoTogether).names_one_person());
    /// assert!(!SentenceKind::Told(Audience::Present).names_one_person());
    /// ```
    pub fn names_one_person(self) -> bool {
        let Self::Deed(kind) = self else { return false };
        kind.form().parts.iter().all(|part| match part.sort {
            Sort::Place | Sort::Object | Sort::Container | Sort::Spot => true,
            // What people like or say may name others.
            Sort::Company | Sort::Person | Sort::Liking | Sort::Fact | Sort::Telling => false,
        })
    }

    /// What is named in a hole, in the terms by which two sentences may read the same.
    pub fn sort_of(self, slot: Slot) -> &'static str {
        match slot {
            Slot::Hole(Hole::Who) => "person",
            Slot::Hole(Hole::Everyone) | Slot::Hearers => "people",
            Slot::Hole(Hole::Verb) => "verb",
            Slot::Hole(Hole::Here | Hole::There) => "place",
            Slot::Said => "statement",
            Slot::Hole(Hole::Part(at)) => {
                let Self::Deed(kind) = self else { unreachable!("only deeds have parts") };
                match kind.form().parts[at].sort {
                    Sort::Company => "people",
                    Sort::Person => "person",
                    Sort::Place => "place",
                    Sort::Object => "object",
                    Sort::Container => "container",
                    Sort::Spot => "spot",
                    Sort::Liking | Sort::Fact | Sort::Telling => "statement",
                }
            }
        }
    }
}

fn of_deed(form: &'static ActForm) -> Vec<(&'static str, Slot)> {
    let is_company = |at: usize| form.parts[at].sort == Sort::Company;
    let mut needs = match (0..form.parts.len()).any(is_company) {
        true => vec![("everyone", Slot::Hole(Hole::Everyone))],
        false => vec![("who", Slot::Hole(Hole::Who))],
    };
    if form.goes {
        needs.push(("there", Slot::Hole(Hole::There)));
    }
    let parts = (0..form.parts.len()).filter(|&at| !is_company(at));
    needs.extend(parts.map(|at| (form.parts[at].name, Slot::Hole(Hole::Part(at)))));
    needs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_sentences_have_what_a_wording_needs() {
        for kind in SentenceKind::all() {
            let plain = kind.plain();
            for (name, _) in kind.needs() {
                assert!(plain.contains(&format!("{{{name}}}")), "{kind:?} names {name}");
            }
            if let Some(last) = kind.last() {
                let (name, _) = kind.needs().find(|(_, slot)| *slot == last).unwrap();
                assert!(plain.ends_with(&format!("{{{name}}}")), "{kind:?} ends with {name}");
            }
        }
    }

    #[test]
    fn keys_are_all_different() {
        let keys: std::collections::BTreeSet<&str> = SentenceKind::all().map(SentenceKind::key).collect();
        assert_eq!(keys.len(), SentenceKind::all().count());
    }
}
