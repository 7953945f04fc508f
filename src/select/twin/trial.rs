//! Whether stories have twins, tried out beforehand.

use std::ops::Range;

use super::pairs::{self, Pilot, TRIES_MAX};
use super::{Twin, Twins, cost, question_of};
use crate::diagnostic::Diagnostic;
use crate::plan::{Plan, Weights};
use crate::select::balance::{MISFIT_MAX, entry};
use crate::select::cores::in_chunks;
use crate::select::trial::{TRIAL_COST_MAX, under};
use crate::select::{PILOT, Selector};
use crate::simulate::Story;
use crate::storyboard::Storyboard;

/// Of each cast at most so many stories are looked at,
const STORIES_MAX: usize = 100;

/// at least so many.
const STORIES_MIN: usize = 4;

/// Where shares are balanced, at first at most so many,
const PILOTS_MAX: usize = 12_000;

/// at least so many,
const PILOTS_MIN: usize = 2_000;

/// and such that it takes about so much: a unit for every event that is followed, and for what has to be followed then.
const PILOT_COST_MAX: f64 = (1_u64 << 28) as f64;

/// If that gives fewer pairs that would be kept than this, there are as many more as it takes: the more, the closer shares come
/// to what they should be;
const KEPT_ENOUGH: f64 = 800.0;

/// but all in all no more than so many times as many. A storyboard is refused if they give fewer than
const MORE_PILOTS: f64 = 6.0;

/// so many.
const KEPT_MIN: f64 = 40.0;

/// An attempt at a story that is not kept takes so much of what it takes to follow one.
const ATTEMPT_COST: f64 = 0.125;

/// So many stories are looked at by one thread, one after another.
const CHUNK: u64 = 64;

/// A storyboard is refused if less than one story in so many is kept for its twins.
const STORIES_PER_PAIR_MAX: f64 = 400.0;

/// Tries out whether stories have twins, often enough to be drawn again until one has.
///
/// # Errors
/// If no question asks for a belief at the end; or if there is a cast under which none of `STORIES_MAX` stories has a twin
/// (of very long ones, fewer are looked at). Where shares are balanced, neither casts nor drawn numbers
/// are told apart; then also if shares cannot be had over stories and their twins, or only if too few are kept.
pub fn admit_twins<'a>(storyboard: &'a Storyboard, plans: impl Into<&'a [Plan]>) -> Result<(), Diagnostic> {
    let plans = plans.into();
    let Some(mut twins) = Twins::of_pilots(storyboard, plans, 0) else { return Err(no_belief(storyboard)) };
    if plans[0].balance.is_some() {
        return admit_pairs(storyboard, plans);
    }
    let mut selector = Selector::of_trials(plans);
    let (mut story, mut twin) = (Story::default(), Twin::default());
    for (number, plan) in plans.iter().enumerate() {
        let stories_max = (TRIAL_COST_MAX / plans.len() / cost(plan)).clamp(STORIES_MIN, STORIES_MAX);
        for cast in 0..plan.casts.len() {
            let has_twin = (PILOT..).take(stories_max).any(|trial| {
                selector.draw_trial(number, cast, trial, &mut story);
                twins.find(number, &mut story, trial, &mut twin)
            });
            if !has_twin {
                return Err(too_rare(storyboard, plan, stories_max, &under(plan, cast)));
            }
        }
    }
    Ok(())
}

/// What pairs count for: the first plan keeps it for all.
pub(super) fn of_family<'a>(storyboard: &Storyboard, plans: &'a [Plan]) -> &'a Weights {
    let balance = plans[0].balance.as_ref().expect("plans that are balanced");
    balance.pairs.get_or_init(|| {
        let cost = plans.iter().map(cost).max().expect("there is one") as f64;
        let attempts = 1.0 / crate::select::of_family(plans).kept.max(f64::MIN_POSITIVE);
        let cost_of_story = cost * (TRIES_MAX as f64 + attempts * ATTEMPT_COST);
        let first = ((PILOT_COST_MAX / cost_of_story) as usize).clamp(PILOTS_MIN, PILOTS_MAX) as u64;
        let mut found = pilots(storyboard, plans, 0..first);
        let weights = pairs::fit(balance, &found);
        // A tenth more, since it is not known exactly.
        let wanted = (1.1 * KEPT_ENOUGH / weights.kept).min(MORE_PILOTS * first as f64) as u64;
        if weights.error > MISFIT_MAX || wanted <= first || weights.kept * first as f64 >= KEPT_ENOUGH {
            return weights;
        }
        found.extend(pilots(storyboard, plans, first..wanted));
        pairs::fit(balance, &found)
    })
}

/// Stories that have nothing to do with any run, by their numbers, and what twins they have.
fn pilots(storyboard: &Storyboard, plans: &[Plan], numbers: Range<u64>) -> Vec<Pilot> {
    let chunks = in_chunks(numbers, CHUNK, || {
        let mut twins = Twins::of_pilots(storyboard, plans, 0).expect("a question asks for a belief");
        let mut selector = Selector::of_trials(plans);
        let (mut story, mut twin) = (Story::default(), Twin::default());
        move |numbers: Range<u64>| {
            let pilot = |number| {
                selector.draw_trial(0, 0, PILOT + number, &mut story);
                let finder = twins.finder(selector.plan_number());
                finder.map_or_else(Pilot::default, |finder| finder.pilot(&story, number, &mut twin))
            };
            numbers.map(pilot).collect::<Vec<_>>()
        }
    });
    chunks.into_iter().flatten().collect()
}

/// Whether shares can be had over stories and twins.
fn admit_pairs(storyboard: &Storyboard, plans: &[Plan]) -> Result<(), Diagnostic> {
    let Weights { kept, error, pilots, worst, .. } = *of_family(storyboard, plans);
    let (Some(written), Some(balance)) = (&storyboard.balance, &plans[0].balance) else { return Ok(()) };
    if error.is_infinite() {
        // There is no pair at all that may be.
        if !self::pilots(storyboard, plans, 0..STORIES_MAX as u64).iter().any(|pilot| pilot.has_twin) {
            return Err(too_rare(storyboard, &plans[0], pilots, ""));
        }
        let message = format!("of {pilots} stories, none has a twin that `balance` allows");
        return Err(Diagnostic::error(message, written.span, "of a story and its twin alike").help(
            "the two have different answers, and one may be what no share is for: ask for less, or make no twins",
        ));
    }
    if error > MISFIT_MAX {
        let (property, span) = entry(written, balance, worst);
        let message =
            format!("no way to choose twins gives these shares: `{property}` stays off by {error:.3}");
        return Err(Diagnostic::error(message, span, "cannot be had over stories and their twins, as far as one can see")
            .help("a twin differs in one event, and there are not enough that change what is balanced: ask for less, or make no twins"));
    }
    if kept * STORIES_PER_PAIR_MAX < 1.0 || kept * (pilots as f64) < KEPT_MIN {
        let message = format!("of {:.0} stories, only one would be kept for its twins", 1.0 / kept);
        return Err(Diagnostic::error(message, written.span, "too rare to wait for").help(format!(
            "stories are drawn again until shares are right over stories and their twins, and one in \
             {STORIES_PER_PAIR_MAX:.0} should be kept at least. Balance less, or make no twins"
        )));
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
