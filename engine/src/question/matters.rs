//! Questions about matters: what the target was told of them, who heard it, and who knew better.

use super::answer::{Answer, Standing};
use super::view::{View, verdict};
use crate::belief::{Chain, DeedTracker};
use crate::id::{CharacterId, PropositionId};
use crate::plan::{Plan, PlannedMatter, Question, Target};
use crate::storyboard::{Facet, OfMatter, QuestionKind};
use crate::trace::Trace;
use crate::world::{Act, Deed, Event, Hearers, Item, Scene, Telling};

/// What somebody says to everyone present: of what, and whether she reveals it.
pub fn said(deed: &Deed) -> Option<(PropositionId, bool)> {
    match &deed.act {
        Act::Reveal((proposition, _)) => Some((*proposition, true)),
        Act::Tell(Telling { hearers: Hearers::Present, item: Item::Proposition(proposition), .. }) => {
            Some((*proposition, false))
        }
        _ => None,
    }
}

/// What somebody is in a matter, by what she has said and heard of it at the end. Of several, the last counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Anybody else.
    Outsider,
    /// She has heard the truth, but not the reason.
    Observer,
    /// She knows the reason.
    Accomplice,
    /// She has told the claim, be it true or not.
    Liar,
    /// The matter is hers.
    Target,
}

impl Role {
    /// The role as one word for programs.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Outsider => "outsider",
            Self::Observer => "observer",
            Self::Accomplice => "accomplice",
            Self::Liar => "liar",
            Self::Target => "target",
        }
    }
}

/// For each matter, the role of every character.
///
/// Costs O(steps · (characters + matters)).
///
/// # Panics
/// If the plan has no matters, or the story does not belong to the plan.
pub fn roles(plan: &Plan, trace: &Trace) -> Vec<Vec<Role>> {
    let matters = &plan.staging.as_ref().expect("matters are staged").matters;
    let mut roles = vec![vec![Role::Outsider; plan.character_count]; matters.len()];
    let raise = |roles: &mut [Role], who: CharacterId, role: Role| {
        roles[who.index()] = role.max(roles[who.index()]);
    };
    for (PlannedMatter { by, to, .. }, roles) in matters.iter().zip(&mut roles) {
        raise(roles, by[0], Role::Accomplice);
        raise(roles, *to, Role::Target);
    }
    let mut scene = Scene::new(&trace.start, &trace.stage);
    for (event, deed) in trace.events.iter().zip(&trace.deeds) {
        if let Some((of, is_revealed)) = said(deed) {
            for (matter, roles) in matters.iter().zip(&mut roles) {
                let [claim, reason] = [Facet::Claim, Facet::Reason].map(|facet| matter.facet(facet));
                let heard_as = match is_revealed {
                    false if of == claim => {
                        raise(roles, event.who, Role::Liar);
                        continue;
                    }
                    true if of == reason => Role::Accomplice,
                    true if matter.truth() == Some(of) => Role::Observer,
                    _ => continue,
                };
                scene.witnesses(*event, deed).for_each(|who| raise(roles, who, heard_as));
            }
        }
        scene.apply(*event, &deed.act);
    }
    roles
}

/// The matter that a question is about.
///
/// # Panics
/// If it is about something else.
pub fn matter<'p>(plan: &'p Plan, question: &Question) -> (usize, &'p PlannedMatter) {
    let Target::Matter(number) = question.target else { panic!("a question about a matter") };
    (number, &plan.staging.as_ref().expect("matters are staged").matters[number])
}

/// Whether what a question is about was ever said, if it can be: of what is not, nothing is asked.
///
/// Costs O(steps).
pub fn is_said(plan: &Plan, question: &Question, trace: &Trace) -> bool {
    let (Target::Item(Item::Proposition(proposition)), Some(staging)) = (question.target, &plan.staging)
    else {
        return true;
    };
    let Some(OfMatter { matter, facet }) = staging.propositions[proposition.index()].of_matter() else {
        return true;
    };
    match wanted(&staging.matters[matter], facet) {
        None => true,
        Some(wanted) => wanted.is_some() && trace.deeds.iter().any(|deed| said(deed) == wanted),
    }
}

/// What has to be said, and whether it has to be revealed, for there to be an answer about a facet. The outer `None` means that nothing
/// has to, the inner that it never can be.
pub fn wanted(matter: &PlannedMatter, facet: Facet) -> Option<Option<(PropositionId, bool)>> {
    Some(match facet {
        Facet::Claim => return None,
        Facet::Reason | Facet::ReasonTold => Some((matter.facet(Facet::Reason), true)),
        Facet::Hint => Some((matter.facet(Facet::Hint), true)),
        Facet::TruthTold => matter.truth().map(|truth| (truth, true)),
        Facet::ClaimTold => Some((matter.facet(Facet::Claim), false)),
    })
}

/// What a reader is told of a matter, in the order in which it is said.
#[derive(Clone, Debug)]
pub struct Told {
    asked: Asked,
    /// How many steps there were.
    steps: usize,
    /// What has to be said for there to be an answer, each with the step at which it was said first.
    heard: Vec<(Wanted, Option<usize>)>,
    /// The answer at the moment at which the last of it was said.
    answer: Option<Answer>,
}

/// What is asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// Whether the claim is so.
    Honest(PropositionId),
    /// Why the target was told what she was told of this matter.
    Why(usize),
    /// Who was there.
    Present,
}

/// Something that has to be said: any of these propositions, revealed or told.
#[derive(Clone, Debug)]
struct Wanted {
    any: Vec<PropositionId>,
    is_revealed: bool,
}

impl Told {
    pub fn new(plan: &Plan, question: &Question) -> Self {
        let revealed = |any: Vec<PropositionId>| (Wanted { any, is_revealed: true }, None);
        let told = |claim| (Wanted { any: vec![claim], is_revealed: false }, None);
        let staging = plan.staging.as_ref().expect("matters are staged");
        let (asked, heard) = match (question.kind, question.target) {
            (QuestionKind::Present, Target::Item(Item::Proposition(proposition))) => {
                let of = staging.propositions[proposition.index()].of_matter();
                let OfMatter { matter, facet } = of.expect("something that is told of a matter");
                let matter = &staging.matters[matter];
                let heard = match facet {
                    Facet::ReasonTold => revealed(vec![matter.facet(Facet::Reason)]),
                    Facet::TruthTold => revealed(matter.truth().into_iter().collect()),
                    _ => told(matter.facet(Facet::Claim)),
                };
                (Asked::Present, vec![heard])
            }
            (kind, _) => {
                let (number, matter) = self::matter(plan, question);
                let [claim, reason] = [Facet::Claim, Facet::Reason].map(|facet| matter.facet(facet));
                match kind {
                    QuestionKind::Honest => {
                        (Asked::Honest(claim), vec![revealed(vec![reason, claim]), told(claim)])
                    }
                    _ => (Asked::Why(number), vec![revealed(vec![reason])]),
                }
            }
        };
        Self { asked, steps: 0, heard, answer: None }
    }

    pub fn start(&mut self) {
        self.steps = 0;
        self.answer = None;
        self.heard.iter_mut().for_each(|(_, step)| *step = None);
    }

    /// Takes in an event, after which everything is as in `scene`.
    pub fn apply(&mut self, event: Event, deed: &Deed, scene: &Scene) {
        self.steps += 1;
        let Some((proposition, is_revealed)) = said(deed) else { return };
        for (wanted, step) in &mut self.heard {
            if step.is_none() && wanted.is_revealed == is_revealed && wanted.any.contains(&proposition) {
                *step = Some(self.steps - 1);
            }
        }
        if self.answer.is_none() && self.heard.iter().all(|(_, step)| step.is_some()) {
            self.answer = Some(match self.asked {
                Asked::Honest(claim) => super::view::reality(scene, Item::Proposition(claim)),
                Asked::Why(matter) => Answer::Why(matter, 0),
                Asked::Present => Answer::People(mask(scene.witnesses(event, deed))),
            });
        }
    }

    pub fn answer(&self) -> Option<Answer> {
        self.answer
    }

    /// At which of the steps that were taken in it was said, in order.
    pub fn steps(&self) -> Vec<usize> {
        let mut steps: Vec<usize> = self.heard.iter().filter_map(|(_, step)| *step).collect();
        steps.sort_unstable();
        steps
    }
}

/// The characters, one bit each.
fn mask(who: impl Iterator<Item = CharacterId>) -> u64 {
    who.fold(0, |mask, who| mask | 1 << who.index())
}

/// Who knew what just before the claim about a matter was made.
#[derive(Clone, Debug)]
pub struct Claimed {
    claim: PropositionId,
    /// Whether it is asked who took the target not to know, rather than who heard the claim.
    could_lie: bool,
    /// The only one who is asked about, if it is not everyone.
    one: Option<CharacterId>,
    /// The minds of those who are asked about; and, for lies, what they take the target to hold.
    pub trackers: Vec<DeedTracker>,
    steps: usize,
    /// The step at which the claim was made, and the answer then.
    made: Option<(usize, Option<Answer>)>,
}

impl Claimed {
    pub fn new(plan: &Plan, question: &Question) -> Self {
        let (_, matter) = self::matter(plan, question);
        let could_lie = question.kind == QuestionKind::CouldLie;
        let claim = matter.facet(Facet::Claim);
        let one = question.others.first().copied();
        let everyone = (0..plan.character_count).map(CharacterId::new);
        let is_of = |who: &CharacterId| question.of.is_empty() || question.of.contains(who);
        let is_asked = |who: &CharacterId| one.map_or(!could_lie || *who != matter.to, |one| one == *who);
        let asked = everyone.filter(is_of).filter(is_asked);
        let tracker = |who| {
            let minds = [who, matter.to];
            DeedTracker::new(Chain::new(&minds[..1 + usize::from(could_lie)], Item::Proposition(claim)))
        };
        Self { claim, could_lie, one, trackers: asked.map(tracker).collect(), steps: 0, made: None }
    }

    pub fn start(&mut self) {
        self.steps = 0;
        self.made = None;
    }

    /// Takes in an event that is about to happen. Returns whether minds have to follow it: what comes after the claim does not
    /// matter.
    pub fn apply(&mut self, event: Event, deed: &Deed) -> bool {
        self.steps += 1;
        if self.made.is_none() && said(deed) == Some((self.claim, false)) {
            self.made = Some((self.steps - 1, self.judge(event, deed)));
        }
        self.made.is_none()
    }

    /// At which of the steps that were taken in the claim was made.
    pub fn step(&self) -> Option<usize> {
        self.made.map(|(step, _)| step)
    }

    pub fn answer(&self) -> Option<Answer> {
        self.made.and_then(|(_, answer)| answer)
    }

    fn judge(&self, event: Event, deed: &Deed) -> Option<Answer> {
        let item = Item::Proposition(self.claim);
        let mut people = 0;
        for tracker in &self.trackers {
            let who = tracker.chain().minds()[0];
            let is_so = if View::of(tracker, 1, item) != View::of(tracker, 0, item) {
                false
            } else if self.could_lie {
                // Whoever is told it herself takes herself to know what she knows.
                tracker.chain().minds().len() > 1 && !takes_to_know(tracker, 1, item)?
            } else {
                tracker.scene().is_witness(event, deed, who)
            };
            people |= u64::from(is_so) << who.index();
        }
        Some(match self.one {
            Some(_) => Answer::Verdict(verdict(people != 0)),
            None => Answer::People(people),
        })
    }
}

/// Whether the mind of the first `depth` members takes the next to know; `None` if that is unclear.
fn takes_to_know(tracker: &DeedTracker, depth: usize, item: Item) -> Option<bool> {
    match (View::of(tracker, depth, item), View::of(tracker, depth + 1, item)) {
        (_, View::Nothing) => Some(false),
        (View::Clear(outer), View::Clear(inner)) => Some(outer == inner),
        _ => None,
    }
}

/// Which of two know something: `first` follows the first of them and what she takes the second to hold, `second` the second.
pub fn standing(first: &DeedTracker, second: &DeedTracker) -> Option<Answer> {
    let (minds, item) = (first.chain().minds(), first.chain().target());
    let knows = |tracker: &DeedTracker| View::of(tracker, 1, item) == View::of(tracker, 0, item);
    let standing = standing_of([knows(first), knows(second)], takes_to_know(first, 1, item))?;
    Some(Answer::Standing(standing, [minds[0], minds[1]]))
}

/// Which of two know something, by who does and whether the first takes the second to.
pub fn standing_of([first, second]: [bool; 2], takes_to_know: Option<bool>) -> Option<Standing> {
    Some(match (first, second, takes_to_know) {
        (false, false, _) => Standing::Neither,
        (false, true, _) => Standing::Second,
        (true, true, Some(true)) => Standing::Both,
        (true, true, Some(false)) => Standing::BothUnnoticed,
        (true, false, Some(false)) => Standing::First,
        // None of the sentences says that she wrongly takes the other to know.
        (true, false, Some(true)) | (true, _, None) => return None,
    })
}
