//! Questions of woven boards that leave open who of a group is named.

use serde_json::Value;
use storysim::verify::Inspector;

use super::*;

const WATCHED: &str = "storysim: 1\nname: watched\ncharacters: {pool: people, count: 4}\nroles: [S1, S2, T]\n\
                       groups: {watchers: [S1, S2]}\nplaces: {complete: [p1, q1, r1]}\nstart: p1\nhorizon: 16\n\
                       questions: [{belief: [watchers, T]}, {belief: [watchers, watchers, T]}, {belief: [S1, T]}, \
                       {reality: T}]\n";

const KEPT: &str = "storysim: 1\nname: kept\ncharacters: {pool: people, count: 5}\nroles: [S1, S2, T]\n\
                    groups: {watchers: [S1, S2, T], pair: [S1, T]}\nplaces: {complete: [p2, q2, r2]}\nstart: p2\nhorizon: 16\n\
                    containers: {box: p2, bag: q2}\nobjects: {plum: {in: [box, bag]}}\n\
                    play: {move: 3, move_object: 1, take: 1, put: 1}\n\
                    questions: [{reality: plum}, {belief: [watchers, plum]}, {who_knows: plum, of: [watchers, watchers]}, \
                    {knows: [pair, S2, plum]}]\n";

/// Two boards with a group of the same name, in the order in which they are woven.
const WOVEN: &str = "storysim: 1\nname: woven\nweave:\n- watched.yaml\n\
                     - {board: kept.yaml, rename: {S1: A, S2: B, T: U, pair: two}}\n";

fn open_board(text: &str) -> Storyboard {
    let file = |name: String| {
        let text = if name == "watched.yaml" { WATCHED } else { KEPT };
        NamedFile { path: name.clone(), text: Ok(text.to_owned()), name }
    };
    let files = woven_files(&source(text)).into_iter().map(file).collect();
    parse_beside(source(text), files).unwrap_or_else(|broken| panic!("{:?}", broken.problems))
}

/// The roles of the people whom a row names in a field.
fn roles(row: &Value, field: &str) -> Vec<String> {
    let cast = row["cast"].as_object().unwrap();
    let role = |name: &Value| cast.iter().find(|(_, who)| *who == name).unwrap().0.clone();
    row[field].as_array().into_iter().flatten().map(role).collect()
}

#[test]
fn each_of_a_group_is_named_as_often() {
    let board = open_board(WOVEN);
    let family = family(&board);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    let stories = times(300);
    let mut named: BTreeMap<(u64, Vec<String>), u64> = BTreeMap::new();
    for index in 0..stories {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        let inspector = Inspector::new(maker.plan(), 7, &[]);
        assert_eq!(inspector.inspect(maker.story(), &rows), [], "{index}");
        for row in rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap()) {
            let question = row["id"].as_str().unwrap().rsplit('/').next().unwrap().parse().unwrap();
            let mut who = roles(&row, if row["of"].is_null() { "chain" } else { "of" });
            if !row["of"].is_null() {
                who.sort_unstable(); // names come in the order of the pool
            }
            *named.entry((question, who)).or_default() += 1;
        }
    }
    let ways: [&[&[&str]]; 8] = [
        &[&["S1"], &["S2"]],
        &[&["S1", "S2"], &["S2", "S1"]],
        &[&["S1"]],
        &[&[]],
        &[&[]],
        &[&["A"], &["B"], &["U"]],
        &[&["A", "B"], &["A", "U"], &["B", "U"]],
        &[&["A", "B"], &["U", "B"]],
    ];
    for (question, ways) in (0..).zip(ways) {
        let own = named.iter().filter(|((number, _), _)| *number == question);
        let found: BTreeMap<Vec<&str>, u64> =
            own.map(|((_, who), count)| (who.iter().map(String::as_str).collect(), *count)).collect();
        let wanted: BTreeSet<Vec<&str>> = ways.iter().map(|way| way.to_vec()).collect();
        assert!(found.keys().eq(wanted.iter()), "question {question}: {found:?}");
        // Some stories have no answer, and which these are may depend on who is named.
        let share = 1.0 / ways.len() as f64;
        let bound = 5.0 * (share * (1.0 - share) * stories as f64).sqrt() + 0.1 * stories as f64;
        for (who, count) in &found {
            assert!(
                (*count as f64 - share * stories as f64).abs() < bound,
                "question {question}: {who:?} {found:?}"
            );
        }
    }
}

/// The answer is that of the board's own story to the question that names the same people.
#[test]
fn open_questions_have_the_answers_of_their_board() {
    let board = open_board(WOVEN);
    let family = family(&board);
    let mut selector = Selector::new(&family, 3);
    let mut story = Story::default();
    let mut compared = 0;
    for index in 0..times(60) {
        selector.draw(index, &mut story);
        let plan = selector.plan();
        let planned = plan.weave.as_ref().unwrap();
        let own = own_stories(plan, &story);
        let own_plan = planned.plan(0);
        for answered in Asker::new(plan, 3).ask(&story) {
            // The first board comes first, and its people only walk.
            if answered.question >= own_plan.questions.len() {
                continue;
            }
            let mut alone = Asker::of_one(own_plan, answered.question, false);
            let place = |answer: Option<Answer>| answer.and_then(Answer::place).map(PlaceId::index);
            assert_eq!(place(answered.answer), place(alone.ask(&own[0])[0].answer), "{index}");
            compared += 1;
        }
    }
    assert!(compared > 3 * times(60), "{compared}");
}

/// A story and its twin name the same people.
#[test]
fn twins_are_asked_the_same_open_questions() {
    let board = open_board(WOVEN);
    let family = admit_twins(&board, family(&board)).unwrap();
    assert_eq!(family.weights().twinless, [1], "all beliefs of the second board are left open");
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default()).with(&board, Twinning::Pairs);
    let mut pairs = 0;
    for index in 0..times(40) {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        for row in &rows {
            let Some(twin) = rows.iter().find(|other| other["id"] == row["twin"]) else { continue };
            assert_eq!((&row["chain"], &row["of"]), (&twin["chain"], &twin["of"]), "{}", row["id"]);
            pairs += 1;
        }
    }
    assert!(pairs > 2 * times(40), "{pairs}");
    let none = "storysim: 1\nname: t\nweave:\n- kept.yaml\n- {board: walks.yaml, rename: {S1: A, S2: B, T: U, box: chest, \
                bag: sack, plum: fig}}\n";
    let text = KEPT.replace("p2", "p3").replace("q2", "q3").replace("r2", "r3");
    let file =
        |name: &str, text: &str| NamedFile { name: name.into(), path: name.into(), text: Ok(text.into()) };
    let files = vec![file("kept.yaml", KEPT), file("walks.yaml", &text)];
    let none = parse_beside(source(none), files).unwrap_or_else(|broken| panic!("{:?}", broken.problems));
    let problem = admit_twins(&none, self::family(&none)).unwrap_err();
    assert!(
        problem.message.starts_with("none of these boards asks for the same belief"),
        "{}",
        problem.message
    );
}
