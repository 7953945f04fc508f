//! Whether a story that somebody else wrote is one that a storyboard asks for.
//!
//! [`crate::check`] judges a story whose cast is known. Here the cast is found, if the story does not say: who
//! plays which role, which place each bind is, where things are at the start and what is true. The story satisfies
//! the storyboard if it does so under one cast; else the verdict is on the cast under which it gets furthest.
//!
//! `account.rs` has what a story says whatever its form, `row.rs` reads rows, `log.rs` logs of events, `parts.rs` those of
//! conversations. `search.rs` looks for the cast, with `reach.rs` and `grounds.rs` to leave out what cannot be it.

mod account;
mod grounds;
mod log;
mod parts;
mod reach;
mod row;
mod search;
mod variable;

pub use account::{Account, SaidStart};
use grounds::Grounds;
pub use log::{LogProblem, account_of_log};
pub use parts::{Accounts, WAYS_MAX};
use reach::{Whispers, reaches};
pub use row::{Row, RowProblem, parameters_of_log};
use search::Search;
pub use search::TooManyCasts;
use variable::{Kind, Value, Variable, variables};

use crate::check::{Violation, violations};
use crate::diagnostic::did_you_mean;
use crate::prose::{DueNote, Reader};
use crate::spelling::shown;
use crate::storyboard::{Expression, Number, Places, Pool, Storyboard, THINGS, Verb, When, built_in_pool};

/// The verdict on a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What each role, each bind, and each thing whose start the story leaves open stands for.
    pub cast: Vec<(String, String)>,
    /// The violations under this cast, in the order of the story; empty if the story satisfies the storyboard.
    pub violations: Vec<Violation>,
}

/// The reason why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The part of the cast that was given is impossible.
    Given(String),
    /// There are too many casts to try.
    TooManyCasts(TooManyCasts),
}

/// A storyboard with values of its parameters under which it compiles.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    board: &'a Storyboard,
    parameters: &'a [(String, i64)],
}

impl<'a> Judge<'a> {
    /// Judges stories by `board` under `parameters`, which must be complete.
    pub const fn new(board: &'a Storyboard, parameters: &'a [(String, i64)]) -> Self {
        Self { board, parameters }
    }

    fn value(&self, number: &Number) -> i64 {
        let lookup = |name: &str| match name {
            "end" => Some(self.value(&self.board.horizon)),
            _ => self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| *value),
        };
        let evaluated = Expression::evaluate(&number.value, &lookup);
        evaluated.expect("the storyboard compiles under these parameters")
    }

    /// The number of steps in a story.
    pub fn horizon(&self) -> usize {
        if let Some(weave) = &self.board.weave {
            let value =
                |name: &str| self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            return weave.strands.iter().filter_map(|strand| strand.horizon(&value)).sum();
        }
        usize::try_from(self.value(&self.board.horizon)).unwrap_or(0)
    }

    /// A reader of stories in words, which reads up to the first step too many.
    pub fn reader(&self) -> Reader<'a> {
        let reader = match self.board.weave {
            // Which step a note follows in a woven story depends on the order of what the boards tell.
            Some(_) => Reader::of_board(self.board),
            None => Reader::new(self.board, self.notes()),
        };
        reader.up_to(self.horizon().saturating_add(1))
    }

    /// The notes that should be in a story that is not woven, in the order of steps; in each tense in which they are written.
    fn notes(&self) -> Vec<DueNote<'a>> {
        let in_tenses = |event: &'a crate::storyboard::Event| {
            let is_in_force = event.only_if.as_ref().is_none_or(|number| self.value(number) > 0);
            match (&event.verb, &event.when) {
                (Verb::Note { text, past }, When::At(at)) if is_in_force => {
                    let step = usize::try_from(self.value(at)).ok()?;
                    Some([Some(text), past.as_ref()].map(|text| Some(DueNote { step, text: text? })))
                }
                _ => None,
            }
        };
        let notes = self.board.events.iter().filter_map(in_tenses).flatten().flatten();
        let mut notes: Vec<DueNote<'a>> = notes.collect();
        notes.sort_by_key(|note| note.step); // stable
        notes
    }

    /// Judges a story. `given` fixes what some roles, binds, objects and propositions stand for; for a woven story, it has to have
    /// all roles and binds.
    ///
    /// # Errors
    /// If the given cast does not fit this storyboard, or if there are too many casts.
    ///
    /// ```
    /// use storysim::{adherence::{Account, Judge}, storyboard};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let parameters = [("mislead_distance".to_owned(), 30)];
    /// let judge = Judge::new(&board, &parameters);
    /// let tale = judge.reader().read("Georgia enters room 2.");
    /// let account = Account { told: tale.told, notes: Some(tale.notes), ..Account::default() };
    /// let verdict = judge.judge(&account, &[]).unwrap();
    /// assert_eq!(verdict.violations[0].step(), Some(1), "the story is too short");
    /// ```
    pub fn judge<'g: 'a>(
        &self,
        account: &Account<'a>,
        given: &'g [(String, String)],
    ) -> Result<Verdict, Undecided> {
        let places = self.places();
        let is_role = |name: &str| self.board.roles.iter().any(|role| role.value == name);
        let players: Vec<&'a str> =
            given.iter().filter(|(name, _)| is_role(name)).map(|(_, who)| who.as_str()).collect();
        let (everyone, spoken_of) = account.everyone(self.board, self.count(), &players);
        let mut variables = variables(self.board, account, &everyone, &places);
        self.settle(&mut variables, given, &places, account.is_of_things)?;
        if self.board.weave.is_some() {
            all_are_cast(&variables)?;
        }
        let has_own_start = matches!(account.start, SaidStart::Each(_));
        let is_each_alike = !has_own_start && self.board.attitudes.is_empty();
        let count = self.count();
        let pool = self.pool(account.is_of_things);
        let strangers = everyone.iter().filter(|who| !pool.contains(who)).count();
        let search = Search {
            wrong_people: strangers + usize::from(everyone.len() != count),
            board: self.board,
            account,
            parameters: self.parameters,
            alike: if is_each_alike { &everyone[spoken_of..] } else { &[] },
            reaches: reaches(self.board, account, &variables, &|number| self.value(number)),
            whispers: Whispers::new(self.board, account),
            grounds: Grounds::new(self.board, account, &variables),
            everyone: &everyone,
            variables: &variables,
            minds: crate::check::KnownMinds::default(),
        };
        let values = search.furthest().map_err(Undecided::TooManyCasts)?;
        let claim = search.claim(&values);
        let cast = search.variables.iter().zip(&values).filter_map(|(known, &value)| {
            let is_cast = matches!(known.kind, Kind::Role | Kind::Bind);
            (is_cast || known.is_open).then(|| (known.name.clone(), stands_for(known.values[value], &claim)))
        });
        Ok(Verdict { cast: cast.collect(), violations: violations(self.board, &claim) })
    }

    /// Makes sure that a given cast fits the storyboard, as far as that depends on no story.
    ///
    /// # Errors
    /// If the storyboard does not have one of the names, or if a role or a bind cannot stand for what is given.
    ///
    /// ```
    /// use storysim::{adherence::{Judge, Undecided}, storyboard};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let given = [("S2".to_owned(), "Frank".to_owned())];
    /// assert!(matches!(Judge::new(&board, &[]).check_cast(&given), Err(Undecided::Given(_))));
    /// ```
    pub fn check_cast<'g: 'a>(&self, given: &'g [(String, String)]) -> Result<(), Undecided> {
        let places = self.places();
        let known = variables(self.board, &Account::default(), &[], &places);
        let likes = |name: &str| {
            self.board.attitudes.iter().any(|thing| {
                let who = name.strip_suffix(&thing.value).and_then(|rest| rest.strip_suffix(" likes "));
                who.is_some_and(|who| self.pool(false).contains(&who))
            })
        };
        for pair in given {
            let (name, value) = pair;
            let kind = known.iter().find(|known| known.name == *name).map(|known| known.kind);
            let depends_on_the_story = match kind {
                Some(Kind::Bind) => false,
                Some(Kind::Role) => THINGS.contains(&value.as_str()), // for rows told of things
                Some(Kind::Object | Kind::Proposition | Kind::Attitude(..)) => true,
                None => likes(name),
            };
            if !depends_on_the_story {
                self.settle(&mut known.clone(), std::slice::from_ref(pair), &places, false)?;
            }
        }
        Ok(())
    }

    /// The names of all places.
    fn places(&self) -> Vec<&'a str> {
        match &self.board.places {
            Places::Ways(ways) => ways.iter().map(|(name, _)| name.value.as_str()).collect(),
            Places::Complete(names) => names.iter().map(|name| name.value.as_str()).collect(),
        }
    }

    /// A cast with the storyboard's own names, which may be given as readers see them.
    ///
    /// ```
    /// use storysim::{adherence::Judge, storyboard};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let cast = Judge::new(&board, &[]).as_written(&[("first".into(), "room 2".into())]);
    /// assert_eq!(cast, [("first".to_owned(), "room_2".to_owned())]);
    /// ```
    pub fn as_written(&self, cast: &[(String, String)]) -> Vec<(String, String)> {
        let places = self.board.place_names().into_iter();
        let containers = self.board.containers.iter().map(|container| &container.name);
        let spots = places.chain(containers).map(|name| name.value.as_str());
        let known: Vec<&str> = spots.chain(self.pool(false)).chain(self.pool(true)).collect();
        let written = |value: &String| {
            let is_known = known.contains(&value.as_str());
            let found = known.iter().find(|known| !is_known && shown(known) == shown(value));
            found.map_or_else(|| value.clone(), |&known| known.to_owned())
        };
        cast.iter().map(|(name, value)| (name.clone(), written(value))).collect()
    }

    /// The names of people, or things, that can be in a story.
    fn pool(&self, is_of_things: bool) -> Vec<&'a str> {
        match &self.board.characters.pool {
            _ if is_of_things => THINGS.to_vec(),
            Pool::Names(names) => names.iter().map(|name| name.value.as_str()).collect(),
            Pool::BuiltIn(name) => built_in_pool(&name.value).unwrap_or_default().to_vec(),
        }
    }

    /// The number of characters in a story.
    fn count(&self) -> usize {
        let (names, count) = (self.pool(false).len(), self.board.characters.count.as_ref());
        let count = count.map(|count| self.value(count));
        let count = count.map_or(names, |count| usize::try_from(count).unwrap_or(0));
        count + self.board.passers_by(count, names)
    }

    /// Restricts variables to the values that are given.
    fn settle(
        &self,
        variables: &mut [Variable<'a>],
        given: &'a [(String, String)],
        places: &[&'a str],
        is_of_things: bool,
    ) -> Result<(), Undecided> {
        let pool = self.pool(is_of_things);
        let is_in_pool = |who: &String| pool.contains(&who.as_str());
        for (name, value) in given {
            let wrong = |message: String| Err(Undecided::Given(message));
            let names: Vec<String> = variables.iter().map(|known| known.name.clone()).collect();
            let Some(known) = variables.iter_mut().find(|known| known.name == *name) else {
                let help = did_you_mean(name, names.iter().map(String::as_str))
                    .unwrap_or_else(|| format!("it has {}", listed(&names)));
                return wrong(format!(
                    "{} has no role, bind, object or proposition called {name}: {help}",
                    self.board.name.value
                ));
            };
            let is_it = |candidate: &Value<'a>| match candidate {
                Value::Person(who) => who == value,
                Value::Place(place) => place == value,
                Value::Spot(account::Spot::Declared(spot)) => spot.value == *value,
                Value::Spot(account::Spot::Said(said)) => said.name() == *value,
                Value::Truth(is_true) => is_true.to_string() == *value,
            };
            let possible: Vec<String> = known.values.iter().map(|value| bare(*value)).collect();
            known.values.retain(is_it);
            match known.kind {
                Kind::Role if known.values.len() == 1 && is_in_pool(value) => {}
                Kind::Bind | Kind::Object | Kind::Proposition | Kind::Attitude(..)
                    if known.values.len() == 1 => {}
                Kind::Role if is_in_pool(value) => known.values = vec![Value::Person(value)],
                Kind::Role => {
                    let help = did_you_mean(value, pool.iter().copied())
                        .unwrap_or_else(|| "the pool has no such name".to_owned());
                    return wrong(format!("{name} cannot be {value}: {help}"));
                }
                Kind::Bind if !places.contains(&value.as_str()) => {
                    let help = did_you_mean(value, places.iter().copied())
                        .unwrap_or_else(|| format!("the map has {}", listed(&possible)));
                    return wrong(format!("{name} cannot be {value}: {help}"));
                }
                _ => {
                    let help = did_you_mean(value, possible.iter().map(String::as_str))
                        .unwrap_or_else(|| format!("it can be {}", listed(&possible)));
                    return wrong(format!("{name} cannot be {value}: {help}"));
                }
            }
        }
        Ok(())
    }
}

/// Makes sure that all roles and binds are given: why a woven story fails does not tell which of them are at fault.
fn all_are_cast(variables: &[Variable<'_>]) -> Result<(), Undecided> {
    let is_open =
        |known: &&Variable<'_>| matches!(known.kind, Kind::Role | Kind::Bind) && known.values.len() > 1;
    let open: Vec<(String, usize)> =
        variables.iter().filter(is_open).map(|known| (known.name.clone(), known.values.len())).collect();
    if open.is_empty() { Ok(()) } else { Err(Undecided::TooManyCasts(TooManyCasts { open })) }
}

/// The first few of some names, as a list in words.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let more = if names.len() > SHOWN { ", …" } else { "" };
    match names {
        [] => "none".to_owned(),
        _ => names[..names.len().min(SHOWN)].join(", ") + more,
    }
}

/// The name of a value, as an author would write it.
fn bare(value: Value<'_>) -> String {
    match value {
        Value::Person(name) | Value::Place(name) => name.to_owned(),
        Value::Spot(account::Spot::Declared(name)) => name.value.clone(),
        Value::Spot(account::Spot::Said(value)) => value.name().to_owned(),
        Value::Truth(is_true) => is_true.to_string(),
    }
}

/// The name that a value stands for under a cast.
fn stands_for(value: Value<'_>, claim: &crate::check::Claim<'_>) -> String {
    let name = bare(value);
    let found = claim.roles.get(name.as_str()).or_else(|| claim.binds.get(name.as_str()));
    match (value, found) {
        (Value::Spot(_), Some(found)) => (*found).to_owned(),
        _ => name,
    }
}
