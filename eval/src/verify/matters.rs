//! What the rows of a story have to say of its matters: from its events, and of words from its text and the packs.

use super::Difference;
use super::row::{Matter, Row};
use super::sayings::{Saying, roles};
use crate::id::CharacterId;
use crate::pack::WhiteLie;
use crate::plan::{Plan, PlannedMatter, Question, Target};
use crate::simulate::Story;
use crate::storyboard::Facet;
use crate::world::{Item, Value};

/// What is to be found where there is no such field.
const ABSENT: &str = "absent";

/// What rows have to say of the matters of one story.
pub struct Expected<'a> {
    plan: &'a Plan,
    matters: Vec<ExpectedMatter<'a>>,
}

/// What they have to say of one.
struct ExpectedMatter<'a> {
    planned: &'a PlannedMatter,
    is_lie: bool,
    by: Vec<String>,
    to: String,
    /// Whether its reason is given in the story.
    is_given: bool,
    /// Everybody's role, in order of their names.
    roles: String,
}

impl<'a> Expected<'a> {
    pub fn new(plan: &'a Plan, story: &Story) -> Self {
        let planned = plan.staging.iter().flat_map(|staging| &staging.matters);
        let sayings: Vec<Saying> = match planned.clone().next() {
            None => Vec::new(),
            Some(_) => story.trace.unfold().filter_map(|witnessed| Saying::of(&witnessed)).collect(),
        };
        let name = |who: CharacterId| plan.pool[story.names[who.index()]].clone();
        let expected = |planned: &'a PlannedMatter| {
            let [claim, reason] = [Facet::Claim, Facet::Reason].map(|facet| planned.facet(facet));
            let roles = roles(planned, &sayings, plan.character_count);
            let of =
                roles.iter().enumerate().map(|(who, role)| (name(CharacterId::new(who)), (*role).to_owned()));
            ExpectedMatter {
                planned,
                is_lie: story.trace.stage.propositions[claim.index()].value == Value::Truth(false),
                by: planned.by.iter().map(|&who| name(who)).collect(),
                to: name(planned.to),
                is_given: sayings.iter().any(|saying| saying.is_revealed && saying.of == reason),
                roles: listed(of.collect()),
            }
        };
        Self { plan, matters: planned.map(expected).collect() }
    }

    /// What a row says of all matters, and what it has to say.
    pub fn of_story(&self, row: &Row<'_>) -> Option<Difference> {
        let Some(written) = row.matters.as_ref().filter(|_| !self.matters.is_empty()) else {
            let written = if row.matters.is_none() { ABSENT } else { "there" };
            return differing("matters", written.to_owned(), self.names());
        };
        if !written.keys().eq(sorted(&self.matters).iter().map(|matter| &matter.planned.name)) {
            let names: Vec<&str> = written.keys().map(String::as_str).collect();
            return differing("matters", names.join(", "), self.names());
        }
        let pairs = sorted(&self.matters).into_iter().zip(written.values());
        let found = pairs.map(|(matter, written)| {
            (
                said(&matter.planned.name, written),
                said(&matter.planned.name, &self.derived(matter, row, written)),
            )
        });
        let (written, derived): (Vec<String>, Vec<String>) = found.unzip();
        differing("matters", written.join("; "), derived.join("; "))
    }

    /// The same of the matter that a question is about, and of everybody's role in it.
    pub fn of_question(&self, row: &Row<'_>, question: &Question) -> Vec<Difference> {
        let none = if self.matters.is_empty() { ABSENT } else { "null" };
        let spelt = |field: &Option<Option<String>>| match field {
            None => ABSENT.to_owned(),
            Some(None) => "null".to_owned(),
            Some(Some(name)) => name.clone(),
        };
        let asked =
            self.matters.iter().enumerate().find(|(number, matter)| is_about(question, *number, matter));
        let (name, roles) =
            asked.map_or((none, none), |(_, matter)| (matter.planned.name.as_str(), matter.roles.as_str()));
        let written = row.roles.clone().map(|roles| roles.map(|roles| listed(roles.into_iter().collect())));
        [("matter", spelt(&row.matter), name), ("roles", spelt(&written), roles)]
            .into_iter()
            .filter_map(|(field, written, derived)| differing(field, written, derived.to_owned()))
            .collect()
    }

    fn names(&self) -> String {
        let names: Vec<&str> =
            sorted(&self.matters).iter().map(|matter| matter.planned.name.as_str()).collect();
        if names.is_empty() { ABSENT.to_owned() } else { names.join(", ") }
    }

    /// What a row has to say of a matter, whose words are those of the pack that it names.
    fn derived(&self, matter: &ExpectedMatter<'_>, row: &Row<'_>, written: &Matter) -> Matter {
        let ExpectedMatter { planned, is_lie, by, to, is_given, .. } = matter;
        let packs = self.plan.staging.iter().flat_map(|staging| &staging.packs);
        let words = packs.filter(|pack| pack.name.value == written.pack).find_map(|pack| pack.white_lie());
        let class = words.map_or("of a pack", |words| words.class.key());
        let is_named =
            words.is_some_and(|words| words.matters.iter().any(|of| of.thing.to_string() == written.thing));
        let given = || words.and_then(|words| reason_given(words, &row.story, &written.thing, *is_lie));
        Matter {
            thing: if is_named { written.thing.clone() } else { "of the pack".to_owned() },
            pack: if words.is_some() { written.pack.clone() } else { "of the storyboard".to_owned() },
            class: class.to_owned(),
            lie_type: if matches!(class, "evasion" | "mistake") { "pareto" } else { "altruistic" }.to_owned(),
            level: planned.level,
            lie: *is_lie,
            by: by.clone(),
            to: to.clone(),
            // What nobody says cannot be read.
            why: if *is_given {
                given().unwrap_or_else(|| "not in the text".to_owned())
            } else {
                written.why.clone()
            },
        }
    }
}

/// Matters in the order of their names, in which a row is read.
fn sorted<'m, 'a>(matters: &'m [ExpectedMatter<'a>]) -> Vec<&'m ExpectedMatter<'a>> {
    let mut sorted: Vec<&ExpectedMatter<'a>> = matters.iter().collect();
    sorted.sort_by_key(|matter| &matter.planned.name);
    sorted
}

/// Whether a question is about a matter: as a whole, or about something of it.
fn is_about(question: &Question, number: usize, matter: &ExpectedMatter<'_>) -> bool {
    match question.target {
        Target::Matter(asked) => asked == number,
        Target::Item(Item::Proposition(asked)) => {
            Facet::ALL.iter().any(|facet| matter.planned.facet(*facet) == asked)
        }
        Target::Item(_) | Target::Attitude(_) => false,
    }
}

/// The reason of this kind that a conversation gives for what is said of a thing, in words of its own.
fn reason_given(words: &WhiteLie, story: &str, thing: &str, is_lie: bool) -> Option<String> {
    let names = |text: &str, name: &str| text.to_lowercase().contains(&name.to_lowercase());
    let reasons = if is_lie { &words.reasons.pretend } else { &words.reasons.plain };
    story.lines().filter(|line| names(line, thing)).find_map(|line| {
        let given = reasons.iter().find(|reason| names(line, &reason.told.to_string()));
        given.map(|reason| reason.why.to_string())
    })
}

fn said(name: &str, matter: &Matter) -> String {
    let Matter { thing, pack, class, lie_type, level, lie, by, to, why } = matter;
    let by = by.join(" and ");
    format!(
        "{name}: {thing} of {pack}, {class}, {lie_type}, level {level}, lie {lie}, by {by} to {to}, {why}"
    )
}

fn listed(mut roles: Vec<(String, String)>) -> String {
    roles.sort_unstable();
    let of: Vec<String> = roles.iter().map(|(name, role)| format!("{name} {role}")).collect();
    of.join(", ")
}

fn differing(field: &'static str, written: String, derived: String) -> Option<Difference> {
    (written != derived).then_some(Difference { field, written, derived })
}
