//! Pairs of conversations: held, by what their rows say, against all that is promised of them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use storysim::check::{Claim, check};
use storysim::dataset::{RowMaker, RowOptions};
use storysim::storyboard::BUILT_IN;
use storysim::verify::Inspector;

use crate::program::{run, stderr};
use crate::storyboards::{board, family_with_twins};
use crate::twins::{SEED, steps, text};

/// A built-in storyboard of one level.
fn of_level(name: &str, level: u8) -> String {
    let source = BUILT_IN.iter().find(|board| board.name == name).unwrap().source().text;
    let leveled = source.replace("draw: {level: [1, 3]}", &format!("draw: {{level: [{level}, {level}]}}"));
    assert_ne!(leveled, source, "{name} draws a level");
    leveled
}

/// Two stories by their rows, each by the number of its question.
struct Pair {
    own: BTreeMap<String, Value>,
    twin: BTreeMap<String, Value>,
}

impl Pair {
    fn rows(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.own.iter().map(|(number, row)| (row, &self.twin[number]))
    }

    fn first(&self) -> (&Value, &Value) {
        self.rows().next().expect("something is asked")
    }

    /// Both are asked the same, and something has different answers.
    fn asks_the_same(&self) {
        assert_eq!(self.own.keys().collect::<Vec<_>>(), self.twin.keys().collect::<Vec<_>>());
        let mut differing = 0;
        for (own, twin) in self.rows() {
            for field in ["question", "kind", "chain", "about", "of", "unlike", "names", "params", "context"]
            {
                assert_eq!(own[field], twin[field], "{}", own["id"]);
            }
            assert_eq!((&own["twin"], &twin["twin"]), (&twin["id"], &own["id"]));
            for row in [own, twin] {
                let choices = row["choices"].as_array().unwrap();
                let distinct: BTreeSet<&str> = choices.iter().map(text_of).collect();
                assert_eq!(distinct.len(), choices.len(), "{}", row["id"]);
            }
            if own["kind"] == "why" {
                continue; // A reason is another one where the claim is.
            }
            differing += usize::from(own["answer"] != twin["answer"]);
            if !own["unlike"].is_null() {
                assert_eq!(own["choices"], twin["choices"], "{}", own["id"]);
            }
        }
        assert!(differing > 0, "{}", self.first().0["id"]);
    }

    /// Whether it is a sincere twin: claims are turned, and every line is the same but those that say so.
    fn is_sincere_twin(&self) -> bool {
        let (own, twin) = self.first();
        let lies = |row: &Value| -> BTreeMap<String, bool> {
            let matters = row["matters"].as_object().unwrap();
            matters.iter().map(|(name, of)| (name.clone(), of["lie"].as_bool().unwrap())).collect()
        };
        let (own_lies, twin_lies) = (lies(own), lies(twin));
        let turned: BTreeSet<&String> =
            own_lies.keys().filter(|name| own_lies[*name] != twin_lies[*name]).collect();
        if turned.is_empty() {
            return false;
        }
        let number = |lies: &BTreeMap<String, bool>| lies.values().filter(|lie| **lie).count();
        if own_lies.len() > 1 {
            assert_eq!((number(&own_lies), turned.len()), (number(&twin_lies), 2));
        }
        let things: Vec<&str> =
            turned.iter().map(|name| text(&own["matters"][name.as_str()], "thing")).collect();
        let lines = text(own, "story").lines().zip(text(twin, "story").lines());
        let changed: Vec<(&str, &str)> = lines.filter(|(one, other)| one != other).collect();
        assert!(!changed.is_empty());
        for (one, other) in changed {
            let is_of =
                |line: &str| things.iter().any(|thing| line.to_lowercase().contains(&thing.to_lowercase()));
            assert!(is_of(one) && is_of(other), "{one}\n{other}");
        }
        for (step, of_twin) in steps(twin) {
            let of_own = &steps(own)[&step];
            for (one, other) in of_own.iter().zip(of_twin) {
                // What is revealed may be so in one of them alone.
                let of = one.len().min(3);
                assert_eq!(one[..of], other[..of], "the same is done");
            }
        }
        true
    }

    /// Somebody else comes or goes at one step. Nobody else's lines change, but those of who comes or goes instead.
    fn differs_in_one_move(&self) {
        let (own, twin) = self.first();
        assert_eq!(own["matters"], twin["matters"]);
        let step = own["differs_at"].as_u64().unwrap();
        let (of_own, of_twin) = (steps(own), steps(twin));
        let mut movers = BTreeSet::new();
        for (at, events) in &of_own {
            let (one, other) = (events[0], of_twin[at][0]);
            assert_eq!(one[0] != other[0], *at == step, "step {at}: {one:?} {other:?}");
            if *at == step {
                movers.extend([text_of(&one[0]), text_of(&other[0])]);
            }
        }
        for (one, other) in text(own, "story").lines().zip(text(twin, "story").lines()) {
            if one != other {
                let [one, other] = [one, other].map(|line| line.split_once(": ").unwrap().0);
                assert!(movers.contains(one) && movers.contains(other), "{one} {other}");
            }
        }
    }
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn by_number(rows: &[&str]) -> BTreeMap<String, Value> {
    let row = |row: &&str| {
        let row: Value = serde_json::from_str(row).unwrap();
        (text(&row, "id").rsplit('/').next().unwrap().to_owned(), row)
    };
    rows.iter().map(row).collect()
}

#[test]
fn twins_of_conversations_are_what_they_should_be() {
    let others = ["white-lies", "white-lies-calibrated"];
    for (name, level) in others.into_iter().flat_map(|name| [1, 2, 3].map(|level| (name, level))) {
        let board = board(&of_level(name, level));
        let family = family_with_twins(&board);
        let plan = &family.plans()[0];
        let inspector = Inspector::new(plan, SEED, &[]);
        let mut maker = RowMaker::new(&family, SEED, &[], RowOptions::WITH_EVENTS).with_twins(&board);
        let (mut rows, mut of_kinds) = (String::new(), [0, 0]);
        for index in 0..40 {
            rows.clear();
            maker.rows(index, &mut rows);
            let mark = format!("{SEED}/{index}-twin/");
            let (twins, own): (Vec<&str>, Vec<&str>) =
                rows.lines().partition(|row| row.contains(&format!("\"id\":\"{name}/{mark}")));
            let twin = maker.twin().unwrap();
            for (story, rows) in [(maker.story(), &own), (&twin.story, &twins)] {
                check(&board, &Claim::of(plan, story)).unwrap();
                let rows = rows
                    .join("\n")
                    .replace(&format!("\"id\":\"{name}/{mark}"), &format!("\"id\":\"{name}/{SEED}/{index}/"));
                assert_eq!(inspector.inspect(story, &rows), []);
            }
            let pair = Pair { own: by_number(&own), twin: by_number(&twins) };
            pair.asks_the_same();
            let is_sincere = pair.is_sincere_twin();
            if !is_sincere {
                pair.differs_in_one_move();
            }
            of_kinds[usize::from(is_sincere)] += 1;
        }
        assert!(of_kinds[1] > 0 && (of_kinds[0] > 0 || name == "white-lies"), "{name}: {of_kinds:?}");
    }
}

/// Value stability: these bytes may never change without a heading in CHANGELOG.md.
#[test]
fn bytes_are_a_promise() {
    let hashes = ["white-lies", "white-lies-calibrated"].map(|name| {
        let board = board(&of_level(name, 2));
        let family = family_with_twins(&board);
        let mut maker = RowMaker::new(&family, SEED, &[], RowOptions::WITH_EVENTS).with_twins(&board);
        let mut rows = String::new();
        for index in 0..40 {
            maker.rows(index, &mut rows);
        }
        blake3::hash(rows.as_bytes()).to_hex()[..16].to_owned()
    });
    assert_eq!(hashes, ["ae5ce513d39e1128", "93842fd94abd43b1"]);
}

/// In a triplet the target of a question does the same in one twin, and the minds do in the other: nothing of that is meant here.
#[test]
fn conversations_have_no_triplets() {
    let output = run(&["generate", "white-lies-calibrated", "--count", "1", "--twins=triplets"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
    let wanted = "a proposition does nothing, so there are no triplets";
    assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
}
