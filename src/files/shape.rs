//! What the rows of a file have in common.

use std::collections::BTreeSet;

use crate::dataset::{Extras, Unit};
use crate::form::Answers;
use crate::storyboard::{Matters, Name, Question, ScenarioForm, Storyboard};

/// The common properties of the rows of a file, which a format with typed columns has to know in advance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The roles and binds of all boards.
    pub cast: Vec<String>,
    /// The parameters of all boards.
    pub parameters: Vec<String>,
    /// The matters of all boards.
    pub matters: Vec<String>,
    /// What rows have besides what all rows have.
    pub extras: Extras,
    /// What one row is about.
    pub unit: Unit,
    /// Whether more may happen in the stories than people going from place to place.
    pub has_deeds: bool,
}

impl Shape {
    /// The shape of rows of these boards, one a question. Whether there are matters in the stories, the boards say.
    pub fn new<'a>(boards: impl IntoIterator<Item = &'a Storyboard>, extras: Extras) -> Self {
        let mut shape = Self { extras, ..Self::default() };
        let (mut cast, mut parameters, mut matters) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for board in boards {
            shape.extras.with_people |= asks_about_some(board);
            shape.extras.with_wording |= board.wording.is_some();
            shape.extras.with_length |= board.length.is_some();
            shape.has_deeds |= board.has_deeds();
            let asks_of_scenarios = board.questions.iter().any(|question| question.kind.is_of_scenarios());
            shape.extras.with_scenarios |= asks_of_scenarios;
            shape.extras.with_lives |= asks_of_scenarios && is_by_lives(board);
            let names = board.matters.iter().flat_map(Matters::names);
            shape.matters.extend(names.filter(|name| matters.insert(name.clone())));
            let roles = board.roles.iter().chain(board.binds.iter().map(|bind| &bind.name));
            for name in roles.filter(|name| cast.insert(name.value.as_str())) {
                shape.cast.push(name.value.clone());
            }
            for name in board.numbers().filter(|name| parameters.insert(name.value.as_str())) {
                shape.parameters.push(name.value.clone());
            }
        }
        shape.extras.with_matters = !shape.matters.is_empty();
        shape
    }
}

/// Whether the stories of a board are drawn by lives.
fn is_by_lives(board: &Storyboard) -> bool {
    board.scenarios.as_ref().is_some_and(|scenarios| matches!(scenarios.form, ScenarioForm::Lives(_)))
}

/// Whether a board asks about some people only, or leaves open whom it names.
fn asks_about_some(board: &Storyboard) -> bool {
    let is_open = |name: &Name| {
        let of_name = board.groups.iter().find(|(group, _)| group.value == name.value);
        of_name.is_some_and(|(_, members)| members.len() > 1)
    };
    // In woven stories, lists of people are of those of one board.
    let is_of_strand =
        |question: &Question| board.weave.is_some() && question.kind.form().answers == Answers::People;
    board.questions.iter().any(|question| {
        !question.of.is_empty() || question.roles.iter().any(is_open) || is_of_strand(question)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use super::*;
    use crate::dataset::{FIELDS, RowMaker, RowOptions};

    /// A row of a story in scenarios has the fields of the shape, and so has one of a story by lives, whatever its question asks.
    #[test]
    fn fields_of_scenarios_are_those_of_the_list() {
        for (name, with_lives) in [("dynamic-minds", true), ("dynamic-minds-free", false)] {
            let board = crate::storyboard::BUILT_IN.iter().find(|board| board.name == name).unwrap();
            let board = crate::storyboard::parse(crate::diagnostic::Source {
                text: board.text().to_owned()
                    + "  - {belief: [S1, S2]}\n  - {emotion: [O, S1, news], in: 1}\n",
                ..board.source()
            });
            let board = board.unwrap_or_else(|broken| panic!("{:?}", broken.problems));
            let plans = crate::compile::compile_family(&board, &[("n".to_owned(), 1)]).unwrap().plans;
            let family = crate::select::Family::new(plans);
            let (mut maker, mut rows) =
                (RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS), String::new());
            maker.rows(0, &mut rows);
            let extras = Extras { with_scenarios: true, with_lives, with_events: true, ..Extras::default() };
            let shape = Shape::new([&board], Extras { with_events: true, ..Extras::default() });
            assert_eq!(shape.extras, extras, "{name}");
            let listed: Vec<&str> =
                FIELDS.iter().filter(|field| field.presence.is_met(extras)).map(|field| field.name).collect();
            let mut kinds = Vec::new();
            for line in rows.lines() {
                let row: Json = serde_json::from_str(line).unwrap();
                assert_eq!(row.as_object().unwrap().len(), listed.len(), "{line}");
                let places: Vec<Option<usize>> =
                    listed.iter().map(|name| line.find(&format!(",\"{name}\":"))).collect();
                assert!(
                    places[1..].iter().all(Option::is_some) && places.is_sorted(),
                    "{places:?} of {line}"
                );
                let is_of_news = row["kind"] != "belief";
                assert_eq!(row["rules"].is_null(), !is_of_news, "{line}");
                assert_eq!(row["scenario"].is_null(), !is_of_news, "{line}");
                let is_of_lives = with_lives && is_of_news && row["order"] == 1;
                assert_eq!(row.get("lives").is_some_and(Json::is_array), is_of_lives, "{line}");
                kinds.push((row["kind"] == "belief", row["order"] == 2));
            }
            assert!(kinds.contains(&(true, false)) && kinds.contains(&(false, true)), "{kinds:?}");
        }
    }
}
