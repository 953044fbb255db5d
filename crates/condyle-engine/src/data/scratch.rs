//! Working memory that stages reuse from step to step, so that stepping does not allocate.

use condyle_math::Spatial;

use crate::collision::CollisionScratch;
use crate::constraint::island::IslandScratch;
use crate::constraint::project::ProjectScratch;
use crate::constraint::rows::RowScratch;
use crate::constraint::solver::SolverScratch;
use crate::integrate::advance::Rates;
use crate::integrate::flex_block::FlexBlock;
use crate::plugin::TouchGridScratch;
use crate::position::read_frames::ReadFrames;
use crate::position::sleeping_poses::SleepingPoses;
use crate::position::world_frames::WorldFrames;
use crate::sensor::ContactSensorScratch;
use crate::velocity::passive::flex::FlexScratch;

/// Buffers of the stages. Contents mean nothing between stages.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Buffers of kinematics, dynamics, actuation and integration.
    pub smooth: SmoothScratch,
    /// What sleeping bodies were placed from.
    pub(crate) sleeping_poses: SleepingPoses,
    /// Poses of what is fixed to the world.
    pub(crate) world_frames: WorldFrames,
    /// Which poses are read, where the others are left out.
    pub(crate) read_frames: ReadFrames,
    /// Stages of Runge–Kutta.
    pub(crate) runge_kutta: RungeKuttaScratch,
    /// Rates with which the state advances.
    pub(crate) rates: Rates,
    pub(crate) flex: FlexScratch,
    pub(crate) flex_block: FlexBlock,
    pub(crate) collision: CollisionScratch,
    pub(crate) contact_sensor: ContactSensorScratch,
    pub(crate) touch_grid: TouchGridScratch,
    pub(crate) multi_ray: crate::collision::multi_ray::MultiRayScratch,
    pub(crate) rows: RowScratch,
    pub(crate) islands: IslandScratch,
    pub(crate) project: ProjectScratch,
    pub(crate) solver: SolverScratch,
}

/// Buffers of kinematics, dynamics, actuation and integration.
#[derive(Clone, Debug, Default)]
pub struct SmoothScratch {
    /// Accelerations of the bodies, before constraints.
    pub(crate) body_acceleration: Vec<Spatial>,
    /// Forces on the bodies.
    pub(crate) body_force: Vec<Spatial>,
    /// A force per dof.
    pub dof_force: Vec<f64>,
    /// An acceleration per dof.
    pub dof_acceleration: Vec<f64>,
    /// Dof numbers of a kinematic chain.
    pub chain: Vec<i32>,
    /// Two translational and two rotational Jacobians.
    pub jacobian: [Vec<f64>; 4],
    /// Difference of two Jacobians.
    pub difference: Vec<f64>,
    /// Sums of the two strain rows of a flex vertex, per dof.
    pub strain_rows: [Vec<f64>; 2],
    /// Gain and bias of user actuators.
    pub user_actuator: Vec<[f64; 2]>,
    /// Controls as the actuators see them.
    pub control: Vec<f64>,
    /// Accelerations set aside.
    pub saved_acceleration: Vec<f64>,
    /// Forces of forward dynamics set aside for the comparison with inverse dynamics.
    pub forward_inverse: [Vec<f64>; 4],
    /// One sensor reading.
    pub reading: Vec<f64>,
    /// Derivative of the bias forces.
    pub bias_derivative: BiasDerivativeScratch,
    /// A weight per constraint row.
    pub row_weight: Vec<f64>,
}

/// States and rates of the Runge–Kutta stages.
#[derive(Clone, Debug, Default)]
pub struct RungeKuttaScratch {
    /// Position, velocity and activation of each stage.
    pub state: [Vec<f64>; 4],
    /// Acceleration and activation rate of each stage.
    pub rate: [Vec<f64>; 4],
    /// Weighted sum of velocities and rates.
    pub sum: Vec<f64>,
    /// Time at the start of the step.
    pub start_time: f64,
}

/// Derivatives with respect to velocity of the quantities in recursive Newton–Euler.
#[derive(Clone, Debug, Default)]
pub struct BiasDerivativeScratch {
    pub(crate) dof_rate: Vec<Spatial>,
    pub(crate) body_velocity: Vec<Spatial>,
    pub(crate) body_acceleration: Vec<Spatial>,
    pub(crate) body_force: Vec<Spatial>,
    pub(crate) product: Vec<Spatial>,
    pub(crate) row: Vec<f64>,
}

/// A buffer of exactly `length` elements with unspecified contents; allocates only when it has to grow.
pub(crate) fn sized<T: Copy + Default>(buffer: &mut Vec<T>, length: usize) -> &mut [T] {
    if buffer.len() < length {
        buffer.resize(length, T::default());
    }
    &mut buffer[..length]
}
