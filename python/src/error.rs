//! From what is wrong to exceptions, which are classes of `storysim._errors`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use storysim::diagnostic::{Diagnostic, Severity, Source, Span};
use storysim::folder::Failure;
use storysim::render::{Line, Look, render, render_line};

/// How messages are drawn: as the command does where there is no terminal.
pub const LOOK: Look = Look { colour: false, width: 100 };

/// An exception of this class of `storysim._errors`.
fn exception<'py>(py: Python<'py>, class: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = py.import("storysim._errors").and_then(|errors| errors.getattr(class)?.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A storyboard that cannot be used, for a reason that has no place in it.
pub fn storyboard_error(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "StoryboardError", (message, PyList::empty(py)))
}

/// A row that cannot be used.
pub fn row_error(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "RowError", (message,))
}

/// A failure of the library.
pub fn failure(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Usage(message) => storyboard_error(py, &message),
        Failure::Wrong(lines) => {
            let lines = lines.trim_end();
            storyboard_error(py, lines.strip_prefix("error: ").unwrap_or(lines))
        }
        Failure::Environment(what, error) => {
            let code = error.raw_os_error();
            let error = PyErr::from(error);
            let text = error.value(py).to_string();
            // With the number of the error, the interpreter chooses the class.
            let arguments = (code, format!("{what}: {text}"));
            error.get_type(py).call1(arguments).map_or(error, PyErr::from_value)
        }
        Failure::Input | Failure::ReaderLeft => storyboard_error(py, "the input is wrong"),
        Failure::Interrupted => pyo3::exceptions::PyKeyboardInterrupt::new_err(()),
    }
}

/// The errors of a storyboard.
pub fn storyboard_errors(py: Python<'_>, diagnostics: &[Diagnostic], source: &Source) -> PyErr {
    match problems(py, diagnostics, source) {
        Ok(problems) => exception(py, "StoryboardError", (render(diagnostics, source, LOOK), problems)),
        Err(error) => error,
    }
}

/// Tells the warnings of a storyboard as Python does, and returns them.
pub fn warn(py: Python<'_>, warnings: &[Diagnostic], source: &Source) -> PyResult<Py<PyList>> {
    let problems = problems(py, warnings, source)?;
    if !warnings.is_empty() {
        tell(py, &render(warnings, source, LOOK))?;
    }
    Ok(problems.unbind())
}

/// Tells a warning about what a storyboard makes as Python does.
pub fn tell(py: Python<'_>, warning: &str) -> PyResult<()> {
    let class = py.import("storysim._errors")?.getattr("StoryboardWarning")?;
    py.import("warnings")?.call_method1("warn", (warning, class))?;
    Ok(())
}

/// What is wrong with storyboards, as a list of `storysim.Problem`.
fn problems<'py>(
    py: Python<'py>,
    diagnostics: &[Diagnostic],
    source: &Source,
) -> PyResult<Bound<'py, PyList>> {
    let problem =
        |diagnostic| problem(py, diagnostic, &source.name, |byte| source.line_and_column(byte), &source.text);
    PyList::new(py, diagnostics.iter().map(problem).collect::<PyResult<Vec<_>>>()?)
}

/// The problems of a line of a log, drawn and as data.
pub fn log_problems<'py>(
    py: Python<'py>,
    diagnostics: &[Diagnostic],
    line: Line<'_>,
) -> PyResult<(String, Bound<'py, PyList>)> {
    let drawn = diagnostics.iter().map(|diagnostic| render_line(diagnostic, line, LOOK)).collect();
    let place = |byte: usize| (line.number, line.text[..byte.min(line.text.len())].chars().count() + 1);
    let problem = |diagnostic| problem(py, diagnostic, line.name, place, line.text);
    let problems = PyList::new(py, diagnostics.iter().map(problem).collect::<PyResult<Vec<_>>>()?)?;
    Ok((drawn, problems))
}

fn problem<'py>(
    py: Python<'py>,
    diagnostic: &Diagnostic,
    file: &str,
    place: impl Fn(usize) -> (usize, usize),
    text: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let errors = py.import("storysim._errors")?;
    let label = |(span, remark): &(Span, String)| {
        let (line, column) = place(span.start);
        let marked = text.get(span.range()).unwrap_or("");
        errors.getattr("Label")?.call1((line, column, marked, remark))
    };
    let labels = diagnostic.labels.iter().map(label).collect::<PyResult<Vec<_>>>()?;
    let fields = PyDict::new(py);
    fields.set_item("severity", if diagnostic.severity == Severity::Error { "error" } else { "warning" })?;
    fields.set_item("message", &diagnostic.message)?;
    fields.set_item("file", file)?;
    fields.set_item("labels", pyo3::types::PyTuple::new(py, labels)?)?;
    fields.set_item("help", &diagnostic.help)?;
    errors.getattr("Problem")?.call((), Some(&fields))
}
