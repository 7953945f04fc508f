//! Texts with alternatives, brackets and holes, as packs of wordings write them: `(now|then) {who} [goes|went] to {there}`.

use super::read::PackReader;
use crate::diagnostic::{Diagnostic, Span, closest};
use crate::storyboard::yaml::{Kind, Node};

/// The largest number of entries of a list.
const ITEMS_MAX: usize = 64;

/// The largest number of ways to word one thing, with all alternatives.
const WAYS_MAX: usize = 1024;

/// What is wrong with a text, and what to do.
pub(super) struct Wrong {
    pub remark: String,
    pub help: String,
}

impl Wrong {
    pub fn new(remark: impl Into<String>, help: impl Into<String>) -> Self {
        Self { remark: remark.into(), help: help.into() }
    }
}

/// A piece of a text that is cut at its holes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CutPiece<S> {
    Words(String),
    Slot(S),
}

/// The items of a list, or the one value that stands for it.
pub(super) fn items(reader: &mut PackReader<'_>, node: Node, what: &str) -> Vec<Node> {
    let span = node.span;
    match node.kind {
        Kind::List(items) if items.len() <= ITEMS_MAX => items,
        Kind::List(items) => {
            let message = format!("{what} has at most {ITEMS_MAX} entries");
            reader.problem(Diagnostic::error(message, span, format!("{} here", items.len())));
            Vec::new()
        }
        Kind::Empty => Vec::new(),
        _ => vec![node],
    }
}

/// Reads a section: for each of its keys, the ways to word it. `what` is what a key stands for.
pub(super) fn section<K: Copy, W>(
    reader: &mut PackReader<'_>,
    node: Node,
    (section, what): (&str, &str),
    known: &[(&'static str, K)],
    way: impl Fn(&mut PackReader<'_>, Node, K) -> Vec<W>,
) -> Vec<(K, Vec<W>)> {
    let mut read = Vec::new();
    for (key, node) in reader.entries(node, &format!("`{section}`")).unwrap_or_default() {
        let Kind::Scalar(name) = &key.kind else { continue };
        let Some((name, kind)) = known.iter().find(|(known, _)| known == name) else {
            let keys = || known.iter().map(|(key, _)| *key);
            let help = closest(name, keys()).map_or_else(
                || format!("there are: {}", keys().collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("no {what} is called `{name}`");
            reader.problem(Diagnostic::error(message, key.span, "unknown").help(help));
            continue;
        };
        let (span, nodes) = (node.span, items(reader, node, &format!("`{name}`")));
        let ways: Vec<W> = nodes.into_iter().flat_map(|node| way(reader, node, *kind)).collect();
        if ways.len() > WAYS_MAX {
            let message = format!("`{name}` can be said in more than {WAYS_MAX} ways");
            let problem = Diagnostic::error(message, span, "too many");
            reader.problem(problem.help("leave out some of the alternatives in parentheses"));
        } else if !ways.is_empty() {
            read.push((*kind, ways));
        }
    }
    read
}

/// A text on one line, and where it stands.
pub(super) fn line(
    reader: &mut PackReader<'_>,
    node: Node,
    what: &str,
    characters_max: usize,
) -> Option<(String, Span)> {
    let (text, span) = reader.line(node, what)?;
    let wrong = match () {
        () if text.trim().is_empty() => "empty",
        () if text.trim() != text || text.contains("  ") => "has blanks where none belong",
        () if text.chars().any(char::is_control) => "contains a line break or another control character",
        () if text.chars().count() > characters_max => &format!("longer than {characters_max} characters"),
        () => return Some((text, span)),
    };
    let problem = Diagnostic::error(format!("this cannot be {what}"), span, wrong);
    reader.problem(problem.help("write it on one line, with one blank between two words"));
    None
}

/// All texts that a text with alternatives stands for, in order: `a (b|c)` is `a b` and `a c`. Parentheses without a bar are part
/// of the text. There are no more than one too many.
pub(super) fn alternatives(text: &str) -> Result<Vec<String>, Wrong> {
    let unmatched = || {
        Wrong::new("its parentheses do not match", "alternatives are written as in `(at the start|at first)`")
    };
    let mut texts = vec![String::new()];
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('(') {
        let (inside, after) = after.split_once(')').ok_or_else(unmatched)?;
        if before.contains(')') || inside.contains('(') {
            return Err(unmatched());
        }
        let mut all = split_outside_brackets(inside);
        let whole = format!("({inside})");
        if all.len() == 1 {
            all = vec![&whole];
        }
        let longer = texts.iter().flat_map(|text| all.iter().map(move |one| format!("{text}{before}{one}")));
        texts = longer.take(WAYS_MAX + 1).collect();
        rest = after;
    }
    if rest.contains(')') {
        return Err(unmatched());
    }
    texts.iter_mut().for_each(|text| text.push_str(rest));
    match texts.iter().find(|text| text.trim() != *text || text.contains("  ")) {
        None => Ok(texts),
        Some(text) => {
            let remark = format!("it has blanks where none belong, if it is `{text}`");
            Err(Wrong::new(remark, "put the blank into the parentheses, as in `(then |)`"))
        }
    }
}

/// The parts between the bars that stand in no bracket.
fn split_outside_brackets(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// The text in one of so many cases: `[goes|went]` is `goes` in the first, and `went` in the second.
pub(super) fn in_case(text: &str, case: usize, cases: usize, help: &str) -> Result<String, Wrong> {
    let unmatched = || Wrong::new("its brackets do not match", help);
    let (mut told, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('[') {
        let (words, after) = after.split_once(']').ok_or_else(unmatched)?;
        let all: Vec<&str> = words.split('|').collect();
        if before.contains([']', '|']) || words.contains(['[', '{', '}']) || all.len() != cases {
            return Err(unmatched());
        }
        told += before;
        told += all[case];
        rest = after;
    }
    if rest.contains([']', '|']) {
        return Err(unmatched());
    }
    Ok(told + rest)
}

/// Cuts a text at its holes, each of which is one of those that are known by name.
pub(super) fn cut<S: Copy>(text: &str, known: &[(&str, S)]) -> Result<Vec<CutPiece<S>>, Wrong> {
    let unmatched = || Wrong::new("its braces do not match", "a hole is written as in `{who}`");
    let (mut pieces, mut rest) = (Vec::new(), text);
    while let Some((words, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').ok_or_else(unmatched)?;
        if words.contains('}') {
            return Err(unmatched());
        }
        if !words.is_empty() {
            pieces.push(CutPiece::Words(words.to_owned()));
        }
        let Some((_, slot)) = known.iter().find(|(known, _)| *known == name) else {
            let names: Vec<String> = known.iter().map(|(name, _)| format!("`{{{name}}}`")).collect();
            let help = match names.is_empty() {
                true => "it names nothing at all".to_owned(),
                false => format!("it may name {}", names.join(", ")),
            };
            return Err(Wrong::new(format!("nothing is called `{{{name}}}` there"), help));
        };
        pieces.push(CutPiece::Slot(*slot));
        rest = after;
    }
    if rest.contains('}') {
        return Err(unmatched());
    }
    if !rest.is_empty() {
        pieces.push(CutPiece::Words(rest.to_owned()));
    }
    Ok(pieces)
}

/// What is wrong with the words of a sentence that is to get its capital letter and its full stop later.
pub(super) fn ends_or_begins<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Wrong> {
    let is_wrong = |words: &str| {
        words.contains(['.', '!', '?', ';', ':', '"', '“', '”']) || words.chars().any(char::is_uppercase)
    };
    let help = "write it in small letters and without a full stop: both are added where they belong";
    words.any(is_wrong).then(|| Wrong::new("it has a capital letter, or a mark that ends a sentence", help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_make_all_texts() {
        let texts = |text: &str| alternatives(text).map_err(|wrong| wrong.remark);
        assert_eq!(texts("a"), Ok(vec!["a".to_owned()]));
        assert_eq!(texts("(a|b) c( d|)").unwrap(), ["a c d", "a c", "b c d", "b c"]);
        assert_eq!(texts("x ([is|are]|[was|were]) y").unwrap(), ["x [is|are] y", "x [was|were] y"]);
        assert_eq!(texts("(as ever) (a|b)").unwrap(), ["(as ever) a", "(as ever) b"]);
        assert_eq!(texts("([goes|went]) on").unwrap(), ["([goes|went]) on"]);
        for wrong in ["(a|b", "a|b)", "((a|b)|c)"] {
            assert_eq!(texts(wrong), Err("its parentheses do not match".to_owned()), "{wrong}");
        }
        for (text, wanted) in [("a (b|)", "a "), ("a (b|) c", "a  c"), ("(|a) b", " b")] {
            let remark = format!("it has blanks where none belong, if it is `{wanted}`");
            assert_eq!(texts(text), Err(remark), "{text}");
        }
        // Few words can say very much; no more than one too many is made of them.
        assert_eq!(texts(&"(a|b)".repeat(64)).unwrap().len(), WAYS_MAX + 1);
    }

    #[test]
    fn brackets_have_a_text_for_each_case() {
        let told = |text: &str, case| in_case(text, case, 3, "help").map_err(|wrong| wrong.remark);
        let text = "[is|was|would] it[ so|| be so]";
        assert_eq!([0, 1, 2].map(|case| told(text, case).unwrap()), ["is it so", "was it", "would it be so"]);
        for wrong in ["[a|b]", "[a|b|c|d]", "[a|b|c", "a|b", "a]", "[a|{b}|c]"] {
            assert_eq!(told(wrong, 0), Err("its brackets do not match".to_owned()), "{wrong}");
        }
    }
}
