//! A pendulum with a gyroscope and a rangefinder: readings by name.

use std::error::Error;

use condyle::prelude::*;

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="rod" pos="0 0 1">
      <joint name="pivot" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02"/>
      <site name="imu" pos="0 0 -.5" euler="180 0 0"/>
    </body>
  </worldbody>
  <sensor><gyro name="rotation" site="imu"/><rangefinder name="floor" site="imu"/></sensor>
</mujoco>"#;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    sim.joint_mut("pivot")?.set_qpos(1.0);
    let (mut fastest, mut lowest) = (0.0_f64, f64::INFINITY);
    while sim.time() < 2.0 {
        sim.step();
        let (rotation, floor) = (sim.sensor("rotation")?[1].abs(), sim.sensor("floor")?[0]);
        fastest = if rotation > fastest { rotation } else { fastest };
        lowest = if floor < lowest { floor } else { lowest };
    }
    println!("fastest rotation {fastest:.2} rad/s; {lowest:.2} m above the floor at the lowest point");
    assert!(0.4 < lowest && lowest < 0.6);
    Ok(())
}
