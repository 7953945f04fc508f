//! Evidence that one can check by hand.

use storysim::plan::{Moment, Target};
use storysim::question::{Answered, Asker};
use storysim::select::Selector;
use storysim::simulate::Story;
use storysim::storyboard::QuestionKind;
use storysim::world::{Act, Hearers, Item, Stage, Telling, Value};

use super::{ask, ball_carried_off, place, plan, question, story, who};
use crate::storyboards::{built_in, family};

/// The evidence of what minds hold of where someone is, when Dan, Cat and Bob walk.
fn evidence(start: [usize; 3], moves: &[(usize, usize)], minds: &[usize], target: usize) -> Vec<usize> {
    let acts = moves.iter().map(|&(who, to)| (who, Act::Go, Some(to))).collect();
    let trace = story(start.map(place).to_vec(), Stage::default(), acts);
    let asked =
        question(QuestionKind::Belief, minds, Target::Item(Item::Character(who(target))), Moment::End);
    let answered = ask(&plan(&trace, Vec::new(), std::slice::from_ref(&asked)), &trace);
    answered[0].evidence.clone()
}

const DAN: usize = 0;
const CAT: usize = 1;
const BOB: usize = 2;
const HALL: usize = 0;
const PORCH: usize = 1;
const ATTIC: usize = 2;

#[test]
fn who_is_found_was_not_seen_to_come() {
    let moves = [(DAN, PORCH), (DAN, ATTIC), (CAT, PORCH), (BOB, ATTIC)];
    assert_eq!(evidence([HALL; 3], &moves, &[BOB], DAN), [3]);
}

#[test]
fn what_is_held_from_the_start_takes_no_evidence() {
    // Dan leaves, unseen, when Bob is away.
    let moves = [(BOB, PORCH), (DAN, ATTIC)];
    assert_eq!(evidence([HALL; 3], &moves, &[BOB], DAN), [] as [usize; 0]);
}

#[test]
fn what_was_lost_and_learnt_again_takes_both() {
    // Bob sees Dan go to the porch and come back.
    let moves = [(DAN, PORCH), (CAT, PORCH), (DAN, HALL)];
    assert_eq!(evidence([HALL; 3], &moves, &[BOB], DAN), [0, 2]);
    // Bob comes back to the hall, where Dan is not, and then finds him there after all.
    let moves =
        [(BOB, PORCH), (DAN, ATTIC), (BOB, HALL), (CAT, ATTIC), (BOB, PORCH), (DAN, HALL), (BOB, HALL)];
    assert_eq!(evidence([HALL; 3], &moves, &[BOB], DAN), [2, 6]);
}

#[test]
fn a_mind_within_a_mind_has_to_be_there() {
    // Bob follows Cat to the porch, where both see Dan come.
    let moves = [(CAT, PORCH), (BOB, PORCH), (DAN, PORCH)];
    assert_eq!(evidence([HALL; 3], &moves, &[BOB, CAT], DAN), [0, 2]);
    // Bob finds Cat there; how she came does not matter.
    let moves = [(BOB, ATTIC), (CAT, PORCH), (BOB, PORCH), (DAN, PORCH)];
    assert_eq!(evidence([HALL; 3], &moves, &[BOB, CAT], DAN), [2, 3]);
    // Cat comes to where Bob and Dan are: the step itself shows that she takes part.
    let moves = [(CAT, PORCH), (BOB, ATTIC), (DAN, ATTIC), (CAT, ATTIC)];
    assert_eq!(evidence([HALL; 3], &moves, &[BOB, CAT], DAN), [3]);
}

#[test]
fn whoever_is_spoken_to_by_name_takes_part() {
    let (mut trace, ball) = ball_carried_off();
    let (item, value) = (Item::Object(ball), Value::Place(place(2)));
    let telling =
        Telling { hearers: Hearers::Afar(vec![who(2)]), item, value, believers: Some(vec![who(2)]) };
    let here = trace.events[3].to;
    trace.events.push(storysim::world::Event { who: who(0), from: here, to: here });
    trace.deeds.push(storysim::world::Deed { act: Act::Tell(telling), ..Default::default() });
    let asked = question(QuestionKind::Belief, &[0, 2], Target::Item(item), Moment::End);
    let answered = ask(&plan(&trace, Vec::new(), std::slice::from_ref(&asked)), &trace);
    assert_eq!(answered[0].evidence, [4]);
}

/// The answers of a story of a built-in board.
fn answered(board: &str, seed: u64, index: u64) -> Vec<Answered> {
    let family = family(&built_in(board));
    let (mut selector, mut story) = (Selector::new(&family, seed), Story::default());
    selector.draw(index, &mut story);
    Asker::new(selector.plan(), seed).ask(&story).to_vec()
}

#[test]
fn they_met_and_parted() {
    assert_eq!(answered("first-order-mislead", 3, 0)[0].evidence, [10, 11]);
}

/// Conrad sees Ebba move the melon. How she came there, and where it had been moved to and fro before, is no reason.
#[test]
fn a_strict_part_is_not_listed() {
    let answered = answered("tomi-like", 318_506, 15);
    assert_eq!(answered.iter().find(|answered| answered.question == 3).unwrap().evidence, [6]);
}
