//! Random storyboards with things and deeds: whatever is drawn keeps to its storyboard, and whatever is asked has the
//! answer that the definition gives when all minds are written out.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use serde_json::Value as Json;
use storysim::check::{Claim, check};
use storysim::compile::compile;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::fuzzing::storyboard;
use storysim::id::{CharacterId, PropositionId};
use storysim::plan::{Plan, Question, Saying, Target};
use storysim::question::{Answered, Asker, CHOICES_MAX};
use storysim::select::{Family, Selector, admit};
use storysim::simulate::Story;
use storysim::storyboard::{QuestionKind, Storyboard, parse};
use storysim::trace::Trace;
use storysim::world::Item;

use crate::effort::times;
use crate::json::KEYS;

mod answers;

use crate::oracle::renumbered;
use crate::reasons::Reasons;
use answers::{answer, story_of, truth};

const SEED: u64 = 7;
const INDICES: [u64; 3] = [0, 1, u64::MAX];

/// The board and a family of its only plan, if stories of it can be drawn. All boards here are well-formed; whether those that
/// are refused are explained is tested where they come from.
fn admitted(text: &str) -> Option<(Storyboard, Family)> {
    let board = parse(Source { name: "random.yaml".into(), text: text.into() });
    let board = board.unwrap_or_else(|broken| panic!("{:?} of {text}", broken.problems));
    let plan = compile(&board, &[]).ok()?.plan;
    let family = admit(&board, vec![plan]).ok()?.family;
    Some((board, family))
}

/// The answer, what is true, and the evidence of a question are those of the definition.
fn is_right(plan: &Plan, question: &Question, trace: &Trace, answered: Option<&Answered>) {
    let story = story_of(question, trace);
    let wanted = story.as_ref().and_then(|(story, _)| answer(plan, question, story));
    assert_eq!(answered.and_then(|answered| answered.answer), wanted, "{question:?} of {trace:?}");
    let (Some(answered), Some((story, steps))) = (answered, story) else { return };
    let wanted = wanted.expect("an answered question");
    let truth = match (question.kind, question.target) {
        (
            QuestionKind::Belief
            | QuestionKind::Reality
            | QuestionKind::Start
            | QuestionKind::World
            | QuestionKind::WorldThings,
            Target::Item(item),
        ) => truth(item, &story),
        _ => wanted,
    };
    assert_eq!(answered.truth, Some(truth), "{question:?} of {trace:?}");

    let targets = match question.target {
        Target::Item(item) => vec![item],
        Target::Attitude(thing) => attitudes(plan, thing),
        Target::Matter(_) => unreachable!("only conversations have matters"),
    };
    let evidence = renumbered(&answered.evidence, &steps).expect("steps of which the question asks");
    let fault = Reasons::new(&story, question, targets).fault(&evidence);
    assert_eq!(fault, None);

    let choices: BTreeSet<_> = answered.choices.iter().collect();
    assert_eq!(choices.len(), answered.choices.len(), "no choice twice");
    assert!((1..=CHOICES_MAX).contains(&choices.len()));
    assert_eq!(answered.choices[answered.label], wanted);
}

/// What everyone thinks of a thing, as propositions.
fn attitudes(plan: &Plan, thing: usize) -> Vec<Item> {
    let propositions = &plan.staging.as_ref().unwrap().propositions;
    let is_of = |who: usize, says: &Saying| *says == Saying::Likes(CharacterId::new(who), thing);
    let of = |who: usize| propositions.iter().position(|known| is_of(who, &known.says)).unwrap();
    (0..plan.character_count).map(|who| Item::Proposition(PropositionId::new(of(who)))).collect()
}

/// The rows of a story are JSON, with all fields, and the same whatever was made before.
fn has_rows(family: &Family) {
    let maker = || RowMaker::new(family, SEED, &[], RowOptions::WITH_EVENTS);
    let rows_of = |maker: &mut RowMaker, index: u64| {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        rows
    };
    let mut all = maker();
    let rows: Vec<String> = INDICES.iter().map(|&index| rows_of(&mut all, index)).collect();
    for (&index, rows) in INDICES.iter().zip(&rows).rev() {
        assert_eq!(&rows_of(&mut maker(), index), rows, "alone");
        assert_eq!(&rows_of(&mut all, index), rows, "after others");
    }
    for row in rows.iter().flat_map(|rows| rows.lines()) {
        let row: Json = serde_json::from_str(row).expect("a row is JSON");
        let keys: BTreeSet<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, KEYS.into_iter().chain(["events"]).collect());
        let label = row["label"].as_u64().unwrap() as usize;
        let choices = row["choices"].as_array().unwrap();
        let is_answer = |choice: &&Json| **choice == row["answer"];
        assert_eq!(choices.iter().position(|choice| is_answer(&choice)), Some(label), "{row}");
        assert_eq!(choices.iter().filter(is_answer).count(), 1, "{row}");
        for field in ["context", "story", "question", "about"] {
            let text = row[field].as_str().unwrap();
            let is_whole = !text.is_empty() && !text.contains(['{', '}']) && !text.contains("  ");
            assert!(is_whole, "{field}: {text:?}");
        }
    }
}

static BOARDS: AtomicUsize = AtomicUsize::new(0);
static ADMITTED: AtomicUsize = AtomicUsize::new(0);
static ANSWERS: AtomicUsize = AtomicUsize::new(0);

proptest! {
    #![proptest_config(ProptestConfig { cases: times(80) as u32, ..ProptestConfig::default() })]

    #[test]
    fn answers_are_those_of_the_definition(text in crate::deeds::boards(2..=4, 2..=4, 4..=12)) {
        let boards = BOARDS.fetch_add(1, Ordering::Relaxed) + 1;
        let Some((board, family)) = admitted(&text) else {
            storyboard(&text);
            return Ok(());
        };
        let plan = &family.plans()[0];
        let (mut selector, mut asker, mut story) =
            (Selector::new(&family, SEED), Asker::new(plan, SEED), Story::default());
        for index in INDICES {
            selector.draw(index, &mut story);
            if let Err(violation) = check(&board, &Claim::of(plan, &story)) {
                panic!("story {index}: {violation}");
            }
            for deed in &story.trace.deeds {
                let attentive = deed.distracted.iter().map(|distraction| distraction.who).chain(deed.peeking.clone());
                let who: Vec<_> = attentive.collect();
                let distinct: BTreeSet<_> = who.iter().collect();
                prop_assert_eq!(distinct.len(), who.len(), "nobody misses or watches an event twice: {:?}", deed);
            }
            prop_assert!(storysim::fuzzing::minds(&story.trace, 4) > 0);
            let answers = asker.ask(&story);
            for (at, question) in plan.questions.iter().enumerate() {
                let answered = answers.iter().find(|answered| answered.question == at);
                is_right(plan, question, &story.trace, answered);
            }
            ANSWERS.fetch_add(answers.len(), Ordering::Relaxed);
        }
        has_rows(&family);
        let admitted = ADMITTED.fetch_add(1, Ordering::Relaxed) + 1;
        if boards == 400 {
            println!("{admitted} of {boards} boards admitted, {} answers", ANSWERS.load(Ordering::Relaxed));
            prop_assert!(admitted > 100, "most boards should give stories");
        }
    }

    #[test]
    fn a_question_of_what_is_known_changes_no_story(text in crate::boards::boards(2..=5, 2..=4, 4..=12)) {
        let plain = format!("{text}questions:\n- belief: [R0, R1]\n");
        let asking = format!("{plain}- knows: [R0, R1]\n- {{belief: [R1, R0], before: 1}}\n");
        let (plain, asking) = (admitted(&plain), admitted(&asking));
        prop_assert_eq!(plain.is_some(), asking.is_some());
        let Some(((_, plain), (board, asking))) = plain.zip(asking) else { return Ok(()) };
        prop_assert!(plain.plans()[0].staging.is_none() && asking.plans()[0].staging.is_some());
        let (mut one, mut other) = (Selector::new(&plain, SEED), Selector::new(&asking, SEED));
        let (mut story, mut again) = (Story::default(), Story::default());
        for index in INDICES {
            one.draw(index, &mut story);
            other.draw(index, &mut again);
            prop_assert_eq!(&story, &again);
            if let Err(violation) = check(&board, &Claim::of(other.plan(), &again)) {
                panic!("story {index}: {violation}");
            }
        }
    }
}

/// Nobody is told anything, and so there is nobody to trust.
#[test]
fn walks_under_a_rule_of_trust_are_walks() {
    let text = "storysim: 1\nname: t\ncharacters: {pool: [a, b]}\nroles: [S1, T]\nplaces: {complete: [p, q]}\n\
                start: p\nhorizon: 5\ntrust: always\nfriends: {S1: []}\nquestions: [{belief: [S1, T]}]\n";
    assert!(admitted(text).is_some_and(|(_, family)| family.plans()[0].things().is_none()));
    storyboard(text);
}

/// Attention in overlapping windows is the same as in one.
#[test]
fn nobody_misses_an_event_twice() {
    let board = |windows: &str| {
        let text = format!(
            "storysim: 1\nname: t\ncharacters: {{pool: [a, b, c]}}\nroles: [S1, T]\nplaces: {{complete: [p, q]}}\n\
             start: p\nhorizon: 8\nobjects: {{o: p}}\nplay: {{move: 2, take: 1, put: 1}}\nevents: [{windows}]\n\
             questions: [{{belief: [S1, o]}}]\n"
        );
        admitted(&text).expect("it can be satisfied")
    };
    let (_, once) = board("{from: 0, until: 6, distracted: S1}, {from: 0, until: 6, peek: T}");
    let (storyboard, often) = board(
        "{from: 0, until: 4, distracted: S1}, {from: 2, until: 6, distracted: [T, S1]}, {from: 0, until: 6, peek: T}, \
         {from: 1, until: 3, peek: [T]}",
    );
    let mut story = Story::default();
    let mut missed = 0;
    for family in [&once, &often] {
        let mut selector = Selector::new(family, SEED);
        for index in 0..100 {
            selector.draw(index, &mut story);
            missed += story.trace.deeds.iter().map(|deed| deed.distracted.len()).sum::<usize>();
            for deed in &story.trace.deeds {
                let who: BTreeSet<_> = deed.distracted.iter().map(|missing| missing.who).collect();
                assert_eq!(who.len(), deed.distracted.len());
                assert_eq!(deed.peeking.iter().collect::<BTreeSet<_>>().len(), deed.peeking.len());
            }
            if std::ptr::eq(family, &often) {
                check(&storyboard, &Claim::of(selector.plan(), &story)).unwrap();
            }
        }
    }
    assert!(missed > 100, "{missed}");
}
