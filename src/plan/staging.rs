//! What there is besides people, and what they do besides walking, as a storyboard has it.

use std::fmt::Debug;
use std::hash::Hash;

use super::{DeedShare, NotePiece, Place, Question};
pub use crate::form::Play;
use crate::form::{Act, ActIn, ActKind, DirectionIn, Naming, Part, PartForm, Rule, Sort, Telling, TellingIn};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};
use crate::storyboard::QuestionKind;
use crate::world::{Item, Knowledge, Trust, Value};

/// All that a storyboard says of things and deeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Staging {
    /// By [`ContainerId`].
    pub containers: Vec<PlannedContainer>,
    /// By [`ObjectId`].
    pub objects: Vec<PlannedObject>,
    /// By [`PropositionId`]: those of the file in order, then every character's attitude to the first thing
    /// of `attitudes`, by character, then to the second, and so on.
    pub propositions: Vec<PlannedProposition>,
    /// What people like or dislike.
    pub attitudes: Vec<String>,
    /// Whom hearers believe.
    pub trust: Trust,
    /// How often what is drawn in free play, by [`Play`]; empty: people only move.
    pub play: Vec<(Play, u32)>,
    /// Whom each character can tell something unheard by others, by character; empty: everyone.
    pub friends: Vec<Vec<CharacterId>>,
    /// What is done at which step, in the order of steps, one a step at most.
    pub deeds: Vec<(usize, PlannedDeed)>,
    /// From which step on an event of the storyboard, by its number there, demands any of this: for messages.
    pub sources: Vec<(usize, usize)>,
    /// Who misses or watches what happens.
    pub attention: Vec<Attending>,
}

/// A container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedContainer {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub place: Place,
    /// Whether one sees at the start what is in it.
    pub is_open: bool,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedObject {
    /// The name.
    pub name: String,
    /// Where it may be at the start, each equally likely.
    pub start: Vec<PlannedValue>,
    /// As [`crate::world::Thing::knowledge`].
    pub knowledge: Vec<Knowledge>,
}

/// A proposition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedProposition {
    /// What messages and rows call it.
    pub name: String,
    /// Whether it is true; none: drawn, both equally likely.
    pub is_true: Option<bool>,
    /// As [`crate::world::Thing::knowledge`].
    pub knowledge: Vec<Knowledge>,
    /// How it is said.
    pub says: Saying,
}

/// How a proposition is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saying {
    /// "the gift is a bicycle", and "the gift is no bicycle".
    Words {
        /// If it is true.
        says: Vec<NotePiece>,
        /// If it is false.
        denies: Vec<NotePiece>,
    },
    /// The character likes the thing of this number in [`Staging::attitudes`], or dislikes it.
    Likes(CharacterId, usize),
}

/// What is, or is said to be, so of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlannedValue {
    /// It is in this place, openly.
    Place(Place),
    /// It is in this container.
    Container(ContainerId),
    /// This character has it in hand.
    Hands(CharacterId),
    /// It is true, or not.
    Truth(bool),
}

impl PlannedValue {
    /// The value that it is where the binds stand for these.
    pub fn under(self, binds: &[PlaceId]) -> Value {
        match self {
            Self::Place(place) => Value::Place(place.under(binds)),
            Self::Container(container) => Value::Container(container),
            Self::Hands(who) => Value::Hands(who),
            Self::Truth(is_true) => Value::Truth(is_true),
        }
    }
}

/// The naming of plans: everything by its index, but for binds, and what an author left open still is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Planned {}

impl Naming for Planned {
    type Person = CharacterId;
    type Place = Place;
    type Object = ObjectId;
    type Container = ContainerId;
    /// None: down, where she is.
    type Spot = Option<ContainerId>;
    /// A number in [`Staging::attitudes`].
    type Liking = Option<usize>;
    type Item = Option<Item>;
    /// None: what she believes, or, if it is a lie, anything else.
    type Value = Option<PlannedValue>;
    type Open<T: Clone + Debug + Eq + Hash> = Option<T>;
}

/// What someone is to do at a step. What is left open is drawn, uniformly among all that can be done then.
pub type PlannedDeed = DirectionIn<Planned>;

/// What is to be done.
pub type PlannedAct = ActIn<Planned>;

/// What is to be said.
pub type PlannedTelling = TellingIn<Planned>;

/// A deed of which everything is left open.
///
/// # Panics
/// If it takes company or hearers, who cannot be left open.
pub fn open_act(kind: ActKind) -> PlannedAct {
    let open = |form: &PartForm| match form.sort {
        Sort::Person => Part::Person(None),
        Sort::Place => Part::Place(None),
        Sort::Object => Part::Object(None),
        Sort::Container => Part::Container(None),
        Sort::Spot => Part::Spot(None),
        Sort::Liking => Part::Liking(None),
        Sort::Company | Sort::Telling => panic!("somebody has to be named"),
    };
    kind.act(kind.form().parts.iter().map(open)).expect("the parts of the form")
}

/// Who misses or watches what happens in some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attending {
    /// The first step.
    pub from: usize,
    /// The first one after it.
    pub until: usize,
    /// Whether they have to be there to miss it, or elsewhere to watch it: at one step, as `at` demands. In a
    /// window they miss or watch what they can.
    pub is_demanded: bool,
    /// Who does what.
    pub attention: Attention,
}

/// Who misses or watches what happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attention {
    /// These watch it from elsewhere, unnoticed.
    Peek(Vec<CharacterId>),
    /// These do not witness it.
    Distracted {
        /// Who.
        who: Vec<CharacterId>,
        /// Whether the others notice.
        is_noticed: bool,
    },
}

impl Staging {
    /// Whether there is nothing but people who walk: it is there for the sake of a question.
    pub fn is_bare(&self) -> bool {
        let Self { containers, objects, propositions, play, deeds, attention, .. } = self;
        containers.is_empty()
            && objects.is_empty()
            && propositions.is_empty()
            && play.is_empty()
            && deeds.is_empty()
            && attention.is_empty()
    }

    /// Whether what is demanded or drawn may turn out to be impossible, so that a story is drawn again.
    pub fn may_miss(&self) -> bool {
        !self.deeds.is_empty() || !self.attention.is_empty() || self.share().is_some()
    }

    /// How often something is drawn in free play that leaves everyone where they are.
    pub fn share(&self) -> Option<DeedShare> {
        let sum = |is_counted: fn(Play) -> bool| -> u32 {
            self.play.iter().filter(|(kind, _)| is_counted(*kind)).map(|(_, weight)| weight).sum()
        };
        let deeds = sum(|kind| !kind.is_going());
        (deeds > 0).then(|| DeedShare { deeds, all: sum(|_| true) })
    }

    /// The number of items of which a mind holds something, in stories of so many characters.
    pub fn item_count(&self, character_count: usize) -> usize {
        character_count + self.objects.len() + self.containers.len() + self.propositions.len()
    }

    /// What it takes to draw one event, at most: what there is, what can be done, who misses or watches it, and, where
    /// anyone says anything, what everyone believes.
    pub fn event_cost(&self, character_count: usize, place_count: usize) -> usize {
        let items = self.item_count(character_count);
        let things = self.objects.len() + self.propositions.len();
        let mut acts = self.play.iter().map(|(play, _)| play.act());
        let is_said = acts.any(|act| act == ActKind::Tell)
            || self.deeds.iter().any(|(_, deed)| matches!(deed.act, Act::Tell(_)));
        let spots = self.containers.len().max(place_count);
        let acts = self.objects.len().saturating_mul(spots).saturating_mul(16); // each is written out
        let (minds, tellings) = if is_said { (2 * items, things) } else { (0, 0) };
        let of_everyone = character_count.saturating_mul(minds + tellings);
        let attentive = self.attention.iter().map(|attending| match &attending.attention {
            Attention::Peek(who) | Attention::Distracted { who, .. } => who.len(),
        });
        let attentive: usize = attentive.sum();
        let attention =
            attentive.saturating_mul(attentive.min(character_count)).saturating_mul(character_count);
        items.saturating_add(acts).saturating_add(of_everyone).saturating_add(attention)
    }

    /// How many values minds hold that are followed to answer these.
    pub fn values_asked(&self, questions: &[Question], character_count: usize) -> usize {
        let items = self.item_count(character_count);
        let values = |question: &Question| {
            let is_of_everyone = matches!(question.kind, QuestionKind::WhoKnows | QuestionKind::CouldAnswer);
            let minds = question.others.len() + 1 + usize::from(is_of_everyone);
            let chains = if is_of_everyone { character_count } else { 1 };
            minds.saturating_mul(chains).saturating_mul(items)
        };
        questions.iter().fold(0, |sum: usize, question| sum.saturating_add(values(question)))
    }

    /// The proposition that a character likes a thing.
    pub fn attitude(&self, who: CharacterId, thing: usize) -> Option<PropositionId> {
        let says = Saying::Likes(who, thing);
        self.propositions.iter().position(|known| known.says == says).map(PropositionId::new)
    }

    /// Whether an object may be, or be said to be, where only a place says where: lying openly, or in
    /// somebody's hands.
    pub fn has_objects_in_places(&self) -> bool {
        let is_openly =
            |value: &PlannedValue| matches!(value, PlannedValue::Place(_) | PlannedValue::Hands(_));
        let is_left_openly = |act: ActKind| matches!(act.form().rule, Rule::Hands | Rule::Thrown);
        let is_played = |&(play, weight): &(Play, u32)| weight > 0 && is_left_openly(play.act());
        let is_done = |(_, deed): &(usize, PlannedDeed)| match &deed.act {
            Act::Put(_, Some(_)) => false,
            Act::Tell(Telling { item: Some(Item::Object(_)), value: Some(value), .. }) => is_openly(value),
            act => is_left_openly(act.kind()),
        };
        self.objects.iter().flat_map(|object| &object.start).any(is_openly)
            || self.play.iter().any(is_played)
            || self.deeds.iter().any(is_done)
    }
}
