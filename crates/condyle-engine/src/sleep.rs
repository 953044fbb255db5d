//! Sleeping trees: who is awake, when a tree falls asleep and what wakes it.
//!
//! `tree_asleep` is the memory: a negative value counts the slow steps still missing before the tree may sleep, a non-negative one
//! is the next tree in the cycle of trees that fell asleep together. Everything in [`Awake`] follows from it. Reference:
//! `engine_sleep.c`.

use condyle_math::scalar;
use condyle_model::{EqualityType, Model, ObjectType, SensorType, SleepPolicy, TransmissionType};

use crate::data::{Acceleration, Awake, Contact, Inputs, Islands, Rows, State, Tendons, sleep_enabled};

/// Steps a tree must be slow before it may sleep.
pub const MIN_AWAKE: i32 = 10;

/// Whether an object takes part in the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum SleepState {
    /// Cannot move.
    Static = -1,
    /// At rest, and left out of the step.
    Asleep = 0,
    /// Takes part in the step.
    Awake = 1,
}

impl SleepState {
    fn from_awake(value: i32) -> Self {
        match value {
            0 => Self::Asleep,
            value if value < 0 => Self::Static,
            _ => Self::Awake,
        }
    }
}

/// Value of `tree_asleep` for a tree that has just moved.
pub(crate) const FULLY_AWAKE: i32 = -(1 + MIN_AWAKE);

/// Recompute the index lists from `tree_asleep`.
pub fn update(model: &Model, state: &State, out: &mut Awake) {
    update_with_static(model, state, out, SleepState::Static);
}

/// [`update`], counting static bodies as `static_state`.
pub fn update_with_static(model: &Model, state: &State, out: &mut Awake, static_state: SleepState) {
    for (awake, asleep) in out.tree_awake.iter_mut().zip(&state.tree_asleep) {
        *awake = i32::from(*asleep < 0);
    }
    out.ntree_awake = out.tree_awake.iter().filter(|awake| **awake != 0).count();
    out.nbody_awake = 0;
    out.nparent_awake = 0;
    for body in 0..model.nbody {
        let own = match model.body_treeid(body) {
            Some(tree) if out.tree_awake[tree] != 0 => SleepState::Awake,
            Some(_) => SleepState::Asleep,
            // Mocap bodies move without dofs, so they and their children never rest.
            None if model.body_mocapid[model.body_rootid[body] as usize] >= 0 => SleepState::Awake,
            None => static_state,
        };
        out.body_awake[body] = own as i32;
        if own != SleepState::Asleep {
            out.body_awake_ind[out.nbody_awake] = body as i32;
            out.nbody_awake += 1;
        }
        if body > 0 && out.body_awake[model.body_parentid[body] as usize] != SleepState::Asleep as i32 {
            out.parent_awake_ind[out.nparent_awake] = body as i32;
            out.nparent_awake += 1;
        }
    }
    out.nv_awake = 0;
    for dof in 0..model.nv {
        let body = model.dof_bodyid[dof] as usize;
        if model.body_treeid[body] >= 0 && out.body_awake[body] == SleepState::Awake as i32 {
            out.dof_awake_ind[out.nv_awake] = dof as i32;
            out.nv_awake += 1;
        }
    }
}

/// Whether all numbers are positive zeros. A negative zero counts as something: the test is on bytes.
#[inline]
fn is_clear(values: &[f64]) -> bool {
    // Without an early end, so that several numbers are looked at together.
    values.iter().fold(0, |bits, value| bits | value.to_bits()) == 0
}

/// Whether no force is applied to any body or dof.
fn nothing_applied(inputs: &Inputs) -> bool {
    is_clear(inputs.xfrc_applied.as_flattened()) && is_clear(&inputs.qfrc_applied)
}

fn policy_allows(model: &Model, tree: usize) -> bool {
    !matches!(model.tree_sleep_policy(tree), Some(SleepPolicy::Never | SleepPolicy::AutoNever))
}

/// Whether nothing forbids a tree to sleep: policy, applied forces (`untouched` if there are none at all), and speed below `tolerance`
/// (exactly zero when it is 0).
fn may_sleep(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    tree: usize,
    untouched: bool,
    tolerance: f64,
) -> bool {
    if !policy_allows(model, tree) {
        return false;
    }
    let dofs = range(model.tree_dofadr[tree], model.tree_dofnum[tree]);
    if !untouched {
        let bodies = range(model.tree_bodyadr[tree], model.tree_bodynum[tree]);
        if !is_clear(inputs.xfrc_applied[bodies].as_flattened())
            || !is_clear(&inputs.qfrc_applied[dofs.clone()])
        {
            return false;
        }
    }
    if tolerance == 0.0 {
        return is_clear(&state.qvel[dofs]);
    }
    let mut fastest = 0.0;
    for (length, speed) in model.dof_length[dofs.clone()].iter().zip(&state.qvel[dofs]) {
        fastest = scalar::max(fastest, length * speed.abs());
        if fastest >= tolerance {
            return false;
        }
    }
    true
}

fn range(start: i32, count: i32) -> std::ops::Range<usize> {
    let start = start.max(0) as usize;
    start..start + count.max(0) as usize
}

/// Smallest tree of the sleeping cycle through `tree`; `None` when the cycle is broken.
pub fn cycle_start(tree_asleep: &[i32], tree: usize) -> Option<usize> {
    let (mut smallest, mut current) = (tree, tree);
    for _ in 0..=tree_asleep.len() {
        let next =
            usize::try_from(*tree_asleep.get(current)?).ok().filter(|next| *next < tree_asleep.len())?;
        smallest = smallest.min(next);
        current = next;
        if current == tree {
            return Some(smallest);
        }
    }
    None
}

/// Wake a tree and everything that fell asleep with it; returns how many woke.
fn wake_tree(tree_asleep: &mut [i32], tree: usize, value: i32) -> usize {
    if tree_asleep[tree] < 0 {
        tree_asleep[tree] = tree_asleep[tree].min(value);
        return 0;
    }
    let (mut current, mut woken) = (tree, 0);
    while let Ok(next) = usize::try_from(tree_asleep[current]) {
        tree_asleep[current] = value;
        woken += 1;
        if next == tree || next >= tree_asleep.len() {
            break;
        }
        current = next;
    }
    woken
}

/// Wake trees the user moved or pushed. Whether any woke.
pub fn wake_changed(model: &Model, state: &mut State, inputs: &Inputs, awake: &Awake) -> bool {
    if !sleep_enabled(model) {
        if awake.ntree_awake < model.ntree {
            state.tree_asleep.fill(FULLY_AWAKE);
        }
        return awake.ntree_awake != model.ntree;
    }
    let mut woken = 0;
    let untouched = nothing_applied(inputs);
    let mut tree = 0;
    while tree < model.ntree {
        // Trees that sleep side by side are looked at together.
        let still = |tree: &usize| {
            state.tree_asleep[*tree] >= 0 && awake.tree_awake[*tree] == 0 && policy_allows(model, *tree)
        };
        let sleeping = (tree..model.ntree).take_while(still).count();
        if untouched && sleeping > 0 {
            let end = tree + sleeping;
            let last = range(model.tree_dofadr[end - 1], model.tree_dofnum[end - 1]);
            if is_clear(&state.qvel[range(model.tree_dofadr[tree], 0).start..last.end]) {
                tree = end;
                continue;
            }
        }
        for tree in tree..tree + sleeping.max(1) {
            if state.tree_asleep[tree] >= 0
                && (awake.tree_awake[tree] != 0 || !may_sleep(model, state, inputs, tree, untouched, 0.0))
            {
                woken += wake_tree(&mut state.tree_asleep, tree, FULLY_AWAKE);
            }
        }
        tree += sleeping.max(1);
    }
    woken > 0
}

/// Wake the sleeping one of two trees, with the patience of the awake one; returns how many woke.
fn wake_neighbour(state: &mut State, awake: &Awake, tree1: usize, tree2: usize) -> usize {
    let (sleeping, waking) = if awake.tree_awake[tree1] != 0 { (tree2, tree1) } else { (tree1, tree2) };
    let value = state.tree_asleep[waking];
    if value >= 0 { 0 } else { wake_tree(&mut state.tree_asleep, sleeping, value) }
}

/// Wake trees touched by awake trees. Whether any woke.
pub fn wake_touched(model: &Model, state: &mut State, awake: &Awake, contacts: &[Contact]) -> bool {
    if !sleep_enabled(model) {
        return false;
    }
    let mut woken = 0;
    for contact in contacts {
        let tree = |geom: i32| {
            let geom = usize::try_from(geom).ok()?;
            model.body_treeid(model.geom_bodyid[geom] as usize)
        };
        let (Some(tree1), Some(tree2)) = (tree(contact.geom[0]), tree(contact.geom[1])) else { continue };
        if awake.tree_awake[tree1] != awake.tree_awake[tree2] {
            woken += wake_neighbour(state, awake, tree1, tree2);
        }
    }
    woken > 0
}

/// Wake trees a taut tendon ties to awake trees. Whether any woke.
pub fn wake_tied(model: &Model, state: &mut State, awake: &Awake, tendons: &Tendons) -> bool {
    if !sleep_enabled(model) {
        return false;
    }
    let mut woken = 0;
    for tendon in 0..model.ntendon {
        if model.tendon_treenum[tendon] != 2 || !tendon_at_limit(model, tendons.ten_length[tendon], tendon) {
            continue;
        }
        let [tree1, tree2] = model.tendon_treeid[tendon].map(|tree| tree as usize);
        if awake.tree_awake[tree1] != awake.tree_awake[tree2] {
            woken += wake_neighbour(state, awake, tree1, tree2);
        }
    }
    woken > 0
}

/// Whether a limited tendon is within its margin of a limit.
pub fn tendon_at_limit(model: &Model, length: f64, tendon: usize) -> bool {
    if model.tendon_limited[tendon] == 0 {
        return false;
    }
    let [low, high] = model.tendon_range[tendon];
    let margin = model.tendon_margin[tendon];
    length - low < margin || high - length < margin
}

/// Wake trees an active equality ties to awake trees or to trees of another cycle. Whether any woke.
pub fn wake_equal(model: &Model, state: &mut State, inputs: &Inputs, awake: &Awake) -> bool {
    if !sleep_enabled(model) {
        return false;
    }
    let mut woken = 0;
    for equality in 0..model.neq {
        if inputs.eq_active[equality] == 0 {
            continue;
        }
        let (Some(tree1), Some(tree2)) = equality_trees(model, equality) else { continue };
        let (awake1, awake2) = (awake.tree_awake[tree1] != 0, awake.tree_awake[tree2] != 0);
        if (awake1 && awake2) || tree1 == tree2 {
            continue;
        }
        let asleep = &mut state.tree_asleep;
        if !awake1 && !awake2 {
            if cycle_start(asleep, tree1) != cycle_start(asleep, tree2) {
                woken += wake_tree(asleep, tree1, FULLY_AWAKE);
                woken += wake_tree(asleep, tree2, FULLY_AWAKE);
            }
            continue;
        }
        woken += wake_tree(asleep, if awake1 { tree2 } else { tree1 }, FULLY_AWAKE);
    }
    woken > 0
}

/// Trees of the two objects of an equality; `None` for static or missing ones and for kinds that do not support sleeping.
fn equality_trees(model: &Model, equality: usize) -> (Option<usize>, Option<usize>) {
    let tree = |id: Option<usize>| {
        let id = id?;
        let body = match model.eq_type(equality)? {
            EqualityType::Connect | EqualityType::Weld => {
                if model.eq_objtype(equality) == Some(ObjectType::Body) {
                    id as i32
                } else {
                    model.site_bodyid[id]
                }
            }
            EqualityType::Joint => model.jnt_bodyid[id],
            _ => return None,
        };
        model.body_treeid(body as usize)
    };
    (tree(model.eq_obj1id(equality)), tree(model.eq_obj2id(equality)))
}

/// Let slow trees fall asleep, whole islands at a time. Returns how many trees did.
pub fn fall_asleep(
    model: &Model,
    inputs: &Inputs,
    rows: &Rows,
    islands: &Islands,
    state: &mut State,
    acceleration: &mut Acceleration,
) -> usize {
    let count = islands.nisland;
    if !sleep_enabled(model) || (rows.nefc > 0 && count == 0) {
        return 0;
    }
    let untouched = nothing_applied(inputs);
    for tree in 0..model.ntree {
        let counter = state.tree_asleep[tree];
        if counter < 0 {
            let slow = may_sleep(model, state, inputs, tree, untouched, model.opt.sleep_tolerance);
            state.tree_asleep[tree] = if slow { counter + i32::from(counter < -1) } else { FULLY_AWAKE };
        }
    }

    let mut slept = 0;
    for island in 0..count {
        let start = islands.island_itreeadr[island] as usize;
        let trees = start..start + islands.island_ntree[island] as usize;
        let ready = |k: usize| state.tree_asleep[islands.map_itree2tree[k] as usize] >= -1;
        if trees.clone().all(ready) {
            for k in trees.clone() {
                let next = if k + 1 == trees.end { trees.start } else { k + 1 };
                let tree = islands.map_itree2tree[k] as usize;
                let next = islands.map_itree2tree[next];
                rest_tree(model, state, &mut acceleration.qacc, tree, next);
            }
            slept += trees.len();
        }
    }

    let constrained = match count.checked_sub(1) {
        Some(last) => (islands.island_itreeadr[last] + islands.island_ntree[last]) as usize,
        None => 0,
    };
    for k in constrained..model.ntree {
        let tree = if count > 0 { islands.map_itree2tree[k] as usize } else { k };
        if state.tree_asleep[tree] == -1 {
            rest_tree(model, state, &mut acceleration.qacc, tree, tree as i32);
            slept += 1;
        }
    }
    slept
}

/// Put one tree to sleep, `next` being its successor in the cycle.
fn rest_tree(model: &Model, state: &mut State, qacc: &mut [f64], tree: usize, next: i32) {
    if state.tree_asleep[tree] == -1 {
        state.tree_asleep[tree] = next;
    }
    let dofs = range(model.tree_dofadr[tree], model.tree_dofnum[tree]);
    state.qvel[dofs.clone()].fill(0.0);
    qacc[dofs].fill(0.0);
}

/// Whether a tendon moves.
pub fn tendon_state(model: &Model, awake: &Awake, tendon: usize) -> SleepState {
    let [tree1, tree2] = model.tendon_treeid[tendon];
    let is_awake = |tree: i32| awake.tree_awake[tree as usize] != 0;
    let moves = match model.tendon_treenum[tendon] {
        0 => return SleepState::Static,
        1 => is_awake(tree1),
        2 => is_awake(tree1) || is_awake(tree2),
        _ => true,
    };
    if moves { SleepState::Awake } else { SleepState::Asleep }
}

/// Whether what an actuator drives moves.
#[deny(clippy::wildcard_enum_match_arm)]
pub fn actuator_state(model: &Model, awake: &Awake, actuator: usize) -> SleepState {
    let [first, second] = model.actuator_trnid[actuator];
    match model.actuator_trntype(actuator).unwrap_or(TransmissionType::Undefined) {
        TransmissionType::Joint | TransmissionType::JointInParent => {
            object_state(model, awake, ObjectType::Joint, first)
        }
        TransmissionType::SliderCrank => {
            let either = [first, second]
                .iter()
                .any(|site| object_state(model, awake, ObjectType::Site, *site) == SleepState::Awake);
            if either { SleepState::Awake } else { SleepState::Asleep }
        }
        TransmissionType::Tendon => tendon_state(model, awake, first as usize),
        TransmissionType::Site => object_state(model, awake, ObjectType::Site, first),
        TransmissionType::Body => object_state(model, awake, ObjectType::Body, first),
        TransmissionType::Undefined => SleepState::Awake,
    }
}

/// Whether either side of an equality moves.
pub fn equality_state(model: &Model, awake: &Awake, equality: usize) -> SleepState {
    let kind = match model.eq_type(equality) {
        Some(EqualityType::Connect | EqualityType::Weld) => {
            model.eq_objtype(equality).unwrap_or(ObjectType::Unknown)
        }
        Some(EqualityType::Joint) => ObjectType::Joint,
        Some(EqualityType::Tendon) => ObjectType::Tendon,
        _ => return SleepState::Awake,
    };
    let moves = |id: i32| id >= 0 && object_state(model, awake, kind, id) == SleepState::Awake;
    if moves(model.eq_obj1id[equality]) || moves(model.eq_obj2id[equality]) {
        SleepState::Awake
    } else {
        SleepState::Asleep
    }
}

/// Whether a sensor must be recomputed: never [`SleepState::Static`].
pub fn sensor_state(model: &Model, awake: &Awake, sensor: usize) -> SleepState {
    let object = model.sensor_objtype(sensor).unwrap_or(ObjectType::Unknown);
    let reference = model.sensor_reftype(sensor).unwrap_or(ObjectType::Unknown);
    match model.sensor_type(sensor) {
        Some(SensorType::User | SensorType::Plugin | SensorType::Rangefinder) => return SleepState::Awake,
        Some(SensorType::Contact) if object == ObjectType::Site || reference == ObjectType::Site => {
            return SleepState::Awake;
        }
        _ => {}
    }
    let of_object = object_state(model, awake, object, model.sensor_objid[sensor]);
    let of_reference = object_state(model, awake, reference, model.sensor_refid[sensor]);
    let runs = match (object, reference) {
        (ObjectType::Unknown, ObjectType::Unknown) => true,
        (ObjectType::Unknown, _) => of_reference != SleepState::Asleep,
        (_, ObjectType::Unknown) => of_object != SleepState::Asleep,
        _ => of_object == SleepState::Awake || of_reference == SleepState::Awake,
    };
    if runs { SleepState::Awake } else { SleepState::Asleep }
}

/// Whether an object moves. Objects without a place in the tree count as awake.
pub fn object_state(model: &Model, awake: &Awake, kind: ObjectType, id: i32) -> SleepState {
    let Ok(id) = usize::try_from(id) else { return SleepState::Awake };
    let body = match kind {
        ObjectType::Body | ObjectType::XBody => id as i32,
        ObjectType::Joint => model.jnt_bodyid[id],
        ObjectType::Site => model.site_bodyid[id],
        ObjectType::Dof => model.dof_bodyid[id],
        ObjectType::Geom => model.geom_bodyid[id],
        ObjectType::Camera => model.cam_bodyid[id],
        ObjectType::Light => model.light_bodyid[id],
        ObjectType::Equality => return equality_state(model, awake, id),
        ObjectType::Tendon => return tendon_state(model, awake, id),
        ObjectType::Actuator => return actuator_state(model, awake, id),
        ObjectType::Sensor => return sensor_state(model, awake, id),
        _ => return SleepState::Awake,
    };
    SleepState::from_awake(awake.body_awake[body as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waking_one_tree_wakes_its_cycle() {
        let mut asleep = [2, -3, 4, -11, 0];
        assert_eq!(cycle_start(&asleep, 2), Some(0));
        assert_eq!(cycle_start(&asleep, 1), None);
        assert_eq!(wake_tree(&mut asleep, 4, -5), 3);
        assert_eq!(asleep, [-5, -3, -5, -11, -5]);
        assert_eq!(wake_tree(&mut asleep, 3, -1), 0);
        assert_eq!(wake_tree(&mut asleep, 1, -11), 0);
        assert_eq!(asleep, [-5, -11, -5, -11, -5]);
    }

    #[test]
    fn a_tree_slower_than_the_tolerance_may_sleep() {
        let mut model = Model { nbody: 2, ntree: 1, nv: 2, ..Model::default() };
        model.allocate();
        model.body_treeid = vec![-1, 0].into();
        model.body_mocapid.fill(-1);
        model.tree_bodyadr.fill(1);
        model.tree_bodynum.fill(1);
        model.tree_dofnum.fill(2);
        model.tree_sleep_policy.fill(condyle_model::SleepPolicy::AutoAllowed as i32);
        model.dof_length = vec![1.0, 0.25].into();
        let mut data = crate::Data::without_plugins(&model);
        let mut sleeps = |speeds: [f64; 2]| {
            data.state.qvel.copy_from_slice(&speeds);
            may_sleep(&model, &data.state, &data.inputs, 0, true, 0.5)
        };
        // The second dof counts by its length; the tolerance itself is too fast.
        assert!(sleeps([0.0, -1.999999999]) && !sleeps([0.0, -2.0]));
        assert!(sleeps([0.4999999999, 0.0]) && !sleeps([0.5, 0.0]));
    }
}
