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

/// One rule with its verdict and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Which rule was asked.
    pub rule: Rule,
    /// What it decided.
    pub verdict: Verdict,
    /// The verdict in words.
    pub message: String,
    /// What to change to get another verdict.
    pub help: Option<String>,
    /// The numbers the verdict rests on, by name.
    pub numbers: Vec<(&'static str, f64)>,
}

impl Step {
    fn new(rule: Rule, verdict: Verdict, message: impl Into<String>) -> Self {
        Self { rule, verdict, message: message.into(), help: None, numbers: Vec::new() }
    }

    pub(super) fn passes(rule: Rule, message: impl Into<String>) -> Self {
        Self::new(rule, Verdict::Passes, message)
    }

    pub(super) fn stops(rule: Rule, message: impl Into<String>) -> Self {
        Self::new(rule, Verdict::Stops, message)
    }

    pub(super) fn mutes(rule: Rule, message: impl Into<String>) -> Self {
        Self::new(rule, Verdict::Mutes, message)
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn number(mut self, name: &'static str, value: f64) -> Self {
        self.numbers.push((name, value));
        self
    }
}
