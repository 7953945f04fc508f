//! The twins of woven stories: one of the boards has a twin, and the others tell the same in both.

use super::{Twin, Twins};
use crate::rng::{Purpose, StreamKey, below};
use crate::select::family::Family;
use crate::select::selector::Selector;
use crate::select::weave::seed_of;
use crate::simulate::Story;
use crate::storyboard::Weave;

/// Draws woven stories with their twins.
#[derive(Clone, Debug)]
pub struct WovenTwins<'a> {
    /// Draws whose story has a twin.
    key: StreamKey,
    /// The boards whose stories have twins, each with its number.
    of: Vec<(usize, Selector<'a>, Twins<'a>)>,
    /// The twin of a board's own story.
    own: Twin,
}

impl<'a> WovenTwins<'a> {
    /// The twins of woven stories under the seed of a run; `None` if no board asks for a belief at the end.
    pub fn new(weave: &'a Weave, family: &'a Family, seed: u64) -> Option<Self> {
        let twinless = &family.weights().twinless;
        let strands = weave.strands.iter().zip(family.strands()).enumerate();
        let strands = strands.filter(|(at, _)| !twinless.contains(at));
        let of = strands.filter_map(|(at, (strand, family))| {
            let seed = seed_of(seed, at);
            Some((at, Selector::for_twins(family, seed), Twins::new(&strand.board, family, seed)?))
        });
        let of: Vec<_> = of.collect();
        let key = StreamKey::derive(seed, &family.plans()[0].fingerprint, Purpose::Twin);
        (!of.is_empty()).then(|| Self { key, of, own: Twin::default() })
    }

    /// Draws a story and its twin: which board the twin is of is drawn, and all others tell the same in both, at the same steps.
    /// Returns the number of attempts of the board that took most.
    pub fn draw_from(
        &mut self,
        selector: &mut Selector<'a>,
        (index, first): (u64, u64),
        story: &mut Story,
        twin: &mut Twin,
    ) -> u64 {
        let count = u32::try_from(self.of.len()).expect("a few boards");
        let chosen = below(&mut self.key.stream(index, first), count) as usize;
        let (strand, own_selector, twins) = &mut self.of[chosen];
        let own = &mut self.own;
        let draw = |at, selector: &mut Selector<'a>, story: &mut Story| {
            if at == *strand {
                let attempts = twins.draw_from(own_selector, (index, first), story, own);
                return (own_selector.plan_number(), attempts);
            }
            let attempts = selector.draw_from(index, first, story);
            (selector.plan_number(), attempts)
        };
        let attempts = selector.draw_woven((index, first), draw, story);
        let weaver = selector.weaver().expect("stories that are woven");
        super::outline(story, &mut twin.story);
        weaver.compose(selector.plan_number(), Some((*strand, &self.own.story)), &mut twin.story);
        twin.step = weaver.step_of(*strand, self.own.step);
        attempts
    }
}
