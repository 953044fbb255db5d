//! Bodies, joints, dofs and kinematic trees: all addresses follow from parents, joint counts and joint types, so they are computed
//! again and compared.

use super::{all, derived};
use crate::{JointType, Model, SameFrame, SleepPolicy};

pub(super) fn check(model: &Model) -> Result<(), String> {
    check_bodies(model)?;
    check_joints(model)?;
    check_dofs(model)?;
    check_trees(model)?;
    check_attached(model)
}

fn check_bodies(model: &Model) -> Result<(), String> {
    if model.nbody == 0 {
        return Err("nbody is 0: the world body is missing".into());
    }
    let mut roots: Vec<i32> = Vec::with_capacity(model.nbody);
    for body in 0..model.nbody {
        let parent = model.body_parentid[body];
        if parent < 0 || (body > 0 && parent >= body as i32) || (body == 0 && parent != 0) {
            return Err(format!("body_parentid[{body}] is {parent}: a parent comes before its children"));
        }
        roots.push(if parent == 0 { body as i32 } else { roots[parent as usize] });
        let weld = model.body_weldid[body];
        let inherited = if body == 0 { 0 } else { model.body_weldid[parent as usize] };
        if weld != inherited && weld != body as i32 {
            return Err(format!("body_weldid[{body}] is {weld}, neither its own nor its parent's"));
        }
    }
    derived("body_rootid", &model.body_rootid, &roots)?;
    all("body_simple", &model.body_simple, |simple| simple <= 2)?;
    all("body_sameframe", &model.body_sameframe, same_frame)
}

fn same_frame(value: u8) -> bool {
    SameFrame::from_i32(value.into()).is_some()
}

/// Joints are stored body by body, coordinates and dofs joint by joint.
fn check_joints(model: &Model) -> Result<(), String> {
    let (mut joint, mut qpos, mut dof, mut geom) = (0usize, 0usize, 0usize, 0usize);
    for body in 0..model.nbody {
        let broken = |what: &str| Err(format!("{what} of body {body} is out of order"));
        let starts = |address: i32, count: i32, expected: usize| {
            count >= 0 && (count == 0 || usize::try_from(address) == Ok(expected))
        };
        let first_dof = dof;
        if !starts(model.body_jntadr[body], model.body_jntnum[body], joint) {
            return broken("body_jntadr");
        }
        for _ in 0..model.body_jntnum[body] {
            let Some(&kind) = model.jnt_type.get(joint) else { return broken("body_jntnum") };
            let Some(kind) = JointType::from_i32(kind) else {
                return Err(format!("jnt_type[{joint}] is {kind}"));
            };
            let places = (model.jnt_bodyid[joint], model.jnt_qposadr[joint], model.jnt_dofadr[joint]);
            if places != (body as i32, qpos as i32, dof as i32) {
                return Err(format!("joint {joint} has a wrong body or address"));
            }
            let (positions, velocities) = match kind {
                JointType::Free => (7, 6),
                JointType::Ball => (4, 3),
                JointType::Slide | JointType::Hinge => (1, 1),
            };
            for own in dof..dof + velocities {
                if model.dof_bodyid.get(own) != Some(&(body as i32))
                    || model.dof_jntid.get(own) != Some(&(joint as i32))
                {
                    return Err(format!("dof {own} has a wrong body or joint"));
                }
            }
            (joint, qpos, dof) = (joint + 1, qpos + positions, dof + velocities);
        }
        let count = model.body_dofnum[body];
        if usize::try_from(count) != Ok(dof - first_dof) || !starts(model.body_dofadr[body], count, first_dof)
        {
            return broken("body_dofadr or body_dofnum");
        }
        if !starts(model.body_geomadr[body], model.body_geomnum[body], geom) {
            return broken("body_geomadr");
        }
        for _ in 0..model.body_geomnum[body] {
            if model.geom_bodyid.get(geom) != Some(&(body as i32)) {
                return Err(format!("geom_bodyid[{geom}] is not the body that lists it"));
            }
            geom += 1;
        }
    }
    if (joint, qpos, dof, geom) != (model.njnt, model.nq, model.nv, model.ngeom) {
        return Err("the bodies do not account for all joints, coordinates, dofs and geoms".into());
    }
    Ok(())
}

fn check_dofs(model: &Model) -> Result<(), String> {
    // The last dof of each body or of its nearest moving ancestor.
    let mut last_dof: Vec<i32> = Vec::with_capacity(model.nbody);
    let mut parents = vec![-1; model.nv];
    for body in 0..model.nbody {
        let mut last = if body == 0 { -1 } else { last_dof[model.body_parentid[body] as usize] };
        for _ in 0..model.body_dofnum[body] {
            let dof = last_own(model, body, last);
            parents[dof] = last;
            last = dof as i32;
        }
        last_dof.push(last);
    }
    derived("dof_parentid", &model.dof_parentid, &parents)?;

    let mut trees: Vec<i32> = Vec::with_capacity(model.nv);
    let mut count = 0;
    for parent in &parents {
        trees.push(usize::try_from(*parent).ok().map_or(count, |parent| trees[parent]));
        count += i32::from(*parent < 0);
    }
    derived("dof_treeid", &model.dof_treeid, &trees)?;
    if count as usize != model.ntree {
        return Err(format!("ntree is {}, the dofs form {count}", model.ntree));
    }
    for dof in 0..model.nv {
        let run = model.dof_simplenum[dof];
        let next = model.dof_simplenum.get(dof + 1).copied().unwrap_or(0);
        if run < 0 || (run > 0 && run != next.max(0).saturating_add(1)) {
            return Err(format!("dof_simplenum[{dof}] is {run}"));
        }
    }
    Ok(())
}

/// The dof of `body` that follows `last`, which is its own previous dof or belongs to an ancestor.
fn last_own(model: &Model, body: usize, last: i32) -> usize {
    let first = model.body_dofadr[body];
    if last < first { first as usize } else { last as usize + 1 }
}

fn check_trees(model: &Model) -> Result<(), String> {
    let mut bodies: Vec<i32> = Vec::with_capacity(model.nbody);
    let (mut first, mut number) = (vec![0; model.ntree], vec![0; model.ntree]);
    for body in 0..model.nbody {
        let weld = model.body_weldid[body] as usize;
        let tree =
            if model.body_dofnum[weld] > 0 { model.dof_treeid[model.body_dofadr[weld] as usize] } else { -1 };
        bodies.push(tree);
        if let Ok(tree) = usize::try_from(tree) {
            if number[tree] == 0 {
                first[tree] = body as i32;
            }
            number[tree] += 1;
        }
    }
    derived("body_treeid", &model.body_treeid, &bodies)?;
    derived("tree_bodyadr", &model.tree_bodyadr, &first)?;
    derived("tree_bodynum", &model.tree_bodynum, &number)?;
    number.fill(0);
    for (dof, tree) in model.dof_treeid.iter().enumerate() {
        let tree = *tree as usize;
        if number[tree] == 0 {
            first[tree] = dof as i32;
        }
        number[tree] += 1;
    }
    derived("tree_dofadr", &model.tree_dofadr, &first)?;
    derived("tree_dofnum", &model.tree_dofnum, &number)?;
    all("tree_sleep_policy", &model.tree_sleep_policy, |policy| SleepPolicy::from_i32(policy).is_some())
}

/// What hangs on bodies needs one.
fn check_attached(model: &Model) -> Result<(), String> {
    all("site_bodyid", &model.site_bodyid, |body| body >= 0)?;
    all("cam_bodyid", &model.cam_bodyid, |body| body >= 0)?;
    all("light_bodyid", &model.light_bodyid, |body| body >= 0)?;
    all("geom_sameframe", &model.geom_sameframe, same_frame)?;
    all("site_sameframe", &model.site_sameframe, same_frame)
}
