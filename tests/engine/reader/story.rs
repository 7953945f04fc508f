//! The sentences of the story as events.

use super::Stumble;
use super::scene::{Scene, Spot, listed};

/// Who hears what is said.
#[derive(Clone, Debug, PartialEq)]
pub enum Hearers {
    /// Everyone in the place.
    In(usize),
    /// Those it is whispered to.
    Whispered(Vec<usize>),
    /// Those who are called.
    Called(Vec<usize>),
}

/// What a sentence of the story tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Go {
        people: Vec<usize>,
        to: usize,
    },
    Carry {
        who: usize,
        thing: usize,
        to: usize,
    },
    Throw {
        who: usize,
        thing: usize,
        to: usize,
    },
    Put {
        who: usize,
        thing: usize,
        container: usize,
    },
    /// A thing is moved by someone who is not named.
    Moved {
        thing: usize,
        to: usize,
    },
    Show {
        who: usize,
        fact: usize,
        value: usize,
    },
    Say {
        who: usize,
        hearers: Hearers,
        item: usize,
        claim: Spot,
    },
}

const GOING: [&str; 6] = [" enters ", " joins ", " jumps into ", " walks into ", " goes to ", " walks to "];

/// Reads one sentence of the story.
pub fn read(scene: &mut Scene, sentence: &str) -> Result<Event, Stumble> {
    let text = sentence.trim_end_matches('.');
    event(scene, text).ok_or_else(|| Stumble::Sentence(sentence.to_owned()))
}

fn event(scene: &mut Scene, text: &str) -> Option<Event> {
    if let Some((name, rest)) = text.split_once(" shows that ") {
        let who = scene.person(name)?;
        let (fact, value) = scene.stated(rest)?;
        return Some(Event::Show { who, fact, value });
    }
    if let Some((name, rest)) = text.split_once(" tells everyone in ") {
        let (place, claim) = rest.split_once(" that ")?;
        let place = scene.place(place);
        return said(scene, name, Hearers::In(place), claim);
    }
    if let Some((name, rest)) = text.split_once(" whispers to ") {
        let (names, claim) = rest.split_once(" that ")?;
        let people = persons(scene, names)?;
        return said(scene, name, Hearers::Whispered(people), claim);
    }
    if let Some((name, rest)) = text.split_once(" phones ") {
        let (names, claim) = rest.split_once(" and says that ")?;
        let people = persons(scene, names)?;
        return said(scene, name, Hearers::Called(people), claim);
    }
    handled(scene, text).or_else(|| gone(scene, text))
}

fn persons(scene: &Scene, names: &str) -> Option<Vec<usize>> {
    listed(names).iter().map(|name| scene.person(name)).collect()
}

/// Something is done with a thing.
fn handled(scene: &mut Scene, text: &str) -> Option<Event> {
    if let Some((name, place)) = text.split_once(" is moved to ") {
        let thing = scene.item(name)?;
        return Some(Event::Moved { thing, to: scene.place(place) });
    }
    for verb in [" carries ", " throws ", " moves "] {
        let Some((name, rest)) = text.split_once(verb) else { continue };
        let who = scene.person(name)?;
        if let Some((thing, container)) = rest.split_once(" into ") {
            let thing = scene.item(thing)?;
            let container = scene.containers.iter().position(|(known, _)| known == container)?;
            return Some(Event::Put { who, thing, container });
        }
        let (thing, place) = rest.split_once(" to ")?;
        let thing = scene.item(thing)?;
        let to = scene.place(place);
        return match verb {
            " carries " => Some(Event::Carry { who, thing, to }),
            _ => Some(Event::Throw { who, thing, to }),
        };
    }
    None
}

/// Someone goes, or several go together.
fn gone(scene: &mut Scene, text: &str) -> Option<Event> {
    if let Some((names, place)) = text.strip_suffix(" together").and_then(|t| t.split_once(" go to ")) {
        let people = persons(scene, names)?;
        return Some(Event::Go { people, to: scene.place(place) });
    }
    let (name, place) = GOING.iter().find_map(|verb| text.split_once(verb))?;
    let people = vec![scene.person(name)?];
    Some(Event::Go { people, to: scene.place(place) })
}

/// Someone says something: where a person or a thing is, who has it, or that a fact is so.
fn said(scene: &mut Scene, name: &str, hearers: Hearers, claim: &str) -> Option<Event> {
    let who = scene.person(name)?;
    if let Some((fact, value)) = scene.stated(claim) {
        let item = scene.fact_item(fact);
        return Some(Event::Say { who, hearers, item, claim: Spot::Is(value) });
    }
    if let Some((holder, thing)) = claim.split_once(" has ") {
        let claim = Spot::Hand(scene.person(holder)?);
        return Some(Event::Say { who, hearers, item: scene.item(thing)?, claim });
    }
    let (thing, spot) = claim.split_once(" is in ")?;
    let item = scene.item(thing)?;
    let container = scene.containers.iter().position(|(known, _)| known == spot);
    let claim = match container {
        Some(container) => Spot::In(container),
        None => Spot::Place(scene.place(spot)),
    };
    Some(Event::Say { who, hearers, item, claim })
}
