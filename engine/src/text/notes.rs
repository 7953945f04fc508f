//! The sentences that an author adds to a story.

use super::spelt::Wording;
use super::{Lexicon, Words};
use crate::plan::{Note, NotePiece};
use crate::simulate::Story;

impl Lexicon<'_> {
    /// Finds out which steps of a story its notes follow.
    pub(super) fn place_notes(&self, story: &Story, placed: &mut Vec<(usize, usize)>) {
        let steps = self.plan.notes.iter().map(|note| step_of(note, story));
        placed.clear();
        placed.extend(steps.zip(0..).filter_map(|(step, number)| Some((step?, number))));
        placed.sort_by_key(|(step, _)| *step); // stable
    }

    /// Whether a note follows the event of a step.
    pub(super) fn has_notes(&self, words: &Words, step: usize) -> bool {
        words.notes.iter().any(|(at, _)| *at == step)
    }

    /// The notes that follow the event of a step.
    pub fn notes(&self, story: &Story, words: &Words, step: usize) -> Vec<String> {
        let at_step = words.notes.iter().filter(|(at, _)| *at == step);
        let sentence = |(_, number): &(usize, usize)| {
            let mut text = String::new();
            self.note(story, self.worded_note(words, *number), &mut text);
            text
        };
        at_step.map(sentence).collect()
    }

    /// Appends a note or a clause.
    pub(super) fn note(&self, story: &Story, note: &Wording, text: &mut String) {
        for (piece, is_at_start) in note {
            let (names, at) = match piece {
                NotePiece::Text(piece) => {
                    text.push_str(piece);
                    continue;
                }
                NotePiece::Character(who) => (&self.people, story.names[who.index()]),
                NotePiece::Bind(bind) => {
                    let place = story.binds(self.plan).nth(*bind).expect("every bind stands for a place");
                    (&self.places, place.index())
                }
            };
            text.push_str(if *is_at_start { &names.at_start[at] } else { &names.within[at] });
        }
    }

    /// The number of sentences in the notes that stand before the event of a step.
    pub(super) fn sentences_of_notes(&self, words: &Words, step: usize) -> usize {
        let before = words.notes.iter().take_while(|(at, _)| *at < step);
        let is_past = self.tense(words) == 1;
        before.map(|(_, number)| sentence_count(self.plan.notes[*number].told(is_past))).sum()
    }

    /// A note in the tense of the story.
    pub(super) fn worded_note(&self, words: &Words, number: usize) -> &Wording {
        &self.notes[number][self.tense(words)]
    }
}

/// The step of a story that a note follows; `None` if the story ends before.
fn step_of(note: &Note, story: &Story) -> Option<usize> {
    if note.counted.is_empty() {
        return Some(story.before + note.step);
    }
    let steps = story.trace.events.iter().enumerate().skip(story.before);
    steps.filter(|(_, event)| note.counted.contains(&event.who)).nth(note.step).map(|(step, _)| step)
}

/// The number of sentences in a note. A sentence ends at a word with a full stop, an exclamation mark or a question
/// mark; names never end one.
pub(super) fn sentence_count(note: &[NotePiece]) -> usize {
    let text: String =
        note.iter().map(|piece| if let NotePiece::Text(text) = piece { text } else { "NAME" }).collect();
    let ends = |word: &&str| word.trim_end_matches(['"', '\'', ')', '”', '’']).ends_with(['.', '!', '?']);
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_open = words.last().is_none_or(|last| !ends(last));
    words.iter().filter(|word| ends(word)).count() + usize::from(is_open)
}
