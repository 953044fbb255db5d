//! A detected contact with everything the constraint stage needs to know about it.
//!
//! Contacts are sorted and copied, so what only the solver works with stands beside them, in [`Data::cone_hessians`](super::Data).

/// Second derivative of the cost of an elliptic contact in the middle zone of its cone, with respect to its residuals: the rows of a
/// square matrix of the contact's dimension, one after another.
pub type ConeHessian = [f64; 36];

/// Contact between two geoms. The normal is the first row of `frame` and points from the first geom to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Signed distance between the surfaces, m; negative when they overlap.
    pub dist: f64,
    /// Midpoint between the surfaces in the world frame, m.
    pub pos: [f64; 3],
    /// Contact axes in the world frame, as rows: normal, first tangent, second tangent.
    pub frame: [f64; 9],
    /// The contact becomes a constraint when `dist` is below this, m.
    pub includemargin: f64,
    /// Friction coefficients: two tangential, one torsional, two rolling.
    pub friction: [f64; 5],
    /// Reference parameters along the normal.
    pub solref: [f64; 2],
    /// Reference parameters of the friction directions; zeros mean the normal's.
    pub solreffriction: [f64; 2],
    /// Impedance parameters.
    pub solimp: [f64; 5],
    /// Friction of the regularised cone.
    pub mu: f64,
    /// Dimension of the contact space: 1, 3, 4 or 6.
    pub dim: i32,
    /// Same as `geom[0]`.
    pub geom1: i32,
    /// Same as `geom[1]`.
    pub geom2: i32,
    /// Geoms in contact; −1 for a flex.
    pub geom: [i32; 2],
    /// Flexes in contact; −1 for a geom.
    pub flex: [i32; 2],
    /// Flex elements in contact; −1 for a geom or vertex.
    pub elem: [i32; 2],
    /// Flex vertices in contact; −1 for a geom or element.
    pub vert: [i32; 2],
    /// 0: becomes a constraint, 1: inside the gap, 2: bodies fused, 3: nothing can move, 4: passive.
    pub exclude: i32,
    /// First constraint row; −1 when there is none.
    pub efc_address: i32,
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            dist: 0.0,
            pos: [0.0; 3],
            frame: [0.0; 9],
            includemargin: 0.0,
            friction: [0.0; 5],
            solref: [0.0; 2],
            solreffriction: [0.0; 2],
            solimp: [0.0; 5],
            mu: 0.0,
            dim: 0,
            geom1: -1,
            geom2: -1,
            geom: [-1; 2],
            flex: [-1; 2],
            elem: [-1; 2],
            vert: [-1; 2],
            exclude: 0,
            efc_address: -1,
        }
    }
}

impl Contact {
    /// `dim`, or the nearest dimension there is where a program has written another number: rows are walked by it.
    #[inline]
    pub fn dimension(&self) -> usize {
        self.dim.clamp(1, 6) as usize
    }
}
