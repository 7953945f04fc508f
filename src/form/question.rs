//! Kinds of questions: one entry each.

/// What an author knows of a kind of question.
#[derive(Debug, PartialEq, Eq)]
pub struct QuestionForm {
    /// Which kind it is.
    pub kind: QuestionKind,
    /// The storyboard's key, and the row's `kind`.
    pub key: &'static str,
    /// What is asked, in a sentence for authors.
    pub about: &'static str,
    /// How its value is written.
    pub takes: Takes,
    /// Who stands before the target, if anybody does.
    pub others: Others,
    /// What it can be about.
    pub target: TargetSort,
    /// What its answers are.
    pub answers: Answers,
    /// Whether it is only asked of the whole story, and not `before` a step or `without` one.
    pub is_of_whole_story: bool,
    /// Whether it can be answered where people only go from place to place.
    pub is_of_walks: bool,
}

/// How the value of a question is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Takes {
    /// A list of at least two, the target last.
    Chain,
    /// The target, or a list with the target last.
    ChainOrTarget,
    /// The target.
    Target,
}

/// Who stands before the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Others {
    /// A chain of minds, the outermost first.
    Minds,
    /// People who were with the target.
    Company,
    /// Nobody.
    Nobody,
}

/// What a question can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetSort {
    /// A role, an object or a proposition.
    Item,
    /// A role or an object: whatever moves.
    Movable,
    /// A role.
    Role,
    /// One of `attitudes`.
    Attitude,
}

/// What the answers to a question are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answers {
    /// A place or a container; of a proposition, a verdict.
    WhereOrWhether,
    /// A place or a container.
    Place,
    /// Yes or no.
    Verdict,
    /// A list of characters.
    People,
    /// One character.
    Name,
}

/// Writes [`QuestionKind`] and the forms from one entry for each kind.
macro_rules! questions {
    ($(
        $(#[doc = $doc:literal])+
        $Kind:ident {
            key: $key:literal, about: $about:literal, takes: $takes:ident, others: $others:ident, target: $target:ident,
            answers: $answers:ident, is_of_whole_story: $is_of_whole_story:literal, is_of_walks: $is_of_walks:literal $(,)?
        }
    )+) => {
        /// What a question asks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum QuestionKind {
            $( $(#[doc = $doc])+ $Kind, )+
        }

        impl QuestionKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$Kind),+];

            /// What an author knows of it.
            pub const fn form(self) -> &'static QuestionForm {
                match self {
                    $(Self::$Kind => {
                        const FORM: QuestionForm = QuestionForm {
                            kind: QuestionKind::$Kind, key: $key, about: $about, takes: Takes::$takes,
                            others: Others::$others, target: TargetSort::$target, answers: Answers::$answers,
                            is_of_whole_story: $is_of_whole_story, is_of_walks: $is_of_walks,
                        };
                        &FORM
                    })+
                }
            }

            /// The storyboard's key, and the row's `kind`.
            pub const fn key(self) -> &'static str {
                self.form().key
            }
        }
    };
}

questions! {
    /// `belief: [S1, S2, T]`: where S1 thinks that S2 thinks T is. Of a proposition, whether it is so.
    Belief {
        key: "belief",
        about: "[minds…, target]: where the first thinks the second thinks … the target is; of a proposition, whether it is true.",
        takes: Chain, others: Minds, target: Item, answers: WhereOrWhether, is_of_whole_story: false, is_of_walks: true,
    }
    /// `reality: T`: where T is at the end, or whether a proposition is true.
    Reality {
        key: "reality",
        about: "Where this role's player or object is at the end, or whether a proposition is true.",
        takes: Target, others: Nobody, target: Item, answers: WhereOrWhether, is_of_whole_story: false, is_of_walks: true,
    }
    /// `start: T`: where T was at the start.
    Start {
        key: "start", about: "Where this role's player or object was at the start.",
        takes: Target, others: Nobody, target: Movable, answers: Place, is_of_whole_story: true, is_of_walks: true,
    }
    /// `world: [A, T]`: where T went after A and T were last in one place.
    World {
        key: "world", about: "[company…, target]: where the target went after all were last in one place.",
        takes: Chain, others: Company, target: Role, answers: Place, is_of_whole_story: true, is_of_walks: true,
    }
    /// `world_things: [A, T]`: the same, of the story told of things that are moved.
    WorldThings {
        key: "world_things", about: "As `world`, about the story retold with things that somebody moves.",
        takes: Chain, others: Company, target: Role, answers: Place, is_of_whole_story: true, is_of_walks: true,
    }
    /// `knows: [S1, S2, T]`: whether S1 thinks that S2 knows where T is, or whether a proposition is true.
    Knows {
        key: "knows",
        about: "[minds…, target]: whether the first thinks … the last mind knows where the target is, or whether it is true.",
        takes: Chain, others: Minds, target: Item, answers: Verdict, is_of_whole_story: false, is_of_walks: false,
    }
    /// `who_knows: T`: everyone who knows it.
    WhoKnows {
        key: "who_knows", about: "Everyone who knows where it is, or whether it is true.",
        takes: Target, others: Nobody, target: Item, answers: People, is_of_whole_story: false, is_of_walks: false,
    }
    /// `could_answer: [S1, T]`: everyone who could say where S1 thinks T is.
    CouldAnswer {
        key: "could_answer", about: "[minds…, target], or a target: everyone who could say where the first thinks it is.",
        takes: ChainOrTarget, others: Minds, target: Item, answers: People, is_of_whole_story: false, is_of_walks: false,
    }
    /// `following: A`: whom A follows.
    Following {
        key: "following", about: "Whom this role follows.",
        takes: Target, others: Nobody, target: Role, answers: Name, is_of_whole_story: true, is_of_walks: true,
    }
    /// `who_likes: [S1, painting]`: everyone of whom S1 thinks that they like it.
    WhoLikes {
        key: "who_likes", about: "[minds…, thing], or a thing: everyone whom the first takes to like it.",
        takes: ChainOrTarget, others: Minds, target: Attitude, answers: People, is_of_whole_story: false, is_of_walks: false,
    }
    /// `who_dislikes: [S1, painting]`: everyone of whom S1 thinks that they do not.
    WhoDislikes {
        key: "who_dislikes", about: "[minds…, thing], or a thing: everyone whom the first takes to dislike it.",
        takes: ChainOrTarget, others: Minds, target: Attitude, answers: People, is_of_whole_story: false, is_of_walks: false,
    }
}
