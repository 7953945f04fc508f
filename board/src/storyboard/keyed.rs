//! The text of a storyboard or a pack, cut at its keys, so that another text can be put together from it.

use super::yaml::{self, BYTE_ORDER_MARK, Kind, Node};
use crate::diagnostic::{Diagnostic, Source, Span};

/// A key of a storyboard or a pack, and the lines that it takes.
pub(super) struct Block<'a> {
    pub key: String,
    pub value: Node,
    pub lines: &'a str,
}

/// The keys of a text and their lines. What stands before the first key, such as a comment, belongs to none.
pub(super) fn blocks<'a>(source: &'a Source, what: &str) -> Result<Vec<Block<'a>>, Diagnostic> {
    let text = source.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&source.text);
    let root = yaml::parse(&Source { name: String::new(), text: text.to_owned() }, what)?;
    let no_lines = |span| {
        let message = format!("to be told in another way, {what} needs a key on each line");
        let problem = Diagnostic::error(message, span, "not so");
        problem.help("write its keys one below the other, each where a line begins")
    };
    let span = root.span;
    let Kind::Map(entries) = root.kind else { return Err(no_lines(span)) };
    let starts: Vec<usize> = entries.iter().map(|(key, _)| key.span.start).collect();
    if let Some(&start) = starts.iter().find(|&&start| !text[..start].ends_with('\n') && start > 0) {
        return Err(no_lines(Span::new(start, start + 1)));
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let blocks = entries.into_iter().zip(ends).filter_map(|((key, value), end)| {
        let Kind::Scalar(name) = key.kind else { return None };
        // What a comment above the next key says is about that one.
        let lines = &text[key.span.start..end];
        let is_said = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
        let kept: Vec<&str> = lines.split_inclusive('\n').collect();
        let count = kept.iter().rposition(is_said).map_or(0, |last| last + 1);
        let length: usize = kept[..count].iter().map(|line| line.len()).sum();
        Some(Block { key: name, value, lines: &lines[..length] })
    });
    Ok(blocks.collect())
}
