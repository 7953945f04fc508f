//! On which names a violation rests: under all casts that agree on these, the story fails as early.
//!
//! A condition looks at the names that stand in it, and at where people are; an event that cannot happen is so whoever
//! plays. Where people speak or handle things, more matters (who knows what, who is whose friend, where an object is at the
//! start); then all names by which the storyboard says such things are grounds. Too many grounds only make the search slower.

use std::collections::BTreeSet;

use super::account::{Account, SaidStart};
use super::variable::{Kind, Variable};
use crate::check::{Act, ActInCheck, Moment, Violation};
use crate::form::ActKind;
use crate::storyboard::{Goal, GoalKind, Name, Start, Storyboard, Verb};

/// A set of variables, by their numbers.
pub(super) type Variables = BTreeSet<usize>;

/// Finds the variables on which violations of a story rest.
pub(super) struct Grounds<'a, 's> {
    board: &'a Storyboard,
    account: &'s Account<'a>,
    variables: &'s [Variable<'a>],
    binds: Variables,
    /// The variables in what the storyboard says about the start.
    start: Variables,
    /// The variables in what it says about everything except walking.
    things: Variables,
}

impl<'a, 's> Grounds<'a, 's> {
    /// The grounds of a story that leaves these variables open.
    pub fn new(board: &'a Storyboard, account: &'s Account<'a>, variables: &'s [Variable<'a>]) -> Self {
        let none = Variables::new;
        let mut grounds = Self { board, account, variables, binds: none(), start: none(), things: none() };
        grounds.binds = grounds.numbers(board.binds.iter().map(|bind| &bind.name));
        grounds.start = match &board.start {
            Start::Everyone(place) => grounds.numbers([place]),
            Start::Drawn(_) => none(),
            Start::Each { roles, others, .. } => {
                grounds.numbers(roles.iter().flat_map(|(role, place)| [role, place]).chain(others))
            }
        };
        grounds.things = grounds.of_things();
        grounds
    }

    /// The variables on which a violation rests.
    pub fn of(&self, violation: &Violation) -> Variables {
        if self.board.weave.is_some() {
            // Any of the boards may have failed, for any reason.
            return (0..self.variables.len()).collect();
        }
        let is_said = !matches!(self.account.start, SaidStart::Nothing);
        let places = if is_said { Variables::new() } else { self.start.clone() };
        let event = self.board.events.iter().find(|event| Some(event.span) == violation.span);
        match (violation.moment, event) {
            (Moment::Start, _) => &(&self.start | &self.binds) | &self.things,
            (Moment::Step(_), Some(event)) => {
                let named = event.verb.names();
                let named = named.iter().chain(&event.with).chain(&event.without);
                let own = &self.numbers(named) | &places;
                let is_of_minds = match &event.verb {
                    Verb::Do(direction) => matches!(direction.act.kind(), ActKind::Tell | ActKind::Reveal),
                    Verb::Note { .. } => true,
                    Verb::Hold(_) => false,
                };
                if is_of_minds { &own | &self.things } else { own }
            }
            (Moment::Step(step), None) => &places | &self.of_event(step),
            (Moment::End, _) => {
                let goals = self.board.goals.iter().filter(|goal| Some(goal.span) == violation.span);
                &(&self.numbers(goals.flat_map(goal_names)) | &places) | &self.things
            }
        }
    }

    /// The variables, besides places, on which it rests that an event cannot happen. (After the last event none can, whoever
    /// plays.)
    fn of_event(&self, step: usize) -> Variables {
        let Some(told) = self.account.told.get(step) else { return Variables::new() };
        let is_noted = self.account.notes.iter().flatten().any(|note| note.step == step);
        if is_noted || !told.deed.peeking.is_empty() || !told.deed.distracted.is_empty() {
            return self.things.clone();
        }
        match (&told.deed.act, told.deed.act.moved()) {
            (Act::Go | Act::GoTogether(_), _) => Variables::new(),
            (_, Some(object)) => self.of_object(object),
            (_, None) => self.things.clone(),
        }
    }

    /// The variables on which it rests where an object and all containers are.
    fn of_object(&self, name: &str) -> Variables {
        let objects = self.board.objects.iter().filter(|object| object.name.value == name);
        let names = objects.flat_map(|object| std::iter::once(&object.name).chain(&object.start));
        self.numbers(names.chain(self.board.containers.iter().map(|container| &container.place)))
    }

    fn numbers<'n>(&self, names: impl IntoIterator<Item = &'n Name>) -> Variables {
        let number = |name: &Name| self.variables.iter().position(|known| known.name == name.value);
        names.into_iter().filter_map(number).collect()
    }

    fn of_things(&self) -> Variables {
        let board = self.board;
        let known = board.objects.iter().map(|object| &object.known);
        let known = known.chain(board.propositions.iter().map(|proposition| &proposition.known));
        let known = known.flat_map(|known| known.by.iter().flatten().chain(&known.wrong));
        let spots = board.objects.iter().flat_map(|object| &object.start);
        let places = board.containers.iter().map(|container| &container.place);
        let friends = board.friends.iter().flat_map(|(role, friends)| std::iter::once(role).chain(friends));
        let aside = board.events.iter().filter(|event| match &event.verb {
            Verb::Hold(condition) => !condition.form().is_of_walks,
            Verb::Note { .. } => true,
            Verb::Do(_) => false,
        });
        let aside: Vec<Name> = aside.flat_map(|event| event.verb.names()).collect();
        let mut things = self.numbers(known.chain(spots).chain(places).chain(friends).chain(&aside));
        let statements = self.account.told.iter().flat_map(|told| &told.statements);
        let said: BTreeSet<&str> =
            statements.flat_map(|statement| &statement.names).map(|&(name, _)| name).collect();
        for (at, known) in self.variables.iter().enumerate() {
            let is_thing = matches!(known.kind, Kind::Object | Kind::Proposition | Kind::Attitude(..));
            if is_thing || said.contains(known.name.as_str()) {
                things.insert(at);
            }
        }
        things
    }
}

/// All names that occur in a goal.
fn goal_names(goal: &Goal) -> Vec<&Name> {
    match &goal.kind {
        GoalKind::Holds { chain, value } => chain.iter().chain([value]).collect(),
        GoalKind::FalseBelief { chain }
        | GoalKind::TrueBelief { chain }
        | GoalKind::Unknown { chain }
        | GoalKind::MisleadDistance { chain, .. } => chain.iter().collect(),
        GoalKind::Differs { chains } => chains.iter().flatten().collect(),
        GoalKind::Difficulty { .. } => Vec::new(),
    }
}
