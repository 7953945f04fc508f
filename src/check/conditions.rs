//! Whether every step can happen, and is what the conditions demand of people who go from place to place.

use std::collections::HashSet;

use super::claim::{Act, Deed, Hearers, Telling, Value};
use super::state::{Event, State, demand};
use super::{Replay, Violation, violation};
use crate::storyboard::{Verb, When};

/// What is done where people go from place to place, and that is all.
static GO: Deed<'static> = Deed { act: Act::Go, peeking: Vec::new(), distracted: Vec::new() };

/// A condition, and from which step up to but not including which it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'a> {
    from: i64,
    until: i64,
    /// Whether it is about one step, by `at`.
    pub is_single: bool,
    /// What it demands.
    pub verb: &'a Verb,
}

impl Window<'_> {
    /// Whether it holds at a step.
    pub fn contains(&self, step: usize) -> bool {
        (self.from..self.until).contains(&(step as i64))
    }
}

impl<'a> Replay<'a> {
    /// The conditions in the order of the file, but for those that are left out.
    pub(super) fn windows(&self) -> Vec<Window<'a>> {
        let window = |event: &'a crate::storyboard::Event| {
            let (from, until) = match &event.when {
                When::At(at) => (self.value(at), self.value(at) + 1),
                When::Until(from, until) => (self.value(from), self.value(until)),
                When::For(from, length) => (self.value(from), self.value(from) + self.value(length)),
            };
            Window { from, until, is_single: matches!(event.when, When::At(_)), verb: &event.verb }
        };
        let is_in_force = |event: &&crate::storyboard::Event| {
            event.only_if.as_ref().is_none_or(|number| self.value(number) > 0)
        };
        self.storyboard.events.iter().filter(is_in_force).map(window).collect()
    }

    /// The steps of the story.
    pub(super) fn steps(&self) -> impl Iterator<Item = Event<'a>> + use<'a> {
        let claim = self.claim;
        claim.events.iter().enumerate().map(move |(step, &(who, from, to))| {
            let deed = claim.deeds.get(step).unwrap_or(&GO);
            Event { who, from, to, deed }
        })
    }

    /// What is wrong with what happens, apart from what minds make of it.
    pub(super) fn events(&self) -> Result<(), Violation> {
        let count = self.claim.events.len();
        if count as i64 != self.horizon() {
            return Err(violation(None, format!("{count} events, and the horizon is {}", self.horizon())));
        }
        if !self.claim.deeds.is_empty() && self.claim.deeds.len() != count {
            return Err(violation(None, format!("{} deeds in {count} events", self.claim.deeds.len())));
        }
        let windows = self.windows();
        self.followers_move(&windows)?;
        let mut state = State::new(self.claim);
        for (step, event) in self.steps().enumerate() {
            let in_force = || windows.iter().filter(|window| window.contains(step));
            let at_step = |what| violation(Some(step), what);
            self.allows(&state, event).map_err(at_step)?;
            self.is_attended(in_force(), event, &state).map_err(at_step)?;
            self.is_played(in_force(), event).map_err(at_step)?;
            state.apply(event);
            for window in in_force() {
                self.meets(window.verb, event, &state).map_err(at_step)?;
            }
        }
        Ok(())
    }

    /// Whether those who should follow move at all.
    fn followers_move(&self, windows: &[Window<'a>]) -> Result<(), Violation> {
        for &Window { from, until, verb, .. } in windows {
            if let Verb::Follow { who, .. } = verb
                && from < until
            {
                let who = self.role(who);
                let mut events = self.steps().take(until as usize).skip(from as usize);
                if !events.any(|event| event.has_mover(who)) {
                    let what = format!("{who} should move from step {from} on before step {until}");
                    return Err(violation(None, what));
                }
            }
        }
        Ok(())
    }

    /// Says why an event cannot happen.
    fn allows(&self, state: &State<'a>, event: Event<'a>) -> Result<(), String> {
        let Event { who, from, to, deed } = event;
        state.allows(event)?;
        demand(!deed.act.is_going() || self.leads(from, to), || {
            format!("{who} cannot go from {from} to {to}")
        })?;
        match &deed.act {
            Act::Throw(object, to) => {
                demand(self.leads(from, to), || format!("{who} cannot throw {object} from {from} to {to}"))
            }
            Act::Tell(Telling { value, hearers, .. }) => {
                if let Value::Place(place) = value {
                    demand(self.places().contains(place), || format!("there is no {place}"))?;
                }
                match hearers {
                    Hearers::Present => Ok(()),
                    Hearers::Named(hearers) | Hearers::Afar(hearers) => {
                        hearers.iter().try_for_each(|hearer| self.are_friends(who, hearer))
                    }
                }
            }
            _ => Ok(()),
        }
    }

    /// Says in what an event, after which all is as in `state`, is not as demanded.
    fn meets(&self, verb: &'a Verb, event: Event<'a>, state: &State<'a>) -> Result<(), String> {
        let Event { who, from, to, deed } = event;
        let place_of = |who| state.place(who).expect("in the story");
        match verb {
            Verb::Move { who: mover, to: place } => {
                let (mover, place) = (self.role(mover), self.place(place));
                let is_met = deed.act == Act::Go && who == mover && to == place;
                demand(is_met, || format!("{mover} should move to {place}"))
            }
            Verb::Meet { who: company, place } => {
                let place = place.as_ref().map_or(to, |place| self.place(place));
                let company = self.players(company);
                if let Some(absent) = company.iter().find(|&&member| place_of(member) != place) {
                    return Err(format!("{absent} should be in {place}"));
                }
                let is_arrival = to == place && company.iter().any(|member| event.has_mover(member));
                demand(is_arrival, || format!("one of {} should arrive in {place}", company.join(", ")))
            }
            Verb::Idle { who: idle } => {
                let active = self.players(idle).into_iter().find(|idle| event.has_actor(idle));
                active.map_or(Ok(()), |who| Err(format!("{who} should be idle")))
            }
            Verb::Apart { who: company } => {
                let company = self.players(company);
                let mut taken = HashSet::new();
                match company.iter().find(|&&member| !taken.insert(place_of(member))) {
                    Some(member) => {
                        Err(format!("{member} should not be with others of {}", company.join(", ")))
                    }
                    None => Ok(()),
                }
            }
            Verb::Together { who: company } => {
                let company = self.players(company);
                match company.iter().find(|&&member| place_of(member) != place_of(company[0])) {
                    Some(member) => Err(format!("{member} should be with {}", company[0])),
                    None => Ok(()),
                }
            }
            Verb::Unseen { who: movers, by } => {
                let Some(mover) = self.players(movers).into_iter().find(|mover| event.has_mover(mover))
                else {
                    return Ok(());
                };
                // An onlooker does not move in this step, so it stands where it stood.
                let sees = |by: &'a str| {
                    let is_near = place_of(by) == from || place_of(by) == to;
                    let is_distracted = deed.distracted.iter().any(|&(distracted, _)| distracted == by);
                    is_near && !is_distracted || deed.peeking.contains(&by)
                };
                match self.players(by).into_iter().find(|&by| sees(by)) {
                    Some(by) => Err(format!("{by} should not see {mover} move")),
                    None => Ok(()),
                }
            }
            Verb::Avoid { who: avoiding, place } => {
                let place = self.place(place);
                match self.players(avoiding).iter().find(|member| place_of(member) == place) {
                    Some(member) => Err(format!("{member} should avoid {place}")),
                    None => Ok(()),
                }
            }
            Verb::Follow { who: follower, whom } => {
                let (follower, whom) = (self.role(follower), self.role(whom));
                let is_met = !event.has_mover(follower) || to == place_of(whom);
                demand(is_met, || format!("{follower} should go to where {whom} is"))
            }
            Verb::Note { .. } | Verb::Peek { .. } | Verb::Distracted { .. } => Ok(()),
            _ => self.meets_deed(verb, event),
        }
    }
}
