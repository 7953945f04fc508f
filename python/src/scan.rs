//! Reads the text of rows that the library has just made: JSON without blanks, whose form is known.
//!
//! A general reader of JSON takes several times as long as making the row does.

use std::borrow::Cow;

use memchr::memchr2;

/// The number of bytes in which the end of a string is looked for word by word. Names are short, and a search that begins at
/// once is faster than one that gets ready.
const NEAR: usize = 24;

/// The length of most names, at most.
const SHORT: usize = 16;

/// A string as it is written between its quotes.
#[derive(Clone, Copy)]
pub struct Raw<'t> {
    /// The text of the row from there on.
    rest: &'t str,
    length: usize,
    /// Whether it says something else than it is written.
    is_escaped: bool,
}

/// A place in the text of a row.
pub struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    /// A place in a text.
    pub const fn new(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }

    /// How far it has got.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// The byte that comes next; 0 at the end.
    #[inline]
    pub fn next(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Goes on by a number of bytes.
    #[inline]
    pub const fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Goes on by this text if it comes next. Returns whether it did.
    #[inline]
    pub fn take(&mut self, text: &str) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let takes = rest.len() >= text.len() && is_same(&rest[..text.len()], text.as_bytes());
        self.at += if takes { text.len() } else { 0 };
        takes
    }

    /// Whether a list or an object goes on, of which the opening bracket or an item came last. Goes on by the comma or by the
    /// closing bracket.
    #[inline]
    pub fn goes_on(&mut self, close: u8) -> bool {
        let next = self.next();
        self.at += usize::from(next == close || next == b',');
        next != close
    }

    /// The string that comes next, as it is written between its quotes.
    #[inline(always)]
    pub fn raw(&mut self) -> Raw<'t> {
        let rest = &self.text[self.at + 1..];
        let bytes = rest.as_bytes();
        let (length, is_escaped) = match near_quote_or_backslash(bytes) {
            Some(length) if bytes[length] == b'"' => (length, false),
            _ => end_of_string(bytes),
        };
        self.at += length + 2;
        Raw { rest, length, is_escaped }
    }

    /// The key that comes next, as it is written; goes on by its colon.
    #[inline]
    pub fn key(&mut self) -> Raw<'t> {
        let key = self.raw();
        self.at += 1;
        key
    }

    /// The whole number that comes next.
    #[inline]
    pub fn whole(&mut self) -> u64 {
        let mut number = 0;
        while let digit @ b'0'..=b'9' = self.next() {
            number = 10 * number + u64::from(digit - b'0');
            self.at += 1;
        }
        number
    }

    /// A number, `true`, `false` or `null`, as it is written.
    #[inline]
    pub fn word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| matches!(byte, b',' | b']' | b'}')).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// The value that comes next, as it is written.
    pub fn value(&mut self) -> &'t str {
        let from = self.at;
        match self.next() {
            b'"' => {
                self.raw();
            }
            b'[' | b'{' => self.nested(),
            _ => {
                self.word();
            }
        }
        &self.text[from..self.at]
    }

    /// Goes on by a list or an object.
    fn nested(&mut self) {
        let mut depth = 0;
        loop {
            match self.next() {
                b'"' => {
                    self.raw();
                    continue;
                }
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}

/// Whether texts of the same length are the same. Most are keys, for which a call would take longer than comparing them.
#[inline]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    /// Whether the first and the last so many bytes are the same.
    fn are_ends_same<const N: usize>(one: &[u8], other: &[u8]) -> bool {
        one.first_chunk::<N>() == other.first_chunk() && one.last_chunk::<N>() == other.last_chunk()
    }
    match one.len() {
        8..16 => are_ends_same::<8>(one, other),
        16..=32 => are_ends_same::<16>(one, other),
        _ => one == other,
    }
}

/// Where the first quote or backslash is, if it is near.
#[inline]
fn near_quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    let (words, _) = bytes[..NEAR.min(bytes.len())].as_chunks();
    words.iter().enumerate().find_map(|(number, word)| {
        let word = u64::from_le_bytes(*word);
        let found = marked(word, b'"') | marked(word, b'\\');
        (found != 0).then(|| number * 8 + found.trailing_zeros() as usize / 8)
    })
}

/// The length of a string that begins here, and whether anything in it is escaped.
#[inline(never)]
fn end_of_string(bytes: &[u8]) -> (usize, bool) {
    let next = |from: usize| from + memchr2(b'"', b'\\', &bytes[from..]).expect("a string ends");
    let (mut end, mut is_escaped) = (next(0), false);
    while bytes[end] == b'\\' {
        (end, is_escaped) = (next(end + 2), true);
    }
    (end, is_escaped)
}

/// Marks the first of the bytes that equal this one, in its highest bit; of the bytes after it some may be marked, too.
const fn marked(word: u64, byte: u8) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let differing = word ^ (ONES * byte as u64);
    differing.wrapping_sub(ONES) & !differing & (ONES << 7)
}

impl<'t> Raw<'t> {
    /// The string as it is written.
    #[inline]
    pub fn written(self) -> &'t str {
        &self.rest[..self.length]
    }

    /// Appends what the string says.
    #[inline(always)]
    pub fn append_to(self, bytes: &mut Vec<u8>) {
        let begin = bytes.len();
        match self.rest.as_bytes().first_chunk::<SHORT>() {
            // What is too much is cut off again: copying a number of bytes that is known beforehand needs no call.
            Some(short) if self.length <= SHORT && !self.is_escaped => {
                bytes.extend_from_slice(short);
                bytes.truncate(begin + self.length);
            }
            _ => bytes.extend_from_slice(self.says().as_bytes()),
        }
    }

    /// What the string says.
    #[inline]
    pub fn says(self) -> Cow<'t, str> {
        match self.is_escaped {
            false => Cow::Borrowed(self.written()),
            true => Cow::Owned(
                serde_json::from_str(&format!("\"{}\"", self.written())).expect("a string of a row"),
            ),
        }
    }
}
