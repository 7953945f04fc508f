//! Replays a trace against its storyboard, from the storyboard's own words.
//!
//! It shares no code with compiling and drawing: names are looked up anew, expressions evaluated
//! anew, and every condition is checked on the places after every step. So it can say that a story
//! is what its author asked for even if the tables that it was drawn from were wrong.
//!
//! First it asks who plays and how everything starts (`things.rs`), then, step by step, whether it can happen
//! (`state.rs`) and is what the conditions demand (`conditions.rs`, `deeds.rs`), and last what minds hold:
//! whether people say what they believe (`speech.rs`), and what they believe at the end (`goals.rs`).
//!
//! Costs O(steps · conditions that hold), and for speech and goals as much as [`crate::belief::nested`]: of all
//! characters where there are deeds, else of those that a goal speaks of.

mod claim;
mod conditions;
mod deeds;
mod goals;
mod numbers;
mod speech;
mod state;
#[cfg(test)]
mod tests;
mod things;

use std::collections::HashSet;
use std::fmt;

pub use claim::{Act, Claim, Deed, Fact, Hearers, Item, Telling, Things, Value};

use crate::storyboard::{Name, Number, Places, Pool, Start, Storyboard, built_in_pool};

/// What is wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The step, if it is about one.
    pub step: Option<usize>,
    /// What does not hold.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {step}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for Violation {}

/// Checks a story against its storyboard.
///
/// # Errors
/// The first thing that does not hold.
pub fn check(storyboard: &Storyboard, claim: &Claim<'_>) -> Result<(), Violation> {
    let replay = Replay { storyboard, claim };
    replay.cast()?;
    replay.start()?;
    replay.things()?;
    replay.events()?;
    replay.speech()?;
    replay.goals()
}

struct Replay<'a> {
    storyboard: &'a Storyboard,
    claim: &'a Claim<'a>,
}

fn violation(step: Option<usize>, what: impl Into<String>) -> Violation {
    Violation { step, what: what.into() }
}

impl<'a> Replay<'a> {
    fn horizon(&self) -> i64 {
        self.value(&self.storyboard.horizon)
    }

    fn value(&self, number: &'a Number) -> i64 {
        let lookup = |name: &str| match name {
            "end" => Some(self.horizon()),
            _ => self.claim.parameters.get(name).copied(),
        };
        number.value.evaluate(&lookup).expect("a storyboard that compiles")
    }

    fn role(&self, name: &Name) -> &'a str {
        self.claim.roles[name.value.as_str()]
    }

    fn players(&self, roles: &[Name]) -> Vec<&'a str> {
        roles.iter().map(|role| self.role(role)).collect()
    }

    /// What a place or a bind stands for.
    fn place(&self, name: &'a Name) -> &'a str {
        self.claim.binds.get(name.value.as_str()).copied().unwrap_or(&name.value)
    }

    /// What a name stands for: someone, an object or a proposition.
    fn item(&self, name: &'a Name) -> Item<'a> {
        let name = name.value.as_str();
        if let Some(player) = self.claim.roles.get(name) {
            Item::Character(player)
        } else if self.storyboard.objects.iter().any(|object| object.name.value == name) {
            Item::Object(name)
        } else {
            Item::Proposition(name)
        }
    }

    /// What a name stands for as what is so of an item.
    fn item_value(&self, item: Item<'_>, name: &'a Name) -> Value<'a> {
        match item {
            Item::Character(_) => Value::Place(self.place(name)),
            Item::Object(_) => self.spot(name),
            Item::Lid(_) | Item::Proposition(_) | Item::Likes(..) => Value::Truth(name.value == "true"),
        }
    }

    /// Where an object can be: in a container, in somebody's hands, in a place.
    fn spot(&self, name: &'a Name) -> Value<'a> {
        if self.is_container(&name.value) {
            return Value::Container(&name.value);
        }
        match self.claim.roles.get(name.value.as_str()) {
            Some(player) => Value::Hands(player),
            None => Value::Place(self.place(name)),
        }
    }

    fn is_container(&self, name: &str) -> bool {
        self.storyboard.containers.iter().any(|container| container.name.value == name)
    }

    /// The names of all places.
    fn places(&self) -> Vec<&'a str> {
        match &self.storyboard.places {
            Places::Ways(ways) => ways.iter().map(|(name, _)| name.value.as_str()).collect(),
            Places::Complete(names) => names.iter().map(|name| name.value.as_str()).collect(),
        }
    }

    fn leads(&self, from: &str, to: &str) -> bool {
        match &self.storyboard.places {
            Places::Ways(ways) => ways
                .iter()
                .any(|(name, next)| name.value == from && next.iter().any(|place| place.value == to)),
            Places::Complete(names) => from != to && names.iter().any(|name| name.value == to),
        }
    }

    fn cast(&self) -> Result<(), Violation> {
        for role in &self.storyboard.roles {
            let Some(player) = self.claim.roles.get(role.value.as_str()) else {
                return Err(violation(None, format!("nobody plays {}", role.value)));
            };
            if self.claim.roles.values().filter(|other| *other == player).count() > 1 {
                return Err(violation(None, format!("{player} plays two roles")));
            }
            if !self.claim.start.iter().any(|(who, _)| who == player) {
                return Err(violation(None, format!("{player} is not in the story")));
            }
        }
        for bind in &self.storyboard.binds {
            let Some(&place) = self.claim.binds.get(bind.name.value.as_str()) else {
                return Err(violation(None, format!("{} is not bound", bind.name.value)));
            };
            if let Some(near) = &bind.next_to
                && !self.leads(self.place(near), place)
            {
                return Err(violation(None, format!("{place} is not next to {}", self.place(near))));
            }
            if bind.not.iter().any(|not| self.place(not) == place) {
                return Err(violation(None, format!("{} may not be {place}", bind.name.value)));
            }
        }
        Ok(())
    }

    fn start(&self) -> Result<(), Violation> {
        let characters = &self.storyboard.characters;
        let pool: Vec<&str> = match &characters.pool {
            Pool::Names(names) => names.iter().map(|name| name.value.as_str()).collect(),
            Pool::BuiltIn(name) => built_in_pool(&name.value).unwrap_or_default().to_vec(),
        };
        let count = characters.count.as_ref().map_or(pool.len() as i64, |count| self.value(count));
        if self.claim.start.len() as i64 != count {
            return Err(violation(None, format!("{} characters, not {count}", self.claim.start.len())));
        }
        let known: HashSet<&str> = pool.into_iter().collect();
        let mut seen = HashSet::new();
        for &(who, place) in &self.claim.start {
            if !known.contains(who) {
                return Err(violation(None, format!("{who} is not in the pool")));
            }
            if !seen.insert(who) {
                return Err(violation(None, format!("{who} is there twice")));
            }
            let wanted = match &self.storyboard.start {
                Start::Everyone(place) => Some(self.place(place)),
                Start::Each { roles, others, .. } => roles
                    .iter()
                    .find(|(role, _)| self.role(role) == who)
                    .map(|(_, place)| place)
                    .or(others.as_ref())
                    .map(|place| self.place(place)),
            };
            if wanted != Some(place) {
                return Err(violation(None, format!("{who} starts in {place}, not in {wanted:?}")));
            }
        }
        Ok(())
    }
}
