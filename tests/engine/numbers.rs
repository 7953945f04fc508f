//! Numbers that are drawn for each story.

use std::collections::BTreeMap;

use serde_json::Value;
use storysim::check::{Claim, violations};
use storysim::compile::{compile, compile_family};
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::select::{Admitted, Family, admit};
use storysim::storyboard::{Storyboard, parse};
use storysim::survey::survey;

/// A board whose length, company and times are drawn, or given as parameters.
fn board(numbers: &str) -> Storyboard {
    let text = format!(
        "storysim: 1\nname: drawn\ncharacters: {{pool: people, count: people}}\nroles: [S1, T]\n\
         places: {{complete: [a, b, c, d]}}\nstart: a\nparameters: {{gap: 3}}\n{numbers}\nhorizon: steps\n\
         events:\n  - {{at: anchor, meet: {{who: [S1, T]}}}}\n  - {{at: anchor + gap, move: {{who: T, to: d}}}}\n  \
         - {{from: anchor + gap + 1, until: end, idle: [S1]}}\nquestions: [{{belief: [S1, T]}}, {{reality: T}}]\n"
    );
    parse(Source { name: "drawn.yaml".into(), text }).unwrap_or_else(|broken| panic!("{:?}", broken.problems))
}

const DRAWN: &str = "draw: {people: [3, 4], anchor: [2, 2 + gap], steps: [20, 22]}";

fn family(board: &Storyboard) -> Family {
    Family::new(compile_family(board, &[]).unwrap().plans)
}

/// Rows of the story with this index, as they are written.
fn rows(maker: &mut RowMaker<'_>, index: u64) -> String {
    let mut rows = String::new();
    maker.rows(index, &mut rows);
    rows
}

fn number(row: &Value, name: &str) -> i64 {
    row["params"][name].as_i64().unwrap_or_else(|| panic!("{name} of {row}"))
}

/// A story is that of the same board with the numbers as parameters, under the same index.
#[test]
fn what_is_drawn_is_as_good_as_set() {
    let family = family(&board(DRAWN));
    assert_eq!(family.plans().len(), 2 * 4 * 3);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS);
    for index in 0..200 {
        let drawn = rows(&mut maker, index);
        let row: Value = serde_json::from_str(drawn.lines().next().unwrap()).unwrap();
        let [people, anchor, steps] = ["people", "anchor", "steps"].map(|name| number(&row, name));
        let fixed = format!("people: {people}, anchor: {anchor}, steps: {steps}");
        let fixed = board("").source.text.replace("{gap: 3}", &format!("{{gap: 3, {fixed}}}"));
        let fixed = parse(Source { name: "fixed.yaml".into(), text: fixed }).unwrap();
        let fixed = Family::from(compile(&fixed, &[]).unwrap().plan);
        let mut other = RowMaker::new(&fixed, 7, &[], RowOptions::WITH_EVENTS);
        assert_eq!(rows(&mut other, index), drawn);
    }
}

/// The index alone decides, whatever was drawn before; and every combination is drawn as often.
#[test]
fn every_combination_is_as_likely() {
    let board = board(DRAWN);
    let family = family(&board);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS);
    let mut counts: BTreeMap<[i64; 3], f64> = BTreeMap::new();
    const STORIES: u64 = 12_000;
    for index in 0..STORIES {
        let text = rows(&mut maker, index);
        assert_eq!(violations(&board, &Claim::of(maker.plan(), maker.story())), []);
        let row: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let drawn = ["people", "anchor", "steps"].map(|name| number(&row, name));
        assert_eq!(number(&row, "gap"), 3);
        assert_eq!(row["events"].as_array().unwrap().len() as i64, drawn[2]);
        let last = &row["events"][(drawn[1] + 3) as usize];
        assert_eq!((&last[1], &last[3]), (&row["cast"]["T"], &Value::from("d")));
        *counts.entry(drawn).or_default() += 1.0;
        if index % 1_000 == 0 {
            let mut fresh = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS);
            assert_eq!(rows(&mut fresh, index), text);
        }
    }
    assert_eq!(counts.len(), 24);
    let expected = STORIES as f64 / 24.0;
    let chi_square: f64 = counts.values().map(|count| (count - expected).powi(2) / expected).sum();
    // 23 degrees of freedom: beyond it once in 10,000.
    assert!(chi_square < 56.0, "{chi_square}");
}

#[test]
fn a_number_that_is_set_is_not_drawn() {
    let board = board(DRAWN);
    let set = [("anchor".to_owned(), 4)];
    let family = Family::new(compile_family(&board, &set).unwrap().plans);
    assert_eq!(family.plans().len(), 6);
    let mut maker = RowMaker::new(&family, 7, &["anchor".to_owned()], RowOptions::default());
    for index in 0..50 {
        let text = rows(&mut maker, index);
        let row: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(row["id"], format!("drawn,anchor=4/7/{index}/0"));
        assert_eq!(number(&row, "anchor"), 4);
    }
    // The largest value depends on a parameter.
    let wider = compile_family(&board, &[("gap".to_owned(), 6)]).unwrap().plans;
    assert_eq!(wider.len(), 2 * 7 * 3);
    let problems = compile_family(&board, &[("anchor".to_owned(), 9)]).unwrap_err();
    assert!(problems[0].message.contains("set to 9, but its range is 2 to 5"), "{}", problems[0].message);
}

/// A story that says of itself what cannot have been drawn is not one of the storyboard.
#[test]
fn a_story_has_a_number_that_can_be_drawn() {
    let board = board(DRAWN);
    let family = family(&board);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    rows(&mut maker, 0);
    let claim = Claim::of(maker.plan(), maker.story());
    for (value, fits) in [(3, true), (4, true), (5, false), (2, false)] {
        let mut other = claim.clone();
        other.parameters.insert("people", value);
        let found = violations(&board, &other);
        let is_said = found.iter().any(|violation| violation.what == "people is not drawn from 3 to 4");
        assert_eq!(is_said, !fits, "{value}: {found:?}");
    }
}

#[test]
fn shares_are_balanced_over_all_combinations() {
    let text = "storysim: 1\nname: t\ncharacters: {pool: people, count: people}\nroles: [S1, T]\n\
                places: {complete: [a, b, c, d]}\nstart: a\ndraw: {people: [3, 5], steps: [20, 24]}\nhorizon: steps\n\
                balance: {answer: uniform, false_belief: 3/4}\nquestions: [{belief: [S1, T]}]\n";
    let board = parse(Source { name: "t".into(), text: text.into() }).unwrap();
    let others = family(&board);
    let Admitted { family, acceptance } = admit(&board, others.plans().to_vec()).unwrap();
    assert_eq!(acceptance.unwrap().casts.len(), 15);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    // What they are kept by is the same whether they are tried out or not.
    assert_eq!(family.weights(), others.weights());
    let mut other = RowMaker::new(&others, 7, &[], RowOptions::default());
    (0..50).for_each(|index| assert_eq!(rows(&mut other, index), rows(&mut maker, index)));
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    let mut lengths: BTreeMap<i64, f64> = BTreeMap::new();
    const STORIES: u64 = 8_000;
    for index in 0..STORIES {
        let row: Value = serde_json::from_str(rows(&mut maker, index).trim()).unwrap();
        *counts.entry(row["answer"].as_str().unwrap().to_owned()).or_default() += 1.0;
        *counts.entry(row["false_belief"].to_string()).or_default() += 1.0;
        *lengths.entry(number(&row, "steps")).or_default() += 1.0;
    }
    assert_eq!(lengths.keys().copied().collect::<Vec<_>>(), [20, 21, 22, 23, 24]);
    for (name, share) in [("a", 0.25), ("b", 0.25), ("c", 0.25), ("d", 0.25), ("true", 0.75)] {
        let seen = counts[name] / STORIES as f64;
        assert!((seen - share).abs() < 0.025 + 0.01, "{name}: {seen}, not {share}");
    }
}

#[test]
fn a_survey_tells_what_is_drawn() {
    let board = board(DRAWN);
    let family = family(&board);
    let survey = self::survey(&board, &family, None);
    assert_eq!((survey.least_steps, survey.steps), (20, 22));
    assert_eq!((survey.least_characters, survey.characters), (3, 4));
    assert_eq!(survey.drawn["anchor"], [2, 5]);
    assert_eq!(survey.parameters.keys().collect::<Vec<_>>(), ["gap"]);
    assert_eq!(survey.entropy_bits, None);
    // What is set is not drawn.
    let set = Family::new(compile_family(&board, &[("anchor".to_owned(), 4)]).unwrap().plans);
    let of_set = self::survey(&board, &set, None);
    assert_eq!(of_set.drawn.keys().collect::<Vec<_>>(), ["people", "steps"]);
    assert_eq!(of_set.parameters["anchor"], 4);
    // The mean over all combinations.
    let mean = family.plans().iter().map(|plan| 10_f64.powf(plan.odds.log10_probability)).sum::<f64>() / 24.0;
    assert!((survey.log10_probability - mean.log10()).abs() < 1e-9);
}
