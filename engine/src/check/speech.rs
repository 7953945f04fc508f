//! Whether people say what they believe, or, where they should lie, what they do not.

use super::claim::{Act, Hearers, Telling, Value};
use super::conditions::Window;
use super::deeds::deed_of;
use super::numbers::Numbers;
use super::state::demand;
use super::{Findings, Replay, at_step};
use crate::belief::nested::Mind;
use crate::belief::{Held, Source};
use crate::diagnostic::Span;
use crate::form;
use crate::storyboard::Play;
use crate::world;

impl<'a> Replay<'a> {
    /// Finds what is wrong with what is said in the first `steps` steps, which can happen, judging by what the speakers hold
    /// when they say it.
    pub(super) fn speech(&self, steps: usize, found: &mut Findings) {
        let mut deeds = self.claim.deeds.iter().take(steps);
        if !deeds.any(|deed| matches!(deed.act, Act::Tell(_) | Act::Reveal(_))) {
            return;
        }
        let windows = self.windows();
        let numbers = Numbers::new(self.claim, self.places(), self.companions());
        let trace = numbers.trace(steps);
        let mut reality = Mind::begin(&trace, 1);
        for (witnessed, event) in trace.witnessed().iter().zip(self.steps()) {
            if let Act::Tell(telling) = &event.deed.act {
                let held = reality.held(&[numbers.character(event.who)], numbers.item(telling.item));
                let held = held.and_then(Held::value).map(|value| numbers.name(value));
                let in_force = windows.iter().filter(|window| window.contains(witnessed.step));
                let checked = self.is_sincere(in_force, event.who, telling, held);
                found.add(checked.map_err(|(what, span)| at_step(witnessed.step, what, span)));
            }
            if let Act::Reveal((item, is_so)) = &event.deed.act {
                let held = reality.held(&[numbers.character(event.who)], numbers.item(*item));
                let has_seen = held == Some(Held::Known(world::Value::Truth(*is_so), Source::Seen));
                let what = || format!("{} should have seen what {} reveals", event.who, event.who);
                found.add(demand(has_seen, what).map_err(|what| at_step(witnessed.step, what, None)));
            }
            reality.happen(witnessed);
        }
    }

    /// Checks that someone who holds this may say that; otherwise says why not.
    fn is_sincere<'w>(
        &self,
        in_force: impl Iterator<Item = &'w Window<'a>>,
        who: &str,
        telling: &Telling<'_>,
        held: Option<Value<'_>>,
    ) -> Result<(), (String, Option<Span>)>
    where
        'a: 'w,
    {
        let is_believed = held == Some(telling.value);
        let is_lie = held.is_some() && !is_believed;
        let mut is_demanded = false;
        let honest = || format!("{who} should say what {who} believes");
        let freely = |result: Result<(), String>| result.map_err(|what| (what, None));
        for window in in_force {
            let Some(wanted) = deed_of(window.verb) else { continue };
            is_demanded = true;
            let span = Some(window.span);
            let is_open = matches!(&wanted.act, form::Act::Tell(form::Telling { value: None, .. }));
            if wanted.is_lie && !is_lie {
                return Err((format!("{who} should contradict what {who} believes"), span));
            } else if !wanted.is_lie && is_open && !is_believed {
                return Err((honest(), span));
            }
        }
        match telling.hearers {
            _ if is_demanded => Ok(()),
            _ if is_believed && telling.hearers == Hearers::Present => freely(self.is_drawn(who, Play::Tell)),
            _ if is_believed => Ok(()),
            Hearers::Present if is_lie => freely(self.is_drawn(who, Play::Lie)),
            _ => Err((honest(), None)),
        }
    }
}
