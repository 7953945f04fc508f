//! Replays a trace against its storyboard, from the storyboard's own words.
//!
//! It shares no code with compiling and drawing: names are looked up anew, expressions evaluated
//! anew, and every condition is checked on the places after every step. So it can say that a story
//! is what its author asked for even if the tables that it was drawn from were wrong.
//!
//! Costs O(steps · conditions that hold), and for goals as much as [`crate::belief::nested`] with the characters
//! that they speak of.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::belief::nested::Mind;
use crate::belief::{Chain, Tracker};
use crate::id::{CharacterId, PlaceId};
use crate::plan::Plan;
use crate::simulate::Story;
use crate::storyboard::{GoalKind, Name, Number, Places, Pool, Start, Storyboard, Verb, When, built_in_pool};
use crate::trace::Trace;
use crate::world::Event;

/// The definition of belief is written out for at most so many minds.
const MINDS_MAX: usize = 10_000;

/// What a story claims to be: names throughout, as in its row.
#[derive(Clone, Debug)]
pub struct Claim<'a> {
    /// The values of the parameters.
    pub parameters: HashMap<&'a str, i64>,
    /// Who plays each role.
    pub roles: HashMap<&'a str, &'a str>,
    /// The place of each bind.
    pub binds: HashMap<&'a str, &'a str>,
    /// Where each character starts.
    pub start: Vec<(&'a str, &'a str)>,
    /// Who goes from where to where, step by step.
    pub events: Vec<(&'a str, &'a str, &'a str)>,
}

impl<'a> Claim<'a> {
    /// A drawn story in names.
    pub fn of(plan: &'a Plan, story: &Story) -> Self {
        let name = |who: usize| plan.pool[story.names[who]].as_str();
        let place = |place: PlaceId| plan.place_names[place.index()].as_str();
        let cast = &plan.casts[story.cast];
        let Trace { start, events, .. } = &story.trace;
        Self {
            parameters: plan.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
            roles: plan.role_names.iter().enumerate().map(|(at, role)| (role.as_str(), name(at))).collect(),
            binds: plan
                .bind_names
                .iter()
                .zip(&cast.binds)
                .map(|(bind, &at)| (bind.as_str(), place(at)))
                .collect(),
            start: start.iter().enumerate().map(|(who, &at)| (name(who), place(at))).collect(),
            events: events
                .iter()
                .map(|event| (name(event.who.index()), place(event.from), place(event.to)))
                .collect(),
        }
    }
}

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
    replay.events()?;
    replay.goals()
}

struct Replay<'a> {
    storyboard: &'a Storyboard,
    claim: &'a Claim<'a>,
}

fn violation(step: Option<usize>, what: impl Into<String>) -> Violation {
    Violation { step, what: what.into() }
}

/// What a chain holds at the end.
struct Held<'a> {
    answer: Option<&'a str>,
    truth: &'a str,
    /// Of a belief that is false, the mislead distance.
    distance: Option<usize>,
}

impl Held<'_> {
    fn is_false(&self) -> bool {
        self.answer.is_some_and(|answer| answer != self.truth)
    }
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

    fn events(&self) -> Result<(), Violation> {
        if self.claim.events.len() as i64 != self.horizon() {
            let what = format!("{} events, and the horizon is {}", self.claim.events.len(), self.horizon());
            return Err(violation(None, what));
        }
        let windows: Vec<(i64, i64, &Verb)> = self
            .storyboard
            .events
            .iter()
            .filter(|event| event.only_if.as_ref().is_none_or(|number| self.value(number) > 0))
            .map(|event| {
                let (from, until) = match &event.when {
                    When::At(at) => (self.value(at), self.value(at) + 1),
                    When::Until(from, until) => (self.value(from), self.value(until)),
                    When::For(from, length) => (self.value(from), self.value(from) + self.value(length)),
                };
                (from, until, &event.verb)
            })
            .collect();
        for (from, until, verb) in &windows {
            if let Verb::Follow { who, .. } = verb
                && from < until
            {
                let events = self.claim.events.iter().take(*until as usize).skip(*from as usize);
                let who = self.role(who);
                if !events.into_iter().any(|&(mover, ..)| mover == who) {
                    let what = format!("{who} should move from step {from} on before step {until}");
                    return Err(violation(None, what));
                }
            }
        }
        let mut places: HashMap<&str, &str> = self.claim.start.iter().copied().collect();
        for (step, &(who, from, to)) in self.claim.events.iter().enumerate() {
            if places.get(who) != Some(&from) {
                return Err(violation(Some(step), format!("{who} is not in {from}")));
            }
            if !self.leads(from, to) {
                return Err(violation(Some(step), format!("{who} cannot go from {from} to {to}")));
            }
            places.insert(who, to);
            let at = step as i64;
            for (_, _, verb) in windows.iter().filter(|(from, until, _)| (*from..*until).contains(&at)) {
                if let Some(what) = self.broken(verb, (who, from, to), &places) {
                    return Err(violation(Some(step), what));
                }
            }
        }
        Ok(())
    }

    fn goals(&self) -> Result<(), Violation> {
        for goal in &self.storyboard.goals {
            let met = match &goal.kind {
                GoalKind::Holds { chain, value } => self.held(chain).answer == Some(self.place(value)),
                GoalKind::FalseBelief { chain } => self.held(chain).is_false(),
                GoalKind::TrueBelief { chain } => {
                    let held = self.held(chain);
                    held.answer == Some(held.truth)
                }
                GoalKind::Unknown { chain } => self.held(chain).answer.is_none(),
                GoalKind::Differs { chains: [one, other] } => {
                    let (one, other) = (self.held(one).answer, self.held(other).answer);
                    one.is_some() && other.is_some() && one != other
                }
                GoalKind::MisleadDistance { chain, least, most } => {
                    let held = self.held(chain);
                    let distance = held.distance.filter(|_| held.is_false());
                    distance.is_some_and(|distance| {
                        (self.value(least)..=self.value(most)).contains(&(distance as i64))
                    })
                }
            };
            if !met {
                let roles: Vec<&str> = match &goal.kind {
                    GoalKind::Holds { chain, .. }
                    | GoalKind::FalseBelief { chain }
                    | GoalKind::TrueBelief { chain }
                    | GoalKind::Unknown { chain }
                    | GoalKind::MisleadDistance { chain, .. } => {
                        chain.iter().map(|role| role.value.as_str()).collect()
                    }
                    GoalKind::Differs { chains } => {
                        chains.iter().flatten().map(|role| role.value.as_str()).collect()
                    }
                };
                return Err(violation(None, format!("a goal about {} is not met", roles.join(", "))));
            }
        }
        Ok(())
    }

    /// What a chain holds at the end, by the definition written out, with nobody but its members: the moves
    /// of others do not matter to it. (By the tracker, where written out it would take too long.)
    fn held(&self, chain: &[Name]) -> Held<'a> {
        let mut members: Vec<&str> = Vec::new();
        for role in chain {
            let player = self.role(role);
            if !members.contains(&player) {
                members.push(player);
            }
        }
        let mut place_names: Vec<&'a str> = Vec::new();
        let mut place = |name: &'a str| {
            let known = place_names.iter().position(|known| *known == name);
            PlaceId::new(known.unwrap_or_else(|| {
                place_names.push(name);
                place_names.len() - 1
            }))
        };
        let number = |who: &str| members.iter().position(|member| *member == who).map(CharacterId::new);
        let start: Vec<PlaceId> = members
            .iter()
            .map(|member| {
                let (_, at) = self.claim.start.iter().find(|(who, _)| who == member).expect("in the story");
                place(at)
            })
            .collect();
        let own = self.claim.events.iter().enumerate().filter_map(|(step, &(who, from, to))| {
            let who = number(who)?;
            Some((step, Event { who, from: place(from), to: place(to) }))
        });
        let own: Vec<(usize, Event)> = own.collect();
        let minds: Vec<CharacterId> = chain.iter().filter_map(|role| number(self.role(role))).collect();
        let (&target, minds) = minds.split_last().expect("a chain has a target");
        // Written out, the definition takes a mind for every chain of so many.
        let is_small = members.len().checked_pow(minds.len() as u32).is_some_and(|count| count <= MINDS_MAX);
        let mut reality = is_small.then(|| Mind::start(&start, minds.len()));
        let mut tracker = Tracker::new(Chain::new(minds, target), members.len());
        tracker.start(&start);
        let mut places = start.clone();
        let trace = Trace::of_moves(start, own.iter().map(|&(_, event)| event).collect());
        let is_near = |places: &[PlaceId]| places[minds[0].index()] == places[target.index()];
        // One past the last step at which the first mind perceived the target, and the first step of the
        // present run of a wrong answer.
        let (mut perceived, mut false_since) = (0, None);
        for (&(step, event), witnessed) in own.iter().zip(trace.witnessed()) {
            if is_near(&places) {
                perceived = step;
            }
            places[event.who.index()] = event.to;
            if event.who == target && witnessed.witnesses.contains(&minds[0]) {
                perceived = step + 1;
            }
            let answer = match &mut reality {
                Some(reality) => {
                    reality.happen(&witnessed);
                    reality.answer(minds, target)
                }
                None => {
                    tracker.apply(event);
                    tracker.answer()
                }
            };
            match answer == Some(places[target.index()]) {
                true => false_since = None,
                false => false_since = false_since.or(Some(step)),
            }
        }
        if is_near(&places) {
            perceived = self.claim.events.len();
        }
        let name = |place: PlaceId| place_names[place.index()];
        Held {
            answer: reality
                .map_or_else(|| tracker.answer(), |reality| reality.answer(minds, target))
                .map(name),
            truth: name(places[target.index()]),
            distance: false_since.map(|since: usize| since.saturating_sub(perceived)),
        }
    }

    /// What a condition finds wrong with a step in which `who` went to `to`.
    fn broken(
        &self,
        verb: &'a Verb,
        event: (&str, &str, &str),
        places: &HashMap<&str, &str>,
    ) -> Option<String> {
        let (who, from, to) = event;
        match verb {
            Verb::Move { who: mover, to: place } => {
                let (mover, place) = (self.role(mover), self.place(place));
                (who != mover || to != place).then(|| format!("{mover} should move to {place}"))
            }
            Verb::Meet { who: company, place } => {
                let place = place.as_ref().map_or(to, |place| self.place(place));
                let company = self.players(company);
                if let Some(absent) = company.iter().find(|&&member| places[member] != place) {
                    return Some(format!("{absent} should be in {place}"));
                }
                (!company.contains(&who) || to != place)
                    .then(|| format!("one of {} should arrive in {place}", company.join(", ")))
            }
            Verb::Idle { who: idle } => {
                idle.iter().any(|role| self.role(role) == who).then(|| format!("{who} should be idle"))
            }
            Verb::Apart { who: company } => {
                let company = self.players(company);
                let mut taken = HashSet::new();
                company
                    .iter()
                    .find(|&&member| !taken.insert(places[member]))
                    .map(|member| format!("{member} should not be with others of {}", company.join(", ")))
            }
            Verb::Together { who: company } => {
                let company = self.players(company);
                company
                    .iter()
                    .find(|&&member| places[member] != places[company[0]])
                    .map(|member| format!("{member} should be with {}", company[0]))
            }
            Verb::Unseen { who: movers, by } => {
                if !self.players(movers).contains(&who) {
                    return None;
                }
                // An onlooker does not move in this step, so it stands where it stood.
                let seen_by = self.players(by).into_iter().find(|by| places[by] == from || places[by] == to);
                seen_by.map(|by| format!("{by} should not see {who} move"))
            }
            Verb::Avoid { who: avoiding, place } => {
                let place = self.place(place);
                let there = self.players(avoiding).into_iter().find(|member| places[member] == place);
                there.map(|member| format!("{member} should avoid {place}"))
            }
            Verb::Follow { who: follower, whom } => {
                let (follower, whom) = (self.role(follower), self.role(whom));
                (who == follower && to != places[whom])
                    .then(|| format!("{follower} should go to where {whom} is"))
            }
            Verb::Note { .. } => None,
            _ => todo!("deeds"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;
    use crate::storyboard::parse;

    const BOARD: &str = "
storysim: 1
name: house
characters: {pool: [Ann, Bob, Cas, Dora], count: 3}
roles: [S1, T]
places: {hall: [attic, cellar], attic: [hall], cellar: [hall]}
start: {S1: attic, else: hall}
bind: {first: {next_to: attic, not: [cellar]}}
horizon: 5
events:
  - {at: 1, meet: {who: [S1, T], in: first}}
  - {at: 2, move: {who: T, to: cellar}}
  - {from: 3, until: end, idle: T}
";

    fn good() -> Claim<'static> {
        Claim {
            parameters: HashMap::new(),
            roles: HashMap::from([("S1", "Ann"), ("T", "Bob")]),
            binds: HashMap::from([("first", "hall")]),
            start: vec![("Ann", "attic"), ("Bob", "hall"), ("Cas", "hall")],
            events: vec![
                ("Cas", "hall", "attic"),
                ("Ann", "attic", "hall"),
                ("Bob", "hall", "cellar"),
                ("Ann", "hall", "attic"),
                ("Cas", "attic", "hall"),
            ],
        }
    }

    /// What `check` says of the good claim, spoilt.
    fn spoilt(spoil: impl FnOnce(&mut Claim<'static>)) -> String {
        let board = parse(Source { name: "house".into(), text: BOARD.into() }).unwrap();
        let mut claim = good();
        spoil(&mut claim);
        check(&board, &claim).map_or_else(|violation| violation.to_string(), |()| "nothing".to_owned())
    }

    #[test]
    fn every_rule_is_checked() {
        assert_eq!(spoilt(|_| {}), "nothing");
        for (said, wanted) in [
            (
                spoilt(|c| {
                    c.roles.remove("T");
                }),
                "nobody plays T",
            ),
            (
                spoilt(|c| {
                    c.roles.insert("T", "Ann");
                }),
                "Ann plays two roles",
            ),
            (
                spoilt(|c| {
                    c.roles.insert("T", "Dora");
                }),
                "Dora is not in the story",
            ),
            (
                spoilt(|c| {
                    c.binds.remove("first");
                }),
                "first is not bound",
            ),
            (
                spoilt(|c| {
                    c.binds.insert("first", "attic");
                }),
                "attic is not next to attic",
            ),
            (
                spoilt(|c| {
                    c.binds.insert("first", "cellar");
                }),
                "cellar is not next to attic",
            ),
            (spoilt(|c| c.start[0].1 = "hall"), "Ann starts in hall, not in Some(\"attic\")"),
            (spoilt(|c| c.start[2].1 = "attic"), "Cas starts in attic, not in Some(\"hall\")"),
            (spoilt(|c| c.start[2].0 = "Eve"), "Eve is not in the pool"),
            (spoilt(|c| c.start[2].0 = "Bob"), "Bob is there twice"),
            (
                spoilt(|c| {
                    c.start.pop();
                }),
                "2 characters, not 3",
            ),
            (
                spoilt(|c| {
                    c.events.pop();
                }),
                "4 events, and the horizon is 5",
            ),
            (spoilt(|c| c.events[0] = ("Cas", "attic", "hall")), "step 0: Cas is not in attic"),
            (spoilt(|c| c.events[0] = ("Dora", "hall", "attic")), "step 0: Dora is not in hall"),
            (
                spoilt(|c| c.events[3] = ("Cas", "attic", "cellar")),
                "step 3: Cas cannot go from attic to cellar",
            ),
            (spoilt(|c| c.events[1] = ("Cas", "attic", "hall")), "step 1: Ann should be in hall"),
            (spoilt(|c| c.events[2] = ("Ann", "hall", "attic")), "step 2: Bob should move to cellar"),
            (spoilt(|c| c.events[2] = ("Bob", "hall", "attic")), "step 2: Bob should move to cellar"),
            (spoilt(|c| c.events[3] = ("Bob", "cellar", "hall")), "step 3: Bob should be idle"),
            (
                spoilt(|c| {
                    c.events[0] = ("Ann", "attic", "hall");
                    c.events[1] = ("Cas", "hall", "attic");
                }),
                "step 1: one of Ann, Bob should arrive in hall",
            ),
        ] {
            assert_eq!(said, wanted);
        }
    }

    #[test]
    fn binds_may_not_be_what_they_are_not() {
        let text = BOARD.replace("next_to: attic, not: [cellar]", "not: [hall]");
        let board = parse(Source { name: "house".into(), text }).unwrap();
        assert_eq!(check(&board, &good()).unwrap_err().what, "first may not be hall");
    }
}
