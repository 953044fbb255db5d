//! Boxes or ellipsoids with the inertia of each body.
//!
//! A solid box with half sizes `s` has `I_x = m(s_y² + s_z²)/3`, an ellipsoid `m(s_y² + s_z²)/5`; solved for `s`.

use condyle_math::{MIN_VALUE, PI, scalar};
use condyle_model::{GeomType, ObjectType};

use super::Builder;
use crate::types::{LabelKind, VisualFlag};

/// The shape of every body with mass; scaled, if asked for, to the density of water.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::Inertia) {
        return Some(());
    }
    let model = b.model;
    let ellipsoid = model.vis.global.ellipsoidinertia == 1;
    for body in 1..model.nbody {
        let mass = model.body_mass[body];
        if mass <= MIN_VALUE || !b.wants(b.category(body as i32) as i32) {
            continue;
        }
        let mut geom = b.decor(body, ObjectType::Body)?;
        let size = shape(model.body_inertia[body], mass, ellipsoid, b.shows(VisualFlag::ScaleInertia));
        let kind = if ellipsoid { GeomType::Ellipsoid } else { GeomType::Box };
        let k = &b.data.kinematics;
        let rgba = model.vis.rgba.inertia;
        geom.init(kind as i32, Some(size), Some(k.xipos[body]), Some(&k.ximat[body]), Some(rgba));
        let selected = b.perturbation.select == body as i32;
        if selected {
            b.glow(&mut geom);
        }
        if b.labels(LabelKind::Body) || (b.labels(LabelKind::Selection) && selected) {
            b.name(&mut geom, ObjectType::Body, body);
        }
        b.push(geom);
    }
    Some(())
}

fn shape([x, y, z]: [f64; 3], mass: f64, ellipsoid: bool, scaled: bool) -> [f64; 3] {
    let factor = if ellipsoid { 5.0_f64.sqrt() } else { 3.0_f64.sqrt() };
    let mut size = [
        ((y + z - x) / (2.0 * mass)).sqrt() * factor,
        ((x + z - y) / (2.0 * mass)).sqrt() * factor,
        ((x + y - z) / (2.0 * mass)).sqrt() * factor,
    ];
    if scaled {
        let unit_volume = if ellipsoid { 4.0 / 3.0 * PI } else { 8.0 };
        let volume = unit_volume * size[0] * size[1] * size[2];
        let density = mass / scalar::max(MIN_VALUE, volume);
        let scale = (density * 0.001).powf(1.0 / 3.0);
        size = size.map(|side| side * scale);
    }
    size
}
