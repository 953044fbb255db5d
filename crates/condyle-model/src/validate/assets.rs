//! Meshes, height fields, textures, skins, and the trees of boxes and cells over them.

use super::{inside, optional, rows};
use crate::{GeomType, Model};

pub(super) fn check(model: &Model) -> Result<(), String> {
    for mesh in 0..model.nmesh {
        check_mesh(model, mesh)?;
        check_graph(model, mesh)?;
        check_octree(model, mesh)?;
    }
    check_boxes(model)?;
    for field in 0..model.nhfield {
        let (rows, columns) = (i64::from(model.hfield_nrow[field]), i64::from(model.hfield_ncol[field]));
        let start = i64::from(model.hfield_adr[field]);
        if rows < 1 || columns < 1 || start < 0 || start + rows * columns > model.nhfielddata as i64 {
            return Err(format!("height field {field} reaches outside hfield_data"));
        }
    }
    for texture in 0..model.ntex {
        let pixels = i64::from(model.tex_height[texture]).checked_mul(i64::from(model.tex_width[texture]));
        let bytes = pixels.and_then(|n| n.checked_mul(i64::from(model.tex_nchannel[texture])));
        let end = bytes.and_then(|n| n.checked_add(model.tex_adr[texture]));
        let sizes = [model.tex_height[texture], model.tex_width[texture], model.tex_nchannel[texture]];
        if sizes.iter().any(|size| *size < 0)
            || model.tex_adr[texture] < 0
            || end.is_none_or(|end| end < 0 || end > model.ntexdata as i64)
        {
            return Err(format!("texture {texture} reaches outside tex_data"));
        }
    }
    check_skins(model)?;
    check_geoms(model)
}

fn check_mesh(model: &Model, mesh: usize) -> Result<(), String> {
    let bad = |what: &str| Err(format!("{what} of mesh {mesh} points outside the mesh"));
    let count = |number: i32| number.max(0) as usize;
    let (vertex, vertices) = (model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]);
    let (face, faces) = (model.mesh_faceadr[mesh], model.mesh_facenum[mesh]);
    let corners = [
        ("mesh_face", &model.mesh_face, vertices),
        ("mesh_facenormal", &model.mesh_facenormal, model.mesh_normalnum[mesh]),
    ];
    for (name, table, limit) in corners {
        if rows(table, face, faces).as_flattened().iter().any(|corner| !inside(*corner, count(limit))) {
            return bad(name);
        }
    }
    let (polygon, polygons) = (model.mesh_polyadr[mesh], model.mesh_polynum[mesh]);
    let starts = rows(&model.mesh_polyvertadr, polygon, polygons);
    let counts = rows(&model.mesh_polyvertnum, polygon, polygons);
    for (start, number) in starts.iter().zip(counts) {
        if rows(&model.mesh_polyvert, *start, *number).iter().any(|id| !inside(*id, count(vertices))) {
            return bad("mesh_polyvert");
        }
    }
    let starts = rows(&model.mesh_polymapadr, vertex, vertices);
    let counts = rows(&model.mesh_polymapnum, vertex, vertices);
    for (start, number) in starts.iter().zip(counts) {
        if rows(&model.mesh_polymap, *start, *number).iter().any(|id| !inside(*id, count(polygons))) {
            return bad("mesh_polymap");
        }
    }
    Ok(())
}

/// The hull graph: counts, a list start and a mesh vertex for each hull vertex, lists of neighbours closed by -1, faces.
fn check_graph(model: &Model, mesh: usize) -> Result<(), String> {
    let Ok(start) = usize::try_from(model.mesh_graphadr[mesh]) else { return Ok(()) };
    let vertices = model.mesh_vertnum[mesh].max(0) as usize;
    let good = || {
        let graph = model.mesh_graph.get(start..)?;
        let (hull, faces) = (usize::try_from(*graph.first()?).ok()?, usize::try_from(*graph.get(1)?).ok()?);
        let edges = hull.checked_add(faces.checked_mul(3)?)?;
        let graph = graph.get(2..)?;
        let (starts, graph) = (graph.get(..hull)?, graph.get(hull..)?);
        let (ids, graph) = (graph.get(..hull)?, graph.get(hull..)?);
        let (neighbours, graph) = (graph.get(..edges)?, graph.get(edges..)?);
        let triangles = graph.get(..faces.checked_mul(3)?)?;
        let in_mesh = |id: &i32| inside(*id, vertices);
        let closed = neighbours.last().is_none_or(|last| *last == -1);
        (hull > 0
            && closed
            && starts.iter().all(|start| inside(*start, edges))
            && ids.iter().all(in_mesh)
            && neighbours.iter().all(|neighbour| optional(*neighbour, hull))
            && triangles.iter().all(in_mesh))
        .then_some(())
    };
    good().ok_or_else(|| format!("the hull graph of mesh {mesh} is damaged"))
}

fn check_octree(model: &Model, mesh: usize) -> Result<(), String> {
    let number = model.mesh_octnum[mesh];
    let cells = rows(&model.oct_child, model.mesh_octadr[mesh], number);
    check_children("oct_child", cells, number)
}

/// Children lie in their own tree, behind their parent, and have one parent: the descent ends and sees each node once.
fn check_children<const N: usize>(name: &str, nodes: &[[i32; N]], number: i32) -> Result<(), String> {
    let mut seen = vec![false; nodes.len()];
    for (node, children) in nodes.iter().enumerate() {
        for &child in children {
            let Ok(place) = usize::try_from(child) else {
                if child == -1 {
                    continue;
                }
                return Err(format!("a child in {name} is {child}"));
            };
            if child >= number || place <= node || std::mem::replace(&mut seen[place], true) {
                return Err(format!("{name} is not a tree at node {node}"));
            }
        }
    }
    Ok(())
}

/// Box trees over the geoms of a body, the triangles of a mesh and the elements of a flex.
fn check_boxes(model: &Model) -> Result<(), String> {
    let bodies = (0..model.nbody).map(|body| {
        let geoms =
            model.body_geomadr[body]..model.body_geomadr[body].saturating_add(model.body_geomnum[body]);
        (model.body_bvhadr[body], model.body_bvhnum[body], geoms, true)
    });
    let meshes = (0..model.nmesh)
        .map(|mesh| (model.mesh_bvhadr[mesh], model.mesh_bvhnum[mesh], 0..model.mesh_facenum[mesh], true));
    let flexes = (0..model.nflex)
        .map(|flex| (model.flex_bvhadr[flex], model.flex_bvhnum[flex], 0..model.flex_elemnum[flex], false));
    for (start, number, leaves, is_static) in bodies.chain(meshes).chain(flexes) {
        let end = i64::from(start) + i64::from(number);
        if number > 0 && is_static && end > model.nbvhstatic as i64 {
            return Err(format!("a static box tree at {start} reaches into the moving ones"));
        }
        if number > 0 && !is_static && (start as usize) < model.nbvhstatic {
            return Err(format!("a moving box tree at {start} reaches into the static ones"));
        }
        let children = rows(&model.bvh_child, start, number);
        check_children("bvh_child", children, number)?;
        for (children, id) in children.iter().zip(rows(&model.bvh_nodeid, start, number)) {
            let is_leaf = *children == [-1, -1];
            if !(leaves.contains(id) || (*id == -1 && !is_leaf)) {
                return Err(format!("bvh_nodeid in the tree at {start} is {id}"));
            }
        }
        if start >= 0 && number == 0 && !leaves.is_empty() {
            return Err(format!("the box tree at {start} is empty"));
        }
    }
    Ok(())
}

fn check_skins(model: &Model) -> Result<(), String> {
    for skin in 0..model.nskin {
        let vertices = model.skin_vertnum[skin].max(0) as usize;
        let faces = rows(&model.skin_face, model.skin_faceadr[skin], model.skin_facenum[skin]);
        let (bone, bones) = (model.skin_boneadr[skin], model.skin_bonenum[skin]);
        let starts = rows(&model.skin_bonevertadr, bone, bones);
        let moved = starts.iter().zip(rows(&model.skin_bonevertnum, bone, bones));
        let moved = moved.flat_map(|(start, number)| rows(&model.skin_bonevertid, *start, *number));
        if faces.as_flattened().iter().chain(moved).any(|vertex| !inside(*vertex, vertices)) {
            return Err(format!("skin {skin} has a face or bone outside its vertices"));
        }
    }
    super::all("skin_bonebodyid", &model.skin_bonebodyid, |body| body >= 0)
}

fn check_geoms(model: &Model) -> Result<(), String> {
    for geom in 0..model.ngeom {
        let data = model.geom_dataid[geom];
        let good = match model.geom_type(geom) {
            Some(GeomType::HField) => inside(data, model.nhfield),
            Some(GeomType::Mesh | GeomType::Sdf) => inside(data, model.nmesh),
            // A shape fitted to a mesh remembers it.
            Some(kind) if kind <= GeomType::Sdf => optional(data, model.nmesh),
            _ => return Err(format!("geom_type[{geom}] is {}", model.geom_type[geom])),
        };
        if !good {
            return Err(format!("geom_dataid[{geom}] is {data}"));
        }
    }
    Ok(())
}
