//! What the conditions demand of one step, under one cast.
//!
//! A condition has three ways to bear on a step: who may act, which move the event may be, and
//! what the joint place may be after it. A further verb is a further variant of [`Demand`] that is
//! put into one of these three here; messages and tables need not know it.

use super::window::Window;
use crate::id::{CharacterId, PlaceId};
use crate::plan::{Arrival, DeedShare, Limits};
use crate::resolve::Demand;

/// Everything that the conditions demand of one step. Memories count as characters, their values as places.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Rule {
    /// The characters who do not act, in ascending order.
    pub idle: Vec<CharacterId>,
    /// Limits on what the event may be.
    pub limits: Limits,
    /// The characters who act.
    pub must_act: Vec<CharacterId>,
    /// The characters on whose place before the step the rule depends, apart from those below.
    pub before: Vec<CharacterId>,
    /// Characters who are at a certain place after the step.
    pub after: Vec<(CharacterId, PlaceId)>,
    /// Characters who are not at a certain place after the step.
    pub not_after: Vec<(CharacterId, PlaceId)>,
    /// Pairs of characters who are in the same place after the step.
    pub together: Vec<(CharacterId, CharacterId)>,
    /// Pairs of characters who are in different places after the step.
    pub apart: Vec<(CharacterId, CharacterId)>,
    /// The memories that the event may change.
    pub remembers: Vec<CharacterId>,
    /// The memories that begin with this step, at value 0.
    pub begins: Vec<CharacterId>,
}

impl Rule {
    /// The rule for every step of a window, where the memories in `lasting` exist for the whole story.
    ///
    /// If a condition says something special about its first or last step, that step is a window of its own. `play` says how
    /// often something is drawn that leaves everyone where they are.
    pub fn new(
        window: &Window<'_>,
        lasting: &[CharacterId],
        binds: &[PlaceId],
        play: Option<DeedShare>,
    ) -> Self {
        let mut rule = Self { idle: window.idle.clone(), remembers: lasting.to_vec(), ..Self::default() };
        rule.limits.play = play;
        for condition in &window.conditions {
            match &condition.demand {
                Demand::Idle { .. } => {}
                Demand::Move { who, to } => {
                    rule.limits.arrival = Some(Arrival { who: vec![*who], place: Some(to.under(binds)) });
                    rule.before.push(*who);
                }
                Demand::GoTogether { who, to } => {
                    rule.limits.together = Some((who.clone(), to.under(binds)));
                    rule.before.extend(who);
                    rule.must_act.extend(who);
                }
                Demand::Deed { who, place, with, without } => {
                    rule.limits.deed = Some(*who);
                    rule.after.extend(place.map(|place| (*who, place.under(binds))));
                    rule.together.extend(with.iter().map(|&other| (*who, other)));
                    rule.apart.extend(without.iter().map(|&other| (*who, other)));
                    rule.must_act.push(*who);
                }
                Demand::Meet { who, place } => {
                    let place = place.map(|place| place.under(binds));
                    rule.limits.arrival = Some(Arrival { who: who.clone(), place });
                    match place {
                        Some(place) => rule.after.extend(who.iter().map(|&who| (who, place))),
                        None => rule.together.extend(neighbours(who)),
                    }
                }
                Demand::Apart { who } => {
                    for (at, &one) in who.iter().enumerate() {
                        rule.apart.extend(who[at + 1..].iter().map(|&other| (one, other)));
                    }
                }
                Demand::Together { who } => rule.together.extend(neighbours(who)),
                Demand::Unseen { who, by } => {
                    for &mover in who {
                        rule.limits.unseen.extend(by.iter().map(|&by| (mover, by)));
                    }
                    rule.before.extend(who.iter().chain(by));
                }
                Demand::Avoid { who, place } => {
                    rule.not_after.extend(who.iter().map(|&who| (who, place.under(binds))));
                }
                Demand::Follow { who, whom, moved, must_move } => {
                    rule.limits.follow.push((*who, *whom));
                    rule.before.extend([*who, *whom]);
                    rule.remembers.push(*moved);
                    if condition.from == window.from {
                        rule.begins.push(*moved);
                    }
                    if *must_move && condition.until == window.until {
                        rule.after.push((*moved, PlaceId::new(1)));
                    }
                }
            }
        }
        rule.after.sort_unstable();
        rule
    }

    /// Whether everyone may be where `place_of` says after this step.
    pub fn allows_state(&self, place_of: impl Fn(CharacterId) -> PlaceId) -> bool {
        self.after.iter().all(|&(who, place)| place_of(who) == place)
            && self.not_after.iter().all(|&(who, place)| place_of(who) != place)
            && self.together.iter().all(|&(one, other)| place_of(one) == place_of(other))
            && self.apart.iter().all(|&(one, other)| place_of(one) != place_of(other))
    }

    /// Whether the rule demands nothing except that some characters are idle.
    pub fn is_free(&self) -> bool {
        self.limits.is_free()
            && self.after.is_empty()
            && self.not_after.is_empty()
            && self.together.is_empty()
            && self.apart.is_empty()
    }

    /// The characters and memories on which the rule depends.
    pub fn characters(&self) -> impl Iterator<Item = CharacterId> + '_ {
        let places = self.after.iter().chain(&self.not_after).map(|&(who, _)| who);
        let pairs = self.together.iter().chain(&self.apart).flat_map(|&(one, other)| [one, other]);
        places.chain(pairs).chain(self.before.iter().copied())
    }
}

/// Each element with the next one: all are equal if these pairs are.
fn neighbours(who: &[CharacterId]) -> impl Iterator<Item = (CharacterId, CharacterId)> + '_ {
    who.windows(2).map(|pair| (pair[0], pair[1]))
}
