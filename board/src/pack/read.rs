//! What reading a pack is made of: lists and texts, each with a message if it is none.

use std::collections::HashMap;

use super::text::{Piece, Slot, Text};
use crate::diagnostic::{Diagnostic, Source, Span, closest};
use crate::storyboard::yaml::{Kind, Node};
use crate::storyboard::{Fields, Name, Places, Reader};

/// The largest length of a text, in characters.
pub const TEXT_CHARACTERS_MAX: usize = 400;

/// The largest length of a list or map in a pack.
pub const ENTRIES_MAX: usize = 1_000;

/// The largest number of problems that are kept: a file of a million letters can have as many problems.
const PROBLEMS_MAX: usize = 1_000;

/// From how many problems on nothing more is suggested: comparing names is slow, and nobody reads the hundredth suggestion.
const SUGGESTIONS_MAX: usize = 100;

/// Where a text stands in a pack, and which slots it may have.
#[derive(Debug)]
pub struct TextForm {
    /// The text in messages, as in "a text of `claim`".
    pub phrase: &'static str,
    /// The slots that the text may have.
    pub slots: &'static [Slot],
    /// The slot that it must have, and only once.
    pub once: Option<Slot>,
    /// Whether it must have one of those slots that say of which matter it speaks.
    pub speaks_of_matter: bool,
    /// How many characters it may have.
    pub characters_max: usize,
}

impl TextForm {
    /// A text without slots.
    pub const fn fixed(phrase: &'static str) -> Self {
        Self { phrase, slots: &[], once: None, speaks_of_matter: false, characters_max: TEXT_CHARACTERS_MAX }
    }
}

/// A list or the texts of one key, and where it stands.
#[derive(Debug)]
pub struct Entries<T> {
    pub span: Span,
    pub list: Vec<T>,
    /// Whether all entries could be read, so that the list can be compared with another one.
    pub is_whole: bool,
}

impl<T> Entries<T> {
    /// Nothing that could be read.
    pub const fn unreadable(span: Span) -> Self {
        Self { span, list: Vec::new(), is_whole: false }
    }
}

/// Reads the tree of a pack, and collects what is wrong with it.
pub struct PackReader<'a> {
    source: &'a Source,
    tree: Reader<'a>,
    problems: Vec<Diagnostic>,
}

impl<'a> PackReader<'a> {
    pub const fn new(source: &'a Source) -> Self {
        Self { source, tree: Reader::new(source), problems: Vec::new() }
    }

    /// How many problems were found with words; there may be others with the form of the file.
    pub fn problem_count(&self) -> usize {
        self.problems.len()
    }

    /// Everything that was found.
    pub fn into_problems(self) -> Vec<Diagnostic> {
        let mut problems = self.tree.into_problems();
        problems.extend(self.problems);
        problems
    }

    pub fn problem(&mut self, problem: Diagnostic) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(problem);
        }
    }

    pub fn fields(&mut self, node: Node, phrase: &'static str, keys: &[&'static str]) -> Option<Fields> {
        self.tree.fields_among(node, phrase, keys)
    }

    pub fn required(&mut self, fields: &mut Fields, key: &str) -> Option<Node> {
        self.tree.required(fields, key)
    }

    pub fn one_of(&mut self, node: Node, what: &str, words: &[&str]) -> Option<usize> {
        self.tree.one_of(node, what, words)
    }

    /// A name as it may stand in the address of a thing.
    pub fn name(&mut self, node: Node, what: &str) -> Option<Name> {
        self.tree.name(node, what)
    }

    /// A list of names.
    pub fn names(&mut self, node: Node, what: &str) -> Vec<Name> {
        self.tree.names(node, what, Reader::name).unwrap_or_default()
    }

    /// A verb, or several.
    pub fn verbs(&mut self, node: Node) -> Vec<Name> {
        self.tree.one_or_more(node, "a verb", Reader::phrase).unwrap_or_default()
    }

    /// The places of a map, as a storyboard has them. Their names are their own.
    pub fn places(&mut self, node: Node) -> Option<Places> {
        let span = node.span;
        let (places, pool) = self.tree.places(node)?;
        if pool.is_some() {
            let problem =
                Diagnostic::error("a setting names its places", span, "these have no names of their own");
            self.problem(problem.help("write their names, as in `complete: [hall, kitchen]`"));
        }
        Some(places)
    }

    /// The entries of a map whose keys are the author's names.
    pub fn entries(&mut self, node: Node, what: &str) -> Option<Vec<(Node, Node)>> {
        let span = node.span;
        let entries = self.tree.entries(node, what)?;
        if entries.len() > ENTRIES_MAX {
            let message = format!("{what} has at most {ENTRIES_MAX} entries");
            self.problem(Diagnostic::error(message, span, format!("{} here", entries.len())));
            return None;
        }
        Some(entries)
    }

    /// The list under a key, if there is a list that is not too long.
    pub fn list(&mut self, fields: &mut Fields, key: &str) -> Option<(Span, Vec<Node>)> {
        let (span, node) = self.required_with_key(fields, key)?;
        if node.kind == Kind::Empty {
            return Some((span, Vec::new()));
        }
        let length = match &node.kind {
            Kind::List(items) => Some(items.len()),
            Kind::Empty | Kind::Scalar(_) | Kind::Map(_) => None,
        };
        let items = self.tree.list(node, &format!("`{key}`"), ENTRIES_MAX);
        (Some(items.len()) == length).then_some((span, items))
    }

    /// The value of a key that has to be there, and where the key stands.
    pub fn required_with_key(&mut self, fields: &mut Fields, key: &str) -> Option<(Span, Node)> {
        let found = fields.take_with_key(key);
        if found.is_none() {
            self.required(fields, key);
        }
        found
    }

    /// Refuses a list that has fewer entries than a pack needs.
    pub fn at_least(&mut self, least: usize, length: usize, key: &str, span: Span, why: &str) {
        if length < least {
            let message = format!("`{key}` needs at least {least} entries");
            self.problem(Diagnostic::error(message, span, format!("{length} here")).help(why));
        }
    }

    /// The texts under a key.
    pub fn texts(&mut self, fields: &mut Fields, key: &str, least: usize, form: &TextForm) -> Entries<Text> {
        let Some((span, nodes)) = self.list(fields, key) else { return Entries::unreadable(fields.span) };
        let length = nodes.len();
        self.at_least(least, length, key, span, "the same words would come again too often in one story");
        let list: Vec<Text> = nodes.into_iter().filter_map(|node| self.text(node, form)).collect();
        self.all_different(&list, &format!("{} stands here twice", form.phrase));
        Entries { span, is_whole: list.len() == length, list }
    }

    /// The wordings under a key, which may be a single text: all different, and at least so many.
    pub fn wordings(
        &mut self,
        fields: &mut Fields,
        key: &str,
        least: usize,
        form: &TextForm,
    ) -> Option<Vec<Text>> {
        let (span, node) = self.required_with_key(fields, key)?;
        let nodes = match node.kind {
            Kind::List(_) => self.tree.list(node, &format!("`{key}`"), ENTRIES_MAX),
            Kind::Empty => Vec::new(),
            _ => vec![node],
        };
        let length = nodes.len();
        self.at_least(least, length, key, span, "there is nothing else to say in its place");
        let list: Vec<Text> = nodes.into_iter().filter_map(|node| self.text(node, form)).collect();
        self.all_different(&list, &format!("{} stands here twice", form.phrase));
        (list.len() == length && length >= least).then_some(list)
    }

    /// Refuses texts that are the same, whatever their capital letters.
    pub fn all_different<'t>(&mut self, texts: impl IntoIterator<Item = &'t Text>, message: &str) {
        let mut seen: HashMap<String, Span> = HashMap::new();
        for text in texts {
            if let Some(&first) = seen.get(&text.to_string().to_lowercase()) {
                let problem = Diagnostic::error(message, text.span, "the second").label(first, "the first");
                self.problem(problem.help("write another one, or take one of the two out"));
            } else {
                seen.insert(text.to_string().to_lowercase(), text.span);
            }
        }
    }

    /// A single value as it was written, and where it stands.
    pub fn line(&mut self, node: Node, what: &str) -> Option<(String, Span)> {
        self.tree.text(node, what).map(|written| (written.value, written.span))
    }

    /// Reads one text, cut at its slots.
    pub fn text(&mut self, node: Node, form: &TextForm) -> Option<Text> {
        let written = self.tree.text(node, form.phrase)?;
        let (value, span) = (written.value, written.span);
        if let Some(wrong) = cannot_be_told(&value, form.characters_max) {
            let problem = Diagnostic::error(format!("this cannot be {}", form.phrase), span, wrong);
            let help = format!("write it on one line, with 1 to {} characters", form.characters_max);
            self.problem(problem.help(help));
            return None;
        }
        // A quoted scalar's span includes the quote, and one with escapes or over several lines differs from the text.
        let found = self.source.text.get(span.range()).and_then(|written| written.find(value.as_str()));
        let start = found.map(|at| span.start + at);
        let pieces = self.pieces(&value, (span, start), form)?;
        let text = Text { pieces, span, start };
        self.has_what_it_needs(&text, form).then_some(text)
    }

    /// Cuts a text at its slots.
    fn pieces(
        &mut self,
        value: &str,
        (span, start): (Span, Option<usize>),
        form: &TextForm,
    ) -> Option<Vec<Piece>> {
        let place = |from: usize, to: usize| start.map_or(span, |at| Span::new(at + from, at + to));
        let (mut pieces, mut at, mut is_wrong) = (Vec::new(), 0, false);
        while let Some(open) = value[at..].find(['{', '}']).map(|found| at + found) {
            let close = value[open + 1..].find(['{', '}']).map(|found| open + 1 + found);
            let Some(close) =
                close.filter(|&close| value[open..].starts_with('{') && value[close..].starts_with('}'))
            else {
                let help = "a slot is written as in `{L}`; no other braces can stand in a text";
                let message = format!("the braces of {} do not match", form.phrase);
                self.problem(Diagnostic::error(message, place(open, open + 1), "this one").help(help));
                return None;
            };
            if open > at {
                pieces.push(Piece::Words(value[at..open].to_owned()));
            }
            let key = &value[open + 1..close];
            match Slot::of_key(key).filter(|slot| form.slots.contains(slot)) {
                Some(slot) => pieces.push(Piece::Slot(slot)),
                None => {
                    self.stray_slot(key, place(open, close + 1), form);
                    is_wrong = true;
                }
            }
            at = close + 1;
        }
        if at < value.len() {
            pieces.push(Piece::Words(value[at..].to_owned()));
        }
        (!is_wrong).then_some(pieces)
    }

    fn stray_slot(&mut self, key: &str, span: Span, form: &TextForm) {
        let (message, remark) = match Slot::of_key(key) {
            Some(slot) => (format!("{} has no slot `{slot}`", form.phrase), "not here"),
            None => (format!("no slot is called `{{{key}}}`"), "unknown"),
        };
        let is_many = self.problems.len() >= SUGGESTIONS_MAX;
        let near = if is_many { None } else { closest(key, form.slots.iter().map(|slot| slot.key())) };
        let help = match (near, form.slots) {
            (Some(near), _) => format!("did you mean `{{{near}}}`?"),
            (None, []) => format!("{} has no slots", form.phrase),
            (None, slots) => format!("the slots of {}: {}", form.phrase, listed(slots)),
        };
        self.problem(Diagnostic::error(message, span, remark).help(help));
    }

    fn has_what_it_needs(&mut self, text: &Text, form: &TextForm) -> bool {
        let mut has_all = true;
        if let Some(slot) = form.once {
            let count = text.slots().filter(|found| *found == slot).count();
            if count != 1 {
                let message = format!("{} needs `{slot}` once", form.phrase);
                let remark = if count == 0 { "missing".to_owned() } else { format!("{count} times here") };
                let help = match slot {
                    Slot::Reason => "one of the `reasons` is told there",
                    Slot::People => "all who take part are named there",
                    _ => "something is filled in there",
                };
                self.problem(Diagnostic::error(message, text.span, remark).help(help));
                has_all = false;
            }
        }
        if form.speaks_of_matter && !text.slots().any(|slot| Slot::OF_MATTERS.contains(&slot)) {
            let of_matters: Vec<Slot> =
                form.slots.iter().copied().filter(|slot| Slot::OF_MATTERS.contains(slot)).collect();
            let message = format!("{} has to say of which matter it speaks", form.phrase);
            let help = format!("several matters come up in one story: use {}", listed(&of_matters));
            self.problem(Diagnostic::error(message, text.span, "it does not").help(help));
            has_all = false;
        }
        has_all
    }
}

/// Why a text cannot stand in a story, if it cannot.
fn cannot_be_told(text: &str, characters_max: usize) -> Option<String> {
    if text.trim().is_empty() {
        return Some("empty".to_owned());
    }
    if text.trim() != text {
        return Some("begins or ends with a blank".to_owned());
    }
    if text.chars().any(char::is_control) {
        return Some("contains a line break or another control character".to_owned());
    }
    let characters = text.chars().count();
    (characters > characters_max).then(|| format!("longer than {characters_max} characters: {characters}"))
}

/// Slots in words: "`{L}`, `{T}` or `{thing}`".
fn listed(slots: &[Slot]) -> String {
    let quoted: Vec<String> = slots.iter().map(|slot| format!("`{slot}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
