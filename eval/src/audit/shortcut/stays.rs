//! Shortcuts that look at how long the target stays where: by the clock, not by the number of moves.

use super::{Shortcut, View, only_greatest};
use crate::audit::stays::Stay;

/// How long ago `place_25_ago` looks.
const AGO: usize = 25;

pub(super) const SHORTCUTS: [Shortcut; 5] = [
    Shortcut {
        key: "longest_stay",
        about: "where the target's longest stay is",
        find: |view| {
            let longest = only_greatest(view.target.iter().map(Stay::length))?;
            view.target[longest].choice
        },
    },
    Shortcut {
        key: "longest_last_stay",
        about: "where the longest of its last stays in each place is",
        find: |view| {
            let last = last_stays(view);
            only_greatest(last.iter().map(|stay| stay.map(|stay| stay.length())))
                .filter(|&choice| last[choice].is_some())
        },
    },
    Shortcut {
        key: "most_time",
        about: "where the target is for most of the time",
        find: |view| {
            let mut times = vec![0; view.case.choices.len()];
            for stay in view.target {
                if let Some(choice) = stay.choice {
                    times[choice] += stay.length();
                }
            }
            only_greatest(times.iter()).filter(|&choice| times[choice] > 0)
        },
    },
    Shortcut {
        key: "place_25_ago",
        about: "where the target is 25 events before the end",
        find: |view| {
            let time = view.steps.checked_sub(AGO)?;
            view.target.iter().find(|stay| stay.from <= time && time < stay.until)?.choice
        },
    },
    Shortcut {
        key: "left_first_unvisited",
        about: "of the places where she has not been since it left, the one that it left first",
        find: |view| {
            let mut seen = vec![0; view.case.choices.len()];
            for stay in view.asker {
                if let Some(choice) = stay.choice {
                    seen[choice] = stay.until;
                }
            }
            let last = last_stays(view);
            let left = last.iter().enumerate().filter_map(|(choice, stay)| Some((choice, (*stay)?.until)));
            let is_unvisited =
                |&(choice, until): &(usize, usize)| until < view.steps && seen[choice] <= until;
            let first = left.filter(is_unvisited).min_by_key(|&(_, until)| until);
            first.filter(|_| !view.asker.is_empty()).map(|(choice, _)| choice)
        },
    },
];

/// For each choice, the last stay of the target there.
fn last_stays(view: &View<'_>) -> Vec<Option<Stay>> {
    let mut last = vec![None; view.case.choices.len()];
    for stay in view.target {
        if let Some(choice) = stay.choice {
            last[choice] = Some(*stay);
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use crate::audit::{Case, Itinerary, Mentions, shortcuts};

    #[test]
    fn stays_are_measured_in_events() {
        // Ann: hall until 1, attic until 4, hall until 5, cellar until 8; Bob: hall until 6, attic until 8.
        let verbs = ["Ann enters attic", "Cas enters hall", "Cas enters attic", "Ann enters hall"];
        let more = ["Ann enters cellar", "Bob enters attic", "Cas enters hall", "Cas enters attic"];
        let story = format!("{}. {}.", verbs.join(". "), more.join(". "));
        let places = ["attic", "hall", "cellar"];
        let itinerary = Itinerary::of_sentences(&story, &"hall".into(), &["Ann", "Bob"], &places, &[]);
        let case = Case {
            choices: places.map(str::to_owned).into(),
            company: vec!["Bob".into()],
            about: "Ann".into(),
            itinerary,
            story,
            ..Case::default()
        };
        let named = |case: &Case| -> Vec<(&str, Option<usize>)> {
            let named = shortcuts(case, &Mentions::of(&case.story, &case.choices));
            let is_wanted = |key: &str| super::SHORTCUTS.iter().any(|shortcut| shortcut.key == key);
            named.into_iter().map(|(one, choice)| (one.key, choice)).filter(|one| is_wanted(one.0)).collect()
        };
        let wanted = [
            ("longest_stay", None), // attic and cellar, three events each
            ("longest_last_stay", None),
            ("most_time", None),
            ("place_25_ago", None),
            // Bob is in the attic after Ann, and in the hall when she leaves and after that.
            ("left_first_unvisited", None),
        ];
        assert_eq!(named(&case), wanted);
        let longer = format!("{} {}", case.story, "Cas enters hall. Cas enters attic. ".repeat(10));
        let itinerary = Itinerary::of_sentences(longer.trim(), &"hall".into(), &["Ann", "Cas"], &places, &[]);
        let case = Case { story: longer.trim().into(), itinerary, company: vec!["Dora".into()], ..case };
        let found = named(&case);
        assert_eq!(found[0], ("longest_stay", Some(2)));
        assert_eq!(found[1], ("longest_last_stay", Some(2)));
        assert_eq!(found[2], ("most_time", Some(2)));
        assert_eq!(found[3], ("place_25_ago", Some(0)), "28 events: after the third it is in the attic");
        assert_eq!(found[4], ("left_first_unvisited", None), "nobody knows where Dora was");
        let case = Case { company: vec!["Cas".into()], ..case };
        assert_eq!(named(&case)[4], ("left_first_unvisited", None), "Cas comes everywhere");
    }
}
