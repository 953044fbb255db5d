//! Geoms: pose, sizes, bounds, mass, inertia and fluid coefficients. Reference: mjCGeom::Compile.

use condyle_asset::mesh::{FitShape, fit_bounding_box, fit_inertia_box};
use condyle_asset::principal::{EPS, normalize_slice};
use condyle_base::diagnostic::Diagnostic;
use condyle_math::{Vec3, quat, vec3};
use condyle_model::plugins::Capability;
use condyle_model::{GeomType, Model, ObjectType};

use super::body::BodyWork;
use super::ids::Ids;
use super::inertia::{fluid_coefficients, from_squares, primitive_inertia, volume};
use super::pose::{Pose, oriented, upper};
use super::problems::{INERTIA, STRUCTURE, VALUE, element_error};
use super::shape::{check_size, from_to};
use super::user_values::check_user;
use super::work::Work;
use crate::element::Geom;
use crate::orientation::GeomInertia;

/// Extent of a plane.
const FAR: f64 = 1e10;

/// A geom while the model is compiled.
pub(crate) struct GeomWork<'s> {
    pub source: &'s Geom,
    pub body: usize,
    pub kind: GeomType,
    pub pose: Pose,
    pub size: Vec3,
    pub aabb: [f64; 6],
    pub bounding_radius: f64,
    pub mass: f64,
    pub inertia: Vec3,
    pub fluid: [f64; 12],
    pub mesh: Option<usize>,
    /// Mesh a primitive was fitted to.
    pub fitted_to: Option<usize>,
    pub hfield: Option<usize>,
    pub material: Option<usize>,
    /// Takes no part in physics.
    pub visual: bool,
    pub discarded: bool,
    pub plugin: Option<usize>,
}

impl<'s> GeomWork<'s> {
    pub(super) fn new(source: &'s Geom, body: usize) -> Self {
        Self {
            source,
            body,
            kind: source.kind,
            pose: Pose { pos: source.pos, quat: source.quat },
            size: source.size,
            aabb: [0.0; 6],
            bounding_radius: 0.0,
            mass: 0.0,
            inertia: [0.0; 3],
            fluid: [0.0; 12],
            mesh: None,
            fitted_to: None,
            hfield: None,
            material: None,
            visual: source.contype == 0 && source.conaffinity == 0,
            discarded: false,
            plugin: None,
        }
    }
}

impl Work<'_> {
    /// Connects geoms with their meshes, height fields and materials.
    pub(super) fn connect_geoms(&mut self) {
        for index in 0..self.geoms.len() {
            let source = self.geoms[index].source;
            if !source.meshname.is_empty() {
                match self.require(source, "mesh", ObjectType::Mesh, &source.meshname) {
                    Ok(mesh) => {
                        self.geoms[index].mesh = Some(mesh);
                        self.meshes[mesh].need_sdf |= source.kind == GeomType::Sdf;
                    }
                    Err(problem) => self.problems.push(problem),
                }
            }
            if !source.hfieldname.is_empty() {
                match self.require(source, "hfield", ObjectType::HField, &source.hfieldname) {
                    Ok(hfield) => self.geoms[index].hfield = Some(hfield),
                    Err(problem) => self.problems.push(problem),
                }
            }
            let mesh_material = self.geoms[index].mesh.map(|mesh| self.meshes[mesh].source.material.as_str());
            let material =
                if source.material.is_empty() { mesh_material.unwrap_or("") } else { &source.material };
            match self.material(source, material) {
                Ok(material) => self.geoms[index].material = material,
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    /// Compiles one geom; with `infer_inertia` its mass and inertia too.
    pub(super) fn compile_geom(&mut self, index: usize, infer_inertia: bool) -> Result<(), Diagnostic> {
        let source = self.geoms[index].source;
        let compiler = self.spec.compiler_of(source.info.origin);
        check_user(source, source.userdata.len(), self.nuser.geom, "nuser_geom")?;
        if source.kind as i32 > GeomType::Sdf as i32 {
            return Err(element_error(VALUE, source, "type", "invalid type in geom"));
        }
        if !matches!(source.condim, 1 | 3 | 4 | 6) {
            let message = format!("condim is {}, but must be 1, 3, 4 or 6", source.condim);
            return Err(element_error(VALUE, source, "condim", message));
        }
        let is_mesh = matches!(source.kind, GeomType::Mesh | GeomType::Sdf);
        let lost = |name: &str, found: bool| !name.is_empty() && !found;
        if lost(&source.meshname, self.geoms[index].mesh.is_some())
            || lost(&source.hfieldname, self.geoms[index].hfield.is_some())
        {
            // The name that refers to nothing was reported; nothing more can be said about this geom.
            return Ok(());
        }
        if is_mesh && self.geoms[index].mesh.is_none() {
            return Err(element_error(VALUE, source, "mesh", "mesh geom must have a mesh"));
        }
        if (source.kind == GeomType::HField) != self.geoms[index].hfield.is_some() {
            let message = "type=\"hfield\" and a height field belong together";
            return Err(element_error(VALUE, source, "hfield", message));
        }
        if source.kind == GeomType::Plane && self.bodies[self.geoms[index].body].weld != 0 {
            return Err(element_error(STRUCTURE, source, "type", "plane only allowed in static bodies")
                .help("attach the plane to the world, or use a thin box"));
        }
        let mut size = source.size;
        let mut quat = source.quat;
        normalize_slice(&mut quat);
        let mut pose = match source.fromto {
            Some(points) => from_to(source, source.kind, points, source.pos, &mut size)?,
            None => Pose { pos: source.pos, quat: oriented(source, compiler, quat, source.alt.as_ref())? },
        };
        if self.geoms[index].mesh.is_some() {
            self.place_mesh_geom(index, &mut pose, &mut size)?;
        }
        check_size(source, source.kind, size)?;
        let bounds = self.bounds(index, &mut size);
        if size.iter().any(|side| side.is_nan()) {
            return Err(element_error(VALUE, source, "size", "nan size in geom"));
        }
        let geom = &mut self.geoms[index];
        geom.size = size;
        for i in 0..3 {
            geom.aabb[i] = (bounds[i + 3] + bounds[i]) / 2.0;
            geom.aabb[i + 3] = (bounds[i + 3] - bounds[i]) / 2.0;
        }
        self.geoms[index].bounding_radius = self.bounding_radius(index, &bounds);
        if infer_inertia {
            self.geom_inertia(index)?;
        }
        if source.fluid_ellipsoid > 0.0 {
            self.geoms[index].fluid =
                fluid_coefficients(source.kind, size, source.fluid_ellipsoid, source.fluid_coefs);
        }
        if source.plugin.active {
            let instance = self.resolve_plugin(source, &source.plugin, Capability::DistanceField)?;
            self.geoms[index].plugin = Some(instance);
        }
        if let Some(frame) = self.frame_pose(source.frame) {
            pose = frame.then(pose);
        }
        self.geoms[index].pose = pose;
        Ok(())
    }

    /// Moves a geom to the frame of its mesh; a primitive takes its size from the mesh and forgets it.
    fn place_mesh_geom(
        &mut self,
        index: usize,
        pose: &mut Pose,
        size: &mut [f64; 3],
    ) -> Result<(), Diagnostic> {
        let geom = &mut self.geoms[index];
        let source = geom.source;
        if source.fromto.is_some() {
            return Err(element_error(VALUE, source, "fromto", "fromto cannot be used with mesh geom"));
        }
        let Some(mesh) = geom.mesh.and_then(|mesh| self.meshes[mesh].compiled.as_ref()) else {
            // The mesh itself was reported.
            return Ok(());
        };
        let mut centre = [0.0; 3];
        if !matches!(source.kind, GeomType::Mesh | GeomType::Sdf) {
            let shape = match source.kind {
                GeomType::Sphere => FitShape::Sphere,
                GeomType::Capsule => FitShape::Capsule,
                GeomType::Cylinder => FitShape::Cylinder,
                GeomType::Ellipsoid => FitShape::Ellipsoid,
                GeomType::Box => FitShape::Box,
                _ => {
                    let message = "this type of geom cannot be fitted to a mesh";
                    return Err(element_error(VALUE, source, "type", message));
                }
            };
            if self.spec.compiler.fitaabb {
                (centre, *size) = fit_bounding_box(shape, &mesh.bounds, *size, source.fitscale);
            } else {
                *size = fit_inertia_box(shape, mesh.inertia_box, *size, source.fitscale);
            }
            geom.fitted_to = geom.mesh.take();
        } else if source.typeinertia == GeomInertia::Shell {
            let message = "for mesh geoms, inertia should be specified in the mesh asset";
            return Err(element_error(VALUE, source, "shellinertia", message));
        }
        let offset = vec3::add(quat::rotate_or_zero(centre, mesh.orientation), mesh.position);
        *pose = pose.then(Pose { pos: offset, quat: mesh.orientation });
        Ok(())
    }

    /// Lowest and highest corner in the geom's frame; sets the sizes of height fields and meshes.
    fn bounds(&self, index: usize, size: &mut [f64; 3]) -> [f64; 6] {
        let geom = &self.geoms[index];
        let symmetric = |h: [f64; 3]| [-h[0], -h[1], -h[2], h[0], h[1], h[2]];
        match geom.source.kind {
            GeomType::HField => {
                let extent = geom.hfield.map_or([0.0; 4], |hfield| self.hfields[hfield].source.size);
                *size = [extent[0], extent[1], 0.25 * extent[2] + 0.5 * extent[3]];
                [-extent[0], -extent[1], -extent[3], extent[0], extent[1], extent[2]]
            }
            GeomType::Mesh | GeomType::Sdf => {
                let mesh = geom.mesh.and_then(|mesh| self.meshes[mesh].compiled.as_ref());
                let bounds = mesh.map_or([0.0; 6], |mesh| mesh.bounds);
                for i in 0..3 {
                    size[i] = upper(bounds[i].abs(), bounds[i + 3].abs());
                }
                bounds
            }
            GeomType::Sphere => symmetric([size[0]; 3]),
            GeomType::Capsule => symmetric([size[0], size[0], size[0] + size[1]]),
            GeomType::Cylinder => symmetric([size[0], size[0], size[1]]),
            GeomType::Plane => [-FAR, -FAR, -FAR, FAR, FAR, 0.0],
            _ => symmetric(*size),
        }
    }

    fn bounding_radius(&self, index: usize, bounds: &[f64; 6]) -> f64 {
        let geom = &self.geoms[index];
        let s = geom.size;
        match geom.source.kind {
            GeomType::HField => {
                let h = geom.hfield.map_or([0.0; 4], |hfield| self.hfields[hfield].source.size);
                (h[0] * h[0] + h[1] * h[1] + upper(h[2] * h[2], h[3] * h[3])).sqrt()
            }
            GeomType::Sphere => s[0],
            GeomType::Capsule => s[0] + s[1],
            GeomType::Cylinder => (s[0] * s[0] + s[1] * s[1]).sqrt(),
            GeomType::Ellipsoid => upper(upper(s[0], s[1]), s[2]),
            GeomType::Box => (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]).sqrt(),
            GeomType::Mesh | GeomType::Sdf => {
                let h = [0, 1, 2].map(|i| upper(bounds[i].abs(), bounds[i + 3].abs()));
                (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]).sqrt()
            }
            _ => 0.0,
        }
    }

    /// Mass from density or density from mass, and the inertia.
    fn geom_inertia(&mut self, index: usize) -> Result<(), Diagnostic> {
        let geom = &self.geoms[index];
        let source = geom.source;
        let is_mesh = matches!(source.kind, GeomType::Mesh | GeomType::Sdf);
        let mesh = geom.mesh.and_then(|mesh| self.meshes[mesh].compiled.as_ref());
        let volume = match mesh {
            Some(mesh) if is_mesh => mesh.volume,
            _ => volume(source.kind, geom.size, source.typeinertia),
        };
        let inertia_of = |mass: f64| match mesh {
            Some(mesh) if is_mesh => from_squares(mesh.inertia_box, mass, 3.0),
            _ => primitive_inertia(source.kind, geom.size, source.typeinertia, mass),
        };
        let mut density = source.density;
        let (mut mass, mut inertia) = (0.0, [0.0; 3]);
        match source.mass {
            Some(0.0) => density = 0.0,
            Some(given) if volume > EPS => {
                mass = given;
                density = given / volume;
                inertia = inertia_of(mass);
            }
            Some(_) => {}
            None if density != 0.0 => {
                mass = density * volume;
                inertia = inertia_of(mass);
            }
            None => {}
        }
        if mass < 0.0 || inertia.iter().any(|&moment| moment < 0.0) || density < 0.0 {
            let (attribute, value, unit) = match source.mass {
                Some(given) => ("mass", given, "kg"),
                None => ("density", source.density, "kg/m³"),
            };
            let message = format!("the {attribute} is {value} {unit}, but cannot be negative");
            return Err(element_error(INERTIA, source, attribute, message)
                .help("leave mass out to compute it from density, 1000 kg/m³ by default"));
        }
        let geom = &mut self.geoms[index];
        (geom.mass, geom.inertia) = (mass, inertia);
        Ok(())
    }

    pub(super) fn write_geom(
        &self,
        model: &mut Model,
        ids: &Ids,
        geom: usize,
        body_id: usize,
        body: &BodyWork<'_>,
    ) {
        let at = ids.of(ObjectType::Geom, geom) as usize;
        let geom = &self.geoms[geom];
        geom.source.write_entries(model, at);
        model.geom_type[at] = geom.kind as i32;
        model.geom_bodyid[at] = body_id as i32;
        model.geom_dataid[at] = match (geom.mesh.or(geom.fitted_to), geom.hfield) {
            (Some(mesh), _) => ids.of(ObjectType::Mesh, mesh),
            (None, Some(hfield)) => hfield as i32,
            (None, None) => -1,
        };
        model.geom_matid[at] = ids.maybe(ObjectType::Material, geom.material);
        model.geom_plugin[at] = geom.plugin.map_or(-1, |plugin| plugin as i32);
        model.geom_size[at] = geom.size;
        model.geom_aabb[at] = geom.aabb;
        model.geom_pos[at] = geom.pose.pos;
        model.geom_quat[at] = geom.pose.quat;
        model.geom_fluid[at] = geom.fluid;
        model.geom_sameframe[at] = body.same_frame(geom.pose);
        model.geom_rbound[at] = geom.bounding_radius;
    }
}
