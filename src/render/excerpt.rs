//! An excerpt of one long line.

use super::message::{Look, Report, handler};
use crate::diagnostic::{Diagnostic, Span};

/// A line of a file, where both may be very long.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The name of the file in messages.
    pub name: &'a str,
    /// The number of the line, from 1.
    pub number: usize,
    /// The text of the line.
    pub text: &'a str,
}

/// The largest number of characters of a message that are shown.
const WORDED_MAX: usize = 500;

/// The largest number of characters of a marked text that are shown.
const MARKED_MAX: usize = 60;

/// The largest number of characters that are shown before and after a marked text.
const AROUND_MAX: usize = 40;

/// Draws a diagnostic about a line, with an excerpt around its first label. Further labels are described in words.
///
/// ```
/// use storysim::diagnostic::{Diagnostic, Span};
/// use storysim::render::{Line, Look, render_line};
/// let text = "x".repeat(1_000) + "wrong" + &"y".repeat(1_000_000);
/// let problem = Diagnostic::error("that is wrong", Span::new(1_000, 1_005), "here");
/// let line = Line { name: "log.jsonl", number: 7, text: &text };
/// let drawn = render_line(&problem, line, Look { colour: false, width: 80 });
/// assert!(drawn.contains("log.jsonl:7:1001") && drawn.contains("xwrongy") && drawn.len() < 1_000);
/// ```
pub fn render_line(diagnostic: &Diagnostic, line: Line<'_>, look: Look) -> String {
    let worded = |text: &str| visible(text, WORDED_MAX);
    let mut message = worded(&diagnostic.message);
    for (span, remark) in diagnostic.labels.iter().skip(1) {
        let (remark, part) = (worded(remark), visible(&line.text[span.range()], MARKED_MAX));
        message.push_str(&format!(
            "\n{}:{}:{}: {remark}: {part}",
            line.name,
            line.number,
            line.column(*span)
        ));
    }
    let marked = diagnostic.labels.first().map_or(Span::default(), |(span, _)| *span);
    let excerpt = Excerpt::new(line, marked);
    let remark = diagnostic.labels.first().map_or(String::new(), |(_, remark)| worded(remark));
    let excerpted = Diagnostic {
        severity: diagnostic.severity,
        message: String::new(),
        labels: vec![(excerpt.marked, remark)],
        help: diagnostic.help.as_deref().map(worded),
    };
    let report = Report { diagnostic: &excerpted, message, source: Some(&excerpt) };
    let mut drawn = String::new();
    if handler(look).render_report(&mut drawn, &report).is_err() {
        drawn.push_str(&report.message); // formatting into a string does not fail
    }
    drawn.push('\n');
    drawn
}

impl Line<'_> {
    /// The column where the marked text begins, from 1.
    fn column(self, span: Span) -> usize {
        self.text[..span.start].chars().count() + 1
    }
}

/// The text without anything that could affect a terminal, cut to a number of characters.
fn visible(text: &str, characters_max: usize) -> String {
    let mut characters = text.chars();
    let shown = characters.by_ref().take(characters_max);
    let mut shown: String = shown.map(|c| if c.is_control() { '·' } else { c }).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// The part of a line that is shown.
#[derive(Debug)]
struct Excerpt<'a> {
    line: Line<'a>,
    text: String,
    /// The marked part of `text`.
    marked: Span,
    /// The column at which `text` begins, from 0.
    column: usize,
}

impl<'a> Excerpt<'a> {
    fn new(line: Line<'a>, marked: Span) -> Self {
        let (before, rest) = line.text.split_at(marked.start);
        let (part, after) = rest.split_at(marked.end - marked.start);
        let begin = before.char_indices().rev().take(AROUND_MAX).last().map_or(before.len(), |(at, _)| at);
        let mut text = if begin > 0 { "…".to_owned() } else { String::new() };
        let column = before[..begin].chars().count() - usize::from(begin > 0);
        text.push_str(&visible(&before[begin..], AROUND_MAX));
        let start = text.len();
        text.push_str(&visible(part, MARKED_MAX));
        let marked = Span::new(start, text.len());
        if part.chars().nth(MARKED_MAX).is_none() {
            text.push_str(&visible(after, AROUND_MAX));
        }
        Self { line, text, marked, column }
    }
}

impl miette::SourceCode for Excerpt<'_> {
    fn read_span<'s>(
        &'s self,
        span: &miette::SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'s> + 's>, miette::MietteError> {
        let begin = if before == 0 { span.offset() } else { 0 };
        let end = if after == 0 { span.offset() + span.len() } else { self.text.len() };
        let bytes = self.text.as_bytes().get(begin..end).ok_or(miette::MietteError::OutOfBounds)?;
        let column = self.column + self.text[..begin].chars().count();
        Ok(Box::new(miette::MietteSpanContents::new_named(
            self.line.name.to_owned(),
            bytes,
            (begin, end - begin).into(),
            self.line.number - 1,
            column,
            1,
        )))
    }
}
