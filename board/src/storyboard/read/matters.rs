//! Matters, and how stories of them are told.

use super::Reader;
use crate::diagnostic::{Diagnostic, Spanned};
use crate::form::{Act, Class};
use crate::storyboard::yaml::{Kind, Node};
use crate::storyboard::{
    ANY_MATTER, Event, Matters, Name, PLAIN, Proposition, Sincerity, Style, TRUTH, Verb,
};

/// The largest number of matters of a storyboard.
const MATTERS_MAX: usize = 64;

/// The largest number of packs of a storyboard.
const PACKS_MAX: usize = 64;

/// How many matters alike there are where that cannot be read: as many as every pack has words for.
const FILLED_IN_COUNT: usize = 8;

/// The name of matters that are given none: `matters: {count: 4, by: L, to: T}`.
const NAMELESS: &str = "m";

impl Reader<'_> {
    pub(super) fn style(&mut self, node: Node) -> Option<Style> {
        let at = self.one_of(node, "`style` is", &Style::ALL.map(Style::key))?;
        Some(Style::ALL[at])
    }

    /// The packs that words come from.
    pub(super) fn packs(&mut self, node: Node) -> Vec<Name> {
        let span = node.span;
        let packs = self.one_or_more(node, "a pack", Self::phrase).unwrap_or_default();
        if packs.len() > PACKS_MAX {
            let message = format!("`packs` has at most {PACKS_MAX} entries");
            self.problem(Diagnostic::error(message, span, format!("{} here", packs.len())));
            return Vec::new();
        }
        packs
    }

    /// The pack that says how sentences are worded; none for [`PLAIN`].
    pub(super) fn wording(&mut self, node: Node) -> Option<Name> {
        self.phrase(node, "a wording").filter(|name| name.value != PLAIN)
    }

    /// The matters. `None` means that their names are not known, so that each use of one would be a problem.
    pub(super) fn matters(&mut self, node: Node) -> Option<Vec<Matters>> {
        let span = node.span;
        let mut matters = Vec::new();
        if is_nameless(&node) {
            let name = Spanned::new(NAMELESS.to_owned(), span);
            matters.push(self.matter(name, node));
        } else {
            let entries = match node.kind {
                Kind::Empty => Vec::new(),
                Kind::Map(ref entries) if entries.is_empty() => Vec::new(),
                Kind::Map(_) => self.declared(node, "`matters`"),
                _ => {
                    self.entries(node, "`matters`"); // says so
                    return None;
                }
            };
            if entries.is_empty() {
                let problem = Diagnostic::error("at least one entry is needed here: a matter", span, "empty");
                self.problem(problem.help("write `m: {by: L, to: T}`, or leave `matters` out"));
            }
            for (key, value) in entries {
                if let Some(name) = self.matter_name(key) {
                    matters.push(self.matter(name, value));
                }
            }
        }
        let count: usize = matters.iter().map(|entry| entry.count.unwrap_or(1)).sum();
        if count > MATTERS_MAX {
            let message = format!("a storyboard has at most {MATTERS_MAX} matters");
            self.problem(Diagnostic::error(message, span, format!("{count} here")));
            return None;
        }
        Some(matters)
    }

    /// A name that a point and what is meant of the matter can follow. One that cannot be used is reported, and known all the same.
    fn matter_name(&mut self, node: Node) -> Option<Name> {
        let name = self.name(node, "a matter")?;
        if name.value.contains('.') {
            let message = format!("a matter cannot be called `{}`", name.value);
            let problem = Diagnostic::error(message, name.span, "it contains a point");
            self.problem(problem.help("a point stands before what is meant of a matter, as in `soup.claim`"));
        }
        if name.value == ANY_MATTER {
            let problem = Diagnostic::error("no matter can be called `matter`", name.span, "taken");
            self.problem(problem.help("in questions, `matter` stands for any of them"));
        }
        Some(name)
    }

    /// A matter. What cannot be read of it is filled in so that it causes no further problem: nobody speaks of it, to nobody.
    fn matter(&mut self, name: Name, node: Node) -> Matters {
        let nobody = Spanned::new(String::new(), node.span);
        let mut matter = Matters {
            name,
            count: None,
            by: Vec::new(),
            to: nobody,
            level: None,
            is: Sincerity::Drawn,
            lies: None,
            classes: Vec::new(),
        };
        let Some(mut fields) = self.fields(node, "matter") else { return matter };
        let by = self.required(&mut fields, "by");
        matter.by = by.and_then(|node| self.one_or_more(node, "a role", Self::name)).unwrap_or_default();
        if let Some(to) = self.required(&mut fields, "to").and_then(|node| self.name(node, "a role")) {
            matter.to = to;
        }
        let count = fields.take("count").map(|node| self.matter_count(node));
        matter.count = count.map(|count| count.unwrap_or(FILLED_IN_COUNT));
        matter.level = fields.take("level").and_then(|node| self.number(node));
        let lies = fields.take_with_key("lies");
        let is = fields.take_with_key("is");
        if let (Some((span, _)), Some((other, _))) = (&is, &lies) {
            let problem = Diagnostic::error("`lies` says already how many are lies", *span, "besides this");
            self.problem(problem.label(*other, "here"));
        }
        if let (Some((span, _)), None) = (&lies, &matter.count) {
            let problem = Diagnostic::error("`lies` belongs to several matters alike", *span, "of one only");
            self.problem(problem.help("`count` says how many there are; for one, `is: lie` or `is: drawn`"));
        }
        matter.lies = lies.and_then(|(_, node)| self.number(node)).filter(|_| count.flatten().is_some());
        if let Some((_, node)) = is
            && let Some(at) = self.one_of(node, "a matter is", &Sincerity::ALL.map(Sincerity::key))
        {
            matter.is = Sincerity::ALL[at];
        }
        matter.classes = fields.take("class").and_then(|node| self.classes(node)).unwrap_or_default();
        matter
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

/// Whether this is what a matter is, without a name for it.
fn is_nameless(node: &Node) -> bool {
    let keys = ["count", "by", "to", "level", "is", "lies", "class"];
    let is_part = |(key, value): &(Node, Node)| {
        matches!(&key.kind, Kind::Scalar(key) if keys.contains(&key.as_str()))
            && !matches!(value.kind, Kind::Map(_))
    };
    matches!(&node.kind, Kind::Map(entries) if entries.iter().any(is_part))
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
