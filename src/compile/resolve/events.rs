//! Events, their times, notes and questions.

use std::collections::HashMap;

use super::{Condition, Demand, Ensured, Resolver, Scope};
use crate::belief::Chain;
use crate::diagnostic::{Diagnostic, Span};
use crate::id::CharacterId;
use crate::plan::{Goal, Memory, Moment, Note, NotePiece, Question, Target};
use crate::storyboard::{GoalKind, Name, NotePart, Number, QuestionKind, Verb, When};

/// Following all chains of a storyboard may take this many cells: 128 MB a thread.
const CHAIN_CELLS_MAX: usize = 1 << 26;

/// The same for goals, whose chains are followed in story after story.
const GOAL_CELLS_MAX: usize = 1 << 23;

impl Resolver<'_> {
    /// The conditions, and the memories that they need.
    pub(super) fn conditions(
        &mut self,
        scope: &Scope,
        character_count: usize,
    ) -> (Vec<Condition>, Vec<Memory>) {
        let (mut conditions, mut memories) = (Vec::new(), Vec::new());
        for event in &self.storyboard.events {
            let window = self.window(&event.when);
            let demand = match &event.verb {
                Verb::Move { who, to } => {
                    let (who, to) = (self.role(scope, who), self.place(scope, to));
                    who.zip(to).map(|(who, to)| Demand::Move { who, to })
                }
                Verb::Meet { who, place } => {
                    let who = self.several(scope, who, "a meeting", event.span);
                    match place {
                        Some(place) => self
                            .place(scope, place)
                            .zip(who)
                            .map(|(place, who)| Demand::Meet { who, place: Some(place) }),
                        None => who.map(|who| Demand::Meet { who, place: None }),
                    }
                }
                Verb::Idle { who } => self.company(scope, who).map(|who| Demand::Idle { who }),
                Verb::Apart { who } => {
                    self.several(scope, who, "`apart`", event.span).map(|who| Demand::Apart { who })
                }
                Verb::Together { who } => {
                    self.several(scope, who, "`together`", event.span).map(|who| Demand::Together { who })
                }
                Verb::Unseen { who, by } => self.unseen(scope, who, by),
                Verb::Avoid { who, place } => {
                    let (who, place) = (self.company(scope, who), self.place(scope, place));
                    who.zip(place).map(|(who, place)| Demand::Avoid { who, place })
                }
                Verb::Follow { who, whom } => {
                    self.no_duplicates(&[who.clone(), whom.clone()], "role");
                    let (who, whom) = (self.role(scope, who), self.role(scope, whom));
                    who.zip(whom).map(|(who, whom)| {
                        let moved = CharacterId::new(character_count + memories.len());
                        Demand::Follow { who, whom, moved, must_move: true }
                    })
                }
                Verb::MoveTogether { .. }
                | Verb::Carry { .. }
                | Verb::Take { .. }
                | Verb::Put { .. }
                | Verb::MoveObject { .. }
                | Verb::Throw { .. }
                | Verb::Open { .. }
                | Verb::Close { .. }
                | Verb::Tell { .. }
                | Verb::React { .. }
                | Verb::Peek { .. }
                | Verb::Distracted { .. } => continue,
                Verb::Note { .. } => continue,
            };
            if let (Some((from, until)), Some(demand)) = (window, demand)
                && from < until
            {
                if let Demand::Follow { who, .. } = demand {
                    memories.push(Memory::Moved { who });
                }
                conditions.push(Condition { from, until, demand, span: event.span });
            }
        }
        (conditions, memories)
    }

    /// At least two distinct roles.
    fn several(&mut self, scope: &Scope, names: &[Name], what: &str, span: Span) -> Option<Vec<CharacterId>> {
        if names.len() < 2 {
            let message = format!("{what} needs at least two roles");
            self.problem(Diagnostic::error(message, span, format!("{} here", names.len())));
        }
        self.company(scope, names)
    }

    fn unseen(&mut self, scope: &Scope, who: &[Name], by: &[Name]) -> Option<Demand> {
        for name in who {
            if let Some(other) = by.iter().find(|other| other.value == name.value) {
                let message = format!("`{}` sees its own moves", name.value);
                let problem = Diagnostic::error(message, other.span, "cannot but see")
                    .label(name.span, "moves")
                    .help("`idle` says that somebody does not move");
                self.problem(problem);
            }
        }
        let (who, by) = (self.company(scope, who), self.company(scope, by));
        who.zip(by).map(|(who, by)| Demand::Unseen { who, by })
    }

    /// What is ensured at the end.
    pub(super) fn goals(&mut self, scope: &Scope) -> Vec<Ensured> {
        let mut goals = Vec::new();
        for goal in &self.storyboard.goals {
            let resolved = match &goal.kind {
                GoalKind::Holds { chain, place } => {
                    let (chain, place) = (self.chain(scope, chain), self.place(scope, place));
                    chain.zip(place).map(|(chain, place)| Goal::Holds(chain, place))
                }
                GoalKind::FalseBelief { chain } => self.chain(scope, chain).map(Goal::FalseBelief),
                GoalKind::TrueBelief { chain } => self.chain(scope, chain).map(Goal::TrueBelief),
                GoalKind::Unknown { chain } => self.chain(scope, chain).map(Goal::Unknown),
                GoalKind::Differs { chains: [one, other] } => {
                    let (one, other) = (self.chain(scope, one), self.chain(scope, other));
                    one.zip(other).map(|(one, other)| Goal::Differs([one, other]))
                }
                GoalKind::MisleadDistance { chain, least, most } => {
                    let chain = self.chain(scope, chain);
                    let bounds = self.distance(least, most);
                    chain.zip(bounds).map(|(chain, (least, most))| Goal::MisleadDistance(chain, least, most))
                }
            };
            goals.extend(resolved.map(|resolved| Ensured { goal: resolved, span: goal.span }));
        }
        let order = |ensured: &&Ensured| ensured.goal.chains().iter().map(Chain::order).max();
        let longest = goals.iter().max_by_key(order).map(|ensured| ensured.span);
        let lengths = goals.iter().flat_map(|ensured| ensured.goal.chains()).map(|chain| chain.order() + 1);
        self.check_chain_cells(lengths, GOAL_CELLS_MAX, longest, "goals");
        goals
    }

    fn chain(&mut self, scope: &Scope, names: &[Name]) -> Option<Chain> {
        let before = self.problems.len();
        let roles: Vec<CharacterId> = names.iter().filter_map(|name| self.role(scope, name)).collect();
        if self.problems.len() > before {
            return None;
        }
        self.check_chain(names);
        let (&target, minds) = roles.split_last()?;
        (self.problems.len() == before).then(|| Chain::new(minds, target))
    }

    /// A number of steps, or two.
    fn distance(&mut self, least: &Number, most: &Number) -> Option<(usize, usize)> {
        let (least_value, most_value) = (self.number(least), self.number(most));
        let (least_value, most_value) = (least_value?, most_value?);
        if least_value > most_value {
            let message = "the least distance is above the most";
            let problem = Diagnostic::error(message, least.span, format!("{least_value} steps"))
                .label(most.span, format!("{most_value} steps"));
            self.problem(problem);
            return None;
        }
        let horizon = self.horizon?;
        let steps = |value: i64| usize::try_from(value).ok().filter(|&steps| steps < horizon);
        let mut wrong = |number: &Number, value: i64| {
            let message = format!("in a story of {horizon} steps a distance is 0 to {}", horizon - 1);
            self.problem(Diagnostic::error(message, number.span, format!("this is {value}")));
        };
        match (steps(least_value), steps(most_value)) {
            (Some(least), Some(most)) => return Some((least, most)),
            (None, _) => wrong(least, least_value),
            (_, None) => wrong(most, most_value),
        }
        None
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
                _ => {}
            }
            if let Some((&target, others)) = roles.split_last() {
                let target = Target::Item(target.into());
                let moment = Moment::End;
                questions.push(Question { kind: question.kind, others: others.to_vec(), target, moment });
            }
        }
        let chain = |question: &Question| question.others.len() + 1;
        let longest = self.storyboard.questions.iter().max_by_key(|question| question.roles.len());
        let span = longest.map(|question| question.span);
        self.check_chain_cells(questions.iter().map(chain), CHAIN_CELLS_MAX, span, "questions");
        questions
    }

    /// What following all chains takes, before every step. `longest` is where the longest one stands.
    fn check_chain_cells(
        &mut self,
        lengths: impl Iterator<Item = usize>,
        most: usize,
        longest: Option<Span>,
        what: &str,
    ) {
        let (Some(horizon), Some(longest)) = (self.horizon, longest) else { return };
        let total: usize = lengths.map(|length| length.pow(2)).sum();
        if total.saturating_mul(horizon) > most || total > most / 64 {
            let message = format!("the chains of these {what} are too long for stories of so many steps");
            let help = format!("steps times the sum of (order + 1)² is at most {most}");
            self.problem(Diagnostic::error(message, longest, "the longest").help(help));
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
