//! Plans whose stories are told as one.

use std::sync::Arc;

use super::Plan;
use crate::id::{CharacterId, PlaceId};

/// What a woven story is made of: one story of each strand.
#[derive(Clone, Debug)]
pub struct PlannedWeave {
    /// For each strand, its plans: one for every combination of its drawn numbers. All plans of a woven storyboard have the same.
    pub plans: Arc<Vec<Vec<Plan>>>,
    /// The strands, in the order of the storyboard.
    pub strands: Vec<PlannedStrand>,
}

/// One of the plans whose stories are woven, and who and what is meant by its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStrand {
    /// The number of the plan among those of its strand.
    pub number: usize,
    /// For each of its characters, the one in the woven story.
    pub people: Vec<CharacterId>,
    /// For each of its places, the one in the woven story.
    pub places: Vec<PlaceId>,
    /// For each of its verbs, the one in the woven story.
    pub verbs: Vec<u32>,
}

impl PlannedWeave {
    /// What somebody does when she moves, as numbers of verbs: as the board has it to which she belongs.
    pub fn verbs(&self, who: CharacterId) -> &[u32] {
        let own = self.strands.iter().find(|strand| strand.people.contains(&who));
        own.map_or(&[], |strand| &strand.verbs)
    }

    /// The plan of a strand.
    pub fn plan(&self, strand: usize) -> &Plan {
        &self.plans[strand][self.strands[strand].number]
    }
}
