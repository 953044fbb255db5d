//! Default classes: the values new elements start from.
//!
//! A class starts as a copy of its parent and is then changed; changing the parent later has no effect on it.

use condyle_model::diagnostic::Location;

use crate::arena::Id;
use crate::element::{
    Actuator, Camera, Equality, Flex, Geom, Joint, Light, Material, Mesh, Pair, Site, Tendon,
};

/// Values that elements of this class start from.
#[derive(Clone, Debug, Default)]
pub struct DefaultClass {
    pub name: String,
    pub location: Option<Location>,
    pub joint: Joint,
    pub geom: Geom,
    pub site: Site,
    pub camera: Camera,
    pub light: Light,
    pub flex: Flex,
    pub mesh: Mesh,
    pub material: Material,
    pub pair: Pair,
    pub equality: Equality,
    pub tendon: Tendon,
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
