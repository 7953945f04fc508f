//! From a storyboard to a [`Plan`], or to every reason why there is none.
//!
//! 1. [`crate::resolve`] turns names into indices and expressions into numbers.
//! 2. The casts are all ways to bind the places.
//! 3. For each cast, backward messages say how likely the conditions are from every step on
//!    (`message`), under the rules that the conditions amount to (`rule`). Casts under which they
//!    cannot hold are dropped; if none is left, `explain` finds the event at fault.
//!
//! The messages are the tables from which [`crate::simulate`] draws, exactly: an event has its
//! probability under free play given that all conditions hold.

mod backward;
mod explain;
mod family;
mod fingerprint;
mod goal;
mod legs;
mod message;
mod rule;
mod weave;
mod window;

use crate::diagnostic::{Diagnostic, Severity};
use crate::id::{CharacterId, PlaceId};
use crate::plan::{CastPlan, Goal, Legs, Odds, Phase, Place, Plan, Table};
pub use crate::resolve::HORIZON_MAX;
use crate::resolve::{Resolved, resolve};
use crate::storyboard::{Broken, Start, Storyboard};
use crate::weight::Weight;
use backward::{Backward, Demands, Fault, draw};
pub use family::{FAMILY_MAX, compile_family};
use goal::in_tables;
use message::{ENTRIES_MAX, Power, TooLarge};
pub use weave::woven_coincidence;
use window::Window;

/// The largest number of ways to bind the places.
pub const CASTS_MAX: usize = 200_000;

/// The largest number of phases of all casts together.
const PHASES_MAX: usize = 1 << 20;

/// The largest product of the ways to bind the places and the windows between which conditions change.
pub const CAST_WINDOWS_MAX: usize = 1 << 19;

/// The result of compiling a storyboard.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The compiled plan.
    pub plan: Plan,
    /// Warnings for the author.
    pub warnings: Vec<Diagnostic>,
}

/// The result of compiling all combinations.
#[derive(Clone, Debug)]
pub struct CompiledFamily {
    /// One plan per combination, the last number varying fastest; a single plan if nothing is drawn.
    pub plans: Vec<Plan>,
    /// Warnings for the author.
    pub warnings: Vec<Diagnostic>,
}

/// Compiles a storyboard; `settings` override its parameters (names that it does not have are ignored). For a number that
/// is drawn for each story and not set, the plan has the smallest value; for all values, see [`compile_family`].
///
/// # Errors
/// Everything that is wrong with the storyboard, including warnings.
///
/// ```
/// use storysim::{compile::compile, storyboard};
/// let built_in = storyboard::BUILT_IN.iter().find(|board| board.name == "first-order-mislead").unwrap();
/// let board = storyboard::parse(built_in.source()).unwrap();
/// let plan = compile(&board, &[("mislead_distance".into(), 5)]).unwrap().plan;
/// assert_eq!(plan.horizon, 100);
/// ```
pub fn compile(storyboard: &Storyboard, settings: &[(String, i64)]) -> Result<Compiled, Vec<Diagnostic>> {
    if let Some(weave) = &storyboard.weave {
        let one = |board: &Storyboard, settings: &[(String, i64)]| {
            let Compiled { plan, warnings } = compile(board, settings)?;
            Ok(CompiledFamily { plans: vec![plan], warnings })
        };
        let CompiledFamily { mut plans, warnings } = weave::family(storyboard, weave, settings, one)?;
        return Ok(Compiled { plan: plans.swap_remove(0), warnings });
    }
    compile_by(storyboard, settings, by_any)
}

/// The values of all parameters and of all drawn numbers, if the names and numbers of a storyboard are right. It is not
/// checked whether any story satisfies the storyboard.
///
/// # Errors
/// Everything that is wrong with names and numbers, or a drawn number that is not set.
///
/// ```
/// use storysim::{compile::parameters, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// assert_eq!(parameters(&board, &[]).unwrap(), [("mislead_distance".to_owned(), 30)]);
/// ```
pub fn parameters(
    storyboard: &Storyboard,
    settings: &[(String, i64)],
) -> Result<Vec<(String, i64)>, Vec<Diagnostic>> {
    if let Some(weave) = &storyboard.weave {
        return weave::parameters(storyboard, weave, settings);
    }
    let resolved = resolve(storyboard, settings, &mut Vec::new())?;
    let drawn = storyboard.draws.iter().zip(&resolved.draws);
    let open = drawn.filter(|(_, [least, most])| least < most).map(|(drawn, _)| {
        let name = &drawn.name;
        let message = format!("`{}` is drawn for each story, and its value here is not known", name.value);
        let help = format!("set `{}` to the value that it has in this story", name.value);
        Diagnostic::error(message, name.span, "drawn from this range").help(help)
    });
    let open: Vec<Diagnostic> = open.collect();
    if open.is_empty() { Ok(resolved.parameters) } else { Err(open) }
}

/// Works like [`compile()`], but by legs even where tables would do, to compare the two.
///
/// # Errors
/// Like [`compile()`], and if legs do not apply.
#[doc(hidden)]
pub fn compile_by_legs(
    storyboard: &Storyboard,
    settings: &[(String, i64)],
) -> Result<Compiled, Vec<Diagnostic>> {
    compile_by(storyboard, settings, |resolved, casts| {
        let demands = Demands::new(resolved, resolved.conditions.clone(), Vec::new(), resolved.horizon);
        let found = legs::plan(resolved, &demands.windows(), casts).map_err(|TooLarge| Excess::Tables(0))?;
        Ok((found, demands))
    })
}

fn compile_by(
    storyboard: &Storyboard,
    settings: &[(String, i64)],
    engine: impl for<'r> Fn(&'r Resolved, &[Vec<PlaceId>]) -> Result<(Found, Demands<'r>), Excess>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let mut warnings = Vec::new();
    let compiled = resolve(storyboard, settings, &mut warnings)
        .and_then(|resolved| plan(storyboard, resolved, engine).map_err(|problem| vec![problem]));
    match compiled {
        Ok(plan) => Ok(Compiled { plan, warnings }),
        Err(mut problems) => {
            debug_assert!(problems.iter().any(|problem| problem.severity == Severity::Error));
            problems.extend(warnings);
            Err(problems)
        }
    }
}

/// The decimal logarithm of an upper bound on the probability that two stories of a plan are the same when read as
/// text. `plan` belongs to the storyboard under the settings. Of the stories drawn under each cast, at least the share
/// in `shares` meets the goals that are not in its tables (all of them if there is no entry).
///
/// Two stories are the same if the same names go to the same places in the same order. Let p be the
/// distribution of walks under the roles' own names. Naming is uniform, so the chance is at most
/// `Σ p(walk)² / (pool over count)`, by Cauchy and Schwarz: two namings make walks w and w' the same where
/// one is the other renamed. And p is the mean over casts, so `Σ p²` is at most the mean of theirs.
///
/// Where a plan is drawn by legs, `Σ p²` is bounded by a bound on every p: the probability in free play, divided by the
/// probability of the conditions.
///
/// Costs as much as compiling.
///
/// ```
/// use storysim::{compile::{coincidence, compile}, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// assert!(coincidence(&board, &[], &plan, &[]) < -50.0);
/// ```
pub fn coincidence(storyboard: &Storyboard, settings: &[(String, i64)], plan: &Plan, shares: &[f64]) -> f64 {
    match &storyboard.weave {
        Some(weave) => woven_coincidence(weave, std::slice::from_ref(plan)),
        None => (coincidence_of_walks(storyboard, settings, plan, shares) - log10_names(plan)).min(0.0),
    }
}

/// The decimal logarithm of the number of sets of names that the people of a story can bear.
fn log10_names(plan: &Plan) -> f64 {
    let factor = |at| ((plan.pool.len() - at) as f64 / (at + 1) as f64).log10();
    (0..plan.character_count).map(factor).sum()
}

/// The same of two stories in which the roles bear their own names.
fn coincidence_of_walks(
    storyboard: &Storyboard,
    settings: &[(String, i64)],
    plan: &Plan,
    shares: &[f64],
) -> f64 {
    let resolved = resolve(storyboard, settings, &mut Vec::new()).expect("it has a plan");
    let all_casts: Vec<Vec<PlaceId>> = plan.casts.iter().map(|cast| cast.binds.clone()).collect();
    let has_beliefs = plan.memories.len() > resolved.memories.len();
    let goals = if has_beliefs { goals_with_room(&resolved) } else { Vec::new() };
    let demands = Demands::new(&resolved, resolved.conditions.clone(), goals, resolved.horizon);
    // Of each cast, that of all its stories that are kept.
    let share = |at: usize| Weight::new(shares.get(at).copied().unwrap_or(1.0));
    let kept = |(at, cast): (usize, &CastPlan)| cast.probability.times(share(at));
    let probabilities: Vec<Weight> = plan.casts.iter().enumerate().map(kept).collect();
    match by_tables(&demands, &all_casts, Power::Two) {
        _ if plan.lives().is_some() => log10_likeliest_by_lives(plan),
        Ok(squares) => {
            let both = squares.casts.iter().zip(&probabilities);
            let same = both.fold(Weight::ZERO, |sum, (square, cast)| {
                sum.plus(square.probability.divided_by(*cast).divided_by(*cast))
            });
            same.over(plan.casts.len()).log10()
        }
        Err(_) => log10_likeliest(plan, &probabilities),
    }
}

/// An upper bound on the decimal logarithm of the probability of any story by lives: of the moves before each announcement, and at
/// the end of a scenario, all but two are certainly those of bystanders, drawn uniformly.
fn log10_likeliest_by_lives(plan: &Plan) -> f64 {
    let (Some(lives), Some(scenarios)) = (plan.lives(), plan.scenarios) else { return 0.0 };
    let moves = scenarios.count * (lives.turns + 1) * lives.between.saturating_sub(2);
    let ways = (plan.character_count - 2) * (plan.map.place_count() - 1);
    -(moves as f64) * (ways as f64).log10()
}

/// An upper bound on the decimal logarithm of the probability of any walk under any cast.
fn log10_likeliest(plan: &Plan, probabilities: &[Weight]) -> f64 {
    let mut from = 0;
    let mut sum = 0.0;
    for &(until, actors) in &plan.actors {
        sum += (until - from) as f64 * ((actors * plan.map.ways_min()) as f64).log10();
        from = until;
    }
    let rarest = probabilities.iter().map(|cast| cast.log10()).fold(f64::INFINITY, f64::min);
    -sum - rarest
}

/// Everything that is wrong with a storyboard that could not be read: its form, and as much as can be said about
/// the rest.
pub fn problems(broken: &Broken) -> Vec<Diagnostic> {
    let mut problems = broken.problems.clone();
    if let Some(rest) = &broken.rest {
        problems.extend(resolve(rest, &[], &mut Vec::new()).err().unwrap_or_default());
    }
    problems
}

/// Why nobody can hear what is said at a step under a cast of a plan, as far as that is so whatever else happens; the plan
/// belongs to the storyboard.
///
/// Costs as much as compiling, some dozens of times.
pub fn unheard(storyboard: &Storyboard, plan: &Plan, cast: usize, step: usize) -> Option<Diagnostic> {
    let resolved = resolve(storyboard, &plan.parameters, &mut Vec::new()).ok()?;
    explain::unheard(storyboard, &resolved, &[plan.casts[cast].binds.clone()], step)
}

fn plan(
    storyboard: &Storyboard,
    resolved: Resolved,
    engine: impl for<'r> Fn(&'r Resolved, &[Vec<PlaceId>]) -> Result<(Found, Demands<'r>), Excess>,
) -> Result<Plan, Diagnostic> {
    let all_casts = casts(&resolved)?;
    let (found, demands) = engine(&resolved, &all_casts)
        .map_err(|excess| explain::excess(&resolved, all_casts.len(), excess))?;
    let Found { casts, tables, legs, actor_sets } = found;
    if casts.is_empty() {
        return Err(explain::unsatisfiable(storyboard, &resolved, &all_casts, &demands.goals));
    }
    let total = casts.iter().fold(Weight::ZERO, |sum, cast| sum.plus(cast.probability));
    let odds = Odds { log10_probability: total.over(casts.len()).log10(), cast_count: all_casts.len() };
    let actors = |window: &Window<'_>| (window.until, resolved.character_count - window.idle.len());
    let actors = demands.windows().iter().map(actors).collect();
    let Demands { goals, memories, .. } = demands;
    let all_goals = resolved.goals.iter().map(|ensured| ensured.goal.clone()).enumerate();
    let rest = all_goals.filter(|(_, goal)| !goals.contains(goal)).collect();
    let fingerprint = fingerprint::fingerprint(storyboard, &resolved);
    Ok(Plan {
        name: storyboard.name.value.clone(),
        horizon: resolved.horizon,
        character_count: resolved.character_count,
        casts,
        tables,
        memories,
        goals: rest,
        hardest: resolved.hardest,
        length: resolved.length,
        balance: resolved.balance,
        legs,
        actors,
        actor_sets,
        verbs: storyboard.verbs.iter().map(|verb| verb.value.clone()).collect(),
        fingerprint,
        odds,
        parameters: resolved.parameters,
        drawn: resolved.draws.len(),
        map: resolved.map,
        place_names: resolved.place_names,
        pool: resolved.pool.into(),
        role_names: resolved.role_names,
        bind_names: resolved.binds.into_iter().map(|bind| bind.name).collect(),
        wording: resolved.wording,
        notes: resolved.notes,
        staging: resolved.staging,
        start_is_drawn: matches!(storyboard.start, Start::Drawn(_)),
        scenarios: resolved.scenarios,
        questions: resolved.questions,
        authored: resolved.authored,
        bundles: resolved.bundles,
        weave: None,
    })
}

/// The casts under which demands can be met, and what their stories are drawn from.
#[derive(Default)]
struct Found {
    casts: Vec<CastPlan>,
    tables: Vec<Table>,
    legs: Legs,
    actor_sets: Vec<Vec<CharacterId>>,
}

/// The reason why demands cannot be examined.
enum Excess {
    /// The tables outgrew their room at this step.
    Tables(usize),
    /// There are too many casts for this number of windows.
    Casts(usize),
}

/// Finds the casts by tables, with the goals of order 1 in them if they have room; or by legs if tables outgrow theirs.
fn by_any<'r>(resolved: &'r Resolved, casts: &[Vec<PlaceId>]) -> Result<(Found, Demands<'r>), Excess> {
    let demands = |goals| Demands::new(resolved, resolved.conditions.clone(), goals, resolved.horizon);
    let goals = goals_with_room(resolved);
    if !goals.is_empty() {
        let demands = demands(goals);
        match by_tables(&demands, casts, Power::One) {
            Err(Excess::Tables(_)) => {}
            found => return found.map(|found| (found, demands)),
        }
    }
    let demands = demands(Vec::new());
    let found = match by_tables(&demands, casts, Power::One) {
        Err(Excess::Tables(step)) => {
            legs::plan(resolved, &demands.windows(), casts).map_err(|TooLarge| Excess::Tables(step))
        }
        found => found,
    };
    found.map(|found| (found, demands))
}

/// The number of steps before which the messages of a long story have usually begun to repeat.
const STEPS_BEFORE_REPEATING: usize = 1_000;

/// The goals that tables can see to, in order: as many as have room if no two successive steps are alike before
/// [`STEPS_BEFORE_REPEATING`].
///
/// In a story with deeds, what somebody holds depends on more than who goes where, so it does not fit into tables.
fn goals_with_room(resolved: &Resolved) -> Vec<Goal> {
    if resolved.things().is_some() {
        return Vec::new();
    }
    let mut goals: Vec<Goal> = Vec::new();
    for goal in resolved.goals.iter().filter_map(|ensured| in_tables(&ensured.goal)) {
        goals.push(goal);
        let demands = Demands::new(resolved, Vec::new(), goals.clone(), 1);
        let size = demands.messages(Power::One).size_of_end(&goals);
        let steps = resolved.horizon.min(STEPS_BEFORE_REPEATING);
        if size.and_then(|size| size.checked_mul(steps)).is_none_or(|size| size > ENTRIES_MAX) {
            goals.pop();
        }
    }
    goals
}

fn by_tables(demands: &Demands<'_>, casts: &[Vec<PlaceId>], power: Power) -> Result<Found, Excess> {
    let windows = demands.windows();
    if casts.len().saturating_mul(windows.len()) > CAST_WINDOWS_MAX {
        return Err(Excess::Casts(windows.len()));
    }
    let mut messages = demands.messages(power);
    let mut found = Found::default();
    let mut phase_count = 0;
    for binds in casts {
        let Backward { steps, start, probability } = demands
            .backward(&windows, binds, &mut messages)
            .map_err(|Fault { step }| Excess::Tables(step))?;
        if probability.is_zero() {
            continue;
        }
        phase_count += steps.len();
        if phase_count > PHASES_MAX {
            return Err(Excess::Casts(windows.len()));
        }
        let phases = steps.into_iter().map(|(until, step)| Phase { until, draw: draw(step) }).collect();
        found.casts.push(CastPlan { binds: binds.clone(), start, probability, phases });
    }
    (found.tables, found.actor_sets) = messages.finish();
    Ok(found)
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
        Diagnostic::error(message, bind.span, "up to this one").help("restrict them with `next_to` or `not`")
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
        next = candidate(resolved, &bound, next);
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
        return Err(Diagnostic::error(message, bind.span, "whatever the earlier binds are"));
    }
    Ok(casts)
}

/// The first place, from this one on, that the next bind can be as far as `next_to` is concerned, or the number of
/// places. Costs O(ways).
fn candidate(resolved: &Resolved, bound: &[PlaceId], from: usize) -> usize {
    let near = resolved.binds.get(bound.len()).and_then(|bind| match bind.next_to? {
        Place::Fixed(place) => Some(place),
        Place::Bound(bind) => bound.get(bind).copied(),
    });
    let Some(near) = near else { return from };
    let ways = resolved.map.ways(near).iter().map(|place| place.index());
    ways.filter(|&place| place >= from).min().unwrap_or(resolved.map.place_count())
}

/// Whether the binds so far are compatible, given that all but the last are.
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
