//! Whatever the poses, sizes and margins: collision, distances, rays and explanations give an answer.
//!
//! Contract: for every pair of geom types, with numbers that are not finite, huge, tiny, negative or zero in poses, sizes, bounding
//! radii, margins and height fields, nothing panics, and no pair makes more than 50 contacts.
//! `CONDYLE_FUZZ_CASES` sets the number of placements per pair and algorithm (default 150).

use condyle::model::{GeomType, Model, disable, enable};
use condyle::query::{distance, ray};
use condyle::{Data, LoadOptions, explain_pair, forward, load_str};
use condyle_collide::ray::Ray;
use condyle_engine::step::stages;

const SHAPES: [&str; 9] =
    ["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"];
const STRANGE: [f64; 14] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    1e308,
    -1e308,
    1e154,
    1e16,
    1e-320,
    1e-160,
    0.0,
    -0.0,
    -1.0,
    1e-9,
    0.5,
];

/// A small generator of random numbers; the sequence is fixed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn strange(&mut self) -> f64 {
        STRANGE[self.below(STRANGE.len())]
    }
}

fn cases() -> usize {
    std::env::var("CONDYLE_FUZZ_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(150)
}

fn scene(first: &str, second: &str) -> Model {
    let geom = |name: &str, kind: &str, mesh: &str| {
        let shape = match kind {
            "mesh" | "sdf" => format!("mesh=\"{mesh}\""),
            "hfield" => "hfield=\"hills\"".to_owned(),
            _ => "size=\".3 .4 .5\"".to_owned(),
        };
        let joint = if matches!(kind, "plane" | "hfield") { "" } else { "<freejoint/>" };
        format!("<body pos='0 0 .3'>{joint}<geom name='{name}' type='{kind}' {shape}/></body>")
    };
    let heights: Vec<String> = (0..30).map(|i| format!("{}", (i * 7 % 11) as f64 / 11.0)).collect();
    let text = format!(
        r#"<mujoco>
          <asset>
            <mesh name="rock" vertex="0 0 0 .6 0 0 0 .5 0 0 0 .4 .4 .4 .4 -.2 .1 .3 .1 -.3 .2 .3 .3 -.2 -.2 -.2 -.1 .5 -.1 .3 .2 .4 .5"/>
            <mesh name="wedge" vertex="0 0 0 .6 0 0 0 .5 0 0 0 .4"/>
            <hfield name="hills" nrow="5" ncol="6" size="1 1 .5 .1" elevation="{}"/>
          </asset>
          <worldbody>{}{}</worldbody>
          <contact><pair geom1="a" geom2="b" margin=".05"/></contact>
        </mujoco>"#,
        heights.join(" "),
        geom("a", first, "rock"),
        geom("b", second, "wedge"),
    );
    load_str(&text, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model
}

/// Put random numbers, some of them strange, where a pair test reads them.
fn disturb(model: &mut Model, data: &mut Data, fresh: (&Model, &Data), random: &mut Random) {
    model.geom_size.copy_from_slice(&fresh.0.geom_size);
    model.geom_rbound.copy_from_slice(&fresh.0.geom_rbound);
    model.geom_aabb.copy_from_slice(&fresh.0.geom_aabb);
    model.hfield_size.copy_from_slice(&fresh.0.hfield_size);
    model.hfield_data.copy_from_slice(&fresh.0.hfield_data);
    model.pair_margin[0] = if random.below(3) == 0 { random.strange() } else { 0.05 };
    let kinematics = &mut data.kinematics;
    kinematics.geom_xmat.copy_from_slice(&fresh.1.kinematics.geom_xmat);
    for position in &mut kinematics.geom_xpos {
        *position = [0; 3].map(|_| random.unit() - 0.5);
    }
    for _ in 0..1 + random.below(4) {
        let (geom, value) = (random.below(2), random.strange());
        match random.below(7) {
            0 | 1 => kinematics.geom_xpos[geom][random.below(3)] = value,
            2 | 3 => kinematics.geom_xmat[geom][random.below(9)] = value,
            4 => model.geom_size[geom][random.below(3)] = value,
            5 => model.geom_rbound[geom] = value,
            _ if model.nhfield > 0 && random.below(2) == 0 => {
                let place = random.below(model.hfield_data.len());
                model.hfield_data[place] = value as f32;
            }
            _ if model.nhfield > 0 => model.hfield_size[0][random.below(4)] = value,
            _ => model.geom_aabb[geom][random.below(6)] = value,
        }
    }
}

#[test]
fn no_pose_size_or_margin_stops_a_pair_of_shapes() {
    let (mut random, mut contacts, mut tested) = (Random(0x9E37_79B9_7F4A_7C15), 0, 0);
    for (i, first) in SHAPES.iter().enumerate() {
        for second in &SHAPES[i..] {
            let fresh_model = scene(first, second);
            let mut fresh = Data::new(&fresh_model);
            forward(&fresh_model, &mut fresh);
            for (native, multiple) in [(true, false), (true, true), (false, false), (false, true)] {
                let (mut model, mut data) = (fresh_model.clone(), fresh.clone());
                model.opt.disableflags = if native { 0 } else { disable::NATIVECCD };
                model.opt.enableflags = if multiple { enable::MULTICCD } else { 0 };
                for _ in 0..cases() {
                    disturb(&mut model, &mut data, (&fresh_model, &fresh), &mut random);
                    stages::collision(&model, &mut data);
                    assert!(data.contacts.len() <= 50, "{first} {second}: {}", data.contacts.len());
                    contacts += data.contacts.len();
                    tested += 1;
                    look_at(&model, &mut data, &mut random);
                }
            }
        }
    }
    assert!(contacts > tested / 4, "{contacts} contacts in {tested} placements");
}

/// Everything else that reads the poses of the two geoms.
fn look_at(model: &Model, data: &mut Data, random: &mut Random) {
    assert!(explain_pair(model, data, 0, 1).is_some());
    let cutoff = if random.below(2) == 0 { random.strange() } else { 1.0 };
    let _ = distance::geom_distance(model, data, 0, 1, cutoff);
    let mut vector =
        || [0; 3].map(|_| if random.below(4) == 0 { random.strange() } else { random.unit() - 0.5 });
    let cast = Ray { origin: vector(), direction: vector() };
    let _ = ray::cast(model, &data.kinematics, &cast, &ray::RayFilter::ALL);
    assert!(data.contact_reports(model).len() == data.contacts.len());
}

#[test]
fn every_type_of_geom_touches_something_in_our_models() {
    let mut seen = [[false; 9]; 9];
    let mut seen_flex = [false; 2];
    for (_, model) in crate::models::all() {
        let mut data = Data::new(&model);
        for _ in 0..200 {
            condyle::step(&model, &mut data);
        }
        for contact in &data.contacts {
            match contact.geom.map(usize::try_from) {
                [Ok(geom1), Ok(geom2)] => {
                    let [a, b] = [geom1, geom2].map(|geom| model.geom_type[geom] as usize);
                    seen[a][b] = true;
                }
                geoms => seen_flex[usize::from(geoms[0].is_ok())] = true,
            }
        }
    }
    assert_eq!(seen_flex, [true; 2], "flexes touch flexes and geoms");
    // Steps on these models are checked to allocate nothing; here, that they have these contacts.
    for kind in [GeomType::HField, GeomType::Mesh, GeomType::Sdf] {
        let kind = kind as usize;
        let count = (0..9).filter(|other| seen[kind][*other] || seen[*other][kind]).count();
        assert!(count > 0, "no contact with geom type {kind}");
    }
}
