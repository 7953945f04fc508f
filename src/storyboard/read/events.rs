//! Events, goals and questions.

use super::{ENTRIES_MAX, Fields, Reader};
use crate::diagnostic::{Diagnostic, Span, Spanned};
use crate::storyboard::yaml::{Kind, Node};
use crate::storyboard::{
    Event, Goal, GoalKind, Moment, Name, NotePart, Number, Question, QuestionKind, Verb, When,
};

impl Reader<'_> {
    pub(super) fn event(&mut self, node: Node) -> Option<Event> {
        let mut fields = self.fields(node, "event")?;
        let when = self.when(&mut fields);
        let only_if = match fields.take("if") {
            Some(node) => self.number(node).map(Some),
            None => Some(None),
        };
        let mut verbs = Vec::new();
        for key in Verb::KEYS {
            if let Some((span, value)) = fields.take_with_key(key) {
                verbs.push((key, span, value));
            }
        }
        if verbs.is_empty() && fields.has_unknown {
            return None; // that has been said
        }
        if verbs.len() != 1 {
            let keys = Verb::KEYS.map(|key| format!("`{key}`")).join(", ");
            let message = format!("an event has one of {keys}");
            let problem = match verbs.get(1) {
                Some((_, second, _)) => {
                    Diagnostic::error(message, *second, "the second").label(verbs[0].1, "the first")
                }
                None => Diagnostic::error(message, fields.span, "none here"),
            };
            self.problem(problem);
            return None;
        }
        let (key, span, value) = verbs.remove(0);
        let verb = match key {
            "move" => {
                let mut inner = self.fields(value, "move")?;
                let who = self
                    .required(&mut inner, "who")
                    .and_then(|node| self.one_or_more(node, "a role", Self::name));
                let to = self.required(&mut inner, "to").and_then(|node| self.name(node, "a place"));
                match <[Name; 1]>::try_from(who?) {
                    Ok([who]) => Verb::Move { who, to: to? },
                    Err(who) => Verb::MoveTogether { who, to: to? },
                }
            }
            "meet" => {
                let mut inner = self.fields(value, "meet")?;
                let who =
                    self.required(&mut inner, "who").and_then(|node| self.names(node, "a role", Self::name));
                let place = match inner.take("in") {
                    Some(node) => Some(self.name(node, "a place")?),
                    None => None,
                };
                Verb::Meet { who: who?, place }
            }
            "idle" => Verb::Idle { who: self.one_or_more(value, "a role", Self::name)? },
            "apart" => Verb::Apart { who: self.names(value, "a role", Self::name)? },
            "together" => Verb::Together { who: self.names(value, "a role", Self::name)? },
            "unseen" => {
                let mut inner = self.fields(value, "unseen")?;
                let mut roles = |reader: &mut Self, key| {
                    let node = reader.required(&mut inner, key)?;
                    reader.one_or_more(node, "a role", Self::name)
                };
                let (who, by) = (roles(self, "who"), roles(self, "by"));
                Verb::Unseen { who: who?, by: by? }
            }
            "avoid" => {
                let mut inner = self.fields(value, "avoid")?;
                let who = self
                    .required(&mut inner, "who")
                    .and_then(|node| self.one_or_more(node, "a role", Self::name));
                let place = self.required(&mut inner, "place").and_then(|node| self.name(node, "a place"));
                Verb::Avoid { who: who?, place: place? }
            }
            "follow" => {
                let mut inner = self.fields(value, "follow")?;
                let who = self.required(&mut inner, "who").and_then(|node| self.name(node, "a role"));
                let whom = self.required(&mut inner, "whom").and_then(|node| self.name(node, "a role"));
                Verb::Follow { who: who?, whom: whom? }
            }
            "note" => Verb::Note { text: self.sentence(value, "a note")? },
            _ => self.deed(key, value)?,
        };
        let (when, only_if) = (when?, only_if?);
        if verb.needs_step() && !matches!(when, When::At(_)) {
            let message = format!("`{}` happens at one step", verb.key());
            self.problem(Diagnostic::error(message, span, "needs `at`, not a window"));
            return None;
        }
        Some(Event { when, only_if, verb, span })
    }

    pub(super) fn when(&mut self, fields: &mut Fields) -> Option<When> {
        let mut numbers: Vec<Option<(Span, Option<Number>)>> = Vec::new();
        for key in ["at", "from", "until", "for"] {
            let entry = fields.take_with_key(key);
            numbers.push(entry.map(|(span, node)| (span, self.number(node))));
        }
        let mut numbers = numbers.into_iter();
        let mut next = || numbers.next().flatten();
        match (next(), next(), next(), next()) {
            (Some((_, at)), None, None, None) => at.map(When::At),
            (None, Some((_, from)), Some((_, until)), None) => Some(When::Until(from?, until?)),
            (None, Some((_, from)), None, Some((_, length))) => Some(When::For(from?, length?)),
            (at, from, until, length) => {
                let given = [at, from, until, length].into_iter().flatten().map(|(span, _)| span).next_back();
                let message = "an event has `at`, or `from` with `until` or `for`";
                self.problem(match given {
                    Some(span) => Diagnostic::error(message, span, "this combination says something else"),
                    None => Diagnostic::error(message, fields.span, "it has none of them"),
                });
                None
            }
        }
    }

    /// A sentence, cut where something is to be named.
    pub(super) fn sentence(&mut self, node: Node, what: &str) -> Option<Vec<NotePart>> {
        let note = self.phrase(node, what)?;
        let text = &note.value;
        // A quoted scalar's span includes the quote.
        let written = &self.source.text[note.span.range()];
        let offset = note.span.start + written.find(text.as_str()).unwrap_or(0);
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(open) = text[at..].find('{').map(|found| at + found) {
            let Some(close) = text[open..].find('}').map(|found| open + found) else { break };
            if open > at {
                parts.push(NotePart::Text(text[at..open].to_owned()));
            }
            let span = Span::new(offset + open + 1, offset + close);
            let span = if written.contains(text.as_str()) { span } else { note.span };
            parts.push(NotePart::Name(Spanned::new(text[open + 1..close].to_owned(), span)));
            at = close + 1;
        }
        if text[at..].contains(['{', '}']) {
            let help = "`{S1}` names the character that plays S1, `{first}` the place bound to first";
            let message = format!("the braces of {} do not match", what.replace("a note", "this note"));
            self.problem(Diagnostic::error(message, note.span, "").help(help));
            return None;
        }
        if at < text.len() {
            parts.push(NotePart::Text(text[at..].to_owned()));
        }
        Some(parts)
    }

    /// One entry of `ensure`: what is demanded, and of the kinds that need it a second key.
    pub(super) fn goal(&mut self, node: Node) -> Option<Goal> {
        let mut fields = self.fields(node, "goal")?;
        let mut found = Vec::new();
        for key in GoalKind::KEYS {
            if let Some((span, value)) = fields.take_with_key(key) {
                found.push((key, span, value));
            }
        }
        if found.is_empty() && fields.has_unknown {
            return None; // that has been said
        }
        if found.len() != 1 {
            let keys = GoalKind::KEYS.map(|key| format!("`{key}`")).join(", ");
            let message = format!("a goal has one of {keys}");
            self.problem(match found.get(1) {
                Some((_, second, _)) => {
                    Diagnostic::error(message, *second, "the second").label(found[0].1, "the first")
                }
                None => Diagnostic::error(message, fields.span, "none here"),
            });
            return None;
        }
        let (key, span, value) = found.remove(0);
        let kind = match key {
            "holds" => {
                let chain = self.chain(key, value);
                let value = match fields.take("is") {
                    Some(node) => self.name(node, "what is held"),
                    None => self.held_in(&mut fields),
                };
                GoalKind::Holds { chain: chain?, value: value? }
            }
            "false_belief" => GoalKind::FalseBelief { chain: self.chain(key, value)? },
            "true_belief" => GoalKind::TrueBelief { chain: self.chain(key, value)? },
            "unknown" => GoalKind::Unknown { chain: self.chain(key, value)? },
            "differs" => {
                let span = value.span;
                let chains = self.list(value, "`differs`", 2);
                let count = chains.len();
                let chains: Vec<Vec<Name>> =
                    chains.into_iter().filter_map(|chain| self.chain(key, chain)).collect();
                let Ok([one, other]) = <[Vec<Name>; 2]>::try_from(chains) else {
                    if count != 2 {
                        let message = "`differs` compares two chains: `[[S1, S2, T], [S2, T]]`";
                        self.problem(Diagnostic::error(message, span, format!("{count} here")));
                    }
                    return None;
                };
                GoalKind::Differs { chains: [one, other] }
            }
            _ => {
                let chain = self.chain(key, value);
                let (is, within) = (fields.take("is"), fields.take_with_key("within"));
                let bounds = match (is, within) {
                    (Some(node), None) => self.number(node).map(|number| (number.clone(), number)),
                    (None, Some((_, node))) => self.bounds(node, "`within`"),
                    (_, other) => {
                        let message = "`mislead_distance` has one of `is: STEPS` and `within: [LEAST, MOST]`";
                        self.problem(match other {
                            Some((second, _)) => Diagnostic::error(message, second, "both here"),
                            None => Diagnostic::error(message, span, "it has none of them"),
                        });
                        None
                    }
                };
                let (least, most) = bounds?;
                GoalKind::MisleadDistance { chain: chain?, least, most }
            }
        };
        if let Some((extra, extra_span, _)) = fields.entries.first() {
            let message = format!("`{extra}` says nothing about `{key}`");
            self.problem(Diagnostic::error(message, *extra_span, "does not belong here"));
            return None;
        }
        Some(Goal { kind, span })
    }

    /// Where an item is held to be.
    fn held_in(&mut self, fields: &mut Fields) -> Option<Name> {
        if let Some(node) = fields.take("in") {
            return self.name(node, "a place");
        }
        if !fields.meant.iter().any(|meant| ["in", "is"].contains(meant)) {
            let message = "`holds` needs `in`, or `is` of a proposition";
            self.problem(Diagnostic::error(message, fields.span, "it is missing here"));
        }
        None
    }

    /// `[LEAST, MOST]`
    pub(super) fn bounds(&mut self, node: Node, what: &str) -> Option<(Number, Number)> {
        let span = node.span;
        if !matches!(node.kind, Kind::List(_) | Kind::Empty) {
            self.list(node, what, 2); // says so
            return None;
        }
        let bounds = self.list(node, what, ENTRIES_MAX);
        let count = bounds.len();
        let bounds: Vec<Number> = bounds.into_iter().filter_map(|bound| self.number(bound)).collect();
        match <[Number; 2]>::try_from(bounds) {
            Ok([least, most]) => Some((least, most)),
            Err(_) => {
                if count != 2 {
                    let message = format!("{what} has two bounds, both included: `[10, 30]`");
                    self.problem(Diagnostic::error(message, span, format!("{count} here")));
                }
                None
            }
        }
    }

    /// At least one mind or companion, and the target.
    fn chain(&mut self, key: &str, node: Node) -> Option<Vec<Name>> {
        let span = node.span;
        let roles = self.names(node, "a role", Self::name)?;
        if roles.len() < 2 {
            let message = format!("`{key}` needs at least two roles, the target last");
            self.problem(Diagnostic::error(message, span, format!("{} here", roles.len())));
            return None;
        }
        Some(roles)
    }

    pub(super) fn question(&mut self, node: Node) -> Option<Question> {
        let mut fields = self.fields(node, "question")?;
        let (before, without) = (fields.take_with_key("before"), fields.take_with_key("without"));
        let mut entries = fields.entries;
        if entries.is_empty() && fields.has_unknown {
            return None; // that has been said
        }
        if entries.len() != 1 {
            let message = "a question has one key, its kind";
            self.problem(match entries.get(1) {
                Some((_, second, _)) => Diagnostic::error(message, *second, "the second"),
                None => Diagnostic::error(message, fields.span, "none here"),
            });
            return None;
        }
        let moment = match (before, without) {
            (None, None) => Some(Moment::End),
            (Some((_, node)), None) => self.number(node).map(Moment::Before),
            (None, Some((_, node))) => self.number(node).map(Moment::Without),
            (Some((first, _)), Some((second, _))) => {
                let message = "a question has one of `before` and `without`";
                self.problem(Diagnostic::error(message, second, "the second").label(first, "the first"));
                None
            }
        };
        let (key, span, value) = entries.remove(0);
        let kind = QuestionKind::ALL.into_iter().find(|kind| kind.key() == key)?;
        let roles = match kind {
            QuestionKind::Reality
            | QuestionKind::Start
            | QuestionKind::WhoKnows
            | QuestionKind::Following => vec![self.name(value, "the target")?],
            QuestionKind::Belief | QuestionKind::World | QuestionKind::WorldThings | QuestionKind::Knows => {
                self.chain(&key, value)?
            }
            QuestionKind::CouldAnswer | QuestionKind::WhoLikes | QuestionKind::WhoDislikes => {
                self.one_or_more(value, "the target", Self::name)?
            }
        };
        Some(Question { kind, roles, moment: moment?, span })
    }
}
