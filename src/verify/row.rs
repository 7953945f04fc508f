//! The parts of a row that are derived again.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};

/// A row, read from its text. All fields must be there.
#[derive(Debug, Deserialize)]
pub struct Row<'a> {
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    #[serde(borrow)]
    pub board: Cow<'a, str>,
    pub seed: u64,
    pub index: u64,
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
    #[serde(deserialize_with = "nullable")]
    pub truth: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub false_belief: Option<bool>,
    #[serde(deserialize_with = "nullable")]
    pub mislead_distance: Option<usize>,
    pub foils: Foils,
    /// The only people about whom it is asked.
    #[serde(default)]
    pub of: Option<Vec<String>>,
    /// The matters that have to have other answers.
    #[serde(default)]
    pub unlike: Option<Vec<String>>,
}

/// The foils of a row, of which only the one that is a belief is read.
#[derive(Debug, Deserialize)]
pub struct Foils {
    #[serde(deserialize_with = "nullable")]
    pub lower_order: Option<String>,
}

/// Reads a field that may be null but not missing.
fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(from)
}
