//! How many stories meet their goals, tried out beforehand.

use std::collections::BTreeMap;

use super::family::{Family, strands_of};
use super::fits::Fits;
use super::judge::judges;
use super::ranking::Ranking;
use super::selector::ranking;
use super::{balance, unlike};
use crate::compile::unheard;
use crate::diagnostic::Diagnostic;
use crate::form::{Hardness, Hearers};
use crate::plan::{Goal, Plan, PlannedAct, Weight};
use crate::question::HardnessGauge;
use crate::resolve::holders;
use crate::simulate::{Simulator, Story};
use crate::storyboard::{Storyboard, Weave};

/// The largest number of stories that are tried for each cast.
const TRIALS_MAX: usize = 8_000;

/// The smallest number of stories that are tried for each cast.
const TRIALS_MIN: usize = 8;

/// Roughly the most that all trials together may cost: a unit for every event, and for what every chain may hold then.
pub(super) const TRIAL_COST_MAX: usize = 1 << 25;

/// A cast is tried no further once this many of its stories have met the goals.
const ACCEPTED_ENOUGH: usize = 64;

/// A cast is refused if none of its trials meets the goals, or fewer than one in this many.
const TRIALS_PER_STORY_MAX: usize = 1_000;

/// The number of stories that are looked at to say how difficult questions are instead.
const LOOKED_AT: u64 = 200;

/// How many stories meet the goals that the tables cannot see to.
#[derive(Clone, Debug, PartialEq)]
pub struct Acceptance {
    /// For each cast, plan by plan, the number of stories that met the goals and the number that were drawn.
    pub casts: Vec<(usize, usize)>,
    /// The share of stories that is kept among those that meet the goals, where shares are balanced; 1 where they are not.
    pub kept: f64,
}

impl Acceptance {
    /// The share of stories that meet the goals, averaged over the casts, each weighted by the probability that it meets
    /// everything else. A plan's probability is to be multiplied by this.
    pub fn share(&self, family: &Family) -> f64 {
        let casts = || family.plans().iter().flat_map(|plan| &plan.casts);
        let largest = casts().map(|cast| cast.probability).reduce(Weight::larger).expect("a plan has a cast");
        let (mut met, mut all) = (0.0, 0.0);
        for (cast, &(accepted, trials)) in casts().zip(&self.casts) {
            let weight = cast.probability.share_of(largest);
            met += weight * accepted as f64 / trials as f64;
            all += weight;
        }
        met / all
    }

    /// The share of stories that meet the goals, for each cast.
    pub fn shares(&self) -> Vec<f64> {
        self.casts.iter().map(|&(accepted, trials)| accepted as f64 / trials as f64).collect()
    }

    /// How many stories have to be drawn for each one that is kept, on average over the casts.
    pub fn attempts(&self) -> f64 {
        let attempts = self.casts.iter().map(|&(accepted, trials)| trials as f64 / accepted as f64);
        attempts.sum::<f64>() / self.casts.len() as f64 / self.kept
    }
}

/// The plans of a storyboard that were tried out, and the result.
#[derive(Clone, Debug)]
pub struct Admitted {
    /// The plans, from which stories can be drawn.
    pub family: Family,
    /// How many stories meet the goals; `None` if there is nothing that a story could miss.
    pub acceptance: Option<Acceptance>,
}

/// Tries out whether stories meet the goals of their storyboard often enough to be drawn again until they do. `plans` are
/// the plans of all combinations of its drawn numbers.
///
/// Costs drawing up to `TRIALS_MAX` stories for each cast, with a total cost of `TRIAL_COST_MAX`; where shares are
/// balanced, also the cost of [`Family::new`].
///
/// # Errors
/// If, as far as the trials can tell, there is a cast under which less than one story in `TRIALS_PER_STORY_MAX` meets the
/// goals; the first such cast is named. Where shares are balanced, also if they cannot be reached.
///
/// # Panics
/// If there is no plan.
///
/// ```
/// use storysim::{compile::compile_family, select::admit, storyboard};
/// let goal = storyboard::BUILT_IN.iter().find(|board| board.name == "second-order-goal").unwrap();
/// let board = storyboard::parse(goal.source()).unwrap();
/// let admitted = admit(&board, compile_family(&board, &[]).unwrap().plans).unwrap();
/// assert!(admitted.acceptance.unwrap().attempts() > 1.0);
/// ```
pub fn admit(storyboard: &Storyboard, plans: Vec<Plan>) -> Result<Admitted, Diagnostic> {
    admit_within(storyboard, plans, TRIALS_MAX)
}

/// Tries out stories like [`admit`], but no more than `trials_max` for each cast.
///
/// # Errors
/// If none of a cast's trials meets the goals, or less than one in `TRIALS_PER_STORY_MAX`; and whenever [`admit`] fails.
///
/// # Panics
/// If there is no plan.
pub fn admit_within(
    storyboard: &Storyboard,
    plans: Vec<Plan>,
    trials_max: usize,
) -> Result<Admitted, Diagnostic> {
    if let Some(weave) = &storyboard.weave {
        return Ok(Admitted { family: admit_strands(weave, plans, trials_max)?, acceptance: None });
    }
    if !plans.iter().any(Plan::may_miss) {
        return Ok(Admitted { family: Family::new(plans), acceptance: None });
    }
    let try_out = |plans: &[Plan], ranking| -> Result<Vec<(usize, usize)>, Diagnostic> {
        let of_plan = |plan| trials(storyboard, plan, ranking, TRIAL_COST_MAX / plans.len(), trials_max);
        let casts: Result<Vec<_>, _> = plans.iter().map(of_plan).collect();
        Ok(casts?.concat())
    };
    let mut acceptance = Acceptance { casts: try_out(&plans, None)?, kept: 1.0 };
    for plan in &plans {
        balance::admit_length(storyboard, plan)?;
    }
    let family = Family::known(plans, &fits_of(storyboard)?);
    unlike::admit(storyboard, &family)?;
    if let Some((balance, weights)) = family.balance() {
        balance::admit(storyboard, &family.plans()[0], balance, weights)?;
        if let Some(look) = &family.weights().look {
            balance::admit_look(storyboard, balance, weights, look)?;
        }
        acceptance.kept = weights.kept * family.weights().look.as_ref().map_or(1.0, |look| look.kept);
    }
    // Questions are ranked by stories that meet all other goals.
    if family.plans().iter().any(Plan::is_of_ranks) {
        acceptance.casts = try_out(family.plans(), Some(ranking(&family)))?;
    }
    Ok(Admitted { family, acceptance: Some(acceptance) })
}

/// Tries out the boards that are woven, each on its own.
fn admit_strands(weave: &Weave, plans: Vec<Plan>, trials_max: usize) -> Result<Family, Diagnostic> {
    let strands = weave.strands.iter().zip(strands_of(&plans)).map(|(strand, plans)| {
        let admitted = admit_within(&strand.board, plans.clone(), trials_max);
        admitted
            .map(|admitted| admitted.family)
            .map_err(|problem| strand.problem(&[problem], plans[0].given()))
    });
    let strands = strands.collect::<Result<Vec<Family>, Diagnostic>>()?;
    Ok(Family::of_strands(plans, strands))
}

/// What has been written beside a storyboard about its stories.
fn fits_of(storyboard: &Storyboard) -> Result<Fits, Diagnostic> {
    let Some(text) = &storyboard.weights else { return Ok(Fits::default()) };
    Fits::read(text).map_err(|error| {
        let message = format!("the file with the weights of this storyboard cannot be used: {error}");
        Diagnostic::error(message, storyboard.name.span, "of this storyboard")
            .help("remove the file, or let `storysim fit` write it again")
    })
}

/// Tries out the casts of a plan, at roughly this total cost. Without a ranking, goals that take one are left out. Returns for each
/// cast how many stories met the goals and how many were drawn.
fn trials(
    storyboard: &Storyboard,
    plan: &Plan,
    ranking: Option<&Ranking>,
    cost_max: usize,
    trials_max: usize,
) -> Result<Vec<(usize, usize)>, Diagnostic> {
    let cells: usize = plan.lengths_judged().iter().map(|length| length.pow(2) / 8).sum();
    // With deeds, what there is, and what everyone believes, is followed; a unit is for some of that.
    let places = plan.place_names.len();
    let followed = plan.things().map_or(0, |things| things.event_cost(plan.character_count, places) / 8);
    let cost = plan.horizon.saturating_mul(1 + cells + followed).saturating_mul(plan.casts.len());
    let trials_max = (cost_max / cost).clamp(TRIALS_MIN, TRIALS_MAX).min(trials_max);
    let mut simulator = Simulator::of_trials(plan);
    let mut judges = judges(plan, 0, ranking);
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
            return Err(match at_deed.or(most_stuck.filter(|_| judges.is_empty())) {
                Some((step, count)) => too_hard(storyboard, plan, cast, step, count, trials),
                None => too_rare(storyboard, plan, ranking.is_some(), cast, (accepted, trials)),
            });
        }
        casts.push((accepted, trials));
    }
    Ok(casts)
}

/// The error that too few stories could go on at a step, because of what people have to do then.
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
    let act = plan
        .things()
        .and_then(|things| things.deeds.iter().find(|(at, _)| *at == step).map(|(_, deed)| &deed.act));
    let needs_hearer = |act: &PlannedAct| match act {
        PlannedAct::Reveal(_) | PlannedAct::Chat => true,
        PlannedAct::Tell(telling) => telling.hearers == Hearers::Present,
        _ => false,
    };
    if act.is_some_and(needs_hearer)
        && let Some(mut problem) = unheard(storyboard, plan, cast, step)
    {
        problem.message.push_str(&under);
        return problem;
    }
    let Some(first) = spans.next() else {
        let message = format!("{count} of {trials} stories got to step {step} and no further{under}");
        return Diagnostic::error(message, storyboard.name.span, "too rare to wait for").help(
            "the characters of a condition do not move often enough: give `move` more weight in `play`",
        );
    };
    let message = format!("in {count} of {trials} stories this was impossible when its step came{under}");
    let problem = Diagnostic::error(message, first, format!("at step {step}"));
    let roles: Vec<&str> = plan.role_names.iter().map(String::as_str).collect();
    let takes = match (act, plan.things()) {
        (Some(PlannedAct::Reveal(Some(proposition))), Some(things)) => {
            let holders = holders(things, &roles, *proposition, step);
            format!("Somebody has to be there, and {holders}. Ensure that")
        }
        _ => "The actor has to be in the right place and have what it takes: ensure that".to_owned(),
    };
    spans.fold(problem, |problem, span| problem.label(span, "or this")).help(format!(
        "stories are drawn again until everything in them is possible, and at least one in {TRIALS_PER_STORY_MAX} has to \
         succeed. {takes} with conditions, or leave more open"
    ))
}

/// The words " where …" that tell which cast it is, if there are several.
pub(super) fn under(plan: &Plan, cast: usize) -> String {
    let binds = plan.bind_names.iter().zip(&plan.casts[cast].binds);
    let binds = binds.map(|(name, place)| format!("{name} is {}", plan.place_names[place.index()]));
    let drawn = plan.drawn().iter().map(|(name, value)| format!("{name} is {value}"));
    let binds: Vec<String> = binds.chain(drawn).collect();
    if binds.is_empty() { String::new() } else { format!(" where {}", binds.join(", ")) }
}

/// The error that too few stories meet the goals. `is_ranked` says whether goals that take a ranking were among them.
fn too_rare(
    storyboard: &Storyboard,
    plan: &Plan,
    is_ranked: bool,
    cast: usize,
    (accepted, trials): (usize, usize),
) -> Diagnostic {
    let goals: Vec<_> = plan.goals.iter().filter(|(_, goal)| is_ranked || !goal.is_only_of_ranks()).collect();
    let message = match accepted {
        0 => format!("none of {trials} stories that meet the conditions met this goal"),
        1 => format!("only one of {trials} stories that meet the conditions met this goal"),
        _ => format!("only {accepted} of {trials} stories that meet the conditions met this goal"),
    };
    let message = match goals.len() {
        1 => message,
        _ => message.replace("this goal", "these goals"),
    };
    let under = under(plan, cast);
    let mut spans = goals.iter().map(|(number, _)| storyboard.goals[*number].span);
    let first = spans.next().expect("there is a goal");
    let mut problem = Diagnostic::error(format!("{message}{under}"), first, "too rare to wait for");
    for span in spans {
        problem = problem.label(span, "and this");
    }
    let is_of_difficulty = goals.iter().any(|(_, goal)| matches!(goal, Goal::Difficulty(..)));
    let advice = match is_of_difficulty {
        true => found_instead(plan, cast),
        false => "Make it likelier with conditions: let the characters whose beliefs count meet, and keep them `idle` \
                  afterwards"
            .to_owned(),
    };
    problem.help(format!(
        "stories are drawn again until they meet this, and at least one in {TRIALS_PER_STORY_MAX} has to. {advice}"
    ))
}

/// How difficult the questions are that goals are about, in stories that need not meet any.
fn found_instead(plan: &Plan, cast: usize) -> String {
    let wanted = plan.goals.iter().filter_map(|(_, goal)| match goal {
        Goal::Difficulty(question, ranges) => Some(ranges.iter().map(move |(by, _)| (*question, *by))),
        _ => None,
    });
    let mut gauges: Vec<_> = wanted
        .flatten()
        .filter(|(_, by)| *by != Hardness::Quantile)
        .map(|(question, by)| (question, by, HardnessGauge::new(plan, 0, by, question), None))
        .collect();
    let (mut simulator, mut story) = (Simulator::of_trials(plan), Story::default());
    simulator.draw_cast(0, &mut story);
    story.cast = cast;
    for trial in 0..LOOKED_AT {
        if !simulator.draw_walk(cast as u64, trial, &mut story) {
            continue;
        }
        for (_, _, gauge, seen) in &mut gauges {
            if let Some(number) = gauge.measure(&story) {
                let (least, most) = seen.unwrap_or((number, number));
                *seen = Some((number.min(least), number.max(most)));
            }
        }
    }
    let said = gauges.iter().map(|(question, by, _, seen)| match seen {
        Some((least, most)) => format!("of question {question}, `{}` was {least} to {most}", by.key()),
        None => format!("question {question} was not asked"),
    });
    let said: Vec<String> = said.collect();
    match said.is_empty() {
        true => "Questions that are just as difficult have the same rank, so a range may hold many stories, or none".to_owned(),
        false => format!("In {LOOKED_AT} stories, {}", said.join(", and ")),
    }
}
