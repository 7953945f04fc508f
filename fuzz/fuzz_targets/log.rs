//! Whatever stands in a log: it is refused with diagnostics that can be drawn, or answered as the definition written out
//! says.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| storysim::fuzzing::log(text));
