//! What is said for a lie and for sincere words is of one length, so that counting letters tells nothing.

use std::cmp::Reverse;

use super::length::{Filled, Length, NAMES};
use super::{Matter, Reason};
use crate::diagnostic::{Diagnostic, Span, counted};
use crate::pack::read::{Entries, PackReader};
use crate::pack::text::Text;

/// By how many characters two texts may differ, and all texts of a list in sum.
const DIFFERENCE_MAX: i64 = 3;

const TOO_DIFFERENT: &str = "at most 3 are allowed: else the length tells lies from sincere words";

/// Refuses pairs that differ in length: each for itself, and all in sum.
pub fn check_pairs(
    reader: &mut PackReader<'_>,
    pairs: &Entries<[Text; 2]>,
    (key, sides): (&str, [&str; 2]),
    matters: &[Matter],
) {
    let filled = Filled::of_each(matters);
    let mut sum = Length::default();
    for pair in &pairs.list {
        let difference = check_pair(reader, pair, &filled);
        sum = sum.plus(1, &difference);
    }
    if pairs.is_whole {
        let worst = worst(sum, &filled);
        check_sum(reader, (pairs.span, key), sides, (sum.with(worst), &of_matter(sum, worst)));
    }
}

/// Refuses a pair that differs in length, or in the number of names, as these are longer and shorter. Returns by how much
/// the first text is longer.
fn check_pair(reader: &mut PackReader<'_>, [lie, sincere]: &[Text; 2], filled: &[Filled<'_>]) -> Length {
    let lengths = [lie, sincere].map(Length::of);
    let difference = lengths[0].plus(-1, &lengths[1]);
    let mut refuse = |message: String, remarks: [String; 2], help: &str| {
        let [remark, other] = remarks;
        let problem = Diagnostic::error(message, lie.span, remark).label(sincere.span, other);
        reader.problem(problem.help(help));
    };
    let with = worst(difference, filled);
    let many = difference.with(with).characters().abs();
    if many > DIFFERENCE_MAX {
        let message = format!(
            "these two texts differ by {}{}",
            counted(many, "character"),
            of_matter(difference, with)
        );
        let remarks = lengths.map(|length| counted(length.with(with).characters(), "character"));
        refuse(message, remarks, TOO_DIFFERENT);
    }
    for (at, name) in NAMES.iter().enumerate() {
        let differing = filled.iter().find(|filled| difference.with(filled).names(at) != 0);
        let Some(with) = differing else { continue };
        let message =
            format!("these two texts do not name `{name}` equally often{}", of_matter(difference, with));
        let remarks = lengths.map(|length| counted(length.with(with).names(at), "time"));
        refuse(message, remarks, "some names are long: else the length tells lies from sincere words");
    }
    difference
}

/// With the words of which matter a difference is largest, whatever its sign.
fn worst<'f, 'm>(difference: Length, filled: &'f [Filled<'m>]) -> &'f Filled<'m> {
    let largest = filled.iter().min_by_key(|filled| Reverse(difference.with(filled).characters().abs()));
    largest.expect("there is at least one")
}

/// " with the words of `soup`", if the difference rests on them.
fn of_matter(difference: Length, filled: &Filled<'_>) -> String {
    match filled.matter {
        Some(matter) if difference.rests_on_matters() => {
            format!(" with the words of `{}`", matter.name.value)
        }
        _ => String::new(),
    }
}

/// Refuses texts for lies that are, all together, longer or shorter than those for sincere words.
fn check_sum(
    reader: &mut PackReader<'_>,
    (span, key): (Span, &str),
    [lie, sincere]: [&str; 2],
    (sum, of_what): (Length, &str),
) {
    let sum = sum.characters();
    if sum.abs() <= DIFFERENCE_MAX {
        return;
    }
    let (longer, shorter) = if sum > 0 { (lie, sincere) } else { (sincere, lie) };
    let message = format!(
        "all together, the `{key}` texts for `{longer}` are {} longer than those for `{shorter}`{of_what}",
        counted(sum.abs(), "character")
    );
    let help = "at most 3 are allowed, so that neither are longer on average: let some differ the other way";
    reader.problem(Diagnostic::error(message, span, "in sum").help(help));
}

/// Refuses reasons of which, in order of length, those of the two kinds differ in length.
pub fn check_reasons(reader: &mut PackReader<'_>, pretend: &Entries<Reason>, plain: &Entries<Reason>) {
    if pretend.list.len() != plain.list.len() {
        let many = |reasons: &Entries<Reason>| format!("{} here", reasons.list.len());
        let message = "`pretend` and `plain` need equally many reasons";
        let problem = Diagnostic::error(message, pretend.span, many(pretend)).label(plain.span, many(plain));
        reader.problem(problem.help("else reasons of one kind come up again sooner than those of the other"));
        return;
    }
    let told: fn(&Reason) -> &Text = |reason| &reason.told;
    let why: fn(&Reason) -> &Text = |reason| &reason.why;
    for (key, text) in [("told", told), ("why", why)] {
        let in_order = |reasons: &[Reason]| {
            let length = |reason| Length::of(text(reason)).characters();
            let mut placed: Vec<(i64, Span)> =
                reasons.iter().map(|reason| (length(reason), text(reason).span)).collect();
            placed.sort_by_key(|(length, _)| *length);
            placed
        };
        let (lies, sincere) = (in_order(&pretend.list), in_order(&plain.list));
        check_order(reader, key, &lies, &sincere);
        let characters = |texts: &[(i64, Span)]| texts.iter().map(|(length, _)| length).sum::<i64>();
        let sum = characters(&lies) - characters(&sincere);
        check_sum(reader, (pretend.span, key), ["pretend", "plain"], (Length::of_characters(sum), ""));
    }
}

/// Refuses texts that, in order of length, differ from their counterparts; it shows those that differ most.
fn check_order(reader: &mut PackReader<'_>, key: &str, lies: &[(i64, Span)], sincere: &[(i64, Span)]) {
    let pairs = lies.iter().zip(sincere).enumerate();
    let difference = |(one, other): (&(i64, Span), &(i64, Span))| (one.0 - other.0).abs();
    let differing: Vec<_> = pairs.filter(|(_, pair)| difference(*pair) > DIFFERENCE_MAX).collect();
    let Some(&(at, pair)) = differing.iter().min_by_key(|(_, pair)| Reverse(difference(*pair))) else {
        return;
    };
    let place = at + 1;
    let further = match differing.len() - 1 {
        0 => String::new(),
        further => format!(" (and too much in {})", counted(further, "other place")),
    };
    let many = counted(difference(pair), "character");
    let message = format!(
        "put in order of length, the `{key}` of the two kinds differ by {many} in place {place}{further}"
    );
    let remark = |(length, _): &(i64, Span), kind: &str| {
        format!("place {place} of `{kind}`: {}", counted(length, "character"))
    };
    let problem = Diagnostic::error(message, pair.0.1, remark(pair.0, "pretend"));
    reader.problem(problem.label(pair.1.1, remark(pair.1, "plain")).help(TOO_DIFFERENT));
}
