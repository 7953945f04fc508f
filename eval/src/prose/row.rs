//! Readers for the stories of rows, whatever else is known of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{DueNote, Reader};
use crate::dataset::Fields;
use crate::form::QuestionKind;
use crate::pack;
use crate::storyboard::{Storyboard, Style};

/// The built-in pack of wordings in whose sentences models word stories again.
const RETOLD: &str = "retold";

impl<'a> Reader<'a> {
    /// A reader of stories of this storyboard that knows its notes wherever they stand.
    ///
    /// ```
    /// use storysim::{prose::Reader, storyboard};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// assert_eq!(Reader::of_board(&board).read("Georgia enters room 2.").told.len(), 1);
    /// ```
    pub fn of_board(board: &'a Storyboard) -> Self {
        // A note is recognised wherever it stands; which step it follows does not matter here.
        let notes = board.notes().map(|(_, text)| DueNote { step: usize::MAX - 1, text });
        Self::new(board, notes.collect())
    }

    /// The same reader, for the story of a row that says in which wording it is told (`wording`), or by which model
    /// (`worded_by`).
    ///
    /// # Errors
    /// If the wording is neither built in nor the storyboard's own.
    ///
    /// ```
    /// use storysim::{prose::Reader, storyboard};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let told = |wording| {
    ///     let reader = Reader::of_board(&board).in_words_of_row(wording, None)?;
    ///     Ok::<usize, String>(reader.read("Georgia left the hallway for room 2.").told.len())
    /// };
    /// assert_eq!((told(None), told(Some("varied"))), (Ok(0), Ok(1)));
    /// assert!(told(Some("my-own")).is_err());
    /// ```
    pub fn in_words_of_row(self, wording: Option<&str>, worded_by: Option<&str>) -> Result<Self, String> {
        let Some(wording) = wording.or(worded_by.map(|_| RETOLD)) else { return Ok(self) };
        if self.wording.as_ref().is_some_and(|pack| pack.name.value == wording) {
            return Ok(self);
        }
        let found = pack::built_in(wording).filter(|pack| pack.wording().is_some());
        let pack = found.ok_or_else(|| {
            format!("its story is told in the words of {wording:?}, which is no built-in wording nor that of its storyboard")
        })?;
        Ok(self.in_words_of(Arc::clone(pack)))
    }

    /// The same reader, with names of people and places as a row spells them.
    #[must_use]
    pub fn spelt_as_in(&self, row: &Fields) -> Self {
        let shown: BTreeMap<&str, &str> =
            row.names.iter().map(|(shown, written)| (written.as_str(), shown.as_str())).collect();
        let is_known = |(written, shown): (&&str, &&str)| {
            let known = self.place_in_sentences(written).or(self.person_in_sentences(written));
            known.is_none_or(|known| known == *shown)
        };
        match shown.iter().all(is_known) {
            true => self.clone(),
            false => self.clone().spelt(|name| shown.get(name).map(|&shown| shown.to_owned())),
        }
    }
}

/// Reads the stories of rows of one storyboard: plain ones, in the words of a wording, or worded again by a model.
///
/// ```
/// use storysim::{dataset::Fields, prose::RowReader, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let story = "Georgia enters room 2. Hank enters room 1.".to_owned();
/// let row = Fields { story, ..Fields::default() };
/// assert_eq!(RowReader::new(&board).sentences(&row), Ok(vec![0, 23]));
/// let strange = Fields { story: "It rains.".into(), ..row };
/// assert!(RowReader::new(&board).sentences(&strange).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct RowReader<'a> {
    board: &'a Storyboard,
    plain: Reader<'a>,
}

impl<'a> RowReader<'a> {
    /// Reads rows of this storyboard.
    pub fn new(board: &'a Storyboard) -> Self {
        Self { board, plain: Reader::of_board(board) }
    }

    /// For every step, where the sentence begins in the row's story that tells its event.
    ///
    /// # Errors
    /// Why the story cannot be read, or what in the row does not fit it.
    pub fn sentences(&self, row: &Fields) -> Result<Vec<usize>, String> {
        if self.board.style == Style::Conversation {
            return Err("its story cannot be read back: it is a conversation".to_owned());
        }
        if !self.board.prospects.is_empty() {
            return Err("its story cannot be read back: it tells news".to_owned());
        }
        let tale = self.reader(row)?.read(&row.story);
        if let Some(what) = tale.unread(&row.story) {
            return Err(what);
        }
        let told = tale.told.len();
        // Several entries may be about one step.
        let last = row.events.last().map(|event| event.get(0).and_then(serde_json::Value::as_u64));
        if last.is_some_and(|last| last.is_none_or(|last| last.saturating_add(1) != told as u64)) {
            return Err("`story` and `events` disagree".to_owned());
        }
        Ok(tale.begins)
    }

    /// The reader of a row's story.
    fn reader(&self, row: &Fields) -> Result<Reader<'a>, String> {
        if row.question_kind() == Some(QuestionKind::WorldThings) {
            return match self.plain.has_deeds() {
                true => Err("a row of `world_things` leaves out some events of this story".to_owned()),
                false => Ok(self.plain.clone().of_things()),
            };
        }
        self.plain.spelt_as_in(row).in_words_of_row(row.wording.as_deref(), row.worded_by.as_deref())
    }
}
