//! How many lives rules can tell apart.

use crate::appraisal::{Mood, Rules};
use crate::form::Situation;
use crate::id::CharacterId;
use crate::plan::PlannedProspect;
use crate::world::{Case, How, Side};

/// All ways in which a prospect can stand.
pub(crate) fn cases(prospect: &PlannedProspect) -> Vec<Case> {
    let hows = || [How::Likely].into_iter().chain(prospect.by.iter().copied());
    let of_side =
        |side| hows().flat_map(move |how| [false, true].map(|is_final| Case::new(side, how, is_final)));
    Side::ALL.into_iter().flat_map(of_side).collect()
}

/// How many announcements of one scenario can be told apart, whatever somebody held before: each heard last in another life, and
/// nothing heard in one more, such that no two of these lives feel or want the same.
///
/// Costs O(2^cases · situations) at worst; mostly a few steps.
pub fn apart(rules: &Rules, cases: &[Case], who: CharacterId) -> usize {
    let sides = Side::ALL.into_iter();
    sides.map(|wanted| apart_if_wanted(rules, cases, who, wanted)).min().unwrap_or(0)
}

fn apart_if_wanted(rules: &Rules, cases: &[Case], who: CharacterId, wanted: Side) -> usize {
    // To those who had no part in it, it is the same who of others has brought something about.
    let stranger = cases.iter().filter_map(|case| case.agent()).find(|&agent| agent != who);
    let is_first_of_kind =
        |case: &&Case| case.agent().is_none_or(|agent| agent == who || Some(agent) == stranger);
    let cases: Vec<Case> = cases.iter().filter(is_first_of_kind).copied().collect();
    // What can be felt and wanted on coming to think each case, whatever was expected.
    let felt = |case: Case| {
        let expected = [None, Some(Side::First), Some(Side::Second)];
        expected.map(|expected| {
            let felt = rules.felt(Mood { thinks: Some(case), expected }.situation(who, wanted));
            (felt.feels, felt.wants)
        })
    };
    let all: Vec<[(u8, u8); 3]> = cases.iter().map(|&case| felt(case)).collect();
    let meets = |one: &[(u8, u8)], other: &[(u8, u8)]| {
        one.iter().any(|one| other.iter().any(|other| one.0 == other.0 || one.1 == other.1))
    };
    let fits: Vec<u32> = (0..cases.len())
        .map(|one| {
            let others = (0..cases.len()).filter(|&other| other != one && !meets(&all[one], &all[other]));
            others.fold(0, |mask, other| mask | 1 << other)
        })
        .collect();
    // Whoever hears nothing holds what she held: any case, or nothing.
    let held = Situation::all().map(|situation| rules.felt(situation));
    held.map(|held| {
        let is_left = |at: &usize| !meets(&all[*at], &[(held.feels, held.wants)]);
        let left = (0..cases.len()).filter(is_left).fold(0, |mask, at| mask | 1 << at);
        largest(left, &fits)
    })
    .min()
    .unwrap_or(0)
}

/// The size of the largest part of a set of which all fit each other.
fn largest(left: u32, fits: &[u32]) -> usize {
    if left == 0 {
        return 0;
    }
    let first = left.trailing_zeros() as usize;
    let with = 1 + largest(left & fits[first], fits);
    let without = left & !(1 << first);
    // No part is larger than the whole.
    if without.count_ones() as usize <= with { with } else { with.max(largest(without, fits)) }
}
