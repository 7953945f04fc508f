//! Does work on all cores, or, without the feature `threads`, on one.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Works on these numbers, `chunk` at a time and on several threads, and returns the result of each chunk, in order
/// whatever threads have made them. `worker` makes the function that does the work of one thread.
pub fn in_chunks<T: Send, W: FnMut(Range<u64>) -> T>(
    numbers: Range<u64>,
    chunk: u64,
    worker: impl Fn() -> W + Sync,
) -> Vec<T> {
    let next = AtomicU64::new(0);
    let work = || {
        let (mut worker, mut done) = (worker(), Vec::new());
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let from = numbers.start + at * chunk;
            if from >= numbers.end {
                return done;
            }
            done.push((at, worker(from..numbers.end.min(from + chunk))));
        }
    };
    let threads = match cfg!(feature = "threads") {
        true => thread::available_parallelism().map_or(1, usize::from),
        false => 1,
    };
    let mut done = thread::scope(|scope| {
        // Where there are no threads to be had, it takes longer.
        let others = (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok());
        let others: Vec<_> = others.collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().expect("this work does not fail"));
        }
        done
    });
    done.sort_unstable_by_key(|&(at, _)| at);
    done.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn chunks_come_in_order() {
        // Slow enough for every thread to get some.
        let slowly = |numbers: Range<u64>| {
            thread::sleep(Duration::from_millis(1));
            numbers
        };
        let made = in_chunks(3..100, 7, || slowly);
        assert_eq!(made.len(), 14);
        assert_eq!(made.into_iter().flatten().collect::<Vec<_>>(), (3..100).collect::<Vec<_>>());
        assert!(in_chunks(5..5, 7, || |_| ()).is_empty());
    }
}
