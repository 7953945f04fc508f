//! What kind of error an answer is: which shortcut would have given it.

use serde::Serialize;

use super::extract::Given;
use super::words::does_name;
use crate::dataset::Fields;
use crate::form::Answers;

/// The kind of error in a wrong answer. If several shortcuts give that answer, it counts as the first of them in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The place where the target is at the end: no mind is tracked.
    LastPlace,
    /// The answer of the chain without its outermost mind: one order too low.
    LowerOrder,
    /// The place where all of the question's characters came together first.
    FirstCommonPlace,
    /// The place where all of the question's characters came together last.
    LastCommonPlace,
    /// The place where the target was before its last move.
    SecondLastPlace,
    /// The place where the question's first character is at the end.
    OwnPlace,
    /// The state, had she heard all news.
    AllHeard,
    /// The state, had she also heard the last news of the scenario.
    LastTurn,
    /// The state at the end of the scenario before.
    ScenarioBefore,
    /// The place where the target was at the start, if it is a character: for things, rows do not say that.
    Start,
    /// A place that the story never names.
    UnmentionedPlace,
    /// Another choice.
    Other,
    /// Something that is neither a choice nor known to the row.
    NotAChoice,
    /// No answer was found.
    NoAnswer,
    /// A refusal to answer.
    Refusal,
    /// The response was cut off before its answer.
    CutOff,
}

impl ErrorClass {
    /// All classes, in order.
    pub const ALL: [Self; 16] = [
        Self::LastPlace,
        Self::LowerOrder,
        Self::FirstCommonPlace,
        Self::LastCommonPlace,
        Self::SecondLastPlace,
        Self::OwnPlace,
        Self::AllHeard,
        Self::LastTurn,
        Self::ScenarioBefore,
        Self::Start,
        Self::UnmentionedPlace,
        Self::Other,
        Self::NotAChoice,
        Self::NoAnswer,
        Self::Refusal,
        Self::CutOff,
    ];

    /// The name of the class in reports for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::LastPlace => "target's last place",
            Self::LowerOrder => "one order too low",
            Self::FirstCommonPlace => "first common place",
            Self::LastCommonPlace => "last common place",
            Self::SecondLastPlace => "target's second-last place",
            Self::OwnPlace => "asker's own place",
            Self::AllHeard => "all news heard",
            Self::LastTurn => "last news heard",
            Self::ScenarioBefore => "scenario before",
            Self::Start => "start",
            Self::UnmentionedPlace => "unmentioned place",
            Self::Other => "other choice",
            Self::NotAChoice => "not a choice",
            Self::NoAnswer => "no answer",
            Self::Refusal => "refusal",
            Self::CutOff => "cut off",
        }
    }

    /// The name of the foil in a row that corresponds to this class.
    fn foil(self) -> Option<&'static str> {
        match self {
            Self::LastPlace => Some("last_place"),
            Self::LowerOrder => Some("lower_order"),
            Self::FirstCommonPlace => Some("first_common_place"),
            Self::LastCommonPlace => Some("last_common_place"),
            Self::SecondLastPlace => Some("second_last_place"),
            Self::OwnPlace => Some("own_place"),
            Self::AllHeard => Some("all_heard"),
            Self::LastTurn => Some("last_turn"),
            Self::ScenarioBefore => Some("scenario_before"),
            _ => None,
        }
    }
}

/// The classes of a wrong answer, beginning with the one it counts as; empty if the answer is right.
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
    if fields.start_of_target() == Some(name) {
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

/// Whether the answer is a place or a container.
fn is_place(fields: &Fields) -> bool {
    let answers = fields.question_kind().map(|kind| kind.form().answers);
    let is_word = |choice: &String| matches!(choice.as_str(), "yes" | "no" | "unknown");
    !matches!(
        answers,
        Some(
            Answers::People
                | Answers::Name
                | Answers::PeopleOrVerdict
                | Answers::Why
                | Answers::Standing
                | Answers::State
        )
    ) && !fields.choices.iter().any(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Options, Response, extract};

    #[test]
    fn an_answer_may_be_where_the_target_started() {
        let row = |about: &str, start: serde_json::Value| Fields {
            about: about.into(),
            start,
            cast: [("S1".to_owned(), "Ann".into()), ("T".to_owned(), "Bob".into())].into(),
            story: "Ann enters hall. Bob enters attic.".into(),
            answer: "attic".into(),
            ..Fields::default()
        };
        let given = Given::Named("hall".into());
        let apart = serde_json::json!({"Ann": "attic", "Bob": "hall"});
        for (fields, wanted) in [
            (row("Bob", "hall".into()), ErrorClass::Start),
            (row("Bob", apart.clone()), ErrorClass::Start),
            (row("Ann", apart.clone()), ErrorClass::Other),
            // Where things start no row says.
            (row("marble", "hall".into()), ErrorClass::Other),
            (row("marble", apart), ErrorClass::Other),
        ] {
            assert_eq!(errors(&given, &fields), [wanted], "{fields:?}");
        }
    }

    #[test]
    fn the_start_is_written_and_the_answer_shown() {
        let fields = Fields {
            about: "the_cook".into(),
            start: serde_json::json!({"the_cook": "the_hall", "Ann": "attic"}),
            cast: [("T".to_owned(), "the_cook".into())].into(),
            story: "The cook enters attic. Ann enters the hall.".into(),
            answer: "attic".into(),
            choices: vec!["attic".into(), "the hall".into()],
            names: [("the hall".to_owned(), "the_hall".to_owned())].into(),
            ..Fields::default()
        };
        for text in ["the_hall", "The hall"] {
            let found = extract(&Response::new(text), &Options::of(&fields));
            assert_eq!(found.given, Given::Named("the hall".into()), "{text}");
            assert_eq!(errors(&found.given, &fields), [ErrorClass::Start], "{text}");
        }
    }

    #[test]
    fn a_list_of_people_is_no_place() {
        let fields = Fields { kind: "who_knows_before".into(), answer: "Ann".into(), ..Fields::default() };
        assert_eq!(errors(&Given::Named("nobody".into()), &fields), [ErrorClass::Other]);
    }

    #[test]
    fn a_feeling_is_no_place() {
        let mut fields = Fields { kind: "emotion".into(), answer: "glad".into(), ..Fields::default() };
        assert_eq!(errors(&Given::Named("sad".into()), &fields), [ErrorClass::Other]);
        fields.foils.insert("last_turn".into(), Some("sad".into()));
        assert_eq!(errors(&Given::Named("sad".into()), &fields), [ErrorClass::LastTurn]);
    }
}
