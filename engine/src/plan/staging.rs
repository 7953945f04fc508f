//! What there is besides people, and what they do besides walking, as a storyboard has it.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use super::{
    DeedShare, Lot, NotePiece, Place, PlannedMatter, PlannedProfiles, PlannedProspect, PlannedRules, Question,
};
pub use crate::form::Play;
use crate::form::{Act, ActIn, ActKind, DirectionIn, Naming, Part, PartForm, Rule, Sort, Telling, TellingIn};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};
use crate::pack::Pack;
use crate::storyboard::{OfMatter, QuestionKind, Style};
use crate::world::{Along, Case, How, Item, Knowledge, Side, Trust, Value};

/// Everything that a storyboard says about things and deeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Staging {
    /// The containers, indexed by [`ContainerId`].
    pub containers: Vec<PlannedContainer>,
    /// The objects, indexed by [`ObjectId`].
    pub objects: Vec<PlannedObject>,
    /// The propositions, indexed by [`PropositionId`]: those of the file in order, then every character's attitude to the
    /// first thing of `attitudes`, in the order of characters, then to the second, and so on; in a woven storyboard, board by board.
    pub propositions: Vec<PlannedProposition>,
    /// The names of the things that people like or dislike.
    pub attitudes: Vec<String>,
    /// What white lies are told about.
    pub matters: Vec<PlannedMatter>,
    /// The prospects, indexed by [`ProspectId`](crate::id::ProspectId).
    pub prospects: Vec<PlannedProspect>,
    /// The rules by which people feel, if there are prospects.
    pub rules: Option<PlannedRules>,
    /// The settings from which places get their names, if they are drawn for each story.
    pub settings: Option<Arc<Pack>>,
    /// How scenarios open, and what bystanders say, if there are scenarios about prospects.
    pub small_talk: Option<Arc<Pack>>,
    /// What is said of people before the story, if anything is.
    pub profiles: Option<PlannedProfiles>,
    /// Claims of which so many are false.
    pub lots: Vec<Lot>,
    /// What is shown along with each proposition; empty if nothing is.
    pub along: Arc<[Along]>,
    /// How stories are told.
    pub style: Style,
    /// The packs from which the words of conversations may come, one for each story.
    pub packs: Vec<Arc<Pack>>,
    /// The packs of turns that fit any occasion.
    pub acts: Vec<Arc<Pack>>,
    /// Whom hearers believe.
    pub trust: Trust,
    /// The weight of each kind of deed in free play, in the order of [`Play`]; empty if people only move.
    pub play: Vec<(Play, u32)>,
    /// For each character, whom they can tell something without others hearing it; empty if they can tell everyone.
    pub friends: Vec<Vec<CharacterId>>,
    /// What is done at which step, in the order of steps; at most one deed per step.
    pub deeds: Vec<(usize, PlannedDeed)>,
    /// For the steps at which something is said, in the order of steps, who is surely there besides the speaker.
    pub audiences: Vec<(usize, Vec<CharacterId>)>,
    /// Numbers of the storyboard's events that demand deeds or attention, each with its first step; used in messages.
    pub sources: Vec<(usize, usize)>,
    /// Who misses or watches what happens.
    pub attention: Vec<Attending>,
}

/// A container of the storyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedContainer {
    /// The name of the container.
    pub name: String,
    /// Where it stands.
    pub place: Place,
    /// Whether one can see at the start what is in it.
    pub is_open: bool,
}

/// An object of the storyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedObject {
    /// The name of the object.
    pub name: String,
    /// Where it may be at the start, each equally likely.
    pub start: Vec<PlannedValue>,
    /// What each character knows at the start, as in [`crate::world::Thing::knowledge`].
    pub knowledge: Vec<Knowledge>,
}

/// A proposition of the storyboard, or somebody's attitude.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedProposition {
    /// The name in messages and rows.
    pub name: String,
    /// Whether it is true; `None` if that is drawn, both values being equally likely.
    pub is_true: Option<bool>,
    /// What each character knows at the start, as in [`crate::world::Thing::knowledge`].
    pub knowledge: Vec<Knowledge>,
    /// How the proposition is put into words.
    pub says: Saying,
}

impl PlannedProposition {
    /// What of which matter it is about, if it is about one.
    pub fn of_matter(&self) -> Option<OfMatter> {
        match self.says {
            Saying::Of(of) => Some(of),
            Saying::Words { .. } | Saying::Likes(..) => None,
        }
    }
}

/// How a proposition is put into words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saying {
    /// The words of the storyboard, such as "the gift is a bicycle" and "the gift is no bicycle".
    Words {
        /// What is said if the proposition is true.
        says: Vec<NotePiece>,
        /// What is said if the proposition is false.
        denies: Vec<NotePiece>,
    },
    /// Something of a matter, whose words are drawn for each story.
    Of(OfMatter),
    /// The character likes the thing of this number in [`Staging::attitudes`], or dislikes it.
    Likes(CharacterId, usize),
}

/// The state of an item, real or claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlannedValue {
    /// It is in this place, openly.
    Place(Place),
    /// It is in this container.
    Container(ContainerId),
    /// This character has it in hand.
    Hands(CharacterId),
    /// The proposition is true, or it is false.
    Truth(bool),
    /// The prospect stands like this, as far as that is given.
    Case(PlannedCase),
}

/// How a prospect stands, as far as a storyboard says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlannedCase {
    /// The side.
    pub side: Option<Side>,
    /// Whether it is likely.
    pub is_likely: Option<bool>,
    /// Who has brought it about: nobody, or somebody.
    pub by: Option<Option<CharacterId>>,
    /// Whether nothing can be done about it any more.
    pub is_final: Option<bool>,
}

impl PlannedCase {
    /// Whether a case is one that is meant.
    pub fn fits(self, case: Case) -> bool {
        let is_likely = case.how() == How::Likely;
        self.side.is_none_or(|side| side == case.side())
            && self.is_likely.is_none_or(|wanted| wanted == is_likely)
            && self.by.is_none_or(|by| !is_likely && by == case.agent())
            && self.is_final.is_none_or(|is_final| is_final == case.is_final())
    }
}

impl PlannedValue {
    /// The value that is meant when the binds stand for `binds`.
    pub fn under(self, binds: &[PlaceId]) -> Value {
        match self {
            Self::Place(place) => Value::Place(place.under(binds)),
            Self::Container(container) => Value::Container(container),
            Self::Hands(who) => Value::Hands(who),
            Self::Truth(is_true) => Value::Truth(is_true),
            Self::Case(_) => Value::NoCase,
        }
    }
}

/// The naming of plans: everything is an index, except that places may be binds and what the author left open stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Planned {}

impl Naming for Planned {
    type Person = CharacterId;
    type Place = Place;
    type Object = ObjectId;
    type Container = ContainerId;
    /// The container; `None` for down, where the actor is.
    type Spot = Option<ContainerId>;
    /// The liked thing, as a number in [`Staging::attitudes`].
    type Liking = Option<usize>;
    /// The proposition; `None` for any that the speaker can show.
    type Fact = Option<PropositionId>;
    type Item = Option<Item>;
    /// The value that is claimed; `None` for what the speaker believes or, in a lie, anything else.
    type Value = Option<PlannedValue>;
    type Open<T: Clone + Debug + Eq + Hash> = Option<T>;
}

/// What someone has to do at a step. Parts that are left open are drawn uniformly among all that can be done then.
pub type PlannedDeed = DirectionIn<Planned>;

/// An act that is planned for a step.
pub type PlannedAct = ActIn<Planned>;

/// Something that someone has to say.
pub type PlannedTelling = TellingIn<Planned>;

/// An act of this kind with every part left open.
///
/// # Panics
/// If the act takes company or hearers, who cannot be left open.
pub fn open_act(kind: ActKind) -> PlannedAct {
    let open = |form: &PartForm| match form.sort {
        Sort::Person => Part::Person(None),
        Sort::Place => Part::Place(None),
        Sort::Object => Part::Object(None),
        Sort::Container => Part::Container(None),
        Sort::Spot => Part::Spot(None),
        Sort::Liking => Part::Liking(None),
        Sort::Fact => Part::Fact(None),
        Sort::Company | Sort::Telling => panic!("somebody has to be named"),
    };
    kind.act(kind.form().parts.iter().map(open)).expect("the parts of the form")
}

/// Who misses or watches what happens during some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attending {
    /// The first step to which this applies.
    pub from: usize,
    /// The step after the last one to which this applies.
    pub until: usize,
    /// Whether the characters must be present to miss it, or elsewhere to watch it. That is so for a single step (`at`);
    /// in a window they miss or watch what they can.
    pub is_demanded: bool,
    /// Who misses or watches, and how.
    pub attention: Attention,
}

/// Who misses or watches what happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attention {
    /// These characters watch from elsewhere, unnoticed.
    Peek(Vec<CharacterId>),
    /// Some characters do not witness what happens.
    Distracted {
        /// The characters who are distracted.
        who: Vec<CharacterId>,
        /// Whether the others notice that they are distracted.
        is_noticed: bool,
    },
}

impl Staging {
    /// The place where everything has to be said, if stories are told as conversations.
    pub fn table(&self) -> Option<PlaceId> {
        (self.style == Style::Conversation).then(|| PlaceId::new(0))
    }

    /// Whether somebody surely has seen what is so of a proposition by a step, and still holds it: she knows it from the start, or
    /// is surely there when it is revealed.
    ///
    /// Costs O(deeds).
    pub fn surely_knows(&self, who: CharacterId, proposition: PropositionId, step: usize) -> bool {
        if self.trust == Trust::Always || !self.attention.is_empty() {
            return false; // She may have been told otherwise since, or have missed it.
        }
        self.knows_at_first(who, proposition)
            || self.showings(proposition).take_while(|(at, _)| *at < step).any(|(at, deed)| {
                let is_there =
                    || self.audiences.iter().any(|(step, with)| *step == at && with.contains(&who));
                deed.who == who || is_there()
            })
    }

    /// Whether somebody knows from the start what is so of a proposition.
    pub fn knows_at_first(&self, who: CharacterId, proposition: PropositionId) -> bool {
        let knowledge = &self.propositions[proposition.index()].knowledge;
        knowledge.get(who.index()).is_none_or(|knows| *knows == Knowledge::Right)
    }

    /// The demanded deeds that show what is so of a proposition, each with its step.
    pub fn showings(&self, proposition: PropositionId) -> impl Iterator<Item = (usize, &PlannedDeed)> {
        let shows = move |shown: PropositionId| {
            let along = self.along.get(shown.index());
            shown == proposition || along.is_some_and(|along| along.shows.contains(&proposition))
        };
        let deeds = self.deeds.iter().map(|(step, deed)| (*step, deed));
        deeds.filter(move |(_, deed)| matches!(deed.act, Act::Reveal(Some(shown)) if shows(shown)))
    }

    /// Whether there are only people who walk, so that this exists merely because a question needs it.
    pub fn is_bare(&self) -> bool {
        let Self { containers, objects, propositions, prospects, play, deeds, attention, .. } = self;
        containers.is_empty()
            && objects.is_empty()
            && propositions.is_empty()
            && prospects.is_empty()
            && play.is_empty()
            && deeds.is_empty()
            && attention.is_empty()
    }

    /// Whether what is demanded or drawn may turn out to be impossible, so that a story is drawn again.
    pub fn may_miss(&self) -> bool {
        !self.deeds.is_empty() || !self.attention.is_empty() || self.share().is_some()
    }

    /// How often free play draws something that leaves everyone where they are, if it ever does.
    pub fn share(&self) -> Option<DeedShare> {
        let sum = |is_counted: fn(Play) -> bool| -> u32 {
            self.play.iter().filter(|(kind, _)| is_counted(*kind)).map(|(_, weight)| weight).sum()
        };
        let deeds = sum(|kind| !kind.is_going());
        (deeds > 0).then(|| DeedShare { deeds, all: sum(|_| true) })
    }

    /// The number of items about which a mind holds something, in stories with `character_count` characters.
    pub fn item_count(&self, character_count: usize) -> usize {
        character_count
            + self.objects.len()
            + self.containers.len()
            + self.propositions.len()
            + self.prospects.len()
    }

    /// The most that drawing one event can cost: it counts the things, the possible deeds, those who miss or watch and,
    /// where anyone says anything, everyone's beliefs.
    pub fn event_cost(&self, character_count: usize, place_count: usize) -> usize {
        let items = self.item_count(character_count);
        let things = self.objects.len() + self.propositions.len();
        let mut acts = self.play.iter().map(|(play, _)| play.act());
        let is_said = acts.any(|act| act == ActKind::Tell)
            || self.deeds.iter().any(|(_, deed)| matches!(deed.act, Act::Tell(_)));
        let spots = self.containers.len().max(place_count);
        let acts = self.objects.len().saturating_mul(spots).saturating_mul(16); // each is written out
        let (minds, tellings) = if is_said { (2 * items, things) } else { (0, 0) };
        let of_everyone = character_count.saturating_mul(minds + tellings);
        let attentive = self.attention.iter().map(|attending| match &attending.attention {
            Attention::Peek(who) | Attention::Distracted { who, .. } => who.len(),
        });
        let attentive: usize = attentive.sum();
        let attention =
            attentive.saturating_mul(attentive.min(character_count)).saturating_mul(character_count);
        items.saturating_add(acts).saturating_add(of_everyone).saturating_add(attention)
    }

    /// How many values the minds hold that have to be tracked to answer `questions`.
    pub fn values_asked(&self, questions: &[Question], character_count: usize) -> usize {
        let items = self.item_count(character_count);
        let values = |question: &Question| {
            let is_of_everyone = matches!(question.kind, QuestionKind::WhoKnows | QuestionKind::CouldAnswer);
            let minds = question.others.len() + 1 + usize::from(is_of_everyone);
            let chains = if is_of_everyone { character_count } else { 1 };
            minds.saturating_mul(chains).saturating_mul(items)
        };
        questions.iter().fold(0, |sum: usize, question| sum.saturating_add(values(question)))
    }

    /// The proposition that a character likes a thing; in a woven story, only people of the board that has the thing like or dislike it.
    pub fn attitude(&self, who: CharacterId, thing: usize) -> Option<PropositionId> {
        let says = Saying::Likes(who, thing);
        self.propositions.iter().position(|known| known.says == says).map(PropositionId::new)
    }

    /// Whether an object can be, or be said to be, where only a place tells where it is: lying openly or in
    /// somebody's hands.
    pub fn has_objects_in_places(&self) -> bool {
        let is_openly =
            |value: &PlannedValue| matches!(value, PlannedValue::Place(_) | PlannedValue::Hands(_));
        let is_left_openly = |act: ActKind| matches!(act.form().rule, Rule::Hands | Rule::Thrown);
        let is_played = |&(play, weight): &(Play, u32)| weight > 0 && is_left_openly(play.act());
        let is_done = |(_, deed): &(usize, PlannedDeed)| match &deed.act {
            Act::Put(_, Some(_)) => false,
            Act::Tell(Telling { item: Some(Item::Object(_)), value: Some(value), .. }) => is_openly(value),
            act => is_left_openly(act.kind()),
        };
        self.objects.iter().flat_map(|object| &object.start).any(is_openly)
            || self.play.iter().any(is_played)
            || self.deeds.iter().any(is_done)
    }
}
