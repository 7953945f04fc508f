//! Signs of the turns of a conversation: who speaks when, and when something that the question names is spoken of.
//!
//! Who is there, nobody is told here. Whoever knows where somebody was at first and counts how often she comes and goes follows her.

use std::collections::BTreeMap;

use super::{difference, number};
use crate::audit::Case;

/// How many people are looked at one by one.
const PEOPLE: usize = 3;

/// The smallest number of turns of a conversation.
const TURNS_MIN: usize = 4;

/// The largest share of the turns, as one in so many, that speak of something. What more of them have in common is no topic.
const OF_TURNS: usize = 5;

/// The smallest number of letters of a word that tells what is spoken of.
const LETTERS_MIN: usize = 4;

/// The largest number of bytes of a name before a colon. What is longer is no name.
const NAME_MAX: usize = 40;

const OF_CHOICE: [&str; 12] = [
    "turns",
    "turns of the topic",
    "it says yes",
    "people it names",
    "turns of those it names",
    "it names who speaks first",
    "it names who speaks last",
    "it names who speaks most",
    "it names who speaks least",
    "it names who is silent longest",
    "it names who speaks of the topic first",
    "it names who speaks next to the topic",
];

const OF_PERSON: [&str; 11] = [
    "it names her",
    "turns of hers",
    "her first turn",
    "turns since her last one",
    "her longest silence",
    "turns of hers before the topic",
    "whether these are odd in number",
    "turns of hers after the topic",
    "turns from her last one before the topic",
    "turns to her first one after the topic",
    "whether she speaks of the topic",
];

/// How many signs there are.
pub const WIDTH: usize = OF_CHOICE.len() + PEOPLE * OF_PERSON.len();

/// The names of the signs.
pub const NAMES: [&str; WIDTH] = {
    let mut names = [""; WIDTH];
    let mut at = 0;
    while at < WIDTH {
        names[at] = if at < OF_CHOICE.len() {
            OF_CHOICE[at]
        } else {
            OF_PERSON[(at - OF_CHOICE.len()) % OF_PERSON.len()]
        };
        at += 1;
    }
    names
};

/// The turns of a conversation.
struct Turns<'c> {
    /// Who speaks, turn by turn.
    speakers: Vec<&'c str>,
    /// The turns that speak of what the question is about.
    topic: Vec<usize>,
}

/// Whether a story is a conversation: every line says who speaks.
pub fn is_talk(case: &Case) -> bool {
    case.story.lines().count() >= TURNS_MIN && case.story.lines().all(|line| turn(line).is_some())
}

/// The signs of every choice.
///
/// Costs O(length of the story · words of the question).
pub fn signs(case: &Case) -> Vec<[i16; WIDTH]> {
    let turns = Turns::of(case);
    let people = turns.people(case);
    case.choices.iter().map(|choice| turns.signs(choice, &people)).collect()
}

/// Who speaks, and what she says.
fn turn(line: &str) -> Option<(&str, &str)> {
    let is_name = |who: &str| !who.is_empty() && who.len() <= NAME_MAX && !who.contains('.');
    line.split_once(": ").filter(|(who, _)| is_name(who))
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

impl<'c> Turns<'c> {
    fn of(case: &'c Case) -> Self {
        let turns: Vec<(&str, &str)> = case.story.lines().filter_map(turn).collect();
        let speakers: Vec<&str> = turns.iter().map(|(who, _)| *who).collect();
        let mut said: BTreeMap<String, Vec<usize>> = words(&case.question)
            .filter(|word| word.chars().count() >= LETTERS_MIN)
            .map(|word| (word, Vec::new()))
            .collect();
        speakers.iter().for_each(|who| drop(said.remove(&who.to_lowercase())));
        for (at, (_, line)) in turns.iter().enumerate() {
            for word in words(line) {
                if let Some(turns) = said.get_mut(&word)
                    && turns.last() != Some(&at)
                {
                    turns.push(at);
                }
            }
        }
        let is_topic = |at: &&Vec<usize>| at.len() * OF_TURNS <= turns.len();
        let mut topic: Vec<usize> = said.values().filter(is_topic).flatten().copied().collect();
        topic.sort_unstable();
        topic.dedup();
        Self { speakers, topic }
    }

    /// Those who are looked at one by one: whose minds are asked about, whom choices name, whom the question names.
    fn people(&self, case: &'c Case) -> Vec<&'c str> {
        let mut speakers = self.speakers.clone();
        speakers.sort_unstable();
        speakers.dedup();
        let in_question = |who: &&&str| names(&case.question, who);
        let in_choices = |who: &&&str| case.choices.iter().any(|choice| names(choice, who));
        let mut people: Vec<&str> = case.company.iter().map(String::as_str).collect();
        people.extend(speakers.iter().filter(in_choices).copied());
        people.extend(speakers.iter().filter(in_question).copied());
        let mut kept: Vec<&str> = Vec::new();
        people.into_iter().for_each(|who| {
            if !kept.contains(&who) && kept.len() < PEOPLE {
                kept.push(who);
            }
        });
        kept
    }

    fn of_speaker(&self, who: &str) -> Vec<usize> {
        (0..self.speakers.len()).filter(|&at| self.speakers[at] == who).collect()
    }

    /// The longest run of turns of others, between two of hers or at an end.
    fn silence(&self, who: &str) -> usize {
        self.speakers.split(|speaker| *speaker == who).map(<[&str]>::len).max().unwrap_or_default()
    }

    fn signs(&self, choice: &str, people: &[&str]) -> [i16; WIDTH] {
        let mut speakers = self.speakers.clone();
        speakers.sort_unstable();
        speakers.dedup();
        let named: Vec<&str> = speakers.iter().copied().filter(|who| names(choice, who)).collect();
        let best = |of: &dyn Fn(&str) -> usize| speakers.iter().copied().max_by_key(|who| of(who));
        let count = |who: &str| self.of_speaker(who).len();
        let says = |who: Option<&str>| usize::from(who.is_some_and(|who| named.contains(&who)));
        let first = self.topic.first().copied();
        let beside = first.into_iter().flat_map(|at| [at.checked_sub(1), Some(at + 1)]).flatten();
        let mut beside = beside.filter_map(|at| self.speakers.get(at).copied());
        let of_choice = [
            self.speakers.len(),
            self.topic.len(),
            usize::from(choice.eq_ignore_ascii_case("yes")),
            named.len(),
            named.iter().map(|who| count(who)).sum(),
            says(self.speakers.first().copied()),
            says(self.speakers.last().copied()),
            says(best(&count)),
            says(best(&|who| self.speakers.len() - count(who))),
            says(best(&|who| self.silence(who))),
            says(first.map(|at| self.speakers[at])),
            usize::from(beside.any(|who| named.contains(&who))),
        ];
        let mut signs = [super::MISSING as i16; WIDTH];
        for (sign, value) in signs.iter_mut().zip(of_choice) {
            *sign = number(value);
        }
        for (slot, who) in people.iter().enumerate() {
            let at = OF_CHOICE.len() + slot * OF_PERSON.len();
            signs[at..at + OF_PERSON.len()].copy_from_slice(&self.of_person(choice, who));
        }
        signs
    }

    fn of_person(&self, choice: &str, who: &str) -> [i16; OF_PERSON.len()] {
        let (own, all) = (self.of_speaker(who), self.speakers.len());
        let first = self.topic.first().copied().unwrap_or(all);
        let (before, after): (Vec<usize>, Vec<usize>) = own.iter().partition(|at| **at < first);
        let to = |at: Option<&usize>| at.map_or(all as i64, |at| (*at as i64 - first as i64).abs());
        [
            number(usize::from(names(choice, who))),
            number(own.len()),
            number(own.first().copied().unwrap_or(all)),
            number(own.last().map_or(all, |last| all - last)),
            number(self.silence(who)),
            number(before.len()),
            number(before.len() % 2),
            number(after.len()),
            difference(to(before.last()), 0),
            difference(to(after.first()), 0),
            number(usize::from(self.topic.iter().any(|at| self.speakers[*at] == who))),
        ]
    }
}

/// Whether a text has a name in it, as a word of its own.
fn names(text: &str, who: &str) -> bool {
    crate::audit::mentions::occurrences(text, who).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_those_of_the_turns() {
        let story = "Ann: Hello there.\nBob: I am off.\nAnn: About the soup: it was fine.\nCat: I am back.\nBob: Here I am.";
        let case = Case {
            story: story.into(),
            question: "Does Bob know about the soup?".into(),
            choices: ["yes", "no"].map(str::to_owned).into(),
            company: vec!["Bob".into()],
            ..Case::default()
        };
        assert!(is_talk(&case));
        let signs = signs(&case);
        let of = |choice: usize, name: &str| {
            signs[choice][NAMES.iter().position(|known| *known == name).expect("a sign")]
        };
        assert_eq!(["yes", "no"].map(|_| of(0, "turns")), [5, 5]);
        assert_eq!([of(0, "it says yes"), of(1, "it says yes"), of(0, "turns of the topic")], [1, 0, 1]);
        assert_eq!(
            [of(0, "turns of hers"), of(0, "her first turn"), of(0, "her longest silence")],
            [2, 1, 2]
        );
        assert_eq!(
            [of(0, "turns of hers before the topic"), of(0, "whether these are odd in number")],
            [1, 1]
        );
        assert_eq!(
            [of(0, "turns to her first one after the topic"), of(0, "whether she speaks of the topic")],
            [2, 0]
        );
        let report = Case { story: "Ann enters attic. Bob enters attic.".into(), ..Case::default() };
        assert!(!is_talk(&report));
    }
}
