//! Packs of wordings: the sentences in which stories say what happens.
//!
//! A sentence is written with holes, and with both tenses where a verb stands: `{who} [goes|went] to {there}`. What may be said in
//! several ways stands in parentheses: `{who} (then |)[goes|went] (to|into) {there}`. No two sentences may read the same, so that
//! what happens can be read back from the words alone.

use std::collections::{BTreeSet, HashMap};

use super::begin::{Begin, Beginning};
use super::brackets::{CutPiece, Wrong, alternatives, cut, ends_or_begins, in_case, items, line, section};
use super::phrases::{self, AroundWords};
use super::read::{PackReader, TEXT_CHARACTERS_MAX};
use crate::diagnostic::{Diagnostic, Span};
use crate::form::{DOWN_IN, Hole, INTO, SentenceKind, Slot, WordedPiece};
use crate::spelling::{capital, shown};
use crate::storyboard::Fields;
use crate::storyboard::yaml::{Kind, Node};

/// The keys of such a pack.
pub const KEYS: [&str; 9] =
    ["tense", "then", "joined", "pronouns", "sentences", "opening", "questions", "rules", "short"];

/// The tense in which a story is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tense {
    /// `present`: what stands before the bar in `[goes|went]`
    Present,
    /// `past`: what stands after it
    Past,
}

impl Tense {
    /// Both tenses.
    pub const ALL: [Self; 2] = [Self::Present, Self::Past];

    /// The word by which an author writes it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Past => "past",
        }
    }
}

/// A way to word a kind of sentence, without its full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its pieces in each tense, in the order of [`Tense::ALL`].
    pub pieces: [Vec<WordedPiece>; 2],
    /// Where it was written.
    pub span: Span,
    /// What it begins with in each tense.
    begins: [Begin; 2],
}

impl Way {
    fn new(pieces: [Vec<WordedPiece>; 2], span: Span) -> Self {
        let begins = pieces.each_ref().map(|pieces| Begin::of(pieces));
        Self { pieces, span, begins }
    }

    /// Whether a text can begin so, in any tense, as far as a few letters show.
    pub fn can_begin(&self, text: &Beginning) -> bool {
        self.begins.iter().any(|begin| begin.is_of(text))
    }

    /// Whether the sentence begins with whoever acts.
    fn begins_with_who(&self) -> bool {
        self.pieces[0].first() == Some(&WordedPiece::Slot(Slot::Hole(Hole::Who)))
    }

    /// Whether the sentence can follow another one about whoever acts, without her name. It would repeat where she is if it
    /// said so.
    pub fn can_be_joined(&self) -> bool {
        self.begins_with_who() && !self.pieces[0].contains(&WordedPiece::Slot(Slot::Hole(Hole::Here)))
    }

    /// Whether another sentence about whoever acts can be joined to this one, which joins nothing itself and has no part between
    /// commas: "goes to the hall, carrying the ball and takes the key" would lack one.
    pub fn can_go_on(&self) -> bool {
        let joins = |piece: &WordedPiece| matches!(piece, WordedPiece::Words(words) if words.contains(" and ") || words.contains(','));
        self.begins_with_who() && !self.pieces[0].iter().any(joins)
    }

    /// Whether a pronoun can stand for whoever acts.
    pub fn can_begin_with_pronoun(&self) -> bool {
        let goes_on = |pieces: &Vec<WordedPiece>| matches!(pieces.get(1), Some(WordedPiece::Words(words)) if words.starts_with(' '));
        self.begins_with_who() && self.pieces.iter().all(goes_on)
    }

    /// Whether it uses the storyboard's own verb.
    pub fn has_verb(&self) -> bool {
        has_verb(&self.pieces[0])
    }
}

fn has_verb(pieces: &[WordedPiece]) -> bool {
    pieces.contains(&WordedPiece::Slot(Slot::Hole(Hole::Verb)))
}

/// A pronoun, and the people of whom it can be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pronoun {
    /// The pronoun within a sentence: `she`
    pub word: String,
    /// Where a sentence begins: `She`
    pub at_start: String,
    /// Names as a pool has them.
    pub names: Vec<String>,
}

/// The words of a wording.
///
/// ```
/// use storysim::form::{ActKind, SentenceKind};
/// let words = storysim::pack::built_in("varied").unwrap().wording().unwrap();
/// assert!(SentenceKind::all().all(|kind| words.ways(kind).len() >= 8));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordingWords {
    /// `tense`: the tenses that a story may be told in
    pub tenses: Vec<Tense>,
    /// `then`: with what a sentence may begin that is not the first
    pub then: Vec<String>,
    /// `joined`: what may stand between two sentences about one person
    pub joined: Vec<String>,
    /// `pronouns`: what may stand for whoever acts, where the sentence before names nobody else
    pub pronouns: Vec<Pronoun>,
    /// `sentences`: the ways to word each kind; a kind that is not there is worded plainly
    pub sentences: Vec<(SentenceKind, Vec<Way>)>,
    /// what is said around the story
    pub around: AroundWords,
}

impl WordingWords {
    /// The ways to word a kind of sentence; none if it is worded plainly.
    pub fn ways(&self, kind: SentenceKind) -> &[Way] {
        self.sentences.iter().find(|(known, _)| *known == kind).map_or(&[], |(_, ways)| ways)
    }

    /// Those words of `then` that a sentence may end with: "Ann goes to the hall next."
    pub fn last_words(&self) -> impl Iterator<Item = &str> {
        self.then.iter().map(String::as_str).filter(|then| !then.ends_with(','))
    }

    /// The number of the pronoun for somebody of this name, if there is one.
    ///
    /// ```
    /// let words = storysim::pack::built_in("varied").unwrap().wording().unwrap();
    /// let pronoun = |name| words.pronoun_of(name).map(|at| words.pronouns[at].word.as_str());
    /// assert_eq!((pronoun("Clara"), pronoun("Oscar"), pronoun("Wei")), (Some("she"), Some("he"), None));
    /// ```
    pub fn pronoun_of(&self, name: &str) -> Option<usize> {
        self.pronouns.iter().position(|pronoun| pronoun.names.iter().any(|known| shown(known) == shown(name)))
    }

    /// How many entries each list has, by its key; lists that are not there are left out.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let lists = [
            ("then", self.then.len()),
            ("joined", self.joined.len()),
            ("pronouns", self.pronouns.iter().map(|pronoun| pronoun.names.len()).sum()),
        ]
        .into_iter();
        let sentences = self.sentences.iter().map(|(kind, ways)| (kind.key(), ways.len()));
        lists.chain(sentences).chain(self.around.counts()).filter(|(_, count)| *count > 0)
    }

    /// All words that stand between names or after them, without the blanks around them.
    ///
    /// A name with such words in it could not be told from the sentence.
    pub fn joints(&self) -> BTreeSet<&str> {
        let ways = self.sentences.iter().flat_map(|(_, ways)| ways);
        let pieces = ways.flat_map(|way| &way.pieces).flatten();
        let words = pieces.filter_map(|piece| match piece {
            WordedPiece::Words(words) => Some(words.as_str()),
            WordedPiece::Slot(_) => None,
        });
        let all = words.chain(self.then.iter().chain(&self.joined).map(String::as_str));
        let pronouns = self.pronouns.iter().flat_map(|pronoun| [&pronoun.word, &pronoun.at_start]);
        let all = all.chain(pronouns.map(String::as_str)).chain(self.around.joints());
        all.map(str::trim).filter(|words| !words.is_empty()).collect()
    }
}

/// Reads a pack of wordings.
pub fn read(reader: &mut PackReader<'_>, fields: &mut Fields) -> WordingWords {
    let tenses = fields.take("tense").map_or_else(|| vec![Tense::Present], |node| tenses(reader, node));
    let then = fields.take("then").map_or_else(Vec::new, |node| phrases(reader, node, "then"));
    let joined = fields.take("joined").map_or_else(Vec::new, |node| phrases(reader, node, "joined"));
    let pronouns = fields.take("pronouns").map_or_else(Vec::new, |node| pronouns(reader, node));
    let sentences = reader.required(fields, "sentences").map_or_else(Vec::new, |node| {
        let is_past = tenses.contains(&Tense::Past);
        sentences(reader, node, is_past)
    });
    let around = phrases::read(reader, fields);
    let read: Vec<Pronoun> = pronouns.iter().map(|(pronoun, _)| pronoun.clone()).collect();
    let words = WordingWords { tenses, then, joined, pronouns: read, sentences, around };
    all_read_differently(reader, &words);
    begin_no_sentence(reader, &pronouns, &words);
    words
}

fn tenses(reader: &mut PackReader<'_>, node: Node) -> Vec<Tense> {
    let keys = Tense::ALL.map(Tense::key);
    let items = items(reader, node, "`tense`");
    let read = items.into_iter().filter_map(|item| reader.one_of(item, "a tense is", &keys));
    let mut tenses: Vec<Tense> = read.map(|at| Tense::ALL[at]).collect();
    tenses.sort_unstable();
    tenses.dedup();
    if tenses.is_empty() { vec![Tense::Present] } else { tenses }
}

/// Words of `then` or `joined`.
fn phrases(reader: &mut PackReader<'_>, node: Node, key: &str) -> Vec<String> {
    let mut phrases: Vec<String> = Vec::new();
    let what = format!("an entry of `{key}`");
    for item in items(reader, node, &format!("`{key}`")) {
        let Some((phrase, span)) = line(reader, item, &what, TEXT_CHARACTERS_MAX) else { continue };
        let mark = phrase.find(['{', '}', '[', ']', '.', '!', '?', ';', ':']);
        let wrong = match mark {
            Some(_) => Some("it has a mark that no such words have"),
            None if phrase.chars().any(char::is_uppercase) => Some("it has a capital letter"),
            None if phrases.contains(&phrase) => Some("it stands here twice"),
            None => None,
        };
        match wrong {
            None => phrases.push(phrase),
            Some(wrong) => {
                let message = format!("this cannot be {what}");
                let problem = Diagnostic::error(message, span, wrong);
                reader.problem(
                    problem.help("write a few words in small letters, such as `then` or `and then`"),
                );
            }
        }
    }
    phrases
}

/// Reads pronouns with their names, and where each pronoun stands.
fn pronouns(reader: &mut PackReader<'_>, node: Node) -> Vec<(Pronoun, Span)> {
    let mut read: Vec<(Pronoun, Span)> = Vec::new();
    let mut seen: HashMap<String, Span> = HashMap::new();
    for (key, node) in reader.entries(node, "`pronouns`").unwrap_or_default() {
        let Kind::Scalar(word) = &key.kind else { continue };
        if word.is_empty() || !word.chars().all(char::is_lowercase) {
            let problem =
                Diagnostic::error("this cannot be a pronoun", key.span, "not one word in small letters");
            reader.problem(problem.help("write a word such as `she`"));
            continue;
        }
        let mut names = Vec::new();
        for name in reader.names(node, "a name") {
            match seen.get(shown(&name.value).as_ref()) {
                None => {
                    seen.insert(shown(&name.value).into_owned(), name.span);
                    names.push(name.value);
                }
                Some(first) => {
                    let message = format!("`{}` stands under `pronouns` twice", name.value);
                    let problem =
                        Diagnostic::error(message, name.span, "the second").label(*first, "the first");
                    reader.problem(problem.help("take one of the two out"));
                }
            }
        }
        let pronoun = Pronoun { at_start: capital(word), word: word.clone(), names };
        read.push((pronoun, key.span));
    }
    read
}

/// Refuses pronouns with which a sentence begins already: "it is Ann who takes the ball".
fn begin_no_sentence(reader: &mut PackReader<'_>, pronouns: &[(Pronoun, Span)], words: &WordingWords) {
    let ways = words.sentences.iter().flat_map(|(_, ways)| ways).flat_map(|way| &way.pieces);
    let begins = ways.filter_map(|pieces| match pieces.first() {
        Some(WordedPiece::Words(words)) => Some(words.as_str()),
        _ => None,
    });
    let begins: Vec<&str> = begins.chain(words.then.iter().map(String::as_str)).collect();
    for (pronoun, span) in pronouns {
        let is_begun = |words: &&&str| words.split([' ', ',']).next() == Some(&pronoun.word);
        if let Some(begin) = begins.iter().find(is_begun) {
            let message = format!("`{}` cannot be a pronoun here", pronoun.word);
            let remark = format!("a sentence begins with `{}`", begin.trim_end());
            let problem = Diagnostic::error(message, *span, remark);
            reader.problem(problem.help("take it out, or word the sentence differently"));
        }
    }
}

fn sentences(reader: &mut PackReader<'_>, node: Node, is_past: bool) -> Vec<(SentenceKind, Vec<Way>)> {
    let kinds: Vec<(&str, SentenceKind)> = SentenceKind::all().map(|kind| (kind.key(), kind)).collect();
    let ways = |reader: &mut PackReader<'_>, node, kind| ways_of(reader, node, kind, is_past);
    section(reader, node, ("sentences", "sentence"), &kinds, ways)
}

/// Reads the ways that a text gives to word a kind of sentence, or says what they lack.
fn ways_of(reader: &mut PackReader<'_>, node: Node, kind: SentenceKind, is_past: bool) -> Vec<Way> {
    let Some((text, span)) = line(reader, node, "a sentence", TEXT_CHARACTERS_MAX) else { return Vec::new() };
    let way = |text: &String| {
        let pieces = in_tenses(text, kind)?;
        match lacks(&pieces, kind, is_past) {
            None => Ok(Way::new(pieces.map(|pieces| without_blanks_before_spots(pieces, kind)), span)),
            Some(wrong) => Err(wrong),
        }
    };
    let read = alternatives(&text).and_then(|texts| texts.iter().map(way).collect());
    read.unwrap_or_else(|wrong| {
        let message = format!("this is no sentence for `{}`", kind.key());
        reader.problem(Diagnostic::error(message, span, wrong.remark).help(wrong.help));
        Vec::new()
    })
}

/// Where something is put brings the blank before it along: " in the box", " down in the hall".
fn without_blanks_before_spots(mut pieces: Vec<WordedPiece>, kind: SentenceKind) -> Vec<WordedPiece> {
    for at in 1..pieces.len() {
        if let WordedPiece::Slot(slot) = pieces[at]
            && kind.sort_of(slot) == "spot"
            && let WordedPiece::Words(words) = &mut pieces[at - 1]
        {
            words.truncate(words.trim_end().len());
        }
    }
    pieces.retain(|piece| *piece != WordedPiece::Words(String::new()));
    pieces
}

/// The pieces of the plain sentence of a kind.
///
/// ```
/// use storysim::form::{ActKind, SentenceKind, WordedPiece};
/// let put = storysim::pack::plain_pieces(SentenceKind::Deed(ActKind::Put));
/// assert_eq!(put[1], WordedPiece::Words(" puts ".into()));
/// ```
pub fn plain_pieces(kind: SentenceKind) -> Vec<WordedPiece> {
    without_blanks_before_spots(pieces(kind.plain(), kind).unwrap_or_default(), kind)
}

/// A way in both tenses, cut at its holes.
fn in_tenses(text: &str, kind: SentenceKind) -> Result<[Vec<WordedPiece>; 2], Wrong> {
    let read = |tense: Tense| {
        let help = "a verb is written in both tenses, as in `[goes|went]`";
        pieces(&in_case(text, tense as usize, Tense::ALL.len(), help)?, kind)
    };
    let [present, past] = Tense::ALL.map(read);
    Ok([present?, past?])
}

fn pieces(text: &str, kind: SentenceKind) -> Result<Vec<WordedPiece>, Wrong> {
    let known: Vec<(&str, Slot)> = kind.needs().chain(kind.allows()).collect();
    let piece = |piece| match piece {
        CutPiece::Words(words) => WordedPiece::Words(words),
        CutPiece::Slot(slot) => WordedPiece::Slot(slot),
    };
    Ok(cut(text, &known)?.into_iter().map(piece).collect())
}

/// What a way lacks, if it lacks anything.
fn lacks([present, past]: &[Vec<WordedPiece>; 2], kind: SentenceKind, is_past: bool) -> Option<Wrong> {
    let slots: Vec<Slot> = present
        .iter()
        .filter_map(|piece| if let WordedPiece::Slot(slot) = piece { Some(*slot) } else { None })
        .collect();
    let count = |wanted: Slot| slots.iter().filter(|slot| **slot == wanted).count();
    for (name, slot) in kind.needs() {
        if count(slot) != 1 {
            let remark = match count(slot) {
                0 => format!("it does not name `{{{name}}}`"),
                _ => format!("it names `{{{name}}}` twice"),
            };
            let help = format!("every sentence for `{}` has `{{{name}}}` once", kind.key());
            return Some(Wrong::new(remark, help));
        }
    }
    if let Some((name, _)) = kind.allows().find(|(_, slot)| count(*slot) > 1) {
        return Some(Wrong::new(format!("it names `{{{name}}}` twice"), "leave one of them out"));
    }
    if let Some(last) = kind.last()
        && present.last() != Some(&WordedPiece::Slot(last))
    {
        let (name, _) = kind.needs().find(|(_, slot)| *slot == last).expect("it is needed");
        let help = format!("end it with `{{{name}}}`: what is said may go on for several words");
        return Some(Wrong::new("it goes on after what is said", help));
    }
    let words = present.iter().chain(past).filter_map(|piece| match piece {
        WordedPiece::Words(words) => Some(words.as_str()),
        WordedPiece::Slot(_) => None,
    });
    if let Some(wrong) = ends_or_begins(words) {
        return Some(wrong);
    }
    let touches = |pair: &[WordedPiece]| match pair {
        [WordedPiece::Slot(_), WordedPiece::Slot(_)] => true,
        [WordedPiece::Words(words), WordedPiece::Slot(_)] => !words.ends_with(' '),
        [WordedPiece::Slot(_), WordedPiece::Words(words)] => !words.starts_with([' ', ',', '\'', '’']),
        _ => false,
    };
    if present.windows(2).any(touches) || past.windows(2).any(touches) {
        return Some(Wrong::new("a hole touches what stands beside it", "leave a blank between them"));
    }
    // The storyboard's verb has a past of its own.
    (is_past && present == past && !has_verb(present))
        .then(|| Wrong::new("it says the same in both tenses", "write its verb in both, as in `[goes|went]`"))
}

/// The texts of a sentence with what stands in its holes replaced by what kind of thing that is. Where something is put can be
/// read in several ways.
fn skeletons(kind: SentenceKind, pieces: &[WordedPiece]) -> Vec<String> {
    let piece = |piece: &WordedPiece| match piece {
        WordedPiece::Words(words) => words.clone(),
        WordedPiece::Slot(slot) => format!("<{}>", kind.sort_of(*slot)),
    };
    let text: String = pieces.iter().map(piece).collect();
    if !text.contains("<spot>") {
        return vec![text];
    }
    let spots = INTO.iter().map(|into| format!("{into}<container>")).chain([format!("{DOWN_IN}<place>")]);
    spots.map(|spot| text.replace("<spot>", &spot)).collect()
}

/// Refuses sentences that read like others: then nobody could tell what happens.
///
/// Compared are all sentences in both tenses, with everything that they may begin with, and all that may be joined.
fn all_read_differently(reader: &mut PackReader<'_>, words: &WordingWords) {
    let mut seen: HashMap<String, (&'static str, Span)> = HashMap::new();
    let is_plain = |kind: &SentenceKind| words.ways(*kind).is_empty();
    let plain: HashMap<String, SentenceKind> = SentenceKind::all()
        .filter(is_plain)
        .flat_map(|kind| skeletons(kind, &plain_pieces(kind)).into_iter().map(move |text| (text, kind)))
        .collect();
    let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
    for (kind, ways) in &words.sentences {
        for way in ways {
            let pieces = words.tenses.iter().map(|tense| &way.pieces[*tense as usize]);
            let told: BTreeSet<String> = pieces.flat_map(|pieces| skeletons(*kind, pieces)).collect();
            for told in told {
                // Words to begin with stand only before what begins with a name.
                let then = if kind.is_event() && told.starts_with('<') { &words.then[..] } else { &[] };
                let begun = then.iter().map(|then| format!("{then} {told}"));
                for text in begun.chain([told.clone()]) {
                    if let Some(other) = plain.get(&text).filter(|other| *other != kind) {
                        reads_like(reader, kind.key(), way.span, other.key(), None);
                        return;
                    }
                    if let Some((other, span)) = seen.insert(text, (kind.key(), way.span)) {
                        reads_like(reader, kind.key(), way.span, other, Some(span));
                        return;
                    }
                }
                if kind.can_go_on() && way.can_go_on() {
                    firsts.push((kind.key(), way.span, told.clone()));
                }
                if kind.is_event() && way.can_be_joined() {
                    seconds.push(told.trim_start_matches("<person> ").to_owned());
                }
            }
        }
    }
    if let Some((first, like)) = like_two(&seen, &firsts, &seconds, &words.joined) {
        let ((key, span, _), (other, at)) = (&firsts[first], seen[like]);
        reads_like(reader, other, at, key, Some(*span));
    }
}

/// Of the sentences that read like two that are joined, the one whose first sentence stands first: that, and its text.
fn like_two<'s>(
    seen: &'s HashMap<String, (&'static str, Span)>,
    firsts: &[(&'static str, Span, String)],
    seconds: &[String],
    joined: &[String],
) -> Option<(usize, &'s str)> {
    // What is last in the list is found first, so that of two alike the first stays.
    let first_at: HashMap<&str, usize> =
        firsts.iter().enumerate().rev().map(|(at, (_, _, text))| (text.as_str(), at)).collect();
    let second_at: HashMap<&str, usize> =
        seconds.iter().enumerate().rev().map(|(at, text)| (text.as_str(), at)).collect();
    let mut found: Option<((usize, usize, usize), &str)> = None;
    for text in seen.keys() {
        for (number, joint) in joined.iter().enumerate() {
            let joint = format!(" {joint} ");
            for (at, _) in text.match_indices(&joint) {
                let halves = first_at.get(&text[..at]).zip(second_at.get(&text[at + joint.len()..]));
                let Some((&first, &second)) = halves else { continue };
                let order = (first, second, number);
                if found.is_none_or(|(least, _)| order < least) {
                    found = Some((order, text));
                }
            }
        }
    }
    found.map(|((first, ..), text)| (first, text))
}

fn reads_like(reader: &mut PackReader<'_>, key: &str, span: Span, other: &str, at: Option<Span>) {
    let message = match key == other {
        true => format!("two sentences for `{key}` read the same"),
        false => format!("this sentence for `{key}` reads like one for `{other}`"),
    };
    let problem = Diagnostic::error(message, span, "this one");
    // One that the pack does not word is told plainly, and stands nowhere.
    let problem = match at {
        Some(at) => problem.label(at, "the other one"),
        None => problem,
    };
    reader.problem(problem.help("word one of them differently, so that readers know what happens"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;
    use crate::pack::{built_in, parse};

    /// The first message about a pack with these sentences, and its first remark.
    fn refusal(sentences: &str) -> (String, String) {
        let text = format!(
            "storysim_pack: 1\nkind: wording\nname: x\ntense: [present, past]\nthen: [then]\njoined: [and]\n{sentences}\n"
        );
        let problems = parse(Source { name: "x.yaml".into(), text }).expect_err(sentences);
        let problem = &problems[0];
        assert!(problem.help.is_some(), "{problem:?}");
        (problem.message.clone(), problem.labels[0].1.clone())
    }

    fn refused_way(kind: &str, way: &str) -> String {
        let (message, remark) = refusal(&format!("sentences: {{{kind}: [{way:?}]}}"));
        assert_eq!(message, format!("this is no sentence for `{kind}`"), "{way}");
        remark
    }

    #[test]
    fn sentences_need_what_they_tell() {
        for (kind, way, remark) in [
            ("take", "{who} [waits|waited]", "it does not name `{object}`"),
            ("take", "{who} [gives|gave] {object} to {who}", "it names `{who}` twice"),
            ("move", "{who} [goes|went] from {here} and {here} to {there}", "it names `{here}` twice"),
            ("take", "{who} [takes|took] {object} to {there}", "nothing is called `{there}` there"),
            ("take", "{who} [takes|took {object}", "its brackets do not match"),
            ("take", "{who} [takes] {object}", "its brackets do not match"),
            ("take", "{who} takes|took {object}", "its brackets do not match"),
            ("take", "{who} [takes|took] {object", "its braces do not match"),
            ("take", "{who}} [takes|took] {object}", "its braces do not match"),
            (
                "take",
                "{who} [takes|took] {object}.",
                "it has a capital letter, or a mark that ends a sentence",
            ),
            (
                "take",
                "Now {who} [takes|took] {object}",
                "it has a capital letter, or a mark that ends a sentence",
            ),
            ("take", "{who}[takes|took] {object}", "a hole touches what stands beside it"),
            ("take", "{who} takes {object}", "it says the same in both tenses"),
            ("tell", "{who} [says|said] that {that} to all", "it goes on after what is said"),
            ("react", "that {to} [is|was] shown by {who}", "it goes on after what is said"),
            ("watch", "{who} and {who} [watch|watched] this", "it names `{who}` twice"),
        ] {
            assert_eq!(refused_way(kind, way), remark, "{way}");
        }
    }

    #[test]
    fn sentences_read_differently() {
        let same = "two sentences for `take` read the same";
        for (sentences, wanted) in [
            ("take: ['{who} [takes|took] {object}', '{who} [takes|took] {object}']", same),
            // The past of one is the present of the other.
            ("take: ['{who} [takes|took] {object}', '{who} [took|had] {object}']", same),
            // A place and a place.
            (
                "throw: ['{who} [moves|moved] {object} from {here} to {to}'], carry: ['{who} [moves|moved] {object} from {here} to {there}']",
                "this sentence for `carry` reads like one for `throw`",
            ),
            // With a word to begin with.
            ("take: ['{who} [takes|took] {object}', 'then {who} [takes|took] {object}']", same),
            // Two that are joined.
            (
                "take: ['{who} [takes|took] {object}'], move: ['{who} [goes|went] to {there}'], \
                 give: ['{who} [gives|gave] {to} {object}'], carry: ['{who} [takes|took] {object} and [goes|went] to {there}']",
                "this sentence for `carry` reads like one for `take`",
            ),
            // A plain sentence of a kind that is not worded.
            (
                "throw: ['{who} [carries|carried] {object} to {to}']",
                "this sentence for `throw` reads like one for `carry`",
            ),
        ] {
            let (message, _) = refusal(&format!("sentences: {{{sentences}}}"));
            assert_eq!(message, wanted, "{sentences}");
        }
    }

    #[test]
    fn few_words_cannot_say_too_much() {
        let (message, _) = refusal(
            "sentences: {take: ['{who} [takes|took] (a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b) {object}']}",
        );
        assert_eq!(message, "`take` can be said in more than 1024 ways");
    }

    #[test]
    fn where_something_is_put_is_read_in_several_ways() {
        let (message, _) = refusal(
            "sentences: {put: ['{who} [moves|moved] {object} {in}'], move_object: ['{who} [moves|moved] {object} inside {to}']}",
        );
        assert_eq!(message, "this sentence for `move_object` reads like one for `put`");
    }

    #[test]
    fn lists_are_what_they_should_be() {
        let (message, remark) = refusal("sentences: {tke: ['{who} [takes|took] {object}']}");
        assert_eq!((message.as_str(), remark.as_str()), ("no sentence is called `tke`", "unknown"));
        for phrase in ["Then", "then.", "{who}", "and; then"] {
            let text = format!(
                "storysim_pack: 1\nkind: wording\nname: x\nthen: [{phrase:?}]\nsentences: {{chat: ['{{who}} chats']}}\n"
            );
            let problems = parse(Source { name: "x.yaml".into(), text }).unwrap_err();
            assert_eq!(problems[0].message, "this cannot be an entry of `then`", "{phrase}");
        }
    }

    #[test]
    fn pronouns_are_words_of_their_own() {
        let refused = |pronouns: &str, sentences: &str| {
            let (message, remark) = refusal(&format!("pronouns: {pronouns}\nsentences: {{{sentences}}}"));
            format!("{message}: {remark}")
        };
        let chat = "chat: ['{who} [chats|chatted]']";
        assert_eq!(refused("{She: [Ann]}", chat), "this cannot be a pronoun: not one word in small letters");
        assert_eq!(
            refused("{this one: [Ann]}", chat),
            "this cannot be a pronoun: not one word in small letters"
        );
        assert_eq!(
            refused("{she: [Ann], he: [Bob, Ann]}", chat),
            "`Ann` stands under `pronouns` twice: the second"
        );
        assert_eq!(
            refused("{she: [Dr. No, Dr._No]}", chat),
            "`Dr._No` stands under `pronouns` twice: the second"
        );
        assert_eq!(
            refused("{it: [Ann]}", "chat: ['it [is|was] {who} who [chats|chatted]']"),
            "`it` cannot be a pronoun here: a sentence begins with `it is`"
        );
        assert_eq!(
            refused("{then: [Ann]}", chat),
            "`then` cannot be a pronoun here: a sentence begins with `then`"
        );
    }

    #[test]
    fn varied_has_eight_ways_for_everything() {
        let words = built_in("varied").unwrap().wording().unwrap();
        for kind in SentenceKind::all() {
            assert!(words.ways(kind).len() >= 8, "{}: {}", kind.key(), words.ways(kind).len());
        }
        assert!(words.joints().contains("leaves") || words.joints().contains("left"));
    }
}
