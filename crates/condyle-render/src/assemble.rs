//! From the elements of a scene to surfaces: which, where, in which colours and in which order.

use condyle_model::GeomType;
use condyle_vis::{Category, Geom, RenderFlag, Scene};

use crate::context::Context;
use crate::draw::{Blend, Cull, Draw, Layer, Mapping, Material, Mirror, ShapeRef};
use crate::light::Finish;
use crate::shape::Shape;
use crate::vector::{
    Affine, IDENTITY, Vec3, add, compose, dot, mirror, normal_map, pose, scale, scale_translate, stretch,
    sub, transform,
};
use crate::view::{Projection, project_after};

/// Smallest size a texture scale is divided by.
const LEAST: f32 = 1e-15;

/// The one mirror of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MirrorPlane {
    /// Element of the scene.
    pub geom: usize,
    pub point: Vec3,
    pub axis: Vec3,
    pub reflectance: f32,
}

/// What an element is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Picture,
    /// Seen in the mirror.
    Mirror,
    /// One colour for each element.
    Segment,
}

/// Collects the surfaces of a picture.
pub(crate) struct Assembly<'a> {
    pub context: &'a Context,
    pub scene: &'a Scene,
    pub view: Affine,
    pub projection: Projection,
    pub head: Vec3,
    pub mirror: Option<MirrorPlane>,
    pub size: [i32; 2],
    pub draws: &'a mut Vec<Draw>,
    pub dynamic: &'a mut Vec<Shape>,
    pub dynamic_used: usize,
}

/// Whether a point is behind the plane of an element.
pub(crate) fn is_behind(head: Vec3, geom: &Geom) -> bool {
    dot(sub(head, geom.pos), axis_of(geom)) < 0.0
}

pub(crate) fn axis_of(geom: &Geom) -> Vec3 {
    [geom.mat[2], geom.mat[5], geom.mat[8]]
}

/// Planes and boxes that mirror; transparent ones do not.
pub(crate) fn is_mirror(geom: &Geom) -> bool {
    let flat = geom.r#type == GeomType::Plane as i32 || geom.r#type == GeomType::Box as i32;
    flat && geom.transparent == 0 && geom.reflectance > 0.0
}

impl Assembly<'_> {
    /// An empty surface of this frame, reused from earlier frames.
    fn dynamic(&mut self) -> usize {
        if self.dynamic_used == self.dynamic.len() {
            self.dynamic.push(Shape::default());
        }
        self.dynamic[self.dynamic_used].clear();
        self.dynamic_used += 1;
        self.dynamic_used - 1
    }

    /// Adds the surfaces of an element.
    pub(crate) fn geom(&mut self, index: usize, layer: Layer, purpose: Purpose) {
        let geom = self.scene.geoms[index];
        let behind = is_behind(self.head, &geom);
        let plane = geom.r#type == GeomType::Plane as i32;
        let flag = |flag: RenderFlag| self.scene.draws(flag);
        let mut cull = match (flag(RenderFlag::CullFace), plane && behind) {
            (false, _) => Cull::None,
            (true, false) => Cull::Back,
            (true, true) => Cull::Front,
        };
        let blend = match layer {
            Layer::Opaque | Layer::MirrorOpaque => Blend::Replace,
            _ if flag(RenderFlag::Additive) => Blend::Additive,
            _ => Blend::Alpha,
        };
        if geom.r#type == GeomType::Triangle as i32 {
            cull = Cull::None;
        }
        if purpose == Purpose::Mirror {
            cull = match cull {
                Cull::None => Cull::None,
                Cull::Back => Cull::Front,
                Cull::Front => Cull::Back,
            };
        }
        let shown = purpose == Purpose::Picture;
        let template = Draw {
            shape: ShapeRef::Sphere,
            layer,
            to_world: IDENTITY,
            to_eye: IDENTITY,
            rows: [[0.0; 4]; 4],
            normals: [[0.0; 3]; 3],
            keep: None,
            material: self.material(&geom, purpose, plane && behind),
            cull,
            blend,
            writes_depth: blend == Blend::Replace,
            takes_shadow: shown && layer == Layer::Opaque,
            casts_shadow: shown
                && geom.r#type != GeomType::Line as i32
                && geom.category != Category::Decor as i32,
            mirror: self.mirror_of(index, &geom, purpose),
            line_width: None,
            geom: index as i32,
            first_corner: 0,
        };
        self.parts(&geom, &template);
    }

    fn mirror_of(&self, index: usize, geom: &Geom, purpose: Purpose) -> Mirror {
        match self.mirror {
            Some(plane) if plane.geom == index && purpose == Purpose::Picture => {
                if geom.r#type == GeomType::Box as i32 { Mirror::FirstPatch } else { Mirror::Whole }
            }
            _ => Mirror::No,
        }
    }

    fn material(&self, geom: &Geom, purpose: Purpose, from_behind: bool) -> Material {
        let mut rgba = geom.rgba;
        if purpose == Purpose::Segment {
            let rgba = segment_color(geom.segid, self.scene.draws(RenderFlag::IdColor));
            let finish = Finish { rgba, ..Default::default() };
            return Material { finish, unlit: true, texture: 0, mapping: Mapping::None };
        }
        if purpose == Purpose::Mirror
            && let Some(mirror) = &self.mirror
        {
            for value in &mut rgba[..3] {
                *value *= mirror.reflectance;
            }
        }
        if from_behind {
            rgba[3] = (f64::from(rgba[3]) * 0.3) as f32;
        }
        let finish = Finish {
            rgba,
            emission: geom.emission,
            specular: geom.specular,
            shininess: (geom.shininess * 128.0).max(0.0).min(128.0),
        };
        let (texture, mapping) = self.mapping(geom);
        Material { finish, unlit: false, texture, mapping }
    }

    fn mapping(&self, geom: &Geom) -> (u32, Mapping) {
        let none = (0, Mapping::None);
        let Some(material) =
            usize::try_from(geom.matid).ok().and_then(|material| self.context.materials.get(material))
        else {
            return none;
        };
        let Some((number, texture)) = u32::try_from(material.texture)
            .ok()
            .and_then(|number| Some((number, self.context.textures.get(number as usize)?)))
        else {
            return none;
        };
        let size = geom.size;
        if geom.texcoord != 0 {
            return if texture.is_flat() { (number, Mapping::Coordinates) } else { none };
        }
        if !texture.is_flat() {
            return (number, Mapping::Cube(if material.uniform { size } else { [1.0; 3] }));
        }
        let mut factor = material.repeat;
        for axis in 0..2 {
            if size[axis] > 0.0 {
                if geom.dataid >= 0 {
                    factor[axis] /= size[axis].max(LEAST);
                }
                if material.uniform {
                    factor[axis] *= size[axis];
                }
            }
        }
        (number, Mapping::Planar([0.5 * factor[0], 0.5 * factor[1]]))
    }

    /// The surfaces an element consists of.
    fn parts(&mut self, geom: &Geom, template: &Draw) {
        let Some(kind) = geom.shape() else { return };
        let size = geom.size;
        let frame = pose(&geom.mat, geom.pos);
        let sized = |factor: Vec3, up: f32| compose(&frame, &scale_translate(factor, [0.0, 0.0, up]));
        let data = u32::try_from(geom.dataid).ok();
        match kind {
            GeomType::Plane => match data {
                Some(plane) => self.part(template, ShapeRef::Plane(plane), frame),
                None => self.part(template, ShapeRef::Square, sized([size[0], size[1], 1.0], 0.0)),
            },
            GeomType::HField => {
                if let Some(field) = data {
                    self.part(template, ShapeRef::HeightField(field), frame);
                }
            }
            GeomType::Sphere | GeomType::Ellipsoid => self.part(template, ShapeRef::Sphere, sized(size, 0.0)),
            GeomType::Capsule => {
                let round = 0.5 * (size[0] + size[1]);
                let cap = [size[0], size[1], round];
                self.part(template, ShapeRef::Tube, sized(size, 0.0));
                self.part(template, ShapeRef::Top, sized(cap, size[2] - round));
                self.part(template, ShapeRef::Bottom, sized(cap, round - size[2]));
            }
            GeomType::Cylinder => self.part(template, ShapeRef::Cylinder, sized(size, 0.0)),
            GeomType::Box => self.part(template, ShapeRef::Cube, sized(size, 0.0)),
            GeomType::Mesh | GeomType::Sdf => {
                if let Some(mesh) = data {
                    self.part(template, ShapeRef::Mesh(mesh), frame);
                }
            }
            GeomType::Arrow | GeomType::Arrow1 => {
                let wide = if kind == GeomType::Arrow { 1.75 } else { 1.0 };
                let unit = size[2] / 6.0;
                self.part(template, ShapeRef::Cylinder, sized([size[0], size[1], unit], unit));
                self.part(
                    template,
                    ShapeRef::Cone,
                    sized([wide * size[0], wide * size[1], unit], 2.0 * unit),
                );
            }
            GeomType::Arrow2 => {
                let unit = size[2] / 6.0;
                let wide = [1.75 * size[0], 1.75 * size[1], unit];
                self.part(template, ShapeRef::Tube, sized([size[0], size[1], size[2] / 3.0], 0.0));
                self.part(template, ShapeRef::Cone, sized([wide[0], -wide[1], -unit], -2.0 * unit));
                self.part(template, ShapeRef::Cone, sized(wide, 2.0 * unit));
            }
            GeomType::Line => {
                let width = size[0] * self.context.settings.line_width;
                self.lines(template, frame, width, &[([0.0; 3], [0.0, 0.0, size[2]])]);
            }
            GeomType::LineBox => self.line_box(template, frame, size),
            GeomType::Triangle => {
                self.part(template, ShapeRef::Triangle, sized([size[0], size[1], 1.0], 0.0));
            }
            GeomType::Flex => self.flex(geom, template),
            GeomType::Skin => self.skin(geom, template),
            GeomType::Label | GeomType::None => {}
        }
    }

    /// Adds one surface unless it lies outside the view and casts no shadow.
    fn part(&mut self, template: &Draw, shape: ShapeRef, to_world: Affine) {
        let mut draw = *template;
        draw.shape = shape;
        draw.to_world = to_world;
        draw.to_eye = match (&self.mirror, draw.layer) {
            (Some(plane), Layer::MirrorOpaque | Layer::MirrorLate) => {
                draw.keep = Some(above(&to_world, plane.point, plane.axis));
                compose(&compose(&self.view, &mirror(plane.point, plane.axis)), &to_world)
            }
            _ => compose(&self.view, &to_world),
        };
        draw.rows = project_after(&self.projection, &draw.to_eye);
        draw.normals = normal_map(&draw.to_eye);
        let Some(surface) = shape.get(self.context, self.dynamic) else { return };
        if !draw.casts_shadow && !self.may_show(&draw, surface) {
            return;
        }
        self.draws.push(draw);
    }

    /// Whether the sphere around a surface touches the view.
    pub(crate) fn may_show(&self, draw: &Draw, shape: &Shape) -> bool {
        may_show(&self.projection, self.size, draw, shape)
    }

    fn lines(&mut self, template: &Draw, frame: Affine, width: f32, lines: &[(Vec3, Vec3)]) {
        let index = self.dynamic();
        let shape = &mut self.dynamic[index];
        for (a, b) in lines {
            let first = shape.corner(*a, [0.0, 0.0, 1.0]);
            let second = shape.corner(*b, [0.0, 0.0, 1.0]);
            shape.faces.push([first, second, second]);
        }
        shape.bound();
        let mut draw = *template;
        draw.line_width = Some(width);
        draw.casts_shadow = false;
        draw.material.unlit = true;
        self.part(&draw, ShapeRef::Dynamic(index as u32), frame);
    }

    fn line_box(&mut self, template: &Draw, frame: Affine, size: Vec3) {
        let corner = |k: usize| {
            let sign = |bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            [sign(0) * size[0], sign(1) * size[1], sign(2) * size[2]]
        };
        let mut edges = [([0.0; 3], [0.0; 3]); 12];
        let mut count = 0;
        for k in 0..8 {
            for bit in 0..3 {
                if k >> bit & 1 == 0 {
                    edges[count] = (corner(k), corner(k | 1 << bit));
                    count += 1;
                }
            }
        }
        self.lines(template, frame, 1.5 * self.context.settings.line_width, &edges);
    }

    fn skin(&mut self, geom: &Geom, template: &Draw) {
        let Some(number) = usize::try_from(geom.objid).ok() else { return };
        let skins = &self.scene.skins;
        let (Some(source), Some(first), Some(count)) = (
            self.context.skins.get(number),
            skins.skinvertadr.get(number).and_then(|first| usize::try_from(*first).ok()),
            skins.skinvertnum.get(number).and_then(|count| usize::try_from(*count).ok()),
        ) else {
            return;
        };
        let range = 3 * first..3 * first.saturating_add(count);
        let (Some(positions), Some(normals)) =
            (skins.skinvert.get(range.clone()), skins.skinnormal.get(range))
        else {
            return;
        };
        let index = self.dynamic();
        let shape = &mut self.dynamic[index];
        shape.positions.extend_from_slice(positions.as_chunks::<3>().0);
        shape.normals.extend_from_slice(normals.as_chunks::<3>().0);
        shape
            .faces
            .extend(source.faces.iter().filter(|face| face.iter().all(|corner| (*corner as usize) < count)));
        shape.texcoords.extend_from_slice(&source.texcoords);
        shape.bound();
        self.part(template, ShapeRef::Dynamic(index as u32), IDENTITY);
    }

    fn flex(&mut self, geom: &Geom, template: &Draw) {
        let Some(number) = usize::try_from(geom.objid).ok() else { return };
        let scene = self.scene;
        let (flexes, settings) = (&scene.flexes, &scene.settings);
        let get = |values: &[i32]| values.get(number).and_then(|value| usize::try_from(*value).ok());
        let faces = get(&flexes.flexfaceused).unwrap_or(0);
        let skeleton = geom.size[0] > 0.0 && !(settings.flexskinopt != 0 && faces > 0);
        let first_vertex = get(&flexes.flexvertadr).unwrap_or(0);
        let vertices = flexes.flexvert.as_chunks::<3>().0;
        let mut plain = *template;
        plain.material.mapping = Mapping::None;
        if skeleton && settings.flexvertopt != 0 {
            let count = get(&flexes.flexvertnum).unwrap_or(0);
            for vertex in vertices.get(first_vertex..first_vertex.saturating_add(count)).unwrap_or_default() {
                self.part(&plain, ShapeRef::Sphere, scale_translate([geom.size[0]; 3], *vertex));
            }
        }
        if skeleton && settings.flexedgeopt != 0 {
            let first = get(&flexes.flexedgeadr).unwrap_or(0);
            let count = get(&flexes.flexedgenum).unwrap_or(0);
            let edges = flexes.flexedge.as_chunks::<2>().0;
            for edge in edges.get(first..first.saturating_add(count)).unwrap_or_default() {
                let end = |k: usize| {
                    usize::try_from(edge[k])
                        .ok()
                        .and_then(|vertex| vertices.get(first_vertex + vertex))
                        .copied()
                };
                if let (Some(a), Some(b)) = (end(0), end(1)) {
                    self.part(&plain, ShapeRef::Tube, tube_between(a, b, geom.size[0]));
                }
            }
        }
        if faces > 0 {
            self.flex_faces(template, get(&flexes.flexfaceadr).unwrap_or(0), faces);
        }
    }

    fn flex_faces(&mut self, template: &Draw, first: usize, count: usize) {
        let flexes = &self.scene.flexes;
        let range = 3 * first..3 * first.saturating_add(count);
        let (Some(positions), Some(normals)) = (
            flexes.flexface.as_chunks::<3>().0.get(range.clone()),
            flexes.flexnormal.as_chunks::<3>().0.get(range.clone()),
        ) else {
            return;
        };
        let texcoords = flexes.flextexcoord.as_chunks::<2>().0.get(range).unwrap_or_default();
        let index = self.dynamic();
        let shape = &mut self.dynamic[index];
        shape.positions.extend_from_slice(positions);
        shape.normals.extend_from_slice(normals);
        shape.texcoords.extend_from_slice(texcoords);
        shape.faces.extend((0..count as u32).map(|face| [3 * face, 3 * face + 1, 3 * face + 2]));
        shape.bound();
        self.part(template, ShapeRef::Dynamic(index as u32), IDENTITY);
    }

    /// The sky: a cylinder around the head with the skybox texture, and haze over the first endless plane.
    pub(crate) fn sky(&mut self, far: f32) {
        let Some(texture) = self.context.skybox else { return };
        let mut distance = far * 0.70;
        if self.scene.settings.enabletransform != 0 {
            distance /= self.scene.settings.scale;
        }
        let white = Finish { rgba: [1.0; 4], ..Default::default() };
        let mut draw = Draw {
            shape: ShapeRef::Cylinder,
            layer: Layer::Opaque,
            to_world: IDENTITY,
            to_eye: IDENTITY,
            rows: [[0.0; 4]; 4],
            normals: [[0.0; 3]; 3],
            keep: None,
            material: Material { finish: white, unlit: true, texture: texture as u32, mapping: Mapping::Sky },
            cull: if self.scene.draws(RenderFlag::CullFace) { Cull::Front } else { Cull::None },
            blend: Blend::Replace,
            writes_depth: true,
            takes_shadow: false,
            casts_shadow: false,
            mirror: Mirror::No,
            line_width: None,
            geom: -1,
            first_corner: 0,
        };
        let around = scale_translate([distance; 3], self.head);
        self.part(&draw, ShapeRef::Cylinder, around);
        if !self.scene.draws(RenderFlag::Haze) {
            return;
        }
        let endless = |geom: &&Geom| {
            geom.r#type == GeomType::Plane as i32 && geom.size[0] == 0.0 && geom.size[1] == 0.0
        };
        let Some(plane) = self.scene.shown_geoms().iter().find(endless) else { return };
        let elevation = dot(sub(self.head, plane.pos), axis_of(plane)) / distance;
        if elevation < 0.0 || elevation.is_nan() {
            return;
        }
        let [r, g, b, _] = self.context.settings.haze_rgba;
        draw.material.finish.rgba = [r, g, b, 1.0];
        draw.material.mapping = Mapping::None;
        draw.layer = Layer::Late;
        draw.blend = Blend::Alpha;
        let turned = compose(&around, &pose(&plane.mat, [0.0; 3]));
        let lowered = compose(&turned, &scale_translate([1.0, 1.0, elevation], [0.0, 0.0, -elevation]));
        self.part(&draw, ShapeRef::Haze, lowered);
    }
}

/// Distance above a plane as a row on points of the surface's frame.
fn above(to_world: &Affine, point: Vec3, axis: Vec3) -> [f32; 4] {
    let mut row = [0.0; 4];
    for column in 0..4 {
        row[column] =
            axis[0] * to_world[0][column] + axis[1] * to_world[1][column] + axis[2] * to_world[2][column];
    }
    row[3] -= dot(axis, point);
    row
}

/// Whether the sphere around a surface touches the view volume of a projection from eye coordinates.
pub(crate) fn may_show(projection: &Projection, size: [i32; 2], draw: &Draw, shape: &Shape) -> bool {
    let center = transform(&draw.to_eye, shape.center);
    let radius = shape.radius * stretch(&draw.to_eye);
    let [x, y, z, w] = projection;
    let (width, height) = (size[0] as f32, size[1] as f32);
    let combine = |a: &[f32; 4], b: &[f32; 4], factor: f32| [0, 1, 2, 3].map(|k| a[k] + factor * b[k]);
    let minus = |row: &[f32; 4]| row.map(|value| -value);
    let planes =
        [*x, combine(&minus(x), w, width), *y, combine(&minus(y), w, height), *z, combine(&minus(z), w, 1.0)];
    planes.iter().all(|plane| {
        let normal = [plane[0], plane[1], plane[2]];
        let value = dot(normal, center) + plane[3];
        // A value that is no number is left to clipping; a margin of a pixel and of rounding.
        let margin = dot(normal, normal).sqrt() * radius * 1.001 + 1e-5 * (1.0 + value.abs());
        value.is_nan() || margin.is_nan() || value >= -margin
    })
}

/// Map of the unit tube to the one between two points.
fn tube_between(a: Vec3, b: Vec3, radius: f32) -> Affine {
    let way = sub(b, a).map(f64::from);
    let length = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
    let unit = if length < 1e-15 { [1.0, 0.0, 0.0] } else { way.map(|value| value / length) };
    let rotation = condyle_math::quat::to_mat(&condyle_math::quat::z_to_vec(unit));
    let middle = scale(add(a, b), 0.5);
    let frame = pose(&rotation.map(|value| value as f32), middle);
    compose(&frame, &scale_translate([radius, radius, (length * 0.5) as f32], [0.0; 3]))
}

/// Colour of an element in segmentation pictures.
fn segment_color(number: i32, identity: bool) -> [f32; 4] {
    if identity {
        let value = number.wrapping_add(1) as u32;
        let byte = |shift: u32| (value >> shift & 0xFF) as f32 / 255.0;
        return [byte(0), byte(8), byte(16), 1.0];
    }
    let spread = |base: i32| {
        let value = condyle_vis::halton(number.wrapping_add(10), base);
        (f64::from(0.1_f32) + f64::from(0.8_f32) * value) as f32
    };
    [spread(2), spread(3), spread(5), 1.0]
}
