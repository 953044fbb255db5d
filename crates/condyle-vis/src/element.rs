//! Making one element: shapes of a given size and pose, and shapes that connect two points.

use condyle_math::{Mat3, Vec3, quat, vec3};
use condyle_model::GeomType;

use crate::VisError;
use crate::types::Geom;

/// Rounds to single precision.
pub(crate) fn narrow<const N: usize>(values: &[f64; N]) -> [f32; N] {
    values.map(|value| value as f32)
}

/// Widens to double precision.
pub(crate) fn widen<const N: usize>(values: &[f32; N]) -> [f64; N] {
    values.map(f64::from)
}

impl Geom {
    /// Sets shape, size, pose and colour; what is `None` and everything else but what the element stands for gets its default.
    /// Reference: `mjv_initGeom`.
    pub fn init(
        &mut self,
        shape: i32,
        size: Option<Vec3>,
        position: Option<Vec3>,
        rotation: Option<&Mat3>,
        rgba: Option<[f32; 4]>,
    ) {
        let default = Self::default();
        self.r#type = shape;
        self.size = size.map_or(default.size, |size| scale_of(shape, size));
        self.pos = position.map_or(default.pos, |position| narrow(&position));
        self.mat = rotation.map_or(default.mat, narrow);
        self.rgba = rgba.unwrap_or(default.rgba);
        self.dataid = default.dataid;
        self.matid = default.matid;
        self.texcoord = default.texcoord;
        self.emission = default.emission;
        self.specular = default.specular;
        self.shininess = default.shininess;
        self.reflectance = default.reflectance;
        self.label[0] = 0;
        self.modelrbound = default.modelrbound;
    }

    /// Sets shape, size and pose so that the element goes from one point to another. Reference: `mjv_connector`.
    pub fn connect(&mut self, shape: i32, width: f64, from: Vec3, to: Vec3) -> Result<(), VisError> {
        use GeomType::{Arrow, Arrow1, Arrow2, Capsule, Cylinder, Line};
        match GeomType::from_i32(shape) {
            Some(shape @ (Capsule | Cylinder | Arrow | Arrow1 | Arrow2 | Line)) => {
                self.span(shape, width, from, to);
                Ok(())
            }
            _ => Err(VisError::Connector(shape)),
        }
    }

    /// [`connect`](Self::connect) with a shape that can: capsules and cylinders are centred between the points, the others start at
    /// the first.
    pub(crate) fn span(&mut self, shape: GeomType, width: f64, from: Vec3, to: Vec3) {
        let difference = vec3::sub(to, from);
        let length = vec3::norm(difference) as f32;
        self.r#type = shape as i32;
        self.size = [width as f32, width as f32, length];
        if matches!(shape, GeomType::Capsule | GeomType::Cylinder) {
            self.pos = std::array::from_fn(|axis| (0.5 * (from[axis] + to[axis])) as f32);
            self.size[2] = length * 0.5;
        } else {
            self.pos = narrow(&from);
        }
        self.mat = narrow(&quat::to_mat(&quat::z_to_vec(difference)));
    }

    /// Radius of a sphere about the element that contains it; for arrows only roughly. Reference: `mjv_rbound`.
    pub fn bounding_radius(&self) -> f32 {
        let [x, y, z] = self.size;
        if self.objtype == condyle_model::ObjectType::Geom as i32 {
            return self.modelrbound;
        }
        match self.shape() {
            Some(GeomType::Sphere) => x,
            Some(GeomType::Capsule) => x + z,
            Some(GeomType::Cylinder) => (x * x + z * z).sqrt(),
            Some(GeomType::Box) => (x * x + y * y + z * z).sqrt(),
            _ => {
                let larger = if y > z { y } else { z };
                if x > larger { x } else { larger }
            }
        }
    }
}

/// Scale along the three axes of a shape with the size parameters of a geom.
fn scale_of(shape: i32, size: Vec3) -> [f32; 3] {
    match GeomType::from_i32(shape) {
        Some(GeomType::Sphere) => [size[0] as f32; 3],
        Some(GeomType::Capsule | GeomType::Cylinder) => [size[0] as f32, size[0] as f32, size[1] as f32],
        _ => narrow(&size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capsules_are_centred_between_their_ends_and_arrows_start_at_the_first() {
        let mut geom = Geom::default();
        let (from, to) = ([1.0, 0.0, 0.0], [1.0, 0.0, 4.0]);
        geom.connect(GeomType::Capsule as i32, 0.5, from, to).unwrap();
        assert_eq!((geom.pos, geom.size), ([1.0, 0.0, 2.0], [0.5, 0.5, 2.0]));
        geom.connect(GeomType::Arrow as i32, 0.5, from, to).unwrap();
        assert_eq!((geom.pos, geom.size), ([1.0, 0.0, 0.0], [0.5, 0.5, 4.0]));
        assert_eq!(geom.connect(GeomType::Box as i32, 0.5, from, to), Err(VisError::Connector(6)));
    }
}
