//! Matters: who speaks of them, how much of the truth comes out, and what of it can be told.

use std::sync::Arc;

use super::staging::Named;
use super::{Resolver, Scope};
use crate::diagnostic::{Diagnostic, Span};
use crate::form::{Act, Class};
use crate::id::PropositionId;
use crate::plan::{Lot, PlannedMatter, Staging, Target};
use crate::storyboard::{ANY_MATTER, Facet, Matters, Name, Question, QuestionKind, TRUTH, Verb};
use crate::world::{Along, Item};

impl<'a> Resolver<'a> {
    /// The level of every matter, by its name.
    pub(super) fn levels(&mut self) -> Vec<(String, u8)> {
        let mut levels = Vec::new();
        for entry in &self.storyboard.matters {
            let level = entry.level.as_ref().map_or(Some(1), |level| {
                let value = self.number(level)?;
                let known = u8::try_from(value).ok().filter(|level| (1..=3).contains(level));
                if known.is_none() {
                    let problem =
                        Diagnostic::error("a level is 1, 2 or 3", level.span, format!("this is {value}"));
                    self.problem(problem.help(
                        "1: it comes out whether the claim is so; 2: a hint comes out; 3: nothing does",
                    ));
                }
                known
            });
            levels.extend(entry.names().into_iter().map(|name| (name, level.unwrap_or(1))));
        }
        levels
    }

    /// What a name stands for, if it names a thing: `m.truth` is the claim of m or its hint, by its level.
    pub(super) fn named(&self, scope: &Scope<'_>, written: &str) -> Option<Named> {
        let found = scope.things.get(written).copied();
        found.or_else(|| {
            let matter = written.strip_suffix(TRUTH)?.strip_suffix('.')?;
            let (_, level) = scope.levels.iter().find(|(name, _)| name == matter)?;
            let facet = if *level == 1 { Facet::Claim } else { Facet::Hint };
            scope.things.get(format!("{matter}.{}", facet.key()).as_str()).copied()
        })
    }

    /// The matters, and what is shown along with what is said of them.
    pub(super) fn matters(&mut self, scope: &Scope<'_>, staging: &mut Staging) {
        let board = self.storyboard;
        let mut first = board.propositions.iter().take_while(|known| known.of.is_none()).count();
        for entry in &board.matters {
            self.check_matter(entry);
            let (by, to) = (self.company(scope, &entry.by), self.role(scope, &entry.to));
            let (Some(by), Some(to)) = (by, to) else { return };
            let classes = if entry.classes.is_empty() {
                Class::ALL.to_vec()
            } else {
                entry.classes.iter().map(|class| class.value).collect()
            };
            let begin = staging.matters.len();
            for name in entry.names() {
                let level = scope.levels.get(staging.matters.len()).map_or(1, |(_, level)| *level);
                let (by, classes) = (by.clone(), classes.clone());
                let first_facet = PropositionId::new(first);
                staging.matters.push(PlannedMatter { name, by, to, level, classes, first: first_facet });
                first += Facet::ALL.len();
            }
            if let Some(lies) = &entry.lies {
                let of = &staging.matters[begin..];
                let claims: Vec<PropositionId> = of.iter().map(|matter| matter.facet(Facet::Claim)).collect();
                let count = self.number(lies);
                match count.map(|count| (count, usize::try_from(count))) {
                    Some((_, Ok(lies))) if lies <= claims.len() => staging.lots.push(Lot { claims, lies }),
                    Some((count, _)) => {
                        let message = format!("of {} matters, so many cannot be lies", claims.len());
                        self.problem(Diagnostic::error(message, lies.span, format!("this is {count}")));
                    }
                    None => {}
                }
            }
        }
        staging.along = along(staging);
    }

    fn check_matter(&mut self, entry: &Matters) {
        if let Some(own) = entry.by.iter().find(|name| name.value == entry.to.value) {
            let message = format!("`{}` cannot spare herself the truth", own.value);
            let problem = Diagnostic::error(message, own.span, "who speaks of it");
            self.problem(problem.label(entry.to.span, "to whom it belongs"));
        }
    }

    /// The number of a matter.
    pub(super) fn matter(&mut self, name: &Name) -> Option<usize> {
        let names: Vec<String> = self.storyboard.matters.iter().flat_map(Matters::names).collect();
        let found = names.iter().position(|known| *known == name.value);
        if found.is_none() {
            let help = self.suggest(&name.value, names.iter().map(String::as_str));
            let message = format!("no matter is called `{}`", name.value);
            self.problem(Diagnostic::error(message, name.span, "unknown").maybe_help(help));
        }
        found
    }

    /// The proposition that something of a matter was told: `m.reason`, `m.claim` or `m.truth`.
    pub(super) fn telling_of(&mut self, scope: &Scope<'_>, name: &Name) -> Option<Target> {
        let told = format!("{}.told", name.value);
        match scope.things.get(told.as_str()) {
            Some(Named::Proposition(proposition)) => Some(Target::Item(Item::Proposition(*proposition))),
            _ => {
                let message = format!("`{}` is nothing that is told of a matter", name.value);
                let problem = Diagnostic::error(message, name.span, "unknown");
                self.problem(problem.help("write `m.claim`, `m.reason` or `m.truth` for a matter m"));
                None
            }
        }
    }

    /// Reports a question about what somebody thinks of something that one can only know, such as a reason.
    pub(super) fn check_facet(&mut self, question: &Question) {
        let stated = [QuestionKind::Belief, QuestionKind::Reality, QuestionKind::CouldAnswer];
        let Some(target) = question.roles.last().filter(|_| stated.contains(&question.kind)) else { return };
        let mut facets = self.storyboard.propositions.iter().filter(|known| known.name.value == target.value);
        let of = facets.find_map(|known| known.of).map(|of| of.facet);
        let is_truth = target.value.ends_with(".truth") && !self.storyboard.matters.is_empty();
        if is_truth || of.is_some_and(|facet| facet != Facet::Claim) {
            let message = format!("`{}` does not ask about `{}`", question.kind.key(), target.value);
            let problem = Diagnostic::error(message, target.span, "one knows it, or does not");
            self.problem(problem.help("ask `knows` or `who_knows`; what somebody believes is a claim"));
        }
    }

    /// Reports the truth about a matter where none comes out.
    pub(super) fn check_level(&mut self, scope: &Scope<'_>, that: &Name) {
        let Some(matter) = that.value.strip_suffix(TRUTH).and_then(|rest| rest.strip_suffix('.')) else {
            return;
        };
        let level = scope.levels.iter().find(|(name, _)| name == matter).map(|(_, level)| *level);
        if level == Some(3) {
            let message = format!("at level 3, nothing comes out about `{matter}`");
            let problem = Diagnostic::error(message, that.span, "there is no truth to tell");
            self.problem(problem.help("leave the event out there: `if: 3 - level`"));
        }
    }

    /// Reports matters of which something is asked that is never said.
    pub(super) fn check_told(&mut self) {
        let board = self.storyboard;
        let said = |name: &str, facet: &str| {
            let wanted = format!("{name}.{facet}");
            board.events.iter().any(|event| match &event.verb {
                Verb::Do(direction) => match &direction.act {
                    Act::Reveal(Some(that)) => facet != "claim" && that.value == wanted,
                    Act::Tell(telling) => telling.item.as_ref().is_some_and(|that| that.value == wanted),
                    _ => false,
                },
                _ => false,
            })
        };
        let mut problems = Vec::new();
        for entry in &board.matters {
            for name in entry.names() {
                let missing = |facet: &&str| !said(&name, facet);
                for facet in ["claim", "reason"].into_iter().filter(missing) {
                    let Some(asked) = self.needs(&name, facet) else { continue };
                    let message = format!("the {facet} of `{name}` is never told");
                    let help = match facet {
                        "claim" => {
                            format!("add `tell: {{who: …, to: present, that: {{{name}.claim: true}}}}`")
                        }
                        _ => format!("add `reveal: {{who: …, that: {name}.reason}}`"),
                    };
                    let problem = Diagnostic::error(message, asked, "needed for this question");
                    problems.push(problem.label(entry.name.span, "declared here").help(help));
                }
            }
        }
        problems.into_iter().for_each(|problem| self.problem(problem));
    }

    /// A question for which something of a matter has to be said.
    fn needs(&self, matter: &str, facet: &str) -> Option<Span> {
        let needs = |question: &&Question| {
            let target = question.roles.last().map_or("", |target| target.value.as_str());
            let rest = target.strip_prefix(ANY_MATTER).or_else(|| target.strip_prefix(matter));
            let named = rest.map(|rest| rest.strip_prefix('.').unwrap_or(rest));
            match (named, question.kind) {
                (Some(""), QuestionKind::Honest) => true,
                (Some(""), QuestionKind::Why) => facet == "reason",
                (Some(""), _) => facet == "claim",
                (Some("claim"), QuestionKind::Present) => facet == "claim",
                (Some("claim"), _) => false,
                (Some(of), _) => of.split('.').next() == Some(facet),
                (None, _) => false,
            }
        };
        self.storyboard.questions.iter().find(needs).map(|question| question.span)
    }
}

/// What is shown along with each proposition: the reason settles the claim, and who is there when something is said first sees that
/// it is.
fn along(staging: &Staging) -> Arc<[Along]> {
    let mut along = vec![Along::default(); staging.propositions.len()];
    for matter in &staging.matters {
        let [claim, reason] = [Facet::Claim, Facet::Reason].map(|facet| matter.facet(facet));
        along[claim.index()].told = Some(matter.facet(Facet::ClaimTold));
        along[reason.index()].shows = vec![claim];
        along[reason.index()].revealed = Some(matter.facet(Facet::ReasonTold));
        if let Some(truth) = matter.truth() {
            along[truth.index()].revealed = Some(matter.facet(Facet::TruthTold));
        }
    }
    if staging.matters.is_empty() { Arc::default() } else { along.into() }
}
