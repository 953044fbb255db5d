//! Size, mass and inertia of a model in its reference configuration, and the lengths that scale rotational speeds.
//!
//! Reference: `setStat`.

use condyle_math::{Vec3, scalar, vec3};
use condyle_model::{GeomType, JointType, Model};

use crate::Data;
use crate::position::flex;

/// Smallest length of a body or of the model, m.
const SMALLEST: f64 = 1e-5;

/// Set `stat` and `dof_length`; the data must be in the reference configuration.
pub(super) fn set_statistics(model: &mut Model, data: &Data) {
    let (low, high) = bounding_box(model, data);
    model.stat.center = vec3::scale(vec3::add(low, high), 0.5);
    if high[0] > low[0] {
        let size = scalar::max(high[1] - low[1], high[2] - low[2]);
        model.stat.extent = scalar::max(SMALLEST, scalar::max(high[0] - low[0], size));
    }
    let mut length = body_lengths(model, data);
    let bodies = model.nbody.saturating_sub(1) as f64;
    if model.nbody > 1 {
        model.stat.meansize = 0.0;
        for length in &mut length[1..] {
            *length = scalar::max(*length, SMALLEST);
            model.stat.meansize += *length / bodies;
        }
    }
    for dof in 0..model.nv {
        let joint = model.dof_jntid[dof] as usize;
        let rotates = match model.jnt_type(joint) {
            Some(JointType::Ball | JointType::Hinge) => true,
            Some(JointType::Free) => dof >= model.jnt_dofadr[joint] as usize + 3,
            _ => false,
        };
        model.dof_length[dof] = if rotates { length[model.dof_bodyid[dof] as usize] } else { 1.0 };
    }
    model.stat.extent = scalar::max(model.stat.extent, 2.0 * model.stat.meansize);
    if model.nbody > 1 {
        let total = model.body_mass[1..].iter().fold(0.0, |total, mass| total + mass);
        model.stat.meanmass = total / bodies;
    }
    if model.nv > 0 {
        let total =
            model.dof_Madr.iter().fold(0.0, |total, address| total + data.inertia.qM[*address as usize]);
        model.stat.meaninertia = total / model.nv as f64;
    }
}

/// Box around bodies, joint anchors, sites and geoms. Planes and height fields count with a tenth of their size.
fn bounding_box(model: &Model, data: &Data) -> (Vec3, Vec3) {
    let k = &data.kinematics;
    let (mut low, mut high) = ([1e10; 3], [-1e10; 3]);
    let mut include = |point: Vec3, radius: f64| {
        for axis in 0..3 {
            low[axis] = scalar::min(low[axis], point[axis] - radius);
            high[axis] = scalar::max(high[axis], point[axis] + radius);
        }
    };
    for body in 1..model.nbody {
        include(k.xpos[body], 0.0);
        include(k.xipos[body], 0.0);
    }
    for anchor in &k.xanchor {
        include(*anchor, 0.0);
    }
    for site in &k.site_xpos {
        include(*site, 0.0);
    }
    for geom in 0..model.ngeom {
        include(k.geom_xpos[geom], geom_radius(model, geom));
    }
    (low, high)
}

fn geom_radius(model: &Model, geom: usize) -> f64 {
    let radius = model.geom_rbound[geom];
    let size = model.geom_size[geom];
    match model.geom_type(geom) {
        _ if radius > 0.0 => radius,
        Some(GeomType::Plane) if size[0] != 0.0 || size[1] != 0.0 => scalar::max(size[0], size[1]) * 0.1,
        Some(GeomType::Plane) => 1.0,
        Some(GeomType::HField) => {
            let [x, y, top, bottom] =
                model.geom_dataid(geom).map_or([0.0; 4], |field| model.hfield_size[field]);
            scalar::max(x, scalar::max(y, scalar::max(top, bottom))) * 0.1
        }
        _ => 0.0,
    }
}

/// Length of each body: from its centre of mass to its joints, its children's joints and the far side of its geoms, or along the
/// edges of flexes that start at it.
fn body_lengths(model: &Model, data: &Data) -> Vec<f64> {
    let k = &data.kinematics;
    let mut length = vec![0.0; model.nbody];
    for joint in 0..model.njnt {
        let body = model.jnt_bodyid[joint] as usize;
        for body in [body, model.body_parentid[body] as usize] {
            length[body] = scalar::max(length[body], vec3::distance(k.xipos[body], k.xanchor[joint]));
        }
    }
    if let Some(world) = length.first_mut() {
        *world = 0.0;
    }
    for body in 1..model.nbody {
        let first = model.body_geomadr[body].max(0) as usize;
        for geom in first..first + model.body_geomnum[body].max(0) as usize {
            let radius = model.geom_rbound[geom];
            if radius > 0.0 {
                let reach = radius + vec3::distance(k.xipos[body], k.geom_xpos[geom]);
                length[body] = scalar::max(length[body], reach);
            }
        }
    }
    for flex in 0..model.nflex {
        reach_in_flex(model, data, flex, |body, reach| length[body] = scalar::max(length[body], reach));
    }
    length
}

/// Tell how far each body that carries vertices or nodes of a flex is from its neighbours: the ends of its edges, or all nodes.
fn reach_in_flex(model: &Model, data: &Data, flex: usize, mut tell: impl FnMut(usize, f64)) {
    if model.flex_interp[flex] == 0 {
        for edge in flex::edges(model, flex) {
            for vertex in flex::edge_vertices(model, flex, edge) {
                tell(flex::vertex_body(model, vertex), model.flexedge_length0[edge]);
            }
        }
        return;
    }
    let bodies = &model.flex_nodebodyid[flex::nodes(model, flex)];
    let place = |body: i32| data.kinematics.xpos[body as usize];
    for first in bodies {
        for second in bodies {
            tell(*first as usize, vec3::distance(place(*first), place(*second)));
        }
    }
}
