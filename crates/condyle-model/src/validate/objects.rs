//! Contact pairs, equality constraints, tendons and actuators: what they act on exists and is of the right kind.

use super::{all, derived, inside, optional};
use crate::{DynamicsType, EqualityType, JointType, Model, ObjectType};
use crate::{TransmissionType, WrapType};

pub(super) fn check(model: &Model) -> Result<(), String> {
    let contact_dim = |dim: i32| matches!(dim, 1 | 3 | 4 | 6);
    all("geom_condim", &model.geom_condim, contact_dim)?;
    all("pair_dim", &model.pair_dim, contact_dim)?;
    all("pair_geom1", &model.pair_geom1, |geom| geom >= 0)?;
    all("pair_geom2", &model.pair_geom2, |geom| geom >= 0)?;
    check_equalities(model)?;
    for tendon in 0..model.ntendon {
        check_path(model, tendon)?;
    }
    check_tendon_trees(model)?;
    for actuator in 0..model.nu {
        check_actuator(model, actuator)?;
    }
    Ok(())
}

fn check_equalities(model: &Model) -> Result<(), String> {
    for equality in 0..model.neq {
        let (first, second) = (model.eq_obj1id[equality], model.eq_obj2id[equality]);
        let scalar_joint = |id: i32| {
            inside(id, model.njnt)
                && matches!(model.jnt_type(id as usize), Some(JointType::Slide | JointType::Hinge))
        };
        let ok = match model.eq_type(equality) {
            Some(EqualityType::Joint) => scalar_joint(first) && (second == -1 || scalar_joint(second)),
            Some(EqualityType::Tendon) => inside(first, model.ntendon) && optional(second, model.ntendon),
            Some(EqualityType::Connect | EqualityType::Weld) => match model.eq_objtype(equality) {
                Some(ObjectType::Body) => inside(first, model.nbody) && inside(second, model.nbody),
                Some(ObjectType::Site) => inside(first, model.nsite) && inside(second, model.nsite),
                _ => false,
            },
            Some(EqualityType::Flex | EqualityType::FlexVert) => inside(first, model.nflex) && second == -1,
            Some(EqualityType::Distance) | None => false,
        };
        if !ok {
            return Err(format!("equality {equality} has a bad type or object"));
        }
    }
    Ok(())
}

/// A path is all joints; or it starts and ends on sites, pulleys lie between branches, and a geom lies between two sites.
fn check_path(model: &Model, tendon: usize) -> Result<(), String> {
    let bad = |element: usize| Err(format!("element {element} of the path of tendon {tendon} is misplaced"));
    let (start, count) = (model.tendon_adr[tendon], model.tendon_num[tendon]);
    if start < 0 || count < 1 {
        return Err(format!("tendon {tendon} has no path"));
    }
    let start = start as usize;
    let path = start..start + count as usize;
    let kind = |element: usize| path.contains(&element).then(|| model.wrap_type(element)).flatten();
    let is_fixed = kind(start) == Some(WrapType::Joint);
    for element in path.clone() {
        let id = model.wrap_objid[element];
        let before = element.checked_sub(1).and_then(kind);
        let after = kind(element + 1);
        let between_sites = before == Some(WrapType::Site) && after == Some(WrapType::Site);
        let good = match kind(element) {
            Some(WrapType::Joint) => is_fixed && inside(id, model.njnt),
            Some(WrapType::Pulley) => !is_fixed && after == Some(WrapType::Site),
            Some(WrapType::Site) => !is_fixed && inside(id, model.nsite),
            Some(WrapType::Sphere | WrapType::Cylinder) => {
                !is_fixed
                    && between_sites
                    && inside(id, model.ngeom)
                    && good_side(model, model.wrap_prm[element])
            }
            Some(WrapType::None) | None => false,
        };
        if !good {
            return bad(element - start);
        }
    }
    Ok(())
}

/// A side site is stored as a number, -1 for none.
fn good_side(model: &Model, side: f64) -> bool {
    side >= -1.0 && side.round() < model.nsite as f64
}

/// The first trees the objects of each path belong to.
fn check_tendon_trees(model: &Model) -> Result<(), String> {
    let mut seen = vec![usize::MAX; model.ntree];
    let (mut numbers, mut firsts) = (Vec::new(), Vec::new());
    for tendon in 0..model.ntendon {
        let start = model.tendon_adr[tendon] as usize;
        let mut count = 0;
        let mut first_two = [-1; 2];
        for element in start..start + model.tendon_num[tendon] as usize {
            let id = model.wrap_objid[element] as usize;
            let body = match model.wrap_type(element) {
                Some(WrapType::Joint) => model.jnt_bodyid[id],
                Some(WrapType::Site) => model.site_bodyid[id],
                Some(WrapType::Sphere | WrapType::Cylinder) => model.geom_bodyid[id],
                _ => continue,
            };
            let tree = model.body_treeid[body as usize];
            let Some(mark) = usize::try_from(tree).ok().and_then(|tree| seen.get_mut(tree)) else { continue };
            if std::mem::replace(mark, tendon) != tendon {
                if let Some(slot) = first_two.get_mut(count) {
                    *slot = tree;
                }
                count += 1;
            }
        }
        numbers.push(count as i32);
        firsts.push(first_two);
    }
    derived("tendon_treenum", &model.tendon_treenum, &numbers)?;
    for (tendon, expected) in firsts.iter().enumerate() {
        // Without a tree the entries mean nothing.
        let used = numbers[tendon].clamp(0, 2) as usize;
        if model.tendon_treeid[tendon][..used] != expected[..used] {
            return Err(format!("tendon_treeid[{tendon}] is {:?}", model.tendon_treeid[tendon]));
        }
    }
    Ok(())
}

#[deny(clippy::wildcard_enum_match_arm)]
fn check_actuator(model: &Model, actuator: usize) -> Result<(), String> {
    let [target, second] = model.actuator_trnid[actuator];
    let acts = match model.actuator_trntype(actuator) {
        Some(TransmissionType::Joint | TransmissionType::JointInParent) => inside(target, model.njnt),
        Some(TransmissionType::Tendon) => inside(target, model.ntendon),
        Some(TransmissionType::Site) => inside(target, model.nsite) && optional(second, model.nsite),
        Some(TransmissionType::SliderCrank) => inside(target, model.nsite) && inside(second, model.nsite),
        Some(TransmissionType::Body) => inside(target, model.nbody),
        Some(TransmissionType::Undefined) => true,
        None => false,
    };
    if !acts {
        return Err(format!("actuator {actuator} acts on {target} and {second}, which do not exist"));
    }
    let dynamics = model.actuator_dyntype(actuator);
    if dynamics.is_none()
        || model.actuator_gaintype(actuator).is_none()
        || model.actuator_biastype(actuator).is_none()
    {
        return Err(format!("actuator {actuator} has an unknown kind of dynamics, gain or bias"));
    }
    let (first, count) = (model.actuator_actadr[actuator], model.actuator_actnum[actuator]);
    let needs = !matches!(dynamics, Some(DynamicsType::None | DynamicsType::User));
    if (count > 0) != (first >= 0) || (needs && count == 0) {
        return Err(format!("actuator {actuator} has {count} activation variables at {first}"));
    }
    let samples = model.actuator_history[actuator][0];
    check_history("actuator", actuator, samples, 1, model.actuator_historyadr[actuator], model.nhistory)
}

/// A ring buffer of `samples` samples of `width` numbers lies inside the history.
pub(super) fn check_history(
    what: &str,
    id: usize,
    samples: i32,
    width: i32,
    start: i32,
    total: usize,
) -> Result<(), String> {
    let length = 2 + i64::from(samples) * (1 + i64::from(width));
    if samples > 0 && (start < 0 || i64::from(start) + length > total as i64) {
        return Err(format!("the history of {what} {id} lies outside the buffer"));
    }
    Ok(())
}
