//! The parts of what an author writes: whom, what and where it is about.

use std::fmt::Debug;
use std::hash::Hash;

/// What stands for people, places and things: an author's names, indices, or what is still open.
pub trait Naming: Clone + Debug + Eq + Hash {
    /// A character or a role.
    type Person: Clone + Debug + Eq + Hash;
    /// A place or a bind.
    type Place: Clone + Debug + Eq + Hash;
    /// An object.
    type Object: Clone + Debug + Eq + Hash;
    /// A container.
    type Container: Clone + Debug + Eq + Hash;
    /// Where an object is put: in a container, or down where its holder is.
    type Spot: Clone + Debug + Eq + Hash;
    /// A thing that somebody likes or dislikes.
    type Liking: Clone + Debug + Eq + Hash;
    /// Something of which somebody speaks.
    type Item: Clone + Debug + Eq + Hash;
    /// What somebody says of an item.
    type Value: Clone + Debug + Eq + Hash;
    /// A part that an author may leave open: the part itself once it is settled, an option before.
    type Open<T: Clone + Debug + Eq + Hash>: Clone + Debug + Eq + Hash;
}

/// What kind of thing a part names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Those who take part beside the actor.
    Company,
    /// One person.
    Person,
    /// A place.
    Place,
    /// An object.
    Object,
    /// A container.
    Container,
    /// A container, or the ground.
    Spot,
    /// One of the storyboard's `attitudes`.
    Liking,
    /// Hearers, and what they are told.
    Telling,
}

impl Sort {
    /// The name in messages and in the documentation of the format.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Company => "roles",
            Self::Person => "a role",
            Self::Place => "a place",
            Self::Object => "an object",
            Self::Container | Self::Spot => "a container",
            Self::Liking => "one of `attitudes`",
            Self::Telling => "what is told",
        }
    }
}

/// One part of a deed: its key, what kind of thing it names, and what an author says by leaving it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartForm {
    /// The key by which an author writes it, and the hole in the deed's sentence.
    pub name: &'static str,
    /// What kind of thing it names.
    pub sort: Sort,
}

impl PartForm {
    /// Whether it says where the deed leads, not what is done something with: `throw` leads `to` a place.
    pub fn leads(&self) -> bool {
        ["to", "in"].contains(&self.name)
    }

    /// What it means that an author leaves it out.
    pub const fn left_out(&self) -> &'static str {
        match self.sort {
            Sort::Spot => "down",
            _ => "any",
        }
    }
}

/// A part with what stands there, named as `W` has it.
pub type PartIn<W> = Part<
    Vec<<W as Naming>::Person>,
    <W as Naming>::Open<<W as Naming>::Person>,
    <W as Naming>::Open<<W as Naming>::Place>,
    <W as Naming>::Open<<W as Naming>::Object>,
    <W as Naming>::Open<<W as Naming>::Container>,
    <W as Naming>::Spot,
    <W as Naming>::Liking,
    TellingIn<W>,
>;

/// A part with what stands there: of each sort, what it is named by is a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part<Company, Person, Place, Object, Container, Spot, Liking, Telling> {
    /// Those who take part beside the actor.
    Company(Company),
    /// One person.
    Person(Person),
    /// A place.
    Place(Place),
    /// An object.
    Object(Object),
    /// A container.
    Container(Container),
    /// A container, or the ground.
    Spot(Spot),
    /// Something liked or disliked.
    Liking(Liking),
    /// Hearers, and what they are told.
    Telling(Telling),
}

/// Someone says that something is so, named as `W` has it.
pub type TellingIn<W> = Telling<<W as Naming>::Person, <W as Naming>::Item, <W as Naming>::Value>;

/// Someone says that something is so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Telling<Person, Item, Value> {
    /// To whom.
    pub hearers: Hearers<Person>,
    /// What she speaks of.
    pub item: Item,
    /// What she says is so.
    pub value: Value,
    /// Who of those who hear it believes it, as everyone knows. If this is none, the board's rule of trust decides.
    pub believers: Option<Vec<Person>>,
}

/// Who hears what is said. Nobody else notices, unless everyone present hears it.
///
/// ```
/// use storysim::form::Hearers;
/// let hearers = Hearers::Named(vec!["Ann", "Bob"]);
/// assert_eq!(hearers.map(|name| name.len()), Hearers::Named(vec![3, 3]));
/// assert!(Hearers::<&str>::Present.named().is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Hearers<P> {
    /// Everyone who is there.
    Present,
    /// These, who are there.
    Named(Vec<P>),
    /// These, who are elsewhere.
    Afar(Vec<P>),
}

impl<P> Hearers<P> {
    /// Those who are named.
    pub fn named(&self) -> &[P] {
        match self {
            Self::Present => &[],
            Self::Named(who) | Self::Afar(who) => who,
        }
    }

    /// The same hearers, named otherwise.
    pub fn map<Q>(&self, name: impl FnMut(&P) -> Q) -> Hearers<Q> {
        match self {
            Self::Present => Hearers::Present,
            Self::Named(who) => Hearers::Named(who.iter().map(name).collect()),
            Self::Afar(who) => Hearers::Afar(who.iter().map(name).collect()),
        }
    }
}

/// A deed that a storyboard demands: who does what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Direction<Person, Place, Act> {
    /// Who acts.
    pub who: Person,
    /// What she does.
    pub act: Act,
    /// Where she goes, if the act is a way of going.
    pub to: Option<Place>,
    /// Whether what she says is against what she believes.
    pub is_lie: bool,
}
