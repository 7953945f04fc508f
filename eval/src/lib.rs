//! Reads the stories and rows of storysim: verifies them, audits them, scores answers to them.
//!
//! The library `storysim` passes on all that is here, under the same names. Programs depend on that.
//!
//! Nothing here touches a terminal or a file.

#![warn(missing_docs)]

pub mod adherence;
#[cfg(feature = "eval")]
pub mod audit;
pub mod experiment;
pub mod log;
#[cfg(feature = "eval")]
pub mod page;
#[cfg(feature = "eval")]
pub mod paraphrase;
pub mod prose;
#[cfg(feature = "eval")]
pub mod respond;
#[cfg(feature = "eval")]
pub mod score;
pub mod survey;
#[cfg(feature = "eval")]
pub mod task;
pub mod verify;

// The engine, so that paths begin with `crate` here as they do there.
use storysim_engine::*;
