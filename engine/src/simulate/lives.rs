//! Draws stories by lives: what is announced, who hears it, and then the walks that make it so.
//!
//! A scenario has T announcements, and K = T + 1 *lives* that the main character might lead in it: each hears another one of them
//! last, and one hears none. She leads the first; the others might have been, had she been where she was not.
//!
//! 1. *Histories.* A uniformly random bijection says which announcement each life hears last, if any. Whoever hears one last
//!    hears each earlier one of the scenario with chance 1/2.
//! 2. *Cases.* Each announcement is uniform among all but the one before; all are drawn again until no two lives think, feel or
//!    want the same. In a share of the scenarios after the first, also until two lives think the same side in the same way and
//!    feel otherwise, since they expected otherwise (at most [`PAST_TRIES_MAX`] times).
//! 3. *Walks.* The teller's place at an announcement is uniform; the main character's is the teller's if her life hears it, else
//!    uniform among the others; at the end both are uniform. Whoever of the two has to, moves; all other moves are made by
//!    others, each by one of them drawn uniformly, to another place drawn uniformly; the order is uniform.
//!
//! Lives are exchangeable in 1 and 2, so whoever reads everything but who goes where is right in one of K cases. The place of
//! the teller is uniform whoever hears, and so is hers: either walk alone says nothing of what she hears last.
//!
//! Every scenario has a stream of its own, so the first of a long story are those of a short one. Costs O(steps), and the draws
//! of cases until lives are apart: about 18 of them for four announcements.

use super::{Simulator, Story};
use crate::appraisal::{Felt, Mood};
use crate::id::{CharacterId, PlaceId};
use crate::plan::{Lives, Plan, PlannedProspect, PlannedRules};
use crate::resolve::cases;
use crate::rng::{Stream, below, sample_to_front};
use crate::world::{
    Act, Case, Deed, Event, Hearers, Item, Knowledge, Side, Stage, Telling, Thing, Value, Wish,
};

/// How many sets of announcements are drawn, at most, for one in which it matters what was expected.
const PAST_TRIES_MAX: usize = 300;

/// The part of the stream of an attempt for what is so of the whole story.
const WHOLE: u64 = u32::MAX as u64;

/// Draws the stories of a plan by lives.
#[derive(Clone, Debug)]
pub(super) struct LivesPlan<'a> {
    lives: Lives,
    prospects: &'a [PlannedProspect],
    rules: &'a PlannedRules,
    /// How the prospect that is announced can stand.
    cases: Vec<Case>,
    /// Those who make the moves on which nothing depends.
    others: Vec<CharacterId>,
    scenarios: usize,
    places: usize,
}

/// What each life hears in a scenario, and what becomes of it.
struct Led {
    /// For each life, the announcements that it hears, one bit each.
    heard: Vec<u8>,
    /// The mood of each life.
    moods: Vec<Mood>,
}

impl<'a> LivesPlan<'a> {
    /// What is needed to draw, if the plan's stories are drawn by lives.
    pub fn new(plan: &'a Plan) -> Option<Self> {
        let lives = *plan.lives()?;
        let staging = plan.staging.as_ref().expect("prospects are staged");
        let everyone = (0..plan.character_count).map(CharacterId::new);
        let others = everyone.filter(|&who| who != lives.by && who != lives.whose).collect();
        Some(Self {
            lives,
            prospects: &staging.prospects,
            rules: staging.rules.as_ref().expect("somebody wants a side"),
            cases: cases(&staging.prospects[lives.of.index()]),
            others,
            scenarios: plan.scenarios.map_or(1, |scenarios| scenarios.count),
            places: plan.map.place_count(),
        })
    }

    /// Sets up what is so from the start: who wants what, and where everyone is.
    fn begin(&self, plan: &Plan, stream: &mut Stream, story: &mut Story) {
        let thing =
            || Thing { value: Value::NoCase, knowledge: vec![Knowledge::Nothing; plan.character_count] };
        let mut wishes = Vec::new();
        for (of, prospect) in (0..).map(crate::id::ProspectId::new).zip(self.prospects) {
            for &(who, side) in &prospect.wants {
                // Drawn in any case, so that nothing else depends on whether it is given.
                let drawn = Side::ALL[below(stream, 2) as usize];
                wishes.push(Wish { who, of, side: side.unwrap_or(drawn) });
            }
        }
        let prospects = self.prospects.iter().map(|_| thing()).collect();
        story.trace.stage = Stage { prospects, wishes, ..Stage::default() };
        let start = match plan.start_is_drawn {
            true => PlaceId::new(below(stream, self.places as u32) as usize),
            false => plan.casts[story.cast].start[0],
        };
        story.trace.start.clear();
        story.trace.start.resize(plan.character_count, start);
        story.trace.events.clear();
        story.trace.deeds.clear();
        story.lives.clear();
    }

    /// Which announcements each life hears in a scenario: the histories of step 1.
    fn histories(&self, stream: &mut Stream) -> Vec<u8> {
        let turns = self.lives.turns;
        let mut last: Vec<usize> = (0..=turns).collect();
        sample_to_front(stream, &mut last, turns + 1);
        let hears = |last: usize| {
            if last == turns {
                return 0;
            }
            let earlier = below(stream, 1 << last) as u8;
            earlier | 1 << last
        };
        last.into_iter().map(hears).collect()
    }

    /// Draws announcements until lives are apart, and goes on in these lives. `wanted` is the side that the main character wants.
    fn cases(
        &self,
        stream: &mut Stream,
        led: &mut Led,
        before: Option<Case>,
        wanted: Side,
        scenario: usize,
    ) -> Vec<Case> {
        let has_past = scenario > 0 && below(stream, 100) < self.lives.past;
        let (mut drawn, mut ends, mut felt) = (Vec::new(), Vec::new(), Vec::new());
        let mut tries = 0;
        loop {
            drawn.clear();
            let mut last = before;
            for _ in 0..self.lives.turns {
                let case = self.another(stream, last);
                drawn.push(case);
                last = Some(case);
            }
            ends.clear();
            let moods = led.moods.iter().zip(&led.heard);
            ends.extend(moods.map(|(&mood, &heard)| after(mood, heard, &drawn)));
            // What takes less time comes first.
            if !are_all_different(&ends, |mood: &Mood| mood.thinks) {
                continue;
            }
            felt.clear();
            felt.extend(ends.iter().map(|mood| self.felt(*mood, wanted)));
            if !are_all_different(&felt, |felt: &Felt| felt.wants)
                || !are_all_different(&felt, |felt| felt.feels)
            {
                continue;
            }
            tries += 1;
            if !has_past || tries > PAST_TRIES_MAX || past_matters(&ends, &felt) {
                led.moods.copy_from_slice(&ends);
                return drawn;
            }
        }
    }

    /// A case drawn uniformly, other than this one.
    fn another(&self, stream: &mut Stream, last: Option<Case>) -> Case {
        let all = self.cases.len() as u32;
        let Some(at) = last.and_then(|last| self.cases.iter().position(|case| *case == last)) else {
            return self.cases[below(stream, all) as usize];
        };
        let drawn = below(stream, all - 1) as usize;
        self.cases[drawn + usize::from(drawn >= at)]
    }

    fn felt(&self, mood: Mood, wanted: Side) -> Felt {
        self.rules.tables.felt(mood.situation(self.lives.whose, wanted))
    }

    /// Another place than this one, drawn uniformly.
    fn elsewhere(&self, stream: &mut Stream, place: PlaceId) -> PlaceId {
        let drawn = below(stream, self.places as u32 - 1) as usize;
        PlaceId::new(drawn + usize::from(drawn >= place.index()))
    }
}

/// The mood of somebody who hears these of the announcements, one bit each.
fn after(mood: Mood, heard: u8, announced: &[Case]) -> Mood {
    let hears = announced.iter().enumerate().filter(|(turn, _)| heard >> turn & 1 == 1);
    hears.fold(mood, |mood, (_, &case)| mood.on(case))
}

/// Whether no two of these have the same property.
fn are_all_different<T, P: PartialEq>(all: &[T], property: impl Fn(&T) -> P) -> bool {
    (1..all.len()).all(|one| (0..one).all(|other| property(&all[one]) != property(&all[other])))
}

/// Whether two lives think the same side in the same way, and feel otherwise since they expected otherwise.
fn past_matters(moods: &[Mood], felt: &[Felt]) -> bool {
    let is_alike = |one: Mood, other: Mood| match (one.thinks, other.thinks) {
        (Some(one), Some(other)) => one.side() == other.side() && one.how() == other.how(),
        _ => false,
    };
    (0..moods.len()).any(|one| {
        (one + 1..moods.len())
            .any(|other| is_alike(moods[one], moods[other]) && felt[one].feels != felt[other].feels)
    })
}

impl Simulator<'_> {
    /// Draws a story by lives.
    pub(super) fn draw_lives(&mut self, index: u64, attempt: u64, story: &mut Story) {
        let lives = self.lives.take().expect("a plan with lives");
        let part = |part: u64| attempt << 32 | part;
        lives.begin(self.plan, &mut self.walk_key.stream(index, part(WHOLE)), story);
        self.places.clone_from(&story.trace.start);
        let is_hers = |wish: &&Wish| wish.who == lives.lives.whose && wish.of == lives.lives.of;
        let wanted = story.trace.stage.wishes.iter().find(is_hers).expect("she wants a side").side;
        let count = lives.lives.count();
        let mut led = Led { heard: Vec::new(), moods: vec![Mood::default(); count] };
        let mut before = None;
        for scenario in 0..lives.scenarios {
            let mut stream = self.walk_key.stream(index, part(scenario as u64));
            led.heard = lives.histories(&mut stream);
            let announced = lives.cases(&mut stream, &mut led, before, wanted, scenario);
            before = announced.last().copied();
            for (turn, &case) in announced.iter().enumerate() {
                let teller = PlaceId::new(below(&mut stream, lives.places as u32) as usize);
                let is_heard = led.heard[0] >> turn & 1 == 1;
                let hers = if is_heard { teller } else { lives.elsewhere(&mut stream, teller) };
                self.walk_to(&lives, &mut stream, [teller, hers], story);
                announce(&lives, teller, case, story);
            }
            let ends = [(); 2].map(|()| PlaceId::new(below(&mut stream, lives.places as u32) as usize));
            self.walk_to(&lives, &mut stream, ends, story);
            story.lives.extend_from_slice(&led.heard);
        }
        self.lives = Some(lives);
    }

    /// Makes the moves after which the teller and the main character are in these places.
    fn walk_to(&mut self, lives: &LivesPlan<'_>, stream: &mut Stream, to: [PlaceId; 2], story: &mut Story) {
        let both = [lives.lives.by, lives.lives.whose];
        let mut moves: Vec<Option<(CharacterId, PlaceId)>> = Vec::with_capacity(lives.lives.between);
        for (who, to) in both.into_iter().zip(to) {
            if self.places[who.index()] != to {
                moves.push(Some((who, to)));
            }
        }
        moves.resize(lives.lives.between, None);
        let count = moves.len();
        sample_to_front(stream, &mut moves, count);
        for planned in moves {
            let (who, to) = planned.unwrap_or_else(|| {
                let who = lives.others[below(stream, lives.others.len() as u32) as usize];
                (who, lives.elsewhere(stream, self.places[who.index()]))
            });
            let from = std::mem::replace(&mut self.places[who.index()], to);
            story.trace.events.push(Event { who, from, to });
            story.trace.deeds.push(Deed::default());
        }
    }
}

fn announce(lives: &LivesPlan<'_>, here: PlaceId, case: Case, story: &mut Story) {
    let news = Telling {
        hearers: Hearers::Present,
        item: Item::Prospect(lives.lives.of),
        value: Value::Case(case),
        believers: None,
    };
    story.trace.events.push(Event { who: lives.lives.by, from: here, to: here });
    story.trace.deeds.push(Deed { act: Act::Turn(news), ..Deed::default() });
}
