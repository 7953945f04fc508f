//! What a data set gives away: how far one gets in it without tracking a mind.
//!
//! A *shortcut* answers a question by something else than the minds that it asks for: where the target was last, what
//! the eleventh sentence names, which choice is the longest. Its accuracy against chance (one by the number of choices,
//! over all rows) is what is audited, for each group of questions on its own.
//!
//! A row becomes a [`Case`] (`case.rs`; of others' data in `foreign.rs`, of logs in `logs.rs`), with who went where
//! ([`Itinerary`]); a case is [`Measured`] on its own; an [`Audit`] adds up in bounded memory (`tally.rs`), and makes of
//! it a [`Report`]: the battery (`battery.rs`), with what is learned (`learn.rs`).
//!
//! ```
//! use storysim::audit::{Audit, Case, Measured, Options};
//! use storysim::dataset::{Fields, StoredRow};
//! let row = r#"{"id":"b/0/0/0","board":"b","start":"c","story":"Ann enters a. Bob enters b.","question":"Where does Bob think Ann is?",
//!     "answer":"a","choices":["a","b","c"],"label":0,"kind":"belief","order":1,"chain":["Bob"],"about":"Ann"}"#;
//! let fields = Fields::of(&StoredRow::Line(row.replace('\n', ""))).unwrap();
//! let mut audit = Audit::new(Options::default());
//! audit.add(Measured::of(Case::of_row(fields).unwrap()));
//! assert_eq!(audit.report().groups[0].find("last_place").unwrap().accuracy, 1.0);
//! ```

mod battery;
mod case;
mod foreign;
mod itinerary;
mod learn;
mod logs;
mod measure;
mod mentions;
mod page;
mod pairs;
mod report;
mod shortcut;
mod tally;

pub use battery::TREE;
pub use case::{CHOICES_MAX, Case, Group};
pub use foreign::Mapping;
pub use itinerary::{Itinerary, Stop};
pub use logs::of_log;
pub use measure::Measured;
pub use mentions::Mentions;
pub use page::{Subject, page};
pub use pairs::{PairFinding, TwinReport};
pub use report::{Finding, Graph, GroupReport, Labels, Repeated, Report, wilson};
pub use shortcut::{Shortcut, shortcuts};
pub use tally::{Audit, COMPARED_MAX, Options};
