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
    /// All ways to choose as many matters as have to have different answers.
    choices: Vec<Matters>,
    /// If the first person is drawn before all else: for each, the numbers of the ways that name her first.
    by_first: Vec<Vec<usize>>,
    /// For each of its questions, the one one order lower, if there is one; empty, unless answers have to be different.
    lower: Vec<Option<Query>>,
    /// For each mirror of a story, each of its questions there.
    mirrored: Vec<Vec<Option<Query>>>,
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

    /// Asks the question of each matter that is open. Of the others, the answer is none.
    fn ask(
        &mut self,
        story: usize,
        (queries, open): (&[Option<Query>], Matters),
        answers: &mut Vec<Option<Code>>,
    ) {
        answers.clear();
        for (matter, query) in queries.iter().enumerate() {
            let is_open = open >> matter & 1 == 1;
            answers.push(if is_open { self.code(story, query.as_ref()) } else { None });
        }
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
    /// The answers of all matters to the question that these are compared with.
    others: Vec<Option<Code>>,
    /// The numbers of the choices that are fair in a way in one story.
    left: Vec<usize>,
}

/// Some matters, one bit each.
type Matters = u64;

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
        let (mut choices, mut lower, mut mirrored) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(unlike) = bundle.unlike {
            choose((0, bundle.matters), unlike + 1, 0, &mut choices);
            let mirrors = |at: usize| mirrors(&bundle.ways[at / bundle.matters], bundle.unlike);
            mirrored.resize_with(mirrors(0).len(), Vec::new);
            for (at, question) in plan.questions[bundle.first..][..bundle.len()].iter().enumerate() {
                let mut query = |question: &Question, mirrored| Query::new(plan, question, mirrored, facts);
                lower.push(lower_order(question).and_then(|lower| query(&lower, 0)));
                for (people, mirrored) in mirrors(at).into_iter().zip(&mut mirrored) {
                    mirrored.push(query(question, people));
                }
            }
        }
        Self { choices, by_first: ways_by_first(bundle), lower, mirrored, bundle: bundle.clone() }
    }

    /// Draws a question that is fair to ask of all of the stories, and adds it to the picks of each, with the story's own answers; `None`
    /// where no question is.
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
            let answer = |matter: usize| {
                stories.answer(story, bundle.question(way, matter)).expect("an answer of its own")
            };
            picks.push(Some(Pick {
                question,
                unlike: each(matters).filter(|&matter| matter != asked).collect(),
                answers: each(matters).map(answer).collect(),
            }));
        }
    }

    /// Draws one of the questions that are fair in so many stories, with the matters whose answers are the choices.
    fn draw(&self, scratch: &Scratch, stories: usize, stream: &mut Stream) -> Option<(usize, Matters)> {
        let Scratch { fair, answers, .. } = scratch;
        let differing = |fair: &Fair| match stories {
            1 => 0, // Nothing differs between a story and itself.
            _ => self.differing(fair.at, &answers[fair.answers..][..stories * self.bundle.matters]),
        };
        let is_telling = |fair: &&Fair| differing(fair) != 0;
        let telling = fair.iter().filter(is_telling).count();
        let mut below = |count: usize| below(stream, count.max(1) as u32) as usize;
        let drawn = match telling {
            0 => fair.get(below(fair.len())),
            count => fair.iter().filter(is_telling).nth(below(count)),
        }?;
        let matters = self.choices[drawn.at];
        let open = Some(differing(drawn)).filter(|open| *open != 0).unwrap_or(matters);
        let asked = each(open).nth(below(open.count_ones() as usize)).expect("one of them");
        Some((self.bundle.question(drawn.way, asked), matters))
    }

    /// Those matters of a choice whose answers are not the same in all stories, given the answers of all matters in each.
    fn differing(&self, choice: usize, answers: &[Option<Code>]) -> Matters {
        let (first, others) = answers.split_at(self.bundle.matters);
        let differs = |matter: usize| others.chunks(first.len()).any(|other| other[matter] != first[matter]);
        each(self.choices[choice]).map(|matter| Matters::from(differs(matter)) << matter).sum()
    }

    /// Adds all choices of matters that are fair in a way, in all of the stories, and that have the same answers in all of them.
    fn add_fair(&self, stories: &mut Stories<'_>, way: usize, scratch: &mut Scratch) {
        let (begin, first) = (scratch.fair.len(), scratch.answers.len());
        for story in 0..stories.heard.len() {
            let own = scratch.answers.len();
            self.find_fair(stories, (story, way), scratch);
            let Scratch { fair, answers, left, .. } = scratch;
            if story == 0 {
                fair.extend(left.iter().map(|&at| Fair { way, at, answers: first }));
            } else {
                let (dealt, own) = answers[first..].split_at(own - first);
                let is_dealt = |of: Matters, answer| each(of).any(|matter| dealt[matter] == answer);
                let deals_the_same = |of: Matters| each(of).all(|matter| is_dealt(of, own[matter]));
                let mut at = begin;
                while let Some(one) = fair.get(at) {
                    if left.contains(&one.at) && deals_the_same(self.choices[one.at]) {
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

    /// Finds the numbers of all choices of matters that are fair in a way in one story, and adds the answers of all matters there if there
    /// are any.
    fn find_fair(&self, stories: &mut Stories<'_>, (story, way): (usize, usize), scratch: &mut Scratch) {
        let Scratch { answers, others, left, .. } = scratch;
        let begin = answers.len();
        left.clear();
        // Mostly there are none whose answers are different, and nothing else has to be known.
        if !self.add_answers(stories, (story, way), answers) {
            return;
        }
        let answers = &answers[begin..];
        let all = self.choices.iter().enumerate();
        left.extend(all.filter(|(_, choice)| are_unlike(**choice, answers)).map(|(at, _)| at));
        if left.is_empty() {
            return;
        }
        let of_way = way * self.bundle.matters..(way + 1) * self.bundle.matters;
        stories.ask(story, (&self.lower[of_way.clone()], self.open(left)), others);
        left.retain(|at| are_alike(self.choices[*at], others));
        for mirrored in &self.mirrored {
            if left.is_empty() {
                return;
            }
            stories.ask(story, (&mirrored[of_way.clone()], self.open(left)), others);
            left.retain(|at| are_dealt_otherwise(self.choices[*at], answers, others));
        }
    }

    /// The matters that are in any of these choices.
    fn open(&self, choices: &[usize]) -> Matters {
        choices.iter().fold(0, |open, at| open | self.choices[*at])
    }

    /// Adds the answers of all matters. Returns whether as many of them may differ as it takes; it stops as soon as they cannot.
    fn add_answers(
        &self,
        stories: &mut Stories<'_>,
        (story, way): (usize, usize),
        answers: &mut Vec<Option<Code>>,
    ) -> bool {
        let (matters, begin) = (self.bundle.matters, answers.len());
        let queries = &stories.queries[self.bundle.question(way, 0)..][..matters];
        // How many may have no answer, or that of another.
        let mut spare = self.bundle.unlike.map(|unlike| matters - 1 - unlike);
        for query in queries {
            let answer = stories.code(story, query.as_ref());
            if answer.is_none() || answers[begin..].contains(&answer) {
                spare = spare.and_then(|spare| spare.checked_sub(1));
            }
            answers.push(answer);
            if spare.is_none() {
                return false;
            }
        }
        true
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

/// Whether matters have different answers.
fn are_unlike(matters: Matters, answers: &[Option<Code>]) -> bool {
    let before = |matter: usize| matters & ((1 << matter) - 1);
    let is_first = |matter: usize| each(before(matter)).all(|other| answers[other] != answers[matter]);
    each(matters).all(|matter| answers[matter].is_some() && is_first(matter))
}

/// Whether matters have the same answer.
fn are_alike(matters: Matters, answers: &[Option<Code>]) -> bool {
    let first = answers[matters.trailing_zeros() as usize];
    each(matters).all(|matter| answers[matter] == first)
}

/// Whether matters, whose answers are all different, have the same answers in a mirror, but none its own.
fn are_dealt_otherwise(matters: Matters, answers: &[Option<Code>], mirrored: &[Option<Code>]) -> bool {
    let mut dealt = 0;
    for matter in each(matters) {
        let from = each(matters).find(|&other| answers[other] == mirrored[matter]);
        dealt |= from.filter(|from| *from != matter).map_or(0, |from| 1 << from);
    }
    dealt == matters
}

/// The numbers of matters, in order.
fn each(mut matters: Matters) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (matters != 0).then(|| matters.trailing_zeros() as usize);
        matters &= matters.wrapping_sub(1);
        next
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
