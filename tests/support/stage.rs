//! Who and what is on the stage of a story, for tests of belief.

use storysim::id::CharacterId;
use storysim::trace::Trace;
use storysim::world::Item;

pub fn characters(trace: &Trace) -> impl Iterator<Item = CharacterId> + use<> {
    (0..trace.start.len()).map(CharacterId::new)
}

pub fn items(trace: &Trace) -> Vec<Item> {
    trace.stage.items(trace.start.len()).collect()
}
