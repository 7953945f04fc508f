//! The storyboards and pools of names that come with the program.

use crate::diagnostic::Source;

/// A storyboard that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// The name, which can be used wherever a path to a storyboard can.
    pub name: &'static str,
    /// The purpose, as a heading that the board shares with others: `storysim list` groups storyboards by it.
    pub group: &'static str,
    /// The YAML text of the storyboard.
    pub text: &'static str,
}

impl BuiltIn {
    /// The text as a source.
    pub fn source(&self) -> Source {
        Source { name: format!("{} (built in)", self.name), text: self.text.to_owned() }
    }
}

macro_rules! built_in {
    ($($group:literal: [$($name:literal),* $(,)?]),* $(,)?) => {
        /// All built-in storyboards, group by group, in the order in which `storysim list` shows them.
        pub const BUILT_IN: &[BuiltIn] = &[$($(BuiltIn {
            name: $name,
            group: $group,
            text: include_str!(concat!("../../storyboards/", $name, ".yaml")),
        }),*),*];
    };
}

built_in![
    "False beliefs by script": [
        "first-order-mislead",
        "first-order-mislead-complete",
        "first-order-mislead-holes",
        "first-order-mislead-calls",
        "first-order-mislead-museum",
        "first-order-mislead-station",
        "second-order-mislead",
        "third-order-mislead",
        "fourth-order-mislead",
        "world-model",
    ],
    "False beliefs by goal": ["false-belief-goal", "second-order-goal"],
    "Balanced so that no single shortcut beats chance": [
        "first-order-calibrated",
        "second-order-calibrated",
        "third-order-calibrated",
        "objects-calibrated",
        "telling-calibrated",
    ],
    "Many characters, long stories": [
        "many-characters",
        "many-characters-second-order",
        "many-characters-third-order",
        "story-length",
    ],
    "Objects, telling, tastes and following": [
        "sally-anne",
        "tomi-like",
        "hitom-like",
        "ice-cream-van",
        "hidden-ball",
        "phone-numbers",
        "rumour",
        "whispers",
        "gallery",
        "pursuit",
    ],
    "Free play": ["free-play", "five-events"],
];

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
    "the_apple",
    "the_atlas",
    "the_axe",
    "the_balloon",
    "the_banjo",
    "the_basket",
    "the_bell",
    "the_blanket",
    "the_book",
    "the_boot",
    "the_bottle",
    "the_bowl",
    "the_brick",
    "the_broom",
    "the_brush",
    "the_bucket",
    "the_button",
    "the_cactus",
    "the_camera",
    "the_candle",
    "the_carpet",
    "the_chair",
    "the_clock",
    "the_coin",
    "the_comb",
    "the_cup",
    "the_curtain",
    "the_drum",
    "the_easel",
    "the_envelope",
    "the_fan",
    "the_feather",
    "the_flag",
    "the_flute",
    "the_fork",
    "the_globe",
    "the_glove",
    "the_guitar",
    "the_hammer",
    "the_harp",
    "the_hat",
    "the_helmet",
    "the_horn",
    "the_jar",
    "the_kettle",
    "the_key",
    "the_kite",
    "the_ladder",
    "the_ladle",
    "the_lamp",
    "the_lantern",
    "the_letter",
    "the_lock",
    "the_magnet",
    "the_map",
    "the_marble",
    "the_mask",
    "the_mirror",
    "the_mop",
    "the_mug",
    "the_nail",
    "the_needle",
    "the_notebook",
    "the_oar",
    "the_orange",
    "the_organ",
    "the_paddle",
    "the_painting",
    "the_pan",
    "the_parcel",
    "the_pear",
    "the_pencil",
    "the_piano",
    "the_pillow",
    "the_plate",
    "the_plum",
    "the_puppet",
    "the_puzzle",
    "the_quilt",
    "the_radio",
    "the_rake",
    "the_ribbon",
    "the_ring",
    "the_rope",
    "the_ruler",
    "the_saddle",
    "the_saw",
    "the_scarf",
    "the_shell",
    "the_shovel",
    "the_sofa",
    "the_spoon",
    "the_statue",
    "the_stool",
    "the_suitcase",
    "the_sword",
    "the_table",
    "the_teapot",
    "the_telescope",
    "the_tent",
    "the_thimble",
    "the_torch",
    "the_towel",
    "the_tray",
    "the_trumpet",
    "the_umbrella",
    "the_vase",
    "the_violin",
    "the_wagon",
    "the_wheel",
    "the_whistle",
    "the_wreath",
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
            assert!(name.starts_with("the_"));
        }
    }
}
