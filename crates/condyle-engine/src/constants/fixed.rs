//! Constants that follow from structure and mass alone: subtree masses, extents of trees, trees of tendons, sleep policies.

use condyle_model::{Model, SleepPolicy, TransmissionType, WrapType};

/// Why a model cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConstantsError {
    /// A tree the user lets sleep is held awake by a tendon.
    Restless {
        /// The tree.
        tree: usize,
        /// The tendon.
        tendon: usize,
        /// The tendon spans more than two trees; otherwise it has stiffness or damping.
        many_trees: bool,
    },
    /// A flex whose strain is held at the vertices is no plate in the plane of x and y.
    UnevenPlate {
        /// The flex.
        flex: usize,
    },
    /// A body that only slides has no mass, so that nothing resists its motion.
    Massless {
        /// The body.
        body: usize,
    },
}

impl std::fmt::Display for ConstantsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Restless { tree, tendon, many_trees } => {
                let why = if *many_trees {
                    "which spans more than 2 trees"
                } else {
                    "with non-zero stiffness or damping"
                };
                write!(f, "tree {tree} connected to tendon {tendon} {why}, sleeping not allowed")
            }
            Self::UnevenPlate { flex } => write!(
                f,
                "flex {flex} has a vertex equality, but its vertices are not in the same plane z = const"
            ),
            Self::Massless { body } => write!(f, "moving body {body} has 0 mass"),
        }
    }
}

impl std::error::Error for ConstantsError {}

/// Set the constants that do not depend on a configuration.
pub(super) fn set_fixed(model: &mut Model) -> Result<(), ConstantsError> {
    model.body_subtreemass.clone_from(&model.body_mass);
    for body in (1..model.nbody).rev() {
        let mass = model.body_subtreemass[body];
        model.body_subtreemass[model.body_parentid[body] as usize] += mass;
    }
    model.ngravcomp = model.body_gravcomp.iter().filter(|part| **part > 0.0).count();
    set_trees(model);
    set_tendon_trees(model);
    keep_actuated_awake(model);
    keep_tied_awake(model)?;
    keep_flexible_awake(model);
    for policy in &mut model.tree_sleep_policy {
        if *policy == SleepPolicy::Auto as i32 {
            *policy = SleepPolicy::AutoAllowed as i32;
        }
    }
    Ok(())
}

/// Trees of bodies, and the bodies and dofs of trees.
fn set_trees(model: &mut Model) {
    for body in 0..model.nbody {
        let weld = model.body_weldid[body] as usize;
        model.body_treeid[body] =
            if model.body_dofnum[weld] > 0 { model.dof_treeid[model.body_dofadr[weld] as usize] } else { -1 };
    }
    model.tree_bodynum.fill(0);
    model.tree_dofnum.fill(0);
    let mut current = -1;
    for body in 1..model.nbody {
        let tree = model.body_treeid[body];
        if tree == -1 {
            continue;
        }
        if tree > current {
            current += 1;
            model.tree_bodyadr[current as usize] = body as i32;
        }
        model.tree_bodynum[current as usize] += 1;
    }
    current = -1;
    for dof in 0..model.nv {
        if model.dof_treeid[dof] > current {
            current += 1;
            model.tree_dofadr[current as usize] = dof as i32;
        }
        model.tree_dofnum[current as usize] += 1;
    }
}

/// Trees the objects of a tendon belong to, in path order and with repetitions.
fn tendon_trees(model: &Model, tendon: usize) -> impl Iterator<Item = usize> + '_ {
    let first = model.tendon_adr[tendon] as usize;
    (first..first + model.tendon_num[tendon].max(0) as usize).filter_map(|element| {
        let object = model.wrap_objid(element);
        let body = match model.wrap_type(element)? {
            WrapType::Joint => model.jnt_bodyid[object?],
            WrapType::Site => model.site_bodyid[object?],
            WrapType::Sphere | WrapType::Cylinder => model.geom_bodyid[object?],
            WrapType::Pulley | WrapType::None => return None,
        };
        model.body_treeid(body as usize)
    })
}

fn set_tendon_trees(model: &mut Model) {
    let mut seen = vec![false; model.ntree];
    for tendon in 0..model.ntendon {
        seen.fill(false);
        let mut count = 0;
        let mut first_two = [-1; 2];
        for tree in tendon_trees(model, tendon) {
            if !std::mem::replace(&mut seen[tree], true) {
                if let Some(slot) = first_two.get_mut(count) {
                    *slot = tree as i32;
                }
                count += 1;
            }
        }
        model.tendon_treenum[tendon] = count as i32;
        model.tendon_treeid[tendon] = first_two;
    }
}

fn keep_awake(policy: &mut i32) {
    if *policy == SleepPolicy::Auto as i32 {
        *policy = SleepPolicy::AutoNever as i32;
    }
}

/// Trees with an actuator do not fall asleep by themselves.
#[deny(clippy::wildcard_enum_match_arm)]
fn keep_actuated_awake(model: &mut Model) {
    for actuator in 0..model.nu {
        let Some(target) = model.actuator_trnid(actuator)[0] else { continue };
        let body = match model.actuator_trntype(actuator).unwrap_or(TransmissionType::Undefined) {
            TransmissionType::Joint | TransmissionType::JointInParent => model.jnt_bodyid[target],
            TransmissionType::Site | TransmissionType::SliderCrank => model.site_bodyid[target],
            TransmissionType::Body => target as i32,
            TransmissionType::Tendon => {
                let trees: Vec<usize> = tendon_trees(model, target).collect();
                for tree in trees {
                    keep_awake(&mut model.tree_sleep_policy[tree]);
                }
                continue;
            }
            TransmissionType::Undefined => continue,
        };
        if let Some(tree) = model.body_treeid(body as usize) {
            keep_awake(&mut model.tree_sleep_policy[tree]);
        }
    }
}

/// Trees tied to each other by an elastic tendon, or more than two by any tendon, cannot sleep.
fn keep_tied_awake(model: &mut Model) -> Result<(), ConstantsError> {
    for tendon in 0..model.ntendon {
        let count = model.tendon_treenum[tendon];
        let slack = model.tendon_stiffness[tendon] == 0.0 && model.tendon_damping[tendon] == 0.0;
        if count < 2 || (count == 2 && slack) {
            continue;
        }
        let trees: Vec<usize> = tendon_trees(model, tendon).collect();
        for tree in trees {
            if matches!(model.tree_sleep_policy(tree), Some(SleepPolicy::Allowed | SleepPolicy::Init)) {
                return Err(ConstantsError::Restless { tree, tendon, many_trees: count > 2 });
            }
            keep_awake(&mut model.tree_sleep_policy[tree]);
        }
    }
    Ok(())
}

/// Trees with bodies of a flex do not fall asleep by themselves.
fn keep_flexible_awake(model: &mut Model) {
    for flex in 0..model.nflex {
        let (bodies, first, count) = if model.flex_interp[flex] != 0 {
            (&model.flex_nodebodyid, model.flex_nodeadr[flex], model.flex_nodenum[flex])
        } else {
            (&model.flex_vertbodyid, model.flex_vertadr[flex], model.flex_vertnum[flex])
        };
        let first = first.max(0) as usize;
        for body in &bodies[first..first + count.max(0) as usize] {
            if let Some(tree) = model.body_treeid(*body as usize) {
                keep_awake(&mut model.tree_sleep_policy[tree]);
            }
        }
    }
}
