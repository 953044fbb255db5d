//! The tactile sensor: pressure and sliding speed at the vertices of a mesh, from the depth of other geoms at them.
//!
//! Every geom in contact with the sensor's body is seen as a signed distance field. Where a vertex lies inside one, the pressure is
//! `depth / (0.05 − depth)` along the vertex normal, and the two speeds are those of the sensor against the geom along the vertex
//! tangents. Output: all pressures, then all first speeds, then all second speeds. Reference: the tactile case of `mj_sensorAcc`.

use condyle_collide::sdf::Field;
use condyle_math::spatial::Kind;
use condyle_math::{MIN_VALUE, Vec3, mat3, quat, scalar, spatial, vec3};
use condyle_model::{GeomType, Model};

use crate::Data;
use crate::collision::field;

/// Depth at which the pressure would be infinite if depths were positive.
const DEEPEST: f64 = 0.05;
/// Values per vertex: a pressure and two speeds.
const CHANNELS: usize = 3;

/// Compute a tactile sensor.
pub(super) fn compute(model: &Model, data: &Data, sensor: usize, reading: &mut [f64]) {
    reading.fill(0.0);
    let (Some(mesh), Some(geom)) = (model.sensor_objid(sensor), model.sensor_refid(sensor)) else {
        return;
    };
    let skin = Skin { model, data, mesh, geom, weld: weld_of(model, geom) };
    for index in 0..data.contacts.len() {
        for side in [1, 0] {
            if let Some(other) = skin.new_partner(index, side) {
                skin.feel(other, reading);
            }
        }
    }
}

/// The moving body, as one with everything welded to it, that carries a geom.
fn weld_of(model: &Model, geom: usize) -> usize {
    model.body_weldid[model.geom_bodyid[geom] as usize] as usize
}

/// The mesh whose vertices feel.
struct Skin<'a> {
    model: &'a Model,
    data: &'a Data,
    mesh: usize,
    geom: usize,
    /// Body of the sensor's geom with everything welded to it.
    weld: usize,
}

impl Skin<'_> {
    /// The geom on side `side` of a contact whose other side belongs to the sensor's body.
    fn partner(&self, contact: usize, side: usize) -> Option<usize> {
        let geoms = self.data.contacts[contact].geom;
        let own = usize::try_from(geoms[1 - side]).ok()?;
        let other = usize::try_from(geoms[side]).ok()?;
        (weld_of(self.model, own) == self.weld).then_some(other)
    }

    /// As [`Self::partner`], if no earlier contact had the same one.
    fn new_partner(&self, contact: usize, side: usize) -> Option<usize> {
        let other = self.partner(contact, side)?;
        let seen = (0..contact).any(|i| [1, 0].into_iter().any(|side| self.partner(i, side) == Some(other)));
        let seen = seen || (side == 0 && self.partner(contact, 1) == Some(other));
        (!seen).then_some(other)
    }

    /// Write what the vertices inside geom `other` feel.
    fn feel(&self, other: usize, reading: &mut [f64]) {
        let (model, k) = (self.model, &self.data.kinematics);
        let Some(shape) = OtherShape::new(model, other) else { return };
        let count = model.mesh_vertnum[self.mesh].max(0) as usize;
        let first_vertex = model.mesh_vertadr[self.mesh].max(0) as usize;
        let first_normal = model.mesh_normaladr[self.mesh].max(0) as usize;
        for vertex in 0..count {
            let Some(local) = model.mesh_vert.get(first_vertex + vertex) else { return };
            let normals = first_normal + CHANNELS * vertex;
            let Some(axes) = model.mesh_normal.get(normals..normals + CHANNELS) else { return };
            let point =
                vec3::add(mat3::mul_vec(&k.geom_xmat[self.geom], to_f64(local)), k.geom_xpos[self.geom]);
            let in_other =
                mat3::mul_vec_transposed(&k.geom_xmat[other], vec3::sub(point, k.geom_xpos[other]));
            let depth = scalar::min(shape.distance(model, in_other), 0.0);
            if depth == 0.0 {
                continue;
            }
            let slip = self.slip(point, other);
            let frame = model.mesh_quat[self.mesh];
            let axis = |i: usize| quat::rotate_or_zero(to_f64(&axes[i]), frame);
            let pressure = depth / scalar::max(DEEPEST - depth, MIN_VALUE);
            let values = [
                vec3::dot(vec3::scale(axis(0), pressure), axis(0)),
                vec3::dot(slip, axis(1)).abs(),
                vec3::dot(slip, axis(2)).abs(),
            ];
            for (channel, value) in values.into_iter().enumerate() {
                if let Some(target) = reading.get_mut(channel * count + vertex) {
                    // A negative zero is never shown.
                    *target = 0.0 + value;
                }
            }
        }
    }

    /// Velocity of the sensor at a world point against the centre of geom `other`.
    fn slip(&self, point: Vec3, other: usize) -> Vec3 {
        let (model, k) = (self.model, &self.data.kinematics);
        let velocity = |body: usize, at: Vec3| {
            let center = k.subtree_com[model.body_rootid[body] as usize];
            let motion = &self.data.velocity.cvel[body];
            spatial::translational(&spatial::transform(motion, Kind::Motion, at, center, None))
        };
        let body = model.geom_bodyid[other] as usize;
        vec3::sub(velocity(self.weld, point), velocity(body, k.geom_xpos[other]))
    }
}

/// A geom that is felt.
struct OtherShape<'a> {
    field: Field<'a>,
    /// Mesh whose original frame the field is given in; `None` if that is the geom's.
    original: Option<usize>,
}

impl<'a> OtherShape<'a> {
    /// `None` for geoms without a distance field.
    fn new(model: &'a Model, geom: usize) -> Option<Self> {
        Some(match model.geom_type(geom)? {
            GeomType::Sdf => {
                let original = model.geom_plugin(geom).and_then(|_| model.geom_dataid(geom));
                Self { field: field::of_sdf_geom(model, geom)?, original }
            }
            GeomType::Mesh => {
                let octree = field::octree(model, model.geom_dataid(geom)?)?;
                Self { field: Field::Octree(octree), original: None }
            }
            _ => Self { field: field::of_primitive(model, geom)?, original: None },
        })
    }

    /// Signed distance of a point in the geom's frame.
    fn distance(&self, model: &Model, point: Vec3) -> f64 {
        let point = match self.original {
            Some(mesh) => {
                let axes = quat::to_mat(&model.mesh_quat[mesh]);
                vec3::add(mat3::mul_vec(&axes, point), model.mesh_pos[mesh])
            }
            None => point,
        };
        self.field.distance(point)
    }
}

fn to_f64(v: &[f32; 3]) -> Vec3 {
    v.map(f64::from)
}
