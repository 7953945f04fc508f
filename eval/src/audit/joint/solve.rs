//! What rules leave of a story's choices.
//!
//! A choice is taken away if a rule does not allow it, or if some rules on it and another question allow none of the choices that
//! are left there; and so on until nothing changes (arc consistency). The order in which that is done changes nothing.

use std::collections::BTreeMap;

use super::rules::{Claim, Rule, Sheet, on_offer};
use super::told::{Slot, Told};

/// Choices as bits.
pub type Left = u64;

/// For two questions, which choices of the second each choice of the first allows.
type Allowed = BTreeMap<(usize, usize), Vec<Left>>;

/// The choices of each question that are left, by rules; `None` if the rules contradict each other.
pub fn left(sheet: &Sheet, rules: &[Rule], slot_count: usize, key_count: usize) -> Option<Vec<Left>> {
    Problem::of(sheet, slot_count, key_count).left(rules)
}

/// A story, where rules look things up.
struct Problem<'a> {
    told: &'a Told,
    slots: &'a [Slot],
    /// The places of slots and keys in the story, by their numbers.
    of_slots: Vec<Option<usize>>,
    of_keys: Vec<Option<usize>>,
    on_offer: Vec<Vec<u32>>,
}

impl<'a> Problem<'a> {
    fn of((told, slots): &'a Sheet, slot_count: usize, key_count: usize) -> Self {
        let mut of_slots = vec![None; slot_count];
        slots.iter().enumerate().for_each(|(at, slot)| of_slots[slot.id as usize] = Some(at));
        let mut of_keys = vec![None; key_count];
        told.questions
            .iter()
            .enumerate()
            .for_each(|(at, question)| of_keys[question.key as usize] = Some(at));
        Self { told, slots, of_slots, of_keys, on_offer: on_offer(told, slots) }
    }

    fn slot(&self, id: u32) -> Option<&'a Slot> {
        self.of_slots[id as usize].map(|at| &self.slots[at])
    }

    /// What is left by these rules; `None` if they contradict each other.
    fn left(&self, rules: &[Rule]) -> Option<Vec<Left>> {
        let all = |count: usize| Left::MAX >> (Left::BITS as usize - count); // CHOICES_MAX is 64
        let mut left: Vec<Left> =
            self.told.questions.iter().map(|question| all(question.choice_count())).collect();
        let mut allowed = Allowed::new();
        for rule in rules {
            self.apply(rule, &mut left, &mut allowed);
        }
        loop {
            let before = left.clone();
            for (&(one, other), allowed) in &allowed {
                let mut seen = 0;
                for (choice, allowed) in
                    allowed.iter().enumerate().filter(|(choice, _)| before[one] >> choice & 1 == 1)
                {
                    if allowed & left[other] == 0 {
                        left[one] &= !(1 << choice);
                    } else {
                        seen |= allowed;
                    }
                }
                left[other] &= seen;
            }
            if left.contains(&0) {
                return None;
            }
            if left == before {
                return Some(left);
            }
        }
    }

    /// Takes away what one rule does not allow of a choice by itself, and notes what it allows of two. Where a choice has nothing
    /// in a slot, a rule on what stands there says nothing.
    fn apply(&self, rule: &Rule, left: &mut [Left], allowed: &mut Allowed) {
        let claim = rule.claim;
        match claim {
            Claim::Has(slot) | Claim::Lacks(slot) => {
                let wanted = matches!(claim, Claim::Has(_));
                if let Some(slot) = self.slot(slot) {
                    left[slot.question] &= bits(slot, |value| value.is_some() == wanted);
                }
            }
            Claim::Offered(slot, key) | Claim::NotOffered(slot, key) => {
                let wanted = matches!(claim, Claim::Offered(..));
                if let Some((slot, question)) = self.slot(slot).zip(self.of_keys[key as usize]) {
                    let is_offered = |value: &u32| self.on_offer[question].binary_search(value).is_ok();
                    left[slot.question] &=
                        bits(slot, |value| value.is_none_or(|value| is_offered(&value) == wanted));
                }
            }
            Claim::Equal(one, other) | Claim::Differ(one, other) => {
                let wanted = matches!(claim, Claim::Equal(..));
                let Some((one, other)) = self.slot(one).zip(self.slot(other)) else { return };
                let fits = |one: Option<u32>, other: Option<u32>| {
                    one.zip(other).is_none_or(|(one, other)| (one == other) == wanted)
                };
                if one.question == other.question {
                    let both = one.values.iter().zip(&other.values).enumerate();
                    let fitting = both.filter(|(_, (one, other))| fits(**one, **other));
                    left[one.question] &= fitting.fold(0, |bits, (choice, _)| bits | 1 << choice);
                    return;
                }
                let all = || vec![Left::MAX; one.values.len()];
                let allowed = allowed.entry((one.question, other.question)).or_insert_with(all);
                let fitting = one.values.iter().map(|value| bits(other, |other| fits(*value, other)));
                let mut fitting: Vec<Left> = fitting.collect();
                if !rule.takes {
                    // What fits nothing was never seen: nothing is known of it.
                    let unknown = !fitting.iter().fold(0, |all, fitting| all | fitting);
                    let is_unknown = |fitting: Left| if fitting == 0 { Left::MAX } else { fitting | unknown };
                    fitting.iter_mut().for_each(|fitting| *fitting = is_unknown(*fitting));
                }
                allowed.iter_mut().zip(fitting).for_each(|(allowed, fitting)| *allowed &= fitting);
            }
        }
    }
}

/// The choices of which something is so that stands in a slot.
fn bits(slot: &Slot, is_so: impl Fn(Option<u32>) -> bool) -> Left {
    let choices = slot.values.iter().enumerate().filter(|(_, value)| is_so(**value));
    choices.fold(0, |bits, (choice, _)| bits | 1 << choice)
}

#[cfg(test)]
mod tests {
    use super::super::rules::{learn, tests::sheets};
    use super::*;

    /// What is left, by asking of every choice again and again whether each rule allows it.
    fn left_slowly((told, slots): &Sheet, rules: &[Rule]) -> Option<Vec<Left>> {
        let find = |id: u32| slots.iter().find(|slot| slot.id == id);
        let mut left: Vec<Vec<usize>> =
            told.questions.iter().map(|question| (0..question.choice_count()).collect()).collect();
        // For each pair of questions and of their choices, whether all rules on both allow them.
        let allows = |rule: &Rule, one: (usize, usize), other: (usize, usize)| {
            let (Claim::Equal(first, second) | Claim::Differ(first, second)) = rule.claim else {
                return true;
            };
            let wanted = matches!(rule.claim, Claim::Equal(..));
            let (Some(first), Some(second)) = (find(first), find(second)) else { return true };
            let (a, b) = match (first.question, second.question) {
                pair if pair == (one.0, other.0) => (one.1, other.1),
                pair if pair == (other.0, one.0) => (other.1, one.1),
                _ => return true,
            };
            let fits = |a: usize, b: usize| match (first.values[a], second.values[b]) {
                (Some(a), Some(b)) => (a == b) == wanted,
                _ => true,
            };
            let is_unknown = !rule.takes
                && ((0..second.values.len()).all(|b| !fits(a, b))
                    || (0..first.values.len()).all(|a| !fits(a, b)));
            fits(a, b) || is_unknown
        };
        let alone = |rule: &Rule, question: usize, choice: usize| match rule.claim {
            Claim::Has(slot) | Claim::Lacks(slot) => find(slot).is_none_or(|slot| {
                slot.question != question
                    || slot.values[choice].is_some() == matches!(rule.claim, Claim::Has(_))
            }),
            Claim::Offered(slot, key) | Claim::NotOffered(slot, key) => {
                let Some(slot) = find(slot).filter(|slot| slot.question == question) else { return true };
                let Some(at) = told.questions.iter().position(|question| question.key == key) else {
                    return true;
                };
                let offers = |value| {
                    slots.iter().any(|slot| slot.question == at && slot.values.contains(&Some(value)))
                };
                slot.values[choice]
                    .is_none_or(|value| offers(value) == matches!(rule.claim, Claim::Offered(..)))
            }
            Claim::Equal(one, other) | Claim::Differ(one, other) => {
                let (Some(one), Some(other)) = (find(one), find(other)) else { return true };
                let values =
                    one.values[choice % one.values.len()].zip(other.values[choice % other.values.len()]);
                one.question != question
                    || other.question != question
                    || values
                        .is_none_or(|(one, other)| (one == other) == matches!(rule.claim, Claim::Equal(..)))
            }
        };
        for (question, left) in left.iter_mut().enumerate() {
            left.retain(|&choice| rules.iter().all(|rule| alone(rule, question, choice)));
        }
        loop {
            let before = left.clone();
            for (question, left) in left.iter_mut().enumerate() {
                left.retain(|&choice| {
                    (0..before.len()).filter(|&other| other != question).all(|other| {
                        let fits = |&with: &usize| {
                            rules.iter().all(|rule| allows(rule, (question, choice), (other, with)))
                        };
                        before[other].iter().any(fits)
                    })
                });
            }
            if left.iter().any(Vec::is_empty) {
                return None;
            }
            if left == before {
                let bits = |left: &Vec<usize>| left.iter().fold(0, |bits, choice| bits | 1 << choice);
                return Some(left.iter().map(bits).collect());
            }
        }
    }

    #[test]
    fn what_is_left_is_what_a_slow_solver_leaves() {
        let (mut taken, mut contradicted) = (0, 0);
        for links in 1..8 {
            let (sheets, slot_count, key_count) = sheets(260, links);
            let (learned, tried) = sheets.split_at(200);
            let (rules, _) = learn(learned, slot_count, key_count);
            // Once as they are, and once as if they were about other slots: then they contradict each other at times.
            let mut wrong = rules.clone();
            for (at, rule) in wrong.iter_mut().enumerate() {
                rule.takes = at % 3 > 0;
                if let Claim::Differ(one, other) = rule.claim {
                    rule.claim = Claim::Equal(one, other);
                }
            }
            for rules in [rules, wrong] {
                for (number, sheet) in tried.iter().enumerate() {
                    let found = left(sheet, &rules, slot_count, key_count);
                    assert_eq!(found, left_slowly(sheet, &rules), "links {links}, story {number}");
                    contradicted += usize::from(found.is_none());
                    let count = |left: &[Left]| {
                        16 - left.iter().map(|left| left.count_ones() as usize).sum::<usize>()
                    };
                    taken += found.as_deref().map_or(0, count);
                }
            }
        }
        assert!(taken > 500 && contradicted > 0, "{taken} {contradicted}");
    }
}
