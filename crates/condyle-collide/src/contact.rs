//! What the narrow phase returns: contact points in a buffer of fixed capacity.

use condyle_math::{Mat3, Vec3};

/// Most contacts one pair of shapes can produce.
pub const MAX_CONTACTS_PER_PAIR: usize = 50;

/// One contact between shape 1 and shape 2, before its frame is completed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Distance between the surfaces along the normal; negative when they overlap.
    pub distance: f64,
    /// World point midway between the surfaces.
    pub position: Vec3,
    /// Rows: the normal from shape 1 to shape 2; a hint for the first tangent, zero if there is none; zero.
    /// `condyle_math::spatial::make_frame` completes it to a right-handed orthonormal frame.
    pub frame: Mat3,
}

impl ContactPoint {
    /// All zero: the filler of an empty buffer.
    pub const ZERO: ContactPoint = ContactPoint { distance: 0.0, position: [0.0; 3], frame: [0.0; 9] };

    /// A contact without a preferred tangent.
    #[inline(always)]
    pub fn new(distance: f64, position: Vec3, normal: Vec3) -> Self {
        Self::with_tangent(distance, position, normal, [0.0; 3])
    }

    /// A contact whose first tangent should follow `tangent`.
    #[inline(always)]
    pub fn with_tangent(distance: f64, position: Vec3, normal: Vec3, tangent: Vec3) -> Self {
        let (n, t) = (normal, tangent);
        Self { distance, position, frame: [n[0], n[1], n[2], t[0], t[1], t[2], 0.0, 0.0, 0.0] }
    }

    /// Unit normal from shape 1 to shape 2.
    #[inline(always)]
    pub fn normal(&self) -> Vec3 {
        [self.frame[0], self.frame[1], self.frame[2]]
    }

    /// Replace the normal.
    #[inline(always)]
    pub fn set_normal(&mut self, normal: Vec3) {
        self.frame[..3].copy_from_slice(&normal);
    }

    /// Replace the tangent hint.
    #[inline(always)]
    pub fn set_tangent(&mut self, tangent: Vec3) {
        self.frame[3..6].copy_from_slice(&tangent);
    }
}

/// Up to [`MAX_CONTACTS_PER_PAIR`] contacts, in the order in which they were found. Lives on the stack or in scratch memory.
#[derive(Clone, Debug)]
pub struct ContactBuffer {
    points: [ContactPoint; MAX_CONTACTS_PER_PAIR],
    count: usize,
}

impl ContactBuffer {
    /// An empty buffer.
    pub const fn new() -> Self {
        Self { points: [ContactPoint::ZERO; MAX_CONTACTS_PER_PAIR], count: 0 }
    }

    /// Forget all contacts.
    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Append a contact; false when the buffer is full and the contact was dropped.
    #[inline]
    pub fn push(&mut self, point: ContactPoint) -> bool {
        if self.count == MAX_CONTACTS_PER_PAIR {
            return false;
        }
        self.points[self.count] = point;
        self.count += 1;
        true
    }

    /// Keep the first `count` contacts.
    #[inline]
    pub fn truncate(&mut self, count: usize) {
        if count < self.count {
            self.count = count;
        }
    }

    /// Number of contacts.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no contact.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether another contact would be dropped.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.count == MAX_CONTACTS_PER_PAIR
    }

    /// The contacts.
    #[inline]
    pub fn as_slice(&self) -> &[ContactPoint] {
        &self.points[..self.count]
    }

    /// The contacts, to be changed in place.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [ContactPoint] {
        &mut self.points[..self.count]
    }
}

impl Default for ContactBuffer {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_buffer_refuses_more() {
        let mut buffer = ContactBuffer::new();
        for i in 0..MAX_CONTACTS_PER_PAIR {
            assert!(buffer.push(ContactPoint { distance: i as f64, ..ContactPoint::ZERO }));
        }
        assert!(buffer.is_full() && !buffer.push(ContactPoint::ZERO));
        assert_eq!(buffer.as_slice()[49].distance, 49.0);
        buffer.truncate(3);
        assert_eq!(buffer.len(), 3);
        buffer.truncate(10);
        assert_eq!(buffer.len(), 3);
        buffer.clear();
        assert!(buffer.is_empty());
    }

    #[test]
    fn the_frame_holds_normal_and_tangent_as_rows() {
        let mut point = ContactPoint::with_tangent(-0.5, [1.0; 3], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
        assert_eq!(point.frame, [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        point.set_normal([1.0, 0.0, 0.0]);
        point.set_tangent([0.0; 3]);
        assert_eq!(point, ContactPoint::new(-0.5, [1.0; 3], [1.0, 0.0, 0.0]));
    }
}
