//! What others do around the storyboard's own part.

use std::collections::BTreeMap;

use super::claim::Around;
use super::state::State;
use super::{Findings, Replay, at_start, at_step};

impl<'a> Replay<'a> {
    /// Finds what is wrong with what others do before and after the storyboard's own part, which is right: only people without a
    /// role go about, from place to place, and everyone is back at the start when the storyboard's part begins.
    pub(super) fn around(&self, found: &mut Findings) {
        let Around { before, after } = &self.claim.around;
        if before.is_empty() && after.is_empty() {
            return;
        }
        let Some(length) = &self.storyboard.length else {
            let what = "others go about around the storyboard's part, but the storyboard has no `words`";
            return found.add(Err(at_start(what, self.storyboard.name.span)));
        };
        let start: BTreeMap<&str, &str> = self.claim.start.iter().copied().collect();
        let mut places = start.clone();
        self.go_about(before, &mut places, 0, found);
        if let Some((who, home)) = start.iter().find(|(who, home)| places.get(*who) != Some(*home)) {
            let what = format!("{who} should be back in {home}, where she starts");
            found.add(Err(at_step(before.len().saturating_sub(1), what, Some(length.words.span))));
        }
        let mut state = State::new(self.claim);
        self.steps().for_each(|event| state.apply(event));
        let mut places: BTreeMap<&str, &str> =
            start.keys().filter_map(|&who| Some((who, state.place(who)?))).collect();
        self.go_about(after, &mut places, before.len() + self.claim.events.len(), found);
    }

    /// Follows people from place to place.
    fn go_about(
        &self,
        steps: &[(&'a str, &'a str)],
        places: &mut BTreeMap<&'a str, &'a str>,
        first: usize,
        found: &mut Findings,
    ) {
        for (step, &(who, to)) in (first..).zip(steps) {
            let from = places.get(who).copied();
            let has_role = self.claim.roles.values().any(|&player| player == who);
            let what = match from {
                None => format!("{who} does not take part"),
                Some(_) if has_role => {
                    format!("{who} has a role, and stays where she is around the storyboard's part")
                }
                Some(from) if !self.leads(from, to) => format!("there is no way from {from} to {to}"),
                Some(_) => {
                    places.insert(who, to);
                    continue;
                }
            };
            found.add(Err(at_step(step, what, None)));
            if found.is_enough() {
                return;
            }
        }
    }
}
