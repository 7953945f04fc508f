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
//! them, and of both. Whether matters are asked of is then the same in a story and in its mirrors, and so is among how many ways one
//! is drawn. With two and N = 1 this takes that the first is drawn before all else.

use super::answer::Answer;
use super::talk::{Talk, mask};
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
    pub unlike: Vec<usize>,
    /// The answers of these matters.
    pub answers: Vec<Answer>,
}

/// Draws one of the questions of a bundle.
#[derive(Clone, Debug)]
pub struct Picker {
    bundle: Bundle,
    /// Numbers of matters: all ways to choose as many as have to have different answers.
    choices: Vec<Vec<usize>>,
    /// The first people of all ways, where one of them is drawn before all else.
    firsts: Vec<CharacterId>,
}

impl Picker {
    pub fn new(bundle: &Bundle) -> Self {
        let mut choices = Vec::new();
        if let Some(unlike) = bundle.unlike {
            choose(bundle.matters, unlike + 1, &mut Vec::new(), &mut choices);
        }
        let is_of_first = bundle.unlike == Some(1) && bundle.ways.iter().all(|way| way.len() == 2);
        let mut firsts: Vec<CharacterId> =
            bundle.ways.iter().filter(|_| is_of_first).map(|way| way[0]).collect();
        firsts.sort_unstable();
        firsts.dedup();
        Self { bundle: bundle.clone(), choices, firsts }
    }

    /// The question that is asked of a story; `None` if none may be. The talk is that of the story, before and after.
    ///
    /// Costs O(ways · (answers + choices of matters)); where nothing has to be unlike, O(1).
    pub fn pick(&self, plan: &Plan, talk: &mut Talk, stream: &mut Stream) -> Option<Pick> {
        let bundle = &self.bundle;
        if bundle.unlike.is_none() {
            let question = bundle.first + below(stream, bundle.len() as u32) as usize;
            return Some(Pick { question, ..Pick::default() });
        }
        let first = match self.firsts.as_slice() {
            [] => None,
            firsts => Some(firsts[below(stream, firsts.len() as u32) as usize]),
        };
        let mut fair: Vec<(usize, usize)> = Vec::new();
        for (way, named) in bundle.ways.iter().enumerate() {
            if first.is_none_or(|first| named[0] == first) {
                self.add_fair(plan, talk, way, &mut fair);
            }
        }
        let (way, at) = *fair.get(below(stream, fair.len().max(1) as u32) as usize)?;
        let matters = &self.choices[at];
        let asked = matters[below(stream, matters.len() as u32) as usize];
        let answer = |&matter: &usize| talk.answer(plan, &plan.questions[bundle.question(way, matter)]);
        Some(Pick {
            question: bundle.question(way, asked),
            unlike: matters.iter().copied().filter(|&matter| matter != asked).collect(),
            answers: matters.iter().filter_map(answer).collect(),
        })
    }

    /// Adds a way with all choices of matters that are fair in it.
    fn add_fair(&self, plan: &Plan, talk: &mut Talk, way: usize, fair: &mut Vec<(usize, usize)>) {
        let bundle = &self.bundle;
        let questions = || (0..bundle.matters).map(|matter| &plan.questions[bundle.question(way, matter)]);
        let answers: Vec<Option<Answer>> = questions().map(|asked| talk.answer(plan, asked)).collect();
        let lower = |asked: &Question| lower(asked).and_then(|lower| talk.answer(plan, &lower));
        let lower: Vec<Option<Answer>> = questions().map(lower).collect();
        let all_differ = |&at: &usize| are_unlike(&self.choices[at], &answers, &lower);
        let mut left: Vec<usize> = (0..self.choices.len()).filter(all_differ).collect();
        for people in mirrors(&bundle.ways[way], bundle.unlike) {
            if left.is_empty() {
                return;
            }
            talk.mirror(people);
            let mirrored: Vec<Option<Answer>> = questions().map(|asked| talk.answer(plan, asked)).collect();
            talk.mirror(0);
            left.retain(|&at| are_dealt_otherwise(&self.choices[at], &answers, &mirrored));
        }
        fair.extend(left.into_iter().map(|at| (way, at)));
    }
}

/// Whether matters have different answers, and the same one order lower.
fn are_unlike(matters: &[usize], answers: &[Option<Answer>], lower: &[Option<Answer>]) -> bool {
    matters.iter().enumerate().all(|(at, &matter)| {
        answers[matter].is_some()
            && lower[matter] == lower[matters[0]]
            && matters[..at].iter().all(|&earlier| answers[earlier] != answers[matter])
    })
}

/// Whether matters, whose answers are all different, have the same answers in a mirror, but none its own.
fn are_dealt_otherwise(matters: &[usize], answers: &[Option<Answer>], mirrored: &[Option<Answer>]) -> bool {
    matters.iter().enumerate().all(|(at, &matter)| {
        mirrored[matter] != answers[matter]
            && matters.iter().any(|&other| answers[other] == mirrored[matter])
            && matters[..at].iter().all(|&earlier| mirrored[earlier] != mirrored[matter])
    })
}

/// The people who are here and away at exchanged times in each mirror, one bit each.
fn mirrors(named: &[CharacterId], unlike: Option<usize>) -> Vec<u64> {
    match named {
        [] => Vec::new(),
        &[one, other] if unlike != Some(1) => vec![mask(&[one]), mask(&[other]), mask(&[one, other])],
        named => vec![mask(&named[..1])],
    }
}

/// The question one order lower, if there is one.
fn lower(question: &Question) -> Option<Question> {
    let minds_min = match question.kind {
        QuestionKind::Belief | QuestionKind::CouldAnswer => 0,
        QuestionKind::Knows => 1,
        _ => return None,
    };
    let others = question.others.get(1..).filter(|others| others.len() >= minds_min)?.to_vec();
    Some(Question { others, ..question.clone() })
}

/// All ways to choose `count` of the numbers below `all`, in order, that begin like this.
fn choose(all: usize, count: usize, begun: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if begun.len() == count {
        found.push(begun.clone());
        return;
    }
    for next in begun.last().map_or(0, |last| last + 1)..all {
        begun.push(next);
        choose(all, count, begun, found);
        begun.pop();
    }
}
