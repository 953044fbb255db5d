//! A robot in a picture, without a graphics driver.

use std::error::Error;

use condyle::pictures::{Kind, Photographer, camera_numbered};
use condyle::{LoadOptions, Sim, load_str};

const MODEL: &str = include_str!("../../models/bench/figure.xml");

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    for _ in 0..100 {
        sim.step();
    }
    let (width, height) = (320, 240);
    let mut photographer = Photographer::new(&sim.model, width, height)?;
    photographer.take(&sim.model, &sim.data, &mut camera_numbered(&sim.model, -1)?, Kind::Color)?;
    let mut pixels = vec![0_u8; 3 * width * height];
    photographer.read_color(&mut pixels);
    let brightest = pixels.iter().max().copied().unwrap_or(0);
    println!("a picture of {width} by {height} pixels, the brightest value is {brightest}");
    if let Some(path) = std::env::args().nth(1).filter(|path| path.ends_with(".ppm")) {
        let mut file = format!("P6\n{width} {height}\n255\n").into_bytes();
        file.extend_from_slice(&pixels);
        std::fs::write(path, file)?;
    }
    assert!(brightest > 100);
    Ok(())
}
