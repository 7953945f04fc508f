//! Stories in scenarios to look at, compared with their rows: what was announced to whom, and what becomes of whom.

use std::collections::BTreeMap;

use serde_json::Value;
use storysim::compile::compile;
use storysim::dataset::{Fields, RowMaker, RowOptions};
use storysim::files::{files_at, rows_of};
use storysim::id::CharacterId;
use storysim::question::Origin;
use storysim::select::Family;
use storysim::storyboard::{self, BUILT_IN};
use storysim::text::{FateInWords, Lexicon, PersonInWords, ScenariosInWords, Words};

use crate::effort::part;
use crate::program::{run, stderr, stdout};

/// The kinds of questions that ask of one state, in the order of states.
const KINDS: [&str; 4] = ["belief_in", "emotion", "intention", "action"];

/// Calls something with some stories of a built-in board, in words, and their rows.
fn each(board: &str, count: i64, mut check: impl FnMut(&ScenariosInWords, &[Value])) {
    let built_in = BUILT_IN.iter().find(|built_in| built_in.name == board).unwrap();
    let board = storyboard::parse(built_in.source()).unwrap();
    let family = Family::from(compile(&board, &[("n".to_owned(), count)]).unwrap().plan);
    let mut maker = RowMaker::new(&family, 5, &[], RowOptions::WITH_EVENTS);
    for index in 0..25 {
        let mut text = String::new();
        maker.rows(index, &mut text);
        let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let lexicon = Lexicon::new(maker.plan(), 5, str::to_owned);
        let mut words = Words::default();
        lexicon.draw(maker.story(), &mut words);
        check(&lexicon.scenarios(maker.story(), &words).unwrap(), &rows);
    }
}

fn name(of: &ScenariosInWords, who: CharacterId) -> &str {
    &of.people.iter().find(|person| person.who == who).unwrap().name
}

fn names<'s>(of: &'s ScenariosInWords, who: &[CharacterId]) -> Vec<&'s str> {
    who.iter().map(|&who| name(of, who)).collect()
}

/// The row that asks for a state at the end of a scenario, as a chain has it.
fn row<'r>(
    of: &ScenariosInWords,
    fate: &FateInWords,
    (state, scenario): (usize, usize),
    rows: &'r [Value],
) -> Option<&'r Value> {
    let chain: Vec<&str> = names(of, &fate.minds);
    let is_it = |row: &&Value| {
        row["kind"] == KINDS[state]
            && row["scenario"] == scenario + 1
            && row["chain"] == Value::from(chain.clone())
    };
    rows.iter().find(is_it)
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn what_becomes_of_people_is_what_their_rows_say() {
    let mut unclear = 0;
    for (board, count) in
        [("dynamic-minds", 3), ("dynamic-minds", 1), ("dynamic-minds-free", 3), ("dynamic-minds-rumour", 2)]
    {
        each(board, count, |of, rows| {
            assert_eq!(of.scenarios.len(), count as usize);
            for fate in &of.fates {
                assert_eq!(fate.is_by_lives, board == "dynamic-minds");
                for scenario in 0..count as usize {
                    let ends: Vec<_> = fate.lives.iter().map(|life| &life.ends[scenario]).collect();
                    for state in 1..4 {
                        let Some(row) = row(of, fate, (state, scenario), rows) else {
                            unclear += usize::from(ends[0].states[state].is_none());
                            assert!(!fate.is_by_lives);
                            continue;
                        };
                        assert_eq!(ends[0].states[state].as_deref(), row["answer"].as_str());
                        if fate.is_by_lives {
                            let mut lives: Vec<&str> =
                                ends.iter().map(|end| end.states[state].as_deref().unwrap()).collect();
                            let mut choices = texts(&row["choices"]);
                            lives.sort_unstable();
                            choices.sort_unstable();
                            assert_eq!(lives, choices);
                        }
                    }
                    let Some(row) = row(of, fate, (0, scenario), rows) else { continue };
                    assert_eq!(row["false_belief"], ends[0].is_false);
                    let thinks = ends[0].states[0].as_deref().unwrap();
                    assert_eq!(thinks == "nothing", row["answer"] == "nothing, having heard nothing of it");
                    // What is thought came with something that was heard in this scenario or before.
                    let heard = fate.lives[0].ends[..=scenario].iter().flat_map(|end| &end.heard);
                    let caused_by = row["caused_by"].as_array().unwrap();
                    let heard: Vec<Value> = heard.map(|&step| step.into()).collect();
                    assert!(caused_by.iter().all(|step| heard.contains(step)), "{}", row["id"]);
                }
            }
        });
    }
    assert!(unclear > 0);
}

#[test]
fn others_are_those_whose_news_makes_a_difference() {
    each("dynamic-minds-free", 2, |of, _| {
        for fate in &of.fates {
            let who = *fate.minds.last().unwrap();
            let mut origins =
                fate.lives.iter().map(|life| life.origin).skip_while(|origin| *origin == Origin::Own);
            assert!(origins.clone().all(|origin| !matches!(origin, Origin::Own | Origin::Led(_))));
            assert!(origins.all(|origin| origin != Origin::Other(who)));
            for (number, life) in fate.lives.iter().enumerate() {
                let is_same = |other: &storysim::text::LifeInWords| {
                    let both = other.ends.iter().zip(&life.ends);
                    both.fold(true, |is_same, (one, other)| {
                        is_same && one.states == other.states && one.expected == other.expected
                    })
                };
                assert!(!fate.lives[..number].iter().any(is_same));
            }
        }
    });
}

/// By the events alone: in each scenario each life hears another announcement last, and one hears none. The right choice is the
/// life of whoever is there, and all questions tell of the same lives.
#[test]
fn lives_say_which_news_leads_to_each_choice() {
    let mut asked = 0;
    each("dynamic-minds", 3, |of, rows| {
        let (all, steps) = (whereabouts(&rows[0], &of.people), of.scenarios[0].steps.len());
        let cast = |role: &str| rows[0]["cast"][role].as_str().unwrap();
        let events = rows[0]["events"].as_array().unwrap();
        let turns: Vec<usize> = events
            .iter()
            .filter(|event| event[2] == "turn")
            .map(|event| event[0].as_u64().unwrap() as usize)
            .collect();
        let is_there = |step: &&usize| all[**step][cast("S1")] == all[**step][cast("O")];
        let heard: Vec<usize> = turns.iter().filter(is_there).copied().collect();
        let mut of_choices: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for row in rows {
            assert_eq!(row["rules"], "told");
            let lives: Vec<Vec<usize>> = serde_json::from_value(row["lives"].clone()).unwrap();
            assert_eq!(lives.len(), texts(&row["choices"]).len());
            assert_eq!(lives[row["label"].as_u64().unwrap() as usize], heard, "{}", row["id"]);
            for scenario in 0..3 {
                let within = scenario * steps..(scenario + 1) * steps;
                let last =
                    |life: &Vec<usize>| life.iter().filter(|step| within.contains(step)).max().copied();
                let mut last: Vec<Option<usize>> = lives.iter().map(last).collect();
                last.sort_unstable();
                let of_all: Vec<Option<usize>> =
                    turns.iter().filter(|step| within.contains(step)).map(|step| Some(*step)).collect();
                assert_eq!(last, [vec![None], of_all].concat(), "{}", row["id"]);
            }
            // Whoever has heard nothing thinks nothing and is calm, and nobody else does.
            let until = row["scenario"].as_u64().unwrap() as usize * steps;
            for (choice, life) in texts(&row["choices"]).into_iter().zip(&lives) {
                let has_heard = life.iter().any(|step| *step < until);
                match row["kind"].as_str().unwrap() {
                    "belief_in" => assert_eq!(choice.starts_with("nothing"), !has_heard, "{}", row["id"]),
                    "emotion" => assert_eq!(choice == "calm", !has_heard, "{}", row["id"]),
                    _ => {}
                }
                // The same words in the same place are the same life.
                let place = format!("{} {} {}", row["kind"], row["state"], row["scenario"]);
                let known = of_choices.entry((place, choice.to_owned())).or_insert_with(|| life.clone());
                assert_eq!(known, life);
            }
            asked += 1;
        }
        let sorted = |row: &Value| {
            let mut lives: Vec<String> =
                row["lives"].as_array().unwrap().iter().map(Value::to_string).collect();
            lives.sort();
            lives
        };
        assert!(rows.iter().all(|row| sorted(row) == sorted(&rows[0])), "one set of lives a story");
    });
    assert_eq!(asked, 25 * 41);
    each("dynamic-minds-free", 1, |_, rows| {
        assert!(rows.iter().all(|row| row.get("lives").is_none() && row["rules"] == "told"));
    });
}

/// Folders with boards that have lives, and others, in all formats and both shapes: what is read back is what was written.
#[test]
fn lives_are_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let untold = BUILT_IN.iter().find(|board| board.name == "dynamic-minds").unwrap().text();
    let untold = untold.replace("told: 1", "told: 0");
    let untold = untold.replace("name: dynamic-minds", "name: untold").replace("\"n\": 5", "\"n\": 2");
    std::fs::write(at("untold.yaml"), untold).unwrap();
    let boards = ["dynamic-minds", &at("untold.yaml"), "dynamic-minds-free", "five-events"];
    let done = |arguments: &[&str]| {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        stdout(&output).to_owned()
    };
    let mut known: Option<Vec<Fields>> = None;
    for format in part(["jsonl", "jsonl.gz", "parquet", "jsonl.zst"], 0, 1) {
        for shape in ["questions", "stories"] {
            let out = at(&format!("{format}-{shape}"));
            let common = ["generate", "--count", "3", "--quiet", "--with-events", "--format", format];
            done(&[&common[..], &["--shape", shape, "--out", &out], &boards[..]].concat());
            done(&["verify", &out, "--deep"]);
            let rows = rows_of(files_at(std::path::Path::new(&out)).unwrap());
            let rows: Vec<Fields> = rows.map(|(_, _, row)| Fields::of(&row.unwrap()).unwrap()).collect();
            let known = known.get_or_insert_with(|| rows.clone());
            assert_eq!(known.len(), rows.len(), "{out}");
            for (one, other) in known.iter().zip(&rows) {
                assert_eq!(
                    (&one.id, &one.rules, &one.lives, &one.events),
                    (&other.id, &other.rules, &other.lives, &other.events),
                    "{out}"
                );
                assert_eq!((&one.linked, &one.choices), (&other.linked, &other.choices), "{out}");
            }
        }
    }
    let rows = known.unwrap();
    let count = |board: &str, is_it: &dyn Fn(&Fields) -> bool| {
        rows.iter().filter(|row| row.board == board && is_it(row)).count()
    };
    // A life may hear nothing in all of a story.
    assert_eq!(count("dynamic-minds", &|row| row.lives.len() == 5 && row.label < 5), 3 * 71);
    assert!(count("untold", &|row| row.lives.iter().any(Vec::is_empty)) > 0);
    assert_eq!(count("untold", &|row| row.rules.as_deref() == Some("untold")), 3 * 26);
    assert_eq!(
        count("five-events", &|row| row.rules.is_none() && row.lives.is_empty()),
        count("five-events", &|_| true)
    );
    let rows = at("jsonl-questions");
    done(&["respond", &rows, "--as", "perfect", "--out", &at("perfect.jsonl")]);
    let report = done(&["score", &rows, &at("perfect.jsonl"), "--format", "json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let groups = &report["models"][0]["groups"]["rules"];
    let of = |value: &str| {
        let group = groups.as_array().unwrap().iter().find(|group| group["value"] == value);
        group.unwrap()["of"].as_u64().unwrap() as usize
    };
    assert_eq!((of("untold"), groups.as_array().unwrap().len()), (3 * 26, 2));
    assert_eq!(of("told"), count("dynamic-minds", &|_| true) + count("dynamic-minds-free", &|_| true));
}

/// Where everyone is before each step, by the events of a row.
fn whereabouts(row: &Value, people: &[PersonInWords]) -> Vec<BTreeMap<String, String>> {
    let place = |written: &str| {
        let names = row["names"].as_array().unwrap().iter();
        let mut shown =
            names.filter(|pair| pair[1] == written).map(|pair| pair[0].as_str().unwrap().to_owned());
        shown.next_back().unwrap()
    };
    let start = place(row["start"].as_str().unwrap());
    let mut at: BTreeMap<String, String> =
        people.iter().map(|person| (person.name.clone(), start.clone())).collect();
    let mut all = vec![at.clone()];
    for event in row["events"].as_array().unwrap() {
        if event[2] != "turn" && event[2] != "tell" {
            at.insert(event[1].as_str().unwrap().to_owned(), place(event[3].as_str().unwrap()));
        }
        all.push(at.clone());
    }
    all
}

#[test]
fn news_is_heard_by_whoever_is_there() {
    let mut told = 0;
    for board in ["dynamic-minds", "dynamic-minds-free", "dynamic-minds-rumour"] {
        each(board, 2, |of, rows| {
            let all = whereabouts(&rows[0], &of.people);
            for person in &of.people {
                let mut step = 0;
                for stay in &person.stays {
                    assert_eq!(stay.steps.start, step);
                    step = stay.steps.end;
                    for at in stay.steps.clone() {
                        // A stay begins with the step that leads to it.
                        assert_eq!(all[at + 1][&person.name], of.places[stay.place.index()]);
                    }
                }
                assert_eq!(step + 1, all.len());
            }
            let events = rows[0]["events"].as_array().unwrap();
            let is_news = |event: &&Value| event[2] == "turn" || event[2] == "tell";
            let news = of.scenarios.iter().flat_map(|scenario| &scenario.news);
            for (event, piece) in events.iter().filter(is_news).zip(news.clone()) {
                assert_eq!(
                    (event[0].as_u64(), event[2] == "turn"),
                    (Some(piece.step as u64), piece.is_announced)
                );
                let (by, at) = (name(of, piece.by), &all[piece.step]);
                assert_eq!(event[1], by);
                let mut heard_by = names(of, &piece.heard_by);
                heard_by.sort_unstable();
                let there = at.iter().filter(|(other, place)| *other != by && **place == at[by]);
                assert_eq!(heard_by, there.map(|(other, _)| other.as_str()).collect::<Vec<_>>());
                let case = &event.as_array().unwrap().last().unwrap();
                let how = match (case["is"].as_str(), case["by"].as_str()) {
                    (Some("likely"), _) => "likely".to_owned(),
                    (_, who) => format!("settled by {}", who.unwrap_or("nobody")),
                };
                let last = if case["final"] == true { "final" } else { "open" };
                assert_eq!(piece.case, format!("side {}, {how}, {last}", case["side"]));
                told += usize::from(!piece.is_announced);
            }
            assert_eq!(events.iter().filter(is_news).count(), news.count());
            for scenario in &of.scenarios {
                let heading = format!("{}. ", scenario.heading);
                assert!(rows[0]["story"].as_str().unwrap().contains(&heading), "{heading}");
                assert!(scenario.news.iter().all(|piece| scenario.steps.contains(&piece.step)));
            }
        });
    }
    assert!(told > 20, "{told}");
}

/// Who announced what, and where, is read from columns as from lines.
#[test]
fn announcements_are_audited_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let found = ["rows.jsonl", "rows.parquet"].map(|file| {
        let out = folder.path().join(file);
        let out = out.to_str().unwrap();
        let made =
            ["generate", "dynamic-minds-free", "--count", "4", "--seed", "3", "--with-events", "--quiet"];
        let made = run(&[&made[..], &["--out", out]].concat());
        assert!(made.status.success(), "{}", stderr(&made));
        let audited = run(&["audit", out, "--format", "json"]);
        let mut report: Value = serde_json::from_str(stdout(&audited)).unwrap();
        report.as_object_mut().unwrap().remove("dataset");
        report
    });
    let names = found[0].to_string();
    for shortcut in ["first_announced", "last_announced", "announced_in_own_place"] {
        assert!(names.contains(shortcut), "{shortcut}");
    }
    assert_eq!(found[0], found[1]);
}
