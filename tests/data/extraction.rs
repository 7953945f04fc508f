//! The answers that are found in responses: hard cases, each with what it gives and the rule that says so.

use proptest::prelude::*;
use storysim::dataset::Fields;
use storysim::score::{Ending, Given, Options, Response, Rule, extract};

const ROOMS: [&str; 5] = ["room_1", "room_12", "the_hallway", "room_5", "room_2"];

fn fields(kind: &str, choices: &[&str]) -> Fields {
    let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
    Fields { kind: kind.to_owned(), choices, ..Fields::default() }
}

fn found(text: &str, fields: &Fields) -> (Given, Option<Rule>) {
    let extraction = extract(&Response::new(text), &Options::of(fields));
    (extraction.given, extraction.rule)
}

fn named(name: &str) -> Given {
    Given::Named(name.to_owned())
}

/// Holds responses to a question with these choices against what they give.
fn check(fields: &Fields, cases: &[(&str, Given, Option<Rule>)]) {
    let mut wrong = Vec::new();
    for (text, given, rule) in cases {
        let found = found(text, fields);
        if found != (given.clone(), *rule) {
            wrong.push(format!("{text:?}\n  gives {found:?}, not {:?}", (given, rule)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn stated_answers() {
    let (json, boxed, cue) = (Some(Rule::Json), Some(Rule::Boxed), Some(Rule::Cue));
    check(
        &fields("belief", &ROOMS),
        &[
            ("Answer: room_5", named("room_5"), cue),
            ("**Answer:** room_5", named("room_5"), cue),
            ("**Answer**: **room_5**", named("room_5"), cue),
            ("**Answer: room_5**", named("room_5"), cue),
            ("ANSWER = Room 5.", named("room_5"), cue),
            ("The answer is the hallway.", named("the_hallway"), cue),
            ("So the correct answer is: `the_hallway`", named("the_hallway"), cue),
            ("My final answer would be „Room 5“.", named("room_5"), cue),
            ("### Final Answer\n\nroom_5", named("room_5"), cue),
            ("The answer to the question is room\\_5.", named("room_5"), cue),
            ("Answer - room_5", named("room_5"), cue),
            // A name within another is none.
            ("Answer: room_12", named("room_12"), cue),
            ("Answer: room 12", named("room_12"), cue),
            // Of several announcements the last counts; of several names the last that is not denied.
            ("Answer: room_1\nWait.\nAnswer: room_5", named("room_5"), cue),
            ("The answer is not in room_2 but in room_5.", named("room_5"), cue),
            ("Answer: room_5, not room_2", named("room_5"), cue),
            ("The answer is not room_2. It is room_5.", named("room_5"), cue),
            ("Answer: room_2 or room_5", Given::Nothing, cue),
            // What follows explains.
            ("Answer: room_5, because he went there from room_2.", named("room_5"), cue),
            ("Answer: room_5\n\nHe last saw her in room_2.", named("room_5"), cue),
            ("Answer: room_5. He last saw her in room_2.", named("room_5"), cue),
            ("Answer: room_5 (she is really in room_2)", named("room_5"), cue),
            // What comes before does not matter.
            ("She was in room_1, then in room_2. Answer: room_5", named("room_5"), cue),
            // Something else than a choice.
            ("Answer: the kitchen", Given::Outside, cue),
            ("Answer: room_99", Given::Outside, cue),
            ("Answer: Z", Given::Outside, cue),
            ("Answer: I don't know", Given::Nothing, cue),
            // JSON.
            (r#"{"answer": "room_5"}"#, named("room_5"), json),
            ("```json\n{\"reason\": \"not room_2\", \"Answer\": \"Room 5\"}\n```", named("room_5"), json),
            (r#"Sure: {"answer": "B", "not": "room_1"}"#, named("room_12"), json),
            (r#"{"answer": "the attic"}"#, Given::Outside, json),
            (r#"{"answer": ""}"#, Given::Nothing, json),
            // Boxes.
            (r"Hence $\boxed{room_5}$, not room_2.", named("room_5"), boxed),
            (r"\boxed{\text{room\_5}}", named("room_5"), boxed),
            (r"\boxed{D}", named("room_5"), boxed),
            (r"\boxed{room_1} no, \boxed{room_2}", named("room_2"), boxed),
        ],
    );
}

#[test]
fn letters_of_options() {
    let (cue, whole) = (Some(Rule::Cue), Some(Rule::Whole));
    check(
        &fields("belief", &ROOMS),
        &[
            ("B", named("room_12"), whole),
            ("(B)", named("room_12"), whole),
            ("b)", named("room_12"), whole),
            ("B.", named("room_12"), whole),
            ("**D**", named("room_5"), whole),
            ("Option D", named("room_5"), whole),
            ("D\n\nHe was told so in room_2.", named("room_5"), whole),
            ("Answer: D", named("room_5"), cue),
            ("Answer: (d)", named("room_5"), cue),
            ("The answer is D.", named("room_5"), cue),
            ("The answer is D because nobody told her.", named("room_5"), cue),
            ("The answer is **(D)**, as I said.", named("room_5"), cue),
            ("Answer: A", named("room_1"), cue),
            // A name goes before a letter.
            ("Answer: (B) room_5", named("room_5"), cue),
            ("B. room_12", named("room_12"), whole),
            // An article is no letter, nor is "I".
            ("Answer: A place that nobody knows", Given::Outside, cue),
            ("The answer is a place that she left.", Given::Nothing, None),
            ("A place that she left.", Given::Nothing, None),
            ("I think so.", Given::Nothing, None),
            // There are five choices.
            ("F", Given::Nothing, None),
        ],
    );
}

#[test]
fn names_in_prose() {
    let (whole, bold, last) = (Some(Rule::Whole), Some(Rule::Bold), Some(Rule::LastNamed));
    check(
        &fields("belief", &ROOMS),
        &[
            ("room_5", named("room_5"), whole),
            ("  \"The Hallway.\"  ", named("the_hallway"), whole),
            ("In the hallway.", named("the_hallway"), whole),
            ("«room_5»", named("room_5"), whole),
            ("『room_5』", named("room_5"), whole),
            ("Frank thinks that Edward is in **room_5**. He left room_2.", named("room_5"), bold),
            ("**Step 1**: he went to **room_1**.\n**So** he thinks **room_5**.", named("room_5"), bold),
            (
                "**Note** that she was in room_1. So Frank thinks that she is in room_5.",
                named("room_5"),
                last,
            ),
            ("Frank saw her in room_1. Therefore he thinks she is in room_5.", named("room_5"), last),
            (
                "He thinks that she is still in room_5, because he saw her go there from room_1.",
                named("room_5"),
                last,
            ),
            ("Since he was in room_1 when she left, he thinks she is in room_5.", named("room_5"), last),
            ("It is either in room_1 or in room_5, nobody can tell.", Given::Nothing, last),
            ("To answer this, follow Frank through all of it: he is in room_5 now.", named("room_5"), last),
            ("He looks in the bathroom_1 for it, over there.", Given::Nothing, None),
            ("It cannot be determined from the story.", Given::Nothing, last),
        ],
    );
}

#[test]
fn no_answers() {
    let rooms = fields("belief", &ROOMS);
    check(
        &rooms,
        &[
            ("", Given::Nothing, None),
            (" \n\t", Given::Nothing, None),
            ("…", Given::Nothing, None),
            ("Let us think step by step.", Given::Nothing, None),
            ("I'm sorry, but I can't help with that.", Given::Refusal, None),
            ("I can’t assist with where room_5 is.", Given::Refusal, None),
            ("As an AI, I have no rooms.", Given::Refusal, None),
            ("Answer: I cannot answer that.", Given::Refusal, None),
            // A polite answer is one.
            ("I'm sorry, I can't help but think: Answer: room_5", named("room_5"), Some(Rule::Cue)),
            // Thoughts are no answer.
            ("<think>room_1? Answer: room_1</think>room_5", named("room_5"), Some(Rule::Whole)),
            ("She is in room_1?</think>\nAnswer: room_5", named("room_5"), Some(Rule::Cue)),
            ("<think>She is in room_1, so the answer is room_1", Given::CutOff, None),
            ("<think>room_1</think>", Given::Nothing, None),
            ("<reasoning>a</reasoning><think>b</think>Answer: room_5", named("room_5"), Some(Rule::Cue)),
        ],
    );
    let ended = |text: &str, ending| {
        let response = Response { text: text.into(), ending };
        extract(&response, &Options::of(&rooms)).given
    };
    assert_eq!(ended("First she goes to room_1, then she", Ending::CutOff), Given::CutOff);
    assert_eq!(ended("", Ending::CutOff), Given::CutOff);
    assert_eq!(ended("Answer: room_5. This is bec", Ending::CutOff), named("room_5"));
    assert_eq!(ended("Answer: room_5", Ending::Refused), Given::Refusal);
}

#[test]
fn yes_no_and_unknown() {
    let (cue, whole, last) = (Some(Rule::Cue), Some(Rule::Whole), Some(Rule::LastNamed));
    check(
        &fields("knows", &["yes", "no"]),
        &[
            ("Yes.", named("yes"), whole),
            ("Answer: No, yes would need that she saw it.", named("no"), cue),
            ("No, she does not know whether there is a party at all.", named("no"), last),
            ("There is no way.", Given::Nothing, None),
            ("There is no way that she could have seen it.", Given::Nothing, None),
            ("She was away. So no.", named("no"), last),
            (r#"{"answer": true}"#, named("yes"), Some(Rule::Json)),
            ("It cannot be determined from what is told here.", Given::Nothing, last),
        ],
    );
    check(
        &fields("belief", &["yes", "no", "unknown"]),
        &[
            ("unknown", named("unknown"), whole),
            ("Answer: unknown", named("unknown"), cue),
            ("Answer: it cannot be determined", named("unknown"), cue),
            ("From what is told here it is impossible to say what she thinks.", named("unknown"), last),
        ],
    );
}

#[test]
fn lists_of_names() {
    let (cue, whole) = (Some(Rule::Cue), Some(Rule::Whole));
    check(
        &fields("who_knows", &["Ann, Bob", "Bob", "Ann, Bob, Cas", "nobody"]),
        &[
            ("Bob, Ann", named("Ann, Bob"), whole),
            ("Ann and Bob", named("Ann, Bob"), whole),
            ("Answer: Cas, Bob and Ann", named("Ann, Bob, Cas"), cue),
            ("Answer:\n- Ann\n- Bob\n\nCas does not.", named("Ann, Bob"), cue),
            ("**Answer:**\n* Ann\n* Bob", named("Ann, Bob"), cue),
            ("Answer: nobody", named("nobody"), cue),
            ("No one knows.", named("nobody"), Some(Rule::LastNamed)),
            ("Answer: Bob, but not Cas", named("Bob"), cue),
            ("Answer: Cas", Given::Outside, cue),
            (r#"{"answer": ["Bob", "Ann"]}"#, named("Ann, Bob"), Some(Rule::Json)),
            ("Answer: C", named("Ann, Bob, Cas"), cue),
        ],
    );
}

#[test]
fn what_the_row_knows_is_named_though_it_is_no_choice() {
    let mut fields = fields("belief", &["room_1", "room_2"]);
    fields.foils.insert("last_place".into(), Some("room_9".into()));
    check(&fields, &[("Answer: room_9", named("room_9"), Some(Rule::Cue))]);
}

/// Whatever is said, it is read.
#[test]
fn nothing_breaks_it() {
    let rooms = fields("belief", &ROOMS);
    for text in [
        "answer",
        "answer:",
        "\"answer\":",
        "\"answer\": {",
        "\\boxed{",
        "\\boxed{{}",
        "**",
        "****",
        "answer is",
        "the answer to",
        "<think>",
        "</think>",
        "(",
        "((A",
        "İanswer: room_5",
        "answer:\u{0}",
        "ﬁ \"ANSWER\": \"ſ\"",
        "🙂**🙂",
    ] {
        for text in [text.to_owned(), format!("{text}\n"), format!("{text}{text}"), format!("é{text} é")] {
            let (given, rule) = found(&text, &rooms);
            assert!(!matches!(given, Given::Named(_)) || rule.is_some(), "{text}");
        }
    }
    assert_eq!(found(&"answer: ".repeat(8 << 10), &rooms).0, Given::Outside);
    // None takes longer than its length.
    for text in [
        "the answer is ",
        "room_1 ",
        "room_1 or ",
        "not ",
        "** ",
        "{\"answer\": ",
        "\\boxed{",
        "answer\n",
        "- ",
    ] {
        let _ = found(&text.repeat((64 << 10) / text.len()), &rooms);
    }
}

/// Pieces of which responses are made.
fn prose() -> impl Strategy<Value = String> {
    let pieces = [
        "Frank thinks ",
        "that she is in ",
        "room_1",
        "room_12 ",
        "the_hallway",
        "Room 5",
        "**",
        "(B)",
        "\n",
        ". ",
        "not in ",
        "because ",
        " or ",
        ", ",
        "I can't help ",
        "<think>",
        "</think>",
        "Option C",
        "- ",
        "é",
        "„",
        "answers ",
        "'",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Whatever is said before, a last line with the answer counts, and whatever follows as its reason does not.
    #[test]
    fn a_last_line_with_the_answer_counts(
        before in prose(), after in prose(), choice in 0..ROOMS.len(), is_letter: bool,
    ) {
        // Thoughts and further announcements would count.
        let plain = |text: String| text.replace("<think>", "").replace("</think>", "").replace("answers", "");
        let (before, after) = (plain(before), plain(after));
        let said = if is_letter { char::from(b'A' + choice as u8).to_string() } else { ROOMS[choice].to_owned() };
        let text = format!("{before}\nAnswer: {said}\n\nThat is since {after}");
        prop_assert_eq!(found(&text, &fields("belief", &ROOMS)), (named(ROOMS[choice]), Some(Rule::Cue)));
    }

    /// What is named is a choice that stands in the text, letters aside; and it is found again.
    #[test]
    fn only_what_is_said_is_found(text in prose()) {
        let rooms = fields("belief", &ROOMS);
        let (given, rule) = found(&text, &rooms);
        prop_assert_eq!(&found(&text, &rooms).0, &given);
        if let Given::Named(name) = given {
            prop_assert!(rule.is_some());
            let plain = |text: &str| text.to_lowercase().replace(['_', ' '], "").replace("the", "");
            let letter = ROOMS.iter().position(|room| *room == name).map(|at| char::from(b'A' + at as u8)).unwrap();
            let is_lettered = text.contains(&format!("({letter})")) || text.contains(&format!("Option {letter}"));
            prop_assert!(plain(&text).contains(&plain(&name)) || is_lettered, "{} in {:?}", name, text);
        } else if given == Given::CutOff {
            prop_assert!(text.contains("<think>"));
        }
    }
}
