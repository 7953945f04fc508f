//! Where everyone and everything is, what can be done there, who witnesses it, and what it shows.

use super::Event;
use super::deed::ActInWorld;
use std::sync::Arc;

use super::deed::{Act, Deed, Hearers, Telling};
use super::thing::{Along, Item, Stage, Value};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};

/// The state of a story in which people do more than go from place to place.
///
/// An event is handled in four steps: can it happen ([`Scene::allows`]), who witnesses it ([`Scene::witnesses`]), what do
/// they see ([`Scene::shown`], [`Scene::look`]), and carry it out ([`Scene::apply`]).
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Scene {
    containers: Vec<PlaceId>,
    places: Vec<PlaceId>,
    objects: Vec<Value>,
    lids: Vec<bool>,
    propositions: Vec<bool>,
    prospects: Vec<Value>,
    along: Arc<[Along]>,
    /// Which of the propositions that something was said have been shown; empty if there are none.
    said: Vec<bool>,
}

impl Scene {
    /// The state at the start of a story.
    pub fn new(start: &[PlaceId], stage: &Stage) -> Self {
        let mut scene = Self::default();
        scene.begin(start, stage);
        scene
    }

    /// Goes back to the start of a story, reusing its memory.
    pub fn begin(&mut self, start: &[PlaceId], stage: &Stage) {
        self.containers.clear();
        self.containers.extend(stage.containers.iter().map(|container| container.place));
        self.places.clear();
        self.places.extend_from_slice(start);
        self.objects.clear();
        self.objects.extend(stage.objects.iter().map(|thing| thing.value));
        self.lids.clear();
        self.lids.extend(stage.containers.iter().map(|container| container.is_open));
        self.propositions.clear();
        self.propositions.extend(stage.propositions.iter().map(|thing| thing.value == Value::Truth(true)));
        self.prospects.clear();
        self.prospects.extend(stage.prospects.iter().map(|thing| thing.value));
        self.along.clone_from(&stage.along);
        self.said.clear();
        self.said.resize(stage.along.len(), false);
    }

    /// All characters.
    pub fn characters(&self) -> impl DoubleEndedIterator<Item = CharacterId> + use<> {
        (0..self.places.len()).map(CharacterId::new)
    }

    /// All objects.
    pub fn objects(&self) -> impl DoubleEndedIterator<Item = ObjectId> + use<> {
        (0..self.objects.len()).map(ObjectId::new)
    }

    /// Where a character is.
    #[inline]
    pub fn place(&self, who: CharacterId) -> PlaceId {
        self.places[who.index()]
    }

    /// Where a container stands.
    pub fn place_of_container(&self, container: ContainerId) -> PlaceId {
        self.containers[container.index()]
    }

    /// The containers that stand in a place.
    pub fn containers(&self, place: PlaceId) -> impl Iterator<Item = ContainerId> + '_ {
        let all = self.containers.iter().enumerate();
        all.filter(move |&(_, &at)| at == place).map(|(at, _)| ContainerId::new(at))
    }

    /// The real value of an item.
    pub fn value(&self, item: Item) -> Value {
        match item {
            Item::Character(who) => Value::Place(self.place(who)),
            Item::Object(object) => self.objects[object.index()],
            Item::Lid(container) => Value::Truth(self.lids[container.index()]),
            Item::Proposition(proposition) => Value::Truth(self.propositions[proposition.index()]),
            Item::Prospect(prospect) => self.prospects[prospect.index()],
        }
    }

    /// The place that an object is in, whether it lies there, is in a container or in somebody's hands.
    pub fn room(&self, object: ObjectId) -> PlaceId {
        match self.objects[object.index()] {
            Value::Place(place) => place,
            Value::Container(container) => self.place_of_container(container),
            Value::Hands(who) => self.place(who),
            Value::Truth(_) | Value::Case(_) | Value::NoCase => unreachable!("an object is somewhere"),
        }
    }

    /// Whether an object is in a place and can be seen there.
    pub fn is_visible(&self, object: ObjectId, place: PlaceId) -> bool {
        self.visible_in(object) == Some(place)
    }

    /// The place in which an object can be seen; `None` if it is in a closed container.
    pub fn visible_in(&self, object: ObjectId) -> Option<PlaceId> {
        let is_hidden = match self.objects[object.index()] {
            Value::Container(container) => !self.lids[container.index()],
            _ => false,
        };
        (!is_hidden).then(|| self.room(object))
    }

    /// Whether someone can take hold of an object: it is where she is, and in nobody else's hands.
    pub fn is_within_reach(&self, who: CharacterId, object: ObjectId) -> bool {
        match self.objects[object.index()] {
            Value::Hands(holder) => holder == who,
            _ => self.room(object) == self.place(who),
        }
    }

    /// Those who go: the actor and who goes with her; nobody, if she stays.
    pub fn movers(event: Event, act: &Act) -> impl Iterator<Item = CharacterId> + Clone + '_ {
        let others: &[CharacterId] = if let Act::GoTogether(others) = act { others } else { &[] };
        let actor = act.is_going().then_some(event.who);
        actor.into_iter().chain(others.iter().copied())
    }

    /// Whether someone takes part in an event, and so cannot miss it: she acts, goes along, or is given something.
    pub fn takes_part(event: Event, act: &Act, who: CharacterId) -> bool {
        who == event.who || act.receiver() == Some(who) || Self::movers(event, act).any(|mover| mover == who)
    }

    /// Whether an event can happen now. (Whether there is a way from one place to the other is for the
    /// [`Map`](super::Map) to say.)
    pub fn allows(&self, event: Event, deed: &Deed) -> bool {
        let Event { who, from, to } = event;
        self.place(who) == from
            && deed.act.is_going() == (from != to)
            && self.can_act(event, &deed.act)
            && deed.peeking.iter().all(|&peeking| !self.is_before(event, &deed.act, peeking))
            && deed.distracted.iter().all(|distraction| {
                !Self::takes_part(event, &deed.act, distraction.who)
                    && self.is_before(event, &deed.act, distraction.who)
            })
    }

    /// Whether an event happens before someone's eyes or ears.
    fn is_before(&self, event: Event, act: &Act, who: CharacterId) -> bool {
        who == event.who
            || match act.named() {
                [] => Self::stages(event, act).contains(&self.place(who)),
                named => named.contains(&who),
            }
    }

    /// Whether someone witnesses an event that is about to happen.
    pub fn is_witness(&self, event: Event, deed: &Deed, who: CharacterId) -> bool {
        let is_distracted = || deed.distracted.iter().any(|distraction| distraction.who == who);
        deed.peeking.contains(&who) || self.is_before(event, &deed.act, who) && !is_distracted()
    }

    /// Everyone who witnesses an event that is about to happen.
    pub fn witnesses<'a>(&'a self, event: Event, deed: &'a Deed) -> impl Iterator<Item = CharacterId> + 'a {
        self.characters().filter(move |&who| self.is_witness(event, deed, who))
    }

    /// What an event that is about to happen shows to its witnesses, besides its effects: where the actors are, what they
    /// carry, where the object is that is moved or shown, whether the container is open, what someone likes. What is said
    /// only to some shows nothing.
    pub fn shown<'a>(&'a self, event: Event, act: &'a Act) -> impl Iterator<Item = (Item, Value)> + 'a {
        let is_private = matches!(act, Act::Tell(telling) if telling.hearers != Hearers::Present);
        let actors = move || Self::movers(event, act).chain((!act.is_going()).then_some(event.who));
        let is_carried = move |object: &ObjectId| match self.objects[object.index()] {
            _ if act.object() == Some(*object) => true,
            Value::Hands(holder) => act.is_going() && actors().any(|actor| actor == holder),
            _ => false,
        };
        let [further, last] = self.shown_besides(event, act);
        let carried = self.objects().filter(is_carried).map(Item::Object);
        let along = self.shown_along(act).map(Item::Proposition);
        let items = actors().map(Item::Character).chain(carried).chain(further).chain(last).chain(along);
        items.filter(move |_| !is_private).map(|item| (item, self.value(item)))
    }

    /// What is shown along with what somebody says to everyone present: what it settles, and that it is said, if it is said for the
    /// first time.
    fn shown_along(&self, act: &Act) -> impl Iterator<Item = PropositionId> + '_ {
        let (along, said) = self.along_with(act).unzip();
        let is_settled = matches!(act, Act::Reveal(_));
        let shows: &[PropositionId] = along.filter(|_| is_settled).map_or(&[], |along| &along.shows);
        let said = said.flatten();
        shows.iter().copied().chain(said.filter(|said| !self.said[said.index()]))
    }

    /// What goes along with what somebody says to everyone present, and the proposition that it is said; none, if nothing does.
    fn along_with(&self, act: &Act) -> Option<(&Along, Option<PropositionId>)> {
        match act {
            Act::Reveal((proposition, _)) => {
                self.along.get(proposition.index()).map(|along| (along, along.revealed))
            }
            Act::Tell(Telling {
                hearers: Hearers::Present, item: Item::Proposition(proposition), ..
            }) => self.along.get(proposition.index()).map(|along| (along, along.told)),
            _ => None,
        }
    }

    /// Performs an event.
    pub fn apply(&mut self, event: Event, act: &Act) {
        // Most events are of this kind, and change nothing else.
        if matches!(act, Act::Go) {
            self.places[event.who.index()] = event.to;
            return;
        }
        if let Some((_, Some(said))) = self.along_with(act) {
            self.said[said.index()] = true;
        }
        Self::effects(event, act).for_each(|(item, value)| match (item, value) {
            (Item::Character(who), Value::Place(place)) => self.places[who.index()] = place,
            (Item::Object(object), value) => self.objects[object.index()] = value,
            (Item::Lid(container), Value::Truth(is_open)) => self.lids[container.index()] = is_open,
            (Item::Prospect(prospect), value) => self.prospects[prospect.index()] = value,
            _ => unreachable!("an event moves people, objects and lids, or is news of a prospect"),
        });
    }

    /// Everything that can be seen in a place: who is there, every object that is not in a closed container, and which
    /// containers are open.
    pub fn look(&self, place: PlaceId) -> Vec<(Item, Value)> {
        let people = self.characters().filter(|&who| self.place(who) == place).map(Item::Character);
        let objects = self.objects().filter(|&object| self.is_visible(object, place)).map(Item::Object);
        let lids = self.containers(place).map(Item::Lid);
        people.chain(objects).chain(lids).map(|item| (item, self.value(item))).collect()
    }
}

/// Cloning into existing memory, where one scene replaces another again and again.
impl Clone for Scene {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.containers.clone_from(&other.containers);
        self.places.clone_from(&other.places);
        self.objects.clone_from(&other.objects);
        self.lids.clone_from(&other.lids);
        self.propositions.clone_from(&other.propositions);
        self.prospects.clone_from(&other.prospects);
        self.along.clone_from(&other.along);
        self.said.clone_from(&other.said);
    }
}
