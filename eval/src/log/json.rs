//! A line of JSON as nodes that know where they stand, taken apart only as far as somebody asks.
//!
//! What nobody asks for is checked to be JSON and passed over without recursion, so that neither depth nor
//! unknown keys cost anything.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::diagnostic::{Diagnostic, Span, Spanned};

/// A JSON value in a line.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    line: &'a str,
    /// The text of the value, as a part of `line`.
    raw: &'a str,
}

/// What kind of value a node is.
#[derive(Debug)]
pub enum Kind<'a> {
    Null,
    Truth(bool),
    /// A number, as it is written.
    Number(&'a str),
    Text(String),
    List(Vec<Node<'a>>),
    /// The entries of an object in the order of the line; a key may occur twice.
    Map(Vec<(Spanned<String>, Node<'a>)>),
}

impl Kind<'_> {
    /// The kind in words, for messages such as "should be a list, not …".
    pub const fn noun(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Truth(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Map(_) => "an object",
        }
    }
}

/// Parses a whole line as one value.
///
/// # Errors
/// The place where the line stops being JSON, and why.
pub fn parse(line: &str) -> Result<Node<'_>, Box<Diagnostic>> {
    match serde_json::from_str::<&RawValue>(line) {
        Ok(raw) => Ok(Node { line, raw: raw.get() }),
        Err(error) => Err(Box::new(syntax_error(&error, line, 0))),
    }
}

impl<'a> Node<'a> {
    /// Where the value stands in the line.
    pub fn span(self) -> Span {
        let start = self.offset_of(self.raw);
        Span::new(start, start + self.raw.len())
    }

    /// The text of the value as it is written.
    pub const fn written(self) -> &'a str {
        self.raw
    }

    /// Reads what the value is.
    ///
    /// # Errors
    /// If a string in it is not valid text because it has half of a surrogate pair.
    pub fn kind(self) -> Result<Kind<'a>, Box<Diagnostic>> {
        let kind = match self.raw.as_bytes().first() {
            Some(b'n') => Ok(Kind::Null),
            Some(b't' | b'f') => Ok(Kind::Truth(self.raw == "true")),
            Some(b'"') => serde_json::from_str(self.raw).map(Kind::Text),
            Some(b'[') => serde_json::from_str(self.raw).map(|items: Vec<&'a RawValue>| {
                Kind::List(items.into_iter().map(|raw| self.child(raw)).collect())
            }),
            Some(b'{') => {
                serde_json::Deserializer::from_str(self.raw).deserialize_map(Entries(self)).map(Kind::Map)
            }
            _ => Ok(Kind::Number(self.raw)),
        };
        kind.map_err(|error| Box::new(syntax_error(&error, self.line, self.span().start)))
    }

    fn child(self, raw: &'a RawValue) -> Self {
        Self { line: self.line, raw: raw.get() }
    }

    fn offset_of(self, part: &str) -> usize {
        part.as_ptr() as usize - self.line.as_ptr() as usize
    }
}

/// The entries of an object.
struct Entries<'a>(Node<'a>);

impl<'de> Visitor<'de> for Entries<'de> {
    type Value = Vec<(Spanned<String>, Node<'de>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        let mut last_end = self.0.span().start;
        while let Some((key, raw)) = map.next_entry::<String, &'de RawValue>()? {
            let value = self.0.child(raw);
            // Between two values there is a comma, the key and a colon.
            let between = &self.0.line[last_end..value.span().start];
            let quote = |at: Option<usize>| last_end + at.unwrap_or(0);
            let span = Span::new(quote(between.find('"')), quote(between.rfind('"')) + 1);
            last_end = value.span().end;
            entries.push((Spanned::new(key, span), value));
        }
        Ok(entries)
    }
}

/// An error that was found in the part of the line that begins at `start`.
fn syntax_error(error: &serde_json::Error, line: &str, start: usize) -> Diagnostic {
    // The text ends in "at line 1 column 7", which the excerpt says better.
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text);
    // The column is that of the last byte that was read; of a control character, that of the byte before it.
    let is_before = what.starts_with("control character");
    let mut at = (start + error.column().saturating_sub(usize::from(!is_before))).min(line.len());
    while !line.is_char_boundary(at) {
        at -= 1;
    }
    let end = line[at..].chars().next().map_or(at, |character| at + character.len_utf8());
    Diagnostic::error("this is not JSON", Span::new(at, end), what.to_owned())
        .help("a log is one JSON object a line")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(line: &str, span: Span) -> &str {
        &line[span.range()]
    }

    #[test]
    fn nodes_know_where_they_stand() {
        let line = r#" {"a" : [1, "\ud83d\ude00é"], "b\"c":{"d":null} , "a":true} "#;
        let Kind::Map(entries) = parse(line).unwrap().kind().unwrap() else { panic!("an object") };
        let keys: Vec<&str> = entries.iter().map(|(key, _)| written(line, key.span)).collect();
        assert_eq!(keys, [r#""a""#, r#""b\"c""#, r#""a""#]);
        assert_eq!(entries[1].0.value, "b\"c");
        let Kind::List(items) = entries[0].1.kind().unwrap() else { panic!("a list") };
        assert_eq!(written(line, items[0].span()), "1");
        assert!(matches!(items[1].kind().unwrap(), Kind::Text(text) if text == "😀é"));
        assert_eq!(written(line, entries[1].1.span()), r#"{"d":null}"#);
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_ceases_to_be() {
        for (line, at) in [
            ("", 0),
            ("{\"a\": 1,}", 8),
            ("{\"a\": nul}", 9),
            ("{} {}", 3),
            ("[1, 2", 4),
            ("{'a': 1}", 1),
            ("\"é\u{1}\"", 3),
        ] {
            assert_eq!(parse(line).unwrap_err().labels[0].0.start, at, "{line}");
        }
        let half = parse(r#"["\ud83d"]"#).unwrap().kind().unwrap();
        let Kind::List(items) = half else { panic!("a list") };
        assert!(items[0].kind().is_err());
    }

    #[test]
    fn depth_costs_nothing() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        let Kind::List(items) = parse(&deep).unwrap().kind().unwrap() else { panic!("a list") };
        assert_eq!(items.len(), 1);
        assert!(parse(&"[".repeat(1_000_000)).is_err());
    }
}
