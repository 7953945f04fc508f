//! Stays: who was where, from when until when.

use super::case::Case;
use super::itinerary::Itinerary;
use super::mentions::Mentions;

/// A stay in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    /// The choice that the place is, if it is one.
    pub choice: Option<usize>,
    /// A number for the room: the same for two people if they are in one room. `None` for out of sight.
    pub room: Option<usize>,
    /// The number of events before it.
    pub from: usize,
    /// The number of events after which it is over.
    pub until: usize,
}

impl Stay {
    /// How many events it lasts.
    pub fn length(&self) -> usize {
        self.until - self.from
    }
}

/// What a story tells about where people and things are.
pub struct Diary<'a> {
    case: &'a Case,
    mentions: &'a Mentions,
    /// For each place of the itinerary, the choice that it is.
    choice_of: Vec<Option<usize>>,
    /// The number of events.
    pub steps: usize,
}

impl<'a> Diary<'a> {
    pub fn of(case: &'a Case, mentions: &'a Mentions) -> Self {
        let places = case.itinerary.as_ref().map_or(&[][..], Itinerary::places);
        let choice_of =
            places.iter().map(|place| case.choices.iter().position(|choice| choice == place)).collect();
        let steps = case.itinerary.as_ref().map_or(mentions.sentences, |told| told.steps);
        Self { case, mentions, choice_of, steps }
    }

    /// The stays of a person or thing, in order. Where walks are not known, every sentence that contains the name brings it
    /// to the choice that the sentence names last.
    pub fn stays(&self, name: &str) -> Vec<Stay> {
        let walked = self.case.itinerary.as_ref().and_then(|told| Some((told, told.who(name)?)));
        let mut stays = walked.map_or_else(|| self.named_with(name), |(told, who)| self.walked(told, who));
        for at in 1..stays.len() {
            stays[at - 1].until = stays[at].from;
        }
        if let Some(last) = stays.last_mut() {
            last.until = self.steps.max(last.from);
        }
        stays
    }

    fn walked(&self, told: &Itinerary, who: usize) -> Vec<Stay> {
        let start = told.start_of(who).map(|place| (0, Some(place)));
        let stops = told.stops().iter().filter(|stop| stop.who == who);
        let stops = stops.map(|stop| (stop.step.saturating_add(1), stop.place));
        let mut stays: Vec<Stay> = Vec::new();
        for (from, place) in start.into_iter().chain(stops) {
            let choice = |place: Option<usize>| place.and_then(|place| self.choice_of[place]);
            let room = told.room(place);
            // A room that is on offer has the number of the choice, as where walks are not known.
            let room = choice(room).or(room.map(|room| room + self.case.choices.len()));
            come(&mut stays, Stay { choice: choice(place), room, from, until: from });
        }
        stays
    }

    fn named_with(&self, name: &str) -> Vec<Stay> {
        let mut stays: Vec<Stay> = Vec::new();
        if name.is_empty() {
            return stays;
        }
        let sentences = self.mentions.sentences_with(&self.case.story, name);
        for &(sentence, choice) in &self.mentions.all {
            if sentences.binary_search(&sentence).is_ok() && self.case.choices[choice] != name {
                let from = sentence + 1;
                come(&mut stays, Stay { choice: Some(choice), room: Some(choice), from, until: from });
            }
        }
        stays
    }
}

/// Adds a stay. Who comes to several places at once is in the last of them, and who comes to where she is, stays.
fn come(stays: &mut Vec<Stay>, stay: Stay) {
    if stays.last().is_some_and(|last| last.from >= stay.from && stay.from > 0) {
        stays.pop();
    }
    if stays.last().is_none_or(|last| (last.choice, last.room) != (stay.choice, stay.room)) {
        stays.push(stay);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(case: &Case, name: &str) -> Vec<(Option<usize>, usize, usize)> {
        let mentions = Mentions::of(&case.story, &case.choices);
        let stays = Diary::of(case, &mentions).stays(name);
        stays.iter().map(|stay| (stay.choice, stay.from, stay.until)).collect()
    }

    #[test]
    fn stays_begin_with_an_event_and_end_with_the_next() {
        let story = "Ann enters b. Bob enters a. Ann enters a. Bob enters b.".to_owned();
        let choices = ["a", "b"].map(str::to_owned);
        let itinerary = Itinerary::of_sentences(&story, &"a".into(), &["Ann", "Bob"], &["a", "b"], &[]);
        let walks = Case { story, choices: choices.into(), itinerary, ..Case::default() };
        assert_eq!(read(&walks, "Ann"), [(Some(0), 0, 1), (Some(1), 1, 3), (Some(0), 3, 4)]);
        assert_eq!(read(&walks, "Bob"), [(Some(0), 0, 4), (Some(1), 4, 4)]);
        let told = Case { itinerary: None, ..walks };
        assert_eq!(read(&told, "Ann"), [(Some(1), 1, 3), (Some(0), 3, 4)]);
    }
}
