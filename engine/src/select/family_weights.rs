//! By what the stories of a family are kept.

use serde::{Deserialize, Serialize};

use super::balance::Weights;
use super::look::Look;
use super::ranking::Ranking;

/// The factors by which the stories of a family are kept where shares are balanced. Finding them takes longer than
/// compiling the plans, so they are worth keeping where there is no room for plans.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FamilyWeights {
    /// The factors of stories; `None` if no shares are balanced.
    pub stories: Option<Weights>,
    /// The factors of pairs of a story and its twin; a pair counts for the product of those of both. `None` if no shares are
    /// balanced, or if [`super::admit_twins`] has not looked for twins.
    pub pairs: Option<Weights>,
    /// By what stories are kept at a second look; `None` if nobody is to learn anything from them.
    pub look: Option<Look>,
    /// The factors of triplets of a story and its two twins; a triplet counts for the product of those of all three. `None` if
    /// no shares are balanced, or if [`super::admit_triplets`] has not looked for twins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triplets: Option<Weights>,
    /// By what both stories of a pair are weighed at a second look; `None` if nobody is to learn anything from them, or if there are no factors of pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair_look: Option<Look>,
    /// How difficult questions usually are, where shares are balanced among those that are as difficult as is demanded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Ranking>,
    /// By what the stories of each strand are kept, where stories are woven.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strands: Vec<FamilyWeights>,
    /// The numbers of the strands whose stories have no twins, where stories are woven and [`super::admit_twins`] has looked for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub twinless: Vec<usize>,
}
