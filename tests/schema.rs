//! The JSON Schema says what the reader does: it accepts what is read, and knows the same keys.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use storysim::diagnostic::Source;
use storysim::storyboard::{BUILT_IN, KNOWN_KEYS, SCHEMA, built_in_pools, parse};

mod boards;

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

fn validator() -> jsonschema::Validator {
    jsonschema::validator_for(&schema()).unwrap()
}

fn as_json(yaml: &str) -> Option<Value> {
    serde_yaml::from_str(yaml).ok()
}

#[test]
fn accepts_the_built_in_boards() {
    let validator = validator();
    for board in BUILT_IN {
        let json = as_json(board.text).unwrap();
        let errors: Vec<String> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", board.name);
    }
}

#[test]
fn knows_the_keys_that_the_reader_knows() {
    let schema = schema();
    let defs = &schema["$defs"];
    for (what, _, keys) in KNOWN_KEYS {
        let object = match *what {
            "storyboard" => &schema,
            "characters" => &schema["properties"]["characters"],
            "bind" => &schema["properties"]["bind"]["additionalProperties"],
            "event" => &defs["event"],
            "goal" => &defs["goal"],
            "question" => &defs["question"],
            verb => &defs["event"]["properties"][verb],
        };
        let known: BTreeSet<&str> =
            object["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(known, keys.iter().copied().collect(), "{what}");
        assert_eq!(object["additionalProperties"], false, "{what}");
    }
    let pools = &schema["properties"]["characters"]["properties"]["pool"]["oneOf"];
    for pool in built_in_pools() {
        assert!(pools.as_array().unwrap().iter().any(|option| option["const"] == pool), "{pool}");
    }
}

/// What the reader refuses for its form, the schema refuses, too.
#[test]
fn refuses_wrong_forms() {
    let validator = validator();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    for name in [
        "misspelt-key",
        "misspelt-event-key",
        "no-such-version",
        "missing-keys",
        "not-a-map",
        "bad-name",
        "two-verbs",
        "at-and-from",
        "no-time",
        "move-in-a-window",
        "unknown-question",
        "belief-without-a-mind",
        "meeting-of-one",
        "no-such-pool",
        "names-of-wrong-kinds",
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.yaml"))).unwrap();
        let json = as_json(&text).unwrap();
        assert!(!validator.is_valid(&json), "{name}");
    }
}

proptest! {
    #[test]
    fn accepts_what_is_read(text in boards::boards(2..=6, 2..=5, 4..=14)) {
        let is_read = parse(Source { name: "test".into(), text: text.clone() }).is_ok();
        prop_assert!(is_read);
        let json = as_json(&text).unwrap();
        prop_assert!(validator().is_valid(&json), "{}", text);
    }
}
