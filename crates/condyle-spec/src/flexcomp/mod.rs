//! A deformable body made by one element: points with elements between them, bodies at the points, and a flex over the bodies.
//!
//! A [`Flexcomp`] gets its points from a grid (`grid.rs`), from the surface of a box or another solid (`shell.rs`), from a file
//! (`file.rs`) or directly. Each free point becomes a body on sliding joints, pinned ones belong to the parent (`bodies.rs`). With
//! interpolation the points belong to the parent and the bodies are the 8 or 27 nodes of a box around them. Reference:
//! `user_flexcomp.cc`.

mod bodies;
mod file;
mod grid;
mod pin;
mod problem;
mod shell;

pub use pin::Pins;
pub use problem::{FlexcompProblem, ProblemKind};

use condyle_math::{MIN_VALUE, quat};
use condyle_model::EqualityType;

use crate::arena::Id;
use crate::compile::pose::resolve_orientation;
use crate::compile::{AssetSource, MAX_BODIES};
use crate::element::{Body, Equality, Flex, Info, PluginRef};
use crate::orientation::Orientation;
use crate::spec::Spec;

/// Most points of all flexes of a model together.
pub const MOST_POINTS: usize = 200_000;

/// Most elements of all flexes of a model together.
pub const MOST_ELEMENTS: usize = 1_200_000;

/// Where points and elements come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlexcompType {
    /// A row, a rectangle or a block of points.
    #[default]
    Grid,
    /// Surface of a box; a solid has a point in the middle.
    Box,
    /// The surface of a cylinder.
    Cylinder,
    /// The surface of an ellipsoid.
    Ellipsoid,
    /// A rectangle.
    Square,
    /// A rectangle pressed into an ellipse.
    Disc,
    /// A closed row.
    Circle,
    /// An STL or OBJ file.
    Mesh,
    /// A Gmsh file.
    Gmsh,
    /// Given with the flexcomp itself.
    Direct,
}

impl FlexcompType {
    /// The value of a number; `None` for a number without meaning.
    pub fn from_i32(value: i32) -> Option<Self> {
        use FlexcompType::*;
        [Grid, Box, Cylinder, Ellipsoid, Square, Disc, Circle, Mesh, Gmsh, Direct]
            .get(usize::try_from(value).ok()?)
            .copied()
    }

    /// Whether points and elements are given rather than made.
    fn is_given(self) -> bool {
        matches!(self, Self::Mesh | Self::Gmsh | Self::Direct)
    }

    fn is_shell(self) -> bool {
        matches!(self, Self::Box | Self::Cylinder | Self::Ellipsoid)
    }
}

/// How the points move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlexcompDof {
    /// Each in three directions.
    #[default]
    Full,
    /// Each along the line from the origin; the first one stays.
    Radial,
    /// With the corners of the bounding box.
    Trilinear,
    /// With the corners, edges, faces and middle of the bounding box.
    Quadratic,
}

impl FlexcompDof {
    /// The value of a number; `None` for a number without meaning.
    pub fn from_i32(value: i32) -> Option<Self> {
        use FlexcompDof::*;
        [Full, Radial, Trilinear, Quadratic].get(usize::try_from(value).ok()?).copied()
    }

    /// Order of interpolation, if points are interpolated.
    fn order(self) -> Option<usize> {
        match self {
            Self::Full | Self::Radial => None,
            Self::Trilinear => Some(1),
            Self::Quadratic => Some(2),
        }
    }

    /// Number of interpolation nodes.
    fn nodes(self) -> usize {
        self.order().map_or(0, |order| (order + 1) * (order + 1) * (order + 1))
    }
}

/// A deformable body to be added to a body with [`Spec::add_flexcomp`].
///
/// ```
/// use condyle_spec::{FileSystem, Flexcomp, Spec};
///
/// let mut spec = Spec::new();
/// let cloth = Flexcomp { name: "cloth".to_owned(), count: [4, 3, 1], ..Flexcomp::default() };
/// let parts = spec.add_flexcomp(spec.world(), &cloth, &FileSystem).unwrap();
/// assert_eq!(parts.bodies.len(), 12);
/// assert_eq!(spec.flexes[parts.flex].elem.len(), 3 * 12);
/// ```
#[derive(Clone, Debug)]
pub struct Flexcomp {
    /// Name of the flex, and before the names of its bodies.
    pub name: String,
    /// Where the points come from.
    pub kind: FlexcompType,
    /// How the points move.
    pub dof: FlexcompDof,
    /// Points along each axis.
    pub count: [i32; 3],
    /// Distance of points along each axis.
    pub spacing: [f64; 3],
    /// Scale of given points.
    pub scale: [f64; 3],
    /// Point that makes a solid of a closed mesh.
    pub origin: [f64; 3],
    /// Mass of all bodies together.
    pub mass: f64,
    /// Half size of the cube that has the inertia of a body.
    pub inertiabox: f64,
    /// File of a mesh or of Gmsh.
    pub file: String,
    /// Position in the body frame, m.
    pub pos: [f64; 3],
    /// Orientation, used as it is: it is not normalised.
    pub quat: [f64; 4],
    /// Orientation, where it is not given as a quaternion.
    pub alt: Option<Orientation>,
    /// Whether all points belong to the parent.
    pub rigid: bool,
    /// Points, three numbers each, m.
    pub points: Vec<f64>,
    /// Points of the elements, from 0.
    pub elements: Vec<i32>,
    /// Texture coordinates, two numbers each.
    pub texcoords: Vec<f32>,
    /// Points that do not move.
    pub pins: Pins,
    /// Everything else about the flex: dimension, radius, contact, elasticity and looks.
    pub flex: Flex,
    /// Constraint that keeps edges or vertices in place: kind and softness.
    pub equality: Option<Equality>,
    /// Plugin of all bodies.
    pub plugin: PluginRef,
    /// Place and settings of everything that is made.
    pub info: Info,
}

impl Default for Flexcomp {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: FlexcompType::Grid,
            dof: FlexcompDof::Full,
            count: [10; 3],
            spacing: [0.02; 3],
            scale: [1.0; 3],
            origin: [0.0; 3],
            mass: 1.0,
            inertiabox: 0.005,
            file: String::new(),
            pos: [0.0; 3],
            quat: quat::IDENTITY,
            alt: None,
            rigid: false,
            points: Vec::new(),
            elements: Vec::new(),
            texcoords: Vec::new(),
            pins: Pins::default(),
            flex: Flex::default(),
            equality: None,
            plugin: PluginRef::default(),
            info: Info::default(),
        }
    }
}

/// What was made of a [`Flexcomp`].
#[derive(Clone, Debug)]
pub struct FlexcompParts {
    /// The flex.
    pub flex: Id<Flex>,
    /// The bodies that were made.
    pub bodies: Vec<Id<Body>>,
}

/// Points with the elements between them.
#[derive(Clone, Debug, Default)]
struct Shape {
    dim: usize,
    points: Vec<[f64; 3]>,
    elements: Vec<i32>,
    texcoords: Vec<f32>,
    element_texcoords: Vec<i32>,
}

impl Spec {
    /// Adds a deformable body to a body: a flex, the bodies it moves with and, if asked for, an equality constraint.
    ///
    /// Files are read from `source`. On problems nothing is added; all that are independent of each other are returned.
    pub fn add_flexcomp(
        &mut self,
        parent: Id<Body>,
        flexcomp: &Flexcomp,
        source: &dyn AssetSource,
    ) -> Result<FlexcompParts, Vec<FlexcompProblem>> {
        let mut problems = flexcomp.check();
        if self.bodies[parent].info.name.is_empty() {
            let message = "the body around a flexcomp must have a name";
            problems.push(FlexcompProblem::value(
                "",
                message,
                "add name=\"…\" to the body, or put a named body around it",
            ));
        }
        let orientation = match &flexcomp.alt {
            None => flexcomp.quat,
            Some(alt) => {
                resolve_orientation(alt, self.compiler_of(flexcomp.info.origin)).unwrap_or_else(|message| {
                    problems.push(FlexcompProblem::value("", message, "give axes that are not zero"));
                    quat::IDENTITY
                })
            }
        };
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut shape = flexcomp.shape(self, source).map_err(|problem| vec![problem])?;
        problems.extend(flexcomp.pins.check_sizes(flexcomp, shape.dim));
        problems.extend(shape.check(flexcomp.kind));
        if !problems.is_empty() {
            return Err(problems);
        }
        shape.place(flexcomp, orientation);
        let layout = pin::Layout::new(flexcomp, &mut shape).map_err(|problem| vec![problem])?;
        self.check_flex_room(&layout, &shape).map_err(|problem| vec![problem])?;
        Ok(self.add_flex_and_bodies(parent, flexcomp, shape, layout))
    }

    /// Points of all flexes.
    fn flex_points(&self) -> usize {
        self.flexes.values().map(|flex| flex.vertbody.len().max(flex.vert.len() / 3)).sum()
    }

    /// Whether points, elements and bodies stay below their limits.
    fn check_flex_room(&self, layout: &pin::Layout, shape: &Shape) -> Result<(), FlexcompProblem> {
        let total = shape.points.len() + self.flex_points();
        let elements =
            |flex: &Flex| flex.elem.len() / (usize::try_from(flex.dim).unwrap_or(1).clamp(1, 3) + 1);
        let total_elements =
            shape.elements.len() / (shape.dim + 1) + self.flexes.values().map(elements).sum::<usize>();
        if total > MOST_POINTS || total_elements > MOST_ELEMENTS {
            return Err(FlexcompProblem::too_large(
                "",
                format!(
                    "the model grows beyond {MOST_POINTS} points or {MOST_ELEMENTS} elements of flexes here"
                ),
            ));
        }
        let bodies = self.bodies.len() + self.flexes.len() + layout.free_bodies();
        if bodies >= MAX_BODIES {
            return Err(FlexcompProblem::too_large(
                "",
                format!("the model grows beyond {} bodies and flexes here", MAX_BODIES - 1),
            ));
        }
        Ok(())
    }
}

impl Flexcomp {
    /// What can be said before points are made.
    fn check(&self) -> Vec<FlexcompProblem> {
        let mut problems = Vec::new();
        let mut problem = |attribute, message: String, help: &str| {
            problems.push(FlexcompProblem::value(attribute, message, help));
        };
        let dim = self.flex.dim;
        if !(1..=3).contains(&dim) {
            problem("dim", format!("dim is {dim}"), "1 is a rope, 2 a cloth, 3 a solid");
        }
        // A shell with one layer has no opposite side.
        let two = (self.dof == FlexcompDof::Radial && dim == 3) || self.kind.is_shell();
        let least = if two { 2 } else { 1 };
        if self.count.iter().any(|&count| count < least) {
            problem("count", "count is too small".into(), &format!("each must be at least {least}"));
        }
        let least = 2.0 * self.flex.radius + self.flex.margin;
        if !self.kind.is_given() && self.spacing.iter().any(|&distance| distance < least) {
            let help = format!("spacing must be at least 2 radius + margin, here {least}");
            problem("spacing", "spacing must be larger than the size of the vertices".into(), &help);
        }
        if self.scale.iter().any(|&scale| scale < MIN_VALUE) {
            problem("scale", "scale must be positive".into(), "leave it out for no scaling");
        }
        for (name, value) in [("mass", self.mass), ("inertiabox", self.inertiabox)] {
            if value < MIN_VALUE {
                problem(name, format!("{name} must be positive"), "leave it out for its default");
            }
        }
        let by_constraint = self.equality.is_some();
        if self.flex.elastic2d >= 2 && by_constraint {
            problem(
                "elastic2d",
                "elasticity and an equality constraint of the edges cannot both be given".into(),
                "delete one of the two",
            );
        }
        if matches!(self.kind, FlexcompType::Mesh | FlexcompType::Gmsh) && self.file.is_empty() {
            problem("file", "a file is required for this type".into(), "add file=\"…\"");
        }
        if self.kind == FlexcompType::Mesh && dim < 2 {
            problem("dim", "dim must be at least 2 for a mesh".into(), "use dim=\"2\" for its surface");
        }
        problems
    }

    /// The points and elements, before scale and pose.
    fn shape(&self, spec: &Spec, source: &dyn AssetSource) -> Result<Shape, FlexcompProblem> {
        match self.kind {
            FlexcompType::Mesh | FlexcompType::Gmsh => self.shape_from_file(spec, source),
            FlexcompType::Direct => self.given(self.dim()),
            kind if kind.is_shell() => self.shell(MOST_POINTS.saturating_sub(spec.flex_points())),
            _ => self.grid(MOST_POINTS.saturating_sub(spec.flex_points())),
        }
    }

    /// Points and elements as they are given; what is made or read comes after them.
    fn given(&self, dim: usize) -> Result<Shape, FlexcompProblem> {
        if !self.points.len().is_multiple_of(3) {
            let message = format!("point has {} numbers, not a multiple of 3", self.points.len());
            return Err(FlexcompProblem::value("point", message, "give x, y and z of every point"));
        }
        Ok(Shape {
            dim,
            points: self.points.as_chunks::<3>().0.to_vec(),
            elements: self.elements.clone(),
            texcoords: self.texcoords.clone(),
            element_texcoords: Vec::new(),
        })
    }

    /// Dimension, once it was checked.
    fn dim(&self) -> usize {
        usize::try_from(self.flex.dim).unwrap_or(1).clamp(1, 3)
    }

    /// Counts, once they were checked.
    fn counts(&self) -> [usize; 3] {
        self.count.map(|count| usize::try_from(count).unwrap_or(1).max(1))
    }

    /// Whether texture coordinates are to be made.
    fn needs_texcoords(&self) -> bool {
        self.texcoords.is_empty() && !self.flex.material.is_empty()
    }

    /// Refuses to make more points than there is room for.
    fn check_count(&self, points: usize, room: usize) -> Result<(), FlexcompProblem> {
        if points <= room {
            return Ok(());
        }
        let message = format!("with {points} points here, flexes would have more than {MOST_POINTS} in all");
        Err(FlexcompProblem::too_large("count", message))
    }
}

impl Shape {
    /// Whether elements refer to points that exist.
    fn check(&self, kind: FlexcompType) -> Option<FlexcompProblem> {
        if self.points.is_empty() || self.elements.is_empty() {
            return Some(FlexcompProblem::value(
                "type",
                "point and element are required",
                "give the vertices and their simplices",
            ));
        }
        if !self.elements.len().is_multiple_of(self.dim + 1) {
            let message = format!("element has {} numbers, not a multiple of dim + 1", self.elements.len());
            return Some(FlexcompProblem::value(
                "element",
                message,
                "an element has one vertex more than dim",
            ));
        }
        let count = self.points.len();
        let exists = |&index: &i32| usize::try_from(index).is_ok_and(|index| index < count);
        let bad = self.elements.iter().find(|index| !exists(index))?;
        let message = format!("element refers to point {bad}, but there are {count}");
        Some(match kind {
            FlexcompType::Mesh | FlexcompType::Gmsh => {
                FlexcompProblem::file(message, "the file is incomplete or damaged; export it again")
            }
            FlexcompType::Direct => FlexcompProblem::value("element", message, "points are counted from 0"),
            _ => FlexcompProblem::value("count", message, "a flat grid has a third count of 1"),
        })
    }

    /// Scales points that were given and moves all to their place in the parent.
    fn place(&mut self, flexcomp: &Flexcomp, orientation: [f64; 4]) {
        let scaled = flexcomp.kind.is_given() && flexcomp.scale != [1.0; 3];
        for point in &mut self.points {
            if scaled {
                *point = std::array::from_fn(|axis| point[axis] * flexcomp.scale[axis]);
            }
            let turned = quat::rotate_or_zero(*point, orientation);
            *point = std::array::from_fn(|axis| turned[axis] + flexcomp.pos[axis]);
        }
    }

    /// Lowest and highest coordinates.
    fn bounds(&self) -> [[f64; 3]; 2] {
        let mut bounds = [[1e10; 3], [-1e10; 3]];
        for point in &self.points {
            for axis in 0..3 {
                if point[axis] < bounds[0][axis] {
                    bounds[0][axis] = point[axis];
                }
                if point[axis] > bounds[1][axis] {
                    bounds[1][axis] = point[axis];
                }
            }
        }
        bounds
    }
}

/// The constraint of a flexcomp: of its edges, or of its vertices.
pub fn flexcomp_equality(of_vertices: bool) -> Equality {
    let kind = if of_vertices { EqualityType::FlexVert } else { EqualityType::Flex };
    Equality { kind, ..Equality::default() }
}

#[cfg(test)]
mod tests;
