//! The numbers of a simulation that can be recorded and drawn, each with a name and a unit.
//!
//! A channel is called by its group and the element it belongs to, with the part of it where there are several: `qpos:knee`,
//! `qvel:root.wz`, `force:elbow_motor`, `sensor:imu.x`. `--signals` takes groups, elements and channels by these names.

use condyle::model::{JointType, SensorDataType};
use condyle::muscle::{HillMuscle, MuscleState, muscle_state, muscles};
use condyle::{Model, ObjectType, Sim};

use crate::label::{force_unit, joint_kind, joint_unit, label, sensor_unit, speed_of};

/// Where numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Position,
    Velocity,
    Activation,
    Control,
    Force,
    Sensor,
    /// Fibres and tendons of Hill-type muscles.
    Muscle,
}

impl Group {
    pub(crate) const ALL: [Self; 7] = [
        Self::Position,
        Self::Velocity,
        Self::Activation,
        Self::Control,
        Self::Force,
        Self::Sensor,
        Self::Muscle,
    ];

    /// Its name in columns and in `--signals`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Position => "qpos",
            Self::Velocity => "qvel",
            Self::Activation => "act",
            Self::Control => "ctrl",
            Self::Force => "force",
            Self::Sensor => "sensor",
            Self::Muscle => "muscle",
        }
    }

    /// The name of its array in a numpy archive.
    pub(crate) const fn array(self) -> &'static str {
        match self {
            Self::Force => "actuator_force",
            Self::Sensor => "sensordata",
            other => other.name(),
        }
    }

    /// What its channels are, for titles.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Activation => "activation",
            Self::Control => "control",
            Self::Force => "actuator force",
            Self::Sensor => "sensor",
            Self::Muscle => "muscle",
        }
    }

    /// Whether the numbers belong to the state a step starts from; the others are computed in it.
    pub(crate) const fn is_state(self) -> bool {
        matches!(self, Self::Position | Self::Velocity | Self::Activation | Self::Control)
    }

    /// Write the numbers of this group into a row; should it be shorter, the rest is left out.
    pub(crate) fn values(self, sim: &Sim, row: &mut [f64]) {
        let data = &sim.data;
        let source: &[f64] = match self {
            Self::Position => &data.state.qpos,
            Self::Velocity => &data.state.qvel,
            Self::Activation => &data.state.act,
            Self::Control => &data.inputs.ctrl,
            Self::Force => &data.actuation.actuator_force,
            Self::Sensor => &data.sensors.sensordata,
            Self::Muscle => {
                let states =
                    (0..sim.model.nu).filter_map(|actuator| muscle_state(&sim.model, data, actuator));
                for (place, state) in row.chunks_mut(MUSCLE_PARTS.len()).zip(states) {
                    let MuscleState { fiber_length, fiber_velocity, fiber_force, .. } = state;
                    let numbers =
                        [fiber_length, fiber_velocity, fiber_force, state.tendon_force, state.pennation];
                    place.copy_from_slice(&numbers[..place.len()]);
                }
                return;
            }
        };
        let count = row.len().min(source.len());
        row[..count].copy_from_slice(&source[..count]);
    }
}

/// What is recorded of a Hill-type muscle, with units.
const MUSCLE_PARTS: [(&str, &str); 5] = [
    ("fiber_length", "m"),
    ("fiber_velocity", "m/s"),
    ("fiber_force", "N"),
    ("tendon_force", "N"),
    ("pennation", "rad"),
];

/// One number over time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Channel {
    pub group: Group,
    /// Its place in the numbers of the group.
    pub index: usize,
    /// The element it belongs to.
    pub element: String,
    /// Which number of the element, where it has several.
    pub part: String,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
}

impl Channel {
    /// Element and part.
    pub(crate) fn short_name(&self) -> String {
        if self.part.is_empty() { self.element.clone() } else { format!("{}.{}", self.element, self.part) }
    }

    /// Group, element and part.
    pub(crate) fn name(&self) -> String {
        format!("{}:{}", self.group.name(), self.short_name())
    }

    /// What is drawn on its axis.
    pub(crate) fn quantity(&self) -> String {
        let angular = self.unit.starts_with("rad");
        match self.group {
            Group::Position if angular => "angle".into(),
            Group::Velocity if angular => "angular velocity".into(),
            Group::Position if self.unit.is_empty() => "orientation (quaternion)".into(),
            Group::Force if self.unit == "N·m" => "actuator torque".into(),
            Group::Muscle => match self.unit {
                "m" => "fibre length".into(),
                "m/s" => "fibre velocity".into(),
                "N" => "fibre and tendon force".into(),
                _ => "pennation".into(),
            },
            group => group.title().into(),
        }
    }
}

/// All channels of a model, group by group, each group in the order of its array.
pub(crate) fn all(model: &Model) -> Vec<Channel> {
    let mut channels = Vec::new();
    for joint in 0..model.njnt {
        joint_channels(model, joint, Group::Position, &mut channels);
    }
    for joint in 0..model.njnt {
        joint_channels(model, joint, Group::Velocity, &mut channels);
    }
    activation_channels(model, &mut channels);
    let actuator = |group, index, unit| Channel {
        group,
        index,
        element: label(model, ObjectType::Actuator, index),
        part: String::new(),
        unit,
    };
    channels.extend((0..model.nu).map(|index| actuator(Group::Control, index, "")));
    channels.extend((0..model.nu).map(|index| actuator(Group::Force, index, force_unit(model, index))));
    sensor_channels(model, &mut channels);
    let hill = muscles(model).into_iter().filter(|&actuator| HillMuscle::of(model, actuator).is_some());
    for (number, actuator) in hill.enumerate() {
        channels.extend(MUSCLE_PARTS.iter().enumerate().map(|(offset, (part, unit))| Channel {
            group: Group::Muscle,
            index: number * MUSCLE_PARTS.len() + offset,
            element: label(model, ObjectType::Actuator, actuator),
            part: (*part).to_owned(),
            unit,
        }));
    }
    channels
}

fn joint_channels(model: &Model, joint: usize, group: Group, channels: &mut Vec<Channel>) {
    let (_, positions, velocities) = joint_kind(model, joint);
    let parts: &[(&str, &'static str)] = match (group, model.jnt_type(joint)) {
        (Group::Position, Some(JointType::Free)) => {
            &[("x", "m"), ("y", "m"), ("z", "m"), ("qw", ""), ("qx", ""), ("qy", ""), ("qz", "")]
        }
        (Group::Position, Some(JointType::Ball)) => &[("qw", ""), ("qx", ""), ("qy", ""), ("qz", "")],
        (_, Some(JointType::Free)) => {
            &[("vx", "m/s"), ("vy", "m/s"), ("vz", "m/s"), ("wx", "rad/s"), ("wy", "rad/s"), ("wz", "rad/s")]
        }
        (_, Some(JointType::Ball)) => &[("wx", "rad/s"), ("wy", "rad/s"), ("wz", "rad/s")],
        (Group::Position, _) => &[("", joint_unit(model, joint))],
        (_, _) => &[("", speed_of(joint_unit(model, joint)))],
    };
    let (first, count) = match group {
        Group::Position => (model.jnt_qposadr[joint] as usize, positions),
        _ => (model.jnt_dofadr[joint] as usize, velocities),
    };
    for (offset, (part, unit)) in parts.iter().take(count).enumerate() {
        channels.push(Channel {
            group,
            index: first + offset,
            element: label(model, ObjectType::Joint, joint),
            part: (*part).to_owned(),
            unit,
        });
    }
}

fn activation_channels(model: &Model, channels: &mut Vec<Channel>) {
    for actuator in 0..model.nu {
        let count = model.actuator_actnum[actuator].max(0) as usize;
        for offset in 0..count {
            let fiber = model.has_compliant_tendon(actuator) && offset == 0;
            let part = match (fiber, count) {
                (true, _) => "fiber".to_owned(),
                (false, 1) => String::new(),
                (false, 2) if model.has_compliant_tendon(actuator) => "activation".to_owned(),
                _ => offset.to_string(),
            };
            channels.push(Channel {
                group: Group::Activation,
                index: model.actuator_actadr[actuator] as usize + offset,
                element: label(model, ObjectType::Actuator, actuator),
                part,
                unit: if fiber { "L0" } else { "" },
            });
        }
    }
    // Actuators need not have their variables in the order of their numbers.
    channels.sort_by_key(|channel| (channel.group, channel.index));
}

fn sensor_channels(model: &Model, channels: &mut Vec<Channel>) {
    for sensor in 0..model.nsensor {
        let count = model.sensor_dim[sensor].max(0) as usize;
        let quaternion = model.sensor_datatype[sensor] == SensorDataType::Quaternion as i32;
        for offset in 0..count {
            let part = match count {
                1 => String::new(),
                4 if quaternion => ["qw", "qx", "qy", "qz"][offset].to_owned(),
                3 => ["x", "y", "z"][offset].to_owned(),
                _ => offset.to_string(),
            };
            channels.push(Channel {
                group: Group::Sensor,
                index: model.sensor_adr[sensor] as usize + offset,
                element: label(model, ObjectType::Sensor, sensor),
                part,
                unit: sensor_unit(model, sensor),
            });
        }
    }
}

/// The channels that a list of groups, elements and channels names; the error says what there is.
pub(crate) fn select(channels: &[Channel], wanted: &[String]) -> Result<Vec<Channel>, String> {
    let mut selected: Vec<Channel> = Vec::new();
    for name in wanted.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        let (group, element) = name.split_once(':').unwrap_or((name, ""));
        let group = Group::ALL.into_iter().find(|known| known.name() == group || known.array() == group);
        let group = group.ok_or_else(|| {
            let groups: Vec<&str> = Group::ALL.iter().map(|group| group.name()).collect();
            format!(
                "no signal '{name}': signals are {}, or one of these with a name, such as qpos:knee",
                groups.join(", ")
            )
        })?;
        let of_group = || channels.iter().filter(|channel| channel.group == group);
        let found: Vec<Channel> = of_group()
            .filter(|channel| {
                element.is_empty()
                    || channel.element == element
                    || channel.part == element
                    || channel.short_name() == element
            })
            .cloned()
            .collect();
        if found.is_empty() && !element.is_empty() {
            let mut names: Vec<&str> = of_group().map(|channel| channel.element.as_str()).collect();
            names.dedup();
            let near = condyle::diagnostic::did_you_mean(element, names.iter().copied());
            let hint = match near {
                Some(near) => format!("did you mean '{}:{near}'?", group.name()),
                None if names.is_empty() => format!("the model has no {}", group.name()),
                None => format!("available: {}", names[..names.len().min(12)].join(", ")),
            };
            return Err(format!("no signal '{name}': {hint}"));
        }
        for channel in found {
            if !selected.contains(&channel) {
                selected.push(channel);
            }
        }
    }
    if selected.is_empty() {
        return Err("nothing to plot: the model has none of these signals".into());
    }
    Ok(selected)
}
