//! Names and paths packed into buffers, the hash table of names, and the signature of a model's structure.

use std::fmt::Write as _;

use condyle_model::Model;

use super::joint::qpos_count;
use super::key::keys_in_order;
use super::work::Work;

/// Slots of the hash table per element.
const LOAD: usize = 2;

/// The hash of names: h·33 xor each byte, which is a signed char.
fn hash(text: &[u8]) -> u64 {
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
        let mut text = String::from("\n");
        // Bodies open and close in depth-first order.
        let mut stack = vec![(0_usize, 0_usize, false)];
        while let Some((body, depth, closing)) = stack.pop() {
            let indent = |text: &mut String, depth: usize| {
                text.extend(std::iter::repeat_n(' ', (2 * depth).min(1024)));
            };
            indent(&mut text, depth);
            if closing {
                text.push_str("</body>\n");
                continue;
            }
            text.push_str("<body>\n");
            let work = &self.bodies[body];
            for &joint in &work.joints {
                indent(&mut text, depth + 1);
                let _ = writeln!(text, "<joint>{}</joint>", qpos_count(self.joints[joint].source.kind));
            }
            let parts = [
                (work.geoms.len(), "<geom/>\n"),
                (work.sites.len(), "<site/>\n"),
                (work.cameras.len(), "<camera/>\n"),
                (work.lights.len(), "<light/>\n"),
            ];
            for (count, line) in parts {
                for _ in 0..count {
                    indent(&mut text, depth + 1);
                    text.push_str(line);
                }
            }
            stack.push((body, depth, true));
            stack.extend(work.children.iter().rev().map(|&child| (child, depth + 1, false)));
        }
        let counts = [
            (model.nflex, "<flex/>\n"),
            (model.nmesh, "<mesh/>\n"),
            (model.nskin, "<skin/>\n"),
            (model.nhfield, "<heightfield/>\n"),
            (model.ntex, "<texture/>\n"),
            (model.nmat, "<material/>\n"),
            (model.npair, "<pair/>\n"),
            (model.nexclude, "<exclude/>\n"),
            (model.neq.saturating_sub(1), "<equality/>\n"),
            (model.ntendon, "<tendon/>\n"),
            (model.nu, "<actuator/>\n"),
        ];
        for (count, line) in counts {
            for _ in 0..count {
                text.push_str(line);
            }
        }
        for sensor in &self.sensors {
            let _ = writeln!(text, "<sensor>{}<sensor/>", sensor.source.kind as i32);
        }
        for _ in 0..model.nkey {
            text.push_str("<key/>\n");
        }
        structure_hash(&text)
    }
}

/// Hash of the text of a structure.
pub(crate) fn structure_hash(text: &str) -> u64 {
    hash(text.as_bytes()) % u64::MAX
}
