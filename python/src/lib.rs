//! storysim for Python: the module `storysim._storysim`, over which the package `storysim` stands.
//!
//! Here is what has to be fast, and what the library does. What Python says better stands in `python/storysim`.

mod arrow;
mod board;
mod columns;
mod draw;
mod error;
mod evaluate;
mod json;
mod patience;
mod row;
mod rows;
mod scan;
mod story;
mod turns;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command with these arguments, of which the first is its name. Returns the exit code.
#[pyfunction]
fn _run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| storysim::cli::run(arguments))
}

/// The JSON Schema of the storyboard format.
#[pyfunction]
const fn _schema() -> &'static str {
    storysim::storyboard::SCHEMA
}

#[pymodule]
mod _storysim {
    #[pymodule_export]
    use super::arrow::Arrow;
    #[pymodule_export]
    use super::board::{_built_in, _reopened, Storyboard};
    #[pymodule_export]
    use super::evaluate::{
        _Auditor, _Scorer, _asked, _extract, _field_names, _instruction, _lm_eval_tasks, _replay,
        _response_id,
    };
    #[pymodule_export]
    use super::rows::{_resumed, Rows};
    #[pymodule_export]
    use super::story::{_redrawn, Story};
    #[pymodule_export]
    use super::{_run, _schema};
}
