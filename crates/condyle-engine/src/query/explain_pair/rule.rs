//! One rule and what it says about a pair.

/// A rule of collision detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// Contacts and constraints are enabled.
    Flags,
    /// An explicit pair names the geoms.
    ExplicitPair,
    /// Geoms of one body do not meet.
    SameBody,
    /// Geoms of bodies without a joint between them do not meet.
    WeldGroup,
    /// Masks of all geoms of the bodies taken together.
    BodyMasks,
    /// Sleeping bodies meet only awake ones.
    Sleep,
    /// Geoms of parent and child do not meet.
    ParentAndChild,
    /// Boxes around the bodies.
    BodyBoxes,
    /// Excluded pairs of bodies.
    Exclude,
    /// Boxes around the geoms.
    GeomBoxes,
    /// Some pairs of shapes have no test.
    Shapes,
    /// Masks of the two geoms.
    GeomMasks,
    /// The filter a user installed in place of the masks.
    UserFilter,
    /// Bounding spheres.
    Spheres,
    /// Distance of the surfaces against the margin.
    Distance,
    /// Contacts inside the gap carry no force.
    Gap,
    /// Contacts between things that cannot move carry no force.
    Immobile,
}

impl Rule {
    /// A short name that does not change.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flags => "flags",
            Self::ExplicitPair => "explicit pair",
            Self::SameBody => "same body",
            Self::WeldGroup => "weld group",
            Self::BodyMasks => "body masks",
            Self::Sleep => "sleep",
            Self::ParentAndChild => "parent and child",
            Self::BodyBoxes => "body boxes",
            Self::Exclude => "exclude",
            Self::GeomBoxes => "geom boxes",
            Self::Shapes => "shapes",
            Self::GeomMasks => "geom masks",
            Self::UserFilter => "user filter",
            Self::Spheres => "spheres",
            Self::Distance => "distance",
            Self::Gap => "gap",
            Self::Immobile => "immobile",
        }
    }
}

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The pair goes on to the next rule.
    Passes,
    /// The pair makes no contact.
    Stops,
    /// The pair makes a contact that carries no force.
    Mutes,
}

impl Verdict {
    /// A short name that does not change.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passes => "passes",
            Self::Stops => "stops",
            Self::Mutes => "mutes",
        }
    }
}

/// Why a rule says what it says. Geoms and bodies are numbers; where two are meant and none is given, it is those of the pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finding {
    /// Contacts and constraints are enabled.
    Enabled,
    /// This flag is disabled for the whole model.
    Disabled(&'static str),
    /// This explicit pair names the two geoms.
    ExplicitPair(usize),
    /// Neither body is awake.
    NeitherAwake,
    /// One body is asleep and the other is asleep or fixed.
    AsleepOrFixed,
    /// One of the bodies is awake.
    OneAwake,
    /// Both geoms belong to this body.
    SameBody(usize),
    /// The bodies can move relative to each other.
    Movable,
    /// Both bodies are fixed to the world.
    FixedToWorld,
    /// Both bodies are fixed to this one.
    FixedTo(usize),
    /// No geom of this body has a mask.
    BodyWithoutMasks(usize),
    /// The masks of all geoms of the bodies share no bit: contype and conaffinity of each body.
    BodyMasksDiffer([[i32; 2]; 2]),
    /// The bodies have geoms whose masks match.
    BodyMasksMatch,
    /// Neither body is the parent of the other.
    NotRelated,
    /// The bodies are parent and child, and that filter is disabled.
    RelatedWithoutFilter,
    /// The first body is the parent of the second.
    ParentOf(usize, usize),
    /// This body is fixed and holds world geoms or a plane, so that it is near everything.
    NearEverything(usize),
    /// The boxes around the bodies are this far apart, m.
    BodyBoxesApart(f64),
    /// The boxes around the bodies overlap.
    BodyBoxesOverlap,
    /// This exclude names the two bodies.
    Excluded(usize),
    /// No exclude names the two bodies.
    NotExcluded,
    /// This geom has no masks.
    GeomWithoutMasks(usize),
    /// The boxes around the geoms overlap within the margin.
    GeomBoxesOverlap,
    /// The boxes around the geoms are this far apart, m.
    GeomBoxesApart(f64),
    /// The bounding volumes around the geoms do not overlap, although the boxes do.
    GeomVolumesApart,
    /// There is no test for the two shapes.
    NoTest,
    /// A height field does not collide with a signed distance field.
    HeightFieldOnDistanceField,
    /// There is a test for the two shapes.
    Test,
    /// The user's filter decides against the masks: whether it allows the pair.
    UserFilter(bool),
    /// The masks of the geoms match: contype and conaffinity of each.
    GeomMasksMatch([[i32; 2]; 2]),
    /// The masks of the geoms share no bit: contype and conaffinity of each.
    GeomMasksDiffer([[i32; 2]; 2]),
    /// One of the geoms has no bounding sphere.
    NoSphere,
    /// Bounding spheres, or a plane and a bounding sphere.
    Spheres {
        /// Whether the first geom is a plane.
        plane: bool,
        /// Whether they are too far apart.
        apart: bool,
        /// Distance of the centres, or height above the plane, m.
        between: f64,
        /// Sum of the radii, m.
        reach: f64,
        /// Margin of the pair, m.
        margin: f64,
    },
    /// The surfaces touch, but the contact normal is undefined.
    NormalUndefined,
    /// The surfaces are further apart than the margin.
    SurfacesApart {
        /// Their distance, m.
        distance: f64,
        /// Margin of the pair, m.
        margin: f64,
    },
    /// There are contacts.
    Touching {
        /// How many.
        count: usize,
        /// Their smallest distance, m.
        smallest: f64,
        /// Margin of the pair, m.
        margin: f64,
    },
    /// Distance against margin and gap.
    Gap {
        /// Whether all contacts are inside the gap.
        all: bool,
        /// Smallest distance of the contacts, m.
        smallest: f64,
        /// The gap, m.
        gap: f64,
        /// Margin less gap, m.
        include: f64,
        /// How many contacts are inside the gap.
        muted: usize,
    },
    /// Nothing that touches can move.
    Immobile,
}

/// One rule with its verdict and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Which rule was asked.
    pub rule: Rule,
    /// What it decided.
    pub verdict: Verdict,
    /// Why.
    pub finding: Finding,
    /// The numbers the verdict rests on, by name.
    pub numbers: Vec<(&'static str, f64)>,
}

impl Step {
    pub(super) fn new(rule: Rule, verdict: Verdict, finding: Finding) -> Self {
        Self { rule, verdict, finding, numbers: Vec::new() }
    }

    pub(super) fn passes(rule: Rule, finding: Finding) -> Self {
        Self::new(rule, Verdict::Passes, finding)
    }

    pub(super) fn stops(rule: Rule, finding: Finding) -> Self {
        Self::new(rule, Verdict::Stops, finding)
    }

    pub(super) fn mutes(rule: Rule, finding: Finding) -> Self {
        Self::new(rule, Verdict::Mutes, finding)
    }

    pub(super) fn number(mut self, name: &'static str, value: f64) -> Self {
        self.numbers.push((name, value));
        self
    }

    /// The masks of two geoms or bodies: contype and conaffinity of each.
    pub(super) fn masks(self, masks: [[i32; 2]; 2]) -> Self {
        let names = [["contype1", "conaffinity1"], ["contype2", "conaffinity2"]];
        let pairs = names.into_iter().flatten().zip(masks.into_iter().flatten());
        pairs.fold(self, |step, (name, mask)| step.number(name, f64::from(mask)))
    }
}
