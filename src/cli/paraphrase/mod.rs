//! `storysim paraphrase`: stories that a language model words again.

mod arguments;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

pub use arguments::ParaphraseCommand;
use arguments::{AskArguments, TakeArguments};
use serde_json::json;

use super::abreast::percent;
use super::batch::Requests;
use super::boards::pack_of_kind;
use super::origins::Boards;
use super::output::{Output, Place, Target, write_text};
use super::responses::Responses;
use super::rows::{Complaints, Rows, files_of, is_input, refuse_to_replace};
use super::{Failure, say};
use crate::dataset::{Fields, StoredRow, gather, spread};
use crate::diagnostic::counted;
use crate::files::{Format, RowReader, Shape};
use crate::pack::{Pack, built_in};
use crate::paraphrase::{Answer, Refusal, Retold, Script, Teller, Unread, is_of_things, retold_row};
use crate::score::{Reply, ResponseLine};

/// The pack that says how sentences may be worded.
const LEXICON: &str = "retold";

pub fn run(command: &ParaphraseCommand) -> Result<(), Failure> {
    match command {
        ParaphraseCommand::Ask(arguments) => ask(arguments),
        ParaphraseCommand::Take(arguments) => take(arguments),
    }
}

fn ask(arguments: &AskArguments) -> Result<(), Failure> {
    let requests = Requests::new(&arguments.model, arguments.body.as_deref())?;
    let (place, format) = place_of(&arguments.out, &[Format::Jsonl])?;
    if let Place::File(path) = &place {
        refuse_to_replace([arguments.dataset.as_path()], path)?;
    }
    let boards = Boards::with(&arguments.boards)?;
    let mut tellers = Tellers::of(&boards, Arc::clone(built_in(LEXICON).expect("it is built in")));
    let mut rows = Rows::at(&arguments.dataset)?;
    let mut output = Output::open(&place, format, &Shape::default(), 1)?;
    let mut stories = Stories::default();
    let (mut asked, mut empty) = (0_u64, 0_u64);
    while let Some(row) = rows.next()? {
        let read = Fields::of(&row).map_err(|error| format!("this is not a row: {error}"));
        let script = read.and_then(|fields| {
            let is_new = stories.meet(&fields)?;
            Ok((if is_new { Some(tellers.script(&fields)?) } else { None }, fields))
        });
        let Some((Some(script), fields)) = rows.taken(script) else { continue };
        if script.asked() == 0 {
            empty += 1;
            continue;
        }
        asked += 1;
        let messages = json!([{"role": "user", "content": script.request()}]);
        output.write(&requests.line(fields.story_id(), messages))?;
    }
    rows.finish()?;
    if empty > 0 {
        say(&format!("note: {} without a sentence that can be worded again\n", counted(empty, "story")));
    }
    if asked == 0 {
        say("error: there is nothing to ask: no story has a sentence that can be worded again\n");
        return Err(Failure::Input);
    }
    output.finish()?;
    Ok(())
}

fn take(arguments: &TakeArguments) -> Result<(), Failure> {
    let (place, format) = place_of(&arguments.out, &[Format::Jsonl, Format::JsonlGz, Format::JsonlZst])?;
    let read = [arguments.dataset.as_path(), arguments.responses.file.as_path()];
    if let Place::File(path) = &place {
        refuse_to_replace(read, path)?;
    }
    if let Some(path) = &arguments.refused {
        refuse_to_replace(read, path)?;
    }
    if let Some((path, _)) =
        files_of(&arguments.dataset)?.iter().find(|(_, format)| *format == Format::Parquet)
    {
        let what = "rows are taken from JSON Lines (.jsonl, .jsonl.gz, .jsonl.zst)";
        return Err(Failure::Usage(format!("{}: {what}", path.display())));
    }
    let boards = Boards::with(&arguments.boards)?;
    let lexicon = pack_of_kind("wording", "--lexicon", &arguments.lexicon)?;
    let mut complaints = Complaints::default();
    let responses = Responses::read(&arguments.responses, &mut complaints, ResponseLine::whole)?;
    complaints.finish()?;
    let mut taker = Taker {
        tellers: Tellers::of(&boards, Arc::new(lexicon)),
        responses,
        stories: Stories::default(),
        tally: Tally::default(),
        left_out: HashSet::new(),
        is_strict: arguments.strict,
        refused: arguments.refused.is_some().then(String::new),
        last: None,
    };
    let count = taker.survey(&arguments.dataset)?;
    taker.refuse_strangers(arguments.lenient)?;
    let mut output = Output::open(&place, format, &Shape::default(), 1)?;
    if taker.write(&arguments.dataset, &mut output)? != count {
        let message =
            format!("{}: the rows have changed while they were read\n", arguments.dataset.display());
        return Err(Failure::Wrong(format!("error: {message}")));
    }
    if let (Some(path), Some(refused)) = (&arguments.refused, &taker.refused) {
        write_text(path, refused)?;
    }
    output.finish()?;
    say(&taker.report());
    Ok(())
}

/// Where to write, if it is a file of one of these formats, or a stream.
fn place_of(out: &Target, formats: &[Format]) -> Result<(Place, Format), Failure> {
    let (place, format) = out.resolve(None)?;
    if matches!(place, Place::Folder(_)) || !formats.contains(&format) {
        let endings: Vec<String> = formats.iter().map(|format| format!(".{}", format.ending())).collect();
        let message = format!("--out {place}: name a file that ends in {}", endings.join(" or "));
        return Err(Failure::Usage(message));
    }
    Ok((place, format))
}

/// Readers of the stories of storyboards.
struct Tellers<'b> {
    boards: &'b Boards,
    lexicon: Arc<Pack>,
    known: HashMap<String, Teller<'b>>,
}

impl<'b> Tellers<'b> {
    fn of(boards: &'b Boards, lexicon: Arc<Pack>) -> Self {
        Self { boards, lexicon, known: HashMap::new() }
    }

    fn teller(&mut self, board: &str) -> Result<&Teller<'b>, String> {
        if !self.known.contains_key(board) {
            let found = self.boards.named(board)?;
            self.known.insert(board.to_owned(), Teller::new(found, Arc::clone(&self.lexicon)));
        }
        Ok(&self.known[board])
    }

    /// The script of a row's story, which is what the row says that happens.
    fn script(&mut self, row: &Fields) -> Result<Script<'b>, String> {
        let teller = self.teller(&row.board)?;
        let script = teller.script(row)?;
        let checked = teller.check(row, &row.story, &script);
        checked.map_err(|what| format!("its story is not one of {:?}: {what}", row.board))?;
        Ok(script)
    }
}

/// The stories that rows were about so far, each with a hash of its text.
#[derive(Default)]
struct Stories(HashMap<Box<str>, blake3::Hash>);

impl Stories {
    /// Whether a row's story is a new one that can be worded again.
    ///
    /// # Errors
    /// If another story had this id.
    fn meet(&mut self, row: &Fields) -> Result<bool, String> {
        if is_of_things(row) {
            return Ok(false);
        }
        let hash = blake3::hash(row.story.as_bytes());
        match self.0.get(row.story_id()) {
            None => {
                self.0.insert(row.story_id().into(), hash);
                Ok(true)
            }
            Some(known) if *known == hash => Ok(false),
            Some(_) => Err(format!("its story is not that of other rows of {:?}", row.story_id())),
        }
    }
}

/// Counts what was taken.
#[derive(Default)]
struct Tally {
    stories: u64,
    unread: BTreeMap<Unread, u64>,
    sentences: u64,
    taken: u64,
    reworded: u64,
    refused: BTreeMap<Refusal, u64>,
    strangers: u64,
    left_out: u64,
}

struct Taker<'b> {
    tellers: Tellers<'b>,
    responses: Responses,
    stories: Stories,
    tally: Tally,
    /// The stories that are left out, without what tells twins apart.
    left_out: HashSet<String>,
    is_strict: bool,
    /// The sentences that were not taken, if they are to be written.
    refused: Option<String>,
    /// The story of the last row: most rows of a story follow each other.
    last: Option<Last<'b>>,
}

/// A story as far as it is retold.
struct Last<'b> {
    id: String,
    script: Script<'b>,
    retold: Retold,
}

impl<'b> Taker<'b> {
    /// Looks at all stories, before anything is written. Returns the number of rows.
    fn survey(&mut self, dataset: &Path) -> Result<u64, Failure> {
        let mut rows = Rows::at(dataset)?;
        let mut count = 0;
        while let Some(row) = rows.next()? {
            count += 1;
            let read = Fields::of(&row).map_err(|error| format!("this is not a row: {error}"));
            let met = read.and_then(|fields| {
                if self.stories.meet(&fields)? {
                    self.meet(&fields)?;
                }
                self.told(&row, &fields).map(|_| ())
            });
            rows.taken(met);
        }
        rows.finish()?;
        Ok(count)
    }

    /// Takes a story for the first time, and counts.
    fn meet(&mut self, row: &Fields) -> Result<(), String> {
        let _ = self.responses.meet(row.story_id());
        let script = self.tellers.script(row)?;
        let (retold, answer) = self.retold(row, &script)?;
        if script.asked() > 0 {
            self.tell(row, &script, &retold, &answer);
        }
        self.last = Some(Last { id: row.story_id().to_owned(), script, retold });
        Ok(())
    }

    /// Counts what is taken of a story, and remembers whether it is left out.
    fn tell(&mut self, row: &Fields, script: &Script<'_>, retold: &Retold, answer: &Result<Answer, Unread>) {
        self.tally.stories += 1;
        match answer {
            Err(unread) => *self.tally.unread.entry(*unread).or_default() += 1,
            Ok(answer) => self.count(row, script, retold, answer),
        }
        if self.is_strict && !retold.is_whole() {
            self.tally.left_out += 1;
            self.left_out.insert(kin(row.story_id()).to_owned());
        }
    }

    fn count(&mut self, row: &Fields, script: &Script<'_>, retold: &Retold, answer: &Answer) {
        self.tally.strangers += answer.strangers as u64;
        self.tally.reworded += retold.reworded as u64;
        let asked = script.lines().iter().filter(|line| line.is_asked());
        for (at, (line, outcome)) in asked.zip(&retold.outcomes).enumerate() {
            self.tally.sentences += 1;
            let Err(refusal) = outcome else {
                self.tally.taken += 1;
                continue;
            };
            *self.tally.refused.entry(*refusal).or_default() += 1;
            if let Some(refused) = &mut self.refused {
                let (number, text) = (at + 1, answer.text(at + 1).ok());
                let line = json!({
                    "id": row.story_id(), "sentence": number, "plain": script.text(line), "text": text,
                    "reason": refusal.words(),
                });
                refused.push_str(&format!("{line}\n"));
            }
        }
    }

    /// A story as far as it is retold, and the answer that it was taken from.
    fn retold(
        &mut self,
        row: &Fields,
        script: &Script<'b>,
    ) -> Result<(Retold, Result<Answer, Unread>), String> {
        let answer = match self.responses.reply(row.story_id()) {
            Reply::Missing => Err(Unread::Missing),
            Reply::Failed => Err(Unread::Failed),
            Reply::Said(response) => Answer::of(response).map(|answer| answer.up_to(script.asked())),
        };
        let Ok(read) = &answer else { return Ok((script.untaken(Refusal::Missing), answer)) };
        let retold = script.retold(read);
        let retold = self.tellers.teller(&row.board)?.confirmed(row, script, retold);
        Ok((retold, answer))
    }

    /// A row with its story as it is retold; `None` if it is left out.
    fn told(&mut self, row: &StoredRow, fields: &Fields) -> Result<Option<String>, String> {
        let StoredRow::Line(line) = row else { return Err("rows are taken from JSON Lines".to_owned()) };
        if self.left_out.contains(kin(fields.story_id())) {
            return Ok(None);
        }
        let line = line.trim_start_matches('\u{feff}');
        let model = self.responses.name.clone();
        if is_of_things(fields) {
            return retold_row(line, None, &model).map(Some);
        }
        if self.last.as_ref().is_none_or(|last| last.id != fields.story_id()) {
            let script = self.tellers.teller(&fields.board)?.script(fields)?;
            let (retold, _) = self.retold(fields, &script)?;
            self.last = Some(Last { id: fields.story_id().to_owned(), script, retold });
        }
        let Last { script, retold, .. } = self.last.as_ref().expect("the story of this row");
        retold_row(line, Some((script, retold)), &model).map(Some)
    }

    /// Reports responses to stories that the dataset does not have.
    fn refuse_strangers(&self, is_lenient: bool) -> Result<(), Failure> {
        let mut complaints = Complaints::default();
        let strangers = self.responses.strangers((!is_lenient).then_some(&mut complaints), "story");
        if is_lenient && strangers > 0 {
            let skipped = counted(strangers, "response");
            say(&format!("warning: skipped {skipped} to stories that are not in the dataset\n"));
        }
        complaints.finish().inspect_err(|_| {
            say("help: are these the rows that the model was asked about? With --lenient, such responses are skipped.\n");
        })
    }

    /// Writes all rows that are not left out. Returns how many there were.
    fn write(&mut self, dataset: &Path, output: &mut Output) -> Result<u64, Failure> {
        let mut count = 0;
        for (path, format) in files_of(dataset)? {
            let failed = |error: std::io::Error| match is_input(&error) {
                true => Failure::Wrong(format!("error: {}: {error}\n", path.display())),
                false => Failure::Environment(format!("reading {}", path.display()), error),
            };
            for row in RowReader::open(&path, format).map_err(failed)? {
                let StoredRow::Line(line) = row.map_err(failed)? else { continue };
                let line = line.trim_start_matches('\u{feff}');
                let wrong = |what: String| Failure::Wrong(format!("error: {}: {what}\n", path.display()));
                if line.trim().is_empty() {
                    continue;
                }
                let story = spread(line).transpose().map_err(|error| wrong(error.to_string()))?;
                let is_story = story.is_some();
                let mut written = String::new();
                for row in story.unwrap_or_else(|| vec![line.to_owned()]) {
                    count += 1;
                    let row = StoredRow::Line(row);
                    let fields = Fields::of(&row).map_err(|error| wrong(error.to_string()))?;
                    if let Some(told) = self.told(&row, &fields).map_err(wrong)? {
                        written.push_str(&told);
                        written.push('\n');
                    }
                }
                if is_story {
                    let rows = std::mem::take(&mut written);
                    gather(&rows, &mut written);
                }
                output.write(&written)?;
            }
        }
        Ok(count)
    }

    /// What was taken, and why the rest was not.
    fn report(&self) -> String {
        let tally = &self.tally;
        let unread: u64 = tally.unread.values().sum();
        let (answered, stories) = (tally.stories - unread, counted(tally.stories, "story"));
        let mut text = format!("{}: answered for {answered} of {stories}\n", self.responses.name);
        for (unread, count) in &tally.unread {
            text += &format!("  {}\n", format_args!("{} {}", counted(*count, "story"), unread.words()));
        }
        if tally.sentences > 0 {
            let share = percent(tally.taken as f64 / tally.sentences as f64);
            let sentences = counted(tally.sentences, "sentence");
            let reworded = tally.reworded;
            text += &format!(
                "{} of {sentences} taken ({share}), {reworded} of them in other words\n",
                tally.taken
            );
        }
        for (refusal, count) in &tally.refused {
            text += &format!("  not taken: {} {}\n", counted(*count, "sentence"), refusal.words());
        }
        if tally.strangers > 0 {
            let keys = counted(tally.strangers, "key");
            text += &format!(
                "  passed over: {keys} of answers that {} no number of a sentence\n",
                are(tally.strangers)
            );
        }
        if self.is_strict {
            let left_out = counted(tally.left_out, "story");
            text += &format!(
                "{left_out} not told completely, and left out with what belongs to {}\n",
                it(tally.left_out)
            );
        }
        text
    }
}

const fn are(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

const fn it(count: u64) -> &'static str {
    if count == 1 { "it" } else { "them" }
}

/// The id of a story without what tells its twins apart.
fn kin(story: &str) -> &str {
    ["-twin", "-target"].iter().find_map(|mark| story.strip_suffix(mark)).unwrap_or(story)
}
