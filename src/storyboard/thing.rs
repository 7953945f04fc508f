//! What there is besides people, as a storyboard declares it; whom hearers believe, and what is drawn in free play.

use super::{Name, NotePart};

/// `basket: {in: kitchen, is: open}`, or `basket: kitchen`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// What it is called.
    pub name: Name,
    /// Where it stands: a place or a bind.
    pub place: Name,
    /// Whether one sees what is in it.
    pub is_open: bool,
}

/// `marble: {in: basket}`, or `marble: basket`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// What it is called.
    pub name: Name,
    /// Where it may be at the start: containers, places, binds; with a role, in its hands.
    pub start: Vec<Name>,
    /// Who knows where it is.
    pub known: Known,
}

/// Who knows something at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// `known`: these roles; everyone, if not given.
    pub by: Option<Vec<Name>>,
    /// `wrong`: these hold the contrary.
    pub wrong: Vec<Name>,
}

/// `gift: {says: "the gift is a bicycle", denies: "the gift is no bicycle", is: true, known: [S1]}`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    /// What the storyboard calls it.
    pub name: Name,
    /// How it is said.
    pub says: Vec<NotePart>,
    /// How the contrary is said.
    pub denies: Vec<NotePart>,
    /// Whether it is true; drawn, if not given.
    pub is_true: Option<bool>,
    /// Who knows.
    pub known: Known,
}

/// `trust`: whom a hearer believes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Trust {
    /// `always`: everyone.
    Always,
    /// `never`: nobody.
    Never,
    /// `unless_known_better`: everyone, but not against what she has seen herself.
    #[default]
    UnlessKnownBetter,
    /// `later_leaver`: those who left the scene later than she did.
    LaterLeaver,
}

impl Trust {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Always, Self::Never, Self::UnlessKnownBetter, Self::LaterLeaver];

    /// How an author writes it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
            Self::UnlessKnownBetter => "unless_known_better",
            Self::LaterLeaver => "later_leaver",
        }
    }
}
