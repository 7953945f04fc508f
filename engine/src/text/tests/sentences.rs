//! Sentences and answers.

use super::*;
use crate::plan::{Moment, Note, Question, Target};
use crate::question::{Answer, Verdict};
use crate::storyboard::QuestionKind;
use crate::text::notes::sentence_count;
use crate::text::{Display, Lexicon, Words};
use crate::world::Distraction;

fn told(plan: &Plan, story: &Story) -> String {
    let lexicon = Lexicon::new(plan, 7, str::to_owned);
    let (mut words, mut text) = (Words::default(), String::new());
    lexicon.draw(story, &mut words);
    lexicon.story(story, &words, Display::People, &mut text);
    text
}

#[test]
fn every_deed_has_a_sentence() {
    let marble = Item::Object(MARBLE);
    let (gift, in_box) = (Item::Proposition(GIFT), Value::Container(BOX));
    let cases = [
        (Act::Go, "Ann enters the hall."),
        (Act::GoTogether(vec![BOB]), "Ann and Bob go to the hall together."),
        (Act::GoTogether(vec![BOB, CID]), "Ann, Bob and Cid go to the hall together."),
        (Act::Carry(MARBLE), "Ann carries the marble to the hall."),
        (Act::Take(MARBLE), "Ann takes the marble."),
        (Act::Put(MARBLE, in_box), "Ann puts the marble in Zoe's box."),
        (Act::Put(MARBLE, Value::Place(KITCHEN)), "Ann puts the marble down in the kitchen."),
        (Act::MoveObject(MARBLE, BASKET), "Ann moves the marble into the basket."),
        (Act::Throw(MARBLE, HALL), "Ann throws the marble to the hall."),
        (Act::Open(BOX), "Ann opens Zoe's box."),
        (Act::Close(BASKET), "Ann closes the basket."),
        (
            tell(Hearers::Present, marble, in_box),
            "Ann tells everyone in the kitchen that the marble is in Zoe's box.",
        ),
        (
            tell(Hearers::Named(vec![BOB]), marble, Value::Place(HALL)),
            "Ann whispers to Bob that the marble is in the hall.",
        ),
        (
            tell(Hearers::Named(vec![BOB, CID]), marble, Value::Hands(BOB)),
            "Ann whispers to Bob and Cid that Bob has the marble.",
        ),
        (
            tell(Hearers::Afar(vec![CID]), Item::Character(BOB), Value::Place(HALL)),
            "Ann phones Cid and says that Bob is in the hall.",
        ),
        (
            tell(Hearers::Afar(vec![CID, ZOE]), gift, Value::Truth(true)),
            "Ann phones Cid and Zoe, all in one call, and says that the gift for Bob is a bicycle.",
        ),
        (
            tell(Hearers::Present, gift, Value::Truth(false)),
            "Ann tells everyone in the kitchen that the gift is no bicycle.",
        ),
        (
            tell(Hearers::Present, Item::Lid(BOX), Value::Truth(false)),
            "Ann tells everyone in the kitchen that Zoe's box is closed.",
        ),
        (
            tell(Hearers::Named(vec![BOB]), Item::Proposition(ANN_LIKES), Value::Truth(false)),
            "Ann whispers to Bob that Ann dislikes the painting.",
        ),
        (
            Act::Tell(Telling {
                hearers: Hearers::Present,
                item: marble,
                value: in_box,
                believers: Some(vec![BOB, CID]),
            }),
            "Ann tells everyone in the kitchen that the marble is in Zoe's box, which is believed by Bob and Cid.",
        ),
        (
            Act::Tell(Telling {
                hearers: Hearers::Present,
                item: marble,
                value: in_box,
                believers: Some(vec![]),
            }),
            "Ann tells everyone in the kitchen that the marble is in Zoe's box, which nobody believes.",
        ),
        (Act::Show(MARBLE), "Ann shows the marble to everyone in the kitchen."),
        (Act::React((ANN_LIKES, true)), "Ann shows that Ann likes the painting."),
    ];
    let plan = plan();
    for (act, sentence) in cases {
        assert_eq!(told(&plan, &story(vec![deed(act)])), sentence);
    }
}

#[test]
fn who_watches_or_misses_it_is_told_after_it() {
    let distraction = |who, is_noticed| Distraction { who, is_noticed };
    let deeds = vec![
        Deed { act: Act::Take(MARBLE), peeking: vec![CID, ZOE], distracted: vec![distraction(BOB, false)] },
        Deed {
            act: tell(Hearers::Present, Item::Object(MARBLE), Value::Hands(ANN)),
            peeking: vec![ZOE],
            distracted: vec![distraction(BOB, true)],
        },
        deed(Act::Go),
    ];
    let mut plan = plan();
    plan.notes = vec![
        Note { step: 0, counted: Vec::new(), text: words("It rains. Nobody minds"), past: None },
        Note { step: 1, counted: Vec::new(), text: words("Dr. \"No!\""), past: None },
    ];
    let story = story(deeds);
    let expected = "Ann takes the marble. \
        Cid watches this from elsewhere, and nobody notices Cid. \
        Zoe watches this from elsewhere, and nobody notices Zoe. \
        Bob is distracted and misses this, and nobody notices that. \
        It rains. Nobody minds \
        Ann tells everyone in the kitchen that Ann has the marble. \
        Zoe overhears this, and nobody notices that. \
        Bob is distracted and misses this, and the others notice that. \
        Dr. \"No!\" \
        Ann enters the hall.";
    assert_eq!(told(&plan, &story), expected);
    let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    let mut drawn = Words::default();
    lexicon.draw(&story, &mut drawn);
    let numbers: Vec<usize> = (0..3).map(|step| lexicon.sentence_number(&story, &drawn, step)).collect();
    assert_eq!(numbers, [1, 7, 12]);
    assert_eq!(sentence_count(&[NotePiece::Character(ANN), NotePiece::Text(" hums.".into())]), 1);
}

#[test]
fn articles_go_before_common_names_only() {
    let names = [
        ("ball", "the ball"),
        ("red ball", "the red ball"),
        ("the ball", "the ball"),
        ("the_ball", "the ball"),
        ("red_ball", "the red ball"),
        ("a ball", "a ball"),
        ("an egg", "an egg"),
        ("Ann's ball", "Ann's ball"),
        ("grandma's ball", "grandma's ball"),
        ("Excalibur", "Excalibur"),
        ("theory", "the theory"),
        ("a", "the a"),
    ];
    for (name, expected) in names {
        let mut staging = staging();
        staging.objects[0].name = name.into();
        let text = told(&plan_of(Some(staging)), &story(vec![deed(Act::Take(MARBLE))]));
        assert_eq!(text, format!("Ann takes {expected}."));
    }
}

#[test]
fn answers_are_bare_names() {
    let plan = plan();
    let mut story = story(Vec::new());
    story.names = vec![3, 2, 1, 0]; // Ann is the last character
    let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    let cases = [
        (Answer::Place(HALL), "the hall"),
        (Answer::Container(BOX), "Zoe's box"),
        (Answer::Character(ANN), "Zoe"),
        (Answer::Verdict(Verdict::Yes), "yes"),
        (Answer::Verdict(Verdict::No), "no"),
        (Answer::Verdict(Verdict::Unknown), "unknown"),
        (Answer::People(0), "nobody"),
        (Answer::People(0b0101), "Bob, Zoe"),
        (Answer::People(0b1111), "Ann, Bob, Cid, Zoe"),
    ];
    for (answer, expected) in cases {
        let mut text = String::new();
        lexicon.answer(&story, &Words::default(), answer, &mut text);
        assert_eq!(text, expected);
    }
}

#[test]
fn odd_names_are_spelt_once_everywhere() {
    let mut staging = staging();
    staging.objects[0].name = "\"big\" \\ ball".into();
    staging.containers[1].name = "\tbox".into();
    staging.propositions[0].says =
        Saying::Words { says: words("it is \"so\""), denies: words("it is not \"so\"") };
    let mut plan = plan_of(Some(staging));
    let named = |(at, name): (usize, &String)| if at == 0 { "Ann \"A\"".to_owned() } else { name.clone() };
    plan.pool = plan.pool.iter().enumerate().map(named).collect();
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let escaped = |text: &str| quoted(text)[1..quoted(text).len() - 1].to_owned();
    let (plain, spelt) = (Lexicon::new(&plan, 7, str::to_owned), Lexicon::new(&plan, 7, escaped));
    let story = story(vec![
        deed(Act::MoveObject(MARBLE, BOX)),
        deed(tell(Hearers::Present, Item::Proposition(GIFT), Value::Truth(false))),
    ]);
    let question = |others: Vec<CharacterId>, kind| Question {
        moment: Moment::Without(0),
        ..Question::new(kind, others, Target::Item(Item::Proposition(GIFT)))
    };
    let words = Words::default();
    let texts = |lexicon: &Lexicon<'_>| {
        let mut texts = vec![String::new(); 4];
        lexicon.story(&story, &words, Display::People, &mut texts[0]);
        lexicon.context(&story, &words, Display::People, &mut texts[1]);
        lexicon.question(&story, &words, &question(vec![ANN, BOB], QuestionKind::Belief), &mut texts[2]);
        lexicon.answer(&story, &words, Answer::Container(BOX), &mut texts[3]);
        texts
    };
    assert!(texts(&plain)[2].contains("(\"Ann \"A\" moves the \"big\" \\ ball into the \tbox.\")"));
    for (plain, spelt) in texts(&plain).iter().zip(texts(&spelt)) {
        assert_eq!(quoted(plain), format!("\"{spelt}\""));
    }
}
