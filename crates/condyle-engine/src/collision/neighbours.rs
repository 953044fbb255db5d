//! Pairs of bodies that may come near each other, kept from step to step.
//!
//! The list holds every pair that the rules allow and whose boxes meet after each was widened a little. While all bodies stay within their
//! widened boxes, which a step looks up in its poses, no other pair can be near; when one leaves its box, the list is made anew. So
//! the pairs that a step finds do not depend on when the list was made.

/// Share of its smallest extent by which a box is widened.
const SHARE: f64 = 0.1;
/// Steps that a list is meant to serve where bodies go on as they did.
const STEPS: f64 = 8.0;

/// A list that served fewer steps costs more than it saves. One such list may come from a jump, as when a program goes back to a state it has
/// kept; as many as these in a row do not.
const LEAST_STEPS: u32 = 2;
const MOST_BRIEF: u32 = 3;
/// A list with more pairs for each body costs more than it saves, too.
const MOST_PAIRS: usize = 24;
/// Steps without a list after one that did not pay.
const PAUSE: u32 = 100;

/// Bounds along the axes of the world, lower ones first.
pub(super) type Bounds = [f64; 6];

/// The list and what it was made from.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    /// Bounds of all bodies in this step.
    pub(super) bounds: Vec<Bounds>,
    /// Pairs of places in `bounds`, ascending.
    pub(super) pairs: Vec<[u32; 2]>,
    wide: Vec<Bounds>,
    made_at: Vec<Bounds>,
    steps: u32,
    /// How many lists in a row served too few steps.
    brief: u32,
    /// Steps for which no list is made.
    pause: u32,
}

impl Neighbours {
    /// Keep nothing.
    pub(super) fn forget(&mut self) {
        self.wide.clear();
        self.made_at.clear();
        self.pairs.clear();
    }

    /// Whether this step does without a list, because the last one did not pay.
    pub(super) fn pauses(&mut self) -> bool {
        if self.pause == 0 {
            return false;
        }
        self.pause -= 1;
        // How far bodies have gone since then says nothing about the next list.
        self.forget();
        true
    }

    /// Whether the list holds for the present bounds.
    pub(super) fn holds(&mut self) -> bool {
        self.steps = self.steps.saturating_add(1);
        let within = |(own, wide): (&Bounds, &Bounds)| {
            let inside = |axis: usize| (own[axis] >= wide[axis]) & (own[axis + 3] <= wide[axis + 3]);
            inside(0) & inside(1) & inside(2)
        };
        self.bounds.len() == self.wide.len() && self.bounds.iter().zip(&self.wide).all(within)
    }

    /// Begin a new list: the widened box of every body, by more for those that have moved far since the last list was made.
    pub(super) fn widen(&mut self) -> &[Bounds] {
        let has_served = !self.wide.is_empty();
        self.brief = if has_served && self.steps < LEAST_STEPS { self.brief + 1 } else { 0 };
        if self.brief == MOST_BRIEF || (has_served && self.pairs.len() > MOST_PAIRS * self.bounds.len()) {
            (self.brief, self.pause) = (0, PAUSE);
        }
        let steps = f64::from(self.steps.max(1));
        let known = self.made_at.len() == self.bounds.len();
        self.wide.clear();
        for (place, own) in self.bounds.iter().enumerate() {
            let mut room = f64::INFINITY;
            let mut way = 0.0;
            for axis in 0..3 {
                let extent = own[axis + 3] - own[axis];
                room = if extent < room { extent } else { room };
                if known {
                    way += (own[axis] - self.made_at[place][axis]).abs();
                }
            }
            let room = SHARE * room + STEPS / steps * way;
            self.wide.push(std::array::from_fn(|i| if i < 3 { own[i] - room } else { own[i] + room }));
        }
        self.made_at.clone_from(&self.bounds);
        self.pairs.clear();
        self.steps = 0;
        &self.wide
    }

    /// Finish the list; there is room for it to grow later.
    pub(super) fn finish(&mut self) {
        self.pairs.sort_unstable();
        self.pairs.reserve(self.pairs.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_holds_until_a_body_leaves_its_widened_box() {
        let mut list = Neighbours::default();
        assert!(list.holds(), "no bodies, no list");
        list.bounds = vec![[0.0, 0.0, 0.0, 1.0, 1.0, 2.0]];
        assert!(!list.holds());
        assert_eq!(list.widen(), [[-0.1, -0.1, -0.1, 1.1, 1.1, 2.1]]);
        assert!(list.holds());
        list.bounds = vec![[0.09, 0.0, 0.0, 1.09, 1.0, 2.0]];
        assert!(list.holds());
        list.bounds = vec![[0.2, 0.0, 0.0, 1.2, 1.0, 2.0]];
        assert!(!list.holds());
        // Three steps for a fifth of a metre.
        let room = 0.1 + 8.0 / 3.0 * 0.2;
        assert!((list.widen()[0][0] - (0.2 - room)).abs() < 1e-12);
        list.forget();
        assert!(!list.holds());
    }

    #[test]
    fn lists_are_given_up_where_bodies_keep_leaving_but_not_for_a_jump() {
        let mut list = Neighbours::default();
        let mut step = |x: f64| {
            if list.pauses() {
                return false;
            }
            list.bounds = vec![[x, 0.0, 0.0, x + 1.0, 1.0, 1.0]];
            if !list.holds() {
                list.widen();
            }
            true
        };
        // Back to where it was, again and again.
        for round in 0..50 {
            assert!((0..6).all(|k| step(0.05 * f64::from(k))), "round {round}");
        }
        // Farther and farther in every step.
        let mut x = 1.0;
        let listed = (0..120).filter(|_| {
            x *= 30.0;
            step(x)
        });
        assert!(listed.count() < 25);
    }
}
