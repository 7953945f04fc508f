//! Questions about matters, answered from what was said, and from the written-out minds of those who heard it.

use crate::id::{CharacterId, PropositionId};
use crate::plan::{Plan, PlannedMatter, Question, Target};
use crate::question::{Answer, Standing, Verdict};
use crate::storyboard::{Facet, QuestionKind};
use crate::trace::Witnessed;
use crate::world::{Act, Hearers, Item, Telling, Value};

/// Something that was said to everyone present.
#[derive(Clone, Debug)]
pub struct Saying {
    /// The proposition that it was about.
    pub of: PropositionId,
    /// Whether it was shown to be so, rather than told.
    pub is_revealed: bool,
    /// Who said it.
    pub by: CharacterId,
    /// Who heard it, and who said it.
    pub heard: Vec<CharacterId>,
}

impl Saying {
    /// What is said in an event, if anything is.
    pub fn of(witnessed: &Witnessed) -> Option<Self> {
        let (of, is_revealed) = match &witnessed.deed.act {
            Act::Reveal((of, _)) => (*of, true),
            Act::Tell(Telling { hearers: Hearers::Present, item: Item::Proposition(of), .. }) => (*of, false),
            _ => return None,
        };
        Some(Self { of, is_revealed, by: witnessed.event.who, heard: witnessed.witnesses.clone() })
    }
}

/// The matter that a question is about, if it is about one.
pub fn matter<'p>(plan: &'p Plan, question: &Question) -> Option<&'p PlannedMatter> {
    let Target::Matter(number) = question.target else { return None };
    Some(&plan.staging.as_ref()?.matters[number])
}

/// What everybody is in a matter, in words.
pub fn roles(matter: &PlannedMatter, sayings: &[Saying], count: usize) -> Vec<&'static str> {
    let [claim, reason] = [Facet::Claim, Facet::Reason].map(|facet| matter.facet(facet));
    let said = |of: PropositionId, is_revealed: bool| {
        sayings.iter().filter(move |saying| saying.of == of && saying.is_revealed == is_revealed)
    };
    let role = |who: CharacterId| {
        let has_heard = |of| said(of, true).any(|saying| saying.heard.contains(&who));
        if who == matter.to {
            "target"
        } else if said(claim, false).any(|saying| saying.by == who) {
            "liar"
        } else if matter.by.first() == Some(&who) || has_heard(reason) {
            "accomplice"
        } else if matter.truth().is_some_and(has_heard) {
            "observer"
        } else {
            "outsider"
        }
    };
    (0..count).map(CharacterId::new).map(role).collect()
}

/// The claim of the matter that a question is about.
pub fn claim(plan: &Plan, question: &Question) -> Option<PropositionId> {
    matter(plan, question).map(|matter| matter.facet(Facet::Claim))
}

/// Those whose minds a question about the moment of a claim is about.
pub fn asked(plan: &Plan, question: &Question) -> Vec<CharacterId> {
    let target = matter(plan, question).map(|matter| matter.to);
    let everyone = (0..plan.character_count).map(CharacterId::new);
    everyone
        .filter(|who| question.others.is_empty() || question.others.contains(who))
        .filter(|who| question.of.is_empty() || question.of.contains(who))
        .filter(|&who| question.kind != QuestionKind::CouldLie || Some(who) != target)
        .collect()
}

/// Whether a question is about something of a matter that nobody ever said.
pub fn is_unsaid(plan: &Plan, question: &Question, sayings: &[Saying]) -> bool {
    let (Target::Item(Item::Proposition(proposition)), Some(staging)) = (question.target, &plan.staging)
    else {
        return false;
    };
    let was = |of: PropositionId, is_revealed: bool| {
        sayings.iter().any(|saying| saying.of == of && saying.is_revealed == is_revealed)
    };
    staging.matters.iter().any(|matter| {
        let is = |facet| matter.facet(facet) == proposition;
        let reason = is(Facet::Reason) || is(Facet::ReasonTold);
        reason && !was(matter.facet(Facet::Reason), true)
            || is(Facet::Hint) && !was(proposition, true)
            || is(Facet::ClaimTold) && !was(matter.facet(Facet::Claim), false)
            || is(Facet::TruthTold) && matter.truth().is_none_or(|truth| !was(truth, true))
    })
}

/// The answer of a question on what was said, if it was.
pub fn of_sayings(
    plan: &Plan,
    question: &Question,
    sayings: &[Saying],
    truth: impl Fn(Item) -> Value,
) -> Option<Answer> {
    let staging = plan.staging.as_ref()?;
    let first = |of: PropositionId, is_revealed: bool| {
        sayings.iter().find(|saying| saying.of == of && saying.is_revealed == is_revealed)
    };
    match (question.kind, question.target) {
        (QuestionKind::Honest, Target::Matter(number)) => {
            let matter = &staging.matters[number];
            let claim = matter.facet(Facet::Claim);
            let settled = first(matter.facet(Facet::Reason), true).or_else(|| first(claim, true));
            first(claim, false).zip(settled)?;
            let is_so = truth(Item::Proposition(claim)) == Value::Truth(true);
            Some(yes_or_no(is_so))
        }
        (QuestionKind::Why, Target::Matter(number)) => {
            first(staging.matters[number].facet(Facet::Reason), true).map(|_| Answer::Why(number, 0))
        }
        (QuestionKind::Present, Target::Item(Item::Proposition(told))) => {
            let of = staging.matters.iter().find_map(|matter| {
                [
                    (Facet::ClaimTold, Some(matter.facet(Facet::Claim)), false),
                    (Facet::ReasonTold, Some(matter.facet(Facet::Reason)), true),
                    (Facet::TruthTold, matter.truth(), true),
                ]
                .into_iter()
                .find(|(facet, ..)| matter.facet(*facet) == told)
            });
            let (_, of, is_revealed) = of?;
            let heard = &first(of?, is_revealed)?.heard;
            Some(Answer::People(heard.iter().fold(0, |people, who| people | 1 << who.index())))
        }
        _ => None,
    }
}

/// The answer yes or no.
pub fn yes_or_no(is_so: bool) -> Answer {
    Answer::Verdict(if is_so { Verdict::Yes } else { Verdict::No })
}

/// Which of two know something, by who knows it and by whether the first takes the second to.
pub fn standing(whose: [CharacterId; 2], knows: [bool; 2], takes: Option<bool>) -> Option<Answer> {
    let standing = match (knows, takes) {
        ([false, false], _) => Standing::Neither,
        ([false, true], _) => Standing::Second,
        ([true, true], Some(true)) => Standing::Both,
        ([true, true], Some(false)) => Standing::BothUnnoticed,
        ([true, false], Some(false)) => Standing::First,
        _ => return None,
    };
    Some(Answer::Standing(standing, whose))
}
