//! Sites of the model.

use condyle_model::ObjectType;

use super::{Builder, in_group};
use crate::types::LabelKind;

/// Every site of a shown group that is not invisible.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    let model = b.model;
    for site in 0..model.nsite {
        let category = b.category(model.site_bodyid[site]);
        if !b.wants(category as i32) || !in_group(&b.options.sitegroup, model.site_group[site]) {
            continue;
        }
        let mut geom = b.begin(site, category, ObjectType::Site)?;
        let (position, rotation) = (b.data.kinematics.site_xpos[site], &b.data.kinematics.site_xmat[site]);
        geom.init(model.site_type[site], Some(model.site_size[site]), Some(position), Some(rotation), None);
        b.set_material(&mut geom, model.site_matid[site], model.site_rgba[site]);
        if geom.rgba[3] == 0.0 {
            continue;
        }
        if b.perturbation.select > 0 && b.perturbation.select == model.site_bodyid[site] {
            b.glow(&mut geom);
        }
        if b.labels(LabelKind::Site) {
            b.name(&mut geom, ObjectType::Site, site);
        }
        b.push(geom);
    }
    Some(())
}
