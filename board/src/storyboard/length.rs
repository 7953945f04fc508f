//! `words` and `at_depth`: how long stories are, and where in them lies what the storyboard itself tells.

use super::balance::Share;
use super::keyed::{Block, blocks};
use super::yaml::{Kind, Node};
use super::{Number, Storyboard};
use crate::diagnostic::{Diagnostic, Source, Spanned};

/// `words: 20000`, `at_depth: 0.1`: others go about around the storyboard's own part until the story has so many words
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// `words`
    pub words: Number,
    /// `at_depth`: where in the story the step lies that settles the answer; drawn for each story, if not given
    pub depth: Option<Depth>,
}

/// How far into a story something lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Depth {
    /// `at_depth: 0.1`
    Share(Spanned<Share>),
    /// `at_depth: 10%` or `at_depth: depth%`: an expression, in percent
    Percent(Number),
}

/// How many passers-by join where everybody has a role.
const PASSERS_BY: usize = 3;

impl Storyboard {
    /// How many passers-by join a cast of so many people, whose pool has so many names, so that there is somebody who can go about
    /// around the storyboard's own part: some where everybody has a role and stories are made longer. In the own part they do nothing.
    ///
    /// ```
    /// use storysim::storyboard::{BUILT_IN, in_length, parse};
    /// let whispers = BUILT_IN.iter().find(|board| board.name == "whispers").unwrap().source();
    /// let long = parse(in_length(&whispers, 20_000, None).unwrap()).unwrap();
    /// assert_eq!((long.passers_by(5, 100), long.passers_by(5, 6), long.passers_by(7, 100)), (3, 1, 0));
    /// assert_eq!(parse(whispers).unwrap().passers_by(5, 100), 0);
    /// ```
    pub fn passers_by(&self, count: usize, names: usize) -> usize {
        let are_needed = self.length.is_some() && count <= self.roles.len();
        if are_needed { PASSERS_BY.min(names.saturating_sub(count)) } else { 0 }
    }
}

impl Length {
    /// Whether a number says how long stories are, or where in them something lies.
    pub fn names(&self, number: &str) -> bool {
        let percent = match &self.depth {
            Some(Depth::Percent(percent)) => Some(percent),
            _ => None,
        };
        [Some(&self.words), percent].into_iter().flatten().any(|expression| expression.value.names(number))
    }
}

/// The text of a storyboard whose stories have so many words, with what settles their answer at this depth, in percent. Both are
/// parameters, so rows have them, and `--set words=1000..9000..2000` tries several.
///
/// # Errors
/// If it is no map of keys that begin lines, tells no story of people who go from place to place, or has a number of its own that is
/// called `words` or `depth`.
///
/// ```
/// use storysim::storyboard::{BUILT_IN, in_length, parse};
/// let long = parse(in_length(&BUILT_IN[0].source(), 20_000, Some(10)).unwrap()).unwrap();
/// let parameters: Vec<_> = long.parameters.iter().map(|(name, value)| (name.value.as_str(), *value)).collect();
/// assert_eq!(parameters, [("mislead_distance", 30), ("words", 20_000), ("depth", 10)]);
/// assert!(long.length.unwrap().names("depth"));
/// ```
pub fn in_length(board: &Source, words: u64, depth: Option<u64>) -> Result<Source, Diagnostic> {
    let own = blocks(board, "a storyboard")?;
    let is_no_walk = |block: &&Block<'_>| match (block.key.as_str(), &block.value.kind) {
        ("style", Kind::Scalar(style)) => style == "conversation",
        (key, _) => key == "scenarios",
    };
    if let Some(block) = own.iter().find(is_no_walk) {
        let message = "only stories in which people go from place to place can be made longer";
        let problem = |remark| Diagnostic::error(message, block.value.span, remark);
        return Err(match block.key.as_str() {
            "style" => problem("here, people talk"),
            _ => problem("here, news is announced")
                .help("write a greater `between`: the number of moves before each announcement, up to 100"),
        });
    }
    let given: Vec<(&str, &str, u64)> =
        [("words", "words: words", Some(words)), ("depth", "at_depth: depth%", depth)]
            .into_iter()
            .filter_map(|(name, line, value)| Some((name, line, value?)))
            .collect();
    let is_said = |line: &str| own.iter().any(|block| block.lines.trim_end() == line);
    let mut parameters = Vec::new();
    for block in own.iter().filter(|block| ["parameters", "draw"].contains(&block.key.as_str())) {
        let Kind::Map(entries) = &block.value.kind else { continue };
        for (name, value) in entries {
            let (Kind::Scalar(word), kind) = (&name.kind, &value.kind) else { continue };
            match (given.iter().find(|(given, ..)| given == word), kind) {
                (Some((_, line, _)), Kind::Scalar(_)) if is_said(line) => {}
                (Some(_), _) => return Err(taken(word, name)),
                (None, Kind::Scalar(value)) if block.key == "parameters" => {
                    parameters.push(format!("{word}: {value}"))
                }
                (None, _) => {}
            }
        }
    }
    parameters.extend(given.iter().map(|(name, _, value)| format!("{name}: {value}")));
    let is_replaced = |block: &&Block<'_>| match block.key.as_str() {
        "parameters" | "words" => true,
        "at_depth" => depth.is_some(),
        _ => false,
    };
    let parameters = format!("parameters: {{{}}}", parameters.join(", "));
    let kept = own.iter().filter(|block| !is_replaced(block)).map(|block| block.lines.trim_end());
    let lines = kept.chain([parameters.as_str()]).chain(given.iter().map(|(_, line, _)| *line));
    let text = lines.fold(String::new(), |text, lines| text + lines + "\n");
    Ok(Source { name: board.name.clone(), text })
}

/// What is said where a storyboard has a number of its own by a name that is needed.
fn taken(word: &str, name: &Node) -> Diagnostic {
    let message = format!("this storyboard has a number `{word}` of its own");
    let problem = Diagnostic::error(message, name.span, "declared here");
    problem.help("call it something else, or write `words` and `at_depth` into the storyboard yourself")
}
