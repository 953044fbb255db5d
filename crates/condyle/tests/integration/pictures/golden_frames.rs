//! Frames of forty models have the hashes in `conformance/golden_frames.txt`, for one to eight threads, with and without wide registers, and
//! on every system.
//!
//! Drawing uses exactly rounded operations alone. What is drawn does not: poses, cameras and meshes come from simulations, where the last bits of a
//! sine are those of the system's mathematical library. So the numbers of a scene are rounded here before it is drawn, to fewer digits than such
//! libraries differ in.
//!
//! `CONDYLE_WRITE_GOLDENS=1 cargo test -p condyle --test integration golden_frames` writes the file anew; look at the difference before it is committed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use condyle::pictures::{Camera, Kind, Photographer, Registers, RenderFlag, Scene, VisualFlag};
use condyle::vis::GlCamera;
use condyle::{Data, Model, Sim};

const COUNT: usize = 40;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// FNV-1a.
fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |value, byte| (value ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A number with 12 binary digits; zero in place of what rounding leaves of differences.
fn rounded(value: f32) -> f32 {
    if value.abs() < 1e-6 {
        return 0.0;
    }
    f32::from_bits(value.to_bits().saturating_add(0x0800) & !0x0FFF)
}

fn round<'a>(values: impl IntoIterator<Item = &'a mut f32>) {
    values.into_iter().for_each(|value| *value = rounded(*value));
}

/// Rounds what pictures take from the model and the system's mathematical library may have a part in.
fn round_model(model: &mut Model) {
    model.stat.extent = f64::from(rounded(model.stat.extent as f32));
    round(model.mesh_vert.as_flattened_mut());
    round(model.mesh_normal.as_flattened_mut());
    round(model.hfield_data.iter_mut());
}

fn round_scene(scene: &mut Scene) {
    for geom in &mut scene.geoms {
        round(geom.size.iter_mut().chain(&mut geom.pos).chain(&mut geom.mat).chain(&mut geom.rgba));
        round([&mut geom.modelrbound]);
    }
    for light in &mut scene.lights {
        round(light.pos.iter_mut().chain(&mut light.dir).chain([&mut light.cutoff]));
    }
    for camera in &mut scene.camera {
        round(camera.pos.iter_mut().chain(&mut camera.forward).chain(&mut camera.up));
        let GlCamera { frustum_center, frustum_width, frustum_bottom, frustum_top, .. } = camera;
        round([frustum_center, frustum_width, frustum_bottom, frustum_top]);
        round([&mut camera.frustum_near, &mut camera.frustum_far]);
    }
    let (flexes, skins) = (&mut scene.flexes, &mut scene.skins);
    for values in
        [&mut flexes.flexvert, &mut flexes.flexface, &mut flexes.flexnormal, &mut flexes.flextexcoord]
    {
        round(values.iter_mut());
    }
    round(skins.skinvert.iter_mut().chain(&mut skins.skinnormal));
}

/// Colours, depth and segmentation of a model as one hash, for each way to make them.
fn frames(number: usize, name: &str, ways: &[(usize, Registers)]) -> Vec<u64> {
    let mut sim =
        Sim::load(root().join("models").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    sim.forward();
    let mut model = (*sim.model).clone();
    round_model(&mut model);
    // Endless planes follow the camera of the last picture, so each is the first of its photographer.
    let make = |(threads, registers): &(usize, Registers)| {
        let mut photographer = Photographer::new(&model, 120, 90).expect(name);
        (photographer.renderer.threads, photographer.renderer.registers) = (*threads, *registers);
        photographer.options.set(VisualFlag::ContactForce, number.is_multiple_of(3));
        photographer.options.set(VisualFlag::Joint, number % 3 == 1);
        photographer.options.set(VisualFlag::Transparent, number % 5 == 2);
        photographer.scene.settings.flags[RenderFlag::Wireframe as usize] = u8::from(number % 8 == 7);
        frame(&model, &sim.data, &mut photographer, name)
    };
    ways.iter().map(make).collect()
}

fn frame(model: &Model, data: &Data, photographer: &mut Photographer, name: &str) -> u64 {
    let mut camera = Camera::free(model);
    photographer.look(model, data, &mut camera).expect(name);
    round_scene(&mut photographer.scene);
    photographer.develop(Kind::Color).expect(name);
    let mut rgb = vec![0; 120 * 90 * 3];
    photographer.read_color(&mut rgb);
    photographer.develop(Kind::Segmentation).expect(name);
    let (mut depth, mut segmentation) = (vec![0.0; 120 * 90], vec![0; 120 * 90 * 2]);
    photographer.read_depth(&mut depth);
    photographer.read_segmentation(&mut segmentation);
    let depth = depth.into_iter().flat_map(f32::to_le_bytes);
    hash(rgb.into_iter().chain(depth).chain(segmentation.into_iter().flat_map(i32::to_le_bytes)))
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && path.file_name().is_some_and(|name| name != "malformed") {
            files(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "xml") {
            out.push(path);
        }
    }
}

/// Models spread over all that load.
fn choose() -> Vec<String> {
    let models = root().join("models");
    let mut all = Vec::new();
    files(&models, &mut all);
    all.retain(|path| Sim::load(path).is_ok());
    let names = all.iter().map(|path| path.strip_prefix(&models).expect("inside").display().to_string());
    let names: Vec<String> = names.collect();
    (0..COUNT).map(|index| names[index * names.len() / COUNT].clone()).collect()
}

#[test]
fn rounding_takes_the_last_digits_away() {
    for value in [0.3_f32, -7.25, 1e-3, 123.456, 1e8] {
        let near = f32::from_bits(value.to_bits() + 3);
        assert_eq!(rounded(value).to_bits(), rounded(near).to_bits());
        assert!((rounded(value) - value).abs() <= value.abs() / 4096.0);
    }
    assert_eq!(rounded(-6e-17).to_bits(), 0);
}

#[test]
fn forty_frames_have_their_hashes_on_any_number_of_threads_and_any_registers() {
    let mut ways: Vec<(usize, Registers)> = (1..=8).map(|threads| (threads, Registers::Widest)).collect();
    ways.extend([(1, Registers::Base), (8, Registers::Base)]);
    let path = root().join("conformance/golden_frames.txt");
    if std::env::var_os("CONDYLE_WRITE_GOLDENS").is_some() {
        let mut text =
            String::from("# Hash of colours, depth and segmentation of the first frame of each model.\n");
        for (number, name) in choose().iter().enumerate() {
            let _ = writeln!(text, "{:016x} {name}", frames(number, name, &[(1, Registers::Widest)])[0]);
        }
        std::fs::write(&path, text).expect("the file is written");
    }
    let text =
        std::fs::read_to_string(&path).expect("conformance/golden_frames.txt is part of the repository");
    let lines: Vec<(&str, &str)> =
        text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' ')).collect();
    assert_eq!(lines.len(), COUNT);
    let mut wrong = Vec::new();
    for (number, (expected, name)) in lines.into_iter().enumerate() {
        for (found, way) in frames(number, name, &ways).into_iter().zip(&ways) {
            let found = format!("{found:016x}");
            if found != expected {
                wrong.push(format!("{name}, threads and registers {way:?}: {found}, not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
