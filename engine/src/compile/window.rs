//! The story cut into windows, in each of which the same conditions hold.

use crate::id::CharacterId;
use crate::resolve::{Condition, Demand};

/// Consecutive steps at which the same conditions apply.
#[derive(Clone, Debug)]
pub struct Window<'d> {
    /// The first step.
    pub from: usize,
    /// The step after the last one.
    pub until: usize,
    /// The characters who do not act, in ascending order.
    pub idle: Vec<CharacterId>,
    /// The conditions that do more than keep someone idle.
    pub conditions: Vec<&'d Condition>,
}

impl<'d> Window<'d> {
    /// Cuts a story wherever a condition begins or ends, or says something special about a step.
    ///
    /// Costs O(conditions · conditions that apply at the same time).
    pub fn cut(all: &'d [Condition], horizon: usize) -> Vec<Self> {
        let mut cuts = vec![0, horizon];
        for condition in all {
            cuts.extend([condition.from, condition.until]);
            if let Demand::Follow { .. } = condition.demand {
                cuts.extend([condition.from + 1, condition.until - 1]);
            }
        }
        cuts.retain(|&cut| cut <= horizon);
        cuts.sort_unstable();
        cuts.dedup();
        let mut beginning: Vec<&Condition> = all.iter().collect();
        beginning.sort_by_key(|condition| condition.from);
        let mut beginning = beginning.into_iter().peekable();
        let mut holding: Vec<&Condition> = Vec::new();
        let mut windows = Vec::new();
        for cut in cuts.windows(2) {
            holding.retain(|condition| condition.until > cut[0]);
            while let Some(condition) = beginning.next_if(|condition| condition.from <= cut[0]) {
                holding.push(condition);
            }
            let (mut idle, mut conditions) = (Vec::new(), Vec::new());
            for &condition in &holding {
                match &condition.demand {
                    Demand::Idle { who } => idle.extend(who),
                    _ => conditions.push(condition),
                }
            }
            idle.sort_unstable();
            idle.dedup();
            windows.push(Self { from: cut[0], until: cut[1], idle, conditions });
        }
        windows
    }
}
