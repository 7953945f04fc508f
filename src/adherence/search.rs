//! The cast under which a story gets furthest.
//!
//! Depth first: the variable with the fewest values left is tried next, the most promising value first, and what
//! cannot get further than the best cast so far is left out ([`Bound`]). Whole casts are judged by
//! [`crate::check`] alone. Everything is counted, nothing timed: the outcome is the same everywhere.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::account::{Account, Casting, Spot};
use super::bound::{Bound, NEVER, START, at_step};
use crate::check::{Act, Claim, Item, KnownMinds, Moment, check_cast, violations};
use crate::storyboard::{Name, Storyboard};

/// So many steps are gone through for one story, all attempts together.
const STEPS_MAX: u64 = 300_000_000;

/// A whole cast is judged at the cost of so many bounds.
const JUDGEMENT_COST: u64 = 10;

/// How far a story gets that misses its goals.
const END: u64 = NEVER - 1;

/// What a variable can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Person(&'a str),
    Place(&'a str),
    Spot(Spot<'a>),
    Truth(bool),
}

/// Something that a story leaves open, or says.
#[derive(Clone, Debug)]
pub(super) struct Variable<'a> {
    /// As the storyboard calls it.
    pub name: String,
    pub kind: Kind<'a>,
    /// What it can be; one value, if that is given.
    pub values: Vec<Value<'a>>,
    /// Whether the story and the storyboard leave it open.
    pub is_open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    Role,
    Bind,
    Object,
    Proposition,
    Attitude(&'a str, &'a str),
}

/// There are too many casts to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyCasts {
    /// What is left open, each with how many it could stand for.
    pub open: Vec<(String, usize)>,
}

/// All that is needed to judge a cast.
pub(super) struct Search<'a, 's> {
    pub board: &'a Storyboard,
    pub account: &'s Account<'a>,
    pub parameters: &'a [(String, i64)],
    pub everyone: &'s [&'a str],
    /// Those from this one on are alike, since nothing is told of them.
    pub alike_from: usize,
    pub variables: Vec<Variable<'a>>,
    /// Whether there are people in the story who should not be, or too few or too many; whoever plays.
    pub has_wrong_people: bool,
    /// Of each value of each variable, its number for the bound.
    pub numbers: Vec<Vec<u32>>,
    pub bound: Bound,
    pub minds: KnownMinds,
}

/// The best so far.
struct Best {
    /// How far it gets; none: no cast has been judged.
    reached: Option<u64>,
    values: Vec<usize>,
    steps_left: u64,
}

impl<'a> Search<'a, '_> {
    /// The cast that gets furthest, as the number of each variable's value: one that satisfies the storyboard, if
    /// there is one.
    pub fn furthest(&self) -> Result<Vec<usize>, TooManyCasts> {
        let mut best = Best { reached: None, values: Vec::new(), steps_left: STEPS_MAX };
        let open: Vec<Vec<usize>> =
            self.variables.iter().map(|known| (0..known.values.len()).collect()).collect();
        let mut chosen = vec![None; self.variables.len()];
        let most = self.bound.evaluate(&self.known(&chosen));
        let left = self.narrowed(&mut chosen, &open, &mut best);
        let done = left.and_then(|left| self.extend(&mut chosen, &left, most, &mut best));
        match done {
            Some(()) => Ok(best.values),
            None => {
                let is_open = |known: &&Variable<'_>| known.values.len() > 1;
                let open = self.variables.iter().filter(is_open);
                Err(TooManyCasts {
                    open: open.map(|known| (known.name.clone(), known.values.len())).collect(),
                })
            }
        }
    }

    /// Tries all that is left under what is chosen, which reaches `most` at best. None: it takes too long.
    fn extend(
        &self,
        chosen: &mut [Option<usize>],
        left: &[Vec<(usize, u64)>],
        most: u64,
        best: &mut Best,
    ) -> Option<()> {
        let open = (0..chosen.len()).filter(|&at| chosen[at].is_none());
        let Some(next) = open.min_by_key(|&at| left[at].len()) else { return self.judge(chosen, best) };
        let mut values = left[next].clone();
        values.sort_by_key(|&(_, reaches)| Reverse(reaches)); // stable
        let first_alike = self.first_alike(chosen);
        // Of those who are alike the first will do.
        values.retain(|&(value, _)| {
            !self.is_alike(next, value) || Some(self.numbers[next][value]) == first_alike
        });
        for (value, reaches) in values {
            if best.reached.is_some_and(|reached| reached >= reaches.min(most)) {
                continue;
            }
            chosen[next] = Some(value);
            let narrower: Vec<Vec<usize>> =
                left.iter().map(|values| values.iter().map(|(value, _)| *value).collect()).collect();
            let narrower = self.narrowed(chosen, &narrower, best)?;
            self.extend(chosen, &narrower, reaches.min(most), best)?;
            chosen[next] = None;
        }
        Some(())
    }

    /// Of every variable that is open the values that can get further than the best, with how far.
    fn narrowed(
        &self,
        chosen: &mut [Option<usize>],
        open: &[Vec<usize>],
        best: &mut Best,
    ) -> Option<Vec<Vec<(usize, u64)>>> {
        let mut narrowed = Vec::with_capacity(open.len());
        let first_alike = self.first_alike(chosen);
        for at in 0..chosen.len() {
            let mut left = Vec::new();
            // What the first of those who are alike reaches, all of them do.
            let mut alike_reach = None;
            let values: &[usize] = if chosen[at].is_none() { &open[at] } else { &[] };
            for &value in values {
                if self.is_taken(chosen, at, value) {
                    continue;
                }
                let is_alike = self.is_alike(at, value);
                let reaches = match (self.variables[at].kind, alike_reach) {
                    (Kind::Proposition | Kind::Attitude(..), _) => NEVER,
                    (_, Some(reach)) if is_alike => reach,
                    _ => {
                        best.steps_left = best.steps_left.checked_sub(self.bound.cost())?;
                        chosen[at] = Some(value);
                        let reaches = self.bound.evaluate(&self.known(chosen));
                        chosen[at] = None;
                        reaches
                    }
                };
                if is_alike && Some(self.numbers[at][value]) == first_alike {
                    alike_reach = Some(reaches);
                }
                if best.reached.is_none_or(|reached| reaches > reached) {
                    left.push((value, reaches));
                }
            }
            narrowed.push(left);
        }
        Some(narrowed)
    }

    /// Whether a role cannot be played by someone, who plays another.
    fn is_taken(&self, chosen: &[Option<usize>], at: usize, value: usize) -> bool {
        self.variables[at].kind == Kind::Role && self.plays(chosen, self.numbers[at][value])
    }

    /// Whether someone plays a role already.
    fn plays(&self, chosen: &[Option<usize>], who: u32) -> bool {
        let roles = self.variables.iter().zip(chosen).zip(&self.numbers);
        let mut roles = roles.filter(|((known, _), _)| known.kind == Kind::Role);
        roles.any(|((_, value), numbers)| value.is_some_and(|value| numbers[value] == who))
    }

    /// Whether a role would be played by one of those who are alike.
    fn is_alike(&self, at: usize, value: usize) -> bool {
        let known = &self.variables[at];
        let is_given = known.values.len() == 1;
        let alike = self.alike_from..self.everyone.len();
        known.kind == Kind::Role && !is_given && alike.contains(&(self.numbers[at][value] as usize))
    }

    /// The first of those who are alike that plays no role.
    fn first_alike(&self, chosen: &[Option<usize>]) -> Option<u32> {
        let mut alike = (self.alike_from..self.everyone.len()).map(|who| who as u32);
        alike.find(|&who| !self.plays(chosen, who))
    }

    /// The values as the bound knows them.
    fn known(&self, chosen: &[Option<usize>]) -> Vec<Option<u32>> {
        chosen.iter().zip(&self.numbers).map(|(value, numbers)| value.map(|value| numbers[value])).collect()
    }

    /// Judges a whole cast.
    fn judge(&self, chosen: &[Option<usize>], best: &mut Best) -> Option<()> {
        best.steps_left = best.steps_left.checked_sub(self.bound.cost().saturating_mul(JUDGEMENT_COST))?;
        let values: Vec<usize> = chosen.iter().map(|value| value.expect("all are chosen")).collect();
        let claim = self.claim(&values);
        let first = if self.has_wrong_people {
            // That is so under every cast: what matters is what else is wrong.
            let all = violations(self.board, &claim).into_iter();
            let is_start_right = self.bound.evaluate(&self.known(chosen)) > START;
            all.map(|violation| violation.moment).find(|&moment| !is_start_right || moment != Moment::Start)
        } else {
            check_cast(self.board, &claim, &self.minds).err().map(|violation| violation.moment)
        };
        let reached = match first {
            None => NEVER,
            // Binds that are what they may not be are worse than a wrong start.
            Some(Moment::Start) => self.bound.evaluate(&self.known(chosen)).min(START),
            Some(Moment::Step(step)) => at_step(step),
            Some(Moment::End) => END,
        };
        if best.reached.is_none_or(|best| reached > best) {
            (best.reached, best.values) = (Some(reached), values);
        }
        Some(())
    }

    /// The claim under the values of these numbers.
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

/// The number of each value of each variable: of people and places in these lists, of an object's spots in its
/// declaration.
pub(super) fn numbers<'a>(
    board: &'a Storyboard,
    variables: &[Variable<'a>],
    everyone: &[&'a str],
    places: &[&'a str],
) -> Vec<Vec<u32>> {
    let by_name = |names: &[&'a str]| names.iter().zip(0..).map(|(&name, at)| (name, at)).collect();
    let (everyone, places): (HashMap<&str, u32>, HashMap<&str, u32>) = (by_name(everyone), by_name(places));
    let number = |value: &Value<'a>| match value {
        Value::Person(who) => everyone.get(who).copied().unwrap_or(u32::MAX),
        Value::Place(place) => places.get(place).copied().unwrap_or(u32::MAX),
        Value::Spot(Spot::Declared(spot)) => {
            let of_object =
                board.objects.iter().find_map(|object| object.start.iter().position(|at| at == *spot));
            of_object.map_or(0, |at| at as u32)
        }
        Value::Spot(Spot::Said(_)) | Value::Truth(_) => 0,
    };
    variables.iter().map(|known| known.values.iter().map(number).collect()).collect()
}

/// All that is open in a story, and what each could be: roles, binds, objects, propositions, attitudes.
pub(super) fn variables<'a>(
    board: &'a Storyboard,
    account: &Account<'a>,
    everyone: &[&'a str],
    places: &[&'a str],
) -> Vec<Variable<'a>> {
    let mut variables = Vec::new();
    let mut add = |name: &str, kind, values: Vec<Value<'a>>| {
        variables.push(Variable { name: name.to_owned(), kind, is_open: values.len() > 1, values });
    };
    for role in &board.roles {
        add(&role.value, Kind::Role, everyone.iter().map(|&who| Value::Person(who)).collect());
    }
    for bind in &board.binds {
        add(&bind.name.value, Kind::Bind, places.iter().map(|&place| Value::Place(place)).collect());
    }
    for object in &board.objects {
        let said = account.opening.objects.iter().find(|(name, _)| *name == object.name.value);
        let values = match said {
            Some((_, value)) => vec![Value::Spot(Spot::Said(*value))],
            None => object.start.iter().map(|name: &Name| Value::Spot(Spot::Declared(name))).collect(),
        };
        add(&object.name.value, Kind::Object, values);
    }
    for proposition in &board.propositions {
        let name = proposition.name.value.as_str();
        let readings = account.opening.truths.iter().flatten();
        let mut said: Vec<bool> =
            readings.filter(|reading| reading.proposition == name).map(|reading| reading.is_true).collect();
        said.dedup();
        let values = match (proposition.is_true, &said[..]) {
            (_, [said]) => vec![*said],
            (Some(is_true), _) => vec![is_true],
            (None, _) => vec![true, false],
        };
        add(name, Kind::Proposition, values.into_iter().map(Value::Truth).collect());
    }
    let said: HashMap<(&str, &str), bool> =
        account.opening.attitudes.iter().map(|&(who, thing, likes)| ((who, thing), likes)).collect();
    let shown = shown(account);
    let mut spoken_of: Vec<(&str, &str)> = Vec::new();
    for told in &account.told {
        if let Act::Tell(telling) = &told.deed.act
            && let Item::Likes(who, thing) = telling.item
            && !spoken_of.contains(&(who, thing))
        {
            spoken_of.push((who, thing));
        }
    }
    for thing in &board.attitudes {
        for &who in everyone {
            let key = (who, thing.value.as_str());
            let values = match said.get(&key).or(shown.get(&key)) {
                Some(likes) => vec![*likes],
                None if spoken_of.contains(&key) => vec![true, false],
                None => vec![true],
            };
            let name = format!("{who} likes {}", thing.value);
            let values = values.into_iter().map(Value::Truth).collect();
            add(&name, Kind::Attitude(who, &thing.value), values);
        }
    }
    variables
}

/// What a story shows that someone likes or dislikes, by what she shows first.
fn shown<'a>(account: &Account<'a>) -> HashMap<(&'a str, &'a str), bool> {
    let mut shown = HashMap::new();
    for told in &account.told {
        if let Act::React(Item::Likes(who, thing), likes) = told.deed.act {
            shown.entry((who, thing)).or_insert(likes);
        }
    }
    shown
}
