//! From a [`Spec`] to a [`Model`].
//!
//! The passes run in the reference's order, because later ones see what earlier ones changed: names, assets, hulls that are
//! needed, meshes and textures, the kinematic tree, fusing of static bodies, everything that refers to the tree, dropping of
//! visual geoms, sizes, arrays, sparsity, constants of the reference configuration. Reference: mjCModel::TryCompile.
//!
//! Problems are collected; a pass that would trip over an earlier problem is not run.

mod actuator;
mod advice;
mod assets;
mod finish;
pub(crate) mod flex;
mod fuse;
mod geom;
mod hazards;
mod ids;
pub(crate) mod inertia;
mod masses;
mod muscle_fit;
mod names;
mod plugin;
pub(crate) mod pose;
mod problems;
mod relation;
mod sensor;
pub(crate) mod sizes;
mod source;
mod sparse;
mod tendon;
#[cfg(test)]
mod tests;
mod tree;
mod work;
mod write_objects;
mod write_tree;

use condyle_model::Model;
use condyle_model::diagnostic::Diagnostic;

pub(crate) use assets::content_type;
pub(crate) use names::structure_hash;
pub use source::{AssetSource, FileSystem, MAX_ASSET_BYTES};
pub(crate) use work::strip_path;

use crate::spec::Spec;
use ids::Ids;
use problems::{STRUCTURE, TOO_LARGE, element_error};
use work::Work;

/// Most bodies of a model.
pub(crate) const MAX_BODIES: usize = 65_534;

/// Choices that are not part of the spec.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompileOptions {
    /// Reproduce the bugs of the reference that make a model physically wrong.
    pub reference_bugs: bool,
}

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
    work.index_tendon_materials();
    if work.spec.compiler.discardvisual {
        work.discard_visual();
    }
    work.check_moving_masses();
    if work.problems.any_error() {
        return None;
    }
    write(work)
}

/// Everything that finds fault with single elements; `None` when it did.
fn check_passes(work: &mut Work<'_>, source: &dyn AssetSource, options: &CompileOptions) -> Option<()> {
    check_support(work);
    if work.bodies.len() + work.spec.flexes.len() >= MAX_BODIES {
        let message =
            format!("the model has {} bodies, at most {MAX_BODIES} are possible", work.bodies.len());
        work.problems.general(TOO_LARGE, None, message);
        return None;
    }
    work.index_assets();
    work.compile_pairs();
    work.mark_needed_hulls();
    work.set_user_sizes();
    work.resolve_mesh_shapes();
    work.compile_meshes_and_textures(source);
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
    let everything = |count: usize| (0..count).collect::<Vec<usize>>();
    let unsorted = Ids::new(work, &everything(work.pairs.len()), &everything(work.excludes.len()));
    let mut pair_order = everything(work.pairs.len());
    pair_order.sort_by_key(|&pair| {
        work.pair_signature(&unsorted, work.pairs[pair].geoms.map(|geom| work.geoms[geom].body)) as u32
    });
    let mut exclude_order = everything(work.excludes.len());
    exclude_order.sort_by_key(|&pair| work.pair_signature(&unsorted, work.excludes[pair].bodies) as u32);
    let ids = Ids::new(work, &pair_order, &exclude_order);
    work.set_sizes(&mut model)?;
    model.allocate();
    work.write_names(&mut model, &pair_order, &exclude_order);
    work.write_paths(&mut model);
    work.write_tree(&mut model, &ids);
    work.write_assets(&mut model, &ids);
    work.write_flexes(&mut model, &ids);
    work.write_objects(&mut model, &ids, &pair_order, &exclude_order);
    work.write_plugins(&mut model);
    work.write_keys(&mut model);
    if work.problems.any_error() {
        return None;
    }
    work.finish(&mut model)?;
    work.check_hazards(&model, &ids);
    Some(model)
}
