//! Which points stay with the parent.

use super::{Flexcomp, FlexcompDof, FlexcompProblem, FlexcompType, Shape};

/// Points that belong to the parent body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// Numbers of points.
    pub ids: Vec<i32>,
    /// First and last number of ranges.
    pub ranges: Vec<i32>,
    /// Coordinates in the grid, one per dimension.
    pub grid: Vec<i32>,
    /// Lowest coordinates of a part of the grid, then highest.
    pub grid_ranges: Vec<i32>,
}

impl Pins {
    /// Whether lists have the lengths that belong to the dimension.
    pub(super) fn check_sizes(&self, flexcomp: &Flexcomp, dim: usize) -> Option<FlexcompProblem> {
        for (name, length, multiple) in [
            ("range", self.ranges.len(), 2),
            ("grid", self.grid.len(), dim),
            ("gridrange", self.grid_ranges.len(), 2 * dim),
        ] {
            if !length.is_multiple_of(multiple) {
                let message = format!("{name} has {length} numbers, not a multiple of {multiple}");
                let help = "ranges have a first and a last, grids one number per dimension";
                return Some(FlexcompProblem::value(name, message, help));
            }
        }
        let name = if !self.grid.is_empty() {
            "grid"
        } else if !self.grid_ranges.is_empty() {
            "gridrange"
        } else {
            return None;
        };
        let fits = flexcomp.kind == FlexcompType::Grid || flexcomp.dof.order().is_some();
        let message = if !fits {
            "grid and gridrange belong to type=\"grid\" and to interpolation"
        } else if dim == 1 {
            "grid and gridrange cannot be used with dim=\"1\""
        } else {
            return None;
        };
        Some(FlexcompProblem::value(name, message, "use id or range"))
    }
}

/// Which points move, and how.
pub(super) struct Layout {
    /// For each point, and for each interpolation node if there are more.
    pub pinned: Vec<bool>,
    /// All points belong to the parent.
    pub rigid: bool,
    /// All points lie at the origin of a body of their own.
    pub centered: bool,
    points: usize,
    dof: FlexcompDof,
    /// Lowest and highest coordinates of all points, also of those that no element has.
    pub bounds: [[f64; 3]; 2],
}

impl Layout {
    /// Decides which points are pinned, then drops given points that no element has.
    pub(super) fn new(flexcomp: &Flexcomp, shape: &mut Shape) -> Result<Self, FlexcompProblem> {
        let count = shape.points.len();
        let pinned = vec![flexcomp.rigid; count.max(flexcomp.dof.nodes())];
        let mut layout = Self {
            pinned,
            rigid: flexcomp.rigid,
            centered: false,
            points: count,
            dof: flexcomp.dof,
            bounds: shape.bounds(),
        };
        if !flexcomp.rigid {
            layout.pin_points(&flexcomp.pins)?;
            layout.pin_grid(flexcomp, shape.dim)?;
            if flexcomp.dof == FlexcompDof::Radial {
                layout.pin(0);
            }
            let points = layout.pinned.get(..count).unwrap_or_default();
            layout.rigid = points.iter().all(|&pinned| pinned);
            layout.centered = !points.iter().any(|&pinned| pinned);
        }
        if flexcomp.kind.is_given() {
            layout.drop_unused(shape);
        }
        Ok(layout)
    }

    fn pin(&mut self, point: usize) -> Option<()> {
        *self.pinned.get_mut(point)? = true;
        Some(())
    }

    fn pin_points(&mut self, pins: &Pins) -> Result<(), FlexcompProblem> {
        let count = self.points;
        let point = |name, id: i32| {
            usize::try_from(id).ok().filter(|&id| id < count).ok_or_else(|| {
                let message = format!("pin refers to point {id}, but there are {count}");
                FlexcompProblem::value(name, message, "points are counted from 0")
            })
        };
        for &id in &pins.ids {
            self.pin(point("id", id)?);
        }
        for &[first, last] in pins.ranges.as_chunks::<2>().0 {
            for id in point("range", first)?..=point("range", last)? {
                self.pin(id);
            }
        }
        Ok(())
    }

    /// Points by their place in the grid. Coordinates of interpolation nodes are numbered as if they were points of the grid.
    fn pin_grid(&mut self, flexcomp: &Flexcomp, dim: usize) -> Result<(), FlexcompProblem> {
        let counts = flexcomp.counts();
        let (grid, ranges) = (&flexcomp.pins.grid, &flexcomp.pins.grid_ranges);
        let outside = |name, numbers: &[i32]| {
            let message = format!("pin {numbers:?} is outside the grid");
            FlexcompProblem::value(name, message, "coordinates are counted from 0")
        };
        let within = |numbers: &[i32], counts: [usize; 3]| -> Option<Vec<usize>> {
            let inside = |(axis, &number): (usize, &i32)| {
                usize::try_from(number).ok().filter(|&number| number < counts[axis % dim])
            };
            numbers.iter().enumerate().map(inside).collect()
        };
        let number = |at: &[usize]| match *at {
            [x, y] => Some(x * counts[1] + y),
            [x, y, z] => x.checked_mul(counts[1])?.checked_mul(counts[2])?.checked_add(y * counts[2] + z),
            _ => None,
        };
        let allowed = match flexcomp.dof.order() {
            Some(order) if flexcomp.kind != FlexcompType::Grid => [order + 1; 3],
            _ => counts,
        };
        for numbers in grid.chunks(dim) {
            let at = within(numbers, allowed).ok_or_else(|| outside("grid", numbers))?;
            number(&at).and_then(|point| self.pin(point)).ok_or_else(|| outside("grid", numbers))?;
        }
        for numbers in ranges.chunks(2 * dim) {
            let ends = within(numbers, counts).ok_or_else(|| outside("gridrange", numbers))?;
            let (low, high) = ends.split_at(dim);
            let span = |axis: usize| match (low.get(axis), high.get(axis)) {
                (Some(&low), Some(&high)) => low..high + 1,
                _ => 0..1,
            };
            for x in span(0) {
                for y in span(1) {
                    for z in span(2) {
                        let at = [x, y, z];
                        number(&at[..dim])
                            .and_then(|point| self.pin(point))
                            .ok_or_else(|| outside("gridrange", numbers))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Drops points that no element has. Texture coordinates are dropped with them as if there were one per point.
    fn drop_unused(&mut self, shape: &mut Shape) {
        let count = shape.points.len();
        let mut used = vec![false; count];
        for &index in &shape.elements {
            if let Some(used) = usize::try_from(index).ok().and_then(|index| used.get_mut(index)) {
                *used = true;
            }
        }
        if used.iter().all(|&used| used) {
            return;
        }
        let mut renumber = vec![0; count];
        let mut kept = 0;
        for old in (0..count).filter(|&old| used[old]) {
            renumber[old] = kept as i32;
            shape.points[kept] = shape.points[old];
            self.pinned[kept] = self.pinned[old];
            for part in 0..2 {
                let value = shape.texcoords.get(2 * old + part).copied().unwrap_or_default();
                if let Some(slot) = shape.texcoords.get_mut(2 * kept + part) {
                    *slot = value;
                }
            }
            kept += 1;
        }
        for index in &mut shape.elements {
            if let Some(&new) = usize::try_from(*index).ok().and_then(|index| renumber.get(index)) {
                *index = new;
            }
        }
        shape.points.truncate(kept);
        if !shape.texcoords.is_empty() {
            shape.texcoords.resize(2 * kept, 0.0);
        }
        self.pinned.resize(kept.max(self.dof.nodes()), false);
        self.points = kept;
    }

    /// Bodies that will be made.
    pub(super) fn free_bodies(&self) -> usize {
        if self.rigid {
            return 0;
        }
        let places = if self.dof.order().is_some() { self.dof.nodes() } else { self.points };
        self.pinned.iter().take(places).filter(|&&pinned| !pinned).count()
    }
}
