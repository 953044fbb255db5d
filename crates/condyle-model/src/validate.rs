//! Consistency of a compiled model: every index stays inside the array it points into.
//!
//! A model from a file is checked before anything uses it, so that the pipeline may index without asking again.

use crate::{EqualityType, GeomType, JointType, Model, ObjectType};

/// An index column, the number of things it points into, and how many it covers from there.
struct Reference<'a> {
    name: &'static str,
    indices: &'a [i32],
    target: usize,
    counts: Option<&'a [i32]>,
}

macro_rules! references {
    ($model:ident; $($name:ident -> $target:ident $([$counts:ident])?;)*) => {
        [$(Reference {
            name: stringify!($name),
            indices: crate::element::Element::flatten(&$model.$name),
            target: $model.$target,
            counts: references!(@counts $model $($counts)?),
        }),*]
    };
    (@counts $model:ident $counts:ident) => { Some($model.$counts.as_slice()) };
    (@counts $model:ident) => { None };
}

/// Check `model`; the error names the array and the entry.
pub fn check(model: &Model) -> Result<(), String> {
    check_references(model)?;
    check_tree(model)?;
    check_sparsity(model)?;
    check_elements(model)?;
    check_equalities(model)
}

fn check_references(model: &Model) -> Result<(), String> {
    let references = references! { model;
        body_parentid -> nbody; body_rootid -> nbody; body_weldid -> nbody; body_mocapid -> nmocap;
        body_jntadr -> njnt [body_jntnum]; body_dofadr -> nv [body_dofnum]; body_treeid -> ntree;
        body_geomadr -> ngeom [body_geomnum]; body_bvhadr -> nbvh [body_bvhnum]; body_plugin -> nplugin;
        jnt_qposadr -> nq; jnt_dofadr -> nv; jnt_bodyid -> nbody;
        dof_bodyid -> nbody; dof_jntid -> njnt; dof_parentid -> nv; dof_treeid -> ntree; dof_Madr -> nM;
        tree_bodyadr -> nbody [tree_bodynum]; tree_dofadr -> nv [tree_dofnum];
        geom_bodyid -> nbody; geom_matid -> nmat; geom_plugin -> nplugin;
        site_bodyid -> nbody; site_matid -> nmat;
        cam_bodyid -> nbody; cam_targetbodyid -> nbody; light_bodyid -> nbody; light_targetbodyid -> nbody;
        mesh_vertadr -> nmeshvert [mesh_vertnum]; mesh_normaladr -> nmeshnormal [mesh_normalnum];
        mesh_texcoordadr -> nmeshtexcoord [mesh_texcoordnum]; mesh_faceadr -> nmeshface [mesh_facenum];
        mesh_bvhadr -> nbvh [mesh_bvhnum]; mesh_graphadr -> nmeshgraph; mesh_octadr -> noct [mesh_octnum];
        mesh_polyadr -> nmeshpoly [mesh_polynum]; mesh_polyvertadr -> nmeshpolyvert [mesh_polyvertnum];
        mesh_polymapadr -> nmeshpolymap [mesh_polymapnum];
        flex_vertadr -> nflexvert [flex_vertnum]; flex_edgeadr -> nflexedge [flex_edgenum];
        flex_elemadr -> nflexelem [flex_elemnum]; flex_evpairadr -> nflexevpair [flex_evpairnum];
        flex_texcoordadr -> nflextexcoord; flex_elemdataadr -> nflexelemdata;
        flex_elemedgeadr -> nflexelemedge; flex_shelldataadr -> nflexshelldata; flex_edge -> nflexvert;
        flex_elem -> nflexvert; flex_elemedge -> nflexedge; flex_shell -> nflexvert;
        flex_bvhadr -> nbvh [flex_bvhnum];
        skin_matid -> nmat; skin_vertadr -> nskinvert [skin_vertnum]; skin_texcoordadr -> nskintexvert;
        skin_faceadr -> nskinface [skin_facenum]; skin_boneadr -> nskinbone [skin_bonenum];
        skin_bonevertadr -> nskinbonevert [skin_bonevertnum]; skin_bonebodyid -> nbody;
        skin_bonevertid -> nskinvert;
        pair_geom1 -> ngeom; pair_geom2 -> ngeom;
        actuator_plugin -> nplugin; actuator_actadr -> na [actuator_actnum];
        sensor_plugin -> nplugin; sensor_adr -> nsensordata [sensor_dim];
        plugin_stateadr -> npluginstate [plugin_statenum]; plugin_attradr -> npluginattr;
        tendon_adr -> nwrap [tendon_num]; tendon_matid -> nmat; tendon_treeid -> ntree;
        numeric_adr -> nnumericdata [numeric_size]; text_adr -> ntextdata [text_size];
        tuple_adr -> ntupledata [tuple_size];
        name_bodyadr -> nnames; name_jntadr -> nnames; name_geomadr -> nnames; name_siteadr -> nnames;
        name_camadr -> nnames; name_lightadr -> nnames; name_meshadr -> nnames; name_skinadr -> nnames;
        name_hfieldadr -> nnames; name_texadr -> nnames; name_matadr -> nnames; name_pairadr -> nnames;
        name_excludeadr -> nnames; name_eqadr -> nnames; name_tendonadr -> nnames;
        name_actuatoradr -> nnames; name_sensoradr -> nnames; name_numericadr -> nnames;
        name_textadr -> nnames; name_tupleadr -> nnames; name_keyadr -> nnames;
        hfield_pathadr -> npaths; mesh_pathadr -> npaths; skin_pathadr -> npaths; tex_pathadr -> npaths;
        M_rowadr -> nC [M_rownnz]; M_colind -> nv; mapM2M -> nM;
        D_rowadr -> nD [D_rownnz]; D_colind -> nv; mapM2D -> nC; mapD2M -> nD;
        B_rowadr -> nB [B_rownnz]; B_colind -> nv;
    };
    for reference in &references {
        for (row, &index) in reference.indices.iter().enumerate() {
            let count = reference.counts.and_then(|counts| counts.get(row)).copied().unwrap_or(1);
            // A missing range (-1) covers nothing, whatever its count says.
            let end = i64::from(index) + i64::from(count);
            if index < -1 || count < 0 || end > reference.target as i64 {
                return Err(format!(
                    "{}[{row}] is {index} (covering {count}), outside its target of {}",
                    reference.name, reference.target
                ));
            }
            if index == -1 && count > 1 {
                return Err(format!("{}[{row}] is -1 but covers {count}", reference.name));
            }
        }
    }
    Ok(())
}

fn check_tree(model: &Model) -> Result<(), String> {
    if model.nbody == 0 {
        return Err("nbody is 0: the world body is missing".into());
    }
    for body in 0..model.nbody {
        let inside = |index: i32| index >= 0 && index <= body as i32;
        let parent = model.body_parentid[body];
        if parent < 0 || (body > 0 && parent >= body as i32) || (body == 0 && parent != 0) {
            return Err(format!("body_parentid[{body}] is {parent}: a parent comes before its children"));
        }
        if !inside(model.body_rootid[body]) || !inside(model.body_weldid[body]) {
            return Err(format!("body_rootid or body_weldid of body {body} is out of order"));
        }
    }
    for joint in 0..model.njnt {
        let Some(kind) = JointType::from_i32(model.jnt_type[joint]) else {
            return Err(format!("jnt_type[{joint}] is {}", model.jnt_type[joint]));
        };
        let (positions, velocities) = match kind {
            JointType::Free => (7, 6),
            JointType::Ball => (4, 3),
            JointType::Slide | JointType::Hinge => (1, 1),
        };
        let (qpos, dof) = (model.jnt_qposadr[joint], model.jnt_dofadr[joint]);
        if qpos < 0 || dof < 0 || qpos as usize + positions > model.nq || dof as usize + velocities > model.nv
        {
            return Err(format!("joint {joint} reaches outside qpos or qvel"));
        }
        if model.jnt_bodyid[joint] < 0 {
            return Err(format!("jnt_bodyid[{joint}] is negative"));
        }
    }
    for dof in 0..model.nv {
        if model.dof_parentid[dof] >= dof as i32 {
            return Err(format!("dof_parentid[{dof}] does not come before it"));
        }
        if model.dof_bodyid[dof] < 0 || model.dof_jntid[dof] < 0 || model.dof_Madr[dof] < 0 {
            return Err(format!("dof {dof} has no body, joint or inertia row"));
        }
    }
    let required = [
        ("geom_bodyid", &model.geom_bodyid),
        ("site_bodyid", &model.site_bodyid),
        ("cam_bodyid", &model.cam_bodyid),
        ("light_bodyid", &model.light_bodyid),
    ];
    for (name, bodies) in required {
        if let Some(row) = bodies.iter().position(|&body| body < 0) {
            return Err(format!("{name}[{row}] is negative"));
        }
    }
    Ok(())
}

fn check_sparsity(model: &Model) -> Result<(), String> {
    let rows = [
        ("M", &model.M_rowadr, &model.M_rownnz),
        ("D", &model.D_rowadr, &model.D_rownnz),
        ("B", &model.B_rowadr, &model.B_rownnz),
    ];
    for (name, addresses, counts) in rows {
        if let Some(row) = addresses.iter().zip(counts.iter()).position(|(&at, &n)| at < 0 || n < 0) {
            return Err(format!("row {row} of {name} has a negative address or count"));
        }
    }
    for dof in 0..model.nv {
        if model.M_rownnz[dof] < 1 {
            return Err(format!("M row {dof} has no diagonal"));
        }
        let last = (model.M_rowadr[dof] + model.M_rownnz[dof] - 1) as usize;
        if model.M_colind[last] != dof as i32 {
            return Err(format!("M row {dof} does not end on its diagonal"));
        }
    }
    for (name, map) in [("mapM2M", &model.mapM2M), ("mapD2M", &model.mapD2M)] {
        if map.iter().any(|&index| index < 0) {
            return Err(format!("{name} has a negative entry"));
        }
    }
    Ok(())
}

fn check_elements(model: &Model) -> Result<(), String> {
    for geom in 0..model.ngeom {
        if !(0..=6).contains(&model.geom_condim[geom]) {
            return Err(format!("geom_condim[{geom}] is {}", model.geom_condim[geom]));
        }
        let target = match GeomType::from_i32(model.geom_type[geom]) {
            Some(GeomType::HField) => model.nhfield,
            Some(GeomType::Mesh | GeomType::Sdf) => model.nmesh,
            Some(_) => continue,
            None => return Err(format!("geom_type[{geom}] is {}", model.geom_type[geom])),
        };
        if model.geom_dataid[geom] < -1 || i64::from(model.geom_dataid[geom]) >= target as i64 {
            return Err(format!("geom_dataid[{geom}] is {}", model.geom_dataid[geom]));
        }
    }
    for field in 0..model.nhfield {
        let (rows, columns) = (i64::from(model.hfield_nrow[field]), i64::from(model.hfield_ncol[field]));
        let start = i64::from(model.hfield_adr[field]);
        if rows < 0 || columns < 0 || start < 0 || start + rows * columns > model.nhfielddata as i64 {
            return Err(format!("height field {field} reaches outside hfield_data"));
        }
    }
    for texture in 0..model.ntex {
        let pixels = i64::from(model.tex_height[texture]).checked_mul(i64::from(model.tex_width[texture]));
        let bytes = pixels.and_then(|n| n.checked_mul(i64::from(model.tex_nchannel[texture])));
        let end = bytes.and_then(|n| n.checked_add(model.tex_adr[texture]));
        if model.tex_adr[texture] < 0 || end.is_none_or(|end| end < 0 || end > model.ntexdata as i64) {
            return Err(format!("texture {texture} reaches outside tex_data"));
        }
    }
    Ok(())
}

fn check_equalities(model: &Model) -> Result<(), String> {
    for equality in 0..model.neq {
        let (first, second) = (model.eq_obj1id[equality], model.eq_obj2id[equality]);
        let inside = |id: i32, count: usize| id >= 0 && (id as usize) < count;
        let optional = |id: i32, count: usize| id == -1 || inside(id, count);
        let ok = match EqualityType::from_i32(model.eq_type[equality]) {
            Some(EqualityType::Joint) => inside(first, model.njnt) && optional(second, model.njnt),
            Some(EqualityType::Tendon) => inside(first, model.ntendon) && optional(second, model.ntendon),
            Some(EqualityType::Connect | EqualityType::Weld) => {
                match ObjectType::from_i32(model.eq_objtype[equality]) {
                    Some(ObjectType::Body) => inside(first, model.nbody) && inside(second, model.nbody),
                    Some(ObjectType::Site) => inside(first, model.nsite) && inside(second, model.nsite),
                    _ => false,
                }
            }
            Some(EqualityType::Flex | EqualityType::FlexVert) => inside(first, model.nflex) && second == -1,
            Some(EqualityType::Distance) | None => false,
        };
        if !ok {
            return Err(format!("equality {equality} has a bad type or object"));
        }
    }
    Ok(())
}
