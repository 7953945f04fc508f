//! Kinds of questions: one entry each.

/// Everything that authors know about a kind of question.
#[derive(Debug, PartialEq, Eq)]
pub struct QuestionForm {
    /// The kind that the form is for.
    pub kind: QuestionKind,
    /// The key in storyboards, and the `kind` of rows.
    pub key: &'static str,
    /// What is asked, in one sentence for authors.
    pub about: &'static str,
    /// How the value of the key is written.
    pub takes: Takes,
    /// The people who precede the target, if any.
    pub others: Others,
    /// The kind of target.
    pub target: TargetSort,
    /// The kind of answers.
    pub answers: Answers,
    /// Whether it can only be asked about the whole story, not `before` a step or `without` one.
    pub is_of_whole_story: bool,
    /// Whether it can be answered where people only go from place to place.
    pub is_of_walks: bool,
}

/// How the value of a question is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Takes {
    /// A list of at least two names, with the target last.
    Chain,
    /// Only the target, or a list with the target last.
    ChainOrTarget,
    /// Only the target.
    Target,
}

/// The people who precede the target in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Others {
    /// A chain of minds, the outermost first.
    Minds,
    /// The people who were with the target.
    Company,
    /// Nobody.
    Nobody,
}

/// The kind of target that a question can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetSort {
    /// A role, an object or a proposition.
    Item,
    /// A role or an object: something that can move.
    Movable,
    /// A role.
    Role,
    /// One of `attitudes`.
    Attitude,
    /// One of `matters`.
    Matter,
    /// Something that is told about a matter: its claim, its reason or its truth.
    Telling,
    /// A proposition.
    Proposition,
    /// One of `prospects`.
    Prospect,
}

/// The kind of answers that a question has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answers {
    /// A place or a container; for a proposition, a verdict.
    WhereOrWhether,
    /// A place or a container.
    Place,
    /// A verdict: yes or no.
    Verdict,
    /// A list of characters.
    People,
    /// One character.
    Name,
    /// A list of characters; asked of one mind, a verdict.
    PeopleOrVerdict,
    /// A reason, in words of its own.
    Why,
    /// A sentence that says which of two knows something, and what the first thinks of the other.
    Standing,
    /// What somebody thinks, feels, wants or does, or what became of that.
    State,
}

/// Generates [`QuestionKind`] and the forms from one entry for each kind.
macro_rules! questions {
    ($(
        $(#[doc = $doc:literal])+
        $Kind:ident {
            key: $key:literal, about: $about:literal, takes: $takes:ident, others: $others:ident, target: $target:ident,
            answers: $answers:ident, is_of_whole_story: $is_of_whole_story:literal, is_of_walks: $is_of_walks:literal $(,)?
        }
    )+) => {
        /// The kind of a question.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum QuestionKind {
            $( $(#[doc = $doc])+ $Kind, )+
        }

        impl QuestionKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$Kind),+];

            /// What authors know about the kind of question.
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

            /// The key in storyboards, and the `kind` of rows.
            pub const fn key(self) -> &'static str {
                self.form().key
            }

            /// Whether it asks of more than one state at the end of a scenario.
            pub const fn is_of_several_states(self) -> bool {
                matches!(self, Self::Changed | Self::Cause | Self::Influence | Self::Course)
            }

            /// Whether it asks what news does to somebody, scenario after scenario.
            pub const fn is_of_scenarios(self) -> bool {
                matches!(self.form().target, TargetSort::Prospect)
            }
        }
    };
}

questions! {
    /// `belief: [S1, S2, T]`: where S1 thinks that S2 thinks T is, or whether they think that a proposition is true.
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
    /// `world_things: [A, T]`: where T went after A and T were last in one place, in a story about things that are moved.
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
    /// `who_knows: T`: everyone who knows where T is, or whether a proposition is true.
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
    /// `who_likes: [S1, painting]`: everyone who likes the painting, according to S1.
    WhoLikes {
        key: "who_likes", about: "[minds…, thing], or a thing: everyone whom the first takes to like it.",
        takes: ChainOrTarget, others: Minds, target: Attitude, answers: People, is_of_whole_story: false, is_of_walks: false,
    }
    /// `who_dislikes: [S1, painting]`: everyone who does not like the painting, according to S1.
    WhoDislikes {
        key: "who_dislikes", about: "[minds…, thing], or a thing: everyone whom the first takes to dislike it.",
        takes: ChainOrTarget, others: Minds, target: Attitude, answers: People, is_of_whole_story: false, is_of_walks: false,
    }
    /// `honest: m`: whether what the target was told of the matter is so.
    Honest {
        key: "honest", about: "Whether what the target was told of this matter is so.",
        takes: Target, others: Nobody, target: Matter, answers: Verdict, is_of_whole_story: true, is_of_walks: false,
    }
    /// `why: m`: why the target was told what she was told of the matter.
    Why {
        key: "why", about: "Why the target was told what she was told of this matter.",
        takes: Target, others: Nobody, target: Matter, answers: Why, is_of_whole_story: true, is_of_walks: false,
    }
    /// `present: m.reason`: everyone who was there when that was told first.
    Present {
        key: "present", about: "Everyone who was there when this was told first: a matter's claim, reason or truth.",
        takes: Target, others: Nobody, target: Telling, answers: People, is_of_whole_story: true, is_of_walks: false,
    }
    /// `stands: [A, B, m.reason]`: which of the two know it, and whether A thinks that B does.
    Stands {
        key: "stands", about: "[A, B, proposition]: which of the two know whether it is so, and whether A thinks that B does.",
        takes: Chain, others: Minds, target: Proposition, answers: Standing, is_of_whole_story: true, is_of_walks: false,
    }
    /// `could_lie: m`: everyone who knew the truth of the claim just before it was made, and took the target not to.
    CouldLie {
        key: "could_lie",
        about: "[mind, matter], or a matter: everyone who knew whether the claim is so when it was made, and took the target not to.",
        takes: ChainOrTarget, others: Minds, target: Matter, answers: PeopleOrVerdict, is_of_whole_story: true, is_of_walks: false,
    }
    /// `sees_through: m`: everyone who heard the claim and knew already whether it was so.
    SeesThrough {
        key: "sees_through", about: "[mind, matter], or a matter: everyone who heard the claim and knew already whether it is so.",
        takes: ChainOrTarget, others: Minds, target: Matter, answers: PeopleOrVerdict, is_of_whole_story: true, is_of_walks: false,
    }
    /// `belief_in: [S1, news]`, `in: 3`: what S1 thinks of the prospect at the end of a scenario.
    BeliefIn {
        key: "belief_in", about: "[minds…, prospect], `in: k`: what the last mind thinks of it at the end of scenario k. Short: `belief` with `in`.",
        takes: Chain, others: Minds, target: Prospect, answers: State, is_of_whole_story: true, is_of_walks: false,
    }
    /// `emotion: [S1, news]`, `in: 3`: what S1 feels about the prospect at the end of a scenario.
    Emotion {
        key: "emotion", about: "[minds…, prospect], `in: k`: what the last mind feels at the end of scenario k.",
        takes: Chain, others: Minds, target: Prospect, answers: State, is_of_whole_story: true, is_of_walks: false,
    }
    /// `intention: [S1, news]`, `in: 3`: what S1 then wants.
    Intention {
        key: "intention", about: "[minds…, prospect], `in: k`: what the last mind wants at the end of scenario k.",
        takes: Chain, others: Minds, target: Prospect, answers: State, is_of_whole_story: true, is_of_walks: false,
    }
    /// `action: [S1, news]`, `in: 3`: what S1 then does.
    Action {
        key: "action", about: "[minds…, prospect], `in: k`: what the last mind does at the end of scenario k.",
        takes: Chain, others: Minds, target: Prospect, answers: State, is_of_whole_story: true, is_of_walks: false,
    }
    /// `changed: [S1, news]`, `state: emotion`, `in: 3`: whether a state is another one than a scenario before, and which.
    Changed {
        key: "changed", about: "[minds…, prospect], `state: STATE`, `in: k`: whether it is another one than at the end of scenario k−1, and from what to what.",
        takes: Chain, others: Minds, target: Prospect, answers: State, is_of_whole_story: true, is_of_walks: false,
    }
    /// `cause: [S1, news]`, `state: emotion`, `in: 3`: what accounts for it.
    Cause {
        key: "cause", about: "[minds…, prospect], `state: STATE`, `in: k`: what accounts for it, as against scenario k−1.",
        takes: Chain, others: Minds, target: Prospect, answers: State, is_of_whole_story: true, is_of_walks: false,
    }
    /// `influence: [S1, news]`, `on: emotion`, `in: 3`: how one state bears on the next.
    Influence {
        key: "influence", about: "[minds…, prospect], `on: STATE`, `in: k`: how what comes before it bears on it in scenario k.",
        takes: Chain, others: Minds, target: Prospect, answers: State, is_of_whole_story: true, is_of_walks: false,
    }
    /// `course: [S1, news]`, `state: emotion`: how a state goes from the first scenario to the last.
    Course {
        key: "course", about: "[minds…, prospect], `state: STATE`: how it goes from the first scenario to the last.",
        takes: Chain, others: Minds, target: Prospect, answers: State, is_of_whole_story: true, is_of_walks: false,
    }
}
