//! Events, goals and questions.

use super::{ENTRIES_MAX, Fields, Reader};
use crate::diagnostic::{Diagnostic, Span, Spanned};
use crate::form::{ActForm, ConditionForm, GoalWord, Hardness, QuestionKind, State, Takes};
use crate::storyboard::yaml::{Kind, Node};
use crate::storyboard::{
    Bounds, Event, Goal, GoalKind, Moment, Name, NotePart, Number, Question, Verb, When,
};

impl Reader<'_> {
    pub(super) fn event(&mut self, node: Node) -> Option<Event> {
        let mut fields = self.fields(node, "event")?;
        let when = self.when(&mut fields);
        let only_if = match fields.take("if") {
            Some(node) => self.number(node).map(Some),
            None => Some(None),
        };
        let with = self.company(&mut fields, "with");
        let without = self.company(&mut fields, "without");
        let mut verbs = Vec::new();
        for key in Verb::keys() {
            if let Some((span, value)) = fields.take_with_key(key) {
                verbs.push((key, span, value));
            }
        }
        if verbs.is_empty() && fields.has_unknown {
            return None; // that has been said
        }
        if verbs.len() != 1 {
            let keys: Vec<String> = Verb::keys().map(|key| format!("`{key}`")).collect();
            let keys = keys.join(", ");
            let message = format!("an event needs exactly one of {keys}");
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
        let verb = match (ActForm::of_key(key), ConditionForm::of_key(key)) {
            (Some(form), _) => self.deed(key, form, value)?,
            (_, Some(form)) => Verb::Hold(self.condition(form, value)?),
            (None, None) => self.note(value)?,
        };
        let (when, only_if, (with, with_span), (without, without_span)) = (when?, only_if?, with?, without?);
        if let Some(given) = with_span.or(without_span)
            && !verb.is_said()
        {
            let message = "only what is said takes `with` and `without`";
            let problem = Diagnostic::error(message, given, format!("`{}` is not said", verb.key()));
            self.problem(problem.help("`together` and `apart` say who is where in a window"));
            return None;
        }
        if verb.needs_step() && !matches!(when, When::At(_)) {
            let message = format!("`{}` happens at one step", verb.key());
            self.problem(Diagnostic::error(message, span, "needs `at`, not a window"));
            return None;
        }
        Some(Event { when, only_if, verb, with, without, span })
    }

    /// Who has to be there, or elsewhere, and where that is said; nobody, if it is not.
    fn company(&mut self, fields: &mut Fields, key: &str) -> Option<(Vec<Name>, Option<Span>)> {
        match fields.take_with_key(key) {
            Some((span, node)) => Some((self.one_or_more(node, "a role", Self::name)?, Some(span))),
            None => Some((Vec::new(), None)),
        }
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
                let message = "an event needs `at`, or `from` with `until` or `for`";
                self.problem(match given {
                    Some(span) => Diagnostic::error(message, span, "this combination is not allowed"),
                    None => Diagnostic::error(message, fields.span, "none of them here"),
                });
                None
            }
        }
    }

    /// Reads a sentence, cut where something is named.
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

    /// Reads a note: a sentence in the present, or one that has its verb in both tenses, as `{S1} [hums|hummed].`
    fn note(&mut self, node: Node) -> Option<Verb> {
        let span = node.span;
        let text = self.sentence(node, "a note")?;
        let whole: String =
            text.iter().map(|part| if let NotePart::Text(text) = part { text } else { "{}" }).collect();
        let help = "write each verb in the present and in the past, and names outside, as in \"{S1} [hums|hummed].\"";
        let Some([present, past]) = in_tenses(&whole) else {
            let message = "a pair of brackets in this note does not have two texts";
            self.problem(Diagnostic::error(message, span, "").help(help));
            return None;
        };
        if present == whole {
            return Some(Verb::Note { text, past: None });
        }
        let has_wrong_blanks = |told: &String| told.trim() != told || told.is_empty() || told.contains("  ");
        if has_wrong_blanks(&present) || has_wrong_blanks(&past) {
            let message = "in one tense, this note is empty or has blanks where none belong";
            self.problem(Diagnostic::error(message, span, "").help(help));
            return None;
        }
        let in_tense = |tense: usize| {
            let told =
                |text: &String| in_tenses(text).map_or_else(|| text.clone(), |told| told[tense].clone());
            let part = |part: &NotePart| match part {
                NotePart::Text(text) => NotePart::Text(told(text)),
                name => name.clone(),
            };
            text.iter().map(part).collect()
        };
        Some(Verb::Note { text: in_tense(0), past: Some(in_tense(1)) })
    }

    /// Reads one entry of `ensure`: its demand and, for the kinds that need one, its second key.
    pub(super) fn goal(&mut self, node: Node) -> Option<Goal> {
        let mut fields = self.fields(node, "goal")?;
        let mut found = Vec::new();
        for word in GoalWord::ALL {
            if let Some((span, value)) = fields.take_with_key(word.form().key) {
                found.push((word, span, value));
            }
        }
        if found.is_empty() && fields.has_unknown {
            return None; // that has been said
        }
        if found.len() != 1 {
            let keys = GoalWord::ALL.map(|word| format!("`{}`", word.form().key)).join(", ");
            let message = format!("a goal needs exactly one of {keys}");
            self.problem(match found.get(1) {
                Some((_, second, _)) => {
                    Diagnostic::error(message, *second, "the second").label(found[0].1, "the first")
                }
                None => Diagnostic::error(message, fields.span, "none here"),
            });
            return None;
        }
        let (word, span, value) = found.remove(0);
        let key = word.form().key;
        let kind = match word {
            GoalWord::Holds => {
                let chain = self.chain(key, value);
                let value = match fields.take("is") {
                    Some(node) => self.name(node, "what is held"),
                    None => self.held_in(&mut fields),
                };
                GoalKind::Holds { chain: chain?, value: value? }
            }
            GoalWord::FalseBelief => GoalKind::FalseBelief { chain: self.chain(key, value)? },
            GoalWord::TrueBelief => GoalKind::TrueBelief { chain: self.chain(key, value)? },
            GoalWord::Unknown => GoalKind::Unknown { chain: self.chain(key, value)? },
            GoalWord::Differs => {
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
            GoalWord::MisleadDistance => {
                let chain = self.chain(key, value);
                let (least, most) = self.distance(&mut fields, span)?;
                GoalKind::MisleadDistance { chain: chain?, least, most }
            }
            GoalWord::Difficulty => {
                let ranges = self.difficulty(value, span);
                let question = match fields.take("question") {
                    Some(node) => Some(self.number(node)?),
                    None => None,
                };
                GoalKind::Difficulty { ranges: ranges?, question }
            }
        };
        if let Some((extra, extra_span, _)) = fields.entries.first() {
            let message = format!("`{key}` does not take `{extra}`");
            self.problem(Diagnostic::error(message, *extra_span, "does not belong here"));
            return None;
        }
        Some(Goal { kind, span })
    }

    /// Reads a distance: `is: STEPS` or `within: [LEAST, MOST]`.
    fn distance(&mut self, fields: &mut Fields, key: Span) -> Option<(Number, Number)> {
        match (fields.take("is"), fields.take_with_key("within")) {
            (Some(node), None) => self.number(node).map(|number| (number.clone(), number)),
            (None, Some((_, node))) => self.bounds(node, "`within`"),
            (_, other) => {
                let message = "`mislead_distance` needs either `is: STEPS` or `within: [LEAST, MOST]`";
                self.problem(match other {
                    Some((second, _)) => Diagnostic::error(message, second, "both here"),
                    None => Diagnostic::error(message, key, "none of them here"),
                });
                None
            }
        }
    }

    /// Reads how difficult a question is to be: `80..100`, or `{updates: 3.., shortcuts_right: 0}`.
    fn difficulty(&mut self, node: Node, key: Span) -> Option<Vec<(Spanned<Hardness>, Bounds)>> {
        if !matches!(node.kind, Kind::Map(_)) {
            return Some(vec![(Spanned::new(Hardness::Quantile, key), self.range(node)?)]);
        }
        let span = node.span;
        let mut fields = self.fields(node, "difficulty")?;
        let mut ranges = Vec::new();
        for number in Hardness::ALL {
            if let Some((key, node)) = fields.take_with_key(number.key()) {
                ranges.push((Spanned::new(number, key), self.range(node)?));
            }
        }
        if ranges.is_empty() {
            if !fields.has_unknown {
                let problem = Diagnostic::error("this demands nothing", span, "no number here");
                self.problem(problem.help("write `80..100`, or a number with its range: `{updates: 3..}`"));
            }
            return None;
        }
        Some(ranges)
    }

    /// Reads where an item is held to be.
    fn held_in(&mut self, fields: &mut Fields) -> Option<Name> {
        if let Some(node) = fields.take("in") {
            return self.name(node, "a place");
        }
        if !fields.meant.iter().any(|meant| ["in", "is"].contains(meant)) {
            let message = "`holds` needs `in`, or `is` for a proposition";
            self.problem(Diagnostic::error(message, fields.span, "it is missing here"));
        }
        None
    }

    /// Reads a pair of bounds: `[LEAST, MOST]`.
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

    /// Reads a chain: at least one mind or companion, and the target.
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
        let choices = fields.take("choices");
        let (of, unlike) = (fields.take("of"), fields.take("unlike"));
        let scenario = fields.take_with_key("in");
        let states = [fields.take_with_key("state"), fields.take_with_key("on")];
        let mut entries = fields.entries;
        if entries.is_empty() && fields.has_unknown {
            return None; // that has been said
        }
        if entries.len() != 1 {
            let message = "a question has exactly one kind";
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
                let message = "a question takes either `before` or `without`";
                self.problem(Diagnostic::error(message, second, "the second").label(first, "the first"));
                None
            }
        };
        let (key, span, value) = entries.remove(0);
        let is_all = key == "dynamics";
        let kind = match key.as_str() {
            "dynamics" => QuestionKind::BeliefIn,
            // A belief at the end of a scenario.
            "belief" if scenario.is_some() => QuestionKind::BeliefIn,
            _ => QuestionKind::ALL.iter().copied().find(|kind| kind.key() == key)?,
        };
        let of_scenarios = self.of_scenarios(kind, (is_all, &key, span), scenario, states);
        let roles = match kind.form().takes {
            Takes::Target => vec![self.name(value, "the target")?],
            Takes::Chain => self.chain(&key, value)?,
            Takes::ChainOrTarget => self.one_or_more(value, "the target", Self::name)?,
        };
        let choices = match choices {
            Some(node) => self.names(node, "an answer", Self::name)?,
            None => Vec::new(),
        };
        let of = match of {
            Some(node) => self.one_or_more(node, "a role or a group", Self::name)?,
            None => Vec::new(),
        };
        let unlike = match unlike {
            Some(node) => Some(self.number(node)?),
            None => None,
        };
        let (scenario, state) = of_scenarios?;
        Some(Question { kind, roles, moment: moment?, scenario, state, is_all, choices, of, unlike, span })
    }

    /// Which scenario and which state a question asks of, if it asks of scenarios.
    fn of_scenarios(
        &mut self,
        kind: QuestionKind,
        (is_all, key, span): (bool, &str, Span),
        scenario: Option<(Span, Node)>,
        states: [Option<(Span, Node)>; 2],
    ) -> Option<(Option<Number>, Option<State>)> {
        use QuestionKind::{Action, BeliefIn, Cause, Changed, Course, Emotion, Influence, Intention};
        let has_scenario = kind.is_of_scenarios() && kind != Course && !is_all;
        let wants = match kind {
            Changed | Cause | Course => Some("state"),
            Influence => Some("on"),
            _ => None,
        };
        let scenario = match scenario {
            Some((at, _)) if !has_scenario => {
                let message = format!("`{key}` does not take `in`");
                self.problem(Diagnostic::error(message, at, "does not belong here"));
                return None;
            }
            None if has_scenario => {
                let message = format!("`{key}` asks about the end of a scenario");
                self.problem(Diagnostic::error(message, span, "needs `in: NUMBER`"));
                return None;
            }
            Some((_, node)) => Some(self.number(node)?),
            None => None,
        };
        let mut state = match kind {
            BeliefIn => Some(State::Belief),
            Emotion => Some(State::Emotion),
            Intention => Some(State::Intention),
            Action => Some(State::Action),
            _ => None,
        };
        for (name, given) in ["state", "on"].into_iter().zip(states) {
            match given {
                Some((at, _)) if wants != Some(name) => {
                    let message = format!("`{key}` does not take `{name}`");
                    self.problem(Diagnostic::error(message, at, "does not belong here"));
                    return None;
                }
                None if wants == Some(name) => {
                    let message = format!("`{key}` needs `{name}`: which of the four states");
                    let problem = Diagnostic::error(message, span, "it is missing here");
                    self.problem(problem.help("belief, emotion, intention or action"));
                    return None;
                }
                Some((_, node)) => {
                    // Nothing comes before a belief but the news.
                    let all = &State::ALL[usize::from(name == "on")..];
                    let words: Vec<&str> = all.iter().map(|state| state.word()).collect();
                    state = Some(all[self.one_of(node, &format!("`{name}` is"), &words)?]);
                }
                None => {}
            }
        }
        Some((scenario, if is_all { None } else { state }))
    }
}

/// A text in the present and in the past: `[hums|hummed]` is `hums` or `hummed`. Brackets without a bar are part of the text. `None` if
/// there is another number of texts between brackets, or a name.
fn in_tenses(text: &str) -> Option<[String; 2]> {
    let (mut told, mut rest) = ([String::new(), String::new()], text);
    while let Some((before, after)) = rest.split_once('[') {
        let Some((inside, after)) = after.split_once(']') else { break };
        let words: Vec<&str> = inside.split('|').collect();
        let both = match words[..] {
            [_] => [&rest[before.len()..rest.len() - after.len()]; 2],
            [present, past] if !inside.contains(['[', '{']) => [present, past],
            _ => return None,
        };
        for (told, words) in told.iter_mut().zip(both) {
            told.push_str(before);
            told.push_str(words);
        }
        rest = after;
    }
    told.iter_mut().for_each(|told| told.push_str(rest));
    Some(told)
}
