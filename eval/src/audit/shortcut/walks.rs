//! Shortcuts that follow feet: where the target and the question's characters were, whatever anybody knows about it.

use super::{Shortcut, counts, only_greatest};
use crate::audit::{Case, Itinerary};

/// For objects, and where a story cannot be read, the row's own foils answer for the shortcuts that they know.
pub(super) const SHORTCUTS: [Shortcut; 30] = [
    Shortcut {
        key: "last_place",
        about: "where the target is at the end",
        find: |view| view.walks.back(&view.walks.target, 1).or_else(|| view.foil("last_place")),
    },
    Shortcut {
        key: "second_last_place",
        about: "where the target was before its last move",
        find: |view| view.walks.back(&view.walks.target, 2).or_else(|| view.foil("second_last_place")),
    },
    Shortcut {
        key: "third_last_place",
        about: "where the target was two moves before the end",
        find: |view| view.walks.back(&view.walks.target, 3),
    },
    Shortcut {
        key: "fourth_last_place",
        about: "where it was three moves before the end",
        find: |view| view.walks.back(&view.walks.target, 4),
    },
    Shortcut {
        key: "fifth_last_place",
        about: "where it was four moves before the end",
        find: |view| view.walks.back(&view.walks.target, 5),
    },
    Shortcut {
        key: "sixth_last_place",
        about: "where it was five moves before the end",
        find: |view| view.walks.back(&view.walks.target, 6),
    },
    Shortcut {
        key: "third_latest_place",
        about: "the third of the places where it was, by when it was last there",
        find: |view| view.walks.latest(2),
    },
    Shortcut { key: "fourth_latest_place", about: "the fourth of them", find: |view| view.walks.latest(3) },
    Shortcut { key: "fifth_latest_place", about: "the fifth of them", find: |view| view.walks.latest(4) },
    Shortcut {
        key: "earliest_left_place",
        about: "the place where it has not been for the longest time",
        find: |view| view.walks.back(&view.walks.latest, 1),
    },
    Shortcut {
        key: "place_entered_once",
        about: "the second last of the places that it entered just once in its last six moves",
        find: |view| view.walks.entered_once(),
    },
    Shortcut {
        key: "start_place",
        about: "where the target starts",
        find: |view| view.walks.target.first().and_then(|place| view.walks.choice(*place)),
    },
    Shortcut {
        key: "first_place",
        about: "where the target goes first",
        find: |view| view.walks.target.get(1).and_then(|place| view.walks.choice(*place)),
    },
    Shortcut {
        key: "first_common_place",
        about: "where all of the question came together first, without the start",
        find: |view| {
            let common = view.walks.common.first().and_then(|place| view.walks.choice(*place));
            common.or_else(|| view.foil("first_common_place"))
        },
    },
    Shortcut {
        key: "second_common_place",
        about: "where they came together the second time",
        find: |view| view.walks.common.get(1).and_then(|place| view.walks.choice(*place)),
    },
    Shortcut {
        key: "last_common_place",
        about: "where they came together last, without the start",
        find: |view| view.walks.back(&view.walks.common, 1).or_else(|| view.foil("last_common_place")),
    },
    Shortcut {
        key: "last_common_or_start",
        about: "where they came together last, or else where they started together",
        find: |view| {
            let start = view.walks.choice(view.walks.common_start);
            view.walks.back(&view.walks.common, 1).or_else(|| view.foil("last_common_place")).or(start)
        },
    },
    Shortcut {
        key: "own_place",
        about: "where the first mind's owner is at the end",
        find: |view| view.walks.back(&view.walks.asker, 1).or_else(|| view.foil("own_place")),
    },
    Shortcut {
        key: "own_second_last_place",
        about: "where she was before her last move",
        find: |view| view.walks.back(&view.walks.asker, 2),
    },
    Shortcut {
        key: "own_first_place",
        about: "where she goes first",
        find: |view| view.walks.asker.get(1).and_then(|place| view.walks.choice(*place)),
    },
    Shortcut {
        key: "own_place_then",
        about: "where she is when the target moves last",
        find: |view| view.walks.choice(view.walks.asker_then),
    },
    Shortcut {
        key: "place_at_own_last_move",
        about: "where the target is when she moves last",
        find: |view| view.walks.choice(view.walks.target_then),
    },
    Shortcut {
        key: "last_mind_place",
        about: "where the last mind's owner is at the end",
        find: |view| view.walks.choice(view.walks.last_mind),
    },
    Shortcut {
        key: "last_move_of_either",
        about: "where the target or she went, whoever moved last",
        find: |view| view.walks.choice(view.walks.either),
    },
    Shortcut {
        key: "usual_place",
        about: "where the target was most often",
        find: |view| view.walks.most_frequent(&view.walks.target),
    },
    Shortcut {
        key: "own_usual_place",
        about: "where she was most often",
        find: |view| view.walks.most_frequent(&view.walks.asker),
    },
    Shortcut {
        key: "most_visited_place",
        about: "where people went most often",
        find: |view| only_greatest(view.walks.visits.iter().copied()),
    },
    Shortcut {
        key: "least_visited_place",
        about: "where people went least often",
        find: |view| only_greatest(view.walks.visits.iter().map(|&count| std::cmp::Reverse(count))),
    },
    Shortcut {
        key: "crowd",
        about: "where most people are at the end",
        find: |view| only_greatest(view.walks.crowds.iter().copied()),
    },
    Shortcut {
        key: "lower_order",
        about: "what the chain without its outermost mind answers",
        find: |view| view.foil("lower_order"),
    },
];

/// The places of the question's people and its target; empty if the story cannot be read.
#[derive(Debug, Default)]
pub struct Walks {
    /// For each place, the choice that it is.
    choice_of: Vec<Option<usize>>,
    /// The places of the target, one after another, beginning with its start.
    target: Vec<Option<usize>>,
    /// The places of the target, each once, ordered by when it was last there; its current place comes first.
    latest: Vec<Option<usize>>,
    asker: Vec<Option<usize>>,
    /// The places where all of the question's characters came together, one after another.
    common: Vec<Option<usize>>,
    common_start: Option<usize>,
    asker_then: Option<usize>,
    target_then: Option<usize>,
    last_mind: Option<usize>,
    either: Option<usize>,
    /// For each choice, how often people went there.
    visits: Vec<usize>,
    crowds: Vec<usize>,
}

impl Walks {
    pub fn of(case: &Case) -> Self {
        case.itinerary.as_ref().map_or_else(Self::default, |told| Self::read(case, told))
    }

    fn read(case: &Case, told: &Itinerary) -> Self {
        let choice_of: Vec<Option<usize>> = told
            .places()
            .iter()
            .map(|place| case.choices.iter().position(|choice| choice == place))
            .collect();
        let choice = |place: Option<usize>| place.and_then(|place| choice_of[place]);
        let target = told.who(&case.about);
        let company: Option<Vec<usize>> = case.company.iter().map(|name| told.who(name)).collect();
        let company = company.unwrap_or_default();
        let asker = case.company.first().and_then(|name| told.who(name));
        let mut walks = Self {
            target: target.map(|who| told.path(who).collect()).unwrap_or_default(),
            latest: target.map(|who| told.latest(who)).unwrap_or_default(),
            asker: asker.map(|who| told.path(who).collect()).unwrap_or_default(),
            ..Self::default()
        };
        let mut places: Vec<Option<usize>> = (0..told.names().len()).map(|who| told.start_of(who)).collect();
        // All are in one room; where the target is in it.
        let gathering = |places: &[Option<usize>]| {
            let target = places[target?];
            let room = told.room(target)?;
            let is_common =
                !company.is_empty() && company.iter().all(|&who| told.room(places[who]) == Some(room));
            is_common.then_some(target)
        };
        let mut before = gathering(&places);
        walks.common_start = before.flatten();
        for moved in told.stops().chunk_by(|one, other| one.step == other.step) {
            for stop in moved {
                places[stop.who] = stop.place;
            }
            let who = |wanted: Option<usize>| moved.iter().any(|stop| Some(stop.who) == wanted);
            let at = |who: Option<usize>| who.and_then(|who| places[who]);
            if who(target) {
                walks.asker_then = at(asker);
                walks.either = at(target);
            }
            if who(asker) {
                walks.target_then = at(target);
                walks.either = at(asker);
            }
            let now = gathering(&places);
            // Coming together, or seeing it somewhere else.
            if let Some(place) = now.filter(|_| now != before) {
                walks.common.push(place);
            }
            before = now;
        }
        walks.last_mind = case.company.last().and_then(|name| told.who(name)).and_then(|who| places[who]);
        walks.visits = counts(told.stops().iter().filter_map(|stop| choice(stop.place)), case.choices.len());
        walks.crowds = counts(places.iter().filter_map(|&place| choice(place)), case.choices.len());
        walks.choice_of = choice_of;
        walks
    }

    /// The choice that a place is, if it is one.
    fn choice(&self, place: Option<usize>) -> Option<usize> {
        self.choice_of[place?]
    }

    /// The choice at the end of a list of places, or the second last, and so on.
    fn back(&self, places: &[Option<usize>], count: usize) -> Option<usize> {
        self.choice(places[places.len().checked_sub(count)?])
    }

    fn latest(&self, number: usize) -> Option<usize> {
        self.choice(*self.latest.get(number)?)
    }

    fn entered_once(&self) -> Option<usize> {
        let last = &self.target[self.target.len().saturating_sub(6)..];
        let is_once = |place: &&Option<usize>| last.iter().filter(|other| other == place).count() == 1;
        self.choice(*last.iter().rev().filter(is_once).nth(1)?)
    }

    /// The choice that occurs most often among these places, if there is only one.
    fn most_frequent(&self, places: &[Option<usize>]) -> Option<usize> {
        let found = places.iter().filter_map(|&place| self.choice(place));
        only_greatest(counts(found, self.visits.len()).into_iter()).filter(|_| !places.is_empty())
    }
}
