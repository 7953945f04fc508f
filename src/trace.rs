//! What happened in one story, and nothing else: beliefs, questions and text are functions of it.

use crate::id::{CharacterId, PlaceId};
use crate::world::{Deed, Event, Item, Scene, Stage, Value};

/// The start and the events of one story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Where each character starts.
    pub start: Vec<PlaceId>,
    /// One event a step.
    pub events: Vec<Event>,
    /// What is done in each event; empty: people go from place to place, and that is all.
    pub deeds: Vec<Deed>,
    /// What there is besides people at the start.
    pub stage: Stage,
}

/// An event with all that anyone could learn from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witnessed {
    /// When.
    pub step: usize,
    /// What happened.
    pub event: Event,
    /// What was done.
    pub deed: Deed,
    /// What it shows to its witnesses: what was so before it.
    pub shown: Vec<(Item, Value)>,
    /// Who witnessed it.
    pub witnesses: Vec<CharacterId>,
    /// Who is at the destination after it.
    pub roster: Vec<CharacterId>,
    /// All that one sees at the destination after it.
    pub look: Vec<(Item, Value)>,
}

impl Trace {
    /// A story of people who go from place to place.
    pub fn of_moves(start: Vec<PlaceId>, events: Vec<Event>) -> Self {
        Self { start, events, ..Self::default() }
    }

    /// Whether there is more to it than people who go from place to place.
    pub fn has_deeds(&self) -> bool {
        !self.deeds.is_empty()
    }

    /// Every event with its witnesses, and what they see: [`Self::unfold`], all at once.
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

    /// Event after event, with its witnesses, and what they see.
    ///
    /// Costs O(characters + objects + containers) an event.
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
