//! Condyle: a physics engine for articulated bodies with contact.
//!
//! ```no_run
//! let mut sim = condyle::Sim::load("robot.xml")?;
//! for _ in 0..1000 {
//!     sim.step();
//! }
//! println!("{:?}", sim.data.state.qpos);
//! # Ok::<(), condyle::LoadError>(())
//! ```
//!
//! [`Model`] is what a file compiles to and never changes while it runs; [`Data`] is one simulation. [`Sim`] bundles the two.

mod load;
mod sim;

pub use condyle_engine::{Data, forward, reset, state, step, step1, step2};
pub use condyle_model as model;
pub use condyle_model::{Model, ObjectType};
pub use load::{LoadError, load, load_binary, load_xml_string};
pub use sim::Sim;

/// What most programs need.
pub mod prelude {
    pub use crate::{Data, LoadError, Model, ObjectType, Sim, load};
}
