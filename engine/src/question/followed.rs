//! In which steps of a walk somebody acts whom a question is about.

use crate::id::CharacterId;
use crate::plan::{Draw, Plan};
use crate::simulate::Story;

/// Characters whose moves are followed, in the stories of a plan.
///
/// ```
/// use storysim::{compile::compile, question::Followed, simulate::{Simulator, Story}, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// let mut story = Story::default();
/// Simulator::new(&plan, 7).draw(0, &mut story);
/// let question = &plan.questions[0];
/// let mut followed = Followed::new(&plan, question.others.iter().copied().chain([question.character()]));
/// let steps = followed.steps(&story);
/// assert!(steps.len() < plan.horizon && steps.contains(&11)); // there T leaves
/// ```
#[derive(Clone, Debug)]
pub struct Followed {
    /// For each character, whether its moves are followed.
    is_followed: Vec<bool>,
    /// For each cast, the ranges of steps (first, end) in which a followed character may act.
    spans: Vec<Vec<(u32, u32)>>,
    /// A buffer as long as the story; only its first `count` entries are valid.
    steps: Vec<u32>,
    /// The number of valid entries.
    count: usize,
}

impl Followed {
    /// Follows these characters in the stories of a plan.
    pub fn new(plan: &Plan, characters: impl IntoIterator<Item = CharacterId>) -> Self {
        let characters: Vec<CharacterId> = characters.into_iter().collect();
        let mut is_followed = vec![false; plan.character_count];
        characters.iter().for_each(|who| is_followed[who.index()] = true);
        let is_in = |actors: &Vec<CharacterId>| actors.iter().any(|who| characters.contains(who));
        let is_in: Vec<bool> = plan.actor_sets.iter().map(is_in).collect();
        let spans = plan.casts.iter().map(|cast| {
            let mut spans: Vec<(u32, u32)> = Vec::new();
            let mut from = 0;
            for phase in &cast.phases {
                let until = phase.until as u32;
                if !matches!(phase.draw, Draw::Free(actors) if !is_in[actors]) {
                    match spans.last_mut() {
                        Some(last) if last.1 == from => last.1 = until,
                        _ => spans.push((from, until)),
                    }
                }
                from = until;
            }
            spans
        });
        Self { spans: spans.collect(), is_followed, steps: Vec::new(), count: 0 }
    }

    /// The steps in which a followed character acts.
    ///
    /// Of what others do around the storyboard's own part, it looks at nothing: nobody acts there about whom questions are.
    ///
    /// Costs O(steps), not counting those in which only others can act, and takes no branch that depends on who acts.
    pub fn steps(&mut self, story: &Story) -> &[u32] {
        let events = &story.trace.events;
        if self.steps.len() < events.len() {
            self.steps.resize(events.len(), 0);
        }
        let (mut count, before) = (0, story.before as u32);
        for (from, until) in
            self.spans[story.cast].iter().map(|(from, until)| (before + from, before + until))
        {
            let events = events.get(from as usize..until as usize).unwrap_or(&[]);
            for (step, event) in (from..).zip(events) {
                self.steps[count] = step;
                count += usize::from(self.is_followed[event.who.index()]);
            }
        }
        self.count = count;
        self.found()
    }

    /// The steps that [`Self::steps`] found last.
    pub fn found(&self) -> &[u32] {
        &self.steps[..self.count]
    }
}
