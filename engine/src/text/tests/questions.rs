//! Questions of all kinds and moments.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::plan::{Moment, Question, Target};
use crate::storyboard::QuestionKind;
use crate::text::{Lexicon, Words};

fn asked(plan: &Plan, story: &Story, question: &Question) -> String {
    let lexicon = Lexicon::new(plan, 7, str::to_owned);
    let mut text = String::new();
    lexicon.question(story, &Words::default(), question, &mut text);
    text
}

const OF_MARBLE: Target = Target::Item(Item::Object(MARBLE));
const OF_BOB: Target = Target::Item(Item::Character(BOB));
const OF_GIFT: Target = Target::Item(Item::Proposition(GIFT));
const OF_PAINTING: Target = Target::Attitude(0);

/// What is asked of whom, and the question at the end, before an event and without it.
const CASES: &[(QuestionKind, &[CharacterId], Target, [&str; 3])] = &[
    (
        QuestionKind::Belief,
        &[ANN],
        OF_MARBLE,
        [
            "Where does Ann think the marble is?",
            "where did Ann think the marble was?",
            "Where would Ann think the marble is?",
        ],
    ),
    (
        QuestionKind::Belief,
        &[ANN, CID, ANN],
        OF_BOB,
        [
            "Where does Ann think that Cid thinks that Ann thinks Bob is?",
            "where did Ann think that Cid thought that Ann thought Bob was?",
            "Where would Ann think that Cid thinks that Ann thinks Bob is?",
        ],
    ),
    (
        QuestionKind::Belief,
        &[ANN],
        OF_GIFT,
        [
            "Does Ann think that the gift for Bob is a bicycle? Answer yes if so, no if Ann thinks \
             that the gift is no bicycle, and unknown if Ann has no idea.",
            "did Ann think that the gift for Bob is a bicycle? Answer yes if so, no if Ann thought \
             that the gift is no bicycle, and unknown if Ann had no idea.",
            "Would Ann think that the gift for Bob is a bicycle? Answer yes if so, no if Ann would \
             think that the gift is no bicycle, and unknown if Ann would have no idea.",
        ],
    ),
    (
        QuestionKind::Belief,
        &[ANN, BOB],
        OF_GIFT,
        [
            "Does Ann think that Bob thinks that the gift for Bob is a bicycle? Answer yes if so, no \
             if Ann thinks that Bob thinks that the gift is no bicycle, and unknown if Ann thinks that \
             Bob has no idea.",
            "did Ann think that Bob thought that the gift for Bob is a bicycle? Answer yes if so, no \
             if Ann thought that Bob thought that the gift is no bicycle, and unknown if Ann thought \
             that Bob had no idea.",
            "Would Ann think that Bob thinks that the gift for Bob is a bicycle? Answer yes if so, no \
             if Ann would think that Bob thinks that the gift is no bicycle, and unknown if Ann would \
             think that Bob has no idea.",
        ],
    ),
    (
        QuestionKind::Reality,
        &[],
        OF_MARBLE,
        ["Where is the marble at the end?", "where was the marble?", "Where would the marble be at the end?"],
    ),
    (
        QuestionKind::Reality,
        &[],
        OF_GIFT,
        [
            "Is it true that the gift for Bob is a bicycle? Answer yes or no.",
            "was it true that the gift for Bob is a bicycle? Answer yes or no.",
            "Would it be true that the gift for Bob is a bicycle? Answer yes or no.",
        ],
    ),
    (
        QuestionKind::Start,
        &[],
        OF_MARBLE,
        [
            "Where was the marble at the start?",
            "where was the marble at the start?",
            "Where was the marble at the start?",
        ],
    ),
    (
        QuestionKind::Start,
        &[],
        OF_GIFT,
        [
            "Was it true at the start that the gift for Bob is a bicycle? Answer yes or no.",
            "was it true at the start that the gift for Bob is a bicycle? Answer yes or no.",
            "Was it true at the start that the gift for Bob is a bicycle? Answer yes or no.",
        ],
    ),
    (
        QuestionKind::World,
        &[ANN, CID],
        OF_BOB,
        [
            "When Ann and Cid were last in the same place as Bob, where did Bob go from there?",
            "when Ann and Cid were last in the same place as Bob, where did Bob go from there?",
            "When Ann and Cid were last in the same place as Bob, where did Bob go from there?",
        ],
    ),
    (
        QuestionKind::Knows,
        &[ANN],
        OF_MARBLE,
        [
            "Does Ann know where the marble is? Answer yes or no.",
            "did Ann know where the marble was? Answer yes or no.",
            "Would Ann know where the marble is? Answer yes or no.",
        ],
    ),
    (
        QuestionKind::Knows,
        &[ANN, CID, BOB],
        OF_GIFT,
        [
            "Does Ann think that Cid thinks that Bob knows whether the gift for Bob is a bicycle? \
             Answer yes or no.",
            "did Ann think that Cid thought that Bob knew whether the gift for Bob is a bicycle? \
             Answer yes or no.",
            "Would Ann think that Cid thinks that Bob knows whether the gift for Bob is a bicycle? \
             Answer yes or no.",
        ],
    ),
    (
        QuestionKind::WhoKnows,
        &[],
        OF_MARBLE,
        [
            "Who knows where the marble is? Name everyone who does, or say nobody.",
            "who knew where the marble was? Name everyone who did, or say nobody.",
            "Who would know where the marble is? Name everyone who would, or say nobody.",
        ],
    ),
    (
        QuestionKind::CouldAnswer,
        &[ANN],
        OF_MARBLE,
        [
            "Who could say correctly where Ann thinks the marble is? Name everyone who could, Ann \
             included.",
            "who could say correctly where Ann thought the marble was? Name everyone who could, Ann \
             included.",
            "Who could then say correctly where Ann would think the marble is? Name everyone who \
             could, Ann included.",
        ],
    ),
    (
        QuestionKind::CouldAnswer,
        &[ANN, BOB],
        OF_GIFT,
        [
            "Who could say correctly whether Ann thinks that Bob thinks that the gift for Bob is a \
             bicycle? Name everyone who could, Ann included.",
            "who could say correctly whether Ann thought that Bob thought that the gift for Bob is a \
             bicycle? Name everyone who could, Ann included.",
            "Who could then say correctly whether Ann would think that Bob thinks that the gift for \
             Bob is a bicycle? Name everyone who could, Ann included.",
        ],
    ),
    (
        QuestionKind::CouldAnswer,
        &[],
        OF_MARBLE,
        [
            "Who could say correctly where the marble is? Name everyone who could, or say nobody.",
            "who could say correctly where the marble was? Name everyone who could, or say nobody.",
            "Who could then say correctly where the marble is? Name everyone who could, or say nobody.",
        ],
    ),
    (
        QuestionKind::Following,
        &[],
        OF_BOB,
        [
            "Whom is Bob following? Bob goes only to where that person already is.",
            "whom was Bob following? Bob went only to where that person already is.",
            "Whom would Bob be following? Bob would go only to where that person already is.",
        ],
    ),
    (
        QuestionKind::WhoDislikes,
        &[ANN],
        OF_PAINTING,
        [
            "From Ann's view, who dislikes the painting? Name everyone who does, or say nobody.",
            "from Ann's view, who disliked the painting? Name everyone who did, or say nobody.",
            "From Ann's view, who would then dislike the painting? Name everyone who would, or say \
             nobody.",
        ],
    ),
    (
        QuestionKind::WhoLikes,
        &[ANN, BOB],
        OF_PAINTING,
        [
            "From Ann's view of Bob's view, who likes the painting? Name everyone who does, or say \
             nobody.",
            "from Ann's view of Bob's view, who liked the painting? Name everyone who did, or say \
             nobody.",
            "From Ann's view of Bob's view, who would then like the painting? Name everyone who would, \
             or say nobody.",
        ],
    ),
    (
        QuestionKind::WhoLikes,
        &[],
        OF_PAINTING,
        [
            "Who likes the painting? Name everyone who does, or say nobody.",
            "who liked the painting? Name everyone who did, or say nobody.",
            "Who would then like the painting? Name everyone who would, or say nobody.",
        ],
    ),
];

fn question(kind: QuestionKind, others: &[CharacterId], target: Target, moment: Moment) -> Question {
    Question { moment, ..Question::new(kind, others.to_vec(), target) }
}

#[test]
fn every_question_is_asked_at_every_moment() {
    let plan = plan();
    let story = story(vec![deed(Act::Take(MARBLE)), deed(Act::Put(MARBLE, Value::Container(BOX)))]);
    let openings = [
        "",
        "Just before sentence 2 of the story (\"Ann puts the marble in Zoe's box.\"), ",
        "Suppose that what sentence 2 of the story says (\"Ann puts the marble in Zoe's box.\") had not \
         happened, and everything else had. ",
    ];
    let moments = [Moment::End, Moment::Before(1), Moment::Without(1)];
    for &(kind, others, target, expected) in CASES {
        for (at, moment) in moments.into_iter().enumerate() {
            let question = question(kind, others, target, moment);
            assert_eq!(asked(&plan, &story, &question), format!("{}{}", openings[at], expected[at]));
        }
    }
}

#[test]
fn where_there_are_only_people_questions_stay_short() {
    let plan = plan_of(None);
    let mut story = story(vec![deed(Act::Go)]);
    story.trace.deeds.clear();
    let target = Target::Item(Item::Character(BOB));
    let mut question = question(QuestionKind::Belief, &[ANN, CID], target, Moment::End);
    assert_eq!(asked(&plan, &story, &question), "Where does Ann think Cid thinks Bob is?");
    question.moment = Moment::Before(0);
    let expected = "Just before sentence 1 of the story (\"Ann enters the hall.\"), where did Ann think Cid thought Bob was?";
    assert_eq!(asked(&plan, &story, &question), expected);
}

/// In the words of a wording, every question is whole at every moment, and no two of different meaning read the same.
#[test]
fn every_question_is_asked_in_many_words() {
    let wording = crate::pack::built_in("varied").cloned();
    let plan = Plan { wording, ..plan() };
    let story = story(vec![deed(Act::Take(MARBLE)), deed(Act::Put(MARBLE, Value::Container(BOX)))]);
    let lexicon = Lexicon::new(&plan, 7, str::to_owned);
    let mut all: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (case, &(kind, others, target, _)) in CASES.iter().enumerate() {
        for (at, moment) in [Moment::End, Moment::Before(1), Moment::Without(1)].into_iter().enumerate() {
            let question = question(kind, others, target, moment);
            let mut texts = BTreeSet::new();
            for index in 0..400 {
                let (mut words, mut text) = (Words::default(), String::new());
                lexicon.draw(&Story { index, ..story.clone() }, &mut words);
                lexicon.question(&story, &words, &question, &mut text);
                // After the sentence that it quotes, if it quotes one.
                let asked =
                    text.rsplit("), ").next().unwrap().rsplit("else had. ").next().unwrap().to_owned();
                texts.insert(asked);
            }
            assert!(texts.len() >= 8, "{kind:?}: {texts:?}");
            for text in texts {
                let is_past = at == 1;
                let first = text.chars().next().unwrap();
                let begins_with_name = ["Ann", "Bob", "Cid", "Zoe"].iter().any(|name| text.starts_with(name));
                assert!(first.is_uppercase() != is_past || begins_with_name, "{text}");
                let is_whole = text.contains('?')
                    && !["  ", " ?", "{", "[", "(", "|"].iter().any(|wrong| text.contains(wrong));
                assert!(is_whole, "{text}");
                for &mind in others {
                    assert!(text.contains(["Ann", "Bob", "Cid", "Zoe"][mind.index()]), "{text}");
                }
                // What was does not depend on the moment.
                let was =
                    [QuestionKind::Start, QuestionKind::World, QuestionKind::WorldThings].contains(&kind);
                let at = if was { 0 } else { at };
                let known = all.insert(text.clone(), (case, at));
                assert!(known.is_none_or(|known| known == (case, at)), "{text}");
            }
        }
    }
}
