//! How many twins a story has, and of which kinds.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The twins that every story has.
///
/// ```
/// use storysim::select::Twinning;
/// assert_eq!(["pairs", "triplets"].map(|name| name.parse()), [Ok(Twinning::Pairs), Ok(Twinning::Triplets)]);
/// assert_eq!(Twinning::Triplets.twins(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twinning {
    /// One twin, in which the target does just the same.
    Pairs,
    /// That twin, and one in which the minds do just the same and the target does not.
    Triplets,
}

impl Twinning {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Pairs, Self::Triplets];

    /// The name of the kind on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Triplets => "triplets",
        }
    }

    /// The number of twins of a story.
    pub const fn twins(self) -> usize {
        match self {
            Self::Pairs => 1,
            Self::Triplets => 2,
        }
    }

    /// What follows a number of stories in a message that says what was made: their twins.
    ///
    /// ```
    /// use storysim::select::Twinning;
    /// assert_eq!(format!("1 story{}", Twinning::Pairs.besides(1)), "1 story and its twin");
    /// ```
    pub const fn besides(self, stories: u64) -> &'static str {
        match (self, stories) {
            (Self::Pairs, 1) => " and its twin",
            (Self::Pairs, _) => " and their twins",
            (Self::Triplets, 1) => " and its two twins",
            (Self::Triplets, _) => " and their two twins each",
        }
    }
}

impl std::str::FromStr for Twinning {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|kind| kind.name() == text);
        named.ok_or_else(|| format!("there are no twins of kind `{text}`"))
    }
}

/// Pairs came first, and are written as `true`.
impl Serialize for Twinning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Pairs => serializer.serialize_bool(true),
            Self::Triplets => serializer.serialize_str(self.name()),
        }
    }
}

/// What is written for twins, or for none.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Are(bool),
    Kind(String),
}

/// Reads what is written for twins, or for none.
///
/// # Errors
/// If it is neither a truth value nor the name of a kind.
pub fn twinning<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Twinning>, D::Error> {
    match Written::deserialize(from)? {
        Written::Are(are) => Ok(are.then_some(Twinning::Pairs)),
        Written::Kind(name) => name.parse().map(Some).map_err(serde::de::Error::custom),
    }
}
