//! Logs of things that can happen, with a slip of the pen here and there: they are answered as the definition written out
//! says.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/support/logs.rs"]
mod sketch;

use sketch::LogSketch;

fuzz_target!(|sketch: LogSketch| storysim::fuzzing::log(&sketch.0));
