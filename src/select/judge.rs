//! Whether a story meets the goals that its tables cannot see to.

use crate::plan::{Goal, Plan};
use crate::question::{Found, Probe};
use crate::simulate::Story;
use crate::world::Value;

/// One judge for each goal of a plan that its tables cannot see to.
pub fn judges(plan: &Plan) -> Vec<Judge<'_>> {
    plan.goals.iter().map(|(_, goal)| Judge::new(plan, goal)).collect()
}

/// Decides whether a story meets a goal.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    plan: &'a Plan,
    goal: &'a Goal,
    probes: Vec<Probe>,
}

impl<'a> Judge<'a> {
    fn new(plan: &'a Plan, goal: &'a Goal) -> Self {
        let probes = goal.chains().iter().map(|chain| Probe::new(plan, chain));
        Self { plan, goal, probes: probes.collect() }
    }

    /// Whether the story meets the goal.
    pub fn accepts(&mut self, story: &Story) -> bool {
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
