//! Values with a share that no story has.

use super::{Weights, entry};
use crate::diagnostic::Diagnostic;
use crate::plan::{Balance, Level, Plan, Property, THIRDS};
use crate::storyboard;
use crate::world::Value;

/// The most values that are named, or ranges of numbers.
const NAMED_MAX: usize = 6;

/// The problem if there are such values.
pub fn problem(
    written: &storyboard::Balance,
    plan: &Plan,
    balance: &Balance,
    weights: &Weights,
) -> Diagnostic {
    let mut problem = None;
    for of_margin in weights.missing.chunk_by(|one, next| one.0 == next.0) {
        let margin = &balance.margins[of_margin[0].0];
        let levels: Vec<Level> = of_margin.iter().map(|&(_, value)| margin.shares[value].0).collect();
        let (_, span) = entry(written, balance, of_margin[0].0);
        let label = met_by_none(plan, margin.property, &levels, weights.pilots);
        problem = Some(match problem {
            None => Diagnostic::error("these shares are of values that no story has", span, label),
            Some(problem) => Diagnostic::label(problem, span, label),
        });
    }
    let problem = problem.expect("something is missing");
    problem.help("leave these values out, or make such stories likelier with `events`")
}

/// Says that none of so many stories has one of these values.
fn met_by_none(plan: &Plan, property: Property, levels: &[Level], stories: usize) -> String {
    let values: Vec<String> = match (property, levels) {
        (Property::Answer, _) => levels.iter().map(|&level| answer(plan, level)).collect(),
        (Property::EvidencePosition, _) => levels.iter().map(|&level| third(level)).collect(),
        (property, _) if property.is_counted() => ranges(levels),
        (_, [Level::Number(0)]) => return format!("this is so in each of {stories} stories"),
        _ => return format!("this is so in none of {stories} stories"),
    };
    let more = values.len().saturating_sub(NAMED_MAX);
    let values = match values.as_slice() {
        [others @ .., last] if more == 0 && !others.is_empty() => format!("{} or {last}", others.join(", ")),
        all if more > 0 => format!("{} or {more} others", all[..NAMED_MAX].join(", ")),
        all => all.concat(),
    };
    format!("none of {stories} stories has {values}")
}

/// Numbers, of which those that follow each other are one range.
fn ranges(levels: &[Level]) -> Vec<String> {
    let mut ranges: Vec<[u64; 2]> = Vec::new();
    for [first, last] in levels.iter().filter_map(|level| level.numbers()) {
        match ranges.last_mut().filter(|[_, end]| *end + 1 == first) {
            Some([_, end]) => *end = last,
            None => ranges.push([first, last]),
        }
    }
    let written = |[first, last]: [u64; 2]| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    ranges.into_iter().map(written).collect()
}

/// An answer, as storyboards have it.
fn answer(plan: &Plan, level: Level) -> String {
    let name = match level {
        Level::Answer(Some(Value::Place(place))) => plan.place_names[place.index()].clone(),
        Level::Answer(Some(Value::Container(container))) => {
            plan.staging.as_ref().expect("containers").containers[container.index()].name.clone()
        }
        Level::Answer(Some(Value::Truth(truth))) => truth.to_string(),
        _ => "unknown".to_owned(),
    };
    format!("the answer `{name}`")
}

/// Evidence in a third of a story.
fn third(level: Level) -> String {
    let third = level.numbers().map_or(0, |[third, _]| third as usize);
    format!("`{}` evidence", THIRDS[third])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_hand::{KITCHEN, plan};

    #[test]
    fn values_are_named() {
        let said = |property, levels: &[Level]| met_by_none(&plan(), property, levels, 9);
        let kitchen = Level::Answer(Some(Value::Place(KITCHEN)));
        let answers = [kitchen, Level::Answer(Some(Value::Truth(true))), Level::Answer(None)];
        let named =
            "none of 9 stories has the answer `the_kitchen`, the answer `true` or the answer `unknown`";
        assert_eq!(said(Property::Answer, &answers), named);
        let thirds = [Level::Number(0), Level::Number(2)];
        assert_eq!(
            said(Property::EvidencePosition, &thirds),
            "none of 9 stories has `early` evidence or `late` evidence"
        );
        assert_eq!(said(Property::FalseBelief, &[Level::Number(0)]), "this is so in each of 9 stories");
        assert_eq!(said(Property::FalseBelief, &[Level::Number(1)]), "this is so in none of 9 stories");
        let numbers = [Level::Number(3), Level::Number(4), Level::Within(5, 7), Level::Number(9)];
        assert_eq!(said(Property::AnswerRank, &numbers), "none of 9 stories has 3 to 7 or 9");
        let many: Vec<Level> = (0..8).map(|number| Level::Number(2 * number)).collect();
        assert_eq!(said(Property::Votes, &many), "none of 9 stories has 0, 2, 4, 6, 8, 10 or 2 others");
    }
}
