//! What there is besides people: objects, containers, propositions; and how people deal with it.

use super::{ENTRIES_MAX, Reader};
use crate::diagnostic::Spanned;
use crate::diagnostic::{Diagnostic, closest};
use crate::storyboard::yaml::{Kind, Node};
use crate::storyboard::{Container, Known, Name, NotePart, Number, Object, Play, Proposition, Trust};

/// The words before a proposition that has no words of its own for its contrary.
const DENIAL: &str = "it is not true that ";

impl Reader<'_> {
    pub(super) fn containers(&mut self, node: Node) -> Vec<Container> {
        let mut containers = Vec::new();
        for (key, value) in self.declared(node, "`containers`") {
            let name = self.name(key, "a container");
            let (place, is_open) = if let Kind::Scalar(_) = value.kind {
                (self.name(value, "a place"), Some(true))
            } else {
                let Some(mut fields) = self.fields(value, "container") else { continue };
                let place = self.required(&mut fields, "in").and_then(|node| self.name(node, "a place"));
                let is_open = match fields.take("is") {
                    Some(node) => self.one_of(node, "a container is", &["open", "closed"]).map(|at| at == 0),
                    None => Some(true),
                };
                (place, is_open)
            };
            if let (Some(name), Some(place), Some(is_open)) = (name, place, is_open) {
                containers.push(Container { name, place, is_open });
            }
        }
        containers
    }

    pub(super) fn objects(&mut self, node: Node) -> Vec<Object> {
        let mut objects = Vec::new();
        for (key, value) in self.declared(node, "`objects`") {
            let name = self.name(key, "an object");
            let (start, known) = if let Kind::Map(_) = value.kind {
                let Some(mut fields) = self.fields(value, "object") else { continue };
                let start = self.required(&mut fields, "in");
                let start = start.and_then(|node| self.one_or_more(node, "a place to be in", Self::name));
                let by = fields.take("known").map_or(Some(None), |node| self.known(node));
                (start, by.map(|by| Known { by, wrong: Vec::new() }))
            } else {
                let start = self.one_or_more(value, "a place to be in", Self::name);
                (start, Some(Known { by: None, wrong: Vec::new() }))
            };
            if let (Some(name), Some(start), Some(known)) = (name, start, known) {
                objects.push(Object { name, start, known });
            }
        }
        objects
    }

    pub(super) fn propositions(&mut self, node: Node) -> Vec<Proposition> {
        let mut propositions = Vec::new();
        for (key, value) in self.declared(node, "`propositions`") {
            let name = self.name(key, "a proposition");
            let Some(mut fields) = self.fields(value, "proposition") else { continue };
            let says = self.required(&mut fields, "says").and_then(|node| self.sentence(node, "`says`"));
            let denies = match fields.take("denies") {
                Some(node) => self.sentence(node, "`denies`"),
                None => says.as_ref().map(|says| {
                    let denial = NotePart::Text(DENIAL.to_owned());
                    std::iter::once(denial).chain(says.iter().cloned()).collect()
                }),
            };
            let is_true = match fields.take("is") {
                Some(node) => self
                    .one_of(node, "a proposition is", &["true", "false", "drawn"])
                    .map(|at| [Some(true), Some(false), None][at]),
                None => Some(None),
            };
            let by = fields.take("known").map_or(Some(None), |node| self.known(node));
            let wrong = match fields.take("wrong") {
                Some(node) => self.any_number(node, "a role"),
                None => Some(Vec::new()),
            };
            if let (Some(name), Some(says), Some(denies), Some(is_true), Some(by), Some(wrong)) =
                (name, says, denies, is_true, by, wrong)
            {
                let known = Known { by, wrong };
                propositions.push(Proposition { name, says, denies, is_true, known, of: None });
            }
        }
        propositions
    }

    pub(super) fn trust(&mut self, node: Node) -> Option<Spanned<Trust>> {
        let span = node.span;
        let at = self.one_of(node, "`trust` is", &Trust::ALL.map(Trust::key))?;
        Some(Spanned::new(Trust::ALL[at], span))
    }

    pub(super) fn play(&mut self, node: Node) -> Vec<(Spanned<Play>, Number)> {
        let mut play = Vec::new();
        for (key, value) in self.declared(node, "`play`") {
            let span = key.span;
            let keys: Vec<&str> = Play::ALL.iter().map(|play| play.key()).collect();
            let kind = self.one_of(key, "an entry of `play` is", &keys);
            let weight = self.number(value);
            if let (Some(kind), Some(weight)) = (kind, weight) {
                play.push((Spanned::new(Play::ALL[kind], span), weight));
            }
        }
        play
    }

    pub(super) fn friends(&mut self, node: Node) -> Vec<(Name, Vec<Name>)> {
        let mut friends = Vec::new();
        for (key, value) in self.declared(node, "`friends`") {
            let who = self.name(key, "a role");
            let whom = self.any_number(value, "a role");
            friends.extend(who.zip(whom));
        }
        friends
    }

    pub(super) fn groups(&mut self, node: Node) -> Vec<(Name, Vec<Name>)> {
        let mut groups = Vec::new();
        for (key, value) in self.declared(node, "`groups`") {
            let name = self.name(key, "a group");
            let members = self.one_or_more(value, "a role", Self::name);
            groups.extend(name.zip(members));
        }
        groups
    }

    /// The entries of a map whose keys are the author's names, of which there must not be too many.
    pub(super) fn declared(&mut self, node: Node, what: &str) -> Vec<(Node, Node)> {
        if node.kind == Kind::Empty {
            return Vec::new();
        }
        let span = node.span;
        let entries = self.entries(node, what).unwrap_or_default();
        if entries.len() > ENTRIES_MAX {
            let message = format!("{what} has at most {ENTRIES_MAX} entries");
            self.problem(Diagnostic::error(message, span, format!("{} here", entries.len())));
            return Vec::new();
        }
        entries
    }

    /// Who knows something; the inner `None` means everyone.
    fn known(&mut self, node: Node) -> Option<Option<Vec<Name>>> {
        match &node.kind {
            Kind::Scalar(word) if word == "all" => Some(None),
            Kind::Scalar(word) if word == "none" => Some(Some(Vec::new())),
            _ => self.any_number(node, "a role").map(Some),
        }
    }

    /// A single name, or a list, which may be empty.
    fn any_number(&mut self, node: Node, what: &str) -> Option<Vec<Name>> {
        match &node.kind {
            Kind::List(items) if items.is_empty() => Some(Vec::new()),
            _ => self.one_or_more(node, what, Self::name),
        }
    }

    /// The index of the word that is written, which must be one of these.
    pub(crate) fn one_of(&mut self, node: Node, what: &str, words: &[&str]) -> Option<usize> {
        let word = self.text(node, "this")?;
        let found = words.iter().position(|known| *known == word.value);
        if found.is_none() {
            let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            let message = format!("{what} one of {}", quoted.join(", "));
            let help =
                closest(&word.value, words.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            self.problem(Diagnostic::error(message, word.span, "none of them").maybe_help(help));
        }
        found
    }
}
