//! Threads that solve shares of the islands.
//!
//! The threads live as long as the data they work for and sleep between solves. What they read is moved into a [`Task`] that all of
//! them hold for the duration, what they change into one [`Share`] each, and both are moved back at the end: no thread borrows
//! from another, and nothing is allocated after the first solve. A share whose thread failed is solved by the caller.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use super::by_island::{Share, Task};

/// More threads than this are not started.
const MOST_THREADS: usize = 256;

/// How often a desk is looked at before its thread goes to sleep, about a tenth of a millisecond altogether: the next share often
/// comes before, and to be woken takes longer than to solve a small one.
const LOOKS: usize = 100;
const PAUSES_BETWEEN_LOOKS: usize = 32;

/// What lies on a desk.
#[derive(Debug)]
enum Turn {
    /// Nothing; the thread waits.
    Idle,
    /// A share for the thread.
    Work(Box<Share>, Arc<Task>),
    /// A solved share for the caller.
    Done(Box<Share>),
    /// The thread has failed.
    Failed,
    /// The thread shall end.
    Leave,
}

/// Where the caller and one thread hand each other a share.
#[derive(Debug)]
struct Desk {
    turn: Mutex<Turn>,
    changed: Condvar,
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, Turn> {
        // Every state of a desk is whole; a thread that failed has said so itself.
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Look for a wanted turn for about as long as it takes to wake a sleeping thread.
    fn look_out(&self, wanted: &impl Fn(&Turn) -> bool) {
        for _ in 0..LOOKS {
            if self.turn.try_lock().is_ok_and(|turn| wanted(&turn)) {
                return;
            }
            for _ in 0..PAUSES_BETWEEN_LOOKS {
                std::hint::spin_loop();
            }
        }
    }

    /// Lay down a turn. Who was told to leave is not called back.
    fn put(&self, turn: Turn) {
        let mut present = self.lock();
        if !matches!(*present, Turn::Leave) {
            *present = turn;
        }
        self.changed.notify_all();
    }

    /// Wait for a turn that `wanted` accepts and take it off the desk.
    fn take(&self, wanted: impl Fn(&Turn) -> bool) -> Turn {
        self.look_out(&wanted);
        let mut turn = self.lock();
        while !wanted(&turn) {
            turn = self.changed.wait(turn).unwrap_or_else(PoisonError::into_inner);
        }
        match *turn {
            Turn::Leave => Turn::Leave,
            _ => std::mem::replace(&mut *turn, Turn::Idle),
        }
    }
}

/// Reports a thread that ends in the middle of its work.
struct Alarm<'a>(&'a Desk);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.put(Turn::Failed);
        }
    }
}

/// What a thread of the pool does until it is told to leave.
fn attend(desk: &Desk) {
    let _alarm = Alarm(desk);
    while let Turn::Work(mut share, task) = desk.take(|turn| matches!(turn, Turn::Work(..) | Turn::Leave)) {
        share.solve(&task);
        // The caller may move the task as soon as it sees the share.
        drop(task);
        desk.put(Turn::Done(share));
    }
}

/// A thread and its desk.
#[derive(Debug)]
struct Worker {
    desk: Arc<Desk>,
    thread: Option<JoinHandle<()>>,
    /// The share's place while the thread has none.
    share: Option<Box<Share>>,
}

impl Worker {
    fn start() -> Option<Self> {
        let desk = Arc::new(Desk { turn: Mutex::new(Turn::Idle), changed: Condvar::new() });
        let own = Arc::clone(&desk);
        let thread = Builder::new().name("condyle-island".into()).spawn(move || attend(&own)).ok()?;
        Some(Self { desk, thread: Some(thread), share: Some(Box::default()) })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.desk.put(Turn::Leave);
        if let Some(thread) = self.thread.take() {
            // A thread that failed has nothing left to say.
            let _ = thread.join();
        }
    }
}

/// The threads of one simulation, started when they are first needed. A copy starts its own.
#[derive(Debug, Default)]
pub(super) struct WorkerPool {
    workers: Vec<Worker>,
    task: Arc<Task>,
    /// The process the threads were started in: after a fork they are gone.
    process: u32,
}

impl Clone for WorkerPool {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.forget_lost();
    }
}

impl WorkerPool {
    /// Let go of threads that a fork left behind in another process: they cannot be joined.
    fn forget_lost(&mut self) {
        // In a browser there are no processes, and so no forks.
        let process = if cfg!(target_family = "wasm") { 0 } else { std::process::id() };
        if self.process != process {
            std::mem::forget(std::mem::take(&mut self.workers));
            self.process = process;
        }
    }

    /// Solve all shares: the first on this thread, the others on threads of the pool as far as there are any.
    pub(super) fn solve(&mut self, task: &mut Task, shares: &mut [Share]) {
        let [own, others @ ..] = shares else { return };
        self.start(others.len());
        let helped = others.len().min(self.workers.len());
        std::mem::swap(Arc::make_mut(&mut self.task), task);
        for (share, worker) in others.iter_mut().zip(&mut self.workers) {
            let mut moved = worker.share.take().unwrap_or_default();
            moved.islands = share.islands.clone();
            std::mem::swap(&mut *moved, share);
            worker.desk.put(Turn::Work(moved, Arc::clone(&self.task)));
        }
        own.solve(&self.task);
        for share in &mut others[helped..] {
            share.solve(&self.task);
        }
        let mut failed = false;
        for (share, worker) in others.iter_mut().zip(&mut self.workers) {
            match worker.desk.take(|turn| matches!(turn, Turn::Done(_) | Turn::Failed)) {
                Turn::Done(mut moved) => {
                    std::mem::swap(&mut *moved, share);
                    worker.share = Some(moved);
                }
                _ => {
                    failed = true;
                    share.solve(&self.task);
                }
            }
        }
        std::mem::swap(Arc::make_mut(&mut self.task), task);
        if failed {
            self.workers.clear();
        }
    }

    /// Have at least `count` threads, or as many as the system gives.
    fn start(&mut self, count: usize) {
        self.forget_lost();
        while self.workers.len() < count.min(MOST_THREADS) {
            let Some(worker) = Worker::start() else { return };
            self.workers.push(worker);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use condyle_model::Model;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn shares(run: std::ops::Range<usize>) -> [Share; 3] {
        [0..0, run, 0..0].map(Share::of)
    }

    #[test]
    fn a_share_that_cannot_be_solved_fails_in_the_caller_and_does_not_hang() {
        let mut pool = WorkerPool::default();
        let mut task = Task::empty(&Model::default());
        let solved = catch_unwind(AssertUnwindSafe(|| pool.solve(&mut task, &mut shares(0..1))));
        assert!(solved.is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| drop(pool))).is_ok());
    }

    #[test]
    fn threads_are_kept_between_solves_and_not_copied() {
        let mut pool = WorkerPool::default();
        let mut task = Task::empty(&Model::default());
        for _ in 0..3 {
            pool.solve(&mut task, &mut shares(0..0));
            assert_eq!(pool.workers.len(), 2);
        }
        assert!(pool.clone().workers.is_empty());
    }
}
