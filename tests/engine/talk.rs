//! What follows from masks of people in a conversation, against minds that are followed, and against the definition written out.

use std::collections::BTreeMap;

use proptest::prelude::*;
use storysim::belief::nested::Mind;
use storysim::belief::{Chain, DeedTracker};
use storysim::compile::{compile, compile_family};
use storysim::diagnostic::Source;
use storysim::id::{CharacterId, PlaceId, PropositionId};
use storysim::plan::{Plan, Question, Target};
use storysim::question::{Asker, Picking, Talk};
use storysim::select::{Selector, admit};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{BUILT_IN, Facet, QuestionKind, parse};
use storysim::trace::Trace;
use storysim::world::{Act, Deed, Event, Hearers, Item, Telling, Value};

use crate::effort::times;
use crate::storyboards::built_in;

const ORDER_MAX: usize = 4;

const PEOPLE: usize = 4;

/// Matters of one or two speakers, and plain propositions about which some are right, wrong, or have no idea.
fn plan(level: usize) -> Plan {
    let text = format!(
        "storysim: 1\nname: x\ncharacters: {{pool: people, count: {PEOPLE}}}\nroles: [L, A, T, O]\n\
         places: {{table: [away], away: [table]}}\nstart: table\nhorizon: 3\nstyle: conversation\n\
         propositions: {{gift: {{says: \"the gift is a bicycle\", known: [L, T], wrong: [A]}}, trip: {{says: \"there is a trip\"}}}}\n\
         matters: {{m: {{by: L, to: T, level: {level}}}, n: {{by: [L, A], to: T, level: {level}}}}}\nquestions: []\n"
    );
    compile(&parse(Source { name: "x".into(), text }).unwrap(), &[]).unwrap().plan
}

/// A conversation: who comes or goes, and who says what, whether she knows it or not.
fn converse(plan: &Plan, index: u64, steps: &[(usize, usize, usize, bool)]) -> Trace {
    let mut story = Story::default();
    Simulator::new(plan, 7).draw(index, &mut story);
    let mut trace = story.trace;
    trace.events.clear();
    trace.deeds.clear();
    let mut places: Vec<PlaceId> = (0..PEOPLE).map(|at| PlaceId::new((index as usize >> at) & 1)).collect();
    trace.start.clone_from(&places);
    // That something was told is not told itself.
    let staging = plan.staging.as_ref().unwrap();
    let is_said = |of: &usize| {
        let facet = staging.propositions[*of].of_matter().map(|of| of.facet);
        facet.is_none_or(|facet| matches!(facet, Facet::Claim | Facet::Reason | Facet::Hint))
    };
    let said: Vec<usize> = (0..trace.stage.propositions.len()).filter(is_said).collect();
    for &(who, kind, of, is_so) in steps {
        let (who, of) = (CharacterId::new(who % PEOPLE), PropositionId::new(said[of % said.len()]));
        let from = places[who.index()];
        let company = places.iter().filter(|place| **place == from).count();
        let speaks = from == PlaceId::new(0) && company > 1;
        let truth = trace.stage.propositions[of.index()].value == Value::Truth(true);
        let (to, act) = match kind % 4 {
            1 if speaks => (from, Act::Reveal((of, truth))),
            2 | 3 if speaks => {
                let value = Value::Truth(is_so);
                (
                    from,
                    Act::Tell(Telling {
                        item: Item::Proposition(of),
                        value,
                        hearers: Hearers::Present,
                        believers: None,
                    }),
                )
            }
            _ => (PlaceId::new(1 - from.index()), Act::Go),
        };
        places[who.index()] = to;
        trace.events.push(Event { who, from, to });
        trace.deeds.push(Deed { act, ..Deed::default() });
    }
    trace
}

/// All chains of so many minds at most, no two in succession the same.
fn chains(order: usize) -> Vec<Vec<CharacterId>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..order {
        let longer = last.iter().flat_map(|chain: &Vec<CharacterId>| {
            let next = (0..PEOPLE).map(CharacterId::new).filter(|who| chain.last() != Some(who));
            next.map(|who| chain.iter().copied().chain([who]).collect::<Vec<_>>()).collect::<Vec<_>>()
        });
        last = longer.collect();
        all.extend(last.clone());
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(60) as u32, ..ProptestConfig::default() })]

    #[test]
    fn masks_say_what_minds_hold(
        level in 1..=3_usize,
        index in any::<u64>(),
        steps in prop::collection::vec((0..PEOPLE, 0..4_usize, any::<usize>(), any::<bool>()), 1..24),
    ) {
        let plan = plan(level);
        let staging = plan.staging.as_ref().unwrap();
        let trace = converse(&plan, index, &steps);
        let mut talk = Talk::default();
        talk.read(&trace);
        let mut reality = Mind::begin(&trace, ORDER_MAX);
        trace.unfold().for_each(|witnessed| reality.happen(&witnessed));
        for chain in chains(ORDER_MAX) {
            for of in 0..trace.stage.propositions.len() {
                let of = PropositionId::new(of);
                let item = Item::Proposition(of);
                let held = talk.held(staging, &chain, of, talk.len());
                prop_assert_eq!(Some(held), reality.held(&chain, item), "{:?} of {:?} in {:?}", chain, of, trace);
                if chain.len() > 2 {
                    continue; // That trackers hold what the definition says is tested elsewhere.
                }
                let mut tracker = DeedTracker::new(Chain::new(&chain, item));
                tracker.start(&trace);
                for (event, deed) in trace.events.iter().zip(&trace.deeds) {
                    tracker.apply(*event, deed);
                }
                prop_assert_eq!(held, tracker.held(), "{:?} of {:?} in {:?}", chain, of, trace);
            }
        }
    }
}

/// Everything that can be asked of a conversation at its end, of chains of so many minds at most.
fn questions(plan: &Plan, order: usize) -> Vec<Question> {
    let staging = plan.staging.as_ref().unwrap();
    let chains = chains(order);
    let groups = [vec![], vec![0, 1], vec![1, 2, 3]];
    let groups = groups.map(|group| group.into_iter().map(CharacterId::new).collect::<Vec<_>>());
    let mut all = Vec::new();
    let mut ask = |kind, others: &[CharacterId], target, of: &[CharacterId]| {
        all.push(Question { of: of.to_vec(), ..Question::new(kind, others.to_vec(), target) });
    };
    for at in 0..staging.propositions.len() {
        let target = Target::Item(Item::Proposition(PropositionId::new(at)));
        for chain in &chains {
            match chain.len() {
                0 => ask(QuestionKind::Reality, chain, target, &[]),
                _ => {
                    ask(QuestionKind::Belief, chain, target, &[]);
                    ask(QuestionKind::Knows, chain, target, &[]);
                }
            }
            if chain.len() == 2 {
                ask(QuestionKind::Stands, chain, target, &[]);
            }
            for of in groups.iter().filter(|of| chain.len() < 2 || chain.len() == 2 && of.is_empty()) {
                ask(QuestionKind::WhoKnows, chain, target, of);
                ask(QuestionKind::CouldAnswer, chain, target, of);
            }
        }
        let facet = staging.propositions[at].of_matter().map(|of| of.facet);
        if matches!(facet, Some(Facet::ReasonTold | Facet::TruthTold | Facet::ClaimTold)) {
            groups.iter().for_each(|of| ask(QuestionKind::Present, &[], target, of));
        }
    }
    for at in 0..staging.matters.len() {
        let target = Target::Matter(at);
        ask(QuestionKind::Honest, &[], target, &[]);
        ask(QuestionKind::Why, &[], target, &[]);
        for kind in [QuestionKind::CouldLie, QuestionKind::SeesThrough] {
            groups.iter().for_each(|of| ask(kind, &[], target, of));
            let people = (0..PEOPLE).map(CharacterId::new);
            people.for_each(|who| ask(kind, &[who], target, &[]));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(40) as u32, ..ProptestConfig::default() })]

    /// All that is said of answers, the evidence included, is what is found by following minds.
    #[test]
    fn masks_give_the_reasons_that_minds_do(
        level in 1..=3_usize,
        index in any::<u64>(),
        steps in prop::collection::vec((0..PEOPLE, 0..5_usize, any::<usize>(), any::<bool>()), 1..40),
    ) {
        let mut plan = plan(level);
        plan.questions = questions(&plan, 3);
        let trace = converse(&plan, index, &steps);
        let story = Story { trace, index, ..Story::default() };
        let (mut asker, mut following) = (Asker::new(&plan, 7), Asker::following_minds(&plan, 7));
        let (answers, expected) = (asker.ask(&story), following.ask(&story));
        prop_assert_eq!(answers.len(), expected.len());
        for (answered, expected) in answers.iter().zip(expected) {
            let question = &plan.questions[answered.question];
            prop_assert_eq!(answered, expected, "{:?} of {:?}", question, story.trace);
        }
    }
}

/// Whatever is asked of the built-in conversations, those who are followed give the same answer.
#[test]
fn masks_answer_as_minds_do() {
    let mut kinds = BTreeMap::<&str, usize>::new();
    // How many answers have so many steps of evidence.
    let mut reasons = BTreeMap::<usize, usize>::new();
    for board in BUILT_IN.iter().filter(|board| board.name.starts_with("white-lies")) {
        let board = parse(board.source()).unwrap();
        for mut plan in storysim::compile::compile_family(&board, &[]).unwrap().plans {
            plan.bundles.clear(); // So everything is asked.
            let (mut asker, mut following) = (Asker::new(&plan, 7), Asker::following_minds(&plan, 7));
            let (mut story, mut talk) = (Story::default(), Talk::default());
            for index in 0..20 {
                Simulator::new(&plan, 7).draw(index, &mut story);
                talk.read(&story.trace);
                let expected = following.ask(&story);
                assert_eq!(asker.ask(&story), expected, "of {:?}", story.trace);
                let answers: BTreeMap<usize, _> =
                    expected.iter().map(|answered| (answered.question, answered.answer)).collect();
                for (at, question) in plan.questions.iter().enumerate() {
                    let answer = answers.get(&at).copied().flatten();
                    assert_eq!(talk.answer(&plan, question), answer, "{question:?} of {:?}", story.trace);
                    *kinds.entry(question.kind.key()).or_default() += usize::from(answer.is_some());
                }
                for answered in expected {
                    *reasons.entry(answered.evidence.len()).or_default() += 1;
                }
            }
        }
    }
    assert!(kinds.len() >= 9 && kinds.values().all(|count| *count > 100), "{kinds:?}");
    assert!((0..5).all(|steps| reasons.get(&steps).is_some_and(|count| *count > 50)), "{reasons:?}");
}

/// Guests do the same on average, so each is asked about as often, alone and with each of the others.
#[test]
fn guests_are_asked_about_as_often() {
    let stories = times(8_000);
    let board = built_in("white-lies-calibrated");
    let family = admit(&board, compile_family(&board, &[]).unwrap().plans).unwrap().family;
    let (mut selector, mut story) = (Selector::new(&family, 11), Story::default());
    let mut pickings: Vec<Picking<'_>> = family.plans().iter().map(|plan| Picking::new(plan, 11)).collect();
    let mut named: BTreeMap<(usize, Vec<CharacterId>), u64> = BTreeMap::new();
    for index in 0..stories {
        selector.draw(index, &mut story);
        let picks = pickings[selector.plan_number()].picks(std::iter::once(&story));
        for (bundle, pick) in picks[0].iter().enumerate() {
            let Some(pick) = pick else { continue };
            let question = &selector.plan().questions[pick.question];
            let who = question.others.iter().chain(&question.of).copied().collect();
            *named.entry((bundle, who)).or_default() += 1;
        }
    }
    // One guest, two in order, or two as a set: of the 17 questions in the order of the storyboard.
    let ways = [1, 1, 3, 3, 3, 6, 3, 6, 6, 6, 3, 3, 3, 3, 3, 3, 3];
    let mut judged = 0;
    for (question, ways) in ways.into_iter().enumerate() {
        let own = named.iter().filter(|((of, _), _)| *of == question);
        let counts: Vec<u64> = own.map(|(_, count)| *count).collect();
        let mean = counts.iter().sum::<u64>() as f64 / ways as f64;
        if mean < 30.0 {
            continue; // seldom asked
        }
        judged += 1;
        let is_usual = |count: &u64| (*count as f64 - mean).abs() < 5.0 * mean.sqrt();
        assert!(counts.len() == ways && counts.iter().all(is_usual), "{question}: {counts:?}");
    }
    assert!(judged >= 15, "{judged}");
}
