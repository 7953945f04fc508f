//! Why a storyboard cannot be compiled: the demands that conflict, and a plain reason where there is one.

mod company;
mod unheard;

use std::collections::HashMap;

use petgraph::algo::dijkstra;
use petgraph::graph::NodeIndex;

use super::backward::Demands;
use super::goal::in_tables;
use super::message::{ENTRIES_MAX, Power};
use super::{CAST_WINDOWS_MAX, Excess, legs};
use crate::diagnostic::{Diagnostic, Span};
use crate::id::{CharacterId, PlaceId};
use crate::plan::Goal;
use crate::resolve::{Condition, Demand, Place, Resolved};
use crate::storyboard::Storyboard;
pub use unheard::unheard;

/// The largest number of message entries that the search for a conflict may make. Beyond it, the rest is reported as it is.
const WORK_MAX: usize = 1 << 22;

/// The largest number of additions that the search may make where it looks at legs.
const WORK_BY_LEGS_MAX: usize = 1 << 28;

/// A condition or goal that the author demands, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Demanded {
    Condition(usize),
    Goal(usize),
}

/// Looks for a smallest set of demands that conflict: without any one of them, the others do not.
struct Search<'a> {
    resolved: &'a Resolved,
    casts: &'a [Vec<PlaceId>],
    /// What somebody says, of which somebody else has to be there to hear it; one of these demands has to hold, too.
    hearers: Vec<Condition>,
    /// The number of message entries made so far.
    work: usize,
    /// The number of additions left for looking at legs.
    work_by_legs: usize,
    /// Whether something was assumed to be possible because it takes too long to find out.
    has_given_up: bool,
}

impl<'a> Search<'a> {
    fn new(resolved: &'a Resolved, casts: &'a [Vec<PlaceId>]) -> Self {
        let (work, work_by_legs) = (0, WORK_BY_LEGS_MAX);
        Self { resolved, casts, hearers: Vec::new(), work, work_by_legs, has_given_up: false }
    }

    /// Whether these can all hold under some cast. If it takes too long to find out, the answer is yes.
    fn is_possible(&mut self, demanded: &[Demanded]) -> bool {
        let mut conditions = Vec::new();
        let mut goals = Vec::new();
        for &demanded in demanded {
            match demanded {
                Demanded::Condition(at) => conditions.push(self.resolved.conditions[at].clone()),
                Demanded::Goal(at) => goals.extend(in_tables(&self.resolved.goals[at].goal)),
            }
        }
        if self.hearers.is_empty() {
            return self.are_possible(conditions, goals, self.resolved.horizon);
        }
        self.hearers.clone().into_iter().any(|heard| {
            let with_hearer = [conditions.as_slice(), &[heard]].concat();
            self.are_possible(with_hearer, goals.clone(), self.resolved.horizon)
        })
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

    /// Of demands that conflict together with `others`, a smallest part that does so too.
    ///
    /// This is QuickXplain (Junker, *QuickXplain: preferred explanations and relaxations for
    /// over-constrained problems*, AAAI 2004): with n demands, k of which conflict, it asks O(k log(n/k))
    /// times whether some of them are possible.
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

    /// The first step such that these conditions cannot all hold up to it, found by bisection; `None` if they can all
    /// hold.
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
/// Of the goals, `tabled` were in the tables that showed the conflict.
pub fn unsatisfiable(
    storyboard: &Storyboard,
    resolved: &Resolved,
    casts: &[Vec<PlaceId>],
    tabled: &[Goal],
) -> Diagnostic {
    let mut search = Search::new(resolved, casts);
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

/// Which condition of a conflict this is: "this, at step 3".
fn when(condition: &Condition) -> String {
    match (condition.from, condition.until - 1) {
        (first, last) if first == last => format!("this, at step {first}"),
        (first, last) => format!("this, from step {first} to step {last}"),
    }
}

/// A set of conditions and goals that cannot all hold.
struct Conflict<'a> {
    storyboard: &'a Storyboard,
    resolved: &'a Resolved,
    casts: &'a [Vec<PlaceId>],
    conditions: Vec<Condition>,
    goals: Vec<Span>,
    /// The first step at which the conditions cannot all hold; `None` if the conflict also needs the goals.
    step: Option<usize>,
    /// Whether the others become possible whichever one is dropped.
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
            (None, None) => (self.conditions[0].span, "this one, among others".to_owned()),
        };
        let mut problem = Diagnostic::error(message, span, remark);
        for other in self.conditions.iter().filter(|other| other.span != span) {
            problem = problem.label(other.span, when(other));
        }
        for &goal in self.goals.iter().filter(|&&goal| goal != span) {
            problem = problem.label(goal, "this, at the end");
        }
        let reason = match (at_fault, self.step) {
            (Some(at_fault), Some(0)) => {
                let reason = self.reason(at_fault, 0);
                if reason == UNMET { UNMET_AT_FIRST.to_owned() } else { reason }
            }
            (Some(at_fault), Some(step)) => self.reason(at_fault, step),
            _ => "no story can end like this".to_owned(),
        };
        problem.help(match count {
            0 | 1 => reason,
            _ if self.is_smallest => format!("{reason}; if you remove any one of these, the others can hold"),
            _ => format!(
                "{reason}; it takes too long to find out which of these are to blame, and some may not be"
            ),
        })
    }

    /// The condition to blame at the impossible step: one that forces an event, or else the window that began last;
    /// idleness is blamed last.
    fn at_fault(&self) -> Option<&Condition> {
        let step = self.step?;
        let is_idle = |demand: &Demand| matches!(demand, Demand::Idle { .. });
        self.holding(step)
            .max_by_key(|Condition { demand, from, .. }| (demand.is_forced(), !is_idle(demand), *from))
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

    /// The reason why the demand at fault cannot be met at the step where it fails.
    fn reason(&self, at_fault: &Condition, step: usize) -> String {
        let idle: Vec<CharacterId> = self.idle(step);
        if (0..self.resolved.character_count).all(|who| idle.contains(&CharacterId::new(who))) {
            return "everyone is idle at this step, but somebody has to act".to_owned();
        }
        let goal = match self.gathering(at_fault, step, &idle) {
            Ok(goal) => goal,
            Err(reason) => return reason,
        };
        if let Some(reason) = self.cannot_act(&goal.who, &idle) {
            return reason;
        }
        if let Some(stuck) = goal.who.iter().find(|&&who| self.is_stuck_elsewhere(who, goal.place, step)) {
            return format!("`{}` was last elsewhere and is idle until this step", self.name(*stuck));
        }
        self.forbidden(&goal).unwrap_or_else(|| self.too_far(at_fault, &goal))
    }

    /// The conditions that apply at a step.
    fn holding(&self, step: usize) -> impl Iterator<Item = &Condition> {
        self.conditions.iter().filter(move |condition| (condition.from..condition.until).contains(&step))
    }

    /// The characters who are idle at a step.
    fn idle(&self, step: usize) -> Vec<CharacterId> {
        let idle = self.holding(step).filter_map(|condition| match &condition.demand {
            Demand::Idle { who } => Some(who.as_slice()),
            _ => None,
        });
        idle.flatten().copied().collect()
    }

    /// A message that none of these can act, if all of them are idle.
    fn cannot_act(&self, who: &[CharacterId], idle: &[CharacterId]) -> Option<String> {
        let names: Vec<String> = who.iter().map(|&who| format!("`{}`", self.name(who))).collect();
        let is_idle = who.iter().all(|who| idle.contains(who));
        is_idle.then(|| format!("{} cannot act: idle at this step", names.join(" and ")))
    }

    /// Who has to be where after the step.
    ///
    /// # Errors
    /// The reason for the failure, if the demand is not that somebody is in a certain place.
    fn gathering(
        &self,
        at_fault: &Condition,
        step: usize,
        idle: &[CharacterId],
    ) -> Result<Gathering, String> {
        let is_first = at_fault.from == step;
        let one_at_a_time = |what: &str| {
            format!("a step moves only one character, so they cannot all have {what} by this step")
        };
        let unmet = || UNMET.to_owned();
        let (who, place) = match &at_fault.demand {
            Demand::Move { who, to } => (vec![*who], *to),
            Demand::Meet { who, place: Some(place) } => (who.clone(), *place),
            Demand::GoTogether { who, .. } => return Err(self.cannot_go_together(who, step)),
            Demand::Deed { who, place, with, without } => {
                let reason = self.cannot_act(&[*who], idle);
                let here = [std::slice::from_ref(who), with].concat();
                let not_there = || self.not_there((here, without), (*place)?, step);
                return Err(reason.or_else(not_there).unwrap_or_else(unmet));
            }
            Demand::Meet { who, place: None } => {
                return Err(self.cannot_act(who, idle).unwrap_or_else(|| one_at_a_time("met")));
            }
            Demand::Idle { .. } => return Err("somebody has to act at every step".to_owned()),
            Demand::Follow { who, .. } => {
                let never =
                    || format!("`{}` has to move to where the other is by then, but cannot", self.name(*who));
                let is_last = at_fault.until == step + 1;
                let reason = self.cannot_act(&[*who], idle);
                return Err(reason.unwrap_or_else(|| if is_last { never() } else { unmet() }));
            }
            Demand::Apart { .. } if is_first => return Err(one_at_a_time("parted")),
            Demand::Avoid { who, place }
                if is_first && who.iter().any(|&who| self.is_put(who, *place, step)) =>
            {
                return Err(one_at_a_time("left"));
            }
            Demand::Together { .. } if is_first => return Err(one_at_a_time("met")),
            Demand::Apart { .. } | Demand::Together { .. } | Demand::Unseen { .. } | Demand::Avoid { .. } => {
                return Err(unmet());
            }
        };
        Ok(Gathering { who, place, step })
    }

    /// The reason why these characters cannot go somewhere together at a step.
    fn cannot_go_together(&self, who: &[CharacterId], step: usize) -> String {
        let is_hidden = |demand: &Demand| match demand {
            Demand::Unseen { who: unseen, .. } => unseen.iter().any(|one| who.contains(one)),
            _ => false,
        };
        if self.holding(step).any(|condition| is_hidden(&condition.demand)) {
            return "a move is seen where it begins and where it ends".to_owned();
        }
        "by then they would all have to be in one neighbouring place".to_owned()
    }

    /// A message about another condition of the step that forbids a gathering, if there is one.
    fn forbidden(&self, &Gathering { ref who, place, step }: &Gathering) -> Option<String> {
        let concerns = |others: &[CharacterId]| others.iter().any(|other| who.contains(other));
        self.holding(step).find_map(|other| match &other.demand {
            Demand::Avoid { who: avoiding, place: avoided } if *avoided == place && concerns(avoiding) => {
                Some(format!("{} has to be avoided at this step", self.place(place, &self.casts[0])))
            }
            Demand::Apart { who: apart } if apart.iter().filter(|one| who.contains(one)).count() > 1 => {
                Some("characters who have to be apart at this step cannot meet in it".to_owned())
            }
            Demand::Together { who: together } if who.len() == 1 && concerns(together) => {
                let reason = "a character who moves alone leaves the others, but they have to be together";
                Some(reason.to_owned())
            }
            Demand::Unseen { who: unseen, .. } if concerns(unseen) => {
                Some("a move is seen where it begins and where it ends".to_owned())
            }
            _ => None,
        })
    }

    /// The reason why a gathering is out of reach: too many moves, or a route that has to be avoided.
    fn too_far(&self, at_fault: &Condition, goal: &Gathering) -> String {
        let step = goal.step;
        let mut distances = Distances { resolved: self.resolved, from: HashMap::new() };
        let Some((moves, first, binds)) = self
            .casts
            .iter()
            .filter_map(|binds| {
                self.moves_needed(&mut distances, binds, goal).map(|(moves, first)| (moves, first, binds))
            })
            .min_by_key(|&(moves, first, _)| (moves.saturating_sub(step + 1 - first), moves))
        else {
            return self.no_way(&mut distances, goal);
        };
        let available = step + 1 - first;
        let place_name = self.place(goal.place, binds);
        if moves > available {
            let time = match available {
                1 => format!("there is only step {step} for that"),
                _ => format!("there are only {available} steps for that, {first} to {step}"),
            };
            let moves = if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") };
            return format!("getting there ({place_name}) takes {moves} in all, but {time}");
        }
        let avoids = |condition: &Condition| match &condition.demand {
            Demand::Avoid { who: avoiding, .. } => {
                avoiding.iter().any(|avoiding| goal.who.contains(avoiding))
            }
            _ => false,
        };
        if self.conditions.iter().any(avoids) {
            return format!(
                "every route to {place_name} that is short enough leads through a place that has to be avoided"
            );
        }
        if let Demand::Move { .. } = at_fault.demand
            && first == step
        {
            return format!(
                "`{}` cannot reach {place_name} in one move from where the step before leaves it",
                self.name(goal.who[0])
            );
        }
        UNMET.to_owned()
    }

    /// Whether a condition last put a character at this very place, whatever the cast.
    fn is_put(&self, who: CharacterId, place: Place, step: usize) -> bool {
        self.casts.iter().all(|binds| self.last_put(binds, who, step).0 == place.under(binds))
    }

    /// Whether a character has been idle since a condition put it somewhere else, whatever the cast.
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

    /// The smallest number of moves that reach a gathering, each character starting from where a condition last put it,
    /// and the first step at which one of these moves can be made; `None` if no way leads there.
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
            Demand::Deed { who, place, with, .. } if *who == character || with.contains(&character) => {
                Some((condition.from, (*place)?))
            }
            _ => None,
        });
        match put.max_by_key(|&(at, _)| at) {
            Some((at, place)) => (place.under(binds), at + 1),
            None => (self.resolved.start[character.index()].under(binds), 0),
        }
    }

    /// The message that somebody is where no way leads on to the place.
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

/// The reason that is given when nothing more can be said.
const UNMET: &str = "all of these can hold until the step before, but not at this step";

/// The reason where that is the first step.
const UNMET_AT_FIRST: &str = "nothing happens before the first step that could make this possible";

/// A demand that these characters are at this place after this step.
struct Gathering {
    who: Vec<CharacterId>,
    place: Place,
    step: usize,
}

/// The smallest number of moves between places, worked out when first needed.
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

/// The error that demands could not be examined.
pub fn excess(resolved: &Resolved, casts: usize, excess: Excess) -> Diagnostic {
    match excess {
        Excess::Tables(step) => too_large(resolved, step),
        Excess::Casts(windows) => too_many_casts(resolved, casts, windows),
    }
}

/// The error that there are too many casts to examine, each with all windows between which conditions change.
fn too_many_casts(resolved: &Resolved, casts: usize, windows: usize) -> Diagnostic {
    let span =
        resolved.binds.last().map(|bind| bind.span).or(resolved.conditions.first().map(|first| first.span));
    let message = "there are too many ways to bind the places for this number of conditions";
    let remark = format!("{casts} ways, and {windows} windows between which conditions change");
    Diagnostic::error(message, span.unwrap_or_default(), remark).help(format!(
        "restrict the binds with `next_to` or `not`: the product may be {CAST_WINDOWS_MAX} at most"
    ))
}

/// The error that the tables outgrew their room while they were made for this step.
fn too_large(resolved: &Resolved, step: usize) -> Diagnostic {
    let costly = resolved.conditions.iter().filter(|condition| condition.demand.cost() > 0);
    let costly =
        costly.filter(|condition| condition.until > step).max_by_key(|condition| condition.demand.cost());
    let (span, remark) = match costly {
        Some(condition) => (condition.span, "this one costs most"),
        None => (resolved.binds.first().map_or(Span::default(), |bind| bind.span), "here"),
    };
    Diagnostic::error("the conditions of this storyboard need tables beyond the limit", span, remark).help(format!(
        "for every step at which a condition holds or is pending, the tables hold every joint place of the characters \
         that it and later ones name; the limit is {ENTRIES_MAX} entries: name fewer characters, fewer places, or an \
         earlier step"
    ))
}
