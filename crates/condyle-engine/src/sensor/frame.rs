//! Where an object of a sensor is: position, axes, orientation.

use condyle_math::{Mat3, Quat, Vec3, quat};
use condyle_model::{Model, ObjectType};

use crate::data::Kinematics;

/// Position and axes of an object with a frame.
pub(super) fn pose(kinematics: &Kinematics, kind: Option<ObjectType>, id: usize) -> Option<(Vec3, Mat3)> {
    let k = kinematics;
    Some(match kind? {
        ObjectType::XBody => (*k.xpos.get(id)?, k.xmat[id]),
        ObjectType::Body => (*k.xipos.get(id)?, k.ximat[id]),
        ObjectType::Geom => (*k.geom_xpos.get(id)?, k.geom_xmat[id]),
        ObjectType::Site => (*k.site_xpos.get(id)?, k.site_xmat[id]),
        ObjectType::Camera => (*k.cam_xpos.get(id)?, k.cam_xmat[id]),
        _ => return None,
    })
}

/// Orientation of an object with a frame.
pub(super) fn orientation(
    model: &Model,
    kinematics: &Kinematics,
    kind: Option<ObjectType>,
    id: usize,
) -> Option<Quat> {
    let (body, local) = match kind? {
        ObjectType::XBody => return kinematics.xquat.get(id).copied(),
        ObjectType::Body => (id, *model.body_iquat.get(id)?),
        ObjectType::Geom => (*model.geom_bodyid.get(id)? as usize, model.geom_quat[id]),
        ObjectType::Site => (*model.site_bodyid.get(id)? as usize, model.site_quat[id]),
        ObjectType::Camera => (*model.cam_bodyid.get(id)? as usize, model.cam_quat[id]),
        _ => return None,
    };
    Some(quat::mul(kinematics.xquat[body], local))
}
