//! Measures what a storyboard gives away: makes its rows, and has them audited.
//!
//! The figures of built-in storyboards are kept in a file ([`Giveaways`](crate::storyboard::Giveaways)).

use std::ops::Range;

use rayon::prelude::*;

use crate::audit::{
    Audit, BEGINS_TO_FOLLOW, Case, Finding, GroupReport, Measured, Options, Report, Seen, TREE,
};
use crate::dataset::{Fields, RowMaker, RowOptions, StoredRow};
use crate::select::{Family, FamilyWeights};
use crate::storyboard::{Found, Giveaway, Learner, Purpose};

/// The seed of the stories that are measured.
pub const SEED: u64 = 1;

/// How many stories a thread makes at a time.
const BLOCK: u64 = 50;

/// How many stories are part of what a change is noticed by.
const SAMPLE: u64 = 8;

/// From this many rows on, how well a shortcut does at a question is known to within a point or so. Questions with fewer count only
/// where all have fewer: the best of many shortcuts would seem to work by chance alone.
const ENOUGH: u64 = 5_000;

/// The number of stories of a built-in storyboard that are measured. Where shortcuts should not work, more are needed to tell; and
/// more again where a question is asked of some of the stories alone.
pub fn stories(purpose: Purpose, family: &Family) -> u64 {
    let seldom_asks = || family.plans()[0].bundles.iter().any(|bundle| bundle.unlike.is_some());
    match purpose {
        Purpose::Calibrated if seldom_asks() => 30_000,
        Purpose::Calibrated => 8_000,
        Purpose::Classic | Purpose::Demonstration => 3_000,
    }
}

/// A hash of what is measured: what happens in stories and how they are balanced, and the rows of the first ones.
/// Twins are not measured.
///
/// # Panics
/// Never: weights can be written.
pub fn fingerprint(family: &Family) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &str| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    };
    for plan in family.plans() {
        add(&plan.fingerprint);
        add(&format!("{:?}", plan.balance));
    }
    let of_stories =
        FamilyWeights { pairs: None, pair_look: None, triplets: None, ..family.weights().clone() };
    add(&serde_json::to_string(&of_stories).expect("weights can be written"));
    let mut rows = String::new();
    let mut maker = RowMaker::new(family, SEED, &[], RowOptions::WITH_EVENTS);
    (0..SAMPLE).for_each(|index| {
        maker.rows(index, &mut rows);
    });
    add(&rows);
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Makes stories and audits their questions about minds. The report does not depend on the number of threads. `done` is told
/// of every block of stories that is made.
///
/// # Panics
/// Never: rows can be read back.
pub fn audited(family: &Family, seed: u64, stories: u64, done: impl Fn(u64) + Sync) -> Report {
    let measured = |range: Range<u64>, maker: &mut RowMaker<'_>| -> Vec<Measured> {
        let mut rows = String::new();
        range.clone().for_each(|index| {
            maker.rows(index, &mut rows);
        });
        done(range.end - range.start);
        let cases = rows.lines().map(|row| {
            let fields = Fields::of(&StoredRow::Line(row.to_owned())).expect("a row");
            Case::of_row(fields).expect("a row that can be audited")
        });
        cases.filter(|case| case.group.asks_for_minds()).map(Measured::of).collect()
    };
    let mut audit = Audit::new(Options::default());
    let batch = 4 * rayon::current_num_threads() as u64;
    let blocks = stories.div_ceil(BLOCK);
    for first in (0..blocks).step_by(batch as usize) {
        let rows: Vec<Vec<Measured>> = (first..blocks.min(first + batch))
            .into_par_iter()
            .map_init(
                || RowMaker::new(family, seed, &[], RowOptions::WITH_EVENTS),
                |maker, block| measured(block * BLOCK..stories.min((block + 1) * BLOCK), maker),
            )
            .collect();
        rows.into_iter().flatten().for_each(|row| audit.add(row));
    }
    audit.report()
}

/// What a report says about a storyboard in short; `None` if it has no question about minds.
pub fn of_report(family: &Family, report: &Report, stories: u64) -> Option<Giveaway> {
    let is_one_rule = |finding: &&Finding| finding.key != TREE && finding.key != BEGINS_TO_FOLLOW;
    let learned = |limits: &[&str]| {
        best(report, |group| {
            let sights = group.learning.sights.iter();
            sights.filter(|seen: &&Seen| limits.contains(&seen.limit)).map(|seen| &seen.finding).collect()
        })
    };
    let learner = || {
        Some(Learner {
            surface: learned(&["options", "surface", "turns"])?,
            target: learned(&["target"])?,
            minds: learned(&["minds"]),
            both: learned(&["both"])?,
        })
    };
    Some(Giveaway {
        board: family.name().to_owned(),
        of: fingerprint(family),
        stories,
        seed: SEED,
        shortcut: best(report, |group| group.judged().filter(is_one_rule).collect())?,
        beginning: best(report, |group| group.find(BEGINS_TO_FOLLOW).into_iter().collect()),
        learner: learner(),
    })
}

/// The best of some findings in all groups that count; of equal ones the first that was not learned.
fn best<'a>(report: &'a Report, of: impl Fn(&'a GroupReport) -> Vec<&'a Finding>) -> Option<Found> {
    let has_enough = report.groups.iter().any(|group| group.rows >= ENOUGH);
    let groups = report.groups.iter().filter(|group| group.rows >= ENOUGH || !has_enough);
    let all = groups.flat_map(|group| of(group).into_iter().map(move |finding| (group, finding)));
    let is_better = |one: &Finding, other: &Finding| {
        let by = one.over - other.over;
        by > 1e-9 || (by > -1e-9 && other.is_learned && !one.is_learned)
    };
    let (group, finding) = all.reduce(|best, next| if is_better(next.1, best.1) { next } else { best })?;
    let rounded = |share: f64| (share * 1e4).round() / 1e4;
    Some(Found {
        name: finding.key.clone(),
        // What a learner asks for is no variant of it.
        which: finding.which.clone().filter(|_| finding.key != TREE && group.find(&finding.key).is_some()),
        question: group.group.question,
        kind: group.group.question.is_none().then(|| group.group.kind.clone()),
        rows: finding.rows,
        right: rounded(finding.accuracy),
        chance: rounded(finding.chance),
    })
}
