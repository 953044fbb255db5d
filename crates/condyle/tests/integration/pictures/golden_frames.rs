//! Frames of forty models have the hashes in `conformance/golden_frames.txt`, for one to eight threads and with and without wide registers.
//!
//! `CONDYLE_WRITE_GOLDENS=1 cargo test -p condyle --test integration golden_frames` writes the file anew; look at the difference before it is committed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use condyle::Sim;
use condyle::pictures::{Camera, Kind, Photographer, Registers, RenderFlag, VisualFlag};

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

/// Colours, depth and segmentation of a model as one hash, for each way to make them.
fn frames(number: usize, name: &str, ways: &[(usize, Registers)]) -> Vec<u64> {
    let mut sim =
        Sim::load(root().join("models").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    sim.forward();
    // Endless planes follow the camera of the last picture, so each is the first of its photographer.
    let make = |(threads, registers): &(usize, Registers)| {
        let mut photographer = Photographer::new(&sim.model, 120, 90).expect(name);
        (photographer.renderer.threads, photographer.renderer.registers) = (*threads, *registers);
        photographer.options.set(VisualFlag::ContactForce, number.is_multiple_of(3));
        photographer.options.set(VisualFlag::Joint, number % 3 == 1);
        photographer.options.set(VisualFlag::Transparent, number % 5 == 2);
        photographer.scene.settings.flags[RenderFlag::Wireframe as usize] = u8::from(number % 8 == 7);
        frame(&sim, &mut photographer, name)
    };
    ways.iter().map(make).collect()
}

fn frame(sim: &Sim, photographer: &mut Photographer, name: &str) -> u64 {
    let mut camera = Camera::free(&sim.model);
    photographer.take(&sim.model, &sim.data, &mut camera, Kind::Color).expect(name);
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
