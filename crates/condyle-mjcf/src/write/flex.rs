//! Deformable bodies.

use super::Writer;
use condyle_spec::{Flex, Spec, find_by_name};

/// A spec in which all nodes of flexes lie at the origins of their bodies, because text has no place for anything else: a node
/// that does not gets a body of its own, fixed to the one it had. `None` if there is no such node.
pub(super) fn nodes_at_origins(spec: &Spec) -> Option<Spec> {
    let placed = |flex: &Flex| flex.node.iter().any(|offset| *offset != 0.0);
    if !spec.flexes.values().any(placed) {
        return None;
    }
    let mut copy = spec.clone();
    for id in spec.flexes.ids().filter(|&id| placed(&spec.flexes[id])) {
        let flex = &spec.flexes[id];
        for (node, offset) in flex.node.as_chunks::<3>().0.iter().enumerate() {
            let body = flex.nodebody.get(node).and_then(|name| find_by_name(&spec.bodies, name));
            let Some(body) = body.filter(|_| *offset != [0.0; 3]) else { continue };
            let mut name = format!("{}_node_{node}", flex.info.name);
            while find_by_name(&copy.bodies, &name).is_some() {
                name.push('_');
            }
            let own = copy.add_body(body);
            copy.bodies[own].pos = *offset;
            copy.bodies[own].info.name.clone_from(&name);
            if let Some(place) = copy.flexes[id].nodebody.get_mut(node) {
                *place = name;
            }
        }
        copy.flexes[id].node.clear();
    }
    Some(copy)
}

impl Writer<'_> {
    pub(super) fn flex(&mut self, flex: &Flex) {
        let default = &Flex::default();
        let text = &mut self.text;
        text.start("flex");
        text.text_unless("name", &flex.info.name, "");
        text.attributes(flex, default, |_| true);
        text.content("flex", |text| {
            for part in ["contact", "elasticity", "edge"] {
                text.part(part, flex, default);
            }
        });
    }
}
