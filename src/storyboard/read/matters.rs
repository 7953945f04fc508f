//! Matters, and how stories of them are told.

use super::Reader;
use crate::diagnostic::{Diagnostic, Spanned};
use crate::form::{Act, Class};
use crate::storyboard::yaml::{Kind, Node};
use crate::storyboard::{ANY_MATTER, Event, Matters, Name, Proposition, Sincerity, Style, TRUTH, Verb};

/// The largest number of matters of a storyboard.
const MATTERS_MAX: usize = 64;

impl Reader<'_> {
    pub(super) fn style(&mut self, node: Node) -> Option<Style> {
        let at = self.one_of(node, "`style` is", &Style::ALL.map(Style::key))?;
        Some(Style::ALL[at])
    }

    pub(super) fn matters(&mut self, node: Node) -> Vec<Matters> {
        let span = node.span;
        let mut matters = Vec::new();
        for (key, value) in self.declared(node, "`matters`") {
            let name = self.matter_name(key);
            if let Some(matter) = self.matter(value)
                && let Some(name) = name
            {
                matters.push(Matters { name, ..matter });
            }
        }
        let count: usize = matters.iter().map(|entry| entry.count.unwrap_or(1)).sum();
        if count > MATTERS_MAX {
            let message = format!("a storyboard has at most {MATTERS_MAX} matters");
            self.problem(Diagnostic::error(message, span, format!("{count} here")));
            matters.clear();
        }
        matters
    }

    /// A name that a point and what is meant of the matter can follow.
    fn matter_name(&mut self, node: Node) -> Option<Name> {
        let name = self.name(node, "a matter")?;
        if name.value.contains('.') {
            let message = format!("a matter cannot be called `{}`", name.value);
            let problem = Diagnostic::error(message, name.span, "it contains a point");
            self.problem(problem.help("a point stands before what is meant of a matter, as in `soup.claim`"));
            return None;
        }
        if name.value == ANY_MATTER {
            let problem = Diagnostic::error("no matter can be called `matter`", name.span, "taken");
            self.problem(problem.help("in questions, `matter` stands for any of them"));
            return None;
        }
        Some(name)
    }

    /// A matter without its name.
    fn matter(&mut self, node: Node) -> Option<Matters> {
        let mut fields = self.fields(node, "matter")?;
        let by =
            self.required(&mut fields, "by").and_then(|node| self.one_or_more(node, "a role", Self::name));
        let to = self.required(&mut fields, "to").and_then(|node| self.name(node, "a role"));
        let count = match fields.take("count") {
            Some(node) => self.matter_count(node).map(Some),
            None => Some(None),
        };
        let level = fields.take("level").map(|node| self.number(node));
        let lies = fields.take_with_key("lies").map(|(span, node)| (span, self.number(node)));
        let is = fields.take_with_key("is").map(|(span, node)| {
            (span, self.one_of(node, "a matter is", &Sincerity::ALL.map(Sincerity::key)))
        });
        let classes = match fields.take("class") {
            Some(node) => self.classes(node),
            None => Some(Vec::new()),
        };
        if let (Some((span, _)), Some((other, _))) = (&is, &lies) {
            let problem = Diagnostic::error("`lies` says already how many are lies", *span, "besides this");
            self.problem(problem.label(*other, "here"));
        }
        if let (Some((span, _)), Some(None)) = (&lies, &count) {
            let problem = Diagnostic::error("`lies` belongs to several matters alike", *span, "of one only");
            self.problem(problem.help("`count` says how many there are; for one, `is: lie` or `is: drawn`"));
        }
        let is = match is {
            Some((_, at)) => Sincerity::ALL[at?],
            None => Sincerity::Drawn,
        };
        let level = match level {
            Some(level) => Some(level?),
            None => None,
        };
        let lies = match lies {
            Some((_, lies)) => Some(lies?),
            None => None,
        };
        let nameless = Spanned::new(String::new(), fields.span);
        Some(Matters { name: nameless, count: count?, by: by?, to: to?, level, is, lies, classes: classes? })
    }

    /// How many matters are alike: a plain number, since names depend on it.
    fn matter_count(&mut self, node: Node) -> Option<usize> {
        let text = self.text(node, "`count`")?;
        let count = text.value.parse::<usize>().ok().filter(|count| (1..=MATTERS_MAX).contains(count));
        if count.is_none() {
            let message = format!("`count` is a plain number from 1 to {MATTERS_MAX}");
            let problem = Diagnostic::error(message, text.span, "the names of the matters depend on it");
            self.problem(problem);
        }
        count
    }

    fn classes(&mut self, node: Node) -> Option<Vec<Spanned<Class>>> {
        let keys = Class::ALL.map(Class::key);
        let nodes = match node.kind {
            Kind::List(items) if items.is_empty() => {
                let message = "at least one entry is needed here: a class";
                self.problem(Diagnostic::error(message, node.span, "empty"));
                return None;
            }
            Kind::List(items) => items,
            kind => vec![Node { kind, span: node.span }],
        };
        let mut classes = Vec::new();
        for node in nodes {
            let span = node.span;
            classes.push(Spanned::new(Class::ALL[self.one_of(node, "a class is", &keys)?], span));
        }
        Some(classes)
    }
}

/// The propositions with those of all matters.
pub(super) fn with_facets(
    mut propositions: Vec<Proposition>,
    matters: &[Matters],
    events: &[Event],
) -> Vec<Proposition> {
    let tells = |truth: &str| -> Vec<Name> {
        let mut who: Vec<Name> = Vec::new();
        for event in events {
            if let Verb::Do(direction) = &event.verb
                && let Act::Reveal(Some(that)) = &direction.act
                && that.value == truth
                && who.iter().all(|known| known.value != direction.who.value)
            {
                who.push(direction.who.clone());
            }
        }
        who
    };
    let mut first = 0;
    for entry in matters {
        propositions.extend(entry.propositions(first, tells));
        first += entry.count.unwrap_or(1);
    }
    debug_assert!(matters.is_empty() || propositions.iter().any(|known| known.name.value.contains(TRUTH)));
    propositions
}
