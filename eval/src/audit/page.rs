//! The page of a report: how well shortcuts do, as plots with the figures beside them.

use std::collections::BTreeMap;

use super::battery::TREE;
use super::finding::Finding;
use super::joint::{JointFinding, JointReport};
use super::lesson::{Fifth, Learning, Seen};
use super::pairs::{PairFinding, TwinReport};
use super::report::{COMPARED_MAX, Graph, GroupReport, Labels, Report};
use super::triplets::{TripletFinding, TripletReport};
use crate::diagnostic::counted;
use crate::page::{Columns, Lines, Page, Part, Plot, Point, Rank, Ranks, Series, Table};

/// The largest number of bars of a group that are drawn. The table of the group has all of them.
const DRAWN_MAX: usize = 20;

/// The series of shortcuts, each with its own colour: those that are the same for every data set, and those that are not.
const SERIES: [&str; 2] = ["a fixed rule", "learned or chosen on some stories, tested on others (*)"];

/// The data that a report is about.
#[derive(Clone, Copy, Debug, Default)]
pub struct Subject<'a> {
    /// The name of the data set.
    pub dataset: &'a str,
    /// The data set that learners learn from, if it is another one.
    pub learn_on: Option<&'a str>,
    /// The number of questions that are left out because they have no usable answer.
    pub unanswered: u64,
}

/// The HTML page of a report.
///
/// ```
/// use storysim::audit::{Audit, Case, Measured, Options, Subject, page};
/// let mut audit = Audit::new(Options::default());
/// let choices = ["box", "drawer"].map(str::to_owned).into();
/// audit.add(Measured::of(Case { story: "It is in the box.".into(), choices, ..Case::default() }));
/// let html = page(&audit.report(), Subject { dataset: "rows.jsonl", ..Subject::default() }).html();
/// assert!(html.contains("Audit of rows.jsonl") && html.contains("last_named"));
/// ```
pub fn page(report: &Report, subject: Subject<'_>) -> Page {
    let mut parts = vec![Part::Prose(
        "How well this dataset can be answered without tracking a mind. A shortcut answers a question by something \
         other than what it asks for: where the target was before its last move, what the twelfth sentence names, \
         which choice is the longest. If a shortcut is far above chance, a model can do well without the ability that \
         the dataset should measure."
            .to_owned(),
    )];
    parts.extend(counts(report, subject).into_iter().map(Part::Prose));
    parts.extend([Part::Heading("All groups of questions".to_owned()), overview(report)]);
    parts.extend(report.joint.iter().flat_map(joint));
    for group in &report.groups {
        parts.extend(of_group(group));
    }
    parts.extend([Part::Heading("The shortcuts".to_owned()), battery(report)]);
    Page { title: format!("Audit of {}", subject.dataset), parts }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

fn titles(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|&title| title.to_owned()).collect()
}

/// How many rows there are, and which of them do not count.
fn counts(report: &Report, subject: Subject<'_>) -> Vec<String> {
    let rows = report.rows;
    let limit =
        if rows > COMPARED_MAX { format!(" (among the first {COMPARED_MAX})") } else { String::new() };
    let mut counts = vec![format!(
        "{}. {} {} an earlier story and question, {} if names are ignored{limit}.",
        counted(rows, "row"),
        report.repeated.exact,
        if report.repeated.exact == 1 { "repeats" } else { "repeat" },
        report.repeated.shape
    )];
    if let Some(learn_on) = subject.learn_on {
        counts.push(format!("Learners were trained on {learn_on} and tested on all rows."));
    }
    if let Some(alone) = report.alone.filter(|alone| *alone > 0) {
        let name = if alone == 1 { "names" } else { "name" };
        counts.push(format!("{} {name} a twin that is missing or too far away.", counted(alone, "row")));
    }
    if report.left_out > 0 {
        counts.push(format!(
            "{} left out because there are too many groups of questions.",
            were(report.left_out, "row")
        ));
    }
    if subject.unanswered > 0 {
        counts.push(format!(
            "{} left out: no answer among the choices, or too many choices.",
            were(subject.unanswered, "question")
        ));
    }
    counts
}

/// Says that something happened to a number of things: "1 row was", "2 rows were".
fn were(count: u64, noun: &str) -> String {
    format!("{} {}", counted(count, noun), if count == 1 { "was" } else { "were" })
}

/// The name of a shortcut, with its variant if there are several.
fn name(finding: &Finding) -> String {
    let star = if finding.is_learned { "*" } else { "" };
    let which = finding.which.as_ref().map(|which| format!(" ({which})")).unwrap_or_default();
    format!("{}{star}{which}", finding.key)
}

fn interval(finding: &Finding) -> String {
    format!("{} – {}", percent(finding.low), percent(finding.high))
}

/// One line for every group, with its worst shortcut.
fn overview(report: &Report) -> Part {
    let rows = report.groups.iter().map(|group| {
        let worst = group.shortcuts.first();
        let told = |tell: fn(&Finding) -> String| worst.map(tell).unwrap_or_default();
        vec![
            group.group.to_string(),
            told(name),
            group.rows.to_string(),
            percent(group.chance),
            told(|worst| percent(worst.accuracy)),
            told(interval),
            group.find(TREE).map(|tree| percent(tree.accuracy)).unwrap_or_default(),
        ]
    });
    Part::Table(Table {
        caption: "Every group with the shortcut that is furthest above chance, and the decision tree."
            .to_owned(),
        titles: titles(&["questions", "best shortcut", "rows", "chance", "right", "95 % interval", "tree"]),
        text_columns: 2,
        rows: rows.collect(),
    })
}

/// What the questions of one story give away about each other: one line for every group.
fn joint(joint: &JointReport) -> Vec<Part> {
    let JointReport { learned_from, tried_on, questions, rules, contradicted, left_out, .. } = joint;
    let mut said = format!(
        "How far one gets by logic alone, with the choices of all questions of a story and without the story. {} about \
         parts of the right choices {} learned from {} and used on {tried_on} others, with {questions:.1} questions each: \
         what does not fit is taken away, until nothing changes.",
        counted(rules, "rule"),
        if *rules == 1 { "was" } else { "were" },
        counted(learned_from, "story")
    );
    if *contradicted > 0 {
        said += &format!(" In {}, the choices contradict the rules.", counted(contradicted, "story"));
    }
    if *left_out > 0 {
        said += &format!(" {} not looked at.", were(*left_out, "row"));
    }
    let row = |name: String, finding: &JointFinding| {
        vec![
            name,
            finding.rows.to_string(),
            percent(finding.chance),
            format!("{:.2}", finding.left),
            percent(finding.decided),
            finding.decided_right.map(percent).unwrap_or_default(),
            percent(finding.accuracy),
            format!("{} – {}", percent(finding.low), percent(finding.high)),
            format!("{:+.1}", finding.over * 100.0),
        ]
    };
    let all = [row("all".to_owned(), &joint.all)].into_iter();
    let table = Table {
        caption: "Left: how many choices are left, on average. Decided: the share of questions with one choice left; of \
                  these: how many of them are right. Right: accuracy, guessing among the choices that are left; its \
                  interval counts stories. Over: percentage points above chance."
            .to_owned(),
        titles: titles(&[
            "questions", "rows", "chance", "left", "decided", "of these", "right", "95 % interval", "over",
        ]),
        text_columns: 1,
        rows: all.chain(joint.groups.iter().map(|group| row(group.group.to_string(), &group.finding))).collect(),
    };
    vec![Part::Heading("All questions of a story".to_owned()), Part::Prose(said), Part::Table(table)]
}

fn of_group(group: &GroupReport) -> Vec<Part> {
    let mut said = format!("{}, chance {}.", counted(group.rows, "row"), percent(group.chance));
    if !group.asks_for_minds {
        said += " These questions are about the world, not about minds, so a shortcut may well answer them.";
    }
    if group.unread > 0 {
        said += &format!(
            " Walks could not be read in {}; the foils were used instead.",
            counted(group.unread, "row")
        );
    }
    let repeated = group.repeated;
    if repeated.shape > 0 {
        said += &format!(
            " {} of them {} an earlier story and question, {} if names are ignored.",
            repeated.exact,
            if repeated.exact == 1 { "repeats" } else { "repeat" },
            repeated.shape
        );
    }
    let mut parts = vec![Part::Heading(group.group.to_string()), Part::Prose(said)];
    parts.extend(group.find(TREE).map(tree));
    parts.extend(following_two(group));
    parts.extend([accuracies(group), shortcuts(group)]);
    parts.extend(learned(&group.learning));
    parts.extend(group.twins.as_ref().map(twins));
    parts.extend(group.triplets.as_ref().map(triplets));
    parts.extend(labels(&group.labels));
    parts.extend(group.evidence.map(evidence));
    parts.extend(group.graph.iter().flat_map(ways));
    parts
}

/// Which shortcuts follow two people at once.
fn following_two(group: &GroupReport) -> Option<Part> {
    let marked = group.shortcuts.iter().filter(|finding| finding.follows_two);
    let marked: Vec<&str> = marked.map(|finding| finding.key.as_str()).collect();
    let held = if group.group.asks_of_news() {
        " They are held to no limit, and the tree does not see them."
    } else {
        ""
    };
    let said = format!(
        "Some follow two people at once, which is half of following a mind: {}.{held}",
        marked.join(", ")
    );
    (!marked.is_empty()).then_some(Part::Prose(said))
}

fn tree(tree: &Finding) -> Part {
    let asks = tree.which.as_ref().map(|facts| format!(" It mostly uses {facts}.")).unwrap_or_default();
    Part::Prose(format!(
        "A small decision tree over all shortcuts is right in {} ({}) of {}.{asks}",
        percent(tree.accuracy),
        interval(tree),
        counted(tree.rows, "row")
    ))
}

/// The worst shortcuts as bars, and the tree wherever it ranks.
fn accuracies(group: &GroupReport) -> Part {
    let is_drawn = |(at, finding): &(usize, &Finding)| *at < DRAWN_MAX || finding.key == TREE;
    let drawn = group.shortcuts.iter().enumerate().filter(is_drawn).map(|(_, finding)| Rank {
        name: name(finding),
        series: usize::from(finding.is_learned),
        share: finding.accuracy,
        interval: Some((finding.low, finding.high)),
    });
    let ranks: Vec<Rank> = drawn.collect();
    let more = match group.shortcuts.len() - ranks.len() {
        0 => String::new(),
        more => format!(" {more} more are in the table."),
    };
    let caption = format!(
        "What shortcuts get right, the furthest above chance first, with 95 % Wilson intervals; the dashed line is \
         chance.{more}"
    );
    let ranks = Ranks {
        x: "accuracy".to_owned(),
        end: 1.0,
        series: titles(&SERIES),
        ranks,
        level: Some(group.chance),
    };
    Part::Figure(Plot::Ranks(ranks), caption)
}

fn shortcuts(group: &GroupReport) -> Part {
    let rows = group.shortcuts.iter().map(|finding| {
        let star = if finding.is_learned { "*" } else { "" };
        vec![
            format!("{}{star}", finding.key),
            finding.which.clone().unwrap_or_default(),
            finding.rows.to_string(),
            percent(finding.accuracy),
            interval(finding),
            format!("{:+.1}", finding.over * 100.0),
            percent(finding.answered as f64 / (finding.rows as f64).max(1.0)),
        ]
    });
    Part::Table(Table {
        caption: "All shortcuts. Right: accuracy, guessing where the shortcut has no answer. Over: percentage points \
                  above chance. Says: how often the shortcut has an answer."
            .to_owned(),
        titles: titles(&["shortcut", "which", "rows", "right", "95 % interval", "over", "says"]),
        text_columns: 2,
        rows: rows.collect(),
    })
}

/// What boosted trees learn, sight by sight: bars, and the figures.
fn learned(learning: &Learning) -> Vec<Part> {
    if let Some(reason) = learning.too_few() {
        return vec![Part::Prose(format!("Boosted trees: {reason}."))];
    }
    let Learning { learned_from, tried_on, sights } = learning;
    let rank = |Seen { finding, follows_minds, .. }: &Seen| Rank {
        name: format!("{}*", finding.key),
        series: usize::from(!follows_minds),
        share: finding.accuracy,
        interval: Some((finding.low, finding.high)),
    };
    let ranks = Ranks {
        x: "accuracy".to_owned(),
        end: 1.0,
        series: titles(&["this is following minds", "follows no mind"]),
        ranks: sights.iter().map(rank).collect(),
        level: sights.first().map(|seen| seen.finding.chance),
    };
    let caption = format!(
        "What boosted trees get right that look at ever more, with 95 % Wilson intervals; the dashed line is chance. \
         They learned from {} and were tested on {tried_on} others.",
        counted(learned_from, "row")
    );
    let row = |Seen { finding, .. }: &Seen| {
        let points = |share: f64| format!("{:+.1}", (share - finding.chance) * 100.0);
        vec![
            finding.key.clone(),
            finding.about.clone(),
            finding.which.clone().unwrap_or_default(),
            percent(finding.accuracy),
            format!("{:+.1}", finding.over * 100.0),
            format!("{} to {}", points(finding.low), points(finding.high)),
        ]
    };
    let table = Table {
        caption: "What boosted trees learn. Over: percentage points above chance, with its interval."
            .to_owned(),
        titles: titles(&["sight", "what is seen", "asks most for", "right", "over", "95 % interval"]),
        text_columns: 3,
        rows: sights.iter().map(row).collect(),
    };
    let mut parts = vec![Part::Figure(Plot::Ranks(ranks), caption), Part::Table(table)];
    parts.extend(along_difficulty(sights));
    parts.extend(by_difficulty(sights).map(Part::Table));
    parts
}

/// How what boosted trees get right falls as questions become more difficult, if rows say how difficult they are.
fn along_difficulty(sights: &[Seen]) -> Option<Part> {
    let is_along = |seen: &&Seen| seen.by_difficulty.iter().filter(|fifth| fifth.rows > 0).count() > 1;
    let series: Vec<Series> = sights.iter().filter(is_along).map(along).collect();
    let chance = sights.first().map(|seen| (0.0, seen.finding.chance));
    let caption = "The same by difficulty, with 95 % Wilson intervals: each point is a fifth of the storyboard's stories, the \
                   easiest on the left. The dashed line is chance.";
    let (x, y) = ("quantile of difficulty".to_owned(), "accuracy".to_owned());
    let lines = Lines { x, y, series, chance: chance.into_iter().collect() };
    (!lines.series.is_empty()).then(|| Part::Figure(Plot::Lines(lines), caption.to_owned()))
}

/// What a sight gets right, along the middles of the fifths.
fn along(seen: &Seen) -> Series {
    let middles = (10_u8..).step_by(20).map(f64::from).zip(&seen.by_difficulty);
    let points = middles.filter(|(_, fifth)| fifth.rows > 0);
    let points = points.map(|(x, &Fifth { accuracy: y, low, high, .. })| Point { x, y, low, high }).collect();
    Series { name: seen.finding.key.clone(), points }
}

/// What boosted trees get right by how difficult questions are, if rows say it.
fn by_difficulty(sights: &[Seen]) -> Option<Table> {
    let first = sights.iter().find(|seen| !seen.by_difficulty.is_empty())?;
    let fifths = first.by_difficulty.iter().map(|fifth| fifth.quantiles.to_owned());
    let row = |seen: &Seen| {
        let share = |fifth: &Fifth| if fifth.rows == 0 { "-".to_owned() } else { percent(fifth.accuracy) };
        [seen.finding.key.clone()].into_iter().chain(seen.by_difficulty.iter().map(share)).collect()
    };
    Some(Table {
        caption: "The same by difficulty, in quantiles of the storyboard's stories.".to_owned(),
        titles: ["sight".to_owned()].into_iter().chain(fifths).collect(),
        text_columns: 1,
        rows: sights.iter().map(row).collect(),
    })
}

/// The share of pairs in which each shortcut gets both right.
fn twins(twins: &TwinReport) -> Part {
    let row = |finding: &PairFinding| {
        let star = if finding.is_learned { "*" } else { "" };
        let looks = match (finding.of_target_alone, finding.is_impossible()) {
            (_, true) => "target alone: these are not twins",
            (true, _) => "target alone",
            _ => "",
        };
        vec![
            format!("{}{star}", finding.key),
            finding.which.clone().unwrap_or_default(),
            looks.to_owned(),
            percent(finding.both),
        ]
    };
    Part::Table(Table {
        caption: format!(
            "Twins: the share of {} with different answers in which a shortcut gets both right (learned ones: of {}). \
             {} with equal answers {} left out. A shortcut that looks at the target's moves alone cannot get \
             both right.",
            counted(twins.pairs, "pair"),
            counted(twins.tried, "pair"),
            counted(twins.alike, "pair"),
            if twins.alike == 1 { "is" } else { "are" }
        ),
        titles: titles(&["shortcut", "which", "looks at", "both right"]),
        text_columns: 3,
        rows: twins.shortcuts.iter().map(row).collect(),
    })
}

/// The share of triplets in which each shortcut gets all three right.
fn triplets(triplets: &TripletReport) -> Part {
    let wrong = triplets.impossible();
    let row = |finding: &TripletFinding| {
        let star = if finding.is_learned { "*" } else { "" };
        let looks = finding.looks_at();
        vec![
            format!("{}{star}", finding.key),
            finding.which.clone().unwrap_or_default(),
            if wrong == Some(finding) {
                format!("{looks}: these are not triplets")
            } else {
                looks.to_owned()
            },
            percent(finding.all),
            percent(finding.story_and_second),
        ]
    };
    Part::Table(Table {
        caption: format!(
            "Triplets: the share of {} with different answers in which a shortcut gets all three stories right, and the \
             story and its second twin (learned ones: of {}). {} with equal answers {} left out. A shortcut that looks at \
             the target's moves alone cannot get all three right; one that looks at the minds' moves alone cannot get the \
             story and its second twin right.",
            counted(triplets.triplets, "triplet"),
            counted(triplets.tried, "triplet"),
            counted(triplets.alike, "triplet"),
            if triplets.alike == 1 { "is" } else { "are" }
        ),
        titles: titles(&["shortcut", "which", "looks at", "all right", "story and second"]),
        text_columns: 3,
        rows: triplets.shortcuts.iter().map(row).collect(),
    })
}

/// How answers, and the positions of the right choices, are distributed.
fn labels(labels: &Labels) -> Vec<Part> {
    let all: u64 = labels.positions.iter().sum();
    let share = |count: u64| count as f64 / all.max(1) as f64;
    let answers: Vec<(String, f64)> =
        labels.answers.iter().map(|(answer, count)| (answer.clone(), share(*count))).collect();
    // What the entropy would be, tells how many answers there could be.
    let evenly = labels.answer_bits_most.exp2().recip();
    let caption = format!(
        "How often each answer is right. Entropy: {:.2} bits, of at most {:.2}. The dashed line shows an even spread over \
         everything that is ever offered.",
        labels.answer_bits, labels.answer_bits_most
    ) + &never_right(labels);
    let columns = Columns {
        x: "number of the right choice, from 0".to_owned(),
        y: "rows".to_owned(),
        columns: labels
            .positions
            .iter()
            .enumerate()
            .map(|(at, &count)| (at.to_string(), share(count)))
            .collect(),
        level: Some(labels.position_bits_most.exp2().recip()),
    };
    let positions = format!(
        "How often the choice with each number is right. Entropy: {:.2} bits, of at most {:.2}. The dashed line \
         shows an even spread.",
        labels.position_bits, labels.position_bits_most
    );
    vec![shares(&answers, "right answers", evenly, caption), Part::Figure(Plot::Columns(columns), positions)]
}

/// Choices that are offered, but never right.
fn never_right(labels: &Labels) -> String {
    if labels.never_right.is_empty() {
        return String::new();
    }
    let told = labels
        .never_right
        .iter()
        .take(DRAWN_MAX)
        .map(|(choice, expected)| format!("{choice} ({expected:.0})"));
    format!(" Never right, and how often guessing has it: {}.", told.collect::<Vec<_>>().join(", "))
}

fn evidence(tenths: [f64; 10]) -> Part {
    let name = |at: usize| format!("{}–{}%", at * 10, at * 10 + 10);
    let columns = Columns {
        x: "position in the story".to_owned(),
        y: "evidence".to_owned(),
        columns: tenths.iter().enumerate().map(|(at, &share)| (name(at), share)).collect(),
        level: None,
    };
    let caption = "Where the evidence lies, in tenths of the story.";
    Part::Figure(Plot::Columns(columns), caption.to_owned())
}

/// Where people go, and which ways they take.
fn ways(graph: &Graph) -> Vec<Part> {
    let Graph { stories, moves, place_count, way_count, way_bits, way_bits_most, .. } = graph;
    let of_places = format!(
        "Where people go: {} in {}, to {}. The dashed line shows an even spread.",
        counted(moves, "move"),
        counted(stories, "story"),
        counted(place_count, "place")
    );
    let rarest = graph.ways.last().filter(|_| *way_count == graph.ways.len());
    let rarest = rarest
        .map(|(from, to, share)| format!(" The rarest is from {from} to {to}, {:.2}%.", share * 100.0))
        .unwrap_or_default();
    let of_ways = format!(
        "Which ways people use: {}, {way_bits:.2} bits, of at most {way_bits_most:.2}.{rarest} The dashed line shows an \
         even spread.",
        counted(way_count, "way")
    );
    let names: Vec<(String, f64)> =
        graph.ways.iter().map(|(from, to, share)| (format!("{from} → {to}"), *share)).collect();
    let evenly = |count: usize| 1.0 / count.max(1) as f64;
    vec![
        shares(&graph.places, "share of moves", evenly(*place_count), of_places),
        shares(&names, "share of moves", evenly(*way_count), of_ways),
    ]
}

/// The largest of these shares as bars, the most frequent first.
fn shares(all: &[(String, f64)], x: &str, evenly: f64, mut caption: String) -> Part {
    if all.len() > DRAWN_MAX {
        caption += &format!(" The {DRAWN_MAX} most frequent are shown.");
    }
    let highest = all.iter().map(|(_, share)| *share).fold(evenly, f64::max);
    let rank = |(name, share): &(String, f64)| Rank { name: name.clone(), share: *share, ..Rank::default() };
    let ranks = Ranks {
        x: x.to_owned(),
        end: (highest * 1.05).min(1.0),
        series: Vec::new(),
        ranks: all.iter().take(DRAWN_MAX).map(rank).collect(),
        level: Some(evenly),
    };
    Part::Figure(Plot::Ranks(ranks), caption)
}

/// A description of what every shortcut of the report answers.
fn battery(report: &Report) -> Part {
    let findings = report.groups.iter().flat_map(|group| &group.shortcuts);
    let about: BTreeMap<&str, &str> =
        findings.map(|finding| (finding.key.as_str(), finding.about.as_str())).collect();
    Part::Table(Table {
        caption: "What each shortcut answers.".to_owned(),
        titles: titles(&["shortcut", "answers"]),
        text_columns: 2,
        rows: about.into_iter().map(|(key, about)| vec![key.to_owned(), about.to_owned()]).collect(),
    })
}
