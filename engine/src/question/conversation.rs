//! Answers questions about the end of a conversation from what is said and who is there, with all that a row says of the answers.
//!
//! A [`Talk`] is read of a story once, for all of its questions. Nobody has to be followed, as [`DeedInquiry`](super::deeds::DeedInquiry)
//! does, which gives the same for any story (`tests/engine/talk.rs`).

use super::answer::{Answered, Foils};
use super::bearing::Bearing;
use super::bundle::lower_order;
use super::deeds::is_false;
use super::evidence::{Line, Outer, Said, TalkEvidence};
use super::query::Prepared;
use super::reading::{Reading, item};
use super::talk::Talk;
use crate::id::{CharacterId, PropositionId};
use crate::plan::{Moment, Plan, PlannedMatter, Question, Staging, Target};
use crate::storyboard::{Facet, QuestionKind, Style};
use crate::trace::Trace;
use crate::world::Item;

/// What is needed to answer one question about the end of a conversation.
#[derive(Clone, Debug)]
pub struct TalkInquiry {
    /// What answers it; none if it never has an answer.
    query: Option<Prepared>,
    /// The question one order lower, for the foil.
    lower: Option<Prepared>,
    /// What finds the evidence, if it is needed.
    evidence: Option<Evidence>,
}

/// What the evidence is.
#[derive(Clone, Debug)]
enum Evidence {
    /// The first sayings that each reveal, or tell, any of these.
    Said(Vec<Vec<(PropositionId, bool)>>),
    /// What settled what minds hold at the end.
    Held(TalkEvidence, Option<Bearing>),
    /// What settled what minds hold when a claim is told for the first time, and that it is told.
    Claimed(TalkEvidence, Option<Bearing>, PropositionId),
}

impl TalkInquiry {
    /// An inquiry into a question; `None` if it takes minds to be followed.
    pub fn new(plan: &Plan, question: &Question, has_evidence: bool) -> Option<Self> {
        let staging = plan.staging.as_ref().filter(|staging| staging.style == Style::Conversation)?;
        if question.moment != Moment::End || !staging.attention.is_empty() {
            return None;
        }
        let evidence = Evidence::new(plan, staging, question)?;
        Some(Self {
            query: Prepared::new(plan, question),
            lower: lower_order(question).and_then(|lower| Prepared::new(plan, &lower)),
            evidence: has_evidence.then_some(evidence),
        })
    }

    /// Fills in everything except the choices, from what is said in a story. Returns whether there is an answer.
    ///
    /// Costs O(people · sayings), and what it takes to find the evidence.
    pub fn answer(
        &mut self,
        plan: &Plan,
        question: &Question,
        (talk, trace): (&Talk, &Trace),
        answered: &mut Answered,
    ) -> bool {
        let answer = |query: &Option<Prepared>| query.as_ref()?.answer(talk);
        let lower = answer(&self.lower);
        let Some(answer) = answer(&self.query) else { return false };
        answered.answer = Some(answer);
        let is_real = matches!(question.kind, QuestionKind::Belief | QuestionKind::Reality);
        let truth = if is_real { talk.reality(item(question)) } else { answer };
        answered.truth = Some(truth);
        answered.false_belief = (question.kind == QuestionKind::Belief).then(|| is_false(answer, truth));
        answered.mislead_distance = None;
        answered.foils =
            Foils { last_place: is_real.then_some(truth), lower_order: lower, ..Foils::default() };
        answered.evidence.clear();
        if let Some(evidence) = &mut self.evidence {
            let staging = plan.staging.as_ref().expect("a conversation is staged");
            evidence.find(staging, talk, trace, &mut answered.evidence);
        }
        true
    }
}

impl Evidence {
    /// What the evidence for the answer to a question is; `None` if it takes minds to be followed.
    fn new(plan: &Plan, staging: &Staging, question: &Question) -> Option<Self> {
        let matter = |number: usize| &staging.matters[number];
        match (question.kind, question.target) {
            (QuestionKind::Present, Target::Item(Item::Proposition(of))) => {
                let of = staging.propositions[of.index()].of_matter()?;
                let matter = matter(of.matter);
                let said = match of.facet {
                    Facet::ReasonTold => vec![(matter.facet(Facet::Reason), true)],
                    Facet::TruthTold => matter.truth().map(|truth| (truth, true)).into_iter().collect(),
                    Facet::ClaimTold => vec![(matter.facet(Facet::Claim), false)],
                    Facet::Claim | Facet::Reason | Facet::Hint => return None,
                };
                Some(Self::Said(vec![said]))
            }
            (QuestionKind::Honest | QuestionKind::Why, Target::Matter(number)) => {
                let [claim, reason] = [Facet::Claim, Facet::Reason].map(|facet| matter(number).facet(facet));
                Some(Self::Said(match question.kind {
                    QuestionKind::Why => vec![vec![(reason, true)]],
                    _ => vec![vec![(reason, true), (claim, true)], vec![(claim, false)]],
                }))
            }
            (QuestionKind::CouldLie | QuestionKind::SeesThrough, Target::Matter(number)) => {
                let claim = matter(number).facet(Facet::Claim);
                let lines = lines_of_claim(plan, question, matter(number))?;
                let bearing = Bearing::new(plan, &Reading::new(plan, question));
                Some(Self::Claimed(TalkEvidence::new(claim, lines), bearing, claim))
            }
            (_, Target::Item(Item::Proposition(of))) => {
                let lines = lines_of_proposition(plan, question, of)?;
                let bearing = Bearing::new(plan, &Reading::new(plan, question));
                Some(Self::Held(TalkEvidence::new(of, lines), bearing))
            }
            _ => None,
        }
    }

    fn find(&mut self, staging: &Staging, talk: &Talk, trace: &Trace, found: &mut Vec<usize>) {
        let bearing = |bearing: &Option<Bearing>, until: usize| {
            let mut steps: Vec<usize> = (0..trace.events.len()).collect();
            if let Some(bearing) = bearing {
                bearing.keep(trace, &mut steps);
            }
            steps.retain(|step| *step < until);
            steps
        };
        let step = |any: &[(PropositionId, bool)]| talk.first(any).map(|said| talk.saying(said).step);
        let until = talk.len();
        match self {
            Self::Said(said) => {
                found.extend(said.iter().filter_map(|any| step(any)));
                found.sort_unstable();
            }
            Self::Held(evidence, of) => {
                let said = Said { staging, talk, trace, until };
                evidence.find(said, &mut || bearing(of, usize::MAX), found);
            }
            Self::Claimed(evidence, of, claim) => {
                let until = talk.first(&[(*claim, false)]).expect("a claim that is told");
                let step = talk.saying(until).step;
                let said = Said { staging, talk, trace, until };
                evidence.find(said, &mut || bearing(of, step), found);
                found.push(step);
            }
        }
    }
}

/// The chains that a question asks about; `None` if it is not about what is held at the end.
fn lines_of_proposition(plan: &Plan, question: &Question, of: PropositionId) -> Option<Vec<Line>> {
    let others = question.others.as_slice();
    if others.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    let line = |minds: &[CharacterId], outer: Outer| match minds {
        [] => Vec::new(), // What is so is so, whatever is said.
        minds => vec![Line::new(minds, of, outer)],
    };
    match question.kind {
        QuestionKind::Belief | QuestionKind::Reality => Some(line(others, Outer::Spared)),
        QuestionKind::Knows => Some(line(others, Outer::NeededIfClear)),
        QuestionKind::WhoKnows | QuestionKind::CouldAnswer => {
            let mut lines = line(others, Outer::Spared);
            for who in people(plan).filter(|who| question.of.is_empty() || question.of.contains(who)) {
                let mut minds = vec![who];
                minds.extend_from_slice(others);
                minds.dedup();
                lines.push(Line::new(&minds, of, Outer::Spared));
            }
            Some(lines)
        }
        QuestionKind::Stands => {
            Some(vec![Line::new(others, of, Outer::Needed), Line::new(&others[1..], of, Outer::Spared)])
        }
        _ => None,
    }
}

/// The chains that are asked about when a claim is told; `None` if one of them names somebody twice in succession.
fn lines_of_claim(plan: &Plan, question: &Question, matter: &PlannedMatter) -> Option<Vec<Line>> {
    let claim = matter.facet(Facet::Claim);
    let could_lie = question.kind == QuestionKind::CouldLie;
    let one = question.others.first();
    if could_lie && one == Some(&matter.to) {
        return None;
    }
    let is_of = |who: &CharacterId| question.of.is_empty() || question.of.contains(who);
    let is_asked = |who: &CharacterId| one.map_or(!could_lie || *who != matter.to, |one| one == who);
    let asked = people(plan).filter(is_of).filter(is_asked);
    let line = |who| Line::new(&[who, matter.to][..1 + usize::from(could_lie)], claim, Outer::Needed);
    Some(asked.map(line).collect())
}

fn people(plan: &Plan) -> impl Iterator<Item = CharacterId> + use<> {
    (0..plan.character_count).map(CharacterId::new)
}
