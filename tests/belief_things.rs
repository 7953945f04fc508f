//! Belief about things: the tracker of deeds against the nested oracle, and what has to be so of any story.

use proptest::prelude::*;
use storysim::fuzzing::{minds, story_with_deeds};
use storysim::trace::Trace;

const ORDER_MAX: usize = 4;

/// Stories with all kinds of deeds.
fn stories() -> impl Strategy<Value = Trace> {
    prop::collection::vec(any::<u8>(), 0..160).prop_map(|bytes| story_with_deeds(&bytes))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn tracker_equals_nested_for_every_chain_after_every_event(trace in stories()) {
        prop_assert!(minds(&trace, ORDER_MAX) > 0);
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

/// As many pairs of a story and a chain as `BELIEF_PAIRS` says; without it a few.
#[test]
fn tracker_equals_nested_on_many_pairs() {
    let wanted = std::env::var("BELIEF_PAIRS").map_or(20_000, |pairs| pairs.parse().expect("a number"));
    let (mut pairs, mut stories, mut events) = (0, 0, 0);
    while pairs < wanted {
        let trace = story_with_deeds(&bytes_of(stories));
        pairs += minds(&trace, ORDER_MAX);
        stories += 1;
        events += trace.events.len();
    }
    println!("{pairs} pairs of a story and a chain, {stories} stories, {events} events");
    assert!(events as u64 > 5 * stories, "{events} events in {stories} stories");
}
