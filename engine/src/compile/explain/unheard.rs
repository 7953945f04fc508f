//! Why nobody can hear what somebody says.

use super::{Demanded, Search, when};
use crate::diagnostic::Diagnostic;
use crate::id::{CharacterId, PlaceId};
use crate::resolve::{Condition, Demand, Resolved};
use crate::storyboard::Storyboard;

/// A smallest set of conditions under which nobody is left to hear what somebody says at a step, under these casts; `None` if
/// somebody may be there.
///
/// What is said without naming hearers is heard by whoever is there, so tables do not see to it that anybody is.
pub fn unheard(
    storyboard: &Storyboard,
    resolved: &Resolved,
    casts: &[Vec<PlaceId>],
    step: usize,
) -> Option<Diagnostic> {
    let is_said =
        |condition: &&Condition| condition.from == step && matches!(condition.demand, Demand::Deed { .. });
    let said = resolved.conditions.iter().find(is_said)?;
    let Demand::Deed { who, place, with, without } = &said.demand else { return None };
    let others = (0..resolved.character_count).map(CharacterId::new);
    let others = others.filter(|other| other != who && !without.contains(other));
    let mut search = Search::new(resolved, casts);
    search.hearers = others
        .map(|other| {
            let mut heard = said.clone();
            let with = with.iter().copied().chain([other]).collect();
            heard.demand = Demand::Deed { who: *who, place: *place, with, without: without.clone() };
            heard
        })
        .collect();
    let conditions = resolved.conditions.iter().enumerate();
    let all: Vec<Demanded> =
        conditions.filter(|(_, one)| one.span != said.span).map(|(at, _)| Demanded::Condition(at)).collect();
    let smallest = match search.hearers.is_empty() {
        true => Vec::new(),
        false if search.is_possible(&all) => return None,
        false => search.smallest(&[], true, &all),
    };
    let name = &storyboard.roles[who.index()].value;
    let message = format!("nobody is left to hear `{name}` at step {step}");
    let mut problem = Diagnostic::error(message, said.span, "this is said to nobody");
    for demanded in &smallest {
        let Demanded::Condition(at) = demanded else { continue };
        let condition = &resolved.conditions[*at];
        problem = problem.label(condition.span, when(condition));
    }
    let help = match (smallest.len(), search.has_given_up) {
        (0, _) => "nobody else can be there by then",
        (_, true) => "it takes too long to find out which of these are to blame, and some may not be",
        (1, false) => "if you remove the other one, somebody can be there",
        (_, false) => "if you remove any one of the others, somebody can be there",
    };
    Some(problem.help(format!("somebody besides `{name}` has to be there: {help}")))
}
