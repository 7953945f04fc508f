//! Twins of woven stories, and calibrated boards among those that are woven.

use storysim::storyboard::QuestionKind;
use storysim::trace::Trace;

use super::*;

/// Twins differ in one event of one board, and in an answer about that board; all else is the same at the same steps.
#[test]
fn twins_differ_in_one_event_of_one_board() {
    for text in [APART, TWINNED] {
        let board = board(text);
        let family = admit_twins(&board, family(&board)).unwrap();
        let mut selector = Selector::for_twins(&family, 5);
        let mut twins = Twins::new(&board, &family, 5).unwrap();
        let (mut story, mut twin) = (Story::default(), Twin::default());
        let mut chosen = BTreeMap::new();
        for index in 0..times(40) {
            twins.draw(&mut selector, index, &mut story, &mut twin);
            let plan = selector.plan();
            for story in [&story, &twin.story] {
                check(&board, &Claim::of(plan, story)).unwrap();
            }
            assert_eq!((&story.names, &story.trace.start), (&twin.story.names, &twin.story.trace.start));
            let both = story.trace.events.iter().zip(&twin.story.trace.events);
            let first = both.clone().position(|(one, other)| one != other).unwrap();
            assert_eq!(first, twin.step);
            let [one, other] = [&story, &twin.story].map(|story| own_stories(plan, story));
            let differing: Vec<usize> =
                (0..one.len()).filter(|&at| one[at].trace != other[at].trace).collect();
            assert_eq!(differing.len(), 1, "{index}");
            *chosen.entry(differing[0]).or_insert(0) += 1;
            // What follows from the event is derived anew, but nobody else does anything else.
            let planned = plan.weave.as_ref().unwrap();
            let others = both.filter(|(event, _)| !planned.strands[differing[0]].people.contains(&event.who));
            assert!(others.into_iter().all(|(one, other)| one == other));
            let answers = |story: &Story| {
                let answers = Asker::new(plan, 5).ask(story).to_vec();
                answers
                    .into_iter()
                    .map(|answered| (answered.question, answered.answer))
                    .collect::<BTreeMap<_, _>>()
            };
            let (one, other) = (answers(&story), answers(&twin.story));
            let mut first = 0;
            for at in 0..planned.strands.len() {
                let count = planned.plan(at).questions.len();
                let is_same = (first..first + count).all(|number| one.get(&number) == other.get(&number));
                assert_eq!(is_same, at != differing[0], "{index}");
                first += count;
            }
        }
        let strands = board.weave.as_ref().unwrap().strands.len();
        assert_eq!(chosen.len(), strands, "each has the twin now and then: {chosen:?}");
    }
    // Stories of the first board have no twins, so another board has them; if none has any, that is said.
    let board = board(SHARED);
    let family = admit_twins(&board, family(&board)).unwrap();
    assert_eq!(family.weights().twinless, [0]);
    let again = Family::with_weights(family.plans().to_vec(), family.weights().clone());
    assert_eq!(again.weights().twinless, [0]);
    let mut selector = Selector::for_twins(&again, 5);
    let mut twins = Twins::new(&board, &again, 5).unwrap();
    let (mut story, mut twin) = (Story::default(), Twin::default());
    for index in 0..times(10) {
        twins.draw(&mut selector, index, &mut story, &mut twin);
        let [one, other] = [&story, &twin.story].map(|story| own_stories(selector.plan(), story));
        assert!(one[0].trace == other[0].trace && one != other, "{index}");
    }
    let text = "storysim: 1\nname: t\nmaps: shared\nweave: [first-order-mislead, {board: first-order-mislead, \
                rename: {S1: A, T: B}}]\n";
    let none = self::board(text);
    let problem = admit_twins(&none, self::family(&none)).unwrap_err();
    assert!(
        problem.message.starts_with("`first-order-mislead`: none of 100 stories has a twin"),
        "{}",
        problem.message
    );
}

/// In one board the target does the same in the first twin, and the minds do in the second; both answers are others than the story's.
/// All other boards tell the same.
#[test]
fn triplets_are_those_of_one_board() {
    let board = board(TWINNED);
    let family = admit_triplets(&board, family(&board)).unwrap();
    // Too much is fixed in its stories.
    assert_eq!(family.weights().twinless, [0]);
    let mut selector = Selector::for_twins(&family, 5);
    let mut triplets = Triplets::new(&board, &family, 5).unwrap();
    let (mut story, mut twins) = (Story::default(), <[Twin; 2]>::default());
    let mut chosen = BTreeMap::new();
    for index in 0..times(40) {
        triplets.draw(&mut selector, index, &mut story, &mut twins);
        let plan = selector.plan();
        let planned = plan.weave.as_ref().unwrap();
        let own = own_stories(plan, &story);
        let mut differing = BTreeSet::new();
        for (twin, is_of_target) in twins.iter().zip([false, true]) {
            check(&board, &Claim::of(plan, &twin.story)).unwrap();
            let other = own_stories(plan, &twin.story);
            let at: Vec<usize> = (0..own.len()).filter(|&at| own[at].trace != other[at].trace).collect();
            assert_eq!(at.len(), 1, "{index}: {at:?}");
            differing.insert(at[0]);
            let (one, other, plan) = (&own[at[0]].trace, &other[at[0]].trace, planned.plan(at[0]));
            let both = story.trace.events.iter().zip(&twin.story.trace.events);
            assert_eq!(both.clone().position(|(one, other)| one != other), Some(twin.step));
            let question =
                plan.questions.iter().find(|question| question.kind == QuestionKind::Belief).unwrap();
            let target = question.character();
            let is_still =
                |who: CharacterId| if is_of_target { question.others.contains(&who) } else { who == target };
            let still = |trace: &Trace| {
                trace.events.iter().filter(|event| is_still(event.who)).copied().collect::<Vec<_>>()
            };
            assert_eq!(still(one), still(other), "{index}");
            let answers = [one, other].map(|trace| independent_answer(trace, question));
            assert!(answers[0].is_some() && answers[1].is_some() && answers[0] != answers[1], "{index}");
        }
        assert_eq!(differing.len(), 1, "{index}");
        *chosen.entry(*differing.first().unwrap()).or_insert(0) += 1;
    }
    assert!(chosen.keys().eq(&[1, 2]), "each of the others has the twins now and then: {chosen:?}");
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS).with(&board, Twinning::Triplets);
    let mut rows = String::new();
    let count = maker.rows(3, &mut rows);
    for mark in ["\"id\":\"twinned/7/3/", "\"id\":\"twinned/7/3-twin/", "\"id\":\"twinned/7/3-target/"] {
        assert_eq!(rows.lines().filter(|row| row.contains(mark)).count() * 3, count, "{mark}");
    }
}

/// Shares are those of the board alone, whether a story has a twin or not: only the board that has the twin draws its stories
/// otherwise.
#[test]
fn a_calibrated_board_stays_so() {
    let text = "storysim: 1\nname: calibrated\nweave: [second-order-calibrated, {board: walks.yaml, rename: {S1: A, T: U}}]\n";
    let board = board(text);
    let family = admit_twins(&board, family(&board)).unwrap();
    assert!(family.weights().strands[0].look.is_some() && family.weights().strands[0].pairs.is_some());
    // Threads make the family again, with what is known of it.
    let again = Family::with_weights(family.plans().to_vec(), family.weights().clone());
    let mut selectors = [Selector::new(&family, 5), Selector::new(&again, 5), Selector::for_twins(&again, 5)];
    let mut twins = Twins::new(&board, &again, 5).unwrap();
    let (mut stories, mut twin) = (<[Story; 3]>::default(), Twin::default());
    let mut chosen = [0, 0];
    for index in 0..times(8) {
        for (selector, story) in selectors.iter_mut().zip(&mut stories).take(2) {
            selector.draw(index, story);
        }
        assert_eq!(stories[0], stories[1]);
        twins.draw(&mut selectors[2], index, &mut stories[2], &mut twin);
        let own = |number: usize, story: &Story| own_stories(selectors[number].plan(), story);
        let (alone, paired, twin) = (own(0, &stories[0]), own(2, &stories[2]), own(2, &twin.story));
        let with_twin = (0..2).find(|&at| paired[at].trace != twin[at].trace).unwrap();
        assert_eq!(alone[1 - with_twin].trace, paired[1 - with_twin].trace, "{index}");
        chosen[with_twin] += 1;
    }
    assert!(chosen.iter().all(|&count| count > 0), "{chosen:?}");
}
