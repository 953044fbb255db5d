//! Hash maps of small integer keys that are read from files.
//!
//! The standard hasher is slow for keys of a few words. This one folds a 64 by 64 bit product per word; it starts from a random
//! number, so that a file cannot be made whose keys all fall in one place. Nothing iterates over these maps.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// A map with the fast hasher.
pub(crate) type FastMap<K, V> = HashMap<K, V, Seed>;

/// An empty map with room for `capacity` keys.
pub(crate) fn fast_map<K, V>(capacity: usize) -> FastMap<K, V> {
    HashMap::with_capacity_and_hasher(capacity, Seed(RandomState::new().hash_one(0_u64)))
}

/// Start of the hashes of one map.
#[derive(Clone, Debug)]
pub(crate) struct Seed(u64);

impl BuildHasher for Seed {
    type Hasher = Folding;

    fn build_hasher(&self) -> Folding {
        Folding(self.0)
    }
}

/// The hash so far.
pub(crate) struct Folding(u64);

impl Folding {
    #[inline]
    fn fold(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0xf39c_c060_5ced_c835;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}

impl Hasher for Folding {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.fold(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.fold(u64::from(word));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.fold(word);
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.fold(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_keys_spread_over_the_table() {
        let seed = Seed(12345);
        let mut used = [0_usize; 256];
        for key in 0..65_536_u64 {
            used[(seed.hash_one(key) & 255) as usize] += 1;
            used[(seed.hash_one(key) >> 56) as usize] += 1;
        }
        assert!(used.iter().all(|&count| (400..650).contains(&count)), "{used:?}");
    }

    #[test]
    fn two_maps_hash_differently() {
        let [a, b] = [fast_map::<u64, ()>(0), fast_map::<u64, ()>(0)];
        assert_ne!(a.hasher().hash_one(1_u64), b.hasher().hash_one(1_u64));
    }
}
