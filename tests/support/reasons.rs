//! Whether steps are evidence, told again from the definition with minds written out; no code is shared with what finds
//! evidence.

use std::collections::{BTreeMap, BTreeSet};

use storysim::belief::nested::Mind;
use storysim::belief::{Chain, Held};
use storysim::id::CharacterId;
use storysim::plan::Question;
use storysim::question::{Answer, Verdict};
use storysim::storyboard::QuestionKind;
use storysim::trace::{Trace, Witnessed};
use storysim::world::{ActInWorld, Item, Scene, Value};

/// What a mind says, or why it says nothing.
type Say = Result<Answer, Held>;

/// What the mind of the first so many members is asked: of an item, and whether that is a target or the next mind's owner.
type Ask = (usize, Item, bool);

/// What minds say, before the first event and after each.
type Says = BTreeMap<Ask, Vec<Say>>;

/// What a chain says in the whole story, and what of it has to hold, each after so many events.
struct Whole {
    chain: Chain,
    says: Says,
    needs: BTreeSet<(Ask, usize)>,
}

/// A story and a question about it.
pub struct Reasons<'s> {
    story: &'s Trace,
    witnessed: Vec<Witnessed>,
    asked: &'s Question,
    targets: Vec<Item>,
    opinions: Vec<Whole>,
}

impl<'s> Reasons<'s> {
    /// The reasons for the answer to a question about `targets` at the end of a story.
    pub fn new(story: &'s Trace, asked: &'s Question, targets: Vec<Item>) -> Self {
        let mut reasons = Self { story, witnessed: story.witnessed(), asked, targets, opinions: Vec::new() };
        let is_of_minds = !matches!(
            asked.kind,
            QuestionKind::Start | QuestionKind::World | QuestionKind::WorldThings | QuestionKind::Following
        );
        if is_of_minds {
            reasons.opinions = reasons.opinions();
        }
        reasons
    }

    /// What is wrong with these steps as evidence: they are not enough, or a part of them is.
    pub fn fault(&self, evidence: &[usize]) -> Option<String> {
        assert!(evidence.is_sorted() && evidence.len() <= 16, "{evidence:?}");
        if !self.are_enough(evidence) {
            return Some(format!("{evidence:?} is not enough for {:?} of {:?}", self.asked, self.story));
        }
        for part in 0..(1_u32 << evidence.len()) - 1 {
            let steps = evidence.iter().enumerate().filter(|(at, _)| part & (1 << at) != 0);
            let part: Vec<usize> = steps.map(|(_, &step)| step).collect();
            if self.are_enough(&part) {
                return Some(format!(
                    "of {evidence:?}, {part:?} is enough for {:?} of {:?}",
                    self.asked, self.story
                ));
            }
        }
        None
    }

    /// Whether these steps alone are enough.
    pub fn are_enough(&self, steps: &[usize]) -> bool {
        match self.asked.kind {
            QuestionKind::Start => true,
            QuestionKind::World | QuestionKind::WorldThings => {
                self.meeting().iter().all(|step| steps.contains(step))
            }
            QuestionKind::Following => self.leave_one(steps),
            _ => self.opinions.iter().all(|whole| self.is_held(whole, steps)),
        }
    }

    /// Whether the definition gives up a mind that knows of these steps only, so that it cannot say whether they are enough.
    pub fn are_given_up(&self, steps: &[usize]) -> bool {
        self.opinions.iter().any(|Whole { chain, .. }| {
            let mut reality = Mind::of_chain(self.story, chain);
            for witnessed in &self.witnessed {
                reality.happen(&Self::known(witnessed, &|step| steps.contains(&step)));
            }
            reality.is_lost(chain.minds())
        })
    }

    /// An event, which nobody witnesses if its step is not known.
    fn known(witnessed: &Witnessed, is_known: &dyn Fn(usize) -> bool) -> Witnessed {
        let mut witnessed = witnessed.clone();
        if !is_known(witnessed.step) {
            witnessed.witnesses.clear();
        }
        witnessed
    }

    /// What the chains say whose opinions a question asks for.
    fn opinions(&self) -> Vec<Whole> {
        let others = &self.asked.others;
        let chain = Chain::new(others, self.targets[0]);
        let order = chain.order();
        match self.asked.kind {
            QuestionKind::Knows => {
                let mut outer = others[..others.len() - 1].to_vec();
                outer.dedup();
                let depth = outer.len().min(order);
                let says = self.replay(&chain, &|_| true);
                let is_clear = says[&(order, self.targets[0], true)].last().unwrap().is_ok();
                let rows = [order, depth];
                vec![self.whole(chain, if is_clear { &rows } else { &rows[..1] })]
            }
            QuestionKind::WhoKnows | QuestionKind::CouldAnswer => {
                let people = (0..self.story.start.len()).map(CharacterId::new);
                let of =
                    |who: CharacterId| Chain::new(&[&[who], others.as_slice()].concat(), self.targets[0]);
                people
                    .map(of)
                    .chain([chain])
                    .map(|chain| self.whole(chain.clone(), &[chain.order()]))
                    .collect()
            }
            _ => vec![self.whole(chain, &[order])],
        }
    }

    fn whole(&self, chain: Chain, rows: &[usize]) -> Whole {
        let says = self.replay(&chain, &|_| true);
        let mut whole = Whole { chain, says, needs: BTreeSet::new() };
        for &row in rows {
            for &target in &self.targets {
                self.need(&mut whole, (row, target, true), self.witnessed.len());
            }
        }
        whole
    }

    /// Whether all that has to hold of a chain does, if only these steps are known.
    fn is_held(&self, whole: &Whole, steps: &[usize]) -> bool {
        // Nothing can be settled by a step that is not known.
        let mut settling =
            whole.needs.iter().filter_map(|&(ask, until)| settled(&whole.says[&ask][..=until]));
        if settling.any(|step| !steps.contains(&step)) {
            return false;
        }
        let again = self.replay(&whole.chain, &|step| steps.contains(&step));
        whole.needs.iter().all(|&(ask, until)| {
            let (told, retold) = (&whole.says[&ask][..=until], &again[&ask][..=until]);
            let step = settled(told);
            match ask.0 {
                0 => step.is_none_or(|step| steps.contains(&step)),
                _ => step == settled(retold) && told[until] == retold[until],
            }
        })
    }

    /// Gathers what has to hold.
    fn need(&self, whole: &mut Whole, ask: Ask, until: usize) {
        let Some(step) = settled(&whole.says[&ask][..=until]) else {
            whole.needs.insert((ask, until));
            return;
        };
        if whole.needs.insert((ask, until)) {
            for outer in 1..ask.0 {
                let inner = whole.chain.minds()[outer];
                if !self.names(step, inner) {
                    self.need(whole, (outer, Item::Character(inner), false), step + 1);
                }
            }
        }
    }

    /// Whether an event names someone as one who acts, is given something or is spoken to.
    fn names(&self, step: usize, who: CharacterId) -> bool {
        let Witnessed { event, deed, .. } = &self.witnessed[step];
        event.who == who
            || Scene::movers(*event, &deed.act).any(|mover| mover == who)
            || deed.act.receiver() == Some(who)
            || deed.act.named().contains(&who)
    }

    /// What the minds along a chain say if they know of some steps only.
    fn replay(&self, chain: &Chain, is_known: &dyn Fn(usize) -> bool) -> Says {
        let mut reality = Mind::of_chain(self.story, chain);
        let mut says = Says::new();
        let mut look = |reality: &Mind| {
            for row in 0..=chain.order() {
                let (outer, inner) = chain.minds().split_at(row);
                let inner = inner.iter().filter(|_| row > 0).map(|&who| (Item::Character(who), false));
                let asked: BTreeSet<_> = inner.chain(self.targets.iter().map(|&item| (item, true))).collect();
                for (item, is_target) in asked {
                    let is_apart = is_target && self.tells_apart(item);
                    let say = opinion(reality, outer, item);
                    let say = say.map_err(|why| if is_apart { why } else { Held::Nothing });
                    says.entry((row, item, is_target)).or_default().push(say);
                }
            }
        };
        look(&reality);
        for witnessed in &self.witnessed {
            reality.happen(&Self::known(witnessed, is_known));
            look(&reality);
        }
        says
    }

    /// Whether it matters if a mind has no idea of a target, or that is unclear.
    fn tells_apart(&self, target: Item) -> bool {
        let is_where = matches!(self.asked.kind, QuestionKind::Belief | QuestionKind::Reality);
        !(is_where && matches!(target, Item::Character(_) | Item::Object(_)))
    }

    /// The step that brought a company together for the last time, and the one at which the target left.
    fn meeting(&self) -> Vec<usize> {
        let target = self.targets[0].character().unwrap();
        let places = crate::oracle::places(self.story);
        let is_together = |at: usize| {
            self.asked.others.iter().all(|who| places[at][who.index()] == places[at][target.index()])
        };
        let last = (0..places.len()).rev().find(|&at| is_together(at)).unwrap();
        let apart = (0..last).rev().find(|&at| !is_together(at));
        let goes = |step: &usize| places[*step][target.index()] != places[*step + 1][target.index()];
        apart.into_iter().chain((last..self.witnessed.len()).find(goes)).collect()
    }

    /// Whether there is only one whom the target may be following, judging by her moves at these steps.
    fn leave_one(&self, steps: &[usize]) -> bool {
        let follower = self.targets[0].character().unwrap();
        let places = crate::oracle::places(self.story);
        let goes = |step: &&usize| places[**step][follower.index()] != places[**step + 1][follower.index()];
        let moves: Vec<&usize> = steps.iter().filter(goes).collect();
        let is_with = |who: usize| {
            moves.iter().all(|&&step| places[step + 1][who] == places[step + 1][follower.index()])
        };
        let others = (0..self.story.start.len()).filter(|&who| who != follower.index());
        !moves.is_empty() && others.filter(|&who| is_with(who)).count() == 1
    }
}

/// The step that made what is said what it is.
fn settled(says: &[Say]) -> Option<usize> {
    (1..says.len()).rev().find(|&after| says[after] != says[after - 1]).map(|after| after - 1)
}

fn opinion(reality: &Mind, minds: &[CharacterId], item: Item) -> Say {
    match reality.held(minds, item).expect("there is such an item") {
        Held::Known(Value::Hands(holder), _) => opinion(reality, minds, Item::Character(holder)),
        Held::Known(Value::Place(place), _) => Ok(Answer::Place(place)),
        Held::Known(Value::Container(container), _) => Ok(Answer::Container(container)),
        Held::Known(Value::Truth(true), _) => Ok(Answer::Verdict(Verdict::Yes)),
        Held::Known(Value::Truth(false), _) => Ok(Answer::Verdict(Verdict::No)),
        open => Err(open),
    }
}
