//! The packs that come with the program.

use std::sync::{Arc, OnceLock};

use super::{Pack, parse};
use crate::diagnostic::Source;
use crate::storyboard::SETTINGS;

/// A pack that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// The name, which can be used wherever a path to a pack can.
    pub name: &'static str,
    /// The YAML text of the pack.
    pub text: &'static str,
}

impl BuiltIn {
    /// The text as a source.
    ///
    /// ```
    /// let dinner = storysim::pack::BUILT_IN.iter().find(|pack| pack.name == "dinner").unwrap();
    /// assert_eq!(dinner.source().name, "dinner (built in)");
    /// ```
    pub fn source(&self) -> Source {
        Source { name: format!("{} (built in)", self.name), text: self.text.to_owned() }
    }
}

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        /// The packs that no storyboard is made of.
        const WORDS: &[BuiltIn] = &[$(BuiltIn {
            name: $name,
            text: include_str!(concat!("../../../packs/", $name, ".yaml")),
        }),*];
    };
}

built_in![
    "hike",
    "club",
    "attic",
    "street",
    "farm",
    "harbour",
    "stage",
    "workshop",
    "dinner",
    "party",
    "everyday",
    "prospects",
    "settings",
    "small-talk",
    "profiles",
    "occ",
    "varied",
    "retold",
];

/// All built-in packs, in the order in which `storysim list --packs` shows those of a kind.
pub const BUILT_IN: &[BuiltIn] = &{
    let mut all = [BuiltIn { name: "", text: "" }; WORDS.len() + SETTINGS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = match at < WORDS.len() {
            true => WORDS[at],
            false => {
                let (name, text) = SETTINGS[at - WORDS.len()];
                BuiltIn { name, text }
            }
        };
        at += 1;
    }
    all
};

/// The built-in pack of a name, read once when it is asked for.
///
/// ```
/// use storysim::pack::{BUILT_IN, built_in};
/// assert!(BUILT_IN.iter().all(|pack| built_in(pack.name).is_some()));
/// assert!(built_in("no-such-pack").is_none());
/// ```
pub fn built_in(name: &str) -> Option<&'static Arc<Pack>> {
    static PACKS: [OnceLock<Arc<Pack>>; BUILT_IN.len()] = [const { OnceLock::new() }; BUILT_IN.len()];
    let at = BUILT_IN.iter().position(|pack| pack.name == name)?;
    Some(PACKS[at].get_or_init(|| Arc::new(parse(BUILT_IN[at].source()).expect("it is tested"))))
}
