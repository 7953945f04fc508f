//! Random storyboards with things and deeds, as YAML. Shared by the integration tests.

use std::ops::RangeInclusive;

use arbitrary::Unstructured;
use proptest::prelude::*;

pub mod sketch;

use sketch::Author;

/// Boards with containers, objects, propositions, attitudes, free play of all kinds, deeds with and without details
/// left open, attention, the conditions of walks, goals, and questions of all kinds and moments. All of them are
/// well-formed; whether they can be satisfied is another matter.
pub fn boards(
    characters: RangeInclusive<usize>,
    places: RangeInclusive<usize>,
    horizon: RangeInclusive<usize>,
) -> impl Strategy<Value = String> {
    let bytes = prop::collection::vec(any::<u8>(), 100..500);
    (characters, places, horizon, bytes).prop_map(|(characters, places, horizon, bytes)| {
        Author::new(characters, places, horizon, true, Unstructured::new(&bytes)).board().0
    })
}
