//! From a storyboard to a [`Plan`], or to every reason why there is none.
//!
//! 1. `resolve` turns names into indices and expressions into numbers.
//! 2. The casts are all ways to bind the places.
//! 3. For each cast, backward messages say how likely the conditions are from every step on
//!    (`message`), under the rules that the conditions amount to (`rule`). Casts under which they
//!    cannot hold are dropped; if none is left, `explain` finds the event at fault.
//!
//! The messages are the tables from which [`crate::simulate`] draws, exactly: an event has its
//! probability under free play given that all conditions hold.

mod backward;
mod explain;
mod fingerprint;
mod message;
mod resolve;
mod rule;

use crate::diagnostic::{Diagnostic, Severity};
use crate::id::{CharacterId, PlaceId};
use crate::plan::{CastPlan, Goal, Odds, Phase, Place, Plan, Table};
use crate::storyboard::{Broken, Storyboard};
use crate::weight::Weight;
use backward::{Backward, Demands, Fault, draw, in_tables};
use message::Power;
pub use resolve::HORIZON_MAX;
use resolve::Resolved;

/// There may be this many ways to bind the places.
pub const CASTS_MAX: usize = 200_000;

/// The phases of all casts together may be this many.
const PHASES_MAX: usize = 1 << 20;

/// There may be this many ways to bind the places, times windows between which conditions change.
pub const CAST_WINDOWS_MAX: usize = 1 << 19;

/// What compiling found out.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The plan.
    pub plan: Plan,
    /// What the author would want to know all the same.
    pub warnings: Vec<Diagnostic>,
}

/// Compiles a storyboard; `settings` override its parameters (names that it has not are ignored).
///
/// # Errors
/// All that is wrong with the storyboard, warnings included.
///
/// ```
/// use storysim::{compile::compile, storyboard};
/// let built_in = storyboard::BUILT_IN.iter().find(|board| board.name == "first-order-mislead").unwrap();
/// let board = storyboard::parse(built_in.source()).unwrap();
/// let plan = compile(&board, &[("mislead_distance".into(), 5)]).unwrap().plan;
/// assert_eq!(plan.horizon, 100);
/// ```
pub fn compile(storyboard: &Storyboard, settings: &[(String, i64)]) -> Result<Compiled, Vec<Diagnostic>> {
    let mut warnings = Vec::new();
    let compiled = resolve::resolve(storyboard, settings, &mut warnings)
        .and_then(|resolved| plan(storyboard, resolved).map_err(|problem| vec![problem]));
    match compiled {
        Ok(plan) => Ok(Compiled { plan, warnings }),
        Err(mut problems) => {
            debug_assert!(problems.iter().any(|problem| problem.severity == Severity::Error));
            problems.extend(warnings);
            Err(problems)
        }
    }
}

/// The decimal logarithm of a chance that no two stories of a plan are the same with a greater one, read as
/// text, goals that are not in the tables left aside. `plan` is that of the storyboard under the settings.
///
/// Two stories are the same if the same names go to the same places in the same order. Let p be the
/// distribution of walks under the roles' own names. Naming is uniform, so the chance is at most
/// `Σ p(walk)² / (pool over count)`, by Cauchy and Schwarz: two namings make walks w and w' the same where
/// one is the other renamed. And p is the mean over casts, so `Σ p²` is at most the mean of theirs.
///
/// Costs as much as compiling.
///
/// ```
/// use storysim::{compile::{coincidence, compile}, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// assert!(coincidence(&board, &[], &plan) < -50.0);
/// ```
pub fn coincidence(storyboard: &Storyboard, settings: &[(String, i64)], plan: &Plan) -> f64 {
    let resolved = resolve::resolve(storyboard, settings, &mut Vec::new()).expect("it has a plan");
    let all_casts: Vec<Vec<PlaceId>> = plan.casts.iter().map(|cast| cast.binds.clone()).collect();
    let has_beliefs = plan.memories.len() > resolved.memories.len();
    let goals = resolved.goals.iter().filter(|_| has_beliefs);
    let goals = goals.filter_map(|ensured| in_tables(&ensured.goal)).collect();
    let demands = Demands::new(&resolved, resolved.conditions.clone(), goals, resolved.horizon);
    let Ok(squares) = feasible(&demands, &all_casts, Power::Two) else { return 0.0 };
    let same = squares.casts.iter().fold(Weight::ZERO, |sum, (at, square)| {
        let probability = plan.casts[*at].probability;
        sum.plus(square.probability.divided_by(probability).divided_by(probability))
    });
    let names = (0..plan.character_count).map(|at| ((plan.pool.len() - at) as f64 / (at + 1) as f64).log10());
    (same.over(plan.casts.len()).log10() - names.sum::<f64>()).min(0.0)
}

/// All that is wrong with a storyboard that could not be read: its form, and what can be told of the
/// rest.
pub fn problems(broken: &Broken) -> Vec<Diagnostic> {
    let mut problems = broken.problems.clone();
    if let Some(rest) = &broken.rest {
        problems.extend(resolve::resolve(rest, &[], &mut Vec::new()).err().unwrap_or_default());
    }
    problems
}

fn plan(storyboard: &Storyboard, resolved: Resolved) -> Result<Plan, Diagnostic> {
    let all_casts = casts(&resolved)?;
    let goals: Vec<Goal> = resolved.goals.iter().filter_map(|ensured| in_tables(&ensured.goal)).collect();
    let demands = |goals| Demands::new(&resolved, resolved.conditions.clone(), goals, resolved.horizon);
    let demands = [demands(goals), demands(Vec::new())];
    // Goals have room in the tables, or stories are drawn again until they meet them.
    let has_room = feasible(&demands[0], &all_casts, Power::One);
    let (at, found) = match has_room {
        Err(Excess::Tables(_)) if !demands[0].goals.is_empty() => {
            (1, feasible(&demands[1], &all_casts, Power::One))
        }
        found => (0, found),
    };
    let Feasible { casts: found, tables, actor_sets } =
        found.map_err(|excess| explain::excess(&resolved, all_casts.len(), excess))?;
    if found.is_empty() {
        return Err(explain::unsatisfiable(storyboard, &resolved, &all_casts));
    }
    let total = found.iter().fold(Weight::ZERO, |sum, (_, backward)| sum.plus(backward.probability));
    let odds = Odds { log10_probability: total.over(found.len()).log10(), cast_count: all_casts.len() };
    let casts = found.into_iter().map(|(at, backward)| CastPlan {
        binds: all_casts[at].clone(),
        start: resolved.start.iter().map(|place| place.under(&all_casts[at])).collect(),
        probability: backward.probability,
        phases: backward.steps.into_iter().map(|(until, step)| Phase { until, draw: draw(step) }).collect(),
    });
    let casts = casts.collect();
    let Demands { goals, memories, .. } = demands.into_iter().nth(at).expect("one of two");
    let all_goals = resolved.goals.iter().map(|ensured| ensured.goal.clone()).enumerate();
    let rest = all_goals.filter(|(_, goal)| !goals.contains(goal));
    let fingerprint = fingerprint::fingerprint(storyboard, &resolved);
    Ok(Plan {
        name: storyboard.name.value.clone(),
        horizon: resolved.horizon,
        character_count: resolved.character_count,
        casts,
        tables,
        memories,
        goals: rest.collect(),
        actor_sets,
        verbs: storyboard.verbs.iter().map(|verb| verb.value.clone()).collect(),
        fingerprint,
        odds,
        parameters: resolved.parameters,
        map: resolved.map,
        place_names: resolved.place_names,
        pool: resolved.pool,
        role_names: resolved.role_names,
        bind_names: resolved.binds.into_iter().map(|bind| bind.name).collect(),
        notes: resolved.notes,
        questions: resolved.questions,
    })
}

/// The casts under which demands can be met, by number, and what their stories are drawn from.
struct Feasible {
    casts: Vec<(usize, Backward)>,
    tables: Vec<Table>,
    actor_sets: Vec<Vec<CharacterId>>,
}

/// Why demands cannot be looked at.
enum Excess {
    /// The tables outgrew their room at this step.
    Tables(usize),
    /// There are too many casts for so many windows.
    Casts(usize),
}

fn feasible(demands: &Demands<'_>, casts: &[Vec<PlaceId>], power: Power) -> Result<Feasible, Excess> {
    let windows = demands.windows();
    if casts.len().saturating_mul(windows.len()) > CAST_WINDOWS_MAX {
        return Err(Excess::Casts(windows.len()));
    }
    let mut messages = demands.messages(power);
    let mut found = Vec::new();
    let mut phase_count = 0;
    for (at, binds) in casts.iter().enumerate() {
        let backward = demands
            .backward(&windows, binds, &mut messages)
            .map_err(|Fault { step }| Excess::Tables(step))?;
        if !backward.probability.is_zero() {
            phase_count += backward.steps.len();
            if phase_count > PHASES_MAX {
                return Err(Excess::Casts(windows.len()));
            }
            found.push((at, backward));
        }
    }
    let (tables, actor_sets) = messages.finish();
    Ok(Feasible { casts: found, tables, actor_sets })
}

/// All ways to bind the places, in lexicographic order.
fn casts(resolved: &Resolved) -> Result<Vec<Vec<PlaceId>>, Diagnostic> {
    let mut casts = Vec::new();
    let mut bound: Vec<PlaceId> = Vec::new();
    let mut tried = 0_usize;
    let mut deepest = 0;
    let too_many = || {
        let bind = resolved.binds.last().expect("one cast without binds");
        let message = format!("there are more than {CASTS_MAX} ways to bind the places");
        Diagnostic::error(message, bind.span, "up to this one").help("say more about them: `next_to`, `not`")
    };
    // Depth first: `next` is the place to try for the bind after the last bound one.
    let mut next = 0;
    loop {
        if bound.len() == resolved.binds.len() {
            if casts.len() == CASTS_MAX {
                return Err(too_many());
            }
            casts.push(bound.clone());
            next = resolved.map.place_count(); // one cast only, if there are no binds
        }
        if next == resolved.map.place_count() {
            match bound.pop() {
                Some(place) => next = place.index() + 1,
                None => break,
            }
            continue;
        }
        tried += 1;
        if tried > 50 * CASTS_MAX {
            return Err(too_many());
        }
        bound.push(PlaceId::new(next));
        if may_bind(resolved, &bound) {
            deepest = deepest.max(bound.len());
            next = 0;
        } else {
            bound.pop();
            next += 1;
        }
    }
    if casts.is_empty() {
        let bind = &resolved.binds[deepest];
        let message = format!("no place can be `{}`", bind.name);
        return Err(Diagnostic::error(message, bind.span, "whatever the binds before it"));
    }
    Ok(casts)
}

/// Whether the binds so far go together, given that all but the last do.
fn may_bind(resolved: &Resolved, bound: &[PlaceId]) -> bool {
    let known = |place: Place| match place {
        Place::Fixed(place) => Some(place),
        Place::Bound(bind) => bound.get(bind).copied(),
    };
    let last = bound.len() - 1;
    resolved.binds[..bound.len()].iter().enumerate().all(|(at, bind)| {
        let concerns_last = |place: Place| at == last || place == Place::Bound(last);
        let next_to = bind.next_to.filter(|&place| concerns_last(place)).and_then(known);
        let mut not =
            bind.not.iter().filter(|&&place| concerns_last(place)).filter_map(|&place| known(place));
        next_to.is_none_or(|place| resolved.map.leads(place, bound[at]))
            && not.all(|place| place != bound[at])
    })
}
