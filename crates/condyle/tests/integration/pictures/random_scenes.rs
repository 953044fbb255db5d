//! Scenes with broken textures, sizes of zero, numbers that are none and huge coordinates are drawn, or refused, and never panic.
//!
//! `CONDYLE_RANDOM_SCENES=20000` draws that many instead of a sample.

use condyle::pictures::{Camera, Context, Rect, Renderer, Scene, Target};
use condyle::{LoadOptions, Model, Sim, load_str, vis};

use super::Random;

const MODEL: &str = "<mujoco><visual><global offwidth='256' offheight='256'/></visual>
  <asset><texture name='sky' type='skybox' builtin='gradient' rgb1='.3 .5 .7' rgb2='0 0 0' width='16' height='96'/>
    <texture name='grid' type='2d' builtin='checker' rgb1='.1 .2 .3' rgb2='.8 .8 .8' width='32' height='32'/>
    <texture name='cube' type='cube' builtin='flat' rgb1='1 0 0' rgb2='0 1 0' width='8' height='48'/>
    <material name='floor' texture='grid' texrepeat='4 4' reflectance='.3'/><material name='cube' texture='cube'/>
    <mesh name='wedge' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><hfield name='hill' nrow='3' ncol='3' size='1 1 .3 .1' elevation='0 1 0 1 2 1 0 1 0'/></asset>
  <worldbody><light pos='0 0 3' castshadow='true'/><light pos='1 0 3' type='spot'/><light pos='1 1 2' dir='0 .1 -1' type='directional'/>
    <geom type='plane' size='3 3 .1' material='floor'/><geom type='hfield' hfield='hill' pos='2 0 0'/>
    <body pos='0 0 1'><freejoint/><geom type='mesh' mesh='wedge' material='cube'/><site size='.1' rgba='1 0 0 .3'/></body>
    <body pos='0 1 1'><freejoint/><geom type='capsule' size='.1 .3'/></body><body pos='0 -1 1'><freejoint/><geom type='ellipsoid' size='.1 .3 .2'/></body>
    <body pos='1 1 1'><freejoint/><geom type='cylinder' size='.1 .3' rgba='0 1 0 .5'/></body><body pos='1 -1 1'><freejoint/><geom type='box' size='.1 .3 .2'/></body>
    <flexcomp name='cloth' type='grid' count='3 3 1' spacing='.2 .2 .2' pos='0 0 2' radius='.01' dim='2' mass='1'/>
  </worldbody></mujoco>";

fn number(random: &mut Random) -> f32 {
    match random.below(14) {
        0 => f32::NAN,
        1 => f32::INFINITY,
        2 => f32::NEG_INFINITY,
        3 => f32::MAX,
        4 => -f32::MAX,
        5 => 0.0,
        6 => f32::MIN_POSITIVE,
        7 => 1e20,
        8 => -1e10,
        9 => 1e-20,
        10 => -1.0,
        _ => (random.next() >> 40) as f32 / (1u64 << 22) as f32 - 2.0,
    }
}

fn integer(random: &mut Random) -> i32 {
    match random.below(8) {
        0 => i32::MIN,
        1 => i32::MAX,
        2 => -1,
        3 => 1000 + random.below(4) as i32,
        4 => 100 + random.below(14) as i32,
        _ => random.below(12) as i32,
    }
}

fn spoil(values: &mut [f32], random: &mut Random) {
    for value in values {
        if random.chance(2) {
            *value = number(random);
        }
    }
}

fn spoil_scene(scene: &mut Scene, random: &mut Random) {
    let shown = scene.shown_geoms().len();
    for geom in scene.geoms.iter_mut().take(shown + 2) {
        match random.below(12) {
            0 => spoil(&mut geom.size, random),
            1 => spoil(&mut geom.pos, random),
            2 => spoil(&mut geom.mat, random),
            3 => spoil(&mut geom.rgba, random),
            4 => geom.r#type = integer(random),
            5 => geom.dataid = integer(random),
            6 => geom.matid = integer(random),
            7 => (geom.objtype, geom.objid, geom.segid) = (integer(random), integer(random), integer(random)),
            8 => (geom.reflectance, geom.shininess) = (number(random), number(random)),
            9 => geom.texcoord = integer(random),
            _ => {}
        }
    }
    let settings = &mut scene.settings;
    if random.chance(4) {
        settings.ngeom =
            if random.chance(3) { integer(random) } else { shown as i32 + random.below(3) as i32 };
    }
    if random.chance(6) {
        settings.nlight = integer(random);
    }
    if random.chance(3) {
        let flag = random.below(settings.flags.len());
        settings.flags[flag] ^= 1;
    }
    if random.chance(8) {
        settings.enabletransform = 1;
        spoil(&mut settings.translate, random);
        spoil(&mut settings.rotate, random);
        settings.scale = number(random);
    }
    settings.stereo = if random.chance(8) { integer(random) } else { 0 };
    if random.chance(8) {
        (settings.framewidth, settings.framergb) = (integer(random), [number(random); 3]);
    }
    for light in &mut scene.lights {
        match random.below(10) {
            0 => spoil(&mut light.pos, random),
            1 => spoil(&mut light.dir, random),
            2 => (light.r#type, light.texid) = (integer(random), integer(random)),
            3 => spoil(&mut light.attenuation, random),
            4 => (light.cutoff, light.exponent, light.castshadow) = (number(random), number(random), 1),
            _ => {}
        }
    }
    for eye in &mut scene.camera {
        match random.below(12) {
            0 => spoil(&mut eye.pos, random),
            1 => spoil(&mut eye.forward, random),
            2 => spoil(&mut eye.up, random),
            3 => (eye.frustum_near, eye.frustum_far) = (number(random), number(random)),
            4 => {
                (eye.frustum_top, eye.frustum_bottom, eye.frustum_center) =
                    (number(random), number(random), number(random))
            }
            5 => eye.orthographic = integer(random),
            _ => {}
        }
    }
    if random.chance(5) {
        let flexes = &mut scene.flexes;
        match random.below(5) {
            0 => spoil(&mut flexes.flexvert, random),
            1 => spoil(&mut flexes.flexface, random),
            2 => flexes.flexfaceused.iter_mut().for_each(|value| *value = integer(random)),
            3 => flexes.flexedge.iter_mut().for_each(|value| *value = integer(random)),
            _ => flexes.flexvertadr.iter_mut().for_each(|value| *value = integer(random)),
        }
    }
}

fn scenes(count: u64) {
    let model: Model = load_str(MODEL, &LoadOptions::default()).expect("the scene loads").model;
    let mut sim = Sim::new(model);
    sim.forward();
    let context = Context::new(&sim.model).expect("a context");
    let mut renderer = Renderer::default();
    let mut drawn = 0;
    for seed in 0..count {
        let mut random = Random(seed);
        let mut scene = Scene::new(&sim.model, 100);
        let mut camera = Camera::free(&sim.model);
        let options = vis::Options::default();
        let everything = vis::Category::ALL_BITS;
        let still = vis::Perturbation::default();
        vis::update_scene(&sim.model, &sim.data, &options, &still, &mut camera, everything, &mut scene)
            .expect("a scene");
        spoil_scene(&mut scene, &mut random);
        let [width, height] = [0, 1].map(|_| random.below(48) as i32);
        let mut target = Target::new(width, height);
        let rect = match random.below(6) {
            0 => Rect { left: integer(&mut random), bottom: integer(&mut random), width, height },
            1 => Rect { left: 0, bottom: 0, width: integer(&mut random), height: integer(&mut random) },
            _ => Rect { left: 0, bottom: 0, width, height },
        };
        renderer.threads = 1 + random.below(3);
        drawn += u64::from(renderer.render(rect, &mut scene, &context, &mut target).is_ok());
    }
    assert!(drawn > count / 4, "{drawn} of {count} scenes were drawn");
}

#[test]
fn no_scene_panics() {
    let count = std::env::var("CONDYLE_RANDOM_SCENES").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    scenes(count);
}
