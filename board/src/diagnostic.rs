//! What is wrong with a storyboard, where, why, and what to do about it.
//!
//! Stages collect [`Diagnostic`]s and go on, so that an author sees all problems at once. Nothing
//! here decides what an error is, or how it is shown.

use std::ops::Range;

/// A byte range of the storyboard's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// The span of these bytes.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The bytes as a range.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A value together with where the author wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value that was written.
    pub value: T,
    /// The place where it was written.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value written at `span`.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// The text of a storyboard, and its name in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// A path, or the name of a built-in storyboard.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// Line and column of a byte, both counted from 1; the column counts characters.
    ///
    /// ```
    /// use storysim::diagnostic::Source;
    /// let source = Source { name: "x".into(), text: "é: 1\nb: 2\n".into() };
    /// assert_eq!(source.line_and_column(2), (1, 2));
    /// assert_eq!(source.line_and_column(8), (2, 3));
    /// ```
    pub fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let before = &self.text.as_bytes()[..byte.min(self.text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        // A byte that continues a UTF-8 character starts with the bits 10.
        let column = before[line_start..].iter().filter(|&&b| b & 0xC0 != 0x80).count() + 1;
        (line, column)
    }
}

/// Whether a storyboard with this diagnostic can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The storyboard cannot be used.
    Error,
    /// The storyboard can be used, but the author would want to know.
    Warning,
}

/// One problem: what it is, where it is (the first label is the place itself, further ones explain), and help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Places in the source, each with a remark.
    pub labels: Vec<(Span, String)>,
    /// A suggestion of what to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`; `remark` is shown beside the marked text.
    pub fn error(message: impl Into<String>, span: Span, remark: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            labels: vec![(span, remark.into())],
            help: None,
        }
    }

    /// A warning at `span`; `remark` is shown beside the marked text.
    pub fn warning(message: impl Into<String>, span: Span, remark: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message, span, remark) }
    }

    /// Adds another place that is related to the problem.
    #[must_use]
    pub fn label(mut self, span: Span, remark: impl Into<String>) -> Self {
        self.labels.push((span, remark.into()));
        self
    }

    /// Adds a suggestion of what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a suggestion of what to do, if there is one.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }
}

/// A number of things in words: the noun, given for one of them, gets the ending that it needs.
///
/// ```
/// use storysim::diagnostic::counted;
/// assert_eq!((counted(1, "row"), counted(2, "row")), ("1 row".into(), "2 rows".into()));
/// assert_eq!((counted(0, "story"), counted(3, "way")), ("0 stories".into(), "3 ways".into()));
/// ```
pub fn counted(count: impl std::fmt::Display, noun: &str) -> String {
    let count = count.to_string();
    let stem = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match (count.as_str(), stem) {
        ("1", _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

/// The suggestion "did you mean `x`?", if a known name is close to what was written.
///
/// ```
/// use storysim::diagnostic::did_you_mean;
/// assert_eq!(did_you_mean("kitchne", ["garden", "kitchen"]), Some("did you mean `kitchen`?".into()));
/// assert_eq!(did_you_mean("moon", ["garden", "kitchen"]), None);
/// ```
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(written, known).map(|name| format!("did you mean `{name}`?"))
}

/// The known name that is closest to what was written, if one is close.
pub fn closest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if written.len() > 80 {
        return None; // comparing costs the product of the lengths
    }
    let distance = |name: &str| strsim::damerau_levenshtein(&written.to_lowercase(), &name.to_lowercase());
    known
        .into_iter()
        .filter(|name| name.len() <= 80)
        .map(|name| (distance(name), name))
        .filter(|&(distance, name)| distance * 3 <= name.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}
