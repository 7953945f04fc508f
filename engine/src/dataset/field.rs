//! The fields of a row, listed once.
//!
//! Everything that knows them follows from this list: the rows that are written, the columns of Parquet, the reader
//! ([`Fields`]), the card of a dataset folder. A test compares `docs/rows.md` with it.
//!
//! **A further field is an entry in the list, and the function that writes its part**: the compiler asks for it, in
//! `row/writer.rs`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::question::Difficulty;
use crate::select::Twinning;

/// A field of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name of the field.
    pub name: &'static str,
    /// The type of the field's values.
    pub column: Column,
    /// Whether the value may be `null`.
    pub is_nullable: bool,
    /// Whether all rows of a story, told in one way, have the same value.
    pub is_shared: bool,
    /// Which rows have the field.
    pub presence: Presence,
    /// The meaning of the field, in one plain sentence.
    pub meaning: &'static str,
}

/// The type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// A text: `"room 5"`.
    Text,
    /// A number of up to 31 bits: `30`.
    Number,
    /// A number of up to 64 bits: `18446744073709551615`.
    LongNumber,
    /// Yes or no: `true`.
    Truth,
    /// A list of texts: `["room 3","room 5"]`.
    Texts,
    /// A list of numbers: `[7,10,11]`.
    Numbers,
    /// A list of lists of numbers: `[[3,7],[],[11]]`.
    NumberLists,
    /// An object from the name of a parameter to its value: `{"mislead_distance":30}`.
    Parameters,
    /// A list of names, each as readers see it and as the storyboard writes it: `[["room 1","room_1"]]`.
    Names,
    /// An object from the name of a role or a bind to that of a person or a place: `{"S1":"Frank","first":"room_4"}`.
    Cast,
    /// A place, or an object from a person's name to her place: `{"Ann":"attic","Bob":"hall"}`.
    Start,
    /// An object from the name of a shortcut to its answer, which may be `null`: `{"last_place":"room 2"}`.
    Foils,
    /// A list of events, each a list: `[[0,"Georgia","enters","room_2"]]`.
    Events,
    /// A list of messages: `[{"role":"user","content":"…"}]`.
    Messages,
    /// An object from the name of a matter to what is known of it: `{"m":{"thing":"the soup","lie":true,…}}`.
    Matters,
    /// An object from a person's name to her role in a matter: `{"Ann":"liar","Bob":"target"}`.
    Roles,
    /// An object of numbers that say how difficult a question is, which may be `null`: `{"updates":3,…,"quantile":72}`.
    Difficulty,
}

/// The rows that have a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// All rows.
    Always,
    /// Rows of stories with twins.
    WithTwins,
    /// Rows of stories with two twins each.
    WithTriplets,
    /// Rows of stories in which there are matters.
    WithMatters,
    /// Rows of boards that ask about some people only, or leave open whom they name; and of those with matters.
    WithPeople,
    /// Rows of boards that ask what news does to people, scenario after scenario.
    WithScenarios,
    /// Rows with events.
    WithEvents,
    /// Rows with events of boards whose stories are drawn by lives, and that ask what becomes of them.
    WithLives,
    /// Rows with how difficult their question is.
    WithDifficulty,
    /// Rows with prompts.
    WithPrompt,
    /// Rows of stories whose sentences are not worded plainly.
    WithWording,
    /// Rows of stories that are made as long as wanted.
    WithLength,
    /// Rows of stories that a model was asked to word again.
    WithRetelling,
}

/// What rows have besides what all rows have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// The twins of the stories, if they have any.
    pub twins: Option<Twinning>,
    /// Whether there are matters in the stories.
    pub with_matters: bool,
    /// Whether any question asks about some people only, or leaves open whom it names.
    pub with_people: bool,
    /// Whether any question asks what news does to people.
    pub with_scenarios: bool,
    /// Whether rows have events.
    pub with_events: bool,
    /// Whether any stories are drawn by lives, and it is asked what becomes of them.
    pub with_lives: bool,
    /// Whether rows say how difficult their question is.
    pub with_difficulty: bool,
    /// Whether rows have prompts.
    pub with_prompt: bool,
    /// Whether sentences are worded otherwise than plainly.
    pub with_wording: bool,
    /// Whether stories are made as long as wanted.
    pub with_length: bool,
    /// Whether a model was asked to word stories again.
    pub with_retelling: bool,
}

impl Presence {
    /// Whether rows with these extras have the field.
    #[inline(always)]
    pub const fn is_met(self, extras: Extras) -> bool {
        match self {
            Self::Always => true,
            Self::WithTwins => extras.twins.is_some(),
            Self::WithTriplets => matches!(extras.twins, Some(Twinning::Triplets)),
            Self::WithMatters => extras.with_matters,
            Self::WithPeople => extras.with_matters || extras.with_people,
            Self::WithScenarios => extras.with_scenarios,
            Self::WithEvents => extras.with_events,
            Self::WithLives => extras.with_events && extras.with_lives,
            Self::WithDifficulty => extras.with_difficulty,
            Self::WithPrompt => extras.with_prompt,
            Self::WithWording => extras.with_wording,
            Self::WithLength => extras.with_length,
            Self::WithRetelling => extras.with_retelling,
        }
    }
}

impl Field {
    /// Whether all rows of a story, told in one way, have the same value of the field with this name.
    pub fn is_of_story(name: &str) -> bool {
        FIELDS.iter().any(|field| field.name == name && field.is_shared)
    }
}

/// The columns of a message.
pub const MESSAGE_COLUMNS: &[&str] = &["role", "content"];

/// The columns of a name.
pub const NAME_COLUMNS: &[&str] = &["shown", "written"];

/// The columns of a matter.
pub const MATTER_COLUMNS: &[(&str, Column)] = &[
    ("thing", Column::Text),
    ("pack", Column::Text),
    ("class", Column::Text),
    ("type", Column::Text),
    ("level", Column::Number),
    ("lie", Column::Truth),
    ("by", Column::Texts),
    ("to", Column::Text),
    ("why", Column::Text),
];

/// The columns of how difficult a question is: its numbers, and its quantile.
pub const DIFFICULTY_COLUMNS: [&str; 9] = {
    let mut columns = [QUANTILE; 9];
    let mut at = 0;
    while at < Difficulty::NAMES.len() {
        columns[at] = Difficulty::NAMES[at];
        at += 1;
    }
    columns
};

/// The key of a question's quantile in how difficult it is.
pub(super) const QUANTILE: &str = "quantile";

/// The columns of an event where people only walk.
pub const MOVE_COLUMNS: &[&str] = &["step", "who", "verb", "place"];

/// The columns of an event where people do more than walk: besides a move's place there may be up to three things, or none.
pub const DEED_COLUMNS: &[&str] = &["step", "who", "verb", "first", "second", "third"];

macro_rules! is_said {
    () => {
        false
    };
    ($word:ident) => {
        true
    };
}

/// Takes a list of parts, each written by one function, with their fields in order. Each field has a name, a type in
/// [`Fields`], a column, whether it may be null (`or null`), whether the rows of a story share it (`of story`), and a meaning.
macro_rules! fields {
    ($($part:ident $presence:ident {
        $($(#[$reading:meta])* $name:ident: $type:ty = $column:ident $(or $null:ident)? $(of $story:ident)?, $meaning:literal;)+
    })+) => {
        /// The fields of a row, in order.
        ///
        /// ```
        /// use storysim::dataset::FIELDS;
        /// let about = FIELDS.iter().find(|field| field.name == "about").unwrap();
        /// assert!(about.meaning.starts_with("The target"));
        /// ```
        pub const FIELDS: &[Field] = &[$($(Field {
            name: stringify!($name),
            column: Column::$column,
            is_nullable: is_said!($($null)?),
            is_shared: is_said!($($story)?),
            presence: Presence::$presence,
            meaning: $meaning,
        }),+),+];

        /// A row, taken apart. What a row lacks is empty.
        ///
        /// ```
        /// use storysim::dataset::{Fields, StoredRow};
        /// let row = r#"{"id":"b/0/0/0","board":"b","story":"Ann enters a.","question":"Where is Ann?","answer":"a","choices":["a","b"],"label":0,"kind":"reality","order":0,"chain":[],"about":"Ann"}"#;
        /// let fields = Fields::of(&StoredRow::Line(row.into())).unwrap();
        /// assert_eq!((fields.story_id(), fields.answer.as_str()), ("b/0/0", "a"));
        /// ```
        #[derive(Clone, Debug, Default, PartialEq, Deserialize)]
        #[serde(default)]
        pub struct Fields {
            $($(#[doc = $meaning] $(#[$reading])* pub $name: $type,)+)+
        }

        /// Writes the parts of a row: of each the fields, with a comma before each but the first of all.
        pub(super) trait WriteParts {
            $(
                #[doc = concat!("Writes ", $("`", stringify!($name), "` ",)+ ".")]
                fn $part(&mut self);
            )+

            /// Writes all parts that rows with these extras have, in order.
            #[inline(always)]
            fn write_parts(&mut self, extras: Extras) {
                $(if Presence::$presence.is_met(extras) {
                    self.$part();
                })+
            }
        }
    };
}

fields! {
    origin Always {
        id: String = Text, "The name of the row: `BOARD/SEED/INDEX/QUESTION`.";
        board: String = Text of story, "The name of the storyboard.";
        seed: u64 = LongNumber of story, "The seed of the run.";
        index: u64 = LongNumber of story, "The number of the story, from 0.";
    }
    params Always {
        #[serde(deserialize_with = "without_nulls")]
        params: BTreeMap<String, Value> = Parameters of story, "All parameters with their values.";
        #[serde(deserialize_with = "shown_and_written")]
        names: BTreeMap<String, String> = Names of story, "The names that `context`, `story`, `question` and the answers spell otherwise than the storyboard: `[SHOWN, WRITTEN]` for each.";
    }
    telling Always {
        #[serde(deserialize_with = "without_nulls")]
        cast: BTreeMap<String, Value> = Cast of story, "Who plays each role, and the place of each bind.";
        start: Value = Start of story, "Where everyone starts: a place, or an object from name to place.";
        context: String = Text of story, "What a reader has to know beforehand: who starts where, and who sees what.";
        story: String = Text of story, "The story, sentence by sentence.";
    }
    wording WithWording {
        wording: Option<String> = Text or null of story, "How its sentences are worded, if not plainly: the name of a pack.";
    }
    retelling WithRetelling {
        worded_by: Option<String> = Text or null of story, "The model that worded sentences of the story, if one did.";
        reworded: Option<u64> = Number or null of story, "How many sentences of the story are the model's.";
    }
    matters WithMatters {
        #[serde(deserialize_with = "of_own_board")]
        matters: BTreeMap<String, MatterOfRow> = Matters or null of story, "What others speak to somebody about, sincerely or not: of each matter, by its name, what it is and what is so.";
    }
    question Always {
        question: String = Text, "The question in words.";
    }
    answer Always {
        answer: String = Text, "The right answer.";
    }
    choices Always {
        choices: Vec<String> = Texts, "What the answer can be, in random order.";
        #[serde(default = "missing")]
        label: usize = Number, "The number of the right choice, from 0.";
    }
    asked Always {
        kind: String = Text, "The kind of the question: its key in the storyboard.";
        order: usize = Number, "The number of minds.";
        chain: Vec<String> = Texts, "The names of those minds, the outermost first.";
        about: String = Text, "The target: a character, an object, a proposition, or what people like.";
    }
    matter WithMatters {
        matter: Option<String> = Text or null, "The matter that the question is about.";
        #[serde(deserialize_with = "object_or_text")]
        roles: BTreeMap<String, String> = Roles or null, "The role that everyone has in that matter, by what they have heard of it at the end.";
    }
    people WithPeople {
        #[serde(deserialize_with = "none_if_null")]
        of: Vec<String> = Texts or null, "The only people about whom a list of people asks; of `world`, those who were with the target.";
    }
    scenario WithScenarios {
        scenario: Option<u64> = Number or null, "The scenario at whose end it is asked, from 1; of a course, the last.";
        state: Option<String> = Text or null, "Which of the four states it asks of: belief, emotion, intention or action.";
        #[serde(deserialize_with = "none_if_null")]
        linked: Vec<String> = Texts or null, "The ids of the rows on whose answers this one rests.";
        #[serde(deserialize_with = "none_if_null")]
        caused_by: Vec<usize> = Numbers or null, "The steps of the news on which the state rests.";
        rules: Option<String> = Text or null, "Whether the context tells the rules by which people feel: `told` or `untold`.";
    }
    unlike WithMatters {
        #[serde(deserialize_with = "none_if_null")]
        unlike: Vec<String> = Texts or null, "The other matters whose answers are offered, each another one.";
    }
    truth Always {
        truth: Option<String> = Text or null, "Where the target really is at the end, or whatever else is true.";
        false_belief: Option<bool> = Truth or null, "For a belief: whether the answer differs from the truth.";
        mislead_distance: Option<u64> = Number or null, "Where `false_belief` is true: the number of steps between two moments.";
    }
    evidence Always {
        evidence: Vec<usize> = Numbers, "The steps that settled the answer, as the minds asked about witnessed it.";
    }
    foils Always {
        foils: BTreeMap<String, Option<String>> = Foils, "The answers that shortcuts would give.";
    }
    twin WithTwins {
        twin: Option<String> = Text or null, "The id of the row that asks the same of the story's twin.";
        differs_at: Option<usize> = Number or null of story, "The step of the event in which the two stories differ.";
    }
    triplet WithTriplets {
        #[serde(deserialize_with = "none_if_null")]
        triplet: Vec<String> = Texts, "The ids of the rows that ask the same of the story, of the twin in which the target does the same, and of the one in which the minds do.";
    }
    length WithLength {
        #[serde(deserialize_with = "none_if_null")]
        own_steps: Vec<usize> = Numbers or null of story, "The first and the last step of what the storyboard tells; in all others, people without a role go about.";
        words: Option<u64> = Number or null of story, "The number of words of `story`.";
        depth: Option<u64> = Number or null, "How many of a hundred steps lie before the one that settles the answer.";
    }
    events WithEvents {
        #[serde(deserialize_with = "none_if_null")]
        events: Vec<Value> = Events of story, "The story as data: `[STEP, NAME, VERB, PLACE]` for every move.";
    }
    lives WithLives {
        #[serde(deserialize_with = "none_if_null")]
        lives: Vec<Vec<usize>> = NumberLists or null, "For each choice, the steps of the news that is heard in the life of which it tells.";
    }
    difficulty WithDifficulty {
        difficulty: DifficultyOfRow = Difficulty, "How difficult the question is, in numbers, and among the stories of its storyboard.";
    }
    prompt WithPrompt {
        prompt: String = Text, "The question as one text for a language model, with what it needs to know and how to answer.";
        #[serde(deserialize_with = "none_if_null")]
        messages: Vec<Value> = Messages, "The same as the messages of a chat: `role` and `content` of each.";
    }
}

/// A matter as rows have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MatterOfRow {
    /// What it is in the story: "the soup".
    pub thing: String,
    /// The pack of its words.
    pub pack: String,
    /// What a lie about it is told for.
    pub class: String,
    /// Who is better off for such a lie.
    #[serde(rename = "type")]
    pub lie_type: String,
    /// How much of the truth comes out, from 1 to 3.
    pub level: u8,
    /// Whether what the target is told is not so.
    pub lie: bool,
    /// Who speaks of it to the target.
    pub by: Vec<String>,
    /// The target, to whom it belongs.
    pub to: String,
    /// The reason for what the target is told, in words of its own.
    pub why: String,
}

/// The names of the fifths into which questions are divided by how difficult they are: from which quantile to which.
pub const FIFTHS: [&str; 5] = ["0–19", "20–39", "40–59", "60–79", "80–100"];

impl DifficultyOfRow {
    /// The number of the fifth in [`FIFTHS`] in which the question is, if its quantile is known.
    ///
    /// ```
    /// use storysim::dataset::DifficultyOfRow;
    /// let of = |quantile| DifficultyOfRow { quantile: Some(quantile), ..DifficultyOfRow::default() }.fifth();
    /// assert_eq!([0, 19, 20, 79, 80, 100].map(of), [0, 0, 1, 3, 4, 4].map(Some));
    /// assert_eq!(DifficultyOfRow::default().fifth(), None);
    /// ```
    pub fn fifth(&self) -> Option<usize> {
        let last = FIFTHS.len() - 1;
        self.quantile.map(|quantile| usize::try_from(quantile / 20).map_or(last, |fifth| fifth.min(last)))
    }
}

/// How difficult a question is, as rows have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct DifficultyOfRow {
    /// How often another answer became right.
    pub updates: Option<u64>,
    /// How many steps bear on the answer.
    pub bearing: Option<u64>,
    /// How many other steps lie between these.
    pub between: Option<u64>,
    /// How many steps lie after them.
    pub after: Option<u64>,
    /// How many shortcuts give the right answer.
    pub shortcuts_right: Option<u64>,
    /// At how many lower orders another answer is right.
    pub lower_orders_differ: Option<u64>,
    /// How many people there are.
    pub people: Option<u64>,
    /// How many places there are.
    pub places: Option<u64>,
    /// How many of a hundred stories of the storyboard are easier.
    pub quantile: Option<u64>,
}

impl Fields {
    /// The ids of the rows of its triplet, if it belongs to one, and which of them it is itself.
    ///
    /// ```
    /// use storysim::dataset::Fields;
    /// let triplet = ["b/0/0/0", "b/0/0-twin/0", "b/0/0-target/0"].map(str::to_owned);
    /// let fields = Fields { id: triplet[2].clone(), triplet: triplet.to_vec(), ..Fields::default() };
    /// assert_eq!(fields.trio(), Some((triplet, 2)));
    /// ```
    pub fn trio(&self) -> Option<([String; 3], usize)> {
        let ids: [String; 3] = self.triplet.clone().try_into().ok()?;
        let number = ids.iter().position(|id| *id == self.id)?;
        Some((ids, number))
    }
}

/// Stands for a label that is missing, until [`Fields::of`] finds it by the answer.
const fn missing() -> usize {
    usize::MAX
}

/// A name as readers see it, and as the storyboard writes it.
#[derive(Deserialize)]
struct ShownName {
    shown: String,
    written: String,
}

fn shown_and_written<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, String>, D::Error> {
    let names = Option::<Vec<ShownName>>::deserialize(from)?.unwrap_or_default();
    Ok(names.into_iter().map(|ShownName { shown, written }| (shown, written)).collect())
}

fn none_if_null<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// In columns, entries that only other boards have are null; this drops them.
fn without_nulls<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, Value>, D::Error> {
    of_own_board(from)
}

fn of_own_board<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<BTreeMap<String, T>, D::Error> {
    let map = Option::<BTreeMap<String, Option<T>>>::deserialize(from)?.unwrap_or_default();
    Ok(map.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
}

/// In columns, an object whose names differ from story to story is written out as text.
fn object_or_text<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, String>, D::Error> {
    let object = match Value::deserialize(from)? {
        Value::Null => return Ok(BTreeMap::new()),
        Value::String(text) => serde_json::from_str(&text),
        object => serde_json::from_value(object),
    };
    object.map_err(serde::de::Error::custom)
}
