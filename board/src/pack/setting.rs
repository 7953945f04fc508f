//! Settings: people, places and verbs for storyboards that name no place of their own.

use super::read::PackReader;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::storyboard::{Fields, Name, Places, SETTING_KEYS};

/// The keys of such a pack.
pub const KEYS: [&str; 4] = SETTING_KEYS;

/// What a setting puts in the place of what a storyboard has.
///
/// ```
/// let museum = storysim::pack::built_in("museum").unwrap().setting().unwrap();
/// assert_eq!((museum.characters.len(), museum.start.value.as_str()), (8, "the_foyer"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingPack {
    /// `characters`: names for people; the storyboard's own, if there are none
    pub characters: Vec<Name>,
    /// `places`
    pub places: Places,
    /// `start`: where everyone starts
    pub start: Name,
    /// `verb`: the storyboard's own, if there is none
    pub verbs: Vec<Name>,
}

impl SettingPack {
    /// How many entries each list has, by its key; lists that are not there are left out.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let places = self.places.names().len();
        let lists = [("characters", self.characters.len()), ("places", places), ("verb", self.verbs.len())];
        lists.into_iter().filter(|(_, count)| *count > 0)
    }
}

/// Reads a setting.
pub fn read(reader: &mut PackReader<'_>, fields: &mut Fields) -> Option<SettingPack> {
    let characters = fields.take("characters").map(|node| reader.names(node, "a character"));
    let places = reader.required(fields, "places").and_then(|node| reader.places(node));
    let start = reader.required(fields, "start").and_then(|node| reader.name(node, "a place"));
    let verbs = fields.take("verb").map(|node| reader.verbs(node));
    let (places, start) = (places?, start?);
    let setting = SettingPack {
        characters: characters.unwrap_or_default(),
        places,
        start,
        verbs: verbs.unwrap_or_default(),
    };
    all_places_exist(reader, &setting);
    all_places_can_be_left(reader, &setting);
    all_names_differ(reader, &setting);
    Some(setting)
}

/// Refuses ways to places, and a start, that are not there.
fn all_places_exist(reader: &mut PackReader<'_>, setting: &SettingPack) {
    let names = || setting.places.names().into_iter().map(|name| name.value.as_str());
    let ways: Vec<&Name> = match &setting.places {
        Places::Ways(ways) => ways.iter().flat_map(|(_, next)| next).collect(),
        Places::Complete(_) => Vec::new(),
    };
    for name in ways.into_iter().chain([&setting.start]) {
        if names().all(|known| known != name.value) {
            let message = format!("no place is called `{}`", name.value);
            let problem = Diagnostic::error(message, name.span, "unknown");
            let help = did_you_mean(&name.value, names());
            reader.problem(match help {
                Some(help) => problem.help(help),
                None => problem.help("add it to `places`"),
            });
        }
    }
}

/// Refuses places without a way out: whoever is drawn to act must be able to move.
fn all_places_can_be_left(reader: &mut PackReader<'_>, setting: &SettingPack) {
    let stuck: Vec<&Name> = match &setting.places {
        Places::Ways(ways) => ways.iter().filter(|(_, next)| next.is_empty()).map(|(name, _)| name).collect(),
        Places::Complete(names) => names.iter().filter(|_| names.len() == 1).collect(),
    };
    for name in stuck {
        let message = format!("`{}` cannot be left", name.value);
        let problem = Diagnostic::error(message, name.span, "a place without a way out");
        reader.problem(problem.help("give it a way out: whoever is drawn to act must be able to move"));
    }
}

/// Refuses names that two people or two places have.
fn all_names_differ(reader: &mut PackReader<'_>, setting: &SettingPack) {
    for names in [setting.characters.iter().collect(), setting.places.names()] {
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = names[..at].iter().find(|first| first.value == name.value) {
                let message = format!("`{}` stands here twice", name.value);
                let problem = Diagnostic::error(message, name.span, "the second");
                reader.problem(problem.label(first.span, "the first").help("take one of the two out"));
            }
        }
    }
}
