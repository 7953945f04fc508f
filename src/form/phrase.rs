//! Other words for what stands around a story: how things are at its start, and what is asked.

/// A kind of phrase before or after a story that can be worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhraseKind {
    /// All start in one place.
    Together,
    /// People start in several places; what is said of each place is repeated.
    Apart,
    /// A container stands somewhere, open or closed.
    Stands,
    /// Where a thing is at the start.
    Start,
    /// What is true, of statements.
    Truth,
    /// Only some know what was said last.
    OnlyKnow,
    /// Nobody knows what was said last.
    NobodyKnows,
    /// Some are wrong about what was said last.
    Wrong,
    /// Some have no idea of what was said last.
    NoIdea,
    /// Some like something.
    Like,
    /// Some dislike something.
    Dislike,
    /// Where somebody thinks that something is, or others think so.
    Belief,
    /// Whether somebody thinks that something is true, or that others think so.
    BeliefTrue,
    /// Where something is.
    Reality,
    /// Whether something is true.
    RealityTrue,
    /// Where something was at the start.
    StartAsked,
    /// Whether something was true at the start.
    StartTrue,
    /// Where somebody went after people were last together.
    World,
    /// Where a thing was moved after things were last together.
    WorldThings,
    /// Whether somebody knows something.
    Knows,
    /// Whether somebody thinks that somebody else knows something, or that others think so.
    ThinksKnows,
    /// Who knows something.
    WhoKnows,
    /// Who could say something correctly.
    CouldAnswer,
    /// Whom somebody follows.
    Following,
    /// Who likes something.
    WhoLikes,
    /// Who dislikes something.
    WhoDislikes,
}

/// What a bracket in a phrase, such as `[is|are]`, depends on. It has one text for each case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bracket {
    /// It has none.
    None,
    /// `[one|many]`: on how many people are named
    Number,
    /// `[open|closed]`: on how a container is
    Lid,
    /// `[does|did|would]`: on when it is asked about: at the end, just before something happened, or if it had not
    Moment,
}

/// A hole in a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhraseSlot {
    /// One or more people.
    Everyone,
    /// A place.
    There,
    /// A container.
    Container,
    /// A statement.
    Fact,
    /// What is liked, or asked about.
    Target,
    /// Whoever thinks or knows something.
    Who,
    /// What she thinks that others think: `that Bob thinks `, with a blank at the end; nothing if it is about her alone.
    Others,
    /// Whose view it is, from outside in: `Ann's view of Bob's view`.
    View,
    /// Whoever is thought to know something.
    Knower,
    /// Where something is, or whether it is so: `where the marble is`.
    Whether,
}

/// A piece of a phrase.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PhrasePiece {
    /// Literal text.
    Words(String),
    /// A hole where something is named.
    Slot(PhraseSlot),
    /// What is said of each place where people start.
    Each(Vec<PhrasePiece>),
}

/// The entry of a kind of phrase.
#[derive(Clone, Copy, Debug)]
pub struct PhraseForm {
    /// The key under which a wording has it.
    pub key: &'static str,
    /// Whether it is a question, rather than a sentence before the story.
    pub is_question: bool,
    /// What its brackets depend on.
    pub bracket: Bracket,
    /// The holes that it has to have: those of one of these lists.
    pub needs: &'static [&'static [PhraseSlot]],
    /// The plain phrase, as a wording would write it.
    pub plain: &'static str,
}

impl Bracket {
    /// The number of texts in a bracket.
    pub const fn cases(self) -> usize {
        match self {
            Self::None => 1,
            Self::Number | Self::Lid => 2,
            Self::Moment => 3,
        }
    }

    /// How it is written, for messages.
    pub const fn example(self) -> &'static str {
        match self {
            Self::None => "no bracket at all",
            Self::Number => "one person or more: `[starts|start]`",
            Self::Lid => "how the container is: `[open|closed]`",
            Self::Moment => {
                "the end, just before something happened, and if it had not happened: `[does|did|would]`"
            }
        }
    }
}

impl PhraseSlot {
    /// The name of the hole, as a wording writes it in braces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Everyone => "everyone",
            Self::There => "there",
            Self::Container => "container",
            Self::Fact => "that",
            Self::Target => "target",
            Self::Who => "who",
            Self::Others => "others",
            Self::View => "view",
            Self::Knower => "knower",
            Self::Whether => "whether",
        }
    }
}

use PhraseKind as Kind;
use PhraseSlot as Slot;

impl PhraseKind {
    /// All kinds, in the order in which a wording is best written.
    pub const ALL: &'static [Self] = &[
        Kind::Together,
        Kind::Apart,
        Kind::Stands,
        Kind::Start,
        Kind::Truth,
        Kind::OnlyKnow,
        Kind::NobodyKnows,
        Kind::Wrong,
        Kind::NoIdea,
        Kind::Like,
        Kind::Dislike,
        Kind::Belief,
        Kind::BeliefTrue,
        Kind::Reality,
        Kind::RealityTrue,
        Kind::StartAsked,
        Kind::StartTrue,
        Kind::World,
        Kind::WorldThings,
        Kind::Knows,
        Kind::ThinksKnows,
        Kind::WhoKnows,
        Kind::CouldAnswer,
        Kind::Following,
        Kind::WhoLikes,
        Kind::WhoDislikes,
    ];

    /// The entry.
    ///
    /// ```
    /// use storysim::form::PhraseKind;
    /// assert_eq!(PhraseKind::Together.form().key, "together");
    /// ```
    pub const fn form(self) -> PhraseForm {
        const fn opening(
            key: &'static str,
            bracket: Bracket,
            needs: &'static [&'static [Slot]],
            plain: &'static str,
        ) -> PhraseForm {
            PhraseForm { key, is_question: false, bracket, needs, plain }
        }
        const fn asked(
            key: &'static str,
            bracket: Bracket,
            needs: &'static [&'static [Slot]],
            plain: &'static str,
        ) -> PhraseForm {
            PhraseForm { key, is_question: true, bracket, needs, plain }
        }
        const PLACED: &[&[Slot]] = &[&[Slot::Everyone, Slot::There]];
        const LIKED: &[&[Slot]] = &[&[Slot::Everyone, Slot::Target]];
        const FACT: &[&[Slot]] = &[&[Slot::Fact]];
        const EVERYONE: &[&[Slot]] = &[&[Slot::Everyone]];
        const TARGET: &[&[Slot]] = &[&[Slot::Target]];
        const WHETHER: &[&[Slot]] = &[&[Slot::Whether]];
        const THOUGHT: &[&[Slot]] = &[&[Slot::Who, Slot::Others, Slot::Target], &[Slot::View, Slot::Target]];
        const THOUGHT_SO: &[&[Slot]] = &[&[Slot::Who, Slot::Others, Slot::Fact], &[Slot::View, Slot::Fact]];
        match self {
            Kind::Together => {
                opening("together", Bracket::Number, PLACED, "{everyone} [starts|start] in {there}")
            }
            Kind::Apart => {
                opening("apart", Bracket::Number, PLACED, "at the start <{everyone} is in {there}>")
            }
            Kind::Stands => opening(
                "stands",
                Bracket::Lid,
                &[&[Slot::There, Slot::Container]],
                "in {there} stands {container}, which is [open|closed]",
            ),
            Kind::Start => opening("start", Bracket::None, FACT, "at the start {that}"),
            Kind::Truth => opening("truth", Bracket::None, FACT, "in truth {that}"),
            Kind::OnlyKnow => {
                opening("only_know", Bracket::Number, EVERYONE, "only {everyone} [knows|know] this")
            }
            Kind::NobodyKnows => opening("nobody_knows", Bracket::None, &[&[]], "nobody knows this"),
            Kind::Wrong => opening(
                "wrong",
                Bracket::Number,
                &[&[Slot::Everyone, Slot::Fact]],
                "{everyone} wrongly [thinks|think] that {that}",
            ),
            Kind::NoIdea => opening("no_idea", Bracket::Number, EVERYONE, "{everyone} [has|have] no idea"),
            Kind::Like => opening("like", Bracket::Number, LIKED, "{everyone} [likes|like] {target}"),
            Kind::Dislike => {
                opening("dislike", Bracket::Number, LIKED, "{everyone} [dislikes|dislike] {target}")
            }
            Kind::Belief => asked(
                "belief",
                Bracket::Moment,
                THOUGHT,
                "where [does|did|would] {who} think {others}{target} [is|was|is]",
            ),
            Kind::BeliefTrue => asked(
                "belief_true",
                Bracket::Moment,
                THOUGHT_SO,
                "[does|did|would] {who} think {others}that {that}",
            ),
            Kind::Reality => asked(
                "reality",
                Bracket::Moment,
                TARGET,
                "where [is|was|would] {target}[ at the end|| be at the end]",
            ),
            Kind::RealityTrue => {
                asked("reality_true", Bracket::Moment, FACT, "[is it|was it|would it be] true that {that}")
            }
            Kind::StartAsked => {
                asked("start_asked", Bracket::None, TARGET, "where was {target} at the start")
            }
            Kind::StartTrue => {
                asked("start_true", Bracket::None, FACT, "was it true at the start that {that}")
            }
            Kind::World => asked(
                "world",
                Bracket::Number,
                LIKED,
                "when {everyone} [was|were] last in the same place as {target}, where did {target} go from there",
            ),
            Kind::WorldThings => asked(
                "world_things",
                Bracket::Number,
                LIKED,
                "when {everyone} [was|were] last in the same place as {target}, where was {target} moved from there",
            ),
            Kind::Knows => asked(
                "knows",
                Bracket::Moment,
                &[&[Slot::Who, Slot::Whether]],
                "[does|did|would] {who} know {whether}",
            ),
            Kind::ThinksKnows => asked(
                "thinks_knows",
                Bracket::Moment,
                &[&[Slot::Who, Slot::Others, Slot::Knower, Slot::Whether]],
                "[does|did|would] {who} think {others}that {knower} [knows|knew|knows] {whether}",
            ),
            Kind::WhoKnows => {
                asked("who_knows", Bracket::Moment, WHETHER, "who [knows|knew|would know] {whether}")
            }
            Kind::CouldAnswer => {
                asked("could_answer", Bracket::Moment, WHETHER, "who could[|| then] say correctly {whether}")
            }
            Kind::Following => asked(
                "following",
                Bracket::Moment,
                TARGET,
                "whom [is|was|would] {target}[ following| following| be following]",
            ),
            Kind::WhoLikes => {
                asked("who_likes", Bracket::Moment, TARGET, "who [likes|liked|would then like] {target}")
            }
            Kind::WhoDislikes => asked(
                "who_dislikes",
                Bracket::Moment,
                TARGET,
                "who [dislikes|disliked|would then dislike] {target}",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_are_all_different() {
        let keys: BTreeSet<&str> = PhraseKind::ALL.iter().map(|kind| kind.form().key).collect();
        assert_eq!(keys.len(), PhraseKind::ALL.len());
    }
}
