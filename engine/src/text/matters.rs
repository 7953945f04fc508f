//! Questions about matters in words, and their answers.

use super::conversation::Slotted;
use super::questions::Asked;
use super::{Display, push_all};
use crate::id::CharacterId;
use crate::pack::{Class, Slot};
use crate::plan::PlannedMatter;
use crate::question::Standing;
use crate::storyboard::{Facet, OfMatter};

impl Asked<'_, '_> {
    /// The matter that the question is about, and what of it.
    fn of_matter(&self) -> Option<OfMatter> {
        self.question.of_matter(self.lexicon.plan)
    }

    /// Appends words with slots of a matter: "what {by} told {T} about {thing}". Besides the slots of packs there are `{by}` and
    /// `{either}`, all who speak of it to the target, and `{tell}`, which they do.
    fn of_words(&self, matter: usize, words: &str, text: &mut String) {
        let mut rest = words;
        while let Some((before, after)) = rest.split_once('{') {
            let (key, after) = after.split_once('}').expect("every brace is closed");
            text.push_str(before);
            match key {
                "by" => self.speakers(matter, " and ", text),
                "either" => self.speakers(matter, " or ", text),
                "tell" => text.push_str(if self.planned(matter).by.len() == 1 { "tells" } else { "tell" }),
                key => {
                    let slot = Slot::of_key(key).expect("a slot of packs");
                    self.lexicon.slot(self.story, self.words, Slotted { matter: Some(matter), slot }, text);
                }
            }
            rest = after;
        }
        text.push_str(rest);
    }

    /// Appends the names of all who speak of a matter to its target, in the order of the pool, with a word before the last.
    fn speakers(&self, matter: usize, word: &str, text: &mut String) {
        let mut by = self.planned(matter).by.clone();
        by.sort_unstable_by_key(|who| self.story.names[who.index()]);
        for (at, &who) in by.iter().enumerate() {
            let before = match at {
                0 => "",
                at if at + 1 == by.len() => word,
                _ => ", ",
            };
            push_all(text, &[before, self.name(who)]);
        }
    }

    /// Appends what of a matter somebody may know, if it is that: `whether Luke liked the soup`. Returns whether it is.
    pub(super) fn something_known(&self, text: &mut String) -> bool {
        let Some(OfMatter { matter, facet }) = self.of_matter() else { return false };
        let level = self.planned(matter).level;
        let words = match facet {
            Facet::Claim => "whether {says}",
            Facet::Reason => "the reason for what {by} {tell} {T} about {thing}",
            Facet::Hint => "what was said in passing about {thing}",
            Facet::ClaimTold => "who was there when {either} first told {T} about {thing}",
            Facet::ReasonTold => {
                "who was there when the reason for what {by} {tell} {T} about {thing} was first given"
            }
            Facet::TruthTold if level == 1 => "who was there when somebody else first said whether {says}",
            Facet::TruthTold => "who was there when a remark was first made in passing about {thing}",
        };
        self.of_words(matter, words, text);
        true
    }

    fn planned(&self, matter: usize) -> &PlannedMatter {
        &self.lexicon.plan.staging.as_ref().expect("matters are staged").matters[matter]
    }

    pub(super) fn honest(&self, text: &mut String) {
        let OfMatter { matter, .. } = self.of_matter().expect("a matter");
        self.of_words(matter, "Was what {by} told {T} about {thing} true? Answer yes or no.", text);
    }

    pub(super) fn why(&self, text: &mut String) {
        let OfMatter { matter, .. } = self.of_matter().expect("a matter");
        self.of_words(matter, "What was the reason for what {by} told {T} about {thing}?", text);
    }

    pub(super) fn present(&self, text: &mut String) {
        let OfMatter { matter, facet } = self.of_matter().expect("something of a matter");
        let words = match (facet, self.planned(matter).level) {
            (Facet::ReasonTold, _) => "the reason for what {by} {tell} {T} about {thing} was first given",
            (Facet::TruthTold, 1) => "somebody else first said whether {says}",
            (Facet::TruthTold, _) => "a remark was first made in passing about {thing}",
            _ => "{either} first told {T} about {thing}",
        };
        text.push_str("Who was there when ");
        self.of_words(matter, words, text);
        text.push_str("? ");
        self.name_those(text);
        // Of some people, perhaps none was there.
        text.push_str(if self.question.of.is_empty() {
            " who was, whoever spoke included."
        } else {
            " who was, or say nobody."
        });
    }

    pub(super) fn stands(&self, text: &mut String) {
        let [first, second] = [0, 1].map(|at| self.name(self.question.others[at]));
        push_all(text, &["Do ", first, " and ", second, " know "]);
        self.where_or_whether(text);
        push_all(text, &[", and does ", first, " think that ", second, " knows it?"]);
    }

    pub(super) fn could_lie(&self, text: &mut String) {
        let OfMatter { matter, .. } = self.of_matter().expect("a matter");
        self.of_words(matter, "Just before {either} first told {T} about {thing}, ", text);
        match self.question.others.first() {
            Some(&who) => {
                push_all(text, &["did ", self.name(who), " know "]);
                self.of_words(
                    matter,
                    "whether {says}, and think that {T} did not know that? Answer yes or no.",
                    text,
                );
            }
            None => {
                self.of_words(
                    matter,
                    "who knew whether {says}, and thought that {T} did not know that?",
                    text,
                );
                self.name_everyone("did", text);
            }
        }
    }

    pub(super) fn sees_through(&self, text: &mut String) {
        let OfMatter { matter, .. } = self.of_matter().expect("a matter");
        match self.question.others.first() {
            Some(&who) => {
                self.of_words(matter, "When {either} first told {T} about {thing}, did ", text);
                text.push_str(self.name(who));
                self.of_words(matter, " hear it and already know whether {says}? Answer yes or no.", text);
            }
            None => {
                let asked = "When {either} first told {T} about {thing}, who heard it and already knew whether {says}?";
                self.of_words(matter, asked, text);
                self.name_everyone("did", text);
            }
        }
    }
}

/// A matter in the words of one story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatterInWords {
    /// The name of the matter.
    pub name: String,
    /// What it is: "the soup".
    pub thing: String,
    /// The name of the pack whose words it has.
    pub pack: String,
    /// What a lie about it is told for.
    pub class: Class,
    /// Whether what is claimed about it is not so.
    pub is_lie: bool,
    /// The reason for what the target is told, in words of its own.
    pub why: String,
}

impl super::Lexicon<'_> {
    /// The words of a matter, given by its number.
    ///
    /// # Panics
    /// If the plan has no such matter.
    pub fn matter(&self, story: &super::Story, words: &super::Words, matter: usize) -> MatterInWords {
        let (mut thing, mut why) = (String::new(), String::new());
        self.slot(story, words, Slotted { matter: Some(matter), slot: Slot::Thing }, &mut thing);
        self.why(story, words, matter, 0, &mut why);
        let (name, pack, class) = self.labels(words, matter);
        let is_lie = !self.is_sincere(story, matter);
        MatterInWords { name, thing, pack, class, is_lie, why }
    }

    /// Appends which of two know something, as a sentence.
    pub(super) fn standing(
        &self,
        story: &super::Story,
        words: &super::Words,
        (standing, whose): (Standing, [CharacterId; 2]),
        text: &mut String,
    ) {
        let [first, second] = whose.map(|who| self.name(story, words, Display::People, who));
        let said: &[&str] = match standing {
            Standing::Both => &["Both know it, and ", first, " knows that ", second, " does."],
            Standing::BothUnnoticed => &["Both know it, but ", first, " thinks that ", second, " does not."],
            Standing::First => &[first, " knows it, and rightly thinks that ", second, " does not."],
            Standing::Second => &[second, " knows it, and ", first, " does not."],
            Standing::Neither => &["Neither of them knows it."],
        };
        push_all(text, said);
    }
}
