//! What a row says, as data.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::field::{DEED_COLUMNS, Fields, MOVE_COLUMNS, MatterOfRow};
use super::prompt::Asked;
use super::stored::StoredRow;
use crate::form::QuestionKind;

impl Fields {
    /// Takes a row apart into its fields.
    ///
    /// # Errors
    /// If it is not a JSON object, or a field is not what it should be. Fields may be missing; the label is then that of
    /// the answer.
    ///
    /// ```
    /// use storysim::dataset::{Fields, StoredRow};
    /// let row = |label: &str| StoredRow::Line(format!(r#"{{"answer":"b","choices":["a","b"]{label}}}"#));
    /// assert_eq!(Fields::of(&row("")).unwrap().label, 1);
    /// assert_eq!(Fields::of(&row(r#","label":77"#)).unwrap().label, 77);
    /// assert_eq!(Fields::of(&row(r#","label":77.0"#)).unwrap().label, 77); // as some tables write it
    /// assert!(Fields::of(&row(r#","label":0.5"#)).is_err());
    /// ```
    pub fn of(row: &StoredRow) -> Result<Self, serde_json::Error> {
        let mut fields = Self::as_written(row)?;
        if fields.label == usize::MAX {
            fields.label = fields.choices.iter().position(|choice| *choice == fields.answer).unwrap_or(0);
        }
        fields.events.iter_mut().for_each(make_list);
        Ok(fields)
    }

    fn as_written(row: &StoredRow) -> Result<Self, serde_json::Error> {
        match row {
            StoredRow::Line(line) => {
                // Some editors put a mark before the first line.
                let line = line.strip_prefix('\u{feff}').unwrap_or(line);
                // A list of values would be taken for those of the fields, one after another.
                if !line.trim_start().starts_with('{') {
                    return Err(serde::de::Error::custom("it is not a JSON object"));
                }
                serde_json::from_str(line).or_else(|error| with_whole_numbers(line).ok_or(error))
            }
            StoredRow::Columns(value) => {
                let mut fields = Self::deserialize(value)?;
                // A column holds text; an object in it is written out.
                let object = fields.start.as_str().and_then(|text| serde_json::from_str(text).ok());
                if let Some(object) = object.filter(Value::is_object) {
                    fields.start = object;
                }
                Ok(fields)
            }
        }
    }

    /// What a prompt takes of the row.
    pub fn asked(&self) -> Asked {
        Asked {
            context: self.context.clone(),
            story: self.story.clone(),
            question: self.question.clone(),
            answer: self.answer.clone(),
            choices: self.choices.clone(),
        }
    }

    /// A name as readers see it, given as the storyboard writes it.
    ///
    /// ```
    /// use storysim::dataset::Fields;
    /// let names = [("the hall".to_owned(), "the_hall".to_owned())].into();
    /// let row = Fields { names, ..Fields::default() };
    /// assert_eq!((row.shown("the_hall"), row.shown("attic")), ("the hall", "attic"));
    /// ```
    pub fn shown<'n>(&'n self, written: &'n str) -> &'n str {
        let found = self.names.iter().find(|(_, name)| *name == written);
        found.map_or(written, |(shown, _)| shown)
    }

    /// The same row, with every name as readers see it, in all fields.
    #[must_use]
    pub fn as_shown(mut self) -> Self {
        let names = std::mem::take(&mut self.names);
        let shown: BTreeMap<&str, &str> =
            names.iter().map(|(shown, written)| (written.as_str(), shown.as_str())).collect();
        let show = |name: &mut String| {
            if let Some(shown) = shown.get(name.as_str()) {
                *name = (*shown).to_owned();
            }
        };
        self.chain.iter_mut().for_each(show);
        show(&mut self.about);
        for matter in self.matters.values_mut() {
            matter.by.iter_mut().chain([&mut matter.to]).for_each(show);
        }
        let roles = std::mem::take(&mut self.roles).into_iter();
        self.roles = roles
            .map(|(mut name, role)| {
                show(&mut name);
                (name, role)
            })
            .collect();
        self.cast.values_mut().for_each(|value| show_all(value, &show));
        show_all(&mut self.start, &show);
        self.events.iter_mut().for_each(|event| show_all(event, &show));
        Self { names, ..self }
    }

    /// Where the target starts, as readers see it, if it is a character. Rows do not say where anything else starts. Only
    /// characters with a role are asked about, and `cast` names those.
    ///
    /// ```
    /// use storysim::dataset::Fields;
    /// let row = |about: &str| Fields {
    ///     about: about.into(),
    ///     start: "hall".into(),
    ///     cast: [("T".to_owned(), "Ann".into())].into(),
    ///     ..Fields::default()
    /// };
    /// assert_eq!((row("Ann").start_of_target(), row("marble").start_of_target()), (Some("hall"), None));
    /// ```
    pub fn start_of_target(&self) -> Option<&str> {
        if !self.cast.values().any(|name| name.as_str() == Some(&self.about)) {
            return None;
        }
        let start = match &self.start {
            Value::String(place) => place,
            start => start.get(&self.about)?.as_str()?,
        };
        Some(self.shown(start))
    }

    /// The kind of the question, whatever the moment that it asks about. `None` if storyboards have no such kind.
    ///
    /// ```
    /// use storysim::{dataset::Fields, form::QuestionKind};
    /// let row = |kind: &str| Fields { kind: kind.into(), ..Fields::default() };
    /// assert_eq!(row("knows_without").question_kind(), Some(QuestionKind::Knows));
    /// assert_eq!(row("guess").question_kind(), None);
    /// ```
    pub fn question_kind(&self) -> Option<QuestionKind> {
        let without_moment = ["_before", "_without"].iter().find_map(|moment| self.kind.strip_suffix(moment));
        let key = without_moment.unwrap_or(&self.kind);
        QuestionKind::ALL.iter().copied().find(|kind| kind.key() == key)
    }

    /// The matter that the question is about.
    ///
    /// ```
    /// use storysim::dataset::{Fields, MatterOfRow};
    /// let soup = MatterOfRow { level: 2, ..MatterOfRow::default() };
    /// let row = Fields { matters: [("soup".to_owned(), soup)].into(), ..Fields::default() };
    /// assert_eq!(row.matter_asked(), None);
    /// let row = Fields { matter: Some("soup".into()), ..row };
    /// assert_eq!(row.matter_asked().map(|matter| matter.level), Some(2));
    /// ```
    pub fn matter_asked(&self) -> Option<&MatterOfRow> {
        self.matters.get(self.matter.as_ref()?)
    }

    /// The role that the first person asked about has in the matter that the question is about.
    ///
    /// ```
    /// use storysim::dataset::Fields;
    /// let roles = [("Ann".to_owned(), "liar".to_owned()), ("Bob".to_owned(), "target".to_owned())];
    /// let row = Fields { roles: roles.into(), chain: vec!["Bob".into(), "Ann".into()], ..Fields::default() };
    /// assert_eq!(row.role_asked(), Some("target"));
    /// ```
    pub fn role_asked(&self) -> Option<&str> {
        self.roles.get(self.chain.first()?).map(String::as_str)
    }

    /// The id that all rows of one story share: the row's id without the number of the question.
    pub fn story_id(&self) -> &str {
        self.id.rsplit_once('/').map_or(&self.id, |(story, _)| story)
    }

    /// The value of a parameter, if it is a number.
    pub fn parameter(&self, name: &str) -> Option<i64> {
        self.params.get(name)?.as_i64()
    }
}

/// Writes an event in columns as the list that it is in rows; what is no text there is JSON in its column.
fn make_list(event: &mut Value) {
    let Value::Object(columns) = event else { return };
    let names = if columns.contains_key("place") { MOVE_COLUMNS } else { DEED_COLUMNS };
    let as_in_rows = |value: Value| {
        let read = value.as_str().filter(|text| text.starts_with(['{', '[']));
        read.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(value)
    };
    let values = names.iter().map_while(|name| columns.remove(*name).filter(|value| !value.is_null()));
    *event = values.map(as_in_rows).collect();
}

/// The fields of a row in which whole numbers are written as `6.0`: in a table, as that of pandas, a column of numbers has
/// fractions as soon as one of them is missing.
fn with_whole_numbers(line: &str) -> Option<Fields> {
    let mut value = serde_json::from_str(line).ok()?;
    make_whole(&mut value);
    Fields::deserialize(&value).ok()
}

/// Writes whole numbers without a fraction, as far as floating point tells them apart.
fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let whole = number.as_f64().filter(|_| number.is_f64());
            if let Some(whole) = whole.filter(|whole| whole.fract() == 0.0 && whole.abs() < 2_f64.powi(53)) {
                *value = Value::from(whole as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_whole),
        Value::Object(entries) => entries.values_mut().for_each(make_whole),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Changes every text in a value, and the keys of objects.
fn show_all(value: &mut Value, show: &impl Fn(&mut String)) {
    match value {
        Value::String(text) => show(text),
        Value::Array(items) => items.iter_mut().for_each(|item| show_all(item, show)),
        Value::Object(entries) => {
            let shown = std::mem::take(entries).into_iter().map(|(mut key, mut value)| {
                show(&mut key);
                show_all(&mut value, show);
                (key, value)
            });
            *entries = shown.collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
