//! What of a story there is to see for somebody who follows no mind, in numbers.
//!
//! For every place there are as many numbers, so that a learner can rank the places. None of them relates what two people did
//! in the same place at the same time: who met whom is the beginning of following minds.

use crate::id::CharacterId;
use crate::plan::{Plan, Question, Sight, Target};
use crate::question::reality;
use crate::simulate::Story;
use crate::world::{Act, Event, Item, Scene, Telling, Value};
use smallvec::{SmallVec, smallvec};

/// The numbers that describe a path, for each place.
const PATH_WIDTH: usize = 25;

/// The numbers that describe a place in the text of a story.
const TEXT_WIDTH: usize = 11;

/// The numbers that compare two paths, for each place.
const CLOCK_WIDTH: usize = 4;

/// There are seldom more places.
const PLACES_MOSTLY: usize = 8;

/// How many of the last steps are counted apart, to see which places the end of a story names.
const LATE_STEPS: [usize; 3] = [10, 20, 40];

/// For so many of the last stays in a place, signs say how many moves came after each.
const LAST_STAYS: usize = 4;

/// How many of the last stays of a path are counted apart.
const LATE_STAYS: u32 = 6;

/// The signs of one story: the paths of a question's target and of the owners of its minds, and which places the text names.
///
/// ```text
/// step              0              1               2
/// event             Ann enters b.  Bob enters b.   Ann enters a.
/// path of Ann       a from 0 until 1, b from 1 until 3, a from 3 until 3
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signs {
    steps: u16,
    place_count: usize,
    /// The path of the target, and then those of the minds' owners, each once, the outermost first.
    paths: Vec<Vec<Stay>>,
    mentions: Vec<Mention>,
}

/// For each place, the visits of one path to it.
type Visits = SmallVec<[Visit; PLACES_MOSTLY]>;

/// The visits of a path to a place.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    count: u32,
    last: Stay,
    /// The last stay but one, if there were several.
    before: Stay,
    first: u32,
    /// How many moves came before the first stay, and how long it was.
    moves_before: u32,
    first_length: u32,
    /// The longest time from coming once to coming again.
    gap: u32,
    total: u32,
    longest: u32,
    /// How many moves came after the last stays, the last of all first.
    moves_since: [u32; LAST_STAYS],
    /// To how many other places the moves after the last stay led.
    recency: u32,
    /// How many of the last stays of all were there.
    late: u32,
}

/// A stay of somebody, or of an object, in one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stay {
    place: u16,
    /// The number of steps before it.
    from: u16,
    /// The number of steps after which it is over.
    until: u16,
}

/// A place that the sentence of a step names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mention {
    place: u16,
    step: u16,
    /// Whether it is said to be where the target is, by whomever.
    is_said: bool,
}

impl Signs {
    /// The number of signs of each place for a question about this many different minds.
    pub fn width(sight: Sight, minds: usize) -> usize {
        let pairs_of_minds = minds * minds.saturating_sub(1) / 2;
        match sight {
            Sight::Surface => TEXT_WIDTH,
            Sight::Target => PATH_WIDTH,
            Sight::Minds => minds * PATH_WIDTH + pairs_of_minds * CLOCK_WIDTH,
            Sight::Both => {
                let pairs = (minds + 1) * minds / 2;
                TEXT_WIDTH + (minds + 1) * PATH_WIDTH + pairs * CLOCK_WIDTH
            }
        }
    }

    /// The number of different minds that a question asks about.
    pub fn mind_count(question: &Question) -> usize {
        minds(question).len()
    }

    /// Reads the signs off a story. Costs O(events).
    pub fn read(&mut self, plan: &Plan, question: &Question, story: &Story) {
        let Target::Item(target) = question.target else {
            unreachable!("a belief about an item is balanced")
        };
        let minds = minds(question);
        // Balanced stories are not longer than that; see `admit_length`.
        self.steps = story.trace.events.len().min(usize::from(u16::MAX)) as u16;
        self.place_count = plan.map.place_count();
        self.paths.resize(1 + minds.len(), Vec::new());
        self.paths.iter_mut().for_each(Vec::clear);
        self.mentions.clear();
        match target {
            Item::Character(target) if plan.things().is_none() => self.read_walk(target, &minds, story),
            target => self.read_deeds(target, &minds, story),
        }
        for stays in &mut self.paths {
            stays.last_mut().expect("everyone is somewhere").until = self.steps;
        }
    }

    fn read_walk(&mut self, target: CharacterId, minds: &[CharacterId], story: &Story) {
        let start = &story.trace.start;
        for (path, who) in [&target].into_iter().chain(minds).enumerate() {
            self.come(path, start[who.index()].index(), 0);
        }
        for (step, event) in story.trace.events.iter().enumerate() {
            let place = event.to.index();
            self.mentions.push(Mention {
                place: place as u16,
                step: step.min(usize::from(u16::MAX)) as u16,
                is_said: false,
            });
            for (path, who) in [&target].into_iter().chain(minds).enumerate() {
                if *who == event.who {
                    self.come(path, place, step + 1);
                }
            }
        }
    }

    fn read_deeds(&mut self, target: Item, minds: &[CharacterId], story: &Story) {
        let trace = &story.trace;
        let mut scene = Scene::new(&trace.start, &trace.stage);
        let follow = |signs: &mut Self, scene: &Scene, time: usize| {
            let places = [reality(scene, target).place()].into_iter();
            let places = places.chain(minds.iter().map(|&who| Some(scene.place(who))));
            for (path, place) in places.enumerate() {
                let Some(place) = place.map(|place| place.index()) else { continue };
                if signs.paths[path].last().is_none_or(|stay| stay.place as usize != place) {
                    signs.come(path, place, time);
                }
            }
        };
        follow(self, &scene, 0);
        for (step, &event) in trace.events.iter().enumerate() {
            let act = trace.deeds.get(step).map_or(&Act::Go, |deed| &deed.act);
            if let Some((place, is_said)) = named(event, act, target) {
                self.mentions.push(Mention {
                    place: place as u16,
                    step: step.min(usize::from(u16::MAX)) as u16,
                    is_said,
                });
            }
            scene.apply(event, act);
            follow(self, &scene, step + 1);
        }
    }

    fn come(&mut self, path: usize, place: usize, time: usize) {
        let time = time.min(usize::from(u16::MAX)) as u16;
        if let Some(last) = self.paths[path].last_mut() {
            last.until = time;
        }
        self.paths[path].push(Stay { place: place as u16, from: time, until: time });
    }

    /// Appends what this sight shows: all signs of one place, then those of the next.
    /// Costs O(places · (mentions + places + paths²) + stays).
    pub fn show(&self, sight: Sight, shown: &mut Vec<f32>) {
        let paths = match sight {
            Sight::Surface => 0..0,
            Sight::Target => 0..1,
            Sight::Minds => 1..self.paths.len(),
            Sight::Both => 0..self.paths.len(),
        };
        let visits: SmallVec<[Visits; 4]> =
            self.paths[paths.clone()].iter().map(|path| self.visits(path)).collect();
        for place in 0..self.place_count {
            if matches!(sight, Sight::Surface | Sight::Both) {
                shown.extend(self.text_signs(place as u16));
            }
            for (path, visits) in paths.clone().zip(&visits) {
                shown.extend(self.path_signs(&self.paths[path], visits, place));
            }
            for (at, one) in visits.iter().enumerate() {
                for (path, other) in paths.clone().zip(&visits).skip(at + 1) {
                    shown.extend(self.clock_signs(one[place], (&self.paths[path], other[place]), place));
                }
            }
        }
    }

    /// The visits of a path to each place, added up.
    fn visits(&self, stays: &[Stay]) -> Visits {
        let mut visits: Visits = smallvec![Visit::default(); self.place_count];
        let mut recency = 0;
        for (moves, stay) in stays.iter().rev().enumerate() {
            let visit = &mut visits[stay.place as usize];
            if let Some(moves_since) = visit.moves_since.get_mut(visit.count as usize) {
                *moves_since = moves as u32;
            }
            match visit.count {
                0 => {
                    (visit.last, visit.recency) = (*stay, recency);
                    recency += 1;
                }
                1 => visit.before = *stay,
                _ => {}
            }
            let from = u32::from(stay.from);
            if visit.count > 0 {
                visit.gap = visit.gap.max(visit.first - from);
            }
            visit.count += 1;
            visit.late += u32::from((moves as u32) < LATE_STAYS);
            visit.first = from;
            visit.moves_before = (stays.len() - 1 - moves) as u32;
            visit.first_length = stay.length();
            visit.total += stay.length();
            visit.longest = visit.longest.max(stay.length());
        }
        visits
    }

    /// How often and when a place is named, and how often and when the target is said to be there.
    fn text_signs(&self, place: u16) -> [f32; TEXT_WIDTH] {
        let steps = u32::from(self.steps);
        let of = |is_said: bool| {
            self.mentions.iter().filter(move |one| one.place == place && (one.is_said || !is_said))
        };
        let first = of(false).next().map_or(steps, |one| u32::from(one.step));
        let since = |is_said| of(is_said).next_back().map_or(steps + 1, |one| steps - u32::from(one.step));
        let late =
            LATE_STEPS.map(|late| of(false).filter(|one| one.step as usize + late >= steps as usize).count());
        [
            of(false).count() as f32,
            first as f32,
            since(false) as f32,
            late[0] as f32,
            late[1] as f32,
            late[2] as f32,
            of(true).count() as f32,
            since(true) as f32,
            self.mentions.len() as f32,
            steps as f32,
            place as f32,
        ]
    }

    /// When, how often and how long a place was visited on a path.
    fn path_signs(&self, stays: &[Stay], visits: &Visits, place: usize) -> [f32; PATH_WIDTH] {
        let steps = u32::from(self.steps);
        let never = steps + 1;
        let ago = |visit: bool, time: u16| if visit { steps - u32::from(time) } else { never };
        let visit = visits[place];
        let rank =
            |of: fn(&Visit) -> u32| visits.iter().filter(|&other| of(other) > of(&visit)).count() as u32;
        let (is_visited, is_again) = (visit.count > 0, visit.count > 1);
        let moves_since = |back: usize| match visit.count as usize > back {
            true => visit.moves_since[back],
            false => stays.len() as u32,
        };
        [
            visit.count,
            ago(is_visited, visit.last.until),
            ago(is_visited, visit.last.from),
            if is_visited { visit.first } else { never },
            if is_visited { visit.moves_before } else { stays.len() as u32 },
            visit.first_length,
            visit.gap,
            visit.total,
            visit.longest,
            visit.last.length(),
            if is_visited { visit.recency } else { self.place_count as u32 },
            moves_since(0),
            moves_since(1),
            moves_since(2),
            moves_since(3),
            visit.late,
            ago(is_again, visit.before.from),
            ago(is_again, visit.before.until),
            rank(|visit| visit.total),
            rank(|visit| visit.longest),
            rank(|visit| visit.last.length()),
            rank(|visit| visit.first),
            steps,
            stays.len() as u32,
            stays.last().map_or(0, |stay| steps - u32::from(stay.from)),
        ]
        .map(|sign| sign as f32)
    }

    /// When another was last in a place, compared with when one had last been there.
    fn clock_signs(&self, one: Visit, other: (&[Stay], Visit), place: usize) -> [f32; CLOCK_WIDTH] {
        let (stays, other) = other;
        let end = |visit: Visit| if visit.count > 0 { f32::from(visit.last.until) } else { -1.0 };
        let left = end(one);
        let came = if other.count > 0 { f32::from(other.last.from) } else { -1.0 };
        let is_later = |stay: &&Stay| stay.place as usize == place && f32::from(stay.until) > left;
        let since = stays.iter().filter(is_later).count();
        let is_gone = left >= 0.0 && left < f32::from(self.steps);
        [end(other) - left, came - left, since as f32, if is_gone && since == 0 { 1.0 } else { 0.0 }]
    }
}

impl Stay {
    fn length(&self) -> u32 {
        u32::from(self.until - self.from)
    }
}

/// The owners of the minds that a question asks about, each once, the outermost first.
fn minds(question: &Question) -> Vec<CharacterId> {
    let mut minds: Vec<CharacterId> = Vec::new();
    for &who in &question.others {
        if !minds.contains(&who) && question.target != Target::Item(Item::Character(who)) {
            minds.push(who);
        }
    }
    minds
}

/// The place that the sentence of an event names as where somebody or something comes to, or is said to be; and whether it
/// is said of the target.
fn named(event: Event, act: &Act, target: Item) -> Option<(usize, bool)> {
    let place = match act {
        Act::Go | Act::GoTogether(_) | Act::Carry(_) => event.to,
        Act::Throw(_, place) | Act::Put(_, Value::Place(place)) => *place,
        Act::Tell(Telling { value: Value::Place(place), .. }) => *place,
        _ => return None,
    };
    let is_said = matches!(act, Act::Tell(telling) if telling.item == target);
    Some((place.index(), is_said))
}
