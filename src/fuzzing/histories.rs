//! What chains hold: the trackers compared with possible histories.

use std::ops::AddAssign;

use super::minds::chains;
use crate::belief::worlds::Worlds;
use crate::belief::{Chain, DeedTracker, Held, Tracker};
use crate::id::CharacterId;
use crate::trace::Trace;
use crate::world::{Item, Stage, Value};

/// The largest order of chains that can be compared.
const ORDER_MAX: usize = 4;

/// How often both definitions agree on chains of one order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The number of pairs of a story and a chain with its target.
    pub pairs: usize,
    /// The number of pairs that the definition leaves open, though histories answer them.
    pub open_in_definition: usize,
    /// The number of pairs with too many histories.
    pub refused: usize,
}

impl AddAssign for Agreement {
    fn add_assign(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.open_in_definition += other.open_in_definition;
        self.refused += other.refused;
    }
}

/// Compares what all chains hold of everything at the end of a tiny story, by the trackers and by possible
/// [histories](Worlds). Whatever the trackers answer, histories answer too, and the same; that someone has no idea is an
/// answer. At order 1 neither leaves open what the other answers.
///
/// # Panics
/// If this does not hold.
///
/// ```
/// use storysim::fuzzing::{histories, story_with_deeds};
/// let bytes: Vec<u8> = (0..40).map(|at| (at * at % 251) as u8).collect();
/// let [first, ..] = histories(&story_with_deeds(&bytes), 3);
/// assert!(first.pairs > 0 && first.open_in_definition == 0);
/// ```
pub fn histories(trace: &Trace, order: usize) -> [Agreement; ORDER_MAX] {
    let characters: Vec<CharacterId> = (0..trace.start.len()).map(CharacterId::new).collect();
    let items: Vec<Item> = trace.stage.items(characters.len()).collect();
    let mut worlds = Worlds::new(trace);
    let mut agreements = [Agreement::default(); ORDER_MAX];
    for minds in chains(&characters, order) {
        let agreement = &mut agreements[minds.len() - 1];
        for &item in &items {
            let held = tracked(trace, &minds, item);
            agreement.pairs += 1;
            let chain = Chain::new(&minds, item);
            let Ok(plausible) = worlds.held(chain.minds(), item) else {
                agreement.refused += 1;
                continue;
            };
            let is_same = match (held, plausible) {
                (Held::Known(held, _), Held::Known(plausible, _)) => held == plausible,
                (Held::Nothing, Held::Nothing) | (Held::Unclear, _) => true,
                (Held::Known(..) | Held::Nothing, _) => false,
            };
            assert!(is_same, "{minds:?} about {item:?}, {held:?} or {plausible:?}, of {trace:?}");
            assert!(minds.len() > 1 || held == plausible, "{minds:?} about {item:?} of {trace:?}");
            agreement.open_in_definition += usize::from(held == Held::Unclear && plausible != held);
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
