//! Prospects, scenarios, and what is said of people before a story.

use std::sync::Arc;

use crate::appraisal::Rules;
use crate::id::{CharacterId, ProspectId};
use crate::pack::{Pack, RuleWords};
use crate::storyboard::ProfilePart;
use crate::world::{How, Side};

/// A prospect of a storyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedProspect {
    /// The name in the storyboard, in messages and in rows.
    pub name: String,
    /// How it may be settled: by nobody, or by one of these.
    pub by: Vec<How>,
    /// The side that somebody wants; `None` if that is drawn for each story.
    pub wants: Vec<(CharacterId, Option<Side>)>,
    /// Whom intentions address that ask for a decision.
    pub decider: Option<CharacterId>,
    /// The pack from which its words are drawn.
    pub pool: Arc<Pack>,
}

/// The rules by which people feel, want and do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRules {
    /// The tables.
    pub tables: Rules,
    /// The pack that they come from.
    pub pack: Arc<Pack>,
    /// Whether readers are told them.
    pub is_told: bool,
}

impl PlannedRules {
    /// The lines and words of the rules.
    ///
    /// # Panics
    /// If the pack is of another kind.
    pub fn words(&self) -> &RuleWords {
        self.pack.rules().expect("a pack of rules")
    }
}

/// How a story is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scenarios {
    /// The number of scenarios.
    pub count: usize,
    /// The number of steps of each.
    pub steps: usize,
    /// The lives that might have been led, if the story is drawn by them.
    pub lives: Option<Lives>,
}

/// Lives that the main character might have led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lives {
    /// The number of announcements in a scenario.
    pub turns: usize,
    /// The number of moves before each announcement, and at the end.
    pub between: usize,
    /// In what share of the scenarios after the first, of hundred, what was expected before has to matter.
    pub past: u32,
    /// The prospect that is announced.
    pub of: ProspectId,
    /// Who announces.
    pub by: CharacterId,
    /// Whose lives they are.
    pub whose: CharacterId,
}

impl Lives {
    /// The largest number of announcements in a scenario.
    pub const TURNS_MAX: usize = 7;

    /// The number of lives.
    pub const fn count(&self) -> usize {
        self.turns + 1
    }
}

/// What is said of people before the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedProfiles {
    /// The pack that it is drawn from.
    pub pack: Arc<Pack>,
    /// Of whom, and what.
    pub of: Vec<(CharacterId, Vec<ProfilePart>)>,
    /// The two of whom it is said how they are related.
    pub between: Option<[CharacterId; 2]>,
}
