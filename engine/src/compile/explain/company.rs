//! Why somebody is not where she has to be, or still where she must not be, when something is done.

use std::collections::HashMap;

use super::{Conflict, Distances};
use crate::diagnostic::counted;
use crate::id::{CharacterId, PlaceId};
use crate::resolve::Place;

impl Conflict<'_> {
    /// The reason why those who have to be in a place, or elsewhere, as something is done there cannot be. At its own step nobody
    /// goes anywhere.
    pub(super) fn not_there(
        &self,
        (here, elsewhere): (Vec<CharacterId>, &[CharacterId]),
        place: Place,
        step: usize,
    ) -> Option<String> {
        let mut distances = Distances { resolved: self.resolved, from: HashMap::new() };
        let mut reason = None;
        // Under each cast there has to be one; the first is told.
        for binds in self.casts {
            let goal = place.under(binds);
            let (mut moves, mut first) = (0, step);
            let mut found = None;
            let wanted = here.iter().map(|who| (*who, true)).chain(elsewhere.iter().map(|who| (*who, false)));
            for (who, is_here) in wanted {
                let (from, since) = self.last_put(binds, who, step);
                let needed = match is_here {
                    true => distances.between(from, goal)?,
                    false => usize::from(from == goal),
                };
                if needed > step.saturating_sub(since) && found.is_none() {
                    found = Some(self.too_late(who, (from, is_here), since, step));
                }
                moves += needed;
                if needed > 0 {
                    first = first.min(since);
                }
            }
            let available = step.saturating_sub(first);
            if found.is_none() && moves > available {
                let is = if available == 1 { "is" } else { "are" };
                let steps = counted(available, "step");
                found = Some(format!(
                    "by then there have to be {moves} moves, but there {is} only {steps} for that"
                ));
            }
            reason = reason.or(Some(found?));
        }
        reason
    }

    /// A message that somebody cannot get where she has to be, or away from there, before a step.
    fn too_late(
        &self,
        who: CharacterId,
        (from, is_here): (PlaceId, bool),
        since: usize,
        step: usize,
    ) -> String {
        let (name, from) = (self.name(who), &self.resolved.place_names[from.index()]);
        let time = match step.saturating_sub(since) {
            0 if since == 0 => "nobody has gone anywhere before this step".to_owned(),
            0 => "there is no step between for going".to_owned(),
            1 => "there is only 1 step for going".to_owned(),
            steps => format!("there are only {steps} steps for going"),
        };
        let is = if since == 0 { "starts" } else { "is last put" };
        let has = if is_here { "is not there" } else { "is still there" };
        format!("`{name}` {has}: `{name}` {is} in `{from}`, and {time}")
    }
}
