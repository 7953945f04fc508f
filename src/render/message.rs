//! What diagnostics look like.

use crate::diagnostic::{Diagnostic, Severity, Source, Span};

/// How messages are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether to use colours, for a terminal.
    pub colour: bool,
    /// The number of columns.
    pub width: usize,
}

/// The longest line that is shown as a snippet, in bytes.
const SNIPPET_LINE_BYTES_MAX: usize = 400;

/// The largest number of diagnostics that are drawn; further ones are only counted.
const DRAWN_MAX: usize = 50;

/// Draws diagnostics, in the order of the source, errors and warnings alike.
pub fn render(diagnostics: &[Diagnostic], source: &Source, look: Look) -> String {
    let handler = handler(look);
    let mut ordered: Vec<&Diagnostic> = diagnostics.iter().collect();
    ordered.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.0.start));
    let lines = Lines::new(source);
    let mut drawn = String::new();
    for diagnostic in ordered.iter().take(DRAWN_MAX) {
        let report = Report::new(diagnostic, &lines);
        if handler.render_report(&mut drawn, &report).is_err() {
            drawn.push_str(&diagnostic.message); // formatting into a string does not fail
        }
        drawn.push('\n');
    }
    if ordered.len() > DRAWN_MAX {
        drawn.push_str(&format!("… and {} more\n", ordered.len() - DRAWN_MAX));
    }
    drawn
}

pub fn handler(look: Look) -> miette::GraphicalReportHandler {
    let mut theme = if look.colour {
        miette::GraphicalTheme::unicode()
    } else {
        miette::GraphicalTheme::unicode_nocolor()
    };
    theme.characters.error = "error:".into();
    theme.characters.warning = "warning:".into();
    miette::GraphicalReportHandler::new_themed(theme)
        .with_width(look.width)
        .with_links(false)
        .with_context_lines(1)
}

/// A text of the author's, shortened because it may be long and is part of a message.
fn clipped(text: &str) -> String {
    const CHARACTERS_MAX: usize = 500;
    match text.char_indices().nth(CHARACTERS_MAX) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Whether all lines of the snippet are short enough to be shown: those from the line before the first label to the
/// line after the last one.
fn is_narrow(labels: &[(Span, String)], text: &str) -> bool {
    let bytes = text.as_bytes();
    let first = labels.iter().map(|(span, _)| span.start).min().unwrap_or(0).min(bytes.len());
    let last = labels.iter().map(|(span, _)| span.end).max().unwrap_or(0).min(bytes.len());
    let before = bytes[..first].rsplit(|&byte| byte == b'\n').take(2).map(<[u8]>::len).sum::<usize>();
    let after = bytes[last..].split(|&byte| byte == b'\n').take(2).map(<[u8]>::len).sum::<usize>();
    let between = bytes[first..last].split(|&byte| byte == b'\n').map(<[u8]>::len).max().unwrap_or(0);
    before.max(after).max(between) <= SNIPPET_LINE_BYTES_MAX
}

/// A source with the beginnings of its lines, so that a snippet does not need a walk through the text.
#[derive(Debug)]
struct Lines<'a> {
    source: &'a Source,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(source: &'a Source) -> Self {
        let ends = source.text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        Self { source, starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// The line of a byte, counted from 0.
    fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|&start| start <= byte) - 1
    }
}

impl miette::SourceCode for Lines<'_> {
    fn read_span<'s>(
        &'s self,
        span: &miette::SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'s> + 's>, miette::MietteError> {
        let text = &self.source.text;
        let (first, last) = (span.offset(), span.offset() + span.len());
        if last > text.len() {
            return Err(miette::MietteError::OutOfBounds);
        }
        let (first_line, last_line) = (self.line(first), self.line(last.max(first + 1) - 1));
        let shown_line = first_line.saturating_sub(before);
        // Without context the excerpt is the span itself; with context it is whole lines.
        let begin = if before == 0 { first } else { self.starts[shown_line] };
        let end = if after == 0 {
            last
        } else {
            self.starts.get(last_line + after + 1).copied().unwrap_or(text.len())
        };
        let column = text[self.starts[shown_line]..begin].chars().count();
        Ok(Box::new(miette::MietteSpanContents::new_named(
            self.source.name.clone(),
            &text.as_bytes()[begin..end],
            (begin, end - begin).into(),
            shown_line,
            column,
            last_line - shown_line + 1,
        )))
    }
}

/// A diagnostic in the form that miette needs.
#[derive(Debug)]
pub struct Report<'a, S> {
    pub diagnostic: &'a Diagnostic,
    pub message: String,
    pub source: Option<&'a S>,
}

impl<'a> Report<'a, Lines<'a>> {
    fn new(diagnostic: &'a Diagnostic, lines: &'a Lines<'a>) -> Self {
        let source = lines.source;
        let mut message = clipped(&diagnostic.message);
        if is_narrow(&diagnostic.labels, &source.text) {
            return Self { diagnostic, message, source: Some(lines) };
        }
        for (span, remark) in &diagnostic.labels {
            let (line, column) = source.line_and_column(span.start);
            message.push_str(&format!("\n{}:{line}:{column}: {}", source.name, clipped(remark)));
        }
        Self { diagnostic, message, source: None }
    }
}

impl<S> std::fmt::Display for Report<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl<S: std::fmt::Debug> std::error::Error for Report<'_, S> {}

impl<S: miette::SourceCode + std::fmt::Debug> miette::Diagnostic for Report<'_, S> {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help(&self) -> Option<Box<dyn std::fmt::Display + '_>> {
        self.diagnostic.help.as_ref().map(|help| Box::new(clipped(help)) as _)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.source.map(|source| source as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = miette::LabeledSpan> + '_>> {
        self.source?;
        let labels = self.diagnostic.labels.iter().enumerate().map(|(at, (span, remark))| {
            let remark = (!remark.is_empty()).then(|| clipped(remark));
            let range = (span.start, span.end.saturating_sub(span.start));
            if at == 0 {
                miette::LabeledSpan::new_primary_with_span(remark, range)
            } else {
                miette::LabeledSpan::new_with_span(remark, range)
            }
        });
        Some(Box::new(labels))
    }
}
