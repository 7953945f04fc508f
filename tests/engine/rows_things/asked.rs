//! Reads a row's question as a person does.

use storysim::id::CharacterId;
use storysim::plan::{Moment, Question, Target};
use storysim::storyboard::QuestionKind::{self, *};
use storysim::world::Item;

use super::prose::{Told, bare, between};

impl Told {
    /// What a question asks.
    pub fn question(&mut self, text: &str) -> Question {
        let (moment, text) = self.moment(text);
        let (kind, others, target) = match moment {
            Moment::End => self.asks(text),
            Moment::Before(_) | Moment::Without(_) => self.asks(&in_the_present(text)),
        };
        Question { moment, ..Question::new(kind, others, target) }
    }

    /// Of when a question asks, and the rest of it.
    fn moment<'t>(&self, text: &'t str) -> (Moment, &'t str) {
        let openings = [
            ("Just before sentence ", " of the story (\"", "\"), "),
            (
                "Suppose that what sentence ",
                " of the story says (\"",
                "\") had not happened, and everything else had. ",
            ),
        ];
        for (opening, middle, end) in openings {
            let Some((number, rest)) = between(text, opening, middle) else { continue };
            let (quoted, rest) = rest.split_once(end).unwrap();
            let (sentence, step) = &self.sentences[number.parse::<usize>().unwrap() - 1];
            assert_eq!(quoted, sentence, "{text}");
            let step = step.unwrap_or_else(|| panic!("{text}"));
            let is_past = opening.starts_with("Just");
            return (if is_past { Moment::Before(step) } else { Moment::Without(step) }, rest);
        }
        (Moment::End, text)
    }

    fn asks(&mut self, text: &str) -> (QuestionKind, Vec<CharacterId>, Target) {
        let (question, rest) = text.split_once('?').unwrap();
        let rest = rest.trim();
        if let Some((company, rest)) = between(question, "When ", " last in the same place as ") {
            let company = company.trim_end_matches(" were").trim_end_matches(" was");
            let (target, end) = rest.split_once(", where did ").unwrap();
            assert_eq!(end, format!("{target} go from there"));
            return (World, self.people_in(company), self.item(target));
        }
        if let Some((who, _)) = between(&format!("{question}?"), "Whom is ", " following?") {
            assert_eq!(rest, format!("{who} goes only to where that person already is."));
            return (Following, Vec::new(), self.item(who));
        }
        if let Some((who, end)) = between(question, "Where is ", " at the ") {
            assert!(["start", "end"].contains(&end), "{text}");
            return (if end == "start" { Start } else { Reality }, Vec::new(), self.item(who));
        }
        if let Some(who) =
            question.strip_prefix("Where was ").and_then(|who| who.strip_suffix(" at the start"))
        {
            return (Start, Vec::new(), self.item(who));
        }
        if let Some(who) = question.strip_prefix("Where is ").or(question.strip_prefix("Where does ")) {
            if !who.contains(" think ") {
                let who = who.trim_end_matches(" be at the end");
                return (Reality, Vec::new(), self.item(who));
            }
            let (minds, target) = self.thoughts(who);
            return (Belief, minds, self.item(target.strip_suffix(" is").unwrap()));
        }
        if let Some((_, statement)) = between(question, "", " true that ") {
            assert!(question.starts_with("Is it") || question.starts_with("Does it be"), "{text}");
            assert_eq!(rest, "Answer yes or no.");
            return (Reality, Vec::new(), self.statement(statement));
        }
        if let Some(thought) = question.strip_prefix("Does ") {
            let (mut minds, mut end) =
                if thought.contains(" think ") { self.thoughts(thought) } else { (Vec::new(), thought) };
            let known = end.split_once(" know ").or(end.split_once(" knows "));
            if let Some((knower, what)) = known.filter(|_| rest == "Answer yes or no.") {
                minds.push(self.person(knower).unwrap());
                return (Knows, minds, self.where_or_whether(what));
            }
            end = end.trim();
            let target = self.statement(end);
            self.check_explanation(&minds, target, rest);
            return (Belief, minds, target);
        }
        if let Some(what) = question.strip_prefix("Who knows ") {
            assert_eq!(rest, "Name everyone who does, or say nobody.");
            return (WhoKnows, Vec::new(), self.where_or_whether(what));
        }
        if let Some(what) = question.strip_prefix("Who could say correctly ") {
            let Some(thought) =
                what.split_once(' ').map(|(_, rest)| rest).filter(|rest| rest.contains(" thinks "))
            else {
                assert_eq!(rest, "Name everyone who could, or say nobody.");
                return (CouldAnswer, Vec::new(), self.where_or_whether(what));
            };
            let (minds, target) = self.thoughts(thought);
            assert_eq!(rest, format!("Name everyone who could, {} included.", self.people[minds[0].index()]));
            let is_statement = what.starts_with("whether ");
            let target = if is_statement {
                self.statement(target)
            } else {
                self.item(target.strip_suffix(" is").unwrap())
            };
            return (CouldAnswer, minds, target);
        }
        self.attitudes_asked(text)
    }

    fn attitudes_asked(&self, text: &str) -> (QuestionKind, Vec<CharacterId>, Target) {
        let (views, who) = match text.strip_prefix("From ") {
            Some(rest) => rest.split_once(", who ").unwrap(),
            None => ("", text.strip_prefix("Who ").unwrap()),
        };
        let views = views.split(" of ").filter(|view| !view.is_empty());
        let minds = views.map(|view| self.person(view.strip_suffix("'s view").unwrap()).unwrap()).collect();
        let thing = who.strip_suffix("? Name everyone who does, or say nobody.");
        let thing = thing.unwrap_or_else(|| panic!("{text}"));
        let (kind, thing) = match thing.split_once(' ').unwrap() {
            ("likes", thing) => (WhoLikes, thing),
            ("dislikes", thing) => (WhoDislikes, thing),
            _ => panic!("{text}"),
        };
        let thing = self.attitudes.iter().position(|known| known == bare(thing)).unwrap();
        (kind, minds, Target::Attitude(thing))
    }

    /// `Ann think(s) that Bob thinks that …`: the minds, and what is thought.
    fn thoughts<'t>(&self, mut text: &'t str) -> (Vec<CharacterId>, &'t str) {
        let mut minds = Vec::new();
        loop {
            let next = text.split_once(" think ").or(text.split_once(" thinks "));
            let Some((who, rest)) = next else { return (minds, text) };
            minds.push(self.person(who).unwrap_or_else(|| panic!("{who:?}")));
            text = rest.strip_prefix("that ").unwrap_or(rest);
        }
    }

    /// The three answers to a question on what is thought of a statement, each with what it means.
    fn check_explanation(&mut self, minds: &[CharacterId], target: Target, rest: &str) {
        let Target::Item(item) = target else { panic!("{rest}") };
        let (no, unknown) = between(rest, "Answer yes if so, no if ", ", and unknown if ").unwrap();
        let (who, denied) = self.thoughts(no);
        assert_eq!(who, minds, "{rest}");
        assert_eq!(self.fact(denied), (item, storysim::world::Value::Truth(false)), "{rest}");
        let (outer, last) = self.thoughts(unknown);
        let last = last.strip_suffix(" has no idea.").or(last.strip_suffix(" does have no idea.")).unwrap();
        assert_eq!(
            (outer.as_slice(), self.person(last).unwrap()),
            (&minds[..minds.len() - 1], minds[minds.len() - 1])
        );
    }

    fn where_or_whether(&mut self, what: &str) -> Target {
        match what.strip_prefix("whether ") {
            Some(statement) => self.statement(statement),
            None => self.item(what.strip_prefix("where ").unwrap().strip_suffix(" is").unwrap()),
        }
    }

    fn statement(&mut self, statement: &str) -> Target {
        let (item, value) = self.fact(statement);
        assert_eq!(value, storysim::world::Value::Truth(true), "{statement}");
        Target::Item(item)
    }

    fn item(&self, name: &str) -> Target {
        Target::Item(match self.person(name) {
            Some(who) => Item::Character(who),
            None => Item::Object(self.object(name).unwrap_or_else(|| panic!("{name:?}"))),
        })
    }
}

/// A question on the past, or on what would be so, as one on what is.
fn in_the_present(text: &str) -> String {
    let text = text
        .replace(" would then ", " ")
        .replace("Who would know ", "Who knows ")
        .replace("could then", "could")
        .replace("would think", "thinks");
    let word = |word: &str| {
        let (word, mark) = word.split_at(word.trim_end_matches(['?', ',']).len());
        let present = match word {
            "did" | "would" | "Did" | "Would" => "does",
            "thought" => "thinks",
            "was" => "is",
            "knew" => "knows",
            "had" => "has",
            "liked" | "like" => "likes",
            "disliked" | "dislike" => "dislikes",
            _ => word,
        };
        format!("{present}{mark}")
    };
    let text = text.split(' ').map(word).collect::<Vec<_>>().join(" ");
    text[..1].to_uppercase() + &text[1..]
}
