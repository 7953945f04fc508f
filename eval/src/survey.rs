//! What the stories of a plan are like: how likely, how many, with which answers.
//!
//! Probabilities come from the tables, and are exact. What depends on whole stories is measured on some:
//! always the same ones, so a survey says the same of the same storyboard.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::compile::{coincidence, woven_coincidence};
use crate::pack::RuleWords;
use crate::plan::{Plan, Question, Staging, Values, written_number};
use crate::question::{Answer, Asker, Shown, Standing, Verdict};
use crate::select::{Acceptance, Family, Selector};
use crate::simulate::Story;
use crate::storyboard::Storyboard;
use crate::world::How;

/// The largest number of stories that are looked at.
const STORIES_MAX: usize = 2_000;

/// Roughly the most that looking at stories may cost: a unit for every event, including those of attempts that missed a
/// goal, and for what every chain may hold then.
const COST_MAX: usize = 16_000_000;

/// The smallest number of stories that are looked at.
const STORIES_MIN: usize = 4;

/// The factor by which the share of stories that meet goals may be overestimated without making the bounds wrong.
const SHARE_ERROR_MAX: f64 = 4.0;

/// Everything that is reported about a storyboard under some values of its parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Survey {
    /// The storyboard's name.
    pub storyboard: String,
    /// The storyboard's parameters with their values.
    pub parameters: serde_json::Map<String, serde_json::Value>,
    /// Always true: an unsatisfiable storyboard has no plan.
    pub satisfiable: bool,
    /// The numbers that are drawn for each story, with their smallest and largest values.
    pub drawn: BTreeMap<String, [i64; 2]>,
    /// The number of events in a story; the largest if it depends on drawn numbers.
    pub steps: usize,
    /// The smallest number of events in a story.
    pub least_steps: usize,
    /// The largest number of characters in a story.
    pub characters: usize,
    /// The smallest number of characters in a story.
    pub least_characters: usize,
    /// The number of places.
    pub places: usize,
    /// The number of ways to bind the places and draw numbers, and how many of them can meet the demands.
    pub casts: Casts,
    /// The decimal logarithm of the probability that free play meets all demands, on average over these casts.
    pub log10_probability: f64,
    /// How many stories meet the goals that the tables cannot see to, if there are such goals.
    pub redrawn: Option<Redrawn>,
    /// How many bits it takes to say who plays a story, where, and what happens in it. `None` where people do more than
    /// walk (what they do then has no table), where shares are balanced, where numbers are drawn, or where stories are woven.
    pub entropy_bits: Option<Estimate>,
    /// Proven bounds on the probability that any two of many stories are the same; for stories that are redrawn, provided
    /// that their share is not overestimated by more than a factor of 4.
    pub coincidences: Vec<Coincidence>,
    /// The shares of answers to each question.
    pub questions: Vec<Shares>,
    /// The number of stories that the estimates come from.
    pub stories: usize,
    /// The size of the tables that stories are drawn from.
    pub tables: Tables,
}

/// The numbers of ways to bind the places and draw numbers; see [`Survey::casts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Casts {
    /// The number of casts under which the demands can be met.
    pub feasible: usize,
    /// The number of all casts.
    pub all: usize,
}

/// How often stories are redrawn; see [`Survey::redrawn`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Redrawn {
    /// The estimated share of stories that meet the goals.
    pub accepted: f64,
    /// How many stories are drawn for each one that is kept, on average.
    pub attempts: f64,
}

/// A mean, and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean of the observed values.
    pub mean: f64,
    /// The standard error.
    pub standard_error: f64,
}

/// A bound on the probability of equal stories; see [`Survey::coincidences`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Coincidence {
    /// The number of stories.
    pub stories: f64,
    /// The decimal logarithm of an upper bound on the probability; 0 if the bound says nothing.
    pub log10_at_most: f64,
}

/// The shares of answers to a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shares {
    /// The number of the question.
    pub question: usize,
    /// The kind of the question.
    pub kind: &'static str,
    /// What the question names, as the storyboard writes it, the target last.
    pub roles: Vec<String>,
    /// The share of stories in which the question has no answer.
    pub unanswered: f64,
    /// The share of stories in which the answer is a false belief.
    pub false_belief: f64,
    /// The share of each answer that is given, the largest first.
    pub answers: Vec<(String, f64)>,
}

/// The size of the tables; see [`Survey::tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tables {
    /// The number of tables, including runs of legs.
    pub count: usize,
    /// The number of entries in all tables.
    pub entries: usize,
}

/// Surveys the plans of a storyboard under these settings.
///
/// Costs compiling them once more, and drawing a number of stories.
///
/// ```
/// use storysim::{compile::compile, select::Family, storyboard, survey::survey};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let family = Family::from(compile(&board, &[]).unwrap().plan);
/// let survey = survey(&board, &family, None);
/// assert_eq!(survey.questions[0].false_belief, 1.0);
/// assert!(survey.entropy_bits.unwrap().mean > 400.0);
/// ```
pub fn survey(storyboard: &Storyboard, family: &Family, acceptance: Option<&Acceptance>) -> Survey {
    let plans = family.plans();
    let redrawn = acceptance.map(|acceptance| Redrawn {
        accepted: acceptance.share(family) * acceptance.kept,
        attempts: acceptance.attempts(),
    });
    let shares = acceptance.map_or_else(Vec::new, Acceptance::shares);
    let (questions, entropy_bits, stories) =
        look_at_stories(storyboard, family, &shares, redrawn.map_or(1.0, |redrawn| redrawn.attempts));
    let drawn = drawn(plans);
    let numbers = plans.iter().flat_map(|plan| &plan.parameters);
    let fixed = numbers.filter(|(name, _)| !drawn.contains_key(name));
    let largest = |number: fn(&Plan) -> usize| plans.iter().map(number).max().unwrap_or(0);
    let least = |number: fn(&Plan) -> usize| plans.iter().map(number).min().unwrap_or(0);
    let sum = |number: fn(&Plan) -> usize| plans.iter().map(number).sum();
    let log10_probability = log10_of_mean(plans.iter().map(|plan| plan.odds.log10_probability).collect());
    let log10_accepted = acceptance.map_or(0.0, |acceptance| acceptance.share(family).log10());
    // Of what people do there is no table; what is kept for the sake of shares, or has drawn numbers, has no simple distribution.
    let has_entropy = |plan: &Plan| plan.things().is_none() && plan.balance.is_none() && plan.weave.is_none();
    Survey {
        storyboard: family.name().to_owned(),
        parameters: fixed.map(|(name, value)| (name.clone(), (*value).into())).collect(),
        satisfiable: true,
        drawn,
        steps: largest(|plan| plan.horizon),
        least_steps: least(|plan| plan.horizon),
        characters: largest(|plan| plan.character_count),
        least_characters: least(|plan| plan.character_count),
        places: largest(|plan| plan.map.place_count()),
        casts: Casts { feasible: sum(Plan::cast_count), all: sum(|plan| plan.odds.cast_count) },
        log10_probability: log10_probability + log10_accepted,
        redrawn,
        entropy_bits: matches!(plans, [plan] if has_entropy(plan)).then_some(entropy_bits),
        coincidences: coincidences(storyboard, plans, &shares, acceptance.map_or(1.0, |found| found.kept)),
        questions,
        stories,
        tables: Tables {
            count: sum(|plan| plan.tables.len() + plan.legs.of_casts.len()),
            entries: sum(entries),
        },
    }
}

/// Bounds on the probability that any two of many stories are the same, given the share of each cast's stories that
/// meet the goals, and the share of those that is kept.
fn coincidences(storyboard: &Storyboard, plans: &[Plan], shares: &[f64], kept: f64) -> Vec<Coincidence> {
    // A story that is kept for the sake of shares is likelier by no more than the share of those that are.
    let shares_min: Vec<f64> = shares.iter().map(|share| share * kept / SHARE_ERROR_MAX).collect();
    let mut shares_left = &shares_min[..];
    let each = plans.iter().map(|plan| {
        let (of_plan, rest) = shares_left.split_at(shares_left.len().min(plan.casts.len()));
        shares_left = rest;
        coincidence(storyboard, &plan.parameters, plan, of_plan)
    });
    let same = match &storyboard.weave {
        Some(weave) => woven_coincidence(weave, plans),
        None => log10_of_mean(each.collect()),
    };
    let bound = |stories: f64| {
        let pairs = stories * (stories - 1.0) / 2.0;
        Coincidence { stories, log10_at_most: (same + pairs.log10()).min(0.0) }
    };
    [1e6, 1e9].map(bound).to_vec()
}

/// The number of entries in all tables of a plan.
fn entries(plan: &Plan) -> usize {
    let of_tables = plan.tables.iter().map(|table| match &table.values {
        Values::Plain(values) => values.len(),
        Values::Wide(values) => values.len(),
    });
    of_tables.sum::<usize>() + plan.legs.weight_count()
}

/// The numbers that are drawn, not set, each with its smallest and largest value.
fn drawn(plans: &[Plan]) -> BTreeMap<String, [i64; 2]> {
    let mut drawn: BTreeMap<String, [i64; 2]> = BTreeMap::new();
    for (name, value) in plans.iter().flat_map(Plan::drawn) {
        let [least, most] = drawn.entry(name.clone()).or_insert([*value; 2]);
        (*least, *most) = ((*least).min(*value), (*most).max(*value));
    }
    drawn.retain(|_, [least, most]| least < most);
    drawn
}

/// The decimal logarithm of the mean of numbers that are given by their decimal logarithms.
fn log10_of_mean(logarithms: Vec<f64>) -> f64 {
    let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logarithms.iter().map(|log10| 10_f64.powf(log10 - largest)).sum();
    largest + (sum / logarithms.len() as f64).log10()
}

/// How many stories to look at, judging by the plan with the longest stories and the attempts that a story takes.
fn story_count(plan: &Plan, attempts: f64) -> usize {
    let asked: Vec<Question> = plan.written_questions().map(|at| plan.questions[at].clone()).collect();
    let of_questions = asked.iter().map(|question| question.others.len() + 1);
    let [of_goals, of_questions] = [plan.lengths_judged(), of_questions.collect()]
        .map(|lengths| lengths.iter().map(|length| length.pow(2) / 8).sum::<usize>());
    // With things, every event matters to all that is followed.
    let (of_events, of_things) = plan.staging.as_ref().map_or((0, 0), |staging| {
        let places = plan.place_names.len();
        let events = plan.things().map_or(0, |things| things.event_cost(plan.character_count, places) / 16);
        (events, staging.values_asked(&asked, plan.character_count))
    });
    let walks = plan.hardest.map_or(1, |hardest| hardest.of);
    let drawn = (1 + of_goals + of_events) as f64 * attempts * walks as f64;
    let cost = plan.horizon as f64 * (drawn + (of_questions + of_things) as f64);
    ((COST_MAX as f64 / cost) as usize).clamp(STORIES_MIN, STORIES_MAX)
}

/// The questions as they are looked at: each on its own; of those that ask the same of several scenarios, all together. What is
/// asked of several states has no answers that hold for every story, and is left out.
fn asked_as_one(plan: &Plan) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let has_names = |at: &usize| !plan.questions[*at].kind.is_of_several_states();
    for at in plan.written_questions().filter(has_names) {
        let is_alike = |others: &&mut Vec<usize>| {
            let (one, other) = (&plan.questions[others[0]], &plan.questions[at]);
            one.dynamic.is_some()
                && other.dynamic.is_some()
                && (one.kind, &one.others, one.target) == (other.kind, &other.others, other.target)
        };
        match all.iter_mut().find(is_alike) {
            Some(others) => others.push(at),
            None => all.push(vec![at]),
        }
    }
    all
}

/// Draws some stories. Returns the shares of answers to each question, the number of bits, and the number of stories.
fn look_at_stories(
    storyboard: &Storyboard,
    family: &Family,
    shares: &[f64],
    attempts: f64,
) -> (Vec<Shares>, Estimate, usize) {
    let plans = family.plans();
    let plan = plans.iter().max_by_key(|plan| plan.horizon).expect("there is one");
    let count = story_count(plan, attempts);
    let mut selector = Selector::new(family, 0);
    let mut askers: Vec<Option<Asker<'_>>> = vec![None; plans.len()];
    let mut story = Story::default();
    let mut answers = vec![BTreeMap::<Answer, usize>::new(); plan.questions.len()];
    let mut false_beliefs = vec![0_usize; plan.questions.len()];
    let mut bits = Vec::with_capacity(count);
    for index in 0..count as u64 {
        selector.draw(index, &mut story);
        // The hardest of n walks is no story that is more than n times as likely as it was.
        let walks = selector.plan().hardest.map_or(1, |hardest| hardest.of);
        bits.push(bits_of(selector.plan(), &story) - (walks as f64).log2());
        let asker = &mut askers[selector.plan_number()];
        for answered in asker.get_or_insert_with(|| Asker::new(selector.plan(), 0)).ask(&story) {
            let answer = answered.answer.expect("an answered question");
            *answers[answered.question].entry(answer).or_default() += 1;
            false_beliefs[answered.question] += usize::from(answered.false_belief == Some(true));
        }
    }
    let by_question = asked_as_one(plan).into_iter().map(|all| {
        let question = &plan.questions[all[0]];
        let bundle = plan.bundle_of(all[0]);
        let all: Vec<usize> = match bundle {
            Some(bundle) => (all[0]..all[0] + bundle.len()).collect(),
            None => all,
        };
        // Of a bundle, one question is asked of a story.
        let asked = (count * if bundle.is_some() { 1 } else { all.len() }) as f64;
        let mut counts = BTreeMap::new();
        for (&answer, count) in all.iter().flat_map(|&at| &answers[at]) {
            *counts.entry(answer).or_default() += count;
        }
        let false_beliefs: usize = all.iter().map(|&at| false_beliefs[at]).sum();
        let roles = &storyboard.questions[plan.authored[all[0]]].roles;
        Shares {
            question: written_number(&plan.bundles, all[0]),
            kind: question.kind.key(),
            roles: roles.iter().map(|name| name.value.clone()).collect(),
            unanswered: (asked - counts.values().sum::<usize>() as f64) / asked,
            false_belief: false_beliefs as f64 / asked,
            answers: by_name(plan, &counts)
                .into_iter()
                .map(|(name, count)| (name, count as f64 / asked))
                .collect(),
        }
    });
    let by_question = by_question.collect();
    // Players and casts are uniform; a story that had to meet goals is likelier by the share of its cast.
    let players = (0..plan.character_count).map(|at| ((plan.pool.len() - at) as f64).log2());
    let kept = shares.iter().map(|share| share.log2()).sum::<f64>() / plan.casts.len() as f64;
    let certain = players.sum::<f64>() + (plan.casts.len() as f64).log2() + kept;
    let mean = bits.iter().sum::<f64>() / count as f64;
    let variance = bits.iter().map(|bits| (bits - mean).powi(2)).sum::<f64>() / (count - 1) as f64;
    let standard_error = (variance / count as f64).sqrt();
    (by_question, Estimate { mean: mean + certain, standard_error }, count)
}

/// How often each answer was given, by name, the most frequent first.
fn by_name(plan: &Plan, counts: &BTreeMap<Answer, usize>) -> Vec<(String, usize)> {
    let mut named: Vec<(String, usize)> = Vec::new();
    for (&answer, &count) in counts {
        let name = answer_name(plan, answer);
        match named.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += count,
            None => named.push((name, count)),
        }
    }
    named.sort_by_key(|&(_, count)| Reverse(count)); // stable: then by place
    named
}

fn rules(plan: &Plan) -> &RuleWords {
    staging(plan).rules.as_ref().expect("somebody feels by rules").words()
}

/// The name of an answer that holds for every story. Characters who play no role have no such name.
fn answer_name(plan: &Plan, answer: Answer) -> String {
    match answer {
        Answer::Place(place) => plan.place_names[place.index()].clone(),
        Answer::Container(container) => staging(plan).containers[container.index()].name.clone(),
        Answer::Character(who) => {
            plan.role_names.get(who.index()).cloned().unwrap_or_else(|| "no role".to_owned())
        }
        Answer::Verdict(Verdict::Yes) => "yes".to_owned(),
        Answer::Verdict(Verdict::No) => "no".to_owned(),
        Answer::Verdict(Verdict::Unknown) => "unknown".to_owned(),
        Answer::Why(_, 0) => "the reason told".to_owned(),
        Answer::Why(..) => "another reason".to_owned(),
        Answer::Standing(standing, _) => match standing {
            Standing::Both => "both know it",
            Standing::BothUnnoticed => "both, unnoticed",
            Standing::First => "the first",
            Standing::Second => "the second",
            Standing::Neither => "neither",
        }
        .to_owned(),
        Answer::Shown(Shown::Belief(_, None)) => "nothing heard".to_owned(),
        Answer::Shown(Shown::Belief(_, Some(case))) => {
            let side = case.side() as usize + 1;
            let how = match case.how() {
                How::Likely => "likely".to_owned(),
                How::ByNobody => "settled by nobody".to_owned(),
                How::By(who) => format!("settled by {}", answer_name(plan, Answer::Character(who))),
            };
            format!("side {side} {how}{}", if case.is_final() { ", for good" } else { "" })
        }
        Answer::Shown(Shown::Emotion(feels)) => rules(plan).feelings[usize::from(feels)].0.value.clone(),
        Answer::Shown(Shown::Intention(wants) | Shown::Action { wants, .. }) => {
            rules(plan).intentions[usize::from(wants)].name.value.clone()
        }
        Answer::Life(..) => "as it was".to_owned(),
        Answer::People(0) => "nobody".to_owned(),
        Answer::People(people) => {
            let is_one = |at: &usize| people >> at & 1 == 1;
            let (roles, all) = (plan.role_names.len(), plan.character_count);
            let mut names: Vec<String> =
                (0..roles).filter(is_one).map(|at| plan.role_names[at].clone()).collect();
            match (roles..all).filter(is_one).count() {
                0 => {}
                count => names.push(format!("{count} without a role")),
            }
            names.join(", ")
        }
    }
}

fn staging(plan: &Plan) -> &Staging {
    plan.staging.as_ref().expect("things are staged")
}

/// How many bits it takes to say what happens in a story, given its cast. The story's probability is that under free
/// play, divided by that of meeting the conditions.
fn bits_of(plan: &Plan, story: &Story) -> f64 {
    let mut bits = plan.casts[story.cast].probability.log10() * std::f64::consts::LOG2_10;
    let mut events = story.trace.events.iter();
    let mut from = 0;
    for &(until, actors) in &plan.actors {
        let ways = events.by_ref().take(until - from).map(|event| plan.map.ways(event.from).len());
        bits += ways.map(|ways| ((actors * ways) as f64).log2()).sum::<f64>();
        from = until;
    }
    bits
}
