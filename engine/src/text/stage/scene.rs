//! What a reader has to know before a story of prospects: where it takes place, who the people are, what is at stake, and by which
//! rules they feel.

use super::words::{Part, ProfilesIn};
use crate::id::{CharacterId, ProspectId};
use crate::pack::Slot;
use crate::simulate::Story;
use crate::storyboard::ProfilePart;
use crate::text::{Display, Lexicon, Words, push_all};
use crate::world::Side;

impl Lexicon<'_> {
    /// Appends where the story takes place and who the people are, each sentence with a space after it.
    pub(in crate::text) fn scene(&self, story: &Story, words: &Words, text: &mut String) {
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
    pub(in crate::text) fn stakes(&self, story: &Story, words: &Words, text: &mut String) {
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
                    &[who, " wants ", goal(wish.side), ", and does not want ", goal(wish.side.other()), ". "],
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
    pub(in crate::text) fn rules_of_feelings(&self, story: &Story, words: &Words, text: &mut String) {
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
    pub(in crate::text) fn at_stake(&self, words: &Words, prospect: ProspectId) -> &str {
        &self.prospect(words, prospect).about
    }
}
