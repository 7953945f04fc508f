//! What an audit found, as data: for tables, for programs, for pages.

use std::collections::BTreeMap;

use serde::Serialize;

use super::battery;
use super::case::Group;
use super::finding::Finding;
use super::joint::JointReport;
use super::lesson::Learning;
use super::pairs::TwinReport;
use super::tally::Tally;
use super::triplets::TripletReport;

/// The largest number of rows that are compared with each other to find repetitions.
pub const COMPARED_MAX: u64 = 4_000_000;

/// The findings of an audit.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The number of rows that were audited.
    pub rows: u64,
    /// The number of rows that were left out because there are too many kinds of questions.
    pub left_out: u64,
    /// The number of rows whose twin is missing or too far away; `None` if no row names a twin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone: Option<u64>,
    /// The number of rows that were compared to find repetitions.
    pub compared: u64,
    /// The number of repeated rows.
    pub repeated: Repeated,
    /// The findings about each group of questions.
    pub groups: Vec<GroupReport>,
    /// What the questions of one story give away about each other; `None` if no story has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<JointReport>,
}

/// The number of rows that repeat an earlier row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Repeated {
    /// The number of rows whose story and question are the same as those of an earlier row.
    pub exact: u64,
    /// The number of rows that are the same as an earlier one except for the names of people, places and things.
    pub shape: u64,
}

/// The findings about one group of questions.
#[derive(Clone, Debug, Serialize)]
pub struct GroupReport {
    /// The group of questions.
    #[serde(flatten)]
    pub group: Group,
    /// Whether the group asks about minds, so that shortcuts should fail.
    pub asks_for_minds: bool,
    /// The number of rows.
    pub rows: u64,
    /// The share of rows that guessing gets right.
    pub chance: f64,
    /// Every shortcut that has an answer in some row, the worst first.
    pub shortcuts: Vec<Finding>,
    /// What boosted trees learn from signs that follow no mind.
    pub learning: Learning,
    /// How the answers are distributed.
    pub labels: Labels,
    /// The share of the evidence in each tenth of the story; `None` if the rows do not say.
    pub evidence: Option<[f64; 10]>,
    /// Where people go; `None` if that could not be read.
    pub graph: Option<Graph>,
    /// The number of rows that repeat an earlier row.
    pub repeated: Repeated,
    /// The number of rows in which nobody's walks could be read.
    pub unread: u64,
    /// The findings about pairs of twins; `None` if there are no twins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twins: Option<TwinReport>,
    /// The findings about triplets; `None` if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triplets: Option<TripletReport>,
}

/// How the answers are distributed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Labels {
    /// The entropy of the answers, in bits.
    pub answer_bits: f64,
    /// The entropy that the answers would have if all choices ever offered were right equally often.
    pub answer_bits_most: f64,
    /// The entropy of the position of the right choice, in bits.
    pub position_bits: f64,
    /// The entropy that the position would have if all positions were equally frequent.
    pub position_bits_most: f64,
    /// How often each answer is right, the most frequent first; at most a hundred.
    pub answers: Vec<(String, u64)>,
    /// The choices that are never right, and not by accident, each with how often guessing would have them right; at most a
    /// hundred, those that are offered most come first.
    pub never_right: Vec<(String, f64)>,
    /// How often each position of the right choice occurs, from 0.
    pub positions: Vec<u64>,
}

/// Where people go.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Graph {
    /// The number of stories whose moves were counted.
    pub stories: u64,
    /// The number of moves.
    pub moves: u64,
    /// The share of moves into each place, the most frequent first; at most a hundred.
    pub places: Vec<(String, f64)>,
    /// The number of places that people go to.
    pub place_count: usize,
    /// The share of each way from place to place, the most frequent first; at most a hundred.
    pub ways: Vec<(String, String, f64)>,
    /// The number of ways that are used.
    pub way_count: usize,
    /// The entropy of the ways, in bits.
    pub way_bits: f64,
    /// The entropy that the ways would have if all of them were used equally often.
    pub way_bits_most: f64,
}

impl GroupReport {
    /// The finding with this key.
    pub fn find(&self, key: &str) -> Option<&Finding> {
        self.shortcuts.iter().find(|finding| finding.key == key)
    }

    /// The shortcuts that are more than `over` above chance, the worst first; a tiny excess counts as rounding. Where questions
    /// ask what news does to somebody, those that follow two people at once are left out.
    ///
    /// ```
    /// use storysim::audit::{Audit, Case, Measured, Options};
    /// let mut audit = Audit::new(Options::default());
    /// let choices = ["box", "drawer"].map(str::to_owned).into();
    /// audit.add(Measured::of(Case { story: "It is in the box.".into(), choices, ..Case::default() }));
    /// let report = audit.report();
    /// let above: Vec<&str> = report.groups[0].above(0.02).map(|finding| finding.key.as_str()).collect();
    /// assert!(above.contains(&"last_named") && !above.contains(&"never_named"), "{above:?}");
    /// ```
    pub fn above(&self, over: f64) -> impl Iterator<Item = &Finding> {
        self.judged().filter(move |finding| finding.over > over + 1e-9)
    }

    /// The shortcuts that are held to a limit.
    pub fn judged(&self) -> impl Iterator<Item = &Finding> {
        self.shortcuts.iter().filter(|finding| !(finding.follows_two && self.group.asks_of_news()))
    }
}

/// The largest number of entries of a list that are reported.
const LISTED_MAX: usize = 100;

/// How often a choice is right by chance if it is no accident that it never is: less than one in 20,000 is.
const EXPECTED_MIN: f64 = 10.0;

/// Puts together the report of a group.
pub(super) fn of_group(group: Group, tally: Tally, is_taught_elsewhere: bool) -> GroupReport {
    let all = if is_taught_elsewhere { tally.all[1] } else { tally.all[0].plus(tally.all[1]) };
    let mut shortcuts = battery::findings(&group, &tally, is_taught_elsewhere);
    shortcuts.sort_by(|one, other| other.over.total_cmp(&one.over));
    let cited: u64 = tally.evidence.iter().sum();
    GroupReport {
        asks_for_minds: group.asks_for_minds(),
        rows: all.answered,
        twins: tally.pairs.report(&shortcuts),
        triplets: tally.triplets.report(&shortcuts),
        chance: all.chance / (all.answered as f64).max(1.0),
        shortcuts,
        learning: tally.lessons.learning(),
        labels: labels(&tally, is_taught_elsewhere),
        evidence: (cited > 0).then(|| tally.evidence.map(|count| count as f64 / cited as f64)),
        graph: graph(&tally),
        repeated: Repeated { exact: tally.repeated[0], shape: tally.repeated[1] },
        unread: tally.unread,
        group,
    }
}

fn labels(tally: &Tally, is_taught_elsewhere: bool) -> Labels {
    let last = tally.positions.iter().rposition(|counts| counts.iter().any(|count| count.answered > 0));
    let positions = tally.labels[..last.map_or(0, |last| last + 1)].to_vec();
    let mut answers: Vec<(String, u64)> = tally.answers.clone().into_iter().collect();
    answers.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    answers.truncate(LISTED_MAX);
    let mut never_right: Vec<(String, f64)> = tally
        .constants
        .iter()
        .map(|(choice, [learn, tried])| {
            (choice, if is_taught_elsewhere { *tried } else { learn.plus(*tried) })
        })
        .filter(|(_, count)| count.hits == 0.0 && count.chance >= EXPECTED_MIN)
        .map(|(choice, count)| (choice.clone(), count.chance))
        .collect();
    never_right.sort_by(|one, other| other.1.total_cmp(&one.1)); // stable
    never_right.truncate(LISTED_MAX);
    Labels {
        answer_bits: bits(tally.answers.values().copied()),
        answer_bits_most: (tally.constants.len().max(1) as f64).log2(),
        position_bits: bits(positions.iter().copied()),
        position_bits_most: (positions.len().max(1) as f64).log2(),
        answers,
        never_right,
        positions,
    }
}

fn graph(tally: &Tally) -> Option<Graph> {
    let moves: u64 = tally.ways.values().sum();
    if moves == 0 {
        return None;
    }
    let mut places: BTreeMap<&str, u64> = BTreeMap::new();
    for ((_, to), count) in &tally.ways {
        *places.entry(to).or_default() += count;
    }
    let share = |count: u64| count as f64 / moves as f64;
    let place_count = places.len();
    let mut places: Vec<(String, f64)> =
        places.into_iter().map(|(place, count)| (place.to_owned(), share(count))).collect();
    let mut ways: Vec<(String, String, f64)> =
        tally.ways.iter().map(|((from, to), &count)| (from.clone(), to.clone(), share(count))).collect();
    places.sort_by(|one, other| other.1.total_cmp(&one.1)); // stable: by name, where equal
    ways.sort_by(|one, other| other.2.total_cmp(&one.2));
    places.truncate(LISTED_MAX);
    ways.truncate(LISTED_MAX);
    Some(Graph {
        stories: tally.walked,
        moves,
        places,
        place_count,
        ways,
        way_count: tally.ways.len(),
        way_bits: bits(tally.ways.values().copied()),
        way_bits_most: (tally.ways.len() as f64).log2(),
    })
}

/// The entropy, in bits, of values that occur this often.
fn bits(counts: impl Iterator<Item = u64> + Clone) -> f64 {
    let all = counts.clone().sum::<u64>() as f64;
    let of = |count: u64| count as f64 / all * (all / count as f64).log2();
    counts.filter(|&count| count > 0).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_of_coins() {
        assert_eq!(bits([1, 1].into_iter()), 1.0);
        assert_eq!(bits([5, 0].into_iter()), 0.0);
        assert_eq!(bits([1; 8].into_iter()), 3.0);
        assert_eq!(bits([0; 0].into_iter()), 0.0);
    }
}
