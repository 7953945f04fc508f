//! `weave`: several storyboards whose stories are told as one.
//!
//! To whoever reads rows, a woven storyboard is one like any other: it has the roles, the binds, the drawn numbers, the places and
//! the questions of all its boards ([`woven`]). What happens is up to the boards, each on its own.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Bind, Characters, Container, Drawn, Event, Expression, Known, Length, Name, NotePart, Number, Object,
    Places, Pool, Profiles, Proposition, Question, QuestionKind, Start, Storyboard, Style, Verb,
};
use crate::diagnostic::{Diagnostic, Severity, Source, Span, Spanned};
use crate::form::ActKind;

/// The largest number of boards that are woven together.
pub const STRANDS_MAX: usize = 8;

/// `weave` and `maps`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weave {
    /// `maps`
    pub maps: Maps,
    /// The boards that are woven together: at least two.
    pub strands: Vec<Strand>,
    /// The notes of all boards, with the names that the woven storyboard has for roles and binds; each with the span of its board's
    /// name.
    pub notes: Vec<(Span, Vec<NotePart>)>,
    /// The span of the key `weave`.
    pub span: Span,
}

/// `maps`: whether people of different boards can meet
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Maps {
    /// `maps: apart`: each board has places of its own, so they never do
    #[default]
    Apart,
    /// `maps: shared`: all boards have the same places and ways
    Shared,
}

impl Maps {
    /// All ways to treat maps.
    pub const ALL: [Self; 2] = [Self::Apart, Self::Shared];

    /// The word by which an author writes it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::Shared => "shared",
        }
    }
}

/// One of the boards that are woven together: `first-order-mislead`, or
/// `{board: first-order-mislead, set: {mislead_distance: 5}, rename: {S1: Watcher}}`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strand {
    /// The name of a built-in storyboard or of a file, as it is written.
    pub name: Name,
    /// That storyboard, in its setting.
    pub board: Storyboard,
    /// Where it stands, as messages have it: the name, or the path of the file.
    pub path: String,
    /// `setting`: the name of a built-in setting or of a file, as it is written
    pub setting: Option<Name>,
    /// `set`: its parameters and drawn numbers with what they are to be
    pub set: Vec<(Name, Number)>,
    /// `rename`: the names that its roles, things, binds, groups and drawn numbers have in the woven storyboard, where these are others
    pub rename: Vec<(Name, Name)>,
}

impl Strand {
    /// The name that a role, a thing, a bind, a group or a drawn number of the board has in the woven storyboard.
    ///
    /// ```
    /// use storysim::{diagnostic::Source, storyboard::parse};
    /// let text = "storysim: 1\nname: two\nweave:\n- first-order-mislead\n\
    ///             - {board: first-order-mislead-ship, rename: {S1: Sailor, T: Mate}}\n";
    /// let board = parse(Source { name: "two.yaml".into(), text: text.into() });
    /// let weave = board.unwrap().weave.unwrap();
    /// assert_eq!((weave.strands[0].renamed("S1"), weave.strands[1].renamed("S1")), ("S1", "Sailor"));
    /// ```
    pub fn renamed<'a>(&'a self, name: &'a str) -> &'a str {
        let other = self.rename.iter().find(|(old, _)| old.value == name);
        other.map_or(name, |(_, new)| new.value.as_str())
    }

    /// The name that one of the board has in the woven storyboard: it stands where `rename` gives it, or else where the board is named.
    fn name_of(&self, name: &Name) -> Name {
        let other = self.rename.iter().find(|(old, _)| old.value == name.value);
        other.map_or_else(|| Spanned::new(name.value.clone(), self.name.span), |(_, new)| new.clone())
    }

    /// Whether the value of a drawn number is drawn for each story.
    fn draws(&self, name: &str) -> bool {
        self.set.iter().all(|(set, _)| set.value != name)
    }

    /// The drawn numbers that are not set.
    pub fn drawn(&self) -> impl Iterator<Item = &Drawn> {
        self.board.draws.iter().filter(|drawn| self.draws(&drawn.name.value))
    }

    /// The names of the roles and of the things, which readers meet.
    pub(super) fn cast(&self) -> impl Iterator<Item = &Name> {
        let Storyboard { roles, containers, objects, propositions, attitudes, .. } = &self.board;
        let containers = containers.iter().map(|container| &container.name);
        let objects = objects.iter().map(|object| &object.name);
        let propositions = propositions.iter().map(|proposition| &proposition.name);
        roles.iter().chain(containers).chain(objects).chain(propositions).chain(attitudes)
    }

    /// A sentence of the board, with the names that the woven storyboard has for roles and binds.
    fn words(&self, parts: &[NotePart]) -> Vec<NotePart> {
        let part = |part: &NotePart| match part {
            NotePart::Text(text) => NotePart::Text(text.clone()),
            NotePart::Name(name) => NotePart::Name(self.name_of(name)),
        };
        parts.iter().map(part).collect()
    }

    /// The notes of the board, each with where the board is woven.
    pub(super) fn notes(&self) -> Vec<(Span, Vec<NotePart>)> {
        let notes = self.board.notes();
        notes.map(|(_, text)| (self.name.span, self.words(text))).collect()
    }

    /// The names of the binds, of the groups and of the drawn numbers that are not set, which readers do not meet.
    fn hidden(&self) -> impl Iterator<Item = &Name> {
        let binds = self.board.binds.iter().map(|bind| &bind.name);
        let groups = self.board.groups.iter().map(|(name, _)| name);
        binds.chain(groups).chain(self.drawn().map(|drawn| &drawn.name))
    }

    /// The name that the board itself has for what bears a name in the woven storyboard; `None` if that name is another board's.
    ///
    /// ```
    /// use storysim::{diagnostic::Source, storyboard::parse};
    /// let text = "storysim: 1\nname: two\nweave:\n- first-order-mislead\n\
    ///             - {board: sally-anne, rename: {S1: Sally, marble: ball}}\n";
    /// let board = parse(Source { name: "two.yaml".into(), text: text.into() });
    /// let weave = board.unwrap().weave.unwrap();
    /// let own = |name| weave.strands[1].own_name(name);
    /// assert_eq!((own("ball"), own("box"), own("marble")), (Some("marble"), Some("box"), None));
    /// ```
    pub fn own_name<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        match self.rename.iter().find(|(_, new)| new.value == name) {
            Some((own, _)) => Some(&own.value),
            None => Some(name).filter(|name| self.rename.iter().all(|(own, _)| own.value != *name)),
        }
    }

    /// The values of the board's parameters and drawn numbers, given those of the woven storyboard. A drawn number whose value is not
    /// given, and what cannot be evaluated, has none.
    pub fn numbers(&self, woven: &dyn Fn(&str) -> Option<i64>) -> BTreeMap<&str, i64> {
        let mut numbers: BTreeMap<&str, i64> =
            self.board.parameters.iter().map(|(name, value)| (name.value.as_str(), *value)).collect();
        let set = self
            .set
            .iter()
            .filter_map(|(name, number)| Some((name.value.as_str(), number.value.evaluate(woven).ok()?)));
        numbers.extend(set);
        let drawn = self.drawn().filter_map(|drawn| {
            let name = drawn.name.value.as_str();
            Some((name, woven(self.renamed(name))?))
        });
        numbers.extend(drawn);
        numbers
    }

    /// The number of steps of its stories, given the numbers of the woven storyboard.
    pub fn horizon(&self, woven: &dyn Fn(&str) -> Option<i64>) -> Option<usize> {
        let numbers = self.numbers(woven);
        let horizon = self.board.horizon.value.evaluate(&|name| numbers.get(name).copied()).ok()?;
        usize::try_from(horizon).ok()
    }

    /// The first of some problems of this board under these settings, said of it where it is woven.
    pub fn problem(&self, problems: &[Diagnostic], settings: &[(String, i64)]) -> Diagnostic {
        let is_error = |problem: &&Diagnostic| problem.severity == Severity::Error;
        let first = problems.iter().find(is_error).or(problems.first());
        let message = first.map_or("it cannot be used", |problem| &problem.message);
        let severity = first.map_or(Severity::Error, |problem| problem.severity);
        Diagnostic {
            severity,
            ..in_board(&self.name, (&self.path, self.setting.as_ref()), message, settings)
        }
    }
}

/// That something is wrong in a board, which stands at a path and is told in a setting, if it has one; said where it is woven.
pub(super) fn in_board(
    name: &Name,
    (path, setting): (&str, Option<&Name>),
    message: &str,
    settings: &[(String, i64)],
) -> Diagnostic {
    let settings: String = settings.iter().map(|(name, value)| format!(" --set {name}={value}")).collect();
    let (which, command) = match setting {
        None => (format!("`{}`", name.value), format!("check {path}")),
        Some(Spanned { value: setting, .. }) => (
            format!("`{}` in the setting `{setting}`", name.value),
            format!("show {path} --setting {setting}"),
        ),
    };
    let problem = Diagnostic::error(format!("{which}: {message}"), name.span, "in this board");
    problem.help(format!("`storysim {command}{settings}` shows where"))
}

/// What the boards that are woven together may ask.
const ASKED: [QuestionKind; 11] = [
    QuestionKind::Belief,
    QuestionKind::Reality,
    QuestionKind::Start,
    QuestionKind::World,
    QuestionKind::WorldThings,
    QuestionKind::Knows,
    QuestionKind::WhoKnows,
    QuestionKind::CouldAnswer,
    QuestionKind::Following,
    QuestionKind::WhoLikes,
    QuestionKind::WhoDislikes,
];

/// Why a storyboard cannot be woven; `None` if it can.
pub(super) fn obstacle(board: &Storyboard) -> Option<&'static str> {
    let is_of_strands = |question: &Question| ASKED.contains(&question.kind);
    if board.weave.is_some() {
        Some("it is woven itself")
    } else if board.style == Style::Conversation || !board.matters.is_empty() {
        Some("its stories are conversations")
    } else if board.scenarios.is_some() || !board.prospects.is_empty() {
        Some("its stories are about news")
    } else if board.place_pool.is_some() || board.profiles != Profiles::default() {
        Some("its stories open with words of a pack")
    } else if board.length.is_some() {
        Some("others go about around its stories")
    } else if !board.questions.iter().all(is_of_strands) {
        Some("it has questions that no woven story can ask")
    } else {
        None
    }
}

/// Gives the binds, groups and drawn numbers of later boards other names where a name is taken: `first` of the second board is `first_2`.
/// Whoever reads questions does not meet them.
pub(super) fn tell_apart(strands: &mut [Strand], parameters: &[(Name, i64)]) {
    let mut taken: BTreeSet<String> = parameters.iter().map(|(name, _)| name.value.clone()).collect();
    for strand in strands.iter() {
        taken.extend(strand.cast().map(|name| strand.renamed(&name.value).to_owned()));
    }
    for (at, strand) in strands.iter_mut().enumerate() {
        let names: Vec<Name> = strand.hidden().cloned().collect();
        let own = names.clone();
        for name in names {
            let is_given = strand.rename.iter().any(|(old, _)| old.value == name.value);
            let mut new = strand.renamed(&name.value).to_owned();
            if !is_given && taken.contains(&new) {
                let others = (at + 1..).map(|number| format!("{}_{number}", name.value));
                let is_free = |new: &String| !taken.contains(new) && own.iter().all(|own| own.value != *new);
                new = others.into_iter().find(is_free).expect("names are finite");
                let renamed = Spanned::new(new.clone(), strand.name.span);
                strand.rename.push((name, renamed));
            }
            taken.insert(new);
        }
    }
}

/// What is wrong with boards that are woven together, apart from what is wrong with each of them.
pub(super) fn clashes(weave: &Weave, parameters: &[(Name, i64)]) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut seen: BTreeMap<&str, (Span, &str)> = BTreeMap::new();
    for (name, _) in parameters {
        seen.insert(&name.value, (name.span, "this parameter"));
    }
    for strand in &weave.strands {
        let mut others: Vec<(&Name, &str, (Span, &str))> = Vec::new();
        for name in strand.cast().chain(strand.hidden()) {
            let renamed = strand.renamed(&name.value);
            let at = strand.name_of(name).span;
            let remark = if at == strand.name.span { "in this board" } else { "here" };
            let other = seen.insert(renamed, (at, remark));
            others.extend(other.map(|other| (name, renamed, other)));
        }
        let Some(&(first, _, (other, remark))) = others.first() else { continue };
        let alike: Vec<String> = others.iter().map(|(_, renamed, _)| format!("`{renamed}`")).collect();
        let message = match alike.as_slice() {
            [name] => format!("{name} stands for two things"),
            names => format!("{} each stand for two things", names.join(" and ")),
        };
        let at = strand.name_of(first).span;
        let own = match remark {
            _ if at != strand.name.span => "and here",
            "in this board" => "and in this one",
            _ => "and in this board",
        };
        let rename: Vec<String> =
            others.iter().map(|(name, ..)| format!("{}: other_{}", name.value, name.value)).collect();
        let problem = Diagnostic::error(message, at, own).label(other, remark);
        problems.push(problem.help(format!(
            "give them other names here, as in `{{board: {}, rename: {{{}}}}}`",
            strand.name.value,
            rename.join(", ")
        )));
    }
    match weave.maps {
        Maps::Apart => problems.extend(common_place(&weave.strands)),
        Maps::Shared => {
            problems.extend(weave.strands.iter().filter_map(more_than_walks));
            problems
                .extend(weave.strands[1..].iter().filter_map(|strand| other_map(&weave.strands[0], strand)));
        }
    }
    problems
}

/// The first place that two boards have in common.
fn common_place(strands: &[Strand]) -> Option<Diagnostic> {
    let mut seen: BTreeMap<&str, &Name> = BTreeMap::new();
    for strand in strands {
        for place in strand.board.place_names() {
            let Some(other) =
                seen.insert(&place.value, &strand.name).filter(|other| other.span != strand.name.span)
            else {
                continue;
            };
            let message = format!("two boards have a place called `{}`", place.value);
            let problem =
                Diagnostic::error(message, strand.name.span, "this board").label(other.span, "and this one");
            return Some(problem.help(
                "write `maps: shared` if it is the same place; otherwise give it another name in one of the files, \
                 or give one of the boards another setting, as in `{board: second-order-mislead, setting: ship}`",
            ));
        }
    }
    None
}

/// Why a board cannot share a map though it can be woven: people do more in it than walk. Whoever sees somebody come or go sees anew
/// what else is there. So people of other boards would show someone who was distracted, or who was told something wrong, what she
/// does not know in her own board's story.
fn more_than_walks(strand: &Strand) -> Option<Diagnostic> {
    let message = "boards share a map only if people just go from place to place in all of them";
    let problem = Diagnostic::error(message, strand.name.span, "they do more in this one");
    let help = "write `maps: apart`; on a shared map, people of other boards would change what these see and believe";
    strand.board.has_deeds().then(|| problem.help(help))
}

/// Where the map of a board differs from that of the first one.
fn other_map(first: &Strand, strand: &Strand) -> Option<Diagnostic> {
    let [one, other] = [first, strand].map(|strand| ways(&strand.board.places));
    let place = one.keys().chain(other.keys()).find(|place| one.get(*place) != other.get(*place))?;
    let what = match (one.contains_key(place), other.contains_key(place)) {
        (true, true) => format!("from `{place}`, it has other ways"),
        (true, false) => format!("it has no `{place}`"),
        (false, _) => format!("`{place}` is only in this one"),
    };
    let message = "this board cannot share a map with the first";
    let problem = Diagnostic::error(message, strand.name.span, what).label(first.name.span, "the first");
    Some(problem.help(
        "boards share a map if they have the same places and the same ways; `maps: apart` is for those that do not",
    ))
}

/// The ways out of every place; `None` if one can go everywhere from there.
fn ways(places: &Places) -> BTreeMap<&str, Option<BTreeSet<&str>>> {
    match places {
        Places::Complete(names) => names.iter().map(|name| (name.value.as_str(), None)).collect(),
        Places::Ways(ways) => {
            ways.iter().map(|way| (way.0.value.as_str(), leads_on(way, ways.len()))).collect()
        }
    }
}

/// Where one can go from a place, among so many; `None` if that is everywhere.
fn leads_on((name, next): &(Name, Vec<Name>), count: usize) -> Option<BTreeSet<&str>> {
    let next = next.iter().map(|to| to.value.as_str()).filter(|to| *to != name.value);
    Some(next.collect::<BTreeSet<_>>()).filter(|next| next.len() + 1 < count)
}

/// What a woven storyboard says of itself.
pub(super) struct Own {
    pub name: Name,
    pub about: Option<String>,
    pub parameters: Vec<(Name, i64)>,
    pub wording: Option<Name>,
    pub length: Option<Length>,
    pub pool: Pool,
}

/// A storyboard that has the people, the places and the questions of all these, and whose stories they weave together. Whatever
/// stands in their files stands, in it, where it names them.
pub(super) fn woven(own: Own, weave: Weave) -> Storyboard {
    let strands = &weave.strands;
    let each = |names: fn(&Storyboard) -> Vec<Name>| {
        let renamed = |strand: &Strand| {
            names(&strand.board).iter().map(|name| strand.name_of(name)).collect::<Vec<_>>()
        };
        strands.iter().flat_map(renamed).collect::<Vec<Name>>()
    };
    let roles = each(|board| board.roles.clone());
    let binds = each(|board| board.binds.iter().map(|bind| bind.name.clone()).collect());
    let things: Vec<Things> = strands.iter().map(Things::of).collect();
    let nowhere = |number: Number, at: Span| Spanned::new(number.value.standing_at(at), at);
    let draws = strands.iter().flat_map(|strand| {
        let at = strand.name.span;
        strand.drawn().map(move |drawn| Drawn {
            name: strand.name_of(&drawn.name),
            least: nowhere(drawn.least.clone(), at),
            most: nowhere(drawn.most.clone(), at),
        })
    });
    let trust = |strand: &Strand| Some(Spanned::new(strand.board.trust.as_ref()?.value, strand.name.span));
    let start = strands[0].board.place_names().first().map_or_else(String::new, |name| name.value.clone());
    Storyboard {
        source: Source { name: String::new(), text: String::new() },
        characters: Characters { pool: own.pool, count: None },
        roles,
        places: places(&weave),
        start: Start::Everyone(Spanned::new(start, weave.span)),
        binds: binds.into_iter().map(|name| Bind { name, next_to: None, not: Vec::new() }).collect(),
        horizon: Spanned::new(Expression::Integer(1), weave.span),
        draws: draws.collect(),
        verbs: each(|board| board.verbs.clone()).into_iter().fold(Vec::new(), with_new),
        questions: strands.iter().flat_map(questions).collect(),
        name: own.name,
        about: own.about,
        parameters: own.parameters,
        wording: own.wording,
        files: Vec::new(),
        containers: things.iter().flat_map(|things| things.containers.clone()).collect(),
        objects: things.iter().flat_map(|things| things.objects.clone()).collect(),
        propositions: things.into_iter().flat_map(|things| things.propositions).collect(),
        matters: Vec::new(),
        style: Style::Report,
        prospects: Vec::new(),
        rules: None,
        scenarios: None,
        profiles: Profiles::default(),
        place_pool: None,
        packs: Vec::new(),
        is_reworded: false,
        attitudes: each(|board| board.attitudes.clone()),
        trust: strands.iter().find(|strand| has_tellings(&strand.board)).and_then(trust),
        play: Vec::new(),
        friends: Vec::new(),
        groups: strands.iter().flat_map(groups).collect(),
        events: Vec::new(),
        goals: Vec::new(),
        balance: None,
        hardest: None,
        length: own.length,
        weights: None,
        weave: Some(weave),
    }
}

/// Whether people of a board may tell each other something.
fn has_tellings(board: &Storyboard) -> bool {
    let is_told = |event: &Event| matches!(&event.verb, Verb::Do(deed) if deed.act.kind() == ActKind::Tell);
    board.play.iter().any(|(play, _)| play.value.act() == ActKind::Tell) || board.events.iter().any(is_told)
}

/// The things of a board, as the woven storyboard names them.
struct Things {
    containers: Vec<Container>,
    objects: Vec<Object>,
    propositions: Vec<Proposition>,
}

impl Things {
    fn of(strand: &Strand) -> Self {
        let Storyboard { containers, objects, propositions, .. } = &strand.board;
        let renamed = |name: &Name| strand.name_of(name);
        let all = |names: &[Name]| names.iter().map(renamed).collect::<Vec<Name>>();
        let known = |known: &Known| Known { by: known.by.as_deref().map(all), wrong: all(&known.wrong) };
        let containers = containers.iter().map(|container| Container {
            name: renamed(&container.name),
            place: renamed(&container.place),
            is_open: container.is_open,
        });
        let objects = objects.iter().map(|object| Object {
            name: renamed(&object.name),
            start: all(&object.start),
            known: known(&object.known),
        });
        let propositions = propositions.iter().map(|proposition| Proposition {
            name: renamed(&proposition.name),
            says: strand.words(&proposition.says),
            denies: strand.words(&proposition.denies),
            known: known(&proposition.known),
            is_true: proposition.is_true,
            of: None,
        });
        Self {
            containers: containers.collect(),
            objects: objects.collect(),
            propositions: propositions.collect(),
        }
    }
}

/// A list with one more name, unless it is there.
fn with_new(mut names: Vec<Name>, name: Name) -> Vec<Name> {
    if names.iter().all(|other| other.value != name.value) {
        names.push(name);
    }
    names
}

/// The places of all boards, with the ways between them.
fn places(weave: &Weave) -> Places {
    let first = &weave.strands[0].board.places;
    if weave.maps == Maps::Shared {
        return first.clone();
    }
    let all = weave.strands.iter().flat_map(|strand| match &strand.board.places {
        Places::Ways(ways) => ways.clone(),
        Places::Complete(names) => {
            let others =
                |name: &Name| names.iter().filter(|other| other.value != name.value).cloned().collect();
            names.iter().map(|name| (name.clone(), others(name))).collect()
        }
    });
    let at = weave.span;
    let moved = |name: Name| Spanned::new(name.value, at);
    Places::Ways(all.map(|(name, next)| (moved(name), next.into_iter().map(moved).collect())).collect())
}

/// The groups of a board, as the woven storyboard names them.
fn groups(strand: &Strand) -> impl Iterator<Item = (Name, Vec<Name>)> + '_ {
    let renamed = |name: &Name| strand.name_of(name);
    let groups = strand.board.groups.iter();
    groups.map(move |(name, members)| (renamed(name), members.iter().map(renamed).collect()))
}

/// The questions of a board, as the woven storyboard asks them.
fn questions(strand: &Strand) -> impl Iterator<Item = Question> + '_ {
    let at = strand.name.span;
    let renamed = move |name: &Name| strand.name_of(name);
    let moved = move |name: &Name| Spanned::new(name.value.clone(), at);
    strand.board.questions.iter().map(move |question| Question {
        roles: question.roles.iter().map(renamed).collect(),
        choices: question.choices.iter().map(moved).collect(),
        of: question.of.iter().map(renamed).collect(),
        span: at,
        ..question.clone()
    })
}
