//! Between JSON and what Python makes of it.

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;

/// What Python reads from a JSON text.
pub fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import(intern!(py, "json"))?.call_method1(intern!(py, "loads"), (text,))
}

/// The JSON text of something; an exception that calls it `what` if it has none.
pub fn to_json(what: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = value.py();
    let written = py.import(intern!(py, "json"))?.call_method1(intern!(py, "dumps"), (value,));
    let written = written.map_err(|error| {
        let reason = error.value(py);
        PyTypeError::new_err(format!("{what} cannot be written as JSON: {reason}"))
    })?;
    written.extract()
}
