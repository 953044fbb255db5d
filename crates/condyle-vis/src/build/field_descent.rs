//! The way of the search for contacts between distance fields: its first and last point as blue and red spheres, and lines between neighbours.

use condyle_engine::query::FieldDescents;
use condyle_math::{Vec3, mat3, quat, vec3};
use condyle_model::{GeomType, ObjectType};

use super::Builder;

/// Radius of the spheres, in mean sizes of the model.
const RADIUS: f64 = 0.2;
/// Width of the lines, pixels.
const LINE_WIDTH: f64 = 2.0;
/// Share of the distance between two points that a line covers.
const COVERED: f64 = 0.95;

/// Appends the descents of one plugin instance. Reference: the `visualize` functions of MuJoCo's distance fields.
pub(super) fn add(b: &mut Builder<'_>, instance: usize, descents: &FieldDescents) -> Option<()> {
    let geom = (0..b.model.ngeom).find(|geom| b.model.geom_plugin(*geom) == Some(instance)).unwrap_or(0);
    if b.model.ngeom == 0 {
        return Some(());
    }
    // The points are placed as if they were in the frame of the body, which the pose of the geom is taken back to.
    let own = quat::to_mat(&b.model.geom_quat[geom]);
    let axes = b.data.kinematics.geom_xmat[geom];
    let rotation = mat3::mul_transposed_right(&axes, &own);
    let back = mat3::mul_vec(&rotation, b.model.geom_pos[geom]);
    let offset = vec3::sub(b.data.kinematics.geom_xpos[geom], back);
    let place = |point: Vec3| vec3::add(mat3::mul_vec(&rotation, point), offset);
    let radius = RADIUS * b.model.stat.meansize;

    for (index, points) in descents.iter().enumerate() {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
        for (point, rgba) in [(first, [0.0, 0.0, 1.0, 1.0]), (last, [1.0, 0.0, 0.0, 1.0])] {
            let mut geom = b.decor(index, ObjectType::Unknown)?;
            geom.init(
                GeomType::Sphere as i32,
                Some([radius; 3]),
                Some(place(*point)),
                Some(&axes),
                Some(rgba),
            );
            b.push(geom);
        }
        let steps = (points.len() - 1) as f64;
        for (step, ends) in points.windows(2).enumerate() {
            let (from, to) = (place(ends[0]), place(ends[1]));
            let end = std::array::from_fn(|axis| from[axis] + COVERED * (to[axis] - from[axis]));
            let mut geom = b.decor(index, ObjectType::Unknown)?;
            geom.span(GeomType::Line, LINE_WIDTH, from, end);
            let share = (step as f64 + 1.0) / steps;
            geom.rgba = [share as f32, 0.0, (1.0 - share) as f32, 1.0];
            b.push(geom);
        }
    }
    Some(())
}
