//! What a chain of minds holds of a prospect over time, and of who is with whom: by the written-out definition of belief.

use std::sync::Arc;

use super::telling::News;
use super::words::{Case, How};
use crate::belief::nested::Mind;
use crate::belief::{Chain, Held};
use crate::id::{CharacterId, ProspectId};
use crate::trace::Trace;
use crate::world::{self, Act, Item, Value};

/// What a chain of minds holds over the scenarios of a story.
#[derive(Debug)]
pub struct Followed {
    /// The changes of what it holds of the prospect.
    pub news: Vec<News>,
    /// How many scenarios end before that is unclear.
    pub clear: usize,
    /// For each scenario, who is with the last mind at its end; `None` where that is open.
    pub here: Vec<Vec<Option<bool>>>,
}

/// A mind along a chain, and what is asked of it.
struct Asked {
    mind: Mind,
    chain: Chain,
    item: Item,
}

impl Asked {
    fn new(trace: &Trace, minds: &[CharacterId], item: Item) -> Self {
        let chain = Chain::new(minds, item);
        let mind = Mind::of_chain_on(trace, &Arc::new(trace.stage.clone()), &chain);
        Self { mind, chain, item }
    }

    fn held(&self) -> Held {
        self.mind.held(self.chain.minds(), self.item).expect("there is such an item")
    }
}

/// A case in the words of this module.
fn case(case: world::Case) -> Case {
    let how = match case.how() {
        world::How::Likely => How::Likely,
        world::How::ByNobody => How::ByNobody,
        world::How::By(who) => How::By(who.index()),
    };
    Case { side: case.side() as usize, how, is_final: case.is_final() }
}

/// What is announced of a prospect, in order.
pub fn announced(trace: &Trace, of: ProspectId, steps: usize) -> Vec<News> {
    let news = trace.deeds.iter().enumerate().filter_map(|(step, deed)| match &deed.act {
        Act::Turn(telling) if telling.item == Item::Prospect(of) => match telling.value {
            Value::Case(told) => Some(News {
                step,
                scenario: step / steps,
                teller: trace.events[step].who.index(),
                case: case(told),
                heard_by: Vec::new(),
            }),
            _ => None,
        },
        _ => None,
    });
    news.collect()
}

impl Followed {
    /// Follows what a chain holds through scenarios of so many steps; `None` if there is too much to reckon with.
    pub fn of(
        trace: &Trace,
        minds: &[CharacterId],
        of: ProspectId,
        [count, steps]: [usize; 2],
    ) -> Option<Self> {
        let who = *minds.last().expect("somebody's states");
        let mut news = Asked::new(trace, minds, Item::Prospect(of));
        let everyone = (0..trace.start.len()).map(CharacterId::new);
        let mut places: Vec<Asked> =
            everyone.map(|one| Asked::new(trace, minds, Item::Character(one))).collect();
        let mut followed = Self { news: Vec::new(), clear: count, here: Vec::new() };
        for witnessed in trace.unfold() {
            news.mind.happen(&witnessed);
            places.iter_mut().for_each(|asked| asked.mind.happen(&witnessed));
            if places.iter().chain([&news]).any(|asked| asked.mind.is_lost(asked.chain.minds())) {
                return None;
            }
            let scenario = witnessed.step / steps;
            match news.held() {
                Held::Known(Value::Case(held), _) => {
                    let case = case(held);
                    if followed.news.last().is_none_or(|last| last.case != case) {
                        let teller = witnessed.event.who.index();
                        let heard_by = Vec::new();
                        let step = witnessed.step;
                        followed.news.push(News { step, scenario, teller, case, heard_by });
                    }
                }
                Held::Unclear => followed.clear = followed.clear.min(scenario),
                Held::Known(..) | Held::Nothing => {}
            }
            if (witnessed.step + 1) % steps == 0 {
                let own = places[who.index()].held();
                let here = places.iter().map(|other| match (own, other.held()) {
                    (Held::Known(own, _), Held::Known(other, _)) => Some(own == other),
                    // Whoever is with her she knows to be.
                    (Held::Known(..), Held::Nothing) => Some(false),
                    (Held::Known(..), Held::Unclear) | (Held::Nothing | Held::Unclear, _) => None,
                });
                followed.here.push(here.collect());
            }
        }
        Some(followed)
    }
}
