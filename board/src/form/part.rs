//! The parts of what an author writes: whom, what and where it is about.

use std::fmt::Debug;
use std::hash::Hash;

/// A choice of types that stand for people, places and things: an author's names, indices, or parts that are still open.
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
    /// Something that somebody likes or dislikes.
    type Liking: Clone + Debug + Eq + Hash;
    /// A proposition that somebody shows to be so.
    type Fact: Clone + Debug + Eq + Hash;
    /// Something that somebody speaks about.
    type Item: Clone + Debug + Eq + Hash;
    /// What somebody says about an item.
    type Value: Clone + Debug + Eq + Hash;
    /// A part that an author may leave open: the part itself where it is settled, otherwise an option.
    type Open<T: Clone + Debug + Eq + Hash>: Clone + Debug + Eq + Hash;
}

/// The kind of thing that a part names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// The people who take part besides the actor.
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
    /// One of the storyboard's `propositions`.
    Fact,
    /// The hearers, and what they are told.
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
            Self::Fact => "a proposition",
            Self::Telling => "what is told",
        }
    }
}

/// One part of a deed: its key, the kind of thing it names, and the meaning of leaving it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartForm {
    /// The key by which an author writes the part, and the name of its hole in the deed's sentence.
    pub name: &'static str,
    /// The kind of thing that the part names.
    pub sort: Sort,
}

impl PartForm {
    /// Whether the part says where the deed leads, rather than what it is done with: `throw` leads `to` a place.
    pub fn leads(&self) -> bool {
        ["to", "in"].contains(&self.name)
    }

    /// What it means if an author leaves the part out.
    pub const fn left_out(&self) -> &'static str {
        match self.sort {
            Sort::Spot => "down",
            _ => "any",
        }
    }
}

/// A part with its value, named as in `W`.
pub type PartIn<W> = Part<
    Vec<<W as Naming>::Person>,
    <W as Naming>::Open<<W as Naming>::Person>,
    <W as Naming>::Open<<W as Naming>::Place>,
    <W as Naming>::Open<<W as Naming>::Object>,
    <W as Naming>::Open<<W as Naming>::Container>,
    <W as Naming>::Spot,
    <W as Naming>::Liking,
    <W as Naming>::Fact,
    TellingIn<W>,
>;

/// A part with its value. For each sort, a parameter says how it is named.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part<Company, Person, Place, Object, Container, Spot, Liking, Fact, Telling> {
    /// The people who take part besides the actor.
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
    /// A proposition.
    Fact(Fact),
    /// The hearers, and what they are told.
    Telling(Telling),
}

/// A statement that someone makes, named as in `W`.
pub type TellingIn<W> = Telling<<W as Naming>::Person, <W as Naming>::Item, <W as Naming>::Value>;

/// A statement that someone makes about an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Telling<Person, Item, Value> {
    /// The people who hear it.
    pub hearers: Hearers<Person>,
    /// The item that she speaks about.
    pub item: Item,
    /// The value that she says the item has.
    pub value: Value,
    /// Those hearers who believe it, which is common knowledge. If this is `None`, the board's rule of trust decides.
    pub believers: Option<Vec<Person>>,
}

/// The people who hear what is said. Nobody else notices, unless everyone present hears it.
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
    /// These people, who are there.
    Named(Vec<P>),
    /// These people, who are elsewhere.
    Afar(Vec<P>),
}

impl<P> Hearers<P> {
    /// The hearers who are named, if any.
    pub fn named(&self) -> &[P] {
        match self {
            Self::Present => &[],
            Self::Named(who) | Self::Afar(who) => who,
        }
    }

    /// The same hearers, named differently.
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
    /// The character who acts.
    pub who: Person,
    /// The act that the character performs.
    pub act: Act,
    /// The place that the character goes to, if the act is a way of going.
    pub to: Option<Place>,
    /// Whether the character says something that she does not believe.
    pub is_lie: bool,
}
