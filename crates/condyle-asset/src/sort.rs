//! Sorting with a fixed sequence of exchanges.
//!
//! Where equal elements end up decides the shape of a search tree, so the sequence is that of the C++ standard library the
//! reference is built with (libc++): quicksort with a median of three or nine, insertion sort of short ranges, and a check for
//! ranges that are nearly sorted. A range that stays badly divided is sorted stably instead.
//!
//! All positions are checked, so that a comparison that is not an ordering (NaN) can only give a poor order.

use crate::select::sort_three;

/// Ranges shorter than this are sorted by insertion.
const SHORT: usize = 24;
/// Longer ranges use the median of nine.
const LONG: usize = 128;

/// Sorts `items`; `less` says whether the first argument comes before the second.
pub(crate) fn sort<T: Clone>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    let depth = 2 * items.len().checked_ilog2().unwrap_or(0);
    quicksort(items, 0, items.len(), less, depth, true);
}

fn quicksort<T: Clone>(
    items: &mut [T],
    mut first: usize,
    last: usize,
    less: &impl Fn(&T, &T) -> bool,
    mut depth: u32,
    mut leftmost: bool,
) {
    let mut last = last;
    loop {
        let length = last.saturating_sub(first);
        if length <= 5 {
            sort_few(&mut items[first..last.max(first)], less);
            return;
        }
        if length < SHORT {
            insertion_sort(&mut items[first..last], less);
            return;
        }
        if depth == 0 {
            items[first..last].sort_by(|a, b| {
                if less(a, b) { std::cmp::Ordering::Less } else { less(b, a).into_ordering() }
            });
            return;
        }
        depth -= 1;
        choose_pivot(items, first, last, less);
        if !leftmost && !less(&items[first - 1], &items[first]) {
            first = partition_equals_left(items, first, last, less);
            continue;
        }
        let (pivot, untouched) = partition_equals_right(items, first, last, less);
        if untouched {
            let left_sorted = finish_if_nearly_sorted(&mut items[first..pivot], less);
            if finish_if_nearly_sorted(&mut items[pivot + 1..last], less) {
                if left_sorted {
                    return;
                }
                last = pivot;
                continue;
            } else if left_sorted {
                first = pivot + 1;
                continue;
            }
        }
        quicksort(items, first, pivot, less, depth, leftmost);
        leftmost = false;
        first = pivot + 1;
    }
}

/// Turns "is greater" into an ordering.
trait IntoOrdering {
    fn into_ordering(self) -> std::cmp::Ordering;
}

impl IntoOrdering for bool {
    fn into_ordering(self) -> std::cmp::Ordering {
        if self { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Equal }
    }
}

/// Puts the median of three or nine first.
fn choose_pivot<T>(items: &mut [T], first: usize, last: usize, less: &impl Fn(&T, &T) -> bool) {
    let half = (last - first) / 2;
    if last - first > LONG {
        sort_three(items, first, first + half, last - 1, less);
        sort_three(items, first + 1, first + half - 1, last - 2, less);
        sort_three(items, first + 2, first + half + 1, last - 3, less);
        sort_three(items, first + half - 1, first + half, first + half + 1, less);
        items.swap(first, first + half);
    } else {
        sort_three(items, first + half, first, last - 1, less);
    }
}

/// Elements less than the first one go before it, the others after. Its place, and whether nothing had to be exchanged.
fn partition_equals_right<T: Clone>(
    items: &mut [T],
    begin: usize,
    end: usize,
    less: &impl Fn(&T, &T) -> bool,
) -> (usize, bool) {
    let pivot = items[begin].clone();
    let (mut up, mut down) = (begin + 1, end);
    while up < end && less(&items[up], &pivot) {
        up += 1;
    }
    if up == begin + 1 {
        while up < down {
            down -= 1;
            if less(&items[down], &pivot) {
                break;
            }
        }
    } else {
        while down > begin + 1 {
            down -= 1;
            if less(&items[down], &pivot) {
                break;
            }
        }
    }
    let untouched = up >= down;
    while up < down {
        items.swap(up, down);
        up += 1;
        while up < end && less(&items[up], &pivot) {
            up += 1;
        }
        while down > begin + 1 {
            down -= 1;
            if less(&items[down], &pivot) {
                break;
            }
        }
    }
    items.swap(begin, up - 1);
    (up - 1, untouched)
}

/// Elements not greater than the first one go before it, the others after. Where the others start.
fn partition_equals_left<T: Clone>(
    items: &mut [T],
    begin: usize,
    end: usize,
    less: &impl Fn(&T, &T) -> bool,
) -> usize {
    let pivot = items[begin].clone();
    let (mut up, mut down) = (begin + 1, end);
    while up < end && !less(&pivot, &items[up]) {
        up += 1;
    }
    if up < down {
        while down > begin + 1 {
            down -= 1;
            if !less(&pivot, &items[down]) {
                break;
            }
        }
    }
    while up < down {
        items.swap(up, down);
        up += 1;
        while up < end && !less(&pivot, &items[up]) {
            up += 1;
        }
        while down > begin + 1 {
            down -= 1;
            if !less(&pivot, &items[down]) {
                break;
            }
        }
    }
    items.swap(begin, up - 1);
    up
}

/// Sorts up to five elements.
fn sort_few<T>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    match items.len() {
        0 | 1 => {}
        2 => {
            if less(&items[1], &items[0]) {
                items.swap(0, 1);
            }
        }
        length => {
            sort_three(items, 0, 1, 2, less);
            for end in 3..length {
                sift_down(items, end, less);
            }
        }
    }
}

/// Moves the element at `end` down to its place among the sorted ones before it.
fn sift_down<T>(items: &mut [T], end: usize, less: &impl Fn(&T, &T) -> bool) -> bool {
    let mut at = end;
    while at > 0 && less(&items[at], &items[at - 1]) {
        items.swap(at, at - 1);
        at -= 1;
    }
    at != end
}

fn insertion_sort<T>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    for end in 1..items.len() {
        sift_down(items, end, less);
    }
}

/// Insertion sort that gives up after eight moved elements; whether the range is sorted.
fn finish_if_nearly_sorted<T>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) -> bool {
    if items.len() <= 5 {
        sort_few(items, less);
        return true;
    }
    sort_three(items, 0, 1, 2, less);
    let mut moved = 0;
    for end in 3..items.len() {
        if sift_down(items, end, less) {
            moved += 1;
            if moved == 8 {
                return end + 1 == items.len();
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_ranges_are_sorted() {
        let mut state = 3_u32;
        for length in 0..400 {
            for spread in [1, 3, 50, 100_000] {
                let mut values: Vec<u32> = (0..length)
                    .map(|_| {
                        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                        (state >> 8) % spread
                    })
                    .collect();
                let mut expected = values.clone();
                expected.sort();
                sort(&mut values, &|a, b| a < b);
                assert_eq!(values, expected);
                values.reverse();
                sort(&mut values, &|a, b| a < b);
                assert_eq!(values, expected);
            }
        }
    }

    #[test]
    fn a_comparison_that_is_no_ordering_ends_with_the_same_elements() {
        let mut items: Vec<usize> = (0..500).collect();
        sort(&mut items, &|_, _| true);
        sort(&mut items, &|a, b| (a * 7919) % 13 > (b * 104729) % 11);
        items.sort();
        assert_eq!(items, (0..500).collect::<Vec<_>>());
    }
}
