//! Whether questions that are only asked of matters with different answers are ever asked.

use std::collections::BTreeSet;

use super::{Family, Selector};
use crate::diagnostic::Diagnostic;
use crate::plan::{Plan, written_number};
use crate::question::Asker;
use crate::simulate::Story;
use crate::storyboard::{Name, Storyboard};

/// How many stories are looked at.
const STORIES_MAX: u64 = 1_000;

/// Looks at stories until every question that says `unlike` has been asked of one. At other values than the storyboard's own, some may
/// have no answer: where nothing comes out, nobody is asked who heard it.
///
/// Costs drawing them, and finding the matters that such questions may be asked of: for the built-in storyboards, some dozens of stories.
///
/// # Errors
/// If one is asked of none of 1,000 stories.
pub fn admit(storyboard: &Storyboard, family: &Family) -> Result<(), Diagnostic> {
    let bundles = |plan: usize| family.plans()[plan].bundles.iter().enumerate();
    let mut missing: Vec<usize> =
        bundles(0).filter(|(_, bundle)| bundle.unlike.is_some()).map(|(number, _)| number).collect();
    if !has_own_values(storyboard, family) {
        return Ok(());
    }
    let mut selector = Selector::new(family, 0);
    let mut askers: Vec<Option<Asker<'_>>> = vec![None; family.plans().len()];
    let mut story = Story::default();
    for index in 0..STORIES_MAX {
        if missing.is_empty() {
            return Ok(());
        }
        selector.draw(index, &mut story);
        let asker = askers[selector.plan_number()].get_or_insert_with(|| Asker::new(selector.plan(), 0));
        let picks = asker.picks(&story);
        missing.retain(|&number| picks[number].is_none());
    }
    let first = bundles(0).find(|(number, _)| missing.contains(number)).map(|(_, bundle)| bundle);
    let Some(bundle) = first else { return Ok(()) };
    let question = &storyboard.questions[written_number(&family.plans()[0].bundles, bundle.first)];
    let span = question.unlike.as_ref().map_or(question.span, |number| number.span);
    let message = format!("this is asked of none of {STORIES_MAX} stories");
    Err(Diagnostic::error(message, span, "no matters are as unlike as they have to be")
        .help("let more of the group come and go, have more matters, or ask for fewer that are unlike"))
}

/// Whether parameters have the values that the storyboard gives them, and its numbers are drawn.
fn has_own_values(storyboard: &Storyboard, family: &Family) -> bool {
    let values = |name: &Name| {
        let of_plan = |plan: &Plan| {
            let known = plan.parameters.iter().find(|(known, _)| *known == name.value);
            known.map(|(_, value)| *value)
        };
        family.plans().iter().filter_map(of_plan).collect::<BTreeSet<i64>>()
    };
    let is_default = |(name, default): &(Name, i64)| values(name) == BTreeSet::from([*default]);
    storyboard.parameters.iter().all(is_default)
        && storyboard.draws.iter().all(|drawn| values(&drawn.name).len() > 1)
}
