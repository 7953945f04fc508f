//! Who can reveal something: those who have seen that it is so, and those who know it from the start.

use super::Resolver;
use crate::diagnostic::{Diagnostic, counted};
use crate::form::Act;
use crate::id::{CharacterId, PropositionId};
use crate::plan::Staging;
use crate::storyboard::{Event, Verb};

/// The largest number of those who are listed.
const SHOWN_MAX: usize = 5;

impl<'a> Resolver<'a> {
    /// The event that demands the deed of a step.
    pub(super) fn source(&self, staging: &Staging, step: usize) -> Option<&'a Event> {
        let events = &self.storyboard.events;
        let mut at_step =
            staging.sources.iter().filter(|(at, _)| *at == step).map(|(_, number)| &events[*number]);
        at_step.find(|event| matches!(event.verb, Verb::Do(_)))
    }

    /// Reports what is revealed by those who cannot have seen it by then, whoever goes where.
    pub(super) fn check_reveals(&mut self, staging: &Staging) {
        // Who watches from elsewhere may see anything.
        if !staging.attention.is_empty() {
            return;
        }
        // Steps at which nothing can be shown, since that is reported.
        let mut wrong: Vec<usize> = Vec::new();
        for (step, deed) in &staging.deeds {
            let Act::Reveal(Some(proposition)) = deed.act else { continue };
            let mut earlier = staging.deeds.iter().take_while(|(at, _)| at < step);
            let may_be_any = earlier.any(|(_, deed)| matches!(deed.act, Act::Reveal(None)));
            if may_be_any || self.may_hold(staging, (deed.who, proposition), *step, &wrong) {
                continue;
            }
            wrong.push(*step);
            self.not_held(staging, proposition, *step);
        }
    }

    /// Reports what is revealed at a step by somebody who cannot have seen it.
    fn not_held(&mut self, staging: &Staging, proposition: PropositionId, step: usize) {
        let Some(Verb::Do(direction)) = self.source(staging, step).map(|event| &event.verb) else { return };
        let Act::Reveal(Some(that)) = &direction.act else { return };
        let of_matter = staging.propositions[proposition.index()].of_matter();
        if of_matter.is_some_and(|of| self.unclear.contains(&staging.matters[of.matter].name)) {
            return;
        }
        let who = &direction.who;
        let message = format!("`{}` cannot reveal `{}` at step {step}", who.value, that.value);
        let roles: Vec<&str> = self.storyboard.roles.iter().map(|role| role.value.as_str()).collect();
        let holders = holders(staging, &roles, proposition, step);
        let problem = Diagnostic::error(message, who.span, "nobody has shown it to her by then");
        self.problem(problem.label(that.span, "what she has to have seen").help(holders));
    }

    /// Whether somebody may have seen what is so of a proposition by a step, if nothing is shown at the steps that are wrong.
    fn may_hold(
        &self,
        staging: &Staging,
        (who, proposition): (CharacterId, PropositionId),
        step: usize,
        wrong: &[usize],
    ) -> bool {
        let may_be_there = |at: usize| {
            let role = self.storyboard.roles.get(who.index());
            let event = self.source(staging, at);
            event
                .zip(role)
                .is_none_or(|(event, role)| event.without.iter().all(|name| name.value != role.value))
        };
        staging.knows_at_first(who, proposition)
            || staging
                .showings(proposition)
                .take_while(|(at, _)| *at < step)
                .filter(|(at, _)| !wrong.contains(at))
                .any(|(at, deed)| deed.who == who || may_be_there(at))
    }
}

/// Who can reveal a proposition at a step, and from which step on, in words. `roles` are the names of roles, in their order.
pub fn holders(staging: &Staging, roles: &[&str], proposition: PropositionId, step: usize) -> String {
    let name = |who: CharacterId| roles.get(who.index()).map(|role| format!("`{role}`"));
    let everyone = (0..roles.len()).map(CharacterId::new);
    let at_first: Vec<String> =
        everyone.filter(|who| staging.knows_at_first(*who, proposition)).filter_map(name).collect();
    let mut told: Vec<String> = Vec::new();
    for (at, _) in staging.showings(proposition).take_while(|(at, _)| *at < step) {
        told.push(format!("whoever is there at step {at} holds it from then on"));
    }
    let later = staging.showings(proposition).find(|(at, _)| *at > step);
    let mut parts = Vec::new();
    match at_first.len() {
        0 => {}
        1 => parts.push(format!("{} holds it from the start", at_first[0])),
        count if count <= SHOWN_MAX => parts.push(format!("{} hold it from the start", at_first.join(", "))),
        count => parts.push(format!("{} hold it from the start", counted(count, "role"))),
    }
    let more = told.len().saturating_sub(SHOWN_MAX);
    parts.extend(told.into_iter().take(SHOWN_MAX));
    if more > 0 {
        parts.push(format!("and so on at {}", counted(more, "later step")));
    }
    if parts.is_empty() {
        parts.push("nobody holds it by then".to_owned());
    }
    if let Some((at, _)) = later {
        parts.push(format!("it is revealed at step {at}, which is later"));
    }
    format!("one reveals what one has seen, or knows from the start: {}", parts.join("; "))
}
