//! The questions of a story, told apart by what they ask, with their choices cut into parts.
//!
//! **Which question is which** has to be known across stories, for rules are learned on some and used on others. Questions of
//! a group are told apart by the words that, in half of all stories, some of them have and others do not: "belief", "scenario 2",
//! but not the name of somebody who is in one story alone. So nothing depends on the order of rows.
//!
//! **A part** of a choice is a text that stands in it word by word and is, in the same story, a whole choice of any question, or
//! stands between quotation marks in one. Of texts that overlap, the first counts, and of those that begin together the longest.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::kept::Asked;
use crate::audit::mentions::{hash, words};

/// The largest number of parts of a choice. One that has more is looked at as a whole.
const PARTS_MAX: usize = 20;

/// The largest number of slots of a story that are looked at.
const STORY_SLOTS_MAX: usize = 2_000;

/// How many words of a question are looked at.
const WORDS_MAX: usize = 100;

/// A story as its questions, in the order of their keys.
#[derive(Debug)]
pub struct Told {
    pub questions: Vec<Question>,
}

/// A question.
#[derive(Debug)]
pub struct Question {
    /// What tells it apart from others of its story: the same number in every story.
    pub key: u32,
    pub group: usize,
    pub label: usize,
    choices: Vec<Choice>,
}

/// A choice: the numbers of its text and of its parts. Within a story, equal numbers are equal texts.
#[derive(Debug)]
struct Choice {
    whole: u32,
    parts: Vec<u32>,
}

impl Question {
    pub fn choice_count(&self) -> usize {
        self.choices.len()
    }
}

/// A place for a part in the choices of a question: the whole text, or one of the parts, by its number and how many there are. So
/// the first part of "from A to B" stands elsewhere than that of "still A".
#[derive(Debug)]
pub struct Slot {
    /// Which slot it is: the same number in every story.
    pub id: u32,
    /// The index of its question in the story.
    pub question: usize,
    /// What stands there in each choice; `None` if it has another number of parts.
    pub values: Vec<Option<u32>>,
}

/// How questions and slots are told apart.
#[derive(Debug, Default)]
pub struct Reading {
    /// The words that tell the questions of a group apart.
    telling: BTreeSet<(usize, u64)>,
    /// The keys, numbered: the group, the telling words, and a number if several questions of a story share these.
    keys: BTreeMap<(usize, Vec<u64>, usize), u32>,
    /// The numbers of slots, by their keys and codes.
    slots: HashMap<(u32, u32), u32>,
}

impl Reading {
    /// Reads stories: those that are learned from, and those that are tried.
    pub fn of(stories: [&[Vec<Asked>]; 2]) -> (Self, [Vec<Told>; 2]) {
        let mut reading = Self { telling: telling(stories.into_iter().flatten()), ..Self::default() };
        let told = stories.map(|stories| stories.iter().map(|story| reading.told(story)).collect());
        (reading, told)
    }

    fn told(&mut self, asked: &[Asked]) -> Told {
        let mut texts = Texts::of(asked);
        let mut questions = Vec::new();
        let mut before: Option<(usize, Vec<u64>)> = None;
        let mut number = 0;
        for (at, words) in self.words(asked) {
            let Asked { group, choices, label, .. } = &asked[at];
            let same = (*group, words);
            number = if before.as_ref() == Some(&same) { number + 1 } else { 0 };
            before = Some(same.clone());
            let next = self.keys.len() as u32; // at most a few hundred thousand rows are kept
            let key = *self.keys.entry((same.0, same.1, number)).or_insert(next);
            let choices: Vec<Choice> = choices.iter().map(|choice| texts.cut(choice)).collect();
            questions.push(Question { key, group: *group, label: *label, choices });
        }
        questions.sort_unstable_by_key(|question| question.key);
        Told { questions }
    }

    /// The questions of a story by the words that tell them apart; of those that cannot be told apart, in the order of their
    /// texts.
    fn words(&self, asked: &[Asked]) -> Vec<(usize, Vec<u64>)> {
        let words: Vec<Vec<u64>> = asked.iter().map(|asked| question_words(&asked.question)).collect();
        let telling = |at: usize| {
            let group = asked[at].group;
            let is_telling = |word: &u64| self.telling.contains(&(group, *word));
            words[at].iter().copied().filter(is_telling).collect::<Vec<u64>>()
        };
        let mut questions: Vec<(usize, Vec<u64>)> = (0..asked.len()).map(|at| (at, telling(at))).collect();
        questions.sort_by(|(one, words), (other, others)| {
            (asked[*one].group, words, &asked[*one]).cmp(&(asked[*other].group, others, &asked[*other]))
        });
        questions
    }

    /// The slots of a story.
    pub fn slots(&mut self, told: &Told) -> Vec<Slot> {
        let mut slots = Vec::new();
        for (at, question) in told.questions.iter().enumerate() {
            let mut add = |code: usize, value: &dyn Fn(&Choice) -> Option<u32>| {
                if slots.len() < STORY_SLOTS_MAX {
                    let next = self.slots.len() as u32;
                    let id = *self.slots.entry((question.key, code as u32)).or_insert(next);
                    let values = question.choices.iter().map(value).collect();
                    slots.push(Slot { id, question: at, values });
                }
            };
            add(0, &|choice| Some(choice.whole));
            let counts: BTreeSet<usize> = question.choices.iter().map(|choice| choice.parts.len()).collect();
            for count in counts.into_iter().filter(|count| *count <= PARTS_MAX) {
                for number in 0..count {
                    let part = |choice: &Choice| {
                        choice.parts.get(number).copied().filter(|_| choice.parts.len() == count)
                    };
                    add(1 + (count - 1) * PARTS_MAX + number, &part);
                }
            }
        }
        slots
    }

    /// How many slots there are in all stories whose slots were listed.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// How many keys there are.
    pub fn key_count(&self) -> usize {
        self.keys.len()
    }
}

/// The words that tell the questions of a group apart: that some of them have and others do not, in half of the stories or more.
fn telling<'a>(stories: impl Iterator<Item = &'a Vec<Asked>>) -> BTreeSet<(usize, u64)> {
    let mut partly: HashMap<(usize, u64), usize> = HashMap::new();
    let mut stories_with: HashMap<usize, usize> = HashMap::new();
    for asked in stories {
        let words: Vec<Vec<u64>> = asked.iter().map(|asked| question_words(&asked.question)).collect();
        partial(asked, &words).into_iter().for_each(|word| *partly.entry(word).or_default() += 1);
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        asked.iter().for_each(|asked| *counts.entry(asked.group).or_default() += 1);
        let several = counts.into_iter().filter(|(_, count)| *count > 1);
        several.for_each(|(group, _)| *stories_with.entry(group).or_default() += 1);
    }
    let is_telling = |((group, _), count): &((usize, u64), usize)| 2 * count >= stories_with[group];
    partly.into_iter().filter(is_telling).map(|(word, _)| word).collect()
}

/// The words that some questions of a group have, and others do not, in one story.
fn partial(asked: &[Asked], words: &[Vec<u64>]) -> BTreeSet<(usize, u64)> {
    let mut questions: BTreeMap<usize, usize> = BTreeMap::new();
    let mut with: BTreeMap<(usize, u64), usize> = BTreeMap::new();
    for (asked, words) in asked.iter().zip(words) {
        *questions.entry(asked.group).or_default() += 1;
        let different: BTreeSet<u64> = words.iter().copied().collect();
        different.into_iter().for_each(|word| *with.entry((asked.group, word)).or_default() += 1);
    }
    with.into_iter().filter(|((group, _), count)| *count < questions[group]).map(|(word, _)| word).collect()
}

fn question_words(question: &str) -> Vec<u64> {
    words(question).take(WORDS_MAX).map(|word| hash(&word.to_lowercase())).collect()
}

/// The texts that can be parts of choices in one story, word by word.
struct Texts {
    /// The words of the story's choices, numbered.
    words: HashMap<String, u32>,
    /// From one node, by one word, to the next. A text is the number of the node at which it ends; 0 is where all begin.
    next: HashMap<(u32, u32), u32>,
    /// For each node, whether a text ends there.
    is_text: Vec<bool>,
}

impl Texts {
    fn of(asked: &[Asked]) -> Self {
        let mut texts = Self { words: HashMap::new(), next: HashMap::new(), is_text: vec![false] };
        for choice in asked.iter().flat_map(|asked| &asked.choices) {
            texts.add(choice);
            quoted(choice).for_each(|text| {
                texts.add(text);
            });
        }
        texts
    }

    /// The words of a text by their numbers. A text without words is its own.
    fn spoken(&mut self, text: &str) -> Vec<u32> {
        let mut number = |word: String| {
            let next = self.words.len() as u32;
            *self.words.entry(word).or_insert(next)
        };
        let spoken: Vec<u32> = words(text).map(|word| number(word.to_lowercase())).collect();
        if spoken.is_empty() { vec![number(text.trim().to_owned())] } else { spoken }
    }

    /// Adds a text. Returns its number.
    fn add(&mut self, text: &str) -> u32 {
        let mut node = 0;
        for word in self.spoken(text) {
            let new = self.is_text.len() as u32;
            node = *self.next.entry((node, word)).or_insert(new);
            if node == new {
                self.is_text.push(false);
            }
        }
        self.is_text[node as usize] = true;
        node
    }

    /// The number of a choice's text, and those of the texts that stand in it.
    fn cut(&mut self, choice: &str) -> Choice {
        let spoken = self.spoken(choice);
        let whole = self.add(choice);
        let mut parts = Vec::new();
        let mut at = 0;
        while at < spoken.len() {
            // The whole is no part of itself.
            let found = self.longest(&spoken[at..spoken.len() - usize::from(at == 0)]);
            at += found.map_or(1, |(_, length)| length);
            parts.extend(found.map(|(text, _)| text));
        }
        Choice { whole, parts }
    }

    /// The longest text with which some words begin, and the number of its words.
    fn longest(&self, spoken: &[u32]) -> Option<(u32, usize)> {
        let mut node = 0;
        let mut found = None;
        for (at, &word) in spoken.iter().enumerate() {
            let Some(&next) = self.next.get(&(node, word)) else { break };
            node = next;
            if self.is_text[node as usize] {
                found = Some((node, at + 1));
            }
        }
        found
    }
}

/// What stands between quotation marks in a text.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    const MARKS: [(char, char); 3] = [('“', '”'), ('"', '"'), ('«', '»')];
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let (at, begin) = rest.char_indices().find(|(_, c)| MARKS.iter().any(|(begin, _)| begin == c))?;
            let (_, end) = MARKS.into_iter().find(|(known, _)| *known == begin)?;
            let inner = &rest[at + begin.len_utf8()..];
            let length = inner.find(end)?;
            rest = &inner[length + end.len_utf8()..];
            let inner = &inner[..length];
            if words(inner).next().is_some() {
                return Some(inner);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(question: &str, choices: &[&str]) -> Asked {
        let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
        Asked { group: question.parse().unwrap_or(0), question: question.into(), choices, label: 0 }
    }

    fn values(reading: &mut Reading, told: &Told) -> Vec<(u32, Vec<Option<u32>>)> {
        reading.slots(told).into_iter().map(|slot| (slot.id, slot.values)).collect()
    }

    #[test]
    fn questions_are_told_apart_by_words_that_recur() {
        let story = |name: &str, order: [usize; 3]| {
            let questions = [1, 2, 3]
                .map(|at| asked(&format!("How is {name} the {at}nd in scenario {at}?"), &["x", "y"]));
            order.map(|at| questions[at].clone()).to_vec()
        };
        let stories = [story("Ann", [0, 1, 2]), story("Bob the other", [2, 0, 1])];
        let (reading, [one, other]) = Reading::of([&stories[..1], &stories[1..]]);
        let keys = |told: &[Told]| told[0].questions.iter().map(|question| question.key).collect::<Vec<_>>();
        assert_eq!((keys(&one), keys(&other)), (vec![0, 1, 2], vec![0, 1, 2]));
        assert_eq!(reading.key_count(), 3);
        // Where nothing tells them apart, they are numbered by their texts.
        let alike = [vec![asked("Is it so?", &["x", "y"]), asked("Is it so?", &["y", "z"])]];
        let (reading, _) = Reading::of([&alike, &[]]);
        assert_eq!(reading.key_count(), 2);
    }

    #[test]
    fn choices_are_cut_at_what_is_offered_elsewhere() {
        let story = [vec![
            asked("1", &["Glad", "glad it stays", "calm"]),
            asked("2", &["No, still glad.", "from glad it stays to calm", "from “quite sad” to glad"]),
            asked("3", &["quite sad", "glad then calm then glad it stays then calm"]),
        ]];
        let (mut reading, [told, _]) = Reading::of([&story, &[]]);
        let found = values(&mut reading, &told[0]);
        let [glad, stays, calm] = [0, 1, 2].map(|at| found[0].1[at]);
        let by_text = |at: usize| &told[0].questions[at].choices;
        let parts = |at: usize, choice: usize| {
            by_text(at)[choice].parts.iter().copied().map(Some).collect::<Vec<_>>()
        };
        assert_eq!(parts(0, 0), [None; 0]);
        assert_eq!(parts(0, 1), [glad], "a text may stand in a longer one");
        assert_eq!((parts(1, 0), parts(1, 1)), (vec![glad], vec![stays, calm]));
        assert_eq!(parts(1, 2), [Some(by_text(2)[0].whole), glad]);
        assert_eq!(parts(2, 1), [glad, calm, stays, calm]);
    }

    #[test]
    fn a_slot_is_one_of_so_many_parts() {
        let still = ["still a", "a to b", "c to b", "c, a, b"];
        let story = [vec![asked("1", &["a", "b", "c"]), asked("2", &still)]];
        let (mut reading, [told, _]) = Reading::of([&story, &[]]);
        let slots = reading.slots(&told[0]);
        let [a, b, c] = [0, 1, 2].map(|at| slots[0].values[at]);
        let of_second: Vec<_> = slots.iter().filter(|slot| slot.question == 1).skip(1).collect();
        let values: Vec<_> = of_second.iter().map(|slot| slot.values.clone()).collect();
        let wanted = [
            [a, None, None, None],
            [None, a, c, None],
            [None, b, b, None],
            [None, None, None, c],
            [None, None, None, a],
            [None, None, None, b],
        ];
        assert_eq!(values, wanted);
        assert_eq!(reading.slot_count(), 2 + 6);
    }
}
