//! Blocks that many threads make and that are written in order.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::Failure;

/// The threads that make blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crew {
    /// All threads of the pool make blocks.
    All,
    /// Only this thread makes blocks.
    One,
}

/// Makes `count` blocks and writes them in order.
///
/// Each thread has its own maker, and writes the blocks that it made when their turn has come. It goes on making blocks
/// while up to `waiting_max` of them wait (at least one), so a slow disk slows it down and memory does not grow with the
/// number of blocks.
///
/// # Errors
/// The failure that `write` returns; nothing is written after that.
///
/// # Panics
/// If making or writing panics, once all threads have stopped.
pub fn in_turn<M, B: Default, W: FnMut(&B) -> Result<(), Failure> + Send>(
    crew: Crew,
    count: u64,
    waiting_max: usize,
    maker: impl Fn() -> M + Sync,
    make: impl Fn(u64, &mut M, &mut B) + Sync,
    write: W,
) -> Result<(), Failure> {
    let line = Line {
        count,
        waiting_max,
        taken: AtomicU64::new(0),
        turn: Mutex::new(Turn { next: 0, write, outcome: Ok(()) }),
        changed: Condvar::new(),
    };
    match crew {
        Crew::All => drop(rayon::broadcast(|_| line.work(&maker, &make))),
        Crew::One => line.work(&maker, &make),
    }
    line.turn.into_inner().unwrap_or_else(PoisonError::into_inner).outcome
}

/// The queue of all blocks.
struct Line<W> {
    count: u64,
    waiting_max: usize,
    /// The number of blocks that have been taken to be made.
    taken: AtomicU64,
    turn: Mutex<Turn<W>>,
    changed: Condvar,
}

/// The block that is next to be written, and what writes it.
struct Turn<W> {
    /// The number of the next block to be written.
    next: u64,
    write: W,
    outcome: Result<(), Failure>,
}

impl<W> Line<W> {
    fn lock(&self) -> MutexGuard<'_, Turn<W>> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work of one thread.
    fn work<M, B: Default>(&self, maker: impl Fn() -> M, make: impl Fn(u64, &mut M, &mut B))
    where
        W: FnMut(&B) -> Result<(), Failure>,
    {
        let _leaving = Leaving(self);
        let mut maker = maker();
        let (mut waiting, mut spare) = (VecDeque::<(u64, B)>::new(), Vec::new());
        let mut is_over = false;
        loop {
            let has_to_wait = is_over || waiting.len() >= self.waiting_max;
            // While another writes, there is still something to make.
            let turn = if has_to_wait { Some(self.lock()) } else { self.turn.try_lock().ok() };
            if let Some(mut turn) = turn {
                while let Some((number, block)) = waiting.front() {
                    if turn.outcome.is_err() {
                        return;
                    }
                    if *number == turn.next {
                        turn.outcome = (turn.write)(block);
                        turn.next += 1;
                        self.changed.notify_all();
                        spare.extend(waiting.pop_front().map(|(_, block)| block));
                    } else if is_over || waiting.len() >= self.waiting_max {
                        turn = self.changed.wait(turn).unwrap_or_else(PoisonError::into_inner);
                    } else {
                        break;
                    }
                }
                if is_over || turn.outcome.is_err() {
                    return;
                }
            }
            let number = self.taken.fetch_add(1, Ordering::Relaxed);
            is_over = number >= self.count;
            if !is_over {
                let mut block = spare.pop().unwrap_or_default();
                make(number, &mut maker, &mut block);
                waiting.push_back((number, block));
            }
        }
    }
}

/// Tells the others when a thread panics: they would wait for its block for ever.
struct Leaving<'l, W>(&'l Line<W>);

impl<W> Drop for Leaving<'_, W> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().outcome = Err(Failure::Input);
            self.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    use super::*;

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    /// Some blocks take longer than others.
    fn make(number: u64, made: &mut u64, block: &mut Vec<u64>) {
        if number.is_multiple_of(7) {
            thread::sleep(Duration::from_micros(number % 5 * 100));
        }
        *made += 1;
        block.clear();
        block.push(number);
    }

    #[test]
    fn blocks_are_written_in_order_whoever_makes_them() {
        for threads in [1, 2, 5] {
            for (count, waiting_max) in [(0, 4), (1, 1), (3, 4), (200, 1), (200, 4)] {
                for crew in [Crew::All, Crew::One] {
                    let mut written: Vec<u64> = Vec::new();
                    let write = |block: &Vec<u64>| {
                        written.extend(block);
                        Ok(())
                    };
                    let outcome =
                        pool(threads).install(|| in_turn(crew, count, waiting_max, || 0, make, write));
                    assert!(outcome.is_ok());
                    assert_eq!(written, Vec::from_iter(0..count));
                }
            }
        }
    }

    #[test]
    fn nothing_is_written_after_a_failure() {
        for (threads, fails_at) in [(1, 0), (2, 0), (4, 50), (4, 199)] {
            let mut written: Vec<u64> = Vec::new();
            let write = |block: &Vec<u64>| {
                written.extend(block);
                if block[0] == fails_at { Err(Failure::Input) } else { Ok(()) }
            };
            let outcome = pool(threads).install(|| in_turn(Crew::All, 200, 3, || 0, make, write));
            assert!(matches!(outcome, Err(Failure::Input)));
            assert_eq!(written, Vec::from_iter(0..=fails_at));
        }
    }

    #[test]
    fn a_panic_stops_all_threads() {
        for threads in [1, 2, 4] {
            let make = |number: u64, _: &mut (), _: &mut ()| assert_ne!(number, 20, "on purpose");
            let run = || pool(threads).install(|| in_turn(Crew::All, 1_000, 2, || (), make, |()| Ok(())));
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        }
    }
}
