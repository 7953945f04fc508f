//! The story of each board that is woven into another.

use std::collections::{BTreeMap, BTreeSet};

use super::claim::Claim;
use super::{Moment, Replay, Violation};
use crate::storyboard::{Pool, Storyboard, Strand, Weave, built_in_pool};

impl<'a> Replay<'a> {
    /// Finds what is wrong with a woven story: each of its boards looks at what its own people do, and asks whether that is a story
    /// of its own, step by step. Violations tell the step of the woven story.
    pub(super) fn woven(&self, weave: &'a Weave, is_first_enough: bool) -> Vec<Violation> {
        let mut all = Vec::new();
        let claims = match self.claims(weave) {
            Ok(claims) => claims,
            Err(violation) => return vec![violation],
        };
        for (strand, (claim, steps)) in weave.strands.iter().zip(&claims) {
            let replay = Replay { pool: self.pool, ..Replay::new(&strand.board, claim, None) };
            all.extend(replay.found(is_first_enough).into_iter().map(|violation| Violation {
                moment: match violation.moment {
                    // A step that is missing would come after all others.
                    Moment::Step(step) => {
                        Moment::Step(steps.get(step).copied().unwrap_or(self.claim.events.len()))
                    }
                    other => other,
                },
                what: format!("in `{}`: {}", strand.name.value, violation.what),
                span: Some(strand.name.span),
            }));
            if is_first_enough && !all.is_empty() {
                break;
            }
        }
        all.sort_by_key(|violation| violation.moment);
        all
    }

    /// The claim that each board makes of its own people, and for each of its steps the step of the woven story.
    fn claims(&self, weave: &'a Weave) -> Result<Vec<(Claim<'a>, Vec<usize>)>, Violation> {
        let wrong = |what: String| Violation { moment: Moment::Start, what, span: Some(weave.span) };
        let mut seen = BTreeSet::new();
        if let Some((who, _)) = self.claim.start.iter().find(|(who, _)| !seen.insert(*who)) {
            return Err(wrong(format!("{who} appears twice")));
        }
        let mut players = BTreeSet::new();
        if let Some(who) = self.claim.roles.values().find(|who| !players.insert(**who)) {
            return Err(wrong(format!("{who} plays two roles")));
        }
        let mut claims: Vec<(Claim<'a>, Vec<usize>)> =
            weave.strands.iter().map(|strand| (self.beginning(strand), Vec::new())).collect();
        let mut whose = BTreeMap::new();
        for (at, (claim, _)) in claims.iter().enumerate() {
            whose.extend(claim.roles.values().map(|&player| (player, at)));
        }
        // Those who have no role come in the order of the boards, as many of each as it has.
        let mut missing = Vec::new();
        for (strand, (claim, _)) in weave.strands.iter().zip(&claims) {
            missing.push(self.count(strand, claim).saturating_sub(claim.roles.len()));
        }
        for &(who, place) in &self.claim.start {
            let strand = match whose.get(who) {
                Some(&strand) => strand,
                None => {
                    let next = missing.iter().position(|&count| count > 0);
                    let next = next.ok_or_else(|| wrong(format!("{who} belongs to none of the boards")))?;
                    missing[next] -= 1;
                    whose.insert(who, next);
                    next
                }
            };
            claims[strand].0.start.push((who, place));
        }
        for (step, &(who, from, to)) in self.claim.events.iter().enumerate() {
            let Some(&strand) = whose.get(who) else {
                return Err(wrong(format!("{who} acts in step {step}, but is not in the story")));
            };
            claims[strand].0.events.push((who, from, to));
            claims[strand].1.push(step);
        }
        Ok(claims)
    }

    /// What a board claims before anything happens: numbers, roles and binds under its own names.
    fn beginning(&self, strand: &'a Strand) -> Claim<'a> {
        let board = &strand.board;
        let parameters = strand.numbers(&|name| self.claim.parameters.get(name).copied());
        let roles = board.roles.iter().filter_map(|role| {
            Some((role.value.as_str(), *self.claim.roles.get(strand.renamed(&role.value))?))
        });
        let binds = board.binds.iter().filter_map(|bind| {
            let name = bind.name.value.as_str();
            Some((name, *self.claim.binds.get(strand.renamed(name))?))
        });
        Claim {
            parameters,
            roles: roles.collect(),
            binds: binds.collect(),
            is_of_things: self.claim.is_of_things,
            ..Claim::default()
        }
    }

    /// How many people a board has.
    fn count(&self, strand: &'a Strand, claim: &Claim<'a>) -> usize {
        let characters = &strand.board.characters;
        let Some(count) = &characters.count else { return pool_size(&strand.board) };
        let replay = Replay { pool: self.pool, ..Replay::new(&strand.board, claim, None) };
        usize::try_from(replay.value(count)).unwrap_or(0)
    }
}

/// The number of names that people of a board can bear.
fn pool_size(board: &Storyboard) -> usize {
    match &board.characters.pool {
        Pool::Names(names) => names.len(),
        Pool::BuiltIn(name) => built_in_pool(&name.value).map_or(0, <[&str]>::len),
    }
}
