//! The words of a plan for prospects and what goes with them, in one spelling.

use super::small_talk::SmallTalkIn;
use crate::pack::{Piece, Slot, Text};
use crate::plan::{Plan, PlannedRules};
use crate::question::CoursePlan;
use crate::spelling::capital;
use crate::text::appraisal;
use crate::text::spelt::Spelling;

/// The words of a plan for prospects and what goes with them, in one spelling.
#[derive(Clone, Debug)]
pub(in crate::text) struct NewsWords<'a> {
    pub courses: Vec<CoursePlan<'a>>,
    /// For each prospect of the plan, the words of those that can be drawn for it.
    pub prospects: Vec<Vec<ProspectIn>>,
    /// The name of the pack of each.
    pub pools: Vec<&'a str>,
    pub settings: Vec<SettingIn>,
    pub profiles: Option<ProfilesIn>,
    pub small_talk: Option<SmallTalkIn>,
    pub feelings: Vec<String>,
    pub wants: Vec<String>,
    pub acts: Vec<Vec<Part>>,
    pub does: Vec<Vec<Part>>,
    /// The rules, as readers are told them, cut where names are filled in.
    pub rules: Vec<Part>,
}

/// A piece of a text in one spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::text) enum Part {
    Words(String),
    Slot(Slot),
}

/// Clauses in one spelling, each as it stands within a sentence; and as it begins one.
#[derive(Clone, Debug)]
pub(in crate::text) struct Clause {
    pub within: Vec<Part>,
    pub at_start: Vec<Part>,
}

/// A prospect in one spelling.
#[derive(Clone, Debug)]
pub(in crate::text) struct ProspectIn {
    pub about: String,
    pub goals: [String; 2],
    /// For each side, that it is likely.
    pub likely: [Vec<Clause>; 2],
    pub settled: [Vec<Clause>; 2],
    pub by_nobody: Vec<Clause>,
    pub by_someone: Vec<Clause>,
    pub open: Vec<Clause>,
    pub closed: Vec<Clause>,
}

/// A setting in one spelling.
#[derive(Clone, Debug)]
pub(in crate::text) struct SettingIn {
    pub scene: String,
    pub places: Vec<String>,
    /// The same as an author writes them, and as they are shown.
    pub plain: Vec<String>,
}

/// What is said of people, in one spelling.
#[derive(Clone, Debug)]
pub(in crate::text) struct ProfilesIn {
    pub surnames: Vec<String>,
    pub occupations: Vec<String>,
    pub educations: Vec<String>,
    pub characters: Vec<String>,
    pub relations: Vec<Vec<Part>>,
}
fn parts(text: &Text, spelling: &Spelling<impl Fn(&str) -> String>) -> Vec<Part> {
    let part = |piece: &Piece| match piece {
        Piece::Words(words) => Part::Words(spelling.spell(words)),
        Piece::Slot(slot) => Part::Slot(*slot),
    };
    text.pieces.iter().map(part).collect()
}

impl Clause {
    fn new(text: &Text, spelling: &Spelling<impl Fn(&str) -> String>) -> Self {
        let within = parts(text, spelling);
        let mut at_start = within.clone();
        if let (Some(Piece::Words(words)), Some(Part::Words(first))) =
            (text.pieces.first(), at_start.first_mut())
        {
            *first = spelling.spell(&capital(words));
        }
        Self { within, at_start }
    }
}

impl<'a> NewsWords<'a> {
    /// The words of a plan, if it has prospects, or names of places that are drawn, or tells of people.
    pub fn new(plan: &'a Plan, seed: u64, spelling: &Spelling<impl Fn(&str) -> String>) -> Option<Self> {
        let staging = plan.staging.as_ref()?;
        if staging.prospects.is_empty() && staging.settings.is_none() && staging.profiles.is_none() {
            return None;
        }
        let spell = |text: &Text| spelling.spell(&text.to_string());
        let all = |texts: &[Text]| texts.iter().map(spell).collect::<Vec<String>>();
        let clauses =
            |texts: &[Text]| texts.iter().map(|text| Clause::new(text, spelling)).collect::<Vec<_>>();
        let prospects = staging.prospects.iter().map(|prospect| {
            let words = prospect.pool.prospects().expect("a pack of prospects").iter();
            let in_words = words.map(|words| {
                let [first, second] = &words.sides;
                ProspectIn {
                    about: spell(&words.about),
                    goals: [spell(&first.goal), spell(&second.goal)],
                    likely: [clauses(&first.likely), clauses(&second.likely)],
                    settled: [clauses(&first.settled), clauses(&second.settled)],
                    by_nobody: clauses(&words.by_nobody),
                    by_someone: clauses(&words.by_someone),
                    open: clauses(&words.open),
                    closed: clauses(&words.closed),
                }
            });
            in_words.collect()
        });
        let settings = staging.settings.iter().filter_map(|pack| pack.settings()).flatten();
        let settings = settings.map(|setting| SettingIn {
            scene: spell(&setting.scene),
            places: all(&setting.places),
            plain: setting.places.iter().map(Text::to_string).collect(),
        });
        let profiles = staging.profiles.as_ref().and_then(|profiles| profiles.pack.profiles());
        let profiles = profiles.map(|words| ProfilesIn {
            surnames: all(&words.surnames),
            occupations: all(&words.occupations),
            educations: all(&words.educations),
            characters: all(&words.characters),
            relations: words.relations.iter().map(|text| parts(text, spelling)).collect(),
        });
        let rules = staging.rules.as_ref();
        let words = rules.map(PlannedRules::words);
        let feelings = words.iter().flat_map(|words| &words.feelings).map(|(_, text)| spell(text));
        let intentions = || words.iter().flat_map(|words| &words.intentions);
        let told = rules.filter(|rules| rules.is_told).map_or_else(Vec::new, |rules| {
            appraisal::rules(rules.words())
                .iter()
                .map(|piece| match piece {
                    Piece::Words(words) => Part::Words(spelling.spell(words)),
                    Piece::Slot(slot) => Part::Slot(*slot),
                })
                .collect()
        });
        Some(Self {
            courses: CoursePlan::all(plan, seed),
            prospects: prospects.collect(),
            pools: staging.prospects.iter().map(|prospect| prospect.pool.name.value.as_str()).collect(),
            settings: settings.collect(),
            profiles,
            small_talk: SmallTalkIn::new(plan, spelling),
            feelings: feelings.collect(),
            wants: intentions().map(|known| spell(&known.wants)).collect(),
            acts: intentions().map(|known| parts(&known.act, spelling)).collect(),
            does: words
                .iter()
                .flat_map(|words| &words.does)
                .map(|line| parts(&line.text, spelling))
                .collect(),
            rules: told,
        })
    }
}
