//! `storysim show --html`: a page of stories with questions to tick.

use std::path::Path;

use super::drawing::drawing;
use super::output::{refuse_no_place_for_page, write_text};
use super::rows::refuse_to_replace;
use super::{Failure, ShowArguments, print};
use crate::dataset::{Fields, RowMaker, RowOptions, StoredRow};
use crate::diagnostic::counted;
use crate::folder::Variant;
use crate::page::{Sheet, SheetPart, SheetQuestion, SheetText};
use crate::select::Family;
use crate::simulate::Story;
use crate::storyboard::{QuestionKind, Style};
use crate::text::{Display, Lexicon, StoryPart, Words};

/// The largest page, in bytes: browsers take some ten seconds to open it.
const BYTES_MAX: usize = 64 << 20;

/// What is said where an answer has no evidence.
pub const fn no_evidence(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::Start => "none; this is the start",
        QuestionKind::Reality => "none; so from the start without a break",
        _ => "none; held from the start without a break",
    }
}

/// Refuses a page that could not be written, before a storyboard is compiled for it.
///
/// # Errors
/// If nothing can be written there, or if that is the storyboard.
pub fn refuse_sheet(arguments: &ShowArguments) -> Result<(), Failure> {
    let Some(html) = &arguments.html else { return Ok(()) };
    refuse_no_place_for_page(html)?;
    refuse_to_replace([Path::new(&arguments.board)], html)
}

/// Writes a page of stories with questions to tick, and says how many there are.
pub fn write_sheet(
    arguments: &ShowArguments,
    variant: &Variant<'_>,
    family: &Family,
    html: &Path,
) -> Result<(), Failure> {
    let (mut texts, mut bytes) = (Vec::new(), 0);
    let mut maker = RowMaker::new(family, arguments.seed, &variant.set(), RowOptions::default());
    let mut rows = String::new();
    for index in arguments.index..arguments.index + arguments.count {
        rows.clear();
        maker.rows(index, &mut rows);
        let rows: Vec<Fields> = rows.lines().map(fields).collect();
        let number = index - arguments.index + 1;
        let told = Told::new(&maker, arguments.seed, variant.board.style);
        for (display, more) in [(Display::People, ""), (Display::Things, ", told of things")] {
            let text = told.text(display, format!("Story {number}{more}"), &rows);
            bytes += text.as_ref().map_or(0, SheetText::bytes);
            texts.extend(text);
        }
        if bytes > BYTES_MAX {
            return Err(Failure::Usage(too_large(arguments, number)));
        }
    }
    let questions: usize = texts.iter().map(|text| text.questions.len()).sum();
    if questions == 0 {
        let message = "error: none of these stories has a question with an answer\n";
        return Err(Failure::Wrong(message.to_owned()));
    }
    let (stories, questions) = (counted(arguments.count, "story"), counted(questions as u64, "question"));
    let sheet = Sheet {
        title: format!("{stories} from {}", variant.name()),
        about: vec![
            format!("Read each story, and tick an answer to each of its questions: {questions} in all."),
            "An answer can be unfolded; what settles it is then marked in the story, and what is ticked there can no longer \
             be changed."
                .to_owned(),
            "What is ticked stays in this browser until you start over, and goes nowhere else unless you save it.".to_owned(),
        ],
        after: after(arguments),
        texts,
    };
    write_text(html, &sheet.html())?;
    print(&format!("{stories} with {questions}, written to {}\n", html.display()))
}

/// Why a page with so many stories is refused, of which the last that was made was the first too many.
fn too_large(arguments: &ShowArguments, number: u64) -> String {
    let limit = BYTES_MAX >> 20;
    match number - 1 {
        0 => {
            format!("--html: one story alone makes a page of more than {limit} MiB, too large for a browser")
        }
        fits => format!(
            "--count {}: the page would have more than {limit} MiB, too large for a browser; use --count {fits}, \
             and --index {} for another page",
            arguments.count,
            arguments.index + fits
        ),
    }
}

/// How responses are scored that were saved on the page.
fn after(arguments: &ShowArguments) -> (String, Vec<String>) {
    let about = "Saved responses are lines of JSON, one for each question that is ticked. These commands make the rows of the same \
                 stories, and score them as the answers of a model are scored:";
    let settings = arguments
        .settings
        .iter()
        .flat_map(|setting| setting.values.iter().map(|value| format!(" --set {}={value}", setting.name)));
    let settings: String = settings.collect();
    let (board, count, seed) = (quoted(&arguments.board), arguments.index + arguments.count, arguments.seed);
    let make = format!("storysim generate {board} --count {count} --seed {seed}{settings} --out rows.jsonl");
    (about.to_owned(), vec![make, "storysim score rows.jsonl responses.jsonl".to_owned()])
}

/// A word of a command, in quotes if it has to be.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

fn fields(row: &str) -> Fields {
    Fields::of(&StoredRow::Line(row.to_owned())).expect("a row of our own")
}

/// A story, with its words.
struct Told<'r> {
    lexicon: Lexicon<'r>,
    story: &'r Story,
    words: Words,
    style: Style,
}

impl<'r> Told<'r> {
    fn new(maker: &'r RowMaker<'_>, seed: u64, style: Style) -> Self {
        let mut words = Words::default();
        let lexicon = Lexicon::new(maker.plan(), seed, str::to_owned);
        lexicon.draw(maker.story(), &mut words);
        Self { lexicon, story: maker.story(), words, style }
    }

    /// The story with those of its questions that are about people, or about things; `None` if there are none.
    fn text(&self, display: Display, title: String, rows: &[Fields]) -> Option<SheetText> {
        let kind = |row: &Fields| row.question_kind().expect("a kind of question");
        let rows: Vec<&Fields> = rows.iter().filter(|row| Display::of(kind(row)) == display).collect();
        let context = rows.first()?.context.clone();
        let parts = self.lexicon.parts(self.story, &self.words, display);
        let is_in_lines = self.style == Style::Conversation;
        let questions = rows.iter().map(|row| question(row, kind(row), &parts)).collect();
        let parts = parts.into_iter().map(|part| sheet_part(part, is_in_lines)).collect();
        let drawing = self.lexicon.scenarios(self.story, &self.words).map(|of| drawing(&of));
        Some(SheetText { title, context, parts, is_in_lines, drawing, questions })
    }
}

/// A part of a story; in a conversation, the speaker stands apart.
fn sheet_part(StoryPart { step, text }: StoryPart, is_speech: bool) -> SheetPart {
    match text.split_once(": ").filter(|_| is_speech) {
        Some((speaker, said)) => {
            SheetPart { mark: step, speaker: Some(speaker.to_owned()), text: said.to_owned() }
        }
        None => SheetPart { mark: step, speaker: None, text },
    }
}

fn question(row: &Fields, kind: QuestionKind, parts: &[StoryPart]) -> SheetQuestion {
    let is_evidence = |part: &&StoryPart| part.step.is_some_and(|step| row.evidence.contains(&step));
    let evidence: Vec<String> = parts.iter().filter(is_evidence).map(|part| part.text.clone()).collect();
    let mut facts = Vec::new();
    if let Some(truth) = row.truth.as_ref().filter(|truth| **truth != row.answer) {
        facts.push(("really".to_owned(), vec![truth.clone()]));
    }
    let evidence = if evidence.is_empty() { vec![no_evidence(kind).to_owned()] } else { evidence };
    facts.push(("evidence".to_owned(), evidence));
    SheetQuestion {
        id: row.id.clone(),
        text: row.question.clone(),
        choices: row.choices.clone(),
        label: row.label,
        facts,
        marks: row.evidence.clone(),
    }
}
