//! From names to indices, and from expressions to numbers, with every problem found on the way.

use std::collections::HashMap;

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Dfs;

use crate::diagnostic::{Diagnostic, Span, Spanned, did_you_mean};
use crate::id::{CharacterId, PlaceId};
use crate::plan::{Note, NotePiece, Question};
use crate::storyboard::{
    self, Name, NotePart, Number, Places, Pool, QuestionKind, Start, Storyboard, THINGS, Verb, When,
    built_in_pool,
};
use crate::world::Map;

/// A story may have this many steps.
pub const HORIZON_MAX: usize = 1_000_000;

/// Following all chains of a storyboard may take this many cells: 128 MB a thread.
const CHAIN_CELLS_MAX: usize = 1 << 26;

/// A map may have this many ways.
const WAYS_MAX: usize = 1_000_000;

/// A storyboard without names and expressions.
#[derive(Clone, Debug)]
pub struct Resolved {
    pub parameters: Vec<(String, i64)>,
    pub horizon: usize,
    pub map: Map,
    pub graph: DiGraph<(), ()>,
    pub place_names: Vec<String>,
    pub pool: Vec<String>,
    pub character_count: usize,
    pub role_names: Vec<String>,
    pub start: Vec<Place>,
    pub binds: Vec<Bind>,
    pub conditions: Vec<Condition>,
    pub notes: Vec<Note>,
    pub questions: Vec<Question>,
}

/// A place, or what a bind will stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    Fixed(PlaceId),
    Bound(usize),
}

impl Place {
    pub fn under(self, binds: &[PlaceId]) -> PlaceId {
        match self {
            Self::Fixed(place) => place,
            Self::Bound(bind) => binds[bind],
        }
    }
}

#[derive(Clone, Debug)]
pub struct Bind {
    pub name: String,
    pub span: Span,
    pub next_to: Option<Place>,
    pub not: Vec<Place>,
}

/// Something that must hold in a window of steps, which is not empty.
#[derive(Clone, Debug)]
pub struct Condition {
    pub from: usize,
    pub until: usize,
    pub demand: Demand,
    pub span: Span,
}

/// What must hold. The next verbs join here, and in `rule.rs`, which gives them their meaning.
#[derive(Clone, Debug)]
pub enum Demand {
    Move { who: CharacterId, to: Place },
    Meet { who: Vec<CharacterId>, place: Place },
    Idle { who: Vec<CharacterId> },
}

impl Demand {
    /// Whether it says what the event of its step is.
    fn is_forced(&self) -> bool {
        !matches!(self, Self::Idle { .. })
    }
}

/// Resolves a storyboard; `settings` override its parameters.
pub fn resolve(
    storyboard: &Storyboard,
    settings: &[(String, i64)],
    warnings: &mut Vec<Diagnostic>,
) -> Result<Resolved, Vec<Diagnostic>> {
    let mut resolver =
        Resolver { storyboard, parameters: HashMap::new(), horizon: None, problems: Vec::new() };
    let resolved = resolver.resolve(settings, warnings);
    match resolved {
        Some(resolved) if resolver.problems.is_empty() => Ok(resolved),
        _ => Err(resolver.problems),
    }
}

struct Resolver<'a> {
    storyboard: &'a Storyboard,
    parameters: HashMap<&'a str, i64>,
    horizon: Option<usize>,
    problems: Vec<Diagnostic>,
}

/// The names that places go by.
struct Scope<'a> {
    places: HashMap<&'a str, PlaceId>,
    binds: HashMap<&'a str, usize>,
    roles: HashMap<&'a str, CharacterId>,
    characters: Vec<String>,
}

impl<'a> Resolver<'a> {
    fn resolve(&mut self, settings: &[(String, i64)], warnings: &mut Vec<Diagnostic>) -> Option<Resolved> {
        let board = self.storyboard;
        let mut parameters: Vec<(String, i64)> =
            board.parameters.iter().map(|(name, value)| (name.value.clone(), *value)).collect();
        for (name, value) in &mut parameters {
            if let Some((_, setting)) = settings.iter().find(|(set, _)| set == name) {
                *value = *setting;
            }
        }
        let values = board.parameters.iter().zip(&parameters);
        self.parameters = values.map(|((name, _), (_, value))| (name.value.as_str(), *value)).collect();
        let horizon = self.horizon();
        self.horizon = horizon;

        let (pool, character_count) = self.characters();
        let (ways, place_names) = self.places();
        let scope = self.scope(&place_names, &pool);
        if let Some(count) = character_count
            && board.roles.len() > count
        {
            let message =
                format!("{} roles need as many characters, and a story has {count}", board.roles.len());
            self.problem(Diagnostic::error(message, board.roles[count].span, "nobody is left for this one"));
        }
        let (map, graph) = self.map(ways, &place_names, &scope);
        let binds = self.binds(&scope);
        let start = self.start(&scope, character_count);
        let conditions = self.conditions(&scope);
        self.overlaps(&conditions);
        let notes = self.notes(&scope);
        let questions = self.questions(&scope);
        if let Some(count) = character_count
            && count > THINGS.len()
            && let Some(question) =
                board.questions.iter().find(|question| question.kind == QuestionKind::WorldThings)
        {
            let message =
                format!("`world_things` has names for {} things, and a story has {count}", THINGS.len());
            self.problem(Diagnostic::error(message, question.span, "needs a name for every character"));
        }
        if board.questions.is_empty() {
            let message = "this storyboard asks nothing, so it gives no rows";
            warnings.push(Diagnostic::warning(message, board.name.span, "no `questions`"));
        }
        if self.problems.is_empty() {
            unreachable_places(&graph, start.as_deref()?, &binds, &place_names, board, warnings);
        }
        Some(Resolved {
            parameters,
            horizon: horizon?,
            map,
            graph,
            place_names,
            pool,
            character_count: character_count?,
            role_names: board.roles.iter().map(|role| role.value.clone()).collect(),
            start: start?,
            binds,
            conditions,
            notes,
            questions,
        })
    }

    /// "did you mean": comparing names is slow, and nobody reads the hundredth suggestion.
    fn suggest<'n>(&self, written: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
        if self.problems.len() < 100 { did_you_mean(written, sorted(known)) } else { None }
    }

    fn problem(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    fn number(&mut self, number: &Number) -> Option<i64> {
        let value = {
            let lookup = |name: &str| match name {
                "end" => self.horizon.map(|horizon| horizon as i64),
                _ => self.parameters.get(name).copied(),
            };
            number.value.evaluate(&lookup)
        };
        match value {
            Ok(value) => Some(value),
            // Without a horizon there is another message, and `end` is not to blame.
            Err(storyboard::EvaluationError::UnknownName(name, _))
                if name == "end" && self.horizon.is_none() && number.span != self.storyboard.horizon.span =>
            {
                None
            }
            Err(error) => {
                let mut known: Vec<&str> =
                    self.storyboard.parameters.iter().map(|(name, _)| name.value.as_str()).collect();
                if number.span != self.storyboard.horizon.span {
                    known.push("end");
                }
                let problem = error.diagnostic(number.span, known);
                self.problem(problem);
                None
            }
        }
    }

    fn horizon(&mut self) -> Option<usize> {
        let number = &self.storyboard.horizon;
        let value = self.number(number)?;
        match usize::try_from(value) {
            Ok(horizon @ 1..=HORIZON_MAX) => Some(horizon),
            _ => {
                let message = format!("a story has 1 to {HORIZON_MAX} steps");
                self.problem(Diagnostic::error(message, number.span, format!("this is {value}")));
                None
            }
        }
    }

    fn characters(&mut self) -> (Vec<String>, Option<usize>) {
        let characters = &self.storyboard.characters;
        let pool: Vec<String> = match &characters.pool {
            Pool::Names(names) => {
                self.no_duplicates(names, "character");
                names.iter().map(|name| name.value.clone()).collect()
            }
            Pool::BuiltIn(name) => match built_in_pool(&name.value) {
                Some(names) => names.iter().map(|&name| name.to_owned()).collect(),
                None => {
                    let known: Vec<String> =
                        storyboard::built_in_pools().map(|pool| format!("`{pool}`")).collect();
                    let help = format!("a list of names, or one of {}", known.join(", "));
                    let message = format!("no built-in pool is called `{}`", name.value);
                    self.problem(Diagnostic::error(message, name.span, "not known").help(help));
                    return (Vec::new(), None);
                }
            },
        };
        let Some(count) = &characters.count else {
            if pool.is_empty() {
                let Pool::Names(_) = &characters.pool else { unreachable!("built-in pools are not empty") };
                let span = self.storyboard.name.span;
                self.problem(Diagnostic::error("this storyboard has no characters", span, "`pool` is empty"));
            }
            return (pool.clone(), Some(pool.len()).filter(|&count| count > 0));
        };
        let value = self.number(count);
        let fits =
            value.and_then(|value| usize::try_from(value).ok()).filter(|n| (1..=pool.len()).contains(n));
        if let (Some(value), None) = (value, fits) {
            let message =
                format!("the pool has {} names, so a story has 1 to {} characters", pool.len(), pool.len());
            self.problem(Diagnostic::error(message, count.span, format!("this is {value}")));
        }
        (pool, fits)
    }

    /// The ways out of every place as written, and the names of the places.
    fn places(&mut self) -> (Vec<Vec<Name>>, Vec<String>) {
        let (ways, names) = match &self.storyboard.places {
            Places::Ways(ways) => (
                ways.iter().map(|(_, next)| next.clone()).collect(),
                ways.iter().map(|(name, _)| name.value.clone()).collect(),
            ),
            Places::Complete(names) => {
                self.no_duplicates(names, "place");
                let others =
                    |name: &Name| names.iter().filter(|other| other.value != name.value).cloned().collect();
                let fits = names.len().saturating_mul(names.len()) <= WAYS_MAX;
                if !fits {
                    let message = format!("a map has at most {WAYS_MAX} ways");
                    self.problem(Diagnostic::error(
                        message,
                        names[0].span,
                        format!("{} places here", names.len()),
                    ));
                }
                let ways = names.iter().map(|name| if fits { others(name) } else { Vec::new() }).collect();
                (ways, names.iter().map(|name| name.value.clone()).collect::<Vec<String>>())
            }
        };
        if names.len() < 2 {
            let span = self.storyboard.name.span;
            let message = "a story needs at least two places";
            self.problem(Diagnostic::error(message, span, format!("`places` has {}", names.len())));
        }
        if names.len() > PlaceId::COUNT_MAX {
            let span = self.storyboard.name.span;
            let message = format!("a storyboard has at most {} places", PlaceId::COUNT_MAX);
            self.problem(Diagnostic::error(message, span, format!("`places` has {}", names.len())));
            return (Vec::new(), Vec::new());
        }
        (ways, names)
    }

    fn scope(&mut self, place_names: &[String], pool: &[String]) -> Scope<'a> {
        let board = self.storyboard;
        self.no_duplicates(&board.roles, "role");
        let names: Vec<&'a Name> = match &board.places {
            Places::Ways(ways) => ways.iter().map(|(name, _)| name).collect(),
            Places::Complete(names) => names.iter().collect(),
        };
        let mut places = HashMap::new();
        for (at, name) in names.iter().take(place_names.len()).enumerate() {
            places.entry(name.value.as_str()).or_insert(PlaceId::new(at));
        }
        let roles = board.roles.iter().take(CharacterId::COUNT_MAX).enumerate();
        let roles: HashMap<&str, CharacterId> =
            roles.map(|(at, role)| (role.value.as_str(), CharacterId::new(at))).collect();
        let mut binds = HashMap::new();
        for (at, bind) in board.binds.iter().enumerate() {
            let name = bind.name.value.as_str();
            let taken = if places.contains_key(name) {
                Some("place")
            } else if roles.contains_key(name) {
                Some("role")
            } else {
                None
            };
            if let Some(taken) = taken {
                let message = format!("`{name}` is the name of a {taken} already");
                self.problem(Diagnostic::error(message, bind.name.span, "a bind needs a name of its own"));
            }
            binds.insert(name, at);
        }
        for role in &board.roles {
            if role.value == "else" {
                self.problem(Diagnostic::error(
                    "no role can be called `else`",
                    role.span,
                    "has a meaning in `start`",
                ));
            }
        }
        Scope { places, binds, roles, characters: pool.to_vec() }
    }

    fn no_duplicates(&mut self, names: &[Name], what: &str) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for name in names {
            if let Some(&first) = seen.get(name.value.as_str()) {
                let message = format!("the {what} `{}` stands twice", name.value);
                self.problem(Diagnostic::error(message, name.span, "the second").label(first, "the first"));
            } else {
                seen.insert(&name.value, name.span);
            }
        }
    }

    fn map(&mut self, ways: Vec<Vec<Name>>, place_names: &[String], scope: &Scope) -> (Map, DiGraph<(), ()>) {
        let written: Vec<&Name> = match &self.storyboard.places {
            Places::Ways(ways) => ways.iter().map(|(name, _)| name).collect(),
            Places::Complete(names) => names.iter().collect(),
        };
        let mut resolved: Vec<Vec<PlaceId>> = Vec::with_capacity(ways.len());
        for (at, next) in ways.iter().enumerate() {
            let here = written[at];
            let mut leads_to: Vec<PlaceId> = Vec::with_capacity(next.len());
            let mut seen = std::collections::HashSet::new();
            for name in next {
                let Some(&place) = scope.places.get(name.value.as_str()) else {
                    let help =
                        self.suggest(&name.value, place_names.iter().map(String::as_str)).unwrap_or_else(
                            || "every place that can be entered needs an entry of its own".into(),
                        );
                    let message = format!("no place is called `{}`", name.value);
                    self.problem(Diagnostic::error(message, name.span, "not known").help(help));
                    continue;
                };
                if name.value == here.value {
                    let message = format!("`{}` leads to itself", here.value);
                    let help = "a move changes the place; take this way out";
                    self.problem(Diagnostic::error(message, name.span, "from a place to itself").help(help));
                } else if !seen.insert(place) {
                    let message = format!("the way from `{}` to `{}` stands twice", here.value, name.value);
                    self.problem(Diagnostic::error(message, name.span, "the second"));
                } else {
                    leads_to.push(place);
                }
            }
            // Where all ways out are wrong, that has been said.
            if next.is_empty() && ways.len() > 1 && matches!(self.storyboard.places, Places::Ways(_)) {
                let message = format!("`{}` cannot be left", here.value);
                let help = "give it a way out: whoever is drawn to act must be able to move";
                self.problem(Diagnostic::error(message, here.span, "a place without a way out").help(help));
            }
            resolved.push(leads_to);
        }
        let count: usize = resolved.iter().map(Vec::len).sum();
        if count > WAYS_MAX {
            let span = self.storyboard.name.span;
            self.problem(Diagnostic::error(
                format!("a map has at most {WAYS_MAX} ways"),
                span,
                format!("{count} here"),
            ));
        }
        let mut graph = DiGraph::with_capacity(resolved.len(), count);
        for _ in &resolved {
            graph.add_node(());
        }
        for (from, next) in resolved.iter().enumerate() {
            for to in next {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to.index()), ());
            }
        }
        (Map::new(&resolved), graph)
    }

    fn place(&mut self, scope: &Scope, name: &Name) -> Option<Place> {
        if let Some(&place) = scope.places.get(name.value.as_str()) {
            return Some(Place::Fixed(place));
        }
        if let Some(&bind) = scope.binds.get(name.value.as_str()) {
            return Some(Place::Bound(bind));
        }
        let known = scope.places.keys().chain(scope.binds.keys()).copied();
        let help = self.suggest(&name.value, known);
        let message = format!("no place or bind is called `{}`", name.value);
        self.problem(Diagnostic::error(message, name.span, "not known").maybe_help(help));
        None
    }

    fn role(&mut self, scope: &Scope, name: &Name) -> Option<CharacterId> {
        if let Some(&role) = scope.roles.get(name.value.as_str()) {
            return Some(role);
        }
        let help = if scope.characters.contains(&name.value) {
            Some(
                "this is a character; storyboards speak of roles: name one under `roles`, and write that"
                    .to_owned(),
            )
        } else {
            let known = scope.roles.keys().copied();
            self.suggest(&name.value, known)
                .or_else(|| Some("every role that is used stands under `roles`".to_owned()))
        };
        let message = format!("no role is called `{}`", name.value);
        self.problem(Diagnostic::error(message, name.span, "not known").maybe_help(help));
        None
    }

    /// Distinct roles.
    fn company(&mut self, scope: &Scope, names: &[Name]) -> Option<Vec<CharacterId>> {
        let before = self.problems.len();
        self.no_duplicates(names, "role");
        let roles: Vec<CharacterId> = names.iter().filter_map(|name| self.role(scope, name)).collect();
        (self.problems.len() == before).then_some(roles)
    }

    fn binds(&mut self, scope: &Scope) -> Vec<Bind> {
        let mut binds = Vec::new();
        for bind in &self.storyboard.binds {
            let own = |resolver: &mut Self, name: &Name| {
                if name.value == bind.name.value {
                    let message = format!("the bind `{}` refers to itself", bind.name.value);
                    resolver.problem(Diagnostic::error(message, name.span, "itself"));
                    return None;
                }
                resolver.place(scope, name)
            };
            let next_to = bind.next_to.as_ref().and_then(|name| own(self, name));
            let not = bind.not.iter().filter_map(|name| own(self, name)).collect();
            binds.push(Bind { name: bind.name.value.clone(), span: bind.name.span, next_to, not });
        }
        binds
    }

    fn start(&mut self, scope: &Scope, character_count: Option<usize>) -> Option<Vec<Place>> {
        match &self.storyboard.start {
            Start::Everyone(name) => {
                let place = self.place(scope, name);
                Some(vec![place?; character_count?])
            }
            Start::Each { roles, others, span } => {
                let others = others.as_ref().and_then(|name| self.place(scope, name));
                let mut start = vec![others; character_count.unwrap_or(0)];
                for (role, place) in roles {
                    let (who, place) = (self.role(scope, role), self.place(scope, place));
                    if let (Some(who), Some(place)) = (who, place)
                        && who.index() < start.len()
                    {
                        start[who.index()] = Some(place);
                    }
                }
                let nowhere = start.iter().filter(|place| place.is_none()).count();
                if nowhere > 0 && self.problems.is_empty() {
                    let message =
                        format!("{nowhere} of {} characters have no place to start from", start.len());
                    self.problem(Diagnostic::error(message, *span, "").help("add `else: PLACE`"));
                }
                character_count?;
                start.into_iter().collect()
            }
        }
    }

    fn conditions(&mut self, scope: &Scope) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for event in &self.storyboard.events {
            let window = self.window(&event.when);
            let demand = match &event.verb {
                Verb::Move { who, to } => {
                    let (who, to) = (self.role(scope, who), self.place(scope, to));
                    who.zip(to).map(|(who, to)| Demand::Move { who, to })
                }
                Verb::Meet { who, place } => {
                    if who.len() < 2 {
                        let message = "a meeting needs at least two roles";
                        self.problem(Diagnostic::error(message, event.span, format!("{} here", who.len())));
                    }
                    let (who, place) = (self.company(scope, who), self.place(scope, place));
                    who.zip(place).map(|(who, place)| Demand::Meet { who, place })
                }
                Verb::Idle { who } => self.company(scope, who).map(|who| Demand::Idle { who }),
                Verb::Note { .. } => continue,
            };
            if let (Some((from, until)), Some(demand)) = (window, demand)
                && from < until
            {
                conditions.push(Condition { from, until, demand, span: event.span });
            }
        }
        conditions
    }

    /// The steps from the first up to but not including the second.
    fn window(&mut self, when: &When) -> Option<(usize, usize)> {
        let horizon = self.horizon;
        match when {
            When::At(at) => {
                let step = self.number(at)?;
                let horizon = horizon?;
                match usize::try_from(step) {
                    Ok(step) if step < horizon => Some((step, step + 1)),
                    _ => {
                        let message = format!("this story has the steps 0 to {}", horizon - 1);
                        let problem = Diagnostic::error(message, at.span, format!("this is step {step}"))
                            .label(self.storyboard.horizon.span, format!("the horizon is {horizon}"));
                        self.problem(problem);
                        None
                    }
                }
            }
            When::Until(from, until) => {
                let (first, last) = (self.number(from), self.number(until));
                self.bounded(from, first?, until, last?)
            }
            When::For(from, length) => {
                let (first, steps) = (self.number(from)?, self.number(length)?);
                let Some(last) = first.checked_add(steps) else {
                    self.problem(Diagnostic::error(
                        "this number is too large",
                        length.span,
                        "beyond 64 bits",
                    ));
                    return None;
                };
                self.bounded(from, first, length, last)
            }
        }
    }

    fn bounded(&mut self, from: &Number, first: i64, until: &Number, last: i64) -> Option<(usize, usize)> {
        let horizon = self.horizon?;
        if first > last {
            let message = "this window ends before it begins";
            let problem = Diagnostic::error(message, until.span, format!("it ends before step {last}"))
                .label(from.span, format!("it begins at step {first}"));
            self.problem(problem);
            return None;
        }
        let bound = |value: i64| usize::try_from(value).ok().filter(|&step| step <= horizon);
        match (bound(first), bound(last)) {
            (Some(first), Some(last)) => Some((first, last)),
            _ => {
                let message =
                    format!("this window leaves the story, which has the steps 0 to {}", horizon - 1);
                let problem =
                    Diagnostic::error(message, from.span, format!("from step {first} until {last}"))
                        .label(self.storyboard.horizon.span, format!("the horizon is {horizon}"))
                        .help("`until: end` reaches to the end whatever the horizon");
                self.problem(problem);
                None
            }
        }
    }

    /// Two conditions that both say what the event of a step is.
    fn overlaps(&mut self, conditions: &[Condition]) {
        let mut forced: HashMap<usize, Span> = HashMap::new();
        for condition in conditions.iter().filter(|condition| condition.demand.is_forced()) {
            if let Some(&first) = forced.get(&condition.from) {
                let message =
                    format!("step {} has two forced events, and a step has one event", condition.from);
                let problem =
                    Diagnostic::error(message, condition.span, "the second").label(first, "the first");
                self.problem(problem);
            } else {
                forced.insert(condition.from, condition.span);
            }
        }
    }

    fn notes(&mut self, scope: &Scope) -> Vec<Note> {
        let mut notes = Vec::new();
        for event in &self.storyboard.events {
            let Verb::Note { text } = &event.verb else { continue };
            let window = self.window(&event.when);
            let mut pieces = Vec::new();
            for part in text {
                match part {
                    NotePart::Text(text) => pieces.push(NotePiece::Text(text.clone())),
                    NotePart::Name(name) => {
                        if let Some(&role) = scope.roles.get(name.value.as_str()) {
                            pieces.push(NotePiece::Character(role));
                        } else if let Some(&bind) = scope.binds.get(name.value.as_str()) {
                            pieces.push(NotePiece::Bind(bind));
                        } else {
                            let known = scope.roles.keys().chain(scope.binds.keys()).copied();
                            let help = self.suggest(&name.value, known);
                            let message = format!("no role or bind is called `{}`", name.value);
                            self.problem(Diagnostic::error(message, name.span, "not known").maybe_help(help));
                        }
                    }
                }
            }
            if let Some((step, _)) = window {
                notes.push(Note { step, text: pieces });
            }
        }
        notes.sort_by_key(|note| note.step);
        notes
    }

    fn questions(&mut self, scope: &Scope) -> Vec<Question> {
        let mut questions = Vec::new();
        for question in &self.storyboard.questions {
            let before = self.problems.len();
            let roles: Vec<CharacterId> =
                question.roles.iter().filter_map(|name| self.role(scope, name)).collect();
            if self.problems.len() > before {
                continue;
            }
            match question.kind {
                QuestionKind::Belief => self.check_chain(&question.roles),
                QuestionKind::World | QuestionKind::WorldThings => {
                    self.no_duplicates(&question.roles, "role")
                }
                QuestionKind::Reality | QuestionKind::Start => {}
            }
            if let Some((&target, others)) = roles.split_last() {
                questions.push(Question { kind: question.kind, others: others.to_vec(), target });
            }
        }
        self.check_chain_cells(&questions);
        questions
    }

    /// What following the chains of all questions takes, before every step.
    fn check_chain_cells(&mut self, questions: &[Question]) {
        let Some(horizon) = self.horizon else { return };
        let cells = |question: &Question| (question.others.len() + 1).pow(2);
        let total: usize = questions.iter().map(cells).sum();
        if total.saturating_mul(horizon) > CHAIN_CELLS_MAX || total > CHAIN_CELLS_MAX / 64 {
            let board = &self.storyboard.questions;
            let longest =
                board.iter().max_by_key(|question| question.roles.len()).expect("there are questions");
            let message = "the chains of these questions are too long for stories of so many steps";
            let help = format!("steps times the sum of (order + 1)² is at most {CHAIN_CELLS_MAX}");
            self.problem(Diagnostic::error(message, longest.span, "the longest").help(help));
        }
    }

    fn check_chain(&mut self, roles: &[Name]) {
        for (at, pair) in roles.windows(2).enumerate() {
            if pair[0].value != pair[1].value {
                continue;
            }
            let is_last = at + 2 == roles.len();
            let message = if is_last {
                format!("the last mind of this chain is its target, `{}`", pair[1].value)
            } else {
                format!("this chain names `{}` twice in succession", pair[1].value)
            };
            let help = if is_last {
                "everyone knows where she herself is: leave out the last mind"
            } else {
                "everyone knows what she herself thinks: leave out one of the two"
            };
            self.problem(
                Diagnostic::error(message, pair[1].span, "the second")
                    .label(pair[0].span, "the first")
                    .help(help),
            );
        }
    }
}

/// In an order that is the same in every run.
fn sorted<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names
}

/// Warns of places where nobody can ever be.
fn unreachable_places(
    graph: &DiGraph<(), ()>,
    start: &[Place],
    binds: &[Bind],
    place_names: &[String],
    board: &Storyboard,
    warnings: &mut Vec<Diagnostic>,
) {
    let mut reached = vec![false; graph.node_count()];
    for place in start {
        let Place::Fixed(place) = place else {
            debug_assert!(!binds.is_empty());
            return; // wherever that bind may be
        };
        if reached[place.index()] {
            continue;
        }
        let mut search = Dfs::new(graph, NodeIndex::new(place.index()));
        while let Some(node) = search.next(graph) {
            reached[node.index()] = true;
        }
    }
    let spans: Vec<&Spanned<String>> = match &board.places {
        Places::Ways(ways) => ways.iter().map(|(name, _)| name).collect(),
        Places::Complete(names) => names.iter().collect(),
    };
    for (at, name) in place_names.iter().enumerate() {
        if !reached[at] {
            let message = format!("nobody can ever come to `{name}`");
            let help = "it will still be offered as a choice; no answer will name it";
            warnings.push(Diagnostic::warning(message, spans[at].span, "no way leads here").help(help));
        }
    }
}
