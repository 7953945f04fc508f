//! Answers the questions of a log of a conversation, by the minds of those who took part.

use std::collections::HashMap;

use super::answer::{Answer, Budget, Open, Row, raw};
use super::asked::{Asked, Check, Test, Wanted};
use super::forms::{Minds, Proposition};
use super::parts::PartsLog;
use super::reader::Problems;
use crate::belief::Held;
use crate::diagnostic::{Diagnostic, Span};
use crate::id::{CharacterId, PropositionId};
use crate::trace::Trace;
use crate::world::{Item, Value};

impl PartsLog {
    /// Answers all questions that can be answered.
    pub(super) fn answer(&self, problems: &mut Problems) -> Vec<Row> {
        let (trace, discussions) = self.trace();
        let mut listening = Listening {
            trace: &trace,
            discussions: &discussions,
            budget: Budget::default(),
            held: HashMap::new(),
            span: Span::default(),
            problem: None,
        };
        let answered = |asked: &Asked| {
            listening.span = asked.span;
            let found = self.find(asked, &mut listening);
            if let Some(problem) = listening.problem.take() {
                problems.push(problem);
                return None;
            }
            Some(self.row(asked, found))
        };
        self.questions.iter().filter_map(answered).collect()
    }

    fn find(&self, asked: &Asked, minds: &mut Listening<'_>) -> Result<Answer, Open> {
        match &asked.wants {
            Wanted::Text => Err(Open::NotDerivable),
            Wanted::Form(options) => {
                let mut holding = options.iter().filter(|(_, form)| form.holds(minds) == Some(true));
                match (holding.next(), holding.next()) {
                    (Some((option, _)), None) => Ok(Answer::Option(raw(option))),
                    (None, _) => Err(Open::NoOption),
                    (Some(_), Some(_)) => Err(Open::SeveralOptions),
                }
            }
            Wanted::Word(check, [yes, no]) => {
                let holds = match check {
                    Check::Form(form) => form.holds(minds),
                    Check::Test(test, who) => minds.test(*test, *who, asked.about),
                };
                let word = if holds.ok_or(Open::Unclear)? { yes } else { no };
                Ok(Answer::Option(raw(word.as_ref().ok_or(Open::NoOption)?)))
            }
            Wanted::Who(test, of) => {
                let mut who = Vec::new();
                for &one in of {
                    if minds.test(*test, one, asked.about).ok_or(Open::Unclear)? {
                        who.push(self.cast.list()[one.index()].clone());
                    }
                }
                who.sort_unstable();
                Ok(Answer::Several(who))
            }
        }
    }

    fn row(&self, asked: &Asked, found: Result<Answer, Open>) -> Row {
        let (answer, reading) = match found {
            Ok(answer) => (Some(answer), None),
            Err(open) => (None, Some(open)),
        };
        Row {
            id: raw(asked.id.as_ref().unwrap_or(&self.id)),
            question: asked.number,
            kind: asked.kind.to_owned(),
            chain: asked.chain.iter().map(|who| self.cast.list()[who.index()].clone()).collect(),
            about: asked.about.key().to_owned(),
            answer,
            reading,
            published: asked.published.as_deref().map(raw),
            left_out: self.left_out,
        }
    }
}

/// The minds of the participants.
struct Listening<'a> {
    trace: &'a Trace,
    discussions: &'a [(Proposition, Vec<CharacterId>)],
    budget: Budget,
    /// What each chain holds of every proposition.
    held: HashMap<Vec<CharacterId>, Vec<Held>>,
    /// The place of the question in the line.
    span: Span,
    /// The reason why the question cannot be answered.
    problem: Option<Diagnostic>,
}

impl Listening<'_> {
    /// What a chain holds of a proposition of the trace; `None` if the minds before the last cannot tell.
    fn truth(&mut self, minds: &[CharacterId], proposition: usize) -> Option<Option<bool>> {
        if !self.held.contains_key(minds) {
            let item = |at| Item::Proposition(PropositionId::new(at));
            let count = self.trace.stage.propositions.len();
            let tracker = match self.budget.follow(self.trace, minds, item(0), self.span) {
                Ok(tracker) => tracker,
                Err(problem) => {
                    self.problem = Some(*problem);
                    return None;
                }
            };
            let depth = tracker.chain().order();
            let held = (0..count).map(|at| tracker.held_at(depth, item(at))).collect();
            self.held.insert(minds.to_vec(), held);
        }
        match self.held[minds][proposition] {
            Held::Known(Value::Truth(is_true), _) => Some(Some(is_true)),
            Held::Known(..) => unreachable!("a proposition is true or not"),
            Held::Nothing => Some(None),
            Held::Unclear => None,
        }
    }

    fn test(&mut self, test: Test, who: CharacterId, about: Proposition) -> Option<bool> {
        if test == Test::Knows {
            return self.is_so(&[who], about);
        }
        let is_seen_through = self.truth(&[who], Proposition::Lie as usize)? == Some(false);
        let mut was_there = Some(false);
        for at in 0..self.discussions.len() {
            if self.discussions[at].0 == Proposition::Lie {
                was_there = either(was_there, self.truth(&[who], Proposition::WORDS.len() + at));
            }
        }
        Some(is_seen_through && was_there?)
    }
}

/// Whether at least one of two things is so, where the second counts as so if it is held to be.
fn either(one: Option<bool>, other: Option<Option<bool>>) -> Option<bool> {
    match (one, other) {
        (Some(true), _) | (_, Some(Some(true))) => Some(true),
        (None, _) | (_, None) => None,
        (Some(false), Some(_)) => Some(false),
    }
}

impl Minds for Listening<'_> {
    fn is_so(&mut self, minds: &[CharacterId], proposition: Proposition) -> Option<bool> {
        Some(self.truth(minds, proposition as usize)? == Some(true))
    }

    fn is_discussed(
        &mut self,
        minds: &[CharacterId],
        one: Option<CharacterId>,
        others: &[CharacterId],
        proposition: Proposition,
    ) -> Option<bool> {
        let mut found = Some(false);
        for at in 0..self.discussions.len() {
            let (what, among) = &self.discussions[at];
            let rest = || among.iter().filter(|who| Some(**who) != one);
            let is_it = *what == proposition
                && rest().all(|who| others.contains(who))
                && others.iter().all(|who| Some(*who) != one && among.contains(who));
            if is_it {
                found = either(found, self.truth(minds, Proposition::WORDS.len() + at));
            }
        }
        found
    }
}
