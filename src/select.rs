//! Draws a story again until it meets what its tables cannot see to.
//!
//! A goal on beliefs of higher order, or on a distance, has no room in the tables. A story that misses it
//! is drawn again: only its walk, never its cast, so casts stay uniform. Attempt n has a stream of its
//! own, so a story still follows from its index alone. What is left is free play given all conditions
//! and goals, exactly.
//!
//! Where shares are balanced (`balance`), casts are drawn again, too.
//!
//! How many attempts that takes is tried out beforehand ([`admit`]): a storyboard under whose casts too
//! few stories meet the goals is refused.

mod balance;
mod twin;

pub use twin::{Twin, Twins, admit_twins};

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::plan::{Goal, Plan, Weights};
use crate::question::{Found, Probe};
use crate::rng::{Purpose, StreamKey, below};
use crate::simulate::{Simulator, Story};
use crate::storyboard::Storyboard;
use crate::world::Value;
use balance::{Balancer, LOOKS, LOOKS_AT_DEEDS, Reader, Scales};

/// For each cast at most so many stories are tried,
const TRIALS_MAX: usize = 8_000;

/// at least so many,
const TRIALS_MIN: usize = 8;

/// and for all casts together such that it takes about so much: a unit for every event, and for what every
/// chain may hold then,
const TRIAL_COST_MAX: usize = 1 << 25;

/// until so many of them have met the goals.
const ACCEPTED_ENOUGH: usize = 64;

/// The attempt from which pilot stories are, beyond those of trials.
const PILOT: u64 = 1 << 32;

/// A cast is refused if none of its trials meets the goals, or less than one in so many.
const TRIALS_PER_STORY_MAX: usize = 1_000;

/// Draws the stories of a plan under one seed, goals and all.
///
/// ```
/// use storysim::{compile::compile, select::Selector, simulate::Story, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// let mut story = Story::default();
/// assert_eq!(Selector::new(&plan, 7).draw(42, &mut story), 1); // there is no goal to miss
/// ```
#[derive(Clone, Debug)]
pub struct Selector<'a> {
    plans: &'a [Plan],
    seed: u64,
    /// Whether stories are for looking at only.
    is_trial: bool,
    picks: Picks,
    /// Of each plan, once a story of it has been drawn.
    members: Vec<Option<Member<'a>>>,
    /// Of which plan the last story is.
    current: usize,
}

impl<'a> Selector<'a> {
    /// A selector for a plan, or for those of all combinations of drawn numbers, and the seed of a run.
    ///
    /// # Panics
    /// If there is no plan.
    pub fn new(plans: impl Into<&'a [Plan]>, seed: u64) -> Self {
        let plans = plans.into();
        let (picks, members) = (Picks::new(plans, seed), vec![None; plans.len()]);
        Self { plans, seed, is_trial: false, picks, members, current: 0 }
    }

    /// A selector of stories for looking at only, which have nothing to do with those of any run.
    fn of_trials(plans: &'a [Plan]) -> Self {
        Self { is_trial: true, ..Self::new(plans, 0) }
    }

    /// All plans.
    pub const fn plans(&self) -> &'a [Plan] {
        self.plans
    }

    /// The plan of the story drawn last; before that, of one with other drawn numbers.
    pub fn plan(&self) -> &'a Plan {
        &self.plans[self.current]
    }

    /// Its number.
    pub const fn plan_number(&self) -> usize {
        self.current
    }

    /// Draws the story of an index into `story`, whose memory is used again. Returns the number of
    /// attempts it took. Does not return if no story can meet the goals: see [`admit`].
    pub fn draw(&mut self, index: u64, story: &mut Story) -> u64 {
        self.draw_from(index, 0, story)
    }

    /// The same, without the attempts before the first: so one can go on where a story will not do. Those before it
    /// count, too.
    pub fn draw_from(&mut self, index: u64, first: u64, story: &mut Story) -> u64 {
        if self.plans[0].balance.is_some() {
            // The answer depends on cast and numbers, so those are drawn again, too.
            let is_kept = |&attempt: &u64| self.take(index, attempt).keeps(index, attempt, story);
            let attempt = (first..).find(is_kept).expect("one is kept");
            self.take(index, attempt).simulator.draw_cast_again(index, attempt, story);
            return 1 + attempt;
        }
        let is_family = self.plans.len() > 1;
        self.take(index, 0).draw_from(index, first, story, is_family)
    }

    /// Draws a story of a plan and a cast for looking at only, by its number; where shares are balanced, of any.
    fn draw_trial(&mut self, plan: usize, cast: usize, number: u64, story: &mut Story) {
        if self.plans[0].balance.is_some() {
            self.draw_from(number, 0, story);
            return;
        }
        self.current = plan;
        let member = self.member();
        member.simulator.draw_cast(number, story);
        story.cast = cast;
        member.draw_walk_from(number, 0, story);
    }

    /// Whoever draws this attempt of a story.
    fn take(&mut self, index: u64, attempt: u64) -> &mut Member<'a> {
        self.current = self.picks.plan(index, attempt);
        self.member()
    }

    /// Whoever draws the stories of the current plan.
    fn member(&mut self) -> &mut Member<'a> {
        let Self { plans, seed, is_trial, current, .. } = *self;
        self.members[current].get_or_insert_with(|| Member::new(plans, current, seed, is_trial))
    }
}

/// Which plan a story has.
#[derive(Clone, Debug)]
struct Picks {
    key: StreamKey,
    count: u32,
}

impl Picks {
    fn new(plans: &[Plan], seed: u64) -> Self {
        let key = StreamKey::derive(seed, &plans[0].fingerprint, Purpose::Numbers);
        Self { key, count: plans.len() as u32 }
    }

    fn plan(&self, index: u64, attempt: u64) -> usize {
        match self.count {
            1 => 0,
            count => below(&mut self.key.stream(index, attempt), count) as usize,
        }
    }
}

/// Draws the stories of one plan.
#[derive(Clone, Debug)]
struct Member<'a> {
    simulator: Simulator<'a>,
    judges: Vec<Judge<'a>>,
    balancer: Option<Balancer<'a>>,
}

impl<'a> Member<'a> {
    fn new(plans: &'a [Plan], number: usize, seed: u64, is_trial: bool) -> Self {
        let plan = &plans[number];
        // Before it is asked for: the first plan's own would be waiting for itself.
        let weights = plan.balance.as_ref().map(|_| of_family(plans));
        let balancer = weights.and_then(|weights| Balancer::new(plan, seed, || weights.clone()));
        let simulator = if is_trial { Simulator::of_trials(plan) } else { Simulator::new(plan, seed) };
        Self { simulator, judges: judges(plan), balancer }
    }

    /// Draws a story; of several plans, stories that follow one another are seldom of one.
    fn draw_from(&mut self, index: u64, first: u64, story: &mut Story, is_family: bool) -> u64 {
        if self.judges.is_empty() && self.simulator.is_swift() && first == 0 && !is_family {
            self.simulator.draw(index, story);
            return 1;
        }
        self.simulator.draw_cast(index, story);
        self.draw_walk_from(index, first, story)
    }

    /// Draws what happens in a story whose cast is drawn, until it meets the goals.
    fn draw_walk_from(&mut self, index: u64, first: u64, story: &mut Story) -> u64 {
        let meets_goals = |&attempt: &u64| {
            self.simulator.draw_walk(index, attempt, story)
                && self.judges.iter_mut().all(|judge| judge.accepts(story))
        };
        1 + (first..).find(meets_goals).expect("one meets them")
    }

    /// Draws one attempt, all but who plays it. Returns whether it is kept.
    fn keeps(&mut self, index: u64, attempt: u64, story: &mut Story) -> bool {
        self.simulator.draw_attempt(index, attempt, story)
            && self.judges.iter_mut().all(|judge| judge.accepts(story))
            && self.balancer.as_mut().is_none_or(|balancer| balancer.keeps(story, attempt))
    }
}

/// What stories of balanced plans are kept by: the first of them keeps it for all.
fn of_family(plans: &[Plan]) -> &Weights {
    let balance = plans[0].balance.as_ref().expect("plans that are balanced");
    balance.weights.get_or_init(|| weights(plans))
}

/// Its pilot stories are those of a trial, so they have nothing to do with any run.
fn weights(plans: &[Plan]) -> Weights {
    let picks = Picks::new(plans, 0);
    let pilots = || {
        let of_plan = |plan| {
            (Simulator::of_trials(plan), judges(plan), Reader::new(plan).expect("a plan that is balanced"))
        };
        let mut members: Vec<_> = plans.iter().map(of_plan).collect();
        let (picks, mut story) = (picks.clone(), Story::default());
        move |number: u64, scales: &Scales, bar: f64, levels: &mut Vec<u16>| {
            let (simulator, judges, reader) = &mut members[picks.plan(number, PILOT)];
            let passes = simulator.draw_attempt(number, PILOT, &mut story)
                && judges.iter_mut().all(|judge| judge.accepts(&story))
                && reader.passes(&story, scales, bar);
            if passes {
                levels.clear();
                levels.extend_from_slice(reader.levels(scales));
            }
            passes
        }
    };
    let balance = plans[0].balance.as_ref().expect("a plan that is balanced");
    let count = plans.iter().map(balance::pilots_of).min().expect("there is one");
    let looks = if plans[0].things().is_some() { LOOKS_AT_DEEDS } else { LOOKS };
    balance::fit(balance, count, looks, &plans[0].fingerprint, pilots)
}

fn judges(plan: &Plan) -> Vec<Judge<'_>> {
    plan.goals.iter().map(|(_, goal)| Judge::new(plan, goal)).collect()
}

/// Says whether a story meets a goal.
#[derive(Clone, Debug)]
struct Judge<'a> {
    plan: &'a Plan,
    goal: &'a Goal,
    probes: Vec<Probe>,
}

impl<'a> Judge<'a> {
    fn new(plan: &'a Plan, goal: &'a Goal) -> Self {
        let probes = goal.chains().iter().map(|chain| Probe::new(plan, chain));
        Self { plan, goal, probes: probes.collect() }
    }

    fn accepts(&mut self, story: &Story) -> bool {
        let mut found: [Option<Found>; 2] = [None; 2];
        for (found, probe) in found.iter_mut().zip(&mut self.probes) {
            *found = Some(probe.find(story));
        }
        let first = found[0].expect("a goal has a chain");
        let is_within = match (self.goal, first.mislead_distance) {
            (Goal::MisleadDistance(_, least, most), Some(distance)) => (*least..=*most).contains(&distance),
            (Goal::MisleadDistance(..), None) => false,
            _ => true,
        };
        let binds = &self.plan.casts[story.cast].binds;
        let is_met_by = |value: fn(Found) -> Option<Value>| {
            self.goal.is_met(binds, |at| found[at].and_then(value), first.truth)
        };
        // A thing in somebody's hands may be asked for there, or where those are.
        let is_held = || matches!(self.goal, Goal::Holds(..)) && is_met_by(|found| found.held);
        is_within && (is_met_by(|found| found.answer) || is_held())
    }
}

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
fn under(plan: &Plan, cast: usize) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Claim, check};
    use crate::compile::compile;
    use crate::diagnostic::Source;
    use crate::storyboard::{BUILT_IN, parse};

    fn built_in(name: &str) -> Storyboard {
        parse(BUILT_IN.iter().find(|board| board.name == name).unwrap().source()).unwrap()
    }

    #[test]
    fn a_story_follows_from_its_index_whatever_was_drawn_before() {
        let board = built_in("second-order-goal");
        let plan = compile(&board, &[]).unwrap().plan;
        let (mut all, mut one, mut attempts) = (Selector::new(&plan, 7), Selector::new(&plan, 7), 0);
        let (mut story, mut again) = (Story::default(), Story::default());
        for index in 0..200 {
            attempts += all.draw(index, &mut story);
            check(&board, &Claim::of(&plan, &story)).unwrap();
            if index % 17 == 0 {
                one.draw(index, &mut again);
                assert_eq!(story, again);
            }
        }
        let expected = admit(&board, &plan).unwrap().unwrap().attempts() * 200.0;
        assert!((attempts as f64 / expected - 1.0).abs() < 0.4, "{attempts}, not {expected}");
    }

    #[test]
    fn goals_that_tables_see_to_are_met_at_once() {
        let text = "storysim: 1\nname: t\ncharacters: {pool: people, count: 5}\nroles: [S1, T]\n\
                    places: {complete: [a, b, c]}\nstart: a\nhorizon: 30\nensure: [{false_belief: [S1, T]}]\n";
        let board = parse(Source { name: "t".into(), text: text.into() }).unwrap();
        let plan = compile(&board, &[]).unwrap().plan;
        assert_eq!(admit(&board, &plan), Ok(None));
        let (mut selector, mut story) = (Selector::new(&plan, 7), Story::default());
        for index in 0..300 {
            assert_eq!(selector.draw(index, &mut story), 1);
            check(&board, &Claim::of(&plan, &story)).unwrap();
        }
    }

    #[test]
    fn a_cast_under_the_floor_is_named() {
        // Whoever is told to end in c cannot be wrong about it at the end.
        let text = "storysim: 1\nname: t\ncharacters: {pool: people, count: 5}\nroles: [S1, S2, T]\nbind: {p: {}}\n\
                    places: {complete: [a, b, c]}\nstart: a\nhorizon: 30\nevents: [{at: 29, meet: {who: [S1, S2, T], in: p}}]\n\
                    ensure: [{false_belief: [S1, S2, T]}]\n";
        let board = parse(Source { name: "t".into(), text: text.into() }).unwrap();
        let plan = compile(&board, &[]).unwrap().plan;
        let problem = admit(&board, &plan).unwrap_err();
        assert!(problem.message.contains("none met this goal where p is a"), "{}", problem.message);
    }
}
