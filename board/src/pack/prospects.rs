//! Packs of prospects: things that may turn out one way or the other, and how people speak of them.

use super::feelings::no_word_of_feelings;
use super::read::{PackReader, TextForm};
use super::text::{Piece, Slot, Text};
use super::value_of;
use crate::diagnostic::Diagnostic;
use crate::storyboard::yaml::Node;
use crate::storyboard::{Fields, Name};

/// The keys of such a pack.
pub const KEYS: [&str; 1] = ["prospects"];

/// How many wordings each part needs.
const WORDINGS_MIN: usize = 1;

/// The longest clause: several stand in one sentence.
const CLAUSE_CHARACTERS_MAX: usize = 160;

/// The words of a prospect: something with two sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProspectWords {
    /// The name in the pack.
    pub name: Name,
    /// `about`: what is at stake: "what becomes of the old swimming pool"
    pub about: Text,
    /// `sides`: its two sides
    pub sides: [SideWords; 2],
    /// `by: {nobody: …}`: that nobody has brought it about
    pub by_nobody: Vec<Text>,
    /// `by: {someone: …}`: that `{who}` has
    pub by_someone: Vec<Text>,
    /// `final: {no: …}`: that something can still be done
    pub open: Vec<Text>,
    /// `final: {yes: …}`: that nothing can be done any more
    pub closed: Vec<Text>,
}

/// One side of a prospect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideWords {
    /// The name in the pack.
    pub name: Name,
    /// `goal`: what somebody wants who wants it: "the pool to stay open"
    pub goal: Text,
    /// `likely`: that it is likely
    pub likely: Vec<Text>,
    /// `settled`: that it is settled
    pub settled: Vec<Text>,
}

impl ProspectWords {
    /// All texts.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        let sides =
            self.sides.iter().flat_map(|side| side.likely.iter().chain(&side.settled).chain([&side.goal]));
        let others = [&self.by_nobody, &self.by_someone, &self.open, &self.closed];
        sides.chain(others.into_iter().flatten()).chain([&self.about])
    }
}

/// Reads the prospects of a pack.
pub fn read(reader: &mut PackReader<'_>, fields: &mut Fields) -> Vec<ProspectWords> {
    let span = fields.span;
    let Some(node) = reader.required(fields, "prospects") else { return Vec::new() };
    let entries = reader.entries(node, "`prospects`").unwrap_or_default();
    reader.at_least(1, entries.len(), "prospects", span, "a story is about one of them");
    entries.into_iter().filter_map(|(key, node)| prospect(reader, key, node)).collect()
}

fn prospect(reader: &mut PackReader<'_>, key: Node, node: Node) -> Option<ProspectWords> {
    let name = reader.name(key, "a prospect")?;
    let mut fields = reader.fields(node, "a prospect", &["about", "sides", "by", "final"])?;
    let about = reader.required(&mut fields, "about").and_then(|node| clause(reader, node, &ABOUT));
    let sides = reader.required(&mut fields, "sides").and_then(|node| sides(reader, node));
    let by = two(reader, &mut fields, "by", ["nobody", "someone"], [&NOBODY, &SOMEONE]);
    let is_final = two(reader, &mut fields, "final", NO_AND_YES, [&STILL, &NOT_ANY_MORE]);
    let ([by_nobody, by_someone], [open, closed]) = (by?, is_final?);
    Some(ProspectWords { name, about: about?, sides: sides?, by_nobody, by_someone, open, closed })
}

const ABOUT: TextForm = TextForm::fixed("`about`");
const GOAL: TextForm = TextForm::fixed("`goal`");
const LIKELY: TextForm = form("a text of `likely`");
const SETTLED: TextForm = form("a text of `settled`");
const NOBODY: TextForm = form("a text of `nobody`");
const SOMEONE: TextForm =
    TextForm { slots: &[Slot::Who], once: Some(Slot::Who), ..form("a text of `someone`") };
const STILL: TextForm = form("a text of `no`");
const NOT_ANY_MORE: TextForm = form("a text of `yes`");

const fn form(phrase: &'static str) -> TextForm {
    TextForm { characters_max: CLAUSE_CHARACTERS_MAX, ..TextForm::fixed(phrase) }
}

/// The two sides, in the order of the file.
fn sides(reader: &mut PackReader<'_>, node: Node) -> Option<[SideWords; 2]> {
    let span = node.span;
    let entries = reader.entries(node, "`sides`")?;
    let count = entries.len();
    let read = |(key, node)| {
        let name = reader.name(key, "a side")?;
        let mut fields = reader.fields(node, "a side", &["goal", "likely", "settled"])?;
        let goal = reader.required(&mut fields, "goal").and_then(|node| clause(reader, node, &GOAL));
        let likely = clauses(reader, &mut fields, "likely", &LIKELY);
        let settled = clauses(reader, &mut fields, "settled", &SETTLED);
        Some(SideWords { name, goal: goal?, likely: likely?, settled: settled? })
    };
    let sides: Vec<Option<SideWords>> = entries.into_iter().map(read).collect();
    if count != 2 {
        let problem = Diagnostic::error("a prospect has two sides", span, format!("{count} here"));
        reader.problem(
            problem.help("what is likely or settled is one of two things, and somebody wants one of them"),
        );
        return None;
    }
    let sides: Vec<SideWords> = sides.into_iter().collect::<Option<_>>()?;
    let texts = sides.iter().flat_map(|side| side.likely.iter().chain(&side.settled));
    reader.all_different(texts, "this text stands at two places of one prospect");
    sides.try_into().ok()
}

/// The keys of `final`, and what some readers of YAML make of them.
const NO_AND_YES: [&str; 2] = ["no", "yes"];
const FALSE_AND_TRUE: [&str; 2] = ["false", "true"];

/// Texts under the two keys of a map.
fn two(
    reader: &mut PackReader<'_>,
    fields: &mut Fields,
    key: &'static str,
    keys: [&'static str; 2],
    forms: [&TextForm; 2],
) -> Option<[Vec<Text>; 2]> {
    let node = reader.required(fields, key)?;
    let phrase = if key == "by" { "`by`" } else { "`final`" };
    let is_given = |key: &str| value_of(&node, key).is_some();
    let keys =
        if keys == NO_AND_YES && FALSE_AND_TRUE.into_iter().any(is_given) { FALSE_AND_TRUE } else { keys };
    let mut fields = reader.fields(node, phrase, &keys)?;
    let [first, second] = [0, 1].map(|at| clauses(reader, &mut fields, keys[at], forms[at]));
    Some([first?, second?])
}

fn clauses(
    reader: &mut PackReader<'_>,
    fields: &mut Fields,
    key: &str,
    form: &TextForm,
) -> Option<Vec<Text>> {
    let texts = reader.wordings(fields, key, WORDINGS_MIN, form)?;
    texts.iter().for_each(|text| {
        no_word_of_feelings(reader, text);
        no_sentence(reader, text, form);
    });
    Some(texts)
}

/// Refuses a clause that ends in a mark: others follow it, or a mark of the sentence.
fn no_sentence(reader: &mut PackReader<'_>, text: &Text, form: &TextForm) {
    let can_end = |c: char| c.is_alphanumeric() || matches!(c, '%' | '°' | '€' | '$' | '£' | '\'' | '’');
    let is_open = match text.pieces.last() {
        Some(Piece::Words(words)) => words.ends_with(can_end),
        Some(Piece::Slot(_)) | None => true,
    };
    if !is_open {
        let problem =
            Diagnostic::error(format!("{} is a clause", form.phrase), text.span, "it ends in a mark");
        reader.problem(problem.help("it is told in the middle of sentences: leave the mark at its end out"));
    }
}

fn clause(reader: &mut PackReader<'_>, node: Node, form: &TextForm) -> Option<Text> {
    let text = reader.text(node, form)?;
    no_word_of_feelings(reader, &text);
    no_sentence(reader, &text, form);
    Some(text)
}
