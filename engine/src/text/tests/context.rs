//! What a reader is told before the story.

use super::*;
use crate::form::ReaderRule;
use crate::plan::{Attending, Attention, PlannedAct, PlannedDeed, PlannedTelling, Play};
use crate::text::{Display, Lexicon, Words, rules};

fn context(plan: &Plan, story: &Story) -> String {
    let lexicon = Lexicon::new(plan, 7, str::to_owned);
    let mut text = String::new();
    lexicon.context(story, &Words::default(), Display::People, &mut text);
    text
}

#[test]
fn the_context_says_what_is_where_and_who_knows_it() {
    let expected = "At the start Ann is in the kitchen, Bob is in the kitchen, Cid is in the hall and Zoe is in the hall. \
        In the kitchen stands the basket, which is open. \
        In the kitchen stands Zoe's box, which is closed. \
        At the start the marble is in the basket. \
        Either the gift for Bob is a bicycle or the gift is no bicycle. \
        In truth the gift for Bob is a bicycle. Only Ann knows this. Bob wrongly thinks that the gift is no bicycle. \
        Cid and Zoe have no idea. \
        Ann, Bob, Cid and Zoe like the painting. \
        Everything else that is said here everyone knows";
    let context = context(&plan(), &story(Vec::new()));
    assert!(context.starts_with(expected), "{context}");
}

#[test]
fn the_context_says_who_likes_what() {
    let mut story = story(Vec::new());
    let last = story.trace.stage.propositions.len() - 1;
    for at in [last - 3, last] {
        story.trace.stage.propositions[at].value = Value::Truth(false);
    }
    let context = context(&plan(), &story);
    let expected = "Bob and Cid like the painting. Ann and Zoe dislike the painting. Everything else";
    assert!(context.contains(expected), "{context}");
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
            "Ann, Bob, Cid and Zoe start in the kitchen. At the start Bob has the marble. {expected}Either"
        );
        let context = context(&plan(), &story);
        assert!(context.starts_with(&expected), "{context}");
    }
}

/// The rules of a staging in which nothing is done, but for what `change` puts in.
fn rules_of(change: impl Fn(&mut Staging)) -> String {
    let mut staging = Staging::default();
    change(&mut staging);
    told(rules::rules(Some(&staging), &plan_of(None)))
}

fn told(rules: Vec<ReaderRule>) -> String {
    rules.into_iter().map(ReaderRule::plain).collect::<Vec<&str>>().join(" ")
}

#[test]
fn rules_end_a_sentence() {
    let mut everything = staging();
    everything.play = Play::ALL.iter().map(|&play| (play, 1)).collect();
    let mut all = vec![told(rules::rules(None, &plan())), rules::THINGS.to_owned()];
    for trust in Trust::ALL {
        all.push(told(rules::rules(Some(&Staging { trust, ..everything.clone() }), &plan())));
    }
    for rules in all {
        assert!(rules.ends_with('.') && !rules.contains("  ") && !rules.contains(['"', '\\']), "{rules}");
    }
}

#[test]
fn only_rules_that_a_board_can_use_are_told() {
    let deeds = |act: PlannedAct| {
        move |staging: &mut Staging| {
            staging.deeds.push((0, PlannedDeed { who: ANN, act: act.clone(), to: None, is_lie: false }));
        }
    };
    let play = |play| move |staging: &mut Staging| staging.play.push((play, 1));
    let telling =
        |hearers| PlannedAct::Tell(PlannedTelling { hearers, item: None, value: None, believers: None });
    let attention = |attention: Attention| {
        move |staging: &mut Staging| {
            let attention = attention.clone();
            staging.attention.push(Attending { from: 0, until: 1, is_demanded: true, attention });
        }
    };
    let distracted = |is_noticed| Attention::Distracted { who: vec![ANN], is_noticed };
    type Change = Box<dyn Fn(&mut Staging)>;
    let cases: Vec<(&str, Vec<Change>)> = vec![
        (
            "told to everyone in a place",
            vec![Box::new(deeds(telling(Hearers::Present))), Box::new(play(Play::Lie))],
        ),
        (
            "is whispered",
            vec![Box::new(deeds(telling(Hearers::Named(vec![BOB])))), Box::new(play(Play::Whisper))],
        ),
        (
            "on the phone",
            vec![Box::new(deeds(telling(Hearers::Afar(vec![BOB])))), Box::new(play(Play::Phone))],
        ),
        ("believe what others tell", vec![Box::new(play(Play::Tell)), Box::new(play(Play::Phone))]),
        (
            "thrown to another place",
            vec![Box::new(deeds(PlannedAct::Throw(None, None))), Box::new(play(Play::Throw))],
        ),
        ("opens a container", vec![Box::new(deeds(PlannedAct::Open(None))), Box::new(play(Play::Open))]),
        (
            "which containers there are open",
            vec![Box::new(deeds(PlannedAct::Close(None))), Box::new(play(Play::Close))],
        ),
        ("in hand", vec![Box::new(deeds(PlannedAct::Take(None))), Box::new(play(Play::Carry))]),
        ("show what they like", vec![Box::new(deeds(PlannedAct::React(None))), Box::new(play(Play::React))]),
        ("watches from elsewhere", vec![Box::new(attention(Attention::Peek(vec![ANN])))]),
        ("the others notice that, they", vec![Box::new(attention(distracted(true)))]),
        ("If nobody notices that", vec![Box::new(attention(distracted(false)))]),
    ];
    let none = rules_of(|_| {});
    assert!(none.contains("Everyone knows all of this") && !none.contains("a thing"), "{none}");
    for (rule, changes) in &cases {
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
