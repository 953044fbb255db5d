//! Actuators, coloured by their control or activation.

use condyle_engine::actuation::activation::is_disabled;
use condyle_math::{MIN_VALUE, scalar, vec3};
use condyle_model::{GeomType, JointType, ObjectType, TransmissionType};

use super::{Builder, in_group, joint, tendon};
use crate::types::{Geom, LabelKind, VisualFlag};

/// How much larger than what they act on sites and bodies are drawn.
const INFLATION: f64 = 1.05;

/// Every enabled actuator of a shown group, as what it acts on.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::Actuator) {
        return Some(());
    }
    let model = b.model;
    for actuator in 0..model.nu {
        if !in_group(&b.options.actuatorgroup, model.actuator_group[actuator]) || is_disabled(model, actuator)
        {
            continue;
        }
        let rgba = colour(b, actuator);
        let Ok(target) = usize::try_from(model.actuator_trnid[actuator][0]) else { continue };
        match model.actuator_trntype(actuator) {
            Some(TransmissionType::Joint | TransmissionType::JointInParent) => {
                add_single(b, actuator, rgba, |b, geom| on_joint(b, geom, target))?;
            }
            Some(TransmissionType::Site) => {
                add_single(b, actuator, rgba, |b, geom| on_site(b, geom, target))?
            }
            Some(TransmissionType::Body) => add_body(b, actuator, target, rgba)?,
            Some(TransmissionType::Tendon) => add_tendon(b, actuator, target, rgba)?,
            Some(TransmissionType::SliderCrank | TransmissionType::Undefined) | None => {}
        }
    }
    Some(())
}

/// Colour between those of the lower limit, rest and the upper limit of the control, or of the activation if that is shown.
fn colour(b: &Builder<'_>, actuator: usize) -> [f32; 4] {
    let model = b.model;
    let activation = b.shows(VisualFlag::Activation);
    let (mut low, mut high) = (-1.0, 1.0);
    if model.actuator_ctrllimited[actuator] != 0 {
        [low, high] = model.actuator_ctrlrange[actuator];
    } else if activation && model.actuator_actlimited[actuator] != 0 {
        [low, high] = model.actuator_actrange[actuator];
    }
    let [mut least, rest, mut most] = if low >= 0.0 {
        [-1.0, low, high]
    } else if high <= 0.0 {
        [low, high, 1.0]
    } else {
        [low, 0.0, high]
    };
    if rest - least < MIN_VALUE {
        least = rest - MIN_VALUE;
    }
    if most - rest < MIN_VALUE {
        most = rest + MIN_VALUE;
    }
    let value = if activation && model.actuator_dyntype[actuator] != 0 {
        let last = model.actuator_actadr[actuator] + model.actuator_actnum[actuator] - 1;
        usize::try_from(last).ok().and_then(|last| b.data.state.act.get(last)).copied().unwrap_or(0.0)
    } else {
        b.data.inputs.ctrl[actuator]
    };
    let value = scalar::clip(value, least, most);
    let (negative, neutral, positive) = if value <= rest {
        let negative = ((rest - value) / scalar::max(MIN_VALUE, rest - least)) as f32;
        (negative, 1.0 - negative, 0.0)
    } else {
        let positive = ((value - rest) / scalar::max(MIN_VALUE, most - rest)) as f32;
        (0.0, 1.0 - positive, positive)
    };
    let colours = &model.vis.rgba;
    std::array::from_fn(|channel| {
        negative * colours.actuatornegative[channel]
            + neutral * colours.actuator[channel]
            + positive * colours.actuatorpositive[channel]
    })
}

/// Appends one element that `shape` gives its form.
fn add_single(
    b: &mut Builder<'_>,
    actuator: usize,
    rgba: [f32; 4],
    shape: impl FnOnce(&Builder<'_>, &mut Geom),
) -> Option<()> {
    let mut geom = b.decor(actuator, ObjectType::Actuator)?;
    shape(b, &mut geom);
    geom.rgba = rgba;
    if b.labels(LabelKind::Actuator) {
        b.name(&mut geom, ObjectType::Actuator, actuator);
    }
    b.push(geom);
    Some(())
}

fn on_site(b: &Builder<'_>, geom: &mut Geom, site: usize) {
    let k = &b.data.kinematics;
    let size = vec3::scale(b.model.site_size[site], INFLATION);
    geom.init(b.model.site_type[site], Some(size), Some(k.site_xpos[site]), Some(&k.site_xmat[site]), None);
}

fn on_joint(b: &Builder<'_>, geom: &mut Geom, target: usize) {
    let (model, k) = (b.model, &b.data.kinematics);
    let kind = model.jnt_type(target);
    match kind {
        Some(JointType::Slide | JointType::Hinge) => {
            let length = f64::from(model.vis.scale.actuatorlength * b.mean_size());
            let width = f64::from(model.vis.scale.actuatorwidth * b.mean_size());
            let (shape, ends) = joint::arrow(b, target, length);
            geom.span(shape, width, ends[0], ends[1]);
        }
        Some(JointType::Ball | JointType::Free) => {
            let ball = kind == Some(JointType::Ball);
            let shape = if ball { GeomType::Sphere } else { GeomType::Box };
            let size = f64::from(model.vis.scale.jointlength * b.mean_size()) * 0.33;
            let rotation = &k.xmat[model.jnt_bodyid[target] as usize];
            geom.init(shape as i32, Some([size; 3]), Some(k.xanchor[target]), Some(rotation), None);
        }
        None => {}
    }
}

/// The geoms of a body that are simple shapes, a little larger.
fn add_body(b: &mut Builder<'_>, actuator: usize, body: usize, rgba: [f32; 4]) -> Option<()> {
    let model = b.model;
    let first = model.body_geomadr[body].max(0) as usize;
    for index in first..first + model.body_geomnum[body].max(0) as usize {
        use GeomType::{HField, Mesh, Plane, Sdf};
        if matches!(model.geom_type(index), Some(Plane | HField | Mesh | Sdf)) {
            continue;
        }
        let mut geom = b.decor(actuator, ObjectType::Actuator)?;
        let k = &b.data.kinematics;
        let size = vec3::scale(model.geom_size[index], INFLATION);
        let (position, rotation) = (k.geom_xpos[index], &k.geom_xmat[index]);
        geom.init(model.geom_type[index], Some(size), Some(position), Some(rotation), Some(rgba));
        b.push(geom);
    }
    Some(())
}

/// The path of a tendon, thicker.
fn add_tendon(b: &mut Builder<'_>, actuator: usize, target: usize, rgba: [f32; 4]) -> Option<()> {
    let model = b.model;
    for segment in tendon::segments(b, target) {
        let mut geom = b.decor(actuator, ObjectType::Actuator)?;
        let width = model.tendon_width[target];
        let width = if segment.wrapped { 0.5 * width } else { width };
        let width = width * f64::from(model.vis.map.actuatortendon);
        geom.span(GeomType::Capsule, width, segment.ends[0], segment.ends[1]);
        b.set_material(&mut geom, model.tendon_matid[target], model.tendon_rgba[target]);
        geom.rgba = rgba;
        if b.labels(LabelKind::Actuator) && segment.first {
            b.name(&mut geom, ObjectType::Actuator, actuator);
        }
        b.push(geom);
    }
    Some(())
}
