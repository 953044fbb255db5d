//! Elements of a running simulation, by handle or by name: `sim.joint(elbow).qpos()`, `sim.body("hand")?.position()`.
//!
//! Poses, velocities and forces are those of the latest step or [`forward`](crate::Sim::forward); coordinates and controls are the
//! present ones. Everything is in the world frame and in the units of the model unless it says otherwise.

use std::ops::Range;

use condyle_engine::Data;
use condyle_engine::query::motion::object_velocity;
use condyle_model::{JointType, Model, ObjectType};

use crate::Sim;
use crate::handle::{
    ActuatorId, BodyId, CameraId, GeomId, Handle, JointId, Names, Select, SensorId, SiteId, TendonId,
};
use crate::jacobian::Jacobian;

/// A model and its data, borrowed: what hooks get. It has the accessors of [`Sim`].
#[derive(Debug)]
pub struct SimMut<'a> {
    /// The model.
    pub model: &'a Model,
    /// The simulation.
    pub data: &'a mut Data,
}

macro_rules! views {
    ($($view:ident, $handle:ident, $what:literal;)*) => {$(
        #[doc = concat!($what, " of a simulation.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $view<'a> {
            model: &'a Model,
            data: &'a Data,
            id: $handle,
        }

        impl<'a> $view<'a> {
            /// Its handle.
            pub fn id(&self) -> $handle {
                self.id
            }

            /// Its name; empty when it has none.
            pub fn name(&self) -> &'a str {
                self.model.name_of(self.id)
            }
        }
    )*};
}

views! {
    BodyView, BodyId, "A body";
    JointView, JointId, "A joint";
    GeomView, GeomId, "A geom";
    SiteView, SiteId, "A site";
    CameraView, CameraId, "A camera";
    TendonView, TendonId, "A tendon";
    ActuatorView, ActuatorId, "An actuator";
}

/// Position, rotation matrix and velocity of things that have a frame.
macro_rules! frames {
    ($($view:ident, $position:ident, $rotation:ident, $kind:ident;)*) => {$(
        impl $view<'_> {
            /// Position of its frame.
            pub fn position(&self) -> [f64; 3] {
                self.data.kinematics.$position[self.id.index()]
            }

            /// Rotation matrix of its frame, row by row.
            pub fn rotation(&self) -> [f64; 9] {
                self.data.kinematics.$rotation[self.id.index()]
            }

            /// Linear velocity of the origin of its frame.
            pub fn linear_velocity(&self) -> [f64; 3] {
                let [_, _, _, x, y, z] = self.velocity();
                [x, y, z]
            }

            /// Angular velocity.
            pub fn angular_velocity(&self) -> [f64; 3] {
                let [x, y, z, ..] = self.velocity();
                [x, y, z]
            }

            fn velocity(&self) -> [f64; 6] {
                let Data { kinematics, velocity, .. } = self.data;
                let found =
                    object_velocity(self.model, kinematics, velocity, ObjectType::$kind, self.id.index(), false);
                found.unwrap_or_default()
            }
        }
    )*};
}

frames! {
    BodyView, xpos, xmat, XBody;
    GeomView, geom_xpos, geom_xmat, Geom;
    SiteView, site_xpos, site_xmat, Site;
    CameraView, cam_xpos, cam_xmat, Camera;
}

impl BodyView<'_> {
    /// Orientation of its frame as a quaternion, real part first.
    pub fn orientation(&self) -> [f64; 4] {
        self.data.kinematics.xquat[self.id.index()]
    }

    /// Centre of mass.
    pub fn center_of_mass(&self) -> [f64; 3] {
        self.data.kinematics.xipos[self.id.index()]
    }

    /// Mass.
    pub fn mass(&self) -> f64 {
        self.model.body_mass[self.id.index()]
    }

    /// The body it is attached to; `None` for the world.
    pub fn parent(&self) -> Option<BodyId> {
        let parent = self.model.body_parentid(self.id.index())?;
        if self.id.index() == 0 { None } else { BodyId::at(self.model, parent) }
    }
}

/// Addresses and numbers of coordinates and velocities of a joint.
fn places(model: &Model, joint: JointId) -> [Range<usize>; 2] {
    let (coordinates, velocities) = match model.jnt_type(joint.index()) {
        Some(JointType::Free) => (7, 6),
        Some(JointType::Ball) => (4, 3),
        Some(JointType::Slide | JointType::Hinge) | None => (1, 1),
    };
    let range = |start: i32, count| start as usize..start as usize + count;
    [range(model.jnt_qposadr[joint.index()], coordinates), range(model.jnt_dofadr[joint.index()], velocities)]
}

impl<'a> JointView<'a> {
    /// Where its numbers stand in `qpos`: one for a hinge or slide, four for a ball, seven for a free joint.
    pub fn coordinate_range(&self) -> Range<usize> {
        let [coordinates, _] = places(self.model, self.id);
        coordinates
    }

    /// Its degrees of freedom: where its numbers stand in `qvel`, `qacc` and all arrays of `nv` numbers, and its columns of Jacobians.
    pub fn dofs(&self) -> Range<usize> {
        let [_, velocities] = places(self.model, self.id);
        velocities
    }

    /// Its coordinate, in radians or metres. A ball or free joint has several: this is the first of [`coordinates`](Self::coordinates).
    pub fn qpos(&self) -> f64 {
        self.coordinates()[0]
    }

    /// Its velocity; of a ball or free joint the first of [`velocities`](Self::velocities).
    pub fn qvel(&self) -> f64 {
        self.velocities()[0]
    }

    /// Its acceleration; of a ball or free joint the first number.
    pub fn qacc(&self) -> f64 {
        let [_, velocities] = places(self.model, self.id);
        self.data.acceleration.qacc[velocities.start]
    }

    /// All its numbers in `qpos`: one for a hinge or slide, a quaternion for a ball, position and quaternion for a free joint.
    pub fn coordinates(&self) -> &'a [f64] {
        let [coordinates, _] = places(self.model, self.id);
        &self.data.state.qpos[coordinates]
    }

    /// All its numbers in `qvel`: one for a hinge or slide, three for a ball, six for a free joint.
    pub fn velocities(&self) -> &'a [f64] {
        let [_, velocities] = places(self.model, self.id);
        &self.data.state.qvel[velocities]
    }

    /// Its axis.
    pub fn axis(&self) -> [f64; 3] {
        self.data.kinematics.xaxis[self.id.index()]
    }

    /// The point it turns about.
    pub fn anchor(&self) -> [f64; 3] {
        self.data.kinematics.xanchor[self.id.index()]
    }

    /// Lower and upper limit, if it is limited.
    pub fn range(&self) -> Option<[f64; 2]> {
        let limited = self.model.jnt_limited[self.id.index()] != 0;
        limited.then(|| self.model.jnt_range[self.id.index()])
    }

    /// What kind of joint it is.
    pub fn kind(&self) -> JointType {
        self.model.jnt_type(self.id.index()).unwrap_or(JointType::Hinge)
    }
}

impl TendonView<'_> {
    /// Length.
    pub fn length(&self) -> f64 {
        self.data.tendons.ten_length[self.id.index()]
    }

    /// Rate of change of the length.
    pub fn velocity(&self) -> f64 {
        self.data.velocity.ten_velocity[self.id.index()]
    }
}

impl ActuatorView<'_> {
    /// Its control.
    pub fn ctrl(&self) -> f64 {
        self.data.inputs.ctrl[self.id.index()]
    }

    /// The force it exerts.
    pub fn force(&self) -> f64 {
        self.data.actuation.actuator_force[self.id.index()]
    }

    /// Its length: the coordinate it acts on, scaled by the gear.
    pub fn length(&self) -> f64 {
        self.data.transmission.actuator_length[self.id.index()]
    }

    /// Rate of change of its length.
    pub fn velocity(&self) -> f64 {
        self.data.velocity.actuator_velocity[self.id.index()]
    }

    /// Lower and upper limit of the control, if it is limited.
    pub fn range(&self) -> Option<[f64; 2]> {
        let limited = self.model.actuator_ctrllimited[self.id.index()] != 0;
        limited.then(|| self.model.actuator_ctrlrange[self.id.index()])
    }
}

/// A joint of a simulation, to be changed.
#[derive(Debug)]
pub struct JointMut<'a> {
    model: &'a Model,
    data: &'a mut Data,
    id: JointId,
}

impl JointMut<'_> {
    /// Sets the coordinate of a hinge or slide; of a ball or free joint the first number.
    pub fn set_qpos(&mut self, value: f64) {
        self.coordinates()[0] = value;
    }

    /// Sets the velocity of a hinge or slide; of a ball or free joint the first number.
    pub fn set_qvel(&mut self, value: f64) {
        self.velocities()[0] = value;
    }

    /// All its numbers in `qpos`.
    pub fn coordinates(&mut self) -> &mut [f64] {
        let [coordinates, _] = places(self.model, self.id);
        &mut self.data.state.qpos[coordinates]
    }

    /// All its numbers in `qvel`.
    pub fn velocities(&mut self) -> &mut [f64] {
        let [_, velocities] = places(self.model, self.id);
        &mut self.data.state.qvel[velocities]
    }

    /// The forces applied along its velocities (`qfrc_applied`); they stay until they are set again.
    pub fn applied_force(&mut self) -> &mut [f64] {
        let [_, velocities] = places(self.model, self.id);
        &mut self.data.inputs.qfrc_applied[velocities]
    }
}

/// Accessors of anything with the fields `model` and `data`.
macro_rules! accessors {
    ($($holder:ty),*) => {$(
        impl $holder {
            accessors! { @views
                body, BodyView, BodyId, "A body";
                joint, JointView, JointId, "A joint";
                geom, GeomView, GeomId, "A geom";
                site, SiteView, SiteId, "A site";
                camera, CameraView, CameraId, "A camera";
                tendon, TendonView, TendonId, "A tendon";
                actuator, ActuatorView, ActuatorId, "An actuator";
            }

            /// The reading of a sensor.
            pub fn sensor<S: Select<SensorId>>(&self, which: S) -> S::Found<&[f64]> {
                let (model, data): (&Model, &Data) = (&self.model, &self.data);
                which.select(model, |sensor| {
                    let start = model.sensor_adr[sensor.index()] as usize;
                    &data.sensors.sensordata[start..start + model.sensor_dim[sensor.index()] as usize]
                })
            }

            /// A joint, to be changed.
            pub fn joint_mut<S: Select<JointId>>(&mut self, which: S) -> S::Found<JointMut<'_>> {
                let model: &Model = &self.model;
                let data: &mut Data = &mut self.data;
                which.select(model, |id| JointMut { model, data, id })
            }

            /// Sets the control of an actuator; it stays until it is set again.
            pub fn set_ctrl<S: Select<ActuatorId>>(&mut self, which: S, value: f64) -> S::Found<()> {
                let model: &Model = &self.model;
                let data: &mut Data = &mut self.data;
                which.select(model, |actuator| data.inputs.ctrl[actuator.index()] = value)
            }

            /// Sets the force and torque that act on a body at its centre of mass; they stay until they are set again.
            pub fn set_force<S: Select<BodyId>>(
                &mut self,
                which: S,
                force: [f64; 3],
                torque: [f64; 3],
            ) -> S::Found<()> {
                let model: &Model = &self.model;
                let data: &mut Data = &mut self.data;
                which.select(model, |body| {
                    let ([a, b, c], [d, e, f]) = (force, torque);
                    data.inputs.xfrc_applied[body.index()] = [a, b, c, d, e, f];
                })
            }

            /// The Jacobian of the frame of a body.
            pub fn body_jacobian<S: Select<BodyId>>(&self, which: S) -> S::Found<Jacobian> {
                let (model, data): (&Model, &Data) = (&self.model, &self.data);
                which.select(model, |body| {
                    Jacobian::of_point(model, data, body, data.kinematics.xpos[body.index()])
                })
            }

            /// The Jacobian of the centre of mass of a body and everything that hangs from it: its velocity; the rotation is zero.
            pub fn center_of_mass_jacobian<S: Select<BodyId>>(&self, which: S) -> S::Found<Jacobian> {
                let (model, data): (&Model, &Data) = (&self.model, &self.data);
                which.select(model, |body| Jacobian::of_center_of_mass(model, data, body))
            }

            /// The Jacobian of a site.
            pub fn site_jacobian<S: Select<SiteId>>(&self, which: S) -> S::Found<Jacobian> {
                let (model, data): (&Model, &Data) = (&self.model, &self.data);
                which.select(model, |site| Jacobian::of_site(model, data, site))
            }

            /// The Jacobian of a point in world coordinates that moves with a body.
            pub fn point_jacobian<S: Select<BodyId>>(&self, which: S, point: [f64; 3]) -> S::Found<Jacobian> {
                let (model, data): (&Model, &Data) = (&self.model, &self.data);
                which.select(model, |body| Jacobian::of_point(model, data, body, point))
            }
        }
    )*};
    (@views $($one:ident, $view:ident, $handle:ident, $what:literal;)*) => {$(
        #[doc = concat!($what, ", by handle or by name.")]
        pub fn $one<S: Select<$handle>>(&self, which: S) -> S::Found<$view<'_>> {
            let (model, data): (&Model, &Data) = (&self.model, &self.data);
            which.select(model, |id| $view { model, data, id })
        }
    )*};
}

accessors!(Sim, SimMut<'_>);
