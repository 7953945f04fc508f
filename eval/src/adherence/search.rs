//! The cast under which a story gets furthest.
//!
//! Depth first: the variable with the fewest values left is tried next, and of its values the most promising first. Two
//! things put whole families of casts aside: values under which the story gets no further than under the best cast so far
//! (`reach.rs`), and, once [`crate::check`] has said why a cast fails, all those that fail for the same reason
//! (`grounds.rs`). Whole casts are judged by [`crate::check`] alone. Everything is counted, nothing timed: the outcome is
//! the same everywhere.

use std::cmp::Reverse;
use std::ops::Range;

use super::account::{Account, Casting};
use super::grounds::{Grounds, Variables};
use super::reach::{NEVER, START, Whispers, at_step};
use super::variable::{Kind, Value, Variable};
use crate::check::{Claim, KnownMinds, Moment, Violation, check_cast, violations};
use crate::storyboard::{Name, Places, Storyboard};

/// The largest number of steps that are examined for one story, over all casts.
const STEPS_MAX: u64 = 300_000_000;

/// The cost of judging a cast, for every step of the story.
const JUDGEMENT_COST: u64 = 10;

/// How far a story gets that only misses its goals.
const END: u64 = NEVER - 1;

/// An error: there are too many casts to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyCasts {
    /// What is left open, each with the number of things that it could stand for.
    pub open: Vec<(String, usize)>,
}

/// Everything that is needed to judge a cast.
pub(super) struct Search<'a, 's> {
    pub board: &'a Storyboard,
    pub account: &'s Account<'a>,
    pub parameters: &'a [(String, i64)],
    pub everyone: &'s [&'a str],
    /// The people about whom nothing is said and who are therefore interchangeable.
    pub alike: &'s [&'a str],
    pub variables: &'s [Variable<'a>],
    /// How many violations the start has whoever plays: too many or too few people, and people who should not be there.
    pub wrong_people: usize,
    /// How far the story gets at most with each value of each variable.
    pub reaches: Vec<Vec<u64>>,
    pub whispers: Whispers<'a>,
    pub grounds: Grounds<'a, 's>,
    pub minds: KnownMinds,
}

/// The best cast so far.
struct Best {
    /// How far the story gets with it; `None` if no cast has been judged.
    reached: Option<u64>,
    values: Vec<usize>,
    steps_left: u64,
}

/// The values that an open variable can still have.
struct Left {
    variable: usize,
    values: Vec<usize>,
    /// The choices that rule out its other values.
    grounds: Variables,
}

impl Best {
    /// Whether a cast that gets at most this far is of no use.
    fn is_as_good_as(&self, reach: u64) -> bool {
        self.reached.is_some_and(|reached| reached >= reach)
    }
}

impl<'a> Search<'a, '_> {
    /// The cast with which the story gets furthest, as the index of each variable's value. It satisfies the storyboard if
    /// any cast does.
    pub fn furthest(&self) -> Result<Vec<usize>, TooManyCasts> {
        let mut best = Best { reached: None, values: Vec::new(), steps_left: STEPS_MAX };
        let given = |known: &Variable<'_>| (known.values.len() == 1).then_some(0);
        let mut chosen: Vec<Option<usize>> = self.variables.iter().map(given).collect();
        match self.extend(&mut chosen, NEVER, &mut best) {
            Some(_) => Ok(best.values),
            None => {
                let is_open = |known: &&Variable<'_>| known.values.len() > 1;
                let open = self.variables.iter().filter(is_open);
                Err(TooManyCasts {
                    open: open.map(|known| (known.name.clone(), known.values.len())).collect(),
                })
            }
        }
    }

    /// Tries everything that is open, given these choices, with which the story gets to `most` at best. Returns choices that
    /// are enough to show that no cast with them is better than the best; `None` if it takes too long.
    fn extend(&self, chosen: &mut [Option<usize>], most: u64, best: &mut Best) -> Option<Variables> {
        let open = (0..chosen.len()).filter(|&at| chosen[at].is_none());
        let left = open.map(|at| self.left(chosen, at, best));
        let Some(left) = left.min_by_key(|left| left.values.len()) else { return self.judge(chosen, best) };
        let Left { variable, mut values, mut grounds } = left;
        best.steps_left = best.steps_left.checked_sub(self.variables.len() as u64)?;
        let reach = |value: usize| self.reaches[variable][value].min(most);
        values.sort_by_key(|&value| Reverse(reach(value))); // stable
        for value in values {
            if let Some(limiting) = self.limiting(chosen, best) {
                return Some(Variables::from([limiting]));
            }
            if best.is_as_good_as(self.reaches[variable][value]) {
                continue;
            }
            chosen[variable] = Some(value);
            let found = self.extend(chosen, reach(value), best);
            chosen[variable] = None;
            let found = found?;
            if !found.contains(&variable) {
                return Some(found);
            }
            grounds.extend(found);
        }
        grounds.remove(&variable);
        Some(grounds)
    }

    /// The values of an open variable with which the story may get further than with the best cast.
    fn left(&self, chosen: &[Option<usize>], variable: usize, best: &Best) -> Left {
        let mut left = Left { variable, values: Vec::new(), grounds: Variables::new() };
        let known = &self.variables[variable];
        let mut with = chosen.to_vec();
        let first_alike = self.alike.iter().find(|who| self.role_of(chosen, who).is_none());
        for (value, &reach) in self.reaches[variable].iter().enumerate() {
            if best.is_as_good_as(reach) {
                continue;
            }
            match (known.kind, known.values[value]) {
                (Kind::Role, Value::Person(who)) => {
                    // Of those who are alike the first will do.
                    let is_alike = self.alike.contains(&who) && Some(&who) != first_alike;
                    with[variable] = Some(value);
                    let whisper = self.whispers.first_to_no_friend(|who| self.role_of(&with, who));
                    match (self.role_of(chosen, who), whisper) {
                        (Some(role), _) => left.grounds.extend([role]),
                        (None, Some((step, roles))) if best.is_as_good_as(at_step(step)) => {
                            left.grounds.extend(roles);
                        }
                        (None, _) if is_alike => {}
                        (None, _) => left.values.push(value),
                    }
                }
                (Kind::Bind, _) if best.is_as_good_as(0) => {
                    with[variable] = Some(value);
                    if self.binds_agree(&with) {
                        left.values.push(value)
                    } else {
                        left.grounds.extend(self.binds())
                    }
                }
                _ => left.values.push(value),
            }
        }
        left
    }

    /// A choice with which the story cannot get further than with the best cast, if there is one.
    fn limiting(&self, chosen: &[Option<usize>], best: &Best) -> Option<usize> {
        let is_limit =
            |at: &usize| chosen[*at].is_some_and(|value| best.is_as_good_as(self.reaches[*at][value]));
        (0..chosen.len()).find(is_limit)
    }

    /// The role that someone plays.
    fn role_of(&self, chosen: &[Option<usize>], who: &str) -> Option<usize> {
        let plays = |&role: &usize| {
            chosen[role].is_some_and(|value| self.variables[role].values[value] == Value::Person(who))
        };
        (0..self.board.roles.len()).find(plays)
    }

    /// The range of the variables that are binds; they come after the roles.
    fn binds(&self) -> Range<usize> {
        let first = self.board.roles.len();
        first..first + self.board.binds.len()
    }

    /// Whether no bind is a place that it must not be, as far as places are chosen.
    fn binds_agree(&self, chosen: &[Option<usize>]) -> bool {
        let chosen_place = |at: usize| match chosen[at].map(|value| self.variables[at].values[value]) {
            Some(Value::Place(place)) => Some(place),
            _ => None,
        };
        let place = |name: &'a Name| match self.binds().find(|&at| self.variables[at].name == name.value) {
            Some(at) => chosen_place(at),
            None => Some(name.value.as_str()),
        };
        self.board.binds.iter().zip(self.binds()).all(|(bind, at)| {
            let Some(own) = chosen_place(at) else { return true };
            let near = bind.next_to.as_ref().and_then(place);
            near.is_none_or(|near| leads(&self.board.places, near, own))
                && bind.not.iter().all(|not| place(not) != Some(own))
        })
    }

    /// Judges a complete cast. Returns the choices on which the judgement rests; `None` if it takes too long.
    fn judge(&self, chosen: &[Option<usize>], best: &mut Best) -> Option<Variables> {
        let steps = (self.account.told.len() + self.everyone.len()) as u64 + 1;
        best.steps_left = best.steps_left.checked_sub(steps.saturating_mul(JUDGEMENT_COST))?;
        let values: Vec<usize> = chosen.iter().map(|value| value.expect("all are chosen")).collect();
        let violation = self.violation(&self.claim(&values));
        let reached = match violation.as_ref().map(|violation| violation.moment) {
            None => NEVER,
            // Binds that are what they may not be are worse than a wrong start.
            Some(Moment::Start) => {
                if self.binds_agree(chosen) {
                    START
                } else {
                    0
                }
            }
            Some(Moment::Step(step)) => at_step(step),
            Some(Moment::End) => END,
        };
        if !best.is_as_good_as(reached) {
            (best.reached, best.values) = (Some(reached), values);
        }
        Some(violation.map_or_else(Variables::new, |violation| self.grounds.of(&violation)))
    }

    /// The first violation, ignoring people who are wrong whoever plays.
    fn violation(&self, claim: &Claim<'a>) -> Option<Violation> {
        if self.wrong_people == 0 {
            return check_cast(self.board, claim, &self.minds).err();
        }
        let all = violations(self.board, claim);
        let at_start = all.iter().filter(|violation| violation.moment == Moment::Start).count();
        let is_start_wrong = at_start > self.wrong_people;
        all.into_iter().find(|violation| is_start_wrong || violation.moment != Moment::Start)
    }

    /// The claim of the story when variables have the values with these indices.
    pub fn claim(&self, values: &[usize]) -> Claim<'a> {
        let mut casting = Casting::default();
        for (known, &value) in self.variables.iter().zip(values) {
            match (known.kind, known.values[value]) {
                (_, Value::Person(who)) => casting.roles.push(who),
                (_, Value::Place(place)) => casting.binds.push(place),
                (_, Value::Spot(spot)) => casting.objects.push(spot),
                (Kind::Attitude(who, thing), Value::Truth(likes)) => {
                    casting.attitudes.insert((who, thing), likes);
                }
                (_, Value::Truth(is_true)) => casting.truths.push(is_true),
            }
        }
        self.account.claim(self.board, self.parameters, self.everyone, &casting)
    }
}

/// Whether one can go from one place to another.
fn leads(places: &Places, from: &str, to: &str) -> bool {
    match places {
        Places::Ways(ways) => {
            let next = ways.iter().find(|(name, _)| name.value == from).map_or(&[][..], |(_, next)| next);
            next.iter().any(|place| place.value == to)
        }
        Places::Complete(_) => from != to,
    }
}
