//! The iterator over the rows of many stories.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board::{Stories, Storyboard};
use crate::draw::Batches;
use crate::row::DictMaker;
use crate::turns::Turns;

/// The size of a batch, in bytes: what stays in the cache of a core until it is read.
const BATCH_BYTES: usize = 256 << 10;

/// An iterator over rows, as dicts.
#[pyclass(frozen, module = "storysim")]
pub struct Rows {
    board: Py<Storyboard>,
    stories: Stories,
    state: Turns<State>,
}

struct State {
    batches: Batches,
    text: String,
    /// Where the next row begins.
    at: usize,
    /// The number of rows given out.
    given: u64,
    dicts: DictMaker,
}

impl Rows {
    /// The rows of these stories, without the first `skip` of them.
    pub fn new(py: Python<'_>, board: Py<Storyboard>, stories: Stories, skip: u64) -> PyResult<Self> {
        let drawn = board.get().drawn(py, stories.twins)?;
        let batches = Batches::new(drawn, stories.telling.clone(), stories.range.clone());
        let mut state = State { batches, text: String::new(), at: 0, given: 0, dicts: DictMaker::new(py) };
        while state.given < skip && state.fill(py)? {
            let end = state.end();
            (state.at, state.given) = (end, state.given + 1);
        }
        Ok(Self { board, stories, state: Turns::new(state) })
    }
}

impl State {
    /// Sees to it that there is a row. Returns whether there is one.
    fn fill(&mut self, py: Python<'_>) -> PyResult<bool> {
        while self.at == self.text.len() {
            if self.batches.stories.is_empty() {
                return Ok(false);
            }
            py.check_signals()?;
            let Self { batches, text, .. } = self;
            py.detach(|| batches.next(BATCH_BYTES, text));
            self.at = 0;
            self.dicts.forget();
        }
        Ok(true)
    }

    /// The end of the next row, with its line break.
    fn end(&self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        self.at + memchr::memchr(b'\n', rest).expect("a row ends with its line") + 1
    }
}

#[pymethods]
impl Rows {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut turn = self.state.take(py)?;
        let state = &mut *turn.value;
        if !state.fill(py)? {
            return Ok(None);
        }
        let State { text, at, given, dicts, .. } = state;
        let (row, after) = dicts.dict(py, text, *at)?;
        (*at, *given) = (after + 1, *given + 1);
        Ok(Some(row))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let resume = py.import("storysim._storysim")?.getattr("_resumed")?;
        let given = self.state.take(py)?.value.given;
        Ok((resume, (self.board.clone_ref(py), self.stories.as_dict(py)?, given)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let given = self.state.take(py)?.value.given;
        Ok(format!("<storysim.Rows of {}: row {given} comes next>", self.board.get().name()))
    }
}

/// Pickled rows: their storyboard, their stories, and how many have been given out.
type Pickled<'py> = (Py<Storyboard>, Bound<'py, PyDict>, u64);

/// Rows as they were when they were pickled.
#[pyfunction]
pub fn _resumed(
    py: Python<'_>,
    board: Py<Storyboard>,
    stories: &Bound<'_, PyDict>,
    skip: u64,
) -> PyResult<Rows> {
    Rows::new(py, board, Stories::of_dict(stories)?, skip)
}
