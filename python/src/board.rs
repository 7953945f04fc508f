//! Storyboards.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString};
use storysim::cli::survey_text;
use storysim::compile::problems;
use storysim::dataset::{Keep, RowOptions};
use storysim::diagnostic::{Diagnostic, Source};
use storysim::folder::{Failure, Setting, Variant, variants};
use storysim::load;
use storysim::pack;
use storysim::render::render;
use storysim::select::{Acceptance, Admitted, Fits, Twinning};
use storysim::storyboard::{self, BUILT_IN, Giveaways, SOURCE_BYTES_MAX};
use storysim::survey::survey;

use crate::arrow::Arrow;
use crate::draw::{Drawn, Telling};
use crate::error::{self, LOOK};
use crate::json::from_json;
use crate::patience::patiently;
use crate::rows::Rows;
use crate::story::Story;

/// What a storyboard given as text is called in messages.
const TEXT_NAME: &str = "<text>";

/// A storyboard with the values of its parameters, ready to make stories.
///
/// `board` is the name of a built-in storyboard, a path, or the text of one (with more than one line). `set` gives values to
/// parameters.
#[pyclass(frozen, module = "storysim", subclass)]
pub struct Storyboard {
    drawn: Arc<Drawn>,
    acceptance: Option<Acceptance>,
    settings: Vec<(String, i64)>,
    /// How long compiling took.
    seconds: f64,
    warnings: Py<PyList>,
    /// What stories with twins are drawn from, once somebody has asked for it.
    with_twins: Mutex<[Option<Arc<Drawn>>; 2]>,
}

/// A range of stories, and what their rows are made with.
#[derive(Clone, Debug)]
pub struct Stories {
    pub range: Range<u64>,
    pub twins: Option<Twinning>,
    pub telling: Telling,
}

/// What a caller says about the rows of stories.
struct Wanted<'py> {
    seed: Option<Bound<'py, PyAny>>,
    start: Option<Bound<'py, PyAny>>,
    twins: Option<Bound<'py, PyAny>>,
    with_events: bool,
    difficulty: bool,
    keep: Option<Bound<'py, PyAny>>,
    prompt: Option<Bound<'py, PyAny>>,
    shape: Option<Bound<'py, PyAny>>,
}

impl Stories {
    /// `count` stories.
    fn new(count: &Bound<'_, PyAny>, wanted: &Wanted<'_>) -> PyResult<Self> {
        let from_zero = |name: &str, number: &Option<Bound<'_, PyAny>>| {
            number.as_ref().map_or(Ok(0), |number| whole(name, number))
        };
        let (count, start) = (whole("count", count)?, from_zero("start", &wanted.start)?);
        let end = start.checked_add(count).ok_or_else(|| {
            PyOverflowError::new_err(format!(
                "start + count is more than {}, the largest index of a story",
                u64::MAX
            ))
        })?;
        let rows = RowOptions {
            with_events: wanted.with_events,
            with_difficulty: wanted.difficulty,
            prompt: named("prompt", wanted.prompt.as_ref())?,
            unit: named("shape", wanted.shape.as_ref())?.unwrap_or_default(),
        };
        Ok(Self {
            range: start..end,
            twins: twinning(wanted.twins.as_ref())?,
            telling: Telling {
                seed: from_zero("seed", &wanted.seed)?,
                rows,
                keep: keep(wanted.keep.as_ref())?,
            },
        })
    }

    /// The stories as arguments, from which [`Self::of_dict`] makes them again.
    pub fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let RowOptions { with_events, with_difficulty, prompt, unit } = self.telling.rows;
        let dict = PyDict::new(py);
        dict.set_item("start", self.range.start)?;
        dict.set_item("count", self.range.end - self.range.start)?;
        dict.set_item("seed", self.telling.seed)?;
        dict.set_item("twins", self.twins.map(Twinning::name))?;
        dict.set_item("with_events", with_events)?;
        dict.set_item("difficulty", with_difficulty)?;
        dict.set_item("where", self.telling.keep.as_ref().map(Keep::to_string))?;
        dict.set_item("prompt", prompt.map(|prompt| prompt.to_string()))?;
        dict.set_item("shape", unit.name())?;
        Ok(dict)
    }

    pub fn of_dict(dict: &Bound<'_, PyDict>) -> PyResult<Self> {
        let get = |name: &str| dict.as_any().get_item(name);
        let wanted = Wanted {
            seed: Some(get("seed")?),
            start: Some(get("start")?),
            twins: Some(get("twins")?),
            with_events: get("with_events")?.extract()?,
            difficulty: get("difficulty")?.extract()?,
            keep: Some(get("where")?),
            prompt: Some(get("prompt")?),
            shape: Some(get("shape")?),
        };
        Self::new(&get("count")?, &wanted)
    }
}

/// Which rows the argument `where` keeps, or an exception that shows what is wrong with it.
fn keep(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Keep>> {
    let Some(text) = text("where", value)? else { return Ok(None) };
    let report = |problem| {
        PyValueError::new_err(format!("where: {}", render(&[problem], &Keep::source_of(&text), LOOK)))
    };
    Keep::parse(&text).map(Some).map_err(report)
}

/// The text of an argument, if it is given.
fn text(argument: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(None) };
    let Ok(text) = value.cast::<PyString>() else {
        let class = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{argument} has to be a string, not {class}")));
    };
    Ok(Some(text.to_string_lossy().into_owned()))
}

/// What an argument names, or an exception that says what it could have named.
fn named<T: FromStr<Err = String>>(argument: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<T>> {
    let Some(name) = text(argument, value)? else { return Ok(None) };
    name.parse().map(Some).map_err(|wrong| PyValueError::new_err(format!("{argument}: {wrong}")))
}

/// A whole number from 0 on, or an exception that names it.
pub fn whole(name: &str, number: &Bound<'_, PyAny>) -> PyResult<u64> {
    if number.is_instance_of::<PyBool>() || number.hasattr("__index__").is_ok_and(|has| !has) {
        let class = number.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{name} has to be a whole number, not {class}")));
    }
    number.extract::<u64>().map_err(|_| {
        PyValueError::new_err(format!("{name} has to be from 0 to {}, and is {number}", u64::MAX))
    })
}

/// The kind of twins that an argument asks for.
fn twinning(twins: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Twinning>> {
    let Some(twins) = twins.filter(|twins| !twins.is_none()) else { return Ok(None) };
    if let Ok(are) = twins.cast::<PyBool>() {
        return Ok(are.is_true().then_some(Twinning::Pairs));
    }
    let named = twins.extract::<String>().ok().and_then(|name| name.parse().ok());
    let wrong =
        || PyValueError::new_err(format!("twins has to be \"pairs\", \"triplets\" or None, not {twins:?}"));
    named.map(Some).ok_or_else(wrong)
}

/// The values of parameters.
fn settings_of(set: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(String, i64)>> {
    let Some(set) = set.filter(|set| !set.is_none()) else { return Ok(Vec::new()) };
    let wrong = |what: String| {
        PyTypeError::new_err(format!("set has to be a dict from names to whole numbers; {what}"))
    };
    let dict = set.cast::<PyDict>().map_err(|_| wrong(format!("{set:?} is none")))?;
    let setting = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        if !name.is_instance_of::<PyString>() {
            return Err(wrong(format!("{name:?} is no name")));
        }
        let is_number = value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>();
        let number = value.extract::<i64>().ok().filter(|_| is_number);
        let number = number.ok_or_else(|| wrong(format!("{name} is {value:?}")))?;
        Ok((name.extract()?, number))
    };
    dict.iter().map(setting).collect()
}

/// What was found of a storyboard on another thread, or what is wrong with it.
enum Opened {
    Board { drawn: Box<Drawn>, acceptance: Option<Acceptance>, warnings: Vec<Diagnostic>, seconds: f64 },
    Broken(Vec<Diagnostic>, Box<Source>),
    Failed(Failure),
}

/// Reads and compiles a storyboard.
fn open(source: Source, weights: Option<String>, settings: Vec<(String, i64)>) -> Opened {
    let begun = Instant::now();
    if source.text.len() > SOURCE_BYTES_MAX {
        return Opened::Failed(Failure::Usage(load::too_long(&source.name)));
    }
    let read = match load::read(source, None) {
        Ok(Ok(read)) => storyboard::Storyboard { weights, ..read },
        Ok(Err(broken)) => return Opened::Broken(problems(&broken), Box::new(broken.source)),
        Err(failure) => return Opened::Failed(failure),
    };
    let sets: Vec<Setting> =
        settings.iter().map(|(name, value)| Setting { name: name.clone(), values: vec![*value] }).collect();
    let boards = [read];
    let (found, problems, set) = match variants(&boards, &sets) {
        Err(failure) => return Opened::Failed(failure),
        Ok(variants) => {
            let (found, problems) = load::admitted(&variants[0]);
            (found, problems, variants[0].set())
        }
    };
    let [storyboard] = boards;
    match found {
        None => Opened::Broken(problems, Box::new(storyboard.source)),
        Some(Admitted { family, acceptance }) => Opened::Board {
            drawn: Box::new(Drawn { storyboard, family, set, twins: None }),
            acceptance,
            warnings: problems,
            seconds: begun.elapsed().as_secs_f64(),
        },
    }
}

/// The text of a storyboard that an argument names or is, and what `storysim fit` has written beside it.
fn source_of(py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<(Source, Option<String>)> {
    if let Ok(text) = board.cast::<PyString>() {
        let text = text.to_str()?;
        if text.contains('\n') {
            return Ok((Source { name: TEXT_NAME.to_owned(), text: text.to_owned() }, None));
        }
    }
    let path: PathBuf = board.extract().map_err(|_| {
        let class = board.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("a storyboard is a name, a path or the text of one, not {class}"))
    })?;
    let path = path.to_string_lossy().into_owned();
    let is_name = board.is_instance_of::<PyString>();
    let path = if is_name || path.contains(['/', '\\', '.']) { path } else { format!("./{path}") };
    let read = || Ok((load::source(&path)?, load::weights_beside(&path)?));
    py.detach(read).map_err(|failure| error::failure(py, failure))
}

/// The name or path of a pack of a kind, which is that of the argument, too; and its text.
fn pack_of(py: Python<'_>, kind: &str, given: &Bound<'_, PyAny>) -> PyResult<(String, Source)> {
    let path: PathBuf = given
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("`{kind}` is the name of a pack or the path to one")))?;
    let name = path.to_string_lossy().into_owned();
    let source = load::pack_source(&name).map_err(|failure| error::failure(py, failure))?;
    match pack::parse(source.clone()) {
        Err(problems) => Err(error::storyboard_errors(py, &problems, &source)),
        Ok(pack) if pack.kind().key == kind => Ok((name, source)),
        Ok(pack) => {
            let message = format!("`{name}` is a pack of the kind `{}`, not `{kind}`", pack.kind().key);
            Err(error::failure(py, Failure::Usage(message)))
        }
    }
}

/// How many words stories have, and at what depth what settles their answer lies, in percent; if they are to have so many.
fn length_of(words: Option<u64>, at_depth: Option<f64>) -> PyResult<Option<(u64, Option<u64>)>> {
    let Some(words) = words else {
        return match at_depth {
            None => Ok(None),
            Some(_) => Err(PyValueError::new_err("`at_depth` says nothing without `words`")),
        };
    };
    let percent = at_depth.map(|depth| {
        let percent = (depth * 100.0).round();
        let is_whole = (0.0..=1.0).contains(&depth) && (percent - depth * 100.0).abs() < 1e-6;
        let wrong = || PyValueError::new_err(format!("`at_depth` is 0 to 1, in whole percent, not {depth}"));
        if is_whole { Ok(percent as u64) } else { Err(wrong()) }
    });
    Ok(Some((words, percent.transpose()?)))
}

/// The text of a storyboard, told otherwise.
fn told(
    py: Python<'_>,
    source: &Source,
    tell: impl Fn(&Source) -> Result<Source, Diagnostic>,
) -> PyResult<Source> {
    tell(source).map_err(|problem| error::storyboard_errors(py, &[problem], source))
}

impl Storyboard {
    /// The name of the storyboard.
    pub fn name(&self) -> &str {
        &self.drawn.storyboard.name.value
    }

    /// The name with the values that are set, as ids have it.
    pub fn name_with_values(&self) -> String {
        Variant { board: &self.drawn.storyboard, settings: self.settings.clone() }.name()
    }

    fn opened(
        py: Python<'_>,
        source: Source,
        weights: Option<String>,
        settings: Vec<(String, i64)>,
    ) -> PyResult<Self> {
        let of_work = settings.clone();
        match patiently(py, move || open(source, weights, of_work))? {
            Opened::Failed(failed) => Err(error::failure(py, failed)),
            Opened::Broken(problems, source) => Err(error::storyboard_errors(py, &problems, &source)),
            Opened::Board { drawn, acceptance, warnings, seconds } => Ok(Self {
                warnings: error::warn(py, &warnings, &drawn.storyboard.source)?,
                drawn: Arc::new(*drawn),
                acceptance,
                settings,
                seconds,
                with_twins: Mutex::default(),
            }),
        }
    }

    /// What stories with these twins are drawn from. It may take a while to find out how.
    pub fn drawn(&self, py: Python<'_>, twins: Option<Twinning>) -> PyResult<Arc<Drawn>> {
        let Some(twins) = twins else { return Ok(self.drawn.clone()) };
        let number = usize::from(twins == Twinning::Triplets);
        let lock = || self.with_twins.lock_py_attached(py).expect("nobody panics here");
        if let Some(known) = &lock()[number] {
            return Ok(known.clone());
        }
        let plain = self.drawn.clone();
        let admitted = patiently(py, move || {
            let Drawn { storyboard, family, set, .. } = &*plain;
            let family = twins.admit(storyboard, family.clone())?;
            Ok(Drawn { storyboard: storyboard.clone(), family, set: set.clone(), twins: Some(twins) })
        })?;
        let drawn = admitted.map_err(|problem: Diagnostic| {
            error::storyboard_errors(py, &[problem], &self.drawn.storyboard.source)
        })?;
        let drawn = Arc::new(drawn);
        lock()[number] = Some(drawn.clone());
        Ok(drawn)
    }
}

#[pymethods]
impl Storyboard {
    #[new]
    #[pyo3(signature = (board, *, set = None, setting = None, wording = None, words = None, at_depth = None))]
    fn new(
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        set: Option<&Bound<'_, PyAny>>,
        setting: Option<&Bound<'_, PyAny>>,
        wording: Option<&Bound<'_, PyAny>>,
        words: Option<u64>,
        at_depth: Option<f64>,
    ) -> PyResult<Self> {
        let settings = settings_of(set)?;
        let (mut source, weights) = source_of(py, board)?;
        if let Some(setting) = setting {
            let (_, pack) = pack_of(py, "setting", setting)?;
            source = told(py, &source, |source| storyboard::in_setting(source, &pack))?;
        }
        if let Some(wording) = wording {
            let plain = wording.extract::<String>().is_ok_and(|name| name == storyboard::PLAIN);
            let name = if plain { storyboard::PLAIN.to_owned() } else { pack_of(py, "wording", wording)?.0 };
            source = told(py, &source, |source| storyboard::in_wording(source, &name))?;
        }
        if let Some((words, depth)) = length_of(words, at_depth)? {
            source = told(py, &source, |source| storyboard::in_length(source, words, depth))?;
        }
        Self::opened(py, source, weights, settings)
    }

    /// The name of the storyboard.
    #[getter(name)]
    fn get_name(&self) -> &str {
        self.name()
    }

    /// What the storyboard is about, in its author's words.
    #[getter]
    fn about(&self) -> Option<&str> {
        self.drawn.storyboard.about.as_deref()
    }

    /// The text of the storyboard, as its author wrote it.
    #[getter]
    fn text(&self) -> &str {
        &self.drawn.storyboard.source.text
    }

    /// Where the text came from: a path, the name of a built-in storyboard, or `<text>`.
    #[getter]
    fn file(&self) -> &str {
        &self.drawn.storyboard.source.name
    }

    /// The values that were set.
    #[getter]
    fn set(&self) -> std::collections::BTreeMap<String, i64> {
        self.settings.iter().cloned().collect()
    }

    /// All parameters with their values.
    #[getter]
    fn parameters(&self) -> std::collections::BTreeMap<String, i64> {
        let declared =
            self.drawn.storyboard.parameters.iter().map(|(name, value)| (name.value.clone(), *value));
        declared.chain(self.settings.iter().cloned()).collect()
    }

    /// What the author of the storyboard would want to know, as a list of `Problem`.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> Py<PyList> {
        self.warnings.clone_ref(py)
    }

    /// The story with this index under a seed. With `twins` it is the one that runs with twins have at this index.
    #[pyo3(signature = (index, *, seed = None, twins = None))]
    fn story(
        this: &Bound<'_, Self>,
        index: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        twins: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Story> {
        let seed = seed.map_or(Ok(0), |seed| whole("seed", seed))?;
        Story::drawn(this, whole("index", index)?, seed, twinning(twins)?)
    }

    /// The story with this index under seed 0.
    fn __getitem__(this: &Bound<'_, Self>, index: &Bound<'_, PyAny>) -> PyResult<Story> {
        if index.is_instance_of::<pyo3::types::PySlice>() {
            let message = "a storyboard has no slices: board.rows(count, start=…) has many rows";
            return Err(PyTypeError::new_err(message));
        }
        let index = whole("index", index).map_err(|error| {
            match error.is_instance_of::<PyValueError>(index.py()) {
                true => PyIndexError::new_err(error.value(index.py()).to_string()),
                false => error,
            }
        })?;
        Story::drawn(this, index, 0, None)
    }

    fn __iter__(&self) -> PyResult<Py<PyAny>> {
        Err(PyTypeError::new_err(
            "a storyboard has no end: board.rows(count) goes through the rows of some stories",
        ))
    }

    /// The rows of `count` stories from the index `start` on, one after another, as dicts.
    ///
    /// `prompt` and `shape` are those of `storysim generate`: "plain", "cot" or "shots:K"; "questions" or "stories". `where` keeps
    /// only the rows for which it holds, such as "updates >= 3 and shortcuts_right == 0".
    #[expect(clippy::too_many_arguments, reason = "they are the keywords in Python")]
    #[pyo3(signature = (
        count, *, seed = None, start = None, twins = None, with_events = false, prompt = None, shape = None,
        difficulty = false, r#where = None
    ))]
    fn rows<'py>(
        this: &Bound<'py, Self>,
        count: &Bound<'py, PyAny>,
        seed: Option<Bound<'py, PyAny>>,
        start: Option<Bound<'py, PyAny>>,
        twins: Option<Bound<'py, PyAny>>,
        with_events: bool,
        prompt: Option<Bound<'py, PyAny>>,
        shape: Option<Bound<'py, PyAny>>,
        difficulty: bool,
        r#where: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Rows> {
        let keep = r#where;
        let wanted = Wanted { seed, start, twins, with_events, difficulty, keep, prompt, shape };
        let stories = Stories::new(count, &wanted)?;
        Rows::new(this.py(), this.clone().unbind(), stories, 0)
    }

    /// The rows of `count` stories as a stream of Arrow batches, each of some `batch_bytes` of text.
    #[expect(clippy::too_many_arguments, reason = "they are the keywords in Python")]
    #[pyo3(signature = (
        count, *, seed = None, start = None, twins = None, with_events = false, prompt = None, shape = None,
        batch_bytes = None, difficulty = false, r#where = None
    ))]
    fn arrow<'py>(
        this: &Bound<'py, Self>,
        count: &Bound<'py, PyAny>,
        seed: Option<Bound<'py, PyAny>>,
        start: Option<Bound<'py, PyAny>>,
        twins: Option<Bound<'py, PyAny>>,
        with_events: bool,
        prompt: Option<Bound<'py, PyAny>>,
        shape: Option<Bound<'py, PyAny>>,
        batch_bytes: Option<Bound<'py, PyAny>>,
        difficulty: bool,
        r#where: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Arrow> {
        let keep = r#where;
        let wanted = Wanted { seed, start, twins, with_events, difficulty, keep, prompt, shape };
        let stories = Stories::new(count, &wanted)?;
        let batch_bytes = batch_bytes.map(|bytes| whole("batch_bytes", &bytes)).transpose()?;
        let drawn = this.get().drawn(this.py(), stories.twins)?;
        Arrow::new(this.clone().unbind(), drawn, stories, batch_bytes)
    }

    /// Report what `storysim check` does: how likely the conditions are, how many stories there are, and how answers are spread.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (drawn, acceptance) = (self.drawn.clone(), self.acceptance.clone());
        let found = patiently(py, move || survey(&drawn.storyboard, &drawn.family, acceptance.as_ref()))?;
        let mut json = serde_json::to_value(&found).expect("a survey is JSON");
        json["compile_seconds"] = self.seconds.into();
        if let Some(found) = Giveaways::built_in().of_text(self.text()) {
            json["shortcuts"] = serde_json::to_value(found).expect("figures are JSON");
        }
        let name = (self.name_with_values(), !self.settings.is_empty());
        let text = survey_text(&self.drawn.storyboard, name, found, self.seconds, LOOK);
        let arguments = (text, from_json(py, &json.to_string())?, self.warnings(py));
        py.import("storysim._reports")?.getattr("Check")?.call1(arguments)
    }

    fn __repr__(&self) -> String {
        let set = self.settings.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
        let set = if set.is_empty() { String::new() } else { format!(" with {}", set.join(", ")) };
        format!("<storysim.Storyboard {}{set}>", self.name())
    }

    /// What makes the same storyboard again. What balancing has found goes along, since finding it takes long.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let reopen = py.import("storysim._storysim")?.getattr("_reopened")?;
        let Drawn { storyboard, family, .. } = &*self.drawn;
        let weights = family.weights().stories.is_some().then(|| {
            let mut fits = Fits::default();
            fits.add(family.plans(), family.weights().clone());
            fits.write()
        });
        let Source { name, text } = storyboard.source.clone();
        Ok((reopen, (name, text, weights, self.settings.clone())))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.text() == other.text() && self.settings == other.settings
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.text(), &self.settings).hash(&mut hasher);
        hasher.finish()
    }
}

/// A pickled storyboard: its name, its text, what balancing has found, and the values of parameters.
type Pickled = (String, String, Option<String>, Vec<(String, i64)>);

/// A storyboard as it was when it was pickled.
#[pyfunction]
pub fn _reopened(
    py: Python<'_>,
    name: String,
    text: String,
    weights: Option<String>,
    settings: Vec<(String, i64)>,
) -> PyResult<Storyboard> {
    Storyboard::opened(py, Source { name, text }, weights, settings)
}

/// The built-in storyboards: name, purpose and description of each, and what it gives away.
#[pyfunction]
pub fn _built_in(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let known = Giveaways::built_in();
    let mut boards: Vec<_> = BUILT_IN.iter().collect();
    boards.sort_by_key(|board| board.purpose);
    let board = |board: &&storyboard::BuiltIn| {
        let about = storyboard::parse(board.source()).ok().and_then(|board| board.about).unwrap_or_default();
        let shortcuts = known.of(board);
        serde_json::json!({"name": board.name, "purpose": board.purpose.key(), "about": about, "shortcuts": shortcuts})
    };
    let boards: Vec<serde_json::Value> = boards.iter().map(board).collect();
    from_json(py, &serde_json::Value::from(boards).to_string())
}
