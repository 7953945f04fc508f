//! `storysim check-story`: whether stories made elsewhere satisfy a storyboard.

use std::collections::HashMap;
use std::fmt::Write;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::str::FromStr;

use rayon::prelude::*;
use serde_json::{Value as Json, json};

use super::boards::load_worded;
use super::rows::unreadable;
use super::{CheckStoryArguments, Failure, ReportFormat, look, print, say};
use crate::adherence::{
    Account, Accounts, Judge, Row, RowProblem, TooManyCasts, Undecided, Verdict, WAYS_MAX, account_of_log,
    parameters_of_log,
};
use crate::check::Violation;
use crate::compile::parameters;
use crate::diagnostic::{Diagnostic, Severity, Source, Span, counted, did_you_mean};
use crate::files::open_text;
use crate::folder::{Setting, variants};
use crate::log::{EventLog, PartsLog, Switches, Told, read};
use crate::prose::Tale;
use crate::render::{Line, render, render_line};
use crate::storyboard::Storyboard;
use crate::trace::Trace;

/// The largest size of a story in words, or of a line of JSON, in bytes.
const STORY_BYTES_MAX: usize = 1 << 25;

/// The largest number of lines that are judged at once.
const LINES_PER_BATCH: usize = 4096;

/// The largest number of violations of a story that are shown. The rest are only counted.
const DRAWN_MAX: usize = 20;

/// Names with their values, as in `NAME=VALUE`, or several separated by commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Casting(Vec<(String, String)>);

impl FromStr for Casting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pair = |text: &str| match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                Ok((name.trim().to_owned(), value.trim().to_owned()))
            }
            _ => Err(format!("`{text}` is not of the form NAME=VALUE, as in S1=Frank")),
        };
        text.split(',').map(pair).collect::<Result<Vec<_>, String>>().map(Self)
    }
}

pub fn check_story(arguments: &CheckStoryArguments) -> Result<(), Failure> {
    let given = given(&arguments.cast)?;
    let boards = load_worded(std::slice::from_ref(&arguments.board), &arguments.worded, ReportFormat::Text)?;
    let board = &boards[0];
    if let Some(prospect) = board.prospects.first() {
        let message = format!(
            "`check-story` does not read news, but `{}` is about a prospect, `{}`",
            board.name.value, prospect.name.value
        );
        return Err(Failure::Usage(message));
    }
    let settings = settings(&boards, &arguments.settings)?;
    let judge = Judge::new(board, &[]);
    match judge.check_cast(&judge.as_written(&given)) {
        Err(Undecided::Given(message)) => return Err(Failure::Usage(format!("--cast: {message}"))),
        Ok(()) | Err(Undecided::TooManyCasts(_)) => {}
    }
    let (name, mut input) = open(&arguments.story)?;
    let job = Job { board, settings, given, name };
    match job.begins_with(&mut input)? {
        None => {
            say(&format!("error: {} contains no story\n", job.name));
            Err(Failure::Input)
        }
        Some(b'{') => job.lines(input),
        Some(_) if board.weave.is_some() => {
            let message = format!(
                "`{}` weaves other storyboards, and words alone do not say who belongs to which: give rows, as `generate` writes \
                 them",
                board.name.value
            );
            Err(Failure::Usage(message))
        }
        Some(_) => job.prose(input),
    }
}

/// The names and values that `--cast` gives, each name once.
fn given(castings: &[Casting]) -> Result<Vec<(String, String)>, Failure> {
    let mut given: Vec<(String, String)> = Vec::new();
    for (name, value) in castings.iter().flat_map(|casting| &casting.0) {
        if given.iter().any(|(known, _)| known == name) {
            return Err(Failure::Usage(format!("--cast gives {name} twice")));
        }
        given.push((name.clone(), value.clone()));
    }
    Ok(given)
}

fn settings(boards: &[Storyboard], settings: &[Setting]) -> Result<Vec<(String, i64)>, Failure> {
    match &variants(boards, settings)?[..] {
        [variant] => Ok(variant.settings.clone()),
        _ => Err(Failure::Usage("`check-story` takes one value for each parameter: --set NAME=V".into())),
    }
}

type Input = Box<dyn BufRead>;

fn open(story: &str) -> Result<(String, Input), Failure> {
    if story == "-" {
        return Ok(("stdin".to_owned(), Box::new(BufReader::new(std::io::stdin()))));
    }
    let text = open_text(Path::new(story)).map_err(Failure::environment(format!("reading {story}")))?;
    Ok((story.to_owned(), text))
}

/// The result for one line of JSON.
#[derive(Debug, Default)]
struct Outcome {
    is_satisfied: bool,
    /// Whether that is not known.
    is_open: bool,
    text: String,
}

/// The reason why one story cannot be judged, or fails for something other than a condition.
#[derive(Debug)]
struct Refusal {
    step: Option<usize>,
    reason: String,
    /// Whether the story may still satisfy the storyboard: it was not read, or not all casts were tried.
    is_open: bool,
}

impl From<RowProblem> for Refusal {
    fn from(problem: RowProblem) -> Self {
        Self { step: problem.step, reason: problem.what, is_open: false }
    }
}

impl Refusal {
    fn new(reason: impl Into<String>) -> Self {
        Self { step: None, reason: reason.into(), is_open: false }
    }

    /// The reason why it is not known whether a story satisfies the storyboard.
    fn open(reason: impl Into<String>) -> Self {
        Self { is_open: true, ..Self::new(reason) }
    }
}

/// A line of JSON with its number.
struct JsonLine {
    number: usize,
    text: Result<String, Refusal>,
}

/// The values of all parameters, or what is wrong with those in a row.
type Parameters = Result<Vec<(String, i64)>, String>;

struct Job<'a> {
    board: &'a Storyboard,
    settings: Vec<(String, i64)>,
    given: Vec<(String, String)>,
    /// The name of the file of stories.
    name: String,
}

impl Job<'_> {
    fn reading<T>(&self, read: std::io::Result<T>) -> Result<T, Failure> {
        read.map_err(|error| unreadable(&self.name, error))
    }

    /// The first byte that is not a blank, which remains to be read.
    fn begins_with(&self, input: &mut Input) -> Result<Option<u8>, Failure> {
        const MARK: &[u8] = "\u{feff}".as_bytes();
        if self.reading(input.fill_buf())?.starts_with(MARK) {
            input.consume(MARK.len());
        }
        loop {
            let buffer = self.reading(input.fill_buf())?;
            if buffer.is_empty() {
                return Ok(None);
            }
            // Line breaks are left as they are, so that lines count from the first.
            match buffer.iter().find(|byte| !byte.is_ascii_whitespace()) {
                Some(first) => return Ok(Some(*first)),
                None => {
                    let length = buffer.len();
                    input.consume(length);
                }
            }
        }
    }

    // --- One story in words ---

    fn prose(&self, input: Input) -> Result<(), Failure> {
        let wrong = |what: &str| {
            say(&format!("error: {} {what}\n", self.name));
            Err(Failure::Input)
        };
        let mut bytes = Vec::new();
        self.reading(input.take(STORY_BYTES_MAX as u64 + 1).read_to_end(&mut bytes))?;
        if bytes.len() > STORY_BYTES_MAX {
            return wrong(&format!("is longer than {STORY_BYTES_MAX} bytes, the limit for a story"));
        }
        let Ok(text) = String::from_utf8(bytes) else { return wrong("is not UTF-8 text") };
        if text.contains('\0') {
            return wrong("is not text: it contains zero bytes");
        }
        let source = Source { name: self.name.clone(), text };
        let parameters = parameters(self.board, &self.settings).map_err(|problems| {
            say(&render(&problems, &self.board.source, look(&std::io::stderr())));
            Failure::Input
        })?;
        let judge = Judge::new(self.board, &parameters);
        let tale = judge.reader().read(&source.text);
        if !tale.problems.is_empty() {
            tale.problems.iter().for_each(|problem| say_of_story(problem, &source));
            return Err(Failure::Input);
        }
        let Tale { told, notes, .. } = tale;
        let account = Account { told, notes: Some(notes), ..Account::default() };
        let given = judge.as_written(&self.given);
        let verdict = judge.judge(&account, &given).map_err(|undecided| match undecided {
            Undecided::Given(message) => Failure::Usage(format!("--cast: {message}")),
            Undecided::TooManyCasts(many) => {
                say(&format!("error: {}\n", too_many(&many)));
                Failure::Input
            }
        })?;
        let cast = verdict.cast.iter().map(|(name, value)| format!("{name} is {value}"));
        let cast = cast.collect::<Vec<String>>().join(", ");
        let Some(first) = verdict.violations.first() else {
            print(&format!(
                "satisfied{}\n",
                if cast.is_empty() { String::new() } else { format!(": {cast}") }
            ))?;
            return Ok(());
        };
        let mut text = format!("not satisfied: {first}\n");
        let sentence = |violation: &Violation| {
            let told = violation.step().and_then(|step| account.told.get(step));
            told.map(|told| one_line(&source.text[told.span.range()]))
        };
        if let Some(sentence) = sentence(first) {
            writeln!(text, "the story says: {sentence}").expect("a string takes all");
        }
        if !cast.is_empty() {
            let title = if self.given.is_empty() { "closest cast" } else { "cast" };
            writeln!(text, "{title}: {cast}").expect("a string takes all");
        }
        print(&text)?;
        for violation in verdict.violations.iter().take(DRAWN_MAX) {
            let told = violation.step().and_then(|step| account.told.get(step));
            let message = violation.to_string();
            match (violation.span, told) {
                (Some(span), _) => {
                    let problem = Diagnostic::error(message, span, "required here");
                    let quoted = sentence(violation).map(|sentence| format!("the story says: {sentence}"));
                    let problem = problem.maybe_help(quoted);
                    say(&render(&[problem], &self.board.source, look(&std::io::stderr())));
                }
                (None, Some(told)) => {
                    say_of_story(&Diagnostic::error(message, told.span, "in this sentence"), &source)
                }
                (None, None) => say(&format!("  error: {message}\n\n")),
            }
        }
        if verdict.violations.len() > DRAWN_MAX {
            say(&format!("… and {} more\n", verdict.violations.len() - DRAWN_MAX));
        }
        Err(Failure::Input)
    }

    // --- Many stories, one JSON object a line ---

    fn lines(&self, mut input: Input) -> Result<(), Failure> {
        let mut known: HashMap<Vec<(String, i64)>, Parameters> = HashMap::new();
        let (mut satisfied, mut open, mut all, mut number) = (0_u64, 0_u64, 0_u64, 0);
        loop {
            let lines = self.batch(&mut input, all, &mut number)?;
            if lines.is_empty() {
                break;
            }
            let stories: Vec<(usize, Result<Story, Refusal>)> = lines
                .into_par_iter()
                .map(|line| (line.number, line.text.and_then(|text| Story::read(&text))))
                .collect();
            for (_, story) in &stories {
                if let Ok(story) = story {
                    let settings = self.settings_of(story);
                    known.entry(settings).or_insert_with_key(|settings| self.parameters(settings));
                }
            }
            let outcome = |(number, story): (usize, Result<Story, Refusal>)| {
                let parameters = story.as_ref().ok().map(|story| &known[&self.settings_of(story)]);
                self.outcome(number, story, parameters)
            };
            let outcomes: Vec<Outcome> = stories.into_par_iter().map(outcome).collect();
            let text: String = outcomes.iter().map(|outcome| outcome.text.as_str()).collect();
            print(&text)?;
            all += outcomes.len() as u64;
            satisfied += outcomes.iter().filter(|outcome| outcome.is_satisfied).count() as u64;
            open += outcomes.iter().filter(|outcome| outcome.is_open).count() as u64;
        }
        let (stories, satisfy) =
            (counted(all, "story"), if satisfied == 1 { "satisfies" } else { "satisfy" });
        let unknown = if open == 0 { String::new() } else { format!("; for {open} it is not known") };
        say(&format!("{satisfied} of {stories} {satisfy} {}{unknown}\n", self.board.name.value));
        if satisfied == all { Ok(()) } else { Err(Failure::Input) }
    }

    /// The next lines that are not blank; `all` is the number of lines read before.
    fn batch(&self, input: &mut Input, all: u64, number: &mut usize) -> Result<Vec<JsonLine>, Failure> {
        let (mut lines, mut bytes) = (Vec::new(), 0);
        while lines.len() < LINES_PER_BATCH && bytes < STORY_BYTES_MAX {
            let Some(text) = self.line(input)? else { break };
            *number += 1;
            let text = match text {
                Ok(text) if text.trim().is_empty() => continue,
                // One object over many lines: the rest of the file belongs to it.
                Ok(text) if all == 0 && lines.is_empty() && is_begun(&text) => {
                    let mut whole = text.into_bytes();
                    let left = (STORY_BYTES_MAX + 1 - whole.len()) as u64;
                    self.reading(input.take(left).read_to_end(&mut whole))?;
                    if whole.len() > STORY_BYTES_MAX {
                        self.reading(std::io::copy(input, &mut std::io::sink()))?;
                        Err(too_long("the object"))
                    } else {
                        String::from_utf8(whole).map_err(|_| Refusal::new("the line is not UTF-8 text"))
                    }
                }
                text => text,
            };
            bytes += text.as_ref().map_or(0, String::len);
            lines.push(JsonLine { number: *number, text });
        }
        Ok(lines)
    }

    /// The next line with its line break; `None` after the last line.
    fn line(&self, input: &mut Input) -> Result<Option<Result<String, Refusal>>, Failure> {
        let mut bytes = Vec::new();
        self.reading(input.by_ref().take(STORY_BYTES_MAX as u64).read_until(b'\n', &mut bytes))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.len() == STORY_BYTES_MAX && !bytes.ends_with(b"\n") {
            // The rest of the line is passed over.
            loop {
                let buffer = self.reading(input.fill_buf())?;
                let end = buffer.iter().position(|&byte| byte == b'\n');
                let length = end.map_or(buffer.len(), |end| end + 1);
                input.consume(length);
                if end.is_some() || length == 0 {
                    break;
                }
            }
            return Ok(Some(Err(too_long("the line"))));
        }
        let text = String::from_utf8(bytes).map_err(|_| Refusal::new("the line is not UTF-8 text"));
        Ok(Some(text))
    }

    /// The values that are set and, for other parameters, those in a row.
    fn settings_of(&self, story: &Story) -> Vec<(String, i64)> {
        let mut settings = self.settings.clone();
        let is_set = |name: &str| self.settings.iter().any(|(known, _)| known == name);
        settings.extend(story.parameters().iter().filter(|(name, _)| !is_set(name)).cloned());
        settings
    }

    fn parameters(&self, settings: &[(String, i64)]) -> Parameters {
        let known: Vec<&str> = self.board.numbers().map(|name| name.value.as_str()).collect();
        if let Some((name, _)) = settings.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            let help = did_you_mean(name, known.iter().copied()).unwrap_or_else(|| match name.as_str() {
                "words" | "depth" => "if these stories were made with `--words`, give it here, too".into(),
                _ if known.is_empty() => "it has none".into(),
                _ => format!("its parameters are {}", known.join(", ")),
            });
            return Err(format!("`params`: {} has no parameter {name}: {help}", self.board.name.value));
        }
        parameters(self.board, settings).map_err(|problems| {
            let what = problems.first().map_or("", |problem| problem.message.as_str());
            format!("the storyboard is not valid with the parameters of this row: {what}")
        })
    }

    fn outcome(
        &self,
        number: usize,
        story: Result<Story, Refusal>,
        parameters: Option<&Parameters>,
    ) -> Outcome {
        let id = match &story {
            Ok(story) => story.id().unwrap_or_else(|| number.into()),
            Err(_) => number.into(),
        };
        let judged = story.and_then(|story| match parameters {
            Some(Ok(parameters)) => self.judge(&story, parameters),
            Some(Err(message)) => Err(Refusal::new(message.clone())),
            None => unreachable!("every story that can be read has parameters"),
        });
        let (verdict, refusal) = match judged {
            Ok(verdict) => (Some(verdict), None),
            Err(refusal) => (None, Some(refusal)),
        };
        let first = verdict.as_ref().and_then(|verdict| verdict.violations.first());
        let condition = first.and_then(|violation| violation.span).map(|span| {
            let (line, column) = self.board.source.line_and_column(span.start);
            json!({"line": line, "column": column, "text": &self.board.source.text[span.range()]})
        });
        let step = match (first, &refusal) {
            (Some(violation), _) => violation.step(),
            (None, Some(refusal)) => refusal.step,
            (None, None) => None,
        };
        let reason =
            first.map(|violation| &violation.what).or(refusal.as_ref().map(|refusal| &refusal.reason));
        let cast = verdict.as_ref().map_or_else(
            || "null".to_owned(),
            |verdict| {
                let pair = |(name, value): &(String, String)| format!("{}:{}", json!(name), json!(value));
                format!("{{{}}}", verdict.cast.iter().map(pair).collect::<Vec<String>>().join(","))
            },
        );
        let is_open = refusal.as_ref().is_some_and(|refusal| refusal.is_open);
        let is_satisfied = first.is_none() && refusal.is_none();
        let satisfied = if is_open {
            "null"
        } else if is_satisfied {
            "true"
        } else {
            "false"
        };
        let condition = condition.unwrap_or(Json::Null);
        let (step, reason) = (json!(step), json!(reason));
        let text = format!(
            "{{\"id\":{id},\"satisfied\":{satisfied},\"step\":{step},\"condition\":{condition},\
             \"reason\":{reason},\"cast\":{cast}}}\n"
        );
        Outcome { is_satisfied, is_open, text }
    }

    fn judge(&self, story: &Story, parameters: &[(String, i64)]) -> Result<Verdict, Refusal> {
        let judge = Judge::new(self.board, parameters);
        let accounts = match story {
            Story::Row(row) => Accounts::from(row.account(self.board, judge.reader())?),
            Story::Log { log, trace, .. } => Accounts::from(account_of_log(log, trace, &judge.reader())?),
            Story::Parts { log, .. } => judge.accounts_of_parts(log)?,
        };
        if accounts.count() > WAYS_MAX {
            return Err(Refusal::open(format!(
                "there are more than {WAYS_MAX} ways in which those who are there can have said this: add `speaker` to utterances"
            )));
        }
        let mut given = self.given.clone();
        let is_given = |name: &str| self.given.iter().any(|(known, _)| known == name);
        given.extend(story.cast().iter().filter(|(name, _)| !is_given(name)).cloned());
        let given = judge.as_written(&given);
        judge.judge_any(&accounts, &given).map_err(|undecided| match undecided {
            Undecided::Given(message) => Refusal::new(format!("`cast`: {message}")),
            Undecided::TooManyCasts(many) => Refusal::open(too_many(&many)),
        })
    }
}

/// A story that is given in JSON. Logs come with the parameters that they give.
#[derive(Debug)]
enum Story {
    Row(Row),
    Log { log: Box<EventLog>, trace: Trace, parameters: Vec<(String, i64)> },
    Parts { log: Box<PartsLog>, parameters: Vec<(String, i64)> },
}

impl Story {
    fn read(text: &str) -> Result<Self, Refusal> {
        let json: Json = serde_json::from_str(text.trim_end())
            .map_err(|error| Refusal::new(format!("this is not JSON: {error}")))?;
        if !json.is_object() {
            return Err(Refusal::new("this is not a JSON object"));
        }
        if json.get("characters").is_none() {
            let row = Row::new(&json).map_err(Refusal::from)?;
            return Ok(Self::Row(row));
        }
        let parameters = parameters_of_log(&json)?;
        let (told, mut problems) = read(text, Switches::default());
        let story = told.map(|told| match told {
            Told::Events(log) => {
                let course = log.course();
                problems.extend(course.problems);
                Self::Log { log, trace: course.trace, parameters }
            }
            Told::Parts(log) => Self::Parts { log, parameters },
        });
        let wrong = problems.kept.iter().find(|problem| problem.severity == Severity::Error);
        match (story, wrong) {
            (Some(story), None) => Ok(story),
            (_, wrong) => {
                let what = wrong.map_or("it cannot be read", |wrong| wrong.message.as_str());
                Err(Refusal::new(format!("the log is wrong: {what}")))
            }
        }
    }

    /// The parameters that a row or a log gives.
    fn parameters(&self) -> &[(String, i64)] {
        match self {
            Self::Row(row) => &row.parameters,
            Self::Log { parameters, .. } | Self::Parts { parameters, .. } => parameters,
        }
    }

    /// The cast that a row gives.
    fn cast(&self) -> &[(String, String)] {
        match self {
            Self::Row(row) => &row.cast,
            Self::Log { .. } | Self::Parts { .. } => &[],
        }
    }

    fn id(&self) -> Option<Json> {
        let of_log = |id: &str| serde_json::from_str(id).ok().filter(|id: &Json| !id.is_null());
        match self {
            Self::Row(row) => row.id.as_deref().map(Json::from),
            Self::Log { log, .. } => of_log(&log.id),
            Self::Parts { log, .. } => of_log(&log.id),
        }
    }
}

/// Reports a problem of a story in words, with an excerpt of its line, which may be the whole story.
fn say_of_story(problem: &Diagnostic, source: &Source) {
    let mut problem = problem.clone();
    let first = problem.labels.first().map_or(0, |(span, _)| span.start);
    let begin = source.text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = source.text[first..].find('\n').map_or(source.text.len(), |at| first + at);
    for (span, _) in &mut problem.labels {
        *span = Span::new(span.start - begin, span.end.min(end) - begin);
    }
    let (number, _) = source.line_and_column(first);
    let line = Line { name: &source.name, number, text: &source.text[begin..end] };
    say(&render_line(&problem, line, look(&std::io::stderr())));
}

/// Whether a line begins a JSON value that continues on the next line.
fn is_begun(line: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(line).is_err_and(|error| error.is_eof())
}

/// A sentence without line breaks, and shortened if it is too long.
fn one_line(sentence: &str) -> String {
    const CHARACTERS_MAX: usize = 200;
    let words = sentence.split_whitespace().collect::<Vec<&str>>().join(" ");
    match words.char_indices().nth(CHARACTERS_MAX) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words,
    }
}

/// The reason why a longer story than can be read is not judged.
fn too_long(what: &str) -> Refusal {
    Refusal::open(format!("{what} is longer than {STORY_BYTES_MAX} bytes, the limit for a story"))
}

fn too_many(many: &TooManyCasts) -> String {
    let open: Vec<String> = many.open.iter().map(|(name, count)| format!("{name} ({count})")).collect();
    format!(
        "there are too many possible casts to try them all: set some names with --cast NAME=VALUE. Still open, with the \
         number of candidates: {}",
        open.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts() {
        let pairs = |text: &str| text.parse::<Casting>().map(|casting| casting.0.len());
        assert_eq!(pairs("S1=Frank"), Ok(1));
        assert_eq!(pairs("S1=Frank, first = the hall"), Ok(2));
        for wrong in ["", "S1", "S1=", "=Frank", "S1=Frank,", ","] {
            assert!(pairs(wrong).is_err(), "{wrong}");
        }
    }
}
