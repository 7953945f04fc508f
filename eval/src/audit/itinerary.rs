//! Who went where: the walks of a story, read from its own sentences or events, using nothing but names.
//!
//! This shares no code with what made the story. It involves no beliefs: an [`Itinerary`] is what a reader has who
//! follows feet, not minds.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use super::mentions::occurrences;
use crate::spelling::at_start;

/// Who starts where and who goes where, as a sequence of stops.
///
/// ```
/// use storysim::audit::Itinerary;
/// let places = ["hall", "attic"];
/// let told = Itinerary::of_sentences("Ann goes to the hall. Bob goes to the attic.", &"cellar".into(), &["Ann"], &places, &[]);
/// assert!(told.is_none(), "`the` tells of things, not of walks");
/// let told = Itinerary::of_sentences("Ann enters hall. Bob enters attic.", &"cellar".into(), &["Ann"], &places, &[]).unwrap();
/// let ann = told.who("Ann").unwrap();
/// assert_eq!(told.path(ann).map(|at| told.name(at)).collect::<Vec<_>>(), ["cellar", "hall"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Itinerary {
    names: Index,
    places: Index,
    /// Where each person or thing starts, by number of name.
    start: Vec<Option<usize>>,
    stops: Vec<Stop>,
    /// The room of each container; every other place is its own room.
    rooms: HashMap<usize, usize>,
    /// The number of events in the story.
    pub steps: usize,
}

/// Names in the order in which they first appeared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Index {
    list: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Index {
    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.list.push(name.to_owned());
        self.numbers.insert(name.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }
}

/// An arrival: a person or thing comes to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The number of the event in the story.
    pub step: usize,
    /// The number of the person or thing.
    pub who: usize,
    /// The number of the place; `None` for out of sight.
    pub place: Option<usize>,
}

impl Itinerary {
    /// The number of a person or thing, which is added if it was unknown.
    pub fn add_name(&mut self, name: &str) -> usize {
        let number = self.names.number(name);
        self.start.resize(self.names.list.len(), None);
        number
    }

    /// The number of a place or container, which is added if it was unknown.
    pub fn add_place(&mut self, place: &str) -> usize {
        self.places.number(place)
    }

    /// Records where a person or thing starts.
    pub fn begin(&mut self, who: usize, place: usize) {
        self.start[who] = Some(place);
    }

    /// Records in which room a container stands.
    pub fn stand(&mut self, container: usize, room: usize) {
        self.rooms.insert(container, room);
    }

    /// Adds a stop; steps must not decrease.
    pub fn go(&mut self, step: usize, who: usize, place: Option<usize>) {
        self.stops.push(Stop { step, who, place });
        self.steps = self.steps.max(step.saturating_add(1));
    }

    /// The number of a person or thing, if it is known.
    pub fn who(&self, name: &str) -> Option<usize> {
        self.names.numbers.get(name).copied()
    }

    /// All names of people and things, in the order in which they first appeared.
    pub fn names(&self) -> &[String] {
        &self.names.list
    }

    /// All places and containers, in the order in which they first appeared.
    pub fn places(&self) -> &[String] {
        &self.places.list
    }

    /// The name of a place; empty for out of sight.
    pub fn name(&self, place: Option<usize>) -> &str {
        place.map_or("", |place| &self.places.list[place])
    }

    /// All stops, in order.
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// Where a person or thing starts.
    pub fn start_of(&self, who: usize) -> Option<usize> {
        self.start[who]
    }

    /// The places where someone was, each once, ordered by the last time she was there; her current place comes first.
    ///
    /// ```
    /// use storysim::audit::Itinerary;
    /// let story = "Ann enters hall. Ann enters attic. Ann enters hall.";
    /// let told = Itinerary::of_sentences(story, &"cellar".into(), &["Ann"], &["hall", "attic"], &[]).unwrap();
    /// let latest = told.latest(told.who("Ann").unwrap());
    /// assert_eq!(latest.into_iter().map(|at| told.name(at)).collect::<Vec<_>>(), ["hall", "attic", "cellar"]);
    /// ```
    pub fn latest(&self, who: usize) -> Vec<Option<usize>> {
        let path: Vec<Option<usize>> = self.path(who).collect();
        let mut latest = Vec::new();
        for place in path.into_iter().rev() {
            if !latest.contains(&place) {
                latest.push(place);
            }
        }
        latest
    }

    /// The places where someone is, one after another, beginning with the start.
    pub fn path(&self, who: usize) -> impl Iterator<Item = Option<usize>> + '_ {
        let stops = self.stops.iter().filter(move |stop| stop.who == who).map(|stop| stop.place);
        std::iter::once(self.start[who]).chain(stops)
    }

    /// The room of a place: for a container, the one in which it stands.
    pub fn room(&self, place: Option<usize>) -> Option<usize> {
        place.map(|place| self.rooms.get(&place).copied().unwrap_or(place))
    }

    /// Reads sentences of the form `NAME VERB PLACE.`, separated by single spaces.
    ///
    /// Names and places are those given and those in `start` (a place, or an object that maps names to places). The words
    /// between a known name and a known place are a verb, unless they mention anything else; these verbs help to find
    /// further names and places: single words, "the" and a word, or one of the names in `further`. `None` if there is no such
    /// sentence, or if something else is said about a known name.
    pub fn of_sentences(
        story: &str,
        start: &Value,
        names: &[&str],
        places: &[&str],
        further: &[&str],
    ) -> Option<Self> {
        let mut known_names: BTreeSet<&str> = names.iter().copied().collect();
        let mut known_places: BTreeSet<&str> = places.iter().copied().collect();
        match start {
            Value::String(place) => {
                known_places.insert(place);
            }
            Value::Object(map) => {
                known_names.extend(map.keys().map(String::as_str));
                known_places.extend(map.values().filter_map(Value::as_str));
            }
            _ => {}
        }
        let sentences: Vec<&str> = story.strip_suffix('.').unwrap_or(story).split(". ").collect();
        let subjects = subjects(known_names.iter().chain(further).copied());
        let parts: Vec<(&str, &str)> =
            sentences.iter().map(|sentence| subject(sentence, &subjects)).collect();
        let cut: Vec<Option<(&str, &str)>> =
            parts.iter().map(|&(_, rest)| cut(rest, &known_names, &known_places)).collect();
        let verbs = |is_known: bool| -> BTreeSet<&str> {
            let is_trusted = |name| if is_known { known_names.contains(name) } else { name != ARTICLE };
            let by_whom = parts.iter().zip(&cut).filter(|((name, _), _)| is_trusted(*name));
            by_whom.filter_map(|(_, cut)| cut.map(|(verb, _)| verb)).collect()
        };
        // Nobody known may go anywhere; then what others do has to be trusted.
        let verbs = Some(verbs(true)).filter(|verbs| !verbs.is_empty()).unwrap_or_else(|| verbs(false));
        let is_place = |place: &str| {
            !place.is_empty() && !place.contains(' ')
                || known_places.contains(place)
                || further.contains(&place)
        };
        let mut told = Self::default();
        let mut moves: Vec<(usize, Cow<'_, str>, &str)> = Vec::new();
        for (step, (&(name, rest), cut)) in parts.iter().zip(cut).enumerate() {
            let found = match cut {
                Some((verb, place)) if verbs.contains(verb) => Some((name.into(), place)),
                _ => by_verb(name, rest, &verbs).filter(|(_, place)| is_place(place)),
            };
            let is_named = |known: &&str| occurrences(sentences[step], known).next().is_some();
            match found {
                Some((name, place)) => moves.push((step, name, place)),
                // Whatever is said of someone known may take her elsewhere.
                None if known_names.contains(name) || known_names.iter().any(is_named) => return None,
                None => {} // a note, or somebody who does not matter
            }
        }
        if moves.is_empty() {
            return None;
        }
        let movers = moves.iter().map(|(_, name, _)| name.as_ref());
        told.begin_all(start, known_names.iter().copied().chain(movers));
        for (step, name, place) in moves {
            let (who, place) = (told.add_name(&name), told.add_place(place));
            told.go(step, who, Some(place));
        }
        told.steps = sentences.len();
        Some(told)
    }

    /// Reads the events of a row (`--with-events`): `[STEP, NAME, VERB, PLACE]` and the entries of those who take
    /// somebody or something along.
    pub fn of_events(events: &[Value], start: &Value) -> Option<Self> {
        let mut told = Self::default();
        for event in events {
            let text = |at: usize| event.get(at).and_then(Value::as_str);
            let step = event.get(0)?.as_u64()? as usize;
            let (name, verb) = (text(1)?, text(2)?);
            told.steps = told.steps.max(step.saturating_add(1));
            let (company, place) = match verb {
                verb if WITHOUT_GOING.contains(&verb) => continue,
                "carry" => (Vec::new(), text(4)?),
                "move_together" => (names_in(event.get(3)?), text(4)?),
                _ => (Vec::new(), text(3)?),
            };
            for name in std::iter::once(name.to_owned()).chain(company) {
                told.begin_all(start, [name.as_str()]);
                let (who, place) = (told.add_name(&name), told.add_place(place));
                told.go(step, who, Some(place));
            }
        }
        (!told.stops.is_empty()).then_some(told)
    }

    /// Adds people and their starts, including those who never go anywhere.
    pub fn begin_all<'n>(&mut self, start: &Value, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            let who = self.add_name(name);
            if self.start[who].is_none()
                && let Some(place) = start.as_str().or_else(|| start.get(name)?.as_str())
            {
                self.start[who] = Some(self.add_place(place));
            }
        }
    }
}

/// What people do where they are, and what they see or miss there, by its name in events. Every other verb is one of going.
const WITHOUT_GOING: [&str; 16] = [
    "take",
    "put",
    "move_object",
    "give",
    "throw",
    "open",
    "close",
    "show",
    "react",
    "tell",
    "phone",
    "reveal",
    "chat",
    "turn",
    "peek",
    "distracted",
];

/// The first word of a sentence that begins with an article.
const ARTICLE: &str = "The";

/// Names in the forms with which a sentence can begin, each with the name.
fn subjects<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<Cow<'a, str>, &'a str> {
    names.flat_map(|name| [(name.into(), name), (at_start(name), name)]).collect()
}

/// The subject of a sentence (the longest known name, or else the first word) and the rest.
fn subject<'a>(sentence: &'a str, known: &BTreeMap<Cow<'_, str>, &'a str>) -> (&'a str, &'a str) {
    let mut ends = sentence.match_indices(' ').map(|(at, _)| at).rev();
    let found = ends.find_map(|at| Some((*known.get(&sentence[..at])?, &sentence[at + 1..])));
    found.or_else(|| sentence.split_once(' ')).unwrap_or(("", sentence))
}

/// Who goes by one of these verbs, and where to, given the first word of a sentence and the rest.
fn by_verb<'a>(first: &'a str, rest: &'a str, verbs: &BTreeSet<&str>) -> Option<(Cow<'a, str>, &'a str)> {
    let mut verbs = verbs.iter().rev();
    if first != ARTICLE {
        let verb = verbs.find(|verb| rest.starts_with(**verb))?;
        return Some((first.into(), rest[verb.len()..].strip_prefix(' ')?));
    }
    let (noun, place) = verbs.find_map(|verb| rest.split_once(&format!(" {verb} ")))?;
    (!noun.contains(' ')).then(|| (format!("the {noun}").into(), place))
}

/// A verb and a place, if the text consists of nothing else.
fn cut<'a>(rest: &'a str, names: &BTreeSet<&str>, places: &BTreeSet<&str>) -> Option<(&'a str, &'a str)> {
    let place = longest_suffix(rest, places)?;
    let verb = rest[..rest.len() - place.len()].trim();
    let is_verb = verb.split(' ').all(|word| !matches!(word, "the" | "a" | "") && !names.contains(word));
    is_verb.then_some((verb, place))
}

/// The longest known place with which a text ends.
fn longest_suffix<'a>(text: &'a str, known: &BTreeSet<&str>) -> Option<&'a str> {
    let begins = text.match_indices(' ').map(|(at, _)| at + 1);
    begins.map(|at| &text[at..]).find(|suffix| known.contains(suffix))
}

/// The names in a list.
fn names_in(value: &Value) -> Vec<String> {
    let names = value.as_array().into_iter().flatten();
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::form::{ActForm, ActKind, Sort};

    /// An event of a row in which somebody does this.
    fn event(form: &ActForm) -> Value {
        let mut event = vec![json!(0), json!("Ann"), json!(form.event)];
        for part in form.parts {
            event.extend(match part.sort {
                Sort::Company => vec![json!(["Bob"])],
                Sort::Person => vec![json!("Bob")],
                Sort::Place => vec![json!("hall")],
                Sort::Object => vec![json!("ball")],
                Sort::Container | Sort::Spot => vec![json!("box")],
                Sort::Liking | Sort::Fact => vec![json!("m.reason"), json!(true)],
                Sort::Telling => vec![json!("present"), json!("m.claim"), json!(true)],
            });
        }
        event.extend(form.goes.then(|| json!("attic")));
        Value::Array(event)
    }

    /// Whoever adds a deed says whether it is one of going.
    #[test]
    fn only_those_who_go_get_anywhere() {
        for form in ActKind::ALL.iter().map(|kind| kind.form()) {
            let leaves = json!([1, "Ann", "leaves", "cellar"]);
            let told = Itinerary::of_events(&[event(form), leaves], &"hall".into()).unwrap();
            let path: Vec<&str> = told.path(told.who("Ann").unwrap()).map(|at| told.name(at)).collect();
            let wanted: &[&str] = if form.goes { &["hall", "attic", "cellar"] } else { &["hall", "cellar"] };
            assert_eq!((path.as_slice(), told.steps), (wanted, 2), "{}", form.event);
        }
    }

    #[test]
    fn names_may_have_several_words() {
        let story =
            "The apple is moved to room 4. The bell is moved to room 12. The apple is moved to the hall.";
        let told = Itinerary::of_sentences(
            story,
            &"the hall".into(),
            &["the apple"],
            &["room 4", "the hall"],
            &["room 12"],
        );
        let told = told.unwrap();
        for (name, path) in
            [("the apple", &["the hall", "room 4", "the hall"][..]), ("the bell", &["the hall", "room 12"])]
        {
            let who = told.who(name).unwrap();
            assert_eq!(told.path(who).map(|at| told.name(at)).collect::<Vec<_>>(), path);
        }
        let vague = "The apple is moved to room 4. The apple is eaten.";
        let told = Itinerary::of_sentences(vague, &"the hall".into(), &["the apple"], &["room 4"], &[]);
        assert_eq!(told, None, "that may take it elsewhere");
    }
}
