//! What is said for a lie and for sincere words is of one length, so that counting letters tells nothing.

use std::cmp::Reverse;

use super::{Matter, Reason};
use crate::diagnostic::{Diagnostic, Span, counted};
use crate::pack::read::{Entries, PackReader};
use crate::pack::text::{Slot, Text};

/// By how many characters two texts may differ, and all texts of a list in sum.
const DIFFERENCE_MAX: i64 = 3;

/// The length of a text, or the difference of two: characters, and how often each slot of [`Slot::OF_MATTERS`] stands there.
#[derive(Clone, Copy, Default)]
struct Length {
    characters: i64,
    slots: [i64; Slot::OF_MATTERS.len()],
}

impl Length {
    fn of(text: &Text) -> Self {
        let is_filled = |slot: &Slot| Slot::OF_MATTERS.contains(slot);
        let characters = text.characters(|slot| if is_filled(&slot) { 0 } else { slot.written_characters() });
        let slots = Slot::OF_MATTERS.map(|slot| text.slots().filter(|found| *found == slot).count() as i64);
        Self { characters: characters as i64, slots }
    }

    fn minus(self, other: Self) -> Self {
        let slots = std::array::from_fn(|at| self.slots[at] - other.slots[at]);
        Self { characters: self.characters - other.characters, slots }
    }

    fn plus(self, other: Self) -> Self {
        self.minus(Self::default().minus(other))
    }

    /// The number of characters with the words of a matter in its slots.
    fn with(&self, filled: &Filled<'_>) -> i64 {
        self.characters
            + self.slots.iter().zip(filled.characters).map(|(many, each)| many * each).sum::<i64>()
    }
}

/// How many characters stand for each slot of [`Slot::OF_MATTERS`].
struct Filled<'a> {
    /// The matter from which they come; there is none if the slots stay as they are written.
    matter: Option<&'a Matter>,
    characters: [i64; Slot::OF_MATTERS.len()],
}

impl<'a> Filled<'a> {
    /// The words of each matter; if there are none, the slots themselves.
    fn of_each(matters: &'a [Matter]) -> Vec<Self> {
        let as_written = || Self {
            matter: None,
            characters: Slot::OF_MATTERS.map(|slot| slot.written_characters() as i64),
        };
        let mut each: Vec<Self> =
            matters.iter().map(|matter| Self { matter: Some(matter), ..as_written() }).collect();
        for filled in &mut each {
            let Some(Matter { thing, says, denies, own, own_not, .. }) = filled.matter else { continue };
            for (at, text) in
                [Some(thing), Some(says), Some(denies), own.as_ref(), own_not.as_ref()].iter().enumerate()
            {
                if let Some(text) = text {
                    filled.characters[at] = text.characters(Slot::written_characters) as i64;
                }
            }
        }
        if each.is_empty() {
            each.push(as_written());
        }
        each
    }
}

/// With the words of which matter a difference is largest, whatever its sign.
fn worst<'f, 'm>(difference: &Length, filled: &'f [Filled<'m>]) -> &'f Filled<'m> {
    let largest = filled.iter().min_by_key(|filled| Reverse(difference.with(filled).abs()));
    largest.expect("there is at least one")
}

/// " with the words of `soup`", if the difference rests on them.
fn of_matter(difference: &Length, filled: &Filled<'_>) -> String {
    match filled.matter {
        Some(matter) if difference.slots.iter().any(|many| *many != 0) => {
            format!(" with the words of `{}`", matter.name.value)
        }
        _ => String::new(),
    }
}

/// Refuses pairs that differ in length: each for itself, and all in sum.
pub fn check_pairs(
    reader: &mut PackReader<'_>,
    pairs: &Entries<[Text; 2]>,
    (key, sides): (&str, [&str; 2]),
    matters: &[Matter],
) {
    let filled = Filled::of_each(matters);
    let mut sum = Length::default();
    for [lie, sincere] in &pairs.list {
        let lengths = [lie, sincere].map(Length::of);
        let difference = lengths[0].minus(lengths[1]);
        sum = sum.plus(difference);
        let worst = worst(&difference, &filled);
        let many = difference.with(worst).abs();
        if many > DIFFERENCE_MAX {
            let of_matter = of_matter(&difference, worst);
            let message = format!("these two texts differ by {}{of_matter}", counted(many, "character"));
            let [lie_length, length] = lengths.map(|length| counted(length.with(worst), "character"));
            let problem = Diagnostic::error(message, lie.span, lie_length).label(sincere.span, length);
            reader.problem(problem.help(TOO_DIFFERENT));
        }
    }
    if pairs.is_whole {
        let worst = worst(&sum, &filled);
        check_sum(reader, (pairs.span, key), sides, (sum.with(worst), &of_matter(&sum, worst)));
    }
}

const TOO_DIFFERENT: &str = "at most 3 are allowed: else the length tells lies from sincere words";

/// Refuses texts for lies that are, all together, longer or shorter than those for sincere words.
fn check_sum(
    reader: &mut PackReader<'_>,
    (span, key): (Span, &str),
    [lie, sincere]: [&str; 2],
    (sum, of_matter): (i64, &str),
) {
    if sum.abs() <= DIFFERENCE_MAX {
        return;
    }
    let (longer, shorter) = if sum > 0 { (lie, sincere) } else { (sincere, lie) };
    let message = format!(
        "the texts `{longer}` of `{key}` are, all together, {} longer than `{shorter}`{of_matter}",
        counted(sum.abs(), "character")
    );
    let help = "at most 3 are allowed: let some pairs differ the other way";
    reader.problem(Diagnostic::error(message, span, "in sum").help(help));
}

/// Refuses reasons of which, in order of length, those of the two kinds differ in length.
pub fn check_reasons(reader: &mut PackReader<'_>, pretend: &Entries<Reason>, plain: &Entries<Reason>) {
    if pretend.list.len() != plain.list.len() {
        let many = |reasons: &Entries<Reason>| format!("{} here", reasons.list.len());
        let message = "`pretend` and `plain` need as many reasons";
        let problem = Diagnostic::error(message, pretend.span, many(pretend)).label(plain.span, many(plain));
        reader.problem(problem.help("else one kind comes again more often than the other"));
        return;
    }
    for (key, text) in [("told", told as fn(&Reason) -> &Text), ("why", why)] {
        let mut kinds = [&pretend.list, &plain.list].map(|reasons| {
            let mut texts: Vec<(i64, &Text)> =
                reasons.iter().map(text).map(|text| (written(text), text)).collect();
            texts.sort_by_key(|(length, _)| *length);
            texts
        });
        let [lies, sincere] = &mut kinds;
        let pairs = || lies.iter().zip(sincere.iter());
        let differing: Vec<_> =
            pairs().filter(|(one, other)| (one.0 - other.0).abs() > DIFFERENCE_MAX).collect();
        let first_of_worst = differing.iter().min_by_key(|(one, other)| Reverse((one.0 - other.0).abs()));
        if let Some((one, other)) = first_of_worst {
            let further = match differing.len() - 1 {
                0 => String::new(),
                further => format!(", and so do {further} further places"),
            };
            let place = pairs().position(|(lie, _)| lie.1.span == one.1.span).unwrap_or(0) + 1;
            let message = format!(
                "in order of length, the `{key}` of the two kinds differ by {} in place {place}{further}",
                counted((one.0 - other.0).abs(), "character")
            );
            let remark = |kind: &str, length: i64| {
                format!("{} in place {place} of `{kind}`", counted(length, "character"))
            };
            let problem = Diagnostic::error(message, one.1.span, remark("pretend", one.0))
                .label(other.1.span, remark("plain", other.0));
            reader.problem(problem.help(TOO_DIFFERENT));
        }
        let sum = pairs().map(|(one, other)| one.0 - other.0).sum();
        check_sum(reader, (pretend.span, "reasons"), ["pretend", "plain"], (sum, &format!(" (`{key}`)")));
    }
}

/// How many characters a text has as it is written.
fn written(text: &Text) -> i64 {
    text.characters(Slot::written_characters) as i64
}

const fn told(reason: &Reason) -> &Text {
    &reason.told
}

const fn why(reason: &Reason) -> &Text {
    &reason.why
}
