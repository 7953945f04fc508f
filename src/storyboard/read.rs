//! From the YAML tree to a [`Storyboard`], collecting every problem on the way.

use super::yaml::{self, Kind, Node};
use super::{
    Bind, Characters, Event, Expression, Name, NotePart, Number, Places, Pool, Question, QuestionKind,
    SOURCE_BYTES_MAX, Start, Storyboard, Verb, When,
};
use crate::diagnostic::{Diagnostic, Source, Span, Spanned, closest};

/// Of every map of the format: what it is, how messages call it, and its keys.
pub const KNOWN_KEYS: &[(&str, &str, &[&str])] = &[
    (
        "storyboard",
        "a storyboard",
        &[
            "storysim",
            "name",
            "about",
            "characters",
            "roles",
            "places",
            "start",
            "bind",
            "horizon",
            "parameters",
            "verb",
            "events",
            "questions",
        ],
    ),
    ("characters", "`characters`", &["pool", "count"]),
    ("bind", "a bind", &["next_to", "not"]),
    ("event", "an event", &["at", "from", "until", "for", "move", "meet", "idle", "note"]),
    ("move", "a `move`", &["who", "to"]),
    ("meet", "a `meet`", &["who", "in"]),
    ("question", "a question", &["belief", "reality", "start", "world", "world_things"]),
];

/// What stands in for a horizon and for characters that could not be read.
const FILLED_IN_HORIZON: i64 = 1_000_000;
const FILLED_IN_POOL: &str = "people";

/// Some editors begin a file with it. It is no part of the text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A name may be this long, in characters.
const NAME_CHARACTERS_MAX: usize = 64;

/// A list of the storyboard may be this long.
const LIST_LENGTH_MAX: usize = 10_000;

/// `roles`, `events` and `questions` may be this long, and `bind` as [`BINDS_MAX`] says.
const ENTRIES_MAX: usize = 1_000;
const BINDS_MAX: usize = 100;

/// A storyboard that cannot be used.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The file.
    pub source: Source,
    /// What is wrong with its form.
    pub problems: Vec<Diagnostic>,
    /// What could be read, where that is enough to look for further problems. What is missing is
    /// filled in so that it gives rise to none.
    pub rest: Option<Box<Storyboard>>,
}

/// Reads a storyboard.
///
/// # Errors
/// Everything about the file's form that is wrong. [`crate::compile::problems`] adds what is wrong
/// with the rest of it.
///
/// ```
/// use storysim::diagnostic::Source;
/// let text = "storysim: 1\nname: tiny\ncharacters: {pool: [Ann, Bob]}\nplaces: {complete: [a, b]}\n\
///             start: a\nhorizon: 3\nquestions: []\n";
/// let board = storysim::storyboard::parse(Source { name: "tiny.yaml".into(), text: text.into() }).unwrap();
/// assert_eq!(board.name.value, "tiny");
/// ```
pub fn parse(mut source: Source) -> Result<Storyboard, Broken> {
    if source.text.starts_with(BYTE_ORDER_MARK) {
        source.text.remove(0);
    }
    if source.text.len() > SOURCE_BYTES_MAX {
        let message = format!("a storyboard has at most {SOURCE_BYTES_MAX} bytes");
        let problem =
            Diagnostic::error(message, Span::new(0, 0), format!("this one has {}", source.text.len()));
        return Err(Broken { source, problems: vec![problem], rest: None });
    }
    let root = match yaml::parse(&source) {
        Ok(root) => root,
        Err(problem) => return Err(Broken { source, problems: vec![problem], rest: None }),
    };
    let mut reader = Reader { source: &source, problems: Vec::new() };
    let read = reader.storyboard(root);
    let problems = reader.problems;
    match read {
        Some(storyboard) if problems.is_empty() => Ok(Storyboard { source, ..storyboard }),
        rest => {
            let rest = rest.map(|rest| Box::new(Storyboard { source: source.clone(), ..rest }));
            Err(Broken { source, problems, rest })
        }
    }
}

struct Reader<'a> {
    source: &'a Source,
    problems: Vec<Diagnostic>,
}

/// The fields of one map, known keys only.
struct Fields {
    /// What the map is, for messages.
    what: &'static str,
    span: Span,
    /// Keys that were probably meant by others that are not known.
    meant: Vec<&'static str>,
    /// Whether there are others that are not known.
    has_unknown: bool,
    entries: Vec<(String, Span, Node)>,
}

impl Fields {
    fn take(&mut self, key: &str) -> Option<Node> {
        self.take_with_key(key).map(|(_, node)| node)
    }

    fn take_with_key(&mut self, key: &str) -> Option<(Span, Node)> {
        let at = self.entries.iter().position(|(name, ..)| name == key)?;
        let (_, span, node) = self.entries.swap_remove(at);
        Some((span, node))
    }
}

impl Reader<'_> {
    fn storyboard(&mut self, root: Node) -> Option<Storyboard> {
        let mut fields = self.fields(root, "storyboard")?;
        self.version(&mut fields);
        let name = self.required(&mut fields, "name").and_then(|node| self.board_name(node));
        let about = fields.take("about").and_then(|node| self.text(node, "`about`"));
        let characters = self.required(&mut fields, "characters").and_then(|node| self.characters(node));
        let roles = match fields.take("roles") {
            Some(node) => {
                let span = node.span;
                let roles = self.names(node, "a role", Self::identifier);
                if let Some(roles) = &roles
                    && roles.len() > ENTRIES_MAX
                {
                    let message = format!("`roles` has at most {ENTRIES_MAX} entries");
                    self.problem(Diagnostic::error(message, span, format!("{} here", roles.len())));
                    return None;
                }
                roles
            }
            None => Some(Vec::new()),
        };
        let places = self.required(&mut fields, "places").and_then(|node| self.places(node));
        let start = self.required(&mut fields, "start").and_then(|node| self.start(node));
        let binds = fields.take("bind").map_or_else(Vec::new, |node| self.binds(node));
        let horizon = self.required(&mut fields, "horizon").and_then(|node| self.number(node));
        let parameters = fields.take("parameters").map_or_else(Vec::new, |node| self.parameters(node));
        let verbs = match fields.take("verb") {
            Some(node) => self.one_or_more(node, "a verb", Self::phrase),
            None => Some(vec![Spanned::new("enters".to_owned(), Span::default())]),
        };
        let events = match fields.take("events") {
            Some(node) => self.list(node, "`events`", ENTRIES_MAX),
            None => Vec::new(),
        };
        let events = events.into_iter().filter_map(|node| self.event(node)).collect();
        let questions = match fields.take("questions") {
            Some(node) => self.list(node, "`questions`", ENTRIES_MAX),
            None => Vec::new(),
        };
        let questions = questions.into_iter().filter_map(|node| self.question(node)).collect();
        // Without places and roles nothing can be said of the rest; all else can be filled in.
        let (roles, places) = (roles?, places?);
        let nowhere = Spanned::new(String::new(), Span::default());
        let somewhere = match &places {
            Places::Ways(ways) => ways.first().map(|(name, _)| name),
            Places::Complete(names) => names.first(),
        };
        let start = start.unwrap_or_else(|| Start::Everyone(somewhere.unwrap_or(&nowhere).clone()));
        let people = Spanned::new(FILLED_IN_POOL.to_owned(), Span::default());
        let endless = Spanned::new(Expression::Integer(FILLED_IN_HORIZON), Span::default());
        let few = Spanned::new(Expression::Integer(roles.len().max(1) as i64), Span::default());
        Some(Storyboard {
            source: Source { name: String::new(), text: String::new() },
            name: name.unwrap_or(nowhere),
            about: about.map(|about| about.value),
            characters: characters.unwrap_or(Characters { pool: Pool::BuiltIn(people), count: Some(few) }),
            roles,
            places,
            start,
            binds,
            horizon: horizon.unwrap_or(endless),
            parameters,
            verbs: verbs.unwrap_or_default(),
            events,
            questions,
        })
    }

    fn version(&mut self, fields: &mut Fields) {
        let Some(node) = self.required(fields, "storysim") else { return };
        if node.kind != Kind::Scalar("1".to_owned()) {
            self.problem(
                Diagnostic::error("this format version is not known", node.span, "should be 1")
                    .help("this program reads storyboards of version 1"),
            );
        }
    }

    fn board_name(&mut self, node: Node) -> Option<Name> {
        let name = self.name(node, "the storyboard's name")?;
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !name.value.chars().all(fits) {
            let help = "names of storyboards are made of a-z, 0-9 and `-`";
            self.problem(Diagnostic::error("this cannot be a storyboard's name", name.span, "").help(help));
            return None;
        }
        Some(name)
    }

    fn characters(&mut self, node: Node) -> Option<Characters> {
        let mut fields = self.fields(node, "characters")?;
        let pool = self.required(&mut fields, "pool").and_then(|node| match node.kind {
            Kind::Scalar(_) => self.name(node, "a pool").map(Pool::BuiltIn),
            _ => self.names(node, "a character", Self::name).map(Pool::Names),
        });
        let count = fields.take("count").and_then(|node| self.number(node));
        Some(Characters { pool: pool?, count })
    }

    fn places(&mut self, node: Node) -> Option<Places> {
        let mut entries = self.entries(node, "`places`")?;
        if entries.len() == 1 && entries[0].0.kind == Kind::Scalar("complete".to_owned()) {
            let (_, list) = entries.remove(0);
            return self.names(list, "a place", Self::name).map(Places::Complete);
        }
        let mut ways = Vec::new();
        for (key, value) in entries {
            let name = self.name(key, "a place");
            let next = self.names(value, "a place", Self::name);
            if let (Some(name), Some(next)) = (name, next) {
                ways.push((name, next));
            }
        }
        Some(Places::Ways(ways))
    }

    fn start(&mut self, node: Node) -> Option<Start> {
        if let Kind::Scalar(_) = node.kind {
            return self.name(node, "a place").map(Start::Everyone);
        }
        let span = node.span;
        let (mut roles, mut others) = (Vec::new(), None);
        for (key, value) in self.entries(node, "`start`")? {
            let is_else = key.kind == Kind::Scalar("else".to_owned());
            let role = if is_else { None } else { self.name(key, "a role") };
            let Some(place) = self.name(value, "a place") else { continue };
            match role {
                Some(role) => roles.push((role, place)),
                None if is_else => others = Some(place),
                None => {}
            }
        }
        Some(Start::Each { roles, others, span })
    }

    fn binds(&mut self, node: Node) -> Vec<Bind> {
        let mut binds = Vec::new();
        let span = node.span;
        let entries = self.entries(node, "`bind`").unwrap_or_default();
        if entries.len() > BINDS_MAX {
            let message = format!("`bind` has at most {BINDS_MAX} entries");
            self.problem(Diagnostic::error(message, span, format!("{} here", entries.len())));
            return binds;
        }
        for (key, value) in entries {
            let name = self.identifier(key, "a bind");
            let fields = match value.kind {
                Kind::Empty => {
                    let (meant, entries) = (Vec::new(), Vec::new());
                    Some(Fields { what: "a bind", span: value.span, meant, has_unknown: false, entries })
                }
                _ => self.fields(value, "bind"),
            };
            let (Some(name), Some(mut fields)) = (name, fields) else { continue };
            let next_to = fields.take("next_to").and_then(|node| self.name(node, "a place"));
            let not = fields.take("not").and_then(|node| self.one_or_more(node, "a place", Self::name));
            binds.push(Bind { name, next_to, not: not.unwrap_or_default() });
        }
        binds
    }

    fn parameters(&mut self, node: Node) -> Vec<(Name, i64)> {
        let mut parameters = Vec::new();
        for (key, value) in self.entries(node, "`parameters`").unwrap_or_default() {
            let name = self.identifier(key, "a parameter");
            let default = self.text(value, "a parameter's default").and_then(|text| {
                let number = text.value.parse::<i64>().ok();
                if number.is_none() {
                    self.problem(Diagnostic::error("a parameter's default is an integer", text.span, ""));
                }
                number
            });
            let Some(name) = name else { continue };
            if matches!(name.value.as_str(), "end" | "min" | "max") {
                let message = format!("a parameter cannot be called `{}`", name.value);
                self.problem(Diagnostic::error(message, name.span, "has a meaning in expressions"));
            } else {
                parameters.push((name, default.unwrap_or(1)));
            }
        }
        parameters
    }

    fn event(&mut self, node: Node) -> Option<Event> {
        let mut fields = self.fields(node, "event")?;
        let when = self.when(&mut fields);
        let mut verbs = Vec::new();
        for key in ["move", "meet", "idle", "note"] {
            if let Some((span, value)) = fields.take_with_key(key) {
                verbs.push((key, span, value));
            }
        }
        if verbs.is_empty() && fields.has_unknown {
            return None; // that has been said
        }
        if verbs.len() != 1 {
            let message = "an event has one of `move`, `meet`, `idle`, `note`";
            let problem = match verbs.get(1) {
                Some((_, second, _)) => {
                    Diagnostic::error(message, *second, "the second").label(verbs[0].1, "the first")
                }
                None => Diagnostic::error(message, fields.span, "none here"),
            };
            self.problem(problem);
            return None;
        }
        let (key, span, value) = verbs.remove(0);
        let verb = match key {
            "move" => {
                let mut inner = self.fields(value, "move")?;
                let who = self.required(&mut inner, "who").and_then(|node| self.name(node, "a role"));
                let to = self.required(&mut inner, "to").and_then(|node| self.name(node, "a place"));
                Verb::Move { who: who?, to: to? }
            }
            "meet" => {
                let mut inner = self.fields(value, "meet")?;
                let who =
                    self.required(&mut inner, "who").and_then(|node| self.names(node, "a role", Self::name));
                let place = self.required(&mut inner, "in").and_then(|node| self.name(node, "a place"));
                Verb::Meet { who: who?, place: place? }
            }
            "idle" => Verb::Idle { who: self.one_or_more(value, "a role", Self::name)? },
            _ => Verb::Note { text: self.note(value)? },
        };
        let when = when?;
        let needs_step = matches!(verb, Verb::Move { .. } | Verb::Meet { .. } | Verb::Note { .. });
        if needs_step && !matches!(when, When::At(_)) {
            let message = format!("`{}` happens at one step", verb.key());
            self.problem(Diagnostic::error(message, span, "needs `at`, not a window"));
            return None;
        }
        Some(Event { when, verb, span })
    }

    fn when(&mut self, fields: &mut Fields) -> Option<When> {
        let mut numbers: Vec<Option<(Span, Option<Number>)>> = Vec::new();
        for key in ["at", "from", "until", "for"] {
            let entry = fields.take_with_key(key);
            numbers.push(entry.map(|(span, node)| (span, self.number(node))));
        }
        let mut numbers = numbers.into_iter();
        let mut next = || numbers.next().flatten();
        match (next(), next(), next(), next()) {
            (Some((_, at)), None, None, None) => at.map(When::At),
            (None, Some((_, from)), Some((_, until)), None) => Some(When::Until(from?, until?)),
            (None, Some((_, from)), None, Some((_, length))) => Some(When::For(from?, length?)),
            (at, from, until, length) => {
                let given = [at, from, until, length].into_iter().flatten().map(|(span, _)| span).next_back();
                let message = "an event has `at`, or `from` with `until` or `for`";
                self.problem(match given {
                    Some(span) => Diagnostic::error(message, span, "this combination says something else"),
                    None => Diagnostic::error(message, fields.span, "it has none of them"),
                });
                None
            }
        }
    }

    fn note(&mut self, node: Node) -> Option<Vec<NotePart>> {
        let note = self.phrase(node, "a note")?;
        let text = &note.value;
        // A quoted scalar's span includes the quote.
        let written = &self.source.text[note.span.range()];
        let offset = note.span.start + written.find(text.as_str()).unwrap_or(0);
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(open) = text[at..].find('{').map(|found| at + found) {
            let Some(close) = text[open..].find('}').map(|found| open + found) else { break };
            if open > at {
                parts.push(NotePart::Text(text[at..open].to_owned()));
            }
            let span = Span::new(offset + open + 1, offset + close);
            let span = if written.contains(text.as_str()) { span } else { note.span };
            parts.push(NotePart::Name(Spanned::new(text[open + 1..close].to_owned(), span)));
            at = close + 1;
        }
        if text[at..].contains(['{', '}']) {
            let help = "`{S1}` names the character that plays S1, `{first}` the place bound to first";
            self.problem(Diagnostic::error("the braces of this note do not match", note.span, "").help(help));
            return None;
        }
        if at < text.len() {
            parts.push(NotePart::Text(text[at..].to_owned()));
        }
        Some(parts)
    }

    fn question(&mut self, node: Node) -> Option<Question> {
        let fields = self.fields(node, "question")?;
        let mut entries = fields.entries;
        if entries.is_empty() && fields.has_unknown {
            return None; // that has been said
        }
        if entries.len() != 1 {
            let message = "a question has one key, its kind";
            self.problem(match entries.get(1) {
                Some((_, second, _)) => Diagnostic::error(message, *second, "the second"),
                None => Diagnostic::error(message, fields.span, "none here"),
            });
            return None;
        }
        let (key, span, value) = entries.remove(0);
        let kind = QuestionKind::ALL.into_iter().find(|kind| kind.key() == key)?;
        let roles = match kind {
            QuestionKind::Reality | QuestionKind::Start => vec![self.name(value, "a role")?],
            QuestionKind::Belief | QuestionKind::World | QuestionKind::WorldThings => {
                let list_span = value.span;
                let roles = self.names(value, "a role", Self::name)?;
                if roles.len() < 2 {
                    let message = format!("`{key}` needs at least two roles, the target last");
                    self.problem(Diagnostic::error(message, list_span, format!("{} here", roles.len())));
                    return None;
                }
                roles
            }
        };
        Some(Question { kind, roles, span })
    }

    // What the above is made of.

    fn problem(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    fn required(&mut self, fields: &mut Fields, key: &str) -> Option<Node> {
        let found = fields.take(key);
        if found.is_none() && !fields.meant.contains(&key) {
            let message = format!("{} needs `{key}`", fields.what);
            self.problem(Diagnostic::error(message, fields.span, "it is missing here"));
        }
        found
    }

    /// The entries of a map, each key once.
    fn entries(&mut self, node: Node, what: &str) -> Option<Vec<(Node, Node)>> {
        let Kind::Map(entries) = node.kind else {
            let message = format!("{what} should be a map");
            self.problem(Diagnostic::error(message, node.span, format!("{} here", node.kind.noun())));
            return None;
        };
        let mut seen: std::collections::HashMap<String, Span> = std::collections::HashMap::new();
        let mut kept = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let Kind::Scalar(name) = &key.kind else {
                self.problem(Diagnostic::error("a key is a single value", key.span, key.kind.noun()));
                continue;
            };
            if let Some(&first) = seen.get(name) {
                let message = format!("the key `{name}` stands twice");
                self.problem(Diagnostic::error(message, key.span, "the second").label(first, "the first"));
                continue;
            }
            seen.insert(name.clone(), key.span);
            kept.push((key, value));
        }
        Some(kept)
    }

    /// The fields of a map of the format.
    fn fields(&mut self, node: Node, what: &'static str) -> Option<Fields> {
        let (_, phrase, known) =
            KNOWN_KEYS.iter().find(|(name, ..)| *name == what).expect("every map is listed");
        let span = node.span;
        let (mut entries, mut meant, mut has_unknown) = (Vec::new(), Vec::new(), false);
        for (key, value) in self.entries(node, phrase)? {
            let Kind::Scalar(name) = key.kind else { continue };
            if known.contains(&name.as_str()) {
                entries.push((name, key.span, value));
                continue;
            }
            has_unknown = true;
            // Comparing names is slow, and nobody reads the hundredth suggestion.
            let near = if self.problems.len() < 100 { closest(&name, known.iter().copied()) } else { None };
            meant.extend(near.and_then(|near| known.iter().find(|known| **known == near)));
            let help = near.map_or_else(
                || format!("the keys of {phrase}: {}", known.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("{phrase} has no key `{name}`");
            self.problem(Diagnostic::error(message, key.span, "unknown key").help(help));
        }
        Some(Fields { what: phrase, span, meant, has_unknown, entries })
    }

    fn list(&mut self, node: Node, what: &str, length_max: usize) -> Vec<Node> {
        let Kind::List(items) = node.kind else {
            if node.kind != Kind::Empty {
                let message = format!("{what} should be a list");
                self.problem(Diagnostic::error(message, node.span, format!("{} here", node.kind.noun())));
            }
            return Vec::new();
        };
        if items.len() > length_max {
            let message = format!("{what} has at most {length_max} entries");
            self.problem(Diagnostic::error(message, node.span, format!("{} here", items.len())));
            return Vec::new();
        }
        items
    }

    /// A list of names, each read by `read`.
    fn names(
        &mut self,
        node: Node,
        what: &str,
        read: fn(&mut Self, Node, &str) -> Option<Name>,
    ) -> Option<Vec<Name>> {
        if !matches!(node.kind, Kind::List(_)) {
            let message = format!("here a list should stand, each entry {what}");
            self.problem(Diagnostic::error(message, node.span, format!("{} here", node.kind.noun())));
            return None;
        }
        let items = self.list(node, "a list", LIST_LENGTH_MAX);
        let wanted = items.len();
        let names: Vec<Name> = items.into_iter().filter_map(|item| read(self, item, what)).collect();
        (names.len() == wanted).then_some(names)
    }

    /// One name, or a list of at least one.
    fn one_or_more(
        &mut self,
        node: Node,
        what: &str,
        read: fn(&mut Self, Node, &str) -> Option<Name>,
    ) -> Option<Vec<Name>> {
        if let Kind::Scalar(_) = node.kind {
            return read(self, node, what).map(|name| vec![name]);
        }
        let span = node.span;
        let names = self.names(node, what, read)?;
        if names.is_empty() {
            self.problem(Diagnostic::error(format!("at least {what} should stand here"), span, "empty"));
            return None;
        }
        Some(names)
    }

    fn text(&mut self, node: Node, what: &str) -> Option<Name> {
        match node.kind {
            Kind::Scalar(value) => Some(Spanned::new(value, node.span)),
            other => {
                let message = format!("{what} should be a single value");
                self.problem(Diagnostic::error(message, node.span, format!("{} here", other.noun())));
                None
            }
        }
    }

    /// A name, as it will stand in a story.
    fn name(&mut self, node: Node, what: &str) -> Option<Name> {
        let name = self.text(node, what)?;
        let wrong = if name.value.trim().is_empty() {
            "empty"
        } else if name.value.chars().count() > NAME_CHARACTERS_MAX {
            "longer than 64 characters"
        } else if name.value.trim() != name.value {
            "begins or ends with a blank"
        } else if name.value.chars().any(char::is_control) {
            "holds a control character"
        } else {
            return Some(name);
        };
        self.problem(Diagnostic::error(format!("this cannot name {what}"), name.span, wrong));
        None
    }

    /// A name that can stand in an expression, a note or a row's `cast`.
    fn identifier(&mut self, node: Node, what: &str) -> Option<Name> {
        let name = self.name(node, what)?;
        let mut characters = name.value.chars();
        let begins = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        if begins && characters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Some(name);
        }
        let help = "letters, digits and `_`, beginning with a letter";
        self.problem(Diagnostic::error(format!("this cannot name {what}"), name.span, "").help(help));
        None
    }

    /// A piece of a sentence.
    fn phrase(&mut self, node: Node, what: &str) -> Option<Name> {
        let phrase = self.text(node, what)?;
        let wrong = if phrase.value.trim().is_empty() {
            "empty"
        } else if phrase.value.len() > 1000 {
            "longer than 1000 bytes"
        } else if phrase.value.trim() != phrase.value {
            "begins or ends with a blank"
        } else if phrase.value.chars().any(char::is_control) {
            "holds a control character"
        } else {
            return Some(phrase);
        };
        self.problem(Diagnostic::error(format!("this cannot be {what}"), phrase.span, wrong));
        None
    }

    fn number(&mut self, node: Node) -> Option<Number> {
        let text = self.text(node, "a number")?;
        // A quoted scalar's span includes the quote. Behind an alias, or with escapes, what was meant
        // is not what stands there; then everything about it stands at the whole.
        let at = self.source.text[text.span.range()].find(text.value.as_str());
        match Expression::parse(&text.value, text.span.start + at.unwrap_or(0)) {
            Ok(expression) if at.is_some() => Some(Spanned::new(expression, text.span)),
            Ok(expression) => Some(Spanned::new(expression.standing_at(text.span), text.span)),
            Err(mut problem) => {
                if at.is_none() {
                    problem.labels.iter_mut().for_each(|(span, _)| *span = text.span);
                }
                self.problem(problem);
                None
            }
        }
    }
}
