//! Deformable bodies: indices are counted from the first vertex, edge or element of their own flex.

use super::{inside, optional, rows};
use crate::{FlexSelfCollide, Model};

pub fn check(model: &Model) -> Result<(), String> {
    for flex in 0..model.nflex {
        check_one(model, flex)?;
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
        || FlexSelfCollide::from_i32(model.flex_selfcollide[flex]).is_none()
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
        && rows(&model.flex_edgeflap, edge, number)
            .as_flattened()
            .iter()
            .all(|vertex| optional(*vertex, vertices))
        && rows(&model.flex_evpair, model.flex_evpairadr[flex], model.flex_evpairnum[flex])
            .iter()
            .all(|[element, vertex]| inside(*element, elements) && inside(*vertex, vertices));
    if good { Ok(()) } else { Err(outside(flex)) }
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
