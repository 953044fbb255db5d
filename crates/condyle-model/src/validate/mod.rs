//! Consistency of a compiled model: every index stays inside the array it points into.
//!
//! A model from a file is checked before anything uses it, so that the pipeline may index without asking again.

mod assets;
mod flex;
mod objects;
mod patterns;
mod sensors;
mod settings;
mod tree;

use crate::Model;

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
    settings::check(model)?;
    check_references(model)?;
    tree::check(model)?;
    patterns::check(model)?;
    assets::check(model)?;
    flex::check(model)?;
    objects::check(model)?;
    sensors::check(model)
}

/// Check the options of `model` alone.
pub fn check_options(model: &Model) -> Result<(), String> {
    settings::check_options(model)
}

/// Whether `index` is a place in an array of `count`.
fn inside(index: i32, count: usize) -> bool {
    usize::try_from(index).is_ok_and(|index| index < count)
}

/// [`inside`], or -1 for none.
fn optional(index: i32, count: usize) -> bool {
    index == -1 || inside(index, count)
}

/// `values[start .. start + count]`; empty where the count is not positive. Ranges are checked before this is called.
fn rows<T>(values: &[T], start: i32, count: i32) -> &[T] {
    let (Ok(start), Ok(count)) = (usize::try_from(start), usize::try_from(count)) else { return &[] };
    values.get(start..start.saturating_add(count)).unwrap_or_default()
}

/// The first entry of `values` that is not `good`, as an error.
fn all<T: Copy + std::fmt::Debug>(
    name: &str,
    values: &[T],
    mut good: impl FnMut(T) -> bool,
) -> Result<(), String> {
    match values.iter().enumerate().find(|(_, value)| !good(**value)) {
        Some((row, value)) => Err(format!("{name}[{row}] is {value:?}")),
        None => Ok(()),
    }
}

/// An error unless an array is what the rest of the model says it must be.
fn derived<T: Copy + PartialEq + std::fmt::Debug>(
    name: &str,
    values: &[T],
    expected: &[T],
) -> Result<(), String> {
    let differs = values.iter().zip(expected).position(|(value, expected)| value != expected);
    match differs {
        Some(row) => Err(format!("{name}[{row}] is {:?}, expected {:?}", values.get(row), expected.get(row))),
        None if values.len() != expected.len() => {
            Err(format!("{name} has {} entries, expected {}", values.len(), expected.len()))
        }
        None => Ok(()),
    }
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
        flex_nodeadr -> nflexnode [flex_nodenum]; flex_texcoordadr -> nflextexcoord; flex_matid -> nmat;
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
        name_flexadr -> nnames; name_pluginadr -> nnames; light_texid -> ntex; mat_texid -> ntex;
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
