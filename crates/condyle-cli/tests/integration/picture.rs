//! `condyle render` and the video of a run.

use std::io::Cursor;

use crate::common::{Folder, command, model, refused, stderr, text};

const SCENE: &str = "<mujoco><option timestep='0.01'/><worldbody><light pos='0 0 3'/><camera name='above' pos='0 0 3'/>
    <geom type='plane' size='2 2 .1'/><body name='box' pos='0 0 1'><freejoint/><geom type='box' size='.5 .5 .1' rgba='1 0 0 1'/></body>
    </worldbody></mujoco>";

/// Size and bytes of a PNG.
fn read(path: &std::path::Path) -> (u32, u32, Vec<u8>, Option<u32>) {
    let bytes = std::fs::read(path).expect("the picture is there");
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("a frame");
    let frames = reader.info().animation_control().map(|control| control.num_frames);
    (reader.info().width, reader.info().height, pixels, frames)
}

#[test]
fn a_picture_shows_the_model_from_the_chosen_camera() {
    let folder = Folder::new("picture");
    let scene = folder.file("scene.xml", SCENE);
    let picture = folder.name("above.png");
    let said = text(&["render", &scene, "--camera", "above", "--size", "64x48", "-o", &picture]);
    assert!(said.contains("64x48"), "{said}");
    let (width, height, pixels, _) = read(&folder.path("above.png"));
    assert_eq!((width, height), (64, 48));
    let middle = 3 * (24 * 64 + 32);
    assert!(
        pixels[middle] > 80 && pixels[middle] / 2 > pixels[middle + 1],
        "{:?}",
        &pixels[middle..middle + 3]
    );
    // The same picture on every call.
    text(&["render", &scene, "--camera", "above", "--size", "64x48", "-o", &folder.name("again.png")]);
    assert_eq!(pixels, read(&folder.path("again.png")).2);
}

#[test]
fn depth_is_in_millimetres_and_segmentation_has_colours() {
    let folder = Folder::new("depth");
    let scene = folder.file("scene.xml", SCENE);
    text(&["render", &scene, "--camera", "above", "--size", "33x33", "--depth", "-o", &folder.name("d.png")]);
    let (_, _, depth, _) = read(&folder.path("d.png"));
    let middle = 2 * (16 * 33 + 16);
    let millimetres = u16::from_be_bytes([depth[middle], depth[middle + 1]]);
    assert!((1895..=1905).contains(&millimetres), "{millimetres}");

    text(&["render", &scene, "--camera", "above", "--size", "33x33", "--depth", "-o", &folder.name("d.npy")]);
    let array = std::fs::read(folder.path("d.npy")).expect("an array");
    let at = array.len() - 4 * 33 * 33 + 4 * (16 * 33 + 16);
    let metres = f32::from_le_bytes(array[at..at + 4].try_into().expect("four bytes"));
    assert!((metres - 1.9).abs() < 1e-3, "{metres}");

    let arguments = ["render", &scene, "--camera", "above", "--size", "33x33", "--segmentation", "-o"];
    text(&[&arguments[..], &[&folder.name("s.npy")]].concat());
    let array = std::fs::read(folder.path("s.npy")).expect("an array");
    let at = array.len() - 8 * 33 * 33 + 8 * (16 * 33 + 16);
    assert_eq!(array[at..at + 8], [1, 0, 0, 0, 5, 0, 0, 0], "geom 1");
    text(&[&arguments[..], &[&folder.name("s.png")]].concat());
    let (_, _, pixels, _) = read(&folder.path("s.png"));
    assert_ne!(pixels[..3], pixels[3 * (16 * 33 + 16)..][..3]);
}

#[test]
fn what_cannot_be_drawn_is_refused_before_the_work_begins() {
    let folder = Folder::new("refused-pictures");
    let scene = folder.file("scene.xml", SCENE);
    let out = folder.name("x.png");
    assert!(refused(&["render", &scene, "-o", &folder.name("x.jpg")]).contains(".png or .npy"));
    assert!(refused(&["render", &scene, "-o", &folder.name("no/x.png")]).contains("x.png"));
    assert!(refused(&["render", &scene, "-o", &out, "--camera", "abvoe"]).contains("did you mean 'above'?"));
    assert!(refused(&["render", &scene, "-o", &out, "--size", "0x5"]).contains("1 to 16384"));
    assert!(refused(&["render", &scene, "-o", &out, "--size", "big"]).contains("640x480"));
    assert!(refused(&["render", &scene, "-o", &out, "--show", "list"]).contains("contact-force"));
    assert!(refused(&["run", &scene, "--size", "8x8"]).contains("--video"));
    assert!(refused(&["run", &scene, "--video", &folder.name("x.avi")]).contains(".gif"));
    assert!(refused(&["run", &scene, "--video", &folder.name("x.gif"), "--fps", "0"]).contains("--fps"));
    let long = ["run", &scene, "--seconds", "1e6", "--video", &folder.name("x.gif")];
    assert!(refused(&long).contains("too long"));
    let empty = folder.name("empty.gif");
    assert!(refused(&["run", &scene, "--seconds", "0", "--video", &empty]).contains("no frames"));
    assert!(!folder.path("empty.gif").exists());
    let without = command(&["run", &scene, "--video", &folder.name("x.mp4")]).env("PATH", "").output();
    assert!(stderr(&without.expect("it runs")).contains("ffmpeg, which is not installed"));
}

#[test]
fn every_refusal_says_what_to_do() {
    let folder = Folder::new("helpful-pictures");
    let scene = folder.file("scene.xml", SCENE);
    let out = folder.name("x.png");
    for arguments in [
        ["--camera", "front"],
        ["--camera", "1,2"],
        ["--camera", "0,nan,1"],
        ["--camera", "0,0,0"],
        ["--track", "bxo"],
        ["--show", "shadwo"],
        ["--size", "0x5"],
        ["--key", "-1"],
        ["--key", "home"],
        ["--time", "-1"],
        ["--time", "nan"],
        ["--time", "1e300"],
    ] {
        let said = refused(&[&["render", &scene, "-o", &out][..], &arguments].concat());
        assert!(said.contains("\n  = help: "), "{arguments:?}: {said}");
    }
    for rate in ["-3", "0", "60", "nan"] {
        let said = refused(&["run", &scene, "--video", &folder.name("x.gif"), "--fps", rate]);
        assert!(said.contains("\n  = help: "), "{rate}: {said}");
    }
}

#[test]
fn a_run_is_drawn_at_the_chosen_rate() {
    let folder = Folder::new("video");
    let scene = folder.file("scene.xml", SCENE);
    let run = ["run", &scene, "--seconds", "0.5", "--fps", "20", "--size", "32x24", "--video"];
    let said = text(&[&run[..], &[&folder.name("x.apng")]].concat());
    assert!(said.contains("drew 10 frames"), "{said}");
    let (width, height, _, frames) = read(&folder.path("x.apng"));
    assert_eq!((width, height, frames), (32, 24, Some(10)));

    text(&[&run[..], &[&folder.name("x.gif")]].concat());
    let mut reader = gif::DecodeOptions::new()
        .read_info(std::fs::File::open(folder.path("x.gif")).expect("a file"))
        .expect("a GIF");
    let (mut frames, mut time) = (0, 0);
    while let Some(frame) = reader.read_next_frame().expect("a frame") {
        frames += 1;
        time += u32::from(frame.delay);
    }
    assert_eq!((frames, time), (10, 50));
}

#[test]
fn drawing_does_not_change_the_run() {
    let folder = Folder::new("undisturbed");
    let figure = model("bench/figure.xml");
    let run = ["run", &figure, "--steps", "60", "--record"];
    text(&[&run[..], &[&folder.name("plain.csv")]].concat());
    let video = folder.name("x.apng");
    text(&[&run[..], &[&folder.name("drawn.csv"), "--size", "16x16", "--video", &video]].concat());
    let read = |name: &str| std::fs::read(folder.path(name)).expect("a recording");
    assert!(read("plain.csv") == read("drawn.csv"));
}
