//! The twins of woven stories: one of the boards has twins, and the others tell the same in all of them.

use super::{Twin, Twinning};
use crate::diagnostic::Diagnostic;
use crate::rng::{Purpose, StreamKey, below};
use crate::select::family::Family;
use crate::select::selector::Selector;
use crate::select::weave::seed_of;
use crate::simulate::Story;
use crate::storyboard::{Storyboard, Strand, Weave};

/// Draws woven stories with their twins. `T` draws those of a board's own stories.
#[derive(Clone, Debug)]
pub struct WovenTwins<'a, T> {
    /// Draws whose story has twins.
    key: StreamKey,
    /// The boards whose stories have twins, each with its number.
    of: Vec<(usize, Selector<'a>, T)>,
    /// The twins of a board's own story.
    own: Vec<Twin>,
}

/// Draws a story of one board with its twins, from an attempt at an index on. Returns the number of attempts.
pub type DrawOwn<'a, T> = fn(&mut T, &mut Selector<'a>, (u64, u64), &mut Story, &mut [Twin]) -> u64;

impl<'a, T> WovenTwins<'a, T> {
    /// The twins of woven stories under the seed of a run; `None` if no board's stories have any. `make` makes what draws those of a
    /// board.
    pub fn new(
        weave: &'a Weave,
        family: &'a Family,
        seed: u64,
        make: impl Fn(&'a Storyboard, &'a Family, u64) -> Option<T>,
    ) -> Option<Self> {
        let twinless = &family.weights().twinless;
        let strands = weave.strands.iter().zip(family.strands()).enumerate();
        let strands = strands.filter(|(at, _)| !twinless.contains(at));
        let of = strands.filter_map(|(at, (strand, family))| {
            let seed = seed_of(seed, at);
            Some((at, Selector::for_twins(family, seed), make(&strand.board, family, seed)?))
        });
        let of: Vec<_> = of.collect();
        let key = StreamKey::derive(seed, &family.plans()[0].fingerprint, Purpose::Twin);
        (!of.is_empty()).then(|| Self { key, of, own: Vec::new() })
    }

    /// Draws a story and its twins: which board they are of is drawn, and all others tell the same in all of them, at the same steps.
    /// Returns the number of attempts of the board that took most.
    pub fn draw_from(
        &mut self,
        selector: &mut Selector<'a>,
        (index, first): (u64, u64),
        story: &mut Story,
        twins: &mut [Twin],
        draw_own: DrawOwn<'a, T>,
    ) -> u64 {
        let count = u32::try_from(self.of.len()).expect("a few boards");
        let chosen = below(&mut self.key.stream(index, first), count) as usize;
        let (strand, own_selector, of_strand) = &mut self.of[chosen];
        let own = &mut self.own;
        own.resize_with(twins.len(), Twin::default);
        let draw = |at, selector: &mut Selector<'a>, story: &mut Story| {
            if at == *strand {
                let attempts = draw_own(of_strand, own_selector, (index, first), story, own);
                return (own_selector.plan_number(), attempts);
            }
            let attempts = selector.draw_from(index, first, story);
            (selector.plan_number(), attempts)
        };
        let attempts = selector.draw_woven((index, first), draw, story);
        let weaver = selector.weaver().expect("stories that are woven");
        for (twin, own) in twins.iter_mut().zip(own) {
            super::outline(story, &mut twin.story);
            weaver.compose(selector.plan_number(), Some((*strand, &own.story)), &mut twin.story);
            twin.step = weaver.step_of(*strand, own.step);
        }
        attempts
    }
}

/// What tells whether a board's stories can have twins of a kind, and what tries that out.
type Kind = (fn(&Storyboard, &Family) -> bool, fn(&Storyboard, Family) -> Result<Family, Diagnostic>);

/// Tries out the boards that are woven and have twins of a kind, each on its own.
pub fn admit_strands(
    weave: &Weave,
    family: Family,
    kind: Twinning,
    (has_twins, admit): Kind,
) -> Result<Family, Diagnostic> {
    let has_twins = |(strand, family): (&Strand, &Family)| has_twins(&strand.board, family);
    if !weave.strands.iter().zip(family.strands()).any(has_twins) {
        let message = "none of these boards asks for the same belief at the end of every story, so their stories have no twins";
        let help = "add one to `questions` of a board, such as `belief: [S1, T]`, or make no twins";
        return Err(Diagnostic::error(message, weave.span, "woven here").help(help));
    }
    let (mut twinless, mut refused, mut strands) = (Vec::new(), None, Vec::new());
    for (at, both) in weave.strands.iter().zip(family.strands()).enumerate() {
        let (strand, own) = both;
        let admitted = if has_twins(both) { admit(&strand.board, own.clone()).map(Some) } else { Ok(None) };
        match admitted {
            Ok(Some(admitted)) => strands.push(admitted),
            without => {
                let (board, kind) = (&strand.name.value, kind.name());
                let help = format!("`storysim generate {board} --twins={kind}` says more");
                let problem = without.err().map(|problem| strand.problem(&[problem], &[]).help(help));
                refused = refused.or(problem);
                twinless.push(at);
                strands.push(own.clone());
            }
        }
    }
    // The others tell the same in all stories; if there are none, the first says why.
    if let Some(problem) = refused.filter(|_| twinless.len() == strands.len()) {
        return Err(problem);
    }
    let family = family.without_twins_of(twinless);
    Ok(family.with_strands(strands))
}
