//! Default classes: the values new elements start from.
//!
//! A class starts as a copy of its parent and is then changed; changing the parent later has no effect on it.

use condyle_base::diagnostic::Location;

use crate::arena::Id;
use crate::element::{
    Actuator, Camera, Equality, Flex, Geom, Joint, Light, Material, Mesh, Pair, Site, Tendon,
};

/// Values that elements of this class start from.
#[derive(Clone, Debug, Default)]
pub struct DefaultClass {
    /// Name; the outermost class is `main`.
    pub name: String,
    /// Where it was written.
    pub location: Option<Location>,
    /// Values of new joints.
    pub joint: Joint,
    /// Values of new geoms.
    pub geom: Geom,
    /// Values of new sites.
    pub site: Site,
    /// Values of new cameras.
    pub camera: Camera,
    /// Values of new lights.
    pub light: Light,
    /// Values of new flexes.
    pub flex: Flex,
    /// Values of new meshes.
    pub mesh: Mesh,
    /// Values of new materials.
    pub material: Material,
    /// Values of new contact pairs.
    pub pair: Pair,
    /// Values of new equality constraints.
    pub equality: Equality,
    /// Values of new tendons.
    pub tendon: Tendon,
    /// Values of new actuators.
    pub actuator: Actuator,
    pub(crate) parent: Option<Id<DefaultClass>>,
    pub(crate) children: Vec<Id<DefaultClass>>,
}

impl DefaultClass {
    /// Class this one was copied from; the main class has none.
    pub fn parent(&self) -> Option<Id<DefaultClass>> {
        self.parent
    }

    /// Classes copied from this one, in order of creation.
    pub fn children(&self) -> &[Id<DefaultClass>] {
        &self.children
    }
}
