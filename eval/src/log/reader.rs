//! What reading is made of: objects, lists, names and numbers, each with a message if it is none.

use std::collections::{HashMap, HashSet};

use super::json::{Kind, Node};
use crate::diagnostic::{Diagnostic, Span, Spanned, closest};

/// The largest number of characters in a name.
const NAME_CHARACTERS_MAX: usize = 200;

/// The number of problems after which no more suggestions are made.
const SUGGESTIONS_MAX: usize = 100;

/// The largest number of problems of a line that are kept. Further ones are only counted.
const KEPT_MAX: usize = 1_000;

/// Everything that is wrong with a line.
#[derive(Debug, Default)]
pub struct Problems {
    /// The first problems, up to a limit.
    pub kept: Vec<Diagnostic>,
    /// How many further problems there are.
    pub further: usize,
    /// Whether any of the problems is an error.
    pub has_error: bool,
}

impl Problems {
    /// Adds a problem.
    pub fn push(&mut self, problem: Diagnostic) {
        self.has_error |= problem.severity == crate::diagnostic::Severity::Error;
        if self.kept.len() < KEPT_MAX {
            self.kept.push(problem);
        } else {
            self.further += 1;
        }
    }

    /// Adds other problems, which come after these.
    pub fn extend(&mut self, others: Self) {
        self.further += others.further;
        self.has_error |= others.has_error;
        others.kept.into_iter().for_each(|problem| self.push(problem));
    }

    /// A suggestion in words: "did you mean `x`?"
    pub fn suggest<'n>(&self, written: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
        self.near(written, known).map(|name| format!("did you mean `{name}`?"))
    }

    /// The known name that is closest, unless there are already more problems than anybody reads: comparing names is slow.
    fn near<'n>(&self, written: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
        (self.kept.len() < SUGGESTIONS_MAX).then(|| closest(written, known.take(1_000))).flatten()
    }
}

/// The entries of an object of the format.
pub struct Fields<'a> {
    /// What the object is, for messages: "a question".
    what: &'static str,
    span: Span,
    entries: Vec<(Spanned<String>, Node<'a>)>,
}

impl<'a> Fields<'a> {
    /// Where the whole object stands in the line.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The value of a key, if the key is there.
    pub fn get(&self, key: &str) -> Option<Node<'a>> {
        self.entries.iter().find(|(name, _)| name.value == key).map(|&(_, value)| value)
    }

    /// The value of a key, if the key is there and the value is not null.
    pub fn said(&self, key: &str) -> Option<Node<'a>> {
        self.get(key).filter(|node| node.written() != "null")
    }
}

impl Problems {
    fn kind<'a>(&mut self, node: Node<'a>) -> Option<Kind<'a>> {
        node.kind().map_err(|problem| self.push(*problem)).ok()
    }

    fn is_no(&mut self, what: &str, wanted: &str, node: Node<'_>, kind: &Kind<'_>) {
        let message = format!("{what} has to be {wanted}");
        self.push(Diagnostic::error(message, node.span(), format!("{} here", kind.noun())));
    }

    /// Reads the entries of an object, keeping each key once.
    pub fn entries<'a>(&mut self, node: Node<'a>, what: &str) -> Option<Vec<(Spanned<String>, Node<'a>)>> {
        match self.kind(node)? {
            Kind::Map(mut entries) => {
                let mut seen = HashSet::new();
                entries.retain(|(key, _)| {
                    let is_new = seen.insert(key.value.clone());
                    if !is_new {
                        let message = format!("the key `{}` is given twice", key.value);
                        self.push(Diagnostic::error(message, key.span, "again"));
                    }
                    is_new
                });
                Some(entries)
            }
            other => {
                self.is_no(what, "an object", node, &other);
                None
            }
        }
    }

    /// Reads an object of the format; unknown keys are ignored.
    pub fn fields<'a>(&mut self, node: Node<'a>, what: &'static str) -> Option<Fields<'a>> {
        let entries = self.entries(node, what)?;
        Some(Fields { what, span: node.span(), entries })
    }

    /// Reads the value of a key that has to be there.
    pub fn required<'a>(&mut self, fields: &Fields<'a>, key: &str) -> Option<Node<'a>> {
        let found = fields.get(key);
        if found.is_none() {
            let message = format!("{} needs `{key}`", fields.what);
            let keys = fields.entries.iter().map(|(name, _)| name.value.as_str());
            let help = self.near(key, keys).map(|near| format!("there is `{near}`; did you mean `{key}`?"));
            self.push(Diagnostic::error(message, fields.span, "it is missing here").maybe_help(help));
        }
        found
    }

    /// Reads a list.
    pub fn list<'a>(&mut self, node: Node<'a>, what: &str) -> Option<Vec<Node<'a>>> {
        match self.kind(node)? {
            Kind::List(items) => Some(items),
            other => {
                self.is_no(what, "a list", node, &other);
                None
            }
        }
    }

    /// Reads a string.
    pub fn text(&mut self, node: Node<'_>, what: &str) -> Option<Spanned<String>> {
        match self.kind(node)? {
            Kind::Text(text) => Some(Spanned::new(text, node.span())),
            other => {
                self.is_no(what, "a string", node, &other);
                None
            }
        }
    }

    /// Reads a whole number.
    pub fn whole_number(&mut self, node: Node<'_>, what: &str) -> Option<i64> {
        let kind = self.kind(node)?;
        if let Kind::Number(written) = kind
            && let Ok(number) = written.parse()
        {
            return Some(number);
        }
        let message = format!("{what} has to be a whole number");
        let remark = match kind {
            Kind::Number(_) => "not a whole number, or too large".to_owned(),
            other => format!("{} here", other.noun()),
        };
        self.push(Diagnostic::error(message, node.span(), remark));
        None
    }

    /// Reads one of a few words.
    pub fn word<T: Copy>(&mut self, node: Node<'_>, what: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, what)?;
        if let Some((_, meant)) = words.iter().find(|(word, _)| *word == text.value) {
            return Some(*meant);
        }
        let all: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        let help = self.suggest(&text.value, words.iter().map(|(word, _)| *word));
        let message = match &all[..] {
            [only] => format!("{what} is always {only}"),
            all => format!("{what} is one of {}", all.join(", ")),
        };
        self.push(Diagnostic::error(message, text.span, "another word").maybe_help(help));
        None
    }
}

/// The names of all things of one kind.
#[derive(Debug, Default)]
pub struct Names {
    /// What the named things are, for messages: "character".
    what: &'static str,
    list: Vec<String>,
    number: HashMap<String, usize>,
    /// Names that occur but are not usable, which has already been reported.
    unusable: HashSet<String>,
}

impl Names {
    /// An empty list of names.
    pub fn new(what: &'static str) -> Self {
        Self { what, ..Self::default() }
    }

    /// All names, in order.
    pub fn list(&self) -> &[String] {
        &self.list
    }

    /// Whether a name is known to be unusable.
    pub fn is_unusable(&self, name: &str) -> bool {
        self.unusable.contains(name)
    }

    /// The number of a name, if it is known.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.number.get(name).copied()
    }

    /// Adds a name if it is valid and new, and returns its number.
    pub fn add(&mut self, name: Spanned<String>, count_max: usize, problems: &mut Problems) -> Option<usize> {
        let Spanned { value, span } = name;
        let (what, number) = (self.what, self.list.len());
        let wrong = if value.trim().is_empty() {
            "empty"
        } else if value.chars().count() > NAME_CHARACTERS_MAX {
            "longer than 200 characters"
        } else if value.chars().any(char::is_control) {
            "contains a control character"
        } else if self.number.contains_key(&value) {
            problems.push(Diagnostic::error(format!("the {what} `{value}` is named twice"), span, "again"));
            return None;
        } else if number == count_max {
            let message = format!("a log has at most {count_max} {what}s");
            problems.push(Diagnostic::error(message, span, "this is one more"));
            self.unusable.insert(value);
            return None;
        } else {
            self.number.insert(value.clone(), number);
            self.list.push(value);
            return Some(number);
        };
        problems.push(Diagnostic::error(format!("this is not a valid name for a {what}"), span, wrong));
        self.unusable.insert(value);
        None
    }

    /// Records a name as unusable, so that the problem is not reported again wherever the name occurs.
    pub fn leave_out(&mut self, name: String) {
        self.unusable.insert(name);
    }

    /// Lets another spelling stand for a number, unless it already stands for one.
    pub fn also(&mut self, spelling: String, number: usize) {
        self.number.entry(spelling).or_insert(number);
    }

    /// Reads a name in the log and returns its number.
    pub fn find(&self, node: Node<'_>, problems: &mut Problems) -> Option<Spanned<usize>> {
        let name = problems.text(node, &format!("a {}", self.what))?;
        self.find_name(&name, problems)
    }

    /// Returns the number of a name that is written as a key.
    pub fn find_name(&self, name: &Spanned<String>, problems: &mut Problems) -> Option<Spanned<usize>> {
        if let Some(number) = self.number(&name.value) {
            return Some(Spanned::new(number, name.span));
        }
        if self.unusable.contains(&name.value) {
            return None;
        }
        let help = problems.suggest(&name.value, self.list.iter().map(String::as_str));
        let message = format!("there is no {} `{}`", self.what, name.value);
        problems.push(Diagnostic::error(message, name.span, "unknown name").maybe_help(help));
        None
    }

    /// Reads a list of such names; `None` if one of them is unknown.
    pub fn find_all(
        &self,
        node: Node<'_>,
        what: &str,
        problems: &mut Problems,
    ) -> Option<Vec<Spanned<usize>>> {
        let items = problems.list(node, what)?;
        let wanted = items.len();
        let found: Vec<_> = items.into_iter().filter_map(|item| self.find(item, problems)).collect();
        (found.len() == wanted).then_some(found)
    }
}
