//! Reads a row's context and story as a person does who knows English, and nothing of the storyboard.

use storysim::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};
use storysim::trace::Trace;
use storysim::world::{
    Act, Container, Deed, Distraction, Event, Hearers, Item, Knowledge, Scene, Telling, Thing, Trust, Value,
};

/// What people can be said to do when they go somewhere.
const GOING: [&str; 5] = ["enters", "walks to", "goes to", "runs to", "steps into"];

/// How what is general begins, after what is so in this story.
const RULES: [&str; 3] = ["The story tells", "Everyone knows all of this", "Everything else"];

/// All that the prose says. Things are called as they are in answers: without the article.
#[derive(Default)]
pub struct Told {
    /// In the order of the first sentence.
    pub people: Vec<String>,
    pub places: Vec<String>,
    pub containers: Vec<String>,
    pub objects: Vec<String>,
    /// What is true or not: how that is said, and how the contrary is, if not by a plain "not".
    pub statements: Vec<(String, String)>,
    /// What people like or dislike: each a proposition for everyone, after the statements.
    pub attitudes: Vec<String>,
    pub trace: Trace,
    /// Of each step, what is said that someone does who goes.
    pub verbs: Vec<String>,
    /// How often it is said of somebody that she likes or dislikes something.
    named: usize,
    /// The sentences of the story, each with its step if it tells of an event.
    pub sentences: Vec<(String, Option<usize>)>,
}

/// Sentences, with the marks at their ends.
pub fn sentences(text: &str) -> Vec<&str> {
    text.split_inclusive(['.', '!', '?']).map(str::trim).filter(|sentence| !sentence.is_empty()).collect()
}

/// `Ann, Bob and Cid`.
pub fn list(names: &str) -> Vec<&str> {
    names.split(", ").flat_map(|names| names.split(" and ")).collect()
}

pub fn bare(name: &str) -> &str {
    name.strip_prefix("the ").unwrap_or(name)
}

fn position(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|known| known == name)
}

/// The number of a name, a new one if it is new.
fn number(names: &mut Vec<String>, name: &str) -> usize {
    position(names, name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

impl Told {
    pub fn new(context: &str, story: &str) -> Self {
        let mut told = Self::default();
        told.read_context(context);
        told.read_story(story);
        told
    }

    pub fn person(&self, name: &str) -> Option<CharacterId> {
        position(&self.people, name).map(CharacterId::new)
    }

    pub fn people_in(&self, names: &str) -> Vec<CharacterId> {
        let person = |name| self.person(name).unwrap_or_else(|| panic!("{name:?} of {names:?}"));
        list(names).into_iter().map(person).collect()
    }

    fn place(&mut self, name: &str) -> PlaceId {
        PlaceId::new(number(&mut self.places, name))
    }

    pub fn object(&self, name: &str) -> Option<ObjectId> {
        position(&self.objects, bare(name)).map(ObjectId::new)
    }

    fn container(&self, name: &str) -> Option<ContainerId> {
        position(&self.containers, bare(name)).map(ContainerId::new)
    }

    /// Whether someone likes something.
    pub fn attitude(&self, who: CharacterId, thing: usize) -> Item {
        let at = self.statements.len() + thing * self.people.len() + who.index();
        Item::Proposition(PropositionId::new(at))
    }

    /// A place or a container.
    fn spot(&mut self, name: &str) -> Value {
        match self.container(name) {
            Some(container) => Value::Container(container),
            None => Value::Place(self.place(name)),
        }
    }

    /// What a clause says is so.
    pub fn fact(&mut self, clause: &str) -> (Item, Value) {
        for (at, (says, denies)) in self.statements.iter().enumerate() {
            if clause == says || clause == denies || clause != affirmed(clause) && affirmed(clause) == *says {
                return (Item::Proposition(PropositionId::new(at)), Value::Truth(clause == says));
            }
        }
        for (verb, likes) in [(" likes ", true), (" dislikes ", false)] {
            if let Some((who, thing)) = clause.split_once(verb) {
                let thing = position(&self.attitudes, bare(thing)).unwrap();
                return (self.attitude(self.person(who).unwrap(), thing), Value::Truth(likes));
            }
        }
        for (is, is_open) in [(" is open", true), (" is closed", false)] {
            if let Some(container) = clause.strip_suffix(is) {
                return (Item::Lid(self.container(container).unwrap()), Value::Truth(is_open));
            }
        }
        if let Some((who, object)) = clause.split_once(" has ") {
            return (Item::Object(self.object(object).unwrap()), Value::Hands(self.person(who).unwrap()));
        }
        let (what, spot) = clause.split_once(" is in ").unwrap_or_else(|| panic!("{clause:?}"));
        let item = match self.person(what) {
            Some(who) => Item::Character(who),
            None => Item::Object(self.object(what).unwrap_or_else(|| panic!("{clause:?}"))),
        };
        (item, self.spot(spot))
    }

    fn read_context(&mut self, context: &str) {
        let sentences = sentences(context);
        let mut sentences = sentences.iter().map(|sentence| sentence.trim_end_matches('.'));
        let first = sentences.next().unwrap();
        let first =
            first.strip_suffix(", and everyone knows that, and knows that everyone does").unwrap_or(first);
        if let Some(everyone) = first.strip_prefix("At the start ") {
            for (who, place) in list(everyone).iter().map(|each| each.split_once(" is in ").unwrap()) {
                self.people.push(who.to_owned());
                let place = self.place(place);
                self.trace.start.push(place);
            }
        } else {
            let (everyone, place) = first.split_once(" start in ").unwrap();
            self.people = list(everyone).into_iter().map(str::to_owned).collect();
            self.trace.start = vec![self.place(place); self.people.len()];
        }
        let mut last = None;
        let mut alternatives = None;
        for sentence in sentences.by_ref() {
            if RULES.iter().any(|rules| sentence.starts_with(rules)) {
                break;
            }
            self.read_fact(sentence, &mut last, &mut alternatives);
        }
        self.trace.stage.trust = trust(context);
        assert_eq!(self.named, self.attitudes.len() * self.people.len(), "who likes what: {context}");
    }

    /// A sentence on how things are at the start. `last` is the thing that was last spoken of.
    fn read_fact(
        &mut self,
        sentence: &str,
        last: &mut Option<Item>,
        alternatives: &mut Option<(String, String)>,
    ) {
        if let Some((place, container)) = between(sentence, "In ", " stands ") {
            let (name, state) = container.split_once(", which is ").unwrap();
            self.containers.push(bare(name).to_owned());
            let container = Container { place: self.place(place), is_open: state == "open" };
            assert!(["open", "closed"].contains(&state), "{sentence:?}");
            self.trace.stage.containers.push(container);
        } else if let Some(fact) = sentence.strip_prefix("At the start ") {
            let name =
                fact.split_once(" has ").map_or_else(|| fact.split(" is in ").next().unwrap(), |has| has.1);
            self.objects.push(bare(name).to_owned());
            let (item, value) = self.fact(fact);
            self.trace.stage.objects.push(Thing { value, knowledge: Vec::new() });
            *last = Some(item);
        } else if let Some((says, denies)) = between(sentence, "Either ", " or ") {
            *alternatives = Some((says.to_owned(), denies.to_owned()));
        } else if let Some(fact) = sentence.strip_prefix("In truth ") {
            let plain = (affirmed(fact), String::new());
            self.statements.push(alternatives.take().unwrap_or(plain));
            let (item, value) = self.fact(fact);
            self.trace.stage.propositions.push(Thing { value, knowledge: Vec::new() });
            *last = Some(item);
        } else if let Some(who) = sentence.strip_prefix("Only ") {
            let who = who.strip_suffix(" knows this").or(who.strip_suffix(" know this")).unwrap();
            self.know(last.unwrap(), who, Knowledge::Right);
        } else if sentence == "Nobody knows this" {
            self.knowledge(last.unwrap());
        } else if let Some((who, fact)) =
            sentence.split_once(" wrongly thinks that ").or(sentence.split_once(" wrongly think that "))
        {
            let (item, _) = self.fact(fact);
            assert_eq!(Some(item), *last, "{sentence:?}");
            self.know(item, who, Knowledge::Wrong);
        } else if let Some(who) =
            sentence.strip_suffix(" has no idea").or(sentence.strip_suffix(" have no idea"))
        {
            self.know(last.unwrap(), who, Knowledge::Nothing);
        } else {
            self.read_attitude(sentence);
        }
    }

    fn read_attitude(&mut self, sentence: &str) {
        for (verb, likes) in
            [(" likes ", true), (" like ", true), (" dislikes ", false), (" dislike ", false)]
        {
            let Some((who, thing)) = sentence.split_once(verb) else { continue };
            let known = self.attitudes.len();
            let thing = number(&mut self.attitudes, bare(thing));
            if thing == known {
                for at in 0..self.people.len() {
                    let mut knowledge = vec![Knowledge::Nothing; self.people.len()];
                    knowledge[at] = Knowledge::Right;
                    let value = Value::Truth(false);
                    self.trace.stage.propositions.push(Thing { value, knowledge });
                }
            }
            for who in self.people_in(who) {
                let Item::Proposition(attitude) = self.attitude(who, thing) else { unreachable!() };
                self.trace.stage.propositions[attitude.index()].value = Value::Truth(likes);
                self.named += 1;
            }
            return;
        }
        panic!("{sentence:?}");
    }

    /// Who knows a thing of which not everyone does.
    fn knowledge(&mut self, item: Item) -> &mut Vec<Knowledge> {
        let stage = &mut self.trace.stage;
        let thing = match item {
            Item::Object(object) => &mut stage.objects[object.index()],
            Item::Proposition(proposition) => &mut stage.propositions[proposition.index()],
            Item::Character(_) | Item::Lid(_) | Item::Prospect(_) => panic!("everyone knows that"),
        };
        thing.knowledge.resize(self.people.len(), Knowledge::Nothing);
        &mut thing.knowledge
    }

    fn know(&mut self, item: Item, who: &str, knowledge: Knowledge) {
        for who in self.people_in(who) {
            self.knowledge(item)[who.index()] = knowledge;
        }
    }

    fn read_story(&mut self, story: &str) {
        let mut scene = Scene::new(&self.trace.start, &self.trace.stage);
        for sentence in sentences(story) {
            let clause = sentence.trim_end_matches('.');
            let mut step = None;
            if !self.read_aside(clause)
                && let Some((who, act, to)) = self.act(clause)
            {
                let from = scene.place(who);
                let event = Event { who, from, to: to.unwrap_or(from) };
                step = Some(self.trace.events.len());
                self.trace.events.push(event);
                self.trace.deeds.push(Deed { act: act.clone(), ..Deed::default() });
                scene.apply(event, &act);
            }
            self.sentences.push((sentence.to_owned(), step));
        }
        let mut scene = Scene::new(&self.trace.start, &self.trace.stage);
        for (event, deed) in self.trace.events.iter().zip(&self.trace.deeds) {
            assert!(scene.allows(*event, deed), "{event:?} {deed:?} of {story:?}");
            scene.apply(*event, &deed.act);
        }
    }

    /// Who watches or misses what was told last. Returns whether that is what is said.
    fn read_aside(&mut self, clause: &str) -> bool {
        let Some(who) = self.people.iter().position(|name| clause.starts_with(&format!("{name} "))) else {
            return false;
        };
        let name = &self.people[who];
        let who = CharacterId::new(who);
        let Some(deed) = self.trace.deeds.last_mut() else { return false };
        let peek = [
            format!("{name} overhears this, and nobody notices that"),
            format!("{name} watches this from elsewhere, and nobody notices {name}"),
        ];
        if peek.iter().any(|peek| peek == clause) {
            deed.peeking.push(who);
            return true;
        }
        for (notice, is_noticed) in [("the others notice", true), ("nobody notices", false)] {
            if clause == format!("{name} is distracted and misses this, and {notice} that") {
                deed.distracted.push(Distraction { who, is_noticed });
                return true;
            }
        }
        false
    }

    /// What someone does, and where she goes; none, if the sentence says nothing of the kind.
    fn act(&mut self, clause: &str) -> Option<(CharacterId, Act, Option<PlaceId>)> {
        if let Some((names, place)) = clause.strip_suffix(" together").and_then(|go| go.split_once(" go to "))
        {
            let mut who = self.people_in(names);
            self.verbs.push("go".to_owned());
            return Some((who.remove(0), Act::GoTogether(who), Some(self.place(place))));
        }
        let name = self.people.iter().find(|name| clause.starts_with(&format!("{name} ")))?.clone();
        let (who, does) = (self.person(&name)?, &clause[name.len() + 1..]);
        for verb in GOING {
            if let Some(place) = does.strip_prefix(verb) {
                self.verbs.push(verb.to_owned());
                return Some((who, Act::Go, Some(self.place(&place[1..]))));
            }
        }
        let mut to = None;
        let act = if let Some((object, place)) = between(does, "carries ", " to ") {
            to = Some(self.place(place));
            Act::Carry(self.object(object)?)
        } else if let Some(object) = does.strip_prefix("takes ") {
            Act::Take(self.object(object)?)
        } else if let Some((object, place)) = between(does, "puts ", " down in ") {
            Act::Put(self.object(object)?, Value::Place(self.place(place)))
        } else if let Some((object, container)) = between(does, "puts ", " in ") {
            Act::Put(self.object(object)?, Value::Container(self.container(container)?))
        } else if let Some((object, container)) = between(does, "moves ", " into ") {
            Act::MoveObject(self.object(object)?, self.container(container)?)
        } else if let Some((object, name)) = between(does, "gives ", " to ") {
            Act::Give(self.object(object)?, self.person(name)?)
        } else if let Some((object, place)) = between(does, "throws ", " to ") {
            Act::Throw(self.object(object)?, self.place(place))
        } else if let Some(container) = does.strip_prefix("opens ") {
            Act::Open(self.container(container)?)
        } else if let Some(container) = does.strip_prefix("closes ") {
            Act::Close(self.container(container)?)
        } else if let Some(fact) = does.strip_prefix("shows that ") {
            let (Item::Proposition(attitude), Value::Truth(likes)) = self.fact(fact) else {
                panic!("{clause}")
            };
            Act::React((attitude, likes))
        } else if let Some(fact) = does.strip_prefix("reveals that ") {
            let (Item::Proposition(fact), Value::Truth(is_so)) = self.fact(fact) else { panic!("{clause}") };
            Act::Reveal((fact, is_so))
        } else if does == "makes small talk" {
            Act::Chat
        } else {
            self.telling(does)?
        };
        self.verbs.push(String::new());
        Some((who, act, to))
    }

    fn telling(&mut self, does: &str) -> Option<Act> {
        let (hearers, fact) = if let Some((_, fact)) = between(does, "tells everyone in ", " that ") {
            (Hearers::Present, fact)
        } else if let Some((names, fact)) = between(does, "whispers to ", " that ") {
            (Hearers::Named(self.people_in(names)), fact)
        } else if let Some((names, fact)) = between(does, "phones ", ", all in one call, and says that ") {
            (Hearers::Afar(self.people_in(names)), fact)
        } else {
            let (name, fact) = between(does, "phones ", " and says that ")?;
            (Hearers::Afar(self.people_in(name)), fact)
        };
        let (item, value) = self.fact(fact);
        Some(Act::Tell(Telling { hearers, item, value, believers: None }))
    }
}

/// What stands after `before` and before `middle`, and what after that.
pub fn between<'t>(text: &'t str, before: &str, middle: &str) -> Option<(&'t str, &'t str)> {
    text.strip_prefix(before)?.split_once(middle)
}

/// A statement without the plain words that deny it.
fn affirmed(clause: &str) -> String {
    clause.strip_prefix("it is not true that ").unwrap_or(&clause.replacen(" not ", " ", 1)).to_owned()
}

/// Whom people believe, as the rules have it.
fn trust(context: &str) -> Trust {
    let rules = [
        ("People believe whatever others tell them", Trust::Always),
        ("People do not believe what others tell them", Trust::Never),
        ("believe it if they think that the speaker was in that place later", Trust::LaterLeaver),
    ];
    rules.iter().find(|(rule, _)| context.contains(rule)).map_or(Trust::default(), |(_, trust)| *trust)
}
