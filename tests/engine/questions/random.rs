//! Random questions about random stories, against what the oracle says.

use proptest::prelude::*;
use storysim::belief::Chain;
use storysim::compile::compile;
use storysim::diagnostic::Source;
use storysim::fuzzing::story_with_deeds;
use storysim::id::{CharacterId, PropositionId};
use storysim::plan::{Moment, Play, Question, Staging, Target};
use storysim::question::{Answer, Answered, Asker, Verdict};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{QuestionKind, parse};
use storysim::trace::Trace;
use storysim::world::{Act, Deed, Event, Item, Knowledge, Thing, Value};

use super::{ask, plan, question, who};
use crate::belief::is_lost;
use crate::effort::times;
use crate::oracle::{independent_answer, independent_distance, places, renumbered, steps_of, told};
use crate::reasons::Reasons;

/// What to ask, in numbers that any story can make a question of: the kind, minds, the target, the moment.
type Asked = (usize, Vec<usize>, usize, usize, usize);

fn question_of(trace: &Trace, (kind, minds, target, moment, step): &Asked) -> Option<Question> {
    let characters = trace.start.len();
    // The others ask about matters.
    let kind = QuestionKind::ALL[*kind];
    let mut minds: Vec<CharacterId> = minds.iter().map(|at| who(at % characters)).collect();
    let items: Vec<Item> = trace.stage.items(characters).collect();
    let character = Item::Character(who(target % characters));
    let (minds_min, item) = match kind {
        QuestionKind::World | QuestionKind::WorldThings => (1, character),
        QuestionKind::Following => (0, character),
        QuestionKind::Belief | QuestionKind::Knows => (1, items[target % items.len()]),
        _ => (0, items[target % items.len()]),
    };
    match kind {
        QuestionKind::World | QuestionKind::WorldThings => {
            minds.retain(|&other| Item::Character(other) != item);
            minds.sort_unstable();
        }
        QuestionKind::Reality | QuestionKind::Start | QuestionKind::WhoKnows | QuestionKind::Following => {
            minds.clear()
        }
        _ => {}
    }
    minds.dedup();
    if minds.last().is_some_and(|&last| Item::Character(last) == item) {
        minds.pop();
    }
    let is_of_attitudes = matches!(kind, QuestionKind::WhoLikes | QuestionKind::WhoDislikes);
    let step = step % trace.events.len().max(1);
    let moment = [Moment::End, Moment::End, Moment::Before(step), Moment::Without(step)][*moment];
    let target = if is_of_attitudes { Target::Attitude(0) } else { Target::Item(item) };
    (minds.len() >= minds_min && !trace.events.is_empty())
        .then(|| Question { moment, ..Question::new(kind, minds, target) })
}

/// Gives everyone an attitude to something, and lets them show it now and then.
fn with_attitudes(mut trace: Trace, bytes: &[u8]) -> Trace {
    let characters = trace.start.len();
    let first = trace.stage.propositions.len();
    let byte = |at: usize| usize::from(bytes[at % bytes.len()]);
    for at in 0..characters {
        let knowledge = [Knowledge::Right, Knowledge::Nothing, Knowledge::Wrong];
        let knowledge = (0..characters).map(|other| knowledge[byte(at * characters + other) % 3]).collect();
        trace.stage.propositions.push(Thing { value: Value::Truth(byte(at) % 2 == 1), knowledge });
    }
    let last = places(&trace).pop().expect("there is a start");
    for at in (0..characters).filter(|&at| byte(at + 7) % 2 == 1) {
        let is_liked = trace.stage.propositions[first + at].value == Value::Truth(true);
        trace.events.push(Event { who: who(at), from: last[at], to: last[at] });
        let act = Act::React((PropositionId::new(first + at), is_liked));
        trace.deeds.push(Deed { act, ..Deed::default() });
    }
    trace
}

/// Everything that is said of an answer, checked without the code that says it.
fn check(trace: &Trace, asked: &Question, answered: Option<&Answered>) -> Result<(), TestCaseError> {
    let Some(steps) = steps_of(trace, asked.moment) else {
        prop_assert!(answered.is_none(), "{:?} of what cannot be", asked);
        return Ok(());
    };
    let told = told(trace, &steps);
    let answer = independent_answer(&told, asked);
    prop_assert_eq!(answered.and_then(|answered| answered.answer), answer, "{:?} in {:?}", asked, trace);
    let (Some(answered), Some(answer)) = (answered, answer) else { return Ok(()) };

    let targets = match asked.target {
        Target::Item(item) => vec![item],
        Target::Attitude(_) => {
            let first = trace.stage.propositions.len() - trace.start.len();
            (first..trace.stage.propositions.len())
                .map(|at| Item::Proposition(PropositionId::new(at)))
                .collect()
        }
        Target::Matter(_) => unreachable!("only conversations have matters"),
    };
    let evidence =
        renumbered(&answered.evidence, &steps).expect("steps that the question takes into account");
    prop_assert_eq!(Reasons::new(&told, asked, targets).fault(&evidence), None);

    let count = answered.choices.iter().filter(|&&choice| choice == answer).count();
    prop_assert_eq!((count, answered.choices[answered.label]), (1, answer));

    let reality = Question { kind: QuestionKind::Reality, others: Vec::new(), ..asked.clone() };
    let is_about_one = matches!(
        asked.kind,
        QuestionKind::Belief
            | QuestionKind::Reality
            | QuestionKind::Start
            | QuestionKind::World
            | QuestionKind::WorldThings
    );
    let truth = if is_about_one { independent_answer(&told, &reality) } else { Some(answer) };
    prop_assert_eq!(answered.truth, truth);
    let is_false = Some(answer) != truth && answer != Answer::Verdict(Verdict::Unknown);
    let is_belief = asked.kind == QuestionKind::Belief;
    prop_assert_eq!(answered.false_belief, is_belief.then_some(is_false));
    let distance = (is_belief && is_false).then(|| independent_distance(&told, &steps, asked)).flatten();
    prop_assert_eq!(answered.mislead_distance, distance, "{:?} in {:?}", asked, trace);
    if let Answer::People(_) = answer {
        let sets = answered.choices.iter().map(|choice| match choice {
            Answer::People(people) => *people,
            other => panic!("{other:?} is no set of people"),
        });
        prop_assert_eq!(
            sets.fold(0, |all, people| all ^ people),
            0,
            "no choice tells which is the right one"
        );
        prop_assert_eq!(answered.choices.len(), 4);
    }
    let minds_min = usize::from(asked.kind == QuestionKind::Knows);
    let has_lower = matches!(
        asked.kind,
        QuestionKind::Belief
            | QuestionKind::Knows
            | QuestionKind::CouldAnswer
            | QuestionKind::WhoLikes
            | QuestionKind::WhoDislikes
    );
    if has_lower && asked.others.len() > minds_min {
        let lower = Question { others: asked.others[1..].to_vec(), ..asked.clone() };
        prop_assert_eq!(answered.foils.lower_order, independent_answer(&told, &lower), "{:?}", asked);
    }
    prop_assert_eq!(answered.foils.last_place, if is_about_one { truth } else { None });
    Ok(())
}

/// How many kinds of questions are not about matters: the first ones.
const KINDS: usize = 11;

proptest! {
    #![proptest_config(ProptestConfig { cases: times(80) as u32, ..ProptestConfig::default() })]

    #[test]
    fn every_kind_equals_what_the_oracle_says(
        bytes in prop::collection::vec(any::<u8>(), 20..140),
        asked in prop::collection::vec(
            (0..KINDS, prop::collection::vec(0..12_usize, 0..3), any::<usize>(), 0..4_usize, any::<usize>()),
            24,
        ),
    ) {
        let trace = with_attitudes(story_with_deeds(&bytes), &bytes);
        let questions: Vec<Question> = asked.iter().filter_map(|asked| question_of(&trace, asked)).collect();
        let answered = ask(&plan(&trace, vec![(Play::Move, 1), (Play::Take, 1)], &questions), &trace);
        for (at, question) in questions.iter().enumerate() {
            check(&trace, question, answered.iter().find(|answered| answered.question == at))?;
        }
    }

    /// Evidence of beliefs of any order is enough, and nothing of it can be spared.
    #[test]
    fn evidence_of_any_order_is_the_reason(
        bytes in prop::collection::vec(any::<u8>(), 20..140),
        asked in prop::collection::vec((prop::collection::vec(0..12_usize, 1..5), any::<usize>(), 0..4_usize, any::<usize>()), 12),
    ) {
        let trace = story_with_deeds(&bytes);
        let belief = QuestionKind::ALL.iter().position(|&kind| kind == QuestionKind::Belief).unwrap();
        let asked = asked.into_iter().map(|(minds, target, moment, step)| (belief, minds, target, moment, step));
        let questions: Vec<Question> = asked.filter_map(|asked| question_of(&trace, &asked)).collect();
        for answered in ask(&plan(&trace, vec![(Play::Move, 1), (Play::Take, 1)], &questions), &trace) {
            let asked = &questions[answered.question];
            let Target::Item(item) = asked.target else { unreachable!() };
            let steps = steps_of(&trace, asked.moment).expect("a question with an answer");
            let evidence = renumbered(&answered.evidence, &steps).expect("steps that count");
            prop_assert_eq!(Reasons::new(&told(&trace, &steps), asked, vec![item]).fault(&evidence), None);
        }
    }

    /// Where people only walk, the part that knows deeds says the same as the one that knows walks only.
    #[test]
    fn walks_are_stories_with_deeds(text in crate::boards::boards(2..=6, 2..=5, 4..=14), index in any::<u64>()) {
        let board = parse(Source { name: "test".into(), text }).unwrap();
        if let Ok(compiled) = compile(&board, &[]) {
            let mut plan = compiled.plan;
            let roles = plan.role_names.len();
            let item = |at: usize| Target::Item(Item::Character(who(at % roles)));
            plan.questions.clear();
            for at in 0..roles {
                let chain = [at, (at + 1) % roles, at];
                plan.questions.push(question(QuestionKind::Reality, &[], item(at), Moment::End));
                plan.questions.push(question(QuestionKind::Start, &[], item(at), Moment::End));
                plan.questions.push(question(QuestionKind::Belief, &chain[..1], item(at + 1), Moment::End));
                plan.questions.push(question(QuestionKind::World, &chain[..1], item(at + 1), Moment::End));
                if roles > 2 {
                    plan.questions.push(question(QuestionKind::Belief, &chain[..2], item(at + 2), Moment::End));
                    plan.questions.push(question(QuestionKind::Belief, &chain, item(at + 2), Moment::End));
                    plan.questions.push(question(QuestionKind::World, &chain[..2], item(at + 2), Moment::End));
                    let minds: [&[usize]; 4] = [&[0, 1, 0], &[0, 1, 2, 0], &[0, 1, 0, 1], &[0, 2, 1, 0]];
                    for minds in minds {
                        let minds: Vec<usize> = minds.iter().map(|by| (at + by) % roles).collect();
                        for target in (0..roles).filter(|target| minds.last() != Some(target)) {
                            plan.questions.push(question(QuestionKind::Belief, &minds, item(target), Moment::End));
                        }
                    }
                }
            }
            let mut story = Story::default();
            Simulator::new(&plan, 7).draw(index, &mut story);
            let mut staged = plan.clone();
            staged.staging = Some(Staging::default());
            let (mut walks, mut deeds) = (Asker::new(&plan, 7), Asker::new(&staged, 7));
            let answered = walks.ask(&story);
            let is_lost = |answered: &Answered| {
                let asked = &plan.questions[answered.question];
                let Target::Item(Item::Character(target)) = asked.target else { unreachable!() };
                let is_belief = asked.kind == QuestionKind::Belief;
                is_belief && is_lost(&story.trace, &Chain::new(&asked.others, target))
            };
            // What the definition gives up, walks alone may still tell. So they may also try steps that it gives up, and find other ones.
            let compared: Vec<&Answered> = answered.iter().filter(|answered| !is_lost(answered)).collect();
            let expected = deeds.ask(&story);
            let bare = |answered: &Answered| Answered { evidence: Vec::new(), ..answered.clone() };
            let [one, other]: [Vec<Answered>; 2] = [
                compared.iter().map(|answered| bare(answered)).collect(),
                expected.iter().map(bare).collect(),
            ];
            prop_assert_eq!(one, other, "{:?}", story.trace);
            for (answered, expected) in compared.into_iter().zip(expected) {
                let asked = &plan.questions[answered.question];
                let Target::Item(item) = asked.target else { unreachable!() };
                let reasons = Reasons::new(&story.trace, asked, vec![item]);
                let fault = |evidence: &[usize]| {
                    reasons.fault(evidence).filter(|_| !reasons.are_given_up(evidence))
                };
                prop_assert_eq!(fault(&answered.evidence), None);
                if answered.evidence != expected.evidence {
                    prop_assert!(reasons.are_given_up(&answered.evidence), "{:?} in {:?}", asked, story.trace);
                    prop_assert_eq!(fault(&expected.evidence), None);
                }
            }
        }
    }
}
