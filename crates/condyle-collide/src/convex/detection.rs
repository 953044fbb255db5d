//! Convex collision detection of one pair: GJK, then EPA if the sets overlap, then further contacts if asked for.
//!
//! A sphere or capsule is first shrunk to its core: as long as the cores are apart, the contact is GJK's exact answer pushed out by
//! the radii. Only overlapping cores need the full shapes and EPA.

use condyle_math::{Vec3, vec3};

use super::multicontact::{self, ContactFeatures};
use super::polytope::Polytope;
use super::support::Vertex;
use super::{ConvexObject, Element, epa, gjk, seed};
use crate::MAX_CONTACTS_PER_PAIR;

/// What to compute and how precisely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CcdConfig {
    /// Most iterations of GJK and of EPA.
    pub max_iterations: i32,
    /// Tolerance of GJK and EPA, a length.
    pub tolerance: f64,
    /// Most contacts to recover; zero to find out only whether the objects overlap.
    pub max_contacts: usize,
    /// Largest distance of interest; zero or less if only overlap matters.
    pub distance_cutoff: f64,
}

/// How the start of the expanding polytope went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EpaOutcome {
    /// It was not needed.
    #[default]
    NotRun,
    /// The polytope was built.
    Success,
    /// The polytope around a segment is not convex.
    SegmentNotConvex,
    /// The triangle has no area.
    TriangleBadNormal,
    /// The support point in front of the triangle lies on it.
    TriangleFrontInvalid,
    /// The support point behind the triangle lies on it.
    TriangleBackInvalid,
    /// A face of the polytope over a triangle passes through the origin.
    TriangleOriginOnFace,
    /// The tetrahedron does not contain the origin.
    TetrahedronMissesOrigin,
}

/// How often the depth of a penetration could not be found to the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Troubles {
    /// The origin lay on a face of the polytope.
    pub origin_on_face: i32,
    /// The polytope had more faces than are allowed.
    pub out_of_faces: i32,
}

/// Result of one detection.
#[derive(Clone, Debug)]
pub struct CcdStatus {
    /// Distance between the objects: negative for penetration, `f64::MAX` if beyond the cutoff.
    pub distance: f64,
    /// Witness points on the first object.
    pub witness1: [Vec3; MAX_CONTACTS_PER_PAIR],
    /// Witness points on the second object.
    pub witness2: [Vec3; MAX_CONTACTS_PER_PAIR],
    /// How many witness points are valid.
    pub witness_count: usize,
    /// Iterations of GJK.
    pub gjk_iterations: i32,
    /// Iterations of EPA.
    pub epa_iterations: i32,
    /// Whether EPA could start.
    pub epa_outcome: EpaOutcome,
    /// Largest square of a distance that GJK compared with the cutoff: with any other cutoff it would have gone the same way up to where
    /// this is beyond the square of that. No number where the cutoff was compared with something else.
    pub bound_squared: f64,
    /// What went wrong since somebody last took this.
    pub troubles: Troubles,
    pub(crate) simplex: [Vertex; 4],
    pub(crate) simplex_count: usize,
}

impl Default for CcdStatus {
    fn default() -> Self {
        Self {
            distance: 0.0,
            witness1: [[0.0; 3]; MAX_CONTACTS_PER_PAIR],
            witness2: [[0.0; 3]; MAX_CONTACTS_PER_PAIR],
            witness_count: 0,
            gjk_iterations: 0,
            epa_iterations: 0,
            epa_outcome: EpaOutcome::NotRun,
            bound_squared: f64::NAN,
            troubles: Troubles::default(),
            simplex: [Vertex::default(); 4],
            simplex_count: 0,
        }
    }
}

impl CcdStatus {
    /// Record that the objects are farther apart than anyone asked for.
    pub(crate) fn set_apart(&mut self, iteration: i32) {
        self.gjk_iterations = iteration;
        self.simplex_count = 0;
        self.witness_count = 0;
        self.distance = f64::MAX;
    }

    /// Whether GJK ended with overlapping objects, whose depth is to be found.
    pub(crate) fn is_overlap(&self, config: &CcdConfig) -> bool {
        self.distance <= config.tolerance && self.simplex_count > 1
    }

    fn start_at_centers(&mut self, first: &ConvexObject, second: &ConvexObject) {
        self.witness1[0] = first.center();
        self.witness2[0] = second.center();
        self.gjk_iterations = 0;
    }

    /// Push the witness points outward by the radii around the cores.
    fn inflate(&mut self, radius1: f64, radius2: f64) {
        let normal = vec3::normalize(vec3::sub(self.witness2[0], self.witness1[0])).0;
        if radius1 != 0.0 {
            self.witness1[0] = vec3::add_scaled(self.witness1[0], normal, radius1);
        }
        if radius2 != 0.0 {
            self.witness2[0] = vec3::sub(self.witness2[0], vec3::scale(normal, radius2));
        }
        self.distance -= radius1 + radius2;
    }
}

/// Result and working memory of the convex algorithms, to be kept between calls.
#[derive(Clone, Debug, Default)]
pub struct CcdScratch {
    /// Result of the latest call.
    pub status: CcdStatus,
    polytope: Polytope,
    features: ContactFeatures,
}

/// Whether two elements, each inflated by half of `margin`, are apart as [`detect`] would find them, which it need not be asked then.
/// Nearly all pairs that a deformable body has with itself end here.
pub fn elements_apart(
    config: &CcdConfig,
    scratch: &mut CcdScratch,
    first: &Element,
    second: &Element,
    margin: f64,
) -> bool {
    gjk::elements_apart(config, &mut scratch.status, first, second, margin)
}

/// Distance between two convex objects; details in `scratch.status`.
pub fn detect(
    config: &CcdConfig,
    scratch: &mut CcdScratch,
    first: &mut ConvexObject,
    second: &mut ConvexObject,
) -> f64 {
    let status = &mut scratch.status;
    status.epa_iterations = 0;
    status.epa_outcome = EpaOutcome::NotRun;
    status.start_at_centers(first, second);

    let has_core = first.core_radius().is_some() || second.core_radius().is_some();
    status.bound_squared = if has_core { f64::NAN } else { 0.0 };
    if has_core {
        if detect_cores(config, status, first, second) {
            return status.distance;
        }
        status.start_at_centers(first, second);
    }
    gjk::closest_points(config, status, &mut (&mut *first, &mut *second));
    if config.max_contacts == 0 {
        return status.distance;
    }

    if status.is_overlap(config) {
        status.distance = 0.0;
        let polytope = &mut scratch.polytope;
        status.epa_outcome = seed::build(polytope, status, first, second);
        if status.epa_outcome == EpaOutcome::Success {
            let face = epa::expand(config, status, polytope, first, second);
            if let Some(face) = face
                && config.max_contacts > 1
            {
                multicontact::recover(config, status, polytope, face, &mut scratch.features, first, second);
            }
        }
    }
    scratch.status.distance
}

/// GJK between the cores; true if that settles the matter.
fn detect_cores(
    config: &CcdConfig,
    status: &mut CcdStatus,
    first: &mut ConvexObject,
    second: &mut ConvexObject,
) -> bool {
    let margins = (first.margin, second.margin);
    let radius1 = shrink(first);
    let radius2 = shrink(second);
    let cutoff = config.distance_cutoff + (radius1 + radius2);
    let config_of_cores = CcdConfig { distance_cutoff: cutoff, ..*config };
    gjk::closest_points(&config_of_cores, status, &mut (&mut *first, &mut *second));
    (first.use_core, second.use_core) = (false, false);
    (first.margin, second.margin) = margins;

    if status.distance > config.tolerance {
        status.inflate(radius1, radius2);
        if status.distance > config.distance_cutoff {
            status.distance = f64::MAX;
        }
        return true;
    }
    if config.max_contacts == 0 {
        status.witness_count = 0;
        status.distance = 0.0;
        return true;
    }
    false
}

/// Reduce a sphere or capsule to its core and return what was taken away: the radius and half of the margin.
fn shrink(object: &mut ConvexObject) -> f64 {
    match object.core_radius() {
        Some(radius) => {
            let full = radius + 0.5 * object.margin;
            object.use_core = true;
            object.margin = 0.0;
            full
        }
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use crate::convex::ConvexShape;

    fn capacities(scratch: &CcdScratch) -> [usize; 4] {
        let polytope = &scratch.polytope;
        [
            polytope.vertices.capacity(),
            polytope.faces.capacity(),
            polytope.candidates.capacity(),
            polytope.horizon.capacity(),
        ]
    }

    #[test]
    fn memory_is_reused_after_the_first_detection() {
        let config = CcdConfig { max_iterations: 35, tolerance: 1e-6, max_contacts: 4, distance_cutoff: 0.0 };
        let mut scratch = CcdScratch::default();
        let mut run = || {
            for step in 0..50 {
                let offset = 0.01 * f64::from(step);
                let moved = Pose { position: [offset, 0.3, 0.1], ..Pose::IDENTITY };
                let mut first =
                    ConvexObject::new(ConvexShape::Ellipsoid([0.5, 0.6, 0.7]), Pose::IDENTITY, 0.0);
                let mut second = ConvexObject::new(ConvexShape::Cylinder([0.5, 0.6, 0.0]), moved, 0.0);
                assert!(detect(&config, &mut scratch, &mut first, &mut second) < 0.0);
                let mut box1 = ConvexObject::new(ConvexShape::Box([0.5; 3]), Pose::IDENTITY, 0.0);
                let mut box2 = ConvexObject::new(ConvexShape::Box([0.5; 3]), moved, 0.0);
                detect(&config, &mut scratch, &mut box1, &mut box2);
            }
            capacities(&scratch)
        };
        let warm = run();
        assert!(warm.iter().all(|&capacity| capacity > 0));
        assert_eq!(run(), warm);
    }

    #[test]
    fn overlap_alone_needs_no_witness() {
        let config = CcdConfig { max_iterations: 35, tolerance: 1e-6, max_contacts: 0, distance_cutoff: 0.0 };
        let mut scratch = CcdScratch::default();
        let at = |x: f64| Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY };
        let mut sphere = ConvexObject::new(ConvexShape::Sphere([0.5, 0.0, 0.0]), at(0.0), 0.0);
        let mut cylinder = ConvexObject::new(ConvexShape::Cylinder([0.5, 0.5, 0.0]), at(0.1), 0.0);
        assert_eq!(detect(&config, &mut scratch, &mut sphere, &mut cylinder), 0.0);
        cylinder.pose = at(1.1);
        assert_eq!(detect(&config, &mut scratch, &mut sphere, &mut cylinder), f64::MAX);
    }
}
