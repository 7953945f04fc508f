//! What a story says, in names.

use std::collections::BTreeMap;
use std::fmt;

use crate::form;
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId, ProspectId};
use crate::plan::{Plan, Saying, Staging};
use crate::simulate::Story;
use crate::world::{self, Distraction, Knowledge, Thing, Trust};

/// What a story claims to be. Everything is a name, as in its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim<'a> {
    /// The values of the parameters.
    pub parameters: BTreeMap<&'a str, i64>,
    /// The character who plays each role.
    pub roles: BTreeMap<&'a str, &'a str>,
    /// The place of each bind.
    pub binds: BTreeMap<&'a str, &'a str>,
    /// Where each character starts.
    pub start: Vec<(&'a str, &'a str)>,
    /// The things at the start.
    pub things: Things<'a>,
    /// For each step, the actor, where she comes from and where she goes; if she stays, both places are the same.
    pub events: Vec<(&'a str, &'a str, &'a str)>,
    /// The deed of each event; empty if people only go from place to place.
    pub deeds: Vec<Deed<'a>>,
    /// The notes with the steps that they follow; `None` if the story is not in words.
    pub notes: Option<Vec<(usize, String)>>,
    /// Whether the story is about things that somebody moves, instead of people.
    pub is_of_things: bool,
    /// What others do around the storyboard's own part.
    pub around: Around<'a>,
}

/// What others do before and after the storyboard's own part: who goes where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around<'a> {
    /// The steps before it.
    pub before: Vec<(&'a str, &'a str)>,
    /// The steps after it.
    pub after: Vec<(&'a str, &'a str)>,
}

/// The things of a story at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Things<'a> {
    /// The containers: name, place, and whether it is open.
    pub containers: Vec<(&'a str, &'a str, bool)>,
    /// The facts about objects, propositions and attitudes.
    pub facts: Vec<Fact<'a>>,
    /// Whom hearers believe.
    pub trust: Trust,
}

/// The value of an item at the start, and who knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact<'a> {
    /// The item that the fact is about.
    pub item: Item<'a>,
    /// The value of the item.
    pub value: Value<'a>,
    /// The characters who know it.
    pub known: Vec<&'a str>,
    /// The characters who hold the contrary.
    pub wrong: Vec<&'a str>,
}

/// Something about which minds hold a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item<'a> {
    /// Where someone is.
    Character(&'a str),
    /// Where an object is.
    Object(&'a str),
    /// Whether a container is open.
    Lid(&'a str),
    /// Whether a proposition is true.
    Proposition(&'a str),
    /// How a prospect stands.
    Prospect(&'a str),
    /// Whether the first character likes the second thing.
    Likes(&'a str, &'a str),
}

/// The value of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value<'a> {
    /// It is in this place.
    Place(&'a str),
    /// It is in this container.
    Container(&'a str),
    /// It is in the hands of this character.
    Hands(&'a str),
    /// It is true, or it is not true.
    Truth(bool),
    /// The prospect stands like this.
    Case(Case<'a>),
    /// Nothing has been announced of it.
    NoCase,
}

/// How a prospect stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Case<'a> {
    /// Whether it is the second of its two sides.
    pub is_second: bool,
    /// How that has come about.
    pub how: How<'a>,
    /// Whether nothing can be done about it any more.
    pub is_final: bool,
}

/// How a side of a prospect has come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How<'a> {
    /// It is only likely.
    Likely,
    /// Nobody has settled it.
    ByNobody,
    /// This character has.
    By(&'a str),
}

/// A case in names.
pub(super) fn case_of<'a>(case: world::Case, name: impl Fn(CharacterId) -> &'a str) -> Case<'a> {
    let how = match case.how() {
        world::How::Likely => How::Likely,
        world::How::ByNobody => How::ByNobody,
        world::How::By(who) => How::By(name(who)),
    };
    Case { is_second: case.side() == world::Side::Second, how, is_final: case.is_final() }
}

impl<'a> Value<'a> {
    /// The bare name in the value.
    pub const fn name(self) -> &'a str {
        match self {
            Self::Place(name) | Self::Container(name) | Self::Hands(name) => name,
            Self::Truth(true) => "true",
            Self::Truth(false) => "false",
            Self::Case(_) | Self::NoCase => "how it stands",
        }
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(name) | Self::Container(name) => write!(f, "in {name}"),
            Self::Hands(who) => write!(f, "in the hands of {who}"),
            Self::Truth(is_true) => write!(f, "{is_true}"),
            Self::NoCase => f.write_str("not announced"),
            Self::Case(Case { is_second, how, is_final }) => {
                write!(f, "at side {} ", 1 + u8::from(*is_second))?;
                match how {
                    How::Likely => f.write_str("likely")?,
                    How::ByNobody => f.write_str("by nobody")?,
                    How::By(who) => write!(f, "by {who}")?,
                }
                f.write_str(if *is_final { ", for good" } else { "" })
            }
        }
    }
}

/// What happens at a step, who misses it and who watches it in secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deed<'a> {
    /// What is done.
    pub act: Act<'a>,
    /// The characters who watch from elsewhere.
    pub peeking: Vec<&'a str>,
    /// The characters who are there and miss it, each with whether that is noticed.
    pub distracted: Vec<(&'a str, bool)>,
}

/// What is done, with everything by its name, as in a row.
//
// Spelt out and no `form::ActIn`: so a claim may be used for a shorter time than its names live.
pub type Act<'a> = form::Act<
    Vec<&'a str>,
    &'a str,
    &'a str,
    &'a str,
    &'a str,
    Value<'a>,
    (Item<'a>, bool),
    (Item<'a>, bool),
    Telling<'a>,
>;

/// What this reading knows of an act.
pub trait ActInCheck<'a> {
    /// Whether the actor goes to another place.
    fn goes(&self) -> bool;

    /// The object that it moves. This is said again here, since nothing that is checked may vouch for itself.
    fn moved(&self) -> Option<&'a str>;

    /// The object that is thrown, and the place in which it lands.
    fn thrown(&self) -> Option<(&'a str, &'a str)>;

    /// Who is given something, and so takes part.
    fn receiver(&self) -> Option<&'a str>;

    /// What is said.
    fn telling(&self) -> Option<&Telling<'a>>;

    /// The only ones who notice it besides the actor, where not all do who are there.
    fn named(&self) -> Option<&[&'a str]>;
}

/// A part of what is done.
pub type Part<'a> = form::Part<
    Vec<&'a str>,
    &'a str,
    &'a str,
    &'a str,
    &'a str,
    Value<'a>,
    (Item<'a>, bool),
    (Item<'a>, bool),
    Telling<'a>,
>;

/// A statement that someone makes.
pub type Telling<'a> = form::Telling<&'a str, Item<'a>, Value<'a>>;

/// The characters who hear what is said.
pub type Hearers<'a> = form::Hearers<&'a str>;

impl<'a> Claim<'a> {
    /// The claim of a drawn story, in names.
    pub fn of(plan: &'a Plan, story: &Story) -> Self {
        let names = StoryNames { plan, story };
        let trace = &story.trace;
        let bind = |(bind, at): (&'a String, _)| (bind.as_str(), names.place(at));
        let own = story.own_steps(plan);
        let walks = |events: &[world::Event]| {
            events.iter().map(|event| (names.character(event.who), names.place(event.to))).collect()
        };
        let around =
            Around { before: walks(&trace.events[..own.start]), after: walks(&trace.events[own.end..]) };
        Self {
            parameters: plan.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
            roles: (plan.role_names.iter().enumerate())
                .map(|(at, role)| (role.as_str(), names.character(CharacterId::new(at))))
                .collect(),
            binds: plan.bind_names.iter().zip(story.binds(plan)).map(bind).collect(),
            start: (trace.start.iter().enumerate())
                .map(|(who, &at)| (names.character(CharacterId::new(who)), names.place(at)))
                .collect(),
            things: plan.staging.as_ref().map_or_else(Things::default, |staging| names.things(staging)),
            events: (trace.events[own.clone()].iter())
                .map(|event| (names.character(event.who), names.place(event.from), names.place(event.to)))
                .collect(),
            deeds: trace.deeds.get(own).unwrap_or(&[]).iter().map(|deed| names.deed(deed)).collect(),
            notes: None,
            is_of_things: false,
            around,
        }
    }
}

/// The names that the numbers of a story stand for.
pub trait Names<'a> {
    /// The name of a character.
    fn character(&self, who: CharacterId) -> &'a str;
    /// The name of a place.
    fn place(&self, place: PlaceId) -> &'a str;
    /// The name of a container.
    fn container(&self, container: ContainerId) -> &'a str;
    /// The name of an object.
    fn object(&self, object: ObjectId) -> &'a str;
    /// The name of a proposition or of somebody's attitude.
    fn proposition(&self, proposition: PropositionId) -> Item<'a>;
    /// The name of a prospect.
    fn prospect(&self, prospect: ProspectId) -> &'a str;

    /// The names of several characters.
    fn people(&self, who: &[CharacterId]) -> Vec<&'a str> {
        who.iter().map(|&who| self.character(who)).collect()
    }

    /// An item in names.
    fn item(&self, item: world::Item) -> Item<'a> {
        match item {
            world::Item::Character(who) => Item::Character(self.character(who)),
            world::Item::Object(object) => Item::Object(self.object(object)),
            world::Item::Lid(container) => Item::Lid(self.container(container)),
            world::Item::Proposition(proposition) => self.proposition(proposition),
            world::Item::Prospect(prospect) => Item::Prospect(self.prospect(prospect)),
        }
    }

    /// A value in names.
    fn value(&self, value: world::Value) -> Value<'a> {
        match value {
            world::Value::Place(place) => Value::Place(self.place(place)),
            world::Value::Container(container) => Value::Container(self.container(container)),
            world::Value::Hands(who) => Value::Hands(self.character(who)),
            world::Value::Truth(is_true) => Value::Truth(is_true),
            world::Value::Case(case) => Value::Case(case_of(case, |who| self.character(who))),
            world::Value::NoCase => Value::NoCase,
        }
    }

    /// One part of what is done, in names.
    fn part(&self, part: world::Part) -> Part<'a> {
        match part {
            world::Part::Company(who) => Part::Company(self.people(&who)),
            world::Part::Person(who) => Part::Person(self.character(who)),
            world::Part::Place(place) => Part::Place(self.place(place)),
            world::Part::Object(object) => Part::Object(self.object(object)),
            world::Part::Container(container) => Part::Container(self.container(container)),
            world::Part::Spot(spot) => Part::Spot(self.value(spot)),
            world::Part::Liking((attitude, likes)) => Part::Liking((self.proposition(attitude), likes)),
            world::Part::Fact((fact, is_so)) => Part::Fact((self.proposition(fact), is_so)),
            world::Part::Telling(telling) => Part::Telling(Telling {
                hearers: telling.hearers.map(|&who| self.character(who)),
                item: self.item(telling.item),
                value: self.value(telling.value),
                believers: telling.believers.map(|believers| self.people(&believers)),
            }),
        }
    }

    /// A deed in names.
    fn deed(&self, deed: &world::Deed) -> Deed<'a> {
        let distracted = deed.distracted.iter();
        Deed {
            act: deed.act.map(|_, part| Some(self.part(part))).expect("everything has a name"),
            peeking: self.people(&deed.peeking),
            distracted: distracted
                .map(|&Distraction { who, is_noticed }| (self.character(who), is_noticed))
                .collect(),
        }
    }
}

/// The names that the numbers of a drawn story stand for.
struct StoryNames<'a, 'b> {
    plan: &'a Plan,
    story: &'b Story,
}

impl<'a> Names<'a> for StoryNames<'a, '_> {
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

    fn prospect(&self, prospect: ProspectId) -> &'a str {
        &self.staging().prospects[prospect.index()].name
    }

    fn proposition(&self, proposition: PropositionId) -> Item<'a> {
        let planned = &self.staging().propositions[proposition.index()];
        match planned.says {
            Saying::Words { .. } | Saying::Of(_) => Item::Proposition(&planned.name),
            Saying::Likes(who, thing) => Item::Likes(self.character(who), &self.staging().attitudes[thing]),
        }
    }
}

impl<'a> StoryNames<'a, '_> {
    fn staging(&self) -> &'a Staging {
        self.plan.staging.as_ref().expect("a story with things")
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
}
