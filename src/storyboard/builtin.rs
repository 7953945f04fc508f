//! The storyboards and pools of names that come with the program.

use crate::diagnostic::Source;

/// A storyboard that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name, usable wherever a path to a storyboard is.
    pub name: &'static str,
    /// Its YAML.
    pub text: &'static str,
}

impl BuiltIn {
    /// Its text as a source.
    pub fn source(&self) -> Source {
        Source { name: format!("{} (built in)", self.name), text: self.text.to_owned() }
    }
}

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        /// All built-in storyboards, in the order in which `storysim list` shows them.
        pub const BUILT_IN: &[BuiltIn] = &[$(BuiltIn {
            name: $name,
            text: include_str!(concat!("../../storyboards/", $name, ".yaml")),
        }),*];
    };
}

built_in![
    "first-order-mislead",
    "first-order-mislead-complete",
    "first-order-mislead-holes",
    "first-order-mislead-calls",
    "second-order-mislead",
    "third-order-mislead",
    "fourth-order-mislead",
    "many-characters",
    "world-model",
    "sally-anne",
    "five-events",
    "free-play",
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

/// First names in use in many countries, no two alike but for an ending.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_hold_no_name_twice() {
        for (pool, names) in POOLS {
            let distinct: std::collections::BTreeSet<_> = names.iter().collect();
            assert_eq!(distinct.len(), names.len(), "{pool}");
        }
    }
}
