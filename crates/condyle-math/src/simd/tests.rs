//! Every kernel gives the same bits in its plain and its wide version.

use super::*;
use crate::matrix::{self, Triangle};
use crate::sparse::Pattern;
use crate::{cholesky, dense, sparse_gram, sparse_structure, tree_ldl};

/// Numbers of very different size with some zeros of both signs, from a linear congruential generator.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = (self.0 >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
        match self.0 >> 60 {
            0 => 0.0,
            1 => -0.0,
            2 => x * 1e12,
            3 => x * 1e-12,
            _ => x,
        }
    }

    pub(super) fn vec(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

pub(super) fn bits(v: &[f64]) -> Vec<u64> {
    v.iter().map(|x| x.to_bits()).collect()
}

/// Run both versions on copies of `$out` and compare the bits they leave there.
macro_rules! assert_same {
    ($out:expr, |$name:ident| $wide:expr, $plain:expr) => {{
        let mut wide = $out.clone();
        let mut plain = $out.clone();
        {
            let $name = &mut wide;
            $wide;
        }
        {
            let $name = &mut plain;
            $plain;
        }
        assert_eq!(bits(&wide), bits(&plain));
        wide
    }};
}

#[test]
fn matrix_products_have_equal_bits_in_both_versions() {
    let mut numbers = Numbers(1);
    for n in 1..40 {
        let (rows, columns, inner) = (n, (n * 7) % 23 + 1, (n * 5) % 17 + 1);
        let m = numbers.vec(rows * columns);
        let (v, w) = (numbers.vec(columns), numbers.vec(rows));
        let (a, b) = (numbers.vec(rows * inner), numbers.vec(inner * columns));
        let (at, bt) = (numbers.vec(inner * rows), numbers.vec(columns * inner));
        let zero = vec![0.0; rows.max(columns) * rows.max(columns)];
        assert_same!(
            zero[..rows].to_vec(),
            |x| matrix::mul_vec(x, &m, &v),
            matrix::mul_vec::plain(x, &m, &v)
        );
        assert_same!(
            zero[..columns].to_vec(),
            |x| matrix::mul_transposed_vec(x, &m, &w),
            matrix::mul_transposed_vec::plain(x, &m, &w)
        );
        assert_same!(
            zero,
            |x| matrix::mul(x, &a, &b, rows, inner, columns),
            matrix::mul::plain(x, &a, &b, rows, inner, columns)
        );
        assert_same!(
            zero,
            |x| matrix::mul_transposed_right(x, &a, &bt, rows, inner, columns),
            matrix::mul_transposed_right::plain(x, &a, &bt, rows, inner, columns)
        );
        assert_same!(
            zero,
            |x| matrix::mul_transposed_left(x, &at, &b, inner, rows, columns),
            matrix::mul_transposed_left::plain(x, &at, &b, inner, rows, columns)
        );
        for weights in [None, Some(&w[..])] {
            assert_same!(
                zero,
                |x| matrix::gram(x, &m, weights, rows, columns, Triangle::Both),
                matrix::gram::plain(x, &m, weights, rows, columns, Triangle::Both)
            );
        }
    }
}

#[test]
fn factorisations_have_equal_bits_in_both_versions() {
    let mut numbers = Numbers(2);
    for n in 1..40 {
        let mut m: Vec<f64> = numbers.vec(n * n).iter().map(|x| x % 1.0).collect();
        for i in 0..n {
            m[i * (n + 1)] += 3.0 * n as f64;
        }
        assert_same!(m, |x| cholesky::factor(x, n, 1e-15), cholesky::factor::plain(x, n, 1e-15));

        // A chain: every row holds all earlier columns.
        let rownnz: Vec<i32> = (1..=n as i32).collect();
        let rowadr: Vec<i32> = (0..n as i32).map(|i| i * (i + 1) / 2).collect();
        let colind: Vec<i32> = (0..n as i32).flat_map(|i| 0..=i).collect();
        let pattern = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
        let mut chain: Vec<f64> = numbers.vec(colind.len()).iter().map(|x| x % 1.0).collect();
        for i in 0..n {
            chain[pattern.range(i).end - 1] += 3.0 * n as f64;
        }
        let inverse = vec![0.0; n];
        assert_same!(
            chain,
            |x| tree_ldl::factor(x, &mut inverse.clone(), pattern, None),
            tree_ldl::factor::plain(x, &mut inverse.clone(), pattern, None)
        );
        let (columns, roots) = (numbers.vec(5 * n), numbers.vec(n));
        assert_same!(
            columns,
            |x| tree_ldl::solve_half_columns(x, 5, &chain, &roots, pattern),
            tree_ldl::solve_half_columns::plain(x, 5, &chain, &roots, pattern)
        );
        assert_same!(
            columns,
            |x| tree_ldl::solve_half(x, &chain, &roots, pattern),
            tree_ldl::solve_half::plain(x, &chain, &roots, pattern)
        );
        assert_same!(
            columns,
            |x| tree_ldl::solve(x, &chain, &roots, pattern, None),
            tree_ldl::solve::plain(x, &chain, &roots, pattern, None)
        );
    }
}

/// What an operation gives element by element.
fn one_by_one(out: &[f64], v: &[f64], operation: impl Operation) -> Vec<f64> {
    // SAFETY: every processor has this register.
    out.iter().zip(v).map(|(out, x)| unsafe { operation.apply(*out, *x) }).collect()
}

fn assert_elementwise(out: &[f64], v: &[f64], operation: impl Operation) {
    let expected = bits(&one_by_one(out, v, operation));
    let mut plain = out.to_vec();
    for_each::<Plain, _>(&mut plain, v, operation);
    assert_eq!(bits(&plain), expected);
    #[cfg(target_arch = "x86_64")]
    if has_avx() {
        let mut wide = out.to_vec();
        for_each::<Avx, _>(&mut wide, v, operation);
        assert_eq!(bits(&wide), expected);
    }
    let expected = bits(&one_by_one(out, out, operation));
    let mut own = out.to_vec();
    in_place::<Plain, _>(&mut own, operation);
    assert_eq!(bits(&own), expected);
}

#[test]
fn elementwise_operations_have_equal_bits_at_every_length() {
    let mut numbers = Numbers(3);
    for n in 0..24 {
        let (out, v, s, t) = (numbers.vec(n), numbers.vec(n), numbers.next(), numbers.next());
        assert_elementwise(&out, &v, Add {});
        assert_elementwise(&out, &v, Sub {});
        assert_elementwise(&out, &v, Scale { s });
        assert_elementwise(&out, &v, AddScaled { s });
        assert_elementwise(&out, &v, SubScaled { s });
        assert_elementwise(&out, &v, SubScaledUnlessZero { s });
        assert_elementwise(&out, &v, ScaleAndAdd { s, t });
    }
}

#[test]
fn dot_products_sum_in_four_lanes_at_every_length() {
    let mut numbers = Numbers(4);
    for n in 0..24 {
        let (a, b) = (numbers.vec(n), numbers.vec(n));
        let mut sum = 0.0;
        let blocks = n / 4;
        if blocks > 0 {
            let mut lanes: [f64; 4] = std::array::from_fn(|i| a[i] * b[i]);
            for i in 4..4 * blocks {
                lanes[i % 4] += a[i] * b[i];
            }
            sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
        }
        let rest: Vec<f64> = (4 * blocks..n).map(|i| a[i] * b[i]).collect();
        if let Some(tail) = rest.into_iter().reduce(|x, y| x + y) {
            sum += tail;
        }
        assert_eq!(dense::dot(&a, &b).to_bits(), sum.to_bits());
        #[cfg(target_arch = "x86_64")]
        if has_avx() {
            assert_eq!(Avx::dot(&a, &b).to_bits(), sum.to_bits());
            assert_eq!(dense::long_dot(&a, &b).to_bits(), dense::long_dot::plain(&a, &b).to_bits());
            let three: [(&[f64], &[f64]); 3] = [(&a, &b), (&b, &a), (&b, &b)];
            let two: [(&[f64], &[f64]); 2] = [(&b, &b), (&a, &b)];
            assert_eq!(bits(&dense::three_dots(three)), bits(&[sum, sum, dense::dot(&b, &b)]));
            assert_eq!(bits(&dense::three_dots(three)), bits(&dense::three_dots::plain(three)));
            assert_eq!(bits(&dense::two_dots(two)), bits(&dense::two_dots::plain(two)));
        }
    }
}

#[test]
fn sparse_gram_matrices_have_equal_bits_in_both_versions() {
    let mut numbers = Numbers(5);
    for n in 1..12 {
        // Rows of two blocks of columns, so that columns come in groups with equal patterns.
        let (width, rows) = (n, 9);
        let columns = 3 * width;
        let mut colind = Vec::new();
        for row in 0..rows {
            let mut block = |b: usize| colind.extend((b * width..(b + 1) * width).map(|c| c as i32));
            if row % 3 != 2 {
                block(row % 3);
            }
            block(2);
        }
        let rownnz: Vec<i32> =
            (0..rows).map(|row| if row % 3 == 2 { width } else { 2 * width } as i32).collect();
        let mut rowadr = vec![0; rows];
        sparse_structure::start_addresses(&mut rowadr, &rownnz);
        let pattern = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
        let mut moderate = |n| -> Vec<f64> { numbers.vec(n).iter().map(|x| x % 1.0).collect() };
        let (m, weights) = (moderate(colind.len()), moderate(rows));
        let mut turned = vec![0.0; m.len()];
        let (mut nnz, mut adr, mut ind) = (vec![0; columns], vec![0; columns], vec![0; m.len()]);
        sparse_structure::transpose(&mut turned, &mut nnz, &mut adr, &mut ind, &m, pattern);
        let transposed = Pattern { rownnz: &nnz, rowadr: &adr, colind: &ind };
        let mut supernodes = vec![0; columns];
        sparse_structure::supernodes(&mut supernodes, transposed);
        let mut scratch = sparse_gram::GramScratch::default();
        let (mut count, mut start) = (vec![0; columns], vec![0; columns]);
        let groups = Some(&supernodes[..]);
        let total =
            sparse_gram::gram_count(&mut count, &mut start, pattern, transposed, groups, false, &mut scratch);
        let mut places = vec![0; total];
        for weights in [None, Some(&weights[..])] {
            let results = [groups, None].map(|groups| {
                assert_same!(
                    vec![0.0; total],
                    |x| sparse_gram::gram(
                        x,
                        &mut count,
                        &start,
                        &mut places,
                        &m,
                        pattern,
                        &turned,
                        transposed,
                        groups,
                        weights,
                        None,
                        &mut scratch,
                    ),
                    sparse_gram::gram::plain(
                        x,
                        &mut count,
                        &start,
                        &mut places,
                        &m,
                        pattern,
                        &turned,
                        transposed,
                        groups,
                        weights,
                        None,
                        &mut scratch,
                    )
                )
            });
            // Columns computed one by one give the same.
            assert_eq!(bits(&results[0]), bits(&results[1]));
            if let Some(weights) = weights {
                let known = Pattern { rownnz: &count, rowadr: &start, colind: &places };
                let values = assert_same!(
                    vec![0.0; total],
                    |x| sparse_gram::gram_values(
                        x,
                        known,
                        &m,
                        pattern,
                        transposed,
                        &supernodes,
                        weights,
                        &mut scratch
                    ),
                    sparse_gram::gram_values::plain(
                        x,
                        known,
                        &m,
                        pattern,
                        transposed,
                        &supernodes,
                        weights,
                        &mut scratch
                    )
                );
                assert_eq!(bits(&values), bits(&results[0]));
            }
            let mut full = vec![0.0; rows * columns];
            sparse_structure::to_dense(&mut full, &m, pattern, columns);
            let mut expected = vec![0.0; columns * columns];
            matrix::gram(&mut expected, &full, weights, rows, columns, Triangle::Lower);
            let mut found = vec![0.0; columns * columns];
            let gram_pattern = Pattern { rownnz: &count, rowadr: &start, colind: &places };
            sparse_structure::to_dense(&mut found, &results[0], gram_pattern, columns);
            for (x, y) in found.iter().zip(&expected) {
                assert!((x - y).abs() <= 1e-12 * (1.0 + y.abs()));
            }
        }
    }
}
