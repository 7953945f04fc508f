//! Questions about the end of a conversation, prepared: what has to be said for there to be an answer, and from which facts it follows.
//!
//! To find out which questions are fair, hundreds are answered for every story (`bundle`). Many follow from the same facts, so facts are
//! numbered, and each is found at most once a story.

use std::collections::BTreeMap;

use smallvec::{SmallVec, smallvec};

use super::answer::{Answer, Standing, Verdict};
use super::matters::{standing_of, wanted};
use super::talk::{Talk, mask};
use super::view::verdict;
use crate::belief::Held;
use crate::id::{CharacterId, PropositionId};
use crate::plan::{Plan, Question, Staging, Target};
use crate::storyboard::{Facet, QuestionKind};
use crate::trace::Trace;
use crate::world::{Item, Value};

/// A chain of minds that is asked about a proposition, at the end or earlier, in the story or in one of its mirrors.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opinion {
    pub chain: SmallVec<[CharacterId; 2]>,
    pub of: PropositionId,
    pub until: Until,
    /// Those of the chain who are taken to be there whenever they are away, and the other way round, one bit each.
    pub mirrored: u64,
}

/// How much of what is said counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Until {
    /// All of it.
    End,
    /// What comes before the proposition is told for the first time.
    Told,
}

/// What it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    Yes,
    No,
    /// The owner of the last mind has no idea, and whoever holds this mind knows that.
    Nothing,
    /// Whoever holds the last mind cannot tell.
    Unclear,
}

impl Opinion {
    /// What the chain says after a conversation.
    ///
    /// Costs as much as [`Talk::held`].
    ///
    /// # Panics
    /// If it is asked about before the proposition is told, and the proposition never is.
    pub fn says(&self, staging: &Staging, talk: &Talk) -> Says {
        let until = match self.until {
            Until::End => talk.len(),
            Until::Told => talk.first(&[(self.of, false)]).expect("something that is told"),
        };
        Says::of(talk.held_in_mirror(staging, &self.chain, (self.of, until), self.mirrored))
    }
}

impl Says {
    /// What somebody says who holds this.
    pub const fn of(held: Held) -> Self {
        match held {
            Held::Known(Value::Truth(true), _) => Self::Yes,
            Held::Known(Value::Truth(false), _) => Self::No,
            Held::Unclear => Self::Unclear,
            _ => Self::Nothing,
        }
    }

    const fn is_clear(self) -> bool {
        matches!(self, Self::Yes | Self::No)
    }
}

/// Something from which answers follow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    Opinion(Opinion),
    /// Whether any of these is ever said: revealed, or else told.
    Said(SmallVec<[(PropositionId, bool); 2]>),
}

impl Fact {
    fn says(&self, staging: &Staging, talk: &Talk) -> Says {
        match self {
            Self::Opinion(opinion) => opinion.says(staging, talk),
            Self::Said(any) if talk.first(any).is_some() => Says::Yes,
            Self::Said(_) => Says::No,
        }
    }
}

/// The facts from which the answers to some questions follow, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    all: Vec<Fact>,
    numbers: BTreeMap<Fact, usize>,
}

impl Facts {
    fn number(&mut self, fact: Fact) -> usize {
        let all = &mut self.all;
        *self.numbers.entry(fact).or_insert_with_key(|fact| {
            all.push(fact.clone());
            all.len() - 1
        })
    }

    fn said(&mut self, any: &[(PropositionId, bool)]) -> usize {
        self.number(Fact::Said(any.into()))
    }
}

/// An answer as a number: answers to one question, of whichever matter, are the same if their numbers are.
pub type Code = u64;

/// A question about a matter or a proposition at the end of a conversation. Facts are given by their numbers.
#[derive(Clone, Debug)]
pub struct Query {
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
    /// Who of these is there when something is said for the first time.
    Present { said: (PropositionId, bool), people: u64, mirrored: u64 },
    /// Why the target of the matter with this number is told what she is told.
    Why(usize),
    /// Who could lie, or sees through a lie, when the claim is told.
    Claimed(Claimed),
}

/// Who could lie, or sees through a lie.
#[derive(Clone, Debug)]
struct Claimed {
    claim: PropositionId,
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
    /// A query for a question, in the story or in the mirror of some people; `None` if there never is an answer.
    pub fn new(plan: &Plan, question: &Question, mirrored: u64, facts: &mut Facts) -> Option<Self> {
        let staging = plan.staging.as_ref().expect("matters are staged");
        match question.target {
            Target::Item(Item::Proposition(of)) => {
                let needed = match staging.propositions[of.index()].of_matter() {
                    Some(of) => wanted(&staging.matters[of.matter], of.facet),
                    None => None,
                };
                let needed = match needed {
                    None => SmallVec::new(),
                    Some(wanted) => smallvec![facts.said(&[wanted?])],
                };
                let mut author = Author { plan, question, of, until: Until::End, mirrored, facts };
                Some(Self { needed, form: author.of_proposition(staging)? })
            }
            Target::Matter(number) => {
                let matter = &staging.matters[number];
                let [of, reason] = [Facet::Claim, Facet::Reason].map(|facet| matter.facet(facet));
                let (told, explained) = (facts.said(&[(of, false)]), facts.said(&[(reason, true)]));
                let revealed = facts.said(&[(reason, true), (of, true)]);
                let mut author = Author { plan, question, of, until: Until::Told, mirrored, facts };
                let (needed, form): (SmallVec<_>, _) = match question.kind {
                    QuestionKind::Honest => (smallvec![revealed, told], Form::Held(author.truth())),
                    QuestionKind::Why => (smallvec![explained], Form::Why(number)),
                    QuestionKind::CouldLie => (smallvec![told], author.of_claim(Some(matter.to))),
                    QuestionKind::SeesThrough => (smallvec![told], author.of_claim(None)),
                    _ => return None,
                };
                Some(Self { needed, form })
            }
            Target::Item(_) | Target::Attitude(_) => None,
        }
    }

    /// The answer as a number, if there is one; `says` gives facts by their numbers.
    ///
    /// Costs O(people), and what it takes to find the facts.
    fn code(&self, talk: &Talk, mut says: impl FnMut(usize) -> Says) -> Option<Code> {
        if !self.needed.iter().all(|&needed| says(needed) == Says::Yes) {
            return None;
        }
        match &self.form {
            Form::Held(opinion) => match says(*opinion) {
                Says::Yes => Some(Verdict::Yes as Code),
                Says::No => Some(Verdict::No as Code),
                Says::Nothing => Some(Verdict::Unknown as Code),
                Says::Unclear => None,
            },
            Form::Knows { outer, inner, is_real } => {
                knows(says(*outer), says(*inner), *is_real).map(|knows| verdict(knows) as Code)
            }
            Form::Share { wanted, people } => {
                let wanted = Some(says(*wanted)).filter(|wanted| wanted.is_clear())?;
                let share = |(who, opinion): &(CharacterId, usize)| {
                    Code::from(says(*opinion) == wanted) << who.index()
                };
                Some(people.iter().map(share).sum())
            }
            Form::Stands { own, taken, truth, .. } => {
                let truth = says(*truth);
                let [first, second] = own.map(&mut says);
                let takes = knows(first, says(*taken), false);
                standing_of([first == truth, second == truth], takes).map(|standing| standing as Code)
            }
            Form::Present { said, people, mirrored } => {
                let heard = talk.saying(talk.first(&[*said])?).heard;
                Some((heard ^ mirrored) & people)
            }
            Form::Why(matter) => Some(*matter as Code),
            Form::Claimed(claimed) => claimed.code(talk, says),
        }
    }
}

impl Form {
    /// The answer with a number.
    fn answer(&self, code: Code) -> Answer {
        match self {
            Self::Share { .. } | Self::Present { .. } => Answer::People(code),
            Self::Claimed(Claimed { is_of_one: false, .. }) => Answer::People(code),
            Self::Stands { whose, .. } => Answer::Standing(Standing::ALL[code as usize], *whose),
            Self::Why(matter) => Answer::Why(*matter, 0),
            Self::Held(_) | Self::Knows { .. } | Self::Claimed(_) => {
                Answer::Verdict([Verdict::Yes, Verdict::No, Verdict::Unknown][code as usize])
            }
        }
    }
}

impl Claimed {
    fn code(&self, talk: &Talk, mut says: impl FnMut(usize) -> Says) -> Option<Code> {
        let heard = talk.saying(talk.first(&[(self.claim, false)])?).heard ^ self.mirrored;
        let truth = says(self.truth);
        let mut people = 0;
        for Knower { who, own, of_target } in &self.people {
            if says(*own) != truth {
                continue;
            }
            let is_so = match of_target {
                Some(of_target) => !knows(truth, says(*of_target), false)?,
                None => heard >> who.index() & 1 == 1,
            };
            people |= u64::from(is_so) << who.index();
        }
        Some(match self.is_of_one {
            true => verdict(people != 0) as Code,
            false => people,
        })
    }
}

/// A conversation, and what was found out about it.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    talk: Talk,
    /// The facts that were found, by their numbers.
    found: Vec<Option<Says>>,
}

impl Heard {
    /// Takes in a story about which these facts may be asked for. Costs as much as [`Talk::read`].
    pub fn read(&mut self, trace: &Trace, facts: &Facts) {
        self.talk.read(trace);
        self.found.clear();
        self.found.resize(facts.all.len(), None);
    }

    /// The answer to a question as a number, if there is one.
    pub fn code(&mut self, staging: &Staging, facts: &Facts, query: &Query) -> Option<Code> {
        let Self { talk, found } = self;
        query.code(talk, |fact| *found[fact].get_or_insert_with(|| facts.all[fact].says(staging, talk)))
    }

    /// The answer to a question, if there is one.
    pub fn answer(&mut self, staging: &Staging, facts: &Facts, query: &Query) -> Option<Answer> {
        self.code(staging, facts, query).map(|code| query.form.answer(code))
    }
}

impl Talk {
    /// The answer to a question about a matter at the end of a story; `None` if a careful reader could not say.
    ///
    /// Costs O(people · sayings).
    pub fn answer(&self, plan: &Plan, question: &Question) -> Option<Answer> {
        Prepared::new(plan, question)?.answer(plan, self)
    }
}

/// A question that is asked of many conversations.
#[derive(Clone, Debug)]
pub struct Prepared {
    query: Query,
    facts: Facts,
}

impl Prepared {
    /// Prepares a question; `None` if there never is an answer.
    pub fn new(plan: &Plan, question: &Question) -> Option<Self> {
        let mut facts = Facts::default();
        Some(Self { query: Query::new(plan, question, 0, &mut facts)?, facts })
    }

    /// The answer, if there is one.
    ///
    /// Costs O(people · sayings).
    pub fn answer(&self, plan: &Plan, talk: &Talk) -> Option<Answer> {
        let staging = plan.staging.as_ref().expect("matters are staged");
        let code = self.query.code(talk, |fact| self.facts.all[fact].says(staging, talk))?;
        Some(self.query.form.answer(code))
    }
}

/// What writes a query.
struct Author<'a> {
    plan: &'a Plan,
    question: &'a Question,
    of: PropositionId,
    until: Until,
    mirrored: u64,
    facts: &'a mut Facts,
}

impl Author<'_> {
    fn opinion(&mut self, chain: &[CharacterId]) -> usize {
        let Self { of, until, .. } = *self;
        let mirrored = self.mirrored & mask(chain);
        self.facts.number(Fact::Opinion(Opinion { chain: SmallVec::from_slice(chain), of, until, mirrored }))
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

    fn of_proposition(&mut self, staging: &Staging) -> Option<Form> {
        let others = self.question.others.as_slice();
        match self.question.kind {
            QuestionKind::Belief | QuestionKind::Reality => Some(Form::Held(self.opinion(others))),
            QuestionKind::Knows => {
                let outer = &others[..others.len() - 1];
                let is_real = outer.is_empty();
                Some(Form::Knows { outer: self.opinion(outer), inner: self.opinion(others), is_real })
            }
            QuestionKind::WhoKnows | QuestionKind::CouldAnswer => {
                let (wanted, people) = (self.opinion(others), self.people());
                let mut opinion = |who: CharacterId| {
                    let mut chain: Vec<CharacterId> = [who].iter().chain(others).copied().collect();
                    chain.dedup();
                    (who, self.opinion(&chain))
                };
                Some(Form::Share { wanted, people: people.into_iter().map(&mut opinion).collect() })
            }
            QuestionKind::Stands => {
                let own = [&others[..1], &others[1..]].map(|one| self.opinion(one));
                let (taken, truth) = (self.opinion(others), self.truth());
                Some(Form::Stands { whose: [others[0], others[1]], own, taken, truth })
            }
            QuestionKind::Present => {
                let facet = staging.propositions[self.of.index()].of_matter()?;
                let said = wanted(&staging.matters[facet.matter], facet.facet)??;
                Some(Form::Present { said, people: mask(&self.people()), mirrored: self.mirrored })
            }
            _ => None,
        }
    }

    /// Who could lie to the target when the claim is told, if there is one, or else who sees through it.
    fn of_claim(&mut self, target: Option<CharacterId>) -> Form {
        let one = self.question.others.first().copied();
        let mut people = self.people();
        people.retain(|who| one.map_or(Some(*who) != target, |one| one == *who));
        let mut knower = |who: CharacterId| Knower {
            who,
            own: self.opinion(&[who]),
            of_target: target.map(|target| self.opinion(&[who, target])),
        };
        let people = people.into_iter().map(&mut knower).collect();
        Form::Claimed(Claimed {
            claim: self.of,
            truth: self.truth(),
            people,
            is_of_one: one.is_some(),
            mirrored: self.mirrored,
        })
    }
}

/// Whether a mind that says `outer` takes the next, which says `inner` in it, to know; `None` if that is unclear.
fn knows(outer: Says, inner: Says, is_real: bool) -> Option<bool> {
    match (outer, inner) {
        (_, Says::Nothing) => Some(false),
        (outer, inner) if outer.is_clear() && inner.is_clear() => Some(outer == inner),
        _ if is_real => Some(false),
        _ => None,
    }
}
