//! `storysim respond` and `storysim score` from end to end, held against a plain count of the same files.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{PROGRAM, stderr};
use crate::tree::lines;

/// A folder with a dataset in it, and what is done there.
struct Study {
    folder: TempDir,
    dataset: PathBuf,
}

impl Study {
    fn new(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dataset = folder.path().join("rows.jsonl");
        let study = Self { folder, dataset };
        study.done(&[&["generate", "--quiet", "--out", "rows.jsonl"], arguments].concat());
        study
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(self.folder.path()).env("NO_COLOR", "1").env("COLUMNS", "80");
        command.output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn respond(&self, who: &str) -> String {
        let file = format!("{who}.jsonl");
        self.done(&["respond", "rows.jsonl", "--as", who, "--seed", "11", "--out", &file]);
        file
    }

    fn score(&self, responses: &[&str]) -> Value {
        let arguments = [&["score", "rows.jsonl", "--format", "json"], responses].concat();
        serde_json::from_str(&self.done(&arguments)).unwrap()
    }

    fn write(&self, file: &str, lines: &[Value]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(self.folder.path().join(file), text).unwrap();
    }

    fn rows(&self) -> Vec<Value> {
        lines(&self.dataset)
    }

    fn responses(&self, file: &str) -> BTreeMap<String, String> {
        let lines = lines(&self.folder.path().join(file));
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        lines.iter().map(|line| (text(&line["id"]), text(&line["response"]))).collect()
    }
}

/// Of a report's model, right and all of a group.
fn group(model: &Value, by: &str, value: &Value) -> (u64, u64) {
    let groups = model["groups"][by].as_array().unwrap();
    let group = groups.iter().find(|group| group["value"] == *value).unwrap();
    (group["right"].as_u64().unwrap(), group["of"].as_u64().unwrap())
}

/// Of a report's errors, how many are put under a class, and how many equal it.
fn class(errors: &Value, class: &str) -> (u64, u64) {
    let found = errors.as_array().unwrap().iter().find(|error| error["class"] == class);
    found.map_or((0, 0), |error| (error["count"].as_u64().unwrap(), error["equals"].as_u64().unwrap()))
}

/// How many of the rows satisfy this.
fn count(rows: &[Value], is_so: impl Fn(&Value) -> bool) -> u64 {
    rows.iter().filter(|row| is_so(row)).count() as u64
}

#[test]
fn shortcuts_score_what_is_known_of_them() {
    let study = Study::new(&["first-order-mislead", "--count", "300", "--seed", "7"]);
    let rows = study.rows();
    let is_belief = |row: &Value| row["kind"] == "belief";
    let files = ["perfect", "last-place", "refuser", "order-below", "first-common", "random"]
        .map(|who| study.respond(who));
    let report = study.score(&files.each_ref().map(String::as_str));
    assert_eq!(report["rows"], 600);
    let [perfect, last, refuser, below, common, random] = [0, 1, 2, 3, 4, 5].map(|at| &report["models"][at]);

    assert_eq!((&perfect["model"], &perfect["overall"]["right"]), (&json!("perfect"), &json!(600)));
    assert_eq!((&perfect["errors"], &perfect["overall"]["high"]), (&json!([]), &json!(1.0)));
    assert_eq!(perfect["consistency"]["all_right"], 300);

    // Reality is the last place; the belief never is.
    for model in [last, below] {
        assert_eq!(group(model, "kind", &json!("reality")), (300, 300));
        assert_eq!(group(model, "kind", &json!("belief")), (0, 300));
        assert_eq!(class(&model["errors"], "last_place"), (300, 300));
        assert_eq!(class(&model["errors"], "lower_order"), (0, 300));
        assert_eq!(model["consistency"]["wrong_on_right"], 300);
    }
    assert_eq!(refuser["overall"]["right"], 0);
    assert_eq!(class(&refuser["errors"], "refusal"), (600, 600));
    assert_eq!(refuser["consistency"]["all_wrong"], 300);

    let is_common = |row: &Value| is_belief(row) && row["answer"] == row["foils"]["first_common_place"];
    assert_eq!(group(common, "kind", &json!("belief")), (count(&rows, is_common), 300));
    assert_eq!(class(&common["errors"], "first_common_place").1, 300 - count(&rows, is_common));
    assert_eq!(class(&common["errors"], "no_answer"), (300, 300), "reality has no first common place");

    let guesses = study.responses("random.jsonl");
    let is_right = |row: &Value| {
        guesses[row["id"].as_str().unwrap()] == format!("Answer: {}", row["answer"].as_str().unwrap())
    };
    let right = count(&rows, is_right);
    assert_eq!(random["overall"]["right"], right);
    // 100 of 600, with a standard deviation of 9.
    assert!((60..140).contains(&right), "{right}");
    assert_eq!(random["overall"]["chance"], 0.166666667);
    assert_eq!(random["rules"], json!({"cue": 600}));

    let pairs = report["pairs"].as_array().unwrap();
    let pair = pairs.iter().find(|pair| pair["first"] == "last-place" && pair["second"] == "random").unwrap();
    let only_last = count(&rows, |row| !is_belief(row) && !is_right(row));
    let only_random = count(&rows, |row| is_belief(row) && is_right(row));
    assert_eq!((&pair["only_first"], &pair["only_second"]), (&json!(only_last), &json!(only_random)));
    assert_eq!(pairs.len(), 15);
}

/// How many people there are no row says: where that varies, a parameter does.
#[test]
fn people_are_counted_by_the_parameter_that_says_how_many() {
    let set =
        ["many-characters", "--count", "20", "--set", "characters=3..5..2", "--set", "mislead_distance=5"];
    let study = Study::new(&set);
    study.done(&["respond", "rows.jsonl", "--as", "last-place", "--out", "last.jsonl"]);
    let report: Value =
        serde_json::from_str(&study.done(&["score", "rows.jsonl", "last.jsonl", "--format", "json"]))
            .unwrap();
    let groups = &report["models"][0]["groups"];
    let values: Vec<&Value> =
        groups["params.characters"].as_array().unwrap().iter().map(|group| &group["value"]).collect();
    assert_eq!(values, [3, 5]);
    assert_eq!(groups.get("characters"), None);
}

/// The groups of rows with matters are those that a plain count of their fields gives.
#[test]
fn matters_and_formats_are_groups() {
    let study = Study::new(&["white-lies", "sally-anne", "--count", "60", "--seed", "4"]);
    let rows = study.rows();
    let file = study.respond("random");
    let (report, said) = (study.score(&[&file]), study.responses(&file));
    let is_right = |row: &Value| {
        said[row["id"].as_str().unwrap()] == format!("Answer: {}", row["answer"].as_str().unwrap())
    };
    let matter = |row: &Value, part: &str| row["matters"][row["matter"].as_str().unwrap_or("")][part].clone();
    let role = |row: &Value| row["roles"][row["chain"][0].as_str().unwrap_or("")].clone();
    let format = |row: &Value| {
        let is_list =
            ["who_knows", "present", "could_lie", "sees_through"].contains(&row["kind"].as_str().unwrap());
        let choices = row["choices"].as_array().unwrap();
        let is_verdict =
            choices.iter().all(|choice| ["yes", "no", "unknown"].contains(&choice.as_str().unwrap()));
        json!(if is_verdict {
            "yes_no"
        } else if is_list {
            "list"
        } else {
            "choice"
        })
    };
    let by = |key: &str, row: &Value| match key {
        "role" => role(row),
        "format" => format(row),
        part => matter(row, part),
    };
    for (key, values) in [
        ("level", vec![json!(1), json!(2), json!(3)]),
        (
            "class",
            ["evasion", "wonder", "comfort", "confidence", "mistake"].map(|class| json!(class)).to_vec(),
        ),
        ("lie", vec![json!(true), json!(false)]),
        ("role", ["accomplice", "observer", "outsider", "target"].map(|role| json!(role)).to_vec()),
        ("format", ["choice", "list", "yes_no"].map(|format| json!(format)).to_vec()),
    ] {
        let found = report["models"][0]["groups"][key].as_array().unwrap();
        assert_eq!(found.len(), values.len(), "{found:?}");
        for value in values {
            let of = count(&rows, |row| by(key, row) == value);
            let right = count(&rows, |row| by(key, row) == value && is_right(row));
            assert!(of > 20, "{key} {value}: {of}");
            assert_eq!(group(&report["models"][0], key, &value), (right, of), "{key} {value}");
        }
    }
    let text = study.done(&["score", "rows.jsonl", &file, "--html", "page.html"]);
    let page = fs::read_to_string(study.folder.path().join("page.html")).unwrap();
    for key in ["level", "class", "lie", "role", "format"] {
        assert_eq!(text.matches(&format!("\n {key} ")).count(), 1, "{key}: {text}");
        assert_eq!(page.matches(&format!("<h2>By {key}</h2>")).count(), 1, "{key}");
    }
}

/// A triplet is right if all three are; who looks at the target alone says the same to the story and its first twin.
#[test]
fn triplets_are_a_plain_count() {
    let study = Study::new(&["free-play", "--count", "100", "--twins=triplets", "--seed", "3"]);
    let rows: BTreeMap<String, Value> =
        study.rows().into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect();
    let trio = |row: &Value| -> Option<Vec<Value>> {
        let ids = row["triplet"].as_array().unwrap().iter();
        ids.map(|id| rows.get(id.as_str().unwrap()).cloned()).collect()
    };
    let stories = rows.values().filter(|row| row["id"] == row["triplet"][0]);
    let trios: Vec<Vec<Value>> = stories
        .filter_map(trio)
        .filter(|trio| trio[1..].iter().all(|twin| twin["answer"] != trio[0]["answer"]))
        .collect();
    assert!(trios.len() >= 100, "{}", trios.len());
    let files = ["perfect", "last-place", "refuser", "random"].map(|who| study.respond(who));
    let report = study.score(&files.each_ref().map(String::as_str));
    for (at, file) in files.iter().enumerate() {
        let said = study.responses(file);
        let said_to = |row: &Value| said[row["id"].as_str().unwrap()].clone();
        let is_right = |row: &&Value| said_to(row) == format!("Answer: {}", row["answer"].as_str().unwrap());
        let of = |number: usize| {
            trios.iter().filter(|trio| trio.iter().filter(is_right).count() == number).count()
        };
        let same = |twin: usize| {
            let is_same = |trio: &&Vec<Value>| {
                let [one, other] = [0, twin].map(|which| said_to(&trio[which]));
                one.starts_with("Answer: ") && one == other
            };
            trios.iter().filter(is_same).count()
        };
        let found = &report["models"][at]["triplets"];
        for (key, count) in [
            ("of", trios.len()),
            ("right", of(3)),
            ("two", of(2)),
            ("one", of(1)),
            ("none", of(0)),
            ("same_as_first_twin", same(1)),
            ("same_as_second_twin", same(2)),
        ] {
            assert_eq!(found[key], json!(count), "{file}: {key}");
        }
        assert!(report["models"][at]["twins"]["of"].as_u64().unwrap() >= 100);
    }
    let of = |at: usize, key: &str| report["models"][at]["triplets"][key].clone();
    assert_eq!(
        (of(0, "accuracy"), of(1, "accuracy"), of(2, "none")),
        (json!(1.0), json!(0.0), json!(trios.len()))
    );
    let text = study.done(&["score", "rows.jsonl", &files[0], "--html", "page.html"]);
    assert!(text.contains("all three right"), "{text}");
    let page = fs::read_to_string(study.folder.path().join("page.html")).unwrap();
    assert!(page.contains("triplet accuracy"));
}

/// A pair is right if both are, and who looks at the target alone says the same to both.
#[test]
fn pairs_of_twins_are_a_plain_count() {
    let study = Study::new(&["first-order-calibrated", "--count", "300", "--twins", "--seed", "3"]);
    let rows: BTreeMap<String, Value> =
        study.rows().into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect();
    let twin = |row: &Value| rows[row["twin"].as_str().unwrap()].clone();
    let pairs: Vec<[Value; 2]> = rows
        .values()
        .filter(|row| row["id"].as_str() < row["twin"].as_str() && row["answer"] != twin(row)["answer"])
        .map(|row| [row.clone(), twin(row)])
        .collect();
    assert!(pairs.len() >= 300, "{}", pairs.len());

    // The last model says nothing to every third row, so that most pairs are none of its own.
    let files = ["perfect", "last-place", "refuser", "random"].map(|who| study.respond(who));
    let some: Vec<Value> = lines(&study.folder.path().join("random.jsonl"))
        .into_iter()
        .enumerate()
        .filter_map(|(at, line)| (at % 3 != 0).then_some(line))
        .collect();
    study.write("random.jsonl", &some);
    let report = study.score(&files.each_ref().map(String::as_str));
    for (at, file) in files.iter().enumerate() {
        let said = study.responses(file);
        let is_right = |row: &Value| -> Option<bool> {
            let said = said.get(row["id"].as_str().unwrap())?;
            Some(*said == format!("Answer: {}", row["answer"].as_str().unwrap()))
        };
        let right: Vec<[bool; 2]> =
            pairs.iter().filter_map(|[one, other]| Some([is_right(one)?, is_right(other)?])).collect();
        let of = |number: usize| {
            right.iter().filter(|right| right.iter().filter(|&&right| right).count() == number).count()
        };
        let same = pairs.iter().filter(|[one, other]| {
            let both = [one, other].map(|row| said.get(row["id"].as_str().unwrap()));
            both[0].is_some_and(|said| said.starts_with("Answer: ")) && both[0] == both[1]
        });
        let found = &report["models"][at]["twins"];
        for (key, count) in [
            ("of", right.len()),
            ("right", of(2)),
            ("one", of(1)),
            ("neither", of(0)),
            ("same", same.count()),
        ] {
            assert_eq!(found[key], json!(count), "{file}: {key}");
        }
    }
    let share = |at: usize| &report["models"][at]["twins"];
    assert_eq!((&share(0)["accuracy"], &share(0)["same"]), (&json!(1.0), &json!(0)));
    assert_eq!((&share(1)["accuracy"], &share(1)["same"]), (&json!(0.0), &json!(pairs.len())));
    assert_eq!(share(2)["neither"], json!(pairs.len()));
    assert_eq!(share(3)["chance"], json!(0.0625), "a choice of four, twice");
    let text = study.done(&["score", "rows.jsonl", &files[0], &files[1], "--html", "page.html"]);
    assert!(text.contains("same answer twice"), "{text}");
    let page = fs::read_to_string(study.folder.path().join("page.html")).unwrap();
    assert!(page.contains("pair accuracy"));

    let plain = Study::new(&["first-order-mislead", "--count", "5"]);
    assert_eq!(plain.score(&[&plain.respond("perfect")])["models"][0].get("twins"), None);
}

/// Everything that is grouped, by a plain count of rows and responses.
#[test]
fn groups_and_errors_are_a_plain_count() {
    let boards =
        ["second-order-mislead", "five-events", "sally-anne", "hitom-like", "rumour", "gallery", "tomi-like"];
    let study = Study::new(&[&boards[..], &["--count", "40", "--seed", "5"]].concat());
    let file = study.respond("random");
    let (rows, guesses) = (study.rows(), study.responses(&file));
    let report = study.score(&[&file]);
    let model = &report["models"][0];
    assert_eq!(report["rows"], rows.len());
    let guess = |row: &Value| json!(guesses[row["id"].as_str().unwrap()].strip_prefix("Answer: ").unwrap());
    let is_right = |row: &Value| guess(row) == row["answer"];
    let mut checked = 0;
    for by in ["board", "kind", "order", "false_belief", "mislead_distance"] {
        let mut plain: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for row in rows.iter().filter(|row| !row[by].is_null()) {
            let (right, of) = plain.entry(row[by].to_string()).or_default();
            *right += u64::from(is_right(row));
            *of += 1;
        }
        let groups = model["groups"][by].as_array().unwrap();
        assert_eq!(groups.len(), plain.len(), "{by}");
        for group in groups {
            let wanted = plain[&group["value"].to_string()];
            assert_eq!((group["right"].as_u64().unwrap(), group["of"].as_u64().unwrap()), wanted, "{by}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
    let foils = [
        "last_place",
        "lower_order",
        "first_common_place",
        "last_common_place",
        "second_last_place",
        "own_place",
    ];
    for foil in foils {
        let equal = count(&rows, |row| !is_right(row) && row["foils"][foil] == guess(row));
        assert_eq!(class(&model["errors"], foil).1, equal, "{foil}");
        assert!(equal > 0, "{foil}");
    }
    // The first that it equals, in that order.
    let first = |row: &Value| foils.into_iter().find(|foil| row["foils"][foil] == guess(row));
    for foil in foils {
        let put = count(&rows, |row| !is_right(row) && first(row) == Some(foil));
        assert_eq!(class(&model["errors"], foil).0, put, "{foil}");
    }
    let wrong = count(&rows, |row| !is_right(row));
    let put: u64 =
        model["errors"].as_array().unwrap().iter().map(|error| error["count"].as_u64().unwrap()).sum();
    assert_eq!(put, wrong, "every error is under one class");
    assert!(class(&model["errors"], "unmentioned_place").1 > 0 && class(&model["errors"], "start").1 > 0);
    // Nobody has right by chance what the perfect one has wrong.
    let perfect = study.respond("perfect");
    assert_eq!(study.score(&[&perfect])["models"][0]["overall"]["right"], rows.len());
}

#[test]
fn one_order_too_low_is_told() {
    let study = Study::new(&["second-order-mislead", "--count", "100"]);
    let rows = study.rows();
    let below = study.respond("order-below");
    let report = study.score(&[&below]);
    let model = &report["models"][0];
    let second = |row: &Value| row["order"] == 2;
    let right = count(&rows, |row| second(row) && row["answer"] == row["foils"]["lower_order"]);
    let of = count(&rows, second);
    assert_eq!(group(model, "order", &json!(2)), (right, of));
    let errors = model["errors_by_question"].as_array().unwrap();
    let errors = errors.iter().find(|errors| errors["order"] == 2).unwrap();
    assert_eq!(class(&errors["classes"], "lower_order").1, of - right);
    assert!(of - right > 0);
}

#[test]
fn a_sweep_is_found_without_being_told() {
    let study = Study::new(&["hitom-like", "--count", "20", "--set", "chapters=1..3..1"]);
    let file = study.respond("last-place");
    let report = study.score(&[&file]);
    let groups = report["models"][0]["groups"]["params.chapters"].as_array().unwrap();
    let of = |chapters: u64| count(&study.rows(), |row| row["params"]["chapters"] == chapters);
    let found: Vec<u64> = groups.iter().map(|group| group["of"].as_u64().unwrap()).collect();
    assert_eq!(found, [of(1), of(2), of(3)]);
    let page = study.folder.path().join("page.html");
    study.done(&["score", "rows.jsonl", &file, "--html", "page.html"]);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<h2>By chapters</h2>") && page.matches("<svg").count() >= 4);
}

/// Every form, of the same responses, gives the same report; so do packed files, and datasets in other forms.
#[test]
fn forms_make_no_difference() {
    let study = Study::new(&["five-events", "--count", "50"]);
    study.respond("random");
    let responses = study.responses("random.jsonl");
    let plain = study.score(&["m=random.jsonl"]);
    let harness = responses.iter().flat_map(|(id, text)| {
        let line = |filter: &str| {
            json!({"doc_id": 1, "doc": {"id": id, "story": "…"}, "resps": [[text]], "filtered_resps": ["?"], "filter": filter})
        };
        [line("none"), line("strict-match")]
    });
    study.write("samples_storysim_2026.jsonl", &harness.collect::<Vec<_>>());
    assert_eq!(study.score(&["m=samples_storysim_2026.jsonl"]), plain);
    let batch = responses.iter().map(|(id, text)| {
        let message = json!({"role": "assistant", "content": text, "refusal": null});
        let body = json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]});
        json!({"id": "batch_req_1", "custom_id": id, "response": {"status_code": 200, "body": body}, "error": null})
    });
    study.write("batch.jsonl", &batch.collect::<Vec<_>>());
    assert_eq!(study.score(&["m=batch.jsonl"]), plain);
    study.done(&["respond", "rows.jsonl", "--as", "random", "--seed", "11", "--out", "random.jsonl.zst"]);
    assert_eq!(study.score(&["m=random.jsonl.zst"]), plain);
    let mut forms = vec!["rows.jsonl.gz", "folder"];
    if cfg!(feature = "parquet") {
        forms.push("rows.parquet");
    }
    for form in forms {
        study.done(&["generate", "five-events", "--count", "50", "--quiet", "--out", form]);
        let text = study.done(&["score", form, "m=random.jsonl", "--format", "json"]);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), plain, "{form}");
        let answers = study.done(&["respond", form, "--as", "random", "--seed", "11"]);
        assert_eq!(answers, fs::read_to_string(study.folder.path().join("random.jsonl")).unwrap(), "{form}");
    }
}

#[test]
fn how_responses_end_is_counted() {
    let study = Study::new(&["first-order-mislead", "--count", "4"]);
    let ids: Vec<String> = study.rows().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect();
    let batch =
        |id: &str, choice: Value| json!({"custom_id": id, "response": {"body": {"choices": [choice]}}});
    study.write(
        "ends.jsonl",
        &[
            batch(
                &ids[0],
                json!({"finish_reason": "length", "message": {"content": "He goes to room_1, then"}}),
            ),
            batch(&ids[1], json!({"finish_reason": "stop", "message": {"content": null, "refusal": "No."}})),
            batch(&ids[2], json!({"finish_reason": "stop", "message": {"content": ""}})),
            batch(&ids[3], json!({"finish_reason": "stop", "message": {"content": "Answer: the moon"}})),
            json!({"custom_id": ids[4], "response": null, "error": {"code": "batch_expired"}}),
        ],
    );
    let output = study.run(&["score", "rows.jsonl", "ends.jsonl", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let wanted =
        "warning: ends: no response to 4 of 8 rows (1 failed request); what has no response is not counted\n";
    assert_eq!(stderr(&output), wanted);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let model = &report["models"][0];
    for wanted in ["cut_off", "refusal", "no_answer", "not_a_choice"] {
        assert_eq!(class(&model["errors"], wanted), (1, 1), "{wanted}");
    }
    assert_eq!((&model["overall"]["of"], &model["failed"]), (&json!(4), &json!(1)));
}

#[test]
fn what_is_wrong_is_told_all_at_once() {
    let study = Study::new(&["first-order-mislead", "--count", "2"]);
    let id = study.rows()[0]["id"].as_str().unwrap().to_owned();
    let refused = |arguments: &[&str], code: i32, wanted: &[&str]| {
        let output = study.run(&[&["score"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
        for wanted in wanted {
            assert!(stderr(&output).contains(wanted), "{wanted}: {}", stderr(&output));
        }
    };
    let line = |id: &str, text: &str| json!({"id": id, "response": text});
    fs::write(
        study.folder.path().join("bad.jsonl"),
        format!("{}\nroom_5\n\n{}\n{{}}\n", line(&id, "a"), line(&id, "b")),
    )
    .unwrap();
    let second =
        format!("error: bad.jsonl:4: a second response to \"{id}\", different from the one in line 1\n");
    refused(
        &["rows.jsonl", "bad.jsonl"],
        1,
        &["bad.jsonl:2: this is not JSON", &second, "bad.jsonl:5: this is not"],
    );
    // Of many the first are shown.
    study.write("strange.jsonl", &(0..30).map(|at| line(&format!("x/{at}"), "a")).collect::<Vec<_>>());
    let first = "strange.jsonl:1: the dataset has no row with the id \"x/0\"";
    refused(&["rows.jsonl", "strange.jsonl"], 1, &[first, "strange.jsonl:20:", "… and 10 more", "--lenient"]);
    let output = study.run(&["score", "rows.jsonl", "strange.jsonl", "--lenient"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stderr(&output)
            .contains("warning: strange: skipped 30 responses to rows that are not in the dataset")
    );
    // Datasets.
    study.write("good.jsonl", &[line(&id, "a")]);
    fs::write(study.folder.path().join("bytes.jsonl"), b"\xff\xfe\n").unwrap();
    refused(&["rows.jsonl", "bytes.jsonl"], 1, &["bytes.jsonl:1: this is not UTF-8"]);
    let row = &study.rows()[0];
    let mut unanswerable = row.clone();
    unanswerable["answer"] = json!("nowhere");
    study.write("twice.jsonl", &[row.clone(), row.clone(), json!({"id": 7})]);
    study.write("wrong.jsonl", &[unanswerable]);
    refused(
        &["twice.jsonl", "good.jsonl"],
        1,
        &["twice.jsonl:2: the dataset has two rows", "twice.jsonl:3: this is not a row"],
    );
    refused(
        &["wrong.jsonl", "good.jsonl"],
        1,
        &["wrong.jsonl:1: the answer of this row, \"nowhere\", is not among its choices"],
    );
    // A file that breaks off, bytes that are no text, a list in the place of a row.
    study.done(&["generate", "first-order-mislead", "--count", "40", "--quiet", "--out", "cut.jsonl.gz"]);
    let cut = study.folder.path().join("cut.jsonl.gz");
    fs::write(&cut, &fs::read(&cut).unwrap()[..3000]).unwrap();
    refused(&["cut.jsonl.gz", "good.jsonl"], 1, &["cut.jsonl.gz:"]);
    fs::write(study.folder.path().join("no-rows.jsonl"), b"[\"a\",\"b\"]\n\xff\xfe\n").unwrap();
    let wanted = ["no-rows.jsonl:1: this is not a row: it is not a JSON object", "no-rows.jsonl:2: "];
    refused(&["no-rows.jsonl", "good.jsonl"], 1, &wanted);
    refused(&["rows.jsonl", "missing.jsonl"], 3, &["reading missing.jsonl"]);
    refused(&["missing.jsonl", "good.jsonl"], 3, &["reading missing.jsonl"]);
    refused(&["rows.jsonl", "good.jsonl", "good.jsonl"], 2, &["two models have the same name"]);
    refused(&["rows.jsonl", "good.jsonl", "--html", "no/where.html"], 3, &["no/where.html"]);
    refused(&["rows.jsonl", "good.jsonl", "--html", "./good.jsonl"], 2, &["good.jsonl is an input file"]);
    let output = study.run(&["respond", "rows.jsonl", "--as", "perfect", "--out", "rows.jsonl"]);
    assert_eq!((output.status.code(), study.rows().len()), (Some(2), 4));
    let marked = format!("\u{feff}{row}\n");
    fs::write(study.folder.path().join("marked.jsonl"), marked).unwrap();
    assert!(study.done(&["respond", "marked.jsonl", "--as", "perfect"]).contains(&id));
    let output = study.run(&["respond", "rows.jsonl", "--as", "oracle"]);
    assert_eq!(output.status.code(), Some(2));
    let output = study.run(&["respond", "rows.jsonl", "--as", "perfect", "--out", "folder"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn tables_fit_the_terminal_and_bytes_repeat() {
    let study = Study::new(&["second-order-mislead", "--count", "60", "--set", "mislead_distance=5..40..5"]);
    let files = ["perfect", "last-place", "first-common", "random"].map(|who| study.respond(who));
    let arguments = [&["score", "rows.jsonl"], &files.each_ref().map(String::as_str)[..]].concat();
    let text = study.done(&arguments);
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for wanted in ["target's last place", "mislead distance", "within a story", "100.0% (99.", "<0.0001"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let page = |name: &str| {
        study.done(&[&arguments[..], &["--html", name]].concat());
        fs::read_to_string(study.folder.path().join(name)).unwrap()
    };
    assert_eq!(page("one.html"), page("two.html"));
    let page = page("one.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("@media print"));
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"), "nothing comes from elsewhere");
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

#[test]
fn the_label_is_that_of_the_answer() {
    let study = Study::new(&["first-order-mislead", "--count", "2"]);
    let (perfect, row) = (study.respond("perfect"), study.rows()[0].clone());
    let with_label = |label: Value| {
        let mut row = row.clone();
        row["label"] = label;
        study.write("labelled.jsonl", &[row]);
        study.run(&["score", "labelled.jsonl", &perfect, "--lenient"])
    };
    let another = (row["label"].as_u64().unwrap() + 1) % 6;
    for (label, wanted) in [
        (77, "labelled.jsonl:1: the label of this row is 77, but it has 6 choices, from 0".to_owned()),
        (another, format!("labelled.jsonl:1: the label of this row is {another}, which is ")),
    ] {
        let output = with_label(label.into());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        assert!(stderr(&output).contains(&wanted), "{}", stderr(&output));
    }
    assert_eq!(with_label(row["label"].clone()).status.code(), Some(0));
    // Rows from elsewhere may have none: the answer says which choice is right.
    let mut unlabelled = row.clone();
    unlabelled.as_object_mut().unwrap().remove("label");
    study.write("unlabelled.jsonl", &[unlabelled]);
    study.done(&["score", "unlabelled.jsonl", &perfect, "--lenient"]);
}

/// How many linked questions there are of every case: of all, and by what they have in common; and how many would be fully correct
/// if errors did not go together.
fn linked_cases(
    rows: &BTreeMap<String, Value>,
    said: &BTreeMap<String, String>,
) -> (BTreeMap<String, [u64; 4]>, f64) {
    let is_right = |row: &Value| -> Option<bool> {
        Some(*said.get(row["id"].as_str()?)? == format!("Answer: {}", row["answer"].as_str()?))
    };
    let sort = |row: &Value| (row["kind"].to_string(), row["state"].to_string());
    let accuracy = |wanted: &Value| {
        let of: Vec<bool> =
            rows.values().filter(|row| sort(row) == sort(wanted)).filter_map(is_right).collect();
        of.iter().filter(|&&is_right| is_right).count() as f64 / of.len() as f64
    };
    let mut accuracies: BTreeMap<(String, String), f64> = BTreeMap::new();
    for row in rows.values() {
        accuracies.entry(sort(row)).or_insert_with(|| accuracy(row));
    }
    let mut cases: BTreeMap<String, [u64; 4]> = BTreeMap::new();
    let (mut of, mut independent) = (0.0, 0.0);
    for row in rows.values() {
        let Some(linked) = row["linked"].as_array() else { continue };
        let linked: Vec<&Value> = linked.iter().map(|id| &rows[id.as_str().unwrap()]).collect();
        let premises: Option<Vec<bool>> = linked.iter().map(|row| is_right(row)).collect();
        let (Some(own), Some(premises)) = (is_right(row), premises) else { continue };
        let case = match (own, premises.contains(&false)) {
            (true, false) => 0,
            (false, false) => 1,
            (true, true) => 2,
            (false, true) => 3,
        };
        cases.entry("all".to_owned()).or_default()[case] += 1;
        cases.entry(format!("kind {}", row["kind"])).or_default()[case] += 1;
        cases.entry(format!("state {}", row["state"])).or_default()[case] += 1;
        if ["changed", "cause"].contains(&row["kind"].as_str().unwrap()) {
            cases.entry(format!("span {}", row["scenario"])).or_default()[case] += 1;
        }
        of += 1.0;
        independent += linked.iter().fold(accuracies[&sort(row)], |p, row| p * accuracies[&sort(row)]);
    }
    (cases, independent / of)
}

/// Of linked questions there are as many of every case as a plain count finds; and what independent errors would give is what the
/// accuracies multiply to.
#[test]
fn linked_questions_are_a_plain_count() {
    let study = Study::new(&["dynamic-minds", "--count", "30", "--seed", "5", "--set", "n=4"]);
    let rows: BTreeMap<String, Value> =
        study.rows().into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect();
    let files = ["perfect", "refuser", "random"].map(|who| study.respond(who));
    // The last model is right about all but the last scenario, and says nothing to every seventh row.
    let mixed: Vec<Value> = rows
        .values()
        .enumerate()
        .filter(|(at, _)| at % 7 != 0)
        .map(|(at, row)| {
            let is_right = row["scenario"] != 4 || at % 3 == 0;
            let said =
                if is_right { format!("Answer: {}", row["answer"].as_str().unwrap()) } else { "?".into() };
            json!({"id": row["id"], "response": said})
        })
        .collect();
    study.write("mixed.jsonl", &mixed);
    let files = [&files[0], &files[1], &files[2], "mixed.jsonl"];
    let report = study.score(&files);
    for (at, file) in files.iter().enumerate() {
        let said = study.responses(file);
        let (cases, independent) = linked_cases(&rows, &said);
        let found = &report["models"][at]["linked"];
        let counts = |found: &Value| {
            ["fully_correct", "local_error", "restoration", "full_error"]
                .map(|case| found[case]["count"].as_u64().unwrap())
        };
        assert_eq!(counts(found), cases["all"], "{file}");
        assert_eq!(found["of"], json!(cases["all"].iter().sum::<u64>()));
        let expected = found["fully_correct"]["independent"].as_f64().unwrap();
        assert!((expected - independent).abs() < 1e-6, "{file}: {expected}, {independent}");
        let mut groups = 0;
        for by in ["kind", "state", "span"] {
            for group in found[by].as_array().unwrap() {
                assert_eq!(counts(group), cases[&format!("{by} {}", group["value"])], "{file} {by}");
                groups += 1;
            }
        }
        assert_eq!((groups, cases.len()), (4 + 4 + 3, 4 + 4 + 3 + 1), "{file}");
        assert_eq!(found["scenarios"][0]["value"], 4);
    }
    let of = |at: usize, case: &str| report["models"][at]["linked"][case]["share"].clone();
    assert_eq!((of(0, "fully_correct"), of(1, "full_error")), (json!(1.0), json!(1.0)));
    assert!(of(3, "local_error").as_f64() > Some(0.0) && of(3, "restoration").as_f64() > Some(0.0));
    let text = study.done(&["score", "rows.jsonl", files[2], files[3], "--html", "page.html"]);
    assert!(text.contains("\n linked questions ") && text.contains("fully correct by state"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let page = fs::read_to_string(study.folder.path().join("page.html")).unwrap();
    assert!(page.contains("<h2>Linked questions</h2>"));

    let plain = Study::new(&["first-order-mislead", "--count", "5"]);
    assert_eq!(plain.score(&[&plain.respond("perfect")])["models"][0].get("linked"), None);
}
