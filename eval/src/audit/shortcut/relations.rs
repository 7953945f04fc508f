//! Shortcuts that look at how the choices of one question are related: which choice continues which, and which differ by
//! two parts that change places.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::{Shortcut, only_greatest};
use crate::audit::mentions::tokens;

pub(super) const SHORTCUTS: [Shortcut; 3] = [
    Shortcut {
        key: "chain_from_number",
        about: "choices that continue each other, as from A to B and from B to C, in order: the one with the smallest number in the question, from 1",
        find: |view| view.relations.in_chain(numbers(&view.case.question).min()?),
    },
    Shortcut {
        key: "chain_to_number",
        about: "the same, with the greatest number in the question less 1",
        find: |view| view.relations.in_chain(numbers(&view.case.question).max()?.checked_sub(1)?),
    },
    Shortcut {
        key: "one_swap_from_most",
        about: "the choice from which most others differ by two parts that change places",
        find: |view| {
            let swaps = view.relations.swaps();
            only_greatest(swaps.iter()).filter(|&choice| swaps[choice] > 1)
        },
    },
];

/// The largest number of choices that are compared with each other, and of tokens of each.
const CHOICES_MAX: usize = 16;
const TOKENS_MAX: usize = 200;

/// How many tokens of a frame stand before the first part of a choice, between its parts, and after the last, at most.
const BEFORE_MAX: usize = 12;
const BETWEEN_MAX: usize = 4;
const AFTER_MAX: usize = 3;

/// How many orders of choices are tried, counted in choices that are put at an end.
const TRIED_MAX: usize = 2_000;

/// The largest number that is looked at in a question.
const NUMBER_MAX: usize = 99;

/// A word, or another sign, of one of the choices. Two are equal if they are spelt alike but for capital letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token {
    number: u32,
    is_word: bool,
}

/// How the choices of one question are related.
#[derive(Debug)]
pub(super) struct Relations {
    /// The choices as tokens; none where there are too many to compare.
    texts: Vec<Vec<Token>>,
    /// For each choice, those that continue it: found when they are first asked for.
    next: OnceCell<Vec<Vec<usize>>>,
}

impl Relations {
    pub(super) fn of(choices: &[String]) -> Self {
        let mut known: BTreeMap<String, u32> = BTreeMap::new();
        let mut read = |token: &str| {
            let spelt = token.to_lowercase();
            let is_word = spelt.starts_with(char::is_alphanumeric);
            let next = known.len() as u32; // at most CHOICES_MAX times TOKENS_MAX
            Token { number: *known.entry(spelt).or_insert(next), is_word }
        };
        let compared = if choices.len() > CHOICES_MAX { &[] } else { choices };
        let text = |choice: &String| tokens(choice).take(TOKENS_MAX).map(&mut read).collect();
        Self { texts: compared.iter().map(text).collect(), next: OnceCell::new() }
    }

    fn next(&self) -> &[Vec<usize>] {
        let Self { texts, next } = self;
        let continuing = |one: usize| {
            let others = (0..texts.len()).filter(move |&other| other != one);
            others.filter(|&other| continues(&texts[other], &texts[one])).collect()
        };
        next.get_or_init(|| (0..texts.len()).map(continuing).collect())
    }

    /// The choice with this number, from 1, among those that continue each other; `None` if their order is not clear.
    fn in_chain(&self, number: usize) -> Option<usize> {
        let next = self.next();
        let is_linked = |at: usize| !next[at].is_empty() || next.iter().any(|next| next.contains(&at));
        let linked: Vec<usize> = (0..next.len()).filter(|&at| is_linked(at)).collect();
        let at = number.checked_sub(1).filter(|&at| at < linked.len())?;
        let mut orders = Orders { next, count: linked.len(), at, found: 0, tried: 0 };
        linked.iter().for_each(|&first| orders.extend(&mut vec![first]));
        let is_clear = orders.tried < TRIED_MAX && orders.found.count_ones() == 1;
        is_clear.then(|| orders.found.trailing_zeros() as usize)
    }

    /// For every choice, how many others differ from it by two parts that change places.
    fn swaps(&self) -> Vec<usize> {
        let count = |one: &Vec<Token>| self.texts.iter().filter(|other| is_swap(one, other)).count();
        self.texts.iter().map(count).collect()
    }
}

/// The numbers in a question: digits, or words up to ten.
fn numbers(question: &str) -> impl Iterator<Item = usize> {
    const CARDINALS: [&str; 10] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    const ORDINALS: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let number = |token: &str| {
        let word = token.to_lowercase();
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic()); // as in 2nd
        let spoken =
            [CARDINALS, ORDINALS].iter().find_map(|words| words.iter().position(|known| *known == word));
        digits.parse().ok().or(spoken.map(|at| at + 1)).filter(|number| *number <= NUMBER_MAX)
    };
    tokens(question).filter_map(number).collect::<Vec<_>>().into_iter()
}

/// All orders in which choices continue each other.
struct Orders<'a> {
    next: &'a [Vec<usize>],
    /// The number of choices in an order.
    count: usize,
    /// The place in the order that matters, from 0.
    at: usize,
    /// The choices that stand there in some order, as bits.
    found: u64,
    tried: usize,
}

impl Orders<'_> {
    fn extend(&mut self, order: &mut Vec<usize>) {
        if order.len() == self.count {
            self.found |= 1 << order[self.at];
            return;
        }
        for &next in &self.next[order[order.len() - 1]] {
            if self.tried == TRIED_MAX {
                return;
            }
            if !order.contains(&next) {
                self.tried += 1;
                order.push(next);
                self.extend(order);
                order.pop();
            }
        }
    }
}

/// Whether one choice continues another: whether they are `[before] B [between] C [after]` and `[before] A [between] B [after]`,
/// with the same frame.
fn continues(next: &[Token], first: &[Token]) -> bool {
    let before_max = next.iter().zip(first).take_while(|(one, other)| one == other).count();
    let after_max = next.iter().rev().zip(first.iter().rev()).take_while(|(one, other)| one == other).count();
    (0..=after_max.min(AFTER_MAX)).any(|after| {
        let first = &first[..first.len() - after];
        (0..=before_max.min(BEFORE_MAX)).any(|before| {
            let (next, first) = (&next[before..], &first[before.min(first.len())..]);
            (1..first.len()).any(|from| {
                let (begin, part) = first.split_at(from);
                let is_part = part.iter().any(|token| token.is_word) && next.starts_with(part);
                is_part && is_between(begin, &next[part.len()..])
            })
        })
    })
}

/// Whether some tokens, at the end of one text and at the beginning of another, stand between two parts of each.
fn is_between(end_of: &[Token], start_of: &[Token]) -> bool {
    let most = BETWEEN_MAX.min(end_of.len()).min(start_of.len());
    (1..=most).any(|count| end_of.len() > count && end_of.ends_with(&start_of[..count]))
}

/// Whether two texts are `[α] X [m] Y [β]` and `[α] Y [m] X [β]`, where something stands between X and Y.
///
/// What X and Y begin or end alike with is taken for part of the frame, which changes nothing: the rest has the same form.
fn is_swap(one: &[Token], other: &[Token]) -> bool {
    if one.len() != other.len() || one == other {
        return false;
    }
    let begin = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[begin..], &other[begin..]);
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[..one.len() - end], &other[..other.len() - end]);
    let length = one.len();
    (0..length).filter(|&first| other.ends_with(&one[..first])).any(|first| {
        let between_max = length - first;
        let is_end = |last: usize| other.starts_with(&one[length - last..]);
        let mut lasts = (0..between_max).filter(|&last| is_end(last));
        lasts.any(|last| one[first..length - last] == other[last..length - first])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{Case, Mentions, shortcuts};

    fn named(key: &str, question: &str, choices: &[&str]) -> Option<usize> {
        let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
        let case = Case { question: question.into(), choices, ..Case::default() };
        let named = shortcuts(&case, &Mentions::of("", &case.choices));
        named.into_iter().find(|(shortcut, _)| shortcut.key == key).unwrap().1
    }

    #[test]
    fn a_chain_of_choices_and_a_number_name_one() {
        let ways = [
            "Yes, from “glad that it stays” to “to have it changed”",
            "No, it does not",
            "Yes, from “to have it changed” to “sure of it”",
            "Yes, from “calm” to “glad that it stays”",
            "Yes, from “sure of it” to “afraid”",
        ];
        let asked = |one: &str, other: &str| format!("Is it other in {other} than in {one}?");
        for (number, right) in [3, 0, 2, 4].into_iter().enumerate() {
            let question = asked(&format!("scenario {}", number + 1), &format!("scenario {}", number + 2));
            assert_eq!(named("chain_from_number", &question, &ways), Some(right), "{question}");
            assert_eq!(named("chain_to_number", &question, &ways), Some(right), "{question}");
        }
        assert_eq!(named("chain_from_number", &asked("the second part", "the third"), &ways), Some(0));
        assert_eq!(named("chain_to_number", "Is it other in the 2nd part?", &ways), Some(3));
        assert_eq!(named("chain_from_number", "Is it other?", &ways), None, "no number");
        assert_eq!(named("chain_from_number", "Is it other in part 5?", &ways), None, "no fifth way");
    }

    #[test]
    fn a_chain_that_can_be_read_in_two_ways_names_only_what_is_common() {
        let round = ["from a to b", "from b to c", "from c to a"];
        assert_eq!(named("chain_from_number", "in 1?", &round), None, "it may start anywhere");
        let fork = ["from a to b", "from b to a", "from a to c"];
        // a b, b a, a c is the only order.
        assert_eq!(named("chain_from_number", "in 2?", &fork), Some(1));
        let loose = ["from a to b", "from c to d", "hall"];
        assert_eq!(named("chain_from_number", "in 1?", &loose), None);
        assert_eq!(named("chain_from_number", "in 1?", &["hall", "attic"]), None);
    }

    #[test]
    fn the_course_from_which_others_are_one_swap_away_is_found() {
        let course = |order: &[usize]| {
            let states = ["glad of it", "glad", "afraid of rain", "calm", "sad"];
            order.iter().map(|&at| states[at]).collect::<Vec<_>>().join(", then ")
        };
        let orders: [[usize; 5]; 4] = [[1, 0, 2, 3, 4], [0, 1, 2, 3, 4], [0, 4, 2, 3, 1], [0, 1, 3, 2, 4]];
        let courses = orders.map(|order| course(&order));
        let courses: Vec<&str> = courses.iter().map(String::as_str).collect();
        assert_eq!(named("one_swap_from_most", "?", &courses), Some(1));
        let far = [course(&[1, 2, 3, 4, 0]), course(&[0, 1, 2, 3, 4]), course(&[2, 1, 4, 3, 0])];
        let far: Vec<&str> = far.iter().map(String::as_str).collect();
        assert_eq!(named("one_swap_from_most", "?", &far), None);
    }

    /// A swap, slowly: all ways to cut the first text into five.
    fn is_swap_slowly(one: &[Token], other: &[Token]) -> bool {
        let cuts = |from: usize| from..=one.len();
        cuts(0).any(|a| {
            cuts(a).any(|b| {
                cuts(b + 1).any(|c| {
                    cuts(c).any(|d| {
                        let swapped = [&one[..a], &one[c..d], &one[b..c], &one[a..b], &one[d..]].concat();
                        one[a..b] != one[c..d] && swapped == other
                    })
                })
            })
        })
    }

    #[test]
    fn swaps_are_found_as_a_slow_search_finds_them() {
        let mut swaps = 0;
        for pair in 0..6_000_u32 {
            let mut bits = blake3::Hasher::new().update(&pair.to_le_bytes()).finalize_xof();
            let mut draw = |below: u8| {
                let mut byte = [0];
                bits.fill(&mut byte);
                usize::from(byte[0] % below)
            };
            let length = 2 + draw(5);
            let token = |draw: &mut dyn FnMut(u8) -> usize| Token { number: draw(3) as u32, is_word: false };
            let one: Vec<Token> = (0..length).map(|_| token(&mut draw)).collect();
            let mut other = one.clone();
            let (at, to) = (draw(length as u8), draw(length as u8));
            other.swap(at, to);
            if draw(3) == 0 {
                other[at] = token(&mut draw);
            }
            let slowly = one != other && is_swap_slowly(&one, &other);
            assert_eq!(is_swap(&one, &other), slowly, "{one:?} {other:?}");
            swaps += usize::from(slowly);
        }
        assert!((1_000..5_000).contains(&swaps), "{swaps}");
    }

    #[test]
    fn frames_are_told_from_parts() {
        let of = |next: &str, first: &str| {
            let texts = Relations::of(&[next, first].map(str::to_owned)).texts;
            continues(&texts[0], &texts[1])
        };
        assert!(of("from the red attic to the hall", "from the hall to the red attic"));
        assert!(of("B and then to C", "A and then to B"));
        assert!(of("Yes: B → C.", "Yes: A → B."));
        assert!(!of("from the attic to the hall", "from the hall to the red attic"));
        assert!(!of("red attic", "attic red"), "nothing stands between");
        assert!(!of("B to C", "A or B"), "what stands between is another word");
        assert!(!of("→ to B", "A to →"), "a sign alone is no part");
        assert!(
            of("From The Hall to the attic", "from the cellar to the hall"),
            "capital letters do not count"
        );
    }
}
