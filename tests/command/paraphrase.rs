//! `storysim paraphrase`: from rows to requests, and from a model's answers to rows.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{run, stderr, stdout};

/// A folder with files of rows.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// Generates rows.
    fn rows(&self, name: &str, arguments: &[&str]) -> String {
        let path = self.path(name);
        done(&[&["generate", "--quiet", "--out", &path], arguments].concat());
        path
    }

    /// What a command says, without the path of this folder.
    fn said(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = run(arguments);
        let folder = format!("{}/", self.0.path().display());
        (output.status.code(), stderr(&output).replace(&folder, ""))
    }
}

/// What a command prints that has to succeed.
fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output).to_owned()
}

fn parsed(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_file(path: impl AsRef<Path>) -> Vec<Value> {
    parsed(&fs::read_to_string(path).unwrap())
}

/// The numbered sentences of a request.
fn numbered(request: &Value) -> Vec<(String, String)> {
    let text = request["body"]["messages"][0]["content"].as_str().unwrap();
    let sentences = text.lines().filter_map(|line| line.split_once(". "));
    let numbered = sentences.filter(|(number, _)| number.chars().all(|c| c.is_ascii_digit()));
    numbered.map(|(number, sentence)| (number.to_owned(), sentence.to_owned())).collect()
}

/// A sentence in other words, if this model has any.
fn other_words(sentence: &str) -> String {
    let verbs = [
        (" enters ", " walks into "),
        (" goes to ", " makes her way to "),
        (" moves ", " shifts "),
        (" throws ", " tosses "),
    ];
    let found = verbs.iter().find(|(plain, _)| sentence.contains(plain));
    found.map_or_else(|| sentence.to_owned(), |(plain, other)| sentence.replacen(plain, other, 1))
}

/// The responses of a model that says `word` for each sentence, as the output of a batch.
fn responses(requests: &str, word: impl Fn(&str, &str, &str) -> String) -> String {
    let mut lines: Vec<String> = parsed(requests)
        .iter()
        .map(|request| {
            let id = request["custom_id"].as_str().unwrap();
            let texts = numbered(request).into_iter().map(|(number, plain)| {
                let text = word(id, &number, &plain);
                (number, Value::from(text))
            });
            let content = Value::Object(texts.collect()).to_string();
            let body = json!({"choices": [{"finish_reason": "stop", "message": {"content": content}}]});
            json!({"custom_id": id, "response": {"status_code": 200, "body": body}, "error": null})
                .to_string()
        })
        .collect();
    lines.reverse(); // they come in any order
    lines.join("\n") + "\n"
}

#[test]
fn rows_are_told_in_the_words_of_a_model() {
    let desk = Desk::new();
    for (arguments, shape) in [
        (&["sally-anne", "--count", "3", "--with-events"][..], "questions"),
        (&["hidden-ball", "--count", "3", "--with-events", "--prompt", "plain"], "questions"),
        (&["hidden-ball", "--count", "3", "--prompt", "shots:2"], "stories"),
        (&["world-model", "--count", "2"], "stories"),
        (&["dynamic-minds", "--count", "1"], "questions"),
        (&["five-events", "--count", "3", "--twins"], "questions"),
        (&["first-order-mislead", "--setting", "ship", "--count", "1"], "questions"),
    ] {
        let rows = desk.rows("rows.jsonl", &[arguments, &["--shape", shape]].concat());
        let requests =
            done(&["paraphrase", "ask", &rows, "--model", "gpt-x", "--body", "{\"temperature\":1}"]);
        let first = &parsed(&requests)[0];
        assert_eq!((&first["body"]["model"], &first["body"]["temperature"]), (&"gpt-x".into(), &1.into()));
        let model = desk.write("m.jsonl", &responses(&requests, |_, _, plain| other_words(plain)));
        let told = desk.path("told.jsonl");
        let (code, said) =
            desk.said(&["paraphrase", "take", &rows, &format!("gpt-x={model}"), "--out", &told]);
        assert_eq!(code, Some(0), "{said}");
        let count = parsed(&requests).iter().map(|request| numbered(request).len()).sum::<usize>();
        assert!(said.contains(&format!("{count} of {count} sentences taken (100.0%)")), "{said}");
        let (plain, told) = (of_file(&rows), of_file(&told));
        assert_eq!(plain.len(), told.len());
        for (plain, told) in plain.iter().zip(told) {
            is_retold(plain, told);
        }
    }
}

/// A row tells the same in other words, and nothing else of it has changed.
fn is_retold(plain: &Value, mut told: Value) {
    if plain["kind"] == "world_things" || plain["questions"][0]["kind"] == "world_things" {
        assert_eq!((told["worded_by"].take(), told["reworded"].take()), (Value::Null, 0.into()));
        assert_eq!(plain["story"], told["story"]);
        return;
    }
    assert_eq!(told["worded_by"], "gpt-x");
    assert!(told["reworded"].as_u64().unwrap() > 0);
    let story = told["story"].as_str().unwrap().to_owned();
    assert!(
        [" walks into ", " makes her way to ", " shifts "].iter().any(|verb| story.contains(verb)),
        "{story}"
    );
    assert_eq!(story.matches(". ").count(), plain["story"].as_str().unwrap().matches(". ").count());
    let questions = |row: &Value| row["questions"].as_array().cloned().unwrap_or_else(|| vec![row.clone()]);
    for (plain, told) in questions(plain).iter().zip(questions(&told)) {
        let (asked, question) = (plain["question"].as_str().unwrap(), told["question"].as_str().unwrap());
        if let Some((_, quoted)) = question.split_once("(\"") {
            let quoted = quoted.split_once("\")").unwrap().0;
            assert!(story.contains(quoted), "{question}");
            assert_ne!(asked, question);
        } else {
            assert_eq!(asked, question);
        }
        if let Some(prompt) = told["prompt"].as_str() {
            assert!(prompt.contains(&story) && prompt.contains(question));
            assert!(
                told["messages"].as_array().unwrap().last().unwrap()["content"]
                    .as_str()
                    .unwrap()
                    .contains(&story)
            );
        }
        for field in ["id", "answer", "choices", "label", "evidence", "foils", "twin", "kind", "truth"] {
            assert_eq!(plain[field], told[field], "{field}");
        }
    }
    for field in ["id", "context", "events", "cast", "start", "names", "differs_at"] {
        assert_eq!(plain[field], told[field], "{field}");
    }
}

/// What is taken is read by `check-story`, and scored as any other rows.
#[test]
fn others_read_what_was_taken() {
    let desk = Desk::new();
    let rows = desk.rows("rows.jsonl", &["hitom-like", "--count", "4", "--with-events"]);
    let requests = done(&["paraphrase", "ask", &rows, "--model", "m"]);
    let model = desk.write("m.jsonl", &responses(&requests, |_, _, plain| other_words(plain)));
    let told = desk.path("told.jsonl");
    done(&["paraphrase", "take", &rows, &model, "--out", &told]);
    let verdicts = parsed(&done(&["check-story", "hitom-like", &told, "--wording", "retold"]));
    assert!(
        verdicts.len() >= 4 && verdicts.iter().all(|verdict| verdict["satisfied"] == true),
        "{verdicts:?}"
    );
    let answers = desk.write("a.jsonl", &done(&["respond", &told, "--as", "perfect"]));
    assert!(done(&["score", &told, &answers]).contains("100.0"));
}

#[test]
fn what_is_not_taken_is_counted_and_left_plain() {
    let desk = Desk::new();
    let rows = desk.rows("rows.jsonl", &["five-events", "--count", "2"]);
    let requests = done(&["paraphrase", "ask", &rows, "--model", "m"]);
    let model = desk.write(
        "m.jsonl",
        &responses(&requests, |id, number, plain| match (id, number) {
            ("five-events/0/1", _) => plain.to_owned(),
            (_, "1") => plain.replace(" enters ", " sneaks into "),
            (_, "2") => "Zoe enters room 1.".to_owned(),
            (_, "3") => plain.replace(" enters ", " walked into "),
            (_, "4") => "Alice enters the hallway.".to_owned(),
            _ => other_words(plain),
        }),
    );
    let (told, refused) = (desk.path("told.jsonl"), desk.path("refused.jsonl"));
    let (code, said) =
        desk.said(&["paraphrase", "take", &rows, &model, "--out", &told, "--refused", &refused]);
    assert_eq!(code, Some(0));
    assert_eq!(
        said,
        "m: answered for 2 of 2 stories\n\
         6 of 10 sentences taken (60.0%), 1 of them in other words\n  \
         not taken: 2 sentences not completely understood\n  \
         not taken: 1 sentence saying something else\n  \
         not taken: 1 sentence in another tense than the rest of the story\n"
    );
    let refused = of_file(&refused);
    assert_eq!(refused.len(), 4);
    assert_eq!((&refused[1]["sentence"], &refused[1]["text"]), (&2.into(), &"Zoe enters room 1.".into()));
    let told = of_file(&told);
    assert_eq!((&told[0]["worded_by"], &told[0]["reworded"]), (&"m".into(), &1.into()));
    let last = told.iter().find(|row| row["index"] == 1).unwrap();
    assert_eq!((&last["worded_by"], &last["reworded"]), (&Value::Null, &0.into()));
}

#[test]
fn strictly_only_whole_stories_are_kept_with_what_belongs_to_them() {
    let desk = Desk::new();
    let rows = desk.rows("rows.jsonl", &["five-events", "--count", "3", "--twins"]);
    let requests = done(&["paraphrase", "ask", &rows, "--model", "m"]);
    assert_eq!(parsed(&requests).len(), 6);
    let model = responses(&requests, |id, number, plain| match (id, number) {
        ("five-events/0/1-twin", "5") => "Nobody moves.".to_owned(),
        _ => other_words(plain),
    });
    let model = desk.write("m.jsonl", &model);
    let told = desk.path("told.jsonl");
    let (code, said) = desk.said(&["paraphrase", "take", &rows, &model, "--strict", "--out", &told]);
    assert_eq!(code, Some(0));
    assert!(said.ends_with("1 story not told completely, and left out with what belongs to it\n"), "{said}");
    let kept: Vec<Value> = of_file(&told).iter().map(|row| row["index"].clone()).collect();
    assert!(kept.contains(&0.into()) && kept.contains(&2.into()) && !kept.contains(&1.into()), "{kept:?}");
    // Without a response, nothing is told.
    let none = desk.write("none.jsonl", "");
    let (code, said) = desk.said(&["paraphrase", "take", &rows, &none, "--strict", "--out", &told]);
    assert_eq!((code, of_file(&told).len()), (Some(0), 0));
    assert!(
        said.starts_with("none: answered for 0 of 6 stories\n  6 stories without a response\n"),
        "{said}"
    );
}

#[test]
fn responses_to_other_rows_are_refused_and_nothing_is_lost() {
    let desk = Desk::new();
    let rows = desk.rows("rows.jsonl", &["five-events", "--count", "2"]);
    let others = desk.rows("others.jsonl", &["five-events", "--count", "2", "--seed", "5"]);
    let requests = done(&["paraphrase", "ask", &others, "--model", "m"]);
    let model = desk.write("m.jsonl", &responses(&requests, |_, _, plain| plain.to_owned()));
    let told = desk.write("told.jsonl", "what was there\n");
    let (code, said) = desk.said(&["paraphrase", "take", &rows, &model, "--out", &told]);
    assert_eq!(code, Some(1));
    assert_eq!(
        said,
        "error: m.jsonl:1: the dataset has no story with the id \"five-events/5/1\"\n\
         error: m.jsonl:2: the dataset has no story with the id \"five-events/5/0\"\n\
         help: are these the rows that the model was asked about? With --lenient, such responses are skipped.\n"
    );
    assert_eq!(fs::read_to_string(&told).unwrap(), "what was there\n");
    let (code, said) = desk.said(&["paraphrase", "take", &rows, &model, "--out", &told, "--lenient"]);
    assert_eq!(code, Some(0));
    assert!(
        said.starts_with("warning: skipped 2 responses to stories that are not in the dataset\n"),
        "{said}"
    );
    assert_eq!(of_file(&told).len(), of_file(&rows).len());
}

#[test]
fn what_is_wrong_is_explained() {
    let desk = Desk::new();
    let rows = desk.rows("rows.jsonl", &["five-events", "--count", "1"]);
    let varied = desk.rows("varied.jsonl", &["five-events", "--count", "1", "--wording", "varied"]);
    let lies = desk.rows("lies.jsonl", &["white-lies", "--count", "1"]);
    let packed = desk.rows("rows.parquet", &["five-events", "--count", "1"]);
    let text = fs::read_to_string(&rows).unwrap();
    let other = desk.write("other.jsonl", &text.replace("\"board\":\"five-events\"", "\"board\":\"mine\""));
    let retold =
        desk.write("retold.jsonl", &text.replace("\"question\":", "\"worded_by\":\"x\",\"question\":"));
    for (arguments, code, said) in [
        (
            &["ask", &other, "--model", "m"][..],
            1,
            "error: other.jsonl:1: its storyboard, \"mine\", is not built in: give its file with --board\n",
        ),
        (
            &["ask", &varied, "--model", "m"],
            1,
            "error: varied.jsonl:1: its story is told in the words of `varied`, and only plain stories are worded again: make these rows with `--wording plain`\n",
        ),
        (
            &["ask", &retold, "--model", "m"],
            1,
            "error: retold.jsonl:1: its story was worded again already, by \"x\"\n",
        ),
        (
            &["ask", &lies, "--model", "m"],
            1,
            "note: 1 story without a sentence that can be worded again\nerror: there is nothing to ask: no story has a sentence that can be worded again\n",
        ),
        (
            &["ask", &rows, "--model", "m", "--body", "[]"],
            2,
            "error: --body: this is not a JSON object, such as '{\"temperature\": 0}'\n",
        ),
        (
            &["ask", &rows, "--model", "m", "--out", &packed],
            2,
            "error: --out rows.parquet: name a file that ends in .jsonl\n",
        ),
        (
            &["ask", &rows, "--model", "m", "--out", &rows],
            2,
            "error: rows.jsonl is an input file: write to another file\n",
        ),
        (
            &["ask", &rows, "--model", "m", "--board", "five-events", "--board", "five-events"],
            2,
            "error: --board gives two storyboards called `five-events`\n",
        ),
    ] {
        let (is, told) = desk.said(&[&["paraphrase"], arguments].concat());
        let told = told.replace("\n\nFor more information, try '--help'.\n", "\n");
        assert_eq!((is, told.as_str()), (Some(code), said), "{arguments:?}");
    }
}

#[test]
fn what_is_wrong_with_answers_is_explained() {
    let desk = Desk::new();
    let rows = desk.rows("rows.jsonl", &["five-events", "--count", "1"]);
    let packed = desk.rows("rows.parquet", &["five-events", "--count", "1"]);
    let model = desk.write("m.jsonl", "{\"id\":\"five-events/0/0\",\"response\":\"No.\"}\n");
    let broken = desk.write("broken.jsonl", "{\"id\":1}\n[]\n");
    for (arguments, code, said) in [
        (
            &["take", &packed, &model][..],
            2,
            "error: rows.parquet: rows are taken from JSON Lines (.jsonl, .jsonl.gz, .jsonl.zst)\n",
        ),
        (
            &["take", &rows, &model, "--out", &model],
            2,
            "error: m.jsonl is an input file: write to another file\n",
        ),
        (
            &["take", &rows, &model, "--refused", &rows],
            2,
            "error: rows.jsonl is an input file: write to another file\n",
        ),
        (
            &["take", &rows, &model, "--lexicon", "occ"],
            2,
            "error: --lexicon: `occ` is a pack of the kind `rules`, not `wording`; `storysim list --packs` shows the built-in ones\n",
        ),
        (
            &["take", &rows, &broken],
            1,
            "error: broken.jsonl:1: this line has an `id`, but no `response`\nerror: broken.jsonl:2: this is JSON, but not an object\n",
        ),
    ] {
        let (is, told) = desk.said(&[&["paraphrase"], arguments].concat());
        let told = told.replace("\n\nFor more information, try '--help'.\n", "\n");
        assert_eq!((is, told.as_str()), (Some(code), said), "{arguments:?}");
    }
}

#[test]
fn stories_that_are_not_what_they_should_be_are_refused() {
    let desk = Desk::new();
    let rows = desk.rows("rows.jsonl", &["five-events", "--count", "1"]);
    let text = fs::read_to_string(&rows).unwrap();
    let wrong = desk.write("wrong.jsonl", &text.replacen(" enters room", " likes room", 1));
    let twice = desk.write("twice.jsonl", &(text.clone() + &text.replace(" enters ", " likes ")));
    let model = desk.write("m.jsonl", "{\"id\":\"five-events/0/0\",\"response\":\"No.\"}\n");
    // A story that is not the storyboard's, and another one under the same id.
    let (code, told) = desk.said(&["paraphrase", "ask", &wrong, "--model", "m"]);
    assert_eq!(code, Some(1));
    assert!(
        told.starts_with("error: wrong.jsonl:1: its story is not one of \"five-events\": at step "),
        "{told}"
    );
    let (code, told) = desk.said(&["paraphrase", "take", &twice, &model]);
    assert_eq!(code, Some(1));
    assert!(told.contains("its story is not that of other rows of \"five-events/0/0\""), "{told}");
    // One that is not what its own events say.
    let events = desk.rows("events.jsonl", &["five-events", "--count", "1", "--with-events"]);
    let told = fs::read_to_string(&events).unwrap();
    let name = told.split_once("\"story\":\"").unwrap().1.split(' ').next().unwrap();
    let other = ["Alice", "Bob"].into_iter().find(|other| *other != name).unwrap();
    let told = told.replacen(&format!("\"story\":\"{name} "), &format!("\"story\":\"{other} "), 1);
    let events = desk.write("events.jsonl", &told);
    let (code, said) = desk.said(&["paraphrase", "ask", &events, "--model", "m"]);
    assert_eq!(code, Some(1));
    let wanted = "error: events.jsonl:1: its story is not one of \"five-events\": at step 0: `story` and `events` disagree\n";
    assert!(said.starts_with(wanted), "{said}");
    // An answer that is none leaves all as it is.
    let output = run(&["paraphrase", "take", &rows, &model]);
    assert_eq!(
        stderr(&output),
        "m: answered for 0 of 1 story\n  1 story whose answer is not the JSON object that was asked for\n"
    );
    assert_eq!(
        stdout(&output),
        text.replace(",\"question\":", ",\"worded_by\":null,\"reworded\":0,\"question\":")
    );
}

/// Rows of a storyboard of one's own, whose places have names that are drawn.
#[test]
fn storyboards_and_lexicons_may_be_ones_own() {
    let desk = Desk::new();
    let board = desk.write(
        "mine.yaml",
        "storysim: 1\nname: mine\ncharacters: {pool: people, count: 3}\nroles: [S1, T]\nplaces: {complete: 3, pool: settings}\n\
         start: drawn\nhorizon: 6\nquestions: [{reality: T}]\n",
    );
    let lexicon = desk.write(
        "brisk.yaml",
        "storysim_pack: 1\nkind: wording\nname: brisk\nsentences: {move: ['{who} hops from {here} to {there}']}\n",
    );
    let rows = desk.rows("rows.jsonl", &[&board, "--count", "5"]);
    let requests = done(&["paraphrase", "ask", &rows, "--model", "m", "--board", &board]);
    // Only whoever moved before is known to be where this model says.
    let model = responses(&requests, |_, _, plain| plain.replace(" enters ", " hops from the moon to "));
    let model = desk.write("m.jsonl", &model);
    let take = |lexicon: &str| {
        let told = desk.path("told.jsonl");
        desk.said(&[
            "paraphrase",
            "take",
            &rows,
            &model,
            "--board",
            &board,
            "--lexicon",
            lexicon,
            "--out",
            &told,
        ])
        .1
    };
    assert!(take(&lexicon).contains("0 of 30 sentences taken (0.0%)"), "{}", take(&lexicon));
    let plain = of_file(&rows);
    let start =
        plain[0]["names"].as_array().unwrap().iter().find(|pair| pair[1] == plain[0]["start"]).unwrap()[0]
            .clone();
    let right = responses(&requests, |id, number, plain| match (id, number) {
        ("mine/0/0", "1") => {
            plain.replace(" enters ", &format!(" hops from {} to ", start.as_str().unwrap()))
        }
        _ => String::new(),
    });
    let model = desk.write("m.jsonl", &right);
    let told = desk.path("told.jsonl");
    let (_, said) = desk.said(&[
        "paraphrase",
        "take",
        &rows,
        &model,
        "--board",
        &board,
        "--lexicon",
        &lexicon,
        "--out",
        &told,
    ]);
    assert!(said.contains("1 of 30 sentences taken (3.3%), 1 of them in other words"), "{said}");
}
