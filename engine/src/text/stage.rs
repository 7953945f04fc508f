//! Prospects, settings and profiles in words: where a story takes place, what is announced, what people may think of it, and
//! the rules by which they feel.
//!
//! Nothing that somebody thinks, feels, wants or does is ever told in a story. So all of it has to follow from who was where, from
//! what was announced, from what she wants, and from the rules.

mod announced;
mod scene;
mod small_talk;
mod told;
mod words;

use super::{Lexicon, Words};
use crate::id::{PlaceId, ProspectId};
use crate::question::Courses;
use crate::rng::{Stream, below, sample_to_front};
use crate::simulate::Story;
use crate::world::Act;
use small_talk::SmallTalkDrawn;
pub(super) use words::NewsWords;
use words::ProspectIn;

/// The parts of the stream of words for what is drawn once a story, and for the first scenario; those of others follow.
const STORY_PART: u64 = 8;
const SCENARIO_PART: u64 = 16;

/// In how many ways something is announced.
const FRAMES: u32 = 8;

/// What is said of when a scenario takes place; none of them matters.
const LATER: [&str; 14] = [
    "the next day",
    "two days later",
    "three days later",
    "a few days later",
    "later that week",
    "at the end of the week",
    "a week later",
    "the week after",
    "ten days later",
    "some time later",
    "two weeks later",
    "the following week",
    "the day after",
    "several days later",
];

/// How old people are.
const AGES: (u32, u32) = (24, 64);

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
    /// What is said of when scenarios take place, in order.
    later: Vec<usize>,
    small_talk: SmallTalkDrawn,
    /// For each of whom something is said, her age and the numbers of what is said.
    profiles: Vec<[usize; 5]>,
    relation: usize,
    /// What becomes of those who are asked about.
    pub(super) courses: Vec<Courses>,
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
        drawn.later.extend(0..LATER.len());
        sample_to_front(&mut stream, &mut drawn.later, LATER.len());
        let mut scenario = None;
        for step in 0..story.trace.events.len() {
            if scenario != Some(step / steps) {
                scenario = Some(step / steps);
                stream = self.key.stream(story.index, SCENARIO_PART + (step / steps) as u64);
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
        self.draw_small_talk(story, &mut drawn.small_talk);
        drawn.courses.clear();
        drawn.courses.extend(words.courses.iter().map(|plan| plan.courses(story)));
    }

    /// Draws the words of a twin whose story's words these are.
    pub(super) fn draw_news_again(&self, twin: &Story, drawn: &mut NewsDrawn) {
        let small_talk = std::mem::take(&mut drawn.small_talk);
        self.draw_news(twin, drawn);
        drawn.small_talk = small_talk;
        self.keep_small_talk(twin, &mut drawn.small_talk);
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
                    // No two people have the same surname or work, or are alike, as long as there are enough of each.
                    _ => {
                        let taken = |drawn: &NewsDrawn, number| {
                            drawn.profiles[..at].iter().any(|known| known[part] == number)
                        };
                        let mut drawn_number = pick(stream, counts[part]);
                        while counts[part] > at && taken(drawn, drawn_number) {
                            drawn_number = pick(stream, counts[part]);
                        }
                        drawn_number
                    }
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

    /// The words of a prospect of a story.
    pub(super) fn prospect<'l>(&'l self, words: &Words, prospect: ProspectId) -> &'l ProspectIn {
        let news = self.news.as_ref().expect("a plan with prospects");
        &news.prospects[prospect.index()][words.news.prospects[prospect.index()]]
    }
}

fn pick(stream: &mut Stream, count: usize) -> usize {
    below(stream, u32::try_from(count).expect("few")) as usize
}
