//! Random stories with all kinds of deeds, made of random bytes.

use crate::form::{ActKind, Sort};
use crate::id::{CharacterId, ContainerId, PlaceId, PropositionId, ProspectId};
use crate::trace::Trace;
use crate::world::{
    Act, ActInWorld, Case, Container, Deed, Distraction, Event, Hearers, How, Item, Knowledge, Part, Scene,
    Side, Stage, Telling, Thing, Trust, Value,
};

/// Choices made by bytes, one byte each. When there are no bytes left, the first option is chosen.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first) % bound
    }

    /// Chooses true or false; true for one in `count` values of the byte.
    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) + 1 == count
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| items[self.below(items.len())])
    }

    /// A subset of the items, each of which is as likely in it as not.
    fn some(&mut self, items: &[CharacterId]) -> Vec<CharacterId> {
        items.iter().copied().filter(|_| self.one_in(2)).collect()
    }
}

/// A story of two to four characters in two or three places, with objects, containers and propositions, in which all
/// kinds of things are done until the bytes are used up. Every event can happen.
///
/// ```
/// use storysim::fuzzing::story_with_deeds;
/// let bytes: Vec<u8> = (0..100).map(|at| (at * at % 251) as u8).collect();
/// assert!(story_with_deeds(&bytes).has_deeds());
/// ```
pub fn story_with_deeds(bytes: &[u8]) -> Trace {
    story(bytes, 0)
}

/// The same with one or two prospects, of which news is announced, and told, truly or not.
///
/// ```
/// use storysim::fuzzing::story_with_news;
/// let bytes: Vec<u8> = (0..100).map(|at| (at * at % 251) as u8).collect();
/// assert!(!story_with_news(&bytes).stage.prospects.is_empty());
/// ```
pub fn story_with_news(bytes: &[u8]) -> Trace {
    story(bytes, 1 + usize::from(bytes.len() % 2 == 1))
}

fn story(bytes: &[u8], prospects: usize) -> Trace {
    let mut choices = Choices(bytes);
    let (characters, places) = (2 + choices.below(3), 2 + choices.below(2));
    let mut trace = Trace {
        start: (0..characters).map(|_| PlaceId::new(choices.below(places))).collect(),
        stage: stage(&mut choices, characters, places),
        ..Trace::default()
    };
    let unknown = Thing { value: Value::NoCase, knowledge: vec![Knowledge::Nothing; characters] };
    trace.stage.prospects = vec![unknown; prospects];
    let mut scene = Scene::new(&trace.start, &trace.stage);
    while !choices.0.is_empty() {
        let Some((event, act)) = act(&mut choices, &scene, &trace.stage, places) else { continue };
        let deed = attention(&mut choices, &scene, event, act);
        assert!(scene.allows(event, &deed), "{event:?} {deed:?}");
        scene.apply(event, &deed.act);
        trace.events.push(event);
        trace.deeds.push(deed);
    }
    trace
}

fn stage(choices: &mut Choices, characters: usize, places: usize) -> Stage {
    let container = |choices: &mut Choices| Container {
        place: PlaceId::new(choices.below(places)),
        is_open: choices.one_in(2),
    };
    let containers: Vec<Container> = (0..1 + choices.below(2)).map(|_| container(choices)).collect();
    let object = |choices: &mut Choices| {
        let value = match choices.below(3) {
            0 => Value::Place(PlaceId::new(choices.below(places))),
            1 => Value::Container(ContainerId::new(choices.below(containers.len()))),
            _ => Value::Hands(CharacterId::new(choices.below(characters))),
        };
        let is_known = |who| {
            if choices.one_in(4) && value != Value::Hands(CharacterId::new(who)) {
                Knowledge::Nothing
            } else {
                Knowledge::Right
            }
        };
        Thing { value, knowledge: (0..characters).map(is_known).collect() }
    };
    let objects = (0..1 + choices.below(2)).map(|_| object(choices)).collect();
    let mut proposition = || Thing {
        value: Value::Truth(choices.one_in(2)),
        knowledge: (0..characters)
            .map(|_| [Knowledge::Right, Knowledge::Wrong, Knowledge::Nothing][choices.below(3)])
            .collect(),
    };
    let propositions = vec![proposition(), proposition()];
    Stage { objects, propositions, containers, trust: Trust::ALL[choices.below(4)], ..Stage::default() }
}

/// A deed that can be done now; `None` if the chosen one cannot.
fn act(choices: &mut Choices, scene: &Scene, stage: &Stage, places: usize) -> Option<(Event, Act)> {
    let who = choices.of(&scene.characters().collect::<Vec<_>>())?;
    let from = scene.place(who);
    let elsewhere = PlaceId::new((from.index() + 1 + choices.below(places - 1)) % places);
    // Nothing teaches as much as going and telling.
    let has_news = !stage.prospects.is_empty();
    let kinds = ActKind::ALL.iter().copied().filter(|kind| has_news || *kind != ActKind::Turn);
    let kinds: Vec<ActKind> = kinds.collect();
    let kind = match choices.below(kinds.len() + 5) {
        at if at < kinds.len() => kinds[at],
        at if at % 2 == 0 => ActKind::Go,
        _ if has_news && choices.one_in(2) => ActKind::Turn,
        _ => ActKind::Tell,
    };
    let mut parts = Vec::new();
    let moment = Moment { scene, stage, places, who, elsewhere };
    if kind == ActKind::Turn {
        parts.push(moment.news(choices));
    }
    for part in kind.form().parts.iter().skip(parts.len()) {
        parts.push(moment.part(choices, part.sort)?);
    }
    let act = kind.act(parts)?;
    let event = Event { who, from, to: if act.is_going() { elsewhere } else { from } };
    scene.can_act(event, &act).then_some((event, act))
}

/// When somebody is about to act.
struct Moment<'a> {
    scene: &'a Scene,
    stage: &'a Stage,
    /// How many places there are.
    places: usize,
    who: CharacterId,
    elsewhere: PlaceId,
}

impl Moment<'_> {
    /// Something that is announced of a prospect.
    fn news(&self, choices: &mut Choices) -> Part {
        let prospect = ProspectId::new(choices.below(self.stage.prospects.len()));
        let value = Value::Case(case(choices, self.stage.prospects[0].knowledge.len()));
        Part::Telling(Telling {
            hearers: Hearers::Present,
            item: Item::Prospect(prospect),
            value,
            believers: None,
        })
    }

    /// What stands in a part of a deed, as far as that can be seen from its sort alone.
    fn part(&self, choices: &mut Choices, sort: Sort) -> Option<Part> {
        let Self { scene, stage, places, who, elsewhere } = *self;
        let from = scene.place(who);
        let (here, afar): (Vec<CharacterId>, Vec<CharacterId>) =
            scene.characters().filter(|&other| other != who).partition(|&other| scene.place(other) == from);
        let some = |choices: &mut Choices, people: &[CharacterId]| {
            Some(choices.some(people)).filter(|some| !some.is_empty())
        };
        let boxes: Vec<ContainerId> = scene.containers(from).collect();
        Some(match sort {
            Sort::Company => Part::Company(some(choices, &here)?),
            Sort::Person => Part::Person(choices.of(&here)?),
            Sort::Place => Part::Place(elsewhere),
            Sort::Object => {
                let reached = scene.objects().filter(|&object| scene.room(object) == from);
                Part::Object(choices.of(&reached.collect::<Vec<_>>())?)
            }
            Sort::Container => Part::Container(choices.of(&boxes)?),
            Sort::Spot => {
                let container = choices.of(&boxes).filter(|_| choices.one_in(2));
                Part::Spot(container.map_or(Value::Place(from), Value::Container))
            }
            Sort::Liking => {
                let proposition = PropositionId::new(choices.below(stage.propositions.len()));
                Part::Liking((proposition, scene.value(Item::Proposition(proposition)) == Value::Truth(true)))
            }
            Sort::Fact => {
                let proposition = PropositionId::new(choices.below(stage.propositions.len()));
                Part::Fact((proposition, scene.value(Item::Proposition(proposition)) == Value::Truth(true)))
            }
            Sort::Telling => {
                let all: Vec<CharacterId> = scene.characters().collect();
                let hearers = match choices.below(3) {
                    0 => Hearers::Present,
                    1 => Hearers::Named(some(choices, &here)?),
                    _ => Hearers::Afar(some(choices, &afar)?),
                };
                let item = choices.of(&stage.items(all.len()).collect::<Vec<_>>())?;
                let believers = choices.one_in(3).then(|| choices.some(&all));
                let value = claim(choices, item, stage, all.len(), places);
                Part::Telling(Telling { hearers, item, value, believers })
            }
        })
    }
}

/// Any way in which a prospect can stand.
fn case(choices: &mut Choices, characters: usize) -> Case {
    let how = match choices.below(3) {
        0 => How::Likely,
        1 => How::ByNobody,
        _ => How::By(CharacterId::new(choices.below(characters))),
    };
    Case::new(Side::ALL[choices.below(2)], how, choices.one_in(2))
}

/// Any value that an item could have.
fn claim(choices: &mut Choices, item: Item, stage: &Stage, characters: usize, places: usize) -> Value {
    match item {
        Item::Prospect(_) => Value::Case(case(choices, characters)),
        Item::Lid(_) | Item::Proposition(_) => Value::Truth(choices.one_in(2)),
        Item::Character(_) => Value::Place(PlaceId::new(choices.below(places))),
        Item::Object(_) => match choices.below(3) {
            0 => Value::Place(PlaceId::new(choices.below(places))),
            1 => Value::Container(ContainerId::new(choices.below(stage.containers.len()))),
            _ => Value::Hands(CharacterId::new(choices.below(characters))),
        },
    }
}

/// The deed with some characters who watch it from elsewhere or miss it.
fn attention(choices: &mut Choices, scene: &Scene, event: Event, act: Act) -> Deed {
    let mut deed = Deed { act, ..Deed::default() };
    if !choices.one_in(3) {
        return deed;
    }
    let audience: Vec<CharacterId> = scene.witnesses(event, &deed).collect();
    for who in scene.characters() {
        if Scene::takes_part(event, &deed.act, who) {
            continue;
        }
        match (audience.contains(&who), choices.below(3)) {
            (true, 1..) => deed.distracted.push(Distraction { who, is_noticed: choices.one_in(2) }),
            (false, 2) => deed.peeking.push(who),
            _ => {}
        }
    }
    deed
}
