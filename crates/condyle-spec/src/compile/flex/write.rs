//! Flexes in the arrays of the model. What depends on masses is left to the constants of the reference configuration.

use condyle_model::{EqualityType, Model, ObjectType};

use super::FlexWork;
use super::elasticity::STIFFNESS;
use crate::compile::ids::Ids;
use crate::compile::work::Work;

/// Where the rows of the current flex start.
struct Starts {
    vertex: usize,
    node: usize,
    edge: usize,
    element: usize,
    corner: usize,
    element_edge: usize,
    shell: usize,
    pair: usize,
    texcoord: usize,
    volume: usize,
}

impl Work<'_> {
    pub(crate) fn write_flexes(&self, model: &mut Model, ids: &Ids) {
        // Trees of flexes come after all that never change, so that their boxes can be kept apart.
        let mut start = Starts {
            vertex: 0,
            node: 0,
            edge: 0,
            element: 0,
            corner: 0,
            element_edge: 0,
            shell: 0,
            pair: 0,
            texcoord: 0,
            volume: model.nbvhstatic,
        };
        for (at, flex) in self.flexes.iter().enumerate() {
            flex.source.write_entries(model, at);
            model.flex_matid[at] = ids.maybe(ObjectType::Material, flex.material);
            model.flex_edgeequality[at] = self.edge_equality(flex);
            self.write_points(model, ids, at, flex, &start);
            write_elements(model, at, flex, &start);
            self.write_edges(model, at, flex, &start);
            write_tree(model, at, flex, &start);
            start.vertex += flex.vertex_count();
            start.node += flex.node_bodies.len();
            start.edge += flex.topology.edges.len();
            start.element += flex.topology.element_count();
            start.corner += flex.topology.elem.len();
            start.element_edge += flex.topology.element_edges.len();
            start.shell += flex.topology.shell.len();
            start.pair += flex.topology.pairs.len();
            start.texcoord += flex.source.texcoord.len() / 2;
            start.volume += flex.bvh.node_id.len();
        }
    }

    /// What the first equality constraint of this name holds fixed: 0 nothing, 1 edges, 2 vertices.
    fn edge_equality(&self, flex: &FlexWork<'_>) -> i32 {
        let named = |name: &str| name == flex.source.info.name;
        let kinds = self.equalities.iter().filter(|equality| named(&equality.source.name1)).map(|equality| {
            match equality.source.kind {
                EqualityType::Flex => 1,
                EqualityType::FlexVert => 2,
                _ => 0,
            }
        });
        kinds.into_iter().find(|kind| *kind > 0).unwrap_or(0)
    }

    fn write_points(&self, model: &mut Model, ids: &Ids, at: usize, flex: &FlexWork<'_>, start: &Starts) {
        let source = flex.source;
        model.flex_vertadr[at] = start.vertex as i32;
        model.flex_vertnum[at] = flex.vertex_count() as i32;
        model.flex_nodeadr[at] = start.node as i32;
        model.flex_nodenum[at] = flex.node_bodies.len() as i32;
        model.flex_interp[at] = flex.order;
        model.flex_rigid[at] = u8::from(flex.rigid);
        model.flex_centered[at] = u8::from(flex.centered);
        model.flex_size[at] = flex.size;
        for (vertex, fraction) in flex.fractions.iter().enumerate() {
            let row = start.vertex + vertex;
            model.flex_vert0[row] = *fraction;
            if !flex.centered || flex.interpolated() {
                model.flex_vert[row] = super::row(&source.vert, vertex);
            }
            model.flex_vertbodyid[row] = ids.maybe(ObjectType::Body, flex.body_of(vertex));
        }
        for (node, (position, &body)) in flex.nodes.iter().zip(&flex.node_bodies).enumerate() {
            let row = start.node + node;
            model.flex_node0[row] = *position;
            if !flex.centered {
                model.flex_node[row] = super::row(&source.node, node);
            }
            model.flex_nodebodyid[row] = ids.of(ObjectType::Body, body);
        }
        let has_texcoord = !source.texcoord.is_empty();
        model.flex_texcoordadr[at] = if has_texcoord { start.texcoord as i32 } else { -1 };
        for (pair, row) in source.texcoord.chunks_exact(2).zip(&mut model.flex_texcoord[start.texcoord..]) {
            row.copy_from_slice(pair);
        }
    }

    fn write_edges(&self, model: &mut Model, at: usize, flex: &FlexWork<'_>, start: &Starts) {
        let topology = &flex.topology;
        let bends = matches!(flex.source.elastic2d, 1 | 3);
        model.flex_edgeadr[at] = start.edge as i32;
        model.flex_edgenum[at] = topology.edges.len() as i32;
        for (edge, ends) in topology.edges.iter().enumerate() {
            let row = start.edge + edge;
            model.flex_edge[row] = *ends;
            model.flex_edgeflap[row] = match topology.flaps.get(edge) {
                Some(&[_, _, one, other]) if bends => [one, other],
                _ => [-1, -1],
            };
            if let Some(bending) = flex.bending.get(edge) {
                model.flex_bending[row] = *bending;
            }
            let weld = |vertex: i32| flex.body_of(vertex as usize).map(|body| self.bodies[body].weld);
            let welded = !flex.interpolated() && weld(ends[0]) == weld(ends[1]);
            model.flexedge_rigid[row] = u8::from(flex.rigid || welded);
        }
    }
}

fn write_elements(model: &mut Model, at: usize, flex: &FlexWork<'_>, start: &Starts) {
    let topology = &flex.topology;
    let copy = |target: &mut [i32], from: usize, values: &[i32]| {
        target[from..from + values.len()].copy_from_slice(values);
    };
    let address = |from: usize, count: usize| if count > 0 { from as i32 } else { -1 };
    model.flex_elemadr[at] = start.element as i32;
    model.flex_elemnum[at] = topology.element_count() as i32;
    model.flex_elemdataadr[at] = start.corner as i32;
    model.flex_elemedgeadr[at] = start.element_edge as i32;
    copy(&mut model.flex_elem, start.corner, &topology.elem);
    copy(&mut model.flex_elemtexcoord, start.corner, &flex.elemtexcoord);
    copy(&mut model.flex_elemedge, start.element_edge, &topology.element_edges);
    copy(&mut model.flex_elemlayer, start.element, &topology.layers);
    model.flex_shellnum[at] = (topology.shell.len() / (flex.corners() - 1)) as i32;
    model.flex_shelldataadr[at] = address(start.shell, topology.shell.len());
    copy(&mut model.flex_shell, start.shell, &topology.shell);
    model.flex_evpairnum[at] = topology.pairs.len() as i32;
    model.flex_evpairadr[at] = address(start.pair, topology.pairs.len());
    model.flex_evpair[start.pair..start.pair + topology.pairs.len()].copy_from_slice(&topology.pairs);
    let stiffness = model.flex_stiffness.as_flattened_mut();
    let first = STIFFNESS * start.element;
    stiffness[first..first + flex.stiffness.len()].copy_from_slice(&flex.stiffness);
}

fn write_tree(model: &mut Model, at: usize, flex: &FlexWork<'_>, start: &Starts) {
    let nodes = flex.bvh.node_id.len();
    let rows = start.volume..start.volume + nodes;
    model.flex_bvhnum[at] = nodes as i32;
    model.flex_bvhadr[at] = if nodes > 0 { start.volume as i32 } else { -1 };
    model.bvh_child[rows.clone()].copy_from_slice(&flex.bvh.child);
    model.bvh_depth[rows.clone()].copy_from_slice(&flex.bvh.level);
    model.bvh_nodeid[rows].copy_from_slice(&flex.bvh.node_id);
}
