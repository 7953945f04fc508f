//! What people do besides walking: the values of those verbs.

use super::{Fields, Reader};
use crate::diagnostic::Diagnostic;
use crate::storyboard::yaml::{Kind, Node};
use crate::storyboard::{Hearers, Name, Verb};

impl Reader<'_> {
    /// The value of a verb that is a deed.
    pub(super) fn deed(&mut self, key: &'static str, node: Node) -> Option<Verb> {
        match key {
            "peek" => return Some(Verb::Peek { who: self.one_or_more(node, "a role", Self::name)? }),
            "distracted" => return self.distracted(node),
            _ => {}
        }
        let mut fields = self.fields(node, key)?;
        let who = self.required(&mut fields, "who").and_then(|node| self.name(node, "a role"));
        let mut named = |reader: &mut Self, key, what| match fields.take(key) {
            Some(node) => reader.name(node, what).map(Some),
            None => Some(None),
        };
        Some(match key {
            "take" => {
                let object = named(self, "object", "an object");
                Verb::Take { who: who?, object: object? }
            }
            "put" => {
                let object = named(self, "object", "an object");
                let container = named(self, "in", "a container");
                Verb::Put { who: who?, object: object?, container: container? }
            }
            "move_object" => {
                let object = named(self, "object", "an object");
                let to = named(self, "to", "a container");
                Verb::MoveObject { who: who?, object: object?, to: to? }
            }
            "throw" => {
                let object = named(self, "object", "an object");
                let to = named(self, "to", "a place");
                Verb::Throw { who: who?, object: object?, to: to? }
            }
            "open" => {
                let container = named(self, "container", "a container");
                Verb::Open { who: who?, container: container? }
            }
            "close" => {
                let container = named(self, "container", "a container");
                Verb::Close { who: who?, container: container? }
            }
            "react" => {
                let to = named(self, "to", "one of `attitudes`");
                Verb::React { who: who?, to: to? }
            }
            "carry" => {
                let object = named(self, "object", "an object");
                let to = self.required(&mut fields, "to").and_then(|node| self.name(node, "a place"));
                Verb::Carry { who: who?, object: object?, to: to? }
            }
            _ => return self.telling(key == "lie", who, fields),
        })
    }

    /// `tell`, or `lie`.
    fn telling(&mut self, is_lie: bool, who: Option<Name>, mut fields: Fields) -> Option<Verb> {
        let to = self.required(&mut fields, "to").and_then(|node| self.hearers(node));
        let that = match fields.take("that") {
            Some(node) => self.claim(node),
            None => Some((None, None)),
        };
        let (that, value) = that?;
        Some(Verb::Tell { who: who?, to: to?, that, value, is_lie })
    }

    fn hearers(&mut self, node: Node) -> Option<Hearers> {
        match &node.kind {
            Kind::Scalar(word) if word == "present" => Some(Hearers::Present),
            Kind::Map(_) => {
                let mut fields = self.fields(node, "hearers")?;
                let phone = self.required(&mut fields, "phone")?;
                self.one_or_more(phone, "a role", Self::name).map(Hearers::Afar)
            }
            _ => self.one_or_more(node, "a role", Self::name).map(Hearers::Named),
        }
    }

    /// What is spoken of, and what is said of it: `marble`, or `{marble: box}`.
    fn claim(&mut self, node: Node) -> Option<(Option<Name>, Option<Name>)> {
        if let Kind::Scalar(_) = node.kind {
            return self.name(node, "what is told").map(|that| (Some(that), None));
        }
        let span = node.span;
        let mut entries = self.entries(node, "`that`")?;
        if entries.len() != 1 {
            let message = "`that` says one thing: `marble`, or `{marble: box}`";
            self.problem(Diagnostic::error(message, span, format!("{} here", entries.len())));
            return None;
        }
        let (key, value) = entries.remove(0);
        let that = self.name(key, "what is told");
        let value = self.name(value, "what is said of it");
        that.zip(value).map(|(that, value)| (Some(that), Some(value)))
    }

    fn distracted(&mut self, node: Node) -> Option<Verb> {
        let Kind::Map(_) = node.kind else {
            let who = self.one_or_more(node, "a role", Self::name)?;
            return Some(Verb::Distracted { who, is_noticed: false });
        };
        let mut fields = self.fields(node, "distracted")?;
        let who = self.required(&mut fields, "who");
        let who = who.and_then(|node| self.one_or_more(node, "a role", Self::name));
        let is_noticed = match fields.take("noticed") {
            Some(node) => self.one_of(node, "`noticed` is", &["false", "true"]).map(|at| at == 1),
            None => Some(false),
        };
        Some(Verb::Distracted { who: who?, is_noticed: is_noticed? })
    }
}
