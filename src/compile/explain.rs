//! Why a storyboard cannot be compiled: the demands that conflict, and a plain reason where there is one.

use std::collections::HashMap;

use petgraph::algo::dijkstra;
use petgraph::graph::NodeIndex;

use super::backward::{Demands, in_tables};
use super::message::{ENTRIES_MAX, Power};
use super::resolve::{Condition, Demand, Place, Resolved};
use super::{CAST_WINDOWS_MAX, Excess, legs};
use crate::diagnostic::{Diagnostic, Span};
use crate::id::{CharacterId, PlaceId};
use crate::plan::Goal;
use crate::storyboard::Storyboard;

/// Looking for a conflict may make messages of this many entries. Beyond, what is left is told as it is.
const WORK_MAX: usize = 1 << 22;

/// And so many additions, where it takes legs.
const WORK_BY_LEGS_MAX: usize = 1 << 28;

/// Something that the author demands, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Demanded {
    Condition(usize),
    Goal(usize),
}

/// Looks for a set of demands that conflict, such that without any one of them the others do not.
struct Search<'a> {
    resolved: &'a Resolved,
    casts: &'a [Vec<PlaceId>],
    /// Entries of messages that were made.
    work: usize,
    /// What is left for looking at legs.
    work_by_legs: usize,
    /// Whether something was taken to be possible because it takes too much to find out.
    has_given_up: bool,
}

impl Search<'_> {
    /// Whether these can all hold under some cast. Where that takes too much to find out, they can.
    fn is_possible(&mut self, demanded: &[Demanded]) -> bool {
        let mut conditions = Vec::new();
        let mut goals = Vec::new();
        for &demanded in demanded {
            match demanded {
                Demanded::Condition(at) => conditions.push(self.resolved.conditions[at].clone()),
                Demanded::Goal(at) => goals.extend(in_tables(&self.resolved.goals[at].goal)),
            }
        }
        self.are_possible(conditions, goals, self.resolved.horizon)
    }

    fn are_possible(&mut self, conditions: Vec<Condition>, goals: Vec<Goal>, horizon: usize) -> bool {
        if self.work > WORK_MAX {
            self.has_given_up = true;
            return true;
        }
        let demands = Demands::new(self.resolved, conditions, goals, horizon);
        let windows = demands.windows();
        let mut messages = demands.messages(Power::One);
        let mut is_possible = false;
        for binds in self.casts {
            self.work += windows.len();
            let found = demands.backward(&windows, binds, &mut messages);
            is_possible = match &found {
                Ok(found) => !found.probability.is_zero(),
                // What is impossible without the goals is so with them.
                Err(_) => {
                    let found = legs::can_hold(self.resolved, &windows, self.casts, &mut self.work_by_legs);
                    self.has_given_up |= found != Ok(false) && (found.is_err() || !demands.goals.is_empty());
                    found.unwrap_or(true)
                }
            };
            if is_possible || found.is_err() {
                break;
            }
        }
        self.work += messages.entry_count();
        is_possible
    }

    /// Of demands that conflict together with `others`, a smallest part that does.
    ///
    /// This is QuickXplain (Junker, *QuickXplain: preferred explanations and relaxations for
    /// over-constrained problems*, AAAI 2004): with n demands of which k conflict it asks O(k log(n/k))
    /// times whether some are possible.
    fn smallest(&mut self, others: &[Demanded], has_new: bool, demanded: &[Demanded]) -> Vec<Demanded> {
        if has_new && !self.is_possible(others) {
            return Vec::new();
        }
        if demanded.len() <= 1 {
            return demanded.to_vec();
        }
        let (left, right) = demanded.split_at(demanded.len() / 2);
        let of_right = self.smallest(&[others, left].concat(), true, right);
        let of_left = self.smallest(&[others, &of_right].concat(), !of_right.is_empty(), left);
        [of_left, of_right].concat()
    }

    /// These conditions up to some step can hold, and those up to a later step cannot: the first of
    /// these, by bisection; none if all can hold.
    fn first_impossible_step(&mut self, conditions: &[Condition]) -> Option<usize> {
        let (mut possible, mut impossible) = (0, self.resolved.horizon);
        let mut cut = |until: usize| {
            let cut = conditions.iter().filter(|condition| condition.from < until);
            let cut = cut.map(|condition| {
                let mut cut = condition.clone();
                cut.until = condition.until.min(until);
                if let Demand::Follow { must_move, .. } = &mut cut.demand {
                    *must_move = cut.until == condition.until; // else there is time left
                }
                cut
            });
            self.are_possible(cut.collect(), Vec::new(), until)
        };
        if cut(impossible) {
            return None;
        }
        while impossible - possible > 1 {
            let middle = possible + (impossible - possible) / 2;
            if cut(middle) {
                possible = middle;
            } else {
                impossible = middle;
            }
        }
        Some(impossible - 1)
    }
}

/// A smallest set of demands that cannot all hold, whatever the cast.
///
/// Of the goals, `tabled` are in the tables that showed it.
pub fn unsatisfiable(
    storyboard: &Storyboard,
    resolved: &Resolved,
    casts: &[Vec<PlaceId>],
    tabled: &[Goal],
) -> Diagnostic {
    let mut search = Search { resolved, casts, work: 0, work_by_legs: WORK_BY_LEGS_MAX, has_given_up: false };
    let is_tabled = |goal: &Goal| in_tables(goal).is_some_and(|goal| tabled.contains(&goal));
    let goals = (0..resolved.goals.len()).filter(|&at| is_tabled(&resolved.goals[at].goal));
    let all: Vec<Demanded> =
        (0..resolved.conditions.len()).map(Demanded::Condition).chain(goals.map(Demanded::Goal)).collect();
    let mut smallest = search.smallest(&[], false, &all);
    smallest.sort_unstable();
    let is_smallest = !search.has_given_up;
    let (mut conditions, mut goals) = (Vec::new(), Vec::new());
    for demanded in smallest {
        match demanded {
            Demanded::Condition(at) => conditions.push(resolved.conditions[at].clone()),
            Demanded::Goal(at) => goals.push(resolved.goals[at].span),
        }
    }
    (search.work, search.work_by_legs) = (0, WORK_BY_LEGS_MAX);
    let step = search.first_impossible_step(&conditions);
    Conflict { storyboard, resolved, casts, conditions, goals, step, is_smallest }.diagnostic()
}

/// Conditions and goals that cannot all hold.
struct Conflict<'a> {
    storyboard: &'a Storyboard,
    resolved: &'a Resolved,
    casts: &'a [Vec<PlaceId>],
    conditions: Vec<Condition>,
    goals: Vec<Span>,
    /// The first step at which the conditions cannot all hold; none if it takes the goals.
    step: Option<usize>,
    /// Whether any one can be dropped to make the others possible.
    is_smallest: bool,
}

impl Conflict<'_> {
    fn diagnostic(&self) -> Diagnostic {
        let count = self.conditions.len() + self.goals.len();
        let what = match (count, self.step) {
            (0 | 1, Some(step)) => format!("step {step} is impossible"),
            (0 | 1, None) => "this goal cannot be met".to_owned(),
            (_, Some(step)) => format!("these {count} conditions conflict at step {step}"),
            (_, None) => format!("these {count} demands conflict"),
        };
        let message = format!("nothing satisfies this storyboard: {what}");
        let at_fault = self.at_fault();
        let (span, remark) = match (at_fault, self.goals.last()) {
            (Some(at_fault), _) => (at_fault.span, self.blame(at_fault)),
            (None, Some(&goal)) => (goal, "this cannot be so at the end".to_owned()),
            (None, None) => (self.conditions[0].span, "this, among others".to_owned()),
        };
        let mut problem = Diagnostic::error(message, span, remark);
        for other in self.conditions.iter().filter(|other| other.span != span) {
            let when = match (other.from, other.until - 1) {
                (first, last) if first == last => format!("this, at step {first}"),
                (first, last) => format!("this, from step {first} to step {last}"),
            };
            problem = problem.label(other.span, when);
        }
        for &goal in self.goals.iter().filter(|&&goal| goal != span) {
            problem = problem.label(goal, "this, at the end");
        }
        let reason = match (at_fault, self.step) {
            (Some(at_fault), Some(step)) => self.reason(at_fault, step),
            _ => "no story ends like that".to_owned(),
        };
        problem.help(match count {
            0 | 1 => reason,
            _ if self.is_smallest => format!("{reason}; without any one of these the others can hold"),
            _ => format!(
                "{reason}; which of these are to blame takes too long to find out: some may be innocent"
            ),
        })
    }

    /// The condition of the impossible step that says most: what forces an event, or else the window
    /// that began last; that some are idle says least.
    fn at_fault(&self) -> Option<&Condition> {
        let step = self.step?;
        let holding =
            self.conditions.iter().filter(|condition| (condition.from..condition.until).contains(&step));
        let is_idle = |demand: &Demand| matches!(demand, Demand::Idle { .. });
        holding.max_by_key(|Condition { demand, from, .. }| (demand.is_forced(), !is_idle(demand), *from))
    }

    fn blame(&self, at_fault: &Condition) -> String {
        let verb = match at_fault.demand {
            Demand::Move { .. } => "this move cannot happen",
            Demand::GoTogether { .. } => "they cannot go there together",
            Demand::Deed { .. } => "this cannot be done",
            Demand::Meet { .. } => "this meeting cannot happen",
            Demand::Idle { .. } => "this leaves nobody to act",
            Demand::Apart { .. } => "these cannot be apart",
            Demand::Together { .. } => "these cannot be together",
            Demand::Unseen { .. } => "this cannot go unseen",
            Demand::Avoid { .. } => "this place cannot be avoided",
            Demand::Follow { .. } => "nobody can be followed like this",
        };
        let step = self.step.map_or(String::new(), |step| format!(" at step {step}"));
        format!("{verb}{step}")
    }

    fn reason(&self, at_fault: &Condition, step: usize) -> String {
        let holding = || {
            self.conditions.iter().filter(move |condition| (condition.from..condition.until).contains(&step))
        };
        let idle: Vec<CharacterId> = holding()
            .filter_map(|condition| match &condition.demand {
                Demand::Idle { who } => Some(who.as_slice()),
                _ => None,
            })
            .flatten()
            .copied()
            .collect();
        if (0..self.resolved.character_count).all(|who| idle.contains(&CharacterId::new(who))) {
            return "everyone is idle at this step, and somebody has to act".to_owned();
        }
        let unmet = "up to the step before, all of this can be; at this step it cannot".to_owned();
        let is_first = at_fault.from == step;
        let cannot_act = |who: &[CharacterId]| {
            let names: Vec<String> = who.iter().map(|&who| format!("`{}`", self.name(who))).collect();
            let is_idle = who.iter().all(|who| idle.contains(who));
            is_idle.then(|| format!("{} cannot act: idle at this step", names.join(" and ")))
        };
        let one_at_a_time = |what: &str| {
            format!("a step moves one character only, and by this step they cannot all have {what}")
        };
        let (who, place) = match &at_fault.demand {
            Demand::Move { who, to } => (vec![*who], *to),
            Demand::Meet { who, place: Some(place) } => (who.clone(), *place),
            Demand::GoTogether { who, .. } => {
                let is_hidden = |demand: &Demand| match demand {
                    Demand::Unseen { who: unseen, .. } => unseen.iter().any(|one| who.contains(one)),
                    _ => false,
                };
                if holding().any(|condition| is_hidden(&condition.demand)) {
                    return "a move is seen from where it begins and from where it ends".to_owned();
                }
                return "by then they would all have to be in one place, next to that one".to_owned();
            }
            Demand::Deed { who, place: Some(place), .. } => (vec![*who], *place),
            Demand::Deed { who, place: None, .. } => return cannot_act(&[*who]).unwrap_or(unmet),
            Demand::Meet { who, place: None } => {
                return cannot_act(who).unwrap_or_else(|| one_at_a_time("met"));
            }
            Demand::Idle { .. } => return "somebody has to act at every step".to_owned(),
            Demand::Follow { who, .. } => {
                let never = || {
                    format!("`{}` has to move by then, to where the other is, and cannot", self.name(*who))
                };
                let is_last = at_fault.until == step + 1;
                return cannot_act(&[*who]).unwrap_or_else(|| if is_last { never() } else { unmet });
            }
            Demand::Apart { .. } if is_first => return one_at_a_time("parted"),
            Demand::Avoid { who, place }
                if is_first && who.iter().any(|&who| self.is_put(who, *place, step)) =>
            {
                return one_at_a_time("left");
            }
            Demand::Together { .. } if is_first => return one_at_a_time("met"),
            Demand::Apart { .. } | Demand::Together { .. } | Demand::Unseen { .. } | Demand::Avoid { .. } => {
                return unmet;
            }
        };
        if let Some(reason) = cannot_act(&who) {
            return reason;
        }
        if let Some(stuck) = who.iter().find(|&&who| self.is_stuck_elsewhere(who, place, step)) {
            return format!(
                "`{}` is idle from where it was last, elsewhere, up to this step",
                self.name(*stuck)
            );
        }
        let concerns = |others: &[CharacterId]| others.iter().any(|other| who.contains(other));
        for other in holding() {
            match &other.demand {
                Demand::Avoid { who: avoiding, place: avoided }
                    if *avoided == place && concerns(avoiding) =>
                {
                    return format!("{} is to be avoided at this step", self.place(place, &self.casts[0]));
                }
                Demand::Apart { who: apart } if apart.iter().filter(|one| who.contains(one)).count() > 1 => {
                    return "who is to be apart at this step cannot meet in it".to_owned();
                }
                Demand::Together { who: together } if who.len() == 1 && concerns(together) => {
                    return "who moves alone leaves the others, with whom it is to be together".to_owned();
                }
                Demand::Unseen { who: unseen, .. } if concerns(unseen) => {
                    return "a move is seen from where it begins and from where it ends".to_owned();
                }
                _ => {}
            }
        }
        let goal = Gathering { who, place, step };
        let mut distances = Distances { resolved: self.resolved, from: HashMap::new() };
        let Some((moves, first, binds)) = self
            .casts
            .iter()
            .filter_map(|binds| {
                self.moves_needed(&mut distances, binds, &goal).map(|(moves, first)| (moves, first, binds))
            })
            .min_by_key(|&(moves, first, _)| (moves.saturating_sub(step + 1 - first), moves))
        else {
            return self.no_way(&mut distances, &goal);
        };
        let available = step + 1 - first;
        let place_name = self.place(place, binds);
        let plural =
            |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        if moves > available {
            return format!(
                "getting there ({place_name}) takes {} in all, and from step {first} to step {step} there {} only {}",
                plural(moves, "move"),
                if available == 1 { "is" } else { "are" },
                plural(available, "step"),
            );
        }
        let avoids = |condition: &Condition| match &condition.demand {
            Demand::Avoid { who: avoiding, .. } => {
                avoiding.iter().any(|avoiding| goal.who.contains(avoiding))
            }
            _ => false,
        };
        if self.conditions.iter().any(avoids) {
            return format!(
                "every way to {place_name} that is short enough leads through what is to be avoided"
            );
        }
        if let Demand::Move { .. } = at_fault.demand
            && first == step
        {
            return format!(
                "from where the step before leaves it, `{}` cannot reach {place_name} in one move",
                self.name(goal.who[0])
            );
        }
        unmet
    }

    /// Whether it is at that place that a condition put a character last, whatever the cast.
    fn is_put(&self, who: CharacterId, place: Place, step: usize) -> bool {
        self.casts.iter().all(|binds| self.last_put(binds, who, step).0 == place.under(binds))
    }

    /// Whether a character is idle ever since a condition put it somewhere else, whatever the cast.
    fn is_stuck_elsewhere(&self, who: CharacterId, place: Place, step: usize) -> bool {
        let is_idle = |at: usize| {
            self.conditions.iter().any(|condition| match &condition.demand {
                Demand::Idle { who: idle } => {
                    idle.contains(&who) && (condition.from..condition.until).contains(&at)
                }
                _ => false,
            })
        };
        self.casts.iter().all(|binds| {
            let (from, since) = self.last_put(binds, who, step);
            from != place.under(binds) && (since..=step).all(is_idle)
        })
    }

    fn name(&self, who: CharacterId) -> &str {
        &self.storyboard.roles[who.index()].value
    }

    fn place(&self, place: Place, binds: &[PlaceId]) -> String {
        let names = &self.resolved.place_names;
        match place {
            Place::Fixed(place) => format!("`{}`", names[place.index()]),
            Place::Bound(bind) => {
                format!("`{}`, at best {}", self.resolved.binds[bind].name, names[binds[bind].index()])
            }
        }
    }

    /// The fewest moves that reach a goal, each from where a condition last put it, and the
    /// first step at which one of them can be made; `None`: no way leads there.
    fn moves_needed(
        &self,
        distances: &mut Distances<'_>,
        binds: &[PlaceId],
        goal: &Gathering,
    ) -> Option<(usize, usize)> {
        let place = goal.place.under(binds);
        let mut moves = 0;
        let mut first = goal.step;
        for &character in &goal.who {
            let (from, since) = self.last_put(binds, character, goal.step);
            moves += distances.between(from, place)?;
            first = first.min(since);
        }
        // Someone has to arrive in this very step: where all are there already, by leaving and coming back.
        Some((if moves == 0 { 2 } else { moves }, first))
    }

    /// Where a condition before `step` last put a character, and the first step at which it can leave.
    fn last_put(&self, binds: &[PlaceId], character: CharacterId, step: usize) -> (PlaceId, usize) {
        let before = self.conditions.iter().filter(|condition| condition.from < step);
        let put = before.filter_map(|condition| match &condition.demand {
            Demand::Move { who, to } if *who == character => Some((condition.from, *to)),
            Demand::Meet { who, place } if who.contains(&character) => Some((condition.from, (*place)?)),
            _ => None,
        });
        match put.max_by_key(|&(at, _)| at) {
            Some((at, place)) => (place.under(binds), at + 1),
            None => (self.resolved.start[character.index()].under(binds), 0),
        }
    }

    /// Somebody is where no way leads on to the place.
    fn no_way(&self, distances: &mut Distances<'_>, goal: &Gathering) -> String {
        let binds = &self.casts[0];
        let place = goal.place.under(binds);
        let cut_off = goal.who.iter().find_map(|&character| {
            let (from, _) = self.last_put(binds, character, goal.step);
            distances.between(from, place).is_none().then_some((character, from))
        });
        let place_name = |place: PlaceId| &self.resolved.place_names[place.index()];
        match cut_off {
            Some((character, from)) => {
                let (from, to) = (place_name(from), place_name(place));
                format!("no way leads from `{from}`, where `{}` is, to `{to}`", self.name(character))
            }
            None => "no way leads there".to_owned(),
        }
    }
}

/// These characters are to be at this place after this step.
struct Gathering {
    who: Vec<CharacterId>,
    place: Place,
    step: usize,
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

/// Why demands could not be looked at.
pub fn excess(resolved: &Resolved, casts: usize, excess: Excess) -> Diagnostic {
    match excess {
        Excess::Tables(step) => too_large(resolved, step),
        Excess::Casts(windows) => too_many_casts(resolved, casts, windows),
    }
}

/// The ways to bind the places, each with all windows between which conditions change, are more than
/// can be looked at.
fn too_many_casts(resolved: &Resolved, casts: usize, windows: usize) -> Diagnostic {
    let span =
        resolved.binds.last().map(|bind| bind.span).or(resolved.conditions.first().map(|first| first.span));
    let message = "there are too many ways to bind the places for so many conditions";
    let remark = format!("{casts} ways, and {windows} windows between which conditions change");
    Diagnostic::error(message, span.unwrap_or_default(), remark).help(format!(
        "say more about the binds (`next_to`, `not`): the product is at most {CAST_WINDOWS_MAX}"
    ))
}

/// The tables outgrew their room while they were made for this step.
fn too_large(resolved: &Resolved, step: usize) -> Diagnostic {
    let costly = resolved.conditions.iter().filter(|condition| condition.demand.cost() > 0);
    let costly =
        costly.filter(|condition| condition.until > step).max_by_key(|condition| condition.demand.cost());
    let (span, remark) = match costly {
        Some(condition) => (condition.span, "this one costs most"),
        None => (resolved.binds.first().map_or(Span::default(), |bind| bind.span), "here"),
    };
    Diagnostic::error("the conditions of this storyboard need tables beyond the limit", span, remark).help(format!(
        "the tables hold, for every step at which a condition holds or is to come, every joint place of the \
         characters that it and later ones name, {ENTRIES_MAX} in all: name fewer characters, fewer places, or an \
         earlier step"
    ))
}
