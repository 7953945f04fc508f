//! A learner that ranks: from the features of some choices it learns which of them is right.
//!
//! A row has some choices, each with the same features, and one choice is right. A [`Ranker`] gives every choice a score,
//! the sum of many small trees; the probability that a choice is right is the softmax of the scores of its row. Trees are
//! added one by one, each a Newton step on the likelihood of the right choices: gradient boosting on a conditional logit
//! (Friedman, *Greedy function approximation: a gradient boosting machine*, 2001; Chen and Guestrin, *XGBoost: a scalable
//! tree boosting system*, 2016).
//!
//! What is learned is the same, bit for bit, on every platform: floats only meet `+`, `-`, `*` and `/` in a fixed order,
//! the exponential is [our own](exp), and what is summed over many choices are integers.
//!
//! ```
//! use storysim::boost::{Data, Ranker, Settings};
//!
//! // The right choice is the one whose second feature is 1.
//! let mut data = Data::new(2);
//! for at in 0..200 {
//!     let (right, noise) = (at % 3, (at % 7) as f32);
//!     let choice = |choice| [noise, if choice == right { 1.0 } else { 0.0 }];
//!     data.push(&[choice(0), choice(1), choice(2)].concat(), right, 1.0);
//! }
//! let ranker = Ranker::learn(&data, &Settings::default());
//! let mut probabilities = Vec::new();
//! ranker.probabilities(&[3.0, 0.0, 3.0, 1.0], &mut probabilities);
//! assert!(probabilities[1] > 0.95);
//! ```

mod bins;
mod data;
mod exp;
mod grow;
mod learn;
mod ranker;
mod settings;

pub use data::Data;
pub use exp::exp;
pub use ranker::{DEPTH_MAX, Ranker};
pub use settings::Settings;
