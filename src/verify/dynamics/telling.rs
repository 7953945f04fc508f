//! Reads the sentences of a story: who goes where, what is announced, and who is there to hear it.

use std::collections::BTreeSet;

use super::super::Difference;
use super::words::{Case, Clauses};
use super::wrong;
use crate::spelling::at_start;

/// What a reader knows of a story before it begins.
#[derive(Debug)]
pub struct Ground<'w> {
    /// The names of people, by their numbers.
    pub people: &'w [String],
    /// The names of places, by their numbers.
    pub places: Vec<String>,
    /// What people do when they go somewhere.
    pub verbs: &'w [String],
    /// Where everyone starts.
    pub start: usize,
    /// The words of what is announced.
    pub clauses: Clauses<'w>,
    /// Whether there are sentences that tell of nothing that happens.
    pub has_notes: bool,
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// The number of the event.
    pub step: usize,
    /// The scenario, from 0.
    pub scenario: usize,
    /// Who announces.
    pub teller: usize,
    /// What is announced.
    pub case: Case,
    /// Who is there.
    pub heard_by: Vec<usize>,
}

/// What happens in a story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// All announcements, in order.
    pub news: Vec<News>,
    /// Where everyone is at the end of each scenario.
    pub ends: Vec<Vec<usize>>,
    /// How many events each scenario has.
    pub lengths: Vec<usize>,
}

/// What a sentence says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sentence {
    Heading(usize),
    Move { who: usize, to: usize },
    News { teller: usize, place: Option<usize>, case: Case },
}

impl Ground<'_> {
    /// Reads a story, or says which sentence cannot be read, or cannot be true.
    pub fn read(&self, story: &str) -> Result<Told, Difference> {
        let mut told = Told::default();
        let mut at = vec![self.start; self.people.len()];
        let mut step = 0;
        let mut rest = story.trim();
        while !rest.is_empty() {
            let Some((sentence, found, after)) = self.next(rest) else {
                let end = rest.find(['.', '!', '?']).map_or(rest.len(), |end| end + 1);
                if !self.has_notes {
                    return Err(wrong("story", &rest[..end], "a sentence with a meaning"));
                }
                rest = rest[end..].trim_start();
                continue;
            };
            rest = after;
            let [one] = found[..] else {
                return Err(wrong("story", sentence, &format!("ambiguous: {found:?}")));
            };
            if let Sentence::Heading(number) = one {
                if told.lengths.len() + 1 != number {
                    return Err(wrong("story", sentence, &format!("scenario {}", told.lengths.len() + 1)));
                }
                told.lengths.push(0);
                told.ends.push(at.clone());
                continue;
            }
            let Some(scenario) = told.lengths.len().checked_sub(1) else {
                return Err(wrong("story", sentence, "a heading before it"));
            };
            self.happen(one, (step, scenario), &mut at, &mut told)
                .map_err(|why| wrong("story", sentence, &why))?;
            told.lengths[scenario] += 1;
            told.ends[scenario].clone_from(&at);
            step += 1;
        }
        Ok(told)
    }

    /// Lets happen what a sentence says; if it cannot, says why.
    fn happen(
        &self,
        sentence: Sentence,
        (step, scenario): (usize, usize),
        at: &mut [usize],
        told: &mut Told,
    ) -> Result<(), String> {
        match sentence {
            Sentence::Heading(_) => {}
            Sentence::Move { who, to } if at[who] == to => {
                return Err(format!("{} elsewhere before", self.people[who]));
            }
            Sentence::Move { who, to } => at[who] = to,
            Sentence::News { teller, place, case } => {
                if place.is_some_and(|place| place != at[teller]) {
                    return Err(format!("{} in {}", self.people[teller], self.places[at[teller]]));
                }
                let heard_by = (0..at.len()).filter(|&who| at[who] == at[teller]).collect();
                told.news.push(News { step, scenario, teller, case, heard_by });
            }
        }
        Ok(())
    }

    /// The next sentence without its full stop, all that it can say, and what follows it.
    fn next<'s>(&self, story: &'s str) -> Option<(&'s str, Vec<Sentence>, &'s str)> {
        let ends = story.match_indices('.').map(|(at, _)| at);
        let ends = ends.filter(|at| matches!(story[at + 1..].chars().next(), None | Some(' ' | '\n')));
        // A sentence is not longer than a heading and three long clauses.
        ends.take_while(|at| *at < 1_000).find_map(|at| {
            let found = self.readings(&story[..at]);
            let found: Vec<Sentence> = found.into_iter().collect();
            (!found.is_empty()).then(|| (&story[..at], found, story[at + 1..].trim_start()))
        })
    }

    /// All that a sentence can say.
    fn readings(&self, sentence: &str) -> BTreeSet<Sentence> {
        let mut found: BTreeSet<Sentence> = heading(sentence).map(Sentence::Heading).into_iter().collect();
        for (who, name) in self.people.iter().enumerate() {
            if let Some(rest) = sentence.strip_prefix(&*at_start(name)) {
                found.extend(self.gone(rest).into_iter().map(|to| Sentence::Move { who, to }));
            }
            for (place, cases) in self.announced(sentence, name) {
                found.extend(cases.into_iter().map(|case| Sentence::News { teller: who, place, case }));
            }
        }
        found
    }

    /// Where somebody goes, by the words that follow her name.
    fn gone(&self, rest: &str) -> Vec<usize> {
        let goes = |place: &String| self.verbs.iter().any(|verb| rest == format!(" {verb} {place}"));
        (0..self.places.len()).filter(|&place| goes(&self.places[place])).collect()
    }

    /// What somebody announces, and where, if it is said: in each of the eight ways to say it.
    fn announced(&self, sentence: &str, name: &str) -> Vec<(Option<usize>, BTreeSet<Case>)> {
        let quoted = |text: &str| self.clauses.cases(text, "", true);
        let mut found = Vec::new();
        if let Some((said, by)) = sentence.strip_prefix('“').and_then(|rest| rest.split_once(",” ")) {
            if by.strip_prefix("says ") == Some(name) {
                found.push((None, quoted(said)));
            }
            let place =
                by.strip_prefix(name).and_then(|rest| rest.strip_prefix(" announces to everyone in "));
            if let Some(place) = place.and_then(|place| self.place(place)) {
                found.push((Some(place), quoted(said)));
            }
        }
        let Some(rest) = sentence.strip_prefix(&*at_start(name)) else { return found };
        let unquoted = |text: &str| text.strip_prefix('“')?.strip_suffix('”').map(quoted);
        if let Some(cases) = rest.strip_prefix(" says: ").and_then(unquoted) {
            found.push((None, cases));
        }
        for verb in [" says ", " announces "] {
            if let Some(said) = rest.strip_prefix(verb) {
                found.push((None, self.clauses.cases(said, "that ", false)));
            }
        }
        for (before, after) in
            [(" announces in ", ": "), (" lets everyone in ", " know "), (" has news for everyone in ", ": ")]
        {
            let parts = rest.strip_prefix(before).and_then(|rest| rest.split_once(after));
            let Some((place, said)) = parts else { continue };
            let Some(place) = self.place(place) else { continue };
            let cases = match after {
                " know " => self.clauses.cases(said, "that ", false),
                _ if before == " announces in " => unquoted(said).unwrap_or_default(),
                _ => self.clauses.cases(said, "", false),
            };
            found.push((Some(place), cases));
        }
        found
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.places.iter().position(|place| place == name)
    }
}

/// The number of the scenario that begins with a heading.
fn heading(sentence: &str) -> Option<usize> {
    let rest = sentence.strip_prefix("Scenario ")?;
    let number = rest.split_once(", ").map_or(rest, |(number, _)| number);
    number.parse().ok()
}
