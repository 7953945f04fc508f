//! What happened in one story, and nothing else: beliefs, questions and text are functions of it.

use crate::id::{CharacterId, PlaceId};
use crate::world::{Deed, Event, Item, Scene, Stage, Value};

/// The start and the events of one story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Where each character starts.
    pub start: Vec<PlaceId>,
    /// The events, one for each step.
    pub events: Vec<Event>,
    /// The deed of each event; empty if people only go from place to place.
    pub deeds: Vec<Deed>,
    /// The things at the start.
    pub stage: Stage,
}

/// An event with everything that anyone could learn from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witnessed {
    /// The step of the event.
    pub step: usize,
    /// Who moved, from where and to where.
    pub event: Event,
    /// The deed of the event.
    pub deed: Deed,
    /// What the event shows to its witnesses about the state before it.
    pub shown: Vec<(Item, Value)>,
    /// The characters who witnessed it.
    pub witnesses: Vec<CharacterId>,
    /// The characters who are at the destination after it.
    pub roster: Vec<CharacterId>,
    /// Everything that can be seen at the destination after it.
    pub look: Vec<(Item, Value)>,
}

impl Trace {
    /// A story of people who go from place to place.
    pub fn of_moves(start: Vec<PlaceId>, events: Vec<Event>) -> Self {
        Self { start, events, ..Self::default() }
    }

    /// Whether people do more in the story than go from place to place.
    pub fn has_deeds(&self) -> bool {
        !self.deeds.is_empty()
    }

    /// Whether there is anything in the story but people and places.
    pub fn has_things(&self) -> bool {
        let Stage { objects, containers, propositions, .. } = &self.stage;
        !objects.is_empty() || !containers.is_empty() || !propositions.is_empty()
    }

    /// All events with their witnesses and what they see: the result of [`Self::unfold`] as a whole.
    ///
    /// ```
    /// use storysim::{id::{CharacterId, PlaceId}, trace::Trace, world::Event};
    /// let [a, b] = [0, 1].map(PlaceId::new);
    /// let ann = CharacterId::new(0);
    /// let trace = Trace::of_moves(vec![a, b], vec![Event { who: ann, from: a, to: b }]);
    /// assert_eq!(trace.witnessed()[0].roster.len(), 2);
    /// ```
    pub fn witnessed(&self) -> Vec<Witnessed> {
        self.unfold().collect()
    }

    /// Yields event after event, with its witnesses and what they see.
    ///
    /// Costs O(characters + objects + containers) per event.
    pub fn unfold(&self) -> impl Iterator<Item = Witnessed> + '_ {
        let mut scene = Scene::new(&self.start, &self.stage);
        self.events.iter().enumerate().map(move |(step, &event)| {
            let deed = self.deeds.get(step).cloned().unwrap_or_default();
            let witnesses = scene.witnesses(event, &deed).collect();
            let shown = scene.shown(event, &deed.act).collect();
            scene.apply(event, &deed.act);
            let roster = scene.characters().filter(|&who| scene.place(who) == event.to).collect();
            Witnessed { step, event, deed, shown, witnesses, roster, look: scene.look(event.to) }
        })
    }
}
