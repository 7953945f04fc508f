//! Whether stories have twins, tried out beforehand.

use std::ops::Range;

use super::pairs::{self, Pilot, TRIES_MAX};
use super::{Twin, Twins, asked, cost};
use crate::diagnostic::{Diagnostic, Span};
use crate::plan::Balance;
use crate::select::balance::{MISFIT_MAX, Weights, entry};
use crate::select::cores::in_chunks;
use crate::select::family::{Family, PILOT};
use crate::select::selector::Selector;
use crate::select::trial::{TRIAL_COST_MAX, under};
use crate::simulate::Story;
use crate::storyboard::Storyboard;

/// The largest number of stories of each cast that are looked at.
const STORIES_MAX: usize = 100;

/// The smallest number of stories of each cast that are looked at.
const STORIES_MIN: usize = 4;

/// The largest number of stories that are looked at first, where shares are balanced.
const PILOTS_MAX: usize = 12_000;

/// The smallest number of stories that are looked at first, where shares are balanced.
const PILOTS_MIN: usize = 2_000;

/// Roughly the most that the first stories may cost, where shares are balanced: a unit for every event that is followed,
/// and for what has to be followed then.
const PILOT_COST_MAX: f64 = (1_u64 << 28) as f64;

/// If the first stories give fewer kept pairs than this, as many more are looked at as should be needed. The more pairs,
/// the closer the shares come to what they should be.
const KEPT_ENOUGH: f64 = 800.0;

/// The largest number of stories that are looked at in all, as a multiple of the first ones.
const MORE_PILOTS: f64 = 6.0;

/// A storyboard is refused if all stories that are looked at give fewer kept pairs than this.
const KEPT_MIN: f64 = 40.0;

/// The cost of an attempt at a story that is not kept, as a fraction of the cost of following a story.
const ATTEMPT_COST: f64 = 0.125;

/// The number of stories that one thread looks at in a row.
const CHUNK: u64 = 64;

/// A storyboard is refused if less than one story in this many is kept for its twins.
const STORIES_PER_PAIR_MAX: f64 = 400.0;

/// Tries out whether stories have twins often enough to be drawn again until one has. Returns the family; where shares are
/// balanced, with the factors by which pairs are kept.
///
/// # Errors
/// If no question asks for a belief at the end, or if there is a cast under which none of `STORIES_MAX` stories has a twin
/// (fewer if they are very long). Where shares are balanced, casts and drawn numbers are not distinguished; then also if
/// the shares cannot be reached over stories and their twins, or only with too few stories kept.
///
/// ```
/// use storysim::{compile::compile_family, diagnostic::Source, select::{admit, admit_twins}, storyboard};
/// let text = "storysim: 1\nname: doc\ncharacters: {pool: people, count: 4}\nroles: [S1, T]\nstart: a\nhorizon: 20\n\
///             places: {complete: [a, b, c, d]}\nquestions: [{belief: [S1, T]}]\n";
/// let board = storyboard::parse(Source { name: "doc".into(), text: text.into() }).unwrap();
/// let admitted = admit(&board, compile_family(&board, &[]).unwrap().plans).unwrap();
/// assert!(admit_twins(&board, admitted.family).is_ok());
/// ```
pub fn admit_twins(storyboard: &Storyboard, family: Family) -> Result<Family, Diagnostic> {
    let Some(mut twins) = Twins::of_pilots(storyboard, &family, 0) else { return Err(no_belief(storyboard)) };
    if let Some((balance, of_stories)) = family.balance() {
        let known = family.weights().pairs.clone();
        let of_pairs = known.unwrap_or_else(|| pair_weights(storyboard, &family, balance, of_stories));
        admit_pairs(storyboard, &family, balance, &of_pairs)?;
        return Ok(family.with_pair_weights(of_pairs));
    }
    let mut selector = Selector::of_trials(&family);
    let (mut story, mut twin) = (Story::default(), Twin::default());
    for (number, plan) in family.plans().iter().enumerate() {
        let stories_max =
            (TRIAL_COST_MAX / family.plans().len() / cost(plan)).clamp(STORIES_MIN, STORIES_MAX);
        for cast in 0..plan.casts.len() {
            let has_twin = (PILOT..).take(stories_max).any(|trial| {
                selector.draw_trial(number, cast, trial, &mut story);
                twins.find(number, &mut story, trial, &mut twin)
            });
            if !has_twin {
                let (question, _) = asked(plan).expect("there are twins");
                return Err(too_rare(span_of(storyboard, question), stories_max, &under(plan, cast)));
            }
        }
    }
    Ok(family)
}

/// Finds the factors by which pairs are kept, on pilot stories and their twins.
fn pair_weights(
    storyboard: &Storyboard,
    family: &Family,
    balance: &Balance,
    of_stories: &Weights,
) -> Weights {
    let cost = family.plans().iter().map(cost).max().expect("there is one") as f64;
    let attempts = 1.0 / of_stories.kept.max(f64::MIN_POSITIVE);
    let cost_of_story = cost * (TRIES_MAX as f64 + attempts * ATTEMPT_COST);
    let first = ((PILOT_COST_MAX / cost_of_story) as usize).clamp(PILOTS_MIN, PILOTS_MAX) as u64;
    let mut found = pilots(storyboard, family, 0..first);
    let weights = pairs::fit(balance, &found);
    // A tenth more, since it is not known exactly.
    let wanted = (1.1 * KEPT_ENOUGH / weights.kept).min(MORE_PILOTS * first as f64) as u64;
    if weights.error > MISFIT_MAX || wanted <= first || weights.kept * first as f64 >= KEPT_ENOUGH {
        return weights;
    }
    found.extend(pilots(storyboard, family, first..wanted));
    pairs::fit(balance, &found)
}

/// Pilot stories with these numbers, which have nothing to do with any run, and their twins.
fn pilots(storyboard: &Storyboard, family: &Family, numbers: Range<u64>) -> Vec<Pilot> {
    let chunks = in_chunks(numbers, CHUNK, || {
        let mut twins = Twins::of_pilots(storyboard, family, 0).expect("a question asks for a belief");
        let mut selector = Selector::of_trials(family);
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

/// Whether the shares can be reached over stories and twins.
fn admit_pairs(
    storyboard: &Storyboard,
    family: &Family,
    balance: &Balance,
    weights: &Weights,
) -> Result<(), Diagnostic> {
    let Weights { kept, error, pilots, worst, .. } = *weights;
    let Some(written) = &storyboard.balance else { return Ok(()) };
    if error.is_infinite() {
        // There is no pair at all that may be.
        if !self::pilots(storyboard, family, 0..STORIES_MAX as u64).iter().any(|pilot| pilot.has_twin) {
            return Err(too_rare(span_of(storyboard, balance.question), pilots, ""));
        }
        let message = format!("none of {pilots} stories has a twin that `balance` allows");
        return Err(Diagnostic::error(message, written.span, "required of a story and its twin").help(
            "the two have different answers, and one of them may be an answer without a share: ask for less, or make no twins",
        ));
    }
    if error > MISFIT_MAX {
        let (property, span) = entry(written, balance, worst);
        let message = format!("these shares cannot be met with twins: `{property}` stays off by {error:.3}");
        return Err(Diagnostic::error(message, span, "could not be met over stories and their twins")
            .help("a twin differs in one event, and too few such changes affect what is balanced: ask for less, or make no twins"));
    }
    if kept * STORIES_PER_PAIR_MAX < 1.0 || kept * (pilots as f64) < KEPT_MIN {
        let message = format!("only one story in {:.0} would be accepted for its twins", 1.0 / kept);
        return Err(Diagnostic::error(message, written.span, "too rare to wait for").help(format!(
            "stories are drawn again until shares are right over stories and their twins, and at least one in \
             {STORIES_PER_PAIR_MAX:.0} has to be accepted. Balance less, or make no twins"
        )));
    }
    Ok(())
}

fn no_belief(storyboard: &Storyboard) -> Diagnostic {
    let message = "twins differ in the answer to a `belief`, but no question asks for one at the end";
    Diagnostic::error(message, storyboard.name.span, "this storyboard")
        .help("add one to `questions`, such as `belief: [S1, T]`, or make no twins")
}

/// The span of the question whose answer is to differ.
fn span_of(storyboard: &Storyboard, question: usize) -> Span {
    storyboard.questions.get(question).map_or(storyboard.name.span, |asked| asked.span)
}

fn too_rare(span: Span, tried: usize, under: &str) -> Diagnostic {
    let message = format!("none of {tried} stories has a twin{under}");
    Diagnostic::error(message, span, "twins need a different answer to this").help(
        "a twin differs in one event, keeps everything that the target does, satisfies the storyboard, and has another \
         answer. Where `events` say who goes where and when, nothing is left to differ: allow free play with windows \
         (`from`, `until`) in place of `move` and `meet` at fixed steps, and keep nobody `idle` whom the question is about",
    )
}
