//! Shortcuts for questions about what news does to somebody: what she would hold had she heard everything, or the last
//! announcement, or what the one is like that was made at a certain time.
//!
//! Announcements are told in other words than choices have, so what is most like one need not be what it says.

use std::collections::BTreeSet;

use super::{Shortcut, View, only_greatest};
use crate::audit::announced::{Announced, place_at, went_between};
use crate::audit::mentions::words;

pub(super) const SHORTCUTS: [Shortcut; 7] = [
    Shortcut {
        key: "all_heard",
        about: "what would be so had she heard every announcement",
        find: |view| view.foil("all_heard"),
    },
    Shortcut {
        key: "last_turn",
        about: "what would be so had she heard the scenario's last announcement",
        find: |view| view.foil("last_turn"),
    },
    Shortcut {
        key: "scenario_before",
        about: "what was so one scenario before",
        find: |view| view.foil("scenario_before"),
    },
    Shortcut {
        key: "first_announced",
        about: "the choice most like the scenario's first announcement",
        find: |view| most_like(view, view.case.announced.first()?),
    },
    Shortcut {
        key: "last_announced",
        about: "the choice most like the scenario's last announcement",
        find: |view| most_like(view, view.case.announced.last()?),
    },
    Shortcut {
        key: "announced_in_own_place",
        about: "the choice most like the scenario's last announcement that is made where the first mind's owner is",
        find: |view| {
            let (told, asker) = (view.case.itinerary.as_ref()?, view.asker()?);
            let is_here = |news: &&Announced| {
                let place = place_at(told, asker, news.step);
                place.is_some() && place == place_at(told, &news.by, news.step)
            };
            most_like(view, view.case.announced.iter().rfind(is_here)?)
        },
    },
    Shortcut {
        key: "announced_after_both_went",
        about: "the choice most like the scenario's last announcement before which both she and whoever makes it went to one place",
        find: |view| {
            let (told, asker) = (view.case.itinerary.as_ref()?, view.asker()?);
            let all = &view.case.announced;
            let met = |at: &usize| {
                let from = at.checked_sub(1).map_or(0, |before| all[before].step);
                let went = |name: &str| went_between(told, name, from, all[*at].step);
                let place = went(asker);
                place.is_some() && place == went(&all[*at].by)
            };
            most_like(view, &all[(0..all.len()).rev().find(met)?])
        },
    },
];

/// The choice that shares most words with an announcement; each word that it does not share counts half against it.
fn most_like(view: &View<'_>, news: &Announced) -> Option<usize> {
    let small = |text: &str| words(text).map(str::to_lowercase).collect::<BTreeSet<String>>();
    let said = small(&news.text);
    let likeness = |choice: &String| {
        let (shared, others): (Vec<String>, Vec<String>) =
            small(choice).into_iter().partition(|word| said.contains(word));
        2 * shared.len() as i64 - others.len() as i64
    };
    only_greatest(view.case.choices.iter().map(likeness))
}
