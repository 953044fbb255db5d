//! What there is to say about each kind of element.

use condyle::model::{EqualityType, GeomType, WrapType};
use condyle::{Model, ObjectType};

use super::table::{Cell, Section, Value};
use crate::label::{force_unit, joint_kind, joint_unit, label, sensor_kind, sensor_unit, target};

/// All sections, also empty ones.
pub(super) fn all(model: &Model) -> Vec<Section> {
    vec![
        bodies(model),
        joints(model),
        geoms(model),
        sites(model),
        cameras(model),
        tendons(model),
        equalities(model),
        actuators(model),
        sensors(model),
        keyframes(model),
    ]
}

fn depth(model: &Model, mut body: usize) -> usize {
    let mut levels = 0;
    while body > 0 {
        body = model.body_parentid[body] as usize;
        levels += 1;
    }
    levels
}

/// A word for an enumeration's value: its name in small letters.
fn word<T: std::fmt::Debug>(value: Option<T>) -> Cell {
    value.map_or_else(Cell::nothing, |value| Cell::text(format!("{value:?}").to_lowercase()))
}

fn bodies(model: &Model) -> Section {
    let rows = (0..model.nbody).map(|body| {
        let name = model.name(ObjectType::Body, body);
        let value = if name.is_empty() { Value::Nothing } else { Value::Text(name.to_owned()) };
        let text = format!("{}{}", "  ".repeat(depth(model, body)), label(model, ObjectType::Body, body));
        let parent = if body == 0 { -1 } else { model.body_parentid[body] };
        vec![
            Cell::integer(body),
            Cell::new(value, text),
            Cell::new(if parent < 0 { Value::Nothing } else { Value::Integer(i64::from(parent)) }, ""),
            Cell::number(model.body_mass[body]),
            Cell::numbers(&model.body_inertia[body]),
            Cell::numbers(&model.body_pos[body]),
            Cell::flag(model.body_mocapid[body] >= 0),
        ]
    });
    Section {
        key: "bodies",
        columns: &[
            ("id", "#"),
            ("name", "name"),
            ("parent", ""),
            ("mass", "mass, kg"),
            ("inertia", "inertia, kg·m²"),
            ("pos", "position in parent, m"),
            ("mocap", ""),
        ],
        rows: rows.collect(),
    }
}

fn joints(model: &Model) -> Section {
    let rows = (0..model.njnt).map(|joint| {
        let (kind, positions, velocities) = joint_kind(model, joint);
        let unit = joint_unit(model, joint);
        let actuators = (0..model.nu)
            .filter(|&actuator| target(model, actuator) == Some((ObjectType::Joint, joint)))
            .map(|actuator| label(model, ObjectType::Actuator, actuator));
        vec![
            Cell::integer(joint),
            Cell::name(model, ObjectType::Joint, joint),
            Cell::element(model, ObjectType::Body, model.jnt_bodyid[joint]),
            Cell::text(kind),
            Cell::places(model.jnt_qposadr[joint] as usize, positions),
            Cell::places(model.jnt_dofadr[joint] as usize, velocities),
            Cell::text(if positions == 1 { unit } else { "" }),
            Cell::range(model.jnt_range[joint], model.jnt_limited[joint] != 0, unit),
            Cell::texts(actuators.collect()),
        ]
    });
    Section {
        key: "joints",
        columns: &[
            ("id", "#"),
            ("name", "name"),
            ("body", "body"),
            ("type", "type"),
            ("qpos", "qpos"),
            ("dof", "dof"),
            ("unit", ""),
            ("range", "range"),
            ("actuators", "actuators"),
        ],
        rows: rows.collect(),
    }
}

fn geom_kind(kind: i32) -> Cell {
    word(GeomType::from_i32(kind))
}

fn geoms(model: &Model) -> Section {
    let mask = |bits: i32| Cell::new(Value::Integer(i64::from(bits)), bits.to_string());
    let rows = (0..model.ngeom).map(|geom| {
        vec![
            Cell::integer(geom),
            Cell::name(model, ObjectType::Geom, geom),
            Cell::element(model, ObjectType::Body, model.geom_bodyid[geom]),
            geom_kind(model.geom_type[geom]),
            Cell::numbers(&model.geom_size[geom]),
            Cell::numbers(&model.geom_friction[geom]),
            mask(model.geom_contype[geom]),
            mask(model.geom_conaffinity[geom]),
            Cell::integer(model.geom_condim[geom].max(0) as usize),
        ]
    });
    Section {
        key: "geoms",
        columns: &[
            ("id", "#"),
            ("name", "name"),
            ("body", "body"),
            ("type", "type"),
            ("size", "size, m"),
            ("friction", "friction"),
            ("contype", "contype"),
            ("conaffinity", "conaffinity"),
            ("condim", "condim"),
        ],
        rows: rows.collect(),
    }
}

fn sites(model: &Model) -> Section {
    let rows = (0..model.nsite).map(|site| {
        vec![
            Cell::integer(site),
            Cell::name(model, ObjectType::Site, site),
            Cell::element(model, ObjectType::Body, model.site_bodyid[site]),
            geom_kind(model.site_type[site]),
            Cell::numbers(&model.site_size[site]),
            Cell::numbers(&model.site_pos[site]),
        ]
    });
    Section {
        key: "sites",
        columns: &[
            ("id", "#"),
            ("name", "name"),
            ("body", "body"),
            ("type", "type"),
            ("size", "size, m"),
            ("pos", "position in body, m"),
        ],
        rows: rows.collect(),
    }
}

fn cameras(model: &Model) -> Section {
    let rows = (0..model.ncam).map(|camera| {
        let [width, height] = model.cam_resolution[camera];
        vec![
            Cell::integer(camera),
            Cell::name(model, ObjectType::Camera, camera),
            Cell::element(model, ObjectType::Body, model.cam_bodyid[camera]),
            word(model.cam_mode(camera)),
            Cell::number(model.cam_fovy[camera]),
            Cell::new(
                Value::Integers(vec![i64::from(width), i64::from(height)]),
                format!("{width} x {height}"),
            ),
            Cell::numbers(&model.cam_pos[camera]),
        ]
    });
    Section {
        key: "cameras",
        columns: &[
            ("id", "#"),
            ("name", "name"),
            ("body", "body"),
            ("mode", "mode"),
            ("fovy", "field of view, deg"),
            ("resolution", "pixels"),
            ("pos", "position in body, m"),
        ],
        rows: rows.collect(),
    }
}

fn tendons(model: &Model) -> Section {
    let rows = (0..model.ntendon).map(|tendon| {
        let (first, count) = (model.tendon_adr[tendon] as usize, model.tendon_num[tendon].max(0) as usize);
        let fixed = model.wrap_type.get(first) == Some(&(WrapType::Joint as i32));
        vec![
            Cell::integer(tendon),
            Cell::name(model, ObjectType::Tendon, tendon),
            Cell::text(if fixed { "fixed" } else { "spatial" }),
            Cell::integer(count),
            Cell::number(model.tendon_length0[tendon]),
            Cell::number(model.tendon_stiffness[tendon]),
            Cell::number(model.tendon_damping[tendon]),
            Cell::range(model.tendon_range[tendon], model.tendon_limited[tendon] != 0, "m"),
        ]
    });
    Section {
        key: "tendons",
        columns: &[
            ("id", "#"),
            ("name", "name"),
            ("type", "type"),
            ("path", "path objects"),
            ("length0", "length at reference, m"),
            ("stiffness", "stiffness, N/m"),
            ("damping", "damping, N·s/m"),
            ("range", "range"),
        ],
        rows: rows.collect(),
    }
}

fn equalities(model: &Model) -> Section {
    let rows = (0..model.neq).map(|equality| {
        let kind = model.eq_type(equality);
        let object = match kind {
            Some(EqualityType::Connect | EqualityType::Weld) => {
                model.eq_objtype(equality).unwrap_or(ObjectType::Body)
            }
            Some(EqualityType::Joint) => ObjectType::Joint,
            Some(EqualityType::Tendon) => ObjectType::Tendon,
            Some(EqualityType::Flex | EqualityType::FlexVert) => ObjectType::Flex,
            _ => ObjectType::Geom,
        };
        vec![
            Cell::integer(equality),
            Cell::name(model, ObjectType::Equality, equality),
            word(kind),
            Cell::text(object.word()),
            Cell::element(model, object, model.eq_obj1id[equality]),
            Cell::element(model, object, model.eq_obj2id[equality]),
            Cell::flag(model.eq_active0[equality] != 0),
        ]
    });
    Section {
        key: "equalities",
        columns: &[
            ("id", "#"),
            ("name", "name"),
            ("type", "type"),
            ("between", "between"),
            ("object1", "first"),
            ("object2", "second"),
            ("active", "active"),
        ],
        rows: rows.collect(),
    }
}

fn actuators(model: &Model) -> Section {
    let rows = (0..model.nu).map(|actuator| {
        let transmission = model.actuator_trntype(actuator);
        let (on, element) = target(model, actuator).map_or_else(
            || (Cell::nothing(), Cell::nothing()),
            |(kind, id)| (Cell::text(kind.word()), Cell::element(model, kind, id as i32)),
        );
        let unit = force_unit(model, actuator);
        let activations = model.actuator_actnum[actuator].max(0) as usize;
        vec![
            Cell::integer(actuator),
            Cell::name(model, ObjectType::Actuator, actuator),
            word(transmission),
            on,
            element,
            word(model.actuator_dyntype(actuator)),
            word(model.actuator_gaintype(actuator)),
            word(model.actuator_biastype(actuator)),
            Cell::number(model.actuator_gear[actuator][0]),
            if activations > 0 {
                Cell::places(model.actuator_actadr[actuator].max(0) as usize, activations)
            } else {
                Cell::nothing()
            },
            Cell::range(model.actuator_ctrlrange[actuator], model.actuator_ctrllimited[actuator] != 0, ""),
            Cell::range(
                model.actuator_forcerange[actuator],
                model.actuator_forcelimited[actuator] != 0,
                unit,
            ),
            Cell::text(unit),
        ]
    });
    Section {
        key: "actuators",
        columns: &[
            ("id", "#"),
            ("name", "name"),
            ("transmission", ""),
            ("on", "acts on"),
            ("target", "which"),
            ("dynamics", "dynamics"),
            ("gain", "gain"),
            ("bias", "bias"),
            ("gear", "gear"),
            ("act", "act"),
            ("ctrlrange", "control range"),
            ("forcerange", "force range"),
            ("force_unit", "force in"),
        ],
        rows: rows.collect(),
    }
}

fn sensors(model: &Model) -> Section {
    let rows = (0..model.nsensor).map(|sensor| {
        let kind = model.sensor_objtype(sensor).unwrap_or(ObjectType::Unknown);
        let object = model.sensor_objid[sensor];
        let on = if object >= 0 && kind != ObjectType::Unknown {
            Cell::text(kind.word())
        } else {
            Cell::nothing()
        };
        let dimension = model.sensor_dim[sensor].max(0) as usize;
        vec![
            Cell::integer(sensor),
            Cell::name(model, ObjectType::Sensor, sensor),
            Cell::text(sensor_kind(model, sensor)),
            on,
            if kind == ObjectType::Unknown { Cell::nothing() } else { Cell::element(model, kind, object) },
            Cell::places(model.sensor_adr[sensor].max(0) as usize, dimension),
            Cell::text(sensor_unit(model, sensor)),
            if model.sensor_cutoff[sensor] > 0.0 {
                Cell::number(model.sensor_cutoff[sensor])
            } else {
                Cell::nothing()
            },
        ]
    });
    Section {
        key: "sensors",
        columns: &[
            ("id", "#"),
            ("name", "name"),
            ("type", "type"),
            ("on", "of"),
            ("object", "which"),
            ("sensordata", "sensordata"),
            ("unit", "unit"),
            ("cutoff", "cutoff"),
        ],
        rows: rows.collect(),
    }
}

fn keyframes(model: &Model) -> Section {
    let rows = (0..model.nkey).map(|key| {
        vec![Cell::integer(key), Cell::name(model, ObjectType::Key, key), Cell::number(model.key_time[key])]
    });
    Section {
        key: "keyframes",
        columns: &[("id", "#"), ("name", "name"), ("time", "time, s")],
        rows: rows.collect(),
    }
}
