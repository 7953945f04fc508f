//! What one can speak of in a matter, or know of what was said.

/// What one can speak of in a matter, or know of what was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Facet {
    /// What the target is told.
    Claim,
    /// How it is going to be told to the target, and why.
    Reason,
    /// What else comes out about it at level 2, and goes with the claim and with its contrary.
    Hint,
    /// Who was there when the claim was made first.
    ClaimTold,
    /// Who was there when the reason was told first.
    ReasonTold,
    /// Who was there when the truth was told first: the claim's own truth, or the hint.
    TruthTold,
}

impl Facet {
    /// All facets of a matter, in the order in which a storyboard's propositions have them.
    pub const ALL: [Self; 6] =
        [Self::Claim, Self::Reason, Self::Hint, Self::ClaimTold, Self::ReasonTold, Self::TruthTold];

    /// What follows the name of the matter: `m.claim`.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Reason => "reason",
            Self::Hint => "hint",
            Self::ClaimTold => "claim.told",
            Self::ReasonTold => "reason.told",
            Self::TruthTold => "truth.told",
        }
    }
}

/// The proposition that something of a matter is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OfMatter {
    /// The number of the matter among all matters.
    pub matter: usize,
    /// What of it.
    pub facet: Facet,
}
