//! The numbers that say how difficult a question is, as authors write them.

/// A number that says how hard a question about a story is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hardness {
    /// How often the right answer changed.
    Updates,
    /// How many steps bear on it.
    Bearing,
    /// How many others lie between these.
    Between,
    /// How many come after them.
    After,
    /// How many shortcuts name the right answer.
    ShortcutsRight,
    /// At how many lower orders another answer is right.
    LowerOrdersDiffer,
    /// The one number that ranks questions: the row's quantile.
    Quantile,
}

impl Hardness {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Updates,
        Self::Bearing,
        Self::Between,
        Self::After,
        Self::ShortcutsRight,
        Self::LowerOrdersDiffer,
        Self::Quantile,
    ];

    /// Those by which the hardest is chosen: what is greater is harder.
    pub const HARDER: [Self; 6] =
        [Self::Updates, Self::Bearing, Self::Between, Self::After, Self::LowerOrdersDiffer, Self::Quantile];

    /// Those that are counted in a story: all that do not rank its questions among those of others.
    pub const COUNTED: [Self; 6] = [
        Self::Updates,
        Self::Bearing,
        Self::Between,
        Self::After,
        Self::ShortcutsRight,
        Self::LowerOrdersDiffer,
    ];

    /// The word by which an author writes it: that of the number in rows.
    ///
    /// ```
    /// use storysim::form::Hardness;
    /// assert_eq!(Hardness::LowerOrdersDiffer.key(), "lower_orders_differ");
    /// ```
    pub const fn key(self) -> &'static str {
        match self {
            Self::Updates => "updates",
            Self::Bearing => "bearing",
            Self::Between => "between",
            Self::After => "after",
            Self::ShortcutsRight => "shortcuts_right",
            Self::LowerOrdersDiffer => "lower_orders_differ",
            Self::Quantile => "quantile",
        }
    }
}
