//! Reads the text of rows that the library has just made: JSON without blanks, whose form is known.
//!
//! A general reader of JSON takes several times as long as making the row does.

use std::borrow::Cow;

use memchr::memchr2;

/// The number of bytes in which the end of a string is looked for one by one.
const NEAR: usize = 24;

/// A string as it is written between its quotes.
#[derive(Clone, Copy)]
pub struct Raw<'t> {
    pub text: &'t str,
    /// Whether it says something else than it is written.
    pub is_escaped: bool,
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
        let takes = self.text.as_bytes()[self.at..].starts_with(text.as_bytes());
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
    #[inline]
    pub fn raw(&mut self) -> Raw<'t> {
        let from = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut is_escaped = false;
        // Names are short, and a search that begins at once is faster than one that gets ready.
        let near = bytes[from..].iter().take(NEAR).position(|byte| matches!(byte, b'"' | b'\\'));
        let mut end = from + near.unwrap_or(NEAR);
        loop {
            if near.is_none() || is_escaped {
                end += memchr2(b'"', b'\\', &bytes[end..]).expect("a string ends");
            }
            if bytes[end] == b'"' {
                break;
            }
            is_escaped = true;
            end += 2;
        }
        self.at = end + 1;
        Raw { text: &self.text[from..end], is_escaped }
    }

    /// The key that comes next, as it is written; goes on by its colon.
    #[inline]
    pub fn key(&mut self) -> Raw<'t> {
        let key = self.raw();
        self.at += 1;
        key
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

impl<'t> Raw<'t> {
    /// What the string says.
    #[inline]
    pub fn says(self) -> Cow<'t, str> {
        match self.is_escaped {
            false => Cow::Borrowed(self.text),
            true => {
                Cow::Owned(serde_json::from_str(&format!("\"{}\"", self.text)).expect("a string of a row"))
            }
        }
    }
}
