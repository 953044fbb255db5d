//! The points that the search for contacts between distance fields visits, for drawings of its way.
//!
//! A search belongs to the plugin of its second geom, and its points are in that geom's coordinates. The reference keeps them while it works; here the
//! search is done once more, from the poses in the data. If the plugin of the first geom still has the points of its own last search, those
//! where its gradient is asked for are added to the last descent of these, as in the reference.

use condyle_collide::ContactBuffer;
use condyle_collide::ray::cuboid;
use condyle_collide::sdf::{Shape, Watch};
use condyle_math::Vec3;
use condyle_model::{GeomType, Model};

use crate::Data;
use crate::collision::walk::{Visitor, walk};
use crate::collision::{field, narrow, plugin_shape};
use crate::data::timers::Timer;
use crate::sensor;

/// Most points that the searches of one plugin instance keep.
const MAX_POINTS: usize = 26_010;

/// Points of one plugin instance, by descent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldDescents {
    points: Vec<Vec3>,
    /// Where each descent ends in the points.
    ends: Vec<usize>,
}

impl FieldDescents {
    /// The descents in order; one may be empty.
    pub fn iter(&self) -> impl Iterator<Item = &[Vec3]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.points[start..*end])
    }

    fn add(&mut self, point: Vec3) {
        if let Some(end) = self.ends.last_mut()
            && self.points.len() < MAX_POINTS
        {
            self.points.push(point);
            *end = self.points.len();
        }
    }

    fn clear(&mut self) {
        self.points.clear();
        self.ends.clear();
    }
}

/// The descents of every plugin instance; none before collisions were detected for the first time since the last reset. A ray of a
/// rangefinder through the box around a geom ends with no points of its plugin. Reference: `mjc_SDF`.
pub fn field_descents(model: &Model, data: &Data) -> Vec<FieldDescents> {
    let mut searches = Searches { model, data, descents: vec![FieldDescents::default(); model.nplugin] };
    if data.timers.stats()[Timer::Collision as usize].number != 0 {
        walk(model, data, &mut searches);
        sensor::for_each_ray(model, data, |ray, geom| {
            let pose = narrow::pose(&data.kinematics, geom);
            if model.geom_type(geom) == Some(GeomType::Sdf)
                && let Some(instance) = model.geom_plugin(geom)
                && cuboid::meets(&model.geom_size[geom], &pose, ray)
            {
                searches.descents[instance].clear();
            }
        });
    }
    searches.descents
}

struct Searches<'a> {
    model: &'a Model,
    data: &'a Data,
    descents: Vec<FieldDescents>,
}

impl Visitor for Searches<'_> {
    fn geoms(&mut self, geoms: [usize; 2]) {
        let model = self.model;
        let kinds = geoms.map(|geom| model.geom_type(geom));
        let plane = matches!(kinds[0], Some(GeomType::Plane | GeomType::HField));
        let instances = geoms.map(|geom| match model.geom_type(geom) {
            Some(GeomType::Sdf) => model.geom_plugin(geom).filter(|instance| shows_points(model, *instance)),
            _ => None,
        });
        if kinds[1] == Some(GeomType::Sdf) && !plane && instances != [None; 2] {
            let [pose1, pose2] = geoms.map(|geom| narrow::pose(&self.data.kinematics, geom));
            let mut search = Search { descents: &mut self.descents, instances };
            let mut contacts = ContactBuffer::new();
            field::collide_watched(model, geoms, [&pose1, &pose2], &mut contacts, &mut search);
        }
    }
}

/// Whether the plugin of an instance keeps points; the torus does not.
fn shows_points(model: &Model, instance: usize) -> bool {
    !matches!(plugin_shape::shape(model, instance), None | Some(Shape::Torus { .. }))
}

/// One search, with the plugin instances of its two fields that keep points.
struct Search<'a> {
    descents: &'a mut Vec<FieldDescents>,
    instances: [Option<usize>; 2],
}

impl Watch for Search<'_> {
    fn begin(&mut self) {
        if let Some(instance) = self.instances[1] {
            self.descents[instance].clear();
        }
    }

    fn start(&mut self) {
        if let Some(instance) = self.instances[1] {
            let descents = &mut self.descents[instance];
            descents.ends.push(descents.points.len());
        }
    }

    fn gradient(&mut self, field: usize, point: Vec3) {
        if let Some(instance) = self.instances[field] {
            self.descents[instance].add(point);
        }
    }
}
