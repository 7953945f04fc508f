//! Reads off a story what is balanced.

use super::super::ranking::Ranking;
use super::deeds::DeedSieve;
use super::glance::Glance;
use super::paths::Paths;
use super::weigher::{MarginFactors, Weigher};
use crate::form::Hardness;
use crate::id::PlaceId;
use crate::plan::{Level, Margin, Plan, Property, Stage};
use crate::question::{Answer, Answered, Asker, DifficultyGauge};
use crate::simulate::Story;

/// Tells whether stories weigh enough, reading no more of them than that takes. The result is the same either way.
#[derive(Clone, Debug)]
pub enum Reader<'a> {
    /// The short way for walks, by a glance.
    Sieve(Box<Sieve>),
    /// The short way where people do more than walk.
    DeedSieve(Box<DeedSieve<'a>>),
    /// The plain way, by reading the whole story.
    Gauge(Box<Gauge<'a>>),
}

impl<'a> Reader<'a> {
    /// A reader of a plan's stories, given how difficult its questions usually are if that is balanced; `None` if no shares are.
    pub fn new(plan: &'a Plan, ranking: Option<&'a Ranking>) -> Option<Self> {
        let of_walks = || Sieve::new(plan).map(Box::new).map(Self::Sieve);
        let of_deeds = || DeedSieve::new(plan).map(Box::new).map(Self::DeedSieve);
        of_walks().or_else(of_deeds).or_else(|| Gauge::new(plan, ranking).map(Box::new).map(Self::Gauge))
    }

    /// Whether a story weighs more than `bar`.
    pub fn passes(&mut self, story: &Story, weigher: &Weigher, bar: f64) -> bool {
        match self {
            Self::Sieve(sieve) => sieve.passes(story, weigher, bar),
            Self::DeedSieve(sieve) => sieve.passes(story, weigher, bar),
            Self::Gauge(gauge) => gauge.levels(story).is_some_and(|levels| weigher.weigh(levels) > bar),
        }
    }

    /// The level of each margin for a story; `None` if the story weighs nothing.
    pub fn read(&mut self, story: &Story, weigher: &Weigher) -> Option<&[u16]> {
        self.passes(story, weigher, 0.0).then(|| self.levels(weigher))
    }

    /// The place that is the answer of the last story that passed; `None` if it is something else.
    pub fn place(&self) -> Option<PlaceId> {
        match self {
            Self::Sieve(sieve) => sieve.glance.answer().map(|place| PlaceId::new(usize::from(place))),
            Self::DeedSieve(sieve) => sieve.answer().and_then(Answer::place),
            Self::Gauge(gauge) => gauge.place,
        }
    }

    /// The level of each margin for the last story that passed.
    pub fn levels(&mut self, weigher: &Weigher) -> &[u16] {
        match self {
            Self::Sieve(sieve) => sieve.levels(weigher),
            Self::DeedSieve(sieve) => sieve.levels(),
            Self::Gauge(gauge) => &gauge.levels,
        }
    }
}

/// Reads the values of the balanced properties off stories.
#[derive(Clone, Debug)]
pub struct Gauge<'a> {
    plan: &'a Plan,
    asker: Asker<'a>,
    paths: Paths,
    /// What measures how difficult the question is, if a number of that is balanced.
    difficulty: Option<DifficultyGauge<'a>>,
    /// What ranks it, if that is balanced.
    ranking: Option<&'a Ranking>,
    /// The place that is the last answer.
    place: Option<PlaceId>,
    levels: Vec<u16>,
}

impl<'a> Gauge<'a> {
    /// A gauge of a plan's stories; `None` if no shares are balanced.
    pub fn new(plan: &'a Plan, ranking: Option<&'a Ranking>) -> Option<Self> {
        let balance = plan.balance.as_ref()?;
        let has_evidence = |margin: &Margin| margin.property.is_of_evidence();
        let asker = Asker::of_one(plan, balance.question, balance.margins.iter().any(has_evidence));
        let is_measured = |margin: &Margin| matches!(margin.property, Property::Difficulty(_));
        let difficulty = balance.margins.iter().any(is_measured).then(|| DifficultyGauge::new(plan));
        let (paths, levels) = (Paths::default(), Vec::new());
        Some(Self { plan, asker, paths, difficulty, ranking, place: None, levels })
    }

    /// The level of each margin for a story; `None` if a value is in none of the shares, or there is no answer.
    pub fn levels(&mut self, story: &Story) -> Option<&[u16]> {
        let balance = self.plan.balance.as_ref()?;
        let question = &self.plan.questions[balance.question];
        let answered = self.asker.ask(story).first()?;
        let answer = answered.answer?;
        self.place = answer.place();
        self.paths.follow(self.plan, question, story);
        let difficulty = self.difficulty.as_mut().map(|gauge| gauge.measure(story, answered));
        self.levels.clear();
        for margin in &balance.margins {
            let level = match margin.property {
                Property::Answer => Level::Answer(answer.value()),
                Property::AnswerRank => Level::Number(self.paths.rank(answer)? as u64),
                Property::AnswerRecency => Level::Number(self.paths.recency(answer)? as u64),
                Property::FalseBelief => Level::Number(u64::from(answered.false_belief == Some(true))),
                Property::OrderGap => {
                    Level::Number(answered.foils.lower_order.map_or(2, |lower| u64::from(lower != answer)))
                }
                Property::EvidencePosition => Level::Number(third(answered, story)),
                Property::Votes => {
                    let votes = self.paths.votes(self.plan, story, answer, &answered.foils)?;
                    Level::Number(votes as u64)
                }
                Property::Difficulty(Hardness::Quantile) => {
                    let (ranking, measured) = self.ranking.zip(difficulty.as_ref())?;
                    Level::Number(ranking.quantile(balance.question, measured)?.into())
                }
                Property::Difficulty(number) => {
                    Level::Number(difficulty.as_ref().and_then(|measured| measured.number(number))?)
                }
                Property::Shortcut(shortcut) => {
                    let named = self.paths.answer(self.plan, shortcut, &answered.foils);
                    Level::Number(named.map_or(2, |named| u64::from(named == answer)))
                }
            };
            self.levels.push(margin.level_of(level)? as u16);
        }
        Some(&self.levels)
    }
}

/// The third of a story in which the last piece of evidence lies; the first if the answer is held from the start.
fn third(answered: &Answered, story: &Story) -> u64 {
    let last = answered.evidence.last().copied().unwrap_or(0);
    (last * 3 / story.trace.events.len().max(1)) as u64
}

/// The short way for stories of people who walk: a story is read only until it is clear that it weighs too little.
///
/// The result equals that of a [`Gauge`] with [`Weigher::weigh`], to the last bit.
#[derive(Clone, Debug)]
pub struct Sieve {
    glance: Glance,
    /// The levels of the last story that passed.
    levels: Vec<u16>,
}

impl Sieve {
    /// A sieve of a plan's stories; `None` where more has to be known than a [`Glance`] shows.
    pub fn new(plan: &Plan) -> Option<Self> {
        let balance = plan.balance.as_ref()?;
        if balance.margins.iter().any(|margin| margin.property.is_of_evidence()) {
            return None;
        }
        Some(Self {
            glance: Glance::new(plan, &plan.questions[balance.question])?,
            levels: vec![0; balance.margins.len()],
        })
    }

    /// Whether a story weighs more than `bar`.
    pub fn passes(&mut self, story: &Story, weigher: &Weigher, bar: f64) -> bool {
        self.glance.begin(story);
        // To follow one mind takes less than this.
        if self.glance.order() > 1 && !self.can_pass(weigher, bar) {
            return false;
        }
        let Some(answer) = self.glance.find_answer(story) else { return false };
        let mut product = self.product(weigher, Stage::Path, answer, 1.0);
        let rank = weigher.rank_margin().and_then(|ranks| self.level(ranks, answer)).map_or(0, usize::from);
        let weighs_enough = |stage, product: f64| product * weigher.cap(stage, rank) > bar;
        if !weighs_enough(Stage::Path, product) {
            return false;
        }
        self.glance.meet(story);
        product = self.product(weigher, Stage::Company, answer, product);
        if !weighs_enough(Stage::Company, product) {
            return false;
        }
        self.glance.look_around(story);
        self.glance.find_lower(story);
        weighs_enough(Stage::All, self.product(weigher, Stage::All, answer, product))
            && weigher.weight_max > bar
    }

    /// The level of a margin for a story if this is its answer; `None` if such stories are never kept.
    fn level(&self, margin: &MarginFactors, answer: u8) -> Option<u16> {
        margin.level_of(self.glance.value(margin.property, answer)?)
    }

    /// The product of the factors up to a stage, given the product up to the previous one.
    fn product(&self, weigher: &Weigher, stage: Stage, answer: u8, before: f64) -> f64 {
        let factor = |margin: &MarginFactors| {
            self.glance.value(margin.property, answer).map_or(0.0, |value| margin.factor_of(value))
        };
        weigher.of_stage(stage).iter().fold(before, |product, margin| product * factor(margin))
    }

    /// Whether some answer could make a story weigh more than `bar`, as far as the target's path shows.
    fn can_pass(&self, weigher: &Weigher, bar: f64) -> bool {
        let mut products = [1.0; Glance::PLACES_MAX];
        let products = &mut products[..self.glance.place_count()];
        for margin in weigher.of_stage(Stage::Path) {
            multiply(&self.glance, margin, products);
        }
        let cap = |place| {
            let rank = weigher.rank_margin().and_then(|ranks| self.level(ranks, place));
            weigher.cap(Stage::Path, rank.map_or(0, usize::from))
        };
        (0..).zip(products).any(|(place, product)| *product * cap(place) > bar)
    }

    /// The level of each margin for the last story that passed.
    pub fn levels(&mut self, weigher: &Weigher) -> &[u16] {
        let answer = self.glance.answer().expect("a story that passed");
        for margin in weigher.all() {
            self.levels[margin.number] = self.level(margin, answer).expect("as above");
        }
        &self.levels
    }
}

/// Multiplies each place's product by the margin's factor if that place is the answer.
fn multiply(glance: &Glance, margin: &MarginFactors, products: &mut [f64]) {
    if let Property::Shortcut(shortcut) = margin.property {
        let named = glance.named(shortcut);
        let [wrong, right, neither] = [0, 1, 2].map(|value| margin.factor_of(value));
        let other = if named.is_some() { wrong } else { neither };
        for (place, product) in (0..).zip(products) {
            *product *= if named == Some(place) { right } else { other };
        }
        return;
    }
    for (place, product) in (0..).zip(products) {
        let value = glance.value(margin.property, place);
        *product *= value.map_or(0.0, |value| margin.factor_of(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;
    use crate::diagnostic::Source;
    use crate::effort::part;
    use crate::rng::{Purpose, StreamKey};
    use crate::select::Family;
    use crate::select::balance::{Weights, uniform};
    use crate::simulate::Simulator;
    use crate::storyboard::parse;

    const ROOMS: &str = "{complete: [kitchen, garden, study, cellar, attic, porch]}";

    fn plan(roles: &str, more: &str) -> Plan {
        let text = format!(
            "storysim: 1\nname: t\ncharacters: {{pool: people, count: 6}}\nroles: [{roles}]\n{more}\n"
        );
        let board = parse(Source { name: "t".into(), text });
        compile(&board.unwrap_or_else(|broken| panic!("{:?}", broken.problems)), &[]).unwrap().plan
    }

    fn walk(roles: &str, rest: &str, balance: &str) -> Plan {
        let balance = format!("balance: {{answer: uniform, {balance}, votes: uniform, shortcuts: 1/6}}");
        plan(roles, &format!("places: {ROOMS}\nstart: kitchen\nhorizon: 60\n{balance}\n{rest}"))
    }

    /// Holds the short way against the plain one: whatever is looked for in a story, and wherever one may stop.
    #[track_caller]
    fn assert_same(plan: &Plan, weights: &Weights, count: u64) {
        let weigher = Weigher::new(plan.balance.as_ref().unwrap(), weights);
        let key = StreamKey::derive(7, &plan.fingerprint, Purpose::Balance);
        let (mut short, mut gauge) = (Reader::new(plan, None).unwrap(), Gauge::new(plan, None).unwrap());
        assert!(!matches!(short, Reader::Gauge(_)));
        let (mut simulator, mut story) = (Simulator::new(plan, 7), Story::default());
        let (mut known, mut passed) = (0, 0);
        for index in 0..count {
            simulator.draw_attempt(index, 0, &mut story);
            // None at all, as in a run, and as near as it gets.
            let weight = gauge.levels(&story).map(|levels| weigher.weigh(levels));
            let drawn = uniform(&key, index, 0) * weigher.weight_max;
            let near = weight.unwrap_or(0.0).min(weigher.weight_max);
            for bar in [0.0, drawn, near, near.next_down().max(0.0)] {
                let wanted = weight.is_some_and(|weight| weight > bar);
                assert_eq!(
                    short.passes(&story, &weigher, bar),
                    wanted,
                    "story {index}, {weight:?} and {bar}"
                );
                if wanted {
                    assert_eq!(short.levels(&weigher), gauge.levels, "story {index}");
                    assert_eq!(short.place(), gauge.place, "story {index}");
                }
                passed += usize::from(wanted && bar == drawn);
            }
            known += usize::from(weight.is_some());
        }
        assert!(known > count as usize / 20 && passed > 20, "{known} and {passed} of {count}");
    }

    #[test]
    fn the_short_way_keeps_the_same_stories() {
        let ranks = "answer_rank: 0..5, false_belief: 5/6";
        let recency = "answer_recency: 0..4, order_gap: 5/6";
        let gap = &format!("{ranks}, order_gap: 5/6");
        for (roles, ranks) in [("S1, T", ranks), ("S1, S2, T", recency), ("S1, S2, S3, T", gap)] {
            let plan = walk(roles, &format!("questions: [belief: [{roles}]]"), ranks);
            assert_same(&plan, &made_up(&plan), 3_000);
        }
    }

    #[test]
    fn the_short_way_keeps_the_same_stories_by_the_weights_that_are_found() {
        let balance = "balance: {answer: uniform, false_belief: 1/2, votes: uniform}";
        let rest = "places: {complete: [a, b, c]}\nstart: a\nhorizon: 8\nquestions: [belief: [S1, T]]";
        let plan = plan("S1, T", &format!("{balance}\n{rest}"));
        let found = Family::from(plan.clone()).weights().stories.clone().expect("shares are balanced");
        let again = Family::from(plan.clone()).weights().stories.clone();
        assert_eq!(again.as_ref(), Some(&found), "whatever threads draw the pilots");
        assert_same(&plan, &found, 3_000);
    }

    /// As if they had been found; shares need not be possible for this.
    fn made_up(plan: &Plan) -> Weights {
        let balance = plan.balance.as_ref().unwrap();
        let ranks = balance.ranks().map_or(1, |ranks| balance.margins[ranks].shares.len());
        let margins = balance.margins.iter().enumerate();
        let factor = |margin: usize, level: usize| 0.5 + ((3 * margin + 5 * level) % 7) as f64 / 6.0;
        let of_margin = |(at, margin): (usize, &Margin)| {
            (0..=margin.shares.len()).map(|level| factor(at, level)).collect()
        };
        Weights {
            factors: margins.map(of_margin).collect(),
            largest: 20.0,
            caps: vec![vec![8.0; ranks], vec![3.0; ranks]],
            kept: 0.0,
            error: 0.0,
            worst: 0,
            pilots: 0,
            missing: Vec::new(),
        }
    }

    /// Someone twice, several casts, conditions, ranks that nobody asks for, shares that are all or nothing.
    #[test]
    fn the_short_way_keeps_the_same_stories_of_other_boards() {
        let twice = walk("S, T", "questions: [belief: [S, T, S, T]]", "last_place: 1/4");
        assert_same(&twice, &made_up(&twice), 5_000);
        let of_herself = walk("S, T", "questions: [belief: [T, S, T]]", "false_belief: 1/2");
        assert_same(&of_herself, &made_up(&of_herself), 5_000);
        let meeting = "bind: {p: {not: [kitchen]}}\nevents: [{at: 20, meet: {who: [A, B, T], in: p}}, \
                       {from: 40, for: 10, idle: [T]}]\nquestions: [belief: [A, B, T]]";
        let meeting = walk("A, B, T", meeting, "own_place: 0, false_belief: 1/2");
        assert_same(&meeting, &made_up(&meeting), 5_000);
    }

    const THINGS: &str = "containers: {box: kitchen, bag: kitchen}\nobjects: {plum: {in: [box, bag]}, fig: kitchen}\n\
                          play: {move: 3, carry: 1, throw: 1, take: 1, put: 1, move_object: 1, open: 1, tell: 2}\n";

    fn of_deeds(balance: &str, question: &str) -> Plan {
        let question = format!("balance: {balance}\nquestions: [belief: {question}]");
        plan("A, B, C", &format!("places: {ROOMS}\nstart: kitchen\nhorizon: 30\n{THINGS}{question}"))
    }

    #[test]
    fn the_short_way_keeps_the_same_stories_with_deeds() {
        let balance = "{false_belief: 1/2, order_gap: 1/2, shortcuts: 1/4}";
        let ranks = "{answer: uniform, answer_recency: 0..5, lower_order: 1/3, first_common_place: 1/4}";
        let of_one_mind = "{false_belief: 1/2, own_place: 1/4, last_named_with_her: 1/4}";
        for (balance, question) in part(
            [
                (balance, "[A, B, fig]"),
                (balance, "[A, B, C]"),
                (balance, "[A, B, plum]"),
                (of_one_mind, "[A, fig]"),
                (ranks, "[A, B, C]"),
                (of_one_mind, "[A, plum]"),
                (balance, "[A, B, A, C]"),
                (ranks, "[A, B, fig]"),
                (of_one_mind, "[A, C]"),
            ],
            0,
            4,
        ) {
            let plan = of_deeds(balance, question);
            assert_same(&plan, &made_up(&plan), 2_000);
        }
    }

    #[test]
    fn what_takes_more_than_a_glance_is_read_completely() {
        let walk = |balance: &str| {
            plan(
                "A, B",
                &format!(
                    "places: {ROOMS}\nstart: kitchen\nhorizon: 12\nbalance: {balance}\nquestions: [belief: [A, B]]"
                ),
            )
        };
        let plans = [
            (walk("{answer: uniform}"), "walk"),
            (walk("{evidence_position: uniform}"), "all"),
            (of_deeds("{own_place: 0}", "[A, plum]"), "deeds"),
            (of_deeds("{own_place: 1/2}", "[A, B]"), "deeds"),
            (of_deeds("{evidence_position: uniform}", "[A, B]"), "all"),
        ];
        for (plan, wanted) in plans {
            let way = match Reader::new(&plan, None) {
                Some(Reader::Sieve(_)) => "walk",
                Some(Reader::DeedSieve(_)) => "deeds",
                Some(Reader::Gauge(_)) => "all",
                None => "none",
            };
            assert_eq!(way, wanted, "{:?}", plan.balance);
        }
    }
}
