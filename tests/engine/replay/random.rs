//! Random stories written as logs, line by line; replayed, they have the answers of the definition written out.

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use storysim::belief::nested::Mind;
use storysim::belief::{Chain, Held};
use storysim::id::{CharacterId, ContainerId, ObjectId, PlaceId};
use storysim::log::{Switches, replay};
use storysim::trace::Trace;
use storysim::world::{
    Act, Container, Deed, Event, Hearers, Item, Knowledge, Scene, Stage, Telling, Thing, Value,
};

const ORDER_MAX: usize = 3;
const OBJECTS: usize = 2;
const CONTAINERS: usize = 3;

/// A story and its log, told side by side: what a log says in one event may be several of a trace.
struct Telltale<'a> {
    choices: std::slice::Iter<'a, u8>,
    people: usize,
    rooms: usize,
    vanishes: bool,
    scene: Scene,
    trace: Trace,
    events: Vec<Json>,
    t: u32,
}

impl<'a> Telltale<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut choices = bytes.iter();
        let mut below = |bound: usize| choices.next().map_or(0, |&byte| usize::from(byte) % bound);
        let (people, rooms, is_open, vanishes) = (2 + below(3), 2 + below(2), below(2) == 0, below(2) == 0);
        // A place beyond the rooms is nowhere, one for each.
        let start: Vec<PlaceId> = (0..people)
            .map(|who| PlaceId::new(if below(3) == 0 { rooms + who } else { below(rooms) }))
            .collect();
        let containers: Vec<Container> =
            (0..CONTAINERS).map(|_| Container { place: PlaceId::new(below(rooms)), is_open }).collect();
        let objects = (0..OBJECTS).map(|_| {
            let container = below(CONTAINERS);
            let sees = |&place: &PlaceId| {
                if is_open && place == containers[container].place {
                    Knowledge::Right
                } else {
                    Knowledge::Nothing
                }
            };
            Thing {
                value: Value::Container(ContainerId::new(container)),
                knowledge: start.iter().map(sees).collect(),
            }
        });
        let stage = Stage { objects: objects.collect(), containers: containers.clone(), ..Stage::default() };
        let scene = Scene::new(&start, &stage);
        let trace = Trace { start, stage, ..Trace::default() };
        Self { choices, people, rooms, vanishes, scene, trace, events: Vec::new(), t: 0 }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.choices.next().map_or(0, |&byte| usize::from(byte) % bound)
    }

    fn some(&mut self, from: &[CharacterId]) -> Vec<CharacterId> {
        from.iter().copied().filter(|_| self.below(2) == 0).collect()
    }

    fn happen(&mut self, who: CharacterId, to: PlaceId, act: Act) {
        let event = Event { who, from: self.scene.place(who), to };
        let deed = Deed { act, ..Deed::default() };
        assert!(self.scene.allows(event, &deed), "{event:?} {deed:?}");
        self.scene.apply(event, &deed.act);
        self.trace.events.push(event);
        self.trace.deeds.push(deed);
    }

    fn say(&mut self, mut event: Json) {
        event["t"] = self.t.into();
        self.events.push(event);
    }

    /// One event of the log.
    fn step(&mut self) {
        self.t += 1;
        let who = CharacterId::new(self.below(self.people));
        let place = self.scene.place(who);
        let nowhere = PlaceId::new(self.rooms + who.index());
        let is_nowhere = place == nowhere;
        let all: Vec<CharacterId> = self.scene.characters().filter(|&other| other != who).collect();
        let here: Vec<CharacterId> = all.iter().copied().filter(|&x| self.scene.place(x) == place).collect();
        match self.below(8) {
            0 if !is_nowhere => {
                self.happen(who, nowhere, Act::Go);
                self.say(json!({"type": "leave", "who": person(who), "place": room(place)}));
            }
            0..4 => {
                let to = PlaceId::new(self.below(self.rooms));
                if to == place {
                    return;
                }
                let others = if is_nowhere { Vec::new() } else { self.some(&here) };
                let joint: Vec<String> = [who].iter().chain(&others).copied().map(person).collect();
                let act = || if others.is_empty() { Act::Go } else { Act::GoTogether(others.clone()) };
                if self.vanishes && !is_nowhere {
                    let act = act();
                    self.happen(who, nowhere, act);
                }
                let act = act();
                self.happen(who, to, act);
                if self.below(2) == 0 {
                    self.say(json!({"type": "enter", "who": person(who), "place": room(to), "joint": joint}));
                } else {
                    for who in joint {
                        self.say(json!({"type": "enter", "who": who, "place": room(to)}));
                    }
                }
            }
            4 => {
                let object = ObjectId::new(self.below(OBJECTS));
                let to = ContainerId::new(self.below(CONTAINERS));
                if self.scene.room(object) != place || self.scene.place_of_container(to) != place {
                    return;
                }
                let is_there = self.scene.value(Item::Object(object)) == Value::Container(to);
                self.happen(
                    who,
                    place,
                    if is_there { Act::Show(object) } else { Act::MoveObject(object, to) },
                );
                self.say(json!({"type": "move_object", "who": person(who), "object": thing(object), "to": container(to)}));
            }
            5 => {
                let object = ObjectId::new(self.below(OBJECTS));
                let Value::Container(within) = self.scene.value(Item::Object(object)) else { return };
                let at = self.scene.room(object);
                let company = self.scene.characters().rfind(|&x| self.scene.place(x) == at);
                if let Some(who) = company {
                    self.happen(who, at, Act::Show(object));
                }
                self.say(json!({"type": "state", "object": thing(object), "container": container(within), "room": room(at)}));
            }
            6 => self.say(json!({"type": "noise", "text": "a cat"})),
            _ => self.tell(who, place, &all, here),
        }
    }

    /// Someone says where an object is: to those who are there, to some of them, or to some of `all` who are elsewhere.
    fn tell(&mut self, who: CharacterId, place: PlaceId, all: &[CharacterId], here: Vec<CharacterId>) {
        let afar: Vec<CharacterId> = all.iter().copied().filter(|x| !here.contains(x)).collect();
        let hearers = match self.below(3) {
            0 => Hearers::Present,
            1 => Hearers::Named(self.some(&here)),
            _ => Hearers::Afar(self.some(&afar)),
        };
        let listeners: Vec<String> = hearers.named().iter().copied().map(person).collect();
        let listeners = match hearers {
            Hearers::Present => json!("public"),
            _ if listeners.is_empty() => return,
            _ => json!(listeners),
        };
        let named = hearers.named().to_vec();
        let among = if hearers == Hearers::Present { here } else { named };
        let believers = (self.below(2) == 0).then(|| self.some(&among));
        let (object, to) = (ObjectId::new(self.below(OBJECTS)), ContainerId::new(self.below(CONTAINERS)));
        let (item, value) = (Item::Object(object), Value::Container(to));
        let mut event = json!({"type": "tell", "speaker": person(who), "listeners": listeners,
            "content": {"object": thing(object), "container": container(to)}});
        if let Some(believers) = &believers {
            event["believers"] = json!(believers.iter().copied().map(person).collect::<Vec<_>>());
        }
        self.happen(who, place, Act::Tell(Telling { hearers, item, value, believers }));
        self.say(event);
    }

    /// The log, with a question about everything in every chain of minds.
    fn log(&self, chains: &[Vec<CharacterId>]) -> String {
        let stage = &self.trace.stage;
        let in_room =
            |place: PlaceId| if place.index() < self.rooms { json!(room(place)) } else { Json::Null };
        let start = self.trace.start.iter().enumerate();
        let start: Json =
            start.map(|(who, &place)| (person(CharacterId::new(who)), in_room(place))).collect();
        let containers = stage.containers.iter().enumerate();
        let containers: Json =
            containers.map(|(at, stands)| (container(ContainerId::new(at)), in_room(stands.place))).collect();
        let first = |value| match value {
            Value::Container(within) => json!(container(within)),
            _ => unreachable!("everything is in a container"),
        };
        let objects = stage.objects.iter().enumerate();
        let objects: Json =
            objects.map(|(at, object)| (thing(ObjectId::new(at)), first(object.value))).collect();
        let questions: Vec<Json> = chains
            .iter()
            .flat_map(|chain| self.items().map(move |item| (chain, item)))
            .map(|(chain, item)| {
                let kind = if chain.is_empty() { "reality" } else { "belief" };
                let chain: Vec<String> = chain.iter().copied().map(person).collect();
                json!({"kind": kind, "chain": chain, "about": named(item)})
            })
            .collect();
        json!({
            "id": 7, "extra": {"x": [1]},
            "characters": (0..self.people).map(|who| person(CharacterId::new(who))).collect::<Vec<_>>(),
            "locations": (0..self.rooms).map(|place| room(PlaceId::new(place))).collect::<Vec<_>>(),
            "start": start, "objects": objects, "containers": containers, "events": self.events,
            "conventions": {"departures": if self.vanishes { "vanish" } else { "destination" }, "entry": "roster",
                "containers": if stage.containers[0].is_open { "open" } else { "closed" }},
            "questions": questions,
        })
        .to_string()
    }

    fn items(&self) -> impl Iterator<Item = Item> + use<> {
        let objects = (0..OBJECTS).map(|at| Item::Object(ObjectId::new(at)));
        (0..self.people).map(|who| Item::Character(CharacterId::new(who))).chain(objects)
    }
}

fn person(who: CharacterId) -> String {
    format!("P{}", who.index())
}

fn room(place: PlaceId) -> String {
    format!("room \u{1f6aa} {}", place.index())
}

fn container(container: ContainerId) -> String {
    format!("box \"{}\"", container.index())
}

fn thing(object: ObjectId) -> String {
    format!("thing {}", object.index())
}

fn named(item: Item) -> String {
    match item {
        Item::Object(object) => thing(object),
        item => person(item.character().expect("a character")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_story_written_as_a_log_has_its_own_answers(bytes in prop::collection::vec(any::<u8>(), 20..200)) {
        let mut story = Telltale::new(&bytes);
        while story.choices.len() > 0 {
            story.step();
        }
        let people: Vec<CharacterId> = (0..story.people).map(CharacterId::new).collect();
        let mut chains = crate::minds::chains(&people, ORDER_MAX);
        chains.push(Vec::new());
        let log = story.log(&chains);
        let replayed = replay(&log, Switches::default());
        prop_assert!(replayed.problems.kept.is_empty(), "{:?} in {log}", replayed.problems);
        let mut rows = replayed.rows.iter();
        for chain in &chains {
            for item in story.items() {
                let chain = Chain::new(chain, item);
                let wanted = match Mind::after_along(&story.trace, &chain).held(chain.minds(), item).unwrap() {
                    Held::Known(Value::Place(place), _) if place.index() < story.rooms => json!(room(place)),
                    Held::Known(Value::Container(within), _) => json!(container(within)),
                    _ => Json::Null,
                };
                let row = rows.next().unwrap();
                prop_assert_eq!(serde_json::to_value(&row.answer).unwrap(), wanted, "{:?} in {}", row, log);
            }
        }
    }
}
