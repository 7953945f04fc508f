//! Data from elsewhere: which column holds what.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde_json::Value;

use super::case::{self, Case, Group};
use super::itinerary::Itinerary;
use crate::diagnostic::closest;

/// The parts of a case that a column can hold.
const PARTS: [&str; 11] = [
    "story", "story-id", "question", "choices", "answer", "label", "board", "kind", "chain", "about", "start",
];

/// Which column holds which part, as in `story=text,question=ask,choices=options,answer=gold`.
///
/// A column of JSON may be nested: `meta.answer`, `options.0`. Choices may have a column each (`choices=a+b+c`) or
/// share one, as a JSON list or with a separator between them.
///
/// ```
/// use storysim::audit::Mapping;
/// let mapping: Mapping = "story=text,choices=a+b,label=gold".parse().unwrap();
/// let record = serde_json::json!({"text": "Ann goes.", "a": "yes", "b": "no", "gold": "B"});
/// let case = mapping.case(&record).unwrap();
/// assert_eq!((case.choices[1].as_str(), case.label), ("no", 1));
/// assert!("choices=a+b".parse::<Mapping>().is_err(), "no answer");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    columns: BTreeMap<&'static str, String>,
    /// The separator between several values in one column.
    separator: String,
}

impl FromStr for Mapping {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut columns = BTreeMap::new();
        for pair in text.split(',') {
            let Some((part, column)) = pair.split_once('=').filter(|(_, column)| !column.is_empty()) else {
                return Err(format!("`{pair}` is not of the form PART=COLUMN"));
            };
            let Some(part) = PARTS.iter().copied().find(|known| *known == part.trim()) else {
                let meant = closest(part.trim(), PARTS);
                let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
                return Err(format!("`{part}` is not one of {}{meant}", PARTS.join(", ")));
            };
            if columns.insert(part, column.trim().to_owned()).is_some() {
                return Err(format!("`{part}` is given twice"));
            }
        }
        if !columns.contains_key("choices") {
            return Err("name the column that holds the `choices`".into());
        }
        if columns.contains_key("answer") == columns.contains_key("label") {
            return Err("name the column that holds either the `answer` or its `label`".into());
        }
        Ok(Self { columns, separator: "|".into() })
    }
}

impl Mapping {
    /// Sets the separator between several values in one column, instead of `|`.
    pub fn separated_by(self, separator: &str) -> Self {
        Self { separator: separator.to_owned(), ..self }
    }

    /// Makes a case of a record, an object that maps columns to values.
    ///
    /// # Errors
    /// If a column is missing or holds something that is not possible.
    pub fn case(&self, record: &Value) -> Result<Case, String> {
        let choices = self.choices(record)?;
        let label = self.label(record, &choices)?;
        case::check(&choices, label)?;
        let list = |part: &str| -> Result<Vec<String>, String> {
            Ok(self.value(record, part)?.map(|value| self.list(value)).unwrap_or_default())
        };
        let text = |part: &str| -> Result<String, String> {
            Ok(self.value(record, part)?.map(plain).unwrap_or_default())
        };
        let (story, about, chain) = (text("story")?, text("about")?, list("chain")?);
        let start = self.value(record, "start")?.cloned().unwrap_or_default();
        let names: Vec<&str> =
            chain.iter().chain([&about]).map(String::as_str).filter(|name| !name.is_empty()).collect();
        let places: Vec<&str> = choices.iter().map(String::as_str).collect();
        let mut itinerary = Itinerary::of_sentences(&story, &start, &names, &places, &[]);
        if let Some(told) = &mut itinerary {
            told.begin_all(&start, names.iter().copied());
        }
        let mut known: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        known.extend(itinerary.iter().flat_map(Itinerary::names).cloned());
        let kind = text("kind")?;
        let kind = if kind.is_empty() { "question".to_owned() } else { kind };
        let board = text("board")?;
        let story_id = Some(text("story-id")?).filter(|id| !id.is_empty()).map(|id| format!("{board}\0{id}"));
        // Where there is no story, each record is one.
        let unit = story_id.clone().or_else(|| story.is_empty().then(|| record.to_string()));
        Ok(Case {
            unit,
            story_id,
            group: Group { board, question: None, kind, order: chain.len() },
            question: text("question")?,
            names: known,
            company: chain,
            story,
            about,
            choices,
            label,
            itinerary,
            ..Case::default()
        })
    }

    /// The value in a part's column; `None` if the part has no column, or the value is null.
    fn value<'r>(&self, record: &'r Value, part: &str) -> Result<Option<&'r Value>, String> {
        match self.columns.get(part) {
            None => Ok(None),
            Some(column) => Ok(Some(at(record, column)?).filter(|value| !value.is_null())),
        }
    }

    fn choices(&self, record: &Value) -> Result<Vec<String>, String> {
        let column = &self.columns["choices"];
        if let Ok(value) = at(record, column) {
            return Ok(self.list(value));
        }
        if !column.contains('+') {
            return Err(no_column(record, column));
        }
        let values: Result<Vec<&Value>, String> =
            column.split('+').map(|column| at(record, column)).collect();
        Ok(values?
            .into_iter()
            .filter(|value| !value.is_null())
            .map(plain)
            .filter(|text| !text.is_empty())
            .collect())
    }

    fn label(&self, record: &Value, choices: &[String]) -> Result<usize, String> {
        if let Some(value) = self.value(record, "answer")? {
            let answer = plain(value);
            let found = choices.iter().position(|choice| *choice == answer);
            return found.ok_or_else(|| format!("its answer `{answer}` is not among its choices"));
        }
        let Some(value) = self.value(record, "label")? else { return Err("it has no answer".into()) };
        let label = plain(value);
        match label.as_bytes() {
            &[letter] if letter.is_ascii_alphabetic() => Ok(usize::from(letter.to_ascii_uppercase() - b'A')),
            _ => label.parse().map_err(|_| format!("its label `{label}` is neither a number nor a letter")),
        }
    }

    /// Several values in one: a list, a JSON list as text, or text with separators.
    fn list(&self, value: &Value) -> Vec<String> {
        if let Value::Array(items) = value {
            return items.iter().map(plain).collect();
        }
        let text = plain(value);
        if let Some(Value::Array(items)) =
            text.starts_with('[').then(|| serde_json::from_str(&text).ok()).flatten()
        {
            return items.iter().map(plain).collect();
        }
        text.split(self.separator.as_str())
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect()
    }
}

/// The value of a column, which is found under that very name or nested.
fn at<'r>(record: &'r Value, column: &str) -> Result<&'r Value, String> {
    if let Some(value) = record.get(column) {
        return Ok(value);
    }
    let deeper = column.split('.').try_fold(record, |value, part| match value {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        value => value.get(part),
    });
    deeper.ok_or_else(|| no_column(record, column))
}

fn no_column(record: &Value, column: &str) -> String {
    let names = record.as_object().into_iter().flat_map(|map| map.keys().map(String::as_str));
    let meant = closest(column, names).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    format!("it has no column `{column}`{meant}")
}

/// A value as plain text: strings as they are, lists as their words.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(" "),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn choices_stand_in_lists_in_columns_or_in_one() {
        let choices = |mapping: &str, record: Value| {
            let mapping: Mapping = mapping.parse().unwrap();
            mapping.case(&record).map(|case| (case.choices, case.label))
        };
        let wanted = Ok((vec!["x".to_owned(), "y".to_owned()], 1));
        assert_eq!(choices("choices=c,answer=a", json!({"c": ["x", "y"], "a": "y"})), wanted);
        assert_eq!(choices("choices=c,answer=a", json!({"c": "x | y", "a": "y "})), wanted);
        assert_eq!(choices("choices=c,answer=a", json!({"c": "[\"x\",\"y\"]", "a": "y"})), wanted);
        assert_eq!(choices("choices=c.1+c.0,label=l", json!({"c": ["y", "x"], "l": 1})), wanted);
        let wrong = choices("choices=c,answer=a", json!({"c": "x|y", "a": "z"}));
        assert_eq!(wrong.unwrap_err(), "its answer `z` is not among its choices");
        let wrong = choices("choices=c,answer=a", json!({"b": 1, "a": "z"}));
        assert!(wrong.unwrap_err().starts_with("it has no column `c`"));
        assert!(choices("choices=c,label=l", json!({"c": "x|y", "l": 7})).is_err());
    }

    #[test]
    fn mappings_are_refused_with_reasons() {
        let reason = |text: &str| text.parse::<Mapping>().unwrap_err();
        assert!(reason("storry=x").contains("did you mean `story`?"));
        assert!(reason("story").contains("PART=COLUMN"));
        assert!(reason("story=a,story=b").contains("twice"));
        assert!(reason("choices=a,answer=b,label=c").contains("or its `label`"));
    }
}
