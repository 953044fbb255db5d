//! Partial sort by selection, with a fixed sequence of exchanges.
//!
//! Only the element at one position is asked for, but bounding volume trees split what comes out on either side again, so the
//! order of the others decides the tree. The sequence of comparisons and exchanges is that of the C++ standard library the
//! reference is built with (libc++): median of three, two-way partition, selection sort of short ranges.
//!
//! All positions are checked, so that a comparison that is not an ordering (NaN) can only give a poor split.

/// Ranges up to this length are sorted completely.
const SHORT: usize = 7;

/// Rearranges `items` so that the element at `nth` is the one a full sort would put there, smaller ones before it.
pub(crate) fn select_nth<T>(items: &mut [T], nth: usize, less: &impl Fn(&T, &T) -> bool) {
    let (mut first, mut last) = (0, items.len());
    while nth < last && first < last {
        let length = last - first;
        if length <= SHORT {
            sort_short(&mut items[first..last], less);
            return;
        }
        match partition(items, first, last, less) {
            Split::Done => return,
            Split::EqualThenGreater(start) => {
                if nth < start {
                    return;
                }
                first = start;
            }
            Split::Around { pivot, exchanged } => {
                if nth == pivot {
                    return;
                }
                let side = if nth < pivot { first..pivot } else { pivot..last };
                if !exchanged && is_sorted(&items[side], less) {
                    return;
                }
                if nth < pivot {
                    last = pivot;
                } else {
                    first = pivot + 1;
                }
            }
        }
    }
}

/// How a range was divided.
enum Split {
    /// All elements are equivalent.
    Done,
    /// The elements before the position are equivalent to the first, the others greater.
    EqualThenGreater(usize),
    /// Smaller elements, the pivot, then the others.
    Around { pivot: usize, exchanged: bool },
}

/// Two-way partition of `first..last` (more than seven elements) about the median of its ends and middle.
fn partition<T>(items: &mut [T], first: usize, last: usize, less: &impl Fn(&T, &T) -> bool) -> Split {
    let mut middle = first + (last - first) / 2;
    let mut exchanged = sort_three(items, first, middle, last - 1, less);
    let (mut up, mut down) = (first, last - 1);
    if !less(&items[up], &items[middle]) {
        // The first element is equivalent to the pivot: look from the right for a smaller one to take its place.
        let mut found = false;
        loop {
            down -= 1;
            if down == up {
                break;
            }
            if less(&items[down], &items[middle]) {
                found = true;
                break;
            }
        }
        if !found {
            return partition_from_smallest(items, first, last, less);
        }
        items.swap(up, down);
        exchanged = true;
    }
    up += 1;
    if up < down {
        loop {
            while up < last - 1 && less(&items[up], &items[middle]) {
                up += 1;
            }
            loop {
                down -= 1;
                if down == first || less(&items[down], &items[middle]) {
                    break;
                }
            }
            if up >= down {
                break;
            }
            items.swap(up, down);
            exchanged = true;
            if middle == up {
                middle = down;
            }
            up += 1;
        }
    }
    if up != middle && less(&items[middle], &items[up]) {
        items.swap(up, middle);
        exchanged = true;
    }
    Split::Around { pivot: up, exchanged }
}

/// Partition when the first element is the smallest: its equivalents first, the greater ones after.
fn partition_from_smallest<T>(
    items: &mut [T],
    first: usize,
    last: usize,
    less: &impl Fn(&T, &T) -> bool,
) -> Split {
    let mut up = first + 1;
    let mut down = last - 1;
    if !less(&items[first], &items[down]) {
        loop {
            if up == down {
                return Split::Done;
            }
            let greater = less(&items[first], &items[up]);
            if greater {
                items.swap(up, down);
            }
            up += 1;
            if greater {
                break;
            }
        }
    }
    if up == down {
        return Split::Done;
    }
    loop {
        while up < last - 1 && !less(&items[first], &items[up]) {
            up += 1;
        }
        loop {
            down -= 1;
            if down == first || !less(&items[first], &items[down]) {
                break;
            }
        }
        if up >= down {
            return Split::EqualThenGreater(up);
        }
        items.swap(up, down);
        up += 1;
    }
}

/// Puts three elements in order; whether anything moved.
pub(crate) fn sort_three<T>(
    items: &mut [T],
    a: usize,
    b: usize,
    c: usize,
    less: &impl Fn(&T, &T) -> bool,
) -> bool {
    if !less(&items[b], &items[a]) {
        if !less(&items[c], &items[b]) {
            return false;
        }
        items.swap(b, c);
        if less(&items[b], &items[a]) {
            items.swap(a, b);
        }
        return true;
    }
    if less(&items[c], &items[b]) {
        items.swap(a, c);
        return true;
    }
    items.swap(a, b);
    if less(&items[c], &items[b]) {
        items.swap(b, c);
    }
    true
}

/// Sorts up to seven elements: two and three directly, more by selecting the first smallest of the rest.
fn sort_short<T>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    match items.len() {
        0 | 1 => {}
        2 => {
            if less(&items[1], &items[0]) {
                items.swap(0, 1);
            }
        }
        3 => {
            sort_three(items, 0, 1, 2, less);
        }
        length => {
            for start in 0..length - 1 {
                let mut smallest = start;
                for candidate in start + 1..length {
                    if less(&items[candidate], &items[smallest]) {
                        smallest = candidate;
                    }
                }
                items.swap(start, smallest);
            }
        }
    }
}

fn is_sorted<T>(items: &[T], less: &impl Fn(&T, &T) -> bool) -> bool {
    items.windows(2).all(|pair| !less(&pair[1], &pair[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[i32], nth: usize) {
        let mut items = values.to_vec();
        select_nth(&mut items, nth, &|a, b| a < b);
        let mut sorted = values.to_vec();
        sorted.sort();
        assert_eq!(items[nth], sorted[nth]);
        assert!(
            items[..nth].iter().all(|x| *x <= items[nth]) && items[nth..].iter().all(|x| *x >= items[nth])
        );
    }

    #[test]
    fn the_selected_element_is_in_its_sorted_place() {
        let mut state = 1_u32;
        for length in 1..60 {
            for spread in [2, 5, 1000] {
                let values: Vec<i32> = (0..length)
                    .map(|_| {
                        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                        (state >> 8) as i32 % spread
                    })
                    .collect();
                check(&values, length / 2);
                check(&values, length - 1);
            }
            check(&(0..length as i32).collect::<Vec<_>>(), length / 2);
            check(&(0..length as i32).rev().collect::<Vec<_>>(), length / 2);
        }
    }

    #[test]
    fn a_comparison_that_is_no_ordering_ends() {
        let mut items: Vec<usize> = (0..100).collect();
        select_nth(&mut items, 50, &|_, _| true);
        select_nth(&mut items, 50, &|a, b| (a * 7919) % 13 > (b * 104729) % 11);
        items.sort();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
