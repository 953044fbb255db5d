//! `condyle info`: sizes, the body tree, and where each joint lives in qpos, qvel and ctrl.

use std::fmt::Write as _;

use condyle::model::{JointType, TransmissionType};
use condyle::{Model, ObjectType};

/// The description as text.
pub fn describe(model: &Model) -> String {
    let mut text = String::new();
    let _ =
        writeln!(text, "{}", if model.model_name().is_empty() { "(unnamed)" } else { model.model_name() });
    let _ = writeln!(
        text,
        "  {} bodies, {} joints, {} geoms, {} sites, {} tendons, {} actuators, {} sensors, {} equalities",
        model.nbody, model.njnt, model.ngeom, model.nsite, model.ntendon, model.nu, model.nsensor, model.neq
    );
    let _ = writeln!(
        text,
        "  qpos {}, qvel {}, act {}, ctrl {}, sensordata {}, timestep {} s, total mass {:.6} kg",
        model.nq,
        model.nv,
        model.na,
        model.nu,
        model.nsensordata,
        model.opt.timestep,
        model.body_mass.iter().sum::<f64>()
    );
    text.push_str("\nbodies\n");
    for body in 0..model.nbody {
        let _ = writeln!(
            text,
            "  {}{} {}",
            "  ".repeat(depth(model, body)),
            label(model, ObjectType::Body, body),
            if model.body_mass[body] > 0.0 {
                format!("({:.4} kg)", model.body_mass[body])
            } else {
                String::new()
            }
        );
    }
    joints(model, &mut text);
    actuators(model, &mut text);
    keyframes(model, &mut text);
    text
}

fn depth(model: &Model, mut body: usize) -> usize {
    let mut levels = 0;
    while body > 0 {
        body = model.body_parentid[body] as usize;
        levels += 1;
    }
    levels
}

fn label(model: &Model, kind: ObjectType, id: usize) -> String {
    match model.name(kind, id) {
        "" => format!("#{id}"),
        name => name.to_owned(),
    }
}

fn range(start: usize, count: usize) -> String {
    if count == 1 { start.to_string() } else { format!("{start}..{}", start + count) }
}

fn joints(model: &Model, text: &mut String) {
    if model.njnt == 0 {
        return;
    }
    let _ =
        writeln!(text, "\n{:28} {:6} {:>9} {:>9}  {:22} actuators", "joints", "type", "qpos", "dof", "range");
    for joint in 0..model.njnt {
        let (kind, positions, velocities) = match JointType::from_i32(model.jnt_type[joint]) {
            Some(JointType::Free) => ("free", 7, 6),
            Some(JointType::Ball) => ("ball", 4, 3),
            Some(JointType::Slide) => ("slide", 1, 1),
            _ => ("hinge", 1, 1),
        };
        let limits = if model.jnt_limited[joint] != 0 {
            format!("{:.4} .. {:.4}", model.jnt_range[joint][0], model.jnt_range[joint][1])
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "  {:26} {kind:6} {:>9} {:>9}  {limits:22} {}",
            label(model, ObjectType::Joint, joint),
            range(model.jnt_qposadr[joint] as usize, positions),
            range(model.jnt_dofadr[joint] as usize, velocities),
            actuators_of(model, joint).join(", ")
        );
    }
}

fn actuators_of(model: &Model, joint: usize) -> Vec<String> {
    (0..model.nu)
        .filter(|&actuator| {
            matches!(
                TransmissionType::from_i32(model.actuator_trntype[actuator]),
                Some(TransmissionType::Joint | TransmissionType::JointInParent)
            ) && model.actuator_trnid[actuator][0] == joint as i32
        })
        .map(|actuator| format!("ctrl[{actuator}] {}", model.name(ObjectType::Actuator, actuator)))
        .collect()
}

fn actuators(model: &Model, text: &mut String) {
    if model.nu == 0 {
        return;
    }
    let _ = writeln!(text, "\n{:28} {:>5}  {:14} control range", "actuators", "ctrl", "acts on");
    for actuator in 0..model.nu {
        let kind = TransmissionType::from_i32(model.actuator_trntype[actuator])
            .map_or_else(|| "?".to_owned(), |kind| format!("{kind:?}").to_lowercase());
        let limits = if model.actuator_ctrllimited[actuator] != 0 {
            let [low, high] = model.actuator_ctrlrange[actuator];
            format!("{low:.4} .. {high:.4}")
        } else {
            "unlimited".to_owned()
        };
        let _ = writeln!(
            text,
            "  {:26} {actuator:>5}  {kind:14} {limits}",
            label(model, ObjectType::Actuator, actuator)
        );
    }
}

fn keyframes(model: &Model, text: &mut String) {
    if model.nkey == 0 {
        return;
    }
    let names: Vec<String> = (0..model.nkey).map(|key| label(model, ObjectType::Key, key)).collect();
    let _ = writeln!(text, "\nkeyframes: {}", names.join(", "));
}
