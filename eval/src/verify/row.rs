//! The parts of a row that are derived again.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use crate::spelling::shown;

/// A row, read from its text. All fields must be there.
#[derive(Debug, Deserialize)]
pub struct Row<'a> {
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    #[serde(borrow)]
    pub board: Cow<'a, str>,
    pub seed: u64,
    pub index: u64,
    /// Who plays each role, under the name that the story has for her; and the places of binds.
    pub cast: BTreeMap<String, String>,
    #[serde(borrow)]
    pub story: Cow<'a, str>,
    #[serde(borrow)]
    pub question: Cow<'a, str>,
    #[serde(borrow)]
    pub answer: Cow<'a, str>,
    pub choices: Vec<String>,
    pub label: usize,
    #[serde(borrow)]
    pub kind: Cow<'a, str>,
    pub order: usize,
    pub chain: Vec<String>,
    #[serde(borrow)]
    pub about: Cow<'a, str>,
    /// The fields that only rows of stories with matters have.
    #[serde(default)]
    pub matters: Option<BTreeMap<String, Matter>>,
    #[serde(default, deserialize_with = "given")]
    pub matter: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    pub roles: Option<Option<BTreeMap<String, String>>>,
    #[serde(deserialize_with = "nullable")]
    pub truth: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub false_belief: Option<bool>,
    #[serde(deserialize_with = "nullable")]
    pub mislead_distance: Option<usize>,
    pub foils: Foils,
    /// The only people about whom it is asked, or who were with the target.
    #[serde(default)]
    pub of: Option<Vec<String>>,
    /// The matters that have to have other answers.
    #[serde(default)]
    pub unlike: Option<Vec<String>>,
    #[serde(borrow, default)]
    pub context: Cow<'a, str>,
    /// Where the names of places are drawn for each story: each as readers see it, and as the storyboard writes it.
    #[serde(default)]
    pub names: Vec<[String; 2]>,
    /// The fields that only rows of boards with scenarios have.
    #[serde(default)]
    pub scenario: Option<usize>,
    #[serde(default)]
    pub state: Option<String>,
    #[serde(default)]
    pub linked: Option<Vec<String>>,
    #[serde(default)]
    pub caused_by: Option<Vec<usize>>,
    #[serde(default)]
    pub rules: Option<String>,
    /// Whether the row has events, and the field that only rows of boards with lives have then.
    #[serde(default)]
    pub events: Option<IgnoredAny>,
    #[serde(default)]
    pub lives: Option<Vec<Vec<usize>>>,
}

impl Row<'_> {
    /// Gives places the names that the storyboard writes, where others are drawn for each story.
    pub fn name_places_as_written(&mut self) {
        let as_written = |name: &str| {
            let known = self.names.iter().find(|[drawn, _]| drawn == name);
            known.map(|[_, written]| shown(written).into_owned())
        };
        if let Some(answer) = as_written(&self.answer) {
            self.answer = answer.into();
        }
        let others = self.choices.iter_mut().chain(&mut self.truth).chain(&mut self.foils.lower_order);
        others.for_each(|name| *name = as_written(name).unwrap_or_else(|| std::mem::take(name)));
    }
}

/// What a row says of a matter, except in the words of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Matter {
    pub thing: String,
    pub pack: String,
    pub class: String,
    #[serde(rename = "type")]
    pub lie_type: String,
    pub level: u8,
    pub lie: bool,
    pub by: Vec<String>,
    pub to: String,
    pub why: String,
}

/// The foils of a row, of which only those are read that follow from a definition.
#[derive(Debug, Deserialize)]
pub struct Foils {
    #[serde(deserialize_with = "nullable")]
    pub lower_order: Option<String>,
    /// The foils that only rows of boards with scenarios have.
    #[serde(default)]
    pub all_heard: Option<String>,
    #[serde(default)]
    pub last_turn: Option<String>,
    #[serde(default)]
    pub scenario_before: Option<String>,
}

/// Reads a field that may be null, or missing, which is something else.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// Reads a field that may be null but not missing.
fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(from)
}
