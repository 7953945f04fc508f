//! What stands in rows.

use serde_json::Value;

/// The keys of a row without events, in order: the contract with those who read rows.
pub const KEYS: [&str; 22] = [
    "id",
    "board",
    "seed",
    "index",
    "params",
    "cast",
    "start",
    "context",
    "story",
    "question",
    "answer",
    "choices",
    "label",
    "kind",
    "order",
    "chain",
    "about",
    "truth",
    "false_belief",
    "mislead_distance",
    "evidence",
    "foils",
];

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

pub fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(text).collect()
}
