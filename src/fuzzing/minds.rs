//! All minds of a story: the trackers compared with the written-out definition.

use crate::belief::nested::Mind;
use crate::belief::{Chain, DeedTracker, Held, Tracker};
use crate::id::CharacterId;
use crate::trace::{Trace, Witnessed};
use crate::world::{Item, Value};

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
    let is_walk = trace.deeds.is_empty() && items.len() == characters.len();
    let events: Vec<Witnessed> = trace.unfold().collect();
    let mut chains = chains(&characters, order);
    chains.push(Vec::new());
    for (minds, &item) in chains.iter().flat_map(|minds| items.iter().map(move |item| (minds, item))) {
        // Nobody's mind of her own place is a mind of its own.
        let chain = Chain::new(minds, item);
        if chain.minds() != minds {
            continue;
        }
        let mut reality = Mind::of_chain(trace, &chain);
        let mut deeds = DeedTracker::new(chain.clone());
        deeds.start(trace);
        let mut walks = is_walk.then(|| Tracker::new(chain.clone(), characters.len()));
        walks.iter_mut().for_each(|tracker| tracker.start(&trace.start));
        let check = |reality: &Mind, walks: &Option<Tracker>, deeds: &DeedTracker, step: usize| {
            let what = || format!("{minds:?} about {item:?} before step {step} of {trace:?}");
            assert_eq!(Some(deeds.held()), reality.held(minds, item), "{}", what());
            assert_eq!(deeds.is_lost(), reality.is_lost(minds), "{}", what());
            assert_eq!(Some(deeds.truth()), reality.held(&[], item).and_then(Held::value), "{}", what());
            // It reckons with nobody else, and so may go on where the others are lost.
            if let Some(walks) = walks.as_ref().filter(|_| !deeds.is_lost()) {
                assert_eq!(walks.answer().map(Value::Place), deeds.held().value(), "{}", what());
            }
        };
        check(&reality, &walks, &deeds, 0);
        for witnessed in &events {
            reality.happen(witnessed);
            let is_witnessed = deeds.apply(witnessed.event, &witnessed.deed);
            if let Some(first) = minds.first() {
                assert_eq!(is_witnessed, witnessed.witnesses.contains(first), "{trace:?}");
            }
            walks.iter_mut().for_each(|tracker| {
                tracker.apply(witnessed.event);
            });
            check(&reality, &walks, &deeds, witnessed.step + 1);
        }
    }
    chains.len() * items.len()
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
