//! Small storyboards that say all that a storyboard can say: they compile or are refused, what is drawn passes `check`,
//! and rows and minds up to order 3 are those of the definition written out.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/support/deeds/sketch.rs"]
mod sketch;

use sketch::Sketch;

fuzz_target!(|sketch: Sketch| storysim::fuzzing::small_storyboard(&sketch.0));
