//! What is said of matters: only what packs have words for, and by those who speak of them.

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::form::{Act, DirectionIn};
use crate::id::CharacterId;
use crate::plan::{PlannedDeed, PlannedMatter, PlannedValue, Play, Staging};
use crate::storyboard::{Event, Facet, Name, OfMatter, Verb, Written};
use crate::world::Item;

/// A claim that somebody tells, or a reason that somebody gives.
struct Told<'a> {
    step: usize,
    who: CharacterId,
    matter: usize,
    /// Who says it.
    name: &'a Name,
    /// What is said.
    said: &'a Name,
}

impl<'a> Resolver<'a> {
    /// Reports what is said of matters otherwise than it can be: claims are told, by those who speak of the matter and in this
    /// order, and everything else is revealed.
    pub(super) fn check_tellings(&mut self, staging: &Staging, warnings: &mut Vec<Diagnostic>) {
        if staging.matters.is_empty() {
            return;
        }
        let board = self.storyboard;
        let says_anything = |play: Play| {
            [Play::Tell, Play::Lie].contains(&play) && staging.play.iter().any(|(drawn, _)| *drawn == play)
        };
        for (play, _) in board.play.iter().filter(|(play, _)| says_anything(play.value)) {
            let message =
                format!("`{}` in `play` lets people say anything, also of matters", play.value.key());
            let problem = Diagnostic::error(message, play.span, "beside matters");
            self.problem(problem.help("what is said of matters is up to `events`; `chat` may be drawn"));
        }
        let mut told = Vec::new();
        let mut given = Vec::new();
        for (step, deed) in &staging.deeds {
            let Some(event) = self.source(staging, *step) else { continue };
            let Verb::Do(direction) = &event.verb else { continue };
            match self.check_saying(staging, (event, direction), (*step, deed), warnings) {
                Some((Facet::Claim, claim)) => told.push(claim),
                Some((_, reason)) => given.push(reason),
                None => {}
            }
        }
        for claim in &told {
            self.check_speaker(staging, claim, &told);
        }
        for reason in &given {
            self.check_in_time(staging, reason, &told);
        }
    }

    /// Checks what is said at a step. Returns the claim that is told there, or the reason that is given, if it is one.
    fn check_saying(
        &mut self,
        staging: &Staging,
        (event, direction): (&'a Event, &'a DirectionIn<Written>),
        (step, deed): (usize, &PlannedDeed),
        warnings: &mut Vec<Diagnostic>,
    ) -> Option<(Facet, Told<'a>)> {
        let (said, proposition) = match (&direction.act, &deed.act) {
            (Act::Tell(telling), Act::Tell(planned)) => match planned.item {
                None => (None, None),
                Some(Item::Proposition(proposition)) => (telling.item.as_ref(), Some(proposition)),
                Some(Item::Character(_) | Item::Object(_) | Item::Lid(_) | Item::Prospect(_)) => return None,
            },
            (Act::Reveal(said), Act::Reveal(planned)) => (said.as_ref(), *planned),
            _ => return None,
        };
        let (Some(said), Some(proposition)) = (said, proposition) else {
            let message =
                format!("`{}` leaves open what is said, which may be something of a matter", direction.key());
            self.problem(
                Diagnostic::error(message, event.span, "beside matters").help("say what: `that: …`"),
            );
            return None;
        };
        let OfMatter { matter, facet } = staging.propositions[proposition.index()].of_matter()?;
        let PlannedMatter { name, by, to: target, .. } = &staging.matters[matter];
        if self.unclear.contains(name) {
            return None;
        }
        let target = &self.storyboard.roles[target.index()].value;
        let told = Told { step, who: deed.who, matter, name: &direction.who, said };
        let is_told = matches!(deed.act, Act::Tell(_));
        match (is_told, facet) {
            (true, Facet::Claim) => {
                let is_as_it_is = matches!(&deed.act, Act::Tell(planned) if planned.value == Some(PlannedValue::Truth(true)));
                if deed.is_lie || !is_as_it_is {
                    let message = "a claim is told in the same words, be it so or not";
                    let problem = Diagnostic::error(message, said.span, "told otherwise");
                    self.problem(problem.help(format!(
                        "write `{{at: …, tell: {{who: …, to: present, that: {{{name}.claim: true}}}}, with: {target}}}`"
                    )));
                }
                if by.contains(&deed.who) {
                    self.check_hears_claim(event, name, (target, said));
                }
                return Some((Facet::Claim, told));
            }
            (false, Facet::Claim | Facet::Reason | Facet::Hint) => {
                self.check_revealer(staging, (matter, facet), (deed.who, &direction.who), warnings);
                if facet == Facet::Reason && by[0] == deed.who {
                    self.check_misses_reason(event, name, (target, said));
                    return Some((Facet::Reason, told));
                }
            }
            (true, Facet::Reason | Facet::Hint)
            | (_, Facet::ClaimTold | Facet::ReasonTold | Facet::TruthTold) => {
                let message = format!("`{}` is nothing that one can `{}`", said.value, direction.key());
                let help =
                    format!("one can reveal `{name}.reason` and `{name}.truth`, and tell `{name}.claim`");
                self.problem(Diagnostic::error(message, said.span, "not in this way").help(help));
            }
        }
        None
    }

    /// Reports a claim that its target need not hear.
    fn check_hears_claim(&mut self, event: &Event, matter: &str, (target, said): (&str, &Name)) {
        if event.with.iter().any(|name| name.value == target) {
            return;
        }
        let message = format!("the claim of `{matter}` is for `{target}`, who has to hear it");
        let problem = match event.without.iter().find(|name| name.value == target) {
            Some(elsewhere) => Diagnostic::error(message, said.span, format!("told without `{target}`"))
                .label(elsewhere.span, "elsewhere")
                .help(format!("name `{target}` under `with`, and not under `without`")),
            None => Diagnostic::error(message, said.span, format!("`{target}` may be away"))
                .help(format!("add `{target}` to `with`, beside `at` and `tell`")),
        };
        self.problem(problem);
    }

    /// Reports a reason that the target may hear: it says what she is going to hear instead.
    fn check_misses_reason(&mut self, event: &Event, matter: &str, (target, said): (&str, &Name)) {
        if event.without.iter().any(|name| name.value == target) {
            return;
        }
        let message = format!("`{target}` must not hear the reason of `{matter}`");
        let problem = match event.with.iter().find(|name| name.value == target) {
            Some(there) => Diagnostic::error(message, said.span, format!("given to `{target}`"))
                .label(there.span, "there")
                .help(format!(
                    "it says what `{target}` is going to be told: name `{target}` under `without`, and not under `with`"
                )),
            None => Diagnostic::error(message, said.span, format!("`{target}` may be there")).help(format!(
                "it says what `{target}` is going to be told: add `{target}` to `without`, beside `at` and `reveal`"
            )),
        };
        self.problem(problem);
    }

    /// Reports a reason that is given once the claim has been told: it says how that is going to be.
    fn check_in_time(&mut self, staging: &Staging, reason: &Told<'_>, told: &[Told<'_>]) {
        let mut claims = told.iter().filter(|claim| claim.matter == reason.matter);
        let Some(first) = claims.find(|claim| claim.step < reason.step) else { return };
        let name = &staging.matters[reason.matter].name;
        let message =
            format!("the reason of `{name}` comes too late: the claim is told at step {}", first.step);
        let problem = Diagnostic::error(message, reason.said.span, format!("at step {}", reason.step));
        let problem = problem.label(first.said.span, "the claim");
        self.problem(problem.help("it says how the target is going to be answered: reveal it before"));
    }

    /// Reports who gives a reason that says `I` of another; and warns of those who speak of themselves by name, as a truth does of
    /// the first who speaks of the matter. That is odd, but no less true.
    fn check_revealer(
        &mut self,
        staging: &Staging,
        (matter, facet): (usize, Facet),
        (who, written): (CharacterId, &Name),
        warnings: &mut Vec<Diagnostic>,
    ) {
        let PlannedMatter { name, by, .. } = &staging.matters[matter];
        let first = &self.storyboard.roles[by[0].index()].value;
        let (is_first, who, span) = (who == by[0], &written.value, written.span);
        match facet {
            Facet::Reason if !is_first => {
                let message = format!("`{who}` cannot give the reason of `{name}`, which is `{first}`'s own");
                let help =
                    format!("let `{first}`, the first of `by`, reveal it; `{who}` may reveal `{name}.truth`");
                self.problem(Diagnostic::error(message, span, "gives it").help(help));
            }
            Facet::Claim | Facet::Hint if is_first => {
                let message = format!("`{who}` speaks of `{who}` by name: so do all texts of `{name}.truth`");
                let help = format!("let somebody else reveal it; `{who}` may reveal `{name}.reason`");
                warnings.push(Diagnostic::warning(message, span, "says it").help(help));
            }
            _ => {}
        }
    }

    /// Reports who tells a claim and does not speak of the matter, or confirms what has not been said, or without having heard
    /// the reason.
    fn check_speaker(&mut self, staging: &Staging, claim: &Told<'_>, told: &[Told<'_>]) {
        let PlannedMatter { name, by, .. } = &staging.matters[claim.matter];
        let (who, span) = (&claim.name.value, claim.name.span);
        if !by.contains(&claim.who) {
            let message = format!("`{who}` does not speak of `{name}`");
            let problem = Diagnostic::error(message, span, "tells its claim");
            self.problem(problem.help(format!("those who tell it are listed under `by`: add `{who}` there")));
            return;
        }
        let first = by[0];
        if claim.who == first {
            return;
        }
        let is_before =
            |other: &&Told<'_>| other.matter == claim.matter && other.who == first && other.step < claim.step;
        if !told.iter().any(|other| is_before(&other)) {
            let first = &self.storyboard.roles[first.index()].value;
            let message = format!("`{who}` confirms what `{first}` has not said of `{name}`");
            let problem = Diagnostic::error(message, span, "confirms it");
            self.problem(problem.help(format!("let `{first}`, the first of `by`, tell the claim before")));
        }
        let reason = staging.matters[claim.matter].facet(Facet::Reason);
        let hears = |(step, deed): &(usize, PlannedDeed)| {
            let mut audiences = staging.audiences.iter();
            *step < claim.step
                && matches!(deed.act, Act::Reveal(Some(of)) if of == reason)
                && audiences.any(|(at, with)| at == step && with.contains(&claim.who))
        };
        if !staging.deeds.iter().any(hears) {
            let message = format!("`{who}` need not have heard the reason of `{name}` by then");
            let problem = Diagnostic::error(message, span, "tells its claim");
            let help = format!(
                "add `with: {who}` to a `reveal` of `{name}.reason` before: only the first of `by` has it"
            );
            self.problem(problem.help(help));
        }
    }
}
