//! What is announced of a prospect, and the headings of scenarios.

use super::LATER;
use super::words::{Clause, Part};
use crate::id::{CharacterId, ProspectId};
use crate::simulate::Story;
use crate::text::{Display, Lexicon, Words, push_all};
use crate::world::{Act, Case, How, Item, Telling, Value};

/// A clause, and whom it names.
type Said<'l> = (&'l Clause, Option<CharacterId>);

/// What stands between clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    /// Commas alone.
    Plain,
    /// Commas, in a sentence of its own.
    Sentence,
    /// "that" before each of them.
    EachThat,
    /// "that" before each but the first, before which it stands already.
    AfterThat,
}

/// The first of the frames in which nobody is quoted.
const INDIRECT: u32 = 4;

impl Lexicon<'_> {
    /// Appends a clause.
    fn clause(
        &self,
        story: &Story,
        words: &Words,
        (clause, who): Said<'_>,
        is_start: bool,
        text: &mut String,
    ) {
        let parts = if is_start { &clause.at_start } else { &clause.within };
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Slot(_) => {
                    let who = who.expect("somebody is named");
                    text.push_str(match is_start && at == 0 {
                        true => self.name_at_start(story, words, Display::People, who),
                        false => self.name(story, words, Display::People, who),
                    });
                }
            }
        }
    }

    /// The clauses that say how a prospect stands, each with whom it names. `wordings` choose among those that there are.
    fn clauses<'l>(
        &'l self,
        words: &Words,
        (prospect, case): (ProspectId, Case),
        wordings: [u32; 3],
    ) -> Vec<Said<'l>> {
        let known = self.prospect(words, prospect);
        let side = case.side() as usize;
        let one = |clauses: &'l [Clause], at: usize| &clauses[wordings[at] as usize % clauses.len()];
        let state = if case.how() == How::Likely { &known.likely[side] } else { &known.settled[side] };
        let mut clauses = vec![(one(state, 0), None)];
        match case.how() {
            How::Likely => {}
            How::ByNobody => clauses.push((one(&known.by_nobody, 1), None)),
            How::By(who) => clauses.push((one(&known.by_someone, 1), Some(who))),
        }
        clauses.push((one(if case.is_final() { &known.closed } else { &known.open }, 2), None));
        clauses
    }

    /// Appends clauses with words between them.
    fn joined(&self, story: &Story, words: &Words, clauses: &[Said<'_>], join: Join, text: &mut String) {
        for (at, said) in clauses.iter().enumerate() {
            text.push_str(match (at, join) {
                (0, _) => "",
                (_, _) if at + 1 < clauses.len() => ", ",
                // Clauses are long, so there is a comma even between two, unless each begins with "that".
                (1, Join::EachThat | Join::AfterThat) => " and ",
                _ => ", and ",
            });
            let has_that = join == Join::EachThat || join == Join::AfterThat && at > 0;
            text.push_str(if has_that { "that " } else { "" });
            let is_start = join == Join::Sentence && at == 0;
            self.clause(story, words, *said, is_start, text);
        }
    }

    /// Appends how a prospect stands, as a choice has it: "that the pool stays open, that Ann has seen to it, and that …".
    pub(super) fn thought(&self, story: &Story, words: &Words, of: (ProspectId, Case), text: &mut String) {
        self.joined(story, words, &self.clauses(words, of, [0; 3]), Join::EachThat, text);
    }

    /// Appends an announcement, without a full stop. What is said in direct speech is more than one sentence.
    pub(in crate::text) fn announcement(
        &self,
        story: &Story,
        words: &Words,
        step: usize,
        news: &Telling,
        text: &mut String,
    ) {
        let (Item::Prospect(prospect), Value::Case(case)) = (news.item, news.value) else {
            unreachable!("news of a prospect")
        };
        let event = story.trace.events[step];
        let [frame, wordings @ ..] = words.news.announced[step];
        let who = self.name(story, words, Display::People, event.who);
        let starts = self.name_at_start(story, words, Display::People, event.who);
        let place = self.place_in(words, event.from);
        let clauses = self.clauses(words, (prospect, case), wordings);
        let (first, rest) = clauses.split_at(1);
        let say = |clauses: &[Said<'_>], join: Join, text: &mut String| {
            self.joined(story, words, clauses, join, text);
        };
        let tense = self.tense(words);
        let in_tense = |verbs: [&'static str; 2]| verbs[tense];
        let says = in_tense(["says", "said"]);
        let announces = in_tense(["announces", "announced"]);
        // "“The pool stays open,” says Ann. “Nobody has brought this about, and it is too late to change it.”"
        let interrupted = |by: &[&str], text: &mut String| {
            text.push('“');
            say(first, Join::Sentence, text);
            text.push_str(",” ");
            push_all(text, by);
            text.push_str(". “");
            say(rest, Join::Sentence, text);
            text.push('”');
        };
        let quoted = |before: &[&str], text: &mut String| {
            push_all(text, before);
            text.push_str(": “");
            say(first, Join::Sentence, text);
            text.push_str(". ");
            say(rest, Join::Sentence, text);
            text.push('”');
        };
        // Nobody speaks of herself by name.
        let frame = if case.agent() == Some(event.who) { INDIRECT + frame % INDIRECT } else { frame };
        match frame {
            0 => interrupted(&[says, " ", who], text),
            1 => quoted(&[starts, " ", says], text),
            2 => quoted(&[starts, " ", announces, " in ", place], text),
            3 => interrupted(&[who, " ", announces, " to everyone in ", place], text),
            4 => {
                push_all(text, &[starts, " ", says, " "]);
                say(&clauses, Join::EachThat, text);
            }
            5 => {
                push_all(text, &[starts, " ", announces, " "]);
                say(&clauses, Join::EachThat, text);
            }
            6 => {
                push_all(text, &[starts, in_tense([" lets", " let"]), " everyone in ", place, " know "]);
                say(&clauses, Join::EachThat, text);
            }
            _ => {
                push_all(text, &[starts, in_tense([" has", " had"]), " news for everyone in ", place, ": "]);
                say(&clauses, Join::Plain, text);
            }
        }
    }

    /// Appends what somebody tells others of a prospect, after "that".
    pub(in crate::text) fn passed_on(
        &self,
        story: &Story,
        words: &Words,
        of: (ProspectId, Case),
        text: &mut String,
    ) {
        self.joined(story, words, &self.clauses(words, of, [0; 3]), Join::AfterThat, text);
    }

    /// What stands before the event of a step if a scenario begins there: its heading, and the sentence with which it opens.
    pub fn headings(&self, words: &Words, step: usize) -> Vec<String> {
        let Some(scenarios) = self.plan.scenarios.filter(|_| self.news.is_some()) else { return Vec::new() };
        if !step.is_multiple_of(scenarios.steps) {
            return Vec::new();
        }
        let number = step / scenarios.steps;
        let later = match number.checked_sub(1) {
            None => String::new(),
            Some(before) => format!(", {}", LATER[words.news.later[before % LATER.len()]]),
        };
        let heading = format!("Scenario {}{later}.", number + 1);
        std::iter::once(heading).chain(self.opening(words, number).map(str::to_owned)).collect()
    }

    /// How many sentences there are up to the event of a step that are no event, aside or note: headings, openings, what is said
    /// besides, and the second sentences of announcements.
    pub(in crate::text) fn sentences_of_news(&self, story: &Story, words: &Words, step: usize) -> usize {
        if self.news.is_none() {
            return 0;
        }
        let headings: usize = (0..=step).map(|step| self.headings(words, step).len()).sum();
        let second = |step: &usize| {
            let Some(Act::Turn(Telling { value: Value::Case(case), .. })) =
                story.trace.deeds.get(*step).map(|deed| &deed.act)
            else {
                return false;
            };
            words.news.announced[*step][0] < INDIRECT && case.agent() != Some(story.trace.events[*step].who)
        };
        headings + self.said_before(words, step) + (0..step).filter(second).count()
    }
}
