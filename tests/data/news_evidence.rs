//! What a state is said to rest on, it does rest on: whoever misses a piece of the news in its evidence answers otherwise, or
//! comes to the same state by other news; and whoever misses all other news answers the same.

use storysim::compile::compile;
use storysim::plan::Plan;
use storysim::question::{Asker, AtEnd, CoursePlan, Courses};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::BUILT_IN;
use storysim::world::{Act, Deed};

use crate::effort::part;
use crate::news::FREE;
use crate::storyboards::board;

fn built_in(name: &str) -> &'static str {
    BUILT_IN.iter().find(|board| board.name == name).unwrap().text()
}

/// A story in which there is no news at these steps.
fn without(story: &Story, steps: &[usize]) -> Story {
    let mut without = story.clone();
    // Whoever stays where she is shows nothing but that she is there.
    steps.iter().for_each(|&step| without.trace.deeds[step] = Deed::default());
    without
}

/// What becomes of somebody, whatever it came from.
fn states(courses: &Courses) -> Vec<AtEnd> {
    let bare = |end: &AtEnd| AtEnd {
        since: None,
        expected_since: None,
        given_up_since: None,
        heard_from: None,
        ..*end
    };
    courses.lives[0].iter().map(bare).collect()
}

/// How often a piece of news was left out, and what that changed: the answer; what became of her, but not the answer; nothing
/// but the news to which she owes it.
#[derive(Debug, Default)]
struct Changed {
    answer: usize,
    course: usize,
    news: usize,
}

fn left_out(plan: &Plan, stories: u64) -> Changed {
    let all = CoursePlan::all(plan, 11);
    let (mut simulator, mut asker) = (Simulator::new(plan, 11), Asker::new(plan, 11));
    let (mut story, mut changed) = (Story::default(), Changed::default());
    for index in 0..stories {
        assert!(simulator.draw(index, &mut story));
        let before: Vec<Courses> = all.iter().map(|courses| courses.courses(&story)).collect();
        let is_news = |step: &usize| matches!(story.trace.deeds[*step].act, Act::Turn(_) | Act::Tell(_));
        for answered in asker.ask(&story) {
            let question = &plan.questions[answered.question];
            let Some(subject) = all.iter().position(|of| of.subject().is_of(question)) else { continue };
            let after = |steps: &[usize]| all[subject].courses(&without(&story, steps));
            let told = |courses: &Courses| courses.told(question, 0);
            let before = &before[subject];
            let is_asked = format!("story {index}: {question:?}");

            let news = (0..story.trace.events.len()).filter(is_news);
            let (news, others): (Vec<_>, Vec<_>) = news.partition(|step| answered.evidence.contains(step));
            assert_eq!(news, answered.caused_by, "{is_asked}");
            assert_eq!(told(before), told(&after(&others)), "{is_asked}");
            for step in news {
                let after = after(&[step]);
                if told(before) != told(&after) {
                    changed.answer += 1;
                } else if states(before) != states(&after) {
                    changed.course += 1;
                } else {
                    assert_ne!(before.lives[0], after.lives[0], "{is_asked}, step {step}");
                    changed.news += 1;
                }
            }
        }
    }
    changed
}

#[test]
fn all_news_of_the_evidence_bears_on_the_answer_and_no_other() {
    let chains = FREE.to_owned() + "  - dynamics: [S2, S1, news]\n  - dynamics: [S1, S2, news]\n";
    let [lives, free, rumour] = ["dynamic-minds", "dynamic-minds-free", "dynamic-minds-rumour"].map(built_in);
    for text in part([lives, &chains, free, rumour], 1, 2) {
        let plan = compile(&board(text), &[]).unwrap().plan;
        let changed = left_out(&plan, 100);
        println!("{}: {changed:?}", plan.name);
        assert!(changed.answer > 5_000, "{changed:?}");
        // A rumour is heard again, and so the news is missed without harm. Elsewhere few announcements say the same.
        assert!(text == rumour || changed.news * 50 < changed.answer, "{changed:?}");
    }
}
