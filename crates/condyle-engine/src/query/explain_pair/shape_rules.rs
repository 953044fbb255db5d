//! The rules that look at the shapes and their poses: a test for the pair, bounding spheres, distance, gap.

use condyle_math::{mat3, vec3};
use condyle_model::GeomType;

use crate::collision::distance;
use crate::collision::filter;
use crate::collision::narrow::{self, NarrowScratch};
use crate::collision::parameters::{self, ContactParameters, Touching};
use crate::collision::shape::Meshes;

use super::{Finding, Rule, Step, Verdict, Walk, lower};

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
        let found = narrow::types_with_test(self.model, self.geoms);
        let step = match found {
            None => Step::stops(Rule::Shapes, Finding::NoTest),
            Some([GeomType::HField, GeomType::Sdf]) => {
                Step::stops(Rule::Shapes, Finding::HeightFieldOnDistanceField)
            }
            Some(_) => Step::passes(Rule::Shapes, Finding::Test),
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
        let plane = model.geom_type(geom1) == Some(GeomType::Plane);
        let (between, reach) = if plane {
            let normal = mat3::column(&kinematics.geom_xmat[geom1], 2);
            (vec3::dot(offset, normal), radius2)
        } else if radius1 > 0.0 && radius2 > 0.0 {
            (vec3::norm(offset), radius1 + radius2)
        } else {
            self.push(Step::passes(Rule::Spheres, Finding::NoSphere));
            return;
        };
        let verdict = if apart { Verdict::Stops } else { Verdict::Passes };
        let step =
            Step::new(Rule::Spheres, verdict, Finding::Spheres { plane, apart, between, reach, margin });
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
            self.push(Step::stops(Rule::Distance, Finding::NormalUndefined));
            return;
        }
        if made.is_empty() {
            let offset = vec3::sub(kinematics.geom_xpos[geoms[0]], kinematics.geom_xpos[geoms[1]]);
            let cutoff =
                vec3::norm(offset) + model.geom_rbound[geoms[0]] + model.geom_rbound[geoms[1]] + margin;
            let (distance, _) = distance::measure(model, kinematics, geoms, cutoff, &mut scratch);
            self.push(
                Step::stops(Rule::Distance, Finding::SurfacesApart { distance, margin })
                    .number("distance", distance)
                    .number("margin", margin),
            );
            return;
        }
        let smallest = made.iter().map(|contact| contact.dist).fold(f64::INFINITY, lower);
        let count = made.len();
        self.push(
            Step::passes(Rule::Distance, Finding::Touching { count, smallest, margin })
                .number("distance", smallest)
                .number("margin", margin)
                .number("contacts", count as f64),
        );
        let (gap, include) = (parameters.gap, margin - parameters.gap);
        let muted = made.iter().filter(|contact| contact.exclude != 0).count();
        let all = muted == count;
        let verdict = if all { Verdict::Mutes } else { Verdict::Passes };
        let step = Step::new(Rule::Gap, verdict, Finding::Gap { all, smallest, gap, include, muted });
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
        self.push(Step::mutes(Rule::Immobile, Finding::Immobile));
    }
}
