//! The storyboards and pools of names that come with the program.

use std::sync::LazyLock;

use super::setting::in_setting;
use crate::diagnostic::{Diagnostic, Source};

/// A storyboard that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// The name, which can be used wherever a path to a storyboard can.
    pub name: &'static str,
    /// What the storyboard is for: `storysim list` groups storyboards by it.
    pub purpose: Purpose,
    form: Form,
}

/// Where the text of a built-in storyboard comes from.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// It has a file of its own.
    File(&'static str),
    /// It is another one in a setting.
    In { board: &'static str, setting: &'static str },
}

/// What a built-in storyboard is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// To measure whether minds are followed: shares are balanced, and no shortcut works.
    Calibrated,
    /// To repeat a published design, with the shortcuts that it has.
    Classic,
    /// To show what storyboards can say.
    Demonstration,
}

impl Purpose {
    /// The purpose as a heading.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Calibrated => "Calibrated (balanced: no shortcut works)",
            Self::Classic => "Classic designs (shortcuts known: compare answers with the foils)",
            Self::Demonstration => "Demonstrations (of features, not for measuring)",
        }
    }

    /// The purpose as one word for programs.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Calibrated => "calibrated",
            Self::Classic => "classic",
            Self::Demonstration => "demonstration",
        }
    }
}

impl BuiltIn {
    /// The YAML text of the storyboard.
    ///
    /// ```
    /// use storysim::storyboard::BUILT_IN;
    /// let museum = BUILT_IN.iter().find(|board| board.name == "first-order-mislead-museum").unwrap();
    /// assert!(museum.text().contains("start: the_foyer"));
    /// ```
    pub fn text(&self) -> &'static str {
        static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| BUILT_IN.iter().map(BuiltIn::made).collect());
        match self.form {
            Form::File(text) => text,
            Form::In { .. } => {
                let at =
                    BUILT_IN.iter().position(|board| board.name == self.name).expect("it is one of them");
                &TEXTS[at]
            }
        }
    }

    fn made(&self) -> String {
        match self.form {
            Form::File(text) => text.to_owned(),
            Form::In { board, setting } => {
                let board = BUILT_IN.iter().find(|known| known.name == board).expect("it is built in");
                let (_, text) = SETTINGS.iter().find(|(known, _)| *known == setting).expect("it is built in");
                let setting = Source { name: setting.to_owned(), text: (*text).to_owned() };
                in_setting(&board.source(), &setting).expect("it is tested").text
            }
        }
    }

    /// The text as a source.
    pub fn source(&self) -> Source {
        Source { name: format!("{} (built in)", self.name), text: self.text().to_owned() }
    }

    /// What was found on pilot stories, where shares are balanced and it takes long to find; `storysim fit` writes it.
    pub fn weights(&self) -> Option<&'static str> {
        WEIGHTS.iter().find(|(name, _)| *name == self.name).map(|&(_, text)| text)
    }
}

macro_rules! weights {
    ($($name:literal),*) => {
        /// The weights that come with the program.
        const WEIGHTS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../storyboards/", $name, ".weights.json")))),*];
    };
}

weights![
    "first-order-calibrated",
    "second-order-calibrated",
    "third-order-calibrated",
    "objects-calibrated",
    "telling-calibrated"
];

macro_rules! settings {
    ($($name:literal),* $(,)?) => {
        /// The built-in settings, each with its text: for storyboards that name no place of their own.
        ///
        /// ```
        /// use storysim::storyboard::{BUILT_IN, SETTINGS, in_setting, parse};
        /// let (name, text) = SETTINGS[0];
        /// let setting = storysim::diagnostic::Source { name: name.into(), text: text.into() };
        /// let board = parse(in_setting(&BUILT_IN[0].source(), &setting).unwrap()).unwrap();
        /// assert_eq!(board.name.value, format!("{}-{name}", BUILT_IN[0].name));
        /// ```
        pub const SETTINGS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../packs/", $name, ".yaml")))),*];
    };
}

settings![
    "museum", "station", "ship", "hospital", "market", "school", "theatre", "library", "castle", "airport",
    "hotel", "calls", "holes", "complete",
];

macro_rules! built_in {
    ($($purpose:ident: [$($name:literal $(in $board:literal $setting:literal)?),* $(,)?]),* $(,)?) => {
        /// All built-in storyboards, purpose by purpose. `storysim list` shows the calibrated ones first.
        pub const BUILT_IN: &[BuiltIn] = &[$($(BuiltIn {
            name: $name,
            purpose: Purpose::$purpose,
            form: form!($name $(in $board $setting)?),
        }),*),*];
    };
}

macro_rules! form {
    ($name:literal) => {
        Form::File(include_str!(concat!("../../../storyboards/", $name, ".yaml")))
    };
    ($name:literal in $board:literal $setting:literal) => {
        Form::In { board: $board, setting: $setting }
    };
}

built_in![
    Classic: [
        "first-order-mislead",
        "first-order-mislead-complete" in "first-order-mislead" "complete",
        "first-order-mislead-holes" in "first-order-mislead" "holes",
        "first-order-mislead-calls" in "first-order-mislead" "calls",
        "first-order-mislead-museum" in "first-order-mislead" "museum",
        "first-order-mislead-station" in "first-order-mislead" "station",
        "second-order-mislead",
        "third-order-mislead",
        "fourth-order-mislead",
        "world-model",
        "false-belief-goal",
        "second-order-goal",
        "many-characters",
        "many-characters-second-order",
        "many-characters-third-order",
        "story-length",
        "sally-anne",
        "tomi-like",
        "hitom-like",
        "ice-cream-van",
        "white-lies",
        "white-lies-several",
    ],
    Calibrated: [
        "first-order-calibrated",
        "second-order-calibrated",
        "third-order-calibrated",
        "objects-calibrated",
        "telling-calibrated",
        "white-lies-calibrated",
        "dynamic-minds",
    ],
    Demonstration: [
        "dynamic-minds-free",
        "dynamic-minds-rumour",
        "hidden-ball",
        "phone-numbers",
        "rumour",
        "whispers",
        "gallery",
        "pursuit",
        "free-play",
        "five-events",
    ],
];

/// The built-in storyboard and the built-in setting of which a name is made: `second-order-mislead-ship`.
///
/// ```
/// use storysim::storyboard::board_in_setting;
/// let (board, setting) = board_in_setting("second-order-mislead-ship").unwrap();
/// assert_eq!((board.name, setting.name.as_str()), ("second-order-mislead", "ship (built in)"));
/// assert!(board_in_setting("second-order-mislead").is_none());
/// ```
pub fn board_in_setting(name: &str) -> Option<(&'static BuiltIn, Source)> {
    SETTINGS.iter().find_map(|(setting, _)| {
        let board = name.strip_suffix(setting)?.strip_suffix('-')?;
        let board = BUILT_IN.iter().find(|known| known.name == board)?;
        Some((board, built_in_setting(setting)?))
    })
}

/// The built-in setting of a name.
pub(super) fn built_in_setting(name: &str) -> Option<Source> {
    let (name, text) = SETTINGS.iter().find(|(known, _)| *known == name)?;
    Some(Source { name: format!("{name} (built in)"), text: (*text).to_owned() })
}

/// The built-in storyboard of a name, which may be that of one in a built-in setting.
///
/// # Errors
/// If it names a place of its own, so that it cannot be told in a setting.
///
/// ```
/// use storysim::storyboard::built_in_source;
/// assert!(built_in_source("sally-anne").unwrap().is_ok() && built_in_source("sally-anne-ship").unwrap().is_err());
/// assert!(built_in_source("second-order-mislead-ship").unwrap().is_ok() && built_in_source("ship").is_none());
/// ```
pub fn built_in_source(name: &str) -> Option<Result<Source, Diagnostic>> {
    if let Some(board) = BUILT_IN.iter().find(|board| board.name == name) {
        return Some(Ok(board.source()));
    }
    let (board, setting) = board_in_setting(name)?;
    Some(in_setting(&board.source(), &setting))
}

/// The names of a built-in pool.
///
/// ```
/// assert!(storysim::storyboard::built_in_pool("people").unwrap().len() >= 100);
/// ```
pub fn built_in_pool(name: &str) -> Option<&'static [&'static str]> {
    POOLS.iter().find(|(pool, _)| *pool == name).map(|(_, names)| *names)
}

/// The names of the built-in pools.
pub fn built_in_pools() -> impl Iterator<Item = &'static str> {
    POOLS.iter().map(|(name, _)| *name)
}

const POOLS: &[(&str, &[&str])] = &[("people", PEOPLE)];

/// First names in use in many countries, chosen so that no two differ only in their endings.
const PEOPLE: &[&str] = &[
    "Aaron", "Abigail", "Adele", "Agnes", "Alma", "Amir", "Anders", "Anya", "Arthur", "Astrid", "Babak",
    "Beatrice", "Bella", "Benno", "Bilal", "Bjorn", "Brenda", "Bruno", "Camila", "Carl", "Cedric", "Celine",
    "Chika", "Clara", "Conrad", "Cyrus", "Dalia", "Damian", "Daphne", "Deepa", "Diego", "Dmitri", "Doris",
    "Dylan", "Ebba", "Edgar", "Elias", "Emeka", "Erica", "Esther", "Fabio", "Farah", "Felix", "Fiona",
    "Flora", "Freddie", "Gaspar", "Gemma", "Gerda", "Gideon", "Greta", "Gustav", "Hana", "Harold", "Hector",
    "Helga", "Hugo", "Hyun", "Ibrahim", "Ida", "Igor", "Imani", "Ingrid", "Iris", "Jamal", "Jasper",
    "Jelena", "Joan", "Jonas", "Judith", "Kamal", "Karin", "Katja", "Kenji", "Klaus", "Kofi", "Lara",
    "Leila", "Levi", "Lorenz", "Lucia", "Ludwig", "Magnus", "Mai", "Marta", "Mateo", "Mina", "Moritz",
    "Nadia", "Naoki", "Nelson", "Nils", "Noor", "Nora", "Octavia", "Olaf", "Olga", "Omar", "Oscar", "Otto",
    "Pablo", "Paula", "Pavel", "Petra", "Philip", "Priya", "Quentin", "Rahel", "Ramon", "Rosa", "Rupert",
    "Ruth", "Samir", "Selma", "Sigrid", "Simon", "Sofia", "Sven", "Tamar", "Tariq", "Theo", "Tilda", "Tomas",
    "Tova", "Ulrich", "Uma", "Valentin", "Vera", "Viktor", "Violet", "Walter", "Wanda", "Wei", "Xenia",
    "Yusuf", "Yvonne", "Zahra", "Zoltan",
];

/// The things that a story can be about; see [`QuestionKind::WorldThings`](super::QuestionKind).
pub const THINGS: &[&str] = &[
    "the apple",
    "the atlas",
    "the axe",
    "the balloon",
    "the banjo",
    "the basket",
    "the bell",
    "the blanket",
    "the book",
    "the boot",
    "the bottle",
    "the bowl",
    "the brick",
    "the broom",
    "the brush",
    "the bucket",
    "the button",
    "the cactus",
    "the camera",
    "the candle",
    "the carpet",
    "the chair",
    "the clock",
    "the coin",
    "the comb",
    "the cup",
    "the curtain",
    "the drum",
    "the easel",
    "the envelope",
    "the fan",
    "the feather",
    "the flag",
    "the flute",
    "the fork",
    "the globe",
    "the glove",
    "the guitar",
    "the hammer",
    "the harp",
    "the hat",
    "the helmet",
    "the horn",
    "the jar",
    "the kettle",
    "the key",
    "the kite",
    "the ladder",
    "the ladle",
    "the lamp",
    "the lantern",
    "the letter",
    "the lock",
    "the magnet",
    "the map",
    "the marble",
    "the mask",
    "the mirror",
    "the mop",
    "the mug",
    "the nail",
    "the needle",
    "the notebook",
    "the oar",
    "the orange",
    "the organ",
    "the paddle",
    "the painting",
    "the pan",
    "the parcel",
    "the pear",
    "the pencil",
    "the piano",
    "the pillow",
    "the plate",
    "the plum",
    "the puppet",
    "the puzzle",
    "the quilt",
    "the radio",
    "the rake",
    "the ribbon",
    "the ring",
    "the rope",
    "the ruler",
    "the saddle",
    "the saw",
    "the scarf",
    "the shell",
    "the shovel",
    "the sofa",
    "the spoon",
    "the statue",
    "the stool",
    "the suitcase",
    "the sword",
    "the table",
    "the teapot",
    "the telescope",
    "the tent",
    "the thimble",
    "the torch",
    "the towel",
    "the tray",
    "the trumpet",
    "the umbrella",
    "the vase",
    "the violin",
    "the wagon",
    "the wheel",
    "the whistle",
    "the wreath",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_hold_no_name_twice() {
        for (pool, names) in POOLS {
            let distinct: std::collections::BTreeSet<_> = names.iter().collect();
            assert_eq!(distinct.len(), names.len(), "{pool}");
        }
        let distinct: std::collections::BTreeSet<_> = THINGS.iter().collect();
        assert_eq!(distinct.len(), THINGS.len());
        for name in THINGS {
            assert!(name.starts_with("the ") && !name.contains('_'));
        }
    }
}
