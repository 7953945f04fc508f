//! What happens in a log of events, as a trace; or why it cannot.

use std::collections::{HashMap, HashSet};

use super::Departures;
use super::events::{Entry, EventLog, Happening};
use super::reader::Problems;
use super::walks::Walks;
use crate::diagnostic::{Diagnostic, Span, Spanned};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId};
use crate::trace::Trace;
use crate::world::{Act, Container, Hearers, Item, Knowledge, Stage, Telling, Thing, Value};

/// The largest number of trace events that a log may become.
const STEPS_MAX: usize = 1_000_000;

/// A log turned into a trace.
#[derive(Debug, Default)]
pub struct Course {
    /// The events of the log. A place beyond the locations is some character's nowhere.
    pub trace: Trace,
    /// How many events are left out because they cannot happen.
    pub left_out: usize,
    /// The reasons why they cannot happen.
    pub problems: Problems,
}

impl EventLog {
    /// What happens in the log.
    pub fn course(&self) -> Course {
        let mut teller = Teller::new(self);
        let mut rest = &self.events[..];
        while let Some(first) = rest.first() {
            if teller.walks.events.len() > STEPS_MAX {
                let message = format!("this log takes more than {STEPS_MAX} steps");
                teller.refuse(Diagnostic::error(message, first.span, "the limit is reached here"));
                teller.left_out += rest.len() - 1;
                break;
            }
            let run = run(rest);
            teller.tell(&rest[..run]);
            rest = &rest[run..];
        }
        let Walks { events, deeds, .. } = teller.walks;
        let trace = Trace { start: teller.start, events, deeds, stage: self.stage() };
        Course { trace, left_out: teller.left_out, problems: teller.problems }
    }

    /// The things at the start. Whoever is where something can be seen knows of it.
    fn stage(&self) -> Stage {
        let is_open = self.conventions.containers_are_open;
        let thing = |&container: &ContainerId| {
            let room = self.rooms[container.index()];
            let knowledge = |&place: &Option<PlaceId>| {
                if is_open && place == Some(room) { Knowledge::Right } else { Knowledge::Nothing }
            };
            let knowledge = self.start.iter().map(knowledge).collect();
            Thing { value: Value::Container(container), knowledge }
        };
        Stage {
            containers: self.rooms.iter().map(|&place| Container { place, is_open }).collect(),
            objects: self.first_containers.iter().map(thing).collect(),
            ..Stage::default()
        }
    }
}

/// How many of these events, from the first on, happen jointly: people who come, or people who go, at the same time.
fn run(events: &[Entry]) -> usize {
    let mut to = HashMap::new();
    let goes_on = |entry: &&Entry| {
        let is_alike = match (&events[0].what, &entry.what) {
            (Happening::Enter { .. }, Happening::Enter { who, place }) => {
                who.iter().all(|who| *to.entry(who.value).or_insert(*place) == *place)
            }
            (Happening::Leave { .. }, Happening::Leave { who, .. }) => {
                to.insert(who.value, PlaceId::new(0)).is_none()
            }
            _ => false,
        };
        is_alike && entry.t == events[0].t
    };
    events.iter().take_while(goes_on).count().max(1)
}

struct Teller<'a> {
    log: &'a EventLog,
    start: Vec<PlaceId>,
    walks: Walks,
    /// The container that each object is in.
    objects: Vec<ContainerId>,
    /// The event that took each character to where she is.
    went: HashMap<CharacterId, Span>,
    moved: HashMap<ObjectId, Span>,
    left_out: usize,
    problems: Problems,
}

impl<'a> Teller<'a> {
    fn new(log: &'a EventLog) -> Self {
        let walks = Walks::new(log.locations.list().len(), &log.start);
        Self {
            log,
            start: walks.places().to_vec(),
            walks,
            objects: log.first_containers.clone(),
            went: HashMap::new(),
            moved: HashMap::new(),
            left_out: 0,
            problems: Problems::default(),
        }
    }

    fn tell(&mut self, run: &[Entry]) {
        let span = run[0].span;
        let told = match &run[0].what {
            Happening::Enter { .. } => {
                self.enter(run);
                Ok(())
            }
            Happening::Leave { .. } => {
                self.leave(run);
                Ok(())
            }
            Happening::State { object, container, room } => self.state(*object, *container, *room),
            Happening::MoveObject { who, object, to } => self.move_object(*who, *object, *to, span),
            Happening::Tell { speaker, listeners, object, container, believers } => {
                let claim = (*object, *container);
                self.say(*speaker, listeners.as_deref(), claim, believers.as_deref(), span)
            }
            Happening::Nothing => Ok(()),
        };
        if let Err(problem) = told {
            self.refuse(*problem);
        }
    }

    fn refuse(&mut self, problem: Diagnostic) {
        self.left_out += 1;
        self.problems.push(problem);
    }

    /// Applies arrivals. People who come from the same place into the same place come together.
    fn enter(&mut self, run: &[Entry]) {
        let mut groups: Vec<(Option<PlaceId>, PlaceId, Vec<CharacterId>)> = Vec::new();
        let mut group_of = HashMap::new();
        let mut seen = HashSet::new();
        for entry in run {
            let Happening::Enter { who, place } = &entry.what else { continue };
            for who in who.iter().filter(|who| seen.insert(who.value)).collect::<Vec<_>>() {
                let from = self.walks.room(who.value);
                if from == Some(*place) {
                    let place = self.log.place(*place).unwrap_or_default();
                    let message = format!("{} cannot enter {place}", self.name(who.value));
                    let problem = Diagnostic::error(message, who.span, "is there already");
                    let problem = since_then(problem, self.went.get(&who.value), "has been there since this");
                    self.refuse(problem);
                    continue;
                }
                let group = *group_of.entry((from, *place)).or_insert(groups.len());
                if group == groups.len() {
                    groups.push((from, *place, Vec::new()));
                }
                groups[group].2.push(who.value);
                self.went.insert(who.value, entry.span);
            }
        }
        for (from, to, who) in groups {
            if from.is_some() && self.log.conventions.departures == Departures::Vanish {
                self.walks.vanish(&who, to);
            } else {
                self.walks.enter(&who, to);
            }
        }
    }

    /// Applies departures. People who leave the same place leave together.
    fn leave(&mut self, run: &[Entry]) {
        let mut groups: Vec<(PlaceId, Vec<CharacterId>)> = Vec::new();
        let mut group_of = HashMap::new();
        for entry in run {
            let Happening::Leave { who, place } = &entry.what else { continue };
            if let Err(problem) = self.is_in(*who, place.value, place.span) {
                self.refuse(*problem);
                continue;
            }
            let group = *group_of.entry(place.value).or_insert(groups.len());
            if group == groups.len() {
                groups.push((place.value, Vec::new()));
            }
            groups[group].1.push(who.value);
            self.went.insert(who.value, entry.span);
        }
        for (_, who) in groups {
            self.walks.leave(&who);
        }
    }

    fn state(
        &mut self,
        object: Spanned<ObjectId>,
        container: Spanned<ContainerId>,
        room: Spanned<PlaceId>,
    ) -> Result<(), Box<Diagnostic>> {
        self.stands_in(container, room.value, room.span)?;
        let is_in = self.objects[object.value.index()];
        if is_in != container.value {
            let (object_name, container_name) =
                (self.log.object(object.value), self.log.container(container.value));
            let message = format!("{object_name} is not in {container_name}");
            let remark = format!("it is in {}", self.log.container(is_in));
            let problem = Diagnostic::error(message, container.span, remark);
            return Err(Box::new(since_then(
                problem,
                self.moved.get(&object.value),
                "it has been there since this",
            )));
        }
        let company = self.walks.company(room.value).next();
        if let Some(who) = company {
            self.walks.happen(who, Act::Show(object.value));
        }
        Ok(())
    }

    fn move_object(
        &mut self,
        who: Spanned<CharacterId>,
        object: Spanned<ObjectId>,
        to: Spanned<ContainerId>,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let is_in = self.objects[object.value.index()];
        let room = self.log.rooms[is_in.index()];
        if self.walks.room(who.value) != Some(room) {
            let message = format!("{} cannot move {}", self.name(who.value), self.log.object(object.value));
            let remark = format!("is {}", self.whereabouts(who.value));
            let place = self.log.place(room).unwrap_or_default();
            let help =
                format!("{} is in {} in {place}", self.log.object(object.value), self.log.container(is_in));
            let problem = Diagnostic::error(message, who.span, remark).help(help);
            let problem = since_then(problem, self.went.get(&who.value), "has been there since this");
            return Err(Box::new(since_then(
                problem,
                self.moved.get(&object.value),
                "it has been there since this",
            )));
        }
        self.stands_in(to, room, to.span)?;
        if is_in == to.value {
            // Whoever puts it where it is shows where it is.
            self.walks.happen(who.value, Act::Show(object.value));
        } else {
            self.walks.happen(who.value, Act::MoveObject(object.value, to.value));
            self.objects[object.value.index()] = to.value;
            self.moved.insert(object.value, span);
        }
        Ok(())
    }

    fn say(
        &mut self,
        speaker: Spanned<CharacterId>,
        listeners: Option<&[Spanned<CharacterId>]>,
        (object, container): (ObjectId, ContainerId),
        believers: Option<&[Spanned<CharacterId>]>,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let place = self.walks.places()[speaker.value.index()];
        let is_here = |who: CharacterId| self.walks.places()[who.index()] == place;
        let others = |people: &[Spanned<CharacterId>]| -> Vec<Spanned<CharacterId>> {
            people.iter().copied().filter(|who| who.value != speaker.value).collect()
        };
        let hearers = match listeners.map(others) {
            None => Hearers::Present,
            Some(listeners) => {
                let here = listeners.iter().find(|who| is_here(who.value));
                let afar = listeners.iter().find(|who| !is_here(who.value));
                let named = || listeners.iter().map(|who| who.value).collect();
                match (here, afar) {
                    (None, None) => {
                        let message = format!("nobody hears {}", self.name(speaker.value));
                        return Err(Box::new(Diagnostic::error(
                            message,
                            span,
                            "no listener but the speaker",
                        )));
                    }
                    (Some(_), None) => Hearers::Named(named()),
                    (None, Some(_)) => Hearers::Afar(named()),
                    (Some(here), Some(afar)) => {
                        let message = format!(
                            "{} speaks both to people who are there and to people who are not",
                            self.name(speaker.value)
                        );
                        let remark = format!("is {}", self.whereabouts(afar.value));
                        return Err(Box::new(
                            Diagnostic::error(message, afar.span, remark)
                                .label(here.span, "is with the speaker")
                                .help(
                                    "write two tellings: one for those who are there and one for the others",
                                ),
                        ));
                    }
                }
            }
        };
        let believers = believers.map(others);
        for believer in believers.iter().flatten() {
            let hears_it = match &hearers {
                Hearers::Present => is_here(believer.value),
                Hearers::Named(hearers) | Hearers::Afar(hearers) => hearers.contains(&believer.value),
            };
            if !hears_it {
                let message =
                    format!("{} does not hear {}", self.name(believer.value), self.name(speaker.value));
                return Err(Box::new(Diagnostic::error(message, believer.span, "so she cannot believe it")));
            }
        }
        let believers = believers.map(|all| all.iter().map(|who| who.value).collect());
        let (item, value) = (Item::Object(object), Value::Container(container));
        self.walks.happen(speaker.value, Act::Tell(Telling { hearers, item, value, believers }));
        Ok(())
    }

    /// Checks that someone is in a place; otherwise says why she cannot leave it.
    fn is_in(&self, who: Spanned<CharacterId>, place: PlaceId, span: Span) -> Result<(), Box<Diagnostic>> {
        if self.walks.room(who.value) == Some(place) {
            return Ok(());
        }
        let name = self.log.place(place).unwrap_or_default();
        let message = format!("{} cannot leave {name}", self.name(who.value));
        let problem = Diagnostic::error(message, span, format!("is {}", self.whereabouts(who.value)));
        Err(Box::new(since_then(problem, self.went.get(&who.value), "has been there since this")))
    }

    /// Checks that a container stands in a room; otherwise says where it is.
    fn stands_in(
        &self,
        container: Spanned<ContainerId>,
        room: PlaceId,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let stands_in = self.log.rooms[container.value.index()];
        if stands_in == room {
            return Ok(());
        }
        let [stands_in, room] = [stands_in, room].map(|place| self.log.place(place).unwrap_or_default());
        let message = format!("{} is not in {room}", self.log.container(container.value));
        Err(Box::new(Diagnostic::error(message, span, format!("it stands in {stands_in}"))))
    }

    fn whereabouts(&self, who: CharacterId) -> String {
        match self.walks.room(who).and_then(|place| self.log.place(place)) {
            Some(place) => format!("in {place}"),
            None => "nowhere".to_owned(),
        }
    }

    fn name(&self, who: CharacterId) -> &'a str {
        self.log.character(who)
    }
}

/// Adds the event that led to the problem, if there is one.
fn since_then(problem: Diagnostic, since: Option<&Span>, remark: &str) -> Diagnostic {
    match since {
        Some(&span) => problem.label(span, remark),
        None => problem,
    }
}
