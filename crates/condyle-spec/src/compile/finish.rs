//! What is computed once the arrays are filled: simple dofs, total mass, working memory, sparsity, and the constants that depend
//! on the reference configuration.

use condyle_base::diagnostic::Diagnostic;
use condyle_engine::constants::{set_constants_with, set_length_ranges};
use condyle_engine::data::{Data, sleep_enabled};
use condyle_math::{MIN_VALUE, scalar};
use condyle_model::{
    BiasType, GainType, JointType, LengthRangeMode, Model, SleepPolicy, Statistic, TransmissionType, WrapType,
};

use super::joint::dof_count;
use super::pose::upper;
use super::problems::{INVALID_MODEL, TOO_LARGE, element_error};
use super::sizes::{arena_bytes, buffer_bytes};
use super::sparse;
use super::work::Work;

/// Longest simulation of a length range, per actuator and direction.
const MAX_LENGTH_STEPS: f64 = 1e6;

impl Work<'_> {
    /// Completes the model.
    pub(super) fn finish(&mut self, model: &mut Model) -> Option<()> {
        let spec = self.spec;
        simple_dofs(model);
        model.nJmom = moment_entries(model);
        if spec.compiler.settotalmass > 0.0 {
            scale_mass(model, spec.compiler.settotalmass);
        }
        model.narena = arena_bytes(model, spec.sizes.memory, spec.sizes.nstack);
        model.M_colind = vec![0; model.nC].into();
        model.mapM2M = vec![0; model.nC].into();
        model.mapD2M = vec![0; model.nC].into();
        self.check_sizes(model)?;
        sparse::fill(model);
        model.nbuffer = buffer_bytes(model).and_then(|bytes| usize::try_from(bytes).ok())?;
        for key in 0..model.nkey {
            normalize_qpos(model, key);
        }
        self.constants(model)?;
        self.check_muscle_paths(model);
        self.override_statistics(model);
        model.signature = self.signature(model);
        self.check_plugins(model)?;
        self.check_initial_sleep(model)
    }

    /// Trees that are to start asleep must be able to: each is at rest, and so is all it touches or is tied to. Like the reference
    /// this tries it, with one forward computation.
    fn check_initial_sleep(&mut self, model: &Model) -> Option<()> {
        let starts_asleep = |tree: &usize| model.tree_sleep_policy[*tree] == SleepPolicy::Init as i32;
        if !sleep_enabled(model) || !(0..model.ntree).any(|tree| starts_asleep(&tree)) {
            return Some(());
        }
        let asleep = Data::new(model).state.tree_asleep;
        let restless: Vec<usize> =
            (0..model.ntree).filter(starts_asleep).filter(|&tree| asleep[tree] < 0).collect();
        for &tree in &restless {
            let body = model.tree_bodyadr[tree] as usize;
            let Some(&position) = self.body_order.get(body) else { continue };
            let message = "cannot start asleep, because what it touches or is tied to is not asleep too";
            let problem = element_error(INVALID_MODEL, self.bodies[position].source, "sleep", message);
            self.problems
                .push(problem.help("give sleep=\"init\" to every body of the group, or to none of it"));
        }
        restless.is_empty().then_some(())
    }

    /// Constants of the reference configuration, springs given by their response, and length ranges.
    fn constants(&mut self, model: &mut Model) -> Option<()> {
        model.stat =
            Statistic { meaninertia: 1.0, meanmass: 1.0, meansize: 0.2, extent: 2.0, center: [0.0; 3] };
        let meshes: Vec<_> = self.compiled_meshes().map(|(_, compiled)| &compiled.prepared).collect();
        if let Err(error) = set_constants_with(model, |mesh| meshes.get(mesh).copied()) {
            self.problems.general(INVALID_MODEL, None, error.to_string());
            return None;
        }
        self.springs_from_response(model);
        self.length_ranges(model)
    }

    fn length_ranges(&mut self, model: &mut Model) -> Option<()> {
        let range = &self.spec.compiler.length_range;
        let gains = [GainType::Muscle, GainType::HillMuscle].map(|kind| kind as i32);
        let biases = [BiasType::Muscle, BiasType::HillMuscle].map(|kind| kind as i32);
        let muscles = model.actuator_gaintype.iter().any(|kind| gains.contains(kind))
            || model.actuator_biastype.iter().any(|kind| biases.contains(kind));
        let simulated = match range.mode {
            LengthRangeMode::None => false,
            LengthRangeMode::Muscle => muscles,
            LengthRangeMode::MuscleUser | LengthRangeMode::All => model.nu > 0,
        };
        let timestep = if range.timestep > 0.0 { range.timestep } else { model.opt.timestep };
        if simulated && !(timestep > 0.0 && range.inttotal / timestep <= MAX_LENGTH_STEPS) {
            let message = format!("length ranges would take more than {MAX_LENGTH_STEPS} steps to simulate");
            self.problems.general(TOO_LARGE, None, message);
            return None;
        }
        if let Err(error) = set_length_ranges(model, range) {
            let actuator = error.actuator();
            let problem = match self.actuators.get(actuator) {
                Some(actuator) => element_error(INVALID_MODEL, actuator.source, "", error.to_string()),
                None => Diagnostic::error(INVALID_MODEL, error.to_string()),
            };
            self.problems.push(problem.help("set lengthrange of the actuator by hand"));
            return None;
        }
        Some(())
    }

    /// Stiffness and damping of joints that give a time constant and a damping ratio instead.
    fn springs_from_response(&self, model: &mut Model) {
        for (joint, work) in self.joints.iter().enumerate() {
            let [time_constant, damping_ratio] = work.source.springdamper;
            if time_constant <= 0.0 || damping_ratio <= 0.0 {
                continue;
            }
            let first = model.jnt_dofadr[joint] as usize;
            let dofs = first..first + dof_count(work.source.kind);
            let mut inverse = 0.0;
            for dof in dofs.clone() {
                inverse += model.dof_invweight0[dof];
            }
            let inertia = dofs.len() as f64 / upper(MIN_VALUE, inverse);
            let rate = time_constant * time_constant * damping_ratio * damping_ratio;
            model.jnt_stiffness[joint] = inertia / upper(MIN_VALUE, rate);
            let damping = 2.0 * inertia / upper(MIN_VALUE, time_constant);
            model.dof_damping[dofs].fill(damping);
        }
    }

    fn override_statistics(&self, model: &mut Model) {
        let given = &self.spec.statistic;
        let stat = &mut model.stat;
        // NaN means "not given"; of the center its first coordinate decides.
        let number = |given: Option<f64>, computed: f64| given.filter(|x| !x.is_nan()).unwrap_or(computed);
        stat.extent = number(given.extent, stat.extent);
        stat.meaninertia = number(given.meaninertia, stat.meaninertia);
        stat.meanmass = number(given.meanmass, stat.meanmass);
        stat.meansize = number(given.meansize, stat.meansize);
        stat.center = given.center.filter(|center| !center[0].is_nan()).unwrap_or(stat.center);
    }
}

/// Bodies moved by a tendon with inertia are not simple; counts consecutive simple dofs and the entries of M.
fn simple_dofs(model: &mut Model) {
    for tendon in 0..model.ntendon {
        if model.tendon_armature[tendon] == 0.0 {
            continue;
        }
        let first = model.tendon_adr[tendon] as usize;
        for wrap in first..first + model.tendon_num[tendon] as usize {
            let Ok(object) = usize::try_from(model.wrap_objid[wrap]) else { continue };
            let body = match model.wrap_type(wrap) {
                Some(WrapType::Site) => model.site_bodyid[object],
                Some(WrapType::Cylinder | WrapType::Sphere) => model.geom_bodyid[object],
                _ => continue,
            };
            model.body_simple[body as usize] = 0;
        }
    }
    let mut count = 0;
    for dof in (0..model.nv).rev() {
        let simple = model.body_simple[model.dof_bodyid[dof] as usize] != 0;
        count = if simple { count + 1 } else { 0 };
        model.dof_simplenum[dof] = count;
    }
    let mut depth = vec![0_usize; model.nv];
    model.nC = 0;
    for dof in 0..model.nv {
        depth[dof] = 1 + usize::try_from(model.dof_parentid[dof]).map_or(0, |above| depth[above]);
        model.nC += if model.dof_simplenum[dof] == 0 { depth[dof] } else { 1 };
    }
}

/// Upper bound of the non-zeros in the actuator moment matrix.
#[deny(clippy::wildcard_enum_match_arm)]
fn moment_entries(model: &Model) -> usize {
    (0..model.nu)
        .map(|actuator| match model.actuator_trntype(actuator) {
            Some(TransmissionType::Joint | TransmissionType::JointInParent) => {
                let joint = model.actuator_trnid[actuator][0] as usize;
                model.jnt_type(joint).map_or(0, dof_count)
            }
            Some(
                TransmissionType::SliderCrank
                | TransmissionType::Tendon
                | TransmissionType::Site
                | TransmissionType::Body
                | TransmissionType::Undefined,
            )
            | None => model.nv,
        })
        .sum()
}

/// Scales all masses and inertias to a total mass.
fn scale_mass(model: &mut Model, mass: f64) {
    let mut total = 0.0;
    for body in 1..model.nbody {
        total += model.body_mass[body];
    }
    let scale = scalar::max(MIN_VALUE, mass / scalar::max(MIN_VALUE, total));
    for body in 1..model.nbody {
        model.body_mass[body] *= scale;
        for moment in &mut model.body_inertia[body] {
            *moment *= scale;
        }
    }
}

/// Normalises the quaternions of a keyframe by the rule of the simulation.
fn normalize_qpos(model: &mut Model, key: usize) {
    for joint in 0..model.njnt {
        let offset = match model.jnt_type(joint) {
            Some(JointType::Free) => 3,
            Some(JointType::Ball) => 0,
            _ => continue,
        };
        let start = key * model.nq + model.jnt_qposadr[joint] as usize + offset;
        if let Some(place) = model.key_qpos.get_mut(start..start + 4)
            && let Ok(quat) = <[f64; 4]>::try_from(&*place)
        {
            place.copy_from_slice(&condyle_math::quat::normalize(quat).0);
        }
    }
}
