//! Which matter a text speaks of is said by its slots alone, and by no words that could be meant for two.

use std::collections::HashMap;

use super::{Matter, WhiteLie};
use crate::diagnostic::{Diagnostic, Span, counted};
use crate::pack::read::PackReader;
use crate::pack::text::{Slot, Text, words_of};
use crate::spelling::without_article;

/// Refuses what leaves open, or gives away, which matter is meant.
pub fn check(reader: &mut PackReader<'_>, words: &WhiteLie) {
    let nouns = Nouns::new(&words.matters);
    nouns.are_apart(reader);
    for text in words.frames().chain(words.all_reasons().map(|reason| &reason.told)) {
        nouns.refuse_named(reader, text, None);
    }
    for (at, matter) in words.matters.iter().enumerate() {
        for text in matter.texts() {
            nouns.refuse_named(reader, text, Some(at));
        }
        says_two_things(reader, matter);
    }
    reader.all_different(words.matters.iter().map(|matter| &matter.says), "two matters have the same `says`");
    reader.all_different(
        words.matters.iter().map(|matter| &matter.denies),
        "two matters have the same `denies`",
    );
    for slot in [Slot::Own, Slot::OwnNot] {
        has_own_words(reader, words, slot);
    }
}

/// The words of each `thing` without its article, as a tree: those that begin alike share branches.
struct Nouns<'a> {
    matters: &'a [Matter],
    /// The words of each matter's noun.
    nouns: Vec<Vec<usize>>,
    /// All words of nouns, numbered.
    words: HashMap<String, usize>,
    /// From a branch, by a further word, to a branch. The root is 0.
    branches: HashMap<(usize, usize), usize>,
    /// The first matter whose noun ends in each branch.
    ends: Vec<Option<usize>>,
}

impl<'a> Nouns<'a> {
    fn new(matters: &'a [Matter]) -> Self {
        let mut nouns = Self {
            matters,
            nouns: Vec::new(),
            words: HashMap::new(),
            branches: HashMap::new(),
            ends: vec![None],
        };
        for (at, matter) in matters.iter().enumerate() {
            let thing = matter.thing.to_string().to_lowercase();
            let noun: Vec<usize> =
                words_of(without_article(&thing), false).map(|(_, word)| nouns.number(word)).collect();
            let end = noun.iter().fold(0, |branch, &word| nouns.branch(branch, word));
            if end > 0 {
                nouns.ends[end].get_or_insert(at); // a thing without words names nothing
            }
            nouns.nouns.push(noun);
        }
        nouns
    }

    fn number(&mut self, word: &str) -> usize {
        let new = self.words.len();
        *self.words.entry(word.to_owned()).or_insert(new)
    }

    /// The branch to which a word leads, which grows if there is none.
    fn branch(&mut self, from: usize, word: usize) -> usize {
        let new = self.ends.len();
        let to = *self.branches.entry((from, word)).or_insert(new);
        if to == new {
            self.ends.push(None);
        }
        to
    }

    /// The matters that a text names, each with the place. Of several with the same noun it is the first.
    fn named_in(&self, text: &Text) -> Vec<(usize, Span)> {
        let mut named = Vec::new();
        for run in text.runs() {
            let numbers: Vec<Option<usize>> =
                run.iter().map(|(word, _)| self.words.get(word).copied()).collect();
            for start in 0..run.len() {
                let mut branch = 0;
                for (at, number) in numbers.iter().enumerate().skip(start) {
                    let next = number.and_then(|number| self.branches.get(&(branch, number)));
                    let Some(&next) = next else { break };
                    branch = next;
                    let span = Span::new(run[start].1.start, run[at].1.end);
                    named.extend(self.ends[branch].map(|matter| (matter, span)));
                }
            }
        }
        named
    }

    /// Refuses things of one name, and names that are a part of another.
    fn are_apart(&self, reader: &mut PackReader<'_>) {
        for (at, matter) in self.matters.iter().enumerate() {
            for (other, span) in self.named_in(&matter.thing).into_iter().filter(|(other, _)| *other != at) {
                let message = if self.nouns[at] == self.nouns[other] {
                    "two things have the same name"
                } else {
                    "a thing's name is a part of another one's"
                };
                let first = self.matters[other].thing.span;
                let problem = Diagnostic::error(message, span, "here").label(first, "the name of this thing");
                reader.problem(
                    problem.help("one could not tell which of the two matters is meant: rename one"),
                );
            }
        }
    }

    /// Refuses a text that names matters, other than its own and those whose names overlap with that.
    fn refuse_named(&self, reader: &mut PackReader<'_>, text: &Text, own: Option<usize>) {
        let mut known: Vec<usize> = match own {
            Some(own) => {
                self.named_in(&self.matters[own].thing).into_iter().map(|(named, _)| named).collect()
            }
            None => Vec::new(),
        };
        for (matter, span) in self.named_in(text) {
            if own == Some(matter) || known.contains(&matter) {
                continue;
            }
            known.push(matter);
            let Matter { name, thing, .. } = &self.matters[matter];
            let message = format!("this text names the matter `{}`", name.value);
            let problem = Diagnostic::error(message, span, "named here").label(thing.span, "its thing");
            let help = "one could not tell which matter is spoken of: use other words, or `{thing}` where it can stand";
            reader.problem(problem.help(help));
        }
    }
}

/// Refuses a claim that is its own contrary.
fn says_two_things(reader: &mut PackReader<'_>, matter: &Matter) {
    let own = matter.own.as_ref().zip(matter.own_not.as_ref());
    for (says, denies) in [Some((&matter.says, &matter.denies)), own].into_iter().flatten() {
        if says.to_string() == denies.to_string() {
            let message = format!("the matter `{}` says the same as it denies", matter.name.value);
            let problem =
                Diagnostic::error(message, denies.span, "the contrary").label(says.span, "the claim");
            reader.problem(problem.help("write what is so where the claim is not"));
        }
    }
}

/// How many of the matters that lack something are pointed out.
const SHOWN_MAX: usize = 4;

/// Refuses `{own}` or `{own_not}` where some matters have no such words.
fn has_own_words(reader: &mut PackReader<'_>, words: &WhiteLie, slot: Slot) {
    let Some(user) = words.frames().find(|text| text.has(slot)) else { return };
    let lacking: Vec<&Matter> =
        words.matters.iter().filter(|matter| matter.text_of(slot).is_none()).collect();
    if lacking.is_empty() {
        return;
    }
    let message =
        format!("{} without `{}`, which a text needs", counted(lacking.len(), "matter"), slot.key());
    let mut problem = Diagnostic::error(message, user.place_of(slot), "needed here");
    for matter in lacking.iter().take(SHOWN_MAX) {
        problem = problem.label(matter.name.span, format!("has no `{}`", slot.key()));
    }
    reader.problem(problem.help(format!("`{slot}` stands for other words in each matter: give them to all")));
}
