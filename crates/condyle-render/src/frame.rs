//! A picture of a scene: surfaces are assembled and set up, tiles revealed, shadows found and tiles finished.

use std::sync::Mutex;

use condyle_math::{Registers, Work};
use condyle_model::{GeomType, ObjectType};
use condyle_vis::{GlCamera, RenderFlag, Scene, Stereo};

use crate::assemble::{Assembly, MirrorPlane, Purpose, axis_of, is_behind, is_mirror};
use crate::context::{Context, MOST_PIXELS, RenderError};
use crate::corner::Lights;
use crate::cover::Cover;
use crate::draw::{Draw, Layer, Mirror};
use crate::lamp::Lamp;
use crate::lanes::LANES;
use crate::light::EyeLight;
use crate::raster::{FOUR, GROUP, ONE};
use crate::setup::{Setup, TILE, Within};
use crate::shade::{Fog, Stage};
use crate::shadow::ShadowWork;
use crate::shape::Shape;
use crate::target::{Target, quantize};
use crate::tiles::{Job, LateOrder, TileState, Workspace};
use crate::vector::{Vec3, add, compose, dot, mirror, scale, sub};
use crate::view::{Rect, average_camera, camera_view, camera_volume, head_position};

/// Most lights that take part.
const MOST_LIGHTS: usize = 100;

/// Makes pictures; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub struct Renderer {
    /// Threads that share the tiles of a picture; 0 counts as 1. Results do not depend on it.
    pub threads: usize,
    /// Instructions that are used. Results do not depend on it.
    pub registers: Registers,
    setup: Setup,
    draws: Vec<Draw>,
    dynamic: Vec<Shape>,
    tiles: Vec<TileState>,
    spaces: Vec<Workspace>,
    shadow: ShadowWork,
    lights: Vec<EyeLight>,
    mirror_lights: Vec<EyeLight>,
    plain: Vec<usize>,
    shadowed: Vec<usize>,
    lamps: Vec<Lamp>,
    covers: Vec<Cover>,
    order: Vec<u32>,
}

/// Settings of one view of a picture.
struct Shot {
    rect: Rect,
    camera: GlCamera,
    segment: bool,
}

/// The triangles of a surface being set up.
struct Placing<'a> {
    setup: &'a mut Setup,
    index: u32,
    draw: &'a mut Draw,
    shape: &'a Shape,
    lines: Option<f32>,
}

impl Work for Placing<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut within = self.setup.within;
        self.setup.draw(self.index, self.draw, self.shape, self.lines, &mut within);
    }
}

impl Renderer {
    /// Draws a scene into a rectangle of the target. The scene's notes for drawing (distances, order, transparency) are written.
    pub fn render(
        &mut self,
        rect: Rect,
        scene: &mut Scene,
        context: &Context,
        target: &mut Target,
    ) -> Result<(), RenderError> {
        if rect.width <= 0 || rect.height <= 0 {
            return Ok(());
        }
        if rect.width > MOST_PIXELS || rect.height > MOST_PIXELS {
            return Err(RenderError::new(
                format!("a picture of {} by {} pixels is too large", rect.width, rect.height),
                "pictures have at most 16384 pixels along each side",
            ));
        }
        let Some(camera) = average_camera(&scene.camera[0], &scene.camera[1]) else {
            return Err(RenderError::new(
                "cannot average perspective and orthographic cameras",
                "make both cameras of the scene orthographic, or neither",
            ));
        };
        if camera.frustum_near < 1e-15 || camera.frustum_near.is_nan() {
            if scene.settings.ngeom <= 0 {
                return Ok(());
            }
            return Err(RenderError::new(
                "mjvScene frustum_near too small in mjr_render",
                "update the scene before drawing it, and give cameras a positive near distance",
            ));
        }
        prepare(scene, &mut self.order);
        let beside = |start: i32, length: i32, room: i32| start >= room || start <= -length;
        if beside(rect.left, rect.width, target.width) || beside(rect.bottom, rect.height, target.height) {
            return Ok(());
        }
        target.fill(&rect, [0; 3]);
        clear_depth(target, &rect);
        let segment = scene.draws(RenderFlag::Segment);
        if scene.settings.stereo == Stereo::None as i32 {
            self.shot(&Shot { rect, camera, segment }, scene, context, target);
        } else {
            let half = Rect { width: rect.width / 2, ..rect };
            for (eye, camera) in scene.camera.into_iter().enumerate() {
                let rect = Rect { left: half.left + eye as i32 * half.width, ..half };
                if rect.width > 0 {
                    self.shot(&Shot { rect, camera, segment }, scene, context, target);
                }
            }
        }
        border(rect, scene, target);
        if scene.draws(RenderFlag::Depth) {
            show_depth(rect, target);
        }
        Ok(())
    }

    fn shot(&mut self, shot: &Shot, scene: &Scene, context: &Context, target: &mut Target) {
        let head = head_position(scene);
        let mirror_plane = if shot.segment { None } else { mirror_plane(scene, head) };
        self.assemble(shot, scene, context, head, mirror_plane);
        self.light(shot, scene, context, mirror_plane);
        let wireframe =
            (scene.draws(RenderFlag::Wireframe) && !shot.segment).then_some(context.settings.line_width);
        let four = context.settings.off_samples > 1 && !shot.segment;
        if four {
            self.setup.begin(shot.rect.width, shot.rect.height, &FOUR);
        } else {
            self.setup.begin(shot.rect.width, shot.rect.height, &ONE);
        }
        let direct = |layer: Layer| matches!(layer, Layer::Opaque | Layer::Late);
        self.place(shot, context, wireframe, direct);
        if four {
            self.reveal(&FOUR, scene, context);
        } else {
            self.reveal(&ONE, scene, context);
        }
        // What the mirror shows is set up only where it can be seen.
        if let Some(seen) = self.mirror_seen() {
            self.setup.within = seen;
            self.place(shot, context, wireframe, |layer| !direct(layer));
        }
        if four {
            self.finish(&FOUR, scene, context);
        } else {
            self.finish(&ONE, scene, context);
        }
        self.store(shot.rect, target);
    }

    /// Sets up the triangles of some layers.
    fn place(
        &mut self,
        shot: &Shot,
        context: &Context,
        wireframe: Option<f32>,
        chosen: impl Fn(Layer) -> bool,
    ) {
        let size = [shot.rect.width, shot.rect.height];
        let projection = camera_volume(&shot.camera, size)
            .project([0.0, 0.0], [f64::from(shot.rect.width), f64::from(shot.rect.height)]);
        for (index, draw) in self.draws.iter_mut().enumerate().filter(|(_, draw)| chosen(draw.layer)) {
            let Some(shape) = draw.shape.get(context, &self.dynamic) else { continue };
            if crate::assemble::may_show(&projection, size, draw, shape)
                && (draw.line_width.or(wireframe).is_some() || self.setup.within.may_show(draw, shape))
            {
                // The sky is filled even where everything else is lines.
                let lines = if draw.geom < 0 { None } else { wireframe };
                self.registers.run(Placing {
                    setup: &mut self.setup,
                    index: index as u32,
                    draw,
                    shape,
                    lines,
                });
            }
        }
    }

    /// The part of the picture where the mirror is visible.
    fn mirror_seen(&self) -> Option<Within> {
        if !self.draws.iter().any(|draw| draw.mirror != Mirror::No) {
            return None;
        }
        let mut seen: Option<Within> = None;
        let count = (self.setup.columns * self.setup.rows) as usize;
        for (number, tile) in self.tiles[..count].iter().enumerate() {
            let corner =
                [number as i32 % self.setup.columns * TILE, number as i32 / self.setup.columns * TILE];
            for place in tile.mirror_places() {
                let [row, column] = [corner[1] + place[0], corner[0] + place[1]];
                let seen = seen.get_or_insert(Within { columns: [column; 2], rows: [row; 2] });
                seen.columns = [seen.columns[0].min(column), seen.columns[1].max(column + GROUP as i32)];
                seen.rows = [seen.rows[0].min(row), seen.rows[1].max(row + 2)];
            }
        }
        let mut seen = seen?;
        seen.columns[1] = seen.columns[1].min(self.setup.width);
        seen.rows[1] = seen.rows[1].min(self.setup.height);
        Some(seen)
    }

    /// Collects the surfaces, each part of the picture in its order.
    fn assemble(
        &mut self,
        shot: &Shot,
        scene: &Scene,
        context: &Context,
        head: Vec3,
        mirror: Option<MirrorPlane>,
    ) {
        self.draws.clear();
        let size = [shot.rect.width, shot.rect.height];
        let mut assembly = Assembly {
            context,
            scene,
            view: camera_view(&shot.camera, scene),
            projection: camera_volume(&shot.camera, size)
                .project([0.0, 0.0], [f64::from(size[0]), f64::from(size[1])]),
            head,
            mirror,
            size,
            draws: &mut self.draws,
            dynamic: &mut self.dynamic,
            dynamic_used: 0,
        };
        let geoms = scene.shown_geoms();
        if shot.segment {
            for (index, _) in geoms.iter().enumerate().filter(|(_, geom)| geom.segid >= 0) {
                assembly.geom(index, Layer::Opaque, Purpose::Segment);
            }
            return;
        }
        let opaque = || geoms.iter().enumerate().filter(|(_, geom)| geom.transparent == 0);
        if let Some(plane) = mirror {
            for (index, _) in opaque().filter(|(index, _)| *index != plane.geom) {
                assembly.geom(index, Layer::MirrorOpaque, Purpose::Mirror);
            }
            for index in self.order.iter().filter(|index| **index as usize != plane.geom) {
                assembly.geom(*index as usize, Layer::MirrorLate, Purpose::Mirror);
            }
        }
        for (index, _) in opaque().filter(|(_, geom)| is_mirror(geom)) {
            assembly.geom(index, Layer::Opaque, Purpose::Picture);
        }
        for (index, _) in opaque().filter(|(_, geom)| !is_mirror(geom)) {
            assembly.geom(index, Layer::Opaque, Purpose::Picture);
        }
        if scene.draws(RenderFlag::Skybox) {
            assembly.sky(shot.camera.frustum_far);
        }
        for index in &self.order {
            assembly.geom(*index as usize, Layer::Late, Purpose::Picture);
        }
    }

    fn light(&mut self, shot: &Shot, scene: &Scene, context: &Context, mirror_plane: Option<MirrorPlane>) {
        let view = camera_view(&shot.camera, scene);
        self.lights.clear();
        self.mirror_lights.clear();
        self.plain.clear();
        self.shadowed.clear();
        self.lamps.clear();
        if shot.segment {
            return;
        }
        let shadows = scene.draws(RenderFlag::Shadow) && context.settings.shadow_size > 2;
        for (index, light) in scene.shown_lights().iter().take(MOST_LIGHTS).enumerate() {
            self.lights.push(EyeLight::new(light, &view));
            if let Some(plane) = &mirror_plane {
                let reflected = compose(&view, &mirror(plane.point, plane.axis));
                self.mirror_lights.push(EyeLight::new(light, &reflected));
            }
            if shadows && light.castshadow != 0 {
                self.shadowed.push(index);
                self.lamps.push(Lamp::new(light, &shot.camera, &context.settings));
            } else {
                self.plain.push(index);
            }
        }
    }

    /// What shading reads.
    fn stage<'a>(&'a self, scene: &Scene, context: &'a Context) -> Stage<'a> {
        let settings = &context.settings;
        let [r, g, b, _] = settings.fog_rgba;
        Stage {
            registers: self.registers,
            context,
            draws: &self.draws,
            dynamic: &self.dynamic,
            elements: &self.setup.elements,
            wires: &self.setup.wires,
            corners: &self.setup.corners,
            lights: Lights {
                all: &self.lights,
                mirrored: &self.mirror_lights,
                plain: &self.plain,
                shadowed: &self.shadowed,
                ambient: if scene.settings.nlight > 0 { 0.0 } else { 0.3 },
            },
            fog: (scene.draws(RenderFlag::Fog) && !scene.draws(RenderFlag::Segment))
                .then_some(Fog { start: settings.fog_start, end: settings.fog_end }),
            fog_rgb: [r, g, b],
        }
    }

    /// Finds the visible surfaces and their colours, with shadows.
    fn reveal<const S: usize>(&mut self, samples: &[[i32; 2]; S], scene: &Scene, context: &Context) {
        let count = (self.setup.columns * self.setup.rows) as usize;
        if self.tiles.len() < count {
            self.tiles.resize_with(count, TileState::default);
        }
        let threads = self.threads.clamp(1, count.max(1));
        if self.spaces.len() < threads {
            self.spaces.resize_with(threads, Workspace::default);
        }
        let lamps = self.lamps.len();
        self.spaces[..threads].iter_mut().for_each(|space| space.memory.begin(lamps));
        if self.covers.len() < lamps {
            self.covers.resize_with(lamps, Cover::default);
        }
        let pixels = i64::from(self.setup.width) * i64::from(self.setup.height);
        for (lamp, cover) in self.lamps.iter().zip(&mut self.covers) {
            cover.prepare(lamp, pixels, &self.draws, context, &self.dynamic);
        }
        self.each_tile(samples, scene, context, |job, tile, space| job.reveal(tile, space));
        let tiles = &mut self.tiles[..count];
        for (number, lamp) in self.lamps.iter().enumerate() {
            let queries = tiles.iter().flat_map(|tile| tile.queries[number].iter());
            self.shadow.run(self.registers, lamp, queries, &self.draws, context, &self.dynamic);
            for query in self.shadow.lit() {
                let fragment = query.fragment as usize;
                tiles[query.tile as usize].fragments[fragment / LANES].add(fragment % LANES, query.rgb);
            }
        }
    }

    /// Adds the mirror, haze and transparent surfaces.
    fn finish<const S: usize>(&mut self, samples: &[[i32; 2]; S], scene: &Scene, context: &Context) {
        self.each_tile(samples, scene, context, |job, tile, space| job.finish(tile, space));
    }

    fn each_tile<const S: usize>(
        &mut self,
        samples: &[[i32; 2]; S],
        scene: &Scene,
        context: &Context,
        work: impl Fn(&Job<'_, S>, &mut TileState, &mut Workspace) + Sync,
    ) {
        let (mut tiles, mut spaces) = (std::mem::take(&mut self.tiles), std::mem::take(&mut self.spaces));
        let count = (self.setup.columns * self.setup.rows) as usize;
        let threads = self.threads.clamp(1, count.max(1));
        let order = LateOrder { twice: !scene.draws(RenderFlag::Additive) };
        let stage = self.stage(scene, context);
        let (setup, lamps, covers) = (&self.setup, &self.lamps[..], &self.covers[..]);
        each_tile(&mut tiles[..count], &mut spaces[..threads], |number, tile, space| {
            work(&Job { stage: &stage, setup, number, samples, lamps, covers, order }, tile, space);
        });
        (self.tiles, self.spaces) = (tiles, spaces);
    }

    /// Copies the tiles' rows into the target.
    fn store(&self, rect: Rect, target: &mut Target) {
        let (columns, rows) = target.clip(&rect);
        for y in rows {
            let local_y = y - rect.bottom;
            let mut x = columns.start;
            while x < columns.end {
                let local_x = x - rect.left;
                let tile = &self.tiles[(local_y / TILE * self.setup.columns + local_x / TILE) as usize];
                let count = (TILE - local_x % TILE).min(columns.end - x);
                let from = (local_y % TILE * TILE + local_x % TILE) as usize;
                let (to, length) = (target.index(x, y), count as usize);
                let rgb = tile.rgb[from..from + length].as_flattened();
                target.rgb[3 * to..3 * (to + length)].copy_from_slice(rgb);
                target.depth[to..to + length].copy_from_slice(&tile.depth[from..from + length]);
                x += count;
            }
        }
    }
}

/// Runs a job on every tile, on as many threads as there are workspaces.
fn each_tile(
    tiles: &mut [TileState],
    spaces: &mut [Workspace],
    job: impl Fn(usize, &mut TileState, &mut Workspace) + Sync,
) {
    if let [space] = spaces {
        tiles.iter_mut().enumerate().for_each(|(number, tile)| job(number, tile, space));
        return;
    }
    let queue = Mutex::new(tiles.iter_mut().enumerate());
    std::thread::scope(|scope| {
        for space in spaces {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().map_or(None, |mut queue| queue.next());
                    let Some((number, tile)) = next else { break };
                    job(number, tile, space);
                }
            });
        }
    });
}

/// Notes for drawing: what is transparent and how far away, in order of distance; at most one mirror.
fn prepare(scene: &mut Scene, order: &mut Vec<u32>) {
    let head = head_position(scene);
    let count = scene.shown_geoms().len();
    order.clear();
    let mut mirror_found = false;
    for (index, geom) in scene.geoms[..count].iter_mut().enumerate() {
        let plane = geom.r#type == GeomType::Plane as i32;
        let transparent = f64::from(geom.rgba[3]) < 0.995 || (plane && is_behind(head, geom));
        geom.transparent = u8::from(transparent);
        if transparent {
            order.push(index as u32);
            let way = sub(geom.pos, head);
            geom.camdist = if plane { 1e10 } else { dot(way, way).sqrt() - bounding_radius(geom) };
        }
        if mirror_found {
            geom.reflectance = 0.0;
        } else {
            mirror_found = is_mirror(geom);
        }
    }
    // Adding zero makes both zeros equal; equal distances keep the order of the elements. Unlike a stable sort this allocates nothing.
    order.sort_unstable_by(|a, b| {
        let distance = |index: &u32| scene.geoms[*index as usize].camdist + 0.0;
        distance(a).total_cmp(&distance(b)).then(a.cmp(b))
    });
    for (slot, index) in scene.geomorder.iter_mut().zip(order.iter()) {
        *slot = *index as i32;
    }
}

/// Radius of the sphere around an element.
fn bounding_radius(geom: &condyle_vis::Geom) -> f32 {
    if geom.objtype == ObjectType::Geom as i32 {
        return geom.modelrbound;
    }
    let [x, y, z] = geom.size;
    match geom.shape() {
        Some(GeomType::Sphere) => x,
        Some(GeomType::Capsule) => x + z,
        Some(GeomType::Cylinder) => (x * x + z * z).sqrt(),
        Some(GeomType::Box) => (x * x + y * y + z * z).sqrt(),
        _ => x.max(y).max(z),
    }
}

fn mirror_plane(scene: &Scene, head: Vec3) -> Option<MirrorPlane> {
    if !scene.draws(RenderFlag::Reflection) || scene.draws(RenderFlag::Depth) {
        return None;
    }
    let (index, geom) = scene.shown_geoms().iter().enumerate().find(|(_, geom)| is_mirror(geom))?;
    let axis = axis_of(geom);
    let point =
        if geom.r#type == GeomType::Box as i32 { add(geom.pos, scale(axis, geom.size[2])) } else { geom.pos };
    let in_front = dot(sub(head, point), axis) >= 0.0;
    in_front.then_some(MirrorPlane { geom: index, point, axis, reflectance: geom.reflectance })
}

fn clear_depth(target: &mut Target, rect: &Rect) {
    let (columns, rows) = target.clip(rect);
    for y in rows {
        let start = target.index(columns.start, y);
        let end = start + columns.len();
        target.depth[start..end].fill(0.0);
    }
}

/// Frame around the picture.
fn border(rect: Rect, scene: &Scene, target: &mut Target) {
    let width = scene.settings.framewidth;
    if width <= 0 {
        return;
    }
    let rgb = scene.settings.framergb.map(quantize);
    let Rect { left, bottom, width: columns, height: rows } = rect;
    for edge in [
        Rect { left, bottom, width: columns, height: width },
        Rect { left, bottom: bottom + rows - width, width: columns, height: width },
        Rect { left, bottom, width, height: rows },
        Rect { left: left + columns - width, bottom, width, height: rows },
    ] {
        target.fill(&edge, rgb);
    }
}

/// Depth as grey, in place of colours.
fn show_depth(rect: Rect, target: &mut Target) {
    let (columns, rows) = target.clip(&rect);
    for y in rows {
        for x in columns.clone() {
            let at = target.index(x, y);
            let grey = quantize(target.depth[at]);
            target.rgb[3 * at..3 * at + 3].fill(grey);
        }
    }
}
