//! Stories with all kinds of deeds: all minds up to order 3 are those of the definition written out; where the story is
//! tiny, of possible histories too.

#![no_main]

use libfuzzer_sys::fuzz_target;
use storysim::fuzzing::{histories, minds, story_with_deeds, story_with_news};

fuzz_target!(|bytes: &[u8]| {
    minds(&story_with_deeds(bytes), 3);
    minds(&story_with_news(bytes), 3);
    histories(&story_with_deeds(&bytes[..bytes.len().min(50)]), 3);
    histories(&story_with_news(&bytes[..bytes.len().min(50)]), 3);
});
