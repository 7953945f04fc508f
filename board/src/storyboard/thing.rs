//! What there is besides people, as a storyboard declares it; whom hearers believe, and what is drawn in free play.

use super::facet::OfMatter;
use super::{Name, NotePart};

/// A container, as in `basket: {in: kitchen, is: open}` or `basket: kitchen`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// The name of the container.
    pub name: Name,
    /// Where it stands: a place or a bind.
    pub place: Name,
    /// Whether one can see what is in it.
    pub is_open: bool,
}

/// An object, as in `marble: {in: basket}` or `marble: basket`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The name of the object.
    pub name: Name,
    /// Where the object may be at the start: containers, places, binds, or roles that have it in hand.
    pub start: Vec<Name>,
    /// Who knows where it is.
    pub known: Known,
}

/// Who knows something at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// `known`: the roles that know it; everyone if not given
    pub by: Option<Vec<Name>>,
    /// `wrong`: the roles that hold the contrary
    pub wrong: Vec<Name>,
}

/// A proposition, as in `gift: {says: "the gift is a bicycle", denies: "the gift is no bicycle", is: true, known: [S1]}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    /// The name in the storyboard.
    pub name: Name,
    /// The words for the proposition.
    pub says: Vec<NotePart>,
    /// The words for its contrary.
    pub denies: Vec<NotePart>,
    /// Whether the proposition is true; drawn if not given.
    pub is_true: Option<bool>,
    /// Who knows whether it is true.
    pub known: Known,
    /// The matter that it is about, if the storyboard declares it by one of `matters`.
    pub of: Option<OfMatter>,
}

/// The key `trust`: whom hearers believe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Trust {
    /// `always`: hearers believe everyone
    Always,
    /// `never`: hearers believe nobody
    Never,
    /// `unless_known_better`: hearers believe everyone, except against what they have seen themselves
    #[default]
    UnlessKnownBetter,
    /// `later_leaver`: hearers believe those who left the scene later than they did
    LaterLeaver,
}

impl Trust {
    /// All rules of trust.
    pub const ALL: [Self; 4] = [Self::Always, Self::Never, Self::UnlessKnownBetter, Self::LaterLeaver];

    /// The word by which an author writes it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
            Self::UnlessKnownBetter => "unless_known_better",
            Self::LaterLeaver => "later_leaver",
        }
    }
}
