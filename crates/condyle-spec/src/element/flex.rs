//! Deformable bodies: segments, triangles or tetrahedra over vertices that move with bodies, or between nodes that do.

use condyle_model::FlexSelfCollide;

use super::table::element;
use super::{SOLIMP, SOLREF};
use crate::edit::form::{ELASTIC_2D, FLAG};

element! {
    /// A deformable body.
    Flex {
        parts {}
        /// Radius by which the elements are thickened on all sides, m.
        radius: f64 = 0.005, "radius" => flex_radius;
        /// Material.
        material: String = String::new(), "material" -> Material => flex_matid;
        /// Colour when there is no material, 0 to 1.
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0], "rgba" => flex_rgba;
        /// Whether it is drawn with flat shading.
        flatskin: bool = false, "flatskin" => flex_flatskin;
        /// Dimension of its elements: 1 segments, 2 triangles, 3 tetrahedra.
        dim: i32 = 2, "dim" => flex_dim;
        /// Visibility group.
        group: i32 = 0, "group" => flex_group;
        /// Names of the bodies the vertices move with, one for all or one each.
        vertbody: Vec<String> = Vec::new(), "body" => (flex_vertbodyid);
        /// Vertices in the frames of their bodies, three numbers each, m; empty: at their origins.
        vert: Vec<f64> = Vec::new(), "vertex" => (flex_vert);
        /// Vertices of the elements, from 0.
        elem: Vec<i32> = Vec::new(), "element" => (flex_elem);
        /// Texture coordinates, two numbers each, 0 to 1.
        texcoord: Vec<f32> = Vec::new(), "texcoord" => (flex_texcoord);
        /// Texture coordinates of the corners of the elements, from 0; empty: those of the vertices.
        elemtexcoord: Vec<i32> = Vec::new(), "elemtexcoord" => (flex_elemtexcoord);
        /// Names of the bodies of the nodes between which the vertices are interpolated; empty: there are none.
        nodebody: Vec<String> = Vec::new(), "node" => (flex_nodebodyid);
        /// Nodes in the frames of their bodies, three numbers each, m; empty: at their origins.
        node: Vec<f64> = Vec::new(), => (flex_node);
        /// Half sizes of the box that interpolated vertices lie in, m; 0: their own.
        size: [f64; 3] = [0.0; 3], ;
        /// Bits of what the flex is; a pair collides when one side's bits meet the other's `conaffinity`.
        contype: i32 = 1, "contype" contact => flex_contype;
        /// Bits of what the flex collides with.
        conaffinity: i32 = 1, "conaffinity" contact => flex_conaffinity;
        /// Contact dimension: 1 normal force only, 3 with sliding, 4 also spinning, 6 also rolling friction.
        condim: i32 = 3, "condim" contact => flex_condim;
        /// The side of higher priority decides the contact parameters of a pair.
        priority: i32 = 0, "priority" contact => flex_priority;
        /// Friction coefficients: sliding (1), spinning (m), rolling (m).
        friction: [f64; 3] = [1.0, 0.005, 0.0001], "friction" contact at_most => flex_friction;
        /// Weight in the average of `solref` and `solimp` over a pair.
        solmix: f64 = 1.0, "solmix" contact => flex_solmix;
        /// Reference parameters of contacts: time constant (s) and damping ratio, or -stiffness and -damping.
        solref: [f64; 2] = SOLREF, "solref" contact at_most => flex_solref;
        /// Impedance parameters of contacts: minimum, maximum, width (m), midpoint, power.
        solimp: [f64; 5] = SOLIMP, "solimp" contact at_most => flex_solimp;
        /// Contacts are detected below this distance, m; the margins of a pair add.
        margin: f64 = 0.0, "margin" contact => flex_margin;
        /// Contacts act below margin minus gap, m; the gaps of a pair add.
        gap: f64 = 0.0, "gap" contact => flex_gap;
        /// Whether elements keep their own vertices and the paired ones apart.
        internal: bool = false, "internal" contact => flex_internal;
        /// Whether and how the flex collides with itself.
        selfcollide: i32 = 4, "selfcollide" contact words(FlexSelfCollide::WORDS) => flex_selfcollide;
        /// Layers of elements from the surface inwards that collide; tetrahedra only.
        activelayers: i32 = 1, "activelayers" contact => flex_activelayers;
        /// Whether vertices collide instead of elements: 1 for yes.
        vertcollide: i32 = 0, "vertcollide" contact words(FLAG);
        /// Whether contacts become passive forces instead of constraint rows: 1 for yes.
        passive: i32 = 0, "passive" contact words(FLAG) => flex_passive;
        /// Young's modulus, Pa.
        young: f64 = 0.0, "young" elasticity;
        /// Poisson's ratio, 0 to less than 0.5.
        poisson: f64 = 0.0, "poisson" elasticity;
        /// Thickness of a flex of triangles, m; -1: none is given.
        thickness: f64 = -1.0, "thickness" elasticity;
        /// Damping of deformation as a multiple of stiffness, s.
        damping: f64 = 0.0, "damping" elasticity => flex_damping;
        /// In which ways a flex of triangles is elastic.
        elastic2d: i32 = 0, "elastic2d" elasticity words(ELASTIC_2D);
        /// Stiffness of edge springs, N/m.
        edgestiffness: f64 = 0.0, "stiffness" edge => flex_edgestiffness;
        /// Damping of edge springs, N s/m.
        edgedamping: f64 = 0.0, "damping" edge => flex_edgedamping;
    }
}
