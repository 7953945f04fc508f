//! Woven stories: every board's own story is in them, step by step, with its answers; and nothing else happens.

mod open;
mod things;
mod twins;
mod wrong;

use std::collections::{BTreeMap, BTreeSet};

use storysim::adherence::{Judge, Row};
use storysim::check::{Claim, check, violations};
use storysim::compile::{compile, compile_family, woven_coincidence};
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::{Source, Span};
use storysim::id::{CharacterId, PlaceId};
use storysim::plan::Plan;
use storysim::question::{Answer, Asker, DifficultyGauge};
use storysim::select::{
    Family, Selector, Triplets, Twin, Twinning, Twins, admit, admit_triplets, admit_twins, ranking,
};
use storysim::simulate::Story;
use storysim::storyboard::{
    BUILT_IN, NamedFile, Storyboard, built_in_source, parse, parse_beside, woven_files,
};
use storysim::world::Event;

use crate::effort::times;
use crate::oracle::independent_answer;

const APART: &str = "storysim: 1\nname: apart\nweave:\n- second-order-mislead\n\
                     - {board: third-order-mislead-ship, rename: {S1: A, S2: B, S3: C, T: U}}\n";
const SHARED: &str = "storysim: 1\nname: shared\nmaps: shared\nparameters: {distance: 12}\nweave:\n\
                      - {board: first-order-mislead, set: {mislead_distance: distance}}\n\
                      - {board: third-order-mislead, rename: {S1: A, S2: B, S3: C, T: U}}\n\
                      - {board: second-order-mislead, rename: {S1: K, S2: L, T: M}}\n";
/// Goals that stories are drawn again for, and numbers that are drawn.
const DRAWN: &str = "storysim: 1\nname: drawn\nweave:\n- second-order-goal\n\
                     - {board: small.yaml, rename: {S1: A, T: U}}\n- {board: other.yaml, rename: {S1: B, T: V, a: d, steps: n}, \
                     set: {people: 4}}\n";
/// People who only walk, on one map, and notes in each board.
const NOTED: &str = "storysim: 1\nname: noted\nmaps: shared\nweave:\n- noted.yaml\n\
                     - {board: noted.yaml, rename: {S1: A, T: U, steps: n}}\n";
const TWINNED: &str = "storysim: 1\nname: twinned\nweave:\n- second-order-mislead\n\
                       - {board: walks.yaml, rename: {S1: A, T: U}}\n- {board: more.yaml, rename: {S1: B, T: V, steps: n}}\n";
const WALKS: &str = "storysim: 1\nname: walks\ncharacters: {pool: people, count: 4}\nroles: [S1, T]\nstart: p1\n\
                     places: {complete: [p1, q1, r1, s1]}\ndraw: {steps: [20, 22]}\nhorizon: steps\n\
                     questions: [{reality: T}, {belief: [S1, T]}]\n";
const SMALL: &str = "storysim: 1\nname: small\ncharacters: {pool: [Ann, Bob, Cas, Dan, Eve], count: people}\nroles: [S1, T]\n\
                     places: {a1: [b1], b1: [a1, c1], c1: [b1]}\nstart: drawn\nbind: {a: {}}\n\
                     draw: {people: [2, 4], steps: [3, 6]}\nhorizon: steps\n\
                     events: [{from: 0, until: steps, avoid: {who: S1, place: a}}]\n\
                     questions: [{belief: [S1, T]}, {reality: S1}, {start: T}]\n";

fn source(text: &str) -> Source {
    Source { name: "woven.yaml".into(), text: text.into() }
}

fn board(text: &str) -> Storyboard {
    let text_of = |name: &str| {
        match name {
        "other.yaml" => SMALL.replace("a1", "a2").replace("b1", "b2").replace("c1", "c2"),
        "walks.yaml" => WALKS.to_owned(),
        "noted.yaml" => SMALL.replace(
            "events: [",
            "events: [{at: 1, note: \"{S1} thinks of {a}.\"}, {at: 2, note: Nobody minds.}, ",
        ),
        "farm.yaml" => "storysim_pack: 1\nkind: setting\nname: farm\nabout: on a farm\ncharacters: [Ann, Bob, Cas, Dee]\n\
                        places: {complete: [the_barn, the_yard, the_field]}\nstart: the_yard\nverb: plods to\n"
            .to_owned(),
        "hard.yaml" => format!("{WALKS}balance: {{question: 1, difficulty: 50..}}\n"),
        "more.yaml" => ["p", "q", "r", "s"]
            .iter()
            .fold(WALKS.to_owned(), |text, place| text.replace(&format!("{place}1"), &format!("{place}2"))),
        _ => SMALL.to_owned(),
    }
    };
    let file = |name: String| NamedFile { path: name.clone(), text: Ok(text_of(&name)), name };
    let files = woven_files(&source(text)).into_iter().map(file).collect();
    parse_beside(source(text), files).unwrap_or_else(|broken| panic!("{:?}", broken.problems))
}

fn family(board: &Storyboard) -> Family {
    let plans = compile_family(board, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).plans;
    admit(board, plans).unwrap_or_else(|problem| panic!("{problem:?}")).family
}

/// The story of each strand, cut out of a woven one by who acts.
fn own_stories(plan: &Plan, story: &Story) -> Vec<Story> {
    let planned = plan.weave.as_ref().unwrap();
    let own = |(at, strand): (usize, &storysim::plan::PlannedStrand)| {
        let person = |who: CharacterId| strand.people.iter().position(|&other| other == who);
        let place = |at: PlaceId| PlaceId::new(strand.places.iter().position(|&other| other == at).unwrap());
        let events = story.trace.events.iter().filter_map(|event| {
            let who = CharacterId::new(person(event.who)?);
            Some(Event { who, from: place(event.from), to: place(event.to) })
        });
        let start = strand.people.iter().map(|who| place(story.trace.start[who.index()])).collect();
        let trace = storysim::trace::Trace::of_moves(start, events.collect());
        let names = (0..planned.plan(at).character_count).collect();
        Story { index: story.index, cast: story.strands[at], names, trace, ..Story::default() }
    };
    planned.strands.iter().enumerate().map(own).collect()
}

/// A board's own questions are ranked among its own stories, whether these are woven or not; and woven ones can be ranked, too.
#[test]
fn a_board_keeps_its_shares_of_quantiles_when_it_is_woven() {
    let board =
        board("storysim: 1\nname: ranked\nweave:\n- {board: hard.yaml, rename: {S1: A}}\n- sally-anne\n");
    let family = family(&board);
    let options = RowOptions { with_difficulty: true, ..RowOptions::WITH_EVENTS };
    let (mut maker, mut rows) = (RowMaker::new(&family, 7, &[], options), String::new());
    let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
    for index in 0..times(20) {
        selector.draw(index, &mut story);
        let plan = selector.plan();
        let (own, of_strand) = (&own_stories(plan, &story)[0], plan.weave.as_ref().unwrap().plan(0));
        let asked = Asker::new(of_strand, 7).ask(own).iter().find(|answered| answered.question == 1).cloned();
        let difficulty = DifficultyGauge::new(of_strand).measure(own, &asked.unwrap());
        let quantile = ranking(&family.strands()[0]).quantile(1, &difficulty);
        assert!(quantile >= Some(50), "{index}: {quantile:?}");
        maker.rows(index, &mut rows);
    }
    assert!(rows.lines().count() > 20 && rows.lines().all(|row| row.contains("\"quantile\":")), "{rows}");
}

#[test]
fn every_board_tells_a_story_of_its_own() {
    let mut asked = 0;
    for text in [APART, SHARED, DRAWN] {
        let board = board(text);
        let (family, name) = (family(&board), &board.name.value);
        let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
        for index in 0..times(60) {
            selector.draw(index, &mut story);
            let plan = selector.plan();
            check(&board, &Claim::of(plan, &story)).unwrap_or_else(|wrong| panic!("{name} {index}: {wrong}"));
            let (planned, weave) = (plan.weave.as_ref().unwrap(), board.weave.as_ref().unwrap());
            assert_eq!(story.names.iter().collect::<BTreeSet<_>>().len(), plan.character_count);
            let woven = Asker::new(plan, 7).ask(&story).to_vec();
            let mut first = 0;
            for (at, own) in own_stories(plan, &story).iter().enumerate() {
                let (of_strand, strand) = (planned.plan(at), &planned.strands[at]);
                assert_eq!(own.trace.events.len(), of_strand.horizon);
                check(&weave.strands[at].board, &Claim::of(of_strand, own))
                    .unwrap_or_else(|wrong| panic!("{name} {index} {at}: {wrong}"));
                // The answers are those of the board's own story, and those of the definition.
                for answered in Asker::new(of_strand, 7).ask(own) {
                    let number = first + answered.question;
                    let found = woven.iter().find(|woven| woven.question == number).unwrap();
                    let Some(Answer::Place(place)) = answered.answer else { panic!("a place") };
                    let expected = Some(Answer::Place(strand.places[place.index()]));
                    assert_eq!(found.answer, expected, "{name} {index} {number}");
                    assert_eq!(independent_answer(&story.trace, &plan.questions[number]), expected);
                    assert!(found.choices.contains(&found.answer.unwrap()));
                    // Where maps are apart, only the board's own places are offered.
                    let places: Vec<Answer> =
                        strand.places.iter().map(|&place| Answer::Place(place)).collect();
                    assert!(found.choices.iter().all(|choice| places.contains(choice)));
                    // The evidence is the same, at the steps of the woven story.
                    let steps: Vec<usize> = (0..story.trace.events.len())
                        .filter(|&step| strand.people.contains(&story.trace.events[step].who))
                        .collect();
                    let evidence: Vec<usize> = answered.evidence.iter().map(|&step| steps[step]).collect();
                    assert_eq!(found.evidence, evidence, "{name} {index} {number}");
                    asked += 1;
                }
                first += of_strand.questions.len();
            }
            assert_eq!(first, plan.questions.len());
        }
    }
    assert!(asked > 400, "{asked}");
}

/// The strands' stories are those that they would draw alone; so shares and goals are theirs.
#[test]
fn strands_know_nothing_of_each_other() {
    let one = board(APART);
    let other = board(
        &APART
            .replace("third-order-mislead-ship", "first-order-mislead-ship")
            .replace("rename: {S1: A, S2: B, S3: C, T: U}", "rename: {S1: A, T: U}"),
    );
    let families = [family(&one), family(&other)];
    let mut selectors = families.each_ref().map(|family| Selector::new(family, 7));
    let (mut story, mut again) = (Story::default(), Story::default());
    for index in 0..times(40) {
        selectors[0].draw(index, &mut story);
        selectors[1].draw(index, &mut again);
        let [one, other] = [(&selectors[0], &story), (&selectors[1], &again)]
            .map(|(of, story)| own_stories(of.plan(), story));
        assert_eq!(one[0].trace, other[0].trace, "{index}");
        assert_ne!(one[1].trace, other[1].trace, "{index}");
    }
}

/// Two boards alike, woven under names of their own, do not tell the same.
#[test]
fn a_board_woven_with_itself_tells_two_stories() {
    let text = "storysim: 1\nname: twice\nmaps: shared\nweave: [small.yaml, {board: small.yaml, rename: {S1: A, T: U}}]\n";
    let board = board(text);
    let family = family(&board);
    let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
    let mut same = 0;
    for index in 0..300 {
        selector.draw(index, &mut story);
        let own = own_stories(selector.plan(), &story);
        same += usize::from(own[0].trace == own[1].trace);
    }
    assert!(same < 10, "{same}");
}

/// A board in a setting is the board that is in it by name, or that stands in the setting's file; and one board can be told in
/// several of them.
#[test]
fn boards_have_settings() {
    let rows = |boards: &str| {
        let board = board(&format!("storysim: 1\nname: set\nweave:\n- small.yaml\n{boards}"));
        let family = family(&board);
        let (mut maker, mut rows) = (RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS), String::new());
        for index in 0..times(20) {
            maker.rows(index, &mut rows);
        }
        rows
    };
    let renamed = "rename: {S1: A, S2: B, T: U}}\n";
    let by_name = rows(&format!("- {{board: second-order-mislead-ship, {renamed}"));
    assert_eq!(by_name, rows(&format!("- {{board: second-order-mislead, setting: ship, {renamed}")));
    assert!(by_name.contains(" goes to the bridge. "));
    let twice = rows(&format!(
        "- {{board: second-order-mislead, setting: ship, {renamed}- {{board: walks.yaml, setting: farm.yaml, \
         rename: {{S1: K, T: L, steps: n}}}}\n- {{board: second-order-mislead, setting: museum, rename: {{S1: M, S2: N, \
         T: O}}}}\n"
    ));
    for row in twice.lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        let told = row["story"].as_str().unwrap();
        assert!(told.contains(" plods to the barn. ") && !told.contains("p1"), "{told}");
        assert!(
            [" goes to the bridge", " walks into the armoury"].iter().all(|said| told.contains(said)),
            "{told}"
        );
    }
}

/// Three boards of so few steps that all their stories can be met.
fn tiny() -> Storyboard {
    let small = "storysim: 1\nname: NAME\ncharacters: {pool: people, count: 2}\nroles: [T]\nplaces: {complete: [a, b]}\n\
                 start: a\nhorizon: STEPS\nquestions: [{reality: T}]\n";
    let file = |name: &str, steps: &str| NamedFile {
        name: name.into(),
        path: name.into(),
        text: Ok(small.replace("NAME", name).replace("STEPS", steps)),
    };
    // The places of boards that share a map may stand in another order.
    let other_order =
        |file: NamedFile| NamedFile { text: file.text.map(|text| text.replace("[a, b]", "[b, a]")), ..file };
    let text = "storysim: 1\nname: orders\nmaps: shared\ncharacters: {pool: [Ann, Bob, Cas, Dan, Eve, Fay]}\n\
                weave: [two, {board: three, rename: {T: U}}, {board: one, rename: {T: V}}]\n";
    parse_beside(source(text), vec![file("two", "2"), other_order(file("three", "3")), file("one", "1")])
        .unwrap()
}

#[test]
fn every_interleaving_is_as_likely_as_any_other() {
    let board = tiny();
    let family = family(&board);
    let (mut selector, mut story) = (Selector::new(&family, 3), Story::default());
    let (mut counts, mut names) = (BTreeMap::new(), BTreeSet::new());
    const STORIES: usize = 30_000;
    for index in 0..STORIES as u64 {
        selector.draw(index, &mut story);
        let strands = &selector.plan().weave.as_ref().unwrap().strands;
        let strand =
            |event: &Event| strands.iter().position(|strand| strand.people.contains(&event.who)).unwrap();
        let order: Vec<usize> = story.trace.events.iter().map(strand).collect();
        check(&board, &Claim::of(selector.plan(), &story)).unwrap();
        names.insert(story.names.clone());
        *counts.entry(order).or_insert(0) += 1;
    }
    // Six people bear six names in 6! ways.
    assert_eq!(names.len(), 720);
    // 6! / (2! 3! 1!)
    assert_eq!(counts.len(), 60);
    let expected = STORIES as f64 / 60.0;
    let squares: f64 = counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    // Of 59 degrees of freedom; above 110 once in 30,000 times.
    assert!(squares < 110.0, "{squares}");
}

/// Two stories are the same no more often than the bound says.
#[test]
fn equal_stories_are_as_rare_as_is_said() {
    let board = tiny();
    let family = family(&board);
    let bound = woven_coincidence(board.weave.as_ref().unwrap(), family.plans());
    let (mut selector, mut story) = (Selector::new(&family, 3), Story::default());
    const STORIES: usize = 4_000;
    let mut counts: BTreeMap<_, u64> = BTreeMap::new();
    for index in 0..STORIES as u64 {
        selector.draw(index, &mut story);
        let told = story.trace.events.iter().map(|event| (story.names[event.who.index()], event.to));
        *counts.entry(told.collect::<Vec<_>>()).or_default() += 1;
    }
    let pairs: u64 = counts.values().map(|count| count * (count - 1) / 2).sum();
    let share = pairs as f64 / (STORIES * (STORIES - 1) / 2) as f64;
    assert!(pairs > 10 && share <= 10_f64.powf(bound) && bound < -1.5, "{share} {bound}");
}

#[test]
fn casts_are_all_combinations_of_those_of_the_boards() {
    let alone = ["second-order-mislead", "third-order-mislead-ship"].map(|name| {
        let source = built_in_source(name).unwrap().unwrap();
        compile(&parse(source).unwrap(), &[]).unwrap().plan
    });
    let plan = compile(&board(APART), &[]).unwrap().plan;
    assert_eq!(plan.cast_count(), alone[0].casts.len() * alone[1].casts.len());
    assert_eq!(plan.odds.cast_count, alone[0].odds.cast_count * alone[1].odds.cast_count);
    assert!(plan.cast_count() > 1_000);
}

#[test]
fn a_story_follows_from_its_index_alone() {
    for text in [APART, TWINNED] {
        let board = board(text);
        let family = family(&board);
        let admitted = admit_twins(&board, family.clone()).unwrap();
        for twins in [false, true] {
            let make = || {
                let maker = RowMaker::new(&admitted, 7, &[], RowOptions::WITH_EVENTS);
                if twins { maker.with(&board, Twinning::Pairs) } else { maker }
            };
            let (mut all, mut rows) = (make(), Vec::new());
            for index in 0..12 {
                let mut text = String::new();
                all.rows(index, &mut text);
                rows.push(text);
            }
            for index in [11, 3, 7] {
                let mut text = String::new();
                make().rows(index, &mut text);
                assert_eq!(text, rows[index as usize], "{index}");
            }
        }
    }
}

#[test]
fn rows_read_like_those_of_any_storyboard() {
    let mut noted = 0;
    for text in [APART, SHARED, NOTED] {
        for wording in ["plain", "varied"] {
            let board = board(text).reworded(wording);
            let family = family(&board);
            let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
            for index in 0..times(10) {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                for row in rows.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap()) {
                    let told = Row::new(&row).unwrap();
                    let judge = Judge::new(&board, &told.parameters);
                    let account = told.account(&board, judge.reader());
                    let account = account.unwrap_or_else(|problem| panic!("{problem:?}"));
                    // From the text alone, the same people go to the same places in the same order.
                    let read: Vec<_> = account.told.iter().map(|told| (told.who, told.to.unwrap())).collect();
                    let claim = Claim::of(maker.plan(), maker.story());
                    let expected: Vec<_> = claim.events.iter().map(|&(who, _, to)| (who, to)).collect();
                    assert_eq!(read, expected);
                    let verdict = judge.judge(&account, &told.cast).unwrap();
                    assert!(verdict.violations.is_empty(), "{index}: {:?}", verdict.violations);
                    noted += account.notes.map_or(0, |notes| notes.len());
                }
            }
        }
    }
    // Each board of `NOTED` has two.
    assert!(noted > 40, "{noted}");
}

/// Whoever belongs to a board moves as that board says it.
#[test]
fn people_move_in_the_words_of_their_board() {
    let one = SMALL.replace("start: drawn", "start: a1\nverb: [strolls to, ambles to]");
    let other = SMALL.replace("a1", "a2").replace("b1", "b2").replace("c1", "c2") + "verb: rushes to\n";
    let file = |name: &str, text: String| NamedFile { name: name.into(), path: name.into(), text: Ok(text) };
    let text = "storysim: 1\nname: t\nweave: [one.yaml, {board: other.yaml, rename: {S1: A, T: B}}]\n";
    let board = parse_beside(source(text), vec![file("one.yaml", one), file("other.yaml", other)]).unwrap();
    let family = family(&board);
    let (mut maker, mut seen) = (RowMaker::new(&family, 7, &[], RowOptions::default()), BTreeSet::new());
    for index in 0..30 {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
        for sentence in row["story"].as_str().unwrap().trim_end_matches('.').split(". ") {
            let (verb, place) = sentence.split_once(" to ").unwrap();
            let verb = verb.split_once(' ').unwrap().1;
            assert_eq!(verb == "rushes", place.ends_with('2'), "{sentence}");
            seen.insert(verb.to_owned());
        }
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
}

#[test]
fn numbers_of_rows_say_which_plan_a_story_has() {
    let board = board(DRAWN);
    let family = family(&board);
    assert_eq!(family.plans().len(), 12 * 4);
    let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
    let mut seen = BTreeSet::new();
    for index in 0..300 {
        selector.draw(index, &mut story);
        let plan = selector.plan();
        seen.insert(selector.plan_number());
        let names: Vec<&str> = plan.parameters.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["people", "steps", "n"]);
        assert_eq!(plan.bind_names.last().map(String::as_str), Some("d"));
        // Under these numbers, the storyboard has this plan and no other.
        let again = compile(&board, &plan.parameters).unwrap().plan;
        assert_eq!((&again.fingerprint, again.horizon), (&plan.fingerprint, plan.horizon));
        assert_eq!(story.trace.events.len(), plan.horizon);
    }
    assert!(seen.len() > 40, "{}", seen.len());
}

/// A row does not tell to which board people without a role belong, where all are on one map. There is a way to tell.
#[test]
fn people_without_roles_are_found_to_belong_somewhere() {
    let board = board(SHARED);
    let family = family(&board);
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::WITH_EVENTS);
    let (mut refused, mut judged) = (0, 0);
    for index in 0..times(12) {
        let mut rows = String::new();
        maker.rows(index, &mut rows);
        let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
        let told = Row::new(&row).unwrap();
        let judge = Judge::new(&board, &told.parameters);
        let account = told.account(&board, judge.reader()).unwrap_or_else(|problem| panic!("{problem:?}"));
        let verdict = judge.judge(&account, &told.cast).unwrap();
        assert_eq!(verdict.violations, [], "{index}");
        // With other people in two roles, it is no story of these boards, unless both wait at one place from early on.
        let mut cast = told.cast.clone();
        let [one, other, first, of_other] = ["S1", "A", "first", "first_2"]
            .map(|name| cast.iter().position(|(known, _)| known == name).unwrap());
        let is_one_place = cast[first].1 == cast[of_other].1;
        (cast[one].1, cast[other].1) = (cast[other].1.clone(), cast[one].1.clone());
        let is_refused = !judge.judge(&account, &cast).unwrap().violations.is_empty();
        assert!(is_refused || is_one_place, "{index}: {cast:?}");
        refused += usize::from(is_refused);
        judged += 1;
    }
    assert!(refused * 4 > judged * 3, "{refused} of {judged}");
}

/// Whom somebody follows may be anyone: on a shared map, people of another board may happen to be where she goes, too.
#[test]
fn whom_somebody_follows_may_be_of_any_board() {
    let pursuit = built_in_source("pursuit").unwrap().unwrap().text;
    let own_places = pursuit.split_once("places:").unwrap().1.split_once("start:").unwrap().0;
    let other = format!(
        "storysim: 1\nname: small\ncharacters: {{pool: people, count: 3}}\nroles: [A]\nplaces:{own_places}\
         start: the_gate\nhorizon: 2\nverb: walks to\nquestions: [reality: A]\n"
    );
    let elsewhere = SMALL
        .replace("roles: [S1, T]", "roles: [A, B]")
        .replace("S1", "A")
        .replace(", T]", ", B]")
        .replace("start: T", "start: B");
    let mut by_maps = Vec::new();
    for (maps, text) in [("shared", &other), ("apart", &elsewhere)] {
        let small =
            NamedFile { name: "small.yaml".into(), path: "small.yaml".into(), text: Ok(text.clone()) };
        let woven = format!("storysim: 1\nname: t\nmaps: {maps}\nweave: [pursuit, small.yaml]\n");
        let board = parse_beside(source(&woven), vec![small])
            .unwrap_or_else(|broken| panic!("{:?}", broken.problems));
        let family = family(&board);
        let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
        let (mut told, mut untold) = (0, 0);
        for index in 0..times(150) {
            selector.draw(index, &mut story);
            let plan = selector.plan();
            let who = plan.questions[0].character();
            let mut at = story.trace.start.clone();
            let mut fitting: BTreeSet<CharacterId> =
                (0..plan.character_count).map(CharacterId::new).filter(|other| *other != who).collect();
            for event in &story.trace.events {
                at[event.who.index()] = event.to;
                fitting.retain(|other| event.who != who || at[other.index()] == event.to);
            }
            let asked = Asker::new(plan, 7).ask(&story).to_vec();
            let found =
                asked.iter().find(|answered| answered.question == 0).filter(|found| found.answer.is_some());
            let Some(found) = found else {
                assert!(fitting.len() > 1, "{index}: {fitting:?}");
                untold += 1;
                continue;
            };
            assert_eq!(found.answer, fitting.pop_first().map(Answer::Character), "{index}");
            assert!(fitting.is_empty() && found.choices.len() == plan.character_count - 1, "{index}");
            told += 1;
        }
        assert!(told > 10, "{maps}: {told}");
        by_maps.push(untold);
    }
    assert!(by_maps[0] > by_maps[1], "more people may explain it: {by_maps:?}");
}

#[test]
fn built_in_boards_can_be_woven() {
    let mut woven = Vec::new();
    for known in BUILT_IN {
        let own = parse(known.source()).unwrap();
        let renamed: Vec<String> = own.roles.iter().map(|role| format!("{0}: Own{0}", role.value)).collect();
        let text = format!(
            "storysim: 1\nname: t\nweave: [{{board: {}, rename: {{{}}}}}, small.yaml]\n",
            known.name,
            renamed.join(", ")
        );
        let small =
            NamedFile { name: "small.yaml".into(), path: "small.yaml".into(), text: Ok(SMALL.to_owned()) };
        let Ok(board) = parse_beside(source(&text), vec![small]) else { continue };
        let family = family(&board);
        let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
        for index in 0..3 {
            selector.draw(index, &mut story);
            check(&board, &Claim::of(selector.plan(), &story)).unwrap();
        }
        woven.push(known.name);
    }
    assert!(woven.len() >= 30, "{woven:?}");
    assert!(woven.contains(&"telling-calibrated") && woven.contains(&"third-order-calibrated"));
}
