//! Questions about a configuration that are not stages of the step.

pub mod constraint;
pub mod contact_force;
pub mod contact_report;
pub mod contact_table;
pub mod distance;
pub mod explain_pair;
pub mod force;
pub mod jacobian;
pub mod jacobian_chain;
pub mod motion;
pub mod multi_ray;
pub mod ray;
