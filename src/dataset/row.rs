//! One JSON object a question, on a line of its own.
//!
//! A row is put together by copying fragments that were escaped once; a general JSON serializer is several times slower. What
//! a row says comes from four places, each with a writer and fragments of its own. Of this row (shortened, one part a line):
//!
//! ```text
//! {"id":"sally-anne/7/0/0","board":"sally-anne","seed":7,"index":0   question and index   QuestionFragments
//! ,"params":{},"names":[["the garden","the_garden"],…]                plan                 PlanFragments
//! ,"cast":{"S1":"Celine"},"start":"…","context":"…","story":"…"      story and display    StoryFragments
//! ,"question":"…","answer":"drawer","choices":[…],"label":1          this row             RowWriter
//! ,"kind":"belief","order":1,"chain":["Celine"],"about":"marble"     question, this row   QuestionFragments, RowWriter
//! ,"truth":"basket", … ,"foils":{…}                                  this row             RowWriter
//! ,"events":[…]}                                                     story and display    StoryFragments
//! ```
//!
//! Which fields there are, and in which order, [`super::field`] says.

mod fragments;
mod writer;

use super::Splits;
use super::field::WriteParts;
use super::json::escaped;
use crate::plan::Plan;
use crate::question::{Answered, Asker};
use crate::select::{Family, Selector, Twin, Twins};
use crate::simulate::Story;
use crate::storyboard::Storyboard;
use crate::text::{Display, Lexicon, Words};
use fragments::{PlanFragments, StoryFragments};
use writer::{RowWriter, StoryWriter};

/// What rows contain in addition to the fixed fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowOptions {
    /// Whether rows have `events`.
    pub with_events: bool,
}

/// Makes the rows of a storyboard's stories under one seed.
///
/// ```
/// use storysim::{compile::compile, dataset::{RowOptions, RowMaker}, select::Family, storyboard};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let family = Family::from(compile(&board, &[]).unwrap().plan);
/// let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
/// let mut rows = String::new();
/// let count = maker.rows(42, &mut rows);
/// assert_eq!(rows.lines().count(), count);
/// let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
/// assert_eq!(row["id"], "first-order-mislead/7/42/0");
/// ```
#[derive(Clone, Debug)]
pub struct RowMaker<'a> {
    selector: Selector<'a>,
    seed: u64,
    /// The names of the parameters that appear in ids.
    set: Vec<String>,
    /// What writes the stories of each plan, made when the first of them is drawn.
    writers: Vec<Option<Box<PlanWriter<'a>>>>,
    options: RowOptions,
    story: Story,
    words: Words,
    /// The fragments of the story, for each display, made when a question first needs them.
    told: [StoryFragments; 2],
    /// Decides for which stories rows are made, if not for all.
    filter: Option<SplitFilter>,
    /// Draws a twin of each story, if rows of twins are made.
    twins: Option<Box<TwinDraw<'a>>>,
}

impl<'a> RowMaker<'a> {
    /// A maker of the rows of a family's stories under the seed of a run. `set` names the parameters that appear in ids.
    pub fn new(family: &'a Family, seed: u64, set: &[String], options: RowOptions) -> Self {
        Self {
            selector: Selector::new(family, seed),
            seed,
            set: set.to_vec(),
            writers: vec![None; family.plans().len()],
            options,
            story: Story::default(),
            words: Words::default(),
            told: Default::default(),
            filter: None,
            twins: None,
        }
    }

    /// The same maker, for stories with twins: the rows of each twin come right after those of its story. The storyboard is
    /// that of the family, which [`crate::select::admit_twins`] has admitted.
    ///
    /// # Panics
    /// If no question asks for a belief at the end, or if shares are balanced and the family was not admitted.
    #[must_use]
    pub fn with_twins(self, storyboard: &'a Storyboard) -> Self {
        let twins = Twins::new(storyboard, self.selector.family(), self.seed);
        let draw = TwinDraw { twins: twins.expect("a question asks for a belief"), last: Twin::default() };
        let writers = vec![None; self.writers.len()];
        let selector = Selector::for_twins(self.selector.family(), self.seed);
        Self { twins: Some(Box::new(draw)), writers, selector, ..self }
    }

    /// The same maker, for the stories of a single split.
    #[must_use]
    pub fn only(self, splits: Splits, part: usize) -> Self {
        let writers = vec![None; self.writers.len()];
        Self { filter: Some(SplitFilter { splits, part, text: String::new() }), writers, ..self }
    }

    /// The story made last.
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// The plan of the story made last.
    pub fn plan(&self) -> &'a Plan {
        self.selector.plan()
    }

    /// The number, in its family, of the plan of the story made last.
    pub const fn plan_number(&self) -> usize {
        self.selector.plan_number()
    }

    /// The twin of the story made last, if stories have any.
    pub fn twin(&self) -> Option<&Twin> {
        self.twins.as_ref().map(|draw| &draw.last)
    }

    /// Appends the rows of the story with this index and of its twin, each ending with a line break. Returns their number.
    pub fn rows(&mut self, index: u64, rows: &mut String) -> usize {
        if self.draw(index) { self.tell(rows) } else { 0 }
    }

    /// Draws the story with this index. Returns whether rows are made of it, which is not the case if it is in another
    /// split. A twin is in the split of its story.
    pub fn draw(&mut self, index: u64) -> bool {
        match &mut self.twins {
            None => drop(self.selector.draw(index, &mut self.story)),
            Some(draw) => draw.twins.draw(&mut self.selector, index, &mut self.story, &mut draw.last),
        }
        let (is_split, has_twins) = (self.filter.is_some(), self.twins.is_some());
        let new =
            || Box::new(PlanWriter::new(self.selector.plan(), self.seed, &self.set, is_split, has_twins));
        let writer = self.writers[self.selector.plan_number()].get_or_insert_with(new);
        writer.lexicon.draw(&self.story, &mut self.words);
        self.filter.as_mut().zip(writer.plain.as_ref()).is_none_or(|(filter, lexicon)| {
            filter.text.clear();
            lexicon.story(&self.story, &self.words, Display::People, &mut filter.text);
            filter.splits.part(&filter.text) == filter.part
        })
    }

    /// Appends the rows of the story drawn last and of its twin. Returns their number.
    pub fn tell(&mut self, rows: &mut String) -> usize {
        let Self { selector, story, words, told, twins, options: RowOptions { with_events }, .. } = self;
        let Some(writer) = &mut self.writers[selector.plan_number()] else { return 0 };
        let PlanWriter { asker, twin_asker, lexicon, written, fragments, .. } = &mut **writer;
        let mut teller = Teller { told, with_events: *with_events, differs_at: None, rows };
        let of = StoryWriter { plan: selector.plan(), fragments, lexicon, written, story, words };
        let Some((draw, twin_asker)) = twins.as_ref().zip(twin_asker.as_mut()) else {
            let answers = asker.ask(story);
            teller.rows(&of, answers, ["", ""]);
            return answers.len();
        };
        teller.differs_at = Some(draw.last.step);
        let [answers, answers_of_twin] = asker.ask_pair(twin_asker, story, &draw.last.story);
        teller.rows(&of, answers, ["", TWIN]);
        teller.rows(&StoryWriter { story: &draw.last.story, ..of }, answers_of_twin, [TWIN, ""]);
        answers.len() + answers_of_twin.len()
    }
}

/// The mark after the index in the id of a twin's row.
const TWIN: &str = "-twin";

/// Draws stories with their twins.
#[derive(Clone, Debug)]
struct TwinDraw<'a> {
    twins: Twins<'a>,
    last: Twin,
}

/// Decides whether a story is in a certain split.
#[derive(Clone, Debug)]
struct SplitFilter {
    splits: Splits,
    part: usize,
    text: String,
}

/// Writes the rows of one plan's stories.
#[derive(Clone, Debug)]
struct PlanWriter<'a> {
    asker: Asker<'a>,
    /// Answers the questions of twins.
    twin_asker: Option<Asker<'a>>,
    lexicon: Lexicon<'a>,
    /// The same words, with names as the storyboard writes them.
    written: Lexicon<'a>,
    /// The words in their plain form, whatever the output makes of them; needed where stories are split.
    plain: Option<Lexicon<'a>>,
    fragments: PlanFragments,
}

impl<'a> PlanWriter<'a> {
    fn new(plan: &'a Plan, seed: u64, set: &[String], is_split: bool, has_twins: bool) -> Self {
        let (asker, lexicon) = (Asker::new(plan, seed), Lexicon::new(plan, seed, escaped));
        Self {
            twin_asker: has_twins.then(|| asker.clone()),
            asker,
            plain: is_split.then(|| lexicon.respelt(str::to_owned)),
            written: lexicon.as_written(escaped),
            lexicon,
            fragments: PlanFragments::new(plan, seed, set),
        }
    }
}

/// Writes all rows of a story.
struct Teller<'r> {
    told: &'r mut [StoryFragments; 2],
    with_events: bool,
    /// The step at which the story differs from its twin, if stories have twins.
    differs_at: Option<usize>,
    rows: &'r mut String,
}

impl Teller<'_> {
    /// Writes the rows of a story. `marks` are the texts after the index in its id and in that of its twin.
    fn rows(&mut self, of: &StoryWriter<'_, '_>, answers: &[Answered], marks: [&str; 2]) {
        let Self { told, with_events, differs_at, rows } = self;
        told.iter_mut().for_each(|told| told.is_fresh = false);
        let mut digits = itoa::Buffer::new();
        let index = digits.format(of.story.index);
        for answered in answers {
            let display = Display::of(of.plan.questions[answered.question].kind);
            let told = &mut told[display as usize];
            if !told.is_fresh {
                of.write(display, *with_events, told);
            }
            let question = &of.fragments.questions[answered.question];
            let differs_at = *differs_at;
            let mut row = RowWriter { of, told, question, answered, display, index, marks, differs_at, rows };
            row.write_parts(differs_at.is_some(), *with_events);
            rows.push_str("}\n");
        }
    }
}

#[cfg(test)]
mod tests;
