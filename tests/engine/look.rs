//! A second look keeps stories whose answer no learner could tell, and what it found can be kept.

use storysim::compile::compile_family;
use storysim::id::CharacterId;
use storysim::plan::{Plan, Sight};
use storysim::question::Asker;
use storysim::select::{Family, FamilyWeights, Fits, Look, Selector, Twin, Twins};
use storysim::simulate::Story;

use crate::storyboards::{board, family_with_twins};

const WALK: &str = "storysim: 1\nname: walk\ncharacters: {pool: people, count: 4}\nroles: [S1, S2, T]\n\
                    places: {complete: [a, b, c]}\nstart: a\nhorizon: 24\n";

fn plans(text: &str) -> Vec<Plan> {
    compile_family(&board(text), &[]).unwrap().plans
}

/// The family of a board on which no second look is taken yet.
fn family() -> Family {
    let balance = "balance: {answer: uniform}\nquestions: [belief: [S1, T]]\n";
    Family::new(plans(&format!("{WALK}{balance}")))
}

/// How long someone was in each place.
fn stays(story: &Story, who: CharacterId) -> [f64; 3] {
    let mut total = [0.0; 3];
    let mut at = story.trace.start[who.index()].index();
    for event in &story.trace.events {
        total[at] += 1.0;
        if event.who == who {
            at = event.to.index();
        }
    }
    total
}

/// How often the answer is the place where the target was longest in all.
#[derive(Default)]
struct Longest {
    right: f64,
    named: f64,
    /// How often each place is the answer.
    answers: [f64; 3],
}

impl Longest {
    fn see(&mut self, plan: &Plan, asker: &mut Asker<'_>, story: &Story) {
        let answer = asker.ask(story)[0].answer.unwrap().place().unwrap().index();
        self.answers[answer] += 1.0;
        let total = stays(story, plan.questions[0].character());
        let is_longest = |place: &usize| (0..3).all(|other| other == *place || total[other] < total[*place]);
        let Some(place) = (0..3).find(is_longest) else { return };
        self.named += 1.0;
        self.right += f64::from(answer == place);
    }

    /// The share of answers that are right, above what it would be by chance.
    fn over_chance(&self) -> f64 {
        self.right / self.named - 1.0 / 3.0
    }
}

fn longest_over_chance(family: &Family) -> f64 {
    let (mut selector, mut story) = (Selector::new(family, 5), Story::default());
    let mut asker = Asker::of_one(&family.plans()[0], 0, false);
    let mut longest = Longest::default();
    for index in 0..6_000 {
        selector.draw(index, &mut story);
        longest.see(selector.plan(), &mut asker, &story);
    }
    longest.over_chance()
}

/// The same over stories and their twins.
fn longest_of_pairs(text: &str) -> Longest {
    let board = board(text);
    let family = family_with_twins(&board);
    let (mut selector, mut story) = (Selector::for_twins(&family, 5), Story::default());
    let (mut twins, mut twin) = (Twins::new(&board, &family, 5).unwrap(), Twin::default());
    let mut asker = Asker::of_one(&family.plans()[0], 0, false);
    let mut longest = Longest::default();
    for index in 0..4_000 {
        twins.draw(&mut selector, index, &mut story, &mut twin);
        for story in [&story, &twin.story] {
            longest.see(selector.plan(), &mut asker, story);
        }
    }
    longest
}

/// Nearly, after so few stories to learn from.
#[test]
fn what_a_learner_could_tell_is_gone() {
    let balance = "balance: {answer: uniform}\nquestions: [belief: [S1, S2, T]]\n";
    let family = Family::new(plans(&format!("{WALK}{balance}")));
    let look = Look::of_pilots(&family, &[Sight::Target], 10_000);
    assert!(look.error < 0.01 && look.kept > 0.05, "{} {}", look.error, look.kept);
    let weights = FamilyWeights { look: Some(look), ..family.weights().clone() };
    let looked = Family::with_weights(family.plans().to_vec(), weights);
    let [before, after] = [&family, &looked].map(longest_over_chance);
    assert!(before > 0.1 && after.abs() < before / 3.0, "{before} {after}");
}

/// Nearly, as above.
#[test]
fn what_a_learner_could_tell_is_gone_from_pairs() {
    let text = |learned: &str| {
        format!("{WALK}balance: {{answer: uniform{learned}}}\nquestions: [belief: [S1, S2, T]]\n")
    };
    let found = ["", ", learned: [target], pilots: 8000"].map(|learned| longest_of_pairs(&text(learned)));
    // Shares hold all the same.
    for answers in found.each_ref().map(|of| of.answers) {
        let all: f64 = answers.iter().sum();
        assert!(answers.iter().all(|of| (of / all - 1.0 / 3.0).abs() < 0.03), "{answers:?}");
    }
    let [before, after] = found.map(|of| of.over_chance());
    assert!(before > 0.05 && after.abs() < before / 3.0, "{before} {after}");
    let family = family_with_twins(&board(&text(", learned: [target], pilots: 1000")));
    let again = family_with_twins(&board(&text(", learned: [target], pilots: 1000")));
    assert!(family.weights().pair_look.is_some() && family.weights() == again.weights());
}

/// Pilots of the second round are thinned by what the first has found, and stand for those that were not kept.
#[test]
fn about_as_many_stories_are_kept_as_the_pilots_say() {
    let balance = "balance: {answer: uniform}\nquestions: [belief: [S1, S2, T]]\n";
    let family = Family::new(plans(&format!("{}{balance}", WALK.replace("24", "60"))));
    let look = Look::of_pilots(&family, &[Sight::Surface, Sight::Target], 30_000);
    let kept = look.kept;
    let weights = FamilyWeights { look: Some(look), ..family.weights().clone() };
    let looked = Family::with_weights(family.plans().to_vec(), weights);
    let attempts = |family: &Family| {
        let (mut selector, mut story) = (Selector::new(family, 5), Story::default());
        (0..6_000).map(|index| selector.draw(index, &mut story)).sum::<u64>() as f64
    };
    let share = attempts(&family) / attempts(&looked);
    // Answers of the pilots that were learned from seem likelier than those of other stories.
    assert!(kept < 0.1 && (0.9..1.7).contains(&(share / kept)), "{share} of the stories, not {kept}");
}

#[test]
fn a_storyboard_says_from_how_many_pilots_is_learned() {
    let text = |pilots: &str| {
        format!(
            "{WALK}balance: {{answer: uniform, learned: [target]{pilots}}}\nquestions: [belief: [S1, T]]\n"
        )
    };
    let found = Family::new(plans(&text(", pilots: 1200"))).weights().look.clone().unwrap();
    let of = |count| Look::of_pilots(&family(), &[Sight::Target], count);
    assert!(found == of(1_200) && found != of(1_201));
    assert_eq!(plans(&text("")).remove(0).balance.unwrap().pilots, None);
}

#[test]
fn what_was_found_is_the_same_again_and_when_it_is_read() {
    let family = family();
    let again = || Look::of_pilots(&family, &[Sight::Surface, Sight::Both], 3_000);
    let look = again();
    assert_eq!(look, again());
    let mut fits = Fits::default();
    fits.add(family.plans(), FamilyWeights { look: Some(look), ..family.weights().clone() });
    let text = fits.write();
    // The same bits on any number of cores, and in any build.
    let hash = |text: &str| blake3::hash(text.as_bytes()).to_hex()[..16].to_owned();
    assert_eq!(hash(&text), "2ef2e1f21becbf5d");
    let few = Look::of_pilots(&family, &[Sight::Surface, Sight::Both], 300);
    assert_eq!(hash(&serde_json::to_string(&few).unwrap()), "5b33d737f3c6f686");
    let read = Fits::read(&text).unwrap();
    assert_eq!(
        Fits::read(&text.replacen("\"kept\":0.", "\"kept\":0.1", 1)).unwrap_err(),
        "the file was damaged, or changed by hand"
    );
    assert_eq!(read.find(family.plans()), fits.find(family.plans()));
    assert!(read.find(family.plans()).is_some());
    let others = plans(&format!(
        "{}balance: {{answer: uniform}}\nquestions: [belief: [S1, T]]\n",
        WALK.replace("24", "25")
    ));
    assert_eq!(read.find(&others), None, "of another storyboard");
}
