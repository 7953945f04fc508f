//! Plans whose stories are told as one.

use std::sync::Arc;

use super::{Place, Plan, PlannedAct, PlannedDeed, PlannedValue, Saying};
use crate::form::{Part, Telling};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};
use crate::world::{self, Deed, Distraction, Item, Knowledge, Value};

/// What a woven story is made of: one story of each strand.
#[derive(Clone, Debug)]
pub struct PlannedWeave {
    /// For each strand, its plans: one for every combination of its drawn numbers. All plans of a woven storyboard have the same.
    pub plans: Arc<Vec<Vec<Plan>>>,
    /// The strands, in the order of the storyboard.
    pub strands: Vec<PlannedStrand>,
}

/// One of the plans whose stories are woven, and who and what is meant by its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStrand {
    /// The number of the plan among those of its strand.
    pub number: usize,
    /// For each of its characters, the one in the woven story.
    pub people: Vec<CharacterId>,
    /// For each of its places, the one in the woven story.
    pub places: Vec<PlaceId>,
    /// For each of its verbs, the one in the woven story.
    pub verbs: Vec<u32>,
    /// How many things of each kind the strands before it have.
    pub things_before: ThingCounts,
}

/// A number of things of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThingCounts {
    /// The number of binds.
    pub binds: usize,
    /// The number of containers.
    pub containers: usize,
    /// The number of objects.
    pub objects: usize,
    /// The number of propositions, attitudes among them.
    pub propositions: usize,
    /// The number of things in [`super::Staging::attitudes`].
    pub attitudes: usize,
}

impl PlannedStrand {
    /// The character in the woven story.
    pub fn person(&self, who: CharacterId) -> CharacterId {
        self.people[who.index()]
    }

    /// The place in the woven story.
    pub fn place(&self, place: PlaceId) -> PlaceId {
        self.places[place.index()]
    }

    /// The container in the woven story.
    pub fn container(&self, container: ContainerId) -> ContainerId {
        ContainerId::new(self.things_before.containers + container.index())
    }

    fn object(&self, object: ObjectId) -> ObjectId {
        ObjectId::new(self.things_before.objects + object.index())
    }

    fn proposition(&self, proposition: PropositionId) -> PropositionId {
        PropositionId::new(self.things_before.propositions + proposition.index())
    }

    /// The thing of this number in [`super::Staging::attitudes`], in the woven story.
    pub fn attitude(&self, thing: usize) -> usize {
        self.things_before.attitudes + thing
    }

    fn everyone(&self, people: &[CharacterId]) -> Vec<CharacterId> {
        people.iter().map(|&who| self.person(who)).collect()
    }

    /// The item in the woven story.
    ///
    /// # Panics
    /// If it is a prospect: stories about news are not woven.
    pub fn item(&self, item: Item) -> Item {
        match item {
            Item::Character(who) => Item::Character(self.person(who)),
            Item::Object(object) => Item::Object(self.object(object)),
            Item::Lid(container) => Item::Lid(self.container(container)),
            Item::Proposition(proposition) => Item::Proposition(self.proposition(proposition)),
            Item::Prospect(_) => unreachable!("stories about news are not woven"),
        }
    }

    /// The value in the woven story.
    ///
    /// # Panics
    /// If it is that of a prospect.
    pub fn value(&self, value: Value) -> Value {
        match value {
            Value::Place(place) => Value::Place(self.place(place)),
            Value::Container(container) => Value::Container(self.container(container)),
            Value::Hands(who) => Value::Hands(self.person(who)),
            Value::Truth(is_true) => Value::Truth(is_true),
            Value::Case(_) | Value::NoCase => unreachable!("stories about news are not woven"),
        }
    }

    /// What each of so many characters of the woven story knows about a thing. Whatever everyone of this strand knows, everybody
    /// does; of anything else, people of other strands know nothing.
    pub fn knowledge(&self, own: &[Knowledge], character_count: usize) -> Vec<Knowledge> {
        match own.iter().all(|known| *known == Knowledge::Right) {
            true => Vec::new(),
            false => self.knowledge_within(own, character_count),
        }
    }

    /// The same of a proposition that says this. Nobody knows what others like, even if there is but one person in this strand.
    pub fn knowledge_of(&self, says: &Saying, own: &[Knowledge], character_count: usize) -> Vec<Knowledge> {
        match says {
            Saying::Likes(..) => self.knowledge_within(own, character_count),
            Saying::Words { .. } | Saying::Of(_) => self.knowledge(own, character_count),
        }
    }

    fn knowledge_within(&self, own: &[Knowledge], character_count: usize) -> Vec<Knowledge> {
        let mut all = vec![Knowledge::Nothing; character_count];
        for (who, known) in self.people.iter().zip(own) {
            all[who.index()] = *known;
        }
        all
    }

    /// The deed in the woven story.
    pub fn deed(&self, deed: &Deed) -> Deed {
        if *deed == Deed::default() {
            return Deed::default();
        }
        let distracted = deed.distracted.iter();
        Deed {
            act: deed.act.map(|_, part| Some(self.part(part))).expect("every part has its counterpart"),
            peeking: self.everyone(&deed.peeking),
            distracted: distracted
                .map(|other| Distraction { who: self.person(other.who), ..*other })
                .collect(),
        }
    }

    fn part(&self, part: world::Part) -> world::Part {
        match part {
            Part::Company(others) => Part::Company(self.everyone(&others)),
            Part::Person(who) => Part::Person(self.person(who)),
            Part::Place(place) => Part::Place(self.place(place)),
            Part::Object(object) => Part::Object(self.object(object)),
            Part::Container(container) => Part::Container(self.container(container)),
            Part::Spot(spot) => Part::Spot(self.value(spot)),
            Part::Liking((attitude, likes)) => Part::Liking((self.proposition(attitude), likes)),
            Part::Fact((fact, is_so)) => Part::Fact((self.proposition(fact), is_so)),
            Part::Telling(Telling { hearers, item, value, believers }) => Part::Telling(Telling {
                hearers: hearers.map(|&who| self.person(who)),
                item: self.item(item),
                value: self.value(value),
                believers: believers.map(|believers| self.everyone(&believers)),
            }),
        }
    }

    /// The place in the woven story, if it is fixed, and otherwise its bind.
    pub fn planned_place(&self, place: Place) -> Place {
        match place {
            Place::Fixed(place) => Place::Fixed(self.place(place)),
            Place::Bound(bind) => Place::Bound(self.things_before.binds + bind),
        }
    }

    /// The planned value in the woven story.
    pub fn planned_value(&self, value: PlannedValue) -> PlannedValue {
        match value {
            PlannedValue::Place(place) => PlannedValue::Place(self.planned_place(place)),
            PlannedValue::Container(container) => PlannedValue::Container(self.container(container)),
            PlannedValue::Hands(who) => PlannedValue::Hands(self.person(who)),
            PlannedValue::Truth(_) | PlannedValue::Case(_) => value,
        }
    }

    /// The planned deed in the woven story.
    pub fn planned_deed(&self, deed: &PlannedDeed) -> PlannedDeed {
        PlannedDeed {
            who: self.person(deed.who),
            act: self.planned_act(&deed.act),
            to: deed.to.map(|to| self.planned_place(to)),
            is_lie: deed.is_lie,
        }
    }

    fn planned_act(&self, act: &PlannedAct) -> PlannedAct {
        let act = act.map(|_, part| {
            Some(match part {
                Part::Company(others) => Part::Company(self.everyone(&others)),
                Part::Person(who) => Part::Person(who.map(|who| self.person(who))),
                Part::Place(place) => Part::Place(place.map(|place| self.planned_place(place))),
                Part::Object(object) => Part::Object(object.map(|object| self.object(object))),
                Part::Container(container) => Part::Container(container.map(|at| self.container(at))),
                Part::Spot(spot) => Part::Spot(spot.map(|spot| self.container(spot))),
                Part::Liking(thing) => Part::Liking(thing.map(|thing| self.attitude(thing))),
                Part::Fact(fact) => Part::Fact(fact.map(|fact| self.proposition(fact))),
                Part::Telling(Telling { hearers, item, value, believers }) => Part::Telling(Telling {
                    hearers: hearers.map(|&who| self.person(who)),
                    item: item.map(|item| self.item(item)),
                    value: value.map(|value| self.planned_value(value)),
                    believers: believers.map(|believers| self.everyone(&believers)),
                }),
            })
        });
        act.expect("every part has its counterpart")
    }
}

impl PlannedWeave {
    /// What somebody does when she moves, as numbers of verbs: as the board has it to which she belongs. `None` if she belongs to
    /// none.
    pub fn verbs(&self, who: CharacterId) -> Option<&[u32]> {
        let own = self.strands.iter().find(|strand| strand.people.contains(&who));
        own.map(|strand| strand.verbs.as_slice())
    }

    /// The plan of a strand.
    pub fn plan(&self, strand: usize) -> &Plan {
        &self.plans[strand][self.strands[strand].number]
    }
}
