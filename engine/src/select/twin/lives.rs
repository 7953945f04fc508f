//! Twins of stories by lives.
//!
//! One move leads elsewhere, and so somebody hears other news. In the first twin it is a move of the main character: what is
//! announced, and where the teller goes, is the same. In the second twin of a triplet it is a move of the teller: the main character
//! goes where she went. In either, she thinks something else at the end of that scenario; that belief is the question that counts.
//!
//! Who is with her at the end of every scenario is the same. What somebody does depends on that, so else the choices that speak
//! of deeds would tell the two stories apart.
//!
//! What she thinks then is what one of the other lives thinks, and so a story and its twins can offer the same choices. For that, the
//! life that is led in a twin is one more of the lives that might have been ([`share`]).

use super::same::Same;
use super::{Twin, outline};
use crate::check::{Claim, check};
use crate::id::{CharacterId, PlaceId};
use crate::plan::{Lives, Plan, Question, Scenarios};
use crate::question::{AtEnd, CoursePlan, Courses};
use crate::rng::{Purpose, StreamKey, below};
use crate::simulate::Story;
use crate::storyboard::Storyboard;
use crate::world::Act;

/// Finds the twins of one plan's stories by lives.
#[derive(Clone, Debug)]
pub struct LivesFinder<'a> {
    storyboard: &'a Storyboard,
    plan: &'a Plan,
    lives: Lives,
    scenarios: Scenarios,
    courses: CoursePlan<'a>,
    /// Who does not do what she does in the story.
    changed: CharacterId,
    key: StreamKey,
}

/// A move that leads elsewhere, and the step of the next move of the same character.
#[derive(Clone, Copy, Debug)]
struct Detour {
    step: usize,
    next: usize,
    to: PlaceId,
}

impl<'a> LivesFinder<'a> {
    /// A finder for a plan, under the seed of a run; `None` if its stories are not drawn by lives, or nothing is asked of the one whose
    /// lives they are.
    pub fn new(storyboard: &'a Storyboard, plan: &'a Plan, seed: u64, same: Same) -> Option<Self> {
        let (lives, scenarios) = (*plan.lives()?, plan.scenarios?);
        let is_of_lives = |courses: &CoursePlan<'_>| courses.is_of(&lives);
        let courses = CoursePlan::all(plan, seed).into_iter().find(is_of_lives)?;
        let (changed, purpose) = match same {
            Same::Target => (lives.whose, Purpose::Twin),
            Same::Minds => (lives.by, Purpose::TargetTwin),
        };
        let key = StreamKey::derive(seed, &plan.fingerprint, purpose);
        Some(Self { storyboard, plan, lives, scenarios, courses, changed, key })
    }

    /// Looks for a twin of a story, which belongs to an attempt. Returns whether there is one.
    ///
    /// Costs O(moves · places) to list the changes, and O(events · lives) and a [`check()`] for each that is tried.
    pub fn find(&mut self, story: &Story, attempt: u64, twin: &mut Twin) -> bool {
        let mut stream = self.key.stream(story.index, attempt);
        let mut detours = self.detours(story);
        let own = self.courses.courses(story);
        while !detours.is_empty() {
            let drawn = below(&mut stream, detours.len() as u32) as usize;
            let detour = detours.swap_remove(drawn);
            outline(story, &mut twin.story);
            self.lead(story, detour, &mut twin.story);
            let other = self.courses.courses(&twin.story);
            if self.differs(detour.step, &own, &other)
                && check(self.storyboard, &Claim::of(self.plan, &twin.story)).is_ok()
            {
                self.note(&other, &mut twin.story);
                twin.step = detour.step;
                return true;
            }
        }
        false
    }

    /// All moves that may lead elsewhere without anybody going where she is already. Another move has to follow in the same
    /// scenario, so that who is with whom at its end is the same.
    fn detours(&self, story: &Story) -> Vec<Detour> {
        let trace = &story.trace;
        let is_move =
            |step: &usize| trace.events[*step].who == self.changed && trace.deeds[*step].act == Act::Go;
        let moves: Vec<usize> = (0..trace.events.len()).filter(is_move).collect();
        let mut detours = Vec::new();
        for pair in moves.windows(2) {
            let [step, next] = [pair[0], pair[1]];
            if step / self.scenarios.steps != next / self.scenarios.steps {
                continue;
            }
            let taken = [trace.events[step].from, trace.events[step].to, trace.events[next].to];
            let others = (0..self.plan.map.place_count()).map(PlaceId::new).filter(|to| !taken.contains(to));
            detours.extend(others.map(|to| Detour { step, next, to }));
        }
        detours
    }

    /// Makes the story in which one move leads elsewhere.
    fn lead(&self, story: &Story, Detour { step, next, to }: Detour, twin: &mut Story) {
        let (trace, own) = (&story.trace, &mut twin.trace);
        own.events.clone_from(&trace.events);
        own.deeds.clone_from(&trace.deeds);
        own.events[step].to = to;
        own.events[next].from = to;
        for at in step + 1..next {
            let event = &mut own.events[at];
            if event.who == self.changed {
                (event.from, event.to) = (to, to); // what the teller announces there
            }
        }
    }

    /// Notes which announcements of a twin are heard in the life that is led in it.
    fn note(&self, courses: &Courses, twin: &mut Story) {
        let Lives { between, .. } = self.lives;
        let count = self.lives.count();
        twin.lives.chunks_mut(count).for_each(|scenario| scenario[0] = 0);
        for step in &courses.heard[0].steps {
            let (scenario, at) = (step / self.scenarios.steps, step % self.scenarios.steps);
            twin.lives[scenario * count] |= 1 << (at / (between + 1));
        }
    }

    /// Whether she thinks something else at the end of the scenario of a step, and what another life thinks; and whether that makes a
    /// difference to a question.
    fn differs(&self, step: usize, own: &Courses, other: &Courses) -> bool {
        let scenario = step / self.scenarios.steps;
        let thinks = |course: &[AtEnd]| course[scenario].mood.thinks;
        let thought = thinks(&other.lives[0]);
        let subject = self.courses.subject();
        let is_another = |question: &Question| {
            let told = other.told(question, 0);
            (1..own.count()).any(|life| own.told(question, life) == told)
        };
        thought != thinks(&own.lives[0])
            && own.lives[1..own.count()].iter().any(|life| thinks(life) == thought)
            && self.plan.questions.iter().any(|question| subject.is_of(question) && is_another(question))
    }
}

/// Adds to the lives of a story and its twins those that are led in the others, in their order: first the story's, then those of
/// the twins. Each may then offer what became of her in any of them. Does nothing where stories are not drawn by lives.
pub fn share(plan: &Plan, stories: &mut [&mut Story]) {
    let Some(lives) = plan.lives() else { return };
    let count = lives.count();
    let led: Vec<Vec<u8>> =
        stories.iter().map(|story| story.lives.chunks(count).map(|life| life[0]).collect()).collect();
    for (at, story) in stories.iter_mut().enumerate() {
        let others: Vec<&Vec<u8>> =
            (0..led.len()).filter(|other| *other != at).map(|other| &led[other]).collect();
        let scenarios = story.lives.chunks(count).enumerate();
        let of = |(scenario, life): (usize, &[u8])| {
            life.iter().copied().chain(others.iter().map(|led| led[scenario])).collect::<Vec<u8>>()
        };
        story.lives = scenarios.flat_map(of).collect();
    }
}
