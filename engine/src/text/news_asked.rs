//! Questions about what news does to somebody, in words.

use super::push_all;
use super::questions::{Asked, FROM_WHAT, WHY};
use crate::form::State;
use crate::id::CharacterId;
use crate::plan::{Dynamic, Target};
use crate::world::Item;

impl Asked<'_, '_> {
    pub(super) fn dynamic(&self) -> Dynamic {
        self.question.dynamic.expect("a question about scenarios")
    }

    /// Whose states are asked for.
    pub(super) fn whose(&self) -> CharacterId {
        *self.question.others.last().expect("somebody's states")
    }

    pub(super) fn at_stake(&self) -> &str {
        let Target::Item(Item::Prospect(prospect)) = self.question.target else { return "" };
        self.lexicon.at_stake(self.words, prospect)
    }

    /// Appends how the outer minds of a chain see it: "as Ann sees it, " or "as Ann thinks that Bob sees it, ".
    pub(super) fn as_seen(&self, text: &mut String) {
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

    /// Appends whether a state is another than it was: "does Ann feel different at the end of scenario 3 than at the end of scenario 2?"
    fn differs(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        let verb = match state {
            State::Belief => " think something else",
            State::Emotion => " feel different",
            State::Intention => " want something else",
            State::Action => " do something else",
        };
        let (now, before) = ((scenario + 1).to_string(), scenario.to_string());
        self.begin(text);
        push_all(text, &["does ", self.name(self.whose()), verb, " at the end of scenario ", &now]);
        push_all(text, &[" than at the end of scenario ", &before, "?"]);
    }

    pub(super) fn changed(&self, text: &mut String) {
        self.differs(text);
        text.push_str(FROM_WHAT);
    }

    pub(super) fn cause(&self, text: &mut String) {
        self.differs(text);
        text.push_str(WHY);
    }

    pub(super) fn influence(&self, text: &mut String) {
        let Dynamic { state, scenario } = self.dynamic();
        let name = self.name(self.whose());
        let (from, to) = match state {
            State::Belief | State::Emotion => ("think", State::Emotion),
            State::Intention => ("feel and think", State::Intention),
            State::Action => ("want", State::Action),
        };
        self.begin(text);
        push_all(text, &["at the end of scenario ", &(scenario + 1).to_string()]);
        push_all(text, &[", what does ", name, " ", from, ", and "]);
        self.ask(to, text);
        text.push_str(" because of it?");
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
