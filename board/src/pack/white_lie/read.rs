//! From the fields of a pack of white lies to its words.

use super::{Class, Matter, Reason, ReasonTexts, Reasons, TruthTexts, WhiteLie};
use super::{alike, given_away, matters};
use crate::pack::acts::{self, Acts};
use crate::pack::read::{Entries, PackReader, TextForm};
use crate::pack::text::{Slot, Text};
use crate::storyboard::Fields;
use crate::storyboard::NAME_CHARACTERS_MAX;
use crate::storyboard::yaml::{Kind, Node};

/// The keys of a pack of white lies, besides those that every pack has.
pub const KEYS: [&str; 12] = [
    "class", "setting", "place", "away", "matters", "reasons", "reason", "truth", "hint", "ask", "claim",
    "acts",
];

/// How many matters, reasons of each kind, and texts in each list there have to be.
const MATTERS_LEAST: usize = 8;
const REASONS_LEAST: usize = 8;
const TEXTS_LEAST: usize = 4;

const MATTER_KEYS: [&str; 5] = ["thing", "says", "denies", "own", "own_not"];

/// Why there have to be several matters and reasons.
const FEW: &str = "a story takes several, all different; with few of them stories are much alike";

/// The name of a thing or place: short, and without slots.
const fn short(phrase: &'static str) -> TextForm {
    TextForm { characters_max: NAME_CHARACTERS_MAX, ..TextForm::fixed(phrase) }
}

/// A part of a sentence that may name L and T.
const fn clause(phrase: &'static str) -> TextForm {
    TextForm { slots: &[Slot::Liar, Slot::Target], ..TextForm::fixed(phrase) }
}

const SETTING: TextForm = TextForm {
    slots: &[Slot::People, Slot::Target],
    once: Some(Slot::People),
    ..TextForm::fixed("`setting`")
};

const REASON: TextForm = TextForm {
    slots: &[
        Slot::Liar,
        Slot::Target,
        Slot::Thing,
        Slot::Reason,
        Slot::Says,
        Slot::Denies,
        Slot::Own,
        Slot::OwnNot,
    ],
    once: Some(Slot::Reason),
    speaks_of_matter: true,
    ..TextForm::fixed("a text of `reason`")
};

const TRUTH: TextForm = TextForm {
    slots: &[Slot::Liar, Slot::Target, Slot::Thing, Slot::Says, Slot::Denies, Slot::Own, Slot::OwnNot],
    speaks_of_matter: true,
    ..TextForm::fixed("a text of `truth`")
};

/// A hint must not say whether the claim is so.
const HINT: TextForm = TextForm {
    slots: &[Slot::Liar, Slot::Target, Slot::Thing],
    speaks_of_matter: true,
    ..TextForm::fixed("a text of `hint`")
};

const ASK: TextForm = TextForm {
    slots: &[Slot::Liar, Slot::Target, Slot::Thing, Slot::Says, Slot::Denies],
    speaks_of_matter: true,
    ..TextForm::fixed("a text of `ask`")
};

/// The claim is the claim, be it so or not.
const CLAIM: TextForm = TextForm {
    slots: &[Slot::Liar, Slot::Target, Slot::Thing, Slot::Says, Slot::Own],
    speaks_of_matter: true,
    ..TextForm::fixed("a text of `claim`")
};

/// Reads a whole pack of white lies.
pub fn read(reader: &mut PackReader<'_>, fields: &mut Fields) -> WhiteLie {
    let class = reader.required(fields, "class").and_then(|node| {
        let at = reader.one_of(node, "`class` is", &Class::ALL.map(Class::key))?;
        Some(Class::ALL[at])
    });
    let mut one = |key: &str, form: &TextForm| {
        let text = reader.required(fields, key).and_then(|node| reader.text(node, form));
        // What stands in for a text that could not be read has no words.
        text.unwrap_or_else(|| Text { pieces: Vec::new(), span: fields.span, start: None })
    };
    let setting = one("setting", &SETTING);
    let (place, away) = (one("place", &short("`place`")), one("away", &short("`away`")));
    let declared = read_matters(reader, fields);
    let reasons = read_reasons(reader, fields);
    let reason = read_pairs(reader, fields, ("reason", ["pretend", "plain"], &REASON), &declared);
    let truth = read_pairs(reader, fields, ("truth", ["no", "yes"], &TRUTH), &declared);
    let hint = reader.texts(fields, "hint", TEXTS_LEAST, &HINT).list;
    let ask = reader.texts(fields, "ask", TEXTS_LEAST, &ASK).list;
    let claim = reader.texts(fields, "claim", TEXTS_LEAST, &CLAIM).list;
    let acts = read_acts(reader, fields);
    let words = WhiteLie {
        class: class.unwrap_or(Class::Mistake),
        setting,
        place,
        away,
        matters: declared,
        reasons,
        reason: reason.into_iter().map(|[pretend, plain]| ReasonTexts { pretend, plain }).collect(),
        truth: truth.into_iter().map(|[no, yes]| TruthTexts { no, yes }).collect(),
        hint,
        ask,
        claim,
        acts,
    };
    if !words.place.pieces.is_empty() {
        reader.all_different([&words.place, &words.away], "`place` and `away` are the same place");
    }
    matters::check(reader, &words);
    given_away::check_verdicts(reader, &words);
    given_away::check(reader, &words);
    words
}

fn read_matters(reader: &mut PackReader<'_>, fields: &mut Fields) -> Vec<Matter> {
    let Some((span, node)) = reader.required_with_key(fields, "matters") else { return Vec::new() };
    let entries = if node.kind == Kind::Empty { Some(Vec::new()) } else { reader.entries(node, "`matters`") };
    let Some(entries) = entries else { return Vec::new() };
    reader.at_least(MATTERS_LEAST, entries.len(), "matters", span, FEW);
    entries.into_iter().filter_map(|(key, value)| read_matter(reader, key, value)).collect()
}

fn read_matter(reader: &mut PackReader<'_>, key: Node, value: Node) -> Option<Matter> {
    let name = reader.name(key, "a matter");
    let mut fields = reader.fields(value, "a matter", &MATTER_KEYS)?;
    let mut needed = |key: &str, form: &TextForm| {
        reader.required(&mut fields, key).and_then(|node| reader.text(node, form))
    };
    let thing = needed("thing", &short("`thing`"));
    let (says, denies) = (needed("says", &clause("`says`")), needed("denies", &clause("`denies`")));
    let mut given = |key: &str, form: &TextForm| fields.take(key).and_then(|node| reader.text(node, form));
    let (own, own_not) = (given("own", &clause("`own`")), given("own_not", &clause("`own_not`")));
    Some(Matter { name: name?, thing: thing?, says: says?, denies: denies?, own, own_not })
}

fn read_reasons(reader: &mut PackReader<'_>, fields: &mut Fields) -> Reasons {
    let node = reader.required(fields, "reasons");
    let Some(mut fields) = node.and_then(|node| reader.fields(node, "`reasons`", &["pretend", "plain"]))
    else {
        return Reasons::default();
    };
    let pretend = read_reasons_of(reader, &mut fields, "pretend");
    let plain = read_reasons_of(reader, &mut fields, "plain");
    let all = || pretend.list.iter().chain(&plain.list);
    reader.all_different(all().map(|reason| &reason.told), "two reasons have the same `told`");
    reader.all_different(all().map(|reason| &reason.why), "two reasons have the same `why`");
    if pretend.is_whole && plain.is_whole {
        alike::check_reasons(reader, &pretend, &plain);
    }
    Reasons { pretend: pretend.list, plain: plain.list }
}

fn read_reasons_of(reader: &mut PackReader<'_>, fields: &mut Fields, key: &'static str) -> Entries<Reason> {
    let Some((span, nodes)) = reader.list(fields, key) else { return Entries::unreadable(fields.span) };
    let length = nodes.len();
    reader.at_least(REASONS_LEAST, length, key, span, FEW);
    let mut read = |node: Node| {
        let mut fields = reader.fields(node, "a reason", &["told", "why"])?;
        let told = reader.required(&mut fields, "told").and_then(|node| reader.text(node, &clause("`told`")));
        let why =
            reader.required(&mut fields, "why").and_then(|node| reader.text(node, &TextForm::fixed("`why`")));
        Some(Reason { told: told?, why: why? })
    };
    let list: Vec<Reason> = nodes.into_iter().filter_map(&mut read).collect();
    Entries { span, is_whole: list.len() == length, list }
}

/// Reads a list of pairs, of which the first text is for lies and the second for sincere words.
fn read_pairs(
    reader: &mut PackReader<'_>,
    fields: &mut Fields,
    (key, sides, form): (&'static str, [&'static str; 2], &TextForm),
    declared: &[Matter],
) -> Vec<[Text; 2]> {
    let Some((span, nodes)) = reader.list(fields, key) else { return Vec::new() };
    let length = nodes.len();
    reader.at_least(TEXTS_LEAST, length, key, span, "the same words would come again too often in one story");
    let phrase = if key == "reason" { "an entry of `reason`" } else { "an entry of `truth`" };
    let mut read = |node: Node| {
        let mut fields = reader.fields(node, phrase, &sides)?;
        let texts =
            sides.map(|side| reader.required(&mut fields, side).and_then(|node| reader.text(node, form)));
        let [Some(lie), Some(sincere)] = texts else { return None };
        Some([lie, sincere])
    };
    let list: Vec<[Text; 2]> = nodes.into_iter().filter_map(&mut read).collect();
    reader.all_different(list.iter().flatten(), &format!("{} stands here twice", form.phrase));
    let pairs = Entries { span, is_whole: list.len() == length, list };
    alike::check_pairs(reader, &pairs, (key, sides), declared);
    pairs.list
}

fn read_acts(reader: &mut PackReader<'_>, fields: &mut Fields) -> Acts {
    let node = fields.take("acts");
    match node.and_then(|node| reader.fields(node, "`acts`", &acts::KEYS)) {
        Some(mut fields) => acts::read_some(reader, &mut fields),
        None => Acts::default(),
    }
}
