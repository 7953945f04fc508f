//! Short stories with provable answers about what their characters believe, by the million.
//!
//! A **storyboard** (YAML: characters, a map of places, timed events, a horizon) is turned into
//! stories, each with questions whose answers follow from what every mind in the story has
//! witnessed. No language model is involved: the same storyboard, seed and index give the same
//! bytes, for ever, on any machine, with any number of threads.
//!
//! One story walks through the modules from left to right:
//!
//! ```text
//! YAML --storyboard--> Storyboard --compile--> Plan --simulate--> Story (with its trace)
//!      --question (belief)--> answers --text--> sentences --dataset--> rows
//! ```
//!
//! ```
//! use storysim::{compile::compile, dataset::{RowMaker, RowOptions}, diagnostic::Source, storyboard};
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
//! let plan = compile(&board, &[]).unwrap().plan;
//! let mut rows = String::new();
//! RowMaker::new(&plan, 7, &[], RowOptions::default()).rows(0, &mut rows);
//! assert!(rows.starts_with(r#"{"id":"tiny/7/0/0","#));
//! ```
//!
//! `ARCHITECTURE.md` has the map.

#![warn(missing_docs)]

pub mod adherence;
pub mod audit;
pub mod belief;
pub mod check;
pub mod cli;
pub mod compile;
pub mod dataset;
pub mod diagnostic;
pub mod experiment;
pub mod fuzzing;
pub mod id;
pub mod log;
pub mod page;
pub mod plan;
pub mod prose;
pub mod question;
pub mod respond;
pub mod rng;
pub mod score;
pub mod select;
pub mod simulate;
pub mod storyboard;
pub mod survey;
pub mod text;
pub mod trace;
pub mod verify;
pub mod weight;
pub mod world;
