//! What a pack of wordings says around a story: how things are at its start, what is asked, and the rules.

use std::collections::HashMap;

use super::brackets::{CutPiece, Wrong, alternatives, cut, ends_or_begins, in_case, line, section};
use super::read::{PackReader, TEXT_CHARACTERS_MAX};
use crate::diagnostic::{Diagnostic, Span};
use crate::form::{Bracket, PhraseKind, PhrasePiece, PhraseSlot, ReaderRule};
use crate::storyboard::Fields;
use crate::storyboard::yaml::Node;

/// The largest number of characters of a rule.
const RULE_CHARACTERS_MAX: usize = 4 * TEXT_CHARACTERS_MAX;

/// A way to word a phrase, without its full stop or question mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// Its pieces in each case of its brackets.
    pub cases: Vec<Vec<PhrasePiece>>,
    /// Where it was written.
    pub span: Span,
}

impl Phrase {
    /// Whether it says something of several people at once.
    pub fn is_of_several(&self) -> bool {
        self.cases.len() > 1 && self.cases[0] != self.cases[1]
    }
}

/// What a wording says around a story.
///
/// ```
/// use storysim::form::{PhraseKind, ReaderRule};
/// let words = storysim::pack::built_in("varied").unwrap().wording().unwrap();
/// assert!(PhraseKind::ALL.iter().all(|kind| words.around.phrases(*kind).len() >= 8));
/// assert!(ReaderRule::ALL.iter().all(|rule| words.around.rules(*rule).len() >= 8));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AroundWords {
    /// `opening` and `questions`: the ways to word each kind of phrase; a kind that is not there is worded plainly
    pub phrases: Vec<(PhraseKind, Vec<Phrase>)>,
    /// `rules`: the ways to word each rule in full; a rule that is not there is worded plainly
    pub rules: Vec<(ReaderRule, Vec<String>)>,
    /// `short`: the ways to word each rule in short; a rule that is not there is worded in full
    pub short: Vec<(ReaderRule, Vec<String>)>,
}

fn ways_of<K: PartialEq, W>(all: &[(K, Vec<W>)], wanted: K) -> &[W] {
    all.iter().find(|(known, _)| *known == wanted).map_or(&[], |(_, ways)| ways)
}

impl AroundWords {
    /// The ways to word a kind of phrase; none if it is worded plainly.
    pub fn phrases(&self, kind: PhraseKind) -> &[Phrase] {
        ways_of(&self.phrases, kind)
    }

    /// The ways to word a rule in full; none if it is worded plainly.
    pub fn rules(&self, rule: ReaderRule) -> &[String] {
        ways_of(&self.rules, rule)
    }

    /// The ways to word a rule in short; none if there are only full ones.
    pub fn short(&self, rule: ReaderRule) -> &[String] {
        ways_of(&self.short, rule)
    }

    /// The words that stand between names, or after them, before a story.
    pub(super) fn joints(&self) -> impl Iterator<Item = &str> {
        let opening = self.phrases.iter().filter(|(kind, _)| !kind.form().is_question);
        let cases = opening.flat_map(|(_, ways)| ways).flat_map(|way| &way.cases);
        cases.flat_map(|pieces| flat(pieces)).filter_map(|piece| match piece {
            PhrasePiece::Words(words) => Some(words.as_str()),
            PhrasePiece::Slot(_) | PhrasePiece::Each(_) => None,
        })
    }

    /// How many ways there are, by section.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let phrases = |is_question| {
            let of = self.phrases.iter().filter(move |(kind, _)| kind.form().is_question == is_question);
            of.map(|(_, ways)| ways.len()).sum()
        };
        let rules = |rules: &[(ReaderRule, Vec<String>)]| rules.iter().map(|(_, ways)| ways.len()).sum();
        [
            ("opening", phrases(false)),
            ("questions", phrases(true)),
            ("rules", rules(&self.rules)),
            ("short", rules(&self.short)),
        ]
        .into_iter()
    }
}

/// Reads the sections of a wording that are not about what happens.
pub(super) fn read(reader: &mut PackReader<'_>, fields: &mut Fields) -> AroundWords {
    let mut phrases = Vec::new();
    for (key, is_question) in [("opening", false), ("questions", true)] {
        let Some(node) = fields.take(key) else { continue };
        let kinds = PhraseKind::ALL.iter().copied().filter(|kind| kind.form().is_question == is_question);
        let kinds: Vec<(&str, PhraseKind)> = kinds.map(|kind| (kind.form().key, kind)).collect();
        let what = if is_question { "question" } else { "phrase" };
        phrases.extend(section(reader, node, (key, what), &kinds, phrase));
    }
    let rules: Vec<(&str, ReaderRule)> = ReaderRule::ALL.iter().map(|rule| (rule.key(), *rule)).collect();
    let mut of = |key| {
        let node = fields.take(key);
        node.map_or_else(Vec::new, |node| {
            section(reader, node, (key, "rule"), &rules, |reader, node, _| rule(reader, node))
        })
    };
    let words = AroundWords { rules: of("rules"), short: of("short"), phrases };
    all_read_differently(reader, &words.phrases);
    words
}

/// Reads the ways to word a rule: whole sentences.
fn rule(reader: &mut PackReader<'_>, node: Node) -> Vec<String> {
    let Some((text, span)) = line(reader, node, "a rule", RULE_CHARACTERS_MAX) else { return Vec::new() };
    let is_sentence = |text: &String| text.ends_with('.') && text.starts_with(char::is_uppercase);
    let wrong = match alternatives(&text) {
        Err(wrong) => wrong,
        Ok(_) if text.contains(['{', '}', '[', ']']) => {
            Wrong::new("it has braces or brackets", "a rule names nothing: it holds for every story")
        }
        Ok(texts) if texts.iter().all(is_sentence) => return texts,
        Ok(_) => Wrong::new(
            "it is no whole sentence",
            "begin it with a capital letter, and end it with a full stop",
        ),
    };
    reader.problem(Diagnostic::error("this is no rule", span, wrong.remark).help(wrong.help));
    Vec::new()
}

/// Reads the ways to word a phrase, or says what they lack.
fn phrase(reader: &mut PackReader<'_>, node: Node, kind: PhraseKind) -> Vec<Phrase> {
    let Some((text, span)) = line(reader, node, "a phrase", TEXT_CHARACTERS_MAX) else { return Vec::new() };
    let read = alternatives(&text).and_then(|texts| {
        texts.iter().map(|text| in_cases(text, kind).map(|cases| Phrase { cases, span })).collect()
    });
    read.unwrap_or_else(|wrong| {
        let message = format!("this is no phrase for `{}`", kind.form().key);
        reader.problem(Diagnostic::error(message, span, wrong.remark).help(wrong.help));
        Vec::new()
    })
}

/// A phrase in each case of its brackets.
fn in_cases(text: &str, kind: PhraseKind) -> Result<Vec<Vec<PhrasePiece>>, Wrong> {
    let bracket = kind.form().bracket;
    let help = match bracket {
        Bracket::None => "it has no brackets: nothing in it depends on who is named".to_owned(),
        bracket => format!("a bracket has a text for {}", bracket.example()),
    };
    let read = |case| pieces(&in_case(text, case, bracket.cases(), &help)?, kind);
    let cases: Vec<Vec<PhrasePiece>> = (0..bracket.cases()).map(read).collect::<Result<_, _>>()?;
    if bracket == Bracket::Lid && cases[0] == cases[1] {
        return Err(Wrong::new(
            "it does not say whether the container is open",
            "write `[open|closed]` into it",
        ));
    }
    let is_always_alike = cases.iter().all(|case| *case == cases[0]);
    if bracket == Bracket::Moment && is_always_alike {
        return Err(Wrong::new("it asks the same about all moments", help));
    }
    if bracket == Bracket::State && is_always_alike {
        return Err(Wrong::new("it asks the same about all states", help));
    }
    Ok(cases)
}

/// The pieces of a phrase, with all holes that its kind needs.
fn pieces(text: &str, kind: PhraseKind) -> Result<Vec<PhrasePiece>, Wrong> {
    let form = kind.form();
    let known: Vec<(&str, PhraseSlot)> =
        form.needs.iter().flat_map(|needs| needs.iter()).map(|slot| (slot.name(), *slot)).collect();
    let read = |text: &str| -> Result<Vec<PhrasePiece>, Wrong> {
        let piece = |piece| match piece {
            CutPiece::Words(words) => PhrasePiece::Words(words),
            CutPiece::Slot(slot) => PhrasePiece::Slot(slot),
        };
        Ok(cut(text, &known)?.into_iter().map(piece).collect())
    };
    let pieces = if kind == PhraseKind::Apart { repeated(text, read)? } else { read(text)? };
    let all: Vec<&PhrasePiece> = flat(&pieces).collect();
    let count = |wanted: PhraseSlot| all.iter().filter(|piece| ***piece == PhrasePiece::Slot(wanted)).count();
    let is_whole = |needs: &&&[PhraseSlot]| needs.iter().all(|slot| count(*slot) > 0);
    if !form.needs.iter().any(|needs| is_whole(&needs)) {
        // What is nearest to what is written.
        let missing = |needs: &&&[PhraseSlot]| needs.iter().filter(|slot| count(**slot) == 0).count();
        let needs = form.needs.iter().min_by_key(missing).expect("every kind needs something");
        let missing = needs.iter().find(|slot| count(**slot) == 0).expect("something is missing").name();
        let help = format!("every phrase for `{}` has `{{{missing}}}`", form.key);
        return Err(Wrong::new(format!("it does not name `{{{missing}}}`"), help));
    }
    // Before a story, each name says where somebody or something is.
    if let Some((name, _)) = known.iter().find(|(_, slot)| !form.is_question && count(*slot) > 1) {
        return Err(Wrong::new(format!("it names `{{{name}}}` twice"), "leave one of them out"));
    }
    let is_said = !form.is_question && count(PhraseSlot::Fact) > 0;
    if is_said && pieces.last() != Some(&PhrasePiece::Slot(PhraseSlot::Fact)) {
        let help = "end it with `{that}`: what is said may go on for several words";
        return Err(Wrong::new("it goes on after what is said", help));
    }
    let is_words = |piece: &&PhrasePiece| match piece {
        PhrasePiece::Words(words) => Some(words.clone()),
        _ => None,
    };
    // "Concerning the pool: what does Ann want?"
    let within = |words: String| if form.is_question { words.replace(": ", ", ") } else { words };
    let words: Vec<String> = all.iter().filter_map(is_words).map(within).collect();
    if let Some(wrong) = ends_or_begins(words.iter().map(String::as_str)) {
        return Err(wrong);
    }
    match touches(&pieces) {
        true => Err(Wrong::new("a hole touches what stands beside it", "leave a blank between them")),
        false => Ok(pieces),
    }
}

/// All pieces, those that are repeated among them.
fn flat(pieces: &[PhrasePiece]) -> impl Iterator<Item = &PhrasePiece> {
    pieces.iter().flat_map(|piece| match piece {
        PhrasePiece::Each(pieces) => &pieces[..],
        piece => std::slice::from_ref(piece),
    })
}

/// Reads a text with a part that is repeated: `at the start, <{everyone} [is|are] in {there}>`.
fn repeated(
    text: &str,
    read: impl Fn(&str) -> Result<Vec<PhrasePiece>, Wrong>,
) -> Result<Vec<PhrasePiece>, Wrong> {
    let wrong = || {
        let help = "write what is said of each place as in `at the start, <{everyone} [is|are] in {there}>`";
        Wrong::new("it does not say what is repeated for each place", help)
    };
    let (before, rest) = text.split_once('<').ok_or_else(wrong)?;
    let (each, after) = rest.split_once('>').ok_or_else(wrong)?;
    if before.contains('>') || after.contains(['<', '>']) || before.contains('{') || after.contains('{') {
        return Err(wrong());
    }
    let mut pieces = read(before)?;
    pieces.push(PhrasePiece::Each(read(each)?));
    pieces.extend(read(after)?);
    Ok(pieces)
}

/// Whether a hole touches a word, or another hole. What others think, or as whom it is seen, ends with a blank of its own; and since
/// it may be nothing, nothing begins or ends with it.
fn touches(pieces: &[PhrasePiece]) -> bool {
    use PhrasePiece::{Each, Slot, Words};
    let is_others = |piece: &PhrasePiece| matches!(piece, Slot(PhraseSlot::Others | PhraseSlot::Seen));
    let pair = |pair: &[PhrasePiece]| match pair {
        [one, Words(words)] if is_others(one) => words.starts_with(' '),
        [one, _] if is_others(one) => false,
        [Slot(_) | Each(_), Slot(_) | Each(_)] => true,
        [Words(words), Slot(_) | Each(_)] => !words.ends_with(' '),
        [Slot(_) | Each(_), Words(words)] => !words.starts_with([' ', ',', ':', '\'', '’']),
        _ => false,
    };
    let is_at_an_end =
        pieces.last().is_some_and(is_others) || pieces.first() == Some(&Slot(PhraseSlot::Seen));
    is_at_an_end
        || pieces.windows(2).any(pair)
        || pieces.iter().any(|piece| matches!(piece, Each(each) if touches(each)))
}

/// A phrase with what stands in its holes replaced by what kind of thing that is.
fn skeleton(pieces: &[PhrasePiece]) -> String {
    let piece = |piece: &PhrasePiece| match piece {
        PhrasePiece::Words(words) => words.clone(),
        PhrasePiece::Slot(slot) => format!("<{}>", slot.name()),
        PhrasePiece::Each(each) => format!("<each {}>", skeleton(each)),
    };
    pieces.iter().map(piece).collect()
}

/// Refuses phrases that read like others: then nobody could tell what is said, or asked.
fn all_read_differently(reader: &mut PackReader<'_>, phrases: &[(PhraseKind, Vec<Phrase>)]) {
    let mut seen: HashMap<(bool, String), (PhraseKind, Option<Span>)> = HashMap::new();
    for kind in PhraseKind::ALL.iter().filter(|kind| phrases.iter().all(|(worded, _)| worded != *kind)) {
        let cases = in_cases(kind.form().plain, *kind).unwrap_or_default();
        let told = cases.iter().map(|case| ((kind.form().is_question, skeleton(case)), (*kind, None)));
        seen.extend(told);
    }
    for (kind, phrases) in phrases {
        for phrase in phrases {
            let mut cases: Vec<String> = phrase.cases.iter().map(|case| skeleton(case)).collect();
            cases.sort_unstable();
            cases.dedup();
            for case in cases {
                let key = (kind.form().is_question, case);
                if let Some((other, at)) = seen.insert(key, (*kind, Some(phrase.span))) {
                    return reads_like(reader, (*kind, phrase.span), (other, at));
                }
            }
        }
    }
}

fn reads_like(
    reader: &mut PackReader<'_>,
    (kind, span): (PhraseKind, Span),
    (other, at): (PhraseKind, Option<Span>),
) {
    let (key, other) = (kind.form().key, other.form().key);
    let message = match key == other {
        true => format!("two phrases for `{key}` read the same"),
        false => format!("this phrase for `{key}` reads like one for `{other}`"),
    };
    let problem = Diagnostic::error(message, span, "this one");
    let problem = match at {
        Some(at) if at != span => problem.label(at, "the other one"),
        _ => problem,
    };
    reader.problem(problem.help("word one of them differently, so that readers know what is meant"));
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Source;
    use crate::pack::parse;

    /// The first message about a pack with these sections, and its first remark.
    fn refusal(sections: &str) -> (String, String) {
        let head = "storysim_pack: 1\nkind: wording\nname: x\nsentences: {chat: '{who} chats'}\n";
        let source = Source { name: "x.yaml".into(), text: format!("{head}{sections}\n") };
        let problems = parse(source).expect_err(sections);
        let problem = &problems[0];
        (problem.message.clone(), problem.labels[0].1.clone())
    }

    #[test]
    fn phrases_need_what_they_say() {
        for (section, key, phrase, remark) in [
            ("opening", "together", "{everyone} [starts|start] here", "it does not name `{there}`"),
            (
                "opening",
                "together",
                "{everyone} [starts|start|began] in {there}",
                "its brackets do not match",
            ),
            (
                "opening",
                "together",
                "{everyone} and {everyone} start in {there}",
                "it names `{everyone}` twice",
            ),
            ("opening", "together", "{who} starts in {there}", "nothing is called `{who}` there"),
            (
                "opening",
                "together",
                "Now {everyone} [is|are] in {there}",
                "it has a capital letter, or a mark that ends a sentence",
            ),
            ("opening", "together", "{everyone}[is|are] in {there}", "a hole touches what stands beside it"),
            ("opening", "together", "({everyone} [is|are] in {there}", "its parentheses do not match"),
            (
                "opening",
                "apart",
                "{everyone} [is|are] in {there}",
                "it does not say what is repeated for each place",
            ),
            ("opening", "apart", "now <{everyone} [is|are] here>", "it does not name `{there}`"),
            (
                "opening",
                "apart",
                "now{there} <{everyone} is in {there}>",
                "it does not say what is repeated for each place",
            ),
            (
                "opening",
                "stands",
                "{container} is in {there}",
                "it does not say whether the container is open",
            ),
            ("opening", "start", "{that} at first", "it goes on after what is said"),
            ("questions", "belief", "where is {target}", "it does not name `{view}`"),
            (
                "questions",
                "belief",
                "where [does|did|would] {who} think {target} is",
                "it does not name `{others}`",
            ),
            (
                "questions",
                "belief",
                "where does {who} think {others}{target} is",
                "it asks the same about all moments",
            ),
            (
                "questions",
                "belief",
                "where [does|did|would] {who} think {target} is {others}",
                "a hole touches what stands beside it",
            ),
            (
                "questions",
                "knows",
                "[does|did|would] {who} know {whether}?",
                "it has a capital letter, or a mark that ends a sentence",
            ),
        ] {
            let (message, told) = refusal(&format!("{section}: {{{key}: [{phrase:?}]}}"));
            assert_eq!(
                (message, told.as_str()),
                (format!("this is no phrase for `{key}`"), remark),
                "{phrase}"
            );
        }
    }

    #[test]
    fn phrases_read_differently() {
        for (sections, wanted) in [
            (
                "opening: {like: ['{everyone} [likes|like] {target}', '{everyone} [likes|like] {target}']}",
                "two phrases for `like` read the same",
            ),
            // The plain phrase of a kind that is not worded.
            (
                "opening: {like: '{everyone} [dislikes|dislike] {target}'}",
                "this phrase for `like` reads like one for `dislike`",
            ),
            (
                "questions: {reality: 'where [was|is|would] {target} at the start'}",
                "this phrase for `reality` reads like one for `start_asked`",
            ),
        ] {
            assert_eq!(refusal(sections).0, wanted, "{sections}");
        }
    }

    #[test]
    fn rules_are_whole_sentences() {
        for (rule, remark) in [
            ("everyone knows this.", "it is no whole sentence"),
            ("Everyone knows this", "it is no whole sentence"),
            ("Everyone knows {that}.", "it has braces or brackets"),
            ("(Everyone knows this.", "its parentheses do not match"),
        ] {
            for section in ["rules", "short"] {
                let told = refusal(&format!("{section}: {{all_known: [{rule:?}]}}"));
                assert_eq!(told, ("this is no rule".to_owned(), remark.to_owned()), "{rule}");
            }
        }
        assert_eq!(refusal("rules: {all_know: 'X.'}").0, "no rule is called `all_know`");
        assert_eq!(refusal("opening: {belief: 'x'}").0, "no phrase is called `belief`");
        assert_eq!(refusal("questions: {beliefs: 'x'}").0, "no question is called `beliefs`");
    }
}
