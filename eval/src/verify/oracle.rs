//! Derives the answers of a story again from the written-out definition of belief and from plain replays.
//!
//! Of the code that answers questions it uses the words (`Answer`) and nothing else.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::sayings::{Saying, asked, claim, is_unsaid, matter, of_sayings, standing, yes_or_no};
use crate::belief::nested::Mind;
use crate::belief::{Chain, Held};
use crate::id::{CharacterId, PlaceId, PropositionId};
use crate::plan::{Moment, Plan, Question, Target};
use crate::question::{Answer, Verdict};
use crate::storyboard::QuestionKind;
use crate::trace::{Trace, Witnessed};
use crate::world::{ActInWorld, Item, Scene, Value};

/// The largest order for which the written-out definition is used: each mind is a call within a call.
pub const ORDER_MAX: usize = 64;

/// Answers the questions of a plan from the definition of belief written out.
#[derive(Clone, Debug)]
pub struct Oracle<'a> {
    plan: &'a Plan,
    /// The questions, grouped by the moment that they ask about.
    tellings: Vec<Telling<'a>>,
}

/// The questions about the same telling: the whole story, or the story up to a step, or without a step.
#[derive(Clone, Debug)]
struct Telling<'a> {
    moment: Moment,
    /// The people whose steps it counts; empty if it counts all.
    counted: &'a [CharacterId],
    questions: Vec<(usize, &'a Question)>,
    /// The chains of minds that the questions need.
    chains: BTreeSet<(Vec<CharacterId>, Item)>,
}

/// What there has to be of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A row that says this.
    Row(Derived),
    /// No row: a careful reader could not say.
    NoRow,
    /// It cannot be said here: there was too much to reckon with, or it is asked what news does to somebody, which
    /// [`Inspector`](super::Inspector) reads from rows.
    Lost,
}

/// What a row has to say about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The answer to the question.
    pub answer: Answer,
    /// The real state that the question asks about.
    pub truth: Answer,
    /// Whether the belief is false, if the question is about a belief.
    pub false_belief: Option<bool>,
    /// The mislead distance of a false belief; see [`crate::question::Asker`].
    pub mislead_distance: Option<usize>,
    /// The answer to the question one order lower.
    pub lower_order: Option<Answer>,
}

impl<'a> Oracle<'a> {
    /// An oracle for the questions of a plan.
    ///
    /// ```
    /// use storysim::{compile::compile, simulate::{Simulator, Story}, storyboard, verify::{Oracle, Reply}};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let plan = compile(&board, &[]).unwrap().plan;
    /// let mut story = Story::default();
    /// Simulator::new(&plan, 7).draw(0, &mut story);
    /// let answers = Oracle::new(&plan).answers(&story.trace, story.before);
    /// assert!(matches!(answers[0], Reply::Row(derived) if derived.false_belief == Some(true)));
    /// ```
    pub fn new(plan: &'a Plan) -> Self {
        Self::of(plan, 0..plan.questions.len())
    }

    /// An oracle for some of the questions of a plan; of the others, it says that there is no row.
    pub fn of(plan: &'a Plan, numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut tellings: Vec<Telling<'a>> = Vec::new();
        for (at, question) in numbers.into_iter().map(|at| (at, &plan.questions[at])) {
            let is_of = |telling: &&mut Telling<'a>| {
                telling.moment == question.moment && *telling.counted == *question.counted
            };
            match tellings.iter_mut().find(is_of) {
                Some(telling) => telling.questions.push((at, question)),
                None => tellings.push(Telling {
                    moment: question.moment,
                    counted: &question.counted,
                    questions: vec![(at, question)],
                    chains: BTreeSet::new(),
                }),
            }
        }
        for telling in &mut tellings {
            for (_, question) in &telling.questions {
                for chain in chains(plan, question).into_iter().chain([Vec::new()]) {
                    let items = items(plan, question).into_iter();
                    telling.chains.extend(items.map(|item| (chain.clone(), item)));
                }
            }
        }
        Self { plan, tellings }
    }

    /// The number of chains of minds with targets for which answers are derived from a story.
    pub fn chain_count(&self) -> usize {
        let is_of_minds = |(chain, _): &&(Vec<CharacterId>, Item)| !chain.is_empty();
        self.tellings.iter().map(|telling| telling.chains.iter().filter(is_of_minds).count()).sum()
    }

    /// The length of the longest chain of minds.
    pub fn order(&self) -> usize {
        let chains = self.tellings.iter().flat_map(|telling| &telling.chains);
        chains.map(|(chain, _)| chain.len()).max().unwrap_or(0)
    }

    /// The largest cost of answering for a story: how many values minds hold along all chains, summed over all events.
    pub fn cost(&self) -> usize {
        let staging = self.plan.staging.as_ref();
        let characters = self.plan.character_count;
        let items = staging.map_or(characters, |staging| staging.item_count(characters));
        let minds =
            |telling: &Telling<'_>| telling.chains.iter().fold(1, |sum, (chain, _)| sum + 1 + chain.len());
        let minds: usize = self.tellings.iter().map(minds).sum();
        minds.saturating_mul(items).saturating_mul(self.plan.steps_max())
    }

    /// What there has to be of each question. So many steps of the story come before the storyboard's own part.
    ///
    /// Costs O(events · minds along the chains · what each holds).
    ///
    /// # Panics
    /// If the story does not belong to the plan.
    pub fn answers(&self, trace: &Trace, before: usize) -> Vec<Reply> {
        let mut derived = vec![Reply::NoRow; self.plan.questions.len()];
        for telling in &self.tellings {
            let Some((steps, told)) = told(telling, trace, before) else { continue };
            for (at, answer) in telling.answers(self.plan, &steps, &told) {
                derived[at] = answer;
            }
        }
        derived
    }
}

/// All chains of minds that are needed for a question.
fn chains(plan: &Plan, question: &Question) -> Vec<Vec<CharacterId>> {
    let others = &question.others;
    let mut chains = match question.kind {
        QuestionKind::Honest | QuestionKind::Why | QuestionKind::Present => return vec![Vec::new()],
        QuestionKind::SeesThrough => asked(plan, question).into_iter().map(|who| vec![who]).collect(),
        QuestionKind::CouldLie => {
            let target = matter(plan, question).map(|matter| matter.to);
            let chains = |who| [vec![who], [who].into_iter().chain(target).collect()];
            asked(plan, question).into_iter().flat_map(chains).collect()
        }
        QuestionKind::Stands => vec![others[..1].to_vec(), others[1..].to_vec()],
        QuestionKind::World | QuestionKind::WorldThings => return vec![Vec::new()],
        QuestionKind::WhoKnows | QuestionKind::CouldAnswer => everyone(plan.character_count)
            .map(|who| shortest(&[&[who], others.as_slice()].concat()))
            .collect(),
        _ => Vec::new(),
    };
    chains.push(shortest(others));
    if question.kind == QuestionKind::Knows {
        chains.push(shortest(&others[..others.len() - 1]));
    }
    if let Some(lower) = lower(question) {
        chains.extend(self::chains(plan, &lower));
    }
    chains
}

/// All items about which a question asks a mind.
fn items(plan: &Plan, question: &Question) -> Vec<Item> {
    match question.target {
        Target::Item(item) => vec![item],
        Target::Matter(_) => claim(plan, question).map(Item::Proposition).into_iter().collect(),
        Target::Attitude(thing) => {
            everyone(plan.character_count).filter_map(|who| attitude(plan, who, thing)).collect()
        }
    }
}

/// What somebody likes or dislikes, if she does either.
fn attitude(plan: &Plan, who: CharacterId, thing: usize) -> Option<Item> {
    let staging = plan.staging.as_ref().expect("attitudes are staged");
    staging.attitude(who, thing).map(Item::Proposition)
}

fn everyone(count: usize) -> impl Iterator<Item = CharacterId> {
    (0..count).map(CharacterId::new)
}

/// The chain in its shortest form: everyone knows what she herself thinks.
fn shortest(minds: &[CharacterId]) -> Vec<CharacterId> {
    let mut minds = minds.to_vec();
    minds.dedup();
    minds
}

/// The same question without its outermost mind, if there is one.
fn lower(question: &Question) -> Option<Question> {
    let minds_min = match question.kind {
        QuestionKind::Belief
        | QuestionKind::CouldAnswer
        | QuestionKind::WhoLikes
        | QuestionKind::WhoDislikes => 0,
        QuestionKind::Knows => 1,
        _ => return None,
    };
    let others = question.others.get(1..).filter(|others| others.len() >= minds_min)?.to_vec();
    Some(Question { others, ..question.clone() })
}

/// The story that is asked about, and the steps of its events in the whole story; `None` if it is impossible.
fn told<'t>(telling: &Telling<'_>, trace: &'t Trace, before: usize) -> Option<(Vec<usize>, Cow<'t, Trace>)> {
    let all = 0..trace.events.len();
    // The moment tells the number of a step among the storyboard's own; in a woven story, among those of one board.
    let mut own: Vec<usize> = all.clone().skip(before).collect();
    if !telling.counted.is_empty() {
        own.retain(|&step| telling.counted.contains(&trace.events[step].who));
    }
    let in_story = |number: usize| own.get(number).copied().unwrap_or(trace.events.len());
    let steps: Vec<usize> = match telling.moment {
        Moment::End => return Some((all.collect(), Cow::Borrowed(trace))),
        Moment::Before(before) => all.take(in_story(before)).collect(),
        Moment::Without(without) => all.filter(|&step| step != in_story(without)).collect(),
    };
    let mut told = Trace { events: Vec::new(), deeds: Vec::new(), ..trace.clone() };
    let mut scene = Scene::new(&trace.start, &trace.stage);
    for &step in &steps {
        let (event, deed) = (trace.events[step], trace.deeds.get(step).cloned().unwrap_or_default());
        if !scene.allows(event, &deed) {
            return None;
        }
        scene.apply(event, &deed.act);
        told.events.push(event);
        told.deeds.push(deed);
    }
    Some((steps, Cow::Owned(told)))
}

/// A mind's answer about an item.
#[derive(Clone, Copy, PartialEq)]
enum View {
    Is(Answer),
    NoIdea,
    Unclear,
}

/// The item whose minds are those of this one, too: where the target is a proposition, the order of what happens is reckoned with
/// of all propositions, so minds about one are minds about any.
fn stands_for(item: Item) -> Item {
    match item {
        Item::Proposition(_) => Item::Proposition(PropositionId::new(0)),
        Item::Character(_) | Item::Object(_) | Item::Lid(_) | Item::Prospect(_) => item,
    }
}

/// Reality with the minds along each chain of the questions.
struct Minds(BTreeMap<(Vec<CharacterId>, Item), Mind>);

impl Minds {
    fn new(told: &Trace, chains: &BTreeSet<(Vec<CharacterId>, Item)>) -> Self {
        let stage = Arc::new(told.stage.clone());
        let kept: BTreeSet<_> =
            chains.iter().map(|(minds, item)| (minds.clone(), stands_for(*item))).collect();
        let of_chain = |(minds, item): (Vec<CharacterId>, Item)| {
            let mind = Mind::of_chain_on(told, &stage, &Chain::new(&minds, item));
            ((minds, item), mind)
        };
        Self(kept.into_iter().map(of_chain).collect())
    }

    fn happen(&mut self, witnessed: &Witnessed) {
        self.0.values_mut().for_each(|reality| reality.happen(witnessed));
    }

    /// Whether there was too much to reckon with in one of the minds that a question needs.
    fn is_lost(&self, plan: &Plan, question: &Question) -> bool {
        let items = items(plan, question);
        let asked = chains(plan, question).into_iter().flat_map(|minds| {
            items.iter().map(move |&item| (Chain::new(&minds, item), (minds.clone(), stands_for(item))))
        });
        let mut asked = asked.filter_map(|(chain, key)| Some((chain, self.0.get(&key)?)));
        asked.any(|(chain, reality)| reality.is_lost(chain.minds()))
    }

    /// The answer of a chain of minds about an item.
    fn view(&self, minds: &[CharacterId], item: Item) -> View {
        let chain = Chain::new(minds, item);
        let reality = &self.0[&(shortest(minds), stands_for(item))];
        view(reality, chain.minds(), item)
    }
}

impl Minds {
    /// Whether the chain `outer` takes the last mind of `inner` to know; `None` if that is open.
    fn takes_to_know(&self, outer: &[CharacterId], inner: &[CharacterId], item: Item) -> Option<bool> {
        match (self.view(outer, item), self.view(inner, item)) {
            (_, View::NoIdea) => Some(false),
            (View::Is(really), View::Is(known)) => Some(really == known),
            _ if outer.is_empty() => Some(false),
            _ => None,
        }
    }

    /// The answer of a question about the moment of a claim, when it is about to be made.
    fn at_claim(&self, plan: &Plan, question: &Question, saying: &Saying) -> Option<Answer> {
        let item = Item::Proposition(saying.of);
        let target = matter(plan, question)?.to;
        let mut people = 0;
        for who in asked(plan, question) {
            let knows = self.view(&[who], item) == self.view(&[], item);
            let is_so = match question.kind {
                QuestionKind::CouldLie if knows => !self.takes_to_know(&[who], &[who, target], item)?,
                QuestionKind::CouldLie => false,
                _ => knows && saying.heard.contains(&who),
            };
            people |= u64::from(is_so) << who.index();
        }
        Some(if question.others.is_empty() { Answer::People(people) } else { yes_or_no(people != 0) })
    }
}

/// The answer of a chain of minds about an item; for a thing in somebody's hands, the answer about the holder.
fn view(reality: &Mind, minds: &[CharacterId], item: Item) -> View {
    match reality.held(minds, item).expect("there is such an item") {
        Held::Nothing => View::NoIdea,
        Held::Unclear => View::Unclear,
        Held::Known(Value::Hands(holder), _) => view(reality, minds, Item::Character(holder)),
        Held::Known(Value::Place(place), _) => View::Is(Answer::Place(place)),
        Held::Known(Value::Container(container), _) => View::Is(Answer::Container(container)),
        Held::Known(Value::Truth(is_true), _) => View::Is(yes_or_no(is_true)),
        Held::Known(Value::Case(_) | Value::NoCase, _) => unreachable!("asked by scenarios"),
    }
}

/// Those for whom it is so, in the order of characters; `None` if that is open for anyone.
fn listed(is_so: impl Iterator<Item = Option<bool>>) -> Option<Answer> {
    let mut people = 0;
    for (at, is_so) in is_so.enumerate() {
        people |= u64::from(is_so?) << at;
    }
    Some(Answer::People(people))
}

/// The end of a story, with its whole course.
struct End<'a> {
    plan: &'a Plan,
    start: Mind,
    minds: Minds,
    /// Everyone's place at the start and after each event, and who moves in each event.
    places: Vec<Vec<PlaceId>>,
    walks: Vec<(Vec<CharacterId>, PlaceId)>,
    /// What was said to everyone present, in order.
    sayings: Vec<Saying>,
    /// For questions about the moment of a claim, by their numbers, the answer at that moment.
    claimed: BTreeMap<usize, Option<Answer>>,
}

impl Telling<'_> {
    fn answers(&self, plan: &Plan, steps: &[usize], told: &Trace) -> Vec<(usize, Reply)> {
        let has_company = self.questions.iter().any(|(_, question)| {
            matches!(question.kind, QuestionKind::World | QuestionKind::WorldThings | QuestionKind::Following)
        });
        let mut scene = Scene::new(&told.start, &told.stage);
        let mut distances: Vec<Distance<'_>> =
            self.questions.iter().filter_map(|&(at, question)| Distance::new(at, question)).collect();
        let mut minds = Minds::new(told, &self.chains);
        let mut end = End {
            plan,
            start: Mind::begin(told, 0),
            minds: Minds(BTreeMap::new()),
            places: vec![told.start.clone()],
            walks: Vec::new(),
            sayings: Vec::new(),
            claimed: BTreeMap::new(),
        };
        for witnessed in told.unfold() {
            if let Some(saying) = Saying::of(&witnessed) {
                for &(at, question) in &self.questions {
                    let is_claim = !saying.is_revealed && claim(plan, question) == Some(saying.of);
                    let is_of_moment =
                        matches!(question.kind, QuestionKind::CouldLie | QuestionKind::SeesThrough);
                    if is_claim && is_of_moment {
                        end.claimed.entry(at).or_insert_with(|| minds.at_claim(plan, question, &saying));
                    }
                }
                end.sayings.push(saying);
            }
            minds.happen(&witnessed);
            let holder_before = |item| holder(&scene, item);
            for distance in &mut distances {
                distance.is_moved = moves(&witnessed, distance.item, holder_before(distance.item));
            }
            scene.apply(witnessed.event, &witnessed.deed.act);
            for distance in &mut distances {
                distance.step(steps[witnessed.step], &witnessed, &scene, &minds);
            }
            if has_company {
                end.places.push(scene.characters().map(|who| scene.place(who)).collect());
                let movers = Scene::movers(witnessed.event, &witnessed.deed.act).collect();
                end.walks.push((movers, witnessed.event.to));
            }
        }
        end.minds = minds;
        let derived = |&(at, question): &(usize, &Question)| {
            let derived =
                end.answer(at, question).filter(|&answer| is_offered(question, answer)).map(|answer| {
                    let truth = end.truth(question).unwrap_or(answer);
                    let is_false = answer != truth && answer != Answer::Verdict(Verdict::Unknown);
                    let false_belief = (question.kind == QuestionKind::Belief).then_some(is_false);
                    let distance = distances.iter().find(|distance| distance.question == at);
                    Derived {
                        answer,
                        truth,
                        false_belief,
                        mislead_distance: distance
                            .filter(|_| false_belief == Some(true))
                            .map(|distance| distance.measure()),
                        lower_order: lower(question).and_then(|lower| end.answer(at, &lower)),
                    }
                });
            match derived {
                // What news does to people follows from more than beliefs: `dynamics` reads it from rows.
                _ if question.dynamic.is_some() => (at, Reply::Lost),
                _ if end.minds.is_lost(plan, question) => (at, Reply::Lost),
                Some(derived) => (at, Reply::Row(derived)),
                None => (at, Reply::NoRow),
            }
        };
        self.questions.iter().map(derived).collect()
    }
}

/// Whether an answer is one of those that the storyboard names, if it names any.
fn is_offered(question: &Question, answer: Answer) -> bool {
    let is_answer = |&value: &Value| match value {
        Value::Place(place) => answer == Answer::Place(place),
        Value::Container(container) => answer == Answer::Container(container),
        _ => false,
    };
    question.choices.is_empty() || question.choices.iter().any(is_answer)
}

impl End<'_> {
    fn answer(&self, at: usize, question: &Question) -> Option<Answer> {
        let answer = self.of_everyone(at, question)?;
        Some(match answer {
            Answer::People(people) if !question.of.is_empty() => {
                let of = question.of.iter().fold(0, |of, who| of | 1_u64 << who.index());
                Answer::People(people & of)
            }
            answer => answer,
        })
    }

    /// The answer, whether the question is about everyone or not.
    fn of_everyone(&self, at: usize, question: &Question) -> Option<Answer> {
        let others = &question.others;
        if is_unsaid(self.plan, question, &self.sayings) {
            return None;
        }
        match question.kind {
            QuestionKind::Honest | QuestionKind::Why | QuestionKind::Present => {
                let truth =
                    |item| self.start.held(&[], item).and_then(Held::value).expect("reality is known");
                return of_sayings(self.plan, question, &self.sayings, truth);
            }
            QuestionKind::CouldLie | QuestionKind::SeesThrough => {
                return self.claimed.get(&at).copied().flatten();
            }
            _ => {}
        }
        let item = match question.target {
            Target::Item(item) => item,
            Target::Matter(_) => unreachable!("answered above"),
            Target::Attitude(thing) => return self.likers(question, thing),
        };
        match question.kind {
            QuestionKind::Belief | QuestionKind::Reality => match self.minds.view(others, item) {
                View::Is(answer) => Some(answer),
                View::NoIdea if matches!(item, Item::Proposition(_) | Item::Lid(_)) => {
                    Some(Answer::Verdict(Verdict::Unknown))
                }
                View::NoIdea | View::Unclear => None,
            },
            QuestionKind::Start => match view(&self.start, &[], item) {
                View::Is(answer) => Some(answer),
                View::NoIdea | View::Unclear => unreachable!("reality is known"),
            },
            QuestionKind::Knows => {
                let outer = &others[..others.len() - 1];
                self.minds.takes_to_know(outer, others, item).map(yes_or_no)
            }
            QuestionKind::WhoKnows | QuestionKind::CouldAnswer => {
                let View::Is(wanted) = self.minds.view(others, item) else { return None };
                let says = |who| self.minds.view(&[&[who], others.as_slice()].concat(), item);
                let everyone = everyone(self.plan.character_count);
                listed(everyone.map(|who| Some(says(who) == View::Is(wanted))))
            }
            QuestionKind::Stands => {
                let (first, second) = (&others[..1], &others[1..]);
                let really = self.minds.view(&[], item);
                let knows = [first, second].map(|who| self.minds.view(who, item) == really);
                standing([others[0], others[1]], knows, self.minds.takes_to_know(first, others, item))
            }
            QuestionKind::Honest
            | QuestionKind::Why
            | QuestionKind::Present
            | QuestionKind::CouldLie
            | QuestionKind::SeesThrough => unreachable!("answered above"),
            QuestionKind::BeliefIn
            | QuestionKind::Emotion
            | QuestionKind::Intention
            | QuestionKind::Action
            | QuestionKind::Changed
            | QuestionKind::Cause
            | QuestionKind::Influence
            | QuestionKind::Course => None, // read from rows
            QuestionKind::World | QuestionKind::WorldThings => {
                self.went(others, question.character()).map(Answer::Place)
            }
            QuestionKind::Following => self.followed(question.character()).map(Answer::Character),
            QuestionKind::WhoLikes | QuestionKind::WhoDislikes => unreachable!("about attitudes"),
        }
    }

    /// Those who like a thing, or dislike it.
    fn likers(&self, question: &Question, thing: usize) -> Option<Answer> {
        let wanted = yes_or_no(question.kind == QuestionKind::WhoLikes);
        let likes = |who| {
            let Some(attitude) = attitude(self.plan, who, thing) else { return Some(false) };
            match self.minds.view(&question.others, attitude) {
                View::Is(answer) => Some(answer == wanted),
                View::NoIdea => Some(false),
                View::Unclear => None,
            }
        };
        listed(everyone(self.plan.character_count).map(likes))
    }

    /// The real state at the end, if the question has an item and does not itself ask for its reality.
    fn truth(&self, question: &Question) -> Option<Answer> {
        let is_of_one = matches!(
            question.kind,
            QuestionKind::Belief
                | QuestionKind::Reality
                | QuestionKind::Start
                | QuestionKind::World
                | QuestionKind::WorldThings
        );
        match (question.target, is_of_one) {
            (Target::Item(item), true) => match self.minds.view(&[], item) {
                View::Is(answer) => Some(answer),
                View::NoIdea | View::Unclear => unreachable!("reality is known"),
            },
            _ => None,
        }
    }

    /// Where `target` went after it was last in one place with all of these, if it was the first of them to leave.
    fn went(&self, company: &[CharacterId], target: CharacterId) -> Option<PlaceId> {
        let is_together =
            |places: &Vec<PlaceId>| company.iter().all(|who| places[who.index()] == places[target.index()]);
        let last = self.places.iter().rposition(is_together)?;
        let (movers, to) = self.walks[last..]
            .iter()
            .find(|(movers, _)| movers.iter().any(|mover| *mover == target || company.contains(mover)))?;
        movers.contains(&target).then_some(*to)
    }

    /// The only other character with whom `who` is after each of her moves, if there is one.
    fn followed(&self, who: CharacterId) -> Option<CharacterId> {
        let after = self.walks.iter().zip(&self.places[1..]);
        let after: Vec<&Vec<PlaceId>> =
            after.filter(|((movers, _), _)| movers.contains(&who)).map(|(_, places)| places).collect();
        let is_with_her =
            |other: &CharacterId| after.iter().all(|places| places[other.index()] == places[who.index()]);
        let others = everyone(self.plan.character_count).filter(|&other| other != who);
        let fitting: Vec<CharacterId> = others.filter(is_with_her).collect();
        match fitting[..] {
            [whom] if !after.is_empty() => Some(whom),
            _ => None,
        }
    }
}

/// The character who has an item in hand, if any.
fn holder(scene: &Scene, item: Item) -> Option<CharacterId> {
    match (item, scene.value(item)) {
        (Item::Object(_), Value::Hands(holder)) => Some(holder),
        _ => None,
    }
}

/// Whether an event moves an item, which `holder` had in hand before.
fn moves(witnessed: &Witnessed, item: Item, holder: Option<CharacterId>) -> bool {
    let act = &witnessed.deed.act;
    let goes = |who| Scene::movers(witnessed.event, act).any(|mover| mover == who);
    match item {
        Item::Character(who) => goes(who),
        Item::Object(object) => act.object() == Some(object) || holder.is_some_and(goes),
        Item::Lid(_) | Item::Proposition(_) | Item::Prospect(_) => false,
    }
}

/// How long ago the outermost mind perceived the target when the belief became false, by the definition, step by step.
struct Distance<'a> {
    question: usize,
    minds: &'a [CharacterId],
    item: Item,
    is_moved: bool,
    /// The step at which the target was last perceived; `None` for the start.
    perceived: Option<usize>,
    /// The step since which the belief is false, if it is.
    false_since: Option<usize>,
}

impl<'a> Distance<'a> {
    /// The distance of a belief about where something is; `None` for other questions.
    fn new(at: usize, question: &'a Question) -> Option<Self> {
        match question.target {
            Target::Item(item @ (Item::Character(_) | Item::Object(_)))
                if question.kind == QuestionKind::Belief =>
            {
                Some(Self {
                    question: at,
                    minds: &question.others,
                    item,
                    is_moved: false,
                    perceived: None,
                    false_since: None,
                })
            }
            _ => None,
        }
    }

    fn step(&mut self, step: usize, witnessed: &Witnessed, scene: &Scene, minds: &Minds) {
        let outermost = self.minds[0];
        let place = scene.place(outermost);
        let is_seen = match self.item {
            Item::Character(who) => scene.place(who) == place,
            Item::Object(object) => scene.is_visible(object, place),
            Item::Lid(_) | Item::Proposition(_) | Item::Prospect(_) => unreachable!("it is somewhere"),
        };
        if is_seen || self.is_moved && witnessed.witnesses.contains(&outermost) {
            self.perceived = Some(step);
        }
        let is_right = minds.view(self.minds, self.item) == minds.view(&[], self.item);
        self.false_since = if is_right { None } else { self.false_since.or(Some(step)) };
    }

    /// The number of steps strictly in between; the start is the step before step 0.
    fn measure(&self) -> usize {
        let since = self.false_since.expect("a false belief became false");
        since.saturating_sub(self.perceived.map_or(0, |perceived| perceived + 1))
    }
}
