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

use std::collections::BTreeSet;

use smallvec::{SmallVec, smallvec};

use super::answer::Answer;
use super::query::{Code, Facts, Heard, Query};
use super::talk::mask;
use crate::id::CharacterId;
use crate::plan::{Bundle, Plan, Question, Staging};
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
    /// Numbers of matters: all ways to choose as many as have to have different answers.
    choices: Vec<Vec<usize>>,
    /// If the first person is drawn before all else: for each, the numbers of the ways that name her first.
    by_first: Vec<Vec<usize>>,
    /// For each of its questions, what it is compared with; empty, unless answers have to be different.
    rivals: Vec<Rivals>,
}

/// What a question is compared with.
#[derive(Clone, Debug)]
struct Rivals {
    /// The one one order lower, if there is one.
    lower: Option<Query>,
    /// The same question in each mirror of the story.
    mirrored: SmallVec<[Option<Query>; 3]>,
}

/// A story and its twins, and what answers questions about them.
pub struct Stories<'a> {
    /// What is there to talk about, in conversations.
    pub staging: Option<&'a Staging>,
    /// All facts from which answers follow.
    pub facts: &'a Facts,
    /// For each question of the plan, what answers it, if anything does.
    pub queries: &'a [Option<Query>],
    /// The conversations.
    pub heard: &'a mut [Heard],
}

impl Stories<'_> {
    /// The answer to the question with a number in one of them, if there is one.
    pub fn answer(&mut self, story: usize, question: usize) -> Option<Answer> {
        let staging = self.staging.expect("matters are staged");
        self.heard[story].answer(staging, self.facts, self.queries[question].as_ref()?)
    }

    fn code(&mut self, story: usize, query: Option<&Query>) -> Option<Code> {
        let staging = self.staging.expect("matters are staged");
        self.heard[story].code(staging, self.facts, query?)
    }
}

/// What is found on the way to a pick: memory that is used again.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    fair: Vec<Fair>,
    /// For each way that was looked at and has fair questions, and in it for each story, the answers of all matters.
    answers: Vec<Option<Code>>,
    /// The answers of all matters to other questions.
    others: Vec<Option<Code>>,
}

/// A choice of matters that may be asked of.
#[derive(Clone, Copy, Debug)]
struct Fair {
    /// Whom the question names.
    way: usize,
    /// The number of the choice.
    at: usize,
    /// Where the answers of this way begin.
    answers: usize,
}

impl Picker {
    pub fn new(plan: &Plan, bundle: &Bundle, facts: &mut Facts) -> Self {
        let (mut choices, mut rivals) = (Vec::new(), Vec::new());
        if let Some(unlike) = bundle.unlike {
            choose(bundle.matters, unlike + 1, &mut Vec::new(), &mut choices);
            for (at, question) in plan.questions[bundle.first..][..bundle.len()].iter().enumerate() {
                let mut query = |question: &Question, mirrored| Query::new(plan, question, mirrored, facts);
                let mirrors = mirrors(&bundle.ways[at / bundle.matters], bundle.unlike);
                rivals.push(Rivals {
                    lower: lower(question).and_then(|lower| query(&lower, 0)),
                    mirrored: mirrors.into_iter().map(|people| query(question, people)).collect(),
                });
            }
        }
        Self { choices, by_first: ways_by_first(bundle), rivals, bundle: bundle.clone() }
    }

    /// Adds the question that is asked of stories which may be told apart by it to the picks of each, with what the story says of it;
    /// `None` if none may be.
    ///
    /// Costs O(stories · ways · (answers + choices of matters)); where nothing has to be unlike, O(stories).
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
        scratch.fair.clear();
        scratch.answers.clear();
        match self.by_first.as_slice() {
            [] => (0..bundle.ways.len()).for_each(|way| self.add_fair(stories, way, scratch)),
            by_first => {
                let ways = &by_first[below(stream, by_first.len() as u32) as usize];
                ways.iter().for_each(|&way| self.add_fair(stories, way, scratch));
            }
        }
        let Some((question, matters)) = self.draw(scratch, picks.len(), stream) else {
            picks.iter_mut().for_each(|picks| picks.push(None));
            return;
        };
        let (way, asked) = bundle.place(question).expect("one of its questions");
        for (story, picks) in picks.iter_mut().enumerate() {
            let mut answer = |&matter: &usize| {
                stories.answer(story, bundle.question(way, matter)).expect("an answer of its own")
            };
            picks.push(Some(Pick {
                question,
                unlike: matters.iter().copied().filter(|&matter| matter != asked).collect(),
                answers: matters.iter().map(&mut answer).collect(),
            }));
        }
    }

    /// Draws one of the questions that are fair in so many stories, with the matters whose answers are the choices.
    fn draw(&self, scratch: &Scratch, stories: usize, stream: &mut Stream) -> Option<(usize, &[usize])> {
        let Scratch { fair, answers, .. } = scratch;
        let differing = |fair: &Fair| {
            let all = &answers[fair.answers..][..stories * self.bundle.matters];
            self.differing(fair.at, all)
        };
        let is_telling = |fair: &&Fair| !differing(fair).is_empty();
        let telling = fair.iter().filter(is_telling).count();
        let mut below = |count: usize| below(stream, count.max(1) as u32) as usize;
        let drawn = match telling {
            0 => fair.get(below(fair.len())),
            count => fair.iter().filter(is_telling).nth(below(count)),
        }?;
        let matters = &self.choices[drawn.at];
        let mut open = differing(drawn);
        if open.is_empty() {
            open.extend_from_slice(matters);
        }
        Some((self.bundle.question(drawn.way, open[below(open.len())]), matters))
    }

    /// Those matters of a choice whose answers are not the same in all stories, given the answers of all matters in each.
    fn differing(&self, choice: usize, answers: &[Option<Code>]) -> SmallVec<[usize; 4]> {
        let (first, others) = answers.split_at(self.bundle.matters);
        let differs = |matter: &usize| {
            others.iter().skip(*matter).step_by(self.bundle.matters).any(|other| *other != first[*matter])
        };
        self.choices[choice].iter().copied().filter(differs).collect()
    }

    /// Adds all choices of matters that are fair in a way, in all of the stories, and that have the same answers in all of them.
    fn add_fair(&self, stories: &mut Stories<'_>, way: usize, scratch: &mut Scratch) {
        let Scratch { fair, answers, others } = scratch;
        let (begin, first) = (fair.len(), answers.len());
        for story in 0..stories.heard.len() {
            let own = answers.len();
            let found = self.fair_in(stories, (story, way), answers, others);
            if story == 0 {
                fair.extend(found.into_iter().map(|at| Fair { way, at, answers: first }));
            } else {
                let (dealt, own) = answers[first..].split_at(own - first);
                let is_dealt =
                    |of: &[usize], answer: Option<Code>| of.iter().any(|&matter| dealt[matter] == answer);
                let deals_the_same = |of: &[usize]| of.iter().all(|&matter| is_dealt(of, own[matter]));
                let mut at = begin;
                while let Some(one) = fair.get(at) {
                    if found.contains(&one.at) && deals_the_same(&self.choices[one.at]) {
                        at += 1;
                    } else {
                        fair.remove(at);
                    }
                }
            }
            if fair.len() == begin {
                answers.truncate(first);
                return;
            }
        }
    }

    /// The numbers of all choices of matters that are fair in a way in one story. Adds the answers of all matters there, if there are
    /// any choices.
    fn fair_in(
        &self,
        stories: &mut Stories<'_>,
        (story, way): (usize, usize),
        answers: &mut Vec<Option<Code>>,
        others: &mut Vec<Option<Code>>,
    ) -> SmallVec<[usize; 8]> {
        let (count, begin) = (self.bundle.matters, answers.len());
        // Mostly there are none whose answers are different, and nothing else has to be known.
        let Some(same_as) = self.add_answers(stories, (story, way), answers) else { return SmallVec::new() };
        let answers = &answers[begin..];
        let mut left: SmallVec<[usize; 8]> =
            (0..self.choices.len()).filter(|at| are_unlike(&self.choices[*at], &same_as)).collect();
        let rivals = &self.rivals[way * count..][..count];
        if !left.is_empty() {
            others.clear();
            others.extend(rivals.iter().map(|of| stories.code(story, of.lower.as_ref())));
            left.retain(|at| are_alike(&self.choices[*at], others));
        }
        for mirror in 0..rivals[0].mirrored.len() {
            if left.is_empty() {
                break;
            }
            others.clear();
            others.extend(rivals.iter().map(|of| stories.code(story, of.mirrored[mirror].as_ref())));
            left.retain(|at| are_dealt_otherwise(&self.choices[*at], answers, others));
        }
        left
    }

    /// Adds the answers of all matters. Returns, for each, the first matter that has the same answer, if it has any; `None` as soon as it is
    /// plain that there are not as many different ones as it takes.
    fn add_answers(
        &self,
        stories: &mut Stories<'_>,
        (story, way): (usize, usize),
        answers: &mut Vec<Option<Code>>,
    ) -> Option<SmallVec<[Option<usize>; 4]>> {
        let (matters, begin) = (self.bundle.matters, answers.len());
        let wanted = self.bundle.unlike.map_or(0, |unlike| unlike + 1);
        let (mut same_as, mut different) = (SmallVec::new(), 0);
        for matter in 0..matters {
            let query = stories.queries[self.bundle.question(way, matter)].as_ref();
            let answer = stories.code(story, query);
            answers.push(answer);
            let first = answer.and_then(|_| answers[begin..].iter().position(|other| *other == answer));
            same_as.push(first);
            different += usize::from(first == Some(matter));
            if different + matters - 1 - matter < wanted {
                return None;
            }
        }
        Some(same_as)
    }
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

/// Whether matters have different answers, given the first matter with the same answer as each.
fn are_unlike(matters: &[usize], same_as: &[Option<usize>]) -> bool {
    matters.iter().enumerate().all(|(at, &matter)| {
        let same = same_as[matter];
        same.is_some() && matters[..at].iter().all(|&earlier| same_as[earlier] != same)
    })
}

/// Whether matters have the same answer.
fn are_alike(matters: &[usize], answers: &[Option<Code>]) -> bool {
    matters.iter().all(|&matter| answers[matter] == answers[matters[0]])
}

/// Whether matters, whose answers are all different, have the same answers in a mirror, but none its own.
fn are_dealt_otherwise(matters: &[usize], answers: &[Option<Code>], mirrored: &[Option<Code>]) -> bool {
    matters.iter().enumerate().all(|(at, &matter)| {
        mirrored[matter] != answers[matter]
            && matters.iter().any(|&other| answers[other] == mirrored[matter])
            && matters[..at].iter().all(|&earlier| mirrored[earlier] != mirrored[matter])
    })
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
