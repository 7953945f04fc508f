//! A story in sentences.
//!
//! The same trace can be told of people who move or of things that somebody moves. Every sentence is
//! `NAME VERB PLACE.`; a storyboard's notes stand between them. Words are drawn from a stream of
//! their own and never influence what happens.
//!
//! All fragments are prepared once per plan, in the spelling of the output (plain, or escaped for
//! JSON), so that a story is made by copying.

use crate::id::{CharacterId, PlaceId};
use crate::plan::{NotePiece, Plan, Question};
use crate::rng::{Purpose, StreamKey, below, sample_to_front};
use crate::simulate::Story;
use crate::storyboard::{QuestionKind, THINGS};

/// Of what a story is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Display {
    /// People who move.
    People,
    /// Things that somebody moves.
    Things,
}

impl Display {
    /// How a question of this kind has its story told.
    pub fn of(kind: QuestionKind) -> Self {
        match kind {
            QuestionKind::WorldThings => Self::Things,
            _ => Self::People,
        }
    }
}

/// What things are said to do.
const THINGS_VERB: &str = "is moved to";

/// The parts of the stream of words: one for verbs, one for names of things.
const VERBS_PART: u64 = 0;
const THINGS_PART: u64 = 1;

/// The words of a plan in one spelling.
#[derive(Clone, Debug)]
pub struct Lexicon<'a> {
    plan: &'a Plan,
    key: StreamKey,
    people: Vec<String>,
    things: Vec<String>,
    places: Vec<String>,
    /// Each with a blank on either side.
    verbs: Vec<String>,
    notes: Vec<(usize, Vec<NotePiece>)>,
}

/// The words of one story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Of each character, the thing that stands for it.
    things: Vec<usize>,
    /// Of each event, its verb; empty if there is only one.
    verbs: Vec<u32>,
}

impl<'a> Lexicon<'a> {
    /// The words of a plan under the seed of a run, each spelt by `spell`.
    ///
    /// ```
    /// use storysim::{compile::compile, simulate::{Simulator, Story}, storyboard, text::{Display, Lexicon, Words}};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let plan = compile(&board, &[]).unwrap().plan;
    /// let (mut story, mut words, mut text) = (Story::default(), Words::default(), String::new());
    /// Simulator::new(&plan, 7).draw(0, &mut story);
    /// let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    /// lexicon.draw(&story, &mut words);
    /// lexicon.story(&story, &words, Display::People, &mut text);
    /// assert!(text.contains(" enters room_"));
    /// ```
    pub fn new(plan: &'a Plan, seed: u64, spell: impl Fn(&str) -> String) -> Self {
        let all = |words: &[String]| words.iter().map(|word| spell(word)).collect::<Vec<String>>();
        let spelt = |piece: &NotePiece| match piece {
            NotePiece::Text(text) => NotePiece::Text(spell(text)),
            piece => piece.clone(),
        };
        Self {
            plan,
            key: StreamKey::derive(seed, &plan.fingerprint, Purpose::Words),
            people: all(&plan.pool),
            things: THINGS.iter().map(|thing| spell(thing)).collect(),
            places: all(&plan.place_names),
            verbs: plan.verbs.iter().map(|verb| format!(" {} ", spell(verb))).collect(),
            notes: plan.notes.iter().map(|note| (note.step, note.text.iter().map(spelt).collect())).collect(),
        }
    }

    /// Draws the words of a story.
    pub fn draw(&self, story: &Story, words: &mut Words) {
        words.verbs.clear();
        if self.verbs.len() > 1 {
            let mut stream = self.key.stream(story.index, VERBS_PART);
            let verb = |_| below(&mut stream, self.verbs.len() as u32);
            words.verbs.extend(story.trace.events.iter().map(verb));
        }
        words.things.clear();
        if self.plan.questions.iter().any(|question| Display::of(question.kind) == Display::Things) {
            let mut stream = self.key.stream(story.index, THINGS_PART);
            words.things.extend(0..self.things.len());
            sample_to_front(&mut stream, &mut words.things, self.plan.character_count);
            words.things.truncate(self.plan.character_count);
        }
    }

    /// What a character is called.
    #[inline]
    pub fn name(&self, story: &Story, words: &Words, display: Display, who: CharacterId) -> &str {
        match display {
            Display::People => &self.people[story.names[who.index()]],
            Display::Things => &self.things[words.things[who.index()]],
        }
    }

    /// What a place is called.
    #[inline]
    pub fn place(&self, place: PlaceId) -> &str {
        &self.places[place.index()]
    }

    /// What happens at a step, with a blank on either side.
    #[inline]
    fn verb(&self, words: &Words, step: usize) -> &str {
        match words.verbs.get(step) {
            Some(&verb) => &self.verbs[verb as usize],
            None => &self.verbs[0],
        }
    }

    /// Appends the whole story, a sentence an event, joined by blanks.
    pub fn story(&self, story: &Story, words: &Words, display: Display, text: &mut String) {
        match display {
            Display::People => {
                let mut notes = self.notes.iter().peekable();
                for (step, event) in story.trace.events.iter().enumerate() {
                    text.push_str(self.name(story, words, display, event.who));
                    text.push_str(self.verb(words, step));
                    text.push_str(self.place(event.to));
                    text.push_str(". ");
                    while let Some((_, note)) = notes.next_if(|(at, _)| *at == step) {
                        self.note(story, words, note, text);
                        text.push(' ');
                    }
                }
            }
            // Notes are about people.
            Display::Things => {
                for event in &story.trace.events {
                    text.push_str(self.name(story, words, display, event.who));
                    text.push(' ');
                    text.push_str(THINGS_VERB);
                    text.push(' ');
                    text.push_str(self.place(event.to));
                    text.push_str(". ");
                }
            }
        }
        text.pop(); // the blank after the last sentence
    }

    /// Appends one note.
    fn note(&self, story: &Story, words: &Words, note: &[NotePiece], text: &mut String) {
        for piece in note {
            match piece {
                NotePiece::Text(piece) => text.push_str(piece),
                NotePiece::Character(who) => text.push_str(self.name(story, words, Display::People, *who)),
                NotePiece::Bind(bind) => text.push_str(self.place(self.plan.casts[story.cast].binds[*bind])),
            }
        }
    }

    /// The notes that stand after a step.
    pub fn notes(&self, story: &Story, words: &Words, step: usize) -> Vec<String> {
        let at_step = self.notes.iter().filter(|(at, _)| *at == step);
        let sentence = |(_, note): &(usize, Vec<NotePiece>)| {
            let mut text = String::new();
            self.note(story, words, note, &mut text);
            text
        };
        at_step.map(sentence).collect()
    }

    /// Who does what at a step, as `(NAME, VERB, PLACE)`.
    pub fn event(&self, story: &Story, words: &Words, display: Display, step: usize) -> (&str, &str, &str) {
        let event = story.trace.events[step];
        let verb = match display {
            Display::People => self.verb(words, step).trim(),
            Display::Things => THINGS_VERB,
        };
        (self.name(story, words, display, event.who), verb, self.place(event.to))
    }

    /// All characters, in an order that tells nothing about their roles.
    pub fn in_order(&self, story: &Story, words: &Words, display: Display) -> Vec<CharacterId> {
        let mut everyone: Vec<CharacterId> = (0..self.plan.character_count).map(CharacterId::new).collect();
        everyone.sort_by_key(|who| match display {
            Display::People => story.names[who.index()],
            Display::Things => words.things[who.index()],
        });
        everyone
    }

    /// Appends what a reader has to know before the story: who starts where, who sees what.
    pub fn context(&self, story: &Story, words: &Words, display: Display, text: &mut String) {
        let start = &story.trace.start;
        let all_together = start.iter().all(|place| *place == start[0]);
        let everyone = self.in_order(story, words, display);
        if !all_together {
            text.push_str("At the start ");
        }
        for (at, &who) in everyone.iter().enumerate() {
            text.push_str(separator(at, everyone.len()));
            text.push_str(self.name(story, words, display, who));
            if !all_together {
                text.push_str(" is in ");
                text.push_str(self.place(start[who.index()]));
            }
        }
        if all_together {
            text.push_str(if everyone.len() == 1 { " starts in " } else { " start in " });
            text.push_str(self.place(start[0]));
        }
        text.push_str(match display {
            Display::People => PEOPLE_RULES,
            Display::Things => THINGS_RULES,
        });
    }

    /// Appends a question.
    pub fn question(&self, story: &Story, words: &Words, question: &Question, text: &mut String) {
        let display = Display::of(question.kind);
        let target = self.name(story, words, display, question.character());
        let mut push = |parts: &[&str]| parts.iter().for_each(|part| text.push_str(part));
        match question.kind {
            QuestionKind::Belief => {
                for (at, &mind) in question.others.iter().enumerate() {
                    let mind = self.name(story, words, display, mind);
                    let thinks = if at == 0 { (" does ", " think ") } else { ("", " thinks ") };
                    push(&[if at == 0 { "Where" } else { "" }, thinks.0, mind, thinks.1]);
                }
                push(&[target, " is?"]);
            }
            QuestionKind::Reality => push(&["Where is ", target, " at the end?"]),
            QuestionKind::Start => push(&["Where was ", target, " at the start?"]),
            QuestionKind::World | QuestionKind::WorldThings => {
                push(&["When "]);
                for (at, &other) in question.others.iter().enumerate() {
                    push(&[separator(at, question.others.len()), self.name(story, words, display, other)]);
                }
                let were = if question.others.len() == 1 { "was" } else { "were" };
                push(&[" ", were, " last in the same place as ", target, ", where "]);
                match display {
                    Display::People => push(&["did ", target, " go from there?"]),
                    Display::Things => push(&["was ", target, " moved from there?"]),
                }
            }
            _ => todo!("questions about things"),
        }
    }
}

/// What stands before item `at` of `count` in an enumeration.
fn separator(at: usize, count: usize) -> &'static str {
    match at {
        0 => "",
        _ if at + 1 == count => " and ",
        _ => ", ",
    }
}

/// The rules of the definition of belief, in plain words; they follow a sentence without full stop.
const PEOPLE_RULES: &str = ", and they all know it. The story tells what happens, one thing after another. People \
    who are in the same place see each other. When someone goes from one place to another, those in the place they \
    leave see where they go, those in the place they come to see where they come from, and nobody else notices. \
    People think that others are where they last knew them to be. Someone who meets a person they took to be \
    elsewhere, or who does not find a person they took to be there, concludes that this person moved unseen by them, \
    and that those who were with that person saw it. Everyone knows all these rules, and knows that everyone does.";

/// The same for a story without minds.
const THINGS_RULES: &str = ". Nothing moves by itself: someone who is not named moves one thing after another, and \
    the story tells what is moved, and where to, in the order in which it happens.";

#[cfg(test)]
mod tests {
    #[test]
    fn rules_end_a_sentence() {
        for rules in [super::PEOPLE_RULES, super::THINGS_RULES] {
            assert!(rules.ends_with('.') && !rules.contains("  "));
        }
    }
}
