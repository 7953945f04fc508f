//! Questions about what news does to somebody, in words.

use super::push_all;
use super::questions::Asked;
use crate::form::State;
use crate::id::CharacterId;
use crate::plan::{Dynamic, Target};
use crate::world::Item;

impl Asked<'_, '_> {
    fn dynamic(&self) -> Dynamic {
        self.question.dynamic.expect("a question about scenarios")
    }

    /// Whose states are asked for.
    fn whose(&self) -> CharacterId {
        *self.question.others.last().expect("somebody's states")
    }

    fn at_stake(&self) -> &str {
        let Target::Item(Item::Prospect(prospect)) = self.question.target else { return "" };
        self.lexicon.at_stake(self.words, prospect)
    }

    /// Appends how the outer minds of a chain see it: "As Ann sees it, " or "As Ann thinks that Bob sees it, ".
    fn as_seen(&self, text: &mut String) {
        let outer = &self.question.others[..self.question.others.len() - 1];
        for (at, &mind) in outer.iter().enumerate() {
            let is_last = at + 1 == outer.len();
            let before = if at == 0 { "As " } else { " that " };
            push_all(text, &[before, self.name(mind), if is_last { " sees it, " } else { " thinks" }]);
        }
    }

    /// Appends the beginning of a question, with a capital where it begins the sentence.
    fn begin(&self, words: &str, text: &mut String) {
        if self.question.others.len() > 1 {
            self.as_seen(text);
            let mut letters = words.chars();
            text.extend(letters.next().map(|first| first.to_ascii_lowercase()));
            text.push_str(letters.as_str());
        } else {
            text.push_str(words);
        }
    }

    /// Appends what is asked of somebody, as a clause: "what Ann feels about what becomes of the pool".
    fn what(&self, state: State, text: &mut String) {
        let (verb, about) = match state {
            State::Belief => (" thinks", " about "),
            State::Emotion => (" feels", " about "),
            State::Intention => (" wants", " as to "),
            State::Action => (" does", " as to "),
        };
        push_all(text, &["what ", self.name(self.whose()), verb, about, self.at_stake()]);
    }

    pub(super) fn state(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        let (word, verb) = match state {
            State::Belief => ("What does ", " think about "),
            State::Emotion => ("How does ", " feel about "),
            State::Intention => ("What does ", " want as to "),
            State::Action => ("What does ", " do as to "),
        };
        self.begin(word, text);
        push_all(text, &[self.name(self.whose()), verb, self.at_stake()]);
        push_all(text, &[" at the end of scenario ", &(scenario + 1).to_string(), "?"]);
    }

    pub(super) fn changed(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        self.begin("Is ", text);
        self.what(state, text);
        let (now, before) = ((scenario + 1).to_string(), scenario.to_string());
        push_all(
            text,
            &[
                " at the end of scenario ",
                &now,
                " different from what it is at the end of scenario ",
                &before,
            ],
        );
        text.push_str("? If so, from what to what does it change?");
    }

    pub(super) fn cause(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        self.begin("What accounts for ", text);
        self.what(state, text);
        let (now, before) = ((scenario + 1).to_string(), scenario.to_string());
        push_all(
            text,
            &[" at the end of scenario ", &now, ", as against the end of scenario ", &before, "?"],
        );
    }

    pub(super) fn influence(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        self.begin("At the end of scenario ", text);
        text.push_str(&(scenario + 1).to_string());
        let name = self.name(self.whose());
        let (from, to) = match state {
            State::Belief | State::Emotion => ("thinks", "feels"),
            State::Intention => ("feels and thinks", "wants"),
            State::Action => ("wants", "does"),
        };
        push_all(text, &[", how does what ", name, " ", from, " bear on what ", name, " ", to]);
        let about = if matches!(state, State::Belief | State::Emotion) { " about " } else { " as to " };
        push_all(text, &[about, self.at_stake(), "?"]);
    }

    pub(super) fn course(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        self.begin("How does ", text);
        self.what(state, text);
        push_all(
            text,
            &[" go from the end of scenario 1 to the end of scenario ", &(scenario + 1).to_string(), "?"],
        );
    }
}
