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
//!
//! A story and its twins are asked the same. Matters are then asked of only if all of the stories deal the same answers out among them,
//! each in a way that would be dealt out otherwise in its mirrors; if there are any whose answers differ between the stories, of these.
//! The mirrors of a story and of its twins are pairs as likely, and differ in the same answers.

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
    /// For each of its questions, the one one order lower, if there is one.
    lower: Vec<Option<Question>>,
    /// Numbers of matters: all ways to choose as many as have to have different answers.
    choices: Vec<Vec<usize>>,
    /// The first people of all ways, where one of them is drawn before all else.
    firsts: Vec<CharacterId>,
}

impl Picker {
    pub fn new(plan: &Plan, bundle: &Bundle) -> Self {
        let questions = &plan.questions[bundle.first..][..bundle.len()];
        let mut choices = Vec::new();
        if let Some(unlike) = bundle.unlike {
            choose(bundle.matters, unlike + 1, &mut Vec::new(), &mut choices);
        }
        let is_of_first = bundle.unlike == Some(1) && bundle.ways.iter().all(|way| way.len() == 2);
        let mut firsts: Vec<CharacterId> =
            bundle.ways.iter().filter(|_| is_of_first).map(|way| way[0]).collect();
        firsts.sort_unstable();
        firsts.dedup();
        Self { bundle: bundle.clone(), lower: questions.iter().map(lower).collect(), choices, firsts }
    }

    /// The question that is asked of stories which may be told apart by it, with what each of them says of it; `None` if none may be.
    /// The talks are those of the stories, before and after.
    ///
    /// Costs O(stories · ways · (answers + choices of matters)); where nothing has to be unlike, O(1).
    pub fn pick(&self, plan: &Plan, talks: &mut [Talk], stream: &mut Stream) -> Option<Vec<Pick>> {
        let bundle = &self.bundle;
        if bundle.unlike.is_none() {
            let question = bundle.first + below(stream, bundle.len() as u32) as usize;
            return Some(vec![Pick { question, ..Pick::default() }; talks.len()]);
        }
        let first = match self.firsts.as_slice() {
            [] => None,
            firsts => Some(firsts[below(stream, firsts.len() as u32) as usize]),
        };
        let ways = bundle.ways.iter().enumerate();
        let ways = ways.filter(|(_, named)| first.is_none_or(|first| named[0] == first));
        let fair: Vec<Fair> = ways.flat_map(|(way, _)| self.fair(plan, talks, way)).collect();
        let telling: Vec<&Fair> = fair.iter().filter(|fair| fair.differing().next().is_some()).collect();
        let fair = if telling.is_empty() { fair.iter().collect() } else { telling };
        let drawn = fair.get(below(stream, fair.len().max(1) as u32) as usize)?;
        let mut open: Vec<usize> = drawn.differing().collect();
        if open.is_empty() {
            open.extend(0..drawn.matters.len());
        }
        let asked = drawn.matters[open[below(stream, open.len() as u32) as usize]];
        let others = drawn.matters.iter().copied().filter(|&matter| matter != asked);
        let pick = |answers: &Vec<Answer>| Pick {
            question: bundle.question(drawn.way, asked),
            unlike: others.clone().collect(),
            answers: answers.clone(),
        };
        Some(drawn.answers.iter().map(pick).collect())
    }

    /// All choices of matters that are fair in a way, in all of the stories, and that have the same answers in all of them.
    fn fair(&self, plan: &Plan, talks: &mut [Talk], way: usize) -> Vec<Fair> {
        let mut left: Vec<Fair> = Vec::new();
        for (number, talk) in talks.iter_mut().enumerate() {
            let (found, answers) = self.fair_in(plan, talk, way);
            let of = |at: usize| {
                let answer = |&matter: &usize| answers[matter].expect("an answer of its own");
                self.choices[at].iter().map(answer).collect::<Vec<Answer>>()
            };
            if number == 0 {
                let fair =
                    |&at: &usize| Fair { way, at, matters: self.choices[at].clone(), answers: Vec::new() };
                left.extend(found.iter().map(fair));
            }
            left.retain_mut(|fair| {
                let is_found = found.contains(&fair.at);
                if is_found {
                    fair.answers.push(of(fair.at));
                }
                is_found && fair.has_the_same_answers()
            });
        }
        left
    }

    /// The numbers of all choices of matters that are fair in a way in one story, and the answers of all matters there.
    fn fair_in(&self, plan: &Plan, talk: &mut Talk, way: usize) -> (Vec<usize>, Vec<Option<Answer>>) {
        let bundle = &self.bundle;
        let questions = || (0..bundle.matters).map(|matter| &plan.questions[bundle.question(way, matter)]);
        let answers: Vec<Option<Answer>> = questions().map(|asked| talk.answer(plan, asked)).collect();
        // Mostly there are none whose answers are different, and nothing else has to be known.
        let mut left: Vec<usize> = (0..self.choices.len()).collect();
        left.retain(|&at| are_unlike(&self.choices[at], &answers));
        if left.is_empty() {
            return (left, answers);
        }
        let lower = |matter: usize| {
            let lower = self.lower[bundle.question(way, matter) - bundle.first].as_ref();
            lower.and_then(|lower| talk.answer(plan, lower))
        };
        let lower: Vec<Option<Answer>> = (0..bundle.matters).map(lower).collect();
        left.retain(|&at| are_alike(&self.choices[at], &lower));
        for people in mirrors(&bundle.ways[way], bundle.unlike) {
            if left.is_empty() {
                break;
            }
            talk.mirror(people);
            let mirrored: Vec<Option<Answer>> = questions().map(|asked| talk.answer(plan, asked)).collect();
            talk.mirror(0);
            left.retain(|&at| are_dealt_otherwise(&self.choices[at], &answers, &mirrored));
        }
        (left, answers)
    }
}

/// A choice of matters that may be asked of.
struct Fair {
    /// Whom the question names.
    way: usize,
    /// The number of the choice.
    at: usize,
    matters: Vec<usize>,
    /// For each story, the answers of these matters.
    answers: Vec<Vec<Answer>>,
}

impl Fair {
    /// Whether the last story deals the same answers out as the first.
    fn has_the_same_answers(&self) -> bool {
        let [first, .., last] = self.answers.as_slice() else { return true };
        last.iter().all(|answer| first.contains(answer))
    }

    /// Those of the matters, by their places among them, whose answers are not the same in all stories.
    fn differing(&self) -> impl Iterator<Item = usize> {
        let differs = |at: &usize| self.answers.iter().any(|answers| answers[*at] != self.answers[0][*at]);
        (0..self.matters.len()).filter(differs)
    }
}

/// Whether matters have different answers.
fn are_unlike(matters: &[usize], answers: &[Option<Answer>]) -> bool {
    matters.iter().enumerate().all(|(at, &matter)| {
        answers[matter].is_some() && matters[..at].iter().all(|&earlier| answers[earlier] != answers[matter])
    })
}

/// Whether matters have the same answer.
fn are_alike(matters: &[usize], answers: &[Option<Answer>]) -> bool {
    matters.iter().all(|&matter| answers[matter] == answers[matters[0]])
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
pub fn lower(question: &Question) -> Option<Question> {
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
