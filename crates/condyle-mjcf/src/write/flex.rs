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
        text.number("radius", flex.radius, default.radius);
        text.text_unless("material", &flex.material, "");
        text.array("rgba", &flex.rgba, &default.rgba);
        text.flag("flatskin", flex.flatskin, default.flatskin);
        text.number("dim", flex.dim, default.dim);
        text.number("group", flex.group, default.group);
        text.text("body", &flex.vertbody.join(" "));
        text.list("vertex", &flex.vert);
        text.list("element", &flex.elem);
        text.list("texcoord", &flex.texcoord);
        text.list("elemtexcoord", &flex.elemtexcoord);
        text.text_unless("node", &flex.nodebody.join(" "), "");
        text.content("flex", |text| {
            text.settings("contact", |text| {
                text.number("contype", flex.contype, default.contype);
                text.number("conaffinity", flex.conaffinity, default.conaffinity);
                text.number("condim", flex.condim, default.condim);
                text.number("priority", flex.priority, default.priority);
                text.array("friction", &flex.friction, &default.friction);
                text.number("solmix", flex.solmix, default.solmix);
                text.array("solref", &flex.solref, &default.solref);
                text.array("solimp", &flex.solimp, &default.solimp);
                text.number("margin", flex.margin, default.margin);
                text.number("gap", flex.gap, default.gap);
                text.flag("internal", flex.internal, default.internal);
                text.word("selfcollide", "selfcollide", flex.selfcollide, default.selfcollide);
                text.number("activelayers", flex.activelayers, default.activelayers);
                text.word("vertcollide", "bool", flex.vertcollide, default.vertcollide);
                text.word("passive", "bool", flex.passive, default.passive);
            });
            text.settings("elasticity", |text| {
                text.number("young", flex.young, default.young);
                text.number("poisson", flex.poisson, default.poisson);
                text.number("thickness", flex.thickness, default.thickness);
                text.number("damping", flex.damping, default.damping);
                text.word("elastic2d", "elastic2d", flex.elastic2d, default.elastic2d);
            });
            text.settings("edge", |text| {
                text.number("stiffness", flex.edgestiffness, default.edgestiffness);
                text.number("damping", flex.edgedamping, default.edgedamping);
            });
        });
    }
}
