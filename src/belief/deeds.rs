//! The minds along one chain in a story with deeds.

use super::{Chain, Held};
use crate::trace::Trace;
use crate::world::{Deed, Event, Item, Value};

/// The tracker of one chain, for any order, where there is more than people who go from place to place.
#[derive(Clone, Debug)]
pub struct DeedTracker {
    chain: Chain,
}

impl DeedTracker {
    /// A tracker of a chain.
    pub fn new(chain: Chain) -> Self {
        Self { chain }
    }

    /// The chain.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Goes back to the start of a story.
    pub fn start(&mut self, _trace: &Trace) {
        todo!()
    }

    /// Applies an event. Returns whether the owner of the outermost mind witnessed it; without minds, true.
    ///
    /// # Panics
    /// If the event cannot happen (see [`crate::world::Scene::allows`]).
    pub fn apply(&mut self, _event: Event, _deed: &Deed) -> bool {
        todo!()
    }

    /// What the chain holds of its target.
    pub fn held(&self) -> Held {
        self.held_at(self.chain.order(), self.chain.target())
    }

    /// What the mind of the first `depth` members holds of any item; reality, for 0.
    pub fn held_at(&self, _depth: usize, _item: Item) -> Held {
        todo!()
    }

    /// What is really so of the target.
    pub fn truth(&self) -> Value {
        todo!()
    }

    /// The state of the story: everything that is really so.
    pub fn scene(&self) -> &crate::world::Scene {
        todo!()
    }
}
