//! Draws the stories of a run: each again until it meets the goals and is kept. Some of these may be about how difficult a question is
//! among usual stories, so those are drawn here as well.

use super::balance::Balancer;
use super::family::{Family, Picks};
use rand::Rng as _;

use super::judge::{Judge, judges};
use super::look::Look;
use super::ranking::Ranking;
use super::weave::{Weaver, seed_of};
use crate::plan::{Balance, Hardest, Plan, written_number};
use crate::question::{Asker, DifficultyGauge, HardnessGauge};
use crate::rng::{Purpose, StreamKey};
use crate::simulate::{Simulator, Story};

/// The number of pilot stories by which questions are ranked.
const PILOTS: u64 = 500;

/// How difficult the questions of a family's stories usually are. The first to ask has pilot stories made.
///
/// They are stories of the same family, neither the hardest of several nor of a certain rank, under a seed that follows from nothing
/// but what decides what happens in them. So the rank of a question is a function of its row.
pub fn ranking(family: &Family) -> &Ranking {
    family.ranking_or_make(|| {
        let key = StreamKey::derive(0, &family.plans()[0].fingerprint, Purpose::Difficulty);
        let seed = key.stream(0, 0).next_u64();
        let mut members: Vec<_> = family.plans().iter().map(|_| None).collect();
        let (mut selector, mut story) = (Selector::of_pilots(family, seed), Story::default());
        let mut scores = vec![Vec::new(); family.question_count()];
        for index in 0..PILOTS {
            selector.draw(index, &mut story);
            let plan = selector.plan();
            let new = || (Asker::new(plan, seed), DifficultyGauge::new(plan));
            let (asker, gauge) = members[selector.plan_number()].get_or_insert_with(new);
            for answered in asker.ask(&story) {
                let number = written_number(&plan.bundles, answered.question);
                scores[number].push(gauge.measure(&story, answered).score());
            }
        }
        Ranking::new(scores)
    })
}

/// Draws the stories of a storyboard under one seed, so that they meet the goals.
///
/// ```
/// use storysim::{compile::compile, select::{Family, Selector}, simulate::Story, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let family = Family::from(compile(&board, &[]).unwrap().plan);
/// let mut story = Story::default();
/// assert_eq!(Selector::new(&family, 7).draw(42, &mut story), 1); // there is no goal to miss
/// ```
#[derive(Clone, Debug)]
pub struct Selector<'a> {
    family: &'a Family,
    seed: u64,
    /// Whether the stories are only drawn to look at them.
    is_trial: bool,
    /// Whether balanced stories are kept only at a second look.
    looks_twice: bool,
    /// Whether questions are ranked by these stories: then neither the hardest is told, nor those of a certain rank.
    is_pilot: bool,
    picks: Picks,
    /// What draws the stories of each plan, made when the first of them is drawn.
    members: Vec<Option<Member<'a>>>,
    /// The number of the plan of the last story.
    current: usize,
    /// What draws the stories of the strands, where they are woven.
    strands: Vec<Self>,
    weaver: Option<Box<Weaver<'a>>>,
}

impl<'a> Selector<'a> {
    /// A selector of the stories of a family under the seed of a run.
    pub fn new(family: &'a Family, seed: u64) -> Self {
        let members = vec![None; family.plans().len()];
        Self {
            family,
            seed,
            is_trial: false,
            looks_twice: true,
            is_pilot: false,
            picks: family.picks(seed),
            members,
            current: 0,
            strands: Vec::new(),
            weaver: None,
        }
        .weaving(Self::new)
    }

    /// The same, whose stories are woven of those that `select` draws of each strand, if they are woven.
    fn weaving(self, select: fn(&'a Family, u64) -> Self) -> Self {
        let strands = self.family.strands().iter().enumerate();
        let strands = strands.map(|(at, strand)| select(strand, seed_of(self.seed, at))).collect();
        Self { strands, weaver: Weaver::new(self.family, self.seed).map(Box::new), ..self }
    }

    /// A selector of stories to find twins for. Shares are balanced over both then, and there is no second look.
    pub fn for_twins(family: &'a Family, seed: u64) -> Self {
        // Where stories are woven, one strand has the twin, and draws its stories by itself.
        Self { looks_twice: false, ..Self::new(family, seed) }
    }

    /// A selector of stories by which questions are ranked.
    fn of_pilots(family: &'a Family, seed: u64) -> Self {
        Self { is_pilot: true, ..Self::new(family, seed) }.weaving(Self::of_pilots)
    }

    /// A selector of stories that are only tried out and have nothing to do with those of any run. There is no second look
    /// at them.
    pub(super) fn of_trials(family: &'a Family) -> Self {
        Self { is_trial: true, ..Self::for_twins(family, 0) }.weaving(|family, _| Self::of_trials(family))
    }

    /// The family whose stories are drawn.
    pub const fn family(&self) -> &'a Family {
        self.family
    }

    /// The plan of the story drawn last; before that, a plan of the family.
    pub fn plan(&self) -> &'a Plan {
        &self.family.plans()[self.current]
    }

    /// The number of that plan in its family.
    pub const fn plan_number(&self) -> usize {
        self.current
    }

    /// Draws the story with an index into `story`, whose memory is reused. Returns the number of attempts it took. Does
    /// not return if no story can meet the goals; see [`super::admit`].
    pub fn draw(&mut self, index: u64, story: &mut Story) -> u64 {
        self.draw_from(index, 0, story)
    }

    /// Draws the story with an index, starting at the attempt `first`, so that one can go on if a story will not do. Returns
    /// the number of attempts, including those before the first.
    pub fn draw_from(&mut self, index: u64, first: u64, story: &mut Story) -> u64 {
        if self.weaver.is_some() {
            let draw = |_, strand: &mut Self, story: &mut Story| {
                let attempts = strand.draw_from(index, first, story);
                (strand.plan_number(), attempts)
            };
            return self.draw_woven((index, first), draw, story);
        }
        if self.family.balance().is_some() {
            // The answer depends on cast and numbers, so those are drawn again, too.
            let is_kept = |&attempt: &u64| self.take(index, attempt).keeps(index, attempt, story);
            let attempt = (first..).find(is_kept).expect("one is kept");
            self.take(index, attempt).simulator.draw_cast_again(index, attempt, story);
            return 1 + attempt;
        }
        let is_alone = self.members.len() == 1;
        self.take(index, 0).draw_from(index, first, story, is_alone)
    }

    /// Draws a story that is only looked at, of a plan and a cast, by its number; where shares are balanced, of any of them.
    pub(super) fn draw_trial(&mut self, plan: usize, cast: usize, number: u64, story: &mut Story) {
        if self.family.balance().is_some() || self.weaver.is_some() {
            self.draw_from(number, 0, story);
            return;
        }
        self.current = plan;
        let member = self.member();
        member.simulator.draw_cast(number, story);
        story.cast = cast;
        member.draw_walk_from(number, 0, story);
    }

    /// Draws the story of every strand, starting at an attempt, and weaves them. `draw` is given the strand's number and what draws its
    /// stories, and returns the number of the plan and the number of attempts. Returns the number of attempts of the strand that
    /// took most.
    pub(super) fn draw_woven(
        &mut self,
        at: (u64, u64),
        mut draw: impl FnMut(usize, &mut Self, &mut Story) -> (usize, u64),
        story: &mut Story,
    ) -> u64 {
        let weaver = self.weaver.as_deref_mut().expect("stories that are woven");
        let (mut numbers, mut attempts) = (Vec::with_capacity(self.strands.len()), at.1);
        for (strand, (selector, own)) in self.strands.iter_mut().zip(&mut weaver.stories).enumerate() {
            let (number, drawn) = draw(strand, selector, own);
            numbers.push(number);
            attempts = attempts.max(drawn);
        }
        self.current = weaver.weave(&numbers, at, story);
        attempts
    }

    /// What weaves stories, if they are woven.
    pub(super) fn weaver(&self) -> Option<&Weaver<'a>> {
        self.weaver.as_deref()
    }

    /// What draws this attempt at a story.
    fn take(&mut self, index: u64, attempt: u64) -> &mut Member<'a> {
        self.current = self.picks.plan(index, attempt);
        self.member()
    }

    /// What draws the stories of the current plan.
    fn member(&mut self) -> &mut Member<'a> {
        let Self { family, seed, is_trial, looks_twice, is_pilot, current, .. } = *self;
        let look = family.weights().look.as_ref().filter(|_| looks_twice);
        self.members[current].get_or_insert_with(|| {
            let plan = &family.plans()[current];
            // A strand's shares of quantiles are kept even if the woven stories are pilots: it was ranked before it was woven.
            let has_quantiles = plan.balance.as_ref().is_some_and(Balance::has_quantiles);
            let is_ranked = has_quantiles || !is_pilot && plan.is_of_ranks();
            let ranking = is_ranked.then(|| ranking(family));
            let hardest = plan.hardest.filter(|_| !is_pilot);
            Member::new(family, plan, (seed, is_trial), look, ranking, hardest)
        })
    }
}

/// Draws the stories of one plan.
#[derive(Clone, Debug)]
struct Member<'a> {
    simulator: Simulator<'a>,
    judges: Vec<Judge<'a>>,
    balancer: Option<Balancer<'a>>,
    /// If the hardest of several walks is told: of how many, and by what.
    hardness: Option<(u64, HardnessGauge<'a>)>,
}

impl<'a> Member<'a> {
    fn new(
        family: &'a Family,
        plan: &'a Plan,
        (seed, is_trial): (u64, bool),
        look: Option<&'a Look>,
        ranking: Option<&'a Ranking>,
        hardest: Option<Hardest>,
    ) -> Self {
        let balancer = family.balance().map(|(_, weights)| Balancer::new(plan, seed, weights, look, ranking));
        let simulator = if is_trial { Simulator::of_trials(plan) } else { Simulator::new(plan, seed) };
        let gauge = |Hardest { of, by, question }| (of, HardnessGauge::new(plan, seed, by, question));
        Self { simulator, judges: judges(plan, seed, ranking), balancer, hardness: hardest.map(gauge) }
    }

    /// Draws a story. `is_alone` says that there is no other plan. Where there are several, successive stories seldom have
    /// the same one, so it is of no use to draw the next stories along with this one.
    fn draw_from(&mut self, index: u64, first: u64, story: &mut Story, is_alone: bool) -> u64 {
        let is_free = self.judges.is_empty() && self.hardness.is_none();
        if is_free && self.simulator.is_swift() && first == 0 && is_alone {
            self.simulator.draw(index, story);
            return 1;
        }
        self.simulator.draw_cast(index, story);
        self.draw_walk_from(index, first, story)
    }

    /// Draws the events of a story whose cast has been drawn: the first attempt that meets the goals, or the hardest of several.
    fn draw_walk_from(&mut self, index: u64, first: u64, story: &mut Story) -> u64 {
        let Some(walks) = self.hardness.as_ref().map(|(walks, _)| *walks) else {
            return self.draw_next(index, first, story);
        };
        let (mut hardest, mut next) = ((0, first), first);
        for walk in 0..walks {
            next = self.draw_next(index, next, story);
            let (_, gauge) = self.hardness.as_mut().expect("it is there");
            // A question that is not asked is not hard at all.
            let measure = gauge.measure(story).unwrap_or(0);
            // Of those that are just as hard, the first.
            if walk == 0 || measure > hardest.0 {
                hardest = (measure, next - 1);
            }
        }
        self.simulator.draw_walk(index, hardest.1, story);
        next
    }

    /// Draws the events of a story whose cast has been drawn, until it meets the goals.
    fn draw_next(&mut self, index: u64, first: u64, story: &mut Story) -> u64 {
        let meets_goals = |&attempt: &u64| {
            self.simulator.draw_walk(index, attempt, story)
                && self.judges.iter_mut().all(|judge| judge.accepts(story))
        };
        1 + (first..).find(meets_goals).expect("one meets them")
    }

    /// Draws everything in one attempt except who plays it. Returns whether the attempt is kept.
    fn keeps(&mut self, index: u64, attempt: u64, story: &mut Story) -> bool {
        self.simulator.draw_attempt(index, attempt, story)
            && self.judges.iter_mut().all(|judge| judge.accepts(story))
            && self.balancer.as_mut().is_none_or(|balancer| balancer.keeps(story, attempt))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Claim, check};
    use crate::compile::compile;
    use crate::diagnostic::Source;
    use crate::select::{Admitted, admit};
    use crate::storyboard::{BUILT_IN, Storyboard, parse};

    fn built_in(name: &str) -> Storyboard {
        parse(BUILT_IN.iter().find(|board| board.name == name).unwrap().source()).unwrap()
    }

    #[test]
    fn a_story_follows_from_its_index_whatever_was_drawn_before() {
        let board = built_in("second-order-goal");
        let Admitted { family, acceptance } =
            admit(&board, vec![compile(&board, &[]).unwrap().plan]).unwrap();
        let (mut all, mut one, mut attempts) = (Selector::new(&family, 7), Selector::new(&family, 7), 0);
        let (mut story, mut again) = (Story::default(), Story::default());
        for index in 0..200 {
            attempts += all.draw(index, &mut story);
            check(&board, &Claim::of(all.plan(), &story)).unwrap();
            if index % 17 == 0 {
                one.draw(index, &mut again);
                assert_eq!(story, again);
            }
        }
        let expected = acceptance.unwrap().attempts() * 200.0;
        assert!((attempts as f64 / expected - 1.0).abs() < 0.4, "{attempts}, not {expected}");
    }

    #[test]
    fn goals_that_tables_see_to_are_met_at_once() {
        let text = "storysim: 1\nname: t\ncharacters: {pool: people, count: 5}\nroles: [S1, T]\n\
                    places: {complete: [a, b, c]}\nstart: a\nhorizon: 30\nensure: [{false_belief: [S1, T]}]\n";
        let board = parse(Source { name: "t".into(), text: text.into() }).unwrap();
        let Admitted { family, acceptance } =
            admit(&board, vec![compile(&board, &[]).unwrap().plan]).unwrap();
        assert_eq!(acceptance, None);
        let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
        for index in 0..300 {
            assert_eq!(selector.draw(index, &mut story), 1);
            check(&board, &Claim::of(selector.plan(), &story)).unwrap();
        }
    }

    #[test]
    fn a_cast_under_the_floor_is_named() {
        // Whoever is told to end in c cannot be wrong about it at the end.
        let text = "storysim: 1\nname: t\ncharacters: {pool: people, count: 5}\nroles: [S1, S2, T]\nbind: {p: {}}\n\
                    places: {complete: [a, b, c]}\nstart: a\nhorizon: 30\nevents: [{at: 29, meet: {who: [S1, S2, T], in: p}}]\n\
                    ensure: [{false_belief: [S1, S2, T]}]\n";
        let board = parse(Source { name: "t".into(), text: text.into() }).unwrap();
        let plan = compile(&board, &[]).unwrap().plan;
        let problem = admit(&board, vec![plan]).unwrap_err();
        assert!(problem.message.contains("met this goal where p is a"), "{}", problem.message);
    }
}
