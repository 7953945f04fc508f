//! What stands in rows.

use std::collections::HashMap;

use serde_json::Value;

/// The keys of a row without events, in order: the contract with those who read rows.
pub const KEYS: [&str; 23] = [
    "id",
    "board",
    "seed",
    "index",
    "params",
    "names",
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

/// A row with every name as its readers see it: what the storyboard writes is put as `names` say.
pub fn shown(row: &Value) -> Value {
    let names = row["names"].as_array().unwrap().iter();
    let names: HashMap<&str, &str> = names.map(|pair| (text(&pair[1]), text(&pair[0]))).collect();
    let mut row = row.clone();
    for field in ["cast", "start", "chain", "about", "events"] {
        if let Some(value) = row.get_mut(field) {
            show(value, &names);
        }
    }
    row
}

fn show(value: &mut Value, names: &HashMap<&str, &str>) {
    let shown = |name: &str| {
        let parts = name.split(" likes ").map(|part| *names.get(part).unwrap_or(&part));
        parts.collect::<Vec<&str>>().join(" likes ")
    };
    match value {
        Value::String(name) => *name = shown(name),
        Value::Array(list) => list.iter_mut().for_each(|value| show(value, names)),
        Value::Object(map) => {
            let mut old = std::mem::take(map);
            old.values_mut().for_each(|value| show(value, names));
            map.extend(old.into_iter().map(|(key, value)| (shown(&key), value)));
        }
        _ => {}
    }
}
