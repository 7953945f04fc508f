//! Whether containers, objects, propositions and attitudes start as declared.

use super::claim::{Fact, Item, Value};
use super::{Findings, Replay, Violation, at_start};
use crate::diagnostic::Span;
use crate::storyboard::{Container, Known, Name, Object, Proposition, Prospect};

impl<'a> Replay<'a> {
    /// Finds what is wrong with the things at the start.
    pub(super) fn things(&self, found: &mut Findings) {
        let board = self.storyboard;
        let claimed = &self.claim.things;
        for container in &board.containers {
            found.add(self.container_stands(container));
        }
        for object in &board.objects {
            found.add(self.object_starts(object));
        }
        for proposition in &board.propositions {
            found.add(self.proposition_starts(proposition));
        }
        self.matters(found);
        for prospect in &board.prospects {
            found.add(self.prospect_starts(prospect));
        }
        for thing in &board.attitudes {
            for &(who, _) in &self.claim.start {
                found.add(self.attitude_starts(who, thing));
            }
        }
        // What is there and should not be has no place in the file but that of the whole.
        let whole = board.name.span;
        let count = board.objects.len()
            + board.propositions.len()
            + board.attitudes.len() * self.claim.start.len()
            + board.prospects.len();
        if claimed.facts.len() != count && found.all.is_empty() {
            found.add(Err(at_start(format!("{} things, not {count}", claimed.facts.len()), whole)));
        }
        let count = board.containers.len();
        if claimed.containers.len() != count && found.all.is_empty() {
            found.add(Err(at_start(format!("{} containers, not {count}", claimed.containers.len()), whole)));
        }
        let trust = board.trust();
        // Where people only walk, nobody tells anybody anything.
        if !self.claim.deeds.is_empty() && claimed.trust != trust {
            found.add(Err(at_start(format!("the rule of trust should be {}", trust.key()), whole)));
        }
    }

    fn container_stands(&self, container: &'a Container) -> Result<(), Violation> {
        let (name, span) = (container.name.value.as_str(), container.name.span);
        let found = self.claim.things.containers.iter().find(|(known, ..)| *known == name);
        let Some(&(_, place, is_open)) = found else {
            return Err(at_start(format!("there is no {name}"), span));
        };
        let wanted = self.place(&container.place);
        if place != wanted {
            let what = format!("{name} stands in {place}, not in {wanted}");
            return Err(at_start(what, container.place.span));
        }
        if is_open != container.is_open {
            let state = if container.is_open { "open" } else { "closed" };
            return Err(at_start(format!("{name} should be {state}"), span));
        }
        Ok(())
    }

    fn object_starts(&self, object: &'a Object) -> Result<(), Violation> {
        let (name, span) = (object.name.value.as_str(), object.name.span);
        let fact = self.fact(Item::Object(name), name, span)?;
        if !object.start.iter().any(|spot| self.spot(spot) == fact.value) {
            return Err(at_start(format!("{name} does not start {}", fact.value), span));
        }
        self.known(fact, &object.known, name, span)
    }

    fn proposition_starts(&self, proposition: &'a Proposition) -> Result<(), Violation> {
        let (name, span) = (proposition.name.value.as_str(), proposition.name.span);
        let fact = self.fact(Item::Proposition(name), name, span)?;
        let is_declared = match proposition.is_true {
            Some(is_true) => fact.value == Value::Truth(is_true),
            None => matches!(fact.value, Value::Truth(_)),
        };
        if !is_declared {
            return Err(at_start(format!("{name} does not have the truth value that is declared"), span));
        }
        self.known(fact, &proposition.known, name, span)
    }

    fn prospect_starts(&self, prospect: &'a Prospect) -> Result<(), Violation> {
        let (name, span) = (prospect.name.value.as_str(), prospect.name.span);
        let fact = self.fact(Item::Prospect(name), name, span)?;
        if fact.value != Value::NoCase || !fact.known.is_empty() || !fact.wrong.is_empty() {
            return Err(at_start(format!("nobody should know anything of {name} at the start"), span));
        }
        Ok(())
    }

    fn attitude_starts(&self, who: &str, thing: &Name) -> Result<(), Violation> {
        let what = format!("whether {who} likes {}", thing.value);
        let fact = self.fact(Item::Likes(who, &thing.value), &what, thing.span)?;
        if !matches!(fact.value, Value::Truth(_)) {
            return Err(at_start(format!("{what} is neither true nor false"), thing.span));
        }
        if fact.known != [who] || !fact.wrong.is_empty() {
            return Err(at_start(format!("{what} should be known to {who} alone"), thing.span));
        }
        Ok(())
    }

    /// The fact that is claimed about an item.
    fn fact(&self, item: Item<'_>, name: &str, span: Span) -> Result<&'a Fact<'a>, Violation> {
        let facts = &self.claim.things.facts;
        let found = facts.iter().find(|fact| fact.item == item);
        found.ok_or_else(|| at_start(format!("nothing is said about {name}"), span))
    }

    /// Checks that those who should know a fact do.
    fn known(&self, fact: &Fact<'_>, known: &Known, name: &str, span: Span) -> Result<(), Violation> {
        let wrong = self.players(&known.wrong);
        let by = known.by.as_ref().map(|roles| self.players(roles));
        for &(who, _) in &self.claim.start {
            let is_wrong = wrong.contains(&who);
            let knows = !is_wrong && by.as_ref().is_none_or(|by| by.contains(&who));
            let wanted = match (knows, is_wrong) {
                (true, _) => "know",
                (_, true) => "be wrong about",
                _ => "not know",
            };
            if fact.known.contains(&who) != knows || fact.wrong.contains(&who) != is_wrong {
                return Err(at_start(format!("{who} should {wanted} {name}"), span));
            }
        }
        Ok(())
    }
}
