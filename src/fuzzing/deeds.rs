//! Random stories with all kinds of deeds, made of random bytes.

use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};
use crate::trace::Trace;
use crate::world::{
    Act, Container, Deed, Distraction, Event, Hearers, Item, Knowledge, Scene, Stage, Telling, Thing, Trust,
    Value,
};

/// Choices, one a byte; the first of what there is to choose from when there are none left.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first) % bound
    }

    /// True once in so many.
    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) + 1 == count
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| items[self.below(items.len())])
    }

    /// Some of them, each as likely as not.
    fn some(&mut self, items: &[CharacterId]) -> Vec<CharacterId> {
        items.iter().copied().filter(|_| self.one_in(2)).collect()
    }
}

/// A story of two to four characters in two or three places, with objects, containers and propositions, in
/// which all kinds of things are done; as long as the bytes last. Every event can happen.
///
/// ```
/// use storysim::fuzzing::story_with_deeds;
/// let bytes: Vec<u8> = (0..100).map(|at| (at * at % 251) as u8).collect();
/// assert!(story_with_deeds(&bytes).has_deeds());
/// ```
pub fn story_with_deeds(bytes: &[u8]) -> Trace {
    let mut choices = Choices(bytes);
    let (characters, places) = (2 + choices.below(3), 2 + choices.below(2));
    let mut trace = Trace {
        start: (0..characters).map(|_| PlaceId::new(choices.below(places))).collect(),
        stage: stage(&mut choices, characters, places),
        ..Trace::default()
    };
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
    Stage { objects, propositions, containers, trust: Trust::ALL[choices.below(4)] }
}

/// Something that can be done now; none, if what was chosen cannot be.
fn act(choices: &mut Choices, scene: &Scene, stage: &Stage, places: usize) -> Option<(Event, Act)> {
    let all: Vec<CharacterId> = scene.characters().collect();
    let who = choices.of(&all)?;
    let from = scene.place(who);
    let elsewhere = PlaceId::new((from.index() + 1 + choices.below(places - 1)) % places);
    let here: Vec<CharacterId> =
        all.iter().copied().filter(|&x| x != who && scene.place(x) == from).collect();
    let afar: Vec<CharacterId> = all.iter().copied().filter(|&x| scene.place(x) != from).collect();
    let in_hand = |object: &ObjectId| scene.value(Item::Object(*object)) == Value::Hands(who);
    let reached: Vec<ObjectId> =
        scene.objects().filter(|&object| scene.is_within_reach(who, object)).collect();
    let held: Vec<ObjectId> = reached.iter().copied().filter(in_hand).collect();
    let free: Vec<ObjectId> = reached.iter().copied().filter(|object| !in_hand(object)).collect();
    let boxes: Vec<ContainerId> = scene.containers(from).collect();
    let act = match choices.below(18) {
        0..3 => Act::Go,
        3 => Act::GoTogether(Some(choices.some(&here)).filter(|others| !others.is_empty())?),
        4 => Act::Carry(choices.of(&reached)?),
        5 => Act::Take(choices.of(&free)?),
        6 => {
            let object = choices.of(&held)?;
            let container = choices.of(&boxes).filter(|_| choices.one_in(2));
            Act::Put(object, container.map_or(Value::Place(from), Value::Container))
        }
        7 => {
            let (object, container) = (choices.of(&reached)?, choices.of(&boxes)?);
            let is_new = scene.value(Item::Object(object)) != Value::Container(container);
            is_new.then_some(Act::MoveObject(object, container))?
        }
        8 => Act::Throw(choices.of(&reached)?, elsewhere),
        9 | 10 => {
            let container = choices.of(&boxes)?;
            let is_open = scene.value(Item::Lid(container)) == Value::Truth(true);
            if is_open { Act::Close(container) } else { Act::Open(container) }
        }
        11 => {
            let proposition = PropositionId::new(choices.below(stage.propositions.len()));
            Act::React((proposition, scene.value(Item::Proposition(proposition)) == Value::Truth(true)))
        }
        12 => {
            let is_here = |object: &ObjectId| scene.room(*object) == from;
            Act::Show(choices.of(&scene.objects().filter(is_here).collect::<Vec<_>>())?)
        }
        13 => Act::Give(choices.of(&held)?, choices.of(&here)?),
        _ => {
            let hearers = match choices.below(3) {
                0 => Hearers::Present,
                1 => Hearers::Named(Some(choices.some(&here)).filter(|named| !named.is_empty())?),
                _ => Hearers::Afar(Some(choices.some(&afar)).filter(|named| !named.is_empty())?),
            };
            let items: Vec<Item> = stage.items(all.len()).collect();
            let item = choices.of(&items)?;
            let believers = choices.one_in(3).then(|| choices.some(&all));
            Act::Tell(Telling {
                hearers,
                item,
                value: claim(choices, item, stage, all.len(), places),
                believers,
            })
        }
    };
    let to = if act.is_going() { elsewhere } else { from };
    Some((Event { who, from, to }, act))
}

/// Anything that could be so of an item.
fn claim(choices: &mut Choices, item: Item, stage: &Stage, characters: usize, places: usize) -> Value {
    match item {
        Item::Lid(_) | Item::Proposition(_) => Value::Truth(choices.one_in(2)),
        Item::Character(_) => Value::Place(PlaceId::new(choices.below(places))),
        Item::Object(_) => match choices.below(3) {
            0 => Value::Place(PlaceId::new(choices.below(places))),
            1 => Value::Container(ContainerId::new(choices.below(stage.containers.len()))),
            _ => Value::Hands(CharacterId::new(choices.below(characters))),
        },
    }
}

/// The deed, with some who watch it from elsewhere or miss it.
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
