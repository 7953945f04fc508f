//! A data set in which questions about one story give each other away: stages in scenarios, as somebody may have written states
//! first and made questions of them by script. The words are our own.
//!
//! The numbers of scenarios, questions and choices are those of DynToM (`docs/dynamic-minds.md`): of each of 71 questions it is
//! known here which a reader can decide who never sees the story.

use serde_json::{Value, json};

pub const SCENARIOS: usize = 5;

/// What somebody has at the end of a scenario.
pub const STATES: [&str; 4] = ["belief", "emotion", "intention", "action"];

/// Draws numbers, the same in every run.
pub struct Draws(blake3::OutputReader);

impl Draws {
    pub fn of(number: u64) -> Self {
        Self(blake3::Hasher::new().update(&number.to_le_bytes()).finalize_xof())
    }

    pub fn below(&mut self, count: usize) -> usize {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        (u64::from_le_bytes(bytes) % count as u64) as usize
    }

    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        (1..all.len()).rev().for_each(|last| all.swap(last, self.below(last + 1)));
    }

    fn one<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const THINGS: [&str; 12] = [
    "garden", "choir", "kiosk", "bridge", "library", "orchard", "ferry", "workshop", "market", "stage",
    "boat", "meadow",
];

/// A state of this kind, in words.
fn state(kind: usize, draws: &mut Draws) -> String {
    let thing = draws.one(&THINGS);
    match kind {
        0 => {
            let will = draws.one(&[
                "will be kept",
                "is in good hands",
                "will be sold",
                "has no future",
                "can be saved",
                "is safe",
            ]);
            let since = draws.one(&[
                "since the mayor says so",
                "as things stand",
                "whatever is said",
                "for a year",
                "for good",
            ]);
            format!("the {thing} {will} {since}")
        }
        1 => {
            let one = draws
                .one(&["glad", "uneasy", "proud", "bitter", "calm", "eager", "ashamed", "hopeful", "tired"]);
            let other = draws.one(&[
                "a little lost",
                "thankful",
                "full of doubt",
                "quite at ease",
                "in high spirits",
            ]);
            format!("{one} about the {thing} and {other}")
        }
        2 => {
            let to = draws.one(&[
                "to fight for",
                "to give up",
                "to ask about",
                "to stay away from",
                "to look after",
                "to speak up for",
            ]);
            format!(
                "{to} the {thing} {}",
                draws.one(&["at once", "with friends", "alone", "in spring", "at any price"])
            )
        }
        _ => {
            let does = draws.one(&[
                "writes a letter about",
                "collects names for",
                "walks away from",
                "paints",
                "photographs",
            ]);
            format!(
                "{does} the {thing} {}",
                draws.one(&["by night", "with care", "in a hurry", "before work", "twice"])
            )
        }
    }
}

/// The choices of a question, the right one and others, in random order; and the number of the right one.
fn offered(right: String, others: Vec<String>, draws: &mut Draws) -> (Vec<String>, usize) {
    let mut choices = others;
    choices.insert(0, right.clone());
    draws.shuffle(&mut choices);
    let label = choices.iter().position(|choice| *choice == right).unwrap();
    (choices, label)
}

/// One stage as its rows.
pub struct Stage {
    number: u64,
    name: &'static str,
    draws: Draws,
    /// For each kind, the states by scenario.
    states: Vec<Vec<String>>,
    rows: Vec<Value>,
}

/// The rows of a stage: 71 questions.
pub fn rows(number: u64) -> Vec<Value> {
    let mut draws = Draws::of(number);
    let name = draws.one(&["Ines", "Mirko", "Tove", "Hal", "Zora", "Pim", "Olga", "Nuri"]);
    let states = (0..4).map(|kind| {
        let mut course: Vec<String> = Vec::new();
        while course.len() < SCENARIOS {
            let state = state(kind, &mut draws);
            // A state is never the one before, as in the published set; and here none comes back.
            if !course.contains(&state) {
                course.push(state);
            }
        }
        course
    });
    let states = states.collect();
    let mut stage = Stage { number, name, draws, states, rows: Vec::new() };
    (0..4).for_each(|kind| stage.of_state(kind));
    stage.why();
    (0..3).for_each(|link| stage.how(link));
    stage.rows
}

impl Stage {
    fn add(&mut self, kind: &str, question: String, right: String, others: Vec<String>) {
        let (choices, label) = offered(right, others, &mut self.draws);
        let stage = format!("stage {}", self.number);
        self.rows
            .push(json!({"stage": stage, "type": kind, "ask": question, "options": choices, "gold": label}));
    }

    /// What a state is, whether it changes, and how it goes.
    fn of_state(&mut self, kind: usize) {
        let (name, noun, course) = (self.name, STATES[kind], self.states[kind].clone());
        for (at, right) in course.iter().enumerate() {
            let mut others: Vec<String> = course.iter().filter(|state| *state != right).cloned().collect();
            while others.len() < 7 {
                let other = state(kind, &mut self.draws);
                if !others.contains(&other) && !course.contains(&other) {
                    others.push(other);
                }
            }
            let question = format!("Which {noun} does {name} have in scenario {}?", at + 1);
            self.add("understanding", question, right.clone(), others);
        }
        let changes: Vec<String> =
            course.windows(2).map(|pair| format!("It changes from {} to {}.", pair[0], pair[1])).collect();
        for (at, right) in changes.iter().enumerate() {
            let others = changes.iter().filter(|change| *change != right).cloned();
            let others = others.chain(["It stays as it was.".to_owned()]).collect();
            let question = format!(
                "Does the {noun} of {name} change from scenario {} to scenario {}, and how?",
                at + 1,
                at + 2
            );
            self.add("transformation 1", question, right.clone(), others);
        }
        let mut swaps: Vec<(usize, usize)> =
            (0..SCENARIOS).flat_map(|one| (one + 1..SCENARIOS).map(move |other| (one, other))).collect();
        self.draws.shuffle(&mut swaps);
        let told = |swap: (usize, usize)| {
            let mut course = course.clone();
            course.swap(swap.0, swap.1);
            course.join(", then ")
        };
        let others = swaps.into_iter().take(7).map(told).collect();
        let question = format!("How does the {noun} of {name} go through all scenarios?");
        self.add("transformation 3", question, told((0, 0)), others);
    }

    /// Why a state changes: the reasons for all changes are on offer everywhere, and nothing tells which is which.
    fn why(&mut self) {
        let changes: Vec<(usize, usize)> =
            (0..4).flat_map(|kind| (1..SCENARIOS).map(move |at| (kind, at))).collect();
        let mut reasons: Vec<String> = Vec::new();
        while reasons.len() < changes.len() {
            let thing = self.draws.one(&THINGS);
            let who =
                self.draws.one(&["a neighbour", "the council", "an old friend", "a stranger", "the paper"]);
            let does =
                self.draws.one(&["talks of", "forgets", "praises", "closes", "opens", "finds", "repairs"]);
            let reason = format!("because {who} {does} the {thing}");
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        for (number, (kind, at)) in changes.into_iter().enumerate() {
            let others = reasons.iter().enumerate().filter(|(other, _)| *other != number);
            let others = others.map(|(_, reason)| reason.clone()).collect();
            let (noun, name) = (STATES[kind], self.name);
            let question =
                format!("Why does the {noun} of {name} change from scenario {at} to scenario {}?", at + 1);
            self.add("transformation 2 why", question, reasons[number].clone(), others);
        }
    }

    /// How a state bears on the next. Up to the last scenario, choices name the state that results, and so give themselves away;
    /// in the last one, three choices do not.
    fn how(&mut self, link: usize) {
        let words = ["so it comes that", "which is why", "and hence"];
        let told = |stage: &Self, link: usize, at: usize| {
            format!("{}, {} {} shows", stage.states[link][at], words[link], stage.states[link + 1][at])
        };
        for at in 0..SCENARIOS {
            let name = self.name;
            let question = format!(
                "How does the {} of {name} bear on the {} in scenario {}?",
                STATES[link],
                STATES[link + 1],
                at + 1
            );
            let mut others: Vec<String> =
                (0..SCENARIOS).filter(|other| *other != at).map(|other| told(self, link, other)).collect();
            let right = if at + 1 < SCENARIOS {
                others.push(told(self, (link + 1) % 3, (at + 1) % SCENARIOS));
                told(self, link, at)
            } else {
                let mut vague = ["in a roundabout way", "step by step", "all at once"]
                    .map(|how| format!("it does so {how}"));
                self.draws.shuffle(&mut vague);
                let [right, one, other] = vague;
                others.extend([one, other]);
                right
            };
            self.add("transformation 2 how", question, right, others);
        }
    }
}
