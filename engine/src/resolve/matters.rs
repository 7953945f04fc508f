//! Matters: who speaks of them, how much of the truth comes out, and what of it can be told.

use std::collections::HashMap;
use std::sync::Arc;

use super::staging::Named;
use super::{Resolver, Scope};
use crate::diagnostic::{Diagnostic, Span};
use crate::form::{Act, Class};
use crate::id::{CharacterId, PropositionId};
use crate::plan::{Lot, PlannedMatter, Staging, Target};
use crate::storyboard::{
    ANY_MATTER, Facet, Matters, Name, Number, Question, QuestionKind, Storyboard, TRUTH, Verb,
};
use crate::world::{Along, Item};

impl<'a> Resolver<'a> {
    /// The level of every matter, by its name.
    pub(super) fn levels(&mut self) -> Vec<(String, u8)> {
        let mut levels = Vec::new();
        for entry in &self.storyboard.matters {
            let level = entry.level.as_ref().map_or(Some(1), |level| {
                let value = self.number(level)?;
                let known = u8::try_from(value).ok().filter(|level| (1..=3).contains(level));
                let most = self.largest(level).filter(|most| *most != value);
                let remark = match (known, most) {
                    (None, None) => Some(format!("this is {value}")),
                    (None, Some(most)) => Some(format!("this is {value} to {most}")),
                    (Some(_), Some(most)) if !(1..=3).contains(&most) => {
                        Some(format!("this is {value} to {most}"))
                    }
                    (Some(_), _) => None,
                };
                if let Some(remark) = remark {
                    let problem = Diagnostic::error("a level is 1, 2 or 3", level.span, remark);
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

    /// The value of an expression where all drawn numbers are as large as can be.
    fn largest(&self, number: &Number) -> Option<i64> {
        let lookup = |name: &str| self.largest.get(name).or(self.parameters.get(name)).copied();
        number.value.evaluate(&lookup).ok()
    }

    /// What a name stands for, if it names a thing: `m.truth` is the claim of m or its hint, by its level.
    pub(super) fn named(&self, scope: &Scope<'_>, written: &str) -> Option<Named> {
        let of_matter = |facet: Facet| {
            let matter = written.strip_suffix(facet.key())?.strip_suffix('.')?;
            scope.levels.iter().find(|(name, _)| name == matter)
        };
        // A hint is the truth of level 2, and called so.
        let found = scope.things.get(written).copied().filter(|_| of_matter(Facet::Hint).is_none());
        found.or_else(|| {
            let matter = written.strip_suffix(TRUTH)?.strip_suffix('.')?;
            let (_, level) = scope.levels.iter().find(|(name, _)| name == matter)?;
            let facet = if *level == 1 { Facet::Claim } else { Facet::Hint };
            scope.things.get(format!("{matter}.{}", facet.key()).as_str()).copied()
        })
    }

    /// What can be named of a matter, if a name begins with that of a matter: the help where it is not what it should be.
    pub(super) fn forms(&self, scope: &Scope<'_>, written: &str) -> Option<String> {
        let (matter, _) = written.split_once('.')?;
        let known = scope.levels.iter().any(|(name, _)| name == matter);
        known.then(|| {
            format!(
                "of `{matter}` there are `{matter}.claim`, `{matter}.reason` and `{matter}.truth`, and that each was told: \
                 `{matter}.claim.told`, `{matter}.reason.told`, `{matter}.truth.told`"
            )
        })
    }

    /// Reports matters with the name of something else.
    pub(super) fn check_matter_names(&mut self, scope: &Scope<'_>) {
        let board = self.storyboard;
        let mut known: HashMap<String, Span> = HashMap::new();
        for entry in &board.matters {
            let names = entry.names();
            let taken = names.iter().find_map(|name| {
                let written = name.as_str();
                let other = match scope.things.get(written) {
                    Some(named) => Some(named.phrase()),
                    None if scope.places.contains_key(written) => Some("a place"),
                    None if scope.binds.contains_key(written) => Some("a bind"),
                    None if scope.roles.contains_key(written) => Some("a role"),
                    None if scope.characters.contains(name) => Some("a character"),
                    None if known.contains_key(written) => Some("another matter"),
                    None => None,
                };
                other.map(|other| (name, other))
            });
            if let Some((name, other)) = taken {
                let message = format!("`{name}` is already the name of {other}");
                let problem = Diagnostic::error(message, entry.name.span, "a matter needs a name of its own");
                let first = known.get(name).copied().filter(|_| other == "another matter");
                self.problem(match first {
                    Some(first) => problem.label(first, "the other"),
                    None => problem,
                });
            }
            known.extend(names.into_iter().map(|name| (name, entry.name.span)));
        }
    }

    /// The matters, and what is shown along with what is said of them.
    pub(super) fn matters(&mut self, scope: &Scope<'_>, staging: &mut Staging) {
        let board = self.storyboard;
        let mut first = board.propositions.iter().take_while(|known| known.of.is_none()).count();
        for entry in &board.matters {
            self.check_matter(entry);
            let by = self.company(scope, &entry.by).filter(|by| !by.is_empty());
            // What could not be read has no name.
            let to = if entry.to.value.is_empty() { None } else { self.role(scope, &entry.to) };
            if by.is_none() || to.is_none() {
                self.unclear.extend(entry.names());
            }
            // Somebody stands in for whoever is unknown, so that the others have their numbers.
            let by = by.unwrap_or_else(|| vec![CharacterId::new(0)]);
            let to = to.unwrap_or(CharacterId::new(0));
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
                        let problem = Diagnostic::error(message, lies.span, format!("this is {count}"));
                        self.problem(problem.help(format!("it is a number from 0 to {}", claims.len())));
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

    /// The number of a matter, of which a question of this kind asks.
    pub(super) fn matter(&mut self, scope: &Scope<'_>, kind: QuestionKind, name: &Name) -> Option<usize> {
        let names: Vec<String> = self.storyboard.matters.iter().flat_map(Matters::names).collect();
        let found = names.iter().position(|known| *known == name.value);
        if found.is_none() {
            let key = kind.key();
            let form = match (name.value.split_once('.'), names.first()) {
                (Some((matter, _)), _) if names.iter().any(|known| known == matter) => {
                    format!("`{key}` is asked of the whole matter: write `{matter}`")
                }
                (_, Some(first)) => {
                    let is = match scope.things.get(name.value.as_str()) {
                        Some(named) => format!("this is {}, but ", named.phrase()),
                        None => String::new(),
                    };
                    format!("{is}`{key}` is asked of a matter, such as `{first}`")
                }
                (_, None) => format!("`{key}` is asked of a matter: declare it under `matters`"),
            };
            let help = self.suggest(&name.value, names.iter().map(String::as_str)).unwrap_or(form);
            let message = format!("no matter is called `{}`", name.value);
            self.problem(Diagnostic::error(message, name.span, "unknown").help(help));
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
                let matter = name.value.split('.').next().unwrap_or_default();
                let known = scope.levels.iter().find(|(known, _)| known == matter).or(scope.levels.first());
                let m = known.map_or("m", |(known, _)| known);
                self.problem(problem.help(format!("write `{m}.claim`, `{m}.reason` or `{m}.truth`")));
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
    pub(super) fn check_told(&mut self, scope: &Scope<'_>) {
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
                let level = scope.levels.iter().find(|(known, _)| *known == name).map(|(_, level)| *level);
                // At level 1, the truth settles the claim as the reason does.
                let is_settled = level == Some(1) && (said(&name, TRUTH) || reveals_claim(board, &name));
                for facet in ["claim", "reason"].into_iter().filter(missing) {
                    let Some(asked) = self.needs(&name, (facet, is_settled)) else { continue };
                    let message = format!("the {facet} of `{name}` is never told");
                    let to = &entry.to.value;
                    let help = match facet {
                        "claim" => format!(
                            "add `{{at: …, tell: {{who: …, to: present, that: {{{name}.claim: true}}}}, with: {to}}}`"
                        ),
                        _ => {
                            format!("add `{{at: …, reveal: {{who: …, that: {name}.reason}}, without: {to}}}`")
                        }
                    };
                    if self.unclear.contains(&name) {
                        continue;
                    }
                    let problem = Diagnostic::error(message, asked, "needed for this question");
                    problems.push(problem.label(entry.name.span, "declared here").help(help));
                }
            }
        }
        problems.into_iter().for_each(|problem| self.problem(problem));
    }

    /// A question for which something of a matter has to be said; some need no reason where it is settled otherwise whether the
    /// claim is so.
    fn needs(&self, matter: &str, (facet, is_settled): (&str, bool)) -> Option<Span> {
        let needs = |question: &&Question| {
            let target = question.roles.last().map_or("", |target| target.value.as_str());
            let rest = target.strip_prefix(ANY_MATTER).or_else(|| target.strip_prefix(matter));
            let named = rest.map(|rest| rest.strip_prefix('.').unwrap_or(rest));
            match (named, question.kind) {
                (Some(""), QuestionKind::Honest) => facet == "claim" || !is_settled,
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

/// Whether somebody reveals whether the claim of a matter is so, and calls it the claim.
fn reveals_claim(board: &Storyboard, matter: &str) -> bool {
    let claim = format!("{matter}.claim");
    let mut acts = board.events.iter().filter_map(|event| match &event.verb {
        Verb::Do(direction) => Some(&direction.act),
        Verb::Hold(_) | Verb::Note { .. } => None,
    });
    acts.any(|act| matches!(act, Act::Reveal(Some(that)) if that.value == claim))
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
