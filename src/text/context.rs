//! What a reader has to know before the story: who and what is where, who knows it, and the rules.

use super::{Display, Lexicon, Words, push_all, rules, separator};
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
        if display == Display::People {
            self.scene(story, words, text);
        }
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
        match (display, &self.stage) {
            (Display::People, None) => text.push_str(rules::PEOPLE),
            (Display::People, Some(stage)) => {
                text.push_str(". ");
                self.stakes(story, words, text);
                self.things_at_the_start(story, words, &everyone, text);
                let (rules, everyone) = stage.rules.split_at(stage.rules.len() - rules::EVERYONE.len());
                text.push_str(rules);
                self.rule_of_small_talk(text);
                self.rules_of_feelings(story, words, text);
                text.push_str(everyone);
            }
            (Display::Things, _) => text.push_str(rules::THINGS),
        }
    }

    /// Appends where things are, what is true, and who knows it; each sentence with a space after it.
    fn things_at_the_start(&self, story: &Story, words: &Words, everyone: &[CharacterId], text: &mut String) {
        let (stage, words_of_stage) = (&story.trace.stage, self.stage());
        for (at, container) in stage.containers.iter().enumerate() {
            let is = if container.is_open { ", which is open. " } else { ", which is closed. " };
            let name = words_of_stage.the_container(ContainerId::new(at));
            push_all(text, &["In ", self.place_in(words, container.place), " stands ", name, is]);
        }
        for (at, object) in stage.objects.iter().enumerate() {
            let item = Item::Object(ObjectId::new(at));
            text.push_str("At the start ");
            self.fact(story, words, item, object.value, text);
            text.push_str(". ");
            self.knowledge(story, words, everyone, item, object, text);
        }
        self.propositions_at_the_start(story, words, everyone, text);
        let staging = self.plan.staging.as_ref().expect("a plan with things");
        for thing in 0..staging.attitudes.len() {
            for (likes, one, many) in [(true, " likes ", " like "), (false, " dislikes ", " dislike ")] {
                let feels = |who: &CharacterId| {
                    let attitude = staging.attitude(*who, thing).expect("everyone has an attitude");
                    stage.propositions[attitude.index()].value == Value::Truth(likes)
                };
                let people: Vec<CharacterId> = everyone.iter().copied().filter(feels).collect();
                if !people.is_empty() {
                    self.names_at_start(story, words, Display::People, &people, text);
                    let verb = if people.len() == 1 { one } else { many };
                    push_all(text, &[verb, words_of_stage.the_attitude(thing), ". "]);
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
                text.push_str("In truth ");
                self.fact(story, words, item, proposition.value, text);
                text.push_str(". ");
                self.knowledge(story, words, everyone, item, proposition, text);
            }
        }
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
        if right.is_empty() {
            text.push_str("Nobody knows this. ");
        } else {
            text.push_str("Only ");
            self.names(story, words, Display::People, &right, text);
            text.push_str(if right.len() == 1 { " knows this. " } else { " know this. " });
        }
        if !wrong.is_empty() {
            self.names_at_start(story, words, Display::People, &wrong, text);
            text.push_str(if wrong.len() == 1 { " wrongly thinks that " } else { " wrongly think that " });
            let Value::Truth(is_true) = thing.value else { unreachable!("nobody is wrong about an object") };
            self.fact(story, words, item, Value::Truth(!is_true), text);
            text.push_str(". ");
            if !nothing.is_empty() {
                self.names_at_start(story, words, Display::People, &nothing, text);
                text.push_str(if nothing.len() == 1 { " has no idea. " } else { " have no idea. " });
            }
        }
    }
}
