//! Events, their times, notes and questions.

use std::collections::HashMap;

use super::{Condition, Demand, Resolver, Scope};
use crate::diagnostic::{Diagnostic, Span};
use crate::id::CharacterId;
use crate::plan::{Note, NotePiece, Question};
use crate::storyboard::{Name, NotePart, Number, QuestionKind, Verb, When};

/// Following all chains of a storyboard may take this many cells: 128 MB a thread.
const CHAIN_CELLS_MAX: usize = 1 << 26;

impl Resolver<'_> {
    pub(super) fn conditions(&mut self, scope: &Scope) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for event in &self.storyboard.events {
            let window = self.window(&event.when);
            let demand = match &event.verb {
                Verb::Move { who, to } => {
                    let (who, to) = (self.role(scope, who), self.place(scope, to));
                    who.zip(to).map(|(who, to)| Demand::Move { who, to })
                }
                Verb::Meet { who, place } => {
                    if who.len() < 2 {
                        let message = "a meeting needs at least two roles";
                        self.problem(Diagnostic::error(message, event.span, format!("{} here", who.len())));
                    }
                    let (who, place) = (self.company(scope, who), self.place(scope, place));
                    who.zip(place).map(|(who, place)| Demand::Meet { who, place })
                }
                Verb::Idle { who } => self.company(scope, who).map(|who| Demand::Idle { who }),
                Verb::Note { .. } => continue,
            };
            if let (Some((from, until)), Some(demand)) = (window, demand)
                && from < until
            {
                conditions.push(Condition { from, until, demand, span: event.span });
            }
        }
        conditions
    }

    /// The steps from the first up to but not including the second.
    fn window(&mut self, when: &When) -> Option<(usize, usize)> {
        let horizon = self.horizon;
        match when {
            When::At(at) => {
                let step = self.number(at)?;
                let horizon = horizon?;
                match usize::try_from(step) {
                    Ok(step) if step < horizon => Some((step, step + 1)),
                    _ => {
                        let message = format!("this story has the steps 0 to {}", horizon - 1);
                        let problem = Diagnostic::error(message, at.span, format!("this is step {step}"))
                            .label(self.storyboard.horizon.span, format!("the horizon is {horizon}"));
                        self.problem(problem);
                        None
                    }
                }
            }
            When::Until(from, until) => {
                let (first, last) = (self.number(from), self.number(until));
                self.bounded(from, first?, until, last?)
            }
            When::For(from, length) => {
                let (first, steps) = (self.number(from)?, self.number(length)?);
                let Some(last) = first.checked_add(steps) else {
                    self.problem(Diagnostic::error(
                        "this number is too large",
                        length.span,
                        "beyond 64 bits",
                    ));
                    return None;
                };
                self.bounded(from, first, length, last)
            }
        }
    }

    fn bounded(&mut self, from: &Number, first: i64, until: &Number, last: i64) -> Option<(usize, usize)> {
        let horizon = self.horizon?;
        if first > last {
            let message = "this window ends before it begins";
            let problem = Diagnostic::error(message, until.span, format!("it ends before step {last}"))
                .label(from.span, format!("it begins at step {first}"));
            self.problem(problem);
            return None;
        }
        let bound = |value: i64| usize::try_from(value).ok().filter(|&step| step <= horizon);
        match (bound(first), bound(last)) {
            (Some(first), Some(last)) => Some((first, last)),
            _ => {
                let message =
                    format!("this window leaves the story, which has the steps 0 to {}", horizon - 1);
                let problem =
                    Diagnostic::error(message, from.span, format!("from step {first} until {last}"))
                        .label(self.storyboard.horizon.span, format!("the horizon is {horizon}"))
                        .help("`until: end` reaches to the end whatever the horizon");
                self.problem(problem);
                None
            }
        }
    }

    /// Two conditions that both say what the event of a step is.
    pub(super) fn overlaps(&mut self, conditions: &[Condition]) {
        let mut forced: HashMap<usize, Span> = HashMap::new();
        for condition in conditions.iter().filter(|condition| condition.demand.is_forced()) {
            if let Some(&first) = forced.get(&condition.from) {
                let message =
                    format!("step {} has two forced events, and a step has one event", condition.from);
                let problem =
                    Diagnostic::error(message, condition.span, "the second").label(first, "the first");
                self.problem(problem);
            } else {
                forced.insert(condition.from, condition.span);
            }
        }
    }

    pub(super) fn notes(&mut self, scope: &Scope) -> Vec<Note> {
        let mut notes = Vec::new();
        for event in &self.storyboard.events {
            let Verb::Note { text } = &event.verb else { continue };
            let window = self.window(&event.when);
            let mut pieces = Vec::new();
            for part in text {
                match part {
                    NotePart::Text(text) => pieces.push(NotePiece::Text(text.clone())),
                    NotePart::Name(name) => {
                        if let Some(&role) = scope.roles.get(name.value.as_str()) {
                            pieces.push(NotePiece::Character(role));
                        } else if let Some(&bind) = scope.binds.get(name.value.as_str()) {
                            pieces.push(NotePiece::Bind(bind));
                        } else {
                            let known = scope.roles.keys().chain(scope.binds.keys()).copied();
                            let help = self.suggest(&name.value, known);
                            let message = format!("no role or bind is called `{}`", name.value);
                            self.problem(Diagnostic::error(message, name.span, "not known").maybe_help(help));
                        }
                    }
                }
            }
            if let Some((step, _)) = window {
                notes.push(Note { step, text: pieces });
            }
        }
        notes.sort_by_key(|note| note.step);
        notes
    }

    pub(super) fn questions(&mut self, scope: &Scope) -> Vec<Question> {
        let mut questions = Vec::new();
        for question in &self.storyboard.questions {
            let before = self.problems.len();
            let roles: Vec<CharacterId> =
                question.roles.iter().filter_map(|name| self.role(scope, name)).collect();
            if self.problems.len() > before {
                continue;
            }
            match question.kind {
                QuestionKind::Belief => self.check_chain(&question.roles),
                QuestionKind::World | QuestionKind::WorldThings => {
                    self.no_duplicates(&question.roles, "role")
                }
                QuestionKind::Reality | QuestionKind::Start => {}
            }
            if let Some((&target, others)) = roles.split_last() {
                questions.push(Question { kind: question.kind, others: others.to_vec(), target });
            }
        }
        self.check_chain_cells(&questions);
        questions
    }

    /// What following the chains of all questions takes, before every step.
    fn check_chain_cells(&mut self, questions: &[Question]) {
        let Some(horizon) = self.horizon else { return };
        let cells = |question: &Question| (question.others.len() + 1).pow(2);
        let total: usize = questions.iter().map(cells).sum();
        if total.saturating_mul(horizon) > CHAIN_CELLS_MAX || total > CHAIN_CELLS_MAX / 64 {
            let board = &self.storyboard.questions;
            let longest =
                board.iter().max_by_key(|question| question.roles.len()).expect("there are questions");
            let message = "the chains of these questions are too long for stories of so many steps";
            let help = format!("steps times the sum of (order + 1)² is at most {CHAIN_CELLS_MAX}");
            self.problem(Diagnostic::error(message, longest.span, "the longest").help(help));
        }
    }

    fn check_chain(&mut self, roles: &[Name]) {
        for (at, pair) in roles.windows(2).enumerate() {
            if pair[0].value != pair[1].value {
                continue;
            }
            let is_last = at + 2 == roles.len();
            let message = if is_last {
                format!("the last mind of this chain is its target, `{}`", pair[1].value)
            } else {
                format!("this chain names `{}` twice in succession", pair[1].value)
            };
            let help = if is_last {
                "everyone knows where she herself is: leave out the last mind"
            } else {
                "everyone knows what she herself thinks: leave out one of the two"
            };
            self.problem(
                Diagnostic::error(message, pair[1].span, "the second")
                    .label(pair[0].span, "the first")
                    .help(help),
            );
        }
    }
}
