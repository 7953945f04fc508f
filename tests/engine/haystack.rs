//! Stories that others make longer: the storyboard's own part stays what it was, and so do the answers.

use std::collections::BTreeSet;

use storysim::adherence::{Judge, Row};
use storysim::check::{Claim, check, violations};
use storysim::compile::{compile, compile_family};
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::haystack::try_out;
use storysim::plan::Plan;
use storysim::question::{Answer, Asker};
use storysim::select::{Family, Selector, Twinning, admit};
use storysim::simulate::Story;
use storysim::storyboard::{BUILT_IN, NamedFile, Storyboard, in_length, parse, parse_beside};

use crate::effort::{part, times};

/// The storyboard of longer stories, if people go from place to place in them.
fn long(source: &Source, words: u64, depth: Option<u64>) -> Option<Storyboard> {
    let source = match in_length(source, words, depth) {
        Err(problem) if problem.message.contains("only stories in which people go from place") => {
            return None;
        }
        source => source.unwrap(),
    };
    // Fitting shares takes long, and the length does not depend on them.
    Some(Storyboard { balance: None, ..parse(source).unwrap() })
}

fn family(board: &Storyboard) -> Option<Family> {
    let plans = compile_family(board, &[]).unwrap().plans;
    let family = admit(board, plans).unwrap_or_else(|problem| panic!("{problem:?}")).family;
    match try_out(board, &family) {
        Ok(()) => Some(family),
        // From where everyone starts in `holes`, no way leads back.
        Err(problem) if problem.message.contains("can come back") => {
            assert_eq!(board.name.value, "first-order-mislead-holes");
            None
        }
        Err(problem) => panic!("{problem:?}"),
    }
}

/// The built-in boards whose stories can be made longer: without `EFFORT`, every twelfth from this one on.
fn boards(first: usize, words: u64, depth: Option<u64>) -> Vec<(&'static str, Storyboard, Family)> {
    let all =
        part(BUILT_IN, first, 3).filter_map(|known| Some((known.name, long(&known.source(), words, depth)?)));
    all.filter_map(|(name, board)| family(&board).map(|family| (name, board, family))).collect()
}

type Replies = Vec<(usize, Option<Answer>, Vec<usize>)>;

fn replies(asker: &mut Asker<'_>, story: &Story) -> Replies {
    let own = |step: &usize| step - story.before;
    let answers = asker.ask(story).iter();
    answers.map(|of| (of.question, of.answer, of.evidence.iter().map(own).collect())).collect()
}

#[test]
fn the_own_part_and_its_answers_are_the_same_at_every_length_and_depth() {
    let mut compared = 0;
    for (first, words, depth) in [(0, 1_500, Some(30)), (1, 2_500, Some(100)), (2, 2_000, None)] {
        for (name, board, family) in &boards(first, words, depth) {
            compared += compare_with_short((name, board, family), times(3));
        }
    }
    assert!(compared > 20, "{compared}");
}

/// Compares so many long stories with the own part alone. Returns how many answers were the same.
fn compare_with_short((name, board, family): (&str, &Storyboard, &Family), count: u64) -> usize {
    let mut compared = 0;
    let mut maker = RowMaker::new(family, 7, &[], RowOptions::default());
    let (mut selector, mut short) = (Selector::new(family, 7), Story::default());
    for index in 0..count {
        maker.draw(index);
        let (plan, story) = (maker.plan(), maker.story());
        check(board, &Claim::of(plan, story)).unwrap_or_else(|wrong| panic!("{name} {index}: {wrong}"));
        let own = story.before..story.before + plan.horizon;
        let learns = plan.things().is_some();
        // Where people do more than walk, another attempt may be told, which is just as long.
        let mut attempts = 0;
        loop {
            attempts = selector.draw_from(index, attempts, &mut short);
            if !learns || short.trace.events == story.trace.events[own.clone()] {
                break;
            }
            assert!(attempts < 20_000, "{name} {index}: no attempt has this part");
        }
        assert_eq!(short.trace.events, story.trace.events[own], "{name} {index}");
        assert_eq!(short.names, story.names, "{name} {index}");
        let mut asker = Asker::new(plan, 7);
        let expected = replies(&mut asker, &short);
        assert_eq!(replies(&mut asker, story), expected, "{name} {index}");
        compared += expected.len();
    }
    compared
}

#[test]
fn woven_stories_are_made_longer_too() {
    let mut compared = 0;
    for (weave, people) in [
        ("[first-order-mislead, {board: hidden-ball, rename: {S1: Kid, S2: Friend}}]", 0),
        (
            "[first-order-mislead, {board: second-order-mislead, rename: {S1: A, S2: B, T: C}}]\nmaps: shared",
            0,
        ),
        // In both of these everybody has a role.
        (
            "[whispers, {board: whispers-too.yaml, rename: {P1: A, P2: B, P3: C, P4: D, P5: E, party: secret}}]",
            3,
        ),
    ] {
        let text = format!("storysim: 1\nname: woven\nwords: 1500\nat_depth: 40%\nweave: {weave}\n");
        let whispers = BUILT_IN.iter().find(|known| known.name == "whispers").unwrap().source().text;
        let other = whispers.replace("the_barn", "a_shed").replace("the_orchard", "a_meadow");
        let other = other.replace("there will be", "Ann will come to");
        let name = "whispers-too.yaml";
        let file = NamedFile { name: name.into(), path: name.into(), text: Ok(other) };
        let board = parse_beside(Source { name: "x.yaml".into(), text }, vec![file]).unwrap();
        let family = family(&board).unwrap();
        let plan = &family.plans()[0];
        assert!(people == 0 || plan.character_count == plan.role_names.len() + people);
        compared += compare_with_short((weave, &board, &family), times(8));
    }
    assert!(compared > 40, "{compared}");
}

/// What is set counts, not what the storyboard has as long as nothing is.
#[test]
fn the_length_of_woven_stories_can_be_set() {
    let text = "storysim: 1\nname: woven\nparameters: {n: 700}\nwords: n\n\
                weave: [first-order-mislead, {board: sally-anne, rename: {S1: A}}]\n";
    let board = parse(Source { name: "x.yaml".into(), text: text.into() }).unwrap();
    for (set, words) in [(None, 700), (Some(1_000), 1_000)] {
        let settings: Vec<(String, i64)> = set.map(|words| ("n".to_owned(), words)).into_iter().collect();
        let plans = compile_family(&board, &settings).unwrap().plans;
        assert!(plans.iter().all(|plan| plan.length.unwrap().words == words), "{words}");
    }
}

#[test]
fn passers_by_join_where_everybody_has_a_role_and_do_nothing_in_its_own_part() {
    let whispers = BUILT_IN.iter().find(|known| known.name == "whispers").unwrap().source();
    let board = long(&whispers, 600, Some(50)).unwrap();
    let plan: &'static Plan = Box::leak(Box::new(compile(&board, &[]).unwrap().plan));
    assert_eq!((plan.role_names.len(), plan.character_count), (5, 8));
    let family = family(&board).unwrap();
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    let mut seen = BTreeSet::new();
    for index in 0..times(8) {
        maker.draw(index);
        let story = maker.story();
        seen.extend(story.trace.events.iter().map(|event| event.who.index()));
        let own = &story.trace.events[story.own_steps(plan)];
        assert!(own.iter().all(|event| event.who.index() < 5), "{index}");
    }
    assert!((5..8).all(|passer| seen.contains(&passer)), "{seen:?}");
    // If one of them did something there, that would be found.
    let mut claim = Claim::of(plan, maker.story());
    let (passer, at) =
        *claim.start.iter().find(|(who, _)| claim.roles.values().all(|role| role != who)).unwrap();
    claim.events[3] = (passer, at, if at == "the_barn" { "the_orchard" } else { "the_barn" });
    let found = violations(&board, &claim);
    assert!(found.iter().any(|wrong| wrong.what.contains("has no role, and only passes by")), "{found:?}");
    // Nor may one more, or one less, take part.
    claim.start.pop();
    let found = violations(&board, &claim);
    assert!(found.iter().any(|wrong| wrong.what == "7 characters, not 8"), "{found:?}");
}

#[test]
fn stories_have_the_words_and_the_depth_that_were_asked_for() {
    for (first, words, depth) in [(0, 1_200, 0), (1, 3_000, 25), (2, 3_000, 60), (1, 2_000, 100)] {
        for (name, board, family) in &boards(first, words, Some(depth)) {
            let mut maker = RowMaker::new(family, 3, &[], RowOptions::default());
            for index in 0..times(2) {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                let Some(row) = rows.lines().next() else { continue };
                let row: serde_json::Value = serde_json::from_str(row).unwrap();
                let told = row["story"].as_str().unwrap().split(' ').count() as u64;
                assert_eq!(row["words"], told, "{name}");
                let steps = maker.story().trace.events.len();
                let own = [maker.story().before, maker.story().before + maker.plan().horizon - 1];
                assert_eq!(row["own_steps"], serde_json::json!(own), "{name}");
                if steps == maker.plan().horizon {
                    assert!(told >= words, "{name}: {told}");
                    continue;
                }
                assert!(told.abs_diff(words) <= words / 100, "{name}: {told} words, not {words}");
                let Some(found) = row["depth"].as_u64() else { continue };
                let is_at_edge = own[0] == 0 || own[1] + 1 >= steps - 20;
                assert!(is_at_edge || found.abs_diff(depth) <= 2, "{name}: at {found}, not {depth}");
            }
            assert!(board.length.is_some());
        }
    }
}

#[test]
fn depths_that_are_not_given_are_spread_evenly() {
    let board = long(&BUILT_IN[0].source(), 4_000, None).unwrap();
    let family = family(&board).unwrap();
    let mut maker = RowMaker::new(&family, 5, &[], RowOptions::default());
    let mut counts = [0; 4];
    for index in 0..200 {
        maker.draw(index);
        let story = maker.story();
        counts[4 * story.before / story.trace.events.len()] += 1;
    }
    assert!(counts.iter().all(|count| (25..=80).contains(count)), "{counts:?}");
}

/// On a path one is back only after an even number of turns, so whoever has an odd number gives one up.
#[test]
fn everybody_is_back_in_time_on_a_path_too() {
    let text = "storysim: 1\nname: t\ncharacters: {pool: people, count: 6}\nroles: [S1, T]\nstart: a\nhorizon: 9\n\
                places: {a: [b], b: [a, c], c: [b]}\nquestions: [{belief: [S1, T]}, {reality: T}]\n";
    let board = long(&Source { name: "x.yaml".into(), text: text.into() }, 400, Some(50)).unwrap();
    let family = family(&board).unwrap();
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    for index in 0..times(100) {
        maker.draw(index);
        let (plan, story) = (maker.plan(), maker.story());
        check(&board, &Claim::of(plan, story)).unwrap_or_else(|wrong| panic!("{index}: {wrong}"));
        let steps = story.trace.events.len();
        assert!((steps / 3..steps * 2 / 3).contains(&story.before), "{index}: {} of {steps}", story.before);
    }
}

#[test]
fn twins_lie_in_the_same_haystack() {
    let mut twins = 0;
    let built_in = |name: &&str| BUILT_IN.iter().find(|known| known.name == *name).unwrap().source();
    let names =
        ["sally-anne", "tomi-like", "free-play", "objects-calibrated", "telling-calibrated", "whispers"];
    // Three people pass by, who can be in no twin's place, either.
    let walks = "storysim: 1\nname: walks\ncharacters: {pool: people, count: 3}\nroles: [A, B, C]\nstart: hall\n\
                 places: {complete: [hall, attic, yard]}\nhorizon: 10\nquestions: [{belief: [A, B]}]\n";
    let walks = Source { name: "walks".into(), text: walks.into() };
    for source in names.iter().map(built_in).chain([walks]) {
        let name = source.name.clone();
        for kind in [Twinning::Pairs, Twinning::Triplets] {
            let board = long(&source, 1_500, Some(50)).unwrap();
            let family = family(&board).unwrap();
            let Ok(family) = kind.admit(&board, family) else { continue };
            let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default()).with(&board, kind);
            for index in 0..times(12) {
                maker.draw(index);
                let (plan, story) = (maker.plan(), maker.story());
                for twin in maker.twins() {
                    check(&board, &Claim::of(plan, &twin.story)).unwrap();
                    let [own, other] = [story, &twin.story].map(|story| &story.trace);
                    assert_eq!(
                        (story.before, own.events.len()),
                        (twin.story.before, other.events.len()),
                        "{name}"
                    );
                    let event = |step: usize| (own.events[step], own.deeds.get(step));
                    let of_twin = |step: usize| (other.events[step], other.deeds.get(step));
                    let around = (0..story.before).chain(story.before + plan.horizon..own.events.len());
                    assert!(around.into_iter().all(|step| event(step) == of_twin(step)), "{name}");
                    assert!((0..twin.step).all(|step| event(step) == of_twin(step)), "{name}");
                    assert_ne!(event(twin.step), of_twin(twin.step), "{name}");
                    twins += 1;
                }
            }
        }
    }
    assert!(twins >= 10, "{twins}");
}

#[test]
fn long_stories_are_read_back_from_their_text() {
    let mut read = 0;
    for (first, wording) in [(0, "plain"), (1, "varied")] {
        for (name, board, _) in boards(first, 800, Some(40)) {
            let board = board.reworded(wording);
            let family = family(&board).unwrap();
            let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
            for index in 0..times(3) {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                for row in rows.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap()) {
                    if row["kind"] == "world_things" {
                        continue;
                    }
                    let told = Row::new(&row).unwrap();
                    let judge = Judge::new(&board, &told.parameters);
                    let account = told.account(&board, judge.reader());
                    let account = account.unwrap_or_else(|problem| panic!("{name}: {problem:?}"));
                    let verdict = judge.judge(&account, &told.cast).unwrap();
                    assert_eq!(verdict.violations, [], "{name}: {}", row["story"]);
                    read += 1;
                }
            }
        }
    }
    assert!(read > 15, "{read}");
}

#[test]
fn what_others_may_not_do_is_found() {
    let board = long(&BUILT_IN[0].source(), 1_000, Some(50)).unwrap();
    // The names in a claim are those of its plan.
    let plan: &'static Plan = Box::leak(Box::new(compile(&board, &[]).unwrap().plan));
    let family = Family::from(plan.clone());
    let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
    maker.draw(3);
    let claim = Claim::of(plan, maker.story());
    let [before, own] = [claim.around.before.len(), claim.events.len()];
    assert!(before > 50 && claim.around.after.len() > 20);
    let found = |change: &dyn Fn(&mut Claim<'_>)| {
        let mut changed = claim.clone();
        change(&mut changed);
        let found = violations(&board, &changed);
        found.first().map(|violation| (violation.step(), violation.what.clone())).unwrap_or_default()
    };
    assert_eq!(found(&|_| ()), (None, String::new()));
    let role = claim.roles["S1"];
    let (step, what) = found(&|claim| claim.around.before[0].0 = role);
    assert!(step == Some(0) && what.contains("has a role"), "{step:?} {what}");
    let (step, what) = found(&|claim| claim.around.after[0].0 = role);
    assert!(step == Some(before + own) && what.contains("has a role"), "{step:?} {what}");
    let (_, what) = found(&|claim| claim.around.before.truncate(before - 1));
    assert!(what.contains("should be back in"), "{what}");
    let (step, what) = found(&|claim| claim.around.after[7].1 = "nowhere");
    assert!(step == Some(before + own + 7) && what.contains("no way"), "{step:?} {what}");
    let (_, what) = found(&|claim| claim.around.after.push(("Nobody", "room_1")));
    assert!(what.contains("does not take part"), "{what}");
    let (step, _) = found(&|claim| claim.events.swap(10, 11));
    assert!(step >= Some(before + 10), "{step:?}");
    let short = parse(BUILT_IN[0].source()).unwrap();
    let mut bare = claim.clone();
    bare.parameters.retain(|name, _| !["words", "depth"].contains(name));
    assert!(violations(&short, &bare)[0].what.contains("has no `words`"));
}

#[test]
fn what_cannot_be_made_longer_is_said() {
    let said = |text: &str, words: u64, depth| {
        let source = Source { name: "x.yaml".into(), text: text.into() };
        let board = match in_length(&source, words, depth) {
            Err(problem) => return problem.message,
            Ok(source) => match parse(source) {
                Err(broken) => return broken.problems[0].message.clone(),
                Ok(board) => board,
            },
        };
        compile(&board, &[]).map_or_else(|problems| problems[0].message.clone(), |_| "nothing".to_owned())
    };
    let text = "storysim: 1\nname: t\ncharacters: {pool: people, count: 4}\nroles: [S1, T]\nstart: a\nhorizon: 9\n\
                places: {complete: [a, b]}\nquestions: [{belief: [S1, T]}]\n";
    assert_eq!(said(text, 1_000, Some(50)), "nothing");
    for (from, to, words, depth, wanted) in [
        (
            "{pool: people, count: 4}",
            "{pool: [Ann, Bob]}",
            1_000,
            None,
            "`words` needs somebody who goes about, but everybody here has a role, and no name is left",
        ),
        ("horizon: 9", "horizon: 9", 0, None, "a story has 1 to 10000000 words"),
        ("horizon: 9", "horizon: 9", 99_999_999, None, "a story has 1 to 10000000 words"),
        (
            "horizon: 9",
            "horizon: 9",
            100,
            Some(101),
            "a depth is 0% (the beginning of a story) to 100% (its end)",
        ),
        ("horizon: 9", "horizon: depth\nparameters: {depth: 9}", 100, Some(3), "a number `depth` of its own"),
        ("horizon: 9", "horizon: words\ndraw: {words: [3, 4]}", 100, None, "a number `words` of its own"),
        ("horizon: 9", "horizon: 9\nat_depth: much", 100, None, "this is no depth"),
        (
            "horizon: 9",
            "horizon: 9\nstyle: conversation",
            100,
            None,
            "only stories in which people go from place to place",
        ),
    ] {
        let found = said(&text.replace(from, to), words, depth);
        assert!(found.contains(wanted), "{found}");
    }
    // One way only: whoever goes out does not come back.
    let ring = text.replace("{complete: [a, b]}", "{a: [b], b: [c], c: [b]}");
    let tried = |depth| {
        let source = Source { name: "ring.yaml".into(), text: ring.clone() };
        let board = parse(in_length(&source, 300, depth).unwrap()).unwrap();
        try_out(&board, &Family::from(compile(&board, &[]).unwrap().plan)).map_err(|problem| problem.message)
    };
    assert_eq!([tried(Some(0)), tried(None)], [Ok(()), Ok(())]);
    assert!(tried(Some(50)).unwrap_err().contains("can come back to where she starts"));
    let alone = Source { name: "x.yaml".into(), text: format!("{text}at_depth: 1/2\n") };
    assert_eq!(parse(alone).unwrap_err().problems[0].message, "`at_depth` says nothing without `words`");
    // Asked for again, it is the new length that counts.
    let once = in_length(&Source { name: "x.yaml".into(), text: text.into() }, 500, Some(10)).unwrap();
    let again = parse(in_length(&once, 900, None).unwrap()).unwrap();
    let values: Vec<i64> = again.parameters.iter().map(|(_, value)| *value).collect();
    assert_eq!((values, again.length.unwrap().depth.is_some()), (vec![10, 900], true));
}
