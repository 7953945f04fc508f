//! The definition of belief for readers: only those rules of it that a board can use.

use crate::form::{Act, Audience, Hearers, ReaderRule, Rule};
use crate::plan::{Attention, Plan, PlannedValue, Question, Saying, Staging};
use crate::storyboard::QuestionKind;
use crate::world::{Item, Knowledge, Trust};

/// The rules where people only go from place to place.
const PEOPLE: [ReaderRule; 7] = [
    ReaderRule::TellsAll,
    ReaderRule::SeePeople,
    ReaderRule::Going,
    ReaderRule::PeopleStay,
    ReaderRule::UntilSeen,
    ReaderRule::MissPeople,
    ReaderRule::Everyone,
];

/// What follows, without a full stop before it, on where people start, in plain words: the first of the rules.
pub(super) const ALL_KNOWN: &str = ", and everyone knows that, and knows that everyone does. ";

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

/// The rules that the readers of a plan's stories have to know, in order.
pub(super) fn rules(staging: Option<&Staging>, plan: &Plan) -> Vec<ReaderRule> {
    let Some(staging) = staging else { return PEOPLE.to_vec() };
    let uses = Uses::of(staging, plan);
    let mut rules = Vec::new();
    start(uses, &mut rules);
    rules.push(ReaderRule::TellsAll);
    if plan.scenarios.is_some_and(|scenarios| scenarios.count > 1) {
        rules.push(ReaderRule::Scenarios);
    }
    seeing(uses, &mut rules);
    if asks_of_news_alone(plan) {
        rules.push(ReaderRule::UntilNews);
    } else {
        thinking(uses, &mut rules);
    }
    if uses.told() {
        telling(uses, staging.trust, &mut rules);
    }
    attention(uses, &mut rules);
    if uses.objects && uses.containers {
        rules.push(if uses.hands { ReaderRule::AskedInAny } else { ReaderRule::AskedInContainer });
    } else if uses.hands {
        rules.push(ReaderRule::AskedInHand);
    }
    if uses.knowing {
        rules.push(ReaderRule::ToKnow);
    }
    rules.push(ReaderRule::Everyone);
    rules
}

/// Whether all questions ask what somebody herself has heard, and felt about it: then it does not matter where she takes others to
/// be whom she does not see.
fn asks_of_news_alone(plan: &Plan) -> bool {
    let is_of_news = |question: &Question| question.dynamic.is_some() && question.others.len() == 1;
    plan.lives().is_some() && plan.questions.iter().all(is_of_news)
}

/// Adds the rules about what everyone knows at the start.
fn start(uses: Uses, rules: &mut Vec<ReaderRule>) {
    let is_all = !uses.secret && !uses.attitudes;
    rules.push(match is_all {
        true => ReaderRule::AllKnown,
        false => ReaderRule::RestKnown,
    });
    if uses.secret {
        rules.push(ReaderRule::Secrets);
    }
    if uses.attitudes {
        rules.push(ReaderRule::OwnTastes);
    }
}

fn seeing(uses: Uses, rules: &mut Vec<ReaderRule>) {
    rules.push(match (uses.objects, uses.containers, uses.closed) {
        (false, _, false) => ReaderRule::SeePeople,
        (false, _, true) => ReaderRule::SeeLids,
        (true, false, _) => ReaderRule::SeeThings,
        (true, true, false) => ReaderRule::SeeOpenThings,
        (true, true, true) => ReaderRule::SeeAll,
    });
    rules.push(ReaderRule::Going);
    if uses.handled {
        rules.push(ReaderRule::Handled);
    }
    if uses.objects && uses.handled {
        rules.push(ReaderRule::WhereItWas);
    }
    if uses.thrown {
        rules.push(ReaderRule::Thrown);
    }
    if uses.hands {
        rules.push(if uses.given { ReaderRule::Given } else { ReaderRule::Hands });
    }
    if uses.revealed {
        rules.push(ReaderRule::Revealed);
    }
    if uses.announced {
        rules.push(ReaderRule::Announced);
    }
    if uses.chatted {
        rules.push(ReaderRule::Chatted);
    }
    look(uses, rules);
    if uses.shown {
        rules.push(ReaderRule::Shown);
    }
}

/// Adds the rules about when people look round.
fn look(uses: Uses, rules: &mut Vec<ReaderRule>) {
    if uses.objects || uses.closed || uses.blind() {
        rules.push(match (uses.opened, uses.objects) {
            (false, false) => ReaderRule::LookForPeople,
            (false, true) => ReaderRule::LookForAll,
            (true, false) => ReaderRule::OpenForPeople,
            (true, true) => ReaderRule::OpenForAll,
        });
    }
    if uses.blind() {
        rules.push(ReaderRule::NoOtherLook);
    }
}

fn thinking(uses: Uses, rules: &mut Vec<ReaderRule>) {
    rules.push(if uses.objects { ReaderRule::AllStays } else { ReaderRule::PeopleStay });
    rules.push(if uses.told() { ReaderRule::UntilTold } else { ReaderRule::UntilSeen });
    if uses.objects {
        rules.push(ReaderRule::MissAny);
        if uses.hands {
            rules.push(ReaderRule::MissHolders);
        }
    } else {
        rules.push(ReaderRule::MissPeople);
    }
    if uses.told() && (uses.objects || uses.told_of_people) {
        rules.push(if uses.objects { ReaderRule::ToldOfAny } else { ReaderRule::ToldOfPeople });
    }
    if uses.closed {
        rules.push(ReaderRule::Lids);
    }
    if uses.hands {
        rules.push(ReaderRule::OwnHands);
    }
}

/// Adds the rules about who hears what.
fn hearing(uses: Uses, rules: &mut Vec<ReaderRule>) {
    if uses.present {
        rules.push(ReaderRule::HeardByAll);
    }
    if uses.whispered {
        rules.push(ReaderRule::Whispered);
    }
    if uses.phoned {
        rules.push(ReaderRule::Phoned);
    }
}

fn telling(uses: Uses, trust: Trust, rules: &mut Vec<ReaderRule>) {
    hearing(uses, rules);
    rules.push(match trust {
        Trust::Always => ReaderRule::TrustAlways,
        Trust::Never => ReaderRule::TrustNever,
        Trust::UnlessKnownBetter => ReaderRule::TrustUnlessKnown,
        Trust::LaterLeaver => ReaderRule::TrustLater,
    });
    if uses.announced && matches!(trust, Trust::UnlessKnownBetter | Trust::LaterLeaver) {
        rules.push(ReaderRule::HearersSaw);
    }
    if trust == Trust::LaterLeaver && (uses.told_of_no_place || uses.hands) {
        rules.push(ReaderRule::TrustElse);
    }
    if trust != Trust::Never {
        own(uses, rules);
    }
    if uses.announced {
        rules.push(ReaderRule::ToldIsNoNews);
    }
    rules.push(ReaderRule::Speakers);
}

/// Adds the rules about what people never take others' word for.
fn own(uses: Uses, rules: &mut Vec<ReaderRule>) {
    let own = match (uses.told_of_people, uses.hands) {
        (false, false) => return,
        (true, false) => ReaderRule::OwnPlace,
        (false, true) => ReaderRule::OwnThings,
        (true, true) => ReaderRule::OwnBoth,
    };
    rules.push(own);
    if uses.told_of_people && uses.present {
        rules.push(ReaderRule::SpeakersPlace);
    }
}

fn attention(uses: Uses, rules: &mut Vec<ReaderRule>) {
    if uses.peeking {
        rules.push(ReaderRule::Peeking);
    }
    if uses.noticed || uses.unnoticed {
        rules.push(ReaderRule::Distracted);
    }
    if uses.noticed {
        rules.push(ReaderRule::Noticed);
    }
    if uses.unnoticed {
        rules.push(ReaderRule::Unnoticed);
    }
}
