//! All minds of a story: the trackers compared with the written-out definition.

use crate::belief::nested::Mind;
use crate::belief::{Chain, DeedTracker, Tracker};
use crate::id::CharacterId;
use crate::trace::Trace;
use crate::world::Item;

/// Compares what all chains of at most `order` minds hold of everything, after every event: by a [`DeedTracker`],
/// where people only walk also by a [`Tracker`], and by the written-out definition. Returns the number of pairs of a
/// story and a chain (with its target).
///
/// # Panics
/// If they do not agree.
///
/// ```
/// use storysim::fuzzing::{minds, story_with_deeds};
/// let bytes: Vec<u8> = (0..100).map(|at| (at * at % 251) as u8).collect();
/// assert!(minds(&story_with_deeds(&bytes), 2) > 0);
/// ```
pub fn minds(trace: &Trace, order: usize) -> usize {
    let characters: Vec<CharacterId> = (0..trace.start.len()).map(CharacterId::new).collect();
    let items: Vec<Item> = trace.stage.items(characters.len()).collect();
    let chains = chains(&characters, order);
    // A tracker keeps all minds along its chain: the longest chains have all others as beginnings.
    let longest: Vec<&Vec<CharacterId>> = chains.iter().filter(|minds| minds.len() == order).collect();
    let others = |minds: &Vec<CharacterId>| {
        let last = minds.last().copied();
        let others = characters.iter().copied().filter(move |&other| Some(other) != last);
        others.map(|other| Tracker::new(Chain::new(minds, other), characters.len())).collect::<Vec<Tracker>>()
    };
    let is_walk = trace.deeds.is_empty() && items.len() == characters.len();
    let mut walks: Vec<Tracker> =
        longest.iter().filter(|_| is_walk).flat_map(|&minds| others(minds)).collect();
    walks.iter_mut().for_each(|tracker| tracker.start(&trace.start));
    let deeds = |&minds: &&Vec<CharacterId>| {
        // Nobody's mind of her own place is a mind of its own.
        let target = items.iter().rfind(|item| item.character() != minds.last().copied());
        let mut tracker = DeedTracker::new(Chain::new(minds, *target.expect("more than one item")));
        tracker.start(trace);
        tracker
    };
    let mut deeds: Vec<DeedTracker> = longest.iter().map(deeds).collect();
    let mut reality = Mind::begin(trace, order);
    let check = |reality: &Mind, walks: &[Tracker], deeds: &[DeedTracker], step: usize| {
        for tracker in deeds {
            for &item in &items {
                let known = reality.held(&[], item).unwrap().value();
                let real = Some(tracker.scene().value(item));
                assert_eq!(known, real, "{item:?} before step {step} of {trace:?}");
            }
            for depth in 0..=order {
                let minds = &tracker.chain().minds()[..depth];
                for &item in &items {
                    let (tracked, held) = (tracker.held_at(depth, item), reality.held(minds, item).unwrap());
                    assert_eq!(tracked, held, "{minds:?} about {item:?} before step {step} of {trace:?}");
                }
            }
        }
        for tracker in walks {
            let target = tracker.chain().character().expect("people walk");
            for depth in 0..=order {
                let minds = &tracker.chain().minds()[..depth];
                let (tracked, held) = (tracker.held(depth), reality.answer(minds, target));
                assert_eq!(tracked, held, "{minds:?} about {target:?} before step {step} of {trace:?}");
            }
        }
    };
    check(&reality, &walks, &deeds, 0);
    for witnessed in trace.unfold() {
        reality.happen(&witnessed);
        for tracker in &mut deeds {
            let is_witnessed = tracker.apply(witnessed.event, &witnessed.deed);
            assert_eq!(is_witnessed, witnessed.witnesses.contains(&tracker.chain().minds()[0]));
        }
        for tracker in &mut walks {
            tracker.apply(witnessed.event);
        }
        check(&reality, &walks, &deeds, witnessed.step + 1);
    }
    (chains.len() + 1) * items.len()
}

/// Every chain of one to `order` of these minds in which no two neighbours are the same.
pub(super) fn chains(members: &[CharacterId], order: usize) -> Vec<Vec<CharacterId>> {
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
