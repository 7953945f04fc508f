//! How many stories meet their goals, tried out beforehand.

use std::collections::BTreeMap;

use super::{balance, judges, of_family};
use crate::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::simulate::{Simulator, Story};
use crate::storyboard::Storyboard;

/// For each cast at most so many stories are tried,
const TRIALS_MAX: usize = 8_000;

/// at least so many,
const TRIALS_MIN: usize = 8;

/// and for all casts together such that it takes about so much: a unit for every event, and for what every
/// chain may hold then,
pub(super) const TRIAL_COST_MAX: usize = 1 << 25;

/// until so many of them have met the goals.
const ACCEPTED_ENOUGH: usize = 64;

/// A cast is refused if none of its trials meets the goals, or less than one in so many.
const TRIALS_PER_STORY_MAX: usize = 1_000;

/// How many stories meet the goals that the tables cannot see to.
#[derive(Clone, Debug, PartialEq)]
pub struct Acceptance {
    /// Of each cast, of one plan after another: how many stories met them, and how many were drawn.
    pub casts: Vec<(usize, usize)>,
    /// The share of those that is kept where shares are balanced; 1 where they are not.
    pub kept: f64,
}

impl Acceptance {
    /// The share of stories that meet the goals, on average over the casts, each weighed by how likely it
    /// meets all else: what the plan's probability is to be multiplied by.
    pub fn share<'a>(&self, plans: impl Into<&'a [Plan]>) -> f64 {
        let plans = plans.into();
        let casts = || plans.iter().flat_map(|plan| &plan.casts);
        let largest =
            casts().fold(plans[0].casts[0].probability, |largest, cast| largest.larger(cast.probability));
        let (mut met, mut all) = (0.0, 0.0);
        for (cast, &(accepted, trials)) in casts().zip(&self.casts) {
            let weight = cast.probability.share_of(largest);
            met += weight * accepted as f64 / trials as f64;
            all += weight;
        }
        met / all
    }

    /// The share of each cast's stories that meet them.
    pub fn shares(&self) -> Vec<f64> {
        self.casts.iter().map(|&(accepted, trials)| accepted as f64 / trials as f64).collect()
    }

    /// How many stories have to be drawn for one that is kept, on average over the casts.
    pub fn attempts(&self) -> f64 {
        let attempts = self.casts.iter().map(|&(accepted, trials)| trials as f64 / accepted as f64);
        attempts.sum::<f64>() / self.casts.len() as f64 / self.kept
    }
}

/// Tries out whether stories meet the goals of their storyboard often enough to be drawn again until they
/// do. Without such goals there is nothing to try: then it is none.
///
/// Costs drawing up to `TRIALS_MAX` stories for each cast, of `TRIAL_COST_MAX` in all.
///
/// # Errors
/// If there is a cast under which less than one story in `TRIALS_PER_STORY_MAX` meets them, as far as the
/// trials can tell. The first one is named.
pub fn admit<'a>(
    storyboard: &Storyboard,
    plans: impl Into<&'a [Plan]>,
) -> Result<Option<Acceptance>, Diagnostic> {
    admit_within(storyboard, plans, TRIALS_MAX)
}

/// The same, with so many trials for each cast at most.
///
/// # Errors
/// If none of a cast's trials meets the goals, or less than one in `TRIALS_PER_STORY_MAX`.
pub fn admit_within<'a>(
    storyboard: &Storyboard,
    plans: impl Into<&'a [Plan]>,
    trials_max: usize,
) -> Result<Option<Acceptance>, Diagnostic> {
    let plans = plans.into();
    if !plans.iter().any(Plan::may_miss) {
        return Ok(None);
    }
    let mut acceptance = Acceptance { casts: Vec::new(), kept: 1.0 };
    for plan in plans {
        acceptance.casts.extend(trials(storyboard, plan, TRIAL_COST_MAX / plans.len(), trials_max)?);
        balance::admit_length(storyboard, plan)?;
    }
    if plans[0].balance.is_some() {
        let weights = of_family(plans);
        balance::admit(storyboard, &plans[0], weights)?;
        acceptance.kept = weights.kept;
    }
    Ok(Some(acceptance))
}

/// Of each cast of a plan: how many stories met the goals, and how many were drawn; for so much in all.
fn trials(
    storyboard: &Storyboard,
    plan: &Plan,
    cost_max: usize,
    trials_max: usize,
) -> Result<Vec<(usize, usize)>, Diagnostic> {
    let chains = plan.goals.iter().flat_map(|(_, goal)| goal.chains());
    let cells: usize = chains.map(|chain| (chain.order() + 1).pow(2) / 8).sum();
    // With deeds, what there is, and what everyone believes, is followed; a unit is for some of that.
    let places = plan.place_names.len();
    let followed = plan.things().map_or(0, |things| things.event_cost(plan.character_count, places) / 8);
    let cost = plan.horizon.saturating_mul(1 + cells + followed).saturating_mul(plan.casts.len());
    let trials_max = (cost_max / cost).clamp(TRIALS_MIN, TRIALS_MAX).min(trials_max);
    let mut simulator = Simulator::of_trials(plan);
    let mut judges = judges(plan);
    let mut story = Story::default();
    simulator.draw_cast(0, &mut story); // names do not matter
    let mut casts = Vec::new();
    for cast in 0..plan.casts.len() {
        story.cast = cast;
        let (mut accepted, mut trials) = (0, 0);
        // At which step how many stories could not go on.
        let mut stuck: BTreeMap<usize, usize> = BTreeMap::new();
        while trials < trials_max && accepted < ACCEPTED_ENOUGH {
            let is_story = simulator.draw_walk(cast as u64, trials as u64, &mut story);
            trials += 1;
            accepted += usize::from(is_story && judges.iter_mut().all(|judge| judge.accepts(&story)));
            if !is_story {
                *stuck.entry(story.trace.events.len()).or_default() += 1;
            }
        }
        if accepted * TRIALS_PER_STORY_MAX < trials {
            let most_stuck = stuck.into_iter().rev().max_by_key(|&(_, count)| count);
            let at_deed = most_stuck.filter(|&(_, count)| count * 2 > trials);
            return Err(match at_deed.or(most_stuck.filter(|_| plan.goals.is_empty())) {
                Some((step, count)) => too_hard(storyboard, plan, cast, step, count, trials),
                None => too_rare(storyboard, plan, cast, accepted, trials),
            });
        }
        casts.push((accepted, trials));
    }
    Ok(casts)
}

/// Too few stories could go on at a step, because of what people are to do then.
fn too_hard(
    storyboard: &Storyboard,
    plan: &Plan,
    cast: usize,
    step: usize,
    count: usize,
    trials: usize,
) -> Diagnostic {
    let sources = plan.things().map_or(&[][..], |things| &things.sources);
    let mut spans =
        sources.iter().filter(|(from, _)| *from == step).map(|&(_, number)| storyboard.events[number].span);
    let under = under(plan, cast);
    let Some(first) = spans.next() else {
        let message = format!("{count} of {trials} stories came to step {step}, and not past it{under}");
        return Diagnostic::error(message, storyboard.name.span, "too rare to wait for").help(
            "whoever a condition concerns does too little of what `play` draws: give `move` more weight",
        );
    };
    let message =
        format!("in {count} of {trials} stories this could not be done when its step had come{under}");
    let problem = Diagnostic::error(message, first, format!("at step {step}"));
    spans.fold(problem, |problem, span| problem.label(span, "or this")).help(format!(
        "stories are drawn again until all can be done, and that should be one in {TRIALS_PER_STORY_MAX} at least. \
         Whoever does it has to be there, with what it takes: let conditions see to that, or leave more open"
    ))
}

/// " where …": which cast it is, if there are several.
pub(super) fn under(plan: &Plan, cast: usize) -> String {
    let binds = plan.bind_names.iter().zip(&plan.casts[cast].binds);
    let binds = binds.map(|(name, place)| format!("{name} is {}", plan.place_names[place.index()]));
    let drawn = plan.drawn().iter().map(|(name, value)| format!("{name} is {value}"));
    let binds: Vec<String> = binds.chain(drawn).collect();
    if binds.is_empty() { String::new() } else { format!(" where {}", binds.join(", ")) }
}

fn too_rare(storyboard: &Storyboard, plan: &Plan, cast: usize, accepted: usize, trials: usize) -> Diagnostic {
    let message = match accepted {
        0 => format!("of {trials} stories that meet the conditions, none met this goal"),
        1 => format!("of {trials} stories that meet the conditions, only one met this goal"),
        _ => format!("of {trials} stories that meet the conditions, only {accepted} met this goal"),
    };
    let message = match plan.goals.len() {
        1 => message,
        _ => message.replace("this goal", "these goals"),
    };
    let under = under(plan, cast);
    let mut spans = plan.goals.iter().map(|&(number, _)| storyboard.goals[number].span);
    let first = spans.next().expect("there is a goal");
    let mut problem = Diagnostic::error(format!("{message}{under}"), first, "too rare to wait for");
    for span in spans {
        problem = problem.label(span, "and this");
    }
    problem.help(format!(
        "stories are drawn again until they meet what the tables cannot see to, and that should be one in \
         {TRIALS_PER_STORY_MAX} at least. Make it likelier by conditions: let those meet whose beliefs count, let them \
         be `idle` afterwards"
    ))
}
