//! One story: what happens in it, who sees it, what minds hold, and its rows.

use std::sync::Arc;

use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySequence, PyString};
use storysim::belief::Chain;
use storysim::dataset::{RowMaker, RowOptions, events, heads};
use storysim::id::CharacterId;
use storysim::page::{Page, Part, Table};
use storysim::plan::Plan;
use storysim::select::Twinning;
use storysim::simulate;
use storysim::text::{Display, Lexicon, Words};
use storysim::verify::ORDER_MAX;
use storysim::world::Item;

use crate::board::Storyboard;
use crate::draw::Drawn;
use crate::error;
use crate::json::from_json;
use crate::patience::patiently;
use crate::row::DictMaker;

/// What minds are said to hold in words if they hold nothing.
const NOTHING: [&str; 3] = ["unknown", "no idea", "unclear"];

/// What is said where the twin at a story's index is that of another story.
const OF_ANOTHER: &str = "this story has no twin, or none that is kept, so where stories have twins, another story has its \
    index. This is the twin of that one, which board.story(index, seed=seed, twins=\"pairs\") gives";

/// A story or a twin of one.
#[pyclass(frozen, module = "storysim")]
pub struct Story {
    board: Py<Storyboard>,
    drawn: Arc<Drawn>,
    seed: u64,
    /// The story as it was drawn, and its twins.
    told: Arc<Vec<Told>>,
    /// Which of these it is.
    which: usize,
}

/// A story with its rows.
struct Told {
    story: simulate::Story,
    /// The number of its plan in the family.
    plan: usize,
    /// What ids begin with: `sally-anne/7/42`.
    id: String,
    /// Its rows as text.
    rows: String,
}

impl Told {
    /// Whether the same happens to the same people in another story. Which other lives there might have been, stories by lives
    /// settle with their twins.
    fn is_the_same(&self, other: &simulate::Story) -> bool {
        let simulate::Story { cast, names, trace, .. } = &self.story;
        (cast, names, trace) == (&other.cast, &other.names, &other.trace)
    }
}

/// Draws a story and its twins.
fn draw(drawn: &Drawn, name: &str, seed: u64, index: u64) -> Vec<Told> {
    let mut maker = RowMaker::new(&drawn.family, seed, &drawn.set, RowOptions::default());
    if let Some(twins) = drawn.twins {
        maker = maker.with(&drawn.storyboard, twins);
    }
    let mut rows = String::new();
    maker.rows(index, &mut rows);
    let stories = std::iter::once(maker.story()).chain(maker.twins().iter().map(|twin| &twin.story));
    let told = |(story, head): (&simulate::Story, String)| {
        let begins = format!("{{\"id\":\"{head}");
        let own = rows.split_inclusive('\n').filter(|row| row.starts_with(&begins)).collect();
        let id = head.trim_end_matches('/').to_owned();
        Told { story: story.clone(), plan: maker.plan_number(), id, rows: own }
    };
    stories.zip(heads(name, seed, index, drawn.twins)).map(told).collect()
}

/// The names of a chain as they were given.
fn names_of(chain: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let example = "story.held([\"S1\", \"T\"]) says where S1 thinks T is";
    let names = chain.cast::<PySequence>().ok().filter(|_| !chain.is_instance_of::<PyString>());
    let Some(names) = names else {
        let class = chain.get_type().name()?;
        return Err(PyTypeError::new_err(format!("chain has to be a list of names, not {class}: {example}")));
    };
    let minds = names.len()?.saturating_sub(1);
    if minds > ORDER_MAX {
        return Err(PyValueError::new_err(format!(
            "a chain has at most {ORDER_MAX} minds before its target, and this one has {minds}"
        )));
    }
    let name = |item: PyResult<Bound<'_, PyAny>>| {
        let item = item?;
        let name = item.cast::<PyString>().map(|name| name.to_string_lossy().into_owned());
        let class = item.get_type().name()?;
        name.map_err(|_| {
            PyTypeError::new_err(format!("chain has to be a list of names, and has {class} in it: {example}"))
        })
    };
    names.try_iter()?.map(name).collect()
}

/// The words of a story.
struct Telling<'a> {
    plan: &'a Plan,
    story: &'a simulate::Story,
    shown: Lexicon<'a>,
    written: Lexicon<'a>,
    words: Words,
}

/// A step as readers see it.
struct Step {
    number: usize,
    sentence: String,
    /// The sentences that follow without taking a step.
    notes: Vec<String>,
    from: String,
    witnesses: Vec<String>,
}

impl<'a> Telling<'a> {
    /// How a story is told under the seed that it was drawn with.
    fn of(drawn: &'a Drawn, told: &'a Told, seed: u64) -> Self {
        let Told { story, plan, .. } = told;
        let plan = &drawn.family.plans()[*plan];
        let shown = Lexicon::new(plan, seed, str::to_owned);
        let mut words = Words::default();
        shown.draw(story, &mut words);
        Self { plan, story, written: shown.as_written(str::to_owned), shown, words }
    }

    fn everyone(&self) -> impl Iterator<Item = CharacterId> + use<> {
        (0..self.plan.character_count).map(CharacterId::new)
    }

    fn names(&self, of: &Lexicon<'_>, item: Item) -> String {
        of.item(self.story, &self.words, Display::People, item).to_owned()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        self.shown.story(self.story, &self.words, Display::People, &mut text);
        text
    }

    fn context(&self) -> String {
        let mut text = String::new();
        self.shown.context(self.story, &self.words, Display::People, &mut text);
        text
    }

    fn steps(&self) -> Vec<Step> {
        let step = |witnessed: storysim::trace::Witnessed| {
            let name = |who: &CharacterId| self.names(&self.shown, Item::Character(*who));
            let mut sentence = String::new();
            let number = witnessed.step;
            self.shown.sentence(self.story, &self.words, Display::People, number, &mut sentence);
            let asides = self.shown.asides(self.story, &self.words, number).into_iter();
            Step {
                number,
                sentence,
                notes: asides.chain(self.shown.notes(self.story, &self.words, number)).collect(),
                from: self.shown.place(witnessed.event.from).to_owned(),
                witnesses: witnessed
                    .witnesses
                    .iter()
                    .filter(|who| **who != witnessed.event.who)
                    .map(name)
                    .collect(),
            }
        };
        self.story.trace.unfold().map(step).collect()
    }

    /// What a name stands for: a role, somebody's name, an object or a proposition.
    fn item(&self, name: &str) -> PyResult<Item> {
        if let Some(role) = self.plan.role_names.iter().position(|role| role == name) {
            return Ok(Item::Character(CharacterId::new(role)));
        }
        let items = self.story.trace.stage.items(self.plan.character_count);
        let items: Vec<Item> = items.filter(|item| !matches!(item, Item::Lid(_))).collect();
        let is_named =
            |item: &&Item| [&self.shown, &self.written].iter().any(|words| self.names(words, **item) == name);
        if let Some(item) = items.iter().find(is_named) {
            return Ok(*item);
        }
        let known = items.iter().map(|item| self.names(&self.written, *item));
        let known: Vec<String> = self.plan.role_names.iter().cloned().chain(known).collect();
        Err(PyLookupError::new_err(format!(
            "nobody and nothing in this story is called {name:?}: there are {}",
            known.join(", ")
        )))
    }

    /// The chain that names stand for, the outermost mind first and the target last.
    fn chain(&self, names: &[String]) -> PyResult<Chain> {
        let Some((target, minds)) = names.split_last() else {
            return Err(PyValueError::new_err(
                "a chain needs at least a target: [\"T\"], or [\"S1\", \"T\"]",
            ));
        };
        let mind = |name: &String| match self.item(name)? {
            Item::Character(who) => Ok(who),
            _ => Err(PyValueError::new_err(format!(
                "{name} has no mind: only the last of a chain may be a thing"
            ))),
        };
        let minds = minds.iter().map(mind).collect::<PyResult<Vec<_>>>()?;
        Ok(Chain::new(&minds, self.item(target)?))
    }
}

impl Story {
    /// Draws the story with an index.
    pub fn drawn(
        board: &Bound<'_, Storyboard>,
        index: u64,
        seed: u64,
        twins: Option<Twinning>,
    ) -> PyResult<Self> {
        let py = board.py();
        let drawn = board.get().drawn(py, twins)?;
        let (of_work, name) = (drawn.clone(), board.get().name_with_values());
        let told = patiently(py, move || draw(&of_work, &name, seed, index))?;
        Ok(Self { board: board.clone().unbind(), drawn, seed, told: Arc::new(told), which: 0 })
    }

    fn own(&self) -> &Told {
        &self.told[self.which]
    }

    fn other(&self, py: Python<'_>, which: usize) -> Self {
        let Self { drawn, seed, told, .. } = self;
        Self { board: self.board.clone_ref(py), drawn: drawn.clone(), seed: *seed, told: told.clone(), which }
    }

    fn telling(&self) -> Telling<'_> {
        Telling::of(&self.drawn, self.own(), self.seed)
    }
}

#[pymethods]
impl Story {
    /// What the ids of its rows begin with: `sally-anne/7/42`.
    #[getter]
    fn id(&self) -> &str {
        &self.own().id
    }

    /// The storyboard of the story.
    #[getter]
    fn board(&self, py: Python<'_>) -> Py<Storyboard> {
        self.board.clone_ref(py)
    }

    /// The seed of the story.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of the story.
    #[getter]
    fn index(&self) -> u64 {
        self.own().story.index
    }

    /// What a reader has to know beforehand.
    #[getter]
    fn context(&self) -> String {
        self.telling().context()
    }

    /// The story, sentence by sentence.
    #[getter]
    fn text(&self) -> String {
        self.telling().text()
    }

    /// Who plays each role, and the place of each bind, with names as the storyboard writes them.
    #[getter]
    fn cast<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let telling = self.telling();
        let cast = PyDict::new(py);
        for (role, who) in telling.plan.role_names.iter().zip(telling.everyone()) {
            cast.set_item(role, telling.names(&telling.written, Item::Character(who)))?;
        }
        let binds = &telling.plan.casts[telling.story.cast].binds;
        for (bind, &place) in telling.plan.bind_names.iter().zip(binds) {
            cast.set_item(bind, telling.written.place(place))?;
        }
        Ok(cast)
    }

    /// Everybody in the story.
    #[getter]
    fn characters(&self) -> Vec<String> {
        let telling = self.telling();
        let everyone = telling.written.in_order(telling.story, &telling.words, Display::People);
        everyone.into_iter().map(|who| telling.names(&telling.written, Item::Character(who))).collect()
    }

    /// What happens, as data: `[step, name, verb, place]` for every move (docs/rows.md).
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Telling { plan, story, written, words, .. } = self.telling();
        let plain = Lexicon::as_written(&written, storysim::dataset::escaped);
        from_json(py, &events(plan, &plain, story, &words, Display::People))
    }

    /// What happens, to read: for every step a dict with its sentence, notes, where it happens, and who else sees it.
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for step in self.telling().steps() {
            let dict = PyDict::new(py);
            dict.set_item("step", step.number)?;
            dict.set_item("sentence", step.sentence)?;
            dict.set_item("notes", step.notes)?;
            dict.set_item("from", step.from)?;
            dict.set_item("witnesses", step.witnesses)?;
            list.append(dict)?;
        }
        Ok(list)
    }

    /// The rows of the story, as dicts.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let (list, text) = (PyList::empty(py), &self.own().rows);
        let (mut dicts, mut at) = (DictMaker::new(py), 0);
        while at < text.len() {
            let (row, after) = dicts.dict(py, text, at)?;
            list.append(row)?;
            at = after + 1;
        }
        Ok(list)
    }

    /// What the chain holds at the start and after each step. `["S1", "T"]` is where S1 thinks T is, `["T"]` where it is.
    ///
    /// Names are roles, or names in the story. The last may be a thing. `None` stands for what the chain cannot say. There are at
    /// most 64 minds before the target.
    fn held(&self, py: Python<'_>, chain: &Bound<'_, PyAny>) -> PyResult<Vec<Option<String>>> {
        let chain = self.telling().chain(&names_of(chain)?)?;
        let order = chain.order();
        let Self { drawn, told, seed, which, .. } = self;
        let (drawn, told, seed, which) = (drawn.clone(), told.clone(), *seed, *which);
        let held = patiently(py, move || {
            let telling = Telling::of(&drawn, &told[which], seed);
            telling.shown.held_along(telling.story, &telling.words, chain, usize::MAX)
        })?;
        let own = |mut held: Vec<String>| {
            Some(held.swap_remove(order)).filter(|held| !NOTHING.contains(&held.as_str()))
        };
        Ok(held.into_iter().map(own).collect())
    }

    /// The story that differs from this one in one event and in the answer; of a twin, the story that it is a twin of.
    ///
    /// Of a story that was drawn without twins, it is the twin that stories with twins have at this index. There, a story that has
    /// no twin is drawn again; then the twin is that of another story, and a warning says so.
    fn twin(&self, py: Python<'_>) -> PyResult<Self> {
        if self.told.len() > 1 {
            return Ok(self.other(py, usize::from(self.which == 0)));
        }
        let (index, seed) = (self.index(), self.seed);
        let pair = Self::drawn(self.board.bind(py), index, seed, Some(Twinning::Pairs))?;
        // Where shares are balanced, it is drawn which of the two is called the twin.
        let own = pair.told.iter().position(|told| self.own().is_the_same(&told.story));
        if own.is_none() {
            error::tell(py, OF_ANOTHER)?;
        }
        Ok(pair.other(py, usize::from(own != Some(1))))
    }

    /// All other stories of the pair or triplet; empty if the story was drawn without twins.
    #[getter]
    fn twins(&self, py: Python<'_>) -> Vec<Self> {
        (0..self.told.len()).filter(|which| *which != self.which).map(|which| self.other(py, which)).collect()
    }

    fn __len__(&self) -> usize {
        self.own().story.trace.events.len()
    }

    fn __repr__(&self) -> String {
        let Told { id, rows, story, .. } = self.own();
        format!("<storysim.Story {id}: {} steps, {} rows>", story.trace.events.len(), rows.lines().count())
    }

    fn __str__(&self) -> String {
        let telling = self.telling();
        format!("{}\n\n{}", telling.context(), telling.text())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let (one, other) = (self.own(), other.get().own());
            one.id == other.id && one.story == other.story && one.rows == other.rows
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.id().hash(&mut hasher);
        hasher.finish()
    }

    #[expect(clippy::type_complexity, reason = "what pickle asks for")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Py<Storyboard>, u64, u64, Option<&'static str>, usize))> {
        let redraw = py.import("storysim._storysim")?.getattr("_redrawn")?;
        let twins = self.drawn.twins.map(Twinning::name);
        Ok((redraw, (self.board.clone_ref(py), self.index(), self.seed, twins, self.which)))
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let height = 300 + 32 * self.__len__();
        py.import("storysim._reports")?.getattr("_framed")?.call1((self.html(), height.min(640)))
    }

    /// The story as a page: the text of an HTML file that needs nothing else.
    fn html(&self) -> String {
        let telling = self.telling();
        let text = |titles: &[&str]| titles.iter().map(|&title| title.to_owned()).collect::<Vec<String>>();
        let step = |step: Step| {
            let sentences = std::iter::once(step.sentence).chain(step.notes).collect::<Vec<_>>().join(" ");
            vec![step.number.to_string(), sentences, step.from, step.witnesses.join(", ")]
        };
        let asked = |row: &str| {
            let row: serde_json::Value = serde_json::from_str(row).expect("a row is JSON");
            let cell = |field: &str| row[field].as_str().unwrap_or("").to_owned();
            let evidence = row["evidence"].as_array().into_iter().flatten().map(ToString::to_string);
            vec![cell("question"), cell("answer"), cell("truth"), evidence.collect::<Vec<_>>().join(", ")]
        };
        let steps = Table {
            caption: "What happens, and who else sees it.".to_owned(),
            titles: text(&["step", "event", "from", "witnesses"]),
            text_columns: 4,
            rows: telling.steps().into_iter().map(step).collect(),
        };
        let questions = Table {
            caption: "What is asked. The evidence is the steps that settled the answer.".to_owned(),
            titles: text(&["question", "answer", "truth", "evidence"]),
            text_columns: 4,
            rows: self.own().rows.lines().map(asked).collect(),
        };
        let parts = vec![Part::Prose(telling.context()), Part::Table(steps), Part::Table(questions)];
        Page { title: self.id().to_owned(), parts }.html()
    }
}

/// A story as it was when it was pickled.
#[pyfunction]
pub fn _redrawn(
    py: Python<'_>,
    board: &Bound<'_, Storyboard>,
    index: u64,
    seed: u64,
    twins: Option<&str>,
    which: usize,
) -> PyResult<Story> {
    let twins = twins.map(|twins| twins.parse().map_err(PyValueError::new_err)).transpose()?;
    let story = Story::drawn(board, index, seed, twins)?;
    if which >= story.told.len() {
        return Err(PyValueError::new_err(format!("story {index} has no twin with the number {which}")));
    }
    Ok(story.other(py, which))
}
