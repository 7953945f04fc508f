//! Finds steps that are enough, and of which no part is.

/// How many turns are tried one at a time: the last ones.
const SINGLES_MAX: usize = 64;

/// How many turns are tried two at a time: the last ones.
const PAIRS_MAX: usize = 16;

/// The largest number of steps of which every part is tried.
const PARTS_MAX: usize = 12;

/// Tries some steps: at which step is it plain that they are not enough? `None` if they are. Later steps cannot mend it.
pub type FailsAt<'a> = dyn FnMut(&[usize]) -> Option<usize> + 'a;

/// Steps to choose from.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Steps without which none are enough, in order.
    pub needed: Vec<usize>,
    /// The steps at which an opinion changed, before the last that is needed; the last first.
    pub turns: Vec<usize>,
    /// The steps at which what is held from the start was lost, before it was learnt again, and what they take.
    pub lost: Vec<usize>,
    tried: Vec<usize>,
}

impl Search {
    /// Puts steps that are enough into `found`: those that are needed, and as few as it takes of those at which something
    /// was lost, or else an opinion changed; if these do not suffice, of all that were `witnessed`.
    ///
    /// Costs one trial if those needed are enough, and at most some hundreds if one or two turns more are. Otherwise it
    /// costs O(log witnessed steps) trials for each step found, usually, and at most 2^12 more.
    pub fn find(
        &mut self,
        witnessed: &mut dyn FnMut() -> Vec<usize>,
        found: &mut Vec<usize>,
        fails_at: &mut FailsAt<'_>,
    ) {
        if self.needed.is_empty() {
            return;
        }
        self.needed.sort_unstable();
        self.needed.dedup();
        self.turns.retain(|turn| self.needed.binary_search(turn).is_err());
        self.lost.retain(|step| self.needed.binary_search(step).is_err());
        self.lost.sort_unstable();
        self.lost.dedup();
        if self.is_found_by_turns(fails_at) {
            found.extend_from_slice(&self.tried);
            return;
        }
        let mut spare = self.lost.clone();
        if !self.is_enough_with(&spare, fails_at) {
            spare.clone_from(&self.turns);
            spare.reverse();
        }
        if !self.is_enough_with(&spare, fails_at) {
            let last = self.needed[self.needed.len() - 1];
            spare.clear();
            let others = witnessed().into_iter().filter(|step| self.needed.binary_search(step).is_err());
            spare.extend(others.take_while(|step| *step < last));
        }
        loop {
            let count = spare.len();
            self.leave_out(&mut spare, fails_at);
            if spare.len() == count || spare.len() <= PARTS_MAX {
                break;
            }
        }
        if spare.len() <= PARTS_MAX {
            self.take_part(&mut spare, fails_at);
        }
        found.extend(self.needed.iter().chain(&spare));
        found.sort_unstable();
    }

    /// Tries the needed steps with some others. They are then in `tried`.
    fn is_enough_with(&mut self, others: &[usize], fails_at: &mut FailsAt<'_>) -> bool {
        self.fails_with(others, fails_at).is_none()
    }

    fn fails_with(&mut self, others: &[usize], fails_at: &mut FailsAt<'_>) -> Option<usize> {
        self.tried.clone_from(&self.needed);
        self.tried.extend_from_slice(others);
        self.tried.sort_unstable();
        fails_at(&self.tried)
    }

    /// Tries no turn, one, then two, the later ones first; but not two if those are enough at which something was lost.
    ///
    /// A turn is tried only if it comes before the step at which it is plain that the others are not enough.
    fn is_found_by_turns(&mut self, fails_at: &mut FailsAt<'_>) -> bool {
        let Some(failed) = self.fails_with(&[], fails_at) else { return true };
        let turns = std::mem::take(&mut self.turns);
        let is_found = self.is_found_by(&turns, failed, fails_at);
        self.turns = turns;
        is_found
    }

    fn is_found_by(&mut self, turns: &[usize], failed: usize, fails_at: &mut FailsAt<'_>) -> bool {
        let mut failed_with = [failed; SINGLES_MAX];
        for (failed_with, &turn) in failed_with.iter_mut().zip(turns).filter(|(_, turn)| **turn < failed) {
            match self.fails_with(&[turn], fails_at) {
                Some(step) => *failed_with = step,
                None => return true,
            }
        }
        if self.is_enough_with(&self.lost.clone(), fails_at) {
            return false;
        }
        let turns = &turns[..turns.len().min(PAIRS_MAX)];
        let pairs = || (0..turns.len()).flat_map(|one| (one + 1..turns.len()).map(move |other| (one, other)));
        pairs()
            .filter(|&(one, other)| turns[one] < failed_with[other] && turns[other] < failed_with[one])
            .any(|(one, other)| self.is_enough_with(&[turns[one], turns[other]], fails_at))
    }

    /// Leaves out one step after another, from the last to the first, if the rest is still enough; many at once where
    /// there are many.
    fn leave_out(&mut self, spare: &mut Vec<usize>, fails_at: &mut FailsAt<'_>) {
        let mut end = spare.len();
        let mut length = (end / PAIRS_MAX).max(1);
        while end > 0 {
            length = length.min(end);
            let begin = end - length;
            let rest: Vec<usize> = [&spare[..begin], &spare[end..]].concat();
            if self.is_enough_with(&rest, fails_at) {
                *spare = rest;
                (end, length) = (begin, length * 2);
            } else if length > 1 {
                length /= 2;
            } else {
                end = begin;
            }
        }
    }

    /// Leaves the smallest part that is enough.
    fn take_part(&mut self, spare: &mut Vec<usize>, fails_at: &mut FailsAt<'_>) {
        let all = (1_u32 << spare.len()) - 1;
        for size in 0..spare.len() as u32 {
            for part in (0..=all).filter(|part| part.count_ones() == size) {
                let is_in = |&(at, _): &(usize, &usize)| part & (1 << at) != 0;
                let part: Vec<usize> =
                    spare.iter().enumerate().filter(is_in).map(|(_, &step)| step).collect();
                if self.is_enough_with(&part, fails_at) {
                    *spare = part;
                    return;
                }
            }
        }
    }
}
