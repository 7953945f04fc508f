//! What white lies are told for.

/// What a white lie is told for.
///
/// ```
/// use storysim::form::{Class, LieType};
/// assert_eq!((Class::Wonder.key(), Class::Wonder.lie_type()), ("wonder", LieType::Altruistic));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// To get out of something politely: "L is too busy for the hike"
    Evasion,
    /// To keep a child's imagination alive: "the lighthouse keeper wrote that letter"
    Wonder,
    /// To spare grief: "the rabbit lives with the neighbours now"
    Comfort,
    /// To encourage: "L finds the drawing good enough for the show"
    Confidence,
    /// To hide that something went wrong: "L liked the soup"
    Mistake,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 5] = [Self::Evasion, Self::Wonder, Self::Comfort, Self::Confidence, Self::Mistake];

    /// The word by which an author writes it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Evasion => "evasion",
            Self::Wonder => "wonder",
            Self::Comfort => "comfort",
            Self::Confidence => "confidence",
            Self::Mistake => "mistake",
        }
    }

    /// Who is better off for lies of this class.
    pub const fn lie_type(self) -> LieType {
        match self {
            Self::Evasion | Self::Mistake => LieType::Pareto,
            Self::Wonder | Self::Comfort | Self::Confidence => LieType::Altruistic,
        }
    }
}

/// Who is better off for a white lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LieType {
    /// Both are better off.
    Pareto,
    /// Only the person who is lied to is better off.
    Altruistic,
}

impl LieType {
    /// The type as one word for programs.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Pareto => "pareto",
            Self::Altruistic => "altruistic",
        }
    }
}
