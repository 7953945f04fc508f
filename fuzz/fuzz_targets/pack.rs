//! Whatever stands in a pack: it is refused with diagnostics that can be drawn, or all that it holds can be told.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| storysim::fuzzing::pack(text));
