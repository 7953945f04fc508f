use super::signs::Signs;
use super::*;
use crate::compile::compile_family;
use crate::diagnostic::Source;
use crate::id::CharacterId;
use crate::select::{Family, Selector};
use crate::storyboard::{BUILT_IN, parse};

const WALK: &str = "storysim: 1\nname: walk\ncharacters: {pool: people, count: 4}\nroles: [S1, S2, T]\n\
                    places: {complete: [a, b, c]}\nstart: a\nhorizon: 24\n";

fn plans(text: String) -> Vec<Plan> {
    let board = parse(Source { name: "t".into(), text });
    compile_family(&board.unwrap_or_else(|broken| panic!("{:?}", broken.problems)), &[]).unwrap().plans
}

/// The family of a board on which no second look is taken yet.
fn family() -> Family {
    let balance = "balance: {answer: uniform}\nquestions: [belief: [S1, T]]\n";
    Family::new(plans(format!("{WALK}{balance}")))
}

/// How long someone was in each place, and how often she came there.
fn stays(story: &Story, who: CharacterId) -> ([f32; 3], [f32; 3]) {
    let (mut total, mut visits) = ([0.0; 3], [0.0; 3]);
    let mut at = story.trace.start[who.index()].index();
    visits[at] += 1.0;
    for event in &story.trace.events {
        total[at] += 1.0;
        if event.who == who {
            at = event.to.index();
            visits[at] += 1.0;
        }
    }
    (total, visits)
}

#[test]
fn signs_are_those_of_a_plain_reading() {
    let family = family();
    let (mut selector, mut story) = (Selector::new(&family, 3), Story::default());
    let (mut signs, mut shown) = (Signs::default(), Vec::new());
    for index in 0..300 {
        selector.draw(index, &mut story);
        let question = &selector.plan().questions[0];
        signs.read(selector.plan(), question, &story);
        for (sight, who) in [(Sight::Target, question.character()), (Sight::Minds, question.others[0])] {
            shown.clear();
            signs.show(sight, &mut shown);
            let width = Signs::width(sight, 1);
            let (total, visits) = stays(&story, who);
            for place in 0..3 {
                let shown = &shown[place * width..][..width];
                assert_eq!(
                    (shown[0], shown[4]),
                    (visits[place], total[place]),
                    "story {index}, place {place}"
                );
            }
        }
        shown.clear();
        signs.show(Sight::Surface, &mut shown);
        let named =
            |place: usize| story.trace.events.iter().filter(|event| event.to.index() == place).count();
        for (place, shown) in shown.chunks(Signs::width(Sight::Surface, 1)).enumerate() {
            assert_eq!(shown[0], named(place) as f32);
        }
    }
}

#[test]
fn every_sight_has_its_width() {
    let family = Family::new(plans(format!(
        "{WALK}balance: {{answer: uniform}}\nquestions: [belief: [S1, S2, S1, T]]\n"
    )));
    let (mut selector, mut story) = (Selector::new(&family, 3), Story::default());
    selector.draw(0, &mut story);
    let question = &selector.plan().questions[0];
    let mut signs = Signs::default();
    signs.read(selector.plan(), question, &story);
    for (sight, _) in Sight::ALL {
        let mut shown = Vec::new();
        signs.show(sight, &mut shown);
        assert_eq!(shown.len(), 3 * Signs::width(sight, Signs::mind_count(question)), "{sight:?}");
    }
}

/// Also in a build that optimises nothing, as here: `tests/engine/look.rs` has the same hash.
#[test]
fn what_was_found_has_the_same_bits_in_any_build() {
    let family = family();
    let look = Look::of_pilots(&family, &[Sight::Surface, Sight::Both], 300);
    let text = serde_json::to_string(&look).unwrap();
    assert_eq!(&blake3::hash(text.as_bytes()).to_hex()[..16], "69f09c0b8e21273f");
}

#[test]
fn weights_of_built_in_storyboards_are_those_of_these_storyboards() {
    for built_in in BUILT_IN {
        let board = parse(built_in.source()).unwrap();
        let is_learned = board.balance.as_ref().is_some_and(|balance| !balance.learned.is_empty());
        assert_eq!(built_in.weights().is_some(), is_learned, "{}", built_in.name);
        if is_learned {
            let plans = compile_family(&board, &[]).unwrap().plans;
            assert!(crate::select::fits::built_in(&plans).is_some(), "{}", built_in.name);
        }
    }
}
