//! Smallest distance between two geoms and the segment that realises it. Reference: `mj_geomDistance`.
//!
//! Pairs of general convex shapes are measured by the convex distance algorithm; every other pair by its collision test with the
//! cutoff as margin, where the segment runs along the contact normal.
//!
//! Whole data: the work space of the narrow phase lives in it.

use condyle_collide::pair::convex_convex::{self, Measured, Separation};
use condyle_math::vec3;
use condyle_model::{GeomType, Model, disable};

use crate::Data;
use crate::collision::CollisionScratch;
use crate::collision::narrow::{self, NarrowScratch};
use crate::collision::shape::{self, Meshes};
use crate::data::Kinematics;

/// Distance of two geoms, at most `cutoff` and negative for overlap, and the segment from the first to the second; a segment of zeros
/// when there is nothing nearer than the cutoff.
pub fn geom_distance(
    model: &Model,
    data: &mut Data,
    geom1: usize,
    geom2: usize,
    cutoff: f64,
) -> (f64, [f64; 6]) {
    measure(model, &data.kinematics, [geom1, geom2], cutoff, &mut data.scratch.collision.narrow)
}

/// Most measurements that are remembered.
const MOST_MEASURED: usize = 32;

/// What was measured between convex geoms for the sensors of one stage: several often look at the same two geoms.
#[derive(Clone, Debug, Default)]
pub struct DistanceMemory {
    measured: Vec<([usize; 2], Measured)>,
}

impl DistanceMemory {
    /// The geoms may have moved. Who computes sensors begins with this, so that nothing has to be done at the end, which a panic in
    /// user code would leave out.
    pub(crate) fn forget(&mut self) {
        self.measured.clear();
    }
}

/// [`geom_distance`] for sensors, after [`DistanceMemory::forget`].
pub(crate) fn sensed_distance(
    model: &Model,
    kinematics: &Kinematics,
    geoms: [usize; 2],
    cutoff: f64,
    scratch: &mut CollisionScratch,
) -> (f64, [f64; 6]) {
    let CollisionScratch { narrow, distances, .. } = scratch;
    let known = distances.measured.iter().filter(|(pair, _)| *pair == geoms);
    if let Some(found) = known.filter_map(|(_, measured)| measured.within(cutoff)).next() {
        return reading(&found);
    }
    let troubles = narrow.ccd.status.troubles;
    let (found, measured) = measure_anew(model, kinematics, geoms, cutoff, narrow);
    // Troubles are counted each time.
    if let Some(measured) = measured
        && narrow.ccd.status.troubles == troubles
        && distances.measured.len() < MOST_MEASURED
    {
        distances.measured.push((geoms, measured));
    }
    found
}

/// [`geom_distance`] with work space of its own.
pub fn measure(
    model: &Model,
    kinematics: &Kinematics,
    geoms: [usize; 2],
    cutoff: f64,
    scratch: &mut NarrowScratch,
) -> (f64, [f64; 6]) {
    measure_anew(model, kinematics, geoms, cutoff, scratch).0
}

/// Distance and segment, and where the convex algorithm found them, what it says of other cutoffs.
fn measure_anew(
    model: &Model,
    kinematics: &Kinematics,
    [geom1, geom2]: [usize; 2],
    cutoff: f64,
    scratch: &mut NarrowScratch,
) -> ((f64, [f64; 6]), Option<Measured>) {
    let flip = model.geom_type[geom1] > model.geom_type[geom2];
    let ordered = if flip { [geom2, geom1] } else { [geom1, geom2] };
    let [Some(type1), Some(type2)] = ordered.map(|geom| model.geom_type(geom)) else {
        return ((cutoff, [0.0; 6]), None);
    };
    if !narrow::has_test(type1, type2) {
        return ((cutoff, [0.0; 6]), None);
    }
    if model.opt.disableflags & disable::NATIVECCD == 0 && is_general_convex(type1, type2) {
        return convex_distance(model, kinematics, [geom1, geom2], cutoff, scratch);
    }
    let points =
        narrow::candidates(&mut Meshes::of(model), kinematics, ordered, [type1, type2], cutoff, scratch);
    let mut nearest = (cutoff, [0.0; 6]);
    for point in points {
        if point.distance < nearest.0 {
            let sign = if flip { -1.0 } else { 1.0 };
            let from = vec3::add_scaled(point.position, point.normal(), -0.5 * sign * point.distance);
            let to = vec3::add_scaled(point.position, point.normal(), 0.5 * sign * point.distance);
            nearest = (point.distance, [from[0], from[1], from[2], to[0], to[1], to[2]]);
        }
    }
    (nearest, None)
}

fn reading(found: &Separation) -> (f64, [f64; 6]) {
    let segment = found.witness.map_or([0.0; 6], |(a, b)| [a[0], a[1], a[2], b[0], b[1], b[2]]);
    (found.distance, segment)
}

/// Whether the reference hands a pair of types, lower number first, to its general convex test.
fn is_general_convex(type1: GeomType, type2: GeomType) -> bool {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Mesh, Sphere};
    match type1 {
        Sphere => matches!(type2, Ellipsoid | Mesh),
        Capsule => matches!(type2, Ellipsoid | Cylinder | Mesh),
        Ellipsoid | Cylinder | Box | Mesh => matches!(type2, Ellipsoid | Cylinder | Box | Mesh),
        _ => false,
    }
}

fn convex_distance(
    model: &Model,
    kinematics: &Kinematics,
    geoms: [usize; 2],
    cutoff: f64,
    scratch: &mut NarrowScratch,
) -> ((f64, [f64; 6]), Option<Measured>) {
    let mut meshes = Meshes::of(model);
    let [mesh1, mesh2] = meshes.of_geoms(geoms);
    let [pose1, pose2] = geoms.map(|geom| narrow::pose(kinematics, geom));
    let first = narrow::convex_geom(model, geoms[0], pose1, mesh1);
    let second = narrow::convex_geom(model, geoms[1], pose2, mesh2);
    let (Some(first), Some(second)) = (first, second) else { return ((cutoff, [0.0; 6]), None) };
    let options = shape::convex_options(model);
    let measured = convex_convex::measure(&first, &second, cutoff, &options, &mut scratch.ccd);
    let found = measured.within(cutoff).as_ref().map_or((cutoff, [0.0; 6]), reading);
    (found, Some(measured))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two geoms on the world body, the second at `x`.
    fn scene(types: [GeomType; 2], x: f64) -> (Model, Data) {
        let mut model = Model { nbody: 1, ngeom: 2, ..Model::default() };
        model.allocate();
        model.body_treeid.fill(-1);
        model.body_mocapid.fill(-1);
        model.geom_dataid.fill(-1);
        model.geom_type.copy_from_slice(&types.map(|kind| kind as i32));
        model.geom_size.fill([0.5, 0.5, 0.5]);
        (model.opt.ccd_iterations, model.opt.ccd_tolerance) = (35, 1e-6);
        let mut data = Data::new(&model);
        data.kinematics.geom_xmat.fill([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        data.kinematics.geom_xpos[1] = [x, 0.0, 0.0];
        (model, data)
    }

    #[test]
    fn the_segment_runs_from_the_first_geom_to_the_second() {
        use GeomType::{Box, Ellipsoid, Sphere};
        for types in [[Sphere, Sphere], [Sphere, Box], [Box, Sphere], [Box, Box], [Ellipsoid, Box]] {
            let (model, mut data) = scene(types, 3.0);
            let (distance, segment) = geom_distance(&model, &mut data, 0, 1, 10.0);
            assert!((distance - 2.0).abs() < 1e-6, "{types:?} {distance}");
            assert!(
                (segment[0] - 0.5).abs() < 1e-6 && (segment[3] - 2.5).abs() < 1e-6,
                "{types:?} {segment:?}"
            );
        }
    }

    #[test]
    fn beyond_the_cutoff_there_is_no_segment() {
        let (model, mut data) = scene([GeomType::Sphere, GeomType::Box], 3.0);
        assert_eq!(geom_distance(&model, &mut data, 0, 1, 1.5), (1.5, [0.0; 6]));
    }

    #[test]
    fn overlapping_geoms_have_a_negative_distance() {
        let (model, mut data) = scene([GeomType::Sphere, GeomType::Sphere], 0.75);
        assert_eq!(geom_distance(&model, &mut data, 0, 1, 1.0).0, -0.25);
    }
}
