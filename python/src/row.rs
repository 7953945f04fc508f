//! From the text of a row to a dict.

use std::ops::Range;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use smallvec::SmallVec;

use storysim::dataset::{Column, FIELDS, Field, QUESTIONS};

use crate::scan::{Raw, Scanner};

/// The largest number of bytes of a string that is kept: names are short.
const SHORT_MAX: usize = 24;

/// The number of short strings that are kept.
const SHORT_COUNT: usize = 1 << 11;

/// Makes dicts of rows. Strings that were made before are used again, as the interpreter does with names.
pub struct DictMaker {
    /// The fields of a row, in order.
    fields: Vec<FieldMaker>,
    short: Vec<Option<Short>>,
    /// A dict with the keys of a row. A copy of it does not grow while it is filled.
    keys: Option<Py<PyDict>>,
}

/// Makes the values of one field.
struct FieldMaker {
    /// The field as it is written: `"id":`
    lead: String,
    key: Py<PyString>,
    /// Whether the rows of a story, or of a storyboard, have much the same value.
    is_shared: bool,
    /// Where the last value stands in the text of the batch, and the value.
    last: Option<(Range<usize>, Py<PyAny>)>,
}

struct Short {
    length: usize,
    bytes: [u8; SHORT_MAX],
    string: Py<PyString>,
}

impl DictMaker {
    pub fn new(py: Python<'_>) -> Self {
        let maker = |name: &str, is_shared: bool| FieldMaker {
            lead: format!("\"{name}\":"),
            key: PyString::intern(py, name).unbind(),
            is_shared,
            last: None,
        };
        let of_row = FIELDS.iter().map(|field: &Field| {
            let is_shared = matches!(
                field.column,
                Column::Text
                    | Column::Start
                    | Column::Parameters
                    | Column::Names
                    | Column::Cast
                    | Column::Matters
                    | Column::Roles
            );
            maker(field.name, is_shared)
        });
        Self {
            // Rows of whole stories end with their questions.
            fields: of_row.chain([maker(QUESTIONS, false)]).collect(),
            short: std::iter::repeat_with(|| None).take(SHORT_COUNT).collect(),
            keys: None,
        }
    }

    /// Forgets what depends on the text of a batch.
    pub fn forget(&mut self) {
        self.fields.iter_mut().for_each(|field| field.last = None);
    }

    /// The dict of the row that begins at `from` in the text of a batch, and where the row ends.
    pub fn dict<'py>(
        &mut self,
        py: Python<'py>,
        batch: &str,
        from: usize,
    ) -> PyResult<(Bound<'py, PyDict>, usize)> {
        let mut at = Scanner::new(batch, from);
        let Self { fields, short, keys } = self;
        let dict = keys.as_ref().map_or_else(|| Ok(PyDict::new(py)), |keys| keys.bind(py).copy())?;
        let mut fields = fields.iter_mut();
        at.skip(1);
        while at.goes_on(b'}') {
            // A field that comes later is one that these rows do not have.
            let field = fields.find(|field| at.take(&field.lead)).expect("fields come in order");
            let value = field.value(short, batch, &mut at, py)?;
            dict.set_item(&field.key, value)?;
        }
        if keys.is_none() {
            let names = dict.copy()?;
            dict.keys().iter().try_for_each(|key| names.set_item(key, py.None()))?;
            *keys = Some(names.unbind());
        }
        Ok((dict, at.at()))
    }
}

impl FieldMaker {
    /// The value that comes next, which nobody else has: what can be changed is copied.
    fn value<'py>(
        &mut self,
        short: &mut [Option<Short>],
        batch: &str,
        at: &mut Scanner<'_>,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !self.is_shared {
            return value(py, short, at);
        }
        if let Some((last, value)) = &self.last
            && at.take(&batch[last.clone()])
        {
            return copied(value.bind(py));
        }
        let from = at.at();
        let value = value(py, short, at)?;
        self.last = Some((from..at.at(), value.clone().unbind()));
        copied(&value)
    }
}

/// A value with its own lists and dicts.
fn copied<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(dict) = value.cast::<PyDict>() {
        return Ok(dict.copy()?.into_any());
    }
    let Ok(list) = value.cast::<PyList>() else { return Ok(value.clone()) };
    let items: SmallVec<[Bound<'py, PyAny>; 12]> =
        list.iter().map(|item| copied(&item)).collect::<PyResult<_>>()?;
    Ok(PyList::new(value.py(), items)?.into_any())
}

/// The value that comes next.
fn value<'py>(
    py: Python<'py>,
    short: &mut [Option<Short>],
    at: &mut Scanner<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    match at.next() {
        b'"' => Ok(string(py, short, at.raw()).into_any()),
        b'{' => {
            at.skip(1);
            let dict = PyDict::new(py);
            while at.goes_on(b'}') {
                let key = string(py, short, at.key());
                dict.set_item(key, value(py, short, at)?)?;
            }
            Ok(dict.into_any())
        }
        b'[' => {
            at.skip(1);
            let mut items = SmallVec::<[Bound<'py, PyAny>; 12]>::new();
            while at.goes_on(b']') {
                items.push(value(py, short, at)?);
            }
            Ok(PyList::new(py, items)?.into_any())
        }
        _ => match at.word() {
            "null" => Ok(py.None().into_bound(py)),
            "true" => Ok(PyBool::new(py, true).to_owned().into_any()),
            "false" => Ok(PyBool::new(py, false).to_owned().into_any()),
            number => match number.parse::<i64>() {
                Ok(number) => Ok(number.into_pyobject(py)?.into_any()),
                Err(_) => Ok(number.parse::<u64>().expect("a number of a row").into_pyobject(py)?.into_any()),
            },
        },
    }
}

/// What a string says. Short ones are looked up among those that were made before.
fn string<'py>(py: Python<'py>, short: &mut [Option<Short>], raw: Raw<'_>) -> Bound<'py, PyString> {
    let written = raw.written().as_bytes();
    if written.len() > SHORT_MAX {
        return PyString::new(py, &raw.says());
    }
    let slot = &mut short[slot(written)];
    if let Some(Short { length, bytes, string }) = slot
        && bytes[..*length] == *written
    {
        return string.bind(py).clone();
    }
    let string = PyString::new(py, &raw.says());
    let mut bytes = [0; SHORT_MAX];
    bytes[..written.len()].copy_from_slice(written);
    *slot = Some(Short { length: written.len(), bytes, string: string.clone().unbind() });
    string
}

/// Where a short string is kept.
fn slot(bytes: &[u8]) -> usize {
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (hash >> 53) as usize
}

const _: () = assert!(SHORT_COUNT == 1 << 11, "the slot is the first 11 bits of a hash");
