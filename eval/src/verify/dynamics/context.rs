//! Reads the context of a story: who there is, who wants what, who decides, where everyone starts.

use super::super::Difference;
use super::course::Person;
use super::rules::Rules;
use super::words::filled;
use super::{rules_told, wrong};
use crate::pack;
use crate::plan::{Plan, PlannedRules};
use crate::simulate::Story;
use crate::spelling::{at_start, shown};

/// What a context says, for one who wants a side of a prospect.
#[derive(Debug)]
pub struct Known<'p> {
    /// The names of people, by their numbers.
    pub people: Vec<String>,
    /// Whose states are asked for.
    pub who: usize,
    /// What the prospect is about.
    pub about: String,
    /// The words of the prospect.
    pub words: &'p pack::ProspectWords,
    /// The side that she wants.
    wanted: usize,
    rules: Rules,
}

impl<'p> Known<'p> {
    /// Reads a context for somebody, about the prospect with this number.
    pub fn of(
        plan: &'p Plan,
        drawn: &Story,
        context: &str,
        who: usize,
        of: usize,
    ) -> Result<Self, Difference> {
        let staging = plan.staging.as_ref().expect("prospects are staged");
        let name = |who: usize| shown(&plan.pool[drawn.names[who]]).into_owned();
        let people: Vec<String> = (0..plan.character_count).map(name).collect();
        let stakes = stakes(context, of)?;
        let packed = staging.prospects[of].pool.prospects().unwrap_or_default();
        let (words, wanted) = stake(stakes, packed, &people[who])?;
        let decides = |name: &String| {
            let decides = "is the one who decides, as far as anything can be decided.";
            stakes.contains(&format!("{} {decides}", at_start(name)))
        };
        let decider = people.iter().position(decides);
        let rules = rules_of(staging.rules.as_ref(), context, &people, decider)?;
        Ok(Self { people, who, about: filled(&words.about, ""), words, wanted, rules })
    }

    /// Her whose states are asked for, with who is with her at the end of each scenario.
    pub fn person<'k>(&'k self, here: &'k [Vec<Option<bool>>]) -> Person<'k> {
        Person { who: self.who, wanted: self.wanted, people: &self.people, rules: &self.rules, here }
    }
}

/// What a context says of the prospect with this number.
fn stakes(context: &str, number: usize) -> Result<&str, Difference> {
    let all = context.split("What matters in the story is ").nth(number + 1);
    let stakes = all.and_then(|stakes| stakes.split("At the start nobody has heard anything").next());
    stakes.ok_or_else(|| wrong("context", "nothing that matters", "what matters in the story"))
}

/// The prospect that a context is about, and the side of it that somebody wants.
fn stake<'p>(
    stakes: &str,
    packed: &'p [pack::ProspectWords],
    name: &str,
) -> Result<(&'p pack::ProspectWords, usize), Difference> {
    let mut found = Vec::new();
    for words in packed {
        let is_about = stakes.starts_with(&(filled(&words.about, "") + ". "));
        for side in (0..2).filter(|_| is_about) {
            let [goal, other] = [side, 1 - side].map(|side| filled(&words.sides[side].goal, ""));
            let wish = format!(". {} wants {goal}, and does not want {other}. ", at_start(name));
            if stakes.contains(&wish) {
                found.push((words, side));
            }
        }
    }
    match found[..] {
        [stake] => Ok(stake),
        [] => Err(wrong("context", stakes, &format!("what {name} wants"))),
        [..] => Err(wrong("context", stakes, "ambiguous: more than one prospect or side")),
    }
}

/// The rules, as readers are told them; and otherwise by the lines of the pack.
fn rules_of(
    planned: Option<&PlannedRules>,
    context: &str,
    people: &[String],
    decider: Option<usize>,
) -> Result<Rules, Difference> {
    match planned {
        Some(rules) if rules.is_told => rules_told::read(context, people),
        Some(rules) => {
            Ok(Rules::of_pack(rules.words(), decider.map(|decider| (decider, people[decider].as_str()))))
        }
        None => Err(wrong("context", "no rules", "rules of a pack")),
    }
}

/// The names of the places: those of the setting that a context names, or of the storyboard.
pub fn places(plan: &Plan, context: &str) -> Vec<String> {
    let staging = plan.staging.as_ref();
    let settings = staging.and_then(|staging| staging.settings.as_ref()).and_then(|pack| pack.settings());
    let named = settings.into_iter().flatten().find(|setting| {
        context.starts_with(&format!("The story takes place {}. ", filled(&setting.scene, "")))
    });
    match named {
        Some(setting) => setting.places.iter().map(|place| filled(place, "")).collect(),
        None => plan.place_names.iter().map(|name| shown(name).into_owned()).collect(),
    }
}

/// The place where everyone starts.
pub fn start(context: &str, people: &[String], places: &[String]) -> Result<usize, Difference> {
    let none = || wrong("context", "no sentence on it", "where everyone starts");
    let starts = |place: &String| context.contains(&format!(" start in {place}. "));
    let place = places.iter().position(starts).ok_or_else(none)?;
    let (before, _) = context.split_once(&format!(" start in {}. ", places[place])).ok_or_else(none)?;
    let sentence = before.rsplit(". ").next().unwrap_or_default();
    let mut named: Vec<String> = sentence
        .split(", ")
        .flat_map(|part| part.split(" and "))
        .map(|name| at_start(name).into_owned())
        .collect();
    let mut all: Vec<String> = people.iter().map(|name| at_start(name).into_owned()).collect();
    named.sort_unstable();
    all.sort_unstable();
    if named == all { Ok(place) } else { Err(wrong("context", sentence, &all.join(", "))) }
}
