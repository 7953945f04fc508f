//! Rows that come back: audited, scored, and with responses to them; and logs from elsewhere.

use std::sync::Mutex;

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyList, PyString};
use storysim::audit::{self, Audit, Case, Measured, Options, Subject};
use storysim::cli::{audit_text, score_text};
use storysim::dataset::{FIELDS, Fields, Prompt, QUESTIONS, StoredRow};
use storysim::log::{Departures, Problems, Replayed, Switches, replay};
use storysim::render::Line;
use storysim::score::{self, Given, Reply, Response, ResponseLine, Scorer, errors, extract};
use storysim::task::Tasks;

use crate::error::{self, LOOK};
use crate::json::{from_json, to_json};
use crate::patience::patiently;

/// The largest number of shortcuts of a group that are printed.
const SHORTCUTS_SHOWN: usize = 10;

/// The largest number of problems of logs that are drawn.
const DRAWN_MAX: usize = 20;

/// Whether something is a dict, or does what one does.
fn is_dict(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(value.is_instance_of::<PyDict>() || value.hasattr("keys")?)
}

/// A row that was given as a dict. `number` says in messages which row it is.
fn fields(row: &Bound<'_, PyAny>, number: Option<u64>) -> PyResult<Fields> {
    let py = row.py();
    let told = |what: String| error::row_error(py, &told(number, None, &what));
    if !is_dict(row)? {
        let class = row.get_type().name()?;
        return Err(told(format!(
            "a row is a dict, not {class}: those that board.rows(…) and story.rows have"
        )));
    }
    let dict = match row.cast::<PyDict>() {
        Ok(_) => row.clone(),
        Err(_) => py.get_type::<PyDict>().call1((row,))?,
    };
    if let Ok(questions) = dict.get_item(QUESTIONS).and_then(|questions| questions.len()) {
        return Err(told(format!(
            "this is a whole story with {questions} questions: `storysim.questions` makes a row of each"
        )));
    }
    let line =
        to_json(&number.map_or_else(|| "the row".to_owned(), |number| format!("row {number}")), &dict)?;
    let fields =
        Fields::of(&stored(line, &dict)).map_err(|problem| told(format!("this is not a row: {problem}")))?;
    match fields.id.is_empty() {
        true => Err(told("this is not a row: it has no `id`".to_owned())),
        false => Ok(fields),
    }
}

/// A row as it is stored. In columns, a start that is an object is text.
fn stored(line: String, row: &Bound<'_, PyAny>) -> StoredRow {
    let start = row.get_item("start").and_then(|start| start.extract::<String>());
    let is_of_columns = start.is_ok_and(|start| start.starts_with('{'));
    match serde_json::from_str(&line) {
        Ok(value) if is_of_columns => StoredRow::Columns(value),
        _ => StoredRow::Line(line),
    }
}

/// A message about a row.
fn told(number: Option<u64>, id: Option<&str>, what: &str) -> String {
    let id = id.map(|id| format!(" ({id})")).unwrap_or_default();
    match number {
        Some(number) => format!("row {number}{id}: {what}"),
        None => format!("the row{id}: {what}"),
    }
}

/// What a model did with a row: text, `None` if it said nothing, or a dict as files of responses have it.
enum Said {
    Missing,
    Failed,
    Response(Response),
}

impl Said {
    fn of(response: &Bound<'_, PyAny>) -> PyResult<Self> {
        if response.is_none() {
            return Ok(Self::Missing);
        }
        if let Ok(text) = response.cast::<PyString>() {
            return Ok(Self::Response(Response::new(&text.to_string_lossy())));
        }
        if !is_dict(response)? {
            let class = response.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a response is text, a dict or None, not {class}")));
        }
        let line = to_json("a response", response)?;
        let ResponseLine { response, .. } = ResponseLine::of(&line).map_err(PyValueError::new_err)?;
        Ok(response.map_or(Self::Failed, Self::Response))
    }

    const fn reply(&self) -> Reply<'_> {
        match self {
            Self::Missing => Reply::Missing,
            Self::Failed => Reply::Failed,
            Self::Response(response) => Reply::Said(response),
        }
    }
}

/// The id of the row that a response answers, given as a dict in any of the forms of `docs/scoring.md`.
#[pyfunction]
pub fn _response_id(response: &Bound<'_, PyAny>) -> PyResult<String> {
    let line = to_json("a response", response)?;
    ResponseLine::of(&line).map(|line| line.id).map_err(PyValueError::new_err)
}

/// A report as text, as data and as a page.
type Report<'py> = (String, Bound<'py, PyAny>, String);

/// Rows that are being scored.
#[pyclass(frozen, module = "storysim._storysim")]
pub struct _Scorer(Mutex<Option<Scorer>>);

#[pymethods]
impl _Scorer {
    #[new]
    fn new(models: Vec<String>) -> Self {
        Self(Mutex::new(Some(Scorer::new(models))))
    }

    /// Counts what every model said to a row.
    fn add(&self, number: u64, row: &Bound<'_, PyAny>, responses: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        let fields = fields(row, Some(number))?;
        let said = responses.iter().map(Said::of).collect::<PyResult<Vec<_>>>();
        let said = said.map_err(|error| {
            let reason = error.value(row.py()).to_string();
            PyValueError::new_err(told(
                Some(number),
                Some(&fields.id),
                &format!("the response cannot be read: {reason}"),
            ))
        })?;
        let replies: Vec<Reply<'_>> = said.iter().map(Said::reply).collect();
        let mut scorer = self.0.lock_py_attached(row.py()).expect("nobody panics here");
        let scorer = scorer.as_mut().ok_or_else(finished)?;
        let added = scorer.add(&fields, &replies);
        added.map_err(|what| error::row_error(row.py(), &told(Some(number), Some(&fields.id), &what)))
    }

    fn finish<'py>(&self, py: Python<'py>, title: &str) -> PyResult<Report<'py>> {
        let scorer = self.0.lock_py_attached(py).expect("nobody panics here").take().ok_or_else(finished)?;
        let report = scorer.finish();
        let json = serde_json::to_string(&report).expect("a report is JSON");
        Ok((score_text(&report, LOOK), from_json(py, &json)?, score::page(&report, title).html()))
    }
}

/// Rows that are being audited.
#[pyclass(frozen, module = "storysim._storysim")]
pub struct _Auditor(Mutex<Option<Audit>>);

#[pymethods]
impl _Auditor {
    #[new]
    fn new(sample: usize, is_taught_elsewhere: bool) -> Self {
        Self(Mutex::new(Some(Audit::new(Options { sample, is_taught_elsewhere }))))
    }

    /// Takes in a row that is audited, or only learned from.
    fn add(&self, number: u64, row: &Bound<'_, PyAny>, is_audited: bool) -> PyResult<()> {
        let fields = fields(row, Some(number))?;
        let id = fields.id.clone();
        let measured = row.py().detach(|| Case::of_row(fields).map(Measured::of));
        let measured =
            measured.map_err(|what| error::row_error(row.py(), &told(Some(number), Some(&id), &what)))?;
        let mut audit = self.0.lock_py_attached(row.py()).expect("nobody panics here");
        let audit = audit.as_mut().ok_or_else(finished)?;
        match is_audited {
            true => audit.add(measured),
            false => audit.learn_from(measured),
        }
        Ok(())
    }

    fn finish<'py>(&self, py: Python<'py>, title: &str) -> PyResult<Report<'py>> {
        let audit = self.0.lock_py_attached(py).expect("nobody panics here").take().ok_or_else(finished)?;
        let report = patiently(py, move || audit.report())?;
        let json = serde_json::to_string(&report).expect("a report is JSON");
        let page = audit::page(&report, Subject { dataset: title, ..Subject::default() }).html();
        Ok((audit_text(&report, 0, SHORTCUTS_SHOWN, LOOK), from_json(py, &json)?, page))
    }
}

fn finished() -> PyErr {
    PyRuntimeError::new_err("the report has been made, and no more rows can be added")
}

/// What was given as the answer, the answer if one was named, the rule that found it, and the errors.
type Extracted<'py> = (&'static str, Option<String>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Finds the answer in a response.
#[pyfunction]
pub fn _extract<'py>(row: &Bound<'py, PyAny>, response: &Bound<'py, PyAny>) -> PyResult<Extracted<'py>> {
    let py = row.py();
    let fields = fields(row, None)?;
    score::check(&fields).map_err(|what| {
        let what = format!("{what}, so no response can be right: give the row as it was made");
        error::row_error(py, &told(None, Some(&fields.id), &what))
    })?;
    let response = match Said::of(response)? {
        Said::Response(response) => response,
        Said::Missing | Said::Failed => {
            return Err(PyValueError::new_err("there is no response to find an answer in"));
        }
    };
    let found = extract(&response, &score::Options::of(&fields));
    let classes = errors(&found.given, &fields);
    let (given, answer) = match found.given {
        Given::Named(name) => ("named", Some(name)),
        Given::Outside => ("outside", None),
        Given::Nothing => ("nothing", None),
        Given::Refusal => ("refusal", None),
        Given::CutOff => ("cut_off", None),
    };
    let json = |value: serde_json::Result<String>| from_json(py, &value.expect("names are JSON"));
    Ok((given, answer, json(serde_json::to_string(&found.rule))?, json(serde_json::to_string(&classes))?))
}

/// Answers the questions of one line of a log. Returns the answers, and what is wrong: drawn, as data, and whether it is an error.
#[pyfunction]
pub fn _replay<'py>(
    py: Python<'py>,
    line: &str,
    place: (String, usize),
    departures: Option<&str>,
    containers: Option<&str>,
) -> PyResult<(Bound<'py, PyAny>, String, Bound<'py, PyList>, bool)> {
    let switches = Switches {
        departures: one_of("departures", departures, &Departures::WORDS)?,
        containers_are_open: one_of("containers", containers, &[("open", true), ("closed", false)])?,
    };
    let (name, number) = place;
    let text = line.to_owned();
    let Replayed { rows, problems } = patiently(py, move || replay(&text, switches))?;
    let Problems { kept, further, has_error } = problems;
    let mut kept = kept;
    kept.sort_by_key(|problem| problem.labels.first().map(|(span, _)| span.start));
    let hidden = kept.len().saturating_sub(DRAWN_MAX) + further;
    kept.truncate(DRAWN_MAX);
    let (mut drawn, problems) = error::log_problems(py, &kept, Line { name: &name, number, text: line })?;
    if hidden > 0 {
        drawn.push_str(&format!("{name}: … and {hidden} more\n"));
    }
    let rows = from_json(py, &serde_json::to_string(&rows).expect("answers are JSON"))?;
    Ok((rows, drawn, problems, has_error))
}

/// What a word stands for.
fn one_of<T: Copy>(name: &str, word: Option<&str>, words: &[(&str, T)]) -> PyResult<Option<T>> {
    let Some(word) = word else { return Ok(None) };
    let found = words.iter().find(|(known, _)| *known == word);
    found.map(|(_, value)| Some(*value)).ok_or_else(|| {
        let known: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
        PyValueError::new_err(format!("{name} has to be {}, not {word:?}", known.join(" or ")))
    })
}

/// What a model is shown of a row, without what it is to do.
#[pyfunction]
pub fn _asked(row: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(fields(row, None)?.asked().text())
}

/// The names of the fields of a row, in their order.
#[pyfunction]
pub fn _field_names() -> Vec<&'static str> {
    FIELDS.iter().map(|field| field.name).collect()
}

/// What a model is to do in a prompt of this kind.
#[pyfunction]
pub fn _instruction(kind: &str) -> PyResult<&'static str> {
    kind.parse::<Prompt>().map(Prompt::instruction).map_err(PyValueError::new_err)
}

/// The names of tasks, and their files, each with its name and its text.
type NamesAndFiles = (Vec<String>, Vec<(String, String)>);

/// The tasks for lm-evaluation-harness that ask rows, each given as JSON.
#[pyfunction]
pub fn _lm_eval_tasks(name: &str, rows: Vec<String>) -> PyResult<NamesAndFiles> {
    let mut tasks = Tasks::new(name).map_err(PyValueError::new_err)?;
    for (number, row) in rows.iter().enumerate() {
        let wrong = |problem| PyValueError::new_err(format!("row {number}: this is not a row: {problem}"));
        tasks.add(row).map_err(wrong)?;
    }
    let files = tasks.files().into_iter().map(|file| (file.name, file.text));
    Ok((tasks.names(), files.collect()))
}
