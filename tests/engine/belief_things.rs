//! Belief about things: the tracker of deeds against the nested oracle, and what has to be so of any story.

use proptest::prelude::*;
use storysim::belief::nested::Mind;
use storysim::belief::{Chain, DeedTracker, Held};
use storysim::fuzzing::{self, story_with_deeds, story_with_news};
use storysim::id::{CharacterId, ObjectId};
use storysim::trace::Trace;
use storysim::world::{Act, Item};

use crate::effort::times;

const ORDER_MAX: usize = 4;

/// Stories with all kinds of deeds.
fn stories() -> impl Strategy<Value = Trace> {
    prop::collection::vec(any::<u8>(), 0..160).prop_map(|bytes| story_with_deeds(&bytes))
}

/// A copy goes on as the tracker does that it was made of, whatever it followed before.
#[test]
fn a_copy_of_a_tracker_goes_on_as_that_does() {
    let [first, second] = [CharacterId::new(0), CharacterId::new(1)];
    let mut used = DeedTracker::new(Chain::new(&[second], second));
    used.start(&story_with_deeds(&bytes_of(0)));
    for number in 1..60 {
        let story = story_with_deeds(&bytes_of(number));
        let events: Vec<_> = story.events.iter().zip(&story.deeds).collect();
        let items: Vec<Item> = story.stage.items(story.start.len()).collect();
        let held = |tracker: &DeedTracker| -> Vec<Held> {
            (0..=2).flat_map(|depth| items.iter().map(move |&item| tracker.held_at(depth, item))).collect()
        };
        let mut tracker = DeedTracker::new(Chain::new(&[first, second], Item::Object(ObjectId::new(0))));
        tracker.start(&story);
        let (before, after) = events.split_at(events.len() / 2);
        for (event, deed) in before {
            tracker.apply(**event, deed);
        }
        let mut new = tracker.clone();
        used.clone_from(&tracker);
        for (event, deed) in after {
            tracker.apply(**event, deed);
            for copy in [&mut new, &mut used] {
                copy.apply(**event, deed);
                assert_eq!((copy.chain(), copy.scene()), (tracker.chain(), tracker.scene()));
                assert_eq!((copy.held(), copy.truth()), (tracker.held(), tracker.truth()));
                assert_eq!(held(copy), held(&tracker), "story {number}");
            }
        }
        assert!(used.chain() == new.chain() && new.chain() == tracker.chain());
        used = DeedTracker::new(Chain::new(&[second, first], first));
        used.start(&story);
    }
}

/// A mind is a world too: what it holds is what the chain through it holds.
#[test]
fn everyone_but_its_owner_has_a_mind_in_every_mind() {
    for number in 0..60 {
        let story = story_with_deeds(&bytes_of(number));
        let reality = Mind::after(&story, 2);
        assert_eq!(reality.minds().count(), story.start.len());
        for (x, mind) in reality.minds() {
            assert_eq!(reality.mind(x), Some(mind));
            assert_eq!((mind.mind(x), mind.minds().count()), (None, story.start.len() - 1));
            for y in crate::stage::characters(&story).filter(|&y| y != x) {
                let inner = mind.mind(y).unwrap();
                assert_eq!(inner.minds().count(), 0);
                for item in crate::stage::items(&story) {
                    assert_eq!(mind.held(&[], item), reality.held(&[x], item));
                    assert_eq!(
                        mind.held(&[x], item),
                        reality.held(&[x], item),
                        "her mind of herself is hers"
                    );
                    assert_eq!(inner.held(&[], item), reality.held(&[x, y], item));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(60) as u32, ..ProptestConfig::default() })]

    #[test]
    fn tracker_equals_nested_for_every_chain_after_every_event(trace in stories()) {
        prop_assert!(fuzzing::minds(&trace, ORDER_MAX) > 0);
    }
}

/// The bytes of the story of a number.
fn bytes_of(number: u64) -> Vec<u8> {
    let mut state = number;
    let mut next = || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let length = 40 + next() % 360;
    (0..length).map(|_| next() as u8).collect()
}

/// How many pairs of a story and a chain are compared.
fn pairs_wanted() -> usize {
    times(40_000) as usize
}

#[test]
fn tracker_equals_nested_on_many_pairs() {
    let wanted = pairs_wanted();
    let (mut pairs, mut stories, mut events) = (0, 0, 0);
    while pairs < wanted {
        let trace = story_with_deeds(&bytes_of(stories));
        pairs += fuzzing::minds(&trace, ORDER_MAX);
        stories += 1;
        events += trace.events.len();
    }
    println!("{pairs} pairs of a story and a chain, {stories} stories, {events} events");
    assert!(events as u64 > 5 * stories, "{events} events in {stories} stories");
}

/// The same where news of prospects is announced, and told, truly or not.
#[test]
fn tracker_equals_nested_where_there_is_news() {
    let wanted = pairs_wanted();
    let (mut pairs, mut stories, mut announced) = (0, 0, 0);
    while pairs < wanted {
        let trace = story_with_news(&bytes_of(stories));
        pairs += fuzzing::minds(&trace, 3);
        stories += 1;
        announced += trace.deeds.iter().filter(|deed| matches!(deed.act, Act::Turn(_))).count() as u64;
    }
    println!("{pairs} pairs of a story and a chain, {stories} stories, {announced} announcements");
    assert!(announced > stories, "{announced} announcements in {stories} stories");
}
