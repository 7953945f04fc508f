//! What is followed, event by event, to answer a question of any kind in a story of any kind.
//!
//! A [`Reading`] is for stories with deeds what a [`Watch`](super::watch::Watch) is for walks. Everything may
//! change it, so nothing is skipped.

use super::answer::{Answer, Verdict};
use super::matters::{Claimed, Told, standing};
use super::view::{View, reality, verdict};
use super::watch::Company;
use crate::belief::{Chain, DeedTracker};
use crate::id::{CharacterId, PropositionId};
use crate::plan::{Plan, Question, Target};
use crate::storyboard::QuestionKind;
use crate::trace::Trace;
use crate::world::{Act, ActInWorld, Deed, Event, Item, Scene, Value};

/// The state from which an answer is read.
#[derive(Clone, Debug)]
pub enum Reading {
    /// What a chain of minds holds of its target or, without minds, the real state.
    Mind(DeedTracker),
    /// The state of an item at the start.
    Start(Item, Option<Answer>),
    /// Where the target went when it left the company.
    World(Company),
    /// Whether the last mind of the chain holds the same as the mind of the first `depth` members.
    Knows {
        tracker: DeedTracker,
        depth: usize,
    },
    /// In whose picture of `asked`, each with a tracker, the answer is the same as in `asked` itself.
    WhoKnows {
        asked: DeedTracker,
        /// Who is asked about.
        people: Vec<CharacterId>,
        /// What each of them makes of it.
        everyone: Vec<DeedTracker>,
    },
    /// For which of the attitudes, each with its character, a chain holds that they are so, or that they are not.
    WhoLikes {
        tracker: DeedTracker,
        attitudes: Vec<(CharacterId, PropositionId)>,
        likes: bool,
    },
    Following(Pursuit),
    /// What is told of a matter.
    Told(Told),
    /// Who knew what just before a claim was made.
    Claimed(Claimed),
    /// Which of two people know something: the first with what she takes the second to hold, and the second.
    Stands(Box<[DeedTracker; 2]>),
}

impl Reading {
    /// The reading that answers a question.
    pub fn new(plan: &Plan, question: &Question) -> Self {
        let others = &question.others;
        match question.kind {
            QuestionKind::Belief | QuestionKind::Reality => {
                Self::of_chain(Chain::new(others, item(question)))
            }
            QuestionKind::Start => Self::Start(item(question), None),
            QuestionKind::World | QuestionKind::WorldThings => {
                Self::World(Company::new(others, question.character()))
            }
            QuestionKind::Knows => {
                let chain = Chain::new(others, item(question));
                let mut outer = others[..others.len() - 1].to_vec();
                outer.dedup();
                Self::Knows { depth: outer.len().min(chain.order()), tracker: DeedTracker::new(chain) }
            }
            QuestionKind::WhoKnows | QuestionKind::CouldAnswer => {
                let is_asked = |who: &CharacterId| question.of.is_empty() || question.of.contains(who);
                let people: Vec<CharacterId> = people(plan).filter(is_asked).collect();
                let everyone = people.iter().map(|&who| {
                    let minds: Vec<CharacterId> = [who].iter().chain(others).copied().collect();
                    DeedTracker::new(Chain::new(&minds, item(question)))
                });
                let asked = DeedTracker::new(Chain::new(others, item(question)));
                Self::WhoKnows { asked, everyone: everyone.collect(), people }
            }
            QuestionKind::WhoLikes | QuestionKind::WhoDislikes => {
                let Target::Attitude(thing) = question.target else { panic!("a question about attitudes") };
                let staging = plan.staging.as_ref().expect("attitudes are staged");
                let attitude = |who| Some((who, staging.attitude(who, thing)?));
                let attitudes: Vec<_> = people(plan).filter_map(attitude).collect();
                let tracker = DeedTracker::new(Chain::new(others, Item::Proposition(attitudes[0].1)));
                Self::WhoLikes { tracker, attitudes, likes: question.kind == QuestionKind::WhoLikes }
            }
            QuestionKind::Following => {
                Self::Following(Pursuit::new(question.character(), plan.character_count))
            }
            QuestionKind::Honest | QuestionKind::Why | QuestionKind::Present => {
                Self::Told(Told::new(plan, question))
            }
            QuestionKind::BeliefIn
            | QuestionKind::Emotion
            | QuestionKind::Intention
            | QuestionKind::Action
            | QuestionKind::Changed
            | QuestionKind::Cause
            | QuestionKind::Influence
            | QuestionKind::Course => unreachable!("these follow from the courses of a story"),
            QuestionKind::CouldLie | QuestionKind::SeesThrough => Self::Claimed(Claimed::new(plan, question)),
            QuestionKind::Stands => {
                let tracker = |minds| DeedTracker::new(Chain::new(minds, item(question)));
                Self::Stands(Box::new([tracker(others), tracker(&others[1..])]))
            }
        }
    }

    pub fn of_chain(chain: Chain) -> Self {
        Self::Mind(DeedTracker::new(chain))
    }

    /// The reading that answers the question one order lower, if there is such a question.
    pub fn lower(plan: &Plan, question: &Question) -> Option<Self> {
        let others = &question.others;
        match question.kind {
            QuestionKind::Belief => {
                let chain = Chain::new(others, item(question));
                (chain.order() > 0).then(|| Self::of_chain(chain.lower()))
            }
            QuestionKind::Knows if others.len() < 2 => None,
            QuestionKind::Knows
            | QuestionKind::CouldAnswer
            | QuestionKind::WhoLikes
            | QuestionKind::WhoDislikes => {
                let lower = Question { others: others.get(1..)?.to_vec(), ..question.clone() };
                Some(Self::new(plan, &lower))
            }
            _ => None,
        }
    }

    /// Goes back to the start of a story, with `scene` as its first scene.
    fn start(&mut self, trace: &Trace, scene: &Scene) {
        match self {
            Self::Mind(tracker) | Self::Knows { tracker, .. } | Self::WhoLikes { tracker, .. } => {
                tracker.start(trace)
            }
            Self::Start(item, answer) => *answer = Some(reality(scene, *item)),
            Self::World(company) => company.start(&trace.start),
            Self::WhoKnows { asked, everyone, .. } => {
                asked.start(trace);
                everyone.iter_mut().for_each(|tracker| tracker.start(trace));
            }
            Self::Following(pursuit) => pursuit.start(),
            Self::Told(told) => told.start(),
            Self::Claimed(claimed) => {
                claimed.start();
                claimed.trackers.iter_mut().for_each(|tracker| tracker.start(trace));
            }
            Self::Stands(trackers) => trackers.iter_mut().for_each(|tracker| tracker.start(trace)),
        }
    }

    /// Takes in an event, which has just changed the scene to `scene` if no chain is followed. Returns whether the owner of an outermost mind witnessed
    /// it.
    fn apply(&mut self, event: Event, deed: &Deed, scene: &Scene) -> bool {
        match self {
            Self::Mind(tracker) | Self::Knows { tracker, .. } | Self::WhoLikes { tracker, .. } => {
                return tracker.follow(event, deed);
            }
            Self::Start(..) => {}
            Self::World(company) => {
                company.go(event.to, |who| Scene::movers(event, &deed.act).any(|mover| mover == who))
            }
            Self::WhoKnows { asked, everyone, .. } => {
                let is_of_mind = asked.chain().order() > 0;
                let mut is_witnessed = asked.follow(event, deed) && is_of_mind;
                for tracker in everyone {
                    is_witnessed |= tracker.follow(event, deed);
                }
                return is_witnessed;
            }
            Self::Told(told) => told.apply(event, deed, scene),
            Self::Claimed(claimed) => {
                let goes_on = claimed.apply(event, deed);
                let mut is_witnessed = false;
                for tracker in claimed.trackers.iter_mut().filter(|_| goes_on) {
                    is_witnessed |= tracker.follow(event, deed);
                }
                return is_witnessed;
            }
            Self::Stands(trackers) => {
                let follow = |tracker: &mut DeedTracker| tracker.follow(event, deed);
                return trackers.each_mut().map(follow).contains(&true);
            }
            Self::Following(pursuit) => {
                if Scene::movers(event, &deed.act).any(|mover| mover == pursuit.who) {
                    pursuit.go(event, scene);
                }
            }
        }
        false
    }

    /// The chains that are followed: first the one that is asked about.
    pub fn trackers(&self) -> impl Iterator<Item = &DeedTracker> {
        let (first, others): (_, &[DeedTracker]) = match self {
            Self::Mind(tracker) | Self::Knows { tracker, .. } | Self::WhoLikes { tracker, .. } => {
                (Some(tracker), &[])
            }
            Self::WhoKnows { asked, everyone, .. } => (Some(asked), everyone),
            Self::Claimed(claimed) => (None, &claimed.trackers),
            Self::Stands(trackers) => (None, trackers.as_slice()),
            Self::Start(..) | Self::World(_) | Self::Following(_) | Self::Told(_) => (None, &[]),
        };
        first.into_iter().chain(others)
    }

    /// The same, to be changed.
    pub fn trackers_mut(&mut self) -> impl Iterator<Item = &mut DeedTracker> {
        let (first, others): (_, &mut [DeedTracker]) = match self {
            Self::Mind(tracker) | Self::Knows { tracker, .. } | Self::WhoLikes { tracker, .. } => {
                (Some(tracker), &mut [])
            }
            Self::WhoKnows { asked, everyone, .. } => (Some(asked), everyone),
            Self::Claimed(claimed) => (None, &mut claimed.trackers),
            Self::Stands(trackers) => (None, trackers.as_mut_slice()),
            Self::Start(..) | Self::World(_) | Self::Following(_) | Self::Told(_) => (None, &mut []),
        };
        first.into_iter().chain(others)
    }

    /// What the chains are about.
    pub fn targets(&self) -> Vec<Item> {
        match self {
            Self::WhoLikes { attitudes, .. } => {
                attitudes.iter().map(|(_, attitude)| Item::Proposition(*attitude)).collect()
            }
            reading => reading.trackers().take(1).map(|tracker| tracker.chain().target()).collect(),
        }
    }

    /// What a chain holds of its target, if a chain is followed.
    pub fn held(&self) -> Option<Value> {
        match self {
            Self::Mind(tracker) => tracker.held().value(),
            _ => None,
        }
    }

    /// The answer; `None` if a careful reader could not say.
    pub fn answer(&self) -> Option<Answer> {
        match self {
            Self::Mind(tracker) => {
                let (chain, item) = (tracker.chain(), tracker.chain().target());
                match (View::of(tracker, chain.order(), item), item) {
                    (View::Nothing, Item::Proposition(_) | Item::Lid(_)) => {
                        Some(Answer::Verdict(Verdict::Unknown))
                    }
                    (view, _) => view.answer(),
                }
            }
            Self::Start(_, answer) => *answer,
            Self::World(company) => company.went().map(Answer::Place),
            Self::Knows { tracker, depth } => {
                let (chain, item) = (tracker.chain(), tracker.chain().target());
                let view = |depth| View::of(tracker, depth, item);
                let knows = match (view(*depth), view(chain.order())) {
                    (_, View::Nothing) => false,
                    (View::Clear(outer), View::Clear(inner)) => outer == inner,
                    // Reality settles what there is to know, and a mind in it is hers who has it.
                    _ if *depth == 0 => false,
                    _ => return None,
                };
                Some(Answer::Verdict(verdict(knows)))
            }
            Self::WhoKnows { everyone, .. } if everyone.iter().any(DeedTracker::is_lost) => None,
            Self::WhoKnows { asked, people, everyone } => {
                let view = |tracker: &DeedTracker| {
                    View::of(tracker, tracker.chain().order(), tracker.chain().target()).answer()
                };
                let wanted = view(asked)?;
                let knows = |(_, tracker): &(&CharacterId, &DeedTracker)| view(tracker) == Some(wanted);
                let knowing = people.iter().zip(everyone).filter(knows);
                Some(Answer::People(knowing.fold(0, |knowing, (who, _)| knowing | 1 << who.index())))
            }
            Self::WhoLikes { tracker, attitudes, likes } => {
                let wanted = Answer::Verdict(verdict(*likes));
                let mut people = 0;
                for (who, attitude) in attitudes {
                    let is_in = match View::of(tracker, tracker.chain().order(), Item::Proposition(*attitude))
                    {
                        View::Clear(answer) => answer == wanted,
                        View::Nothing => false,
                        View::Unclear => return None,
                    };
                    people |= u64::from(is_in) << who.index();
                }
                Some(Answer::People(people))
            }
            Self::Following(pursuit) => pursuit.whom().map(Answer::Character),
            Self::Told(told) => told.answer(),
            Self::Claimed(claimed) => claimed.answer(),
            Self::Stands(trackers) => standing(&trackers[0], &trackers[1]),
        }
    }
}

/// The item that a question is about.
///
/// # Panics
/// If the question is about everyone's attitude.
pub fn item(question: &Question) -> Item {
    match question.target {
        Target::Item(item) => item,
        Target::Attitude(_) | Target::Matter(_) => panic!("a question about one item"),
    }
}

fn people(plan: &Plan) -> impl Iterator<Item = CharacterId> + use<> {
    (0..plan.character_count).map(CharacterId::new)
}

/// "Whom is A following?": the only other character with whom A is after each of her moves. She has to have made at
/// least one.
#[derive(Clone, Debug)]
pub struct Pursuit {
    pub who: CharacterId,
    has_moved: bool,
    /// For each character, whether she may be following them.
    fits: Vec<bool>,
}

impl Pursuit {
    fn new(who: CharacterId, character_count: usize) -> Self {
        Self { who, has_moved: false, fits: vec![true; character_count] }
    }

    fn start(&mut self) {
        self.has_moved = false;
        self.fits.fill(true);
        self.fits[self.who.index()] = false;
    }

    fn go(&mut self, event: Event, scene: &Scene) {
        self.has_moved = true;
        for (fits, other) in self.fits.iter_mut().zip(scene.characters()) {
            *fits &= scene.place(other) == event.to;
        }
    }

    fn whom(&self) -> Option<CharacterId> {
        let mut fitting = self.fits.iter().enumerate().filter(|(_, fits)| **fits);
        let (who, _) = fitting.next().filter(|_| self.has_moved)?;
        fitting.next().is_none().then(|| CharacterId::new(who))
    }
}

/// The deed of a step for which the story has none: going somewhere.
static GOES: Deed = Deed { act: Act::Go, peeking: Vec::new(), distracted: Vec::new() };

/// The event and the deed of a step.
pub fn happening(trace: &Trace, step: usize) -> (Event, &Deed) {
    (trace.events[step], trace.deeds.get(step).unwrap_or(&GOES))
}

/// A story up to some step, and the reading that answers a question then.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Where everyone and everything is, if no chain is followed; at the start, in any case.
    scene: Scene,
    /// The reading that answers the question.
    pub reading: Reading,
}

impl Replay {
    pub fn new(reading: Reading) -> Self {
        Self { scene: Scene::default(), reading }
    }

    /// Goes back to the start of a story.
    pub fn start(&mut self, trace: &Trace) {
        self.scene.begin(&trace.start, &trace.stage);
        self.reading.start(trace, &self.scene);
    }

    /// Applies an event that can happen. Returns whether the owner of the outermost mind witnessed it.
    pub fn apply(&mut self, event: Event, deed: &Deed) -> bool {
        if self.reading.trackers().next().is_none() {
            self.scene.apply(event, &deed.act);
        }
        self.reading.apply(event, deed, &self.scene)
    }

    /// Where everyone and everything is.
    pub fn scene(&self) -> &Scene {
        self.reading.trackers().next().map_or(&self.scene, DeedTracker::scene)
    }

    /// Whether an event moves an item: a character goes, an object is moved, or it is carried along in somebody's hands.
    pub fn moves(&self, event: Event, deed: &Deed, item: Item) -> bool {
        let goes = |who| Scene::movers(event, &deed.act).any(|mover| mover == who);
        match item {
            Item::Character(who) => goes(who),
            Item::Object(object) => {
                deed.act.object() == Some(object)
                    || matches!(self.scene().value(item), Value::Hands(holder) if goes(holder))
            }
            Item::Lid(_) | Item::Proposition(_) | Item::Prospect(_) => false,
        }
    }
}
