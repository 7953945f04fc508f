//! Choices that a question names.

use proptest::prelude::*;
use storysim::compile::compile;
use storysim::diagnostic::Source;
use storysim::plan::Plan;
use storysim::question::{Answer, Answered, Asker};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard;

const WALK: &str = "storysim: 1\nname: choices\ncharacters: {pool: people, count: 4}\nroles: [S1, S2, T]\nstart: hall\n\
                    places: {complete: [hall, kitchen, garden, attic, cellar]}\nhorizon: 30\nquestions:\n";

const THINGS: &str = "storysim: 1\nname: choices\ncharacters: {pool: people, count: 3}\nroles: [S1, S2]\nstart: hall\n\
                      places: {complete: [hall, kitchen, garden]}\ncontainers: {box: kitchen, chest: garden, bag: hall}\n\
                      objects: {ball: [hall, box]}\nplay: {move: 3, move_object: 2, take: 1, put: 1}\nhorizon: 30\n\
                      questions:\n";

/// The plan of a board that asks the same with all choices and with these.
fn plan(board: &str, question: &str, choices: &[&str]) -> Plan {
    let text = format!(
        "{board}  - {question}\n  - {{{}, choices: [{}]}}\n",
        &question[1..question.len() - 1],
        choices.join(", ")
    );
    let board = storyboard::parse(Source { name: "choices".into(), text }).unwrap();
    compile(&board, &[]).unwrap().plan
}

/// What is called like this in a plan.
fn named(plan: &Plan, name: &str) -> Answer {
    let containers = plan.staging.iter().flat_map(|staging| staging.containers.iter());
    let container = containers.zip(0..).find(|(container, _)| container.name == name);
    let place = plan.place_names.iter().position(|place| place == name);
    match container {
        Some((_, at)) => Answer::Container(storysim::id::ContainerId::new(at)),
        None => Answer::Place(storysim::id::PlaceId::new(place.expect("a place or a container"))),
    }
}

fn answers(plan: &Plan, count: u64) -> Vec<Vec<Answered>> {
    let (mut simulator, mut asker, mut story) =
        (Simulator::new(plan, 7), Asker::new(plan, 7), Story::default());
    let ask = |index| {
        simulator.draw(index, &mut story);
        asker.ask(&story).to_vec()
    };
    (0..count).map(ask).collect()
}

/// The question with choices has a row where its answer is among them, with just these choices, and says what the question
/// without them says.
fn check(plan: &Plan, choices: &[&str], count: u64) -> [usize; 2] {
    let mut wanted: Vec<Answer> = choices.iter().map(|name| named(plan, name)).collect();
    wanted.sort();
    let mut seen = [0; 2];
    for answered in answers(plan, count) {
        let find = |number: usize| answered.iter().find(|answered| answered.question == number);
        let Some(free) = find(0) else {
            assert_eq!(find(1), None);
            continue;
        };
        let is_among = wanted.contains(&free.answer.unwrap());
        seen[usize::from(is_among)] += 1;
        assert_eq!(find(1).is_some(), is_among);
        if let Some(of_these) = find(1) {
            let mut offered = of_these.choices.clone();
            offered.sort();
            assert_eq!(offered, wanted);
            assert_eq!(Some(of_these.choices[of_these.label]), of_these.answer);
            let apart_from_choices = Answered {
                question: 0,
                choices: free.choices.clone(),
                label: free.label,
                ..of_these.clone()
            };
            assert_eq!(apart_from_choices, *free);
        }
    }
    seen
}

#[test]
fn only_answers_among_the_choices_are_asked_for() {
    let plan = plan(WALK, "{belief: [S1, S2, T]}", &["kitchen", "attic"]);
    let [others, among] = check(&plan, &["kitchen", "attic"], 500);
    assert!(others > 100 && among > 50, "{others} {among}");
}

#[test]
fn containers_can_be_choices() {
    let plan = plan(THINGS, "{belief: [S1, ball]}", &["box", "bag", "hall"]);
    let [others, among] = check(&plan, &["box", "bag", "hall"], 500);
    assert!(others > 20 && among > 100, "{others} {among}");
}

#[test]
fn every_choice_is_right_somewhere_and_in_every_position() {
    let choices = ["kitchen", "attic", "cellar"];
    let plan = plan(WALK, "{reality: T}", &choices);
    let mut labels = [0; 3];
    for answered in answers(&plan, 3000) {
        if let Some(of_these) = answered.iter().find(|answered| answered.question == 1) {
            labels[of_these.label] += 1;
        }
    }
    // 1800 rows; each position has 600 of them, give or take 20.
    assert!(labels.iter().all(|count| (500..700).contains(count)), "{labels:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn whatever_is_named_is_offered(
        named in prop::sample::subsequence(vec!["hall", "kitchen", "garden", "attic", "cellar"], 2..=5),
        question in prop::sample::select(vec![
            "{belief: [S1, T]}", "{belief: [S1, S2, T]}", "{reality: T}", "{start: T}", "{world: [S1, T]}", "{belief: [S1, T], before: 20}",
        ]),
    ) {
        check(&plan(WALK, question, &named), &named, 40);
    }
}
