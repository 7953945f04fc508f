//! A storyboard in another setting: the same conditions, with other people and places.
//!
//! A setting is a pack with some of the keys that a storyboard has. They are put in the place of the storyboard's own, so that
//! what comes out is a storyboard like any other.

use super::keyed::{Block, blocks};
use super::yaml::{Kind, Node};
use crate::diagnostic::{Diagnostic, Source, Span};

/// The keys of a setting that stand in for those of a storyboard.
pub const SETTING_KEYS: [&str; 4] = ["characters", "places", "start", "verb"];

/// The text of a storyboard in a setting, whose name is that of both: `first-order-mislead-museum`.
///
/// # Errors
/// If one of the texts is no map of keys that begin lines, the storyboard has no name, or something in it happens at a place that
/// it names. What else is wrong with the storyboard is found when it is read.
///
/// ```
/// use storysim::diagnostic::Source;
/// use storysim::storyboard::{BUILT_IN, in_setting, parse};
/// let setting = "storysim_pack: 1\nkind: setting\nname: farm\nabout: on a farm\ncharacters: [Ann, Bob, Cas]\n\
///                places: {complete: [the_barn, the_yard, the_field, the_well]}\nstart: the_yard\nverb: goes to\n";
/// let farm = Source { name: "farm.yaml".into(), text: setting.into() };
/// let board = in_setting(&BUILT_IN[0].source(), &farm).unwrap();
/// assert!(board.text.contains("first-order-mislead on a farm") && board.text.contains("start: the_yard"));
/// assert_eq!(parse(board).unwrap().place_names().len(), 4);
/// ```
pub fn in_setting(board: &Source, setting: &Source) -> Result<Source, Diagnostic> {
    let own = blocks(board, "a storyboard")?;
    if let Some(block) = own.iter().find(|block| block.key == "weave") {
        let message = "woven stories cannot be told in another setting";
        let problem = Diagnostic::error(message, block.value.span, "that is up to these boards");
        return Err(
            problem.help("give each of them its own, as in `{board: second-order-mislead, setting: ship}`")
        );
    }
    let other = blocks(setting, "a pack")?;
    let scalar = |blocks: &[Block<'_>], key: &str| {
        let block = blocks.iter().find(|block| block.key == key)?;
        if let Kind::Scalar(text) = &block.value.kind { Some(text.clone()) } else { None }
    };
    let (board_name, setting_name) = (scalar(&own, "name"), scalar(&other, "name"));
    let (Some(board_name), Some(setting_name)) = (board_name, setting_name) else {
        let problem = Diagnostic::error("this has no name", Span::default(), "here");
        return Err(problem.help("a storyboard in a setting is called by the names of both"));
    };
    if let Some((place, span)) = place_of_its_own(&own, &other) {
        let message = format!("`{board_name}` names a place of its own, so it cannot be told in a setting");
        let problem = Diagnostic::error(message, span, "this one");
        return Err(problem.help(format!(
            "settings are for storyboards that get by without names such as `{place}`: with `bind`"
        )));
    }
    let about = scalar(&other, "about").unwrap_or_else(|| format!("in the setting {setting_name}"));
    let mut text = format!("# {board_name} {about}: the same conditions, with other people and places.\n");
    let mut add = |lines: &str| {
        text.push_str(lines.trim_end());
        text.push('\n');
    };
    let stands_in = |key: &str| other.iter().find(|block| block.key == key && SETTING_KEYS.contains(&key));
    for block in &own {
        match (block.key.as_str(), stands_in(&block.key)) {
            ("name", _) => add(&format!("name: {board_name}-{setting_name}")),
            ("about", _) => add(&format!("about: {}", serde_json::json!(format!("{board_name} {about}")))),
            ("characters", Some(names)) => add(&characters(block, names)),
            (_, Some(other)) => add(other.lines),
            (_, None) => add(block.lines),
        }
    }
    // A storyboard may leave its verb out.
    if let Some(verb) = stands_in("verb").filter(|_| own.iter().all(|block| block.key != "verb")) {
        add(verb.lines);
    }
    Ok(Source { name: format!("{}, setting {setting_name}", board.name), text })
}

/// The text of a storyboard whose stories are told in another wording: the name of a pack, or `plain`.
///
/// # Errors
/// If it is no map of keys that begin lines.
///
/// ```
/// use storysim::storyboard::{BUILT_IN, in_wording, parse};
/// let varied = in_wording(&BUILT_IN[0].source(), "varied").unwrap();
/// let plain = in_wording(&varied, "plain").unwrap();
/// assert_eq!(parse(varied).unwrap().wording.unwrap().value, "varied");
/// assert!(parse(plain).unwrap().wording.is_none());
/// ```
pub fn in_wording(board: &Source, wording: &str) -> Result<Source, Diagnostic> {
    let own = blocks(board, "a storyboard")?;
    let kept = own.iter().filter(|block| block.key != "wording").map(|block| block.lines.trim_end());
    let wording = format!("wording: {}", serde_json::json!(wording));
    let text = kept.chain([wording.as_str()]).fold(String::new(), |text, lines| text + lines + "\n");
    Ok(Source { name: board.name.clone(), text })
}

/// A place of the storyboard that something else in it names and the setting does not have.
fn place_of_its_own(own: &[Block<'_>], other: &[Block<'_>]) -> Option<(String, Span)> {
    let places = |blocks: &[Block<'_>]| {
        let block = blocks.iter().find(|block| block.key == "places");
        block.map_or_else(Vec::new, |block| match &block.value.kind {
            Kind::Map(entries) => match entries.as_slice() {
                [(key, list)] if key.kind == Kind::Scalar("complete".to_owned()) => scalars(list),
                entries => entries.iter().flat_map(|(key, _)| scalars(key)).collect(),
            },
            _ => Vec::new(),
        })
    };
    let (mine, theirs) = (places(own), places(other));
    let is_lost = |name: &String| {
        mine.iter().any(|(place, _)| place == name) && theirs.iter().all(|(place, _)| place != name)
    };
    let is_kept = |key: &str| !SETTING_KEYS.contains(&key) && !["name", "about"].contains(&key);
    let kept = own.iter().filter(|block| is_kept(&block.key));
    kept.flat_map(|block| scalars(&block.value)).find(|(name, _)| is_lost(name))
}

/// All single values in a tree, keys among them.
fn scalars(node: &Node) -> Vec<(String, Span)> {
    match &node.kind {
        Kind::Empty => Vec::new(),
        Kind::Scalar(text) => vec![(text.clone(), node.span)],
        Kind::List(items) => items.iter().flat_map(scalars).collect(),
        Kind::Map(entries) => {
            entries.iter().flat_map(|(key, value)| [scalars(key), scalars(value)].concat()).collect()
        }
    }
}

/// The line for people: the names of the setting, of which as many take part as in the storyboard. Where these may be more than
/// the setting has names for, those of the storyboard stay.
fn characters(own: &Block<'_>, names: &Block<'_>) -> String {
    let Kind::Map(entries) = &own.value.kind else { return own.lines.to_owned() };
    let of = |key: &str| {
        let found = entries.iter().find(|(known, _)| known.kind == Kind::Scalar(key.to_owned()));
        found.map(|(_, node)| &node.kind)
    };
    let others = match &names.value.kind {
        Kind::List(others) => others.as_slice(),
        _ => &[],
    };
    let written = |name: &Node| match &name.kind {
        Kind::Scalar(name) => serde_json::json!(name).to_string(),
        _ => String::new(),
    };
    let pool = others.iter().map(written).collect::<Vec<String>>().join(", ");
    let count = match (of("count"), of("pool")) {
        (Some(Kind::Scalar(count)), _) => count.parse().ok(),
        (None, Some(Kind::List(own))) => Some(own.len()),
        _ => None,
    };
    match count.filter(|count| *count <= others.len()) {
        None => own.lines.to_owned(),
        Some(count) if count == others.len() => format!("characters: {{pool: [{pool}]}}"),
        Some(count) => format!("characters: {{pool: [{pool}], count: {count}}}"),
    }
}
