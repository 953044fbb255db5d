//! From a [`Spec`] to a [`Model`].
//!
//! The passes run in the reference's order, because later ones see what earlier ones changed: names, assets, hulls that are
//! needed, meshes and textures, the kinematic tree, fusing of static bodies, everything that refers to the tree, dropping of
//! visual geoms, sizes, arrays, sparsity, constants of the reference configuration. Reference: mjCModel::TryCompile.
//!
//! Each kind of element has a file with its record, its checks and its part of the model's arrays; `work.rs` has the lists of all
//! records, `tree.rs` the walks over bodies.
//!
//! Problems are collected; a pass that would trip over an earlier problem is not run.

mod actuator;
mod advice;
mod asset_file;
mod body;
mod by_name;
mod camera;
mod custom;
mod equality;
mod finish;
pub(crate) mod flex;
mod frame;
mod fuse;
mod geom;
mod hazards;
mod hfield;
mod ids;
mod in_parallel;
pub(crate) mod inertia;
mod joint;
mod key;
mod light;
mod limits;
mod masses;
mod material;
mod mesh;
mod muscle_fit;
mod names;
mod pair;
mod plugin;
pub(crate) mod pose;
mod problems;
mod sensor;
mod shape;
mod site;
pub(crate) mod sizes;
mod skin;
mod source;
mod sparse;
pub(crate) mod structure;
mod tendon;
#[cfg(test)]
mod tests;
mod texture;
mod tree;
mod user_values;
mod work;

use condyle_base::diagnostic::Diagnostic;
use condyle_model::Model;

pub(crate) use asset_file::{content_type, strip_path};

pub use source::{AssetSource, FileSystem, MAX_ASSET_BYTES};

use crate::spec::Spec;
use ids::Ids;
use problems::{STRUCTURE, TOO_LARGE, element_error};
use work::Work;

/// Most bodies of a model.
pub(crate) const MAX_BODIES: usize = 65_534;

/// Choices that are not part of the spec.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct CompileOptions {
    /// Reproduce the bugs of MuJoCo that make a model physically wrong, and those of its steps that reach outside its arrays.
    pub reference_bugs: bool,
}

condyle_base::setters!(CompileOptions { reference_bugs: bool });

/// A model and the warnings that came with it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The model.
    pub model: Model,
    /// What the compiler noticed.
    pub warnings: Vec<Diagnostic>,
}

/// Compiles a spec, reading assets from `source`. `Err` holds all problems found, warnings included.
pub fn compile(
    spec: &Spec,
    source: &dyn AssetSource,
    options: &CompileOptions,
) -> Result<Compiled, Vec<Diagnostic>> {
    let mut work = Work::new(spec);
    let model = compile_passes(&mut work, source, options);
    match model {
        Some(model) if !work.problems.any_error() => Ok(Compiled { model, warnings: work.problems.list }),
        _ => Err(work.problems.list),
    }
}

/// The problems of a spec that need no working model to be seen, for specs that were not read completely.
pub fn check(spec: &Spec, source: &dyn AssetSource, options: &CompileOptions) -> Vec<Diagnostic> {
    let mut work = Work::new(spec);
    check_passes(&mut work, source, options);
    work.problems.list
}

fn compile_passes(work: &mut Work<'_>, source: &dyn AssetSource, options: &CompileOptions) -> Option<Model> {
    check_passes(work, source, options)?;
    work.connect_tendons();
    if work.spec.compiler.discardvisual {
        work.discard_visual();
    }
    work.check_moving_masses();
    if work.problems.any_error() {
        return None;
    }
    let mut model = write(work)?;
    model.reference_bugs = options.reference_bugs;
    Some(model)
}

/// Everything that finds fault with single elements; `None` when it did.
fn check_passes(work: &mut Work<'_>, source: &dyn AssetSource, options: &CompileOptions) -> Option<()> {
    check_support(work);
    if work.bodies.len() + work.spec.flexes.len() >= MAX_BODIES {
        let message =
            format!("the model has {} bodies, but at most {MAX_BODIES} are allowed", work.bodies.len());
        work.problems.general(TOO_LARGE, None, message);
        return None;
    }
    work.connect_geoms();
    work.connect_sites();
    work.connect_skins();
    work.connect_materials();
    work.compile_pairs();
    work.mark_needed_hulls();
    work.set_user_sizes();
    work.resolve_mesh_shapes();
    work.compile_meshes(source);
    work.compile_textures(source);
    work.compile_tree();
    work.note_rest_poses();
    if work.spec.compiler.fusestatic && !work.problems.any_error() {
        work.fuse_static(options.reference_bugs);
    }
    work.compile_flexes(options.reference_bugs);
    work.compile_skins(source);
    work.compile_hfields(source);
    if !work.problems.any_error() {
        work.compile_pairs();
    }
    work.compile_excludes();
    work.compile_equalities();
    work.compile_tendons();
    work.compile_actuators();
    work.compile_sensors();
    work.check_custom();
    work.compile_tuples();
    work.compile_plugins();
    (!work.problems.any_error()).then_some(())
}

/// Refuses what is read but cannot be simulated.
fn check_support(work: &mut Work<'_>) {
    let world = &work.spec.bodies[work.spec.world()];
    if world.parent().is_some() {
        work.problems.push(element_error(STRUCTURE, world, "", "the world cannot be inside a body"));
    }
}

/// Fills the arrays of the model.
fn write(work: &mut Work<'_>) -> Option<Model> {
    let mut model = Model { opt: work.spec.option, vis: work.spec.visual, ..Model::default() };
    let [pair_order, exclude_order] = work.pair_orders();
    let ids = Ids::new(work, &pair_order, &exclude_order);
    work.set_sizes(&mut model)?;
    model.allocate();
    work.write_names(&mut model, &pair_order, &exclude_order);
    work.write_paths(&mut model);
    work.write_tree(&mut model, &ids);
    work.write_meshes(&mut model);
    work.write_skins(&mut model, &ids);
    work.write_hfields(&mut model);
    work.write_textures(&mut model);
    work.write_materials(&mut model, &ids);
    work.write_flexes(&mut model, &ids);
    work.write_pairs(&mut model, &ids, &pair_order);
    work.write_excludes(&mut model, &ids, &exclude_order);
    work.write_equalities(&mut model, &ids);
    work.write_tendons(&mut model, &ids);
    let mut history = 0;
    work.write_actuators(&mut model, &ids, &mut history);
    work.write_sensors(&mut model, &ids, &mut history);
    work.write_custom(&mut model, &ids);
    work.write_plugins(&mut model);
    work.write_keys(&mut model);
    if work.problems.any_error() {
        return None;
    }
    work.finish(&mut model)?;
    work.check_hazards(&model, &ids);
    Some(model)
}
