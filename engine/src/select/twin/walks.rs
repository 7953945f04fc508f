//! What can be changed in a story of people who walk.

use super::same::Same;
use crate::id::{CharacterId, PlaceId};
use crate::plan::{Plan, Question};
use crate::simulate::Story;
use crate::world::Event;

/// Changes of a story that keep everyone on the ways of the map, each with its step.
#[derive(Clone, Debug)]
pub struct WalkChanges<'a> {
    plan: &'a Plan,
    same: Same,
    target: CharacterId,
    /// For each character, whether it owns one of the question's minds: nobody else's walks matter to the question.
    is_mind: Vec<bool>,
    listed: Vec<(usize, Event)>,
    places: Vec<PlaceId>,
    /// For each character, where it goes next, if anywhere.
    next: Vec<Option<PlaceId>>,
}

impl<'a> WalkChanges<'a> {
    /// The changes of a plan's stories for a question about where someone is, in which these do the same.
    pub fn new(plan: &'a Plan, question: &Question, same: Same) -> Self {
        let mut is_mind = vec![false; plan.character_count];
        question.others.iter().for_each(|mind| is_mind[mind.index()] = true);
        let target = question.character();
        Self { plan, same, target, is_mind, listed: Vec::new(), places: Vec::new(), next: Vec::new() }
    }

    /// Lists the changes that can be made and may matter. Returns how many there are.
    ///
    /// Costs O(steps · (characters + ways) · ways).
    pub fn list(&mut self, story: &Story) -> usize {
        let Self { plan, same, target, is_mind, listed, places, next } = self;
        let trace = &story.trace;
        listed.clear();
        places.clone_from(&trace.start);
        trace.events.iter().for_each(|event| places[event.who.index()] = event.to);
        next.clear();
        next.resize(places.len(), None);
        // Whether it may be that one goes in the story, and the other in its twin.
        let may_change = |one: CharacterId, other: CharacterId| {
            let is_target = one == *target || other == *target;
            let is_of_minds = is_mind[one.index()] || is_mind[other.index()];
            match same {
                Same::Target => is_of_minds && !is_target,
                Same::Minds => is_target && !is_of_minds,
            }
        };
        // From the end, so that it is known where everyone goes next.
        for (step, &event) in trace.events.iter().enumerate().rev() {
            let Event { who, from, to } = event;
            places[who.index()] = from;
            let goes_on = |who: CharacterId, from: PlaceId| {
                next[who.index()].is_none_or(|next| plan.map.leads(from, next))
            };
            if may_change(who, who) {
                let others = plan.map.ways(from).iter().filter(|&&other| other != to && goes_on(who, other));
                listed.extend(others.map(|&other| (step, Event { to: other, ..event })));
            }
            // Whoever went stays, and somebody else goes there.
            let others = (0..places.len()).map(CharacterId::new).filter(|&other| {
                other != who
                    && may_change(who, other)
                    && plan.map.leads(places[other.index()], to)
                    && goes_on(other, to)
            });
            if goes_on(who, from) {
                listed.extend(others.map(|who| (step, Event { who, from: places[who.index()], to })));
            }
            next[who.index()] = Some(to);
        }
        listed.len()
    }

    /// Makes the change with the number `drawn` in `twin` and swaps it with the one numbered `tried`. Returns the step.
    pub fn make(&mut self, (tried, drawn): (usize, usize), story: &Story, twin: &mut Story) -> usize {
        self.listed.swap(tried, drawn);
        let (step, event) = self.listed[tried];
        let events = &mut twin.trace.events;
        events.clone_from(&story.trace.events);
        let was = std::mem::replace(&mut events[step], event);
        // The next moves of both begin where they now are.
        let mut begins_at = |who: CharacterId, place: PlaceId| {
            if let Some(next) = events[step + 1..].iter_mut().find(|next| next.who == who) {
                next.from = place;
            }
        };
        begins_at(was.who, was.from);
        begins_at(event.who, event.to);
        step
    }
}
