//! Prospects, settings and profiles in words: where a story takes place, what is announced, what people may think of it, and
//! the rules by which they feel.
//!
//! Nothing that somebody thinks, feels, wants or does is ever told in a story. So all of it has to follow from who was where, from
//! what was announced, from what she wants, and from the rules.

use super::spelt::Spelling;
use super::{Display, Lexicon, Words, push_all};
use crate::appraisal::Mood;
use crate::form::Addressee;
use crate::id::{CharacterId, PlaceId, ProspectId};
use crate::pack::{Piece, Slot, Text};
use crate::plan::Plan;
use crate::question::{Basis, Cause, CoursePlan, Courses, Shown, Subject, Told};
use crate::rng::{Stream, below, sample_to_front};
use crate::simulate::Story;
use crate::storyboard::ProfilePart;
use crate::world::{Act, Case, How, Item, Side, Telling, Value};

/// The parts of the stream of words for what is drawn once a story, and for the first scenario; those of others follow.
const STORY_PART: u64 = 8;
const SCENARIO_PART: u64 = 16;

/// In how many ways something is announced.
const FRAMES: u32 = 8;

/// What is said of when a scenario takes place; none of them matters.
const LATER: [&str; 8] = [
    "the next day",
    "two days later",
    "a few days later",
    "a week later",
    "later that week",
    "some days later",
    "the week after",
    "after a short break",
];

/// How old people are.
const AGES: (u32, u32) = (24, 64);

/// The words of a plan for prospects and what goes with them, in one spelling.
#[derive(Clone, Debug)]
pub(super) struct NewsWords<'a> {
    courses: Vec<CoursePlan<'a>>,
    /// For each prospect of the plan, the words of those that can be drawn for it.
    prospects: Vec<Vec<ProspectIn>>,
    /// The name of the pack of each.
    pools: Vec<&'a str>,
    settings: Vec<SettingIn>,
    profiles: Option<ProfilesIn>,
    feelings: Vec<String>,
    wants: Vec<String>,
    acts: Vec<Vec<Part>>,
    does: Vec<Vec<Part>>,
    /// The rules, as readers are told them, cut where names are filled in.
    rules: Vec<Part>,
}

/// A piece of a text in one spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Words(String),
    Slot(Slot),
}

/// Clauses in one spelling, each as it stands within a sentence; and as it begins one.
#[derive(Clone, Debug)]
struct Clause {
    within: Vec<Part>,
    at_start: Vec<Part>,
}

#[derive(Clone, Debug)]
struct ProspectIn {
    about: String,
    goals: [String; 2],
    /// For each side, that it is likely.
    likely: [Vec<Clause>; 2],
    settled: [Vec<Clause>; 2],
    by_nobody: Vec<Clause>,
    by_someone: Vec<Clause>,
    open: Vec<Clause>,
    closed: Vec<Clause>,
}

#[derive(Clone, Debug)]
struct SettingIn {
    scene: String,
    places: Vec<String>,
    /// The same as an author writes them, and as they are shown.
    plain: Vec<String>,
}

#[derive(Clone, Debug)]
struct ProfilesIn {
    surnames: Vec<String>,
    occupations: Vec<String>,
    educations: Vec<String>,
    characters: Vec<String>,
    relations: Vec<Vec<Part>>,
}

/// The words of one story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NewsDrawn {
    /// For each prospect, which it is in its pack.
    prospects: Vec<usize>,
    /// The setting, and the name of each place in it.
    setting: usize,
    places: Vec<usize>,
    /// For each announcement, how it is put: the frame, and the wordings of its clauses.
    announced: Vec<[u32; 4]>,
    /// What is said of when each scenario takes place.
    later: Vec<usize>,
    /// For each of whom something is said, her age and the numbers of what is said.
    profiles: Vec<[usize; 5]>,
    relation: usize,
    /// What becomes of those who are asked about.
    courses: Vec<Courses>,
}

fn parts(text: &Text, spelling: &Spelling<impl Fn(&str) -> String>) -> Vec<Part> {
    let part = |piece: &Piece| match piece {
        Piece::Words(words) => Part::Words(spelling.spell(words)),
        Piece::Slot(slot) => Part::Slot(*slot),
    };
    text.pieces.iter().map(part).collect()
}

/// A text whose first letter is a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
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
        let words = rules.map(crate::plan::PlannedRules::words);
        let feelings = words.iter().flat_map(|words| &words.feelings).map(|(_, text)| spell(text));
        let intentions = || words.iter().flat_map(|words| &words.intentions);
        let told = rules.filter(|rules| rules.is_told).map_or_else(Vec::new, |rules| {
            super::appraisal::rules(rules.words())
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

impl Lexicon<'_> {
    /// Draws the words of a story that has prospects, or names of places that are drawn.
    pub(super) fn draw_news(&self, story: &Story, drawn: &mut NewsDrawn) {
        let Some(words) = &self.news else { return };
        let mut stream = self.key.stream(story.index, STORY_PART);
        drawn.prospects.clear();
        for (at, known) in words.prospects.iter().enumerate() {
            // No two prospects of a story are the same entry of one pack.
            let is_taken = |number: usize, drawn: &NewsDrawn| {
                (0..at).any(|other| words.pools[other] == words.pools[at] && drawn.prospects[other] == number)
            };
            let mut number = pick(&mut stream, known.len());
            while at < known.len() && is_taken(number, drawn) {
                number = pick(&mut stream, known.len());
            }
            drawn.prospects.push(number);
        }
        drawn.places.clear();
        if !words.settings.is_empty() {
            drawn.setting = pick(&mut stream, words.settings.len());
            let names = words.settings[drawn.setting].places.len();
            drawn.places.extend(0..names);
            let count = self.plan.place_names.len();
            sample_to_front(&mut stream, &mut drawn.places, count);
            drawn.places.truncate(count);
        }
        self.draw_profiles(words, &mut stream, drawn);
        let scenarios = self.plan.scenarios;
        let steps = scenarios.map_or(usize::MAX, |scenarios| scenarios.steps);
        drawn.announced.clear();
        drawn.later.clear();
        let mut scenario = None;
        for step in 0..story.trace.events.len() {
            if scenario != Some(step / steps) {
                scenario = Some(step / steps);
                stream = self.key.stream(story.index, SCENARIO_PART + (step / steps) as u64);
                drawn.later.push(pick(&mut stream, LATER.len()));
            }
            let is_announced =
                story.trace.deeds.get(step).is_some_and(|deed| matches!(deed.act, Act::Turn(_)));
            if is_announced {
                let frame = below(&mut stream, FRAMES);
                // How many wordings there are is known when they are told.
                let [first, second, third] = [(); 3].map(|()| below(&mut stream, 1 << 16));
                drawn.announced.push([frame, first, second, third]);
            } else {
                drawn.announced.push([0; 4]);
            }
        }
        drawn.courses.clear();
        drawn.courses.extend(words.courses.iter().map(|plan| plan.courses(story)));
    }

    fn draw_profiles(&self, words: &NewsWords<'_>, stream: &mut Stream, drawn: &mut NewsDrawn) {
        drawn.profiles.clear();
        let (Some(lists), Some(profiles)) =
            (&words.profiles, self.plan.staging.as_ref().and_then(|staging| staging.profiles.as_ref()))
        else {
            return;
        };
        let counts = [
            lists.surnames.len(),
            0,
            lists.occupations.len(),
            lists.educations.len(),
            lists.characters.len(),
        ];
        for at in 0..profiles.of.len() {
            let mut numbers = [0; 5];
            for (part, number) in numbers.iter_mut().enumerate() {
                *number = match part {
                    1 => AGES.0 as usize + pick(stream, (AGES.1 - AGES.0 + 1) as usize),
                    // No two people have the same surname, or work; there are enough of both.
                    0 | 2 => {
                        let taken = |drawn: &NewsDrawn, number| {
                            drawn.profiles[..at].iter().any(|known| known[part] == number)
                        };
                        let mut drawn_number = pick(stream, counts[part]);
                        while counts[part] > at && taken(drawn, drawn_number) {
                            drawn_number = pick(stream, counts[part]);
                        }
                        drawn_number
                    }
                    _ => pick(stream, counts[part]),
                };
            }
            drawn.profiles.push(numbers);
        }
        drawn.relation = pick(stream, lists.relations.len());
    }

    /// The name of a place in a story, if it is drawn for it.
    pub(super) fn drawn_place(&self, words: &Words, place: PlaceId) -> Option<&str> {
        let news = self.news.as_ref().filter(|_| self.is_shown)?;
        let &name = words.news.places.get(place.index())?;
        Some(&news.settings[words.news.setting].places[name])
    }

    /// For each place whose name is drawn for a story, the name that readers see, and the one that the storyboard writes.
    pub fn drawn_names(&self, words: &Words) -> Vec<(&str, &str)> {
        let Some(news) = &self.news else { return Vec::new() };
        let names = words.news.places.iter().zip(&self.plan.place_names);
        names
            .map(|(&name, written)| {
                (news.settings[words.news.setting].plain[name].as_str(), written.as_str())
            })
            .collect()
    }

    fn prospect<'l>(&'l self, words: &Words, prospect: ProspectId) -> &'l ProspectIn {
        let news = self.news.as_ref().expect("a plan with prospects");
        &news.prospects[prospect.index()][words.news.prospects[prospect.index()]]
    }

    /// Appends a clause.
    fn clause(
        &self,
        story: &Story,
        words: &Words,
        parts: &[Part],
        who: Option<CharacterId>,
        text: &mut String,
    ) {
        for part in parts {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Slot(_) => {
                    let who = who.expect("somebody is named");
                    text.push_str(self.name(story, words, Display::People, who));
                }
            }
        }
    }

    /// Appends how a prospect stands, as clauses with words between them. `wordings` choose among those that there are.
    #[expect(clippy::too_many_arguments, reason = "what is said, in which words, and between which others")]
    fn case(
        &self,
        story: &Story,
        words: &Words,
        (prospect, case): (ProspectId, Case),
        wordings: [u32; 3],
        is_start: bool,
        that: &str,
        text: &mut String,
    ) {
        let known = self.prospect(words, prospect);
        let side = case.side() as usize;
        let of = |clauses: &'_ [Clause], wording: u32| wording as usize % clauses.len();
        let state = if case.how() == How::Likely { &known.likely[side] } else { &known.settled[side] };
        let mut clauses: Vec<(&Clause, Option<CharacterId>)> = vec![(&state[of(state, wordings[0])], None)];
        match case.how() {
            How::Likely => {}
            How::ByNobody => clauses.push((&known.by_nobody[of(&known.by_nobody, wordings[1])], None)),
            How::By(who) => clauses.push((&known.by_someone[of(&known.by_someone, wordings[1])], Some(who))),
        }
        let last = if case.is_final() { &known.closed } else { &known.open };
        clauses.push((&last[of(last, wordings[2])], None));
        let count = clauses.len();
        for (at, (clause, who)) in clauses.into_iter().enumerate() {
            // A comma even between two: clauses are long.
            text.push_str(match at {
                0 => "",
                _ if at + 1 < count => ", ",
                _ if count == 2 => " and ",
                _ => ", and ",
            });
            text.push_str(that);
            let parts = if at == 0 && is_start { &clause.at_start } else { &clause.within };
            self.clause(story, words, parts, who, text);
        }
    }

    /// Appends an announcement, without a full stop.
    pub(super) fn announcement(
        &self,
        story: &Story,
        words: &Words,
        step: usize,
        news: &Telling,
        text: &mut String,
    ) {
        let (Item::Prospect(prospect), Value::Case(case)) = (news.item, news.value) else {
            unreachable!("news of a prospect")
        };
        let event = story.trace.events[step];
        let [frame, first, second, third] = words.news.announced[step];
        let who = self.name(story, words, Display::People, event.who);
        let starts = self.name_at_start(story, words, Display::People, event.who);
        let place = self.place_in(words, event.from);
        let said = |is_start: bool, that: &str, text: &mut String| {
            self.case(story, words, (prospect, case), [first, second, third], is_start, that, text);
        };
        let quoted = |before: &[&str], after: &[&str], text: &mut String| {
            push_all(text, before);
            text.push('“');
            said(true, "", text);
            push_all(text, after);
        };
        // Nobody speaks of herself by name.
        let frame = if case.agent() == Some(event.who) { 4 + frame % 4 } else { frame };
        match frame {
            0 => quoted(&[], &[",” says ", who], text),
            1 => quoted(&[starts, " says: "], &["”"], text),
            2 => quoted(&[starts, " announces in ", place, ": "], &["”"], text),
            3 => quoted(&[], &[",” ", who, " announces to everyone in ", place], text),
            4 => {
                push_all(text, &[starts, " says "]);
                said(false, "that ", text);
            }
            5 => {
                push_all(text, &[starts, " announces "]);
                said(false, "that ", text);
            }
            6 => {
                push_all(text, &[starts, " lets everyone in ", place, " know "]);
                said(false, "that ", text);
            }
            _ => {
                push_all(text, &[starts, " has news for everyone in ", place, ": "]);
                said(false, "", text);
            }
        }
    }

    /// Appends what somebody tells others of a prospect, after whom she tells it.
    pub(super) fn passed_on(
        &self,
        story: &Story,
        words: &Words,
        (prospect, case): (ProspectId, Case),
        text: &mut String,
    ) {
        self.case(story, words, (prospect, case), [0; 3], false, "", text);
    }

    /// The heading of a scenario, before the event of a step, if one begins there.
    pub(super) fn heading(&self, words: &Words, step: usize) -> Option<String> {
        let scenarios = self.plan.scenarios?;
        if self.news.is_none() || !step.is_multiple_of(scenarios.steps) {
            return None;
        }
        let number = step / scenarios.steps;
        let later =
            if number == 0 { String::new() } else { format!(", {}", LATER[words.news.later[number]]) };
        Some(format!("Scenario {}{later}.", number + 1))
    }

    /// What of a story's courses a question asks of.
    fn courses<'w>(&self, words: &'w Words, question: &crate::plan::Question) -> &'w Courses {
        let subject = Subject::of(question).expect("a question about scenarios");
        let plans = &self.news.as_ref().expect("a plan with prospects").courses;
        let number =
            plans.iter().position(|plan| *plan.subject() == subject).expect("the subject of a question");
        &words.news.courses[number]
    }

    /// Appends what a question's choice says of one of the lives.
    pub(super) fn life(&self, story: &Story, words: &Words, question: usize, life: usize, text: &mut String) {
        let question = &self.plan.questions[question];
        let told = self.courses(words, question).told(question, life);
        let subject = Subject::of(question).expect("a question about scenarios");
        Teller { lexicon: self, story, words, prospect: subject.prospect, who: subject.who() }
            .told(&told, text);
    }

    /// Appends a state.
    pub(super) fn shown_state(&self, story: &Story, words: &Words, shown: Shown, text: &mut String) {
        let news = self.news.as_ref().expect("a plan with prospects");
        match shown {
            Shown::Belief(_, None) => text.push_str("nothing, having heard nothing of it"),
            Shown::Belief(prospect, Some(case)) => {
                self.case(story, words, (prospect, case), [0; 3], false, "that ", text);
            }
            Shown::Emotion(feels) => text.push_str(&news.feelings[usize::from(feels)]),
            Shown::Intention(wants) => text.push_str(&news.wants[usize::from(wants)]),
            Shown::Action { prospect, wants, does, agent } => {
                for part in &news.does[usize::from(does)] {
                    match part {
                        Part::Words(words) => text.push_str(words),
                        Part::Slot(_) => self.act(story, words, (prospect, wants, agent), text),
                    }
                }
            }
        }
    }

    /// Appends what is done for a want.
    fn act(
        &self,
        story: &Story,
        words: &Words,
        (prospect, wants, agent): (ProspectId, u8, Option<CharacterId>),
        text: &mut String,
    ) {
        let news = self.news.as_ref().expect("a plan with prospects");
        for part in &news.acts[usize::from(wants)] {
            let who = match part {
                Part::Words(words) => {
                    text.push_str(words);
                    continue;
                }
                Part::Slot(Slot::Decider) => self.decider(prospect),
                Part::Slot(_) => agent,
            };
            match who {
                Some(who) => text.push_str(self.name(story, words, Display::People, who)),
                None => text.push_str("whoever brought it about"),
            }
        }
    }

    fn decider(&self, prospect: ProspectId) -> Option<CharacterId> {
        let staging = self.plan.staging.as_ref()?;
        staging.prospects[prospect.index()].decider
    }

    /// Appends where the story takes place and who the people are, each sentence with a space after it.
    pub(super) fn scene(&self, story: &Story, words: &Words, text: &mut String) {
        let Some(news) = &self.news else { return };
        if let Some(setting) = news.settings.get(words.news.setting) {
            push_all(text, &["The story takes place ", &setting.scene, ". "]);
        }
        let staging = self.plan.staging.as_ref().expect("a plan with prospects");
        let (Some(lists), Some(profiles)) = (&news.profiles, &staging.profiles) else { return };
        // In the order of the pool, which says nothing about their parts.
        let mut order: Vec<usize> = (0..profiles.of.len()).collect();
        order.sort_unstable_by_key(|&at| story.names[profiles.of[at].0.index()]);
        for at in order {
            let (who, parts) = &profiles.of[at];
            self.profile(story, words, *who, parts, (&words.news.profiles[at], lists), text);
        }
        if let Some([first, second]) = profiles.between {
            let mut both = [first, second];
            both.sort_unstable_by_key(|who| story.names[who.index()]);
            for part in &lists.relations[words.news.relation] {
                match part {
                    Part::Words(words) => text.push_str(words),
                    Part::Slot(Slot::First) => {
                        text.push_str(self.name(story, words, Display::People, both[0]))
                    }
                    Part::Slot(_) => text.push_str(self.name(story, words, Display::People, both[1])),
                }
            }
            text.push_str(". ");
        }
    }

    /// Appends who somebody is: "Ann Smith, 41, is a nurse, left school at sixteen, and is quick to decide. "
    fn profile(
        &self,
        story: &Story,
        words: &Words,
        who: CharacterId,
        parts: &[ProfilePart],
        (numbers, lists): (&[usize; 5], &ProfilesIn),
        text: &mut String,
    ) {
        let has = |part: ProfilePart| parts.is_empty() || parts.contains(&part);
        text.push_str(self.name_at_start(story, words, Display::People, who));
        if has(ProfilePart::Surname) {
            push_all(text, &[" ", &lists.surnames[numbers[0]]]);
        }
        let mut said: Vec<String> = Vec::new();
        if has(ProfilePart::Age) {
            said.push(format!("is {} years old", numbers[1]));
        }
        if has(ProfilePart::Occupation) {
            said.push(format!("works as {}", lists.occupations[numbers[2]]));
        }
        if has(ProfilePart::Education) {
            said.push(lists.educations[numbers[3]].clone());
        }
        if has(ProfilePart::Character) {
            said.push(format!("is {}", lists.characters[numbers[4]]));
        }
        if said.is_empty() {
            said.push("takes part".to_owned());
        }
        for (at, clause) in said.iter().enumerate() {
            let before = match at {
                0 => " ",
                _ if at + 1 == said.len() && said.len() > 2 => ", and ",
                _ if at + 1 == said.len() => " and ",
                _ => ", ",
            };
            push_all(text, &[before, clause]);
        }
        text.push_str(". ");
    }

    /// Appends what each prospect is about, who wants what, and who decides; each sentence with a space after it.
    pub(super) fn stakes(&self, story: &Story, words: &Words, text: &mut String) {
        let Some(staging) = self.plan.staging.as_ref().filter(|staging| !staging.prospects.is_empty()) else {
            return;
        };
        for (at, prospect) in staging.prospects.iter().enumerate() {
            let id = ProspectId::new(at);
            let known = self.prospect(words, id);
            push_all(text, &["What matters in the story is ", &known.about, ". "]);
            let mut wishes: Vec<_> = story.trace.stage.wishes.iter().filter(|wish| wish.of == id).collect();
            wishes.sort_unstable_by_key(|wish| story.names[wish.who.index()]);
            for wish in wishes {
                let goal = |side: Side| known.goals[side as usize].as_str();
                let who = self.name_at_start(story, words, Display::People, wish.who);
                push_all(
                    text,
                    &[who, " wants ", goal(wish.side), ", and not ", goal(wish.side.other()), ". "],
                );
            }
            if let Some(decider) = prospect.decider {
                let who = self.name_at_start(story, words, Display::People, decider);
                push_all(text, &[who, " is the one who decides, as far as anything can be decided. "]);
            }
            text.push_str("At the start nobody has heard anything of how it will turn out. ");
        }
    }

    /// Appends the rules by which people feel, if they are told; with a space after them.
    pub(super) fn rules_of_feelings(&self, story: &Story, words: &Words, text: &mut String) {
        let Some(news) = &self.news else { return };
        if news.prospects.is_empty()
            || self.plan.staging.as_ref().is_none_or(|staging| staging.rules.is_none())
        {
            return;
        }
        text.push_str(
            "What somebody thinks, feels, wants or does about it is never told, and whatever they do changes nothing in what \
             follows. ",
        );
        let mut deciders = (0..news.prospects.len()).map(|at| self.decider(ProspectId::new(at)));
        let decider = deciders.next().flatten().filter(|first| deciders.all(|other| other == Some(*first)));
        for part in &news.rules {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Slot(_) => match decider {
                    Some(who) => text.push_str(self.name(story, words, Display::People, who)),
                    None => text.push_str("the one who decides"),
                },
            }
        }
        if !news.rules.is_empty() {
            text.push(' ');
        }
    }

    /// What a prospect is about, in a question: "what becomes of the pool".
    pub(super) fn at_stake(&self, words: &Words, prospect: ProspectId) -> &str {
        &self.prospect(words, prospect).about
    }
}

fn pick(stream: &mut Stream, count: usize) -> usize {
    below(stream, u32::try_from(count).expect("few")) as usize
}

/// Puts into words what choices say of somebody.
struct Teller<'t, 'a> {
    lexicon: &'t Lexicon<'a>,
    story: &'t Story,
    words: &'t Words,
    prospect: ProspectId,
    who: CharacterId,
}

impl Teller<'_, '_> {
    fn name(&self, who: CharacterId) -> &str {
        self.lexicon.name(self.story, self.words, Display::People, who)
    }

    fn shown(&self, shown: Shown, text: &mut String) {
        self.lexicon.shown_state(self.story, self.words, shown, text);
    }

    fn told(&self, told: &Told, text: &mut String) {
        match told {
            Told::State(shown) => self.shown(*shown, text),
            Told::Changed(before, now) if before == now => {
                text.push_str("No, still ");
                self.shown(*now, text);
            }
            Told::Changed(before, now) => {
                text.push_str("Yes, from “");
                self.shown(*before, text);
                text.push_str("” to “");
                self.shown(*now, text);
                text.push('”');
            }
            Told::Cause(cause) => self.cause(*cause, text),
            Told::Influence(basis, shown) => {
                self.basis(*basis, "", text);
                push_all(text, &[": so ", self.name(self.who), " "]);
                self.has(*shown, "", text);
            }
            Told::Course(states) => {
                for (at, shown) in states.iter().enumerate() {
                    text.push_str(if at == 0 { "“" } else { ", then “" });
                    self.shown(*shown, text);
                    text.push('”');
                }
            }
        }
    }

    /// Appends a state as what somebody has: "is hopeful", "wants to wait and see", "will wait for what comes".
    fn has(&self, shown: Shown, still: &str, text: &mut String) {
        match shown {
            Shown::Belief(..) => push_all(text, &[still, "thinks "]),
            Shown::Emotion(_) => push_all(text, &["is ", still]),
            Shown::Intention(_) => push_all(text, &[still, "wants "]),
            Shown::Action { .. } => push_all(text, &["will ", still]),
        }
        self.shown(shown, text);
    }

    fn cause(&self, cause: Cause, text: &mut String) {
        let who = self.name(self.who);
        match cause {
            Cause::Same(shown) => {
                push_all(text, &["It did not change: ", who, " "]);
                self.has(shown, "still ", text);
            }
            Cause::Heard(from, shown) => {
                let from = from.map_or("somebody", |from| self.name(from));
                push_all(text, &[who, " heard ", from, " say "]);
                self.shown(shown, text);
            }
            Cause::Basis(basis) => self.basis(basis, "now ", text),
            Cause::Agent(wants, agent) => {
                push_all(text, &[who, " still wants "]);
                self.shown(Shown::Intention(wants), text);
                let agent = agent.map_or("somebody else", |agent| self.name(agent));
                push_all(text, &[", but now ", agent, " is the one who brought it about"]);
            }
            Cause::Company(wants, addressee, whom) => {
                push_all(text, &[who, " still wants "]);
                self.shown(Shown::Intention(wants), text);
                let said = match (whom, addressee) {
                    (Some(whom), Addressee::Here) => [self.name(whom), " is with "],
                    (Some(whom), _) => [self.name(whom), " is not with "],
                    (None, Addressee::Here) => ["one of the others", " is with "],
                    (None, _) => ["none of the others", " is with "],
                };
                push_all(text, &[", but now ", said[0], said[1], who]);
            }
        }
    }

    /// Appends what a state follows from: "Ann thinks that …, having expected …".
    fn basis(&self, basis: Basis, now: &str, text: &mut String) {
        let who = self.name(self.who);
        match basis {
            Basis::Mood(Mood { thinks: None, .. }) => push_all(text, &[who, " has heard nothing of it"]),
            Basis::Mood(Mood { thinks, expected }) => {
                push_all(text, &[who, " ", now, "thinks "]);
                self.shown(Shown::Belief(self.prospect, thinks), text);
                let goals = &self.lexicon.prospect(self.words, self.prospect).goals;
                match expected {
                    Some(side) => push_all(text, &[", having expected ", &goals[side as usize]]),
                    None => text.push_str(", having expected neither side"),
                }
            }
            Basis::Feeling(feels, is_final) => {
                push_all(text, &[who, " is ", now]);
                self.shown(Shown::Emotion(feels), text);
                text.push_str(match is_final {
                    None => ", having heard nothing of it",
                    Some(true) => " and thinks that nothing can be done any more",
                    Some(false) => " and thinks that something can still be done",
                });
            }
            Basis::Want(wants) => {
                push_all(text, &[who, " ", now, "wants "]);
                self.shown(Shown::Intention(wants), text);
            }
        }
    }
}
