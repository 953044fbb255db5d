//! Sensors that few models use.

use condyle::{ObjectType, Sim};

use crate::common::{model, near, sim, world};

#[test]
fn the_clock_reads_the_time_of_the_simulation() {
    let mut sim = sim(r#"<mujoco><sensor><clock/></sensor></mujoco>"#);
    assert_eq!((sim.model.sensor_dim[0], sim.data.sensors.sensordata[0]), (1, 0.0));
    for _ in 0..25 {
        sim.step();
    }
    sim.forward();
    assert_eq!(sim.data.sensors.sensordata[0], sim.time());
    near(sim.time(), 0.05, 1e-12);
}

#[test]
fn the_actuator_force_of_a_joint_is_the_sum_of_its_actuators() {
    let mut sim = Sim::new(model(&world(
        r#"<body><joint name="hip" axis="0 1 0"/><joint name="other" axis="1 0 0"/><geom size=".1" pos=".1 0 0"/></body>"#,
        r#"<actuator><motor joint="hip" gear="3"/><motor joint="hip" gear="-1"/><motor joint="other" gear="5"/></actuator>
           <sensor><jointactuatorfrc joint="hip"/></sensor>"#,
    )));
    sim.data.inputs.ctrl.copy_from_slice(&[2.0, 1.0, 1.0]);
    sim.forward();
    assert_eq!(sim.data.sensors.sensordata[0], 5.0);
    assert_eq!(sim.data.sensors.sensordata[0], sim.data.actuation.qfrc_actuator[0]);
}

#[test]
fn rare_sensors_load_with_their_dimensions() {
    let model = model(&world(
        r#"<camera name="c" resolution="64 48"/><site name="s" pos="0 0 -1"/><geom name="a" size=".1"/><geom name="b" size=".1" pos="1 0 0"/>
           <body><joint name="hip"/><geom size=".1"/></body>"#,
        r#"<sensor><clock/><jointactuatorfrc joint="hip"/><camprojection camera="c" site="s"/>
           <distance geom1="a" geom2="b" cutoff="5"/><normal geom1="a" geom2="b" cutoff="5"/><fromto geom1="a" geom2="b" cutoff="5"/></sensor>"#,
    ));
    assert_eq!(model.sensor_dim, [1, 1, 2, 1, 3, 6]);
    assert_eq!(model.find(ObjectType::Joint, "hip"), Some(0));
}

#[test]
fn rare_geometric_sensors_measure_what_the_geometry_says() {
    let sim = sim(&world(
        r#"<camera name="c" resolution="64 48"/><site name="s" pos="0 0 -1"/><geom name="a" size=".1"/><geom name="b" size=".1" pos="1 0 0"/>"#,
        r#"<sensor><camprojection camera="c" site="s"/>
           <distance geom1="a" geom2="b" cutoff="5"/><normal geom1="a" geom2="b" cutoff="5"/><fromto geom1="a" geom2="b" cutoff="5"/></sensor>"#,
    ));
    let expected = [32.0, 24.0, 0.8, 1.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.9, 0.0, 0.0];
    crate::common::all_near(&sim.data.sensors.sensordata, &expected, 1e-12);
}

#[test]
fn a_point_is_inside_a_site_up_to_its_surface() {
    // (3, 4) has length 5, so that the surfaces below are met exactly; the place is along x, y and z of the site.
    for (shape, place) in [
        (r#"type="sphere" size="5""#, [3.0, 4.0, 0.0]),
        (r#"type="cylinder" size="5 9""#, [3.0, 4.0, 8.0]),
        (r#"type="cylinder" size="6 2""#, [3.0, 4.0, 2.0]),
        (r#"type="capsule" size="5 2""#, [0.0, 3.0, 6.0]),
        (r#"type="ellipsoid" size="4 8 8""#, [4.0, 0.0, 0.0]),
        (r#"type="box" size="3 9 9""#, [3.0, 4.0, 5.0]),
    ] {
        let text = world(
            &format!(
                r#"<site name="s" {shape}/><body name="b"><joint type="slide"/><geom size=".1"/></body>"#
            ),
            r#"<sensor><insidesite site="s" objtype="xbody" objname="b"/></sensor>"#,
        );
        let inside = |scale: f64| {
            let mut model = model(&text);
            model.body_pos[1] = place.map(|x| x * scale);
            let mut sim = Sim::new(model);
            sim.forward();
            sim.data.sensors.sensordata[0]
        };
        assert_eq!((inside(1.0), inside(1.0 - 1e-10)), (0.0, 1.0), "{shape}");
    }
}
