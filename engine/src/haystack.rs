//! Tells what others do before and after a story, until it has as many words as wanted and what settles its answer lies as deep in
//! it as wanted: the story is the needle, and all this its haystack.
//!
//! What the storyboard tells stays as it is, sentence by sentence. Whoever has a role stays where she is all the while. The others
//! go about in free play: before, so that everyone is back at the start when the storyboard's own part begins; after it, just so.
//! Where everybody has a role, the cast has passers-by as well ([`Storyboard::passers_by`]).
//! Whoever has a thing in hand stays, too, since it would go with her. So nobody comes to believe anything else of what the storyboard
//! asks about, and the same story can be told at every length and at every depth.

mod homeward;

use crate::diagnostic::Diagnostic;
use crate::id::{CharacterId, PlaceId};
use crate::plan::{Length, Moment, Plan, Question};
use crate::question::{Answer, Asker};
use crate::rng::{Purpose, Stream, StreamKey, below};
use crate::select::{Family, Selector, Twin};
use crate::simulate::Story;
use crate::storyboard::Storyboard;
use crate::text::{Display, Lexicon, Words};
use crate::trace::Trace;
use crate::world::{Act, Deed, Event, Item, Map, Scene, Value};
use homeward::Homeward;

/// How often others are drawn again if they let somebody learn something. Where people only walk, that never happens.
const TRIES: u64 = 8;

/// How many stories are tried out beforehand, and how many in a row may be refused.
const TRIED_OUT: u64 = 20;
const REFUSED_MAX: u64 = 50;

/// How often the number of steps is corrected by the number of words that it gave.
const CORRECTIONS: usize = 6;

/// Tells what others do around the stories of a plan.
///
/// ```
/// use storysim::haystack::{Haystack, Tellers};
/// use storysim::{compile::compile, question::Asker, simulate::{Simulator, Story}, text::{Lexicon, Words}};
/// use storysim::storyboard::{BUILT_IN, in_length, parse};
/// let board = parse(in_length(&BUILT_IN[0].source(), 2_000, Some(50)).unwrap()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// let (mut story, mut words) = (Story::default(), Words::default());
/// Simulator::new(&plan, 7).draw(0, &mut story);
/// let (mut asker, lexicon) = (Asker::new(&plan, 7), Lexicon::new(&plan, 7, str::to_owned));
/// let mut tellers = Tellers { asker: &mut asker, lexicon: &lexicon, words: &mut words };
/// assert!(Haystack::new(&plan, 7).unwrap().surround(&mut story, &mut [], 0, &mut tellers));
/// assert!(story.before > 100 && story.trace.events.len() > 200 + plan.horizon);
/// ```
#[derive(Clone, Debug)]
pub struct Haystack<'a> {
    plan: &'a Plan,
    length: Length,
    key: StreamKey,
    /// Those who have no role.
    others: Vec<CharacterId>,
    /// The walks that come back to each place, made when they are first needed.
    homeward: Vec<Option<Homeward>>,
    text: String,
}

/// What others do: before the storyboard's own part, and after it.
type Around = [Vec<Event>; 2];

/// What answers the questions of a story, and words it.
#[derive(Debug)]
pub struct Tellers<'r, 'a> {
    /// What answers the questions.
    pub asker: &'r mut Asker<'a>,
    /// The words of the plan.
    pub lexicon: &'r Lexicon<'a>,
    /// The words of the story, which are drawn anew.
    pub words: &'r mut Words,
}

impl<'a> Haystack<'a> {
    /// What tells around the stories of a plan under the seed of a run; `None` if the storyboard wants nothing told.
    pub fn new(plan: &'a Plan, seed: u64) -> Option<Self> {
        let key = StreamKey::derive(seed, &plan.fingerprint, Purpose::Around);
        let others = (plan.role_names.len()..plan.character_count).map(CharacterId::new).collect();
        let homeward = vec![None; plan.map.place_count()];
        Some(Self { plan, length: plan.length?, key, others, homeward, text: String::new() })
    }

    /// Tells what others do around a story, which belongs to an attempt, and around its twins: the same around all of them. A
    /// story that has as many words by itself stays as it is.
    ///
    /// Returns whether every answer is still the same, and rests on the same steps; otherwise the stories are as they were. The
    /// words of the story are drawn. Costs O(words).
    pub fn surround(
        &mut self,
        story: &mut Story,
        twins: &mut [Twin],
        attempt: u64,
        tellers: &mut Tellers<'_, 'a>,
    ) -> bool {
        let Tellers { asker, lexicon, words } = tellers;
        lexicon.draw(story, words);
        let needle = Needle {
            words: self.count(story, lexicon, words),
            steps: story.trace.events.len(),
            settled: settled(asker, story),
        };
        if needle.words >= self.length.words {
            return true;
        }
        let all = [&*story].into_iter().chain(twins.iter().map(|twin| &twin.story));
        let own: Vec<Trace> = all.map(|story| story.trace.clone()).collect();
        let thought_away = self.thought_away(&own);
        // Of people who only walk, nobody learns anything of those who stay where they are.
        let learns = self.plan.things().is_some();
        let mut answers = |story: &Story, twins: &[Twin]| {
            let all = [story].into_iter().chain(twins.iter().map(|twin| &twin.story));
            all.map(|story| answers(asker, story)).collect::<Vec<_>>()
        };
        let before = if learns { answers(story, twins) } else { Vec::new() };
        for number in 0..if learns { TRIES } else { 1 } {
            let stream = |part| self.key.stream(story.index, (attempt * TRIES + number) * 3 + part);
            let streams = [0, 1, 2].map(stream);
            // Whoever has handled things may be thought to have them in hand still; so she stays, after some tries.
            let mut others = if number < TRIES / 2 { self.others.clone() } else { self.idlers(&own) };
            others.retain(|who| !thought_away.contains(who));
            let Some(around) = self.around((story, &own), &others, needle, streams, (lexicon, words)) else {
                continue;
            };
            for (twin, own) in twins.iter_mut().zip(&own[1..]) {
                insert(&mut twin.story, own, &around);
                twin.step += around[0].len();
            }
            if !learns || answers(story, twins) == before {
                return true;
            }
            twins.iter_mut().for_each(|twin| twin.step -= around[0].len());
        }
        for (story, own) in [story].into_iter().chain(twins.iter_mut().map(|twin| &mut twin.story)).zip(own) {
            (story.trace, story.before) = (own, 0);
        }
        false
    }

    /// Those whose deed a question with `without` takes away: without it they may be elsewhere, and could not go about as told.
    fn thought_away(&self, own: &[Trace]) -> Vec<CharacterId> {
        let without = |question: &Question, own: &Trace| match question.moment_in(own, 0) {
            Moment::Without(step) => own.events.get(step).map(|event| event.who),
            Moment::End | Moment::Before(_) => None,
        };
        let questions = self.plan.questions.iter();
        questions.flat_map(|question| own.iter().filter_map(|own| without(question, own))).collect()
    }

    /// Those without a role who do nothing but go from place to place.
    fn idlers(&self, own: &[Trace]) -> Vec<CharacterId> {
        let acts = |trace: &Trace, who: CharacterId| {
            let mut deeds = trace.events.iter().zip(&trace.deeds);
            deeds.any(|(event, deed)| event.who == who && deed.act != Act::Go)
        };
        self.others.iter().copied().filter(|&who| !own.iter().any(|trace| acts(trace, who))).collect()
    }

    /// Draws what some others do around a story, and inserts the story into it. `None` if none of them could go about.
    fn around(
        &mut self,
        (story, own): (&mut Story, &[Trace]),
        others: &[CharacterId],
        needle: Needle,
        [mut depth, head, tail]: [Stream; 3],
        (lexicon, words): (&Lexicon<'a>, &mut Words),
    ) -> Option<Around> {
        let anywhere = || f64::from(below(&mut depth, u32::MAX)) / f64::from(u32::MAX);
        let depth = self.length.depth.unwrap_or_else(anywhere);
        let (walkers, ends) = walkers(others, own);
        let wanted = self.length.words;
        // At first as many words a step as in the story itself.
        let missing = (wanted - needle.words) as u64 * needle.steps as u64;
        let mut steps = needle.around(depth, missing.div_ceil(needle.words.max(1) as u64) as usize);
        let mut corrected = 0;
        loop {
            let before = self.head(others, &own[0], steps[0], &mut head.clone());
            steps[1] += steps[0] - before.len();
            steps[0] = before.len();
            if steps[1] > 0 && walkers.is_empty() {
                return None;
            }
            let after = self.tail(&walkers, &ends, steps[1], &mut tail.clone());
            let around = [before, after];
            insert(story, &own[0], &around);
            lexicon.draw(story, words);
            let count = self.count(story, lexicon, words);
            let told = steps[0] + steps[1];
            let a_step = (count.saturating_sub(needle.words) as f64 / told.max(1) as f64).max(1.0);
            let missing = ((wanted as f64 - count as f64) / a_step).round() as isize;
            if missing == 0 || corrected == CORRECTIONS {
                return Some(around);
            }
            corrected += 1;
            match steps[1].checked_add_signed(missing) {
                // Only the end changes, so that this comes to an end.
                Some(after) if corrected > 1 => steps[1] = after,
                _ => steps = needle.around(depth, told.saturating_add_signed(missing)),
            }
        }
    }

    /// So many free steps of some people, from where they are.
    fn tail(
        &self,
        walkers: &[CharacterId],
        places: &[PlaceId],
        steps: usize,
        stream: &mut Stream,
    ) -> Vec<Event> {
        let mut places = places.to_vec();
        let step = |_| {
            let who = walkers[below(stream, walkers.len() as u32) as usize];
            let from = places[who.index()];
            let ways = self.plan.map.ways(from);
            let to = ways[below(stream, ways.len() as u32) as usize];
            places[who.index()] = to;
            Event { who, from, to }
        };
        (0..steps).map(step).collect()
    }

    /// At most so many steps of some people, after which everyone is where she starts.
    fn head(&mut self, others: &[CharacterId], own: &Trace, steps: usize, stream: &mut Stream) -> Vec<Event> {
        if steps == 0 {
            return Vec::new();
        }
        let (start, scene) = (&own.start, Scene::new(&own.start, &own.stage));
        let map = &self.plan.map;
        for who in others {
            let home = start[who.index()];
            self.homeward[home.index()].get_or_insert_with(|| Homeward::new(map, home));
        }
        let homeward =
            |who: CharacterId| self.homeward[start[who.index()].index()].as_ref().expect("it was made");
        let goes = |who: &CharacterId| homeward(*who).is_possible() && !has_something(&scene, *who);
        let walkers: Vec<CharacterId> = others.iter().copied().filter(goes).collect();
        if walkers.is_empty() {
            return Vec::new();
        }
        let turns: Vec<CharacterId> =
            (0..steps).map(|_| walkers[below(stream, walkers.len() as u32) as usize]).collect();
        let mut left = vec![0; start.len()];
        turns.iter().for_each(|who| left[who.index()] += 1);
        // Whoever could not be back with her last turn has fewer.
        for who in &walkers {
            left[who.index()] = homeward(*who).turns_at_most(left[who.index()]);
        }
        let mut places = start.to_vec();
        let mut events = Vec::with_capacity(steps);
        for who in turns {
            let (left, from) = (&mut left[who.index()], places[who.index()]);
            if *left == 0 {
                continue;
            }
            *left -= 1;
            // On a map so winding that she cannot come home in time, nobody goes out.
            let Some(to) = homeward(who).way(map, from, *left, stream) else { return Vec::new() };
            places[who.index()] = to;
            events.push(Event { who, from, to });
        }
        events
    }

    /// The number of words of a story.
    fn count(&mut self, story: &Story, lexicon: &Lexicon<'a>, words: &Words) -> usize {
        self.text.clear();
        lexicon.story(story, words, Display::People, &mut self.text);
        self.text.split(' ').count()
    }
}

/// Tries out whether the stories of a family can be made as long as wanted, so that drawing them comes to an end.
///
/// # Errors
/// If nobody could go about before the storyboard's own part and something has to be told there; or if there are stories around
/// which others cannot go about without somebody learning something.
pub fn try_out(storyboard: &Storyboard, family: &Family) -> Result<(), Diagnostic> {
    let Some(length) = &storyboard.length else { return Ok(()) };
    // A depth that is not given may be 0 in every story.
    let tells_before =
        |plan: &Plan| plan.length.and_then(|length| length.depth).is_some_and(|depth| depth > 0.0);
    if family.plans().iter().any(|plan| tells_before(plan) && !comes_back(plan)) {
        let message =
            "nobody without a role can come back to where she starts, so nothing can be told beforehand";
        let problem = Diagnostic::error(message, length.words.span, "asked for here");
        return Err(problem.help("leave the depth out or write `at_depth: 0`, or let a way lead back there"));
    }
    if family.plans()[0].things().is_none() {
        return Ok(());
    }
    let (mut selector, mut story, mut words) =
        (Selector::for_twins(family, 0), Story::default(), Words::default());
    let mut members: Vec<_> = family.plans().iter().map(|_| None).collect();
    for index in 0..TRIED_OUT {
        let (mut attempts, mut refused) = (0, 0);
        loop {
            attempts = selector.draw_from(index, attempts, &mut story);
            let plan = selector.plan();
            let new = || (Haystack::new(plan, 0), Asker::new(plan, 0), Lexicon::new(plan, 0, str::to_owned));
            let (haystack, asker, lexicon) = members[selector.plan_number()].get_or_insert_with(new);
            let tellers = &mut Tellers { asker, lexicon, words: &mut words };
            if haystack
                .as_mut()
                .is_none_or(|haystack| haystack.surround(&mut story, &mut [], attempts - 1, tellers))
            {
                break;
            }
            refused += 1;
            if refused == REFUSED_MAX {
                let message =
                    "people cannot go about around these stories without somebody learning something by it";
                let problem = Diagnostic::error(message, length.words.span, "asked for here");
                return Err(problem.help(
                    "let people take part who have no role and handle no things: a greater `count` under `characters`",
                ));
            }
        }
    }
    Ok(())
}

/// Whether somebody without a role can come back to where she starts, whatever the cast.
fn comes_back(plan: &Plan) -> bool {
    let mut homes: Vec<Option<bool>> = vec![None; plan.map.place_count()];
    let mut is_home = |home: PlaceId| *homes[home.index()].get_or_insert_with(|| leads_back(&plan.map, home));
    let first = plan.role_names.len();
    plan.casts.iter().all(|cast| cast.start[first..].iter().any(|&home| is_home(home)))
}

/// Whether somebody who leaves a place can come back to it. Costs O(ways).
fn leads_back(map: &Map, home: PlaceId) -> bool {
    let (mut is_reached, mut next) = (vec![false; map.place_count()], vec![home]);
    while let Some(place) = next.pop() {
        for &way in map.ways(place) {
            if way == home {
                return true;
            }
            if !std::mem::replace(&mut is_reached[way.index()], true) {
                next.push(way);
            }
        }
    }
    false
}

/// The storyboard's own part of a story.
#[derive(Clone, Copy, Debug)]
struct Needle {
    words: usize,
    steps: usize,
    /// The step that settles the answer.
    settled: usize,
}

impl Needle {
    /// How many of so many further steps come before, and how many after.
    fn around(self, depth: f64, room: usize) -> [usize; 2] {
        let wanted = (depth * (self.steps + room) as f64).round() as usize;
        let before = wanted.saturating_sub(self.settled).min(room);
        [before, room - before]
    }
}

/// Those who go about after the storyboard's own part, and where everyone is then. Whoever is elsewhere in a twin stays where she
/// is.
fn walkers(others: &[CharacterId], own: &[Trace]) -> (Vec<CharacterId>, Vec<PlaceId>) {
    let ends: Vec<Scene> = own.iter().map(end).collect();
    let goes = |who: &CharacterId| {
        ends.iter().all(|scene| scene.place(*who) == ends[0].place(*who) && !has_something(scene, *who))
    };
    let places = ends[0].characters().map(|who| ends[0].place(who)).collect();
    (others.iter().copied().filter(goes).collect(), places)
}

/// The step that settles the answer to the first question that one does.
fn settled(asker: &mut Asker<'_>, story: &Story) -> usize {
    let mut evidence = asker.ask(story).iter().map(|answered| &answered.evidence);
    evidence.find_map(|evidence| evidence.iter().max().copied()).unwrap_or(0)
}

/// The answers to all questions of a story, with the steps of the storyboard's own part that settle them.
fn answers(asker: &mut Asker<'_>, story: &Story) -> Vec<(usize, Option<Answer>, Vec<usize>)> {
    let own = |step: &usize| step.wrapping_sub(story.before);
    let answers = asker.ask(story).iter();
    answers.map(|of| (of.question, of.answer, of.evidence.iter().map(own).collect())).collect()
}

/// Where everyone and everything is at the end.
fn end(trace: &Trace) -> Scene {
    let mut scene = Scene::new(&trace.start, &trace.stage);
    let walk = Deed::default();
    for (step, &event) in trace.events.iter().enumerate() {
        scene.apply(event, &trace.deeds.get(step).unwrap_or(&walk).act);
    }
    scene
}

/// Whether somebody has a thing in hand, which would go where she goes.
fn has_something(scene: &Scene, who: CharacterId) -> bool {
    scene.objects().any(|object| scene.value(Item::Object(object)) == Value::Hands(who))
}

/// Makes a story of the storyboard's own part and of what others do around it.
fn insert(story: &mut Story, own: &Trace, [before, after]: &Around) {
    story.before = before.len();
    let trace = &mut story.trace;
    trace.events.clear();
    trace.events.extend(before.iter().chain(&own.events).chain(after));
    trace.deeds.clear();
    if own.has_deeds() {
        let walks = |events: &[Event]| vec![Deed::default(); events.len()];
        trace.deeds.extend(walks(before).into_iter().chain(own.deeds.iter().cloned()).chain(walks(after)));
    }
}
