//! Rays through the whole scene: the nearest geom that passes the filter. Flexes are met only when asked for one by one.
//! Reference: `mj_ray`.

use condyle_collide::Pose;
use condyle_collide::ray::{self, Hit, Ray};
use condyle_model::{GeomType, Model};

use crate::collision::field;
use crate::collision::shape::part;
use crate::data::{Flexes, Kinematics};

/// Geom groups that can be told apart.
pub const GROUPS: usize = 6;

/// Which geoms a ray can meet. Invisible geoms are never met.
#[derive(Clone, Copy, Debug)]
pub struct RayFilter {
    /// Groups to meet; `None` for all.
    pub groups: Option<[bool; GROUPS]>,
    /// Whether geoms that cannot move are met.
    pub include_static: bool,
    /// Body whose geoms are passed through.
    pub exclude_body: Option<usize>,
}

impl RayFilter {
    /// Everything visible.
    pub const ALL: Self = Self { groups: None, include_static: true, exclude_body: None };

    /// Whether geom `geom` is met. The body decides first: it is the only thing that range finders leave out.
    #[inline]
    pub fn accepts(&self, model: &Model, geom: usize) -> bool {
        self.accepts_geom(
            model,
            geom,
            model.geom_bodyid[geom],
            model.geom_matid[geom],
            &model.geom_rgba[geom],
        )
    }

    /// [`Self::accepts`] with what is looked up of every geom.
    #[inline(always)]
    fn accepts_geom(&self, model: &Model, geom: usize, body: i32, material: i32, rgba: &[f32; 4]) -> bool {
        let body = body as usize;
        if self.exclude_body == Some(body) || !self.include_static && model.body_weldid[body] == 0 {
            return false;
        }
        let alpha = match usize::try_from(material) {
            Ok(material) => model.mat_rgba[material][3],
            Err(_) => rgba[3],
        };
        let in_groups =
            |groups: [bool; GROUPS]| groups[model.geom_group[geom].clamp(0, GROUPS as i32 - 1) as usize];
        alpha != 0.0 && self.groups.is_none_or(in_groups)
    }
}

/// Where a ray first meets a geom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneHit {
    /// Number of the geom.
    pub geom: usize,
    /// Distance along the ray and normal.
    pub hit: Hit,
}

/// The nearest geom along `ray`.
pub fn cast(model: &Model, kinematics: &Kinematics, ray: &Ray, filter: &RayFilter) -> Option<SceneHit> {
    let mut nearest: Option<SceneHit> = None;
    let geoms = model.geom_bodyid.iter().zip(model.geom_matid.iter()).zip(model.geom_rgba.iter());
    for (geom, ((body, material), rgba)) in geoms.enumerate().take(model.ngeom) {
        if filter.accepts_geom(model, geom, *body, *material, rgba)
            && !misses_sphere(model, kinematics, ray, geom)
            && let Some(hit) = cast_geom(model, kinematics, ray, geom)
            && nearest.is_none_or(|nearest| hit.distance < nearest.hit.distance)
        {
            nearest = Some(SceneHit { geom, hit });
        }
    }
    nearest
}

/// The geoms that [`cast`] compares with a ray, in order.
pub fn compared<'a>(
    model: &'a Model,
    kinematics: &'a Kinematics,
    ray: &'a Ray,
    filter: &'a RayFilter,
) -> impl Iterator<Item = usize> + 'a {
    (0..model.ngeom)
        .filter(move |&geom| filter.accepts(model, geom) && !misses_sphere(model, kinematics, ray, geom))
}

/// Whether `ray` misses the sphere that [`cast_geom`] tries first: most rays miss most geoms, and are through without their poses.
#[inline(always)]
fn misses_sphere(model: &Model, kinematics: &Kinematics, ray: &Ray, geom: usize) -> bool {
    const CAPSULE: i32 = GeomType::Capsule as i32;
    const CYLINDER: i32 = GeomType::Cylinder as i32;
    const BOX: i32 = GeomType::Box as i32;
    let size = &model.geom_size[geom];
    let radius_squared = match model.geom_type[geom] {
        CAPSULE => (size[0] + size[1]) * (size[0] + size[1]),
        CYLINDER => size[0] * size[0] + size[1] * size[1],
        BOX => size[0] * size[0] + size[1] * size[1] + size[2] * size[2],
        _ => return false,
    };
    ray::sphere::misses(kinematics.geom_xpos[geom], radius_squared, ray)
}

/// Where `ray` meets one geom.
pub fn cast_geom(model: &Model, kinematics: &Kinematics, ray: &Ray, geom: usize) -> Option<Hit> {
    let pose = Pose { position: kinematics.geom_xpos[geom], rotation: kinematics.geom_xmat[geom] };
    let size = &model.geom_size[geom];
    match model.geom_type(geom)? {
        GeomType::Mesh => ray::mesh::cast(&field::mesh_of(model, geom)?, size, &pose, ray),
        GeomType::HField => ray::hfield::cast(&height_field_of(model, geom)?, &pose, ray),
        GeomType::Sdf => ray::sdf::cast(&field::of_sdf_geom(model, geom)?, size, &pose, ray),
        kind => cast_shape(kind, size, &pose, ray),
    }
}

/// Where `ray` meets the shown parts of a flex, and the vertex of the flex nearest to that. Reference: `mj_rayFlex`.
pub fn cast_flex(
    model: &Model,
    flexes: &Flexes,
    ray: &Ray,
    flex: usize,
    shown: ray::flex::Shown,
) -> Option<(Hit, usize)> {
    let dimension = model.flex_dim[flex].clamp(1, 3);
    let elements = model.flex_elemnum[flex];
    let shape = ray::flex::Flex {
        dimension: dimension as usize,
        radius: model.flex_radius[flex],
        vertices: part(&flexes.flexvert_xpos, model.flex_vertadr[flex], model.flex_vertnum[flex]),
        edges: part(&model.flex_edge, model.flex_edgeadr[flex], model.flex_edgenum[flex]),
        elements: part(
            &model.flex_elem,
            model.flex_elemdataadr[flex],
            elements.saturating_mul(dimension + 1),
        ),
        element_layers: part(&model.flex_elemlayer, model.flex_elemadr[flex], elements),
    };
    ray::flex::cast(&shape, shown, ray)
}

/// Where `ray` meets a shape given by its size alone; `None` for kinds that need more than that.
// Inlined with the shapes into its callers: a pose that is put together for the call then stays in registers.
#[inline(always)]
pub fn cast_shape(kind: GeomType, size: &[f64; 3], pose: &Pose, ray: &Ray) -> Option<Hit> {
    match kind {
        GeomType::Plane => ray::plane::cast(size, pose, ray),
        GeomType::Sphere => ray::sphere::cast(size, pose, ray),
        GeomType::Capsule => ray::capsule::cast(size, pose, ray),
        GeomType::Ellipsoid => ray::ellipsoid::cast(size, pose, ray),
        GeomType::Cylinder => ray::cylinder::cast(size, pose, ray),
        GeomType::Box => ray::cuboid::cast(size, pose, ray),
        _ => None,
    }
}

fn height_field_of(model: &Model, geom: usize) -> Option<ray::hfield::HeightField<'_>> {
    let field = model.geom_dataid(geom)?;
    let (rows_count, columns) = (model.hfield_nrow[field], model.hfield_ncol[field]);
    Some(ray::hfield::HeightField {
        size: model.hfield_size[field],
        rows: rows_count as usize,
        columns: columns as usize,
        data: part(&model.hfield_data, model.hfield_adr[field], rows_count.saturating_mul(columns)),
    })
}
