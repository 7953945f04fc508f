//! What a story says, in names.

use std::collections::HashMap;

use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId};
use crate::plan::{Plan, Saying, Staging};
use crate::simulate::Story;
use crate::world::{self, Distraction, Knowledge, Thing, Trust};

/// What a story claims to be: names throughout, as in its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim<'a> {
    /// The values of the parameters.
    pub parameters: HashMap<&'a str, i64>,
    /// Who plays each role.
    pub roles: HashMap<&'a str, &'a str>,
    /// The place of each bind.
    pub binds: HashMap<&'a str, &'a str>,
    /// Where each character starts.
    pub start: Vec<(&'a str, &'a str)>,
    /// What there is besides people at the start.
    pub things: Things<'a>,
    /// Who goes from where to where, step by step; who stays acts there.
    pub events: Vec<(&'a str, &'a str, &'a str)>,
    /// What is done in each event; empty: people go from place to place, and that is all.
    pub deeds: Vec<Deed<'a>>,
}

/// What there is besides people at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Things<'a> {
    /// Where each container stands, and whether it is open.
    pub containers: Vec<(&'a str, &'a str, bool)>,
    /// Objects, propositions and attitudes.
    pub facts: Vec<Fact<'a>>,
    /// Whom hearers believe.
    pub trust: Trust,
}

/// What is so of an item at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact<'a> {
    /// Of what.
    pub item: Item<'a>,
    /// What is so.
    pub value: Value<'a>,
    /// Who knows it.
    pub known: Vec<&'a str>,
    /// Who holds the contrary.
    pub wrong: Vec<&'a str>,
}

/// Something of which a mind holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item<'a> {
    /// Where someone is.
    Character(&'a str),
    /// Where an object is.
    Object(&'a str),
    /// Whether a container is open.
    Lid(&'a str),
    /// Whether a proposition is true.
    Proposition(&'a str),
    /// Whether the first likes the second.
    Likes(&'a str, &'a str),
}

/// What is so of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value<'a> {
    /// It is in this place.
    Place(&'a str),
    /// It is in this container.
    Container(&'a str),
    /// It is in the hands of this one.
    Hands(&'a str),
    /// It is true, or not.
    Truth(bool),
}

/// What happens at a step, who misses it and who watches it in secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deed<'a> {
    /// What is done.
    pub act: Act<'a>,
    /// Who watches from elsewhere.
    pub peeking: Vec<&'a str>,
    /// Who is there and misses it, and whether that is noticed.
    pub distracted: Vec<(&'a str, bool)>,
}

/// What is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Act<'a> {
    /// The actor goes.
    #[default]
    Go,
    /// She goes together with these.
    GoTogether(Vec<&'a str>),
    /// She goes and takes an object along.
    Carry(&'a str),
    /// She takes an object in hand.
    Take(&'a str),
    /// She puts an object from her hands into a container, or down in her place.
    Put(&'a str, Value<'a>),
    /// She moves an object into a container.
    MoveObject(&'a str, &'a str),
    /// She throws an object to a place.
    Throw(&'a str, &'a str),
    /// She opens a container.
    Open(&'a str),
    /// She closes a container.
    Close(&'a str),
    /// She shows an object to everyone there.
    Show(&'a str),
    /// She says that something is so.
    Tell(Telling<'a>),
    /// She shows whether she likes something.
    React(Item<'a>, bool),
}

/// Someone says that something is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling<'a> {
    /// To whom.
    pub hearers: Hearers<'a>,
    /// Of what,
    pub item: Item<'a>,
    /// and what.
    pub value: Value<'a>,
    /// Who believes it, if that does not follow from the storyboard's rule.
    pub believers: Option<Vec<&'a str>>,
}

/// Who hears what is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hearers<'a> {
    /// Everyone who is there.
    Present,
    /// These, who are there.
    Named(Vec<&'a str>),
    /// These, who are elsewhere.
    Afar(Vec<&'a str>),
}

impl<'a> Act<'a> {
    /// The object that it moves.
    pub const fn object(&self) -> Option<&'a str> {
        match self {
            Self::Carry(object)
            | Self::Take(object)
            | Self::Put(object, _)
            | Self::MoveObject(object, _)
            | Self::Throw(object, _) => Some(object),
            _ => None,
        }
    }

    /// Whether the actor goes to another place.
    pub const fn is_going(&self) -> bool {
        matches!(self, Self::Go | Self::GoTogether(_) | Self::Carry(_))
    }
}

impl<'a> Claim<'a> {
    /// A drawn story in names.
    pub fn of(plan: &'a Plan, story: &Story) -> Self {
        let names = StoryNames { plan, story };
        let cast = &plan.casts[story.cast];
        let trace = &story.trace;
        let bind = |(bind, &at): (&'a String, _)| (bind.as_str(), names.place(at));
        Self {
            parameters: plan.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
            roles: (plan.role_names.iter().enumerate())
                .map(|(at, role)| (role.as_str(), names.character(CharacterId::new(at))))
                .collect(),
            binds: plan.bind_names.iter().zip(&cast.binds).map(bind).collect(),
            start: (trace.start.iter().enumerate())
                .map(|(who, &at)| (names.character(CharacterId::new(who)), names.place(at)))
                .collect(),
            things: plan.staging.as_ref().map_or_else(Things::default, |staging| names.things(staging)),
            events: (trace.events.iter())
                .map(|event| (names.character(event.who), names.place(event.from), names.place(event.to)))
                .collect(),
            deeds: trace.deeds.iter().map(|deed| names.deed(deed)).collect(),
        }
    }
}

/// What the numbers of a story are called.
struct StoryNames<'a, 'b> {
    plan: &'a Plan,
    story: &'b Story,
}

impl<'a> StoryNames<'a, '_> {
    fn staging(&self) -> &'a Staging {
        self.plan.staging.as_ref().expect("a story with things")
    }

    fn character(&self, who: CharacterId) -> &'a str {
        &self.plan.pool[self.story.names[who.index()]]
    }

    fn place(&self, place: PlaceId) -> &'a str {
        &self.plan.place_names[place.index()]
    }

    fn container(&self, container: ContainerId) -> &'a str {
        &self.staging().containers[container.index()].name
    }

    fn object(&self, object: ObjectId) -> &'a str {
        &self.staging().objects[object.index()].name
    }

    fn item(&self, item: world::Item) -> Item<'a> {
        match item {
            world::Item::Character(who) => Item::Character(self.character(who)),
            world::Item::Object(object) => Item::Object(self.object(object)),
            world::Item::Lid(container) => Item::Lid(self.container(container)),
            world::Item::Proposition(proposition) => {
                let planned = &self.staging().propositions[proposition.index()];
                match planned.says {
                    Saying::Words { .. } => Item::Proposition(&planned.name),
                    Saying::Likes(who, thing) => {
                        Item::Likes(self.character(who), &self.staging().attitudes[thing])
                    }
                }
            }
        }
    }

    fn value(&self, value: world::Value) -> Value<'a> {
        match value {
            world::Value::Place(place) => Value::Place(self.place(place)),
            world::Value::Container(container) => Value::Container(self.container(container)),
            world::Value::Hands(who) => Value::Hands(self.character(who)),
            world::Value::Truth(is_true) => Value::Truth(is_true),
        }
    }

    fn things(&self, staging: &'a Staging) -> Things<'a> {
        let stage = &self.story.trace.stage;
        let containers = staging.containers.iter().zip(&stage.containers);
        let facts = stage.items(0).filter(|item| !matches!(item, world::Item::Lid(_)));
        Things {
            containers: containers
                .map(|(planned, at)| (planned.name.as_str(), self.place(at.place), at.is_open))
                .collect(),
            facts: facts.map(|item| self.fact(item, stage.thing(item))).collect(),
            trust: stage.trust,
        }
    }

    fn fact(&self, item: world::Item, thing: &Thing) -> Fact<'a> {
        let who_holds = |wanted| {
            let everyone = 0..self.story.trace.start.len();
            let holds = |&who: &usize| *thing.knowledge.get(who).unwrap_or(&Knowledge::Right) == wanted;
            everyone.filter(holds).map(|who| self.character(CharacterId::new(who))).collect()
        };
        Fact {
            item: self.item(item),
            value: self.value(thing.value),
            known: who_holds(Knowledge::Right),
            wrong: who_holds(Knowledge::Wrong),
        }
    }

    fn deed(&self, deed: &world::Deed) -> Deed<'a> {
        let named = |who: &[CharacterId]| who.iter().map(|&who| self.character(who)).collect();
        let distracted = |&Distraction { who, is_noticed }: &Distraction| (self.character(who), is_noticed);
        let act = match &deed.act {
            world::Act::Go => Act::Go,
            world::Act::GoTogether(others) => Act::GoTogether(named(others)),
            world::Act::Carry(object) => Act::Carry(self.object(*object)),
            world::Act::Take(object) => Act::Take(self.object(*object)),
            world::Act::Put(object, spot) => Act::Put(self.object(*object), self.value(*spot)),
            world::Act::MoveObject(object, to) => Act::MoveObject(self.object(*object), self.container(*to)),
            world::Act::Throw(object, to) => Act::Throw(self.object(*object), self.place(*to)),
            world::Act::Open(container) => Act::Open(self.container(*container)),
            world::Act::Close(container) => Act::Close(self.container(*container)),
            world::Act::Show(object) => Act::Show(self.object(*object)),
            world::Act::Tell(telling) => Act::Tell(Telling {
                hearers: match &telling.hearers {
                    world::Hearers::Present => Hearers::Present,
                    world::Hearers::Named(hearers) => Hearers::Named(named(hearers)),
                    world::Hearers::Afar(hearers) => Hearers::Afar(named(hearers)),
                },
                item: self.item(telling.item),
                value: self.value(telling.value),
                believers: telling.believers.as_deref().map(named),
            }),
            world::Act::React(proposition, is_true) => {
                Act::React(self.item(world::Item::Proposition(*proposition)), *is_true)
            }
        };
        Deed {
            act,
            peeking: named(&deed.peeking),
            distracted: deed.distracted.iter().map(distracted).collect(),
        }
    }
}
