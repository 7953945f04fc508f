//! Whether people do what they should: what a verb demands of a step, and else what free play draws.

use super::claim::{Act, Hearers};
use super::conditions::Window;
use super::state::{Event, State, demand};
use super::{Replay, Violation, at_step};
use crate::diagnostic::Span;
use crate::form::{self, Condition, DirectionIn};
use crate::storyboard::{Name, Play, Verb, Written};

/// The deed that a verb demands, if it is more than going from one place to another.
pub(super) fn deed_of(verb: &Verb) -> Option<&DirectionIn<Written>> {
    match verb {
        Verb::Do(direction) => (direction.act != form::Act::Go).then_some(direction),
        Verb::Hold(_) | Verb::Note { .. } => None,
    }
}

/// Who peeks or is distracted and should not, or the other way round, and what demands this.
pub(super) struct Unattended {
    what: String,
    span: Option<Span>,
}

impl Unattended {
    /// The violation at a step.
    pub fn at(self, step: usize) -> Violation {
        at_step(step, self.what, self.span)
    }
}

impl<'a> Replay<'a> {
    /// Says in what an event is not the deed that is demanded. (What minds make of it is left to speech.)
    pub(super) fn meets_deed(
        &self,
        wanted: &'a DirectionIn<Written>,
        event: Event<'a>,
    ) -> Result<(), String> {
        let is_there = wanted.to.as_ref().is_none_or(|to| event.to == self.place(to));
        let is_hers = event.who == self.role(&wanted.who);
        let is_met = is_there
            && self.is_act(wanted, event)
            && (is_hers || matches!(wanted.act, form::Act::GoTogether(_)));
        demand(is_met, || self.demanded(wanted))
    }

    /// Whether something is said to exactly these.
    pub(super) fn are_hearers(&self, wanted: &form::Hearers<Name>, hearers: &Hearers<'a>) -> bool {
        let are = |wanted: &[Name], hearers: &[&str]| {
            wanted.len() == hearers.len() && self.players(wanted).iter().all(|who| hearers.contains(who))
        };
        match (wanted, hearers) {
            (form::Hearers::Present, Hearers::Present) => true,
            (form::Hearers::Named(wanted), Hearers::Named(hearers))
            | (form::Hearers::Afar(wanted), Hearers::Afar(hearers)) => are(wanted, hearers),
            _ => false,
        }
    }

    /// Says who peeks or is distracted and should not, or the other way round. `state` is that before the event.
    pub(super) fn is_attended<'w>(
        &self,
        in_force: impl Iterator<Item = &'w Window<'a>> + Clone,
        event: Event<'a>,
        state: &State<'a>,
    ) -> Result<(), Unattended>
    where
        'a: 'w,
    {
        let demand = |holds: bool, what: String, span: Option<Span>| {
            if holds { Ok(()) } else { Err(Unattended { what, span }) }
        };
        let deed = event.deed;
        let misses = |who: &str, is_noticed| deed.distracted.contains(&(who, is_noticed));
        let (mut may_peek, mut may_miss) = (Vec::new(), Vec::new());
        for window in in_force {
            let Verb::Hold(condition) = window.verb else { continue };
            match condition {
                Condition::Peek { who } => {
                    for who in self.players(who) {
                        let has_to = window.is_single || !state.audience(event).contains(&who);
                        let holds = deed.peeking.contains(&who) || !has_to;
                        demand(holds, format!("{who} should peek"), Some(window.span))?;
                        may_peek.push(who);
                    }
                }
                Condition::Distracted { who, is_noticed } => {
                    for who in self.players(who) {
                        let can = state.audience(event).contains(&who) && !event.has_part_in(who);
                        let how = if *is_noticed { "noticed" } else { "unnoticed" };
                        let holds = misses(who, *is_noticed) || !(window.is_single || can);
                        demand(holds, format!("{who} should be distracted, {how}"), Some(window.span))?;
                        may_miss.push(who);
                    }
                }
                Condition::Meet { .. }
                | Condition::Idle { .. }
                | Condition::Apart { .. }
                | Condition::Together { .. }
                | Condition::Unseen { .. }
                | Condition::Avoid { .. }
                | Condition::Follow { .. } => {}
            }
        }
        if let Some(who) = deed.peeking.iter().find(|who| !may_peek.contains(who)) {
            return demand(false, format!("{who} should not peek"), None);
        }
        match deed.distracted.iter().find(|(who, _)| !may_miss.contains(who)) {
            Some((who, _)) => demand(false, format!("{who} should not be distracted"), None),
            None => Ok(()),
        }
    }

    /// Checks that something that is not demanded can be drawn in free play; otherwise says why not.
    pub(super) fn is_played<'w>(
        &self,
        mut in_force: impl Iterator<Item = &'w Window<'a>>,
        event: Event<'a>,
    ) -> Result<(), String>
    where
        'a: 'w,
    {
        let is_by_lives = self.is_by_lives(); // which say what is announced
        if is_by_lives || event.deed.act == Act::Go || in_force.any(|window| deed_of(window.verb).is_some()) {
            return Ok(());
        }
        self.kind_of_play(event)?.map_or(Ok(()), |kind| self.is_drawn(event.who, kind))
    }

    /// Checks that free play draws a kind of deed; otherwise says that it never does.
    pub(super) fn is_drawn(&self, who: &str, kind: Play) -> Result<(), String> {
        demand(self.plays(kind), || format!("{who} should not {}", kind.key().replace('_', " ")))
    }

    pub(super) fn plays(&self, kind: Play) -> bool {
        self.storyboard.play.iter().any(|(drawn, weight)| drawn.value == kind && self.value(weight) > 0)
    }

    /// Checks that someone may tell another something that others do not hear; otherwise says why not.
    pub(super) fn are_friends(&self, who: &str, other: &str) -> Result<(), String> {
        let of_hers = self.storyboard.friends.iter().find(|(role, _)| self.role(role) == who);
        let is_friend = of_hers.is_none_or(|(_, friends)| self.players(friends).contains(&other));
        demand(is_friend, || format!("{who} should not tell {other}, who is no friend"))
    }
}
