//! One surface to be drawn: where it is, what it looks like and in which part of the picture's making it takes part.

use crate::context::Context;
use crate::light::Finish;
use crate::shape::Shape;
use crate::vector::{Affine, Vec3};
use crate::view::Projection;

/// A surface of the context or of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShapeRef {
    Sphere,
    Top,
    Bottom,
    Cylinder,
    Tube,
    Cone,
    Cube,
    Haze,
    Triangle,
    Square,
    Plane(u32),
    Mesh(u32),
    HeightField(u32),
    /// Made for this frame: skins, flexes, lines.
    Dynamic(u32),
}

impl ShapeRef {
    pub(crate) fn get<'a>(self, context: &'a Context, dynamic: &'a [Shape]) -> Option<&'a Shape> {
        let builtin = &context.builtin;
        match self {
            Self::Sphere => Some(&builtin.sphere),
            Self::Top => Some(&builtin.top),
            Self::Bottom => Some(&builtin.bottom),
            Self::Cylinder => Some(&builtin.cylinder),
            Self::Tube => Some(&builtin.tube),
            Self::Cone => Some(&builtin.cone),
            Self::Cube => Some(&builtin.cube),
            Self::Haze => Some(&builtin.haze),
            Self::Triangle => Some(&builtin.triangle),
            Self::Square => Some(&builtin.square),
            Self::Plane(index) => context.planes.get(index as usize),
            Self::Mesh(index) => context.meshes.get(index as usize),
            Self::HeightField(index) => context.height_fields.get(index as usize),
            Self::Dynamic(index) => dynamic.get(index as usize),
        }
    }
}

/// Parts of the picture's making, each with its own order of surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// Nearest surface wins.
    Opaque = 0,
    /// Haze and transparent surfaces, blended in order.
    Late = 1,
    /// What a mirror shows.
    MirrorOpaque = 2,
    MirrorLate = 3,
}

pub(crate) const LAYERS: usize = 4;

/// Which sides of triangles are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cull {
    None,
    Back,
    Front,
}

/// Where the texture of a surface comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mapping {
    None,
    /// Texture coordinates of the surface.
    Coordinates,
    /// `s = scale_x · x - 1/2`, `t = scale_y · y - 1/2` in the surface's frame.
    Planar([f32; 2]),
    /// Direction in the surface's frame, scaled.
    Cube(Vec3),
    /// Direction in the surface's frame turned by a right angle about x.
    Sky,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Material {
    pub finish: Finish,
    /// Colour without light.
    pub unlit: bool,
    pub texture: u32,
    pub mapping: Mapping,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blend {
    Replace,
    /// `α · new + (1 - α) · old`
    Alpha,
    /// `α · new + old`
    Additive,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    pub shape: ShapeRef,
    pub layer: Layer,
    pub to_world: Affine,
    pub to_eye: Affine,
    /// From the surface's frame to the window.
    pub rows: Projection,
    pub normals: [Vec3; 3],
    /// Only points with a value of zero or more are kept: `row · (x, y, z, 1)` in the surface's frame.
    pub keep: Option<[f32; 4]>,
    pub material: Material,
    pub cull: Cull,
    pub blend: Blend,
    pub writes_depth: bool,
    /// Takes part in the light of lamps that cast shadows.
    pub takes_shadow: bool,
    pub casts_shadow: bool,
    pub mirror: Mirror,
    /// Faces are lines of this width, pixels.
    pub line_width: Option<f32>,
    /// Element of the scene; -1 for the sky.
    pub geom: i32,
    /// First of its corners in the window.
    pub first_corner: u32,
}

/// Where a surface shows what it mirrors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mirror {
    No,
    Whole,
    FirstPatch,
}
