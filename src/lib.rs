//! Generates short stories with provable answers about what their characters believe.
//!
//! A **storyboard** (YAML: characters, a map of places, timed events, a horizon) is turned into
//! stories. Each has questions whose answers follow from what every mind in the story has
//! witnessed. No language model is involved: the same storyboard, seed and index give the same
//! bytes, forever, on any machine and with any number of threads.
//!
//! One story passes through the modules from left to right:
//!
//! ```text
//! YAML --storyboard--> Storyboard --compile--> plans (a Family) --simulate--> Story (with its trace)
//!      --question (belief)--> answers --text--> sentences --dataset--> rows
//! ```
//!
//! ```
//! use storysim::{compile::compile, dataset::{RowMaker, RowOptions}, diagnostic::Source, select::Family, storyboard};
//!
//! let source = Source { name: "tiny.yaml".into(), text: "
//! storysim: 1
//! name: tiny
//! characters: {pool: [Ann, Bob, Cas]}
//! roles: [S1, T]
//! places: {complete: [kitchen, garden, attic]}
//! start: kitchen
//! horizon: 5
//! events:
//!   - {at: 3, meet: {who: [S1, T], in: garden}}
//! questions:
//!   - belief: [S1, T]
//! ".into() };
//! let board = storyboard::parse(source).unwrap();
//! let family = Family::from(compile(&board, &[]).unwrap().plan);
//! let mut rows = String::new();
//! RowMaker::new(&family, 7, &[], RowOptions::default()).rows(0, &mut rows);
//! assert!(rows.starts_with(r#"{"id":"tiny/7/0/0","#));
//! ```
//!
//! Without any Cargo feature this is all there is: storyboards to rows, `check`, `replay` of logs, and belief, in one thread
//! and without files, also as WebAssembly. On top of that, `pack` reads and writes files of rows, `parquet` those of typed
//! columns, `threads` uses all cores, `folder` makes dataset folders, `eval` audits datasets and scores answers, and `cli` is
//! the program. All are on by default.
//!
//! `ARCHITECTURE.md` has the map.

#![warn(missing_docs)]

pub mod adherence;
pub mod appraisal;
#[cfg(feature = "eval")]
pub mod audit;
pub mod belief;
pub mod boost;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compile;
pub mod dataset;
pub mod diagnostic;
#[cfg(test)]
#[path = "../tests/support/effort.rs"]
mod effort;
pub mod experiment;
#[cfg(feature = "folder")]
pub mod folder;
pub mod form;
pub mod fuzzing;
#[cfg(all(feature = "eval", feature = "threads"))]
pub mod giveaway;
pub mod haystack;
pub mod id;
#[cfg(feature = "folder")]
pub mod load;
pub mod log;
pub mod pack;
#[cfg(feature = "eval")]
pub mod page;
#[cfg(feature = "eval")]
pub mod paraphrase;
pub mod plan;
pub mod prose;
pub mod question;
pub mod resolve;
#[cfg(feature = "eval")]
pub mod respond;
pub mod rng;
#[cfg(feature = "eval")]
pub mod score;
pub mod select;
pub mod simulate;
pub mod spelling;
pub mod storyboard;
pub mod survey;
#[cfg(feature = "eval")]
pub mod task;
pub mod text;
pub mod trace;
pub mod verify;
pub mod weight;
pub mod world;
