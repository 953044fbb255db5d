//! A frame after the first allocates nothing.

use condyle::Sim;
use condyle::pictures::{Camera, Kind, Photographer};

#[test]
fn a_second_frame_allocates_nothing() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/bench/figure.xml");
    let mut sim = Sim::load(path).expect("the figure loads");
    sim.forward();
    let mut photographer = Photographer::new(&sim.model, 160, 120).expect("a size");
    let mut camera = Camera::free(&sim.model);
    let mut rgb = vec![0; 160 * 120 * 3];
    let mut take = |photographer: &mut Photographer| {
        photographer.take(&sim.model, &sim.data, &mut camera, Kind::Color).expect("a picture");
        photographer.read_color(&mut rgb);
        photographer.develop(Kind::Segmentation).expect("a picture");
    };
    take(&mut photographer);
    take(&mut photographer);
    let used = allocation_counter::measure(|| take(&mut photographer));
    assert_eq!(used.count_total, 0, "{used:?}");
}
