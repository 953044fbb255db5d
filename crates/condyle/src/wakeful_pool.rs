//! Threads that stay awake for a moment between calls.
//!
//! Waking a sleeping thread takes tens of microseconds, as long as a step of a small batch takes altogether. A loop that steps a batch
//! and thinks a little in between therefore finds its threads awake: after a call they look out for the next one for about a fifth
//! of a millisecond before they sleep, and let other threads run meanwhile. The calling thread waits in the same way for the others to finish.
//!
//! A process that is forked has a copy of the pool without its threads, as Python's `multiprocessing` makes them; it starts threads of its own.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::yield_now;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// How long a thread looks out before it sleeps.
const LOOKOUT: Duration = Duration::from_micros(200);

/// Pauses between two looks at the clock and an offer of the processor to others.
const PAUSES: usize = 16;

/// Threads beside the calling one.
#[derive(Debug)]
pub(crate) struct WakefulPool {
    /// How many.
    threads: usize,
    /// They themselves, and the process they live in.
    pool: Mutex<(u32, Arc<ThreadPool>)>,
    /// Number of calls so far: threads that look out see it change.
    calls: Arc<AtomicUsize>,
}

/// Counts a thread as done, also when its work failed.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// Wait for something to become true, but not for longer than [`LOOKOUT`].
fn look_out(seen: impl Fn() -> bool) {
    let mut begun = None;
    loop {
        for _ in 0..PAUSES {
            if seen() {
                return;
            }
            spin_loop();
        }
        let now = Instant::now();
        if now - *begun.get_or_insert(now) > LOOKOUT {
            return;
        }
        yield_now();
    }
}

fn start(threads: usize) -> Result<Arc<ThreadPool>, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).build().map(Arc::new)
}

/// The number of this process; browsers have none, and cannot be forked.
fn this_process() -> u32 {
    if cfg!(target_family = "wasm") { 0 } else { std::process::id() }
}

impl Drop for WakefulPool {
    fn drop(&mut self) {
        let pool = self.pool.get_mut().unwrap_or_else(PoisonError::into_inner);
        if pool.0 != this_process() {
            std::mem::forget(Arc::clone(&pool.1));
        }
    }
}

impl WakefulPool {
    /// Start `threads` threads.
    pub(crate) fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let pool = Mutex::new((this_process(), start(threads)?));
        Ok(Self { threads, pool, calls: Arc::default() })
    }

    /// The threads of this process; `None` where there are none and none can be started.
    fn pool(&self) -> Option<Arc<ThreadPool>> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.0 != this_process() {
            let own = (this_process(), start(self.threads).ok()?);
            // Ending the copied pool would wake threads that are not there.
            std::mem::forget(std::mem::replace(&mut *pool, own));
        }
        Some(Arc::clone(&pool.1))
    }

    /// Let `run` be done once with each of the workers: with the first on the calling thread, with the others on the threads of the pool.
    pub(crate) fn run<W: Send>(&self, workers: &mut [W], run: impl Fn(&mut W) + Sync) {
        let Some(pool) = self.pool() else { return workers.iter_mut().for_each(run) };
        let Some((own, others)) = workers.split_first_mut() else { return };
        let count = others.len();
        let unfinished = AtomicUsize::new(count);
        pool.in_place_scope(|scope| {
            for worker in others {
                let (run, unfinished) = (&run, &unfinished);
                scope.spawn(move |_| {
                    let _done = Done(unfinished);
                    run(worker);
                });
            }
            self.calls.fetch_add(1, Ordering::Release);
            run(own);
            look_out(|| unfinished.load(Ordering::Acquire) == 0);
            // The end of the scope would put this thread to sleep if the last one had not quite reported itself.
            (0..PAUSES).for_each(|_| spin_loop());
        });
        let call = self.calls.load(Ordering::Relaxed);
        for _ in 0..count {
            let calls = Arc::clone(&self.calls);
            pool.spawn(move || look_out(|| calls.load(Ordering::Acquire) != call));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn every_worker_has_one_turn_in_each_call() {
        let pool = WakefulPool::new(3).unwrap();
        let mut turns = [0; 4];
        for call in 1..=200 {
            pool.run(&mut turns, |turns| *turns += 1);
            assert_eq!(turns, [call; 4]);
        }
        pool.run(&mut [0; 0], |_: &mut i32| unreachable!());
    }

    #[test]
    fn a_worker_that_fails_does_not_hang_the_call_or_the_next_one() {
        let pool = WakefulPool::new(1).unwrap();
        let failed =
            catch_unwind(AssertUnwindSafe(|| pool.run(&mut [false, true], |fails| assert!(!*fails))));
        assert!(failed.is_err());
        let mut turns = [0; 2];
        pool.run(&mut turns, |turns| *turns += 1);
        assert_eq!(turns, [1; 2]);
    }
}
