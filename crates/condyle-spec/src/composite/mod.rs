//! Bodies made by one element: a cable, which is a chain of bodies along a curve joined by ball joints.
//!
//! The curve is a list of points, given or sampled from functions of `s` ([`Curve`]). Between two neighbouring points lies one
//! body whose x axis is the edge and whose y axis is carried from edge to edge without twist (a Bishop frame). Neighbours do
//! not collide, both ends have a site, and a cable of boxes is covered by a skin (`skin.rs`). Reference: `user_composite.cc`.

mod curve;
mod skin;
mod subgrid;

pub use curve::{Curve, CurveShape};

use condyle_asset::principal::mul_quat;
use condyle_math::{Quat, quat};
use condyle_model::{GeomType, JointType};

use crate::arena::Id;
use crate::default_class::DefaultClass;
use crate::element::{Body, Exclude, Frame, Geom, Info, Joint, PluginRef, Site, Text};
use crate::spec::Spec;
use curve::MovingFrame;

/// Most points of a cable. The inertia matrix of a chain grows with the square of its length.
pub const MOST_POINTS: usize = 2000;

/// Most vertices of the skin of a cable.
pub const MOST_SKIN_VERTICES: usize = 500_000;

/// How the first body of a cable is joined to its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CableRoot {
    /// It turns about its end.
    #[default]
    Ball,
    /// It moves freely.
    Free,
    /// Not at all: it is fixed.
    Fixed,
}

/// How the skin of a cable of boxes looks.
#[derive(Clone, Debug, PartialEq)]
pub struct CableSkin {
    /// Whether the skin gets texture coordinates.
    pub texcoord: bool,
    /// Name of its material; empty for none.
    pub material: String,
    /// Colour when there is no material, 0 to 1.
    pub rgba: [f32; 4],
    /// Visibility group.
    pub group: i32,
    /// Vertices between two neighbouring bones; 0 for a skin of flat pieces.
    pub subgrid: usize,
}

impl Default for CableSkin {
    fn default() -> Self {
        Self { texcoord: false, material: String::new(), rgba: [1.0; 4], group: 0, subgrid: 0 }
    }
}

/// A cable to be added to a body with [`Spec::add_cable`].
///
/// ```
/// use condyle_spec::{Cable, Curve, CurveShape, Geom, Spec};
///
/// let mut spec = Spec::new();
/// let shape = [CurveShape::Line, CurveShape::Zero, CurveShape::Zero];
/// let curve = Curve { count: 11, size: [1.0, 0.0, 0.0], shape, ..Curve::default() };
/// let geom = Geom { kind: condyle_model::GeomType::Capsule, size: [0.01, 0.0, 0.0], ..Geom::default() };
/// let cable = Cable { points: curve.points(), geom, ..Cable::default() };
/// let bodies = spec.add_cable(spec.world(), &cable).unwrap();
/// assert_eq!(bodies.len(), 10);
/// ```
#[derive(Clone, Debug)]
pub struct Cable {
    /// Before the names of everything that is made.
    pub prefix: String,
    /// Points of the curve, m.
    pub points: Vec<[f32; 3]>,
    /// Added to the first point.
    pub offset: [f64; 3],
    /// How the first body is attached.
    pub root: CableRoot,
    /// Frame of the parent body the cable lies in.
    pub frame: Option<Id<Frame>>,
    /// What all geoms are like: capsules, cylinders or boxes. Their length is that of the edge.
    pub geom: Geom,
    /// What the sites at both ends are like.
    pub site: Site,
    /// What all joints are like.
    pub joint: Joint,
    /// The skin around it.
    pub skin: CableSkin,
    /// Plugin of all bodies.
    pub plugin: PluginRef,
    /// Place and settings of everything that is made.
    pub info: Info,
}

impl Default for Cable {
    fn default() -> Self {
        Self {
            prefix: String::new(),
            points: Vec::new(),
            offset: [0.0; 3],
            root: CableRoot::Ball,
            frame: None,
            geom: Geom::default(),
            site: Site { group: 3, ..Site::default() },
            joint: Joint { group: 3, ..Joint::default() },
            skin: CableSkin::default(),
            plugin: PluginRef::default(),
            info: Info::default(),
        }
    }
}

/// Why a cable cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CableError {
    /// Fewer than two points, more than [`MOST_POINTS`], or three, which the naming of bodies does not allow.
    Points(usize),
    /// A cable of boxes with fewer than four points has no bones for its skin.
    SkinPoints(usize),
    /// The skin would have more than [`MOST_SKIN_VERTICES`] vertices.
    SkinVertices,
    /// The geoms are neither capsules, cylinders nor boxes.
    GeomType,
}

impl std::fmt::Display for CableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Points(count) => write!(f, "a cable has 2 points, or from 4 to {MOST_POINTS}, not {count}"),
            Self::SkinPoints(count) => {
                write!(f, "a cable of boxes needs at least 4 points for its skin, not {count}")
            }
            Self::SkinVertices => write!(f, "the skin would have more than {MOST_SKIN_VERTICES} vertices"),
            Self::GeomType => f.write_str("the geoms of a cable are capsules, cylinders or boxes"),
        }
    }
}

impl std::error::Error for CableError {}

impl Cable {
    /// Whether it can be made.
    fn check(&self) -> Result<(), CableError> {
        let count = self.points.len();
        if !matches!(self.geom.kind, GeomType::Capsule | GeomType::Cylinder | GeomType::Box) {
            return Err(CableError::GeomType);
        }
        if !(2..=MOST_POINTS).contains(&count) || count == 3 {
            return Err(CableError::Points(count));
        }
        if self.geom.kind == GeomType::Box {
            if count < 4 {
                return Err(CableError::SkinPoints(count));
            }
            if skin::vertex_count(count, self.skin.subgrid) > MOST_SKIN_VERTICES {
                return Err(CableError::SkinVertices);
            }
        }
        Ok(())
    }

    /// Name of the body, joint or site of an edge: the ends have names of their own.
    fn name(&self, letter: char, edge: usize) -> String {
        let prefix = &self.prefix;
        if edge == 0 {
            format!("{prefix}{letter}_first")
        } else if edge + 2 >= self.points.len() {
            format!("{prefix}{letter}_last")
        } else {
            format!("{prefix}{letter}_{edge}")
        }
    }

    fn named(&self, name: String, class: Option<Id<DefaultClass>>) -> Info {
        Info { name, class, ..self.info.clone() }
    }
}

impl Spec {
    /// Adds a cable to a body and returns its bodies, each inside the one before.
    ///
    /// Also adds a text `composite_<prefix>`, contact exclusions of neighbours and, for boxes, a skin.
    pub fn add_cable(&mut self, parent: Id<Body>, cable: &Cable) -> Result<Vec<Id<Body>>, CableError> {
        cable.check()?;
        let text = self.add_text();
        let name = format!("composite_{}", cable.prefix);
        self.texts[text] = Text { info: cable.named(name, None), data: format!("rope_{}", cable.prefix) };
        let class = self.bodies[parent].info.class;
        let mut bodies = Vec::with_capacity(cable.points.len() - 1);
        let mut frame = MovingFrame::default();
        let mut previous: (Quat, f64) = (quat::IDENTITY, 0.0);
        let mut inside = parent;
        for edge in 0..cable.points.len() - 1 {
            let (orientation, length) = frame.advance(&cable.points, edge);
            let body = self.add_body(inside);
            let values = &mut self.bodies[body];
            values.info = cable.named(cable.name('B', edge), class);
            if edge == 0 {
                let first = cable.points[0].map(f64::from);
                values.pos = std::array::from_fn(|axis| cable.offset[axis] + first[axis]);
                values.quat = orientation;
                values.frame = cable.frame;
            } else {
                values.pos = [previous.1, 0.0, 0.0];
                values.quat = mul_quat(quat::conjugate(previous.0), orientation);
            }
            values.plugin = cable.plugin.clone();
            self.add_cable_edge(cable, body, edge, length);
            previous = (orientation, frame.next_length());
            bodies.push(body);
            inside = body;
        }
        if cable.geom.kind == GeomType::Box {
            let id = self.add_skin();
            self.skins[id] = skin::make(cable);
        }
        Ok(bodies)
    }

    /// What belongs to one body of a cable: geom, joint, exclusion and site.
    fn add_cable_edge(&mut self, cable: &Cable, body: Id<Body>, edge: usize, length: f64) {
        let class = self.bodies[body].info.class;
        let (first, last) = (edge == 0, edge + 2 == cable.points.len());
        let mut geom = cable.geom.clone();
        geom.info = cable.named(format!("{}G{edge}", cable.prefix), class);
        if geom.kind == GeomType::Box {
            geom.pos = [length / 2.0, 0.0, 0.0];
            geom.size[0] = length / 2.0;
        } else {
            geom.fromto = Some([0.0, 0.0, 0.0, length, 0.0, 0.0]);
        }
        let geom = self.geoms.push(geom);
        self.bodies[body].geoms.push(geom);

        if !first || cable.root != CableRoot::Fixed {
            let mut joint = cable.joint.clone();
            joint.info = cable.named(cable.name('J', edge), class);
            joint.kind = JointType::Ball;
            if first && cable.root == CableRoot::Free {
                joint.kind = JointType::Free;
                (joint.damping, joint.armature, joint.frictionloss) = (0.0, 0.0, 0.0);
            }
            let joint = self.joints.push(joint);
            self.bodies[body].joints.push(joint);
        }
        if !last {
            let exclude = self.add_exclude();
            self.excludes[exclude] = Exclude {
                info: cable.named(String::new(), None),
                bodyname1: cable.name('B', edge),
                bodyname2: cable.name('B', edge + 1),
            };
        }
        if first || last {
            let mut site = cable.site.clone();
            site.info = cable.named(cable.name('S', edge), class);
            site.pos = [if last { length } else { 0.0 }, 0.0, 0.0];
            let site = self.sites.push(site);
            self.bodies[body].sites.push(site);
        }
    }
}

#[cfg(test)]
mod tests;
