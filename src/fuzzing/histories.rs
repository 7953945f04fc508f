//! What chains hold: the trackers compared with possible histories.

use std::mem::discriminant;
use std::ops::AddAssign;

use super::minds::chains;
use crate::belief::worlds::Worlds;
use crate::belief::{Chain, DeedTracker, Held, Tracker};
use crate::id::CharacterId;
use crate::trace::Trace;
use crate::world::{Item, Stage, Value};

/// The largest order of chains that are compared; beyond it there are too many histories.
const ORDER_MAX: usize = 3;

/// How often both definitions agree on chains of one order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The number of pairs of a story and a chain with its target.
    pub pairs: usize,
    /// The number of pairs that both leave open for different reasons: she has no idea, or one cannot tell what she holds.
    pub other_reason: usize,
    /// The number of pairs for which the definition gives a value and histories leave it open.
    pub open_in_histories: usize,
    /// The number of pairs for which histories give a value and the definition leaves it open.
    pub open_in_definition: usize,
    /// The number of pairs for which they give different values.
    pub different: usize,
    /// The number of pairs with too many histories.
    pub refused: usize,
}

impl Agreement {
    /// The number of pairs in which they differ.
    pub fn part(&self) -> usize {
        self.open_in_histories + self.open_in_definition + self.different
    }
}

impl AddAssign for Agreement {
    fn add_assign(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.other_reason += other.other_reason;
        self.open_in_histories += other.open_in_histories;
        self.open_in_definition += other.open_in_definition;
        self.different += other.different;
        self.refused += other.refused;
    }
}

/// Compares what all chains of up to three minds hold of everything at the end of a tiny story, by the trackers and by
/// possible [histories](Worlds). At order 1 they agree in every detail, at order 2 on what is held, and at order 3 they
/// never hold different values. Stories in which someone is noticed to miss an event are exempt at orders 2 and 3: there
/// they may differ, but at order 2 never hold different values.
///
/// # Panics
/// If this does not hold.
///
/// ```
/// use storysim::fuzzing::{histories, story_with_deeds};
/// let bytes: Vec<u8> = (0..40).map(|at| (at * at % 251) as u8).collect();
/// let [first, ..] = histories(&story_with_deeds(&bytes));
/// assert!(first.pairs > 0 && first.part() == 0);
/// ```
pub fn histories(trace: &Trace) -> [Agreement; ORDER_MAX] {
    let characters: Vec<CharacterId> = (0..trace.start.len()).map(CharacterId::new).collect();
    let items: Vec<Item> = trace.stage.items(characters.len()).collect();
    let is_noticed = trace.deeds.iter().any(|deed| deed.distracted.iter().any(|missing| missing.is_noticed));
    let mut worlds = Worlds::new(trace);
    let mut agreements = [Agreement::default(); ORDER_MAX];
    for minds in chains(&characters, ORDER_MAX) {
        let order = minds.len();
        let agreement = &mut agreements[order - 1];
        for &item in &items {
            let held = tracked(trace, &minds, item);
            agreement.pairs += 1;
            let Ok(plausible) = worlds.held(&minds, item) else {
                agreement.refused += 1;
                continue;
            };
            let what = || format!("{minds:?} about {item:?}, {held:?} or {plausible:?}, of {trace:?}");
            match (held.value(), plausible.value()) {
                (Some(held), Some(plausible)) if held == plausible => {}
                (Some(_), Some(_)) => {
                    assert!(order > 2 && is_noticed, "{}", what());
                    agreement.different += 1;
                }
                (None, None) => {
                    agreement.other_reason += usize::from(discriminant(&held) != discriminant(&plausible));
                }
                (Some(_), None) => agreement.open_in_histories += 1,
                (None, Some(_)) => agreement.open_in_definition += 1,
            }
            match order {
                1 => assert_eq!(held, plausible, "{}", what()),
                2 => assert!(is_noticed || held.value() == plausible.value(), "{}", what()),
                _ => {}
            }
        }
    }
    agreements
}

/// What a chain holds of an item according to the trackers.
fn tracked(trace: &Trace, minds: &[CharacterId], item: Item) -> Held {
    let chain = Chain::new(minds, item);
    let mut deeds = DeedTracker::new(chain.clone());
    deeds.start(trace);
    for (step, &event) in trace.events.iter().enumerate() {
        deeds.apply(event, &trace.deeds.get(step).cloned().unwrap_or_default());
    }
    let held = deeds.held();
    if !trace.has_deeds() && trace.stage == Stage::default() {
        let mut walks = Tracker::new(chain, trace.start.len());
        walks.start(&trace.start);
        for &event in &trace.events {
            walks.apply(event);
        }
        assert_eq!(held.value(), walks.answer().map(Value::Place), "{minds:?} about {item:?} of {trace:?}");
    }
    held
}
