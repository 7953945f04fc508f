//! The battery: ways to answer that track no mind.
//!
//! A [`Shortcut`] looks at a case and names a choice, or none. Some look at walks (`walks.rs`), some at how long the target
//! stays (`stays.rs`), some at what the text names (`named.rs`) or announces (`news.rs`), and some at the choices alone (`offered.rs`) or at how they are
//! related (`relations.rs`). Whatever has to be learned from other rows is in `learn.rs`.

mod named;
mod news;
mod offered;
mod relations;
mod stays;
mod walks;

use super::Case;
use super::mentions::Mentions;
use super::stays::{Diary, Stay};
pub(super) use offered::likenesses;
use relations::Relations;
use walks::Walks;

/// A way to answer without tracking minds.
pub struct Shortcut {
    /// The name of the shortcut in every form of the report.
    pub key: &'static str,
    /// A description of what the shortcut answers.
    pub about: &'static str,
    /// Finds the choice that the shortcut names.
    find: fn(&View<'_>) -> Option<usize>,
}

/// All shortcuts in the order of the report, each with the choice that it names in a case.
///
/// ```
/// use storysim::audit::{Case, Mentions, shortcuts};
/// let case = Case {
///     story: "Ann enters hall. Bob enters attic.".into(),
///     choices: ["attic", "hall", "cellar"].map(str::to_owned).into(),
///     ..Case::default()
/// };
/// let mentions = Mentions::of(&case.story, &case.choices);
/// let named = shortcuts(&case, &mentions);
/// let of = |key: &str| named.iter().find(|(shortcut, _)| shortcut.key == key).unwrap().1;
/// assert_eq!((of("first_named"), of("last_named"), of("never_named")), (Some(1), Some(0), Some(2)));
/// ```
pub fn shortcuts(case: &Case, mentions: &Mentions) -> Vec<(&'static Shortcut, Option<usize>)> {
    let diary = Diary::of(case, mentions);
    let asker = case.company.first().map_or_else(Vec::new, |name| diary.stays(name));
    let view = View {
        case,
        mentions,
        walks: Walks::of(case),
        target: &diary.stays(&case.about),
        asker: &asker,
        steps: diary.steps,
        likenesses: &likenesses(&case.choices),
        relations: Relations::of(&case.choices),
    };
    all().map(|shortcut| (shortcut, (shortcut.find)(&view))).collect()
}

/// All shortcuts, in the order of the report.
pub fn all() -> impl Iterator<Item = &'static Shortcut> {
    let of_story = walks::SHORTCUTS.iter().chain(&stays::SHORTCUTS).chain(&named::SHORTCUTS);
    of_story.chain(&news::SHORTCUTS).chain(&offered::SHORTCUTS).chain(&relations::SHORTCUTS)
}

/// The keys of the shortcuts that look only at the target's moves. Those that look at its stays are not among them: where
/// walks are not known, they look at sentences as well.
pub const OF_TARGET_ALONE: [&str; 14] = [
    "last_place",
    "second_last_place",
    "third_last_place",
    "fourth_last_place",
    "fifth_last_place",
    "sixth_last_place",
    "third_latest_place",
    "fourth_latest_place",
    "fifth_latest_place",
    "earliest_left_place",
    "place_entered_once",
    "start_place",
    "first_place",
    "usual_place",
];

/// The keys of the shortcuts that look only at the moves of those whose minds are asked about.
pub const OF_MINDS_ALONE: [&str; 5] =
    ["own_place", "own_second_last_place", "own_first_place", "last_mind_place", "own_usual_place"];

/// The keys of the shortcuts that compare where two people are, or when they go. That is to follow two people at once, which is
/// half of following a mind.
pub const FOLLOWING_TWO: [&str; 12] = [
    "first_common_place",
    "second_common_place",
    "last_common_place",
    "last_common_or_start",
    "own_place_then",
    "place_at_own_last_move",
    "last_move_of_either",
    "left_first_unvisited",
    "announced_in_own_place",
    "announced_after_both_went",
    // What she had expected before is her own, and so is what was so before.
    "last_turn",
    "scenario_before",
];

/// The data that shortcuts look at.
struct View<'a> {
    case: &'a Case,
    mentions: &'a Mentions,
    walks: Walks,
    /// The stays of the target.
    target: &'a [Stay],
    /// The stays of the first mind's owner.
    asker: &'a [Stay],
    /// The number of events.
    steps: usize,
    /// How similar each choice is to the others.
    likenesses: &'a [usize],
    /// How the choices are related.
    relations: Relations,
}

impl View<'_> {
    /// The choice that a shortcut answers according to the row itself.
    fn foil(&self, name: &str) -> Option<usize> {
        let foil = self.case.foils.get(name)?.as_ref()?;
        self.case.choices.iter().position(|choice| choice == foil)
    }

    /// The owner of the first mind.
    fn asker(&self) -> Option<&str> {
        self.case.company.first().map(String::as_str)
    }
}

/// The index of the greatest value, if no other equals it.
fn only_greatest<T: Ord>(values: impl Iterator<Item = T>) -> Option<usize> {
    let mut best: Option<(usize, T)> = None;
    let mut is_only = true;
    for (at, value) in values.enumerate() {
        match &best {
            Some((_, top)) if value < *top => {}
            Some((_, top)) if value == *top => is_only = false,
            _ => {
                best = Some((at, value));
                is_only = true;
            }
        }
    }
    best.filter(|_| is_only).map(|(at, _)| at)
}

/// How often each choice occurs in a list.
fn counts(found: impl Iterator<Item = usize>, choices: usize) -> Vec<usize> {
    let mut counts = vec![0; choices];
    found.for_each(|choice| counts[choice] += 1);
    counts
}
