//! Questions about a configuration that are no stages of the step.

pub use condyle_engine::query::{constraint, contact_report, explain_pair};

/// Distances of geoms.
pub mod distance {
    pub use condyle_engine::query::distance::geom_distance;
}

/// Rays through the scene.
pub mod ray {
    pub use condyle_collide::Pose;
    pub use condyle_collide::ray::{Hit, Ray};
    pub use condyle_engine::query::ray::{
        GROUPS, RayFilter, SceneHit, cast, cast_flex, cast_geom, cast_shape,
    };
}

/// The force of a contact.
pub mod contact_force {
    pub use condyle_engine::query::contact_force::contact_force;
}

/// Jacobians of points into buffers of the caller; [`Jacobian`](crate::Jacobian) allocates its own.
pub mod jacobian {
    pub use condyle_engine::query::jacobian::{
        angular_momentum, of_body, of_body_com, of_geom, of_point, of_point_and_axis, of_site,
        of_subtree_com, time_derivative,
    };
}

/// Joint forces of forces that act on bodies.
pub mod force {
    pub use condyle_engine::query::force::{apply, apply_external};
}

/// Velocity and acceleration of objects, and differences of configurations.
pub mod motion {
    pub use condyle_engine::query::motion::{
        differentiate_position, integrate_position, normalize_quaternions, object_acceleration,
        object_velocity,
    };
}
