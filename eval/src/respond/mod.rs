//! Mock responders: shortcuts that answer as a model would, to try out scoring.
//!
//! What each gets right and wrong is known from the rows alone; what one that forgets does ([`Mock::LastWords`]) from their stories,
//! too, which are read back for that.

mod last_words;

use crate::dataset::Fields;
use crate::rng::{Purpose, StreamKey, below};
pub use last_words::{Mock, number_of_words, reach};

/// A mock model that answers rows in a fixed way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Responder {
    /// Answers with the target's last place.
    LastPlace,
    /// Answers where all of the question's characters came together first.
    FirstCommon,
    /// Answers one order too low; at order 0, where there is nothing below, answers what is really so.
    OrderBelow,
    /// Answers with a random choice.
    Random,
    /// Gives the right answer.
    Perfect,
    /// Refuses to answer.
    Refuser,
}

/// The response of a responder that has no answer.
const NOTHING: &str = "I do not know.";

/// The response of a responder that refuses.
const REFUSAL: &str = "I'm sorry, but I can't help with that.";

impl Responder {
    /// All responders, with their names.
    pub const WORDS: [(&str, Self); 6] = [
        ("last-place", Self::LastPlace),
        ("first-common", Self::FirstCommon),
        ("order-below", Self::OrderBelow),
        ("random", Self::Random),
        ("perfect", Self::Perfect),
        ("refuser", Self::Refuser),
    ];

    /// The response to a row. A shortcut that has no answer says so. Guesses depend only on the seed and the id of
    /// the row.
    ///
    /// ```
    /// use storysim::{dataset::Fields, respond::Responder};
    /// let row = Fields { answer: "hall".into(), ..Fields::default() };
    /// assert_eq!(Responder::Perfect.response(&row, 0), "Answer: hall");
    /// assert_eq!(Responder::LastPlace.response(&row, 0), "I do not know.");
    /// ```
    pub fn response(self, fields: &Fields, seed: u64) -> String {
        let foil = |name: &str| fields.foils.get(name).cloned().flatten();
        let answer = match self {
            Self::LastPlace => foil("last_place"),
            Self::FirstCommon => foil("first_common_place"),
            Self::OrderBelow if fields.order == 0 => fields.truth.clone(),
            Self::OrderBelow => foil("lower_order"),
            Self::Random => guess(fields, seed),
            Self::Perfect => Some(fields.answer.clone()),
            Self::Refuser => return REFUSAL.to_owned(),
        };
        answer.map_or_else(|| NOTHING.to_owned(), |answer| format!("Answer: {answer}"))
    }
}

/// A random choice of the row.
fn guess(fields: &Fields, seed: u64) -> Option<String> {
    let count = u32::try_from(fields.choices.len()).ok().filter(|count| *count > 0)?;
    let mut stream = StreamKey::derive(seed, &fields.id, Purpose::Answers).stream(0, 0);
    Some(fields.choices[below(&mut stream, count) as usize].clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str) -> Fields {
        let choices = ["a1", "a2", "a3", "a4"].map(str::to_owned).into();
        Fields { id: id.into(), choices, order: 1, ..Fields::default() }
    }

    #[test]
    fn shortcuts_answer_by_their_foils() {
        let mut row = row("b/7/0/0");
        row.truth = Some("a1".into());
        for (foil, answer) in [("last_place", "a2"), ("first_common_place", "a3"), ("lower_order", "a4")] {
            row.foils.insert(foil.into(), Some(answer.into()));
        }
        assert_eq!(Responder::LastPlace.response(&row, 0), "Answer: a2");
        assert_eq!(Responder::FirstCommon.response(&row, 0), "Answer: a3");
        assert_eq!(Responder::OrderBelow.response(&row, 0), "Answer: a4");
        row.order = 0;
        assert_eq!(Responder::OrderBelow.response(&row, 0), "Answer: a1");
    }

    #[test]
    fn guesses_take_all_choices_alike_and_follow_from_seed_and_id() {
        let mut counts = [0; 4];
        for index in 0..4000 {
            let row = row(&format!("b/7/{index}/0"));
            let said = Responder::Random.response(&row, 5);
            assert_eq!(said, Responder::Random.response(&row, 5));
            counts[row.choices.iter().position(|choice| said == format!("Answer: {choice}")).unwrap()] += 1;
        }
        // 1000 each, with a standard deviation of 27.
        assert!(counts.iter().all(|count| (880..1120).contains(count)), "{counts:?}");
        let differs =
            |id: &str| Responder::Random.response(&row(id), 5) != Responder::Random.response(&row(id), 6);
        assert!((0..20).any(|index| differs(&index.to_string())));
        assert_eq!(Responder::Random.response(&Fields::default(), 5), NOTHING);
    }
}
