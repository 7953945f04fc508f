//! Whether a story meets the goals that its tables cannot see to.
//!
//! How difficult a question is, is measured when all else has been found to be right: that costs most.

use std::ops::RangeInclusive;

use super::ranking::Ranking;
use crate::form::Hardness;
use crate::plan::{Goal, Plan};
use crate::question::{Found, HardnessGauge, Probe};
use crate::simulate::Story;
use crate::world::Value;

/// One judge for each goal of a plan that its tables cannot see to, under the seed of a run. Without a ranking, what takes one is left
/// out.
pub fn judges<'a>(plan: &'a Plan, seed: u64, ranking: Option<&'a Ranking>) -> Vec<Judge<'a>> {
    let goals = plan.goals.iter().map(|(_, goal)| goal);
    let mut judges: Vec<Judge<'a>> = goals
        .filter(|goal| ranking.is_some() || !goal.is_only_of_ranks())
        .map(|goal| Judge::new(plan, seed, goal, ranking))
        .collect();
    judges.sort_by_key(|judge| !judge.measures.is_empty());
    judges
}

/// Decides whether a story meets a goal.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    plan: &'a Plan,
    goal: &'a Goal,
    probes: Vec<Probe>,
    measures: Vec<Measure<'a>>,
}

/// A number of a question, and the range that it has to be in.
#[derive(Clone, Debug)]
struct Measure<'a> {
    gauge: HardnessGauge<'a>,
    /// Where what is measured has to be ranked first: among which questions, and the number of the question.
    ranks: Option<(&'a Ranking, usize)>,
    range: RangeInclusive<u64>,
}

impl Measure<'_> {
    /// Whether the number is in the range.
    fn accepts(&mut self, story: &Story) -> bool {
        let measured = self.gauge.measure(story);
        let number = match self.ranks {
            Some((ranking, question)) => {
                measured.and_then(|score| ranking.quantile_of(question, score)).map(u64::from)
            }
            None => measured,
        };
        number.is_some_and(|number| self.range.contains(&number))
    }
}

impl<'a> Judge<'a> {
    fn new(plan: &'a Plan, seed: u64, goal: &'a Goal, ranking: Option<&'a Ranking>) -> Self {
        let probes = goal.chains().iter().map(|chain| Probe::new(plan, chain)).collect();
        let measures = match goal {
            Goal::Difficulty(question, ranges) => {
                let measure = |(by, range): &(Hardness, RangeInclusive<u64>)| Measure {
                    gauge: HardnessGauge::new(plan, seed, *by, *question),
                    ranks: ranking.filter(|_| *by == Hardness::Quantile).map(|ranking| (ranking, *question)),
                    range: range.clone(),
                };
                let is_seen = |(by, _): &&(Hardness, RangeInclusive<u64>)| {
                    ranking.is_some() || *by != Hardness::Quantile
                };
                ranges.iter().filter(is_seen).map(measure).collect()
            }
            _ => Vec::new(),
        };
        Self { plan, goal, probes, measures }
    }

    /// Whether the story meets the goal.
    pub fn accepts(&mut self, story: &Story) -> bool {
        if self.probes.is_empty() {
            return self.measures.iter_mut().all(|measure| measure.accepts(story));
        }
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
