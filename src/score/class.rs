//! What kind of error an answer is: which shortcut would have given it.

use serde::Serialize;

use super::extract::Given;
use super::words::does_name;
use crate::dataset::Fields;

/// What is wrong with an answer. An answer that several shortcuts give is put under the first of them, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// Where the target is at the end: no mind is tracked.
    LastPlace,
    /// What the chain without its outermost mind answers: one order too low.
    LowerOrder,
    /// Where all of the question's characters came together first.
    FirstCommonPlace,
    /// Where they came together last.
    LastCommonPlace,
    /// Where the target was before its last move.
    SecondLastPlace,
    /// Where the question's first character is at the end.
    OwnPlace,
    /// Where the target was at the start.
    Start,
    /// A place that the story never names.
    UnmentionedPlace,
    /// Another choice.
    Other,
    /// Something that is no choice, nor known to the row.
    NotAChoice,
    /// No answer was found.
    NoAnswer,
    /// A refusal to answer.
    Refusal,
    /// The response was cut off before its answer.
    CutOff,
}

impl ErrorClass {
    /// All, in order.
    pub const ALL: [Self; 13] = [
        Self::LastPlace,
        Self::LowerOrder,
        Self::FirstCommonPlace,
        Self::LastCommonPlace,
        Self::SecondLastPlace,
        Self::OwnPlace,
        Self::Start,
        Self::UnmentionedPlace,
        Self::Other,
        Self::NotAChoice,
        Self::NoAnswer,
        Self::Refusal,
        Self::CutOff,
    ];

    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::LastPlace => "target's last place",
            Self::LowerOrder => "one order too low",
            Self::FirstCommonPlace => "first common place",
            Self::LastCommonPlace => "last common place",
            Self::SecondLastPlace => "target's second last place",
            Self::OwnPlace => "asker's own place",
            Self::Start => "start",
            Self::UnmentionedPlace => "unmentioned place",
            Self::Other => "other choice",
            Self::NotAChoice => "not a choice",
            Self::NoAnswer => "no answer",
            Self::Refusal => "refusal",
            Self::CutOff => "cut off",
        }
    }

    /// The foil of this class in a row.
    fn foil(self) -> Option<&'static str> {
        match self {
            Self::LastPlace => Some("last_place"),
            Self::LowerOrder => Some("lower_order"),
            Self::FirstCommonPlace => Some("first_common_place"),
            Self::LastCommonPlace => Some("last_common_place"),
            Self::SecondLastPlace => Some("second_last_place"),
            Self::OwnPlace => Some("own_place"),
            _ => None,
        }
    }
}

/// Everything that is wrong with what was given, the class that it is put under first; nothing, if it is right.
///
/// ```
/// use storysim::{dataset::Fields, score::{ErrorClass, Given, errors}};
/// let mut row = Fields { answer: "hall".into(), story: "Ann enters attic.".into(), ..Fields::default() };
/// row.foils.insert("last_place".into(), Some("attic".into()));
/// row.foils.insert("own_place".into(), Some("attic".into()));
/// assert_eq!(errors(&Given::Named("hall".into()), &row), []);
/// assert_eq!(errors(&Given::Named("attic".into()), &row), [ErrorClass::LastPlace, ErrorClass::OwnPlace]);
/// assert_eq!(errors(&Given::Named("shed".into()), &row), [ErrorClass::UnmentionedPlace]);
/// assert_eq!(errors(&Given::Nothing, &row), [ErrorClass::NoAnswer]);
/// ```
pub fn errors(given: &Given, fields: &Fields) -> Vec<ErrorClass> {
    let name = match given {
        Given::Named(name) if *name == fields.answer => return Vec::new(),
        Given::Named(name) => name,
        Given::Outside => return vec![ErrorClass::NotAChoice],
        Given::Nothing => return vec![ErrorClass::NoAnswer],
        Given::Refusal => return vec![ErrorClass::Refusal],
        Given::CutOff => return vec![ErrorClass::CutOff],
    };
    let is_foil = |class: &ErrorClass| {
        class
            .foil()
            .is_some_and(|foil| fields.foils.get(foil).is_some_and(|foil| foil.as_ref() == Some(name)))
    };
    let mut found: Vec<ErrorClass> = ErrorClass::ALL.into_iter().filter(is_foil).collect();
    if start(fields).as_deref() == Some(name) {
        found.push(ErrorClass::Start);
    }
    if is_place(fields) && !does_name(&fields.story, name) {
        found.push(ErrorClass::UnmentionedPlace);
    }
    if found.is_empty() {
        found.push(ErrorClass::Other);
    }
    found
}

/// Who starts, in the order of the context, which says so in its first sentence.
pub fn characters(fields: &Fields) -> Vec<String> {
    if let Some(start) = fields.start.as_object() {
        return start.keys().cloned().collect();
    }
    let first = fields.context.split(". ").next().unwrap_or("");
    let names =
        first.split_once(" start in ").or_else(|| first.split_once(" starts in ")).map(|(names, _)| names);
    let names = names.unwrap_or("").replace(" and ", ", ");
    names.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Where the target was at the start: of a character the row says so, of an object its context.
fn start(fields: &Fields) -> Option<String> {
    if characters(fields).contains(&fields.about) {
        return fields.start_of(&fields.about).map(str::to_owned);
    }
    let wanted = format!("the {} is in ", fields.about);
    let said = fields.context.split(". ").filter(|sentence| sentence.starts_with("At the start "));
    let place = said.filter_map(|sentence| Some(sentence.split_once(&wanted)?.1)).next()?;
    let place = place.split(" and ").next()?.split(", ").next()?.trim_end_matches('.');
    Some(place.strip_prefix("the ").unwrap_or(place).to_owned())
}

/// Whether the answer is a place, or a container.
fn is_place(fields: &Fields) -> bool {
    let base = fields.kind.split("_before").next().unwrap_or("").split("_without").next().unwrap_or("");
    let is_word = |choice: &String| matches!(choice.as_str(), "yes" | "no" | "unknown");
    !matches!(base, "who_knows" | "who_likes" | "who_dislikes" | "could_answer" | "following")
        && !fields.choices.iter().any(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(context: &str, start: serde_json::Value, about: &str) -> Fields {
        Fields { context: context.into(), start, about: about.into(), ..Fields::default() }
    }

    #[test]
    fn characters_are_those_who_start() {
        let together =
            row("Ann, Bob and Cas start in the_hall, and they know it. More.", "the_hall".into(), "Ann");
        assert_eq!(characters(&together), ["Ann", "Bob", "Cas"]);
        assert_eq!(start(&together).as_deref(), Some("the_hall"));
        let alone = row("Ann starts in the_hall.", "the_hall".into(), "Ann");
        assert_eq!(characters(&alone), ["Ann"]);
        let apart = row("At the start …", serde_json::json!({"Ann": "attic", "Bob": "hall"}), "Bob");
        assert_eq!((characters(&apart).len(), start(&apart).as_deref()), (2, Some("hall")));
        assert_eq!(characters(&row("", serde_json::Value::Null, "Ann")), [""; 0]);
    }

    #[test]
    fn objects_start_where_the_context_says() {
        let context = "Ann and Bob start in the_hall. In the_hall stands the box, which is open. At the start the marble \
                       is in the box. At the start the ball is in the_hall.";
        assert_eq!(start(&row(context, "the_hall".into(), "marble")).as_deref(), Some("box"));
        assert_eq!(start(&row(context, "the_hall".into(), "ball")).as_deref(), Some("the_hall"));
        assert_eq!(start(&row(context, "the_hall".into(), "number_1")), None);
    }

    #[test]
    fn a_list_of_people_is_no_place() {
        let fields = Fields { kind: "who_knows_before".into(), answer: "Ann".into(), ..Fields::default() };
        assert_eq!(errors(&Given::Named("nobody".into()), &fields), [ErrorClass::Other]);
    }
}
