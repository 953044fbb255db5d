//! A robot is loaded, gets a camera and a heavier hand, loses a joint, and is compiled again.

use std::error::Error;

use condyle::prelude::*;

const MODEL: &str = r#"<mujoco model="arm">
  <worldbody>
    <body name="base" pos="0 0 .5">
      <joint name="turn" axis="0 0 1"/>
      <geom type="cylinder" size=".1 .1"/>
      <body name="hand" pos=".3 0 0"><joint name="grip" axis="0 1 0"/><geom name="palm" type="box" size=".1 .05 .02" mass=".2"/></body>
    </body>
  </worldbody>
</mujoco>"#;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut spec = Spec::parse(MODEL)?;
    let before = spec.compile(&LoadOptions::default())?.model;

    let palm = spec.geom("palm")?;
    spec.geoms[palm].mass = Some(0.5);
    let eye = spec.add_camera(spec.body("hand")?, None);
    spec.cameras[eye].info.name = "eye".to_owned();
    spec.cameras[eye].pos = [0.0, 0.0, 0.1];
    let motor = spec.add_actuator(None);
    spec.actuators[motor].info.name = "grip".to_owned();
    spec.actuators[motor].trntype = TransmissionType::Joint;
    spec.actuators[motor].target = "grip".to_owned();
    spec.remove(spec.joint("turn")?)?;
    let after = spec.compile(&LoadOptions::default())?.model;

    let mass = |model: &Model| Ok::<_, Box<dyn Error>>(model.body_mass[model.body("hand")?.index()]);
    println!("the hand weighs {:.2} kg instead of {:.2} kg", mass(&after)?, mass(&before)?);
    println!("{} camera, {} actuator, {} joint instead of {}", after.ncam, after.nu, after.njnt, before.njnt);
    assert_eq!((after.ncam, after.nu, after.njnt), (1, 1, 1));
    Ok(())
}
