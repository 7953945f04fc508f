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

/// What there is to see of somebody's stays in a place: how many they are, how many moves came before the first and how long it was,
/// the longest time from one coming to the next, how long she was there in all, how many moves came after each of the last four
/// stays, and how many of her last six stays were there.
fn stays(story: &Story, who: CharacterId, place: usize) -> [f32; 10] {
    let events = &story.trace.events;
    let own: Vec<usize> = (0..events.len()).filter(|&step| events[step].who == who).collect();
    let begins: Vec<usize> = [0].into_iter().chain(own.iter().map(|step| step + 1)).collect();
    let ends = begins.iter().skip(1).copied().chain([events.len()]);
    let places = [story.trace.start[who.index()]].into_iter().chain(own.iter().map(|&step| events[step].to));
    let all: Vec<(usize, usize, usize)> = places
        .zip(begins.iter().copied().zip(ends))
        .map(|(place, (from, to))| (place.index(), from, to))
        .collect();
    let there: Vec<_> = all.iter().enumerate().filter(|(_, (at, ..))| *at == place).collect();
    let (before, length) = there.first().map_or((all.len(), 0), |(moves, (_, from, to))| (*moves, to - from));
    let gaps = there.windows(2).map(|two| two[1].1.1 - two[0].1.1);
    let total: usize = there.iter().map(|(_, (_, from, to))| to - from).sum();
    let since =
        |back: usize| there.iter().rev().nth(back).map_or(all.len(), |(moves, _)| all.len() - 1 - moves);
    let late = all.iter().rev().take(6).filter(|(at, ..)| *at == place).count();
    let [last, second, third, fourth] = [0, 1, 2, 3].map(since);
    let gap = gaps.max().unwrap_or(0);
    [there.len(), before, length, gap, total, last, second, third, fourth, late].map(|number| number as f32)
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
            for place in 0..3 {
                let shown = &shown[place * width..][..width];
                let read = [0, 4, 5, 6, 7, 11, 12, 13, 14, 15].map(|sign| shown[sign]);
                assert_eq!(read, stays(&story, who, place), "story {index}, place {place}");
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

/// Stories that look alike weigh so that each answer is as likely as any other, whatever the limit.
#[test]
fn weights_undo_what_was_learned_within_a_limit() {
    // In longer stories, each place can be the answer in some, and nearly none in others.
    let balance = "balance: {answer: uniform}\nquestions: [belief: [S1, S2, T]]\n";
    let family = Family::new(plans(format!("{}{balance}", WALK.replace("24", "60"))));
    let plan = &family.plans()[0];
    let look = Look::of_pilots(&family, &[Sight::Target], 3_000);
    let (mut selector, mut story, mut looker) =
        (Selector::new(&family, 3), Story::default(), Looker::new(plan));
    let mut kinds = [0; 3];
    for index in 0..900 {
        selector.draw(index, &mut story);
        looker.read(plan, &story);
        let weights = [0, 1, 2].map(|answer| looker.weigh_by(&look, Sight::Target, answer));
        let learned = look.rankers.iter().fold([1.0; 3], |mut learned, (_, ranker)| {
            ranker.probabilities(&looker.shown[Sight::Target as usize], &mut looker.probabilities);
            learned.iter_mut().zip(&looker.probabilities).for_each(|(product, p)| *product *= 3.0 * p);
            learned
        });
        let scales = [0, 1, 2].map(|answer| weights[answer] * learned[answer]);
        assert!(scales.iter().all(|scale| (scale / scales[0] - 1.0).abs() < 1e-9), "{scales:?}");
        let greatest = weights.iter().fold(0.0, |one: f64, &other| one.max(other));
        assert!(greatest < WEIGHT_MAX + 1e-9 || scales[0] < SCALE_MIN + 1e-9, "{weights:?} {scales:?}");
        let is_limited = scales[0] < 1.0 - 1e-9;
        assert!(!is_limited || greatest > WEIGHT_MAX - 1e-9, "{weights:?} {scales:?}");
        kinds[usize::from(is_limited) + usize::from(scales[0] < SCALE_MIN + 1e-9)] += 1;
    }
    assert!(kinds.iter().all(|&count| count > 5), "not limited, limited, as far as possible: {kinds:?}");
}

/// Also in a build that optimises nothing, as here: `tests/engine/look.rs` has the same hash.
#[test]
fn what_was_found_has_the_same_bits_in_any_build() {
    let family = family();
    let look = Look::of_pilots(&family, &[Sight::Surface, Sight::Both], 300);
    let text = serde_json::to_string(&look).unwrap();
    assert_eq!(&blake3::hash(text.as_bytes()).to_hex()[..16], "5b33d737f3c6f686");
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
