//! Rows of stories with deeds, made by hand.

use serde_json::{Value as Json, json};

use super::{MARKS, PlanFragments, StoryWriter, Teller, escaped};
use crate::by_hand::{ANN, BASKET, BOB, BOX, CID, HALL, KITCHEN, MARBLE, ZOE, deed, plan, story, tell};
use crate::dataset::prompt::{Prompt, Prompter};
use crate::dataset::{Extras, FIELDS};
use crate::plan::{Moment, Plan, Question, Target};
use crate::question::{Answer, Answered, Foils, Verdict};
use crate::select::Twinning;
use crate::simulate::Story;
use crate::storyboard::QuestionKind;
use crate::text::tests::{ANN_LIKES, GIFT};
use crate::text::{Lexicon, Words};
use crate::world::{Act, Deed, Distraction, Hearers, Item, Value};

/// The row of an answer, as text; of a story with a twin, where it differs from that.
fn row_of(plan: &Plan, story: &Story, answered: &Answered, twins: Option<(Twinning, usize)>) -> String {
    let (lexicon, words) = (Lexicon::new(plan, 7, escaped), Words::default());
    let written = lexicon.as_written(escaped);
    let fragments = PlanFragments::new(plan, 7, &[]);
    let (mut told, mut rows) = (Default::default(), String::new());
    let of = StoryWriter {
        plan,
        fragments: &fragments,
        lexicon: &lexicon,
        written: &written,
        story,
        words: &words,
    };
    let (twins, differs_at) = twins.unzip();
    let prompter = Prompter::new(Prompt::Plain, 7, &plan.fingerprint, |_, _| unreachable!("no examples"));
    let extras = Extras { twins, with_events: true, with_prompt: true, ..Extras::default() };
    let mut teller = Teller {
        told: &mut told,
        extras,
        measured: None,
        prompter: Some(&prompter),
        differs_at,
        rows: &mut rows,
    };
    teller.rows(&of, std::slice::from_ref(answered), ["", MARKS[1]]);
    rows
}

fn row(plan: &Plan, story: &Story, answered: &Answered) -> String {
    row_of(plan, story, answered, None)
}

fn parsed(plan: &Plan, story: &Story, answered: &Answered) -> Json {
    serde_json::from_str(&row(plan, story, answered)).unwrap()
}

/// An answer to the plan's first question.
fn in_the_box() -> Answered {
    let answer = Answer::Container(BOX);
    Answered { answer: Some(answer), choices: vec![answer], ..Answered::default() }
}

/// Everything that can be done, with who watches and who misses it.
fn eventful() -> Story {
    let marble = Item::Object(MARBLE);
    let in_box = Value::Container(BOX);
    story(vec![
        deed(Act::Go),
        deed(Act::GoTogether(vec![BOB, CID])),
        deed(Act::Carry(MARBLE)),
        Deed {
            act: Act::Take(MARBLE),
            peeking: vec![ZOE],
            distracted: vec![Distraction { who: BOB, is_noticed: true }],
        },
        deed(Act::Put(MARBLE, in_box)),
        deed(Act::Put(MARBLE, Value::Place(KITCHEN))),
        deed(Act::MoveObject(MARBLE, BASKET)),
        deed(Act::Throw(MARBLE, HALL)),
        deed(Act::Open(BOX)),
        deed(Act::Close(BOX)),
        deed(tell(Hearers::Present, marble, in_box)),
        deed(tell(Hearers::Named(vec![BOB, CID]), Item::Proposition(GIFT), Value::Truth(false))),
        deed(tell(Hearers::Afar(vec![CID]), marble, Value::Hands(BOB))),
        deed(Act::React((ANN_LIKES, true))),
    ])
}

#[test]
fn every_deed_is_there_as_data() {
    let row = parsed(&plan(), &eventful(), &in_the_box());
    let expected = json!([
        [0, "Ann", "enters", "the_hall"],
        [1, "Ann", "move_together", ["Bob", "Cid"], "the_hall"],
        [2, "Ann", "carry", "marble", "the_hall"],
        [3, "Ann", "take", "marble"],
        [3, "Zoe", "peek"],
        [3, "Bob", "distracted", true],
        [4, "Ann", "put", "marble", "Zoe's box"],
        [5, "Ann", "put", "marble", "the_kitchen"],
        [6, "Ann", "move_object", "marble", "basket"],
        [7, "Ann", "throw", "marble", "the_hall"],
        [8, "Ann", "open", "Zoe's box"],
        [9, "Ann", "close", "Zoe's box"],
        [10, "Ann", "tell", "present", "marble", "Zoe's box"],
        [11, "Ann", "tell", ["Bob", "Cid"], "gift", false],
        [12, "Ann", "phone", ["Cid"], "marble", "Bob"],
        [13, "Ann", "react", "painting", true],
    ]);
    assert_eq!(row["events"], expected);
}

/// A row has the fields of the list and no others, in that order.
#[test]
fn fields_are_those_of_the_list() {
    for twins in [None, Some(Twinning::Pairs), Some(Twinning::Triplets)] {
        let text = row_of(&plan(), &eventful(), &in_the_box(), twins.map(|twins| (twins, 3)));
        let extras = Extras { twins, with_events: true, with_prompt: true, ..Extras::default() };
        let listed = FIELDS.iter().filter(|field| field.presence.is_met(extras));
        let listed: Vec<&str> = listed.map(|field| field.name).collect();
        let row: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(row.as_object().unwrap().len(), listed.len(), "{text}");
        let places: Vec<Option<usize>> =
            listed.iter().map(|name| text.find(&format!("\"{name}\":"))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} of {text}");
    }
}

/// So has a row of a story with matters, whether its question is about one or not.
#[test]
fn fields_of_matters_are_those_of_the_list() {
    let board = crate::storyboard::BUILT_IN.iter().find(|board| board.name == "white-lies").unwrap();
    let board = crate::storyboard::parse(crate::diagnostic::Source {
        text: board.text().replacen(
            "questions:\n",
            "propositions: {gift: {says: it rains}}\nquestions:\n  - {belief: [A, gift]}\n",
            1,
        ),
        ..board.source()
    });
    let board = board.unwrap_or_else(|broken| panic!("{:?}", broken.problems));
    let plans = crate::compile::compile_family(&board, &[]).unwrap().plans;
    let family = crate::select::Family::new(plans);
    let (mut maker, mut rows) =
        (super::RowMaker::new(&family, 7, &[], super::RowOptions::WITH_EVENTS), String::new());
    maker.rows(0, &mut rows);
    let extras = Extras { with_matters: true, with_events: true, ..Extras::default() };
    let listed: Vec<&str> =
        FIELDS.iter().filter(|field| field.presence.is_met(extras)).map(|field| field.name).collect();
    for line in rows.lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        assert_eq!(row.as_object().unwrap().len(), listed.len(), "{line}");
        let places: Vec<Option<usize>> =
            listed.iter().map(|name| line.find(&format!(",\"{name}\":"))).collect();
        assert!(places[1..].iter().all(Option::is_some) && places.is_sorted(), "{places:?} of {line}");
        let matter = if row["order"] == 1 && row["about"] != "m.claim" && row["kind"] == "belief" {
            json!([null, null])
        } else {
            json!(["m", 4])
        };
        let roles = row["roles"].as_object().map(serde_json::Map::len);
        assert_eq!(json!([row["matter"], roles]), matter, "{line}");
    }
}

#[test]
fn answers_of_all_kinds_are_strings() {
    let mut plan = plan();
    let item = |item| Target::Item(item);
    let marble = item(Item::Object(MARBLE));
    let cases = [
        (QuestionKind::Belief, vec![ANN, BOB], marble, Moment::End, Answer::Container(BOX)),
        (
            QuestionKind::Belief,
            vec![ANN],
            item(Item::Proposition(GIFT)),
            Moment::Before(3),
            Answer::Verdict(Verdict::No),
        ),
        (QuestionKind::Knows, vec![ANN, BOB], marble, Moment::Without(3), Answer::Verdict(Verdict::Yes)),
        (QuestionKind::WhoKnows, vec![], marble, Moment::End, Answer::People(0b1010)),
        (QuestionKind::CouldAnswer, vec![ANN], marble, Moment::End, Answer::People(0)),
        (QuestionKind::Following, vec![], item(Item::Character(CID)), Moment::End, Answer::Character(BOB)),
        (QuestionKind::WhoDislikes, vec![ZOE], Target::Attitude(0), Moment::End, Answer::People(1)),
    ];
    plan.questions = cases
        .iter()
        .map(|&(kind, ref others, target, moment, _)| Question {
            moment,
            ..Question::new(kind, others.clone(), target)
        })
        .collect();
    let expected = [
        ("belief", json!(["Ann", "Bob"]), "marble", "Zoe's box"),
        ("belief_before", json!(["Ann"]), "gift", "no"),
        ("knows_without", json!(["Ann", "Bob"]), "marble", "yes"),
        ("who_knows", json!([]), "marble", "Bob, Zoe"),
        ("could_answer", json!(["Ann"]), "marble", "nobody"),
        ("following", json!([]), "Cid", "Bob"),
        ("who_dislikes", json!(["Zoe"]), "painting", "Ann"),
    ];
    for (question, (kind, chain, about, answer)) in expected.into_iter().enumerate() {
        let given = Some(cases[question].4);
        let answered = Answered {
            question,
            answer: given,
            truth: given,
            choices: vec![Answer::Place(HALL), cases[question].4],
            label: 1,
            foils: Foils { own_place: given, ..Foils::default() },
            ..Answered::default()
        };
        let row = parsed(&plan, &eventful(), &answered);
        assert_eq!((&row["kind"], &row["chain"], &row["about"]), (&json!(kind), &chain, &json!(about)));
        assert_eq!(row["order"], json!(chain.as_array().unwrap().len()));
        assert_eq!(
            (&row["answer"], &row["truth"], &row["foils"]["own_place"]),
            (&json!(answer), &json!(answer), &json!(answer))
        );
        assert_eq!(row["choices"], json!(["the hall", answer]));
    }
}

#[test]
fn odd_names_are_escaped() {
    let mut plan = plan();
    let odd = "a \"ball\"\\\n";
    let staging = plan.staging.as_mut().unwrap();
    staging.objects[0].name = odd.to_owned();
    staging.propositions[GIFT.index()].name = odd.to_owned();
    staging.attitudes[0] = odd.to_owned();
    staging.containers[BOX.index()].name = odd.to_owned();
    let row = parsed(&plan, &eventful(), &in_the_box());
    assert_eq!(row["answer"], odd);
    assert_eq!(row["events"][4], json!([3, "Zoe", "peek"]));
    assert_eq!(row["events"][6], json!([4, "Ann", "put", odd, odd]));
    assert_eq!(row["events"][15], json!([13, "Ann", "react", odd, true]));
    assert!(row["story"].as_str().unwrap().contains(&format!("Ann puts {odd} in {odd}.")));
}
