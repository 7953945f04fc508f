//! What is announced in the scenario that a question asks of: each announcement as its text, with who made it and when.
//!
//! Words are read from the story, and times from events: walks cannot be read from sentences where announcements name people.

use serde_json::Value;

use super::Itinerary;
use super::mentions::{sentences, words};
use crate::dataset::Fields;

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announced {
    /// The step at which it is made.
    pub step: usize,
    /// Who makes it.
    pub by: String,
    /// The sentence of the story that says so.
    pub text: String,
}

/// A sentence with so many words tells of more than who goes where.
const WORDS_MIN: usize = 9;

/// The word with which the heading of a scenario begins.
const HEADING: &str = "Scenario ";

/// The announcements of the scenario that a row asks of; none if it asks of no scenario, has no events, or cannot be read.
pub fn announced(fields: &Fields) -> Vec<Announced> {
    let Some(asked) = fields.scenario else { return Vec::new() };
    let turns: Option<Vec<(usize, String)>> = fields.events.iter().filter_map(turn).collect();
    let mut scenario = 0;
    let mut told = Vec::new();
    for sentence in sentences(&fields.story) {
        if sentence.starts_with(HEADING) {
            scenario += 1;
        } else if words(sentence).count() >= WORDS_MIN {
            told.push((scenario, sentence));
        }
    }
    let turns = turns.filter(|turns| turns.len() == told.len()).unwrap_or_default();
    let all = turns.into_iter().zip(told).filter(|(_, (scenario, _))| *scenario == asked);
    all.map(|((step, by), (_, text))| Announced { step, by, text: text.to_owned() }).collect()
}

/// The step of a turn and who makes it, if this event is one: `None` inside if it cannot be read.
fn turn(event: &Value) -> Option<Option<(usize, String)>> {
    let at = |number: usize, name: &str| event.get(number).or_else(|| event.get(name));
    let is_turn = at(2, "verb")?.as_str() == Some("turn");
    let read = || Some((at(0, "step")?.as_u64()? as usize, at(1, "who")?.as_str()?.to_owned()));
    is_turn.then(read)
}

/// Where somebody is at a step.
pub fn place_at(told: &Itinerary, name: &str, step: usize) -> Option<usize> {
    let who = told.who(name)?;
    let mut stops = told.stops().iter().filter(|stop| stop.who == who && stop.step < step);
    stops.next_back().map_or(told.start_of(who), |stop| stop.place)
}

/// Where somebody went to from one step on and before another, if she went anywhere.
pub fn went_between(told: &Itinerary, name: &str, from: usize, to: usize) -> Option<usize> {
    let who = told.who(name)?;
    let mut stops = told.stops().iter().filter(|stop| stop.who == who && (from..to).contains(&stop.step));
    stops.next_back()?.place
}
