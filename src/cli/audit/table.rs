//! An audit as text: the most successful shortcuts of every group of questions, and how its answers are spread.

use comfy_table::{CellAlignment, ColumnConstraint};

use super::super::report::{header, table};
use crate::audit::{
    COMPARED_MAX, Fifth, Finding, Graph, Group, GroupReport, JointFinding, JointReport, Learning,
    PairFinding, Report, Seen, TREE, TripletFinding, TripletReport, TwinReport,
};
use crate::diagnostic::counted;
use crate::render::Look;

/// The largest number of characters of what is said about a finding besides its name.
const WHICH_MAX: usize = 15;

/// The largest number of characters of a group in the table of the joint solver.
const JOINT_NAME_MAX: usize = 26;

/// The whole report as text, with `shown` shortcuts for each group. `unanswered` questions were left out.
pub fn report(report: &Report, unanswered: u64, shown: usize, look: Look) -> String {
    let mut text = String::new();
    for group in &report.groups {
        text.push_str(&of_group(group, shown, look));
        text.push('\n');
    }
    if let Some(joint) = &report.joint {
        text.push_str(&of_joint(joint, shown, look));
        text.push('\n');
    }
    let rows = report.rows;
    let limit =
        if rows > COMPARED_MAX { format!(" (among the first {COMPARED_MAX})") } else { String::new() };
    text.push_str(&format!(
        "{}; {} {} an earlier story and question, {} if names are ignored{limit}.\n",
        counted(rows, "row"),
        report.repeated.exact,
        if report.repeated.exact == 1 { "repeats" } else { "repeat" },
        report.repeated.shape
    ));
    if let Some(alone) = report.alone.filter(|alone| *alone > 0) {
        let name = if alone == 1 { "names" } else { "name" };
        text.push_str(&format!("{} {name} a twin that is missing or too far away.\n", counted(alone, "row")));
    }
    if report.left_out > 0 {
        text.push_str(&format!(
            "{} {} left out because there are too many groups of questions.\n",
            counted(report.left_out, "row"),
            was(report.left_out)
        ));
    }
    if unanswered > 0 {
        text.push_str(&format!(
            "{} {} left out: no answer among the choices, or too many choices.\n",
            counted(unanswered, "question"),
            was(unanswered)
        ));
    }
    text + "\nright: accuracy, guessing where there is no answer. 95%: Wilson interval.\nover: percentage points above chance. says: how often there is an answer.\n*: learned or chosen on some stories and tested on others.\n"
}

fn of_group(group: &GroupReport, shown: usize, look: Look) -> String {
    let percent = |share: f64| format!("{:.1}%", share * 100.0);
    let world = if group.asks_for_minds { "" } else { "; about the world, not about minds" };
    let mut text =
        format!("{}\n{}, chance {}{world}\n", group.group, counted(group.rows, "row"), percent(group.chance));
    let mut table = table(look);
    table.set_header(header(&["shortcut", "which", "right", "95%", "over", "says"], look));
    // The tree is of interest wherever it stands.
    let is_shown = |(at, finding): &(usize, &Finding)| *at < shown || finding.key == TREE;
    let (mut left_out, mut follow_two) = (0, false);
    for entry in group.shortcuts.iter().enumerate() {
        if !is_shown(&entry) {
            left_out += 1;
            continue;
        }
        let finding = entry.1;
        let star = if finding.is_learned { "*" } else { "" };
        let two = if finding.follows_two { "²" } else { "" };
        follow_two |= finding.follows_two;
        table.add_row(vec![
            format!("{}{star}{two}", finding.key),
            short(finding.which.as_deref().unwrap_or_default()),
            percent(finding.accuracy),
            format!("{:.1}–{:.1}", finding.low * 100.0, finding.high * 100.0),
            format!("{:+.1}", finding.over * 100.0),
            percent(finding.answered as f64 / (finding.rows as f64).max(1.0)),
        ]);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        column.set_cell_alignment(if at < 2 { CellAlignment::Left } else { CellAlignment::Right });
    }
    text.push_str(&format!("{table}\n"));
    if left_out > 0 {
        text.push_str(&format!("… and {left_out} more (--show)\n"));
    }
    if follow_two {
        text.push_str("²: follows two people at once, half of following a mind");
        text.push_str(if group.group.asks_of_news() { "; no limit applies\n" } else { "\n" });
    }
    text.push_str(&learned(&group.learning, look));
    text.push_str(&spread(group));
    text.push_str(&group.twins.as_ref().map_or_else(String::new, |twins| of_twins(twins, shown, look)));
    text + &group.triplets.as_ref().map_or_else(String::new, |triplets| of_triplets(triplets, shown, look))
}

/// What boosted trees learn, sight by sight.
fn learned(learning: &Learning, look: Look) -> String {
    if let Some(reason) = learning.too_few() {
        return format!("Boosted trees: {reason}.\n");
    }
    let Learning { learned_from, tried_on, .. } = learning;
    let mut text = format!("Boosted trees, from {learned_from} rows, tested on {tried_on}:\n");
    let mut table = table(look);
    table.set_header(header(&["sight", "what is seen", "right", "over", "95%"], look));
    for Seen { finding, follows_minds, .. } in &learning.sights {
        let about = &finding.about;
        let points = |share: f64| (share - finding.chance) * 100.0;
        table.add_row(vec![
            finding.key.clone(),
            if *follows_minds { format!("{about}: following minds") } else { about.clone() },
            format!("{:.1}%", finding.accuracy * 100.0),
            format!("{:+.1}", finding.over * 100.0),
            format!("{:+.1} to {:+.1}", points(finding.low), points(finding.high)),
        ]);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        column.set_cell_alignment(if at < 2 { CellAlignment::Left } else { CellAlignment::Right });
    }
    text.push_str(&format!("{table}\n"));
    text + &by_difficulty(learning, look)
}

/// How well boosted trees do by how difficult questions are, if rows say it.
fn by_difficulty(learning: &Learning, look: Look) -> String {
    let sights = || learning.sights.iter().filter(|seen| !seen.by_difficulty.is_empty());
    let Some(first) = sights().next() else { return String::new() };
    let titles = first.by_difficulty.iter().map(|fifth| fifth.quantiles);
    let titles: Vec<&str> = ["sight"].into_iter().chain(titles).collect();
    let mut table = table(look);
    table.set_header(header(&titles, look));
    for seen in sights() {
        let share = |fifth: &Fifth| match fifth.rows {
            0 => "-".to_owned(),
            _ => format!("{:.1}%", fifth.accuracy * 100.0),
        };
        let shares = seen.by_difficulty.iter().map(share);
        table.add_row([seen.finding.key.clone()].into_iter().chain(shares));
    }
    let mut rows = vec!["rows".to_owned()];
    rows.extend(first.by_difficulty.iter().map(|fifth| fifth.rows.to_string()));
    table.add_row(rows);
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        column.set_cell_alignment(if at == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    format!("The same by difficulty, in quantiles of the storyboard's stories:\n{table}\n")
}

/// What the questions of one story give away about each other.
fn of_joint(joint: &JointReport, shown: usize, look: Look) -> String {
    let JointReport { learned_from, tried_on, rules, all, groups, .. } = joint;
    let mut text = format!(
        "Joint solver: the choices of all questions of a story, by logic alone\n{} learned from {}, tried on {}; \
         {:.1} questions each\n",
        counted(rules, "rule"),
        counted(learned_from, "story"),
        tried_on,
        joint.questions
    );
    let mut table = table(look);
    table.set_header(header(&["questions", "left", "decided", "of these", "right", "over", "95%"], look));
    let percent = |share: f64| format!("{:.1}%", share * 100.0);
    let row = |name: String, finding: &JointFinding| {
        let points = |share: f64| (share - finding.chance) * 100.0;
        vec![
            name,
            format!("{:.2}", finding.left),
            percent(finding.decided),
            finding.decided_right.map_or_else(String::new, percent),
            percent(finding.accuracy),
            format!("{:+.1}", finding.over * 100.0),
            format!("{:+.1} to {:+.1}", points(finding.low), points(finding.high)),
        ]
    };
    table.add_row(row("all".to_owned(), all));
    let mut worst: Vec<_> = groups.iter().collect();
    worst.sort_by(|one, other| other.finding.over.total_cmp(&one.finding.over)); // stable
    // The board is said only where there are several.
    let is_one_board = groups.iter().all(|group| group.group.board == groups[0].group.board);
    for group in worst.iter().take(shown) {
        let board = if is_one_board { String::new() } else { group.group.board.clone() };
        let name = Group { board, ..group.group.clone() }.to_string();
        table.add_row(row(cut(&name, JOINT_NAME_MAX), &group.finding));
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        column.set_cell_alignment(if at == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    text.push_str(&format!("{table}\n"));
    if groups.len() > shown {
        text.push_str(&format!("… and {} more (--show)\n", groups.len() - shown));
    }
    text + &joint_notes(joint)
}

/// What has to be said about the solver besides its table.
fn joint_notes(joint: &JointReport) -> String {
    let mut text = String::new();
    if joint.rules == 0 {
        text.push_str("No rule holds in enough stories, so nothing is decided.\n");
    }
    if joint.contradicted > 0 {
        let contradict = if joint.contradicted == 1 { "contradicts" } else { "contradict" };
        text.push_str(&format!("{} {contradict} the rules.\n", counted(joint.contradicted, "story")));
    }
    if joint.left_out > 0 {
        text.push_str(&format!(
            "{} {} not looked at: too many stories, or too many questions of one.\n",
            counted(joint.left_out, "row"),
            was(joint.left_out)
        ));
    }
    text + "left: choices left, on average; of these: right, of what is decided.\n"
}

/// The share of pairs in which shortcuts get both right.
fn of_twins(twins: &TwinReport, shown: usize, look: Look) -> String {
    let mut text = format!(
        "Twins: {} with different answers, {} with equal answers.",
        counted(twins.pairs, "pair"),
        twins.alike
    );
    if twins.pairs == 0 {
        return text + "\n";
    }
    text += " How often both are right:\n";
    let mut table = table(look);
    table.set_header(header(&["shortcut", "which", "both", "looks at"], look));
    // What should never be right in both is of interest wherever it stands.
    let is_shown = |(at, finding): &(usize, &PairFinding)| *at < shown || finding.of_target_alone;
    for (_, finding) in twins.shortcuts.iter().enumerate().filter(is_shown) {
        let star = if finding.is_learned { "*" } else { "" };
        table.add_row(vec![
            format!("{}{star}", finding.key),
            short(finding.which.as_deref().unwrap_or_default()),
            format!("{:.1}%", finding.both * 100.0),
            if finding.of_target_alone { "target alone" } else { "" }.to_owned(),
        ]);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        column.set_cell_alignment(if at == 2 { CellAlignment::Right } else { CellAlignment::Left });
    }
    text.push_str(&format!("{table}\n"));
    let hidden = twins.shortcuts.iter().enumerate().filter(|entry| !is_shown(entry)).count();
    if hidden > 0 {
        text.push_str(&format!("… and {hidden} more (--show)\n"));
    }
    if let Some(finding) = twins.shortcuts.iter().find(|finding| finding.is_impossible()) {
        text.push_str(&format!(
            "{} looks at the target alone, yet is right in both stories of a pair, so these are not twins\n",
            finding.key
        ));
    }
    text
}

/// The share of triplets in which shortcuts get all three right.
fn of_triplets(triplets: &TripletReport, shown: usize, look: Look) -> String {
    let mut text = format!(
        "Triplets: {} with different answers, {} with equal answers.",
        counted(triplets.triplets, "triplet"),
        triplets.alike
    );
    if triplets.triplets == 0 {
        return text + "\n";
    }
    text += " How often all three are right, and the story and its second twin:\n";
    let mut table = table(look);
    table.set_header(header(&["shortcut", "which", "all", "story and second", "looks at"], look));
    // What should never be right is of interest wherever it stands.
    let is_shown = |(at, finding): &(usize, &TripletFinding)| *at < shown || !finding.looks_at().is_empty();
    for (_, finding) in triplets.shortcuts.iter().enumerate().filter(is_shown) {
        let star = if finding.is_learned { "*" } else { "" };
        table.add_row(vec![
            format!("{}{star}", finding.key),
            short(finding.which.as_deref().unwrap_or_default()),
            format!("{:.1}%", finding.all * 100.0),
            format!("{:.1}%", finding.story_and_second * 100.0),
            finding.looks_at().to_owned(),
        ]);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        let is_number = at == 2 || at == 3;
        column.set_cell_alignment(if is_number { CellAlignment::Right } else { CellAlignment::Left });
    }
    text.push_str(&format!("{table}\n"));
    let hidden = triplets.shortcuts.iter().enumerate().filter(|entry| !is_shown(entry)).count();
    if hidden > 0 {
        text.push_str(&format!("… and {hidden} more (--show)\n"));
    }
    if let Some(finding) = triplets.impossible() {
        let where_right =
            if finding.of_minds_alone { "the story and its second twin" } else { "all three stories" };
        text.push_str(&format!(
            "{} looks at the {}, yet is right in {where_right}, so these are not triplets\n",
            finding.key,
            finding.looks_at()
        ));
    }
    text
}

/// What is reported about a group besides its shortcuts.
fn spread(group: &GroupReport) -> String {
    let labels = &group.labels;
    let mut text = format!(
        "entropy in bits: answers {:.2} of {:.2}, number of the right choice {:.2} of {:.2}\n",
        labels.answer_bits, labels.answer_bits_most, labels.position_bits, labels.position_bits_most
    );
    if let [(first, expected), others @ ..] = &labels.never_right[..] {
        let more = if others.is_empty() { String::new() } else { format!(", nor are {} more", others.len()) };
        text.push_str(&format!("never right: {first}, where guessing has it {expected:.0} times{more}\n"));
    }
    if let Some(tenths) = &group.evidence {
        let shares: Vec<String> = tenths.iter().map(|share| format!("{:.0}", share * 100.0)).collect();
        text.push_str(&format!("evidence in each tenth of the story, in %: {}\n", shares.join(" ")));
    }
    if let Some(Graph { stories, place_count, way_count, way_bits, way_bits_most, ways, .. }) = &group.graph {
        let rarest = ways.last().filter(|_| *way_count == ways.len());
        let rarest =
            rarest.map(|(from, to, share)| format!("rarest way: {from} to {to}, {:.2}%\n", share * 100.0));
        text.push_str(&format!(
            "{} to {} in {}, entropy {way_bits:.2} of {way_bits_most:.2} bits\n{}",
            counted(way_count, "way"),
            counted(place_count, "place"),
            counted(stories, "story"),
            rarest.unwrap_or_default()
        ));
    }
    if group.unread > 0 {
        text.push_str(&format!(
            "walks could not be read in {}; the foils were used instead\n",
            counted(group.unread, "row")
        ));
    }
    text
}

fn was(count: u64) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

fn short(text: &str) -> String {
    cut(text, WHICH_MAX)
}

/// A text of at most so many characters.
fn cut(text: &str, length_max: usize) -> String {
    if text.chars().count() <= length_max {
        return text.to_owned();
    }
    text.chars().take(length_max - 1).chain(['…']).collect()
}
