//! Packs of profiles: what can be said of people before a story, on which nothing in it depends.

use super::feelings::no_word_of_feelings;
use super::read::{PackReader, TextForm};
use super::text::{Slot, Text};
use crate::diagnostic::Diagnostic;
use crate::storyboard::Fields;

/// The keys of such a pack.
pub const KEYS: [&str; 5] = ["surnames", "occupations", "educations", "characters", "relations"];

/// What can be said of people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileWords {
    /// `surnames`
    pub surnames: Vec<Text>,
    /// `occupations`: "a nurse"
    pub occupations: Vec<Text>,
    /// `educations`: "left school at sixteen"
    pub educations: Vec<Text>,
    /// `characters`: "quick to decide"
    pub characters: Vec<Text>,
    /// `relations`: "{a} and {b} share an office"
    pub relations: Vec<Text>,
}

impl ProfileWords {
    /// All texts.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        let Self { surnames, occupations, educations, characters, relations } = self;
        [surnames, occupations, educations, characters, relations].into_iter().flatten()
    }

    /// How many entries each list has, by its key.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let Self { surnames, occupations, educations, characters, relations } = self;
        let lists = [surnames, occupations, educations, characters, relations].map(Vec::len);
        KEYS.into_iter().zip(lists)
    }
}

const RELATION: TextForm =
    TextForm { slots: &[Slot::First, Slot::Second], ..TextForm::fixed("a text of `relations`") };

/// Reads a pack of profiles.
pub fn read(reader: &mut PackReader<'_>, fields: &mut Fields) -> ProfileWords {
    let mut list = |key: &str, form: &TextForm| {
        let texts = reader.wordings(fields, key, 1, form).unwrap_or_default();
        texts.iter().for_each(|text| no_word_of_feelings(reader, text));
        texts
    };
    let mut words = ProfileWords {
        relations: list("relations", &RELATION),
        surnames: list("surnames", &TextForm::fixed("a surname")),
        occupations: list("occupations", &TextForm::fixed("an occupation")),
        educations: list("educations", &TextForm::fixed("a text of `educations`")),
        characters: list("characters", &TextForm::fixed("a text of `characters`")),
    };
    for text in std::mem::take(&mut words.relations) {
        if [Slot::First, Slot::Second]
            .iter()
            .all(|slot| text.slots().filter(|found| found == slot).count() == 1)
        {
            words.relations.push(text);
        } else {
            let message = "a text of `relations` needs `{a}` and `{b}` once each";
            let problem = Diagnostic::error(message, text.span, "it does not name both");
            reader.problem(problem.help("it says how two people are related"));
        }
    }
    words
}
