//! `weave` and `maps`.

use super::super::builtin::built_in_setting;
use super::super::weave::{Own, clashes, in_board, obstacle, tell_apart, woven};
use super::super::yaml::{self, Kind, Node};
use super::{FILLED_IN_POOL, Fields, Reader, parse};
use crate::diagnostic::{Diagnostic, Source, Span, Spanned, did_you_mean};
use crate::storyboard::{
    BUILT_IN, Maps, Name, Number, Pool, SETTINGS, STRANDS_MAX, Storyboard, Strand, Weave, built_in_source,
    in_setting,
};

/// The largest number of entries of `set` and of `rename`.
const ENTRIES_MAX: usize = 100;

/// What can have another name.
const RENAMED: &str = "role, thing, bind, group or drawn number";

/// The keys that a woven storyboard has beside `weave`; all others are up to the boards that it weaves.
const OWN_KEYS: &str =
    "storysim, name, about, characters, parameters, wording, words, at_depth, weave and maps";

/// The names of boards and settings under `weave` that are not built in, and are to be read along with a storyboard. None if the
/// text cannot be read, which [`parse`] reports.
///
/// ```
/// use storysim::{diagnostic::Source, storyboard::woven_files};
/// let text = "weave: [sally-anne, party.yaml, {board: other.yaml, setting: farm.yaml}]".to_owned();
/// assert_eq!(woven_files(&Source { name: "two.yaml".into(), text }), ["party.yaml", "other.yaml", "farm.yaml"]);
/// ```
pub fn woven_files(source: &Source) -> Vec<String> {
    let strands = key_of(source, "weave").map(|strands| strands.kind);
    let Some(Kind::List(strands)) = strands else { return Vec::new() };
    let name = |node: Node| if let Kind::Scalar(name) = node.kind { Some(name) } else { None };
    let mut files = Vec::new();
    for strand in strands.into_iter().take(STRANDS_MAX) {
        let setting = value_of(&strand, "setting").and_then(name);
        let board = name(value_of(&strand, "board").unwrap_or(strand));
        files.extend(board.filter(|name| built_in_source(name).is_none()));
        files.extend(setting.filter(|name| built_in_setting(name).is_none()));
    }
    files
}

impl Reader<'_> {
    /// `maps` says something only of boards that are woven.
    pub(super) fn no_maps(&mut self, fields: &mut Fields) {
        if let Some((span, _)) = fields.take_with_key("maps") {
            let problem = Diagnostic::error("`maps` says nothing without `weave`", span, "of which boards?");
            self.problem(
                problem
                    .help("list the boards that are woven together, as in `weave: [one.yaml, other.yaml]`"),
            );
        }
    }

    /// A storyboard that weaves others.
    pub(super) fn woven(
        &mut self,
        mut fields: Fields,
        name: Option<Name>,
        about: Option<String>,
        (span, strands): (Span, Node),
    ) -> Option<Storyboard> {
        let parameters = fields.take("parameters").map_or_else(Vec::new, |node| self.parameters(node));
        let wording = fields.take("wording").and_then(|node| self.wording(node));
        let length = self.length(&mut fields);
        let characters = fields.take("characters").and_then(|node| self.characters(node));
        if let Some(count) = characters.as_ref().and_then(|characters| characters.count.as_ref()) {
            let message = "how many people there are is up to the boards that are woven";
            let problem = Diagnostic::error(message, count.span, "counted already").label(span, "these");
            self.problem(problem.help("leave `count` out"));
        }
        let people = Pool::BuiltIn(Spanned::new(FILLED_IN_POOL.to_owned(), Span::default()));
        let pool = characters.map_or(people, |characters| characters.pool);
        let maps = fields.take("maps").and_then(|node| self.maps(node));
        for (key, at, _) in std::mem::take(&mut fields.entries) {
            let message = format!("a storyboard that weaves others has no `{key}` of its own");
            let problem = Diagnostic::error(message, at, "this is up to the boards").label(span, "these");
            self.problem(problem.help(format!("the keys beside `weave` are {OWN_KEYS}")));
        }
        let (at, strands) = (strands.span, self.list(strands, "`weave`", STRANDS_MAX));
        let count = strands.len();
        let mut strands: Vec<Strand> = strands.into_iter().filter_map(|node| self.strand(node)).collect();
        if count < 2 && strands.len() == count && self.problems.is_empty() {
            let problem = Diagnostic::error("it takes two boards to weave", at, format!("{count} here"));
            self.problem(problem.help("list them, as in `weave: [one.yaml, other.yaml]`"));
        }
        if strands.len() < count.max(2) {
            return None;
        }
        tell_apart(&mut strands, &parameters);
        let notes = strands.iter().flat_map(Strand::notes).collect();
        let weave = Weave { maps: maps.unwrap_or_default(), strands, notes, span };
        if !self.problems.is_empty() {
            return None;
        }
        let clashes = clashes(&weave, &parameters);
        if !clashes.is_empty() {
            self.problems.extend(clashes);
            return None;
        }
        Some(woven(Own { name: name?, about, parameters, wording, length, pool }, weave))
    }

    fn maps(&mut self, node: Node) -> Option<Maps> {
        let text = self.text(node, "`maps`")?;
        let found = Maps::ALL.into_iter().find(|maps| maps.key() == text.value);
        if found.is_none() {
            let known = Maps::ALL.map(Maps::key);
            let problem = Diagnostic::error("this is not a way to treat maps", text.span, "unknown");
            let help =
                || "`apart`: every board has places of its own; `shared`: all have the same".to_owned();
            self.problem(problem.help(did_you_mean(&text.value, known).unwrap_or_else(help)));
        }
        found
    }

    /// One of the boards: its name, or a map.
    fn strand(&mut self, node: Node) -> Option<Strand> {
        if let Kind::Scalar(_) = node.kind {
            let name = self.phrase(node, "the name of a storyboard")?;
            let (board, path) = self.strand_board(&name, None)?;
            return Some(Strand { name, board, path, setting: None, set: Vec::new(), rename: Vec::new() });
        }
        if !matches!(node.kind, Kind::Map(_)) {
            let message = "a board that is woven is a name or a map";
            let problem = Diagnostic::error(message, node.span, format!("{} here", node.kind.noun()));
            self.problem(problem.help("write `first-order-mislead`, or `{board: first-order-mislead}`"));
            return None;
        }
        let mut fields = self.fields(node, "strand")?;
        let name = self.required(&mut fields, "board");
        let name = name.and_then(|node| self.phrase(node, "the name of a storyboard"));
        let setting = fields.take("setting").map(|node| self.phrase(node, "the name of a setting"));
        let set = fields.take("set").map_or_else(Vec::new, |node| self.set_of_strand(node));
        let rename = fields.take("rename").map_or_else(Vec::new, |node| self.renamed(node));
        let name = name?;
        if setting == Some(None) {
            return None; // that has been said
        }
        let setting = setting.flatten();
        let (board, path) = self.strand_board(&name, setting.as_ref())?;
        let numbers = || board.numbers().map(|name| name.value.as_str());
        self.known_in(set.iter().map(|(name, _)| name), numbers, "parameter or drawn number", &name);
        let strand = Strand { name, board, path, setting, set, rename };
        let names = || {
            let binds = strand.board.binds.iter().map(|bind| &bind.name);
            let drawn = strand.board.draws.iter().map(|drawn| &drawn.name);
            let groups = strand.board.groups.iter().map(|(name, _)| name);
            strand.cast().chain(binds).chain(groups).chain(drawn).map(|name| name.value.as_str())
        };
        self.known_in(strand.rename.iter().map(|(name, _)| name), names, RENAMED, &strand.name);
        Some(strand)
    }

    /// Reports names that a board does not have.
    fn known_in<'n, N: Iterator<Item = &'n str>>(
        &mut self,
        names: impl Iterator<Item = &'n Name>,
        known: impl Fn() -> N,
        what: &str,
        board: &Name,
    ) {
        for name in names {
            if known().any(|known| known == name.value) {
                continue;
            }
            let message = format!("`{}` has no {what} called `{}`", board.value, name.value);
            let help = did_you_mean(&name.value, known()).or_else(|| {
                let known: Vec<&str> = known().collect();
                (!known.is_empty()).then(|| format!("it has {}", known.join(", ")))
            });
            self.problem(Diagnostic::error(message, name.span, "unknown").maybe_help(help));
        }
    }

    fn set_of_strand(&mut self, node: Node) -> Vec<(Name, Number)> {
        let mut set = Vec::new();
        for (key, value) in self.entries_of(node, "`set`") {
            let name = self.identifier(key, "a parameter");
            let value = self.number(value);
            set.extend(name.zip(value));
        }
        set
    }

    fn renamed(&mut self, node: Node) -> Vec<(Name, Name)> {
        let mut names = Vec::new();
        for (key, value) in self.entries_of(node, "`rename`") {
            let old = self.name(key, "a role or a thing");
            let new = self.identifier(value, "a role or a thing");
            names.extend(old.zip(new));
        }
        names
    }

    fn entries_of(&mut self, node: Node, what: &str) -> Vec<(Node, Node)> {
        let span = node.span;
        if node.kind == Kind::Empty {
            return Vec::new();
        }
        let entries = self.entries(node, what).unwrap_or_default();
        if entries.len() > ENTRIES_MAX {
            let message = format!("{what} has at most {ENTRIES_MAX} entries");
            self.problem(Diagnostic::error(message, span, format!("{} here", entries.len())));
            return Vec::new();
        }
        entries
    }

    /// The board of this name, built in or one of the files, and where it stands; in a setting, if one is given.
    fn strand_board(&mut self, name: &Name, setting: Option<&Name>) -> Option<(Storyboard, String)> {
        let board = self.strand_source(name).and_then(|source| {
            if key_of(&source, "weave").is_some() {
                let problem = not_woven(name, "it weaves others itself");
                return Err(problem.help("list the boards that it weaves here"));
            }
            let is_built_in = built_in_source(&name.value).is_some();
            let path = if is_built_in { name.value.clone() } else { source.name.clone() };
            let source = match setting {
                Some(setting) => self.told_in(&source, name, setting)?,
                None => source,
            };
            let board = parse(source).map_err(|broken| {
                let message = broken.problems.first().map_or("it cannot be read", |problem| &problem.message);
                in_board(name, (&path, setting), message, &[])
            })?;
            obstacle(&board).map_or(Ok((board, path)), |why| Err(not_woven(name, why)))
        });
        board.map_err(|problem| self.problem(problem)).ok()
    }

    fn strand_source(&self, name: &Name) -> Result<Source, Diagnostic> {
        let wrong = |message: String| Diagnostic::error(message, name.span, "woven here");
        if let Some(source) = built_in_source(&name.value) {
            return source.map_err(|problem| wrong(problem.message));
        }
        if let Some(source) = self.file(name) {
            return source.map_err(wrong);
        }
        let help = did_you_mean(&name.value, BUILT_IN.iter().map(|board| board.name));
        let other = || "write the name of a built-in storyboard, or the path of a file".to_owned();
        Err(wrong(format!("there is no storyboard `{}`", name.value)).help(help.unwrap_or_else(other)))
    }

    /// The text of a board in the setting of this name: built in, or one of the files.
    fn told_in(&self, board: &Source, name: &Name, setting: &Name) -> Result<Source, Diagnostic> {
        let wrong = |message: String| Diagnostic::error(message, setting.span, "the setting of a board");
        let help = "write the name of a built-in setting, or the path of a pack of the kind `setting`";
        let other = match (built_in_setting(&setting.value), self.file(setting)) {
            (Some(built_in), _) => built_in,
            (None, Some(file)) => file.map_err(wrong)?,
            (None, None) => {
                let near = did_you_mean(&setting.value, SETTINGS.iter().map(|(name, _)| *name));
                let problem = wrong(format!("there is no setting `{}`", setting.value));
                return Err(problem.help(near.unwrap_or_else(|| help.to_owned())));
            }
        };
        let pack = yaml::parse(&other, "a pack").map_err(|problem| {
            let problem = wrong(format!("`{}`: {}", other.name, problem.message));
            problem.help(format!("`storysim check {}` shows where", other.name))
        })?;
        let is_setting =
            value_of(&pack, "kind").is_some_and(|kind| kind.kind == Kind::Scalar("setting".into()));
        if !is_setting || value_of(&pack, "storysim_pack").is_none() {
            return Err(wrong(format!("`{}` is no pack of the kind `setting`", other.name)).help(help));
        }
        in_setting(board, &other).map_err(|problem| {
            let message = format!("`{}` cannot be told in the setting `{}`", name.value, setting.value);
            Diagnostic::error(message, setting.span, problem.message).maybe_help(problem.help)
        })
    }

    /// The text of the file of this name; `None` if there is none, and what is wrong with it if it cannot be read.
    fn file(&self, name: &Name) -> Option<Result<Source, String>> {
        let file = self.files.iter().find(|file| file.name == name.value)?;
        let read = |text| Source { name: file.path.clone(), text };
        Some(file.text.clone().map(read).map_err(|why| format!("the file {} {why}", file.path)))
    }
}

/// That a board cannot be woven, and why.
fn not_woven(name: &Name, why: &str) -> Diagnostic {
    let problem = Diagnostic::error(format!("`{}` cannot be woven", name.value), name.span, why);
    problem.help(
        "boards can be woven whose stories are reports of what people do, and which ask who is thought to be \
         where, what is so, who knows it, who likes what, and who follows whom",
    )
}

/// The value of a key of a storyboard, if it can be read.
fn key_of(source: &Source, key: &str) -> Option<Node> {
    // Most texts need not be read for this.
    let root = source.text.contains(key).then(|| yaml::parse(source, "a storyboard").ok())??;
    value_of(&root, key)
}

fn value_of(node: &Node, key: &str) -> Option<Node> {
    let Kind::Map(entries) = &node.kind else { return None };
    let is_key = |(name, _): &&(Node, Node)| name.kind == Kind::Scalar(key.to_owned());
    entries.iter().find(is_key).map(|(_, value)| value.clone())
}
