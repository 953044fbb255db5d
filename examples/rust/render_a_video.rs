//! Thirty pictures of a robot per second, one by one. `render_a_video out.y4m` writes them as a video that players and `ffmpeg` read;
//! `condyle run robot.xml --video out.gif` does it all.

use std::error::Error;
use std::io::Write;

use condyle::pictures::{Kind, Photographer, camera_numbered};
use condyle::prelude::*;

const MODEL: &str = include_str!("../../models/robot/quadruped.xml");

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    sim.reset_to_keyframe("0");
    let (width, height) = (160, 120);
    let mut photographer = Photographer::new(&sim.model, width, height)?;
    let mut camera = camera_numbered(&sim.model, 0)?;
    let mut video = std::env::args()
        .nth(1)
        .filter(|path| path.ends_with(".y4m"))
        .map(std::fs::File::create)
        .transpose()?;
    if let Some(file) = &mut video {
        writeln!(file, "YUV4MPEG2 W{width} H{height} F30:1 Ip A1:1 C444")?;
    }
    let (mut pixels, mut last) = (vec![0_u8; 3 * width * height], Vec::new());
    let mut change = 0.0;
    for frame in 1..=12 {
        while sim.time() < f64::from(frame) / 30.0 {
            sim.step();
        }
        photographer.take(&sim.model, &sim.data, &mut camera, Kind::Color)?;
        photographer.read_color(&mut pixels);
        let differences =
            pixels.iter().zip(&last).map(|(now, before): (&u8, &u8)| f64::from(now.abs_diff(*before)));
        change += differences.sum::<f64>() / pixels.len() as f64;
        last.clone_from(&pixels);
        if let Some(file) = &mut video {
            file.write_all(b"FRAME\n")?;
            file.write_all(&planes(&pixels))?;
        }
    }
    println!(
        "12 frames of {width} by {height} pixels; {:.2} of 255 change from one to the next",
        change / 11.0
    );
    assert!(change > 0.0);
    Ok(())
}

/// Brightness and the two colour differences of all pixels, one after the other, as videos have them.
fn planes(pixels: &[u8]) -> Vec<u8> {
    let rows = [[0.257, 0.504, 0.098, 16.0], [-0.148, -0.291, 0.439, 128.0], [0.439, -0.368, -0.071, 128.0]];
    rows.iter()
        .flat_map(|row| {
            pixels.chunks_exact(3).map(move |rgb| {
                (row[3] + (0..3).map(|channel| row[channel] * f64::from(rgb[channel])).sum::<f64>()) as u8
            })
        })
        .collect()
}
