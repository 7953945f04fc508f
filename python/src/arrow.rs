//! Rows as a stream of Arrow batches.

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use storysim::dataset::{Extras, RowOptions};
use storysim::files::Shape;

use crate::board::{Stories, Storyboard};
use crate::columns::Cutter;
use crate::draw::{Batches, Drawn};

/// The size of a batch, in bytes of text: enough that handing it over costs little, and few enough for the cache of a core.
const BATCH_BYTES: u64 = 1 << 21;

/// The size of the text that is made and cut at a time, in bytes: what is made last is still near.
const PIECE_BYTES: usize = 64 << 10;

/// The largest size of a batch: offsets in columns have 32 bits.
const BATCH_BYTES_MAX: u64 = 1 << 29;

/// Rows that other libraries take as a stream of Arrow batches.
#[pyclass(frozen, module = "storysim")]
pub struct Arrow {
    board: Py<Storyboard>,
    drawn: Arc<Drawn>,
    stories: Stories,
    batch_bytes: usize,
}

impl Arrow {
    pub fn new(
        board: Py<Storyboard>,
        drawn: Arc<Drawn>,
        stories: Stories,
        batch_bytes: Option<u64>,
    ) -> PyResult<Self> {
        let batch_bytes = batch_bytes.unwrap_or(BATCH_BYTES).clamp(1, BATCH_BYTES_MAX) as usize;
        Ok(Self { board, drawn, stories, batch_bytes })
    }

    fn cutter(&self) -> Cutter {
        let RowOptions { with_events, with_difficulty, prompt, unit } = self.stories.telling.rows;
        let (twins, with_prompt) = (self.stories.twins, prompt.is_some());
        let extras = Extras { twins, with_events, with_difficulty, with_prompt, ..Extras::default() };
        Cutter::new(&Shape { unit, ..Shape::new([&self.drawn.storyboard], extras) })
    }
}

/// The batches of a stream.
struct Reader {
    schema: SchemaRef,
    cutter: Cutter,
    batches: Batches,
    text: String,
    bytes: usize,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = 0;
        while bytes < self.bytes && !self.batches.stories.is_empty() {
            if Python::attach(is_interrupted) {
                return Some(Err(ArrowError::ExternalError("stopped by Ctrl-C".into())));
            }
            // Cut while it is still in the cache.
            self.batches.next(PIECE_BYTES.min(self.bytes), &mut self.text);
            self.cutter.push(&self.text);
            bytes += self.text.len();
        }
        (bytes > 0).then(|| self.cutter.finish())
    }
}

/// Whether somebody has pressed Ctrl-C. Whoever reads the stream only learns that it has failed, so `KeyboardInterrupt` is left
/// to be raised where Python code goes on: nobody who catches that failure goes on as if nothing had been.
fn is_interrupted(py: Python<'_>) -> bool {
    let is_interrupted = py.check_signals().is_err();
    if is_interrupted {
        // SAFETY: the function takes no argument, and is part of this library, which is never unloaded.
        unsafe { ffi::Py_AddPendingCall(Some(interrupt), std::ptr::null_mut()) };
    }
    is_interrupted
}

/// Raises `KeyboardInterrupt`, if there is still Python code that runs.
extern "C" fn interrupt(_: *mut c_void) -> c_int {
    // SAFETY: the interpreter calls this with its lock held.
    unsafe {
        if ffi::PyEval_GetFrame().is_null() {
            return 0;
        }
        ffi::PyErr_SetNone(ffi::PyExc_KeyboardInterrupt);
    }
    -1
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

#[pymethods]
impl Arrow {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Whoever asks for another schema has to cast by himself: the interface allows that.
        drop(requested_schema);
        let cutter = self.cutter();
        let reader = Reader {
            schema: cutter.schema(),
            cutter,
            batches: Batches::new(
                self.drawn.clone(),
                self.stories.telling.clone(),
                self.stories.range.clone(),
            ),
            text: String::new(),
            bytes: self.batch_bytes,
        };
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.cutter().schema().as_ref());
        let schema = schema.map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __repr__(&self) -> String {
        format!(
            "<storysim.Arrow of {}: {} stories>",
            self.board.get().name(),
            self.stories.range.end - self.stories.range.start
        )
    }
}
