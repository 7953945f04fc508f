//! Events, their times, notes and goals.

use std::collections::HashMap;

use super::{Condition, Demand, Ensured, Place, Resolver, Scope};
use crate::belief::Chain;
use crate::diagnostic::{Diagnostic, Span, counted};
use crate::form::{self, Act, ConditionPart};
use crate::id::CharacterId;
use crate::plan::{Attention, Goal, Memory, Note, NotePiece, Staging};
use crate::storyboard::{Event, GoalKind, Name, NotePart, Number, Verb, When};

/// The largest number of cells for following the chains of all goals, which happens in story after story.
const GOAL_CELLS_MAX: usize = 1 << 23;

impl Resolver<'_> {
    /// The conditions, and the memories that they need. Deeds go into the staging.
    pub(super) fn conditions(
        &mut self,
        scope: &Scope,
        character_count: usize,
        staging: &mut Staging,
    ) -> (Vec<Condition>, Vec<Memory>) {
        let (mut conditions, mut memories) = (Vec::new(), Vec::new());
        for (number, event) in self.storyboard.events.iter().enumerate() {
            let window = self.window_of(event);
            if let (Verb::Do(direction), Some((from, until))) = (&event.verb, window)
                && let Act::Reveal(Some(that)) = &direction.act
                && from < until
            {
                self.check_level(scope, that);
            }
            let demand = match &event.verb {
                Verb::Do(direction) => self.deed(scope, staging, event, direction).map(|(demand, deed)| {
                    if let Demand::Deed { with, .. } = &demand
                        && event.verb.is_said()
                    {
                        staging.audiences.extend(window.map(|(step, _)| (step, with.clone())));
                    }
                    if deed.act != Act::Go {
                        staging.deeds.extend(window.map(|(step, _)| (step, deed)));
                        staging.sources.extend(window.map(|(step, _)| (step, number)));
                    }
                    demand
                }),
                Verb::Hold(condition) => {
                    let moved = CharacterId::new(character_count + memories.len());
                    match self.condition(scope, event, condition).map(|condition| meaning(condition, moved)) {
                        Some(Meaning::Demand(demand)) => Some(demand),
                        Some(Meaning::Attention(attention)) => {
                            self.attention(event, window, attention, staging);
                            staging.sources.extend(window.map(|(step, _)| (step, number)));
                            continue;
                        }
                        None => None,
                    }
                }
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
        staging.deeds.sort_by_key(|&(step, _)| step);
        staging.audiences.sort_by_key(|&(step, _)| step);
        (conditions, memories)
    }

    /// Resolves at least two distinct roles.
    pub(super) fn several(
        &mut self,
        scope: &Scope,
        names: &[Name],
        what: &str,
        span: Span,
    ) -> Option<Vec<CharacterId>> {
        if names.len() < 2 {
            let message = format!("{what} needs at least two roles");
            self.problem(Diagnostic::error(message, span, format!("{} here", names.len())));
        }
        self.company(scope, names)
    }

    /// A condition with names replaced by numbers.
    fn condition(
        &mut self,
        scope: &Scope,
        event: &Event,
        condition: &form::Condition<Name, Name>,
    ) -> Option<form::Condition<CharacterId, Place>> {
        self.check_onlookers(condition);
        condition.map(|part| {
            Some(match part {
                ConditionPart::People(names) => ConditionPart::People(self.company(scope, &names)?),
                ConditionPart::Company(names) => {
                    let key = event.verb.key();
                    let what = if key == "meet" { "a meeting".to_owned() } else { format!("`{key}`") };
                    ConditionPart::Company(self.several(scope, &names, &what, event.span)?)
                }
                ConditionPart::Person(name) => ConditionPart::Person(self.role(scope, &name)?),
                ConditionPart::Place(name) => ConditionPart::Place(self.place(scope, &name)?),
                ConditionPart::Anywhere(None) => ConditionPart::Anywhere(None),
                ConditionPart::Anywhere(Some(name)) => {
                    ConditionPart::Anywhere(Some(self.place(scope, &name)?))
                }
                ConditionPart::Flag(is_so) => ConditionPart::Flag(is_so),
            })
        })
    }

    /// Reports when somebody has to miss her own moves, or to follow herself.
    fn check_onlookers(&mut self, condition: &form::Condition<Name, Name>) {
        match condition {
            form::Condition::Unseen { who, by } => {
                for name in who {
                    let Some(other) = by.iter().find(|other| other.value == name.value) else { continue };
                    let message = format!("`{}` sees its own moves", name.value);
                    let problem = Diagnostic::error(message, other.span, "always sees them")
                        .label(name.span, "moves")
                        .help("use `idle` if somebody should not move");
                    self.problem(problem);
                }
            }
            form::Condition::Follow { who, whom } => {
                self.no_duplicates(&[who.clone(), whom.clone()], "role");
            }
            _ => {}
        }
    }

    /// The goals that are ensured at the end.
    pub(super) fn goals(&mut self, scope: &Scope) -> Vec<Ensured> {
        let mut goals = Vec::new();
        for goal in &self.storyboard.goals {
            let resolved = match &goal.kind {
                GoalKind::Holds { chain, value } => self.chain(scope, chain).and_then(|chain| {
                    let value = self.value(scope, value, chain.target())?;
                    Some(Goal::Holds(chain, value))
                }),
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
                GoalKind::Difficulty { ranges, question } => self.difficulty(ranges, question.as_ref()),
            };
            goals.extend(resolved.map(|resolved| Ensured { goal: resolved, span: goal.span }));
        }
        let order = |ensured: &&Ensured| ensured.goal.chains().iter().map(Chain::order).max();
        let longest = goals.iter().max_by_key(order).map(|ensured| ensured.span);
        let lengths = goals.iter().flat_map(|ensured| ensured.goal.chains()).map(|chain| chain.order() + 1);
        self.check_chain_cells(lengths, GOAL_CELLS_MAX, longest, "goals");
        goals
    }

    /// A distance as a range of steps.
    fn distance(&mut self, least: &Number, most: &Number) -> Option<(usize, usize)> {
        let (least_value, most_value) = (self.number(least), self.number(most));
        let (least_value, most_value) = (least_value?, most_value?);
        if least_value > most_value {
            let message = "the smallest distance is larger than the largest";
            let problem = Diagnostic::error(message, least.span, counted(least_value, "step"))
                .label(most.span, counted(most_value, "step"));
            self.problem(problem);
            return None;
        }
        let horizon = self.horizon?;
        let steps = |value: i64| usize::try_from(value).ok().filter(|&steps| steps < horizon);
        let mut wrong = |number: &Number, value: i64| {
            let message =
                format!("in a story of {}, a distance is 0 to {}", counted(horizon, "step"), horizon - 1);
            self.problem(Diagnostic::error(message, number.span, format!("this is {value}")));
        };
        match (steps(least_value), steps(most_value)) {
            (Some(least), Some(most)) => return Some((least, most)),
            (None, _) => wrong(least, least_value),
            (_, None) => wrong(most, most_value),
        }
        None
    }

    /// The first step of an event and the step after its last, if the event is part of the storyboard at all.
    fn window_of(&mut self, event: &Event) -> Option<(usize, usize)> {
        if let Some(number) = &event.only_if
            && self.number(number)? <= 0
        {
            return None;
        }
        self.window(&event.when)
    }

    /// The number of a step, which must be within the story.
    pub(super) fn step(&mut self, number: &Number) -> Option<usize> {
        let step = self.number(number)?;
        let horizon = self.horizon?;
        let found = usize::try_from(step).ok().filter(|&step| step < horizon);
        if found.is_none() {
            let message = format!("the steps of this story are 0 to {}", horizon - 1);
            let problem = Diagnostic::error(message, number.span, format!("this is step {step}"))
                .label(self.storyboard.horizon.span, format!("the horizon is {horizon}"));
            self.problem(problem);
        }
        found
    }

    /// The first step of a window, and the step after its last one.
    fn window(&mut self, when: &When) -> Option<(usize, usize)> {
        match when {
            When::At(at) => self.step(at).map(|step| (step, step + 1)),
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
                    format!("this window goes beyond the story, whose steps are 0 to {}", horizon - 1);
                let problem =
                    Diagnostic::error(message, from.span, format!("from step {first} until {last}"))
                        .label(self.storyboard.horizon.span, format!("the horizon is {horizon}"))
                        .help("`until: end` reaches the end of the story, whatever the horizon");
                self.problem(problem);
                None
            }
        }
    }

    /// Reports two conditions that both decide what the event of a step is.
    pub(super) fn overlaps(&mut self, conditions: &[Condition]) {
        let mut forced: HashMap<usize, Span> = HashMap::new();
        for condition in conditions.iter().filter(|condition| condition.demand.is_forced()) {
            if let Some(&first) = forced.get(&condition.from) {
                let message =
                    format!("step {} has two forced events, but a step has only one event", condition.from);
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
            let Verb::Note { text, past } = &event.verb else { continue };
            // What is wrong with when it stands has been reported, with all other events.
            let window = if self.problems.is_empty() { self.window_of(event) } else { None };
            let text = self.sentence(scope, text);
            // Names that nobody knows have been reported.
            let past =
                past.as_ref().filter(|_| self.problems.is_empty()).map(|past| self.sentence(scope, past));
            notes.extend(window.map(|(step, _)| Note { step, counted: Vec::new(), text, past }));
        }
        notes.sort_by_key(|note| note.step);
        notes
    }

    /// The pieces of a sentence that names roles and binds.
    pub(super) fn sentence(&mut self, scope: &Scope, text: &[NotePart]) -> Vec<NotePiece> {
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
                        self.problem(Diagnostic::error(message, name.span, "unknown").maybe_help(help));
                    }
                }
            }
        }
        pieces
    }
}

/// What a condition means: a demand on the walks, or on who notices what.
enum Meaning {
    Demand(Demand),
    Attention(Attention),
}

/// The meaning of a condition; `moved` is the slot of the memory of whether somebody has moved, if one is needed.
fn meaning(condition: form::Condition<CharacterId, Place>, moved: CharacterId) -> Meaning {
    Meaning::Demand(match condition {
        form::Condition::Meet { who, place } => Demand::Meet { who, place },
        form::Condition::Idle { who } => Demand::Idle { who },
        form::Condition::Apart { who } => Demand::Apart { who },
        form::Condition::Together { who } => Demand::Together { who },
        form::Condition::Unseen { who, by } => Demand::Unseen { who, by },
        form::Condition::Avoid { who, place } => Demand::Avoid { who, place },
        form::Condition::Follow { who, whom } => Demand::Follow { who, whom, moved, must_move: true },
        form::Condition::Peek { who } => return Meaning::Attention(Attention::Peek(who)),
        form::Condition::Distracted { who, is_noticed } => {
            return Meaning::Attention(Attention::Distracted { who, is_noticed });
        }
    })
}
