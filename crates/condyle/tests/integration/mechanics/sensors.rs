//! Readings of sensors, and forces between bodies, beside numbers computed from poses alone: velocities and accelerations are differences
//! of poses along the motion, forces what masses need for them.

use condyle::data::Kinematics;
use condyle::prelude::*;
use condyle::query::motion::integrate_position;
use condyle_engine::acceleration::internal_force;

use super::{free_motion, kinetic, trees};
use crate::common::{model, near, sim, world};

type Vec3 = [f64; 3];
type Mat3 = [f64; 9];

fn sum(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| a[i] + b[i])
}

fn less(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| a[i] - b[i])
}

fn times(a: Vec3, factor: f64) -> Vec3 {
    a.map(|x| factor * x)
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector in the axes of a frame.
fn local(axes: &Mat3, v: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| (0..3).map(|k| axes[3 * k + i] * v[k]).sum())
}

/// The matrix turned over times another.
fn transposed_product(a: &Mat3, b: &Mat3) -> Mat3 {
    std::array::from_fn(|i| (0..3).map(|k| a[3 * k + i / 3] * b[3 * k + i % 3]).sum())
}

/// Poses a little before, now, and a little after.
struct Path {
    before: Sim,
    now: Sim,
    after: Sim,
}

const H: f64 = 1e-4;

impl Path {
    fn of(sim: &Sim) -> Self {
        let at = |time: f64| {
            let mut moved = sim.clone();
            let (state, qacc) = (&sim.data.state, &sim.data.acceleration.qacc);
            let mean: Vec<f64> =
                state.qvel.iter().zip(qacc.iter()).map(|(v, a)| v + 0.5 * time * a).collect();
            integrate_position(&sim.model, &mut moved.data.state.qpos, &mean, time);
            moved.forward();
            moved
        };
        Self { before: at(-H), now: sim.clone(), after: at(H) }
    }

    /// How a frame moves.
    fn motion(&self, frame: impl Fn(&Kinematics) -> (Vec3, Mat3)) -> Motion {
        let [(p0, r0), (position, axes), (p1, r1)] =
            [&self.before, &self.now, &self.after].map(|sim| frame(&sim.data.kinematics));
        let spin = |rate: Mat3| {
            // The skew part of R' Rᵀ, and of R'' Rᵀ.
            let product =
                |i: usize, j: usize| -> f64 { (0..3).map(|k| rate[3 * i + k] * axes[3 * j + k]).sum() };
            let skew = |i: usize, j: usize| 0.5 * (product(i, j) - product(j, i));
            [skew(2, 1), skew(0, 2), skew(1, 0)]
        };
        let second = |low: f64, middle: f64, high: f64| ((high - middle) - (middle - low)) / (H * H);
        Motion {
            position,
            axes,
            velocity: times(less(p1, p0), 0.5 / H),
            acceleration: [0, 1, 2].map(|i| second(p0[i], position[i], p1[i])),
            spin: spin(std::array::from_fn(|i| (r1[i] - r0[i]) / (2.0 * H))),
            spin_rate: spin(std::array::from_fn(|i| second(r0[i], axes[i], r1[i]))),
        }
    }

    /// Frames of the centres of mass.
    fn bodies(&self) -> Vec<Motion> {
        (0..self.now.model.nbody).map(|body| self.motion(|k| (k.xipos[body], k.ximat[body]))).collect()
    }
}

/// A frame and its rates, in world axes.
struct Motion {
    position: Vec3,
    axes: Mat3,
    velocity: Vec3,
    acceleration: Vec3,
    spin: Vec3,
    spin_rate: Vec3,
}

impl Motion {
    /// Inertia of a body times a vector.
    fn inertia_times(&self, inertia: Vec3, v: Vec3) -> Vec3 {
        let own = local(&self.axes, v);
        let scaled = [0, 1, 2].map(|i| inertia[i] * own[i]);
        [0, 1, 2].map(|i| (0..3).map(|k| self.axes[3 * i + k] * scaled[k]).sum())
    }

    /// Force the body needs, and torque about a point.
    fn needed(&self, mass: f64, inertia: Vec3, gravity: Vec3, about: Vec3) -> (Vec3, Vec3) {
        let force = times(less(self.acceleration, gravity), mass);
        let turning = sum(
            self.inertia_times(inertia, self.spin_rate),
            cross(self.spin, self.inertia_times(inertia, self.spin)),
        );
        (force, sum(turning, cross(less(self.position, about), force)))
    }
}

fn is_below(model: &Model, mut body: usize, above: usize) -> bool {
    while body > above {
        body = model.body_parentid[body] as usize;
    }
    body == above
}

/// What the bodies from `body` on downward need together, less what is applied to them from outside.
fn transmitted(sim: &Sim, bodies: &[Motion], body: usize, about: Vec3) -> (Vec3, Vec3) {
    let (mut force, mut torque) = ([0.0; 3], [0.0; 3]);
    for (other, motion) in bodies.iter().enumerate().filter(|(other, _)| is_below(&sim.model, *other, body)) {
        let (mass, inertia) = (sim.model.body_mass[other], sim.model.body_inertia[other]);
        let (own, turning) = motion.needed(mass, inertia, sim.model.opt.gravity, about);
        let [fx, fy, fz, tx, ty, tz] = sim.data.inputs.xfrc_applied[other];
        let applied = [fx, fy, fz];
        force = sum(force, less(own, applied));
        let moment = sum([tx, ty, tz], cross(less(motion.position, about), applied));
        torque = sum(torque, less(turning, moment));
    }
    (force, torque)
}

#[track_caller]
fn close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance, "{what}: {found:?} is not {expected:?}");
    }
}

#[test]
fn forces_between_bodies_are_what_the_bodies_below_need() {
    let mut moving = 0;
    for (name, model) in trees() {
        if model.neq > 0 || model.nmocap > 0 {
            continue;
        }
        let mut sim = free_motion(&model);
        for (body, wrench) in sim.data.inputs.xfrc_applied.iter_mut().enumerate().skip(1) {
            let scale = sim.model.body_mass[body];
            *wrench = std::array::from_fn(|i| scale * (0.9 * (body + i) as f64).sin());
        }
        sim.forward();
        let Data {
            state,
            inputs,
            kinematics,
            rows,
            contacts,
            velocity,
            solution,
            acceleration,
            body_forces,
            ..
        } = &mut sim.data;
        internal_force::update(
            &sim.model,
            state,
            inputs,
            kinematics,
            rows,
            contacts,
            velocity,
            solution,
            acceleration,
            body_forces,
        );
        let bodies = Path::of(&sim).bodies();
        let total: f64 = sim.model.body_mass.iter().sum();
        let fastest = sim.data.acceleration.qacc.iter().fold(10.0, |sum: f64, x| sum + x.abs());
        for body in 1..sim.model.nbody {
            let center = sim.data.kinematics.subtree_com[sim.model.body_rootid[body] as usize];
            let (force, torque) = transmitted(&sim, &bodies, body, center);
            let [tx, ty, tz, fx, fy, fz] = sim.data.body_forces.cfrc_int[body];
            let tolerance = 1e-5 * (1.0 + total) * fastest;
            close(&[fx, fy, fz], &force, tolerance, &format!("{name}, force on body {body}"));
            close(&[tx, ty, tz], &torque, tolerance, &format!("{name}, torque on body {body}"));
            moving += usize::from(force.iter().any(|f| f.abs() > 100.0 * tolerance));
        }
    }
    assert!(moving > 50, "only {moving} forces are large enough to see");
}

#[test]
fn free_bodies_transmit_nothing_to_the_world_whatever_holds_them() {
    let body = |name: &str, x: i32| {
        format!(
            r#"<body name="{name}" pos="{x} 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="{name}" pos=".1 0 .2"/></body>"#
        )
    };
    let names = ["hung", "held", "tied"];
    let bodies: String = names.iter().zip(2..).map(|(name, x)| body(name, x)).collect();
    let sensors: String = names
        .iter()
        .map(|name| {
            format!(
                r#"<force name="force {name}" site="{name}"/><torque name="torque {name}" site="{name}"/>"#
            )
        })
        .collect();
    let mut sim = Sim::new(model(&format!(
        r#"<mujoco><option tolerance="1e-14" iterations="500"/><worldbody>
           <body><joint name="j" axis="0 1 0"/><geom size=".1"/></body>
           <body pos="1 0 0"><joint name="k" axis="0 1 0"/><geom size=".1"/></body>{bodies}</worldbody>
           <equality><joint joint1="j" joint2="k"/><connect body1="hung" anchor=".1 .2 .3"/><weld body1="held"/>
           <connect body1="tied" body2="hung" anchor="-.1 .1 .3"/></equality><sensor>{sensors}</sensor></mujoco>"#
    )));
    for (dof, speed) in sim.data.state.qvel.iter_mut().enumerate() {
        *speed = 0.5 * (1.9 * dof as f64 + 0.4).sin();
    }
    sim.forward();
    assert!(sim.data.solution.efc_force.iter().filter(|force| force.abs() > 100.0).count() > 5);
    for name in names {
        close(reading(&sim, &format!("force {name}")), &[0.0; 3], 1e-5, name);
        // The torque of a weld is that of its rows, which is not quite that on the body.
        if name != "held" {
            close(reading(&sim, &format!("torque {name}")), &[0.0; 3], 1e-5, name);
        }
    }
}

fn reading<'a>(sim: &'a Sim, name: &str) -> &'a [f64] {
    let sensor = sim.model.find(ObjectType::Sensor, name).unwrap_or_else(|| panic!("no sensor {name}"));
    let start = sim.model.sensor_adr[sensor] as usize;
    &sim.data.sensors.sensordata[start..start + sim.model.sensor_dim[sensor] as usize]
}

/// A floating robot with a hinge, a ball joint and a slide, in motion, and sensors on all of it.
fn robot() -> Sim {
    let frames = [
        ("body", "hand"),
        ("xbody", "hand"),
        ("geom", "palm"),
        ("site", "tip"),
        ("camera", "eye"),
        ("site", "imu"),
    ];
    let mut sensors = String::new();
    for (kind, name) in frames {
        for (what, suffix) in [
            ("pos", ""),
            ("quat", ""),
            ("xaxis", ""),
            ("yaxis", ""),
            ("zaxis", ""),
            ("linvel", ""),
            ("angvel", ""),
            ("linacc", ""),
            ("angacc", ""),
            ("pos", "_seen"),
            ("quat", "_seen"),
            ("xaxis", "_seen"),
            ("yaxis", "_seen"),
            ("zaxis", "_seen"),
            ("linvel", "_seen"),
            ("angvel", "_seen"),
        ] {
            let reference = if suffix.is_empty() { "" } else { r#"reftype="site" refname="imu""# };
            sensors += &format!(
                r#"<frame{what} name="{kind}_{name}_{what}{suffix}" objtype="{kind}" objname="{name}" {reference}/>"#
            );
        }
    }
    let text = format!(
        r#"<mujoco><option magnetic=".1 -.5 .2"><flag contact="disable"/></option><worldbody>
        <body name="base" pos="0 0 1"><freejoint name="free"/><geom type="box" size=".2 .1 .05"/><site name="imu" pos=".1 .05 0" euler="20 -30 40"/>
          <body name="arm" pos=".2 0 0"><joint name="elbow" axis="0 1 .3" stiffness="3" springref="10" damping=".1" range="-50 50" limited="true"/>
            <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
            <body name="hand" pos=".3 0 0" euler="10 0 0"><joint name="wrist" type="ball" pos=".02 0 0" damping=".05" armature=".01"/>
              <geom name="palm" type="box" size=".05 .04 .02" pos=".05 .01 0" euler="0 15 0"/><geom size=".02" pos=".1 0 .03"/>
              <site name="tip" pos=".1 .02 .03" euler="0 40 -10"/><camera name="eye" pos="0 .02 .03" euler="30 0 5"/></body></body>
          <body name="cart" pos="-.2 0 0"><joint name="rail" type="slide" axis="1 0 0" range="-.2 .3" limited="true" margin=".02"/><geom size=".08"/></body></body>
        </worldbody>
        <tendon><fixed name="cord" range="0 .68" limited="true" margin=".01" stiffness="2"><joint joint="elbow" coef=".5"/><joint joint="rail" coef="2"/></fixed></tendon>
        <actuator><motor name="drive" joint="elbow" gear="3"/><motor name="second" joint="elbow" gear="-1"/>
          <position name="pull" tendon="cord" kp="7" gear="2"/><motor tendon="cord"/></actuator>
        <sensor>{sensors}<accelerometer name="accelerometer" site="tip"/><velocimeter name="velocimeter" site="tip"/><gyro name="gyro" site="tip"/>
          <force name="force" site="tip"/><torque name="torque" site="tip"/><magnetometer name="magnetometer" site="tip"/>
          <jointpos name="jointpos" joint="elbow"/><jointvel name="jointvel" joint="elbow"/><tendonpos name="tendonpos" tendon="cord"/>
          <tendonvel name="tendonvel" tendon="cord"/><actuatorpos name="actuatorpos" actuator="pull"/><actuatorvel name="actuatorvel" actuator="pull"/>
          <actuatorfrc name="actuatorfrc" actuator="pull"/><jointactuatorfrc name="jointactuatorfrc" joint="elbow"/>
          <tendonactuatorfrc name="tendonactuatorfrc" tendon="cord"/><ballquat name="ballquat" joint="wrist"/><ballangvel name="ballangvel" joint="wrist"/>
          <jointlimitpos name="jointlimitpos" joint="rail"/><jointlimitvel name="jointlimitvel" joint="rail"/><jointlimitfrc name="jointlimitfrc" joint="rail"/>
          <tendonlimitpos name="tendonlimitpos" tendon="cord"/><tendonlimitvel name="tendonlimitvel" tendon="cord"/><tendonlimitfrc name="tendonlimitfrc" tendon="cord"/>
          <subtreecom name="subtreecom" body="arm"/><subtreelinvel name="subtreelinvel" body="arm"/><subtreeangmom name="subtreeangmom" body="arm"/>
          <e_potential name="potential"/><e_kinetic name="kinetic"/><clock name="clock"/></sensor></mujoco>"#
    );
    let mut sim = Sim::new(model(&text));
    // Base, elbow, wrist, rail: the rail and the tendon are beyond their limits.
    sim.data
        .state
        .qpos
        .copy_from_slice(&[0.1, -0.2, 1.1, 0.8, 0.2, -0.4, 0.4, 0.3, 1.6, 0.4, -0.2, 0.8, 0.305]);
    sim.data.state.qvel.copy_from_slice(&[0.3, -0.5, 0.2, 1.1, -0.7, 0.4, 1.5, 0.6, -0.9, 0.5, 0.7]);
    sim.data.inputs.ctrl.copy_from_slice(&[0.4, 0.3, -0.2, 0.6]);
    sim.data.state.time = 1.25;
    sim.forward();
    sim
}

/// The matrix of a quaternion.
fn matrix_of(q: &[f64]) -> Mat3 {
    let [w, x, y, z] = [q[0], q[1], q[2], q[3]];
    [
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    ]
}

#[test]
fn readings_of_frames_follow_from_their_poses() {
    let sim = robot();
    let path = Path::of(&sim);
    let find = |kind, name| sim.model.find(kind, name).expect(name);
    let (hand, palm, eye) =
        (find(ObjectType::Body, "hand"), find(ObjectType::Geom, "palm"), find(ObjectType::Camera, "eye"));
    let (tip, imu) = (find(ObjectType::Site, "tip"), find(ObjectType::Site, "imu"));
    let reference = path.motion(|k| (k.site_xpos[imu], k.site_xmat[imu]));
    let frames = [
        ("body_hand", path.motion(|k| (k.xipos[hand], k.ximat[hand]))),
        ("xbody_hand", path.motion(|k| (k.xpos[hand], k.xmat[hand]))),
        ("geom_palm", path.motion(|k| (k.geom_xpos[palm], k.geom_xmat[palm]))),
        ("site_tip", path.motion(|k| (k.site_xpos[tip], k.site_xmat[tip]))),
        ("camera_eye", path.motion(|k| (k.cam_xpos[eye], k.cam_xmat[eye]))),
        ("site_imu", path.motion(|k| (k.site_xpos[imu], k.site_xmat[imu]))),
    ];
    // Gravity counts as an upward acceleration of whatever is sensed.
    let felt = |acceleration: Vec3| sum(acceleration, [0.0, 0.0, 9.81]);
    for (name, frame) in &frames {
        let check = |what: &str, expected: &[f64], tolerance: f64| {
            let name = format!("{name}_{what}");
            close(reading(&sim, &name), expected, tolerance, &name);
        };
        let column = |axes: &Mat3, i: usize| [axes[i], axes[3 + i], axes[6 + i]];
        check("pos", &frame.position, 0.0);
        close(&matrix_of(reading(&sim, &format!("{name}_quat"))), &frame.axes, 1e-14, "quaternion");
        let seen = transposed_product(&reference.axes, &frame.axes);
        close(&matrix_of(reading(&sim, &format!("{name}_quat_seen"))), &seen, 1e-14, "quaternion seen");
        for (i, axis) in ["xaxis", "yaxis", "zaxis"].into_iter().enumerate() {
            check(axis, &column(&frame.axes, i), 0.0);
            check(&format!("{axis}_seen"), &column(&seen, i), 1e-14);
        }
        check("linvel", &frame.velocity, 2e-6);
        check("angvel", &frame.spin, 2e-6);
        check("linacc", &felt(frame.acceleration), 1e-4);
        check("angacc", &frame.spin_rate, 1e-4);
        let offset = less(frame.position, reference.position);
        check("pos_seen", &local(&reference.axes, offset), 1e-14);
        // How the position seen changes: what the turning of the frame adds is left out.
        let carried = cross(reference.spin, offset);
        let relative = less(less(frame.velocity, reference.velocity), carried);
        check("linvel_seen", &local(&reference.axes, relative), 2e-6);
        check("angvel_seen", &local(&reference.axes, less(frame.spin, reference.spin)), 2e-6);
    }
    let site = &frames[3].1;
    close(reading(&sim, "velocimeter"), &local(&site.axes, site.velocity), 2e-6, "velocimeter");
    close(reading(&sim, "gyro"), &local(&site.axes, site.spin), 2e-6, "gyro");
    close(reading(&sim, "accelerometer"), &local(&site.axes, felt(site.acceleration)), 1e-4, "accelerometer");
    close(reading(&sim, "magnetometer"), &local(&site.axes, [0.1, -0.5, 0.2]), 1e-15, "magnetometer");
    let (force, torque) = transmitted(&sim, &path.bodies(), hand, site.position);
    close(reading(&sim, "force"), &local(&site.axes, force), 1e-4, "force");
    close(reading(&sim, "torque"), &local(&site.axes, torque), 1e-4, "torque");
}

#[test]
fn readings_of_joints_tendons_and_actuators_follow_from_positions_and_velocities() {
    let sim = robot();
    let (q, v) = (&sim.data.state.qpos, &sim.data.state.qvel);
    let (elbow, rail, elbow_speed, rail_speed) = (q[7], q[12], v[6], v[10]);
    let one = |name: &str, expected: f64| {
        close(reading(&sim, name), &[expected], 1e-12 * (1.0 + expected.abs()), name);
    };
    one("jointpos", elbow);
    one("jointvel", elbow_speed);
    let (length, speed) = (0.5 * elbow + 2.0 * rail, 0.5 * elbow_speed + 2.0 * rail_speed);
    one("tendonpos", length);
    one("tendonvel", speed);
    one("actuatorpos", 2.0 * length);
    one("actuatorvel", 2.0 * speed);
    let pull = 7.0 * (-0.2 - 2.0 * length);
    one("actuatorfrc", pull);
    // Motors on the elbow itself, and the tendon's actuators through its slope.
    one("jointactuatorfrc", 3.0 * 0.4 - 0.3 + 0.5 * (2.0 * pull + 0.6));
    one("tendonactuatorfrc", pull + 0.6);
    let ball: f64 = q[8..12].iter().map(|x| x * x).sum::<f64>().sqrt();
    close(reading(&sim, "ballquat"), &[8, 9, 10, 11].map(|i| q[i] / ball), 1e-15, "ballquat");
    close(reading(&sim, "ballangvel"), &v[7..10], 0.0, "ballangvel");
    one("jointlimitpos", 0.3 - rail - 0.02);
    one("jointlimitvel", -rail_speed);
    one("tendonlimitpos", 0.68 - length - 0.01);
    one("tendonlimitvel", -speed);
    one("clock", 1.25);
    // Both limits push back, and nothing else is constrained.
    let (joint, tendon) = (reading(&sim, "jointlimitfrc")[0], reading(&sim, "tendonlimitfrc")[0]);
    assert!(joint > 0.0 && tendon > 0.0, "{joint} {tendon}");
    let (mass, nv) = (sim.mass_matrix(), sim.model.nv);
    let accelerations = &sim.data.acceleration.qacc;
    let constraint = |dof: usize| -> f64 {
        let inertial: f64 = (0..nv).map(|j| mass[dof * nv + j] * accelerations[j]).sum();
        inertial - sim.data.smooth.qfrc_smooth[dof]
    };
    let size = joint + tendon;
    near(constraint(6), -0.5 * tendon, 1e-6 * size);
    near(constraint(10), -joint - 2.0 * tendon, 1e-6 * size);
    near(constraint(0), 0.0, 1e-6 * size);
}

#[test]
fn readings_of_subtrees_and_energies_are_sums_over_masses() {
    let sim = robot();
    let path = Path::of(&sim);
    let bodies = path.bodies();
    let arm = sim.model.find(ObjectType::Body, "arm").expect("arm");
    let below: Vec<_> = (0..sim.model.nbody).filter(|body| is_below(&sim.model, *body, arm)).collect();
    assert_eq!(below.len(), 2);
    let mass: f64 = below.iter().map(|body| sim.model.body_mass[*body]).sum();
    let mean = |of: &dyn Fn(&Motion) -> Vec3| {
        below.iter().fold([0.0; 3], |total, body| {
            sum(total, times(of(&bodies[*body]), sim.model.body_mass[*body] / mass))
        })
    };
    let (center, velocity) = (mean(&|motion| motion.position), mean(&|motion| motion.velocity));
    close(reading(&sim, "subtreecom"), &center, 1e-14, "subtreecom");
    close(reading(&sim, "subtreelinvel"), &velocity, 2e-6, "subtreelinvel");
    let momentum = below.iter().fold([0.0; 3], |total, body| {
        let motion = &bodies[*body];
        let orbit = cross(less(motion.position, center), times(motion.velocity, sim.model.body_mass[*body]));
        sum(total, sum(orbit, motion.inertia_times(sim.model.body_inertia[*body], motion.spin)))
    });
    close(reading(&sim, "subtreeangmom"), &momentum, 1e-6, "subtreeangmom");
    // Heights, the spring of the elbow about ten degrees, and that of the tendon about its length at the reference.
    let weight: f64 =
        (1..sim.model.nbody).map(|body| 9.81 * sim.model.body_mass[body] * bodies[body].position[2]).sum();
    let q = &sim.data.state.qpos;
    let ten_degrees = std::f64::consts::PI / 18.0;
    let (elbow, length) = (q[7] - ten_degrees, 0.5 * q[7] + 2.0 * q[12]);
    let rest = 0.5 * ten_degrees;
    near(sim.model.tendon_lengthspring[0][0], rest, 1e-12);
    let springs = 0.5 * 3.0 * elbow * elbow + 0.5 * 2.0 * (length - rest) * (length - rest);
    near(reading(&sim, "potential")[0], weight + springs, 1e-10 * weight);
    let expected = kinetic(&sim, &sim.data.state.qvel);
    near(reading(&sim, "kinetic")[0], expected, 1e-12 * (1.0 + expected));
}

#[test]
fn readings_of_touch_and_rays_are_weight_and_height() {
    let mut sim = sim(&world(
        r#"<geom type="plane" size="9 9 1"/><body pos="0 0 .099"><joint type="slide" axis="0 0 1"/><geom name="ball" size=".1" mass="2"/><site name="skin" size=".12"/>
           <site name="far" pos="0 0 .3" size=".01"/></body>
           <body pos="1 0 2" euler="60 0 0"><geom size=".01"/><site name="lamp" zaxis="0 0 -1"/></body>"#,
        r#"<sensor><touch name="touch" site="skin"/><touch name="elsewhere" site="far"/><rangefinder name="height" site="lamp"/>
           <contact name="load" geom1="ball" data="force"/><insidesite name="inside" site="skin" objtype="geom" objname="ball"/></sensor>"#,
    ));
    sim.run(2000);
    sim.forward();
    // At rest the floor carries two kilograms.
    near(reading(&sim, "touch")[0], 2.0 * 9.81, 1e-6);
    near(reading(&sim, "elsewhere")[0], 0.0, 0.0);
    near(reading(&sim, "load")[0].abs(), 2.0 * 9.81, 1e-6);
    near(reading(&sim, "inside")[0], 1.0, 0.0);
    // From two metres above, the ray leans by 60 degrees; the geom of its own body does not count.
    near(reading(&sim, "height")[0], 4.0, 1e-12);
}
