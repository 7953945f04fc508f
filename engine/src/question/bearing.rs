//! Which steps of a conversation can bear on what chains of minds hold of a proposition.
//!
//! At one table, that is what is said of it, and the comings and goings of those who hear it or say it. All else could as well not
//! have happened, so nobody needs to follow it.

use super::matters::said;
use super::reading::Reading;
use crate::id::{CharacterId, PropositionId};
use crate::plan::Plan;
use crate::storyboard::Style;
use crate::trace::Trace;
use crate::world::{Act, Along, Item};

/// The chains of a question about a proposition, told of in conversations.
#[derive(Clone, Debug)]
pub struct Bearing {
    of: PropositionId,
    /// The owners of all minds, one bit each.
    minds: u64,
}

impl Bearing {
    /// What bears on a reading; `None` if anything may.
    pub fn new(plan: &Plan, reading: &Reading) -> Option<Self> {
        let staging = plan.staging.as_ref().filter(|staging| staging.style == Style::Conversation)?;
        if matches!(reading, Reading::WhoLikes { .. }) || !staging.attention.is_empty() {
            return None;
        }
        let Item::Proposition(of) = reading.trackers().next()?.chain().target() else { return None };
        let owners = reading.trackers().flat_map(|tracker| tracker.chain().minds());
        let minds = owners.fold(0, |minds, who| minds | bit(*who));
        Some(Self { of, minds })
    }

    /// Leaves of some steps those that bear on it. Costs O(steps).
    pub fn keep(&self, trace: &Trace, steps: &mut Vec<usize>) {
        let is_said = |step: usize| said(&trace.deeds[step]).is_some_and(|(of, _)| self.means(trace, of));
        let speakers = steps.iter().filter(|&&step| is_said(step)).map(|&step| trace.events[step].who);
        let people = speakers.fold(self.minds, |people, who| people | bit(who));
        steps.retain(|&step| match trace.deeds[step].act {
            Act::Go => people & bit(trace.events[step].who) != 0,
            Act::Chat => false,
            _ => said(&trace.deeds[step]).is_none() || is_said(step),
        });
    }

    /// Whether saying one proposition may mean something for the one that is asked about.
    fn means(&self, trace: &Trace, said: PropositionId) -> bool {
        let shows = |along: &Along| {
            along.shows.contains(&self.of) || [along.revealed, along.told].contains(&Some(self.of))
        };
        said == self.of || trace.stage.along.get(said.index()).is_some_and(shows)
    }
}

fn bit(who: CharacterId) -> u64 {
    1 << who.index()
}
