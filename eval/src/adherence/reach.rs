//! How far a story gets at most if a role is played by a certain person, or a bind is a certain place.
//!
//! What must stand at a step binds names. Let `move: {who: T, to: x}` be demanded at step 11: T is whoever acts in the
//! story's own event 11, and x is where that leads. Under any other T the story fails at step 11, if not before. Here each
//! name is looked at alone. What depends on several names at once is left to [`crate::check`].

use std::collections::BTreeMap;

use super::account::{Account, SaidStart};
use super::variable::{Value, Variable};
use crate::check::{Act, ActInCheck, Hearers, Item, Telling};
use crate::form::{self, ActKind, Condition};
use crate::prose::Told;
use crate::storyboard::{Event, Known, Name, Number, Start, Storyboard, Verb, When};

/// How far a story gets that does not fail.
pub(super) const NEVER: u64 = u64::MAX;

/// How far a story gets that is wrong at the start.
pub(super) const START: u64 = 1;

/// How far a story gets that fails at a step.
pub(super) const fn at_step(step: usize) -> u64 {
    START + 1 + step as u64
}

/// How far a story gets at most with each value of each variable. `value` evaluates expressions.
pub(super) fn reaches<'a>(
    board: &'a Storyboard,
    account: &Account<'a>,
    variables: &[Variable<'a>],
    value: &dyn Fn(&Number) -> i64,
) -> Vec<Vec<u64>> {
    let windows: Vec<(i64, i64, &Verb)> =
        board.events.iter().filter_map(|event| window(event, value)).collect();
    let horizon = usize::try_from(value(&board.horizon)).unwrap_or(0);
    let mut reaches = Reaches {
        variables,
        reaches: variables.iter().map(|known| vec![NEVER; known.values.len()]).collect(),
    };
    let mut places = Places::new(board, account);
    let mut spoken_of: Vec<&str> = Vec::new();
    for (step, told) in account.told.iter().take(horizon).enumerate() {
        places.follow(told);
        let names = propositions(told);
        let mut in_force = windows.iter().filter(|(from, until, _)| (*from..*until).contains(&(step as i64)));
        let is_demanded =
            in_force.any(|(.., verb)| matches!(verb, Verb::Do(deed) if [ActKind::Tell, ActKind::Reveal].contains(&deed.act.kind())));
        if let ([name], false) = (&names[..], is_demanded)
            && !spoken_of.contains(name)
        {
            reaches.first_to_speak(board, name, step, told.who);
        }
        spoken_of.extend(names);
        for (from, until, verb) in &windows {
            if (*from..*until).contains(&(step as i64)) {
                reaches.demand(verb, step, told, &places);
            }
        }
    }
    reaches.reaches
}

/// A condition, the first step at which it holds and the step after the last one; `None` if it is left out.
fn window<'a>(event: &'a Event, value: &dyn Fn(&Number) -> i64) -> Option<(i64, i64, &'a Verb)> {
    if event.only_if.as_ref().is_some_and(|number| value(number) <= 0) {
        return None;
    }
    let (from, until) = match &event.when {
        When::At(at) => (value(at), value(at).saturating_add(1)),
        When::Until(from, until) => (value(from), value(until)),
        When::For(from, length) => (value(from), value(from).saturating_add(value(length))),
    };
    Some((from, until, &event.verb))
}

/// Where people are, where that is the same under every cast.
struct Places<'a> {
    known: BTreeMap<&'a str, &'a str>,
    /// The place of everyone who has not moved and about whom nothing else is known, if there is one.
    everyone: Option<&'a str>,
}

impl<'a> Places<'a> {
    fn new(board: &'a Storyboard, account: &Account<'a>) -> Self {
        let is_bind = |name: &Name| board.binds.iter().any(|bind| bind.name.value == name.value);
        let (known, everyone) = match (&account.start, &board.start) {
            (SaidStart::Each(start), _) => (start.iter().copied().collect(), None),
            (SaidStart::Everyone(place), _) => (BTreeMap::new(), Some(*place)),
            (SaidStart::Nothing, Start::Everyone(name)) if !is_bind(name) => {
                (BTreeMap::new(), Some(name.value.as_str()))
            }
            (SaidStart::Nothing, _) => (BTreeMap::new(), None),
        };
        Self { known, everyone }
    }

    fn of(&self, who: &str) -> Option<&'a str> {
        self.known.get(who).copied().or(self.everyone)
    }

    /// Whether someone else may be where this person is.
    fn may_be_in_company(&self, who: &str) -> bool {
        let Some(place) = self.of(who) else { return true };
        self.everyone.is_none_or(|everyone| everyone == place)
            || self.known.iter().any(|(other, at)| *other != who && *at == place)
    }

    fn follow(&mut self, told: &Told<'a>) {
        if let (Some(to), true) = (told.to, told.deed.act.goes()) {
            self.known.extend(actors(told).map(|who| (who, to)));
        }
    }
}

/// Everyone who acts in an event: the actor and those who go along with her.
fn actors<'t, 'a>(told: &'t Told<'a>) -> impl Iterator<Item = &'a str> + use<'t, 'a> {
    let company: &[&str] = if let Act::GoTogether(others) = &told.deed.act { others } else { &[] };
    std::iter::once(told.who).chain(company.iter().copied())
}

/// The propositions that may be meant by what somebody says.
fn propositions<'a>(told: &Told<'a>) -> Vec<&'a str> {
    let item = match &told.deed.act {
        Act::Tell(telling) => telling.item,
        Act::Reveal((item, _)) => *item,
        _ => return Vec::new(),
    };
    let mut names: Vec<&str> = told.statements.iter().map(|statement| statement.proposition).collect();
    if let (Item::Proposition(name), []) = (item, &names[..]) {
        names.push(name);
    }
    names.dedup();
    names
}

struct Reaches<'a, 's> {
    variables: &'s [Variable<'a>],
    /// How far the story gets with each value of each variable.
    reaches: Vec<Vec<u64>>,
}

impl<'a> Reaches<'a, '_> {
    /// Records what a verb demands of a single name at a step, after which people are in these `places`.
    fn demand(&mut self, verb: &Verb, step: usize, told: &Told<'a>, places: &Places<'a>) {
        let acts = |who: &str| actors(told).any(|actor| actor == who);
        let goes_to = told.to.filter(|_| told.deed.act.goes());
        let condition = match verb {
            Verb::Do(wanted) => {
                self.people(std::slice::from_ref(&wanted.who), step, acts);
                self.place(wanted.to.as_ref(), step, goes_to);
                match (&wanted.act, &told.deed.act) {
                    (form::Act::GoTogether(others), _) => self.people(others, step, acts),
                    (form::Act::Throw(_, to), Act::Throw(_, thrown_to)) => {
                        self.place(to.as_ref(), step, Some(thrown_to));
                    }
                    _ => {}
                }
                return;
            }
            Verb::Hold(condition) => condition,
            Verb::Note { .. } => return,
        };
        match condition {
            Condition::Meet { who, place } => {
                let is_there =
                    |who: &str| goes_to.is_none() || places.of(who).is_none_or(|at| Some(at) == goes_to);
                self.people(who, step, is_there);
                self.place(place.as_ref(), step, goes_to);
            }
            Condition::Idle { who } => self.people(who, step, |who| !acts(who)),
            Condition::Follow { who, .. } => {
                let goes_after_someone =
                    |who: &str| goes_to.is_none() || !acts(who) || places.may_be_in_company(who);
                self.people(std::slice::from_ref(who), step, goes_after_someone);
            }
            Condition::Apart { .. }
            | Condition::Together { .. }
            | Condition::Unseen { .. }
            | Condition::Avoid { .. }
            | Condition::Peek { .. }
            | Condition::Distracted { .. } => {}
        }
    }

    /// Records that whoever speaks of a proposition first, without being told to, knows it from the start.
    fn first_to_speak(&mut self, board: &Storyboard, name: &str, step: usize, who: &str) {
        let known =
            board.propositions.iter().find(|known| known.name.value == name).map(|known| &known.known);
        if let Some(Known { by: Some(by), wrong }) = known
            && let ([only], []) = (&by[..], &wrong[..])
        {
            self.people(std::slice::from_ref(only), step, |other| other == who);
        }
    }

    /// Records that beyond a step, these roles can only be played by people for whom `is_met` is true.
    fn people(&mut self, roles: &[Name], step: usize, is_met: impl Fn(&str) -> bool) {
        for role in roles {
            self.limit(role, step, |value| !matches!(value, Value::Person(who) if !is_met(who)));
        }
    }

    /// Records that beyond a step, a bind can only be `place`, if that is known.
    fn place(&mut self, bind: Option<&Name>, step: usize, place: Option<&str>) {
        if let (Some(bind), Some(place)) = (bind, place) {
            self.limit(bind, step, |value| !matches!(value, Value::Place(other) if *other != place));
        }
    }

    fn limit(&mut self, name: &Name, step: usize, is_met: impl Fn(&Value<'a>) -> bool) {
        let Some(at) = self.variables.iter().position(|known| known.name == name.value) else { return };
        for (value, reach) in self.variables[at].values.iter().zip(&mut self.reaches[at]) {
            if !is_met(value) {
                *reach = (*reach).min(at_step(step));
            }
        }
    }
}

/// Tellings that others do not hear: a role with `friends` may tell only them.
pub(super) struct Whispers<'a> {
    /// The friends of each role, as roles; `None` for everyone.
    friends: Vec<Option<Vec<usize>>>,
    /// The tellings: the step, who tells and who is told.
    told: Vec<(usize, &'a str, &'a str)>,
}

impl<'a> Whispers<'a> {
    /// The tellings of a story that others do not hear.
    pub fn new(board: &Storyboard, account: &Account<'a>) -> Self {
        let role = |name: &Name| board.roles.iter().position(|role| role.value == name.value);
        let friends = |name: &Name| {
            let friends = board.friends.iter().find(|(known, _)| known.value == name.value);
            friends.map(|(_, friends)| friends.iter().filter_map(role).collect())
        };
        let mut all = Vec::new();
        for (step, told) in account.told.iter().enumerate() {
            if let Act::Tell(Telling { hearers: Hearers::Named(hearers) | Hearers::Afar(hearers), .. }) =
                &told.deed.act
            {
                all.extend(hearers.iter().map(|hearer| (step, told.who, *hearer)));
            }
        }
        let told = if board.friends.is_empty() { Vec::new() } else { all };
        Self { friends: board.roles.iter().map(friends).collect(), told }
    }

    /// The first telling from a role to someone who is not her friend, with its step. `role_of` says who plays which role.
    pub fn first_to_no_friend(&self, role_of: impl Fn(&str) -> Option<usize>) -> Option<(usize, [usize; 2])> {
        self.told.iter().find_map(|&(step, who, hearer)| {
            let (teller, hearer) = (role_of(who)?, role_of(hearer)?);
            let is_friend = self.friends[teller].as_ref().is_none_or(|friends| friends.contains(&hearer));
            (!is_friend).then_some((step, [teller, hearer]))
        })
    }
}
