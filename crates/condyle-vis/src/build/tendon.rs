//! Tendons: capsules along their paths, or a hanging curve for slack strings.

use condyle_math::{MIN_VALUE, Vec3, vec3};
use condyle_model::{ConstraintType, GeomType, ObjectType, TransmissionType, disable};

use super::{Builder, catenary, color, in_group};
use crate::types::{Category, LabelKind, VisualFlag};

/// Point on a tendon's path that is a pulley: the path is interrupted.
const PULLEY: i32 = -2;

/// Every tendon of a shown group.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    if !b.wants(Category::Dynamic as i32) || !b.shows(VisualFlag::Tendon) {
        return Some(());
    }
    for tendon in 0..b.model.ntendon {
        if !in_group(&b.options.tendongroup, b.model.tendon_group[tendon]) {
            continue;
        }
        match slack_length(b, tendon) {
            Some(length) => add_slack(b, tendon, length)?,
            None => add_path(b, tendon)?,
        }
    }
    Some(())
}

/// A stretch of a tendon's path: its ends, and whether it lies on what the tendon wraps around.
pub(super) struct Segment {
    pub ends: [Vec3; 2],
    pub wrapped: bool,
    pub first: bool,
}

/// The stretches of a tendon's path.
pub(super) fn segments(b: &Builder<'_>, tendon: usize) -> Vec<Segment> {
    let objects = b.data.tendons.wrap_obj.as_flattened();
    let points = b.data.tendons.wrap_xpos.as_flattened().as_chunks::<3>().0;
    let first = b.data.tendons.ten_wrapadr[tendon].max(0) as usize;
    let count = b.data.tendons.ten_wrapnum[tendon].max(0) as usize;
    let end = first.saturating_add(count).min(objects.len());
    (first..end.saturating_sub(1))
        .filter(|&at| objects[at] != PULLEY && objects[at + 1] != PULLEY)
        .map(|at| Segment {
            ends: [points[at], points[at + 1]],
            wrapped: objects[at] >= 0 && objects[at + 1] >= 0,
            first: at == first,
        })
        .collect()
}

/// Capsules along the path, half as thick where they lie on an obstacle.
fn add_path(b: &mut Builder<'_>, tendon: usize) -> Option<()> {
    let model = b.model;
    let rgba = colour(b, tendon);
    for segment in segments(b, tendon) {
        let mut geom = b.begin(tendon, Category::Dynamic, ObjectType::Tendon)?;
        let width = model.tendon_width[tendon];
        let width = if segment.wrapped { 0.5 * width } else { width };
        geom.span(GeomType::Capsule, width, segment.ends[0], segment.ends[1]);
        b.set_material(&mut geom, model.tendon_matid[tendon], rgba);
        if b.shows(VisualFlag::Island) {
            geom.matid = -1;
            geom.rgba = color::island(first_dof(b, tendon), true);
        }
        if b.labels(LabelKind::Tendon) && segment.first {
            b.name(&mut geom, ObjectType::Tendon, tendon);
        }
        b.push(geom);
    }
    Some(())
}

/// Colour of a tendon: one without material and in the default grey goes over to that of constraints as its limit stiffens.
fn colour(b: &Builder<'_>, tendon: usize) -> [f32; 4] {
    let mut rgba = b.model.tendon_rgba[tendon];
    if b.model.tendon_matid[tendon] == -1 && rgba == [0.5, 0.5, 0.5, 1.0] {
        let impedance = limit_impedance(b, ConstraintType::LimitTendon, tendon);
        let limit = b.model.vis.rgba.constraint;
        for channel in 0..3 {
            rgba[channel] = color::mix(impedance, rgba[channel], limit[channel]);
        }
    }
    rgba
}

/// Impedance of the last limit row of a joint or tendon; zero without one.
pub(super) fn limit_impedance(b: &Builder<'_>, kind: ConstraintType, id: usize) -> f64 {
    let rows = &b.data.rows;
    let first = rows.ne + rows.nf;
    let mut impedance = 0.0;
    for row in first..first + rows.nl {
        if rows.efc_type.get(row) == Some(&(kind as i32)) && rows.efc_id.get(row) == Some(&(id as i32)) {
            impedance = rows.efc_KBIP.get(row).map_or(0.0, |row| row[2]);
        }
    }
    impedance
}

/// First dof of the island of a tendon's constraint, if it is constrained.
fn first_dof(b: &Builder<'_>, tendon: usize) -> Option<i32> {
    let islands = &b.data.islands;
    if islands.nisland == 0 {
        return None;
    }
    let row = usize::try_from(*b.data.rows.tendon_efcadr.get(tendon)?).ok()?;
    let island = usize::try_from(*islands.efc_island.get(row)?).ok()?;
    islands.island_dofadr.get(island).copied()
}

/// Length of a tendon that hangs as a string between two sites: its spring or its limit, not both, allows any length up to that, and
/// nothing else acts on it.
fn slack_length(b: &Builder<'_>, tendon: usize) -> Option<f64> {
    let model = b.model;
    let stiffness = model.tendon_stiffness[tendon];
    let [spring_low, spring_high] = model.tendon_lengthspring[tendon];
    let [low, high] = model.tendon_range[tendon];
    let spring = stiffness > 0.0 && spring_low == 0.0 && spring_high > 0.0;
    let limit = stiffness == 0.0
        && model.tendon_limited[tendon] == 1
        && low == 0.0
        && b.data.tendons.ten_length[tendon] < high;
    let hangs = model.opt.disableflags & disable::GRAVITY == 0
        && vec3::norm(model.opt.gravity) > MIN_VALUE
        && model.tendon_num[tendon] == 2
        && spring != limit
        && model.tendon_damping[tendon] == 0.0
        && model.tendon_frictionloss[tendon] == 0.0
        && !is_actuated(b, tendon);
    hangs.then_some(if limit { high } else { spring_high })
}

fn is_actuated(b: &Builder<'_>, tendon: usize) -> bool {
    (0..b.model.nu).any(|actuator| {
        b.model.actuator_trntype[actuator] == TransmissionType::Tendon as i32
            && b.model.actuator_trnid[actuator][0] == tendon as i32
    })
}

/// Capsules along the hanging curve.
fn add_slack(b: &mut Builder<'_>, tendon: usize, length: f64) -> Option<()> {
    let model = b.model;
    let points = b.data.tendons.wrap_xpos.as_flattened().as_chunks::<3>().0;
    let first = b.data.tendons.ten_wrapadr[tendon].max(0) as usize;
    let Some(&[start, end]) = points.get(first..first + 2) else { return Some(()) };
    let count = usize::try_from(model.vis.quality.numslices.saturating_add(1)).unwrap_or(0);
    let mut room = [[0.0; 3]; catenary::MOST_POINTS];
    let curve = catenary::points(start, end, model.opt.gravity, length, count, &mut room);
    for ends in curve.windows(2) {
        let mut geom = b.begin(tendon, Category::Dynamic, ObjectType::Tendon)?;
        geom.span(GeomType::Capsule, model.tendon_width[tendon], ends[0], ends[1]);
        b.set_material(&mut geom, model.tendon_matid[tendon], model.tendon_rgba[tendon]);
        if b.labels(LabelKind::Tendon) {
            b.name(&mut geom, ObjectType::Tendon, tendon);
        }
        b.push(geom);
    }
    Some(())
}
