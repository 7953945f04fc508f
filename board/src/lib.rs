//! Reads what authors of storysim write: storyboards and packs.
//!
//! The library `storysim` passes on all that is here, under the same names. Programs depend on that.
//!
//! Nothing here touches a terminal or a file, nothing is of C, and nothing takes long.

#![warn(missing_docs)]

pub mod diagnostic;
pub mod form;
pub mod id;
pub mod pack;
pub mod spelling;
pub mod storyboard;
