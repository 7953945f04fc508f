//! `check-story`: our own stories satisfy their boards in every form, spoilt ones fail where they were spoilt, and the
//! cast that is found is as good as the best of all casts, tried one by one.

use std::collections::BTreeMap;

use proptest::prelude::*;
use storysim::adherence::{Account, Judge, Row, Verdict, account_of_log};
use storysim::check::{Claim, Moment, check, violations};
use storysim::compile::compile;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::log::{Switches, Told, read};
use storysim::plan::Plan;
use storysim::prose::Reader;
use storysim::select::Family;
use storysim::storyboard::{BUILT_IN, Storyboard, Style, parse};

use crate::effort::times;
use crate::fixed::fixed;

const ROWS: RowOptions = RowOptions::WITH_EVENTS;

/// Pairs of names and values.
type Pairs = Vec<(String, String)>;

/// All but conversations and stories about prospects, whose words are not read back.
fn built_in() -> impl Iterator<Item = &'static (Storyboard, Family)> {
    let is_read = |board: &Storyboard| board.style == Style::Report && board.prospects.is_empty();
    fixed().iter().filter(move |(board, _)| is_read(board))
}

fn rows(maker: &mut RowMaker<'_>, index: u64) -> Vec<serde_json::Value> {
    let mut text = String::new();
    maker.rows(index, &mut text);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn cast(row: &serde_json::Value) -> Pairs {
    let pairs = row["cast"].as_object().unwrap().iter();
    pairs.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect()
}

/// The verdict on a story in words.
fn told(board: &Storyboard, parameters: &[(String, i64)], text: &str, given: &Pairs) -> Verdict {
    let judge = Judge::new(board, parameters);
    let tale = judge.reader().read(text);
    assert!(tale.problems.is_empty(), "{:?} of {text}", tale.problems);
    let account = Account { told: tale.told, notes: Some(tale.notes), ..Account::default() };
    judge.judge(&account, given).unwrap()
}

fn rank(verdict: &Verdict) -> Option<Moment> {
    verdict.violations.first().map(|violation| violation.moment)
}

/// The same story as a log of events: a walk.
fn log_of(row: &serde_json::Value, plan: &Plan) -> String {
    let event = |event: &serde_json::Value| serde_json::json!({"t": event[0], "type": "enter", "who": event[1], "place": event[3]});
    let events: Vec<serde_json::Value> = row["events"].as_array().unwrap().iter().map(event).collect();
    let context = row["context"].as_str().unwrap();
    let names = context.split(" start in ").next().unwrap();
    let people: Vec<&str> = names.split(", ").flat_map(|names| names.split(" and ")).collect();
    let start: BTreeMap<&str, &serde_json::Value> = people.iter().map(|who| (*who, &row["start"])).collect();
    serde_json::json!({
        "id": row["id"], "characters": people, "locations": plan.place_names, "start": start, "events": events,
    })
    .to_string()
}

/// Conversations are judged by their events: with one changed, they are none of the storyboard's.
#[test]
fn conversations_satisfy_their_boards_by_their_events() {
    let conversations = fixed().iter().filter(|(board, _)| board.style == Style::Conversation);
    let mut count = 0;
    for (board, family) in conversations {
        let plan = &family.plans()[0];
        let mut maker = RowMaker::new(family, 7, &[], ROWS);
        let judge = Judge::new(board, &plan.parameters);
        for index in 0..50 {
            let row = rows(&mut maker, index).swap_remove(0);
            let verdict = |row: &serde_json::Value| {
                let row = Row::new(row).unwrap();
                let account =
                    row.account(board, judge.reader()).unwrap_or_else(|problem| panic!("{problem:?}"));
                judge.judge(&account, &row.cast).unwrap().violations
            };
            assert_eq!(verdict(&row), [], "{}", row["id"]);
            let mut changed = row.clone();
            let events = changed["events"].as_array_mut().unwrap();
            let speech = events.iter().position(|event| event[2] == "reveal").expect("something is revealed");
            events[speech][1] = row["events"]
                .as_array()
                .unwrap()
                .iter()
                .rev()
                .map(|event| event[1].clone())
                .find(|who| *who != row["events"][speech][1])
                .unwrap();
            assert_ne!(verdict(&changed), [], "{}", row["id"]);
            let mut silent = row.clone();
            silent.as_object_mut().unwrap().remove("events");
            let problem = Row::new(&silent).unwrap().account(board, judge.reader()).unwrap_err();
            assert!(problem.what.contains("--with-events"), "{problem:?}");
            count += 1;
        }
    }
    assert!(count >= 50);
}

#[test]
fn our_stories_satisfy_their_boards_in_every_form() {
    let mut logs = 0;
    for (board, family) in built_in() {
        let plan = &family.plans()[0];
        let mut maker = RowMaker::new(family, 7, &[], ROWS);
        let judge = Judge::new(board, &plan.parameters);
        for index in 0..times(8) {
            let mut is_told = false;
            for row in rows(&mut maker, index) {
                let is_of_things = row["kind"] == "world_things";
                if is_told && !is_of_things {
                    continue; // the same story as in the row before
                }
                is_told |= !is_of_things;
                for without in ["", "events", "story"] {
                    let mut row = row.clone();
                    row.as_object_mut().unwrap().remove(without);
                    let row = Row::new(&row).unwrap();
                    let account =
                        row.account(board, judge.reader()).unwrap_or_else(|problem| panic!("{problem:?}"));
                    let verdict = judge.judge(&account, &row.cast).unwrap();
                    assert_eq!(verdict.violations, [], "{:?} without {without:?}", row.id);
                }
                if is_of_things {
                    continue;
                }
                let story = row["story"].as_str().unwrap();
                let given = told(board, &plan.parameters, story, &cast(&row));
                assert_eq!(given.violations, [], "{}", row["id"]);
                if !Reader::new(board, Vec::new()).has_deeds() && row["start"].is_string() {
                    let line = log_of(&row, plan);
                    let (Some(Told::Events(log)), problems) = read(&line, Switches::default()) else {
                        panic!("{line}")
                    };
                    assert!(!problems.has_error);
                    let trace = log.course().trace;
                    let verdict = judge
                        .judge(&account_of_log(&log, &trace, &judge.reader()).unwrap(), &cast(&row))
                        .unwrap();
                    assert_eq!(verdict.violations, [], "{} as a log", row["id"]);
                    logs += 1;
                }
            }
        }
    }
    assert!(logs > 40, "{logs}");
}

/// Whoever is found: the story passes with them when they are given.
#[test]
fn a_cast_is_found_for_our_stories() {
    for (board, family) in built_in() {
        let plan = &family.plans()[0];
        let mut maker = RowMaker::new(family, 8, &[], ROWS);
        for index in 0..times(3) {
            let rows = rows(&mut maker, index);
            let Some(row) = rows.iter().find(|row| row["kind"] != "world_things") else { continue };
            let story = row["story"].as_str().unwrap();
            let found = told(board, &plan.parameters, story, &Vec::new());
            assert_eq!(found.violations, [], "{}: {:?}", row["id"], found.cast);
            let again = told(board, &plan.parameters, story, &found.cast);
            assert_eq!(again, found, "{}", row["id"]);
        }
    }
}

/// Whoever is distracted sees nothing: a cast is not put aside because she would have.
#[test]
fn a_cast_is_found_where_someone_is_distracted() {
    let text = "storysim: 1\nname: t\ncharacters: {pool: [Ann, Bob, Cas]}\nroles: [S1, T]\nplaces: {complete: [a, b, c]}\n\
                start: a\nhorizon: 3\nevents: [{at: 1, move: {who: T, to: b}}, {at: 1, distracted: S1}, \
                {from: 1, until: 2, unseen: {who: T, by: [S1]}}]\nquestions: [{reality: T}]\n";
    let board = parse(Source { name: "t".into(), text: text.into() }).unwrap();
    let plan = compile(&board, &[]).unwrap().plan;
    let family = Family::from(plan.clone());
    let mut maker = RowMaker::new(&family, 7, &[], ROWS);
    for index in 0..20 {
        let story = rows(&mut maker, index)[0]["story"].as_str().unwrap().to_owned();
        assert!(story.contains("is distracted"), "{story}");
        assert_eq!(told(&board, &plan.parameters, &story, &Vec::new()).violations, [], "{story}");
    }
}

/// Sentences of a story whose notes are single sentences.
fn sentences(story: &str) -> Vec<String> {
    story.split_inclusive(". ").map(|sentence| sentence.trim().to_owned()).collect()
}

/// Walks of which one sentence is spoilt so that the step is impossible whoever plays: exactly there they fail, since
/// under the cast that was drawn all is well until then.
#[test]
fn spoilt_walks_fail_where_they_were_spoilt() {
    let mut spoilt = 0;
    for (board, family) in built_in() {
        if Reader::new(board, Vec::new()).has_deeds() {
            continue;
        }
        let plan = &family.plans()[0];
        let mut maker = RowMaker::new(family, 9, &[], ROWS);
        for index in 0..10 {
            let rows = rows(&mut maker, index);
            let Some(row) = rows.iter().find(|row| row["kind"] != "world_things") else { continue };
            let story = sentences(row["story"].as_str().unwrap());
            let events = row["events"].as_array().unwrap();
            let fails_at = |story: &[String]| {
                let verdict = told(board, &plan.parameters, &story.join("\n"), &Vec::new());
                rank(&verdict)
            };
            let step = (index as usize * 37 + 5) % story.len();
            // Into the place where she is.
            let who = events[step][1].as_str().unwrap();
            let before = events[..step].iter().rev().find(|event| event[1] == who);
            if before.is_none() && row["start"].is_object() {
                continue; // where she starts depends on whom she plays
            }
            let start = row["start"].get(who).unwrap_or(&row["start"]);
            let place = before.map_or(start, |event| &event[3]).as_str().unwrap();
            let mut other = story.clone();
            other[step] = format!("{who} {} {place}.", events[step][2].as_str().unwrap());
            assert_eq!(fails_at(&other), Some(Moment::Step(step)), "{}: {}", row["id"], other[step]);
            // The end is cut off; something is added.
            let short = &story[..story.len() - 1 - step % 3];
            assert_eq!(fails_at(short), Some(Moment::Step(short.len())), "{}", row["id"]);
            let mut long = story.clone();
            long.push(story[0].clone());
            assert_eq!(fails_at(&long), Some(Moment::Step(story.len())), "{}", row["id"]);
            spoilt += 3;
        }
    }
    assert!(spoilt > 200, "{spoilt}");
}

/// A story spoilt in some other way gets at least as far under the cast that is found as under the one drawn; and what is
/// said of the cast drawn, given, is what `check` says of it.
#[test]
fn the_cast_found_gets_furthest_in_spoilt_stories() {
    let mut failed = 0;
    for (board, family) in built_in() {
        let plan = &family.plans()[0];
        let mut maker = RowMaker::new(family, 10, &[], ROWS);
        for index in 0..4.max(times(2)) {
            let rows = rows(&mut maker, index);
            let Some(row) = rows.iter().find(|row| row["kind"] != "world_things") else { continue };
            let mut story = sentences(row["story"].as_str().unwrap());
            let at = (index as usize * 31 + 3) % (story.len() - 1);
            match index % 4 {
                0 => drop(story.remove(at)),
                1 => story.swap(at, at + 1),
                2 => story.insert(at, story[at].clone()),
                _ => story.truncate(at.max(1)),
            }
            let judge = Judge::new(board, &plan.parameters);
            if !judge.reader().read(&story.join(" ")).problems.is_empty() {
                continue;
            }
            let given = told(board, &plan.parameters, &story.join(" "), &cast(row));
            let found = told(board, &plan.parameters, &story.join(" "), &Vec::new());
            let (given, found) = (rank(&given), rank(&found));
            assert!(
                found.is_none() || given.is_some_and(|given| Some(given) <= found),
                "{}: {given:?} {found:?}",
                row["id"]
            );
            failed += u32::from(found.is_some());
        }
    }
    assert!(failed > 40, "{failed}");
}

/// How far a story gets under the best of all casts, tried one by one by `check`; none: to the end, satisfied.
/// `tests/boards` has the shape of these boards: everyone is in the story, R0 starts in p1 and all others in p0.
fn best_of_all<'a>(board: &'a Storyboard, plan: &'a Plan, told: &[(&'a str, &'a str)]) -> Option<Moment> {
    let roles: Vec<&'a str> = plan.role_names.iter().map(String::as_str).collect();
    let places: Vec<&'a str> = plan.place_names.iter().map(String::as_str).collect();
    let pool: Vec<&'a str> = plan.pool.iter().map(String::as_str).collect();
    let mut castings: Vec<Vec<&'a str>> = vec![Vec::new()];
    for _ in &roles {
        let mut longer = Vec::new();
        for casting in &castings {
            for who in pool.iter().filter(|who| !casting.contains(who)) {
                longer.push([&casting[..], &[*who]].concat());
            }
        }
        castings = longer;
    }
    let mut best = Some(Moment::Start);
    for players in castings {
        for &near in &places {
            for &far in &places {
                let mut at: BTreeMap<&'a str, &'a str> = pool.iter().map(|who| (*who, "p0")).collect();
                at.insert(players[0], "p1");
                let start = pool.iter().map(|who| (*who, at[who])).collect();
                let events = told.iter().map(|&(who, to)| (who, at.insert(who, to).unwrap(), to)).collect();
                let claim = Claim {
                    roles: roles.iter().copied().zip(players.iter().copied()).collect(),
                    binds: BTreeMap::from([("near", near), ("far", far)]),
                    start,
                    events,
                    ..Claim::default()
                };
                match check(board, &claim) {
                    Ok(()) => return None,
                    Err(violation) => best = best.max(Some(violation.moment)),
                }
                let all = violations(board, &claim);
                assert!(all.is_sorted_by_key(|violation| violation.moment));
            }
        }
    }
    best
}

/// A board, and a story of it with some of its events replaced by anything.
fn spoilt_stories() -> impl Strategy<Value = (String, u64, Vec<(usize, usize, usize)>, usize)> {
    let changes = prop::collection::vec((0..20_usize, 0..20_usize, 0..20_usize), 0..3);
    (crate::boards::boards(2..=4, 2..=3, 2..=6), 0..50_u64, changes, 0..12_usize)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(300) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_cast_found_is_the_best_of_all((text, index, changes, cut) in spoilt_stories()) {
        let board = parse(Source { name: "random".into(), text: text.clone() }).unwrap();
        let Ok(compiled) = compile(&board, &[]) else { return Ok(()) };
        let plan = compiled.plan;
        let rows = format!("{text}questions: [{{reality: R0}}]\n");
        let asking = parse(Source { name: "random".into(), text: rows }).unwrap();
        let asking = Family::from(compile(&asking, &[]).unwrap().plan);
        if storysim::select::admit(&board, vec![plan.clone()]).is_err() {
            return Ok(());
        }
        let mut row = String::new();
        RowMaker::new(&asking, 7, &[], ROWS).rows(index, &mut row);
        let row: serde_json::Value = serde_json::from_str(row.lines().next().unwrap()).unwrap();
        let mut events: Vec<(&str, &str)> = row["events"].as_array().unwrap().iter()
            .map(|event| (event[1].as_str().unwrap(), event[3].as_str().unwrap()))
            .collect();
        for (at, who, to) in changes {
            let length = events.len();
            events[at % length] = (&plan.pool[who % plan.pool.len()], &plan.place_names[to % plan.place_names.len()]);
        }
        if cut < 2 {
            events.truncate(events.len() - cut);
        }
        let verb = &board.verbs[0].value;
        let story: Vec<String> = events.iter().map(|(who, to)| format!("- {who} {verb} {to}")).collect();
        let verdict = told(&board, &plan.parameters, &story.join("\n"), &Vec::new());
        prop_assert_eq!(rank(&verdict), best_of_all(&board, &plan, &events), "{}\n{}", text, story.join("\n"));
    }

    /// Whatever the text: it is read or refused.
    #[test]
    fn any_text_is_read_or_refused(text in "[A-Za-z_0-9 .,\n'éß-]{0,200}", board in 0..BUILT_IN.len(), at in 0..400_usize) {
        let (board, family) = &fixed()[board];
        let plan = &family.plans()[0];
        let golden = format!("{}/tests/golden/{}.jsonl", env!("CARGO_MANIFEST_DIR"), board.name.value);
        let rows = std::fs::read_to_string(golden).unwrap();
        let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
        let mut story = row["story"].as_str().unwrap().to_owned();
        let at = (0..=at.min(story.len())).rev().find(|&at| story.is_char_boundary(at)).unwrap();
        story.insert_str(at, &text);
        let judge = Judge::new(board, &plan.parameters);
        let tale = judge.reader().read(&story);
        for problem in &tale.problems {
            let span = problem.labels[0].0;
            prop_assert!(span.start <= span.end && story.get(span.range()).is_some());
        }
    }
}

/// Of whom something is said, or who is named in a note, is not like those who only stand by.
#[test]
fn who_is_only_named_plays_a_role() {
    let of = |rest: &str| {
        let text = format!(
            "storysim: 1\nname: t\ncharacters: {{pool: [Ann, Bob, Cas, Dan]}}\nroles: [A, B]\n\
             places: {{kitchen: [garden], garden: [kitchen]}}\nstart: kitchen\nhorizon: 2\n{rest}"
        );
        parse(Source { name: "named".into(), text }).unwrap()
    };
    let statement = of(
        "propositions: {gift: {says: \"the gift is for {B}\", is: true, known: [A]}}\nplay: {move: 1, tell: 1}\n",
    );
    let note = of("events: [{at: 0, note: \"All looks at {B}.\"}]\nverb: enters\n");
    let first = of("events: [{at: 0, note: \"All looks at {A}.\"}]\nverb: enters\n");
    let cases = [
        (statement, "Ann enters garden. Bob tells everyone in kitchen that the gift is for Dan."),
        (note, "Ann enters garden. All looks at Dan. Bob enters garden."),
        (first, "Ann enters garden. All looks at Dan. Bob enters garden."),
    ];
    for (role, (board, story)) in ["B", "B", "A"].into_iter().zip(cases) {
        let verdict = told(&board, &[], story, &Vec::new());
        assert_eq!(verdict.violations, [], "{story}");
        assert!(verdict.cast.contains(&(role.into(), "Dan".into())), "{:?}", verdict.cast);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// No cast is put aside wrongly that satisfies a storyboard in which people do more than walk.
    #[test]
    fn a_cast_is_found_for_stories_of_random_boards_with_deeds(
        text in crate::deeds::boards(2..=4, 2..=4, 4..=10),
        index in 0..4_u64,
    ) {
        // Of two that are said in the same words nobody can tell which is meant.
        let mut said: Vec<&str> = text.split("says: ").skip(1).map(|rest| rest.split(", ").next().unwrap()).collect();
        said.sort_unstable();
        let is_clear = said.windows(2).all(|pair| pair[0] != pair[1]);
        prop_assume!(is_clear);
        let board = parse(Source { name: "random".into(), text: text.clone() }).unwrap();
        let Ok(compiled) = compile(&board, &[]) else { return Ok(()) };
        let plan = compiled.plan;
        let Ok(admitted) = storysim::select::admit_within(&board, vec![plan.clone()], 200) else {
            return Ok(());
        };
        let mut maker = RowMaker::new(&admitted.family, 7, &[], ROWS);
        let rows = rows(&mut maker, index);
        let Some(row) = rows.iter().find(|row| row["kind"] != "world_things") else { return Ok(()) };
        let story = row["story"].as_str().unwrap();
        let verdict = told(&board, &plan.parameters, story, &Vec::new());
        prop_assert_eq!(verdict.violations, [], "{}\n{}", text, story);
    }
}
