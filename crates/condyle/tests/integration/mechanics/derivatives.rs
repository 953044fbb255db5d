//! Derivatives the implicit integrators use, beside differences of forces; steps linearised, beside a system solved by hand.

use condyle::model::{Integrator, Model};
use condyle::prelude::*;
use condyle::query::motion::integrate_position;

use crate::common::{all_near, model, world};

/// `qDeriv` at the state of `sim`, as a full matrix.
fn velocity_derivative(sim: &Sim) -> Vec<Vec<f64>> {
    // A step leaves behind what it was taken with.
    let mut sim = sim.clone();
    sim.step();
    let (model, values) = (&sim.model, &sim.data.derivatives.qDeriv);
    (0..model.nv)
        .map(|dof| {
            let mut row = vec![0.0; model.nv];
            let start = model.D_rowadr[dof] as usize;
            for entry in start..start + model.D_rownnz[dof] as usize {
                row[model.D_colind[entry] as usize] = values[entry];
            }
            row
        })
        .collect()
}

/// Passive and actuator forces, less the bias where `with_bias`.
fn forces(sim: &Sim, with_bias: bool) -> Vec<f64> {
    let mut sim = sim.clone();
    sim.forward();
    let data = &sim.data;
    (0..sim.model.nv)
        .map(|dof| {
            let bias = if with_bias { data.bias.qfrc_bias[dof] } else { 0.0 };
            data.passive.qfrc_passive[dof] + data.actuation.qfrc_actuator[dof] - bias
        })
        .collect()
}

/// Asserts that the derivative is that of the forces; returns how many entries are not zero.
fn derivative_is_a_difference(name: &str, sim: &Sim, with_bias: bool, symmetric: bool) -> usize {
    const H: f64 = 1e-5;
    let (nv, found) = (sim.model.nv, velocity_derivative(sim));
    let mut expected = vec![vec![0.0; nv]; nv];
    for dof in 0..nv {
        let at = |change: f64| {
            let mut moved = sim.clone();
            moved.data.state.qvel[dof] += change;
            forces(&moved, with_bias)
        };
        let (low, high) = (at(-H), at(H));
        for (row, (low, high)) in low.iter().zip(&high).enumerate() {
            expected[row][dof] = (high - low) / (2.0 * H);
        }
    }
    let size = expected
        .iter()
        .flatten()
        .fold(1.0, |largest: f64, x| if x.abs() > largest { x.abs() } else { largest });
    let mut filled = 0;
    for i in 0..nv {
        for j in 0..nv {
            let wanted = if symmetric { 0.5 * (expected[i][j] + expected[j][i]) } else { expected[i][j] };
            let value = found[i][j];
            assert!((value - wanted).abs() < 1e-7 * size, "{name} ({i}, {j}): {value} is not {wanted}");
            filled += usize::from(wanted.abs() > 1e-6 * size);
        }
    }
    filled
}

/// The model in motion, with an integrator.
fn moving(mut model: Model, integrator: Integrator) -> Sim {
    model.opt.integrator = integrator as i32;
    let mut sim = Sim::new(model);
    let wave = |index: usize, phase: f64| (1.7 * index as f64 + phase).sin();
    let way: Vec<f64> = (0..sim.model.nv).map(|dof| 0.4 * wave(dof, 0.3)).collect();
    integrate_position(&sim.model, &mut sim.data.state.qpos, &way, 1.0);
    for (dof, speed) in sim.data.state.qvel.iter_mut().enumerate() {
        *speed = 0.8 * wave(dof, 1.1);
    }
    sim.data
        .inputs
        .ctrl
        .iter_mut()
        .enumerate()
        .for_each(|(index, value)| *value = 0.4 + 0.3 * wave(index, 2.0));
    sim.data
        .state
        .act
        .iter_mut()
        .enumerate()
        .for_each(|(index, value)| *value = 0.5 + 0.3 * wave(index, 0.7));
    sim.forward();
    sim
}

/// A swimmer with a ball joint and hinges in a medium; `shape` says how the medium takes its geoms.
fn swimmer(medium: &str, shape: &str) -> Model {
    model(&format!(
        r#"<mujoco><option {medium}/><default><geom {shape}/></default><worldbody>
        <body><freejoint/><geom type="box" size=".2 .1 .05"/>
          <body pos=".3 0 0"><joint type="ball"/><geom type="ellipsoid" size=".15 .1 .06"/>
            <body pos=".2 0 .1"><joint axis="0 1 0"/><geom type="capsule" size=".04 .1"/></body></body>
          <body pos="-.3 0 0"><joint axis="1 0 1"/><geom type="cylinder" size=".08 .1"/></body></body></worldbody></mujoco>"#
    ))
}

const SHAPES: [(&str, &str); 2] = [("", "boxes"), (r#"fluidshape="ellipsoid""#, "ellipsoids")];

#[test]
fn derivatives_of_the_medium_are_differences_of_its_forces() {
    let medium = r#"density="200" viscosity=".8" wind=".3 -.2 .1""#;
    for (shape, name) in SHAPES {
        let full = moving(swimmer(medium, shape), Integrator::Implicit);
        assert!(derivative_is_a_difference(name, &full, true, false) > 60, "{name}");
        // The fast integrator leaves out the bias; where the matrix is not symmetric it takes the symmetric part.
        let fast = moving(swimmer(medium, shape), Integrator::ImplicitFast);
        assert!(derivative_is_a_difference(name, &fast, false, !shape.is_empty()) > 60, "{name}");
    }
}

/// A force that grows with the power `degree` of velocity is `degree` times smaller than its derivative times velocity (Euler).
#[test]
fn derivatives_of_the_medium_times_velocity_are_its_forces_times_their_degree() {
    for (medium, degree) in [(r#"viscosity=".8""#, 1.0), (r#"density="200""#, 2.0)] {
        for (shape, name) in SHAPES {
            let sim = moving(swimmer(medium, shape), Integrator::Implicit);
            let mut still = sim.clone();
            still.data.state.qvel.fill(0.0);
            still.forward();
            let velocity = &sim.data.state.qvel;
            for (dof, row) in velocity_derivative(&sim).iter().enumerate() {
                let found: f64 = row.iter().zip(velocity.iter()).map(|(slope, speed)| slope * speed).sum();
                let force = sim.data.passive.qfrc_fluid[dof];
                // Coriolis and centrifugal forces are quadratic, gravity does not depend on velocity.
                let coriolis = sim.data.bias.qfrc_bias[dof] - still.data.bias.qfrc_bias[dof];
                let expected = degree * force - 2.0 * coriolis;
                let near = (found - expected).abs() < 1e-11 * (1.0 + force.abs());
                assert!(near, "{name}, {medium}, dof {dof}: {found} is not {expected}");
            }
        }
    }
}

#[test]
fn derivatives_of_actuators_are_differences_of_their_forces() {
    let model = model(&world(
        r#"<body><joint name="a" axis="0 1 0" damping=".3"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/><site name="s" pos=".2 0 .1"/>
             <body pos=".3 0 0"><joint name="b" axis="0 1 .5" range="-1 1"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/><site name="t" pos=".2 .1 0"/></body></body>"#,
        r#"<tendon><fixed name="f" damping=".4"><joint joint="a" coef=".7"/><joint joint="b" coef="-.4"/></fixed>
             <spatial name="p" damping=".2"><site site="s"/><site site="t"/></spatial></tendon>
           <actuator><general joint="a" gaintype="affine" gainprm="2 .3 -.6" biastype="affine" biasprm=".1 -.5 -.7"/>
             <general tendon="f" biastype="affine" biasprm="0 -1 -.9" dyntype="filterexact" dynprm=".1"/>
             <general tendon="p" gaintype="affine" gainprm="1 0 .4" dyntype="integrator" actlimited="false"/>
             <general joint="b" gaintype="affine" gainprm="1 0 .5" dyntype="filter" dynprm=".05" actearly="true"/>
             <damper joint="b" kv=".6" ctrlrange="0 1"/><velocity joint="a" kv="1.5"/><muscle joint="b" lengthrange="-1 1"/></actuator>"#,
    ));
    for integrator in [Integrator::Implicit, Integrator::ImplicitFast] {
        let sim = moving(model.clone(), integrator);
        let full = integrator == Integrator::Implicit;
        assert_eq!(derivative_is_a_difference("actuators", &sim, full, false), 4);
    }
}

/// Stiffness of a deformable body over the dofs of its nodes, from differences of its spring forces.
fn stiffness(sim: &Sim) -> Vec<Vec<f64>> {
    const H: f64 = 1e-6;
    let nv = sim.model.nv;
    let mut matrix = vec![vec![0.0; nv]; nv];
    for dof in 0..nv {
        let at = |change: f64| {
            let mut moved = sim.clone();
            moved.data.state.qpos[dof] += change;
            moved.forward();
            moved.data.passive.qfrc_spring.to_vec()
        };
        let (low, high) = (at(-H), at(H));
        for row in 0..nv {
            matrix[row][dof] = -(high[row] - low[row]) / (2.0 * H);
        }
    }
    matrix
}

#[test]
fn a_deformable_body_is_stepped_with_its_stiffness() {
    let model = model(
        r#"<mujoco><option timestep=".01" integrator="implicitfast" gravity="0 0 -1"><flag contact="disable"/></option><worldbody>
        <flexcomp type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" mass="2" radius=".01" dof="trilinear" name="soft">
        <contact selfcollide="none" internal="false"/><elasticity young="3e3" poisson=".2" damping=".02"/></flexcomp></worldbody></mujoco>"#,
    );
    let mut sim = Sim::new(model);
    for (dof, speed) in sim.data.state.qvel.iter_mut().enumerate() {
        *speed = 0.2 * (1.3 * dof as f64 + 0.4).sin();
    }
    sim.forward();
    let (nv, h, damping) = (sim.model.nv, sim.model.opt.timestep, sim.model.flex_damping[0]);
    assert_eq!(nv, 24);
    let before = sim.data.state.qvel.to_vec();
    // At rest the elastic force is zero, and with it what the rotation of the body adds.
    let stiffness = stiffness(&sim);
    let (mass, smooth) = (sim.mass_matrix(), sim.data.smooth.qfrc_smooth.to_vec());
    sim.step();
    let acceleration: Vec<f64> =
        sim.data.state.qvel.iter().zip(&before).map(|(new, old)| (new - old) / h).collect();
    let size = smooth.iter().fold(0.0, |sum: f64, x| sum + x.abs());
    let mut elastic = 0.0;
    for i in 0..nv {
        let product = |vector: &[f64]| -> f64 { stiffness[i].iter().zip(vector).map(|(k, x)| k * x).sum() };
        let inertial: f64 = (0..nv).map(|j| mass[i * nv + j] * acceleration[j]).sum();
        // (M + (h² + h d) S) q̈ = f − h S v, where f has the damping already.
        let left = inertial + (h * h + h * damping) * product(&acceleration);
        let right = smooth[i] - h * product(&before);
        assert!((left - right).abs() < 1e-6 * size, "dof {i}: {left} is not {right}");
        elastic += (h * h * product(&acceleration)).abs() + (h * product(&before)).abs();
    }
    assert!(elastic > 0.1 * size, "stiffness does not matter: {elastic} of {size}");
}

#[test]
fn a_linearised_cart_is_the_cart_solved_by_hand() {
    let (mass, spring, damping, gain, h) = (2.0, 5.0, 3.0, 4.0, 0.01);
    let text = format!(
        r#"<mujoco><option timestep="{h}"/><worldbody><body><joint name="j" type="slide" stiffness="{spring}" damping="{damping}"/>
        <geom size=".1" mass="{mass}"/></body></worldbody><actuator><motor joint="j" gear="{gain}"/></actuator>
        <sensor><jointpos joint="j"/><jointvel joint="j"/><jointactuatorfrc joint="j"/></sensor></mujoco>"#
    );
    let mut sim = Sim::new(model(&text));
    sim.data.state.qpos[0] = 0.3;
    sim.data.state.qvel[0] = -0.2;
    sim.data.inputs.ctrl[0] = 0.5;
    // Euler's method takes the damping at the end of the step: v' = v + h (−k x − c v + g u) / (m + h c), x' = x + h v'.
    let inverse = 1.0 / (mass + h * damping);
    let (by_x, by_v, by_u) = (-h * spring * inverse, 1.0 - h * damping * inverse, h * gain * inverse);
    for (centered, tolerance) in [(true, 1e-8), (false, 1e-6)] {
        let options = LinearizeOptions::default().centered(centered);
        let found = sim.linearize(&options).expect("the model is sound");
        all_near(&found.a, &[1.0 + h * by_x, h * by_v, by_x, by_v], tolerance);
        all_near(&found.b, &[h * by_u, by_u], tolerance);
        all_near(&found.c, &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0], tolerance);
        // The reference has central differences of readings by controls with the opposite sign.
        let sign = if centered { -1.0 } else { 1.0 };
        all_near(&found.d, &[0.0, 0.0, sign * gain], tolerance);
    }
}

#[test]
fn inverse_dynamics_of_a_planar_arm_differ_as_its_equations_say() {
    let (length, reach, mass, damping) = (0.4, 0.3, 2.0, [0.7, 0.2]);
    let text = format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint axis="0 1 0" damping="{}"/><geom size=".05" pos=".2 0 0" mass="1"/>
        <body pos="{length} 0 0"><joint axis="0 1 0" damping="{}"/><geom size=".05" pos="{reach} 0 0" mass="{mass}"/></body></body></worldbody></mujoco>"#,
        damping[0], damping[1]
    );
    let mut sim = Sim::new(model(&text));
    let (bend, v, a) = (0.8, [0.6, -1.1], [2.0, 3.0]);
    sim.data.state.qpos.copy_from_slice(&[0.3, bend]);
    sim.data.state.qvel.copy_from_slice(&v);
    sim.data.acceleration.qacc.copy_from_slice(&a);
    sim.forward();
    let inertia = sim.mass_matrix();
    sim.data.acceleration.qacc.copy_from_slice(&a);
    let found = condyle_engine::finite_difference::inverse(&sim.model, &mut sim.data, 1e-7, false, false)
        .expect("the model is sound");
    // The squared distance of the second mass from the first joint is l² + r² + 2 l r cos: the angle changes inertia and Coriolis forces.
    let (sine, cosine) = f64::sin_cos(bend);
    let coupling = mass * length * reach;
    all_near(&found.force_by_acceleration, &inertia, 1e-6);
    let by_velocity = [
        damping[0] - 2.0 * coupling * sine * v[1],
        2.0 * coupling * sine * v[0],
        -2.0 * coupling * sine * (v[0] + v[1]),
        damping[1],
    ];
    all_near(&found.force_by_velocity, &by_velocity, 1e-6);
    // The diagonal of each joint, then what couples the second with the first.
    all_near(
        &found.inertia_by_position,
        &[0.0, 0.0, 0.0, -2.0 * coupling * sine, 0.0, -coupling * sine],
        1e-6,
    );
    let by_bend = [
        -coupling * sine * (2.0 * a[0] + a[1]) - coupling * cosine * (2.0 * v[0] * v[1] + v[1] * v[1]),
        -coupling * sine * a[0] + coupling * cosine * v[0] * v[0],
    ];
    all_near(&found.force_by_position, &[0.0, 0.0, by_bend[0], by_bend[1]], 1e-5);
}
