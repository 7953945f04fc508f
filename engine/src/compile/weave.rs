//! The plans of a woven storyboard: those of its boards, and what their stories are together.

mod things;

use std::sync::Arc;

use super::{CompiledFamily, ENTRIES_MAX};
use crate::diagnostic::{Diagnostic, Spanned};
use crate::form::Answers;
use crate::id::{CharacterId, ContainerId, PlaceId};
use crate::pack::Pack;
use crate::plan::{
    self, Bundle, CastPlan, Draw, Legs, Length, Odds, Phase, Plan, PlannedStrand, PlannedWeave, Question,
    Staging, Target, ThingCounts, Weight,
};
use crate::resolve::{Resolved, resolve};
use crate::storyboard::{
    Characters, Expression, Maps, Moment, Question as Asked, QuestionKind, Storyboard, Strand, Weave,
};
use crate::world::{Item, Map, Value};
use things::{Things, clashes_of_trust};

/// The largest number of combinations of the boards' plans. A plan of woven stories is small: it has no tables of its own.
const COMBINATIONS_MAX: usize = 10_000;

/// What compiles one of the boards under some settings.
type Compile = fn(&Storyboard, &[(String, i64)]) -> Result<CompiledFamily, Vec<Diagnostic>>;

/// The plans of a woven storyboard: one for every combination of plans of its boards, the last board's running fastest.
///
/// Costs as much as compiling the boards.
pub(super) fn family(
    storyboard: &Storyboard,
    weave: &Weave,
    settings: &[(String, i64)],
    compile: Compile,
) -> Result<CompiledFamily, Vec<Diagnostic>> {
    let parameters = own_parameters(storyboard, settings);
    let (mut plans, mut warnings, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for strand in &weave.strands {
        // How sentences are worded is up to the woven storyboard.
        let board = Storyboard { wording: None, ..strand.board.clone() };
        let compiled = settings_of(strand, &parameters, settings)
            .map_err(|problem| vec![problem])
            .and_then(|set| compile(&board, &set).map_err(|found| vec![strand.problem(&found, &set)]));
        match compiled {
            Ok(compiled) => {
                let warned = compiled.warnings.iter();
                warnings.extend(warned.map(|warning| strand.problem(std::slice::from_ref(warning), &[])));
                plans.push(compiled.plans);
            }
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let as_one = as_one(storyboard, weave, &plans, &parameters)?;
    let problems: Vec<Diagnostic> =
        too_much(weave, &plans).into_iter().chain(clashes_of_trust(weave, &plans)).collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    let count = plans.iter().map(Vec::len).product();
    let Resolved { pool, wording, length, passers_by, .. } = as_one;
    let (pool, plans) = (pool.into(), Arc::new(plans));
    let union = Union { storyboard, weave, parameters, pool, wording, length, passers_by, plans };
    Ok(CompiledFamily { plans: (0..count).map(|number| union.plan(number)).collect(), warnings })
}

/// The woven storyboard as one in which all these people go about as they like: whatever no storyboard may say, such as names that are
/// shown alike, it may not say either.
fn as_one(
    storyboard: &Storyboard,
    weave: &Weave,
    plans: &[Vec<Plan>],
    parameters: &[(String, i64)],
) -> Result<Resolved, Vec<Diagnostic>> {
    let sum = |number: fn(&Plan) -> usize| {
        let largest = |plans: &Vec<Plan>| plans.iter().map(number).max().unwrap_or(0);
        let sum = i64::try_from(plans.iter().map(largest).sum::<usize>()).unwrap_or(i64::MAX);
        Spanned::new(Expression::Integer(sum), weave.span)
    };
    let characters =
        Characters { count: Some(sum(|plan| plan.character_count)), ..storyboard.characters.clone() };
    let horizon = sum(|plan| plan.horizon);
    // Whom somebody follows, and what happens at which step, only the board says that asks; and it has been compiled.
    let is_asked =
        |question: &&Asked| question.kind != QuestionKind::Following && question.moment == Moment::End;
    let questions = storyboard.questions.iter().filter(is_asked).cloned().collect();
    let plain =
        Storyboard { weave: None, draws: Vec::new(), characters, horizon, questions, ..storyboard.clone() };
    resolve(&plain, parameters, &mut Vec::new())
}

/// The parameters of a woven storyboard itself, with their values.
fn own_parameters(storyboard: &Storyboard, settings: &[(String, i64)]) -> Vec<(String, i64)> {
    let value = |(name, default): &(Spanned<String>, i64)| {
        let set = settings.iter().find(|(set, _)| *set == name.value);
        (name.value.clone(), set.map_or(*default, |(_, value)| *value))
    };
    storyboard.parameters.iter().map(value).collect()
}

/// The values that a woven storyboard gives the parameters and the drawn numbers of a board.
fn settings_of(
    strand: &Strand,
    parameters: &[(String, i64)],
    settings: &[(String, i64)],
) -> Result<Vec<(String, i64)>, Diagnostic> {
    let lookup = |name: &str| parameters.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
    let mut set = Vec::new();
    for (name, number) in &strand.set {
        let known = || parameters.iter().map(|(name, _)| name.as_str());
        let value = number.value.evaluate(&lookup).map_err(|error| error.diagnostic(number.span, known()))?;
        set.push((name.value.clone(), value));
    }
    for drawn in strand.drawn() {
        let renamed = strand.renamed(&drawn.name.value);
        let given = settings.iter().find(|(name, _)| name == renamed);
        set.extend(given.map(|(_, value)| (drawn.name.value.clone(), *value)));
    }
    Ok(set)
}

/// The values of all parameters and of all drawn numbers of a woven storyboard.
pub(super) fn parameters(
    storyboard: &Storyboard,
    weave: &Weave,
    settings: &[(String, i64)],
) -> Result<Vec<(String, i64)>, Vec<Diagnostic>> {
    let mut all = own_parameters(storyboard, settings);
    let mut problems = Vec::new();
    for strand in &weave.strands {
        let found = settings_of(strand, &all, settings).map_err(|problem| vec![problem]);
        let found = found.and_then(|set| {
            super::parameters(&strand.board, &set).map_err(|found| vec![strand.problem(&found, &set)])
        });
        match found {
            Ok(values) => {
                let drawn = strand.drawn().filter_map(|drawn| {
                    let (name, value) = values.iter().find(|(name, _)| *name == drawn.name.value)?;
                    Some((strand.renamed(name).to_owned(), *value))
                });
                all.extend(drawn.collect::<Vec<_>>());
            }
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(all) } else { Err(problems) }
}

/// What there is too much of if these boards are told together.
fn too_much(weave: &Weave, plans: &[Vec<Plan>]) -> Option<Diagnostic> {
    let combinations = plans.iter().try_fold(1_usize, |count, plans| count.checked_mul(plans.len()));
    let size = |plan: &Plan| plan.place_names.len() + plan.map.way_count() + plan.character_count;
    let size: usize = plans.iter().map(|plans| plans.iter().map(size).max().unwrap_or(0)).sum();
    let of_strands: usize = plans.iter().flatten().map(Plan::room).sum();
    let room = |count: usize| count.saturating_mul(size).saturating_add(of_strands);
    let each: Vec<String> = plans.iter().map(|plans| plans.len().to_string()).collect();
    let message = match combinations {
        Some(count) if count <= COMBINATIONS_MAX && room(count) <= 4 * ENTRIES_MAX => return None,
        Some(count) if count <= COMBINATIONS_MAX => "these boards take too much memory together".to_owned(),
        _ => format!("the drawn numbers of these boards have more than {COMBINATIONS_MAX} combinations"),
    };
    let problem = Diagnostic::error(message, weave.span, format!("{} of them", each.join(" times ")));
    Some(problem.help("give some of the numbers one value, as in `set: {steps: 100}`"))
}

/// The decimal logarithm of an upper bound on the probability that two stories that are woven of those of several boards are the
/// same when read as text, given the plans of the woven storyboard. If they are the same, so are those of every board when the
/// roles bear their own names, and the names; see [`super::coincidence`]. Of stories that are drawn again, more than their tables say
/// may be the same, so nothing is said of them.
///
/// # Panics
/// If there is no plan.
pub fn woven_coincidence(weave: &Weave, plans: &[Plan]) -> f64 {
    let strands = plans[0].weave.iter().flat_map(|planned| planned.plans.iter());
    let of_strand = |(strand, plans): (&Strand, &Vec<Plan>)| {
        let of_plan = |plan: &Plan| {
            let is_drawn_again = plan.may_miss() || plan.hardest.is_some();
            let same = || super::coincidence_of_walks(&strand.board, &plan.parameters, plan, &[]).min(0.0);
            if is_drawn_again { 0.0 } else { same() }
        };
        // The numbers of two stories may be other ones; at most, those are told that are likeliest to be the same.
        plans.iter().map(of_plan).fold(f64::NEG_INFINITY, f64::max)
    };
    let of_walks: f64 = weave.strands.iter().zip(strands).map(of_strand).sum();
    let names = plans.iter().map(super::log10_names).fold(f64::INFINITY, f64::min);
    (of_walks - names).min(0.0)
}

/// Puts the plans of several boards together.
struct Union<'a> {
    storyboard: &'a Storyboard,
    weave: &'a Weave,
    parameters: Vec<(String, i64)>,
    pool: Arc<[String]>,
    wording: Option<Arc<Pack>>,
    length: Option<Length>,
    passers_by: usize,
    plans: Arc<Vec<Vec<Plan>>>,
}

impl Union<'_> {
    /// The plan for a combination of plans: everybody goes about in free play, and the strands say what really happens.
    fn plan(&self, number: usize) -> Plan {
        let numbers = self.numbers(number);
        let plans: Vec<&Plan> = self.plans.iter().zip(&numbers).map(|(plans, &at)| &plans[at]).collect();
        let verbs = distinct(plans.iter().flat_map(|plan| &plan.verbs));
        let strands = self.strands(&plans, &numbers, &verbs);
        let horizon = plans.iter().map(|plan| plan.horizon).sum();
        let of_strands: usize = plans.iter().map(|plan| plan.character_count).sum();
        let character_count = of_strands + self.passers_by;
        let parameters = self.all_parameters(&plans);
        let drawn = parameters.len() - self.parameters.len();
        let (map, place_names) = self.map(&plans, &strands);
        let start = start(&plans, &strands, character_count);
        let questions: Vec<Question> =
            plans.iter().zip(&strands).flat_map(|(plan, strand)| self.questions(plan, strand)).collect();
        let (authored, bundles) = self.bundles(&plans, &strands);
        let staging =
            Things { plans: &plans, strands: &strands, names: &self.weave.strands }.staging(character_count);
        let notes = things::notes(&plans, &strands);
        let everyone = (0..character_count).map(CharacterId::new).collect();
        let log10_probability = plans.iter().map(|plan| plan.odds.log10_probability).sum();
        let cast_count =
            plans.iter().fold(1, |count: usize, plan| count.saturating_mul(plan.odds.cast_count));
        let phases = vec![Phase { until: horizon, draw: Draw::Free(0) }];
        Plan {
            name: self.storyboard.name.value.clone(),
            authored,
            fingerprint: self.fingerprint(&plans),
            pool: Arc::clone(&self.pool),
            verbs,
            role_names: self.names(&plans, |plan| &plan.role_names),
            bind_names: self.names(&plans, |plan| &plan.bind_names),
            wording: self.wording.clone(),
            casts: vec![CastPlan { binds: Vec::new(), start, probability: Weight::ONE, phases }],
            actors: vec![(horizon, character_count)],
            actor_sets: vec![everyone],
            odds: Odds { log10_probability, cast_count },
            weave: Some(PlannedWeave { plans: Arc::clone(&self.plans), strands }),
            start_is_drawn: false,
            bundles,
            tables: Vec::new(),
            memories: Vec::new(),
            goals: Vec::new(),
            notes,
            legs: Legs::default(),
            balance: None,
            hardest: None,
            length: self.length,
            staging,
            scenarios: None,
            parameters,
            drawn,
            horizon,
            map,
            place_names,
            character_count,
            questions,
        }
    }

    /// The number of each board's plan in a combination.
    fn numbers(&self, combination: usize) -> Vec<usize> {
        let mut rest = combination;
        let mut numbers = vec![0; self.plans.len()];
        for (number, plans) in numbers.iter_mut().zip(self.plans.iter()).rev() {
            *number = rest % plans.len();
            rest /= plans.len();
        }
        numbers
    }

    /// The parameters of the woven storyboard, followed by the numbers that are drawn by these plans.
    fn all_parameters(&self, plans: &[&Plan]) -> Vec<(String, i64)> {
        let mut all = self.parameters.clone();
        for (strand, plan) in self.weave.strands.iter().zip(plans) {
            let value =
                |name: &str| plan.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            let drawn = strand.drawn().map(|drawn| drawn.name.value.as_str());
            all.extend(drawn.filter_map(|name| Some((strand.renamed(name).to_owned(), value(name)?))));
        }
        all
    }

    /// Who and what is meant by the numbers of each plan. Those who have a role come first, as in every plan.
    fn strands(&self, plans: &[&Plan], numbers: &[usize], verbs: &[String]) -> Vec<PlannedStrand> {
        let mut next_role = 0;
        let mut next_other: usize = plans.iter().map(|plan| plan.role_names.len()).sum();
        let mut next_place = 0;
        let mut things = ThingCounts::default();
        let strand = |(plan, &number): (&&Plan, &usize)| {
            let (roles, others) = (plan.role_names.len(), plan.character_count - plan.role_names.len());
            let people = (next_role..next_role + roles).chain(next_other..next_other + others);
            let people = people.map(CharacterId::new).collect();
            (next_role, next_other) = (next_role + roles, next_other + others);
            let place = |(at, name): (usize, &String)| match self.weave.maps {
                Maps::Apart => PlaceId::new(next_place + at),
                Maps::Shared => {
                    let of_first = plans[0].place_names.iter().position(|other| other == name);
                    PlaceId::new(of_first.expect("boards that share a map have the same places"))
                }
            };
            let places = plan.place_names.iter().enumerate().map(place).collect();
            next_place += plan.place_names.len();
            let verb = |verb: &String| verbs.iter().position(|known| known == verb).expect("it is among all");
            let verbs = plan.verbs.iter().map(|own| verb(own) as u32).collect();
            let things_before = things;
            let none = Staging::default();
            let staging = plan.staging.as_ref().unwrap_or(&none);
            things.binds += plan.bind_names.len();
            things.containers += staging.containers.len();
            things.objects += staging.objects.len();
            things.propositions += staging.propositions.len();
            things.attitudes += staging.attitudes.len();
            PlannedStrand { number, people, places, verbs, things_before }
        };
        plans.iter().zip(numbers).map(strand).collect()
    }

    fn map(&self, plans: &[&Plan], strands: &[PlannedStrand]) -> (Map, Vec<String>) {
        let count = if self.weave.maps == Maps::Shared { 1 } else { plans.len() };
        let (mut ways, mut names) = (Vec::new(), Vec::new());
        for (plan, strand) in plans.iter().zip(strands).take(count) {
            let renumbered =
                |place| plan.map.ways(place).iter().map(|to| strand.places[to.index()]).collect();
            ways.extend(plan.map.places().map(renumbered).collect::<Vec<Vec<PlaceId>>>());
            names.extend(plan.place_names.iter().cloned());
        }
        (Map::new(&ways), names)
    }

    /// The names of all plans, as the woven storyboard has them.
    fn names<'p>(&self, plans: &[&'p Plan], of: fn(&'p Plan) -> &'p Vec<String>) -> Vec<String> {
        let each = self.weave.strands.iter().zip(plans);
        each.flat_map(|(strand, plan)| of(plan).iter().map(|name| strand.renamed(name).to_owned())).collect()
    }

    /// The questions of a plan. Lists of people are of its own, and where maps are apart, so are the places that are offered.
    fn questions(&self, plan: &Plan, strand: &PlannedStrand) -> Vec<Question> {
        let people = |people: &[CharacterId]| people.iter().map(|&who| strand.person(who)).collect();
        let question = |question: &Question| {
            let target = match question.target {
                Target::Item(item) => Target::Item(strand.item(item)),
                Target::Attitude(thing) => Target::Attitude(strand.attitude(thing)),
                Target::Matter(_) => unreachable!("boards with matters are not woven"),
            };
            let of = match question.kind.form().answers {
                Answers::People if question.of.is_empty() => strand.people.clone(),
                _ => people(&question.of),
            };
            let choices = self.choices(plan, strand, question);
            let counted =
                if question.moment == plan::Moment::End { Vec::new() } else { strand.people.clone() };
            Question { others: people(&question.others), of, target, choices, counted, ..question.clone() }
        };
        plan.questions.iter().map(question).collect()
    }

    /// For each question of all plans, the number of the one that the woven storyboard has; and those that leave open whom they name.
    fn bundles(&self, plans: &[&Plan], strands: &[PlannedStrand]) -> (Vec<usize>, Vec<Bundle>) {
        let (mut authored, mut bundles, mut before) = (Vec::new(), Vec::new(), 0);
        for ((plan, strand), names) in plans.iter().zip(strands).zip(&self.weave.strands) {
            let people = |way: &Vec<CharacterId>| way.iter().map(|&who| strand.person(who)).collect();
            let bundle = |bundle: &Bundle| Bundle {
                first: authored.len() + bundle.first,
                written: bundle.written.iter().map(|name| names.renamed(name).to_owned()).collect(),
                ways: bundle.ways.iter().map(people).collect(),
                ..*bundle
            };
            bundles.extend(plan.bundles.iter().map(bundle).collect::<Vec<_>>());
            authored.extend(plan.authored.iter().map(|number| before + number));
            before += names.board.questions.len();
        }
        (authored, bundles)
    }

    /// The answers that a question offers; none where it offers all that there are.
    fn choices(&self, plan: &Plan, strand: &PlannedStrand, question: &Question) -> Vec<Value> {
        use QuestionKind::{Belief, Reality, Start, World, WorldThings};
        if !question.choices.is_empty() {
            return question.choices.iter().map(|&value| strand.value(value)).collect();
        }
        let places = || strand.places.iter().copied().map(Value::Place);
        match (question.kind, question.target) {
            (Belief | Reality | Start, Target::Item(Item::Object(_))) => {
                let staging = plan.staging.as_ref().expect("an object is staged");
                let containers = (0..staging.containers.len()).map(ContainerId::new);
                let containers = containers.map(|container| Value::Container(strand.container(container)));
                containers.chain(places().filter(|_| staging.has_objects_in_places())).collect()
            }
            (Belief | Reality | Start | World | WorldThings, Target::Item(Item::Character(_)))
                if self.weave.maps == Maps::Apart =>
            {
                places().collect()
            }
            _ => Vec::new(),
        }
    }

    fn fingerprint(&self, plans: &[&Plan]) -> String {
        let mut lines =
            vec![format!("name {}", self.storyboard.name.value), format!("maps {}", self.weave.maps.key())];
        for (at, plan) in plans.iter().enumerate() {
            lines.push(format!("strand {at}"));
            lines.push(blake3::hash(plan.fingerprint.as_bytes()).to_hex().to_string());
        }
        lines.join("\n")
    }
}

/// Where everyone starts under the first cast of each plan.
fn start(plans: &[&Plan], strands: &[PlannedStrand], character_count: usize) -> Vec<PlaceId> {
    let mut start = vec![PlaceId::new(0); character_count];
    for (plan, strand) in plans.iter().zip(strands) {
        for (who, at) in strand.people.iter().zip(&plan.casts[0].start) {
            start[who.index()] = strand.places[at.index()];
        }
    }
    start
}

/// The words, each once, in the order in which they come first.
fn distinct<'a>(words: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    words.filter(|word| seen.insert(word.as_str())).cloned().collect()
}
