//! A story in the numbers of [`crate::trace`], for those who compute what minds hold.

use std::sync::Arc;

use super::claim::{Case, Claim, Deed, How, Item, Part, Value, case_of};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId, ProspectId};
use crate::trace::Trace;
use crate::world::{self, Container, Distraction, Knowledge, Stage, Thing};

/// The numbers of all names in a story that can happen.
pub(super) struct Numbers<'a> {
    claim: &'a Claim<'a>,
    places: Vec<&'a str>,
    objects: Vec<&'a str>,
    /// The propositions and attitudes.
    propositions: Vec<Item<'a>>,
    prospects: Vec<&'a str>,
    /// What is shown along with a proposition, where anything is.
    companions: Vec<Companion<'a>>,
}

/// What is shown along with a proposition, by its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Companion<'a> {
    /// The proposition.
    pub of: &'a str,
    /// What is settled if it is shown.
    pub shows: Option<&'a str>,
    /// The proposition that it was revealed.
    pub revealed: Option<&'a str>,
    /// The proposition that it was told.
    pub told: Option<&'a str>,
}

impl<'a> Numbers<'a> {
    /// The numbers of the names in a story that takes place in these places.
    pub fn new(claim: &'a Claim<'a>, places: Vec<&'a str>, companions: Vec<Companion<'a>>) -> Self {
        let items = claim.things.facts.iter().map(|fact| fact.item);
        let (mut objects, mut propositions, mut prospects) = (Vec::new(), Vec::new(), Vec::new());
        for item in items {
            match item {
                Item::Object(object) => objects.push(object),
                Item::Prospect(prospect) => prospects.push(prospect),
                other => propositions.push(other),
            }
        }
        Self { claim, places, objects, propositions, prospects, companions }
    }

    /// The number of a character.
    pub fn character(&self, name: &str) -> CharacterId {
        let at = self.claim.start.iter().position(|(who, _)| *who == name);
        CharacterId::new(at.expect("in the story"))
    }

    fn characters(&self, names: &[&str]) -> Vec<CharacterId> {
        names.iter().map(|name| self.character(name)).collect()
    }

    fn place(&self, name: &str) -> PlaceId {
        PlaceId::new(self.places.iter().position(|place| *place == name).expect("on the map"))
    }

    fn container(&self, name: &str) -> ContainerId {
        let at = self.claim.things.containers.iter().position(|(container, ..)| *container == name);
        ContainerId::new(at.expect("in the story"))
    }

    fn object(&self, name: &str) -> ObjectId {
        ObjectId::new(self.objects.iter().position(|object| *object == name).expect("in the story"))
    }

    fn proposition(&self, item: Item<'_>) -> PropositionId {
        PropositionId::new(self.propositions.iter().position(|known| *known == item).expect("in the story"))
    }

    /// The number of an item.
    pub fn item(&self, item: Item<'_>) -> world::Item {
        match item {
            Item::Character(who) => world::Item::Character(self.character(who)),
            Item::Object(object) => world::Item::Object(self.object(object)),
            Item::Lid(container) => world::Item::Lid(self.container(container)),
            Item::Prospect(prospect) => {
                let at = self.prospects.iter().position(|known| *known == prospect);
                world::Item::Prospect(ProspectId::new(at.expect("in the story")))
            }
            Item::Proposition(_) | Item::Likes(..) => world::Item::Proposition(self.proposition(item)),
        }
    }

    fn value(&self, value: Value<'_>) -> world::Value {
        match value {
            Value::Place(place) => world::Value::Place(self.place(place)),
            Value::Container(container) => world::Value::Container(self.container(container)),
            Value::Hands(who) => world::Value::Hands(self.character(who)),
            Value::Truth(is_true) => world::Value::Truth(is_true),
            Value::Case(case) => world::Value::Case(self.case(case)),
            Value::NoCase => world::Value::NoCase,
        }
    }

    /// How a prospect stands, in numbers.
    fn case(&self, case: Case<'_>) -> world::Case {
        let how = match case.how {
            How::Likely => world::How::Likely,
            How::ByNobody => world::How::ByNobody,
            How::By(who) => world::How::By(self.character(who)),
        };
        world::Case::new(world::Side::ALL[usize::from(case.is_second)], how, case.is_final)
    }

    /// A value in names.
    pub fn name(&self, value: world::Value) -> Value<'a> {
        match value {
            world::Value::Place(place) => Value::Place(self.places[place.index()]),
            world::Value::Container(container) => {
                Value::Container(self.claim.things.containers[container.index()].0)
            }
            world::Value::Hands(who) => Value::Hands(self.claim.start[who.index()].0),
            world::Value::Truth(is_true) => Value::Truth(is_true),
            world::Value::Case(case) => Value::Case(case_of(case, |who| self.claim.start[who.index()].0)),
            world::Value::NoCase => Value::NoCase,
        }
    }

    /// The first `steps` steps of the story, as a trace.
    pub fn trace(&self, steps: usize) -> Trace {
        let claim = self.claim;
        let events = claim.events.iter().take(steps).map(|(who, from, to)| world::Event {
            who: self.character(who),
            from: self.place(from),
            to: self.place(to),
        });
        Trace {
            start: claim.start.iter().map(|(_, place)| self.place(place)).collect(),
            events: events.collect(),
            deeds: claim.deeds.iter().take(steps).map(|deed| self.deed(deed)).collect(),
            stage: self.stage(),
        }
    }

    fn stage(&self) -> Stage {
        let things = &self.claim.things;
        let thing = |item: Item<'_>| {
            let fact = things.facts.iter().find(|fact| fact.item == item).expect("in the story");
            let knowledge = self.claim.start.iter().map(|(who, _)| {
                match (fact.known.contains(who), fact.wrong.contains(who)) {
                    (true, _) => Knowledge::Right,
                    (_, true) => Knowledge::Wrong,
                    _ => Knowledge::Nothing,
                }
            });
            Thing { value: self.value(fact.value), knowledge: knowledge.collect() }
        };
        let containers = things.containers.iter();
        Stage {
            containers: containers
                .map(|&(_, place, is_open)| Container { place: self.place(place), is_open })
                .collect(),
            objects: self.objects.iter().map(|object| thing(Item::Object(object))).collect(),
            propositions: self.propositions.iter().map(|&item| thing(item)).collect(),
            prospects: self.prospects.iter().map(|prospect| thing(Item::Prospect(prospect))).collect(),
            wishes: Vec::new(),
            trust: things.trust,
            along: self.along(),
        }
    }

    fn along(&self) -> Arc<[world::Along]> {
        let number = |name: &str| self.proposition(Item::Proposition(name));
        let mut along = vec![world::Along::default(); self.propositions.len()];
        for companion in &self.companions {
            along[number(companion.of).index()] = world::Along {
                shows: companion.shows.map(number).into_iter().collect(),
                revealed: companion.revealed.map(number),
                told: companion.told.map(number),
            };
        }
        if self.companions.is_empty() { Arc::default() } else { along.into() }
    }

    fn deed(&self, deed: &Deed<'a>) -> world::Deed {
        let act = deed.act.map(|_, part| Some(self.part(part))).expect("everything has a number");
        let distracted = deed.distracted.iter();
        world::Deed {
            act,
            peeking: self.characters(&deed.peeking),
            distracted: distracted
                .map(|&(who, is_noticed)| Distraction { who: self.character(who), is_noticed })
                .collect(),
        }
    }

    fn part(&self, part: Part<'a>) -> world::Part {
        match part {
            Part::Company(who) => world::Part::Company(self.characters(&who)),
            Part::Person(who) => world::Part::Person(self.character(who)),
            Part::Place(place) => world::Part::Place(self.place(place)),
            Part::Object(object) => world::Part::Object(self.object(object)),
            Part::Container(container) => world::Part::Container(self.container(container)),
            Part::Spot(spot) => world::Part::Spot(self.value(spot)),
            Part::Liking((attitude, likes)) => world::Part::Liking((self.proposition(attitude), likes)),
            Part::Fact((fact, is_so)) => world::Part::Fact((self.proposition(fact), is_so)),
            Part::Telling(telling) => world::Part::Telling(world::Telling {
                hearers: telling.hearers.map(|who| self.character(who)),
                item: self.item(telling.item),
                value: self.value(telling.value),
                believers: telling.believers.map(|believers| self.characters(&believers)),
            }),
        }
    }
}
