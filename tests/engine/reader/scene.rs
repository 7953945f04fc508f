//! What the context says of the start: who and what is where, and who knows what.

use super::Stumble;
use super::rules::{Rule, Rules};

/// Where a person or a thing is, or which of its values a fact has, as somebody thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// No idea.
    Unknown,
    /// Some idea, but whoever pictures this mind cannot tell which.
    Open,
    /// In a place, by number.
    Place(usize),
    /// In a container, by number.
    In(usize),
    /// In the hand of a person, by number.
    Hand(usize),
    /// A fact is its first (0) or second (1) text.
    Is(usize),
}

/// Something that may be so or not, and the people who know it from the start.
#[derive(Clone, Debug)]
pub struct Fact {
    /// How the two possibilities are worded.
    pub texts: [String; 2],
    /// Which of them is so.
    pub truth: usize,
    /// Who knows it from the start.
    pub knowers: Vec<usize>,
}

/// The start of a story. Items are numbered: people, then things, then facts.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub rules: Rules,
    pub people: Vec<String>,
    pub things: Vec<String>,
    pub facts: Vec<Fact>,
    pub places: Vec<String>,
    /// The containers, and the place where each stands.
    pub containers: Vec<(String, usize)>,
    /// Where people and things start.
    pub start: Vec<Spot>,
}

/// Splits a text into its sentences.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    for (at, _) in text.match_indices(". ") {
        found.push(&text[begin..=at]);
        begin = at + 2;
    }
    if begin < text.len() {
        found.push(&text[begin..]);
    }
    found
}

/// Splits "A, B and C" into its parts.
pub fn listed(text: &str) -> Vec<&str> {
    text.split(", ").flat_map(|part| part.split(" and ")).collect()
}

/// The number of a name in a list, added if it is new.
fn number(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// The other wording of something that is or is not so.
fn denied(text: &str) -> String {
    if text.contains(" is not ") {
        text.replacen(" is not ", " is ", 1)
    } else {
        text.replacen(" is ", " is not ", 1)
    }
}

impl Scene {
    /// Reads a context. Every sentence must be understood.
    pub fn read(context: &str) -> Result<Scene, Stumble> {
        let mut scene = Scene::default();
        let mut starts: Vec<(String, Spot)> = Vec::new();
        for sentence in sentences(context) {
            if !scene.rules.read(sentence) && !scene.setting(sentence, &mut starts) {
                return Err(Stumble::Sentence(sentence.to_owned()));
            }
        }
        scene.things.sort();
        let names = scene.people.iter().chain(&scene.things);
        for name in names {
            let spot = starts.iter().find(|(who, _)| who == name).map(|(_, spot)| *spot);
            scene.start.push(spot.ok_or_else(|| Stumble::Sentence(format!("no start of {name}")))?);
        }
        Ok(scene)
    }

    /// Reads a sentence about the start; false if it is none.
    fn setting(&mut self, sentence: &str, starts: &mut Vec<(String, Spot)>) -> bool {
        let text = sentence.trim_end_matches('.');
        if let Some(text) = text.strip_prefix("In truth ") {
            return self.truth(text);
        }
        if let Some(text) = text.strip_prefix("Either ") {
            return self.possibilities(text);
        }
        if let Some(name) = text.strip_prefix("Only ").and_then(|t| t.strip_suffix(" knows this")) {
            return self.only_knower(name);
        }
        if let Some((place, rest)) = text.strip_prefix("In ").and_then(|t| t.split_once(" stands ")) {
            let Some(name) = rest.strip_suffix(", which is open") else { return false };
            let place = number(&mut self.places, place);
            self.containers.push((name.to_owned(), place));
            return true;
        }
        if let Some(text) = text.strip_prefix("At the start ") {
            let known = text.strip_suffix(", and everyone knows that, and knows that everyone does");
            if known.is_some() {
                self.rules.add(Rule::StartKnown);
            }
            return listed(known.unwrap_or(text)).iter().all(|part| self.starts_at(part, starts));
        }
        if let Some((names, place)) = text.split_once(" start in ") {
            return self.start_together(names, place, starts);
        }
        self.tastes(text)
    }

    /// "A, B and C start in the hall(, and everyone knows that, and knows that everyone does)".
    fn start_together(&mut self, names: &str, place: &str, starts: &mut Vec<(String, Spot)>) -> bool {
        let known = place.strip_suffix(", and everyone knows that, and knows that everyone does");
        if known.is_some() {
            self.rules.add(Rule::StartKnown);
        }
        let place = number(&mut self.places, known.unwrap_or(place));
        for name in listed(names) {
            let lower = name.to_lowercase();
            if lower.starts_with("the ") {
                self.things.push(lower.clone());
                starts.push((lower, Spot::Place(place)));
            } else {
                self.people.push(name.to_owned());
                starts.push((name.to_owned(), Spot::Place(place)));
            }
        }
        true
    }

    /// "the marble is in the basket" or "Edgar is in the hall".
    fn starts_at(&mut self, text: &str, starts: &mut Vec<(String, Spot)>) -> bool {
        let Some((name, spot)) = text.split_once(" is in ") else { return false };
        let container = self.containers.iter().position(|(known, _)| known == spot);
        let spot = match container {
            Some(container) => Spot::In(container),
            None => Spot::Place(number(&mut self.places, spot)),
        };
        if name.starts_with("the ") {
            self.things.push(name.to_owned());
        } else {
            self.people.push(name.to_owned());
        }
        starts.push((name.to_owned(), spot));
        true
    }

    /// "A or B", of which one is so.
    fn possibilities(&mut self, text: &str) -> bool {
        let Some((first, second)) = text.split_once(" or ") else { return false };
        let texts = [first.to_owned(), second.to_owned()];
        self.facts.push(Fact { texts, truth: 0, knowers: Vec::new() });
        true
    }

    /// Which possibility is so; a sentence with " is " has its denial as the other.
    fn truth(&mut self, text: &str) -> bool {
        for fact in &mut self.facts {
            if let Some(truth) = fact.texts.iter().position(|known| known == text) {
                fact.truth = truth;
                return true;
            }
        }
        let other = denied(text);
        let affirmed = if text.contains(" is not ") { 1 } else { 0 };
        let texts = if affirmed == 0 { [text.to_owned(), other] } else { [other, text.to_owned()] };
        self.facts.push(Fact { texts, truth: affirmed, knowers: Vec::new() });
        true
    }

    /// Who alone knows the fact that was told last.
    fn only_knower(&mut self, name: &str) -> bool {
        let who = self.people.iter().position(|known| known == name);
        match (who, self.facts.last_mut()) {
            (Some(who), Some(fact)) => {
                fact.knowers.push(who);
                true
            }
            _ => false,
        }
    }

    /// "A and B like the painting": a fact for each of them, which they know.
    fn tastes(&mut self, text: &str) -> bool {
        for (verb, truth) in [(" likes ", 0), (" like ", 0), (" dislikes ", 1), (" dislike ", 1)] {
            let Some((names, thing)) = text.split_once(verb) else { continue };
            for name in listed(names) {
                let Some(who) = self.person(name) else { return false };
                let texts = [format!("{name} likes {thing}"), format!("{name} dislikes {thing}")];
                self.facts.push(Fact { texts, truth, knowers: vec![who] });
            }
            return true;
        }
        false
    }

    /// The number of a person.
    pub fn person(&self, name: &str) -> Option<usize> {
        self.people.iter().position(|known| known == name)
    }

    /// The number of the item that is a person or a thing.
    pub fn item(&self, name: &str) -> Option<usize> {
        let things = || self.things.iter().position(|known| known == &name.to_lowercase());
        self.person(name).or_else(|| things().map(|thing| self.people.len() + thing))
    }

    /// The number of a place, added if the story names it for the first time.
    pub fn place(&mut self, name: &str) -> usize {
        number(&mut self.places, name)
    }

    /// The item that is the given fact.
    pub fn fact_item(&self, fact: usize) -> usize {
        self.people.len() + self.things.len() + fact
    }

    /// The fact and the value that a statement words.
    pub fn stated(&self, text: &str) -> Option<(usize, usize)> {
        self.facts.iter().enumerate().find_map(|(number, fact)| {
            fact.texts.iter().position(|known| known == text).map(|value| (number, value))
        })
    }
}
