//! Whether matters start as declared, and what is shown along with what is said of them.

use super::claim::{Act, Item, Value};
use super::numbers::Companion;
use super::state::{Event, demand};
use super::{Findings, Replay, at_start};
use crate::storyboard::{Facet, Matters, OfMatter, Style};

impl<'a> Replay<'a> {
    /// The names of all facets of all matters, each with its level.
    fn facets(&self) -> Vec<(i64, [&'a str; 6])> {
        let board = self.storyboard;
        let entries = board.matters.iter().flat_map(|entry| vec![entry; entry.names().len()]);
        let level = |entry: &Matters| entry.level.as_ref().map_or(1, |level| self.value(level));
        let name = |matter, facet| {
            let of = Some(OfMatter { matter, facet });
            let mut known = board.propositions.iter();
            known.find(|known| known.of == of).map_or("", |known| known.name.value.as_str())
        };
        let named = |(at, entry)| (level(entry), Facet::ALL.map(|facet| name(at, facet)));
        entries.enumerate().map(named).collect()
    }

    /// The proposition that is meant by the truth about a matter, if the name is one.
    pub(super) fn truth_named(&self, name: &str) -> Option<&'a str> {
        let matter = name.strip_suffix(".truth")?;
        let is_it = |of: &str| of.strip_suffix(".claim") == Some(matter);
        let (level, [claim, _, hint, ..]) = self.facets().into_iter().find(|(_, facets)| is_it(facets[0]))?;
        Some(if level == 1 { claim } else { hint })
    }

    /// What is shown along with what is said of matters: the reason settles the claim, and who is there when something is said
    /// first sees that it is.
    pub(super) fn companions(&self) -> Vec<Companion<'a>> {
        let facets = self.facets().into_iter();
        let of_matter = |(level, facets): (i64, [&'a str; 6])| {
            let [claim, reason, hint, claim_told, reason_told, truth_told] = facets;
            let is_truth = |is_it: bool| is_it.then_some(truth_told);
            [
                Companion { of: claim, shows: None, revealed: is_truth(level == 1), told: Some(claim_told) },
                Companion { of: reason, shows: Some(claim), revealed: Some(reason_told), told: None },
                Companion { of: hint, shows: None, revealed: is_truth(level == 2), told: None },
            ]
        };
        facets.flat_map(of_matter).collect()
    }

    /// Checks that what is said in a conversation is said where people talk; otherwise says where it should be.
    pub(super) fn is_heard(&self, event: Event<'a>) -> Result<(), String> {
        let is_said = matches!(event.deed.act, Act::Tell(_) | Act::Reveal(_) | Act::Chat);
        let table = self.places()[0];
        let is_there = self.storyboard.style == Style::Report || !is_said || event.from == table;
        demand(is_there, || format!("{} should be in {table} to say something", event.who))
    }

    /// Finds where not as many of several claims are false as should be.
    pub(super) fn matters(&self, found: &mut Findings) {
        for entry in &self.storyboard.matters {
            let Some(lies) = &entry.lies else { continue };
            let is_lie = |name: &String| {
                let claim = format!("{name}.{}", Facet::Claim.key());
                let mut facts = self.claim.things.facts.iter();
                facts.any(|fact| fact.item == Item::Proposition(&claim) && fact.value == Value::Truth(false))
            };
            let (count, wanted) =
                (entry.names().iter().filter(|name| is_lie(name)).count(), self.value(lies));
            if count as i64 != wanted {
                let what = format!("{count} of the matters `{}` are lies, not {wanted}", entry.name.value);
                found.add(Err(at_start(what, lies.span)));
            }
        }
    }
}
