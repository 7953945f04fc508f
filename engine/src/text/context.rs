//! What a reader has to know before the story: who and what is where, who knows it, and the rules.

use super::{Display, Lexicon, Words, push_all, push_name, rules, separator};
use crate::form::{PhraseKind, PhraseSlot};
use crate::id::{CharacterId, ContainerId, ObjectId, PropositionId};
use crate::plan::Saying;
use crate::simulate::Story;
use crate::world::{Item, Knowledge, Thing, Value};

impl Lexicon<'_> {
    /// Appends what a reader has to know before the story: who starts where, and who sees what.
    pub fn context(&self, story: &Story, words: &Words, display: Display, text: &mut String) {
        if self.talk.is_some() {
            return self.setting(story, words, text);
        }
        if display == Display::Things {
            self.whereabouts(story, words, display, text);
            return text.push_str(rules::THINGS);
        }
        self.scene(story, words, text);
        let everyone = self.in_order(story, words, display);
        let is_worded = self.worded_whereabouts(story, words, &everyone, text);
        if !is_worded {
            self.whereabouts(story, words, display, text);
        }
        if self.stage.is_some() || self.around.is_some() {
            text.push_str(". ");
        } else {
            text.push_str(rules::ALL_KNOWN);
        }
        if self.stage.is_some() {
            self.stakes(story, words, text);
            self.things_at_the_start(story, words, &everyone, text);
        }
        self.rules(words, text, |text| {
            self.rule_of_small_talk(text);
            self.rules_of_feelings(story, words, text);
        });
    }

    /// Appends where people or things start, in plain words and without a full stop.
    fn whereabouts(&self, story: &Story, words: &Words, display: Display, text: &mut String) {
        let start = &story.trace.start;
        let all_together = start.iter().all(|place| *place == start[0]);
        let everyone = self.in_order(story, words, display);
        if all_together {
            self.names_at_start(story, words, display, &everyone, text);
            text.push_str(if everyone.len() == 1 { " starts in " } else { " start in " });
            text.push_str(self.place_in(words, start[0]));
        } else {
            text.push_str("At the start ");
            for (at, &who) in everyone.iter().enumerate() {
                text.push_str(separator(at, everyone.len()));
                text.push_str(self.name(story, words, display, who));
                text.push_str(" is in ");
                text.push_str(self.place_in(words, start[who.index()]));
            }
        }
    }

    /// Appends where things are, what is true, and who knows it; each sentence with a space after it.
    fn things_at_the_start(&self, story: &Story, words: &Words, everyone: &[CharacterId], text: &mut String) {
        let (stage, words_of_stage) = (&story.trace.stage, self.stage());
        for (at, container) in stage.containers.iter().enumerate() {
            let name = words_of_stage.the_container(ContainerId::new(at));
            if let Some(way) = self.opening_way(words, PhraseKind::Stands, at) {
                let place = container.place;
                let mut fill = |slot, begins, text: &mut String| match (slot, begins) {
                    (PhraseSlot::There, false) => text.push_str(self.place_in(words, place)),
                    (PhraseSlot::There, true) => text.push_str(&self.places.at_start[place.index()]),
                    (_, begins) => push_name(text, name, begins),
                };
                way.say((usize::from(!container.is_open), true), &mut fill, text);
                text.push_str(". ");
                continue;
            }
            let is = if container.is_open { ", which is open. " } else { ", which is closed. " };
            push_all(text, &["In ", self.place_in(words, container.place), " stands ", name, is]);
        }
        for (at, object) in stage.objects.iter().enumerate() {
            let item = Item::Object(ObjectId::new(at));
            self.stated(story, words, (PhraseKind::Start, at), (item, object.value), text);
            self.knowledge(story, words, everyone, item, object, text);
        }
        self.propositions_at_the_start(story, words, everyone, text);
        let staging = self.plan.staging.as_ref().expect("a plan with things");
        for thing in 0..staging.attitudes.len() {
            for (likes, one, many) in [(true, " likes ", " like "), (false, " dislikes ", " dislike ")] {
                let feels = |who: &CharacterId| {
                    let attitude = staging.attitude(*who, thing);
                    attitude.is_some_and(|at| stage.propositions[at.index()].value == Value::Truth(likes))
                };
                let people: Vec<CharacterId> = everyone.iter().copied().filter(feels).collect();
                if people.is_empty() {
                    continue;
                }
                let kind = if likes { PhraseKind::Like } else { PhraseKind::Dislike };
                let the_thing = words_of_stage.the_attitude(thing);
                let named = |_, begins, text: &mut String| push_name(text, the_thing, begins);
                if !self.worded_on(story, words, (kind, thing), &people, named, text) {
                    self.names_at_start(story, words, Display::People, &people, text);
                    let verb = if people.len() == 1 { one } else { many };
                    push_all(text, &[verb, the_thing, ". "]);
                }
            }
        }
    }

    /// Appends which propositions that have words of their own are true, and who knows it; each sentence with a space after it.
    pub(super) fn propositions_at_the_start(
        &self,
        story: &Story,
        words: &Words,
        everyone: &[CharacterId],
        text: &mut String,
    ) {
        let staging = self.plan.staging.as_ref().expect("a plan with things");
        for (at, proposition) in story.trace.stage.propositions.iter().enumerate() {
            if matches!(staging.propositions[at].says, Saying::Words { .. }) {
                let item = Item::Proposition(PropositionId::new(at));
                self.alternatives(story, words, item, text);
                self.stated(story, words, (PhraseKind::Truth, at), (item, proposition.value), text);
                self.knowledge(story, words, everyone, item, proposition, text);
            }
        }
    }

    /// Appends a statement on how things are before the story, with its full stop and a blank.
    fn stated(
        &self,
        story: &Story,
        words: &Words,
        (kind, nth): (PhraseKind, usize),
        (item, value): (Item, Value),
        text: &mut String,
    ) {
        if let Some(way) = self.opening_way(words, kind, nth) {
            way.say(
                (0, true),
                &mut |_, begins, text| self.fact_at(story, words, (item, value), begins, text),
                text,
            );
        } else {
            text.push_str(if kind == PhraseKind::Truth { "In truth " } else { "At the start " });
            self.fact(story, words, item, value, text);
        }
        text.push_str(". ");
    }

    /// Appends a statement, with a capital letter if a sentence begins there.
    pub(super) fn fact_at(
        &self,
        story: &Story,
        words: &Words,
        (item, value): (Item, Value),
        is_at_start: bool,
        text: &mut String,
    ) {
        let mut fact = String::new();
        self.fact(story, words, item, value, &mut fact);
        push_name(text, &fact, is_at_start);
    }

    /// Appends that either a proposition or its contrary is true, unless it is plain that one is the contrary of the other.
    fn alternatives(&self, story: &Story, words: &Words, item: Item, text: &mut String) {
        let said = |is_true| {
            let mut said = String::new();
            self.fact(story, words, item, Value::Truth(is_true), &mut said);
            said
        };
        let (says, denies) = (said(true), said(false));
        if !denies.ends_with(&says) && denies.replacen(" not ", " ", 1) != says {
            push_all(text, &["Either ", &says, " or ", &denies, ". "]);
        }
    }

    /// Appends who knows the fact that was stated last; nothing if everyone does.
    fn knowledge(
        &self,
        story: &Story,
        words: &Words,
        everyone: &[CharacterId],
        item: Item,
        thing: &Thing,
        text: &mut String,
    ) {
        let with = |knowledge: Knowledge| -> Vec<CharacterId> {
            let known =
                |who: &CharacterId| thing.knowledge.get(who.index()).copied().unwrap_or(Knowledge::Right);
            everyone.iter().copied().filter(|who| known(who) == knowledge).collect()
        };
        let (right, wrong, nothing) =
            (with(Knowledge::Right), with(Knowledge::Wrong), with(Knowledge::Nothing));
        if right.len() == everyone.len() {
            return;
        }
        let nth = match item {
            Item::Object(object) => object.index(),
            Item::Proposition(proposition) => proposition.index(),
            _ => 0,
        };
        // The only thing that such a phrase says besides is what those who are wrong think.
        let contrary = |_, begins, text: &mut String| {
            let Value::Truth(is_true) = thing.value else { unreachable!("nobody is wrong about an object") };
            self.fact_at(story, words, (item, Value::Truth(!is_true)), begins, text);
        };
        let say = |kind, people: &[CharacterId], text: &mut String| {
            self.worded_on(story, words, (kind, nth), people, contrary, text)
        };
        if right.is_empty() {
            if !say(PhraseKind::NobodyKnows, &[], text) {
                text.push_str("Nobody knows this. ");
            }
        } else if !say(PhraseKind::OnlyKnow, &right, text) {
            text.push_str("Only ");
            self.names(story, words, Display::People, &right, text);
            text.push_str(if right.len() == 1 { " knows this. " } else { " know this. " });
        }
        if wrong.is_empty() {
            return;
        }
        if !say(PhraseKind::Wrong, &wrong, text) {
            self.names_at_start(story, words, Display::People, &wrong, text);
            text.push_str(if wrong.len() == 1 { " wrongly thinks that " } else { " wrongly think that " });
            contrary(PhraseSlot::Fact, false, text);
            text.push_str(". ");
        }
        if !nothing.is_empty() && !say(PhraseKind::NoIdea, &nothing, text) {
            self.names_at_start(story, words, Display::People, &nothing, text);
            text.push_str(if nothing.len() == 1 { " has no idea. " } else { " have no idea. " });
        }
    }
}
