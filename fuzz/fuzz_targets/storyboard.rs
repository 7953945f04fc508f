//! Whatever a file holds: reading, compiling, drawing a story and writing its rows never panics, and
//! what is drawn passes `check`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| storysim::fuzzing::storyboard(text));
