//! What people feel, want and do about news is what the file of the rules says, read here by itself: line by line, and the first
//! that fits.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use storysim::appraisal::Rules;
use storysim::form::{Addressee, Situation};
use storysim::pack;

use crate::news::FREE;
use crate::program::{run, stderr, stdout};

/// The rules that come with storysim.
const OCC: &str = include_str!("../../packs/occ.yaml");

/// What a line can ask for, in the words of its conditions.
type Facts = Vec<(&'static str, String)>;

/// The first line that fits, by its number. What is not known of somebody fits no line that asks for it.
fn first<'f>(lines: &'f Value, facts: &Facts) -> (usize, &'f Value) {
    let holds = |name: &str, asked: &Value| {
        let fact = facts.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact.as_str());
        let is_it = |asked: &Value| match asked {
            Value::Bool(yes) => fact == Some(if *yes { "yes" } else { "no" }),
            asked => fact.is_some() && asked.as_str() == fact,
        };
        asked.as_array().map_or_else(|| is_it(asked), |any| any.iter().any(is_it))
    };
    let fits = |line: &Value| {
        line.get("if")
            .and_then(Value::as_object)
            .is_none_or(|asked| asked.iter().all(|(name, of)| holds(name, of)))
    };
    let mut lines = lines.as_array().unwrap().iter().enumerate();
    lines.find(|(_, line)| fits(line)).unwrap_or_else(|| panic!("no line for {facts:?}"))
}

/// What can be asked of somebody in a situation.
fn facts(situation: Situation) -> Facts {
    let mut facts = vec![("expected", situation.expected.word().to_owned())];
    match situation.thinks {
        None => facts.push(("thinks", "nothing".to_owned())),
        Some(thought) => {
            facts.push(("outcome", thought.outcome.word().to_owned()));
            facts.push(("is", thought.certainty().word().to_owned()));
            facts.push(("final", if thought.is_final { "yes" } else { "no" }.to_owned()));
            facts.extend(thought.author.map(|author| ("by", author.word().to_owned())));
        }
    }
    facts
}

/// Every situation, with the person at whom the intention is directed there or elsewhere: 98 in all.
#[test]
fn every_situation_leads_where_the_file_says() {
    let file: Value = serde_yaml::from_str(OCC).unwrap();
    let words = pack::built_in("occ").unwrap().rules().unwrap();
    let rules = Rules::new(words);
    let mut table = Vec::new();
    for situation in Situation::all() {
        let mut facts = facts(situation);
        let name = |line: &Value, key: &str| line[key].as_str().unwrap().to_owned();
        let feels = name(first(&file["feels"], &facts).1, "feels");
        facts.push(("feels", feels.clone()));
        let (_, line) = first(&file["wants"], &facts);
        let (wants, toward) = (name(line, "wants"), name(line, "toward"));
        facts.push(("wants", wants.clone()));
        let found = rules.felt(situation);
        assert_eq!(words.feelings[usize::from(found.feels)].0.value, feels, "{situation:?}");
        assert_eq!(words.intentions[usize::from(found.wants)].name.value, wants, "{situation:?}");
        assert_eq!(found.toward.word(), toward, "{situation:?}");
        for is_here in [true, false] {
            let addressee = match (toward.as_str(), is_here) {
                ("nobody", _) => Addressee::Nobody,
                (_, true) => Addressee::Here,
                (_, false) => Addressee::Away,
            };
            facts.push(("addressee", addressee.word().to_owned()));
            let (number, line) = first(&file["does"], &facts);
            facts.pop();
            assert_eq!(usize::from(rules.does(found.wants, addressee)), number, "{situation:?}");
            let told: Vec<String> = facts.iter().map(|(name, fact)| format!("{name} {fact}")).collect();
            table.push(format!(
                "{}, toward {toward}, {}: {}",
                told.join(", "),
                addressee.word(),
                name(line, "does")
            ));
        }
    }
    assert_eq!(table.len(), 98);
    insta::assert_snapshot!("what_occ_says", table.join("\n"));
}

/// Rows of news under rules of one's own; and that the reader of their text alone comes to the same answers.
fn rows_under(folder: &Path, rules: &str) -> Vec<Value> {
    std::fs::write(folder.join("rules.yaml"), rules).unwrap();
    let board = folder.join("board.yaml");
    std::fs::write(&board, FREE.replace("rules: occ", "rules: ./rules.yaml")).unwrap();
    let board = board.to_str().unwrap();
    let checked = run(&["verify", "--oracle", board, "--rows", "1500"]);
    assert!(checked.status.success(), "{}{}", stdout(&checked), stderr(&checked));
    let made = run(&["generate", board, "--count", "150", "--seed", "3", "--quiet"]);
    assert!(made.status.success(), "{}", stderr(&made));
    stdout(&made).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// All answers of one kind.
fn answers(rows: &[Value], kind: &str) -> BTreeSet<String> {
    let of_kind = rows.iter().filter(|row| row["kind"] == kind);
    of_kind.map(|row| row["answer"].as_str().unwrap().to_owned()).collect()
}

/// The first pack of rules in a guide.
fn pack_of_the_guide() -> &'static str {
    let guide = include_str!("../../docs/packs.md");
    let block = guide.split("```yml\n").find(|block| block.contains("kind: rules")).unwrap();
    block.split("```").next().unwrap()
}

#[test]
fn answers_follow_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let occ = rows_under(folder.path(), OCC);
    assert!(answers(&occ, "emotion").len() > 9, "{:?}", answers(&occ, "emotion"));

    // A pack of three feelings, which is told in a guide.
    let three = rows_under(folder.path(), pack_of_the_guide());
    assert_eq!(answers(&three, "emotion"), ["pleased", "unsure", "upset"].map(str::to_owned).into());
    assert_eq!(answers(&three, "intention").len(), 4);

    // Two lines of which one alone can fit change places: nothing changes but the order in which the context tells them.
    let lines: Vec<&str> = OCC.lines().collect();
    let at =
        |feels: &str| lines.iter().position(|line| line.contains(&format!("{{feels: {feels},"))).unwrap();
    let mut permuted = lines.clone();
    permuted.swap(at("satisfied"), at("relieved"));
    let permuted = rows_under(folder.path(), &permuted.join("\n"));
    let answered = |rows: &[Value]| -> Vec<Value> {
        rows.iter().map(|row| json!([row["question"], row["answer"]])).collect()
    };
    assert_eq!(answered(&permuted), answered(&occ));
    assert_ne!(permuted[0]["context"], occ[0]["context"]);

    // Acts that name nobody: what is done is the same then, whoever has brought it about.
    let nameless = ["offer help to", "thank", "keep away from"];
    let nameless = nameless.iter().fold(OCC.to_owned(), |rules, act| {
        let named = format!("act: \"{act} {{agent}}\"");
        assert!(rules.contains(&named), "{named}");
        rules.replace(&named, &format!("act: \"{act} everyone\""))
    });
    let nameless = rows_under(folder.path(), &nameless);
    assert!(answers(&nameless, "action").iter().any(|done| done.contains("thank everyone")));
    assert_eq!(answers(&nameless, "intention"), answers(&occ, "intention"));

    // A line is taken out, with the feeling that it leads to: whoever felt so feels by a later line. That makes other stories.
    let without = OCC
        .lines()
        .filter(|line| !line.contains("{feels: downcast,") && !line.contains("{wants: accept,"))
        .filter(|line| !line.trim_start().starts_with("accept:"))
        .map(|line| line.replace(" downcast: downcast,", "").replace(" downcast,", ""))
        .collect::<Vec<_>>()
        .join("\n");
    let without = rows_under(folder.path(), &without);
    let mut left = answers(&occ, "emotion");
    assert!(left.remove("downcast"), "{left:?}");
    let felt = answers(&without, "emotion");
    assert!(felt.is_subset(&left) && felt.contains("sad") && felt.len() > 8, "{felt:?}");
}
