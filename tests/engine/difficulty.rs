//! How difficult questions are, against slow readings: the answer after every step by the written-out definition of belief, the
//! rest from the row alone, and ranks by counting.

use std::collections::BTreeMap;

use rand::Rng;
use serde_json::Value as Json;
use storysim::check::{Claim, check};
use storysim::compile::compile_family;
use storysim::dataset::{DIFFICULTY_COLUMNS, RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::form::Hardness;
use storysim::plan::{Moment, Plan, Question, Target, written_number};
use storysim::question::{Answer, Answered, Asker, Difficulty, DifficultyGauge};
use storysim::rng::{Purpose, StreamKey};
use storysim::select::{Family, Fits, Selector, admit, ranking};
use storysim::simulate::{Simulator, Story};
use storysim::storyboard::{QuestionKind, parse};
use storysim::trace::Trace;
use storysim::verify::{Oracle, Reply};
use storysim::world::Item;

use crate::effort::{part, times};
use crate::storyboards::{built_in, compiled};

const OPTIONS: RowOptions = RowOptions { with_difficulty: true, ..RowOptions::WITH_EVENTS };

/// The number of pilot stories, as documented.
const PILOTS: u64 = 500;

/// The largest cost, as the oracle reckons, of answering after every step of a story.
const COST_MAX: usize = 40_000_000;

fn rows(maker: &mut RowMaker<'_>, index: u64) -> Vec<Json> {
    let mut text = String::new();
    maker.rows(index, &mut text);
    text.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
}

fn number(row: &Json, name: &str) -> Option<u64> {
    row["difficulty"][name].as_u64()
}

/// The plan with this question alone, asked at the end.
fn asking(plan: &Plan, question: Question) -> Plan {
    // Answers that are not offered are answers, too.
    let question = Question { moment: Moment::End, choices: Vec::new(), ..question };
    Plan { questions: vec![question], authored: vec![0], bundles: Vec::new(), ..plan.clone() }
}

/// The answer of the plan's only question after the first steps of a story; `Err` if the oracle gives up.
fn answer_after(oracle: &Oracle<'_>, trace: &Trace, steps: usize) -> Result<Option<Answer>, ()> {
    let deeds = trace.deeds[..steps.min(trace.deeds.len())].to_vec();
    let part = Trace { events: trace.events[..steps].to_vec(), deeds, ..trace.clone() };
    match oracle.answers(&part, 0)[0] {
        Reply::Row(derived) => Ok(Some(derived.answer)),
        Reply::NoRow => Ok(None),
        Reply::Lost => Err(()),
    }
}

/// The question at all of its lower orders, as documented.
fn lower_orders(question: &Question) -> Vec<Question> {
    let minds_min = match question.kind {
        QuestionKind::Belief
        | QuestionKind::CouldAnswer
        | QuestionKind::WhoLikes
        | QuestionKind::WhoDislikes => 0,
        QuestionKind::Knows => 1,
        _ => return Vec::new(),
    };
    let mut minds = question.others.clone();
    // Everybody knows what she herself thinks.
    if let (QuestionKind::Belief, Target::Item(item)) = (question.kind, question.target) {
        minds.dedup();
        if minds.last().is_some_and(|&last| Item::Character(last) == item) {
            minds.pop();
        }
    }
    let lower = |from: usize| {
        let others = minds[from..].to_vec();
        // What no mind holds is what is so.
        let is_so = others.is_empty() && question.kind == QuestionKind::Belief;
        let kind = if is_so { QuestionKind::Reality } else { question.kind };
        Question { kind, others, ..question.clone() }
    };
    (1..=minds.len()).filter(|from| minds.len() - from >= minds_min).map(lower).collect()
}

/// Compares what a row says of changes and of lower orders with the oracle. Returns whether that could be done.
fn is_as_reckoned(plan: &Plan, question: &Question, trace: &Trace, row: &Json) -> bool {
    let steps = match question.moment {
        Moment::End => trace.events.len(),
        Moment::Before(step) => step,
        Moment::Without(_) => return false,
    };
    let own = asking(plan, question.clone());
    let oracle = Oracle::new(&own);
    if oracle.cost().saturating_mul(steps) > COST_MAX {
        return false;
    }
    let answers: Result<Vec<_>, ()> = (0..=steps).map(|until| answer_after(&oracle, trace, until)).collect();
    let Ok(answers) = answers else { return false };
    let changes = answers.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
    if question.of_matter(plan).is_some() {
        // Before it has been spoken of, nobody asks, and the oracle has no answer.
        let asked = answers.iter().position(Option::is_some).unwrap_or(steps);
        let changes = answers[asked..].windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
        assert!(number(row, "updates") >= Some(changes), "{row}");
    } else {
        assert_eq!(number(row, "updates"), Some(changes), "{row}");
    }
    let lower: Result<Vec<_>, ()> = lower_orders(question)
        .into_iter()
        .map(|lower| answer_after(&Oracle::new(&asking(plan, lower)), trace, steps))
        .collect();
    let Ok(lower) = lower else { return false };
    let differ = lower.iter().filter(|lower| **lower != answers[steps]).count() as u64;
    assert_eq!(number(row, "lower_orders_differ"), (!lower.is_empty()).then_some(differ), "{row}");
    true
}

/// Compares the numbers of a row with the rest of the row.
fn is_as_told(question: &Question, trace: &Trace, plan: &Plan, row: &Json) {
    let evidence: Vec<usize> =
        row["evidence"].as_array().unwrap().iter().map(|step| step.as_u64().unwrap() as usize).collect();
    let is_there = |step: &usize| match question.moment {
        Moment::End => true,
        Moment::Before(before) => *step < before,
        Moment::Without(without) => *step != without,
    };
    let others: Vec<usize> =
        (0..trace.events.len()).filter(is_there).filter(|step| !evidence.contains(step)).collect();
    let (between, after): (Vec<usize>, Vec<usize>) = others
        .into_iter()
        .filter(|step| evidence.is_empty() || step > evidence.iter().min().unwrap())
        .partition(|step| evidence.iter().any(|bearing| bearing > step));
    assert_eq!(number(row, "bearing"), Some(evidence.len() as u64), "{row}");
    assert_eq!(number(row, "between"), Some(between.len() as u64), "{row}");
    assert_eq!(number(row, "after"), Some(after.len() as u64), "{row}");
    let right = row["foils"].as_object().unwrap().values().filter(|foil| **foil == row["answer"]).count();
    assert_eq!(number(row, "shortcuts_right"), Some(right as u64), "{row}");
    assert_eq!(number(row, "people"), Some(trace.start.len() as u64), "{row}");
    assert_eq!(number(row, "places"), Some(plan.map.places().count() as u64), "{row}");
    let names: Vec<&str> = row["difficulty"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut documented = DIFFICULTY_COLUMNS.to_vec();
    documented.sort_unstable();
    assert_eq!(names, documented, "{row}"); // serde_json sorts keys
}

/// Rows that say how difficult they are are otherwise the same rows.
fn nothing_else_changes(family: &Family, maker: &mut RowMaker<'_>) {
    let (mut with, mut without) = (String::new(), String::new());
    maker.rows(9, &mut with);
    RowMaker::new(family, 11, &[], RowOptions::WITH_EVENTS).rows(9, &mut without);
    assert_eq!(with.lines().count(), without.lines().count());
    for (with, without) in with.lines().zip(without.lines()) {
        let from = with.rfind(",\"difficulty\":{").unwrap();
        assert_eq!(format!("{}}}", &with[..from]), without);
    }
}

#[test]
fn numbers_are_those_of_slow_readings() {
    let (mut reckoned, mut kinds) = (0, std::collections::BTreeSet::new());
    for family in part(compiled(), 0, 2) {
        let mut maker = RowMaker::new(family, 11, &[], OPTIONS);
        nothing_else_changes(family, &mut maker);
        for index in 0..times(2) {
            let rows = rows(&mut maker, index);
            let (plan, trace) = (maker.plan(), &maker.story().trace);
            for row in &rows {
                let written =
                    row["id"].as_str().unwrap().rsplit_once('/').unwrap().1.parse::<usize>().unwrap();
                let Some(question) = plan.questions.get(written).filter(|_| plan.bundles.is_empty()) else {
                    continue;
                };
                is_as_told(question, trace, plan, row);
                if question.dynamic.is_some() {
                    assert!(
                        row["difficulty"]["updates"].is_null()
                            && row["difficulty"]["lower_orders_differ"].is_null()
                    );
                } else if is_as_reckoned(plan, question, trace, row) {
                    reckoned += 1;
                    kinds.insert(row["kind"].as_str().unwrap().to_owned());
                }
            }
        }
    }
    assert!(reckoned > 15 && kinds.len() > 4, "{reckoned} {kinds:?}");
}

/// Ranks by counting, with pilot stories whose seed is derived as documented.
#[test]
fn quantiles_are_those_of_pilot_stories() {
    for name in ["sally-anne", "first-order-calibrated", "second-order-calibrated", "world-model"] {
        let family = Family::new(compile_family(&built_in(name), &[]).unwrap().plans);
        let key = StreamKey::derive(0, &family.plans()[0].fingerprint, Purpose::Difficulty);
        let mut pilots = RowMaker::new(&family, key.stream(0, 0).next_u64(), &[], OPTIONS);
        let score = |row: &Json| {
            let of = |name: &str| number(row, name).unwrap();
            let order = row["order"].as_u64().unwrap();
            match (order, of("bearing")) {
                (0 | 1, _) => of("after") + 10 * of("updates"),
                (_, 0) => of("after") / 2,
                (_, 1) => 4,
                _ => of("between"),
            }
        };
        let question = |row: &Json| row["id"].as_str().unwrap().rsplit_once('/').unwrap().1.to_owned();
        let scores: Vec<(String, u64)> = (0..PILOTS)
            .flat_map(|index| rows(&mut pilots, index))
            .map(|row| (question(&row), score(&row)))
            .collect();
        let mut maker = RowMaker::new(&family, 5, &[], OPTIONS);
        for row in (0..times(200)).flat_map(|index| rows(&mut maker, index)) {
            let same = || scores.iter().filter(|(other, _)| *other == question(&row));
            let easier = same().filter(|(_, other)| *other < score(&row)).count();
            let equal = same().filter(|(_, other)| *other == score(&row)).count();
            let share = 100.0 * (easier as f64 + equal as f64 / 2.0) / same().count() as f64;
            assert_eq!(number(&row, "quantile"), Some(share.round() as u64), "{row}");
        }
    }
}

/// The family of a built-in board, with a line added.
/// It is drawn of whom is asked.
const OPEN: &str = "storysim: 1\nname: open\ncharacters: {pool: people, count: 4}\nroles: [A, B, T]\ngroups: {folk: [A, B]}\n\
                    places: {complete: [a, b, c]}\nstart: a\nhorizon: 12\nquestions: [belief: [folk, T]]\n";

fn family_with(name: &str, line: &str) -> Family {
    let mut source = match name {
        "open" => Source { name: "open.yaml".into(), text: OPEN.into() },
        name => built_in(name).source,
    };
    source.text.push_str(line);
    let board = parse(source).unwrap();
    Family::new(compile_family(&board, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).plans)
}

/// A story's number, measured as for its rows, under the seed 7; if there is one.
fn measured(plan: &Plan, story: &Story, by: Hardness, question: usize) -> Option<u64> {
    let mut asker = Asker::new(plan, 7);
    let is_asked = |answered: &&Answered| written_number(&plan.bundles, answered.question) == question;
    let answered = asker.ask(story).iter().find(is_asked).cloned()?;
    let difficulty = DifficultyGauge::new(plan).measure(story, &answered);
    let named = Difficulty::NAMES.into_iter().zip(difficulty.numbers()).find(|(name, _)| *name == by.key());
    named.map_or_else(|| Some(difficulty.score()), |(_, number)| number.map(|number| number as u64))
}

/// The same, where a question that is not asked is not hard at all.
fn hardness(plan: &Plan, story: &Story, by: Hardness, question: usize) -> u64 {
    measured(plan, story, by, question).unwrap_or(0)
}

/// Of all walks that meet the goals, the hardest is told, and of those the first.
#[test]
fn the_hardest_of_many_is_told() {
    let mut harder = 0;
    for (name, question) in [
        ("first-order-mislead", 0),
        ("second-order-mislead", 0),
        ("second-order-goal", 0),
        ("sally-anne", 1),
        ("many-characters", 0),
        ("open", 0),
    ] {
        for by in Hardness::HARDER {
            let line = format!("hardest: {{of: 12, by: {}, question: {question}}}\n", by.key());
            let (usual, hardest) = (family_with(name, ""), family_with(name, &line));
            let plan = &usual.plans()[0];
            let (mut usual, mut selector) = (Selector::new(&usual, 7), Selector::new(&hardest, 7));
            let (mut story, mut told) = (Story::default(), Story::default());
            for index in 0..times(4) {
                let (mut best, mut first, mut next) = (None, 0, 0);
                for walk in 0..12 {
                    next = usual.draw_from(index, next, &mut story);
                    let measure = hardness(plan, &story, by, question);
                    first = if walk == 0 { measure } else { first };
                    if best.as_ref().is_none_or(|(other, _)| measure > *other) {
                        best = Some((measure, story.trace.clone()));
                    }
                }
                assert_eq!(selector.draw(index, &mut told), next, "{name} {by:?}");
                let (measure, trace) = best.unwrap();
                assert_eq!(told.trace, trace, "{name} {by:?} {index}");
                harder += u64::from(measure > first);
            }
        }
    }
    assert!(harder >= 15, "{harder}");
}

/// Of one walk, the hardest is that one: the rows are what they were. And the rank of a question is that among usual stories.
#[test]
fn the_hardest_of_one_is_usual() {
    for name in ["first-order-mislead", "hitom-like", "rumour", "dynamic-minds-free"] {
        let rows_of = |line: &str| {
            let family = family_with(name, line);
            let mut maker = RowMaker::new(&family, 7, &[], OPTIONS);
            (0..4).flat_map(|index| rows(&mut maker, index)).collect::<Vec<Json>>()
        };
        assert_eq!(rows_of(""), rows_of("hardest: {of: 1, by: quantile}\n"), "{name}");
    }
    let ranks = |of: u64| {
        let family = family_with("second-order-mislead", &format!("hardest: {{of: {of}, by: quantile}}\n"));
        let mut maker = RowMaker::new(&family, 7, &[], OPTIONS);
        let all = (0..40).map(|index| number(&rows(&mut maker, index)[0], "quantile").unwrap());
        all.sum::<u64>() / 40
    };
    let (usual, hard) = (ranks(1), ranks(30));
    assert!((30..70).contains(&usual) && hard > 85, "{usual} {hard}");
}

/// What is wrong with a built-in board to which a line is added.
fn said(name: &str, line: &str) -> Vec<String> {
    let mut source = built_in(name).source;
    source.text.push_str(line);
    let problems = match parse(source) {
        Ok(board) => compile_family(&board, &[]).unwrap_err(),
        Err(broken) => broken.problems,
    };
    problems.into_iter().map(|problem| problem.message).collect()
}

#[test]
fn what_cannot_be_hardest_is_said() {
    for (name, line, wanted) in [
        ("first-order-mislead", "hardest: {of: 0, by: updates}", "the hardest is taken of 1 to 100000 walks"),
        ("first-order-mislead", "hardest: {of: 9, by: updates, question: 2}", "there is no such question"),
        (
            "first-order-mislead",
            "hardest: {of: 9, by: lower_orders_differ, question: 1}",
            "this question has no number `lower_orders_differ`",
        ),
        ("first-order-mislead", "hardest: {of: 9}", "`hardest` needs `by`"),
        (
            "first-order-mislead",
            "hardest: {of: 9, by: update}",
            "the hardest is chosen by one of `updates`, `bearing`, `between`, `after`, `lower_orders_differ`, `quantile`",
        ),
        ("dynamic-minds", "hardest: {of: 9, by: updates}", "this question has no number `updates`"),
        (
            "second-order-calibrated",
            "hardest: {of: 9, by: updates}",
            "shares cannot be balanced where only the hardest stories are told",
        ),
    ] {
        assert_eq!(said(name, line), [wanted], "{name} {line}");
    }
}

/// Stories are drawn until the question has the number that is demanded: the first such walk is told. And such stories satisfy the
/// storyboard as others do.
#[test]
fn the_first_story_that_is_as_difficult_as_demanded_is_told() {
    let (mut asked, mut missed) = (0, 0);
    let boards = [
        ("first-order-mislead", 0),
        ("second-order-mislead", 0),
        ("third-order-mislead", 0),
        ("hitom-like", 0),
        ("rumour", 0),
        ("dynamic-minds-free", 1),
    ];
    for (name, question) in part(boards, 1, 3) {
        let usual = family_with(name, "");
        let numbers: Vec<Hardness> = Hardness::COUNTED
            .into_iter()
            .filter(|by| {
                let line = format!("ensure: [{{difficulty: {{{}: 0..}}, question: {question}}}]\n", by.key());
                let mut source = built_in(name).source;
                source.text.push_str(&line);
                compile_family(&parse(source).unwrap(), &[]).is_ok()
            })
            .collect();
        assert!(numbers.len() >= 4, "{name}: {numbers:?}");
        for by in numbers {
            // The number that comes up most often.
            let (mut selector, mut story) = (Selector::new(&usual, 3), Story::default());
            let mut counts = BTreeMap::new();
            for index in 0..30 {
                selector.draw(index, &mut story);
                measured(selector.plan(), &story, by, question)
                    .into_iter()
                    .for_each(|number| *counts.entry(number).or_insert(0) += 1);
            }
            let (&wanted, _) = counts.iter().max_by_key(|(_, count)| **count).unwrap();
            let line =
                format!("ensure: [{{difficulty: {{{}: {wanted}}}, question: {question}}}]\n", by.key());
            let mut source = built_in(name).source;
            source.text.push_str(&line);
            let board = parse(source).unwrap();
            // Under some casts it may never come up.
            let Ok(admitted) = admit(&board, compile_family(&board, &[]).unwrap().plans) else { continue };
            asked += 1;
            let mut selector = Selector::new(&admitted.family, 7);
            for index in 0..times(4) {
                let attempts = selector.draw(index, &mut story);
                let plan = selector.plan();
                assert_eq!(measured(plan, &story, by, question), Some(wanted), "{name} {by:?} {index}");
                check(&board, &Claim::of(plan, &story)).unwrap();
                let (mut simulator, mut other) = (Simulator::new(plan, 7), Story::default());
                simulator.draw_cast(index, &mut other);
                for attempt in 0..attempts - 1 {
                    let is_story = simulator.draw_walk(index, attempt, &mut other);
                    let found = is_story.then(|| measured(plan, &other, by, question));
                    assert_ne!(found, Some(Some(wanted)), "{name} {by:?} {index}");
                    missed += 1;
                }
            }
        }
    }
    assert!(asked >= 5 && missed > asked, "{asked} {missed}");
}

/// Ranks are those among stories that meet all other goals: rows say so.
#[test]
fn ranks_are_demanded_of_rows() {
    let false_at_both = "{differs: [[S1, S2, T], [S2, T]]}, ";
    for (name, others, least, most) in [
        ("second-order-mislead", "", 0, 15),
        ("second-order-mislead", false_at_both, 80, 100),
        ("dynamic-minds-free", "", 60, 100),
    ] {
        let line = format!("ensure: [{others}{{difficulty: {least}..{most}}}]\n");
        let mut source = built_in(name).source;
        source.text.push_str(&line);
        let board = parse(source).unwrap();
        let admitted = admit(&board, compile_family(&board, &[]).unwrap().plans).unwrap();
        let family = admitted.family;
        let mut maker = RowMaker::new(&family, 7, &[], OPTIONS);
        for index in 0..times(6) {
            let row = &rows(&mut maker, index)[0];
            let quantile = number(row, "quantile").unwrap();
            assert!((least..=most).contains(&quantile), "{name}: {quantile}");
        }
        // Threads make the family again.
        let again = Family::with_weights(family.plans().to_vec(), family.weights().clone());
        let mut other = RowMaker::new(&again, 7, &[], OPTIONS);
        assert_eq!(rows(&mut maker, 3), rows(&mut other, 3));
        let share = 1.0 / admitted.acceptance.unwrap().attempts();
        let wanted = f64::from(u32::try_from(most - least).unwrap()) / 100.0;
        // Of questions about news, many are just as difficult, and so have the same rank.
        assert!((share - wanted).abs() < 0.16, "{name}: {share}, not {wanted}");
    }
}

#[test]
fn numbers_of_difficulty_are_balanced() {
    let text = "storysim: 1\nname: even\ncharacters: {pool: people, count: 4}\nroles: [S1, S2, T]\n\
                places: {complete: [a, b, c, d]}\nstart: a\nhorizon: 24\n\
                balance: {answer: uniform, updates: 0..4, lower_orders_differ: {0: 1/4, 1: 1/4, 2: 1/2}}\n\
                questions: [{belief: [S1, S2, T]}]\n";
    let board = parse(Source { name: "even.yaml".into(), text: text.into() }).unwrap();
    let family = Family::new(compile_family(&board, &[]).unwrap().plans);
    let mut maker = RowMaker::new(&family, 7, &[], OPTIONS);
    let mut counts: BTreeMap<(&str, u64), u64> = BTreeMap::new();
    let count = 3_000;
    for index in 0..count {
        let row = &rows(&mut maker, index)[0];
        for name in ["updates", "lower_orders_differ"] {
            *counts.entry((name, number(row, name).unwrap())).or_default() += 1;
        }
    }
    assert_eq!(counts.len(), 8, "{counts:?}");
    for ((name, value), found) in counts {
        let wanted = match (name, value) {
            ("updates", 0..=4) => 0.2,
            ("lower_orders_differ", 0 | 1) => 0.25,
            ("lower_orders_differ", 2) => 0.5,
            other => panic!("{other:?}"),
        };
        assert!((found as f64 / count as f64 - wanted).abs() < 0.04, "{name} {value}: {found}");
    }
}

/// Ranks only say which stories are told: the first of those that there are without them which has the rank.
#[test]
fn ranks_are_those_of_the_storyboard_without_them() {
    let (usual, hard) = (
        family_with("second-order-mislead", ""),
        family_with("second-order-mislead", "ensure: [{difficulty: 70..100}]\n"),
    );
    let mut sizes = Vec::new();
    for index in 0..times(10) {
        let (mut selector, mut story) = (Selector::new(&hard, 7), Story::default());
        let attempts = selector.draw(index, &mut story);
        let (mut all, mut other) = (Selector::new(&usual, 7), Story::default());
        let mut next = 0;
        while next < attempts {
            next = all.draw_from(index, next, &mut other);
        }
        assert_eq!(story, other);
        sizes.push(attempts);
        let row = |family: &Family, number: u64| {
            let mut maker = RowMaker::new(family, 7, &[], OPTIONS);
            rows(&mut maker, number).remove(0)
        };
        if attempts == 1 {
            assert_eq!(row(&usual, index), row(&hard, index));
        }
    }
    assert!(sizes.contains(&1) && sizes.iter().any(|&attempts| attempts > 1), "{sizes:?}");
}

/// Whatever else is demanded, stories are ranked among those that meet it, be it one goal or two.
#[test]
fn ranks_are_among_stories_that_meet_the_rest() {
    let made = |goals: &str| {
        let family = family_with("second-order-mislead", &format!("ensure: [{goals}]\n"));
        let mut maker = RowMaker::new(&family, 7, &[], OPTIONS);
        (0..3).flat_map(|index| rows(&mut maker, index)).collect::<Vec<Json>>()
    };
    let one = made("{difficulty: {updates: 4.., quantile: 60..}}");
    assert_eq!(one, made("{difficulty: {updates: 4..}}, {difficulty: 60..}"));
}

/// Ranks have shares, alone and together with others, and are those among stories without these shares; numbers have shares by
/// ranges.
#[test]
fn ranks_have_shares() {
    let made = |balance: &str| {
        let text = format!(
            "storysim: 1\nname: shares\ncharacters: {{pool: people, count: 4}}\nroles: [S1, S2, T]\n\
             places: {{complete: [a, b, c, d]}}\nstart: a\nhorizon: 24\n{balance}questions: [{{belief: [S1, S2, T]}}]\n"
        );
        let board = parse(Source { name: "shares.yaml".into(), text }).unwrap();
        admit(&board, compile_family(&board, &[]).unwrap().plans).unwrap().family
    };
    let ranks = "difficulty: {0..49: 1/8, 50..79: 1/8, 80..: 3/4}";
    for (usual, all) in [
        ("", format!("balance: {{{ranks}}}\n")),
        ("balance: {answer: uniform}\n", format!("balance: {{answer: uniform, {ranks}}}\n")),
        (
            "balance: {updates: {0..1: 1/2, 2..: 1/2}}\n",
            format!("balance: {{updates: {{0..1: 1/2, 2..: 1/2}}, {ranks}}}\n"),
        ),
    ] {
        let (usual, family) = (made(usual), made(&all));
        assert_eq!(ranking(&family), ranking(&usual), "{all}");
        let again = Family::with_weights(family.plans().to_vec(), family.weights().clone());
        let mut maker = RowMaker::new(&again, 7, &[], OPTIONS);
        let (mut counts, mut answers, mut updates) = ([0; 3], BTreeMap::new(), [0; 2]);
        for index in 0..2_000 {
            let row = &rows(&mut maker, index)[0];
            let rank = number(row, "quantile").unwrap();
            counts[usize::from(rank >= 50) + usize::from(rank >= 80)] += 1;
            *answers.entry(row["answer"].as_str().unwrap().to_owned()).or_insert(0) += 1;
            updates[usize::from(number(row, "updates").unwrap() >= 2)] += 1;
        }
        let is_near = |count: u64, share: f64| (count as f64 / 2_000.0 - share).abs() < 0.04;
        assert!(
            counts.into_iter().zip([0.125, 0.125, 0.75]).all(|(count, share)| is_near(count, share)),
            "{counts:?}"
        );
        if all.contains("answer") {
            assert!(answers.len() == 4 && answers.values().all(|&count| is_near(count, 0.25)), "{answers:?}");
        }
        if all.contains("updates") {
            assert!(updates.into_iter().all(|count| is_near(count, 0.5)), "{updates:?}");
        }
    }
}

/// Shares are those of the hard stories alone, and these are hard among all that are balanced.
#[test]
fn hard_stories_are_balanced_too() {
    let text = |goal: &str| {
        format!(
            "storysim: 1\nname: hard\ncharacters: {{pool: people, count: 4}}\nroles: [S1, S2, T]\n\
             places: {{complete: [a, b, c, d]}}\nstart: a\nhorizon: 24\n{goal}\
             balance: {{answer: uniform, false_belief: 1/2, last_common_place: 1/4}}\n\
             questions: [{{belief: [S1, S2, T]}}]\n"
        )
    };
    let made = |goal: &str| {
        let board = parse(Source { name: "hard.yaml".into(), text: text(goal) }).unwrap();
        admit(&board, compile_family(&board, &[]).unwrap().plans).unwrap()
    };
    let hard = made("ensure: [{difficulty: 70..100}]\n");
    let again = Family::with_weights(hard.family.plans().to_vec(), hard.family.weights().clone());
    let mut maker = RowMaker::new(&again, 7, &[], OPTIONS);
    let (mut right, mut counts) = ([0; 3], BTreeMap::new());
    for index in 0..2_000 {
        let row = &rows(&mut maker, index)[0];
        assert!(number(row, "quantile").unwrap() >= 70, "{row}");
        let common = &row["foils"]["last_common_place"];
        right[0] += usize::from(row["false_belief"] == true);
        right[1] += usize::from(*common == row["answer"]);
        right[2] += usize::from(!common.is_null());
        *counts.entry(row["answer"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    let share = |number: usize, of: usize| number as f64 / of as f64;
    let is_even = |number: &usize| (share(*number, 2_000) - 0.25).abs() < 0.04;
    assert!(counts.len() == 4 && counts.values().all(is_even), "{counts:?}");
    let [of_false, of_common, common] = right;
    assert!((share(of_false, 2_000) - 0.5).abs() < 0.04, "{right:?}");
    assert!((share(of_common, common) - 0.25).abs() < 0.05, "{right:?}");
    let mut other = RowMaker::new(&hard.family, 7, &[], OPTIONS);
    assert!(
        (0..20).all(|index| rows(&mut maker, index) == rows(&mut other, index)),
        "threads make the same rows"
    );
    // What is hard among balanced stories: some three in ten.
    let usual = made("");
    let [some, all] = [&hard, &usual].map(|made| 1.0 / made.acceptance.as_ref().unwrap().attempts());
    assert!(some < all, "{some} {all}");
    assert_eq!(ranking(&again), ranking(&usual.family), "what is hard is so among all that are balanced");
    // What `fit` keeps for the one is of no use for the other.
    let mut fits = Fits::default();
    fits.add(usual.family.plans(), usual.family.weights().clone());
    assert!(fits.find(usual.family.plans()).is_some() && fits.find(hard.family.plans()).is_none());
    fits.add(hard.family.plans(), hard.family.weights().clone());
    let kept = Fits::read(&fits.write()).unwrap();
    assert_eq!(kept.find(hard.family.plans()), Some(hard.family.weights()));
}

#[test]
fn what_cannot_be_demanded_is_said() {
    for (name, goal, wanted) in [
        ("first-order-mislead", "difficulty: 101..", "a quantile is at most 100"),
        ("first-order-mislead", "difficulty: 80..1000", "a quantile is at most 100"),
        ("first-order-mislead", "difficulty: hard", "no parameter is called `hard`"),
        (
            "phone-numbers",
            "difficulty: {lower_orders_differ: 0..}, question: 1",
            "this question has no number `lower_orders_differ`",
        ),
        ("first-order-mislead", "difficulty: 5..3", "no number is in this range"),
        ("first-order-mislead", "difficulty: ..-1", "no number is in this range"),
        ("first-order-mislead", "difficulty: ..", "this range has no ends"),
        ("first-order-mislead", "difficulty: {}", "this demands nothing"),
        ("first-order-mislead", "difficulty: [1, 2]", "a range has to be a single value"),
        ("first-order-mislead", "difficulty: {people: 3}", "`difficulty` has no key `people`"),
        ("first-order-mislead", "difficulty: 3, question: 2", "there is no such question"),
        ("first-order-mislead", "difficulty: 3, question: -1", "there is no such question"),
        ("first-order-mislead", "difficulty: 3, is: 2", "`difficulty` does not take `is`"),
        ("first-order-mislead", "difficulty: {updates: n..}", "no parameter is called `n`"),
        (
            "dynamic-minds-free",
            "difficulty: {updates: 1}, question: 1",
            "this question has no number `updates`",
        ),
        (
            "first-order-mislead",
            "difficulty: {lower_orders_differ: 1}, question: 1",
            "this question has no number `lower_orders_differ`",
        ),
    ] {
        assert_eq!(said(name, &format!("ensure: [{{{goal}}}]")), [wanted], "{name} {goal}");
    }
    let mut source = built_in("first-order-mislead").source;
    source.text.push_str("ensure: [{difficulty: {updates: 100..}}]\n");
    let board = parse(source).unwrap();
    let plans = compile_family(&board, &[]).unwrap().plans;
    let problem = admit(&board, plans).unwrap_err();
    assert!(
        problem.message.contains("stories that meet the conditions met this goal"),
        "{}",
        problem.message
    );
    let help = problem.help.unwrap();
    assert!(help.contains("In 200 stories, of question 0, `updates` was "), "{help}");
}

/// Shares and a goal of the same number of the same question have to go together; and where shares cannot be reached at all, that is
/// said, whatever ranks are demanded.
#[test]
fn shares_that_a_goal_rules_out_are_refused() {
    let text = |lines: &str| {
        format!(
            "storysim: 1\nname: t\ncharacters: {{pool: people, count: 4}}\nroles: [S1, S2, T]\n\
             places: {{complete: [a, b, c, d]}}\nstart: a\nhorizon: 12\n{lines}\n\
             questions: [{{belief: [S1, S2, T]}}, {{belief: [S2, T]}}]\n"
        )
    };
    let made_of = |text: String| -> Vec<String> {
        let board = match parse(Source { name: "t.yaml".into(), text }) {
            Err(broken) => return broken.problems.into_iter().map(|problem| problem.message).collect(),
            Ok(board) => board,
        };
        match compile_family(&board, &[]) {
            Err(problems) => problems.into_iter().map(|problem| problem.message).collect(),
            Ok(found) => {
                admit(&board, found.plans).err().map(|problem| problem.message).into_iter().collect()
            }
        }
    };
    let made = |lines: &str| made_of(text(lines));
    let both = "ensure: [{difficulty: {updates: 2..}}]\nbalance: {updates: 1..3}";
    assert_eq!(made(both), ["`updates` is to be 1 in some rows, and never in any"]);
    let ranks = "ensure: [{difficulty: 60..}]\nbalance: {difficulty: {0..49: 1/2, 50..100: 1/2}}";
    assert_eq!(made(ranks), ["`difficulty` is to be 0 to 49 in some rows, and never in any"]);
    let mixed = "balance: {difficulty: {0..60: 1/2, 60..100: 1/2}}";
    assert_eq!(made(mixed), ["two of these shares are of the same value"]);
    assert_eq!(made("balance: {difficulty: 80..101}"), ["a quantile is at most 100"]);
    for wrong in ["balance: {difficulty: {80..101: 1}}", "balance: {difficulty: {9..3: 1/2, 10..: 1/2}}"] {
        assert_eq!(made(wrong), ["this has to be a number from 0 to 100, or a range such as `3..5`"]);
    }
    // Ranks may be open to one side. Of other numbers, each is to be equally frequent.
    for fine in part(["{80..: 1/2, ..9: 1/2}", "80..", "..20", "'80..'"], 0, 2) {
        assert_eq!(made(&format!("balance: {{difficulty: {fine}}}")), Vec::<String>::new(), "{fine}");
    }
    let open = "in this range each number is equally frequent, so it needs a last one";
    assert_eq!(made("balance: {updates: 2..}"), [open]);
    assert_eq!(made("balance: {difficulty: 101..}"), ["a quantile is at most 100"]);
    for wrong in ["..", "9..3", "-1..3", "a.."] {
        let range = "write a range as `0..5` or `3..`, with its ends included";
        assert_eq!(made(&format!("balance: {{difficulty: {wrong}}}")), [range], "{wrong}");
    }
    // Which of several questions is asked, a story's number decides; so no other events may make it difficult.
    let open = ["difficulty cannot be demanded of a question that leaves open whom or what it is about"];
    for demanded in ["80..", "{updates: 3..}"] {
        let lines = format!("groups: {{folk: [S1, S2]}}\nensure: [{{difficulty: {demanded}}}]");
        let text = text(&lines).replace("[{belief: [S1, S2, T]}", "[{belief: [folk, T]}");
        assert_eq!(made_of(text.clone()), open, "{demanded}");
        let of_other =
            text.replace(&format!("{{difficulty: {demanded}}}"), "{difficulty: 20.., question: 1}");
        assert_eq!(made_of(of_other), Vec::<String>::new(), "{demanded}");
    }
    assert_eq!(made("balance: {quantile: 80..100}"), ["`quantile` cannot be balanced"]);
    let uniform = "`difficulty` takes a map from ranges to shares, such as `{0..79: 1/2, 80..100: 1/2}`";
    assert_eq!(made("balance: {difficulty: uniform}"), [uniform]);
    let of_others = "ensure: [{difficulty: {updates: 1..}, question: 1}]\nbalance: {updates: 0..2}";
    assert_eq!(made(of_others), Vec::<String>::new());
    assert_eq!(made("balance: {question: 1, updates: 2}"), Vec::<String>::new());
    let never = made("ensure: [{difficulty: 60..}]\nbalance: {updates: {0: 1/2, 19: 1/2}}");
    assert_eq!(never, ["these shares are of values that no story has"]);
}
