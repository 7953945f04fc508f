//! Every form of a sentence, of the context and of a question, in plans and stories made by hand.

use super::{Display, Lexicon, Words, rules, sentence_count};
use crate::compile::compile;
use crate::diagnostic::Source;
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};
use crate::plan::{
    Attention, Audience, Moment, Note, NotePiece, Place, Plan, PlannedAct, PlannedContainer, PlannedDeed,
    PlannedObject, PlannedProposition, PlannedTelling, PlannedValue, Play, Question, Saying, Staging, Target,
};
use crate::question::{Answer, Verdict};
use crate::simulate::Story;
use crate::storyboard::{QuestionKind, parse};
use crate::trace::Trace;
use crate::world::{
    Act, Container, Deed, Distraction, Event, Hearers, Item, Knowledge, Stage, Telling, Thing, Trust, Value,
};

const BOARD: &str = "
storysim: 1
name: by-hand
characters: {pool: [Ann, Bob, Cid, Zoe]}
roles: [A, B, C, Z]
places: {complete: [the_kitchen, the_hall]}
start: the_kitchen
horizon: 1
questions: [reality: A]
";

const ANN: CharacterId = CharacterId::new(0);
const BOB: CharacterId = CharacterId::new(1);
const CID: CharacterId = CharacterId::new(2);
const ZOE: CharacterId = CharacterId::new(3);
const KITCHEN: PlaceId = PlaceId::new(0);
const HALL: PlaceId = PlaceId::new(1);
const BASKET: ContainerId = ContainerId::new(0);
const BOX: ContainerId = ContainerId::new(1);
const MARBLE: ObjectId = ObjectId::new(0);
const GIFT: PropositionId = PropositionId::new(0);
const ANN_LIKES: PropositionId = PropositionId::new(1);

fn words(text: &str) -> Vec<NotePiece> {
    vec![NotePiece::Text(text.to_owned())]
}

/// A marble in the basket, a box, a gift that only Ann knows of, and everyone's attitude to a painting.
fn staging() -> Staging {
    let container =
        |name: &str, is_open| PlannedContainer { name: name.into(), place: Place::Fixed(KITCHEN), is_open };
    let gift = PlannedProposition {
        name: "gift".into(),
        is_true: Some(true),
        knowledge: vec![Knowledge::Right, Knowledge::Wrong, Knowledge::Nothing, Knowledge::Nothing],
        says: Saying::Words {
            says: vec![
                NotePiece::Text("the gift for ".into()),
                NotePiece::Character(BOB),
                NotePiece::Text(" is a bicycle".into()),
            ],
            denies: words("the gift is no bicycle"),
        },
    };
    let likes = |who| PlannedProposition {
        name: "painting".into(),
        is_true: None,
        knowledge: Vec::new(),
        says: Saying::Likes(who, 0),
    };
    Staging {
        containers: vec![container("basket", true), container("Zoe's box", false)],
        objects: vec![PlannedObject {
            name: "marble".into(),
            start: vec![PlannedValue::Container(BASKET)],
            knowledge: Vec::new(),
        }],
        propositions: [gift].into_iter().chain([ANN, BOB, CID, ZOE].map(likes)).collect(),
        attitudes: vec!["painting".into()],
        ..Staging::default()
    }
}

fn plan_of(staging: Option<Staging>) -> Plan {
    let board = parse(Source { name: "by-hand.yaml".into(), text: BOARD.into() }).unwrap();
    Plan { staging, ..compile(&board, &[]).unwrap().plan }
}

fn plan() -> Plan {
    plan_of(Some(staging()))
}

fn stage() -> Stage {
    let container = |is_open| Container { place: KITCHEN, is_open };
    let staging = staging();
    let truth = |proposition: &PlannedProposition| Thing {
        value: Value::Truth(true),
        knowledge: proposition.knowledge.clone(),
    };
    Stage {
        containers: vec![container(true), container(false)],
        objects: vec![Thing { value: Value::Container(BASKET), knowledge: Vec::new() }],
        propositions: staging.propositions.iter().map(truth).collect(),
        trust: Trust::default(),
    }
}

/// A story in which Ann does these, one after another, in the kitchen; where she goes, to the hall.
fn story(deeds: Vec<Deed>) -> Story {
    let event =
        |deed: &Deed| Event { who: ANN, from: KITCHEN, to: if deed.act.is_going() { HALL } else { KITCHEN } };
    let trace = Trace {
        start: vec![KITCHEN, KITCHEN, HALL, HALL],
        events: deeds.iter().map(event).collect(),
        deeds,
        stage: stage(),
    };
    Story { index: 0, cast: 0, names: vec![0, 1, 2, 3], trace }
}

fn deed(act: Act) -> Deed {
    Deed { act, ..Deed::default() }
}

fn tell(hearers: Hearers, item: Item, value: Value) -> Act {
    Act::Tell(Telling { hearers, item, value })
}

fn told(plan: &Plan, story: &Story) -> String {
    let lexicon = Lexicon::new(plan, 7, str::to_owned);
    let mut text = String::new();
    lexicon.story(story, &Words::default(), Display::People, &mut text);
    text
}

#[test]
fn every_deed_has_a_sentence() {
    let marble = Item::Object(MARBLE);
    let (gift, in_box) = (Item::Proposition(GIFT), Value::Container(BOX));
    let cases = [
        (Act::Go, "Ann enters the_hall."),
        (Act::GoTogether(vec![BOB]), "Ann and Bob go to the_hall together."),
        (Act::GoTogether(vec![BOB, CID]), "Ann, Bob and Cid go to the_hall together."),
        (Act::Carry(MARBLE), "Ann carries the marble to the_hall."),
        (Act::Take(MARBLE), "Ann takes the marble."),
        (Act::Put(MARBLE, in_box), "Ann puts the marble in Zoe's box."),
        (Act::Put(MARBLE, Value::Place(KITCHEN)), "Ann puts the marble down in the_kitchen."),
        (Act::MoveObject(MARBLE, BASKET), "Ann moves the marble into the basket."),
        (Act::Throw(MARBLE, HALL), "Ann throws the marble to the_hall."),
        (Act::Open(BOX), "Ann opens Zoe's box."),
        (Act::Close(BASKET), "Ann closes the basket."),
        (
            tell(Hearers::Present, marble, in_box),
            "Ann tells everyone in the_kitchen that the marble is in Zoe's box.",
        ),
        (
            tell(Hearers::Named(vec![BOB]), marble, Value::Place(HALL)),
            "Ann whispers to Bob that the marble is in the_hall.",
        ),
        (
            tell(Hearers::Named(vec![BOB, CID]), marble, Value::Hands(BOB)),
            "Ann whispers to Bob and Cid that Bob has the marble.",
        ),
        (
            tell(Hearers::Afar(vec![CID]), Item::Character(BOB), Value::Place(HALL)),
            "Ann phones Cid and says that Bob is in the_hall.",
        ),
        (
            tell(Hearers::Afar(vec![CID, ZOE]), gift, Value::Truth(true)),
            "Ann phones Cid and Zoe, all in one call, and says that the gift for Bob is a bicycle.",
        ),
        (
            tell(Hearers::Present, gift, Value::Truth(false)),
            "Ann tells everyone in the_kitchen that the gift is no bicycle.",
        ),
        (
            tell(Hearers::Present, Item::Lid(BOX), Value::Truth(false)),
            "Ann tells everyone in the_kitchen that Zoe's box is closed.",
        ),
        (
            tell(Hearers::Named(vec![BOB]), Item::Proposition(ANN_LIKES), Value::Truth(false)),
            "Ann whispers to Bob that Ann dislikes the painting.",
        ),
        (Act::React(ANN_LIKES, true), "Ann shows that Ann likes the painting."),
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
        Note { step: 0, text: words("It rains. Nobody minds") },
        Note { step: 1, text: words("Dr. \"No!\"") },
    ];
    let story = story(deeds);
    let expected = "Ann takes the marble. \
        Cid watches this from elsewhere, and nobody notices Cid. \
        Zoe watches this from elsewhere, and nobody notices Zoe. \
        Bob is distracted and misses this, and nobody notices that. \
        It rains. Nobody minds \
        Ann tells everyone in the_kitchen that Ann has the marble. \
        Zoe overhears this, and nobody notices that. \
        Bob is distracted and misses this, and the others notice that. \
        Dr. \"No!\" \
        Ann enters the_hall.";
    assert_eq!(told(&plan, &story), expected);
    let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    let numbers: Vec<usize> = (0..3).map(|step| lexicon.sentence_number(&story, step)).collect();
    assert_eq!(numbers, [1, 7, 12]);
    assert_eq!(sentence_count(&[NotePiece::Character(ANN), NotePiece::Text(" hums.".into())]), 1);
}

#[test]
fn articles_go_before_common_names_only() {
    let names = [
        ("ball", "the ball"),
        ("red ball", "the red ball"),
        ("the ball", "the ball"),
        ("the_ball", "the_ball"),
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

fn context(plan: &Plan, story: &Story) -> String {
    let lexicon = Lexicon::new(plan, 7, str::to_owned);
    let mut text = String::new();
    lexicon.context(story, &Words::default(), Display::People, &mut text);
    text
}

#[test]
fn the_context_says_what_is_where_and_who_knows_it() {
    let expected = "At the start Ann is in the_kitchen, Bob is in the_kitchen, Cid is in the_hall and Zoe is in the_hall. \
        In the_kitchen stands the basket, which is open. \
        In the_kitchen stands Zoe's box, which is closed. \
        At the start the marble is in the basket. \
        In truth the gift for Bob is a bicycle. Only Ann knows this. Bob wrongly thinks that the gift is no bicycle. \
        Cid and Zoe have no idea. \
        Everyone likes or dislikes the painting. \
        Everything else that is said here everyone knows";
    let context = context(&plan(), &story(Vec::new()));
    assert!(context.starts_with(expected), "{context}");
    assert!(!context.contains("likes the painting."), "attitudes are for the story to show");
}

#[test]
fn the_context_says_who_knows_of_an_object() {
    let cases = [
        (vec![], ""),
        (vec![Knowledge::Right; 4], ""),
        (vec![Knowledge::Nothing; 4], "Nobody knows this. "),
        (
            vec![Knowledge::Right, Knowledge::Nothing, Knowledge::Nothing, Knowledge::Right],
            "Only Ann and Zoe know this. ",
        ),
    ];
    for (knowledge, expected) in cases {
        let mut story = story(Vec::new());
        story.trace.stage.objects[0] = Thing { value: Value::Hands(BOB), knowledge };
        story.trace.start = vec![KITCHEN; 4];
        story.trace.stage.containers.clear();
        let expected = format!(
            "Ann, Bob, Cid and Zoe start in the_kitchen. At the start Bob has the marble. {expected}In truth"
        );
        let context = context(&plan(), &story);
        assert!(context.starts_with(&expected), "{context}");
    }
}

/// The rules of a staging in which nothing is done, but for what `change` puts in.
fn rules_of(change: impl Fn(&mut Staging)) -> String {
    let mut staging = Staging::default();
    change(&mut staging);
    rules::rules(&staging, &plan_of(None))
}

#[test]
fn rules_end_a_sentence() {
    let mut everything = staging();
    everything.play = Play::ALL.map(|play| (play, 1)).to_vec();
    let mut all = vec![rules::PEOPLE.to_owned(), rules::THINGS.to_owned()];
    for trust in Trust::ALL {
        all.push(rules::rules(&Staging { trust, ..everything.clone() }, &plan()));
    }
    for rules in all {
        assert!(rules.ends_with('.') && !rules.contains("  ") && !rules.contains(['"', '\\']), "{rules}");
    }
}

#[test]
fn only_rules_that_a_board_can_use_are_told() {
    let deeds = |act: PlannedAct| {
        move |staging: &mut Staging| {
            staging.deeds.push((0, PlannedDeed { who: ANN, act: act.clone() }));
        }
    };
    let play = |play| move |staging: &mut Staging| staging.play.push((play, 1));
    let telling = |to| PlannedAct::Tell(PlannedTelling { to, item: None, value: None, is_lie: false });
    let attention =
        |attention: Attention| move |staging: &mut Staging| staging.attention.push((0, 1, attention.clone()));
    let distracted = |is_noticed| Attention::Distracted { who: vec![ANN], is_noticed };
    type Change = Box<dyn Fn(&mut Staging)>;
    let cases: Vec<(&str, Vec<Change>)> = vec![
        (
            "told to everyone in a place",
            vec![Box::new(deeds(telling(Audience::Present))), Box::new(play(Play::Lie))],
        ),
        (
            "is whispered",
            vec![Box::new(deeds(telling(Audience::Named(vec![BOB])))), Box::new(play(Play::Whisper))],
        ),
        (
            "on the phone",
            vec![Box::new(deeds(telling(Audience::Afar(vec![BOB])))), Box::new(play(Play::Phone))],
        ),
        ("believe what others tell", vec![Box::new(play(Play::Tell)), Box::new(play(Play::Phone))]),
        (
            "thrown to another place",
            vec![Box::new(deeds(PlannedAct::Throw(None, None))), Box::new(play(Play::Throw))],
        ),
        ("container is opened", vec![Box::new(deeds(PlannedAct::Open(None))), Box::new(play(Play::Open))]),
        (
            "which containers there are open",
            vec![Box::new(deeds(PlannedAct::Close(None))), Box::new(play(Play::Close))],
        ),
        ("in hand", vec![Box::new(deeds(PlannedAct::Take(None))), Box::new(play(Play::Carry))]),
        ("show what they like", vec![Box::new(deeds(PlannedAct::React(None))), Box::new(play(Play::React))]),
        ("watches from elsewhere", vec![Box::new(attention(Attention::Peek(vec![ANN])))]),
        ("others notice that, they", vec![Box::new(attention(distracted(true)))]),
        ("If nobody notices that", vec![Box::new(attention(distracted(false)))]),
        (
            "takes",
            vec![Box::new(|staging| staging.objects = self::staging().objects), Box::new(play(Play::Take))],
        ),
    ];
    let none = rules_of(|_| {});
    assert!(none.contains("Everyone knows all of this") && !none.contains("thing "), "{none}");
    for (rule, changes) in cases.iter().take(12) {
        assert!(!none.contains(rule), "{rule}: {none}");
        for change in changes {
            let rules = rules_of(change);
            assert!(rules.contains(rule), "{rule}: {rules}");
        }
    }
    let trusts = Trust::ALL.map(|trust| {
        rules_of(|staging| {
            staging.trust = trust;
            staging.play.push((Play::Tell, 1));
        })
    });
    assert!(
        trusts.iter().enumerate().all(|(at, rules)| !trusts[..at].contains(rules)),
        "a rule for each trust"
    );
}

fn asked(plan: &Plan, story: &Story, question: &Question) -> String {
    let lexicon = Lexicon::new(plan, 7, str::to_owned);
    let mut text = String::new();
    lexicon.question(story, &Words::default(), question, &mut text);
    text
}

#[test]
fn every_question_is_asked_at_every_moment() {
    use QuestionKind::{
        Belief, CouldAnswer, Following, Knows, Reality, Start, WhoDislikes, WhoKnows, WhoLikes, World,
    };
    let (marble, bob) = (Target::Item(Item::Object(MARBLE)), Target::Item(Item::Character(BOB)));
    let (gift, painting) = (Target::Item(Item::Proposition(GIFT)), Target::Attitude(0));
    let cases: Vec<(QuestionKind, Vec<CharacterId>, Target, [&str; 3])> = vec![
        (
            Belief,
            vec![ANN],
            marble,
            [
                "Where does Ann think the marble is?",
                "where did Ann think the marble was?",
                "Where would Ann think the marble is?",
            ],
        ),
        (
            Belief,
            vec![ANN, CID, ANN],
            bob,
            [
                "Where does Ann think that Cid thinks that Ann thinks Bob is?",
                "where did Ann think that Cid thought that Ann thought Bob was?",
                "Where would Ann think that Cid thinks that Ann thinks Bob is?",
            ],
        ),
        (
            Belief,
            vec![ANN],
            gift,
            [
                "Does Ann think that the gift for Bob is a bicycle? Answer yes if so, no if Ann thinks that the gift is \
                 no bicycle, and otherwise unknown.",
                "did Ann think that the gift for Bob is a bicycle? Answer yes if so, no if Ann thought that the gift is \
                 no bicycle, and otherwise unknown.",
                "Would Ann think that the gift for Bob is a bicycle? Answer yes if so, no if Ann would think that the \
                 gift is no bicycle, and otherwise unknown.",
            ],
        ),
        (
            Belief,
            vec![ANN, BOB],
            gift,
            [
                "Does Ann think that Bob thinks that the gift for Bob is a bicycle? Answer yes if so, no if Ann thinks \
                 that Bob thinks that the gift is no bicycle, and otherwise unknown.",
                "did Ann think that Bob thought that the gift for Bob is a bicycle? Answer yes if so, no if Ann thought \
                 that Bob thought that the gift is no bicycle, and otherwise unknown.",
                "Would Ann think that Bob thinks that the gift for Bob is a bicycle? Answer yes if so, no if Ann would \
                 think that Bob thinks that the gift is no bicycle, and otherwise unknown.",
            ],
        ),
        (
            Reality,
            vec![],
            marble,
            [
                "Where is the marble at the end?",
                "where was the marble?",
                "Where would the marble be at the end?",
            ],
        ),
        (
            Reality,
            vec![],
            gift,
            [
                "Is it true that the gift for Bob is a bicycle? Answer yes or no.",
                "was it true that the gift for Bob is a bicycle? Answer yes or no.",
                "Would it be true that the gift for Bob is a bicycle? Answer yes or no.",
            ],
        ),
        (
            Start,
            vec![],
            marble,
            [
                "Where was the marble at the start?",
                "where was the marble at the start?",
                "Where was the marble at the start?",
            ],
        ),
        (
            Start,
            vec![],
            gift,
            [
                "Was it true at the start that the gift for Bob is a bicycle? Answer yes or no.",
                "was it true at the start that the gift for Bob is a bicycle? Answer yes or no.",
                "Was it true at the start that the gift for Bob is a bicycle? Answer yes or no.",
            ],
        ),
        (
            World,
            vec![ANN, CID],
            bob,
            [
                "When Ann and Cid were last in the same place as Bob, where did Bob go from there?",
                "when Ann and Cid were last in the same place as Bob, where did Bob go from there?",
                "When Ann and Cid were last in the same place as Bob, where did Bob go from there?",
            ],
        ),
        (
            Knows,
            vec![ANN],
            marble,
            [
                "Does Ann know where the marble is? Answer yes or no.",
                "did Ann know where the marble was? Answer yes or no.",
                "Would Ann know where the marble is? Answer yes or no.",
            ],
        ),
        (
            Knows,
            vec![ANN, CID, BOB],
            gift,
            [
                "Does Ann think that Cid thinks that Bob knows whether the gift for Bob is a bicycle? Answer yes if so, \
                 no if Ann thinks that Cid thinks that Bob does not know this, and otherwise unknown.",
                "did Ann think that Cid thought that Bob knew whether the gift for Bob is a bicycle? Answer yes if so, \
                 no if Ann thought that Cid thought that Bob did not know this, and otherwise unknown.",
                "Would Ann think that Cid thinks that Bob knows whether the gift for Bob is a bicycle? Answer yes if so, \
                 no if Ann would think that Cid thinks that Bob does not know this, and otherwise unknown.",
            ],
        ),
        (
            WhoKnows,
            vec![],
            marble,
            [
                "Who knows where the marble is? Name everyone who does, or say nobody.",
                "who knew where the marble was? Name everyone who did, or say nobody.",
                "Who would know where the marble is? Name everyone who would, or say nobody.",
            ],
        ),
        (
            CouldAnswer,
            vec![ANN],
            marble,
            [
                "Who could say correctly where Ann thinks the marble is? Name everyone who could, or say nobody.",
                "who could say correctly where Ann thought the marble was? Name everyone who could, or say nobody.",
                "Who could then say correctly where Ann would think the marble is? Name everyone who could, or say nobody.",
            ],
        ),
        (
            CouldAnswer,
            vec![ANN, BOB],
            gift,
            [
                "Who could say correctly whether Ann thinks that Bob thinks that the gift for Bob is a bicycle? Name \
                 everyone who could, or say nobody.",
                "who could say correctly whether Ann thought that Bob thought that the gift for Bob is a bicycle? Name \
                 everyone who could, or say nobody.",
                "Who could then say correctly whether Ann would think that Bob thinks that the gift for Bob is a bicycle? \
                 Name everyone who could, or say nobody.",
            ],
        ),
        (
            CouldAnswer,
            vec![],
            marble,
            [
                "Who could say correctly where the marble is? Name everyone who could, or say nobody.",
                "who could say correctly where the marble was? Name everyone who could, or say nobody.",
                "Who could then say correctly where the marble is? Name everyone who could, or say nobody.",
            ],
        ),
        (
            Following,
            vec![],
            bob,
            ["Whom is Bob following?", "whom was Bob following?", "Whom would Bob be following?"],
        ),
        (
            WhoDislikes,
            vec![ANN],
            painting,
            [
                "From Ann's view, who dislikes the painting? Name everyone who does, or say nobody.",
                "from Ann's view, who disliked the painting? Name everyone who did, or say nobody.",
                "From Ann's view, who would then dislike the painting? Name everyone who would, or say nobody.",
            ],
        ),
        (
            WhoLikes,
            vec![ANN, BOB],
            painting,
            [
                "From Ann's view of Bob's view, who likes the painting? Name everyone who does, or say nobody.",
                "from Ann's view of Bob's view, who liked the painting? Name everyone who did, or say nobody.",
                "From Ann's view of Bob's view, who would then like the painting? Name everyone who would, or say nobody.",
            ],
        ),
        (
            WhoLikes,
            vec![],
            painting,
            [
                "Who likes the painting? Name everyone who does, or say nobody.",
                "who liked the painting? Name everyone who did, or say nobody.",
                "Who would then like the painting? Name everyone who would, or say nobody.",
            ],
        ),
    ];
    let plan = plan();
    let story = story(vec![deed(Act::Take(MARBLE)), deed(Act::Put(MARBLE, Value::Container(BOX)))]);
    let openings = [
        "",
        "Just before sentence 2 of the story (\"Ann puts the marble in Zoe's box.\"), ",
        "Suppose that what sentence 2 of the story says (\"Ann puts the marble in Zoe's box.\") had not happened, and \
         everything else had. ",
    ];
    let moments = [Moment::End, Moment::Before(1), Moment::Without(1)];
    for (kind, others, target, expected) in cases {
        for (at, moment) in moments.into_iter().enumerate() {
            let question = Question { kind, others: others.clone(), target, moment };
            assert_eq!(asked(&plan, &story, &question), format!("{}{}", openings[at], expected[at]));
        }
    }
}

#[test]
fn where_there_are_only_people_questions_stay_short() {
    let plan = plan_of(None);
    let mut story = story(vec![deed(Act::Go)]);
    story.trace.deeds.clear();
    let mut question = Question {
        kind: QuestionKind::Belief,
        others: vec![ANN, CID],
        target: Target::Item(Item::Character(BOB)),
        moment: Moment::End,
    };
    assert_eq!(asked(&plan, &story, &question), "Where does Ann think Cid thinks Bob is?");
    question.moment = Moment::Before(0);
    let expected = "Just before sentence 1 of the story (\"Ann enters the_hall.\"), where did Ann think Cid thought Bob was?";
    assert_eq!(asked(&plan, &story, &question), expected);
}

#[test]
fn answers_are_bare_names() {
    let plan = plan();
    let mut story = story(Vec::new());
    story.names = vec![3, 2, 1, 0]; // Ann is the last character
    let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    let cases = [
        (Answer::Place(HALL), "the_hall"),
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
    plan.pool[0] = "Ann \"A\"".into();
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let escaped = |text: &str| quoted(text)[1..quoted(text).len() - 1].to_owned();
    let (plain, spelt) = (Lexicon::new(&plan, 7, str::to_owned), Lexicon::new(&plan, 7, escaped));
    let story = story(vec![
        deed(Act::MoveObject(MARBLE, BOX)),
        deed(tell(Hearers::Present, Item::Proposition(GIFT), Value::Truth(false))),
    ]);
    let question = |others: Vec<CharacterId>, kind| Question {
        kind,
        others,
        target: Target::Item(Item::Proposition(GIFT)),
        moment: Moment::Without(0),
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
