//! `storysim replay`: published logs, logs of our own, logs that cannot be.

mod published;
mod random;
