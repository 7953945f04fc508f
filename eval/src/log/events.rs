//! Logs of events: who came, who went, and what was done with things.

use super::json::Node;
use super::question::Question;
use super::reader::{Fields, Names, Problems};
use super::{Conventions, Departures, Switches};
use crate::diagnostic::{Diagnostic, Span, Spanned};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId};

/// The largest number of characters in a log: each takes up a place of her own besides the locations.
pub const CHARACTERS_MAX: usize = 1_000;

/// The largest number of locations in a log.
const LOCATIONS_MAX: usize = PlaceId::COUNT_MAX - CHARACTERS_MAX;

/// One story as a log tells it, every name resolved to its number.
///
/// ```
/// use storysim::log::{EventLog, Switches, Told, read};
/// let line = r#"{"id": 1, "characters": ["Ann", "Bob"], "locations": ["hall", "attic"],
///     "start": {"Ann": "hall", "Bob": null}, "events": [{"t": 0, "type": "enter", "who": "Bob", "place": "hall"}]}"#;
/// let (told, problems) = read(line, Switches::default());
/// assert!(!problems.has_error);
/// let Some(Told::Events(log)) = told else { panic!("a log of events") };
/// let moves: Vec<_> = log.course().trace.events.iter()
///     .map(|event| (log.character(event.who), log.place(event.from), log.place(event.to))).collect();
/// assert_eq!(moves, [("Bob", None, Some("hall"))]);
/// ```
#[derive(Debug)]
pub struct EventLog {
    /// The id of the log, as JSON.
    pub id: String,
    pub(super) characters: Names,
    pub(super) locations: Names,
    pub(super) objects: Names,
    pub(super) containers: Names,
    /// Where each character starts; `None` for nowhere yet.
    pub start: Vec<Option<PlaceId>>,
    /// The container that each object is in at first.
    pub first_containers: Vec<ContainerId>,
    /// The room that each container stands in.
    pub rooms: Vec<PlaceId>,
    /// The conventions by which the log is to be read.
    pub conventions: Conventions,
    /// The questions of the log.
    pub questions: Vec<Question>,
    /// The events of the log.
    pub events: Vec<Entry>,
    /// The number of events that could not be read.
    pub unreadable: usize,
}

/// One event of a log and its place in the line.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The time of the event; events with the same time happen jointly.
    pub t: i64,
    /// Where the event stands in the line.
    pub span: Span,
    /// What happens in the event.
    pub what: Happening,
}

/// What happens in an event of a log.
#[derive(Clone, Debug)]
pub enum Happening {
    /// Somebody comes into a place, alone or with others.
    Enter {
        /// Everyone who comes, each once.
        who: Vec<Spanned<CharacterId>>,
        /// The place that they come into.
        place: PlaceId,
    },
    /// Somebody leaves a place.
    Leave {
        /// The character who leaves.
        who: Spanned<CharacterId>,
        /// The place that she leaves.
        place: Spanned<PlaceId>,
    },
    /// An object is in a container in a room, and those in the room see it.
    State {
        /// The object that is there.
        object: Spanned<ObjectId>,
        /// The container that it is in.
        container: Spanned<ContainerId>,
        /// The room that the container is in.
        room: Spanned<PlaceId>,
    },
    /// Somebody moves an object into a container.
    MoveObject {
        /// The character who moves it.
        who: Spanned<CharacterId>,
        /// The object that is moved.
        object: Spanned<ObjectId>,
        /// The container that it is moved into.
        to: Spanned<ContainerId>,
    },
    /// Somebody says that an object is in a container.
    Tell {
        /// The character who speaks.
        speaker: Spanned<CharacterId>,
        /// The characters who hear it; `None` for everyone there.
        listeners: Option<Vec<Spanned<CharacterId>>>,
        /// The object that is spoken of.
        object: ObjectId,
        /// The container that it is said to be in.
        container: ContainerId,
        /// The characters who believe it; `None` for whoever the general rule says.
        believers: Option<Vec<Spanned<CharacterId>>>,
    },
    /// Something happens from which nobody can learn anything.
    Nothing,
}

impl EventLog {
    /// The name of a character.
    pub fn character(&self, who: CharacterId) -> &str {
        &self.characters.list()[who.index()]
    }

    /// The number of a character.
    pub fn character_named(&self, name: &str) -> Option<CharacterId> {
        self.characters.number(name).map(CharacterId::new)
    }

    /// The number of characters.
    pub fn character_count(&self) -> usize {
        self.characters.list().len()
    }

    /// The name of a place; `None` if it is some character's nowhere.
    pub fn place(&self, place: PlaceId) -> Option<&str> {
        self.locations.list().get(place.index()).map(String::as_str)
    }

    /// The number of a location.
    pub fn place_named(&self, name: &str) -> Option<PlaceId> {
        self.locations.number(name).map(PlaceId::new)
    }

    /// The names of all locations.
    pub fn locations(&self) -> &[String] {
        self.locations.list()
    }

    /// The name of a container.
    pub fn container(&self, container: ContainerId) -> &str {
        &self.containers.list()[container.index()]
    }

    /// The name of an object.
    pub fn object(&self, object: ObjectId) -> &str {
        &self.objects.list()[object.index()]
    }

    /// Reads as much of a log as it contains, except its questions; `None` if it contains too little.
    pub(super) fn read(
        fields: &Fields<'_>,
        id: String,
        switches: Switches,
        problems: &mut Problems,
    ) -> Option<Self> {
        let characters = names(fields, "characters", "character", CHARACTERS_MAX, problems);
        let locations = names(fields, "locations", "location", LOCATIONS_MAX, problems);
        let (characters, locations) = (characters?, locations?);
        let conventions = conventions(fields, switches, problems);
        let (containers, rooms) =
            placed(fields, "containers", "container", ContainerId::COUNT_MAX, &locations, problems);
        let (objects, first) =
            placed(fields, "objects", "object", ObjectId::COUNT_MAX, &containers, problems);
        if let Some(name) = objects.list().iter().find(|name| characters.number(name).is_some()) {
            let message = format!("`{name}` is a character and an object");
            problems.push(Diagnostic::error(message, fields.span(), "questions about it would be ambiguous"));
            return None;
        }
        let start = start(fields, &characters, &locations, problems);
        let mut log = Self {
            id,
            start,
            first_containers: first.into_iter().map(ContainerId::new).collect(),
            rooms: rooms.into_iter().map(PlaceId::new).collect(),
            conventions,
            characters,
            locations,
            objects,
            containers,
            questions: Vec::new(),
            events: Vec::new(),
            unreadable: 0,
        };
        let list = fields.get("events").and_then(|node| problems.list(node, "`events`"))?;
        for node in list {
            match log.entry(node, problems) {
                Some(entry) => log.events.push(entry),
                None => log.unreadable += 1,
            }
        }
        Some(log)
    }

    fn entry(&self, node: Node<'_>, problems: &mut Problems) -> Option<Entry> {
        let fields = problems.fields(node, "an event")?;
        let t = problems.required(&fields, "t").and_then(|node| {
            let t = problems.whole_number(node, "`t`")?;
            let last = self.events.last().filter(|last| last.t > t);
            if let Some(last) = last {
                let message = format!("`t` decreases from {} to {t}", last.t);
                let problem = Diagnostic::error(message, node.span(), "earlier than the event before it");
                problems.push(problem.help("list events in the order in which they happen"));
                return None;
            }
            Some(t)
        });
        let what = self.happening(&fields, problems);
        Some(Entry { t: t?, span: node.span(), what: what? })
    }

    fn happening(&self, fields: &Fields<'_>, problems: &mut Problems) -> Option<Happening> {
        #[derive(Clone, Copy)]
        enum Type {
            Enter,
            Leave,
            State,
            MoveObject,
            Tell,
            Nothing,
        }
        let words = [
            ("enter", Type::Enter),
            ("leave", Type::Leave),
            ("state", Type::State),
            ("move_object", Type::MoveObject),
            ("stay", Type::Nothing),
            ("noise", Type::Nothing),
            ("tell", Type::Tell),
        ];
        let kind = problems.required(fields, "type")?;
        let kind = problems.word(kind, "the type of an event", &words)?;
        let mut find = |names: &Names, key: &str| {
            let node = problems.required(fields, key)?;
            names.find(node, problems)
        };
        match kind {
            Type::Nothing => Some(Happening::Nothing),
            Type::Enter => {
                let (who, place) = (find(&self.characters, "who"), find(&self.locations, "place"));
                let joint = match fields.said("joint") {
                    Some(node) => self.characters.find_all(node, "`joint`", problems)?,
                    None => Vec::new(),
                };
                let all = std::iter::once(who?).chain(joint).map(|name| numbered(name, CharacterId::new));
                Some(Happening::Enter { who: each_once(all), place: PlaceId::new(place?.value) })
            }
            Type::Leave => {
                let (who, place) = (find(&self.characters, "who"), find(&self.locations, "place"));
                let place = numbered(place?, PlaceId::new);
                Some(Happening::Leave { who: numbered(who?, CharacterId::new), place })
            }
            Type::State => {
                let object = find(&self.objects, "object");
                let (container, room) = (find(&self.containers, "container"), find(&self.locations, "room"));
                Some(Happening::State {
                    object: numbered(object?, ObjectId::new),
                    container: numbered(container?, ContainerId::new),
                    room: numbered(room?, PlaceId::new),
                })
            }
            Type::MoveObject => {
                let (who, object) = (find(&self.characters, "who"), find(&self.objects, "object"));
                let to = find(&self.containers, "to");
                Some(Happening::MoveObject {
                    who: numbered(who?, CharacterId::new),
                    object: numbered(object?, ObjectId::new),
                    to: numbered(to?, ContainerId::new),
                })
            }
            Type::Tell => {
                let speaker = find(&self.characters, "speaker");
                self.telling(fields, speaker, problems)
            }
        }
    }

    fn telling(
        &self,
        fields: &Fields<'_>,
        speaker: Option<Spanned<usize>>,
        problems: &mut Problems,
    ) -> Option<Happening> {
        let people = |node, what, problems: &mut Problems| {
            let found = self.characters.find_all(node, what, problems)?;
            Some(each_once(found.into_iter().map(|name| numbered(name, CharacterId::new))))
        };
        let listeners = problems.required(fields, "listeners").and_then(|node| {
            if node.written() == "\"public\"" {
                return Some(None);
            }
            people(node, "`listeners` other than \"public\"", problems).map(Some)
        });
        let believers = match fields.said("believers") {
            Some(node) => people(node, "`believers`", problems).map(Some),
            None => Some(None),
        };
        let content = problems.required(fields, "content")?;
        let content = problems.fields(content, "the `content` of a telling")?;
        let mut find = |names: &Names, key: &str| {
            let node = problems.required(&content, key)?;
            Some(names.find(node, problems)?.value)
        };
        let (object, container) = (find(&self.objects, "object"), find(&self.containers, "container"));
        Some(Happening::Tell {
            speaker: numbered(speaker?, CharacterId::new),
            listeners: listeners?,
            object: ObjectId::new(object?),
            container: ContainerId::new(container?),
            believers: believers?,
        })
    }
}

fn numbered<T>(name: Spanned<usize>, new: fn(usize) -> T) -> Spanned<T> {
    Spanned::new(new(name.value), name.span)
}

fn each_once(all: impl Iterator<Item = Spanned<CharacterId>>) -> Vec<Spanned<CharacterId>> {
    let mut seen = std::collections::HashSet::new();
    all.filter(|who| seen.insert(who.value)).collect()
}

fn names(
    fields: &Fields<'_>,
    key: &str,
    what: &'static str,
    count_max: usize,
    problems: &mut Problems,
) -> Option<Names> {
    let node = problems.required(fields, key)?;
    let mut names = Names::new(what);
    for item in problems.list(node, &format!("`{key}`"))? {
        if let Some(name) = problems.text(item, &format!("a {what}")) {
            names.add(name, count_max, problems);
        }
    }
    Some(names)
}

/// Reads named things, with the number of the place that each is in.
fn placed(
    fields: &Fields<'_>,
    key: &str,
    what: &'static str,
    count_max: usize,
    spots: &Names,
    problems: &mut Problems,
) -> (Names, Vec<usize>) {
    let (mut names, mut at) = (Names::new(what), Vec::new());
    let entries = fields.said(key).and_then(|node| problems.entries(node, &format!("`{key}`")));
    for (name, spot) in entries.unwrap_or_default() {
        let Some(spot) = spots.find(spot, problems) else {
            names.leave_out(name.value);
            continue;
        };
        if names.add(name, count_max, problems).is_some() {
            at.push(spot.value);
        }
    }
    (names, at)
}

fn start(
    fields: &Fields<'_>,
    characters: &Names,
    locations: &Names,
    problems: &mut Problems,
) -> Vec<Option<PlaceId>> {
    let mut start = vec![None; characters.list().len()];
    let node = problems.required(fields, "start");
    let Some(entries) = node.and_then(|node| problems.entries(node, "`start`")) else { return start };
    let mut is_said = vec![false; start.len()];
    for (name, place) in entries {
        let Some(who) = characters.find_name(&name, problems) else { continue };
        is_said[who.value] = true;
        if place.written() != "null" {
            start[who.value] = locations.find(place, problems).map(|place| PlaceId::new(place.value));
        }
    }
    if let (Some(who), Some(node)) = (is_said.iter().position(|said| !said), node) {
        let message = format!("`start` does not say where {} is", characters.list()[who]);
        let problem = Diagnostic::error(message, node.span(), "missing here");
        problems.push(problem.help("use `null` for a character who is nowhere yet"));
    }
    start
}

fn conventions(fields: &Fields<'_>, switches: Switches, problems: &mut Problems) -> Conventions {
    let node = fields.said("conventions");
    let said = node.and_then(|node| problems.fields(node, "`conventions`"));
    let mut conventions = Conventions::default();
    if let Some(said) = said {
        if let Some(node) = said.said("departures") {
            let departures = problems.word(node, "the convention `departures`", &Departures::WORDS);
            conventions.departures = departures.unwrap_or_default();
        }
        if let Some(node) = said.said("containers") {
            let are_open =
                problems.word(node, "the convention `containers`", &[("open", true), ("closed", false)]);
            conventions.containers_are_open = are_open.unwrap_or(true);
        }
        if let Some(node) = said.said("entry") {
            problems.word(node, "the convention `entry`", &[("roster", ())]);
        }
    }
    Conventions {
        departures: switches.departures.unwrap_or(conventions.departures),
        containers_are_open: switches.containers_are_open.unwrap_or(conventions.containers_are_open),
    }
}
