//! The signature of a spec: a hash of its structure, the same that its compiled model gets. It tells whether a model still
//! belongs to the spec it was compiled from.

use std::fmt::Write;

use super::Kind;
use crate::compile::structure_hash;
use crate::spec::Spec;
use condyle_model::JointType;

impl Spec {
    /// Hash of how many elements of each kind sit where.
    pub fn signature(&self) -> u64 {
        let mut text = String::from("\n");
        let mut stack = vec![(self.world(), 0_usize, false)];
        while let Some((id, depth, closing)) = stack.pop() {
            let Some(body) = self.bodies.get(id) else { continue };
            let indent = |text: &mut String, depth: usize| {
                text.extend(std::iter::repeat_n(' ', (2 * depth).min(1024)));
            };
            indent(&mut text, depth);
            if closing {
                text.push_str("</body>\n");
                continue;
            }
            text.push_str("<body>\n");
            for &joint in &body.joints {
                let count = match self.joints.get(joint).map(|joint| joint.kind) {
                    Some(JointType::Free) => 7,
                    Some(JointType::Ball) => 4,
                    _ => 1,
                };
                indent(&mut text, depth + 1);
                let _ = writeln!(text, "<joint>{count}</joint>");
            }
            let parts = [
                (body.geoms.len(), "<geom/>\n"),
                (body.sites.len(), "<site/>\n"),
                (body.cameras.len(), "<camera/>\n"),
                (body.lights.len(), "<light/>\n"),
            ];
            for (count, line) in parts {
                for _ in 0..count {
                    indent(&mut text, depth + 1);
                    text.push_str(line);
                }
            }
            stack.push((id, depth, true));
            stack.extend(body.bodies.iter().rev().map(|&child| (child, depth + 1, false)));
        }
        let counts = [
            (self.flexes.len(), "<flex/>\n"),
            (self.meshes.len(), "<mesh/>\n"),
            (self.skins.len(), "<skin/>\n"),
            (self.hfields.len(), "<heightfield/>\n"),
            (self.textures.len(), "<texture/>\n"),
            (self.materials.len(), "<material/>\n"),
            (self.pairs.len(), "<pair/>\n"),
            (self.excludes.len(), "<exclude/>\n"),
            (self.equalities.len().saturating_sub(1), "<equality/>\n"),
            (self.tendons.len(), "<tendon/>\n"),
            (self.actuators.len(), "<actuator/>\n"),
        ];
        for (count, line) in counts {
            for _ in 0..count {
                text.push_str(line);
            }
        }
        for sensor in self.sensors.values() {
            let _ = writeln!(text, "<sensor>{}<sensor/>", sensor.kind as i32);
        }
        for _ in self.elements(Kind::Key) {
            text.push_str("<key/>\n");
        }
        structure_hash(&text)
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
