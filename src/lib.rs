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

#[cfg(test)]
#[path = "../tests/support/by_hand.rs"]
mod by_hand;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "pack")]
pub mod files;
#[cfg(feature = "folder")]
pub mod folder;
pub mod fuzzing;
#[cfg(all(feature = "eval", feature = "threads"))]
pub mod giveaway;
#[cfg(feature = "folder")]
pub mod load;
#[cfg(feature = "cli")]
pub mod render;

// What makes rows.
#[doc(inline)]
pub use storysim_engine::{
    appraisal, belief, boost, check, compile, dataset, diagnostic, form, haystack, id, pack, plan, question,
    resolve, rng, select, simulate, spelling, storyboard, text, trace, weight, world,
};

// What reads stories and rows.
#[doc(inline)]
pub use storysim_eval::{adherence, experiment, log, prose, survey, verify};
#[cfg(feature = "eval")]
#[doc(inline)]
pub use storysim_eval::{audit, page, paraphrase, respond, score, task};
