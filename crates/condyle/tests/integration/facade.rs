//! What programs write: names, handles, hooks with state, edited specs, analysis.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};

use condyle::{LengthError, forward, prelude::*};

const ARM: &str = r#"<mujoco>
  <worldbody>
    <body name="arm">
      <joint name="elbow" axis="0 1 0" range="-90 90"/>
      <geom name="link" type="capsule" fromto="0 0 0 .5 0 0" size=".05" mass="2"/>
      <site name="tip" pos=".5 0 0"/>
      <body name="puck" pos=".5 0 .2"><joint name="loose" type="ball"/><geom size=".05"/></body>
    </body>
  </worldbody>
  <actuator><motor name="elbow" joint="elbow" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/><framepos name="where" objtype="site" objname="tip"/></sensor>
</mujoco>"#;

fn sim() -> Sim {
    Sim::new(load_str(ARM, &LoadOptions::default()).unwrap_or_else(|problem| panic!("{problem}")).model)
}

#[test]
fn elements_are_found_by_name_and_by_handle() {
    let mut sim = sim();
    let elbow = sim.model.joint("elbow").unwrap();
    sim.joint_mut(elbow).set_qpos(0.5);
    sim.joint_mut("loose").unwrap().velocities().copy_from_slice(&[1.0, 2.0, 3.0]);
    sim.set_ctrl("elbow", 0.25).unwrap();
    sim.forward();
    assert_eq!((sim.joint(elbow).qpos(), sim.joint("elbow").unwrap().name()), (0.5, "elbow"));
    assert_eq!(sim.joint("loose").unwrap().velocities(), [1.0, 2.0, 3.0]);
    assert_eq!(
        (sim.joint("loose").unwrap().coordinates().len(), sim.joint("loose").unwrap().range()),
        (4, None)
    );
    assert_eq!(sim.actuator("elbow").unwrap().ctrl(), 0.25);
    assert_eq!(sim.actuator("elbow").unwrap().range(), Some([-1.0, 1.0]));
    assert_eq!(sim.sensor("angle").unwrap(), [0.5]);
    assert_eq!(sim.sensor("where").unwrap(), sim.site("tip").unwrap().position());
    let tip = sim.site("tip").unwrap().position();
    assert!((tip[0] - 0.5 * 0.5f64.cos()).abs() < 1e-15 && (tip[2] + 0.5 * 0.5f64.sin()).abs() < 1e-15);
    let arm = sim.body("arm").unwrap().id();
    assert_eq!(sim.body("puck").unwrap().parent(), Some(arm));
    assert_eq!(
        sim.model.bodies().map(|body| sim.model.name_of(body)).collect::<Vec<_>>(),
        ["world", "arm", "puck"]
    );
}

#[test]
fn an_unknown_name_is_an_error_with_a_suggestion() {
    let sim = sim();
    let problem = sim.joint("elbo").map(|_| ()).unwrap_err();
    assert_eq!(problem.to_string(), "no joint is called \"elbo\"; did you mean \"elbow\"?");
    assert_eq!(sim.sensor("").unwrap_err().to_string(), "no sensor is called \"\"");
}

/// Counts its calls, runs the simulation it is called from, and fails when told to.
struct Counting {
    calls: u32,
    out: Sender<u32>,
    fail: Receiver<()>,
}

impl Hooks for Counting {
    fn control(&mut self, sim: &mut SimMut<'_>) {
        self.calls += 1;
        let _ = self.out.send(self.calls);
        forward(sim.model, sim.data);
        assert!(self.fail.try_recv().is_err(), "told to fail");
    }
}

#[test]
fn a_hook_keeps_its_state_is_not_called_inside_itself_and_survives_a_panic() {
    let mut sim = sim();
    let ((out, calls), (fail, told)) = (channel(), channel());
    sim.set_hooks(Counting { calls: 0, out, fail: told });
    sim.run(3);
    assert_eq!(calls.try_iter().collect::<Vec<_>>(), [1, 2, 3]);
    fail.send(()).unwrap();
    assert!(
        catch_unwind(AssertUnwindSafe(|| {
            sim.step();
        }))
        .is_err()
    );
    sim.run(2);
    assert_eq!(calls.try_iter().collect::<Vec<_>>(), [4, 5, 6]);
    sim.remove_hooks();
    sim.step();
    assert_eq!(calls.try_iter().count(), 0);
}

#[test]
fn closures_control_add_forces_and_forbid_collisions() {
    let text = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .04"><freejoint/><geom size=".05"/></body></worldbody></mujoco>"#;
    let mut sim = Sim::new(load_str(text, &LoadOptions::default()).unwrap().model);
    sim.forward();
    assert_eq!(sim.data.contacts.len(), 1);
    sim.set_hooks(
        Callbacks::new()
            .may_collide(|_, _, _| false)
            .passive_forces(|sim| sim.data.passive.qfrc_passive[2] += 9.81 * sim.model.body_mass[1]),
    );
    sim.forward();
    assert_eq!(sim.data.contacts.len(), 0);
    assert!(sim.data.acceleration.qacc[2].abs() < 1e-12);
}

#[test]
fn a_jacobian_predicts_the_velocity_of_a_point() {
    let mut sim = sim();
    sim.data.state.qvel.copy_from_slice(&[0.7, 1.0, -2.0, 0.5]);
    sim.forward();
    let jacobian = sim.body_jacobian("puck").unwrap();
    let (linear, angular) = jacobian.velocity(&sim.data.state.qvel);
    let puck = sim.body("puck").unwrap();
    for axis in 0..3 {
        assert!((linear[axis] - puck.linear_velocity()[axis]).abs() < 1e-14);
        assert!((angular[axis] - puck.angular_velocity()[axis]).abs() < 1e-14);
    }
    // Power is the same seen from the point and from the joints.
    let forces = jacobian.joint_forces([1.0, 2.0, 3.0], [0.0; 3]);
    let power: f64 = forces.iter().zip(&sim.data.state.qvel).map(|(a, b)| a * b).sum();
    assert!((power - (linear[0] + 2.0 * linear[1] + 3.0 * linear[2])).abs() < 1e-13);
}

#[test]
fn an_element_that_misses_another_is_named_when_a_spec_is_compiled() {
    let mut spec = Spec::parse(ARM).unwrap();
    let elbow = spec.joint("elbow").unwrap();
    spec.remove(elbow).unwrap();
    assert!(spec.remove(elbow).is_err());
    let problem = spec.compile(&LoadOptions::default()).map(|_| ()).unwrap_err().to_string();
    assert!(problem.contains("elbow") && problem.contains("actuator"), "{problem}");
    // A body takes what refers to it along.
    let mut spec = Spec::parse(ARM).unwrap();
    spec.remove(spec.body("arm").unwrap()).unwrap();
    let model = spec.compile(&LoadOptions::default()).unwrap().model;
    assert_eq!((model.nbody, model.nu, model.nsensor), (1, 0, 0));
    assert!(Spec::parse(&spec.to_mjcf()).is_ok());
}

#[test]
fn limits_of_the_load_options_hold() {
    let mut options = LoadOptions::default();
    options.limits.elements = 5;
    assert!(load_str(ARM, &options).is_err());
}

#[test]
fn a_wrong_number_of_accelerations_is_refused() {
    let mut sim = sim();
    assert_eq!(sim.inverse_dynamics(&[0.0]), Err(LengthError { expected: 4, found: 1 }));
}
