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
mod cores;
mod trial;
mod twin;

pub use trial::{Acceptance, admit, admit_within};
pub use twin::{Twin, Twins, admit_twins};

use crate::plan::{Goal, Plan, Weights};
use crate::question::{Found, Probe};
use crate::rng::{Purpose, StreamKey, below};
use crate::simulate::{Simulator, Story};
use crate::world::Value;
use balance::{Balancer, LOOKS, LOOKS_AT_DEEDS, Reader, Scales};

/// The attempt from which pilot stories are, beyond those of trials.
const PILOT: u64 = 1 << 32;

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
        let balancer = plan.balance.as_ref().map(|_| Balancer::new(plan, seed, of_family(plans)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Claim, check};
    use crate::compile::compile;
    use crate::diagnostic::Source;
    use crate::storyboard::{BUILT_IN, Storyboard, parse};

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
