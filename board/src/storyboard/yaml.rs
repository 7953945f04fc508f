//! YAML as a tree in which every node knows where it stands, and is what the author wrote.
//!
//! The reader of storyboards wants all problems at once, with places, so it reads a tree rather
//! than letting serde stop at the first. Scalars keep their spelling: a room called `no` stays `no`.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::{DuplicateKeyPolicy, Error, Options};

use crate::diagnostic::{Diagnostic, Source, Span};

/// The mark with which some editors begin a file. It is not part of the text.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// A YAML value with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub span: Span,
    pub kind: Kind,
}

/// The kind of value of a node, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An empty value, as after `key:`
    Empty,
    /// A scalar, as written, but without quotes
    Scalar(String),
    /// A list: `[a, b]`
    List(Vec<Node>),
    /// A map in the order of the file, in which a key may occur twice: `{a: 1}`
    Map(Vec<(Node, Node)>),
}

impl Kind {
    /// The kind in words, for messages such as "should be a list, not …".
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Empty => "nothing",
            Self::Scalar(_) => "a single value",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }
}

/// Parses one YAML document.
///
/// The parser has a budget for nodes (250,000, with aliases expanded), aliases, anchors and depth, so that nested brackets
/// and alias bombs end in an error instead of exhausting the memory.
///
/// `what` is what the file should be, such as "a storyboard".
///
/// # Errors
/// The first syntax error. A duplicate key is not an error: the tree holds both.
pub fn parse(source: &Source, what: &str) -> Result<Node, Diagnostic> {
    // Under `LastWins` every pair still reaches the visitor, so that it sees all duplicate keys.
    let options = serde_yaml::options! {
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        strict_booleans: true,
    };
    let places = Places::new(&source.text);
    let raw: RawNode = read((source, what), &places, options)?;
    // Keys that look like numbers are the exception: they are merged before the visitor sees them.
    let strict = serde_yaml::options! { duplicate_keys: DuplicateKeyPolicy::Error, strict_booleans: true };
    let root = raw.locate(&places, &source.text);
    if !root.has_duplicate_keys() {
        read((source, what), &places, strict)?;
    }
    Ok(root)
}

fn read((source, what): (&Source, &str), places: &Places, options: Options) -> Result<RawNode, Diagnostic> {
    serde_yaml::from_str_with_options(&source.text, options)
        .map_err(|error| syntax_error(&error, places, what))
}

impl Node {
    fn has_duplicate_keys(&self) -> bool {
        match &self.kind {
            Kind::Empty | Kind::Scalar(_) => false,
            Kind::List(items) => items.iter().any(Self::has_duplicate_keys),
            Kind::Map(entries) => {
                let mut keys: Vec<&Kind> = entries.iter().map(|(key, _)| &key.kind).collect();
                keys.sort_by_key(|kind| match kind {
                    Kind::Scalar(text) => text.as_str(),
                    _ => "",
                });
                keys.windows(2).any(|pair| pair[0] == pair[1])
                    || entries.iter().any(|(_, value)| value.has_duplicate_keys())
            }
        }
    }
}

fn syntax_error(error: &Error, places: &Places, file: &str) -> Diagnostic {
    let error = error.without_snippet();
    let span = error.location().map_or(Span::default(), |location| {
        let at = places.byte_of(location.span().offset() as usize);
        Span::new(at, places.byte_of(location.span().offset() as usize + 1))
    });
    // The text ends in "at line 3, column 7", which the rendered snippet says better.
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text);
    if what.contains("budget breached") || what.contains("recursion limit") {
        return Diagnostic::error(
            format!("this file expands to more than {file} can hold"),
            span,
            what.to_owned(),
        )
        .help("the limits are 250,000 YAML nodes with all aliases expanded, and 64 levels of nesting");
    }
    if let Some(key) = what.strip_prefix("duplicate mapping key: ") {
        let key = key.split(',').next().unwrap_or(key);
        return Diagnostic::error(format!("the key `{key}` is given twice"), span, "the second one");
    }
    if what.contains("non-finite float") {
        let number = what.split('`').nth(1).unwrap_or("this");
        return Diagnostic::error("a number has to be finite", span, format!("`{number}` is not"));
    }
    Diagnostic::error("this is not YAML", span, what.to_owned())
}

/// The byte at which each character of the text begins, for texts that are not all ASCII.
struct Places {
    byte_of_character: Option<Vec<u32>>,
    length: usize,
}

impl Places {
    fn new(text: &str) -> Self {
        let starts = || text.char_indices().map(|(at, _)| at as u32).collect();
        Self { byte_of_character: (!text.is_ascii()).then(starts), length: text.len() }
    }

    fn byte_of(&self, character: usize) -> usize {
        match &self.byte_of_character {
            None => character.min(self.length),
            Some(starts) => starts.get(character).map_or(self.length, |&at| at as usize),
        }
    }
}

/// A node as the parser returns it: positions count characters, and scalars are interpreted.
struct RawNode {
    /// The position of the first character, and the length in characters.
    at: (usize, usize),
    kind: RawKind,
}

enum RawKind {
    Empty,
    /// A string, quoted or plain.
    Text(String),
    /// A plain scalar that YAML takes for something else, such as `12` or `true`.
    Interpreted(String),
    List(Vec<RawNode>),
    Map(Vec<(RawNode, RawNode)>),
}

impl RawNode {
    fn locate(self, places: &Places, text: &str) -> Node {
        let span = Span::new(places.byte_of(self.at.0), places.byte_of(self.at.0 + self.at.1));
        let kind = match self.kind {
            RawKind::Empty => Kind::Empty,
            RawKind::Text(value) => Kind::Scalar(value),
            RawKind::Interpreted(value) => {
                let written = text.get(span.range()).unwrap_or_default().trim();
                // Behind an alias the span is that of the alias.
                let is_alias = written.is_empty() || written.starts_with('*');
                Kind::Scalar(if is_alias { value } else { written.to_owned() })
            }
            RawKind::List(items) => {
                Kind::List(items.into_iter().map(|item| item.locate(places, text)).collect())
            }
            RawKind::Map(entries) => {
                let locate = |node: RawNode| node.locate(places, text);
                Kind::Map(entries.into_iter().map(|(key, value)| (locate(key), locate(value))).collect())
            }
        };
        // The span of a block map or list is a point; its first entry is what one wants to see.
        let span = match &kind {
            Kind::Map(entries) if span.end <= span.start + 1 => entries
                .first()
                .map_or(span, |(key, _)| Span::new(span.start.min(key.span.start), key.span.end)),
            _ => span,
        };
        Node { span, kind }
    }
}

impl<'de> Deserialize<'de> for RawNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = serde_yaml::Spanned::<RawKind>::deserialize(deserializer)?;
        let span = spanned.referenced.span();
        Ok(Self { at: (span.offset() as usize, span.len() as usize), kind: spanned.value })
    }
}

impl<'de> Deserialize<'de> for RawKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = RawKind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("YAML")
    }

    fn visit_unit<E>(self) -> Result<RawKind, E> {
        Ok(RawKind::Empty)
    }

    fn visit_none<E>(self) -> Result<RawKind, E> {
        Ok(RawKind::Empty)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<RawKind, D::Error> {
        RawKind::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<RawKind, E> {
        Ok(RawKind::Interpreted(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<RawKind, E> {
        Ok(RawKind::Interpreted(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<RawKind, E> {
        Ok(RawKind::Interpreted(value.to_string()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<RawKind, E> {
        Ok(RawKind::Interpreted(value.to_string()))
    }

    fn visit_u128<E>(self, value: u128) -> Result<RawKind, E> {
        Ok(RawKind::Interpreted(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<RawKind, E> {
        Ok(RawKind::Interpreted(value.to_string()))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<RawKind, E> {
        Ok(RawKind::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<RawKind, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(RawKind::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<RawKind, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(RawKind::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Result<Node, String> {
        parse(&Source { name: "test".into(), text: text.into() }, "a storyboard")
            .map_err(|d| d.message + ": " + &d.labels[0].1)
    }

    /// Every scalar of the tree, with the text that its span covers.
    fn scalars(node: &Node, text: &str, found: &mut Vec<(String, String)>) {
        match &node.kind {
            Kind::Empty => {}
            Kind::Scalar(value) => found.push((value.clone(), text[node.span.range()].to_owned())),
            Kind::List(items) => items.iter().for_each(|item| scalars(item, text, found)),
            Kind::Map(entries) => entries.iter().for_each(|(key, value)| {
                scalars(key, text, found);
                scalars(value, text, found);
            }),
        }
    }

    #[test]
    fn scalars_are_what_was_written_where_it_was_written() {
        let text = "no: 012\ny: [é, 0x10, 'a b', true, 1.50, 1e3]\nö: {n: ~}\n";
        let mut found = Vec::new();
        scalars(&tree(text).unwrap(), text, &mut found);
        let values: Vec<&str> = found.iter().map(|(value, _)| value.as_str()).collect();
        assert_eq!(values, ["no", "012", "y", "é", "0x10", "a b", "true", "1.50", "1e3", "ö", "n"]);
        for (value, covered) in &found {
            assert_eq!(value, covered.trim_matches('\''));
        }
    }

    #[test]
    fn duplicate_keys_all_stay_in_the_tree() {
        let root = tree("a: 1\na: 2\nb: {c: 1, c: 2, c: 3}\n").unwrap();
        let Kind::Map(entries) = root.kind else { panic!("a map") };
        assert_eq!(entries.len(), 3);
        let Kind::Map(inner) = &entries[2].1.kind else { panic!("a map") };
        assert_eq!(inner.len(), 3);
        assert!(tree("1: a\n1: b\n").is_err() || tree("1: a\n1: b\n").unwrap().has_duplicate_keys());
    }

    #[test]
    fn bombs_end_in_an_error() {
        for (text, wanted) in [
            ("a: ".to_owned() + &"[".repeat(100_000), "this file expands to more than a storyboard can hold"),
            ("a:\n\tb: 1".to_owned(), "this is not YAML"),
            ("a: [1".to_owned(), "this is not YAML"),
            ("a: .nan".to_owned(), "a number has to be finite"),
            ("a: -.inf".to_owned(), "a number has to be finite"),
        ] {
            let error = tree(&text).unwrap_err();
            assert!(error.starts_with(wanted), "{error}");
        }
        let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
        for (letter, previous) in ('b'..='i').zip('a'..='h') {
            let items = vec![format!("*{previous}"); 9].join(",");
            bomb.push_str(&format!("{letter}: &{letter} [{items}]\n"));
        }
        assert!(tree(&bomb).unwrap_err().starts_with("this file expands"));
    }
}
