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

    /// Index of the element of that kind and name.
    pub fn find(&self, kind: ObjectType, name: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        self.name_addresses(kind)?.iter().position(|&at| self.name_at(at) == name)
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
}
