//! New names for copies, and the test whether all references of a renamed element exist.

use crate::element::{
    Actuator, Element, Equality, Exclude, Flex, Geom, Pair, Sensor, Skin, Tendon, Tuple, Wrap, kind_name,
};
use crate::spec::Spec;
use condyle_model::{EqualityType, ObjectType, SensorType, TransmissionType};
use std::collections::{HashMap, HashSet};

/// How names change when elements are copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rename {
    /// Text before every name.
    pub prefix: String,
    /// Text after every name.
    pub suffix: String,
}

impl Rename {
    /// The new name; no name stays no name.
    pub fn apply(&self, name: &str) -> String {
        if name.is_empty() { String::new() } else { self.force(name) }
    }

    /// Prefix and suffix around any text.
    fn force(&self, name: &str) -> String {
        format!("{}{name}{}", self.prefix, self.suffix)
    }
}

/// The names in use, by kind of element.
#[derive(Debug, Default)]
pub(super) struct Names {
    sets: HashMap<&'static str, HashSet<String>>,
}

impl Names {
    pub(super) fn of(spec: &Spec) -> Self {
        let mut names = Self::default();
        macro_rules! add {
            ($($arena:ident),*) => {$(
                for element in spec.$arena.values() {
                    names.add_element(element);
                }
            )*};
        }
        add!(
            bodies, joints, geoms, sites, cameras, lights, flexes, meshes, skins, hfields, textures,
            materials
        );
        add!(
            pairs, excludes, equalities, tendons, actuators, sensors, numerics, texts, tuples, keys, plugins
        );
        names
    }

    pub(super) fn add_element<T: Element>(&mut self, element: &T) {
        let name = &element.info().name;
        if !name.is_empty() {
            self.sets.entry(T::KIND).or_default().insert(name.clone());
        }
    }

    /// The empty name stands for an unnamed geom where there is one, as in a pair.
    pub(super) fn with_unnamed_geoms(mut self, spec: &Spec) -> Self {
        if spec.geoms.values().any(|geom| geom.info.name.is_empty()) {
            self.sets.entry(Geom::KIND).or_default().insert(String::new());
        }
        self
    }

    pub(super) fn remove_element<T: Element>(&mut self, element: &T) {
        if let Some(set) = self.sets.get_mut(T::KIND) {
            set.remove(&element.info().name);
        }
    }

    fn has(&self, kind: ObjectType, name: &str) -> bool {
        self.sets.get(kind_name(kind)).is_some_and(|set| set.contains(name))
    }
}

/// An element outside the tree that refers to others by name.
pub(super) trait Referring: Sized {
    /// A copy with all references renamed; `None` if one of them does not exist.
    fn renamed(&self, rename: &Rename, names: &Names) -> Option<Self>;

    /// Whether it refers to anything.
    fn refers(&self) -> bool {
        true
    }
}

/// Two references of which one may be left as it is when the renamed other one exists.
fn either(
    rename: &Rename,
    names: &Names,
    first: (ObjectType, &str),
    second: (ObjectType, &str),
) -> Option<(String, String)> {
    let (one, two) = (rename.force(first.1), rename.force(second.1));
    match (names.has(first.0, &one), names.has(second.0, &two)) {
        (true, true) => Some((one, two)),
        (false, true) if names.has(first.0, first.1) => Some((first.1.to_owned(), two)),
        (true, false) if names.has(second.0, second.1) => Some((one, second.1.to_owned())),
        _ => None,
    }
}

impl Referring for Pair {
    fn renamed(&self, rename: &Rename, names: &Names) -> Option<Self> {
        let mut copy = self.clone();
        (copy.geomname1, copy.geomname2) =
            either(rename, names, (ObjectType::Geom, &self.geomname1), (ObjectType::Geom, &self.geomname2))?;
        copy.info.name = rename.apply(&self.info.name);
        Some(copy)
    }
}

impl Referring for Exclude {
    fn renamed(&self, rename: &Rename, names: &Names) -> Option<Self> {
        let mut copy = self.clone();
        (copy.bodyname1, copy.bodyname2) =
            either(rename, names, (ObjectType::Body, &self.bodyname1), (ObjectType::Body, &self.bodyname2))?;
        copy.info.name = rename.apply(&self.info.name);
        Some(copy)
    }
}

impl Referring for Tendon {
    fn renamed(&self, rename: &Rename, names: &Names) -> Option<Self> {
        let mut copy = self.clone();
        let mut renamed_any = false;
        for (wrap, _) in &mut copy.path {
            let (next, is_new) = renamed_wrap(wrap, rename, names)?;
            renamed_any |= is_new;
            *wrap = next;
        }
        if !renamed_any {
            return None;
        }
        copy.info.name = rename.apply(&self.info.name);
        Some(copy)
    }
}

/// A wrap object with its new names, or unchanged if only the old ones exist.
fn renamed_wrap(wrap: &Wrap, rename: &Rename, names: &Names) -> Option<(Wrap, bool)> {
    match wrap {
        Wrap::Pulley { .. } => Some((wrap.clone(), false)),
        Wrap::Joint { joint, coef } => {
            let name = rename.force(joint);
            if names.has(ObjectType::Joint, &name) {
                return Some((Wrap::Joint { joint: name, coef: *coef }, true));
            }
            names.has(ObjectType::Joint, joint).then(|| (wrap.clone(), false))
        }
        Wrap::Site { site } => {
            let name = rename.force(site);
            if names.has(ObjectType::Site, &name) {
                return Some((Wrap::Site { site: name }, true));
            }
            names.has(ObjectType::Site, site).then(|| (wrap.clone(), false))
        }
        Wrap::Geom { geom, sidesite } => {
            // A missing side site is renamed as well, and then does not exist.
            let (name, side) = (rename.force(geom), rename.force(sidesite));
            if names.has(ObjectType::Geom, &name) && (side.is_empty() || names.has(ObjectType::Site, &side)) {
                return Some((Wrap::Geom { geom: name, sidesite: side }, true));
            }
            let known = names.has(ObjectType::Geom, geom)
                && (sidesite.is_empty() || names.has(ObjectType::Site, sidesite));
            known.then(|| (wrap.clone(), false))
        }
    }
}

impl Referring for Equality {
    fn renamed(&self, rename: &Rename, names: &Names) -> Option<Self> {
        let kind = match self.kind {
            EqualityType::Connect | EqualityType::Weld => self.objtype,
            EqualityType::Joint => ObjectType::Joint,
            EqualityType::Tendon => ObjectType::Tendon,
            EqualityType::Flex | EqualityType::FlexVert => ObjectType::Flex,
            EqualityType::Distance => return None,
        };
        let mut copy = self.clone();
        copy.name1 = rename.apply(&self.name1);
        copy.name2 = rename.apply(&self.name2);
        copy.info.name = rename.apply(&self.info.name);
        let known = names.has(kind, &copy.name1) && (copy.name2.is_empty() || names.has(kind, &copy.name2));
        known.then_some(copy)
    }
}

impl Referring for Actuator {
    #[deny(clippy::wildcard_enum_match_arm)]
    fn renamed(&self, rename: &Rename, names: &Names) -> Option<Self> {
        let mut copy = self.clone();
        copy.target = rename.apply(&self.target);
        copy.refsite = rename.apply(&self.refsite);
        copy.slidersite = rename.apply(&self.slidersite);
        copy.info.name = rename.apply(&self.info.name);
        let site = |name: &str| names.has(ObjectType::Site, name);
        let known = match self.trntype {
            TransmissionType::Joint | TransmissionType::JointInParent => {
                names.has(ObjectType::Joint, &copy.target)
            }
            TransmissionType::SliderCrank => {
                site(&copy.slidersite) && self.cranklength > 0.0 && site(&copy.target)
            }
            TransmissionType::Tendon => names.has(ObjectType::Tendon, &copy.target),
            TransmissionType::Site => (copy.refsite.is_empty() || site(&copy.refsite)) && site(&copy.target),
            TransmissionType::Body => names.has(ObjectType::Body, &copy.target),
            TransmissionType::Undefined => false,
        };
        known.then_some(copy)
    }
}

impl Referring for Sensor {
    fn renamed(&self, rename: &Rename, names: &Names) -> Option<Self> {
        let mut copy = self.clone();
        copy.info.name = rename.apply(&self.info.name);
        let (object, reference) = (self.objtype, self.reftype);
        match (object != ObjectType::Unknown, reference != ObjectType::Unknown) {
            (true, true) => {
                (copy.objname, copy.refname) =
                    either(rename, names, (object, &self.objname), (reference, &self.refname))?;
            }
            (true, false) => {
                copy.objname = rename.force(&self.objname);
                if !names.has(object, &copy.objname) {
                    return None;
                }
            }
            (false, true) => {
                copy.refname = rename.force(&self.refname);
                if !names.has(reference, &copy.refname) {
                    return None;
                }
            }
            (false, false) => {}
        }
        let free = matches!(
            self.kind,
            SensorType::EPotential
                | SensorType::EKinetic
                | SensorType::Clock
                | SensorType::Plugin
                | SensorType::Contact
                | SensorType::User
        );
        (object != ObjectType::Unknown || free).then_some(copy)
    }

    fn refers(&self) -> bool {
        self.objtype != ObjectType::Unknown || self.reftype != ObjectType::Unknown
    }
}

impl Referring for Tuple {
    fn renamed(&self, rename: &Rename, names: &Names) -> Option<Self> {
        let mut copy = self.clone();
        copy.info.name = rename.apply(&self.info.name);
        for entry in &mut copy.entries {
            entry.objname = rename.force(&entry.objname);
            if !names.has(entry.objtype, &entry.objname) {
                return None;
            }
        }
        (!copy.entries.is_empty()).then_some(copy)
    }
}

impl Referring for Skin {
    fn renamed(&self, rename: &Rename, names: &Names) -> Option<Self> {
        let mut copy = self.clone();
        for bone in &mut copy.bones {
            bone.body = rename.force(&bone.body);
            if !names.has(ObjectType::Body, &bone.body) {
                return None;
            }
        }
        Some(copy)
    }
}

impl Referring for Flex {
    fn renamed(&self, rename: &Rename, names: &Names) -> Option<Self> {
        let mut copy = self.clone();
        for body in copy.vertbody.iter_mut().chain(&mut copy.nodebody) {
            *body = rename.force(body);
            if !names.has(ObjectType::Body, body) {
                return None;
            }
        }
        Some(copy)
    }
}
