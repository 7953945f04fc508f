//! Packs of settings: where stories take place, and what the places there are called.

use super::feelings::no_word_of_feelings;
use super::read::{PackReader, TextForm};
use super::text::Text;
use crate::diagnostic::Diagnostic;
use crate::storyboard::yaml::Node;
use crate::storyboard::{Fields, Name};

/// The keys of such a pack.
pub const KEYS: [&str; 1] = ["settings"];

/// Where a story takes place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingWords {
    /// The name in the pack.
    pub name: Name,
    /// `class`: what kind of place it is
    pub class: Text,
    /// `scene`: "in a small harbour town"
    pub scene: Text,
    /// `places`: what its places are called
    pub places: Vec<Text>,
}

/// Reads the settings of a pack.
pub fn read(reader: &mut PackReader<'_>, fields: &mut Fields) -> Vec<SettingWords> {
    let span = fields.span;
    let Some(node) = reader.required(fields, "settings") else { return Vec::new() };
    let entries = reader.entries(node, "`settings`").unwrap_or_default();
    reader.at_least(1, entries.len(), "settings", span, "a story takes place in one of them");
    entries.into_iter().filter_map(|(key, node)| setting(reader, key, node)).collect()
}

fn setting(reader: &mut PackReader<'_>, key: Node, node: Node) -> Option<SettingWords> {
    let name = reader.name(key, "a setting")?;
    let mut fields = reader.fields(node, "a setting", &["class", "scene", "places"])?;
    let mut one = |key: &str, form: &TextForm| {
        let node = reader.required(&mut fields, key)?;
        reader.text(node, form)
    };
    let class = one("class", &TextForm::fixed("`class`"));
    let scene = one("scene", &TextForm::fixed("`scene`"));
    let (span, _) = (fields.span, ());
    let places = reader.wordings(&mut fields, "places", 2, &TextForm::fixed("a place"))?;
    let (class, scene) = (class?, scene?);
    places.iter().chain([&scene]).for_each(|text| no_word_of_feelings(reader, text));
    let names: Vec<String> = places.iter().map(|place| place.to_string().to_lowercase()).collect();
    for (at, one) in names.iter().enumerate() {
        if let Some(other) =
            names.iter().enumerate().find(|(other, name)| *other != at && name.contains(one.as_str()))
        {
            let message = format!("`{}` stands in `{}`", places[at], places[other.0]);
            let problem =
                Diagnostic::error(message, places[at].span, "this one").label(span, "of this setting");
            reader.problem(problem.help("a reader could take one for the other: choose names of their own"));
        }
    }
    Some(SettingWords { name, class, scene, places })
}
