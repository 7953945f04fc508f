//! Chains of minds, and what they hold by both definitions, for tests of belief.
#![allow(dead_code)] // not every test needs all of it

pub mod answers;

use storysim::belief::nested::Mind;
use storysim::belief::{Chain, DeedTracker};
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

/// Compares all chains of at most so many minds about all items after every event; gives how many pairs of a
/// story and a chain (with its target) these are.
pub fn compare(trace: &Trace, order: usize) -> usize {
    let items = items(trace);
    let chains = chains(&characters(trace).collect::<Vec<_>>(), order);
    // A tracker keeps all minds along its chain: the longest chains have all others as beginnings.
    let longest = chains.iter().filter(|minds| minds.len() == order);
    let new = |minds: &Vec<CharacterId>| {
        // Nobody's mind of her own place is a mind of its own.
        let target = items.iter().rfind(|item| item.character() != minds.last().copied());
        let mut tracker = DeedTracker::new(Chain::new(minds, *target.expect("more than one item")));
        tracker.start(trace);
        tracker
    };
    let mut trackers: Vec<DeedTracker> = longest.map(new).collect();
    let mut reality = Mind::begin(trace, order);
    let check = |reality: &Mind, trackers: &[DeedTracker], step: usize| {
        for tracker in trackers {
            for &item in &items {
                let known = reality.held(&[], item).unwrap().value();
                assert_eq!(
                    known,
                    Some(tracker.scene().value(item)),
                    "{item:?} before step {step} of {trace:?}"
                );
            }
            for depth in 0..=order {
                let minds = &tracker.chain().minds()[..depth];
                for &item in &items {
                    let (tracked, held) = (tracker.held_at(depth, item), reality.held(minds, item).unwrap());
                    assert_eq!(tracked, held, "{minds:?} about {item:?} before step {step} of {trace:?}");
                }
            }
        }
    };
    check(&reality, &trackers, 0);
    for witnessed in trace.witnessed() {
        reality.happen(&witnessed);
        for tracker in &mut trackers {
            let is_witnessed = tracker.apply(witnessed.event, &witnessed.deed);
            assert_eq!(is_witnessed, witnessed.witnesses.contains(&tracker.chain().minds()[0]));
        }
        check(&reality, &trackers, witnessed.step + 1);
    }
    (chains.len() + 1) * items.len()
}
