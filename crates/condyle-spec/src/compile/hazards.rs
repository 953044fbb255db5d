//! Models with which MuJoCo 3.5.0 stops at run time, or refuses to load after a trial: they load here, with a warning that says so.
//!
//! A step never aborts, so each of them has a defined outcome: contacts between bodies that cannot move carry no force, trees tied by
//! tendons or flexes sleep and wake by themselves, inverse dynamics takes the acceleration as it is, and a singular matrix is counted as a
//! warning of the step.

use condyle_base::{Diagnostic, Severity};
use condyle_engine::Data;
use condyle_model::{EqualityType, Integrator, Model, ObjectType, Warning, enable};

use super::ids::Ids;
use super::problems::{VALUE, element_error};
use super::work::Work;
use crate::element::Element;

/// Codes of the warnings.
const STATIC_PAIR: &str = "W0710";
const TIED_SLEEP: &str = "W0711";
const DISCRETE_INVERSE: &str = "W0712";
const SINGULAR: &str = "W0713";

fn warning<T: Element>(code: &'static str, element: &T, message: &str, help: &str) -> Diagnostic {
    let problem = element_error(code, element, "", message);
    Diagnostic { severity: Severity::Warning, ..problem }.help(help)
}

impl Work<'_> {
    /// Warns of what makes MuJoCo stop.
    pub(super) fn check_hazards(&mut self, model: &Model, ids: &Ids) {
        self.check_static_pairs(model, ids);
        self.check_tied_sleep(model);
        self.check_discrete_inverse(model);
        self.check_implicit_matrix(model);
        self.check_history(model);
    }

    /// Delays are measured in time steps, so a history needs a step that is longer than zero. There is no sensible outcome without
    /// one: this is an error here too.
    fn check_history(&mut self, model: &Model) {
        if model.nhistory == 0 || model.opt.timestep > 0.0 || model.opt.timestep.is_nan() {
            return;
        }
        let message =
            format!("a history of samples needs a time step longer than 0, but it is {}", model.opt.timestep);
        let actuator = self.actuators.iter().find(|actuator| actuator.source.nsample > 0);
        let sensor = self.sensors.iter().find(|sensor| sensor.source.nsample > 0);
        let problem = match (actuator, sensor) {
            (Some(actuator), _) => element_error(VALUE, actuator.source, "nsample", message),
            (None, Some(sensor)) => element_error(VALUE, sensor.source, "nsample", message),
            (None, None) => Diagnostic::error(VALUE, message),
        };
        self.problems.push(problem.help("set a timestep such as 0.002 in <option>, or remove nsample"));
    }

    /// Pairs of geoms on bodies that no joint moves.
    fn check_static_pairs(&mut self, model: &Model, ids: &Ids) {
        for pair in &self.pairs {
            let fixed = |geom: usize| {
                let body = ids.of(ObjectType::Body, self.geoms[geom].body);
                usize::try_from(body).is_ok_and(|body| model.body_treeid[body] < 0)
            };
            if pair.geoms.into_iter().all(fixed) {
                self.problems.push(warning(
                    STATIC_PAIR,
                    pair.source,
                    "both geoms are on bodies that no joint moves, so their contact does nothing; MuJoCo 3.5.0 stops when they touch",
                    "remove the pair, or give one of the bodies a joint",
                ));
            }
        }
    }

    /// Equalities of tendons and flexes while trees may sleep.
    fn check_tied_sleep(&mut self, model: &Model) {
        if model.opt.enableflags & enable::SLEEP == 0 {
            return;
        }
        for equality in &self.equalities {
            let what = match equality.source.kind {
                EqualityType::Tendon => "tendons",
                EqualityType::Flex | EqualityType::FlexVert => "flexes",
                _ => continue,
            };
            if equality.source.active {
                let message = format!(
                    "equalities of {what} do not keep trees awake; MuJoCo 3.5.0 stops at the first step"
                );
                let help = "switch sleeping off: <option><flag sleep=\"disable\"/></option>";
                self.problems.push(warning(TIED_SLEEP, equality.source, &message, help));
            }
        }
    }

    /// Discrete inverse dynamics with an integrator that has none.
    fn check_discrete_inverse(&mut self, model: &Model) {
        let discrete = model.opt.enableflags & enable::INVDISCRETE != 0;
        if discrete && model.opt.integrator == Integrator::Rk4 as i32 {
            let message = "discrete inverse dynamics is not defined for the RK4 integrator: inverse dynamics takes the acceleration as it \
                           is; MuJoCo 3.5.0 stops when it computes it";
            let help = "use another integrator, or switch invdiscrete off";
            self.problems.push(Diagnostic::warning(DISCRETE_INVERSE, message).help(help));
        }
    }

    /// Forces that grow with velocity can make the matrix of the implicit integrator singular: it is tried with one step.
    fn check_implicit_matrix(&mut self, model: &Model) {
        if model.opt.integrator != Integrator::Implicit as i32 {
            return;
        }
        let driven = |actuator: &usize| {
            model.actuator_biasprm[*actuator][2] > 0.0 || model.actuator_gainprm[*actuator][2] != 0.0
        };
        let actuator = (0..model.nu).find(driven);
        let negative = model.dof_damping.iter().chain(&model.tendon_damping).any(|damping| *damping < 0.0);
        if actuator.is_none() && !negative {
            return;
        }
        let mut data = Data::new(model);
        condyle_engine::step(model, &mut data);
        if data.diagnostics.warning[Warning::Inertia as usize].number == 0 {
            return;
        }
        let message = "forces that grow with velocity make the matrix of the implicit integrator singular at this time step; MuJoCo 3.5.0 \
                       refuses the model";
        let help = "make the velocity gain negative (kv positive), or change the time step or the integrator";
        let problem = match actuator.and_then(|actuator| self.actuators.get(actuator)) {
            Some(actuator) => warning(SINGULAR, actuator.source, message, help),
            None => Diagnostic::warning(SINGULAR, message).help(help),
        };
        self.problems.push(problem);
    }
}
