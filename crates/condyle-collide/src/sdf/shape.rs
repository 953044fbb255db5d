//! The built-in shapes that exist only as distance fields, with their parameters.

use condyle_math::Vec3;

use super::{bolt, bowl, difference_gradient, gear, nut, torus};

/// A shape given by a distance function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A screw with a hexagonal head along z.
    Bolt {
        /// Radius of the shaft, m.
        radius: f64,
    },
    /// A spherical shell, cut off above.
    Bowl {
        /// Height of the cut, m.
        height: f64,
        /// Radius of the shell, m.
        radius: f64,
        /// Thickness of the shell, m.
        thickness: f64,
    },
    /// A spur gear around z.
    Gear {
        /// Rotation of the teeth about the axis, rad.
        alpha: f64,
        /// Pitch diameter, m.
        diameter: f64,
        /// Number of teeth.
        teeth: f64,
        /// Extent along the axis, m.
        thickness: f64,
        /// Diameter of the hole, m; negative for one that leaves a crown.
        inner_diameter: f64,
    },
    /// A hexagonal nut with a thread, along z.
    Nut {
        /// Radius of the hole, m.
        radius: f64,
    },
    /// A ring around z.
    Torus {
        /// Radius of the circle in the middle of the ring, m.
        major: f64,
        /// Radius of the ring's cross-section, m.
        minor: f64,
    },
}

impl Shape {
    /// Parameters of a shape by its plugin name (`mujoco.sdf.torus`): name and default, in order.
    pub fn parameters(plugin: &str) -> Option<&'static [(&'static str, f64)]> {
        Some(match plugin {
            "mujoco.sdf.bolt" | "mujoco.sdf.nut" => &[("radius", 0.26)],
            "mujoco.sdf.bowl" => &[("height", 0.4), ("radius", 1.0), ("thickness", 0.02)],
            "mujoco.sdf.gear" => &[
                ("alpha", 0.0),
                ("diameter", 2.8),
                ("teeth", 25.0),
                ("thickness", 0.2),
                ("innerdiameter", -1.0),
            ],
            "mujoco.sdf.torus" => &[("radius1", 0.35), ("radius2", 0.15)],
            _ => return None,
        })
    }

    /// The shape of a plugin with the values of its parameters in order.
    pub fn from_plugin(plugin: &str, values: &[f64]) -> Option<Self> {
        Some(match (plugin, values) {
            ("mujoco.sdf.bolt", &[radius]) => Shape::Bolt { radius },
            ("mujoco.sdf.bowl", &[height, radius, thickness]) => Shape::Bowl { height, radius, thickness },
            ("mujoco.sdf.gear", &[alpha, diameter, teeth, thickness, inner_diameter]) => {
                Shape::Gear { alpha, diameter, teeth, thickness, inner_diameter }
            }
            ("mujoco.sdf.nut", &[radius]) => Shape::Nut { radius },
            ("mujoco.sdf.torus", &[major, minor]) => Shape::Torus { major, minor },
            _ => return None,
        })
    }

    /// Half sizes of a box around the shape, which is centred at the origin.
    pub fn half_extents(&self) -> Vec3 {
        match *self {
            Shape::Bolt { .. } | Shape::Nut { .. } => [0.6, 0.6, 1.0],
            Shape::Bowl { radius, thickness, .. } => [radius + thickness; 3],
            Shape::Gear { diameter, thickness, .. } => {
                let radius = diameter / 2.0 * 1.25;
                [radius, radius, thickness / 2.0 * 1.1]
            }
            Shape::Torus { major, minor } => [major + minor, major + minor, minor],
        }
    }

    /// The field at a local point.
    pub fn distance(&self, p: Vec3) -> f64 {
        match *self {
            Shape::Bolt { radius } => bolt::distance(p, radius),
            Shape::Bowl { height, radius, thickness } => bowl::distance(p, height, radius, thickness),
            Shape::Gear { alpha, diameter, teeth, thickness, inner_diameter } => {
                gear::distance(p, &gear::Gear { alpha, diameter, teeth, thickness, inner_diameter })
            }
            Shape::Nut { radius } => nut::distance(p, radius),
            Shape::Torus { major, minor } => torus::distance(p, major, minor),
        }
    }

    /// The gradient at a local point.
    pub fn gradient(&self, p: Vec3) -> Vec3 {
        match *self {
            Shape::Torus { major, .. } => torus::gradient(p, major),
            _ => difference_gradient(|p| self.distance(p), p),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plugin_has_as_many_parameters_as_its_shape_takes() {
        for name in ["bolt", "bowl", "gear", "nut", "torus"] {
            let plugin = format!("mujoco.sdf.{name}");
            let defaults: Vec<f64> =
                Shape::parameters(&plugin).unwrap().iter().map(|(_, default)| *default).collect();
            let shape = Shape::from_plugin(&plugin, &defaults).unwrap();
            let beyond = shape.half_extents().map(|half| 1.5 * half);
            assert!(shape.distance(beyond) > 0.0, "{name}");
            assert_eq!(Shape::from_plugin(&plugin, &[]), None);
        }
        assert_eq!(Shape::parameters("mujoco.pid"), None);
    }
}
