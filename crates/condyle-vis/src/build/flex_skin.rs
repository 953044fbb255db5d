//! One element per flex and per skin; their vertices are in the scene beside the list.

use condyle_math::Vec3;
use condyle_model::{GeomType, ObjectType};

use super::{Builder, in_group};
use crate::types::{Category, LabelKind, VisualFlag};

/// Flexes, placed at their first vertex.
pub(super) fn add_flexes(b: &mut Builder<'_>) -> Option<()> {
    use VisualFlag::{FlexEdge, FlexFace, FlexSkin, FlexVertex};
    let any = [FlexVertex, FlexEdge, FlexFace, FlexSkin].into_iter().any(|flag| b.shows(flag));
    if !any || !b.wants(Category::Dynamic as i32) {
        return Some(());
    }
    let model = b.model;
    for flex in 0..model.nflex {
        if !in_group(&b.options.flexgroup, model.flex_group[flex]) {
            continue;
        }
        let mut geom = b.begin(flex, Category::Dynamic, ObjectType::Flex)?;
        let first = usize::try_from(model.flex_vertadr[flex]).unwrap_or(0);
        let position: Vec3 = b.data.flexes.flexvert_xpos.get(first).copied().unwrap_or_default();
        geom.init(GeomType::Flex as i32, None, Some(position), None, None);
        geom.size[0] = model.flex_radius[flex] as f32;
        b.set_material(&mut geom, model.flex_matid[flex], model.flex_rgba[flex]);
        if model.flex_texcoordadr[flex] >= 0 {
            geom.texcoord = 1;
        } else {
            geom.matid = -1;
        }
        if b.perturbation.flexselect == flex as i32 {
            b.glow(&mut geom);
        }
        if geom.rgba[3] == 0.0 {
            continue;
        }
        if b.labels(LabelKind::Flex) {
            b.name(&mut geom, ObjectType::Flex, flex);
        }
        b.push(geom);
    }
    Some(())
}

/// Skins, placed at their first bone.
pub(super) fn add_skins(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::Skin) || !b.wants(Category::Dynamic as i32) {
        return Some(());
    }
    let model = b.model;
    for skin in 0..model.nskin {
        if !in_group(&b.options.skingroup, model.skin_group[skin]) {
            continue;
        }
        let mut geom = b.begin(skin, Category::Dynamic, ObjectType::Skin)?;
        let bone = usize::try_from(model.skin_boneadr[skin]).unwrap_or(0);
        let body = model.skin_bonebodyid.get(bone).copied().unwrap_or(0).max(0) as usize;
        geom.init(GeomType::Skin as i32, None, Some(b.data.kinematics.xpos[body]), None, None);
        b.set_material(&mut geom, model.skin_matid[skin], model.skin_rgba[skin]);
        if b.perturbation.skinselect == skin as i32 {
            b.glow(&mut geom);
        }
        if model.skin_texcoordadr[skin] >= 0 {
            geom.texcoord = 1;
        }
        if geom.rgba[3] == 0.0 {
            continue;
        }
        if b.labels(LabelKind::Skin) {
            b.name(&mut geom, ObjectType::Skin, skin);
        }
        b.push(geom);
    }
    Some(())
}
