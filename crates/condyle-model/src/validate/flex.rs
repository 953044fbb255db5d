//! Deformable bodies: indices are counted from the first vertex, edge or element of their own flex.

use super::{inside, optional, rows};
use crate::Model;

pub(super) fn check(model: &Model) -> Result<(), String> {
    let parts = [
        ("flex_vertadr", &model.flex_vertadr, &model.flex_vertnum),
        ("flex_nodeadr", &model.flex_nodeadr, &model.flex_nodenum),
        ("flex_edgeadr", &model.flex_edgeadr, &model.flex_edgenum),
        ("flex_elemadr", &model.flex_elemadr, &model.flex_elemnum),
    ];
    for (name, starts, counts) in parts {
        check_order(name, starts, counts)?;
    }
    for flex in 0..model.nflex {
        check_one(model, flex)?;
        check_carriers(model, flex)?;
        check_edges_of_vertices(model, flex)?;
    }
    super::all("flex_nodebodyid", &model.flex_nodebodyid, |body| inside(body, model.nbody))?;
    super::all("flex_vertbodyid", &model.flex_vertbodyid, |body| optional(body, model.nbody))?;
    super::all("flexedge_J_colind", &model.flexedge_J_colind, |dof| inside(dof, model.nv))?;
    super::all("flexvert_J_colind", model.flexvert_J_colind.as_flattened(), |dof| inside(dof, model.nv))?;
    let patterns = [
        ("flexedge_J", model.flexedge_J_rowadr.as_slice(), model.flexedge_J_rownnz.as_slice(), model.nJfe),
        (
            "flexvert_J",
            model.flexvert_J_rowadr.as_flattened(),
            model.flexvert_J_rownnz.as_flattened(),
            2 * model.nJfv,
        ),
    ];
    for (name, starts, counts, total) in patterns {
        for (start, count) in starts.iter().zip(counts) {
            if *start < 0 || *count < 0 || i64::from(*start) + i64::from(*count) > total as i64 {
                return Err(format!("a row of {name} reaches outside the matrix"));
            }
        }
    }
    Ok(())
}

fn check_one(model: &Model, flex: usize) -> Result<(), String> {
    let dim = model.flex_dim[flex];
    let counts = [model.flex_elemnum[flex], model.flex_vertnum[flex], model.flex_edgenum[flex]];
    let starts = [model.flex_vertadr[flex], model.flex_edgeadr[flex], model.flex_elemadr[flex]];
    if !(1..=3).contains(&dim)
        || !(0..=2).contains(&model.flex_interp[flex])
        || ![1, 3, 4, 6].contains(&model.flex_condim[flex])
        || model.flex_selfcollide(flex).is_none()
        || counts
            .iter()
            .chain([&model.flex_nodenum[flex], &model.flex_shellnum[flex]])
            .any(|count| *count < 0)
        || starts.iter().zip([counts[1], counts[2], counts[0]]).any(|(start, count)| count > 0 && *start < 0)
    {
        return Err(format!("flex {flex} has a bad dimension, count or address"));
    }
    let [elements, vertices, edges] = counts.map(|count| count as usize);
    // Corners and edges of segments, triangles and tetrahedra.
    let (corners, sides) = [(2, 1), (3, 3), (4, 6)][dim as usize - 1];
    let per_element = |table, start, width: i32| {
        part(table, start, i64::from(counts[0]) * i64::from(width)).ok_or_else(|| outside(flex))
    };
    let element = per_element(&model.flex_elem, model.flex_elemdataadr[flex], corners)?;
    let element_edges = per_element(&model.flex_elemedge, model.flex_elemedgeadr[flex], sides)?;
    let shell = i64::from(model.flex_shellnum[flex]) * i64::from(dim);
    let shell = part(&model.flex_shell, model.flex_shelldataadr[flex], shell).ok_or_else(|| outside(flex))?;
    let (edge, number) = (model.flex_edgeadr[flex], model.flex_edgenum[flex]);
    let in_vertices = |vertex: &i32| inside(*vertex, vertices);
    let good = element.iter().chain(shell).all(in_vertices)
        && element_edges.iter().all(|side| inside(*side, edges))
        && rows(&model.flex_edge, edge, number).as_flattened().iter().all(in_vertices)
        && rows(&model.flex_edgeflap, edge, number).iter().all(|flap| {
            flap.iter().all(|vertex| optional(*vertex, vertices)) && (flap[0] >= 0 || flap[1] < 0)
        })
        && rows(&model.flex_evpair, model.flex_evpairadr[flex], model.flex_evpairnum[flex])
            .iter()
            .all(|[element, vertex]| inside(*element, elements) && inside(*vertex, vertices));
    if good { Ok(()) } else { Err(outside(flex)) }
}

/// Flexes are stored one after the other: each starts where the one before it ends.
fn check_order(name: &str, starts: &[i32], counts: &[i32]) -> Result<(), String> {
    let mut end = 0i64;
    for (flex, (start, count)) in starts.iter().zip(counts).enumerate() {
        if i64::from(*start) != end || *count < 0 {
            return Err(format!("{name}[{flex}] is {start}, expected {end}"));
        }
        end += i64::from(*count);
    }
    Ok(())
}

/// Nodes of an interpolated flex fill its cube; a vertex that is not interpolated has a body.
fn check_carriers(model: &Model, flex: usize) -> Result<(), String> {
    let (order, nodes) = (model.flex_interp[flex], model.flex_nodenum[flex]);
    if order > 0 {
        let side = order + 1;
        return if nodes == side * side * side {
            Ok(())
        } else {
            Err(format!("flex {flex} is interpolated with order {order} from {nodes} nodes"))
        };
    }
    let bodies = rows(&model.flex_vertbodyid, model.flex_vertadr[flex], model.flex_vertnum[flex]);
    super::all("flex_vertbodyid", bodies, |body| inside(body, model.nbody))
}

/// Lists of edges around the vertices of a flex stay inside their array and name edges of the flex.
fn check_edges_of_vertices(model: &Model, flex: usize) -> Result<(), String> {
    let edges = model.flex_edgenum[flex].max(0) as usize;
    let (vertex, vertices) = (model.flex_vertadr[flex], model.flex_vertnum[flex]);
    let starts = rows(&model.flex_vertedgeadr, vertex, vertices);
    for (start, count) in starts.iter().zip(rows(&model.flex_vertedgenum, vertex, vertices)) {
        let list = part(model.flex_vertedge.as_flattened(), *start, i64::from(*count));
        if list.is_none_or(|list| list.iter().any(|edge| !inside(*edge, edges))) {
            return Err(format!("flex {flex} has a vertex whose list of edges is damaged"));
        }
    }
    Ok(())
}

fn part(values: &[i32], start: i32, count: i64) -> Option<&[i32]> {
    let count = usize::try_from(count).ok()?;
    if count == 0 {
        return Some(&[]);
    }
    let start = usize::try_from(start).ok()?;
    values.get(start..start.checked_add(count)?)
}

fn outside(flex: usize) -> String {
    format!("flex {flex} has an element, edge or shell outside its vertices")
}
