//! From the text of a row to a dict.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};

use crate::scan::{Scanner, unescaped};

/// The largest number of bytes of a string that is kept: names are short.
const SHORT_MAX: usize = 24;

/// The number of short strings that are kept.
const SHORT_COUNT: usize = 1 << 11;

/// The number of long strings that are kept: the story and the context of the last row, in either way to tell them.
const LONG_COUNT: usize = 4;

/// Makes dicts of rows. Strings that were made before are used again, as the interpreter does with names.
pub struct DictMaker {
    short: Vec<Option<Short>>,
    /// Places in the text of the batch, with the strings that stand there.
    long: [Option<(usize, usize, Py<PyString>)>; LONG_COUNT],
    /// Which of the long strings is replaced next.
    next_long: usize,
}

struct Short {
    length: usize,
    bytes: [u8; SHORT_MAX],
    string: Py<PyString>,
}

impl DictMaker {
    pub fn new() -> Self {
        Self {
            short: std::iter::repeat_with(|| None).take(SHORT_COUNT).collect(),
            long: [const { None }; LONG_COUNT],
            next_long: 0,
        }
    }

    /// Forgets what depends on the text of a batch.
    pub fn forget(&mut self) {
        self.long = [const { None }; LONG_COUNT];
    }

    /// The dict of the row that begins at `from` in the text of a batch, and where the row ends.
    pub fn dict<'py>(
        &mut self,
        py: Python<'py>,
        batch: &str,
        from: usize,
    ) -> PyResult<(Bound<'py, PyAny>, usize)> {
        let mut scanner = Scanner::new(batch, from);
        let dict = self.value(py, batch, &mut scanner)?;
        Ok((dict, scanner.at()))
    }

    fn value<'py>(
        &mut self,
        py: Python<'py>,
        batch: &str,
        at: &mut Scanner<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match at.next() {
            b'"' => Ok(self.string(py, batch, at.raw()).into_any()),
            b'{' => {
                at.skip(1);
                let dict = PyDict::new(py);
                while at.goes_on(b'}') {
                    let key = self.string(py, batch, at.key());
                    dict.set_item(key, self.value(py, batch, at)?)?;
                }
                Ok(dict.into_any())
            }
            b'[' => {
                at.skip(1);
                let list = PyList::empty(py);
                while at.goes_on(b']') {
                    list.append(self.value(py, batch, at)?)?;
                }
                Ok(list.into_any())
            }
            _ => match at.word() {
                "null" => Ok(py.None().into_bound(py)),
                "true" => Ok(PyBool::new(py, true).to_owned().into_any()),
                "false" => Ok(PyBool::new(py, false).to_owned().into_any()),
                number => match number.parse::<i64>() {
                    Ok(number) => Ok(number.into_pyobject(py)?.into_any()),
                    Err(_) => {
                        Ok(number.parse::<u64>().expect("a number of a row").into_pyobject(py)?.into_any())
                    }
                },
            },
        }
    }

    fn string<'py>(&mut self, py: Python<'py>, batch: &str, raw: &str) -> Bound<'py, PyString> {
        match raw.len() {
            0..=SHORT_MAX => self.short(py, raw),
            _ => self.long(py, batch, raw),
        }
    }

    fn short<'py>(&mut self, py: Python<'py>, raw: &str) -> Bound<'py, PyString> {
        let slot = &mut self.short[slot(raw.as_bytes())];
        if let Some(Short { length, bytes, string }) = slot
            && bytes[..*length] == *raw.as_bytes()
        {
            return string.bind(py).clone();
        }
        let string = PyString::new(py, &unescaped(raw));
        let mut bytes = [0; SHORT_MAX];
        bytes[..raw.len()].copy_from_slice(raw.as_bytes());
        *slot = Some(Short { length: raw.len(), bytes, string: string.clone().unbind() });
        string
    }

    /// A long string. All rows of a story tell the same, and may have the same string for it.
    fn long<'py>(&mut self, py: Python<'py>, batch: &str, raw: &str) -> Bound<'py, PyString> {
        let same = self.long.iter().flatten().find(|(from, until, _)| &batch[*from..*until] == raw);
        if let Some((.., string)) = same {
            return string.bind(py).clone();
        }
        let string = PyString::new(py, &unescaped(raw));
        if raw.len() > 4 * SHORT_MAX {
            let from = raw.as_ptr() as usize - batch.as_ptr() as usize;
            self.long[self.next_long] = Some((from, from + raw.len(), string.clone().unbind()));
            self.next_long = (self.next_long + 1) % LONG_COUNT;
        }
        string
    }
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
