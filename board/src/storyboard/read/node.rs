//! What reading is made of: maps, lists, names and numbers, each with a message if it is none.

use super::{Fields, LIST_LENGTH_MAX, MapKeys, NAME_CHARACTERS_MAX, Reader, known_keys};
use crate::diagnostic::{Diagnostic, Source, Span, Spanned, closest};
use crate::storyboard::yaml::{Kind, Node};
use crate::storyboard::{Bounds, Expression, Name, Number};

impl<'a> Reader<'a> {
    /// A reader that has found no problem yet.
    pub(crate) const fn new(source: &'a Source) -> Self {
        Self { source, files: &[], problems: Vec::new() }
    }

    /// Everything that was found to be wrong.
    pub(crate) fn into_problems(self) -> Vec<Diagnostic> {
        self.problems
    }

    pub(crate) fn problem(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    pub(crate) fn required(&mut self, fields: &mut Fields, key: &str) -> Option<Node> {
        let found = fields.take(key);
        if found.is_none() && !fields.meant.contains(&key) {
            let message = format!("{} needs `{key}`", fields.what);
            self.problem(Diagnostic::error(message, fields.span, "it is missing here"));
        }
        found
    }

    /// The entries of a map, keeping each key once.
    pub(crate) fn entries(&mut self, node: Node, what: &str) -> Option<Vec<(Node, Node)>> {
        let Kind::Map(entries) = node.kind else {
            let message = format!("{what} has to be a map");
            self.problem(Diagnostic::error(message, node.span, format!("{} here", node.kind.noun())));
            return None;
        };
        let mut seen: std::collections::HashMap<String, Span> = std::collections::HashMap::new();
        let mut kept = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let Kind::Scalar(name) = &key.kind else {
                self.problem(Diagnostic::error("a key is a single value", key.span, key.kind.noun()));
                continue;
            };
            if let Some(&first) = seen.get(name) {
                let message = format!("the key `{name}` is given twice");
                self.problem(Diagnostic::error(message, key.span, "the second").label(first, "the first"));
                continue;
            }
            seen.insert(name.clone(), key.span);
            kept.push((key, value));
        }
        Some(kept)
    }

    /// The fields of a map of the format.
    pub(super) fn fields(&mut self, node: Node, what: &'static str) -> Option<Fields> {
        let MapKeys { phrase, keys: known, .. } =
            known_keys().iter().find(|map| map.what == what).expect("every map is listed");
        self.fields_among(node, phrase, known)
    }

    /// The fields of a map that has these keys. The phrase is what it is called in messages.
    pub(crate) fn fields_among(
        &mut self,
        node: Node,
        phrase: &'static str,
        known: &[&'static str],
    ) -> Option<Fields> {
        let span = node.span;
        let (mut entries, mut meant, mut has_unknown) = (Vec::new(), Vec::new(), false);
        for (key, value) in self.entries(node, phrase)? {
            let Kind::Scalar(name) = key.kind else { continue };
            if known.contains(&name.as_str()) {
                entries.push((name, key.span, value));
                continue;
            }
            has_unknown = true;
            // Comparing names is slow, and nobody reads the hundredth suggestion.
            let near = if self.problems.len() < 100 { closest(&name, known.iter().copied()) } else { None };
            meant.extend(near.and_then(|near| known.iter().find(|known| **known == near)));
            let help = near.map_or_else(
                || format!("the keys of {phrase}: {}", known.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("{phrase} has no key `{name}`");
            self.problem(Diagnostic::error(message, key.span, "unknown key").help(help));
        }
        Some(Fields { what: phrase, span, meant, has_unknown, entries })
    }

    pub(crate) fn list(&mut self, node: Node, what: &str, length_max: usize) -> Vec<Node> {
        let Kind::List(items) = node.kind else {
            if node.kind != Kind::Empty {
                let message = format!("{what} has to be a list");
                self.problem(Diagnostic::error(message, node.span, format!("{} here", node.kind.noun())));
            }
            return Vec::new();
        };
        if items.len() > length_max {
            let message = format!("{what} has at most {length_max} entries");
            self.problem(Diagnostic::error(message, node.span, format!("{} here", items.len())));
            return Vec::new();
        }
        items
    }

    /// A list of names, each of which `read` reads.
    pub(crate) fn names(
        &mut self,
        node: Node,
        what: &str,
        read: fn(&mut Self, Node, &str) -> Option<Name>,
    ) -> Option<Vec<Name>> {
        if !matches!(node.kind, Kind::List(_)) {
            let message = format!("expected a list, each entry {what}");
            self.problem(Diagnostic::error(message, node.span, format!("{} here", node.kind.noun())));
            return None;
        }
        let items = self.list(node, "a list", LIST_LENGTH_MAX);
        let wanted = items.len();
        let names: Vec<Name> = items.into_iter().filter_map(|item| read(self, item, what)).collect();
        (names.len() == wanted).then_some(names)
    }

    /// A single name, or a list of at least one.
    pub(crate) fn one_or_more(
        &mut self,
        node: Node,
        what: &str,
        read: fn(&mut Self, Node, &str) -> Option<Name>,
    ) -> Option<Vec<Name>> {
        if let Kind::Scalar(_) = node.kind {
            return read(self, node, what).map(|name| vec![name]);
        }
        let span = node.span;
        let names = self.names(node, what, read)?;
        if names.is_empty() {
            self.problem(Diagnostic::error(
                format!("at least one entry is needed here: {what}"),
                span,
                "empty",
            ));
            return None;
        }
        Some(names)
    }

    pub(crate) fn text(&mut self, node: Node, what: &str) -> Option<Name> {
        match node.kind {
            Kind::Scalar(value) => Some(Spanned::new(value, node.span)),
            other => {
                let message = format!("{what} has to be a single value");
                self.problem(Diagnostic::error(message, node.span, format!("{} here", other.noun())));
                None
            }
        }
    }

    /// A name as it will appear in a story.
    pub(crate) fn name(&mut self, node: Node, what: &str) -> Option<Name> {
        let name = self.text(node, what)?;
        let wrong = if name.value.trim().is_empty() {
            "empty"
        } else if name.value.chars().count() > NAME_CHARACTERS_MAX {
            "longer than 64 characters"
        } else if name.value.trim() != name.value {
            "begins or ends with a blank"
        } else if name.value.chars().any(char::is_control) {
            "contains a control character"
        } else {
            return Some(name);
        };
        self.problem(Diagnostic::error(format!("this is not a valid name for {what}"), name.span, wrong));
        None
    }

    /// A name that can be used in an expression, a note or a row's `cast`.
    pub(super) fn identifier(&mut self, node: Node, what: &str) -> Option<Name> {
        let name = self.name(node, what)?;
        let mut characters = name.value.chars();
        let begins = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        if begins && characters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Some(name);
        }
        let help = "use letters, digits and `_`, beginning with a letter";
        self.problem(
            Diagnostic::error(format!("this is not a valid name for {what}"), name.span, "").help(help),
        );
        None
    }

    /// A piece of a sentence.
    pub(crate) fn phrase(&mut self, node: Node, what: &str) -> Option<Name> {
        let phrase = self.text(node, what)?;
        let wrong = if phrase.value.trim().is_empty() {
            "empty"
        } else if phrase.value.len() > 1000 {
            "longer than 1000 bytes"
        } else if phrase.value.trim() != phrase.value {
            "begins or ends with a blank"
        } else if phrase.value.chars().any(char::is_control) {
            "contains a control character"
        } else {
            return Some(phrase);
        };
        self.problem(Diagnostic::error(format!("this cannot be {what}"), phrase.span, wrong));
        None
    }

    pub(super) fn number(&mut self, node: Node) -> Option<Number> {
        let text = self.text(node, "a number")?;
        self.number_in(&text, 0, &text.value)
    }

    /// Reads a range: `3..5`, `3..`, `..5`, or the one number `3`. Its ends may be any expressions.
    pub(super) fn range(&mut self, node: Node) -> Option<Bounds> {
        let before = self.problems.len();
        let range = self.range_of(node);
        for problem in self.problems.get_mut(before..).into_iter().flatten() {
            let help =
                "a range is written `3..5`, `3..`, `..5` or `3`; its ends are whole numbers or expressions";
            problem.help.get_or_insert_with(|| help.to_owned());
        }
        range
    }

    fn range_of(&mut self, node: Node) -> Option<Bounds> {
        let text = self.text(node, "a range")?;
        let Some((least, most)) = text.value.split_once("..") else {
            let number = self.number_in(&text, 0, &text.value)?;
            return Some(Bounds { least: Some(number.clone()), most: Some(number) });
        };
        if least.trim().is_empty() && most.trim().is_empty() {
            self.problem(Diagnostic::error("this range has no ends", text.span, "any number is in it"));
            return None;
        }
        let ends = [(0, least), (text.value.len() - most.len(), most)];
        let ends = ends.map(|(at, end)| match end.trim() {
            "" => Some(None),
            _ => self.number_in(&text, at, end).map(Some),
        });
        let [Some(least), Some(most)] = ends else { return None };
        Some(Bounds { least, most })
    }

    /// Reads the number that is written in a part of a text, which begins at byte `offset` of it.
    fn number_in(&mut self, text: &Name, offset: usize, part: &str) -> Option<Number> {
        // A quoted scalar's span includes the quote. Behind an alias, or with escapes, what was meant
        // is not what stands there; then everything about it stands at the whole.
        let at = self.source.text[text.span.range()].find(text.value.as_str()).map(|at| at + offset);
        match Expression::parse(part, text.span.start + at.unwrap_or(0)) {
            Ok(expression) if at.is_some() => Some(Spanned::new(expression, text.span)),
            Ok(expression) => Some(Spanned::new(expression.standing_at(text.span), text.span)),
            Err(mut problem) => {
                if at.is_none() {
                    problem.labels.iter_mut().for_each(|(span, _)| *span = text.span);
                }
                self.problem(problem);
                None
            }
        }
    }
}
