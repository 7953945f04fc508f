//! Whether every step can happen, and is what the conditions demand of people who go from place to place.

use std::collections::BTreeSet;

use super::claim::ActInCheck;
use super::claim::{Act, Deed, Telling, Value};
use super::state::{Event, State, demand};
use super::{Findings, Replay, at_start, at_step};
use crate::diagnostic::{Span, counted};
use crate::form::Condition;
use crate::storyboard::{Name, NotePart, Verb, When};

/// The deed at every step of a story in which people only go from place to place.
static GO: Deed<'static> = Deed { act: Act::Go, peeking: Vec::new(), distracted: Vec::new() };

/// A condition with the steps at which it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'a> {
    from: i64,
    until: i64,
    /// Whether it applies to a single step, by `at`.
    pub is_single: bool,
    /// The verb that the window demands.
    pub verb: &'a Verb,
    /// Who has to be there when it is said, and who elsewhere.
    audience: [&'a [Name]; 2],
    /// Where the storyboard demands it.
    pub span: Span,
}

impl Window<'_> {
    /// Whether it holds at a step.
    pub fn contains(&self, step: usize) -> bool {
        (self.from..self.until).contains(&(step as i64))
    }
}

/// Whether two notes have the same words; spaces and line breaks may differ.
fn is_same(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

impl<'a> Replay<'a> {
    /// The windows of all conditions that are not left out, in the order of the file.
    pub(super) fn windows(&self) -> Vec<Window<'a>> {
        let window = |event: &'a crate::storyboard::Event| {
            let (from, until) = match &event.when {
                When::At(at) => (self.value(at), self.value(at) + 1),
                When::Until(from, until) => (self.value(from), self.value(until)),
                When::For(from, length) => (self.value(from), self.value(from) + self.value(length)),
            };
            let is_single = matches!(event.when, When::At(_));
            let audience = [event.with.as_slice(), event.without.as_slice()];
            Window { from, until, is_single, verb: &event.verb, audience, span: event.span }
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

    /// Finds what is wrong with the events, apart from what minds make of them. Returns how many steps from the beginning
    /// can happen.
    pub(super) fn events(&self, found: &mut Findings) -> usize {
        let count = self.claim.events.len();
        if !self.claim.deeds.is_empty() && self.claim.deeds.len() != count {
            let what = format!("{} in {}", counted(self.claim.deeds.len(), "deed"), counted(count, "event"));
            found.add(Err(at_start(what, self.storyboard.horizon.span)));
            return 0;
        }
        let horizon = usize::try_from(self.horizon()).unwrap_or(0);
        let windows = self.windows();
        let mut state = State::new(self.claim);
        let mut possible = None;
        let has_passers_by = self.cast_size().passers_by > 0;
        for (step, event) in self.steps().take(horizon).enumerate() {
            let in_force = || windows.iter().filter(|window| window.contains(step));
            let wrong = |what| at_step(step, what, None);
            if let Err(what) = self.allows(&state, event) {
                possible = possible.or(Some(step));
                found.add(Err(wrong(what)));
            }
            if has_passers_by {
                found.add(self.is_of_cast(event).map_err(wrong));
            }
            found.add(self.is_attended(in_force(), event, &state).map_err(|wrong| wrong.at(step)));
            found.add(self.is_played(in_force(), event).map_err(wrong));
            found.add(self.is_heard(event).map_err(wrong));
            state.apply(event);
            for window in in_force() {
                let met = self.meets(window.verb, event, &state);
                found.add(met.map_err(|what| at_step(step, what, Some(window.span))));
                found.add(self.follows(window, step).map_err(|what| at_step(step, what, Some(window.span))));
                let heard = self.has_audience(window.audience, event, &state);
                found.add(heard.map_err(|what| at_step(step, what, Some(window.span))));
            }
            self.notes(in_force(), step, found);
            if found.is_enough() {
                return possible.unwrap_or(step);
            }
        }
        if count != horizon {
            let what = if count < horizon {
                format!(
                    "the story ends before this step: {}, and the horizon is {horizon}",
                    counted(count, "event")
                )
            } else {
                format!("the story should have ended before this step: the horizon is {horizon}")
            };
            found.add(Err(at_step(count.min(horizon), what, Some(self.storyboard.horizon.span))));
        }
        possible.unwrap_or(count.min(horizon))
    }

    /// Checks that everybody who acts has a role, where all others only pass by around the storyboard's own part.
    fn is_of_cast(&self, event: Event<'a>) -> Result<(), String> {
        let has_role = |who: &str| self.claim.roles.values().any(|player| *player == who);
        let passer = self.claim.start.iter().find(|(who, _)| event.has_actor(who) && !has_role(who));
        let wrong = |(who, _): &(&str, _)| {
            format!("{who} has no role, and only passes by around the storyboard's part")
        };
        passer.map_or(Ok(()), |passer| Err(wrong(passer)))
    }

    /// Checks that the first of these are where somebody speaks, and the others are not.
    fn has_audience(
        &self,
        [with, without]: [&'a [Name]; 2],
        event: Event<'a>,
        state: &State<'a>,
    ) -> Result<(), String> {
        let is_there = |who: &&str| state.place(who) == Some(event.from);
        if let Some(absent) = self.players(with).iter().find(|who| !is_there(who)) {
            return Err(format!("{absent} should be there, in {}", event.from));
        }
        match self.players(without).iter().find(|who| is_there(who)) {
            Some(present) => Err(format!("{present} should not be there, in {}", event.from)),
            None => Ok(()),
        }
    }

    /// Checks that someone who should follow somebody has moved by the end of the window.
    fn follows(&self, window: &Window<'a>, step: usize) -> Result<(), String> {
        let &Window { from, until, verb, .. } = window;
        let Verb::Hold(Condition::Follow { who, .. }) = verb else { return Ok(()) };
        if until != step as i64 + 1 {
            return Ok(());
        }
        let who = self.role(who);
        let mut events = self.steps().take(step + 1).skip(from as usize);
        demand(events.any(|event| event.has_mover(who)), || {
            format!("{who} should move from step {from} on before step {until}")
        })
    }

    /// Checks that the notes of a step follow it, and no others.
    fn notes<'w>(&self, in_force: impl Iterator<Item = &'w Window<'a>>, step: usize, found: &mut Findings)
    where
        'a: 'w,
    {
        let Some(notes) = &self.claim.notes else { return };
        let first = notes.partition_point(|(at, _)| *at < step);
        let mut told: Vec<&String> =
            notes[first..].iter().take_while(|(at, _)| *at == step).map(|(_, note)| note).collect();
        for window in in_force {
            let Verb::Note { text, past } = window.verb else { continue };
            let wanted = self.noted(text);
            let in_past = past.as_ref().map(|past| self.noted(past));
            let is_wanted = |note: &&String| {
                is_same(note, &wanted) || in_past.as_ref().is_some_and(|past| is_same(note, past))
            };
            match told.iter().position(is_wanted) {
                Some(at) => drop(told.remove(at)),
                None => {
                    let what = format!("this note should follow it: {wanted}");
                    found.add(Err(at_step(step, what, Some(window.span))));
                }
            }
        }
        for note in told {
            found.add(Err(at_step(step, format!("no such note should follow it: {note}"), None)));
        }
    }

    /// The words of a note, with the names of this story.
    fn noted(&self, text: &'a [NotePart]) -> String {
        let part = |part: &'a NotePart| match part {
            NotePart::Text(text) => text.as_str(),
            NotePart::Name(name) => match self.claim.roles.get(name.value.as_str()) {
                Some(player) => player,
                None => self.place(name),
            },
        };
        text.iter().map(part).collect()
    }

    /// Checks that an event can happen; otherwise says why not.
    fn allows(&self, state: &State<'a>, event: Event<'a>) -> Result<(), String> {
        let Event { who, from, to, deed } = event;
        state.allows(event)?;
        demand(!deed.act.goes() || self.leads(from, to), || format!("{who} cannot go from {from} to {to}"))?;
        if let Some((object, to)) = deed.act.thrown() {
            demand(self.leads(from, to), || format!("{who} cannot throw {object} from {from} to {to}"))?;
        }
        if let Some(Telling { value: Value::Place(place), .. }) = deed.act.telling() {
            demand(self.places().contains(place), || format!("there is no {place}"))?;
        }
        let mut hearers = deed.act.named().unwrap_or_default().iter();
        hearers.try_for_each(|hearer| self.are_friends(who, hearer))
    }

    /// Checks that an event, after which everything is as in `state`, is as demanded; otherwise says what is not.
    fn meets(&self, verb: &'a Verb, event: Event<'a>, state: &State<'a>) -> Result<(), String> {
        let Event { from, to, deed, .. } = event;
        let place_of = |who| state.place(who).expect("in the story");
        let condition = match verb {
            Verb::Do(wanted) => return self.meets_deed(wanted, event),
            Verb::Hold(condition) => condition,
            Verb::Note { .. } => return Ok(()),
        };
        match condition {
            Condition::Meet { who: company, place } => {
                let place = place.as_ref().map_or(to, |place| self.place(place));
                let company = self.players(company);
                if let Some(absent) = company.iter().find(|&&member| place_of(member) != place) {
                    return Err(format!("{absent} should be in {place}"));
                }
                let is_arrival = to == place && company.iter().any(|member| event.has_mover(member));
                demand(is_arrival, || format!("one of {} should arrive in {place}", company.join(", ")))
            }
            Condition::Idle { who: idle } => {
                let active = self.players(idle).into_iter().find(|idle| event.has_actor(idle));
                active.map_or(Ok(()), |who| Err(format!("{who} should be idle")))
            }
            Condition::Apart { who: company } => {
                let company = self.players(company);
                let mut taken = BTreeSet::new();
                match company.iter().find(|&&member| !taken.insert(place_of(member))) {
                    Some(member) => {
                        Err(format!("{member} should not be with others of {}", company.join(", ")))
                    }
                    None => Ok(()),
                }
            }
            Condition::Together { who: company } => {
                let company = self.players(company);
                match company.iter().find(|&&member| place_of(member) != place_of(company[0])) {
                    Some(member) => Err(format!("{member} should be with {}", company[0])),
                    None => Ok(()),
                }
            }
            Condition::Unseen { who: movers, by } => {
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
            Condition::Avoid { who: avoiding, place } => {
                let place = self.place(place);
                match self.players(avoiding).iter().find(|member| place_of(member) == place) {
                    Some(member) => Err(format!("{member} should avoid {place}")),
                    None => Ok(()),
                }
            }
            Condition::Follow { who: follower, whom } => {
                let (follower, whom) = (self.role(follower), self.role(whom));
                let is_met = !event.has_mover(follower) || to == place_of(whom);
                demand(is_met, || format!("{follower} should go to where {whom} is"))
            }
            // Who notices what is asked where an event is attended.
            Condition::Peek { .. } | Condition::Distracted { .. } => Ok(()),
        }
    }
}
