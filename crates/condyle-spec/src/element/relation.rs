//! Contact pairs, contact exclusions and equality constraints.

use condyle_model::{EqualityType, ObjectType};

use super::table::element;
use super::{SOLIMP, SOLREF};

element! {
    /// Two geoms that collide with their own parameters.
    Pair {
        parts {}
        /// First geom.
        geomname1: String = String::new(), "geom1" by_hand -> Geom => pair_geom1;
        /// Second geom.
        geomname2: String = String::new(), "geom2" by_hand -> Geom => pair_geom2;
        /// Contact dimension: 1, 3, 4 or 6.
        condim: i32 = 3, "condim" => pair_dim;
        /// Reference parameters along the normal: time constant (s) and damping ratio, or -stiffness and -damping.
        solref: [f64; 2] = SOLREF, "solref" at_most => pair_solref;
        /// Reference parameters of the friction directions; zeros: as `solref`.
        solreffriction: [f64; 2] = [0.0; 2], "solreffriction" at_most => pair_solreffriction;
        /// Impedance parameters: minimum, maximum, width (m), midpoint, power.
        solimp: [f64; 5] = SOLIMP, "solimp" at_most => pair_solimp;
        /// Contacts are detected below this distance, m.
        margin: f64 = 0.0, "margin" => pair_margin;
        /// Contacts act below margin minus gap, m.
        gap: f64 = 0.0, "gap" => pair_gap;
        /// Friction coefficients: sliding (2), spinning (m), rolling (2, m).
        friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001], "friction" at_most => pair_friction;
    }
}

element! {
    /// Two bodies whose geoms do not collide with each other.
    Exclude {
        parts {}
        /// First body.
        bodyname1: String = String::new(), "body1" -> Body;
        /// Second body.
        bodyname2: String = String::new(), "body2" -> Body;
    }
}

element! {
    /// A constraint that holds as an equation.
    Equality {
        parts {}
        /// Whether it is active after a reset.
        active: bool = true, "active" => eq_active0;
        /// Reference parameters: time constant (s) and damping ratio, or -stiffness and -damping.
        solref: [f64; 2] = SOLREF, "solref" at_most => eq_solref;
        /// Impedance parameters: minimum, maximum, width (m or rad), midpoint, power.
        solimp: [f64; 5] = SOLIMP, "solimp" at_most => eq_solimp;
        /// Kind of constraint.
        kind as "type": EqualityType = EqualityType::Connect, => eq_type;
        /// Connect: anchor. Weld: anchor, relative pose, torque scale. Joint and tendon: coefficients of a polynomial.
        data: [f64; 11] = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], => eq_data;
        /// First object.
        name1: String = String::new(), ;
        /// Second object; empty: none.
        name2: String = String::new(), ;
        /// Kind of both objects, for connect and weld: body or site.
        objtype: ObjectType = ObjectType::Unknown, => eq_objtype;
    }
}
