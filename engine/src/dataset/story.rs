//! One JSON object a story: what its rows have in common once, and a list of its questions.
//!
//! ```text
//! rows     {"id":"b/7/42/0","board":"b",…,"story":"…","question":"Where …","answer":"hall",…}
//!          {"id":"b/7/42/1","board":"b",…,"story":"…","question":"Who …","answer":"Ann",…}
//! story    {"id":"b/7/42","board":"b",…,"story":"…","questions":[{"id":"b/7/42/0","question":"Where …",…},{"id":"b/7/42/1",…}]}
//! ```
//!
//! Nothing is lost: [`spread`] makes of a story the very rows that [`gather`] made it from. Where a story is told in two ways,
//! of people and of things, each telling is an object of its own.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::field::{FIELDS, Field};
use crate::form::QuestionKind;

/// The key of a story's list of questions.
pub const QUESTIONS: &str = "questions";

/// What one row of a dataset is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// One question of a story.
    #[default]
    Question,
    /// A story with all of its questions.
    Story,
}

impl Unit {
    /// Both units.
    pub const ALL: [Self; 2] = [Self::Question, Self::Story];

    /// The name of the unit on the command line and in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Question => "questions",
            Self::Story => "stories",
        }
    }
}

impl std::str::FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|unit| unit.name() == text);
        named.ok_or_else(|| format!("a row is one of `questions` or `stories`, not of `{text}`"))
    }
}

/// The members of a JSON object as they stand in its text, in order.
struct Members<'a>(Vec<Member<'a>>);

#[derive(Clone, Copy)]
struct Member<'a> {
    name: &'a str,
    value: &'a str,
    /// Whether all rows of a story have it in common.
    is_of_story: bool,
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct OfObject;

        impl<'de> Visitor<'de> for OfObject {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut members = Vec::with_capacity(FIELDS.len());
                let mut next = 0;
                while let Some((name, value)) = map.next_entry::<&str, &RawValue>()? {
                    // Rows have their fields in order, so the next is seldom far.
                    let is_it = |field: &Field| field.name == name;
                    let later = FIELDS[next..].iter().position(is_it).map(|after| next + after);
                    let field = later.or_else(|| FIELDS.iter().position(is_it));
                    next = field.map_or(next, |at| at + 1);
                    let is_of_story = field.is_some_and(|at| FIELDS[at].is_shared);
                    members.push(Member { name, value: value.get(), is_of_story });
                }
                Ok(Members(members))
            }
        }

        from.deserialize_map(OfObject)
    }
}

impl<'a> Members<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|member| member.name == name).map(|member| member.value)
    }

    /// What all rows of the story have in common, or what they have not.
    fn shared(&self, is_shared: bool) -> impl Iterator<Item = (&'a str, &'a str)> + '_ {
        let members = self.0.iter().filter(move |member| member.is_of_story == is_shared);
        members.map(|member| (member.name, member.value))
    }

    fn all(&self) -> impl Iterator<Item = (&'a str, &'a str)> + '_ {
        self.0.iter().map(|member| (member.name, member.value))
    }

    /// The text of an id without its quotes. Ids need no escapes.
    fn id(&self) -> &'a str {
        self.get("id").map_or("", |id| id.trim_matches('"'))
    }
}

/// Appends, for the rows of stories, one line for each telling of a story. Returns the number of lines.
///
/// Costs reading the rows.
///
/// # Panics
/// If a line is not a row.
///
/// ```
/// use storysim::dataset::{gather, spread};
/// let rows = "{\"id\":\"b/7/42/0\",\"board\":\"b\",\"story\":\"Ann waits.\",\"question\":\"Who?\"}\n\
///             {\"id\":\"b/7/42/1\",\"board\":\"b\",\"story\":\"Ann waits.\",\"question\":\"Why?\"}\n";
/// let mut story = String::new();
/// assert_eq!(gather(rows, &mut story), 1);
/// let questions = r#"[{"id":"b/7/42/0","question":"Who?"},{"id":"b/7/42/1","question":"Why?"}]"#;
/// assert_eq!(story, format!("{{\"id\":\"b/7/42\",\"board\":\"b\",\"story\":\"Ann waits.\",\"questions\":{questions}}}\n"));
/// assert_eq!(spread(story.trim_end()).unwrap().unwrap(), rows.lines().collect::<Vec<_>>());
/// ```
pub fn gather(rows: &str, stories: &mut String) -> usize {
    let rows: Vec<Members<'_>> =
        rows.lines().map(|row| serde_json::from_str(row).expect("a row is JSON")).collect();
    let mut tellings: Vec<Vec<&Members<'_>>> = Vec::new();
    for row in &rows {
        match tellings.iter_mut().find(|telling| telling[0].shared(true).eq(row.shared(true))) {
            Some(telling) => telling.push(row),
            None => tellings.push(vec![row]),
        }
    }
    for telling in &tellings {
        stories.push_str("{\"id\":\"");
        stories.push_str(&id_of_telling(telling[0]));
        stories.push('"');
        for (name, value) in telling[0].shared(true) {
            push_member(stories, name, value);
        }
        stories.push_str(",\"questions\":");
        let mut separator = '[';
        for row in telling {
            stories.push(separator);
            push_object(stories, row.shared(false));
            separator = ',';
        }
        stories.push_str("]}\n");
    }
    tellings.len()
}

/// The id of a row without the number of its question. The telling of things has a mark.
fn id_of_telling(row: &Members<'_>) -> String {
    let story = row.id().rsplit_once('/').map_or(row.id(), |(story, _)| story);
    let kind = row.get("kind").unwrap_or("").trim_matches('"');
    let mark = if kind == QuestionKind::WorldThings.key() { "/things" } else { "" };
    format!("{story}{mark}")
}

/// A row with other values of some fields, which are JSON. Fields that it did not have stand where rows have them; all else stays,
/// byte for byte.
///
/// # Errors
/// If it is not a JSON object.
///
/// ```
/// use storysim::dataset::with_values;
/// let row = r#"{"id":"b/7/42/0","story":"Ann waits.","question":"Who?","mine":1}"#;
/// let changed = with_values(row, &[("story", "\"Bob waits.\"".into()), ("reworded", "1".into())]).unwrap();
/// assert_eq!(changed, r#"{"id":"b/7/42/0","story":"Bob waits.","reworded":1,"question":"Who?","mine":1}"#);
/// ```
pub fn with_values(row: &str, values: &[(&str, String)]) -> serde_json::Result<String> {
    let mut members: Members<'_> = serde_json::from_str(row)?;
    let number = |name: &str| FIELDS.iter().position(|field| field.name == name);
    for (name, value) in values {
        if let Some(known) = members.0.iter_mut().find(|member| member.name == *name) {
            known.value = value;
            continue;
        }
        let later = members.0.iter().position(|member| number(member.name) > number(name));
        let is_of_story = Field::is_of_story(name);
        members.0.insert(later.unwrap_or(members.0.len()), Member { name, value, is_of_story });
    }
    let mut changed = String::new();
    push_object(&mut changed, members.all());
    Ok(changed)
}

/// The rows of a story that [`gather`] made; `None` if the line is a row itself.
///
/// # Errors
/// If it is not a story that can be read.
pub fn spread(line: &str) -> Option<serde_json::Result<Vec<String>>> {
    // In a text, there would be a backslash before each quote.
    if !line.contains("\"questions\":[") {
        return None;
    }
    let read = || {
        let story: Members<'_> = serde_json::from_str(line)?;
        let questions = story.get(QUESTIONS).ok_or_else(|| de::Error::missing_field(QUESTIONS))?;
        let questions: Vec<Members<'_>> = serde_json::from_str(questions)?;
        Ok(questions.iter().map(|question| row_of(&story, question)).collect())
    };
    Some(read())
}

/// The row of one question of a story: its fields in their order, then what else there is.
fn row_of(story: &Members<'_>, question: &Members<'_>) -> String {
    let known = FIELDS.iter().map(|field| field.name);
    let of_row = known.filter_map(|name| {
        let of = if Field::is_of_story(name) { [story, question] } else { [question, story] };
        of[0].get(name).or_else(|| of[1].get(name)).map(|value| (name, value))
    });
    let is_other =
        |(name, _): &(&str, &str)| *name != QUESTIONS && FIELDS.iter().all(|field| field.name != *name);
    let others = story.all().chain(question.all()).filter(is_other);
    let mut row = String::new();
    push_object(&mut row, of_row.chain(others));
    row
}

/// The rows of a story in columns; `None` if these are the columns of a row.
pub(super) fn spread_columns(story: &Value) -> Option<Vec<Value>> {
    let questions = story.get(QUESTIONS)?.as_array()?;
    let row = |question: &Value| {
        let mut row = story.as_object()?.clone();
        row.remove(QUESTIONS);
        row.extend(question.as_object()?.clone());
        Some(Value::Object(row))
    };
    questions.iter().map(row).collect()
}

fn push_object<'v>(text: &mut String, members: impl Iterator<Item = (&'v str, &'v str)>) {
    let begin = text.len();
    members.for_each(|(name, value)| push_member(text, name, value));
    if text.len() == begin {
        text.push('{');
    } else {
        text.replace_range(begin..=begin, "{");
    }
    text.push('}');
}

/// Appends a member, with a comma before it.
fn push_member(text: &mut String, name: &str, value: &str) {
    text.push_str(",\"");
    text.push_str(name);
    text.push_str("\":");
    text.push_str(value);
}
