//! What rules about feelings can ask: the words that stand after `if:` in a pack of rules.
//!
//! Rules are read line by line, and the first line that fits decides. What they see of a story is a [`Situation`].

/// Generates an enumeration whose variants have the words by which an author writes them.
macro_rules! words {
    ($(#[doc = $about:literal])+ $Name:ident { $($(#[doc = $doc:literal])+ $Variant:ident = $word:literal,)+ }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name {
            $($(#[doc = $doc])+ $Variant,)+
        }

        impl $Name {
            /// All of them, in order.
            pub const ALL: &[Self] = &[$(Self::$Variant),+];

            /// The word by which an author writes it.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$Variant => $word,)+
                }
            }
        }
    };
}

words! {
    /// Whether a side of a prospect is the one that somebody wants.
    Outcome {
        /// It is.
        Wanted = "wanted",
        /// It is the other one.
        Unwanted = "unwanted",
    }
}

words! {
    /// Whether a side of a prospect is likely or settled.
    Certainty {
        /// It is likely.
        Likely = "likely",
        /// It is settled.
        Settled = "settled",
    }
}

words! {
    /// Who has settled a prospect, as one who thinks so sees it.
    Author {
        /// Nobody.
        Nobody = "nobody",
        /// She herself.
        Herself = "self",
        /// Somebody else.
        Other = "other",
    }
}

words! {
    /// Which side of a prospect somebody last thought likely before.
    Expected {
        /// The side that she wants.
        Wanted = "wanted",
        /// The other side.
        Unwanted = "unwanted",
        /// Neither.
        Nothing = "nothing",
    }
}

words! {
    /// Whom an intention is directed at.
    Toward {
        /// Nobody.
        Nobody = "nobody",
        /// The person who decides on the prospect.
        Decider = "decider",
        /// The person who brought it about.
        Agent = "agent",
        /// Any of the others.
        Company = "company",
    }
}

words! {
    /// Where the person is whom an intention is directed at.
    Addressee {
        /// With her.
        Here = "here",
        /// Elsewhere.
        Away = "away",
        /// There is none.
        Nobody = "none",
    }
}

words! {
    /// One of the four things that somebody has at the end of a scenario.
    State {
        /// What she thinks.
        Belief = "belief",
        /// What she feels.
        Emotion = "emotion",
        /// What she wants.
        Intention = "intention",
        /// What she does.
        Action = "action",
    }
}

/// What somebody thinks of a prospect, as rules see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thought {
    /// Whether she wants what she thinks.
    pub outcome: Outcome,
    /// Who has settled it; `None` if it is only likely.
    pub author: Option<Author>,
    /// Whether she thinks that nothing can be done about it any more.
    pub is_final: bool,
}

impl Thought {
    /// All thoughts, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        let authors = [None, Some(Author::Nobody), Some(Author::Herself), Some(Author::Other)];
        Outcome::ALL.iter().flat_map(move |&outcome| {
            authors
                .into_iter()
                .flat_map(move |author| [false, true].map(|is_final| Self { outcome, author, is_final }))
        })
    }

    /// Whether it is likely or settled.
    pub const fn certainty(self) -> Certainty {
        if self.author.is_some() { Certainty::Settled } else { Certainty::Likely }
    }
}

/// What rules see of somebody: what she thinks of a prospect, and what she expected before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Situation {
    /// What she thinks; `None` if she has heard nothing.
    pub thinks: Option<Thought>,
    /// What she expected before she thought so.
    pub expected: Expected,
}

impl Situation {
    /// All situations that can arise: whoever has heard nothing expected nothing.
    ///
    /// ```
    /// assert_eq!(storysim::form::Situation::all().count(), 49);
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        let nothing = Self { thinks: None, expected: Expected::Nothing };
        let thoughts = Thought::all().flat_map(|thought| {
            Expected::ALL.iter().map(move |&expected| Self { thinks: Some(thought), expected })
        });
        [nothing].into_iter().chain(thoughts)
    }
}

/// The conditions of a line, as an author writes them after `if:`. What is not given does not matter; of what is given, one has
/// to be so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct When {
    /// `thinks: nothing`
    pub thinks_nothing: bool,
    /// `outcome`
    pub outcome: Vec<Outcome>,
    /// `is`
    pub certainty: Vec<Certainty>,
    /// `by`
    pub author: Vec<Author>,
    /// `expected`
    pub expected: Vec<Expected>,
    /// `final`
    pub is_final: Vec<bool>,
    /// `feels`: numbers of feelings
    pub feels: Vec<usize>,
    /// `wants`: numbers of wants
    pub wants: Vec<usize>,
    /// `addressee`
    pub addressee: Vec<Addressee>,
}

impl When {
    /// Whether the line fits what somebody thinks and expected. Whoever thinks nothing thinks of no outcome, so a line that asks
    /// for one does not fit her.
    pub fn fits(&self, situation: Situation) -> bool {
        let is_one = |asked: &When| match situation.thinks {
            None => {
                asked.outcome.is_empty()
                    && asked.certainty.is_empty()
                    && asked.author.is_empty()
                    && asked.is_final.is_empty()
            }
            Some(thought) => {
                !asked.thinks_nothing
                    && is_among(&asked.outcome, Some(thought.outcome))
                    && is_among(&asked.certainty, Some(thought.certainty()))
                    && is_among(&asked.author, thought.author)
                    && is_among(&asked.is_final, Some(thought.is_final))
            }
        };
        is_one(self) && is_among(&self.expected, Some(situation.expected))
    }

    /// Whether the line fits somebody who feels this.
    pub fn fits_feeling(&self, feels: usize) -> bool {
        is_among(&self.feels, Some(feels))
    }

    /// Whether the line fits somebody who wants this, of somebody who is there.
    pub fn fits_want(&self, wants: usize, addressee: Addressee) -> bool {
        is_among(&self.wants, Some(wants)) && is_among(&self.addressee, Some(addressee))
    }
}

/// Whether something is one of those asked for, or none is.
fn is_among<T: PartialEq>(asked: &[T], found: Option<T>) -> bool {
    asked.is_empty() || found.is_some_and(|found| asked.contains(&found))
}
