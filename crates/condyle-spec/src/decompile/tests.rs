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

/// A cloth of four triangles over five bodies that slide.
fn cloth(young: f64, poisson: f64, thickness: f64, elastic2d: i32) -> Spec {
    let mut spec = Spec::new();
    let world = spec.world();
    let corners = [[0.0, 0.0, 0.1], [0.3, 0.0, 0.0], [0.3, 0.2, 0.1], [0.0, 0.25, 0.0], [0.14, 0.11, 0.02]];
    for pos in corners {
        let body = spec.add_body(world);
        spec.bodies[body].pos = pos;
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            let joint = spec.add_joint(body, None);
            spec.joints[joint].kind = JointType::Slide;
            spec.joints[joint].axis = axis;
        }
        let geom = spec.add_geom(body, None);
        spec.geoms[geom].size[0] = 0.01;
    }
    let bodies: Vec<_> = spec.bodies.ids().skip(1).collect();
    let flex = spec.add_flex(None);
    for (number, body) in bodies.into_iter().enumerate() {
        spec.bodies[body].info.name = format!("corner{number}");
        spec.flexes[flex].vertbody.push(format!("corner{number}"));
    }
    let flex = &mut spec.flexes[flex];
    flex.elem = vec![0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4];
    (flex.young, flex.poisson, flex.thickness, flex.elastic2d) = (young, poisson, thickness, elastic2d);
    spec
}

#[test]
fn elastic_constants_are_found_again() {
    let model = compiled(&cloth(2.5e4, 0.3, 0.012, 3));
    let spec = Spec::from_model(&model).unwrap();
    let flex = spec.flexes.values().next().unwrap();
    assert_eq!((flex.young, flex.poisson, flex.thickness, flex.elastic2d), (2.5e4, 0.3, 0.012, 3));
    assert!(mjb::write(&model) == mjb::write(&compiled(&spec)));
}

#[test]
fn a_cloth_that_only_stretches_or_only_bends_keeps_its_stiffness() {
    for elastic2d in [1, 2] {
        let model = compiled(&cloth(1e4 / 3.0, 0.21, 0.007, elastic2d));
        let again = compiled(&Spec::from_model(&model).unwrap());
        let pairs = [
            (model.flex_stiffness.as_flattened(), again.flex_stiffness.as_flattened()),
            (model.flex_bending.as_flattened(), again.flex_bending.as_flattened()),
        ];
        for (one, other) in pairs {
            let largest =
                one.iter().fold(0.0_f64, |most, value| if value.abs() > most { value.abs() } else { most });
            for (one, other) in one.iter().zip(other) {
                assert!((one - other).abs() <= 1e-12 * largest, "{one} {other}");
            }
        }
        assert_eq!(model.flex_edgeflap, again.flex_edgeflap);
    }
}
