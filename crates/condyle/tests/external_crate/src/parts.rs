//! What programs need less often, by names of `condyle` alone: parts made by the compiler, specs inside specs, actuators by their
//! shortcuts, lengths of muscles, derivatives of inverse dynamics, user actuators, and questions about a scene.

use std::error::Error;

use condyle::data::{Inputs, State};
use condyle::model::{DynamicsType, GainType, LengthRangeMode, Values};
use condyle::prelude::*;
use condyle::query::{distance, jacobian, motion, ray};
use condyle::schema::Schema;
use condyle::spec::{
    AttachError, Attached, Cable, CableError, CableRoot, CableSkin, Curve, CurveShape, DeleteError,
    FileSystem, Flexcomp, FlexcompDof, FlexcompProblem, FlexcompType, Geom, HillMuscleParameters, Id,
    InertiaFromGeom, Joint, Kind, MeshBuiltin, MeshInertia, MuscleParameters, Owner, Part, Pins,
    PositionParameters, Rename, Target, TextureBuiltin, TextureMark,
};
use condyle::{
    InverseJacobiansOptions, LengthRangeError, LengthRangeOptions, set_constants, set_length_ranges, vis,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

const ARM: &str = r#"<mujoco><worldbody>
  <body name="arm"><joint name="elbow" axis="0 1 0" range="-60 60"/>
    <geom name="link" type="capsule" fromto="0 0 0 .4 0 0" size=".03"/><site name="end" pos=".4 0 0"/></body>
  <geom name="stone" pos="0 -2 0" size=".1"/><frame name="shelf" pos="0 1 0"/>
</worldbody></mujoco>"#;

/// Everything, in order; returns what there is to say about it.
pub(crate) fn run() -> Outcome<Vec<String>> {
    Ok(vec![
        attach()?,
        assets()?,
        chains()?,
        actuators()?,
        inverse_derivatives()?,
        user_actuator()?,
        questions()?,
    ])
}

fn rename(prefix: &str) -> Rename {
    Rename { prefix: prefix.to_owned(), suffix: String::new() }
}

/// Puts a hand on a site, a frame and a body of an arm, and the arm beside itself.
fn attach() -> Outcome<String> {
    let mut robot = Spec::parse(ARM)?;
    let hand = Spec::parse(
        "<mujoco><worldbody><body name='palm'><joint/><geom size='.05'/></body></worldbody></mujoco>",
    )?;
    let palm = hand.body("palm")?;
    let origin = robot.add_origin(&hand);
    let places = [
        (Target::Site(robot.site("end")?), Part::Body(palm)),
        (Target::Frame(robot.frame("shelf")?), Part::World),
        (Target::Body(robot.world()), Part::Body(palm)),
    ];
    for (number, (place, part)) in places.into_iter().enumerate() {
        let Attached { root, copies, .. } =
            robot.attach(place, &hand, part, origin, &rename(&format!("{number} ")))?;
        assert!(root.owner == Owner::Spec && !copies.is_empty());
    }
    let arm = Part::Body(robot.body("arm")?);
    let own: Result<Attached, AttachError> =
        robot.attach_own(Target::Body(robot.world()), arm, &rename("second "));
    assert_eq!(own?.root.kind, Kind::Body);
    let elbow: Id<Joint> = robot.joint("second elbow")?;
    robot.remove(elbow)?;
    let gone: Result<(), DeleteError> = robot.remove(elbow);
    assert!(gone.is_err());
    let model = robot.compile(&LoadOptions::default())?.model;
    assert_eq!((model.nbody, model.njnt), (7, 5));
    Ok(format!("attached: {} bodies", model.nbody))
}

/// A mesh and a texture made by the compiler, and where inertia comes from.
fn assets() -> Outcome<String> {
    let mut spec = Spec::new();
    spec.compiler.inertiafromgeom = InertiaFromGeom::True;
    let mesh = spec.add_mesh(None);
    spec.meshes[mesh].info.name = "ball".to_owned();
    spec.meshes[mesh].builtin = MeshBuiltin::Sphere;
    spec.meshes[mesh].params = vec![2.0];
    spec.meshes[mesh].inertia = MeshInertia::Exact;
    let texture = spec.add_texture();
    spec.textures[texture].info.name = "squares".to_owned();
    spec.textures[texture].builtin = TextureBuiltin::Checker;
    spec.textures[texture].mark = TextureMark::Edge;
    (spec.textures[texture].width, spec.textures[texture].height) = (16, 16);
    let body = spec.add_body(spec.world());
    spec.add_free_joint(body);
    let geom = spec.add_geom(body, None);
    spec.geoms[geom].kind = GeomType::Mesh;
    spec.geoms[geom].meshname = "ball".to_owned();
    let model = spec.compile(&LoadOptions::default())?.model;
    assert_eq!((model.nmesh, model.ntex), (1, 1));
    Ok(format!("assets: a mesh of {} vertices", model.nmeshvert))
}

/// What is wrong with a cloth, as one error.
fn said(problems: Vec<FlexcompProblem>) -> Box<dyn Error> {
    problems.iter().map(FlexcompProblem::to_string).collect::<Vec<_>>().join("\n").into()
}

/// A rope and a cloth.
fn chains() -> Outcome<String> {
    let mut spec = Spec::new();
    let shape = [CurveShape::Line, CurveShape::Zero, CurveShape::Zero];
    let curve = Curve { count: 6, size: [1.0, 0.0, 0.0], shape, ..Curve::default() };
    let geom = Geom { kind: GeomType::Capsule, size: [0.01, 0.0, 0.0], ..Geom::default() };
    let rope = Cable {
        prefix: "rope ".to_owned(),
        points: curve.points(),
        root: CableRoot::Fixed,
        geom,
        skin: CableSkin::default(),
        ..Cable::default()
    };
    let links = spec.add_cable(spec.world(), &rope)?;
    let short = Cable { points: Vec::new(), ..rope };
    assert_eq!(spec.add_cable(spec.world(), &short).map(|_| ()), Err(CableError::Points(0)));
    let cloth = Flexcomp {
        name: "cloth".to_owned(),
        kind: FlexcompType::Grid,
        dof: FlexcompDof::Full,
        count: [3, 3, 1],
        pins: Pins::default(),
        ..Flexcomp::default()
    };
    let made = spec.add_flexcomp(spec.world(), &cloth, &FileSystem).map_err(said)?;
    let model = spec.compile(&LoadOptions::default())?.model;
    assert_eq!((model.nflex, model.nbody), (1, 1 + links.len() + made.bodies.len()));
    Ok(format!("chains: {} links, {} points", links.len(), made.bodies.len()))
}

/// A servo and two kinds of muscle, and how far a muscle can be stretched.
fn actuators() -> Outcome<String> {
    let mut spec = Spec::parse(ARM)?;
    let [servo, muscle, hill] = ["servo", "muscle", "hill"].map(|name| {
        let id = spec.add_actuator(None);
        spec.actuators[id].info.name = name.to_owned();
        spec.actuators[id].trntype = TransmissionType::Joint;
        spec.actuators[id].target = "elbow".to_owned();
        id
    });
    let position = PositionParameters { kp: 20.0, kv: Some(1.0), ..PositionParameters::default() };
    spec.actuators[servo].set_to_position(&position)?;
    spec.actuators[muscle]
        .set_to_muscle(&MuscleParameters { force: 100.0, ..MuscleParameters::default() })?;
    let fibers = HillMuscleParameters {
        max_isometric_force: Some(100.0),
        optimal_fiber_length: Some(0.1),
        tendon_slack_length: Some(0.2),
        ..HillMuscleParameters::default()
    };
    spec.actuators[hill].set_to_hill_muscle(&fibers)?;
    spec.compiler.length_range.uselimit = true;
    let mut model = spec.compile(&LoadOptions::default())?.model;
    let mut options = LengthRangeOptions::default();
    options.mode = LengthRangeMode::All;
    (options.useexisting, options.uselimit) = (false, true);
    let ranges: Result<(), LengthRangeError> = set_length_ranges(&mut model, &options);
    ranges?;
    set_constants(&mut model)?;
    let [low, high] = model.actuator_lengthrange[model.actuator("servo")?.index()];
    assert!((high - low - 2.0 * std::f64::consts::PI / 3.0).abs() < 1e-9, "{low} to {high}");
    Ok(format!("actuators: the servo reaches from {low:.3} to {high:.3} rad"))
}

/// How the forces change that hold the arm: by acceleration as the mass matrix says.
fn inverse_derivatives() -> Outcome<String> {
    let mut sim = Sim::new(Spec::parse(ARM)?.compile(&LoadOptions::default())?.model);
    sim.forward();
    let options = InverseJacobiansOptions::default().epsilon(1e-6).subtract_actuation(true).sensors(true);
    let derivatives = sim.inverse_jacobians(&options)?;
    let (found, mass) = (derivatives.force_by_acceleration[0], sim.mass_matrix()[0]);
    assert!((found - mass).abs() < 1e-6 * mass, "{found} is not {mass}");
    Ok(format!("inverse dynamics: {found:.4} kg m² by acceleration, {mass:.4} in the mass matrix"))
}

/// An actuator whose activation, gain and bias are closures.
fn user_actuator() -> Outcome<String> {
    let mut spec = Spec::parse(ARM)?;
    let id = spec.add_actuator(None);
    let actuator = &mut spec.actuators[id];
    actuator.info.name = "own".to_owned();
    (actuator.trntype, actuator.target) = (TransmissionType::Joint, "elbow".to_owned());
    (actuator.dyntype, actuator.gaintype) = (DynamicsType::User, GainType::User);
    actuator.biastype = condyle::model::BiasType::User;
    actuator.actdim = 1;
    let mut sim = Sim::new(spec.compile(&LoadOptions::default())?.model);
    sim.set_hooks(Callbacks::new().activation_rate(|_, _, _| 3.0).gain(|_, _, _| 5.0).bias(
        |model, data, own| {
            assert_eq!(model.name_of(own), "own");
            let (state, inputs): (&State, &Inputs) = (&data.state, &data.inputs);
            2.0 + 0.0 * state.qpos[0] + 0.0 * inputs.ctrl[own.index()]
        },
    ));
    sim.forward();
    assert_eq!((sim.actuator("own")?.force(), sim.data.actuation.act_dot[0]), (2.0, 3.0));
    sim.data.state.act[0] = 1.0;
    sim.forward();
    assert_eq!(sim.actuator("own")?.force(), 7.0);
    Ok(format!("user actuator: {} N m", sim.actuator("own")?.force()))
}

/// Rays, distances, Jacobians, differences of positions, arrays by name, the scene, the table of MJCF.
fn questions() -> Outcome<String> {
    let mut sim = Sim::new(Spec::parse(ARM)?.compile(&LoadOptions::default())?.model);
    sim.forward();
    let elbow = sim.joint("elbow")?;
    assert_eq!((elbow.dofs(), elbow.coordinate_range()), (0..1, 0..1));
    let down = ray::Ray { origin: [0.2, 0.0, 1.0], direction: [0.0, 0.0, -1.0] };
    let found = ray::cast(&sim.model, &sim.data.kinematics, &down, &ray::RayFilter::ALL);
    assert!(found.is_some_and(|found| (found.hit.distance - 0.97).abs() < 1e-12));
    let [stone, link] = [sim.model.geom("stone")?.index(), sim.model.geom("link")?.index()];
    let (gap, _) = distance::geom_distance(&sim.model, &mut sim.data, stone, link, 5.0);
    assert!((gap - 1.87).abs() < 1e-9, "{gap}");
    let mut columns = vec![0.0; 3 * sim.model.nv];
    let site = sim.model.site("end")?.index();
    jacobian::of_site(&sim.model, &sim.data.kinematics, Some(&mut columns), None, site);
    assert_eq!(columns, sim.site_jacobian("end")?.translation);
    let mut position = sim.data.state.qpos.to_vec();
    motion::integrate_position(&sim.model, &mut position, &[1.0], 0.5);
    assert_eq!(sim.position_difference(&sim.data.state.qpos, &position)?, [0.5]);
    assert!(matches!(sim.data.array("qpos"), Some(Values::F64(values)) if values.len() == 1));
    let (options, still) = (vis::Options::default(), vis::Perturbation::default());
    let mut camera = vis::Camera::free(&sim.model);
    let mut scene = vis::Scene::new(&sim.model, 100);
    let all = vis::Category::ALL_BITS;
    vis::update_scene(&sim.model, &sim.data, &options, &still, &mut camera, all, &mut scene)?;
    assert!(!Schema::get().print().is_empty());
    Ok(format!("questions: geoms are {gap} m apart"))
}
