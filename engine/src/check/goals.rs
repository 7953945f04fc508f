//! Whether minds hold at the end what the goals demand.

use std::cell::RefCell;
use std::collections::HashMap;

use super::claim::{Item, Value};
use super::numbers::Numbers;
use super::state::State;
use super::{Findings, Moment, Replay, Violation};
use crate::belief::nested::Mind;
use crate::belief::{self, Chain};
use crate::id::{CharacterId, PlaceId};
use crate::storyboard::{GoalKind, Name};
use crate::trace::Trace;
use crate::world::{self, Event};

/// The result of a chain at the end of a story.
struct Held<'a> {
    value: Option<Value<'a>>,
    /// The chain's answer: the value or, for an object in somebody's hands, the holder's place if that is known.
    answer: Option<Value<'a>>,
    /// The real value, in the form of an answer.
    truth: Value<'a>,
    /// The mislead distance of a false belief.
    distance: Option<usize>,
}

impl Held<'_> {
    fn is_false(&self) -> bool {
        self.answer.is_some_and(|answer| answer != self.truth)
    }
}

/// What minds hold at the end of a story of moves, kept for checking the same moves under other casts.
#[derive(Debug, Default)]
pub struct KnownMinds(RefCell<HashMap<Vec<(String, String)>, KeptHeld>>);

/// A copy of [`Held`] that owns its names.
#[derive(Clone, Debug)]
struct KeptHeld {
    answer: Option<String>,
    truth: String,
    distance: Option<usize>,
}

impl<'a> Replay<'a> {
    /// Finds the goals that are not met.
    pub(super) fn goals(&self, found: &mut Findings) {
        for goal in &self.storyboard.goals {
            if let Err(what) = self.is_ensured(&goal.kind) {
                found.add(Err(Violation { moment: Moment::End, what, span: Some(goal.span) }));
            }
            if found.is_enough() {
                return;
            }
        }
    }

    /// Checks that a goal is met; otherwise says what is held instead.
    fn is_ensured(&self, goal: &'a GoalKind) -> Result<(), String> {
        let chains: &[Vec<Name>] = match goal {
            GoalKind::Holds { chain, .. }
            | GoalKind::FalseBelief { chain }
            | GoalKind::TrueBelief { chain }
            | GoalKind::Unknown { chain }
            | GoalKind::MisleadDistance { chain, .. } => std::slice::from_ref(chain),
            GoalKind::Differs { chains } => chains,
            // That is said of a question and its answer, not of the story.
            GoalKind::Difficulty { .. } => return Ok(()),
        };
        let held: Vec<Held<'a>> = chains.iter().map(|chain| self.held(chain)).collect();
        let first = &held[0];
        let met = match goal {
            GoalKind::Holds { chain, value } => {
                let wanted = Some(self.item_value(self.target(chain), value));
                first.value == wanted || first.answer == wanted
            }
            GoalKind::FalseBelief { .. } => first.is_false(),
            GoalKind::TrueBelief { .. } => first.answer == Some(first.truth),
            GoalKind::Unknown { .. } => first.answer.is_none(),
            GoalKind::Differs { .. } => {
                let other = held[1].answer;
                first.answer.is_some() && other.is_some() && first.answer != other
            }
            GoalKind::Difficulty { .. } => true,
            GoalKind::MisleadDistance { least, most, .. } => {
                let distance = first.distance.filter(|_| first.is_false());
                distance.is_some_and(|distance| {
                    (self.value(least)..=self.value(most)).contains(&(distance as i64))
                })
            }
        };
        if met {
            return Ok(());
        }
        let roles: Vec<&str> = chains.iter().flatten().map(|role| role.value.as_str()).collect();
        let answers: Vec<String> = held
            .iter()
            .map(|held| held.answer.map_or_else(|| "unknown".to_owned(), |answer| answer.to_string()))
            .collect();
        let mut what = format!(
            "a goal about {} is not met: at the end the answer is {}, and the truth is {}",
            roles.join(", "),
            answers.join(" and "),
            first.truth
        );
        if let (GoalKind::MisleadDistance { .. }, Some(distance)) = (goal, first.distance) {
            what.push_str(&format!(", at distance {distance}"));
        }
        Err(what)
    }

    fn target(&self, chain: &'a [Name]) -> Item<'a> {
        self.item(chain.last().expect("a chain has a target"))
    }

    /// The result of a chain at the end.
    fn held(&self, chain: &'a [Name]) -> Held<'a> {
        let is_walk = self.claim.deeds.is_empty() && self.claim.things.facts.is_empty();
        match self.minds {
            Some(minds) if is_walk => self.held_before(chain, minds),
            _ if is_walk => self.held_by_members(chain),
            _ => self.held_by_all(chain),
        }
    }

    /// The result of a chain at the end of a story of moves, which is looked up if it was found before: it depends on who
    /// is in the chain, and on where they start.
    fn held_before(&self, chain: &'a [Name], minds: &KnownMinds) -> Held<'a> {
        let member = |role: &Name| {
            let player = self.role(role);
            let start = self.claim.start.iter().find(|(who, _)| *who == player);
            (player.to_owned(), start.map_or_else(String::new, |(_, place)| (*place).to_owned()))
        };
        let members: Vec<(String, String)> = chain.iter().map(member).collect();
        let kept = minds.0.borrow().get(&members).cloned();
        if let Some(KeptHeld { answer, truth, distance }) = kept {
            let place = |name: &String| {
                let places = self.places();
                Value::Place(places.into_iter().find(|place| place == name).expect("on the map"))
            };
            let answer = answer.as_ref().map(place);
            return Held { value: answer, answer, truth: place(&truth), distance };
        }
        let held = self.held_by_members(chain);
        let name = |value: Value<'_>| value.name().to_owned();
        let kept =
            KeptHeld { answer: held.answer.map(name), truth: name(held.truth), distance: held.distance };
        minds.0.borrow_mut().insert(members, kept);
        held
    }

    /// The result of a chain at the end of a story with deeds, where everyone matters to it.
    fn held_by_all(&self, chain: &'a [Name]) -> Held<'a> {
        let numbers = Numbers::new(self.claim, self.places(), self.companions());
        let trace = numbers.trace(self.claim.events.len());
        let target = self.target(chain);
        let item = numbers.item(target);
        let players: Vec<&str> = chain[..chain.len() - 1].iter().map(|role| self.role(role)).collect();
        let minds: Vec<CharacterId> = players.iter().map(|player| numbers.character(player)).collect();
        let chain = Chain::new(&minds, item);
        let mut reality = Mind::of_chain(&trace, &chain);
        let mut state = State::new(self.claim);
        let (mut perceived, mut false_since) = (0, None);
        for (witnessed, event) in trace.witnessed().iter().zip(self.steps()) {
            if state.sees(players[0], target) {
                perceived = witnessed.step;
            }
            if state.is_moved(target, event) && witnessed.witnesses.contains(&minds[0]) {
                perceived = witnessed.step + 1;
            }
            state.apply(event);
            reality.happen(witnessed);
            match answer(&reality, &chain).map(|value| numbers.name(value)) == state.answer(target) {
                true => false_since = None,
                false => false_since = false_since.or(Some(witnessed.step)),
            }
        }
        if state.sees(players[0], target) {
            perceived = self.claim.events.len();
        }
        let name = |value: Option<world::Value>| value.map(|value| numbers.name(value));
        let distance = false_since.map(|since: usize| since.saturating_sub(perceived));
        Held {
            value: name(held(&reality, &chain, item)),
            answer: name(answer(&reality, &chain)),
            truth: state.answer(target).expect("in the story"),
            distance: distance.filter(|_| !matches!(target, Item::Proposition(_))),
        }
    }

    /// The result of a chain at the end of a story of moves, by the written-out definition with only its members: the
    /// moves of others do not matter to it.
    fn held_by_members(&self, chain: &[Name]) -> Held<'a> {
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
        let mut places = start.clone();
        let trace = Trace::of_moves(start, own.iter().map(|&(_, event)| event).collect());
        let chain = Chain::new(minds, target);
        let mut reality = Mind::of_chain(&trace, &chain);
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
            reality.happen(&witnessed);
            match reality.answer(chain.minds(), target) == Some(places[target.index()]) {
                true => false_since = None,
                false => false_since = false_since.or(Some(step)),
            }
        }
        if is_near(&places) {
            perceived = self.claim.events.len();
        }
        let name = |place: PlaceId| Value::Place(place_names[place.index()]);
        let answer = reality.answer(chain.minds(), target).map(name);
        Held {
            value: answer,
            answer,
            truth: name(places[target.index()]),
            distance: false_since.map(|since: usize| since.saturating_sub(perceived)),
        }
    }
}

/// The value that a chain of minds holds of an item.
fn held(reality: &Mind, chain: &Chain, item: world::Item) -> Option<world::Value> {
    reality.held(chain.minds(), item).and_then(belief::Held::value)
}

/// The answer of a chain of minds about its target.
fn answer(reality: &Mind, chain: &Chain) -> Option<world::Value> {
    match held(reality, chain, chain.target())? {
        world::Value::Hands(holder) => held(reality, chain, world::Item::Character(holder)),
        value => Some(value),
    }
}
