//! The events of a story as data.

use super::json::{push_all, push_number};
use crate::id::CharacterId;
use crate::plan::{Plan, Saying};
use crate::simulate::Story;
use crate::text::{Display, Lexicon, Words, movers};
use crate::world::{Act, Case, Hearers, How, Item, Part, Side, Telling, Value};

/// The events of a story as JSON: what its rows have as `events`. The words are spelt for JSON, with names as the storyboard
/// writes them.
///
/// ```
/// use storysim::{compile::compile, dataset::{escaped, events}, simulate::{Simulator, Story}, storyboard};
/// use storysim::text::{Display, Lexicon, Words};
/// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
/// let plan = compile(&board, &[]).unwrap().plan;
/// let (mut story, mut words) = (Story::default(), Words::default());
/// Simulator::new(&plan, 7).draw(0, &mut story);
/// let lexicon = Lexicon::new(&plan, 7, escaped).as_written(escaped);
/// lexicon.draw(&story, &mut words);
/// assert!(events(&plan, &lexicon, &story, &words, Display::People).starts_with("[[0,\""));
/// ```
pub fn events(plan: &Plan, lexicon: &Lexicon<'_>, story: &Story, words: &Words, display: Display) -> String {
    let mut text = String::new();
    EventWriter { plan, lexicon, story, words, display }.write_all(&mut text);
    text
}

/// Writes events as JSON: `[STEP, NAME, VERB, PLACE]` for a move, `[STEP, NAME, ACT, …]` for anything else.
pub(super) struct EventWriter<'r, 'a> {
    pub plan: &'a Plan,
    /// The words, with names as the storyboard writes them.
    pub lexicon: &'r Lexicon<'a>,
    pub story: &'r Story,
    pub words: &'r Words,
    pub display: Display,
}

impl EventWriter<'_, '_> {
    /// Appends all events as a list.
    pub(super) fn write_all(&self, text: &mut String) {
        text.push('[');
        (0..self.story.trace.events.len()).for_each(|step| self.write(step, text));
        if text.ends_with(',') {
            text.pop();
        }
        text.push(']');
    }

    /// Appends the event of a step, and who watches or misses it; each entry is followed by a comma.
    pub(super) fn write(&self, step: usize, text: &mut String) {
        let event = self.story.trace.events[step];
        if self.display == Display::Things {
            movers(self.story, step).for_each(|who| self.go(step, who, text));
            return;
        }
        let Some(deed) = self.story.trace.deeds.get(step) else { return self.go(step, event.who, text) };
        match &deed.act {
            Act::Go => self.go(step, event.who, text),
            act => {
                self.begin(step, event.who, key(act), text);
                self.details(step, act, text);
                text.push_str("],");
            }
        }
        for &who in &deed.peeking {
            self.begin(step, who, "peek", text);
            text.push_str("],");
        }
        for distraction in &deed.distracted {
            self.begin(step, distraction.who, "distracted", text);
            text.push_str(if distraction.is_noticed { ",true]," } else { ",false]," });
        }
    }

    /// Appends a move, with the board's own verb.
    fn go(&self, step: usize, who: CharacterId, text: &mut String) {
        let (verb, place) = self.lexicon.event(self.story, self.words, self.display, step);
        self.begin(step, who, verb, text);
        push_all(text, &[",\"", place, "\"],"]);
    }

    fn begin(&self, step: usize, who: CharacterId, act: &str, text: &mut String) {
        text.push('[');
        push_number(text, step);
        push_all(text, &[",\"", self.name(who), "\",\"", act, "\""]);
    }

    fn details(&self, step: usize, act: &Act, text: &mut String) {
        let is_news = matches!(act, Act::Turn(_));
        act.parts().for_each(|part| self.part(part, is_news, text));
        if act.form().goes {
            self.value(Value::Place(self.story.trace.events[step].to), text);
        }
    }

    /// Appends a part of a deed; of news, everyone there is told.
    fn part(&self, part: Part, is_news: bool, text: &mut String) {
        match part {
            Part::Company(others) => self.people(&others, text),
            Part::Person(who) => push_all(text, &[",\"", self.name(who), "\""]),
            Part::Place(place) => self.value(Value::Place(place), text),
            Part::Object(object) => self.item(Item::Object(object), text),
            Part::Container(container) => self.value(Value::Container(container), text),
            Part::Spot(spot) => self.value(spot, text),
            Part::Liking((attitude, likes)) => {
                let staging = self.plan.staging.as_ref().expect("a plan with things");
                match staging.propositions[attitude.index()].says {
                    Saying::Likes(_, thing) => push_all(text, &[",\"", self.lexicon.attitude(thing), "\""]),
                    Saying::Words { .. } | Saying::Of(_) => self.item(Item::Proposition(attitude), text),
                }
                self.value(Value::Truth(likes), text);
            }
            Part::Fact((fact, is_so)) => {
                self.item(Item::Proposition(fact), text);
                self.value(Value::Truth(is_so), text);
            }
            Part::Telling(Telling {
                item: item @ Item::Prospect(_),
                value,
                hearers: Hearers::Present,
                ..
            }) if is_news => {
                self.item(item, text);
                self.value(value, text);
            }
            Part::Telling(Telling { hearers, item, value, believers }) => {
                match &hearers {
                    Hearers::Present => text.push_str(",\"present\""),
                    Hearers::Named(hearers) | Hearers::Afar(hearers) => self.people(hearers, text),
                }
                self.item(item, text);
                self.value(value, text);
                if let Some(believers) = believers {
                    self.people(&believers, text);
                }
            }
        }
    }

    fn name(&self, who: CharacterId) -> &str {
        self.lexicon.name(self.story, self.words, self.display, who)
    }

    fn people(&self, people: &[CharacterId], text: &mut String) {
        text.push_str(",[");
        for (at, &who) in people.iter().enumerate() {
            push_all(text, &[if at == 0 { "\"" } else { ",\"" }, self.name(who), "\""]);
        }
        text.push(']');
    }

    fn item(&self, item: Item, text: &mut String) {
        if let Item::Proposition(proposition) = item
            && let Some(staging) = &self.plan.staging
            && let Saying::Likes(who, thing) = staging.propositions[proposition.index()].says
        {
            return push_all(text, &[",\"", self.name(who), " likes ", self.lexicon.attitude(thing), "\""]);
        }
        push_all(text, &[",\"", self.lexicon.item(self.story, self.words, self.display, item), "\""]);
    }

    /// How a prospect stands: `{"side":1,"is":"settled","by":"Ann","final":false}`.
    fn case(&self, case: Case, text: &mut String) {
        text.push_str(if case.side() == Side::First { ",{\"side\":1" } else { ",{\"side\":2" });
        match case.how() {
            How::Likely => text.push_str(",\"is\":\"likely\",\"by\":null"),
            How::ByNobody => text.push_str(",\"is\":\"settled\",\"by\":null"),
            How::By(who) => push_all(text, &[",\"is\":\"settled\",\"by\":\"", self.name(who), "\""]),
        }
        text.push_str(if case.is_final() { ",\"final\":true}" } else { ",\"final\":false}" });
    }

    fn value(&self, value: Value, text: &mut String) {
        let name = match value {
            Value::Truth(is_true) => return text.push_str(if is_true { ",true" } else { ",false" }),
            Value::Place(place) => self.lexicon.place(place),
            Value::Container(container) => self.lexicon.container(container),
            Value::Hands(who) => self.name(who),
            Value::Case(case) => return self.case(case, text),
            Value::NoCase => return text.push_str(",null"),
        };
        push_all(text, &[",\"", name, "\""]);
    }
}

/// The name of an act in events.
const fn key(act: &Act) -> &'static str {
    match act {
        Act::Tell(Telling { hearers: Hearers::Afar(_), .. }) => "phone",
        act => act.form().event,
    }
}
