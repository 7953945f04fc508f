//! The rules that a context may state, and the sentences that state them.

use super::Stumble;
use std::collections::BTreeSet;

/// One rule, as a context states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// The sentences of the story happen in their order.
    InOrder,
    /// What the context says of the start is known to all, at every order.
    StartKnown,
    /// The same for all but what only some know.
    ElseKnown,
    /// Everyone knows who has no idea of what only some know.
    WhoHasNoIdea,
    /// What those who know what only some know think of each other.
    SomeAgree,
    /// What those who do not know it can tell about them.
    NoneCanTell,
    /// People know their own tastes and nobody else's.
    OwnTastes,
    /// A shown taste is seen by everyone in the same place.
    ShowSeen,
    /// People in the same place see each other.
    SeeEachOther,
    /// People see all things in their place.
    SeeThings,
    /// A move is seen where it begins and where it ends.
    MoveSeen,
    /// What is done with a thing is seen in that place.
    HandlingSeen,
    /// Who sees a thing being moved sees from where.
    OriginSeen,
    /// A throw is seen where the thing lands.
    ThrowSeen,
    /// What is taken stays in hand and goes along.
    InHand,
    /// What people have in hand they know.
    HandKnown,
    /// When someone comes, everyone there sees who and what is there.
    LookOnComing,
    /// Nobody looks round at any other time.
    NoOtherLook,
    /// People think that others are where they last knew them to be.
    StayPut,
    /// People go on thinking what they think, and of others too.
    GoOn,
    /// What is not where it was thought to be is missed, or found elsewhere.
    Surprise,
    /// What is missed or found elsewhere moved just before, unseen.
    Slip,
    /// What those saw of an unseen move who were where it began.
    LeaveSeen,
    /// What those saw of an unseen move who were where it ended.
    ComeSeen,
    /// The order of several unseen moves is open.
    SlipOrder,
    /// Of anyone else an unseen move says nothing.
    NothingElse,
    /// Whoever is not found is nowhere known and sees nothing.
    NoIdea,
    /// What somebody has no idea of, nobody finds.
    NobodyFinds,
    /// A thing leaves the hands of someone who moves unseen before that.
    HandFirst,
    /// What being told of a new place says about those at the old one.
    ToldSlip,
    /// Who hears what is told to everyone in a place.
    TellHeard,
    /// Who hears a whisper.
    WhisperHeard,
    /// Who hears a phone call.
    PhoneHeard,
    /// Believe whoever was there later.
    BelieveLater,
    /// Believe, unless what one thinks was seen or known from the start.
    BelieveUnlessSeen,
    /// Against what they have seen, people go on thinking that.
    KeepSeen,
    /// Speakers are taken to think what they say.
    SpeakerThinks,
    /// Speakers who were not, are taken to think it as somebody who was told.
    SpeakerWasTold,
    /// Believe whatever is told.
    BelieveAll,
    /// Who cannot tell what another thinks cannot tell what the other believes.
    BeliefOpen,
    /// About their own place people believe nobody.
    OwnPlace,
    /// About what they have in hand people believe nobody.
    OwnHand,
    /// Speaking does not change what the speaker thinks.
    SpeakerKeeps,
    /// The answer is the container.
    AnswerContainer,
    /// The answer is the place of the one who has it in hand.
    AnswerHand,
    /// What it means to know, and to take someone to know.
    Knowing,
    /// Everyone knows the rules, at every order.
    RulesKnown,
    /// Things move only as the story tells.
    NothingMovesItself,
}

use Rule::*;

/// Every sentence of rules that the reader knows, and what it states.
pub const SENTENCES: &[(&str, &[Rule])] = &[
    ("Everyone knows all of this, and knows that everyone does.", &[StartKnown]),
    ("Everything else that is said here everyone knows, and knows that everyone does.", &[ElseKnown]),
    (
        "Where it says that only some know something, everyone knows who has an idea of it and who has none.",
        &[WhoHasNoIdea],
    ),
    ("Those who have an idea take each other to think what they think themselves.", &[SomeAgree]),
    ("Those who have none cannot tell what the others think.", &[NoneCanTell]),
    (
        "At the start people know what they like or dislike themselves, and have no idea what anyone else likes or dislikes; everyone knows that.",
        &[OwnTastes],
    ),
    ("The story tells everything that happens, one thing after another.", &[InOrder]),
    ("The story tells everything that happens, one thing after another.", &[InOrder]),
    (
        "Nothing moves by itself: someone who is not named moves one thing after another, and the story tells what is moved, and where to, in the order in which it happens.",
        &[InOrder, NothingMovesItself],
    ),
    ("People who are in the same place see each other.", &[SeeEachOther]),
    (
        "People who are in the same place see each other and all things that are there.",
        &[SeeEachOther, SeeThings],
    ),
    (
        "People who are in the same place see each other and all things that are there, in containers or not.",
        &[SeeEachOther, SeeThings],
    ),
    (
        "When someone goes from one place to another, those in the place they leave see where they go, those in the place they come to see where they come from, and nobody else notices.",
        &[MoveSeen],
    ),
    (
        "When people show what they like or dislike, it is so, and everyone in the same place sees it.",
        &[ShowSeen],
    ),
    (
        "Whatever someone does with a thing is seen by everyone in the same place, and nobody else notices.",
        &[HandlingSeen],
    ),
    ("Those who see that a thing is taken or moved also see where it was.", &[OriginSeen]),
    (
        "When a thing is thrown to another place, those there see it too, and who threw it from where.",
        &[ThrowSeen],
    ),
    (
        "Someone who takes or carries a thing has it in hand from then on; people who go somewhere take along what they have in hand, and those who see them go see that.",
        &[InHand],
    ),
    ("People know what they have in hand, and everyone knows that they do.", &[HandKnown]),
    (
        "When someone comes to a place, everyone there sees who is there then, and who is not.",
        &[LookOnComing],
    ),
    (
        "When someone comes to a place, everyone there sees who and what is there then, and who and what is not.",
        &[LookOnComing],
    ),
    ("Nobody looks round like this at any other time.", &[NoOtherLook]),
    ("People think that others are where they last knew them to be.", &[StayPut]),
    ("People think that others and things are where they last knew them to be.", &[StayPut]),
    (
        "Until they see otherwise, people go on thinking what they think, and that others think what they took them to think.",
        &[GoOn],
    ),
    (
        "Until they see or hear otherwise, people go on thinking what they think, and that others think what they took them to think.",
        &[GoOn],
    ),
    (
        "Someone may miss a person where they thought this person was, or find a person where they did not think this person was, or see a person come from such a place.",
        &[Surprise],
    ),
    ("Each time they conclude that this person moved unseen, once, just before they noticed.", &[Slip]),
    (
        "Someone may miss a person or a thing where they thought it was, or find one where they did not think it was, or see one come from such a place.",
        &[Surprise],
    ),
    (
        "Each time they conclude that this person or thing moved unseen, once, just before they noticed.",
        &[Slip],
    ),
    (
        "They conclude that those whom they take to have been where they thought this person was saw the person leave, but they cannot tell where these now think the person is.",
        &[LeaveSeen],
    ),
    (
        "They conclude that those whom they take to have been where this person turns out to have been saw the person come, and that the person saw who was there, and who was not.",
        &[ComeSeen],
    ),
    ("About anyone else they conclude nothing.", &[NothingElse]),
    (
        "They conclude that those whom they take to have been where they thought it was saw it leave, but they cannot tell where these now think it is.",
        &[LeaveSeen],
    ),
    (
        "They conclude that those whom they take to have been where it turns out to have been saw it come, and that a person who came saw who and what was there, and who and what was not.",
        &[ComeSeen],
    ),
    (
        "If several people moved unseen, they cannot tell who moved first, and so not whether one of them saw another leave or come.",
        &[SlipOrder],
    ),
    (
        "If several people or things moved unseen, they cannot tell which moved first, and so not who of them saw another leave or come.",
        &[SlipOrder],
    ),
    ("Someone who misses a person has no idea where this person is.", &[NoIdea]),
    (
        "Until they learn where, they suppose that this person sees nobody and is seen by nobody.",
        &[NobodyFinds],
    ),
    ("Someone who misses a person or a thing has no idea where it is.", &[NoIdea]),
    (
        "Until they learn where, they suppose that nobody finds it, and that a person whom they miss sees nothing.",
        &[NobodyFinds],
    ),
    (
        "If someone moved unseen, and so did a thing that this person had in hand, people suppose that the thing left this person's hands before the person moved, but not that it stayed in the place that the person left.",
        &[HandFirst],
    ),
    (
        "Someone who is told that a person or a thing is elsewhere, and believes it, concludes in the same way that those who were where they thought it was saw it leave, but nothing about where it is now.",
        &[ToldSlip],
    ),
    (
        "Someone who is told that a person is elsewhere, and believes it, concludes in the same way that those who were where they thought this person was saw the person leave, but nothing about where the person is now.",
        &[ToldSlip],
    ),
    (
        "What is told to everyone in a place is heard by all who are there, and by nobody else, and they know that all of them hear it.",
        &[TellHeard],
    ),
    (
        "What is whispered is heard by those to whom it is whispered, and they know that all of them hear it; nobody else notices.",
        &[WhisperHeard],
    ),
    (
        "What is said on the phone is heard by those who are called, and they know that all of them hear it, but not from where; nobody else notices.",
        &[PhoneHeard],
    ),
    (
        "People who are told that someone or something is in a place, or in a container in that place, believe it if they think that the speaker was in that place later than they were themselves (whoever is there now counts as the latest, whoever never was there as the earliest; if both are there now, or neither ever was, neither was there later), and then take the speaker to think so too; else they conclude nothing from it.",
        &[BelieveLater],
    ),
    (
        "People believe what others tell them, unless they think something else because they have seen it or have known it from the start.",
        &[BelieveUnlessSeen],
    ),
    ("Then they go on thinking that, and conclude nothing from what they are told.", &[KeepSeen]),
    ("Those who believe it take the speaker to think so too.", &[SpeakerThinks]),
    (
        "If they did not before, they suppose that the speaker was told so and did not see it.",
        &[SpeakerWasTold],
    ),
    (
        "People believe whatever others tell them, even if they have seen otherwise, and then take the speaker to think so too.",
        &[BelieveAll],
    ),
    (
        "Someone who cannot tell what a person thinks cannot tell either whether this person believes what is said.",
        &[BeliefOpen],
    ),
    ("But nobody lets others tell them where they themselves are.", &[OwnPlace]),
    ("But nobody lets others tell them what they themselves have in hand.", &[OwnHand]),
    ("What speakers think does not change by what they say, whether they think it or not.", &[SpeakerKeeps]),
    (
        "Asked where a thing is, name the container that it is in; if it is in none, the place where it lies.",
        &[AnswerContainer],
    ),
    (
        "Asked where a thing is, name the place where it lies, or where the person is who has it in hand.",
        &[AnswerHand],
    ),
    (
        "To know something means to think what is so; so people take those to know it whom they take to think the same about it as they do themselves.",
        &[Knowing],
    ),
    ("Everyone knows all these rules, and knows that everyone does.", &[RulesKnown]),
];

/// The rules that one context states.
#[derive(Clone, Debug, Default)]
pub struct Rules(BTreeSet<Rule>);

impl Rules {
    /// Reads a sentence; false if it states no rule that the reader knows.
    pub fn read(&mut self, sentence: &str) -> bool {
        let found = SENTENCES.iter().find(|(text, _)| *text == sentence);
        if let Some((_, rules)) = found {
            self.0.extend(rules.iter().copied());
        }
        found.is_some()
    }

    /// Adds a rule that is part of another kind of sentence.
    pub fn add(&mut self, rule: Rule) {
        self.0.insert(rule);
    }

    /// Whether the context states the rule.
    pub fn has(&self, rule: Rule) -> bool {
        self.0.contains(&rule)
    }

    /// The reader cannot go on unless the context states the rule.
    pub fn need(&self, rule: Rule) -> Result<(), Stumble> {
        if self.has(rule) { Ok(()) } else { Err(Stumble::Unstated(rule)) }
    }
}
