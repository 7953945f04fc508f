//! What really happens, and what a chain of minds makes of it.

use super::Stumble;
use super::mind::{Act, Follower, Mind};
use super::rules::Rule;
use super::scene::{Scene, Spot};
use super::story::Event;

/// How much later each event is than the one before; the steps within it are counted by ones.
const STEP: u32 = 1000;

/// The minds of a chain at the start, and what each thinks of a fact.
struct Start<'a> {
    scene: &'a Scene,
    chain: &'a [usize],
    item: usize,
    left: usize,
}

impl Start<'_> {
    fn mind(&self, depth: usize, value: Spot) -> Result<Mind, Stumble> {
        let mut at = self.scene.start.clone();
        at.extend(self.scene.facts.iter().map(|_| Spot::Unknown));
        if let Some(slot) = at.get_mut(self.item).filter(|_| self.is_fact()) {
            *slot = value;
        }
        let told = vec![false; at.len()];
        let other = self.next(depth, value)?;
        Ok(Mind { at, told, gone: Vec::new(), left: vec![0; self.left], other })
    }

    fn is_fact(&self) -> bool {
        self.item >= self.scene.start.len()
    }

    /// What the owner thinks at the start that the next person of the chain thinks.
    fn next(&self, depth: usize, value: Spot) -> Result<Vec<Mind>, Stumble> {
        let Some(&who) = self.chain.get(depth) else { return Ok(Vec::new()) };
        if !self.is_fact() {
            self.scene.rules.need(Rule::StartKnown).or_else(|_| self.scene.rules.need(Rule::ElseKnown))?;
            return Ok(vec![self.mind(depth + 1, Spot::Unknown)?]);
        }
        if !self.scene.rules.has(Rule::OwnTastes) {
            self.scene.rules.need(Rule::WhoHasNoIdea)?;
            self.scene.rules.need(Rule::SomeAgree)?;
            self.scene.rules.need(Rule::NoneCanTell)?;
        }
        self.scene.rules.need(Rule::ElseKnown)?;
        let knowers = &self.scene.facts[self.item - self.scene.start.len()].knowers;
        if !knowers.contains(&who) {
            return Ok(vec![self.mind(depth + 1, Spot::Unknown)?]);
        }
        if value != Spot::Unknown {
            return Ok(vec![self.mind(depth + 1, value)?]);
        }
        (0..2).map(|value| self.mind(depth + 1, Spot::Is(value))).collect()
    }
}

/// Replays the events; the result is the world at the end, with the minds of the chain in it.
pub fn replay(scene: &Scene, events: &[Event], chain: &[usize], item: usize) -> Result<Mind, Stumble> {
    let mut tracked: Vec<bool> = vec![false; scene.start.len() + scene.facts.len()];
    for who in chain {
        tracked[*who] = true;
    }
    let thing = item >= scene.people.len() && item < scene.start.len();
    if thing || scene.rules.has(Rule::BelieveLater) {
        let people = tracked.iter_mut().take(scene.people.len());
        people.for_each(|track| *track = true);
    }
    tracked[item] = true;
    if let Some(fact) = item.checked_sub(scene.start.len()) {
        scene.facts[fact].knowers.iter().for_each(|who| tracked[*who] = true);
    }
    // One more place stands for any that is not named.
    let places = scene.places.len() + 1;
    let follower = Follower { scene, chain, tracked, places };
    let left = if scene.rules.has(Rule::BelieveLater) { scene.people.len() * places } else { 0 };
    let truth = match item.checked_sub(scene.start.len()) {
        Some(fact) => Spot::Is(scene.facts[fact].truth),
        None => Spot::Unknown,
    };
    let mut world = Start { scene, chain, item, left }.mind(0, truth)?;
    for (step, event) in events.iter().enumerate() {
        let stamp = (step as u32 + 1) * STEP;
        for (number, act) in acts(scene, &world.at, event)?.iter().enumerate() {
            follower.happen(&mut world, act, stamp + number as u32 * 100)?;
        }
    }
    Ok(world)
}

/// The acts of an event, with where each begins in the world as it is.
fn acts(scene: &Scene, at: &[Spot], event: &Event) -> Result<Vec<Act>, Stumble> {
    let place = |who: usize| match at[who] {
        Spot::Place(place) => Ok(place),
        _ => Err(Stumble::Impossible(format!("{event:?}"))),
    };
    let is_here = |who: usize, thing: usize| {
        let here = match at[thing] {
            Spot::Place(place) => Some(place),
            Spot::In(container) => Some(scene.containers[container].1),
            Spot::Hand(holder) => place(holder).ok(),
            Spot::Unknown | Spot::Open | Spot::Is(_) => None,
        };
        if here == place(who).ok() { Ok(()) } else { Err(Stumble::Impossible(format!("{event:?}"))) }
    };
    Ok(match event {
        Event::Go { people, to } => {
            let mut acts = Vec::new();
            for who in people {
                let from = place(*who)?;
                if from != *to {
                    acts.push(Act::Go { who: *who, from, to: *to });
                }
            }
            acts
        }
        Event::Carry { who, thing, to } => {
            is_here(*who, *thing)?;
            scene.rules.need(Rule::InHand)?;
            let from = place(*who)?;
            let hand = Spot::Hand(*who);
            let by = Some((*who, from));
            let mut acts = vec![Act::Shift { thing: *thing, from: at[*thing], to: hand, by }];
            acts.retain(|_| at[*thing] != hand);
            acts.push(Act::Go { who: *who, from, to: *to });
            acts
        }
        Event::Throw { who, thing, to } => {
            is_here(*who, *thing)?;
            let by = Some((*who, place(*who)?));
            vec![Act::Shift { thing: *thing, from: at[*thing], to: Spot::Place(*to), by }]
        }
        Event::Put { who, thing, container } => {
            is_here(*who, *thing)?;
            let by = Some((*who, place(*who)?));
            vec![Act::Shift { thing: *thing, from: at[*thing], to: Spot::In(*container), by }]
        }
        Event::Moved { thing, to } => {
            scene.rules.need(Rule::NothingMovesItself)?;
            vec![Act::Shift { thing: *thing, from: at[*thing], to: Spot::Place(*to), by: None }]
        }
        Event::Show { who, fact, value } => {
            vec![Act::Show { who: *who, item: scene.fact_item(*fact), value: Spot::Is(*value) }]
        }
        Event::Say { who, hearers, item, claim } => {
            let hearers = hearers.clone();
            vec![Act::Say { who: *who, hearers, item: *item, claim: *claim }]
        }
    })
}

/// Where every item is before each event, and after the last.
pub fn history(scene: &Scene, events: &[Event]) -> Result<Vec<Vec<Spot>>, Stumble> {
    let mut history = vec![scene.start.clone()];
    for event in events {
        let mut at = history[history.len() - 1].clone();
        for act in acts(scene, &at, event)? {
            match act {
                Act::Go { who, to, .. } => at[who] = Spot::Place(to),
                Act::Shift { thing, to, .. } => at[thing] = to,
                _ => {}
            }
        }
        history.push(at);
    }
    Ok(history)
}
