//! Contract: `<hillmuscle>` has a name and a unit for every parameter, and what was read is saved so that it reads back the same.

use condyle::model::{hill, mjb};
use condyle::{Files, to_mjcf};
use condyle_engine::actuation::hill_muscle::HillMuscle;
use condyle_mjcf::{LoadOptions, load_str};

use super::{arm, model, try_model};

/// The compiled model of a text, and the text it is saved as.
fn saved(text: &str) -> (Vec<u8>, String) {
    let options = LoadOptions::default().files(Files::without_disk());
    let (spec, _) = load_str(text, &options).unwrap_or_else(|problems| panic!("{problems:?}"));
    (mjb::write(&model(text)), to_mjcf(&spec))
}

const NAMED: &str = r#"<hillmuscle name="soleus" joint="j" maxisometricforce="3549" optimalfiberlength="0.05"
    tendonslacklength="0.25" pennation="0.4363" varyingpennation="true" maxcontractionvelocity="8" tendonmodel="compliant"
    tendonstrain="0.049" fiberdamping="0.05" timeconst="0.015 0.05" tausmooth="0.1" actrange="0.01 1" actearly="true"/>"#;

#[test]
fn every_parameter_has_a_name() {
    let model = model(&arm(NAMED));
    let muscle = HillMuscle::of(&model, 0).unwrap();
    assert_eq!((muscle.force, muscle.optimal_length, muscle.slack_length), (3549.0, 0.05, 0.25));
    assert_eq!((muscle.pennation, muscle.varying_pennation, muscle.max_velocity), (0.4363, true, 8.0));
    assert_eq!((muscle.compliant, muscle.damping), (true, 0.05));
    assert_eq!(muscle.tendon_stiffness, hill::stiffness_for_strain(0.049));
    assert_eq!(model.actuator_dynprm[0][..5], [0.015, 0.05, 0.1, 1.0, 0.05]);
    assert_eq!((model.actuator_actrange[0], model.actuator_actearly[0], model.na), ([0.01, 1.0], 1, 2));
}

#[test]
fn a_muscle_without_attributes_has_the_defaults() {
    let named = model(&arm(r#"<hillmuscle joint="j"/>"#));
    let general = model(&arm(r#"<general joint="j" dyntype="hillmuscle"/>"#));
    assert_eq!(mjb::write(&named), mjb::write(&general));
    assert_eq!(named.actuator_gainprm[0][4..9], hill::DEFAULT_GAIN[4..9]);
}

#[test]
fn angles_have_the_unit_of_the_file() {
    let degrees = arm(r#"<hillmuscle joint="j" pennation="30"/>"#).replace("radian", "degree");
    assert!((model(&degrees).actuator_gainprm[0][7] - std::f64::consts::FRAC_PI_6).abs() < 1e-15);
}

#[test]
fn problems_are_reported_at_the_named_attribute() {
    for (attribute, message) in [
        ("optimalfiberlength=\"0\"", "optimalfiberlength must be positive"),
        ("pennation=\"2\"", "pennation must be in [0, pi/2)"),
        ("tendonstrain=\"-1\"", "tendonstrain must be positive"),
        ("tendonstrain=\".05\" tendonstiffness=\"30\"", "cannot both be defined"),
        ("tendonmodel=\"soft\"", "'soft' is not a value of 'tendonmodel'"),
        ("optimallength=\".1\"", "optimallength"),
    ] {
        let text = arm(&format!("\n<hillmuscle joint=\"j\" {attribute}/>"));
        let error = try_model(&text).expect_err(attribute);
        assert!(error.message.contains(message), "{attribute}: {error}");
        let problem = error.diagnostics.iter().find(|problem| problem.is_error()).unwrap();
        assert_eq!(problem.location.as_ref().unwrap().line, 4, "{error}");
        assert!(problem.help.is_some(), "{error}");
    }
}

#[test]
fn muscles_are_saved_by_name_and_read_back_the_same() {
    let classes = r#"<mujoco><compiler angle="degree"/>
  <default>
    <default class="leg"><hillmuscle pennation="25" tendonmodel="compliant" tendonstrain="0.04"/></default>
    <default class="odd"><general dyntype="hillmuscle" gaintype="fixed" gainprm="3" dynprm="1"/></default>
    <default class="standard"><muscle force="200" range="0.7 1.1"/></default>
  </default>
  <worldbody><body><joint name="j" range="-30 30"/><geom size=".1" pos=".2 0 0"/><site name="s"/></body></worldbody>
  <actuator>
    <hillmuscle name="a" class="leg" joint="j"/>
    <hillmuscle name="b" class="leg" joint="j" pennation="17.3" tendonmodel="rigid" actlimited="false"/>
    <general name="c" class="leg" joint="j" gainprm="0.7 1.1"/>
    <general name="d" class="odd" joint="j"/>
    <hillmuscle name="e" class="odd" joint="j"/>
    <hillmuscle name="f" class="standard" joint="j"/>
    <general name="g" joint="j" dyntype="hillmuscle" gaintype="fixed" biastype="none" dynprm="1"/>
    <general name="h" site="s" dyntype="hillmuscle" biasprm="1 2 3"/>
    <general name="i" joint="j" dyntype="hillmuscle" gaintype="affine" gainprm="100 0 0"/>
  </actuator>
  <keyframe><key name="k" act="1.1 .2 .3 0 .5 .1 .1 .1 .1 .1 .1"/></keyframe></mujoco>"#;
    let degrees = |angle: &str| arm(&NAMED.replace("0.4363", angle)).replace("radian", "degree");
    for text in [arm(NAMED), degrees("25"), degrees("12.34567890123"), classes.to_owned()] {
        let (first, out) = saved(&text);
        assert!(out.contains("<hillmuscle"), "{out}");
        let (second, again) = saved(&out);
        assert!(first == second, "changes when it is saved:\n{out}");
        assert_eq!(out, again);
    }
}

#[test]
fn a_class_of_standard_muscles_does_not_leak_into_a_hill_muscle() {
    let text = r#"<mujoco><default><muscle force="200" range="0.7 1.1" timeconst="0.5 0.5"/></default>
  <worldbody><body><joint name="j" range="-30 30"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
  <actuator><hillmuscle joint="j" maxisometricforce="5"/></actuator></mujoco>"#;
    let model = model(text);
    let mut expected = hill::DEFAULT_GAIN;
    expected[hill::FORCE] = 5.0;
    assert_eq!(model.actuator_gainprm[0], expected);
    assert_eq!(model.actuator_dynprm[0], hill::DEFAULT_DYNAMICS);
}
