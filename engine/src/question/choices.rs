//! What is offered to choose the answer from.

use rand::Rng;

use super::answer::{Answer, Standing, Verdict};
use super::talk::mask;
use crate::id::{CharacterId, ContainerId};
use crate::plan::{Plan, Question, Target};
use crate::rng::{Stream, below, sample_to_front};
use crate::storyboard::QuestionKind;
use crate::world::Item;

/// How many reasons that nobody tells are offered beside the one that is told.
pub const SPARE_REASONS: usize = 3;

/// The largest number of choices that are offered.
pub const CHOICES_MAX: usize = 12;

/// The possible answers to a question.
#[derive(Clone, Debug)]
pub enum Choices {
    /// The answers that can be offered: all of them, or the right one and some others.
    Listed(Vec<Answer>),
    /// Sets of these characters, one bit each.
    People(u64),
}

impl Choices {
    /// The choices of a question.
    pub fn new(plan: &Plan, question: &Question) -> Self {
        let places = || plan.map.places().map(Answer::Place);
        if !question.choices.is_empty() {
            let named = question.choices.iter().filter_map(|&value| Answer::of_value(value));
            return Self::Listed(named.collect());
        }
        let verdicts = || [Verdict::Yes, Verdict::No].map(Answer::Verdict).to_vec();
        match question.kind {
            QuestionKind::Knows => Self::Listed(verdicts()),
            QuestionKind::Following => {
                let others = (0..plan.character_count).map(CharacterId::new);
                let others = others.filter(|&other| other != question.character());
                Self::Listed(others.map(Answer::Character).collect())
            }
            QuestionKind::Honest => Self::Listed(verdicts()),
            QuestionKind::Why => {
                let Target::Matter(matter) = question.target else { panic!("a question about a matter") };
                Self::Listed((0..=SPARE_REASONS).map(|reason| Answer::Why(matter, reason)).collect())
            }
            QuestionKind::BeliefIn
            | QuestionKind::Emotion
            | QuestionKind::Intention
            | QuestionKind::Action
            | QuestionKind::Changed
            | QuestionKind::Cause
            | QuestionKind::Influence
            | QuestionKind::Course => unreachable!("these are offered by the lives of a story"),
            QuestionKind::Stands => {
                let whose = [question.others[0], question.others[1]];
                Self::Listed(Standing::ALL.map(|standing| Answer::Standing(standing, whose)).to_vec())
            }
            QuestionKind::CouldLie | QuestionKind::SeesThrough if !question.others.is_empty() => {
                Self::Listed(verdicts())
            }
            QuestionKind::CouldLie
            | QuestionKind::SeesThrough
            | QuestionKind::Present
            | QuestionKind::WhoKnows
            | QuestionKind::CouldAnswer
            | QuestionKind::WhoLikes
            | QuestionKind::WhoDislikes => match question.of.as_slice() {
                [] => Self::People(u64::MAX >> (u64::BITS as usize - plan.character_count)),
                people => Self::People(mask(people)),
            },
            QuestionKind::World | QuestionKind::WorldThings => Self::Listed(places().collect()),
            QuestionKind::Belief | QuestionKind::Reality | QuestionKind::Start => match question.target {
                Target::Item(Item::Object(_)) => {
                    let staging = plan.staging.as_ref().expect("an object is staged");
                    let containers = (0..staging.containers.len()).map(ContainerId::new);
                    let containers = containers.map(Answer::Container);
                    let places = places().filter(|_| staging.has_objects_in_places());
                    Self::Listed(containers.chain(places).collect())
                }
                Target::Item(Item::Character(_)) => Self::Listed(places().collect()),
                Target::Item(Item::Prospect(_)) => unreachable!("asked of scenarios"),
                Target::Item(Item::Lid(_) | Item::Proposition(_))
                | Target::Attitude(_)
                | Target::Matter(_) => {
                    let mut listed = verdicts();
                    if question.kind == QuestionKind::Belief {
                        listed.push(Answer::Verdict(Verdict::Unknown));
                    }
                    Self::Listed(listed)
                }
            },
        }
    }

    /// Whether an answer may be offered. Costs O(choices).
    pub fn allow(&self, answer: Answer) -> bool {
        match self {
            Self::Listed(all) => all.contains(&answer),
            Self::People(_) => true,
        }
    }

    /// Puts the answer and others into `choices`, in uniformly random order. Returns the index of the answer.
    pub fn offer(&self, stream: &mut Stream, answer: Answer, choices: &mut Vec<Answer>) -> usize {
        match self {
            Self::People(everyone) => offer_people(stream, *everyone, answer, choices),
            Self::Listed(all) => offer_listed(stream, all, answer, choices),
        }
    }
}

/// Offers all of these answers, or the right one and some others if there are too many.
pub(super) fn offer_listed(
    stream: &mut Stream,
    all: &[Answer],
    answer: Answer,
    choices: &mut Vec<Answer>,
) -> usize {
    choices.clear();
    if all.len() <= CHOICES_MAX {
        choices.extend_from_slice(all);
        sample_to_front(stream, choices, all.len());
        return choices.iter().position(|&choice| choice == answer).expect("all are offered");
    }
    // A sample of the others, each drawn choice that is taken already being drawn again (there are more than enough), and the
    // answer at a uniform place among them.
    while choices.len() < CHOICES_MAX - 1 {
        let other = all[below(stream, all.len() as u32) as usize];
        if other != answer && !choices.contains(&other) {
            choices.push(other);
        }
    }
    let label = below(stream, CHOICES_MAX as u32) as usize;
    choices.insert(label, answer);
    label
}

/// Offers the answer, the answer with some people changed, with others changed, and with both: each of them could just
/// as well be the one that the others are made from.
fn offer_people(stream: &mut Stream, everyone: u64, answer: Answer, choices: &mut Vec<Answer>) -> usize {
    let Answer::People(people) = answer else { unreachable!("people answer this question") };
    choices.clear();
    if everyone.count_ones() == 1 {
        choices.extend([people, people ^ everyone].map(Answer::People));
    } else {
        let mut change_apart_from = |other: u64| loop {
            let change = stream.next_u64() & everyone;
            if change != 0 && change != other {
                return change;
            }
        };
        let one = change_apart_from(0);
        let other = change_apart_from(one);
        choices.extend([people, people ^ one, people ^ other, people ^ one ^ other].map(Answer::People));
    }
    let all = choices.len();
    sample_to_front(stream, choices, all);
    choices.iter().position(|&choice| choice == answer).expect("the answer is offered")
}
