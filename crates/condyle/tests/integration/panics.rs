//! A panic in user code leaves a simulation whole: who catches it goes on from the state it left, with the same bits as a simulation
//! that was put into this state and never knew a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use condyle::hooks::PairContext;
use condyle::model::{Integrator, Stage, disable};
use condyle::plugin::Plugin;
use condyle::prelude::*;
use condyle::rollout::{Output, Rollout, Trajectories};
use condyle::state::{self, component};
use condyle::{ActuatorId, GeomId, SensorId, forward, step};

/// Two convex shapes fall beside a driven arm; one of the sensors of their distance is delayed.
const SCENE: &str = r#"<mujoco>
  <extension><plugin plugin="mujoco.pid"><instance name="pid"/></plugin></extension>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="egg" pos="0 0 .08"><freejoint/><geom name="egg" type="ellipsoid" size=".1 .05 .07"/></body>
    <body name="can" pos=".2 0 .1" euler="20 0 0"><freejoint/><geom name="can" type="cylinder" size=".05 .08"/></body>
    <body name="arm" pos="0 1 .5">
      <joint name="swing" axis="0 1 0" damping=".1"/>
      <geom name="link" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <site name="tip" pos=".3 0 0"/>
    </body>
  </worldbody>
  <actuator>
    <general name="muscle" joint="swing" dyntype="user" actdim="1" gaintype="user" biastype="user"/>
    <plugin name="pid" joint="swing" plugin="mujoco.pid" instance="pid"/>
  </actuator>
  <sensor>
    <distance geom1="egg" geom2="can" cutoff="1"/>
    <distance geom1="egg" geom2="can" cutoff="1" nsample="6" delay="0.004"/>
    <user dim="2" needstage="pos"/>
    <user dim="1" needstage="vel"/>
    <user dim="12" needstage="acc"/>
    <framepos objtype="site" objname="tip"/>
  </sensor>
</mujoco>"#;

/// Where user code is called.
const POINTS: [&str; 13] = [
    "control",
    "passive forces",
    "activation rate",
    "gain",
    "bias",
    "collision",
    "sensor",
    "plugin rates",
    "plugin forces",
    "plugin passive forces",
    "plugin sensors",
    "plugin advance",
    "nowhere",
];

/// Fails at one point, after some calls.
#[derive(Debug)]
struct Fuse {
    point: &'static str,
    /// Calls until then; negative when it is not lit.
    calls: AtomicI32,
}

impl Fuse {
    fn new(point: &'static str) -> Arc<Self> {
        Arc::new(Self { point, calls: AtomicI32::new(-1) })
    }

    fn light(&self, calls: i32) {
        self.calls.store(calls, Ordering::Relaxed);
    }

    fn burn(&self, point: &str) {
        if self.point == point && self.calls.load(Ordering::Relaxed) >= 0 {
            assert!(self.calls.fetch_sub(1, Ordering::Relaxed) > 0, "the fuse has burnt down");
        }
    }
}

/// Hooks and a plugin whose effect follows from the state alone.
#[derive(Clone, Debug)]
struct UserCode(Arc<Fuse>);

impl Hooks for UserCode {
    fn control(&mut self, sim: &mut SimMut<'_>) {
        let angle = sim.data.state.qpos[14];
        sim.data.inputs.ctrl.fill(0.3 - angle);
        self.0.burn("control");
    }

    fn passive_forces(&mut self, sim: &mut SimMut<'_>) {
        sim.data.passive.qfrc_passive[12] -= 0.2 * sim.data.state.qvel[12];
        self.0.burn("passive forces");
    }

    fn activation_rate(&mut self, _: &Model, data: &Data, _: ActuatorId) -> f64 {
        self.0.burn("activation rate");
        3.0 * (data.inputs.ctrl[0] - data.state.act[0])
    }

    fn gain(&mut self, _: &Model, _: &Data, _: ActuatorId) -> f64 {
        self.0.burn("gain");
        2.0
    }

    fn bias(&mut self, _: &Model, data: &Data, _: ActuatorId) -> f64 {
        self.0.burn("bias");
        -0.5 * data.state.qpos[14]
    }

    fn may_collide(&mut self, _: &Model, _: PairContext<'_>, _: [GeomId; 2]) -> bool {
        self.0.burn("collision");
        true
    }

    fn sensor(&mut self, _: &Model, data: &Data, sensor: SensorId, reading: &mut [f64]) {
        reading.fill(data.state.qpos[2] + data.sensors.sensordata[0] + sensor.index() as f64);
        self.0.burn("sensor");
    }
}

impl Plugin for UserCode {
    fn activation_rates(&self, _: &Model, _: &mut Data) {
        self.0.burn("plugin rates");
    }

    fn actuator_forces(&self, _: &Model, data: &mut Data) {
        data.actuation.actuator_force[1] = 0.4 * data.inputs.ctrl[1];
        self.0.burn("plugin forces");
    }

    fn passive_forces(&self, _: &Model, data: &mut Data) {
        data.passive.qfrc_passive[12] += 0.1;
        self.0.burn("plugin passive forces");
    }

    fn sensor_stage(&self) -> Option<Stage> {
        Some(Stage::Pos)
    }

    fn sensors(&self, _: &Model, _: &mut Data) {
        self.0.burn("plugin sensors");
    }

    fn advance(&self, _: &Model, _: &mut Data) {
        self.0.burn("plugin advance");
    }
}

fn scene(integrator: Integrator) -> Model {
    let mut model =
        load_str(SCENE, &LoadOptions::default()).unwrap_or_else(|problem| panic!("{problem}")).model;
    model.opt.integrator = integrator as i32;
    model
}

fn data_with(model: &Model, fuse: &Arc<Fuse>) -> Data {
    let mut data = Data::new(model);
    condyle::hooks::set_hooks(&mut data, UserCode(fuse.clone()));
    assert!(data.plugins.set(0, Arc::new(UserCode(fuse.clone()))));
    data
}

const STATE: u32 = component::FULL_PHYSICS | component::WARMSTART | component::USER;

fn state_of(model: &Model, data: &Data) -> Vec<f64> {
    let mut numbers = vec![0.0; state::size(model, STATE)];
    state::get(data, &mut numbers, STATE);
    numbers
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// Steps until the lit fuse has burnt down; whether it did.
fn fails_within(model: &Model, data: &mut Data, steps: usize) -> bool {
    let run = AssertUnwindSafe(|| (0..steps).for_each(|_| step(model, data)));
    catch_unwind(run).is_err()
}

#[test]
fn a_simulation_goes_on_after_a_panic_in_user_code_as_if_there_had_been_none() {
    for integrator in [Integrator::Euler, Integrator::ImplicitFast, Integrator::Rk4] {
        let model = scene(integrator);
        let mut unwatched = model.clone();
        unwatched.opt.disableflags |= disable::SENSOR;
        for (point, calls) in POINTS.into_iter().flat_map(|point| [(point, 0), (point, 2)]) {
            let fuse = Fuse::new(point);
            let mut data = data_with(&model, &fuse);
            (0..30).for_each(|_| step(&model, &mut data));
            fuse.light(calls);
            assert_eq!(fails_within(&model, &mut data, 4), point != "nowhere", "{point}");
            assert!(data.fits(&model), "{point}");
            // The delayed sensor looks at distances also where no sensor is computed in a step.
            for after in [&model, &unwatched] {
                let mut failed = data.clone();
                let mut fresh = data_with(after, &fuse);
                state::set(&mut fresh, &state_of(after, &failed), STATE);
                for count in 0..5 {
                    for data in [&mut failed, &mut fresh] {
                        step(after, data);
                    }
                    let states = [&failed, &fresh].map(|data| bits(&state_of(after, data)));
                    assert_eq!(states[0], states[1], "{point}, {integrator:?}, step {count}");
                }
                // What is computed when a sensor asks stays from before where none does.
                let arrays = if std::ptr::eq(after, &model) { Data::ARRAYS } else { &[] };
                for array in arrays {
                    let found = [&failed, &fresh].map(|data| format!("{:?}", data.array(array.info.name)));
                    assert_eq!(found[0], found[1], "{point}, {integrator:?}: {}", array.info.name);
                }
            }
            let mut fresh = data_with(&model, &fuse);
            state::set(&mut fresh, &state_of(&model, &data), STATE);
            for data in [&mut data, &mut fresh] {
                forward(&model, data);
            }
            assert_eq!(bits(&data.sensors.sensordata), bits(&fresh.sensors.sensordata), "{point}");
        }
    }
}

#[test]
fn a_panic_between_the_steps_of_a_trajectory_leaves_no_pose_out_afterwards() {
    for integrator in [Integrator::Euler, Integrator::Rk4] {
        let text = r#"<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
            <site name="tip" pos=".5 0 0"/><camera pos="0 0 1"/></body></worldbody></mujoco>"#;
        let mut model = load_str(text, &LoadOptions::default()).unwrap().model;
        model.opt.integrator = integrator as i32;
        let start = vec![0.0, 0.4, 2.0];
        let models = [&model];
        let batch = Trajectories::new(&models, 10, &start);
        let mut data = [Data::new(&model)];
        let mut asked = 0;
        let run = AssertUnwindSafe(|| {
            Rollout::new(1).unwrap().run_until(&batch, &mut data, Output::default(), &mut || {
                asked += 1;
                assert!(asked < 5, "asked too often");
                false
            })
        });
        assert!(catch_unwind(run).is_err());
        let [mut data] = data;
        let mut fresh = Data::new(&model);
        state::set(&mut fresh, &state_of(&model, &data), STATE);
        for data in [&mut data, &mut fresh] {
            forward(&model, data);
        }
        assert!(data.state.time > 0.0);
        assert_eq!(data.kinematics, fresh.kinematics);
    }
}
