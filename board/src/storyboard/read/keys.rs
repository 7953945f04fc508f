//! The keys of the format's maps.

use std::sync::LazyLock;

use crate::form::{ActForm, ConditionKind, GoalWord, Hardness, QuestionKind, Shape};
use crate::storyboard::Verb;

/// One kind of map in the format, with its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapKeys {
    /// The kind of map.
    pub what: &'static str,
    /// The name of the map in messages.
    pub phrase: String,
    /// The keys of the map.
    pub keys: Vec<&'static str>,
}

/// Every map of the format with its keys. The keys of events, goals and questions follow from their forms.
pub fn known_keys() -> &'static [MapKeys] {
    static ALL: LazyLock<Vec<MapKeys>> = LazyLock::new(|| {
        let fixed = FIXED.iter().map(|&(what, phrase, keys)| map(what, phrase.to_owned(), keys.to_vec()));
        let deeds = ActForm::keys().map(|key| {
            let form = ActForm::of_key(key).expect("the key of a deed");
            map(key, with_article(key), form.map_keys())
        });
        let maps = ConditionKind::ALL.iter().map(|kind| kind.form()).filter(|form| form.shape != Shape::Bare);
        let conditions = maps.map(|form| {
            map(form.key, with_article(form.key), form.parts.iter().map(|part| part.name).collect())
        });
        let event =
            ["at", "from", "until", "for", "if", "with", "without"].into_iter().chain(Verb::keys()).collect();
        let words = GoalWord::ALL.map(|word| word.form().key).into_iter();
        let goal = words.chain(["in", "is", "within", "question"]).collect();
        let question = QuestionKind::ALL
            .iter()
            .map(|kind| kind.key())
            .chain(["dynamics", "before", "without", "choices", "of", "unlike", "in", "state", "on"])
            .collect();
        let lists = [
            map("event", "an event".to_owned(), event),
            map("goal", "a goal".to_owned(), goal),
            map("difficulty", "`difficulty`".to_owned(), Hardness::ALL.map(Hardness::key).to_vec()),
            map("question", "a question".to_owned(), question),
        ];
        fixed.chain(deeds).chain(conditions).chain(lists).collect()
    });
    &ALL
}

const fn map(what: &'static str, phrase: String, keys: Vec<&'static str>) -> MapKeys {
    MapKeys { what, phrase, keys }
}

/// The key of an event with an article, as messages name its value: "a `move`", "an `open`".
fn with_article(key: &str) -> String {
    let article = if key.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} `{key}`")
}

/// The maps whose keys are not given by any form: their kind, their name in messages, and their keys.
const FIXED: &[(&str, &str, &[&str])] = &[
    (
        "storyboard",
        "a storyboard",
        &[
            "storysim",
            "name",
            "about",
            "characters",
            "roles",
            "places",
            "start",
            "bind",
            "horizon",
            "parameters",
            "draw",
            "verb",
            "containers",
            "objects",
            "propositions",
            "attitudes",
            "matters",
            "prospects",
            "rules",
            "scenarios",
            "profiles",
            "groups",
            "style",
            "packs",
            "wording",
            "trust",
            "play",
            "friends",
            "events",
            "ensure",
            "balance",
            "hardest",
            "words",
            "at_depth",
            "questions",
            "weave",
            "maps",
        ],
    ),
    ("strand", "a board that is woven", &["board", "setting", "set", "rename"]),
    ("hardest", "`hardest`", &["of", "by", "question"]),
    ("characters", "`characters`", &["pool", "count"]),
    ("bind", "a bind", &["next_to", "not"]),
    ("container", "a container", &["in", "is"]),
    ("object", "an object", &["in", "known"]),
    ("proposition", "a proposition", &["says", "denies", "is", "known", "wrong"]),
    ("matter", "a matter", &["count", "by", "to", "level", "is", "lies", "class"]),
    ("hearers", "a map after `to`", &["phone"]),
    ("prospect", "a prospect", &["pool", "by", "wants", "decider"]),
    ("rules", "`rules`", &["pack", "told"]),
    (
        "scenarios",
        "`scenarios`",
        &["count", "steps", "turns", "of", "by", "for", "between", "past", "small_talk"],
    ),
    ("case", "how a prospect stands", &["side", "is", "by", "final"]),
];
