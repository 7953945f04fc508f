//! Which of the questions that an author writes as one is asked of a story.
//!
//! # Different answers, by construction
//!
//! Where a question says `unlike: N`, it is asked of one of N + 1 matters, each equally likely, whose answers to the same question are all
//! different: the choices. So who does not look at which matter is asked of is right one time in N + 1. The question one order lower
//! has one answer for all of them: following one mind less is worth nothing.
//!
//! Where it names people of groups, the story is compared with its *mirrors*, in which one of them is away whenever she is here, and
//! here whenever she is away. These are as likely, and the same people speak at the same steps. Matters are asked of only if in the
//! mirror the same answers are dealt out, and none keeps its own. So who sees who speaks when and of what, but not who is there, is
//! right one time in N + 1, too.
//!
//! With one of a group, or with two and N = 1, the mirror is that of the first who is named; with two and N = 3, it is that of each of
//! them, and of both. Which matters may be asked of is then the same in a story and in its mirrors, whoever is named. So one of those who
//! can be named is drawn, and then the matters: each question is as likely in the mirrors. With two and N = 1 this takes that the
//! first is drawn before all else.
//!
//! A story and its twins are asked the same. Matters are then asked of only if all of the stories deal the same answers out among them,
//! each in a way that would be dealt out otherwise in its mirrors; if there are any whose answers differ between the stories, of these.
//! The mirrors of a story and of its twins are pairs as likely, and differ in the same answers.

use std::collections::BTreeSet;

use smallvec::{SmallVec, smallvec};

use super::answer::Answer;
use super::query::{Dealt, Facts, Group, Heard, Matters, Query, each};
use super::talk::mask;
use crate::id::CharacterId;
use crate::plan::{Bundle, Plan, Question};
use crate::rng::{Stream, below};
use crate::storyboard::QuestionKind;

/// The question that is asked of a story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pick {
    /// Its number.
    pub question: usize,
    /// The other matters, if they have to have other answers.
    pub unlike: SmallVec<[usize; 3]>,
    /// The answers of these matters.
    pub answers: SmallVec<[Answer; 4]>,
}

/// Draws one of the questions of a bundle.
#[derive(Clone, Debug)]
pub struct Picker {
    bundle: Bundle,
    /// All ways to choose as many matters as have to have different answers.
    choices: Vec<Matters>,
    /// If the first person is drawn before all else: for each, the numbers of the ways that name her first.
    by_first: Vec<Vec<usize>>,
    /// For each way, its questions; empty, unless answers have to be different.
    asked: Vec<Option<Query>>,
    /// For each way, its questions one order lower, if there are any.
    lower: Vec<Option<Query>>,
    /// For each mirror of a story, the questions of each way there.
    mirrored: Vec<Vec<Option<Query>>>,
}

/// A story and its twins, and what answers questions about them.
pub struct Stories<'a> {
    /// All facts from which answers follow.
    pub facts: &'a Facts,
    /// The conversations.
    pub heard: &'a mut [Heard],
}

impl Stories<'_> {
    /// Finds the answers to the questions of a way in one of them.
    fn deal(&mut self, story: usize, query: Option<&Query>, dealt: &mut Dealt) {
        match query {
            Some(query) => self.heard[story].deal(self.facts, query, dealt),
            None => *dealt = Dealt::default(),
        }
    }
}

/// What is found on the way to a pick: memory that is used again.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    fair: Vec<Fair>,
    /// For each way that was looked at and has fair questions, the answers in each story.
    dealt: Vec<Dealt>,
    /// The answers of a way in one story, and elsewhere.
    own: Dealt,
    other: Dealt,
    /// The numbers of the choices that are fair in a way in one story.
    left: Vec<usize>,
}

/// A choice of matters that may be asked of.
#[derive(Clone, Copy, Debug)]
struct Fair {
    /// Whom the question names.
    way: usize,
    /// The number of the choice.
    at: usize,
    /// Where the answers of this way begin.
    dealt: usize,
}

impl Picker {
    pub fn new(plan: &Plan, bundle: &Bundle, facts: &mut Facts) -> Self {
        let by_first = ways_by_first(bundle);
        let (mut choices, mut asked, mut lower, mut mirrored) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        if let Some(unlike) = bundle.unlike {
            choose((0, bundle.matters), unlike + 1, 0, &mut choices);
            for (way, named) in bundle.ways.iter().enumerate() {
                let questions = &plan.questions[bundle.question(way, 0)..][..bundle.matters];
                let mut query =
                    |questions: &[Question], mirrored| Query::new(plan, questions, mirrored, facts);
                asked.push(query(questions, 0));
                let lower_orders: Option<Vec<Question>> = questions.iter().map(lower_order).collect();
                lower.push(lower_orders.and_then(|lower| query(&lower, 0)));
                let mirrors = mirrors(named, bundle.unlike);
                mirrored.resize_with(mirrors.len(), Vec::new);
                for (people, mirrored) in mirrors.into_iter().zip(&mut mirrored) {
                    mirrored.push(query(questions, people));
                }
            }
        }
        Self { choices, by_first, asked, lower, mirrored, bundle: bundle.clone() }
    }

    /// Draws a question that is fair to ask of all of the stories, and adds it to the picks of each, with the story's own answers; `None`
    /// where no question is.
    ///
    /// Costs O(stories · ways · (facts + choices of matters)); where nothing has to be unlike, O(stories).
    pub fn pick(
        &self,
        stories: &mut Stories<'_>,
        stream: &mut Stream,
        scratch: &mut Scratch,
        picks: &mut [Vec<Option<Pick>>],
    ) {
        let bundle = &self.bundle;
        if bundle.unlike.is_none() {
            let question = bundle.first + below(stream, bundle.len() as u32) as usize;
            picks.iter_mut().for_each(|picks| picks.push(Some(Pick { question, ..Pick::default() })));
            return;
        }
        let Some((fair, asked)) = self.draw(stories, stream, scratch) else {
            picks.iter_mut().for_each(|picks| picks.push(None));
            return;
        };
        let (matters, query) = (self.choices[fair.at], self.asked[fair.way].as_ref());
        for (dealt, picks) in scratch.dealt[fair.dealt..].iter().zip(picks) {
            let answer = |matter: usize| query.and_then(|query| query.answer(dealt, matter));
            picks.push(Some(Pick {
                question: bundle.question(fair.way, asked),
                unlike: each(matters).filter(|&matter| matter != asked).collect(),
                answers: each(matters).map(|matter| answer(matter).expect("an answer of its own")).collect(),
            }));
        }
    }

    /// Draws one of the questions that are fair in all of the stories: a choice of matters, and the matter that is asked of.
    ///
    /// Ways are looked at in random order until one has something fair: mostly an early one does, and the others need not be looked at.
    /// What is asked of several stories should also tell them apart. If no way has such a question, the first with anything fair is taken.
    fn draw(
        &self,
        stories: &mut Stories<'_>,
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) -> Option<(Fair, usize)> {
        let mut ways: SmallVec<[usize; 16]> = match self.by_first.as_slice() {
            [] => (0..self.bundle.ways.len()).collect(),
            by_first => SmallVec::from_slice(&by_first[below(stream, by_first.len() as u32) as usize]),
        };
        let count = stories.heard.len();
        let mut spare = None;
        scratch.dealt.clear();
        while !ways.is_empty() {
            let way = ways.swap_remove(below(stream, ways.len() as u32) as usize);
            self.find_fair_in_all(stories, way, scratch);
            let Scratch { fair, dealt, .. } = &*scratch;
            let all = |fair: &Fair| self.choices[fair.at];
            let telling = |fair: &Fair| match count {
                1 => all(fair), // Nothing differs between a story and itself.
                _ => differing(all(fair), &dealt[fair.dealt..][..count]),
            };
            let drawn = draw_one(fair, telling, stream);
            if drawn.is_some() {
                return drawn;
            }
            spare = spare.or_else(|| draw_one(fair, all, stream));
        }
        spare
    }

    /// Finds all choices of matters that are fair in a way, in all of the stories, and that have the same answers in all of them.
    fn find_fair_in_all(&self, stories: &mut Stories<'_>, way: usize, scratch: &mut Scratch) {
        let first = scratch.dealt.len();
        for story in 0..stories.heard.len() {
            self.find_fair(stories, (story, way), scratch);
            let Scratch { fair, dealt, own, left, .. } = scratch;
            if story == 0 {
                fair.clear();
                fair.extend(left.iter().map(|&at| Fair { way, at, dealt: first }));
            } else {
                fair.retain(|one| {
                    left.contains(&one.at) && deal_the_same(self.choices[one.at], own, &dealt[first])
                });
            }
            if fair.is_empty() {
                dealt.truncate(first);
                return;
            }
            dealt.push(std::mem::take(own));
        }
    }

    /// Finds the numbers of all choices of matters that are fair in a way in one story, and the answers there.
    fn find_fair(&self, stories: &mut Stories<'_>, (story, way): (usize, usize), scratch: &mut Scratch) {
        let Scratch { own, other, left, .. } = scratch;
        left.clear();
        stories.deal(story, self.asked[way].as_ref(), own);
        let answers = own.answers();
        // Mostly there are too few different answers, and nothing else has to be known.
        if Some(answers.len()) <= self.bundle.unlike {
            return;
        }
        let all = self.choices.iter().enumerate();
        left.extend(all.filter(|(_, choice)| are_unlike(**choice, answers)).map(|(at, _)| at));
        if left.is_empty() {
            return;
        }
        stories.deal(story, self.lower[way].as_ref(), other);
        left.retain(|at| are_alike(self.choices[*at], other.answers()));
        for mirrored in &self.mirrored {
            if left.is_empty() {
                break;
            }
            stories.deal(story, mirrored[way].as_ref(), other);
            let beside: SmallVec<[(Matters, Matters); 4]> = own.beside(other).collect();
            left.retain(|at| are_dealt_otherwise(self.choices[*at], &beside));
        }
    }
}

/// Draws one of these choices, and one of those of its matters that are open to be asked of; `None` if no choice has any.
fn draw_one(fair: &[Fair], open: impl Fn(&Fair) -> Matters, stream: &mut Stream) -> Option<(Fair, usize)> {
    let open = |one: &Fair| Some((*one, open(one))).filter(|(_, open)| *open != 0);
    let count = fair.iter().filter_map(open).count();
    let mut below = |count: u32| below(stream, count) as usize;
    let (drawn, open) =
        fair.iter().filter_map(open).nth(below(u32::try_from(count).ok().filter(|count| *count > 0)?))?;
    Some((drawn, each(open).nth(below(open.count_ones()))?))
}

/// For each first person, the numbers of the ways that name her first; none, unless she is drawn before all else.
fn ways_by_first(bundle: &Bundle) -> Vec<Vec<usize>> {
    if bundle.unlike != Some(1) || bundle.ways.iter().any(|way| way.len() != 2) {
        return Vec::new();
    }
    let firsts: BTreeSet<CharacterId> = bundle.ways.iter().map(|way| way[0]).collect();
    let of =
        |first: CharacterId| (0..bundle.ways.len()).filter(|way| bundle.ways[*way][0] == first).collect();
    firsts.into_iter().map(of).collect()
}

/// Whether matters have different answers.
fn are_unlike(matters: Matters, answers: &[Group]) -> bool {
    let (mut answered, mut shared) = (0, 0);
    for (_, of) in answers {
        let of = of & matters;
        answered |= of;
        shared |= of & of.wrapping_sub(1); // not 0 if two of them have this answer
    }
    answered == matters && shared == 0
}

/// Whether matters have the same answer, or none of them has one.
fn are_alike(matters: Matters, answers: &[Group]) -> bool {
    let (mut answered, mut is_one) = (0, false);
    for (_, of) in answers {
        answered |= of & matters;
        is_one |= of & matters == matters;
    }
    is_one || answered == 0
}

/// Whether matters, whose answers are all different, have the same answers in a mirror, but none its own. For each answer, the matters
/// are given of which it is the answer here and there.
fn are_dealt_otherwise(matters: Matters, beside: &[(Matters, Matters)]) -> bool {
    beside.iter().fold(true, |is, (of, there)| is & ((of & matters == 0) | (there & matters & !of != 0)))
}

/// Whether all answers for these matters are answers for any of them elsewhere, too.
fn deal_the_same(matters: Matters, dealt: &Dealt, elsewhere: &Dealt) -> bool {
    dealt.beside(elsewhere).all(|(of, there)| of & matters == 0 || there & matters != 0)
}

/// Those matters whose answers are not the same in all stories.
fn differing(matters: Matters, dealt: &[Dealt]) -> Matters {
    let (first, others) = dealt.split_first().expect("a story");
    let same = |other: &Dealt| first.beside(other).fold(0, |same, (of, there)| same | of & there);
    others.iter().fold(0, |differing, other| differing | matters & !same(other))
}

/// The people who are here and away at exchanged times in each mirror, one bit each.
fn mirrors(named: &[CharacterId], unlike: Option<usize>) -> SmallVec<[u64; 3]> {
    match named {
        [] => SmallVec::new(),
        &[one, other] if unlike != Some(1) => smallvec![mask(&[one]), mask(&[other]), mask(&[one, other])],
        named => smallvec![mask(&named[..1])],
    }
}

/// The question one order lower, if there is one.
pub fn lower_order(question: &Question) -> Option<Question> {
    let minds_min = match question.kind {
        QuestionKind::Belief | QuestionKind::CouldAnswer => 0,
        QuestionKind::Knows => 1,
        _ => return None,
    };
    let others = question.others.get(1..).filter(|others| others.len() >= minds_min)?.to_vec();
    Some(Question { others, ..question.clone() })
}

/// All ways to choose `count` of the matters from `from` on, below `all`, in order, beside those that are begun with.
fn choose((from, all): (usize, usize), count: usize, begun: Matters, found: &mut Vec<Matters>) {
    if count == 0 {
        found.push(begun);
        return;
    }
    (from..all).for_each(|next| choose((next + 1, all), count - 1, begun | 1 << next, found));
}
