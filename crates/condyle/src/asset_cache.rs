//! Processed meshes and images are kept for the whole process, so that loading a model again, or another with the same files, is
//! quick.
//!
//! What is kept is found again by the content of the files and by all parameters, so a changed file is processed anew and every
//! model is the same as without the cache. The least recently used assets leave when there is no more room.
//!
//! ```
//! condyle::asset_cache::set_capacity(0);
//! assert_eq!(condyle::asset_cache::size(), 0);
//! ```

use condyle_asset::cache;

/// Bytes kept unless somebody asks for another capacity.
pub const DEFAULT_CAPACITY: usize = cache::DEFAULT_CAPACITY;

/// Most bytes that are kept.
pub fn capacity() -> usize {
    cache::capacity()
}

/// Keep at most so many bytes; zero switches the cache off and empties it.
pub fn set_capacity(bytes: usize) {
    cache::set_capacity(bytes);
}

/// Bytes that are kept now.
pub fn size() -> usize {
    cache::size()
}

/// Drop everything that is kept.
pub fn clear() {
    cache::clear();
}
