//! Connect and weld constraints: a sphere at each of the two points that shall coincide.

use condyle_model::{EqualityType, GeomType, ObjectType};

use super::{Builder, place};
use crate::types::{LabelKind, VisualFlag};

/// The two points of every active connect and weld constraint.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::Constraint) {
        return Some(());
    }
    let model = b.model;
    let radius = f64::from(b.mean_size() * model.vis.scale.constraint);
    for equality in 0..model.neq {
        let weld = model.eq_type[equality] == EqualityType::Weld as i32;
        let connect = model.eq_type[equality] == EqualityType::Connect as i32;
        if b.data.inputs.eq_active[equality] == 0 || !(connect || weld) {
            continue;
        }
        let ids = (usize::try_from(model.eq_obj1id[equality]), usize::try_from(model.eq_obj2id[equality]));
        let (Ok(first), Ok(second)) = ids else { continue };
        let k = &b.data.kinematics;
        let ends = if model.eq_objtype[equality] == ObjectType::Site as i32 {
            [first, second].map(|site| (k.site_xpos[site], &k.site_xmat[site]))
        } else {
            // A weld keeps the anchor in its second body first, a connect that in its first.
            let [a, b, c, d, e, f, ..] = model.eq_data[equality];
            let anchors = if weld { [[d, e, f], [a, b, c]] } else { [[a, b, c], [d, e, f]] };
            let at = |body: usize, anchor| (place(k.xpos[body], &k.xmat[body], anchor), &k.xmat[body]);
            [at(first, anchors[0]), at(second, anchors[1])]
        };
        let colours = [model.vis.rgba.connect, model.vis.rgba.constraint];
        for ((position, rotation), rgba) in ends.into_iter().zip(colours) {
            let mut geom = b.decor(equality, ObjectType::Equality)?;
            let size = Some([radius, 0.0, 0.0]);
            geom.init(GeomType::Sphere as i32, size, Some(position), Some(rotation), Some(rgba));
            if b.labels(LabelKind::Constraint) {
                b.name(&mut geom, ObjectType::Equality, equality);
            }
            b.push(geom);
        }
    }
    Some(())
}
