//! Twins of conversations.
//!
//! What tells two conversations apart may be who is there, or whether what is said is so. So a story's twin has another answer to a
//! question that is drawn for the story. If it asks whether somebody is honest, the twin is the *sincere twin*: the claim of one matter
//! is so in one of the two alone (where so many of several have to be lies, those of two matters change places), and who is where when
//! is the same. Of any other question, one move is another's; both come whenever they would have gone from then on, and go whenever
//! they would have come. If the question that is drawn first has no such twin, another is drawn.

use super::{Twin, outline};
use crate::check::{Claim, check};
use crate::id::{CharacterId, PlaceId, PropositionId};
use crate::plan::{Plan, Question, Staging, Target};
use crate::question::Picking;
use crate::rng::{Purpose, Stream, StreamKey, below};
use crate::simulate::Story;
use crate::storyboard::{Facet, OfMatter, QuestionKind, Storyboard, Style};
use crate::world::{Act, Item, Value};

/// How many changes are tried for one question.
const TRIES_MAX: usize = 64;

/// Where people talk, and where they do not.
const PLACES: [PlaceId; 2] = [PlaceId::new(0), PlaceId::new(1)];

/// Finds the twins of one plan's conversations.
#[derive(Clone, Debug)]
pub struct TalkFinder<'a> {
    storyboard: &'a Storyboard,
    plan: &'a Plan,
    staging: &'a Staging,
    picking: Picking<'a>,
    key: StreamKey,
}

/// A way in which a twin may differ.
#[derive(Clone, Debug)]
enum Change {
    /// At this step, somebody else comes or goes.
    Move(usize, CharacterId),
    /// These claims are so where they were not, and the other way round.
    Truth(Vec<PropositionId>),
}

impl<'a> TalkFinder<'a> {
    /// A finder for a plan, under the seed of a run; `None` if its stories are no conversations, nothing that is said in them is
    /// asked about, or shares are balanced.
    pub fn new(storyboard: &'a Storyboard, plan: &'a Plan, seed: u64) -> Option<Self> {
        let staging = plan.staging.as_ref().filter(|staging| staging.style == Style::Conversation)?;
        let is_of_talk = |question: &Question| match question.target {
            Target::Item(Item::Proposition(_)) | Target::Matter(_) => true,
            Target::Item(_) | Target::Attitude(_) => false,
        };
        let is_asked = plan.questions.iter().any(is_of_talk) && plan.balance.is_none();
        is_asked.then(|| Self {
            storyboard,
            plan,
            staging,
            picking: Picking::new(plan, seed),
            key: StreamKey::derive(seed, &plan.fingerprint, Purpose::Twin),
        })
    }

    /// Looks for a twin of a story, which belongs to an attempt. Returns whether there is one.
    ///
    /// Costs at most O(questions · tries · (events + ways to choose matters)), and as many calls of [`check()`].
    pub fn find(&mut self, story: &Story, attempt: u64, twin: &mut Twin) -> bool {
        let mut stream = self.key.stream(story.index, attempt);
        let mut questions: Vec<usize> = self.plan.written_questions().collect();
        while !questions.is_empty() {
            let drawn = below(&mut stream, questions.len() as u32) as usize;
            let question = questions.swap_remove(drawn);
            if self.find_for(question, story, &mut stream, twin) {
                return true;
            }
        }
        false
    }

    /// Looks for a twin that has another answer to a question.
    fn find_for(&mut self, question: usize, story: &Story, stream: &mut Stream, twin: &mut Twin) -> bool {
        let mut changes = match self.plan.questions[question].kind {
            QuestionKind::Honest => self.turnings(story),
            _ => moves(story),
        };
        for _ in 0..TRIES_MAX.min(changes.len()) {
            let drawn = below(stream, changes.len() as u32) as usize;
            outline(story, &mut twin.story);
            let step = match changes.swap_remove(drawn) {
                Change::Move(step, who) => instead(story, (step, who), &mut twin.story).then_some(step),
                Change::Truth(claims) => self.turned(story, &claims, &mut twin.story),
            };
            if let Some(step) = step
                && self.picking.tells_apart(question, story, &twin.story)
                && check(self.storyboard, &Claim::of(self.plan, &twin.story)).is_ok()
            {
                twin.step = step;
                return true;
            }
        }
        false
    }

    /// The claims that may be so in one of two stories alone: each that is drawn by itself, and, where so many of several are lies, one
    /// of these with one of the others.
    fn turnings(&self, story: &Story) -> Vec<Change> {
        let Staging { propositions, lots, .. } = self.staging;
        let is_so =
            |claim: PropositionId| story.trace.stage.propositions[claim.index()].value == Value::Truth(true);
        let mut changes = Vec::new();
        for lot in lots {
            for &lie in lot.claims.iter().filter(|claim| !is_so(**claim)) {
                let others = lot.claims.iter().filter(|claim| is_so(**claim));
                changes.extend(others.map(|&other| Change::Truth(vec![lie, other])));
            }
        }
        let claims = (0..propositions.len()).map(PropositionId::new).filter(|claim| {
            let proposition = &propositions[claim.index()];
            let is_claim = proposition.of_matter().is_some_and(|of| of.facet == Facet::Claim);
            is_claim && proposition.is_true.is_none() && lots.iter().all(|lot| !lot.claims.contains(claim))
        });
        changes.extend(claims.map(|claim| Change::Truth(vec![claim])));
        changes
    }

    /// Makes the story in which these claims are turned. Returns the first step at which other words are said, if there is one.
    fn turned(&self, story: &Story, claims: &[PropositionId], twin: &mut Story) -> Option<usize> {
        let (trace, own) = (&story.trace, &mut twin.trace);
        own.events.clone_from(&trace.events);
        own.deeds.clone_from(&trace.deeds);
        for claim in claims {
            let value = &mut own.stage.propositions[claim.index()].value;
            *value = Value::Truth(*value != Value::Truth(true));
        }
        let matter = |of: PropositionId| self.staging.propositions[of.index()].of_matter();
        let turned: Vec<usize> =
            claims.iter().filter_map(|claim| matter(*claim)).map(|of| of.matter).collect();
        let mut first = None;
        for (step, deed) in own.deeds.iter_mut().enumerate() {
            let Act::Reveal((of, is_so)) = &mut deed.act else { continue };
            if claims.contains(of) {
                *is_so = !*is_so;
            }
            let is_of = |OfMatter { matter, facet }| turned.contains(&matter) && facet != Facet::Hint;
            if first.is_none() && matter(*of).is_some_and(is_of) {
                first = Some(step);
            }
        }
        first
    }
}

/// All moves that may be another's.
fn moves(story: &Story) -> Vec<Change> {
    let others = |(step, who): (usize, CharacterId)| {
        let people = (0..story.trace.start.len()).map(CharacterId::new);
        people.filter(move |other| *other != who).map(move |other| Change::Move(step, other))
    };
    let events = story.trace.events.iter().zip(&story.trace.deeds).enumerate();
    events
        .filter(|(_, (_, deed))| deed.act == Act::Go)
        .flat_map(|(step, (event, _))| others((step, event.who)))
        .collect()
}

/// Makes the story in which one move is another's. Returns whether everyone still speaks where people talk.
fn instead(story: &Story, (changed, who): (usize, CharacterId), twin: &mut Story) -> bool {
    let (trace, own) = (&story.trace, &mut twin.trace);
    own.events.clone_from(&trace.events);
    own.deeds.clone_from(&trace.deeds);
    let mut places = trace.start.clone();
    for (step, (event, deed)) in own.events.iter_mut().zip(&own.deeds).enumerate() {
        if step == changed {
            event.who = who;
        }
        let place = &mut places[event.who.index()];
        event.from = *place;
        if deed.act == Act::Go {
            *place = PLACES[usize::from(*place == PLACES[0])];
        } else if *place != PLACES[0] {
            return false;
        }
        event.to = *place;
    }
    true
}
