//! What choices say of somebody: her states, whether they changed, and what accounts for them.

use super::words::Part;
use crate::appraisal::Mood;
use crate::form::Addressee;
use crate::id::{CharacterId, ProspectId};
use crate::pack::Slot;
use crate::question::{Basis, Cause, Courses, Shown, Subject, Told};
use crate::simulate::Story;
use crate::text::{Display, Lexicon, Words, push_all};

impl Lexicon<'_> {
    /// What of a story's courses a question asks of.
    pub(in crate::text) fn courses<'w>(
        &self,
        words: &'w Words,
        question: &crate::plan::Question,
    ) -> &'w Courses {
        let subject = Subject::of(question).expect("a question about scenarios");
        let plans = &self.news.as_ref().expect("a plan with prospects").courses;
        let number =
            plans.iter().position(|plan| *plan.subject() == subject).expect("the subject of a question");
        &words.news.courses[number]
    }

    /// Appends what a question's choice says of one of the lives.
    pub(in crate::text) fn life(
        &self,
        story: &Story,
        words: &Words,
        question: usize,
        life: usize,
        text: &mut String,
    ) {
        let question = &self.plan.questions[question];
        let told = self.courses(words, question).told(question, life);
        let subject = Subject::of(question).expect("a question about scenarios");
        Teller { lexicon: self, story, words, prospect: subject.prospect, who: subject.who() }
            .told(&told, text);
    }

    /// Appends a state.
    pub(in crate::text) fn shown_state(&self, story: &Story, words: &Words, shown: Shown, text: &mut String) {
        let news = self.news.as_ref().expect("a plan with prospects");
        match shown {
            Shown::Belief(_, None) => text.push_str("nothing, having heard nothing of it"),
            Shown::Belief(prospect, Some(case)) => {
                self.thought(story, words, (prospect, case), text);
            }
            Shown::Emotion(feels) => text.push_str(&news.feelings[usize::from(feels)]),
            Shown::Intention(wants) => text.push_str(&news.wants[usize::from(wants)]),
            Shown::Action { prospect, wants, does, agent } => {
                for part in &news.does[usize::from(does)] {
                    match part {
                        Part::Words(words) => text.push_str(words),
                        Part::Slot(_) => self.act(story, words, (prospect, wants, agent), text),
                    }
                }
            }
        }
    }

    /// Appends what is done for a want.
    fn act(
        &self,
        story: &Story,
        words: &Words,
        (prospect, wants, agent): (ProspectId, u8, Option<CharacterId>),
        text: &mut String,
    ) {
        let news = self.news.as_ref().expect("a plan with prospects");
        for part in &news.acts[usize::from(wants)] {
            let who = match part {
                Part::Words(words) => {
                    text.push_str(words);
                    continue;
                }
                Part::Slot(Slot::Decider) => self.decider(prospect),
                Part::Slot(_) => agent,
            };
            match who {
                Some(who) => text.push_str(self.name(story, words, Display::People, who)),
                None => text.push_str("whoever brought it about"),
            }
        }
    }

    pub(super) fn decider(&self, prospect: ProspectId) -> Option<CharacterId> {
        let staging = self.plan.staging.as_ref()?;
        staging.prospects[prospect.index()].decider
    }
}

/// Puts into words what choices say of somebody.
struct Teller<'t, 'a> {
    lexicon: &'t Lexicon<'a>,
    story: &'t Story,
    words: &'t Words,
    prospect: ProspectId,
    who: CharacterId,
}

impl Teller<'_, '_> {
    fn name(&self, who: CharacterId) -> &str {
        self.lexicon.name(self.story, self.words, Display::People, who)
    }

    fn shown(&self, shown: Shown, text: &mut String) {
        self.lexicon.shown_state(self.story, self.words, shown, text);
    }

    fn told(&self, told: &Told, text: &mut String) {
        match told {
            Told::State(shown) => self.shown(*shown, text),
            Told::Changed(before, now) if before == now => {
                text.push_str("No, still “");
                self.shown(*now, text);
                text.push('”');
            }
            Told::Changed(before, now) => {
                text.push_str("Yes, from “");
                self.shown(*before, text);
                text.push_str("” to “");
                self.shown(*now, text);
                text.push('”');
            }
            Told::Cause(cause) => self.cause(*cause, text),
            Told::Influence(basis, shown) => {
                self.basis(*basis, "", text);
                push_all(text, &[", so ", self.name(self.who), " "]);
                self.has(*shown, "", text);
            }
            Told::Course(states) => {
                for (at, shown) in states.iter().enumerate() {
                    text.push_str(if at == 0 { "“" } else { ", then “" });
                    self.shown(*shown, text);
                    text.push('”');
                }
            }
        }
    }

    /// Appends a state as what somebody has: "is hopeful", "wants to wait and see", "will wait for what comes".
    fn has(&self, shown: Shown, still: &str, text: &mut String) {
        match shown {
            Shown::Belief(..) => push_all(text, &[still, "thinks "]),
            Shown::Emotion(_) => push_all(text, &["is ", still]),
            Shown::Intention(_) => push_all(text, &[still, "wants "]),
            Shown::Action { .. } => push_all(text, &["will ", still]),
        }
        self.shown(shown, text);
    }

    fn cause(&self, cause: Cause, text: &mut String) {
        let who = self.name(self.who);
        text.push_str(if matches!(cause, Cause::Same(_)) { "No: " } else { "Yes: " });
        match cause {
            Cause::Same(shown) => {
                push_all(text, &[who, " "]);
                self.has(shown, "still ", text);
            }
            Cause::Heard(from, shown) => {
                let from = from.map_or("somebody", |from| self.name(from));
                push_all(text, &[who, " last heard ", from, " say "]);
                self.shown(shown, text);
            }
            Cause::Basis(basis) => self.basis(basis, "now ", text),
            Cause::Agent(wants, agent) => {
                push_all(text, &[who, " still wants "]);
                self.shown(Shown::Intention(wants), text);
                let agent = agent.map_or("somebody else", |agent| self.name(agent));
                push_all(text, &[", but now ", agent, " is the one who brought it about"]);
            }
            Cause::Company(wants, addressee, whom) => {
                push_all(text, &[who, " still wants "]);
                self.shown(Shown::Intention(wants), text);
                let said = match (whom, addressee) {
                    (Some(whom), Addressee::Here) => [self.name(whom), " is with "],
                    (Some(whom), _) => [self.name(whom), " is not with "],
                    (None, Addressee::Here) => ["one of the others", " is with "],
                    (None, _) => ["none of the others", " is with "],
                };
                push_all(text, &[", but now ", said[0], said[1], who]);
            }
        }
    }

    /// Appends what a state follows from: "Ann thinks that …, having expected …".
    fn basis(&self, basis: Basis, now: &str, text: &mut String) {
        let who = self.name(self.who);
        match basis {
            Basis::Mood(Mood { thinks: None, .. }) => push_all(text, &[who, " has heard nothing of it"]),
            Basis::Mood(Mood { thinks, expected }) => {
                push_all(text, &[who, " ", now, "thinks "]);
                self.shown(Shown::Belief(self.prospect, thinks), text);
                let goals = &self.lexicon.prospect(self.words, self.prospect).goals;
                match expected {
                    Some(side) => push_all(text, &[", having expected ", &goals[side as usize]]),
                    None => text.push_str(", having expected neither side"),
                }
            }
            Basis::Feeling(feels, is_final) => {
                push_all(text, &[who, " is ", now]);
                self.shown(Shown::Emotion(feels), text);
                text.push_str(match is_final {
                    None => ", having heard nothing of it",
                    Some(true) => " and thinks that nothing can be done any more",
                    Some(false) => " and thinks that something can still be done",
                });
            }
            Basis::Want(wants) => {
                push_all(text, &[who, " ", now, "wants "]);
                self.shown(Shown::Intention(wants), text);
            }
        }
    }
}
