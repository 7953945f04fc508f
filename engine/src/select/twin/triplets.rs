//! Triplets: a story with two twins.
//!
//! In the first twin, the target does just the same; in the second, those whose minds are asked about do. So whoever looks at
//! the target alone answers the story like its first twin, whoever looks at the minds alone like its second, and both are wrong
//! once. Only who sees what both do can be right of all three.
//!
//! The two twins are found independently of each other, each as that of a pair is ([`Twins`]). Where shares are balanced, a
//! triplet counts for the product of the factors of its three stories; the sum of that over all twins of both kinds is a
//! product of two sums, so that the twins, too, are chosen independently of each other.

use std::ops::Range;

use super::pairs::{Known, Pilot, TRIES_MAX};
use super::pilots::{fitted, looked_at, number_of};
use super::same::Same;
use super::trial::{STORIES_MAX, admit_shares, first_without, no_belief, no_triplet, span_of, too_rare};
use super::woven::{WovenTwins, admit_strands};
use super::{Choice, Twin, Twinning, Twins, asked, rake, share};
use crate::diagnostic::{Diagnostic, Span};
use crate::plan::{Plan, Question, Target, written_number};
use crate::select::balance::Weights;
use crate::select::family::Family;
use crate::select::selector::Selector;
use crate::simulate::Story;
use crate::storyboard::{QuestionKind, Storyboard};
use crate::world::Item;

/// Draws the stories of a family with two twins each: one in which the target does the same, and one in which the minds do.
///
/// ```
/// use storysim::{compile::compile, diagnostic::Source, select::{Family, Selector, Triplets, Twin}, simulate::Story, storyboard};
/// let text = "storysim: 1\nname: doc\ncharacters: {pool: people, count: 4}\nroles: [S1, T]\nstart: a\nhorizon: 20\n\
///             places: {complete: [a, b, c, d]}\nquestions: [{belief: [S1, T]}]\n";
/// let board = storyboard::parse(Source { name: "doc".into(), text: text.into() }).unwrap();
/// let family = Family::from(compile(&board, &[]).unwrap().plan);
/// let (mut story, mut twins) = (Story::default(), <[Twin; 2]>::default());
/// Triplets::new(&board, &family, 7).unwrap().draw(&mut Selector::new(&family, 7), 42, &mut story, &mut twins);
/// let target = family.plans()[0].questions[0].character();
/// let step = twins[1].step;
/// let events = [&story, &twins[1].story].map(|of| of.trace.events[step]);
/// assert!(events.iter().any(|event| event.who == target) && events[0] != events[1]);
/// ```
#[derive(Clone, Debug)]
pub struct Triplets<'a> {
    /// The twins in which the target does the same.
    of_minds: Twins<'a>,
    /// The twins in which the minds do the same.
    of_target: Twins<'a>,
    /// What draws the triplets of the strands' stories, where stories are woven.
    woven: Option<Box<WovenTwins<'a, Self>>>,
}

impl<'a> Triplets<'a> {
    /// The triplets of a family's stories under the seed of a run; `None` if no question asks for a belief at the end.
    ///
    /// # Panics
    /// If shares are balanced and [`admit_triplets`] has not admitted the family.
    pub fn new(storyboard: &'a Storyboard, family: &'a Family, seed: u64) -> Option<Self> {
        if let Some(weave) = &storyboard.weave {
            let woven = WovenTwins::new(weave, family, seed, Self::new)?;
            let of = |same| Twins::without(storyboard, family, seed, same);
            let (of_minds, of_target) = (of(Same::Target), of(Same::Minds));
            return Some(Self { of_minds, of_target, woven: Some(Box::new(woven)) });
        }
        let weights = family.weights();
        assert!(
            weights.stories.is_none() || weights.triplets.is_some(),
            "where shares are balanced, `admit_triplets` finds what triplets count for"
        );
        Self::known_by(storyboard, family, seed, weights.triplets.as_ref())
    }

    /// The triplets of stories that are chosen by these factors, if they are known.
    fn known_by(
        storyboard: &'a Storyboard,
        family: &'a Family,
        seed: u64,
        weights: Option<&'a Weights>,
    ) -> Option<Self> {
        let known = Known { weights, ..Known::default() };
        // One question counts, in conversations, too.
        let talk_finders = vec![None; family.plans().len()];
        let of = |same| {
            let twins = Twins::known_by(storyboard, family, seed, (same, known))?;
            Some(Twins { talk_finders: talk_finders.clone(), ..twins })
        };
        Some(Self { of_minds: of(Same::Target)?, of_target: of(Same::Minds)?, woven: None })
    }

    /// Draws the story with an index as `selector` does, and its twins: first the one in which the target does the same, then
    /// the one in which the minds do. If it lacks one, another attempt at this index is drawn; so it is if shares are balanced
    /// and the triplet is not kept. Does not return if no story has both twins; see [`admit_triplets`].
    pub fn draw(
        &mut self,
        selector: &mut Selector<'a>,
        index: u64,
        story: &mut Story,
        twins: &mut [Twin; 2],
    ) {
        self.draw_from(selector, (index, 0), story, twins);
    }

    /// The same, starting at the attempt `first`, so that one can go on if a triplet will not do. Returns the number of attempts,
    /// including those before the first.
    pub fn draw_from(
        &mut self,
        selector: &mut Selector<'a>,
        (index, first): (u64, u64),
        story: &mut Story,
        twins: &mut [Twin; 2],
    ) -> u64 {
        if let Some(woven) = &mut self.woven {
            return woven.draw_from(
                selector,
                (index, first),
                story,
                twins,
                |own, selector, at, story, twins| {
                    own.draw_from(selector, at, story, twins.first_chunk_mut().expect("two of them"))
                },
            );
        }
        let mut attempts = first;
        loop {
            attempts = selector.draw_from(index, attempts, story);
            if self.find(selector.plan_number(), story, attempts - 1, twins) {
                return attempts;
            }
        }
    }

    /// Looks for the twins of a story, which belongs to an attempt and to the plan with this number. Returns whether the tries
    /// found both and, where shares are balanced, whether the triplet is kept.
    fn find(&mut self, plan: usize, story: &mut Story, attempt: u64, twins: &mut [Twin; 2]) -> bool {
        let [first, second] = twins;
        let of_lives =
            self.of_minds.lives_finders[plan].as_mut().zip(self.of_target.lives_finders[plan].as_mut());
        if let Some((of_minds, of_target)) = of_lives {
            let are_found = of_minds.find(story, attempt, first) && of_target.find(story, attempt, second);
            if are_found {
                let stories = &mut [story, &mut first.story, &mut second.story];
                share(&self.of_minds.family.plans()[plan], stories);
            }
            return are_found;
        }
        let finders = self.of_minds.finder(plan).zip(self.of_target.finder(plan));
        let Some((of_minds, of_target)) = finders else { return false };
        if of_minds.chooser.is_none() {
            return of_minds.find(story, attempt, first) && of_target.find(story, attempt, second);
        }
        let mut weight = 1.0;
        let mut stream = None;
        for (finder, twin) in [of_minds, of_target].into_iter().zip(twins) {
            let choice = finder.choose(story, attempt, twin).filter(|choice| choice.mean > 0.0);
            let Some(Choice { mean, story: of_story, tries }) = choice else { return false };
            let chooser = finder.chooser.as_mut().expect("one that chooses");
            std::mem::swap(twin, &mut chooser.chosen);
            if stream.is_none() {
                weight = of_story;
                stream = Some(tries.stream);
            }
            weight *= mean;
        }
        let mut stream = stream.expect("that of the first twin");
        let chooser = self.of_minds.finder(plan).and_then(|finder| finder.chooser.as_mut());
        let chooser = chooser.expect("one that chooses");
        chooser.keeps(weight, &mut stream)
    }
}

/// Tries out whether stories have both twins of a triplet often enough to be drawn again until one has. Returns the family;
/// where shares are balanced, with the factors by which triplets are kept.
///
/// # Errors
/// If no question asks for a belief at the end, if its target is nothing that could do something else than in the story, or
/// owns one of the minds, or if there is a cast under which no story that is tried has both twins. Where shares are
/// balanced, also if they cannot be reached over stories and their twins, or only with too few stories kept.
///
/// ```
/// use storysim::{compile::compile_family, diagnostic::Source, select::{admit, admit_triplets}, storyboard};
/// let text = "storysim: 1\nname: doc\ncharacters: {pool: people, count: 4}\nroles: [S1, S2]\nstart: a\nhorizon: 20\n\
///             places: {complete: [a, b, c, d]}\nquestions: [{belief: [S1, S2, S1]}]\n";
/// let board = storyboard::parse(Source { name: "doc".into(), text: text.into() }).unwrap();
/// let admitted = admit(&board, compile_family(&board, &[]).unwrap().plans).unwrap();
/// let problem = admit_triplets(&board, admitted.family).unwrap_err();
/// assert_eq!(problem.message, "the target of this question is one of its minds, so there are no triplets");
/// ```
pub fn admit_triplets(storyboard: &Storyboard, family: Family) -> Result<Family, Diagnostic> {
    if let Some(weave) = &storyboard.weave {
        let has_twins =
            |board: &Storyboard, family: &Family| Triplets::known_by(board, family, 0, None).is_some();
        return admit_strands(weave, family, Twinning::Triplets, (has_twins, admit_triplets));
    }
    let Some(mut triplets) = Triplets::known_by(storyboard, &family, 0, None) else {
        return Err(belief_in_proposition(&family).map_or_else(
            || no_belief(storyboard, &family),
            |question| of_proposition(span_of(storyboard, question)),
        ));
    };
    let is_by_lives = |number: usize| triplets.of_minds.lives_finders[number].is_some();
    let mut others = family.plans().iter().enumerate().filter(|(number, _)| !is_by_lives(*number));
    others.try_for_each(|(_, plan)| admit_target(storyboard, plan))?;
    if let Some((balance, of_stories)) = family.balance() {
        let known = family.weights().triplets.clone();
        let pilots = |numbers| pilots(storyboard, &family, numbers);
        let fit = |found: &[[Pilot; 2]]| rake::fit(balance, found);
        let first = || number_of(&family, of_stories, 2 * TRIES_MAX);
        let of_triplets = known.unwrap_or_else(|| fitted(first(), pilots, fit));
        let has_twins =
            || pilots(0..STORIES_MAX as u64).iter().any(|both| both.iter().all(|pilot| pilot.has_twin));
        admit_shares((storyboard, balance), Twinning::Triplets, &of_triplets, has_twins)?;
        return Ok(family.with_triplet_weights(of_triplets));
    }
    let mut twins = <[Twin; 2]>::default();
    let found =
        first_without(&family, |number, story, trial| triplets.find(number, story, trial, &mut twins));
    let Some((question, tried, under)) = found else { return Ok(family) };
    // Without pairs there are no triplets either.
    let mut twin = Twin::default();
    let find =
        |number: usize, story: &mut Story, trial| triplets.of_minds.find(number, story, trial, &mut twin);
    Err(match first_without(&family, find) {
        Some((question, tried, under)) => too_rare(storyboard, question, tried, &under),
        None => no_triplet(storyboard, question, tried, &under),
    })
}

/// Whether the target of the question that counts can do something else while the minds do the same.
fn admit_target(storyboard: &Storyboard, plan: &Plan) -> Result<(), Diagnostic> {
    let Some((number, target)) = asked(plan) else { return Ok(()) };
    let span = span_of(storyboard, plan.authored[number]);
    let is_mind = |who| plan.questions[number].others.contains(&who);
    match target {
        Item::Proposition(_) | Item::Prospect(_) => Err(of_proposition(span)),
        Item::Character(who) if is_mind(who) => Err(Diagnostic::error(
            "the target of this question is one of its minds, so there are no triplets",
            span,
            "who is asked about cannot both do the same and not",
        )
        .help(
            "ask about somebody whose mind the question does not name, or make pairs with plain `--twins`",
        )),
        Item::Character(_) | Item::Object(_) | Item::Lid(_) => Ok(()),
    }
}

/// The number, in the storyboard, of a question that leaves open whose belief in a proposition it asks for, or in which.
fn belief_in_proposition(family: &Family) -> Option<usize> {
    let plan = &family.plans()[0];
    let is_such = |question: &Question| {
        question.kind == QuestionKind::Belief && matches!(question.target, Target::Item(Item::Proposition(_)))
    };
    plan.questions.iter().position(is_such).map(|question| written_number(&plan.bundles, question))
}

fn of_proposition(span: Span) -> Diagnostic {
    Diagnostic::error(
        "a proposition does nothing, so there are no triplets",
        span,
        "what could be different here is only who is told",
    )
    .help("ask where a person or a thing is, or make pairs with plain `--twins`")
}

/// Pilot stories with these numbers, which have nothing to do with any run, with their twins of either kind.
fn pilots(storyboard: &Storyboard, family: &Family, numbers: Range<u64>) -> Vec<[Pilot; 2]> {
    looked_at(family, numbers, || {
        let mut triplets =
            Triplets::known_by(storyboard, family, 0, None).expect("a question asks for a belief");
        let mut twin = Twin::default();
        move |plan, story: &Story, number| {
            let mut pilot = |twins: &mut Twins<'_>| {
                let finder = twins.finder(plan);
                finder.and_then(|finder| finder.pilot(story, number, &mut twin)).unwrap_or_default()
            };
            let first = pilot(&mut triplets.of_minds);
            let second = if first.has_twin { pilot(&mut triplets.of_target) } else { Pilot::default() };
            [first, second]
        }
    })
}
