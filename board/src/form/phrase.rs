//! Other words for what stands around a story: how things are at its start, and what is asked.

use PhraseSlot as Slot;

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
    /// `[think|feel|want|do]`: on which state somebody is in, in the order of [`State::ALL`](super::State::ALL)
    State,
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
    /// What news is about: `which play will be staged`.
    About,
    /// As whom it is seen: `as Ann sees it, `, with a blank at the end; nothing if whoever is asked about sees it so herself.
    Seen,
    /// The number of a scenario.
    Number,
    /// The number of the scenario before that.
    Before,
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
    pub needs: Needs,
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
            Self::State => 4,
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
            Self::State => "what somebody thinks, feels, wants and does: `[think|feel|want|do]`",
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
            Self::About => "about",
            Self::Seen => "seen",
            Self::Number => "number",
            Self::Before => "before",
        }
    }
}

/// Kinds of phrases: whether each stands in the opening or is asked, its key in a wording, what its brackets depend on, the holes
/// that it has to have, and its plain words.
macro_rules! phrases {
    ($($(#[$doc:meta])* $kind:ident $section:ident $key:literal $bracket:ident $needs:ident: $plain:literal;)*) => {
        /// A kind of phrase before or after a story that can be worded.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum PhraseKind {
            $($(#[$doc])* $kind,)*
        }

        impl PhraseKind {
            /// All kinds, in the order in which a wording is best written.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// The entry.
            ///
            /// ```
            /// use storysim::form::PhraseKind;
            /// assert_eq!(PhraseKind::Together.form().key, "together");
            /// ```
            pub const fn form(self) -> PhraseForm {
                match self {
                    $(Self::$kind => PhraseForm {
                        key: $key,
                        is_question: matches!(Section::$section, Section::Asked),
                        bracket: Bracket::$bracket,
                        needs: $needs,
                        plain: $plain,
                    }),*
                }
            }
        }
    };
}

/// Where a phrase stands.
enum Section {
    Opening,
    Asked,
}

/// The holes of a kind of phrase: those of one of these lists.
type Needs = &'static [&'static [Slot]];

const NOTHING: Needs = &[&[]];
const PLACED: Needs = &[&[Slot::Everyone, Slot::There]];
const STANDS: Needs = &[&[Slot::There, Slot::Container]];
const FACT: Needs = &[&[Slot::Fact]];
const EVERYONE: Needs = &[&[Slot::Everyone]];
const WRONG: Needs = &[&[Slot::Everyone, Slot::Fact]];
const LIKED: Needs = &[&[Slot::Everyone, Slot::Target]];
const TARGET: Needs = &[&[Slot::Target]];
const WHETHER: Needs = &[&[Slot::Whether]];
const THOUGHT: Needs = &[&[Slot::Who, Slot::Others, Slot::Target], &[Slot::View, Slot::Target]];
const THOUGHT_SO: Needs = &[&[Slot::Who, Slot::Others, Slot::Fact], &[Slot::View, Slot::Fact]];
const KNOWS: Needs = &[&[Slot::Who, Slot::Whether]];
const CONCERNED: Needs = &[&[Slot::About, Slot::Seen, Slot::Who, Slot::Number]];
const DIFFERS: Needs = &[&[Slot::About, Slot::Seen, Slot::Who, Slot::Number, Slot::Before]];
const THINKS_KNOWS: Needs = &[&[Slot::Who, Slot::Others, Slot::Knower, Slot::Whether]];

phrases! {
    /// All start in one place.
    Together Opening "together" Number PLACED: "{everyone} [starts|start] in {there}";
    /// People start in several places; what is said of each place is repeated.
    Apart Opening "apart" Number PLACED: "at the start <{everyone} is in {there}>";
    /// A container stands somewhere, open or closed.
    Stands Opening "stands" Lid STANDS: "in {there} stands {container}, which is [open|closed]";
    /// Where a thing is at the start.
    Start Opening "start" None FACT: "at the start {that}";
    /// What is true, of statements.
    Truth Opening "truth" None FACT: "in truth {that}";
    /// Only some know what was said last.
    OnlyKnow Opening "only_know" Number EVERYONE: "only {everyone} [knows|know] this";
    /// Nobody knows what was said last.
    NobodyKnows Opening "nobody_knows" None NOTHING: "nobody knows this";
    /// Some are wrong about what was said last.
    Wrong Opening "wrong" Number WRONG: "{everyone} wrongly [thinks|think] that {that}";
    /// Some have no idea of what was said last.
    NoIdea Opening "no_idea" Number EVERYONE: "{everyone} [has|have] no idea";
    /// Some like something.
    Like Opening "like" Number LIKED: "{everyone} [likes|like] {target}";
    /// Some dislike something.
    Dislike Opening "dislike" Number LIKED: "{everyone} [dislikes|dislike] {target}";
    /// Where somebody thinks that something is, or others think so.
    Belief Asked "belief" Moment THOUGHT: "where [does|did|would] {who} think {others}{target} [is|was|is]";
    /// Whether somebody thinks that something is true, or that others think so.
    BeliefTrue Asked "belief_true" Moment THOUGHT_SO: "[does|did|would] {who} think {others}that {that}";
    /// Where something is.
    Reality Asked "reality" Moment TARGET: "where [is|was|would] {target}[ at the end|| be at the end]";
    /// Whether something is true.
    RealityTrue Asked "reality_true" Moment FACT: "[is it|was it|would it be] true that {that}";
    /// Where something was at the start.
    StartAsked Asked "start_asked" None TARGET: "where was {target} at the start";
    /// Whether something was true at the start.
    StartTrue Asked "start_true" None FACT: "was it true at the start that {that}";
    /// Where somebody went after people were last together.
    World Asked "world" Number LIKED: "when {everyone} [was|were] last in the same place as {target}, where did {target} go from there";
    /// Where a thing was moved after things were last together.
    WorldThings Asked "world_things" Number LIKED: "when {everyone} [was|were] last in the same place as {target}, where was {target} moved from there";
    /// Whether somebody knows something.
    Knows Asked "knows" Moment KNOWS: "[does|did|would] {who} know {whether}";
    /// Whether somebody thinks that somebody else knows something, or that others think so.
    ThinksKnows Asked "thinks_knows" Moment THINKS_KNOWS: "[does|did|would] {who} think {others}that {knower} [knows|knew|knows] {whether}";
    /// Who knows something.
    WhoKnows Asked "who_knows" Moment WHETHER: "who [knows|knew|would know] {whether}";
    /// Who could say something correctly.
    CouldAnswer Asked "could_answer" Moment WHETHER: "who could[|| then] say correctly {whether}";
    /// Whom somebody follows.
    Following Asked "following" Moment TARGET: "whom [is|was|would] {target}[ following| following| be following]";
    /// Who likes something.
    WhoLikes Asked "who_likes" Moment TARGET: "who [likes|liked|would then like] {target}";
    /// Who dislikes something.
    WhoDislikes Asked "who_dislikes" Moment TARGET: "who [dislikes|disliked|would then dislike] {target}";
    /// What somebody thinks, feels, wants or does because of news.
    State Asked "state" State CONCERNED: "concerning {about}: {seen}[what|how|what|what] does {who} [think|feel|want|do] at the end of scenario {number}";
    /// Whether that is another than in the scenario before. What is asked then, such as why, follows.
    Differs Asked "differs" State DIFFERS: "concerning {about}: {seen}does {who} [think something else|feel different|want something else|do something else] at the end of scenario {number} than at the end of scenario {before}";
    /// What somebody thinks, feels or wants, and what she feels, wants or does because of it.
    Influence Asked "influence" State CONCERNED: "concerning {about}: {seen}at the end of scenario {number}, what does {who} [think|think|feel and think|want], and [how|how|what|what] does {who} [feel|feel|want|do] because of it";
    /// What somebody thinks, feels, wants or does in one scenario after the other.
    Course Asked "course" State CONCERNED: "concerning {about}: {seen}[what|how|what|what] does {who} [think|feel|want|do] at the end of each scenario, from scenario 1 to scenario {number}";
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
