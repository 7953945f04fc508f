//! From the YAML tree to a [`Storyboard`], collecting every problem on the way.

mod balance;
mod conditions;
mod deeds;
mod events;
mod keys;
mod length;
mod matters;
mod node;
mod prospects;
mod things;
mod weave;

use super::yaml::{self, BYTE_ORDER_MARK, Kind, Node};
use super::{
    Bind, Characters, Container, Drawn, Event, Expression, Goal, Matters, Name, NamedFile, Number, Object,
    Places, Play, Pool, Profiles, Proposition, Prospect, Question, RuleChoice, SOURCE_BYTES_MAX,
    ScenarioForm, Scenarios, Start, Storyboard, Style, Trust,
};
use crate::diagnostic::{Diagnostic, Source, Span, Spanned};
pub use keys::{MapKeys, known_keys};
use matters::with_facets;
pub use prospects::between_if_not_given;
pub use weave::woven_files;

/// The horizon that stands in for one that could not be read; the pool for characters follows.
const FILLED_IN_HORIZON: i64 = 1_000_000;
const FILLED_IN_POOL: &str = "people";

/// The largest length of a name, in characters.
pub(crate) const NAME_CHARACTERS_MAX: usize = 64;

/// The largest length of a list in a storyboard.
const LIST_LENGTH_MAX: usize = 10_000;

/// The largest length of `roles`, `events`, `ensure` and `questions`; for `bind`, there is [`BINDS_MAX`].
const ENTRIES_MAX: usize = 1_000;
const BINDS_MAX: usize = 100;

/// The largest number of places whose names are drawn.
const PLACES_OF_POOL_MAX: usize = 64;

/// The bind that a drawn start is.
const START_BIND: &str = "start";

/// The largest number of entries of `draw`, as [`BINDS_MAX`] is that of `bind`.
const DRAWS_MAX: usize = 100;

/// A storyboard that cannot be used.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The file that was read.
    pub source: Source,
    /// The problems with its form.
    pub problems: Vec<Diagnostic>,
    /// What could be read, if that is enough to look for further problems. Whatever is missing is filled in so that it
    /// does not cause any.
    pub rest: Option<Box<Storyboard>>,
}

/// Reads a storyboard.
///
/// # Errors
/// All problems with the form of the file. `compile::problems` adds the problems with the rest of it.
///
/// ```
/// use storysim::diagnostic::Source;
/// let text = "storysim: 1\nname: tiny\ncharacters: {pool: [Ann, Bob]}\nplaces: {complete: [a, b]}\n\
///             start: a\nhorizon: 3\nquestions: []\n";
/// let board = storysim::storyboard::parse(Source { name: "tiny.yaml".into(), text: text.into() }).unwrap();
/// assert_eq!(board.name.value, "tiny");
/// ```
pub fn parse(source: Source) -> Result<Storyboard, Broken> {
    parse_beside(source, Vec::new())
}

/// Reads a storyboard together with these files, among which are those of the boards that it weaves ([`woven_files`]).
///
/// # Errors
/// Like [`parse`]; also if a board that is woven is not among the files, or is wrong itself.
pub fn parse_beside(mut source: Source, files: Vec<NamedFile>) -> Result<Storyboard, Broken> {
    if source.text.starts_with(BYTE_ORDER_MARK) {
        source.text.remove(0);
    }
    if source.text.len() > SOURCE_BYTES_MAX {
        let message = format!("a storyboard has at most {SOURCE_BYTES_MAX} bytes");
        let problem =
            Diagnostic::error(message, Span::new(0, 0), format!("this one has {}", source.text.len()));
        return Err(Broken { source, problems: vec![problem], rest: None });
    }
    let root = match yaml::parse(&source, "a storyboard") {
        Ok(root) => root,
        Err(problem) => return Err(Broken { source, problems: vec![problem], rest: None }),
    };
    let mut reader = Reader { files: &files, ..Reader::new(&source) };
    let read = reader.storyboard(root);
    let problems = reader.into_problems();
    match read {
        Some(storyboard) if problems.is_empty() => Ok(Storyboard { source, files, ..storyboard }),
        rest => {
            let rest = rest.filter(|rest| rest.weave.is_none());
            let rest = rest.map(|rest| Box::new(Storyboard { source: source.clone(), files, ..rest }));
            Err(Broken { source, problems, rest })
        }
    }
}

/// Reads a tree, and collects what is wrong with it.
pub(crate) struct Reader<'a> {
    source: &'a Source,
    /// The files that the text may name.
    files: &'a [NamedFile],
    problems: Vec<Diagnostic>,
}

/// The fields of a map; only known keys are kept.
pub(crate) struct Fields {
    /// What the map is, for messages.
    what: &'static str,
    pub(crate) span: Span,
    /// Known keys for which unknown ones were probably meant.
    meant: Vec<&'static str>,
    /// Whether there are unknown keys.
    has_unknown: bool,
    entries: Vec<(String, Span, Node)>,
}

impl Fields {
    /// Whether the key was given and not yet taken.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(name, ..)| name == key)
    }

    /// Whether a key under which names are declared is misspelt.
    fn declares_badly(&self) -> bool {
        DECLARING.iter().any(|key| self.meant.contains(key))
    }

    /// Whether an unknown key was probably meant to be this one.
    pub(crate) fn means(&self, key: &str) -> bool {
        self.meant.contains(&key)
    }

    pub(crate) fn take(&mut self, key: &str) -> Option<Node> {
        self.take_with_key(key).map(|(_, node)| node)
    }

    pub(crate) fn take_with_key(&mut self, key: &str) -> Option<(Span, Node)> {
        let at = self.entries.iter().position(|(name, ..)| name == key)?;
        let (_, span, node) = self.entries.swap_remove(at);
        Some((span, node))
    }
}

/// Whether a place has this name.
fn has_place(places: &Places, name: &str) -> bool {
    match places {
        Places::Ways(ways) => ways.iter().any(|(place, _)| place.value == name),
        Places::Complete(names) => names.iter().any(|place| place.value == name),
    }
}

/// The start, where what is drawn is a bind. Scenarios by lives draw it themselves.
fn drawn_start(start: Start, scenarios: Option<&Scenarios>, binds: &mut Vec<Bind>) -> Start {
    let is_by_lives = scenarios.is_some_and(|scenarios| matches!(scenarios.form, ScenarioForm::Lives(_)));
    let Start::Drawn(span) = start else { return start };
    if is_by_lives {
        return start;
    }
    let name = Spanned::new(START_BIND.to_owned(), span);
    binds.insert(0, Bind { name: name.clone(), next_to: None, not: Vec::new() });
    Start::Everyone(name)
}

/// The first place, if there is any.
fn first_place(places: &Places) -> Option<&Name> {
    match places {
        Places::Ways(ways) => ways.first().map(|(name, _)| name),
        Places::Complete(names) => names.first(),
    }
}

/// What there is besides people and places, and how people deal with it.
struct Staged {
    containers: Vec<Container>,
    objects: Vec<Object>,
    propositions: Vec<Proposition>,
    /// `None` if their names are not known.
    matters: Option<Vec<Matters>>,
    style: Style,
    packs: Vec<Name>,
    wording: Option<Name>,
    prospects: Vec<Prospect>,
    rules: Option<RuleChoice>,
    profiles: Profiles,
    attitudes: Vec<Name>,
    trust: Option<Spanned<Trust>>,
    play: Vec<(Spanned<Play>, Number)>,
    friends: Vec<(Name, Vec<Name>)>,
    groups: Vec<(Name, Vec<Name>)>,
}

/// The keys under which names are declared. Where one is misspelt, each use of the names would be one more problem.
const DECLARING: [&str; 12] = [
    "roles",
    "bind",
    "parameters",
    "draw",
    "containers",
    "objects",
    "propositions",
    "attitudes",
    "matters",
    "prospects",
    "groups",
    // Questions ask about the ends of these.
    "scenarios",
];

impl Reader<'_> {
    fn storyboard(&mut self, root: Node) -> Option<Storyboard> {
        let mut fields = self.fields(root, "storyboard")?;
        self.version(&mut fields);
        let name = self.required(&mut fields, "name").and_then(|node| self.board_name(node));
        let about = fields.take("about").and_then(|node| self.text(node, "`about`"));
        if let Some(strands) = fields.take_with_key("weave") {
            return self.woven(fields, name, about.map(|about| about.value), strands);
        }
        self.no_maps(&mut fields);
        self.unwoven(fields, name, about)
    }

    /// A storyboard that weaves no others.
    fn unwoven(&mut self, mut fields: Fields, name: Option<Name>, about: Option<Name>) -> Option<Storyboard> {
        let characters = self.required(&mut fields, "characters").and_then(|node| self.characters(node));
        let roles = match fields.take("roles") {
            Some(node) => self.roles(node)?,
            None => Some(Vec::new()),
        };
        let places = self.required(&mut fields, "places").and_then(|node| self.places(node));
        let (places, place_pool) = places.unzip();
        let start = self.required(&mut fields, "start").and_then(|node| self.start(node, places.as_ref()));
        let mut binds = fields.take("bind").map_or_else(Vec::new, |node| self.binds(node));
        let scenarios = fields.take_with_key("scenarios");
        let horizon = self.horizon(&mut fields, scenarios.as_ref().map(|(span, _)| *span));
        let scenarios = scenarios.map(|(_, node)| self.scenarios(node));
        let horizon = scenarios.as_ref().map(prospects::horizon).or(horizon);
        let start = start.map(|start| drawn_start(start, scenarios.as_ref(), &mut binds));
        let parameters = fields.take("parameters").map_or_else(Vec::new, |node| self.parameters(node));
        let draws = fields.take("draw").map_or_else(Vec::new, |node| self.draws(node, &parameters));
        let verbs = self.verbs(&mut fields);
        let staged = self.staged(&mut fields);
        let events = self.events(&mut fields);
        let propositions =
            staged.matters.as_ref().map(|matters| with_facets(staged.propositions, matters, &events));
        let goals = self.goals(&mut fields);
        let balance = fields.take("balance").and_then(|node| self.balance(node));
        let hardest = fields.take("hardest").and_then(|node| self.hardest(node));
        let length = self.length(&mut fields);
        let questions = self.questions(&mut fields);
        if fields.declares_badly() {
            return None;
        }
        // Without places, roles and the names of matters nothing can be said of the rest; all else can be filled in.
        let (roles, places, matters, propositions) = (roles?, places?, staged.matters?, propositions?);
        let nowhere = Spanned::new(String::new(), Span::default());
        let start =
            start.unwrap_or_else(|| Start::Everyone(first_place(&places).unwrap_or(&nowhere).clone()));
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
            draws,
            verbs: verbs.unwrap_or_default(),
            containers: staged.containers,
            objects: staged.objects,
            propositions,
            matters,
            style: staged.style,
            packs: staged.packs,
            wording: staged.wording,
            is_reworded: false,
            prospects: staged.prospects,
            rules: staged.rules,
            scenarios,
            profiles: staged.profiles,
            place_pool: place_pool.flatten(),
            attitudes: staged.attitudes,
            trust: staged.trust,
            play: staged.play,
            friends: staged.friends,
            groups: staged.groups,
            events,
            goals,
            balance,
            hardest,
            length,
            questions,
            weave: None,
            files: Vec::new(),
            weights: None,
        })
    }

    fn events(&mut self, fields: &mut Fields) -> Vec<Event> {
        let events = self.list_of(fields, "events");
        events.into_iter().filter_map(|node| self.event(node)).collect()
    }

    fn questions(&mut self, fields: &mut Fields) -> Vec<Question> {
        let questions = self.list_of(fields, "questions");
        questions.into_iter().filter_map(|node| self.question(node)).collect()
    }

    fn goals(&mut self, fields: &mut Fields) -> Vec<Goal> {
        let goals = self.list_of(fields, "ensure");
        goals.into_iter().filter_map(|node| self.goal(node)).collect()
    }

    /// The verbs for moving. The default stands nowhere.
    fn verbs(&mut self, fields: &mut Fields) -> Option<Vec<Name>> {
        match fields.take("verb") {
            Some(node) => self.one_or_more(node, "a verb", Self::phrase),
            None => Some(vec![Spanned::new("enters".to_owned(), Span::default())]),
        }
    }

    /// What there is besides people and places, and how people deal with it.
    fn staged(&mut self, fields: &mut Fields) -> Staged {
        let containers = fields.take("containers").map_or_else(Vec::new, |node| self.containers(node));
        let objects = fields.take("objects").map_or_else(Vec::new, |node| self.objects(node));
        let propositions = fields.take("propositions").map_or_else(Vec::new, |node| self.propositions(node));
        let attitudes =
            fields.take("attitudes").and_then(|node| self.names(node, "a thing to like", Self::name));
        let matters = match fields.take("matters") {
            Some(node) => self.matters(node),
            None => Some(Vec::new()),
        };
        let style = fields.take("style").and_then(|node| self.style(node));
        let packs = fields.take("packs").map_or_else(Vec::new, |node| self.packs(node));
        let wording = fields.take("wording").and_then(|node| self.wording(node));
        let prospects = fields.take("prospects").map_or_else(Vec::new, |node| self.prospects(node));
        let rules = fields.take("rules").and_then(|node| self.rule_choice(node));
        let profiles = fields.take("profiles").map_or_else(Profiles::default, |node| self.profiles(node));
        let trust = fields.take("trust").and_then(|node| self.trust(node));
        let play = fields.take("play").map_or_else(Vec::new, |node| self.play(node));
        let friends = fields.take("friends").map_or_else(Vec::new, |node| self.friends(node));
        let groups = fields.take("groups").map_or_else(Vec::new, |node| self.groups(node));
        Staged {
            containers,
            objects,
            propositions,
            matters,
            style: style.unwrap_or_default(),
            packs,
            wording,
            prospects,
            rules,
            profiles,
            attitudes: attitudes.unwrap_or_default(),
            trust,
            play,
            friends,
            groups,
        }
    }

    /// The roles, if they can be read. The outer `None` means that there are too many to go on.
    fn roles(&mut self, node: Node) -> Option<Option<Vec<Name>>> {
        let span = node.span;
        let roles = self.names(node, "a role", Self::identifier);
        if let Some(roles) = &roles
            && roles.len() > ENTRIES_MAX
        {
            let message = format!("`roles` has at most {ENTRIES_MAX} entries");
            self.problem(Diagnostic::error(message, span, format!("{} here", roles.len())));
            return None;
        }
        Some(roles)
    }

    /// The entries of a list that may be missing.
    fn list_of(&mut self, fields: &mut Fields, key: &str) -> Vec<Node> {
        fields.take(key).map_or_else(Vec::new, |node| self.list(node, &format!("`{key}`"), ENTRIES_MAX))
    }

    fn version(&mut self, fields: &mut Fields) {
        let Some(node) = self.required(fields, "storysim") else { return };
        if node.kind != Kind::Scalar("1".to_owned()) {
            self.problem(
                Diagnostic::error("this format version is not supported", node.span, "has to be 1")
                    .help("this program reads storyboards of version 1"),
            );
        }
    }

    fn board_name(&mut self, node: Node) -> Option<Name> {
        let name = self.name(node, "the storyboard's name")?;
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !name.value.chars().all(fits) {
            let help = "use a-z, 0-9 and `-`";
            self.problem(
                Diagnostic::error("this is not a valid name for a storyboard", name.span, "").help(help),
            );
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

    /// The length of a story, which scenarios say if there are any.
    fn horizon(&mut self, fields: &mut Fields, scenarios: Option<Span>) -> Option<Number> {
        let Some(scenarios) = scenarios else {
            // Whoever has misspelt the one key does not need the other.
            if fields.means("scenarios") {
                return fields.take("horizon").and_then(|node| self.number(node));
            }
            return self.required(fields, "horizon").and_then(|node| self.number(node));
        };
        let (span, node) = fields.take_with_key("horizon")?;
        let problem = Diagnostic::error("`scenarios` says already how long a story is", span, "besides them");
        self.problem(problem.label(scenarios, "here").help("leave `horizon` out"));
        self.number(node)
    }

    /// The places, and the pack from which they get their names, if they do.
    pub(crate) fn places(&mut self, node: Node) -> Option<(Places, Option<Name>)> {
        let mut entries = self.entries(node, "`places`")?;
        let is_complete = |node: &Node| node.kind == Kind::Scalar("complete".to_owned());
        if let [(first, _), (second, _)] = entries.as_slice()
            && is_complete(first)
            && second.kind == Kind::Scalar("pool".to_owned())
        {
            let pool = self.phrase(entries.remove(1).1, "a pack");
            let count = self.place_count(entries.remove(0).1);
            return Some((Places::Complete(count?), Some(pool?)));
        }
        if entries.len() == 1 && is_complete(&entries[0].0) {
            let (_, list) = entries.remove(0);
            return self.names(list, "a place", Self::name).map(|names| (Places::Complete(names), None));
        }
        let mut ways = Vec::new();
        for (key, value) in entries {
            let name = self.name(key, "a place");
            let next = self.names(value, "a place", Self::name);
            if let (Some(name), Some(next)) = (name, next) {
                ways.push((name, next));
            }
        }
        Some((Places::Ways(ways), None))
    }

    /// So many places, whose names are drawn for each story.
    fn place_count(&mut self, node: Node) -> Option<Vec<Name>> {
        let span = node.span;
        let text = self.text(node, "`complete`")?;
        let count = text.value.parse::<usize>().ok().filter(|count| (1..=PLACES_OF_POOL_MAX).contains(count));
        let Some(count) = count else {
            let message =
                format!("`complete` beside `pool` is a plain number from 1 to {PLACES_OF_POOL_MAX}");
            self.problem(Diagnostic::error(message, span, "so many places a story has"));
            return None;
        };
        Some((1..=count).map(|at| Spanned::new(format!("place_{at}"), span)).collect())
    }

    fn start(&mut self, node: Node, places: Option<&Places>) -> Option<Start> {
        if node.kind == Kind::Scalar("drawn".to_owned())
            && !places.is_some_and(|places| has_place(places, "drawn"))
        {
            return Some(Start::Drawn(node.span));
        }
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
            if let Some(name) = name.and_then(|name| self.no_word_of_expressions(name, "a parameter")) {
                parameters.push((name, default.unwrap_or(1)));
            }
        }
        parameters
    }

    /// The name of a number, unless it is a word of expressions.
    fn no_word_of_expressions(&mut self, name: Name, what: &str) -> Option<Name> {
        if !matches!(name.value.as_str(), "end" | "min" | "max") {
            return Some(name);
        }
        let message = format!("{what} cannot be called `{}`", name.value);
        self.problem(Diagnostic::error(message, name.span, "reserved for expressions"));
        None
    }

    fn draws(&mut self, node: Node, parameters: &[(Name, i64)]) -> Vec<Drawn> {
        let mut draws = Vec::new();
        let span = node.span;
        let entries = self.entries(node, "`draw`").unwrap_or_default();
        if entries.len() > DRAWS_MAX {
            let message = format!("`draw` has at most {DRAWS_MAX} entries");
            self.problem(Diagnostic::error(message, span, format!("{} here", entries.len())));
            return draws;
        }
        for (key, value) in entries {
            let name = self.identifier(key, "a drawn number");
            let name = name.and_then(|name| self.no_word_of_expressions(name, "a drawn number"));
            let bounds = self.bounds(value, "a drawn number");
            let Some(name) = name else { continue };
            if let Some((other, _)) = parameters.iter().find(|(other, _)| other.value == name.value) {
                let message = format!("`{}` is already a parameter", name.value);
                let problem = Diagnostic::error(message, name.span, "a drawn number needs a name of its own");
                self.problem(problem.label(other.span, "the parameter"));
                continue;
            }
            // What cannot be read is filled in, so that its name is known.
            let filled_in = || Spanned::new(Expression::Integer(1), name.span);
            let (least, most) = bounds.unwrap_or_else(|| (filled_in(), filled_in()));
            draws.push(Drawn { name, least, most });
        }
        draws
    }
}
