//! Packs of rules: what people feel about news, what they then want, and what they do.
//!
//! Each list is read line by line, and the first line that fits decides. A pack in which something fits no line, or a line
//! decides nothing, is refused.

use super::read::{PackReader, TextForm};
use super::text::{Slot, Text};
use crate::diagnostic::{Diagnostic, Span};
use crate::form::{Addressee, Author, Certainty, Expected, Outcome, Situation, Toward, When};
use crate::storyboard::yaml::{Kind, Node};
use crate::storyboard::{Fields, Name};

/// The keys of such a pack.
pub const KEYS: [&str; 5] = ["sources", "feels", "wants", "does", "words"];

/// The most feelings, or wants, that a pack can have.
const NAMES_MAX: usize = 200;

/// The rules of a pack, with their words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleWords {
    /// `sources`: where lines come from, by a short name
    pub sources: Vec<(Name, Text)>,
    /// `feels`: what somebody feels, by what she thinks
    pub feels: Vec<Line>,
    /// `wants`: what she then wants, and whom that is directed at
    pub wants: Vec<Line>,
    /// `does`: what she then does
    pub does: Vec<Doing>,
    /// `words: {feels: …}`: the feelings, each with its word
    pub feelings: Vec<(Name, Text)>,
    /// `words: {wants: …}`: the wants, each with its words
    pub intentions: Vec<Intention>,
}

/// A line of `feels` or `wants`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of the feeling or the want that it leads to.
    pub result: usize,
    /// When it does.
    pub when: When,
    /// `toward`, of a want
    pub toward: Toward,
    /// `source`
    pub source: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// A line of `does`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doing {
    /// What is done: "{act}, face to face".
    pub text: Text,
    /// When it is.
    pub when: When,
    /// Where it stands.
    pub span: Span,
}

/// The words of a want.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intention {
    /// The name in the pack.
    pub name: Name,
    /// `wants`: what is wanted: "to wait and see"
    pub wants: Text,
    /// `act`: what is done for it: "wait for what comes"
    pub act: Text,
}

impl RuleWords {
    /// The number of the line of `feels` that decides what somebody feels, if one fits.
    pub fn feeling_line(&self, situation: Situation) -> Option<usize> {
        self.feels.iter().position(|line| line.when.fits(situation))
    }

    /// The number of the line of `wants` that decides what somebody wants who feels this.
    pub fn want_line(&self, situation: Situation, feels: usize) -> Option<usize> {
        self.wants.iter().position(|line| line.when.fits(situation) && line.when.fits_feeling(feels))
    }

    /// The number of the line of `does` that decides what somebody does who wants this.
    pub fn doing_line(&self, wants: usize, addressee: Addressee) -> Option<usize> {
        self.does.iter().position(|line| line.when.fits_want(wants, addressee))
    }
}

/// Reads a pack of rules.
pub fn read(reader: &mut PackReader<'_>, fields: &mut Fields) -> RuleWords {
    let mut rules = RuleWords::default();
    let pack = fields.span;
    if let Some(node) = reader.required(fields, "sources") {
        for (key, node) in reader.entries(node, "`sources`").unwrap_or_default() {
            let name = reader.name(key, "a source");
            let text = reader.text(node, &TextForm::fixed("a source"));
            rules.sources.extend(name.zip(text));
        }
    }
    let read_words = reader.required(fields, "words").and_then(|node| words(reader, node, &mut rules));
    let lists = ["feels", "wants", "does"].map(|key| reader.list(fields, key));
    if read_words.is_none() {
        return rules;
    }
    let [feels, wants, does] = lists;
    let mut is_whole = feels.is_some() && wants.is_some() && does.is_some();
    for node in feels.map_or(Vec::new(), |(_, nodes)| nodes) {
        let line = line(reader, node, &rules, LineKind::Feels);
        is_whole &= line.is_some();
        rules.feels.extend(line);
    }
    for node in wants.map_or(Vec::new(), |(_, nodes)| nodes) {
        let line = line(reader, node, &rules, LineKind::Wants);
        is_whole &= line.is_some();
        rules.wants.extend(line);
    }
    for node in does.map_or(Vec::new(), |(_, nodes)| nodes) {
        let doing = doing(reader, node, &rules);
        is_whole &= doing.is_some();
        rules.does.extend(doing);
    }
    if is_whole {
        check_whole(reader, &rules, pack);
    }
    rules
}

/// Reads the words of feelings and wants. Without their names, no line can be read.
fn words(reader: &mut PackReader<'_>, node: Node, rules: &mut RuleWords) -> Option<()> {
    let mut fields = reader.fields(node, "`words`", &["feels", "wants"])?;
    let feels = reader.required(&mut fields, "feels");
    let wants = reader.required(&mut fields, "wants");
    for (key, node) in reader.entries(feels?, "`feels`")? {
        let name = reader.name(key, "a feeling");
        let text = reader.text(node, &TextForm::fixed("the word of a feeling"));
        rules.feelings.extend(name.zip(text));
    }
    for (key, node) in reader.entries(wants?, "`wants`")? {
        let name = reader.name(key, "a want");
        let Some(mut fields) = reader.fields(node, "a want", &["wants", "act"]) else { continue };
        let wants = reader.required(&mut fields, "wants");
        let wants = wants.and_then(|node| reader.text(node, &TextForm::fixed("`wants`")));
        let act = reader.required(&mut fields, "act").and_then(|node| reader.text(node, &ACT));
        if let (Some(name), Some(wants), Some(act)) = (name, wants, act) {
            rules.intentions.push(Intention { name, wants, act });
        }
    }
    let texts: Vec<Text> = rules.feelings.iter().map(|(_, text)| text.clone()).collect();
    reader.all_different(&texts, "two feelings have the same word");
    let texts: Vec<Text> = rules.intentions.iter().map(|known| known.wants.clone()).collect();
    reader.all_different(&texts, "two wants have the same words");
    different_acts(reader, rules);
    let most = rules.feelings.len().max(rules.intentions.len());
    if most > NAMES_MAX {
        let message = format!("a pack has at most {NAMES_MAX} feelings, and as many wants");
        reader.problem(Diagnostic::error(message, fields.span, format!("{most} here")));
        return None;
    }
    Some(())
}

/// Refuses acts that are told in the same words once names are filled in: whoever decides may be the one who brought it about.
fn different_acts(reader: &mut PackReader<'_>, rules: &RuleWords) {
    let mut seen: Vec<(String, Span)> = Vec::new();
    for act in rules.intentions.iter().map(|known| &known.act) {
        let mut told = String::new();
        act.fill(&mut told, |_, told| told.push_str("{}"));
        let told = told.to_lowercase();
        match seen.iter().find(|(known, _)| *known == told) {
            Some((_, first)) => {
                let problem = Diagnostic::error("two wants lead to the same act", act.span, "the second");
                reader.problem(problem.label(*first, "the first").help(
                    "a reader has to tell them apart, also where the one who decides is the one who brought it about",
                ));
            }
            None => seen.push((told, act.span)),
        }
    }
}

const ACT: TextForm = TextForm { slots: &[Slot::Decider, Slot::Agent], ..TextForm::fixed("`act`") };
const DOES: TextForm = TextForm { slots: &[Slot::Act], once: Some(Slot::Act), ..TextForm::fixed("`does`") };

/// Which list a line stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Feels,
    Wants,
}

fn line(reader: &mut PackReader<'_>, node: Node, rules: &RuleWords, kind: LineKind) -> Option<Line> {
    let span = node.span;
    let is_want = kind == LineKind::Wants;
    let (key, phrase, keys): (&str, _, &[&'static str]) = match kind {
        LineKind::Feels => ("feels", "a line of `feels`", &["feels", "if", "source"]),
        LineKind::Wants => ("wants", "a line of `wants`", &["wants", "if", "toward", "source"]),
    };
    let mut fields = reader.fields(node, phrase, keys)?;
    let result = reader.required(&mut fields, key).and_then(|node| {
        if is_want {
            numbered(reader, node, rules.wants_known(), "a want")
        } else {
            numbered(reader, node, rules.feelings_known(), "a feeling")
        }
    });
    let asked: &[&'static str] = if is_want {
        &["feels", "final", "outcome", "is", "by", "expected", "thinks"]
    } else {
        &["thinks", "outcome", "is", "by", "expected", "final"]
    };
    let when = when(reader, &mut fields, rules, asked);
    if let Some(when) = &when
        && !says_when(when)
    {
        let problem = Diagnostic::error(format!("{phrase} has to say of whom it holds"), span, "it does not");
        reader.problem(problem.help("add `if`, with what somebody thinks: `thinks`, `outcome`, `is`, `by` or `final`; or, of a want, `feels`"));
        return None;
    }
    let toward = if is_want {
        let words: Vec<&str> = Toward::ALL.iter().map(|toward| toward.word()).collect();
        let node = reader.required(&mut fields, "toward");
        node.and_then(|node| reader.one_of(node, "`toward` is", &words)).map(|at| Toward::ALL[at])
    } else {
        Some(Toward::Nobody)
    };
    let source = reader.required(&mut fields, "source");
    let source = source.and_then(|node| reader.text(node, &TextForm::fixed("`source`")));
    if let Some(source) = &source {
        check_source(reader, source, rules);
    }
    Some(Line {
        result: result?,
        when: when?,
        toward: toward?,
        source: source.map(|text| text.to_string()),
        span,
    })
}

/// Whether the conditions of a line say what somebody thinks, or feels.
fn says_when(when: &When) -> bool {
    let When { thinks_nothing, outcome, certainty, author, is_final, feels, .. } = when;
    *thinks_nothing
        || !(outcome.is_empty()
            && certainty.is_empty()
            && author.is_empty()
            && is_final.is_empty()
            && feels.is_empty())
}

/// A line says where it comes from: by the short name of a source.
fn check_source(reader: &mut PackReader<'_>, source: &Text, rules: &RuleWords) {
    let written = source.to_string();
    let is_named = |(name, _): &(Name, Text)| {
        written.match_indices(name.value.as_str()).any(|(at, found)| {
            let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            ends(written[..at].chars().next_back()) && ends(written[at + found.len()..].chars().next())
        })
    };
    if !rules.sources.iter().any(is_named) {
        let message = "this line names none of the `sources`";
        let known: Vec<String> = rules.sources.iter().map(|(name, _)| format!("`{}`", name.value)).collect();
        let problem = Diagnostic::error(message, source.span, "unknown");
        reader.problem(problem.help(format!("the sources: {}", known.join(", "))));
    }
}

fn doing(reader: &mut PackReader<'_>, node: Node, rules: &RuleWords) -> Option<Doing> {
    let span = node.span;
    let mut fields = reader.fields(node, "a line of `does`", &["does", "if"])?;
    let text = reader.required(&mut fields, "does").and_then(|node| reader.text(node, &DOES));
    let when = when(reader, &mut fields, rules, &["wants", "addressee"]);
    Some(Doing { text: text?, when: when?, span })
}

impl RuleWords {
    fn feelings_known(&self) -> Vec<&str> {
        self.feelings.iter().map(|(name, _)| name.value.as_str()).collect()
    }

    fn wants_known(&self) -> Vec<&str> {
        self.intentions.iter().map(|known| known.name.value.as_str()).collect()
    }
}

/// The number of a name among those that are known.
fn numbered(reader: &mut PackReader<'_>, node: Node, known: Vec<&str>, what: &str) -> Option<usize> {
    reader.one_of(node, &format!("{what} is"), &known)
}

/// The conditions of a line; none, if it has no `if`.
fn when(
    reader: &mut PackReader<'_>,
    fields: &mut Fields,
    rules: &RuleWords,
    keys: &'static [&'static str],
) -> Option<When> {
    let mut when = When::default();
    let Some(node) = fields.take("if") else { return Some(when) };
    let mut fields = reader.fields(node, "`if`", keys)?;
    let mut is_right = true;
    if let Some(node) = fields.take("thinks") {
        is_right &= reader.one_of(node, "`thinks` is", &["nothing"]).is_some();
        when.thinks_nothing = true;
    }
    let mut given = |key: &str, words: &[&str]| -> Vec<usize> {
        let Some(node) = fields.take(key) else { return Vec::new() };
        let found = several(reader, node, &format!("`{key}` is"), words);
        is_right &= found.is_some();
        found.unwrap_or_default()
    };
    macro_rules! of {
        ($key:literal, $Word:ident) => {{
            let words: Vec<&str> = $Word::ALL.iter().map(|word| word.word()).collect();
            given($key, &words).into_iter().map(|at| $Word::ALL[at]).collect()
        }};
    }
    when.outcome = of!("outcome", Outcome);
    when.certainty = of!("is", Certainty);
    when.author = of!("by", Author);
    when.expected = of!("expected", Expected);
    when.addressee = of!("addressee", Addressee);
    // Some readers of YAML make `true` and `false` of these words.
    let is_final = given("final", &["no", "yes", "false", "true"]).into_iter();
    when.is_final = is_final.map(|at| at % 2 == 1).collect();
    when.is_final.dedup();
    when.feels = given("feels", &rules.feelings_known());
    when.wants = given("wants", &rules.wants_known());
    is_right.then_some(when)
}

/// One of these words, or a list of several, as numbers.
fn several(reader: &mut PackReader<'_>, node: Node, what: &str, words: &[&str]) -> Option<Vec<usize>> {
    match node.kind {
        Kind::List(nodes) if !nodes.is_empty() => {
            let found: Vec<Option<usize>> =
                nodes.into_iter().map(|node| reader.one_of(node, what, words)).collect();
            found.into_iter().collect()
        }
        _ => reader.one_of(node, what, words).map(|at| vec![at]),
    }
}

/// Refuses rules in which something fits no line, and lines that decide nothing.
fn check_whole(reader: &mut PackReader<'_>, rules: &RuleWords, span: Span) {
    let mut reached =
        [vec![false; rules.feels.len()], vec![false; rules.wants.len()], vec![false; rules.does.len()]];
    let mut open: [Vec<String>; 3] = Default::default();
    for situation in Situation::all() {
        let Some(line) = rules.feeling_line(situation) else {
            open[0].push(said(situation));
            continue;
        };
        reached[0][line] = true;
        let feels = rules.feels[line].result;
        let Some(line) = rules.want_line(situation, feels) else {
            let feels = &rules.feelings[feels].0.value;
            open[1].push(format!("feels {feels} and {}", said(situation)));
            continue;
        };
        reached[1][line] = true;
        let Line { result: wants, toward, span, .. } = rules.wants[line];
        let author = situation.thinks.and_then(|thought| thought.author);
        if toward == Toward::Agent && author != Some(Author::Other) {
            let message = "`toward: agent` is for what somebody else has brought about";
            let remark = format!("but this holds for somebody who {}", said(situation));
            let problem = Diagnostic::error(message, span, remark);
            reader.problem(problem.help("add `by: other`, or a feeling that takes it"));
            return;
        }
        let addressees: &[Addressee] = match toward {
            Toward::Nobody => &[Addressee::Nobody],
            _ => &[Addressee::Here, Addressee::Away],
        };
        for &addressee in addressees {
            match rules.doing_line(wants, addressee) {
                Some(line) => reached[2][line] = true,
                None => {
                    let wants = &rules.intentions[wants].name.value;
                    open[2].push(format!("wants {wants}, with `addressee: {}`", addressee.word()));
                }
            }
        }
    }
    for (list, mut open) in KEYS[1..4].iter().zip(open) {
        open.dedup();
        let Some(first) = open.first() else { continue };
        let message = format!("no line of `{list}` fits somebody who {first}");
        let remark = match open.len() {
            1 => "in this pack".to_owned(),
            count => format!("in this pack; nor {} others", count - 1),
        };
        reader.problem(Diagnostic::error(message, span, remark).help("add a line for it"));
    }
    let spans = [
        rules.feels.iter().map(|line| line.span).collect::<Vec<Span>>(),
        rules.wants.iter().map(|line| line.span).collect(),
        rules.does.iter().map(|line| line.span).collect(),
    ];
    for (spans, reached) in spans.into_iter().zip(reached) {
        for (span, _) in spans.into_iter().zip(reached).filter(|(_, is_reached)| !is_reached) {
            let problem = Diagnostic::error("this line never decides anything", span, "it never comes to it");
            reader.problem(
                problem.help("the lines before it fit all that it fits: move it up, or take it out"),
            );
        }
    }
}

/// A situation in words: "thinks an unwanted outcome settled by nobody, nothing can be done, and expected nothing".
fn said(situation: Situation) -> String {
    let Some(thought) = situation.thinks else { return "thinks nothing".to_owned() };
    let outcome = thought.outcome.word();
    let how = match thought.author {
        None => "likely".to_owned(),
        Some(author) => format!("settled, `by: {}`", author.word()),
    };
    let is_final = if thought.is_final { "yes" } else { "no" };
    format!(
        "thinks the {outcome} side {how}, `final: {is_final}`, having expected {}",
        situation.expected.word()
    )
}
