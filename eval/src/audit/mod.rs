//! Measures how well a dataset can be answered without tracking a mind.
//!
//! A *shortcut* answers a question by something other than the minds that it asks about: where the target was last,
//! what the eleventh sentence names, which choice is the longest. The audit compares its accuracy with chance (one
//! divided by the number of choices, averaged over all rows), separately for each group of questions.
//!
//! A row becomes a [`Case`] (`case.rs`; `foreign.rs` for data from elsewhere, `logs.rs` for logs), with who went where
//! ([`Itinerary`]). A case is [`Measured`] on its own. An [`Audit`] adds up in bounded memory (`tally.rs`) and makes a
//! [`Report`]: the battery (`battery.rs`) with its learners (`learn.rs`), what boosted trees learn (`lesson.rs`) from
//! signs that follow no mind (`signs/`), and what the questions of one story give away about each other (`joint/`).
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

mod announced;
mod auditing;
mod battery;
mod case;
mod count;
mod finding;
mod foreign;
mod itinerary;
mod joint;
mod learn;
mod lesson;
mod limits;
mod logs;
mod measure;
mod mentions;
mod page;
mod pairs;
mod report;
mod shortcut;
mod signs;
mod stays;
mod tally;
mod triplets;

pub use announced::Announced;
pub use auditing::{Audit, Options};
pub use battery::{BEGINS_TO_FOLLOW, TREE};
pub use case::{CHOICES_MAX, Case, Group};
pub use finding::{Finding, wilson};
pub use foreign::Mapping;
pub use itinerary::{Itinerary, Stop};
pub use joint::{JointFinding, JointGroup, JointReport};
pub use lesson::{Fifth, Learning, Seen};
pub use limits::Limits;
pub use logs::of_log;
pub use measure::Measured;
pub use mentions::Mentions;
pub use page::{Subject, page};
pub use pairs::{PairFinding, TwinReport};
pub use report::{COMPARED_MAX, Graph, GroupReport, Labels, Repeated, Report};
pub use shortcut::{Shortcut, shortcuts};
pub use triplets::{TripletFinding, TripletReport};
