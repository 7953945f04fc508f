//! Whether news is what it should be: what is announced, and by whom, where a story is divided by lives.

use super::claim::{Act, Case, How, Item, Telling, Value};
use super::state::{Event, State, demand};
use super::{Findings, Replay, at_start, at_step};
use crate::form::TellingIn;
use crate::storyboard::{
    By, LivesForm, NOBODY, ScenarioForm, Start, Written, WrittenCase, WrittenValue, between_if_not_given,
};

impl State<'_> {
    /// Says why this cannot be announced.
    pub(super) fn is_news(&self, news: &Telling<'_>) -> Result<(), String> {
        let Telling { item: Item::Prospect(prospect), value: Value::Case(_), .. } = *news else {
            return Err("only a prospect can be announced, and how it stands".to_owned());
        };
        demand(self.value(Item::Prospect(prospect)).is_some(), || format!("there is no {prospect}"))
    }
}

impl<'a> Replay<'a> {
    /// Whether what is announced is what is demanded.
    pub(super) fn is_news_wanted(&self, wanted: &'a TellingIn<Written>, done: &Act<'a>) -> bool {
        let Act::Turn(Telling { item: Item::Prospect(of), value: Value::Case(case), .. }) = done else {
            return false;
        };
        let is_of = wanted.item.as_ref().is_some_and(|name| name.value == *of);
        let case = match &wanted.value {
            None => true,
            Some(WrittenValue::Case(wanted)) => self.is_case(wanted, *case),
            Some(WrittenValue::Name(_)) => false,
        };
        is_of && case && self.may_be(of, done)
    }

    /// Whether what is told is what is demanded.
    pub(super) fn is_said(&self, wanted: &'a WrittenValue, telling: &Telling<'a>) -> bool {
        match (wanted, telling.value) {
            (WrittenValue::Name(name), _) => self.item_value(telling.item, name) == telling.value,
            (WrittenValue::Case(wanted), Value::Case(case)) => self.is_case(wanted, case),
            (WrittenValue::Case(_), _) => false,
        }
    }

    /// Whether a prospect stands as an author writes.
    fn is_case(&self, wanted: &'a WrittenCase, case: Case<'a>) -> bool {
        let WrittenCase { side, is_likely, by, is_final, .. } = wanted;
        let is_by = by.as_ref().is_none_or(|by| match case.how {
            How::Likely => false,
            How::ByNobody => by.value == NOBODY,
            How::By(who) => by.value != NOBODY && self.role(by) == who,
        });
        side.is_none_or(|side| (side == 1) == case.is_second)
            && is_likely.is_none_or(|is_likely| is_likely == (case.how == How::Likely))
            && is_final.is_none_or(|is_final| is_final == case.is_final)
            && is_by
    }

    /// Whether the prospect may stand like that at all: brought about by one of those who may.
    fn may_be(&self, of: &str, done: &Act<'a>) -> bool {
        let Act::Turn(Telling { value: Value::Case(case), .. }) = done else { return false };
        let Some(prospect) = self.storyboard.prospects.iter().find(|known| known.name.value == of) else {
            return false;
        };
        match case.how {
            How::Likely => true,
            How::ByNobody => prospect.by.iter().any(|by| matches!(by, By::Nobody(_))),
            How::By(who) => {
                prospect.by.iter().any(|by| matches!(by, By::Role(name) if self.role(name) == who))
            }
        }
    }

    /// Whether stories are drawn by lives.
    pub(super) fn is_by_lives(&self) -> bool {
        let scenarios = self.storyboard.scenarios.as_ref();
        scenarios.is_some_and(|scenarios| matches!(scenarios.form, ScenarioForm::Lives(_)))
    }

    /// Finds what is wrong with the events of a story by lives: every scenario has so many moves before each announcement and at
    /// the end, and no two announcements in succession are the same.
    pub(super) fn lives(&self, found: &mut Findings) {
        let Some(scenarios) = &self.storyboard.scenarios else { return };
        let ScenarioForm::Lives(lives) = &scenarios.form else { return };
        let LivesForm { turns, of, by, between, .. } = &**lives;
        let turns = self.value(turns);
        let between = between.as_ref().map_or_else(between_if_not_given, |between| self.value(between));
        let round = turns + between * (turns + 1);
        let teller = self.role(by);
        let mut last = None;
        for (step, event) in self.steps().enumerate() {
            let in_round = step as i64 % round;
            let is_turn = in_round % (between + 1) == between && in_round < round - between;
            let checked = self.step_of_lives(event, is_turn, (teller, &of.value), &mut last);
            found.add(checked.map_err(|what| at_step(step, what, Some(scenarios.span))));
        }
        if let Start::Drawn(span) = &self.storyboard.start {
            let mut places = self.claim.start.iter().map(|(_, place)| place);
            let first = places.next();
            if places.any(|place| Some(place) != first) {
                found.add(Err(at_start("all should start in one place", *span)));
            }
        }
    }

    fn step_of_lives(
        &self,
        event: Event<'a>,
        is_turn: bool,
        (teller, of): (&str, &'a str),
        last: &mut Option<Value<'a>>,
    ) -> Result<(), String> {
        match &event.deed.act {
            Act::Turn(news) => {
                demand(is_turn, || "nothing should be announced here".to_owned())?;
                demand(event.who == teller, || format!("{teller} should announce it"))?;
                demand(news.item == Item::Prospect(of), || format!("it should be news of {of}"))?;
                demand(self.may_be(of, &event.deed.act), || format!("{of} cannot stand like this"))?;
                demand(*last != Some(news.value), || "this has just been announced".to_owned())?;
                *last = Some(news.value);
                Ok(())
            }
            Act::Go => demand(!is_turn, || format!("{teller} should announce something here")),
            _ => Err("people should only go from place to place, and announce".to_owned()),
        }
    }
}
