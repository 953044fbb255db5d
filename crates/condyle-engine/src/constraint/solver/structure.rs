//! What follows from the pattern of a sparse problem alone: the transpose of the Jacobian, the Hessian, its factor.
//!
//! Contacts often persist, and with them the patterns of the islands they hold together. The structures of the last solve are kept, one
//! island after the other in one list of numbers, and serve again where the patterns of Jacobian and inertia are the same number by number:
//! the island with the same place in the order while all before it are unchanged, else one a few places further. A structure depends
//! on these two patterns only, so that nothing depends on what was kept. All islands share the list because together they grow as the rows do,
//! while each alone may be larger than it ever was.
//!
//! From the first island that changed on, the structures of the last solve move to the end of the list, and the new ones follow those that
//! serve again. They meet when the new ones need more room than is left; an old one that is in the way is forgotten.

use condyle_math::sparse::Pattern;
use condyle_math::sparse_cholesky::{FactorPattern, Symbolic};
use condyle_math::sparse_structure;

/// The structure of one problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Structure<'a> {
    /// Pattern of `Jᵀ`.
    pub transposed: Pattern<'a>,
    /// Number of rows of `Jᵀ` directly below each row with the same columns.
    pub transposed_super: &'a [i32],
    /// Lower triangle of the Hessian.
    pub hessian: Pattern<'a>,
    /// Elements of `JᵀJ`, lower triangle.
    pub gram_values: usize,
    pub factor: FactorPattern<'a>,
}

impl Structure<'_> {
    /// Number of values of the factor.
    pub(super) fn factor_values(&self) -> usize {
        self.factor.rows.colind.len()
    }
}

/// Sizes of a structure and where it starts.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    start: usize,
    rows: usize,
    dofs: usize,
    values: usize,
    inertia_values: usize,
    gram_values: usize,
    /// Dofs, and values of Hessian and factor; all 0 before they were found and for conjugate gradients.
    newton_dofs: usize,
    hessian_values: usize,
    /// 0 also where the factor is that of an analysis.
    factor_values: usize,
    /// The analysis that has the pattern of the factor, where the numbers do not have it.
    analysis: Option<u64>,
    /// Whether values of the Jacobian and the inertia follow one another without gaps; only then it may serve again.
    gapless: bool,
}

impl Slot {
    /// Lengths of its lists: the two patterns it belongs to (counts and columns), the transpose (counts, addresses, supernodes, columns),
    /// the Hessian (counts, addresses, columns), the factor by rows and by columns (counts, addresses, columns).
    fn lengths(&self) -> [usize; 17] {
        let (z, n, newton, h, f) =
            (self.values, self.dofs, self.newton_dofs, self.hessian_values, self.factor_values);
        let factor_dofs = if self.analysis.is_some() { 0 } else { newton };
        let key = [self.rows, z, n, self.inertia_values];
        let [rows, columns, inertia, inertia_columns] = key;
        [
            rows,
            columns,
            inertia,
            inertia_columns,
            n,
            n,
            n,
            z,
            newton,
            newton,
            h,
            factor_dofs,
            factor_dofs,
            f,
            factor_dofs,
            factor_dofs,
            f,
        ]
    }

    fn end(&self) -> usize {
        self.start + self.lengths().iter().sum::<usize>()
    }
}

/// The lists of a slot.
fn lists<'a>(numbers: &'a [i32], slot: &Slot) -> [&'a [i32]; 17] {
    let mut rest = &numbers[slot.start..];
    slot.lengths().map(|length| {
        let (list, others) = rest.split_at(length);
        rest = others;
        list
    })
}

/// Whether the structure of a slot belongs to these patterns. `analysis` is the last of the largest problem.
fn is_for(numbers: &[i32], slot: &Slot, patterns: &Patterns, analysis: u64) -> bool {
    let (jacobian, inertia) = (patterns.jacobian, patterns.inertia);
    if !slot.gapless
        || slot.analysis.is_some_and(|number| number != analysis)
        || slot.rows != jacobian.rows()
        || slot.dofs != inertia.rows()
        || (slot.newton_dofs > 0) != patterns.newton
    {
        return false;
    }
    let [rows, columns, inertia_rows, inertia_columns, ..] = lists(numbers, slot);
    rows == jacobian.rownnz
        && inertia_rows == inertia.rownnz
        && gapless_columns(jacobian) == Some(columns)
        && gapless_columns(inertia) == Some(inertia_columns)
}

/// All columns of a pattern whose rows follow one another without gaps.
fn gapless_columns(pattern: Pattern<'_>) -> Option<&[i32]> {
    let first = *pattern.rowadr.first()?;
    let mut address = first;
    let mut gapless = true;
    for (start, count) in pattern.rowadr.iter().zip(pattern.rownnz) {
        gapless &= *start == address;
        address = address.wrapping_add(*count);
    }
    gapless.then(|| pattern.colind.get(first as usize..address as usize)).flatten()
}

/// The patterns a structure is found for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patterns<'a> {
    pub jacobian: Pattern<'a>,
    pub inertia: Pattern<'a>,
    /// Whether Hessian and factor are needed.
    pub newton: bool,
}

/// How many structures that were set aside are compared.
const WINDOW: usize = 4;

/// The structures of the last solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Structures {
    /// Never shorter than it was, so that growing back clears nothing.
    numbers: Vec<i32>,
    /// Dofs of all problems of the present solve.
    dofs: usize,
    /// The last analysis of a problem with more than half of all dofs. Its factor stays here: a second copy would be the largest list of all.
    largest: Analysis,
    /// The last analysis of another problem, whose factor is copied to the numbers.
    others: Analysis,
    /// The structures that serve in the present solve, from the start of the numbers on.
    slots: Vec<Slot>,
    /// How many problems of the present solve have theirs.
    next: usize,
    /// Those of the last solve that did not serve again, at the end of the numbers and in their order.
    aside: Vec<Slot>,
    /// The one set aside that is looked at next; those before it are forgotten.
    aside_next: usize,
}

impl Structures {
    /// Before the first problem of a solve whose problems have so many dofs together.
    pub(super) fn begin(&mut self, dofs: usize) {
        self.dofs = dofs;
        self.slots.truncate(self.next);
        self.next = 0;
        self.forget_aside();
    }

    /// Go on to the next problem. `true` if its structure is known; otherwise it has no Hessian and factor yet, see
    /// [`Self::set_hessian`]. What is known serves only if `remember`.
    pub(super) fn advance(&mut self, patterns: &Patterns, remember: bool) -> bool {
        let index = self.next;
        self.next += 1;
        if let Some(slot) = self.slots.get(index) {
            if remember && is_for(&self.numbers, slot, patterns, self.largest.number) {
                return true;
            }
            if self.slots.len() == 1 {
                // One problem that is everything: nothing else could have its structure.
                self.slots.clear();
            } else {
                self.set_aside(index);
            }
        }
        if remember && self.take_from_aside(patterns) {
            return true;
        }
        self.transpose(patterns);
        false
    }

    /// The structure of the present problem.
    pub(super) fn present(&self) -> Structure<'_> {
        let slot = self.slots.get(self.next.wrapping_sub(1)).copied().unwrap_or_default();
        let [_, _, _, _, t0, t1, t2, t3, h0, h1, h2, r0, r1, r2, c0, c1, c2] = lists(&self.numbers, &slot);
        Structure {
            transposed: Pattern { rownnz: t0, rowadr: t1, colind: t3 },
            transposed_super: t2,
            hessian: Pattern { rownnz: h0, rowadr: h1, colind: h2 },
            gram_values: slot.gram_values,
            factor: match slot.analysis {
                Some(_) => self.largest.symbolic.found(),
                None => FactorPattern {
                    rows: Pattern { rownnz: r0, rowadr: r1, colind: r2 },
                    columns: Pattern { rownnz: c0, rowadr: c1, colind: c2 },
                },
            },
        }
    }

    /// Keep the pattern of the Hessian of the present problem, and find that of its factor.
    pub(super) fn set_hessian(&mut self, gram_values: usize, hessian: Pattern) {
        let Some(slot) = self.slots.last_mut() else { return };
        let mut end = slot.end();
        slot.gram_values = gram_values;
        slot.newton_dofs = slot.dofs;
        slot.hessian_values = hessian.colind.len();
        let is_largest = 2 * slot.dofs > self.dofs;
        if is_largest {
            self.largest.find(hessian);
            slot.analysis = Some(self.largest.number);
        } else {
            self.others.find(hessian);
            slot.factor_values = self.others.symbolic.found().rows.colind.len();
        }
        let total = slot.end();
        self.make_room(total);
        let mut copy = |list: &[i32]| {
            self.numbers[end..end + list.len()].copy_from_slice(list);
            end += list.len();
        };
        [hessian.rownnz, hessian.rowadr, hessian.colind].into_iter().for_each(&mut copy);
        if !is_largest {
            let FactorPattern { rows, columns } = self.others.symbolic.found();
            for pattern in [rows, columns] {
                [pattern.rownnz, pattern.rowadr, pattern.colind].into_iter().for_each(&mut copy);
            }
        }
    }

    /// Make the numbers up to `end` free for the present solve: old structures that stand there are forgotten.
    fn make_room(&mut self, end: usize) {
        if self.numbers.len() < end {
            self.forget_aside();
            if self.numbers.capacity() < end {
                // Doubling would waste megabytes on large problems, whose size hardly changes.
                self.numbers.reserve_exact(end + end / 8 - self.numbers.len());
            }
            self.numbers.resize(end, 0);
        }
        while self.aside.get(self.aside_next).is_some_and(|slot| slot.start < end) {
            self.aside_next += 1;
        }
    }

    fn forget_aside(&mut self) {
        self.aside.clear();
        self.aside_next = 0;
    }

    /// Where the structures of the present solve end.
    fn end(&self) -> usize {
        self.slots.last().map_or(0, Slot::end)
    }

    /// Move the structures from `index` on to the end of the numbers.
    fn set_aside(&mut self, index: usize) {
        let (start, end) = (self.slots[index].start, self.end());
        self.numbers.resize(self.numbers.capacity(), 0);
        let shift = self.numbers.len() - end;
        self.numbers.copy_within(start..end, start + shift);
        self.forget_aside();
        let moved = self.slots.drain(index..);
        self.aside.extend(moved.map(|slot| Slot { start: slot.start + shift, ..slot }));
    }

    /// Move the structure of the next problem back from those set aside, if one of the next few is it.
    fn take_from_aside(&mut self, patterns: &Patterns) -> bool {
        let mut candidates = self.aside.iter().enumerate().skip(self.aside_next).take(WINDOW);
        let found = candidates.find(|(_, slot)| is_for(&self.numbers, slot, patterns, self.largest.number));
        let Some((place, slot)) = found.map(|(place, slot)| (place, *slot)) else { return false };
        self.aside_next = place + 1;
        // What is set aside begins where the present ones end or later, so that this moves it towards the start and reaches no other.
        let start = self.end();
        self.numbers.copy_within(slot.start..slot.end(), start);
        self.push(Slot { start, ..slot });
        true
    }

    fn push(&mut self, slot: Slot) {
        self.slots.push(slot);
        // Setting aside allocates nothing.
        let room = self.slots.capacity();
        self.aside.reserve(room.saturating_sub(self.aside.len()));
    }

    /// A new structure with the transpose of the Jacobian.
    fn transpose(&mut self, patterns: &Patterns) {
        let Patterns { jacobian, inertia, .. } = *patterns;
        let count = |pattern: Pattern| pattern.rownnz.iter().map(|count| *count as usize).sum();
        let slot = Slot {
            start: self.end(),
            rows: jacobian.rows(),
            dofs: inertia.rows(),
            values: count(jacobian),
            inertia_values: count(inertia),
            gapless: gapless_columns(jacobian).is_some() && gapless_columns(inertia).is_some(),
            ..Slot::default()
        };
        self.make_room(slot.end());
        let mut rest = &mut self.numbers[slot.start..slot.end()];
        let [rows, columns, inertia_rows, inertia_columns, rownnz, rowadr, supernodes, colind, ..] =
            slot.lengths().map(|length| {
                let (list, others) = std::mem::take(&mut rest).split_at_mut(length);
                rest = others;
                list
            });
        for (counts, list, pattern) in [(rows, columns, jacobian), (inertia_rows, inertia_columns, inertia)] {
            counts.copy_from_slice(pattern.rownnz);
            let mut rest = list;
            for row in 0..pattern.rows() {
                let own = pattern.columns(row);
                let (target, others) = std::mem::take(&mut rest).split_at_mut(own.len());
                target.copy_from_slice(own);
                rest = others;
            }
        }
        sparse_structure::transpose_pattern(rownnz, rowadr, colind, jacobian);
        sparse_structure::supernodes(supernodes, Pattern { rownnz, rowadr, colind });
        self.push(slot);
    }
}

/// The pattern of a factor, and the pattern of the Hessian it was found for: islands of equal trees have the same, whatever contacts they have.
#[derive(Clone, Debug, Default)]
struct Analysis {
    /// How many there were.
    number: u64,
    symbolic: Symbolic,
    /// The Hessian, without gaps.
    rownnz: Vec<i32>,
    colind: Vec<i32>,
    upper_rownnz: Vec<i32>,
    upper_rowadr: Vec<i32>,
    upper_colind: Vec<i32>,
}

impl Analysis {
    /// Find the pattern of the factor, unless it was the last to be found.
    fn find(&mut self, hessian: Pattern) {
        if self.is_for(hessian) {
            return;
        }
        self.number += 1;
        self.rownnz.clear();
        self.rownnz.extend_from_slice(hessian.rownnz);
        self.colind.clear();
        for row in 0..hessian.rows() {
            self.colind.extend_from_slice(hessian.columns(row));
        }
        let nv = hessian.rows();
        self.upper_rownnz.resize(nv, 0);
        self.upper_rowadr.resize(nv, 0);
        self.upper_colind.resize(self.colind.len().max(self.upper_colind.len()), 0);
        let (rownnz, rowadr) = (&mut self.upper_rownnz, &mut self.upper_rowadr);
        sparse_structure::transpose_pattern(rownnz, rowadr, &mut self.upper_colind, hessian);
        self.symbolic.analyze(Pattern {
            rownnz: &self.upper_rownnz,
            rowadr: &self.upper_rowadr,
            colind: &self.upper_colind,
        });
    }

    /// Whether the pattern is the one the factor's pattern was last found for.
    fn is_for(&self, hessian: Pattern) -> bool {
        let mut analyzed = &self.colind[..];
        self.number > 0
            && self.rownnz == hessian.rownnz
            && (0..hessian.rows()).all(|row| {
                let columns = hessian.columns(row);
                let same = analyzed.starts_with(columns);
                analyzed = analyzed.get(columns.len()..).unwrap_or_default();
                same
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows over `dofs` columns from `first` on, three in each, and an inertia that couples neighbours.
    struct Island {
        jacobian: [Vec<i32>; 3],
        inertia: [Vec<i32>; 3],
    }

    fn island(dofs: i32, rows: i32, first: i32) -> Island {
        let mut jacobian = [vec![3; rows as usize], vec![], vec![]];
        for row in 0..rows {
            jacobian[1].push(3 * row);
            jacobian[2].extend((0..3).map(|k| (first + row / 2) % (dofs - 2) + k));
        }
        let mut inertia = [vec![], vec![], vec![]];
        for dof in 0..dofs {
            inertia[1].push(inertia[2].len() as i32);
            inertia[2].extend((dof - 1).max(0)..=dof);
            inertia[0].push(inertia[2].len() as i32 - inertia[1][dof as usize]);
        }
        Island { jacobian, inertia }
    }

    fn pattern([rownnz, rowadr, colind]: &[Vec<i32>; 3]) -> Pattern<'_> {
        Pattern { rownnz, rowadr, colind }
    }

    /// Solve the islands in order; returns which structures were known and the numbers of all.
    fn solve(structures: &mut Structures, islands: &[Island], remember: bool) -> (Vec<bool>, Vec<Vec<i32>>) {
        structures.begin(islands.iter().map(|island| island.inertia[0].len()).sum());
        let mut known = Vec::new();
        let mut all = Vec::new();
        for island in islands {
            let inertia = pattern(&island.inertia);
            let patterns = Patterns { jacobian: pattern(&island.jacobian), inertia, newton: true };
            known.push(structures.advance(&patterns, remember));
            if !known[known.len() - 1] {
                // Any pattern will do for what the solver makes: here that of the inertia and its factor.
                structures.set_hessian(inertia.end() + 1, inertia);
            }
            let Structure { transposed, transposed_super, hessian, gram_values, factor } =
                structures.present();
            let mut numbers = vec![gram_values as i32];
            for list in [
                transposed.rownnz,
                transposed.colind,
                transposed_super,
                hessian.rownnz,
                hessian.colind,
                factor.rows.colind,
                factor.columns.colind,
            ] {
                numbers.push(list.len() as i32);
                numbers.extend_from_slice(list);
            }
            all.push(numbers);
        }
        (known, all)
    }

    #[test]
    fn structures_serve_again_where_patterns_are_the_same() {
        let mut kept = Structures::default();
        let (a, b, c) = (|| island(6, 4, 0), || island(9, 7, 2), || island(12, 5, 1));
        assert_eq!(solve(&mut kept, &[a(), b(), c()], true).0, [false; 3]);
        assert_eq!(solve(&mut kept, &[a(), b(), c()], true).0, [true; 3]);
        // One changes, those after it are found again; one leaves; one comes.
        assert_eq!(solve(&mut kept, &[a(), island(9, 7, 3), c()], true).0, [true, false, true]);
        assert_eq!(solve(&mut kept, &[a(), c()], true).0, [true, true]);
        assert_eq!(solve(&mut kept, &[b(), a(), c()], true).0, [false, true, true]);
        assert_eq!(solve(&mut kept, &[b(), a(), c()], false).0, [false; 3]);
        assert_eq!(solve(&mut kept, &[], true).0, []);
        assert_eq!(solve(&mut kept, &[c()], true).0, [false]);
    }

    #[test]
    fn the_factor_of_a_lone_problem_is_forgotten_when_another_was_analysed() {
        let mut kept = Structures::default();
        let (a, b) = (|| island(6, 4, 0), || island(9, 7, 2));
        assert_eq!(solve(&mut kept, &[a()], true).0, [false]);
        assert_eq!(solve(&mut kept, &[a()], true).0, [true]);
        // The first serves before the second is analysed, and not after that.
        assert_eq!(solve(&mut kept, &[a(), b()], true).0, [true, false]);
        assert!(!solve(&mut kept, &[a(), b()], true).0[0]);
        assert_eq!(solve(&mut kept, &[a(), b()], true).0, [true, true]);
    }

    #[test]
    fn what_was_kept_changes_no_number() {
        let mut kept = Structures::default();
        for step in 0..60 {
            let islands: Vec<_> = (0..1 + step % 7)
                .map(|place| island(6 + place % 3, 3 + (place * step) % 5 / 3, step / 11 + place))
                .collect();
            let fresh = solve(&mut Structures::default(), &islands, true).1;
            assert_eq!(solve(&mut kept, &islands, true).1, fresh, "step {step}");
        }
    }

    #[test]
    fn rows_with_gaps_serve_once() {
        let mut kept = Structures::default();
        let with_gaps = || {
            let mut island = island(6, 4, 0);
            island.jacobian[1][3] += 2;
            island.jacobian[2].splice(9..9, [0, 0]);
            island
        };
        for _ in 0..2 {
            assert_eq!(solve(&mut kept, &[with_gaps()], true).0, [false]);
        }
        assert_eq!(solve(&mut kept, &[island(6, 4, 0)], true).0, [false]);
    }
}
