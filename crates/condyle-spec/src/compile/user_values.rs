//! How many user values the elements of each kind have.

use condyle_base::diagnostic::Diagnostic;

use super::problems::{VALUE, element_error};
use super::work::Work;
use crate::element::Element;

/// Number of user values per element of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UserSizes {
    pub body: usize,
    pub joint: usize,
    pub geom: usize,
    pub site: usize,
    pub camera: usize,
    pub tendon: usize,
    pub actuator: usize,
    pub sensor: usize,
}

impl Work<'_> {
    /// Sets the number of user values of each kind: as given, or the longest list.
    pub(super) fn set_user_sizes(&mut self) {
        let spec = self.spec;
        let longest = |given: i32, found: Option<usize>| match usize::try_from(given) {
            Ok(given) => given,
            Err(_) => found.unwrap_or(0),
        };
        let sizes = &spec.sizes;
        let nuser = &mut self.nuser;
        nuser.body = longest(sizes.nuser_body, self.bodies.iter().map(|b| b.source.userdata.len()).max());
        nuser.joint = longest(sizes.nuser_jnt, self.joints.iter().map(|j| j.source.userdata.len()).max());
        nuser.geom = longest(sizes.nuser_geom, self.geoms.iter().map(|g| g.source.userdata.len()).max());
        nuser.site = longest(sizes.nuser_site, self.sites.iter().map(|s| s.source.userdata.len()).max());
        nuser.camera = longest(sizes.nuser_cam, self.cameras.iter().map(|c| c.source.userdata.len()).max());
        nuser.tendon = longest(sizes.nuser_tendon, spec.tendons.values().map(|t| t.userdata.len()).max());
        nuser.actuator =
            longest(sizes.nuser_actuator, spec.actuators.values().map(|a| a.userdata.len()).max());
        nuser.sensor = longest(sizes.nuser_sensor, spec.sensors.values().map(|s| s.userdata.len()).max());
    }
}

/// More user values than the size setting allows.
pub(crate) fn check_user<T: Element>(
    element: &T,
    given: usize,
    allowed: usize,
    size: &str,
) -> Result<(), Diagnostic> {
    if given <= allowed {
        return Ok(());
    }
    let message = format!("user has {given} values, more than {size} = {allowed}");
    Err(element_error(VALUE, element, "user", message)
        .help(format!("raise {size} in <size>, or leave it out to have it set automatically")))
}
