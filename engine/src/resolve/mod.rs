//! From names to indices, and from expressions to numbers, with every problem found on the way.

mod balance;
mod conversation;
mod deeds;
mod difficulty;
mod draws;
mod events;
mod holders;
mod length;
mod lives;
mod map;
mod matters;
mod mirror;
mod names;
mod open;
mod prospects;
mod questions;
mod size;
mod staging;
mod tellings;
mod wording;

use std::collections::HashMap;
use std::sync::Arc;

use petgraph::graph::DiGraph;

use crate::diagnostic::{Diagnostic, Span, counted, did_you_mean};
use crate::id::{CharacterId, PlaceId};
use crate::pack::Pack;
pub use crate::plan::Place;
use crate::plan::{
    Balance, Bundle, DeedShare, Goal, Hardest, Length, Memory, Note, Question, Scenarios, Staging,
};
use crate::storyboard::{self, Name, Number, Places, Pool, Start, Storyboard, built_in_pool};
use crate::world::Map;
use difficulty::Asked;
pub use holders::holders;
pub(crate) use lives::cases;
use staging::Named;

/// The largest number of steps in a story.
pub const HORIZON_MAX: usize = 1_000_000;

/// A storyboard whose names are indices and whose expressions are numbers.
///
/// Roles are the first characters; places are numbered as the storyboard lists them.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// Parameters by name with their values, followed by the drawn numbers, each with its smallest value.
    pub parameters: Vec<(String, i64)>,
    /// The smallest and largest value of each drawn number.
    pub draws: Vec<[i64; 2]>,
    /// The number of steps in a story.
    pub horizon: usize,
    /// The ways between places.
    pub map: Map,
    /// The same ways as a graph, for shortest paths and components.
    pub graph: DiGraph<(), ()>,
    /// The name of each place.
    pub place_names: Vec<String>,
    /// The names from which characters are drawn.
    pub pool: Vec<String>,
    /// The number of characters in a story.
    pub character_count: usize,
    /// How many of them, the last ones, only pass by around the storyboard's own part.
    pub passers_by: usize,
    /// The name of each role.
    pub role_names: Vec<String>,
    /// Where each character starts.
    pub start: Vec<Place>,
    /// The places that are drawn for a story.
    pub binds: Vec<Bind>,
    /// What must hold during a story.
    pub conditions: Vec<Condition>,
    /// The memories of whether somebody has moved, for conditions that depend on it.
    pub memories: Vec<Memory>,
    /// What must hold at the end of a story.
    pub goals: Vec<Ensured>,
    /// Of how many walks the hardest is taken, and by what, if the storyboard says so.
    pub hardest: Option<Hardest>,
    /// How long stories are made, if the storyboard says so.
    pub length: Option<Length>,
    /// The shares among the stories that are kept, if the storyboard demands any.
    pub balance: Option<Balance>,
    /// The sentences that the storyboard adds, which change nothing.
    pub notes: Vec<Note>,
    /// Things, deeds and attention, if the storyboard has any.
    pub staging: Option<Staging>,
    /// How sentences are worded, if not plainly.
    pub wording: Option<Arc<Pack>>,
    /// How a story is divided, if it is.
    pub scenarios: Option<Scenarios>,
    /// The questions of the storyboard.
    pub questions: Vec<Question>,
    /// For each of the questions, its number among those that the author writes.
    pub authored: Vec<usize>,
    /// Those that an author writes as one.
    pub bundles: Vec<Bundle>,
}

impl Resolved {
    /// The things and deeds, if the storyboard has any besides people who walk.
    pub fn things(&self) -> Option<&Staging> {
        self.staging.as_ref().filter(|staging| !staging.is_bare())
    }

    /// How often free play draws something that leaves everyone where they are, if it ever does.
    pub fn play(&self) -> Option<DeedShare> {
        self.staging.as_ref().and_then(Staging::share)
    }
}

/// A place that is drawn for a story, from those that meet its conditions.
#[derive(Clone, Debug)]
pub struct Bind {
    /// The name in the storyboard.
    pub name: String,
    /// Where the storyboard declares it.
    pub span: Span,
    /// The place next to which it must be, if any.
    pub next_to: Option<Place>,
    /// The places that it must not be.
    pub not: Vec<Place>,
}

/// A demand that must hold in a window of steps, which is not empty.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The first step of the window.
    pub from: usize,
    /// The step after the last one of the window.
    pub until: usize,
    /// What must hold after each of these steps.
    pub demand: Demand,
    /// Where the storyboard demands it.
    pub span: Span,
}

/// A demand on steps. To add a verb, add a variant here and give it its meaning in `compile/rule.rs`.
#[derive(Clone, Debug)]
pub enum Demand {
    /// The event is the move of this character to this place.
    Move {
        /// The character who goes.
        who: CharacterId,
        /// The place that the character goes to.
        to: Place,
    },
    /// These characters are together, and the event is the arrival of one of them.
    Meet {
        /// The characters who meet.
        who: Vec<CharacterId>,
        /// The place where they meet, if the storyboard gives one.
        place: Option<Place>,
    },
    /// None of these characters acts.
    Idle {
        /// The characters who do nothing.
        who: Vec<CharacterId>,
    },
    /// No two of these characters are in the same place.
    Apart {
        /// The characters who avoid each other.
        who: Vec<CharacterId>,
    },
    /// All of these characters are in the same place.
    Together {
        /// The characters who stay together.
        who: Vec<CharacterId>,
    },
    /// None of these characters is seen to move by certain others.
    Unseen {
        /// The characters who move unseen, if they move at all.
        who: Vec<CharacterId>,
        /// The characters who witness none of these moves.
        by: Vec<CharacterId>,
    },
    /// None of these characters is in this place.
    Avoid {
        /// The characters who keep away.
        who: Vec<CharacterId>,
        /// The place from which they keep away.
        place: Place,
    },
    /// These characters go to a place together, starting from the same place.
    GoTogether {
        /// The characters who go.
        who: Vec<CharacterId>,
        /// The place that they go to.
        to: Place,
    },
    /// Somebody does something, and nobody goes anywhere; see [`crate::plan::Staging::deeds`].
    Deed {
        /// The character who does it.
        who: CharacterId,
        /// The place where she does it, if it matters.
        place: Option<Place>,
        /// The characters who are in that place.
        with: Vec<CharacterId>,
        /// The characters who are elsewhere.
        without: Vec<CharacterId>,
    },
    /// A character goes only to where another one is at that time.
    Follow {
        /// The character who follows.
        who: CharacterId,
        /// The character who is followed.
        whom: CharacterId,
        /// The slot of the memory of whether `who` has moved.
        moved: CharacterId,
        /// Whether she must move at least once in the window.
        must_move: bool,
    },
}

impl Demand {
    /// Whether the demand decides what the event of its step is.
    pub fn is_forced(&self) -> bool {
        matches!(self, Self::Move { .. } | Self::Meet { .. } | Self::GoTogether { .. } | Self::Deed { .. })
    }

    /// The number of characters whose places tables have to tell apart because of this demand.
    pub fn cost(&self) -> usize {
        match self {
            Self::Idle { .. } => 0,
            Self::Move { .. } => 1,
            Self::Follow { .. } => 2,
            Self::Meet { who, .. }
            | Self::Apart { who }
            | Self::Together { who }
            | Self::Avoid { who, .. } => who.len(),
            Self::Unseen { who, by } => who.len() + by.len(),
            Self::GoTogether { who, .. } => who.len(),
            Self::Deed { with, without, .. } => 1 + with.len() + without.len(),
        }
    }
}

/// A goal, and where the storyboard demands it.
#[derive(Clone, Debug)]
pub struct Ensured {
    /// The goal that must be met.
    pub goal: Goal,
    /// Where the storyboard demands it.
    pub span: Span,
}

/// Resolves a storyboard; `settings` override its parameters, and names that it does not have are ignored.
///
/// # Errors
/// Everything that is wrong with names and numbers. Problems that are not errors go to `warnings`.
pub fn resolve(
    storyboard: &Storyboard,
    settings: &[(String, i64)],
    warnings: &mut Vec<Diagnostic>,
) -> Result<Resolved, Vec<Diagnostic>> {
    let mut resolver = Resolver {
        storyboard,
        parameters: HashMap::new(),
        largest: HashMap::new(),
        horizon: None,
        unclear: Vec::new(),
        problems: Vec::new(),
    };
    let resolved = resolver.resolve(settings, warnings);
    match resolved {
        Some(resolved) if resolver.problems.is_empty() => Ok(resolved),
        _ => Err(resolver.problems),
    }
}

struct Resolver<'a> {
    storyboard: &'a Storyboard,
    parameters: HashMap<&'a str, i64>,
    /// The largest value of each drawn number, of which the parameters have the smallest.
    largest: HashMap<&'a str, i64>,
    horizon: Option<usize>,
    /// The names of matters of which something is unknown: nothing that follows from that is reported.
    unclear: Vec<String>,
    problems: Vec<Diagnostic>,
}

/// The numbers that names stand for.
struct Scope<'a> {
    places: HashMap<&'a str, PlaceId>,
    binds: HashMap<&'a str, usize>,
    roles: HashMap<&'a str, CharacterId>,
    characters: Vec<String>,
    things: HashMap<&'a str, Named>,
    /// The level of every matter, by its name.
    levels: Vec<(String, u8)>,
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
        let draws = self.draws(settings, &mut parameters);
        let horizon = self.horizon();
        self.horizon = horizon;

        let (pool, character_count) = self.characters();
        let passers_by = character_count.map_or(0, |count| board.passers_by(count, pool.len()));
        let character_count = character_count.map(|count| count + passers_by);
        let (ways, place_names) = self.places();
        let scope = self.scope(&place_names, &pool);
        let wording = self.wording();
        let (map, graph) = self.map(ways, &place_names, &scope);
        let binds = self.binds(&scope);
        let start = self.start(&scope, character_count, passers_by);
        let mut staging = self.staging(&scope, character_count.unwrap_or(0));
        let (mut conditions, memories) = self.conditions(&scope, character_count.unwrap_or(0), &mut staging);
        conditions.extend(self.passing_by(character_count, passers_by));
        self.check_tellings(&staging, warnings);
        self.check_reveals(&staging);
        self.overlaps(&conditions);
        self.check_attention(&conditions, &staging);
        let conditions = deeds::that_can_be_broken(conditions, &staging);
        let goals = self.goals(&scope);
        let notes = self.notes(&scope);
        self.groups(&scope);
        let scenarios = self.scenarios(&scope, &staging, character_count);
        let (questions, bundles, authored) =
            self.questions(&scope, character_count, &staging, scenarios.as_ref());
        self.check_costs(&questions, &staging, character_count, place_names.len());
        let balance = self.balance(&scope, (&questions, &bundles), &staging, place_names.len());
        let asked = Asked { questions: &questions, bundles: &bundles, authored: &authored };
        let hardest = self.hardest(&asked);
        self.check_difficulty(&goals, &asked, balance.as_ref());
        let length = self.length(character_count);
        if board.questions.is_empty() {
            let message = "this storyboard has no questions, so it gives no rows";
            warnings.push(Diagnostic::warning(message, board.name.span, "no `questions`"));
        }
        if self.problems.is_empty() {
            map::unreachable_places(&graph, start.as_deref()?, &binds, &place_names, board, warnings);
        }
        Some(Resolved {
            parameters,
            draws,
            horizon: horizon?,
            map,
            graph,
            place_names,
            pool,
            character_count: character_count?,
            passers_by,
            role_names: board.roles.iter().map(|role| role.value.clone()).collect(),
            start: start?,
            binds,
            conditions,
            memories,
            goals,
            balance,
            hardest,
            length,
            notes,
            staging: staging::is_needed(board).then_some(staging),
            wording,
            scenarios,
            questions,
            authored,
            bundles,
        })
    }

    /// Reports stories that would take too long to draw, or to answer, where people do more than walk.
    fn check_costs(
        &mut self,
        questions: &[Question],
        staging: &Staging,
        characters: Option<usize>,
        places: usize,
    ) {
        if let Some(count) = characters
            && staging::is_needed(self.storyboard)
        {
            self.check_event_cost(staging, count, places);
            self.check_answer_cost(questions, staging, count);
        }
    }

    /// A "did you mean" suggestion. There are not too many of them: comparing names is slow, and nobody reads the hundredth.
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
                    self.storyboard.numbers().map(|name| name.value.as_str()).collect();
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
            // It follows from what scenarios say, and that is reported.
            _ if value < 1 && self.storyboard.scenarios.is_some() => None,
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
                    let help = format!("use a list of names, or one of {}", known.join(", "));
                    let message = format!("no built-in pool is called `{}`", name.value);
                    self.problem(Diagnostic::error(message, name.span, "unknown").help(help));
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
            let count = Some(pool.len()).filter(|&count| count > 0);
            self.enough_for_roles(count);
            return (pool, count);
        };
        let value = self.number(count);
        let fits =
            value.and_then(|value| usize::try_from(value).ok()).filter(|n| (1..=pool.len()).contains(n));
        if let (Some(value), None) = (value, fits) {
            let message = match pool.len() {
                1 => "the pool has 1 name, so a story has 1 character".to_owned(),
                names => format!("the pool has {names} names, so a story has 1 to {names} characters"),
            };
            self.problem(Diagnostic::error(message, count.span, format!("this is {value}")));
        }
        self.enough_for_roles(fits);
        (pool, fits)
    }

    fn enough_for_roles(&mut self, characters: Option<usize>) {
        let roles = &self.storyboard.roles;
        if let Some(count) = characters
            && roles.len() > count
        {
            let message = format!("{} roles need as many characters, but a story has {count}", roles.len());
            self.problem(Diagnostic::error(message, roles[count].span, "nobody is left for this one"));
        }
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
                let message = format!("`{name}` is already the name of a {taken}");
                self.problem(Diagnostic::error(message, bind.name.span, "a bind needs a name of its own"));
            }
            binds.insert(name, at);
        }
        for role in &board.roles {
            if role.value == "else" {
                self.problem(Diagnostic::error(
                    "no role can be called `else`",
                    role.span,
                    "reserved for `start`",
                ));
            }
        }
        let (characters, levels) = (pool.to_vec(), self.levels());
        let mut scope = Scope { places, binds, roles, characters, things: HashMap::new(), levels };
        self.things(&mut scope);
        self.check_matter_names(&scope);
        self.no_names_alike();
        scope
    }

    fn no_duplicates(&mut self, names: &[Name], what: &str) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for name in names {
            if let Some(&first) = seen.get(name.value.as_str()) {
                let message = format!("the {what} `{}` is listed twice", name.value);
                self.problem(Diagnostic::error(message, name.span, "the second").label(first, "the first"));
            } else {
                seen.insert(&name.value, name.span);
            }
        }
    }

    fn place(&mut self, scope: &Scope, name: &Name) -> Option<Place> {
        if let Some(&place) = scope.places.get(name.value.as_str()) {
            return Some(Place::Fixed(place));
        }
        if let Some(&bind) = scope.binds.get(name.value.as_str()) {
            return Some(Place::Bound(bind));
        }
        let known = scope.places.keys().chain(scope.binds.keys()).copied();
        let named = scope.things.get(name.value.as_str());
        let help = named
            .map(|named| format!("this is {}, but a place is needed here", named.phrase()))
            .or_else(|| self.suggest(&name.value, known));
        let message = format!("no place or bind is called `{}`", name.value);
        self.problem(Diagnostic::error(message, name.span, "unknown").maybe_help(help));
        None
    }

    fn role(&mut self, scope: &Scope, name: &Name) -> Option<CharacterId> {
        if let Some(&role) = scope.roles.get(name.value.as_str()) {
            return Some(role);
        }
        let help = if scope.characters.contains(&name.value) {
            Some(
                "this is a character, but storyboards use roles: declare one under `roles` and use it here"
                    .to_owned(),
            )
        } else {
            let known = scope.roles.keys().copied();
            scope
                .things
                .get(name.value.as_str())
                .map(|named| format!("this is {}, but a role is needed here", named.phrase()))
                .or_else(|| self.suggest(&name.value, known))
                .or_else(|| Some("declare every role under `roles`".to_owned()))
        };
        let message = format!("no role is called `{}`", name.value);
        self.problem(Diagnostic::error(message, name.span, "unknown").maybe_help(help));
        None
    }

    /// Resolves distinct roles.
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

    /// Where everyone starts. Where that is said of each, but not of others, passers-by start where the first role does.
    fn start(
        &mut self,
        scope: &Scope,
        character_count: Option<usize>,
        passers_by: usize,
    ) -> Option<Vec<Place>> {
        match &self.storyboard.start {
            Start::Everyone(name) => {
                let place = self.place(scope, name);
                Some(vec![place?; character_count?])
            }
            // Drawn along with what happens.
            Start::Drawn(_) => Some(vec![Place::Fixed(PlaceId::new(0)); character_count?]),
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
                let passing = start.len().saturating_sub(passers_by)..;
                let first = start.first().copied().flatten();
                start[passing].iter_mut().for_each(|place| *place = place.or(first));
                let nowhere = start.iter().filter(|place| place.is_none()).count();
                if nowhere > 0 && self.problems.is_empty() {
                    let of = counted(start.len(), "character");
                    let has = if nowhere == 1 { "has" } else { "have" };
                    let message = format!("{nowhere} of {of} {has} no place to start from");
                    self.problem(Diagnostic::error(message, *span, "").help("add `else: PLACE`"));
                }
                character_count?;
                start.into_iter().collect()
            }
        }
    }
}

/// Names in an order that is the same in every run.
fn sorted<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names
}
