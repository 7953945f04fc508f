//! Prospects, rules, scenarios and profiles: what stories are made of in which news reaches people, or does not.

use super::{Name, Number};
use crate::diagnostic::Span;

/// The built-in packs that are used where a storyboard names none.
pub const PROSPECTS_PACK: &str = "prospects";
/// The pack of rules that is used where a storyboard names none.
pub const RULES_PACK: &str = "occ";
/// The pack of small talk that is used where a storyboard names none.
pub const SMALL_TALK_PACK: &str = "small-talk";
/// The pack of profiles that is used where a storyboard names none.
pub const PROFILES_PACK: &str = "profiles";

/// An entry of `prospects`: something that may turn out one way or the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// The name of the prospect.
    pub name: Name,
    /// `pool`: the pack from which one is drawn for each story
    pub pool: Name,
    /// `by`: who may have brought it about, once it is settled
    pub by: Vec<By>,
    /// `wants`: which side a role wants
    pub wants: Vec<(Name, Wanted)>,
    /// `decider`: whom intentions address that ask for a decision
    pub decider: Option<Name>,
}

/// Who may have brought a prospect about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// `nobody`
    Nobody(Span),
    /// A role.
    Role(Name),
}

/// The side of a prospect that somebody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// `drawn`: either side, for each story
    Drawn,
    /// `1` or `2`: the side with this number, counted from 0
    Side(usize),
}

/// `rules`: what news does to people
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleChoice {
    /// The pack.
    pub pack: Name,
    /// `told`: whether readers are told the rules: 1, or 0 if not
    pub told: Number,
}

/// `scenarios`: how a story is divided
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenarios {
    /// `count`
    pub count: Number,
    /// What each of them is like.
    pub form: ScenarioForm,
    /// `small_talk`: what bystanders say that carries nothing, and how scenarios open
    pub small_talk: SmallTalk,
    /// The span of the map.
    pub span: Span,
}

/// `small_talk`: from which pack scenarios have their openings and what bystanders say
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmallTalk {
    /// Nothing is given: from the built-in pack.
    BuiltIn,
    /// `none`: nobody says anything that carries nothing.
    None,
    /// From this pack.
    Pack(Name),
}

/// What scenarios are like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScenarioForm {
    /// `steps`: so many steps each, in which happens what happens elsewhere
    Steps(Number),
    /// `turns`: so many announcements each, heard as lives that might have been led demand
    Lives(Box<LivesForm>),
}

/// Scenarios by lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivesForm {
    /// `turns`: how many announcements a scenario has
    pub turns: Number,
    /// `of`: the prospect
    pub of: Name,
    /// `by`: who announces
    pub by: Name,
    /// `for`: whose lives they are
    pub whose: Name,
    /// `between`: how many moves come before each announcement, and at the end
    pub between: Option<Number>,
    /// `past`: in what share of scenarios, of hundred, what was expected before has to matter
    pub past: Option<Number>,
}

/// `profiles`: what is said of people before the story
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profiles {
    /// `pool`: the pack of profiles
    pub pool: Option<Name>,
    /// The roles of whom something is said, each with what; all of it, if that is empty.
    pub of: Vec<(Name, Vec<ProfilePart>)>,
    /// `between`: the two of whom it is said how they are related
    pub between: Option<[Name; 2]>,
}

/// Something that is said of somebody before the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfilePart {
    /// `surname`
    Surname,
    /// `age`
    Age,
    /// `occupation`
    Occupation,
    /// `education`
    Education,
    /// `character`
    Character,
}

impl ProfilePart {
    /// All parts, in the order in which they are told.
    pub const ALL: [Self; 5] = [Self::Surname, Self::Age, Self::Occupation, Self::Education, Self::Character];

    /// The word by which an author writes it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Surname => "surname",
            Self::Age => "age",
            Self::Occupation => "occupation",
            Self::Education => "education",
            Self::Character => "character",
        }
    }
}

/// How a prospect stands, as an author writes it; what is left out is open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct WrittenCase {
    /// `side`: its number, counted from 0
    pub side: Option<usize>,
    /// `is: likely`, or settled; `None` if neither `is` nor `by` is given
    pub is_likely: Option<bool>,
    /// `by`: who has brought it about; `nobody`, or a role
    pub by: Option<Name>,
    /// `final`
    pub is_final: Option<bool>,
    /// Where it stands.
    pub span: Span,
}

/// The word for nobody where somebody can be named who has brought a prospect about.
pub const NOBODY: &str = "nobody";

/// What is said of something, as an author writes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WrittenValue {
    /// A place, a container, somebody who has it in hand, `true` or `false`.
    Name(Name),
    /// How a prospect stands.
    Case(Box<WrittenCase>),
}

impl WrittenValue {
    /// The name, if it is one.
    pub const fn name(&self) -> Option<&Name> {
        match self {
            Self::Name(name) => Some(name),
            Self::Case(_) => None,
        }
    }

    /// The names in it.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        let named = match self {
            Self::Name(name) => Some(name),
            Self::Case(case) => case.by.as_ref().filter(|name| name.value != NOBODY),
        };
        named.into_iter()
    }
}
