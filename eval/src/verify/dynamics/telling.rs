//! Reads the sentences of a story: who goes where, what is announced, and who is there to hear it.

use std::collections::BTreeSet;

use super::super::Difference;
use super::words::{Case, Clauses, filled};
use super::wrong;
use crate::pack::{SmallTalkWords, Text};
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
    /// How scenarios can open, and what can be said that carries nothing.
    pub small_talk: Option<&'w SmallTalkWords>,
    /// Those who are asked about, who say no such thing, and are no company for those who do.
    pub asked_about: Vec<usize>,
    /// Those who announce something, who say no such thing either.
    pub tellers: Vec<usize>,
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
    Opening,
    Reply { who: usize },
    Remark { who: usize },
    Move { who: usize, to: usize },
    News { teller: usize, place: Option<usize>, case: Case },
}

impl Ground<'_> {
    /// Reads a story, or says which sentence cannot be read, or cannot be true.
    pub fn read(&self, story: &str) -> Result<Told, Difference> {
        let mut told = Told::default();
        let mut at = vec![self.start; self.people.len()];
        let mut step = 0;
        let mut last = None;
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
            let before = last.replace(one);
            if let Sentence::Opening | Sentence::Reply { .. } | Sentence::Remark { .. } = one {
                self.besides(one, before, &at).map_err(|why| wrong("story", sentence, &why))?;
                continue;
            }
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
            Sentence::Heading(_) | Sentence::Opening => {}
            Sentence::Reply { .. } | Sentence::Remark { .. } => {}
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

    /// Whether what carries nothing can stand where it does: after this sentence, when people are in these places.
    fn besides(&self, sentence: Sentence, before: Option<Sentence>, at: &[usize]) -> Result<(), String> {
        let speaks = |who: usize| !self.asked_about.contains(&who) && !self.tellers.contains(&who);
        let is_with = |who: usize, other: usize| at[who] == at[other];
        let has_company = |who: usize| {
            let others = (0..at.len()).filter(|other| *other != who && !self.asked_about.contains(other));
            others.into_iter().any(|other| is_with(who, other))
        };
        let (is_right, derived) = match (sentence, before) {
            (Sentence::Opening, Some(Sentence::Heading(_))) => (true, ""),
            (Sentence::Opening, _) => (false, "a heading before it"),
            (Sentence::Reply { who }, Some(Sentence::News { teller, .. })) => {
                (speaks(who) && is_with(who, teller), "said by somebody who hears it, and is not asked about")
            }
            (Sentence::Remark { who }, Some(Sentence::Move { .. })) => {
                (speaks(who) && has_company(who), "said in company, by somebody who is not asked about")
            }
            _ => (false, "an announcement before a reply, and a move before a remark"),
        };
        if is_right { Ok(()) } else { Err(derived.to_owned()) }
    }

    /// The next sentence without its full stop, all that it can say, and what follows it. An announcement in direct speech is more
    /// than one sentence, and ends within quotation marks.
    fn next<'s>(&self, story: &'s str) -> Option<(&'s str, Vec<Sentence>, &'s str)> {
        let ends = story.match_indices('.').filter_map(|(at, _)| {
            let after = &story[at + 1..];
            let after = after.strip_prefix('”').unwrap_or(after);
            matches!(after.chars().next(), None | Some(' ' | '\n')).then_some((at, after))
        });
        // A sentence is not longer than a heading and three long clauses.
        ends.take_while(|(at, _)| *at < 1_000).find_map(|(at, after)| {
            let found: Vec<Sentence> = self.readings(&story[..at]).into_iter().collect();
            (!found.is_empty()).then(|| (&story[..at], found, after.trim_start()))
        })
    }

    /// All that a sentence can say.
    fn readings(&self, sentence: &str) -> BTreeSet<Sentence> {
        let mut found: BTreeSet<Sentence> = heading(sentence).map(Sentence::Heading).into_iter().collect();
        found.extend(self.said_besides(sentence));
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

    /// What can be meant that carries nothing: how a scenario opens, and who says a reply or a remark.
    fn said_besides(&self, sentence: &str) -> Vec<Sentence> {
        let Some(words) = self.small_talk else { return Vec::new() };
        let whole = format!("{sentence}.");
        let mut found: Vec<Sentence> = words
            .openings
            .iter()
            .filter(|text| text.to_string() == whole)
            .map(|_| Sentence::Opening)
            .collect();
        let Some((said, by)) = sentence.strip_prefix('“').and_then(|rest| rest.split_once("” ")) else {
            return found;
        };
        let said = said.strip_suffix(',').map_or_else(|| said.to_owned(), |said| format!("{said}."));
        let verbs: &[&str] =
            if said.ends_with('?') { &["asks"] } else { &["says", "replies", "answers", "remarks"] };
        let speakers = self.people.iter().enumerate().filter(|(_, name)| {
            verbs
                .iter()
                .any(|verb| by.strip_prefix(verb).is_some_and(|by| by.strip_prefix(' ') == Some(name)))
        });
        let is_among = |texts: &[Text]| texts.iter().any(|text| filled(text, "") == said);
        for (who, _) in speakers {
            found.extend(is_among(&words.replies).then_some(Sentence::Reply { who }));
            found.extend(is_among(&words.remarks).then_some(Sentence::Remark { who }));
        }
        found
    }

    /// What somebody announces, and where, if it is said: in each of the eight ways to say it. The last mark is not there.
    fn announced(&self, sentence: &str, name: &str) -> Vec<(Option<usize>, BTreeSet<Case>)> {
        let mut found = Vec::new();
        // "“The pool stays open,” says Ann. “Nobody has brought this about, and …"
        if let Some((first, rest)) = sentence.strip_prefix('“').and_then(|rest| rest.split_once(",” "))
            && let Some((by, rest)) = rest.split_once(". “")
        {
            if by.strip_prefix("says ") == Some(name) {
                found.push((None, self.clauses.spoken(first, rest)));
            }
            let place =
                by.strip_prefix(name).and_then(|rest| rest.strip_prefix(" announces to everyone in "));
            if let Some(place) = place.and_then(|place| self.place(place)) {
                found.push((Some(place), self.clauses.spoken(first, rest)));
            }
        }
        let Some(rest) = sentence.strip_prefix(&*at_start(name)) else { return found };
        // "The pool stays open. Nobody has brought this about, and …"
        let spoken = |text: &str| -> BTreeSet<Case> {
            let parts = text.match_indices(". ").map(|(at, mark)| (&text[..at], &text[at + mark.len()..]));
            parts.flat_map(|(first, rest)| self.clauses.spoken(first, rest)).collect()
        };
        if let Some(said) = rest.strip_prefix(" says: “") {
            found.push((None, spoken(said)));
        }
        for verb in [" says ", " announces "] {
            if let Some(said) = rest.strip_prefix(verb) {
                found.push((None, self.clauses.cases(said, "that ")));
            }
        }
        for (before, after) in [
            (" announces in ", ": “"),
            (" lets everyone in ", " know "),
            (" has news for everyone in ", ": "),
        ] {
            let parts = rest.strip_prefix(before).and_then(|rest| rest.split_once(after));
            let Some((place, said)) = parts else { continue };
            let Some(place) = self.place(place) else { continue };
            let cases = match after {
                " know " => self.clauses.cases(said, "that "),
                ": “" => spoken(said),
                _ => self.clauses.cases(said, ""),
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
