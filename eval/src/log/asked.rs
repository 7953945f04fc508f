//! The questions of a log of a conversation.

use super::forms::{Form, Proposition};
use super::json::Node;
use super::reader::{Fields, Names, Problems};
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::id::CharacterId;

/// A question about a conversation.
#[derive(Debug)]
pub struct Asked {
    pub(super) number: usize,
    pub(super) id: Option<String>,
    pub(super) kind: &'static str,
    pub(super) chain: Vec<CharacterId>,
    pub(super) about: Proposition,
    pub(super) wants: Wanted,
    pub(super) published: Option<String>,
    pub(super) span: Span,
}

/// A property that a question asks of people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// The person knows it.
    Knows,
    /// The person was there when the lie was told and knows that it is one.
    SeesThrough,
}

/// The kind of answer that a question wants.
#[derive(Debug)]
pub(super) enum Wanted {
    /// The one option that holds.
    Form(Vec<(String, Form)>),
    /// Whether something holds, with the words for yes and no.
    Word(Check, [Option<String>; 2]),
    /// Everyone for whom something holds.
    Who(Test, Vec<CharacterId>),
    /// A text, which cannot be derived.
    Text,
}

/// A statement that is answered with yes or no.
#[derive(Debug)]
pub(super) enum Check {
    Form(Form),
    Test(Test, CharacterId),
}

/// The way in which a question is answered.
#[derive(Clone, Copy)]
enum Way {
    IsSo,
    WhoDiscussed,
    Form,
    List(Test),
    Word(Test),
    Text,
}

const KINDS: [(&str, Way); 12] = [
    ("comprehension", Way::IsSo),
    ("fact_reason", Way::WhoDiscussed),
    ("fact_truth", Way::WhoDiscussed),
    ("belief", Way::Form),
    ("lieability", Way::Form),
    ("infoAccessibility_list", Way::List(Test::Knows)),
    ("infoAccessibility_binary", Way::Word(Test::Knows)),
    ("answerability_list", Way::List(Test::Knows)),
    ("answerability_binary", Way::Word(Test::Knows)),
    ("liedetectability_list", Way::List(Test::SeesThrough)),
    ("liedetectability_binary", Way::Word(Test::SeesThrough)),
    ("justification", Way::Text),
];

/// Reads a question.
pub fn question(number: usize, node: Node<'_>, cast: &Names, problems: &mut Problems) -> Option<Asked> {
    let fields = problems.fields(node, "a question")?;
    let word = problems.required(&fields, "type")?;
    let kinds = KINDS.map(|(word, way)| (word, (word, way)));
    let (kind, way) = problems.word(word, "the type of a question", &kinds)?;
    let about = problems.required(&fields, "about");
    let about =
        about.and_then(|node| problems.word(node, "what a question is about", &Proposition::WORDS))?;
    let chain = match fields.said("asker_chain") {
        Some(node) => cast.find_all(node, "`asker_chain`", problems)?,
        None => Vec::new(),
    };
    let chain: Vec<_> = chain.iter().map(|who| CharacterId::new(who.value)).collect();
    Some(Asked {
        number,
        id: fields.said("id").map(|node| node.written().to_owned()),
        kind,
        wants: wanted(&fields, way, about, &chain, cast, problems)?,
        chain,
        about,
        published: fields.get("answer").map(|node| node.written().to_owned()),
        span: node.span(),
    })
}

fn wanted(
    fields: &Fields<'_>,
    way: Way,
    about: Proposition,
    chain: &[CharacterId],
    cast: &Names,
    problems: &mut Problems,
) -> Option<Wanted> {
    if let Way::Text = way {
        return Some(Wanted::Text);
    }
    let options = problems.required(fields, "options")?;
    let options = problems.list(options, "`options`")?;
    let form_options = |read: &dyn Fn(Node<'_>, &mut Problems) -> Option<Form>, problems: &mut Problems| {
        let option = |node: &Node<'_>| Some((node.written().to_owned(), legible(*node, read, problems)?));
        Wanted::Form(options.iter().filter_map(option).collect())
    };
    let words = |problems: &mut Problems| {
        let mut words = [None, None];
        for &option in &options {
            let text = problems.text(option, "an option")?.value.to_lowercase();
            match text.as_str() {
                "yes" => words[0] = Some(option.written().to_owned()),
                "no" => words[1] = Some(option.written().to_owned()),
                _ => {}
            }
        }
        Some(words)
    };
    match way {
        Way::Text => Some(Wanted::Text),
        Way::Form => Some(form_options(&|node, problems| Form::read(node, cast, problems), problems)),
        Way::WhoDiscussed => {
            let read = |node: Node<'_>, problems: &mut Problems| {
                let who = cast.find_all(node, "those who discussed it", problems)?;
                Some(Form::Discussed(who.iter().map(|who| CharacterId::new(who.value)).collect(), about))
            };
            Some(form_options(&read, problems))
        }
        Way::IsSo => Some(Wanted::Word(Check::Form(Form::So(about)), words(problems)?)),
        Way::Word(test) => {
            let [who] = chain else {
                let message = "this type of question is about one character";
                let span = fields.get("asker_chain").map_or(fields.span(), Node::span);
                problems.push(Diagnostic::error(message, span, format!("{} here", chain.len())));
                return None;
            };
            Some(Wanted::Word(Check::Test(test, *who), words(problems)?))
        }
        Way::List(test) => {
            let of: Option<Vec<_>> = options.iter().map(|&option| cast.find(option, problems)).collect();
            Some(Wanted::Who(test, of?.iter().map(|who| CharacterId::new(who.value)).collect()))
        }
    }
}

/// An option, if it can be read. Published options are not always well-formed; those that are not cannot be true.
fn legible(
    node: Node<'_>,
    read: &dyn Fn(Node<'_>, &mut Problems) -> Option<Form>,
    problems: &mut Problems,
) -> Option<Form> {
    if node.written() == "null" {
        return None;
    }
    let mut within = Problems::default();
    let form = read(node, &mut within);
    for problem in within.kept {
        let help = "this option cannot be read and counts as not true";
        problems.push(Diagnostic { severity: Severity::Warning, ..problem }.help(help));
    }
    form
}
