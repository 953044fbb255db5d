//! Names and paths packed into buffers, the hash table of names, and the counts that the signature is made from.

use condyle_model::Model;

use super::key::keys_in_order;
use super::structure::{self, BodyContent, Counts};
use super::work::Work;

/// Slots of the hash table per element.
const LOAD: usize = 2;

/// The hash of names: h·33 xor each byte, which is a signed char.
pub(super) fn hash(text: &[u8]) -> u64 {
    let mut h = 5381_u64;
    for &byte in text {
        h = (h << 5).wrapping_add(h) ^ (byte as i8 as i64 as u64);
    }
    h
}

/// Buffers being filled.
struct Packer<'a> {
    names: Vec<u8>,
    map: Vec<i32>,
    model: &'a mut Model,
}

impl Packer<'_> {
    /// Adds the names of one kind of element in order of their ids.
    fn add<'n>(&mut self, names: impl Iterator<Item = &'n str>, addresses: fn(&mut Model) -> &mut Vec<i32>) {
        let names: Vec<&str> = names.collect();
        let slots = LOAD * names.len();
        let start = self.map.len();
        self.map.resize(start + slots, -1);
        for (id, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            let mut slot = (hash(name.as_bytes()) % slots as u64) as usize;
            while self.map[start + slot] != -1 {
                slot = (slot + 1) % slots;
            }
            self.map[start + slot] = id as i32;
        }
        let mut list = Vec::with_capacity(names.len());
        for name in names {
            list.push(self.names.len() as i32);
            self.names.extend_from_slice(name.as_bytes());
            self.names.push(0);
        }
        *addresses(self.model) = list;
    }
}

impl Work<'_> {
    /// Packs all names.
    pub(super) fn write_names(&self, model: &mut Model, pair_order: &[usize], exclude_order: &[usize]) {
        let spec = self.spec;
        let mut start = spec.modelname.clone().into_bytes();
        start.push(0);
        let mut packer = Packer { names: start, map: Vec::new(), model };
        macro_rules! tree {
            ($($order:ident, $list:ident, $field:ident;)*) => {$(
                let names = self.$order.iter().map(|&at| self.$list[at].source.info.name.as_str());
                packer.add(names, |model| &mut model.$field);
            )*};
        }
        macro_rules! asset {
            ($($list:ident, $field:ident;)*) => {$(
                packer.add(self.$list.iter().map(|item| item.name.as_str()), |model| &mut model.$field);
            )*};
        }
        macro_rules! plain {
            ($($list:expr, $field:ident;)*) => {$(
                packer.add($list.map(|item| item.info.name.as_str()), |model| &mut model.$field);
            )*};
        }
        tree! {
            body_order, bodies, name_bodyadr;
            joint_order, joints, name_jntadr;
            geom_order, geoms, name_geomadr;
            site_order, sites, name_siteadr;
            camera_order, cameras, name_camadr;
            light_order, lights, name_lightadr;
        }
        plain! { spec.flexes.values(), name_flexadr; }
        let kept = self.meshes.iter().filter(|mesh| !mesh.discarded);
        packer.add(kept.map(|mesh| mesh.name.as_str()), |model| &mut model.name_meshadr);
        asset! {
            skins, name_skinadr;
            hfields, name_hfieldadr;
            textures, name_texadr;
        }
        plain! {
            self.materials.iter().map(|item| item.source), name_matadr;
            pair_order.iter().map(|&at| self.pairs[at].source), name_pairadr;
            exclude_order.iter().map(|&at| self.excludes[at].source), name_excludeadr;
            self.equalities.iter().map(|item| item.source), name_eqadr;
            self.tendons.iter().map(|item| item.source), name_tendonadr;
            self.actuators.iter().map(|item| item.source), name_actuatoradr;
            self.sensors.iter().map(|item| item.source), name_sensoradr;
            spec.numerics.values(), name_numericadr;
            spec.texts.values(), name_textadr;
            self.tuples.iter().map(|item| item.source), name_tupleadr;
        }
        let keys = keys_in_order(spec);
        let keys = keys.iter().map(|key| key.map_or("", |key| key.info.name.as_str()));
        packer.add(keys, |model| &mut model.name_keyadr);
        plain! { spec.plugins.values(), name_pluginadr; }
        let (names, map) = (packer.names, packer.map);
        model.nnames = names.len();
        model.names = names.into();
        model.nnames_map = map.len();
        model.names_map = map.into();
    }

    /// Packs the paths of asset files.
    pub(super) fn write_paths(&self, model: &mut Model) {
        let mut paths: Vec<u8> = Vec::new();
        let mut add = |file: &str| -> i32 {
            if file.is_empty() {
                return -1;
            }
            let address = paths.len() as i32;
            paths.extend_from_slice(file.as_bytes());
            paths.push(0);
            address
        };
        model.hfield_pathadr = self.hfields.iter().map(|item| add(&item.file)).collect();
        let kept = self.meshes.iter().filter(|mesh| !mesh.discarded);
        model.mesh_pathadr = kept.map(|item| add(&item.file)).collect();
        model.skin_pathadr = self.skins.iter().map(|item| add(&item.file)).collect();
        model.tex_pathadr = self.textures.iter().map(|item| add(&item.file)).collect();
        if paths.is_empty() {
            paths.push(0);
        }
        model.npaths = paths.len();
        model.paths = paths.into();
    }

    /// Hash of the structure: how many elements of each kind sit where.
    pub(super) fn signature(&self, model: &Model) -> u64 {
        let content = |body: usize| {
            let work = &self.bodies[body];
            Some(BodyContent {
                joints: work.joints.iter().map(|&joint| self.joints[joint].source.kind).collect(),
                geoms: work.geoms.len(),
                sites: work.sites.len(),
                cameras: work.cameras.len(),
                lights: work.lights.len(),
                children: work.children.clone(),
            })
        };
        let counts = Counts {
            flexes: model.nflex,
            meshes: model.nmesh,
            skins: model.nskin,
            hfields: model.nhfield,
            textures: model.ntex,
            materials: model.nmat,
            pairs: model.npair,
            excludes: model.nexclude,
            equalities: model.neq,
            tendons: model.ntendon,
            actuators: model.nu,
            keys: model.nkey,
        };
        structure::signature(0, content, &counts, self.sensors.iter().map(|sensor| sensor.source.kind as i32))
    }
}
