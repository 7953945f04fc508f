//! Rules about the right choices of a story's questions, learned from stories.
//!
//! A rule is kept if nearly all stories keep it, and guessing would have broken it often enough that this is no accident.
//!
//! That is not enough where choices come in bundles: where the first choice of each question belongs to one course of events, the
//! second to another, and so on. Then two parts may be the same in nearly every bundle, the right one and the others. So a rule on
//! two questions is kept only if it takes no choice away by itself, or the right one far less often than others.

use std::collections::{BTreeMap, HashMap};

use super::told::{Slot, Told};

/// How often guessing has to break a rule, on average.
const BROKEN_MIN: f64 = 20.0;

/// Of so many stories one may break a rule; and of so many that guessing would, one.
const STORIES_OF_EXCEPTION: u64 = 50;
const GUESSES_OF_EXCEPTION: f64 = 20.0;

/// How many choices drawn at random a rule on two questions has to take away by itself, if it takes any.
const TAKEN_MIN: f64 = 10.0;

/// The largest number of pairs that are counted, each in a story, and of different ones.
const COUNTED_MAX: usize = 200_000_000;
const PAIRS_MAX: usize = 4_000_000;

/// The largest number of rules that are used: those that guessing would break most often.
const RULES_MAX: usize = 50_000;

/// What is always so of the right choices. Slots and keys are numbers that mean the same in every story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// The right choice has something in this slot.
    Has(u32),
    /// The right choice has nothing in this slot.
    Lacks(u32),
    /// What stands in two slots is the same; both may be of one choice.
    Equal(u32, u32),
    /// What stands in two slots is not the same.
    Differ(u32, u32),
    /// What stands in the slot is on offer in the question with this key, in whatever slot.
    Offered(u32, u32),
    /// It is not.
    NotOffered(u32, u32),
}

/// A claim that is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    pub claim: Claim,
    /// Whether it may take choices away by itself, and not only because of what others leave.
    pub takes: bool,
    /// In how many of the stories guessing would break it, on average.
    broken: f64,
}

/// How often something was so of the right choices, and would be of choices drawn at random.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    stories: u64,
    right: u64,
    drawn: f64,
}

impl Seen {
    fn add(&mut self, is_right: bool, drawn: f64) {
        self.stories += 1;
        self.right += u64::from(is_right);
        self.drawn += drawn;
    }

    /// The rule that it is so.
    fn always(&self, claim: Claim) -> Option<Rule> {
        rule(claim, self.stories, self.stories - self.right, self.stories as f64 - self.drawn)
    }

    /// The rule that it is not.
    fn never(&self, claim: Claim) -> Option<Rule> {
        rule(claim, self.stories, self.right, self.drawn)
    }

    /// Whether it was so often enough for the rule that it is so, if further stories do not break that.
    fn may_be_always(&self) -> bool {
        self.right > 0 && (self.stories - self.right) * STORIES_OF_EXCEPTION <= self.stories
    }
}

fn rule(claim: Claim, stories: u64, exceptions: u64, broken: f64) -> Option<Rule> {
    let is_no_accident = broken >= BROKEN_MIN && exceptions as f64 * GUESSES_OF_EXCEPTION <= broken;
    let is_kept = is_no_accident && exceptions * STORIES_OF_EXCEPTION <= stories;
    is_kept.then_some(Rule { claim, takes: true, broken })
}

/// A story with its slots.
pub type Sheet = (Told, Vec<Slot>);

/// The rules that stories keep, and how many of them were learned from. Where there is very much to compare, those are the first.
pub fn learn(sheets: &[Sheet], slot_count: usize, key_count: usize) -> (Vec<Rule>, usize) {
    let mut counts = Counts::default();
    let mut learned = 0;
    for sheet in sheets {
        if counts.counted > COUNTED_MAX || counts.pairs.len() + counts.offers.len() > PAIRS_MAX {
            break;
        }
        counts.add(sheet);
        learned += 1;
    }
    let sheets = &sheets[..learned];
    let mut rules = has(sheets, slot_count, key_count);
    rules.extend(
        counts.pairs.iter().filter_map(|(&(one, other), seen)| seen.never(Claim::Differ(one, other))),
    );
    rules.extend(
        counts.offers.iter().filter_map(|(&(slot, key), seen)| seen.never(Claim::NotOffered(slot, key))),
    );
    let pairs: Vec<(u32, u32)> = candidates(&counts.pairs);
    rules.extend(always(sheets, slot_count, &pairs));
    let offers: Vec<(u32, u32)> = candidates(&counts.offers);
    rules.extend(always_offered(sheets, slot_count, key_count, &offers));
    only_fair(sheets, slot_count, &mut rules);
    rules.sort_by(|one, other| other.broken.total_cmp(&one.broken).then(one.claim.cmp(&other.claim)));
    rules.truncate(RULES_MAX);
    (rules, learned)
}

fn candidates(counts: &HashMap<(u32, u32), Seen>) -> Vec<(u32, u32)> {
    let likely = counts.iter().filter(|(_, seen)| seen.may_be_always());
    let mut likely: Vec<(u32, u32)> = likely.map(|(&pair, _)| pair).collect();
    likely.sort_unstable();
    likely
}

/// What is counted of all pairs that have a text in common. Most pairs never have one.
#[derive(Debug, Default)]
struct Counts {
    /// For two slots, whether the same stands there.
    pairs: HashMap<(u32, u32), Seen>,
    /// For a slot and a key, whether that question offers what stands in the slot.
    offers: HashMap<(u32, u32), Seen>,
    counted: usize,
}

impl Counts {
    fn add(&mut self, (told, slots): &Sheet) {
        let mut with: BTreeMap<u32, Vec<(usize, u32)>> = BTreeMap::new();
        for (at, slot) in slots.iter().enumerate() {
            let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
            slot.values.iter().flatten().for_each(|&value| *counts.entry(value).or_default() += 1);
            counts.into_iter().for_each(|(value, count)| with.entry(value).or_default().push((at, count)));
        }
        let mut met: HashMap<(usize, usize), f64> = HashMap::new();
        let mut offered: HashMap<(usize, usize), f64> = HashMap::new();
        for slots_with in with.values() {
            let mut questions: Vec<usize> = slots_with.iter().map(|&(at, _)| slots[at].question).collect();
            questions.dedup(); // slots stand in the order of questions
            for (number, &(one, count)) in slots_with.iter().enumerate() {
                for &(other, others) in &slots_with[number + 1..] {
                    *met.entry((one, other)).or_default() += f64::from(count * others);
                }
                for &question in questions.iter().filter(|&&question| question != slots[one].question) {
                    *offered.entry((one, question)).or_default() += f64::from(count);
                }
            }
        }
        self.counted += met.len() + offered.len();
        for ((one, other), pairs) in met {
            let (one, other) = (&slots[one], &slots[other]);
            if let Some((is_right, drawn)) = equal(told, one, other, Some(pairs)) {
                self.pairs.entry((one.id, other.id)).or_default().add(is_right, drawn);
            }
        }
        for ((slot, question), offered) in offered {
            let (slot, other) = (&slots[slot], &told.questions[question]);
            if let Some(value) = right(told, slot) {
                let is_right = with[&value].iter().any(|&(at, _)| slots[at].question == question);
                self.offers.entry((slot.id, other.key)).or_default().add(is_right, offered / filled(slot));
            }
        }
    }
}

/// What stands in a slot of the right choice.
fn right(told: &Told, slot: &Slot) -> Option<u32> {
    slot.values[told.questions[slot.question].label]
}

/// How many choices have something in a slot.
fn filled(slot: &Slot) -> f64 {
    slot.values.iter().flatten().count() as f64
}

/// Whether the same stands in two slots of the right choices, and how often it does in choices drawn at random; `None` where a
/// right choice has nothing there. Of two questions, `pairs` of choices have the same; `None` if that has to be counted.
fn equal(told: &Told, one: &Slot, other: &Slot, pairs: Option<f64>) -> Option<(bool, f64)> {
    let is_equal = right(told, one)? == right(told, other)?;
    let both = || {
        one.values.iter().zip(&other.values).filter_map(|(one, other)| Some((one.as_ref()?, other.as_ref()?)))
    };
    if one.question == other.question {
        let equal = both().filter(|(one, other)| one == other).count();
        return Some((is_equal, equal as f64 / both().count() as f64));
    }
    let pairs = pairs.unwrap_or_else(|| {
        let equals = |value: &u32| other.values.iter().flatten().filter(|other| *other == value).count();
        one.values.iter().flatten().map(equals).sum::<usize>() as f64
    });
    Some((is_equal, pairs / (filled(one) * filled(other))))
}

/// Which of a story's slots, or keys, has which number among all of them.
fn places(numbers: impl Iterator<Item = u32>, count: usize) -> Vec<Option<usize>> {
    let mut places = vec![None; count];
    numbers.enumerate().for_each(|(at, number)| places[number as usize] = Some(at));
    places
}

/// Rules on what right choices have.
fn has(sheets: &[Sheet], slot_count: usize, key_count: usize) -> Vec<Rule> {
    let mut with_key = vec![0_u64; key_count];
    let mut seen = vec![(Seen::default(), None); slot_count];
    for (told, slots) in sheets {
        told.questions.iter().for_each(|question| with_key[question.key as usize] += 1);
        for slot in slots {
            let (seen, key) = &mut seen[slot.id as usize];
            seen.add(right(told, slot).is_some(), filled(slot) / slot.values.len() as f64);
            *key = Some(told.questions[slot.question].key);
        }
    }
    let of = |(slot, (seen, key)): (u32, (Seen, Option<u32>))| {
        // In the other stories that have the question, no choice has anything there.
        let seen = Seen { stories: with_key[key? as usize], ..seen };
        seen.always(Claim::Has(slot)).or_else(|| seen.never(Claim::Lacks(slot)))
    };
    (0..).zip(seen).filter_map(of).collect()
}

/// The pairs of slots in which the same stands.
fn always(sheets: &[Sheet], slot_count: usize, pairs: &[(u32, u32)]) -> Vec<Rule> {
    let mut seen = vec![Seen::default(); pairs.len()];
    for (told, slots) in sheets {
        let places = places(slots.iter().map(|slot| slot.id), slot_count);
        for (seen, (one, other)) in seen.iter_mut().zip(pairs) {
            let both = places[*one as usize].zip(places[*other as usize]);
            let found = both.and_then(|(one, other)| equal(told, &slots[one], &slots[other], None));
            found.into_iter().for_each(|(is_right, drawn)| seen.add(is_right, drawn));
        }
    }
    let rules = pairs.iter().zip(seen).map(|(&(one, other), seen)| seen.always(Claim::Equal(one, other)));
    rules.flatten().collect()
}

/// The slots and questions where the one is on offer in the other.
fn always_offered(sheets: &[Sheet], slot_count: usize, key_count: usize, offers: &[(u32, u32)]) -> Vec<Rule> {
    let mut seen = vec![Seen::default(); offers.len()];
    for (told, slots) in sheets {
        let of_slots = places(slots.iter().map(|slot| slot.id), slot_count);
        let of_keys = places(told.questions.iter().map(|question| question.key), key_count);
        let on_offer = on_offer(told, slots);
        for (seen, (slot, key)) in seen.iter_mut().zip(offers) {
            let both = of_slots[*slot as usize].zip(of_keys[*key as usize]);
            let Some((slot, question)) = both else { continue };
            let Some(value) = right(told, &slots[slot]) else { continue };
            let is_offered = |value: &u32| on_offer[question].binary_search(value).is_ok();
            let offered = slots[slot].values.iter().flatten().filter(|value| is_offered(value)).count();
            seen.add(is_offered(&value), offered as f64 / filled(&slots[slot]));
        }
    }
    let rules = offers.iter().zip(seen).map(|(&(slot, key), seen)| seen.always(Claim::Offered(slot, key)));
    rules.flatten().collect()
}

/// What a rule on two questions takes away by itself: how often the right choice, and how often one drawn at random.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    is_of_two: bool,
    right: u64,
    drawn: f64,
}

impl Taken {
    /// Counts the choices of one question that fit none of another.
    fn add(&mut self, told: &Told, one: &Slot, other: &Slot, wanted: bool) {
        let fits = |value: u32| {
            other.values.iter().any(|other| other.is_none_or(|other| (other == value) == wanted))
        };
        let is_taken: Vec<bool> =
            one.values.iter().map(|value| value.is_some_and(|value| !fits(value))).collect();
        self.is_of_two = true;
        self.right += u64::from(is_taken[told.questions[one.question].label]);
        self.drawn += is_taken.iter().filter(|is_taken| **is_taken).count() as f64 / is_taken.len() as f64;
    }

    /// Whether the rule is kept, and if so, whether it takes anything.
    fn takes(&self) -> Option<bool> {
        let is_fair = self.drawn >= TAKEN_MIN && self.right as f64 * GUESSES_OF_EXCEPTION <= self.drawn;
        if self.drawn == 0.0 { Some(false) } else { is_fair.then_some(true) }
    }
}

/// Drops the rules on two questions that take choices away, and the right one about as often as others.
fn only_fair(sheets: &[Sheet], slot_count: usize, rules: &mut Vec<Rule>) {
    let mut taken = vec![Taken::default(); rules.len()];
    for (told, slots) in sheets {
        let places = places(slots.iter().map(|slot| slot.id), slot_count);
        for (taken, rule) in taken.iter_mut().zip(rules.iter()) {
            let (Claim::Equal(one, other) | Claim::Differ(one, other)) = rule.claim else { continue };
            let wanted = matches!(rule.claim, Claim::Equal(..));
            let Some((one, other)) = places[one as usize].zip(places[other as usize]) else { continue };
            let (one, other) = (&slots[one], &slots[other]);
            if one.question != other.question {
                taken.add(told, one, other, wanted);
                taken.add(told, other, one, wanted);
            }
        }
    }
    let mut taken = taken.into_iter();
    rules.retain_mut(|rule| {
        let of_two = taken.next().filter(|taken| taken.is_of_two);
        let takes = of_two.map_or(Some(true), |taken| taken.takes());
        rule.takes = takes == Some(true);
        takes.is_some()
    });
}

/// What each question of a story offers, in whatever slot, in order.
pub fn on_offer(told: &Told, slots: &[Slot]) -> Vec<Vec<u32>> {
    let mut offered = vec![Vec::new(); told.questions.len()];
    slots.iter().for_each(|slot| offered[slot.question].extend(slot.values.iter().flatten()));
    for values in &mut offered {
        values.sort_unstable();
        values.dedup();
    }
    offered
}

#[cfg(test)]
pub mod tests {
    use super::super::kept::Asked;
    use super::super::told::Reading;
    use super::*;

    /// Draws small numbers, the same in every run.
    pub fn draws(number: u64) -> impl FnMut(usize) -> usize {
        let mut bits = blake3::Hasher::new().update(&number.to_le_bytes()).finalize_xof();
        move |below| {
            let mut byte = [0];
            bits.fill(&mut byte);
            usize::from(byte[0]) % below
        }
    }

    /// Stories of four questions, drawn at random but for what `links` says: one bit each. The state that is right in question 0 may
    /// begin what is right in question 1, end what is right in question 2, or not be right in question 3; and what is right there may
    /// be on offer in question 0 nowhere.
    pub fn sheets(count: u64, links: u64) -> (Vec<Sheet>, usize, usize) {
        let is_linked = |link: u64| links >> link & 1 == 1;
        let story = |number: u64| {
            let mut draw = draws(number);
            let state = |at: usize| ["glad", "sad", "very glad", "calm", "angry", "proud"][at % 6].to_owned();
            let [begin, one, two, three, four, five] = [(); 6].map(|()| draw(6));
            let mut question = |at: usize, right: String| {
                let mut choices = vec![right];
                while choices.len() < 4 {
                    let other = match at {
                        1 | 2 if draw(4) > 0 => format!("from {} to {}", state(draw(6)), state(draw(6))),
                        1 | 2 => format!("still {}", state(draw(6))),
                        _ => state(draw(6)),
                    };
                    if !choices.contains(&other) {
                        choices.push(other);
                    }
                }
                let label = draw(4);
                choices.swap(0, label);
                Asked { group: at, question: "?".into(), choices, label }
            };
            let way = |from: usize, to: usize| format!("from {} to {}", state(from), state(to));
            let first = question(0, state(begin));
            let elsewhere = |state: &String| !first.choices.iter().any(|choice| choice.contains(state));
            let last = state(if is_linked(2) { begin + 1 + five % 5 } else { five });
            let last =
                (0..6).map(|at| state(five + at)).find(elsewhere).filter(|_| is_linked(3)).unwrap_or(last);
            vec![
                first.clone(),
                question(1, way(if is_linked(0) { begin } else { one }, two)),
                question(2, way(three, if is_linked(1) { begin } else { four })),
                question(3, last),
            ]
        };
        let stories: Vec<Vec<Asked>> = (0..count).map(story).collect();
        let (mut reading, [told, _]) = Reading::of([&stories, &[]]);
        let sheet = |told| {
            let slots = reading.slots(&told);
            (told, slots)
        };
        let sheets = told.into_iter().map(sheet).collect();
        (sheets, reading.slot_count(), reading.key_count())
    }

    /// How often two slots have the same, by comparing everything with everything. For what is never so, only stories count in which
    /// that could be.
    fn seen_slowly(sheets: &[Sheet], one: u32, other: u32) -> [Seen; 2] {
        let mut seen = [Seen::default(); 2];
        for (told, slots) in sheets {
            let find = |id: u32| slots.iter().find(|slot| slot.id == id);
            let (Some(one), Some(other)) = (find(one), find(other)) else { continue };
            let (Some(right_one), Some(right_other)) = (right(told, one), right(told, other)) else {
                continue;
            };
            let is_one = one.question == other.question;
            let mut pairs = Vec::new();
            for (at, value) in one.values.iter().enumerate() {
                for (other_at, other) in
                    other.values.iter().enumerate().filter(|(other, _)| !is_one || *other == at)
                {
                    pairs.extend(value.zip(*other).map(|(value, other)| (value == other, at, other_at)));
                }
            }
            let equal = pairs.iter().filter(|(is_equal, ..)| *is_equal).count();
            let drawn = equal as f64 / pairs.len() as f64;
            seen[0].add(right_one == right_other, drawn);
            let meet = one.values.iter().flatten().any(|value| other.values.contains(&Some(*value)));
            if meet {
                seen[1].add(right_one == right_other, drawn);
            }
        }
        seen
    }

    /// The same of whether a question offers what stands in a slot, and of whether something stands there.
    fn offered_slowly(sheets: &[Sheet], slot: u32, key: u32) -> [Seen; 3] {
        let mut seen = [Seen::default(); 3];
        let own = sheets.iter().find_map(|(told, slots)| {
            let slot = slots.iter().find(|known| known.id == slot)?;
            Some(told.questions[slot.question].key)
        });
        for (told, slots) in sheets {
            let slot = slots.iter().find(|known| known.id == slot);
            let is_asked = told.questions.iter().any(|question| Some(question.key) == own);
            let has = slot.is_some_and(|slot| right(told, slot).is_some());
            if is_asked {
                seen[2].add(has, slot.map_or(0.0, |slot| filled(slot) / slot.values.len() as f64));
            }
            let Some(other) = told.questions.iter().position(|question| question.key == key) else {
                continue;
            };
            let Some(slot) = slot.filter(|slot| has && slot.question != other) else { continue };
            let offers = |value: &u32| {
                slots.iter().any(|slot| slot.question == other && slot.values.contains(&Some(*value)))
            };
            let offered = slot.values.iter().flatten().filter(|value| offers(value)).count();
            let (is_right, drawn) = (offers(&right(told, slot).unwrap()), offered as f64 / filled(slot));
            seen[0].add(is_right, drawn);
            if offered > 0 {
                seen[1].add(is_right, drawn);
            }
        }
        seen
    }

    fn learned_slowly(sheets: &[Sheet], slot_count: usize, key_count: usize) -> Vec<Claim> {
        let mut rules = Vec::new();
        for one in 0..slot_count as u32 {
            for key in 0..key_count as u32 {
                let [all, met, has] = offered_slowly(sheets, one, key);
                rules.extend(all.always(Claim::Offered(one, key)));
                rules.extend(met.never(Claim::NotOffered(one, key)));
                if key == 0 {
                    rules.extend(has.always(Claim::Has(one)).or_else(|| has.never(Claim::Lacks(one))));
                }
            }
            for other in one + 1..slot_count as u32 {
                let [all, met] = seen_slowly(sheets, one, other);
                rules.extend(all.always(Claim::Equal(one, other)));
                rules.extend(met.never(Claim::Differ(one, other)));
            }
        }
        only_fair(sheets, slot_count, &mut rules);
        let mut claims: Vec<Claim> = rules.into_iter().map(|rule| rule.claim).collect();
        claims.sort_unstable();
        claims
    }

    #[test]
    fn rules_are_those_that_a_slow_search_finds() {
        for links in 0..16 {
            let (sheets, slot_count, key_count) = sheets(150, links);
            let (rules, learned) = learn(&sheets, slot_count, key_count);
            assert_eq!(learned, 150);
            let mut found: Vec<Claim> = rules.iter().map(|rule| rule.claim).collect();
            found.sort_unstable();
            assert_eq!(found, learned_slowly(&sheets, slot_count, key_count), "links {links}");
            let equal = found.iter().filter(|claim| matches!(claim, Claim::Equal(..))).count() as u32;
            assert_eq!(
                equal,
                (links & 3).count_ones() + u32::from(links & 3 == 3),
                "links {links}: {found:?}"
            );
        }
    }

    #[test]
    fn what_is_on_offer_nowhere_else_is_noticed() {
        for (links, is_so) in [(0, false), (8, true)] {
            let (sheets, slot_count, key_count) = sheets(150, links);
            let (rules, _) = learn(&sheets, slot_count, key_count);
            let found = rules.iter().any(|rule| matches!(rule.claim, Claim::NotOffered(_, 0)));
            assert_eq!(found, is_so, "{rules:?}");
        }
    }

    #[test]
    fn a_few_exceptions_are_allowed() {
        let claim = Claim::Equal(0, 1);
        assert!(rule(claim, 100, 0, 20.0).is_some() && rule(claim, 100, 0, 19.9).is_none());
        assert!(rule(claim, 100, 2, 80.0).is_some() && rule(claim, 99, 2, 80.0).is_none());
        assert!(rule(claim, 1_000, 3, 59.0).is_none(), "guessing breaks it 20 times as often, at least");
    }

    /// Choices in bundles, of which the right one is drawn: what is nearly always so in each of them says nothing.
    #[test]
    fn what_all_bundles_have_takes_nothing_away() {
        let story = |number: u64| {
            let mut draw = draws(number);
            let label = draw(4);
            let states = ["glad", "sad", "calm", "angry"].map(str::to_owned);
            let mut others = states.clone();
            // One bundle in 100 does not have the same in both questions.
            if draw(25) == 0 {
                others[draw(4)] = "proud".to_owned();
            }
            let asked = |group: usize, choices: &[String; 4]| Asked {
                group,
                question: "?".into(),
                choices: choices.to_vec(),
                label,
            };
            vec![asked(0, &states), asked(1, &others)]
        };
        let stories: Vec<Vec<Asked>> = (0..400).map(story).collect();
        let (mut reading, [told, _]) = Reading::of([&stories, &[]]);
        let sheets: Vec<Sheet> = told
            .into_iter()
            .map(|told| (reading.slots(&told), told))
            .map(|(slots, told)| (told, slots))
            .collect();
        let (rules, _) = learn(&sheets, reading.slot_count(), reading.key_count());
        assert!(rules.iter().all(|rule| !matches!(rule.claim, Claim::Equal(..))), "{rules:?}");
    }
}
