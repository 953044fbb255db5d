//! Work of other crates compiled a second time for processors with registers of eight lanes (AVX2).

/// Which instructions a piece of work may use. Results do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Registers {
    /// The widest that the processor has.
    #[default]
    Widest,
    /// Those that every processor of the kind has.
    Base,
}

/// A piece of work. What `run` calls is compiled for wide registers as far as it is inlined into it, and `run` itself has to be
/// (`#[inline(always)]`). Fused multiply-add is not enabled, so that the same operations are rounded the same way.
pub trait Work {
    /// What comes out of it.
    type Output;
    /// Does it.
    fn run(self) -> Self::Output;
}

impl Registers {
    /// Does work with these registers.
    #[inline(always)]
    pub fn run<W: Work>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            fn wide<W: Work>(work: W) -> W::Output {
                work.run()
            }
            if self == Self::Widest && std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2.
                return unsafe { wide(work) };
            }
        }
        work.run()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sums<'a>(&'a [f32]);

    impl Work for Sums<'_> {
        type Output = [u32; 8];

        #[inline(always)]
        fn run(self) -> [u32; 8] {
            let mut sums = [0.0_f32; 8];
            for chunk in self.0.chunks_exact(8) {
                for lane in 0..8 {
                    sums[lane] = sums[lane] * 0.99 + chunk[lane] * chunk[lane];
                }
            }
            sums.map(f32::to_bits)
        }
    }

    #[test]
    fn both_kinds_give_the_same_bits() {
        let values: Vec<f32> = (0..1000).map(|k| 0.1 + 0.7 * k as f32).collect();
        assert_eq!(Registers::Widest.run(Sums(&values)), Registers::Base.run(Sums(&values)));
    }
}
