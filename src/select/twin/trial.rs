//! Whether stories have twins, tried out beforehand.

use super::{Twin, Twins, cost, question_of};
use crate::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::select::trial::{TRIAL_COST_MAX, under};
use crate::select::{PILOT, Selector};
use crate::simulate::Story;
use crate::storyboard::Storyboard;

/// Of each cast at most so many stories are looked at,
const STORIES_MAX: usize = 100;

/// at least so many.
const STORIES_MIN: usize = 4;

/// Tries out whether stories have twins, often enough to be drawn again until one has.
///
/// # Errors
/// If no question asks for a belief at the end; or if there is a cast under which none of `STORIES_MAX` stories has a twin
/// (of very long ones, fewer are looked at). Where shares are balanced, neither casts nor drawn numbers
/// are told apart.
pub fn admit_twins<'a>(storyboard: &'a Storyboard, plans: impl Into<&'a [Plan]>) -> Result<(), Diagnostic> {
    let plans = plans.into();
    let Some(mut twins) = Twins::new(storyboard, plans, 0) else { return Err(no_belief(storyboard)) };
    let mut selector = Selector::of_trials(plans);
    let (mut story, mut twin) = (Story::default(), Twin::default());
    let is_balanced = plans[0].balance.is_some();
    let told_apart = if is_balanced { &plans[..1] } else { plans };
    for (number, plan) in told_apart.iter().enumerate() {
        let casts = if is_balanced { 1 } else { plan.casts.len() };
        let stories_max = (TRIAL_COST_MAX / told_apart.len() / cost(plan)).clamp(STORIES_MIN, STORIES_MAX);
        for cast in 0..casts {
            let has_twin = (PILOT..).take(stories_max).any(|trial| {
                selector.draw_trial(number, cast, trial, &mut story);
                twins.find(selector.plan_number(), &story, trial, &mut twin)
            });
            if !has_twin {
                let under = if is_balanced { String::new() } else { under(plan, cast) };
                return Err(too_rare(storyboard, plan, stories_max, &under));
            }
        }
    }
    Ok(())
}

fn no_belief(storyboard: &Storyboard) -> Diagnostic {
    let message = "twins differ in the answer to a `belief`, and no question asks for one at the end";
    Diagnostic::error(message, storyboard.name.span, "this storyboard")
        .help("add one to `questions`, such as `belief: [S1, T]`, or make no twins")
}

fn too_rare(storyboard: &Storyboard, plan: &Plan, tried: usize, under: &str) -> Diagnostic {
    let message = format!("of {tried} stories, none has a twin{under}");
    let asked = question_of(plan).and_then(|number| storyboard.questions.get(number));
    let span = asked.map_or(storyboard.name.span, |question| question.span);
    Diagnostic::error(message, span, "whose answer should be another one").help(
        "a twin differs in one event, leaves all that the target does as it is, satisfies the storyboard, and has another \
         answer. Where `events` say who goes where and when, nothing is left to differ in: give free play, by windows \
         (`from`, `until`) in the place of `move` and `meet` at fixed steps, and let nobody be `idle` who is asked for",
    )
}
