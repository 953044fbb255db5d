//! Sites: pose and sizes. Reference: mjCSite::Compile.

use condyle_asset::principal::normalize_slice;
use condyle_base::diagnostic::Diagnostic;
use condyle_math::Vec3;
use condyle_model::{GeomType, Model, ObjectType};

use super::body::BodyWork;
use super::ids::Ids;
use super::pose::{Pose, oriented};
use super::problems::{VALUE, element_error};
use super::shape::{check_size, from_to};
use super::user_values::check_user;
use super::work::Work;
use crate::element::Site;

/// A site while the model is compiled.
pub(crate) struct SiteWork<'s> {
    pub source: &'s Site,
    pub body: usize,
    pub pose: Pose,
    pub size: Vec3,
    pub material: Option<usize>,
}

impl<'s> SiteWork<'s> {
    pub(super) fn new(source: &'s Site, body: usize) -> Self {
        let pose = Pose { pos: source.pos, quat: source.quat };
        Self { source, body, pose, size: source.size, material: None }
    }
}

impl Work<'_> {
    /// Connects sites with their materials.
    pub(super) fn connect_sites(&mut self) {
        for index in 0..self.sites.len() {
            let source = self.sites[index].source;
            match self.material(source, &source.material) {
                Ok(material) => self.sites[index].material = material,
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    pub(super) fn compile_site(&mut self, index: usize) -> Result<(), Diagnostic> {
        let source = self.sites[index].source;
        let compiler = self.spec.compiler_of(source.info.origin);
        check_user(source, source.userdata.len(), self.nuser.site, "nuser_site")?;
        if source.kind as i32 > GeomType::Sdf as i32 {
            return Err(element_error(VALUE, source, "type", "invalid type in site"));
        }
        if matches!(source.kind, GeomType::Mesh | GeomType::HField | GeomType::Plane) {
            let message = "meshes, hfields and planes are not allowed in site";
            return Err(element_error(VALUE, source, "type", message));
        }
        let mut size = source.size;
        let mut pose = match source.fromto {
            Some(points) => from_to(source, source.kind, points, source.pos, &mut size)?,
            None => {
                Pose { pos: source.pos, quat: oriented(source, compiler, source.quat, source.alt.as_ref())? }
            }
        };
        if let Some(frame) = self.frame_pose(source.frame) {
            pose = frame.then(pose);
        }
        normalize_slice(&mut pose.quat);
        check_size(source, source.kind, size)?;
        let site = &mut self.sites[index];
        (site.pose, site.size) = (pose, size);
        Ok(())
    }

    pub(super) fn write_site(
        &self,
        model: &mut Model,
        ids: &Ids,
        site: usize,
        body_id: usize,
        body: &BodyWork<'_>,
    ) {
        let at = ids.of(ObjectType::Site, site) as usize;
        let site = &self.sites[site];
        let source = site.source;
        source.write_entries(model, at);
        model.site_bodyid[at] = body_id as i32;
        model.site_matid[at] = ids.maybe(ObjectType::Material, site.material);
        model.site_size[at] = site.size;
        model.site_pos[at] = site.pose.pos;
        model.site_quat[at] = site.pose.quat;
        model.site_sameframe[at] = body.same_frame(site.pose);
    }
}
