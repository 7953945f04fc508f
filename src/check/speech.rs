//! Whether people say what they believe, or, where they should lie, what they do not.

use super::claim::{Act, Hearers, Telling, Value};
use super::conditions::Window;
use super::deeds::is_deed;
use super::numbers::Numbers;
use super::{Replay, Violation, violation};
use crate::belief::Held;
use crate::belief::nested::Mind;
use crate::storyboard::{Play, Verb};

impl<'a> Replay<'a> {
    /// What is wrong with what is said, by what the speakers hold when they say it.
    pub(super) fn speech(&self) -> Result<(), Violation> {
        if !self.claim.deeds.iter().any(|deed| matches!(deed.act, Act::Tell(_))) {
            return Ok(());
        }
        let windows = self.windows();
        let numbers = Numbers::new(self.claim, self.places());
        let trace = numbers.trace();
        let mut reality = Mind::begin(&trace, 1);
        for (witnessed, event) in trace.witnessed().iter().zip(self.steps()) {
            if let Act::Tell(telling) = &event.deed.act {
                let held = reality.held(&[numbers.character(event.who)], numbers.item(telling.item));
                let held = held.and_then(Held::value).map(|value| numbers.name(value));
                let in_force = windows.iter().filter(|window| window.contains(witnessed.step));
                let checked = self.is_sincere(in_force, event.who, telling, held);
                checked.map_err(|what| violation(Some(witnessed.step), what))?;
            }
            reality.happen(witnessed);
        }
        Ok(())
    }

    /// Says why someone who holds this should not say that.
    fn is_sincere<'w>(
        &self,
        in_force: impl Iterator<Item = &'w Window<'a>>,
        who: &str,
        telling: &Telling<'_>,
        held: Option<Value<'_>>,
    ) -> Result<(), String>
    where
        'a: 'w,
    {
        let is_believed = held == Some(telling.value);
        let is_lie = held.is_some() && !is_believed;
        let mut is_demanded = false;
        for window in in_force.filter(|window| is_deed(window.verb)) {
            is_demanded = true;
            match window.verb {
                Verb::Tell { is_lie: true, .. } if !is_lie => {
                    return Err(format!("{who} should say something else than {who} believes"));
                }
                Verb::Tell { is_lie: false, value: None, .. } if !is_believed => {
                    return Err(format!("{who} should say what {who} believes"));
                }
                _ => {}
            }
        }
        match telling.hearers {
            _ if is_demanded => Ok(()),
            _ if is_believed && telling.hearers == Hearers::Present => self.is_drawn(who, Play::Tell),
            _ if is_believed => Ok(()),
            Hearers::Present if is_lie => self.is_drawn(who, Play::Lie),
            _ => Err(format!("{who} should say what {who} believes")),
        }
    }
}
