//! What minds hold in the course of a story, in words.

use super::{Lexicon, Words};
use crate::belief::{Chain, DeedTracker, Tracker};
use crate::simulate::Story;

impl Lexicon<'_> {
    /// What the minds of a chain hold at the start and after each of the first `until` steps: reality first, then the outermost
    /// mind, and so on. What a mind does not know is `unknown`, or `no idea` or `unclear` where people do more than walk.
    ///
    /// ```
    /// use storysim::{belief::Chain, compile::compile, id::CharacterId, simulate::{Simulator, Story}, storyboard};
    /// use storysim::text::{Lexicon, Words};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let plan = compile(&board, &[]).unwrap().plan;
    /// let (mut story, mut words) = (Story::default(), Words::default());
    /// Simulator::new(&plan, 7).draw(0, &mut story);
    /// let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    /// lexicon.draw(&story, &mut words);
    /// let chain = Chain::new(&[CharacterId::new(0)], CharacterId::new(1));
    /// let held = lexicon.held_along(&story, &words, chain, 100);
    /// assert_eq!((held.len(), held[0][0].as_str(), held[0][1].as_str()), (101, "the hallway", "the hallway"));
    /// assert_ne!(held[100][0], held[100][1]);
    /// ```
    pub fn held_along(&self, story: &Story, words: &Words, chain: Chain, until: usize) -> Vec<Vec<String>> {
        let trace = &story.trace;
        let order = chain.order();
        let mut all = Vec::new();
        if trace.has_deeds() {
            let target = chain.target();
            let mut tracker = DeedTracker::new(chain);
            let held = |tracker: &DeedTracker| {
                let held = (0..=order).map(|depth| tracker.held_at(depth, target));
                held.map(|held| self.held(story, words, held)).collect::<Vec<String>>()
            };
            tracker.start(trace);
            all.push(held(&tracker));
            for (&event, deed) in trace.events.iter().zip(&trace.deeds).take(until) {
                tracker.apply(event, deed);
                all.push(held(&tracker));
            }
        } else {
            let mut tracker = Tracker::new(chain, self.plan.character_count);
            let held = |tracker: &Tracker| {
                let place =
                    |depth| tracker.held(depth).map_or("unknown", |place| self.place_in(words, place));
                (0..=order).map(|depth| place(depth).to_owned()).collect::<Vec<String>>()
            };
            tracker.start(&trace.start);
            all.push(held(&tracker));
            for &event in trace.events.iter().take(until) {
                tracker.apply(event);
                all.push(held(&tracker));
            }
        }
        all
    }
}
