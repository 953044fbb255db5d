//! Constraints: from contacts, limits, friction and equalities to rows, and from rows to forces and accelerations.
//!
//! Position stage: [`rows`] with their [`impedance`], [`island`]s, and the dual matrix ([`project`]) where a solver needs it. Velocity
//! stage: [`mod@reference`]. Acceleration stage: [`solver`].

pub(crate) mod contact_bodies;
pub mod contact_force;
pub mod impedance;
pub mod inverse;
pub mod island;
pub mod jacobian;
pub mod project;
pub mod pyramid;
pub mod reference;
pub mod rows;
pub mod solver;
pub mod update;
