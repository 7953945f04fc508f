//! Names that readers could not tell apart.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::spelling::{at_start, shown, with_article};
use crate::storyboard::{Name, Pool};

/// Names by the forms in which readers see them at the start of a sentence, where more of them are alike.
type Seen<'a> = HashMap<String, &'a Name>;

impl<'a> Resolver<'a> {
    /// Reports names that are shown alike. One name may be that of a person and a place: sentences tell them apart.
    pub(super) fn no_names_alike(&mut self) {
        let board = self.storyboard;
        let mut seen = Seen::new();
        let people: &[Name] = match &board.characters.pool {
            Pool::Names(names) => names,
            Pool::BuiltIn(_) => &[], // without anything that is shown otherwise
        };
        for name in people.iter().chain(board.place_names()) {
            self.see(&mut seen, name, &[shown(&name.value)]);
        }
        let containers = board.containers.iter().map(|container| &container.name);
        let objects = board.objects.iter().map(|object| &object.name);
        for name in containers.chain(objects).chain(&board.attitudes) {
            self.see(&mut seen, name, &[shown(&name.value), with_article(&name.value)]);
        }
    }

    /// Records the forms of a name, or reports another name that has one of them. Equal names are reported elsewhere.
    fn see(&mut self, seen: &mut Seen<'a>, name: &'a Name, forms: &[Cow<'_, str>]) {
        for form in forms {
            let first = *seen.entry(at_start(form).into_owned()).or_insert(name);
            if first.value != name.value {
                let message = format!("`{}` and `{}` are both shown as \"{form}\"", first.value, name.value);
                let problem =
                    Diagnostic::error(message, name.span, "readers could not tell it from the other")
                        .label(first.span, "the other")
                        .help("stories show underscores as blanks, and things with an article: give one of them another name");
                self.problem(problem);
                return;
            }
        }
    }
}
