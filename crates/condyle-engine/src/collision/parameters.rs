//! Contact parameters: from an explicit pair, or mixed from the two geoms or flexes, with the global override on top.
//!
//! The side of higher priority decides alone. At equal priority the larger dimension and friction win, the gaps add, and softness
//! is averaged with the sides' mixing weights (the smaller number where one is given in direct form).
//! Reference: `mj_contactParam`, `mj_setContact`.

use condyle_collide::ContactPoint;
use condyle_math::{MIN_VALUE, Mat3, scalar, spatial};
use condyle_model::{Model, enable};

use crate::data::Contact;

/// Smallest friction coefficient.
const MIN_FRICTION: f64 = 1e-5;

/// One side of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// A geom by its number.
    Geom(usize),
    /// A flex by its number.
    Flex(usize),
}

/// What touches, as numbers in a [`Contact`]; −1 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touching {
    /// Geoms.
    pub geom: [i32; 2],
    /// Flexes.
    pub flex: [i32; 2],
    /// Elements within the flexes.
    pub elem: [i32; 2],
    /// Vertices within the flexes.
    pub vert: [i32; 2],
}

impl Touching {
    /// Nothing yet.
    pub const NONE: Self = Self { geom: [-1; 2], flex: [-1; 2], elem: [-1; 2], vert: [-1; 2] };

    /// Two geoms.
    pub fn geoms(geoms: [usize; 2]) -> Self {
        Self { geom: geoms.map(|geom| geom as i32), ..Self::NONE }
    }
}

/// Everything about a contact that does not depend on where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactParameters {
    /// Number of rows of an elliptic contact: 1, 3, 4 or 6.
    pub dimension: i32,
    /// Distance below the margin within which there is no force, m.
    pub gap: f64,
    /// Two sliding, one torsional and two rolling coefficients; m for the last three.
    pub friction: [f64; 5],
    /// Time constant and damping ratio along the normal.
    pub solref: [f64; 2],
    /// The same for friction; zeros where it is as along the normal.
    pub solreffriction: [f64; 2],
    /// Impedance: least, greatest, width, midpoint and power.
    pub solimp: [f64; 5],
}

pub(super) fn is_overridden(model: &Model) -> bool {
    model.opt.enableflags & enable::OVERRIDE != 0
}

/// Margin after the global override.
pub fn effective_margin(model: &Model, margin: f64) -> f64 {
    if is_overridden(model) { model.opt.o_margin } else { margin }
}

/// Parameters of an explicit pair.
pub fn of_pair(model: &Model, pair: usize) -> ContactParameters {
    ContactParameters {
        dimension: model.pair_dim[pair],
        gap: model.pair_gap[pair],
        friction: model.pair_friction[pair],
        solref: model.pair_solref[pair],
        solreffriction: model.pair_solreffriction[pair],
        solimp: model.pair_solimp[pair],
    }
}

/// What one side of a contact brings along.
struct SideParameters {
    priority: i32,
    dimension: i32,
    gap: f64,
    solmix: f64,
    solref: [f64; 2],
    solimp: [f64; 5],
    friction: [f64; 3],
}

impl SideParameters {
    fn of(model: &Model, side: Surface) -> Self {
        match side {
            Surface::Geom(geom) => Self {
                priority: model.geom_priority[geom],
                dimension: model.geom_condim[geom],
                gap: model.geom_gap[geom],
                solmix: model.geom_solmix[geom],
                solref: model.geom_solref[geom],
                solimp: model.geom_solimp[geom],
                friction: model.geom_friction[geom],
            },
            Surface::Flex(flex) => Self {
                priority: model.flex_priority[flex],
                dimension: model.flex_condim[flex],
                gap: model.flex_gap[flex],
                solmix: model.flex_solmix[flex],
                solref: model.flex_solref[flex],
                solimp: model.flex_solimp[flex],
                friction: model.flex_friction[flex],
            },
        }
    }
}

/// Parameters mixed from two geoms or flexes.
pub fn mixed(model: &Model, sides: [Surface; 2]) -> ContactParameters {
    let [first, second] = sides.map(|side| SideParameters::of(model, side));
    let gap = first.gap + second.gap;
    if first.priority != second.priority {
        let winner = if first.priority > second.priority { first } else { second };
        return ContactParameters {
            dimension: winner.dimension,
            gap,
            friction: spread_friction(winner.friction),
            solref: winner.solref,
            solreffriction: [0.0; 2],
            solimp: winner.solimp,
        };
    }
    let mix = mixing_weight(first.solmix, second.solmix);
    let both_standard = first.solref[0] > 0.0 && second.solref[0] > 0.0;
    ContactParameters {
        dimension: first.dimension.max(second.dimension),
        gap,
        friction: spread_friction([0, 1, 2].map(|i| scalar::max(first.friction[i], second.friction[i]))),
        solref: [0, 1].map(|i| {
            if both_standard {
                mix * first.solref[i] + (1.0 - mix) * second.solref[i]
            } else {
                scalar::min(first.solref[i], second.solref[i])
            }
        }),
        solreffriction: [0.0; 2],
        solimp: [0, 1, 2, 3, 4].map(|i| mix * first.solimp[i] + (1.0 - mix) * second.solimp[i]),
    }
}

/// Share of the first side; weights below the smallest meaningful number yield to the other.
fn mixing_weight(first: f64, second: f64) -> f64 {
    if first >= MIN_VALUE && second >= MIN_VALUE {
        first / (first + second)
    } else if first < MIN_VALUE && second < MIN_VALUE {
        0.5
    } else if first < MIN_VALUE {
        0.0
    } else {
        1.0
    }
}

/// Sliding, torsional, rolling → two sliding, one torsional, two rolling.
fn spread_friction([sliding, torsional, rolling]: [f64; 3]) -> [f64; 5] {
    [sliding, sliding, torsional, rolling, rolling]
}

/// The frame of the last point, for points that share their normal, as those of two boxes do.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastFrame {
    found: Mat3,
    complete: Option<Mat3>,
}

impl LastFrame {
    /// [`spatial::make_frame`], once for equal frames.
    fn make(&mut self, frame: &Mat3) -> Option<Mat3> {
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        if self.complete.is_none() || !self.found.iter().zip(frame).all(same) {
            (self.found, self.complete) = (*frame, spatial::make_frame(frame));
        }
        self.complete
    }
}

/// A contact from a point the narrow phase found; `None` when its normal is no direction.
pub fn contact(
    model: &Model,
    point: &ContactPoint,
    touching: Touching,
    margin: f64,
    parameters: &ContactParameters,
) -> Option<Contact> {
    contact_after(&mut LastFrame::default(), model, point, touching, margin, parameters)
}

/// [`contact`] for one of several points.
#[inline]
pub fn contact_after(
    last: &mut LastFrame,
    model: &Model,
    point: &ContactPoint,
    touching: Touching,
    margin: f64,
    parameters: &ContactParameters,
) -> Option<Contact> {
    let include_margin = margin - parameters.gap;
    let overridden = is_overridden(model);
    let option = &model.opt;
    let friction = if overridden { &option.o_friction } else { &parameters.friction };
    Some(Contact {
        dist: point.distance,
        pos: point.position,
        frame: last.make(&point.frame)?,
        includemargin: include_margin,
        friction: friction.map(|coefficient| scalar::max(MIN_FRICTION, coefficient)),
        solref: if overridden { option.o_solref } else { parameters.solref },
        solreffriction: if overridden { option.o_solref } else { parameters.solreffriction },
        solimp: if overridden { option.o_solimp } else { parameters.solimp },
        dim: parameters.dimension.clamp(1, 6),
        geom1: touching.geom[0],
        geom2: touching.geom[1],
        geom: touching.geom,
        flex: touching.flex,
        elem: touching.elem,
        vert: touching.vert,
        exclude: i32::from(point.distance >= include_margin),
        ..Contact::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vanishing_weights_yield_to_the_other_geom() {
        assert_eq!(mixing_weight(1.0, 3.0), 0.25);
        assert_eq!(mixing_weight(0.0, 3.0), 0.0);
        assert_eq!(mixing_weight(2.0, 0.0), 1.0);
        assert_eq!(mixing_weight(0.0, 0.0), 0.5);
    }

    #[test]
    fn higher_priority_decides_alone_but_gaps_add() {
        let mut model = Model { ngeom: 2, ..Model::default() };
        model.allocate();
        model.geom_priority = vec![0, 1].into();
        model.geom_condim = vec![6, 1].into();
        model.geom_gap = vec![0.25, 0.5].into();
        model.geom_friction = vec![[2.0, 2.0, 2.0], [1.0, 0.5, 0.25]].into();
        let parameters = mixed(&model, [Surface::Geom(0), Surface::Geom(1)]);
        assert_eq!(parameters.dimension, 1);
        assert_eq!(parameters.gap, 0.75);
        assert_eq!(parameters.friction, [1.0, 1.0, 0.5, 0.25, 0.25]);
    }

    #[test]
    fn a_contact_in_the_gap_is_excluded() {
        let model = Model::default();
        let parameters = ContactParameters {
            dimension: 3,
            gap: 0.1,
            friction: [0.0; 5],
            solref: [0.02, 1.0],
            solreffriction: [0.0; 2],
            solimp: [0.9, 0.95, 0.001, 0.5, 2.0],
        };
        let point = ContactPoint::new(0.05, [0.0; 3], [0.0, 0.0, 1.0]);
        let inside = contact(&model, &point, Touching::geoms([0, 1]), 0.1, &parameters).unwrap();
        assert_eq!((inside.exclude, inside.friction[0]), (1, MIN_FRICTION));
        let active = contact(&model, &point, Touching::geoms([0, 1]), 0.2, &parameters).unwrap();
        assert_eq!(active.exclude, 0);
    }
}
