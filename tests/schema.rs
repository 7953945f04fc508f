//! The JSON Schema says what the reader does: it accepts what is read, and knows the same keys.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use storysim::diagnostic::Source;
use storysim::storyboard::{BUILT_IN, KNOWN_KEYS, SCHEMA, Verb, built_in_pools, parse};

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
            "event" | "goal" | "question" | "container" | "object" | "proposition" | "hearers" => {
                &defs[*what]
            }
            "tell" | "lie" => &defs["telling"],
            "distracted" => &defs["event"]["properties"]["distracted"]["oneOf"][1],
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

/// A storyboard with every key that is about things and deeds, and every way to write its value.
const THINGS: &str = r#"
storysim: 1
name: things
characters: {pool: people, count: 6}
roles: [S1, S2, S3, T]
places: {complete: [kitchen, garden, hall]}
start: {S1: kitchen, S2: kitchen, else: garden}
bind: {first: {}}
horizon: 20
parameters: {chapters: 1}
containers: {basket: kitchen, box: {in: first, is: closed}, jar: {in: hall, is: open}}
objects: {marble: basket, ball: {in: [basket, box, S1, hall], known: [S1, S2]}, cap: {in: S2, known: none}, hat: [hall, jar]}
propositions:
  gift: {says: "the gift of {S1} is a bicycle", denies: "it is not", is: true, known: [S1], wrong: [S2]}
  rain: {says: "it rains in {first}", is: drawn, known: all}
  snow: {says: "it snows", is: false, known: S1, wrong: []}
attitudes: [painting, statue]
trust: later_leaver
play: {move: 5, take: 1, put: 1, move_object: 2, carry: 1, throw: 0, open: 1, close: 1, tell: chapters, whisper: 1, phone: 1, lie: 1, react: 1}
friends: {S1: [S2, S3], S2: S1, T: []}
events:
  - {at: 0, move: {who: [S1, S2], to: hall}}
  - {at: 1, carry: {who: S1, object: ball, to: garden}}
  - {at: 2, take: {who: S1}}
  - {at: 3, put: {who: S1, object: ball, in: box}}
  - {at: 4, move_object: {who: S2, object: marble, to: basket}}
  - {at: 5, throw: {who: S2, object: marble, to: first}}
  - {at: 6, open: {who: S2, container: box}}
  - {at: 7, close: {who: S2}}
  - {at: 8, tell: {who: S1, to: present, that: {marble: box}}}
  - {at: 9, lie: {who: S1, to: [S2, S3], that: gift}}
  - {at: 10, lie: {who: S1, to: {phone: S2}, that: {gift: false}}}
  - {at: 11, tell: {who: S1, to: S2, that: {T: first}}}
  - {at: 12, tell: {who: S3, to: {phone: [S2, T]}}}
  - {at: 13, react: {who: S1, to: painting}}
  - {at: 13, peek: S3}
  - {from: 14, for: 2, distracted: {who: [S3], noticed: true}}
  - {from: 14, until: 15, distracted: [T]}
  - {at: 3000, if: chapters - 1, move: {who: S1, to: hall}}
  - {from: 16, until: 18, follow: {who: S3, whom: T}}
ensure:
  - {holds: [S1, gift], is: true}
  - {holds: [S1, marble], in: box}
  - {false_belief: [S1, S2, marble]}
  - {mislead_distance: [S1, marble], is: 3}
questions:
  - {belief: [S1, marble], before: 5}
  - {reality: gift, without: 2}
  - {start: marble}
  - {knows: [S1, T]}
  - {who_knows: T}
  - {could_answer: [S1, gift]}
  - {could_answer: marble, before: chapters}
  - {following: S3}
  - {who_likes: [S1, painting]}
  - {who_dislikes: statue}
"#;

#[test]
fn accepts_all_that_is_about_things() {
    if let Err(broken) = parse(Source { name: "things".into(), text: THINGS.into() }) {
        panic!("{:?}", broken.problems);
    }
    let json = as_json(THINGS).unwrap();
    let errors: Vec<String> = validator().iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    // It has all of these keys, so that none is forgotten.
    for (what, _, keys) in KNOWN_KEYS {
        let is_walk = ["characters", "bind", "meet", "unseen", "avoid", "goal", "storyboard", "event"];
        for key in keys.iter().filter(|_| !is_walk.contains(what)) {
            let asks_company = ["world", "world_things"].contains(key);
            assert!(asks_company || THINGS.contains(&format!("{key}:")), "{what}: {key}");
        }
    }
    for verb in Verb::KEYS.iter().skip_while(|key| **key != "carry") {
        assert!(THINGS.contains(&format!("{verb}: ")), "{verb}");
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
        "container-ajar",
        "proposition-without-words",
        "no-such-trust",
        "no-such-play",
        "wrong-about-an-object",
        "take-in-a-window",
        "tell-nobody",
        "tell-two-things",
        "noticed-perhaps",
        "before-and-without",
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
