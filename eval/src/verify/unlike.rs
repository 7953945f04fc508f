//! Whether the matters that a row says to be unlike are: whether they have other answers, and deal them out otherwise where somebody is
//! away whenever she is here. It follows from the stories themselves, told the other way round, and the written-out minds in them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::oracle::{Oracle, Reply};
use crate::id::{CharacterId, PlaceId};
use crate::plan::{Bundle, Plan};
use crate::question::Answer;
use crate::trace::Trace;

/// What the matters are that a row is about: the one that it asks of, and those that are unlike it.
pub struct Unlike<'p> {
    pub bundle: &'p Bundle,
    /// Who of groups are named.
    pub way: usize,
    /// The matters, the one that is asked of first.
    pub matters: Vec<usize>,
}

/// What there has to be of questions in a story and in its mirrors. Each of these is told once, whatever has to be known of it.
pub struct Mirrors {
    /// By those who change places, in order: nobody in the story itself.
    replies: BTreeMap<Vec<CharacterId>, Vec<Reply>>,
}

impl Mirrors {
    /// The answers to these questions in a story, and whatever these matters take.
    pub fn of<'u>(
        plan: &Plan,
        trace: &Trace,
        asked: impl Iterator<Item = usize>,
        unlike: impl Iterator<Item = &'u Unlike<'u>>,
    ) -> Self {
        let mut numbers: BTreeMap<Vec<CharacterId>, BTreeSet<usize>> = BTreeMap::new();
        numbers.entry(Vec::new()).or_default().extend(asked);
        for unlike in unlike {
            for people in unlike.mirrors().into_iter().chain([Vec::new()]) {
                numbers.entry(people).or_default().extend(unlike.numbers());
            }
        }
        let replies = numbers.into_iter().map(|(people, numbers)| {
            let replies = Oracle::of(plan, numbers).answers(&mirror(trace, &people), 0);
            (people, replies)
        });
        Self { replies: replies.collect() }
    }

    /// The same where nothing has to be unlike.
    pub fn of_story(replies: Vec<Reply>) -> Self {
        Self { replies: BTreeMap::from([(Vec::new(), replies)]) }
    }

    /// What there has to be of a question in the story itself.
    pub fn reply(&self, question: usize) -> Reply {
        self.replies[&[][..]][question]
    }
}

impl Unlike<'_> {
    fn numbers(&self) -> Vec<usize> {
        let way = self.way * self.bundle.matters;
        self.matters.iter().map(|matter| self.bundle.first + way + matter).collect()
    }

    /// The answers of the matters where these people change places, and those of the questions one order lower.
    fn answers(&self, told: &Mirrors, people: &[CharacterId]) -> Vec<(Option<Answer>, Option<Answer>)> {
        let replies = &told.replies[people];
        let answer = |number: usize| match replies[number] {
            Reply::Row(derived) => (Some(derived.answer), derived.lower_order),
            Reply::NoRow | Reply::Lost => (None, None),
        };
        self.numbers().into_iter().map(answer).collect()
    }

    /// The answers, if the matters are as unlike as they have to be; otherwise what is wrong.
    ///
    /// # Panics
    /// If what is told was not told for these matters.
    pub fn check(&self, told: &Mirrors) -> Result<Vec<Answer>, String> {
        let wanted = self.bundle.unlike.unwrap_or(0) + 1;
        let dealt = self.answers(told, &[]);
        let answers: Vec<Answer> = dealt.iter().filter_map(|(answer, _)| *answer).collect();
        let mut matters = self.matters.clone();
        matters.sort_unstable();
        matters.dedup();
        if answers.len() != wanted || matters.len() != wanted {
            return Err(format!("{} answers of {} matters, not {wanted}", answers.len(), matters.len()));
        }
        if sorted(&answers).windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("matters with the same answer".to_owned());
        }
        if dealt.iter().any(|(_, lower)| *lower != dealt[0].1) {
            return Err("matters that differ one order lower".to_owned());
        }
        for people in self.mirrors() {
            let mirrored: Vec<Option<Answer>> =
                self.answers(told, &people).into_iter().map(|(answer, _)| answer).collect();
            let all: Vec<Answer> = mirrored.iter().flatten().copied().collect();
            if sorted(&all) != sorted(&answers) {
                return Err("other answers in the mirror".to_owned());
            }
            if mirrored.iter().zip(&answers).any(|(mirrored, answer)| *mirrored == Some(*answer)) {
                return Err("an answer that is its own mirror".to_owned());
            }
        }
        Ok(answers)
    }

    /// Those who change places with being away: the first who is named or, where there are four answers, either and both, in order.
    fn mirrors(&self) -> Vec<Vec<CharacterId>> {
        match (self.bundle.ways[self.way].as_slice(), self.bundle.unlike) {
            ([], _) => Vec::new(),
            (&[one, other], Some(3)) => vec![vec![one], vec![other], vec![one.min(other), one.max(other)]],
            (named, _) => vec![vec![named[0]]],
        }
    }
}

fn sorted(answers: &[Answer]) -> Vec<Answer> {
    let mut answers = answers.to_vec();
    answers.sort_unstable();
    answers
}

/// The story in which these people are in the other of two places throughout.
fn mirror<'t>(trace: &'t Trace, people: &[CharacterId]) -> Cow<'t, Trace> {
    if people.is_empty() {
        return Cow::Borrowed(trace);
    }
    let other = |place: PlaceId| PlaceId::new(1 - place.index());
    let mut mirrored = trace.clone();
    for (at, place) in mirrored.start.iter_mut().enumerate() {
        if people.contains(&CharacterId::new(at)) {
            *place = other(*place);
        }
    }
    for event in mirrored.events.iter_mut().filter(|event| people.contains(&event.who)) {
        (event.from, event.to) = (other(event.from), other(event.to));
    }
    Cow::Owned(mirrored)
}
