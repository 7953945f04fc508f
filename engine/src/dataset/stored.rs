//! A row as a file has it.

use serde_json::Value;

use super::field::{Column, DEED_COLUMNS, FIELDS, MOVE_COLUMNS, NAME_COLUMNS, Presence};
use super::story::{QUESTIONS, spread, spread_columns};

/// A row of a file, in the form in which it is stored.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredRow {
    /// A row as text.
    Line(String),
    /// A row as typed columns. What only other boards have is null, and values of varying type are text.
    Columns(Value),
}

impl StoredRow {
    /// The row's `id`; empty if it has none.
    pub fn id(&self) -> &str {
        match self {
            // Ids need no escapes, and come first.
            Self::Line(line) => {
                line.strip_prefix("{\"id\":\"").and_then(|rest| rest.split('"').next()).unwrap_or("")
            }
            Self::Columns(row) => row["id"].as_str().unwrap_or(""),
        }
    }

    /// The rows of its questions, if it is a row of a story; otherwise the row itself.
    ///
    /// # Errors
    /// If the row of a story cannot be read.
    pub fn spread(self) -> serde_json::Result<Vec<Self>> {
        match &self {
            Self::Line(line) => match spread(line) {
                Some(rows) => Ok(rows?.into_iter().map(Self::Line).collect()),
                None => Ok(vec![self]),
            },
            Self::Columns(columns) => match spread_columns(columns) {
                Some(rows) => Ok(rows.into_iter().map(Self::Columns).collect()),
                None => Ok(vec![self]),
            },
        }
    }

    /// Whether the row says the same as `line`, a row as text.
    pub fn says(&self, line: &str) -> bool {
        match self {
            Self::Line(own) => own == line,
            Self::Columns(own) => serde_json::from_str(line).is_ok_and(|row: Value| is_same_row(own, &row)),
        }
    }
}

/// Whether columns say the same as a row.
fn is_same_row(columns: &Value, row: &Value) -> bool {
    let (Some(columns), Some(row)) = (columns.as_object(), row.as_object()) else { return false };
    let of = |name: &str| FIELDS.iter().find(|field| field.name == name);
    let form = |name: &str| of(name).map(|field| field.column);
    // Of what only rows of other boards have there is a column, but no value.
    let is_of_board = |presence| {
        use Presence::{
            WithLength, WithLives, WithMatters, WithPeople, WithRetelling, WithScenarios, WithWording,
        };
        matches!(
            presence,
            WithMatters | WithPeople | WithScenarios | WithLives | WithWording | WithRetelling | WithLength
        )
    };
    let is_of_others = |name: &str, column: &Value| {
        column.is_null() && of(name).is_some_and(|field| is_of_board(field.presence))
    };
    let is_known = columns.iter().all(|(name, column)| row.contains_key(name) || is_of_others(name, column));
    is_known
        && row.iter().all(|(name, value)| match columns.get(name) {
            Some(column) if name == QUESTIONS => are_all_same(column, value, is_same_row),
            Some(column) => is_same_value(form(name), column, value),
            // No column where no board has parameters.
            None => {
                form(name) == Some(Column::Parameters)
                    && value.as_object().is_some_and(serde_json::Map::is_empty)
            }
        })
}

/// Whether a column says the same as the value of a field of this type.
fn is_same_value(form: Option<Column>, column: &Value, value: &Value) -> bool {
    match form {
        Some(Column::Parameters | Column::Cast | Column::Matters | Column::Foils) if value.is_object() => {
            is_same_object(column, value)
        }
        Some(Column::Start | Column::Roles) if value.is_object() => {
            column.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()).as_ref() == Some(value)
        }
        Some(Column::Names) => are_all_same(column, value, |column, value| {
            NAME_COLUMNS.iter().enumerate().all(|(at, name)| column[*name] == value[at])
        }),
        Some(Column::Events) => are_all_same(column, value, is_same_event),
        _ => column == value,
    }
}

/// Whether two lists are equal, element by element.
fn are_all_same(column: &Value, value: &Value, is_same: impl Fn(&Value, &Value) -> bool) -> bool {
    column.as_array().zip(value.as_array()).is_some_and(|(column, value)| {
        column.len() == value.len() && column.iter().zip(value).all(|(column, value)| is_same(column, value))
    })
}

/// Whether an object in columns equals an object in a row, ignoring nulls.
fn is_same_object(column: &Value, value: &Value) -> bool {
    let (Some(column), Some(value)) = (column.as_object(), value.as_object()) else { return false };
    value.iter().all(|(name, value)| column.get(name) == Some(value))
        && column.iter().all(|(name, column)| column.is_null() || value.contains_key(name))
}

/// Whether an event in columns equals an event in a list.
fn is_same_event(column: &Value, value: &Value) -> bool {
    let (Some(column), Some(value)) = (column.as_object(), value.as_array()) else { return false };
    let names = if column.contains_key("place") { MOVE_COLUMNS } else { DEED_COLUMNS };
    column.len() == names.len()
        && names.iter().enumerate().all(|(at, name)| match (&column[*name], value.get(at)) {
            (Value::Null, None) => true,
            (column, Some(value)) if column == value => true,
            (Value::String(text), Some(value)) if !value.is_string() => {
                serde_json::to_string(value).is_ok_and(|json| json == *text)
            }
            _ => false,
        })
}
