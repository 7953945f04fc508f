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

    /// Appends how the outer minds of a chain see it: "as Ann sees it, " or "as Ann thinks that Bob sees it, ".
    fn as_seen(&self, text: &mut String) {
        let outer = &self.question.others[..self.question.others.len() - 1];
        for (at, &mind) in outer.iter().enumerate() {
            let is_last = at + 1 == outer.len();
            let before = if at == 0 { "as " } else { " that " };
            push_all(text, &[before, self.name(mind), if is_last { " sees it, " } else { " thinks" }]);
        }
    }

    /// Appends the beginning of a question: what it is about, and as who sees it.
    fn begin(&self, text: &mut String) {
        push_all(text, &["Concerning ", self.at_stake(), ": "]);
        self.as_seen(text);
    }

    /// Appends a state of somebody, as a clause: "what Ann feels".
    fn what(&self, state: State, text: &mut String) {
        let verb = match state {
            State::Belief => " thinks",
            State::Emotion => " feels",
            State::Intention => " wants",
            State::Action => " does",
        };
        push_all(text, &["what ", self.name(self.whose()), verb]);
    }

    /// Appends what is asked of a state: "how does Ann feel".
    fn ask(&self, state: State, text: &mut String) {
        let (word, verb) = match state {
            State::Belief => ("what does ", " think"),
            State::Emotion => ("how does ", " feel"),
            State::Intention => ("what does ", " want"),
            State::Action => ("what does ", " do"),
        };
        push_all(text, &[word, self.name(self.whose()), verb]);
    }

    pub(super) fn state(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        self.begin(text);
        self.ask(state, text);
        push_all(text, &[" at the end of scenario ", &(scenario + 1).to_string(), "?"]);
    }

    pub(super) fn changed(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        let (now, before) = ((scenario + 1).to_string(), scenario.to_string());
        self.begin(text);
        text.push_str("is ");
        self.what(state, text);
        push_all(text, &[" at the end of scenario ", &now, " different from "]);
        self.what(state, text);
        push_all(text, &[" at the end of scenario ", &before, "? If so, from what to what does it change?"]);
    }

    pub(super) fn cause(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        let (now, before) = ((scenario + 1).to_string(), scenario.to_string());
        self.begin(text);
        text.push_str("has ");
        self.what(state, text);
        push_all(text, &[" changed from the end of scenario ", &before, " to the end of scenario ", &now]);
        text.push_str(", and if so, what accounts for it?");
    }

    pub(super) fn influence(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        let name = self.name(self.whose());
        let (from, to) = match state {
            State::Belief | State::Emotion => ("thinks", "feels"),
            State::Intention => ("feels and thinks", "wants"),
            State::Action => ("wants", "does"),
        };
        self.begin(text);
        push_all(text, &["at the end of scenario ", &(scenario + 1).to_string()]);
        push_all(text, &[", how does what ", name, " ", from, " bear on what ", name, " ", to, "?"]);
    }

    pub(super) fn course(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        self.begin(text);
        self.ask(state, text);
        push_all(
            text,
            &[" at the end of each scenario, from scenario 1 to scenario ", &(scenario + 1).to_string(), "?"],
        );
    }
}
