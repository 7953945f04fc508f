//! Matters: what white lies are told about.

use crate::form::Class;
use crate::id::{CharacterId, PropositionId};
use crate::storyboard::Facet;

/// A matter of a storyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedMatter {
    /// The name in the storyboard, in messages and in rows.
    pub name: String,
    /// Who speaks of it to the target; the first knows all of it from the start.
    pub by: Vec<CharacterId>,
    /// The target, to whom it belongs.
    pub to: CharacterId,
    /// How much of the truth comes out: 1, whether the claim is so; 2, a hint; 3, nothing.
    pub level: u8,
    /// What lies about it may be told for.
    pub classes: Vec<Class>,
    /// The proposition of its first facet; those of the others follow.
    pub first: PropositionId,
}

impl PlannedMatter {
    /// The proposition of a facet.
    pub fn facet(&self, facet: Facet) -> PropositionId {
        PropositionId::new(self.first.index() + facet as usize)
    }

    /// What comes out about the matter, if anything does.
    pub fn truth(&self) -> Option<PropositionId> {
        match self.level {
            1 => Some(self.facet(Facet::Claim)),
            2 => Some(self.facet(Facet::Hint)),
            _ => None,
        }
    }
}

/// Several claims of which so many, drawn for a story, are false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lot {
    /// The claims.
    pub claims: Vec<PropositionId>,
    /// How many of them are false.
    pub lies: usize,
}
