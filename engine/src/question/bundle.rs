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
    pub unlike: SmallVec<[usize; 3]>,
    /// The answers of these matters.
    pub answers: SmallVec<[Answer; 4]>,
}

/// Draws one of the questions of a bundle.
#[derive(Clone, Debug)]
pub struct Picker {
    bundle: Bundle,
    /// For each of its questions, the one one order lower, if there is one.
    lower: Vec<Option<Question>>,
    /// Numbers of matters: all ways to choose as many as have to have different answers.
    choices: Vec<Vec<usize>>,
    /// If the first person is drawn before all else: for each, the numbers of the ways that name her first.
    by_first: Vec<Vec<usize>>,
    /// For each way, the people who are here and away at exchanged times in each mirror, one bit each.
    mirrors: Vec<SmallVec<[u64; 3]>>,
    /// If all ways ask the same, each of some people only: the questions about all of these, one for each matter.
    of_all: Vec<Question>,
}

impl Picker {
    pub fn new(plan: &Plan, bundle: &Bundle) -> Self {
        let questions = &plan.questions[bundle.first..][..bundle.len()];
        let mut choices = Vec::new();
        if let Some(unlike) = bundle.unlike {
            choose(bundle.matters, unlike + 1, &mut Vec::new(), &mut choices);
        }
        Self {
            lower: questions.iter().map(lower).collect(),
            choices,
            by_first: ways_by_first(bundle),
            mirrors: bundle.ways.iter().map(|way| mirrors(way, bundle.unlike)).collect(),
            of_all: of_all(bundle, questions),
            bundle: bundle.clone(),
        }
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
        let ways: SmallVec<[usize; 8]> = match self.by_first.as_slice() {
            [] => (0..bundle.ways.len()).collect(),
            by_first => by_first[below(stream, by_first.len() as u32) as usize].as_slice().into(),
        };
        let of_all: SmallVec<[Codes; 1]> =
            talks.iter().filter(|_| !self.of_all.is_empty()).map(|talk| self.of_all(plan, talk)).collect();
        let mut fair = Vec::new();
        ways.iter().for_each(|&way| self.add_fair(plan, (talks, &of_all), way, &mut fair));
        let is_telling = |fair: &&Fair| fair.differing().next().is_some();
        let telling = fair.iter().filter(is_telling).count();
        let mut below = |count: usize| below(stream, count.max(1) as u32) as usize;
        let drawn = match telling {
            0 => fair.get(below(fair.len())),
            count => fair.iter().filter(is_telling).nth(below(count)),
        }?;
        let matters = &self.choices[drawn.at];
        let mut open: SmallVec<[usize; 4]> = drawn.differing().collect();
        if open.is_empty() {
            open.extend(0..matters.len());
        }
        let asked = matters[open[below(open.len())]];
        let question = |matter: usize| bundle.question(drawn.way, matter);
        let answer = |talk: &Talk, matter: usize| talk.answer(plan, &plan.questions[question(matter)]);
        let pick = |talk: &Talk| Pick {
            question: question(asked),
            unlike: matters.iter().copied().filter(|&matter| matter != asked).collect(),
            answers: matters
                .iter()
                .map(|&matter| answer(talk, matter).expect("an answer of its own"))
                .collect(),
        };
        Some(talks.iter().map(pick).collect())
    }

    /// Adds all choices of matters that are fair in a way, in all of the stories, and that have the same answers in all of them.
    fn add_fair(
        &self,
        plan: &Plan,
        (talks, of_all): (&mut [Talk], &[Codes]),
        way: usize,
        fair: &mut Vec<Fair>,
    ) {
        let begin = fair.len();
        for (number, talk) in talks.iter_mut().enumerate() {
            let (found, answers) = self.fair_in(plan, (talk, of_all.get(number)), way);
            let of = |at: usize| self.choices[at].iter().map(|&matter| answers[matter]).collect::<Codes>();
            if number == 0 {
                fair.extend(found.iter().map(|&at| Fair { way, at, answers: SmallVec::new() }));
            }
            let mut at = begin;
            while at < fair.len() {
                let one = &mut fair[at];
                if found.contains(&one.at) {
                    one.answers.push(of(one.at));
                    if one.has_the_same_answers() {
                        at += 1;
                        continue;
                    }
                }
                fair.remove(at);
            }
        }
    }

    /// The numbers of all choices of matters that are fair in a way in one story, and the answers of all matters there.
    fn fair_in(
        &self,
        plan: &Plan,
        (talk, of_all): (&mut Talk, Option<&Codes>),
        way: usize,
    ) -> (SmallVec<[usize; 8]>, Codes) {
        let bundle = &self.bundle;
        let question = |matter| &plan.questions[bundle.question(way, matter)];
        // Mostly there are none whose answers are different, and nothing else has to be known.
        let Some((answers, same_as)) = self.answers(bundle.matters, |matter| match of_all {
            Some(of_all) => of_all[matter].map(|people| people & mask(&question(matter).of)),
            None => code(talk.answer(plan, question(matter))),
        }) else {
            return Default::default();
        };
        let mut left: SmallVec<[usize; 8]> =
            (0..self.choices.len()).filter(|at| are_unlike(&self.choices[*at], &same_as)).collect();
        if left.is_empty() {
            return (left, answers);
        }
        let lower = |matter: usize| {
            let lower = self.lower[bundle.question(way, matter) - bundle.first].as_ref();
            lower.and_then(|lower| code(talk.answer(plan, lower)))
        };
        let lower: Codes = (0..bundle.matters).map(lower).collect();
        left.retain(|at| are_alike(&self.choices[*at], &lower));
        for &people in &self.mirrors[way] {
            if left.is_empty() {
                break;
            }
            talk.mirror(people);
            let mirrored: Codes =
                (0..bundle.matters).map(|matter| code(talk.answer(plan, question(matter)))).collect();
            talk.mirror(0);
            left.retain(|at| are_dealt_otherwise(&self.choices[*at], &answers, &mirrored));
        }
        (left, answers)
    }

    /// The answers of all matters, with the first matter that has the same answer, if it has any; `None` as soon as it is plain that
    /// there are not as many different ones as it takes.
    fn answers(
        &self,
        matters: usize,
        mut answer: impl FnMut(usize) -> Option<u64>,
    ) -> Option<(Codes, SmallVec<[Option<usize>; 4]>)> {
        let wanted = self.bundle.unlike.map_or(0, |unlike| unlike + 1);
        let (mut answers, mut same_as, mut different) = (Codes::new(), SmallVec::new(), 0);
        for matter in 0..matters {
            let answer = answer(matter);
            answers.push(answer);
            let first = answer.and_then(|_| answers.iter().position(|other| *other == answer));
            same_as.push(first);
            different += usize::from(first == Some(matter));
            if different + matters - 1 - matter < wanted {
                return None;
            }
        }
        Some((answers, same_as))
    }

    /// For each matter, the answer to the question about all people whom any way asks of.
    fn of_all(&self, plan: &Plan, talk: &Talk) -> Codes {
        self.of_all.iter().map(|question| code(talk.answer(plan, question))).collect()
    }
}

/// The answers of matters, if they have any, as numbers that are as different as they are.
type Codes = SmallVec<[Option<u64>; 4]>;

/// An answer as a number: answers to one question, of whichever matter, are the same if their numbers are.
fn code(answer: Option<Answer>) -> Option<u64> {
    Some(match answer? {
        Answer::Verdict(verdict) => verdict as u64,
        Answer::People(people) => people,
        Answer::Standing(standing, _) => standing as u64,
        Answer::Why(matter, _) => matter as u64,
        _ => unreachable!("no question of a matter is answered so"),
    })
}

/// A choice of matters that may be asked of.
struct Fair {
    /// Whom the question names.
    way: usize,
    /// The number of the choice.
    at: usize,
    /// For each story, the answers of these matters.
    answers: SmallVec<[Codes; 1]>,
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
        (0..self.answers[0].len()).filter(differs)
    }
}

/// For each matter, the question about all people whom any way of a bundle asks of: if all ways ask the same, each of some people, the
/// answer of each is this one without the others. Otherwise none.
fn of_all(bundle: &Bundle, questions: &[Question]) -> Vec<Question> {
    use QuestionKind::{CouldAnswer, Present, SeesThrough, WhoKnows};
    let is_the_same = |(at, question): (usize, &Question)| {
        matches!(question.kind, Present | WhoKnows | CouldAnswer | SeesThrough)
            && question.others == questions[at % bundle.matters].others
    };
    if !questions.iter().enumerate().all(is_the_same) {
        return Vec::new();
    }
    let asks_of_everyone = questions.iter().any(|question| question.of.is_empty());
    let named =
        questions.iter().filter(|_| !asks_of_everyone).flat_map(|question| question.of.iter().copied());
    let people: Vec<CharacterId> = named.collect::<BTreeSet<_>>().into_iter().collect();
    let of_all = |question: &Question| Question { of: people.clone(), ..question.clone() };
    questions.iter().take(bundle.matters).map(of_all).collect()
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
fn are_alike(matters: &[usize], answers: &[Option<u64>]) -> bool {
    matters.iter().all(|&matter| answers[matter] == answers[matters[0]])
}

/// Whether matters, whose answers are all different, have the same answers in a mirror, but none its own.
fn are_dealt_otherwise(matters: &[usize], answers: &[Option<u64>], mirrored: &[Option<u64>]) -> bool {
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
