//! What somebody can do: all that free play may draw of a kind, and all that goes with what the storyboard demands.

use super::Performer;
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};
use crate::plan::{Audience, PlannedAct, PlannedDeed, PlannedTelling, Play};
use crate::trace::Trace;
use crate::world::{Act, Deed, Event, Hearers, Item, Telling, Value};

impl Performer<'_> {
    /// All that `who` can do of a kind.
    pub(super) fn list_played(&mut self, kind: Play, who: CharacterId, trace: &Trace) {
        self.options.clear();
        let planned = match kind {
            Play::Move => return,
            Play::Take => PlannedAct::Take(None),
            Play::Put => PlannedAct::Put(None, None),
            Play::MoveObject => PlannedAct::MoveObject(None, None),
            Play::Carry => {
                let objects = self.scene.objects();
                let within_reach = objects.filter(|&object| self.scene.is_within_reach(who, object));
                self.options.extend(within_reach.map(Act::Carry));
                return;
            }
            Play::Throw => PlannedAct::Throw(None, None),
            Play::Open => PlannedAct::Open(None),
            Play::Close => PlannedAct::Close(None),
            Play::React => PlannedAct::React(None),
            Play::Tell => return self.list_tellings(who, &[Hearers::Present], None, None, false, trace),
            Play::Lie => return self.list_tellings(who, &[Hearers::Present], None, None, true, trace),
            Play::Whisper | Play::Phone => {
                let here = self.scene.place(who);
                let is_whisper = kind == Play::Whisper;
                let others = self.scene.characters().filter(|&other| {
                    other != who
                        && (self.scene.place(other) == here) == is_whisper
                        && self.is_friend(who, other)
                });
                let to =
                    |other| if is_whisper { Hearers::Named(vec![other]) } else { Hearers::Afar(vec![other]) };
                let hearers: Vec<Hearers> = others.map(to).collect();
                return self.list_tellings(who, &hearers, None, None, false, trace);
            }
        };
        self.list(&PlannedDeed { who, act: planned }, &[], true, trace);
    }

    fn is_friend(&self, who: CharacterId, other: CharacterId) -> bool {
        self.staging.friends.get(who.index()).is_none_or(|friends| friends.contains(&other))
    }

    /// All that can be done of what is planned. In free play what is put down may go anywhere at hand.
    pub(super) fn list(&mut self, planned: &PlannedDeed, binds: &[PlaceId], is_played: bool, trace: &Trace) {
        self.options.clear();
        let PlannedDeed { who, act } = planned;
        let who = *who;
        let scene = &self.scene;
        let here = scene.place(who);
        let event = Event { who, from: here, to: here };
        let objects = |wanted: &Option<ObjectId>| -> Vec<ObjectId> {
            scene.objects().filter(|object| wanted.is_none_or(|wanted| wanted == *object)).collect()
        };
        let containers = |wanted: &Option<ContainerId>| -> Vec<ContainerId> {
            scene
                .containers(here)
                .filter(|container| wanted.is_none_or(|wanted| wanted == *container))
                .collect()
        };
        let mut candidates: Vec<Act> = Vec::new();
        match act {
            PlannedAct::GoTogether(others, _) => candidates.push(Act::GoTogether(others.clone())),
            PlannedAct::Carry(object, _) => {
                let within_reach = |object: &ObjectId| scene.is_within_reach(who, *object);
                self.options.extend(objects(object).into_iter().filter(within_reach).map(Act::Carry));
                return; // she goes: that is no event at `here`
            }
            PlannedAct::Take(object) => candidates.extend(objects(object).into_iter().map(Act::Take)),
            PlannedAct::Put(object, container) => {
                for object in objects(object) {
                    let into = containers(container).into_iter().map(Value::Container);
                    if is_played || container.is_some() {
                        candidates.extend(into.map(|spot| Act::Put(object, spot)));
                    }
                    if container.is_none() {
                        candidates.push(Act::Put(object, Value::Place(here)));
                    }
                }
            }
            PlannedAct::MoveObject(object, container) => {
                for object in objects(object) {
                    let to = containers(container).into_iter();
                    candidates.extend(to.map(|container| Act::MoveObject(object, container)));
                }
            }
            PlannedAct::Throw(object, place) => {
                let to = place.map(|place| place.under(binds));
                let ways = self.plan.map.ways(here).iter().filter(|way| to.is_none_or(|to| to == **way));
                for object in objects(object) {
                    candidates.extend(ways.clone().map(|&way| Act::Throw(object, way)));
                }
            }
            PlannedAct::Open(container) => {
                candidates.extend(containers(container).into_iter().map(Act::Open));
            }
            PlannedAct::Close(container) => {
                candidates.extend(containers(container).into_iter().map(Act::Close));
            }
            PlannedAct::React(thing) => {
                let things = 0..self.staging.attitudes.len();
                let things = things.filter(|at| thing.is_none_or(|thing| thing == *at));
                let attitudes = things.filter_map(|thing| self.staging.attitude(who, thing));
                candidates.extend(attitudes.map(|attitude| {
                    let is_true = scene.value(Item::Proposition(attitude)) == Value::Truth(true);
                    Act::React(attitude, is_true)
                }));
            }
            PlannedAct::Tell(PlannedTelling { to, item, value, is_lie }) => {
                let to = match to {
                    Audience::Present => Hearers::Present,
                    Audience::Named(who) => Hearers::Named(who.clone()),
                    Audience::Afar(who) => Hearers::Afar(who.clone()),
                };
                let value = value.map(|value| value.under(binds));
                return self.list_tellings(who, &[to], *item, value, *is_lie, trace);
            }
        }
        let is_possible = |act: &Act| {
            // Of those who go together the walk has seen to it.
            act.is_going() || scene.allows(event, &Deed { act: act.clone(), ..Deed::default() })
        };
        self.options.extend(candidates.into_iter().filter(is_possible));
    }

    /// All that `who` can say to one of these: this value of this item, or what she believes of it, or, for a
    /// lie, something else; of all objects and propositions, if no item is given.
    fn list_tellings(
        &mut self,
        who: CharacterId,
        hearers: &[Hearers],
        item: Option<Item>,
        value: Option<Value>,
        is_lie: bool,
        trace: &Trace,
    ) {
        self.options.clear();
        let here = self.scene.place(who);
        let somebody = self.scene.characters().any(|other| other != who && self.scene.place(other) == here);
        let items: Vec<Item> = match item {
            Some(item) => vec![item],
            None => {
                let objects = self.scene.objects().map(Item::Object);
                let propositions = 0..self.staging.propositions.len();
                objects.chain(propositions.map(|at| Item::Proposition(PropositionId::new(at)))).collect()
            }
        };
        for hearers in hearers {
            if *hearers == Hearers::Present && !somebody {
                continue;
            }
            for &item in &items {
                let mut believed = || self.minds[who.index()].after(trace).held_at(1, item).value();
                let values = match value {
                    Some(value) if is_lie => {
                        let is_against = believed().is_some_and(|believed| believed != value);
                        if is_against { vec![value] } else { Vec::new() }
                    }
                    Some(value) => vec![value],
                    None if is_lie => believed().map_or(Vec::new(), |believed| self.others(item, believed)),
                    None => believed().into_iter().collect(),
                };
                let event = Event { who, from: here, to: here };
                for value in values {
                    let telling = Telling { hearers: hearers.clone(), item, value, believers: None };
                    let deed = Deed { act: Act::Tell(telling), ..Deed::default() };
                    if self.scene.allows(event, &deed) {
                        self.options.push(deed.act);
                    }
                }
            }
        }
    }

    /// What else than `believed` can be said of an item: of an object that it is in another container, or, if
    /// there are none, in another place.
    fn others(&self, item: Item, believed: Value) -> Vec<Value> {
        let all: Vec<Value> = match item {
            Item::Proposition(_) | Item::Lid(_) => [true, false].map(Value::Truth).to_vec(),
            Item::Object(_) if !self.staging.containers.is_empty() => {
                let containers = 0..self.staging.containers.len();
                containers.map(|at| Value::Container(ContainerId::new(at))).collect()
            }
            Item::Object(_) | Item::Character(_) => self.plan.map.places().map(Value::Place).collect(),
        };
        all.into_iter().filter(|value| *value != believed).collect()
    }
}
