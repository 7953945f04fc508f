//! What is announced in the scenario that a question asks of: each announcement as its text, with who made it and when.
//!
//! Times come from events, since walks cannot be read from sentences where announcements name people. Words are those that stand
//! between the sentences of two moves.

use serde_json::Value;

use super::Itinerary;
use super::mentions::sentences;
use crate::dataset::Fields;

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announced {
    /// The step at which it is made.
    pub step: usize,
    /// Who makes it.
    pub by: String,
    /// What is said between the moves before and after it.
    pub text: String,
}

/// What an event is for a reader of sentences.
enum Happening<'f> {
    /// Somebody goes to the place with this name, as readers see it.
    Move(&'f str, &'f str),
    /// Somebody announces something at this step.
    Turn(usize, &'f str),
    /// Something else.
    Other,
}

/// The word with which the heading of a scenario begins.
const HEADING: &str = "Scenario ";

/// The announcements of the scenario that a row asks of; none if it asks of no scenario, has no events, or cannot be read.
///
/// What bystanders say to an announcement belongs to its text. One beside which something else happens, or a scenario begins, before
/// anybody moves is left out.
pub fn announced(fields: &Fields) -> Vec<Announced> {
    let Some(asked) = fields.scenario else { return Vec::new() };
    let happenings: Option<Vec<Happening<'_>>> =
        fields.events.iter().map(|event| happening(fields, event)).collect();
    let sentences: Vec<&str> = sentences(&fields.story).collect();
    let (mut at, mut scenario) = (0, 0_u64);
    // What has happened since the last move: announcements, or something else.
    let mut open: Vec<Option<(usize, &str)>> = Vec::new();
    let mut all = Vec::new();
    let mut close = |open: &mut Vec<Option<(usize, &str)>>, said: &[&str]| {
        let headings = said.iter().filter(|sentence| sentence.starts_with(HEADING)).count();
        scenario += headings as u64;
        if let ([Some((step, by))], 0) = (&open[..], headings)
            && scenario == asked
        {
            all.push(Announced { step: *step, by: (*by).to_owned(), text: said.join(" ") });
        }
        open.clear();
    };
    for happening in happenings.unwrap_or_default() {
        match happening {
            Happening::Turn(step, by) => open.push(Some((step, by))),
            Happening::Other => open.push(None),
            Happening::Move(who, place) => {
                let is_it = |sentence: &&str| {
                    let rest = sentence.strip_prefix(who).filter(|rest| rest.starts_with(' '));
                    rest.is_some_and(|rest| rest.trim_end_matches('.').ends_with(place))
                };
                let Some(found) = sentences[at..].iter().position(is_it) else { return Vec::new() };
                close(&mut open, &sentences[at..at + found]);
                at += found + 1;
            }
        }
    }
    close(&mut open, &sentences[at..]);
    all
}

/// What an event is; `None` if it cannot be read.
fn happening<'f>(fields: &'f Fields, event: &'f Value) -> Option<Happening<'f>> {
    if let Some(turn) = turn(event) {
        return turn.map(|(step, by)| Happening::Turn(step, by));
    }
    let at = |number: usize| event.get(number).and_then(Value::as_str);
    let who = at(1)?;
    let has_more = event.get(4).is_some();
    let Some(to) = at(3).filter(|_| !has_more) else { return Some(Happening::Other) };
    let shown = fields
        .names
        .iter()
        .find(|(_, written)| written.as_str() == to)
        .map_or(to, |(shown, _)| shown.as_str());
    Some(Happening::Move(who, shown))
}

/// The step of a turn and who makes it, if this event is one: `None` inside if it cannot be read.
fn turn(event: &Value) -> Option<Option<(usize, &str)>> {
    let is_turn = event.get(2)?.as_str() == Some("turn");
    let read = || Some((event.get(0)?.as_u64()? as usize, event.get(1)?.as_str()?));
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
