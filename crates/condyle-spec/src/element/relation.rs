//! Contact pairs, contact exclusions and equality constraints.

use condyle_model::{EqualityType, ObjectType};

use super::{Info, SOLIMP, SOLREF};

/// Two geoms that collide with their own parameters.
#[derive(Clone, Debug)]
pub struct Pair {
    pub info: Info,
    pub geomname1: String,
    pub geomname2: String,
    pub condim: i32,
    pub solref: [f64; 2],
    /// Solver reference in the friction directions; zeros: as `solref`.
    pub solreffriction: [f64; 2],
    pub solimp: [f64; 5],
    pub margin: f64,
    pub gap: f64,
    pub friction: [f64; 5],
}

impl Default for Pair {
    fn default() -> Self {
        Self {
            info: Info::default(),
            geomname1: String::new(),
            geomname2: String::new(),
            condim: 3,
            solref: SOLREF,
            solreffriction: [0.0; 2],
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
        }
    }
}

/// Two bodies whose geoms do not collide with each other.
#[derive(Clone, Debug, Default)]
pub struct Exclude {
    pub info: Info,
    pub bodyname1: String,
    pub bodyname2: String,
}

/// A constraint that holds as an equation.
#[derive(Clone, Debug)]
pub struct Equality {
    pub info: Info,
    pub kind: EqualityType,
    pub data: [f64; 11],
    pub active: bool,
    pub name1: String,
    pub name2: String,
    /// Kind of both objects, for connect and weld: body or site.
    pub objtype: ObjectType,
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
}

impl Default for Equality {
    fn default() -> Self {
        let mut data = [0.0; 11];
        data[1] = 1.0;
        data[10] = 1.0;
        Self {
            info: Info::default(),
            kind: EqualityType::Connect,
            data,
            active: true,
            name1: String::new(),
            name2: String::new(),
            objtype: ObjectType::Unknown,
            solref: SOLREF,
            solimp: SOLIMP,
        }
    }
}
