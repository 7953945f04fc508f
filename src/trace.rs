//! What happened in one story, and nothing else: beliefs, questions and text are functions of it.

use crate::id::{CharacterId, PlaceId};
use crate::world::{Event, State};

/// The start and the events of one story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Where each character starts.
    pub start: Vec<PlaceId>,
    /// One event a step.
    pub events: Vec<Event>,
}

/// An event with all that anyone could learn from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witnessed {
    /// When.
    pub step: usize,
    /// What happened.
    pub event: Event,
    /// Who witnessed it.
    pub witnesses: Vec<CharacterId>,
    /// Who is at the destination after it.
    pub roster: Vec<CharacterId>,
}

impl Trace {
    /// Every event with its witnesses and the company at its destination.
    ///
    /// Costs O(characters) an event.
    ///
    /// ```
    /// use storysim::{id::{CharacterId, PlaceId}, trace::Trace, world::Event};
    /// let [a, b] = [0, 1].map(PlaceId::new);
    /// let ann = CharacterId::new(0);
    /// let trace = Trace { start: vec![a, b], events: vec![Event { who: ann, from: a, to: b }] };
    /// assert_eq!(trace.witnessed()[0].roster.len(), 2);
    /// ```
    pub fn witnessed(&self) -> Vec<Witnessed> {
        let mut state = State::new(&self.start);
        let witnessed = |(step, &event)| {
            let witnesses = state.witnesses(event).collect();
            state.apply(event);
            Witnessed { step, event, witnesses, roster: state.company(event.to).collect() }
        };
        self.events.iter().enumerate().map(witnessed).collect()
    }
}
