//! Why a sentence is not taken.

/// Why a sentence is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refusal {
    /// The answer has none.
    Missing,
    /// The answer has several, or something other than text.
    NoText,
    /// It is not completely understood.
    Unknown,
    /// It says something else.
    Differs,
    /// It can be understood in more than one way.
    Ambiguous,
    /// It is in another tense than the rest of the story.
    OtherTense,
    /// The whole story would not be read back as it should be.
    NotReadBack,
}

impl Refusal {
    /// All reasons, in the order in which they are reported.
    pub const ALL: [Self; 7] = [
        Self::Missing,
        Self::NoText,
        Self::Unknown,
        Self::Differs,
        Self::Ambiguous,
        Self::OtherTense,
        Self::NotReadBack,
    ];

    /// The reason in a few words, of a number of sentences.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Missing => "missing from the answer",
            Self::NoText => "twice in the answer, or not as text",
            Self::Unknown => "not completely understood",
            Self::Differs => "saying something else",
            Self::Ambiguous => "to be understood in more than one way",
            Self::OtherTense => "in another tense than the rest of the story",
            Self::NotReadBack => "of a story that is not read back as it should be",
        }
    }
}
