//! Sizes of the flex arrays, and entries of the sparse Jacobians of edges and vertices.

use condyle_model::Model;

use super::FlexWork;
use crate::compile::work::Work;

impl Work<'_> {
    /// Adds the sizes of all flexes. Counting stops when a Jacobian has more entries than `most`; the sizes are too large then.
    pub(crate) fn flex_sizes(&self, model: &mut Model, most: usize) {
        model.nflex = self.flexes.len();
        let moving = self.moving_ancestors();
        for flex in &self.flexes {
            let topology = &flex.topology;
            model.nbvhdynamic += flex.bvh.node_id.len();
            model.nflexnode += flex.node_bodies.len();
            model.nflexvert += flex.vertex_count();
            model.nflexedge += topology.edges.len();
            model.nflexelem += topology.element_count();
            model.nflexelemdata += topology.elem.len();
            model.nflexelemedge += topology.element_edges.len();
            model.nflexshelldata += topology.shell.len();
            model.nflexevpair += topology.pairs.len();
            model.nflextexcoord += flex.source.texcoord.len() / 2;
            if !flex.interpolated() && !flex.rigid {
                self.jacobian_sizes(model, flex, &moving, most);
            }
        }
        model.nbvh += model.nbvhdynamic;
    }

    /// For each body, itself if it has dofs, else the nearest ancestor that has.
    fn moving_ancestors(&self) -> Vec<Option<usize>> {
        let mut moving = vec![None; self.bodies.len()];
        for &body in &self.body_order {
            let work = &self.bodies[body];
            moving[body] = if work.dofs > 0 {
                Some(body)
            } else if body == 0 {
                None
            } else {
                moving[work.parent]
            };
        }
        moving
    }

    /// An edge depends on all dofs above its two vertices, a vertex on those above itself and the vertices it shares an edge with.
    fn jacobian_sizes(&self, model: &mut Model, flex: &FlexWork<'_>, moving: &[Option<usize>], most: usize) {
        let edges = &flex.topology.edges;
        let mut union = DofUnion { work: self, moving, seen: vec![0; self.bodies.len()], round: 0 };
        let mut neighbours = vec![Vec::new(); flex.vertex_count()];
        for &[from, to] in edges {
            let (from, to) = (from as usize, to as usize);
            model.nJfe += union.count([from, to].into_iter().filter_map(|vertex| flex.body_of(vertex)));
            neighbours[from].push(to);
            neighbours[to].push(from);
            if model.nJfe > most {
                return;
            }
        }
        for (vertex, around) in neighbours.iter().enumerate() {
            let vertices = std::iter::once(vertex).chain(around.iter().copied());
            model.nJfv += union.count(vertices.filter_map(|vertex| flex.body_of(vertex)));
            if model.nJfv > most {
                return;
            }
        }
    }
}

/// Counts the dofs that move any of several bodies.
struct DofUnion<'a, 's> {
    work: &'a Work<'s>,
    moving: &'a [Option<usize>],
    /// Round in which a body was last counted.
    seen: Vec<usize>,
    round: usize,
}

impl DofUnion<'_, '_> {
    fn count(&mut self, bodies: impl Iterator<Item = usize>) -> usize {
        self.round += 1;
        let mut dofs = 0;
        for body in bodies {
            let mut next = self.moving[body];
            while let Some(body) = next {
                if std::mem::replace(&mut self.seen[body], self.round) == self.round {
                    break;
                }
                dofs += self.work.bodies[body].dofs;
                next = self.moving[self.work.bodies[body].parent];
            }
        }
        dofs
    }
}
