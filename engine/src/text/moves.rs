//! The sentences of those who walk, copied whole.
//!
//! `NAME VERB PLACE. ` is short, and there are few of them; but a story has hundreds. So each is kept in a piece of
//! memory of one size, which is copied without a look at how long the sentence is; the next one overwrites what is
//! too much.

use crate::world::Event;

/// The largest number of sentences that are stored. More would not stay in a cache.
const SENTENCES_MAX: usize = 1 << 13;

/// All sentences that say who went where, each with a space at the end.
#[derive(Clone, Debug)]
pub(super) enum Sentences {
    Short(Kept<32>),
    Long(Kept<64>),
}

/// Sentences stored in `SIZE` bytes each, where the last byte gives the length.
#[derive(Clone, Debug)]
pub(super) struct Kept<const SIZE: usize> {
    sentences: Vec<[u8; SIZE]>,
    verbs: usize,
    places: usize,
}

/// The moves in some steps of a story.
#[derive(Clone, Copy)]
pub(super) struct Course<'s> {
    pub events: &'s [Event],
    /// For each event, its verb; empty if there is only one verb.
    pub verbs: &'s [u32],
    /// For each character, its name.
    pub names: &'s [usize],
}

impl Sentences {
    /// The sentences of these words; `None` if there are too many, or some are too long. Verbs have a space on either side.
    pub fn new(people: &[String], verbs: &[String], places: &[String]) -> Option<Self> {
        let count = people.len().checked_mul(verbs.len())?.checked_mul(places.len())?;
        let longest = |words: &[String]| words.iter().map(String::len).max();
        let length = longest(people)? + longest(verbs)? + longest(places)? + ". ".len();
        match length {
            _ if count > SENTENCES_MAX => None,
            ..32 => Some(Self::Short(Kept::new(people, verbs, places))),
            32..64 => Some(Self::Long(Kept::new(people, verbs, places))),
            _ => None,
        }
    }

    /// Appends the sentences for some moves.
    pub fn tell(&self, course: Course<'_>, text: &mut String) {
        match self {
            Self::Short(kept) => kept.tell(course, text),
            Self::Long(kept) => kept.tell(course, text),
        }
    }
}

impl<const SIZE: usize> Kept<SIZE> {
    fn new(people: &[String], verbs: &[String], places: &[String]) -> Self {
        let mut sentences = Vec::with_capacity(people.len() * verbs.len() * places.len());
        for name in people {
            for verb in verbs {
                sentences.extend(places.iter().map(|place| {
                    let sentence = [name, verb, place, ". "].concat();
                    let mut kept = [0; SIZE];
                    kept[..sentence.len()].copy_from_slice(sentence.as_bytes());
                    kept[SIZE - 1] = sentence.len() as u8;
                    kept
                }));
            }
        }
        Self { sentences, verbs: verbs.len(), places: places.len() }
    }

    /// Appends the sentences for some moves. Costs O(1) per sentence.
    fn tell(&self, Course { events, verbs, names }: Course<'_>, text: &mut String) {
        // SAFETY: whole sentences are appended, each of which was a string; see also the assertion below.
        let bytes = unsafe { text.as_mut_vec() };
        let from = bytes.len();
        let per_name = self.verbs * self.places;
        let mut tell = |event: &Event, verb: usize| {
            let number = names[event.who.index()] * per_name + verb * self.places + event.to.index();
            let sentence = &self.sentences[number];
            bytes.extend_from_slice(sentence);
            bytes.truncate(bytes.len() - SIZE + usize::from(sentence[SIZE - 1]));
        };
        if verbs.is_empty() {
            events.iter().for_each(|event| tell(event, 0));
        } else {
            events.iter().zip(verbs).for_each(|(event, &verb)| tell(event, verb as usize));
        }
        debug_assert!(str::from_utf8(&bytes[from..]).is_ok());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{CharacterId, PlaceId};

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    /// Sentences of any length and script, one by one and many at once.
    #[test]
    fn sentences_are_what_is_written_out() {
        let people = owned(&["Al", "Zoë", "Ἀνή", "李"]);
        let short = owned(&["a", "Küche", "the_hall"]);
        let long = owned(&["a", "the_place_where_the_river_meets", "x"]);
        let verbs = owned(&[" enters ", " goes to "]);
        for (places, verbs, is_long) in
            [(&short, &verbs[..1], false), (&short, &verbs[..], false), (&long, &verbs[..], true)]
        {
            let sentences = Sentences::new(&people, verbs, places).unwrap();
            assert_eq!(matches!(sentences, Sentences::Long(_)), is_long);
            let names = [3, 1, 2];
            let event = |step: usize| {
                let (who, to) = (CharacterId::new(step % 3), PlaceId::new(step / 3 % 3));
                Event { who, from: to, to }
            };
            let drawn: Vec<u32> = (0..100).map(|step| step / 7 % verbs.len() as u32).collect();
            let drawn = if verbs.len() > 1 { &drawn[..] } else { &[] };
            let events: Vec<Event> = (0..100).map(event).collect();
            let mut text = "Before: ".to_owned();
            let mut wanted = text.clone();
            for (step, event) in events.iter().enumerate() {
                let verb = drawn.get(step).map_or(0, |&verb| verb as usize);
                wanted += &people[names[event.who.index()]];
                wanted += &verbs[verb];
                wanted += &places[event.to.index()];
                wanted += ". ";
            }
            sentences.tell(Course { events: &events, verbs: drawn, names: &names }, &mut text);
            assert_eq!(text, wanted);
        }
    }

    #[test]
    fn there_are_none_where_they_would_be_long_or_many() {
        let one = owned(&["a"]);
        for length in [1, 24, 25, 26, 55, 56, 57, 58, 59, 60, 200] {
            let places = vec!["p".repeat(length)];
            let sentences = Sentences::new(&one, &owned(&[" to "]), &places);
            match length + "a to . ".len() {
                ..32 => assert!(matches!(sentences, Some(Sentences::Short(_))), "{length}"),
                32..64 => assert!(matches!(sentences, Some(Sentences::Long(_))), "{length}"),
                _ => assert!(sentences.is_none(), "{length}"),
            }
        }
        let many = vec!["n".to_owned(); 1 << 7];
        assert!(Sentences::new(&many, &owned(&[" to "]), &many[..64]).is_some());
        assert!(Sentences::new(&many, &owned(&[" to "]), &many[..65]).is_none());
        assert!(Sentences::new(&one, &owned(&[" to "]), &[]).is_none());
    }
}
