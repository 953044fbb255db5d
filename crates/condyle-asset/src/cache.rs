//! Processed assets of the whole process, so that loading a model again does not process its meshes and images again.
//!
//! An asset is kept under the [`Fingerprint`] of everything it is made from: the bytes of its file and all parameters. What comes out
//! of the cache is therefore what processing would give, whichever files changed in between. The least recently used assets
//! leave when there is no more room; a capacity of zero switches the cache off.
//!
//! A fingerprint is the value of a polynomial, whose coefficients are the content, at two points that are drawn at random when the
//! process starts, modulo the prime 2⁶¹ − 1. Two different contents of n words have the same value at one point for at most n of the
//! 2⁶¹ points, so a mistake has a probability below 2⁻⁶⁸ even for files of a gigabyte, whatever is in them.

use std::any::Any;
use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use crate::image::Image;
use crate::mesh::CompiledMesh;

/// Bytes kept unless somebody asks for another capacity.
pub const DEFAULT_CAPACITY: usize = if cfg!(target_family = "wasm") { 64 << 20 } else { 500 << 20 };
/// Bytes counted for an asset besides its arrays.
const OVERHEAD: usize = 1024;
/// Bytes counted for what simulations work out from a hull and keep with the mesh.
const PREPARED: usize = 128 << 10;

const PRIME: u64 = (1 << 61) - 1;
/// Bytes in a word: as many as surely stay below the prime.
const WORD: usize = 7;

/// Something that can be kept.
pub trait Asset: Any + Send + Sync {
    /// Bytes its arrays take.
    fn bytes(&self) -> usize;
}

impl Asset for CompiledMesh {
    fn bytes(&self) -> usize {
        let octree = self.octree.as_ref().map_or(0, |octree| {
            4 * octree.level.capacity()
                + 32 * octree.child.capacity()
                + 48 * octree.aabb.capacity()
                + 64 * octree.coefficient.capacity()
        });
        let hull = self.hull.as_ref().map_or(0, |hull| {
            hull.vertices.capacity()
                + hull.edge_start.capacity()
                + hull.edges.capacity()
                + hull.faces.capacity()
        });
        let prepared = if self.hull.is_some() { PREPARED } else { 0 };
        let bvh = &self.bvh;
        24 * self.vertices.capacity()
            + 4 * (self.normals.capacity() + self.texcoords.capacity() + self.faces.capacity())
            + 4 * (self.face_normals.capacity() + self.face_texcoords.capacity() + hull)
            + self.polygons.bytes()
            + 48 * bvh.aabb.capacity()
            + 8 * bvh.child.capacity()
            + 4 * (bvh.node_id.capacity() + bvh.level.capacity())
            + octree
            + prepared
    }
}

impl Asset for Image {
    fn bytes(&self) -> usize {
        self.pixels.capacity()
    }
}

/// Two random points with their second, third and fourth powers.
fn points() -> &'static [[u64; 4]; 2] {
    static POINTS: OnceLock<[[u64; 4]; 2]> = OnceLock::new();
    POINTS.get_or_init(|| {
        [0_u64, 1].map(|seed| {
            let x = RandomState::new().hash_one(seed) & PRIME;
            let square = reduce(u128::from(x) * u128::from(x));
            let cube = reduce(u128::from(square) * u128::from(x));
            [x, square, cube, reduce(u128::from(square) * u128::from(square))]
        })
    })
}

/// A number below 2⁶² with the same remainder.
#[inline(always)]
fn reduce(value: u128) -> u64 {
    let low = value as u64 & PRIME;
    let middle = (value >> 61) as u64 & PRIME;
    let sum = low + middle + (value >> 122) as u64;
    (sum & PRIME) + (sum >> 61)
}

/// Stands for content and parameters; see the module.
#[derive(Clone, Debug)]
pub struct Fingerprint {
    values: [u64; 2],
}

impl Fingerprint {
    /// The beginning of the fingerprint of an asset of one kind.
    pub fn new(kind: &str) -> Self {
        let mut fingerprint = Self { values: [1, 1] };
        fingerprint.bytes(kind.as_bytes());
        fingerprint
    }

    /// Take in a word, which is below 2⁵⁶.
    #[inline]
    fn word(&mut self, word: u64) {
        for (value, [x, ..]) in self.values.iter_mut().zip(points()) {
            *value = reduce(u128::from(*value) * u128::from(*x) + u128::from(word));
        }
    }

    /// Take in four words.
    #[inline(always)]
    fn words(values: &mut [u64; 2], points: &[[u64; 4]; 2], [a, b, c, d]: [u64; 4]) {
        for (value, [x, square, cube, fourth]) in values.iter_mut().zip(points) {
            // Every product is below 2¹²³, so their sum stays below 2¹²⁸.
            *value = reduce(
                u128::from(*value) * u128::from(*fourth)
                    + u128::from(a) * u128::from(*cube)
                    + u128::from(b) * u128::from(*square)
                    + u128::from(c) * u128::from(*x)
                    + u128::from(d),
            );
        }
    }

    /// Take in bytes and how many they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        let points = points();
        let mut values = self.values;
        let (blocks, rest) = bytes.as_chunks::<{ 4 * WORD }>();
        for block in blocks {
            let word = |start: usize| {
                let mut word = [0; 8];
                word[..WORD].copy_from_slice(&block[start..start + WORD]);
                u64::from_le_bytes(word)
            };
            Self::words(&mut values, points, [word(0), word(WORD), word(2 * WORD), word(3 * WORD)]);
        }
        self.values = values;
        for part in rest.chunks(WORD) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// Take in an integer.
    pub fn number(&mut self, number: u64) {
        self.word(number >> 32);
        self.word(number & 0xffff_ffff);
    }

    /// Take in floating-point numbers, by their bits, and how many they are.
    pub fn doubles(&mut self, values: &[f64]) {
        self.number(values.len() as u64);
        for value in values {
            self.number(value.to_bits());
        }
    }

    /// Take in 32-bit numbers by their bits, and how many they are.
    pub fn singles(&mut self, values: &[f32]) {
        self.number(values.len() as u64);
        for value in values {
            self.word(u64::from(value.to_bits()));
        }
    }

    /// Take in integers and how many they are.
    pub fn integers(&mut self, values: &[i32]) {
        self.number(values.len() as u64);
        for value in values {
            self.word(u64::from(*value as u32));
        }
    }

    /// The number of the whole.
    fn finish(&self) -> Key {
        Key(self.values.map(|value| value % PRIME))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key([u64; 2]);

struct Entry {
    asset: Arc<dyn Any + Send + Sync>,
    bytes: usize,
    used: u64,
}

struct Store {
    entries: HashMap<Key, Entry>,
    /// Keys by the time of their last use.
    order: BTreeMap<u64, Key>,
    clock: u64,
    size: usize,
    capacity: usize,
}

impl Store {
    fn new(capacity: usize) -> Self {
        Self { entries: HashMap::new(), order: BTreeMap::new(), clock: 0, size: 0, capacity }
    }

    fn get(&mut self, key: Key) -> Option<Arc<dyn Any + Send + Sync>> {
        let entry = self.entries.get_mut(&key)?;
        self.order.remove(&entry.used);
        self.clock += 1;
        entry.used = self.clock;
        self.order.insert(self.clock, key);
        Some(Arc::clone(&entry.asset))
    }

    fn put(&mut self, key: Key, asset: Arc<dyn Any + Send + Sync>, bytes: usize) {
        self.remove(key);
        if bytes > self.capacity {
            return;
        }
        self.clock += 1;
        self.order.insert(self.clock, key);
        self.entries.insert(key, Entry { asset, bytes, used: self.clock });
        self.size += bytes;
        self.shrink();
    }

    fn remove(&mut self, key: Key) {
        if let Some(entry) = self.entries.remove(&key) {
            self.order.remove(&entry.used);
            self.size -= entry.bytes;
        }
    }

    /// Drop what was not used for longest until the rest fits.
    fn shrink(&mut self) {
        while self.size > self.capacity {
            let Some((_, key)) = self.order.first_key_value() else { break };
            self.remove(*key);
        }
    }
}

/// The store; `None` if a thread died while it held it, which no code of ours does.
fn store() -> Option<MutexGuard<'static, Store>> {
    static STORE: OnceLock<Mutex<Store>> = OnceLock::new();
    STORE.get_or_init(|| Mutex::new(Store::new(DEFAULT_CAPACITY))).lock().ok()
}

/// The asset with this fingerprint: kept from another time, or made now. Only what was made without error is kept.
pub fn get_or_make<T: Asset, E>(
    fingerprint: &Fingerprint,
    make: impl FnOnce() -> Result<T, E>,
) -> Result<Arc<T>, E> {
    let key = fingerprint.finish();
    if let Some(found) = store().and_then(|mut store| store.get(key))
        && let Ok(asset) = found.downcast::<T>()
    {
        return Ok(asset);
    }
    // Others may make the same meanwhile; the store is not locked while somebody works.
    let asset = Arc::new(make()?);
    if let Some(mut store) = store() {
        store.put(key, Arc::clone(&asset) as _, asset.bytes() + OVERHEAD);
    }
    Ok(asset)
}

/// Whether anything would be kept; if not, no fingerprint is needed.
pub fn is_on() -> bool {
    capacity() > 0
}

/// Most bytes that are kept.
pub fn capacity() -> usize {
    store().map_or(0, |store| store.capacity)
}

/// Keep at most so many bytes; zero switches the cache off and empties it.
pub fn set_capacity(bytes: usize) {
    if let Some(mut store) = store() {
        store.capacity = bytes;
        store.shrink();
    }
}

/// Bytes that are kept now.
pub fn size() -> usize {
    store().map_or(0, |store| store.size)
}

/// Drop everything that is kept.
pub fn clear() {
    if let Some(mut store) = store() {
        *store = Store::new(store.capacity);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64) -> Key {
        Key([number, 0])
    }

    #[test]
    fn the_least_recently_used_leave_when_there_is_no_room() {
        let mut store = Store::new(100);
        for number in 0..4 {
            store.put(key(number), Arc::new(number), 30);
            // The first is used again and again.
            assert!(store.get(key(0)).is_some());
        }
        assert!(store.get(key(1)).is_none());
        let present = [0, 2, 3].map(|number| store.get(key(number)).is_some());
        assert_eq!((present, store.size, store.order.len()), ([true; 3], 90, 3));
        store.put(key(9), Arc::new(9), 101);
        assert!(store.get(key(9)).is_none() && store.size == 90);
        store.put(key(2), Arc::new(2), 10);
        assert_eq!(store.size, 70);
        store.capacity = 0;
        store.shrink();
        assert_eq!((store.size, store.entries.len(), store.order.len()), (0, 0, 0));
    }

    #[test]
    fn fingerprints_tell_contents_and_parts_apart() {
        let of = |parts: &[&[u8]]| {
            let mut fingerprint = Fingerprint::new("test");
            parts.iter().for_each(|part| fingerprint.bytes(part));
            fingerprint.finish()
        };
        let long: Vec<u8> = (0..200).collect();
        assert_eq!(of(&[&long]), of(&[&long]));
        let mut seen = vec![of(&[&long])];
        for place in 0..long.len() {
            let mut other = long.clone();
            other[place] ^= 1;
            seen.push(of(&[&other]));
            seen.push(of(&[&long[..place]]));
            seen.push(of(&[&long[..place], &long[place..]]));
        }
        for (i, first) in seen.iter().enumerate() {
            assert!(seen[..i].iter().all(|second| second != first), "{i}");
        }
    }

    #[test]
    fn four_words_at_a_time_are_the_same_polynomial() {
        let words = [0x00ff_ffff_ffff_ffff, 1, 0x0012_3456_789a_bcde, 0];
        let mut single = Fingerprint { values: [PRIME, 7] };
        let mut together = single.values;
        words.iter().for_each(|word| single.word(*word));
        Fingerprint::words(&mut together, points(), words);
        assert_eq!(single.finish(), Fingerprint { values: together }.finish());
    }

    #[test]
    fn what_fails_is_not_kept_and_what_is_made_comes_back() {
        let fingerprint = Fingerprint::new("what_fails_is_not_kept");
        assert_eq!(get_or_make::<Image, _>(&fingerprint, || Err(7)).unwrap_err(), 7);
        let image = Image { width: 3, ..Image::default() };
        let made = get_or_make::<Image, ()>(&fingerprint, || Ok(image)).unwrap();
        let again = get_or_make::<Image, ()>(&fingerprint, || Err(())).unwrap();
        assert!(Arc::ptr_eq(&made, &again));
    }
}
