//! `generate --experiment` and what `score` makes of it: the grid of every study, its folder, and its figures, which are
//! counted again from the rows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};
use storysim::compile::compile;
use storysim::dataset::{Fields, StoredRow};
use storysim::experiment::{Axis, Compared, Counted, EXPERIMENTS, Experiment, Figure, Form};
use storysim::plan::Plan;
use storysim::score::{Reply, Response, Scorer, mcnemar, newcombe, wilson};
use storysim::storyboard::QuestionKind;
use tempfile::TempDir;

use crate::effort::part;
use crate::program::{PROGRAM, stderr};
use crate::storyboards::built_in;
use crate::tree::lines;

/// A place to work in.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(self.0.path()).env("NO_COLOR", "1").env("COLUMNS", "80");
        command.output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn refused(&self, arguments: &[&str], why: &str) {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty() && stderr(&output).contains(why), "{}", stderr(&output));
    }

    /// Makes the folder of an experiment, called as it is.
    fn study(&self, name: &str, more: &[&str]) {
        let arguments = ["generate", "--quiet", "--experiment", name, "--seed", "7", "--out", name];
        self.done(&[&arguments, more].concat());
    }

    /// The rows of a folder, in the order of its files.
    fn rows(&self, folder: &str) -> Vec<Value> {
        let manifest: Value =
            serde_json::from_str(&fs::read_to_string(self.path(folder).join("manifest.json")).unwrap())
                .unwrap();
        let files = manifest["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap());
        files.flat_map(|file| lines(&self.path(folder).join(file))).collect()
    }

    fn report(&self, dataset: &str, responses: &[&str]) -> Value {
        let arguments = [&["score", dataset, "--format", "json"], responses].concat();
        serde_json::from_str(&self.done(&arguments)).unwrap()
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The names of all combinations of values, as they begin the ids of rows.
fn cells(experiment: &Experiment) -> BTreeSet<String> {
    let mut cells = BTreeSet::new();
    for told in experiment.boards {
        let mut names = vec![told.board.to_owned()];
        for (parameter, values) in told.set {
            let longer =
                |name: &String| values.iter().map(|value| format!("{name},{parameter}={value}")).collect();
            names = names.iter().flat_map(|name| -> Vec<String> { longer(name) }).collect();
        }
        cells.extend(names);
    }
    cells
}

fn plan(board: &str) -> Plan {
    compile(&built_in(board), &[]).unwrap().plan
}

/// What figures speak of is there, and each question falls on one place of each.
#[test]
fn figures_speak_of_what_is_told() {
    for experiment in EXPERIMENTS {
        let boards: BTreeMap<&str, Vec<&str>> = experiment
            .boards
            .iter()
            .map(|told| (told.board, told.set.iter().map(|(name, _)| *name).collect()))
            .collect();
        assert_eq!(boards.len(), experiment.boards.len(), "{}: no board twice", experiment.name);
        let drawn: BTreeSet<&str> =
            experiment.figures.iter().flat_map(|figure| figure.boards).copied().collect();
        assert_eq!(drawn, boards.keys().copied().collect(), "{}: what is told is drawn", experiment.name);
        for figure in experiment.figures {
            for board in figure.boards {
                for axis in figure.form.each().iter().chain(&figure.form.down()).chain([&figure.along]) {
                    let Axis::Parameter(name) = axis else { continue };
                    assert!(boards[board].contains(name), "{board}: {name} is swept");
                }
                let kinds: Vec<QuestionKind> =
                    plan(board).questions.iter().map(|question| question.kind).collect();
                if figure.counted == Counted::FalseBeliefs {
                    assert_eq!(kinds[0], QuestionKind::Belief, "{board}");
                }
                if figure.compared == Compared::WithinStories {
                    let distinct = kinds.iter().map(|kind| format!("{kind:?}")).collect::<BTreeSet<_>>();
                    assert!(
                        figure.along == Axis::Kind && distinct.len() == kinds.len(),
                        "{board}: {kinds:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_cell_is_told_as_often() {
    let desk = Desk::new();
    for experiment in part(EXPERIMENTS, 1, 2) {
        let name = experiment.name;
        desk.study(name, &["--count", "2"]);
        let mut stories: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for row in desk.rows(name) {
            let id: Vec<&str> = text(&row["id"]).split('/').collect();
            stories.entry(id[0].to_owned()).or_default().insert(format!("{}/{}", id[1], id[2]));
            // The rows are those that the board and the values give by themselves.
            if id[2] == "1" && id[3] == "0" && (id[0].ends_with("=30") || !id[0].contains('=')) {
                let (board, set) = id[0].split_once(',').unwrap_or((id[0], ""));
                let set: Vec<&str> = if set.is_empty() { Vec::new() } else { vec!["--set", set] };
                let alone = desk.done(
                    &[&["generate", board, "--quiet", "--seed", "7", "--count", "2"], &set[..]].concat(),
                );
                assert!(
                    alone.lines().any(|line| serde_json::from_str::<Value>(line).unwrap() == row),
                    "{id:?}"
                );
            }
        }
        let wanted = BTreeSet::from(["7/0".to_owned(), "7/1".to_owned()]);
        assert_eq!(stories.keys().cloned().collect::<BTreeSet<_>>(), cells(experiment), "{name}");
        assert!(stories.values().all(|found| *found == wanted), "{name}: {stories:?}");
        assert_eq!(stories.len(), experiment.cells(), "{name}");
        desk.done(&["verify", name, "--deep"]);
        let card = fs::read_to_string(desk.path(name).join("README.md")).unwrap();
        for wanted in
            [experiment.about, "storysim score FOLDER", &format!("generate --experiment {name} --count 2")]
        {
            assert!(card.contains(wanted), "{wanted}: {card}");
        }
        assert!(desk.done(&["list"]).contains(&format!("\n {name} ")), "{name}");
    }
    assert_eq!(
        EXPERIMENTS.iter().map(Experiment::cells).collect::<Vec<_>>(),
        [48, 26, 5, 20, 60, 3, 3, 16, 7]
    );
}

/// The settings are one board in other words, and the board of lengths is that board, too.
#[test]
fn other_words_are_as_likely() {
    let surveys = Desk::new().done(&[
        "check",
        "first-order-mislead",
        "first-order-mislead-museum",
        "first-order-mislead-station",
        "story-length",
        "--format",
        "json",
    ]);
    let surveys: Vec<Value> = surveys.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for survey in &surveys[1..] {
        for same in ["steps", "characters", "places", "casts", "log10_probability", "tables"] {
            assert!(!survey[same].is_null(), "{same}");
            assert_eq!(survey[same], surveys[0][same], "{same}");
        }
    }
    let words = |board: &str| {
        let plan = plan(board);
        let places: BTreeSet<String> = plan.place_names.iter().cloned().collect();
        places.into_iter().chain(plan.pool.iter().cloned()).collect::<BTreeSet<String>>()
    };
    let [rooms, museum, station] =
        ["first-order-mislead", "first-order-mislead-museum", "first-order-mislead-station"].map(words);
    assert!(rooms.is_disjoint(&museum) && museum.is_disjoint(&station) && station.is_disjoint(&rooms));
}

#[test]
fn a_folder_goes_on_and_holds_one_experiment() {
    let desk = Desk::new();
    let order = ["--count", "6", "--shard-size", "3"];
    desk.study("order", &order);
    let whole = crate::tree::files(&desk.path("order"));
    let manifest = crate::tree::manifest(&whole, "manifest.json");
    assert_eq!((manifest.experiment.as_deref(), manifest.files.len()), (Some("order"), 10));
    // It goes on where it was stopped.
    fs::remove_file(desk.path("order").join(&manifest.files[3].path)).unwrap();
    desk.study("order", &order);
    assert!(crate::tree::files(&desk.path("order")) == whole);
    // Parts, made apart, are the whole.
    for part in ["0/2", "1/2"] {
        let parts = [
            "generate",
            "--quiet",
            "--experiment",
            "order",
            "--seed",
            "7",
            "--out",
            "parts",
            "--shard",
            part,
        ];
        desk.done(&[&parts, &order[..]].concat());
    }
    desk.done(&["merge", "parts"]);
    assert!(crate::tree::files(&desk.path("parts")) == whole);
    // Nothing else goes in.
    let other = |what: &[&str], why: &str| {
        desk.refused(&[&["generate", "--seed", "7", "--out", "order"], what, &order[..]].concat(), why);
    };
    other(&["--experiment", "setting"], "experiment: order there, setting now");
    let boards =
        "first-order-mislead second-order-mislead third-order-mislead fourth-order-mislead world-model";
    other(&boards.split(' ').collect::<Vec<_>>(), "experiment: order there, none now");
    desk.done(&["generate", "five-events", "--count", "3", "--quiet", "--out", "plain"]);
    desk.refused(
        &["generate", "--experiment", "order", "--count", "3", "--out", "plain"],
        "experiment: none there, order now",
    );
    let plain = fs::read_to_string(desk.path("plain").join("manifest.json")).unwrap();
    assert!(!plain.contains("experiment") && plain.matches("\"set\"").count() == 1, "{plain}");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let desk = Desk::new();
    let ask = |more: &[&'static str]| [&["generate", "--experiment", "order", "--count", "1"], more].concat();
    desk.refused(&ask(&["five-events", "--out", "a"]), "cannot be used with");
    desk.refused(&ask(&["--set", "mislead_distance=5", "--out", "a"]), "cannot be used with");
    desk.refused(&ask(&[]), "--experiment needs a dataset folder; name one with --out");
    desk.refused(&ask(&["--setting", "ship"]), "give no --setting with --experiment");
    desk.refused(&ask(&["--out", "rows.jsonl"]), "--experiment needs a dataset folder; name one with --out");
    desk.refused(
        &["generate", "--experiment", "sweep", "--count", "1", "--out", "a"],
        "possible values: mislead",
    );
    desk.refused(&["generate", "--count", "1", "--out", "a"], "required");
    assert_eq!(fs::read_dir(desk.0.path()).unwrap().count(), 0, "nothing was made");
}

/// Right answers, of how many.
type Count = (u64, u64);

/// Where a row is on an axis.
fn place(row: &Value, axis: Axis) -> Value {
    match axis {
        Axis::Parameter(name) => row["params"][name].clone(),
        Axis::Order => row["order"].clone(),
        Axis::Kind => row["kind"].clone(),
        Axis::Board => row["board"].clone(),
        Axis::Scenario => row["scenario"].clone(),
        Axis::Rules => row["rules"].clone(),
        Axis::Class => row["matters"][text(&row["matter"])]["class"].clone(),
    }
}

fn is_counted(figure: &Figure, row: &Value) -> bool {
    let is_first = text(&row["id"]).ends_with("/0");
    figure.boards.contains(&text(&row["board"]))
        && match figure.counted {
            Counted::All => true,
            Counted::FalseBeliefs => is_first && row["false_belief"] == true,
            Counted::States => {
                row["rules"] == "told"
                    && ["belief_in", "emotion", "intention", "action"].contains(&text(&row["kind"]))
            }
            Counted::Changes => row["kind"] == "changed" || row["kind"] == "cause",
        }
}

/// Where a row is in a figure: its line or map, the row of the map, and the place along the axis.
type Spot = (String, String, String);

/// By line and place, what a plain count of rows and responses gives.
fn counted(figure: &Figure, rows: &[Value], answers: &BTreeMap<String, String>) -> BTreeMap<Spot, Count> {
    let mut counts: BTreeMap<Spot, Count> = BTreeMap::new();
    for row in rows.iter().filter(|row| is_counted(figure, row)) {
        let Some(answer) = answers.get(text(&row["id"])) else { continue };
        let [line, down] = [figure.form.each(), figure.form.down()]
            .map(|axis| axis.map_or(Value::Null, |axis| place(row, axis)).to_string());
        let along = place(row, figure.along).to_string();
        let (right, of) = counts.entry((line, down, along)).or_default();
        *right += u64::from(*answer == format!("Answer: {}", text(&row["answer"])));
        *of += 1;
    }
    counts
}

/// Both right, only the first, only the second, neither, of two kinds of questions of the same stories.
fn paired(rows: &[Value], answers: &BTreeMap<String, String>, kinds: [&str; 2]) -> [u64; 4] {
    let mut stories: BTreeMap<&str, [Option<bool>; 2]> = BTreeMap::new();
    for row in rows.iter().filter(|row| row["board"] == "world-model") {
        let story = text(&row["id"]).rsplit_once('/').unwrap().0;
        for (at, _) in kinds.iter().enumerate().filter(|(_, kind)| row["kind"] == **kind) {
            let answer = answers.get(text(&row["id"]));
            stories.entry(story).or_default()[at] =
                answer.map(|answer| *answer == format!("Answer: {}", text(&row["answer"])));
        }
    }
    let count =
        |wanted: [bool; 2]| stories.values().filter(|found| **found == wanted.map(Some)).count() as u64;
    [[true, true], [true, false], [false, true], [false, false]].map(count)
}

fn close(found: &Value, wanted: f64) -> bool {
    (found.as_f64().unwrap() - wanted).abs() < 1e-9
}

/// Of every experiment, every number of every figure, for models that answered all, nothing, or some of it.
#[test]
fn figures_are_a_plain_count() {
    let desk = Desk::new();
    let mut checked = 0;
    for experiment in part(EXPERIMENTS, 1, 2) {
        let name = experiment.name;
        let count = match name {
            // Stories with a hundred questions each.
            "dynamics" | "lives" => "2",
            _ if experiment.cells() > 10 => "6",
            _ => "40",
        };
        desk.study(name, &["--count", count]);
        let rows = desk.rows(name);
        let models = ["random", "order-below", "last-place", "perfect"];
        for who in models {
            desk.done(&["respond", name, "--as", who, "--seed", "3", "--out", &format!("{who}.jsonl")]);
        }
        // A model that has answered four of five rows.
        let some: Vec<Value> = lines(&desk.path("random.jsonl"));
        let some = some.iter().enumerate().filter(|(at, _)| at % 5 > 0).map(|(_, line)| format!("{line}\n"));
        fs::write(desk.path("some.jsonl"), some.collect::<String>()).unwrap();
        let models = [&models[..], &["some"]].concat();
        let files: Vec<String> = models.iter().map(|who| format!("{who}.jsonl")).collect();
        let report = desk.report(name, &files.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(
            (&report["study"]["experiment"], &report["study"]["about"]),
            (&json!(name), &json!(experiment.about))
        );
        let figures = report["study"]["figures"].as_array().unwrap();
        assert_eq!(figures.len(), experiment.figures.len());
        for (drawn, figure) in figures.iter().zip(experiment.figures) {
            assert_eq!(
                (text(&drawn["title"]), text(&drawn["along"])),
                (figure.title, &figure.along.title()[..])
            );
            for (at, who) in models.iter().enumerate() {
                let answers: BTreeMap<String, String> = lines(&desk.path(&files[at]))
                    .iter()
                    .map(|line| (text(&line["id"]).to_owned(), text(&line["response"]).to_owned()))
                    .collect();
                let plain = counted(figure, &rows, &answers);
                assert!(!plain.is_empty(), "{name} {who}");
                let found = &drawn["models"][at];
                assert_eq!(found["model"], *who);
                let cells = drawn_cells(found);
                assert_eq!(cells, plain, "{name} {who}: {}", figure.title);
                checked += cells.len();
                if figure.counted == Counted::FalseBeliefs {
                    // Where the target is, is never the answer to a false belief.
                    assert!(*who != "last-place" || cells.values().all(|(right, _)| *right == 0));
                    assert!(*who != "perfect" || cells.values().all(|(right, of)| right == of));
                }
                checked += differences(figure, found, &rows, &answers, &plain);
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

/// The right answers in each place that a figure draws for a model, and of how many; with the intervals checked.
fn drawn_cells(found: &Value) -> BTreeMap<Spot, Count> {
    let count = |share: &Value| {
        let count = (share["right"].as_u64().unwrap(), share["of"].as_u64().unwrap());
        let (low, high) = wilson(count.0, count.1);
        assert!(close(&share["low"], low) && close(&share["high"], high), "{share}");
        count
    };
    let mut cells = BTreeMap::new();
    let key = |value: &Value| value.to_string();
    let listed = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    for line in listed(found, "lines") {
        for group in listed(&line, "groups") {
            let spot = (key(&line["value"]), "null".to_owned(), key(&group["value"]));
            assert_eq!(cells.insert(spot, count(&group)), None);
        }
    }
    for map in listed(found, "maps") {
        for cell in listed(&map, "cells") {
            let spot = (key(&map["value"]), key(&cell["down"]), key(&cell["along"]));
            assert_eq!(cells.insert(spot, count(&cell)), None);
        }
    }
    cells
}

/// Checks what a model's figure says of differences, and says how many there are.
fn differences(
    figure: &Figure,
    found: &Value,
    rows: &[Value],
    answers: &BTreeMap<String, String>,
    plain: &BTreeMap<Spot, Count>,
) -> usize {
    let none = Vec::new();
    let [within, between] =
        ["within_stories", "between_stories"].map(|key| found[key].as_array().unwrap_or(&none));
    assert_eq!(within.len(), if figure.compared == Compared::WithinStories { 3 } else { 0 });
    assert_eq!(between.len(), if figure.compared == Compared::BetweenStories { 3 } else { 0 });
    for pair in within {
        let cells = paired(rows, answers, [text(&pair["first"]), text(&pair["second"])]);
        let [both, first, second, neither] = cells;
        assert_eq!(
            ["both", "only_first", "only_second", "neither"].map(|key| pair[key].as_u64().unwrap()),
            cells
        );
        assert_eq!(pair["of"], both + first + second + neither);
        assert!(close(&pair["p"], mcnemar(first, second).0), "{pair}");
    }
    for pair in between {
        let of = |key: &str| plain[&("null".to_owned(), "null".to_owned(), pair[key].to_string())];
        let (one, other) = (of("first"), of("second"));
        let (low, high) = newcombe(one, other);
        let difference = one.0 as f64 / one.1 as f64 - other.0 as f64 / other.1 as f64;
        assert!(close(&pair["difference"], difference), "{pair}");
        assert!(close(&pair["low"], low) && close(&pair["high"], high), "{pair}");
    }
    within.len() + between.len()
}

/// A study of heat maps, which is no experiment of the program.
const MAPPED: Experiment = Experiment {
    name: "mapped",
    about: "Do maps show where answers are right?",
    boards: &[],
    figures: &[Figure {
        title: "False beliefs by words and depth",
        boards: &["first-order-mislead", "second-order-mislead"],
        counted: Counted::FalseBeliefs,
        along: Axis::Parameter("words"),
        form: Form::Maps { down: Axis::Parameter("depth"), each: Axis::Order },
        compared: Compared::Nothing,
    }],
};

/// Rows at two orders, with words and depths of our own, but for some of which there is only one of both.
fn mapped_rows(desk: &Desk) -> Vec<Value> {
    let boards = ["first-order-mislead", "second-order-mislead"];
    desk.done(&[&["generate"], &boards[..], &["--count", "60", "--quiet", "--out", "rows.jsonl"]].concat());
    let mut rows = lines(&desk.path("rows.jsonl"));
    for (at, row) in rows.iter_mut().enumerate() {
        let (words, depth) = ([1000, 4000, 16000][at % 3], [0, 25, 50, 75, 100][at / 3 % 5]);
        if at % 7 > 0 {
            row["params"]["words"] = words.into();
        }
        // One cell of the second order stays empty.
        if at % 11 > 0 && (row["order"] != 2 || (words, depth) != (4000, 50)) {
            row["params"]["depth"] = depth.into();
        }
    }
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(desk.path("rows.jsonl"), text).unwrap();
    rows
}

#[test]
fn maps_are_a_plain_count() {
    let desk = Desk::new();
    let rows = mapped_rows(&desk);
    let models = ["random", "perfect"];
    let answers = models.map(|who| {
        let said = desk.done(&["respond", "rows.jsonl", "--as", who]);
        let line = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap();
            (text(&line["id"]).to_owned(), text(&line["response"]).to_owned())
        };
        said.lines().map(line).collect::<BTreeMap<String, String>>()
    });
    static STUDY: Experiment = MAPPED;
    let mut scorer = Scorer::new(models.map(str::to_owned).to_vec()).of(Some(&STUDY));
    for row in &rows {
        let fields = Fields::of(&StoredRow::Line(row.to_string())).unwrap();
        let said = [0, 1].map(|at| Response::new(&answers[at][&fields.id]));
        scorer.add(&fields, &said.each_ref().map(Reply::Said)).unwrap();
    }
    let report = scorer.finish();
    let json = serde_json::to_value(&report).unwrap();
    let figure = &json["study"]["figures"][0];
    assert_eq!(
        (&figure["along"], &figure["down"], &figure["each"]),
        (&json!("words"), &json!("depth"), &json!("order"))
    );
    assert_eq!(figure["lines"], Value::Null);
    let is_whole = |row: &&Value| !row["params"]["words"].is_null() && !row["params"]["depth"].is_null();
    let placed: Vec<Value> = rows.iter().filter(is_whole).cloned().collect();
    assert!(placed.len() < rows.len());
    for (at, who) in models.iter().enumerate() {
        let plain = counted(&MAPPED.figures[0], &placed, &answers[at]);
        assert_eq!(plain.len(), 29, "{who}");
        assert_eq!(drawn_cells(&figure["models"][at]), plain, "{who}");
    }
    let page = storysim::score::page(&report, "rows.jsonl").html();
    let section = page.split(&format!("<h2>{}</h2>", MAPPED.figures[0].title)).nth(1).unwrap();
    let section = section.split("<h2>").next().unwrap();
    assert_eq!((section.matches("<svg width=\"800\"").count(), section.matches("<table>").count()), (4, 4));
    for title in ["random, order 1", "random, order 2", "perfect, order 1", "perfect, order 2"] {
        assert!(section.contains(&format!("<figcaption>{title}. The darker")), "{title}");
    }
    assert_eq!(section.matches("\n-\n").count(), 2, "an empty cell for each model");
    assert!(section.contains("<th>words 16000</th>"));
}

/// The same rows elsewhere are no experiment, and one that is not known here is a warning.
#[test]
fn without_a_manifest_there_is_the_usual_report() {
    let desk = Desk::new();
    desk.study("order", &["--count", "3"]);
    desk.done(&["respond", "order", "--as", "perfect", "--out", "perfect.jsonl"]);
    let with = desk.report("order", &["perfect.jsonl"]);
    let rows: String = desk.rows("order").iter().map(|row| format!("{row}\n")).collect();
    fs::write(desk.path("cut.jsonl"), rows).unwrap();
    let mut without = desk.report("cut.jsonl", &["perfect.jsonl"]);
    assert!(without.get("study").is_none());
    without["study"] = with["study"].clone();
    assert_eq!(without, with, "all else is the same");
    let path = desk.path("order").join("manifest.json");
    let manifest = fs::read_to_string(&path).unwrap();
    fs::write(&path, manifest.replace("\"experiment\": \"order\"", "\"experiment\": \"tomorrow\"")).unwrap();
    let output = desk.run(&["score", "order", "perfect.jsonl", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let wanted =
        "warning: order: this version of storysim has no experiment \"tomorrow\"; its figures are left out\n";
    assert_eq!(stderr(&output), wanted);
    assert!(!String::from_utf8(output.stdout).unwrap().contains("\"study\""));
}

#[test]
fn tables_and_pages_show_the_figures() {
    let desk = Desk::new();
    // Those of every form: lines of several values, one line, bars.
    for experiment in ["characters", "order", "setting", "white-lies", "dynamics"]
        .map(|name| Experiment::named(name).unwrap())
    {
        let name = experiment.name;
        desk.study(name, &["--count", "2"]);
        for who in ["random", "last-place"] {
            desk.done(&["respond", name, "--as", who, "--out", &format!("{who}.jsonl")]);
        }
        let score = ["score", name, "random.jsonl", "last-place.jsonl", "--html", "page.html"];
        let table = desk.done(&score);
        let page = fs::read_to_string(desk.path("page.html")).unwrap();
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        assert!(page.contains(&format!("<h2>The experiment {name}</h2>")), "{name}");
        for figure in experiment.figures {
            assert!(table.contains(&format!("{}\n\n", figure.title)), "{name}: {table}");
            let section = page.split(&format!("<h2>{}</h2>", figure.title)).nth(1).unwrap();
            let section = section.split("<h2>").next().unwrap();
            // A plot a model, or one of all; and the numbers beside each.
            let plots = if figure.form.each().is_some() { 2 } else { 1 };
            assert_eq!(section.matches("<svg width=\"800\"").count(), plots, "{name}");
            let differences = usize::from(figure.compared != Compared::Nothing);
            assert_eq!(section.matches("<table>").count(), plots + differences, "{name}");
        }
        desk.done(&score);
        assert_eq!(fs::read_to_string(desk.path("page.html")).unwrap(), page, "{name}");
    }
    // Where nothing of a figure was answered, that is said.
    desk.done(&["respond", "order", "--as", "random", "--out", "all.jsonl"]);
    let world =
        lines(&desk.path("all.jsonl")).into_iter().filter(|line| text(&line["id"]).starts_with("world"));
    fs::write(desk.path("world.jsonl"), world.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    desk.done(&["score", "order", "world.jsonl", "--html", "page.html"]);
    let page = fs::read_to_string(desk.path("page.html")).unwrap();
    assert_eq!(page.matches("There are no responses to the rows of this figure.").count(), 1);
}
