//! What is announced of a prospect, and the headings of scenarios.

use super::LATER;
use super::words::{Clause, Part};
use crate::id::{CharacterId, ProspectId};
use crate::simulate::Story;
use crate::text::{Display, Lexicon, Words, push_all};
use crate::world::{Case, How, Item, Telling, Value};

impl Lexicon<'_> {
    /// Appends a clause.
    fn clause(
        &self,
        story: &Story,
        words: &Words,
        parts: &[Part],
        who: Option<CharacterId>,
        text: &mut String,
    ) {
        for part in parts {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Slot(_) => {
                    let who = who.expect("somebody is named");
                    text.push_str(self.name(story, words, Display::People, who));
                }
            }
        }
    }

    /// Appends how a prospect stands, as clauses with words between them. `wordings` choose among those that there are.
    #[expect(clippy::too_many_arguments, reason = "what is said, in which words, and between which others")]
    pub(super) fn case(
        &self,
        story: &Story,
        words: &Words,
        (prospect, case): (ProspectId, Case),
        wordings: [u32; 3],
        is_start: bool,
        that: &str,
        text: &mut String,
    ) {
        let known = self.prospect(words, prospect);
        let side = case.side() as usize;
        let of = |clauses: &'_ [Clause], wording: u32| wording as usize % clauses.len();
        let state = if case.how() == How::Likely { &known.likely[side] } else { &known.settled[side] };
        let mut clauses: Vec<(&Clause, Option<CharacterId>)> = vec![(&state[of(state, wordings[0])], None)];
        match case.how() {
            How::Likely => {}
            How::ByNobody => clauses.push((&known.by_nobody[of(&known.by_nobody, wordings[1])], None)),
            How::By(who) => clauses.push((&known.by_someone[of(&known.by_someone, wordings[1])], Some(who))),
        }
        let last = if case.is_final() { &known.closed } else { &known.open };
        clauses.push((&last[of(last, wordings[2])], None));
        let count = clauses.len();
        for (at, (clause, who)) in clauses.into_iter().enumerate() {
            // A comma even between two: clauses are long.
            text.push_str(match at {
                0 => "",
                _ if at + 1 < count => ", ",
                _ if count == 2 => " and ",
                _ => ", and ",
            });
            text.push_str(that);
            let parts = if at == 0 && is_start { &clause.at_start } else { &clause.within };
            self.clause(story, words, parts, who, text);
        }
    }

    /// Appends an announcement, without a full stop.
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
        let [frame, first, second, third] = words.news.announced[step];
        let who = self.name(story, words, Display::People, event.who);
        let starts = self.name_at_start(story, words, Display::People, event.who);
        let place = self.place_in(words, event.from);
        let said = |is_start: bool, that: &str, text: &mut String| {
            self.case(story, words, (prospect, case), [first, second, third], is_start, that, text);
        };
        let quoted = |before: &[&str], after: &[&str], text: &mut String| {
            push_all(text, before);
            text.push('“');
            said(true, "", text);
            push_all(text, after);
        };
        // Nobody speaks of herself by name.
        let frame = if case.agent() == Some(event.who) { 4 + frame % 4 } else { frame };
        match frame {
            0 => quoted(&[], &[",” says ", who], text),
            1 => quoted(&[starts, " says: "], &["”"], text),
            2 => quoted(&[starts, " announces in ", place, ": "], &["”"], text),
            3 => quoted(&[], &[",” ", who, " announces to everyone in ", place], text),
            4 => {
                push_all(text, &[starts, " says "]);
                said(false, "that ", text);
            }
            5 => {
                push_all(text, &[starts, " announces "]);
                said(false, "that ", text);
            }
            6 => {
                push_all(text, &[starts, " lets everyone in ", place, " know "]);
                said(false, "that ", text);
            }
            _ => {
                push_all(text, &[starts, " has news for everyone in ", place, ": "]);
                said(false, "", text);
            }
        }
    }

    /// Appends what somebody tells others of a prospect, after whom she tells it.
    pub(in crate::text) fn passed_on(
        &self,
        story: &Story,
        words: &Words,
        (prospect, case): (ProspectId, Case),
        text: &mut String,
    ) {
        self.case(story, words, (prospect, case), [0; 3], false, "", text);
    }

    /// The heading of a scenario, before the event of a step, if one begins there.
    pub fn heading(&self, words: &Words, step: usize) -> Option<String> {
        let scenarios = self.plan.scenarios?;
        if self.news.is_none() || !step.is_multiple_of(scenarios.steps) {
            return None;
        }
        let number = step / scenarios.steps;
        let later =
            if number == 0 { String::new() } else { format!(", {}", LATER[words.news.later[number]]) };
        Some(format!("Scenario {}{later}.", number + 1))
    }
}
