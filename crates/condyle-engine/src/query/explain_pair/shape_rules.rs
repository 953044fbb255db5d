//! The rules that look at the shapes and their poses: a test for the pair, bounding spheres, distance, gap.

use condyle_math::{mat3, vec3};
use condyle_model::GeomType;

use crate::collision::distance;
use crate::collision::filter;
use crate::collision::narrow::{self, NarrowScratch};
use crate::collision::parameters::{self, ContactParameters, Touching};
use crate::collision::shape::Meshes;

use super::{Rule, Step, Walk, lower};

/// Value of `exclude` for a contact that nothing can move.
const IMMOBILE: i32 = 3;

impl Walk<'_> {
    /// All rules about the shapes.
    pub(super) fn shapes(&mut self, margin: f64, parameters: ContactParameters) {
        if self.has_test() {
            self.touching(margin, parameters);
        }
    }

    pub(super) fn has_test(&mut self) -> bool {
        let types = self.geoms.map(|geom| self.model.geom_type(geom));
        let words =
            types.map(|kind| kind.map_or_else(|| "?".to_owned(), |kind| format!("{kind:?}").to_lowercase()));
        let found = narrow::types_with_test(self.model, self.geoms);
        let step = match found {
            None => {
                Step::stops(Rule::Shapes, format!("there is no test for a {} with a {}", words[0], words[1]))
                    .help(
                        "planes and height fields do not collide with each other; use a box for one of them",
                    )
            }
            Some([GeomType::HField, GeomType::Sdf]) => {
                Step::stops(Rule::Shapes, "a height field does not collide with a signed distance field")
                    .help("use a mesh geom for the second shape")
            }
            Some(_) => Step::passes(Rule::Shapes, format!("a {} can collide with a {}", words[0], words[1])),
        };
        self.push(step);
        found.is_some()
    }

    /// Bounding spheres, distance and gap.
    pub(super) fn touching(&mut self, margin: f64, parameters: ContactParameters) {
        self.spheres(margin);
        self.distance(margin, &parameters);
    }

    fn spheres(&mut self, margin: f64) {
        let (model, kinematics, [geom1, geom2]) = (self.model, &self.data.kinematics, self.geoms);
        let (radius1, radius2) = (model.geom_rbound[geom1], model.geom_rbound[geom2]);
        let offset = vec3::sub(kinematics.geom_xpos[geom2], kinematics.geom_xpos[geom1]);
        let apart = filter::spheres_apart(model, kinematics, self.geoms, margin);
        let is_plane = model.geom_type[geom1] == GeomType::Plane as i32;
        let (what, between, reach) = if is_plane {
            let normal = mat3::column(&kinematics.geom_xmat[geom1], 2);
            ("height of the centre above the plane", vec3::dot(offset, normal), radius2)
        } else if radius1 > 0.0 && radius2 > 0.0 {
            ("distance of the centres", vec3::norm(offset), radius1 + radius2)
        } else {
            self.push(Step::passes(Rule::Spheres, "one of the geoms has no bounding sphere"));
            return;
        };
        let message = format!(
            "{what} {between:.6} m {} bounding radius {reach:.6} m + margin {margin:.6} m",
            if apart { ">" } else { "<=" }
        );
        let step = if apart {
            Step::stops(Rule::Spheres, message)
                .help("nothing is wrong with the pair: the geoms are too far apart")
        } else {
            Step::passes(Rule::Spheres, message)
        };
        self.push(step.number("between", between).number("reach", reach).number("margin", margin));
    }

    fn distance(&mut self, margin: f64, parameters: &ContactParameters) {
        let (model, kinematics, geoms) = (self.model, &self.data.kinematics, self.geoms);
        let Some(types) = narrow::types_with_test(model, geoms) else { return };
        let mut scratch = NarrowScratch::default();
        let points = narrow::collide(&mut Meshes::of(model), kinematics, geoms, types, margin, &mut scratch);
        let found = points.len();
        let made: Vec<_> = points
            .iter()
            .filter_map(|point| parameters::contact(model, point, Touching::geoms(geoms), margin, parameters))
            .collect();
        if found > 0 && made.is_empty() {
            self.push(
                Step::stops(Rule::Distance, "the surfaces touch, but the contact normal is undefined")
                    .help("check that positions and sizes of both geoms are finite"),
            );
            return;
        }
        if made.is_empty() {
            let offset = vec3::sub(kinematics.geom_xpos[geoms[0]], kinematics.geom_xpos[geoms[1]]);
            let cutoff =
                vec3::norm(offset) + model.geom_rbound[geoms[0]] + model.geom_rbound[geoms[1]] + margin;
            let (distance, _) = distance::measure(model, kinematics, geoms, cutoff, &mut scratch);
            self.push(
                Step::stops(
                    Rule::Distance,
                    format!("the surfaces are {distance:.6} m apart, the margin is {margin:.6} m"),
                )
                .number("distance", distance)
                .number("margin", margin)
                .help("nothing is wrong with the pair: move the geoms closer, or raise their margin"),
            );
            return;
        }
        let smallest = made.iter().map(|contact| contact.dist).fold(f64::INFINITY, lower);
        let plural = if made.len() == 1 { "contact" } else { "contacts" };
        self.push(
            Step::passes(
                Rule::Distance,
                format!("{} {plural}, smallest distance {smallest:.6} m, margin {margin:.6} m", made.len()),
            )
            .number("distance", smallest)
            .number("margin", margin)
            .number("contacts", made.len() as f64),
        );
        let (gap, include) = (parameters.gap, margin - parameters.gap);
        let muted = made.iter().filter(|contact| contact.exclude != 0).count();
        let step = if muted == made.len() {
            Step::mutes(
                Rule::Gap,
                format!("distance {smallest:.6} m >= margin - gap = {include:.6} m: detected, but no force"),
            )
            .help(if gap > 0.0 {
                "lower the gap of the geoms, or move them closer"
            } else {
                "move them closer"
            })
        } else {
            let apart =
                if muted == 0 { String::new() } else { format!("; {muted} further out carry no force") };
            Step::passes(
                Rule::Gap,
                format!("distance {smallest:.6} m < margin - gap = {include:.6} m{apart}"),
            )
        };
        self.push(step.number("gap", gap).number("includemargin", include).number("muted", muted as f64));
        self.contacts.extend(made);
    }

    /// Contacts of the data that were found to move nothing.
    pub(super) fn immobile(&mut self) {
        let pair = self.geoms.map(|geom| geom as i32);
        let known = self.data.contacts.iter().filter(|contact| contact.geom == pair);
        if known.filter(|contact| contact.exclude == IMMOBILE).count() == 0 {
            return;
        }
        for contact in self.contacts.iter_mut().filter(|contact| contact.exclude == 0) {
            contact.exclude = IMMOBILE;
        }
        self.push(
            Step::mutes(Rule::Immobile, "nothing that touches can move: detected, but no force")
                .help("give one of the bodies a joint"),
        );
    }
}
