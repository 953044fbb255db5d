//! The signature of a spec: a hash of its structure, the same that its compiled model gets. It tells whether a model still
//! belongs to the spec it was compiled from.

use super::Kind;
use crate::compile::structure::{self, BodyContent, Counts};
use crate::spec::Spec;

impl Spec {
    /// Hash of how many elements of each kind sit where.
    pub fn signature(&self) -> u64 {
        let content = |id| {
            let body = self.bodies.get(id)?;
            Some(BodyContent {
                joints: body.joints.iter().filter_map(|&joint| Some(self.joints.get(joint)?.kind)).collect(),
                geoms: body.geoms.len(),
                sites: body.sites.len(),
                cameras: body.cameras.len(),
                lights: body.lights.len(),
                children: body.bodies.clone(),
            })
        };
        let counts = Counts {
            flexes: self.flexes.len(),
            meshes: self.meshes.len(),
            skins: self.skins.len(),
            hfields: self.hfields.len(),
            textures: self.textures.len(),
            materials: self.materials.len(),
            pairs: self.pairs.len(),
            excludes: self.excludes.len(),
            equalities: self.equalities.len(),
            tendons: self.tendons.len(),
            actuators: self.actuators.len(),
            keys: self.elements(Kind::Key).len(),
        };
        structure::signature(
            self.world(),
            content,
            &counts,
            self.sensors.values().map(|sensor| sensor.kind as i32),
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::{CompileOptions, FileSystem, Spec, compile};

    #[test]
    fn a_spec_has_the_signature_of_its_model() {
        let mut spec = Spec::new();
        let body = spec.add_body(spec.world());
        spec.add_free_joint(body);
        let geom = spec.add_geom(body, None);
        spec.geoms[geom].size[0] = 0.1;
        spec.add_key();
        let model = compile(&spec, &FileSystem, &CompileOptions::default()).unwrap().model;
        assert_eq!(spec.signature(), model.signature);
        spec.add_site(body, None);
        assert_ne!(spec.signature(), model.signature);
    }
}
