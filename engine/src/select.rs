//! Draws a story again until it meets what its tables cannot see to.
//!
//! A goal on beliefs of higher order, or on a distance, has no room in the tables. A story that misses it
//! is drawn again: only its walk, never its cast, so casts stay uniform. Attempt n has a stream of its
//! own, so a story still follows from its index alone. What is left is free play given all conditions
//! and goals, exactly.
//!
//! Where shares are balanced (`balance`), casts are drawn again, too.
//!
//! The plans of a storyboard, one for every combination of drawn numbers, are a [`Family`]; whoever draws stories takes that.
//! How many attempts a story takes is tried out beforehand ([`admit`]): a storyboard under whose casts too few stories meet the
//! goals is refused.

mod balance;
mod cores;
mod family;
mod family_weights;
mod fits;
mod fitting;
mod judge;
mod look;
mod ranking;
mod selector;
mod trial;
mod twin;
mod unlike;
mod weave;

pub use balance::Weights;
pub use family::Family;
pub use family_weights::FamilyWeights;
pub use fits::Fits;
pub use look::Look;
pub use ranking::Ranking;
pub use selector::{Selector, ranking};
pub use trial::{Acceptance, Admitted, admit, admit_within};
pub use twin::{Triplets, Twin, Twinning, Twins, admit_triplets, admit_twins, twinning};
