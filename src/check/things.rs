//! Whether containers, objects, propositions and attitudes start as declared.

use super::claim::{Fact, Item, Value};
use super::{Replay, Violation, violation};
use crate::storyboard::Known;

impl<'a> Replay<'a> {
    /// What is wrong with what there is besides people.
    pub(super) fn things(&self) -> Result<(), Violation> {
        self.containers()?;
        let board = self.storyboard;
        for object in &board.objects {
            let fact = self.fact(Item::Object(&object.name.value), &object.name.value)?;
            if !object.start.iter().any(|spot| self.spot(spot) == fact.value) {
                return Err(violation(None, format!("{} does not start there", object.name.value)));
            }
            self.known(fact, &object.known, &object.name.value)?;
        }
        for proposition in &board.propositions {
            let name = proposition.name.value.as_str();
            let fact = self.fact(Item::Proposition(name), name)?;
            let is_declared = match proposition.is_true {
                Some(is_true) => fact.value == Value::Truth(is_true),
                None => matches!(fact.value, Value::Truth(_)),
            };
            if !is_declared {
                return Err(violation(None, format!("{name} is not as true as declared")));
            }
            self.known(fact, &proposition.known, name)?;
        }
        for thing in &board.attitudes {
            for &(who, _) in &self.claim.start {
                let what = format!("whether {who} likes {}", thing.value);
                let fact = self.fact(Item::Likes(who, &thing.value), &what)?;
                if !matches!(fact.value, Value::Truth(_)) {
                    return Err(violation(None, format!("{what} is neither true nor false")));
                }
                if fact.known != [who] || !fact.wrong.is_empty() {
                    return Err(violation(None, format!("{what} should be known to {who} alone")));
                }
            }
        }
        let count =
            board.objects.len() + board.propositions.len() + board.attitudes.len() * self.claim.start.len();
        let facts = &self.claim.things.facts;
        if facts.len() != count {
            return Err(violation(None, format!("{} things, not {count}", facts.len())));
        }
        let trust = board.trust.unwrap_or_default();
        // Where people only walk, nobody tells anybody anything.
        if !self.claim.deeds.is_empty() && self.claim.things.trust != trust {
            return Err(violation(None, format!("the rule of trust should be {}", trust.key())));
        }
        Ok(())
    }

    fn containers(&self) -> Result<(), Violation> {
        let claimed = &self.claim.things.containers;
        for container in &self.storyboard.containers {
            let name = container.name.value.as_str();
            let Some(&(_, place, is_open)) = claimed.iter().find(|(known, ..)| *known == name) else {
                return Err(violation(None, format!("there is no {name}")));
            };
            let wanted = self.place(&container.place);
            if place != wanted {
                return Err(violation(None, format!("{name} stands in {place}, not in {wanted}")));
            }
            if is_open != container.is_open {
                let state = if container.is_open { "open" } else { "closed" };
                return Err(violation(None, format!("{name} should be {state}")));
            }
        }
        let count = self.storyboard.containers.len();
        if claimed.len() != count {
            return Err(violation(None, format!("{} containers, not {count}", claimed.len())));
        }
        Ok(())
    }

    /// What is claimed of an item.
    fn fact(&self, item: Item<'_>, name: &str) -> Result<&'a Fact<'a>, Violation> {
        let facts = &self.claim.things.facts;
        let found = facts.iter().find(|fact| fact.item == item);
        found.ok_or_else(|| violation(None, format!("nothing is said of {name}")))
    }

    /// Whether those know it who should.
    fn known(&self, fact: &Fact<'_>, known: &Known, name: &str) -> Result<(), Violation> {
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
                return Err(violation(None, format!("{who} should {wanted} {name}")));
            }
        }
        Ok(())
    }
}
