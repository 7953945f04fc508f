//! The JSON Schema says what the reader does: it accepts what is read, and knows the same keys.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use storysim::diagnostic::Source;
use storysim::form::{
    ActForm, ActKind, ConditionForm, ConditionKind, ConditionPartForm, ConditionSort, GoalTakes, GoalWord,
    Hardness, LIE, Play, QuestionKind, Shape, Sort, Takes,
};
use storysim::storyboard::{BUILT_IN, MapKeys, SCHEMA, Verb, built_in_pools, known_keys, parse};

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
        let json = as_json(board.text()).unwrap();
        let errors: Vec<String> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", board.name);
    }
}

#[test]
fn knows_the_keys_that_the_reader_knows() {
    let schema = schema();
    let defs = &schema["$defs"];
    for MapKeys { what, keys, .. } in known_keys() {
        let object = match *what {
            "storyboard" => &schema,
            "characters" | "hardest" => &schema["properties"][*what],
            "bind" => &schema["properties"]["bind"]["additionalProperties"],
            "event" | "goal" | "question" | "strand" | "container" | "object" | "proposition" | "matter"
            | "hearers" | "prospect" | "rules" | "scenarios" | "case" => &defs[*what],
            "tell" | "lie" => &defs["telling"],
            "difficulty" => &defs["difficulty"]["oneOf"][1],
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

/// A sentence of the form, with a capital letter.
fn sentence(text: String) -> String {
    let (first, rest) = text.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

fn refers(about: &str, to: &str) -> Value {
    json!({"description": about, "$ref": format!("#/$defs/{to}")})
}

fn map_of(about: &str, required: &[&str], properties: Map<String, Value>) -> Value {
    json!({
        "description": about, "type": "object", "additionalProperties": false, "required": required,
        "properties": properties,
    })
}

/// The schema of a deed, by its form.
fn of_deed(form: &ActForm) -> Value {
    if form.kind == ActKind::Turn {
        let parts = [
            ("who", refers("A role.", "identifier")),
            ("of", refers("A prospect.", "name")),
            (
                "to",
                refers("How it stands from then on; what is left out is drawn. Default: anything.", "case"),
            ),
        ];
        let parts = parts.map(|(key, value)| (key.to_owned(), value)).into_iter().collect();
        return map_of(form.about, &["who", "of"], parts);
    }
    if form.parts.iter().any(|part| part.sort == Sort::Telling) {
        return refers(form.about, "telling");
    }
    let who = match form.kind {
        ActKind::Go => refers("A role, or several.", "oneOrMore"),
        _ => refers("A role.", "identifier"),
    };
    let mut properties = Map::from_iter([("who".to_owned(), who)]);
    let mut required = vec!["who"];
    for part in form.parts {
        let noun = if part.sort == Sort::Place { "a place or a bind" } else { part.sort.noun() };
        let about = sentence(format!("{noun}. Default: {}.", part.left_out()));
        properties.insert(part.name.to_owned(), refers(&about, "name"));
    }
    if form.goes {
        properties.insert("to".to_owned(), refers("A place or a bind.", "name"));
        required.push("to");
    }
    map_of(form.about, &required, properties)
}

/// The schema of a condition, by its form.
fn of_condition(form: &ConditionForm) -> Value {
    let of_sort = |sort: ConditionSort| match sort {
        ConditionSort::People => "oneOrMore",
        ConditionSort::Company => "company",
        ConditionSort::Person => "identifier",
        ConditionSort::Place | ConditionSort::Anywhere => "name",
        ConditionSort::Flag => unreachable!("no reference"),
    };
    let of_part = |part: &ConditionPartForm| match part.sort {
        ConditionSort::Flag => json!({"description": part.about, "enum": [true, false]}),
        sort => refers(part.about, of_sort(sort)),
    };
    let required: Vec<&str> =
        form.parts.iter().filter(|part| part.is_required()).map(|part| part.name).collect();
    let properties = form.parts.iter().map(|part| (part.name.to_owned(), of_part(part))).collect();
    match form.shape {
        Shape::Bare => refers(form.about, of_sort(form.parts[0].sort)),
        Shape::Map => map_of(form.about, &required, properties),
        Shape::Either => {
            let mut map = map_of("", &required, properties);
            map.as_object_mut().unwrap().remove("description");
            let bare = json!({"$ref": format!("#/$defs/{}", of_sort(form.parts[0].sort))});
            json!({"description": form.about, "oneOf": [bare, map]})
        }
    }
}

fn one_of<'a>(keys: impl Iterator<Item = &'a str>) -> Value {
    keys.map(|key| json!({"required": [key]})).collect()
}

#[test]
fn events_are_as_their_forms_have_them() {
    let event = &schema()["$defs"]["event"];
    for key in ActForm::keys() {
        let form = ActForm::of_key(key).unwrap();
        let about =
            if key == LIE { "She says something that contradicts what she believes." } else { form.about };
        let mut expected = of_deed(form);
        expected["description"] = json!(about);
        assert_eq!(event["properties"][key], expected, "{key}: {expected:#}");
    }
    for form in ConditionKind::ALL.iter().map(|kind| kind.form()) {
        let expected = of_condition(form);
        assert_eq!(event["properties"][form.key], expected, "{}: {expected:#}", form.key);
    }
    assert_eq!(event["allOf"][0]["oneOf"], one_of(Verb::keys()));
    let conditions = ConditionKind::ALL.iter().map(|kind| kind.form()).filter(|form| form.is_of_step);
    let of_step = ActForm::keys().chain(conditions.map(|form| form.key)).chain(["note"]);
    assert_eq!(event["allOf"][2]["then"]["not"]["anyOf"], one_of(of_step));
    let play: Vec<&str> = Play::ALL.iter().map(|play| play.key()).collect();
    assert_eq!(schema()["properties"]["play"]["propertyNames"]["enum"], json!(play));
}

#[test]
fn goals_and_questions_are_as_their_forms_have_them() {
    let defs = &schema()["$defs"];
    let mut goals = Vec::new();
    for form in GoalWord::ALL.map(GoalWord::form) {
        let chains = json!({
            "description": form.about, "type": "array", "minItems": 2, "maxItems": 2,
            "items": {"$ref": "#/$defs/chain"},
        });
        let expected = match form.takes {
            GoalTakes::Two => chains,
            GoalTakes::Chain => refers(form.about, "chain"),
            GoalTakes::Difficulty => refers(form.about, "difficulty"),
        };
        assert_eq!(defs["goal"]["properties"][form.key], expected, "{expected:#}");
        if form.beside.is_empty() {
            goals.push(json!({"required": [form.key], "maxProperties": 1}));
        }
        if form.takes == GoalTakes::Difficulty {
            goals.push(json!({"required": [form.key, "question"], "maxProperties": 2}));
        }
        goals.extend(form.beside.iter().map(|key| json!({"required": [form.key, key], "maxProperties": 2})));
    }
    assert_eq!(defs["goal"]["oneOf"], json!(goals));
    let numbers = Hardness::ALL.map(|number| (number.key().to_owned(), json!({"$ref": "#/$defs/range"})));
    let numbers = numbers.into_iter().collect::<serde_json::Map<_, _>>();
    assert_eq!(defs["difficulty"]["oneOf"][1]["properties"], json!(numbers));
    for form in QuestionKind::ALL.iter().map(|kind| kind.form()) {
        let value = match (form.takes, form.kind) {
            (Takes::Chain, _) => "chain",
            (Takes::ChainOrTarget, _) => "oneOrMore",
            (Takes::Target, QuestionKind::Following) => "identifier",
            (Takes::Target, _) => "name",
        };
        let expected = refers(form.about, value);
        assert_eq!(defs["question"]["properties"][form.key], expected, "{expected:#}");
    }
    let kinds = QuestionKind::ALL.iter().map(|kind| kind.key());
    assert_eq!(defs["question"]["oneOf"], one_of(kinds.chain(["dynamics"])));
}

/// Every deed, condition, goal and kind of question has a row in the tables of `docs/storyboards.md`, and an example there
/// of a deed or a condition names all its parts. Keys that take the same parts may share a row.
#[test]
fn tables_of_the_format_have_every_form() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/storyboards.md");
    let docs = std::fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = docs.lines().filter_map(|line| line.strip_prefix("| `")).collect();
    let shows = |key: &str, parts: &[&str]| {
        rows.iter().any(|row| {
            let (example, rest) = row.split_once('`').unwrap();
            let is_of_key = example.contains(&format!("{key}: ")) || rest.contains(&format!("`{key}`"));
            is_of_key && parts.iter().all(|part| example.contains(&format!("{part}: ")))
        })
    };
    for key in ActForm::keys() {
        assert!(shows(key, &ActForm::of_key(key).unwrap().map_keys()), "{key}");
    }
    for form in ConditionKind::ALL.iter().map(|kind| kind.form()) {
        let parts: Vec<&str> = match form.shape {
            Shape::Map => form.parts.iter().map(|part| part.name).collect(),
            Shape::Bare | Shape::Either => Vec::new(),
        };
        assert!(shows(form.key, &parts), "{}", form.key);
    }
    for word in GoalWord::ALL {
        assert!(shows(word.form().key, &[]), "{}", word.form().key);
    }
    for kind in QuestionKind::ALL {
        assert!(shows(kind.key(), &[]), "{}", kind.key());
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
play: {move: 5, take: 1, put: 1, move_object: 2, carry: 1, throw: 0, open: 1, close: 1, tell: chapters, whisper: 1, phone: 1, lie: 1, react: 1, give: 1}
friends: {S1: [S2, S3], S2: S1, T: []}
hardest: {of: 10, by: updates, question: 0}
words: 100 * chapters
at_depth: 1/4
events:
  - {at: 0, move: {who: [S1, S2], to: hall}}
  - {at: 1, carry: {who: S1, object: ball, to: garden}}
  - {at: 2, take: {who: S1}}
  - {at: 3, put: {who: S1, object: ball, in: box}}
  - {at: 4, move_object: {who: S2, object: marble, to: basket}}
  - {at: 5, give: {who: S2, object: marble, to: S1}}
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
  - {difficulty: 20.., question: chapters - 1}
  - difficulty: {updates: 1..9, bearing: ..9, between: 0.., after: 0.., shortcuts_right: ..chapters, lower_orders_differ: 0, quantile: 0..100}
questions:
  - {belief: [S1, marble], before: 5}
  - {reality: gift, without: 2}
  - {start: marble, choices: [basket, box]}
  - {knows: [S1, T]}
  - {who_knows: T}
  - {could_answer: [S1, gift]}
  - {could_answer: marble, before: chapters}
  - {following: S3}
  - {who_likes: [S1, painting]}
  - {who_dislikes: statue}
"#;

/// A storyboard with every key that is about conversations, and every way to write its value.
const TALK: &str = r#"
storysim: 1
name: talk
characters: {pool: people, count: 5}
roles: [L, A, H, T]
groups: {guests: [A, H]}
places: {table: [away], away: [table]}
start: table
horizon: 20
parameters: {level: 2}
style: conversation
packs: [dinner, everyday]
matters:
  soup: {by: L, to: T}
  poem: {by: [L, A], to: T, level: level, is: sincere, class: mistake}
  m: {count: 3, by: L, to: T, level: 3, lies: level - 1, class: [mistake, comfort]}
play: {move: 1, tell: 1, lie: 1, chat: 2}
events:
  - {at: 1, reveal: {who: L, that: soup.reason}, with: [A, H], without: T}
  - {at: 2, if: 3 - level, reveal: {who: H, that: soup.truth}, with: A}
  - {at: 3, reveal: {who: L}}
  - {at: 4, tell: {who: L, to: present, that: {soup.claim: true}}, with: T}
  - {at: 5, chat: {who: H}, without: [T]}
questions:
  - {honest: soup}
  - {why: m1}
  - {present: soup.truth}
  - {stands: [A, H, soup.reason]}
  - {could_lie: soup}
  - {could_lie: [A, soup]}
  - {sees_through: poem}
  - {sees_through: [H, poem]}
  - {knows: [A, H, soup.reason.told]}
  - {belief: [guests, guests, matter.claim], unlike: 1}
  - {who_knows: matter.reason, of: [guests, guests], unlike: level + 1}
"#;

/// Storyboards with every key that is about news and scenarios, and every way to write its value.
const NEWS: [&str; 2] = [
    r#"
storysim: 1
name: news
characters: {pool: people, count: 4}
roles: [S1, S2, O]
profiles: {pool: profiles, S1: all, O: [surname, age, occupation, education, character], S2: age, between: [S1, O]}
places: {complete: 3, pool: settings}
start: drawn
prospects:
  news: {pool: prospects, by: [nobody, O, S1], wants: {S1: drawn, S2: 1}, decider: O}
  other: {by: O, wants: {S1: 2}, decider: S2}
rules: {pack: occ, told: no}
scenarios: {count: 2, steps: 8, small_talk: small-talk}
events:
  - {at: 2, turn: {who: O, of: news}}
  - {at: 5, turn: {who: O, of: news, to: {side: 1, by: S1, final: no}}}
  - {at: 6, turn: {who: O, of: other, to: {side: 2, is: likely}}}
  - {at: 7, tell: {who: S1, to: present, that: {news: {side: 1, is: settled, final: yes}}}}
questions:
  - {belief: [S1, news], in: 1}
  - {belief_in: [S2, S1, news], in: 2}
  - {emotion: [S1, news], in: 1}
  - {intention: [S1, news], in: 1}
  - {action: [S1, other], in: 2}
  - {changed: [S1, news], state: emotion, in: 2}
  - {cause: [S1, news], state: intention, in: 2}
  - {influence: [S1, news], on: action, in: 2}
  - {course: [S1, news], state: belief}
"#,
    r#"
storysim: 1
name: lives
characters: {pool: people, count: 4}
roles: [S1, S2, O]
places: {complete: [hall, yard, attic]}
start: hall
prospects: {news: {by: [nobody, O, S1], wants: {S1: drawn}, decider: O}}
rules: occ
scenarios: {count: 2, turns: 4, of: news, by: O, for: S1, between: 3, past: 50, small_talk: none}
questions: [{dynamics: [S1, news]}]
"#,
];

/// Both the reader and the schema accept a storyboard.
fn accept(text: &str) {
    if let Err(broken) = parse(Source { name: "board".into(), text: text.into() }) {
        panic!("{:?}", broken.problems);
    }
    let json = as_json(text).unwrap();
    let errors: Vec<String> = validator().iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn accepts_all_that_is_about_news() {
    NEWS.iter().for_each(|text| accept(text));
    for (known, wrong) in [
        ("decider: O}\n  other", "decides: O}\n  other"),
        ("told: no", "told: [no]"),
        ("to: {side: 2", "to: {side: 3"),
        ("in: 2}\n  - {influence", "within: 2}\n  - {influence"),
    ] {
        let broken = NEWS[0].replace(known, wrong);
        assert_ne!(broken, NEWS[0], "{known}");
        assert!(!validator().is_valid(&as_json(&broken).unwrap()), "{wrong}");
    }
}

#[test]
fn accepts_all_that_is_about_conversations() {
    accept(TALK);
    let matter = known_keys().iter().find(|map| map.what == "matter").unwrap();
    for key in &matter.keys {
        assert!(TALK.contains(&format!("{key}: ")), "{key}");
    }
    let broken = TALK.replace("lies: level - 1", "lie: 1");
    let json = as_json(&broken).unwrap();
    assert!(!validator().is_valid(&json));
    let (before, rest) = TALK.split_once("\n  soup:").unwrap();
    let (_, after) = rest.split_once("\nplay:").unwrap();
    let nameless = format!("{before} {{count: 3, by: L, to: T}}\nplay:{after}");
    let read = parse(Source { name: "talk".into(), text: nameless.as_str().into() }).unwrap();
    assert_eq!(read.matters[0].name.value, "m");
    assert!(validator().is_valid(&as_json(&nameless).unwrap()));
}

#[test]
fn accepts_all_that_is_about_things() {
    accept(THINGS);
    // It has all of these keys, so that none is forgotten.
    for MapKeys { what, keys, .. } in known_keys() {
        let is_walk = [
            "characters",
            "bind",
            "meet",
            "unseen",
            "avoid",
            "goal",
            "storyboard",
            "event",
            "matter",
            "strand",
        ];
        for key in keys.iter().filter(|_| !is_walk.contains(what)) {
            let is_written = |text: &&str| text.contains(&format!("{key}:"));
            let is_elsewhere =
                ["world", "world_things"].contains(key) || [TALK].iter().chain(&NEWS).any(is_written);
            assert!(is_elsewhere || THINGS.contains(&format!("{key}:")), "{what}: {key}");
        }
    }
    for verb in Verb::keys()
        .filter(|key| !["meet", "apart", "together", "unseen", "avoid", "idle", "note"].contains(key))
    {
        let is_written = |text: &&str| text.contains(&format!("{verb}: "));
        assert!([THINGS, TALK].iter().chain(&NEWS).any(is_written), "{verb}");
    }
}

/// A storyboard with every key of those that weave others.
const WOVEN: &str = r#"
storysim: 1
name: woven
about: Two boards.
characters: {pool: people}
parameters: {distance: 5}
wording: varied
maps: apart
weave:
  - third-order-mislead
  - {board: second-order-mislead, setting: ship, set: {mislead_distance: 2 * distance}, rename: {S1: A, S2: B, T: U}}
"#;

#[test]
fn accepts_all_that_is_about_weaving() {
    accept(WOVEN);
    let strand = known_keys().iter().find(|map| map.what == "strand").unwrap();
    for key in strand.keys.iter().chain(&["weave", "maps"]) {
        assert!(WOVEN.contains(&format!("{key}: ")) || WOVEN.contains(&format!("{key}:\n")), "{key}");
    }
    for (known, wrong) in [
        ("maps: apart", "maps: together"),
        ("maps: apart", "horizon: 5"),
        ("set: {", "with: {"),
        ("  - third-order-mislead\n", ""),
        ("weave:", "strands:"),
    ] {
        let broken = WOVEN.replace(known, wrong);
        assert_ne!(broken, WOVEN, "{known}");
        assert!(!validator().is_valid(&as_json(&broken).unwrap()), "{wrong}");
        assert!(parse(Source { name: "woven".into(), text: broken }).is_err(), "{wrong}");
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
        "choices",
        "matters-of-nothing",
        "packs-too-many",
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.yaml"))).unwrap();
        let json = as_json(&text).unwrap();
        assert!(!validator.is_valid(&json), "{name}");
    }
}

proptest! {
    #[test]
    fn accepts_what_is_read(text in crate::boards::boards(2..=6, 2..=5, 4..=14)) {
        let is_read = parse(Source { name: "test".into(), text: text.clone() }).is_ok();
        prop_assert!(is_read);
        let json = as_json(&text).unwrap();
        prop_assert!(validator().is_valid(&json), "{}", text);
    }
}
