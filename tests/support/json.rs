//! What stands in rows.

use serde_json::Value;

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

pub fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(text).collect()
}
