use super::fit::fit_on;
use super::signs::Signs;
use super::*;
use crate::compile::compile_family;
use crate::diagnostic::Source;
use crate::id::CharacterId;
use crate::select::{Family, FamilyWeights, Fits, Selector};
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
fn stays<const PLACES: usize>(story: &Story, who: CharacterId) -> ([f32; PLACES], [f32; PLACES]) {
    let (mut total, mut visits) = ([0.0; PLACES], [0.0; PLACES]);
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
            let (total, visits) = stays::<3>(&story, who);
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

/// How often the answer is the place where the target was longest in all, above the share that it would be by chance.
fn longest_over_chance(family: &Family) -> f64 {
    let (mut selector, mut story) = (Selector::new(family, 5), Story::default());
    let (mut right, mut named) = (0.0, 0.0);
    for index in 0..6_000 {
        selector.draw(index, &mut story);
        let plan = selector.plan();
        let answered = crate::question::Asker::of_one(plan, 0, false).ask(&story)[0].answer;
        let (total, _) = stays::<3>(&story, plan.questions[0].character());
        let is_longest = |place: &usize| (0..3).all(|other| other == *place || total[other] < total[*place]);
        let Some(place) = (0..3).find(is_longest) else { continue };
        named += 1.0;
        right += f64::from(answered.unwrap().place().unwrap().index() == place);
    }
    right / named - 1.0 / 3.0
}

/// Nearly, after so few stories to learn from.
#[test]
fn what_a_learner_could_tell_is_gone() {
    let balance = "balance: {answer: uniform}\nquestions: [belief: [S1, S2, T]]\n";
    let family = Family::new(plans(format!("{WALK}{balance}")));
    let look = fit_on(&family, &[Sight::Target], 10_000);
    assert!(look.error < 0.01 && look.kept > 0.05, "{} {}", look.error, look.kept);
    let weights = FamilyWeights { look: Some(look), ..family.weights().clone() };
    let looked = Family::with_weights(family.plans().to_vec(), weights);
    let [before, after] = [&family, &looked].map(longest_over_chance);
    assert!(before > 0.1 && after.abs() < before / 3.0, "{before} {after}");
}

#[test]
fn what_was_found_is_the_same_again_and_when_it_is_read() {
    let family = family();
    let again = || fit_on(&family, &[Sight::Surface, Sight::Both], 3_000);
    let look = again();
    assert_eq!(look, again());
    let mut fits = Fits::default();
    fits.add(family.plans(), FamilyWeights { look: Some(look), ..family.weights().clone() });
    let text = fits.write();
    // The same bits on any number of cores, and in any build.
    assert_eq!(&blake3::hash(text.as_bytes()).to_hex()[..16], "70f157120d47dce5");
    let read = Fits::read(&text).unwrap();
    assert_eq!(
        Fits::read(&text.replacen("\"kept\":0.", "\"kept\":0.1", 1)).unwrap_err(),
        "the file was damaged, or changed by hand"
    );
    assert_eq!(read.find(family.plans()), fits.find(family.plans()));
    assert!(read.find(family.plans()).is_some());
    let others = plans(format!(
        "{}balance: {{answer: uniform}}\nquestions: [belief: [S1, T]]\n",
        WALK.replace("24", "25")
    ));
    assert_eq!(read.find(&others), None, "of another storyboard");
}

#[test]
fn weights_of_built_in_storyboards_are_those_of_these_storyboards() {
    for built_in in BUILT_IN {
        let plans = compile_family(&parse(built_in.source()).unwrap(), &[]).unwrap().plans;
        let is_learned = plans[0].balance.as_ref().is_some_and(|balance| !balance.learned.is_empty());
        assert_eq!(crate::select::fits::built_in(&plans).is_some(), is_learned, "{}", built_in.name);
    }
}
