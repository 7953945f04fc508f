//! The evidence of what news does to people, found once more by looking back from each piece of news: who came there last, and when.

use std::collections::BTreeSet;

use storysim::compile::compile;
use storysim::form::{State, Toward};
use storysim::id::CharacterId;
use storysim::plan::{Plan, Question};
use storysim::question::{Answered, Asker, CoursePlan, Courses};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{BUILT_IN, QuestionKind};
use storysim::world::Scene;

use crate::storyboards::board;

/// The last step before this one at which somebody goes somewhere.
fn last_move(story: &Story, who: CharacterId, before: usize) -> Option<usize> {
    let (events, deeds) = (&story.trace.events, &story.trace.deeds);
    (0..before).rev().find(|&step| Scene::movers(events[step], &deeds[step].act).any(|mover| mover == who))
}

/// The scenarios that a question speaks of, from 0.
fn spoken_of(question: &Question) -> std::ops::RangeInclusive<usize> {
    let last = question.dynamic.unwrap().scenario;
    match question.kind {
        QuestionKind::Course => 0..=last,
        QuestionKind::Changed | QuestionKind::Cause => last - 1..=last,
        _ => last..=last,
    }
}

/// The news on which the states rest that a question speaks of. Except where a belief is asked for, it also has the news by which
/// something was expected.
fn caused_by(question: &Question, courses: &Courses) -> BTreeSet<usize> {
    let has_expected =
        question.dynamic.unwrap().state != State::Belief || question.kind == QuestionKind::Influence;
    let ends = spoken_of(question).map(|scenario| &courses.lives[0][scenario]);
    ends.flat_map(|end| [end.since, end.expected_since.filter(|_| has_expected)]).flatten().collect()
}

/// That news, and the last moves of the minds and of whoever announced it; of an action, also those of her and of whom it is for.
fn evidence(plan: &Plan, story: &Story, question: &Question, courses: &Courses) -> BTreeSet<usize> {
    let mut all = caused_by(question, courses);
    for step in all.clone() {
        let there = question.others.iter().chain([&story.trace.events[step].who]);
        all.extend(there.filter_map(|&who| last_move(story, who, step)));
    }
    let steps = plan.scenarios.unwrap().steps;
    for scenario in spoken_of(question).filter(|_| question.dynamic.unwrap().state == State::Action) {
        let end = &courses.lives[0][scenario];
        let everyone = || (0..plan.character_count).map(CharacterId::new);
        let company: Vec<CharacterId> = match (end.felt.toward, end.whom) {
            (Toward::Nobody, _) => continue,
            (Toward::Company, _) => everyone().collect(),
            (_, Some(whom)) => vec![whom, *question.others.last().unwrap()],
            // Whoever brought it about is nobody in particular.
            (_, None) => everyone().collect(),
        };
        all.extend(company.into_iter().filter_map(|who| last_move(story, who, (scenario + 1) * steps)));
    }
    all
}

fn check(plan: &Plan, stories: u64) {
    let (mut simulator, mut asker) = (Simulator::new(plan, 9), Asker::new(plan, 9));
    let courses = CoursePlan::all(plan, 9);
    let (mut story, mut checked, mut of_action) = (Story::default(), 0, 0);
    for index in 0..stories {
        assert!(simulator.draw(index, &mut story));
        let of_story: Vec<Courses> = courses.iter().map(|plan| plan.courses(&story)).collect();
        for Answered { question, evidence: found, caused_by: news, .. } in asker.ask(&story) {
            let question = &plan.questions[*question];
            let at = courses.iter().position(|plan| plan.subject().is_of(question)).unwrap();
            let wanted: Vec<usize> = caused_by(question, &of_story[at]).into_iter().collect();
            assert_eq!(*news, wanted, "{}, story {index}: {question:?}", plan.name);
            let wanted: Vec<usize> = evidence(plan, &story, question, &of_story[at]).into_iter().collect();
            assert_eq!(*found, wanted, "{}, story {index}: {question:?}", plan.name);
            checked += 1;
            of_action += usize::from(wanted.len() > news.len());
        }
    }
    println!("{}: {checked} answers, {of_action} of them with moves", plan.name);
    assert!(checked > 500 && of_action > 100);
}

#[test]
fn evidence_is_news_and_how_people_came_to_be_there() {
    for (name, stories) in [("dynamic-minds", 60), ("dynamic-minds-free", 60), ("dynamic-minds-rumour", 40)] {
        let text = BUILT_IN.iter().find(|board| board.name == name).unwrap().text;
        check(&compile(&board(text), &[]).unwrap().plan, stories);
    }
}
