//! The list of elements: one file per kind, called in the order in which MuJoCo adds them.
//!
//! Every kind reads the model, its data, the options and the perturbation, and appends to the scene. When the scene is full, its
//! status says so and the rest is left out.

mod actuator;
mod body;
mod camera;
mod catenary;
mod color;
mod constraint;
mod contact;
mod field_descent;
mod flex_skin;
mod frame;
mod geom;
mod inertia;
mod joint;
mod label;
mod light;
mod perturbation;
mod plugin;
mod ray;
mod site;
mod slider_crank;
mod tactile;
mod tendon;
mod text;
mod volume;

use condyle_engine::Data;
use condyle_math::{Mat3, Vec3, mat3, vec3};
use condyle_model::{GeomType, Model, ObjectType};

use crate::types::{Category, GROUPS, Geom, LabelKind, Options, Perturbation, Scene, VisualFlag, set_text};

/// Appends all elements of the categories in the mask. Reference: `mjv_addGeoms`.
pub fn add_geoms(
    model: &Model,
    data: &Data,
    options: &Options,
    perturbation: &Perturbation,
    categories: i32,
    scene: &mut Scene,
) {
    add_kinds(model, data, options, perturbation, categories, scene, false);
}

/// [`add_geoms`], after what plugins add.
pub(crate) fn add_all(
    model: &Model,
    data: &Data,
    options: &Options,
    perturbation: &Perturbation,
    categories: i32,
    scene: &mut Scene,
) {
    add_kinds(model, data, options, perturbation, categories, scene, true);
}

fn add_kinds(
    model: &Model,
    data: &Data,
    options: &Options,
    perturbation: &Perturbation,
    categories: i32,
    scene: &mut Scene,
    with_plugins: bool,
) {
    let mut categories = categories;
    if !options.shows(VisualFlag::Static) {
        categories &= !(Category::Static as i32);
    }
    let mut builder = Builder {
        model,
        data,
        options,
        perturbation,
        categories,
        scene,
        geom_colors: Vec::new(),
        passed: Vec::new(),
    };
    let plugins: &[AddKind] = if with_plugins { &[plugin::add] } else { &[] };
    for add in plugins.iter().chain(&MODEL_KINDS) {
        let _full = add(&mut builder);
    }
    if builder.wants(Category::Decor as i32) {
        for add in DECOR_KINDS {
            let _full = add(&mut builder);
        }
    }
}

/// Adds one kind of element; `None` when the scene is full.
type AddKind = fn(&mut Builder<'_>) -> Option<()>;

/// Elements of the model, in order.
const MODEL_KINDS: [AddKind; 6] =
    [flex_skin::add_flexes, flex_skin::add_skins, geom::add, site::add, tendon::add, slider_crank::add];

/// Decoration, in order.
const DECOR_KINDS: [AddKind; 24] = [
    frame::add_geoms,
    frame::add_sites,
    volume::mark_passed,
    volume::add_bodies,
    volume::add_flexes,
    volume::add_meshes,
    volume::add_octrees,
    tactile::add,
    inertia::add,
    perturbation::add_object,
    frame::add_world_or_bodies,
    perturbation::add_selected_point,
    label::add_bodies,
    joint::add,
    actuator::add,
    label::add_islands,
    camera::add,
    light::add,
    body::add_centers_of_mass,
    body::add_connections,
    ray::add,
    perturbation::add_forces,
    constraint::add,
    contact::add,
];

/// What every kind of element reads, and the scene it appends to.
struct Builder<'a> {
    model: &'a Model,
    data: &'a Data,
    options: &'a Options,
    perturbation: &'a Perturbation,
    /// Mask of the categories to add.
    categories: i32,
    scene: &'a mut Scene,
    /// Colours that plugins give to geoms, by geom; empty without any.
    geom_colors: Vec<Option<[f32; 3]>>,
    /// Nodes of bounding-volume trees that are passed; empty where nothing shows them.
    passed: Vec<bool>,
}

impl Builder<'_> {
    /// A new element with defaults; `None`, with the status set, when the scene is full.
    fn begin(&mut self, id: usize, category: Category, kind: ObjectType) -> Option<Geom> {
        let settings = &mut self.scene.settings;
        if usize::try_from(settings.ngeom).unwrap_or(0) >= self.scene.geoms.len() {
            settings.status = 1;
            return None;
        }
        Some(Geom {
            objtype: kind as i32,
            objid: id as i32,
            category: category as i32,
            segid: settings.ngeom,
            ..Geom::default()
        })
    }

    /// A new decorative element.
    fn decor(&mut self, id: usize, kind: ObjectType) -> Option<Geom> {
        self.begin(id, Category::Decor, kind)
    }

    /// Appends an element that was begun.
    fn push(&mut self, geom: Geom) {
        let settings = &mut self.scene.settings;
        if let Some(place) = usize::try_from(settings.ngeom).ok().and_then(|at| self.scene.geoms.get_mut(at))
        {
            *place = geom;
            settings.ngeom += 1;
        }
    }

    /// Appends a decorative element between two points.
    fn add_connector(
        &mut self,
        shape: GeomType,
        width: f64,
        ends: [Vec3; 2],
        rgba: Option<[f32; 4]>,
        id: usize,
        kind: ObjectType,
    ) -> Option<()> {
        let mut geom = self.decor(id, kind)?;
        geom.span(shape, width, ends[0], ends[1]);
        geom.rgba = rgba.unwrap_or(geom.rgba);
        self.push(geom);
        Some(())
    }

    /// Appends a decorative triangle: its columns are the two unit edges and the normal, its sizes their lengths.
    fn add_triangle(
        &mut self,
        corners: [Vec3; 3],
        rgba: [f32; 4],
        id: usize,
        kind: ObjectType,
    ) -> Option<()> {
        let mut geom = self.decor(id, kind)?;
        let first = vec3::sub(corners[1], corners[0]);
        let second = vec3::sub(corners[2], corners[0]);
        let normal = vec3::cross(first, second);
        let [(a, length_a), (b, length_b), (n, length_n)] = [first, second, normal].map(vec3::normalize);
        let columns = [a[0], b[0], n[0], a[1], b[1], n[1], a[2], b[2], n[2]];
        let size = Some([length_a, length_b, length_n]);
        geom.init(GeomType::Triangle as i32, size, Some(corners[0]), Some(&columns), Some(rgba));
        self.push(geom);
        Some(())
    }

    /// Appends the three axes of a frame.
    fn add_frame(
        &mut self,
        id: usize,
        position: Vec3,
        rotation: &Mat3,
        length: f32,
        width: f32,
    ) -> Option<()> {
        for axis in 0..3 {
            let mut along = [0.0; 3];
            along[axis] = f64::from(length);
            let end = vec3::add(position, mat3::mul_vec(rotation, along));
            let mut geom = self.decor(id, ObjectType::Unknown)?;
            geom.span(GeomType::Cylinder, f64::from(width), position, end);
            geom.rgba = [0.0, 0.0, 0.0, 1.0];
            geom.rgba[axis] = 0.9;
            self.push(geom);
        }
        Some(())
    }

    /// Length and width of the axes of frames.
    fn frame_size(&self) -> (f32, f32) {
        let scale = &self.model.vis.scale;
        (scale.framelength * self.mean_size(), scale.framewidth * self.mean_size())
    }

    /// Size of decoration per unit of scale, in single precision.
    fn mean_size(&self) -> f32 {
        self.model.stat.meansize as f32
    }

    /// Whether a flag of the options is on.
    fn shows(&self, flag: VisualFlag) -> bool {
        self.options.shows(flag)
    }

    /// Whether a kind of label is asked for.
    fn labels(&self, kind: LabelKind) -> bool {
        self.options.label == kind as i32
    }

    /// Whether any of the categories in `mask` is asked for.
    fn wants(&self, mask: i32) -> bool {
        self.categories & mask != 0
    }

    /// Whether a category is not asked for.
    fn leaves_out(&self, category: Category) -> bool {
        category as i32 & !self.categories != 0
    }

    /// Whether something moves the body.
    fn category(&self, body: i32) -> Category {
        let body = body as usize;
        let root = self.model.body_rootid[body] as usize;
        if self.model.body_weldid[body] == 0 && self.model.body_mocapid[root] == -1 {
            Category::Static
        } else {
            Category::Dynamic
        }
    }

    /// Colour of a geom before its material.
    fn geom_rgba(&self, geom: usize) -> [f32; 4] {
        let own = self.model.geom_rgba[geom];
        match self.geom_colors.get(geom) {
            Some(Some([red, green, blue])) => [*red, *green, *blue, own[3]],
            _ => own,
        }
    }

    /// The selected body, if it exists and is not the world.
    fn selected(&self) -> Option<usize> {
        let body = usize::try_from(self.perturbation.select).ok()?;
        (body > 0 && body < self.model.nbody).then_some(body)
    }

    /// Colour, coefficients and texture of a material, and a colour that differs from the default before it.
    fn set_material(&self, geom: &mut Geom, material: i32, rgba: [f32; 4]) {
        let model = self.model;
        let index = usize::try_from(material).ok().filter(|index| *index < model.nmat);
        if let Some(index) = index {
            geom.rgba = model.mat_rgba[index];
            geom.emission = model.mat_emission[index];
            geom.specular = model.mat_specular[index];
            geom.shininess = model.mat_shininess[index];
            geom.reflectance = model.mat_reflectance[index];
        }
        if rgba != Geom::default().rgba || index.is_none() {
            geom.rgba = rgba;
        }
        if self.shows(VisualFlag::Texture) && index.is_some() {
            geom.matid = material;
        }
        if self.shows(VisualFlag::Transparent) && geom.category == Category::Dynamic as i32 {
            geom.rgba[3] *= model.vis.map.alpha;
        }
    }

    /// Makes an element of the selection glow.
    fn glow(&self, geom: &mut Geom) {
        geom.emission += self.model.vis.global.glow;
    }

    /// Name of an element of the model, or its kind and number, as a label.
    fn name(&self, geom: &mut Geom, kind: ObjectType, id: usize) {
        match self.model.name(kind, id) {
            "" => set_text(&mut geom.label, &format!("{} {id}", text::kind_name(kind))),
            name => set_text(&mut geom.label, name),
        }
    }
}

/// Whether a group is shown; numbers beyond the groups count as the nearest.
fn in_group(groups: &[u8; GROUPS], group: i32) -> bool {
    groups[group.clamp(0, GROUPS as i32 - 1) as usize] != 0
}

/// The point `local` of a frame in the world.
fn place(position: Vec3, rotation: &Mat3, local: Vec3) -> Vec3 {
    vec3::add(mat3::mul_vec(rotation, local), position)
}
