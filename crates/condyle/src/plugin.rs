//! Plugins: code that a model attaches to actuators, bodies and sensors by name.
//!
//! The extensions that come with MuJoCo are built in. A program puts one of its own in the place of an instance:
//!
//! ```
//! use std::sync::Arc;
//!
//! use condyle::plugin::Plugin;
//! use condyle::prelude::*;
//!
//! /// Pushes the first dof.
//! #[derive(Debug)]
//! struct Push;
//!
//! impl Plugin for Push {
//!     fn passive_forces(&self, _: &Model, data: &mut Data) {
//!         data.passive.qfrc_passive[0] += 2.0;
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = r#"<mujoco>
//!   <extension><plugin plugin="mujoco.pid"><instance name="own"/></plugin></extension>
//!   <worldbody><body><joint name="slide" type="slide"/><geom size=".1" mass="4"/></body></worldbody>
//!   <actuator><plugin joint="slide" plugin="mujoco.pid" instance="own"/></actuator>
//! </mujoco>"#;
//! let mut sim = Sim::new(load_str(text, &LoadOptions::default())?.model);
//! assert!(sim.data.plugins.set(0, Arc::new(Push)));
//! sim.forward();
//! assert_eq!(sim.data.passive.qfrc_passive[0], 2.0);
//! # Ok(())
//! # }
//! ```

pub use condyle_engine::plugin::{Drawing, Plugin, Plugins, check, check_instance};
