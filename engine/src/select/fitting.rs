//! Makes families whose stories are kept by what is known of them already, or is found now.

use super::balance::is_reached;
use super::family::{Family, is_balanced, weights};
use super::family_weights::FamilyWeights;
use super::fits::{self, Fits};
use super::look;
use super::selector::ranking;
use crate::plan::Plan;

impl Family {
    /// The family of these plans, which must be those of one storyboard. Where shares are balanced, finds the factors by
    /// which stories are kept, at the cost of drawing many pilot stories, and of minutes where the storyboard says `learned`;
    /// what comes with the program is known already. Only [`super::admit`] says whether the shares can be reached at all.
    ///
    /// # Panics
    /// If there is no plan.
    pub fn new(plans: Vec<Plan>) -> Self {
        Self::known(plans, &Fits::default())
    }

    /// The family of these plans. What is not among these fits, nor comes with the program, is found now.
    pub(super) fn known(plans: Vec<Plan>, fits: &Fits) -> Self {
        if plans.first().is_some_and(|plan| plan.weave.is_some()) {
            return Self::woven(plans, |_, plans| Self::known(plans, fits));
        }
        let known =
            is_balanced(&plans).then(|| fits.find(&plans).cloned().or_else(|| fits::built_in(&plans)));
        if let Some(weights) = known.flatten() {
            return Self::with_weights(plans, weights);
        }
        let family = Self::of_shares(plans);
        let sights = family.balance().map_or_else(Vec::new, |(balance, _)| balance.learned.clone());
        if sights.is_empty() {
            return family;
        }
        let look = look::fit(&family, &sights);
        family.with_look(look)
    }

    /// The family of these plans, with factors for balanced shares, and no second look.
    fn of_shares(plans: Vec<Plan>) -> Self {
        if plans.first().is_some_and(|plan| plan.weave.is_some()) {
            return Self::woven(plans, |_, plans| Self::of_shares(plans));
        }
        if !is_balanced(&plans) || !plans.iter().any(Plan::is_of_ranks) {
            return Self::of_counted_shares(plans);
        }
        let usual = Self::of_counted_shares(plans.iter().map(Plan::without_shares_of_quantiles).collect());
        // If shares cannot be reached, whoever tries these plans out says so.
        if !usual.weights().stories.as_ref().is_none_or(is_reached) {
            return usual;
        }
        // Of stories of a certain rank, others have to be kept; but they are ranked among the usual ones.
        let ranking = ranking(&usual).clone();
        let stories = Some(weights(&plans, Some(&ranking)));
        Self::with_weights(
            plans,
            FamilyWeights { stories, ranking: Some(ranking), ..FamilyWeights::default() },
        )
    }

    /// The same, where nothing is ranked.
    fn of_counted_shares(plans: Vec<Plan>) -> Self {
        let stories = is_balanced(&plans).then(|| weights(&plans, None));
        Self::with_weights(plans, FamilyWeights { stories, ..FamilyWeights::default() })
    }
}

/// The family of a storyboard that draws no numbers. Shares are balanced, but a story gets no second look: where the
/// storyboard says `learned`, only [`Family::new`] and [`super::admit`] make the family whose stories the commands write.
impl From<Plan> for Family {
    fn from(plan: Plan) -> Self {
        Self::of_shares(vec![plan])
    }
}
