//! Lines: elements that consist of them, and the edges of surfaces of which only edges are drawn.
//!
//! What changes along a line is computed by the axis of the picture along which the line is longer, like its depth.

use crate::draw::{Cull, Draw};
use crate::lanes::{LANES, Lanes};
use crate::raster::GROUP;
use crate::setup::{Setup, doubled_area};
use crate::shape::Shape;
use crate::view::project_point;

/// An edge of a surface of which only edges are drawn. Colours along it are those between its ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wire {
    /// Where the ends are seen.
    pub ends: [[f32; 4]; 2],
    /// Shares of the corners of the surface at the ends.
    pub shares: [[f32; 3]; 2],
}

impl Wire {
    /// Shares of the corners of the surface where the centres of pixels are along the edge.
    #[inline(always)]
    pub(crate) fn shares_at(&self, origin: [i32; 2]) -> [Lanes; 3] {
        let along = line_shares(&self.ends, origin);
        let [from, to] = self.shares;
        let mut out = [[0.0; LANES]; 3];
        for corner in 0..3 {
            for lane in 0..LANES {
                out[corner][lane] = from[corner] + along[lane] * (to[corner] - from[corner]);
            }
        }
        out
    }
}

/// How far along a line, given by its ends as they are seen, the centres of pixels are.
#[inline(always)]
pub(crate) fn line_shares(ends: &[[f32; 4]; 2], [left, bottom]: [i32; 2]) -> Lanes {
    let [a, b] = ends.map(|end| end.map(f64::from));
    let across = [a[1] * b[3] - a[3] * b[1], a[3] * b[0] - a[0] * b[3]];
    let major = usize::from(across[0].abs() > across[1].abs());
    let way = [b[major] - a[major], b[3] - a[3]];
    let mut shares = [0.0; LANES];
    for lane in 0..LANES {
        let at = [left + (lane % GROUP) as i32, bottom + (lane / GROUP) as i32][major];
        let center = f64::from(at) + 0.5;
        let share = (center * a[3] - a[major]) / (way[0] - center * way[1]);
        // Also a number where the line is none.
        let share = if share > 0.0 { share } else { 0.0 };
        shares[lane] = if share < 1.0 { share as f32 } else { 1.0 };
    }
    shares
}

impl Setup {
    /// A surface that consists of lines, or of which only the edges are drawn.
    pub(crate) fn lines(
        &mut self,
        index: u32,
        draw: &Draw,
        shape: &Shape,
        first: usize,
        wireframe: Option<f32>,
    ) {
        for (face, corners) in shape.faces.iter().enumerate() {
            self.current = None;
            let points = corners.map(|corner| self.corners.at(first + corner as usize));
            if let Some(width) = draw.line_width {
                self.line(index, face, draw, points[0], points[1], width);
            } else if let Some(width) = wireframe {
                self.outline(index, face, draw, &points, shape.hidden_edge(face), width);
            }
        }
        let (None, Some(width)) = (draw.line_width, wireframe) else { return };
        for (number, patch) in shape.patches.iter().enumerate() {
            let outline = shape.outline(patch).map(|corner| project_point(&draw.rows, corner));
            if !faces_the_right_way(&outline, draw.cull) {
                continue;
            }
            let (us, vs) = (shape.range(patch.us), shape.range(patch.vs));
            let across = [us[us.len() - 1] - us[0], vs[vs.len() - 1] - vs[0]];
            for line in shape.grid_lines(patch) {
                let ends = line.map(|[u, v]| project_point(&draw.rows, patch.at(u, v)));
                let shares = line.map(|[u, v]| {
                    let [u, v] = [(u - us[0]) / across[0], (v - vs[0]) / across[1]];
                    [1.0 - u - v, u, v]
                });
                self.edge(index, shape.faces.len() + number, draw, Wire { ends, shares }, width);
            }
        }
    }

    /// An edge of a surface.
    fn edge(&mut self, index: u32, face: usize, draw: &Draw, wire: Wire, width: f32) {
        self.current = None;
        self.wire = Some(wire);
        self.line(index, face, draw, wire.ends[0], wire.ends[1], width);
        self.wire = None;
    }

    /// Edges of a triangle that faces the right way.
    fn outline(
        &mut self,
        index: u32,
        face: usize,
        draw: &Draw,
        points: &[[f32; 4]; 3],
        hidden: usize,
        width: f32,
    ) {
        if points.iter().all(|p| p[3] > 0.0) {
            let flat = points.map(|p| [f64::from(p[0]) / f64::from(p[3]), f64::from(p[1]) / f64::from(p[3])]);
            let area = doubled_area(&flat);
            if (draw.cull == Cull::Back && area <= 0.0) || (draw.cull == Cull::Front && area >= 0.0) {
                return;
            }
        }
        for edge in 0..3 {
            if edge != hidden {
                let corners = [edge, (edge + 1) % 3];
                let shares = corners.map(|corner| [0, 1, 2].map(|at| if at == corner { 1.0 } else { 0.0 }));
                let wire = Wire { ends: corners.map(|corner| points[corner]), shares };
                self.edge(index, face, draw, wire, width);
            }
        }
    }
}

/// Whether a plane surface, given by its outline, is not left out for being seen from its back, or from its front.
fn faces_the_right_way(outline: &[[f32; 4]; 4], cull: Cull) -> bool {
    let [a, b, _, c] = outline.map(|p| [f64::from(p[0]), f64::from(p[1]), f64::from(p[3])]);
    let area = a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
    match cull {
        Cull::None => true,
        Cull::Back => area > 0.0,
        Cull::Front => area < 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_along_a_line_are_those_of_perspective_and_stay_on_it() {
        // The far end has twice the depth of the near one, so the middle of the picture of the line is a third of the way along it.
        let ends = [[0.0, 4.0, 0.0, 1.0], [16.0, 8.0, 0.0, 2.0]];
        let shares = line_shares(&ends, [0, 0]);
        assert!((shares[3] - 3.5 / (16.0 - 3.5)).abs() < 1e-6);
        assert_eq!(line_shares(&ends, [-40, 0]), [0.0; LANES]);
        assert_eq!(line_shares(&ends, [8, 0])[..GROUP], [1.0; GROUP]);
        assert_eq!(line_shares(&[[f32::NAN; 4]; 2], [0, 0]), [0.0; LANES]);
    }

    #[test]
    fn surfaces_seen_from_behind_are_left_out() {
        let corner = |x: f32, y: f32| [2.0 * x, 2.0 * y, 0.0, 2.0];
        let front = [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
        let back = [front[0], front[3], front[2], front[1]];
        assert!(faces_the_right_way(&front, Cull::Back) && !faces_the_right_way(&back, Cull::Back));
        assert!(faces_the_right_way(&back, Cull::Front) && !faces_the_right_way(&front, Cull::Front));
        assert!(faces_the_right_way(&back, Cull::None));
    }
}
