//! Questions about the end of a conversation, prepared: what has to be said for there to be an answer, and from which facts it follows.
//!
//! To find out which questions are fair, hundreds are answered for every story (`bundle`). Many follow from the same facts, and those
//! about different matters follow from them in the same way. So facts are numbered, each is found at most once a story, and a query asks
//! of all matters at once, with one bit for each.

use std::collections::BTreeMap;

use smallvec::{SmallVec, smallvec};

use super::answer::{Answer, Standing, Verdict};
use super::matters::{standing_of, wanted};
use super::talk::{Listening, Talk, mask};
use crate::belief::Held;
use crate::id::{CharacterId, PropositionId};
use crate::plan::{Plan, Question, Staging, Target};
use crate::storyboard::{Facet, QuestionKind};
use crate::trace::Trace;
use crate::world::{Item, Value};

/// Some matters, one bit each.
pub type Matters = u64;

/// The numbers of matters, in order.
pub fn each(mut matters: Matters) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (matters != 0).then(|| matters.trailing_zeros() as usize);
        matters &= matters.wrapping_sub(1);
        next
    })
}

/// Something from which answers follow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    /// What a chain of minds says.
    Opinion(Listening, Until),
    /// Whether any of these is ever said: revealed, or else told.
    Said(SmallVec<[(PropositionId, bool); 2]>),
}

/// How much of what is said counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Until {
    /// All of it.
    End,
    /// What comes before the proposition is told for the first time.
    Told,
}

/// What a fact is for each of some matters. Of those that are in none of these, whoever is asked has no idea.
#[derive(Clone, Copy, Debug, Default)]
struct Says {
    yes: Matters,
    no: Matters,
    /// Whoever holds the last mind cannot tell.
    unclear: Matters,
}

impl Fact {
    /// Adds what it is of a matter.
    ///
    /// Costs as much as [`Talk::held`].
    ///
    /// # Panics
    /// If an opinion is asked for before the proposition is told, and the proposition never is.
    fn add(&self, talk: &Talk, matter: usize, says: &mut Says) {
        let bit = 1 << matter;
        match self {
            Self::Said(any) if talk.first(any).is_some() => says.yes |= bit,
            Self::Said(_) => says.no |= bit,
            Self::Opinion(listening, until) => {
                let until = match until {
                    Until::End => talk.len(),
                    Until::Told => talk.first(&[(listening.of, false)]).expect("something that is told"),
                };
                match talk.held_by(listening, until) {
                    Held::Known(Value::Truth(true), _) => says.yes |= bit,
                    Held::Known(Value::Truth(false), _) => says.no |= bit,
                    Held::Unclear => says.unclear |= bit,
                    _ => {}
                }
            }
        }
    }
}

impl Says {
    const fn of(self, matters: Matters) -> Self {
        Self { yes: self.yes & matters, no: self.no & matters, unclear: self.unclear & matters }
    }

    const fn clear(self) -> Matters {
        self.yes | self.no
    }

    /// Where both say the same, and clearly.
    const fn same(self, other: Self) -> Matters {
        self.yes & other.yes | self.no & other.no
    }
}

/// The facts from which the answers to some questions follow, by their numbers. For each matter, there is one or none.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    all: Vec<Vec<Option<Fact>>>,
    numbers: BTreeMap<Vec<Option<Fact>>, usize>,
}

impl Facts {
    fn number(&mut self, of_matters: Vec<Option<Fact>>) -> usize {
        let all = &mut self.all;
        *self.numbers.entry(of_matters).or_insert_with_key(|of_matters| {
            all.push(of_matters.clone());
            all.len() - 1
        })
    }

    fn said<const N: usize>(&mut self, any: impl Iterator<Item = [(PropositionId, bool); N]>) -> usize {
        self.number(any.map(|any| Some(Fact::Said(SmallVec::from_slice(&any)))).collect())
    }

    /// Adds what one is of these matters.
    fn add(&self, talk: &Talk, (number, of): (usize, Matters), says: &mut Says) {
        let of_matters = &self.all[number];
        for matter in each(of) {
            of_matters[matter].iter().for_each(|fact| fact.add(talk, matter, says));
        }
    }
}

/// An answer as a number: answers to one question, of whichever matter, are the same if their numbers are.
type Code = u64;

/// An answer, with the matters of which it is the answer.
pub type Group = (Code, Matters);

/// The different answers to a question about several matters.
#[derive(Clone, Debug, Default)]
pub struct Dealt(SmallVec<[Group; 4]>);

impl Dealt {
    fn add(&mut self, code: Code, of: Matters) {
        if of == 0 {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| *known == code) {
            Some((_, matters)) => *matters |= of,
            None => self.0.push((code, of)),
        }
    }

    /// Adds verdicts where there is no answer yet.
    fn add_verdicts(&mut self, verdicts: &[(Verdict, Matters)]) {
        let some = verdicts.iter().filter(|(_, of)| *of != 0);
        self.0.extend(some.map(|(verdict, of)| (*verdict as Code, *of)));
    }

    /// The different answers.
    pub fn answers(&self) -> &[Group] {
        &self.0
    }

    /// For each answer, the matters of which it is the answer here and there.
    pub fn beside<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (Matters, Matters)> + 'a {
        let there = other.answers();
        self.answers().iter().map(move |(code, of)| {
            let there = there.iter().find(|(known, _)| known == code);
            (*of, there.map_or(0, |(_, of)| *of))
        })
    }

    /// The answer for a matter, if there is one.
    fn code(&self, matter: usize) -> Option<Code> {
        self.0.iter().find(|(_, of)| of >> matter & 1 == 1).map(|(code, _)| *code)
    }
}

/// A question about the end of a conversation, about each of some matters, or about one thing that is said. Facts are given by their
/// numbers.
#[derive(Clone, Debug)]
pub struct Query {
    /// The matters, or a bit for what is said.
    of: Matters,
    /// What has to be said for there to be an answer.
    needed: SmallVec<[usize; 2]>,
    form: Form,
}

/// What the answer follows from.
#[derive(Clone, Debug)]
enum Form {
    /// What is held.
    Held(usize),
    /// Whether the last mind is taken to know, by the one around it or in reality.
    Knows { outer: usize, inner: usize, is_real: bool },
    /// Whose opinion is the one that is wanted.
    Share { wanted: usize, people: Vec<(CharacterId, usize)> },
    /// What two know, and whether the first takes the second to.
    Stands { whose: [CharacterId; 2], own: [usize; 2], taken: usize, truth: usize },
    /// Who of these is there when something is said for the first time: for each matter, what.
    Present { said: Vec<Option<(PropositionId, bool)>>, people: u64, mirrored: u64 },
    /// Why the targets of the matters with these numbers are told what they are told.
    Why(Vec<usize>),
    /// Who could lie, or sees through a lie, when the claim is told.
    Claimed(Claimed),
}

/// Who could lie, or sees through a lie.
#[derive(Clone, Debug)]
struct Claimed {
    /// The claim of each matter.
    claims: Vec<PropositionId>,
    truth: usize,
    people: Vec<Knower>,
    /// Whether it is asked of one alone if it is so of her.
    is_of_one: bool,
    mirrored: u64,
}

/// Somebody who could lie or see through a lie.
#[derive(Clone, Debug)]
struct Knower {
    who: CharacterId,
    own: usize,
    /// What she takes the target to think; none where it is asked who sees through a lie.
    of_target: Option<usize>,
}

impl Query {
    /// A query for questions that are the same but for their matters, in the story or in the mirror of some people; `None` if they have
    /// no answers.
    pub fn new(plan: &Plan, questions: &[Question], mirrored: u64, facts: &mut Facts) -> Option<Self> {
        let staging = plan.staging.as_ref().expect("matters are staged");
        let question = questions.first()?;
        let (of, until) = match question.target {
            Target::Item(Item::Proposition(_)) => {
                (questions.iter().filter_map(proposition).collect(), Until::End)
            }
            Target::Matter(_) => {
                let claim = |number: usize| staging.matters[number].facet(Facet::Claim);
                (questions.iter().filter_map(matter).map(claim).collect(), Until::Told)
            }
            Target::Item(_) | Target::Attitude(_) => return None,
        };
        let mut author = Author { plan, staging, question, of, until, mirrored, facts };
        let (needed, form) = match until {
            Until::End => author.of_propositions()?,
            Until::Told => {
                let numbers = questions.iter().filter_map(matter).collect();
                author.of_matters(numbers)?
            }
        };
        Some(Self { of: u64::MAX >> (64 - questions.len()), needed, form })
    }

    /// Finds the answers; `says` gives facts by their numbers, of some matters.
    ///
    /// Costs O(people · matters), and what it takes to find the facts.
    fn deal(&self, talk: &Talk, mut says: impl FnMut(usize, Matters) -> Says, dealt: &mut Dealt) {
        dealt.0.clear();
        let of = self.needed.iter().fold(self.of, |of, &needed| says(needed, of).yes);
        if of == 0 {
            return;
        }
        let mut says = |fact: usize| says(fact, of);
        match &self.form {
            Form::Held(opinion) => {
                let held = says(*opinion);
                let unknown = of & !held.clear() & !held.unclear;
                dealt.add_verdicts(&[
                    (Verdict::Yes, held.yes),
                    (Verdict::No, held.no),
                    (Verdict::Unknown, unknown),
                ]);
            }
            Form::Knows { outer, inner, is_real } => {
                let [yes, no] = knows(of, says(*outer), says(*inner), *is_real);
                dealt.add_verdicts(&[(Verdict::Yes, yes), (Verdict::No, no)]);
            }
            Form::Share { wanted, people } => {
                let wanted = says(*wanted);
                let shares = |(who, opinion): &(CharacterId, usize)| (*who, says(*opinion).same(wanted));
                dealt.add_people(wanted.clear(), people.iter().map(shares));
            }
            Form::Stands { own, taken, truth, .. } => {
                let truth = says(*truth);
                let [first, second] = own.map(&mut says);
                let [takes, takes_not] = knows(of, first, says(*taken), false);
                dealt.add_standings(of, [first, second].map(|own| own.same(truth)), [takes, takes_not]);
            }
            Form::Present { said, people, mirrored } => {
                for matter in each(of) {
                    let Some(said) = said[matter].and_then(|said| talk.first(&[said])) else { continue };
                    dealt.add((talk.saying(said).heard ^ mirrored) & people, 1 << matter);
                }
            }
            Form::Why(numbers) => each(of).for_each(|matter| dealt.add(numbers[matter] as Code, 1 << matter)),
            Form::Claimed(claimed) => claimed.deal(talk, of, says, dealt),
        }
    }

    /// The answer for a matter, if there is one.
    pub fn answer(&self, dealt: &Dealt, matter: usize) -> Option<Answer> {
        let code = dealt.code(matter)?;
        Some(match &self.form {
            Form::Share { .. } | Form::Present { .. } => Answer::People(code),
            Form::Claimed(Claimed { is_of_one: false, .. }) => Answer::People(code),
            Form::Stands { whose, .. } => Answer::Standing(Standing::ALL[code as usize], *whose),
            Form::Why(_) => Answer::Why(code as usize, 0),
            Form::Held(_) | Form::Knows { .. } | Form::Claimed(_) => {
                Answer::Verdict([Verdict::Yes, Verdict::No, Verdict::Unknown][code as usize])
            }
        })
    }
}

impl Dealt {
    /// Adds lists of people, each with the matters for which she is in it.
    fn add_people(&mut self, of: Matters, people: impl Iterator<Item = (CharacterId, Matters)>) {
        if of == 0 {
            return;
        }
        // Each person divides the matters of every list so far in two: those whose lists have her, and those whose lists do not.
        self.0.push((0, of));
        for (who, is_in) in people {
            for at in 0..self.0.len() {
                let (code, of) = self.0[at];
                let with = of & is_in;
                if with == 0 {
                    continue;
                }
                self.0[at] = (code | 1 << who.index(), with);
                if with != of {
                    self.0.push((code, of & !is_in));
                }
            }
        }
    }

    /// Adds how two stand, given for which matters each knows, and for which the first takes the second to know, or not to know.
    fn add_standings(&mut self, of: Matters, knows: [Matters; 2], takes: [Matters; 2]) {
        let either = |matters: Matters| [(true, of & matters), (false, of & !matters)];
        for (first, of_first) in either(knows[0]) {
            for (second, of_both) in either(knows[1]) {
                let unclear = of & !takes[0] & !takes[1];
                for (takes, of) in [(Some(true), takes[0]), (Some(false), takes[1]), (None, unclear)] {
                    if let Some(standing) = standing_of([first, second], takes) {
                        self.add(standing as Code, of_first & of_both & of);
                    }
                }
            }
        }
    }
}

impl Claimed {
    fn deal(&self, talk: &Talk, of: Matters, mut says: impl FnMut(usize) -> Says, dealt: &mut Dealt) {
        let truth = says(self.truth);
        let mut clear = of;
        let mut is_so: SmallVec<[(CharacterId, Matters); 8]> = SmallVec::new();
        for Knower { who, own, of_target } in &self.people {
            let known = says(*own).same(truth);
            let of_her = match of_target {
                Some(of_target) if known != 0 => {
                    let [yes, no] = knows(of, truth, says(*of_target), false);
                    clear &= !known | yes | no;
                    no
                }
                Some(_) => 0,
                None => each(known)
                    .filter(|matter| self.hears(talk, *matter, *who))
                    .map(|matter| 1 << matter)
                    .sum(),
            };
            is_so.push((*who, known & of_her));
        }
        if self.is_of_one {
            let yes = is_so.iter().fold(0, |any, (_, of)| any | of);
            dealt.add_verdicts(&[(Verdict::Yes, clear & yes), (Verdict::No, clear & !yes)]);
        } else {
            dealt.add_people(clear, is_so.into_iter());
        }
    }

    /// Whether somebody is there when the claim of a matter is told for the first time.
    fn hears(&self, talk: &Talk, matter: usize, who: CharacterId) -> bool {
        let told = talk.first(&[(self.claims[matter], false)]).expect("a claim that is told");
        (talk.saying(told).heard ^ self.mirrored) >> who.index() & 1 == 1
    }
}

/// For which matters a mind that says `outer` takes the next, which says `inner` in it, to know, and for which not to know.
const fn knows(of: Matters, outer: Says, inner: Says, is_real: bool) -> [Matters; 2] {
    let yes = outer.same(inner);
    let nothing = of & !inner.clear() & !inner.unclear;
    let no = if is_real { of & !yes } else { nothing | outer.clear() & inner.clear() & !yes };
    [yes, no]
}

/// A conversation, and what was found out about it.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    talk: Talk,
    /// For each fact, by its number, the matters of which it was found, and what it is of them.
    found: Vec<(Matters, Says)>,
}

impl Heard {
    /// Takes in a story about which these facts may be asked for. Costs as much as [`Talk::read`].
    pub fn read(&mut self, trace: &Trace, facts: &Facts) {
        self.talk.read(trace);
        self.found.clear();
        self.found.resize(facts.all.len(), Default::default());
    }

    /// What is said.
    pub const fn talk(&self) -> &Talk {
        &self.talk
    }

    /// Finds the answers to a question.
    pub fn deal(&mut self, facts: &Facts, query: &Query, dealt: &mut Dealt) {
        let Self { talk, found } = self;
        let says = |fact: usize, of: Matters| {
            let (known, says) = &mut found[fact];
            if of & !*known != 0 {
                facts.add(talk, (fact, of & !*known), says);
                *known |= of;
            }
            says.of(of)
        };
        query.deal(talk, says, dealt);
    }
}

impl Talk {
    /// The answer to a question about a matter at the end of a story; `None` if a careful reader could not say.
    ///
    /// Costs O(people · sayings).
    pub fn answer(&self, plan: &Plan, question: &Question) -> Option<Answer> {
        Prepared::new(plan, question)?.answer(self)
    }
}

/// A question that is asked of many conversations.
#[derive(Clone, Debug)]
pub struct Prepared {
    query: Query,
    facts: Facts,
}

impl Prepared {
    /// Prepares a question; `None` if it has no answer.
    pub fn new(plan: &Plan, question: &Question) -> Option<Self> {
        let mut facts = Facts::default();
        Some(Self { query: Query::new(plan, std::slice::from_ref(question), 0, &mut facts)?, facts })
    }

    /// The answer, if there is one.
    ///
    /// Costs O(people · sayings).
    pub fn answer(&self, talk: &Talk) -> Option<Answer> {
        let says = |fact, of| {
            let mut says = Says::default();
            self.facts.add(talk, (fact, of), &mut says);
            says
        };
        let mut dealt = Dealt::default();
        self.query.deal(talk, says, &mut dealt);
        self.query.answer(&dealt, 0)
    }
}

/// What writes a query.
struct Author<'a> {
    plan: &'a Plan,
    staging: &'a Staging,
    /// One of the questions.
    question: &'a Question,
    /// What is asked about: for each matter, a proposition.
    of: Vec<PropositionId>,
    until: Until,
    mirrored: u64,
    facts: &'a mut Facts,
}

impl Author<'_> {
    /// For each matter, what a chain says, if one is asked.
    fn opinions(&mut self, chain: impl Fn(usize) -> Option<SmallVec<[CharacterId; 2]>>) -> usize {
        let opinion = |(matter, of): (usize, &PropositionId)| {
            let chain = chain(matter)?;
            Some(Fact::Opinion(Listening::new(self.staging, &chain, *of, self.mirrored), self.until))
        };
        let of_matters = self.of.iter().enumerate().map(opinion).collect();
        self.facts.number(of_matters)
    }

    fn opinion(&mut self, chain: &[CharacterId]) -> usize {
        self.opinions(|_| Some(chain.into()))
    }

    /// What is so.
    fn truth(&mut self) -> usize {
        self.opinion(&[])
    }

    /// Those about whom a list of people asks.
    fn people(&self) -> Vec<CharacterId> {
        let of = &self.question.of;
        let everyone = (0..self.plan.character_count).map(CharacterId::new);
        everyone.filter(|who| of.is_empty() || of.contains(who)).collect()
    }

    /// What has to be said for there to be an answer about a proposition. The outer `None` means that nothing has to, the inner that it never
    /// can be.
    fn wanted(&self, of: PropositionId) -> Option<Option<(PropositionId, bool)>> {
        let of = self.staging.propositions[of.index()].of_matter()?;
        wanted(&self.staging.matters[of.matter], of.facet)
    }

    fn of_propositions(&mut self) -> Option<(SmallVec<[usize; 2]>, Form)> {
        let wanted: Vec<_> = self.of.iter().map(|of| self.wanted(*of)).collect();
        let said = |wanted: &Option<Option<(PropositionId, bool)>>| wanted.flatten();
        let needed = match wanted.iter().any(Option::is_some) {
            false => SmallVec::new(),
            true => {
                let said = wanted.iter().map(|wanted| said(wanted).map(|one| Fact::Said(smallvec![one])));
                smallvec![self.facts.number(said.collect())]
            }
        };
        let others = self.question.others.as_slice();
        let form = match self.question.kind {
            QuestionKind::Belief | QuestionKind::Reality => Form::Held(self.opinion(others)),
            QuestionKind::Knows => {
                let outer = &others[..others.len() - 1];
                let is_real = outer.is_empty();
                Form::Knows { outer: self.opinion(outer), inner: self.opinion(others), is_real }
            }
            QuestionKind::WhoKnows | QuestionKind::CouldAnswer => {
                let (wanted, people) = (self.opinion(others), self.people());
                let mut opinion = |who: CharacterId| {
                    let mut chain: Vec<CharacterId> = [who].iter().chain(others).copied().collect();
                    chain.dedup();
                    (who, self.opinion(&chain))
                };
                Form::Share { wanted, people: people.into_iter().map(&mut opinion).collect() }
            }
            QuestionKind::Stands => {
                let own = [&others[..1], &others[1..]].map(|one| self.opinion(one));
                let (taken, truth) = (self.opinion(others), self.truth());
                Form::Stands { whose: [others[0], others[1]], own, taken, truth }
            }
            QuestionKind::Present => Form::Present {
                said: wanted.iter().map(said).collect(),
                people: mask(&self.people()),
                mirrored: self.mirrored,
            },
            _ => return None,
        };
        Some((needed, form))
    }

    fn of_matters(&mut self, numbers: Vec<usize>) -> Option<(SmallVec<[usize; 2]>, Form)> {
        let staging = self.staging;
        let matters = || numbers.iter().map(|number| &staging.matters[*number]);
        let facets =
            || matters().map(|matter| [Facet::Claim, Facet::Reason].map(|facet| matter.facet(facet)));
        let told = self.facts.said(facets().map(|[claim, _]| [(claim, false)]));
        Some(match self.question.kind {
            QuestionKind::Honest => {
                let revealed = facets().map(|[claim, reason]| [(reason, true), (claim, true)]);
                (smallvec![self.facts.said(revealed), told], Form::Held(self.truth()))
            }
            QuestionKind::Why => {
                (smallvec![self.facts.said(facets().map(|[_, reason]| [(reason, true)]))], Form::Why(numbers))
            }
            QuestionKind::CouldLie => {
                let targets: Vec<CharacterId> = matters().map(|matter| matter.to).collect();
                (smallvec![told], self.of_claims(Some(&targets)))
            }
            QuestionKind::SeesThrough => (smallvec![told], self.of_claims(None)),
            _ => return None,
        })
    }

    /// Who could lie to the targets when the claims are told, if they are given, or else who sees through them.
    fn of_claims(&mut self, targets: Option<&[CharacterId]>) -> Form {
        let one = self.question.others.first().copied();
        let people = one.map_or_else(|| self.people(), |one| vec![one]);
        // Nobody lies to herself, so no list has the target.
        let is_asked =
            |who, matter: usize| one.is_some() || targets.is_none_or(|targets| targets[matter] != who);
        let mut knower = |who: CharacterId| Knower {
            who,
            own: self.opinions(|matter| is_asked(who, matter).then(|| smallvec![who])),
            of_target: targets.map(|targets| {
                self.opinions(|matter| is_asked(who, matter).then(|| smallvec![who, targets[matter]]))
            }),
        };
        let people = people.into_iter().map(&mut knower).collect();
        Form::Claimed(Claimed {
            claims: self.of.clone(),
            truth: self.truth(),
            people,
            is_of_one: one.is_some(),
            mirrored: self.mirrored,
        })
    }
}

/// The proposition that a question asks about, if it asks about one.
fn proposition(question: &Question) -> Option<PropositionId> {
    match question.target {
        Target::Item(Item::Proposition(of)) => Some(of),
        _ => None,
    }
}

/// The number of the matter that a question asks about, if it asks about one.
fn matter(question: &Question) -> Option<usize> {
    match question.target {
        Target::Matter(number) => Some(number),
        _ => None,
    }
}
