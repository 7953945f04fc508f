//! The definition of belief in plain words: only those rules of it that a board can use.

use crate::form::{Act, Audience, Hearers, Rule};
use crate::plan::{Attention, Plan, PlannedValue, Question, Saying, Staging};
use crate::storyboard::QuestionKind;
use crate::world::{Item, Knowledge, Trust};

/// What people conclude where there are no things.
macro_rules! minds_about_people {
    () => {
        "Someone may miss a person where they thought this person was, or find a person where they did not think \
         this person was, or see a person come from such a place. Each time they conclude that this person moved \
         unseen, once, just before they noticed. They conclude that those whom they take to have been where they \
         thought this person was saw the person leave, but they cannot tell where these now think the person is. \
         They conclude that those whom they take to have been where this person turns out to have been saw the \
         person come, and that the person saw who was there, and who was not. About anyone else they conclude \
         nothing. If several people moved unseen, they cannot tell who moved first, and so not whether one of them \
         saw another leave or come. Someone who misses a person has no idea where this person is. Until they learn \
         where, they suppose that this person sees nobody and is seen by nobody."
    };
}

/// The rules where people only go from place to place; they follow a sentence that has no full stop yet.
pub(super) const PEOPLE: &str = concat!(
    ", and everyone knows that, and knows that everyone does. The story tells everything that happens, one thing \
     after another. People who are in the same place see each other. When someone goes from one place to another, \
     those in the place they leave see where they go, those in the place they come to see where they come from, and \
     nobody else notices. People think that others are where they last knew them to be. Until they see otherwise, \
     people go on thinking what they think, and that others think what they took them to think. ",
    minds_about_people!(),
    " Everyone knows all these rules, and knows that everyone does."
);

/// The rules of a story about things, which has no minds; they follow a sentence that has no full stop yet.
pub(super) const THINGS: &str = ". Nothing moves by itself: someone who is not named moves one thing after \
    another, and the story tells what is moved, and where to, in the order in which it happens.";

/// The things that can happen on a board and need rules.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    objects: bool,
    containers: bool,
    /// Some container is or can be closed.
    closed: bool,
    hands: bool,
    given: bool,
    thrown: bool,
    /// Something is done to things.
    handled: bool,
    opened: bool,
    present: bool,
    whispered: bool,
    phoned: bool,
    /// Somebody can be told where a person is.
    told_of_people: bool,
    /// Somebody can be told something that does not name a place.
    told_of_no_place: bool,
    shown: bool,
    revealed: bool,
    chatted: bool,
    announced: bool,
    peeking: bool,
    noticed: bool,
    unnoticed: bool,
    /// There are things that only some people know.
    secret: bool,
    attitudes: bool,
    knowing: bool,
}

impl Uses {
    fn of(staging: &Staging, plan: &Plan) -> Self {
        let mut uses = Self {
            objects: !staging.objects.is_empty(),
            containers: !staging.containers.is_empty(),
            closed: staging.containers.iter().any(|container| !container.is_open),
            attitudes: !staging.attitudes.is_empty(),
            ..Self::default()
        };
        let in_hand = |value: &PlannedValue| matches!(value, PlannedValue::Hands(_));
        uses.hands = staging.objects.iter().any(|object| object.start.iter().any(in_hand));
        let has_propositions = !staging.propositions.is_empty() || !staging.prospects.is_empty();
        uses.announced = plan.lives().is_some();
        for (_, deed) in &staging.deeds {
            uses.add(deed.act.form().rule);
            if let Act::Tell(telling) = &deed.act {
                match telling.hearers {
                    Hearers::Present => uses.present = true,
                    Hearers::Named(_) => uses.whispered = true,
                    Hearers::Afar(_) => uses.phoned = true,
                }
                uses.told_of_people |= matches!(telling.item, Some(Item::Character(_)));
                uses.told_of_no_place |= telling.item.map_or(has_propositions, names_no_place);
            }
        }
        for &(play, _) in staging.play.iter().filter(|(_, weight)| *weight > 0) {
            uses.add(play.act().form().rule);
            match play.audience() {
                None => continue,
                Some(Audience::Present) => uses.present = true,
                Some(Audience::Beside) => uses.whispered = true,
                Some(Audience::Afar) => uses.phoned = true,
            }
            // What is drawn is never a person's place.
            uses.told_of_no_place |= has_propositions;
        }
        for attending in &staging.attention {
            match &attending.attention {
                Attention::Peek(_) => uses.peeking = true,
                Attention::Distracted { is_noticed: true, .. } => uses.noticed = true,
                Attention::Distracted { is_noticed: false, .. } => uses.unnoticed = true,
            }
        }
        uses.closed |= uses.opened;
        uses.handled |= uses.hands || uses.thrown || uses.closed;
        let is_secret = |knowledge: &[Knowledge]| knowledge.iter().any(|known| *known != Knowledge::Right);
        let said = staging.propositions.iter().filter(|known| matches!(known.says, Saying::Words { .. }));
        uses.secret = staging.objects.iter().any(|object| is_secret(&object.knowledge))
            || said.into_iter().any(|proposition| is_secret(&proposition.knowledge));
        uses.knowing = plan.questions.iter().any(|question| {
            matches!(question.kind, QuestionKind::Knows | QuestionKind::WhoKnows | QuestionKind::CouldAnswer)
        });
        uses
    }

    /// Records that a rule about deeds is needed. Rules about what is said also depend on who hears it.
    const fn add(&mut self, rule: Rule) {
        match rule {
            Rule::Going | Rule::Said => {}
            Rule::Hands => self.hands = true,
            Rule::Given => (self.hands, self.given) = (true, true),
            Rule::Handled => self.handled = true,
            Rule::Thrown => self.thrown = true,
            Rule::Opened => self.opened = true,
            Rule::Closed => self.closed = true,
            Rule::Shown => self.shown = true,
            Rule::Revealed => self.revealed = true,
            Rule::Chatted => self.chatted = true,
            Rule::Announced => self.announced = true,
        }
    }

    fn told(self) -> bool {
        self.present || self.whispered || self.phoned
    }

    /// Whether someone can be where things or people are and still take them to be elsewhere.
    fn blind(self) -> bool {
        self.told_of_people || self.told() && self.objects || self.noticed || self.unnoticed
    }
}

/// Whether a statement about an item names no place. (That an object is in somebody's hands does not, either.)
const fn names_no_place(item: Item) -> bool {
    matches!(item, Item::Lid(_) | Item::Proposition(_))
}

/// The sentence with which the rules of a board end.
pub(super) const EVERYONE: &str = "Everyone knows all these rules, and knows that everyone does.";

/// The rules of a board, as a text of sentences.
pub(super) fn rules(staging: &Staging, plan: &Plan) -> String {
    let uses = Uses::of(staging, plan);
    let mut rules = Vec::new();
    start(uses, &mut rules);
    rules.push("The story tells everything that happens, one thing after another.");
    if plan.scenarios.is_some_and(|scenarios| scenarios.count > 1) {
        rules.push("When a new scenario begins, everyone is where they were when the last one ended.");
    }
    seeing(uses, &mut rules);
    if asks_of_news_alone(plan) {
        rules.push("Until they hear otherwise, people go on thinking what they think.");
    } else {
        thinking(uses, &mut rules);
    }
    if uses.told() {
        telling(uses, staging.trust, &mut rules);
    }
    attention(uses, &mut rules);
    if uses.objects && uses.containers {
        rules.push(if uses.hands {
            "Asked where a thing is, name the container that it is in; if it is in none, the place where it lies, \
             or where the person is who has it in hand."
        } else {
            "Asked where a thing is, name the container that it is in; if it is in none, the place where it lies."
        });
    } else if uses.hands {
        rules.push(
            "Asked where a thing is, name the place where it lies, or where the person is who has it in hand.",
        );
    }
    if uses.knowing {
        rules.push(
            "To know something means to think what is so; so people take those to know it whom they take to think \
             the same about it as they do themselves.",
        );
    }
    rules.push(EVERYONE);
    rules.join(" ")
}

/// Whether all questions ask what somebody herself has heard, and felt about it: then it does not matter where she takes others to
/// be whom she does not see.
fn asks_of_news_alone(plan: &Plan) -> bool {
    let is_of_news = |question: &Question| question.dynamic.is_some() && question.others.len() == 1;
    plan.lives().is_some() && plan.questions.iter().all(is_of_news)
}

/// Adds the rules about what everyone knows at the start.
fn start(uses: Uses, rules: &mut Vec<&str>) {
    let is_all = !uses.secret && !uses.attitudes;
    rules.push(match is_all {
        true => "Everyone knows all of this, and knows that everyone does.",
        false => "Everything else that is said here everyone knows, and knows that everyone does.",
    });
    if uses.secret {
        rules.push(
            "Where it says that only some know something, everyone knows who has an idea of it and who has none. \
             Those who have an idea take each other to think what they think themselves. Those who have none cannot \
             tell what the others think.",
        );
    }
    if uses.attitudes {
        rules.push(
            "At the start people know what they like or dislike themselves, and have no idea what anyone else \
             likes or dislikes; everyone knows that.",
        );
    }
}

fn seeing(uses: Uses, rules: &mut Vec<&str>) {
    rules.push(match (uses.objects, uses.containers, uses.closed) {
        (false, _, false) => "People who are in the same place see each other.",
        (false, _, true) => {
            "People who are in the same place see each other, and which containers there are open."
        }
        (true, false, _) => "People who are in the same place see each other and all things that are there.",
        (true, true, false) => {
            "People who are in the same place see each other and all things that are there, in containers or not."
        }
        (true, true, true) => {
            "People who are in the same place see each other, which containers there are open, and all things \
             that are there, but for what is in a closed container."
        }
    });
    rules.push(
        "When someone goes from one place to another, those in the place they leave see where they go, those in \
         the place they come to see where they come from, and nobody else notices.",
    );
    if uses.handled {
        rules.push(
            "Whatever someone does with a thing is seen by everyone in the same place, and nobody else notices.",
        );
    }
    if uses.objects && uses.handled {
        rules.push("Those who see that a thing is taken or moved also see where it was.");
    }
    if uses.thrown {
        rules.push(
            "When a thing is thrown to another place, those there see it too, and who threw it from where.",
        );
    }
    if uses.hands {
        rules.push(if uses.given {
            "Someone who takes or carries a thing, or is given it, has it in hand from then on; people who go \
             somewhere take along what they have in hand, and those who see them go see that."
        } else {
            "Someone who takes or carries a thing has it in hand from then on; people who go somewhere take along \
             what they have in hand, and those who see them go see that."
        });
    }
    if uses.revealed {
        rules.push(
            "What someone reveals is so: everyone in the same place sees that it is, and nobody else notices.",
        );
    }
    if uses.announced {
        rules.push(
            "What someone announces is so from then on: everyone in the same place hears it and thinks so, and nobody else \
             notices. If no person is named as its cause, nobody has brought it about.",
        );
    }
    if uses.chatted {
        rules.push("Small talk tells nobody anything.");
    }
    look(uses, rules);
    if uses.shown {
        rules.push(
            "When people show what they like or dislike, it is so, and everyone in the same place sees it.",
        );
    }
}

/// Adds the rules about when people look round.
fn look(uses: Uses, rules: &mut Vec<&str>) {
    if uses.objects || uses.closed || uses.blind() {
        rules.push(match (uses.opened, uses.objects) {
            (false, false) => {
                "When someone comes to a place, everyone there sees who is there then, and who is not."
            }
            (false, true) => {
                "When someone comes to a place, everyone there sees who and what is there then, and who and what \
                 is not."
            }
            (true, false) => {
                "When someone comes to a place or opens a container there, everyone there sees who is there then, \
                 and who is not."
            }
            (true, true) => {
                "When someone comes to a place or opens a container there, everyone there sees who and what is \
                 there then, and who and what is not, in open containers too."
            }
        });
    }
    if uses.blind() {
        rules.push("Nobody looks round like this at any other time.");
    }
}

fn thinking(uses: Uses, rules: &mut Vec<&str>) {
    rules.push(if uses.objects {
        "People think that others and things are where they last knew them to be."
    } else {
        "People think that others are where they last knew them to be."
    });
    rules.push(if uses.told() {
        "Until they see or hear otherwise, people go on thinking what they think, and that others think what they \
         took them to think."
    } else {
        "Until they see otherwise, people go on thinking what they think, and that others think what they took \
         them to think."
    });
    if uses.objects {
        rules.push(
            "Someone may miss a person or a thing where they thought it was, or find one where they did not think \
             it was, or see one come from such a place. Each time they conclude that this person or thing moved \
             unseen, once, just before they noticed. They conclude that those whom they take to have been where \
             they thought it was saw it leave, but they cannot tell where these now think it is. They conclude that \
             those whom they take to have been where it turns out to have been saw it come, and that a person who \
             came saw who and what was there, and who and what was not. About anyone else they conclude nothing. If \
             several people or things moved unseen, they cannot tell which moved first, and so not who of them saw \
             another leave or come. Someone who misses a person or a thing has no idea where it is. Until they \
             learn where, they suppose that nobody finds it, and that a person whom they miss sees nothing.",
        );
        if uses.hands {
            rules.push(
                "If someone moved unseen, and so did a thing that this person had in hand, people suppose that the \
                 thing left this person's hands before the person moved, but not that it stayed in the place that \
                 the person left.",
            );
        }
    } else {
        rules.push(minds_about_people!());
    }
    if uses.told() && (uses.objects || uses.told_of_people) {
        rules.push(if uses.objects {
            "Someone who is told that a person or a thing is elsewhere, and believes it, concludes in the same \
             way that those who were where they thought it was saw it leave, but nothing about where it is now."
        } else {
            "Someone who is told that a person is elsewhere, and believes it, concludes in the same way that \
             those who were where they thought this person was saw the person leave, but nothing about where the \
             person is now."
        });
    }
    if uses.closed {
        rules.push("The same goes for whether a container is open.");
    }
    if uses.hands {
        rules.push("People know what they have in hand, and everyone knows that they do.");
    }
}

/// Adds the rules about who hears what.
fn hearing(uses: Uses, rules: &mut Vec<&str>) {
    if uses.present {
        rules.push(
            "What is told to everyone in a place is heard by all who are there, and by nobody else, and they know \
             that all of them hear it.",
        );
    }
    if uses.whispered {
        rules.push(
            "What is whispered is heard by those to whom it is whispered, and they know that all of them hear it; \
             nobody else notices.",
        );
    }
    if uses.phoned {
        rules.push(
            "What is said on the phone is heard by those who are called, and they know that all of them hear it, \
             but not from where; nobody else notices.",
        );
    }
}

fn telling(uses: Uses, trust: Trust, rules: &mut Vec<&str>) {
    hearing(uses, rules);
    rules.push(match trust {
        Trust::Always => {
            "People believe whatever others tell them, even if they have seen otherwise, and then take the \
             speaker to think so too."
        }
        Trust::Never => "People do not believe what others tell them, and conclude nothing from it.",
        Trust::UnlessKnownBetter => {
            "People believe what others tell them, unless they think something else because they have seen it or \
             have known it from the start. Then they go on thinking that, and conclude nothing from what they are \
             told. Those who believe it take the speaker to think so too. If they did not before, they suppose that \
             the speaker was told so and did not see it. Someone who cannot tell what a person thinks cannot tell \
             either whether this person believes what is said."
        }
        Trust::LaterLeaver => {
            "People who are told that someone or something is in a place, or in a container in that place, believe \
             it if they think that the speaker was in that place later than they were themselves (whoever is there \
             now counts as the latest, whoever never was there as the earliest; if both are there now, or neither \
             ever was, neither was there later), and then take the speaker to think so too; else they conclude \
             nothing from it."
        }
    });
    if uses.announced && matches!(trust, Trust::UnlessKnownBetter | Trust::LaterLeaver) {
        rules.push("Whoever hears an announcement has seen what is so.");
    }
    if trust == Trust::LaterLeaver && (uses.told_of_no_place || uses.hands) {
        rules.push(
            "Anything else that others tell them they believe, unless they think something else because they have \
             seen it or have known it from the start. If they believe it, they take the speaker to think so too; if \
             they did not before, they suppose that the speaker was told so and did not see it.",
        );
    }
    if trust != Trust::Never {
        own(uses, rules);
    }
    if uses.announced {
        rules.push("Where the story says that someone “tells” others something, that is no announcement, and what is so stays so.");
    }
    rules.push("What speakers think does not change by what they say, whether they think it or not.");
}

/// Adds the rules about what people never take others' word for.
fn own(uses: Uses, rules: &mut Vec<&str>) {
    let own = match (uses.told_of_people, uses.hands) {
        (false, false) => return,
        (true, false) => "But nobody lets others tell them where they themselves are.",
        (false, true) => "But nobody lets others tell them what they themselves have in hand.",
        (true, true) => {
            "But nobody lets others tell them where they themselves are, or what they have in hand."
        }
    };
    rules.push(own);
    if uses.told_of_people && uses.present {
        rules.push("Nor do those to whom someone speaks in a place believe that the speaker is elsewhere.");
    }
}

fn attention(uses: Uses, rules: &mut Vec<&str>) {
    if uses.peeking {
        rules.push(
            "Someone who watches from elsewhere sees what is done, but not who and what else is there; someone \
             who overhears something hears it like those to whom it is said. Nobody else takes that into account.",
        );
    }
    if uses.noticed || uses.unnoticed {
        rules.push("Someone who is distracted learns nothing of what happens meanwhile.");
    }
    if uses.noticed {
        rules.push(
            "If the others notice that, they know that this person learns nothing of it, and cannot tell whether \
             this person saw what they themselves learn then to have moved unseen.",
        );
    }
    if uses.unnoticed {
        rules.push(
            "If nobody notices that, the others think that this person saw or heard it like everyone there.",
        );
    }
}
