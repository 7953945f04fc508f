//! Replays a story against its storyboard, from the storyboard's own words.
//!
//! It shares no code with compiling and drawing: names are looked up anew, expressions evaluated
//! anew, and every condition is checked on the places after every step. So it can say that a story
//! is what its author asked for even if the tables that it was drawn from were wrong.
//!
//! First it asks who plays and how everything starts (`things.rs`), then, step by step, whether it can happen
//! (`state.rs`) and is what the conditions demand (`conditions.rs`, `deeds.rs`), and last what minds hold:
//! whether people say what they believe (`speech.rs`), and what they believe at the end (`goals.rs`).
//! [`check()`] stops at the first thing that does not hold, [`violations()`] goes on.
//!
//! Costs O(steps · conditions that hold), and for speech and goals as much as [`crate::belief::nested`]: of all
//! characters where there are deeds, else of those that a goal speaks of.

mod act;
mod around;
mod claim;
mod conditions;
mod deeds;
mod goals;
mod matters;
mod news;
mod numbers;
mod speech;
mod state;
#[cfg(test)]
mod tests;
mod things;
mod weave;

use std::collections::BTreeSet;
use std::fmt;

use state::demand;

pub use claim::{
    Act, ActInCheck, Around, Case, Claim, Deed, Fact, Hearers, How, Item, Names, Part, Telling, Things, Value,
};
pub use goals::KnownMinds;

use crate::diagnostic::{Span, counted};
use crate::storyboard::{Bind, Name, Number, Places, Pool, Start, Storyboard, THINGS, built_in_pool};

/// Something that is wrong with a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The moment at which it shows.
    pub moment: Moment,
    /// A sentence that says what does not hold.
    pub what: String,
    /// Where the storyboard demands it, if there is one such place.
    pub span: Option<Span>,
}

/// A moment of a story at which a violation shows, in the order of the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// Before the first step: the cast, and how everything starts.
    Start,
    /// At this step.
    Step(usize),
    /// After the last step: what minds hold.
    End,
}

impl Violation {
    /// The step, if the violation shows at one.
    pub const fn step(&self) -> Option<usize> {
        match self.moment {
            Moment::Step(step) => Some(step),
            Moment::Start | Moment::End => None,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step() {
            Some(step) => write!(f, "step {step}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for Violation {}

/// Checks a story against its storyboard, which must compile under the story's parameters.
///
/// # Errors
/// The first thing that does not hold, in the order of the story.
///
/// # Panics
/// If the storyboard does not compile.
pub fn check(storyboard: &Storyboard, claim: &Claim<'_>) -> Result<(), Violation> {
    Replay::new(storyboard, claim, None).first()
}

/// Works like [`check()`] for one of many casts of the same events: what minds hold is kept for the other casts.
///
/// # Errors
/// The first thing that does not hold, in the order of the story.
///
/// # Panics
/// If the storyboard does not compile.
pub fn check_cast(storyboard: &Storyboard, claim: &Claim<'_>, minds: &KnownMinds) -> Result<(), Violation> {
    Replay::new(storyboard, claim, Some(minds)).first()
}

/// Everything that is wrong with a story, in the order of the story. After an event that cannot happen, the replay
/// continues as if it had happened, but does not report what minds hold from then on. Nor are goals checked if the
/// story has no end.
///
/// # Panics
/// If the storyboard does not compile under the story's parameters.
///
/// ```
/// use storysim::{check::{Claim, violations}, compile::compile, select::{Family, Selector}, simulate::Story, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let family = Family::from(compile(&board, &[]).unwrap().plan);
/// let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
/// selector.draw(0, &mut story);
/// let mut claim = Claim::of(selector.plan(), &story);
/// assert!(violations(&board, &claim).is_empty());
/// claim.events.truncate(50);
/// assert_eq!(violations(&board, &claim)[0].step(), Some(50));
/// ```
pub fn violations(storyboard: &Storyboard, claim: &Claim<'_>) -> Vec<Violation> {
    Replay::new(storyboard, claim, None).found(false)
}

struct Replay<'a> {
    storyboard: &'a Storyboard,
    claim: &'a Claim<'a>,
    minds: Option<&'a KnownMinds>,
    /// The names that people can bear: those of the storyboard, or of the one that it is woven into.
    pool: &'a Pool,
}

/// How many people are wanted in a story.
struct CastSize {
    count: usize,
    /// Those who come on top, and only pass by around the storyboard's own part.
    passers_by: usize,
}

/// The violations that were found.
struct Findings {
    all: Vec<Violation>,
    /// Whether to stop after the first one.
    is_first_enough: bool,
}

impl Findings {
    fn add(&mut self, found: Result<(), Violation>) {
        self.all.extend(found.err());
    }

    /// Whether there is no need to continue.
    fn is_enough(&self) -> bool {
        self.is_first_enough && !self.all.is_empty()
    }
}

/// A violation by the cast or the start of what the storyboard demands at `span`.
fn at_start(what: impl Into<String>, span: Span) -> Violation {
    Violation { moment: Moment::Start, what: what.into(), span: Some(span) }
}

/// A violation at a step of what the storyboard demands at `span`.
fn at_step(step: usize, what: impl Into<String>, span: Option<Span>) -> Violation {
    Violation { moment: Moment::Step(step), what: what.into(), span }
}

impl<'a> Replay<'a> {
    fn new(storyboard: &'a Storyboard, claim: &'a Claim<'a>, minds: Option<&'a KnownMinds>) -> Self {
        Self { storyboard, claim, minds, pool: &storyboard.characters.pool }
    }

    fn first(&self) -> Result<(), Violation> {
        self.found(true).into_iter().next().map_or(Ok(()), Err)
    }

    /// What is wrong, in the order of the story: with the storyboard's own part and, if that is right, with what is around it.
    fn found(&self, is_first_enough: bool) -> Vec<Violation> {
        let mut all = match &self.storyboard.weave {
            Some(weave) => self.woven(weave, is_first_enough),
            None => self.found_within(is_first_enough),
        };
        for violation in &mut all {
            if let Moment::Step(step) = &mut violation.moment {
                *step += self.claim.around.before.len();
            }
        }
        if all.is_empty() {
            let mut found = Findings { all, is_first_enough };
            self.around(&mut found);
            all = found.all;
        }
        all
    }

    fn found_within(&self, is_first_enough: bool) -> Vec<Violation> {
        let mut found = Findings { all: Vec::new(), is_first_enough };
        self.cast(&mut found);
        if found.is_enough() || !self.is_cast() {
            return found.all;
        }
        self.start(&mut found);
        self.lives(&mut found);
        self.things(&mut found);
        if found.is_enough() {
            return found.all;
        }
        let has_begun = found.all.is_empty();
        let possible = self.events(&mut found);
        // Minds make something only of what can happen.
        if has_begun {
            self.speech(possible, &mut found);
            if possible == self.claim.events.len() && possible as i64 == self.horizon() && !found.is_enough()
            {
                self.goals(&mut found);
            }
        }
        found.all.sort_by_key(|violation| violation.moment); // stable: within a step, in the order found
        found.all
    }

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

    /// The place that a name of a place or a bind stands for.
    fn place(&self, name: &'a Name) -> &'a str {
        self.claim.binds.get(name.value.as_str()).copied().unwrap_or(&name.value)
    }

    /// The item that a name stands for: a character, an object or a proposition.
    fn item(&self, name: &'a Name) -> Item<'a> {
        let name = name.value.as_str();
        if let Some(player) = self.claim.roles.get(name) {
            Item::Character(player)
        } else if self.storyboard.objects.iter().any(|object| object.name.value == name) {
            Item::Object(name)
        } else if self.storyboard.prospects.iter().any(|prospect| prospect.name.value == name) {
            Item::Prospect(name)
        } else {
            Item::Proposition(self.truth_named(name).unwrap_or(name))
        }
    }

    /// The value that a name stands for, if it says where an item is or whether it is true.
    fn item_value(&self, item: Item<'_>, name: &'a Name) -> Value<'a> {
        match item {
            Item::Character(_) => Value::Place(self.place(name)),
            Item::Object(_) => self.spot(name),
            Item::Prospect(_) => Value::NoCase,
            Item::Lid(_) | Item::Proposition(_) | Item::Likes(..) => Value::Truth(name.value == "true"),
        }
    }

    /// Where an object is, according to a name: in a container, in somebody's hands or in a place.
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

    /// Whether every role is played by someone in the story, and every bind is a place. Otherwise, nothing else can be
    /// checked.
    fn is_cast(&self) -> bool {
        let is_there = |player: &&str| self.claim.start.iter().any(|(who, _)| who == player);
        let places: BTreeSet<&str> = self.places().into_iter().collect();
        let (roles, binds) = (&self.storyboard.roles, &self.storyboard.binds);
        roles.iter().all(|role| self.claim.roles.get(role.value.as_str()).is_some_and(is_there))
            && binds.iter().all(|bind| {
                self.claim.binds.get(bind.name.value.as_str()).is_some_and(|place| places.contains(place))
            })
    }

    fn cast(&self, found: &mut Findings) {
        for drawn in &self.storyboard.draws {
            let (name, least, most) = (&drawn.name, self.value(&drawn.least), self.value(&drawn.most));
            let value = self.claim.parameters.get(name.value.as_str());
            let is_drawn = value.is_some_and(|value| (least..=most).contains(value));
            found.add(
                demand(is_drawn, || format!("{} is not drawn from {least} to {most}", name.value))
                    .map_err(|what| at_start(what, name.span)),
            );
        }
        for role in &self.storyboard.roles {
            found.add(self.is_played_by(role).map_err(|what| at_start(what, role.span)));
        }
        for bind in &self.storyboard.binds {
            found.add(self.is_bound(bind).map_err(|(what, span)| at_start(what, span)));
        }
    }

    fn is_played_by(&self, role: &Name) -> Result<(), String> {
        let Some(player) = self.claim.roles.get(role.value.as_str()) else {
            return Err(format!("nobody plays {}", role.value));
        };
        demand(self.claim.roles.values().filter(|other| *other == player).count() == 1, || {
            format!("{player} plays two roles")
        })?;
        demand(self.claim.start.iter().any(|(who, _)| who == player), || {
            format!("{player} is not in the story")
        })
    }

    fn is_bound(&self, bind: &'a Bind) -> Result<(), (String, Span)> {
        let own = bind.name.span;
        let Some(&place) = self.claim.binds.get(bind.name.value.as_str()) else {
            return Err((format!("{} is not bound", bind.name.value), own));
        };
        if !self.places().contains(&place) {
            return Err((format!("{} is bound to {place}, which does not exist", bind.name.value), own));
        }
        if let Some(near) = &bind.next_to
            && !self.leads(self.place(near), place)
        {
            return Err((format!("{place} is not next to {}", self.place(near)), near.span));
        }
        match bind.not.iter().find(|not| self.place(not) == place) {
            Some(not) => Err((format!("{} may not be {place}", bind.name.value), not.span)),
            None => Ok(()),
        }
    }

    /// How many people the storyboard wants in a story.
    fn cast_size(&self) -> CastSize {
        let names = pool_size(self.storyboard);
        let count = self.storyboard.characters.count.as_ref().map(|count| self.value(count));
        let count = count.map_or(names, |count| usize::try_from(count).unwrap_or(0));
        CastSize { count, passers_by: self.storyboard.passers_by(count, names) }
    }

    /// The place where the storyboard's first role starts, if that is said.
    fn place_of_first(&self, roles: &'a [(Name, Name)]) -> Option<&'a Name> {
        let first = self.storyboard.roles.first()?;
        roles.iter().find(|(role, _)| role.value == first.value).map(|(_, place)| place)
    }

    fn start(&self, found: &mut Findings) {
        let characters = &self.storyboard.characters;
        let built_in = |name: &Name| built_in_pool(&name.value).unwrap_or_default();
        let pool_span = match &characters.pool {
            Pool::Names(names) => names.first().map_or(Span::default(), |name| name.span),
            Pool::BuiltIn(name) => name.span,
        };
        let pool_span = if self.claim.is_of_things { self.storyboard.name.span } else { pool_span };
        let is_in_pool = |who: &str| match self.pool {
            _ if self.claim.is_of_things => THINGS.contains(&who),
            Pool::Names(names) => names.iter().any(|name| name.value == who),
            Pool::BuiltIn(name) => built_in(name).contains(&who),
        };
        let CastSize { count, passers_by } = self.cast_size();
        let count = count + passers_by;
        if self.claim.start.len() != count {
            let span = characters.count.as_ref().map_or(pool_span, |count| count.span);
            found.add(Err(at_start(
                format!("{}, not {count}", counted(self.claim.start.len(), "character")),
                span,
            )));
        }
        let mut seen = BTreeSet::new();
        for &(who, place) in &self.claim.start {
            if !is_in_pool(who) {
                found.add(Err(at_start(format!("{who} is not in the pool"), pool_span)));
            }
            if !seen.insert(who) {
                found.add(Err(at_start(format!("{who} appears twice"), pool_span)));
            }
            let (wanted, span) = match &self.storyboard.start {
                Start::Drawn(span) => (self.places().contains(&place).then_some(place), *span),
                Start::Everyone(place) => (Some(self.place(place)), place.span),
                Start::Each { roles, others, span } => {
                    let own = roles.iter().find(|(role, _)| self.role(role) == who).map(|(_, place)| place);
                    let of_first = || self.place_of_first(roles).filter(|_| passers_by > 0);
                    let wanted = own.or(others.as_ref()).or_else(of_first);
                    (wanted.map(|place| self.place(place)), wanted.map_or(*span, |place| place.span))
                }
            };
            if wanted != Some(place) {
                let wanted = wanted.unwrap_or("no place");
                found.add(Err(at_start(format!("{who} starts in {place}, not in {wanted}"), span)));
            }
        }
    }
}

/// The number of names that people of a board can bear.
fn pool_size(board: &Storyboard) -> usize {
    match &board.characters.pool {
        Pool::Names(names) => names.len(),
        Pool::BuiltIn(name) => built_in_pool(&name.value).map_or(0, <[&str]>::len),
    }
}
