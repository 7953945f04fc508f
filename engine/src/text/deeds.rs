//! What people do with things and say to each other, in sentences.
//!
//! A plain sentence tells what happens and to whom, without pronouns; who misses it or watches it in secret is told by a
//! sentence of its own after it. A lie is told like any other telling: what its speaker thinks follows from the
//! story.

use std::borrow::Cow;

use super::{Display, Lexicon, Spelling, Wording, Words, push_all};
use crate::form::{Hole, Piece, SentenceKind};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId, ProspectId};
use crate::plan::{NotePiece, Saying, Staging};
use crate::simulate::Story;
use crate::spelling::{at_start, with_article};
use crate::storyboard::{Facet, OfMatter};
use crate::world::{Act, Hearers, Item, Part, Scene, Telling, Value};

/// The words for things and for what is said of them, in one spelling.
#[derive(Clone, Debug)]
pub(super) struct StageWords {
    objects: Vec<Noun>,
    containers: Vec<Noun>,
    attitudes: Vec<Noun>,
    propositions: Vec<PropositionWords>,
    prospects: Vec<String>,
}

/// The name of a thing.
#[derive(Clone, Debug)]
struct Noun {
    bare: String,
    /// The name in a sentence, with an article if it takes one.
    full: String,
}

#[derive(Clone, Debug)]
struct PropositionWords {
    name: String,
    saying: Said,
}

/// How a proposition is put.
#[derive(Clone, Debug)]
enum Said {
    Words { says: Wording, denies: Wording },
    Of(OfMatter),
    Likes(CharacterId, usize),
}

impl Noun {
    fn new(name: &str, spelling: &Spelling<impl Fn(&str) -> String>) -> Self {
        Self { bare: spelling.name(name), full: spelling.spell(&with_article(name)) }
    }
}

impl StageWords {
    pub(super) fn new(staging: &Staging, spelling: &Spelling<impl Fn(&str) -> String>) -> Self {
        let clause = |pieces: &[NotePiece]| spelling.wording(pieces, false);
        let propositions = staging.propositions.iter().map(|proposition| PropositionWords {
            name: spelling.name(&proposition.name),
            saying: match &proposition.says {
                Saying::Words { says, denies } => Said::Words { says: clause(says), denies: clause(denies) },
                Saying::Of(of) => Said::Of(*of),
                Saying::Likes(who, thing) => Said::Likes(*who, *thing),
            },
        });
        let containers = staging.containers.iter();
        Self {
            objects: staging.objects.iter().map(|object| Noun::new(&object.name, spelling)).collect(),
            containers: containers.map(|container| Noun::new(&container.name, spelling)).collect(),
            attitudes: staging.attitudes.iter().map(|thing| Noun::new(thing, spelling)).collect(),
            propositions: propositions.collect(),
            prospects: staging.prospects.iter().map(|prospect| spelling.name(&prospect.name)).collect(),
        }
    }

    /// The bare name of an object. Those of other things follow.
    pub(super) fn object(&self, object: ObjectId) -> &str {
        &self.objects[object.index()].bare
    }

    pub(super) fn container(&self, container: ContainerId) -> &str {
        &self.containers[container.index()].bare
    }

    pub(super) fn proposition(&self, proposition: PropositionId) -> &str {
        &self.propositions[proposition.index()].name
    }

    pub(super) fn prospect(&self, prospect: ProspectId) -> &str {
        &self.prospects[prospect.index()]
    }

    pub(super) fn attitude(&self, thing: usize) -> &str {
        &self.attitudes[thing].bare
    }

    /// The name of an object as a sentence has it. Those of other things follow.
    pub(super) fn the_object(&self, object: ObjectId) -> &str {
        &self.objects[object.index()].full
    }

    pub(super) fn the_container(&self, container: ContainerId) -> &str {
        &self.containers[container.index()].full
    }

    pub(super) fn the_attitude(&self, thing: usize) -> &str {
        &self.attitudes[thing].full
    }
}

/// The characters who go somewhere at a step.
pub fn movers(story: &Story, step: usize) -> impl Iterator<Item = CharacterId> + '_ {
    let act = story.trace.deeds.get(step).map_or(&Act::Go, |deed| &deed.act);
    Scene::movers(story.trace.events[step], act)
}

impl Lexicon<'_> {
    /// Appends what is done at a step, without a full stop: the sentence of the deed's form.
    pub(super) fn deed(&self, story: &Story, words: &Words, step: usize, act: &Act, text: &mut String) {
        if let Act::Turn(news) = act {
            return self.announcement(story, words, step, news, text);
        }
        for (at, piece) in act.form().sentence().iter().enumerate() {
            match *piece {
                Piece::Words(piece) => text.push_str(piece),
                Piece::Hole(hole) => self.hole(story, words, (step, act), (hole, at == 0), text),
            }
        }
    }

    /// Appends what is named in a hole of a sentence about a deed, and whether the sentence begins there.
    pub(super) fn hole(
        &self,
        story: &Story,
        words: &Words,
        (step, act): (usize, &Act),
        (hole, is_at_start): (Hole, bool),
        text: &mut String,
    ) {
        let event = story.trace.events[step];
        let from = text.len();
        match hole {
            Hole::Who if is_at_start => {
                return text.push_str(self.name_at_start(story, words, Display::People, event.who));
            }
            Hole::Who => text.push_str(self.name(story, words, Display::People, event.who)),
            Hole::Everyone => {
                let all: Vec<CharacterId> = Scene::movers(event, act).collect();
                return match is_at_start {
                    true => self.names_at_start(story, words, Display::People, &all, text),
                    false => self.names(story, words, Display::People, &all, text),
                };
            }
            Hole::Verb => text.push_str(self.verb(words, step).trim()),
            Hole::Here => text.push_str(self.place_in(words, event.from)),
            Hole::There => text.push_str(self.place_in(words, event.to)),
            Hole::Part(at) => {
                let part = act.part(at).expect("the parts of the form");
                self.part(story, words, event.from, &part, text);
            }
        }
        if is_at_start
            && self.is_shown
            && let Cow::Owned(capital) = at_start(&text[from..])
        {
            text.replace_range(from.., &capital);
        }
    }

    /// Appends one part of a deed that is done in the place `here`.
    fn part(&self, story: &Story, words: &Words, here: PlaceId, part: &Part, text: &mut String) {
        let stage = || self.stage();
        match part {
            Part::Company(others) => self.names(story, words, Display::People, others, text),
            Part::Person(who) => text.push_str(self.name(story, words, Display::People, *who)),
            Part::Place(place) => text.push_str(self.place_in(words, *place)),
            Part::Object(object) => text.push_str(stage().the_object(*object)),
            Part::Container(container) => text.push_str(stage().the_container(*container)),
            Part::Spot(Value::Container(container)) => {
                push_all(text, &[" in ", stage().the_container(*container)]);
            }
            Part::Spot(_) => push_all(text, &[" down in ", self.place_in(words, here)]),
            Part::Liking((attitude, likes)) => {
                self.fact(story, words, Item::Proposition(*attitude), Value::Truth(*likes), text);
            }
            Part::Fact((fact, is_so)) => {
                self.fact(story, words, Item::Proposition(*fact), Value::Truth(*is_so), text);
            }
            Part::Telling(telling) => self.telling(story, words, here, telling, text),
        }
    }

    /// Appends what is said and to whom.
    fn telling(&self, story: &Story, words: &Words, here: PlaceId, telling: &Telling, text: &mut String) {
        match &telling.hearers {
            Hearers::Present => {
                push_all(text, &[" tells everyone in ", self.place_in(words, here), " that "])
            }
            Hearers::Named(hearers) => {
                text.push_str(" whispers to ");
                self.names(story, words, Display::People, hearers, text);
                text.push_str(" that ");
            }
            Hearers::Afar(hearers) => {
                text.push_str(" phones ");
                self.names(story, words, Display::People, hearers, text);
                text.push_str(if hearers.len() == 1 {
                    " and says that "
                } else {
                    ", all in one call, and says that "
                });
            }
        }
        self.said(story, words, telling, text);
    }

    /// Appends what is said, and who believes it if that is not left to the board.
    pub(super) fn said(&self, story: &Story, words: &Words, telling: &Telling, text: &mut String) {
        self.fact(story, words, telling.item, telling.value, text);
        match telling.believers.as_deref() {
            None => {}
            Some([]) => text.push_str(", which nobody believes"),
            Some(believers) => {
                text.push_str(", which is believed by ");
                self.names(story, words, Display::People, believers, text);
            }
        }
    }

    /// Appends a statement about an item: "the marble is in the box".
    pub(super) fn fact(&self, story: &Story, words: &Words, item: Item, value: Value, text: &mut String) {
        let name = |who| self.name(story, words, Display::People, who);
        let stage = || self.stage();
        match (item, value) {
            (Item::Proposition(proposition), Value::Truth(is_true)) => {
                match &stage().propositions[proposition.index()].saying {
                    Said::Words { says, denies } => {
                        self.note(story, if is_true { says } else { denies }, text);
                    }
                    Said::Of(OfMatter { matter, facet: Facet::Claim }) => {
                        self.claim(story, words, *matter, is_true, text);
                    }
                    Said::Of(_) => unreachable!("the only thing of a matter that one can state is the claim"),
                    Said::Likes(who, thing) => {
                        let likes = if is_true { " likes " } else { " dislikes " };
                        push_all(text, &[name(*who), likes, stage().the_attitude(*thing)]);
                    }
                }
            }
            (Item::Prospect(prospect), Value::Case(case)) => {
                self.passed_on(story, words, (prospect, case), text);
            }
            (Item::Lid(container), Value::Truth(is_open)) => {
                push_all(
                    text,
                    &[stage().the_container(container), if is_open { " is open" } else { " is closed" }],
                );
            }
            (Item::Object(object), Value::Hands(who)) => {
                push_all(text, &[name(who), " has ", stage().the_object(object)]);
            }
            (item, value) => {
                let subject = match item {
                    Item::Character(who) => name(who),
                    Item::Object(object) => stage().the_object(object),
                    Item::Lid(_) | Item::Proposition(_) | Item::Prospect(_) => {
                        unreachable!("these are true or not, or stand somehow")
                    }
                };
                let spot = match value {
                    Value::Place(place) => self.place_in(words, place),
                    Value::Container(container) => stage().the_container(container),
                    Value::Hands(_) | Value::Truth(_) | Value::Case(_) | Value::NoCase => {
                        unreachable!("a character is in a place")
                    }
                };
                push_all(text, &[subject, " is in ", spot]);
            }
        }
    }

    /// The sentences after the event of a step that say who watches or misses it.
    pub fn asides(&self, story: &Story, words: &Words, step: usize) -> Vec<String> {
        let Some(deed) = story.trace.deeds.get(step) else { return Vec::new() };
        // Who overhears a whisper may be in the same place.
        let peeks = match deed.act {
            Act::Tell(_) => SentenceKind::Overheard,
            _ => SentenceKind::Watched,
        };
        let peeking = deed.peeking.iter().map(|&who| (peeks, who));
        let distracted =
            deed.distracted.iter().map(|missed| (SentenceKind::Missed(missed.is_noticed), missed.who));
        let aside = |(number, (kind, who))| {
            let worded = self.worded_aside(story, words, (step, number), (kind, who));
            worded.unwrap_or_else(|| self.aside(story, words, kind, who))
        };
        (0..).zip(peeking.chain(distracted)).map(aside).collect()
    }

    /// A sentence on somebody who watches or misses an event.
    fn aside(&self, story: &Story, words: &Words, kind: SentenceKind, who: CharacterId) -> String {
        let name = self.name_at_start(story, words, Display::People, who);
        match kind {
            SentenceKind::Overheard => format!("{name} overhears this, and nobody notices that."),
            SentenceKind::Missed(is_noticed) => {
                let notice = if is_noticed { "the others notice" } else { "nobody notices" };
                format!("{name} is distracted and misses this, and {notice} that.")
            }
            SentenceKind::Watched | SentenceKind::Deed(_) | SentenceKind::Told(_) => {
                let whom = self.name(story, words, Display::People, who);
                format!("{name} watches this from elsewhere, and nobody notices {whom}.")
            }
        }
    }
}
