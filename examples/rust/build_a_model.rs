//! A chain built in code, without a file: `Spec`.

use std::error::Error;

use condyle::prelude::*;

const LINKS: usize = 8;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut spec = Spec::new();
    let mut parent = spec.world();
    for link in 0..LINKS {
        let body = spec.add_body(parent);
        spec.bodies[body].info.name = format!("link{link}");
        spec.bodies[body].pos = if link == 0 { [0.0, 0.0, 2.0] } else { [0.15, 0.0, 0.0] };
        let hinge = spec.add_joint(body, None);
        spec.joints[hinge].axis = [0.0, 1.0, 0.0];
        let rod = spec.add_geom(body, None);
        spec.geoms[rod].kind = GeomType::Capsule;
        spec.geoms[rod].fromto = Some([0.0, 0.0, 0.0, 0.15, 0.0, 0.0]);
        spec.geoms[rod].size[0] = 0.02;
        parent = body;
    }
    let mut sim = Sim::new(spec.compile(&LoadOptions::default())?.model);
    sim.run_for(3.0);
    let last = sim.body(&*format!("link{}", LINKS - 1))?.position();
    println!("{LINKS} links; the last one is at {last:.2?} m");
    assert_eq!(sim.model.nv, LINKS);
    let reach = [last[0], last[1], last[2] - 2.0].iter().map(|part| part * part).sum::<f64>().sqrt();
    assert!(reach < 0.15 * LINKS as f64);
    Ok(())
}
