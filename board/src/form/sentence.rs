//! Sentences of deeds, cut where something is to be named. Text is made from the pieces, and read back by them.

use std::sync::LazyLock;

use super::{ActForm, ActKind, Sort};

/// Words that stand between or after names in every story: in lists, in what is known beforehand, in questions.
pub const JOINTS: [&str; 8] =
    ["and", "together", "is in", "start in", "starts in", "think", "thinks", "were last in"];

/// Words that stand between or after names where people do more than walk, besides those in the sentences of deeds.
pub const JOINTS_OF_DEEDS: [&str; 24] = [
    "in",
    "that",
    "down in",
    "tells everyone in",
    "whispers to",
    "phones",
    "says",
    "overhears this",
    "watches this",
    "is distracted",
    "is open",
    "is closed",
    "has",
    "have",
    "likes",
    "like",
    "dislikes",
    "dislike",
    "knows",
    "know",
    "wrongly thinks",
    "wrongly think",
    "stands",
    "or",
];

/// A piece of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Literal text.
    Words(&'static str),
    /// A hole where something is named.
    Hole(Hole),
}

/// What is named in a hole of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hole {
    /// The actor.
    Who,
    /// The actor together with those who take part.
    Everyone,
    /// The storyboard's verb for going.
    Verb,
    /// The place where the event happens.
    Here,
    /// The place that the actor goes to.
    There,
    /// The part with this index.
    Part(usize),
}

impl ActForm {
    /// The pieces of the deed's sentence.
    ///
    /// The space before a spot or a telling belongs to the part, since it begins with words of its own: "puts the marble" is
    /// followed by " in the box" or " down in the hall".
    ///
    /// ```
    /// use storysim::form::{ActKind, Hole, Piece};
    /// let take = ActKind::Take.form().sentence();
    /// assert_eq!(take, [Piece::Hole(Hole::Who), Piece::Words(" takes "), Piece::Hole(Hole::Part(0))]);
    /// ```
    pub fn sentence(&self) -> &'static [Piece] {
        static SENTENCES: LazyLock<Vec<Vec<Piece>>> =
            LazyLock::new(|| ActKind::ALL.iter().map(|kind| sentence(kind.form())).collect());
        &SENTENCES[self.kind as usize]
    }

    /// The pieces of the deed's mark, in the same form as those of the sentence.
    pub fn marks(&self) -> Vec<Piece> {
        pieces(self, self.mark)
    }
}

fn sentence(form: &ActForm) -> Vec<Piece> {
    let mut sentence = pieces(form, form.says);
    for at in 1..sentence.len() {
        if let (Piece::Words(words), Piece::Hole(Hole::Part(part))) = (sentence[at - 1], sentence[at])
            && matches!(form.parts[part].sort, Sort::Spot | Sort::Telling)
        {
            sentence[at - 1] = Piece::Words(words.trim_end());
        }
    }
    sentence.retain(|piece| *piece != Piece::Words(""));
    sentence
}

fn pieces(form: &ActForm, text: &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((words, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').expect("every brace is closed");
        if !words.is_empty() {
            pieces.push(Piece::Words(words));
        }
        pieces.push(Piece::Hole(hole(form, name)));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Words(rest));
    }
    pieces
}

fn hole(form: &ActForm, name: &str) -> Hole {
    match name {
        "who" => Hole::Who,
        "everyone" => Hole::Everyone,
        "verb" => Hole::Verb,
        "here" => Hole::Here,
        "there" => Hole::There,
        part => {
            let at = form.parts.iter().position(|known| known.name == part);
            Hole::Part(at.unwrap_or_else(|| panic!("{:?} has no part {part}", form.kind)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sentence_names_its_parts_and_its_actor_once() {
        for kind in ActKind::ALL {
            let form = kind.form();
            let holes = |hole| form.sentence().iter().filter(|piece| **piece == Piece::Hole(hole)).count();
            assert_eq!(holes(Hole::Who) + holes(Hole::Everyone), 1, "{kind:?}");
            assert_eq!(holes(Hole::There), usize::from(form.goes), "{kind:?}");
            for at in 0..form.parts.len() {
                let is_among_everyone = form.parts[at].sort == Sort::Company;
                assert_eq!(holes(Hole::Part(at)), usize::from(!is_among_everyone), "{kind:?}");
            }
            form.marks();
        }
    }
}
