//! The question, and the answer that follows.

use super::Stumble;
use super::mind::Mind;
use super::replay::{history, replay};
use super::rules::Rule;
use super::scene::{Scene, Spot};
use super::story::Event;
use std::collections::BTreeSet;

/// What nobody can tell.
const OPEN: &str = "open";

/// A story that is read, ready for a question.
struct Read<'a> {
    scene: &'a Scene,
    events: Vec<Event>,
}

/// Derives the answer to a question.
pub fn answer(scene: &Scene, told: &[&str], events: &[Event], question: &str) -> Result<String, Stumble> {
    let mut read = Read { scene, events: events.to_vec() };
    let mut text = question;
    if let Some(rest) = question.strip_prefix("Suppose that what sentence ") {
        let (number, rest) = split(rest, " of the story says (\"")?;
        let (sentence, rest) = split(rest, "\") had not happened, and everything else had. ")?;
        read.events.remove(numbered(told, number, sentence)?);
        text = rest;
    } else if let Some(rest) = question.strip_prefix("Just before sentence ") {
        let (number, rest) = split(rest, " of the story (\"")?;
        let (sentence, rest) = split(rest, "\"), where was ")?;
        read.events.truncate(numbered(told, number, sentence)?);
        let name = rest.strip_suffix('?').ok_or_else(|| unread(question))?;
        return read.whereabouts(&[], read.item(name)?);
    }
    read.asked(text)
}

/// The answer in the form of the choices: "the hall" may be "hall".
pub fn in_form(answer: String, choices: &[String]) -> String {
    let bare = |text: &str| text.strip_prefix("the ").unwrap_or(text).to_owned();
    let same = choices.iter().find(|choice| bare(choice) == bare(&answer));
    same.cloned().unwrap_or(answer)
}

fn unread(text: &str) -> Stumble {
    Stumble::Sentence(text.to_owned())
}

fn split<'a>(text: &'a str, between: &str) -> Result<(&'a str, &'a str), Stumble> {
    text.split_once(between).ok_or_else(|| unread(text))
}

/// The place in the story of a sentence that a question quotes, which must be as quoted.
fn numbered(told: &[&str], number: &str, sentence: &str) -> Result<usize, Stumble> {
    let number: usize = number.parse().map_err(|_| unread(number))?;
    match told.get(number.wrapping_sub(1)) {
        Some(found) if *found == sentence => Ok(number - 1),
        _ => Err(Stumble::Impossible(format!("sentence {number} is not {sentence}"))),
    }
}

impl Read<'_> {
    fn item(&self, name: &str) -> Result<usize, Stumble> {
        self.scene.item(name).ok_or_else(|| unread(name))
    }

    fn person(&self, name: &str) -> Result<usize, Stumble> {
        self.scene.person(name).ok_or_else(|| unread(name))
    }

    fn fact(&self, text: &str) -> Result<(usize, usize), Stumble> {
        self.scene.stated(text).ok_or_else(|| unread(text))
    }

    fn asked(&self, text: &str) -> Result<String, Stumble> {
        let (main, rest) = split(text, "?")?;
        let form = rest.trim();
        if let Some(main) = main.strip_prefix("Does ") {
            return self.asked_whether(main, form);
        }
        if let Some(main) = main.strip_prefix("Is it true that ") {
            let (fact, value) = self.fact(main)?;
            return Ok(yes_no(self.scene.facts[fact].truth == value));
        }
        if let Some(main) = main.strip_prefix("Who knows whether ") {
            let (fact, _) = self.fact(main)?;
            return self.named(|who| self.knows(&[who], self.scene.fact_item(fact)));
        }
        if let Some(main) = main.strip_prefix("Who could say correctly whether ") {
            let (name, stated) = split(main, " thinks that ")?;
            let (other, (fact, _)) = (self.person(name)?, self.fact(stated)?);
            return self.named(|who| self.says_correctly(who, other, self.scene.fact_item(fact)));
        }
        if let Some(main) = main.strip_prefix("From ") {
            return self.tastes(main);
        }
        if let Some(main) = main.strip_prefix("Whom is ").and_then(|t| t.strip_suffix(" following")) {
            if form != format!("{main} goes only to where that person already is.") {
                return Err(unread(text));
            }
            return self.followed(self.person(main)?);
        }
        if let Some(main) = main.strip_prefix("When ") {
            return self.parted(main);
        }
        self.asked_where(main)
    }

    /// "Where is …", "Where does … think (that) … is".
    fn asked_where(&self, text: &str) -> Result<String, Stumble> {
        if let Some(name) = text.strip_prefix("Where was ").and_then(|t| t.strip_suffix(" at the start")) {
            let item = self.item(name)?;
            self.form_stated()?;
            return self.shown(&self.scene.start, item).ok_or_else(|| unread(text));
        }
        for (begin, end) in [("Where is ", " at the end"), ("Where would ", " be at the end")] {
            if let Some(name) = text.strip_prefix(begin).and_then(|t| t.strip_suffix(end)) {
                return self.whereabouts(&[], self.item(name)?);
            }
        }
        let rest = text.strip_prefix("Where does ").or_else(|| text.strip_prefix("Where would "));
        let rest = rest.and_then(|t| t.strip_suffix(" is")).ok_or_else(|| unread(text))?;
        let (chain, name) = self.chain(rest)?;
        self.whereabouts(&chain, self.item(name)?)
    }

    /// "A think(s) (that) B thinks … rest".
    fn chain<'t>(&self, text: &'t str) -> Result<(Vec<usize>, &'t str), Stumble> {
        let mut chain = Vec::new();
        let mut rest = text;
        while let Some((name, tail)) = rest.split_once(if chain.is_empty() { " think " } else { " thinks " })
        {
            chain.push(self.person(name)?);
            rest = tail.strip_prefix("that ").unwrap_or(tail);
        }
        Ok((chain, rest))
    }

    /// "Does A think that …", "Does A know whether …", "Does A know where …".
    fn asked_whether(&self, text: &str, form: &str) -> Result<String, Stumble> {
        let (mut chain, mut rest) = self.chain(text)?;
        let known = if chain.is_empty() { " know " } else { " knows " };
        if let Some((name, tail)) = rest.split_once(known) {
            chain.push(self.person(name)?);
            rest = tail;
            let item = match (rest.strip_prefix("where "), rest.strip_prefix("whether ")) {
                (Some(thing), _) => self.item(thing.strip_suffix(" is").unwrap_or(thing))?,
                (_, Some(stated)) => self.scene.fact_item(self.fact(stated)?.0),
                _ => return Err(unread(text)),
            };
            return self.knows(&chain, item).map(yes_no);
        }
        let (fact, value) = self.fact(rest)?;
        if !form.starts_with("Answer yes if so, no if ") || !form.contains(" and unknown if ") {
            return Err(unread(form));
        }
        match self.view(&chain, self.scene.fact_item(fact))? {
            Some(text) => Ok(yes_no(text == self.scene.facts[fact].texts[value])),
            None => Ok("unknown".to_owned()),
        }
    }

    /// What the end of a chain thinks of an item; None is no idea.
    fn view(&self, chain: &[usize], item: usize) -> Result<Option<String>, Stumble> {
        let world = replay(self.scene, &self.events, chain, item)?;
        let mut views = BTreeSet::new();
        self.views(&world, item, &mut views);
        match views.len() {
            1 if !views.contains(&Some(OPEN.to_owned())) => Ok(views.into_iter().next().flatten()),
            _ => Err(Stumble::Open(
                views.into_iter().map(|view| view.unwrap_or("no idea".to_owned())).collect(),
            )),
        }
    }

    fn views(&self, mind: &Mind, item: usize, views: &mut BTreeSet<Option<String>>) {
        if mind.other.is_empty() {
            views.insert(self.shown(&mind.at, item));
        }
        for other in &mind.other {
            self.views(other, item, views);
        }
    }

    /// How an item is, in words.
    fn shown(&self, at: &[Spot], item: usize) -> Option<String> {
        match at[item] {
            Spot::Unknown => None,
            Spot::Open => Some(OPEN.to_owned()),
            Spot::Place(place) => {
                Some(self.scene.places.get(place).cloned().unwrap_or("elsewhere".to_owned()))
            }
            Spot::In(container) => Some(self.scene.containers[container].0.clone()),
            Spot::Hand(who) => self.shown(at, who),
            Spot::Is(value) => Some(self.scene.facts[item - self.scene.start.len()].texts[value].clone()),
        }
    }

    fn whereabouts(&self, chain: &[usize], item: usize) -> Result<String, Stumble> {
        if item >= self.scene.people.len() {
            self.form_stated()?;
        }
        self.view(chain, item)?.ok_or_else(|| Stumble::Open(vec!["no idea".to_owned()]))
    }

    /// The context says how to name where a thing is that is in a container or in hand.
    fn form_stated(&self) -> Result<(), Stumble> {
        let rules = &self.scene.rules;
        if !self.scene.containers.is_empty() {
            rules.need(Rule::AnswerContainer)?;
        }
        if rules.has(Rule::InHand) {
            rules.need(Rule::AnswerHand)?;
        }
        Ok(())
    }

    /// Whether the last of a chain knows, as the others see it.
    fn knows(&self, chain: &[usize], item: usize) -> Result<bool, Stumble> {
        self.scene.rules.need(Rule::Knowing)?;
        let judge = self.view(&chain[..chain.len() - 1], item)?;
        let view = self.view(chain, item)?;
        Ok(judge.is_some() && judge == view)
    }

    /// Whether someone thinks of another what that person really thinks.
    fn says_correctly(&self, who: usize, other: usize, item: usize) -> Result<bool, Stumble> {
        if who == other {
            return Ok(true);
        }
        let real = self.view(&[other], item)?;
        match self.view(&[who, other], item) {
            Ok(view) => Ok(view == real),
            Err(Stumble::Open(_)) => Ok(false),
            Err(stumble) => Err(stumble),
        }
    }

    /// The people of whom something holds.
    fn named(&self, holds: impl Fn(usize) -> Result<bool, Stumble>) -> Result<String, Stumble> {
        let mut names = Vec::new();
        for (who, name) in self.scene.people.iter().enumerate() {
            if holds(who)? {
                names.push(name.clone());
            }
        }
        names.sort();
        Ok(if names.is_empty() { "nobody".to_owned() } else { names.join(", ") })
    }

    /// "A's view (of B's view), who likes the painting".
    fn tastes(&self, text: &str) -> Result<String, Stumble> {
        let (views, rest) = split(text, " view, who ")?;
        let (verb, thing) = split(rest, " ")?;
        let mut chain = Vec::new();
        for name in views.split(" view of ") {
            chain.push(
                self.person(name.strip_suffix("'s").or_else(|| name.strip_suffix('\'')).unwrap_or(name))?,
            );
        }
        self.named(|who| {
            let stated = format!("{} {verb} {thing}", self.scene.people[who]);
            let (fact, _) = self.fact(&stated)?;
            Ok(self.view(&chain, self.scene.fact_item(fact))? == Some(stated))
        })
    }

    /// Whom someone follows, who goes only to where that person already is.
    fn followed(&self, who: usize) -> Result<String, Stumble> {
        let history = history(self.scene, &self.events)?;
        let mut goals = Vec::new();
        for (event, at) in self.events.iter().zip(&history) {
            if let Event::Go { people, to } = event
                && people.contains(&who)
            {
                goals.push((at, Spot::Place(*to)));
            }
        }
        let fits = |other: usize| other != who && goals.iter().all(|(at, goal)| at[other] == *goal);
        let found: Vec<usize> = (0..self.scene.people.len()).filter(|other| fits(*other)).collect();
        match found[..] {
            [one] => Ok(self.scene.people[one].clone()),
            _ => Err(Stumble::Open(found.iter().map(|one| self.scene.people[*one].clone()).collect())),
        }
    }

    /// "A was last in the same place as B, where did B go from there".
    fn parted(&self, text: &str) -> Result<String, Stumble> {
        let (first, rest) = split(text, " was last in the same place as ")?;
        let (second, tail) = split(rest, ", where ")?;
        if tail != format!("did {second} go from there") && tail != format!("was {second} moved from there") {
            return Err(unread(text));
        }
        let (first, second) = (self.item(first)?, self.item(second)?);
        let history = history(self.scene, &self.events)?;
        let last = history.iter().rposition(|at| at[first] == at[second]);
        let last = last.ok_or_else(|| Stumble::Impossible(text.to_owned()))?;
        let there = history[last][second];
        let next = history[last..].iter().find(|at| at[second] != there);
        let next = next.ok_or_else(|| Stumble::Open(vec!["nowhere".to_owned()]))?;
        self.shown(next, second).ok_or_else(|| unread(text))
    }
}

fn yes_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}
