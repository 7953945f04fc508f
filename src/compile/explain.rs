//! Why a storyboard cannot be compiled: the event at fault, and a plain reason where there is one.

use std::collections::HashMap;

use petgraph::algo::dijkstra;
use petgraph::graph::NodeIndex;

use super::message::ENTRIES_MAX;
use super::resolve::{Condition, Demand, Place, Resolved};
use super::{CAST_WINDOWS_MAX, can_hold, windows};
use crate::diagnostic::{Diagnostic, Span};
use crate::id::{CharacterId, PlaceId};
use crate::storyboard::Storyboard;

/// The first step at which the conditions cannot all hold, whatever the cast.
///
/// The conditions of the steps before it can, so the event at this step is the one at fault.
pub fn unsatisfiable(storyboard: &Storyboard, resolved: &Resolved, casts: &[Vec<PlaceId>]) -> Diagnostic {
    let step = first_impossible_step(resolved, casts);
    let holding: Vec<&Condition> = resolved
        .conditions
        .iter()
        .filter(|condition| (condition.from..condition.until).contains(&step))
        .collect();
    // What forces an event says most; else the window that began last.
    let at_fault = holding
        .iter()
        .max_by_key(|condition| (!matches!(condition.demand, Demand::Idle { .. }), condition.from))
        .expect("without conditions everything is possible");
    let message = format!("nothing satisfies this storyboard: step {step} is impossible");
    let reason = reason(storyboard, resolved, casts, at_fault, &holding, step);
    let verb = match at_fault.demand {
        Demand::Move { .. } => "this move cannot happen",
        Demand::Meet { .. } => "this meeting cannot happen",
        Demand::Idle { .. } => "this leaves nobody to act",
    };
    let mut problem = Diagnostic::error(message, at_fault.span, format!("{verb} at step {step}"));
    for other in holding.iter().filter(|other| other.span != at_fault.span) {
        problem = problem.label(other.span, "holds at the same step");
    }
    problem.help(reason)
}

/// The conditions of a storyboard up to some step can hold, and those up to a later step cannot: by
/// bisection over the steps. Costs a compilation without tables for each of log2(horizon) probes.
fn first_impossible_step(resolved: &Resolved, casts: &[Vec<PlaceId>]) -> usize {
    let is_possible = |until: usize| {
        let conditions: Vec<Condition> = resolved
            .conditions
            .iter()
            .filter(|condition| condition.from < until)
            .map(|condition| Condition { until: condition.until.min(until), ..condition.clone() })
            .collect();
        let windows = windows(&conditions, until);
        can_hold(resolved, &windows, casts)
    };
    let (mut possible, mut impossible) = (0, resolved.horizon);
    while impossible - possible > 1 {
        let middle = possible + (impossible - possible) / 2;
        if is_possible(middle) {
            possible = middle;
        } else {
            impossible = middle;
        }
    }
    impossible - 1
}

fn reason(
    storyboard: &Storyboard,
    resolved: &Resolved,
    casts: &[Vec<PlaceId>],
    at_fault: &Condition,
    holding: &[&Condition],
    step: usize,
) -> String {
    let idle: Vec<CharacterId> = holding
        .iter()
        .filter_map(|condition| match &condition.demand {
            Demand::Idle { who } => Some(who.as_slice()),
            _ => None,
        })
        .flatten()
        .copied()
        .collect();
    let name = |who: CharacterId| storyboard.roles[who.index()].value.as_str();
    if (0..resolved.character_count).all(|who| idle.contains(&CharacterId::new(who))) {
        return "everyone is idle at this step, and somebody has to act".to_owned();
    }
    let (who, place) = match &at_fault.demand {
        Demand::Move { who, to } => (vec![*who], *to),
        Demand::Meet { who, place } => (who.clone(), *place),
        Demand::Idle { .. } => return "somebody has to act at every step".to_owned(),
    };
    if who.iter().all(|who| idle.contains(who)) {
        let names: Vec<String> = who.iter().map(|&who| format!("`{}`", name(who))).collect();
        return format!("{} cannot act: idle at this step", names.join(" and "));
    }
    let goal = Goal { who, place, step };
    let mut distances = Distances { resolved, from: HashMap::new() };
    let Some((moves, first, binds)) = casts
        .iter()
        .filter_map(|binds| {
            moves_needed(resolved, &mut distances, binds, &goal).map(|(moves, first)| (moves, first, binds))
        })
        .min_by_key(|&(moves, first, _)| (moves.saturating_sub(step + 1 - first), moves))
    else {
        return no_way(resolved, &mut distances, &casts[0], &goal, name);
    };
    let available = step + 1 - first;
    let place_name = match place {
        Place::Fixed(place) => format!("`{}`", resolved.place_names[place.index()]),
        Place::Bound(bind) => {
            format!("`{}`, at best {}", resolved.binds[bind].name, resolved.place_names[binds[bind].index()])
        }
    };
    let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    if moves > available {
        return format!(
            "getting there ({place_name}) takes {} in all, and from step {first} to step {step} there {} only {}",
            plural(moves, "move"),
            if available == 1 { "is" } else { "are" },
            plural(available, "step"),
        );
    }
    if let Demand::Move { .. } = at_fault.demand
        && first == step
    {
        return format!(
            "from where the step before leaves it, `{}` cannot reach {place_name} in one move",
            name(goal.who[0])
        );
    }
    "the conditions of the steps before it can hold, but not together with this one".to_owned()
}

/// These characters are to be at this place after this step.
struct Goal {
    who: Vec<CharacterId>,
    place: Place,
    step: usize,
}

/// The fewest moves that reach a goal, each from where a condition last put it, and the
/// first step at which one of them can be made; `None`: no way leads there.
fn moves_needed(
    resolved: &Resolved,
    distances: &mut Distances<'_>,
    binds: &[PlaceId],
    goal: &Goal,
) -> Option<(usize, usize)> {
    let place = goal.place.under(binds);
    let mut moves = 0;
    let mut first = goal.step;
    for &character in &goal.who {
        let (from, since) = last_put(resolved, binds, character, goal.step);
        moves += distances.between(from, place)?;
        first = first.min(since);
    }
    // Someone has to arrive in this very step: where all are there already, by leaving and coming back.
    Some((if moves == 0 { 2 } else { moves }, first))
}

/// Where a condition before `step` last put a character, and the first step at which it can leave.
fn last_put(resolved: &Resolved, binds: &[PlaceId], character: CharacterId, step: usize) -> (PlaceId, usize) {
    let before = resolved.conditions.iter().filter(|condition| condition.from < step);
    let put = before.filter_map(|condition| match &condition.demand {
        Demand::Move { who, to } if *who == character => Some((condition.from, *to)),
        Demand::Meet { who, place } if who.contains(&character) => Some((condition.from, *place)),
        _ => None,
    });
    match put.max_by_key(|&(at, _)| at) {
        Some((at, place)) => (place.under(binds), at + 1),
        None => (resolved.start[character.index()].under(binds), 0),
    }
}

/// The fewest moves between places, worked out when first asked for.
struct Distances<'a> {
    resolved: &'a Resolved,
    from: HashMap<PlaceId, HashMap<NodeIndex, usize>>,
}

impl Distances<'_> {
    fn between(&mut self, from: PlaceId, to: PlaceId) -> Option<usize> {
        let node = |place: PlaceId| NodeIndex::new(place.index());
        let reach = || dijkstra(&self.resolved.graph, node(from), None, |_| 1).into_iter().collect();
        self.from.entry(from).or_insert_with(reach).get(&node(to)).copied()
    }
}

/// The ways to bind the places, each with all windows between which conditions change, are more than
/// can be looked at.
pub fn too_many_casts(resolved: &Resolved, casts: usize, windows: usize) -> Diagnostic {
    let span =
        resolved.binds.last().map(|bind| bind.span).or(resolved.conditions.first().map(|first| first.span));
    let message = "there are too many ways to bind the places for so many conditions";
    let remark = format!("{casts} ways, and {windows} windows between which conditions change");
    Diagnostic::error(message, span.unwrap_or_default(), remark).help(format!(
        "say more about the binds (`next_to`, `not`): the product is at most {CAST_WINDOWS_MAX}"
    ))
}

/// Somebody is where no way leads on to the place.
fn no_way<'n>(
    resolved: &Resolved,
    distances: &mut Distances<'_>,
    binds: &[PlaceId],
    goal: &Goal,
    name: impl Fn(CharacterId) -> &'n str,
) -> String {
    let place = goal.place.under(binds);
    let cut_off = goal.who.iter().find_map(|&character| {
        let (from, _) = last_put(resolved, binds, character, goal.step);
        distances.between(from, place).is_none().then_some((character, from))
    });
    let place_name = |place: PlaceId| &resolved.place_names[place.index()];
    match cut_off {
        Some((character, from)) => {
            let (from, to) = (place_name(from), place_name(place));
            format!("no way leads from `{from}`, where `{}` is, to `{to}`", name(character))
        }
        None => "no way leads there".to_owned(),
    }
}

/// The tables outgrew their room while they were made for this step.
pub fn too_large(resolved: &Resolved, step: usize) -> Diagnostic {
    let costs = |condition: &&Condition| match &condition.demand {
        Demand::Move { .. } => 1,
        Demand::Meet { who, .. } => who.len(),
        Demand::Idle { .. } => 0,
    };
    let forced = resolved.conditions.iter().filter(|condition| costs(condition) > 0);
    let costly = forced.filter(|condition| condition.from >= step).max_by_key(costs);
    let (span, remark) = match costly {
        Some(condition) => (condition.span, "this one costs most"),
        None => (resolved.binds.first().map_or(Span::default(), |bind| bind.span), "here"),
    };
    Diagnostic::error("the conditions of this storyboard need tables beyond the limit", span, remark).help(format!(
        "the tables hold, for every step before a meeting or a move, every joint place of the characters that it and \
         later ones name, {ENTRIES_MAX} in all: name fewer characters, fewer places, or an earlier step"
    ))
}
