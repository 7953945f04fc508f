//! Names and phrases in the spelling of the output.

use std::collections::HashSet;

use crate::plan::{NotePiece, Plan};
use crate::spelling::{at_start, shown};

/// How the words of a lexicon are spelt.
pub(super) struct Spelling<F> {
    /// Spells any text.
    spell: F,
    /// Whether names are spelt as readers see them, rather than as the storyboard writes them.
    is_shown: bool,
}

/// Names of one kind, in two forms.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The names within a sentence, or on their own.
    pub within: Vec<String>,
    /// The names where a sentence begins.
    pub at_start: Vec<String>,
}

/// The pieces of a note or a clause, each with whether a sentence begins there.
pub(super) type Wording = Vec<(NotePiece, bool)>;

impl<F: Fn(&str) -> String> Spelling<F> {
    /// Names as readers see them.
    pub fn shown(spell: F) -> Self {
        Self { spell, is_shown: true }
    }

    /// Names as the storyboard writes them.
    pub fn written(spell: F) -> Self {
        Self { spell, is_shown: false }
    }

    /// A text that is no name.
    pub fn spell(&self, text: &str) -> String {
        (self.spell)(text)
    }

    /// A name, on its own or within a sentence.
    pub fn name(&self, name: &str) -> String {
        if self.is_shown { self.spell(&shown(name)) } else { self.spell(name) }
    }

    /// Names of one kind.
    pub fn names(&self, names: &[impl AsRef<str>]) -> Names {
        let first = |name: &str| {
            if self.is_shown { self.spell(&at_start(&shown(name))) } else { self.spell(name) }
        };
        Names {
            within: names.iter().map(|name| self.name(name.as_ref())).collect(),
            at_start: names.iter().map(|name| first(name.as_ref())).collect(),
        }
    }

    /// The pieces of a text, which is one or more sentences, or else a clause.
    pub fn wording(&self, pieces: &[NotePiece], is_sentence: bool) -> Wording {
        let mut is_at_start = is_sentence;
        let spelt = |piece: &NotePiece| {
            let begins = is_at_start;
            match piece {
                NotePiece::Text(text) => {
                    is_at_start = is_sentence && ends_sentence(text);
                    (NotePiece::Text(self.spell(text)), begins)
                }
                piece => {
                    is_at_start = false;
                    (piece.clone(), begins)
                }
            }
        };
        pieces.iter().map(spelt).collect()
    }
}

/// Whether a sentence ends where a text does.
fn ends_sentence(text: &str) -> bool {
    let closing = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ')' | '”' | '’');
    text.trim_end_matches(closing).ends_with(['.', '!', '?'])
}

/// The names that readers see spelt otherwise than the storyboard writes them: each as shown, and as written.
///
/// ```
/// use storysim::{compile::compile, storyboard, text::shown_names};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// assert!(shown_names(&plan).contains(&("the hallway".into(), "the_hallway")));
/// ```
pub fn shown_names(plan: &Plan) -> Vec<(String, &str)> {
    let staging = plan.staging.iter();
    let things = staging.flat_map(|staging| {
        let containers = staging.containers.iter().map(|container| &container.name);
        let objects = staging.objects.iter().map(|object| &object.name);
        containers.chain(objects).chain(&staging.attitudes)
    });
    // Names of places that are drawn differ from story to story.
    let is_drawn = plan.staging.as_ref().is_some_and(|staging| staging.settings.is_some());
    let places: &[String] = if is_drawn { &[] } else { &plan.place_names };
    let names = places.iter().chain(things).chain(plan.pool.iter()).map(String::as_str);
    // A person and a place may have one name.
    let mut seen = HashSet::new();
    let pairs = names.map(|name| (shown(name).into_owned(), name));
    pairs.filter(|(shown, written)| shown != written && seen.insert(*written)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::CharacterId;

    #[test]
    fn sentences_begin_after_sentences() {
        let text = |text: &str| NotePiece::Text(text.to_owned());
        let name = || NotePiece::Character(CharacterId::new(0));
        let note = [name(), text(" hums. "), name(), text(", "), name(), text(" says: \"Hm!\"\n"), name()];
        let starts = |is_sentence| {
            let wording = Spelling::shown(str::to_owned).wording(&note, is_sentence);
            wording.into_iter().map(|(_, is_at_start)| is_at_start).collect::<Vec<bool>>()
        };
        assert_eq!(starts(true), [true, false, true, false, false, false, true]);
        assert_eq!(starts(false), [false; 7]);
    }
}
