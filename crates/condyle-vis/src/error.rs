//! What can be wrong with a request.

use std::fmt;

/// Why a scene, camera or perturbation cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VisError {
    /// A shape that cannot connect two points.
    Connector(i32),
    /// A camera type that has no pose of its own.
    CameraType,
    /// A fixed camera that the model does not have.
    FixedCamera,
    /// A tracked body that the model does not have.
    TrackedBody,
    /// A near clipping distance of zero: the cameras of the scene were never set.
    NearPlane,
    /// A scale of the scene that cannot be divided by.
    Scale,
    /// Cameras of both eyes with different projections.
    MixedProjections,
    /// As [`MixedProjections`](Self::MixedProjections), when a camera between them is asked for.
    MixedCameras,
    /// A mouse action that does not move what is asked for.
    Action(i32),
    /// A mouse action without a direction.
    Direction(i32),
    /// A picked vertex of an interpolated flex to which no node belongs.
    FlexNode {
        /// The flex.
        flex: usize,
        /// Its vertex.
        vertex: usize,
    },
    /// A scene that was made for another model.
    OtherModel,
}

impl fmt::Display for VisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connector(shape) => write!(f, "invalid geom type {shape} for connector"),
            Self::CameraType => write!(f, "unknown camera type"),
            Self::FixedCamera => write!(f, "fixed camera id is outside valid range"),
            Self::TrackedBody => write!(f, "track body id is outside valid range"),
            Self::NearPlane => write!(f, "mjvScene frustum_near too small"),
            Self::Scale => write!(f, "mjvScene scale too small"),
            Self::MixedProjections => {
                write!(f, "cannot average frustums of perspective and orthographic cameras")
            }
            Self::MixedCameras => write!(f, "cannot average perspective and orthographic cameras"),
            Self::Action(action) => write!(f, "unexpected action {action}"),
            Self::Direction(action) => write!(f, "unexpected mouse action {action} in convert2D"),
            Self::FlexNode { flex, vertex } => {
                write!(f, "flex {flex}: node closest to vertex {vertex} not found")
            }
            Self::OtherModel => {
                write!(f, "the scene was made for another model: its numbers of flexes or skins differ")
            }
        }
    }
}

impl std::error::Error for VisError {}
