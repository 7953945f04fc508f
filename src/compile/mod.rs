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

mod explain;
mod fingerprint;
mod legs;
mod message;
mod resolve;
mod rule;

use crate::diagnostic::{Diagnostic, Severity};
use crate::id::{CharacterId, PlaceId};
use crate::plan::{CastPlan, Draw, Legs, Odds, Part, Phase, Plan, Stretch, Table};
use crate::storyboard::{Broken, Storyboard};
use crate::weight::Weight;
use message::{Messages, Step, TooLarge};
pub use resolve::HORIZON_MAX;
use resolve::{Condition, Demand, Place, Resolved};
use rule::Rule;

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
    compile_by(storyboard, settings, by_any)
}

/// [`compile()`] by legs even where tables would do, to compare the two.
///
/// # Errors
/// As [`compile()`]; and where legs do not apply.
#[doc(hidden)]
pub fn compile_by_legs(
    storyboard: &Storyboard,
    settings: &[(String, i64)],
) -> Result<Compiled, Vec<Diagnostic>> {
    compile_by(storyboard, settings, |resolved, windows, casts| {
        legs::plan(resolved, windows, casts).map_err(|TooLarge| explain::too_large(resolved, 0))
    })
}

fn compile_by(
    storyboard: &Storyboard,
    settings: &[(String, i64)],
    engine: impl Fn(&Resolved, &[Window<'_>], &[Vec<PlaceId>]) -> Result<Found, Diagnostic>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let mut warnings = Vec::new();
    let compiled = resolve::resolve(storyboard, settings, &mut warnings)
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

/// All that is wrong with a storyboard that could not be read: its form, and what can be told of the
/// rest.
pub fn problems(broken: &Broken) -> Vec<Diagnostic> {
    let mut problems = broken.problems.clone();
    if let Some(rest) = &broken.rest {
        problems.extend(resolve::resolve(rest, &[], &mut Vec::new()).err().unwrap_or_default());
    }
    problems
}

fn plan(
    storyboard: &Storyboard,
    resolved: Resolved,
    engine: impl Fn(&Resolved, &[Window<'_>], &[Vec<PlaceId>]) -> Result<Found, Diagnostic>,
) -> Result<Plan, Diagnostic> {
    let all_casts = casts(&resolved)?;
    let windows = windows(&resolved.conditions, resolved.horizon);
    if all_casts.len().saturating_mul(windows.len()) > CAST_WINDOWS_MAX {
        return Err(explain::too_many_casts(&resolved, all_casts.len(), windows.len()));
    }
    let Found { casts, total, tables, legs, actor_sets } = engine(&resolved, &windows, &all_casts)?;
    if casts.is_empty() {
        return Err(explain::unsatisfiable(storyboard, &resolved, &all_casts));
    }
    let odds = Odds {
        log10_probability: total.over(casts.len()).log10(),
        cast_count: all_casts.len(),
        log10_stories_min: log10_stories_min(&casts, &legs, &actor_sets, resolved.map.ways_min()),
    };
    let fingerprint = fingerprint::fingerprint(storyboard, &resolved);
    Ok(Plan {
        name: storyboard.name.value.clone(),
        parameters: resolved.parameters,
        horizon: resolved.horizon,
        map: resolved.map,
        place_names: resolved.place_names,
        pool: resolved.pool,
        character_count: resolved.character_count,
        role_names: resolved.role_names,
        bind_names: resolved.binds.into_iter().map(|bind| bind.name).collect(),
        casts,
        tables,
        legs,
        actor_sets,
        verbs: storyboard.verbs.iter().map(|verb| verb.value.clone()).collect(),
        notes: resolved.notes,
        questions: resolved.questions,
        fingerprint,
        odds,
    })
}

/// The casts under which all conditions can hold, and what their phases refer to.
struct Found {
    casts: Vec<CastPlan>,
    /// The sum of their probabilities.
    total: Weight,
    tables: Vec<Table>,
    legs: Legs,
    actor_sets: Vec<Vec<CharacterId>>,
}

impl Default for Found {
    fn default() -> Self {
        Self {
            casts: Vec::new(),
            total: Weight::ZERO,
            tables: Vec::new(),
            legs: Legs::default(),
            actor_sets: Vec::new(),
        }
    }
}

/// By tables; by legs where tables outgrow their room.
fn by_any(
    resolved: &Resolved,
    windows: &[Window<'_>],
    all_casts: &[Vec<PlaceId>],
) -> Result<Found, Diagnostic> {
    by_tables(resolved, windows, all_casts)
        .or_else(|problem| legs::plan(resolved, windows, all_casts).map_err(|TooLarge| problem))
}

fn by_tables(
    resolved: &Resolved,
    windows: &[Window<'_>],
    all_casts: &[Vec<PlaceId>],
) -> Result<Found, Diagnostic> {
    let mut messages = Messages::new(&resolved.map, resolved.character_count);
    let mut found = Found::default();
    let mut phase_count = 0;
    for binds in all_casts {
        let backward = backward(resolved, windows, binds, &mut messages)
            .map_err(|fault| explain::too_large(resolved, fault.step))?;
        if backward.probability.is_zero() {
            continue;
        }
        phase_count += backward.steps.len();
        if phase_count > PHASES_MAX {
            return Err(explain::too_many_casts(resolved, all_casts.len(), windows.len()));
        }
        let phases = backward.steps.iter().map(|&(until, step)| Phase { until, draw: draw(step) }).collect();
        found.casts.push(CastPlan { binds: binds.clone(), start: start(resolved, binds), phases });
        found.total = found.total.plus(backward.probability);
    }
    (found.tables, found.actor_sets) = messages.finish();
    Ok(found)
}

/// Whether all conditions can hold under one of the casts.
fn can_hold(resolved: &Resolved, windows: &[Window<'_>], casts: &[Vec<PlaceId>]) -> bool {
    let mut messages = Messages::new(&resolved.map, resolved.character_count);
    for binds in casts {
        match backward(resolved, windows, binds, &mut messages) {
            Ok(backward) if backward.probability.is_zero() => {}
            Ok(_) => return true,
            Err(_) => return legs::can_hold(resolved, windows, casts).unwrap_or(false),
        }
    }
    false
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
        return Err(Diagnostic::error(message, bind.span, "whatever the binds before it"));
    }
    Ok(casts)
}

/// The first place from this one on that the next bind can be as far as `next_to` says, or the number of
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

fn start(resolved: &Resolved, binds: &[PlaceId]) -> Vec<PlaceId> {
    resolved.start.iter().map(|place| place.under(binds)).collect()
}

fn draw(step: Step) -> Draw {
    step.table.map_or(Draw::Free(step.bystanders), Draw::Table)
}

/// Steps at which the same conditions hold, from the first up to but not including the second.
struct Window<'a> {
    from: usize,
    until: usize,
    /// Those who do not act, in ascending order.
    idle: Vec<CharacterId>,
    /// The other conditions.
    forced: Vec<&'a Condition>,
}

/// The story cut wherever a condition begins or ends.
///
/// Costs O(conditions · conditions that hold at once).
fn windows(conditions: &[Condition], horizon: usize) -> Vec<Window<'_>> {
    let mut cuts: Vec<usize> =
        conditions.iter().flat_map(|condition| [condition.from, condition.until]).collect();
    cuts.extend([0, horizon]);
    cuts.retain(|&cut| cut <= horizon);
    cuts.sort_unstable();
    cuts.dedup();
    let mut beginning: Vec<&Condition> = conditions.iter().collect();
    beginning.sort_by_key(|condition| condition.from);
    let mut beginning = beginning.into_iter().peekable();
    let mut holding: Vec<&Condition> = Vec::new();
    let mut windows = Vec::new();
    for cut in cuts.windows(2) {
        holding.retain(|condition| condition.until > cut[0]);
        while let Some(condition) = beginning.next_if(|condition| condition.from <= cut[0]) {
            holding.push(condition);
        }
        let (mut idle, mut forced) = (Vec::new(), Vec::new());
        for &condition in &holding {
            match &condition.demand {
                Demand::Idle { who } => idle.extend(who),
                Demand::Move { .. } | Demand::Meet { .. } => forced.push(condition),
            }
        }
        idle.sort_unstable();
        idle.dedup();
        windows.push(Window { from: cut[0], until: cut[1], idle, forced });
    }
    windows
}

/// The steps of a cast, last step first while they are made.
struct Backward {
    /// One past the last step of a run, and how its steps are drawn.
    steps: Vec<(usize, Step)>,
    probability: Weight,
}

/// At this step the tables outgrew their room.
struct Fault {
    step: usize,
}

fn backward(
    resolved: &Resolved,
    windows: &[Window<'_>],
    binds: &[PlaceId],
    messages: &mut Messages<'_>,
) -> Result<Backward, Fault> {
    let mut message = messages.end();
    let mut probability = Weight::ONE;
    let mut steps: Vec<(usize, Step)> = Vec::new();
    for window in windows.iter().rev() {
        let rule = Rule::new(&window.idle, &window.forced, binds);
        let mut until = window.until;
        while until > window.from {
            let step = messages.step(&rule, message).map_err(|TooLarge| Fault { step: until - 1 })?;
            probability = probability.times(step.factor);
            // Far from what is to come the message often stays the same, to the last bit: then one
            // step stands for all the others of its window.
            let is_repeated = step.before == message && step.factor == Weight::ONE;
            if steps.last().is_none_or(|(_, later)| draw(*later) != draw(step)) {
                steps.push((until, step));
            }
            if steps.len() > PHASES_MAX {
                return Err(Fault { step: until - 1 });
            }
            message = step.before;
            until = if is_repeated { window.from } else { until - 1 };
        }
    }
    steps.reverse();
    let start = start(resolved, binds);
    let probability = probability.times(messages.value(message, |who| start[who.index()]));
    Ok(Backward { steps, probability })
}

/// A lower bound for the number of stories under every cast: each step that is drawn freely has at
/// least as many outcomes, all equally likely, as there are actors times the fewest ways.
fn log10_stories_min(
    casts: &[CastPlan],
    legs: &Legs,
    actor_sets: &[Vec<CharacterId>],
    ways_min: usize,
) -> f64 {
    let free = |steps: usize, actors: usize| match steps {
        0 => 0.0,
        _ => steps as f64 * ((actor_sets[actors].len() * ways_min) as f64).log10(),
    };
    // In a stretch, the steps that its legs leave to bystanders whatever their number of moves.
    let of_part = |stretch: &Stretch, part: &Part| match part {
        Part::Free { steps, bystanders, moves, .. } => {
            let sum = |moves: usize| stretch.classes.iter().map(|class| class.count(moves)).sum();
            let most: usize = moves.iter().map(|&(moves, _)| sum(moves)).max().unwrap_or(0);
            free(steps - most, *bystanders)
        }
        Part::Arrival => 0.0,
    };
    let of_stretch = |stretch: &Stretch| stretch.parts.iter().map(|part| of_part(stretch, part)).sum();
    let of_stretches: Vec<f64> = legs.stretches.iter().map(of_stretch).collect();
    let of_cast = |cast: &CastPlan| {
        let mut from = 0;
        let mut sum = 0.0;
        for phase in &cast.phases {
            sum += match phase.draw {
                Draw::Free(actors) => free(phase.until - from, actors),
                Draw::Table(_) => 0.0,
                Draw::Legs(run) => of_stretches[legs.runs[run].stretch],
            };
            from = phase.until;
        }
        sum
    };
    casts.iter().map(of_cast).fold(f64::INFINITY, f64::min)
}
