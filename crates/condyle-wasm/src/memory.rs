//! Memory that JavaScript fills, and answers that it reads.

use std::cell::RefCell;

thread_local! {
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Most bytes that may be asked for at once.
const MOST: usize = 1 << 31;

/// Room for `length` bytes; null when there is none.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_room(length: usize) -> *mut u8 {
    let mut room: Vec<u8> = Vec::new();
    if length > MOST || room.try_reserve_exact(length.max(1)).is_err() {
        return std::ptr::null_mut();
    }
    room.resize(length.max(1), 0);
    Box::into_raw(room.into_boxed_slice()).cast()
}

/// Gives room back.
///
/// # Safety
/// `place` comes from [`condyle_room`] with the same length and was not given back before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn condyle_release(place: *mut u8, length: usize) {
    if !place.is_null() {
        // SAFETY: the caller says that this is such a room.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(place, length.max(1))) });
    }
}

/// The bytes of a room.
///
/// # Safety
/// `place` is null or a room of at least `length` bytes that lasts for this call.
pub(crate) unsafe fn bytes<'a>(place: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: as the caller says.
    if place.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(place, length) } }
}

/// The text of a room; what is not UTF-8 is replaced.
///
/// # Safety
/// As for [`bytes`].
pub(crate) unsafe fn text(place: *const u8, length: usize) -> String {
    // SAFETY: as the caller says.
    String::from_utf8_lossy(unsafe { bytes(place, length) }).into_owned()
}

/// Keeps an answer until the next one.
pub(crate) fn answer(bytes: impl Into<Vec<u8>>) {
    ANSWER.with_borrow_mut(|answer| *answer = bytes.into());
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// How many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}
