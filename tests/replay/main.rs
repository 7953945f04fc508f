//! `storysim replay`: published logs, logs of our own, logs that cannot be.

#[path = "../minds/mod.rs"]
mod minds;
mod published;
mod random;
mod written;
