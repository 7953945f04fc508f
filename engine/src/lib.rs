//! Makes the rows of storysim: from storyboards to stories, questions and their answers.
//!
//! The library `storysim` passes on all that is here, under the same names, and adds what is done with rows. Programs
//! depend on that.
//!
//! Nothing here touches a terminal or a file, and nothing is of C. With the feature `threads`, trials use all cores.

#![warn(missing_docs)]

pub mod appraisal;
pub mod belief;
pub mod boost;
#[cfg(test)]
#[path = "../../tests/support/by_hand.rs"]
mod by_hand;
pub mod check;
pub mod compile;
pub mod dataset;
#[cfg(test)]
#[path = "../../tests/support/effort.rs"]
mod effort;
pub mod haystack;
pub mod plan;
pub mod question;
pub mod resolve;
pub mod rng;
pub mod select;
pub mod simulate;
pub mod text;
pub mod trace;
pub mod weight;
pub mod world;

// What authors write, so that paths begin with `crate` here as they do there.
#[doc(inline)]
pub use storysim_board::{diagnostic, form, id, pack, spelling, storyboard};
