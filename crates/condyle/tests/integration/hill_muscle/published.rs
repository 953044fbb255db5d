//! Contract: the muscle behaves as muscles have been measured to. Sources are named beside the numbers.

use condyle::Sim;
use condyle_engine::actuation::hill_muscle::{HillMuscle, curves};
use condyle_model::hill::{stiffness_for_strain, strain_for_stiffness};

use super::{arm, hill, model};

/// Gordon, Huxley and Julian (1966): tension of frog fibres against sarcomere length in µm, optimum between 2.0 and 2.25.
const SARCOMERE: [(f64, f64); 5] = [(1.27, 0.0), (1.67, 0.84), (2.0, 1.0), (2.25, 1.0), (3.65, 0.0)];

fn sarcomere_force(length: f64) -> f64 {
    let micrometres = length * 2.125;
    let Some(pair) = SARCOMERE.windows(2).find(|pair| micrometres >= pair[0].0 && micrometres <= pair[1].0)
    else {
        return 0.0;
    };
    let [(x0, y0), (x1, y1)] = [pair[0], pair[1]];
    y0 + (y1 - y0) * (micrometres - x0) / (x1 - x0)
}

#[test]
fn active_force_lies_between_that_of_a_sarcomere_and_of_a_whole_muscle() {
    for step in 0..=100 {
        let length = 0.6 + 0.01 * f64::from(step);
        let force = curves::active_force(length);
        // Thelen (2003), equation 4, with the width of 0.45 given there.
        let whole = (-(length - 1.0) * (length - 1.0) / 0.45).exp();
        assert!(force >= sarcomere_force(length) - 0.05 && force <= whole + 1e-12, "{length}: {force}");
    }
}

#[test]
fn shortening_follows_the_hyperbola_of_hill() {
    // Hill (1938): (F + a)(V + b) = (F₀ + a) b with a/F₀ = b/Vmax = 0.25.
    let c = 0.25;
    for step in 0..=50 {
        let speed = 0.02 * f64::from(step);
        let force = curves::velocity_force(-speed);
        assert!(((force + c) * (speed + c) - (1.0 + c) * c).abs() < 1e-14, "{speed}");
    }
    // Power is greatest at about 0.31 of the greatest speed, with about 0.095 of the product of force and speed.
    let power = |step: i32| {
        let speed = 0.001 * f64::from(step);
        (speed, speed * curves::velocity_force(-speed))
    };
    let best = (0..=1000).map(power).fold((0.0, 0.0), |best, at| if at.1 > best.1 { at } else { best });
    assert!((best.0 - 0.309).abs() < 2e-3 && (best.1 - 0.0955).abs() < 1e-3, "{best:?}");
}

#[test]
fn lengthening_force_approaches_one_and_a_half_times_the_isometric_force() {
    // Katz (1939): lengthening muscle bears up to 1.5 to 1.8 times the isometric force, approached gradually, with a slope at rest that
    // is smaller than that of shortening.
    let (shortening, lengthening) = (curves::velocity_slope(-1e-12), curves::velocity_slope(1e-12));
    assert!(lengthening > 0.0 && lengthening < shortening);
    let mut previous = 1.0;
    for step in 1..200 {
        let force = curves::velocity_force(0.01 * f64::from(step));
        assert!(force > previous && force < 1.5);
        previous = force;
    }
}

#[test]
fn a_tendon_stretches_by_five_percent_under_the_peak_force() {
    // Millard et al. (2013): 4.9 % strain at the peak isometric force; Thelen (2003): a third of it at the end of the toe, 3.3 % in the
    // elderly.
    assert!((curves::tendon_force(strain_for_stiffness(35.0), 35.0) - 1.0).abs() < 1e-12);
    assert!((strain_for_stiffness(35.0) - 0.049).abs() < 2e-4);
    for strain in [0.033, 0.049, 0.06] {
        let stiffness = stiffness_for_strain(strain);
        assert!((curves::tendon_force(strain, stiffness) - 1.0).abs() < 1e-12);
        assert!((curves::tendon_force(0.609 * strain, stiffness) - 0.33).abs() < 2e-3);
        assert_eq!(curves::tendon_force(-0.01, stiffness), 0.0);
        let (toe, line) =
            (curves::tendon_slope(0.1 * strain, stiffness), curves::tendon_slope(strain, stiffness));
        assert!(toe < 0.1 * line, "the toe is soft");
        assert_eq!(line, stiffness);
    }
}

/// What happened to the energy over a prescribed cycle of lengths, in J.
#[derive(Debug, Default)]
struct Balance {
    /// Work done on the muscle at its ends.
    work: f64,
    /// Work done on the active part of the fibres; negative when they do work.
    active: f64,
    /// Lost to the damping of the fibres.
    damping: f64,
    /// Gained by tendon and passive fibres.
    stored: f64,
}

/// Stretch and shorten a compliant muscle by 1.5 cm once in 0.2 s while the excitation comes and goes.
fn stretch_shorten_cycle(gains: &str, timestep: f64) -> Balance {
    let text = arm(&hill(gains).replace("/>", r#" dynprm="0.01 0.04 0 1 0.1"/>"#))
        .replace("range=\"-.5 .5\"", "armature=\"1e12\"")
        .replace("<option ", &format!(r#"<option timestep="{timestep}" "#));
    let mut sim = Sim::new(model(&text));
    let muscle = HillMuscle::of(&sim.model, 0).unwrap();
    let omega = 2.0 * std::f64::consts::PI / 0.2;
    let length_at = |time: f64| 0.3 + 0.0075 * (1.0 - (omega * time).cos());
    let energy = |length: f64, fiber: f64| {
        let tendon = muscle.slack_length
            * curves::tendon_energy(muscle.strain(length, fiber), muscle.tendon_stiffness);
        muscle.force * (tendon + muscle.optimal_length * curves::passive_energy(fiber))
    };
    sim.data.state.qpos[0] = length_at(0.0);
    sim.data.state.act[1] = 0.2;
    sim.forward();
    let mut balance =
        Balance { stored: -energy(length_at(0.0), sim.data.state.act[0]), ..Balance::default() };
    let steps = (0.2 / timestep).round() as usize;
    for step in 0..steps {
        let time = step as f64 * timestep;
        sim.data.state.qpos[0] = length_at(time);
        sim.data.state.qvel[0] = 0.0;
        sim.data.inputs.ctrl[0] = if time < 0.1 { 0.9 } else { 0.05 };
        let [fiber, activation] = [sim.data.state.act[0], sim.data.state.act[1]];
        sim.step();
        let moved = sim.data.state.act[0] - fiber;
        let velocity = moved / timestep / muscle.max_velocity;
        let tension = -sim.data.actuation.actuator_force[0];
        balance.work += tension * (length_at(time + timestep) - length_at(time));
        let active = activation * curves::active_force(fiber) * curves::velocity_force(velocity);
        balance.active += muscle.force * active * moved * muscle.optimal_length;
        balance.damping += muscle.force * muscle.damping * velocity * moved * muscle.optimal_length;
    }
    balance.stored += energy(length_at(0.2), sim.data.state.act[0]);
    balance
}

#[test]
fn energy_is_balanced_over_a_stretch_shorten_cycle() {
    for gains in ["0.10 0.20 10 0 35", "0.10 0.20 10 0.35 35 1"] {
        let error = |timestep: f64| {
            let balance = stretch_shorten_cycle(gains, timestep);
            assert!(
                balance.work > 1.0,
                "stretching an active muscle and letting it shorten passively costs work"
            );
            assert!(balance.damping > 0.0, "{balance:?}");
            let gone = balance.active + balance.damping + balance.stored;
            ((balance.work - gone) / balance.work).abs()
        };
        let (coarse, fine) = (error(1e-4), error(1e-5));
        assert!(fine < 1e-3, "{gains}: {fine}");
        assert!(fine < 0.2 * coarse, "{gains}: the error must vanish with the time step, {coarse} {fine}");
    }
}

#[test]
fn a_tendon_gives_back_what_it_stored() {
    // With passive, nearly undamped fibres the cycle conserves energy.
    let stored = curves::tendon_energy(0.05, 35.0);
    let mut work = 0.0;
    let steps = 20_000;
    for step in 0..steps {
        let strain = 0.05 * (f64::from(step) + 0.5) / f64::from(steps);
        work += curves::tendon_force(strain, 35.0) * 0.05 / f64::from(steps);
    }
    assert!((work - stored).abs() < 1e-9, "{work} {stored}");
}
