//! Chains of minds, for tests of belief.
#![allow(dead_code)] // not every test needs all of it

pub mod answers;

use storysim::id::CharacterId;
use storysim::trace::Trace;
use storysim::world::Item;

pub fn characters(trace: &Trace) -> impl Iterator<Item = CharacterId> + use<> {
    (0..trace.start.len()).map(CharacterId::new)
}

pub fn items(trace: &Trace) -> Vec<Item> {
    trace.stage.items(trace.start.len()).collect()
}

/// Every chain of minds, no two neighbours the same, of one to `order` of these.
pub fn chains(members: &[CharacterId], order: usize) -> Vec<Vec<CharacterId>> {
    let mut all: Vec<Vec<CharacterId>> = Vec::new();
    let mut last: Vec<Vec<CharacterId>> = vec![Vec::new()];
    for _ in 0..order {
        let longer = |minds: &Vec<CharacterId>| {
            let (minds, end) = (minds.clone(), minds.last().copied());
            let others = members.iter().copied().filter(move |&next| Some(next) != end);
            others.map(move |next| [minds.as_slice(), &[next]].concat())
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all
}
