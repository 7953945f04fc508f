//! A storyboard as its author wrote it: syntax, and where everything stands.
//!
//! [`parse`] turns YAML into a [`Storyboard`]. It knows which keys there are and what shape their
//! values have; whether a name exists or a deadline can be met is for `compile` to say.

mod balance;
mod builtin;
mod event;
mod expression;
mod facet;
mod giveaway;
mod keyed;
mod length;
mod matter;
pub(crate) mod prospect;
mod question;
mod read;
mod setting;
mod thing;
mod weave;
pub(crate) mod yaml;

pub use balance::{Balance, Share, Shares};
pub use builtin::{
    BUILT_IN, BuiltIn, Purpose, SETTINGS, THINGS, board_in_setting, built_in_pool, built_in_pools,
    built_in_source,
};
pub use event::{Event, NotePart, Verb, When, Written};
pub use expression::{EvaluationError, Expression};
pub use facet::{Facet, OfMatter};
pub use giveaway::{Found, Giveaway, Giveaways, Learner};
pub use length::{Depth, Length, in_length};
pub use matter::{ANY_MATTER, Matters, Sincerity, TRUTH};
pub use prospect::{
    By, LivesForm, NOBODY, PROFILES_PACK, PROSPECTS_PACK, ProfilePart, Profiles, Prospect, RULES_PACK,
    RuleChoice, SMALL_TALK_PACK, ScenarioForm, Scenarios, SmallTalk, Wanted, WrittenCase, WrittenValue,
};
pub use question::{Moment, Question};
pub use read::{Broken, MapKeys, between_if_not_given, known_keys, parse, parse_beside, woven_files};
pub(crate) use read::{Fields, NAME_CHARACTERS_MAX, Reader};
pub use setting::{SETTING_KEYS, in_setting, in_wording};
pub use thing::{Container, Known, Object, Proposition, Trust};
pub use weave::{Maps, STRANDS_MAX, Strand, Weave};
pub(crate) use yaml::BYTE_ORDER_MARK;

use crate::diagnostic::{Source, Span, Spanned};
pub use crate::form::{Hardness, Hearers, Play, QuestionKind};

/// The JSON Schema of the storyboard format, for editors.
pub const SCHEMA: &str = include_str!("schema.json");

/// The largest size of a storyboard file, in bytes.
pub const SOURCE_BYTES_MAX: usize = 1 << 20;

/// An expression with its span.
pub type Number = Spanned<Expression>;

/// A name with its span.
pub type Name = Spanned<String>;

/// A storyboard, format version 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storyboard {
    /// The file it came from.
    pub source: Source,
    /// `name`
    pub name: Name,
    /// `about`
    pub about: Option<String>,
    /// `characters`
    pub characters: Characters,
    /// `roles`
    pub roles: Vec<Name>,
    /// `places`
    pub places: Places,
    /// `start`
    pub start: Start,
    /// `bind`, in the order of the file
    pub binds: Vec<Bind>,
    /// `horizon`
    pub horizon: Number,
    /// `parameters`, with their defaults
    pub parameters: Vec<(Name, i64)>,
    /// `draw`
    pub draws: Vec<Drawn>,
    /// `verb`: at least one
    pub verbs: Vec<Name>,
    /// `containers`
    pub containers: Vec<Container>,
    /// `objects`
    pub objects: Vec<Object>,
    /// `propositions`, and then what can be so or known of `matters`
    pub propositions: Vec<Proposition>,
    /// `matters`
    pub matters: Vec<Matters>,
    /// `style`: how stories are told
    pub style: Style,
    /// `prospects`
    pub prospects: Vec<Prospect>,
    /// `rules`: what news does to people
    pub rules: Option<RuleChoice>,
    /// `scenarios`: how a story is divided
    pub scenarios: Option<Scenarios>,
    /// `profiles`: what is said of people before the story
    pub profiles: Profiles,
    /// `places: {complete: 3, pool: settings}`: the pack from which places get their names, story by story
    pub place_pool: Option<Name>,
    /// `packs`: where words come from; all that fit, if not given
    pub packs: Vec<Name>,
    /// `wording`: the pack that says how sentences are worded; none for the plain ones
    pub wording: Option<Name>,
    /// Whether that is not what the storyboard says, but what was asked for: see [`Self::reworded`]
    pub is_reworded: bool,
    /// `attitudes`: the things that everyone likes or dislikes
    pub attitudes: Vec<Name>,
    /// `trust`
    pub trust: Option<Spanned<Trust>>,
    /// `play`: the weight of each kind of deed in free play
    pub play: Vec<(Spanned<Play>, Number)>,
    /// `friends`: for a role, whom it can tell something without others hearing it
    pub friends: Vec<(Name, Vec<Name>)>,
    /// `groups`: people who are alike; in questions, the name of a group stands for one of them
    pub groups: Vec<(Name, Vec<Name>)>,
    /// `events`
    pub events: Vec<Event>,
    /// `ensure`
    pub goals: Vec<Goal>,
    /// `balance`
    pub balance: Option<Balance>,
    /// `hardest`
    pub hardest: Option<Hardest>,
    /// `words` and `at_depth`
    pub length: Option<Length>,
    /// `questions`
    pub questions: Vec<Question>,
    /// `weave` and `maps`: the boards whose stories are told as one; then all else but the name and the parameters is theirs
    pub weave: Option<Weave>,
    /// The packs and the woven storyboards it names that are files, if they were read along with it.
    pub files: Vec<NamedFile>,
    /// What `storysim fit` has written beside the storyboard, if it was read along with it.
    pub weights: Option<String>,
}

/// A file that a storyboard names: a pack, or a storyboard that is woven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// The name that the storyboard gives.
    pub name: String,
    /// The path at which it was found.
    pub path: String,
    /// The text of the file, or why it cannot be read, as it follows "the file": "is not UTF-8 text".
    pub text: Result<String, String>,
}

impl Storyboard {
    /// The same storyboard, whose stories are told in another wording: the name of a pack, or [`PLAIN`]. What happens in them
    /// stays the same.
    ///
    /// ```
    /// use storysim::storyboard::{BUILT_IN, PLAIN, parse};
    /// let board = parse(BUILT_IN[0].source()).unwrap().reworded("varied");
    /// assert_eq!(board.wording.as_ref().unwrap().value, "varied");
    /// assert!(board.reworded(PLAIN).wording.is_none());
    /// ```
    #[must_use]
    pub fn reworded(self, wording: &str) -> Self {
        let span = self.name.span;
        let wording = (wording != PLAIN).then(|| Spanned::new(wording.to_owned(), span));
        Self { wording, is_reworded: true, ..self }
    }

    /// Whom hearers believe.
    pub fn trust(&self) -> Trust {
        self.trust.as_ref().map_or_else(Trust::default, |trust| trust.value)
    }

    /// All notes that may stand in its stories, in each tense in which they are written, and where an author wrote them: its own,
    /// and those of the boards that it weaves.
    ///
    /// ```
    /// use storysim::{diagnostic::Source, storyboard::parse};
    /// let text = "storysim: 1\nname: two\nweave: [hitom-like, second-order-mislead]\n";
    /// let board = parse(Source { name: "two.yaml".into(), text: text.into() }).unwrap();
    /// assert_eq!(board.notes().count(), 4); // two notes, in the present and in the past
    /// ```
    pub fn notes(&self) -> impl Iterator<Item = (Span, &[NotePart])> {
        let own = self.events.iter().flat_map(|event| {
            let told = match &event.verb {
                Verb::Note { text, past } => [Some(text), past.as_ref()],
                _ => [None, None],
            };
            told.into_iter().flatten().map(|text| (event.span, text.as_slice()))
        });
        let woven = self.weave.iter().flat_map(|weave| &weave.notes);
        own.chain(woven.map(|(span, text)| (*span, text.as_slice())))
    }

    /// Whether more may happen in its stories than people going from place to place.
    pub fn has_deeds(&self) -> bool {
        let has_things = !(self.containers.is_empty()
            && self.objects.is_empty()
            && self.propositions.is_empty()
            && self.prospects.is_empty()
            && self.attitudes.is_empty());
        let strands = self.weave.iter().flat_map(|weave| &weave.strands);
        has_things
            || !self.play.is_empty()
            || self.events.iter().any(|event| !event.verb.is_of_walks())
            || strands.into_iter().any(|strand| strand.board.has_deeds())
    }

    /// The names of all numbers that expressions may use: parameters, then drawn numbers.
    pub fn numbers(&self) -> impl Iterator<Item = &Name> {
        let parameters = self.parameters.iter().map(|(name, _)| name);
        parameters.chain(self.draws.iter().map(|drawn| &drawn.name))
    }

    /// The names of all packs that the storyboard names, wherever it does.
    pub fn pack_names(&self) -> impl Iterator<Item = &Name> {
        let prospects = self.prospects.iter().map(|prospect| &prospect.pool);
        let rules = self.rules.iter().map(|rules| &rules.pack);
        let small_talk = self.scenarios.iter().filter_map(|scenarios| match &scenarios.small_talk {
            SmallTalk::Pack(name) => Some(name),
            SmallTalk::BuiltIn | SmallTalk::None => None,
        });
        let of_people = self.profiles.pool.iter().chain(&self.place_pool).chain(&self.wording);
        self.packs.iter().chain(prospects).chain(rules).chain(small_talk).chain(of_people)
    }

    /// The names of all places, where they are declared.
    pub fn place_names(&self) -> Vec<&Name> {
        self.places.names()
    }
}

impl Places {
    /// The names of all places, where they are declared.
    pub fn names(&self) -> Vec<&Name> {
        match self {
            Self::Ways(ways) => ways.iter().map(|(name, _)| name).collect(),
            Self::Complete(names) => names.iter().collect(),
        }
    }
}

/// The name of the wording that every deed has by itself, which is no pack.
pub const PLAIN: &str = "plain";

/// How a story is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// `style: report`: sentences that say who does what
    #[default]
    Report,
    /// `style: conversation`: what people say, one turn a line
    Conversation,
}

impl Style {
    /// All styles.
    pub const ALL: [Self; 2] = [Self::Report, Self::Conversation];

    /// The word by which an author writes it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Conversation => "conversation",
        }
    }
}

/// `characters: {pool: …, count: …}`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Characters {
    /// The pool that names are drawn from.
    pub pool: Pool,
    /// How many characters are drawn for each story; if not given, the whole pool.
    pub count: Option<Number>,
}

/// `hardest: {of: 1000, by: updates}`: of so many walks, the one whose question is hardest is told
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hardest {
    /// `of`
    pub of: Number,
    /// `by`
    pub by: Spanned<Hardness>,
    /// `question`: the number of the question, counted from 0; the first, if not given
    pub question: Option<Number>,
    /// The span of the whole map.
    pub span: Span,
}

/// The names that characters can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pool {
    /// `pool: [Alice, Bob]`: the names themselves
    Names(Vec<Name>),
    /// `pool: people`: the name of a built-in pool
    BuiltIn(Name),
}

/// `places`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Places {
    /// `{kitchen: [garden], garden: [kitchen]}`: the ways out of each place
    Ways(Vec<(Name, Vec<Name>)>),
    /// `{complete: [kitchen, garden]}`: from every place, one can go to every other
    Complete(Vec<Name>),
}

/// `start`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// `start: the_hallway`: everyone starts in one place
    Everyone(Name),
    /// `start: drawn`: everyone starts in one place, which is drawn for each story
    Drawn(Span),
    /// `start: {S1: room_1, else: the_hallway}`: roles start in different places
    Each {
        /// Pairs of a role and its place.
        roles: Vec<(Name, Name)>,
        /// `else`: the place of everyone else
        others: Option<Name>,
        /// The span of the whole map.
        span: Span,
    },
}

/// A place that is drawn for each story, as in `first: {next_to: …, not: […]}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bind {
    /// The name that stands for the place.
    pub name: Name,
    /// The place that it must be one step away from.
    pub next_to: Option<Name>,
    /// The places that it must not be.
    pub not: Vec<Name>,
}

/// An integer that is drawn for each story and has a name in expressions, as in `draw: {anchor: [8, 30]}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The name of the number.
    pub name: Name,
    /// The smallest value, which may only depend on parameters.
    pub least: Number,
    /// The largest value, which may only depend on parameters.
    pub most: Number,
}

/// One entry of `ensure`: what minds should hold at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// What the goal demands.
    pub kind: GoalKind,
    /// The span of the goal's key, for messages.
    pub span: Span,
}

/// The demand of a goal. In a chain, the minds come first and the target last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalKind {
    /// `holds: [S1, T]`, `in: second`: the chain's answer is this value
    Holds {
        /// The roles of the chain; the last may also be an object or a proposition.
        chain: Vec<Name>,
        /// `in`: a place, a bind, a container, or a role that has it in hand; or, after `is`, `true` or `false`.
        value: Name,
    },
    /// `false_belief: [S1, T]`: the chain's answer is not where the target is.
    FalseBelief {
        /// The roles of the chain.
        chain: Vec<Name>,
    },
    /// `true_belief: [S1, T]`: the chain's answer is where the target is
    TrueBelief {
        /// The roles of the chain.
        chain: Vec<Name>,
    },
    /// `unknown: [S1, T]`: the chain has no answer
    Unknown {
        /// The roles of the chain.
        chain: Vec<Name>,
    },
    /// `differs: [[S1, S2, T], [S2, T]]`: both chains have an answer, and the answers differ
    Differs {
        /// The roles of each chain.
        chains: [Vec<Name>; 2],
    },
    /// `mislead_distance: [S1, T]`, `is: 30`: the belief is false, at this distance
    MisleadDistance {
        /// The roles of the chain.
        chain: Vec<Name>,
        /// The smallest distance allowed.
        least: Number,
        /// The largest distance allowed; the same expression as `least` if only one number is given.
        most: Number,
    },
    /// `difficulty: 80..100`, or `difficulty: {updates: 3.., shortcuts_right: 0}`: a question is as difficult as that
    Difficulty {
        /// The numbers with their ranges. A range alone is that of the quantile.
        ranges: Vec<(Spanned<Hardness>, Bounds)>,
        /// `question`: the number of the question, counted from 0; the first, if not given
        question: Option<Number>,
    },
}

/// `3..5`, `3..`, `..5` or `3`: the numbers between two, both included
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The smallest; any, if not given.
    pub least: Option<Number>,
    /// The largest; any, if not given.
    pub most: Option<Number>,
}

impl GoalKind {
    /// The names in its chains.
    pub fn names(&self) -> Vec<Name> {
        match self {
            Self::Holds { chain, .. }
            | Self::FalseBelief { chain }
            | Self::TrueBelief { chain }
            | Self::Unknown { chain }
            | Self::MisleadDistance { chain, .. } => chain.clone(),
            Self::Differs { chains: [first, second] } => [first.as_slice(), second].concat(),
            Self::Difficulty { .. } => Vec::new(),
        }
    }
}
