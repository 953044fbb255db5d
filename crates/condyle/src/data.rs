//! The groups of [`Data`], each of them what one stage of the step computes, and what a step reports.
//!
//! | to read or set | use |
//! |---|---|
//! | positions, velocities, activations, time | [`State`] |
//! | controls, applied forces, mocap poses | [`Inputs`] |
//! | poses in the world | [`Kinematics`] |
//! | contacts | [`Contact`], `data.contact_reports(&model)` |
//! | accelerations, forces of actuators and constraints | [`Acceleration`], [`Actuation`], [`Solution`] |
//! | readings of sensors, energy | [`Sensors`] |
//! | what happened in the latest step | [`StepReport`], [`Diagnostics`] |
//! | any array by name | [`Data::ARRAYS`], [`Data::array`] |

pub use condyle_engine::data::{
    Acceleration, Actuation, Awake, Bias, BodyForces, CONTRIBUTIONS_KEPT, Cause, ConeHessian, Contact,
    Contribution, Data, DataArray, DataGroup, DataScalar, Derivatives, Diagnostics, Dual, Flexes,
    ForceSource, ISLANDS_KEPT, Inertia, Inputs, Inverse, IslandReport, IslandSolution, Islands, Kinematics,
    NonFinite, NonFinitePolicy, Passive, RowMotion, Rows, SOLVER_ITERATIONS_KEPT, ScalarValue, Sensors,
    Smooth, Solution, SolverEnd, SolverRecords, SolverStat, State, StepIssue, StepReport, SubtreeMotion,
    Tendons, Timer, TimerStat, Timers, Transmission, Velocity, WarningStat, sleep_enabled,
};
