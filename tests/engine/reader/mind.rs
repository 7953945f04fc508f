//! Minds: pictures of where everyone and everything is, and of the next mind of the chain.
//!
//! Where somebody cannot tell what another saw, the picture of the other mind has several
//! alternatives, one for each possibility.

use super::Stumble;
use super::rules::Rule;
use super::scene::{Scene, Spot};
use super::story::Hearers;

/// What somebody thinks, as far as a chain of minds needs it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mind {
    /// Where each item is, or how each fact is.
    pub at: Vec<Spot>,
    /// Which of these the owner only was told.
    pub told: Vec<bool>,
    /// Items that are somewhere unknown, and a place where the owner knows that they are not.
    pub gone: Vec<(usize, usize)>,
    /// When each person was last in each place, if the context makes that matter.
    pub left: Vec<u32>,
    /// What the next person of the chain may think; empty at the end of the chain.
    pub other: Vec<Mind>,
}

/// Something that happens, with where it begins and ends.
#[derive(Clone, Debug)]
pub enum Act {
    Go {
        who: usize,
        from: usize,
        to: usize,
    },
    Shift {
        thing: usize,
        from: Spot,
        to: Spot,
        by: Option<(usize, usize)>,
    },
    /// Something leaves a place, and whoever pictures this cannot tell for where.
    Leave {
        item: usize,
        from: usize,
    },
    /// Something comes to a spot in a place, from wherever it was.
    Come {
        item: usize,
        to: Spot,
        place: usize,
    },
    Show {
        who: usize,
        item: usize,
        value: Spot,
    },
    Say {
        who: usize,
        hearers: Hearers,
        item: usize,
        claim: Spot,
    },
}

/// Something that moved unseen, from where it was taken to be to where it is found, if it is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Slip {
    item: usize,
    to: Spot,
    /// The place where it was taken to be.
    left: Option<usize>,
    /// The place where it turns out to have been.
    came: Option<usize>,
}

/// An item, the spot where it is seen to be and the place of that spot.
type Sight = (usize, Spot, Option<usize>);

/// What there is to see, as somebody pictures it, and the place that this somebody sees.
#[derive(Clone, Copy, Debug)]
struct Look<'a> {
    at: &'a [Spot],
    near: Option<usize>,
    /// What this somebody knows not to be in a place.
    gone: &'a [(usize, usize)],
}

/// How many alternatives of one mind the reader keeps before it gives up.
const MOST: usize = 20_000;

/// Follows a story through a chain of minds.
pub struct Follower<'a> {
    pub scene: &'a Scene,
    /// Whose mind, of whose mind, and so on.
    pub chain: &'a [usize],
    /// The items that matter to the question.
    pub tracked: Vec<bool>,
    /// How many places there are, with one more for any that is not named.
    pub places: usize,
}

type Minds = Result<Vec<Mind>, Stumble>;

impl Follower<'_> {
    fn need(&self, rule: Rule) -> Result<(), Stumble> {
        self.scene.rules.need(rule)
    }

    fn is_person(&self, item: usize) -> bool {
        item < self.scene.people.len()
    }

    fn is_fact(&self, item: usize) -> bool {
        item >= self.scene.people.len() + self.scene.things.len()
    }

    /// The place of a spot, in a picture.
    fn place_of(&self, at: &[Spot], spot: Spot) -> Option<usize> {
        match spot {
            Spot::Place(place) => Some(place),
            Spot::In(container) => Some(self.scene.containers[container].1),
            Spot::Hand(who) => self.place(at, who),
            Spot::Unknown | Spot::Open | Spot::Is(_) => None,
        }
    }

    /// The place of an item, in a picture.
    pub fn place(&self, at: &[Spot], item: usize) -> Option<usize> {
        self.place_of(at, at[item])
    }

    /// Changes a picture.
    fn put(&self, mind: &mut Mind, item: usize, spot: Spot, stamp: u32) {
        if let Spot::Place(place) = mind.at[item]
            && mind.at[item] != spot
            && !mind.left.is_empty()
            && self.is_person(item)
        {
            mind.left[item * self.places + place] = stamp;
        }
        let place = self.place(&mind.at, item);
        mind.gone.retain(|(gone, _)| *gone != item);
        if let (Spot::Unknown, Some(place)) = (spot, place) {
            mind.gone.push((item, place));
        }
        mind.at[item] = spot;
        mind.told[item] = false;
    }

    /// The world after an act, and with it all minds of the chain.
    pub fn happen(&self, world: &mut Mind, act: &Act, stamp: u32) -> Result<(), Stumble> {
        let before = world.at.clone();
        match *act {
            Act::Go { who, to, .. } => world.at[who] = Spot::Place(to),
            Act::Shift { thing, to, .. } => world.at[thing] = to,
            _ => {}
        }
        let minds = std::mem::take(&mut world.other);
        world.other = self.pass_on([&before, &world.at], minds, &[], 1, act, stamp)?;
        Ok(())
    }

    /// The next minds after an act that the owner of a picture notices, who has the world so before it and so after it.
    fn pass_on(
        &self,
        [before, after]: [&[Spot]; 2],
        minds: Vec<Mind>,
        gone: &[(usize, usize)],
        depth: usize,
        act: &Act,
        stamp: u32,
    ) -> Minds {
        let Some(&who) = self.chain.get(depth - 1) else { return Ok(minds) };
        if !self.notices(before, who, act)? {
            self.need(Rule::GoOn)?;
            if before[who] == Spot::Unknown {
                // They might be where they would have noticed it.
                self.need(Rule::NobodyFinds)?;
            }
            return Ok(minds);
        }
        self.need(Rule::RulesKnown)?;
        let watcher = depth.checked_sub(2).map(|before| self.chain[before]);
        let near = watcher.and_then(|watcher| self.place(after, watcher));
        let look = Look { at: after, near, gone };
        let mut passed = Vec::new();
        for mind in minds {
            passed.extend(self.perceive(mind, depth, act, Some(look), stamp)?);
        }
        merge(passed)
    }

    /// Whether a person notices an act, as a picture has them.
    fn notices(&self, at: &[Spot], who: usize, act: &Act) -> Result<bool, Stumble> {
        let place = self.place(at, who);
        let here = |other: Option<usize>| place.is_some() && place == other;
        Ok(match act {
            Act::Go { who: goer, from, to } => {
                self.need(Rule::MoveSeen)?;
                *goer == who || here(Some(*from)) || here(Some(*to))
            }
            Act::Shift { from, to, by, .. } => {
                self.need(Rule::HandlingSeen)?;
                let by_self = by.is_some_and(|(actor, _)| actor == who);
                let far = self.place_of(at, *to);
                if far != self.place_of(at, *from) {
                    self.need(Rule::ThrowSeen)
                        .or_else(|stumble| if by.is_some() { Err(stumble) } else { Ok(()) })?;
                }
                by_self || here(self.place_of(at, *from)) || here(far)
            }
            Act::Leave { item, from } => *item == who || here(Some(*from)),
            Act::Come { item, place: to, .. } => *item == who || here(Some(*to)),
            Act::Show { who: shower, .. } => {
                self.need(Rule::ShowSeen)?;
                *shower == who || here(self.place(at, *shower))
            }
            Act::Say { who: speaker, hearers, .. } => *speaker == who || self.hears(at, who, hearers)?,
        })
    }

    /// Whether a person hears what is said, as a picture has them.
    fn hears(&self, at: &[Spot], who: usize, hearers: &Hearers) -> Result<bool, Stumble> {
        match hearers {
            Hearers::In(place) => {
                self.need(Rule::TellHeard)?;
                Ok(self.place(at, who) == Some(*place))
            }
            Hearers::Whispered(people) => {
                self.need(Rule::WhisperHeard)?;
                Ok(people.contains(&who))
            }
            Hearers::Called(people) => {
                self.need(Rule::PhoneHeard)?;
                Ok(people.contains(&who))
            }
        }
    }

    /// A mind after its owner noticed an act. `look` is what the owner sees if they look round.
    fn perceive(&self, mind: Mind, depth: usize, act: &Act, look: Option<Look>, stamp: u32) -> Minds {
        let owner = self.chain[depth - 1];
        match act {
            Act::Say { .. } => return self.hear(mind, depth, act, stamp),
            Act::Show { item, value, .. } => return self.see_shown(mind, depth, *item, *value, act, stamp),
            _ => {}
        }
        let mut mind = mind;
        match *act {
            Act::Go { who, from, .. } if who == owner => mind.at[owner] = Spot::Place(from),
            _ => {}
        }
        let slips = self.slips(&mut mind, owner, act, look)?;
        let near = match act {
            Act::Go { who, to, .. } if *who == owner => Some(*to),
            _ => self.place(&mind.at, owner),
        };
        let mut mind = self.settle(mind, depth, &slips, near, stamp)?;
        let before = mind.at.clone();
        let later = stamp + 8;
        match *act {
            Act::Go { who, to, .. } if self.tracked[who] => self.put(&mut mind, who, Spot::Place(to), later),
            Act::Shift { thing: item, to, .. } | Act::Come { item, to, .. } => {
                self.put(&mut mind, item, to, later)
            }
            Act::Leave { item, .. } => self.put(&mut mind, item, Spot::Open, later),
            _ => {}
        }
        let others = std::mem::take(&mut mind.other);
        mind.other = self.pass_on([&before, &mind.at], others, &mind.gone, depth + 1, act, later)?;
        self.hands_known(&mut mind, depth)?;
        Ok(vec![mind])
    }

    /// What the owner sees to be elsewhere than they thought.
    fn slips(
        &self,
        mind: &mut Mind,
        owner: usize,
        act: &Act,
        look: Option<Look>,
    ) -> Result<Vec<Slip>, Stumble> {
        self.need(Rule::StayPut)?;
        let mut found: Vec<Sight> = Vec::new();
        match *act {
            Act::Go { who, from, to } => {
                found.push((who, Spot::Place(from), Some(from)));
                if let Some(seen) = look {
                    self.in_hand(who, from, seen.at, &mut found)?;
                    if who == owner || self.place(&mind.at, owner) == Some(to) {
                        self.look_round(mind, who, to, seen, &mut found)?;
                    }
                }
            }
            Act::Shift { thing, from, by, .. } => {
                self.need(Rule::OriginSeen)?;
                let mut place = self.place_of(&mind.at, from);
                if let Some((actor, here)) = by {
                    found.push((actor, Spot::Place(here), Some(here)));
                    place = Some(here);
                }
                found.push((thing, from, place));
            }
            Act::Come { item, to, place } => {
                found.push((item, to, Some(place)));
                if let Some(seen) = look {
                    self.look_round(mind, item, place, seen, &mut found)?;
                }
            }
            _ => {}
        }
        let mut slips: Vec<Slip> = Vec::new();
        for (item, to, came) in found {
            if item == owner || !self.tracked[item] || slips.iter().any(|slip| slip.item == item) {
                continue;
            }
            if mind.at[item] == to || (mind.at[item] == Spot::Open && to == Spot::Unknown) {
                mind.told[item] = false;
            } else {
                slips.push(Slip { item, to, left: self.place(&mind.at, item), came });
            }
        }
        Ok(slips)
    }

    /// What someone who is seen to go takes along.
    fn in_hand(&self, who: usize, from: usize, seen: &[Spot], found: &mut Vec<Sight>) -> Result<(), Stumble> {
        let hand = Spot::Hand(who);
        for (thing, &spot) in seen.iter().enumerate().skip(self.scene.people.len()) {
            if spot == hand {
                self.need(Rule::InHand)?;
                found.push((thing, hand, Some(from)));
            }
        }
        Ok(())
    }

    /// Who and what is in a place, and who and what is not.
    fn look_round(
        &self,
        mind: &mut Mind,
        who: usize,
        here: usize,
        look: Look,
        found: &mut Vec<Sight>,
    ) -> Result<(), Stumble> {
        for item in 0..self.scene.start.len() {
            if !self.tracked[item] || item == who {
                continue;
            }
            let rule = if self.is_person(item) { Rule::SeeEachOther } else { Rule::SeeThings };
            self.need(rule)?;
            if !self.is_person(item) || self.scene.rules.has(Rule::NoOtherLook) {
                self.need(Rule::LookOnComing)?;
            }
            let spot = look.at[item];
            let place = self.place(look.at, item);
            if place == Some(here) {
                found.push((item, spot, place));
            } else if self.expected(&mind.at, item, look.at) == Some(here) {
                self.need(Rule::NoIdea)?;
                // Who has no idea where something is still knows where it is not: where they are
                // themselves, and where they last did not find it.
                let known = place.is_some() || look.near == Some(here) || look.gone.contains(&(item, here));
                let gone = known || (self.scene.rules.has(Rule::NobodyFinds) && self.lost(look.at, item));
                found.push((item, if gone { Spot::Unknown } else { Spot::Open }, None));
            } else if mind.at[item] == Spot::Unknown && !mind.gone.contains(&(item, here)) {
                mind.gone.push((item, here));
                mind.gone.sort_unstable();
            }
        }
        Ok(())
    }

    /// Whether somebody has no idea where an item is, or where the person is who has it.
    fn lost(&self, at: &[Spot], item: usize) -> bool {
        match at[item] {
            Spot::Hand(holder) => at[holder] == Spot::Unknown,
            spot => spot == Spot::Unknown,
        }
    }

    /// Where someone who looks round expects an item: what a person has in hand is where they are.
    fn expected(&self, at: &[Spot], item: usize, seen: &[Spot]) -> Option<usize> {
        match at[item] {
            Spot::Hand(holder) => self.place(seen, holder),
            _ => self.place(at, item),
        }
    }

    /// A mind after its owner concluded that some items moved unseen, in any order.
    fn settle(
        &self,
        mind: Mind,
        depth: usize,
        slips: &[Slip],
        near: Option<usize>,
        stamp: u32,
    ) -> Result<Mind, Stumble> {
        if slips.is_empty() {
            return Ok(mind);
        }
        self.need(Rule::Surprise)?;
        self.need(Rule::Slip)?;
        if depth == self.chain.len() {
            let mut mind = mind;
            for slip in slips {
                self.put(&mut mind, slip.item, slip.to, stamp);
            }
            return Ok(mind);
        }
        self.need(Rule::LeaveSeen)?;
        self.need(Rule::ComeSeen)?;
        self.need(Rule::NothingElse)?;
        if slips.len() > 1 {
            self.need(Rule::SlipOrder)?;
        }
        let mut mind = mind;
        for slip in slips.iter().filter(|_| self.scene.rules.has(Rule::HandFirst)) {
            // What is not found left from the one place where it was taken to be, in hand or not.
            if let (Spot::Hand(_), Some(place)) = (mind.at[slip.item], slip.left) {
                mind.at[slip.item] = Spot::Place(place);
            }
        }
        let mut all = Vec::new();
        let mut settled = mind.clone();
        for order in orders(slips) {
            settled = mind.clone();
            for (step, slip) in order.iter().enumerate() {
                let stamp = stamp + step as u32;
                let before = settled.at.clone();
                self.put(&mut settled, slip.item, slip.to, stamp);
                let mut others = Vec::new();
                for other in std::mem::take(&mut settled.other) {
                    let look = Look { at: &settled.at, near, gone: &settled.gone };
                    others.extend(self.conclude(&before, look, other, depth + 1, *slip, stamp)?);
                }
                settled.other = merge(others)?;
            }
            all.append(&mut settled.other);
        }
        settled.other = merge(all)?;
        Ok(settled)
    }

    /// What the owner of a picture concludes about the next mind when an item moved unseen.
    fn conclude(
        &self,
        before: &[Spot],
        look: Look,
        mind: Mind,
        depth: usize,
        slip: Slip,
        stamp: u32,
    ) -> Minds {
        let who = self.chain[depth - 1];
        if slip.item == who {
            return self.travel(mind, depth, slip, look, stamp);
        }
        let place = self.place(before, who);
        if place.is_none() || (place != slip.left && place != slip.came) {
            return Ok(vec![mind]);
        }
        let act = match (slip.left, slip.came) {
            (left, came) if left == came => {
                Act::Shift { thing: slip.item, from: before[slip.item], to: slip.to, by: None }
            }
            (Some(from), _) if place == slip.left => Act::Leave { item: slip.item, from },
            (_, Some(place)) => Act::Come { item: slip.item, to: slip.to, place },
            _ => return Ok(vec![mind]),
        };
        self.perceive(mind, depth, &act, Some(look), stamp)
    }

    /// A mind whose owner moved unseen, from where they were taken to be to where they are found.
    fn travel(&self, mind: Mind, depth: usize, slip: Slip, look: Look, stamp: u32) -> Minds {
        let mut minds = vec![mind];
        if let Some(from) = slip.left {
            let leave = Act::Leave { item: slip.item, from };
            minds = self.perceive(minds.remove(0), depth, &leave, None, stamp)?;
        }
        let Some(place) = slip.came else { return Ok(minds) };
        let come = Act::Come { item: slip.item, to: slip.to, place };
        let mut here = Vec::new();
        for mind in minds {
            here.extend(self.perceive(mind, depth, &come, Some(look), stamp)?);
        }
        merge(here)
    }

    /// What people have in hand they know.
    fn hands_known(&self, mind: &mut Mind, depth: usize) -> Result<(), Stumble> {
        let Some(&who) = self.chain.get(depth) else { return Ok(()) };
        let hand = Spot::Hand(who);
        for thing in self.scene.people.len()..self.scene.start.len() {
            if mind.at[thing] == hand && mind.other.iter().any(|other| other.at[thing] != hand) {
                self.need(Rule::HandKnown)?;
                for other in &mut mind.other {
                    other.at[thing] = hand;
                    other.told[thing] = false;
                }
            }
        }
        Ok(())
    }

    /// A mind after its owner saw someone show that a fact is so.
    fn see_shown(
        &self,
        mut mind: Mind,
        depth: usize,
        item: usize,
        value: Spot,
        act: &Act,
        stamp: u32,
    ) -> Minds {
        mind.at[item] = value;
        let others = std::mem::take(&mut mind.other);
        mind.other = self.pass_on([&mind.at; 2], others, &mind.gone, depth + 1, act, stamp)?;
        self.knowers_agree(&mut mind, depth, item)?;
        Ok(vec![mind])
    }

    /// Those who know a fact from the start think what the owner thinks is so.
    fn knowers_agree(&self, mind: &mut Mind, depth: usize, item: usize) -> Result<(), Stumble> {
        let Some(&who) = self.chain.get(depth) else { return Ok(()) };
        let fact = item - self.scene.start.len();
        if self.scene.facts[fact].knowers.contains(&who) {
            let value = mind.at[item];
            keep(&mut mind.other, |other| other.at[item] == value);
        }
        Ok(())
    }

    /// A mind after its owner heard something said, or said it.
    fn hear(&self, mind: Mind, depth: usize, act: &Act, stamp: u32) -> Minds {
        let Act::Say { who: speaker, item, claim, .. } = *act else { return Ok(vec![mind]) };
        let owner = self.chain[depth - 1];
        if !self.tracked[item] {
            return Ok(vec![mind]);
        }
        if mind.other.len() > 1 && self.scene.rules.has(Rule::BelieveUnlessSeen) {
            self.need(Rule::BeliefOpen)?;
        }
        let believes = if owner == speaker {
            self.need(Rule::SpeakerKeeps)?;
            Some(false)
        } else {
            self.believes(&mind, owner, speaker, item, claim)?
        };
        match believes {
            Some(believes) => self.heard(mind, depth, act, believes, stamp),
            None => {
                let mut minds = self.heard(mind.clone(), depth, act, true, stamp)?;
                minds.extend(self.heard(mind, depth, act, false, stamp)?);
                merge(minds)
            }
        }
    }

    /// A mind after its owner heard something said, and believes it or not.
    fn heard(&self, mut mind: Mind, depth: usize, act: &Act, believes: bool, stamp: u32) -> Minds {
        let Act::Say { who: speaker, item, claim, .. } = *act else { return Ok(vec![mind]) };
        if believes {
            self.take_over(&mut mind, depth, item, claim, stamp)?;
        }
        let others = std::mem::take(&mut mind.other);
        mind.other = self.pass_on([&mind.at; 2], others, &mind.gone, depth + 1, act, stamp + 8)?;
        if believes && self.chain.get(depth) == Some(&speaker) {
            self.speaker_thinks(&mut mind, item, claim);
        }
        self.hands_known(&mut mind, depth)?;
        Ok(vec![mind])
    }

    /// Whether someone believes what a speaker says; None if it cannot be told.
    fn believes(
        &self,
        mind: &Mind,
        owner: usize,
        speaker: usize,
        item: usize,
        claim: Spot,
    ) -> Result<Option<bool>, Stumble> {
        let rules = &self.scene.rules;
        if rules.has(Rule::OwnPlace) && item == owner {
            return Ok(Some(false));
        }
        let own = Spot::Hand(owner);
        if rules.has(Rule::OwnHand) && (claim == own || mind.at[item] == own) {
            return Ok(Some(claim == mind.at[item]));
        }
        if rules.has(Rule::BelieveAll) {
            return Ok(Some(true));
        }
        if rules.has(Rule::BelieveLater) {
            let Some(place) = self.place_of(&mind.at, claim) else { return Ok(Some(false)) };
            return Ok(Some(self.last_in(mind, speaker, place) > self.last_in(mind, owner, place)));
        }
        self.need(Rule::BelieveUnlessSeen)?;
        self.need(Rule::KeepSeen)?;
        self.need(Rule::SpeakerThinks)?;
        let now = mind.at[item];
        if now == Spot::Open {
            self.need(Rule::BeliefOpen)?;
            return Ok(None);
        }
        Ok(Some(now == claim || now == Spot::Unknown || mind.told[item]))
    }

    /// When someone was last in a place, as a mind has it.
    fn last_in(&self, mind: &Mind, who: usize, place: usize) -> u32 {
        if mind.at[who] == Spot::Place(place) { u32::MAX } else { mind.left[who * self.places + place] }
    }

    /// A mind takes over what its owner was told.
    fn take_over(
        &self,
        mind: &mut Mind,
        depth: usize,
        item: usize,
        claim: Spot,
        stamp: u32,
    ) -> Result<(), Stumble> {
        if mind.at[item] == claim {
            return Ok(());
        }
        let before = mind.at.clone();
        self.put(mind, item, claim, stamp);
        mind.told[item] = self.scene.rules.has(Rule::BelieveUnlessSeen);
        if depth == self.chain.len() {
            return Ok(());
        }
        if self.is_fact(item) {
            return self.knowers_agree(mind, depth, item);
        }
        self.need(Rule::NoOtherLook)?;
        self.need(Rule::ToldSlip)?;
        let who = self.chain[depth];
        let gone = Slip { item, to: Spot::Unknown, left: self.place(&before, item), came: None };
        let mut nowhere = before.clone();
        nowhere[item] = Spot::Unknown;
        if who == item || self.place(&before, who) == self.place(&before, item) {
            let mut others = Vec::new();
            for other in std::mem::take(&mut mind.other) {
                let look = Look { at: &nowhere, near: None, gone: &[] };
                others.extend(self.conclude(&before, look, other, depth + 1, gone, stamp)?);
            }
            mind.other = merge(others)?;
        }
        Ok(())
    }

    /// The hearer takes the speaker to think what they said.
    fn speaker_thinks(&self, mind: &mut Mind, item: usize, claim: Spot) {
        if mind.other.iter().any(|other| other.at[item] == claim) {
            mind.other.retain(|other| other.at[item] == claim);
            return;
        }
        let told = self.is_fact(item);
        let was_told = self.scene.rules.has(Rule::SpeakerWasTold);
        let sources = self.scene.rules.has(Rule::BelieveUnlessSeen) && !told && !was_told;
        let mut others = Vec::new();
        for mut other in std::mem::take(&mut mind.other) {
            other.at[item] = claim;
            other.told[item] = told || was_told;
            if sources {
                let mut heard = other.clone();
                heard.told[item] = true;
                others.push(heard);
            }
            others.push(other);
        }
        others.sort();
        others.dedup();
        mind.other = others;
    }
}

/// Drops all alternatives but those that fit, if any does.
fn keep(minds: &mut Vec<Mind>, fits: impl Fn(&Mind) -> bool) {
    if minds.iter().any(&fits) {
        minds.retain(&fits);
    }
}

/// Alternatives that are the same count once.
fn merge(mut minds: Vec<Mind>) -> Minds {
    minds.sort();
    minds.dedup();
    if minds.len() > MOST {
        return Err(Stumble::TooMany);
    }
    Ok(minds)
}

/// All orders of some slips.
fn orders(slips: &[Slip]) -> Vec<Vec<Slip>> {
    if slips.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (number, first) in slips.iter().enumerate() {
        let mut rest = slips.to_vec();
        rest.remove(number);
        for mut order in orders(&rest) {
            order.insert(0, *first);
            all.push(order);
        }
    }
    all
}
