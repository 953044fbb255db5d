use super::*;
use crate::compile::{CompileOptions, FileSystem, compile};
use crate::element::Wrap;
use condyle_model::{GeomType, JointType, TransmissionType, mjb};

fn compiled(spec: &Spec) -> Model {
    compile(spec, &FileSystem, &CompileOptions::default()).unwrap().model
}

/// A pendulum with a tendon, a motor, a texture and user numbers.
fn pendulum() -> Spec {
    let mut spec = Spec::new();
    spec.modelname = "pendulum".to_owned();
    spec.option.timestep = 0.001;
    let world = spec.world();
    let arm = spec.add_body(world);
    spec.bodies[arm].pos = [0.1, 0.2, 0.3];
    spec.bodies[arm].userdata = vec![1.0, 0.0, 2.0];
    let hinge = spec.add_joint(arm, None);
    spec.joints[hinge].kind = JointType::Hinge;
    spec.joints[hinge].axis = [0.0, 3.0, 4.0];
    spec.joints[hinge].range = [-30.0, 60.0];
    spec.joints[hinge].reference = 10.0;
    let geom = spec.add_geom(arm, None);
    spec.geoms[geom].kind = GeomType::Capsule;
    spec.geoms[geom].size[0] = 0.05;
    spec.geoms[geom].fromto = Some([0.0, 0.0, 0.0, 0.1, 0.3, 0.5]);
    for (body, name) in [(world, "fixed"), (arm, "moving")] {
        let site = spec.add_site(body, None);
        spec.sites[site].info.name = name.to_owned();
    }
    let tendon = spec.add_tendon(None);
    spec.tendons[tendon].info.name = "string".to_owned();
    spec.tendons[tendon].path =
        ["fixed", "moving"].map(|site| (Wrap::Site { site: site.to_owned() }, None)).to_vec();
    let motor = spec.add_actuator(None);
    spec.actuators[motor].trntype = TransmissionType::Tendon;
    spec.actuators[motor].target = "string".to_owned();
    let texture = spec.add_texture();
    let pixels: Vec<u8> = (0..12).collect();
    let values = &mut spec.textures[texture];
    (values.width, values.height, values.data) = (2, 2, pixels);
    values.info.name = "tile".to_owned();
    values.kind = condyle_model::TextureType::Flat;
    spec
}

#[test]
fn a_decompiled_model_compiles_to_the_same_bytes() {
    let model = compiled(&pendulum());
    let again = compiled(&Spec::from_model(&model).unwrap());
    assert!(mjb::write(&model) == mjb::write(&again));
}

#[test]
fn an_object_gets_a_name_when_something_refers_to_it() {
    let mut model = compiled(&pendulum());
    let first = model.name_tendonadr[0] as usize;
    model.names[first..first + "string".len()].fill(0);
    let spec = Spec::from_model(&model).unwrap();
    assert_eq!(spec.actuators.values().next().unwrap().target, "tendon_0");
    assert_eq!(spec.tendons.values().next().unwrap().info.name, "tendon_0");
}

#[test]
fn what_a_spec_cannot_hold_is_refused() {
    let model = Model { nplugin: 1, ..Model::default() };
    assert_eq!(Spec::from_model(&model).unwrap_err(), DecompileError::Plugin);
    let mut model = compiled(&pendulum());
    model.geom_bodyid[0] = 77;
    assert_eq!(Spec::from_model(&model).unwrap_err(), DecompileError::Inconsistent);
}
