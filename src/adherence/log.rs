//! A story in a log of events: see [`crate::log`].

use super::account::{Account, SaidStart};
use crate::check::{Act, Deed, Hearers, Item, Telling, Value};
use crate::id::{CharacterId, PlaceId};
use crate::log::{Departures, EventLog};
use crate::prose::{Opening, Told};
use crate::trace::Trace;
use crate::world;

/// Why a log tells of what no storyboard can ask for, and at which step.
pub type LogProblem = super::RowProblem;

/// What a log says. `trace` is its [`course`](EventLog::course).
///
/// # Errors
/// If somebody is nowhere, or leaves for nowhere: in a storyboard everyone is always in a place.
///
/// ```
/// use storysim::{adherence::account_of_log, log::{Switches, Told, read}};
/// let line = r#"{"id": 1, "characters": ["Ann", "Bob"], "locations": ["hall", "attic"],
///     "start": {"Ann": "hall", "Bob": "hall"}, "events": [{"t": 0, "type": "enter", "who": "Bob", "place": "attic"}]}"#;
/// let (Some(Told::Events(log)), _) = read(line, Switches::default()) else { panic!("a log of events") };
/// let trace = log.course().trace;
/// assert_eq!(account_of_log(&log, &trace).unwrap().told[0].to, Some("attic"));
/// ```
pub fn account_of_log<'a>(log: &'a EventLog, trace: &'a Trace) -> Result<Account<'a>, LogProblem> {
    let problem = |step, what: String| LogProblem { step, what };
    if log.conventions.departures == Departures::Vanish {
        let what =
            "its `departures` are `vanish`, and in a storyboard's stories one sees where those go who leave";
        return Err(problem(None, what.to_owned()));
    }
    let names = Names { log };
    let mut start = Vec::new();
    for (at, &place) in trace.start.iter().enumerate() {
        let who = log.character(CharacterId::new(at));
        let nowhere =
            || problem(None, format!("{who} is nowhere at the start, and a storyboard's people are not"));
        start.push((who, log.place(place).ok_or_else(nowhere)?));
    }
    let mut told = Vec::new();
    for (step, event) in trace.events.iter().enumerate() {
        let who = log.character(event.who);
        let nowhere =
            || problem(Some(step), format!("{who} is nowhere then, and a storyboard's people are not"));
        let deed = trace.deeds.get(step).map_or_else(Deed::default, |deed| names.deed(deed));
        let (from, to) =
            (log.place(event.from).ok_or_else(nowhere)?, log.place(event.to).ok_or_else(nowhere)?);
        let to = deed.act.is_going().then_some(to);
        told.push(Told { span: Default::default(), who, at: Some(from), to, deed, statements: Vec::new() });
    }
    let objects = trace
        .stage
        .objects
        .iter()
        .enumerate()
        .map(|(at, object)| (log.object(crate::id::ObjectId::new(at)), names.value(object.value)));
    let opening = Opening { objects: objects.collect(), ..Opening::default() };
    Ok(Account { start: SaidStart::Each(start), opening, told, ..Account::default() })
}

/// What the numbers of a log are called.
struct Names<'a> {
    log: &'a EventLog,
}

impl<'a> Names<'a> {
    fn people(&self, people: &[CharacterId]) -> Vec<&'a str> {
        people.iter().map(|&who| self.log.character(who)).collect()
    }

    fn place(&self, place: PlaceId) -> &'a str {
        self.log.place(place).unwrap_or_default()
    }

    fn value(&self, value: world::Value) -> Value<'a> {
        match value {
            world::Value::Place(place) => Value::Place(self.place(place)),
            world::Value::Container(container) => Value::Container(self.log.container(container)),
            world::Value::Hands(who) => Value::Hands(self.log.character(who)),
            world::Value::Truth(is_true) => Value::Truth(is_true),
        }
    }

    fn item(&self, item: world::Item) -> Item<'a> {
        match item {
            world::Item::Character(who) => Item::Character(self.log.character(who)),
            world::Item::Object(object) => Item::Object(self.log.object(object)),
            world::Item::Lid(container) => Item::Lid(self.log.container(container)),
            world::Item::Proposition(_) => Item::Proposition(""), // a log has none
        }
    }

    fn deed(&self, deed: &world::Deed) -> Deed<'a> {
        let act = match &deed.act {
            world::Act::Go => Act::Go,
            world::Act::GoTogether(others) => Act::GoTogether(self.people(others)),
            world::Act::Carry(object) => Act::Carry(self.log.object(*object)),
            world::Act::Take(object) => Act::Take(self.log.object(*object)),
            world::Act::Put(object, spot) => Act::Put(self.log.object(*object), self.value(*spot)),
            world::Act::MoveObject(object, to) => {
                Act::MoveObject(self.log.object(*object), self.log.container(*to))
            }
            world::Act::Throw(object, to) => Act::Throw(self.log.object(*object), self.place(*to)),
            world::Act::Open(container) => Act::Open(self.log.container(*container)),
            world::Act::Close(container) => Act::Close(self.log.container(*container)),
            world::Act::Show(object) => Act::Show(self.log.object(*object)),
            world::Act::Tell(telling) => Act::Tell(Telling {
                hearers: match &telling.hearers {
                    world::Hearers::Present => Hearers::Present,
                    world::Hearers::Named(hearers) => Hearers::Named(self.people(hearers)),
                    world::Hearers::Afar(hearers) => Hearers::Afar(self.people(hearers)),
                },
                item: self.item(telling.item),
                value: self.value(telling.value),
                believers: telling.believers.as_deref().map(|believers| self.people(believers)),
            }),
            world::Act::React(_, is_true) => Act::React(Item::Proposition(""), *is_true),
        };
        Deed {
            act,
            peeking: self.people(&deed.peeking),
            distracted: (deed.distracted.iter())
                .map(|distraction| (self.log.character(distraction.who), distraction.is_noticed))
                .collect(),
        }
    }
}
