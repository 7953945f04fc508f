//! The story of each board that is woven into another.

mod own;

use std::collections::{BTreeMap, BTreeSet};

use super::claim::{Act, Claim, Item, Things};
use super::{Moment, Replay, Violation, pool_size};
use crate::storyboard::{Maps, Strand, Weave};

/// How many events are looked at, at most, to find out who belongs to which board.
const EVENTS_MAX: usize = 4_000_000;

/// To which board everyone belongs, as its number.
type Deal<'a> = BTreeMap<&'a str, usize>;

impl<'a> Replay<'a> {
    /// Finds what is wrong with a woven story: each of its boards looks at what its own people do, and asks whether that is a story
    /// of its own, step by step. Violations tell the step of the woven story.
    pub(super) fn woven(&self, weave: &'a Weave, is_first_enough: bool) -> Vec<Violation> {
        let usual = match self.usual_deal(weave) {
            Ok(deal) => deal,
            Err(violation) => return vec![violation],
        };
        let found = self.found_of(weave, &usual, is_first_enough);
        if found.is_empty() || weave.maps == Maps::Apart {
            return found;
        }
        // A text does not tell in which order people stand. So it is a story of these boards if it is one in any order.
        let mut search = Search::new(self, weave, &usual);
        let deal = if search.completes(0) { search.deal } else { search.best() };
        self.found_of(weave, &deal, is_first_enough)
    }

    /// What is wrong if these people belong to these boards.
    fn found_of(&self, weave: &'a Weave, deal: &Deal<'a>, is_first_enough: bool) -> Vec<Violation> {
        let mut all = Vec::new();
        let claims = match self.claims(weave, deal) {
            Ok(claims) => claims,
            Err(violation) => return vec![violation],
        };
        for (strand, claim) in weave.strands.iter().zip(&claims) {
            all.extend(self.found_in(strand, claim, is_first_enough));
            if is_first_enough && !all.is_empty() {
                break;
            }
        }
        all.sort_by_key(|violation| violation.moment);
        all
    }

    /// What is wrong with what a board claims of its own people, by the steps of the woven story.
    fn found_in(
        &self,
        strand: &'a Strand,
        (claim, steps): &(Claim<'a>, Vec<usize>),
        is_first_enough: bool,
    ) -> Vec<Violation> {
        let replay = Replay { pool: self.pool, ..Replay::new(&strand.board, claim, None) };
        let in_story = |violation: Violation| Violation {
            moment: match violation.moment {
                // A step that is missing would come after all others.
                Moment::Step(step) => {
                    Moment::Step(steps.get(step).copied().unwrap_or(self.claim.events.len()))
                }
                other => other,
            },
            what: format!("in `{}`: {}", strand.name.value, violation.what),
            span: Some(strand.name.span),
        };
        replay.found(is_first_enough).into_iter().map(in_story).collect()
    }

    /// To which board everyone belongs. Where maps are apart, that shows; otherwise those who have no role come in the order of the
    /// boards, as many of each as it has.
    fn usual_deal(&self, weave: &'a Weave) -> Result<Deal<'a>, Violation> {
        let wrong = |what: String| Violation { moment: Moment::Start, what, span: Some(weave.span) };
        let mut seen = BTreeSet::new();
        if let Some((who, _)) = self.claim.start.iter().find(|(who, _)| !seen.insert(*who)) {
            return Err(wrong(format!("{who} appears twice")));
        }
        let mut players = BTreeSet::new();
        if let Some(who) = self.claim.roles.values().find(|who| !players.insert(**who)) {
            return Err(wrong(format!("{who} plays two roles")));
        }
        let mut deal = Deal::new();
        let (mut missing, mut all) = (Vec::new(), 0);
        for (at, strand) in weave.strands.iter().enumerate() {
            let claim = self.beginning(strand);
            deal.extend(claim.roles.values().map(|&player| (player, at)));
            let replay = Replay { pool: self.pool, ..Replay::new(&strand.board, &claim, None) };
            let count = replay.cast_size().count;
            missing.push(count.saturating_sub(claim.roles.len()));
            all += count;
        }
        let mut passers_by = self.storyboard.passers_by(all, pool_size(self.storyboard));
        let has_place = |strand: &Strand, place: &str| {
            weave.maps == Maps::Apart && strand.board.place_names().iter().any(|name| name.value == place)
        };
        for &(who, place) in &self.claim.start {
            if deal.contains_key(who) {
                continue;
            }
            // Where people pass by, all others have roles.
            if passers_by > 0 {
                passers_by -= 1;
                continue;
            }
            let by_place = weave.strands.iter().position(|strand| has_place(strand, place));
            let next = by_place.or_else(|| missing.iter().position(|&count| count > 0));
            let next = next.ok_or_else(|| wrong(format!("{who} belongs to none of the boards")))?;
            missing[next] = missing[next].saturating_sub(1);
            deal.insert(who, next);
        }
        Ok(deal)
    }

    /// The claim that each board makes of its own people, and for each of its steps the step of the woven story.
    fn claims(&self, weave: &'a Weave, deal: &Deal<'a>) -> Result<Vec<(Claim<'a>, Vec<usize>)>, Violation> {
        let wrong = |what: String| Violation { moment: Moment::Start, what, span: Some(weave.span) };
        let steps = self.claim.events.iter().enumerate();
        if let Some((step, (who, ..))) = steps.into_iter().find(|(_, (who, ..))| !deal.contains_key(who)) {
            return Err(wrong(format!("{who} acts in step {step}, but is not in the story")));
        }
        let each = (0..weave.strands.len()).map(|at| self.claim_of(weave, at, deal).map_err(wrong));
        let claims = each.collect::<Result<Vec<_>, Violation>>()?;
        let of_claim = |(claim, _): &(Claim<'a>, _)| claim.things.facts.len() + claim.things.containers.len();
        let Things { facts: all, containers, .. } = &self.claim.things;
        if claims.iter().map(of_claim).sum::<usize>() != all.len() + containers.len() {
            return Err(wrong("there are things that belong to none of the boards".to_owned()));
        }
        Ok(claims)
    }

    /// The claim of one board.
    fn claim_of(
        &self,
        weave: &'a Weave,
        at: usize,
        deal: &Deal<'a>,
    ) -> Result<(Claim<'a>, Vec<usize>), String> {
        let strand = &weave.strands[at];
        let is_own = |who: &str| deal.get(who) == Some(&at);
        let (mut claim, mut steps) = (self.beginning(strand), Vec::new());
        claim.start.extend(self.claim.start.iter().filter(|(who, _)| is_own(who)));
        for (step, &(who, from, to)) in
            self.claim.events.iter().enumerate().filter(|(_, (who, ..))| is_own(who))
        {
            claim.events.push((who, from, to));
            claim.deeds.extend(self.claim.deeds.get(step).map(|deed| own::deed(strand, deed)));
            steps.push(step);
        }
        claim.notes = self.claim.notes.as_ref().map(|notes| {
            let own_step = |step: &usize| steps.binary_search(step).ok();
            notes.iter().filter_map(|(step, note)| Some((own_step(step)?, note.clone()))).collect()
        });
        claim.things = self.things_of(strand, &claim, is_own)?;
        Ok((claim, steps))
    }

    /// The things of a board at the start, under its own names, and what its people know of them. It believes nobody else's, and
    /// where nobody tells anybody anything, by its own rule.
    fn things_of(
        &self,
        strand: &'a Strand,
        claim: &Claim<'a>,
        is_own: impl Fn(&str) -> bool,
    ) -> Result<Things<'a>, String> {
        let mut things = Things { trust: strand.board.trust(), ..Things::default() };
        if claim.deeds.iter().any(|deed| matches!(deed.act, Act::Tell(_))) {
            things.trust = self.claim.things.trust;
        }
        let own = own::things(strand);
        for &(name, place, is_open) in &self.claim.things.containers {
            let name = strand.own_name(name).filter(|name| own.containers.contains(name));
            if let Some(name) = name {
                things.containers.push((name, place, is_open));
            }
        }
        for fact in &self.claim.things.facts {
            let Some((name, mut fact)) = own.fact(strand, fact) else { continue };
            let others = self.claim.start.iter().map(|(who, _)| *who).filter(|who| !is_own(who));
            // Whatever everyone of a board knows, everybody does; but what somebody likes, she knows alone.
            let is_liking = matches!(fact.item, Item::Likes(..));
            let everyone = !is_liking && claim.start.iter().all(|(who, _)| fact.known.contains(who));
            if others.clone().any(|who| fact.known.contains(&who) != everyone || fact.wrong.contains(&who)) {
                let knows = if everyone { "know" } else { "know nothing of" };
                return Err(format!("people of other boards should {knows} {name}"));
            }
            fact.known.retain(|who| is_own(who));
            fact.wrong.retain(|who| is_own(who));
            things.facts.push(fact);
        }
        Ok(things)
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
}

/// Looks for boards to which people without a role may belong, one board after another: whoever belongs to it makes its story right.
/// In the worst case, all selections of people are tried out for each board, each at the cost of checking its story, until
/// [`EVENTS_MAX`] is reached.
struct Search<'r, 'a> {
    replay: &'r Replay<'a>,
    weave: &'a Weave,
    /// The boards of those who are dealt.
    deal: Deal<'a>,
    /// All others, each with the number of her steps.
    left: Vec<(&'a str, usize)>,
    /// How many of them each board lacks, and how many steps.
    missing: Vec<(usize, usize)>,
    /// The number of events that were looked at.
    spent: usize,
    /// The deal that got furthest, the number of boards that are right with it, and where the next one goes wrong.
    best: (usize, Moment, Deal<'a>),
}

impl<'r, 'a> Search<'r, 'a> {
    fn new(replay: &'r Replay<'a>, weave: &'a Weave, usual: &Deal<'a>) -> Self {
        let steps = |who: &str| replay.claim.events.iter().filter(|(other, ..)| *other == who).count();
        let number = |name: &str| replay.claim.parameters.get(name).copied();
        let players: BTreeSet<&str> = replay.claim.roles.values().copied().collect();
        let mut missing: Vec<(usize, usize)> =
            weave.strands.iter().map(|strand| (0, strand.horizon(&number).unwrap_or(0))).collect();
        let (mut deal, mut left) = (Deal::new(), Vec::new());
        for (&who, &at) in usual {
            if players.contains(who) {
                deal.insert(who, at);
                missing[at].1 = missing[at].1.saturating_sub(steps(who));
            } else {
                left.push((who, steps(who)));
                missing[at].0 += 1;
            }
        }
        Self { replay, weave, deal, left, missing, spent: 0, best: (0, Moment::Start, usual.clone()) }
    }

    /// Whether the boards from this one on can be given people such that the story of each is right.
    fn completes(&mut self, at: usize) -> bool {
        let Some(&(people, steps)) = self.missing.get(at) else { return true };
        let mut chosen: Vec<usize> = (0..people).collect();
        loop {
            if chosen.iter().map(|&one| self.left[one].1).sum::<usize>() == steps && self.fits(at, &chosen) {
                return true;
            }
            self.spent += chosen.len();
            if self.spent >= EVENTS_MAX || !next_selection(&mut chosen, self.left.len()) {
                return false;
            }
        }
    }

    /// Whether a board's story is right with these people, and the stories of those after it can be.
    fn fits(&mut self, at: usize, chosen: &[usize]) -> bool {
        self.spent += self.replay.claim.events.len();
        let before = self.left.clone();
        for &one in chosen.iter().rev() {
            self.deal.insert(self.left.remove(one).0, at);
        }
        let claim = self.replay.claim_of(self.weave, at, &self.deal);
        let found = claim.map(|claim| self.replay.found_in(&self.weave.strands[at], &claim, true));
        let first = found.map_or(Some(Moment::Start), |found| found.first().map(|first| first.moment));
        match first {
            None if self.completes(at + 1) => return true,
            Some(moment) if (at, moment) > (self.best.0, self.best.1) => {
                self.best = (at, moment, self.deal.clone());
            }
            _ => {}
        }
        for &one in chosen {
            self.deal.remove(before[one].0);
        }
        self.left = before;
        false
    }

    /// The deal that got furthest; who is left belongs to the boards that come last.
    fn best(&self) -> Deal<'a> {
        let (_, _, mut deal) = self.best.clone();
        let mut missing: Vec<usize> = self.missing.iter().map(|(people, _)| *people).collect();
        let players: BTreeSet<&str> = self.replay.claim.roles.values().copied().collect();
        for (_, at) in deal.iter().filter(|(who, _)| !players.contains(*who)) {
            missing[*at] = missing[*at].saturating_sub(1);
        }
        for (who, _) in &self.replay.claim.start {
            if let Some(at) =
                missing.iter().position(|&people| people > 0).filter(|_| !deal.contains_key(who))
            {
                missing[at] -= 1;
                deal.insert(who, at);
            }
        }
        deal
    }
}

/// The next selection of as many out of `count`; `false` if there is none.
fn next_selection(chosen: &mut [usize], count: usize) -> bool {
    let size = chosen.len();
    let Some(at) = (0..size).rev().find(|&at| chosen[at] + size - at < count) else { return false };
    chosen[at] += 1;
    for later in at + 1..size {
        chosen[later] = chosen[later - 1] + 1;
    }
    true
}
