//! Contacts, equalities, tendons, actuators, sensors, custom fields and keyframes.

use condyle_model::{DynamicsType, EqualityType, ObjectType, TransmissionType, WrapType};

use super::{Decompiler, limited};
use crate::element::{
    Actuator, Equality, Exclude, Key, Numeric, Pair, Sensor, Tendon, Text, Tuple, TupleEntry, Wrap,
};

impl Decompiler<'_> {
    pub(super) fn contacts(&mut self) {
        let model = self.model;
        for at in 0..model.npair {
            let mut pair = Pair { info: self.info(ObjectType::Pair, at), ..Pair::default() };
            pair.read_entries(model, at, |kind, id| self.name_of(kind, id));
            self.spec.pairs.push(pair);
        }
        for at in 0..model.nexclude {
            let bodies = model.exclude_signature[at] as u32;
            let exclude = Exclude {
                info: self.info(ObjectType::Exclude, at),
                bodyname1: self.name_of(ObjectType::Body, (bodies >> 16) as i32),
                bodyname2: self.name_of(ObjectType::Body, (bodies & 0xffff) as i32),
            };
            self.spec.excludes.push(exclude);
        }
    }

    pub(super) fn equalities(&mut self) {
        let model = self.model;
        for at in 0..model.neq {
            let mut equality = Equality { info: self.info(ObjectType::Equality, at), ..Equality::default() };
            equality.read_entries(model, at, |_, _| String::new());
            let named = match equality.kind {
                EqualityType::Joint => ObjectType::Joint,
                EqualityType::Tendon => ObjectType::Tendon,
                EqualityType::Flex | EqualityType::FlexVert => ObjectType::Flex,
                _ => equality.objtype,
            };
            equality.name1 = self.name_of(named, model.eq_obj1id[at]);
            equality.name2 = self.name_of(named, model.eq_obj2id[at]);
            self.spec.equalities.push(equality);
        }
    }

    pub(super) fn tendons(&mut self) {
        let model = self.model;
        for at in 0..model.ntendon {
            let first = usize::try_from(model.tendon_adr[at]).unwrap_or(0);
            let count = usize::try_from(model.tendon_num[at]).unwrap_or(0);
            let path =
                (first..first + count).filter_map(|wrap| self.wrap(wrap)).map(|wrap| (wrap, None)).collect();
            let mut tendon = Tendon { info: self.info(ObjectType::Tendon, at), path, ..Tendon::default() };
            tendon.read_entries(model, at, |kind, id| self.name_of(kind, id));
            tendon.limited = limited(model.tendon_limited[at], model.tendon_range[at]);
            tendon.actfrclimited = limited(model.tendon_actfrclimited[at], model.tendon_actfrcrange[at]);
            self.made.tendons.push(self.spec.tendons.push(tendon));
        }
    }

    fn wrap(&mut self, at: usize) -> Option<Wrap> {
        let model = self.model;
        let (object, prm) = (*model.wrap_objid.get(at)?, *model.wrap_prm.get(at)?);
        Some(match model.wrap_type(at)? {
            WrapType::Joint => Wrap::Joint { joint: self.name_of(ObjectType::Joint, object), coef: prm },
            WrapType::Site => Wrap::Site { site: self.name_of(ObjectType::Site, object) },
            WrapType::Sphere | WrapType::Cylinder => Wrap::Geom {
                geom: self.name_of(ObjectType::Geom, object),
                sidesite: self.name_of(ObjectType::Site, prm as i32),
            },
            WrapType::Pulley => Wrap::Pulley { divisor: prm },
            WrapType::None => return None,
        })
    }

    #[deny(clippy::wildcard_enum_match_arm)]
    pub(super) fn actuators(&mut self) {
        let model = self.model;
        for at in 0..model.nu {
            let mut actuator = Actuator { info: self.info(ObjectType::Actuator, at), ..Actuator::default() };
            actuator.read_entries(model, at, |_, _| String::new());
            let target = match actuator.trntype {
                TransmissionType::Joint | TransmissionType::JointInParent => ObjectType::Joint,
                TransmissionType::Tendon => ObjectType::Tendon,
                TransmissionType::Body => ObjectType::Body,
                TransmissionType::SliderCrank | TransmissionType::Site | TransmissionType::Undefined => {
                    ObjectType::Site
                }
            };
            let [first, second] = model.actuator_trnid[at];
            actuator.target = self.name_of(target, first);
            let second = self.name_of(ObjectType::Site, second);
            if actuator.trntype == TransmissionType::SliderCrank {
                actuator.slidersite = second;
            } else {
                actuator.refsite = second;
            }
            // One activation variable is what all dynamics have by themselves.
            actuator.actdim = match (actuator.dyntype, model.actuator_actnum[at]) {
                (DynamicsType::None, _) | (_, 1) => -1,
                (_, count) => count,
            };
            actuator.ctrllimited = limited(model.actuator_ctrllimited[at], actuator.ctrlrange);
            actuator.forcelimited = limited(model.actuator_forcelimited[at], actuator.forcerange);
            actuator.actlimited = limited(model.actuator_actlimited[at], actuator.actrange);
            [actuator.nsample, actuator.interp] = model.actuator_history[at];
            self.made.actuators.push(self.spec.actuators.push(actuator));
        }
    }

    pub(super) fn sensors(&mut self) {
        let model = self.model;
        for at in 0..model.nsensor {
            let mut sensor = Sensor { info: self.info(ObjectType::Sensor, at), ..Sensor::default() };
            sensor.read_entries(model, at, |_, _| String::new());
            sensor.objname = self.name_of(sensor.objtype, model.sensor_objid[at]);
            sensor.refname = self.name_of(sensor.reftype, model.sensor_refid[at]);
            [sensor.nsample, sensor.interp] = model.sensor_history[at];
            self.made.sensors.push(self.spec.sensors.push(sensor));
        }
    }

    pub(super) fn custom(&mut self) {
        let model = self.model;
        let part = |start: i32, count: i32| {
            let start = usize::try_from(start).unwrap_or(0);
            start..start + usize::try_from(count).unwrap_or(0)
        };
        for at in 0..model.nnumeric {
            let data = model.numeric_data.get(part(model.numeric_adr[at], model.numeric_size[at]));
            let numeric = Numeric {
                info: self.info(ObjectType::Numeric, at),
                data: data.unwrap_or_default().to_vec(),
                size: model.numeric_size[at],
            };
            self.spec.numerics.push(numeric);
        }
        for at in 0..model.ntext {
            let bytes = model.text_data.get(part(model.text_adr[at], model.text_size[at] - 1));
            let data = String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
            self.spec.texts.push(Text { info: self.info(ObjectType::Text, at), data });
        }
        for at in 0..model.ntuple {
            let mut entries = Vec::new();
            for entry in part(model.tuple_adr[at], model.tuple_size[at]) {
                let objtype = model.tuple_objtype(entry).unwrap_or(ObjectType::Unknown);
                let objname = self.name_of(objtype, model.tuple_objid[entry]);
                entries.push(TupleEntry { objtype, objname, prm: model.tuple_objprm[entry] });
            }
            self.spec.tuples.push(Tuple { info: self.info(ObjectType::Tuple, at), entries });
        }
    }

    pub(super) fn keys(&mut self) {
        let model = self.model;
        let row = |values: &[f64], at: usize, width: usize| {
            values.get(at * width..(at + 1) * width).unwrap_or_default().to_vec()
        };
        for at in 0..model.nkey {
            let key = Key {
                info: self.info(ObjectType::Key, at),
                time: model.key_time[at],
                qpos: row(&model.key_qpos, at, model.nq),
                qvel: row(&model.key_qvel, at, model.nv),
                act: row(&model.key_act, at, model.na),
                mpos: row(model.key_mpos.as_flattened(), at, 3 * model.nmocap),
                mquat: row(model.key_mquat.as_flattened(), at, 4 * model.nmocap),
                ctrl: row(&model.key_ctrl, at, model.nu),
                saved: None,
            };
            self.spec.keys.push(key);
        }
    }
}
