//! The flex with its bodies, joints and constraint.
//!
//! A body of mass `m` has the inertia `m (2 b²)/3` about every axis, `b` being `inertiabox`. The mass of the flexcomp is shared
//! equally by all points, also by pinned ones, or by the nodes: equally by eight, and by 27 with the weights 1/6, 2/3, 1/6 of
//! Simpson's rule along each axis.

use condyle_asset::principal::normalize_slice;
use condyle_model::{GeomType, JointType};

use super::pin::Layout;
use super::{Flexcomp, FlexcompDof, FlexcompParts, FlexcompType, Shape};
use crate::arena::Id;
use crate::default_class::DefaultClass;
use crate::element::{Body, Equality, Flex, Info, PluginRef};
use crate::spec::Spec;

/// Longest name of a body in bytes; names are cut off there.
const LONGEST_NAME: usize = 99;
/// Visual group of spheres at vertices.
const VERTEX_GROUP: i32 = 4;

/// What a new body is made with.
struct NewBody {
    name: String,
    pos: [f64; 3],
    mass: f64,
    /// Visual group of its sphere; nodes keep that of their class.
    group: Option<i32>,
    radial: bool,
    class: Option<Id<DefaultClass>>,
}

impl Spec {
    /// Adds everything; nothing can go wrong any more.
    pub(super) fn add_flex_and_bodies(
        &mut self,
        parent: Id<Body>,
        flexcomp: &Flexcomp,
        shape: Shape,
        layout: Layout,
    ) -> FlexcompParts {
        let parent_name = self.bodies[parent].info.name.clone();
        let mut flex = flexcomp.flex.clone();
        flex.info = Info { name: flexcomp.name.clone(), ..flexcomp.info.clone() };
        flex.info.class = Some(self.main_class());
        flex.dim = shape.dim as i32;
        flex.flatskin |= matches!(flexcomp.kind, FlexcompType::Box | FlexcompType::Cylinder)
            || (flexcomp.kind == FlexcompType::Grid && shape.dim == 3);
        flex.elem = shape.elements;
        flex.texcoord = shape.texcoords;
        flex.elemtexcoord = shape.element_texcoords;
        let mut points = shape.points;
        let mut bodies = Vec::new();
        if layout.rigid {
            flex.vertbody.push(parent_name);
            flex.vert = points.into_flattened();
            return FlexcompParts { flex: self.flexes.push(flex), bodies };
        }

        let plugin = self.shared_plugin(flexcomp);
        self.add_vertices(parent, flexcomp, &layout, &plugin, (&mut points, &mut flex, &mut bodies));
        if let Some(order) = flexcomp.dof.order() {
            self.add_nodes(parent, flexcomp, &layout, order, (&mut flex, &mut bodies));
        }
        if !layout.centered || flexcomp.dof.order().is_some() {
            flex.vert = points.into_flattened();
        }
        let flex = self.flexes.push(flex);
        if let Some(equality) = &flexcomp.equality {
            let id = self.add_equality(None);
            let class = self.equalities[id].info.class;
            self.equalities[id] = Equality {
                info: Info { name: String::new(), class, attributes: Vec::new(), ..flexcomp.info.clone() },
                name1: flexcomp.name.clone(),
                active: true,
                ..equality.clone()
            };
        }
        FlexcompParts { flex, bodies }
    }

    /// The plugin of all bodies. One that is written inside the flexcomp is an instance all of them share.
    fn shared_plugin(&mut self, flexcomp: &Flexcomp) -> PluginRef {
        let mut plugin = flexcomp.plugin.clone();
        if let Some(own) = plugin.own_instance.take() {
            plugin.instance_name = format!("flexcomp_{}", flexcomp.name);
            self.plugins[own].info.name.clone_from(&plugin.instance_name);
        }
        plugin
    }

    /// A body for every point that moves by itself. Such points lie at the origin of their body.
    fn add_vertices(
        &mut self,
        parent: Id<Body>,
        flexcomp: &Flexcomp,
        layout: &Layout,
        plugin: &PluginRef,
        (points, flex, bodies): (&mut [[f64; 3]], &mut Flex, &mut Vec<Id<Body>>),
    ) {
        let parent_name = self.bodies[parent].info.name.clone();
        let class = self.class_inside(parent);
        let mass = flexcomp.mass / points.len() as f64;
        for (number, point) in points.iter_mut().enumerate() {
            let stays = layout.pinned.get(number).copied().unwrap_or(true) || flexcomp.dof.order().is_some();
            let body = if stays {
                flex.vertbody.push(parent_name.clone());
                parent
            } else {
                let new = NewBody {
                    name: body_name(format!("{}_{number}", flexcomp.name)),
                    pos: *point,
                    mass,
                    group: Some(VERTEX_GROUP),
                    radial: flexcomp.dof == FlexcompDof::Radial,
                    class,
                };
                flex.vertbody.push(new.name.clone());
                let body = self.add_flex_body(parent, flexcomp, new);
                bodies.push(body);
                *point = [0.0; 3];
                body
            };
            if plugin.active {
                self.bodies[body].plugin = plugin.clone();
            }
        }
    }

    /// A body for every node that moves. Pinned nodes belong to the parent.
    fn add_nodes(
        &mut self,
        parent: Id<Body>,
        flexcomp: &Flexcomp,
        layout: &Layout,
        order: usize,
        (flex, bodies): (&mut Flex, &mut Vec<Id<Body>>),
    ) {
        let parent_name = self.bodies[parent].info.name.clone();
        let class = self.class_inside(parent);
        let step = 1.0 / order as f64;
        let weight = [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];
        let [low, high] = layout.bounds;
        let side = order + 1;
        let mut nodes = Vec::with_capacity(side * side * side);
        for number in 0..side * side * side {
            let at = [number / (side * side), number / side % side, number % side];
            let pos: [f64; 3] =
                std::array::from_fn(|axis| low[axis] + at[axis] as f64 * step * (high[axis] - low[axis]));
            if layout.pinned.get(number).copied().unwrap_or(true) {
                nodes.push(pos);
                flex.nodebody.push(parent_name.clone());
                continue;
            }
            let mass = if order == 1 {
                flexcomp.mass / 8.0
            } else {
                flexcomp.mass * weight[at[0]] * weight[at[1]] * weight[at[2]]
            };
            let name = body_name(format!("{}_{}_{}_{}", flexcomp.name, at[0], at[1], at[2]));
            flex.nodebody.push(name.clone());
            let new = NewBody { name, pos, mass, group: None, radial: false, class };
            bodies.push(self.add_flex_body(parent, flexcomp, new));
            nodes.push([0.0; 3]);
        }
        if !layout.centered {
            flex.node = nodes.into_flattened();
        }
    }

    /// A body on sliding joints, with a sphere if vertices are to collide.
    fn add_flex_body(&mut self, parent: Id<Body>, flexcomp: &Flexcomp, new: NewBody) -> Id<Body> {
        let class = new.class;
        let body = self.add_body(parent);
        let made = Info { name: String::new(), class, attributes: Vec::new(), ..flexcomp.info.clone() };
        let values = &mut self.bodies[body];
        values.info = Info { name: new.name, ..made.clone() };
        values.pos = new.pos;
        values.ipos = Some([0.0; 3]);
        values.mass = new.mass;
        let size = flexcomp.inertiabox;
        values.inertia = [new.mass * (2.0 * size * size) / 3.0; 3];
        values.explicit_inertial = true;
        if flexcomp.flex.vertcollide != 0 {
            let geom = self.add_geom(body, class);
            let geom = &mut self.geoms[geom];
            geom.info = Info { class: geom.info.class, ..made.clone() };
            geom.kind = GeomType::Sphere;
            geom.size[0] = flexcomp.flex.radius;
            geom.group = new.group.unwrap_or(geom.group);
        }
        let axes = if new.radial {
            let mut axis = new.pos;
            normalize_slice(&mut axis);
            vec![axis]
        } else {
            vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        };
        for axis in axes {
            let joint = self.add_joint(body, class);
            let joint = &mut self.joints[joint];
            joint.info = Info { class: joint.info.class, ..made.clone() };
            joint.kind = JointType::Slide;
            joint.pos = [0.0; 3];
            joint.axis = axis;
        }
        body
    }

    /// Class of elements of a body that name none.
    fn class_inside(&self, body: Id<Body>) -> Option<Id<DefaultClass>> {
        let body = &self.bodies[body];
        if body.childclass.is_empty() { body.info.class } else { self.find_class(&body.childclass) }
    }
}

/// A name cut off where the reference cuts it.
fn body_name(mut name: String) -> String {
    if name.len() > LONGEST_NAME {
        let end = (0..=LONGEST_NAME).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
        name.truncate(end);
    }
    name
}
