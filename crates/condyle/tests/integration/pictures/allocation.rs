//! A frame after the first allocates nothing.

use condyle::pictures::{BatchOutput, BatchRenderer, BatchSource, Camera, Kind, Photographer};
use condyle::{Batch, Sim};

#[test]
fn a_second_frame_allocates_nothing() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/bench/figure.xml");
    let mut sim = Sim::load(path).expect("the figure loads");
    sim.forward();
    let mut photographer = Photographer::new(&sim.model, 160, 120).expect("a size");
    let mut camera = Camera::free(&sim.model);
    let mut rgb = vec![0; 160 * 120 * 3];
    let (mut depth, mut segmentation) = (vec![0.0; 160 * 120], vec![0; 160 * 120 * 2]);
    let mut take = |photographer: &mut Photographer| {
        photographer.take(&sim.model, &sim.data, &mut camera, Kind::Color).expect("a picture");
        photographer.read_color(&mut rgb);
        photographer.develop(Kind::Segmentation).expect("a picture");
        photographer.read_depth(&mut depth);
        photographer.read_segmentation(&mut segmentation);
    };
    take(&mut photographer);
    take(&mut photographer);
    let used = allocation_counter::measure(|| take(&mut photographer));
    assert_eq!(used.count_total, 0, "{used:?}");
}

#[test]
fn a_second_batch_allocates_nothing_for_its_frames() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/bench/figure.xml");
    let sim = Sim::load(path).expect("the figure loads");
    let camera = [Camera::free(&sim.model)];
    let mut counts = [2, 20].map(|count| {
        let batch = Batch::new(&sim.model, count, 1).expect("a batch");
        let mut renderer = BatchRenderer::of_batch(&batch, [64, 48]).expect("a size");
        let mut rgb = vec![0; count * 64 * 48 * 3];
        let mut segmentation = vec![0; count * 64 * 48 * 2];
        let mut draw = || {
            let output = BatchOutput {
                rgb: Some(&mut rgb),
                segmentation: Some(&mut segmentation),
                ..Default::default()
            };
            let source = BatchSource::Rows(batch.state());
            renderer.render(batch.model(), source, &camera, None, output).expect("pictures");
        };
        draw();
        draw();
        allocation_counter::measure(draw).count_total
    });
    counts.sort_unstable();
    assert_eq!(counts[0], counts[1]);
    assert!(counts[1] < 10, "{counts:?}");
}
