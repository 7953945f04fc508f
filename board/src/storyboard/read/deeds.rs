//! Deeds: the values of those verbs, read part by part as their forms have it.

use super::{Fields, Reader};
use crate::diagnostic::Diagnostic;
use crate::form::{
    Act, ActForm, ActKind, Direction, Hearers, LIE, Part, PartForm, PartIn, Sort, Telling, TellingIn,
};
use crate::storyboard::WrittenValue;
use crate::storyboard::yaml::{Kind, Node};
use crate::storyboard::{Name, Verb, Written};

impl Reader<'_> {
    /// Reads the value of a verb that is a deed.
    pub(super) fn deed(&mut self, key: &'static str, form: &ActForm, node: Node) -> Option<Verb> {
        let mut fields = self.fields(node, key)?;
        let who = self.required(&mut fields, "who").and_then(|node| match form.kind {
            ActKind::Go => self.one_or_more(node, "a role", Self::name),
            _ => self.name(node, "a role").map(|who| vec![who]),
        });
        let parts: Vec<Option<PartIn<Written>>> =
            form.parts.iter().map(|part| self.part(part, &mut fields)).collect();
        let to =
            form.goes.then(|| self.required(&mut fields, "to").and_then(|node| self.name(node, "a place")));
        let mut company = who?;
        let act = form
            .kind
            .act(parts.into_iter().collect::<Option<Vec<PartIn<Written>>>>()?)
            .expect("the parts of the form");
        let to = match to {
            Some(to) => Some(to?),
            None => None,
        };
        let who = company.remove(0);
        let act = if company.is_empty() { act } else { Act::GoTogether(company) };
        Some(Verb::Do(Direction { who, act, to, is_lie: key == LIE }))
    }

    /// Reads one part of a deed; `None` if it is wrong.
    fn part(&mut self, form: &PartForm, fields: &mut Fields) -> Option<PartIn<Written>> {
        let mut named = || match fields.take(form.name) {
            Some(node) => self.name(node, form.sort.noun()).map(Some),
            None => Some(None),
        };
        Some(match form.sort {
            Sort::Person => Part::Person(named()?),
            Sort::Place => Part::Place(named()?),
            Sort::Object => Part::Object(named()?),
            Sort::Container => Part::Container(named()?),
            Sort::Spot => Part::Spot(named()?),
            Sort::Liking => Part::Liking(named()?),
            Sort::Fact => Part::Fact(named()?),
            Sort::Telling if form.name == "news" => Part::Telling(self.news(fields)?),
            Sort::Telling => Part::Telling(self.telling(fields)?),
            Sort::Company => unreachable!("several are named as `who`"),
        })
    }

    /// Reads what is announced: `of: news`, `to: {side: 1, by: S1, final: no}`.
    fn news(&mut self, fields: &mut Fields) -> Option<TellingIn<Written>> {
        let of = self.required(fields, "of").and_then(|node| self.name(node, "a prospect"));
        let to = match fields.take("to") {
            Some(node) => Some(self.case(node)?),
            None => None,
        };
        Some(Telling { hearers: Hearers::Present, item: Some(of?), value: to, believers: None })
    }

    /// Reads what is told and to whom.
    fn telling(&mut self, fields: &mut Fields) -> Option<TellingIn<Written>> {
        let hearers = self.required(fields, "to").and_then(|node| self.hearers(node));
        let that = match fields.take("that") {
            Some(node) => self.claim(node),
            None => Some((None, None)),
        };
        let (item, value) = that?;
        Some(Telling { hearers: hearers?, item, value, believers: None })
    }

    fn hearers(&mut self, node: Node) -> Option<Hearers<Name>> {
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

    /// Reads what is spoken of, and what is said about it: `marble`, or `{marble: box}`.
    fn claim(&mut self, node: Node) -> Option<(Option<Name>, Option<WrittenValue>)> {
        if let Kind::Scalar(_) = node.kind {
            return self.name(node, "what is told").map(|that| (Some(that), None));
        }
        let span = node.span;
        let mut entries = self.entries(node, "`that`")?;
        if entries.len() != 1 {
            let message = "`that` takes one thing: `marble`, or `{marble: box}`";
            self.problem(Diagnostic::error(message, span, format!("{} here", entries.len())));
            return None;
        }
        let (key, value) = entries.remove(0);
        let that = self.name(key, "what is told");
        let value = match value.kind {
            Kind::Map(_) => self.case(value),
            _ => self.name(value, "what is said of it").map(WrittenValue::Name),
        };
        that.zip(value).map(|(that, value)| (Some(that), Some(value)))
    }
}
