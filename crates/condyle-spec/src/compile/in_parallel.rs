//! One function applied to many items on several threads.

/// Threads worth using.
pub(super) fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Applies a function to all items, several at a time; the results are in order.
pub(super) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    function: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let threads = threads.min(items.len());
    if threads < 2 {
        return items.iter().map(function).collect();
    }
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new((0..items.len()).map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = function(item);
                    if let Ok(mut results) = results.lock() {
                        results[index] = Some(result);
                    }
                }
            });
        }
    });
    results.into_inner().map(|results| results.into_iter().flatten().collect()).unwrap_or_default()
}
