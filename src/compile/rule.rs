//! What the conditions demand of one step, under one cast.
//!
//! A condition has three ways to bear on a step: who may act, which move the event may be, and
//! where characters may be after it. A further verb is a further variant of [`Demand`] that is put
//! into one of these three here; messages and tables need not know it.

use super::resolve::{Condition, Demand};
use crate::id::{CharacterId, PlaceId};
use crate::plan::Arrival;

/// All that the conditions demand of one step.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Rule {
    /// Those who do not act, in ascending order.
    pub idle: Vec<CharacterId>,
    /// What the event is, if that is not free.
    pub arrival: Option<Arrival>,
    /// Those on whose place before the step the rule depends, beyond the next.
    pub before: Vec<CharacterId>,
    /// Who is where after the step.
    pub after: Vec<(CharacterId, PlaceId)>,
}

impl Rule {
    /// The rule of a step at which these characters are idle and these other conditions hold.
    pub fn new(idle: &[CharacterId], forced: &[&Condition], binds: &[PlaceId]) -> Self {
        let mut rule = Self { idle: idle.to_vec(), ..Self::default() };
        for condition in forced {
            match &condition.demand {
                Demand::Idle { .. } => {}
                Demand::Move { who, to } => {
                    rule.arrival = Some(Arrival { who: vec![*who], place: to.under(binds) });
                    rule.before.push(*who);
                }
                Demand::Meet { who, place } => {
                    let place = place.under(binds);
                    rule.arrival = Some(Arrival { who: who.clone(), place });
                    rule.after.extend(who.iter().map(|&who| (who, place)));
                }
            }
        }
        rule.after.sort_unstable();
        rule
    }

    /// Whether everyone may be where `place_of` says after this step.
    pub fn allows_state(&self, place_of: impl Fn(CharacterId) -> PlaceId) -> bool {
        self.after.iter().all(|&(who, place)| place_of(who) == place)
    }

    /// The characters on whose place the rule depends.
    pub fn characters(&self) -> impl Iterator<Item = CharacterId> + '_ {
        self.after.iter().map(|&(who, _)| who).chain(self.before.iter().copied())
    }
}
