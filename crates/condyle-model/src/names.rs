//! Names of model elements: lookup both ways in the packed name buffer.

use crate::{Model, ObjectType};

impl Model {
    /// Addresses of the names of one kind of element, if the kind has names.
    pub fn name_addresses(&self, kind: ObjectType) -> Option<&[i32]> {
        Some(match kind {
            ObjectType::Body | ObjectType::XBody => &self.name_bodyadr,
            ObjectType::Joint => &self.name_jntadr,
            ObjectType::Geom => &self.name_geomadr,
            ObjectType::Site => &self.name_siteadr,
            ObjectType::Camera => &self.name_camadr,
            ObjectType::Light => &self.name_lightadr,
            ObjectType::Flex => &self.name_flexadr,
            ObjectType::Mesh => &self.name_meshadr,
            ObjectType::Skin => &self.name_skinadr,
            ObjectType::HField => &self.name_hfieldadr,
            ObjectType::Texture => &self.name_texadr,
            ObjectType::Material => &self.name_matadr,
            ObjectType::Pair => &self.name_pairadr,
            ObjectType::Exclude => &self.name_excludeadr,
            ObjectType::Equality => &self.name_eqadr,
            ObjectType::Tendon => &self.name_tendonadr,
            ObjectType::Actuator => &self.name_actuatoradr,
            ObjectType::Sensor => &self.name_sensoradr,
            ObjectType::Numeric => &self.name_numericadr,
            ObjectType::Text => &self.name_textadr,
            ObjectType::Tuple => &self.name_tupleadr,
            ObjectType::Key => &self.name_keyadr,
            ObjectType::Plugin => &self.name_pluginadr,
            _ => return None,
        })
    }

    /// The zero-terminated string at `address` of the name buffer; empty where the address is out of range or not UTF-8.
    pub fn name_at(&self, address: i32) -> &str {
        usize::try_from(address)
            .ok()
            .and_then(|start| self.names.get(start..))
            .and_then(|tail| tail.split(|&byte| byte == 0).next())
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or("")
    }

    /// Name of the model itself.
    pub fn model_name(&self) -> &str {
        self.name_at(0)
    }

    /// Name of an element; empty when it has none or does not exist.
    pub fn name(&self, kind: ObjectType, id: usize) -> &str {
        self.name_addresses(kind).and_then(|addresses| addresses.get(id)).map_or("", |&at| self.name_at(at))
    }

    /// What an element is called: its name; without one, its kind and number, where it is fixed to a body under that: `torso/geom#15`.
    pub fn label(&self, kind: ObjectType, id: usize) -> String {
        let name = self.name(kind, id);
        if !name.is_empty() {
            return name.to_owned();
        }
        let word = kind.word();
        let body = match kind {
            ObjectType::Geom => self.geom_bodyid.get(id),
            ObjectType::Site => self.site_bodyid.get(id),
            ObjectType::Joint => self.jnt_bodyid.get(id),
            ObjectType::Camera => self.cam_bodyid.get(id),
            _ => None,
        };
        match body {
            Some(&body) => format!("{}/{word}#{id}", self.label(ObjectType::Body, body.max(0) as usize)),
            None => format!("{word}#{id}"),
        }
    }

    /// Index of the element of that kind and name.
    pub fn find(&self, kind: ObjectType, name: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        self.name_addresses(kind)?.iter().position(|&at| self.name_at(at) == name)
    }
}

impl ObjectType {
    /// What a kind of element is called in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Body | Self::XBody => "body",
            Self::Joint => "joint",
            Self::Dof => "dof",
            Self::Geom => "geom",
            Self::Site => "site",
            Self::Camera => "camera",
            Self::Light => "light",
            Self::Flex => "flex",
            Self::Mesh => "mesh",
            Self::Pair => "pair",
            Self::Exclude => "exclude",
            Self::Equality => "equality",
            Self::Tendon => "tendon",
            Self::Actuator => "actuator",
            Self::Sensor => "sensor",
            Self::Key => "key",
            Self::Plugin => "plugin",
            _ => "object",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_both_ways() {
        let model = Model {
            names: b"scene\0world\0arm\0".to_vec().into(),
            name_bodyadr: vec![6, 12].into(),
            ..Model::default()
        };
        assert_eq!(model.model_name(), "scene");
        assert_eq!(model.name(ObjectType::Body, 1), "arm");
        assert_eq!(model.find(ObjectType::Body, "arm"), Some(1));
        assert_eq!(model.find(ObjectType::Body, "leg"), None);
        assert_eq!(model.name(ObjectType::Joint, 0), "");
    }

    #[test]
    fn elements_without_a_name_are_called_by_their_body_and_number() {
        let model = Model {
            names: b"scene\0arm\0".to_vec().into(),
            name_bodyadr: vec![9, 6].into(),
            name_geomadr: vec![9, 9].into(),
            geom_bodyid: vec![1, 0].into(),
            ..Model::default()
        };
        assert_eq!(model.label(ObjectType::Geom, 0), "arm/geom#0");
        assert_eq!(model.label(ObjectType::Geom, 1), "body#0/geom#1");
        assert_eq!(model.label(ObjectType::Body, 1), "arm");
        assert_eq!(model.label(ObjectType::Actuator, 7), "actuator#7");
    }
}
